"""The steps that the timeline without a script draws: which they are, what is said of each, and that events of its own are in each."""

import json
import tempfile
from pathlib import Path

import torch_files
from timeline_tiles import events as events_of
from torch_files import event, metadata
from truth import Check, run

check = Check()
APRIL_2024_NS, HOUR_NS = 1711929600_000000000, 3600_000000000


def trace(steps, hour=0, frames=(), waiting=(), first=(), idle=(), ending=(), allocated=()):
    """Steps of so many µs on one worker; of each a kernel takes half, launched by an operator in frames of Python; idle: those without operator;
    ending: functions that begin before each step, and end so many µs after that; allocated:
    the host's bytes in use, one µs after the other."""
    events = [metadata("process_name", 10, 0, "python3"), metadata("thread_name", 10, 11, "thread 11 (python3)"),
              metadata("thread_name", 0, 7, "stream 7 ")]
    at = start = 1000.0
    end = start + sum(steps)
    events.append(event("Trace", "PyTorch Profiler (0)", start - 20, end - start + 40, "Spans", "PyTorch Profiler", **{"Op count": 0}))
    events += [event("python_function", name, start - 10 + i, end - start + 20 - 2 * i, **{"Python id": i + 1, "Python parent id": i or None})
               for i, name in enumerate(frames)]
    events += [event("python_function", name, start - 10 + i, end - start + 20 - 2 * i, tid=12, **{"Python id": i + 100, "Python parent id": None})
               for i, name in enumerate(waiting)]
    events += [event("cpu_op", name, start + 5, steps[0] / 2, tid=13) for name in first]
    events += [torch_files.memory(start + i, size, address=i + 1, allocated=size, device=(0, -1)) for i, size in enumerate(allocated)]
    for number, length in enumerate(steps):
        events += [event("python_function", name, at - len(ending) + i, len(ending) - i + after, **{"Python id": 50 + i, "Python parent id": len(frames)})
                   for i, (name, after) in enumerate(ending)]
        events += [
            event("user_annotation", f"ProfilerStep#{number}", at, length, **{"External id": 10 * number + 1}),
            *([] if number in idle else [
                event("cpu_op", "aten::mm", at + 1, length / 2, **{"External id": 10 * number + 2}),
                event("cuda_runtime", "cudaLaunchKernel", at + 2, 5, **{"External id": 10 * number + 2, "correlation": number + 1})]),
            event("kernel", "gemm", at + length / 4, length / 2, 0, 7, **{
                "External id": 10 * number + 2, "device": 0, "stream": 7, "correlation": number + 1, "grid": [1, 1, 1], "block": [32, 1, 1]}),
        ]
        at += length
    return torch_files.text(torch_files.trace(events, baseTimeNanoseconds=APRIL_2024_NS + hour * HOUR_NS))


def drawn(files):
    """What the timeline of these traces says, its paragraphs and the chart's rows and windows."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).write_bytes(text)
        made = Path(folder, "made.json")
        done = run("-q", folder, "-o", made)
        check.equal("exit status", (done.returncode, done.stderr), (0, b""))
        report = json.loads(made.read_text(encoding="utf-8"))
    section = next(s for s in report["sections"] if s["id"] == "timeline")
    view = next(b for b in section["blocks"] if b["id"] == "timeline/view")
    return section, view


def told(timeline):
    return [f"{w['label']}: {w['note'].split(',')[0]}" for w in timeline["windows"]]


def rows_with_bars(timeline, window):
    return {timeline["rows"][bar["row"]] for bar in timeline["windows"][window]["bars"]}


for steps, expected in (
        ((400,), ["Step 0: the only one"]),
        ((400, 400), ["Step 0: like every other"]),
        ((400, 400, 400), ["Step 0: like every other"]),
        ((400, 200), ["Step 1: the other one", "Step 0: slowest"]),
        ((200, 400), ["Step 0: the other one", "Step 1: slowest"]),
        ((100, 400, 150, 210, 200), ["Step 4: near the median", "Step 1: slowest"])):
    check.part(f"steps of {steps} µs")
    check.equal("said of them", told(drawn({"rank0.1.pt.trace.json": trace(steps)})[1]), expected)

check.part("jobs an hour apart: a step of another job is not drawn in rows where it cannot be")
apart = {"a.1.pt.trace.json": trace((400,)), "b.1.pt.trace.json": trace((900,), 1), "c.1.pt.trace.json": trace((500,), 2)}
section, timeline = drawn(apart)
check.equal("said of them", told(timeline), ["Step 0 (b): slowest"])
check.true("the section still says how slow it is", "is the slowest" in str(section["answer"]))
section, timeline = drawn({**apart, "b.1.pt.trace.json": trace((300, 900), 1)})
check.equal("beside one of its own job", told(timeline), ["Step 0 (b): near the median", "Step 1 (b): slowest"])
for window in range(2):
    check.true(f"bars in window {window}", "stream 7" in rows_with_bars(timeline, window))

check.part("beside the slowest step the one that Steps compares it with, of the same worker, though step 3 of the other is the median")
section, timeline = drawn({"rank0.1.pt.trace.json": trace((180, 400, 150, 100, 100)), "rank1.1.pt.trace.json": trace((100, 300, 160, 200, 220))})
check.equal("said of them", told(timeline), ["Step 0: near the median", "Step 1: slowest"])

check.part("counters of a capture that is blank for an hour are as fine as their steps need")
section, timeline = drawn({"rank0.1.pt.trace.json": trace((400000, 900000)), "rank0.2.pt.trace.json": trace((400000, 900000), hour=1)})
cells = [c["cell_ps"] for g in timeline["groups"] for c in g.get("counters", [])]
check.true(f"cells below 5 ms: {cells}", cells and max(cells) < 5e9)

check.part("frames of Python that last all along")
FRAMES = [f"{name}.py({i}): {name}" for i, name in enumerate(("main", "run", "fit", "epoch", "loop"))]
section, timeline = drawn({"rank0.1.pt.trace.json": trace((400, 900), frames=FRAMES, waiting=("bootstrap", "thread", "get", "wait"))})
shown = {bar["label"] for w in timeline["windows"] for bar in w["bars"]}
check.equal("frames drawn", shown & {*FRAMES, "bootstrap", "thread", "get", "wait"}, {"wait"})
check.true("what runs in them", {"ProfilerStep#0", "ProfilerStep#1", "aten::mm"} <= shown)
check.equal("rows", timeline["rows"], ["GPU 0", "stream 7", "Host threads", *(f"thread 11 (python3){level}" for level in ("", ", level 2", ", level 3")), "thread 12, level 4"])

check.part("functions of Python nest apart")
ENDING = [("torch/profiler/profiler.py(700): step", 120), ("torch/profiler/profiler.py(800): __enter__", 60)]
section, timeline = drawn({"rank0.1.pt.trace.json": trace((400, 900), frames=FRAMES, ending=ENDING)})
track = next(t for g in timeline["groups"] for t in g["tracks"] if t["kind"] == "thread")
lanes = {}
for _, _, name, lane in events_of(timeline, track):
    lanes.setdefault(name, set()).add(lane)
check.equal("lanes above theirs", track["upper_lanes"], 3)
check.equal("lanes of steps and of what runs in them", [lanes[name] for name in ("ProfilerStep#0", "ProfilerStep#1", "aten::mm", "cudaLaunchKernel")], [{0}, {0}, {1}, {2}])
check.equal("lanes of functions", [lanes[name] for name in (*FRAMES, *(name for name, _ in ENDING))], [{3 + i} for i in range(len(FRAMES) + len(ENDING))])
check.equal("where there is nothing else", "upper_lanes" in next(t for g in drawn({"rank0.1.pt.trace.json": trace((400,), waiting=FRAMES)})[1]["groups"]
                                                             for t in g["tracks"] if t["name"] == "thread 12"), False)

check.part("time outside operations and calls is marked where there is none of either")
section, timeline = drawn({"rank0.1.pt.trace.json": trace((400, 900), frames=FRAMES, ending=ENDING, first=("aten::sort",))})
mark = next(f for f in timeline["findings"] if f["finding"] == "TPR-STEP-001")
low, high = mark["from_ps"], mark["to_ps"]
inside = {name for g in timeline["groups"] for t in g["tracks"] for start, length, name, _ in events_of(timeline, t) if start < high and start + length > low}
check.equal("what is there", inside - {*FRAMES, *(name for name, _ in ENDING)}, {"ProfilerStep#1"})
check.equal("from the end of the kernel to that of the step", (high - low) // 10**6, 900 // 4)
check.equal("its name", mark["label"].split(" ", 1)[1], "Time outside operations and calls")

check.part("memory that is next to nothing has no row")
for most, rows in ((16, []), (2048, ["Memory of CPU"])):
    timeline = drawn({"rank0.1.pt.trace.json": trace((400,), allocated=(8, most, 0))})[1]
    check.equal(f"up to {most} bytes", [c["name"] for g in timeline["groups"] for c in g.get("counters", []) if c["unit"] == "bytes"], rows)

check.part("a row that is blank in one of the steps")


def said_blank(**more):
    return [b for b in drawn({"rank0.1.pt.trace.json": trace((400, 900), **more)})[0]["blocks"] if b["id"] == "timeline/drawn"]


check.equal("nothing, where no row is", said_blank(frames=FRAMES), [])
blank = said_blank(first=("aten::sort",))
check.equal("what is said", [b["items"] for b in blank], [["In step 1 nothing was recorded on thread 13."]])
check.equal("levels of a thread are no threads", said_blank(frames=FRAMES, idle=(0,)), [])
check.end()
