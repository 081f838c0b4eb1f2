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
        tables = [[[cell.text.replace("\u202f", " ") for cell in row.find_elements(By.TAG_NAME, "td")] for row in table.find_elements(By.CSS_SELECTOR, "tbody tr:not(.gap)")]
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
            boxes = driver.find_elements(By.CSS_SELECTOR, ".ranges + .sum :is(.scroll, .rows)")
            self.assertEqual([(e.get_attribute("tabindex"), e.get_attribute("aria-label")) for e in boxes],
                             [("0", e.find_element(By.TAG_NAME, "caption").text) for e in boxes])
            self.assertEqual(len(boxes), 2)
            self.assertEqual(operators, [["aten::mul", "5.00 KiB", "1", "5.00 KiB", "0 B"], ["aten::add", "2.00 KiB", "1", "0 B", "2.00 KiB"]])
            self.assertTrue(first.get_attribute("aria-valuetext").endswith("ms"))
            driver.find_element(By.CSS_SELECTOR, ".ranges button").send_keys(Keys.ENTER)
            self.assertEqual(self.range(driver), [])
            self.assertEqual(last.get_attribute("value"), "8")

    def page_of(self, name, count):
        """A page of that many allocations of 1, 2, 3 … bytes; every other one is by aten::mul."""
        path, page = (Path(self.folder.name, f"{name}.1.pt.trace.json"), Path(self.folder.name, name + ".html"))
        ops = [event("cpu_op", ("aten::add", "aten::mul")[i % 2], 2 * i, 1.5) for i in range(count)]
        path.write_bytes(text(trace([*ops, *(memory(2 * i + 1, i + 1, i + 1, (i + 1) * (i + 2) // 2, 2 ** 40) for i in range(count))])))
        subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
        return page

    def open_page(self, driver, page):
        driver.get(page.as_uri())
        driver.execute_script("document.querySelectorAll('details').forEach(e => e.open = true)")
        WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".ranges input"))

    def rows_of(self, driver, box):
        """What a list has as elements: the number of each row, and its texts."""
        return driver.execute_script("""return [...document.getElementById(arguments[0]).querySelectorAll("tbody tr[aria-rowindex]")]
            .map(r => [Number(r.getAttribute("aria-rowindex")) - 1, ...[...r.cells].map(c => c.textContent.replace("\u202f", " "))]);""", box)

    def test_all_allocations_are_in_a_list_of_which_only_rows_in_sight_are_elements(self):
        page = self.page_of("many", 2100)
        with browser(1280, 900) as driver:
            self.open_page(driver, page)
            [table] = driver.find_elements(By.CSS_SELECTOR, ".tb[id$='/pieces/table']")
            name = table.get_attribute("id") + "--all"
            driver.execute_script("arguments[0].scrollIntoView(); arguments[0].querySelector('.data-note').scrollIntoView({block: 'center'})", table)
            box = WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.ID, name))[0]
            self.assertEqual(driver.execute_script("return document.getElementById(arguments[0]).querySelector('table').getAttribute('aria-rowcount')", name), "2101")
            rows = self.rows_of(driver, name)
            self.assertLess(len(rows), 60)
            self.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
            self.assertEqual([row[1:3] for row in rows[:2]], [["aten::mul", "2.05 KiB"], ["aten::add", "2.05 KiB"]])
            driver.execute_script("arguments[0].querySelector('.rows').scrollTop = 1e9", box)
            last = WebDriverWait(driver, 20).until(lambda _: r[-1] if (r := self.rows_of(driver, name))[-1][0] == 2100 else None)
            self.assertEqual(last[1:3], ["aten::add", "1 B"])
            driver.execute_script("arguments[0].querySelector('.rows').scrollTop = 27 * 1000", box)
            WebDriverWait(driver, 20).until(lambda _: 1000 in [row[0] for row in self.rows_of(driver, name)][3:-3])
            self.assertLess(len(self.rows_of(driver, name)), 60)
            shown = driver.execute_script("""const box = arguments[0].querySelector(".rows").getBoundingClientRect();
                return [document.elementFromPoint(box.left + 40, box.top + 20).tagName, document.elementFromPoint(box.left + 40, box.top + 200).tagName];""", box)
            self.assertEqual(shown, ["TH", "TD"])  # the head stays, and there are rows below it
            box.find_element(By.CSS_SELECTOR, ".find").send_keys("MUL")
            WebDriverWait(driver, 20).until(lambda _: "1,050 match" in box.find_element(By.TAG_NAME, "caption").text)
            self.assertEqual({row[1] for row in self.rows_of(driver, name)}, {"aten::mul"})
            self.assertEqual(len(box.find_elements(By.CSS_SELECTOR, ".copies button")), 3)
            self.assertEqual(console_errors(driver), [])

    def test_a_range_filters_all_of_them(self):
        page = self.page_of("more", 2100)
        with browser(1280, 900) as driver:
            self.open_page(driver, page)
            driver.find_element(By.CSS_SELECTOR, ".ranges input").send_keys(Keys.ARROW_RIGHT)
            found = WebDriverWait(driver, 20).until(lambda _: driver.find_element(By.CSS_SELECTOR, ".ranges + .sum").text)
            self.assertEqual(found.count("all allocations"), 1)
            self.assertNotIn("largest", found)
            [listed] = driver.find_elements(By.CSS_SELECTOR, ".sum .list")
            count = int(listed.find_element(By.TAG_NAME, "caption").text.rpartition(": ")[2].replace(",", ""))
            self.assertTrue(2000 < count < 2100, count)
            self.assertLess(len(listed.find_elements(By.TAG_NAME, "tr")), 60)
            sums = driver.find_element(By.CSS_SELECTOR, ".sum .scroll").text.replace("\u202f", " ")
            self.assertIn("aten::mul", sums)
            self.assertEqual(sum(int(row.find_elements(By.TAG_NAME, "td")[2].text.replace(",", "")) for row in driver.find_elements(By.CSS_SELECTOR, ".sum .scroll tbody tr")), count)

    def test_of_more_than_a_report_lists_it_says_of_which(self):
        page = self.page_of("most", 20010)
        self.assertLess(page.stat().st_size, 3_000_000)
        with browser() as driver:
            self.open_page(driver, page)
            driver.find_element(By.CSS_SELECTOR, ".ranges input").send_keys(Keys.ARROW_RIGHT)
            found = WebDriverWait(driver, 20).until(lambda _: driver.find_element(By.CSS_SELECTOR, ".ranges + .sum").text)
            self.assertEqual(found.count("of the 20,000 largest allocations"), 2)
            self.assertNotIn("all allocations", found)

    def test_without_scripts_the_first_rows_stand_there(self):
        page = self.page_of("plain", 2100)
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(page.as_uri())
            [table] = driver.find_elements(By.CSS_SELECTOR, ".tb[id$='/pieces/table']")
            self.assertEqual(len(table.find_elements(By.CSS_SELECTOR, "tbody tr")), 500)
            self.assertEqual(driver.execute_script("return arguments[0].querySelector('.data-note').textContent", table),
                             "1,600 further rows are in report.json; tpreport LOGDIR -o tables.csv/ writes all.")

    def test_a_phone_has_room(self):
        with browser(width=360, height=800) as driver:
            first, _ = self.open(driver)
            first.select_by_visible_text("step 0")
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    unittest.main()
