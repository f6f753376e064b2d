#!/usr/bin/env python3
"""Learns the weights of the built-in engine and says how well they do on sessions they have not seen.

    train.py BENCHMARK HISTORIES [--report FILE] [--no-write] [--fit-only]

BENCHMARK is a folder with transcripts/, sessions.json, labels.jsonl and the scorer `score`; HISTORIES one with transcripts/,
sessions.json and moments.jsonl. Needs the packages of requirements.txt and the two example binaries of this crate (built by this
script). Learnt are the clause models (`clauses.py`) and four logistic models over named features:

    preference  a moment that carries a preference, a workflow or a fact
    idea        a moment that carries an idea put off for later
    fix         a moment that belongs to a fix
    cause       a remark of the agent that names a cause (labelled sessions, and the remarks of histories/remarks.jsonl)

Their examples are the labelled sessions, the judged moments (and those of histories/judged.jsonl, which names further ones by their
places), and the made-up ones of utterances/ (one message, one verdict) and
made-up/ (nine languages, the words that carry a lesson marked), with the newer messages of pairs/*.jsonl (a rule and what a later message
does to it) among them. The clause models learn from published.npz, too: clauses of messages in published logs (`published.py`).
What a clause model says of a message it has learnt from is never
shown to the models above it: it is asked of one that has not.

Whether a title says by itself what to do is learnt last (`titles.bin`), from the made-up ones of titles/ and from those judged there that
the engine still gives. What ends an earlier rule is learnt apart, by `changes.py`.

Cross-validation leaves out one whole repository at a time (with its judged moments), learns from the rest, mines what
was left out with those weights through the engine itself, and scores all candidates together. Learning is deterministic.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.machinery import SourceFileLoader
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

import clauses
import context
import named
import published

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
MODELS = HERE.parent / "models"
# Name: kinds that count as positive, pass, regularisation, weight of an optional label, and of an example by its source.
TASKS = {
    "preference": ({"preference", "workflow", "fact"}, "moment", 0.006, 0.4, {"labels": 1, "moments": 0.8, "utterances": 0.3, "made-up": 0}),
    "idea": ({"idea"}, "moment", 0.01, 0.4, {"labels": 1, "moments": 0.5, "utterances": 0.3, "made-up": 0.1}),
    "fix": ({"fix"}, "moment", 0.006, 0.7, {"labels": 1, "moments": 0, "utterances": 0.1, "made-up": 0}),
    "cause": ({"fix"}, "remark", 0.006, 1.0, {"labels": 1, "remarks": 1}),
}
FOLDS = 5


def rows_of(command):
    return [json.loads(line) for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()]


def target(row, kinds):
    """1 for what counts, 0.5 for what is arguable, 0 for neither."""
    if row["source"] == "labels":
        hit = [label for label in row["labels"] if kinds & {label["kind"], *label["also"]}]
        return 0.0 if not hit else 0.5 if all(label["optional"] for label in hit) else 1.0
    if row["source"] == "moments":
        hit = [lesson for lesson in row["lessons"] if lesson["kind"] in kinds]
        return 0.0 if not hit else 0.5 if all(lesson["tier"] == "low" for lesson in hit) else 1.0
    if row["source"] == "made-up":
        return float(any(lesson["kind"] in kinds for lesson in row["lessons"]))
    if row["source"] == "remarks":
        return row["verdict"]
    return float(bool(row["lesson"]) and row["kind"] in kinds)


def learn(task, rows):
    kinds, _, strength, optional, source = TASKS[task]
    rows = [row for row in rows if source.get(row["source"], 0)]
    names = sorted(next(row for row in rows if row["source"] == "labels")["features"])
    # What a made-up moment cannot tell (tool calls) is taken to be average.
    values = np.array([[row["features"].get(name, np.nan) for name in names] for row in rows], float)
    real = np.array([row["source"] in ("labels", "moments", "remarks") for row in rows])
    mean, spread = np.nanmean(values[real], 0), np.maximum(np.nanstd(values[real], 0), named.LEAST_SPREAD)
    targets = np.array([target(row, kinds) for row in rows])
    weights = np.array([source[row["source"]] for row in rows]) * np.where(targets == 0.5, optional, 1.0)
    inputs = np.nan_to_num((values - mean) / spread)
    fitted = LogisticRegression(C=strength, max_iter=5000).fit(inputs, (targets > 0).astype(int), sample_weight=weights)
    return named.model(fitted, names, mean, spread)


def stack(rows):
    """Gives each moment what clause models say of it that have not learnt from its group; returns models that learnt from all."""
    groups = {group: index % FOLDS for index, group in enumerate(sorted({row["group"] for row in rows}))}
    of_fold = [[row for row in rows if groups[row["group"]] == fold and row["clauses"]] for fold in range(FOLDS)]
    for fold, asked in enumerate(of_fold):
        models = clauses.fit([row for row in rows if groups[row["group"]] != fold])
        for row in asked:
            context.weigh(row, context.alone(models, row))
    for fold, asked in enumerate(of_fold):
        models = context.fit([row for other in of_fold if other is not asked for row in other])
        for row in asked:
            best = context.beside(models, row).max(0)
            row["features"].update({f"clause.{head}": float(value) for head, value in zip(clauses.HEADS, best)})
    for row in rows:
        row["features"].update({f"clause.{head}": -context.MOST for head in clauses.HEADS if not row["clauses"]})
    return clauses.fit(rows), context.fit([row for asked in of_fold for row in asked])


def write(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    moments = [row for row in rows if row["pass"] == "moment"]
    by_words, beside = stack(moments)
    clauses.write(folder / "clauses.bin", by_words)
    dump(folder / "context.json", beside)
    for task, (_, kind, *_) in TASKS.items():
        dump(folder / f"{task}.json", learn(task, [row for row in rows if row["pass"] == kind]))


def dump(path, model):
    path.write_text(json.dumps(model, indent=1, sort_keys=True) + "\n")


def titles(folder, transcripts):
    """Learns `titles.bin`: the titles that are judged are asked of the engine, since none stands in this repository."""
    read = lambda name: [json.loads(line) for line in (HERE / "titles" / f"{name}.jsonl").read_text().splitlines()]
    judged = {(row["session"], row["line"], row["title"]): row["guides"] for row in read("judged")}
    examples = {row["title"]: (row["guides"], clauses.MADE_UP_TITLE) for row in read("made-up")}
    for session, candidates in mine(folder, transcripts).items():
        for title, line in ((one["title"], one["evidence"][0]["line"]) for one in candidates if one["evidence"]):
            verdict = judged.get((session, line, hashlib.sha256(title.encode()).hexdigest()[:12]))
            if verdict is not None:
                examples[title] = (verdict, 1)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps({"user": title, "did": "none"}) + "\n" for title in examples)
        file.flush()
        rows = [row["clauses"] for row in rows_of([str(TARGET / "release/examples/features"), "corpus", file.name])]
    told = [row[0]["row"] if row else [] for row in rows]
    clauses.write(folder / "titles.bin", [clauses.fit_titles(told, *zip(*examples.values()))])
    return sum(weight == 1 for _, weight in examples.values())


def mine(folder, transcripts):
    command = [str(TARGET / "release/examples/mine"), str(folder), *map(str, transcripts)]
    return {row["session"]: row["candidates"] for row in rows_of(command)}


def scored(score, found, labels):
    rows, wanted, missed = [], [], []
    for session, candidates in found.items():
        matched, lost = score.compare(candidates, labels[session])
        rows += matched
        wanted += labels[session]
        missed += lost
    return score.summarise(rows, wanted, missed)


def table(title, result):
    lines = [f"**{title}**", "", "| | labels | found | noise | precision | recall | F1 |", "|---|---|---|---|---|---|---|"]
    for name, row in result.items():
        cells = [row["labels"], row["found"], row["noise"], row["precision"], row["recall"], row["f1"]]
        lines.append(f"| {name} | " + " | ".join("" if cell is None else str(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def moment_of(pair):
    """The newer message of a pair as a made-up moment."""
    lesson = {"span": pair["span"], "title": pair["title"], "plain": True, "kind": "preference", "scope": "project"}
    lessons = [lesson] if pair["span"] and pair["relation"] != "once" else []
    return {"lang": pair["lang"], "before": "", "did": "none", "user": pair["newer"], "reply": "", "act": "rule" if lessons else "errand", "lessons": lessons}


def read(benchmark, histories):
    """All examples, and of the labelled sessions their transcripts, repositories and labels."""
    features = str(TARGET / "release/examples/features")
    sessions = json.loads((benchmark / "sessions.json").read_text())
    path = {s["id"]: benchmark / "transcripts" / s["transcript"] for s in sessions}
    repository = {s["id"]: s["source"].split("/")[-1] for s in sessions}
    labels, by_line = defaultdict(list), defaultdict(list)
    for line in (benchmark / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        labels[label["session"]].append(label)
        for number in label["lines"]:
            by_line[label["session"], number].append(label)
    rows = rows_of([features, "session", *map(str, path.values())])
    for row in rows:
        row |= {"source": "labels", "group": repository[row["session"]]}
        row["labels"] = [label for number in row["lines"] for label in by_line[row["session"], number]]

    further = (HERE / "histories" / "judged.jsonl").read_text().splitlines()
    judged = {(m["session"], m["line"]): m for m in map(json.loads, [*further, *(histories / "moments.jsonl").read_text().splitlines()])}
    told = {s["session"]: s["repo"].split("/")[-1] for s in json.loads((histories / "sessions.json").read_text())}
    verdicts = {(m["session"], m["line"]): m["verdict"] for m in map(json.loads, (HERE / "histories" / "remarks.jsonl").read_text().splitlines())}
    wanted = sorted({session for session, _ in judged.keys() | verdicts.keys()})
    for row in rows_of([features, "session", *(str(histories / "transcripts" / f"{session}.jsonl") for session in wanted)]):
        moment = next((judged[row["session"], line] for line in row["lines"] if (row["session"], line) in judged), None)
        if row["pass"] == "moment" and moment:
            lessons = [dict(one, span=row["text"][slice(*one["at"])]) if "at" in one else one for one in moment["lessons"]]
            rows.append(row | {"source": "moments", "group": told[row["session"]], "act": moment["act"], "lessons": lessons})
        verdict = next((verdicts[row["session"], line] for line in row["lines"] if (row["session"], line) in verdicts), None)
        if row["pass"] == "remark" and verdict is not None:
            rows.append(row | {"source": "remarks", "group": told[row["session"]], "verdict": verdict})
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as moments:
        moments.writelines(json.dumps(moment_of(json.loads(line))) + "\n" for path_ in sorted((HERE / "pairs").glob("*.jsonl")) for line in path_.open())
        moments.flush()
        changes = rows_of([features, "corpus", moments.name])
    rows += published.load(features)
    for source in ("utterances", "made-up"):
        made_up = rows_of([features, "corpus", *sorted(map(str, (HERE / source).glob("*.jsonl")))])
        made_up += [dict(row, change=True) for row in changes] if source == "made-up" else []
        rows += [row | {"source": source, "pass": "moment", "group": f"{source} {index % 7}"} for index, row in enumerate(made_up)]
    return rows, path, repository, labels


def borrow(folder):
    """Puts the models that are not learnt here beside the others."""
    for name in ("titles.bin", "changes.bin", "pairs.json"):
        shutil.copy(MODELS / name, folder)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("benchmark", type=Path)
    arguments.add_argument("histories", type=Path)
    arguments.add_argument("--report", type=Path)
    arguments.add_argument("--no-write", action="store_true", help="leave the shipped models as they are")
    arguments.add_argument("--fit-only", action="store_true", help="no cross-validation")
    options = arguments.parse_args()
    score = SourceFileLoader("score", str(options.benchmark / "score")).load_module()
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "afterword-reflect", "--examples"], check=True, cwd=ROOT)
    rows, path, repository, labels = read(options.benchmark, options.histories)

    report = []
    ways = (("Left out: one repository at a time", repository.get),)
    for title, group in () if options.fit_only else ways:
        found = {}
        for left_out in sorted({group(s) for s in path}):
            seen = [row for row in rows if row["group"] != left_out and (row["source"] != "labels" or group(row["session"]) != left_out)]
            with tempfile.TemporaryDirectory() as folder:
                borrow(folder)
                write(Path(folder), [row | {"features": dict(row["features"])} if "features" in row else row for row in seen])
                found |= mine(Path(folder), [path[s] for s in path if group(s) == left_out])
        report.append(table(title, scored(score, found, labels)))
    with tempfile.TemporaryDirectory() as folder:
        shipped = Path(folder) if options.no_write else MODELS
        if options.no_write:
            borrow(folder)
        write(shipped, rows)
        transcripts = [*path.values(), *sorted((options.histories / "transcripts").glob("*.jsonl"))]
        print(titles(shipped, transcripts), "judged titles found")
        report.append(table("Fitted: the shipped weights on the sessions they were learnt from", scored(score, mine(shipped, path.values()), labels)))
    text = "\n".join(report)
    print(text)
    if options.report:
        options.report.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
