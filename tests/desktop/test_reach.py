"""What is reached from the real window beside answering: exchange with other files, projects, connections, what was decided, a session's past."""
import json
import re

from driver import until
from screen import answer_dialog
from test_window import WindowTest, plain


class Exchange(WindowTest):
    def test_only_what_is_ticked_of_an_import_becomes_a_note(self):
        memory = self.stage.claude / "projects/-home-ada-shop/memory"
        memory.mkdir(parents=True)
        for name, words in [("prices", "Prices are kept in cents"), ("mails", "Mails are sent at night")]:
            (memory / f"{name}.md").write_text(f"---\nname: {name}\ndescription: {words}\ntype: feedback\n---\n\n{words}.\n")
        window = self.open()
        section = "section[aria-label='Import lessons']"
        window.go("lessons/import")
        window.shows("2 lessons found", section)
        window.click("mails", f"{section} label")
        before = {note.name for folder in ("Preferences", "_review", "_inbox") for note in self.stage.notes(folder)}
        window.click("Import 1 lesson", f"{section} button")
        new = lambda: [note for folder in ("Preferences", "_review", "_inbox") for note in self.stage.notes(folder) if note.name not in before]
        until(lambda: len(new()) == 1, lambda: f"one note: {new()}")
        self.assertIn("Prices are kept in cents", new()[0].read_text())

    def test_what_is_ticked_goes_into_a_repository_as_it_was_seen_and_without_its_secret(self):
        secret = f"ghp_{'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}"
        for number, (name, words, body) in enumerate([("token", "Push with the team's token", f"Push with {secret} in the header."), ("desk", "Stand at my desk", "")]):
            (self.stage.vault / f"Afterword/Preferences/{name}.md").write_text(
                f"---\nid: 01890000-0000-7000-8000-00000000000{number}\nkind: preference\ntitle: {words}\nstatus: active\n---\n\n{words}. {body}\n")
        rules = self.stage.root / "repository/.claude/rules"
        rules.mkdir(parents=True)
        window = self.open()
        section = "section[aria-label='Export lessons']"
        window.go("lessons/export")
        until(lambda: window.text(section), "the form")
        window.run("""const field = document.querySelector(arguments[0]);
            field.value = 'rules'; field.dispatchEvent(new Event('change', { bubbles: true }))""", f"{section} select")
        answer_dialog(lambda: window.click("Choose a folder…"), rules, lambda: window.text(f"{section} .where") == str(rules))
        window.shows("a secret is taken out of it", "fieldset")
        window.shows("Stand at my desk", f"{section} pre")
        window.click("Stand at my desk", "fieldset label")
        until(lambda: "Stand at my desk" not in window.text(f"{section} details"), "what would change, without it")
        self.assertNotIn(secret, window.run("return document.documentElement.outerHTML"))
        seen = "return [...document.querySelectorAll('pre .added')].map((one) => one.innerText.slice(2).trimEnd()).filter(Boolean)"
        shown = window.run(seen)
        self.assertEqual(list(rules.iterdir()), [], "nothing is written before the button")
        window.click("Write the files")
        written = lambda: "".join(file.read_text() for file in rules.iterdir())
        until(lambda: "Push with" in written(), "the files")
        self.assertEqual([line.rstrip() for line in written().splitlines() if line.strip()], shown)
        self.assertNotIn(secret, written())
        self.assertNotIn("Stand at my desk", written())


class Settings(WindowTest):
    def test_two_projects_become_one_and_are_two_again(self):
        window = self.open()
        window.go("settings")
        listed = lambda: sorted(one["name"] for one in json.loads(self.stage.afterword("projects", "--json"))["projects"])
        before = listed()
        form = "form[aria-label='Join the projects']"
        window.click("Join…")
        into = until(lambda: window.run("return document.querySelector(arguments[0])?.options[1]?.value ?? ''", f"{form} select"), "another project")
        window.run("""const field = document.querySelector(arguments[0]);
            field.value = arguments[1]; field.dispatchEvent(new Event('change', { bubbles: true }))""", f"{form} select", into)
        window.shows("would change.", form)
        self.assertEqual(listed(), before)
        window.click("Join the projects", f"{form} button")
        until(lambda: len(listed()) == len(before) - 1, lambda: f"one project fewer than {before}: {listed()}")
        window.click("Undo the last change")
        until(lambda: listed() == before, lambda: f"{before} again: {listed()}")

    def test_a_connection_is_added_and_removed(self):
        window = self.open()
        window.go("settings")
        form = "form[aria-label='Add the connection']"
        window.click("Add a connection…")
        window.write("tickets", f"{form} input")
        window.write("http://example.com/mcp", f"{form} input[placeholder]")
        window.click("Add the connection", f"{form} button")
        window.shows("https", f"{form} .problem, {form} [role=alert]")
        listed = lambda: [one["name"] for one in json.loads(self.stage.afterword("connections", "list", "--json"))["connections"]]
        self.assertEqual(listed(), [], "an address without encryption is not kept")
        window.write("https://example.com/mcp", f"{form} input[placeholder]")
        window.click("Add the connection", f"{form} button")
        until(lambda: listed() == ["tickets"], "it is kept")
        window.shows("https://example.com/mcp", "main")
        window.run("""[...document.querySelectorAll('main .row.spread')].find((one) => one.innerText.includes('tickets')).querySelector('.row button:last-child').click()""")
        until(lambda: listed() == [], "it is gone")

    def test_what_is_typed_stays_while_another_setting_is_saved(self):
        window = self.open()
        window.go("settings")
        config = self.stage.root / "afterword/config.toml"
        field = "[id='budget.daily_usd']"
        window.write("2.7", field)
        window.run("""const field = document.getElementById('window.appearance');
            field.value = 'dark'; field.dispatchEvent(new Event('change', { bubbles: true }))""")
        until(lambda: 'appearance = "dark"' in config.read_text(), config.read_text)
        window.shows("Saved.")
        self.assertEqual(window.run("return document.querySelector(arguments[0]).value", field), "2.7")
        window.run("document.querySelector(arguments[0]).dispatchEvent(new Event('blur', { bubbles: true }))", field)
        until(lambda: "daily_usd = 2.7" in config.read_text(), config.read_text)


class Past(WindowTest):
    def test_what_was_decided_is_listed_and_taken_back(self):
        window = self.open()
        window.shows("Why it was found")
        title, before = window.text("article h2"), self.stage.notes("_review")
        window.press("a")
        window.shows("Approved", ".notices")
        window.go("activity")
        window.click("Your answers", "summary")
        window.shows("Approved", "details[open] ul")
        self.assertIn(plain(title), plain(window.text("details[open] ul li")))
        window.click("Undo", "details[open] ul button")
        until(lambda: self.stage.notes("_review") == before, "it waits again")

    def test_a_session_says_when_it_ran_and_was_reflected(self):
        session = next(iter(re.findall(r"^session: (\S+)", self.stage.notes("Preferences")[0].read_text(), re.MULTILINE)))
        transcript = next((self.stage.claude / "projects").glob(f"*/{session}.jsonl"))
        start = {"session_id": session, "transcript_path": str(transcript), "cwd": "/home/ada/shop", "hook_event_name": "SessionStart", "source": "startup"}
        self.stage.afterword("hook", "SessionStart", told=json.dumps(start))
        window = self.open()
        window.go(f"sessions/{session}")
        window.click("When it ran and was read", "summary")
        window.shows("Claude Code began or resumed it", "details[open] ol")


class PageChange(WindowTest):
    # What each painted frame shows: its page, and how much of it.
    WATCH = """window.frames_seen = [];
        const look = () => {
            frames_seen.push([location.hash, (document.querySelector('main')?.innerText ?? '').trim().length]);
            requestAnimationFrame(look);
        };
        requestAnimationFrame(look)"""

    def test_a_page_that_was_seen_comes_back_without_an_empty_moment(self):
        window = self.open()
        pages = [("lessons", "Why it is here"), ("sessions", "What was learned"), ("activity", "Activity"), ("stats", "What is unused?"), ("review", "Why it was found")]
        for page, sign in pages:
            window.go(page)
            window.shows(sign, "main")
        full = {}
        window.run(self.WATCH)
        for page, sign in pages:
            frames = window.run("return frames_seen.length")
            window.go(page)
            window.shows(sign, "main")
            until(lambda frames=frames: window.run("return frames_seen.length") > frames + 3, "it is painted")
            full[f"#/{page}"] = window.run("return document.querySelector('main').innerText.trim().length")
        seen = window.run("return frames_seen")
        self.assertGreater(len(seen), 5)
        for place, letters in seen:
            page = "/".join(place.split("/")[:2])
            self.assertGreater(letters, full.get(page, 0) / 4, f"a frame of {place} shows {letters} of {full.get(page)} letters")
