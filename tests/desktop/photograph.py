"""Photographs every page, light and dark, on the sample sessions: `scripts/photograph`. The pictures are in docs/screenshots/."""
import json
import os
import signal
import sys
import uuid
from pathlib import Path

from driver import Driver, until
from stage import PROGRAM, ROOT, Stage, stand_in

SIZE = (1280, 832)
# What the pictures show as the person's home, where it can be made; else they show a temporary folder.
HOME = Path("/home/ada")


def main():
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/screenshots"
    can_be_made = os.access(HOME.parent, os.W_OK) and not HOME.exists()
    stage = Stage(HOME if can_be_made else None)
    try:
        photograph(stage, out)
    finally:
        stage.end()


def photograph(stage, out):
    stage.sessions()
    without_titles(stage)
    later = put_aside(stage, LATER)
    (stage.vault / ".obsidian").mkdir(parents=True)
    known = stage.home / ".config/obsidian/obsidian.json"
    known.parent.mkdir(parents=True)
    known.write_text(json.dumps({"vaults": {"1a": {"path": str(stage.vault), "ts": 1700000000000, "open": True}}}))
    driver = Driver(PROGRAM, [], stage.log)
    driver.resize(*SIZE)
    driver.shows("Where should notes go?")
    driver.photograph(out / "welcome.png")
    driver.close()
    stage.afterword("init", "--vault", stage.vault)
    stage.asked()
    stage.afterword("reflect", "--all")
    question = {"type": "choice", "prompt": "Which one first?", "options": ["the long one", "the short one"]}
    programs = stage.home / ".local/bin"
    programs.mkdir(parents=True)
    client = stand_in(programs / "claude", {"needs_input": True, "message": "Two invoices are not paid yet.", "question": question})
    stage.afterword("config", "set", "claude.binary", client)
    stage.afterword("task", "new", "--yes", "--when", "every weekday at 9", "Look whether the nightly import ran, and tell me if it did not")
    stage.afterword("task", "new", "--yes", "--when", "now", "Remind the customers whose invoices are overdue")
    answered(stage)
    given(stage)
    for transcript, place in later:
        os.replace(transcript, place)
    reflected_by_the_agent(stage, len(later))
    # The running agent does it by itself after a while; the pictures do not wait.
    stage.afterword("find", "invoice")
    two_versions(stage)
    for theme in ("light", "dark"):
        stage.afterword("config", "set", "window.appearance", theme)
        stage.renew_bus()
        driver = Driver(PROGRAM, [], stage.log)
        driver.resize(*SIZE)
        driver.shows("Why it was found")
        driver.shows("Conflicts", "nav")
        driver.photograph(out / f"review-{theme}.png")
        for page, sign in PAGES:
            driver.go(page)
            driver.shows(sign, "main")
            driver.photograph(out / f"{page}-{theme}.png")
        driver.go("conflicts")
        driver.shows("Syncthing", "main")
        driver.photograph(out / f"conflicts-{theme}.png")
        driver.go("stats")
        driver.shows("What engines cost", "main")
        driver.run("document.querySelector('.page').scrollTop = 10000")
        driver.photograph(out / f"stats-use-{theme}.png")
        driver.close()


def without_titles(stage):
    """The samples were recorded with a stub of a model, which called every session the same: their first words say more."""
    for transcript in (stage.claude / "projects").rglob("*.jsonl"):
        told, times = transcript.read_text(errors="replace"), transcript.stat()
        transcript.write_text("".join(line for line in told.splitlines(keepends=True) if '"type":"ai-title"' not in line))
        os.utime(transcript, (times.st_atime, times.st_mtime))


def put_aside(stage, projects):
    """Takes the transcripts of these projects away for a while; gives where each is, and where it was."""
    aside = stage.root / "aside"
    aside.mkdir()
    places = [path for path in (stage.claude / "projects").glob("*/*.jsonl") if path.parent.name.endswith(projects)]
    for place in places:
        os.replace(place, aside / place.name)
    return [(aside / place.name, place) for place in places]


def answered(stage):
    """Answers of somebody who has used it for a while."""
    waiting = json.loads(stage.afterword("review", "list", "--json"))["items"]
    # Those that are offered first stay, to be seen.
    *approved, rejected = [item["id"] for item in waiting[-4:]]
    stage.afterword("review", "approve", *approved)
    stage.afterword("review", "reject", rejected, "--reason", "said of that one file only")


def given(stage):
    """Sessions that began since, each with what it was given."""
    for number, name in enumerate(["tally", "meters", "fieldnotes", "shop", "tally"]):
        session, project = str(uuid.uuid5(uuid.NAMESPACE_URL, f"given {number}")), f"/home/mira/{name}"
        start = {"session_id": session, "transcript_path": str(stage.claude / "projects" / project.replace("/", "-") / f"{session}.jsonl"),
                 "cwd": project, "hook_event_name": "SessionStart", "source": "startup"}
        stage.afterword("hook", "SessionStart", told=json.dumps(start))


def reflected_by_the_agent(stage, sessions):
    """The window's agent finds these sessions by itself, for the page that tells what it did."""
    stage.renew_bus()
    driver = Driver(PROGRAM, [], stage.log)
    driver.go("activity")
    done = lambda: driver.text("main").count("Reflection") >= sessions and "running" not in driver.text("main")
    until(done, lambda: f"{sessions} reflections in {driver.text('main')}")
    driver.close()


def two_versions(stage):
    """What Syncthing leaves where a note was changed on two machines."""
    note = stage.notes("Preferences")[0]
    front, body = note.read_text().split("\n---\n", 1)
    first = next(line for line in body.splitlines() if line.strip())
    other = note.with_name(f"{note.stem}.sync-conflict-20260314-101112-ABCDEFG.md")
    for path, words in [(note, f"{first} Also for the reminders."), (other, f"{first} The customer is told why.")]:
        path.write_text(f"{front}\n---\n{body.replace(first, words, 1)}")


# Projects whose sessions are reflected while the window looks on.
LATER = ("homelab", "sensord")

PAGES = [
    ("lessons", "Why it is here"),
    ("ideas", "Tick them off"),
    ("sessions", "What was learned"),
    ("tasks", "Which one first?"),
    ("activity", "Activity"),
    ("stats", "Sessions that ended well"),
    ("settings", "Does everything work?"),
]

if __name__ == "__main__":
    # Ended from outside it leaves no home behind either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
