"""The timeline in a page, on events made here: each is decoded as it was put in, drawn, found, summed up, linked to."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sample_doc
from timeline_maker import Event, block, counter, event_tile, flow, packed, track, with_timeline

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

US = 1_000_000
HOSTILE = '</script><b onclick="x">\x01\u202eabc שלום ' + "n" * 10000
HIGH = 2**63
NAMES = [{"name": "step", }, {"name": "matmul", "hue": "compute", "more": "dense · net.py:3"}, {"name": "copy", "hue": "memory"},
         {"name": HOSTILE, "hue": "host"}, {"name": "wait", "hue": "input", "tint": 1}, {"name": "inner", "hue": "compute"}]
MARKS = [{"label": str(n), "from_ps": n * 100 * US, "to_ps": (n + 1) * 100 * US} for n in range(10)]

# The view, once all that it asked for is drawn.
TL = 'const tl = document.querySelector("figure.tl-live").timeline, view = tl.view; '
ALL_EVENTS = TL + """const done = arguments[0], wait = () => {
    for (const track of tl.store.tracks) track.full.forEach(tile => tl.store.want(tile));
    if (tl.store.waiting) return setTimeout(wait, 20);
    done(tl.store.tracks.map(track => track.full.flatMap(({ got }) => {
        const events = [];
        for (let lane = 0; lane + 1 < got.at.length; lane++) for (let i = got.at[lane]; i < got.at[lane + 1]; i++)
            events.push([got.start[i], got.end[i], got.name[i], lane]);
        return events;
    }).sort((a, b) => a[0] - b[0] || a[3] - b[3])));
}; wait();"""
PIXELS = TL + """const { data, width } = tl.body.getContext("2d").getImageData(0, 0, tl.body.width, tl.body.height), row = tl.rows.rowOf(tl.store.tracks[arguments[0]]);
const { y, height } = view.laneBox(row, arguments[1]), at = Math.round(y + height - 2) * width * 4;
return Array.from({ length: width }, (_, x) => [...data.slice(at + 4 * x, at + 4 * x + 3)].join(" "));"""


def nested():
    """Ten steps; in each a wait with three parts, one of them with a part of its own, and what is hostile."""
    steps, ops, odd = [], [], []
    for n in range(10):
        low = n * 100 * US
        steps.append(Event(low, 100 * US, 0))
        ops += [Event(low, 60 * US, 4), Event(low + 5 * US, 10 * US, 1, 1), Event(low + 20 * US, 30 * US, 1, 1), Event(low + 25 * US, 5 * US, 5, 2),
                Event(low + 60 * US, 30 * US, 2), Event(low + 55 * US, 10 * US, 5, 1)]
        odd += [Event(low + 10 * US, 0, 3), Event(low + 40 * US, 20 * US, 3), Event(low + 50 * US, 30 * US, 2, 1)]
    return steps, ops, odd


def made():
    steps, ops, odd = nested()
    high = 1000 * US
    groups = [{"name": "Device 0", "note": "chip 0", "tracks": [track("Steps", "steps", steps, high), track("Ops", "ops", ops, high, tick=US, tile=150 * US, cells=[4 * US, 16 * US]),
                                                                track("Odd", "thread", odd, high)]},
              {"name": "Device 1", "tracks": [track("Steps", "steps", steps, high), track("Ops", "ops", ops, high, cells=[4 * US], kept=(0, 0)), track("Odd", "thread", odd, high)]}]
    return block(groups, NAMES, high, MARKS, [{"finding": "none", "label": "1 wait", "from_ps": 100 * US, "to_ps": 160 * US}],
                 [{"label": f"Step {n}", "note": "", "from_ps": n * 100 * US, "length": 0.1, "bars": []} for n in (3, 7)])


class Timeline(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.plain = sample_doc.render("html").decode()
        cls.page = Path(folder.name, "r.html")
        cls.page.write_text(with_timeline(cls.plain, made()))
        cls.folder = Path(folder.name)

    def open(self, driver, page=None, address="#timeline/view"):
        driver.get("about:blank")
        driver.get((page or self.page).as_uri() + address)
        self.settle(driver)
        return driver.find_element(By.CSS_SELECTOR, ".tl-body")

    def settle(self, driver):
        WebDriverWait(driver, 20, 0.05).until(lambda d: d.execute_script(
            'const live = document.querySelector("figure.tl-live"); return live && live.timeline && live.timeline.view.isComplete() && !live.timeline.store.waiting;'))

    def window(self, driver):
        return [round(ps / US, 3) for ps in driver.execute_script(TL + "return [view.from, view.to()];")]

    def keys(self, driver, *keys):
        for key in keys:
            driver.switch_to.active_element.send_keys(key)
        self.settle(driver)

    def assert_same(self, got, wanted):
        """Of long lists what differs first; a difference of all of them takes minutes."""
        self.assertEqual([len(events) for events in got], [len(events) for events in wanted])
        for events, others in zip(got, wanted):
            self.assertEqual(next(((a, b) for a, b in zip(events, others) if a != b), None), None)

    def test_every_event_is_decoded_as_it_was(self):
        random.seed(18)
        odd = [Event(random.randrange(HIGH // 2**12) * 2**12, random.choice([0, 2**12, random.randrange(2**40) * 2**12]), random.randrange(6), random.randrange(40)) for _ in range(3000)]
        page = self.folder / "random.html"
        page.write_text(with_timeline(self.plain, block([{"name": "G", "tracks": [track("T", "thread", odd, HIGH, tick=2**12, tile=HIGH // 7 // 2**12 * 2**12)]}], NAMES, HIGH)))
        with browser() as driver:
            self.open(driver)
            steps, ops, others = nested()
            wanted = [sorted([e.start, e.end, e.name, e.lane] for e in events) for events in (steps, ops, others)]
            got = [sorted(events) for events in driver.execute_async_script(ALL_EVENTS)]
            self.assert_same(got, [*wanted, wanted[0], [], wanted[2]])
            self.open(driver, page)
            self.assert_same([sorted(driver.execute_async_script(ALL_EVENTS)[0])], [sorted([float(e.start), float(e.end), e.name, e.lane] for e in odd)])
            self.assertEqual(console_errors(driver), [])

    def test_groups_are_open_that_have_events_in_the_window(self):
        """Two captures, one after the other, of alike devices: the drawn step is in the second."""
        def captured(low):
            events = [Event(low + n * US, US // 2, 1) for n in range(50)]
            return {**track("stream 7", "stream", events, low + 60 * US), "tiles": [event_tile(events, low, low + 60 * US, 1)]}
        low, high = 90000 * US, 90060 * US
        groups = [{"name": f"{kind} {n}", "tracks": [captured(at)]} for kind in ("GPU", "Threads") for n, at in enumerate((0, low))]
        marks = [{"label": str(n), "from_ps": at, "to_ps": at + 50 * US} for n, at in enumerate((0, low))]
        page = self.folder / "captures.html"
        page.write_text(with_timeline(self.plain, block(groups, NAMES, high, marks, windows=[{"label": "Step 1", "note": "", "from_ps": low, "length": 0.05, "bars": []}])))
        with browser() as driver:
            self.open(driver, page)
            opened = TL + "return tl.rows.open;"
            self.assertEqual(driver.execute_script(opened), [False, True, False, False])
            WebDriverWait(driver, 5).until(lambda d: "50 events in this window" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)
            driver.execute_script(TL + "tl.chooseStep(tl.marks[0]);")
            self.settle(driver)
            self.assertEqual(driver.execute_script(opened), [True, False, False, False])
            driver.execute_script(TL + "view.fit(); tl.rows.open.fill(false); tl.rows.lay(); view.laidOut();")
            driver.execute_script(TL + "tl.goTo(40000 * 1e6, 40001 * 1e6);")
            self.settle(driver)
            self.assertEqual(driver.execute_script(opened), [False] * 4)

    def test_a_closed_device_shows_each_of_its_streams(self):
        kernels, sends = [Event(n * 10 * US, 4 * US, 1) for n in range(10)], [Event(45 * US, 30 * US, 2)]
        few = [[Event(80 * US + n * US, US, 4)] for n in range(4)]
        tracks = [track("stream 7", "stream", kernels, 100 * US), track("stream 24", "stream", sends, 100 * US)]
        many = [*tracks, *(track(f"stream {30 + n}", "stream", events, 100 * US) for n, events in enumerate(few))]
        groups = [{"name": "GPU 0", "tracks": tracks}, {"name": "GPU 1", "tracks": tracks}, {"name": "GPU 2", "tracks": many}]
        page = self.folder / "streams.html"
        page.write_text(with_timeline(self.plain, block(groups, NAMES, 100 * US)))
        with browser() as driver:
            self.open(driver, page)
            driver.execute_script('document.querySelectorAll(".tl-group button[aria-expanded=true]").forEach(button => button.click());')
            self.settle(driver)
            pixels = driver.execute_script(TL + """return tl.rows.list.filter(row => row.group !== undefined).map(row => Array.from({ length: row.lanes }, (_, lane) => {
                const { y, height } = view.laneBox(row, lane);
                return [2, 50, 82.5].map(us => [...tl.body.getContext("2d").getImageData(Math.round(view.xOf(us * 1e6)), y + height - 1, 1, 1).data.slice(0, 3)].join(" "));
            }));""")
            (kernel, _, _), (none, send, _) = pixels[0]
            self.assertEqual(len({kernel, send, none}), 3)
            self.assertEqual(pixels[1], pixels[0])
            self.assertEqual(pixels[2][:2], pixels[0])
            self.assertEqual(len(pixels[2]), 4)
            self.assertNotIn(pixels[2][3][2], (none, kernel, send))
            titles = [e.get_attribute("title") for e in driver.find_elements(By.CSS_SELECTOR, ".tl-names .tl-group")]
            self.assertEqual(titles[0], "GPU 0; from above: stream 7, stream 24")
            self.assertIn(" and ", titles[2])
            self.assertEqual(console_errors(driver), [])

    def test_bars_are_drawn_where_they_are(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + f"view.set(0, {200 * US});")
            self.settle(driver)
            pixels, width = driver.execute_script(PIXELS, 1, 0), driver.execute_script(TL + "return view.width;")
            at = [pixels[int(us / 200 * width)] for us in (30, 75, 95, 130, 175, 195)]
            wait, copy, empty = at[:3]
            self.assertEqual(at, [wait, copy, empty] * 2)
            self.assertEqual((len({wait, copy, empty}), empty), (3, "255 255 255"))
            # An event without a length is a line; those of the axis are grey.
            pixels = ["255 255 255" if p == "227 230 234" else p for p in driver.execute_script(PIXELS, 2, 0)]
            lines = [x for x in range(1, width) if pixels[x] != "255 255 255" and pixels[x - 1] == pixels[x + 1] == "255 255 255"]
            self.assertEqual([round(x / width * 200) for x in lines], [10, 110])

    def test_the_map_shows_all_phases(self):
        """Of a group without a main track the map has each: the longest bar is there, though others have more events."""
        train, setup = [Event(0, 600 * US, 1, 0)], [Event(n * 300 * US, 2 * US, 2, 0) for n in range(3)]
        page = self.folder / "phases.html"
        page.write_text(with_timeline(self.plain, block([{"name": "Run", "tracks": [track("training", "phase", train, 1000 * US), track("set-up", "phase", setup, 1000 * US)]}], NAMES, 1000 * US)))
        seen = TL + """const { data, width, height } = tl.map.getContext("2d").getImageData(0, 0, tl.map.width, tl.map.height), coloured = [];
            for (let x = 0; x < width; x++) {
                let lit = false;
                for (let y = 0; y < height; y++) {
                    const [r, g, b] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
                    lit ||= Math.max(r, g, b) - Math.min(r, g, b) > 30;
                }
                coloured.push(lit);
            }
            return coloured.filter(Boolean).length / width;"""
        with browser() as driver:
            self.open(driver, page)
            self.settle(driver)
            self.assertAlmostEqual(driver.execute_script(seen), 0.6, delta=0.02)

    def test_the_slowest_step_is_in_sight_first(self):
        with browser() as driver:
            self.open(driver)
            self.assertEqual(self.window(driver), [660, 840])

    def test_what_is_merged_is_said(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + "view.fit();")
            self.settle(driver)
            WebDriverWait(driver, 5).until(lambda d: "Window 0\u202fs to" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)
            text = driver.find_element(By.CSS_SELECTOR, ".tl-status").text
            self.assertIn("10 of 100 events in this window are shorter than a pixel", text)
            self.assertIn("200 events", text)
            driver.execute_script(TL + f"tl.rows.open[1] = true; tl.rows.lay(); view.set(0, {20 * US}); view.laidOut();")
            WebDriverWait(driver, 5).until(lambda d: "not kept in full" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)

    def test_keys(self):
        with browser() as driver:
            body = self.open(driver)
            body.click()
            self.keys(driver, Keys.ESCAPE, "f")
            self.assertEqual(self.window(driver), [0, 1000])
            self.keys(driver, "+")
            low, high = self.window(driver)
            self.assertAlmostEqual(high - low, 700, 3)
            self.keys(driver, "d", "d")
            self.assertAlmostEqual(self.window(driver)[0], low + 140, 0)
            self.keys(driver, "a", "w", "s", "-")
            self.assertEqual(self.window(driver)[1] - self.window(driver)[0], 1000)
            self.keys(driver, "+", "+", Keys.HOME)
            self.assertEqual(self.window(driver)[0], 0)
            self.keys(driver, Keys.ENTER, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
            self.assertIn("copy", driver.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.keys(driver, "m")
            self.assertIn("30.000\u202fµs", driver.find_element(By.CSS_SELECTOR, ".tl-range h4").text)
            for key, tool in zip("1234", ("select", "pan", "zoom", "time")):
                self.keys(driver, key)
                self.assertEqual(driver.find_element(By.CSS_SELECTOR, ".tl-bar [aria-pressed=true]").text.split()[0], tool)
            self.keys(driver, "?")
            self.assertTrue(driver.find_element(By.CSS_SELECTOR, ".tl-keys").get_attribute("open"))
            self.keys(driver, Keys.ESCAPE, Keys.ESCAPE, Keys.ESCAPE)
            self.assertEqual([e for e in driver.find_elements(By.CSS_SELECTOR, ".tl-event, .tl-range, .tl-key-list") if e.is_displayed()], [])
            self.keys(driver, "/")
            self.assertEqual(driver.switch_to.active_element.get_attribute("aria-label"), "Find events by name")
            self.assertEqual(console_errors(driver), [])

    def mouse(self, driver, kind, time, y, window=None, **more):
        left, top, width = driver.execute_script(TL + "tl.box.scrollIntoView(); const box = tl.body.getBoundingClientRect(); return [box.left, box.top, view.width];")
        low, high = window or self.window(driver)
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": left + (time - low) / (high - low) * width, "y": top + y, "button": "left", "buttons": 1, "clickCount": 1, **more})

    def row(self, driver, number, lane=0):
        return driver.execute_script(TL + "const row = tl.rows.rowOf(tl.store.tracks[arguments[0]]); return row.y + row.top + (arguments[1] + 0.5) * row.pitch;", number, lane)

    def drag(self, driver, low, high, y):
        window = self.window(driver)
        for kind, time in (("mousePressed", low), ("mouseMoved", (low + high) / 2), ("mouseMoved", high), ("mouseReleased", high)):
            self.mouse(driver, kind, time, y, window)
        self.settle(driver)

    def test_tools(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + f"view.set({100 * US}, {300 * US});")
            y = self.row(driver, 1)
            self.mouse(driver, "mousePressed", 130, y)
            self.mouse(driver, "mouseReleased", 130, y)
            self.assertIn("wait", driver.find_element(By.CSS_SELECTOR, ".tl-event h4").text)
            self.keys(driver, "4")
            self.drag(driver, 100.4, 160.3, y)
            self.assertEqual(driver.execute_script(TL + "return [tl.measured.from, tl.measured.to]"), [100 * US, 160 * US])
            self.keys(driver, "2")
            self.drag(driver, 200, 150, y)
            self.assertAlmostEqual(self.window(driver)[0], 150, 0)
            self.keys(driver, "3")
            self.drag(driver, 200, 240, y)
            self.assertAlmostEqual(self.window(driver)[0], 200, 0)
            self.assertAlmostEqual(self.window(driver)[1], 240, 0)
            y = self.row(driver, 1, 1)
            self.mouse(driver, "mousePressed", 225, y, clickCount=2)
            self.mouse(driver, "mouseReleased", 225, y, clickCount=2)
            self.assertEqual(self.window(driver), [217, 253])
            before = self.window(driver)
            left, top = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [box.left + 300, box.top + 60];")
            driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": left, "y": top, "deltaX": 0, "deltaY": -100})
            WebDriverWait(driver, 5).until(lambda d: self.window(d)[1] - self.window(d)[0] < before[1] - before[0])
            self.assertEqual(console_errors(driver), [])

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

    def test_events_that_last_into_what_is_kept_are_there(self):
        """Of a long track 300 to 600 µs are kept in full: an event of 200 to 800 µs goes on through them, one of 500 to 700 out of them."""
        short = [Event(n * 4 * US + 1, 2 * US, 1 + n % 2, 2) for n in range(250)]
        events = [Event(200 * US, 600 * US, 4), Event(500 * US, 200 * US, 5, 1), *short]
        page = self.folder / "kept.html"
        one = track("T", "thread", events, 1000 * US, tile=100 * US, cells=[10 * US, 40 * US], kept=(300 * US, 600 * US))
        page.write_text(with_timeline(self.plain, block([{"name": "G", "tracks": [one]}], NAMES, 1000 * US)))
        with browser() as driver:
            self.open(driver, page)
            driver.execute_script(TL + f"view.set({400 * US}, {402 * US});")
            self.settle(driver)
            colours = [len(set(driver.execute_script(PIXELS, 0, lane)[5:-5])) for lane in range(2)]
            self.assertEqual([c > 0 for c in colours], [True, True])
            driver.execute_script(TL + "tl.select(tl.pick.at(100, 10 + 20));")
            self.assertEqual(driver.execute_script(TL + "const e = tl.selected; return [e.name, Math.round(e.start / 1e6), Math.round(e.end / 1e6)];"), [4, 200, 800])
            # Over all of it each counts once.
            driver.execute_script(TL + f"tl.setRange({{ from: 0, to: {1000 * US}, track: tl.store.tracks[0] }});")
            WebDriverWait(driver, 5).until(lambda d: d.execute_script(TL + "const { rows, missing } = tl.rangeRows(); return rows.length && !missing;"))
            sums = dict(driver.execute_script(TL + "return tl.rangeRows().rows.map(r => [r.name, [r.count, r.total / 1e6]]);"))
            self.assertEqual([sums[name][0] for name in (4, 5)], [1, 1])
            self.assertAlmostEqual(sums[4][1], 600, delta=1)
            self.assertAlmostEqual(sums[5][1], 200, delta=1)
            self.assertAlmostEqual(sums[1][1] + sums[2][1], 500, delta=5)
            self.assertEqual(sums[1][0] + sums[2][0], 250)

    def with_more(self):
        """Two tracks with launches between them, arguments and two counters; a finding of the page, and one that it does not hold."""
        calls = [Event(n * 100 * US + 10 * US, 2 * US, 5, 0, 1 + n % 2) for n in range(10)]
        kernels = [Event(n * 100 * US + 30 * US, 40 * US, 1, 0, 3) for n in range(10)]
        groups = [{"name": "GPU:0", "tracks": [track("stream 7", "stream", kernels, 1000 * US)],
                   "counters": [counter("Busy", "share", [(3, 5), (7, 0), (13, 10), (17, 0)], 10 * US, 0.1), counter("Held", "bytes", [(0, 1), (50, 2)], 10 * US, 2**20)]},
                  {"name": "Host", "tracks": [track("main", "thread", calls, 1000 * US)]}]
        findings = [{"finding": "steps", "label": "1 copies", "from_ps": 130 * US, "to_ps": 170 * US}, {"finding": "nowhere", "label": "2 " + HOSTILE, "from_ps": 630 * US, "to_ps": 640 * US}]
        pairs = [((1, 0, c.start), (0, 0, k.start)) for c, k in zip(calls, kernels)]
        page = self.folder / "more.html"
        page.write_text(with_timeline(self.plain, block(groups, NAMES, 1000 * US, MARKS, findings, flows=[flow("launch", pairs), flow("backward", [(b, a) for a, b in pairs[:1]])],
                                                        arguments=[{"text": "shapes [[2]]"}, {"text": HOSTILE}, {"text": "grid 1 × 2 × 3"}])))
        return page

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

    def test_counters(self):
        with browser() as driver:
            self.open(driver, self.with_more())
            driver.execute_script(TL + f"view.set(0, {200 * US});")
            self.settle(driver)
            self.assertEqual([e.text.split("\n")[0] for e in driver.find_elements(By.CSS_SELECTOR, ".tl-counter .tl-row")], ["Busy", "Held"])
            heights = driver.execute_script(TL + """const { data, width } = tl.body.getContext("2d").getImageData(0, 0, tl.body.width, tl.body.height), row = tl.rows.list.find(row => row.counter);
                return arguments[0].map(us => { const x = Math.round(us / 200 * width); let n = 0; for (let y = row.y; y < row.y + row.height; y++) { const at = 4 * (y * width + x); if (data[at + 2] > data[at] + 60) n++; } return n; });""", [15, 50, 85, 150, 185])
            self.assertEqual(heights, [0, 14, 0, 28, 0])
            y = driver.execute_script(TL + "const row = tl.rows.list.find(row => row.counter); return row.y + 10;")
            self.mouse(driver, "mouseMoved", 50, y, button="none", buttons=0)
            self.assertEqual(driver.execute_script("return [...document.querySelectorAll('.tip')].filter(t => !t.hidden).map(t => t.textContent)"), ["Busy · 50.0\u202f%; as made here"])
            self.assertEqual(console_errors(driver), [])

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

    def test_broken_tiles_are_said(self):
        broken = made()
        tiles = broken["groups"][0]["tracks"][1]["tiles"]
        tiles[0] = {**tiles[0], "data": "AAAA"}
        tiles[1] = {**tiles[1], "count": 10**9}
        broken["groups"][0]["tracks"][0]["tiles"][0]["data"] = "no base64"
        page = self.folder / "broken.html"
        page.write_text(with_timeline(self.plain, broken))
        with browser() as driver:
            self.open(driver, page)
            driver.execute_script(TL + "view.fit();")
            WebDriverWait(driver, 5).until(lambda d: "3 parts could not be read" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)
            self.assertEqual(console_errors(driver), [])

    def test_any_bytes_are_a_tile_or_none(self):
        with browser() as driver:
            self.open(driver)
            faults, whole = driver.execute_script("""
                let seed = 18, faults = [], whole = 0;
                const random = below => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return seed % below; };
                for (let i = 0; i < 20000; i++) {
                    const bytes = Uint8Array.from({ length: random(60) }, () => random(3) ? random(128) : random(256)), cell_ps = random(2) * 1000, count = random(bytes.length / 4 + 2 | 0);
                    try {
                        const { at, start, end, till, name } = decodeTile({ from_ps: 0, cell_ps, count }, 1 + random(1000), bytes), size = at[at.length - 1];
                        if (![start, end, till, name].every(column => column.length === size) || size > count || !cell_ps && size !== count || ![...end].every((to, j) => to >= start[j])) faults.push([...bytes].join(" "));
                        whole++;
                    } catch (error) { if (!(error instanceof RangeError)) faults.push(String(error)); }
                    try {
                        const flow = decodeFlow({ count, tick_ps: 1 + random(1000) }, bytes), counter = decodeCounter({ count, cell_ps: 16, scale: 0.5 }, bytes);
                        if (![flow.fromStart, flow.toStart, flow.fromTrack, counter.start, counter.value].every(column => column.length === count) || ![...counter.start].every((at, j) => !j || at >= counter.start[j - 1])) faults.push([...bytes].join(" "));
                    } catch (error) { if (!(error instanceof RangeError)) faults.push(String(error)); }
                }
                return [faults.slice(0, 3), whole];""")
            self.assertEqual(faults, [])
            self.assertGreater(whole, 2000)
        noise = made()
        random.seed(5)
        for track_of in noise["groups"][0]["tracks"]:
            for tile in track_of["tiles"]:
                tile["data"] = packed([[random.randrange(2**random.choice([3, 9, 40])) for _ in range(200)] for _ in range(5)])
        noise["flows"] = [{**flow("launch", []), "count": 30, "data": packed([[random.randrange(2**random.choice([2, 50])) for _ in range(30)] for _ in range(6)])}]
        noise["groups"][0]["counters"] = [{**counter("c", "count", [(0, 1)], US, 1), "count": n, "data": packed([[random.randrange(2**20) for _ in range(30)] for _ in range(2)])} for n in (30, 31, 90)]
        page = self.folder / "noise.html"
        page.write_text(with_timeline(self.plain, noise))
        with browser() as driver:
            body = self.open(driver, page)
            body.click()
            driver.execute_script(TL + "tl.showFlows(true);")
            self.keys(driver, "f", Keys.ENTER, Keys.ARROW_DOWN, "+", "+", "d")
            self.assertEqual(console_errors(driver), [])

    def test_the_step_field_shows_a_long_number(self):
        marks = [{"label": str(120340 + n), "from_ps": n * 100 * US, "to_ps": (n + 1) * 100 * US} for n in range(10)]
        page = self.folder / "steps.html"
        page.write_text(with_timeline(self.plain, {**made(), "marks": marks}))
        for width in (390, 1280):
            with browser(width, 844) as driver:
                self.open(driver, page)
                WebDriverWait(driver, 5).until(lambda d: d.execute_script("return document.querySelector('.tl-step input').value !== ''"))
                value, scroll, client = driver.execute_script("const field = document.querySelector('.tl-step input'); return [field.value, field.scrollWidth, field.clientWidth];")
                self.assertIn(value, [mark["label"] for mark in marks])
                self.assertLessEqual(scroll, client)

    def test_the_map_shows_each_group_by_its_busiest_track(self):
        """Each works for a fifth of the time; of the first group, the track that stands first has one short event."""
        groups = [{"name": f"GPU:{n}", "tracks": [
            track("few", "stream", [Event(990 * US, US, 1)], 1000 * US),
            track("many", "stream", [Event((n * 200 + i * 20) * US, 20 * US, 1) for i in range(10)], 1000 * US)]} for n in range(3)]
        page = self.folder / "map.html"
        page.write_text(with_timeline(self.plain, block(groups, NAMES, 1000 * US)))
        with browser() as driver:
            self.open(driver, page)
            self.settle(driver)
            lanes = driver.execute_script(TL + """const { width } = tl.map, pen = tl.map.getContext("2d"), dpr = view.dpr;
                const plain = [...pen.getImageData(Math.round(0.8 * width), 20 * dpr, 1, 1).data].join();
                return [0, 1, 2].map(lane => [0.11, 0.31, 0.51, 0.71].map(x => [...pen.getImageData(Math.round(x * width), Math.round((12 + 6 * lane + 2) * dpr), 1, 1).data].join() !== plain));""")
            self.assertEqual(lanes, [[True, False, False, False], [False, True, False, False], [False, False, True, False]])
            self.assertEqual(console_errors(driver), [])

    def test_touch(self):
        with browser(390, 844) as driver:
            self.open(driver)
            driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
            driver.execute_script(TL + f"tl.setTool('pan'); view.set({200 * US}, {400 * US}); document.querySelector('.tl-scroll').scrollIntoView({{ block: 'center' }});")
            left, top = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [box.left, box.top + 60];")
            def touch(kind, *points):
                driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left + x, "y": top, "id": i} for i, x in enumerate(points)]})
            touch("touchStart", 100)
            for x in (90, 70, 50):
                touch("touchMove", x)
            touch("touchEnd")
            panned = self.window(driver)
            self.assertGreater(panned[0], 210)
            self.assertAlmostEqual(panned[1] - panned[0], 200, 3)
            touch("touchStart", 100, 140)
            for apart in (10, 20, 40):
                touch("touchMove", 100 - apart, 140 + apart)
            touch("touchEnd")
            low, high = self.window(driver)
            self.assertAlmostEqual(high - low, 200 * 40 / 120, 0)
            self.assertTrue(panned[0] < low < high < panned[1])

    def test_paper_has_the_drawing(self):
        with browser() as driver:
            self.open(driver)
            shown = 'return [".tl", "[id=\'timeline/view\'] > .plot"].map(s => getComputedStyle(document.querySelector(s)).display !== "none");'
            self.assertEqual(driver.execute_script(shown), [True, False])
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            self.assertEqual(driver.execute_script(shown), [False, True])

    def test_the_wheel_scrolls_the_page_until_the_rows_are_pressed(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script("window.scrollTo(0, 0); document.querySelector('.tl-scroll').scrollIntoView({ block: 'center' }); document.activeElement.blur();")
            before, x, y = driver.execute_script(TL + "const box = tl.body.getBoundingClientRect(); return [view.span(), box.left + 50, box.top + 50];")
            def wheel(**more):
                driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -60, **more})
            wheel()
            self.assertEqual(driver.execute_script(TL + "return view.span();"), before)
            wheel(modifiers=2)
            WebDriverWait(driver, 5).until(lambda d: d.execute_script(TL + "return view.span();") < before)

    def test_a_new_size_is_no_black_frame(self):
        with browser() as driver:
            self.open(driver)
            black = driver.execute_async_script(TL + """
                const done = arguments[arguments.length - 1], before = tl.body.width;
                const look = () => new ResizeObserver((_, own) => {
                    own.disconnect();
                    if (tl.body.width === before) return requestAnimationFrame(look);
                    const seen = document.createElement("canvas").getContext("2d");
                    seen.drawImage(tl.body, 0, 0);
                    done([...seen.getImageData(10, 10, 1, 1).data].slice(0, 3).join(" "));
                }).observe(tl.plot);
                look();
                Object.assign(document.querySelector("figure.tl-live").style, { minWidth: 0, width: "700px" });""")
            self.assertNotEqual(black, "0 0 0")

    def test_dark_colours_and_a_phone(self):
        with browser(dark=True) as driver:
            self.open(driver)
            driver.execute_script(TL + f"view.set(0, {200 * US});")
            self.settle(driver)
            self.assertEqual(driver.execute_script(PIXELS, 2, 1)[5], "20 23 26")
        with browser(390, 844) as driver:
            self.open(driver)
            self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), 390)
            self.assertGreater(driver.execute_script(TL + "return view.width"), 200)


if __name__ == "__main__":
    unittest.main()
