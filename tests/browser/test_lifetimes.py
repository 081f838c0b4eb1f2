"""Lifetimes of buffers: the ten largest stand below the curve without a script; with it, a row that is pointed at or reached by
keyboard shows its own."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import hlo_writer
from hlo_writer import ALLOC, FREE, Plan

try:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
TABLE = "memory/jit_f/7/main%20memory/buffers"
TEMPORARIES = 30


def program():
    """A parameter, and temporaries that come one after the other and go in the same order; the largest come first."""
    module = hlo_writer.Module("jit_f")
    main = module.computation("main")
    ids = [main.add("weights", "parameter", "f32[25000]{0}", parameter_number=0)]
    ids += [main.add(f"fusion.{n}", "fusion", "f32[25000]{0}", ids[0]) for n in range(TEMPORARIES)]
    plan = Plan()
    buffers = [plan.buffer(one, 100_000 if n == 0 else 200_000 - n) for n, one in enumerate(ids)]
    plan.allocation(100_000, buffers[0], parameter=True)
    plan.allocation(200_000 * TEMPORARIES, *buffers[1:])
    plan.events(*((ALLOC, b, f"fusion.{n}") for n, b in enumerate(buffers[1:])),
                *((FREE, b, f"fusion.{n}") for n, b in enumerate(buffers[1:])))
    return module.bytes() + plan.bytes()


class Lifetimes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path, cls.page, tree = (Path(cls.folder.name, n) for n in ("jit_f(7).hlo_proto.pb", "r.html", "r.json"))
        path.write_bytes(program())
        subprocess.run([TPREPORT, "-q", str(path), "-o", str(cls.page), "-o", str(tree)], check=True)
        cls.doc = json.loads(tree.read_text(encoding="utf-8"))

    def chart(self):
        [memory] = [s for s in self.doc["sections"] if s["id"] == "memory"]
        [chart] = [b for sub in memory["blocks"] for b in sub.get("blocks", []) if b["kind"] == "chart"]
        return chart

    def test_the_ten_largest_are_drawn_without_a_script(self):
        names = [one["label"] for one in self.chart()["lifetimes"]]
        self.assertEqual(names, [f"fusion.{n}" for n in range(10)])
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(self.page.as_uri())
            texts = [e.text for e in driver.find_elements(By.CSS_SELECTOR, "figure[data-axis][id$='/curve'] .plot text")]
            for name in names:
                self.assertTrue(any(text.startswith(name + " · ") for text in texts), name)

    def test_a_phone_has_room(self):
        with browser(width=360, height=800) as driver:
            driver.get(self.page.as_uri())
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 360)

    def shown(self, driver):
        """[(from, to, name)] of what is highlighted, as shares of the axis."""
        found = driver.execute_script("""return [...document.querySelectorAll("svg .life")].map(
            e => [e.getAttribute("x"), e.getAttribute("width"), e.nextElementSibling.textContent])""")
        spans = [(float(x.rstrip("%")) / 100, float(w.rstrip("%")) / 100, name) for x, w, name in found]
        return [(left, left + width, name) for left, width, name in spans]

    def holds(self, driver, wanted):
        [(left, right, name)] = self.shown(driver)
        self.assertEqual(name, wanted["label"])
        self.assertAlmostEqual(left, wanted["from"], places=6)
        self.assertAlmostEqual(right, wanted["to"], places=6)

    def rows(self, driver):
        return driver.find_elements(By.CSS_SELECTOR, f"[id='{TABLE}'] tbody tr")

    def test_pointing_at_a_row_shows_its_lifetime(self):
        lives = self.chart()["lifetimes"]
        with browser() as driver:
            driver.get(self.page.as_uri())
            for number in (0, 7):
                row = self.rows(driver)[number]
                driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
                ActionChains(driver).move_to_element(row.find_element(By.TAG_NAME, "th")).perform()
                self.holds(driver, lives[number])
            driver.execute_script("document.querySelector('main').scrollIntoView()")
            ActionChains(driver).move_to_element(driver.find_element(By.CSS_SELECTOR, ".brand")).perform()
            self.assertEqual(self.shown(driver), [])
            self.assertEqual(console_errors(driver), [])

    def test_so_does_moving_to_it_by_keyboard(self):
        lives = self.chart()["lifetimes"]
        with browser() as driver:
            driver.get(self.page.as_uri())
            first = self.rows(driver)[0]
            self.assertEqual(driver.execute_script(
                f"return document.querySelectorAll(\"[id='{TABLE}'] tbody tr[tabindex='0']\").length"), 1)
            driver.execute_script("arguments[0].focus()", first)
            self.holds(driver, lives[0])
            driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
            driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
            self.holds(driver, lives[2])
            driver.switch_to.active_element.send_keys(Keys.ARROW_UP)
            self.holds(driver, lives[1])
            self.assertEqual(console_errors(driver), [])

    def test_rows_beyond_the_ten_have_one_too(self):
        with browser() as driver:
            driver.get(self.page.as_uri())
            find = driver.find_element(By.CSS_SELECTOR, f"[id='{TABLE}'] .find")
            find.send_keys("weights")
            driver.execute_script("arguments[0].focus()", self.rows(driver)[0])
            self.holds(driver, {"label": "weights", "from": 0, "to": 1})


if __name__ == "__main__":
    unittest.main()
