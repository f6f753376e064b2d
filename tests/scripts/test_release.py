"""What `scripts/release` makes of a made-up release."""
import importlib.machinery
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/release"
loader = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
loader.exec_module(release)


def run(*arguments, **variables):
    done = subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, env=os.environ | variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Check(Folder):
    def problems(self, command="repository.workspace = true", app="repository.workspace = true", tag="v1.2.3", changelog="# Changelog\n\n## Unreleased\n\n## 1.2.3 (2027-01-31)\n\n- New.\n", desktop="{}", repository="o/n"):
        self.write("Cargo.toml", '[workspace.package]\nversion = "1.2.3"\nrepository = "https://github.com/o/n"\n')
        self.write("crates/afterword-cli/Cargo.toml", f"[package]\n{command}\n")
        self.write("crates/afterword-app/Cargo.toml", f"[package]\n{app}\n")
        self.write("tauri.conf.json", desktop)
        self.write("CHANGELOG.md", changelog)
        return release.problems(self.folder, tag, repository)

    def test_what_agrees_is_published(self):
        self.assertEqual(self.problems(), [])

    def test_each_thing_that_does_not_agree_is_named(self):
        for arguments, word in [
            ({"tag": "v1.2.4"}, "The tag"),
            ({"desktop": '{"version": "1.2.2"}'}, "tauri.conf.json"),
            ({"changelog": "# Changelog\n\n## Unreleased\n\n## 1.2.2 (2027-01-31)\n"}, "no heading"),
            ({"changelog": "# Changelog\n\n## Unreleased\n- More.\n\n## 1.2.3 (2027-01-31)\n"}, "Unreleased"),
            ({"repository": "o/fork"}, "o/fork"),
            ({"command": ""}, "afterword-cli/Cargo.toml"),
            ({"app": ""}, "afterword-app/Cargo.toml"),
        ]:
            wrong = self.problems(**arguments)
            self.assertEqual(len(wrong), 1, wrong)
            self.assertIn(word, wrong[0])

    def test_notes_end_at_the_next_version(self):
        text = "# Changelog\n\n## 1.2.3 (2027-01-31)\n\n- New.\n\n## 1.2.2 (2027-01-01)\n\n- Old.\n"
        self.assertEqual(release.section(text, "1.2.3"), "- New.")


class Made(Folder):
    def test_the_latest_version_is_announced_as_the_program_reads_it(self):
        announced = json.loads(Path(run("latest", self.folder / "latest.json").strip()).read_text())
        self.assertEqual(announced, {"version": release.version()})

    def archive(self, triple, out):
        program = self.write("afterword.exe" if "windows" in triple else "afterword", "program")
        for file in ("man/afterword.1", "completions/_afterword", "completions/afterword.bash", "completions/afterword.fish"):
            self.write(f"reference/{file}", file)
        return Path(run("archive", program, self.folder / "reference", triple, self.folder / out).strip())

    def test_an_archive_is_the_same_bytes_each_time(self):
        for triple in ("x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc"):
            first = self.archive(triple, "first").read_bytes()
            for file in self.folder.rglob("*"):
                os.utime(file, (1, 1))
            self.assertEqual(self.archive(triple, "second").read_bytes(), first)

    def test_an_archive_holds_what_the_formula_installs(self):
        listed = subprocess.run(["tar", "tzvf", self.archive("x86_64-unknown-linux-gnu", "out")], capture_output=True, text=True, check=True).stdout
        for name in ("/afterword", "/man/afterword.1", "/completions/_afterword", "/LICENSE-MIT", "/README.md"):
            self.assertRegex(listed, rf"{name}\n")
        self.assertRegex(listed, r"-rwxr-xr-x 0/0 .*/afterword\n")

    def test_managers_get_addresses_and_checksums(self):
        packages = self.folder / "packages"
        triples = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
        archives = [self.archive(triple, "packages") for triple in triples]
        files = ("Afterword_0.1.0_amd64.deb", "Afterword_0.1.0_arm64.deb", "Afterword_0.1.0_x64.dmg", "Afterword_0.1.0_aarch64.dmg", "Afterword_0.1.0_x64_en-US.msi")
        for name in files:
            self.write(f"packages/{name}", name)
        run("managers", packages, self.folder / "out", GITHUB_REPOSITORY="o/n")
        texts = {path.name: path.read_text() for path in (self.folder / "out").rglob("*") if path.is_file()}
        for name in ("afterword.rb", "afterword-app.rb", "PKGBUILD", "package.nix", "Afterword.Afterword.installer.yaml"):
            self.assertIn(f"https://github.com/o/n/releases/download/v{release.version()}/", texts[name])
            self.assertRegex(texts[name], r"\b[0-9a-f]{64}\b")
        for name, text in texts.items():
            self.assertNotRegex(text, r"@[a-z_]+@", name)
        # The command alone for Windows is for `cargo binstall`, which asks no manager.
        given = "".join(texts.values())
        for name in (*files, *(archive.name for archive in archives if archive.suffix == ".gz")):
            self.assertIn(f"/{name}", given)
        pkgbuild = next((self.folder / "out").rglob("PKGBUILD"))
        subprocess.run(["bash", "-n", pkgbuild], check=True)
        (packages / "Afterword_0.1.0_x64_en-US.msi").unlink()
        with self.assertRaises(AssertionError, msg="a package is missing"):
            run("managers", packages, self.folder / "out", GITHUB_REPOSITORY="o/n")


if __name__ == "__main__":
    unittest.main()
