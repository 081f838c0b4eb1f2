"""What the timeline in a page draws: bars, counters, the map, closed groups; in the dark, on a phone, on paper."""

import unittest

from timeline_maker import Event, block, event_tile, track
from timeline_page import NAMES, PIXELS, TL, US, By, TimelinePage, WebDriverWait, browser, console_errors


class Drawn(TimelinePage):
    def test_groups_are_open_that_have_events_in_the_window(self):
        """Two captures, one after the other, of alike devices: the drawn step is in the second."""
        def captured(low):
            events = [Event(low + n * US, US // 2, 1) for n in range(50)]
            return {**track("stream 7", "stream", events, low + 60 * US), "tiles": [event_tile(events, low, low + 60 * US, 1)]}
        low, high = 90000 * US, 90060 * US
        groups = [{"name": f"{kind} {n}", "tracks": [captured(at)]} for kind in ("GPU", "Threads") for n, at in enumerate((0, low))]
        marks = [{"label": str(n), "from_ps": at, "to_ps": at + 50 * US} for n, at in enumerate((0, low))]
        page = self.write(block(groups, NAMES, high, marks, windows=[{"label": "Step 1", "note": "", "from_ps": low, "length": 0.05, "bars": []}]))
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

    def test_threads_without_an_event_in_a_step_are_one_row(self):
        """As soon as the window holds events of one of them, or the row is pressed, it has a row of its own."""
        whole = 1000 * US
        page = self.write(block([{"name": "Host threads", "tracks": [
            track("main", "thread", [Event(0, whole, 1)], whole),
            track("a", "thread", [Event(600 * US, US, 1)], whole), track("b", "thread", [Event(0, US, 1), Event(900 * US, US, 1)], whole)]}], NAMES, whole))
        names = "return [...document.querySelectorAll('.tl-name')].map(row => row.textContent);"
        with browser() as driver:
            self.open(driver, page, f"#timeline/view?t={400 * US}..{500 * US}")
            self.assertEqual(driver.execute_script(names), ["Host threads", "main", "2 threadsno event here"])
            driver.execute_script(TL + f"view.move({510 * US});")
            WebDriverWait(driver, 5).until(lambda d: "a" in d.execute_script(names))
            self.assertEqual(driver.execute_script(names), ["Host threads", "main", "a", "1 threadno event here"])
            driver.find_element(By.XPATH, "//button[text()='1 thread']").click()
            self.assertEqual(driver.execute_script(names), ["Host threads", "main", "a", "b"])

    def test_a_closed_device_shows_each_of_its_streams(self):
        kernels, sends = [Event(n * 10 * US, 4 * US, 1) for n in range(10)], [Event(45 * US, 30 * US, 2)]
        few = [[Event(80 * US + n * US, US, 4)] for n in range(4)]
        tracks = [track("stream 7", "stream", kernels, 100 * US), track("stream 24", "stream", sends, 100 * US)]
        many = [*tracks, *(track(f"stream {30 + n}", "stream", events, 100 * US) for n, events in enumerate(few))]
        groups = [{"name": "GPU 0", "tracks": tracks}, {"name": "GPU 1", "tracks": tracks}, {"name": "GPU 2", "tracks": many}]
        page = self.write(block(groups, NAMES, 100 * US))
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

    def test_a_closed_thread_shows_what_runs_and_an_open_one_functions_too(self):
        """Lanes of functions of Python stand below those of steps and operators, which alone are drawn of a thread that is not opened."""
        events = [Event(0, 90 * US, 0), Event(10 * US, 20 * US, 1, 1), *(Event(n * US, (98 - n) * US, 5, 2 + n) for n in range(7))]
        thread = {**track("main", "thread", events, 100 * US), "upper_lanes": 2}
        page = self.write(block([{"name": "Host", "tracks": [thread]}], NAMES, 100 * US))
        with browser() as driver:
            self.open(driver, page)
            lanes = TL + "return tl.rows.rowOf(tl.store.tracks[0]).lanes;"
            self.assertEqual(driver.execute_script(lanes), 2)
            driver.find_element(By.CSS_SELECTOR, ".tl-name:not(.tl-group) button[aria-expanded=false]").click()
            self.settle(driver)
            self.assertEqual(driver.execute_script(lanes), 9)
            driver.execute_script("document.querySelector('.tl-name:not(.tl-group) button').click();")
            self.settle(driver)
            # A match in a function opens it.
            driver.execute_script(TL + f"tl.select(tl.pick.starting(tl.store.tracks[0], 4, {2 * US}).event);")
            self.assertEqual(driver.execute_script(lanes), 9)
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

    def test_a_column_of_pixels_is_as_high_as_events_cover_of_it(self):
        """Events of many short pauses fill no row: half of the time is half of the height, and what covers little is still seen."""
        few, many = ([Event(n * US // 50, length * US // 500, 1) for n in range(50000)] for length in (1, 5))
        page = self.write(block([{"name": "GPU 0", "tracks": [track("stream 7", "stream", few, 1000 * US), track("stream 8", "stream", many, 1000 * US)]}], NAMES, 1000 * US))
        with browser() as driver:
            self.open(driver, page)
            self.settle(driver)
            heights = driver.execute_script(TL + """const pen = tl.body.getContext("2d"), x = Math.round(view.width * 0.47);
                return tl.rows.list.filter(row => row.track).map(row => {
                    const { y, height } = view.laneBox(row, 0), { data } = pen.getImageData(x, y, 1, height);
                    let lit = 0;
                    for (let i = 0; i < data.length; i += 4) lit += Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 30;
                    return [lit, height];
                });""")
            self.assertEqual([lit for lit, _ in heights], [3, round(heights[1][1] / 2)])

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

    def test_the_map_shows_all_phases(self):
        """Of a group without a main track the map has each: the longest bar is there, though others have more events."""
        train, setup = [Event(0, 600 * US, 1, 0)], [Event(n * 300 * US, 2 * US, 2, 0) for n in range(3)]
        page = self.write(block([{"name": "Run", "tracks": [track("training", "phase", train, 1000 * US), track("set-up", "phase", setup, 1000 * US)]}], NAMES, 1000 * US))
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

    def test_the_map_shows_each_group_by_its_busiest_track(self):
        """Each works for a fifth of the time; of the first group, the track that stands first has one short event."""
        groups = [{"name": f"GPU:{n}", "tracks": [
            track("few", "stream", [Event(990 * US, US, 1)], 1000 * US),
            track("many", "stream", [Event((n * 200 + i * 20) * US, 20 * US, 1) for i in range(10)], 1000 * US)]} for n in range(3)]
        page = self.write(block(groups, NAMES, 1000 * US))
        with browser() as driver:
            self.open(driver, page)
            self.settle(driver)
            lanes = driver.execute_script(TL + """const { width } = tl.map, pen = tl.map.getContext("2d"), dpr = view.dpr;
                const plain = [...pen.getImageData(Math.round(0.8 * width), 20 * dpr, 1, 1).data].join();
                return [0, 1, 2].map(lane => [0.11, 0.31, 0.51, 0.71].map(x => [...pen.getImageData(Math.round(x * width), Math.round((12 + 6 * lane + 2) * dpr), 1, 1).data].join() !== plain));""")
            self.assertEqual(lanes, [[True, False, False, False], [False, True, False, False], [False, False, True, False]])
            self.assertEqual(console_errors(driver), [])

    def test_the_map_shows_what_runs_in_steps_and_calls(self):
        """Of what is around other events the map shows only what nothing else covers: a step, in it a call of the host, in that a copy."""
        names = [{"name": "step"}, {"name": "call", "hue": "host"}, {"name": "copy", "hue": "memory"}]
        thread = track("main", "thread", [Event(0, 900 * US, 0), Event(200 * US, 600 * US, 1, 1), Event(400 * US, 200 * US, 2, 2)], 1000 * US)
        page = self.write(block([{"name": "Host", "tracks": [{**thread, "upper_lanes": 3}]}], names, 1000 * US))
        with browser() as driver:
            self.open(driver, page)
            self.settle(driver)
            seen, fills = driver.execute_script(TL + """const { width } = tl.map, pen = tl.map.getContext("2d"), dot = document.createElement("canvas").getContext("2d");
                const rgb = fill => { dot.fillStyle = fill; dot.fillRect(0, 0, 1, 1); return [...dot.getImageData(0, 0, 1, 1).data.slice(0, 3)].join(" "); };
                return [[0.1, 0.3, 0.5, 0.7, 0.85, 0.95].map(x => [...pen.getImageData(Math.round(x * width), Math.round(20 * view.dpr), 1, 1).data.slice(0, 3)].join(" ")),
                    [0, 1, 2].map(name => rgb(tl.look.shades(name).fill)).concat(rgb(tl.look.paper))];""")
            self.assertEqual(len(set(fills)), 4)
            self.assertEqual(seen, [fills[name] for name in (0, 1, 2, 1, 0, 3)])

    def test_steps_are_named_below_the_axis(self):
        """With how long each took where there is room, by number alone where there is less, and not at all where steps are a few pixels."""
        texts = TL + """const done = arguments[2], pen = tl.head.getContext("2d"), said = new Set();
            pen.fillText = function (text, x, y) { if (y === 28 * view.dpr) said.add(text); CanvasRenderingContext2D.prototype.fillText.call(this, text, x, y); };
            view.set(arguments[0] * 1e6, arguments[1] * 1e6);
            setTimeout(() => { delete pen.fillText; done([...said]); }, 200);"""
        marks = [{"label": str(n), "from_ps": n * 100 * US, "to_ps": (n + 1) * 100 * US} for n in range(100)]
        page = self.write(block([{"name": "GPU 0", "tracks": [track("stream 7", "stream", [Event(n * 100 * US, 50 * US, 1) for n in range(100)], 10000 * US)]}], NAMES, 10000 * US, marks))
        with browser() as driver:
            self.open(driver, page)
            self.assertEqual(driver.execute_async_script(texts, 250, 450), ["step 2 · 100\u202fµs", "step 3 · 100\u202fµs", "step 4 · 100\u202fµs"])
            self.assertEqual(driver.execute_async_script(texts, 0, 2000), [str(n) for n in range(20)])
            self.assertEqual(driver.execute_async_script(texts, 0, 10000), [])

    def test_the_slowest_step_is_in_sight_first(self):
        with browser() as driver:
            self.open(driver)
            self.assertEqual(self.window(driver), [660, 840])

    def test_what_is_merged_is_said(self):
        with browser() as driver:
            self.open(driver)
            driver.execute_script(TL + "view.fit();")
            self.settle(driver)
            WebDriverWait(driver, 5).until(lambda d: "from its start on" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)
            text = driver.find_element(By.CSS_SELECTOR, ".tl-status").text
            self.assertIn("10 of 100 events in this window are shorter than a pixel", text)
            self.assertIn("200 events", text)
            driver.execute_script(TL + f"tl.rows.open[1] = true; tl.rows.lay(); view.set(0, {20 * US}); view.laidOut();")
            WebDriverWait(driver, 5).until(lambda d: "not kept in full" in d.find_element(By.CSS_SELECTOR, ".tl-status").text)

    def test_paper_has_the_drawing(self):
        with browser() as driver:
            self.open(driver)
            shown = 'return [".tl", "[id=\'timeline/view\'] > .plot"].map(s => getComputedStyle(document.querySelector(s)).display !== "none");'
            self.assertEqual(driver.execute_script(shown), [True, False])
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            self.assertEqual(driver.execute_script(shown), [False, True])

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
