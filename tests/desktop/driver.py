"""A small WebDriver client: enough to press keys in the real window, read what it shows, and photograph it."""
import base64
import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Escape": "\ue00c", "Enter": "\ue007", "ArrowDown": "\ue015", "Control": "\ue009"}
# The machine may be busy with other things; nothing here takes a second by itself.
PATIENCE = 120
# A click that has not arrived by then met something else.
MISSED = 3
# The driver is on this machine, whatever proxy the environment names.
DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))
# Errors of WebDriver after which nothing was clicked (w3.org/TR/webdriver2, "Errors").
NOT_CLICKED = ("stale element reference", "element not interactable", "element click intercepted", "no such element")


class Driver:
    """A running window."""

    def __init__(self, program, arguments, log):
        self.program = Path(program)
        options = {"binary": str(program), "args": list(arguments)}
        self._begin("WebKitWebDriver", {"browserName": "wry", "webkitgtk:browserOptions": options}, log)

    def _begin(self, driver, wanted, log):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen([driver, f"--port={port}"], stdout=log, stderr=log)
        until(lambda: self._answers(), f"{driver} answers")
        try:
            session = self._post("/session", {"capabilities": {"alwaysMatch": wanted}})
        except BaseException:
            self.close()
            raise
        self.base += f"/session/{session['sessionId']}"

    def close(self):
        # A closed window would leave the tray, and with it the program.
        for process in running(self.program):
            # The window's program ends by itself once the tray's is gone.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        until(lambda: not running(self.program), "the program ends")

    def violations(self, axe):
        """What axe finds against WCAG 2.2 AA on what is shown now, a line each."""
        # Faded in or out, colours are not what they will be.
        until(lambda: self.run("return document.getAnimations().every((one) => one.playState !== 'running')"), "rest")
        if not self.run("return 'axe' in window"):
            self.run(axe + "; window.axe = axe")
        self._post("/timeouts", {"script": PATIENCE * 1000})
        found = self._post("/execute/async", {"args": [], "script": """const done = arguments[0];
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
            axe.run(document, { runOnly: tags, resultTypes: ['violations'] }).then((all) => done(all.violations.flatMap((one) =>
                one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`))), (error) => done([String(error)]))"""})
        return found

    def run(self, script, *arguments):
        """What the script returns."""
        return self._post("/execute/sync", {"script": script, "args": list(arguments)})

    def text(self, selector="body"):
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def shows(self, words, selector="body"):
        """Waits until the words are there."""
        until(lambda: words in self.text(selector), lambda: f"{words!r} in {selector}: {self.text(selector)[:2000]}")

    def press(self, *keys):
        """Presses keys as a person would, wherever the focus is."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def chord(self, held, key):
        held, key = KEYS.get(held, held), KEYS.get(key, key)
        order = [("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held)]
        actions = [{"type": kind, "value": value} for kind, value in order]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, words, selector="button, a, label, summary"):
        """Clicks what bears these words; once more where the page moved meanwhile, and the click met something else."""
        find = """const [words, selector] = arguments;
            const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility() && !one.disabled);
            return all.find((one) => one.innerText.trim() === words) ?? all.find((one) => one.innerText.includes(words)) ?? null"""

        def clicked():
            found = self.run(find, words, selector)
            if not found:
                return False
            try:
                self.run("window.met = false; arguments[0].addEventListener('click', () => (window.met = true), { capture: true, once: true })", found)
                self._post(f"/element/{found[ELEMENT]}/click", {})
            except RuntimeError as error:
                # Drawn anew since it was found, or not yet where it is to be: nothing was clicked.
                if not any(reason in str(error) for reason in NOT_CLICKED):
                    raise
                return False
            try:
                return soon(lambda: self.run("return window.met"), MISSED)
            except (RuntimeError, OSError, http.client.HTTPException):
                # The click closed the window.
                return True

        until(clicked, f"something to click named {words!r}")

    def write(self, words, selector):
        """Puts words into a field, in the place of what it held."""
        put = """const [words, selector] = arguments, field = document.querySelector(selector);
            if (!field) return false;
            field.focus(); field.value = words; field.dispatchEvent(new Event('input', { bubbles: true })); return true"""
        until(lambda: self.run(put, words, selector), selector)

    def go(self, route):
        self.run("location.hash = '/' + arguments[0]", route)

    def photograph(self, path):
        # Two frames: what was just changed is drawn. On a busy machine that takes its time.
        self._post("/timeouts", {"script": PATIENCE * 1000})
        self._post("/execute/async", {"script": "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", "args": []})
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def resize(self, width, height):
        self._post("/window/rect", {"width": width, "height": height})

    def _answers(self):
        try:
            return self._call("GET", "/status") is not None
        except (OSError, http.client.HTTPException):
            return False

    def _post(self, path, body):
        return self._call("POST", path, body)

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with DIRECTLY.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode(errors='replace')}") from error


class Browser(Driver):
    """A page in Chromium, without the program."""

    def __init__(self, address, log):
        # As root it has no sandbox; nothing but the page's own files is shown in it.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,832"]
        self._begin("chromedriver", {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}}, log)
        self.visit(address)

    def close(self):
        self._call("DELETE", "")
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)

    def visit(self, address):
        self._post("/url", {"url": address})

    def size(self, width, height):
        """Has the page just so much room; the window itself takes some for its frame."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._post("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics})

    def prefer(self, **features):
        """What the person told the system: color_scheme="dark", reduced_motion="reduce"."""
        wanted = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self._post("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": wanted}})


def running(program):
    """The processes of this program that belong to this test."""
    ours = f"AFTERWORD_HOME={os.environ['AFTERWORD_HOME']}".encode()
    found = []
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            is_ours = ours in (process / "environ").read_bytes().split(b"\0")
            if is_ours and os.readlink(process / "exe") == str(program):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def family(pid):
    """The process and its descendants."""
    parents = {}
    for other in Path("/proc").iterdir():
        if other.name.isdigit():
            try:
                parents[int(other.name)] = int((other / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def name(pid):
    """The name of a process's program."""
    try:
        return Path(os.readlink(f"/proc/{pid}/exe")).name
    except OSError:
        return "?"


def until(holds, what, patience=PATIENCE):
    """Polls until it holds; there is no fixed sleep in these tests."""
    end = time.monotonic() + patience
    while True:
        value = holds()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {patience} s: {what() if callable(what) else what}")
        time.sleep(0.05)


def soon(holds, patience):
    """What it comes to within so many seconds, and False where it does not hold by then."""
    try:
        return until(holds, "it holds", patience)
    except AssertionError:
        return False
