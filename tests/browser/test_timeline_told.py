"""What the timeline in a page tells: sums of a range, matches, arguments and arrows of an event, its window as a table, and where
addresses lead."""

import unittest

from timeline_maker import Event, block, track
from timeline_page import HOSTILE, NAMES, TL, US, By, Keys, TimelinePage, WebDriverWait, browser, console_errors, nested


class Told(TimelinePage):
    def sums(self, low, high):
        """By name: events, their time in the range, and that less what is nested, by brute force over microseconds."""
        _, ops, _ = nested()
        sums = {}
        for e in ops:
            if not (e.start < high and e.end > low):
                continue
            own = sums.setdefault(NAMES[e.name]["name"], [0, 0, 0])
            own[0] += 1
            for at in range(max(low, e.start), min(high, e.end), US):
                own[1] += 1
                own[2] += not any(o.lane > e.lane and o.start >= e.start and o.end <= e.end and o.start <= at < o.end for o in ops)
        return {name: [count, total * US, self_time * US] for name, (count, total, self_time) in sums.items()}

    def test_sums_of_a_range_are_those_of_its_events(self):
        with browser() as driver:
            self.open(driver)
            for low, high in ((0, 1000), (23, 128), (300, 400), (361, 362)):
                driver.execute_script(TL + f"tl.setRange({{ from: {low * US}, to: {high * US}, track: tl.store.tracks[1] }});")
                WebDriverWait(driver, 5).until(lambda d: "Reading" not in d.find_element(By.CSS_SELECTOR, ".tl-range").text and d.execute_script(TL + "return tl.rangeRows().rows.length"))
                got = driver.execute_async_script(TL + "const done = arguments[0]; sumsOf(tl.store, [tl.store.tracks[1]], tl.range.from, tl.range.to).then(({ by }) => done([...by.values()].map(s => [tl.names[s.name].name, [s.count, s.total, s.self]])));")
                self.assertEqual(dict(got), self.sums(low * US, high * US), (low, high))
            rows = [row.text.split() for row in driver.find_elements(By.CSS_SELECTOR, ".tl-range tbody tr")]
            self.assertEqual(rows, [["copy", "1", "0.001", "0.001", "0.001", "100.0", "%"], ["inner", "1", "0.001", "0.001", "0.001", "100.0", "%"], ["All", "2", "0.002", "0.002", "0.001", "200.0", "%"]])

    def test_self_time_is_without_what_is_nested_in_any_lane(self):
        """Functions of Python stand below the operators that they call: what nests in what is told by times alone."""
        events = [Event(10 * US, 80 * US, 0), Event(20 * US, 30 * US, 1, 1), Event(0, 100 * US, 5, 2), Event(15 * US, 40 * US, 3, 3), Event(25 * US, 10 * US, 2, 4)]
        thread = {**track("main", "thread", events, 100 * US), "upper_lanes": 2}
        page = self.write(block([{"name": "Host", "tracks": [thread]}], NAMES, 100 * US))
        wanted = {0: 40, 1: 20, 5: 20, 3: 10, 2: 10}
        with browser() as driver:
            self.open(driver, page)
            got = driver.execute_async_script(TL + f"const done = arguments[0]; sumsOf(tl.store, [tl.store.tracks[0]], 0, {100 * US}).then(({{ by }}) => done([...by.values()].map(s => [s.name, s.self / {US}])));")
            self.assertEqual({name: value for name, value in got}, wanted)
            one = driver.execute_script(TL + f"return [[0, 10], [1, 20], [2, 0], [3, 15], [4, 25]].map(([lane, us]) => selfOf(tl.store, tl.pick.starting(tl.store.tracks[0], lane, us * {US}).event).self / {US});")
            self.assertEqual(one, [wanted[0], wanted[1], wanted[5], wanted[3], wanted[2]])

    def test_search(self):
        with browser() as driver:
            body = self.open(driver)
            body.click()
            self.keys(driver, Keys.ESCAPE, "f", "/", "net.py")
            count = driver.find_element(By.CSS_SELECTOR, ".tl-find .m")
            WebDriverWait(driver, 5).until(lambda d: count.text.startswith("20 kept"))
            self.keys(driver, Keys.ENTER)
            self.assertIn("matmul", driver.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.assertTrue(count.text.startswith("1 of 20"), count.text)
            self.keys(driver, Keys.ENTER, Keys.ENTER)
            self.assertIn("105.000\u202fµs", driver.find_element(By.CSS_SELECTOR, ".tl-event").text)
            driver.find_element(By.CSS_SELECTOR, "[aria-label='List of matches']").click()
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, ".tl-matches tbody tr")), 20)
            driver.find_elements(By.CSS_SELECTOR, ".tl-matches tbody button")[19].click()
            self.assertTrue(count.text.startswith("20 of 20"), count.text)
            # In quotes a whole name; the address holds it, and one that holds only that goes to the first.
            for asked, wanted in (("cop", "30 kept"), ('"copy"', "30 kept"), ('"cop"', "none")):
                driver.execute_script(TL + "tl.search(arguments[0], false);", asked)
                WebDriverWait(driver, 5).until(lambda d: count.text.startswith(wanted), (asked, count.text))
            self.open(driver, address="#timeline/view?q=%22inner%22")
            WebDriverWait(driver, 5).until(lambda d: "inner" in d.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.assertIn("inner", driver.find_element(By.CSS_SELECTOR, ".tl-find input").get_attribute("value"))

    def test_hostile_names_are_shown_whole(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + "tl.select({ track: tl.store.tracks[2], lane: 0, start: 40e6, end: 60e6, name: 3, merged: null, share: 1 });")
            text = driver.execute_script("return document.querySelector('.tl-event h4 bdi').textContent")
            self.assertEqual(text, HOSTILE.replace("\x01", "\u2401"))
            self.assertEqual(driver.find_elements(By.CSS_SELECTOR, ".tl b[onclick]"), [])
            self.assertEqual(console_errors(driver), [])

    def test_the_window_as_a_table(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + f"view.set({200 * US}, {300 * US});")
            driver.find_element(By.CSS_SELECTOR, ".tl-table summary").click()
            WebDriverWait(driver, 5).until(lambda d: len(d.find_elements(By.CSS_SELECTOR, ".tl-table tbody tr")) == 10)
            # At once: the table is made anew when the view has settled.
            rows = 'return [...document.querySelectorAll(".tl-table tbody tr")].slice(0, 2).map(row => [...row.cells].map(cell => cell.textContent));'
            self.assertEqual(driver.execute_script(rows), [["step", "Device 0 · Steps", "2", "200.000\u202fµs", "100.000\u202fµs"], ["wait", "Device 0 · Ops", "2", "200.000\u202fµs", "60.000\u202fµs"]])

    def pane(self, driver):
        return driver.execute_script("return [...document.querySelectorAll('.tl-event dl > div')].map(row => [row.firstChild.textContent, row.lastChild.textContent])")

    def test_arrows_and_arguments(self):
        with browser() as driver:
            body = self.open(driver, self.with_more())
            driver.execute_script(TL + f"view.set({100 * US}, {200 * US}); tl.select(tl.pick.starting(tl.store.tracks[0], 0, {130 * US}).event);")
            WebDriverWait(driver, 5).until(lambda d: "inner" in dict(self.pane(d)).get("Launched by", ""))
            told = dict(self.pane(driver))
            self.assertEqual((told["Launched by"], told["Arguments"]), ("inner on main · Host, 20.000\u202fµs earlier", "grid 1 × 2 × 3"))
            # The arrow is drawn; without it the same place is empty.
            dark = "const pixels = tl.body.getContext('2d').getImageData(0, 0, tl.body.width, tl.body.height).data; let n = 0; for (let i = 0; i < pixels.length; i += 4) if (pixels[i] < 60 && pixels[i + 1] < 60 && pixels[i + 2] < 60) n++; return n;"
            self.settle(driver)
            with_arrow = driver.execute_script(TL + dark)
            driver.execute_script(TL + "tl.arrows = null; view.draw();")
            self.settle(driver)
            self.assertGreater(with_arrow, driver.execute_script(TL + dark) + 50)
            driver.execute_script(
                "[...document.querySelectorAll('.tl-event dl > div')].find(row => row.firstChild.textContent === 'Launched by').querySelector('button').click()")
            WebDriverWait(driver, 5).until(lambda d: "matmul" in dict(self.pane(d)).get("Launches", ""))
            self.assertEqual(dict(self.pane(driver))["Arguments"], HOSTILE.replace("\x01", "\u2401"))
            # The first two lead to and fro.
            driver.execute_script(TL + f"tl.select(tl.pick.starting(tl.store.tracks[0], 0, {30 * US}).event);")
            WebDriverWait(driver, 5).until(lambda d: "Its backward" in dict(self.pane(d)))
            driver.find_element(By.CSS_SELECTOR, ".tl-flows input").click()
            WebDriverWait(driver, 5).until(lambda d: "4 arrows lead to or from events that are not kept" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)
            body.click()
            self.keys(driver, "f")
            WebDriverWait(driver, 5).until(lambda d: "a=1" in d.current_url)
            self.assertEqual(console_errors(driver), [])

    def test_the_address_holds_the_view(self):
        with browser() as driver:
            body = self.open(driver)
            body.click()
            self.keys(driver, Keys.ESCAPE, "f", "+", Keys.HOME, Keys.ENTER, Keys.ARROW_DOWN)
            WebDriverWait(driver, 5).until(lambda d: "e=0.1.0.0" in d.current_url)
            window, address = self.window(driver), driver.current_url
            self.open(driver, address="#" + address.split("#")[1])
            self.assertEqual(self.window(driver), window)
            WebDriverWait(driver, 5).until(lambda d: d.find_elements(By.CSS_SELECTOR, ".tl-event h4") and "wait" in d.find_element(By.CSS_SELECTOR, ".tl-event h4").text)

    def test_a_step_of_the_page_is_shown_and_a_page_without_a_timeline_has_none(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script('theStep.choose("3")')
            self.assertEqual(self.window(driver), [290, 410])
            driver.get("about:blank")
            path = self.folder / "plain.html"
            path.write_text(self.plain)
            driver.get(path.as_uri())
            self.assertEqual((driver.find_elements(By.CSS_SELECTOR, ".tl"), console_errors(driver)), ([], []))

    def test_the_line_of_findings_is_never_empty(self):
        """A window without any says where the next is, and a press there leads to it; a peak of memory is no finding."""
        at = {"from_ps": 990 * US, "to_ps": 991 * US}
        for finding, label, line in (("TPR-X-001", "1 Waits", "Findings"), ("memory-over-time", "memory peak", "Memory peak")):
            page = self.write(block([{"name": "TPU:0", "tracks": [track("T", "ops", [Event(0, 1000 * US, 1)], 1000 * US)]}], NAMES, 1000 * US,
                                    findings=[{"finding": finding, "label": label, **at}]))
            with browser() as driver:
                self.open(driver, page)
                seen = driver.execute_script(TL + f"""view.show(0, {100 * US}); const said = [], pen = tl.head.getContext("2d"), fill = pen.fillText;
                    pen.fillText = (text, ...rest) => {{ said.push(text); fill.call(pen, text, ...rest); }};
                    tl.overlays.forEach(draw => draw(tl.body.getContext("2d"), 0));
                    const box = tl.head.getBoundingClientRect();
                    tl.head.dispatchEvent(new MouseEvent("click", {{ bubbles: true, clientX: box.right - 5, clientY: box.bottom - 5 }}));
                    return [document.querySelector(".tl-side-findings").textContent, said.filter(text => text.includes("▸")), view.from < {at["from_ps"]} && view.to() > {at["to_ps"]}];""")
                self.assertEqual(seen, [line, [label + " ▸"], True])

    def test_a_flag_stays_on_its_line_and_shows_all_that_is_there(self):
        """Findings of one place share a flag; at the right edge a flag ends on its line instead of beginning there."""
        at = [("TPR-X-001", "1 Waits for the host", 300), ("TPR-X-002", "2 Low utilisation", 301), ("TPR-X-003", "3 Synchronising with the device", 990)]
        page = self.write(block([{"name": "TPU:0", "tracks": [track("T", "ops", [Event(0, 1000 * US, 1)], 1000 * US)]}], NAMES, 1000 * US,
                                findings=[{"finding": id, "label": label, "from_ps": us * US, "to_ps": (us + 5) * US} for id, label, us in at]))
        with browser() as driver:
            self.open(driver, page)
            said = driver.execute_script(TL + """view.fit(); const said = [], pen = tl.head.getContext("2d"), fill = pen.fillText;
                pen.fillText = (text, x, y) => { said.push([text, x, x + pen.measureText(text).width]); fill.call(pen, text, x, y); };
                tl.overlays.forEach(draw => draw(tl.body.getContext("2d"), 0));
                return said.filter(([text]) => /[▲■]/.test(text)).map(([text, left, right]) => [text, (left - view.xOf(300e6)) / view.dpr, (right - view.xOf(990e6)) / view.dpr]);""")
            self.assertEqual([text for text, _, _ in said], ["▲ 1 Waits for the host", "▲ 2 Low utilisation", "3 Synchronising with the device ▲"])
            self.assertTrue(0 <= said[0][1] <= 6, said)
            self.assertTrue(-6 <= said[2][2] <= 0, said)

    def test_findings_and_steps_lead_to_their_place(self):
        page = self.with_more()
        with browser() as driver:
            self.open(driver, page, "#timeline/view?f=steps")
            self.assertEqual(self.window(driver), [110, 190])
            self.assertEqual(driver.execute_script(TL + "return [tl.measured.from, tl.measured.to]"), [130 * US, 170 * US])
            self.open(driver, page, "#timeline/view?s=4")
            self.assertEqual(self.window(driver), [390, 510])
            for bad in ("f=%22", "s=nine", "t=5..1", "e=9.9.9.9", "r=x..y,0.0", "q=%3Cb%3E"):
                self.open(driver, page, "#timeline/view?" + bad)
            self.assertEqual(console_errors(driver), [])


if __name__ == "__main__":
    unittest.main()
