#!/usr/bin/env python3
"""Makes rules.toml from the rules of Betterleaks, by the author of gitleaks, that gitleaks has not.

    renew.py generated/rules/betterleaks.yml    # from the crate kingfisher-rules, which carries them with braces made valid for Rust

Python 3.11 with PyYAML. Taken are rules that know a token by its own form alone; the release and its date are set below.
"""
import json, pathlib, re, sys, tomllib
import yaml

RELEASE = "commit b1aa878bc41b06583f6ce83bf0ffcc5e6ed8f4f3"
TAKEN = "2026-11-25, from the crate kingfisher-rules 3.0.1"

LEFT_OUT = {
    "aikido-client-id": "no secret",
    "alibaba-sts-access-key-id": "no secret",
    "azure-app-configuration-connection-string": "own: assignments.rs",
    "azure-servicebus-connection-string": "own: assignments.rs",
    "artifactory-jfrog-url": "names a host",
    "auth0-domain": "names a host",
    "brave-search-api-key": "its keyword is three letters",
    "devcycle-client-sdk-key": "no secret: it stands in every page",
    "devcycle-mobile-sdk-key": "no secret: it ships with every app",
    "ebay-client-id": "no secret",
    "exoscale-api-key": "its keyword is three letters, and it is no secret",
    "gcp-service-account": "own: private_keys.rs",
    "gitlab-incoming-mail-address-token": "takes addresses of mail",
    "langfuse-public-key": "no secret",
    "lark-app-id": "no secret",
    "mongodb-atlas-service-account-id": "no secret",
    "mongodb-connection-string": "own: addresses.rs",
    "nuget-api-key": "own: formats.rs; its keyword is three characters",
    "posthog-project-api-key": "no secret: it stands in every page",
    "ramp-client-id": "no secret",
    "razorpay-key-id": "no secret",
    "replicate-api-token": "own: formats.rs; its keyword is three characters",
    "salesforce-instance-url": "names a host",
    "slack-session-token": "own: formats.rs",
    "snowflake-account-host": "names a host",
    "supabase-project-url": "no secret",
    "tableau-server-host": "names a host",
    "upstash-redis-rest-url": "no secret",
}
# What gives away a value by the name of a service beside it, which `names` does.
BY_CONTEXT = ("(?:=|>", "{0,16}", "{0,24}", "{0,32}")
BY_SIGHT = re.compile(r"^(\(\?i[:)])?(\\b|\(\?:\^\|\[\^[^\]]+\]\))?\(?[A-Za-z0-9$_\\(]")


def main():
    folder = pathlib.Path(__file__).parent
    ours = (folder / "../gitleaks/rules.toml").read_text()
    known = {rule["id"] for rule in tomllib.loads(ours)["rules"]} | set(re.findall(r"^#   ([a-z0-9-]+):", ours, re.M))
    out = [
        f"# Rules of Betterleaks, {RELEASE} (https://github.com/betterleaks/betterleaks),",
        "# MIT License, Copyright (c) 2026 Zachary Rice: see LICENSE beside this file. Those that gitleaks has not.",
        f"# Taken {TAKEN}. Made by renew.py; do not edit.",
        "",
        "# Left out:",
    ]
    out += [f"#   {rule}: {why}" for rule, why in sorted(LEFT_OUT.items())]
    out.append("#   and every rule that needs the name of a service beside the value: own, names.rs")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rules = yaml.load(pathlib.Path(sys.argv[1]).read_text(), Loader=loader)["rules"]
    count = 0
    for rule in sorted(rules, key=lambda rule: rule["id"]):
        name = re.sub(r"^betterleaks\.|\.\d+$", "", rule["id"])
        pattern, keywords = rule.get("pattern"), rule.get("keywords")
        if name in LEFT_OUT or name in known or not pattern or not keywords:
            continue
        if any(part in pattern for part in BY_CONTEXT) or not BY_SIGHT.match(pattern):
            continue
        # The word that a token begins with, not that of its issuer.
        if not any(keyword.lower() in re.sub(r"\\", "", pattern).lower() for keyword in keywords):
            continue
        assert "'''" not in pattern, name
        count += 1
        out += ["", "[[rules]]", f'id = "{name}"', f"regex = '''{pattern}'''"]
        out.append("keywords = " + json.dumps(keywords))
        if rule.get("min_entropy"):
            out.append(f"entropy = {float(rule['min_entropy'])}")
    (folder / "rules.toml").write_text("\n".join(out) + "\n")
    print(f"{count} rules in {folder / 'rules.toml'}")


main()
