"""Whether everybody can use the page: axe against WCAG 2.2 AA, the keyboard, large text; in Chromium on canned data and in the real
window on real data."""
import functools
import http.server
import shutil
import tempfile
import threading
import unittest

from driver import Browser, until
from photograph import PAGES
from stage import ROOT
from test_window import WindowTest

AXE = ROOT / "ui/node_modules/axe-core/axe.min.js"
CANNED = [
    ("review", "Why it was found"), ("lessons", "Why it is here"), ("ideas", "Undo in every list"), ("sessions", "What was learned"),
    ("tasks", "Which one first?"), ("activity", "Activity"), ("stats", "Usefulness"), ("settings", "Does everything work?"),
    ("conflicts", "Syncthing"),
]
TAB = "\ue004"
# What ends beyond the right edge of the page, or would have to be scrolled sideways.
PAST_THE_EDGE = """const main = document.querySelector('main'), edge = main.getBoundingClientRect().right + 1;
    const past = [...main.querySelectorAll('*')].filter((one) => {
        if (!one.checkVisibility() || one.closest('svg, pre, .scrolls')) return false;
        const box = one.getBoundingClientRect(), style = getComputedStyle(one);
        const scrolls = /auto|scroll/.test(style.overflowX) && one.scrollWidth > one.clientWidth + 1 && one.tagName !== 'TEXTAREA';
        return (box.width > 2 && box.right > edge) || scrolls;
    });
    return past.map((one) => one.outerHTML.slice(0, 120)).slice(0, 4)"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("chromedriver") and AXE.exists(), "chromium-driver or axe-core is not installed")
class Page(unittest.TestCase):
    """In Chromium, on canned data."""

    @classmethod
    def setUpClass(cls):
        files = functools.partial(Quiet, directory=ROOT / "ui/dist")
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), files)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.server.server_close)
        cls.addClassCleanup(cls.server.shutdown)
        log = tempfile.TemporaryFile()
        cls.addClassCleanup(log.close)
        cls.address = f"http://127.0.0.1:{cls.server.server_port}/"
        cls.page = Browser(cls.address, log)
        cls.addClassCleanup(cls.page.close)

    def show(self, name, sign):
        self.page.visit(f"{self.address}#/{name}")
        self.page.shows(sign, "main")

    def test_every_page_keeps_to_wcag_light_and_dark(self):
        axe = AXE.read_text()
        for scheme in ("light", "dark"):
            self.page.prefer(color_scheme=scheme)
            for name, sign in CANNED:
                with self.subTest(page=name, scheme=scheme):
                    self.show(name, sign)
                    self.assertEqual(self.page.violations(axe), [])
            with self.subTest(page="first run", scheme=scheme):
                self.page.visit(f"{self.address}?new")
                self.page.shows("Where should notes go?")
                self.assertEqual(self.page.violations(axe), [])

    def test_every_form_of_the_review_keeps_to_wcag(self):
        axe = AXE.read_text()
        for key, sign in [("e", "Text, as markdown"), ("r", "You can leave this empty"), ("p", "Use npm for scripts"), ("?", "Why it was found")]:
            with self.subTest(key=key):
                self.page.visit("about:blank")
                self.show("review", "Why it was found")
                self.page.press(key)
                self.page.shows(sign)
                self.assertEqual(self.page.violations(axe), [])

    def test_the_palette_keeps_to_wcag_light_and_dark(self):
        axe = AXE.read_text()
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.page.prefer(color_scheme=scheme)
                self.page.visit("about:blank")
                self.show("stats", "Usefulness")
                self.page.chord("Control", "k")
                self.page.press(*"shop")
                self.page.shows("Prices are integers, in cents", "dialog")
                self.assertEqual(self.page.violations(axe), [])
                self.page.press("Escape")

    def test_a_check_keeps_to_wcag_light_and_dark(self):
        axe = AXE.read_text()
        for scheme in ("light", "dark"):
            with self.subTest(scheme=scheme):
                self.page.prefer(color_scheme=scheme)
                self.page.visit("about:blank")
                self.show("lessons", "Why it is here")
                self.page.click("Make it binding")
                self.page.shows("It would have stopped", ".binding")
                self.assertEqual(self.page.violations(axe), [])
                self.page.click("Change the check")
                self.page.shows("Checks, one a line")
                self.assertEqual(self.page.violations(axe), [])

    def test_the_tab_key_reaches_controls_and_shows_where_it_is(self):
        for name, sign in CANNED:
            with self.subTest(page=name):
                self.show(name, sign)
                self.page.run("document.activeElement?.blur()")
                reached = set()
                for _ in range(40):
                    self.page.press(TAB)
                    reached.add(tuple(self.page.run("""const one = document.activeElement, style = getComputedStyle(one);
                        const shown = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow !== 'none';
                        return [one.tagName, one.innerText?.slice(0, 30) ?? '', one === document.body || shown]""")))
                unseen = [(tag, words) for tag, words, shown in reached if not shown]
                self.assertEqual(unseen, [], "the focus is visible")
                self.assertGreater(len([tag for tag, _, _ in reached if tag != "BODY"]), 9, "the pages and what the page holds")

    def test_text_of_twice_the_size_needs_no_sideways_scrolling(self):
        for name, sign in CANNED:
            with self.subTest(page=name):
                self.show(name, sign)
                self.page.run("document.documentElement.style.fontSize = '200%'")
                wide = self.page.run("return [document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth]")
                self.page.run("document.documentElement.style.fontSize = ''")
                self.assertLessEqual(max(wide), 0)

    def test_nothing_runs_past_its_page_in_small_windows_and_long_words(self):
        self.addCleanup(lambda: self.page.size(1280, 832))
        for width, height in [(800, 600), (640, 440)]:
            self.page.size(width, height)
            for language in ("", "?de", "?zh"):
                for name, _ in CANNED:
                    with self.subTest(page=name, width=width, language=language):
                        self.page.visit("about:blank")
                        self.page.visit(f"{self.address}{language}#/{name}")
                        until(lambda: len(self.page.text("main")) > 40, "the page")
                        self.assertEqual(self.page.run(PAST_THE_EDGE), [])

    def test_the_answer_to_a_task_can_be_reached_in_a_small_window(self):
        self.addCleanup(lambda: self.page.size(1280, 832))
        self.page.size(640, 440)
        self.page.visit("about:blank")
        self.show("tasks", "Which one first?")
        self.page.run("document.querySelector('footer textarea').scrollIntoView()")
        bottom = self.page.run("return document.querySelector('footer textarea').getBoundingClientRect().bottom")
        self.assertLessEqual(bottom, 440)

    def test_nothing_moves_for_those_who_asked_for_that(self):
        self.page.prefer(reduced_motion="reduce")
        self.addCleanup(self.page.prefer)
        self.show("review", "Why it was found")
        self.page.press("a")
        until(lambda: "Approved" in self.page.text(".notices"), "the answer")
        moving = self.page.run("return document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().duration > 10).length")
        self.assertEqual(moving, 0)


@unittest.skipUnless(AXE.exists(), "axe-core is not installed")
class Window(WindowTest):
    """In the window, on the sample sessions."""

    def test_every_page_keeps_to_wcag_light_and_dark(self):
        axe = AXE.read_text()
        self.stage.afterword("task", "new", "--yes", "--when", "every weekday at 9", "Look whether the backup ran")
        window = self.open()
        window.shows("Why it was found")
        for scheme in ("light", "dark"):
            window.run("document.documentElement.dataset.theme = arguments[0]", scheme)
            for name, sign in [("review", "Why it was found"), *PAGES]:
                with self.subTest(page=name, scheme=scheme):
                    window.go(name)
                    window.shows(sign if name != "tasks" else "Look whether the backup ran", "main")
                    window.run("document.documentElement.dataset.theme = arguments[0]", scheme)
                    self.assertEqual(window.violations(axe), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
