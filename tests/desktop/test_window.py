"""The real window and the real tray, on real sessions, worked by keys as a person works them."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
import uuid
from datetime import datetime
from pathlib import Path

from driver import PATIENCE, Driver, family, name, running, until
from panel import Panel
from remote import Remote
from screen import close_window
from stage import PROGRAM, Stage, stand_in

HOSTILE = """never do <script>window.hurt = 1</script> <img src=x onerror="window.hurt = 2"> that again, always \
[click](javascript:window.hurt=3) first \x1b[31mred\x1b[0m"""


class WindowTest(unittest.TestCase):
    """One home for each test."""

    reflected = True

    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.end)
        self.prepare()

    def prepare(self):
        self.stage.sessions()
        if self.reflected:
            self.stage.asked()
            self.stage.afterword("init", "--vault", self.stage.vault)
            self.stage.afterword("reflect", "--all")

    def keyring(self):
        keyring = self.stage.keyring()
        self.addCleanup(lambda: (keyring.terminate(), keyring.wait(timeout=PATIENCE)))

    def is_nowhere(self, secret):
        """In no file of the test's home, the log of all that was printed among them."""
        # Programs that run remove what they no longer need, folders among it.
        for folder, _, names in os.walk(self.stage.root):
            for file in (Path(folder, name) for name in names):
                with contextlib.suppress(FileNotFoundError):
                    # A pipe or a socket would be read for ever.
                    self.assertNotIn(secret.encode(), file.read_bytes() if file.is_file() else b"", file)

    def open(self):
        window = Driver(PROGRAM, [], self.stage.log)
        self.addCleanup(window.close)
        return window


class FirstRun(WindowTest):
    reflected = False

    def test_a_first_run_ends_in_the_review_of_real_lessons(self):
        window = self.open()
        window.shows("Claude Code has 12 sessions")
        window.click("Use this folder")
        window.shows("Connect Claude Code?")
        window.click("Not now")
        window.click("Read 12 sessions")
        window.shows("12 sessions read")
        told = int(re.search(r"(\d+) lessons? to review", window.text())[1])
        window.click("Start reviewing")
        window.shows("Why it was found")
        until(lambda: re.match(r"\d+", window.text("nav .count")), "how many wait")
        self.assertEqual(int(re.match(r"\d+", window.text("nav .count"))[0]), told, "one number of what waits")
        window.go("activity")
        window.shows("of all that had changed", "main")
        window.go("review")
        window.shows("Why it was found")
        vault = self.stage.root / "afterword/vault/Afterword"
        waiting = [note.read_text() for note in (vault / "_review").glob("*.md")]
        title = window.text("article h2")
        self.assertTrue(any(plain(title) in plain(note) for note in waiting), title)

    def test_an_obsidian_vault_is_recognised_and_the_hooks_are_shown_before_they_are_written(self):
        vault = self.stage.root / "Obsidian Notes"
        (vault / ".obsidian").mkdir(parents=True)
        config = self.stage.home / ".config/obsidian"
        config.mkdir(parents=True)
        (config / "obsidian.json").write_text('{"vaults":{"1a":{"path":"%s","ts":1700000000000,"open":true}}}' % vault)
        settings = self.stage.claude / "settings.json"
        settings.write_text('{\n  "model": "opus"\n}\n')
        window = self.open()
        window.shows("An Obsidian vault")
        window.click("Use this folder")
        window.shows("inside an Obsidian vault")
        window.shows("files would change")
        self.assertEqual(settings.read_text(), '{\n  "model": "opus"\n}\n')
        window.click("Connect Claude Code", "button")
        window.shows("Claude Code is connected")
        self.assertIn("SessionStart", settings.read_text())
        self.assertIn('"model": "opus"', settings.read_text())
        window.click("Disconnect Claude Code")
        until(lambda: settings.read_text() == '{\n  "model": "opus"\n}\n', "the settings are what they were")

    def test_another_directory_is_followed_beside_one_that_is_missing_just_now(self):
        missing, another = self.stage.root / "unplugged", self.stage.home / ".claude-work"
        for directory in (missing, another):
            (directory / "projects/-home-ada-shop").mkdir(parents=True)
        self.stage.afterword("config", "set", "claude.other_dirs", missing)
        shutil.rmtree(missing)
        window = self.open()
        window.click(f"Also follow {another}")
        config = self.stage.root / "afterword/config.toml"
        until(lambda: str(another) in config.read_text(), lambda: config.read_text())
        self.assertIn(str(missing), config.read_text())

    def test_claude_code_installed_later_is_noticed_and_its_import_stands_in_activity(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        later = self.stage.root / "later"
        self.stage.claude.rename(later)
        window = self.open()
        window.go("activity")
        window.shows("Nothing has run yet")
        self.stage.claude.mkdir()
        (later / "projects").rename(self.stage.claude / "projects")
        window.shows("Reflection", "main .job")
        until(lambda: self.stage.notes("Preferences"), "what was learned is in the vault")


def plain(text):
    """Words without the marks that a note's properties put around them and the window draws otherwise."""
    return text.translate(str.maketrans("", "", "`\"\\"))


class Review(WindowTest):
    def test_a_lesson_is_approved_by_one_key_and_taken_back_by_another(self):
        window = self.open()
        window.shows("Why it was found")
        title, before = window.text("article h2"), self.stage.notes("_review")
        note = next(path for path in before if plain(title) in plain(path.read_text()))
        window.press("a")
        window.shows("Approved", ".notices")
        saved = [path for folder in ("Preferences", "Workflows", "Fixes") for path in self.stage.notes(folder)]
        self.assertTrue(any(path.name == note.name and "status: active" in path.read_text() for path in saved))
        self.assertFalse(note.exists())
        until(lambda: window.text("article h2") != title, "the next lesson")
        window.press("u")
        until(note.exists, "the note waits again")
        self.assertEqual(self.stage.notes("_review"), before)

    def test_an_answer_is_on_disk_before_its_card_is_gone(self):
        window = self.open()
        window.shows("Why it was found")
        title = window.text("article h2")
        note = next(path for path in self.stage.notes("_review") if plain(title) in plain(path.read_text()))
        window.run("""window.gone = null;
            const title = document.querySelector('article h2').innerText;
            const look = new MutationObserver(() => {
                if (document.querySelector('article h2')?.innerText === title) return;
                window.gone ??= performance.timeOrigin + performance.now();
                look.disconnect();
            });
            look.observe(document.body, { subtree: true, childList: true, characterData: true });""")
        window.press("a")
        gone = until(lambda: window.run("return window.gone"), "the card is gone")
        saved = next(path for folder in ("Preferences", "Workflows", "Fixes") for path in self.stage.notes(folder) if path.name == note.name)
        self.assertFalse(note.exists())
        self.assertLess(saved.stat().st_ctime_ns / 1e6, gone)

    # Keeps the title of each card that was painted.
    WATCH = """window.painted = [];
        const look = () => {
            const title = document.querySelector('article h2')?.innerText;
            if (title && painted.at(-1) !== title) painted.push(title);
            requestAnimationFrame(look);
        };
        look()"""

    def test_no_lesson_is_answered_that_was_not_on_the_screen_and_no_key_is_lost(self):
        window = self.open()
        window.shows("Why it was found")
        window.run(self.WATCH)
        before = {note.name: note.read_text() for note in self.stage.notes("_review")}
        window.press("j", "a")
        window.shows("Approved", ".notices")
        gone = lambda: [text for name, text in before.items() if not (self.stage.vault / "Afterword/_review" / name).exists()]
        until(lambda: len(gone()) == 1, "one answer")
        painted = [plain(title) for title in window.run("return painted")]
        self.assertTrue(any(title in plain(gone()[0]) for title in painted[1:]), painted)
        presses = min(6, len(before) - 2)
        window.press(*"a" * presses)
        until(lambda: len(gone()) == 1 + presses, lambda: f"{1 + presses} answers, not {len(gone())}")
        painted = [plain(title) for title in window.run("return painted")]
        for text in gone():
            self.assertTrue(any(title in plain(text) for title in painted), text)

    def test_a_key_that_is_held_answers_once(self):
        window = self.open()
        window.shows("Why it was found")
        waiting = len(self.stage.notes("_review"))
        window.run("window.repeats = 0; addEventListener('keydown', (event) => { repeats += event.repeat })")
        subprocess.run(["xdotool", "keydown", "a"], check=True)
        self.addCleanup(subprocess.run, ["xdotool", "keyup", "a"], check=True)
        until(lambda: window.run("return repeats") > 5, "the key repeats")
        subprocess.run(["xdotool", "keyup", "a"], check=True)
        window.shows("Approved", ".notices")
        self.assertEqual(len(self.stage.notes("_review")), waiting - 1)

    # Where each answer is, and what one meets there.
    PLACES = """return [...document.querySelectorAll('[role=toolbar] button')].map((one) => {
        const { left, top, width, height } = one.getBoundingClientRect();
        const met = document.elementFromPoint(left + width / 2, top + height / 2);
        return [one.innerText.trim(), Math.round(left), Math.round(top), one === met || one.contains(met)];
    })"""

    def test_answers_stay_where_they_are_and_nothing_covers_them(self):
        window = self.open()
        window.shows("Why it was found")
        for width, height in [(1120, 760), (800, 600), (640, 440)]:
            window.resize(width, height)
            until(lambda width=width: window.run("return innerWidth") == width, "the size")
            places = window.run(self.PLACES)
            self.assertEqual(len(places), 7, places)
            self.assertTrue(all(reached for *_, reached in places), places)
            for key, sign in [("j", ""), ("a", "Approved"), ("u", "Undone"), ("s", "Postponed"), ("u", "Undone")]:
                title = window.text("article h2")
                window.press(key)
                until(lambda title=title: window.text("article h2") not in ("", title), f"another card after {key}")
                window.shows(sign, ".notices")
                self.assertEqual(window.run(self.PLACES), places, (width, key))
            title = window.text("article h2")
            window.press("a")
            window.shows("Approved", ".notices")
            until(lambda title=title: window.text("article h2") not in ("", title), "the next card")
            window.press("r")
            window.shows("You can leave this empty")
            reached = window.run("""return [...document.querySelectorAll('form[aria-label=Reject] :is(input, button)')].map((one) => {
                const { left, top, width, height } = one.getBoundingClientRect();
                const met = document.elementFromPoint(left + width / 2, top + height / 2);
                return one === met || one.contains(met) })""")
            self.assertEqual(reached, [True] * 5)
            window.press("Escape", "u")
            # It is selected only after it is said to be back.
            until(lambda title=title: window.text("article h2") == title, "the card that came back")

    def test_answers_stay_where_they_are_in_larger_text_in_german_and_beside_a_similar_lesson(self):
        self.stage.similar()
        self.stage.afterword("config", "set", "window.language", "de")
        window = self.open()
        window.shows("Annehmen", "[role=toolbar]")
        replaces = lambda: window.run("return !document.querySelector('[role=toolbar] [aria-keyshortcuts=p]').disabled")
        for enlarged in (False, True):
            if enlarged:
                height = window.run("return document.querySelector('[role=toolbar] button').offsetHeight * devicePixelRatio")
                for _ in range(3):
                    window.chord("Control", "=")
                until(lambda: window.run("return innerWidth") < 1000, "everything is larger")
                self.assertGreaterEqual(window.run("return document.querySelector('[role=toolbar] button').offsetHeight * devicePixelRatio"), height)
            until(lambda: window.text("article h2"), "a card")
            places, replaced = window.run(self.PLACES), set()
            self.assertEqual(len(places), 7, places)
            self.assertTrue(all(reached for *_, reached in places), places)
            for key in "jk":
                for _ in self.stage.notes("_review")[1:]:
                    replaced.add(replaces())
                    title = window.text("article h2")
                    window.press(key)
                    until(lambda title=title: window.text("article h2") not in ("", title), f"another card after {key}")
                    self.assertEqual(window.run(self.PLACES), places, (enlarged, title))
            self.assertEqual(replaced, {True, False}, "one of them has a similar lesson")

    def test_many_are_answered_after_a_question_and_come_back_at_once(self):
        self.stage.fill_inbox(12)
        window = self.open()
        window.shows("Why it was found")
        before, first = self.stage.notes("_inbox"), window.text("article h2")
        self.assertGreaterEqual(len(before), 10)
        window.click("Inbox", "[role=tab]")
        until(lambda: window.text("article h2") not in ("", first), "the inbox")
        title = window.text("article h2")
        window.press("x")
        window.shows("1 lesson marked")
        window.press("Escape")
        until(lambda: "marked" not in window.text("main"), "no marks")
        window.press("x")
        window.click("Mark all")
        window.shows(f"{len(before)} lessons marked")
        self.assertEqual(window.run("return document.querySelectorAll('[role=toolbar]').length"), 1)
        window.press("a")
        window.shows(f"Approve {len(before)} lessons at once?")
        self.assertEqual(self.stage.notes("_inbox"), before)
        rows = "return [...document.querySelectorAll('[role=alertdialog] button')].map((one) => Math.round(one.getBoundingClientRect().top))"
        self.assertEqual(len(set(window.run(rows))), 1, "both answers stand side by side")
        window.click(f"Approve {len(before)}", "[role=alertdialog] button")
        until(lambda: self.stage.notes("_inbox") == [], "all are answered")
        window.click("Undo", ".notices button")
        until(lambda: self.stage.notes("_inbox") == before, "all wait again")
        until(lambda: window.text("article h2") == title, lambda: f"{title!r} is selected, not {window.text('article h2')!r}")

    def test_an_answer_to_many_is_taken_back_by_one_key_after_another_page_and_after_a_restart(self):
        self.stage.fill_inbox(12)
        before = self.stage.notes("_inbox")
        for restarts in (False, True):
            window = self.open()
            window.shows("Why it was found")
            first = window.text("article h2")
            window.click("Inbox", "[role=tab]")
            until(lambda: window.text("article h2") not in ("", first), "the inbox")
            window.press("x")
            window.click("Mark all")
            window.press("a")
            window.click(f"Approve {len(before)}", "[role=alertdialog] button")
            until(lambda: self.stage.notes("_inbox") == [], "all are answered")
            if restarts:
                window.close()
                self.stage.renew_bus()
                window = self.open()
            else:
                window.go("stats")
                window.shows("Sessions", "main")
                window.go("review")
            window.shows("Why it was found")
            window.press("u")
            until(lambda: self.stage.notes("_inbox") == before, "all wait again")
            window.close()
            self.stage.renew_bus()

    def test_twenty_answers_a_second_are_on_disk_with_the_last_key(self):
        self.stage.waiting(60)
        window = self.open()
        window.shows("Why it was found")
        left = len(self.stage.notes("_review")) - 40
        window.run("""for (let n = 0; n < 40; n++) setTimeout(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'a' })), n * 50)""")
        # How long that takes is measured by `scripts/measure-desktop`.
        until(lambda: len(self.stage.notes("_review")) == left, "every key answered")
        # What follows comes after the last of them: a search finds them as lessons that count.
        waiting = {note.name for note in self.stage.notes("_review")}
        answered = next(number for number in reversed(range(60)) if f"waiting-{number:02}.md" not in waiting)
        window.go("lessons")
        window.write(f"Waiting {answered}", "input[type=search]")
        window.shows(f"Waiting {answered}", "[role=listbox]")

    def test_what_is_old_is_archived_with_one_answer_and_comes_back_with_one_undo(self):
        window = self.open()
        window.shows("Why it was found")
        before = self.stage.notes("_review")
        window.click("Archive older…")
        window.shows("days ago or earlier")
        window.write("0", "input[type=number]")
        window.click(f"Archive {len(before)} lessons")
        until(lambda: self.stage.notes("_review") == [], "all are archived")
        texts = [note.read_text() for note in self.stage.notes("_archive")]
        self.assertEqual(sum("you archived it without an answer" in text for text in texts), len(before))
        window.click("Undo", ".notices button")
        until(lambda: self.stage.notes("_review") == before, "all wait again")

    def test_an_evidence_link_leads_to_its_line_and_back_to_the_lesson(self):
        window = self.open()
        window.shows("Why it was found")
        first = window.text("article h2")
        window.press("j")
        until(lambda: window.text("article h2") not in ("", first), "the next lesson")
        title = window.text("article h2")
        session, line = re.search(r"(\w{8}), line (\d+)", window.text("article")).groups()
        quote = window.text("article li.evidence .text")
        for back in (lambda: window.click("← Back to the lesson"), lambda: window.run("history.back()")):
            window.click(f"{session}, line {line}", "article a")
            marked = until(lambda: window.text("[aria-current=location]"), "the marked row")
            self.assertIn(quote.split()[0], marked)
            until(lambda: window.run("""const { top, bottom } = document.querySelector('[aria-current=location]').getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight"""), "it is in sight")
            self.assertIn(f"/{line}/", window.run("return location.hash"))
            back()
            until(lambda: window.text("article h2") == title, lambda: f"{title!r}, not {window.text('article h2')!r}")

    def test_the_evidence_of_a_lesson_that_counts_leads_to_its_line_and_back(self):
        window = self.open()
        window.go("lessons")
        window.shows("Evidence", "article")
        title = window.text("article h2")
        session, line = re.search(r"(\w{8}), line (\d+)", window.text("article")).groups()
        window.click(f"{session}, line {line}", "article a")
        until(lambda: window.text("[aria-current=location]"), "the marked row")
        self.assertIn(f"/{line}/", window.run("return location.hash"))
        window.click("← Back to the lesson")
        until(lambda: window.text("article h2") == title, lambda: f"{title!r}, not {window.text('article h2')!r}")
        self.assertIn("/lessons/", window.run("return location.hash"))

    def test_a_rejection_is_remembered_with_its_reason(self):
        window = self.open()
        window.shows("Why it was found")
        title = window.text("article h2")
        window.press("r")
        window.shows("You can leave this empty")
        window.press(*"only that day", "Enter")
        window.shows("Rejected", ".notices")
        archived = next(path.read_text() for path in self.stage.notes("_archive") if plain(title) in plain(path.read_text()))
        self.assertIn("review: reject", archived)
        self.assertIn("only that day", archived)

    def test_a_lesson_is_saved_in_the_persons_words(self):
        window = self.open()
        window.shows("Why it was found")
        window.press("e")
        window.shows("Text, as markdown")
        window.chord("Control", "a")
        window.press(*"My own words")
        window.chord("Control", "Enter")
        window.shows("Saved in your words", ".notices")
        notes = [note for folder in ("Preferences", "Workflows", "Fixes") for note in self.stage.notes(folder)]
        saved = [note.read_text() for note in notes if "My own words" in note.read_text()]
        self.assertEqual(len(saved), 1, [note.name for note in notes])
        self.assertIn("status: active", saved[0])

    def test_skipping_puts_it_at_the_end_and_marking_answers_many(self):
        window = self.open()
        window.shows("Why it was found")
        first = window.text("article h2")
        window.press("s")
        window.shows("Postponed", ".notices")
        until(lambda: window.text("article h2") not in ("", first), "the next lesson")
        waiting = len(self.stage.notes("_review"))
        window.press("x", "j", "x")
        window.shows("2 lessons marked")
        window.press("a")
        window.shows("Approved: 2 lessons", ".notices")
        self.assertEqual(len(self.stage.notes("_review")), waiting - 2)

    def test_words_of_a_transcript_do_nothing_in_the_window(self):
        session = "0f0e0d0c-0000-4000-8000-00000000beef"
        said = {"type": "user", "uuid": "11111111-1111-4111-8111-111111111111", "sessionId": session, "cwd": "/home/ada/shop",
                "timestamp": "2026-09-01T10:00:00.000Z", "version": "2.1.197", "message": {"role": "user", "content": HOSTILE}}
        self.stage.transcript(session, [said])
        (self.stage.vault / "Afterword/Preferences/hurt.md").write_text(
            f"---\nid: 01890000-0000-7000-8000-000000000001\nkind: preference\ntitle: Hurt <b>me</b>\nstatus: active\n---\n{HOSTILE}\n")
        window = self.open()
        for page, sign in [("lessons/01890000-0000-7000-8000-000000000001", "Hurt <b>me</b>"), (f"sessions/{session}", "onerror=")]:
            window.go(page)
            window.shows(sign, "main")
            window.shows("<script>window.hurt = 1</script>", "main")
            self.assertEqual(window.run("return [window.hurt ?? null, document.querySelectorAll('main img, main script, main b').length]"), [None, 0])
            self.assertEqual(window.run("return [...document.querySelectorAll('main a')].filter((a) => a.protocol === 'javascript:').length"), 0)

    def test_nothing_from_elsewhere_is_loaded(self):
        window = self.open()
        window.shows("Why it was found")
        script = """const done = arguments[0]; fetch('https://example.org/').then(() => done('loaded'), () => done('refused'))"""
        self.assertEqual(window._post("/execute/async", {"script": script, "args": []}), "refused")
        self.assertEqual(window.run("try { eval('1'); return 'ran' } catch (error) { return error.name }"), "EvalError")


class Pages(WindowTest):
    def test_a_search_for_words_that_mean_nothing_here_finds_no_lesson(self):
        window = self.open()
        window.go("lessons")
        window.shows("Evidence", "article")
        window.write("zzzqqq xyzzy", "input[type=search]")
        window.shows("Nothing fits", "main")
        window.shows("0 lessons")

    def test_lessons_are_found_as_one_types_and_archived(self):
        window = self.open()
        window.shows("Why it was found")
        window.go("lessons")
        saved = [note for folder in ("Preferences", "Workflows", "Fixes") for note in self.stage.notes(folder)]
        window.shows(f"{len(saved)} lessons")
        window.press("/", *"shellcheck")
        window.shows("Always run shellcheck", "article h2")
        note = next(path for path in self.stage.notes("Preferences") if "shellcheck" in path.name)
        window.click("Archive")
        until(lambda: "status: archived" in note.read_text(), "the note is archived")
        window.click("Undo")
        until(lambda: "status: active" in note.read_text(), "the note counts again")

    def test_a_lesson_is_changed_and_deleted_with_an_undo_each_and_tells_its_life(self):
        window = self.open()
        window.shows("Why it was found")
        window.go("lessons")
        window.press("/", *"shellcheck")
        window.shows("Always run shellcheck", "article h2")
        note = next(path for path in self.stage.notes("Preferences") if "shellcheck" in path.name)
        before = note.read_text()

        def found(words):
            return any(words in path.read_text() for path in self.stage.notes("Preferences"))

        window.click("Edit…")
        window.write("Shellcheck before every commit", "form textarea")
        window.click("Save", "form button")
        until(lambda: found("Shellcheck before every commit"), "the note has the words")
        window.shows("Shellcheck before every commit", "article h2")
        window.click("Undo", ".notices button")
        until(lambda: note.exists() and note.read_text() == before, "the note is as it was")
        window.shows("Always run shellcheck", "article h2")
        window.click("Delete…")
        window.click("Delete", "form button.primary")
        until(lambda: not note.exists() and self.stage.notes("_archive"), "the note is in the archive")
        window.click("Undo", ".notices button")
        until(lambda: note.exists() and note.read_text() == before, "it is back")
        window.shows("Always run shellcheck", "article h2")
        window.click("History")
        window.shows("You put it in your words", "article")
        window.shows("You rejected it", "article")

    def test_a_session_says_what_it_was_given_and_why(self):
        window = self.open()
        window.shows("Why it was found")
        note = next(path for path in self.stage.notes("Preferences") if "shellcheck" in path.name).read_text()
        session = re.search(r"^session: (\S+)", note, re.MULTILINE)[1]
        transcript = next((self.stage.claude / "projects").glob(f"*/{session}.jsonl"))
        cwd = next(entry["cwd"] for entry in map(json.loads, transcript.read_text().splitlines()) if entry.get("cwd"))
        start = {"session_id": session, "transcript_path": str(transcript), "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup"}
        self.assertIn("shellcheck", self.stage.afterword("hook", "SessionStart", told=json.dumps(start)))
        window.go(f"sessions/{session}")
        window.shows(session[:8], "main .detail")
        window.click("What it was given, and why")
        window.shows("At its start", "main details[open]")
        window.click("Always run shellcheck", "main details[open] button")
        window.shows("Always run shellcheck", "article h2")

    def test_a_lesson_binds_after_a_yes_and_is_lifted(self):
        window = self.open()
        window.shows("Why it was found")
        window.go("lessons")
        window.press("/", *"shellcheck")
        window.shows("Always run shellcheck", "article h2")
        window.click("Make it binding")
        # "Change the check" or "Write a check".
        window.click("check", ".binding button")
        window.run("const area = document.querySelector('.binding textarea'); area.value = 'never run `rm -rf`'; area.dispatchEvent(new Event('input', { bubbles: true }))")
        window.click("Try it")
        window.shows("never run `rm -rf`", ".binding code")
        binds = lambda: [one["standing"] for one in json.loads(self.stage.afterword("checks", "--json"))["notes"]]
        self.assertEqual(binds(), [], "nothing binds without a yes")
        window.click("Make it binding")
        until(lambda: binds() == ["binds"], "it binds")
        window.click("Lift it for good")
        until(lambda: binds() == ["lifted"], lambda: f"it binds no more: {binds()}")

    def test_a_note_that_no_program_opens_says_so(self):
        self.stage.without_openers()
        window = self.open()
        window.shows("Why it was found")
        window.go("lessons")
        window.press("/", *"shellcheck")
        window.shows("Always run shellcheck", "article h2")
        note = next(path for path in self.stage.notes("Preferences") if "shellcheck" in path.name)
        window.click("Open in editor")
        window.shows(f"{note} could not be opened", ".notice.bad")
        window.resize(640, 440)
        hidden = "const words = document.querySelector('.notice.bad .words'); return words.scrollHeight - words.clientHeight"
        until(lambda: window.run(hidden) > 1, "more words than there is room for")
        window.click("Show all", ".notice.bad button")
        until(lambda: window.run(hidden) <= 1, "all of them")

    def test_a_session_is_read_and_leads_to_what_was_learned(self):
        window = self.open()
        window.shows("Why it was found")
        session = re.search(r"^session: (\S+)", self.stage.notes("Preferences")[0].read_text(), re.MULTILINE)[1]
        window.go(f"sessions/{session}")
        window.shows("What was learned")
        window.shows(session[:8], "main .detail")
        window.shows("Tokens in")
        until(lambda: window.run("return document.querySelectorAll('ol li').length") > 20, "the rows")
        for width, height in [(1120, 760), (640, 440)]:
            window.resize(width, height)
            until(lambda width=width: window.run("return innerWidth") == width, "the size")
            past = window.run("const box = document.querySelector('.detail .scroll'); return box.scrollWidth - box.clientWidth")
            self.assertEqual(past, 0, "nothing runs past the edge")
        window.click("", "button.lesson")
        until(lambda: window.run("return location.hash").startswith(("#/lessons/", "#/review/", "#/ideas/")), "the lesson's page")

    def test_a_session_goes_on_in_the_persons_terminal(self):
        place, opened, terminal = (self.stage.root / name for name in ("it's a shop", "opened", "terminal"))
        place.mkdir()
        session = str(uuid.uuid4())
        said = {"type": "user", "uuid": str(uuid.uuid4()), "sessionId": session, "cwd": str(place), "timestamp": "2026-09-12T10:00:00.000Z",
                "message": {"role": "user", "content": "what time is it"}}
        self.stage.transcript(session, [said], str(place))
        terminal.write_text(f"""#!/bin/sh
{{ pwd; echo "$*"; }} > "{opened}.part"
mv "{opened}.part" "{opened}"
""")
        terminal.chmod(0o755)
        os.environ["TERMINAL"] = str(terminal)
        self.addCleanup(os.environ.pop, "TERMINAL")
        window = self.open()
        window.go(f"sessions/{session}")
        window.click("Resume in a terminal")
        until(opened.exists, "the terminal")
        where, told = opened.read_text().splitlines()
        self.assertEqual(where, str(place))
        self.assertIn(f"-c claude --resume {session}; exec ", told)
        place.rmdir()
        window.click("Resume in a terminal")
        window.shows(f"{place} is no longer there", ".notice.bad")

    def test_what_was_said_is_found_and_opened_at_its_line(self):
        self.stage.afterword("find", "shellcheck")
        window = self.open()
        window.shows("Why it was found")
        window.go("sessions")
        window.shows("What was learned")
        window.write("shellcheck", "input[type=search]")
        window.shows("shellcheck", "[role=option] mark")
        window.shows("Found here", "main .detail")
        until(lambda: "shellcheck" in window.text("[aria-current=location]").lower(), "the line that was found")
        window.write("zzzqqq xyzzy", "input[type=search]")
        window.shows("Nothing found in", "main [role=status]")
        window.write("", "input[type=search]")
        window.chord("Control", "k")
        window.press(*"shellcheck")
        window.shows("Session", "dialog [role=listbox]")
        window.press("Escape")

    def test_a_lesson_is_written_and_an_idea_ticked_in_the_window(self):
        window = self.open()
        window.shows("Why it was found")
        window.go("lessons/write")
        window.write("Restart the queue after a deploy", "form input")
        window.click("Save the lesson")
        window.shows("Restart the queue after a deploy", "article h2")
        until(lambda: any("restart-the-queue" in path.name for path in self.stage.notes("Preferences")), "the note")
        window.go("ideas")
        ledger = self.stage.vault / "Afterword/Ideas.md"
        window.shows("Make it a task")
        done = ledger.read_text().count("[x]")
        counted = window.text("main header p")
        window.click("Done")
        until(lambda: ledger.read_text().count("[x]") == done + 1, "it is ticked in the ledger")
        window.click("Undo")
        until(lambda: ledger.read_text().count("[x]") == done, "it is open again")
        # The list is in another order until it is read again; what is clicked meanwhile may move away below the pointer.
        until(lambda: window.text("main header p") == counted, "the page shows it open again")
        window.click("Make it a task")
        until(lambda: window.run("return (document.querySelector('form textarea')?.value ?? '').length") > 5, "the task has its words")

    def test_the_palette_finds_a_lesson_and_a_page_by_the_keys_alone(self):
        window = self.open()
        window.shows("Why it was found")
        waiting = self.stage.notes("_review")
        window.chord("Control", "k")
        window.press(*"shellcheck")
        window.shows("Always run shellcheck", "dialog [aria-selected=true]")
        window.press("Enter")
        window.shows("Always run shellcheck", "main article h2")
        window.chord("Control", "k")
        window.press(*"review", "Enter")
        window.shows("Why it was found")
        window.run("document.querySelector('nav a[href=\"#/stats\"]').focus()")
        window.chord("Control", "k")
        window.press(*"are", "Escape")
        until(lambda: not window.run("return !!document.querySelector('dialog')"), "it is closed")
        self.assertEqual(window.run("return document.activeElement.getAttribute('href')"), "#/stats")
        self.assertEqual(self.stage.notes("_review"), waiting, "what was typed answered nothing")

    def test_a_page_ends_where_its_content_does(self):
        window = self.open()
        for page, sign in (("stats", "What is unused?"), ("settings", "Does everything work?"), ("ideas", "Ideas"), ("activity", "Activity")):
            with self.subTest(page=page):
                window.go(page)
                window.shows(sign, "main")
                below = """const page = document.querySelector('.page');
                    page.scrollTop = page.scrollHeight;
                    return page.getBoundingClientRect().bottom - page.querySelector('.inner').lastElementChild.getBoundingClientRect().bottom"""
                scrolls = "const page = document.querySelector('.page'); return page.scrollHeight > page.clientHeight"
                if window.run(scrolls):
                    until(lambda: window.run(below) < 100, lambda: f"the page's end: {window.run(below)} px of nothing")

    def test_what_is_chosen_is_read_whole_in_a_small_window(self):
        cut = """const pencil = document.createElement('canvas').getContext('2d');
            return [...document.querySelectorAll('main .filters select')].filter((one) => {
                const style = getComputedStyle(one);
                pencil.font = style.font;
                const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
                return pencil.measureText(one.selectedOptions[0].text).width > room + 1;
            }).map((one) => one.selectedOptions[0].text)"""
        window = self.open()
        window.resize(800, 600)
        for page in ("review", "lessons", "sessions"):
            with self.subTest(page=page):
                window.go(page)
                until(lambda: window.run("return document.querySelectorAll('main .filters select').length"), "the filters")
                self.assertEqual(window.run(cut), [])

    def test_every_page_opens_by_its_key_and_looks_as_set(self):
        window = self.open()
        window.shows("Why it was found")
        for number, name in enumerate(["review", "lessons", "ideas", "sessions", "tasks", "activity", "stats", "settings"], 1):
            window.chord("Control", str(number))
            until(lambda name=name: window.text("nav a[aria-current]").lower().startswith(name), name)
        window.shows("Does everything work?")
        background = "return getComputedStyle(document.documentElement).backgroundColor"
        until(lambda: window.run("return !!document.getElementById('window.appearance')"), "the fields")
        light = window.run(background)
        window.run("""const field = document.getElementById('window.appearance');
            field.value = 'dark'; field.dispatchEvent(new Event('change', { bubbles: true }))""")
        until(lambda: window.run(background) != light, "the dark colours")
        config = self.stage.root / "afterword/config.toml"
        until(lambda: 'appearance = "dark"' in config.read_text(), config.read_text)


class Settings(WindowTest):
    KEY = "sk-ant-made-up-0123456789abcdefghij"

    def set(self, window, key, value, event):
        name, asked = key.split(".")[1], [0.0]

        def is_kept():
            if {f'{name} = "{value}"', f"{name} = {value}"} & set(self.config().splitlines()):
                return True
            # The fields are drawn anew when the one before was kept; what was put into an old one is gone.
            if time.monotonic() - asked[0] > 5:
                asked[0] = time.monotonic()
                window.run("""const [key, value, event] = arguments, field = document.getElementById(key);
                    if (!field) return;
                    field.focus(); field.value = value; field.dispatchEvent(new Event('input', { bubbles: true }));
                    field.dispatchEvent(new Event(event, { bubbles: true }))""", key, value, event)
            return False

        until(is_kept, lambda: f"{key} = {value} in {self.config()}")

    def config(self):
        return (self.stage.root / "afterword/config.toml").read_text()

    def test_the_window_speaks_another_language_at_once(self):
        window = self.open()
        window.shows("Why it was found")
        window.go("settings")
        until(lambda: window.run("return !!document.getElementById('window.language')"), "the fields")
        window.run("""const field = document.getElementById('window.language');
            field.value = 'de'; field.dispatchEvent(new Event('change', { bubbles: true }))""")
        window.shows("Einstellungen", "h1")
        self.assertEqual(window.run("return document.documentElement.lang"), "de")
        window.go("review")
        window.shows("Warum sie gefunden wurde")
        window.shows("Eine klar ausgesprochene Regel.", "article .why")
        self.assertIn('language = "de"', self.config())

    def test_the_engine_and_its_budget_are_chosen_and_kept(self):
        window = self.open()
        window.go("settings")
        self.set(window, "engine.name", "openai-compatible", "change")
        self.set(window, "engine.model", "qwen3:8b", "blur")
        self.set(window, "engine.address", "http://127.0.0.1:8080/v1", "blur")
        self.set(window, "budget.daily_usd", "2.5", "blur")
        self.set(window, "budget.per_job_usd", "0.1", "blur")
        before = self.config()
        field = """const field = document.getElementById('budget.daily_usd');
            field.value = 'plenty'; field.dispatchEvent(new Event('input', { bubbles: true })); field.dispatchEvent(new Event('blur', { bubbles: true }))"""
        window.run(field)
        window.shows("Not saved: It must be a number of US dollars", "main")
        self.assertEqual(self.config(), before, "what is no amount is said and not kept")
        window.go("stats")
        window.shows("of $2.50", "main")

    def put(self, window, key, value):
        window.write(value, f"[id='{key}']")
        window.run("document.getElementById(arguments[0]).dispatchEvent(new Event('blur', { bubbles: true }))", key)

    def test_what_would_not_work_is_not_saved(self):
        empty = self.stage.root / "Empty"
        empty.mkdir()
        window = self.open()
        window.go("settings")
        self.set(window, "engine.name", "openai-compatible", "change")
        before = self.config()
        for key, value, problem in [("vault.path", "/etc/passwd", "This is not a folder"), ("engine.address", "http://example.com", "Use https://"),
                                    ("claude.binary", "/nowhere/claude", "There is no such file"), ("claude.config_dir", "/nowhere", "There is no such folder"),
                                    ("claude.other_dirs", "/nowhere", "/nowhere: There is no such folder")]:
            self.put(window, key, value)
            window.shows(f"Not saved: {problem}", f"[id='{key}-problem']")
            self.assertEqual(self.config(), before, key)
        work = self.stage.root / "claude-work"
        work.mkdir()
        self.put(window, "claude.other_dirs", str(work))
        until(lambda: str(work) in self.config(), "the other directory is saved")
        before = self.config()
        self.put(window, "vault.path", str(empty))
        window.shows("No vault is set up in", "[id='vault.path-problem']")
        self.assertEqual((self.config(), list(empty.iterdir())), (before, []))
        window.click("Set up the vault here")
        window.shows("The vault is set up", ".notices")
        self.assertIn(str(empty), self.config())
        self.assertTrue((empty / "Afterword/Preferences").is_dir())

    def test_what_went_wrong_is_said_in_the_windows_language(self):
        self.stage.afterword("config", "set", "window.language", "de")
        window = self.open()
        window.go("settings")
        window.shows("Einstellungen", "h1")
        self.put(window, "vault.path", "/etc/passwd")
        window.shows("Nicht gespeichert: Das ist kein Ordner.", "[id='vault.path-problem']")
        self.stage.vault.rename(self.stage.root / "elsewhere")
        window.go("ideas")
        window.shows("ist kein Vault.", "[role=alert]")

    @unittest.skipUnless(shutil.which("gnome-keyring-daemon"), "gnome-keyring is not installed")
    def test_a_key_goes_to_the_systems_keyring_and_nowhere_else(self):
        self.keyring()
        window = self.open()
        window.go("settings")
        window.write(self.KEY, "input[aria-label='Key of anthropic']")
        window.click("Save", "form[aria-label='Key of anthropic'] button")
        window.shows("The key is in the keyring", ".notices")
        window.shows("saved", "form[aria-label='Key of anthropic']")
        self.assertNotIn(self.KEY, window.run("return document.documentElement.outerHTML"))
        self.is_nowhere(self.KEY)
        window.click("Remove", "form[aria-label='Key of anthropic'] button")
        window.shows("gone from the keyring", ".notices")

    def test_without_a_keyring_it_says_so(self):
        window = self.open()
        window.go("settings")
        window.write(self.KEY, "input[aria-label='Key of anthropic']")
        window.click("Save", "form[aria-label='Key of anthropic'] button")
        window.shows("keyring", ".notice.bad")

    def test_larger_text_is_one_chord_away(self):
        window = self.open()
        window.shows("Why it was found")
        wide = window.run("return innerWidth")
        window.chord("Control", "=")
        until(lambda: window.run("return innerWidth") < wide, "everything is larger")


class Tasks(WindowTest):
    reflected = False

    def test_a_task_asks_is_answered_and_is_done(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        question = {"type": "choice", "prompt": "Which one first?", "options": ["the long one", "the short one"]}
        client = stand_in(self.stage.root / "client", {"needs_input": True, "message": "Two mails wait.", "question": question},
                          {"complete": True, "message": "Both are sent."}, "You are welcome.")
        self.stage.afterword("config", "set", "claude.binary", client)
        window = self.open()
        window.go("tasks")
        window.shows("No tasks yet")
        window.click("New task…")
        window.write("Send my <b>mails</b>", "form textarea")
        window.write("every weekday at 9", "form input")
        window.shows("every weekday at 09:00", "#plan")
        window.write("now", "form input")
        until(lambda: window.text("#plan") and "weekday" not in window.text("#plan"), "now is understood")
        window.click("Start the task")
        window.shows("Which one first?", "footer")
        window.shows("waits for your answer", "[role=listbox]")
        window.click("the short one", "footer button")
        window.shows("Both are sent.", "ol")
        window.shows("the short one", "ol")
        window.shows("done", "[role=listbox]")
        window.write("thank you", "footer textarea")
        window.click("Send")
        window.shows("You are welcome.", "ol")
        self.assertEqual(window.run("return document.querySelectorAll('ol b').length"), 0)
        window.click("Runs (3)", "summary")
        window.shows("$0.012", "table")
        window.shows("$0.036 spent")
        window.click("Close")
        until(lambda: '"archived"' in self.stage.afterword("task", "list", "--all", "--json"), "it is closed")

    def test_a_task_with_a_schedule_is_paused_and_goes_on(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        self.stage.afterword("task", "new", "--yes", "--when", "every weekday at 9", "Look whether the backup ran")
        window = self.open()
        window.go("tasks")
        window.shows("Look whether the backup ran", "[aria-label='The task']")
        window.shows("next ", "[role=listbox]")
        window.click("Pause", "header button")
        window.shows("paused", "[role=listbox]")
        window.click("Continue")
        window.shows("next ", "[role=listbox]")
        other = "form[aria-label='Another schedule']"
        window.click("When…")
        window.write("every blue moon", f"{other} input")
        until(lambda: window.run("return document.querySelector(arguments[0]).disabled", f"{other} button"), "nonsense is not kept")
        window.write("every sunday at 17", f"{other} input")
        window.shows("17:00", "#other-plan")
        window.click("Save", f"{other} button")
        until(lambda: not window.run("return !!document.querySelector(arguments[0])", other), "it is kept")
        window.shows("17:00", "[aria-label='The task'] header")
        schedule = json.loads(self.stage.afterword("task", "list", "--json"))["conversations"][0]["schedule"]
        self.assertIn("17", json.dumps(schedule))
        limits = "form[aria-label='What a run may do and cost']"
        window.click("Limits…")
        window.write("Read", f"{limits} textarea")
        window.write("0.25", f"{limits} input[type=number]")
        window.click("Save", f"{limits} button")
        window.shows("at most $0.25 a run", "[aria-label='The task'] header")
        task = json.loads(self.stage.afterword("task", "list", "--json"))["conversations"][0]
        self.assertEqual((task["allowed_tools"], task["most_usd"]), (["Read"], 0.25))

    @unittest.skipUnless(shutil.which("gnome-keyring-daemon"), "gnome-keyring is not installed")
    def test_a_task_that_wants_a_sign_in_goes_on_after_the_button(self):
        self.keyring()
        self.stage.browser()
        remote = Remote()
        self.addCleanup(remote.close)
        self.stage.afterword("init", "--vault", self.stage.vault)
        client = stand_in(self.stage.root / "client", {"complete": True, "message": "No mail today."})
        self.stage.afterword("config", "set", "claude.binary", client)
        self.stage.afterword("connections", "add", "mail", "--url", remote.address)
        self.stage.afterword("task", "new", "--yes", "--when", "now", "--connection", "mail", "Look at my mail")
        window = self.open()
        window.go("tasks")
        window.click("Sign in to mail…", "footer button")
        window.shows("No mail today.", "ol")
        self.assertEqual(len(remote.issued), 1, "one sign-in")
        self.is_nowhere(remote.issued[0])


class Notifications(WindowTest):
    def prepare(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        self.panel = Panel(self.stage.log)
        self.addCleanup(self.panel.close)

    def test_a_session_is_followed_and_its_notification_opens_the_very_lesson(self):
        window = self.open()
        window.shows("Nothing to review")
        # Claude Code writes a session; nobody asks for anything.
        self.stage.asked("meters")
        note = until(lambda: next((note for note in self.panel.notes() if "to review" in note["summary"]), None),
                     lambda: f"a notification, of {self.panel.notes()} with {self.stage.notes('_review')}")
        window.go("stats")
        until(lambda: window.run("return location.hash") == "#/stats", "another page")
        self.panel.click(note["id"])
        until(lambda: window.run("return location.hash").startswith("#/review"), "the review")
        # A notification has no markup, so what looks like it is written otherwise there.
        plain = lambda words: words.replace("`", "").replace("<", "‹").replace(">", "›")
        named = plain(note["body"]).split("\n")[0]
        shown = lambda: plain(window.text("article h2"))
        until(lambda: shown() == named, lambda: f"the lesson that was named first, {named!r}, not {shown()!r}")
        window.go("activity")
        window.shows("Reflection", "main")
        window.shows("done", "main")


@unittest.skipUnless(shutil.which("dunst"), "dunst is not installed")
class Daemon(WindowTest):
    """Notifications in a daemon that people use."""

    def prepare(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        daemon = self.stage.dunst()
        self.addCleanup(lambda: (daemon.terminate(), daemon.wait(timeout=PATIENCE)))

    def ask(self, *words):
        return subprocess.run(["dunstctl", *words], capture_output=True, text=True, check=False)

    def shown(self):
        return int(self.ask("count", "displayed").stdout or 0) + int(self.ask("count", "history").stdout or 0)

    def test_a_click_in_the_daemon_opens_what_was_told(self):
        # On a slow machine a session is told before the lessons it put up.
        self.stage.afterword("config", "set", "notices.completed", "false")
        window = self.open()
        window.shows("Nothing to review")
        self.stage.asked("meters")
        until(lambda: self.shown() > 0, "a notification")
        window.go("stats")
        until(lambda: window.run("return location.hash") == "#/stats", "another page")
        self.ask("action", "0")
        until(lambda: window.run("return location.hash").startswith("#/review"), lambda: f"the review, not {window.run('return location.hash')}")
        self.assertEqual(self.shown(), 1, "one notification")

    def test_nothing_is_shown_in_quiet_hours_or_of_what_was_turned_off(self):
        hour = datetime.now().hour
        for settings in ([("notices.quiet_hours", f"{hour:02}:00-{(hour + 2) % 24:02}:00")],
                         [("notices.quiet_hours", ""), ("notices.review", "false"), ("notices.completed", "false")]):
            for key, value in settings:
                self.stage.afterword("config", "set", key, value)
            process = self.stage.tray()
            try:
                before = len(self.stage.notes("_review"))
                self.stage.asked("meters" if settings[0][1] else "tally")
                until(lambda: len(self.stage.notes("_review")) > before, "lessons that wait")
                since = time.monotonic()
                # What is told is told after two seconds.
                until(lambda: time.monotonic() - since > 6, "time to tell it")
                self.assertEqual(self.shown(), 0, settings)
            finally:
                process.kill()
                process.wait()
                until(lambda: running(PROGRAM) == [], "its window is gone as well")


class Tray(WindowTest):
    def prepare(self):
        super().prepare()
        self.panel = Panel(self.stage.log)
        self.addCleanup(self.panel.close)

    def start(self, *arguments):
        process = self.stage.tray(*arguments)
        self.addCleanup(lambda: process.poll() is None and (process.kill(), process.wait()))
        return process

    def test_the_menu_tells_what_waits_and_opens_pauses_and_quits(self):
        process = self.start("--tray")
        waiting = len(self.stage.notes("_review"))
        words = f"{waiting} lessons to review"
        self.assertGreater(waiting, 1)
        entries = [words, f"Open Review ({waiting})", "Open Tasks", "Reflect Now", "Pause", "Open Vault", "Settings…", "Quit Afterword"]
        # Entries are changed one by one.
        until(lambda: list(self.panel.menu()) == entries, lambda: f"{entries}, not {list(self.panel.menu())}")
        self.assertEqual(webviews(process), [])
        self.assertEqual(self.panel.property("Title"), "Afterword")
        self.panel.choose("Pause")
        until(lambda: "Paused" in self.panel.menu(), "it says that it is paused")
        until(lambda: self.panel.menu()["Pause"][1].get("toggle-state") == 1, lambda: f"a tick in {self.panel.menu()}")
        self.panel.choose("Pause")
        until(lambda: words in self.panel.menu(), lambda: f"it goes on: {list(self.panel.menu())}")
        self.panel.choose("Settings…")
        until(lambda: webviews(process), "a window")
        close_window()
        until(lambda: not webviews(process), "the webview is gone with its window")
        self.assertIsNone(process.poll())
        self.panel.choose("Quit Afterword")
        self.assertEqual(process.wait(timeout=PATIENCE), 0)

    def test_a_second_start_opens_the_window_of_the_first(self):
        process = self.start("--tray")
        self.panel.item()
        second = subprocess.run([PROGRAM], stdout=self.stage.log, stderr=self.stage.log, timeout=PATIENCE, check=False)
        self.assertEqual(second.returncode, 0)
        until(lambda: webviews(process), "a window")
        # A program that was started a moment ago counts as another one until it is itself.
        until(lambda: len(running(PROGRAM)) == 2, lambda: f"the tray's program and the window's: {running(PROGRAM)}")
        third = subprocess.run([PROGRAM], stdout=self.stage.log, stderr=self.stage.log, timeout=PATIENCE, check=False)
        self.assertEqual(third.returncode, 0)
        until(lambda: len(running(PROGRAM)) == 2, lambda: f"the window came, and no other: {running(PROGRAM)}")

    def test_a_closed_window_leaves_nothing_and_opens_again_where_it_is_asked_to(self):
        process = self.start("--tray")
        for _ in range(2):
            until(lambda: "Settings…" in self.panel.menu(), "the menu")
            self.panel.choose("Settings…")
            until(lambda: webviews(process), "a window")
            close_window()
            until(lambda: descendants(process.pid) == [], lambda: f"only the tray's program: {descendants(process.pid)}")
            self.assertIsNone(process.poll())

    def test_the_window_ends_with_the_tray_however_that_ends(self):
        for ends in (lambda process: self.panel.choose("Quit Afterword"), lambda process: process.kill()):
            process = self.start("--tray")
            until(lambda: "Settings…" in self.panel.menu(), "the menu")
            self.panel.choose("Settings…")
            until(lambda: webviews(process), "a window")
            ends(process)
            process.wait(timeout=PATIENCE)
            until(lambda: running(PROGRAM) == [], "the window's program is gone as well")

    def test_a_window_that_dies_takes_nothing_with_it(self):
        process = self.start("--tray")
        until(lambda: "Settings…" in self.panel.menu(), "the menu")
        self.panel.choose("Settings…")
        until(lambda: webviews(process), "a window")
        others = lambda: [pid for pid in running(PROGRAM) if pid != process.pid]
        until(lambda: len(others()) == 1, lambda: f"one window: {others()}")
        os.kill(others()[0], signal.SIGKILL)
        until(lambda: running(PROGRAM) == [process.pid], "the window is gone")
        self.panel.choose("Settings…")
        until(lambda: webviews(process), "another window")

    def test_the_tray_has_no_webview_and_no_graphics_driver(self):
        process = self.start("--tray")
        until(lambda: any("to review" in words for words in self.panel.menu()), "the tray")
        loaded = Path(f"/proc/{process.pid}/maps").read_text()
        self.assertNotIn("swrast", loaded)
        self.assertNotIn("LLVM", loaded)
        # What it runs for a moment, such as git, ends by itself.
        until(lambda: descendants(process.pid) == [], lambda: f"it is alone: {descendants(process.pid)}")


class WithoutTray(WindowTest):
    """A desktop that shows no icons of the tray, as GNOME without its extension."""

    def test_the_window_says_that_closing_it_quits_and_does(self):
        window = self.open()
        window.shows("Closing the window quits", "nav")
        window.go("settings")
        window.shows("AppIndicator Support", "main")
        close_window()
        until(lambda: running(PROGRAM) == [], lambda: f"nothing is left: {running(PROGRAM)}")

    def test_it_is_quit_from_the_window(self):
        panel = Panel(self.stage.log)
        self.addCleanup(panel.close)
        window = self.open()
        window.shows("Why it was found")
        self.assertNotIn("Closing the window quits", window.text("nav"))
        # The window may be gone before the driver answers.
        with contextlib.suppress(RuntimeError):
            window.chord("Control", "q")
        until(lambda: running(PROGRAM) == [], lambda: f"nothing is left: {running(PROGRAM)}")

    def test_the_windows_size_is_the_one_it_was_closed_with(self):
        window = self.open()
        window.shows("Why it was found")
        window.resize(900, 640)
        until(lambda: window.run("return [innerWidth, innerHeight]") == [900, 640], "the size")
        close_window()
        until(lambda: running(PROGRAM) == [], "it is closed")
        window.close()
        self.stage.renew_bus()
        again = self.open()
        again.shows("Why it was found")
        self.assertEqual(again.run("return [innerWidth, innerHeight]"), [900, 640])


class CommandLine(WindowTest):
    reflected = False

    def start(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def test_help_and_version_are_told_without_a_display(self):
        for option, words in [("--help", "Usage: afterword-desktop"), ("--version", "afterword-desktop 0.")]:
            done = self.start(option, DISPLAY="")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(words, done.stdout)

    def test_a_display_that_is_not_there_is_an_error(self):
        for display, words in [(":77", "the display DISPLAY=:77 cannot be opened"), ("", "there is no display here")]:
            for arguments in ([], ["--window", "review"]):
                done = self.start(*arguments, DISPLAY=display)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertNotIn("panicked", done.stderr)


def webviews(process):
    """The processes that draw pages for this one."""
    return [pid for pid in descendants(process.pid) if "WebKitWebProcess" in name(pid)]


def descendants(pid):
    return family(pid)[1:]


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: exit(1))
    unittest.main(verbosity=2)
