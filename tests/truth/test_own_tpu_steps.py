"""Classes of TPU steps of captures written by hand."""

import json
import sys

from by_hand import MS, classes, core, put, report_on, train
from truth import Check
from xspace_writer import Plane, xspace

check = Check()


def tpu_classes():
    check.part("classes of a TPU step")
    lengths = {"infeed": (10, 14), "outfeed": (5, 7), "all-reduce": (20, 12), "send": (3, 3), "recv-done": (4, 4),
               "host send": (2, 2), "loop fusion": (30, 28), "copy": (6, 6)}
    planes = []
    for number, step in ((0, 100), (1, 96)):
        plane, at = core(number, [("41", 5, 5 + step)]), 5
        line = plane.line("XLA Ops")
        for category, length in lengths.items():
            plane.op(f"{category}.1", hlo_category=category, program_id=1)
            ids = {"all_reduce_unique_id": 77} if category == "all-reduce" else {}
            put(line, (f"{category}.1", at, at + length[number], ids))
            at += length[number]
        put(line, ("copy.1", 200, 203))  # after the step: in no class
        planes.append(plane)
    report = report_on({"a": xspace(*planes)})
    classes(check, report, {"input_wait": 12, "output": 6, "collective": 16, "send_recv": 7, "host_transfer": 2, "compute": 35,
                     "idle": 22}, 100)
    # Core 0 runs for 80 ms, core 1 for 76; less infeed, outfeed and host transfer: 63 and 53.
    for part, ms in (("tc_compute", 53), ("tc_infeed", 14), ("tc_outfeed", 6), ("tc_idle", 100 - 53 - 14 - 6),
                     ("all_reduce_compute", 12), ("all_reduce_sync", 8)):
        check.near(part, report.metric(f"step.tpu.{part}_ms"), ms)
    check.near("input.wait_share", report.metric("input.wait_share"), 0.14)
    check.equal("verdict", report.metric("input.verdict"), "medium")
    # The mean over cores is told everywhere; that of the core that waits longest is said to be its.
    [row] = [row for row in report.rows("performance/table") if "input" in row["id"]]
    check.near("performance", row["value"], 0.12)
    check.true("and the worst: " + row["note"], "mean over cores" in row["note"] and
               "14.0\u202f% on the core that waits longest" in row["note"])
    check.equal("steps", list(report.steps()), ["41"])
    check.near("busy", report.metric("device.busy_ps"), (80 + 76 + 6) * MS)


def sparse_core():
    check.part("waiting for the SparseCore")
    planes = []
    for number, lengths in ((0, {"loop fusion": 30, "sparsecorev0 infeed": 10, "sparsecorev0 outfeed": 4}),
                            (1, {"loop fusion": 40, "sparsecorev0 infeed wait": 20, "sparsecorev0 infeed transform": 2})):
        plane, at = core(number, [("7", 0, 100)]), 0
        line = plane.line("XLA Ops")
        for category, length in lengths.items():
            plane.op(f"{category}.1", hlo_category=category, program_id=1)
            put(line, (f"{category}.1", at, at + length))
            at += length
        planes.append(plane)
    report = report_on({"a": xspace(*planes)})
    # Core 0 sends for 4 ms, so that 4 of the 10 are transforming; core 1 says itself which is which.
    classes(check, report, {"sparse_core": (6 + 20) / 2, "compute": (30 + 4 + 4 + 40 + 2) / 2, "idle": (56 + 38) / 2}, 100)
    for part, ms in (("tc_compute", 38), ("sparse_core", 20), ("tc_idle", 100 - 38 - 20), ("tc_infeed", 0)):
        check.near(part, report.metric(f"step.tpu.{part}_ms"), ms)


def input_of_the_host():
    """Cores that no operation feeds: idle is input as long as the host's step of that number had to do with it."""
    def capture(*host_events, with_infeed=False):
        planes = []
        for number, work in ((0, 40), (1, 60)):
            plane = core(number, [("7", 0, 100), ("8", 100, 200)])
            plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
            line = put(plane.line("XLA Ops"), ("fusion.1", 0, work), ("fusion.1", 100, 100 + work))
            if with_infeed:
                plane.op("infeed.1", hlo_category="infeed", program_id=1)
                put(line, ("infeed.1", 199, 200))
            planes.append(plane)
        plane = Plane("/host:CPU")
        put(plane.line("python"), *host_events)
        return report_on({"a": xspace(*planes, plane)})

    check.part("input that no operation receives")
    # Step 7: 30 ms of input, of which 10 overlap; tc_idle is 100 less the 40 of the core that computes least. 30 / 60 of
    # each core's idle time, 60 and 40 ms, is input. Step 8 has no marker on the host.
    report = capture(train(7, 0, 90), ("IteratorGetNext", 5, 25), ("MemcpyHToD", 25, 35))
    steps = report.steps()
    check.near("step 7: input", steps["7"]["input_wait"], (30 + 20) / 2)
    check.near("step 7: idle", steps["7"]["idle"], (30 + 20) / 2)
    check.near("step 8: idle", steps["8"]["idle"], 50)
    check.equal("step 8: no input", steps["8"]["input_wait"], 0)
    check.near("tc_infeed", report.metric("step.tpu.tc_infeed_ms"), 30 / 2)
    check.near("tc_idle", report.metric("step.tpu.tc_idle_ms"), (30 + 60) / 2)
    check.near("wait share", report.metric("input.wait_share"), 30 / 200)
    check.true("said so", "no operation receives input" in json.dumps(report.doc["sections"]).lower())

    check.part("more input than idle time")
    report = capture(train(7, 0, 90), ("IteratorGetNext", 5, 85))
    check.near("all of it", report.steps()["7"]["input_wait"], 50)

    check.part("overlapping input counts once")
    report = capture(train(7, 0, 90), ("IteratorGetNext", 5, 35), ("MemcpyHToD", 10, 30))
    check.near("input", report.steps()["7"]["input_wait"], 25)

    check.part("where there is an infeed, that is what input is")
    report = capture(train(7, 0, 90), ("IteratorGetNext", 5, 35), with_infeed=True)
    check.equal("step 7", report.steps()["7"]["input_wait"], 0)


def tpu_step_counts():
    check.part("TPU steps")
    ops = [("fusion.1", at * 10, at * 10 + 9) for at in range(8)]
    planes = []
    for number, missing in ((0, None), (1, 3)):
        plane = core(number, [(str(98 + at), at * 10, at * 10 + 10) for at in range(8) if at != missing])
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        put(plane.line("XLA Ops"), *ops)
        planes.append(plane)
    report = report_on({"a": xspace(*planes)})
    # More than five, and none trimmed; in order of number, not of text; step 101 is not on core 1.
    check.equal("steps", list(report.steps()), ["98", "99", "100", "102", "103", "104", "105"])
    check.equal("step.count", report.metric("step.count"), 7)
    check.true("coverage", "7 of 8" in report.metrics["step.count"]["coverage"])
    classes(check, report, {"compute": 9, "idle": 1}, 10)

    check.part("markers that overlap")
    plane = core(0, [("1", 0, 11), ("2", 10, 20)])
    plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
    put(plane.line("XLA Ops"), ("fusion.1", 0, 8), ("fusion.1", 10, 14))
    steps = report_on({"a": xspace(plane)}).steps()
    check.near("step 1", steps["1"]["compute"], 8)
    check.near("step 2: what begins in both is its", steps["2"]["compute"], 4)


def chip_clock():
    check.part("the chip's clock")
    plane = Plane("/device:TPU:0", device_type_string="TPU v9")
    # On the host's clock the operation begins after the step.
    put(plane.line("Steps"), ("1", 0, 10, {"device_offset_ps": 500 * MS, "device_duration_ps": 20 * MS}))
    plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
    put(plane.line("XLA Ops"), ("fusion.1", 12, 21, {"device_offset_ps": 502 * MS, "device_duration_ps": 15 * MS}))
    report = report_on({"a": xspace(plane)})
    classes(check, report, {"compute": 15, "idle": 5}, 20)
    check.equal("busy", report.metric("device.busy_ps"), 15 * MS)
    check.equal("total", report.metric("device.total_ps"), 20 * MS)


def main():
    for part in (tpu_classes, sparse_core, input_of_the_host, tpu_step_counts, chip_clock):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
