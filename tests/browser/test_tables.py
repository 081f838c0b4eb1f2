"""Tables as a reader meets them: wide ones use the window, names are one line until they are asked for, heads stay in sight; tiles lead
to what tells more, and the rail stays in the worker that was chosen."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait

    from browser import browser, console_errors
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

from torch_files import event, text, trace

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).parents[2])) / "examples"
WIDE = "operations/list"  # of the TPU's report; it has 26 columns
HEADS = """return [...document.getElementById(arguments[0]).querySelectorAll("thead th:not(.n)")]
    .filter(th => th.getClientRects().length).length"""


def resize(driver, width):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.pages = {name: Path(folder.name, name + ".html") for name in ("tpu_two_hosts", "torch_ddp", "tf_slow_input")}
        for name, page in cls.pages.items():
            subprocess.run([TPREPORT, "-q", EXAMPLES / name / "input", "-o", page], check=True)

    def open(self, driver, fragment="", scripts=True, page="tpu_two_hosts"):
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
        driver.get("about:blank")
        driver.get(self.pages[page].as_uri() + fragment)

    def test_eight_columns_stand_there_and_the_others_when_they_are_asked_for(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), browser() as driver:
                self.open(driver, "#" + WIDE, scripts)
                box = driver.find_element(By.ID, WIDE)
                self.assertEqual(driver.execute_script(HEADS, WIDE), 8)
                label = box.find_element(By.CSS_SELECTOR, "label.columns")
                further = int(label.text.split()[0])
                self.assertIn("more columns", label.text)
                driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", label)
                label.click()
                self.assertEqual(driver.execute_script(HEADS, WIDE), 8 + further)
                self.assertEqual(label.text, "fewer columns")

    def test_a_column_that_is_the_same_in_all_rows_is_said_below_and_leaves_its_room(self):
        with browser() as driver:
            self.open(driver, "#distributed/cores")
            shown = driver.execute_script("""return [...document.getElementById("distributed/cores").querySelectorAll("thead th:not(.n)")]
                .filter(th => th.getClientRects().length).map(th => th.querySelector(".h").textContent)""")
            self.assertEqual(len(shown), 8)
            self.assertIn("Of step", shown)
            self.assertNotIn("Largest part", shown)
            self.assertIn("Largest part High-FLOPS compute", driver.find_element(By.ID, "distributed/cores").text)

    def test_a_wide_table_uses_the_window_and_text_stays_where_it_is(self):
        sizes = """const box = document.getElementById(arguments[0]), text = document.querySelector(".sec > .ans").getBoundingClientRect();
            return [box.querySelector(".scroll").getBoundingClientRect().right, text.left, text.right, document.documentElement.scrollWidth];"""
        with browser(1920, 1000) as driver:
            self.open(driver, "#" + WIDE)
            driver.execute_script("document.getElementById(arguments[0] + '--columns').checked = true", WIDE)
            right, text_left, text_right, page = driver.execute_script(sizes, WIDE)
            self.assertLessEqual(text_right - text_left, 1088)
            self.assertGreater(right, text_right + 300)
            self.assertLessEqual(page, 1920)
        for width in (1280, 900):
            with self.subTest(width), browser(width, 800) as driver:
                self.open(driver, "#" + WIDE)
                driver.execute_script("document.getElementById(arguments[0] + '--columns').checked = true", WIDE)
                self.assertLessEqual(driver.execute_script(sizes, WIDE)[3], width)

    def test_a_shadow_says_that_something_is_cut(self):
        shadow = "return getComputedStyle(document.getElementById(arguments[0]).querySelector('.scroll')).backgroundImage"
        fits = "return document.getElementById(arguments[0]).querySelector('.scroll').classList.contains('fits')"
        with browser(1440, 900) as driver:
            self.open(driver, "#" + WIDE)
            driver.execute_script("document.getElementById(arguments[0] + '--columns').checked = true", WIDE)
            WebDriverWait(driver, 20).until(lambda _: not driver.execute_script(fits, WIDE))
            self.assertIn("linear-gradient", driver.execute_script(shadow, WIDE))
            driver.execute_script("document.getElementById(arguments[0] + '--columns').checked = false", WIDE)
            self.open(driver, "#steps/classes")
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script(fits, "steps/classes"))
            self.assertEqual(driver.execute_script(shadow, "steps/classes"), "none")

    def test_a_head_stays_in_sight_while_rows_are_read(self):
        with browser(1440, 400) as driver:
            self.open(driver, "#steps/classes")
            tops = """const table = document.getElementById("steps/classes").querySelector("table");
                window.scrollTo(0, table.tBodies[0].rows[2].getBoundingClientRect().top + scrollY - 30);
                return [table.getBoundingClientRect().top, table.tHead.rows[0].cells[0].getBoundingClientRect().top];"""
            WebDriverWait(driver, 20).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "[id='steps/classes'] .fits"))
            table, head = driver.execute_script(tops)
            self.assertLess(table, 0)
            self.assertEqual(head, 0)

    def test_a_long_name_is_one_line_and_whole_where_the_focus_is(self):
        longs = """return [...document.getElementById(arguments[0]).querySelectorAll(".long")].filter(e => e.getClientRects().length)"""
        height = "return arguments[0].getBoundingClientRect().height"
        cut = "return arguments[0].scrollHeight > arguments[0].clientHeight + 1"
        with browser(1000, 800) as driver:
            self.open(driver, "#" + WIDE)
            driver.execute_script("document.getElementById(arguments[0] + '--columns').checked = true", WIDE)
            names = [e for e in driver.execute_script(longs, WIDE) if driver.execute_script(cut, e)]
            self.assertTrue(names)
            self.assertLess(driver.execute_script(height, names[0]), 24)
            reach = driver.execute_script("return document.getElementById(arguments[0]).querySelectorAll('tbody [tabindex=\"0\"]').length", WIDE)
            self.assertEqual(reach, 1)
            driver.find_element(By.CSS_SELECTOR, f"[id='{WIDE}'] input.columns").send_keys(Keys.TAB)
            driver.execute_script("arguments[0].focus({focusVisible: true})", names[0])
            self.assertGreater(driver.execute_script(height, names[0]), 24)
            self.assertFalse(driver.execute_script(cut, names[0]))
            self.assertEqual(console_errors(driver), [])

    def test_a_name_that_begins_as_others_do_is_whole_where_its_column_has_room(self):
        """Else it is without what the others have, too; in one line either way."""
        names = """const probe = document.body.appendChild(document.createElement("span"));
            probe.style.cssText = "position: absolute; white-space: nowrap";
            probe.className = "op";
            return [...document.querySelectorAll(".long:has(> [data-cut])")].filter(e => e.getClientRects().length).map(e => {
                const whole = e.firstElementChild, cell = e.closest("td, th"), room = cell.getBoundingClientRect().right - parseFloat(getComputedStyle(cell).paddingRight), box = e.getBoundingClientRect();
                probe.textContent = e.textContent;
                const at = whole.getBoundingClientRect().top - box.top;
                return [e.textContent, whole.dataset.cut, at, at + parseFloat(getComputedStyle(whole, "::before").top), probe.getBoundingClientRect().width <= room - box.left, box.height];
            })"""
        kinds = set()
        with browser() as driver:
            self.open(driver, page="tf_slow_input")
            for width in (740, 1280, 1440, 1920):
                resize(driver, width)
                for name, cut, whole_px, cut_px, seen, height_px in driver.execute_script(names):
                    self.assertEqual((round(whole_px), round(cut_px)), (0, -999) if seen else (999, 0), (width, name))
                    self.assertEqual(height_px, 18)
                    self.assertTrue(cut.startswith("…") and name.endswith(cut[1:]), (name, cut))
                    kinds.add((seen, width))
            self.assertLessEqual({(False, 740), (True, 1280), (False, 1280), (True, 1440), (True, 1920)}, kinds)
            resize(driver, 740)
            name = next(e for e in driver.find_elements(By.CSS_SELECTOR, ".long:has(> [data-cut])") if e.is_displayed())
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", name)
            name.click()
            self.assertLessEqual(*driver.execute_script("return [arguments[0].scrollHeight, arguments[0].clientHeight]", name))
            self.assertEqual(driver.execute_script("return getComputedStyle(arguments[0].firstElementChild, '::before').content", name), "none")
            self.assertEqual(console_errors(driver), [])

    def test_a_name_that_is_cut_has_as_much_of_it_as_its_column_has_room_for(self):
        """From one of its parts on; names that differ still do."""
        seen = """return [...document.querySelectorAll(".tb:has(.long > [data-cut])")].map(box => [...box.querySelectorAll(".long > [data-cut]")].filter(e => e.getClientRects().length && e.offsetHeight > 27).map(e => {
                const probe = e.parentElement.appendChild(document.createElement("span")), before = getComputedStyle(e, "::before");
                probe.style.cssText = "position: absolute; white-space: nowrap";
                const width = text => { probe.textContent = text; return probe.getBoundingClientRect().width; };
                const text = JSON.parse(before.content), out = [e.textContent, e.dataset.cut, text, width(text), e.clientWidth];
                probe.remove();
                return out;
            }))"""
        more = 0
        with browser() as driver:
            self.open(driver, page="tf_slow_input")
            for width in (740, 1280, 1440):
                resize(driver, width)
                for rows in driver.execute_async_script("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done((() => {" + seen + "})())));"):
                    self.assertEqual(len({text for _, _, text, *_ in rows}), len({name for name, *_ in rows}), (width, rows))
                    for name, cut, text, length, room in rows:
                        self.assertTrue(name.endswith(text[1:]) and (text.endswith(cut[1:]) or cut.endswith(text[1:])), (name, cut, text))
                        more += text != cut
                        if text != cut:
                            self.assertLessEqual(length, room + 1, (width, text))
                        # All letters are as wide.
                        longer = [len(name) - at + 1 for at in range(1, len(name) - len(text) + 1) if name[at - 1] in "/:. " and name[at] not in "/:. " or name[at - 1] == "_" and name[at].isalpha()]
                        self.assertTrue(not longer or length / len(text) * min(longer) > room - 3, (width, name, text, room))
            self.assertGreater(more, 0)
            self.assertEqual(console_errors(driver), [])

    def test_rows_that_are_looked_for_have_whole_names(self):
        """What was found is marked there, and it may be in what is left out else."""
        with browser() as driver:
            self.open(driver, page="tf_slow_input")
            resize(driver, 740)
            name, find = driver.execute_script("""const name = [...document.querySelectorAll(".tb:has(.find) .long > [data-cut]")].find(e => e.checkVisibility());
                return [name, name.closest(".tb").querySelector(".find")];""")
            out = "const box = arguments[0].parentElement.getBoundingClientRect(), name = arguments[0].getBoundingClientRect(); return [name.top - box.top, name.bottom - box.bottom]"
            self.assertGreater(driver.execute_script(out, name)[0], 900)
            find.send_keys(name.get_attribute("textContent")[:12])
            WebDriverWait(driver, 20).until(lambda _: driver.execute_script(out, name)[0] < 1)
            self.assertLess(driver.execute_script(out, name)[1], 1)

    def test_a_long_name_is_whole_without_scripts(self):
        with browser(1000, 800) as driver:
            self.open(driver, "#" + WIDE, scripts=False)
            cut = driver.execute_script("""return [...document.querySelectorAll(".long")]
                .filter(e => e.getClientRects().length && e.scrollHeight > e.clientHeight + 1).length""")
            self.assertEqual(cut, 0)

    def test_names_break_after_their_parts(self):
        with browser() as driver:
            self.open(driver)
            ends = driver.execute_script("""return [...document.querySelectorAll("td wbr, th wbr")].map(e => e.previousSibling.data.slice(-1))""")
            self.assertTrue(ends)
            self.assertLessEqual(set(ends), {"/", "_", ",", ":"})
            halves = driver.execute_script("""return [...document.querySelectorAll("td wbr, th wbr")]
                .filter(e => e.previousSibling.data.endsWith(":") && e.nextSibling.data.startsWith(":")).length""")
            self.assertEqual(halves, 0)

    def test_a_tile_leads_to_what_tells_more(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts), browser() as driver:
                self.open(driver, scripts=scripts)
                tile = driver.find_element(By.ID, "summary/tiles/memory")
                tile.find_element(By.CSS_SELECTOR, ".v").find_element(By.XPATH, "..").click()
                self.assertTrue(driver.current_url.endswith("#memory"), driver.current_url)
                links = driver.execute_script("""return [...document.querySelectorAll(".summary .tile dt a")].map(a => a.getAttribute("href"))""")
                self.assertGreaterEqual(len(links), 4)
                for link in links:
                    self.assertTrue(link and driver.find_elements(By.ID, link[1:]), link)

    def test_the_rail_stays_in_the_worker_that_is_chosen(self):
        view = "views/worker=rank0"
        with browser() as driver:
            self.open(driver, "#" + view, page="torch_ddp")
            rail = {a.text.split("\n")[0]: a for a in driver.find_elements(By.CSS_SELECTOR, ".rail ol a")}
            rail["Steps"].click()
            target = driver.find_element(By.CSS_SELECTOR, ":target")
            self.assertTrue(target.get_attribute("id").startswith(view + "/steps"), target.get_attribute("id"))
            self.assertTrue(driver.find_element(By.ID, view).is_displayed())
            rail["Summary"].click()
            self.assertTrue(driver.current_url.endswith("#" + view))
            tile = driver.find_element(By.CSS_SELECTOR, f"[id='{view}'] .tile dt a").get_attribute("href")
            self.assertIn("#" + view + "/", tile)
            driver.find_element(By.CSS_SELECTOR, ".choose a").click()
            rail["Steps"].click()
            self.assertTrue(driver.current_url.endswith("#steps"))
            self.assertEqual(console_errors(driver), [])


    def test_the_head_of_a_wide_table_stays_while_its_rows_are_scrolled(self):
        heads = """const box = document.getElementById(arguments[0]).querySelector(".scroll"), head = box.querySelector("thead th:last-child").getBoundingClientRect(), b = box.getBoundingClientRect();
            return [Math.round(head.top - b.top), head.bottom <= innerHeight, box.scrollTop, box.scrollLeft, box.classList.contains("tall"), Math.round(b.height / innerHeight * 100)];"""
        for size in ((1000, 500), (390, 600)):
            with self.subTest(size), browser(*size) as driver:
                self.open(driver, "#" + WIDE)
                driver.execute_script("const box = document.getElementById(arguments[0]); for (const i of box.querySelectorAll('input[hidden]')) i.click();", WIDE)
                WebDriverWait(driver, 20).until(lambda _: driver.execute_script(heads, WIDE)[4])
                driver.execute_script("document.getElementById(arguments[0]).querySelector('.scroll').scrollIntoView(); document.getElementById(arguments[0]).querySelector('.scroll').scrollTo(200, 150);", WIDE)
                top, in_sight, down, right, _, height = driver.execute_script(heads, WIDE)
                self.assertEqual((top, in_sight, down, right), (0, True, 150, 200))
                self.assertLessEqual(height, 85)
                # The head covers the rows below it, and stays what it is to the keyboard and to a reader of screens.
                name = driver.execute_script("""const box = document.getElementById(arguments[0]).querySelector(".scroll").getBoundingClientRect();
                    return document.elementFromPoint(box.left + box.width / 2, box.top + 20).closest("th, td").parentElement.parentElement.tagName;""", WIDE)
                self.assertEqual(name, "THEAD")
                self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, f"[id='{WIDE}'] thead")), 1)
                # The address of a row leads to it.
                row = driver.execute_script("return document.getElementById(arguments[0]).querySelector('tbody tr:last-child').id", WIDE)
                driver.execute_script("location.hash = arguments[0]", row)
                WebDriverWait(driver, 20).until(lambda _: driver.execute_script("""const r = document.getElementById(arguments[0]).getBoundingClientRect(),
                    h = document.getElementById(arguments[1]).querySelector("thead th").getBoundingClientRect(); return r.top >= h.bottom - 1 && r.bottom <= innerHeight + 1;""", row, WIDE))
        with browser(1000, 500) as driver:
            self.open(driver, "#" + WIDE, scripts=False)
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".tall"), [])
        with browser(1000, 500) as driver:
            self.open(driver, "#distributed/links")
            self.assertFalse(any(driver.execute_script("return [...document.querySelectorAll('.fits')].map(e => e.classList.contains('tall'))")))

    def test_operations_stand_in_one_order_at_a_time(self):
        shown = """return [...document.querySelectorAll(".choices > details")]
            .filter(d => d.open).map(d => d.querySelector("summary").innerText.trim())"""
        tables = """return ["operations/tree", "operations/by-scope", "operations/list"]
            .filter(id => { const e = document.getElementById(id); return e && e.checkVisibility(); })"""
        for scripts in (True, False):
            with self.subTest(scripts=scripts), browser(1440, 900) as driver:
                self.open(driver, scripts=scripts)
                heads = driver.find_elements(By.CSS_SELECTOR, ".choices > details > summary")
                titles = [e.text.strip() for e in heads]
                self.assertEqual(titles, ["By category", "By program", "By framework operation", "All operations"])
                self.assertEqual(len({e.location["y"] for e in heads}), 1)
                for title, table in ((0, "operations/tree"), (3, "operations/list"), (2, "operations/by-scope")):
                    if driver.execute_script(shown) != [titles[title]]:
                        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", heads[title])
                        heads[title].click()
                    self.assertEqual(driver.execute_script(shown), [titles[title]])
                    self.assertEqual(driver.execute_script(tables), [table])

    def test_operators_and_kernels_of_pytorch_are_grouped_as_the_reader_asks(self):
        path, page = (Path(self.folder.name, n) for n in ("rank0.1.pt.trace.json", "torch.html"))
        events = [event("cpu_op", "aten::mm", 100 * i, 90, **{"Input Dims": [[2, 2 + i % 2]], "External id": i}) for i in range(1, 5)]
        events += [event("cuda_runtime", "cudaLaunchKernel", 100 * i + 10, 5, correlation=i, **{"External id": i}) for i in range(1, 5)]
        events += [event("kernel", "gemm", 100 * i + 20, 30, 0, 7, correlation=i, device=0, stream=7, grid=[i % 2 + 1, 1, 1], block=[32, 1, 1]) for i in range(1, 5)]
        path.write_bytes(text(trace(events)))
        subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
        shown = "return arguments[0].filter(id => { const e = document.getElementById(id); return e && e.checkVisibility(); })"
        rows = "return document.getElementById(arguments[0]).querySelectorAll('tbody tr').length"
        for section, tables, titles in (("operations", ["operators/list", "operators/by-shape/list"], ["By operator", "By operator and input shape"]),
                                        ("kernels", ["kernels/by-name", "kernels/list"], ["By kernel name", "By launch configuration and operator"])):
            for scripts in (True, False):
                with self.subTest(section, scripts=scripts), browser(1440, 900) as driver:
                    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
                    driver.get(page.as_uri())
                    heads = driver.find_elements(By.CSS_SELECTOR, f"[id='{section}'] .choices > details > summary")
                    self.assertEqual([e.text.strip() for e in heads], titles)
                    self.assertEqual(driver.execute_script(shown, tables), tables[:1])
                    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", heads[1])
                    heads[1].click()
                    self.assertEqual(driver.execute_script(shown, tables), tables[1:])
                    self.assertEqual([driver.execute_script(rows, table) for table in tables], [1, 2])

    def test_a_name_of_thousands_of_letters_is_a_few_lines_until_a_click(self):
        path, page = (Path(self.folder.name, n) for n in ("rank1.1.pt.trace.json", "tall.html"))
        names = ["Cijk_" + "MT128x256_" * 200 + str(i) for i in range(2)]
        path.write_bytes(text(trace([event("kernel", name, 100 * i, 50, 0, 7, device=0, stream=7, grid=[1, 1, 1], block=[32, 1, 1])
                                     for i, name in enumerate(names)])))
        subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
        for scripts in (True, False):
            with self.subTest(scripts=scripts), browser(1440, 900) as driver:
                driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
                driver.get(page.as_uri())
                name = driver.find_element(By.CSS_SELECTOR, "[id='kernels/by-name'] tbody .op")
                driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", name)
                lines = name.size["height"] / 18
                self.assertLess(lines, 5)
                self.assertEqual(name.get_attribute("textContent"), names[0])
                name.click()
                self.assertGreater(name.size["height"] / 18, 20)

    def test_all_orders_are_open_while_the_page_is_printed(self):
        state = "return [...document.querySelectorAll('.choices > details:not(.off-paper)')].map(d => [d.open, d.name])"
        with browser(1440, 900) as driver:
            self.open(driver)
            before = driver.execute_script(state)
            driver.execute_script("dispatchEvent(new Event('beforeprint'))")
            self.assertEqual({is_open for is_open, _ in driver.execute_script(state)}, {True})
            driver.execute_script("dispatchEvent(new Event('afterprint'))")
            self.assertEqual(driver.execute_script(state), before)

    def test_the_other_orders_open_by_the_address_of_a_row(self):
        with browser(1440, 900) as driver:
            self.open(driver, "#operations/list")
            self.assertTrue(driver.find_element(By.ID, "operations/list").is_displayed())
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, ".choices > details[open]")), 1)

    def test_a_card_opens_below_its_row(self):
        with browser(1440, 900) as driver:
            self.open(driver, "#operations/list")
            link = driver.find_element(By.CSS_SELECTOR, "[id='operations/list'] tbody a[href*='operations/card/']")
            name = link.text
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
            link.click()
            card = driver.find_element(By.CSS_SELECTOR, "[id='operations/list'] tr.card")
            self.assertTrue(card.is_displayed())
            self.assertIn("Self time", card.text)
            self.assertEqual(driver.execute_script("return arguments[0].previousElementSibling.cells[1].textContent.trim()", card), name)
            doubled = driver.execute_script("""const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
                return ids.filter((id, i) => ids.indexOf(id) !== i);""")
            self.assertEqual(doubled, [])
            link.click()
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, "tr.card"), [])
            self.assertEqual(console_errors(driver), [])

    def test_the_row_of_a_card_leads_to_it_without_scripts(self):
        with browser(1440, 900) as driver:
            self.open(driver, "#operations/list", scripts=False)
            link = driver.find_element(By.CSS_SELECTOR, "[id='operations/list'] tbody a[href*='operations/card/']")
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
            target = link.get_attribute("href").split("#")[1]
            link.click()
            self.assertTrue(driver.find_element(By.ID, target).is_displayed())


class ManyViews(unittest.TestCase):
    """More workers than links have room for."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        logs, cls.page = Path(folder.name, "logs"), Path(folder.name, "r.html")
        for worker in range(5):
            for span in (1, 2):
                path = logs / "now" / f"rank{worker}.{span}.pt.trace.json"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text(trace(
                    [event("user_annotation", f"ProfilerStep#{i}", i * 2000, 2000) for i in range(3)] +
                    [event("cpu_op", "aten::add", i * 2000 + 5, 1000 + worker) for i in range(3)],
                    baseTimeNanoseconds=1711929600000000000 + span * 10 ** 10)))
        subprocess.run([TPREPORT, "-q", str(logs), "-o", str(cls.page)], check=True)

    def test_are_chosen_from_a_list_of_workers_and_one_of_spans(self):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
            driver.get(self.page.as_uri())
            self.assertGreater(len(driver.find_elements(By.CSS_SELECTOR, ".choose a")), 12)
            self.assertFalse(driver.find_element(By.CSS_SELECTOR, ".choose").is_displayed())
            worker, span = [Select(e) for e in driver.find_elements(By.CSS_SELECTOR, ".views select")]
            self.assertEqual([o.text for o in worker.options], ["all", *(f"rank{i}" for i in range(5))])
            worker.select_by_visible_text("rank3")
            span.select_by_visible_text("2")
            self.assertTrue(driver.current_url.endswith("#views/worker=rank3,span=2"), driver.current_url)
            driver.back()
            WebDriverWait(driver, 20).until(lambda _: span.first_selected_option.text == "all")
            self.assertEqual(worker.first_selected_option.text, "rank3")
            worker.select_by_visible_text("all")
            self.assertTrue(driver.current_url.endswith("#summary"))
            self.assertEqual(console_errors(driver), [])

    def test_are_links_without_scripts(self):
        with browser() as driver:
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            driver.get(self.page.as_uri())
            self.assertTrue(driver.find_element(By.CSS_SELECTOR, ".choose").is_displayed())


if __name__ == "__main__":
    unittest.main()
