"""Photographs every page, light and dark, on the sample sessions: `scripts/photograph`. The pictures are in docs/screenshots/."""
import json
import os
import re
import signal
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from driver import Driver, until
from panel import Panel
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
    stage.asked()
    without_titles(stage)
    without_forks(stage)
    over_weeks(stage)
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
    stage.afterword("reflect", "--all")
    question = {"type": "choice", "prompt": "How should I write to them?", "options": ["a friendly reminder", "a second notice, with the date"]}
    programs = stage.home / ".local/bin"
    programs.mkdir(parents=True)
    client = stand_in(programs / "claude", {"needs_input": True, "message": "Two invoices are overdue: INV-0417 since 12 days, INV-0398 since 31.", "question": question})
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
        # A desktop has a panel; without one the window says that closing it quits.
        panel = Panel(stage.log)
        driver = Driver(PROGRAM, [], stage.log)
        driver.resize(*SIZE)
        driver.shows("Why it was found")
        own_words(driver)
        driver.shows("Conflicts", "nav")
        driver.photograph(out / f"review-{theme}.png")
        for page, sign in PAGES:
            driver.go(page)
            driver.shows(sign, "main")
            if page == "lessons":
                driver.click("A sent invoice is never changed", "[role=option]")
                driver.shows("A sent invoice is never changed", "main article h2")
                driver.shows("Evidence", "main article")
            if page == "sessions":
                driver.click("python3 load.py", "[role=option]")
                driver.shows("meters", "main .detail")
                driver.shows("What was learned", "main .detail")
            driver.photograph(out / f"{page}-{theme}.png")
        driver.go("conflicts")
        driver.shows("Syncthing", "main")
        driver.photograph(out / f"conflicts-{theme}.png")
        driver.go("stats")
        driver.shows("What engines cost", "main")
        driver.run("document.querySelector('.page').scrollTop = 10000")
        driver.photograph(out / f"stats-use-{theme}.png")
        driver.close()
        panel.close()


def own_words(driver):
    """Goes to the first lesson that waits in the person's own words: what the client suggested is the exception."""
    for _ in range(12):
        if "Perhaps not your words" not in driver.text("article .why"):
            return
        title = driver.text("article h2")
        driver.press("j")
        until(lambda title=title: driver.text("article h2") not in ("", title), "the next lesson")


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
    # What stays is seen; of what the client suggested one is enough.
    suggested = [item for item in waiting if item["signal"] == "unproven"]
    *approved, rejected = [item["id"] for item in suggested[1:]]
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
    # What the person wrote into it stands above the evidence.
    body = "It holds for every script here.\nIt is looked at in each review.\n\n" + body[body.index("%% afterword:begin evidence"):]
    other = note.with_name(f"{note.stem}.sync-conflict-20260314-101112-ABCDEFG.md")
    for path, words in [(note, "Settled with the team; it holds for scripts, too."), (other, "Settled with the team. Ask before the first exception.")]:
        path.write_text(f"{front}\n---\n\n{words}\n\n{body}")


def without_forks(stage):
    """A session that goes on from another begins with its words, and would be called by the same title."""
    known = set()
    for transcript in sorted((stage.claude / "projects").glob("*/*.jsonl"), key=lambda path: -path.stat().st_size):
        first = re.search(r'"role":\s*"user",\s*"content":\s*"([^"]{20,60})', transcript.read_text(errors="replace"))
        if first and first[1] in known:
            transcript.unlink()
        known.update(first.groups() if first else ())


def over_weeks(stage):
    """Moves what was said, a project at a time, so that it ends some days to some weeks ago."""
    stamp = re.compile(r'"timestamp":\s*"([^"]+)"')
    read = lambda time: datetime.fromisoformat(time.replace("Z", "+00:00"))
    for number, project in enumerate(sorted((stage.claude / "projects").iterdir())):
        texts = {path: path.read_text(errors="replace") for path in project.rglob("*.jsonl")}
        said = [read(time) for text in texts.values() for time in stamp.findall(text)]
        if not said:
            continue
        late = datetime.now(UTC) - timedelta(days=2 + 9 * number) - max(said)
        moved = lambda found, late=late: f'"timestamp":"{(read(found[1]) + late).isoformat(timespec="milliseconds").replace("+00:00", "Z")}"'
        for path, text in texts.items():
            text = stamp.sub(moved, text)
            path.write_text(text)
            ended = max(map(read, stamp.findall(text)), default=datetime.now(UTC)).timestamp()
            os.utime(path, (ended, ended))


# Projects whose sessions are reflected while the window looks on.
LATER = ("homelab", "sensord")

PAGES = [
    ("lessons", "Why it is here"),
    ("ideas", "Tick them off"),
    ("sessions", "What was learned"),
    ("tasks", "How should I write to them?"),
    ("activity", "Activity"),
    ("stats", "Sessions that ended well"),
    ("settings", "Does everything work?"),
]

if __name__ == "__main__":
    # Ended from outside it leaves no home behind either.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    main()
