"""What the timeline in a page decodes is what was put in, event for event; tiles that are broken are said."""

import random
import unittest

from timeline_maker import Event, block, counter, flow, packed, track
from timeline_page import HIGH, NAMES, PIXELS, TL, US, By, Keys, TimelinePage, WebDriverWait, browser, console_errors, made, nested

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


class Tiles(TimelinePage):
    def assert_same(self, got, wanted):
        """Of long lists what differs first; a difference of all of them takes minutes."""
        self.assertEqual([len(events) for events in got], [len(events) for events in wanted])
        for events, others in zip(got, wanted):
            self.assertEqual(next(((a, b) for a, b in zip(events, others) if a != b), None), None)

    def test_every_event_is_decoded_as_it_was(self):
        random.seed(18)
        odd = [Event(random.randrange(HIGH // 2**12) * 2**12, random.choice([0, 2**12, random.randrange(2**40) * 2**12]), random.randrange(6), random.randrange(40)) for _ in range(3000)]
        page = self.write(block([{"name": "G", "tracks": [track("T", "thread", odd, HIGH, tick=2**12, tile=HIGH // 7 // 2**12 * 2**12)]}], NAMES, HIGH))
        with browser() as driver:
            self.open(driver)
            steps, ops, others = nested()
            wanted = [sorted([e.start, e.end, e.name, e.lane] for e in events) for events in (steps, ops, others)]
            got = [sorted(events) for events in driver.execute_async_script(ALL_EVENTS)]
            self.assert_same(got, [*wanted, wanted[0], [], wanted[2]])
            self.open(driver, page)
            self.assert_same([sorted(driver.execute_async_script(ALL_EVENTS)[0])], [sorted([float(e.start), float(e.end), e.name, e.lane] for e in odd)])
            self.assertEqual(console_errors(driver), [])

    def test_events_that_last_into_what_is_kept_are_there(self):
        """Of a long track 300 to 600 µs are kept in full: an event of 200 to 800 µs goes on through them, one of 500 to 700 out of them."""
        short = [Event(n * 4 * US + 1, 2 * US, 1 + n % 2, 2) for n in range(250)]
        events = [Event(200 * US, 600 * US, 4), Event(500 * US, 200 * US, 5, 1), *short]
        one = track("T", "thread", events, 1000 * US, tile=100 * US, cells=[10 * US, 40 * US], kept=(300 * US, 600 * US))
        page = self.write(block([{"name": "G", "tracks": [one]}], NAMES, 1000 * US))
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

    def test_broken_tiles_are_said(self):
        broken = made()
        tiles = broken["groups"][0]["tracks"][1]["tiles"]
        tiles[0] = {**tiles[0], "data": "AAAA"}
        tiles[1] = {**tiles[1], "count": 10**9}
        broken["groups"][0]["tracks"][0]["tiles"][0]["data"] = "no base64"
        page = self.write(broken)
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
        page = self.write(noise)
        with browser() as driver:
            body = self.open(driver, page)
            body.click()
            driver.execute_script(TL + "tl.showFlows(true);")
            self.keys(driver, "f", Keys.ENTER, Keys.ARROW_DOWN, "+", "+", "d")
            self.assertEqual(console_errors(driver), [])


if __name__ == "__main__":
    unittest.main()
