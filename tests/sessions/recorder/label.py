"""From the labels in a script to the lines of the transcript the client wrote.

Owns: finding each line of a script in the recording, and the rows of `labels.jsonl`.
Does not: judge anything; a label was written by hand beside the words it is about.
"""
import json


def rows(name, items, lines):
    """The labels of one session. Raises where a labelled line cannot be found in the recording."""
    entries = [json.loads(line) for line in lines]
    name_calls(items, entries)
    found, cursor = {}, 0
    for index, item in enumerate(items):
        hits = where(item, entries, cursor)
        found[index] = hits
        if hits and item.kind != "queue":
            cursor = max(cursor, min(hits))
    named = {item.name: found[index] for index, item in enumerate(items) if item.name}
    out = []
    for index, item in enumerate(items):
        for label in item.labels:
            own = found[index]
            if not own:
                raise SystemExit(f"{name}: line {item.at} of the script is not in the recording: {item.kind} {item.text[:80]}")
            all_lines = sorted({*own, *(line for other in label["with"] for line in named[other])})
            row = {"session": name, "line": own[0], "uuid": (entries[own[0] - 1].get("uuid") or "")[:8], "kind": label["kind"]}
            if label["also"]:
                row["also"] = label["also"]
            row |= {"tier": label["tier"], "signal": label["signal"], "lines": all_lines, "gist": label["gist"],
                    "quote": item.text[:200] if item.kind in SPOKEN else "", "optional": label["optional"]}
            out.append(row)
    return out


def name_calls(items, entries):
    """Gives each tool call of the script the id the client wrote it down under; both are in the same order."""
    made = [block for entry in entries if entry.get("type") == "assistant" for block in blocks(entry) if block["type"] == "tool_use"]
    made.reverse()
    for item in items:
        wanted = {"tool": [item.text], "plan": ["Write", "ExitPlanMode"]}.get(item.kind, [])
        for tool in wanted:
            if not made or made[-1]["name"] != tool:
                raise SystemExit(f"line {item.at} of the script: {tool} was not called here")
            item.call = made.pop()["id"]


SPOKEN = {"say", "queue", "reject", "answer", "plan-no"}


def where(item, entries, cursor):
    """The lines (from 1) of the recording an item of a script stands on."""
    hits = []
    for line, entry in enumerate(entries, 1):
        if line < cursor:
            continue
        if item.kind == "queue":
            if item.text in (entry.get("content"), (entry.get("attachment") or {}).get("prompt"), typed(entry)):
                hits.append(line)
        elif item.kind == "say":
            if entry.get("content") == item.text:  # a headless prompt is queued first
                hits.append(line)
            if typed(entry) == item.text:
                return [*hits, line]
        elif item.kind == "text" and item.text in said(entry):
            return [line]
        elif item.kind in ("tool", "plan") and item.call:
            if any(block.get("id") == item.call or block.get("tool_use_id") == item.call for block in blocks(entry)):
                hits.append(line)
        elif item.kind in ("reject", "answer", "plan-no") and item.text:
            if any(item.text in result(block) for block in blocks(entry)):
                return [line]
        elif item.kind == "choose":
            if any("questions have been answered" in result(block) for block in blocks(entry)) and line > cursor:
                return [line]
        elif item.kind == "plan-ok":
            if any("approved your plan" in result(block) for block in blocks(entry)):
                return [line]
    return hits


def blocks(entry):
    content = (entry.get("message") or {}).get("content")
    return content if isinstance(content, list) else []


def typed(entry):
    """What a person typed in an entry, or None."""
    if entry.get("type") != "user":
        return None
    content = entry["message"]["content"]
    if isinstance(content, str):
        return content
    texts = [block["text"] for block in content if block["type"] == "text"]
    return texts[0] if len(texts) == 1 else None


def said(entry):
    if entry.get("type") != "assistant":
        return []
    return [block["text"] for block in blocks(entry) if block["type"] == "text"]


def result(block):
    if block.get("type") != "tool_result":
        return ""
    content = block.get("content")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
