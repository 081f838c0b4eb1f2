"""One step for the whole page: chosen in one place it is shown in all that can tell it, and all of it goes back."""

import base64
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

from told import fixed

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "examples"
# What a reader sees of the charts that follow: shapes that are drawn, texts and their places.
DRAWN = """return [...document.querySelectorAll("figure.chart")].map(f => [f.id, f.innerText, (f.querySelector(".alt") || {}).textContent,
    [...f.querySelectorAll(".plot rect")].filter(r => getComputedStyle(r).display !== "none")
        .map(r => ["class", "x", "y", "width", "height", "aria-selected"].map(n => r.getAttribute(n)).join(" "))]);"""
TIP = """const say = e => e.dataset.tip || (e.querySelector("title") || {}).textContent;
    return [...document.getElementById(arguments[0]).querySelectorAll(arguments[1])].filter(e => getComputedStyle(e).display !== "none").map(say).filter(t => t);"""
FIGURES = """return [...document.getElementById(arguments[0]).querySelectorAll(".plot text.cell.end")].map(t => t.textContent);"""


def block(blocks, name):
    for one in blocks:
        found = one if one["id"] == name else block(one.get("blocks", []), name)
        if found:
            return found
    return None


class Steps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.pages = {}
        for name in ("tpu_two_hosts", "torch_ddp"):
            cls.pages[name] = Path(cls.folder.name, name + ".html")
            subprocess.run([TPREPORT, "-q", EXAMPLES / name / "input", "-o", cls.pages[name]], check=True)

    def open(self, driver, name="tpu_two_hosts"):
        driver.get(self.pages[name].as_uri())
        WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, ".picks") and driver.find_elements(By.CSS_SELECTOR, ".step-line"))
        packed = driver.execute_script("return document.getElementById('report-json').textContent")
        self.sections = json.loads(gzip.decompress(base64.b64decode(packed)))["sections"]

    def rows(self, name):
        return [row["cells"] for row in block(self.sections, name)["rows"]]

    def click(self, driver, figure, step):
        """Clicks into the column of a step."""
        at = block(self.sections, figure)["labels"].index(step)
        driver.execute_script("""
            const column = document.getElementById(arguments[0]).querySelectorAll("[role=option]")[arguments[1]].getBoundingClientRect();
            const plot = document.getElementById(arguments[0]).querySelector(".plot");
            plot.dispatchEvent(new MouseEvent("click", {bubbles: true, clientX: column.left + column.width / 2, clientY: column.top + 5}));""", figure, at)

    def test_a_click_on_a_column_chooses_its_step_in_each_strip_and_says_so(self):
        with browser() as driver:
            self.open(driver)
            line = driver.find_element(By.CSS_SELECTOR, ".step-line")
            self.assertFalse(line.is_displayed())
            self.click(driver, "summary/step/strip", "23")
            self.assertTrue(line.is_displayed())
            self.assertRegex(line.text, r"^Step 23: 56\.5\u202fms")
            chosen = driver.find_elements(By.CSS_SELECTOR, ".picks [aria-selected=true]")
            self.assertEqual({e.get_attribute("aria-label").split(":")[0] for e in chosen}, {"Step 23"})
            self.assertEqual(len(chosen), len(driver.find_elements(By.CSS_SELECTOR, ".picks")))
            self.assertEqual([Select(e).first_selected_option.text for e in driver.find_elements(By.CSS_SELECTOR, ".choice select")], ["23", "23"])
            self.click(driver, "steps/strip", "23")  # once more: all steps
            self.assertFalse(line.is_displayed())
            self.assertEqual(console_errors(driver), [])

    def test_heat_maps_show_the_step_with_its_title_and_scale(self):
        with browser() as driver:
            self.open(driver)
            mean, drawn = driver.execute_script(TIP, "distributed/map", ".plot rect[class^=h]"), driver.execute_script(FIGURES, "distributed/map")
            self.assertEqual(len(drawn), len(mean))
            rows = self.rows("distributed/each-step")
            for step in ("20", "29"):
                driver.execute_script("theStep.choose(arguments[0])", step)
                wanted = {row["core"]["value"]: row["own_ms"]["value"] for row in rows if row["step"]["value"] == step}
                told = driver.execute_script(TIP, "distributed/map", ".plot rect[class^=h]")
                self.assertEqual(len(told), len(wanted))
                for text, figure in zip(told, driver.execute_script(FIGURES, "distributed/map"), strict=True):
                    core, rest = text.split(": ")
                    self.assertAlmostEqual(float(rest.split()[0]), wanted[core], delta=.005 * wanted[core])
                    self.assertTrue(rest.endswith(f"in step {step}"))
                    self.assertAlmostEqual(float(figure), wanted[core], delta=.01 * wanted[core])
                whole = driver.find_element(By.ID, "distributed/map").text
                self.assertIn(f"Step {step}: ", whole)
                self.assertNotIn("mean over steps", whole)
                low = driver.execute_script("return document.querySelector(\"[id='distributed/map'] text.f-ink3\").textContent")
                self.assertAlmostEqual(float(low.split("\u202f")[0]), min(wanted.values()), delta=.005 * min(wanted.values()))
                self.assertIn(f"Step {step}: ", driver.execute_script("return document.getElementById('distributed/map').querySelector('.alt').textContent"))
                papers, dark = driver.execute_script("""const f = document.getElementById("distributed/map");
                    return [f.querySelectorAll(".plot text.f-paper").length, 2 * f.querySelectorAll("g > rect.h6:is(:has(title), [data-tip])").length];""")
                self.assertEqual(papers, dark)
            driver.execute_script("theStep.choose('')")
            self.assertEqual((driver.execute_script(TIP, "distributed/map", ".plot rect[class^=h]"), driver.execute_script(FIGURES, "distributed/map")), (mean, drawn))

    def test_the_cores_of_a_step_are_drawn_as_the_table_has_them(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("theStep.choose('27')")
            strip = block(self.sections, "distributed/strip")
            told = driver.execute_script(TIP, "distributed/strip", ".plot g rect")
            for series in strip["series"]:
                said = [float(t.split(" ")[-1].split("\u202f")[0]) for t in told if f": {series['label']} " in t and t.endswith("ms")]
                wanted = [row[series["key"] + "_ms"]["value"] for row in self.rows("distributed/each-step") if row["step"]["value"] == "27"]
                if said:
                    self.assertEqual(len(said), len(wanted))
                    for a, b in zip(said, wanted, strict=True):
                        self.assertAlmostEqual(a, b, delta=.006 * b)
            self.assertTrue(told)
            self.assertIn("Step 27: ", driver.find_element(By.ID, "distributed/strip-what").text)

    def test_where_a_step_goes_is_told_of_the_step(self):
        for page, step in (("tpu_two_hosts", "28"), ("torch_ddp", None)):
            with self.subTest(page), browser() as driver:
                self.open(driver, page)
                strip = block(self.sections, "steps/strip")
                step = step or strip["labels"][-1]
                driver.execute_script("theStep.choose(arguments[0])", step)
                figure = driver.find_element(By.ID, "summary/step/classes")
                entries = [e.text for e in figure.find_elements(By.CSS_SELECTOR, ".legend li")]
                for series in strip["series"]:
                    value = series["values"][strip["labels"].index(step)]
                    [entry] = [e for e in entries if e.startswith(series["label"] + " ")]
                    if value > 1:
                        self.assertIn(f" {value:.3g}"[:4], entry)
                # What is hatched of the mean step is not known of this one, and is not drawn.
                self.assertEqual([e for e in entries if e.startswith("part of ")], [])
                widths = driver.execute_script("return [...arguments[0].querySelectorAll('.now rect')].map(r => parseFloat(r.getAttribute('width')))", figure)
                self.assertAlmostEqual(sum(widths), 100, delta=.01)
                self.assertIn(f"Step {step}: ", driver.find_element(By.ID, "summary/step").text)
                self.assertNotIn("mean of", driver.find_element(By.CSS_SELECTOR, "[id='summary/step'] .aside").text)

    def classes(self, driver, of="steps/classes"):
        """The table of classes as it reads: caption, heads and rows."""
        return driver.execute_script("""const t = document.getElementById(arguments[0]).querySelector("table"), texts = row => [...row.cells].map(c => c.innerText.trim().split("\\n")[0]);
            return [t.caption.innerText, texts(t.tHead.rows[0]), ...[...t.tBodies[0].rows].map(texts)];""", of)

    def test_the_table_of_classes_follows_the_step(self):
        for page, step in (("tpu_two_hosts", "23"), ("torch_ddp", "2")):
            with self.subTest(page), browser(1440, 1000) as driver:
                self.open(driver, page)
                was, strip = self.classes(driver), block(self.sections, "steps/strip")
                self.assertFalse(driver.find_element(By.CSS_SELECTOR, "[id='steps/classes'] p.now").is_displayed())
                driver.execute_script("theStep.choose(arguments[0])", step)
                caption, head, *rows = self.classes(driver)
                self.assertTrue(caption.startswith(f"Step {step} by class of time"), caption)
                self.assertEqual(head, [was[1][0], f"Step {step}", *was[1][2:]])
                at, total = strip["labels"].index(step), sum(s["values"][strip["labels"].index(step)] for s in strip["series"])
                of_label = {s["label"]: s for s in strip["series"]}
                series = [of_label[row[0]] for row in was[2:-1]]
                wanted = [fixed(s["values"][at], "ms", 2) for s in series] + [fixed(total, "ms", 2)]
                shares = [fixed(s["values"][at] / total, "share", 1) for s in series] + ["100.0"]
                self.assertEqual([row[1:3] for row in rows], [list(pair) for pair in zip(wanted, shares)])
                self.assertEqual([row[3:] for row in rows], [row[3:] for row in was[2:]])  # what is over all steps stays
                self.assertNotEqual([row[1] for row in rows], [row[1] for row in was[2:]])
                bars = driver.execute_script("return [...document.getElementById('steps/classes').querySelectorAll('.ib rect')].map(r => r.getAttribute('width') / 64)")
                self.assertEqual(len(series), len(strip["series"]))
                for bar, one in zip(bars, series):
                    self.assertAlmostEqual(bar, one["values"][at] / total, places=6)
                copied = driver.execute_script("return textsOf(tables.get(document.getElementById('steps/classes')))")
                self.assertEqual([row[1] for row in copied], [head[1] + " ms", *wanted])
                back = driver.find_element(By.CSS_SELECTOR, "[id='steps/classes'] .now button")
                self.assertEqual(back.text, "Mean of all steps")
                back.send_keys(Keys.ENTER)
                self.assertEqual((self.classes(driver), driver.execute_script("return theStep.name")), (was, ""))
                driver.execute_script("theStep.choose('999')")
                self.assertEqual(self.classes(driver), was)
                self.assertIn("Not for step 999", driver.find_element(By.CSS_SELECTOR, "[id='steps/classes'] p.now").text)
                self.assertEqual(console_errors(driver), [])

    def test_a_class_that_the_page_does_not_hold_by_step_says_so(self):
        with browser(1440, 1000) as driver:
            self.open(driver)
            strip = block(self.sections, "steps/strip")
            times = dict(driver.execute_script("return [...classTimes(arguments[0], 0, [...arguments[0].series.map(s => s.key), 'other', 'step'])]", strip))
            self.assertEqual({k: v for k, v in times.items() if v is not None}, {s["key"]: s["values"][0] for s in strip["series"]})
            driver.execute_script("report().then(whole => { blockOf(whole, 'steps/strip').series.pop(); theStep.choose('23'); })")
            _, _, *rows = WebDriverWait(driver, 20).until(lambda _: theirs if (theirs := self.classes(driver))[0].startswith("Step 23") else None)
            self.assertEqual([row[1:3] == ["–", "–"] for row in rows[-2:]], [True, True])  # neither the class nor the sum
            self.assertNotEqual(rows[0][1], "–")
            self.assertEqual(rows[0][2], "–")
            self.assertIn("no figures of this class", driver.execute_script("return document.getElementById('steps/classes').querySelector('tbody tr:nth-last-child(2)').cells[1].title"))

    def test_rows_of_the_step_are_marked_also_where_they_come_later(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("theStep.choose('29')")
            for name, count in (("steps/each", 1), ("distributed/slowest-of-step", 1), ("distributed/each-step", 8)):
                box = driver.execute_script("return targetOf('#' + arguments[0])", name)
                driver.execute_script("const m = arguments[0].querySelector('input.more'); if (m) m.click();", box)
                marked = driver.execute_script("return [...arguments[0].querySelectorAll('tr[aria-current]')].map(r => r.cells[0].textContent)", box)
                self.assertEqual(marked, ["29"] * count, name)
            driver.execute_script("document.getElementById('steps/each').querySelectorAll('tbody tr')[1].cells[0].click()")
            self.assertEqual(driver.execute_script("return theStep.name"), "21")

    def test_the_steps_of_all_workers_are_marked_and_choose(self):
        """PyTorch: a table whose column "Step" is a time."""
        with browser(1440, 900) as driver:
            self.open(driver, "torch_ddp")
            driver.execute_script("document.getElementById('distributed/by-step').closest('details').open = true;")
            WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "[id='distributed/steps'] button.sort"))
            rows = self.rows("distributed/steps")
            name = rows[1]["name"]["value"]
            driver.execute_script("document.querySelectorAll(\"[id='distributed/steps'] tbody tr\")[1].cells[1].click();")
            self.assertIn(f"Step {name}", driver.find_element(By.CSS_SELECTOR, ".step-line b").text)
            marked = driver.execute_script("return [...document.querySelectorAll(\"[id='distributed/steps'] tr[aria-current]\")].map(row => row.id);")
            self.assertEqual(len(marked), sum(row["name"]["value"] == name for row in rows))
            self.assertEqual(console_errors(driver), [])

    def test_by_the_keyboard(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("document.querySelector('.picks [tabindex=\"0\"]').focus()")
            active = driver.switch_to.active_element
            active.send_keys(Keys.ARROW_RIGHT)
            self.assertIn("Step 21: ", driver.find_element(By.CLASS_NAME, "tip").text)
            driver.switch_to.active_element.send_keys(Keys.ENTER)
            line = driver.find_element(By.CSS_SELECTOR, ".step-line")
            self.assertIn("Step 21: ", line.text)
            before, after, every = line.find_elements(By.TAG_NAME, "button")
            after.send_keys(Keys.ENTER)
            self.assertIn("Step 22: ", line.text)
            before.send_keys(Keys.ENTER)
            before.send_keys(Keys.ENTER)
            self.assertIn("Step 20: ", line.text)
            self.assertFalse(before.is_enabled())
            every.send_keys(Keys.ENTER)
            self.assertFalse(line.is_displayed())
            driver.execute_script("document.querySelector('.picks [tabindex=\"0\"]').focus(); theStep.choose('25')")
            driver.switch_to.active_element.send_keys(Keys.ESCAPE)
            self.assertFalse(line.is_displayed())

    def test_all_steps_is_as_it_was(self):
        for page in self.pages:
            with self.subTest(page), browser() as driver:
                self.open(driver, page)
                select = Select(driver.find_element(By.CSS_SELECTOR, ".choice select"))
                was = driver.execute_script(DRAWN)
                select.select_by_index(2)
                self.assertNotEqual(driver.execute_script(DRAWN), was)
                select.select_by_index(1)
                driver.find_elements(By.CSS_SELECTOR, ".step-line button")[2].click()
                self.assertEqual(driver.execute_script(DRAWN), was)

    def test_cores_stand_beside_steps_and_follow_the_chosen_one(self):
        with browser(width=1440, height=900) as driver:
            self.open(driver)
            sides = [driver.find_element(By.ID, f"summary/step/{name}") for name in ("strip", "cores")]
            self.assertGreater(sides[1].rect["x"], sides[0].rect["x"] + 400)
            self.assertLess(abs(sides[1].rect["y"] - sides[0].rect["y"]), 2)
            driver.execute_script("theStep.choose('24')")
            self.assertIn("Step 24: ", driver.find_element(By.ID, "summary/step/by-core").text)
            self.assertEqual(driver.execute_script(
                "const shown = id => [...document.querySelectorAll(`[id='${id}'] .plot .now rect`)].length;"
                "return shown('summary/step/cores') > 0 && shown('distributed/strip') > 0"), True)
        with browser(width=800, height=900) as driver:
            self.open(driver)
            sides = [driver.find_element(By.ID, f"summary/step/{name}").rect["y"] for name in ("strip", "cores")]
            self.assertGreater(sides[1], sides[0] + 100)

    def test_a_chart_stays_and_says_so_where_the_page_does_not_hold_the_step(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("theStep.choose('999')")
            for name in ("summary/step/classes", "summary/step/cores", "distributed/strip", "distributed/map"):
                self.assertIn("Not for step 999", driver.find_element(By.ID, name).text)
                self.assertEqual(driver.find_elements(By.CSS_SELECTOR, f"[id='{name}'] .plot .now"), [])
            self.assertIn("mean over steps", driver.find_element(By.ID, "distributed/map").text)

    def test_a_longer_step_gets_a_longer_scale(self):
        with browser() as driver:
            self.open(driver)
            self.assertEqual(driver.execute_script("return [5, 10, 11, 45, 120].map(v => scaleFor(v, 10))"), [1, 1, 2, 5, 20])

    def test_without_scripts_the_page_is_as_it_is_printed(self):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(self.pages["tpu_two_hosts"].as_uri())
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".picks, .step-line, .choice select"), [])
            self.assertIn("mean over steps", driver.find_element(By.ID, "distributed/map").text)

    def test_a_phone_has_room(self):
        with browser(width=360, height=800) as driver:
            self.open(driver)
            driver.execute_script("theStep.choose('24')")
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    unittest.main()
