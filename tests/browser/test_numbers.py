"""Figures in words: the page's scripts tell them exactly as the program does."""

import random
import unittest

from example_pages import Pages, browser, on_each_page
from told import UNITS, fixed, told

FIGURES = """const done = arguments[0];
    report().then(whole => done(Object.values(whole.metrics).filter(m => m.unit !== "unix_ns").map(m => [m, told(m.value, m.unit)])));"""
# In the middle between two digits, at the limits of prefixes, and beside both.
EDGES = [0, 1, 0.5, 1.5, 2.5, 0.125, 0.375, 9.995, 9.95, 12.25, 12.75, 99.95, 119.5, 120, 999.5, 999.4999, 1000, 1000.5, 1001.5, 1023.5, 1024, 0.0009, 0.001, 2e-6, 123456789.5]


class Numbers(Pages):
    @on_each_page
    def test_scripts_tell_figures_as_the_program_does(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            figures = driver.execute_async_script(FIGURES)
        known = [(m, text) for m, text in figures if "e" not in m["text"]]  # powers of ten are no matter of the scripts
        self.assertGreater(len(known), 0)
        self.assertEqual([], [(m, text) for m, text in known if not m["text"] == text == told(m["value"], m["unit"])])

    def test_edges_read_alike(self):
        random.seed(1)
        values = [v * sign * 1024.0 ** k for v in EDGES for sign in (1, -1) for k in (0, 1, 2)]
        values += [random.choice((1, -1)) * 10 ** random.uniform(-4, 11) for _ in range(3000)]
        units = [u for u in (*UNITS, "share", "times")]
        cases = [(v, u) for v in values for u in units if 1e-6 <= abs(v) * (100 if u == "share" else 1) < 1e12 or v == 0]
        columns = [(v, u, d) for v in values for u in ("ms", "share") for d in (0, 1, 2, 3)]
        with browser() as driver:
            driver.get(self.pages[0].as_uri())
            got, fix = driver.execute_script("return [arguments[0].map(c => told(...c)), arguments[1].map(c => fixed(...c))]", cases, columns)
        self.assertEqual([], [(case, text, told(*case)) for case, text in zip(cases, got) if text != told(*case)][:10])
        self.assertEqual([], [(case, text) for case, text in zip(columns, fix) if text != fixed(*case)][:10])


if __name__ == "__main__":
    unittest.main()
