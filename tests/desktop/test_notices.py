"""What is told, and when: the tray's program, real sessions and tasks, and the notification daemon dunst, which writes down what it shows."""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
from datetime import datetime
from pathlib import Path

from driver import PATIENCE, running, until
from panel import WATCHER, Panel
from stage import COMMAND, OVER_BUDGET, PROGRAM, stand_in
from test_window import WindowTest

QUESTION = {"type": "choice", "prompt": "Which one first?", "options": ["the long one", "the short one"]}


@unittest.skipUnless(shutil.which("dunst"), "dunst is not installed")
class DaemonTest(WindowTest):
    """A home with a notification daemon that writes down what it shows."""

    def prepare(self):
        self.stage.afterword("init", "--vault", self.stage.vault)
        self.told = self.stage.root / "told"
        self.told.mkdir()
        script = self.stage.root / "tell"
        script.write_text(f"""#!{sys.executable}
import json, pathlib, sys, time
told = pathlib.Path({str(self.told)!r}) / str(time.time_ns())
told.with_suffix(".new").write_text(json.dumps({{"at": time.time(), "title": sys.argv[2], "body": sys.argv[3]}}))
told.with_suffix(".new").rename(told.with_suffix(".json"))
""")
        script.chmod(0o755)
        daemon = self.stage.dunst(f"    script = {script}\n")
        self.addCleanup(lambda: (daemon.terminate(), daemon.wait(timeout=PATIENCE)))

    def notices(self):
        return [json.loads(one.read_text()) for one in sorted(self.told.glob("*.json"))]

    def notice(self, title):
        """Waits for the one with this title, or a part of it."""
        found = lambda: next((one for one in self.notices() if title in one["title"]), None)
        return until(found, lambda: f"a notice {title!r} among {self.notices()}")

    def task_that_asks(self):
        client = stand_in(self.stage.root / "client", {"needs_input": True, "message": "Two mails wait.", "question": QUESTION})
        self.stage.afterword("config", "set", "claude.binary", client)

    def task_that_fails(self):
        """Its run costs more than it may: trying again cannot help."""
        client = stand_in(self.stage.root / "client", OVER_BUDGET)
        self.stage.afterword("config", "set", "claude.binary", client)


class Notices(DaemonTest):
    def prepare(self):
        # Where no panel shows the icon, the window is open from the start.
        self.panel = Panel(self.stage.log, [WATCHER])
        self.addCleanup(self.panel.close)
        super().prepare()

    def start(self):
        process = self.stage.tray("--tray")
        self.addCleanup(lambda: (process.kill(), process.wait()))
        until(lambda: json.loads(self.stage.afterword("status", "--json"))["agent"], "the agent is at work")

    def opened(self):
        """The page the window was started with, after a click."""
        subprocess.run(["dunstctl", "action", "0"], check=True)

        def arguments(pid):
            try:
                return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                return []

        windows = lambda: [arguments(pid) for pid in running(PROGRAM)]
        return until(lambda: next((words[2].decode() for words in windows() if words[1:2] == [b"--window"]), None), "a window")

    def test_a_task_that_waits_for_an_answer_is_told_and_a_click_opens_it(self):
        self.task_that_asks()
        self.start()
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Send my <b>mails</b>")
        told = self.notice("A task waits for your answer")
        self.assertIn("Which one first?", told["body"])
        task = json.loads(self.stage.afterword("task", "list", "--json"))
        self.assertIn(self.opened().removeprefix("tasks/"), json.dumps(task))

    def test_a_run_that_failed_is_told_with_its_reason_and_a_click_opens_the_task(self):
        self.task_that_fails()
        self.start()
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Send my mails")
        told = self.notice("A task waits for your answer")
        self.assertIn("A run failed", told["body"])
        self.assertIn("limit of money", told["body"])
        task = json.loads(self.stage.afterword("task", "list", "--json"))
        self.assertIn(self.opened().removeprefix("tasks/"), json.dumps(task))
        # In one with the other where both come within two seconds, else in the next one.
        all_told = lambda: "\n".join(f"{one['title']}\n{one['body']}" for one in self.notices())
        until(lambda: "A task failed" in all_told(), all_told)

    def test_a_failure_is_told_by_itself_where_questions_are_turned_off(self):
        self.stage.afterword("config", "set", "notices.waiting", "false")
        self.task_that_fails()
        self.start()
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Send my mails")
        self.assertIn("limit of money", self.notice("A task failed")["body"])
        self.assertEqual(self.opened(), "tasks")

    def test_a_session_that_was_reflected_is_told(self):
        self.stage.afterword("config", "set", "notices.review", "false")
        self.start()
        self.stage.sessions()
        told = self.notice("reflected")
        self.assertRegex(told["title"], r"^(A session was|\d+ sessions were) reflected$")
        self.assertRegex(self.opened(), "^sessions")

    def test_what_comes_within_a_minute_is_told_together_after_it(self):
        # Of sessions as well, the first notice might be of one that put nothing up.
        self.stage.afterword("config", "set", "notices.completed", "false")
        self.start()
        self.stage.asked("meters")
        first = self.notice("to review")
        self.stage.asked("invoices")
        self.stage.asked("homelab")
        self.stage.sessions()
        until(lambda: len(self.notices()) > 1, lambda: f"the next one: {self.notices()}")
        second = self.notices()[1]
        # Less than a minute, as dunst's script may take longer to start the first time.
        self.assertGreaterEqual(second["at"] - first["at"], 45)
        self.assertRegex(second["title"], r"^\d+ lessons to review$")
        since = time.monotonic()
        until(lambda: time.monotonic() - since > 5, "time for another one")
        self.assertEqual(len(self.notices()), 2, "all the others in one")

    def test_a_vault_that_cannot_be_shown_is_told_with_its_path(self):
        self.start()
        vault = Path(self.stage.vault)
        vault.rename(vault.with_name("elsewhere"))
        self.panel.choose("Open Vault")
        self.assertIn(str(vault), self.notice("could not be opened")["body"])
        self.assertEqual(self.opened(), "settings")

    def test_each_kind_can_be_turned_off(self):
        self.task_that_asks()
        for kind in ("completed", "failed", "review", "waiting"):
            self.stage.afterword("config", "set", f"notices.{kind}", "false")
        self.start()
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Send my mails")
        self.stage.asked("meters")
        until(lambda: "waiting_input" in self.stage.afterword("task", "list", "--json"), "the task asks")
        until(lambda: self.stage.notes("_review"), "lessons that wait")
        self.task_that_fails()
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Send other mails")
        until(lambda: '"failed"' in self.stage.afterword("jobs", "--json"), lambda: f"a failure: {self.stage.afterword('jobs')}")
        since = time.monotonic()
        # What is told is told after two seconds.
        until(lambda: time.monotonic() - since > 6, "time to tell it")
        self.assertEqual(self.notices(), [])


class Headless(DaemonTest):
    """The agent without the desktop app."""

    def start(self):
        process = subprocess.Popen([COMMAND, "run"], stdout=self.stage.log, stderr=self.stage.log)
        self.addCleanup(lambda: (process.terminate(), process.wait(timeout=PATIENCE)))
        until(lambda: json.loads(self.stage.afterword("status", "--json"))["agent"], "the agent is at work")

    def asks(self, words):
        """Makes a task that asks, and waits until it does; gives its id."""
        before = self.stage.afterword("task", "list", "--json").count("waiting_input")
        self.stage.afterword("task", "new", "--yes", "--when", "now", words)
        until(lambda: self.stage.afterword("task", "list", "--json").count("waiting_input") > before, "the task asks")

    def nothing_more(self, known):
        since = time.monotonic()
        # What is told is told after two seconds.
        until(lambda: time.monotonic() - since > 6, "time to tell it")
        self.assertEqual(len(self.notices()), known, self.notices())

    def test_a_task_that_waits_for_an_answer_is_told(self):
        self.task_that_asks()
        self.start()
        self.asks("Send my <b>mails</b>")
        self.assertIn("Which one first?", self.notice("A task waits for you")["body"])

    def test_words_of_a_model_are_words_and_hold_no_secret(self):
        token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        # A notification is cut in the middle of the second token.
        prompt = f"<b>Now</b> <a href='x'>go</a> &lt;i&gt; \x1b[31m\u202e {token} {'long ' * 12} {token}"
        asks = {"needs_input": True, "message": "x", "question": {"type": "choice", "prompt": prompt, "options": ["a", "b"]}}
        self.stage.afterword("config", "set", "claude.binary", stand_in(self.stage.root / "client", asks))
        self.start()
        self.asks("Send my mails")
        body = self.notice("A task waits for you")["body"]
        self.assertIn("Now", body)
        self.assertNotRegex(body, "[<>&\x1b\u202e]|ghp_")
        self.assertLess(len(body), 200)

    def test_quiet_hours_keep_it_for_later(self):
        self.task_that_asks()
        hour = datetime.now().hour
        self.stage.afterword("config", "set", "notices.quiet_hours", f"{(hour - 1) % 24:02}:00-{(hour + 2) % 24:02}:00")
        self.start()
        self.asks("Send my mails")
        self.nothing_more(0)

    def test_a_muted_task_reports_in_silence(self):
        done = {"complete": True, "message": "The build is green."}
        client = stand_in(self.stage.root / "client", done, done)
        self.stage.afterword("config", "set", "claude.binary", client)
        self.start()
        self.stage.afterword("task", "new", "--yes", "--when", "in 1 minute", "Watch the old build")
        task = json.loads(self.stage.afterword("task", "list", "--json"))["conversations"][0]["id"]
        self.stage.afterword("task", "mute", task)
        self.stage.afterword("task", "run", task)
        until(lambda: "finished" in self.stage.afterword("task", "show", task, "--json"), "the run is over")
        self.nothing_more(0)
        self.stage.afterword("task", "new", "--yes", "--when", "now", "Watch the new build")
        self.assertIn("Watch the new build: The build is green.", self.notice("A task is done")["body"])

    def test_without_a_bus_the_agent_works_on(self):
        self.task_that_asks()
        address = os.environ.pop("DBUS_SESSION_BUS_ADDRESS")
        self.addCleanup(lambda: os.environ.update(DBUS_SESSION_BUS_ADDRESS=address))
        self.start()
        self.asks("Send my mails")
        self.nothing_more(0)
        self.assertNotIn("notification", self.stage.afterword("logs"))

    def test_a_bus_that_nobody_answers_on_stops_nothing(self):
        asks = {"needs_input": True, "message": "Two mails wait.", "question": QUESTION}
        self.stage.afterword("config", "set", "claude.binary", stand_in(self.stage.root / "client", asks, asks))
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.stage.root}/nobody"
        self.start()
        self.asks("Send my mails")
        until(lambda: "showing a notification failed" in self.stage.afterword("logs"), "the log says so")
        self.asks("Send other mails")


if __name__ == "__main__":
    unittest.main(verbosity=2)
