"""TPU profiles against the existing tool: operations, then steps on them."""

import json
import shutil
import tempfile
from collections import defaultdict
from pathlib import Path

import expected_tpu
import peer_ops
import roofline_truth
import unmarked
import xspace_truth as own
from peer_page import XLA, captured, check, peer, peer_facts, peer_rows
from truth import Report, get
from xspace_reader import read_xspace


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
    # … but no more than the idle time of the core that has most can be it.
    check.equal("verdict", report.metric("input.verdict"), "none")
    check.true("at most", report.metric("step.class.idle_share") <= report.metric("input.wait_limit_share") < 0.05)
    check.equal("time in infeed operations", report.metric("step.class.input_wait_ms"), 0)
    check.true("peer's statement", facts["input_conclusion"].startswith("Your program is NOT input-bound"))
    check.equal("step.count", report.metric("step.count"), 100)
