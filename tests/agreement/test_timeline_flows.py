"""Arrows, counters and arguments of the timeline against what the input itself says: PyTorch writes the arrows from forward to backward
and from calls to kernels into its traces, which tpreport does not read; it works them out from sequence numbers and correlations."""

import collections
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timeline_tiles import arguments, arrows, counter, timeline_of
from torch_files import GPU, event, memory
from xspace_reader import read_xspace

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ["TPREPORT_SOURCE"], "examples")
DATA = Path(os.environ.get("TPREPORT_TEST_DATA", "/nowhere"))
faults = []


def must(holds, *what):
    if not holds:
        faults.append(" ".join(map(str, what)))


def timeline(path):
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "r.json")
        subprocess.run([TPREPORT, "-q", path, "-o", made], check=True)
        return timeline_of(json.loads(made.read_text(encoding="utf-8")))


def trace(path):
    file = next(f for f in sorted(path.rglob("*.json*")) if f.is_file())
    data = file.read_bytes()
    every = json.loads(gzip.decompress(data) if file.suffix == ".gz" else data, parse_float=decimal.Decimal)["traceEvents"]
    whole = [e for e in every if e.get("ph") == "X" and e.get("cat") != "Trace"]
    first = min(int(e["ts"] * 10**6) for e in whole)
    for e in every:
        if "ts" in e:
            e["start"] = int(decimal.Decimal(e["ts"]) * 10**6) - first
            e["length"] = int(decimal.Decimal(e.get("dur", 0)) * 10**6)
    return every, whole


def starts(found, kind):
    return collections.Counter((a[2], b[2]) for a, b in arrows(found, kind))


def test_backward(path):
    """As the trace's own flows of the category fwdbwd have it."""
    every, _ = trace(path)
    ends = collections.defaultdict(dict)
    for e in every:
        if e.get("cat") == "fwdbwd":
            ends[e["id"]][e["ph"]] = e["start"]
    wanted = collections.Counter((e["s"], e["f"]) for e in ends.values() if len(e) == 2)
    found = starts(timeline(path), "backward")
    must(wanted and found == wanted, path.name, "backward:", len(found - wanted), "too many,", len(wanted - found), "too few of", len(wanted))


def test_launches(path):
    _, whole = trace(path)
    calls = {e["args"]["correlation"]: e["start"] for e in whole if e.get("cat") in ("cuda_runtime", "cuda_driver") and "correlation" in e.get("args", {})}
    works = [e for e in whole if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    wanted = collections.Counter((calls[e["args"]["correlation"]], e["start"]) for e in works if e["args"].get("correlation") in calls)
    shown = timeline(path)
    must(wanted and starts(shown, "launch") == wanted, path.name, "launches are others")
    flow = next(f for f in shown["flows"] if f["kind"] == "launch")
    must(flow["count"] == flow["all"] == sum(wanted.values()), flow["count"], flow["all"])
    counters = {c["name"]: c for g in shown["groups"] for c in g.get("counters", [])}
    busy = union((e["start"], e["start"] + e["length"]) for e in works if e["cat"] == "kernel")
    must(abs(mean(counters["GPU utilisation"], shown["high_ps"]) - busy / shown["high_ps"]) < 0.002, "utilisation", mean(counters["GPU utilisation"], shown["high_ps"]), busy / shown["high_ps"])
    must(counters["Queue"]["top"] == longest_queue(calls, works), "queue", counters["Queue"]["top"], longest_queue(calls, works))


def longest_queue(calls, works):
    """The most that waited at once; at a time when one begins and another is launched, the first is gone."""
    changes = []
    for e in works:
        call = calls.get(e["args"].get("correlation"))
        if call is not None and call <= e["start"]:
            changes += [(call, 1), (e["start"], -1)]
    most = now = 0
    for _, by in sorted(changes):
        now += by
        most = max(most, now)
    return most


def union(spans):
    covered = until = 0
    for low, high in sorted(spans):
        covered += max(0, high - max(low, until))
        until = max(until, high)
    return covered


def mean(found, high):
    changes = [*counter(found), (int(high), 0)]
    return sum(value * (after - at) for (at, value), (after, _) in zip(changes, changes[1:])) / high


def test_arguments(path):
    """Shapes of operators, as the trace has them."""
    _, whole = trace(path)
    wanted = {(e["start"], e["name"], json.dumps(e["args"]["Input Dims"], separators=(",", ":"))) for e in whole if e.get("args", {}).get("Input Dims")}
    shown = timeline(path)
    found = {(start, name, text.split(" · ")[0].removeprefix("shapes ")) for g in shown["groups"] for t in g["tracks"] for start, name, text in arguments(shown, t) if text.startswith("shapes ")}
    must(wanted and found == wanted, path.name, "shapes:", sorted(found ^ wanted)[:2])


def test_memory(path):
    """The most that the trace's records say was allocated."""
    every, _ = trace(path)
    wanted = max(e["args"]["Total Allocated"] for e in every if e.get("name") == "[memory]" and "Total Allocated" in e["args"])
    found = max(c["top"] for g in timeline(path)["groups"] for c in g.get("counters", []) if c["name"] == "Memory of CPU")
    must(found == wanted, "memory", found, wanted)


def test_gaps(_):
    """Of each step of 1 ms the GPU waits 0.3 ms for the DataLoader, then for the host, and, from 0.1 ms after the launch on, with work queued: the
    finding on each leads to its own gap."""
    events = []
    for step in range(4):
        at = 1000 + 1000 * step
        events += [event("user_annotation", "ProfilerStep#%d" % step, at, 1000),
                   event("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", at, 300),
                   event("cpu_op", "aten::add", at + 310, 141, **{"External id": step + 1}),
                   event("cuda_runtime", "cudaLaunchKernel", at + 450, 1, correlation=step + 1, **{"External id": step + 1}),
                   event("kernel", "add", at + 700, 300, 0, 7, device=0, stream=7, correlation=step + 1, **{"External id": step + 1})]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps({"deviceProperties": [GPU], "traceEvents": events}), encoding="utf-8")
        found = {f["finding"]: (f["from_ps"] // 10**6 % 1000, f["to_ps"] // 10**6 % 1000) for f in timeline(folder)["findings"]}
    for finding, gap in (("TPR-LOAD-001", (0, 300)), ("TPR-HOST-001", (300, 551)), ("TPR-QUEUE-001", (551, 700))):
        must(found.get(finding) == gap, finding, found.get(finding), gap)


def test_memory_of_spans(_):
    """What a span had allocated is not there in the next."""
    with tempfile.TemporaryDirectory() as folder:
        for span, begin in ((1, 1000), (2, 9000)):
            events = [event("Trace", "PyTorch Profiler (0)", begin, 300, "Spans", "PyTorch Profiler"), event("cpu_op", "aten::empty", begin + 10, 80),
                      memory(begin + 20, 4096, 4096, 4096, device=(0, -1))]
            Path(folder, "w.%d.pt.trace.json" % span).write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
        found = {c["name"]: list(counter(c)) for g in timeline(folder)["groups"] for c in g.get("counters", [])}
    must(sorted(found) == ["Memory of CPU, span 1", "Memory of CPU, span 2"], "counters", found)
    until, value = found["Memory of CPU, span 1"][-1]
    must(value == 0 and abs(until - 290_000_000) < 10_000_000, "span 1 ends", until, value)
    with tempfile.TemporaryDirectory() as folder:
        events = [event("Trace", "PyTorch Profiler (0)", 100, 300, "Spans", "PyTorch Profiler"), event("cpu_op", "aten::empty", 5010, 80),
                  memory(5020, 4096, 4096, 4096, device=(0, -1))]
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
        [found] = [list(counter(c)) for g in timeline(folder)["groups"] for c in g.get("counters", [])]
    must(abs(found[0][0] - 10_000_000) < 1_000_000, "a window before all events ends nothing", found)


def test_handed_on(path):
    """By the ids of producers and consumers in an XSpace."""
    lines = [line for file in sorted(path.rglob("*.xplane.pb")) for plane in read_xspace(file)[0] for line in plane.lines]
    first = min(e.start for line in lines for e in line.events)
    given = {}
    taken = []
    for line in lines:
        for e in line.events:
            if "_p" in e.stats and "_pt" in e.stats:
                given[e.stats["_pt"], e.stats["_p"]] = e.start - first
            if "_c" in e.stats and "_ct" in e.stats:
                taken.append((e.stats["_ct"], e.stats["_c"], e.start - first))
    wanted = {(given[kind, key], start) for kind, key, start in taken if (kind, key) in given}
    found = set(starts(timeline(path), "handed on"))
    must(wanted and found <= wanted and len(found) > 0.95 * len(wanted), "handed on:", len(found - wanted), "too many,", len(wanted - found), "too few of", len(wanted))


tests = [(test_backward, EXAMPLES / "torch_dataloader/input"), (test_arguments, EXAMPLES / "torch_dataloader/input"), (test_memory, EXAMPLES / "torch_dataloader/input"),
         (test_handed_on, EXAMPLES / "jax_cnn/input"), (test_memory_of_spans, None), (test_gaps, None)]
if DATA.is_dir():
    big = DATA / "pytorch/found/hta/ns_resolution_trace"
    tests += [(test_backward, big), (test_launches, big)]
for test, path in tests:
    test(path)
print("".join(f"{fault}\n" for fault in faults), end="")
sys.exit(bool(faults))
