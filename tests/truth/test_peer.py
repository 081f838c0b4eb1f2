"""Captures that are not ours to commit: every figure that the existing tool prints for them, and why where ours differs."""

import json
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import peer_ops
import expected_tpu
import roofline_truth
import unmarked
import expected_input
import xspace_truth as own
from peer_columns import OF_XLA_TABLES, SAYS_NOTHING
from truth import Check, Report, get, test_data
from xspace_reader import read_xspace

XLA = test_data("xla")
check = Check()

# Columns of the peer's tables that are compared nowhere, and why not. All else is, or the test fails.
NOT_COMPARED = OF_XLA_TABLES | {
    "framework_op_stats.gpu_tensorcore_utilization": SAYS_NOTHING,
    "input_pipeline_analyzer.compileTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.deviceCollectivesTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.deviceToDeviceTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.kernelLaunchTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.outfeedTimeMs": SAYS_NOTHING,
    "*.tooltip": "words of the chart",
    "kernel_stats.op_name": SAYS_NOTHING,
    "kernel_stats.occupancy_pct": "0 in every row; ours is worked out, see test_kernels.py",
    "overview_page.hostTransferTimeMs": SAYS_NOTHING,
    "overview_page.infeedPercent*": SAYS_NOTHING,
    "overview_page.scv0*TimeMs": SAYS_NOTHING,
    "overview_page.tcInfeedTimeMs": SAYS_NOTHING,
    "overview_page.tcOutfeedTimeMs": SAYS_NOTHING,
}


# --- what the peer printed ---------------------------------------------------------------------------------------------

def peer(capture, tool):
    return peer_ops.answer(XLA / "truth" / capture, tool)


def peer_rows(capture, tool, column):
    """[{column: value}] of the first table that has this column."""
    tables = peer(capture, tool)
    for table in tables if isinstance(tables, list) else [tables]:
        if column in [c["id"] for c in table.get("cols", [])]:
            return peer_ops.rows_of(table)
    return []


def peer_facts(capture, tool="overview_page"):
    """The properties of all tables of a page."""
    facts = {}
    for table in peer(capture, tool):
        facts.update(table.get("p") or {})
    return facts


def captured(name):
    """(log directory, its XSpaces as the second reader sees them)"""
    logdir = XLA / "captured" / name
    files = sorted(logdir.glob("**/*.xplane.pb"))
    return logdir, [read_xspace(file) for file in files]


# --- CPU: jax_cnn, tf_slow_api, tf_fast_api ----------------------------------------------------------------------------

def peers_sweep(intervals, start, end):
    """The peer's sweep, by its own rules: it counts open events by type and remembers the highest type; an event without
    duration ends before it begins, so its type stays the highest, with nobody there, until the next event of it ends."""
    rank = own.TYPES.index
    edges = sorted([(a, 1, -rank(kind)) for a, _, kind in intervals] + [(b, 0, -rank(kind)) for _, b, kind in intervals])
    count, highest, sums = defaultdict(int), 0, defaultdict(int)
    for (at, begins, kind), (following, _, _) in zip(edges, edges[1:]):
        kind = -kind
        count[kind] += 1 if begins else -1
        if begins:
            highest = max(highest, kind)
        elif kind == highest and count[kind] == 0:
            highest = max((k for k in count if count[k] and k < kind), default=0)
        sums[own.TYPES[highest]] += max(0, min(following, end) - max(at, start))
    return sums


def peers_steps(planes):
    """{step number: (host compute, waiting for input) in ms} by the peer's rules: it does not know how long the regions of
    a thread pool last, for it sees only their beginnings, which have no duration and so hold nothing."""
    for line in own.threads_of(planes):
        for event in line.events:
            event.group = None
            if event.name == "ThreadpoolListener::StartRegion":
                event.end = event.start
    known, own.join_regions = own.join_regions, lambda line: None
    groups = own.marked_groups(planes)
    own.join_regions = known
    steps = {}
    for group in groups:
        sums = peers_sweep(group.intervals, *group.span())
        steps[str(group.host.stats["step_num"])] = (sums["host_compute"] / 1e9, sums["wait_input"] / 1e9)
    return steps


def host_steps(name, verdict, regions_lost):
    """Step time and waiting for input are the peer's to the last digit. Host compute and the time without any event are
    the peer's too, except in the steps of regions_lost: there the work of a thread pool goes on after the last event of
    the calling thread (tf), or begins before the call has returned (jax), and the peer loses it, see peers_sweep."""
    check.part(name)
    logdir, [(planes, _)] = captured(name)
    report, facts = Report(logdir), peer_facts(name)
    mine = {step["name"]: step for step in own.marked_steps(planes)}
    steps, times = report.steps(), report.step_ms()
    rows = {row["stepnum"].split()[1]: row for row in peer_rows(name, "input_pipeline_analyzer", "stepnum")}
    check.equal("steps", list(steps), list(rows))
    check.equal("steps of the second computation", list(steps), list(mine))
    lost = []
    for step, row in rows.items():
        parts = steps[step]
        check.near(f"step {step} time", times[step], row["stepTimeMs"])
        check.near(f"step {step} input", parts.get("input_wait", 0), row["infeedTimeMs"])
        for part in ("host_compute", "input_wait", "other"):
            check.ps(f"step {step} {part}, second computation", parts.get(part, 0), mine[step][part])
        if abs(parts["host_compute"] - row["hostComputeTimeMs"]) < 1e-6:
            check.near(f"step {step} not recorded", parts["other"], row["otherTimeMs"], abs_=1e-9)
        else:
            lost.append(step)
            check.near(f"step {step} parts", parts["host_compute"] + parts["other"],
                       row["hostComputeTimeMs"] + row["otherTimeMs"])
            check.true(f"step {step}: the peer has less", parts["host_compute"] > row["hostComputeTimeMs"])
    check.equal("steps in which the peer loses work of a thread pool", " ".join(lost), regions_lost)
    for step, (compute, waiting) in peers_steps(planes).items():
        if step in rows:
            check.near(f"step {step} host compute by the peer's rules", compute, rows[step]["hostComputeTimeMs"])
            check.near(f"step {step} input by the peer's rules", waiting, rows[step]["infeedTimeMs"], abs_=1e-12)

    summary = own.statistics([step["time"] / 1e9 for step in mine.values()])
    for metric, fact in (("mean", "average"), ("min", "minimum"), ("max", "maximum"), ("sd", "standard_deviation")):
        check.printed(f"step time {metric}", report.metric(f"step.time.{metric}_ms"), facts[f"steptime_ms_{fact}"])
    for metric, value in summary.items():
        check.near(f"step time {metric}", report.metric(f"step.time.{metric}_ms"), value)
    check.printed("mean input wait", report.metric("step.class.input_wait_ms"), facts["infeed_time_ms_avg"])
    for part in ("host_compute", "input_wait", "other"):
        mean = sum(step[part] for step in mine.values()) / len(mine) / 1e9
        check.near(f"mean {part}", report.metric(f"step.class.{part}_ms"), mean)
        check.near(f"share of {part}", report.metric(f"step.class.{part}_share"), mean / summary["mean"])
    waits = sum(row["infeedTimeMs"] for row in rows.values())
    if any(step["input_wait"] for step in mine.values()):
        check.near("input.wait_share", report.metric("input.wait_share"), waits / sum(row["stepTimeMs"] for row in rows.values()))
    else:  # no event shows any: the peer prints 0
        check.equal("input.wait_share", (report.metric("input.wait_share"), waits), (None, 0))
    check.equal("verdict", report.metric("input.verdict"), verdict)
    check.equal("step.count", report.metric("step.count"), len(rows))
    check.equal("step_source", report.metric("run.step_source"), "markers")
    check.equal("hosts", report.metric("run.hosts"), int(facts["host_count"]))
    return report, facts, planes


def jax_cnn():
    report, facts, planes = host_steps("jax_cnn", "unknown", " ".join(map(str, range(1, 19))))
    # The peer's 62.8 and 15.5 ms, and with them its "19.8 % … POTENTIALLY input-bound", come from steps 5, 11, 14 and 18,
    # in which the pool began within 30 us, before the call returned, so that it lost all that came after the call.
    check.printed("mean host compute of the peer by its rules",
                  sum(peers_steps(planes)[str(n)][0] for n in range(1, 19)) / 18, facts["host_compute_time_ms_avg"])
    for step, (compute, _) in peers_steps(planes).items():
        if step in ("5", "11", "14", "18"):
            check.true(f"step {step}: lost nearly all", compute < 8 < 60 < report.steps()[step]["host_compute"])
        elif 0 < int(step) < 19:
            check.near(f"step {step}: lost its end only", compute, report.steps()[step]["host_compute"], rel=1e-3)
    check.true("peer's statement", "POTENTIALLY input-bound because 19.8%" in facts["input_conclusion"])
    check.near("mean host compute", report.metric("step.class.host_compute_ms"), 78.14488083333333)
    check.near("mean not recorded", report.metric("step.class.other_ms"), 0.1445860555555556)
    check.true("framework", report.metric("run.framework").startswith("JAX"))
    # The peer's op profile is empty for XLA on the CPU; ours comes from the events that name an HLO instruction.
    check.equal("rows of the peer's hlo_stats", len(peer_rows("jax_cnn", "hlo_stats", "hlo_op_name")), 0)
    totals, busy = host_ops(planes)
    ops = report.ops()
    check.equal("operations", len(ops), len(totals))
    by_label = {label: row for (_, label), row in ops.items()}
    for (_, label), (count, self_ps) in totals.items():
        check.ps(f"{label} self", by_label[label]["self_ms"], self_ps)
        check.equal(f"{label} occurrences", by_label[label]["occurrences"], count)
        check.near(f"{label} share", by_label[label]["busy_share"], self_ps / busy)


def host_ops(planes):
    """{(program, instruction): [occurrences, self ps]} of XLA:CPU on host threads, and the sum of self times."""
    totals, busy = defaultdict(lambda: [0, 0]), 0
    for line in own.threads_of(planes):
        events = [event for event in line.events if event.stats.get("hlo_op")]
        own.innermost(events)
        for event in events:
            one = totals[event.stats.get("program_id"), event.stats["hlo_op"]]
            one[0] += 1
            one[1] += event.self_ps
            busy += event.self_ps
    return totals, busy


def tensorflow():
    report, facts, _ = host_steps("tf_slow_api", "high", "13 15 16 18")
    check.true("peer's statement", "HIGHLY input-bound because 62.0%" in facts["input_conclusion"])
    check.printed("input.wait_share", 100 * report.metric("input.wait_share"), "62.0")
    check.equal("framework", report.metric("run.framework"), "TensorFlow")
    report, facts, _ = host_steps("tf_fast_api", "none", "8 11 12 13 15 16 17")
    check.true("peer's statement", "NOT input-bound because only 2.5%" in facts["input_conclusion"])
    check.printed("input.wait_share", 100 * report.metric("input.wait_share"), "2.5")


def without_steps():
    """Keras writes "Profiled batch" around each step, which the peer does not know, so that it has no step at all. It
    repeats: steps go from one to the next. Batches are asked for on a thread of its own that no flow leads to."""
    check.part("tf_slow_callback")
    logdir, [(planes, _)] = captured("tf_slow_callback")
    report = Report(logdir)
    check.equal("rows of the peer", peer_rows("tf_slow_callback", "input_pipeline_analyzer", "stepnum"), [])
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    events = [event for line in own.threads_of(planes) for event in line.events]
    batches = sorted((e for e in events if e.name == "Profiled batch"), key=lambda e: e.start)
    asked = [(e.start, e.end) for e in events if e.name.startswith("IteratorGetNext")]
    steps, times = report.steps(), report.step_ms()
    check.equal("steps, first and last left out", list(steps), [str(e.stats["step_num"]) for e in batches[1:-1]])
    waiting = 0
    for batch, following in zip(batches[1:-1], batches[2:]):
        name = str(batch.stats["step_num"])
        waits = sum(max(0, min(end, following.start) - start) for start, end in asked
                    if batch.start <= start < following.start)
        waiting += waits
        check.near(f"step {name}", times[name], (following.start - batch.start) / 1e9)
        check.ps(f"step {name} input wait", steps[name]["input_wait"], waits)
    check.near("input.wait_share", report.metric("input.wait_share"),
               waiting / sum(b.start - a.start for a, b in zip(batches[1:-1], batches[2:])))
    check.equal("verdict", report.metric("input.verdict"), "high")
    check.true("said so", "inferred" in report.metrics["step.time.mean_ms"]["coverage"])
    check.equal("hosts", report.metric("run.hosts"), 1)
    check.equal("coverage", report.metric("data.coverage_share"), 1)


# --- TPU: operations, then steps on them -------------------------------------------------------------------------------

def children(node):
    return [(child["name"], child) for child in node["children"]]


def tpu_ops(report, capture, spaces):
    """Every figure of the peer's hlo_stats and op_profile."""
    facts = peer_facts(capture)
    totals, by_label = own.op_totals(spaces), {label: row for (_, label), row in report.ops().items()}
    peak_flop, peak_byte = report.metric("flops.peak_per_s"), 1637.993e9
    peer_ops.hlo_stats(check, report, peer(capture, "hlo_stats"), totals, (peak_flop, peak_byte), report.metric("device.total_ps"))
    peer_ops.cards(check, report, totals, 400 if capture == "synth_tpu_steps" else None)
    for (_, name), one in totals.items():
        check.ps(f"{name} self, second computation", by_label[name]["self_ms"], one["self_ps"])

    check.equal("type", report.metric("run.device_type"), facts["device_type"])
    check.equal("cores", report.metric("run.cores"), int(facts["device_core_count"]))
    check.equal("hosts", report.metric("run.hosts"), int(facts["host_count"]))
    check.printed("duty cycle", 100 * report.metric("device.duty_cycle_share"), facts["device_duty_cycle_percent"])
    check.printed("idle", 100 * report.metric("device.idle_share"), facts["device_idle_time_percent"])
    check.printed("matrix unit", 100 * report.metric("matrix_unit.utilization_share"), facts["mxu_utilization_percent"])
    check.equal("peak", peak_flop, 918e12)
    top = peer_rows(capture, "overview_page", "selfTimePercent")
    check.equal("top operation", report.metric("op.top.name"), top[0]["operation"])
    check.near("its share", report.metric("op.top.self_share"), top[0]["selfTimePercent"])
    peer_ops.top(check, report, top)
    return totals, peak_flop, peak_byte


def tpu_one_host():
    check.part("tpu_one_host")
    capture, file = "tpu_inference_2", XLA / "found/xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb"
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder, "logs", "plugins", "profile", "2026_01_01_00_00_00")
        run.mkdir(parents=True)
        shutil.copy(file, run / "t1v-n-host-w-0.xplane.pb")
        report = Report(Path(folder, "logs"), "--top", "all")
        figures = get(Path(folder, "logs"), "device.total_ps", "device.busy_ps", "op.top.name", "step.time.mean_ms")
    check.equal("get device.total_ps", figures["device.total_ps"], ("363729698768750", "ps"))
    check.equal("get device.busy_ps", figures["device.busy_ps"], ("315117903706250", "ps"))
    check.equal("get op.top.name", figures["op.top.name"][0], "copy-done.4")
    spaces = [read_xspace(file)]
    totals, peak_flop, peak_byte = tpu_ops(report, capture, spaces)
    check.equal("device.total_ps", report.metric("device.total_ps"), 363729698768750)
    check.equal("device.busy_ps", report.metric("device.busy_ps"), 315117903706250)
    check.equal("busy and total, second computation", own.device_ps(spaces), (315117903706250, 363729698768750))
    # The same capture with markers, made apart: a step there ends with its operations, here where the next begins, 1.4 us
    # later.
    marked = XLA / "captured/synth_tpu_steps"
    expected_tpu.inferred(check, report, Report(marked), unmarked.inferred_tpu_steps(marked, "jit_f"))
    check.near("get step.time.mean_ms", float(figures["step.time.mean_ms"][0]), 784.2655126125, rel=2e-6)
    check.true("runs of jit_f", "jit_f" in json.dumps(report.doc["sections"], ensure_ascii=False))

    root = peer(capture, "op_profile_by_category")["byCategory"]
    metrics = root["metrics"]
    check.equal("root time", metrics["rawTime"], report.metric("device.total_ps"))
    check.equal("root flops", metrics["rawFlops"], sum(one["flops"] for one in totals.values()))
    # The peer's root utilisation is over busy time even where idle time is in the tree; its overview prints 0.0 %.
    check.near("FLOPS while busy", report.metric("flops.busy_utilization_share"), metrics["uncappedFlops"])
    check.near("FLOPS, idle included", report.metric("flops.utilization_share"),
               metrics["rawFlops"] * 1e12 / metrics["rawTime"] / peak_flop)
    rows = peer_rows(capture, "roofline_model", "roofline_efficiency")
    elsewhere = {name: one["hbm_bytes"] / one["time_ps"] * 1e12 for (_, name), one in totals.items()
                 if one["hbm_bytes"] != one["bytes"]}
    fed = roofline_truth.peer(check, report, rows, peer(capture, "roofline_model")[0]["p"], elsewhere)
    roofline_truth.average_step(check, report, fed)
    program = rows[0]
    check.near("FLOP rate", report.metric("flops.rate_per_s"), program["measured_flop_rate"] * 1e9)
    check.near("the same share in the roofline", report.metric("flops.utilization_share"), program["compute_efficiency"])
    check.near("HBM share", report.metric("memory_bandwidth.utilization_share"), metrics["bandwidthUtils"][0])
    check.near("HBM share of the roofline", report.metric("memory_bandwidth.utilization_share"),
               program["max_mem_bw_utilization"])
    check.near("HBM bytes", sum(one["hbm_bytes"] for one in totals.values()),
               metrics["rawBytesAccessedArray"][0])

    nodes = {name: node["metrics"] for name, node in children(root)}
    check.equal("idle", nodes.pop("IDLE")["rawTime"],
                report.metric("device.total_ps") - report.metric("device.busy_ps"))
    check.equal("categories", sorted(nodes), sorted(
        row["name"] for row in report.rows("operations/tree") if row["role"] == "group"))
    for tool, key, table in (("_by_category", "byCategory", "tree"), ("", "byProgram", "by-program"),
                             ("_by_provenance", "byProvenance", "by-scope")):
        peer_ops.op_profile(check, report, f"operations/{table}", peer(capture, f"op_profile{tool}")[key], totals,
                            (peak_flop, peak_byte))
    [group] = [row for row in report.rows("operations/tree") if "duplicates" in row["name"]]
    check.equal("duplicates", group["name"], "broadcast_add_fusion and 2 duplicates")
    check.ps("their time", group["self_ms"], 9619893637500)
    check.equal("their occurrences", group["occurrences"], 1200)


def pod_compute(capture):
    """{(step, plane id): us of compute} of the peer's pod viewer."""
    cells = {}
    for step in peer(capture, "pod_viewer")["podStatsSequence"]["podStatsMap"]:
        for core, cell in step["podStatsPerCore"].items():
            cells[step["stepNum"], int(core)] = cell["stepBreakdownUs"]["1"]
    return cells


def synth_tpu_steps():
    """In three places the markers of two steps of one core overlap by 17.5 ns on the chip's clock and abut exactly on the
    host's. The peer looks at the host's, on which the first operations of the later step all begin at that very instant,
    and charges them, 189 ms of copying among them, to the step that ends there. That step then computes for longer than it
    lasts, for which it shows 0, and the other one lacks them. We go by the chip's clock and the later marker."""
    check.part("synth_tpu_steps")
    logdir, spaces = captured("synth_tpu_steps")
    report, facts = Report(logdir, "--top", "all"), peer_facts("synth_tpu_steps")
    tpu_ops(report, "synth_tpu_steps", spaces)
    mine, steps, times = own.tpu_steps(spaces), report.steps(), report.step_ms()
    rows = {row["stepnum"]: row for row in peer_rows("synth_tpu_steps", "overview_page", "tcComputeTimeMs")}
    check.equal("steps", list(steps), list(rows))
    check.equal("steps of the second computation", list(steps), list(mine))
    for name, step in mine.items():
        check.near(f"step {name} time", times[name], step["time"] / 1e9)
        check.near(f"step {name} compute", steps[name]["compute"], step["compute"] / 1e9)
        check.near(f"step {name} idle", steps[name]["idle"], step["idle"] / 1e9, abs_=1e-9)

    # Every cell of the peer's pod viewer, from the operations, by its rule.
    cells, planes = pod_compute("synth_tpu_steps"), {plane.id: plane for _, plane in own.cores_of(spaces)}
    compute, length = defaultdict(dict), defaultdict(dict)
    for number, plane in planes.items():
        markers = sorted(plane.line("Steps").events, key=lambda e: e.start)
        own.innermost(plane.line("XLA Ops").events)
        sums = defaultdict(int)
        for op in plane.line("XLA Ops").events:
            for marker in markers:
                if marker.start <= op.start <= marker.end:
                    sums[marker.name] += op.self_ps
                    break
        for marker in markers:
            compute[marker.name][number] = sums[marker.name]
            length[marker.name][number] = marker.chip_end - marker.chip_start
            check.near(f"core {number} step {marker.name} by the peer's rule", sums[marker.name] / 1e6,
                       cells[int(marker.name), number])
    check.equal("cells of the pod viewer", len(cells), 400)

    different, sums = [], [0, 0]
    for name, row in rows.items():
        longest = max(length[name].values())
        least = min(ps if ps <= longest else 0 for ps in compute[name].values())
        check.near(f"step {name} compute by the peer's rule", least / 1e9, row["tcComputeTimeMs"])
        check.near(f"step {name} idle by the peer's rule", (longest - least) / 1e9, row["tcIdleTimeMs"], abs_=1e-9)
        check.near(f"step {name} tc parts", (mine[name]["tc_compute"] + mine[name]["tc_idle"]) / 1e9,
                   row["tcComputeTimeMs"] + row["tcIdleTimeMs"])
        if abs(mine[name]["tc_compute"] / 1e9 - row["tcComputeTimeMs"]) > 1e-6:
            different.append(name)
        else:
            check.near(f"step {name} tc_idle", mine[name]["tc_idle"] / 1e9, row["tcIdleTimeMs"], abs_=1e-9)
        sums = [sums[0] + least / 1e9, sums[1] + (longest - least) / 1e9]
    check.equal("steps in which the peer differs", " ".join(different), "16 17 25 26 76 77")
    check.printed("the peer's mean compute, by its rule", sums[0] / 100, facts["tc_compute_ms_average"])
    check.printed("the peer's mean idle, by its rule", sums[1] / 100, facts["tc_idle_ms_average"])

    for metric, fact in (("mean", "average"), ("min", "minimum"), ("max", "maximum"), ("sd", "standard_deviation")):
        check.printed(f"step time {metric}", report.metric(f"step.time.{metric}_ms"), facts[f"steptime_ms_{fact}"])
    for part in ("tc_compute", "tc_infeed", "tc_outfeed", "tc_idle"):
        check.near(f"mean {part}", report.metric(f"step.tpu.{part}_ms"),
                   sum(step[part] for step in mine.values()) / 100 / 1e9, abs_=1e-9)
    check.printed("mean tc_compute", report.metric("step.tpu.tc_compute_ms"), "783.985")
    check.printed("mean tc_idle", report.metric("step.tpu.tc_idle_ms"), "0.280")
    # No operation is an infeed, and no host marks steps: the peer takes what it cannot see for 0.
    check.equal("input.wait_share", report.metric("input.wait_share"), None)
    check.true("why", "looks like idle time" in report.missing("input.wait_share"))
    check.equal("verdict", report.metric("input.verdict"), "unknown")
    check.equal("time in infeed operations", report.metric("step.class.input_wait_ms"), 0)
    check.true("peer's statement", facts["input_conclusion"].startswith("Your program is NOT input-bound"))
    check.equal("step.count", report.metric("step.count"), 100)


# --- GPU ---------------------------------------------------------------------------------------------------------------

def gpu_multi_worker():
    """The peer looks for "MEMCPYHtoD" in the names of copies, which are "MemcpyH2D" here, so copies count as compute, and
    host events enter only where there is no device. We give copies and the host's launching and waiting their classes."""
    check.part("gpu_multi_worker")
    logdir = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker"
    report, facts = Report(logdir, "--top", "all"), peer_facts("gpu_multi_worker")
    planes, _ = read_xspace(next(logdir.glob("*.xplane.pb")))
    [row] = peer_rows("gpu_multi_worker", "input_pipeline_analyzer", "stepnum")
    [step], [(name, parts)] = own.marked_steps(planes), report.steps().items()
    check.equal("step", (name, step["name"]), (row["stepnum"], row["stepnum"]))
    check.near("step time", report.metric("step.time.mean_ms"), row["stepTimeMs"])
    check.near("parts sum to the step", report.step_ms()[name], row["stepTimeMs"])
    for part in ("compute", "input_wait", "output", "launch", "other", "collective"):
        check.ps(f"{part}, second computation", parts.get(part, 0), step[part])
    [group] = own.marked_groups(planes)
    start, end = group.span()
    streams = [(interval, line) for interval, (line, _) in zip(group.intervals, group.members)
               if line.plane.name.startswith("/device:GPU:")]
    check.near("the peer's compute: all that streams do", own.pieces(
        [(a, b, "compute") for (a, b, _), _ in streams], start, end)["compute"] / 1e9, row["deviceComputeTimeMs"])
    check.ps("our compute: what streams do except copies", parts["compute"], own.pieces(
        [i for i, _ in streams if i[2] == "compute"], start, end)["compute"])
    check.near("the rest of the step", row["otherTimeMs"], row["stepTimeMs"] - row["deviceComputeTimeMs"])
    check.true("the peer's other is what we can name", parts["launch"] + parts["input_wait"] + parts["other"] <
               row["otherTimeMs"] + 0.02)
    check.equal("step.time.sd_ms: one step has none", report.metric("step.time.sd_ms"), None)
    check.equal("where the peer prints", facts["host_compute_time_ms_sdv"], "-nan")
    names = [row["cells"]["name"] for row in report.blocks["operations/tree"]["rows"]]
    check.true("short names of kernels", any(name["value"] == "FillPhiloxRandomKernelLaunch" and
                                             "tensorflow::functor::FillPhiloxRandomKernelLaunch<" in name["full"] for name in names))
    check.equal("no scopes in them", [name["value"] for name in names if "::" in name["value"]], [])
    check.true("what decides on 16 bit", "recorded operand" in report.metrics["precision.compute_16bit_share"]["how"])
    check.printed("16 bit", 100 * report.metric("precision.compute_16bit_share"), facts["device_compute_16bit_percent"])
    check.equal("cores", report.metric("run.cores"), int(facts["device_core_count"]))
    check.equal("peak", report.metric("flops.peak_per_s"), None)
    check.true("why: no vendor", "vendor" in report.missing("flops.peak_per_s"))
    check.near("bandwidth", report.metric("memory_bandwidth.peak_per_s") / 2**30,
               float(peer("gpu_multi_worker", "roofline_model")[0]["p"]["peak_hbm_bw"]), rel=1e-5)
    # Kernels state no costs, so there is no roofline; the peer prints rows of zeros.
    check.equal("rows of a roofline", report.rows("roofline/operations"), [])
    check.true("why no roofline", "FLOP" in report.missing("roofline.program.efficiency_share"))
    kernels = defaultdict(lambda: [0, 0.0])
    for kernel in peer_rows("gpu_multi_worker", "kernel_stats", "kernel_name"):
        kernels[kernel["kernel_name"]][0] += kernel["occurrences"]
        kernels[kernel["kernel_name"]][1] += kernel["total_duration_us"]
    mine = {row["name"]: row for row in report.rows("operations/list") if row["category"] == "kernel"}
    check.equal("kernels", sorted(mine), sorted(kernels))
    for name, (count, us) in kernels.items():
        check.equal(f"kernel {name[:40]} occurrences", mine[name]["occurrences"], count)
        check.near(f"kernel {name[:40]} time", mine[name]["total_ms"], us / 1e3)
    busy = 0
    for plane in planes:
        lines = [line for line in own.streams_of([plane])]
        if lines:
            events = [(e.start, e.end, "compute") for line in lines for e in line.events]
            busy += own.pieces(events, min(e[0] for e in events), max(e[1] for e in events))["compute"]
    check.equal("device.busy_ps", report.metric("device.busy_ps"), busy)
    gpu_kernels(report, planes)


def gpu_kernels(report, planes):
    """The rows of the peer's kernel_stats, in its order; it prints whole nanoseconds, means cut off."""
    check.part("gpu_multi_worker kernels")
    rows, peers = report.rows("kernels/list"), peer_rows("gpu_multi_worker", "kernel_stats", "kernel_name")
    check.equal("rows", len(rows), len(peers))
    for row, theirs in zip(rows, peers):
        what = f"{int(theirs['rank'])}"
        check.equal(f"{what} name", row["name"], theirs["kernel_name"])
        for key, its in (("grid", "grid_dim"), ("block", "block_dim"), ("registers", "registers_per_thread"),
                         ("shared_bytes", "shmem_bytes"), ("calls", "occurrences")):
            check.equal(f"{what} {key}", row[key], theirs[its])
        check.equal(f"{what} tensor cores", row["tensor_cores"],
                    {(False, False): "no", (True, False): "not used", (True, True): "used"}[
                        theirs["is_op_tensor_core_eligible"], theirs["is_kernel_using_tensor_core"]])
        for key, its in (("total_us", "total_duration_us"), ("min_us", "min_duration_us"), ("max_us", "max_duration_us")):
            check.near(f"{what} {key}", row[key], theirs[its])
        check.equal(f"{what} mean_us", int(row["mean_us"] * 1000 + 1e-6), round(theirs["avg_duration_us"] * 1000))
    events = [e for line in own.streams_of(planes) for e in line.events]
    kernels = [e for e in events if e.stats.get("kernel_details")]
    total = sum(e.end - e.start for e in kernels)
    check.equal("kernels.count", report.metric("kernels.count"), len(kernels))
    check.near("kernels.total_us", report.metric("kernels.total_us"), total / 1e6)
    # Compute capability 7.0: 1,024 threads are 32 of 64 warps, two blocks; 38 registers leave room for one.
    half = sum(e.end - e.start for e in kernels if e.stats["kernel_details"].startswith("regs:38 "))
    check.near("gpu.occupancy_share", report.metric("gpu.occupancy_share"), 1 - half / total / 2)
    wanted = {e.stats["correlation_id"] for e in kernels}
    calls = sorted(e.end - e.start for line in own.threads_of(planes) for e in line.events
                   if e.stats.get("correlation_id") in wanted and e.end > e.start)
    check.near("kernels.launch_us", report.metric("kernels.launch_us"), calls[len(calls) // 2] / 1e6)
    check.near("kernels.short_share", report.metric("kernels.short_share"),
               sum(e.end - e.start < calls[len(calls) // 2] for e in kernels) / len(kernels))
    for kind, name in (("host to device", "MemcpyH2D"), ("device to host", "MemcpyD2H")):
        copies = [e for e in events if e.name == name]
        [row] = [row for row in report.rows("kernels/copies/list") if row["kind"] == kind]
        moved = sum(int(e.stats["memcpy_details"].split()[0].split(":")[1]) for e in copies)
        time = sum(e.end - e.start for e in copies)
        check.equal(f"{kind} calls", row["calls"], len(copies))
        check.equal(f"{kind} bytes", row["bytes"], moved)
        check.near(f"{kind} total", row["total_us"], time / 1e6)
        check.near(f"{kind} rate", row["gb_per_s"], moved / (time / 1e12) / 1e9)


# --- input pipeline ----------------------------------------------------------------------------------------------------

def input_pipelines():
    """The host's part of the peer's input pipeline page: its table of operations row by row, its classes."""
    for name in ("tf_slow_api", "tf_fast_api", "tf_slow_callback", "jax_cnn", "synth_tpu_steps", "gpu_multi_worker"):
        check.part(f"{name}, input")
        logdir = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker" if name == "gpu_multi_worker" else \
            XLA / "captured" / name
        report, facts = Report(logdir, "--top", "all"), peer_facts(name, "input_pipeline_analyzer")
        spaces = [read_xspace(file) for file in sorted(logdir.glob("**/*.xplane.pb"))]
        rows = peer_rows(name, "input_pipeline_analyzer", "opName")
        expected_input.operations(check, report, {
            row["opName"]: {"count": row["count"], "total_ms": row["timeInMs"], "self_ms": row["selfTimeInMs"],
                            "class": row["category"]} for row in rows})
        mine = {row["name"]: row for row in report.rows("input-pipeline/operations")}
        for row in rows:
            check.near(f"{row['opName']} total %", mine[row["opName"]]["total_share"], row["timeInPercent"])
            check.near(f"{row['opName']} self %", mine[row["opName"]]["self_share"], row["selfTimeInPercent"])
        if rows:
            expected_input.classes(check, report, {
                "Enqueue": float(facts["enqueue_us"]), "Preprocessing": float(facts["preprocessing_us"]),
                "Advanced file read": float(facts["advanced_file_read_us"]),
                "Demanded file read": float(facts["demanded_file_read_us"]),
                "Unknown": float(facts["unclassified_nonequeue_us"])})
        expected_input.second_computation(check, report, expected_input.figures_of(spaces))


# --- operations of the framework ---------------------------------------------------------------------------------------

def framework_ops():
    """The peer reads what a GPU's events worked on from a stat that this capture lacks, and shows nothing but idle time."""
    gpu, tpu = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker", "synth_tpu_steps"
    for name in ("jax_cnn", "tf_slow_api", "tf_fast_api", "tf_slow_callback", tpu, "gpu_multi_worker"):
        check.part(f"framework operations of {name}")
        logdir, spaces = (gpu, [read_xspace(next(gpu.glob("*.xplane.pb")))]) if name == "gpu_multi_worker" else captured(name)
        report, tables = Report(logdir, "--top", "all"), peer(name, "framework_op_stats")
        peer_ops.framework_stats(check, report, tables, spaces, has_device=name == tpu)
        facts, (ops, total, allocations, peers_total) = peer_facts(name), own.host_ops(spaces[0][0])
        busy = sum(one[3] for one in ops.values())
        # Its overview prints host idle time of nothing but allocations on a TPU, 0 where it has no device, else none.
        check.equal("host idle of the peer", (facts.get("host_idle_time_percent"), busy == 0 and peers_total > 0),
                    {tpu: ("100.0%", True), "gpu_multi_worker": (None, False)}.get(name, ("0.0%", False)))
        on_host, on_device = sum(one[1] for one in ops.values()), 0 if name != tpu else sum(
            row["occurrences"] for row in report.rows("operations/framework-device") if row["role"] == "normal")
        peers_host = on_host + sum(count for count, _ in allocations.values())
        if on_device + peers_host and "device_tf_op_percent" in facts:
            check.printed("operations on the device, of the peer", 100 * on_device / (on_device + peers_host),
                          facts["device_tf_op_percent"])
        if on_device + on_host and name != "gpu_multi_worker":
            check.near("operations on the device", report.metric("op.on_device_share"), on_device / (on_device + on_host))


# --- where operations ran ----------------------------------------------------------------------------------------------

def placement():
    """Eager shares as the peer prints them; where it prints 0.0 % because nothing was recorded, ours is missing."""
    logdirs = {name: captured(name)[0] for name in ("tf_fast_api", "tf_slow_api", "tf_slow_callback", "jax_cnn")}
    logdirs["tpu_inference_2"] = XLA / "found/xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb"
    logdirs["gpu_multi_worker"] = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker"
    known = {"tf_fast_api": ("host",), "tf_slow_api": ("host",), "tf_slow_callback": ("host",),
             "gpu_multi_worker": ("host", "device")}
    for name, logdir in logdirs.items():
        check.part(f"{name} placement")
        facts = peer_facts(name)
        got = get(logdir, *(f"{side}.op_eager_share" for side in ("host", "device")))
        for side in ("host", "device"):
            text, _ = got[f"{side}.op_eager_share"]
            printed = facts[f"{side}_op_time_eager_percent"]
            check.equal(f"eager on {side} is known", text != "-", side in known.get(name, ()))
            check.printed(f"eager on {side}", 0 if text == "-" else 100 * float(text), printed)


def main():
    for part in (input_pipelines, framework_ops, placement, jax_cnn, tensorflow, without_steps, tpu_one_host, synth_tpu_steps,
                 gpu_multi_worker):
        before = check.count
        part()
        print(f"{part.__name__}: {check.count - before} figures")
    peer_ops.columns.end(check, NOT_COMPARED)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
