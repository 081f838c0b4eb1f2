"""Each example's HTML page in a real browser, on a small and a usual desk and on a wide one, all that is folded open: everything is within the
column, no text is cut off without a word or lies on another."""

import os
import subprocess
import unittest
from pathlib import Path

from example_pages import Pages, WebDriverWait, browser, on_each_page

SIZES = ((800, False), (1280, False), (1440, True), (1920, False))
OPEN_ALL = "for (const d of document.querySelectorAll('details')) { d.removeAttribute('name'); d.open = true; }"
# What is seen of each text, line by line: [text, left, top, right, bottom, number of its element].
TEXTS = """
const main = document.querySelector("main"), pad = getComputedStyle(main), box = main.getBoundingClientRect(), found = [], numbers = new Map();
const column = [box.left + parseFloat(pad.paddingLeft), box.right - parseFloat(pad.paddingRight)];
const number = e => numbers.get(e) ?? (numbers.set(e, numbers.size), numbers.size - 1);
const shown = new Map();
/* What boxes that scroll or clip leave in sight. */
const sight = e => {
    if (!e || e === main) return [-1e9, -1e9, 1e9, 1e9];
    if (!shown.has(e)) {
        const of = sight(e.parentElement), s = getComputedStyle(e), r = e.getBoundingClientRect(), x = s.overflowX !== "visible", y = s.overflowY !== "visible";
        shown.set(e, e instanceof HTMLElement && (x || y) ? [x ? Math.max(of[0], r.left) : of[0], y ? Math.max(of[1], r.top) : of[1],
            x ? Math.min(of[2], r.right) : of[2], y ? Math.min(of[3], r.bottom) : of[3]] : of);
    }
    return shown.get(e);
};
const add = (text, e, r, trim) => {
    const of = sight(e), seen = [Math.max(r.left, of[0]), Math.max(r.top + trim, of[1]), Math.min(r.right, of[2]), Math.min(r.bottom - trim, of[3])];
    if (seen[2] - seen[0] > 1 && seen[3] - seen[1] > 1) found.push([text.trim().slice(0, 40), ...seen, number(e)]);
};
/* A halo is its text once more; a head that stays lies on what is scrolled below it. */
const skipped = ".sr, .said caption, .skip, .copies, .tip, .fits thead, .tall thead, .rows thead, .step-line, svg .halo, defs, title, desc, script, style, noscript, select, template";
const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), range = document.createRange();
while (walker.nextNode()) {
    const node = walker.currentNode, e = node.parentElement;
    if (!node.data.trim() || e.closest(skipped) || !e.checkVisibility({ visibilityProperty: true })) continue;
    const size = parseFloat(getComputedStyle(e).fontSize), text = e.closest("svg text");
    if (text) add(text.textContent, text, text.getBoundingClientRect(), text.getBoundingClientRect().height * .18);
    else if (size) {
        range.selectNodeContents(node);
        for (const r of range.getClientRects()) add(node.data, e, r, Math.max(0, (r.height - size) / 2));
    }
}
return [column, found];
"""
BEYOND = """
const main = document.querySelector("main"), right = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight);
return [...main.querySelectorAll(".scroll, figure, .tl, svg, canvas, input, .tiles, header")].filter(e => e.checkVisibility() && !e.closest(".defs") && e.getBoundingClientRect().right > right + 1)
    .filter(e => !e.parentElement.closest(".scroll, .tl-body")).map(e => e.outerHTML.slice(0, 100));
"""


def on_another(texts):
    """Pairs of texts of two elements that share some of their place."""
    texts = sorted(texts, key=lambda t: t[2])
    pairs = []
    for i, (text, left, _, right, bottom, element) in enumerate(texts):
        for other, left2, top2, right2, bottom2, element2 in texts[i + 1:]:
            if top2 >= bottom - 2:
                break
            if element != element2 and min(right, right2) - max(left, left2) > 2 and min(bottom, bottom2) - top2 > 2:
                pairs.append((text, other))
    return pairs


class Layout(Pages):
    @on_each_page
    def test_all_is_within_the_column_and_no_text_on_another(self, page):
        for width, dark in SIZES:
            with browser(width, 900, dark=dark) as driver:
                driver.get(page.as_uri())
                driver.execute_script(OPEN_ALL)
                (left, right), texts = driver.execute_script(TEXTS)
                self.assertGreater(len(texts), 50)
                self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), width)
                self.assertEqual(driver.execute_script(BEYOND), [], width)
                self.assertEqual([t for t in texts if t[3] > right + 1 or t[1] < left - 8], [], width)
                self.assertEqual(on_another(texts), [], width)

    @on_each_page
    def test_a_wide_window_is_used_and_lines_of_text_stay_short(self, page):
        # But for the sentence below the verdict, which is to fit a line.
        with browser(1920, 900) as driver:
            driver.get(page.as_uri())
            column, lines = driver.execute_script("""
                const main = document.querySelector("main"), column = main.querySelector(".sec").getBoundingClientRect().width;
                return [column, Math.max(...[...main.querySelectorAll(".ans, .sec > p, .sub > p")].map(e => e.getBoundingClientRect().width))];""")
            self.assertGreaterEqual(column, 1390)
            self.assertLessEqual(lines, 1088)

    def test_the_field_of_a_step_holds_the_name_of_its_capture(self):
        """Of several captures a step is told with its capture's name; it has what room that needs."""
        captures = self.folder / "captures"
        captures.mkdir()
        for example, name in (("torch_serving", "a_long_name_of_a_model_that_serves__1016002"), ("torch_dataloader", "another_long_name_of_a_model__1016005")):
            source, = Path(os.environ["TPREPORT_SOURCE"], "examples", example, "input").glob("*.json.gz")
            (captures / f"{name}.json.gz").write_bytes(source.read_bytes())
        page = captures / "report.html"
        subprocess.run([os.environ["TPREPORT"], "--quiet", str(captures), "-o", str(page)], check=True)
        with browser(1440, 900) as driver:
            driver.get(page.as_uri())
            driver.execute_script("document.getElementById('timeline').scrollIntoView()")
            fields = "return [...document.querySelectorAll('.tl-step input')].map(e => [e.value, e.clientWidth >= e.scrollWidth])"
            WebDriverWait(driver, 20).until(lambda _: all(value for value, _ in driver.execute_script(fields) or [("", False)]))
            (value, fits), = driver.execute_script(fields)
            self.assertRegex(value, "_long_name_of_a_model")
            self.assertTrue(fits, value)


if __name__ == "__main__":
    unittest.main()
