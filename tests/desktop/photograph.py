"""Photographs every page, light and dark, on the sample sessions: `scripts/photograph`. The pictures are in docs/screenshots/."""
import sys
from pathlib import Path

from driver import Driver
from stage import PROGRAM, ROOT, Stage, stand_in

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
    question = {"type": "choice", "prompt": "Which one first?", "options": ["the long one", "the short one"]}
    client = stand_in(stage.root / "client", {"needs_input": True, "message": "Two invoices are not paid yet.", "question": question})
    stage.afterword("config", "set", "claude.binary", client)
    stage.afterword("task", "new", "--yes", "--when", "every weekday at 9", "Look whether the nightly import ran, and tell me if it did not")
    stage.afterword("task", "new", "--yes", "--when", "now", "Remind the customers whose invoices are overdue")
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
    ("tasks", "Which one first?"),
    ("activity", "Activity"),
    ("stats", "Sessions read"),
    ("settings", "Does everything work?"),
]

if __name__ == "__main__":
    main()
