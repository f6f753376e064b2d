"""A machine of its own for a test: a home with sample sessions, where Claude Code and Afterword find nothing else."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import uuid
from datetime import datetime
from pathlib import Path

import dbus
import dbus.bus

from driver import PATIENCE, until

ROOT = Path(__file__).resolve().parent.parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / os.environ.get("AFTERWORD_PROFILE", "debug")
PROGRAM = TARGET / "afterword-desktop"
COMMAND = TARGET / "afterword"


class Stage:
    """A home in a temporary directory; `home` is one to be seen, which must not exist and is removed afterwards."""

    def __init__(self, home=None):
        self.root = Path(home or tempfile.mkdtemp(prefix="afterword-desktop-"))
        self.home = Path(home or self.root / "home")
        self.claude = self.root / (".claude" if home else "claude")
        self.vault = self.root / ("Notes" if home else "vault")
        for folder in (self.home, self.claude / "projects"):
            folder.mkdir(parents=True)
        self.environment = {
            # What the page and the commands write is read below, whatever the machine speaks.
            "LC_ALL": "C.UTF-8",
            "LANGUAGE": "en",
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local/share"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "XDG_STATE_HOME": str(self.home / ".local/state"),
            "AFTERWORD_HOME": str(self.root / (".afterword" if home else "afterword")),
            "CLAUDE_CONFIG_DIR": str(self.claude),
            "TAURI_WEBVIEW_AUTOMATION": "true",
        }
        self.log = open(self.root / "log", "w")
        runtime = self.root / "run"
        runtime.mkdir(mode=0o700)
        self.environment["XDG_RUNTIME_DIR"] = str(runtime)
        os.environ.update(self.environment)
        self.bus = None
        self.renew_bus()

    def renew_bus(self):
        """A session bus of its own: a second WebKitWebDriver on a bus waits for ever for its window."""
        self.end_bus()
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
                                    stderr=self.log, text=True)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()

    def end_bus(self):
        if self.bus:
            self.bus.terminate()
            self.bus.wait(timeout=PATIENCE)
            self.bus.stdout.close()

    def end(self):
        self.end_bus()
        self.log.close()
        shutil.rmtree(self.root, ignore_errors=True)

    def tray(self, *arguments):
        """Starts the program as a person does, with no driver to work its window."""
        environment = {name: value for name, value in os.environ.items() if name != "TAURI_WEBVIEW_AUTOMATION"}
        return subprocess.Popen([PROGRAM, *arguments], stdout=self.log, stderr=self.log, env=environment)

    def dunst(self, rules=""):
        """Starts the notification daemon, and waits until this one has the name: asking for it would start another."""
        settings = self.root / "dunstrc"
        settings.write_text(f"[global]\n    mouse_left_click = do_action, close_current\n    idle_threshold = 0\n[everything]\n    timeout = 0\n{rules}")
        # On a busy machine it has been seen to start and never take its name.
        for last in (False, False, True):
            daemon = subprocess.Popen(["dunst", "-config", settings], stdout=self.log, stderr=self.log)
            try:
                until(lambda: self.owner("org.freedesktop.Notifications"), "dunst is there", PATIENCE if last else PATIENCE / 4)
                return daemon
            except AssertionError:
                daemon.kill()
                daemon.wait()
                if last:
                    raise

    def keyring(self):
        """Starts the keyring, unlocked."""
        keyring = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], stdin=subprocess.PIPE,
                                   stdout=self.log, stderr=self.log)
        keyring.stdin.write(b"testpw")
        keyring.stdin.close()
        until(lambda: self.owner("org.freedesktop.secrets"), "the keyring")
        return keyring

    def browser(self):
        """Has links opened by a browser that follows where a page leads, as a person who says yes to everything."""
        programs = self.root / "programs"
        programs.mkdir()
        (programs / "xdg-open").write_text(f"""#!{sys.executable}
import sys, urllib.request
urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open(sys.argv[1]).read()
""")
        (programs / "xdg-open").chmod(0o755)
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        os.environ.update(self.environment)

    def without_openers(self):
        """Has no program for any file or address, as a desktop says it."""
        programs = self.root / "programs"
        programs.mkdir()
        for name in ["xdg-open", "gio", "gnome-open", "kde-open", "kde-open5", "kde-open6", "kfmclient", "wslview"]:
            (programs / name).write_text("#!/bin/sh\nexit 3\n")
            (programs / name).chmod(0o755)
        self.environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        os.environ.update(self.environment)

    def owner(self, name):
        """Whether somebody has this name on the session bus; asks without having it started."""
        bus = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
        try:
            return bus.name_has_owner(name)
        finally:
            bus.close()

    def sessions(self, names="*"):
        """Puts sample transcripts where Claude Code would keep them."""
        for transcript in sorted((ROOT / "tests/sessions/transcripts").glob(f"{names}.jsonl")):
            lines = transcript.read_text(errors="replace").splitlines()
            entries = [entry for entry in map(parsed, lines) if isinstance(entry, dict)]
            session = [entry["sessionId"] for entry in entries if entry.get("sessionId")][-1]
            cwd = next(entry["cwd"] for entry in entries if entry.get("cwd"))
            folder = self.claude / "projects" / re.sub(r"[^A-Za-z0-9]", "-", cwd)
            place = folder / f"{session}.jsonl"
            if place.exists():
                continue
            # Made elsewhere and moved there whole: an agent at work must not meet half of it, or one that was written just now.
            copy = shutil.copy(transcript, self.root)
            times = [entry["timestamp"] for entry in entries if entry.get("timestamp")]
            said = datetime.fromisoformat(max(times).replace("Z", "+00:00")).timestamp()
            os.utime(copy, (said, said))
            folder.mkdir(parents=True, exist_ok=True)
            if transcript.with_suffix("").is_dir():
                shutil.copytree(transcript.with_suffix(""), folder / session, dirs_exist_ok=True)
            os.replace(copy, place)

    def transcript(self, session, entries, project="/home/ada/shop"):
        """Writes a transcript of our own."""
        folder = self.claude / "projects" / re.sub(r"[^A-Za-z0-9]", "-", project)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        # Made elsewhere and moved there whole, with the time of what was said last.
        copy = self.root / path.name
        copy.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        times = [entry["timestamp"] for entry in entries if entry.get("timestamp")]
        if times:
            said = datetime.fromisoformat(max(times).replace("Z", "+00:00")).timestamp()
            os.utime(copy, (said, said))
        os.replace(copy, path)
        return path

    def asked(self, project="shop"):
        """A session whose rules the program must ask about, however well it knows them: the client worded them and the person took them over."""
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, project))
        said = [{"type": "user", "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{project} {rule}")), "sessionId": session, "cwd": f"/home/ada/{project}",
                 "timestamp": f"2026-09-01T10:{minute:02}:00.000Z", "version": "2.1.330", "entrypoint": "cli", "promptSource": "suggestion_accepted",
                 "message": {"role": "user", "content": rule}} for minute, rule in enumerate(ASKED)]
        self.transcript(session, said, f"/home/ada/{project}")

    def waiting(self, count):
        """Lessons that wait in the review, after those that are there."""
        for number in range(count):
            (self.vault / f"Afterword/_review/waiting-{number:02}.md").write_text(f"""---
id: {uuid.uuid5(uuid.NAMESPACE_URL, f"waiting {number}")}
kind: preference
title: Waiting {number}
status: inbox
confidence: medium
project: shop
created: 2026-09-{1 + number % 28:02}
signal: standing-rule
---

Always look at number {number} first.
""")

    def similar(self):
        """A lesson that waits and says what one that counts says, in a few more words."""
        for folder, status, title in [("Preferences", "active", "Always label drawers on both sides"), ("_review", "inbox", "Always label all drawers on both sides")]:
            (self.vault / f"Afterword/{folder}/label-drawers.md").write_text(
                f"---\nid: {uuid.uuid5(uuid.NAMESPACE_URL, title)}\nkind: preference\ntitle: {title}\nstatus: {status}\nconfidence: medium\nproject: shop\n"
                f"created: 2026-09-10\nsignal: standing-rule\n---\n\n{title}.\n"
            )
        # A search fills the index.
        self.afterword("search", "label drawers")

    def afterword(self, *arguments, told=None):
        """Runs the command and gives what it printed; `told` comes on its standard input."""
        done = subprocess.run([COMMAND, *arguments], input=told, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"afterword {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def notes(self, folder=""):
        return sorted((self.vault / "Afterword" / folder).glob("*.md"))

    def fill_inbox(self, count):
        """Puts notes into the inbox until there are this many."""
        for number in range(len(self.notes("_inbox")), count):
            note = uuid.UUID(int=(0x01A0 << 112) | (7 << 76) | (0b10 << 62) | number)
            (self.vault / "Afterword/_inbox" / f"drawer-{number}.md").write_text(
                f"---\ntitle: \"Label drawer {number} on both sides\"\nkind: preference\nstatus: inbox\nconfidence: low\nproject: shop\n"
                f"created: 2026-09-10\nsignal: correction\nid: {note}\n---\n\nLabel drawer {number} on both sides.\n"
            )


ASKED = [
    "Always write dates as 2026-09-10, never as 10.09.",
    "Never push to main, I push myself.",
    "From now on run the linter before you say you are done.",
    "Commit messages are always in the imperative mood.",
    "We never use default exports here.",
    "Always ask me before you add a dependency.",
    "Money is always kept in integer cents, never in floats.",
    "Never edit files under generated/, change the templates instead.",
]


def parsed(line):
    try:
        return json.loads(line)
    except ValueError:
        return None


HELP = """--print --output-format --tools --strict-mcp-config --setting-sources --json-schema --resume --session-id --no-session-persistence
--allowedTools --mcp-config --max-budget-usd --safe-mode --permission-mode"""


# How the client ends a run that would cost more than it may: one of the failures that trying again cannot help.
OVER_BUDGET = "error_max_budget_usd"


def stand_in(path, *answers):
    """A stand-in for the client that gives these answers in turn: words, the structured answer of a run, or OVER_BUDGET."""
    path.with_suffix(".answers").write_text("\n".join(map(json.dumps, answers)) + "\n")
    path.write_text(f"""#!{sys.executable}
import json, pathlib, sys
if "--help" in sys.argv:
    print({HELP!r})
    sys.exit()
sys.stdin.read()
kept = pathlib.Path({str(path.with_suffix(".answers"))!r})
first, *rest = kept.read_text().splitlines()
kept.write_text("\\n".join(rest) + "\\n")
answer = json.loads(first)
said = {{"result": answer}} if isinstance(answer, str) else {{"result": "", "structured_output": answer}}
session = sys.argv[sys.argv.index("--session-id") + 1] if "--session-id" in sys.argv else sys.argv[sys.argv.index("--resume") + 1]
print(json.dumps({{"type": "system", "subtype": "init", "session_id": session}}))
subtype = {OVER_BUDGET!r} if answer == {OVER_BUDGET!r} else "success"
print(json.dumps({{"type": "result", "subtype": subtype, "is_error": subtype != "success", "num_turns": 1, "session_id": session,
                  "total_cost_usd": 0.012, "usage": {{"input_tokens": 900, "output_tokens": 40}}, **said}}))
""")
    path.chmod(0o755)
    return path
