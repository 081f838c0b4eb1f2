"""A large page has few elements when it opens: what is folded becomes elements when it is wanted, and stands there without scripts.
The search finds it, and tables are saved whole."""

import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

import growing

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
        WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.readyState") == "complete")

    def test_a_fold_is_filled_when_it_opens(self):
        with browser() as driver:
            self.open(driver)
            fold = driver.execute_script(SHUT)
            self.assertEqual(fold.find_elements(By.CSS_SELECTOR, "table"), [])
            fold.find_element(By.TAG_NAME, "summary").click()
            WebDriverWait(driver, 20).until(lambda _: fold.find_elements(By.CSS_SELECTOR, "table button.sort"))
            self.assertEqual(fold.find_elements(By.CSS_SELECTOR, "noscript"), [])
            self.assertEqual(console_errors(driver), [])

    def test_the_browsers_own_search_finds_what_is_folded(self):
        with browser() as driver:
            self.open(driver)
            box = driver.execute_script(KEPT)
            before = len(driver.execute_script(ROWS, box))
            driver.find_element(By.TAG_NAME, "body").send_keys("fo")
            self.assertEqual(len(driver.execute_script(ROWS, box)), before)
            driver.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "f")
            self.assertGreater(len(driver.execute_script(ROWS, box)), before)
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "main noscript, input.more:not(:checked)"), [])
            self.assertEqual(console_errors(driver), [])

    def test_a_phone_has_all_folds_made_after_a_while(self):
        """Its search is in a menu, of which the page knows nothing."""
        with browser(390, 844) as driver:
            driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})
            self.open(driver)
            self.assertTrue(driver.execute_script("return matchMedia('(pointer: coarse)').matches"))
            WebDriverWait(driver, 20).until(lambda _: not driver.execute_script("return document.querySelector('main noscript:not(.later > noscript)')"))
            self.assertEqual(driver.execute_script("return document.querySelectorAll('details:not([open]) table').length > 0"), True)
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


class Search(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.page = Path(folder.name), Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", LOGS, "-o", cls.page], check=True)

    def look_for(self, driver, words):
        driver.get(self.page.as_uri())
        driver.find_element(By.TAG_NAME, "body").send_keys("/")
        driver.switch_to.active_element.send_keys(words)
        return WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".hits a"))

    def test_a_row_in_a_fold_is_found_and_shown(self):
        with browser() as driver:
            hits = self.look_for(driver, "aten::addmm")
            self.assertIn("aten::addmm", hits[0].text)
            driver.switch_to.active_element.send_keys(Keys.ENTER)
            shown = "return document.querySelector(':target') && document.querySelector(':target').getClientRects().length"
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script(shown))
            self.assertIn("aten::addmm", driver.execute_script("return document.querySelector(':target').textContent"))
            self.assertEqual(console_errors(driver), [])

    def test_figures_are_found_by_id_and_nothing_says_so(self):
        with browser() as driver:
            self.assertIn("step.time.mean_ms", self.look_for(driver, "step.time.mean")[0].text)
            driver.switch_to.active_element.send_keys("no such thing")
            WebDriverWait(driver, 20).until(lambda _: "Nothing found" in driver.find_element(By.CSS_SELECTOR, ".hits").text)
            driver.switch_to.active_element.send_keys(Keys.ESCAPE)
            WebDriverWait(driver, 20).until(lambda _: driver.find_element(By.CSS_SELECTOR, ".rail ol:not(.hits)").is_displayed())

    def test_a_table_is_saved_whole_as_csv(self):
        folder = self.folder / "saved"
        folder.mkdir()
        with browser() as driver:
            driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
            driver.get(self.page.as_uri())
            box = driver.execute_script(KEPT)
            before, further = len(driver.execute_script(ROWS, box)), int(box.find_element(By.CSS_SELECTOR, "label.more").text.split()[0])
            driver.execute_script("arguments[0].querySelector('.copies button:last-child').click()", box)
            saved = WebDriverWait(driver, 20).until(lambda _: [f for f in folder.iterdir() if f.suffix == ".csv"])
            with open(saved[0], encoding="utf-8-sig", newline="") as file:
                head, *rows = csv.reader(file)
            self.assertEqual(len(rows), before + further)
            self.assertEqual({len(row) for row in rows}, {len(head)})


NOTES = """return [...document.querySelectorAll(".tb")].map(box => [box.id, [...box.querySelectorAll(":scope > p")]
    .filter(p => /report[.]json/.test(p.textContent) && getComputedStyle(p).display !== "none").map(p => p.textContent)]).filter(([, notes]) => notes.length)"""


class LeftOut(unittest.TestCase):
    """Of 9,000 operations 500 are elements; more are data for the script, until there is no room for them."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for name, data in growing.operations(9000).items():
            Path(folder.name, "run", name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder.name, "run", name).write_bytes(data)
        cls.page = Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", Path(folder.name, "run"), "-o", cls.page], check=True)

    def notes(self, scripts):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
            driver.get(self.page.as_uri())
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.readyState") == "complete")
            driver.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.querySelector('.left-out')"))
            WebDriverWait(driver, 20).until(lambda _: not scripts or driver.execute_script("return document.querySelector('.next')"))
            return dict(driver.execute_script(NOTES))

    def test_one_note_says_how_many_rows_the_page_lacks(self):
        without, with_script = self.notes(False), self.notes(True)
        self.assertIn(["8,500 further rows are in report.json; tpreport LOGDIR -o tables.csv/ writes all."], without.values())
        for notes in (*without.values(), *with_script.values()):
            self.assertEqual(len(notes), 1, notes)
        [note] = [note for [note] in with_script.values() if "alone" in note]
        self.assertLess(int(note.split()[0].replace(",", "")), 8500)


if __name__ == "__main__":
    unittest.main()
