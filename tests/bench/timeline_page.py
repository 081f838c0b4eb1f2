#!/usr/bin/env python3
"""How fast the timeline of a page with a million events is: until it answers, in a browser that is not traced, and while it is panned at
1920 px, by the browser's own tracing. Run: timeline_page.py TPREPORT [EVENTS]"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "support")]
from browser import LoopbackService
from selenium import webdriver

MAKE = Path(__file__).with_name("make_big_xplane.py")
# When the timeline first answers, and when all that is in sight is drawn; both at the end of a frame.
WATCH = """const next = requestAnimationFrame.bind(window), seen = window.seen = {};
window.requestAnimationFrame = call => next(time => {
    call(time);
    const live = document.querySelector("figure.tl-live"), tl = live && live.timeline;
    if (tl && !seen.used) seen.used = performance.now();
    if (tl && tl.view.isComplete() && !seen.complete) seen.complete = performance.now();
});"""


LOADS = 7


def driver(traced):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--remote-debugging-pipe"):
        options.add_argument(argument)
    if traced:
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        options.add_experimental_option("perfLoggingPrefs", {"traceCategories": "devtools.timeline,toplevel"})
    return webdriver.Chrome(service=LoopbackService("/usr/bin/chromedriver"), options=options)


def mouse(page, kind, x, y, **more):
    page.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, **more})


def pan(page):
    """Drags the rows to and fro, with the pan tool."""
    box = page.execute_script("""document.querySelector(".tl").scrollIntoView(); document.querySelector("figure.tl-live").timeline.setTool("pan");
        const { left, top, width, height } = document.querySelector(".tl-body").getBoundingClientRect(); return [left, top, width, height];""")
    y = box[1] + box[3] / 2
    for way in (1, -1, 1, -1):
        x = box[0] + box[2] / 2 - way * 400
        mouse(page, "mousePressed", x, y, clickCount=1)
        for _ in range(50):
            x += way * 16
            mouse(page, "mouseMoved", x, y)
        mouse(page, "mouseReleased", x, y, clickCount=1)


def tasks(page):
    """Of the time since "pan" was stamped: script of each frame, and every task of the main thread, in ms of its processor."""
    traced = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    events = [m["params"] for m in traced if m["method"] == "Tracing.dataCollected"]
    begin = max(e["ts"] for e in events if e.get("name") == "TimeStamp" and e["args"]["data"]["message"] == "pan")
    events = [e for e in events if e.get("ts", 0) >= begin and "dur" in e]
    main = {(e["pid"], e["tid"]) for e in events if e["name"] == "FireAnimationFrame"}
    def took(e):
        return e.get("tdur", e["dur"]) / 1000  # of the thread, so that other work on the machine does not count

    return [took(e) for e in events if e["name"] == "FireAnimationFrame"], [took(e) for e in events if e["name"].endswith("RunTask") and (e["pid"], e["tid"]) in main]


def tell(what, values):
    values = sorted(values)
    print(f"{what}: median {statistics.median(values):.1f} ms, 95th {values[int(len(values) * 0.95)]:.1f}, longest {values[-1]:.1f} ({len(values)})")


def opened(browser, page):
    """Loads the page: when it was first painted, when its timeline answered, and when all in sight was drawn, in ms."""
    browser.get("about:blank")
    browser.get(page.as_uri() + "#timeline/view")
    while not (seen := browser.execute_script("return seen.complete && seen")):
        time.sleep(0.1)
    paint = browser.execute_script('return performance.getEntriesByName("first-contentful-paint")[0].startTime')
    return paint, seen["used"], seen["complete"]


def prepare(browser):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1920, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})


def measure_loads(page):
    """In a browser that has opened a page before."""
    browser = driver(False)
    try:
        prepare(browser)
        opened(browser, page)
        times = list(zip(*(opened(browser, page) for _ in range(LOADS)), strict=True))
    finally:
        browser.quit()
    for what, values in zip(("first paint", "timeline answers", "all in sight is drawn"), times, strict=True):
        print(f"{what}: median {statistics.median(values):.0f} ms ({min(values):.0f} to {max(values):.0f}, {LOADS} loads)")


def measure(page, share):
    """With so much of the capture in sight, in a browser of its own, which is traced from its start."""
    browser = driver(True)
    try:
        prepare(browser)
        opened(browser, page)
        browser.execute_script("""const tl = document.querySelector("figure.tl-live").timeline, span = (tl.high - tl.low) * arguments[0];
            tl.view.set(tl.high / 2 - span / 2, tl.high / 2 + span / 2);""", share)
        time.sleep(1)
        browser.execute_script('console.timeStamp("pan")')
        pan(browser)
        time.sleep(0.3)
        frames, every = tasks(browser)
    finally:
        browser.quit()
    print(f"panned with {share * 100:g} % of the capture in sight")
    tell("  script a frame", frames)
    tell("  tasks above 1 ms", [t for t in every if t > 1] or [0])


def main(tpreport, events=1_000_000):
    for kind in ("jax-cpu", "tpu"):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "r.html")
            subprocess.run([sys.executable, MAKE, Path(folder, "logs"), "--kind", kind, "--events", str(events)], check=True, stdout=subprocess.DEVNULL)
            subprocess.run([tpreport, "-q", Path(folder, "logs"), "-o", page], check=True)
            print(f"{kind}: {page.stat().st_size / 1e6:.1f} MB")
            measure_loads(page)
            for share in (0.5, 0.1, 0.01, 0.0005):
                measure(page, share)


if __name__ == "__main__":
    main(*sys.argv[1:])
