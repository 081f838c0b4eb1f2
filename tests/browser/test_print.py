"""What the browser prints of a page is about what the PDF holds: as long, and without what the PDF leaves out."""

import base64
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from browser import browser
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2]))
LONG = SOURCE / "examples/tpu_two_hosts/input"
MOST_PAGES = 15
OPEN = "return [...document.querySelectorAll('details')].map(d => d.open)"


def words_of(pdf):
    return subprocess.run(["pdftotext", "-enc", "UTF-8", pdf, "-"], check=True, capture_output=True, text=True).stdout


def pages_of(pdf):
    return int(re.search(r"^Pages:\s+(\d+)", subprocess.run(["pdfinfo", pdf], check=True, capture_output=True,
                                                            text=True).stdout, re.M)[1])


class Print(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", LONG, "-o", cls.page], check=True)

    def printed(self, driver):
        """The text of what the browser prints, and on how many pages."""
        path = self.page.with_suffix(".pdf")
        path.write_bytes(base64.b64decode(driver.print_page()))
        return words_of(path), pages_of(path)

    def test_is_as_short_as_the_pdf(self):
        with browser() as driver:
            driver.get(self.page.as_uri())
            before = driver.execute_script(OPEN)
            words, pages = self.printed(driver)
            self.assertLessEqual(pages, MOST_PAGES)
            self.assertTrue("About these figures" in words)
            for title in ("Every operation, by self time", "Rules and their thresholds", "Every step on every core"):
                self.assertFalse(title in words, title)
            after = driver.execute_script(OPEN)
            self.assertEqual(sum(after), sum(before))

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

    def test_what_the_reader_opened_is_printed(self):
        with browser() as driver:
            driver.get(self.page.as_uri() + "#method/thresholds")
            words, _ = self.printed(driver)
            self.assertTrue("When a check becomes a finding" in words)


if __name__ == "__main__":
    unittest.main()
