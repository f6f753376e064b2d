"""The clause models: what a clause does (states a rule, carries something lasting, puts something off), learnt from hashed rows.

A row is the list of places of a clause's features, as `examples/features.rs` prints them. Positive clauses are those that overlap a
lesson's span; messages of real sessions without a label are negative.
"""
import struct

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

BUCKETS = 1 << 16
HEADS = ("rule", "lasting", "idea")
STRENGTH = 5
# Weights of a clause of a real session, of one of the older corpus (whole messages, no spans), of a part of a sentence, and of a message
# that changes a rule (written without what stood around it).
REAL, WHOLE, PART, CHANGE = 1.0, 0.6, 0.6, 0.25
# Weight of all that is made up, for each head. Half of it carries a lesson, of real messages few do: were all of equal weight, talk of
# real sessions would be taken for rules. Ideas are never saved as certain, and are learnt as they are. Messages of published logs were
# seldom judged for ideas and teach nothing of them.
MADE_UP = {"rule": 0.3, "lasting": 0.3, "idea": 1}
BY_SOURCE = {"made-up": MADE_UP, "published": {"idea": 0}}
# Weight of a made-up title beside a judged one, and how closely titles are learnt.
MADE_UP_TITLE, TITLE_STRENGTH = 0.5, 20


def overlaps(start, length, span_start, span_length):
    """Whether a clause carries a span, or only touches it (None)."""
    shared = max(0, min(start + length, span_start + span_length) - max(start, span_start))
    carries = (shared >= 0.6 * length and shared >= min(12, 0.5 * span_length)) or (shared >= 0.7 * span_length and shared >= 0.3 * length)
    return True if carries else None if shared > 0.25 * length else False


def targets(lesson):
    """Which heads a lesson is an example for."""
    if lesson["kind"] == "idea":
        return {"idea"}
    plain = lesson.get("plain") and lesson["kind"] in ("preference", "workflow")
    return {"lasting", "rule"} if plain else {"lasting"}


def of_spans(row, lessons, weight):
    """The clauses as (place, heads each is positive for, weight)."""
    examples = []
    for place, clause in enumerate(row["clauses"]):
        start, wanted, touches = len(row["text"].encode()[: clause["start"]].decode(errors="ignore")), set(), False
        for lesson in lessons:
            at = row["text"].find(lesson["span"])
            at = at if at >= 0 else row["text"].lower().find(lesson["span"].lower())
            carries = at >= 0 and overlaps(start, len(clause["text"]), at, len(lesson["span"]))
            if carries:
                wanted |= targets(lesson)
            touches |= carries is None
        if wanted or not touches:
            examples.append((place, wanted, weight * (PART if clause["partial"] else 1)))
    return examples


def judged(row):
    """The clauses of a message of which it is known what they do, as (place, heads each is positive for, weight)."""
    if row["source"] == "made-up":
        return of_spans(row, row["lessons"], CHANGE if row.get("change") else 1)
    if row["source"] == "published":
        return []
    if row["source"] == "moments":
        lasting = ("rule", "correction", "decision", "fact")
        spans = [dict(lesson, plain=lesson["tier"] == "high" and row["act"] in lasting) for lesson in row["lessons"]]
        return of_spans(row, spans, REAL)
    if row["source"] == "utterances":
        wanted = set()
        if row["lesson"]:
            if sum(not clause["partial"] for clause in row["clauses"]) != 1 or row["kind"] == "fix":
                return []
            wanted = {"idea"} if row["kind"] == "idea" else {"lasting", "rule"} if row["act"] == "rule" else {"lasting"}
        return [(place, wanted, WHOLE * (PART if clause["partial"] else 1)) for place, clause in enumerate(row["clauses"])]
    if any(label["kind"] != "fix" for label in row["labels"]):
        return []
    return [(place, set(), REAL * (PART if clause["partial"] else 1)) for place, clause in enumerate(row["clauses"])]


def of_row(row):
    """The same as (features, heads it is positive for, weight)."""
    kept = row["examples"] if row["source"] == "published" else []
    return kept + [(row["clauses"][place]["row"], wanted, weight) for place, wanted, weight in judged(row)]


def matrix(rows):
    places = [place for row in rows for place in row]
    ends = np.cumsum([0, *map(len, rows)])
    values = [1 / np.sqrt(max(1, len(row))) for row in rows for _ in row]
    return csr_matrix((values, places, ends), shape=(len(rows), BUCKETS))


def fit(rows):
    """One model a head."""
    examples = [(*example, row["source"]) for row in rows for example in of_row(row)]
    inputs = matrix([example[0] for example in examples])
    weights = lambda head: [weight * BY_SOURCE.get(source, {}).get(head, 1) for _, _, weight, source in examples]
    model = lambda: LogisticRegression(C=STRENGTH, max_iter=3000, solver="liblinear", intercept_scaling=5)
    return [model().fit(inputs, [head in example[1] for example in examples], sample_weight=weights(head)) for head in HEADS]


def fit_titles(rows, verdicts, weights):
    """Whether a title says by itself what to do."""
    model = LogisticRegression(C=TITLE_STRENGTH, max_iter=3000, solver="liblinear", intercept_scaling=5)
    return model.fit(matrix(rows), verdicts, sample_weight=weights)


def write(path, models):
    """As `act.rs` reads them: for each head bias and scale, then a signed byte a place."""
    with open(path, "wb") as file:
        for model in models:
            weights = model.coef_[0]
            scale = np.abs(weights).max() / 127
            file.write(struct.pack("<ff", float(model.intercept_[0]), float(scale)))
            file.write(np.round(weights / scale).astype(np.int8).tobytes())
