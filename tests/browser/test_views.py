"""Choosing a worker, span or run in the page: with the script and without it, by its link, and on paper."""

import base64
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from torch_files import event, text, trace
from xspace_writer import Plane, xspace

try:
    from selenium.webdriver.common.by import By

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
HASH = "#views/worker=rank1"


def steps(step_us):
    return trace([event("user_annotation", f"ProfilerStep#{i}", i * step_us, step_us) for i in range(3)] +
                 [event("cpu_op", "aten::add", i * step_us + 5, step_us // 2) for i in range(3)],
                 baseTimeNanoseconds=1711929600000000000)


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        logs, cls.page = Path(cls.folder.name, "logs"), Path(cls.folder.name, "r.html")
        for run, worker, step_us in (("now", "rank0", 2000), ("now", "rank1", 3000), ("before", "rank0", 5000)):
            path = logs / run / (worker + ".1.pt.trace.json")
            path.parent.mkdir(parents=True, exist_ok=True)
            found = steps(step_us)
            found["baseTimeNanoseconds"] -= 10 ** 12 * (run == "before")
            path.write_bytes(text(found))
        subprocess.run([TPREPORT, "-q", str(logs), "-o", str(cls.page)], check=True)

    def shown(self, driver):
        """Titles of the sections and views that can be seen."""
        headings = driver.find_elements(By.CSS_SELECTOR, ".sec > header h2, .view > header h3")
        return [e.text for e in headings if e.is_displayed()]

    def open(self, driver, fragment="", script=True):
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
        driver.get(self.page.as_uri() + fragment)

    def test_all_is_the_default_and_a_link_shows_one_alone(self):
        for script in (True, False):
            with self.subTest(script=script), browser() as driver:
                self.open(driver, script=script)
                links = driver.find_elements(By.CSS_SELECTOR, ".choose a")
                self.assertEqual([a.text for a in links], ["run now", "rank0", "rank1", "run before"])
                self.assertIn("Steps", self.shown(driver))
                self.assertNotIn("rank1", self.shown(driver))
                headline = driver.find_element(By.TAG_NAME, "h1").text
                links[2].click()
                self.assertEqual(self.shown(driver), ["rank1"])
                self.assertEqual(driver.find_element(By.TAG_NAME, "h1").text, headline)
                tiles = driver.find_element(By.CSS_SELECTOR, ".view:target .tile .v")
                self.assertEqual(tiles.text.replace("\u202f", " "), "3.00 ms, median")
                links[3].click()
                self.assertEqual(self.shown(driver), ["run before"])
                links[0].click()
                self.assertIn("Steps", self.shown(driver))
                driver.back()
                self.assertEqual(self.shown(driver), ["run before"])
                self.assertEqual(console_errors(driver), [])

    def test_the_address_keeps_the_choice_and_a_row_of_it_opens_it(self):
        with browser() as driver:
            self.open(driver, HASH)
            self.assertEqual(self.shown(driver), ["rank1"])
            [current] = driver.find_elements(By.CSS_SELECTOR, ".choose a[aria-current]")
            self.assertEqual(current.text, "rank1")
            row = driver.find_element(By.CSS_SELECTOR, ".view:target tbody tr[id]").get_attribute("id")
            self.open(driver, "#" + row)
            driver.refresh()
            self.assertEqual(self.shown(driver), ["rank1"])

    def test_hosts_of_a_run_are_chosen_like_workers(self):
        logs, page = Path(self.folder.name, "hosts"), Path(self.folder.name, "hosts.html")
        for name, step_ms in (("w-0", 2), ("w-1", 3)):
            thread = Plane("/host:CPU")
            line = thread.line("python/1")
            for number in range(3):
                line.event("train", number * step_ms * 10**9, step_ms * 10**9, step_num=number, _r=1)
                line.event("run", number * step_ms * 10**9, step_ms * 10**9 // 2)
            path = logs / "plugins/profile/run" / f"{name}.xplane.pb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(xspace(thread, hosts=[name]))
        subprocess.run([TPREPORT, "-q", str(logs), "-o", str(page)], check=True)
        with browser() as driver:
            driver.get(page.as_uri())
            links = driver.find_elements(By.CSS_SELECTOR, ".choose a")
            self.assertEqual([a.text for a in links], ["All", "w-0", "w-1"])
            links[2].click()
            self.assertEqual(self.shown(driver), ["w-1"])
            tiles = driver.find_element(By.CSS_SELECTOR, ".view:target .tile .v")
            self.assertEqual(tiles.text.replace("\u202f", " "), "3.00 ms, median")
            self.assertEqual(console_errors(driver), [])

    def test_by_the_keyboard(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("document.querySelectorAll('.choose a')[1].focus()")
            driver.switch_to.active_element.send_keys("\ue007")
            self.assertEqual(self.shown(driver), ["rank0"])

    def test_a_phone_has_room(self):
        with browser(width=360, height=800) as driver:
            self.open(driver, HASH)
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 360)

    def test_paper_shows_what_is_chosen(self):
        for fragment, there, absent in (("", "Where a step goes", "Separately"), (HASH, "Separately", "Where a step goes")):
            with self.subTest(fragment), browser() as driver, tempfile.TemporaryDirectory() as folder:
                self.open(driver, fragment)
                path = Path(folder, "p.pdf")
                path.write_bytes(base64.b64decode(driver.print_page()))
                words = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout
                self.assertIn(there, words)
                self.assertNotIn(absent, words)


if __name__ == "__main__":
    unittest.main()
