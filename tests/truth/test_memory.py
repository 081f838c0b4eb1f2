"""The memory viewer against the existing tool's answer for every program of two captures, and against the generator's for
the synthetic ones, to the byte."""

import json
import re
import sys

from truth import Check, Report, test_data
from xspace_reader import fields

MIB = 2**20
FREE, SHARE = 1, 2
KINDS = {"Parameter": "parameter", "Output": "output", "Thread-local": "thread-local", "Constant": "constant",
         "Temporary": "temporary"}
SCOPED = {"tpu_inference_2": {"jit_f": 25165824}, "jax_cnn": {"jit_train_step": None}}
check = Check()


def size(mib):
    return round(mib * MIB)


def space(report):
    """The main memory's name, as an id has it."""
    names = {row["space"] for row in report.rows("memory/programs")}
    return "HBM" if "HBM" in names else "host%20memory"


def main_memory(report):
    return space(report).replace("%20", " ")


def buffers_of(report, program, number):
    """[(name, size, kind)] at the peak of main memory by size; None where the page has no such table."""
    rows = report.rows(f"memory/{program}/{number}/{space(report)}/buffers")
    return rows or None


def one_of_ours(row):
    """What both say of a buffer: where the peer leaves something out, there is nothing. The peer cuts paths off."""
    source = row["source"] or ""
    return (row["buffer"], size(row["size_mib"]), size(row["unpadded_mib"]), size(row["extra_mib"]), row["kind"],
            row["shape"], row["opcode"], row["framework_op"] or "", source.rpartition("/")[2])


def one_of_theirs(row):
    source = row.get("sourceInfo", {})
    padded, data = size(row["logicalBufferSizeMib"]), size(row["unpaddedShapeMib"])
    place = f"{source['fileName'].rpartition('/')[2]}:{source.get('lineNumber', 0)}" if source.get("fileName") else ""
    return (row["instructionName"], padded, data, padded - data, KINDS[row["groupName"]], row.get("shapeString", ""),
            row.get("opCode", ""), row.get("tfOpName", ""), place)


def heap_events(proto, points):
    """[(kind, buffer, whose memory it shares)] of the heap simulation with so many events in a serialized HloProto."""
    for number, assignment in fields(proto):
        for kind, trace in fields(assignment) if number == 3 else ():
            events = [dict(fields(value)) for key, value in fields(trace) if key == 1] if kind == 4 else []
            if events and len(events) == points:
                return [(event.get(1, 0), event.get(2, 0), event.get(5)) for event in events]
    return []


def end_of_memory(events, start):
    """The event that frees the memory which event `start` made live: the last of those that share it goes."""
    kind, owner, canonical = events[start]
    group = {owner} | ({canonical} if kind == SHARE else set())
    users = 1
    for at in range(start + 1, len(events)):
        kind, buffer, canonical = events[at]
        if kind == SHARE and canonical in group:
            group.add(buffer)
            users += 1
        elif kind == FREE and buffer in group:
            users -= 1
        if users == 0:
            return at
    return len(events)


def lifetimes(what, theirs, rows, events):
    """The peer's spans are from the event that makes a buffer live to the one that frees it; ours are of its memory, which
    stays taken as long as another buffer shares it."""
    spans = {int(k): (int(v.get("start", 0)), int(v["limit"])) for k, v in theirs.get("logicalBufferSpans", {}).items()}
    mine = {row["buffer"]: (row["start"], row["end"]) for row in rows if row["kind"] == "temporary"}
    compared = 0
    for one in theirs.get("maxHeap", []):
        number, name = one["logicalBufferId"], one.get("instructionName")
        if number not in spans or name not in mine:
            continue
        start, limit = spans[number]
        end = end_of_memory(events, start)
        check.equal(f"{what} lifetime of {name}", mine[name], (start, end))
        check.true(f"{what} {name} is not freed before the peer says", end >= limit)
        compared += 1
    return compared


def timeline(report, program, number):
    chart = report.blocks.get(f"memory/{program}/{number}/{space(report)}/curve")
    if chart is None:
        return None
    series = {one["key"]: one["values"] for one in chart["series"]}
    return [size(data + padding) for data, padding in zip(series["data"], series["padding"])]


def against_the_peer(name, logdir):
    check.part(name)
    report = Report(logdir, "--top", "all")
    programs = {row["program_id"]: row for row in report.rows("memory/programs") if row["space"] == main_memory(report)}
    truths = sorted(test_data("xla", "truth", name).glob("memory_viewer.*.json"))
    compared = lives = 0
    for truth in truths:
        module, number = re.fullmatch(r"memory_viewer\.(.*)\((\d+)\)\.json", truth.name).groups()
        theirs, row = json.loads(truth.read_text(encoding="utf-8")), programs[number]
        what = f"{module}({number})"
        check.equal(f"{what} peak", size(row["peak_mib"]), size(theirs.get("peakHeapMib", 0)))
        check.equal(f"{what} position", row["position"] or 0, int(theirs.get("peakHeapSizePosition", 0)))
        check.equal(f"{what} allocations", size(row["allocated_mib"]), size(theirs.get("totalBufferAllocationMib", 0)))
        check.equal(f"{what} points", row["points"], max(len(theirs.get("heapSizes", [])) - 1, 0))
        mine = timeline(report, module, number)
        if mine is not None and theirs.get("heapSizes"):
            check.equal(f"{what} timeline", mine, [size(mib) for mib in theirs["heapSizes"]])
        rows = buffers_of(report, module, number)
        if rows is None:
            continue
        # Buffers below 16 KiB are one row there.
        big = [one for one in theirs.get("maxHeapBySize", []) if one.get("groupName") in KINDS]
        at_least = [one for one in rows if size(one["size_mib"]) >= 16384]
        check.equal(f"{what} buffers of 16 KiB and more", sorted(map(one_of_ours, at_least)),
                    sorted(map(one_of_theirs, big)))
        proto = truth.with_name(f"{module}({number}).hlo_proto.pb").read_bytes()
        lives += lifetimes(what, theirs, rows, heap_events(proto, row["points"]))
        compared += len(big)
    # By hand: grep -a used_scoped_memory_configs over the files.
    for module, bytes_ in SCOPED.get(name, {}).items():
        check.equal(f"{module} scoped VMEM", report.metric(f"memory.scoped_vmem_bytes@module={module}"), bytes_)
    print(f"{name}: {len(truths)} programs, {compared} buffers, {lives} lifetimes")
    check.true("lifetimes were compared", lives > 0)
    on_their_own(name, report)


FIGURES = ("peak_mib", "unpadded_mib", "padding_share", "position", "points", "parameter_mib", "output_mib",
           "temporary_mib", "constant_mib", "thread_local_mib", "allocated_mib")


def on_their_own(name, report):
    """The same programs without a profile around them, from the files that a profiler leaves beside it."""
    check.part(f"{name}, programs alone")
    alone = Report(*sorted(test_data("xla", "truth", name).glob("*.hlo_proto.pb")), "--top", "all")
    folder = Report(test_data("xla", "truth", name), "--top", "all")
    programs = {row["program_id"]: row for row in report.rows("memory/programs") if row["space"] == main_memory(report)}
    for other in (alone, folder):
        mine = {row["program_id"]: row for row in other.rows("memory/programs")
                if row["space"] in ("HBM", "main memory")}
        check.equal("programs", sorted(mine), sorted(programs))
        for number, row in programs.items():
            for figure in FIGURES:
                check.equal(f"{row['program']}({number}) {figure}", mine[number][figure], row[figure])
        check.equal("warnings", other.metric("data.warnings"), 0)
        tables = {key: value["rows"] for key, value in report.blocks.items() if key.endswith(("/buffers", "/curve"))
                  and value["kind"] == "table"}
        for key, rows in tables.items():
            there = other.blocks.get(key) or other.blocks.get(key.replace("host%20memory", "main%20memory"))
            check.equal(f"{key}, rows", [row["cells"] for row in there["rows"]], [row["cells"] for row in rows])
        check.true("tables were compared", tables)


def against_the_generator():
    for case in sorted(test_data("synth").glob("*/expected.json")):
        check.part(case.parent.name)
        expected = json.loads(case.read_text(encoding="utf-8"))["memory_viewer"]
        report = Report(case.parent / "logdir", "--top", "all")
        module, number = expected["module"], str(expected["program_id"])
        [row] = [row for row in report.rows("memory/programs")
                 if row["space"] == main_memory(report) and row["program_id"] == number]
        check.equal("peak", size(row["peak_mib"]), expected["peak_bytes"])
        check.equal("unpadded", size(row["unpadded_mib"]), expected["unpadded_peak_true_bytes"])
        check.equal("position", row["position"], expected["peak_position"])
        check.equal("points", row["points"], expected["events"])
        check.equal("allocations", size(row["allocated_mib"]), expected["total_allocation_bytes_colour0_not_thread_local"])
        for kind, key in (("parameter", "Parameter"), ("output", "Output"), ("thread_local", "ThreadLocal"),
                          ("constant", "Constant"), ("temporary", "Temporary")):
            check.equal(kind, size(row[f"{kind}_mib"]), expected["bytes_by_kind"][key])
        for metric, value in (("peak_bytes", "peak_bytes"), ("peak_unpadded_bytes", "unpadded_peak_true_bytes"),
                              ("peak_position", "peak_position")):
            check.equal(metric, report.metric(f"memory.{metric}@program={number}"), expected[value])
        rows = buffers_of(report, module, number)
        check.equal("buffers at the peak", sorted((one["buffer"], size(one["size_mib"]), size(one["unpadded_mib"]),
                    one["shape"], one["kind"]) for one in rows),
                    sorted((one["name"], one["size"], one["unpadded"], one["shape"], one["kind"].lower())
                           for one in expected["buffers_at_peak_by_size"]))
        mine = timeline(report, module, number)
        if mine is not None:
            check.equal("timeline", mine, expected["heap_timeline_bytes"])


def main():
    against_the_peer("tpu_inference_2", test_data("xla", "found", "xprof", "xprof", "convert", "test_xplanes",
                                                  "tpu_inference_2.xplane.pb"))
    against_the_peer("jax_cnn", test_data("xla", "captured", "jax_cnn"))
    against_the_generator()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
