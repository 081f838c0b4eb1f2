"""Synthetic TPU training profiles against the figures that their generator worked out beforehand, to the last digit."""

import json
import sys
import tempfile

import expected_tpu
import expected_tpu_ops
import peer_ops
import roofline_truth
import unmarked
import xspace_truth as own
from peer_columns import FOLLOWS, OF_XLA_TABLES, SAYS_NOTHING
from tracked import Coverage, Seen
from truth import Check, Report, test_data
from xspace_reader import read_xspace

check = Check()

# What of expected.json is compared nowhere, and why not. All else is, or the test fails.
NOT_COMPARED = {
    "case": "a name",
    "SYNTHETIC": "a remark",
    "xprof_lockstep_variant.*": "what the peer prints: it pairs steps by their ordinal and charges operations between steps to "
                                "the step before. We pair them by name, see step_source_tpu.c.",
    "op_profile.xprof_*": "the peer's denominators: it mixes the clocks of host and chip. Ours is the chip's.",
    "device.idle_percent_xprof": "likewise",
    "op_profile.by_category.while.flops": "what a loop does is what the operations in it do, and counts once, as theirs",
    "input_bound.*_of_summed_parts_xprof": "over the sum of parts that overlap; ours is over step time",
    "input_bound.classification_xprof_denominator": "likewise",
    "input_bound.tc_idle_percent": "likewise",
    "input_bound.all_reduce_*": "likewise",
    "input_bound.output_*": "likewise",
    "environment.global_batch_size": "not in the profile, and not inferred without infeed",
    "environment.per_core_batch": "likewise",
    "memory_viewer*": "compared in test_memory.py",
    "pod.topology[].*": "numbers on a chip or host that the report does not need besides those of the whole run",
    "pod.per_step_core[].xprof_*": "the peer's coarser parts",
    "pod.latency_definition": "words",
}

# Columns of the peer's tables that are compared nowhere, and why not. All else is, or the test fails.
NO_COLUMNS = OF_XLA_TABLES | {
    "roofline_model.max_mem_bw_utilization": FOLLOWS,
}


def second_computation(report, logdir, expected):
    """The same from the protobufs, so that a slip of generator and program alike would show."""
    spaces = [read_xspace(file) for file in sorted(logdir.glob("**/*.xplane.pb"))]
    check.equal("busy and total", own.device_ps(spaces),
                (expected["op_profile"]["busy_ps"], expected["op_profile"]["total_time_ps"]))
    program = int(expected["program"].rstrip(")").rpartition("(")[2])
    totals = {label: one for (of, label), one in own.op_totals(spaces).items() if of == program}
    for op in expected["op_profile"]["ops"]:
        keys = ("self_ps", "time_ps", "occurrences") + (
            () if op["category"] in own.CONTAINERS else ("flops", "hbm_bytes"))
        check.equal(f"{op['name']} by protobuf", tuple(totals[op["name"]][key] for key in keys),
                    tuple(op[key] for key in keys))
    mine = report.steps()
    for name, step in own.tpu_steps(spaces).items():
        for part in ("compute", "collective", "input_wait", "output", "send_recv", "idle"):
            check.near(f"step {name} {part} by protobuf", mine[name].get(part, 0), step[part] / 1e9, abs_=1e-9)


def peer(report, case, expected):
    """What the existing tool says of the operations, row by row."""
    spaces = [read_xspace(file) for file in sorted((case / "logdir").glob("**/*.xplane.pb"))]
    totals, said = own.op_totals(spaces), expected["environment"]
    peaks = said["peak_tflops_per_core"] * 1e12, said["peak_hbm_gb_per_s_per_core"] * 1e9
    for tool, key, table in (("category", "byCategory", "tree"), ("program", "byProgram", "by-program"),
                             ("provenance", "byProvenance", "by-scope")):
        answer = peer_ops.answer(case / "xprof", f"op_profile_by_{tool}")
        if answer is not None and report.rows(f"operations/{table}"):
            peer_ops.op_profile(check, report, f"operations/{table}", answer[key], totals, peaks)
    peer_ops.hlo_stats(check, report, peer_ops.answer(case / "xprof", "hlo_stats"), totals, peaks,
                       expected["op_profile"]["xprof_total_time_ps"])
    peer_ops.cards(check, report, totals, None)
    peer_ops.framework_stats(check, report, peer_ops.answer(case / "xprof", "framework_op_stats"), spaces)


def top(report, case):
    for table in peer_ops.answer(case / "xprof", "overview_page"):
        if any(column["id"] == "selfTimePercent" for column in table.get("cols", [])):
            peer_ops.top(check, report, peer_ops.rows_of(table))


def without_marks(report, logdir, program):
    """The same steps from the runs of the program alone, and from the sequence of its operations."""
    lengths = unmarked.inferred_tpu_steps(logdir, program)
    for more in ((), ("XLA Modules",)):
        with tempfile.TemporaryDirectory() as folder:
            bare = Report(unmarked.unmark(logdir, folder, ("Steps", *more)), "--top", "all")
        check.part(f"{logdir.parent.name} without Steps {' '.join(more)}")
        expected_tpu.inferred(check, bare, report, lengths, slack_ms=0.15 if more else 0)


def peers_roofline(report, case):
    table = peer_ops.answer(case / "xprof", "roofline_model")[0]
    rows = peer_ops.rows_of(table)
    fed = roofline_truth.peer(check, report, rows, table["p"])
    # The peer's average step of this case is over other steps: it pairs them by their ordinal, see step_source_tpu.c.
    if case.name != "outfeed_and_idle":
        roofline_truth.average_step(check, report, fed)


def main():
    coverage = Coverage(NOT_COMPARED)
    for case in sorted(test_data("synth").glob("*/expected.json")):
        before = check.count
        check.part(case.parent.name)
        expected = json.loads(case.read_text(encoding="utf-8"))
        report = Report(case.parent / "logdir", "--top", "all")
        seen = Seen(expected)
        expected_tpu.everything(check, report, seen.value)
        expected_tpu_ops.everything(check, report, seen.value)
        coverage.end_of_file(check, seen)
        second_computation(report, case.parent / "logdir", expected)
        peer(report, case.parent, expected)
        top(report, case.parent)
        without_marks(report, case.parent / "logdir", json.loads((case.parent / "params.json").read_text())["module"]["name"])
        peers_roofline(report, case.parent)
        print(f"{case.parent.name}: {check.count - before} figures")
    coverage.end(check)
    peer_ops.columns.end(check, NO_COLUMNS)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
