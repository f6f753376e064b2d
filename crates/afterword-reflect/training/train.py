#!/usr/bin/env python3
"""Learns the weights of the built-in engine and says how well they do on sessions they have not seen.

    train.py BENCHMARK [--report FILE] [--no-write]

BENCHMARK is a folder with transcripts/, sessions.json, labels.jsonl and the scorer `score`. Needs the packages of
requirements.txt and the two example binaries of this crate (built by this script). Four logistic models are learnt, each
from the labelled sessions and from the made-up moments of utterances/*.jsonl (weighted less):

    preference  a moment that carries a preference or a workflow
    idea        a moment that carries an idea put off for later
    fix         a moment that belongs to a fix
    cause       a remark of the agent that names a cause (labelled sessions only)

Cross-validation leaves out one session, or one whole project, at a time, learns from the rest, mines what was left out
with those weights through the engine itself, and scores all candidates together. Learning is deterministic.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from importlib.machinery import SourceFileLoader
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
MODELS = HERE.parent / "models"
# Name: kinds that count as positive, pass, regularisation, weight of a made-up moment, weight of an optional label.
TASKS = {
    "preference": ({"preference", "workflow"}, "moment", 0.006, 0.3, 0.4),
    "idea": ({"idea"}, "moment", 0.01, 0.3, 0.4),
    "fix": ({"fix"}, "moment", 0.006, 0.1, 0.7),
    "cause": ({"fix"}, "remark", 0.02, 0.0, 1.0),
}
# No feature is divided by less than this, so that what is rare cannot weigh without bound.
LEAST_SPREAD = 0.15


def rows_of(command):
    return [json.loads(line) for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()]


def target(row, kinds):
    """1 for a label that counts, 0.5 for an optional one, 0 for none."""
    hit = [label for label in row["labels"] if kinds & {label["kind"], *label["also"]}]
    return 0.0 if not hit else 0.5 if all(label["optional"] for label in hit) else 1.0


def learn(task, rows, corpus):
    kinds, _, strength, corpus_weight, optional_weight = TASKS[task]
    names = sorted(rows[0]["features"])
    values = np.array([[row["features"][name] for name in names] for row in rows])
    targets = np.array([target(row, kinds) for row in rows])
    mean, spread = values.mean(0), np.maximum(values.std(0), LEAST_SPREAD)
    inputs, wanted = (values - mean) / spread, (targets > 0).astype(int)
    weights = np.where(targets == 0.5, optional_weight, 1.0)
    if corpus_weight and corpus:
        # What a made-up moment cannot tell (tool calls) is taken to be average.
        made_up = np.array([[row["features"].get(name, np.nan) for name in names] for row in corpus])
        inputs = np.vstack([inputs, np.nan_to_num((made_up - mean) / spread)])
        wanted = np.r_[wanted, [int(bool(row["lesson"]) and row["kind"] in kinds) for row in corpus]]
        weights = np.r_[weights, np.full(len(corpus), corpus_weight)]
    fitted = LogisticRegression(C=strength, max_iter=5000).fit(inputs, wanted, sample_weight=weights)
    slopes = fitted.coef_[0] / spread
    return {
        "bias": round(float(fitted.intercept_[0]), 5),
        "weights": {
            name: {"mean": round(float(m), 5), "weight": round(float(w), 5)}
            for name, m, w in zip(names, mean, slopes)
            if abs(w) >= 0.001
        },
    }


def write(folder, rows, corpus):
    folder.mkdir(parents=True, exist_ok=True)
    for task, (_, kind, *_) in TASKS.items():
        model = learn(task, [row for row in rows if row["pass"] == kind], corpus)
        (folder / f"{task}.json").write_text(json.dumps(model, indent=1, sort_keys=True) + "\n")


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


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("benchmark", type=Path)
    arguments.add_argument("--report", type=Path)
    arguments.add_argument("--no-write", action="store_true", help="leave the shipped models as they are")
    options = arguments.parse_args()
    score = SourceFileLoader("score", str(options.benchmark / "score")).load_module()
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "afterword-reflect", "--examples"], check=True, cwd=ROOT)

    sessions = json.loads((options.benchmark / "sessions.json").read_text())
    path = {s["id"]: options.benchmark / "transcripts" / s["transcript"] for s in sessions}
    project = {s["id"]: s["source"] for s in sessions}
    labels, by_line = defaultdict(list), defaultdict(list)
    for line in (options.benchmark / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        labels[label["session"]].append(label)
        for number in label["lines"]:
            by_line[label["session"], number].append(label)

    features = str(TARGET / "release/examples/features")
    rows = rows_of([features, "session", *map(str, path.values())])
    for row in rows:
        row["labels"] = [label for number in row["lines"] for label in by_line[row["session"], number]]
    corpus = rows_of([features, "corpus", *sorted(map(str, (HERE / "utterances").glob("*.jsonl")))])

    report = []
    for title, group in (("Left out: one session at a time", lambda s: s), ("Left out: one project at a time", project.get)):
        found = {}
        for left_out in sorted({group(s) for s in path}):
            with tempfile.TemporaryDirectory() as folder:
                write(Path(folder), [row for row in rows if group(row["session"]) != left_out], corpus)
                found |= mine(Path(folder), [path[s] for s in path if group(s) == left_out])
        report.append(table(title, scored(score, found, labels)))
    with tempfile.TemporaryDirectory() as folder:
        shipped = Path(folder) if options.no_write else MODELS
        write(shipped, rows, corpus)
        report.append(table("Fitted: the shipped weights on the sessions they were learnt from", scored(score, mine(shipped, path.values()), labels)))
    text = "\n".join(report)
    print(text)
    if options.report:
        options.report.write_text(text)


if __name__ == "__main__":
    sys.exit(main())
