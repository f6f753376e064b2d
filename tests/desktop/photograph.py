"""Photographs every page, light and dark, on the sample sessions: `scripts/photograph`. The pictures are in docs/screenshots/."""
import sys
from pathlib import Path

from driver import Driver
from stage import PROGRAM, ROOT, Stage

SIZE = (1280, 832)


def main():
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/screenshots"
    stage = Stage()
    stage.sessions()
    driver = Driver(PROGRAM, [], stage.log)
    driver.resize(*SIZE)
    driver.shows("Where should notes go?")
    driver.photograph(out / "welcome.png")
    driver.close()
    stage.afterword("init", "--vault", stage.vault)
    stage.afterword("reflect", "--all")
    for theme in ("light", "dark"):
        stage.afterword("config", "set", "window.appearance", theme)
        stage.renew_bus()
        driver = Driver(PROGRAM, [], stage.log)
        driver.resize(*SIZE)
        driver.shows("What it rests on")
        driver.photograph(out / f"review-{theme}.png")
        for page, sign in PAGES:
            driver.go(page)
            driver.shows(sign, "main")
            driver.photograph(out / f"{page}-{theme}.png")
        driver.close()
    stage.end()


PAGES = [
    ("lessons", "Why it is here"),
    ("ideas", "Tick them off"),
    ("sessions", "What was learned"),
    ("activity", "Activity"),
    ("stats", "Sessions read"),
    ("settings", "Does everything work?"),
]

if __name__ == "__main__":
    main()
