"""A page with a timeline made by a test, opened in a browser; what its view tells; keys and a mouse for it. The usual one has ten
steps on two devices, with events in events and names that would break a page."""

import os

import sample_doc
from own_page import By, Keys, OwnPages, WebDriverWait, browser, console_errors
from timeline_maker import Event, block, counter, flow, track, with_timeline

__all__ = ["By", "Keys", "TimelinePage", "WebDriverWait", "browser", "console_errors"]

US = 1_000_000
HOSTILE = '</script><b onclick="x">\x01\u202eabc שלום ' + "n" * 10000
HIGH = 2**63
NAMES = [{"name": "step"}, {"name": "matmul", "hue": "compute", "more": "dense · net.py:3"}, {"name": "copy", "hue": "memory"},
         {"name": HOSTILE, "hue": "host"}, {"name": "wait", "hue": "input", "tint": 1}, {"name": "inner", "hue": "compute"}]
MARKS = [{"label": str(n), "from_ps": n * 100 * US, "to_ps": (n + 1) * 100 * US} for n in range(10)]

# The view, once all that it asked for is drawn.
TL = 'const tl = document.querySelector("figure.tl-live").timeline, view = tl.view; '
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


class TimelinePage(OwnPages):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = sample_doc.render("html").decode()
        cls.page = cls.write(made())

    @classmethod
    def write(cls, own):
        """A page with that timeline."""
        page = cls.folder / f"{len(os.listdir(cls.folder))}.html"
        page.write_text(with_timeline(cls.plain, own))
        return page

    def open(self, driver, page=None, address="#timeline/view"):
        """By itself the usual page; returns what the rows are drawn on."""
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

    def row(self, driver, number, lane=0):
        return driver.execute_script(TL + "const row = tl.rows.rowOf(tl.store.tracks[arguments[0]]); return row.y + row.top + (arguments[1] + 0.5) * row.pitch;", number, lane)

    def mouse(self, driver, kind, time, y, window=None, **more):
        left, top, width = driver.execute_script(TL + "tl.box.scrollIntoView(); const box = tl.body.getBoundingClientRect(); return [box.left, box.top, view.width];")
        low, high = window or self.window(driver)
        driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": left + (time - low) / (high - low) * width, "y": top + y, "button": "left", "buttons": 1, "clickCount": 1, **more})

    def with_more(self):
        """Two tracks with launches between them, arguments and two counters; a finding of the page, and one that it does not hold."""
        calls = [Event(n * 100 * US + 10 * US, 2 * US, 5, 0, 1 + n % 2) for n in range(10)]
        kernels = [Event(n * 100 * US + 30 * US, 40 * US, 1, 0, 3) for n in range(10)]
        groups = [{"name": "GPU:0", "tracks": [track("stream 7", "stream", kernels, 1000 * US)],
                   "counters": [counter("Busy", "share", [(3, 5), (7, 0), (13, 10), (17, 0)], 10 * US, 0.1), counter("Held", "bytes", [(0, 1), (50, 2)], 10 * US, 2**20)]},
                  {"name": "Host", "tracks": [track("main", "thread", calls, 1000 * US)]}]
        findings = [{"finding": "steps", "label": "1 copies", "from_ps": 130 * US, "to_ps": 170 * US}, {"finding": "nowhere", "label": "2 " + HOSTILE, "from_ps": 630 * US, "to_ps": 640 * US}]
        pairs = [((1, 0, c.start), (0, 0, k.start)) for c, k in zip(calls, kernels)]
        return self.write(block(groups, NAMES, 1000 * US, MARKS, findings, flows=[flow("launch", pairs), flow("backward", [(b, a) for a, b in pairs[:1]])],
                                arguments=[{"text": "shapes [[2]]"}, {"text": HOSTILE}, {"text": "grid 1 × 2 × 3"}]))
