"""Reading a session script: what a person says, what the agent says and does, and what a reader should learn.

Owns: the little language of `scripts/*.session` and its checks.
Does not: run anything.

    key: value          header lines, up to the first blank line
    > words             the person types a prompt (more `> ` lines: the same prompt, further lines)
    >> words            the person types while the agent works (a queued message)
    >! words            the person presses Escape, then types
    >x reason           the person rejects the tool call on screen (no reason: the turn ends)
    >y                  the person allows it
    >2                  the person picks option 2 of the question on screen
    >= words            the person answers the question in words of their own
    >ok  /  >no words   the plan on screen is accepted / sent back with words
    $ command           the agent runs a command
    @read P  @write P  @edit P  @grep PATTERN  @ls PATTERN  @ask HEADER: QUESTION  @plan  @agent TITLE: PROMPT
     |body              lines of what is written, options `label: description`, the plan, or the sub-agent's own script
    -|old  +|new        the two sides of an edit
    ~ 3h                time passes (m, h, d)
    === resume          the client is left and the session resumed
    === fork NAME       the client is left and the session forked into a new transcript
    ^name               names the line above, so that a label can count it as evidence
    % kind tier signal [optional] [also=kind] [@name ...] | gist     a label on the line above
    anything else       the agent speaks

A `#` at the start of a line is a remark.
"""
import re
from dataclasses import dataclass, field

SPOKEN = {"say", "queue", "reject", "answer", "choose", "plan-ok", "plan-no"}
KINDS = {"preference", "workflow", "fix", "idea"}
TIERS = {"high", "medium", "low"}


@dataclass
class Item:
    kind: str
    text: str = ""
    input: dict = field(default_factory=dict)
    name: str = ""
    inner: list = field(default_factory=list)
    labels: list = field(default_factory=list)
    call: str = ""  # id of the tool call, known once it was made
    at: int = 0  # line in the script


class Wrong(Exception):
    pass


def read(path):
    """Returns (header, items) of one script file."""
    lines = path.read_text().splitlines()
    header, start = {}, 0
    for start, line in enumerate(lines):
        if not line.strip():
            break
        if not line.startswith("#"):
            key, _, value = line.partition(":")
            header.setdefault(key.strip(), []).append(value.strip())
    try:
        return header, items(lines[start:], start + 1)
    except Wrong as error:
        raise SystemExit(f"{path}:{error}")


def items(lines, offset):
    out, index = [], 0

    def body(mark):
        nonlocal index
        found = []
        while index < len(lines) and lines[index].startswith(mark):
            found.append(lines[index][len(mark):])
            index += 1
        return found

    while index < len(lines):
        line, at = lines[index], offset + index
        index += 1
        if line.startswith("#"):
            continue
        if not line.strip():
            if out and out[-1].kind == "text" and index < len(lines) and plain(lines[index]):
                out[-1].text += "\n"
            continue
        item = None
        if line.startswith("^"):
            out[-1].name = line[1:].strip()
        elif line.startswith("% "):
            out[-1].labels.append(label(line[2:], at))
        elif line.startswith("~ "):
            item = Item("gap", line[2:].strip())
        elif line.startswith("==="):
            word, _, rest = line[3:].strip().partition(" ")
            item = Item(word, rest)
        elif line.startswith(">> "):
            item = Item("queue", line[3:])
        elif line.startswith(">! "):
            out.append(Item("interrupt", at=at))
            item = Item("say", line[3:])
        elif line.startswith(">x"):
            item = Item("reject", line[2:].strip())
        elif line.rstrip() == ">y":
            item = Item("approve")
        elif line.rstrip() == ">ok":
            item = Item("plan-ok")
        elif line.startswith(">no "):
            item = Item("plan-no", line[4:])
        elif line.startswith(">= "):
            item = Item("answer", line[3:])
        elif re.fullmatch(r">\d", line.rstrip()):
            item = Item("choose", line.rstrip()[1:])
        elif line.startswith(">"):
            words = [line[1:].removeprefix(" ")]
            while index < len(lines) and re.match(r">( |$)", lines[index]):
                words.append(lines[index][1:].removeprefix(" "))
                index += 1
            item = Item("say", "\n".join(words))
        elif line.startswith("$ "):
            command = "\n".join([line[2:], *body(" |")])
            item = Item("tool", "Bash", {"command": command, "description": purpose(command)})
        elif line.startswith("@"):
            word, _, rest = line[1:].partition(" ")
            item = tool(word, rest, body, offset, at)
        else:
            if out and out[-1].kind == "text" and not out[-1].labels and not out[-1].name:
                out[-1].text += "\n" + line
            else:
                item = Item("text", line)
        if item:
            item.at = at
            out.append(item)
    for item in out:
        item.text = item.text.strip("\n")
    check(out)
    return out


def plain(line):
    return bool(line.strip()) and not re.match(r"[>$@~^%#]|===", line)


def purpose(command):
    words = [word for word in re.split(r"[|&;<>]", command.split("\n")[0])[0].split() if not re.search(r"['\"$(]", word)]
    return "Run " + " ".join(words[:3])


def tool(word, rest, body, offset, at):
    if word == "read":
        return Item("tool", "Read", {"file_path": rest})
    if word == "write":
        return Item("tool", "Write", {"file_path": rest, "content": "\n".join(body(" |")) + "\n"})
    if word == "edit":
        old, new = "\n".join(body("-|")), "\n".join(body("+|"))
        return Item("tool", "Edit", {"file_path": rest, "old_string": old, "new_string": new, "replace_all": False})
    if word == "grep":
        return Item("tool", "Bash", {"command": f"grep -rn '{rest}' --exclude-dir=.git .", "description": f"Search for {rest}"})
    if word == "ls":
        return Item("tool", "Bash", {"command": f"ls {rest}", "description": f"List {rest}"})
    if word == "ask":
        header, _, question = rest.partition(": ")
        options = [dict(zip(("label", "description"), part.split(": ", 1))) for part in body(" |")]
        asked = {"header": header, "question": question, "multiSelect": False, "options": options}
        return Item("tool", "AskUserQuestion", {"questions": [asked]})
    if word == "plan":
        return Item("plan", "\n".join(body(" |")) + "\n")
    if word == "agent":
        title, _, prompt = rest.partition(": ")
        inner = body(" |")
        return Item("tool", "Agent", {"description": title, "prompt": prompt, "subagent_type": "general-purpose",
                                      "run_in_background": False}, inner=items(inner, at + 1))
    raise Wrong(f"{at}: unknown tool @{word}")


def label(text, at):
    head, bar, gist = text.partition("|")
    words = head.split()
    if not bar or len(words) < 3 or words[0] not in KINDS or words[1] not in TIERS:
        raise Wrong(f"{at}: a label is `kind tier signal … | gist`")
    return {
        "kind": words[0], "tier": words[1], "signal": words[2], "gist": gist.strip(),
        "optional": "optional" in words[3:],
        "also": [w[5:] for w in words[3:] if w.startswith("also=")],
        "with": [w[1:] for w in words[3:] if w.startswith("@")],
    }


def check(found):
    names = {item.name for item in found if item.name}
    for item in found:
        for wanted in item.labels:
            for name in wanted["with"]:
                if name not in names:
                    raise Wrong(f"{item.at}: no line is named {name}")
    for before, after in zip(found, found[1:]):
        if before.kind == "tool" and after.kind in ("say", "resume", "fork"):
            raise Wrong(f"{after.at}: the agent must speak after a tool call before the person does")
