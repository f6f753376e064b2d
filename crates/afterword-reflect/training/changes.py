"""Whether a later message ends an earlier rule, learnt from the files below pairs/ as `examples/pairs.rs` prints them.

Two models: whether a clause changes a rule at all, whichever that is (`changes.bin`, hashed rows as in `clauses.py`), and whether it
ends a given one (`pairs.json`, named features). What the first says of a message it has learnt from is never shown to the second.

What people say in real sessions beside what their other sessions taught ends hardly ever anything: of those, all are examples of what
does not.

    changes.py EXAMPLES HISTORIES [--write]   says how well both do on messages and people they have not learnt from; EXAMPLES is the
                                              folder of this crate's example binaries, HISTORIES has transcripts/ and sessions.json
"""
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

import clauses
import named

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent / "models"
ENDS = ("replaces", "withdraws", "narrows")
FOLDS = 5
STRENGTH, PAIR_STRENGTH = 5, 0.05
# Weights: of a part of a sentence, of a clause that ends nothing, and of an older rule the message was not written for.
PART, ENDS_NOTHING, STRANGER, REAL = 0.7, 0.6, 0.5, 0.3
# Rules a real message is put beside, pairs that are taken at all, and the longest message.
BESIDE, MOST, LONGEST = 3, 6000, 1500
# Pairs that only the clause models learn from: with them no more changes were seen, and reversals ended rules that had to be asked about.
LEFT_OUT = ("en5", "multi2")


def printed(*command):
    return [json.loads(line) for line in subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout.splitlines()]


def read(examples, histories):
    files = [path for path in sorted((HERE / "pairs").rglob("*.jsonl")) if path.stem not in LEFT_OUT]
    rows = printed(examples / "pairs", *files)
    for row in rows:
        row["group"] = int(hashlib.sha256(row["newer"].encode()).hexdigest(), 16) % FOLDS
    return [row for row in [*rows, *real(examples, histories)] if row["clauses"]]


def real(examples, histories):
    """Messages of real sessions, each beside what other sessions of its repository taught."""
    sessions = json.loads((histories / "sessions.json").read_text())
    paths = {session["session"]: histories / "transcripts" / f"{session['session']}.jsonl" for session in sessions}
    people = sorted({session["person"] for session in sessions})
    taught, found = defaultdict(list), {row["session"]: row["candidates"] for row in printed(examples / "mine", MODELS, *paths.values())}
    for session in sessions:
        rules = [one["title"] for one in found.get(session["session"], []) if one["confidence"] == "high"]
        taught[session["repo"]] += [(session["session"], title) for title in rules]
    said = defaultdict(list)
    for row in printed(examples / "features", "session", *paths.values()):
        if row["pass"] == "moment" and len(row["text"]) < LONGEST:
            said[row["session"]].append(row["text"])
    chance, rows = random.Random(1), []
    for session in sessions:
        others = [title for other, title in taught[session["repo"]] if other != session["session"]]
        for text in said[session["session"]]:
            for older in chance.sample(others, min(BESIDE, len(others))):
                rows.append({"lang": "real", "newer": text, "older": older, "span": "", "relation": "real", "group": people.index(session["person"]) % FOLDS})
    rows = chance.sample(rows, min(MOST, len(rows)))
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
        file.flush()
        return [told | {"group": row["group"]} for told, row in zip(printed(examples / "pairs", file.name), rows)]


def ends(row, clause):
    """Whether a clause carries the words that end the rule; None where it only touches them."""
    if row["relation"] not in ENDS:
        return False
    at = row["newer"].find(row["span"])
    start = len(row["newer"].encode()[: clause["start"]].decode(errors="ignore"))
    return clauses.overlaps(start, len(clause["text"]), at, len(row["span"]))


def weight(row, clause):
    return (PART if clause["partial"] else 1) * (REAL if row["relation"] == "real" else 1)


def fit_changes(rows):
    examples = [(clause["row"], ends(row, clause), weight(row, clause)) for row in rows for clause in row["clauses"]]
    told, changed, weights = zip(*(example for example in examples if example[1] is not None))
    model = LogisticRegression(C=STRENGTH, max_iter=3000, solver="liblinear", intercept_scaling=5)
    return model.fit(clauses.matrix(told), changed, sample_weight=weights)


def tell_changes(model, rows):
    for row in rows:
        odds = model.decision_function(clauses.matrix([clause["row"] for clause in row["clauses"]]))
        for clause, value in zip(row["clauses"], odds):
            clause["changes"] = float(np.clip(value, -5, 5))


def tell_unseen(rows):
    for left_out in range(FOLDS):
        model = fit_changes([row for row in rows if row["group"] != left_out])
        tell_changes(model, [row for row in rows if row["group"] == left_out])


def features(clause, beside):
    """As `pair::features` makes them, with how likely the clause changes a rule."""
    changes = clause["changes"]
    above = max(changes, 0)
    return beside | {"changes": changes, "changes.shared": above * beside["shared.older"], "changes.close": above * beside["closeness"]}


def examples(rows):
    for index, row in enumerate(rows):
        for clause in row["clauses"]:
            of_own = ends(row, clause)
            for place, beside in enumerate(clause["beside"]):
                verdict = of_own if place == 0 else False
                if verdict is not None:
                    heavy = weight(row, clause) * (1 if verdict else ENDS_NOTHING) * (STRANGER if place else 1)
                    yield index, place, features(clause, beside), bool(verdict), heavy


class Pairs:
    """The logistic model over named features."""

    def __init__(self, found):
        self.names = sorted(found[0][2])
        values = self.values(found)
        self.mean, self.spread = values.mean(0), np.maximum(values.std(0), named.LEAST_SPREAD)
        verdicts, weights = [example[3] for example in found], [example[4] for example in found]
        self.model = LogisticRegression(C=PAIR_STRENGTH, max_iter=5000).fit((values - self.mean) / self.spread, verdicts, sample_weight=weights)

    def values(self, found):
        return np.array([[example[2][name] for name in self.names] for example in found])

    def likely(self, found):
        return self.model.predict_proba((self.values(found) - self.mean) / self.spread)[:, 1]

    def written(self):
        slopes = self.model.coef_[0] / self.spread
        weights = {name: {"mean": round(float(m), 5), "weight": round(float(w), 5)} for name, m, w in zip(self.names, self.mean, slopes)}
        return {"bias": round(float(self.model.intercept_[0]), 5), "weights": weights}


def write(folder, rows):
    (folder / "pairs.json").write_text(json.dumps(Pairs(list(examples(rows))).written(), indent=1, sort_keys=True) + "\n")
    clauses.write(folder / "changes.bin", [fit_changes(rows)])


def report(rows):
    most = [max(clause["changes"] for clause in row["clauses"]) for row in rows]
    made_up = [index for index, row in enumerate(rows) if row["relation"] != "real"]
    area = lambda which: roc_auc_score([rows[index]["relation"] in ENDS for index in which], [most[index] for index in which])
    lines = [f"changes: area under the curve {area(made_up):.3f}, with real messages {area(range(len(rows))):.3f}"]
    found, best = list(examples(rows)), {}
    for left_out in range(FOLDS):
        model = Pairs([one for one in found if rows[one[0]]["group"] != left_out])
        asked = [one for one in found if rows[one[0]]["group"] == left_out]
        for one, likely in zip(asked, model.likely(asked)):
            best[one[:2]] = max(best.get(one[:2], 0), likely)
    kinds = lambda index, place: ({"en": "English", "real": "real"}.get(rows[index]["lang"], "others"), "a stranger" if place else rows[index]["relation"])
    counts = Counter(kinds(*key) for key in best)
    for bar in (0.4, 0.5, 0.6, 0.7, 0.8):
        seen = Counter(kinds(*key) for key, likely in best.items() if likely >= bar)
        lines.append(f"at {bar}: " + ", ".join(f"{language} {relation} {seen[language, relation]} of {count}" for (language, relation), count in sorted(counts.items())))
    return "\n".join(lines)


if __name__ == "__main__":
    rows = read(Path(sys.argv[1]), Path(sys.argv[2]))
    tell_unseen(rows)
    print(report(rows))
    if "--write" in sys.argv:
        write(MODELS, rows)
