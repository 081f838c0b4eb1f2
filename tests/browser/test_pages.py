"""Each example's HTML page in a real browser: asks for nothing, complains about nothing, and is whole without its script."""

import unittest
from pathlib import Path

from example_pages import By, Pages, WebDriverWait, browser, console_errors, on_each_page, requests

# What only the script puts on the page.
ADDED = ".anchor, .choice, .copies, .hits, .search, .find, .next, .sort, .tip, .to-timeline"


class EachPage(unittest.TestCase):
    def test_a_page_that_fails_hides_no_other(self):
        class Two(unittest.TestCase):
            pages = (Path("bad.html"), Path("good.html"), Path("worse.html"))
            seen = []

            @on_each_page
            def runTest(self, page):
                self.seen.append(page.name)
                self.assertEqual(page.name, "good.html")

        result = unittest.TestResult()
        Two().run(result)
        self.assertEqual(Two.seen, ["bad.html", "good.html", "worse.html"])
        self.assertEqual(len(result.failures), 2)


class PagesAlone(Pages):
    @on_each_page
    def test_asks_for_nothing_and_complains_about_nothing(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            driver.execute_script("window.scrollTo(0, document.body.scrollHeight)")
            self.assertEqual(console_errors(driver), [])
            self.assertEqual({r for r in requests(driver) if not r.startswith("data:")}, {page.as_uri()})

    @on_each_page
    def test_says_the_same_without_its_script(self, page):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(page.as_uri())
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.readyState") == "complete")
            bare = driver.execute_script("return document.querySelector('main').innerText")
            self.assertTrue(driver.execute_script("return document.querySelector('.tools').hidden"))
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ADDED), [])
        with browser() as driver:
            driver.get(page.as_uri())
            # Where a timeline can be moved already, what was drawn of it stands behind it; and likewise labels of flame graphs behind those
            # that are as long as there is room.
            lively = driver.execute_script("""document.querySelectorAll("figure.tl-live").forEach(figure => {
                    figure.classList.remove("tl-live");
                    figure.querySelector(".tl").remove();
                });
                document.querySelectorAll("figure.flame").forEach(figure => {
                    figure.classList.remove("flame");
                    figure.querySelector(".now").remove();
                });
                document.querySelectorAll(arguments[0]).forEach(e => e.remove());
                return document.querySelector('main').innerText;""", ADDED)
        self.assertGreater(len(bare), 500)
        self.assertEqual(bare.split("\n"), lively.split("\n"))


if __name__ == "__main__":
    unittest.main()
