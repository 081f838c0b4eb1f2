"""Comparing the report's memory of a PyTorch trace with what its records say."""

import re
from collections import Counter
from urllib.parse import unquote

import torch_memory_truth as truth

failures = []
compared = 0
others = Counter()  # devices that the plugin does not know


def check(what, got, want, tolerance=0):
    global compared
    compared += 1
    if got is None or want is None:
        if got is not want:
            failures.append("%s: got %s, want %s" % (what, got, want))
    elif got != want and not abs(got - want) <= tolerance:
        failures.append("%s: got %s, want %s" % (what, got, want))


def tables(report):
    """{device key: {part: rows}}; the key is "worker:span:device"."""
    found = {}
    for name in report.blocks:
        parts = name.split("/")
        if parts[:2] == ["torch-memory", "of"]:
            found.setdefault(unquote(parts[2]), {})["/".join(parts[3:])] = name
    return found


def in_scopes(device):
    """"GPU 1" as scopes and ids have it."""
    return re.sub(r" (?=\d+$)", ":", device)


def compare_raw(report, memory, key, parts):
    device = key.split(":", 2)[2]
    records = memory.pools[device]
    # The plugin drops all devices but CPU and CUDA.
    if records[0].kind not in (0, 1):
        others[records[0].kind] += 1
    row = next(r for r in report.rows("torch-memory/devices") if "%s:%s:%s" % (r["worker"], r["span"], in_scopes(r["device"])) == key)
    at, what = truth.peak(records), key
    check(what + " allocations", row["allocations"], sum(r.bytes > 0 for r in records))
    check(what + " releases", row["releases"], sum(r.bytes < 0 for r in records))
    check(what + " growth", row["growth_bytes"], truth.growth(records))
    card = memory.cards.get(device, 0) or None
    check(what + " card", row["capacity_bytes"], card)
    if at is not None:
        check(what + " peak", row["peak_bytes"], records[at].allocated)
        check(what + " time", row["peak_time_ms"], (records[at].time - memory.zero) / 1e6, 1e-9)
        check(what + " share", row["peak_share"], records[at].allocated / card if card else None, 1e-12)
        if device != "CPU":
            check(what + " reserved", row["reserved_bytes"], records[at].reserved)
            check(what + " unused", row["unused_bytes"], records[at].reserved - records[at].allocated)
            check(what + " most reserved", row["peak_reserved_bytes"], max(r.reserved for r in records))
        compare_curve(what, report.blocks[parts["curve"]], truth.envelope(records), device != "CPU")
        compare_live(what, report.rows(parts["live"]), truth.live(records))
    if any(r.address for r in records):
        compare_raw_pieces(what, report.rows(parts["pieces/table"]), row, records, memory.zero)
    compare_rows(what, report.rows(parts["operators/table"]), truth.statistics(records), memory.calls)
    if "steps/table" in parts:
        compare_steps(what, report, parts, memory, records)


def compare_curve(what, chart, want, reserved):
    series = {s["key"]: s["values"] for s in chart["series"]}
    for i, (least, most, held) in enumerate(want):
        low = series["allocated_low"][i] if "allocated_low" in series else 0
        rise = series["allocated_rise"][i] if "allocated_rise" in series else 0
        check("%s curve %d least" % (what, i), low, least)
        check("%s curve %d most" % (what, i), low + rise, most)
        if reserved:
            check("%s curve %d reserved" % (what, i), low + rise + series["reserved"][i], max(held, most))


def compare_live(what, rows, want):
    check(what + " live rows", len(rows), len(want))
    for row in rows:
        count, total, largest = want.get(row["operator"], (None, None, None))
        check("%s live %s" % (what, row["operator"]), row["live_bytes"], total)
        if count is not None:
            check("%s live %s pieces" % (what, row["operator"]), row["pieces"], count)
            check("%s live %s largest" % (what, row["operator"]), row["largest_bytes"], largest)


def compare_raw_pieces(what, rows, device_row, records, zero):
    want = truth.pieces(records)
    check(what + " open", device_row["open"], sum(taken is None for _, _, taken in want))
    check(what + " from before", device_row["earlier"], sum(given is None for _, given, _ in want))
    check(what + " listed", len(rows), min(len(want), 20000))

    def told(index):
        return None if index is None else (records[index].time - zero) / 1e6

    listed = Counter((r["bytes"], r["given_ms"], r["taken_ms"]) for r in rows)
    known = Counter((size, told(given), told(taken)) for size, given, taken in want)
    check(what + " pieces that are none", sum((listed - known).values()), 0)
    check(what + " sizes", sorted((r["bytes"] for r in rows), reverse=True), sorted((p[0] for p in want), reverse=True)[:20000])


def compare_rows(what, rows, want, calls=None):
    for row in rows:
        expected = want.get(row["operator"])
        if expected is None:
            failures.append("%s: %s has a row" % (what, row["operator"]))
            continue
        for key, value in expected.items():
            check("%s %s %s" % (what, row["operator"], key), row[key], value)
        if calls is not None and row["operator"] != truth.NOBODY:
            check("%s %s calls" % (what, row["operator"]), row["calls"], calls[row["operator"]])
    if calls is not None:
        check(what + " operators", len(rows), min(len(want), 500))


def compare_steps(what, report, parts, memory, records):
    bounds = memory.steps()
    by_step = {}
    for row in report.rows(parts["step-operators/table"]) if "step-operators/table" in parts else []:
        by_step.setdefault(row["step"], []).append(row)
    for row in report.rows(parts["steps/table"]):
        start, end = bounds[row["step"]]
        within = [r for r in records if start <= r.time < end]
        before = [r for r in records if r.time < start]
        check("%s step %s allocations" % (what, row["step"]), row["allocations"], sum(r.bytes > 0 for r in within))
        check("%s step %s given out" % (what, row["step"]), row["allocated_bytes"], sum(max(r.bytes, 0) for r in within))
        if records[0].allocated >= 0:
            first = before[-1].allocated if before else max(records[0].allocated - records[0].bytes, 0)
            check("%s step %s start" % (what, row["step"]), row["start_bytes"], first)
            check("%s step %s peak" % (what, row["step"]), row["peak_bytes"], max([first] + [r.allocated for r in within]))
            check("%s step %s end" % (what, row["step"]), row["end_bytes"], within[-1].allocated if within else first)
        compare_rows("%s step %s" % (what, row["step"]), by_step.get(row["step"], []), truth.statistics(within))
