#!/usr/bin/env python3
"""Makes rules.toml from a release of gitleaks; docs/decisions/0030-redaction-rules.md says when and how.

    renew.py builtin_rules.json                 # from the crate keyspoor, which carries them with braces made valid for Rust
    renew.py config/gitleaks.toml               # from a checkout of gitleaks

Only standard Python 3.11. The release, its commit and its date are set below.
"""
import json, pathlib, re, sys, tomllib

RELEASE = "v8.30.1, commit 83d9cd684c87d95d656c1458ef04895a7f1cbd8e"
TAKEN = "2026-11-22, from the crate keyspoor 0.1.4"

# What is not a secret, what Afterword's own rules find with fewer mistakes, and what would take a commit hash for a token.
LEFT_OUT = {
    "generic-api-key": "own: assignments.rs",
    "curl-auth-header": "own: headers.rs",
    "curl-auth-user": "own: commands.rs",
    "kubernetes-secret-yaml": "own: blocks.rs",
    "hashicorp-tf-password": "own: assignments.rs",
    "private-key": "own: private_keys.rs",
    "jwt": "own: formats.rs",
    "twilio-api-key": "own: formats.rs; its keyword is two letters",
    "airtable-personnal-access-token": "own: formats.rs; its keyword is three letters",
    "sendgrid-api-token": "own: formats.rs; its keyword is three characters",
    "azure-ad-client-secret": "own: formats.rs",
    "sourcegraph-access-token": "takes any forty hexadecimal digits; own: formats.rs",
    "slack-legacy-workspace-token": "takes xoxa- and any word; own: formats.rs",
    "huggingface-access-token": "takes identifiers; own: formats.rs",
    "huggingface-organization-api-token": "takes identifiers; own: formats.rs",
    "pkcs12-file": "names a file",
    "adobe-client-id": "no secret",
    "asana-client-id": "no secret",
    "bitbucket-client-id": "no secret",
    "discord-client-id": "no secret",
    "linkedin-client-id": "no secret",
    "looker-client-id": "no secret",
    "messagebird-client-id": "no secret",
    "plaid-client-id": "no secret",
    "sendbird-access-id": "no secret",
    "sumologic-access-id": "no secret",
    "new-relic-user-api-id": "no secret",
    "flutterwave-public-key": "no secret",
    "lob-pub-api-key": "no secret",
    "mailgun-pub-key": "no secret",
    "mapbox-api-token": "no secret: pk. is published in pages",
    "new-relic-browser-api-token": "no secret: it stands in every page",
}
# What may follow a value: gitleaks has taken `<`, `,`, `)` and any backslash in since the release.
END = (r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"""(?:[\x60'"\s;<,)\\]|$)""")
# Keywords too common to ask a rule at each.
KEYWORDS = {"vault-service-token": ["hvs."], "gocardless-api-token": ["gocardless"]}


def braces(pattern):
    """Go takes a brace that opens no repetition literally; Rust wants it escaped."""
    out, i, in_class = [], 0, False
    while i < len(pattern):
        c = pattern[i]
        if c == "\\":
            if pattern[i : i + 3] in (r"\p{", r"\P{", r"\x{"):
                end = pattern.index("}", i) + 1
                out.append(pattern[i:end])
                i = end
                continue
            out.append(pattern[i : i + 2])
            i += 2
            continue
        if c == "[" and not in_class:
            in_class = True
        elif c == "]" and in_class:
            in_class = False
        if c in "{}" and not in_class:
            repetition = re.match(r"\{\d+(,\d*)?\}", pattern[i:])
            if repetition:
                out.append(repetition.group())
                i += repetition.end()
                continue
            out.append("\\" + c)
        else:
            out.append(c)
        i += 1
    return "".join(out)


def read(path):
    text = pathlib.Path(path).read_text()
    if path.endswith(".json"):
        for rule in json.loads(text)["rules"]:
            yield rule["id"], rule["pattern"], rule["keywords"], rule["min_entropy"], rule["secret_group"] or 0
    else:
        for rule in tomllib.loads(text)["rules"]:
            if "regex" in rule:
                pattern = braces(rule["regex"])
                yield rule["id"], pattern, rule.get("keywords", []), rule.get("entropy", 0), rule.get("secretGroup", 0)


def main():
    out = [
        f"# Rules of gitleaks {RELEASE} (https://github.com/gitleaks/gitleaks),",
        "# MIT License, Copyright (c) 2019 Zachary Rice: see LICENSE beside this file.",
        f"# Taken {TAKEN}. Made by renew.py; do not edit.",
        "",
        "# Left out:",
    ]
    out += [f"#   {rule}: {why}" for rule, why in sorted(LEFT_OUT.items())]
    count = 0
    for rule, pattern, keywords, entropy, group in sorted(read(sys.argv[1])):
        if rule in LEFT_OUT:
            continue
        pattern = pattern.replace(*END)
        assert "'''" not in pattern and keywords, rule
        count += 1
        out += ["", "[[rules]]", f'id = "{rule}"', f"regex = '''{pattern}'''"]
        out.append("keywords = " + json.dumps(KEYWORDS.get(rule, keywords)))
        if entropy:
            out.append(f"entropy = {float(entropy)}")
        if group:
            out.append(f"group = {group}")
    target = pathlib.Path(__file__).with_name("rules.toml")
    target.write_text("\n".join(out) + "\n")
    print(f"{count} rules in {target}")


main()
