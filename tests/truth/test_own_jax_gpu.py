"""A JAX loop on a GPU, whose kernels a command buffer replays: steps, marked and inferred, against the loop's own clock; what kernels
worked on, against the events read by a second reader and the program's HLO text."""

import json
import re
import statistics
from pathlib import Path

from truth import Check, Report, blocks_in, run
from xspace_reader import read_xspace

HERE = Path(__file__).parent / "own" / "jax_gpu"
WALL_MS = json.loads((HERE / "steps.json").read_text(encoding="utf-8"))
MS = 10**9
check = Check()


def kernels_of(name):
    planes, _ = read_xspace(HERE / f"{name}.xplane.pb.gz")
    return sorted((event.start, event.end) for plane in planes if plane.name.startswith("/device:GPU")
                  for line in plane.lines if line.name.startswith("Stream") for event in line.events)


def instructions():
    """{kernel name: (result and operand types, whole line)} of the entry computation, from the HLO text."""
    text = run("hlo", HERE / "marked.xplane.pb.gz", "jit_train_step").stdout.decode("utf-8")
    entry = text[text.index("ENTRY"):]
    lines = {m[1]: m[2] for m in re.finditer(r"^ +(?:ROOT )?(\S+) = (.*)$", entry, re.M)}
    found = {}
    for name, line in lines.items():
        operands = re.search(r" (?:fusion|custom-call)\(([^)]*)\)", line)
        if operands:
            shapes = [line.split(" fusion(")[0].split(" custom-call(")[0],
                      *[re.match(r"\(.*?\)|\S+", lines[one])[0] for one in operands[1].split(", ")]]
            found[re.sub(r"\W", "_", name)] = " ".join(shapes)
    return found


def kernels_and_their_instructions():
    check.part("kernels of a command buffer")
    report = Report(HERE / "marked.xplane.pb.gz")
    known = instructions()
    planes, _ = read_xspace(HERE / "marked.xplane.pb.gz")
    events = [e for plane in planes if plane.name.startswith("/device:GPU") for line in plane.lines for e in line.events]
    half = every = 0
    for event in events:
        every += event.end - event.start
        # cuBLAS names its kernels itself: a program's matrix products of bf16 are nvjet_sm90_tst… (t: bf16).
        half += (event.end - event.start) * ("bf16[" in known.get(event.name, "") or event.name.startswith("nvjet_sm90_t"))
    check.true("nearly all is found", half > 0.98 * every)
    check.near("16-bit share", report.metric("precision.compute_16bit_share"), half / every, rel=1e-6)
    precision = [f["status"] for f in report.doc["findings"] if f["id"] == "TPR-PREC-001"]
    check.equal("16-bit products are not found fault with", precision, ["passed"])
    tables = {key: table for section in report.doc["sections"] for key, table in blocks_in(section["blocks"]).items()}
    rows = {row["cells"]["kernel"]["value"]: row["cells"] for row in tables["kernels/list"]["rows"]}
    check.equal("layer of the longest product of Triton", rows["gemm_fusion_dot_general_18"]["operation"]["value"],
                "jit(train_step)/transpose(jvp(layer_2))/dot_general")
    check.equal("cuBLAS's own are of no instruction", rows["nvjet_sm90_tst_128x128_64x6_1x2_h_bz_NTT"]["operation"]["value"], "")


def products_of_the_loop():
    """FLOP of a step's matrix products by the sizes of capture.py's layers; the first layer's input needs no gradient. Each kernel of
    the two captures belongs to one of their ten steps."""
    check.part("matrix products")
    sizes, batch = (1024, 4096, 4096, 4096, 512), 2048
    layers = [2 * batch * a * b for a, b in zip(sizes, sizes[1:])]
    flops = 3 * sum(layers) - layers[0]
    for name in ("marked", "unmarked"):
        report = Report(HERE / f"{name}.xplane.pb.gz")
        kernels = kernels_of(name)
        window = (max(end for _, end in kernels) - kernels[0][0]) / 1e12
        busy = busy_ms(kernels) / 1e3
        check.near(f"{name}: FLOP/s", report.metric("flops.rate_per_s"), 10 * flops / window, rel=1e-9)
        check.near(f"{name}: of the peak", report.metric("flops.utilization_share"), 10 * flops / window / 989e12, rel=1e-9)
        check.near(f"{name}: while busy", report.metric("flops.busy_utilization_share"), 10 * flops / busy / 989e12, rel=1e-9)
        check.true("says of what", "matmuls" in report.metrics["flops.utilization_share"]["coverage"])
        check.equal("bytes are not known", report.metric("memory_bandwidth.utilization_share"), None)
    rows = {row["name"]: row for row in Report(HERE / "marked.xplane.pb.gz").rows("operations/list")}
    check.near("a kernel of Triton", rows["gemm_fusion_dot_general_18"]["gflop_per_s"],
               layers[1] / 1e9 / (rows["gemm_fusion_dot_general_18"]["total_ms"] / 20 / 1e3), rel=1e-4)
    check.near("cuBLAS", rows["nvjet_sm90_tst_128x128_64x6_1x2_h_bz_NTT"]["gflop_per_s"],
               layers[1] / 1e9 / (rows["nvjet_sm90_tst_128x128_64x6_1x2_h_bz_NTT"]["total_ms"] / 20 / 1e3), rel=1e-4)
    check.equal("what computes no product has no rate", rows["fusion_36"]["gflop_per_s"], None)
    check.equal("nor is known what it wastes", rows["gemm_fusion_dot_general_18"].get("wasted_ms"), None)


def busy_ms(kernels):
    total = until = 0
    for start, end in kernels:
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total / MS


def marked():
    """A marker ends right before the loop reads its clock: it is at most a tenth of a millisecond shorter."""
    check.part("marked")
    report = Report(HERE / "marked.xplane.pb.gz")
    check.equal("step_source", report.metric("run.step_source"), "markers")
    check.equal("first and last left out", list(report.steps()), [str(n) for n in range(1, 9)])
    for (number, ms), wall in zip(report.step_ms().items(), WALL_MS["marked"][1:9]):
        check.true(f"step {number}: {ms} of {wall} ms", 0 <= wall - ms <= 0.1)


def unmarked():
    """The call that repeats begins a step; a step lasts until the next begins, so sleep is a part of those that end with it. The first
    call of the capture is no step: the loop has not come round to it yet."""
    check.part("unmarked")
    report = Report(HERE / "unmarked.xplane.pb.gz")
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    check.equal("steps are counted", list(report.steps()), [str(n) for n in range(1, 8)])
    walls = [wall + (4 if number % 3 == 2 else 0) for number, wall in enumerate(WALL_MS["unmarked"])]
    for (number, ms), wall in zip(report.step_ms().items(), walls[2:9]):
        check.near(f"step {number}", ms, wall, abs_=0.6)
    check.near("median", report.metric("step.time.p50_ms"), statistics.median(walls[2:9]), rel=0.1)
    check.true("named so on the run line", "steps 1–7" in json.dumps(report.doc["sections"][0], ensure_ascii=False))


def compute():
    for name in ("marked", "unmarked"):
        check.part(f"kernels of {name}")
        check.near("busy", Report(HERE / f"{name}.xplane.pb.gz").metric("device.busy_ps") / MS, busy_ms(kernels_of(name)), rel=1e-9)


marked()
unmarked()
compute()
products_of_the_loop()
kernels_and_their_instructions()
check.end()
