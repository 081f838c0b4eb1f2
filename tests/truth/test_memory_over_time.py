"""Memory over time: small profiles worked out by hand, captures against a second reading of their events, and against the existing
tool's answer, column by column.

Where that answer is another one, on purpose: the time of a peak that is reached several times (the last in the file there, which
is one thread after the other, and the last in time here); the most in the allocator's life (what the last event of the file
states there, even when the profile itself shows more); and what is live at the peak (there only what the peak's own step
allocated: what earlier steps left behind is "unused preallocated device memory")."""

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path

from allocator_truth import Expected, moments_of
from truth import SOURCE, Check, Report
from xspace_reader import read_xspace
from xspace_writer import Plane, xspace

MIB = 2**20
MS = 10**9  # picoseconds
EARLIER, STACK = "(allocated before the capture, or not recorded)", "(stack)"
check = Check()


def size(mib):
    return round(mib * MIB)


def rows_of(report):
    return {row["allocator"]: row for row in report.rows("memory-over-time/allocators")}


def live_of(report, name):
    return report.rows(f"memory-over-time/of/{name.replace(' ', '%20')}/live")


def columns_of(report, name):
    return report.rows(f"memory-over-time/of/{name.replace(' ', '%20')}/over-time/table")


# --- by hand -----------------------------------------------------------------------------------------------------------

def report_on(*planes, arguments=(), **more):
    hosts = {"host": planes, **more}
    with tempfile.TemporaryDirectory() as folder:
        for name, of_host in hosts.items():
            path = Path(folder, f"logs/plugins/profile/run/{name}.xplane.pb")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(xspace(*of_host, hosts=[name]))
        return Report(Path(folder, "logs"), "--top", "all", *arguments)


def took(line, at, heap, address, block, **stats):
    """An allocation (a deallocation where block is negative) after which so much is on the heap, of 1,000 MiB in all."""
    name = "MemoryAllocation" if block >= 0 else "MemoryDeallocation"
    said = {"allocator_name": "bfc", "bytes_reserved": 0, "bytes_allocated": heap * MIB, "bytes_available": (1000 - heap) * MIB,
            "fragmentation": 0.0, "peak_bytes_in_use": heap * MIB, "allocation_bytes": abs(block) * MIB,
            "requested_bytes": abs(block) * MIB - 8, "addr": address, **stats}
    line.event(name, at * MS, 0, **{key: value for key, value in said.items() if value is not None})


def two_threads():
    check.part("two threads, one allocator")
    plane = Plane("/host:CPU")
    steps, first, second = plane.line("python/1"), plane.line("a/2"), plane.line("b/3")
    for number in range(3):
        steps.event("train", number * 20 * MS, 20 * MS, step_num=number, _r=1)
        steps.event("work", number * 20 * MS, 20 * MS)
    # 100 MiB were there before. Written second, but earlier; and a piece of those 100 is given back.
    second_thread = [(5, 300, 1, 200, "x/MatMul"), (9, 250, 7, -50, None), (30, 350, 3, 100, "x/Add")]
    took(first, 25, 250, 1, -200)
    took(first, 27, 250, 2, 200, tf_op="y/MatMul", shape="[8,4]", data_type=14, region_type="output")
    for at, heap, address, block, op in second_thread:
        took(second, at, heap, address, block, tf_op=op)
    # Given back unseen, so that its address is taken again; then the same once more, at another.
    took(first, 31, 450, 3, 100, tf_op="x/Add", peak_bytes_in_use=800 * MIB, fragmentation=0.5)
    took(first, 32, 550, 4, 100, tf_op="x/Add")
    took(first, 50, 150, 4, -100)
    report = report_on(plane)
    row = rows_of(report)["bfc"]
    check.equal("peak", size(row["peak_mib"]), 550 * MIB)
    check.near("share", row["peak_share"], 0.55)
    check.equal("time", row["peak_time_ms"], 32)
    check.equal("step", row["peak_step"], "1")
    check.equal("how often", row["peak_times"], 1)
    check.equal("events", (row["allocations"], row["deallocations"]), (5, 3))
    check.equal("most ever", size(row["lifetime_peak_mib"]), 800 * MIB)
    check.equal("fragmentation", (row["fragmentation_share"], row["fragmentation_most_share"]), (0, 0.5))
    live = live_of(report, "bfc")
    check.equal("live", [(one["framework_op"], one["count"], size(one["total_mib"]), one["shape"], one["data_type"], one["region"])
                         for one in live],
                [("y/MatMul", 1, 200 * MIB, "[8,4]", "bfloat16", "output"), ("x/Add", 2, 200 * MIB, "", "", ""),
                 (EARLIER, 1, 150 * MIB, "", "", "")])
    check.equal("asked for", size(live[1]["requested_mib"]), 100 * MIB - 8)
    check.equal("metric", report.metric("memory.measured.peak_bytes@host=host,device=bfc"), 550 * MIB)
    check.equal("unrecorded", report.metric("memory.measured.unrecorded_bytes"), 150 * MIB)
    columns = columns_of(report, "bfc")
    check.equal("events of columns", sum(one["events"] for one in columns), 8)
    check.equal("most of columns", max(size(one["heap_mib"]) for one in columns), 550 * MIB)
    # 25…32 ms: a quarter of the columns lie between 9 and 25 ms and keep what was there.
    check.equal("nothing happens", [size(one["heap_mib"]) for one in columns if one["events"] == 0 and one["from_ms"] < 25],
                [250 * MIB] * sum(one["events"] == 0 and one["from_ms"] < 25 for one in columns))


def no_operation():
    """What some profilers print for a name that is none is no name."""
    check.part("no operation")
    plane = Plane("/host:CPU")
    took(plane.line("a/1"), 1, 10, 1, 10, tf_op="(null)", region_type="(null)")
    report = report_on(plane)
    check.true("nor is such a region", "(null)" not in json.dumps(report.doc))
    check.equal("live", [(one["framework_op"], size(one["total_mib"])) for one in live_of(report, "bfc")], [("(no name)", 10 * MIB)])


def odd():
    check.part("what is not said")
    plane = Plane("/host:CPU")
    line = plane.line("a/1")
    took(line, 1, 10, 1, 10, bytes_available=None, fragmentation=None)
    took(line, 2, 20, 2, 10, allocator_name=None, device_ordinal=3, bytes_reserved=5 * MIB)
    took(line, 3, 30, 3, 10, allocator_name="grown", bytes_available=-7, fragmentation=7.5)
    took(line, 4, 40, 4, 10, allocator_name="grown", bytes_allocated=None)
    took(line, 5, 50, 5, 10, allocator_name="grown", bytes_allocated=-5)
    took(line, 6, 60, 6, 10, allocator_name="a/live")
    took(line, 7, 60, 7, 10, allocator_name="a")
    line.event("MemoryInfo", 8 * MS, 0, bytes_allocated=5)
    report = report_on(plane, other=[plane])
    check.equal("two of each", len(report.rows("memory-over-time/allocators")), 10)
    rows = rows_of(report)
    check.equal("allocators", sorted(rows), ["a", "a/live", "bfc", "device 3", "grown"])
    check.equal("free is not known", (rows["bfc"]["free_mib"], rows["bfc"]["peak_share"], rows["bfc"]["capacity_mib"]),
                (None, None, None))
    check.equal("nor fragmentation", (rows["bfc"]["fragmentation_share"], rows["grown"]["fragmentation_share"]), (None, None))
    check.equal("less than nothing free", rows["grown"]["free_mib"], None)
    check.equal("no size", rows["grown"]["allocations"], 1)
    check.true("is said", "without a size, or with an impossible one" in report.stderr)
    check.equal("stack", (size(rows["device 3"]["stack_mib"]), size(rows["device 3"]["peak_mib"])), (5 * MIB, 25 * MIB))
    check.true("no step", report.metric("memory.measured.peak_bytes") == 60 * MIB)
    check.part("no event of an allocator")
    quiet = Plane("/host:CPU")
    quiet.line("a/1").event("work", 0, MS)
    report = report_on(quiet)
    check.equal("no figure", report.metric("memory.measured.peak_bytes"), None)
    check.true("and why", "no memory allocation" in report.missing("memory.measured.peak_bytes"))


def many():
    """More events than columns: each column holds the least and the most, and no peak is lost."""
    check.part("many events")
    plane = Plane("/host:CPU")
    line = plane.line("a/1")
    heaps = [1 + (i * 7919) % 900 for i in range(2000)]
    for i, heap in enumerate(heaps):
        took(line, i, heap, 1 + i % 50, 1 if i % 2 == 0 else -1)
    report = report_on(plane)
    columns = columns_of(report, "bfc")
    check.equal("columns", len(columns), 240)
    check.equal("all events", sum(one["events"] for one in columns), 2000)
    at = 0
    for one in columns:
        mine = heaps[max(at - 1, 0):at + one["events"]]
        check.equal("least", size(one["heap_low_mib"]), min(mine) * MIB)
        check.equal("most", size(one["heap_mib"]), max(mine) * MIB)
        check.equal("free then", size(one["free_mib"]), (1000 - max(mine)) * MIB)
        at += one["events"]
    [chart] = [block for name, block in report.blocks.items() if name == "memory-over-time/of/bfc/curve"]
    check.equal("drawn peak", size(max(map(sum, zip(*(series["values"] for series in chart["series"]))))), max(heaps) * MIB)
    totals = list(map(sum, zip(*(series["values"] for series in chart["series"]))))
    check.true("equal peaks", totals.count(max(totals)) > 1)
    check.equal("the last of them is marked", chart["marked"], len(totals) - 1 - totals[::-1].index(max(totals)))


def status(report, rule):
    [finding] = [one for one in report.doc["findings"] if one["id"] == rule]
    return finding["status"], (finding.get("measured") or {}).get("value"), finding.get("saving", {}).get("value")


def checks():
    """(rule, the events (heap, fragmentation), status, measured, MiB saved at most)"""
    cases = [
        ("TPR-OOM-003", [(500, 0), (960, 0), (100, 0)], "open", 0.96, None),
        ("TPR-OOM-003", [(500, 0), (860, 0)], "passed", 0.86, None),
        ("TPR-FRAG-001", [(500, 0.5), (800, 0.5)], "open", 0.25, 250),
        ("TPR-FRAG-001", [(500, 0.05), (900, 0)], "passed", 0.025, None),
        ("TPR-FRAG-001", [(100, 0.5), (200, 0.5)], "not_applicable", None, None),
        ("TPR-FRAG-001", [(500, None), (900, None)], "undecided", None, None),
    ]
    for rule, moments, expected, measured, saved in cases:
        check.part(f"{rule} {moments}")
        plane = Plane("/host:CPU")
        line = plane.line("a/1")
        for i, (heap, fragmentation) in enumerate(moments):
            took(line, i + 1, heap, i, 10, fragmentation=None if fragmentation is None else float(fragmentation))
        got, value, saving = status(report_on(plane), rule)
        check.equal("status", got, expected)
        check.equal("what fits although it is near the limit has no bound", saving, saved and saved * MIB)
        if measured is not None:
            check.near("measured", value, measured)
    plane = Plane("/host:CPU")
    took(plane.line("a/1"), 1, 10, 1, 10, bytes_available=None)
    quiet = Plane("/host:CPU")
    quiet.line("a/1").event("work", 0, MS)
    for rule in ("TPR-OOM-003", "TPR-FRAG-001"):
        check.equal(f"{rule} without a capacity", status(report_on(plane), rule)[0], "undecided")
        check.equal(f"{rule} without events", status(report_on(quiet), rule)[0], "undecided")


# --- captures ----------------------------------------------------------------------------------------------------------

def against_the_events(name, path):
    """The report on a file against a second reading of it: {allocator: Expected}."""
    check.part(name)
    planes, _ = read_xspace(path)
    report = Report(path, "--top", "all")
    expected = {allocator: Expected(moments) for allocator, moments in moments_of(planes).items()}
    rows = rows_of(report)
    check.equal("allocators", sorted(rows), sorted(expected))
    for allocator, e in expected.items():
        row, p = rows[allocator], e.peak
        check.equal(f"{allocator} peak", [size(row[f"{what}_mib"]) for what in ("peak", "stack", "heap", "free", "capacity")],
                    [p.use, p.stack, p.heap, p.free, p.use + p.free])
        check.ps(f"{allocator} time", row["peak_time_ms"], p.time)
        check.equal(f"{allocator} times", row["peak_times"], len(e.at_most))
        check.equal(f"{allocator} fragmentation", (row["fragmentation_share"], row["fragmentation_most_share"]),
                    (p.fragmentation, max(one.fragmentation for one in e.moments)))
        check.equal(f"{allocator} most ever", size(row["lifetime_peak_mib"]), e.ever)
        check.equal(f"{allocator} events", (row["allocations"], row["deallocations"]),
                    (sum(one.allocation for one in e.moments), sum(not one.allocation for one in e.moments)))
        pieces, rest = [], {}
        for one in live_of(report, allocator):
            if one["framework_op"] in (EARLIER, STACK):
                rest[one["framework_op"]] = size(one["total_mib"])
                continue
            op = "" if one["framework_op"] == "(no name)" else one["framework_op"]
            pieces += [(op, size(one["block_mib"]), size(one["requested_mib"]), one["shape"], one["data_type"],
                        one["region"])] * one["count"]
        check.equal(f"{allocator} live", sorted(pieces), e.live)
        check.equal(f"{allocator} rest", rest, {what: b for what, b in ((EARLIER, e.unrecorded), (STACK, p.stack)) if b})
        over_time(report, allocator, e)
    return report, expected


def over_time(report, allocator, e):
    columns = columns_of(report, allocator)
    starts = [round(one["from_ms"] * 1e9) for one in columns] + [e.moments[-1].time + 1]
    left = None
    for one, start, end in zip(columns, starts, starts[1:]):
        inside = [m for m in e.moments if start <= m.time < end]
        seen = ([left] if left else []) + inside
        top = max(seen, key=lambda m: m.use)
        check.equal(f"{allocator} column at {start}",
                    [size(one[f"{what}_mib"]) for what in ("stack", "heap", "free", "stack_low", "heap_low")] + [one["events"]],
                    [top.stack, top.heap, top.free, min(m.stack for m in seen), min(m.heap for m in seen), len(inside)])
        check.equal(f"{allocator} fragmentation at {start}", one["fragmentation_share"], max(m.fragmentation for m in seen))
        left = inside[-1] if inside else left


def read_json(path):
    data = path.read_bytes()
    return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)


def piece_of(metadata):
    return (metadata["tfOpName"], int(metadata["allocationBytes"]), int(metadata["requestedBytes"]), metadata["tensorShape"],
            "" if metadata["dataType"] == "INVALID" else metadata["dataType"], metadata["regionType"])


def against_the_peer(name, path, truth):
    report, expected = against_the_events(name, path)
    theirs = read_json(truth)
    check.part(f"{name}: the peer")
    check.equal("allocators", sorted(one.removeprefix("device ") for one in expected), sorted(theirs["memoryIds"]))
    rows, snapshots = rows_of(report), 0
    for allocator, e in expected.items():
        them, row = theirs["memoryProfilePerAllocator"][allocator.removeprefix("device ")], rows[allocator]
        summary, peak = them["profileSummary"], them["profileSummary"]["peakStats"]
        last = [one for one in e.in_file if one.use == e.peak.use][-1]
        zero = e.in_file[0].time - earliest(them, e)
        check.equal(f"{allocator} peak", [size(row["stack_mib"]) + size(row["heap_mib"]), size(row["capacity_mib"])],
                    [int(peak["peakBytesInUse"]), int(summary["memoryCapacity"])])
        check.equal(f"{allocator} time, the last in the file", last.time - zero, int(summary["peakStatsTimePs"]))
        check.equal(f"{allocator} at that time", [last.stack, last.heap, last.free, last.fragmentation],
                    [int(peak["stackReservedBytes"]), int(peak["heapAllocatedBytes"]), int(peak["freeMemoryBytes"]),
                     peak["fragmentation"]])
        check.equal(f"{allocator} most ever, of the last event in the file", e.in_file[-1].ever,
                    int(summary["peakBytesUsageLifetime"]))
        check.true(f"{allocator} most ever, here", size(row["lifetime_peak_mib"]) >= int(summary["peakBytesUsageLifetime"]))
        snapshots += timeline(allocator, them, e, zero)
        live(report, allocator, them, e, last)
    print(f"{name}: {len(expected)} allocators, {snapshots} snapshots")


def earliest(them, e):
    """Offset of the first event of the file as the peer has it: its times count from the line's start."""
    times = {int(one["timeOffsetPs"]) for one in them["sampledTimelineSnapshots"]}
    shift = e.moments[0].time - min(times)
    return e.in_file[0].time - shift


def timeline(allocator, them, e, zero):
    """Every event is there, and said to be the same. Nothing had to be sampled: all hold less than 1,000 events."""
    def order(one):
        return int(one["timeOffsetPs"]), int(one["aggregationStats"]["heapAllocatedBytes"])
    theirs = sorted(them["sampledTimelineSnapshots"], key=order)
    mine = sorted(e.moments, key=lambda m: (m.time, m.heap))
    check.equal(f"{allocator} events", len(theirs), len(mine))
    for one, m in zip(theirs, mine):
        stats, what = one["aggregationStats"], one["activityMetadata"]
        check.equal(f"{allocator} at {m.time}",
                    [m.time - zero, m.stack, m.heap, m.free, m.fragmentation, m.ever, m.allocation, m.address, m.block],
                    [int(one["timeOffsetPs"]), int(stats["stackReservedBytes"]), int(stats["heapAllocatedBytes"]),
                     int(stats["freeMemoryBytes"]), stats["fragmentation"], int(stats["peakBytesInUse"]),
                     what["memoryActivity"] == "ALLOCATION", int(what["address"]), int(what["allocationBytes"])])
    return len(theirs)


def live(report, allocator, them, e, last):
    """Their rows: all are live here too, and together they are the same; only that more of them have a name here. Where the
    peak in their answer is another moment than here there is nothing to compare but the sum."""
    pieces, special = [], {}
    for row in them["activeAllocations"]:
        if int(row["specialIndex"]) >= 0:
            one = them["specialAllocations"][int(row["specialIndex"])]
            special[one["tfOpName"]] = int(one["allocationBytes"])
        else:
            one = them["memoryProfileSnapshots"][int(row["snapshotIndex"])]["activityMetadata"]
            pieces += [piece_of(one)] * int(row["numOccurrences"])
    unused, stack = special.get("unused preallocated device memory", 0), special.get("stack", 0)
    check.equal(f"{allocator} stack", stack, last.stack)
    check.equal(f"{allocator} sum", sum(piece[1] for piece in pieces) + unused, last.heap)
    if last is not e.peak:
        return
    mine = list(e.live)
    for piece in pieces:
        if check.true(f"{allocator} {piece} is live here too", piece in mine):
            mine.remove(piece)
    steps = {one["activityMetadata"]["stepId"] for one in them["sampledTimelineSnapshots"]}
    check.equal(f"{allocator} unused there", unused, e.unrecorded + sum(piece[1] for piece in mine))
    if len(steps) == 1:
        check.equal(f"{allocator} nothing but theirs", mine, [])


def main():
    two_threads()
    no_operation()
    odd()
    many()
    checks()
    against_the_events("tf_slow_input", next(Path(SOURCE, "examples/tf_slow_input/input").glob("**/*.xplane.pb*")))
    if os.environ.get("TPREPORT_TEST_DATA"):
        data = Path(os.environ["TPREPORT_TEST_DATA"])
        xla = data / "xla"
        for name, path in (("gpu_multi_worker", xla / "found/xprof/demo/plugins/profile/GPU-multi-worker"),
                           ("tpu_inference_2", xla / "found/xprof/xprof/convert/test_xplanes"),
                           ("tf_slow_api", xla / "captured/tf_slow_api"), ("tf_fast_api", xla / "captured/tf_fast_api"),
                           ("tf_slow_callback", xla / "captured/tf_slow_callback"),
                           ("jax_cnn", xla / "captured/jax_cnn")):
            file = path / "tpu_inference_2.xplane.pb" if name == "tpu_inference_2" else next(path.glob("**/*.xplane.pb"))
            against_the_peer(name, file, next((xla / "truth" / name).glob("memory_profile.json*")))
        for case in sorted((data / "synth").glob("*/xprof/memory_profile.json")):
            for file in sorted(case.parents[1].glob("logdir/**/*.xplane.pb"))[:1]:
                against_the_peer(case.parents[1].name, file, case)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
