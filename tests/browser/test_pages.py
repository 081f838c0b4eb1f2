"""Each example's HTML page in a real browser: asks for nothing, complains about nothing, fits, and is whole without its script."""

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
except ImportError as missing:
    print(f"{missing}; on Debian: apt-get install python3-selenium chromium chromium-driver")
    sys.exit(77)
if not Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists() or not Path("/usr/bin/chromedriver").exists():
    print("no chromium or chromedriver; on Debian: apt-get install chromium chromium-driver")
    sys.exit(77)

# What only the script puts on the page.
ADDED = ".anchor, .choice, .find, .next, .sort, .tip"
NARROW = 390

CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
const light = c => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const poor = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || e.closest("svg, script, style") || !e.getClientRects().length) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) poor.push(ratio.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 40));
}
return poor;
"""


def wide_elements(driver):
    """Elements that stick out at the right and are not within something that scrolls."""
    return driver.execute_script("""
        return [...document.querySelectorAll("body *")].filter(e => !e.closest(".scroll, .rail, .sr, .skip, .defs") &&
            e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1)
            .map(e => e.outerHTML.slice(0, 120));""")


def examples():
    return sorted(Path(os.environ["TPREPORT_SOURCE"]).glob("examples/*/input"))


def on_each_page(test):
    """Runs test(self, page) for every page, each by itself: a page that fails hides no other. A generator around subTest would
    not do, for what fails in a loop's body is never raised where the generator stands."""
    @functools.wraps(test)
    def run(self):
        for page in self.pages:
            with self.subTest(page=page.name):
                test(self, page)
    return run


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


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        cls.pages = [folder / "sample.html"]
        cls.pages[0].write_bytes(sample_doc.render("html"))
        for source in examples():
            page = folder / f"{source.parent.name}.html"
            subprocess.run([os.environ["TPREPORT"], "--quiet", str(source), "-o", str(page)], check=True)
            cls.pages.append(page)

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
            bare = driver.execute_script("return document.querySelector('main').innerText")
            self.assertTrue(driver.execute_script("return document.querySelector('.tools').hidden"))
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ADDED), [])
        with browser() as driver:
            driver.get(page.as_uri())
            driver.execute_script("document.querySelectorAll(arguments[0]).forEach(e => e.remove())", ADDED)
            lively = driver.execute_script("return document.querySelector('main').innerText")
        self.assertGreater(len(bare), 500)
        self.assertEqual(bare.split("\n"), lively.split("\n"))

    @on_each_page
    def test_first_screen_holds_what_matters(self, page):
        with browser(1280, 800) as driver:
            driver.get(page.as_uri())
            bottoms = driver.execute_script("""
                return Object.fromEntries([...document.querySelectorAll(".run-line, h1, .because, .quality, .tiles, "
                    + ".chart svg[role=img], .todo li:nth-child(-n + 3), .checks")].filter(e => e.closest(".summary"))
                    .map(e => [e.id || e.tagName, e.getBoundingClientRect().bottom]));""")
            self.assertGreater(len(bottoms), 3)
            self.assertEqual({k: b for k, b in bottoms.items() if b > 800}, {})

    @on_each_page
    def test_fits_a_phone(self, page):
        with browser(NARROW, 844) as driver:
            driver.get(page.as_uri())
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), NARROW)
            self.assertEqual(wide_elements(driver), [])

    @on_each_page
    def test_text_can_be_read_in_light_and_dark(self, page):
        for dark, paper in ((False, "rgb(255, 255, 255)"), (True, "rgb(20, 23, 26)")):
            with browser(dark=dark) as driver:
                driver.get(page.as_uri())
                ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
                self.assertEqual(ground, paper)
                self.assertEqual(driver.execute_script(CONTRAST), [])

    @on_each_page
    def test_headings_leave_out_no_level(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            self.assertEqual(driver.execute_script("""
                const all = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
                return all.filter((h, i) => i && +h.tagName[1] > +all[i - 1].tagName[1] + 1).map(h => h.textContent);"""), [])

    @on_each_page
    def test_tables_have_captions_and_heads(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            self.assertEqual(driver.execute_script("""
                return [...document.querySelectorAll("main table")].filter(t => !t.caption || !t.querySelector("thead th[scope=col]") ||
                    !t.tBodies.length || [...t.tBodies[0].rows].some(r => !r.querySelector("th[scope=row]"))).map(t => t.outerHTML.slice(0, 120));"""), [])

    @on_each_page
    def test_has_one_heading_and_no_two_ids_alike(self, page):
        with browser() as driver:
            driver.get(page.as_uri())
            self.assertEqual(len(driver.find_elements(By.TAG_NAME, "h1")), 1)
            self.assertEqual(driver.execute_script("""
                const seen = new Set();
                return [...document.querySelectorAll("[id]")].map(e => e.id).filter(i => seen.has(i) || !seen.add(i));"""), [])
            self.assertEqual(driver.execute_script("""
                return [...document.querySelectorAll("a[href^='#']")].map(a => a.getAttribute("href"))
                    .filter(h => !document.getElementById(h.slice(1)));"""), [])


if __name__ == "__main__":
    unittest.main()
