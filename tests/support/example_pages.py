"""The sample document and each example as an HTML page, for tests that look at all of them in a browser; without one such a test is
skipped."""

import functools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sample_doc

try:
    from browser import browser, console_errors, requests
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"{missing}; on Debian: apt-get install python3-selenium chromium chromium-driver")
    sys.exit(77)
if not Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists() or not Path("/usr/bin/chromedriver").exists():
    print("no chromium or chromedriver; on Debian: apt-get install chromium chromium-driver")
    sys.exit(77)

__all__ = ["By", "Pages", "WebDriverWait", "browser", "console_errors", "on_each_page", "requests"]


def on_each_page(test):
    """Runs test(self, page) for every page, each by itself: a page that fails hides no other. A generator around subTest would
    not do, for what fails in a loop's body is never raised where the generator stands."""
    @functools.wraps(test)
    def run(self):
        for page in self.pages:
            with self.subTest(page=page.name):
                test(self, page)
    return run


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        cls.pages = [folder / "sample.html"]
        cls.pages[0].write_bytes(sample_doc.render("html"))
        for source in sorted(Path(os.environ["TPREPORT_SOURCE"]).glob("examples/*/input")):
            page = folder / f"{source.parent.name}.html"
            subprocess.run([os.environ["TPREPORT"], "--quiet", str(source), "-o", str(page)], check=True)
            cls.pages.append(page)
