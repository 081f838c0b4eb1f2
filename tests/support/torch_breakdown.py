"""The breakdown of PyTorch steps worked out a second time, from the events of a file: as torch-tb-profiler defines it and as we do."""

import bisect
import gzip
import json
from decimal import Decimal

ROLES = ("Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other")
THEIR_COLLECTIVES = {"%s:%s" % (library, op) for library in ("nccl", "gloo")
                     for op in ("broadcast", "reduce", "all_reduce", "all_gather", "reduce_scatter")}
KINDS = {"operator": "op", "cpu_op": "op", "user_annotation": "mark", "python_function": "python", "runtime": "runtime",
         "cuda_runtime": "runtime", "cuda_driver": "driver", "kernel": "Kernel", "memcpy": "Memcpy", "gpu_memcpy": "Memcpy",
         "memset": "Memset", "gpu_memset": "Memset"}


class Event:
    __slots__ = ("kind", "name", "start", "end", "correlation", "external", "collective")

    def __init__(self, e):
        args = e.get("args") or {}
        self.kind = KINDS.get(e.get("cat", "").lower())
        self.name = e["name"]
        self.start = int(Decimal(e["ts"]) * 1000)
        self.end = self.start + int(Decimal(e["dur"]) * 1000)
        self.correlation = args.get("correlation")
        self.external = args.get("External id", args.get("external id"))
        self.collective = "Collective name" in args


def load(path):
    """Events with a duration and a kind, times in nanoseconds exactly."""
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rb") as f:
        trace = json.loads(f.read(), strict=False, parse_float=Decimal)
    trace = trace if isinstance(trace, list) else trace["traceEvents"]  # torch 1.8 wrote the events alone
    events = (Event(e) for e in trace if e.get("ph") == "X" and "dur" in e)
    return [e for e in events if e.kind is not None]


def is_work(e):
    return e.kind in ("Kernel", "Memcpy", "Memset")


def steps_of(events, drivers):
    """[name, start, end]: marks of the host, each until the device work that it launched ends; last ones without it trimmed."""
    marks = sorted((e for e in events if e.name.startswith("ProfilerStep#") and e.kind in ("op", "mark")), key=lambda e: e.start)
    steps = [[e.name.split("#")[1], e.start, e.end] for e in marks]
    if not steps:
        spans = [e for e in events if e.kind == "op"]
        if not spans:
            return []
        steps = [["0", min(e.start for e in spans), max(e.end for e in spans)]]
    calls = {}
    for e in events:
        if (e.kind == "runtime" or (drivers and e.kind == "driver")) and e.correlation:
            calls.setdefault(e.correlation, e)
    work = [[] for _ in steps]
    outside = []
    starts = [s[1] for s in steps]
    for e in filter(is_work, events):
        call = calls.get(e.correlation)
        at = bisect.bisect_right(starts, call.start) - 1 if call else -1
        (work[at] if at >= 0 and call.end <= steps[at][2] else outside).append(e)
    if not any(work):
        return steps
    begin = steps[0][1]
    if work[0]:
        first = min(e.start for e in work[0])
        begin = max([begin] + [e.end for e in outside if e.end < first])
    for step, own in zip(steps, work):
        step[1] = max(begin, step[1])
        step[2] = max([step[1], step[2]] + [e.end for e in own])
        begin = step[2]
    if len(steps) > 1:
        while work and not work[-1]:
            work.pop()
        if len(work) > 1 and len(work[-1]) < 0.8 * len(work[-2]):
            work.pop()
        steps = steps[:len(work)]
    return steps


def is_loader(name):
    return name.startswith("enumerate(DataPipe)#") or (name.startswith("enumerate(DataLoader)#") and name.endswith(".__next__"))


def is_collective_kernel(e):
    return e.kind == "Kernel" and (e.collective or e.name.lower().startswith(("nccl", "rccl")))


def role_theirs(events):
    talk = {e.external for e in events if e.kind in ("op", "mark") and e.name in THEIR_COLLECTIVES and e.external}

    def role(e):
        if e.kind == "Kernel":
            return "Communication" if e.external in talk else "Kernel"
        if e.kind in ("op", "mark"):
            return "Communication" if e.name in THEIR_COLLECTIVES else "DataLoader" if is_loader(e.name) else "CPU Exec"
        return {"runtime": "Runtime", "Memcpy": "Memcpy", "Memset": "Memset"}.get(e.kind)
    return role


def role_ours(events):
    kernels = any(is_collective_kernel(e) for e in events)

    def role(e):
        if e.kind == "Kernel":
            return "Communication" if is_collective_kernel(e) else "Kernel"
        if e.kind in ("op", "mark"):
            talks = e.name.startswith(("nccl:", "gloo:")) and not kernels
            return "Communication" if talks else "DataLoader" if is_loader(e.name) else "CPU Exec"
        return {"runtime": "Runtime", "driver": "Runtime", "Memcpy": "Memcpy", "Memset": "Memset"}.get(e.kind)
    return role


def united(ranges):
    out = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out


def covered(ranges, start, end):
    at = max(0, bisect.bisect_right(ranges, [start]) - 1)
    total = 0
    while at < len(ranges) and ranges[at][0] < end:
        total += max(0, min(end, ranges[at][1]) - max(start, ranges[at][0]))
        at += 1
    return total


def breakdown(events, ours):
    """{step: {role: µs}}"""
    role = (role_ours if ours else role_theirs)(events)
    by_role = {name: [] for name in ROLES}
    for e in events:
        name = None if e.name.startswith("ProfilerStep#") else role(e)
        if name:
            by_role[name].append([e.start, e.end])
    steps = steps_of(events, drivers=ours)
    out = {name: {"step": (end - start) / 1000} for name, start, end in steps}
    so_far, before = [], {name: 0 for name, _, _ in steps}
    for name in ROLES:
        so_far = united(so_far + by_role[name])
        for step, start, end in steps:
            now = end - start if name == "Other" else covered(so_far, start, end)
            out[step][name] = (now - before[step]) / 1000
            before[step] = now
    return out
