"""What `scripts/prepare` tells whoever builds for the first time: what it takes, how far it is, and why it failed."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Draws a bar as cargo does where it is told to, and leaves what it was asked to build.
CARGO = r"""#!/usr/bin/env bash
echo "$*" >> "$ASKED"
for done in 1 120 300; do
  printf '    Building [=====>          ] %s/300: serde, ring\r' "$done" >&2
  sleep "${STEP:-0}"
done
printf '   Compiling afterword-cli v0.1.0\n' >&2
[ -z "${BROKEN:-}" ] || { printf 'error: the linker is missing\n' >&2; exit 101; }
"""


class Prepare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        cargo = self.folder / "bin/cargo"
        cargo.parent.mkdir()
        cargo.write_text(CARGO)
        cargo.chmod(0o755)
        self.asked = self.folder / "asked"

    def run_lines(self, lines, **variables):
        """Runs lines of a script that sourced `scripts/prepare`; gives its exit code and what it told."""
        environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "ASKED": str(self.asked),
            "CARGO_TARGET_DIR": str(self.folder / "target"), **variables,
        }
        script = f"set -euo pipefail\n. scripts/prepare\n{lines}\n"
        done = subprocess.run(["/bin/bash", "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout, "", "what is told goes to stderr: stdout is for data")
        return done.returncode, done.stderr

    def test_a_first_build_says_before_what_it_takes(self):
        self.program("df", "printf 'Filesystem 1024-blocks Used Available Capacity Mounted\\ndisk 90000000 1 50000000 1%% /\\n'")
        code, told = self.run_lines("build_command")
        self.assertEqual(code, 0, told)
        first = told.splitlines()[0]
        self.assertRegex(first, r"^Building the afterword command\. The first time this takes some minutes \([^()]*\), and \d+ GB of disk \(47 GB are free\)\.$")
        self.assertEqual(self.asked.read_text().split()[:2], ["build", "--locked"])

    def test_a_build_that_was_made_before_is_announced_no_more(self):
        built = self.folder / "target/try/afterword"
        built.parent.mkdir(parents=True)
        built.touch()
        self.assertEqual(self.run_lines("build_command"), (0, ""))

    def test_nothing_is_built_where_there_is_no_room(self):
        code, told = self.run_lines('announce_build "the app" "$CARGO_TARGET_DIR/none" 1000000; build --package afterword-desktop')
        self.assertEqual(code, 1)
        self.assertIn("There is not enough room. CARGO_TARGET_DIR=FOLDER builds in another folder.", told)
        self.assertFalse(self.asked.exists(), "nothing was built")

    def test_a_build_tells_how_far_it_is(self):
        code, told = self.run_lines("PROGRESS_SECONDS=1; build --package afterword-cli", STEP="1.1")
        self.assertEqual(code, 0, told)
        self.assertRegex(told, r"(?m)^  120 of 300 parts, 0 min \d+ s$")
        self.assertNotIn("[=", told, "no bar is drawn where nobody sees it move")

    def test_a_build_that_takes_no_time_is_silent(self):
        self.assertEqual(self.run_lines("build --package afterword-cli"), (0, ""))

    def test_a_build_that_fails_says_why_and_fails(self):
        code, told = self.run_lines("build --package afterword-cli", BROKEN="yes")
        self.assertEqual(code, 101)
        self.assertIn("error: the linker is missing", told)
        self.assertNotIn("Building [", told)

    def test_what_is_built_does_not_tell_where(self):
        # What its build script makes is named by its whole path, as the sources of other crates are.
        made = "fn place() -> &'static str { file!() }"
        (self.folder / "bin/cargo").unlink()
        built = []
        for name in ["one place", "another"]:
            place = self.folder / name
            (place / "src").mkdir(parents=True)
            (place / "Cargo.toml").write_text('[package]\nname = "part"\nversion = "0.1.0"\nedition = "2024"\n')
            (place / "build.rs").write_text(
                f'fn main() {{ std::fs::write(std::env::var("OUT_DIR").unwrap() + "/made.rs", {json.dumps(made)}).unwrap() }}\n')
            (place / "src/main.rs").write_text('include!(concat!(env!("OUT_DIR"), "/made.rs"));\nfn main() { println!("{}", place()) }\n')
            script = f"set -euo pipefail\n. '{ROOT}/scripts/prepare'\nleave_out_places\ncargo build --release --quiet --offline\n"
            environment = {**os.environ, "CARGO_TARGET_DIR": str(place / "target"), "RUSTFLAGS": "-C debug-assertions=no"}
            done = subprocess.run(["/bin/bash", "-c", script], cwd=place, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            program = place / "target/release/part"
            told = subprocess.run([program], capture_output=True, text=True).stdout
            self.assertRegex(told, r"^/build/release/build/part-\w+/out/made\.rs$")
            built.append(program.read_bytes())
        self.assertTrue(all(name not in one for one in built for name in [b"one place", b"another", str(self.folder).encode()]))
        self.assertTrue(built[0] == built[1], "two builds of the same differ")

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def test_files_of_tests_lie_in_memory_where_there_is_room_and_nobody_said_where(self):
        lines = 'MEMORY_FOR_TESTS={}; keep_tests_in_memory "$HOME"; say "in ${{TMPDIR:-none}}"'
        self.assertEqual(self.run_lines(lines.format(0)), (0, f"in {self.folder}\n"))
        self.assertEqual(self.run_lines(lines.format(1_000_000)), (0, "in none\n"))
        self.assertEqual(self.run_lines(lines.format(0), TMPDIR="/var/tmp"), (0, "in /var/tmp\n"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bin"], "nothing is left there")
        self.program("mktemp", "exit 1")
        self.assertEqual(self.run_lines(lines.format(0)), (0, "in none\n"))

    def test_packages_that_cannot_be_fetched_at_first_are_asked_for_again(self):
        self.program("sudo", '[ "$1" != -n ] || shift; exec "$@"')
        # Each of its two kinds of questions to the network fails, or hangs, the first time.
        self.program("apt-get", 'echo "$*" >> "$ASKED"; case "$*" in update*) mkdir "$HOME/updated" || exit 0; exec sleep 60 ;; '
                     '*--download-only*) mkdir "$HOME/fetched" || exit 0; exit 100 ;; esac')
        code, told = self.run_lines("UPDATE_SECONDS=1; install_packages tmux git")
        self.assertEqual((code, told), (0, "Installing tmux git with apt-get.\n"))
        install = "install -y -qq --no-install-recommends"
        self.assertEqual(self.asked.read_text().splitlines(), [
            "update -qq", "update -qq", f"{install} --download-only tmux git", f"{install} --download-only tmux git", f"{install} tmux git",
        ])

    def test_packages_that_are_not_to_be_had_are_named(self):
        self.program("sudo", '[ "$1" != -n ] || shift; exec "$@"')
        self.program("apt-get", "echo 'E: no network'; exit 100")
        code, told = self.run_lines("install_packages tmux")
        self.assertEqual(code, 1)
        self.assertIn("E: no network", told)
        self.assertIn("Not installed with apt-get: tmux.", told)

    def test_a_machine_without_a_display_has_none(self):
        lines = 'if has_display; then say yes; else say no; fi'
        self.assertEqual(self.run_lines(lines), (0, "no\n"))
        self.assertEqual(self.run_lines(lines, DISPLAY=""), (0, "no\n"))
        self.assertEqual(self.run_lines(lines, DISPLAY=":987"), (0, "no\n"), "a name of a display alone is not one")
        self.assertEqual(self.run_lines(lines, DISPLAY="elsewhere:0"), (0, "yes\n"))

    def test_running_it_without_a_display_reads_the_sessions_and_says_how_it_goes_on(self):
        session = self.folder / ".claude/projects/-home-ada-shop/one.jsonl"
        session.parent.mkdir(parents=True)
        session.touch()
        built = self.folder / "target/try/afterword"
        built.parent.mkdir(parents=True)
        built.write_text('#!/bin/bash\necho "$*" >> "$ASKED"\n')
        built.chmod(0o755)
        environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "ASKED": str(self.asked),
            "CARGO_TARGET_DIR": str(self.folder / "target"),
        }
        done = subprocess.run(["/bin/bash", "scripts/run"], cwd=ROOT, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in self.asked.read_text().splitlines() if not line.startswith(("build", "--version"))],
                         ["config get vault.path", f"init --vault {self.folder}/Afterword", "reflect --all"])
        self.assertRegex(done.stderr.splitlines()[-1], f"^The command is {built} .*docs/guide/quick-start.md$")

    def test_who_may_install_nothing_is_told_so_and_the_network_is_not_asked(self):
        self.program("id", "echo 1000")
        self.program("sudo", "echo 'sudo: a password is required' >&2; exit 1")
        self.program("apt-get", 'echo "$*" >> "$ASKED"')
        code, told = self.run_lines("install_packages gcc libc6-dev")
        self.assertEqual((code, told), (1, "Not installed: gcc libc6-dev. apt-get needs root, and sudo does not give it here.\n"))
        self.assertFalse(self.asked.exists())

    def test_an_installed_afterword_is_not_shared_in_silence(self):
        lines, path = "tell_of_installed; tell_of_installed", str(self.folder / "bin")
        self.assertEqual(self.run_lines(lines, PATH=path), (0, ""))
        self.program("afterword", "")
        code, told = self.run_lines(lines, PATH=path)
        self.assertEqual(code, 0)
        self.assertEqual(len(told.splitlines()), 1, "it is said once")
        self.assertIn(f"Afterword is installed here ({path}/afterword).", told)
        self.assertEqual(self.run_lines(lines, PATH=path, AFTERWORD_HOME="elsewhere"), (0, ""))

    def test_without_rust_it_says_where_to_get_it(self):
        (self.folder / "bin/cargo").unlink()
        code, told = self.run_lines("prepare", PATH=str(self.folder / "bin"))
        self.assertEqual(code, 1)
        self.assertIn("Rust is missing. Install it from https://rustup.rs and run this again.", told)


if __name__ == "__main__":
    unittest.main()
