"""Driving the real client through a script, in a terminal of its own or headless.

Owns: the client's process, its empty environment and made-up home, and what a person does with the keyboard.
Does not: decide what is said (script.py) or what the model answers (stub.py).
"""
import json
import os
import re
import subprocess
import threading
import time
import uuid
from pathlib import Path

from stub import Reply

KEY = "sk-ant-made-up-key-0"
NAMESPACE = uuid.UUID("6f0c6f0e-5a5e-4a53-9d5c-0c1f0d3b7a11")


class Stuck(Exception):
    pass


def until(test, what, seconds=90):
    """Waits for a condition; the client gives no other sign."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = test()
        if value:
            return value
        time.sleep(0.1)
    raise Stuck(what)


class Client:
    def __init__(self, binary, root, person, project, desk, port, header):
        self.binary, self.desk, self.header = binary, desk, header
        self.home = Path(root) / "home" / person
        self.work = self.home / project
        self.tmux = ["tmux", "-L", f"afterword-{os.getpid()}", "-f", "/dev/null"]
        toolchain = Path(subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()) / "bin"
        node = Path(subprocess.run(["sh", "-c", "command -v node"], capture_output=True, text=True).stdout.strip()).parent
        self.env = {
            "HOME": str(self.home), "USER": person, "SHELL": "/bin/bash", "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "PATH": f"{toolchain}:{node}:/usr/bin:/bin", "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
            "ANTHROPIC_API_KEY": KEY, "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "CARGO_NET_OFFLINE": "true", "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.session, self.pauses, self.running = None, [], False

    # -- where things are ---------------------------------------------------------------------------------------

    def prepare(self, seed):
        """Makes the home and the project the session works in; a project that exists is worked on further."""
        (self.home / ".claude").mkdir(parents=True, exist_ok=True)
        rules = {"allow": ["Bash", "Read", "Write", "Edit", "Agent"], "ask": self.header.get("ask", [])}
        (self.home / ".claude" / "settings.json").write_text(json.dumps({"permissions": rules}))
        (self.home / ".claude.json").write_text(json.dumps({
            "hasCompletedOnboarding": True, "theme": "dark", "numStartups": 9,
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(self.work): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
        }))
        name = self.header["name"][0]
        (self.home / ".gitconfig").write_text(
            f"[user]\n name = {name}\n email = {self.home.name}@example.org\n[init]\n defaultBranch = main\n")
        if not self.work.exists():
            subprocess.run(["cp", "-r", str(seed), str(self.work)], check=True)
            for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "start"]):
                subprocess.run(["git", *step], cwd=self.work, env=self.env, check=True)

    def transcript(self, session=None):
        folder = re.sub(r"[^A-Za-z0-9]", "-", str(self.work))
        return self.home / ".claude" / "projects" / folder / f"{session or self.session}.jsonl"

    def entries(self):
        path = self.transcript()
        if not path.exists():
            return []
        out = []
        for line in path.read_text().splitlines():
            try:
                out.append(json.loads(line))
            except ValueError:
                pass  # half written
        return out

    # -- the terminal -------------------------------------------------------------------------------------------

    def start(self, *arguments):
        assignments = [f"{key}={value}" for key, value in self.env.items()]
        subprocess.run([*self.tmux, "new-session", "-d", "-s", "client", "-x", "150", "-y", "60", "-c", str(self.work),
                        "env", "-i", *assignments, self.binary, *arguments], check=True)
        self.running = True
        until(lambda: "❯" in self.screen() and re.search(r"for shortcuts|mode on|edits on", self.screen()), "client did not start")
        time.sleep(1)

    def stop(self):
        if self.running:
            self.keys("-l", "/exit")
            time.sleep(0.5)
            self.keys("Enter")
            try:
                until(lambda: subprocess.run([*self.tmux, "has-session", "-t", "client"], capture_output=True).returncode, "no exit", 10)
            except Stuck:
                subprocess.run([*self.tmux, "kill-server"], capture_output=True)
            self.running = False

    def kill(self):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True)
        self.running = False

    def screen(self):
        return subprocess.run([*self.tmux, "capture-pane", "-pt", "client"], capture_output=True, text=True).stdout

    def keys(self, *keys):
        subprocess.run([*self.tmux, "send-keys", "-t", "client", *keys], check=True)

    def type(self, text):
        if "\n" in text or len(text) > 300:
            subprocess.run([*self.tmux, "load-buffer", "-"], input=text, text=True, check=True)
            subprocess.run([*self.tmux, "paste-buffer", "-p", "-r", "-t", "client"], check=True)
        else:
            self.keys("-l", "--", text)
        time.sleep(0.4)

    def enter(self):
        self.keys("Enter")

    def choose_line(self, pattern):
        """Moves the cursor of a question on screen to the option that matches."""
        for _ in range(8):
            if re.search(r"❯ \d\. " + pattern, self.screen()):
                return
            self.keys("Down")
            time.sleep(0.3)
        raise Stuck(f"no option {pattern} on screen:\n{self.screen()}")

    # -- acts ---------------------------------------------------------------------------------------------------

    def act(self, item):
        """Does what a person does, and waits until it shows: a question answered is gone, or its answer is written down."""
        before = self.results()
        self.keyboard(item)
        asked = {"reject": "Do you want to", "approve": "Do you want to", "choose": "Enter to select", "answer": "Enter to select",
                 "plan-ok": "Would you like to proceed?", "plan-no": "Would you like to proceed?"}.get(item.kind)
        if asked:
            until(lambda: asked not in self.screen() or self.results() > before, f"{item.at}: the question stays")

    def results(self):
        return sum('"tool_result"' in json.dumps(entry.get("message", "")) for entry in self.entries())

    def keyboard(self, item):
        if item.kind in ("reject", "approve"):
            until(lambda: "Do you want to" in self.screen(), f"{item.at}: no permission question")
            time.sleep(0.4)
            if item.kind == "approve":
                self.enter()
            elif item.text:
                self.choose_line("No")
                self.keys("Tab")
                time.sleep(0.4)
                self.type(item.text)
                self.enter()
            else:
                self.keys("Escape")
        elif item.kind in ("choose", "answer"):
            until(lambda: "Enter to select" in self.screen(), f"{item.at}: no question")
            time.sleep(0.4)
            if item.kind == "choose":
                self.keys(item.text)
            else:
                self.choose_line("Type something")
                self.type(item.text)
                self.enter()
        elif item.kind in ("plan-ok", "plan-no"):
            until(lambda: "Would you like to proceed?" in self.screen(), f"{item.at}: no plan")
            time.sleep(0.4)
            if item.kind == "plan-ok":
                self.keys("2")
            else:
                self.choose_line("Tell Claude")
                self.type(item.text)
                self.enter()
        elif item.kind == "queue":
            self.type(item.text)
            self.enter()
            until(lambda: any(e.get("operation") == "enqueue" and e.get("content") == item.text for e in self.entries()),
                  f"{item.at}: not queued")
        elif item.kind == "interrupt":
            time.sleep(1.2)
            before = self.interrupts()
            self.keys("Escape")
            until(lambda: self.interrupts() > before, f"{item.at}: not interrupted")

    def interrupts(self):
        return sum("[Request interrupted by user" in json.dumps(e.get("message", "")) for e in self.entries())

    # -- a turn -------------------------------------------------------------------------------------------------

    def turn(self, said, rest):
        """One prompt and all that follows until the next."""
        if said.text.startswith("/compact"):
            return self.compact(said)
        groups, acts = replies(rest, self.work)
        base = self.desk.asked
        for group in groups:
            self.desk.expect(group.reply)
        cut = any(item.kind == "interrupt" or (item.kind == "reject" and not item.text) for _, item in acts)
        if self.header.get("client", ["terminal"])[0] == "headless":
            self.headless(said.text)
        else:
            self.type(said.text)
            self.enter()
            for index, item in acts:
                if item.kind in ("queue", "interrupt"):
                    until(lambda: self.desk.asked >= base + index + 1, f"{item.at}: reply {index} never asked for")
                self.act(item)
                if index < len(groups) and groups[index].reply.hold:
                    groups[index].reply.hold.set()
            if not cut:
                last = [item.text for item in rest if item.kind == "text"][-1]
                until(lambda: self.settled(last), f"{said.at}: the turn did not end\n{self.screen()}", 240)
            time.sleep(0.3)
        if self.desk.main and not cut:
            raise Stuck(f"{said.at}: {len(self.desk.main)} replies left over")
        self.desk.main.clear()

    def compact(self, said):
        self.type(said.text)
        self.enter()
        until(lambda: any(e.get("isCompactSummary") for e in self.entries()), f"{said.at}: not compacted\n{self.screen()}")
        time.sleep(1)

    def settled(self, last):
        seen = False
        for entry in self.entries():
            if entry.get("type") == "assistant":
                seen = last in json.dumps(entry["message"]["content"], ensure_ascii=False).replace("\\n", "\n").replace('\\"', '"')
            elif seen and entry.get("subtype") == "turn_duration":
                return True
        return False

    def headless(self, text):
        known = self.transcript().exists()
        which = ["--resume", self.session] if known else ["--session-id", self.session]
        run = subprocess.run([self.binary, "-p", text, *which, "--permission-mode", "acceptEdits"], cwd=self.work, env=self.env,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        if run.returncode:
            raise Stuck(run.stdout + run.stderr)


class Group:
    def __init__(self):
        self.reply, self.items = Reply([]), []


def replies(rest, work):
    """Cuts what the agent says and does in a turn into replies: text and one tool call each, text alone at the end."""
    groups, acts, fresh = [], [], True

    def group(new):
        if new or not groups:
            groups.append(Group())
        return groups[-1]

    for item in rest:
        if item.kind == "text":
            group(fresh or groups[-1].items).reply.blocks.append(("text", item.text))
            fresh = False
        elif item.kind == "tool":
            target = group(fresh or groups[-1].items)
            target.reply.blocks.append(("tool", item.text, absolute(item.input, work)))
            target.items.append(item)
            fresh = False
        elif item.kind == "plan":
            target = group(fresh or groups[-1].items)
            target.reply.blocks.append(("tool", "Write", {"file_path": "{PLAN}", "content": item.text}))
            target.items.append(item)
            closing = group(True)
            closing.items.append(item)
            closing.reply.blocks.append(("tool", "ExitPlanMode", {}))
            fresh = True
        elif item.kind == "queue":
            acts.append((len(groups), item))
            fresh = True
        elif item.kind == "interrupt":
            acts.append((len(groups) - 1, item))
            fresh = True
        else:
            acts.append((len(groups) - 1, item))
            fresh = True
    for index, item in acts:
        if item.kind == "queue" and index < len(groups):
            groups[index].reply.hold = threading.Event()
        if item.kind == "interrupt" and not groups[index].items:
            groups[index].reply.hold_after = threading.Event()
    return groups, acts


def absolute(value, work):
    path = value.get("file_path")
    if path and not path.startswith(("/", "{")):
        return {**value, "file_path": str(work / path)}
    return value


def agents(rest, work):
    """The replies of the sub-agents a turn starts, by the prompt they start with."""
    return [(item.input["prompt"], [group.reply for group in replies(item.inner, work)[0]]) for item in rest if item.inner]
