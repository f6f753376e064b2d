"""What `scripts/test` lists at its end: each test that was skipped, whoever skipped it, and why."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Skips one test by itself, one by its class, and fails one.
TESTS = """import unittest


class Some(unittest.TestCase):
    def test_one(self):
        self.skipTest("it's not here")

    def test_two(self):
        self.fail("skipped: nothing")


class All(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("no package in PACKAGE")

    def test_three(self):
        pass
"""


class Skipped(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def listed(self, *reports):
        """Each reason that is listed, with how often it was given."""
        done = subprocess.run([ROOT / "scripts/skipped", *reports], capture_output=True, text=True, check=True)
        return {reason: int(count) for count, reason in (line.split(maxsplit=1) for line in done.stdout.splitlines())}

    def test_what_rust_tests_say_is_listed_from_either_runner(self):
        junit, printed = self.folder / "junit.xml", self.folder / "printed"
        junit.write_text("<system-out>skipped: there is no git here\n</system-out><system-err>skipped: `a&apos;b` is not here</system-err>")
        printed.write_text("---- agent stdout ----\nskipped: there is no git here\ntest result: ok. 3 passed; 0 failed; 1 ignored\n")
        listed = self.listed(junit, printed)
        self.assertEqual(listed["there is no git here"], 2)
        self.assertEqual(listed["`a'b` is not here"], 1)

    def test_what_unittest_skips_is_listed_and_the_failure_stays_one(self):
        (self.folder / "test_some.py").write_text(TESTS)
        kept = self.folder / "kept"
        script = f". scripts/prepare\nkeep {kept} python3 -m unittest discover --verbose --start-directory {self.folder}"
        done = subprocess.run(["/bin/bash", "-c", script], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout, kept.read_text(), "it is shown as well")
        listed = self.listed(kept)
        self.assertEqual(listed["it's not here"], 1)
        self.assertEqual(listed["no package in PACKAGE"], 1)

    def test_ignored_tests_are_listed_with_the_reason_in_the_source(self):
        listed = self.listed()
        self.assertEqual(listed["ignored: what stands in for a client, and is killed (crates/afterword-daemon/src/run/tests/recovery.rs)"], 1)
        self.assertNotIn("no reason is given", " ".join(listed))


if __name__ == "__main__":
    unittest.main()
