"""What Cargo.toml says of released programs."""
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Profiles(unittest.TestCase):
    def test_a_program_with_settings_of_its_own_is_stripped(self):
        """Cargo forgets the profile's `strip` for a package that has an entry of its own: its symbols were 3.6 MB."""
        release = tomllib.loads((ROOT / "Cargo.toml").read_text())["profile"]["release"]
        programs = {path.parents[1].name: path for path in ROOT.glob("crates/*/src/main.rs")}
        self.assertIn("afterword-cli", programs)
        for name, entry in release["package"].items():
            if name in programs:
                self.assertEqual(entry.get("strip"), release["strip"], name)


if __name__ == "__main__":
    unittest.main()
