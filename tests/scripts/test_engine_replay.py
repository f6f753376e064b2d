"""What `scripts/engine-replay` does with requests and answers in files, with the built program and a sample session."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SESSION = "fieldnotes-links"
# Prints what the set's scorer is given: the candidates of each session.
SCORE = r"""#!/usr/bin/env python3
import json, subprocess, sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
for one in options["--only"].split(","):
    transcript = f"{options['--set']}/transcripts/{one}.jsonl"
    run = subprocess.run([options["--bin"], "reflect", transcript, "--dry-run", "--json", "--engine", "builtin"], capture_output=True, text=True, check=True)
    for found in json.loads(run.stdout)["candidates"]:
        print(one, found["confidence"], found["title"])
"""


def built():
    for name in ("AFTERWORD", "AFTERWORD_BUILT"):
        if os.environ.get(name):
            return os.environ[name]
    asked = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"]
    target = json.loads(subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout)["target_directory"]
    return f"{target}/debug/afterword"


class EngineReplay(unittest.TestCase):
    def setUp(self):
        self.program = built()
        if not Path(self.program).is_file():
            self.skipTest("the program is not built")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "set/transcripts").mkdir(parents=True)
        samples = ROOT / "tests/sessions"
        shutil.copy(samples / f"transcripts/{SESSION}.jsonl", self.folder / "set/transcripts")
        sessions = json.loads((samples / "sessions.json").read_text())
        (self.folder / "set/sessions.json").write_text(json.dumps([one for one in sessions if one["id"] == SESSION]))
        labels = [line for line in (samples / "labels.jsonl").read_text().splitlines() if json.loads(line)["session"] == SESSION]
        (self.folder / "set/labels.jsonl").write_text("\n".join(labels))
        score = self.folder / "set/score"
        score.write_text(SCORE)
        score.chmod(0o755)

    def replay(self, *arguments):
        command = [str(ROOT / "scripts/engine-replay"), *map(str, arguments), "--set", str(self.folder / "set")]
        return subprocess.run(command, env={**os.environ, "AFTERWORD": self.program}, capture_output=True, text=True, timeout=300)

    def test_requests_are_what_is_sent_and_answers_become_candidates(self):
        requests = self.folder / "requests"
        done = self.replay("requests", requests)
        self.assertEqual(done.returncode, 0, done.stderr)
        request = (requests / f"{SESSION}.1.md").read_text()
        self.assertIn("no packages, standard library only", request)
        self.assertIn("--- candidates\n(1) ", request)
        self.assertIn("Answer with one JSON object", (requests / "instructions.md").read_text())
        json.loads((requests / "schema.json").read_text())

        # A model drops all that was found, and says one lesson of its own.
        numbers = [int(line[1:].split(")")[0]) for line in request.split("--- candidates\n")[1].splitlines() if line.startswith("(")]
        quote = "no packages, standard library only like the rest"
        line = next(int(line[1:].split()[0]) for line in request.splitlines() if line.startswith("[") and quote in line)
        lesson = {"n": 0, "kind": "preference", "scope": "project", "signal": "correction", "confidence": "high", "title": "No packages: standard library only, like the rest",
                  "body": "No packages, the standard library only.", "evidence": [{"line": line, "quote": quote}], "same_as": "", "replaces": "", "why": "Said so."}
        answer = {"candidates": [{"n": n, "verdict": "drop", "with": 0, "why": "no"} for n in numbers], "lessons": [lesson], "pages": [], "handoff": ""}
        answers = self.folder / "answers"
        answers.mkdir()
        (answers / f"{SESSION}.1.json").write_text(json.dumps(answer))
        done = self.replay("score", answers)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [f"{SESSION} high No packages: standard library only, like the rest"])
        self.assertIn("1 sessions, 1 calls", done.stderr)

    def test_labels_that_are_shown_are_counted(self):
        done = self.replay("shown")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 sessions; tokens median ", done.stdout)
        labelled = next(line for line in done.stdout.splitlines() if line.startswith("all "))
        self.assertGreater(float(labelled.split("shown ")[1].split(",")[0]), 0.9, labelled)

    def test_folder_without_answers_is_refused(self):
        done = self.replay("score", self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no answer to a session", done.stderr)


if __name__ == "__main__":
    unittest.main()
