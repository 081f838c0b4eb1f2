"""What a reader does with the HTML page in a real browser: sorts, filters, folds, chooses, saves."""

import base64
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sample_doc

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"{missing}; on Debian: apt-get install python3-selenium chromium chromium-driver")
    sys.exit(77)
if not Path(os.environ.get("CHROMIUM", "/usr/bin/chromium")).exists() or not Path("/usr/bin/chromedriver").exists():
    print("no chromium or chromedriver; on Debian: apt-get install chromium chromium-driver")
    sys.exit(77)

def report_in(driver):
    """The report that the page holds."""
    packed = driver.execute_script("return document.getElementById('report-json').textContent")
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def column(driver, table, index):
    """The texts of a column's visible cells."""
    return driver.execute_script("""
        return [...document.getElementById(arguments[0]).querySelectorAll("tbody tr")]
            .filter(r => r.getClientRects().length).map(r => r.cells[arguments[1]].textContent.trim());""", table, index)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.sample = Path(cls.folder.name) / "sample.html"
        cls.sample.write_bytes(sample_doc.render("html"))

    def test_holds_its_report_as_json(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            held = report_in(driver)
        self.assertEqual(held, json.loads(sample_doc.render("json")))

    def test_saves_its_report(self):
        folder = Path(self.folder.name) / "saved"
        folder.mkdir()
        with browser() as driver:
            driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
            driver.get(self.sample.as_uri())
            driver.find_element(By.CSS_SELECTOR, "[data-save]").click()
            saved = WebDriverWait(driver, 20).until(lambda _: [f for f in folder.iterdir() if f.suffix == ".json"])
            self.assertEqual(console_errors(driver), [])
        self.assertEqual(saved[0].name, "resnet50-imagenet.json")
        self.assertEqual(json.loads(saved[0].read_bytes()), json.loads(sample_doc.render("json")))

    def test_hostile_names_stay_text(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            main = driver.find_element(By.TAG_NAME, "main")
            self.assertIn("<script>alert(1)</script>", main.text)
            self.assertIn("right[U+202E]to left", main.text)
            self.assertEqual(driver.execute_script("""
                return [...document.querySelectorAll("script:not([type^='application/'])")].length;"""), 1)
            self.assertEqual(driver.execute_script("return document.querySelectorAll('[onclick], [onerror], [style], iframe, img').length"), 0)

    def test_folded_rows_open_without_a_script(self):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(self.sample.as_uri())
            self.assertEqual(len(column(driver, "steps/all", 0)), 10)
            driver.find_element(By.CSS_SELECTOR, "label.more").click()
            self.assertEqual(len(column(driver, "steps/all", 0)), 61)

    def test_tables_sort_by_keyboard(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            head = driver.find_elements(By.CSS_SELECTOR, "[id='steps/all'] button.sort")[1]
            head.send_keys(Keys.ENTER)
            self.assertEqual(column(driver, "steps/all", 0)[0], "4,231")
            down = [float(t) for t in column(driver, "steps/all", 1)]
            self.assertEqual(down, sorted(down, reverse=True))
            head.send_keys(Keys.SPACE)
            up = [float(t) for t in column(driver, "steps/all", 1)]
            self.assertEqual(up, sorted(up))
            self.assertEqual(driver.execute_script("return document.activeElement.ariaLabel"), "Sort by Time")

    def test_sorting_a_tree_keeps_children_below_their_parents(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            driver.find_elements(By.CSS_SELECTOR, "[id='operations/tree'] button.sort")[4].send_keys(Keys.ENTER)
            names = column(driver, "operations/tree", 0)
            self.assertEqual(names[:3], ["All device operations", "Idle", "Hostile names"])
            self.assertEqual(names.index("convolution.88"), names.index("fusion.871") + 1)

    def test_a_tree_shuts_and_opens(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            before = column(driver, "operations/tree", 0)
            twist = driver.find_elements(By.CSS_SELECTOR, "[id='operations/tree'] button.tw")[1]
            twist.send_keys(Keys.ENTER)
            self.assertNotIn("fusion.12", column(driver, "operations/tree", 0))
            self.assertNotIn("convolution.88", column(driver, "operations/tree", 0))
            self.assertIn("All-reduce", column(driver, "operations/tree", 0))
            twist.send_keys(Keys.ENTER)
            self.assertEqual(column(driver, "operations/tree", 0), before)

    def test_a_filter_finds_folded_rows(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            driver.find_element(By.CSS_SELECTOR, "[id='steps/all'] .find").send_keys("4,24")
            self.assertEqual(len(column(driver, "steps/all", 0)), 10)
            self.assertTrue(all(t.startswith("4,24") for t in column(driver, "steps/all", 0)))

    def test_a_link_into_a_fold_opens_it(self):
        with browser() as driver:
            driver.get(self.sample.as_uri() + "#findings/TPR-MEM-004")
            self.assertTrue(driver.execute_script("return document.getElementById('findings/passed').closest('details').open"))

    def test_marks_have_tooltips(self):
        with browser() as driver:
            driver.get(self.sample.as_uri())
            driver.execute_script("""
                document.querySelector(".chart rect").dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));""")
            tip = driver.find_element(By.CLASS_NAME, "tip")
            self.assertTrue(tip.is_displayed())
            self.assertIn("Compute", tip.text)


if __name__ == "__main__":
    unittest.main()
