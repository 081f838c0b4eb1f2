"""A test with pages that it makes itself, in a folder of its own; without a browser it is skipped."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from browser import browser, console_errors, requests
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError as missing:
    print(f"{missing}; on Debian: apt-get install python3-selenium chromium chromium-driver")
    sys.exit(77)
if not Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists() or not Path("/usr/bin/chromedriver").exists():
    print("no chromium or chromedriver; on Debian: apt-get install chromium chromium-driver")
    sys.exit(77)

__all__ = ["EXAMPLES", "By", "Keys", "OwnPages", "Select", "WebDriverWait", "browser", "console_errors", "requests"]

EXAMPLES = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "examples"


class OwnPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)

    @classmethod
    def report(cls, *arguments, name="r.html"):
        """The page that tpreport writes with these arguments."""
        page = cls.folder / name
        subprocess.run([os.environ.get("TPREPORT", "tpreport"), "-q", *arguments, "-o", page], check=True)
        return page
