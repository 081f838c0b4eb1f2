"""The sample document and each example as an HTML page, for tests that look at all of them in a browser; without one such a test is
skipped."""

import functools

import sample_doc
from own_page import EXAMPLES, By, OwnPages, WebDriverWait, browser, console_errors, requests

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


class Pages(OwnPages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = [cls.folder / "sample.html"]
        cls.pages[0].write_bytes(sample_doc.render("html"))
        for source in sorted(EXAMPLES.glob("*/input")):
            cls.pages.append(cls.report(source, name=f"{source.parent.name}.html"))
