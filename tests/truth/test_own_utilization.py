"""How much of the device captures written by hand use: the roofline and the duty cycle."""

import sys

from by_hand import accesses, core, put, report_on
from truth import Check
from xspace_writer import Plane, field, xspace

check = Check()


def roofline():
    """One TFLOP/s, one GB/s of HBM, 10 and 5 GB/s of VMEM; two steps of 100 ms, and 50 ms of work after them."""
    check.part("roofline")
    plane = core(0, [("1", 0, 100), ("2", 100, 200)], peak_vmem_rd_bw_gigabytes_per_second=10.0,
                 peak_vmem_wr_bw_gigabytes_per_second=5.0)
    mega = 10**6
    plane.op("while.1", hlo_category="while", program_id=1, flops=10**15, bytes_accessed=10**15)
    plane.op("dot.1", hlo_category="convolution", program_id=1, flops=20 * 10**9, bytes_accessed=4 * mega,
             memory_access_breakdown=accesses((1, 1, 4 * mega), (1, 3, 300 * mega), (2, 3, 100 * mega)))
    plane.op("add.1", hlo_category="loop fusion", program_id=1, flops=5 * 10**6, bytes_accessed=10 * mega)
    plane.op("vector.1", hlo_category="loop fusion", program_id=1, flops=10**6, bytes_accessed=mega,
             memory_access_breakdown=accesses((1, 1, mega), (2, 3, 40 * mega)))
    plane.op("copy-start.1", hlo_category="copy-start", program_id=1, flops=0, bytes_accessed=50 * mega)
    plane.op("custom-call.1", hlo_category="custom-call", program_id=1, flops=0, bytes_accessed=0)
    plane.op("infeed.1", hlo_category="infeed", program_id=1, flops=0, bytes_accessed=mega)
    plane.op("nothing.1", hlo_category="loop fusion", program_id=1, flops=0, bytes_accessed=0)
    line = plane.line("XLA Ops")
    for at in (0, 100):
        put(line, ("while.1", at, at + 60), ("dot.1", at, at + 40), ("add.1", at + 40, at + 60),
            ("copy-start.1", at + 60, at + 61), ("vector.1", at + 61, at + 71),
            ("custom-call.1", at + 71, at + 76, {"flops": 10**9, "bytes_accessed": 2 * mega}),
            ("infeed.1", at + 76, at + 96), ("nothing.1", at + 96, at + 97))
    put(line, ("add.1", 200, 250))
    report = report_on({"a": xspace(plane)})
    # A step: 20 + 1 GFLOP and 6 MFLOP; 4 + 10 + 50 + 1 + 2 + 1 MB of HBM. Afterwards 5 MFLOP and 10 MB more.
    flop, moved = 2 * 21.006e9, 2 * 68e6
    for key, ms, (flop, moved) in (("step", 200, (flop, moved)), ("operations", 2 * 97, (flop, moved)),
                                   ("program", 250, (flop + 5e6, moved + 10e6)),
                                   ("unfed", 210, (flop + 5e6, moved + 8e6))):
        check.near(f"{key} FLOP/s", report.metric(f"roofline.{key}.flop_per_s"), flop / ms * 1e3)
        check.near(f"{key} HBM", report.metric(f"roofline.{key}.hbm_share"), moved / ms * 1e3 / 1e9)
        check.near(f"{key} FLOPS", report.metric(f"roofline.{key}.flops_share"), flop / ms * 1e3 / 1e12)
        check.near(f"{key} intensity", report.metric(f"roofline.{key}.intensity_flop_per_byte"), flop / moved)
        # VMEM is read at 600 MB and written at 280 MB in all; HBM is used more.
        check.equal(f"{key} bound by", report.metric(f"roofline.{key}.bound_by"), "HBM")
        check.near(f"{key} efficiency", report.metric(f"roofline.{key}.efficiency_share"), moved / ms * 1e3 / 1e9)
    check.near("relative to the roofline", report.metric("flops.relative_to_roofline_share"), 136 / 194)
    check.near("ridge point", report.metric("roofline.ridge_flop_per_byte"), 1000)
    ridges = {row["limit"]: row["ridge_flop_per_byte"] for row in report.rows("roofline/ceilings")}
    check.equal("ridge points", ridges, {"compute": None, "HBM": 1000, "VMEM read": 100, "VMEM write": 200})

    rows = {row["name"]: row for row in report.rows("roofline/operations")}
    check.equal("operations that state costs, loops not", sorted(rows),
                ["add.1", "copy-start.1", "custom-call.1", "dot.1", "infeed.1", "vector.1"])
    # dot.1 reads 300 MB of VMEM in 40 ms: 75 % of 10 GB/s; its 500 GFLOP/s are 50 % of compute.
    for name, bound, share, flops, vmem_read in (("dot.1", "VMEM read", .75, .5, 7.5), ("add.1", "HBM", 30 / 90, 15e6 / .09 / 1e12, 0),
                                                 ("vector.1", "VMEM write", .8, 1e-4, 0),
                                                 ("custom-call.1", "HBM", .4, .2, 0), ("infeed.1", "HBM", .05, 0, 0)):
        check.equal(f"{name} bound by", rows[name]["bound_by"], bound)
        check.near(f"{name} efficiency", rows[name]["efficiency_share"], share)
        check.near(f"{name} of peak FLOP/s", rows[name]["flops_share"], flops)
        check.near(f"{name} VMEM read", rows[name]["vmem_read_gb_per_s"], vmem_read)
    # 50 MB in one millisecond are 50 times what memory allows.
    for column in ("bound_by", "efficiency_share", "hbm_gb_per_s"):
        check.equal(f"copy-start.1 {column}", rows["copy-start.1"][column], None)
    chart = report.blocks["roofline/chart"]
    places = {point["label"]: (point["role"], point["x"], point["y"]) for point in chart["points"]}
    check.equal("in the chart", sorted(places),
                ["add.1", "average step", "custom-call.1", "dot.1", "vector.1", "whole program"])
    check.equal("dot.1", places["dot.1"], ("named", 5000, 5e11))
    check.equal("ceilings", {c["key"]: c.get("y", c.get("slope")) for c in chart["ceilings"]},
                {"compute": 1e12, "hbm": 1e9, "vmem_read": 1e10, "vmem_write": 5e9})

    check.part("roofline without steps")
    plane.lines = [one for one in plane.lines if one[0] != "Steps"]
    report = report_on({"a": xspace(plane)})
    check.equal("average step", report.metric("roofline.step.flop_per_s"), None)
    check.near("all operations", report.metric("roofline.operations.hbm_share"), 146 / 244)

    check.part("roofline without a peak")
    plane = Plane("/device:TPU:0", device_type_string="TPU v9", peak_teraflops_per_second=1.0)
    plane.op("dot.1", hlo_category="convolution", program_id=1, flops=10**9, bytes_accessed=10**6)
    put(plane.line("XLA Ops"), ("dot.1", 0, 40))
    files = {"a": xspace(plane)}
    report = report_on(files)
    check.equal("none", report.metric("roofline.program.efficiency_share"), None)
    check.true("why, and what to do", "--peak hbm=" in report.missing("roofline.program.efficiency_share"))
    report = report_on(files, "--peak", "hbm=1G")
    check.near("given", report.metric("roofline.program.efficiency_share"), 25 / 1000)
    check.equal("source", report.metric("memory_bandwidth.peak_source"), "user")


def duty_cycle():
    check.part("duty cycle of two cores of a chip")
    planes = []
    for number, events in ((0, [("fusion.1", 0, 4), ("infeed.1", 4, 8)]), (1, [("fusion.1", 2, 6), ("fusion.1", 9, 10)])):
        plane = core(number, core_details=field(2, number) + field(4, 0))
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        plane.op("infeed.1", hlo_category="infeed", program_id=1)
        put(plane.line("XLA Ops"), *events)
        put(plane.line("XLA Modules"), ("jit_f", 0, 20))
        planes.append(plane)
    report = report_on({"a": xspace(*planes)})
    # On duty 0 … 6 and 9 … 10, of 0 … 20; infeed is not duty, and two cores at once count once.
    check.near("share", report.metric("device.duty_cycle_share"), 7 / 20)
    check.near("of each core's chip", report.metric("device.duty_cycle_share@host=a,device=TPU:1"), 7 / 20)
    check.equal("chips", report.metric("run.devices"), 1)

    check.part("duty cycle: of nested operations the innermost counts")
    # The peer says 65.0 %, too.
    plane = core(0, [("7", 0, 100)])
    for name, category in (("while.1", "while"), ("infeed", "infeed"), ("fusion.1", "loop fusion"), ("wait", "async-done")):
        plane.op(name, hlo_category=category, program_id=1)
    put(plane.line("XLA Ops"), ("while.1", 0, 100), ("infeed", 10, 40), ("fusion.1", 40, 90), ("wait", 90, 95))
    check.near("on duty", report_on({"a": xspace(plane)}).metric("device.duty_cycle_share"), 0.65)


def main():
    for part in (roofline, duty_cycle):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
