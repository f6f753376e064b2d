"""The package as it is installed: unpacked into a root of its own, and started from there."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from panel import Panel
from driver import until
from stage import Stage

PACKAGE = os.environ.get("AFTERWORD_DEB")
IMAGE = os.environ.get("AFTERWORD_APPIMAGE")


@unittest.skipUnless(PACKAGE, "no package in AFTERWORD_DEB")
class Package(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.TemporaryDirectory()
        self.addCleanup(self.root.cleanup)
        subprocess.run(["dpkg-deb", "--extract", PACKAGE, self.root.name], check=True)

    def test_it_holds_the_app_the_command_and_what_a_desktop_needs(self):
        root = Path(self.root.name)
        entry = next((root / "usr/share/applications").glob("*.desktop")).read_text()
        for line in ("Exec=afterword-desktop", "Icon=afterword-desktop", "Name=Afterword", "Terminal=false"):
            self.assertIn(line, entry)
        self.assertTrue(list((root / "usr/share/icons/hicolor").rglob("afterword-desktop.png")))
        needs = subprocess.run(["dpkg-deb", "--field", PACKAGE, "Depends"], capture_output=True, text=True, check=True).stdout
        for library in ("libwebkit2gtk-4.1-0", "lib(ayatana-)?appindicator3-1"):
            self.assertRegex(needs, library)
        version = subprocess.run([root / "usr/bin/afterword", "--version"], capture_output=True, text=True, check=True).stdout
        self.assertIn("afterword", version)
        for license in ("LICENSE-MIT", "LICENSE-APACHE"):
            self.assertTrue((root / "usr/share/doc/afterword" / license).is_file(), license)
        for file in ("man/man1/afterword.1.gz", "man/man1/afterword-reflect.1.gz", "bash-completion/completions/afterword",
                     "zsh/vendor-completions/_afterword", "fish/vendor_completions.d/afterword.fish"):
            self.assertTrue((root / "usr/share" / file).is_file(), file)

    def test_removing_it_runs_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["dpkg-deb", "--control", PACKAGE, folder], check=True)
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), ["control", "md5sums"], "no scripts of its own")

    def test_its_command_joins_claude_code_and_leaves_it_as_it_was(self):
        stage = Stage()
        self.addCleanup(stage.end)
        command = Path(self.root.name) / "usr/bin/afterword"
        settings = stage.claude / "settings.json"
        settings.write_text('{\n  "model": "opus"\n}\n')
        for act in (["init", "--vault", stage.vault], ["install", "claude-code", "--yes"]):
            subprocess.run([command, *act], check=True, capture_output=True)
        notes = sorted(path.relative_to(stage.vault) for path in stage.vault.rglob("*"))
        self.assertIn(str(command), settings.read_text())
        subprocess.run([command, "uninstall", "claude-code", "--yes"], check=True, capture_output=True)
        self.assertEqual(settings.read_text(), '{\n  "model": "opus"\n}\n')
        self.assertEqual(sorted(path.relative_to(stage.vault) for path in stage.vault.rglob("*")), notes)

    def test_it_starts_with_its_own_page(self):
        stage = Stage()
        self.addCleanup(stage.end)
        subprocess.run([Path(self.root.name) / "usr/bin/afterword", "init", "--vault", stage.vault], check=True, capture_output=True)
        quit_from_the_tray(self, stage, [Path(self.root.name) / "usr/bin/afterword-desktop", "--tray"])


@unittest.skipUnless(PACKAGE, "no package in AFTERWORD_DEB")
class Installed(unittest.TestCase):
    """dpkg itself, on a root of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.old = Path(folder.name) / "root", Path(folder.name) / "old"
        (self.root / "var/lib/dpkg/info").mkdir(parents=True)
        (self.root / "var/lib/dpkg/status").touch()

    def dpkg(self, *arguments):
        # What it needs is not in this root; that the fields name it is checked above.
        base = ["dpkg", f"--instdir={self.root}", f"--admindir={self.root}/var/lib/dpkg", "--force-not-root,depends,script-chrootless", "--log=/dev/null"]
        subprocess.run([*base, *arguments], check=True, capture_output=True)

    def installed(self):
        return {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()} - {
            path.relative_to(self.root).as_posix() for path in (self.root / "var/lib/dpkg").rglob("*")}

    def earlier(self):
        """The same package under an earlier version, with a file that this one has no more."""
        subprocess.run(["dpkg-deb", "--raw-extract", PACKAGE, self.old], check=True)
        control = self.old / "DEBIAN/control"
        control.write_text("".join("Version: 0.0.1\n" if line.startswith("Version:") else line for line in control.read_text().splitlines(True)))
        (self.old / "usr/share/doc/afterword/OLD").write_text("a file of an earlier version\n")
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", self.old, f"{self.old}.deb"], check=True, capture_output=True)
        return f"{self.old}.deb"

    def test_it_is_installed_over_an_earlier_one_and_leaves_nothing(self):
        self.dpkg("--install", self.earlier())
        self.assertIn("usr/share/doc/afterword/OLD", self.installed())
        self.dpkg("--install", PACKAGE)
        self.assertNotIn("usr/share/doc/afterword/OLD", self.installed())
        status = (self.root / "var/lib/dpkg/status").read_text()
        self.assertIn("Status: install ok installed", status)
        self.assertNotIn("Version: 0.0.1", status)
        subprocess.run([self.root / "usr/bin/afterword", "--version"], check=True, capture_output=True)
        self.dpkg("--remove", "afterword")
        self.assertEqual(self.installed(), set())
        self.dpkg("--purge", "afterword")
        self.assertEqual(self.installed(), set())
        self.assertNotIn("Status: install ok installed", (self.root / "var/lib/dpkg/status").read_text())


def quit_from_the_tray(test, stage, program):
    """Starts a program as a desktop does, waits for its icon's menu, and quits there."""
    stage.asked("meters")
    panel = Panel(stage.log)
    test.addCleanup(panel.close)
    process = subprocess.Popen(program, stdout=stage.log, stderr=stage.log)
    test.addCleanup(lambda: (process.kill(), process.wait()))
    until(lambda: any("for you" in words for words in panel.menu()), lambda: f"its tray reflects the sessions: {list(panel.menu())}")
    panel.choose("Quit Afterword")
    test.assertEqual(process.wait(timeout=60), 0)


@unittest.skipUnless(PACKAGE, "no package in AFTERWORD_DEB")
@unittest.skipUnless(shutil.which("mksquashfs") and shutil.which("squashfuse"), "no mksquashfs or no squashfuse")
class Mounted(unittest.TestCase):
    """The same files as an AppImage has them: in a file system that cannot be written to and is there only as long as the program runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        app, image, self.mount = (Path(folder.name) / name for name in ("AppDir", "image", ".mount_AfterwXYZ"))
        subprocess.run(["dpkg-deb", "--extract", PACKAGE, app], check=True)
        subprocess.run(["mksquashfs", app, image, "-quiet", "-no-progress", "-Xcompression-level", "1"], check=True, capture_output=True)
        self.mount.mkdir()
        subprocess.run(["squashfuse", image, self.mount], check=True, capture_output=True)
        self.addCleanup(self.unmount)
        self.stage = Stage()
        self.addCleanup(self.stage.end)
        # As the image's own start sets them (AppImage, docs.appimage.org, "Environment variables").
        for name, value in {"APPDIR": self.mount, "APPIMAGE": image, "ARGV0": image}.items():
            os.environ[name] = str(value)
            self.addCleanup(os.environ.pop, name)

    def unmount(self):
        if os.path.ismount(self.mount):
            subprocess.run(["fusermount", "-u", self.mount], check=True, capture_output=True)

    def test_its_tray_runs_and_leaves_the_mount_free(self):
        subprocess.run([self.mount / "usr/bin/afterword", "init", "--vault", self.stage.vault], check=True, capture_output=True)
        quit_from_the_tray(self, self.stage, [self.mount / "usr/bin/afterword-desktop", "--tray"])
        self.unmount()

    def test_what_claude_code_starts_outlives_the_mount(self):
        command = self.mount / "usr/bin/afterword"
        subprocess.run([command, "init", "--vault", self.stage.vault], check=True, capture_output=True)
        subprocess.run([command, "install", "claude-code", "--yes"], check=True, capture_output=True)
        self.unmount()
        settings = (self.stage.claude / "settings.json").read_text()
        self.assertNotIn(str(self.mount), settings)
        copy = self.stage.root / "afterword/state/bin/afterword"
        self.assertIn(str(copy), settings)
        done = subprocess.run([copy, "hook", "SessionStart"], input="{}", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


@unittest.skipUnless(IMAGE, "no image in AFTERWORD_APPIMAGE")
class AppImage(unittest.TestCase):
    def test_its_tray_runs(self):
        stage = Stage()
        self.addCleanup(stage.end)
        # Without FUSE, which the machine may lack.
        os.environ["APPIMAGE_EXTRACT_AND_RUN"] = "1"
        self.addCleanup(os.environ.pop, "APPIMAGE_EXTRACT_AND_RUN")
        quit_from_the_tray(self, stage, [IMAGE, "--tray"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
