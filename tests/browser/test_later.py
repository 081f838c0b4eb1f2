"""A large page has few elements when it opens: what is folded becomes elements when it is wanted, and stands there without scripts."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from selenium.webdriver.common.by import By

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
LOGS = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "examples/torch_ddp/input"
SHUT = """return [...document.querySelectorAll("main > section > details")].find(d => {
    const later = d.querySelector("noscript");
    return later && (later.querySelector("table.t") || later.textContent.includes("<table"));
});"""
KEPT = "return [...document.querySelectorAll('.tb')].find(b => b.querySelector(':scope > .later'))"
ROWS = "return [...arguments[0].querySelectorAll('tbody tr')].filter(r => r.getClientRects().length).map(r => r.innerText)"


class Later(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", LOGS, "-o", cls.page], check=True)

    def open(self, driver, scripts=True):
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        driver.get(self.page.as_uri())

    def test_a_fold_is_filled_when_it_opens(self):
        with browser() as driver:
            self.open(driver)
            fold = driver.execute_script(SHUT)
            self.assertEqual(fold.find_elements(By.CSS_SELECTOR, "table"), [])
            fold.find_element(By.TAG_NAME, "summary").click()
            self.assertTrue(fold.find_elements(By.CSS_SELECTOR, "table button.sort"))
            self.assertEqual(fold.find_elements(By.CSS_SELECTOR, "noscript"), [])
            self.assertEqual(console_errors(driver), [])

    def test_a_fold_holds_its_elements_without_scripts(self):
        with browser() as driver:
            self.open(driver, scripts=False)
            fold = driver.execute_script(SHUT)
            fold.find_element(By.TAG_NAME, "summary").click()
            self.assertTrue(fold.find_element(By.CSS_SELECTOR, "table").is_displayed())

    def test_further_rows_come_when_they_are_asked_for(self):
        with browser() as driver:
            self.open(driver)
            box = driver.execute_script(KEPT)
            before, further = driver.execute_script(ROWS, box), int(box.find_element(By.CSS_SELECTOR, "label.more").text.split()[0])
            box.find_element(By.CSS_SELECTOR, "label.more").click()
            after = driver.execute_script(ROWS, box)
            self.assertEqual((len(after), after[:len(before)]), (len(before) + further, before))
            self.assertEqual(console_errors(driver), [])

    def test_a_filter_looks_into_further_rows(self):
        with browser() as driver:
            self.open(driver)
            box = driver.execute_script(KEPT)
            last = driver.execute_script("""
                const t = document.createElement("template");
                t.innerHTML = arguments[0].querySelector("noscript").textContent;
                return [...t.content.querySelectorAll("tr")].pop().querySelector("th").textContent;""", box)
            box.find_element(By.CSS_SELECTOR, ".find").send_keys(last)
            found = driver.execute_script(ROWS, box)
            self.assertTrue(found)
            self.assertTrue(all(last in row for row in found), found)

    def test_further_rows_stand_there_without_scripts(self):
        with browser() as driver:
            self.open(driver, scripts=False)
            box = driver.execute_script(KEPT)
            before, further = len(driver.execute_script(ROWS, box)), int(box.find_element(By.CSS_SELECTOR, "label.more").text.split()[0])
            box.find_element(By.CSS_SELECTOR, "label.more").click()
            self.assertEqual(len(driver.execute_script(ROWS, box)), before + further)


if __name__ == "__main__":
    unittest.main()
