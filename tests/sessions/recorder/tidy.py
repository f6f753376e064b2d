"""What is changed in a transcript the client wrote: the machine it was written on, and the clock.

Owns: putting `/home/<person>` where the temporary home was, and spreading a recording over the time it plays in.
Does not: touch anything a person, the agent or a tool said.
"""
import json
import re
from datetime import datetime, timedelta, timezone

STAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")
# Attachments that list the client's own tools, skills and agents: long, the same everywhere, and the client's own text.
LISTS = {"skill_listing", "deferred_tools_delta", "agent_listing_delta", "mcp_instructions_delta"}


def parse(stamp):
    return datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def clock(start, first, pauses):
    """Maps a recorded time to the time it plays in: shifted to `start`, with every pause before it added."""

    def shifted(match):
        at = parse(match.group(0))
        added = sum(seconds for when, seconds in pauses if when <= at)
        moved = start + (at - first) + timedelta(seconds=added)
        return moved.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moved.microsecond // 1000:03d}Z"

    return shifted


def tidy(text, root, start, first, pauses):
    """One transcript file as it is committed."""
    flat = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    shifted = clock(start, first, pauses)
    lines = []
    for line in text.splitlines():
        line = line.replace(str(root), "").replace(flat, "")
        line = STAMP.sub(shifted, line)
        entry = json.loads(line)
        attachment = entry.get("attachment") or {}
        if attachment.get("type") in LISTS:
            entry["attachment"] = {key: shortened(value) for key, value in attachment.items()}
            line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        lines.append(line)
    return "\n".join(lines) + "\n"


def shortened(value):
    if isinstance(value, list):
        return value[:2]
    if isinstance(value, str) and len(value) > 120:
        return value[:120] + "…"
    return value


def seconds(words):
    """`90m`, `3h`, `2d` in seconds."""
    return int(words[:-1]) * {"m": 60, "h": 3600, "d": 86400}[words[-1]]
