"""The timeline of real reports: what the page decodes is what the profile holds, event for event, and so are sums of a range."""

import collections
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import perfetto_wire
import plain_trace_maker
import plain_traces
import trace_writer
from perfetto_wire import message, one
from xspace_reader import read_xspace, varint

try:
    from browser import browser, console_errors
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError as missing:
    print(f"no selenium: {missing}")
    sys.exit(77)

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ["TPREPORT_SOURCE"], "examples")
TL = 'const tl = document.querySelector("figure.tl-live").timeline, view = tl.view; '
ALL_EVENTS = """const tl = document.getElementById(arguments[0]).timeline, done = arguments[1], wait = () => {
    for (const track of tl.store.tracks) track.full.forEach(tile => tl.store.want(tile));
    if (tl.store.waiting) return setTimeout(wait, 20);
    done(tl.store.tracks.map(track => [track.name, track.full.flatMap(({ got }) => [...got.start].map((start, i) => [start, got.end[i] - start, tl.names[got.name[i]].name]))]));
}; wait();"""


# Derived from operations where the profile does not hold them: tests/agreement/test_timeline.py.
DERIVED = ("Framework Ops", "Framework Name Scope", "Source code")

# A region of a thread pool lasts until the event that stops it: the reader makes one event of the two.
REGION = "ThreadpoolListener::StartRegion"


def of_spaces(path):
    """The lines of all planes, each as (start, length, name) of its events, in ps."""
    planes = [plane for file in sorted(path.rglob("*.xplane.pb")) for plane in read_xspace(file)[0]]
    return [[(e.start, e.end - e.start, e.op.label) for e in line.events] for plane in planes for line in plane.lines if line.events]


def of_traces(path):
    lines = collections.defaultdict(list)
    for file in sorted(path.rglob("*.json.gz")):
        for e in json.loads(gzip.decompress(file.read_bytes()), parse_float=decimal.Decimal)["traceEvents"]:
            if e.get("ph") == "X" and "pid" in e and e.get("cat") != "Trace":
                lines[file.name, e["pid"], e["tid"]].append((int(e["ts"] * 10**6), int(e.get("dur", 0) * 10**6), e["name"]))
    return list(lines.values())


def from_first(lines):
    """As multisets, times from the first of all."""
    first = min(event[0] for line in lines for event in line)
    return collections.Counter(frozenset(collections.Counter((start - first, 0 if name == REGION else length, name) for start, length, name in line).items()) for line in lines)


def sums_of(line, low, high):
    """By name: events that begin or last in [low, high), their time there, and that less what is nested. Events of a thread nest."""
    sums, stack = {}, []
    for start, length, name in sorted(line, key=lambda e: (e[0], -e[1])):
        end = start + length
        if not (start < high and (end > low or start >= low)):
            continue
        time = max(0, min(end, high) - max(start, low))
        while stack and stack[-1][0] < end:
            stack.pop()
        own = sums.setdefault(name, [0, 0, 0])
        own[0], own[1], own[2] = own[0] + 1, own[1] + time, own[2] + time
        if stack:
            sums[stack[-1][1]][2] -= time
        stack.append((end, name))
    return sums


def of_message(data):
    """Of tensorflow.profiler.Trace, as a *.trace file holds it."""
    lines = collections.defaultdict(list)
    for e in map(message, message(data)[4]):
        lines[one(e, 1, 0), one(e, 2, 0)].append((one(e, 9, 0), one(e, 10, 0), one(e, 3, b"").decode()))
    return list(lines.values())


def numbers(values):
    """Of a repeated field, packed or not."""
    for value in values:
        at = 0
        while isinstance(value, bytes) and at < len(value):
            number, at = varint(value, at)
            yield number
        if not isinstance(value, bytes):
            yield value


def of_dump(data):
    """Runs of nodes of a ProfileProto of tfprof, by the device's name and whether they are of the map for CPUs."""
    lines = collections.defaultdict(list)
    for entry in map(message, message(data)[1]):
        node = message(one(entry, 2))
        for step in map(message, node[12]):
            run = message(one(step, 2, b""))
            for device, field in ((device, field) for field in (4, 5) for device in map(message, run[field])):
                for pair in map(message, message(one(device, 2, b""))[1]):
                    start, length = numbers(pair[1])
                    lines[one(device, 1), field].append((start * 10**6, length * 10**6, one(node, 1).decode()))
    return list(lines.values())


def page_of(driver, name, folder):
    page_at(driver, EXAMPLES / name / "input", folder)


def page_at(driver, path, folder, figure="timeline/view"):
    page = Path(folder, "r.html")
    subprocess.run([TPREPORT, "-q", path, "-o", page], check=True)
    driver.get("about:blank")
    driver.get(page.as_uri() + "#" + figure)
    WebDriverWait(driver, 20).until(lambda d: d.execute_script('const live = document.getElementById(arguments[0]); return live && live.timeline && live.timeline.view.isComplete();', figure))


def tracks_of(driver, figure="timeline/view"):
    return driver.execute_async_script(ALL_EVENTS, figure)


class TimelinePages(unittest.TestCase):
    def check(self, name, wanted):
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            page_of(driver, name, folder)
            tracks = [events if track not in DERIVED else [] for track, events in tracks_of(driver)]
            self.check_events(wanted, tracks)
            self.check_sums(driver, wanted, tracks)
            self.assertEqual(console_errors(driver), [])

    def check_events(self, wanted, tracks):
        wanted, found = from_first(wanted), from_first([events for events in tracks if events])
        self.assertEqual((sum((wanted - found).values()), sum((found - wanted).values())), (0, 0), "lines of the input, tracks of the page")

    def check_sums(self, driver, wanted, tracks):
        """Over the middle half of the line with the most events."""
        first = min(e[0] for events in wanted for e in events)
        line = max((events for events in wanted if REGION not in {e[2] for e in events}), key=len)
        line = [(start - first, length, name) for start, length, name in line]
        starts = sorted(e[0] for e in line)
        low, high = starts[len(starts) // 4] + 1, starts[len(starts) * 3 // 4] + 1
        number = [frozenset(map(tuple, events)) for events in tracks].index(frozenset(line))
        driver.execute_script(TL + "tl.setRange({ from: arguments[0], to: arguments[1], track: tl.store.tracks[arguments[2]] });", low, high, number)
        WebDriverWait(driver, 10).until(lambda d: d.execute_script(TL + "const { rows, missing } = tl.rangeRows(); return rows.length && !missing;"))
        found = dict(driver.execute_script(TL + "return tl.rangeRows().rows.map(r => [tl.names[r.name].name, [r.count, r.total, r.self]]);"))
        self.assertEqual(found, sums_of(line, low, high))

    def test_from_an_operation_to_its_events_and_back(self):
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            page = Path(folder, "r.html")
            subprocess.run([TPREPORT, "-q", EXAMPLES / "jax_cnn/input", "-o", page], check=True)
            driver.get(page.as_uri())
            name = driver.execute_script("""fillWithin(document.body);
                const link = document.querySelector("tbody a[href*='operations/card/']"), name = link.textContent;
                link.click();
                [...link.closest("tr").nextElementSibling.querySelectorAll("a")].find(a => a.textContent === "In the timeline").click();
                return name;""")
            event = WebDriverWait(driver, 20, ignored_exceptions=(Exception,)).until(lambda d: d.find_element(By.CSS_SELECTOR, ".tl-event h4 bdi"))
            self.assertEqual(event.text, name)
            driver.find_element(By.LINK_TEXT, "its row among the operations").click()
            row = driver.execute_script("return document.getElementById(decodeURIComponent(location.hash.slice(1)))")
            self.assertEqual((row.tag_name, name in row.text), ("tr", True))
            driver.find_element(By.LINK_TEXT, "its card").click()
            card = driver.execute_script("return document.getElementById(decodeURIComponent(location.hash.slice(1)))")
            self.assertIn("operations/card/", card.get_attribute("id"))
            self.assertTrue(card.find_element(By.CSS_SELECTOR, "table").is_displayed())
            self.assertIn(name, card.find_element(By.CSS_SELECTOR, "caption").text)
            self.assertEqual(console_errors(driver), [])

    def test_findings_steps_and_memory_lead_to_their_place_and_back(self):
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            page = Path(folder, "r.html")
            subprocess.run([TPREPORT, "-q", EXAMPLES / "tf_slow_input/input", "-o", page], check=True)
            driver.get(page.as_uri())
            live = 'const live = document.querySelector("figure.tl-live"); return live && live.timeline && live.timeline.view.isComplete();'
            driver.execute_script('document.getElementById("TPR-INPUT-001").querySelector("a[href*=\'timeline/view?f=\']").click();')
            WebDriverWait(driver, 20).until(lambda d: d.execute_script(live))
            found = driver.execute_script(TL + 'const f = tl.findings.find(one => one.finding === "TPR-INPUT-001"); return [f, view.from, view.to(), tl.measured && tl.measured.from];')
            self.assertTrue(found[1] < found[0]["from_ps"] < found[0]["to_ps"] < found[2] and found[3] == found[0]["from_ps"], found)
            # What is there is an event of the input's class: the longest wait of the slowest step.
            name = driver.execute_script(TL + "let name = ''; for (const track of tl.store.tracks) for (let lane = 0; lane < track.lanes; lane++) { const { event } = tl.pick.starting(track, lane, arguments[0]); if (event && event.end === arguments[1]) name = tl.names[event.name]; } return name;", found[0]["from_ps"], found[0]["to_ps"])
            self.assertEqual(name["hue"], "input")
            driver.execute_script('document.getElementById("memory-over-time").querySelector("a[href*=\'timeline/view?f=\']").click();')
            peak = WebDriverWait(driver, 10).until(lambda d: d.execute_script(TL + 'const f = tl.findings.find(one => one.finding === "memory-over-time"); return view.from < f.from_ps && view.to() > f.from_ps && view.span() < 1e9 && f;'))
            top = driver.execute_script(TL + "const { got, top } = tl.groups.flatMap(g => g.counters || []).find(c => c.name.startsWith('Memory')); return [counterAt({ got }, arguments[0]), top];", peak["from_ps"])
            self.assertEqual(*top)
            driver.execute_script('const strip = [...document.querySelectorAll("#summary\\\\/step > header > .aside")][0]; theStep.choose("5"); strip.querySelector("a").click();')
            window = driver.execute_script(TL + 'const mark = tl.marks.find(m => m.label === "5"); return [view.from < mark.from_ps, view.to() > mark.to_ps, view.span() < 2 * (mark.to_ps - mark.from_ps)];')
            self.assertEqual(window, [True, True, True])
            self.assertEqual(console_errors(driver), [])

    def test_a_card_opens_where_there_is_no_timeline(self):
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            page = Path(folder, "r.html")
            subprocess.run([TPREPORT, "-q", EXAMPLES / "jax_cnn/input", "--timeline", "none", "-o", page], check=True)
            driver.get(page.as_uri())
            below = driver.execute_script("""fillWithin(document.body);
                const link = document.querySelector("tbody a[href*='operations/card/']");
                link.click();
                const row = link.closest("tr").nextElementSibling;
                return [row.className, row.textContent.includes("In the timeline")];""")
            self.assertEqual((below, console_errors(driver)), (["card", False], []))

    def test_other_readers(self):
        """A *.trace, a Chrome trace of any program and a Perfetto trace; nodes of a dump of tfprof."""
        space = next((EXAMPLES / "jax_cnn/input").rglob("*.xplane.pb"))
        plain = [e for e in plain_trace_maker.made() if len(str(e.get("name", ""))) < 1000]
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            perfetto = Path(folder, "x.perfetto-trace")
            subprocess.run([TPREPORT, "-q", EXAMPLES / "tf_slow_input/input", "-o", perfetto], check=True)
            dump = (EXAMPLES / "tf_graph/input/profile_40").read_bytes()
            files = {"vm.trace": trace_writer.as_message(space), "trace.json": json.dumps(plain, default=str).encode(),
                     "x.perfetto-trace": perfetto.read_bytes(), "profile_40": dump}
            wanted = {"vm.trace": of_message(files["vm.trace"]), "profile_40": of_dump(dump),
                      "trace.json": [[e[:3] for e in line] for line in plain_traces.Trace(plain_traces.load(files["trace.json"])).tracks.values()],
                      "x.perfetto-trace": [[(e.start * 1000, e.length * 1000, e.name) for e in line] for line in perfetto_wire.Trace(files["x.perfetto-trace"]).slices.values()]}
            for name, data in files.items():
                figure = "timeline/nodes-view" if name == "profile_40" else "timeline/view"
                path = Path(folder, "of " + name, name)
                path.parent.mkdir()
                path.write_bytes(data)
                with self.subTest(name):
                    page_at(driver, path, folder, figure)
                    tracks = [[(start, length, "" if label == "(no name)" else label) for start, length, label in events] for _, events in tracks_of(driver, figure)]
                    if name == "x.perfetto-trace":  # findings that overlap are tracks of one name
                        wanted[name], tracks = [sum(wanted[name], [])], [sum(tracks, [])]
                    self.check_events(wanted[name], tracks)
                    self.assertEqual(console_errors(driver), [])

    def test_the_whole_run(self):
        """Sessions that the profile logger marked, steps and gaps, checkpoints and evaluations; the timeline of the profile stays as it is."""
        sys.path.insert(0, str(EXAMPLES / "estimator_job"))
        import make
        tags = {"training": "train", "evaluation": "eval", "prediction": "predict", "init-system": "init_system", "model-fn": "model_fn", "setup-infeed": "setup_infeed"}
        with tempfile.TemporaryDirectory() as folder, browser(1440, 1000) as driver:
            page_at(driver, EXAMPLES / "estimator_job/input", folder, "timeline/job-view")
            tracks = [(name, [(start / 1e12, length / 1e12, label) for start, length, label in events]) for name, events in tracks_of(driver, "timeline/job-view")]
            found = dict(reversed(tracks))  # of two runs the first
            for name, tag in tags.items():
                self.assertEqual([e[0] for e in found[name]], [at for at, mark in make.MARKS if mark == tag + "_begin"], name)
            self.assertEqual([e[:2] for e in found["training"]], [(0, 285), (320, 406), (790, 431)])
            self.assertEqual(found["checkpoints"], [(at, 0, f"checkpoint at step {step}") for step, at in ((300, 211), (1000, 724), (1800, 1221))])
            self.assertEqual(found["evaluations"], [(at, 0, f"evaluation at step {step}") for step, at in make.EVALUATIONS])
            self.assertEqual(found["capture"], [(make.PROFILE_AT, 1, "the profile was taken")])
            sums = collections.Counter()
            for _, length, label in found["steps and gaps"]:
                sums[label] += length
            self.assertEqual({key: sums.pop(label) for key, label in (("steps", "steps"), ("again", "steps repeated after a restart"), ("restart", "restarts"), ("eval", "evaluation"))},
                             {key: make.ANSWERS[f"events.{key}_s"] for key in ("steps", "again", "restart", "eval")})
            self.assertFalse(sums)
            # Its address is its own, and that of the profile leads to the profile's.
            driver.find_element(By.CSS_SELECTOR, "[id='timeline/job-view'] .tl-scroll").click()
            ActionChains(driver).send_keys("w").perform()
            WebDriverWait(driver, 5).until(lambda d: "#timeline/job-view?t=" in d.current_url)
            driver.execute_script("location.hash = '#timeline/view?t=0..1000000000';")
            WebDriverWait(driver, 20).until(lambda d: d.execute_script("const { timeline } = document.getElementById('timeline/view'); return timeline && Math.abs(timeline.view.to() - 1e9) < 1;"))
            self.assertEqual(len(dict(tracks_of(driver))["XLA Ops"]), 6)
            self.assertEqual(console_errors(driver), [])

    def test_jax(self):
        self.check("jax_cnn", of_spaces(EXAMPLES / "jax_cnn/input"))

    def test_tpu(self):
        self.check("tpu_two_hosts", of_spaces(EXAMPLES / "tpu_two_hosts/input"))

    def test_torch(self):
        self.check("torch_ddp", of_traces(EXAMPLES / "torch_ddp/input"))


if __name__ == "__main__":
    unittest.main()
