"""A chart of the longest shows as many as the reader asks for, as its table has them."""

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
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
LOGS = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "examples/torch_ddp/input"
CHART = "operators/host-self"
SHOWN = """const texts = [...document.getElementById(arguments[0]).querySelectorAll(".plot text")].filter(t => getComputedStyle(t).display !== "none");
    const figure = t => t.classList.contains("w6"), name = t => t.dataset.tip || t.textContent;
    return [texts.filter(t => !figure(t)).map(name), texts.filter(figure).map(t => t.textContent.replace("\\u202f", " "))];"""


def block(blocks, name):
    for one in blocks:
        found = one if one["id"] == name else block(one.get("blocks", []), name)
        if found:
            return found
    return None


class Tops(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = Path(folder.name, "r.html")
        subprocess.run([TPREPORT, "-q", LOGS, "-o", cls.page], check=True)

    def open(self, driver):
        driver.get(self.page.as_uri())
        driver.execute_script("for (let e = targetOf('#' + arguments[0]); e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;", CHART)
        found = f"//figure[@id='{CHART}']/preceding-sibling::label[1]/select"
        WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.XPATH, found))
        return Select(driver.find_element(By.XPATH, found))

    def test_more_bars_are_those_of_the_table(self):
        with browser() as driver:
            choice = self.open(driver)
            held = json.loads(gzip.decompress(base64.b64decode(driver.execute_script("return document.getElementById('report-json').textContent"))))
            chart, table = (block(held["sections"], name) for name in (CHART, "operators/list"))
            rows = sorted((r["cells"] for r in table["rows"] if r["cells"]["host_self_us"]["value"] > 0), key=lambda c: -c["host_self_us"]["value"])
            was, height = driver.execute_script(SHOWN, CHART), driver.find_element(By.ID, CHART).size["height"]
            self.assertEqual([o.text for o in choice.options], ["8", "5", "10", "20", "50", f"all {len(rows)}"][:6])
            choice.select_by_visible_text("20")
            names, figures = driver.execute_script(SHOWN, CHART)
            self.assertEqual(names, [c["operator"]["value"] for c in rows[:20]])
            self.assertEqual(figures[:8], was[1])
            whole = sum(s["values"][0] for s in chart["series"]) / rows[0]["host_self_us"]["value"]
            self.assertEqual(figures[10], f"{rows[10]['host_self_us']['value'] * whole * 100:.1f} %")
            self.assertEqual(driver.find_element(By.ID, CHART).size["height"], height + 12 * 24)
            choice.select_by_visible_text("5")
            self.assertEqual(driver.execute_script(SHOWN, CHART)[1], was[1][:5])
            choice.select_by_index(0)
            self.assertEqual((driver.execute_script(SHOWN, CHART)[1], driver.find_element(By.ID, CHART).size["height"]), (was[1], height))
            self.assertEqual(console_errors(driver), [])

    def test_a_chart_that_its_table_does_not_explain_has_no_choice(self):
        with browser() as driver:
            self.open(driver)
            count = driver.execute_async_script("""const done = arguments[0];
                report().then(whole => {
                    const block = blockOf(whole, "operators/host-self"), table = structuredClone(blockOf(whole, "operators/list"));
                    const before = barsOf(block, table, "operator", "host_self_us").length;
                    table.rows[0].cells.host_self_us.value *= 2;
                    done([before, barsOf(block, table, "operator", "host_self_us").length]);
                });""")
            self.assertGreater(count[0], 20)
            self.assertEqual(count[1], 0)


if __name__ == "__main__":
    unittest.main()
