"""Answers counted from the captures themselves, apart from the program: {(example, question): answer}. Protobuf, JSON and records are read here by
Python alone; the definitions are those of the manual, written once more."""

import gzip
import json
import os
import re
import statistics
import struct
from collections import Counter
from pathlib import Path

from graph_reader import VARIABLES, product, trained_of_meta, wire_graph
from pprof_truth import read_pprof
from xspace_reader import fields, read_xspace, text

EXAMPLES = Path(os.environ["TPREPORT_SOURCE"]) / "examples"
MIB, MS = 1 << 20, 1e9  # a ms in ps


def files(example, pattern):
    return sorted((EXAMPLES / example / "input").glob(pattern))


def digits(value):
    """Three significant digits, as people are shown figures."""
    decimals = next(d for d in (2, 1, 0) if d == 0 or float(f"{value:.{d}f}") < 10 ** (3 - d))
    return f"{value:.{decimals}f}"


def percent(part, whole):
    return f"{100 * part / whole:.1f}"


# --- XLA profiles ----------------------------------------------------------------------------------------------------------

def planes_of(example):
    return [plane for file in files(example, "plugins/profile/*/*.xplane.pb") for plane in read_xspace(file)[0]]


def marked_steps(planes):
    """[(number, start in ps, end in ps)] of what the training loop marked."""
    return sorted((event.stats["step_num"], event.start, event.end) for plane in planes for line in plane.lines
                  for event in line.events if "step_num" in event.stats and event.name == "train")


def whole_steps(planes):
    """Without the first and the last, which the capture may have cut."""
    return marked_steps(planes)[1:-1]


def milliseconds(steps):
    return [(end - start) / MS for _, start, end in steps]


def slowest(steps):
    number, start, end = max(steps, key=lambda step: step[2] - step[1])
    return f"{digits((end - start) / MS)} ms", f"step {number}"


def own_time(line):
    """[(event, ps without the events within it)]"""
    within, stack = Counter(), []
    for event in sorted(line.events, key=lambda e: (e.start, -e.end)):
        while stack and stack[-1].end <= event.start:
            stack.pop()
        if stack:
            within[id(stack[-1])] += event.end - event.start
        stack.append(event)
    return [(event, event.end - event.start - within[id(event)]) for event in line.events]


def capture_seconds(planes):
    stats = next(plane.stats for plane in planes if plane.name == "Task Environment")
    return (stats["profile_stop_time"] - stats["profile_start_time"]) / 1e9


def held_by_stack():
    """{call stack: bytes that it allocated and devices still held}"""
    held = Counter()
    for sample in read_pprof(files("jax_cnn", "memory.prof")[0].read_bytes()):
        if sample.kind == "buffer":
            held[tuple(sample.stack), sample.bytes // sample.count] += sample.bytes
    return held


def jax_cnn():
    planes = planes_of("jax_cnn")
    steps, all_steps = whole_steps(planes), marked_steps(planes)
    mean = statistics.mean(milliseconds(steps))
    batch = int(re.search(r"x = jax\.random\.normal\(jax\.random\.key\(1\), \((\d+),", (EXAMPLES / "jax_cnn/capture.py").read_text(encoding="utf-8"))[1])
    version = next(plane.stats["jax_version"] for plane in planes if "jax_version" in plane.stats)
    held = held_by_stack()
    ((stack, _), most), = held.most_common(1)
    _, file, line = stack[0]
    length, step = slowest(steps)
    return {
        "How long does a median step take?": f"{digits(statistics.median(milliseconds(steps)))} ms",
        "How long does a mean step take?": f"{digits(mean)} ms",
        "Which step is the slowest, and how long does it take?": f"{length} & {step}",
        "How many examples a second are trained?": digits(batch / mean * 1e3),
        "How many steps count?": f"{len(steps)} of {len(all_steps)}",
        "Which version of JAX was it?": f"JAX {version}",
        "Which batch does a step take?": str(batch),
        "How long is the capture?": f"{digits(capture_seconds(planes))} s",
        "Which allocation takes most of what the devices held, and how much?": f"{Path(file).name}:{line} & {percent(most, sum(held.values()))} %",
        "How much did the devices hold when the memory profile was saved?": f"{digits(sum(held.values()) / MIB)} MiB",
    }


def tf_slow_input():
    planes = planes_of("tf_slow_input")
    events = [event for plane in planes for line in plane.lines for event in line.events]
    steps = whole_steps(planes)
    length, step = slowest(steps)
    waits = [(event.start, event.end) for event in events if event.name == "IteratorGetNextOp::DoCompute"]
    waited = sum(max(0, min(end, to) - max(start, begin)) for _, begin, to in steps for start, end in waits)
    total = sum(end - start for _, start, end in steps)
    return {
        "Which step is the slowest?": f"{step} & {length}",
        "How often was the Python function called?": str(sum(event.name == "PyFunc:PyFunc" for event in events)),
        "What share of a step waits for input?": f"{percent(waited, total)} %",
        "How much time does a mean step wait for input?": f"{digits(waited / len(steps) / MS)} ms",
    }


def tpu_two_hosts():
    planes = planes_of("tpu_two_hosts")
    devices = [plane for plane in planes if plane.name.startswith("/device:TPU:")]
    flops = {plane.stats["peak_teraflops_per_second"] for plane in devices}.pop()
    gigabytes = {plane.stats["peak_hbm_bw_gigabytes_per_second"] for plane in devices}.pop()
    kind = {plane.stats["device_type_string"] for plane in devices}.pop()
    hosts = [host for file in files("tpu_two_hosts", "plugins/profile/*/*.xplane.pb") for host in read_xspace(file)[1]]
    by_category = Counter()
    for plane in devices:
        for event, own_ps in own_time(plane.line("XLA Ops")):
            by_category[event.op.stats["hlo_category"]] += own_ps
    (category, most), = by_category.most_common(1)
    return {
        "What is the peak of a device?": f"{digits(flops)} TFLOP/s",
        "How many devices are there, and of which type?": f"{len(devices)} × {kind}",
        "From how many FLOP per byte on is compute the limit?": digits(flops * 1e3 / gigabytes),
        "What is the peak memory bandwidth of a core?": f"{digits(gigabytes)} GB/s",
        "Which hosts are there?": " & ".join(sorted(hosts)),
        "Which category of operations takes most time?": f"{category} & {percent(most, sum(by_category.values()))} %",
    }


# --- PyTorch ---------------------------------------------------------------------------------------------------------------

def traces(example):
    """{worker: events}"""
    return {file.name.split(".")[0]: json.loads(gzip.decompress(file.read_bytes()))["traceEvents"] for file in files(example, "*.json.gz")}


def torch_steps(events):
    return {event["name"]: event["dur"] / 1e3 for event in events if event["name"].startswith("ProfilerStep#")}


def peak_mib(events):
    return max(event["args"]["Total Allocated"] for event in events if event["name"] == "[memory]") / MIB


def calls(events):
    """Calls of operators; one within a call of the same name is part of that."""
    counted, open_calls = Counter(), {}
    for event in sorted((e for e in events if e.get("cat") == "cpu_op"), key=lambda e: (e["ts"], -e["dur"])):
        stack = open_calls.setdefault(event["tid"], [])
        while stack and stack[-1][1] <= event["ts"]:
            stack.pop()
        if not any(name == event["name"] for name, _ in stack):
            counted[event["name"]] += 1
        stack.append((event["name"], event["ts"] + event["dur"]))
    return counted


def torch_dataloader():
    (events,) = traces("torch_dataloader").values()
    steps = torch_steps(events)
    waits = [event["dur"] / 1e3 for event in events if event["name"].startswith("enumerate(DataLoader)")]
    counted = calls(events)
    return {
        "How long does a step wait for the DataLoader?": f"{digits(sum(waits) / len(steps))} ms",
        "What share of a step is that?": f"{percent(sum(waits), sum(steps.values()))} %",
        "How much memory was allocated at the peak?": f"{digits(peak_mib(events))} MiB",
        "How many operators were called?": f"{len(counted)} operators & {sum(counted.values()):,} calls",
    }


def torch_ddp():
    workers = traces("torch_ddp")
    # A step ends when its slowest worker ends.
    steps = [max(of_worker[name] for of_worker in map(torch_steps, workers.values())) for name in torch_steps(workers["rank0"])]
    most = max(workers, key=lambda worker: peak_mib(workers[worker]))
    return {
        "How long is a median step?": f"{digits(statistics.median(steps))} ms",
        "How many workers are there?": f"{len(workers)} workers",
        "On which worker is the peak of memory, and how large is it?": f"{digits(peak_mib(workers[most]))} MiB & {most}",
    }


# --- event files -----------------------------------------------------------------------------------------------------------

def records(path):
    data, at = path.read_bytes(), 0
    while at + 12 <= len(data):
        length = struct.unpack_from("<Q", data, at)[0]
        yield data[at + 12:at + 12 + length]
        at += length + 16


def happenings(path):
    """(wall time in s, step, {field: bytes}) of each event."""
    for record in records(path):
        seen = dict(fields(record))
        yield struct.unpack("<d", seen[1])[0], seen.get(2, 0), seen


def tags(seen):
    """Of the values of a summary."""
    return [text(dict(fields(value))[1]) for number, value in fields(seen.get(5, b"")) if number == 1]


def estimator_job():
    """Sessions are between train_begin and train_end, and so on; one that was killed ends with the last sign of life before the next begins."""
    (marks_file,) = files("estimator_job", "profile/*.profile_logger")
    marks = [(at, tag.split("/")[1].rsplit("_", 1)) for at, _, seen in happenings(marks_file) for tag in tags(seen)]
    signs = sorted(at for file in files("estimator_job", "**/events.out*") for at, _, _ in happenings(file))
    begun = [(at, kind) for at, (kind, phase) in marks if phase == "begin" and kind in ("train", "eval", "predict")]
    ends = [(at, kind) for at, (kind, phase) in marks if phase == "end"]
    training = 0
    for number, (start, kind) in enumerate(begun):
        following = begun[number + 1][0] if number + 1 < len(begun) else signs[-1] + 1
        end = next((at for at, of in ends if of == kind and start < at < following), None)
        end = end or max(at for at in signs if at < following)
        training += end - start if kind == "train" else 0
    length = marks[-1][0] - marks[0][0]
    return {
        "What share of the run was training?": f"{percent(training, length)} %",
        "How long did the job take from start to end?": f"{digits(length / 60)} min",
        "How many sessions were there?": f"{len(begun)} sessions",
    }


def tf_graph():
    (file,) = files("tf_graph", "events.out*")
    seen = list(happenings(file))
    nodes, _ = wire_graph(next(event[4] for _, _, event in seen if 4 in event))
    trained = trained_of_meta(next(event[9] for _, _, event in seen if 9 in event))
    variables = {node["name"]: product(node["shape"]) for node in nodes if node["op"] in VARIABLES}
    points = [(at, step) for at, step, event in seen if "loss_1" in tags(event)]
    between = [(b[0] - a[0], a[1]) for a, b in zip(points, points[1:])]
    usual = statistics.median(took for took, _ in between)
    longest, after = max(between)
    return {
        "How many nodes does the graph have?": str(len(nodes)),
        "How many elements do its variables hold?": f"{sum(variables.values()):,}",
        "How many of them are trained?": f"{sum(size for name, size in variables.items() if name in trained):,}",
        "How long does a step take by the event files?": f"{usual * 1e3:.2f} ms",
        # A gap is what is longer than a usual step.
        "After which step is the longest gap?": f"{after} & {digits((longest - usual) * 1e3)} ms",
    }


def counted():
    return {(count.__name__, question): answer
            for count in (jax_cnn, tf_slow_input, torch_dataloader, torch_ddp, tpu_two_hosts, estimator_job, tf_graph)
            for question, answer in count().items()}
