"""Synthetic TPU training profiles against the figures that their generator worked out beforehand, to the last digit."""

import json
import sys

import expected_tpu
import xspace_truth as own
from truth import Check, Report, test_data
from xspace_reader import read_xspace

check = Check()


def second_computation(report, logdir, expected):
    """The same from the protobufs, so that a slip of generator and program alike would show."""
    spaces = [read_xspace(file) for file in sorted(logdir.glob("**/*.xplane.pb"))]
    check.equal("busy and total", own.device_ps(spaces),
                (expected["op_profile"]["busy_ps"], expected["op_profile"]["total_time_ps"]))
    totals = {label: one for (_, label), one in own.op_totals(spaces).items()}
    for op in expected["op_profile"]["ops"]:
        check.equal(f"{op['name']} by protobuf", tuple(totals[op["name"]][key] for key in (
            "self_ps", "time_ps", "occurrences", "flops", "hbm_bytes")), tuple(op[key] for key in (
                "self_ps", "time_ps", "occurrences", "flops", "hbm_bytes")))
    mine = report.steps()
    for name, step in own.tpu_steps(spaces).items():
        for part in ("compute", "collective", "input_wait", "output", "send_recv", "idle"):
            check.near(f"step {name} {part} by protobuf", mine[name].get(part, 0), step[part] / 1e9, abs_=1e-9)


def main():
    for case in sorted(test_data("synth").glob("*/expected.json")):
        before = check.count
        check.part(case.parent.name)
        expected = json.loads(case.read_text(encoding="utf-8"))
        report = Report(case.parent / "logdir", "--top", "all")
        expected_tpu.everything(check, report, expected)
        second_computation(report, case.parent / "logdir", expected)
        print(f"{case.parent.name}: {check.count - before} figures")
    check.end()


if __name__ == "__main__":
    sys.exit(main())
