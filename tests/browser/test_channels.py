"""Channels and hosts of a distributed run: one channel is chosen, drawn and told; both are told of the step that the page shows."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from pod_writer import core, program
from xspace_writer import xspace

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
STEPS = [("0", 0, 10), ("1", 100, 110)]
FIGURES = "return [...document.getElementById(arguments[0]).querySelectorAll('text.px12.w6.end')].map(t => t.textContent.replace('\\u202f', ' '))"
OPEN = """const found = targetOf("#" + arguments[0]);
    for (let e = found; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;"""


class Channels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """Core 0 of alpha sends to core 1 of beta: 2 ms in step 0, 3 ms in step 1. Alpha computes 6 and 4 ms, beta 5 and 6."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.page = Path(cls.folder.name, "r.html")
        dot = "convolution fusion"
        sends = [("send.7", "send", 1, 2), ("dot.1", dot, 2, 8), ("send.7", "send", 101, 102), ("dot.1", dot, 102, 106)]
        receives = [("recv-done.7", "recv-done", 0, 3), ("dot.1", dot, 3, 8), ("recv-done.7", "recv-done", 102, 104), ("dot.1", dot, 104, 110)]
        logs = Path(cls.folder.name, "logs/plugins/profile/run")
        logs.mkdir(parents=True)
        (logs / "alpha.xplane.pb").write_bytes(xspace(core(0, STEPS, sends, cores_a_chip=1), program("{{0,1}}"), hosts=["alpha"]))
        (logs / "beta.xplane.pb").write_bytes(xspace(core(1, STEPS, receives, cores_a_chip=1), hosts=["beta"]))
        subprocess.run([TPREPORT, "-q", Path(cls.folder.name, "logs"), "-o", cls.page], check=True)

    def open(self, driver):
        driver.get(self.page.as_uri())
        for name in ("distributed/link-map", "distributed/links", "hosts/steps"):
            driver.execute_script(OPEN, name)
        WebDriverWait(driver, 20).until(lambda _: driver.execute_script("return document.querySelector('.press') && theStep.followers.length > 5"))

    def choice(self, driver):
        [label] = [e for e in driver.find_elements(By.CSS_SELECTOR, "label.choice") if e.text.startswith("Channel")]
        return Select(label.find_element(By.TAG_NAME, "select"))

    def told(self, driver):
        return driver.find_element(By.CSS_SELECTOR, "label.choice + p.small").text.replace("\u202f", " ")

    def test_latency_and_hosts_follow_the_step(self):
        with browser() as driver:
            self.open(driver)
            mean = driver.execute_script(FIGURES, "distributed/latency"), driver.execute_script(FIGURES, "hosts/steps")
            self.assertEqual(mean[0], ["2.50 ms"])
            for step, latency, compute in (("0", "2.00 ms", {6, 5}), ("1", "3.00 ms", {4, 6})):
                driver.execute_script("theStep.choose(arguments[0])", step)
                # What follows the step is made piece by piece after the page is drawn.
                WebDriverWait(driver, 20).until(lambda _, latency=latency: driver.execute_script(FIGURES, "distributed/latency") == [latency])
                bars = driver.execute_script("return [...document.querySelectorAll(\"[id='hosts/steps'] .now rect\")].map(r => r.dataset.tip)")
                self.assertEqual({int(float(t.split()[1])) for t in (t.replace("\u202f", " ") for t in bars) if t.startswith("Compute ")}, compute)
                for name in ("distributed/latency", "hosts/steps"):
                    self.assertIn(f"Step {step}: 10.0\u202fms", driver.find_element(By.ID, name).text)
            driver.execute_script("theStep.choose('')")
            self.assertEqual((driver.execute_script(FIGURES, "distributed/latency"), driver.execute_script(FIGURES, "hosts/steps")), mean)
            self.assertEqual(console_errors(driver), [])

    def test_a_channel_is_chosen_from_a_list_drawn_and_told_of_the_step(self):
        with browser() as driver:
            self.open(driver)
            choice = self.choice(driver)
            self.assertEqual([o.text for o in choice.options], ["none", "core 0 → core 1 (3)"])
            self.assertEqual(self.told(driver), "")
            choice.select_by_index(1)
            self.assertEqual(self.told(driver), "Channel 3, core 0 → core 1 (send.7 → recv-done.7): 4.00 MiB, latency 2.50 ms, 1.56 GiB/s, "
                                                "send delay 500 µs, receive 2.50 ms; mean over steps")
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, "[id='distributed/link-map'] line.link")), 1)
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, "[id='distributed/links'] tr[aria-current]")), 1)
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, "[id='distributed/latency'] .chosen")), 1)
            driver.execute_script("theStep.choose('1')")
            self.assertRegex(self.told(driver), r"latency 3\.00 ms, .*send delay 0 µs, receive 2\.00 ms; step 1$")
            choice.select_by_index(0)
            self.assertEqual(self.told(driver), "")
            for gone in ("line.link", "tr[aria-current='true']:not([id*='step'])", ".chosen"):
                self.assertEqual(driver.find_elements(By.CSS_SELECTOR, f"[id='distributed/channels'] {gone}"), [])

    def test_by_its_row_its_bar_and_the_keyboard(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("document.querySelector(\"[id='distributed/links'] tbody tr\").cells[2].click()")
            self.assertIn("Channel 3", self.told(driver))
            driver.execute_script("""const svg = document.querySelector("[id='distributed/latency'] .plot > svg"), box = svg.getBoundingClientRect();
                svg.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: box.left + 9, clientY: box.top + 10}));""")
            self.assertEqual(self.told(driver), "")
            driver.execute_script("document.querySelector(\"[id='distributed/links'] tbody tr\").focus()")
            driver.switch_to.active_element.send_keys(Keys.ENTER)
            self.assertIn("Channel 3", self.told(driver))
            self.assertEqual(self.choice(driver).first_selected_option.text, "core 0 → core 1 (3)")


if __name__ == "__main__":
    unittest.main()
