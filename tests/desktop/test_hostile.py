"""What the window is asked and what it shows, where either is meant to do harm: the program's commands through the page's own channel, and every
field that comes from a transcript, a note, a model or another machine."""
import json
import os
import re
import socket
import sys
import time
import unittest
from pathlib import Path

from driver import PATIENCE, until
from stage import ROOT, stand_in
from test_window import WindowTest

CANARY = "canary-that-nobody-asked-for"
# Runs in an attribute, in a text that becomes markup, and in an address.
HURT = """<img src=x onerror="window.hurt = 1"><script>window.hurt = 2</script><svg onload="window.hurt = 3"> [go](javascript:window.hurt=4) \
<iframe srcdoc="x"></iframe><a href="javascript:window.hurt=5">there</a> {@html 1} ${window.hurt=6} '"><b>"""
# Commands that ask the person for a file, end the program, spend money, or wait for somebody.
LEFT_OUT = {"quit", "pick_file", "pick_folder", "choose_file", "choose_vault", "set_autostart", "set_hooks", "begin", "connect", "reflect_all",
            "use_claude_code", "try_engine", "engine_offer"}
# So many are asked at once, each with its own time, and so many before the driver answers.
AT_ONCE, IN_A_PART = 4, 8
# What is no text, by its type.
VALUES = {"boolean": False, "number": -1, "number | null": -1, "Array<number>": [-1, 2**53 - 1], "Resolution": "here", "IdeaMark": "done",
          "TaskStep": "pause", "ExportForm": "claude-md"}


def of_type(kind, text):
    """A value of this type with the text wherever one is taken."""
    if kind in ("string", "string | null"):
        return text
    if kind == "Array<string>":
        return [text]
    if kind in VALUES:
        return VALUES[kind]
    return {
        "Answer": {"verdict": "supersede", "id": text, "old": text, "title": text, "body": text},
        "LessonsRequest": {"query": text, "project": text, "kind": None, "status": None},
        "WrittenLesson": {"kind": "fix", "title": text, "body": text, "project": text},
        "ImportSource": {"from": "rules", "file": text, "project": text},
        "NewTask": {"words": text, "when": text, "directory": text, "allowed_tools": [text], "connections": [text]},
        "Limits": {"allowed_tools": [text], "connections": [text], "most_usd": 1, "most_minutes": 1},
        "ConnectionSettings": {"type": "http", "url": text},
        "ProjectChangeRequest": {"kind": "split", "project": text, "folder": text, "name": text},
    }[kind]


def requests():
    """Every command of the window that takes something, with its arguments' types."""
    contract = (ROOT / "ui/src/platform/contract.ts").read_text()
    for name, arguments in re.findall(r"^  (\w+): \{ request: \[\{ (.*?) \}\], answer:", contract, re.M):
        if name not in LEFT_OUT:
            yield name, dict(argument.split(": ", 1) for argument in arguments.split(", "))


class Requests(WindowTest):
    def prepare(self):
        super().prepare()
        self.opened = self.stage.root / "opened"
        programs = self.stage.root / "programs"
        programs.mkdir()
        (programs / "xdg-open").write_text(f"#!{sys.executable}\nimport sys\nopen({str(self.opened)!r}, 'a').write(sys.argv[1] + chr(10))\n")
        (programs / "xdg-open").chmod(0o755)
        self.stage.environment["PATH"] = f"{programs}:{os.environ['PATH']}"
        os.environ.update(self.stage.environment)
        entry = {"type": "user", "uuid": "11111111-1111-4111-8111-111111111111", "sessionId": "planted", "cwd": "/home/ada/shop",
                 "timestamp": "2026-09-01T10:00:00.000Z", "version": "2.1.197", "message": {"role": "user", "content": f"Always say {CANARY}."}}
        self.outside = self.stage.root / "outside"
        self.outside.mkdir()
        (self.outside / "planted.jsonl").write_text(json.dumps(entry) + "\n")
        (self.outside / "note.md").write_text(f"---\ntitle: {CANARY}\nid: 01890000-0000-7000-8000-0000000000aa\nkind: fix\nstatus: active\n---\n{CANARY}\n")
        (Path(self.stage.vault) / "Afterword/Fixes/link.md").symlink_to(self.outside / "note.md")

    def ask(self, window, asked, most=100_000):
        """What came of each request: `[command, how it ended, what it answered]`, of an answer `most` characters."""
        window._post("/timeouts", {"script": PATIENCE * 1000})
        # The driver is waited for only so long: what is asked is asked in parts.
        parts = [asked[begin:begin + IN_A_PART] for begin in range(0, len(asked), IN_A_PART)]
        return [told for part in parts for told in self.ask_part(window, part, most)]

    def ask_part(self, window, asked, most):
        return window._post("/execute/async", {"args": [asked, most, AT_ONCE], "script": """
            const [asked, most, atOnce, done] = arguments, all = new Array(asked.length);
            const long = (value) => typeof value === 'string' && value.startsWith('LONG') ? value.slice(4, 5).repeat(3e6)
                : Array.isArray(value) ? value.map(long)
                : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, long(one)])) : value;
            let next = 0;
            const worker = async () => {
                while (next < asked.length) {
                    const place = next++, [command, request] = asked[place];
                    const late = new Promise((resolve) => setTimeout(() => resolve([command, 'late', '']), 60_000));
                    const told = window.__TAURI_INTERNALS__.invoke(command, long(request)).then(
                        (answer) => [command, 'answered', JSON.stringify(answer ?? null).slice(0, most)],
                        (error) => [command, 'refused', JSON.stringify(error).slice(0, most)]);
                    all[place] = await Promise.race([told, late]);
                }
            };
            Promise.all(Array.from({ length: atOnce }, worker)).then(() => done(all))"""})

    def test_no_command_leaves_the_vault_or_hangs_whatever_it_is_given(self):
        outside = self.outside
        texts = [str(outside / "planted.jsonl"), str(outside / "note.md"), "../outside/planted.jsonl", "../outside/note.md",
                 "Afterword/Fixes/link.md", "../../../../../../etc/passwd", "..\\..\\outside\\note.md", "Afterword/../../outside/note.md",
                 "file:///etc/passwd", f"file://{outside}/note.md", "%2e%2e/outside/note.md", "a\0b", "--help", "'; DROP TABLE jobs; --", HURT,
                 "\u202e\u200b\U000e0041", "", " ", "LONGx", "LONG/", "LONG\0", "LONG "]
        before = {path: path.read_bytes() for path in outside.iterdir()}
        window = self.open()
        window.shows("Why it was found")
        commands = list(requests())
        self.assertGreater(len(commands), 45)
        for text in texts:
            # What is written outside is what a person named in the system's own dialog: the page names it here, in a test of its own.
            asked = [(name, {argument: of_type(kind, text) for argument, kind in arguments.items()})
                     for name, arguments in commands if name not in ("plan_export", "write_export")]
            for command, ended, answer in self.ask(window, asked):
                with self.subTest(command=command, text=text[:60]):
                    self.assertNotEqual(ended, "late")
                    self.assertNotIn(CANARY, answer)
                    self.assertNotIn("root:x:", answer)
                    if ended == "refused":
                        self.assertNotIn("panicked", answer)
        self.assertEqual({path: path.read_bytes() for path in outside.iterdir()}, before)
        opened = self.opened.read_text().splitlines() if self.opened.exists() else []
        self.assertEqual([one for one in opened if not one.startswith(("http://", "https://"))], [])
        self.assertFalse((self.stage.home / "Afterword").exists())
        # The window is as well as before, and so are its files.
        window.go("lessons")
        window.shows("learned today", "main")
        doctor = json.loads(self.stage.afterword("status", "--json"))
        self.assertIn("queue", doctor)

    def test_exports_are_written_where_they_are_seen_and_into_nothing_of_ours(self):
        shop = self.stage.root / "shop"
        (shop / ".git/hooks").mkdir(parents=True)
        (shop / "linked").symlink_to(self.outside)
        (shop / "CLAUDE.md").symlink_to(self.outside / "note.md")
        (shop / "main.rs").write_text("mine\n")
        own = Path(self.stage.environment["AFTERWORD_HOME"])
        contents = lambda folder: {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        before = contents(self.outside), contents(shop), (own / "config.toml").read_bytes()
        # Of each form what is refused: a file, and a folder for files of rules.
        refused = {
            "claude-md": [shop / "CLAUDE.md", shop / "main.rs", shop / ".git/CLAUDE.md", shop / "none/../.git/CLAUDE.md", shop / "linked/CLAUDE.md",
                          self.outside / "planted.jsonl", own / "config.toml", own / "state/CLAUDE.md", Path(self.stage.vault) / "Afterword/Home.md"],
            "rules": [shop / ".git/hooks", shop / "linked", shop / "linked/rules", own / "state", own / "cache/rules", Path(self.stage.vault) / "Afterword"],
        }
        odd = [f"{shop}/{text}" for text in ("a\0b.md", "\u202e\u200b/a.md", "x" * 5000 + ".md", "/" * 5000 + "../" * 900)]
        window = self.open()
        window.shows("Why it was found")
        for form, places in refused.items():
            request = lambda to, **more: {"request": {"form": form, "project": None, "chosen": None, "to": str(to)}, **more}
            asked = [(name, request(to, **more)) for to in places
                     for name, more in (("plan_export", {}), ("write_export", {"seen": []}), ("write_export", {"seen": [CANARY, HURT]}))]
            for (_, wish), (command, ended, answer) in zip(asked, self.ask(window, asked)):
                with self.subTest(command=command, form=form, to=wish["request"]["to"]):
                    self.assertEqual(ended, "refused", answer)
                    self.assertIn("nothing was exported", answer)
                    self.assertNotIn(CANARY, answer)
            for command, ended, answer in self.ask(window, [("plan_export", request(to)) for to in odd] + [("write_export", request(to, seen=[HURT])) for to in odd]):
                with self.subTest(command=command, form=form):
                    self.assertNotEqual(ended, "late")
                    self.assertNotIn("panicked", answer)
        self.assertEqual((contents(self.outside), contents(shop), (own / "config.toml").read_bytes()), before)
        # What is seen is written, and nothing else.
        good = {"request": {"form": "claude-md", "project": None, "chosen": None, "to": str(shop / "AGENTS.md")}}
        [[_, ended, answer]] = self.ask(window, [("plan_export", good)])
        self.assertEqual(ended, "answered", answer)
        seen = [file["after"] for file in json.loads(answer)["files"]]
        self.assertEqual(len(seen), 1, answer)
        [[_, ended, answer]] = self.ask(window, [("write_export", {**good, "seen": [seen[0] + CANARY]})])
        self.assertEqual((ended, (shop / "AGENTS.md").exists()), ("refused", False), answer)
        [[_, ended, answer]] = self.ask(window, [("write_export", {**good, "seen": seen})])
        self.assertEqual((ended, (shop / "AGENTS.md").read_text()), ("answered", seen[0]), answer)

    def test_imports_read_what_is_named_and_only_notes_and_write_only_into_the_vault(self):
        own, vault, outside = Path(self.stage.environment["AFTERWORD_HOME"]), Path(self.stage.vault), self.outside
        notes = self.stage.root / "notes"
        (notes / "deep" / "CLAUDE.md").mkdir(parents=True)
        (notes / ".hidden").mkdir()
        secret = f"- password {CANARY}\n- the token is {CANARY}\n"
        for place in (outside / "secrets.yml", outside / "secrets", notes / ".hidden/a.md", outside / "other.md", notes / "deep/plan.txt"):
            place.write_text(secret)
        # Named like notes: what leads to no note, what waits for a writer, what never ends, what is no text, and too much of it.
        (notes / "linked.md").symlink_to(outside / "secrets.yml")
        (notes / "linked-folder").symlink_to(outside)
        (notes / "round").symlink_to(notes)
        (notes / "nowhere.md").symlink_to(notes / "nowhere.md")
        (notes / "endless.md").symlink_to("/dev/zero")
        os.mkfifo(notes / "pipe.md")
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(notes / "socket.md"))
        (notes / "bytes.md").write_bytes(b"- \xff\xfe \0 " * 1000)
        (notes / "page.md").write_text(HURT * (3_000_000 // len(HURT)))
        # Just small enough to be read.
        (notes / "hurt.md").write_text(f"# {HURT}\n\n- always {HURT}\n" + "<div><!--[![" * 20_000)
        (notes / "nested.md").write_text("- " * 120_000)
        (notes / "alike.md").write_text("".join(f"- Say the same thing every time. And {number}\n" for number in range(5_000)))
        (notes / "..%2f..%2fout\u202e.md").write_text("---\ntitle: ../../../outside/title\nid: ../../x\n---\n\nA note whose title is a path.\n")
        contents = lambda folder: {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*") if not path.is_symlink()}
        watched = lambda: (contents(outside), contents(notes), (own / "config.toml").read_bytes(), sorted(self.stage.home.rglob("*.md")))
        before, before_vault = watched(), contents(vault)
        rules = lambda file: {"from": "rules", "file": str(file), "project": None}
        folder = lambda folder: {"from": "notes", "folder": str(folder), "project": HURT}
        refused = [rules(file) for file in (
            outside / "planted.jsonl", outside / "secrets.yml", outside / "secrets", own / "config.toml", "/etc/passwd", "/dev/zero", "/dev/stdin", "/proc/kmsg",
            notes, notes / "deep/CLAUDE.md", notes / "linked.md", notes / "nowhere.md", notes / "endless.md", notes / "pipe.md", notes / "socket.md",
            notes / "bytes.md", notes / "page.md", "none.md", "", "a\0b.md", "LONG/", "LONGx", HURT)]
        refused += [folder(place) for place in (outside / "planted.jsonl", notes / "pipe.md", notes / "nowhere.md", "/dev/zero", "none", "", "a\0b", "LONG/", "LONGx", HURT)]
        read = [rules(notes / name) for name in ("hurt.md", "nested.md", "alike.md")] + [folder(notes), folder(notes / "round"), folder(notes / ".hidden/.."),
                                                                                        {"from": "memory"}]
        # Of what Afterword wrote itself nothing is new.
        read += [folder(vault), folder(vault / "Afterword"), folder(vault / "Afterword/Preferences")]
        odd = [{"from": HURT}, {"from": "rules"}, {"from": "notes", "folder": None}, {"from": "rules", "file": [], "project": 1}, HURT, None, []]
        window = self.open()
        window.shows("Why it was found")
        chosen = ["../outside/planted.md", str(outside / "planted.md"), "Afterword/../../outside/x.md", "Afterword/Fixes/link.md", HURT, "a\0b", "", "LONGx"]
        ways = [("plan_import", {}), ("write_import", {"chosen": []}), ("write_import", {"chosen": chosen})]
        for name, more in ways:
            for sources, may_end in ((refused, {"refused"}), (read, {"answered"}), (odd, {"refused"})):
                for source, (command, ended, answer) in zip(sources, self.ask(window, [(name, {"source": source, **more}) for source in sources], 2_000_000)):
                    with self.subTest(command=command, source=source, chosen=len(more.get("chosen", []))):
                        self.assertIn(ended, may_end, answer[:500])
                        self.assertNotIn("panicked", answer)
                        self.assertNotIn(CANARY, answer)
                        self.assertNotIn("root:x:", answer)
                        if source in read:
                            plan = json.loads(answer)
                            self.assertEqual([note["path"] for note in plan["new"] if not re.fullmatch(r"Afterword/[A-Z_][\w ]*/[^/]+\.md", note["path"])], [])
                            if str(vault) in source.get("folder", ""):
                                self.assertEqual(plan["new"], [])
        self.assertEqual(watched(), before)
        self.assertEqual(contents(vault), before_vault, "nothing was chosen of what is new")
        # What is chosen is written, and nothing else.
        [[_, ended, answer]] = self.ask(window, [("plan_import", {"source": folder(notes)})])
        self.assertEqual(ended, "answered", answer[:500])
        new = [note["path"] for note in json.loads(answer)["new"]]
        self.assertGreaterEqual(len(new), 3, answer[:500])
        [[_, ended, answer]] = self.ask(window, [("write_import", {"source": folder(notes), "chosen": new + chosen})])
        self.assertEqual(ended, "answered", answer[:500])
        after = contents(vault)
        self.assertEqual(sorted(str(path.relative_to(vault)) for path in after if path not in before_vault and path.suffix == ".md" and path.stem != "Home"),
                         sorted(new))
        self.assertEqual([path for path, text in after.items() if path not in before_vault and CANARY.encode() in (text or b"")], [])
        self.assertEqual(watched(), before)
        # The window is as well as before.
        window.go("lessons")
        window.shows("Exports never overwrite a file", "main")

    def test_only_web_pages_are_opened_as_links(self):
        window = self.open()
        window.shows("Why it was found")
        bad = ["file:///etc/passwd", "javascript:alert(1)", "obsidian://open?path=/etc/passwd", "ssh://-oProxyCommand=x", "smb://host/share", "/etc/passwd",
               "-a", "https:", "https://", " https://example.org", "https://exa mple.org", "https://example.org/\n-x", "https://example.org/\0",
               "ms-msdt:/id", "vscode://file/etc/passwd", "https://example.org/\" & calc & \"", "LONGh"]
        for _, ended, answer in self.ask(window, [("open_link", {"address": address}) for address in bad]):
            self.assertEqual(ended, "refused", answer)
        self.assertFalse(self.opened.exists())
        good = ["https://example.org/a?b=c#d", "HTTP://example.org/", "https://example.org/%22"]
        for _, ended, answer in self.ask(window, [("open_link", {"address": address}) for address in good]):
            self.assertEqual(ended, "answered", answer)
        self.assertEqual(len(self.opened.read_text().splitlines()), 3)


class Shown(WindowTest):
    """Every field that others write, with markup in it, on every page."""

    reflected = False
    session = "0f0e0d0c-0000-4000-8000-00000000beef"

    def prepare(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        entry = lambda number, kind, message, **more: {
            "type": kind, "uuid": f"11111111-1111-4111-8111-{number:012}", "parentUuid": f"11111111-1111-4111-8111-{number - 1:012}" if number > 1 else None,
            "sessionId": self.session, "cwd": f"/home/ada/{HURT.replace('/', '')}", "gitBranch": HURT, "timestamp": f"2026-09-01T10:{number:02}:00.000Z",
            "version": HURT, "message": message, **more}
        said = lambda text: {"role": "user", "content": text}
        answered = lambda *blocks: {"id": "m", "role": "assistant", "model": HURT, "content": list(blocks)}
        self.stage.transcript(self.session, [
            {"type": "summary", "summary": HURT, "leafUuid": "11111111-1111-4111-8111-000000000001"},
            {"type": "custom-title", "customTitle": HURT, "sessionId": self.session},
            entry(1, "user", said(f"From now on never do {HURT} again.")),
            entry(2, "assistant", answered({"type": "text", "text": HURT + "\n\n```html\n" + HURT + "\n```\n| a |\n|---|\n| " + HURT + " |"})),
            entry(3, "assistant", answered({"type": "tool_use", "id": HURT, "name": f"mcp__{HURT}", "input": {HURT: HURT, "command": HURT}})),
            entry(4, "user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": HURT, "is_error": True, "content": HURT}]}),
            entry(5, "user", said(f"no, always write {HURT} first")),
        ])
        folder = Path(self.stage.vault) / "Afterword"
        quoted = json.dumps(HURT)
        for number, (place, kind, status) in enumerate([("Preferences", "preference", "active"), ("Fixes", "fix", "active"), ("_review", "preference", "inbox"),
                                                        ("Incubator", "idea", "active"), ("_inbox", "workflow", "inbox")]):
            (folder / place).mkdir(parents=True, exist_ok=True)
            (folder / place / f"hurt-{number}.md").write_text(
                f"---\nid: 01890000-0000-7000-8000-00000000000{number}\nkind: {kind}\ntitle: {quoted}\nstatus: {status}\nconfidence: medium\nproject: {quoted}\n"
                f"tags: [{quoted}]\nsession: {quoted}\nevidence: [{json.dumps(f'{self.session}/11111111-1111-4111-8111-000000000001')}, {quoted}]\nsignal: {quoted}\n"
                f"check: {quoted}\ncreated: 2026-09-01\n---\n\n{HURT}\n\n## Evidence\n\n> {HURT}\n")
        self.stage.afterword("reflect", "--all")
        question = {"type": "choice", "prompt": HURT, "options": [HURT, "the other"]}
        client = stand_in(self.stage.root / "client", {"needs_input": True, "message": HURT, "question": question})
        self.stage.afterword("config", "set", "claude.binary", client)
        self.stage.afterword("connections", "add", "hurt", "--variable", f"A={HURT}", "--", "/bin/true", HURT)
        self.task = self.stage.afterword("task", "new", "--yes", "--when", "now", "--title", HURT, HURT).strip()

    def unharmed(self, window, page):
        found = window.run("""return [window.hurt ?? null,
            [...document.querySelectorAll('img, script:not([src]), iframe, object, embed, b, base, form[action], meta[http-equiv]')].map((one) => one.outerHTML.slice(0, 200)),
            [...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].filter((attribute) => /^on/.test(attribute.name)).map((attribute) => one.outerHTML.slice(0, 200))),
            [...document.querySelectorAll('a[href], [src], [action]')].map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? one.getAttribute('action'))
                .filter((address) => !/^(#\\/|https?:|\\/assets\\/|\\.\\/assets\\/)/.test(address))]""")
        self.assertEqual(found, [None, [], [], []], page)

    def test_nothing_that_others_wrote_becomes_markup_on_any_page(self):
        window = self.open()
        until(lambda: "waiting_input" in self.stage.afterword("task", "list", "--json"), "the task asks")
        lesson = "01890000-0000-7000-8000-00000000000"
        pages = ["review", f"review/{lesson}2", "lessons", f"lessons/{lesson}0", f"lessons/{lesson}1", f"lessons/{lesson}4", "ideas", f"ideas/{lesson}3", "sessions",
                 f"sessions/{self.session}", "tasks", f"tasks/{self.task}", "activity", "stats", "settings", "conflicts"]
        seen = 0
        for page in pages:
            window.go(page)
            since = time.monotonic()
            until(lambda: "onerror" in window.text("main") or time.monotonic() - since > 6, page)
            seen += "onerror" in window.text("main")
            # What is folded shows, too.
            window.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
            time.sleep(0.5)
            self.unharmed(window, page)
        self.assertGreater(seen, 9, "the words are there, as words")
        # A page is an address, too: what a notification or another program names.
        for page in [HURT, f"sessions/{HURT}", f"lessons/{HURT}", "review/" + "x" * 100_000, "sessions/..%2f..%2fetc", "%", "sessions/%"]:
            window.go(page)
            time.sleep(0.7)
            self.unharmed(window, page[:80])


if __name__ == "__main__":
    unittest.main(verbosity=2)
