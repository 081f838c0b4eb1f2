"""What -o x.perfetto-trace and -o x.trace.json.gz say beside events: arrows as the page draws them (which other tests hold against the
input), arguments as the input has them, and findings at the places that the page leads to. Read with second readers."""

import collections
import gzip
import json
import os
import subprocess
import tempfile
from pathlib import Path

import perfetto_wire
import plain_traces
from pod_writer import MS, core, program
from timeline_tiles import arguments, arrows, timeline_of
from truth import Check
from xspace_writer import Plane, xspace

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ["TPREPORT_SOURCE"], "examples")
OURS = "tpreport"
KINDS = ("launch", "backward", "handed on", "asynchronous", "send", "infeed")
check = Check()


class Written:
    def __init__(self, path, folder):
        report, perfetto, chrome = (Path(folder, name) for name in ("r.json", "x.perfetto-trace", "x.trace.json.gz"))
        subprocess.run([TPREPORT, "-q", path, "-o", report, "-o", perfetto, "-o", chrome], check=True)
        self.report = json.loads(report.read_text(encoding="utf-8"))
        self.timeline = timeline_of(self.report)
        self.perfetto, self.chrome = perfetto_wire.Trace(perfetto.read_bytes()), plain_traces.read(chrome)
        self.entries = json.loads(gzip.decompress(chrome.read_bytes()))["traceEvents"]
        self.begin = min(e.start for on, of in self.chrome.tracks.items() if on[0] != OURS for e in of)

    def called(self):
        """Of each event that has arguments: start in ns of the run's clock, name, arguments."""
        chrome = collections.Counter((plain_traces.ps(e["ts"]) // 1000, e["name"], tuple(sorted(e["args"].items())))
                                     for e in self.entries if e["ph"] in "Xi" and "args" in e)
        perfetto = collections.Counter((s.start, s.name, tuple(sorted(s.arguments.items())))
                                       for on, of in self.perfetto.slices.items() if on[0] != OURS for s in of if s.arguments)
        return chrome, perfetto


def drawn(w):
    """The page's arrows by starts: each is one of the files, too, also where several lead from one event."""
    return collections.Counter((a[2], b[2]) for kind in KINDS for a, b in arrows(w.timeline, kind))


def same_arrows(w, exactly):
    page = drawn(w)
    found = collections.Counter((a[2] - w.begin, b[2] - w.begin) for a, b in w.chrome.arrows)
    check.true("the page has arrows", page)
    check.equal("arrows that the page alone has", page - found, collections.Counter())
    if exactly:
        check.equal("arrows that the file alone has", found - page, collections.Counter())


def same_findings(w):
    shown = [f for f in w.timeline.get("findings", ()) if f["finding"].startswith("TPR-")]
    is_open = {f["id"]: f["title"] for f in w.report["findings"] if f["status"] == "open"}
    whole = (w.begin, max(e.start + e.length for on, of in w.chrome.tracks.items() if on[0] != OURS for e in of))
    places = {f["finding"]: (w.begin + int(f["from_ps"]), w.begin + int(f["to_ps"])) for f in shown}
    wanted = sorted((title, *places.get(name, whole)) for name, title in is_open.items())
    found = sorted((e.name, e.start, e.start + e.length) for e in w.chrome.tracks[OURS, "Findings"])
    check.equal("findings", found, wanted)
    check.equal("findings of both", sorted((s.name, s.start, s.start + s.length) for s in w.perfetto.slices[OURS, "Findings"]),
                sorted((name, a // 1000, b // 1000) for name, a, b in found))
    return len(places)


def shapes(w, path):
    """Input Dims of every operator, as the trace has them."""
    wanted = collections.Counter()
    for file in sorted(path.rglob("*.json*")):
        for e in plain_traces.load(file.read_bytes()):
            dims = e.get("args", {}).get("Input Dims") if e.get("ph") == "X" else None
            if dims:
                wanted[e["name"], json.dumps(dims, default=int, separators=(",", ":"))] += 1
    found = collections.Counter((e["name"], e["args"]["Input Dims"]) for e in w.entries if "Input Dims" in e.get("args", {}))
    check.true("there are shapes", wanted)
    check.equal("shapes", found, wanted)


def step_numbers(w):
    """Of each step's annotation, as the page says it."""
    wanted = {(start, name, int(text.split(" · ")[0].removeprefix("step "))) for g in w.timeline["groups"] for t in g["tracks"]
              for start, name, text in arguments(w.timeline, t) if text.startswith("step ")}
    found = {(plain_traces.ps(e["ts"]) - w.begin, e["name"], e["args"]["step_num"]) for e in w.entries if "step_num" in e.get("args", {})}
    check.true("there are steps", wanted)
    check.equal("numbers of steps", found, wanted)


def transfers():
    """Two cores of one host, by hand: in each of two steps core 0 sends over a channel what core 1 receives, and the host feeds both."""
    check.part("sends and infeeds")
    steps, fusion = [("1", 0, 100), ("2", 100, 200)], "loop fusion"
    sender = core(0, steps, [e for at in (0, 100) for e in (("infeed.1", "infeed", at + 2, at + 4), ("fusion.1", fusion, at + 4, at + 9), ("send.7", "send", at + 10, at + 11))])
    receiver = core(1, steps, [e for at in (0, 100) for e in (("infeed.1", "infeed", at + 3, at + 5), ("recv-done.7", "recv-done", at + 12, at + 14), ("fusion.1", fusion, at + 14, at + 20))])
    host = Plane("/host:CPU")
    line = host.line("main/1")
    for at in (1, 101):
        line.event("InfeedEnqueueTuple", at * MS, MS)
    with tempfile.TemporaryDirectory() as scratch:
        logs = Path(scratch, "logs/plugins/profile/run")
        logs.mkdir(parents=True)
        (logs / "h.xplane.pb").write_bytes(xspace(sender, receiver, host, program("{{0,1}}"), hosts=["h"]))
        w = Written(Path(scratch, "logs"), scratch)
    wanted = {"send": {(at + 10, at + 12) for at in (0, 100)}, "infeed": {(at + 1, at + to) for at in (0, 100) for to in (2, 3)}}
    for kind, pairs in wanted.items():
        check.equal(kind, sorted((a[2] / MS, b[2] / MS) for a, b in arrows(w.timeline, kind)), sorted(pairs))
    same_arrows(w, True)
    both = sum(map(len, wanted.values()))
    check.equal("arrows", (len(w.chrome.arrows), len(w.perfetto.arrows)), (both, both))


placed = 0
for example, exactly, more in (("torch_serving", True, None), ("torch_dataloader", True, shapes), ("torch_ddp", True, shapes), ("jax_cnn", True, step_numbers),
                               ("tpu_two_hosts", True, None), ("tf_slow_input", False, None)):
    check.part(example)
    with tempfile.TemporaryDirectory() as scratch:
        w = Written(EXAMPLES / example / "input", scratch)
    same_arrows(w, exactly)
    placed += same_findings(w)
    check.equal("arguments of both", *w.called())
    if more is shapes:
        shapes(w, EXAMPLES / example / "input")
    elif more:
        more(w)
transfers()
check.true("findings have places", placed > 3)
check.end()
