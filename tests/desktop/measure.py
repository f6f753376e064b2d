"""Measures what the desktop app costs and how soon it answers: `scripts/measure-desktop`. The figures are in docs/performance.md.

Everything is measured from outside, on data of its own: 5,000 lessons that wait, 2,000 that count, 20,000 sessions; answers with 1,000 that wait,
the search for lessons among 20,000.
`measure.py answers` measures one part alone: memory, answers, speed, pages, lessons or listing.
"""
import json
import os
import re
import sys
import time
import uuid
from pathlib import Path

from driver import Driver, family, name, until
from panel import Panel
from screen import Screen, close_window
from stage import PROGRAM, Stage

WAITING, SAVED, SESSIONS = 5_000, 2_000, 20_000
FEW_WAITING, FEW_SAVED, ANSWERS, FAST_KEYS = 1_000, 400, 200, 200
MANY_SAVED, PAGE_TURNS, LISTINGS = 20_000, 5, 5
PAGES = "review lessons ideas sessions tasks activity stats settings".split()
TICKS = os.sysconf("SC_CLK_TCK")
FEW_COLOURS = 12
WORDS = "commit branch test build cents invoice backup window retry cache".split()


def main():
    load = os.getloadavg()
    print(f"{PROGRAM}\nload before: {load[0]:.1f} {load[1]:.1f} {load[2]:.1f}, {os.cpu_count()} cores")
    print("\n| what | measured | wanted |\n|---|---|---|")
    for part in (memory, answers, speed, pages, lessons, listing):
        if part.__name__ in (sys.argv[1:] or [part.__name__]):
            part()
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


def row(what, measured, wanted=""):
    """A line of the table, as it stands in docs/performance.md."""
    print(f"| {what} | {measured} | {wanted} |", flush=True)


def memory():
    """PSS of all processes: tray alone, with the window, with the window closed."""
    stage = Stage()
    stage.sessions()
    stage.afterword("init", "--vault", stage.vault)
    stage.afterword("reflect", "--all")
    panel = Panel(stage.log)
    process = stage.tray("--tray")
    try:
        until(lambda: any("to review" in words for words in panel.menu()), "the tray")
        settled(process.pid)
        told = [("tray alone", pss(process.pid))]
        before = cpu(process.pid)
        began = time.monotonic()
        until(lambda: time.monotonic() - began > 20, "twenty seconds of rest")
        told.append(("CPU in 20 s of rest", f"{(cpu(process.pid) - before) * 1000:.0f} ms"))
        for turn in ("first", "second", "third"):
            panel.choose("Settings…")
            until(lambda: named(process.pid, "WebKitWebProcess"), "a window")
            settled(process.pid)
            told.append((f"{turn} window", pss(process.pid)))
            close_window()
            until(lambda: not named(process.pid, "WebKitWebProcess"), "the webview is gone")
            settled(process.pid)
            told.append((f"{turn} window closed", pss(process.pid)))
        for what, value in told:
            wanted = "100 MiB" if what == "tray alone" else f"{told[0][1] * 1.1:.0f} MiB" if what.endswith("closed") else ""
            row(what, value if isinstance(value, str) else f"{value:.1f} MiB", wanted)
    finally:
        process.kill()
        process.wait()
        panel.close()
        stage.end()


def draw_in_software():
    """As the tray has the window draw where there is no graphics device, also where a driver works it."""
    if not list(Path("/dev/dri").glob("renderD*")):
        os.environ["WEBKIT_DISABLE_DMABUF_RENDERER"] = "1"


ANSWERED = """const done = arguments[0];
const title = () => document.querySelector('article h2')?.innerText ?? '';
const before = title(), began = performance.now();
function frame() {
  if (title() === before || !title()) requestAnimationFrame(frame);
  else setTimeout(() => done(performance.now() - began));
}
dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));
requestAnimationFrame(frame);"""
FAST = """for (let n = 0; n < arguments[0]; n++) setTimeout(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'a' })), n * 50);"""


def filled_stage(waiting, saved, sessions):
    """A stage whose vault and index hold so many candidates, lessons and sessions, and that draws as every machine can."""
    draw_in_software()
    stage = Stage()
    stage.afterword("init", "--vault", stage.vault)
    fill(stage, waiting, saved, sessions)
    stage.afterword("index", "rebuild")
    return stage


def answers():
    """From the key that answers a lesson to the next lesson on the screen, one at a time and twenty a second."""
    stage = filled_stage(FEW_WAITING, FEW_SAVED, 0)
    window = Driver(PROGRAM, [], stage.log)
    window._post("/timeouts", {"script": 120_000})
    window.shows("Why it was found")
    try:
        times = []
        for _ in range(ANSWERS):
            # A person reads before the next answer.
            time.sleep(0.2)
            times.append(window._post("/execute/async", {"script": ANSWERED, "args": []}))
        times.sort()
        row(f"key to the next card, {FEW_WAITING:,} waiting, {ANSWERS} times",
            f"median {times[len(times) // 2]:.0f} ms, 90th {times[len(times) * 9 // 10]:.0f} ms, worst {times[-1]:.0f} ms", "median 50 ms, worst 100 ms")
        left = len(stage.notes("_review")) - FAST_KEYS
        assert left > 0
        window.run(FAST, FAST_KEYS)
        began = time.monotonic()
        until(lambda: len(stage.notes("_review")) == left, f"{FAST_KEYS} answers")
        row(f"{FAST_KEYS} keys at 20 a second, until all are on disk", f"{time.monotonic() - began:.1f} s", f"{FAST_KEYS / 20:.0f} s of pressing")
    finally:
        window.close()
        stage.end()


TURNED = """const [route, done] = arguments;
const began = performance.now(), before = document.querySelector('main')?.firstElementChild;
let last = began, shown = 0;
const seen = new MutationObserver(() => {
  last = performance.now();
  const page = document.querySelector('main')?.firstElementChild;
  // Words of the new page, and not only its frame.
  if (!shown && page !== before && page?.innerText.length > 40) requestAnimationFrame(() => (shown ||= performance.now()));
});
seen.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
location.hash = '/' + route;
function look() {
  if ((!shown || performance.now() - last < 500) && performance.now() - began < 20000) return setTimeout(look, 50);
  seen.disconnect();
  done([shown - began, last - began]);
}
setTimeout(look, 100);"""


def pages():
    """From the address of another page to its first words on the screen, and to the last change of what it shows."""
    stage = filled_stage(WAITING, SAVED, SESSIONS)
    window = Driver(PROGRAM, [], stage.log)
    window._post("/timeouts", {"script": 120_000})
    window.shows("Why it was found")
    try:
        took = {page: [] for page in PAGES}
        for _ in range(PAGE_TURNS):
            # The page that is shown is not gone to.
            for page in PAGES[1:] + PAGES[:1]:
                time.sleep(0.5)
                shown, settled = window._post("/execute/async", {"script": TURNED, "args": [page]})
                assert shown > 0, f"{page} is empty"
                took[page].append((shown, settled))
        for page, times in took.items():
            first, *rest = times
            middle = lambda which: sorted(one[which] for one in rest)[len(rest) // 2]
            row(f"to the page {page}, {PAGE_TURNS} times", f"its words after {first[0]:.0f} ms at first, then {middle(0):.0f} ms (median), {max(one[0] for one in rest):.0f} ms (worst); "
                f"nothing changes on it any more after {first[1]:.0f} ms at first, then {middle(1):.0f} ms", "words after 150 ms")
    finally:
        window.close()
        stage.end()


def lessons():
    """The search for lessons among many."""
    stage = filled_stage(0, MANY_SAVED, 0)
    window = Driver(PROGRAM, [], stage.log)
    window.go("lessons")
    window.shows(f"{MANY_SAVED:,} lessons")
    try:
        times = sorted(searched(window, word, MANY_SAVED) for word in WORDS * 3)
        row(f"key to search results, {MANY_SAVED:,} lessons, {len(times)} times",
            f"median {times[len(times) // 2]:.0f} ms, worst {times[-1]:.0f} ms", "100 ms")
    finally:
        window.close()
        stage.end()


def listing():
    """Everything that waits, each with the lessons close to it, as the command lists it."""
    stage = filled_stage(WAITING, SAVED, 0)
    try:
        times = []
        for _ in range(LISTINGS):
            began, before = time.monotonic(), os.times()
            listed = json.loads(stage.afterword("review", "list", "--json"))["items"]
            assert len(listed) == WAITING and all(item["similar"] for item in listed)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            times.append((time.monotonic() - began, spent))
        took, spent = sorted(times)[len(times) // 2]
        row(f"`afterword review list --json`, {WAITING:,} waiting, {SAVED:,} active", f"{took:.1f} s, of the processor {spent:.1f} s")
    finally:
        stage.end()


def speed():
    """First paint, search, scrolling."""
    stage = filled_stage(WAITING, SAVED, SESSIONS)
    first_paint(stage)
    stage.renew_bus()
    window = Driver(PROGRAM, [], stage.log)
    window.shows("Why it was found")
    try:
        row(f"scrolling {WAITING:,} candidates", scrolled(window), "no stall")
        window.go("sessions")
        window.shows(f"{SESSIONS:,} sessions")
        row(f"scrolling {SESSIONS:,} sessions", scrolled(window), "no stall")
        window.go("lessons")
        window.shows(f"{SAVED:,} lessons")
        times = sorted(searched(window, word) for word in WORDS)
        row(f"key to search results, {SAVED + WAITING:,} notes", f"median {times[len(times) // 2]:.0f} ms, worst {times[-1]:.0f} ms", "100 ms")
    finally:
        window.close()
        stage.end()


def first_paint(stage):
    """From the click in the tray's menu to the first words on the screen, and to all of the page."""
    screen, panel = Screen(), Panel(stage.log)
    process = stage.tray("--tray")
    try:
        review = lambda: next((words for words in panel.menu() if words.startswith("Open Review (")), None)
        entry = until(review, "the tray")
        settled(process.pid)
        for turn in ("first", "second", "third"):
            began, drawn = time.monotonic(), []
            panel.choose(entry)
            # Empty it has the colours of its ground and its frame; the page's words make it many, the lesson's many more.
            while not drawn or time.monotonic() - drawn[-1][0] < 2:
                colours = screen.colours()
                if colours > (drawn[-1][1] * 1.2 if drawn else FEW_COLOURS):
                    drawn.append((time.monotonic(), colours))
            words, page = ((one[0] - began) * 1000 for one in (drawn[0], drawn[-1]))
            row(f"{turn} window: click to first paint", f"{words:.0f} ms; the whole page after {page:.0f} ms", "1 s")
            close_window()
            until(lambda: not named(process.pid, "WebKitWebProcess"), "the webview is gone")
            settled(process.pid)
    finally:
        process.kill()
        process.wait()
        panel.close()


def fill(stage, waiting, saved, sessions):
    vault = stage.vault / "Afterword"
    for folder in ("_review", "Preferences"):
        (vault / folder).mkdir(parents=True, exist_ok=True)
    for number in range(waiting + saved):
        waits = number < waiting
        words = " ".join(WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7))
        day = f"2026-{1 + number % 9:02}-{1 + number % 28:02}"
        text = f"""---
title: "Rule {number} about {words}"
kind: preference
status: {"inbox" if waits else "active"}
confidence: {"medium" if waits else "high"}
project: project{number % 40}
created: {day}
signal: standing-rule
id: {uuid.UUID(int=(0x01a0 << 112) | (7 << 76) | (0b10 << 62) | number)}
---

Always look at the {words} before anything else, said {number} times.
"""
        (vault / ("_review" if waits else "Preferences") / f"rule-{number}.md").write_text(text)
    for number in range(sessions):
        session = str(uuid.UUID(int=number, version=4))
        folder = stage.claude / "projects" / f"-home-ada-project{number % 40}"
        folder.mkdir(parents=True, exist_ok=True)
        said = {"type": "user", "uuid": str(uuid.uuid4()), "sessionId": session, "cwd": f"/home/ada/project{number % 40}",
                "timestamp": "2026-09-01T10:00:00.000Z", "message": {"role": "user", "content": "what time is it"}}
        (folder / f"{session}.jsonl").write_text(json.dumps(said) + "\n")


SCROLL = """const done = arguments[0];
const list = document.querySelector('[role=listbox]');
let last = performance.now(), worst = 0, step = 0, blank = 0;
const gaps = [];
function frame(now) {
  gaps.push(now - last); worst = Math.max(worst, now - last); last = now;
  const box = list.getBoundingClientRect();
  const row = document.elementFromPoint(box.left + 60, box.top + box.height / 2);
  if (!row?.closest('[role=option]')) blank++;
  if (++step > 200) { gaps.sort((a, b) => a - b); done([gaps[100], worst, blank, list.querySelectorAll('[role=option]').length]); return; }
  list.scrollTop = step / 200 * list.scrollHeight;
  requestAnimationFrame(frame);
}
requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });"""


def scrolled(window):
    window._post("/timeouts", {"script": 120_000})
    median, worst, blank, rows = window._post("/execute/async", {"script": SCROLL, "args": []})
    return f"200 steps from top to end, a frame takes {median:.0f} ms (median), {worst:.0f} ms (worst), {blank} frames without rows, {rows} rows exist"


SEARCH = """const [word, done] = arguments;
const box = document.querySelector('input[type=search]'), list = document.querySelector('[role=listbox]');
const began = performance.now();
const seen = new MutationObserver(() => {
  if (!document.querySelector('[aria-label=Lessons] header')?.innerText.includes('best match')) return;
  if (window.asked !== word) return;
  seen.disconnect(); requestAnimationFrame(() => done(performance.now() - began));
});
seen.observe(document.querySelector('[aria-label=Lessons]'), { subtree: true, childList: true, characterData: true });
window.asked = word;
box.value = word; box.dispatchEvent(new Event('input', { bubbles: true }));"""


def searched(window, word, saved=SAVED):
    """From the key to the frame with the results, in milliseconds."""
    window.run("""const box = document.querySelector('input[type=search]'); box.value = '';
        box.dispatchEvent(new Event('input', { bubbles: true }))""")
    window.shows(f"{saved:,} lessons")
    # Nobody types before the list is drawn.
    time.sleep(0.3)
    return window._post("/execute/async", {"script": SEARCH, "args": [word]})


def named(pid, words):
    return [one for one in family(pid) if words in name(one)]


def of_process(pid):
    try:
        return int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)[1]) / 1024
    except (OSError, TypeError):
        return 0.0


def pss(pid):
    return sum(of_process(one) for one in family(pid))


def cpu(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def settled(pid):
    """Waits until nothing changed for two seconds."""
    last, since = (-1.0, -1.0), time.monotonic()

    def holds():
        nonlocal last, since
        now = (round(pss(pid)), round(cpu(pid), 1))
        if now != last:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 2

    until(holds, "it comes to rest")


if __name__ == "__main__":
    main()
