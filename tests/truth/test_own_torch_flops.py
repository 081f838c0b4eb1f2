"""FLOP of operators: of an own capture as PyTorch's own counter counted them, and of traces by hand."""

import json
import sys
import tempfile
from pathlib import Path

from torch_files import GPU, event, trace
from truth import SOURCE, Check, Report

check = Check()
H100 = {**GPU, "name": "NVIDIA H100 SXM5 80GB", "computeMajor": 9, "computeMinor": 0, "numSms": 132}
PEAK = 989.4e12


def report_on(events, gpu=H100):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps(trace(events, deviceProperties=[gpu])), encoding="utf-8")
        return Report(folder)


def operators(report):
    """{operator: row}, the last of several shapes."""
    return {row["operator"]: row for row in report.rows("operators/flop/list")}


def own_capture():
    check.part("own capture")
    folder = SOURCE / "tests" / "truth" / "own" / "torch_flops"
    flops = {}
    for row in Report(folder).rows("operators/flop/list"):
        flops[row["operator"]] = flops.get(row["operator"], 0) + row["gflop"]
    counted = json.loads((folder / "flops.json").read_text(encoding="utf-8"))
    check.true("several kinds", len(counted) >= 8)
    check.equal("the same operators", sorted(flops), sorted(counted))
    for name, flop in counted.items():
        check.near(name, flops[name], flop / 1e9, 1e-12)


def launched(name, at, length, number, kernels, **args):
    """An operator that launches a kernel for each (start, length)."""
    events = [event("cpu_op", name, at, length, **{"External id": number, **args})]
    for i, (start, duration) in enumerate(kernels):
        correlation = 100 * number + i
        events += [event("cuda_runtime", "cudaLaunchKernel", at + 1 + i, 0.5, **{"correlation": correlation, "External id": number}),
                   event("kernel", "gemm", start, duration, 0, 7, device=0, stream=7, correlation=correlation, grid=[1, 1, 1],
                         block=[32, 1, 1], **{"External id": number})]
    return events


def by_hand():
    """A step of 1 ms on an H100: a product of 2 × 4096³ FLOP in 200 µs, a compiled kernel that says its own, one without shapes."""
    product = 2 * 4096**3
    events = [event("user_annotation", "ProfilerStep#0", 0, 1000, **{"External id": 1}),
              *launched("aten::linear", 5, 90, 2, []),
              *launched("aten::mm", 10, 20, 3, [(100, 200)], **{"Input Dims": [[4096, 4096], [4096, 4096]]}),
              *launched("triton_poi_fused_0", 200, 20, 4, [(400, 50)], kernel_flop=3 * 10**9, **{"Input Dims": [[8]]}),
              *launched("aten::mm", 300, 20, 5, [(500, 100)])]
    for what, gpu, peak in (("H100", H100, PEAK), ("a GPU that is not known", {**H100, "name": "Future GPU", "computeMajor": 99}, None)):
        check.part("by hand, " + what)
        report = report_on(events, gpu)
        rows = operators(report)
        mm, fused = rows["aten::mm"], rows["triton_poi_fused_0"]
        check.near("product", mm["gflop"], product / 1e9)
        check.near("over the time of those calls alone", mm["gflop_per_s"], product / 200e-6 / 1e9)
        check.near("compiled kernel", fused["gflop"], 3)
        check.near("its rate", fused["gflop_per_s"], 3 / 50e-6)
        check.equal("not counted twice", sorted(rows), ["aten::mm", "triton_poi_fused_0"])
        check.near("sum", report.metric("torch.op.flop"), product + 3e9)
        check.near("rate", report.metric("torch.op.flop_per_s"), (product + 3e9) / 250e-6)
        if peak is None:
            check.equal("share", (mm.get("peak_share"), report.metric("torch.flops.utilization_share")), (None, None))
            continue
        check.near("share", mm["peak_share"], product / 200e-6 / peak)
        check.near("share of all", report.metric("torch.op.flop_peak_share"), (product + 3e9) / 250e-6 / peak)
        check.near("of the step", report.metric("torch.flops.utilization_share"), (product + 3e9) / 1e-3 / peak)
        check.true("what it is of: " + report.metrics["torch.flops.utilization_share"]["coverage"],
                   "71.4" in report.metrics["torch.flops.utilization_share"]["coverage"])

    check.part("more than possible")
    report = report_on([event("user_annotation", "ProfilerStep#0", 0, 1000), *launched(
        "aten::mm", 10, 20, 3, [(100, 2)], **{"Input Dims": [[4096, 4096], [4096, 4096]]})])
    check.true("says so", "125 %" in report.missing("torch.op.flop_peak_share"))

    check.part("most of it not known")
    product = [event("user_annotation", "ProfilerStep#0", 0, 1000), *launched(
        "aten::mm", 10, 20, 3, [(100, 20)], **{"Input Dims": [[1024, 1024], [1024, 1024]]})]
    report = report_on([*product, *launched("aten::add", 60, 20, 4, [(200, 700)])])
    check.near("what computes little", report.metric("torch.flops.utilization_share"), 2 * 1024**3 / 1e-3 / PEAK)
    report = report_on([*product, *launched("aten::cudnn_convolution", 60, 20, 4, [(200, 700)])])
    check.equal("products without shapes take most", report.metric("torch.flops.utilization_share"), None)
    check.true("says so", "less than half" in report.missing("torch.flops.utilization_share"))

    check.part("a GPU that deviceProperties number otherwise")
    for e in product:
        if e["cat"] == "kernel":
            e["pid"] = e["args"]["device"] = 2
    check.near("counts", report_on(product).metric("torch.flops.utilization_share"), 2 * 1024**3 / 1e-3 / PEAK)

    check.part("no shapes")
    report = report_on([event("user_annotation", "ProfilerStep#0", 0, 1000), *launched("aten::mm", 10, 20, 3, [(100, 200)])])
    check.true("says how", "record_shapes=True" in report.missing("torch.op.flop"))


def tile_notes(report):
    """What stands below the figure of the tile on FLOPS."""
    tiles = next(block for block in report.doc["sections"][0]["blocks"] if block["kind"] == "tiles")
    return next(tile["notes"] for tile in tiles["tiles"] if tile["metric"] == "torch.flops.utilization_share")


def no_products():
    """Shapes are there, and FLOP are not: the reason is not that shapes are missing."""
    step, dims = event("user_annotation", "ProfilerStep#0", 0, 1000), {"Input Dims": [[64, 64], [64, 64]]}
    for what, events, reason, notes in (
            ("nothing to count", launched("aten::add", 10, 20, 3, [(100, 200)], **dims),
             "no matmul, convolution or attention was recorded", ["no matmuls to count", "nor convolutions, attention"]),
            ("shapes of no product", launched("aten::mm", 10, 20, 3, [(100, 200)], **{"Input Dims": [[], []]}),
             "the recorded input shapes give the FLOP of no matmul, convolution or attention",
             ["unknown: input shapes", "of matmuls give no FLOP"]),
            ("no shapes", launched("aten::add", 10, 20, 3, [(100, 200)]),
             "the trace does not record input shapes (record_shapes=True)", ["not recorded: capture with", "record_shapes=True"])):
        check.part(what)
        report = report_on([step, *events])
        for metric in ("torch.op.flop", "torch.op.flop_per_s", "torch.flops.utilization_share"):
            check.equal(metric, report.missing(metric), reason)
        check.equal("tile", tile_notes(report), notes)


def captured_as_graph():
    """Products that are captured into a graph do not run: they have no rate, and are no use of the GPU."""
    check.part("captured as a graph")
    report = report_on([event("user_annotation", "ProfilerStep#0", 0, 1000, **{"External id": 1}),
                        *launched("aten::mm", 10, 20, 3, [], **{"Input Dims": [[4096, 4096], [4096, 4096]]}),
                        *launched("aten::relu", 200, 20, 4, [(400, 50)])])
    check.equal("rate", report.metric("torch.op.flop_per_s"), None)
    check.equal("tile", [note.replace("\u202f", " ") for note in tile_notes(report)], ["matmuls ran no kernels:", "captured as a graph?"])
    check.equal("use", report.metric("torch.flops.utilization_share"), None)
    check.true("why", "captured" in report.missing("torch.flops.utilization_share"))
    check.part("captured beside others")
    report = report_on([event("user_annotation", "ProfilerStep#0", 0, 1000, **{"External id": 1}),
                        *launched("aten::mm", 10, 20, 3, [], **{"Input Dims": [[4096, 4096], [4096, 4096]]}),
                        *launched("aten::mm", 200, 20, 4, [(400, 200)], **{"Input Dims": [[4096, 4096], [4096, 4096]]})])
    check.near("use", report.metric("torch.flops.utilization_share"), 2 * 4096**3 / 1e-3 / PEAK)


def main():
    own_capture()
    by_hand()
    no_products()
    captured_as_graph()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
