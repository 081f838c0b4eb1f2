"""What the browser prints of a page is about what the PDF holds: as long, and without what the PDF leaves out."""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from browser import browser
    from selenium.common.exceptions import TimeoutException
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2]))
LONG = SOURCE / "examples/tpu_two_hosts/input"
MOST_PAGES = 15
DATA = os.environ.get("TPREPORT_TEST_DATA")
SAMPLES = [SOURCE / "examples" / name / "input" for name in ("jax_cnn", "torch_ddp", "tpu_two_hosts")]
SAMPLES += [Path(DATA, "synth", name, "logdir") for name in ("pod_v3_32_straggler", "oom_candidate") if DATA]
OPEN = "return [...document.querySelectorAll('details')].map(d => d.open)"


def words_of(pdf):
    return subprocess.run(["pdftotext", "-enc", "UTF-8", pdf, "-"], check=True, capture_output=True, text=True).stdout


def pages_of(pdf):
    return int(re.search(r"^Pages:\s+(\d+)", subprocess.run(["pdfinfo", pdf], check=True, capture_output=True,
                                                            text=True).stdout, re.M)[1])


def print_of(driver):
    """chromedriver waits ten seconds, which is short on a busy machine: later the page is laid out already."""
    for _ in range(3):
        try:
            return base64.b64decode(driver.print_page())
        except TimeoutException:
            pass
    return base64.b64decode(driver.print_page())


class Print(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", LONG, "-o", cls.page], check=True)

    def test_is_as_long_as_the_pdf(self):
        """Whatever the report is of: pages of one event file, of a run on CPUs, of one with more than 15 sheets may hold."""
        with browser() as driver:
            for place in SAMPLES:
                with self.subTest(place.parent.name):
                    page, pdf = self.page.with_name("s.html"), self.page.with_name("s.pdf")
                    subprocess.run([TPREPORT, "-q", place, "-o", page], check=True)
                    subprocess.run([TPREPORT, "-q", place, "-o", pdf], check=True)
                    driver.get(page.as_uri())
                    path = page.with_suffix(".printed.pdf")
                    path.write_bytes(print_of(driver))
                    self.assertLessEqual(pages_of(path), pages_of(pdf))

    def test_rows_that_are_not_printed_are_counted(self):
        """Below the rows of a table that paper has stands how many it lacks; none, where the reader unfolded it."""
        seen = """return [...document.querySelectorAll(".tb")].filter(tb => !tb.querySelector(":scope > .data-note, :scope > .later")).map(tb => {
            const shown = e => getComputedStyle(e).display != "none", rows = [...tb.querySelectorAll(":scope > .scroll > .t > tbody > tr:not(.card)")];
            const line = tb.querySelector(":scope > .off-sheet");
            return [tb.id, rows.length, rows.filter(r => shown(r) && shown(r.parentNode)).length, line && shown(line) ? parseInt(line.textContent) : 0];
        })"""
        page = self.page.with_name("without.html")
        subprocess.run([TPREPORT, "-q", LONG, "--timeline", "none", "-o", page], check=True)  # leaves room for a long table
        with browser() as driver:
            driver.get(page.as_uri())
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            tables = driver.execute_script(seen)
            for name, rows, printed, more in tables:
                self.assertEqual(printed + more, rows, name)
            self.assertTrue(any(more for *_, more in tables))
            lines = "return [...document.querySelectorAll('.tb:has(> input.more) > .off-sheet')].filter(l => getComputedStyle(l).display != 'none').length"
            self.assertGreater(driver.execute_script(lines), 0)
            driver.execute_script("document.querySelectorAll('input.more').forEach(box => { box.checked = true; });")
            self.assertEqual(driver.execute_script(lines), 0)

    def printed(self, driver):
        """The text of what the browser prints, and on how many pages."""
        path = self.page.with_suffix(".pdf")
        path.write_bytes(print_of(driver))
        return words_of(path), pages_of(path)

    def test_is_as_short_as_the_pdf(self):
        with browser() as driver:
            driver.get(self.page.as_uri())
            before = driver.execute_script(OPEN)
            words, pages = self.printed(driver)
            self.assertLessEqual(pages, MOST_PAGES)
            self.assertTrue("About these figures" in words)
            self.assertTrue("Every operation, by self time" in words, "the PDF has it")
            for title in ("When a check becomes a finding", "Every step on every core"):
                self.assertFalse(title in words, title)
            after = driver.execute_script(OPEN)
            self.assertEqual(sum(after), sum(before))

    def test_how_figures_are_made_stands_once_at_the_end(self):
        """As in the PDF: one appendix, each text begun by its section's title. Then all is where it was."""
        where = "return [...document.querySelectorAll('details.about')].map(d => [d.parentNode.id, d.open])"
        title = "About these figures"
        with browser() as driver:
            driver.get(self.page.as_uri())
            before, titles = driver.execute_script(where), driver.execute_script(
                "return [...document.querySelectorAll('.sec:has(> details.about)')].map(s => s.getAttribute('aria-label'))")
            words, _ = self.printed(driver)
            self.assertEqual(driver.execute_script(where), before)
        self.assertGreater(len(before), 3)
        self.assertEqual(words.count(title), 1)
        told, rest = words.split(title)[1].splitlines(), 0
        for name in titles:
            rest = told.index(name, rest)
        self.assertIn("Not in this profile", words.split(title)[0], "the method's lists stand before")

    def test_checks_that_page_1_counts_are_named(self):
        """The folds that list them are closed, and the PDF has no more than their names, either."""
        told = self.page.with_suffix(".json")
        subprocess.run([TPREPORT, "-q", LONG, "-o", told], check=True)
        names = [f["name"] for f in json.loads(told.read_text(encoding="utf-8"))["findings"] if f["status"] != "open"]
        shown = "return [...document.querySelectorAll('.names')].filter(e => e.checkVisibility()).length"
        with browser() as driver:
            driver.get(self.page.as_uri())
            self.assertEqual(driver.execute_script(shown), 0, "on screen the fold has them")
            words = "".join(self.printed(driver)[0].split())
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn("".join(name.split()), words)

    def test_wide_tables_print_the_columns_on_screen(self):
        """How many more there are is said; those that the reader asked for are printed."""
        with browser() as driver:
            driver.get(self.page.as_uri())
            words, _ = self.printed(driver)
            self.assertRegex(words, r"\d more columns? on screen")
            driver.execute_script("document.querySelectorAll('input.columns').forEach(box => { box.checked = true; });")
            more, _ = self.printed(driver)
            self.assertNotRegex(more, r"\d more columns? on screen")
            self.assertGreater(len(more.split()), len(words.split()))

    def test_figures_and_names_are_set_to_be_read(self):
        """A point beside a 1 is seen where nothing is set tight; names break at their parts, not anywhere; counts are no links."""
        look = """const of = (name, what) => [...document.querySelectorAll(name)].map(e => getComputedStyle(e)[what]);
            return [of("h1, .tile .v", "letterSpacing"), of(".long", "wordBreak"), of(".checks a", "textDecorationLine")];"""
        with browser() as driver:
            driver.get(self.page.as_uri())
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            spacing, breaks, lines = driver.execute_script(look)
            self.assertTrue(spacing and breaks and lines)
            for value in spacing:
                self.assertGreater(float(value.removesuffix("px")), 0)
            self.assertEqual(set(breaks), {"normal"})
            self.assertEqual(set(lines), {"none"})

    def test_what_the_reader_opened_is_printed(self):
        with browser() as driver:
            driver.get(self.page.as_uri() + "#method/thresholds")
            words, _ = self.printed(driver)
            self.assertTrue("When a check becomes a finding" in words)


if __name__ == "__main__":
    unittest.main()
