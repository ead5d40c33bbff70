"""The page as its readers use it, in headless Chromium: by keyboard alone, on narrow and wide screens, light and dark.

page_test.py ROOT WRITE_SAMPLES; ends with 77, saying so, where there is no Chromium.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
WRITE_SAMPLES = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tools"))
import browser  # noqa: E402

SAMPLES = ("detector", "chip", "racy", "hostile", "empty")

# What sticks out of the page to the right and is not scrolled in a box of its own.
TOO_WIDE = """[...document.querySelectorAll('body *')].filter((node) => {
  if (node.getBoundingClientRect().right <= innerWidth + 1) return false;
  for (let up = node.parentElement; up; up = up.parentElement) {
    if (getComputedStyle(up).overflowX !== 'visible') return false;
  }
  return true;
}).slice(0, 5).map((node) => node.tagName + '.' + node.className + ' ' + node.textContent.slice(0, 40))"""

# Texts whose contrast with what is behind them is below 4.5 (WCAG 2, AA), or 3 where they are large.
TOO_FAINT = """(() => {
  const parts = (colour) => {
    const numbers = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith('color(srgb') ? numbers.map((c, i) => (i < 3 ? c * 255 : c)) : numbers;
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, below) => {
    const a = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a));
  };
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    return over(parts(getComputedStyle(node).backgroundColor), behind(node.parentElement));
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || node.closest('script, style, svg, noscript') || node.getClientRects().length === 0) continue;
    const style = getComputedStyle(node);
    const ground = behind(node);
    let opacity = 1;
    for (let up = node; up; up = up.parentElement) opacity *= Number(getComputedStyle(up).opacity);
    const ink = parts(style.color);
    const one = light(over([ink[0], ink[1], ink[2], (ink.length > 3 ? ink[3] : 1) * opacity], ground));
    const other = light(ground);
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(ratio.toFixed(2) + ' ' + node.tagName + '.' + node.className + ' ' + text.data.trim().slice(0, 40));
  }
  return faint.slice(0, 5);
})()"""

FOCUS = """(() => {
  const node = document.activeElement;
  const box = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  return {tag: node.tagName, label: node.getAttribute('aria-label') || node.textContent.trim().slice(0, 40),
    number: [...document.querySelectorAll('*')].indexOf(node),
    isShown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1 && box.width > 0 &&
             box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth};
})()"""

# What the Tab key has to reach.
REACHABLE = """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')].filter((node) =>
  !node.disabled && node.tabIndex >= 0 && node.checkVisibility({visibilityProperty: true}))
  .map((node) => [...document.querySelectorAll('*')].indexOf(node))"""


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        subprocess.run([WRITE_SAMPLES, cls.scratch.name], check=True, stdout=subprocess.DEVNULL)
        cls.page = browser.Page(browser.find_chromium())

    @classmethod
    def tearDownClass(cls):
        cls.page.__exit__()
        cls.scratch.cleanup()

    def open(self, sample, **how):
        self.page.open(pathlib.Path(self.scratch.name, sample, "report.html"), **how)

    def press(self, *keys):
        for key in keys:
            self.page.press(key)
        self.page.settle()

    def focus_on(self, selector):
        """Press Tab until this has the focus."""
        for _ in range(1000):
            if self.page.evaluate(f"document.activeElement === document.querySelector({selector!r})"):
                return
            self.page.press("Tab")
        self.fail(f"Tab does not reach {selector}")

    def picture_of(self, selector):
        return self.page.evaluate(f"document.querySelector({selector!r}).toDataURL()")

    def selected(self):
        """The selected op, or -1; what the box with its facts shows agrees."""
        op = self.page.evaluate("selection.op")
        shown = self.page.evaluate("(document.querySelector('.inspector:not([hidden]) small') || {textContent: ''}).textContent")
        self.assertEqual(shown, f"op {op}" if op >= 0 else "")
        return op

    def test_no_page_has_errors_or_scrolls_sideways_or_is_hard_to_read(self):
        for sample in SAMPLES:
            for width in (420, 1280):
                for dark in (False, True):
                    with self.subTest(sample=sample, width=width, dark=dark):
                        self.page.errors.clear()
                        self.open(sample, width=width, dark=dark)
                        self.page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                        self.page.settle()
                        self.assertEqual(self.page.errors, [])
                        self.assertEqual(self.page.evaluate("document.body.dataset.errors"), "0")
                        self.assertEqual(self.page.evaluate(TOO_WIDE), [])
                        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), width)
                        self.assertEqual(self.page.evaluate(TOO_FAINT), [])

    def test_tab_reaches_everything_in_the_order_of_the_page_and_shows_where_it_is(self):
        for sample in ("racy", "chip"):
            self.open(sample)
            left = self.page.evaluate(REACHABLE)
            self.assertGreater(len(left), 20)
            for number in left:
                self.page.press("Tab")
                focus = self.page.evaluate(FOCUS)
                self.assertEqual(focus["number"], number, f"{sample}: {focus}")
                self.assertTrue(focus["isShown"], f"{sample}: {focus}")

    def test_a_timeline_is_read_by_keyboard(self):
        self.open("detector")
        canvas = "#timeline canvas"
        self.focus_on(canvas)
        whole = self.picture_of(canvas)
        self.press("+", "+")
        near = self.picture_of(canvas)
        self.assertNotEqual(near, whole)
        self.press("ArrowRight")
        self.assertNotEqual(self.picture_of(canvas), near)
        self.press("0")
        self.assertEqual(self.picture_of(canvas), whole)
        self.assertEqual(self.selected(), -1)
        self.press("n")
        first = self.selected()
        self.assertGreaterEqual(first, 0)
        self.press("n")
        self.assertNotEqual(self.selected(), first)
        self.press("p")
        self.assertEqual(self.selected(), first)
        self.press("Escape")
        self.assertEqual(self.selected(), -1)

    def test_the_facts_of_an_op_are_entered_and_left_by_keyboard(self):
        self.open("detector")
        for canvas in ("#timeline canvas", "#graph canvas", "#memory canvas"):
            self.focus_on(canvas)
            self.press("Enter")  # selects the first
            self.assertGreaterEqual(self.selected(), 0)
            self.press("Enter")
            self.assertEqual(self.page.evaluate(FOCUS)["label"], "Close")
            self.press("Tab")  # on to the ops that it waits for or that wait for it
            before = self.selected()
            self.assertEqual(self.page.evaluate(FOCUS)["tag"], "A")
            self.press("Enter")
            self.assertNotEqual(self.selected(), before)
            self.assertEqual(self.page.evaluate(FOCUS)["label"], "Close")
            self.press("Escape")
            self.assertEqual(self.selected(), -1)
            self.assertTrue(self.page.evaluate(f"document.activeElement === document.querySelector({canvas!r})"), canvas)

    def test_an_op_that_a_verdict_names_is_shown_in_the_graph(self):
        self.open("racy")
        self.focus_on("[data-op]")
        named = self.page.evaluate("Number(document.activeElement.dataset.op)")
        self.press("Enter")
        self.assertEqual(self.selected(), named)
        self.assertTrue(self.page.evaluate("document.activeElement === document.querySelector('#graph canvas')"))

    def test_arrows_scroll_the_page_where_a_drawing_has_nothing_above_and_below(self):
        self.open("detector")
        self.focus_on("#timeline canvas")
        before = self.page.evaluate("scrollY")
        self.press("ArrowDown", "ArrowDown")
        self.assertGreater(self.page.evaluate("new Promise((done) => setTimeout(() => done(scrollY), 300))"), before)
        self.focus_on("#graph canvas")
        self.press("+", "+", "+", "+")
        near, before = self.picture_of("#graph canvas"), self.page.evaluate("scrollY")
        self.press("ArrowDown")
        self.assertNotEqual(self.picture_of("#graph canvas"), near)
        self.assertEqual(self.page.evaluate("new Promise((done) => setTimeout(() => done(scrollY), 300))"), before)


if __name__ == "__main__":
    if not browser.find_chromium():
        print("no chromium in PATH: the page was not opened in a browser")
        sys.exit(77)
    unittest.main()
