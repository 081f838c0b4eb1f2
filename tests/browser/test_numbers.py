"""What report.json leaves out, for it follows from value and unit: the page's scripts and the tests make the same of it."""

import random
import unittest

from example_pages import Pages, browser, on_each_page
from told import UNITS, cell_text, fixed, told

CELLS = """const found = [], visit = blocks => blocks.forEach(b => {
        if (b.kind === "table") b.rows.forEach(row => b.columns.forEach(c => found.push([row.cells[c.key], c, textOf(row.cells[c.key], c)])));
        visit(b.blocks || []);
    });
    const done = arguments[0];
    report().then(whole => { visit(whole.sections); done([found, Object.values(whole.metrics).map(m => [m, {unit: m.unit}, textOf(m, {})])]); });"""
# In the middle between two digits, at the limits of prefixes, and beside both.
EDGES = [0, 1, 0.5, 1.5, 2.5, 0.125, 0.375, 9.995, 9.95, 12.25, 12.75, 99.95, 119.5, 120, 999.5, 999.4999, 1000, 1000.5, 1001.5, 1023.5, 1024, 0.0009, 0.001, 2e-6, 123456789.5]


class Numbers(Pages):
    @on_each_page
    def test_cells_and_metrics_read_alike(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            cells, metrics = driver.execute_async_script(CELLS)
        self.assertGreater(len(cells), 100)
        self.assertEqual([], [(cell, column, text) for cell, column, text in cells + metrics if cell_text(cell, column) != text])
        # What follows is not there.
        bare = [({k: v for k, v in cell.items() if k != "text"}, column, cell["text"]) for cell, column, _ in cells + metrics if "text" in cell]
        self.assertEqual([], [case for case in bare if case[0].get("unit", case[1]["unit"]) != "unix_ns" and "e" not in case[2] and cell_text(*case[:2]) == case[2]])

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

    def test_a_column_of_several_units_is_sorted_by_size(self):
        for unit, sizes in (("ms", [0.0003, 7.335, 999, 5.1e6, 3.5e7]), ("bytes", [8, 2e3, 3e6, 4e9, 5e12]), ("flop_per_s", [1e3, 2e7, 9e12])):
            with browser() as driver:
                driver.get(self.pages[0].as_uri())
                keys = driver.execute_script("return arguments[0].map(sortKey)", [told(size, unit) for size in sizes])
            self.assertEqual(keys, sorted(keys, key=float))


if __name__ == "__main__":
    unittest.main()
