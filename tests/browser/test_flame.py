"""A flame graph: a frame is made as wide as the chart by a click or by the keyboard, and what it is a part of leads back."""

import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

from colour_vision import contrast
from torch_files import event, text, trace

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
WIDTHS = """return [...document.querySelectorAll("figure[id$='/flame'] .now rect:not(.f-paper)")]
    .map(r => [r.dataset.tip.split(":")[0], Math.round(parseFloat(r.getAttribute("x")) * 10) / 10, Math.round(parseFloat(r.getAttribute("width")) * 10) / 10]);"""


def module(name, ts, dur, parent, ident):
    return event("python_function", f"nn.Module: {name}", ts, dur, **{"Python id": ident, "Python parent id": parent, "Python module id": 0})


class Flame(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A net of 100 µs: Left 50 of it, with Inner in 30 of these, and Right 30."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path, cls.page = (Path(cls.folder.name, n) for n in ("rank0.1.pt.trace.json", "r.html"))
        path.write_bytes(text(trace([
            module("Net", 10, 100, None, 1), module("Left", 20, 50, 1, 2), module("Inner", 30, 30, 2, 3), module("Right", 75, 30, 1, 4),
            event("cpu_op", "aten::add", 31, 2)])))
        subprocess.run([TPREPORT, "-q", path, "-o", cls.page], check=True)

    def open(self, driver):
        driver.get(self.page.as_uri())
        driver.execute_script("""const id = [...document.querySelectorAll("figure[id$='/flame']")].map(e => e.id)[0] || "modules/1/tree/flame";
            for (let e = targetOf("#" + id); e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;""")
        WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "figure[id$='/flame'] .picks"))
        return driver.find_element(By.CSS_SELECTOR, "figure[id$='/flame']")

    def click(self, driver, name):
        driver.execute_script("""
            const option = [...document.querySelectorAll("figure[id$='/flame'] [role=option]")].find(o => o.getAttribute("aria-label").startsWith(arguments[0]));
            const box = option.getBoundingClientRect();
            document.querySelector("figure[id$='/flame'] .plot").dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + 5}));""", name)

    def test_labels_on_tints_are_read_in_the_dark(self):
        page = self.page.with_name("tints.html")
        subprocess.run([TPREPORT, "-q", SOURCE / "examples/tf_graph/input", "-o", page], check=True)
        with browser(dark=True) as driver, unittest.mock.patch.object(Flame, "page", page):
            self.open(driver)
            found = driver.execute_script("""
                const colour = e => getComputedStyle(e).fill.match(/[\\d.]+/g).map(Number);
                const label = [...document.querySelectorAll("figure[id$='/flame'] svg text")].find(t => getComputedStyle(t).display !== "none" && t.textContent.includes("(gradient)"));
                const shape = document.createElementNS("http://www.w3.org/2000/svg", "rect");
                shape.setAttribute("class", "c-compute t1");
                label.before(shape);
                const probe = document.createElement("canvas").getContext("2d");
                probe.fillStyle = getComputedStyle(shape).fill;
                probe.fillRect(0, 0, 1, 1);
                return [colour(label), [...probe.getImageData(0, 0, 1, 1).data]];""")
        self.assertGreaterEqual(contrast(*(tuple(colour[:3]) for colour in found)), 4.5, found)

    def test_a_click_makes_a_frame_as_wide_as_the_chart(self):
        with browser() as driver:
            figure = self.open(driver)
            drawn = figure.text
            self.assertEqual(driver.execute_script(WIDTHS), [])
            self.click(driver, "Left")
            self.assertEqual(driver.execute_script(WIDTHS), [["Net_0", 0, 100], ["Left_0", 0, 100], ["Inner_0", 0, 60]])
            texts = [e.text for e in figure.find_elements(By.CSS_SELECTOR, ".now text")]
            self.assertEqual(texts, ["Net_0", "Left_0", "Inner_0"])
            self.assertEqual(figure.find_element(By.TAG_NAME, "figcaption").text, "All › Net_0 › Left_0")
            self.click(driver, "Inner")
            self.assertEqual(driver.execute_script(WIDTHS)[-1], ["Inner_0", 0, 100])
            figure.find_elements(By.CSS_SELECTOR, "figcaption button")[1].click()
            self.assertEqual(driver.execute_script(WIDTHS), [["Net_0", 0, 100], ["Left_0", 0, 50], ["Inner_0", 0, 30], ["Right_0", 50, 30]])
            figure.find_elements(By.CSS_SELECTOR, "figcaption button")[0].click()
            self.assertEqual((driver.execute_script(WIDTHS), figure.text), ([], drawn))
            self.assertEqual(console_errors(driver), [])

    def test_labels_take_the_room_that_there_is(self):
        name = "A module with quite a long name which needs room"
        path, page = (Path(self.folder.name, n) for n in ("rank0.2.pt.trace.json", "long.html"))
        path.write_bytes(text(trace([
            module("Net", 10, 100, None, 1), module(name, 20, 35, 1, 2), module("Right", 75, 30, 1, 3), event("cpu_op", "aten::add", 31, 2)])))
        subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
        labels = """return [...document.querySelectorAll("figure[id$='/flame'] text")].filter(e => e.getClientRects().length).map(e => e.textContent);"""
        for width, whole in ((1920, True), (700, False)):
            with browser(width) as driver, unittest.mock.patch.object(self, "page", page):
                self.open(driver)
                found = [label for label in driver.execute_script(labels) if label.startswith("A mod")]
                self.assertEqual((len(found), found[0].startswith(name)), (1, whole), found)

    def test_by_the_keyboard(self):
        with browser() as driver:
            figure = self.open(driver)
            driver.execute_script("document.querySelector(\"figure[id$='/flame'] .picks [tabindex='0']\").focus()")
            for key in (Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER):
                driver.switch_to.active_element.send_keys(key)
            self.assertEqual(figure.find_element(By.TAG_NAME, "figcaption").text, "All › Net_0 › Left_0 › Inner_0")
            for key in (Keys.ARROW_UP, Keys.ENTER):
                driver.switch_to.active_element.send_keys(key)
            self.assertEqual(figure.find_element(By.TAG_NAME, "figcaption").text, "All › Net_0 › Left_0")
            driver.switch_to.active_element.send_keys(Keys.ESCAPE)
            self.assertEqual(driver.execute_script(WIDTHS), [])

    def test_names_that_do_not_fit_are_cut(self):
        with browser() as driver:
            self.open(driver)
            self.assertEqual(driver.execute_script("""pen.font = "11px monospace"; const one = pen.measureText("m").width;
                return [fitting("abcdefgh", 8.1 * one), fitting("abcdefgh", 5.1 * one), fitting("abcdefgh", 2 * one)];"""), ["abcdefgh", "abcd…", ""])


if __name__ == "__main__":
    unittest.main()
