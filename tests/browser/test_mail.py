"""The page in a mail: without scripts, styles, ids and classes its charts keep colours and its tables stay tables; without drawings
each chart is said in words, and its figures stand beside it."""

import html
import re
import unittest

from mail import mailed
from own_page import EXAMPLES, OwnPages, browser

NAMES = ("tf_slow_input", "torch_ddp", "estimator_job", "tpu_two_hosts")
# Shapes that are black, which none of ours is, or not seen at all.
ODD = """return [...document.querySelectorAll("svg :is(rect, circle, polygon, polyline, line, path)")].filter(shape => {
    const { fill, stroke } = getComputedStyle(shape), drawn = fill !== "none" || stroke !== "none";
    return !shape.closest("defs") && (!drawn || shape.tagName !== "line" && fill.endsWith("rgb(0, 0, 0)") || stroke === "rgb(0, 0, 0)" || /^url\\(\\S+\\)$/.test(fill) || fill.endsWith(" none"));
}).map(shape => shape.outerHTML.slice(0, 120));"""
COLOURS = """return new Set([...document.querySelectorAll("svg rect")].filter(r => !r.closest("defs")).map(r => getComputedStyle(r).fill)).size;"""
OUTSIDE = """return [...document.querySelectorAll("figure svg text")].filter(t => { const { width, left } = t.getBoundingClientRect(); return width && left < 0; }).map(t => t.textContent);"""
TABLES = """return [...document.querySelectorAll("table")].map(table => [table.tHead ? table.tHead.rows[0].cells.length : 0,
    [...table.tBodies].flatMap(body => [...body.rows].map(row => [...row.cells].reduce((sum, cell) => sum + cell.colSpan, 0))), getComputedStyle(table).display]);"""
# What each says, and whether its section has a table.
FIGURES = """const sectionOf = e => e.parentElement.tagName === "MAIN" ? e : sectionOf(e.parentElement);
return [...document.querySelectorAll("figure")].map(f => [f.textContent.replace(/\\s+/g, " ").trim(), !!sectionOf(f).querySelector("table")]);"""


class Mail(OwnPages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = {name: cls.report(EXAMPLES / name / "input").read_text() for name in NAMES}
        cls.pages["diff"] = cls.report("diff", *sorted((EXAMPLES / "torch_ddp/input").glob("rank*.gz"))).read_text()

    def look(self, check, **kept):
        """check(driver, page) for each page, shown as a mail."""
        for name, page in self.pages.items():
            path = self.folder / "mail.html"
            path.write_text(mailed(page, **kept))
            with self.subTest(name, **kept), browser(width=1100) as driver:
                driver.get(path.as_uri())
                check(driver, page)

    def test_charts_keep_their_colours_and_labels_their_room(self):
        def coloured(driver, _):
            self.assertEqual(driver.execute_script(ODD), [])
            self.assertGreater(driver.execute_script(COLOURS), 2)
            self.assertEqual(driver.execute_script(OUTSIDE), [])
        for patterns in (True, False):
            self.look(coloured, patterns=patterns)

    def test_tables_stay_tables(self):
        def whole(driver, _):
            tables = driver.execute_script(TABLES)
            self.assertGreater(len(tables), 3)
            for heads, rows, display in tables:
                self.assertEqual((display, {heads} if rows else set()), ("table", set(rows)))
        self.look(whole)

    def test_without_drawings_each_chart_is_said(self):
        def said(driver, page):
            self.assertEqual(driver.execute_script("return document.querySelectorAll('svg').length"), 0)
            figures = driver.execute_script(FIGURES)
            self.assertTrue(figures)
            for text, table in figures:
                self.assertGreater(len(text.split()), 3)
                self.assertTrue(table or re.search(r"\d", text), text)
            # What the bar of a step says, class by class.
            bar = re.search(r'<figure[^>]*id="summary/step/classes".*?</figure>', page, re.S)
            for label in re.findall(r"<title>(.*?)</title>", bar[0]) if bar else []:
                for part in html.unescape(label).split(" · "):
                    self.assertIn(re.sub(r"\s", " ", part), figures[0][0])
        self.look(said, drawings=False)


if __name__ == "__main__":
    unittest.main()
