"""Memory of PyTorch traces: against torch-tb-profiler where it has figures, and against the raw records in all; where ours differ
on purpose both figures are held."""

import os
import re
import sys
from collections import Counter
from pathlib import Path

import torch_memory_check as compare
import torch_memory_truth as truth
from torch_memory_check import check, compare_raw, failures, in_scopes, others, tables
from torch_logdirs import answer, logdir
from sampled import small
from truth import Report, test_data

named = [0, 0]  # pieces that the plugin calls unknown: nobody here either, and told by a range of the program
MIB = 1 << 20

# Runs of the plugin: tool, log directory, run below it.
PEER = (
    ("git", "hta_ddp_v100", "hta_ddp_v100/node0_1@1"),
    ("git", "tl_h100_bert", "tl_h100_bert/host_1@1"),
    ("git", "tl_h100_qwen", "tl_h100_qwen/host_1@1"),
    ("git", "cap_resnet18_cpu", "cap_resnet18_cpu/host_1001@1"),
    ("git", "cap_resnet18_cpu", "cap_resnet18_cpu/host_1001@2"),
    ("git", "cap_ddp_gloo2", "cap_ddp_gloo2/rank0@1"),
    ("git", "cap_ddp_gloo2", "cap_ddp_gloo2/rank0@2"),
    ("git", "cap_ddp_gloo2", "cap_ddp_gloo2/rank1@1"),
    ("git", "cap_ddp_gloo2", "cap_ddp_gloo2/rank1@2"),
    ("git", "cap_dataloader_nw0", "cap_dataloader_nw0/dl0@1"),
    ("pypi", "kineto_samples", "resnet50_num_workers_0/worker0@1"),
    ("pypi", "kineto_samples", "resnet50_num_workers_0/worker0@2"),
    ("pypi", "kineto_unit", "test_memory_view/json_content@default"),
)


# Where ours differs on purpose: {(run, device, operator, column): ours}. arange calls arange and one operator more: the peer counts
# what the inner one allocates twice.
ONCE = {("tl_h100_qwen/host_1@1", "GPU:0", "aten::arange", "allocations"): 1,
        ("tl_h100_qwen/host_1@1", "GPU:0", "aten::arange", "growth_bytes"): 4.5,
        ("tl_h100_qwen/host_1@1", "GPU:0", "aten::arange", "allocated_bytes"): 4.5}
TWICE = {"allocations": 2, "growth_bytes": 9.0, "allocated_bytes": 9.0}
# The peer takes the range of a step for an operator: "ProfilerStep#3 (aten::empty)".
IN_STEP = re.compile(r"^ProfilerStep#\d+ ")
# The peer pairs by address alone: a release on the CPU ends a piece of the GPU, {device: (our open ones, theirs, our orphans)}.
CROSSED = {"GPU:0": (6, 5, 0), "CPU": (6, 6, 1)}


def rounding(value):
    """Of a figure that the plugin prints: two decimals, or one digit where these would be none."""
    if value is None or abs(value) >= 0.01 or value == 0:
        return 0.00501
    digits = 0
    while abs(value) * 10 ** digits < 1:
        digits += 1
    return 0.501 * 10 ** -digits


def near(ours, printed):
    if ours is None or printed is None:
        return ours is printed
    return abs(ours - printed) <= rounding(printed)


def peer_name(device):
    return device.replace(":", "")


# ---- the plugin

def compare_statistics(run, device, ours, theirs):
    what = "%s %s" % (run, device)
    mine = {r["operator"]: r for r in ours}
    for name, calls, total, own, total_count, own_count, total_size, own_size in theirs:
        row = mine.get(name)
        if row is None:
            failures.append("%s: no row of %s" % (what, name))
            continue
        check("%s %s calls" % (what, name), row["calls"], calls)
        check("%s %s own allocations" % (what, name), row["self_allocations"], own_count)
        for key, value, factor in (("allocations", total_count, 1), ("growth_bytes", total, 1024), ("self_growth_bytes", own, 1024),
                                   ("allocated_bytes", total_size, 1024), ("self_allocated_bytes", own_size, 1024)):
            once = ONCE.get((run, device, name, key))
            if once is not None:
                check("%s %s their %s" % (what, name, key), value, TWICE[key])
            check("%s %s %s" % (what, name, key), row[key] / factor, value if once is None else once, rounding(value))


def shifts(folder):
    """{(worker, span): ms from what times of the report count from to what those of the plugin do}: the first event of all traces, and
    the first event or span of the profiler itself in the trace."""
    traces = {}
    for path in sorted(Path(folder).rglob("*.json*")):
        memory = truth.Memory(path)
        traces.setdefault(path.name.split(".")[0], []).append((memory.base + memory.profiler_start, memory.base + memory.zero))
    zero = min(first for spans in traces.values() for _, first in spans)
    return {(worker, str(i)): (start - zero) / 1e6 for worker, spans in traces.items() for i, (start, _) in enumerate(sorted(spans), 1)}


def compare_pieces(what, ours, device_row, theirs, shift):
    """Each piece that we list is one of theirs, and no larger one is missing; theirs are unlike ours by name where they have none."""
    check(what + " pieces", device_row["allocations"] + device_row["earlier"], len(theirs))
    check(what + " open", device_row["open"], sum(r[3] is None for r in theirs))
    sizes = sorted((r[1] for r in theirs), reverse=True)
    left = {}
    for r in theirs:
        left.setdefault(r[2], []).append(r)
    for i, row in enumerate(ours[:len(sizes)]):
        check("%s size %d" % (what, i), row["bytes"] / 1024, sizes[i], rounding(sizes[i]))
        at, taken = (None if row[key] is None else row[key] - shift for key in ("given_ms", "taken_ms"))
        match = None
        for key in {None} if at is None else {round(at + more, digits) for more in (-0.01, -0.005, 0, 0.005, 0.01) for digits in (2, 3, 4)}:
            for r in left.get(key, []):
                if (near(row["bytes"] / 1024, r[1]) and near(taken, r[3]) and near(row["there_ms"], r[4]) and
                        (r[0] in (row["operator"], "<unknown>") or IN_STEP.sub("", r[0]) == f"({row['operator']})")):
                    match = r
                    named[row["operator"] != truth.NOBODY] += r[0] == "<unknown>"
        check("%s piece %d %s" % (what, i, row), match is not None, True)
        if match is not None:
            left[match[2]].remove(match)


def compare_with_peer(tool, name, run, report, shift_of):
    worker, _, span = run.split("/")[1].partition("@")
    span = "1" if span == "default" else span
    found = tables(report)
    stats, curve, events = (answer(tool, "%s/%s" % (name, run), part) for part in ("memory", "memory_curve", "memory_events"))
    for row in report.rows("torch-memory/devices"):
        device = in_scopes(row["device"])
        if (row["worker"], str(row["span"])) != (worker, span):
            continue
        what = "%s %s %s" % (tool, run, device)
        key = "%s:%s:%s" % (worker, span, device)
        scope = "@worker=%s,span=%s,device=%s" % (worker, span, device)
        peak = report.metrics["torch.memory.peak_bytes" + scope]["value"]
        theirs = curve["metadata"]["peaks"].get(peer_name(device))
        if theirs is None:
            check(what + " peak", peak, None)
        else:
            printed = float(theirs.removeprefix("Peak Memory Usage: ").removesuffix("MB"))
            check(what + " peak", peak / MIB, printed, 0.0501)
            # Fixed unit: they print nothing of small models, and no total of the card.
            if peak < 0.05 * MIB:
                check(what + " their peak", printed, 0.0)
            check(what + " their card", curve["metadata"]["totals"].get(peer_name(device)), None)
            their_peak = max(point[1] for point in curve["rows"][peer_name(device)])
            check(what + " highest point", peak / MIB, their_peak, 1e-6)
            if run == "hta_ddp_v100/node0_1@1" and device == "GPU:1":
                check(what + " their points", len(curve["rows"]["GPU1"]), 10_240)
                check(what + " records", row["allocations"] + row["releases"], 26_770)
        compare_statistics(run, device, report.rows(found[key]["operators/table"]), stats["rows"].get(peer_name(device), []))
        rows = (events.get("rows") or {}).get(peer_name(device))
        if rows and "test_memory_view" in run:
            open_ones, their_open, earlier = CROSSED[device]
            check(what + " open", row["open"], open_ones)
            check(what + " their open", sum(r[3] is None for r in rows), their_open)
            check(what + " from before", row["earlier"], earlier)
        elif rows:
            compare_pieces(what, report.rows(found[key]["pieces/table"]), row, rows, shift_of[worker, span])
        else:
            check(what + " has no pieces", "pieces/table" in found[key], False)


# ---- the raw records

def raw():
    """Every trace with records of memory."""
    root, seen = test_data("pytorch"), 0
    paths = sorted(os.path.join(folder, name) for where in ("found", "captured") for folder, _, names in os.walk(root / where)
                   for name in names if name.endswith((".json", ".json.gz")))
    large = ("num_workers_0/worker0.1623143566756", "vllm_prefilldecode", "timesformer", "bs_32_rank0")
    devices = Counter()
    for path in small("traces", paths, lambda path: any(part in path for part in large)):
        memory = truth.Memory(path) if holds_memory(path) else None
        if memory is None or not memory.pools:
            continue
        seen += 1
        report = Report(path)
        found = tables(report)
        check(path + " devices", {key.split(":", 2)[2] for key in found}, set(memory.pools))
        for key, parts in found.items():
            devices[key.split(":", 2)[2]] += 1
            before = len(failures)
            compare_raw(report, memory, key, parts)
            if len(failures) > before:
                failures[before] = "%s: %s" % (os.path.basename(path), failures[before])
    check("traces with memory", seen >= 14, True)
    return devices


def holds_memory(path):
    import gzip
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return b'"[memory]"' in file.read()


def main():
    test_data("pytorch")
    for name in sorted({case[1] for case in PEER}):
        with logdir(name) as folder:
            runs, shift_of = {}, {}
            for tool, of, run in PEER:
                if of == name:
                    path = folder / run.split("/")[0] if name.startswith("kineto") else folder
                    report = runs.setdefault(path, None) or runs.setdefault(path, Report(path)) or Report(path)
                    runs[path] = report
                    if path not in shift_of:
                        shift_of[path] = shifts(path)
                    compare_with_peer(tool, name, run, report, shift_of[path])
    devices = raw()
    check("devices that the plugin drops", others[6] >= 3, True)
    check("pieces with an owner that the plugin has not", named[1] > 0, True)
    print("%d figures compared, %d wrong; devices %s; unknown to the plugin %s" % (compare.compared, len(failures), dict(devices), named))
    print("\n".join(failures[:40]))
    return 1 if failures or compare.compared < 10_000 else 0


if __name__ == "__main__":
    sys.exit(main())
