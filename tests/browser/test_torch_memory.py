"""Memory of a range of steps: the reader chooses the first and the last, and the page adds up what each operator asked for."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from torch_files import event, memory, text, trace

try:
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
KIB = 1024


def events():
    """Three steps; each adds a piece of 2 KiB that stays, and one of 3, 4 or 5 KiB by aten::mul that goes."""
    found, held = [], 0
    for step in range(3):
        at = 1000 * step
        found += [event("user_annotation", f"ProfilerStep#{step}", at, 900), event("cpu_op", "aten::add", at + 10, 100),
                  event("cpu_op", "aten::mul", at + 200, 100)]
        for time, size, address in ((20, 2 * KIB, 10 + step), (210, (3 + step) * KIB, 5), (350, -(3 + step) * KIB, 5)):
            held += size
            found.append(memory(at + time, size, address, held, 20 * KIB))
    return found


class Range(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        path, cls.page = (Path(cls.folder.name, n) for n in ("rank0.1.pt.trace.json", "r.html"))
        path.write_bytes(text(trace(events())))
        subprocess.run([TPREPORT, "-q", str(path), "-o", str(cls.page)], check=True)

    def open(self, driver):
        driver.get(self.page.as_uri())
        driver.execute_script("document.querySelectorAll('details').forEach(e => e.open = true)")
        WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "div.choice select"))
        return [Select(e) for e in driver.find_elements(By.CSS_SELECTOR, "div.choice:not(.ranges) select")]

    def range(self, driver):
        """What is found in the range of time: the line above, and the texts of both tables' rows."""
        found = driver.find_element(By.CSS_SELECTOR, ".ranges + .sum")
        tables = [[[cell.text.replace("\u202f", " ") for cell in row.find_elements(By.TAG_NAME, "td")] for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
                  for table in found.find_elements(By.TAG_NAME, "table")]
        return [found.text.split("\n")[0].replace("\u202f", " "), *tables] if found.text else []

    def shown(self, driver):
        """The caption, and {operator: what it was given itself}."""
        [table] = driver.find_elements(By.CSS_SELECTOR, ".scroll.sum table")
        rows = [[e.text.replace("\u202f", " ") for e in row.find_elements(By.TAG_NAME, "td")]
                for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
        return table.find_element(By.TAG_NAME, "caption").text.replace("\u202f", " "), {row[0]: row[1] for row in rows}

    def test_nothing_is_added_up_until_a_step_is_chosen(self):
        with browser() as driver:
            first, last = self.open(driver)
            self.assertEqual([o.text for o in first.options], ["none", "step 0", "step 1", "step 2"])
            self.assertEqual(last.first_selected_option.text, "step 2")
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".scroll.sum"), [])

    def test_steps_of_a_range_are_added_up(self):
        with browser() as driver:
            first, last = self.open(driver)
            first.select_by_visible_text("step 1")
            self.assertEqual(self.shown(driver), ("Steps 1 to 2: peak 11.0 KiB, grew by 4.00 KiB, 13.0 KiB allocated",
                                                  {"aten::mul": "9.00 KiB", "aten::add": "4.00 KiB", "(no operator)": "0 B"}))
            last.select_by_visible_text("step 0")  # the other way round
            self.assertEqual(self.shown(driver), ("Steps 0 to 1: peak 8.00 KiB, grew by 4.00 KiB, 11.0 KiB allocated",
                                                  {"aten::mul": "7.00 KiB", "aten::add": "4.00 KiB", "(no operator)": "0 B"}))
            first.select_by_visible_text("none")
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".scroll.sum"), [])
            self.assertEqual(console_errors(driver), [])

    def test_sizes_in_different_units_are_sorted_by_bytes(self):
        with browser() as driver:
            self.open(driver)
            [table] = [e for e in driver.find_elements(By.CSS_SELECTOR, "[id$='/operators/table']") if "step-" not in e.get_attribute("id")]
            table.find_elements(By.CSS_SELECTOR, "th button.sort")[5].click()  # growth itself: 6 KiB, 12 KiB, -12 KiB
            cells = [row.find_element(By.CSS_SELECTOR, "th, td").text for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
            self.assertEqual(cells, ["aten::mul", "aten::add", "(no operator)"])

    def test_a_drag_over_the_curve_shows_what_came_and_went_in_that_time(self):
        with browser() as driver:
            self.open(driver)
            plot = driver.find_element(By.CSS_SELECTOR, "figure[id$='/curve'] .plot")
            self.assertEqual(self.range(driver), [])
            # Of nine intervals from 0.02 to 2.35 ms the first two, from right to left: add and mul come, mul goes.
            box = driver.execute_script("""arguments[0].scrollIntoView({block: "center"});
                const b = arguments[0].querySelector("svg").getBoundingClientRect(); return [b.left, b.top, b.width];""", plot)
            x = [round(box[0] + box[2] * at / 9) for at in (1.5, 0.4)]
            drag = ActionChains(driver, duration=50)
            drag.w3c_actions.pointer_action.move_to_location(x[0], round(box[1] + 40)).pointer_down().move_to_location(x[1], round(box[1] + 40)).pointer_up()
            drag.perform()
            line, operators, pieces = self.range(driver)
            self.assertRegex(line, r"^20\.0 µs to 0\.53\d ms: 2\.00 KiB to 5\.00 KiB allocated$")
            self.assertEqual(operators, [["aten::mul", "3.00 KiB", "1", "3.00 KiB", "0 B"], ["aten::add", "2.00 KiB", "1", "0 B", "2.00 KiB"]])
            self.assertEqual([(row[0], row[1]) for row in pieces], [("aten::mul", "3.00 KiB"), ("aten::add", "2.00 KiB")])
            self.assertIn(", all allocations\n", driver.find_element(By.CSS_SELECTOR, ".ranges + .sum").text)
            band = driver.find_element(By.CSS_SELECTOR, "svg .range")
            self.assertAlmostEqual(float(band.get_attribute("width").rstrip("%")), 200 / 9, delta=.01)
            drag = ActionChains(driver, duration=50)  # a click: the whole again
            drag.w3c_actions.pointer_action.move_to_location(x[0], round(box[1] + 40)).pointer_down().pointer_up()
            drag.perform()
            self.assertEqual(self.range(driver), [])
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "svg .range"), [])
            self.assertEqual(console_errors(driver), [])

    def test_a_range_is_set_by_the_keyboard(self):
        with browser() as driver:
            self.open(driver)
            first, last = driver.find_elements(By.CSS_SELECTOR, ".ranges input")
            first.send_keys(*[Keys.ARROW_RIGHT] * 7)
            line, operators, _ = self.range(driver)
            self.assertRegex(line, r"to 2\.35 ms: ")
            boxes = driver.find_elements(By.CSS_SELECTOR, ".ranges + .sum .scroll")
            self.assertEqual([(e.get_attribute("tabindex"), e.get_attribute("aria-label")) for e in boxes],
                             [("0", e.find_element(By.TAG_NAME, "caption").text) for e in boxes])
            self.assertEqual(len(boxes), 2)
            self.assertEqual(operators, [["aten::mul", "5.00 KiB", "1", "5.00 KiB", "0 B"], ["aten::add", "2.00 KiB", "1", "0 B", "2.00 KiB"]])
            self.assertTrue(first.get_attribute("aria-valuetext").endswith("ms"))
            driver.find_element(By.CSS_SELECTOR, ".ranges button").send_keys(Keys.ENTER)
            self.assertEqual(self.range(driver), [])
            self.assertEqual(last.get_attribute("value"), "8")

    def test_of_more_pieces_than_are_listed_it_says_of_which(self):
        path, page = (Path(self.folder.name, n) for n in ("many.1.pt.trace.json", "many.html"))
        path.write_bytes(text(trace([event("cpu_op", "aten::add", 0, 5000), *(memory(2 * i, KIB, i + 1, (i + 1) * KIB, 4096 * KIB) for i in range(2100))])))
        subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
        with browser() as driver:
            driver.get(page.as_uri())
            driver.execute_script("document.querySelectorAll('details').forEach(e => e.open = true)")
            WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".ranges input"))
            driver.find_element(By.CSS_SELECTOR, ".ranges input").send_keys(Keys.ARROW_RIGHT)
            found = driver.find_element(By.CSS_SELECTOR, ".ranges + .sum").text
            self.assertEqual(found.count("of the 2,000 largest allocations"), 2)
            self.assertNotIn("all allocations", found)

    def test_a_phone_has_room(self):
        with browser(width=360, height=800) as driver:
            first, _ = self.open(driver)
            first.select_by_visible_text("step 0")
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    unittest.main()
