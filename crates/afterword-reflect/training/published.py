#!/usr/bin/env python3
"""Turns judged messages of published agent logs into `published.npz`: the clauses' hashed features and what they carry, no words.

    published.py FEATURES JUDGED.jsonl…

FEATURES is the built example `features`. A line of the others is a message with its verdict: {"repo", "lang", "before", "did", "user", "reply", "act", "lessons": [{"span", "plain", "kind"}]}.
The sentences are other people's and stay where they are; what is kept is what `clauses.py` learns from. It fits the features of the
engine it was made with, so a fingerprint of those is kept beside it (`fingerprint`).
"""
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import clauses

HERE = Path(__file__).resolve().parent
FILE = HERE / "published.npz"
GROUPS = 9


def fingerprint(features):
    """Of what the engine's features make of some made-up messages of one plain sentence: other features, other rows, however longer ones are cut."""
    said = subprocess.run([features, "corpus", str(HERE / "utterances" / "a.jsonl")], check=True, capture_output=True, text=True).stdout
    weighed = lambda clause: {name: clause[name] for name in ("partial", "row", "text")}
    messages = [row for row in map(json.loads, said.splitlines()) if re.fullmatch(r"[\w' ]+[.!?]?", row["text"])]
    rows = [[weighed(clause) for clause in row["clauses"]] for row in messages]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


def load(features):
    """The kept examples as rows for `clauses.py`, a group each; nothing where the engine has other features by now."""
    if not FILE.exists():
        return []
    kept = np.load(FILE)
    if str(kept["fingerprint"]) != fingerprint(features):
        print("published.npz was made with other features and is left out; make it anew with published.py", file=sys.stderr)
        return []
    rows = {}
    starts = np.concatenate([[0], kept["ends"][:-1]])
    for start, end, heads, weight, group in zip(starts, kept["ends"], kept["heads"], kept["weights"], kept["groups"]):
        wanted = {head for place, head in enumerate(clauses.HEADS) if heads >> place & 1}
        row = rows.setdefault(int(group), {"source": "published", "pass": "moment", "group": f"published {group}", "features": {}, "clauses": [], "examples": []})
        row["examples"].append(([int(place) for place in kept["places"][start:end]], wanted, float(weight)))
    return list(rows.values())


def main():
    features = sys.argv[1]
    judged, seen = [], set()
    for path in sys.argv[2:]:
        for line in Path(path).read_text().splitlines():
            one = json.loads(line)
            if one["user"].strip() and one["user"].strip() not in seen:
                seen.add(one["user"].strip())
                judged.append(one)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(one) + "\n" for one in judged)
        file.flush()
        said = subprocess.run([features, "corpus", file.name], check=True, capture_output=True, text=True).stdout
    by_text = {one["user"].strip(): one for one in judged}
    places, ends, heads, weights, groups = [], [], [], [], []
    for row in map(json.loads, said.splitlines()):
        one = by_text.get(row["text"].strip())
        if one is None:
            continue
        group = int(hashlib.sha256(one["repo"].encode()).hexdigest(), 16) % GROUPS
        for place, wanted, weight in clauses.of_spans(row, one["lessons"], clauses.REAL):
            places += row["clauses"][place]["row"]
            ends.append(len(places))
            heads.append(sum(1 << place for place, head in enumerate(clauses.HEADS) if head in wanted))
            weights.append(weight)
            groups.append(group)
    np.savez_compressed(
        FILE, places=np.array(places, np.uint16), ends=np.array(ends, np.uint32), heads=np.array(heads, np.uint8),
        weights=np.array(weights, np.float32), groups=np.array(groups, np.uint8), fingerprint=fingerprint(features),
    )
    print(len(judged), "messages,", len(ends), "clauses,", sum(map(bool, heads)), "of them carry something")


if __name__ == "__main__":
    sys.exit(main())
