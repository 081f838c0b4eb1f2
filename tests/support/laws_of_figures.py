"""What holds between the figures of every report. Each law yields (what, found) for every breach."""

import math
import re

from report_tree import above, blocks, cells, differ, number, scoped


def is_measured(value):
    """Neither infinite nor the least double that there is, from which tools begin a maximum."""
    return math.isfinite(value) and (value == 0 or abs(value) > 1e-300)


def finite(report):
    for name, metric in report["metrics"].items():
        if number(metric["value"]) and not is_measured(metric["value"]):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        if number(cell["value"]) and not is_measured(cell["value"]):
            yield f"{row['id']}:{column['key']}", cell["value"]


def share_in_range(report):
    estimate = re.compile(r"\best\.|estimate", re.I)
    for name, metric in report["metrics"].items():
        marked = estimate.search(metric["label"] + metric.get("how", "") + metric.get("coverage", "") + metric["text"])
        if metric.get("unit") == "share" and not marked and (above(metric["value"], 1) or above(0, metric["value"])):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        marked = estimate.search(column["title"] + cell["text"])
        if column["unit"] == "share" and not marked and (
                above(cell["value"], 1) or above(0, cell["value"])):
            yield f"{row['id']}:{column['key']}", cell["value"]


def chart_share_in_range(report):
    for chart in blocks(report):
        for series in chart.get("series", []) if chart.get("unit") == "share" else []:
            for value in series.get("values", []):
                if above(value, 1) or above(0, value):
                    yield f"{chart['id']}:{series['key']}", value


CAN_BE_NEGATIVE = re.compile(r"clock|more|growth|gap|late|diff|freed|change|skew|delta|offset|accuracy|slope|scalar|value|hparam")


def not_negative(report):
    for name, metric in report["metrics"].items():
        if above(0, metric["value"]) and not CAN_BE_NEGATIVE.search(name):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        unit = column["unit"]
        if unit and above(0, cell["value"]) and not CAN_BE_NEGATIVE.search(f"{table['id']} {column['key']}"):
            yield f"{row['id']}:{column['key']}", cell["value"]


def in_order(report):
    """min ≤ p50 ≤ p95 ≤ max and min ≤ mean ≤ max of whatever has them."""
    pairs = [("min", "p50"), ("p50", "p95"), ("p95", "max"), ("min", "mean"), ("mean", "max"), ("min", "max"), ("min", "avg"),
             ("avg", "max")]

    def check(named, where):
        for name, value in named.items():
            for low, high in pairs:
                other = re.sub(f"(?<![a-z0-9]){low}(?![a-z0-9])", high, name, count=1)
                if above(value, named.get(other)):
                    yield f"{where}{name} <= {other}", (value, named[other])

    for scope, named in scoped(report).items():
        yield from check(named, f"@{scope} " if scope else "")
    for table in blocks(report):
        for row in table["rows"] if table["kind"] == "table" else []:
            yield from check({key: cell["value"] for key, cell in row["cells"].items()}, f"{row['id']}:")


def parts_sum(report):
    roles = "kernel memcpy memset communication runtime dataloader cpu_exec other".split()
    for scope, m in scoped(report).items():
        communication = [m.get(f"torch.comm.{part}_us") for part in "computation overlap communication other".split()]
        sums = [
            ("step.time.mean_ms", [v for k, v in m.items() if re.fullmatch(r"step\.class\.\w+_ms", k)]),
            ("torch.step.mean_us", [m.get(f"torch.step.{role}_us") for role in roles]),
        ]
        # Of several workers these are parts of the steps that all have, which last until the slowest ends.
        if scope or m.get("run.hosts") == 1:
            sums.append(("torch.step.mean_us", communication))
        elif all(map(number, communication)) and above(sum(communication) / 1e3, (m.get("step.time.mean_ms") or 0) * (1 + 1e-4)):
            yield "torch.comm of a step", (sum(communication) / 1e3, m.get("step.time.mean_ms"))
        for whole, parts in sums:
            known = [part for part in parts if number(part)]
            if known and number(m.get(whole)) and abs(sum(known) - m[whole]) > 1e-4 * m[whole] + 1e-6:
                yield f"{whole}@{scope}", (sum(known), m[whole])
        if number(m.get("device.busy_share")) and number(m.get("device.idle_share")):
            if differ(m["device.busy_share"] + m["device.idle_share"], 1):
                yield f"device.busy_share@{scope}", (m["device.busy_share"], m["device.idle_share"])


# (a, b): a never exceeds b.
NOT_ABOVE = [
    ("device.busy_ps", "device.total_ps"),
    ("torch.memory.peak_bytes", "torch.memory.peak_reserved_bytes"),
    ("torch.memory.peak_bytes", "torch.memory.capacity_bytes"),
    ("memory.peak_unpadded_bytes", "memory.peak_bytes"),
    ("flops.utilization_share", "flops.busy_utilization_share"),
]


def part_within_whole(report):
    for scope, m in scoped(report).items():
        for a, b in NOT_ABOVE:
            if above(m.get(a), m.get(b)):
                yield f"{a} <= {b}@{scope}", (m[a], m[b])
    for table, row, column, cell in cells(report):
        total = row["cells"].get(column["key"].replace("self", "total"), cell)
        # What is a share of self time may be a smaller share of total time.
        if column["unit"] != "share" and above(cell["value"], total["value"]):
            yield f"{row['id']}:{column['key']}", (cell["value"], total["value"])


def saving_within_step(report):
    """What a finding saves of a step is less than the step, and no more than what it says to take of it."""
    step_ms = report["metrics"].get("step.time.mean_ms", {}).get("value")
    for finding in report["findings"]:
        saving = finding.get("saving", {})
        if saving.get("unit") != "ms" or not number(saving["value"]) or not finding["saving_note"].startswith("per step"):
            continue
        if above(saving["value"], 0.99 * step_ms):
            yield finding["id"], (saving["value"], step_ms)
        if "of step time (" in finding["saw"] and above(saving["value"], finding["measured"]["value"] * step_ms):
            yield finding["id"], (saving["value"], finding["measured"]["value"], step_ms)


def overlaps_a_saving(report):
    """What a saving may overlap, or is part of, is the saving of an earlier finding."""
    savings = {finding.get("number"): finding["saving"]["value"] for finding in report["findings"] if finding.get("saving")}
    for finding in report["findings"]:
        for other in re.findall(r"(\d+)’s$", finding.get("saving_note", "")):
            if not number(savings.get(int(other))) or int(other) > finding["number"]:
                yield finding["id"], (finding["saving_note"], savings.get(int(other)))


def missing_has_reason(report):
    for name, metric in report["metrics"].items():
        if metric["value"] is None and not metric.get("missing"):
            yield name, metric["text"]
    for table, row, column, cell in cells(report):
        if cell["value"] is None and cell["text"] == "–" and not cell.get("missing"):
            yield f"{row['id']}:{column['key']}", cell
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        if tile["value"] is None and any(re.match(r"\d", note) for note in tile.get("notes", [])[:1]):
            yield tile["id"], tile["notes"]


PEAK_TIMES = {"memory-over-time": "memory.measured.peak_time_ms", "torch-memory": "torch.memory.peak_time_ms"}


def one_zero(report):
    """The memory peak is in its section when it is on the timeline."""
    for chart in blocks(report):
        for finding in chart.get("findings", []) if chart.get("chart") == "timeline" else []:
            metric = report["metrics"].get(PEAK_TIMES.get(finding["finding"]))
            if metric is not None and differ(metric["value"], finding["from_ps"] / 1e9):
                yield finding["finding"], (metric["value"], finding["from_ps"] / 1e9)


# What cannot be 0 where something else is not.
WORK = [("device.duty_cycle_share", "step.class.compute_ms"), ("device.duty_cycle_share", "matrix_unit.utilization_share"),
        ("flops.relative_to_roofline_share", "matrix_unit.utilization_share"),
        ("flops.utilization_share", "matrix_unit.utilization_share")]


def unknown_is_never_zero(report):
    """A device that works has no figure of its work that is 0."""
    for scope, m in scoped(report).items():
        for figure, work in WORK:
            if m.get(figure) == 0 and above(m.get(work), 0):
                yield f"{figure}@{scope}", (0, work, m[work])
        yield from ((f"{figure}@{scope}", 0) for figure in ("gpu.occupancy_share", "torch.gpu.occupancy_share") if m.get(figure) == 0)
    for table, row, column, cell in cells(report):
        if column["key"] == "occupancy_share" and cell["value"] == 0:
            yield f"{row['id']}:{column['key']}", 0


def one_utilisation(report):
    """Of a single step the verdict's kernels and collectives are together what the GPUs are used for."""
    said = (report["verdict"] or {}).get("saw") or ""
    used = report["metrics"].get("torch.gpu.utilization_share", {}).get("value")
    if not number(used) or report["metrics"]["step.count"]["value"] != 1 or not re.match("kernels (run|compute) for ", said):
        return
    told = [float(text) for text in re.findall(r"(?<!<)([\d.]+)\s%", said)]
    if abs(sum(told) - 100 * used) > 0.15:
        yield "verdict", (said, used)


# Charts, and what the table beside them calls the same share.
DRAWN = {"operators/host-self": ("operators/list", "operator", "host_self_share"),
         "operators/device-self": ("operators/list", "operator", "device_self_share"),
         "kernels/top": ("kernels/by-name", "kernel", "kernel_share")}


def drawn_as_listed(report):
    """The longest bar is as long as the share of its row; where names have several rows, as that of one of them at least."""
    by_id = {block["id"]: block for block in blocks(report)}
    for chart, (table, name, share) in DRAWN.items():
        if chart not in by_id or table not in by_id or not by_id[chart]["labels"]:
            continue
        drawn = sum(series["values"][0] for series in by_id[chart]["series"])
        listed = [row["cells"][share]["value"] for row in by_id[table]["rows"]
                  if row["cells"][name]["value"] == by_id[chart]["labels"][0] and share in row["cells"]]
        if listed and number(listed[0]) and abs(drawn - sum(listed)) > 1e-6 and above(max(listed), drawn):
            yield chart, (drawn, listed)


def one_top(report):
    """Where kernels are grouped by name, the tile tells of such a group, as their section does; of a copy it tells alone."""
    known = {name: report["metrics"].get(name, {}).get("value") for name in ("kernels.top.share", "op.top.name")}
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        if tile.get("metric") == "op.top.self_share" and number(known["kernels.top.share"]) and \
                not known["op.top.name"].startswith(("Memcpy", "Memset", "Copy")):
            yield tile["id"], known


# No device of the table of peaks comes near: bytes a second, and FLOP a second.
NO_DEVICE = {"gb_per_s": 1e5, "all_gb_per_s": 1e5, "gflop_per_s": 1e8}


def bandwidth_can_be(report):
    """The track of memory bandwidth stays below what the memory can do; so do rates that a tool computed of a device that is known."""
    for table, row, column, cell in cells(report):
        known = report["metrics"].get("run.device_type", {}).get("value")
        if known and table["id"] == "operations/given" and above(cell["value"], NO_DEVICE.get(column["key"])):
            yield row["id"], (cell["text"], known)
    peak = report["metrics"].get("memory_bandwidth.peak_per_s", {}).get("value")
    for chart in blocks(report):
        for group in chart.get("groups", []) if chart.get("chart") == "timeline" else []:
            for counter in group.get("counters", []):
                if counter["name"] == "Memory bandwidth" and number(peak) and above(counter["top"], 1.25 * peak):
                    yield chart["id"], (counter["top"], peak)


def one_operation_time(report):
    """Verdict, findings and graph tell of one operation time, that of the tile."""
    total = report["metrics"].get("tfprof.total_us", {"value": None})
    if not number(total["value"]):
        return
    verdict = report["verdict"] or {}
    if verdict.get("name") == "Operation time:" and not verdict["saw"].startswith(total["text"]):
        yield "verdict", (verdict["saw"], total["text"])
    for finding in report["findings"]:
        for whole in re.findall(r"operations would take .* instead of (\S+\s\S+):", finding.get("matters", "")):
            if whole != total["text"]:
                yield finding["id"], (whole, total["text"])
    by_node = any(table["id"] == "tfprof/operations" and table["columns"][0]["title"] == "Node" for table in blocks(report))
    for finding in report["findings"]:
        if by_node and finding["id"] == "TPR-TFPROF-002" and finding["status"] != "undecided":
            yield finding["id"], "decided without types of operations"


def names_fit(report):
    """What a tile's note counts is of what its figure counts: no more kinds than nodes, and of two memory peaks which one it is."""
    measured = report["metrics"].get("memory.measured.peak_bytes", {}).get("value")
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        notes = " ".join(tile.get("notes") or [])
        kinds = re.search(r"^nodes of ([\d,]+) kinds", notes)
        if kinds and above(int(kinds[1].replace(",", "")), tile["value"]):
            yield tile["id"], (tile["text"], notes)
        if tile.get("metric") == "memory.peak_bytes" and number(tile["value"]) and number(measured) and "measured" not in notes:
            yield tile["id"], (tile["text"], notes, measured)


def tools_are_named(report):
    """Where a tool's own figure differs from that which the verdict follows, a sentence says so."""
    metrics = {name: metric["value"] for name, metric in report["metrics"].items()}
    said = {block["id"]: " ".join(block["items"]) for block in blocks(report)
            if block["id"] in ("performance/idle", "performance/matrix-unit", "input-pipeline/statement")}
    precomputed = report["metrics"].get("device.idle_share", {}).get("how", "").startswith("precomputed")
    if precomputed and number(metrics.get("step.class.idle_share")) and number(metrics.get("device.idle_share")) and \
            metrics["step.class.idle_share"] > metrics["device.idle_share"] + 0.01 and "performance/idle" not in said:
        yield "device.idle_share", (metrics["device.idle_share"], metrics["step.class.idle_share"])
    stated, counted = (metrics.get(name) for name in ("flops.utilization_share", "matrix_unit.utilization_share"))
    if number(stated) and number(counted) and stated > counted + 0.051 and "performance/matrix-unit" not in said:
        yield "matrix_unit.utilization_share", (counted, stated)
    statement = said.get("input-pipeline/statement", "")
    shares = [float(share) for share in re.findall(r"input-bound because ([\d.]+)%", statement)]
    if shares and number(metrics.get("input.wait_share")) and abs(shares[0] - 100 * metrics["input.wait_share"]) > 1 and \
            not re.search("which the verdict follows|The verdict follows the steps", statement):
        yield "input-pipeline/statement", (shares, metrics["input.wait_share"])
    for row in (row for table in blocks(report) if table["id"] == "performance/table" for row in table["rows"]):
        if row["id"].endswith("/host.idle_share") and number(row["cells"]["value"]["value"]) and not row["cells"]["note"]["value"]:
            yield row["id"], "not said of what it is a share"


LAWS = {
    "finite": finite,
    "share in [0, 1]": share_in_range,
    "drawn share in [0, 1]": chart_share_in_range,
    "not negative": not_negative,
    "min ≤ p50 ≤ p95 ≤ max": in_order,
    "parts sum": parts_sum,
    "part ≤ whole": part_within_whole,
    "saving ≤ step": saving_within_step,
    "overlaps a saving": overlaps_a_saving,
    "one zero": one_zero,
    "drawn as listed": drawn_as_listed,
    "bandwidth can be": bandwidth_can_be,
    "one top": one_top,
    "names fit": names_fit,
    "tools are named": tools_are_named,
    "one operation time": one_operation_time,
    "one utilisation": one_utilisation,
    "unknown is never zero": unknown_is_never_zero,
    "what is missing has a reason": missing_has_reason,
}
