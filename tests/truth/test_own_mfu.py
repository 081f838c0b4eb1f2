"""MFU, HFU and tokens per second: by hand of a made training loop, of a real one of an H200 with what the program says of its model, of a
run of JAX, and of an engine; missing with the reason where it cannot be known."""

import json
import tempfile
from pathlib import Path

from serving_trace import H100, Made
from torch_files import event, trace
from truth import SOURCE, Check, Report, run

check = Check()
OWN = SOURCE / "tests" / "truth" / "own" / "torch_iterations"
PEAK = 989.4e12
PARAMS, TOKENS = 1e9, 4096


def report_on(made, *options):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps(made), encoding="utf-8")
        return Report(folder, *options)


def steps(gpu=H100, dims=None, more=(), world=1):
    """Five ProfilerSteps of 100 ms without a gap, each a kernel of 80 ms; with shapes a product of 2·4096³ FLOP each."""
    events = list(more)
    for i in range(5):
        at = 1000 + 100000 * i
        shapes = {"Input Dims": dims} if dims else {}
        events += [event("user_annotation", "ProfilerStep#%d" % i, at, 100000, **{"External id": 10 * i + 1}),
                   event("cpu_op", "aten::mm", at + 10, 90, **{"External id": 10 * i + 2, **shapes}),
                   event("cuda_runtime", "cudaLaunchKernel", at + 20, 5, **{"correlation": i + 1, "External id": 10 * i + 2}),
                   event("kernel", "gemm", at + 100, 80000, 0, 7, device=0, stream=7, correlation=i + 1, grid=[1, 1, 1], block=[32, 1, 1])]
    info = {"distributedInfo": {"backend": "nccl", "rank": 0, "world_size": world}} if world > 1 else {}
    return trace(events, deviceProperties=[gpu], **info)


def training():
    check.part("6·N·tokens")
    report = report_on(steps(), "--params", "1e9", "--tokens-per-step", "4096")
    check.near("MFU", report.metric("llm.mfu_share"), 6 * PARAMS * TOKENS / (0.1 * PEAK), 1e-3)
    check.near("tokens/s", report.metric("llm.tokens_per_s"), TOKENS / 0.1, 1e-3)
    check.true("the formula has the numbers", "6 × 1,000,000,000 parameters × 4,096 tokens" in report.metrics["llm.mfu_share"]["coverage"])
    check.true("and stands in a section", "MFU = " in json.dumps(report.section("llm"), ensure_ascii=False))
    check.part("with attention")
    attention = ("--layers", "24", "--hidden", "2048", "--seq", "2048")
    causal = report_on(steps(), "--params", "1B", "--tokens-per-step", "4096", *attention)
    full = report_on(steps(), "--params", "1B", "--tokens-per-step", "4096", *attention, "--attention", "full")
    # MaxText and Megatron-Core halve it, PaLM and older Megatron do not: tests/unit/test_model_flops.c has their formulas
    check.near("causal", causal.metric("llm.mfu_share"), (6 * PARAMS + 6 * 24 * 2048 * 2048) * TOKENS / (0.1 * PEAK), 1e-3)
    check.near("full", full.metric("llm.mfu_share"), (6 * PARAMS + 12 * 24 * 2048 * 2048) * TOKENS / (0.1 * PEAK), 1e-3)
    check.part("--model-flops")
    check.near("MFU", report_on(steps(), "--model-flops", "2e13").metric("llm.mfu_share"), 2e13 / (0.1 * PEAK), 1e-3)
    check.part("--peak")
    check.near("MFU", report_on(steps(), "--model-flops", "2e13", "--peak", "flops=500T").metric("llm.mfu_share"), 2e13 / 50e12, 1e-3)
    check.part("one of eight ranks")
    check.near("MFU", report_on(steps(world=8), "--model-flops", "2e13").metric("llm.mfu_share"), 2e13 / (0.1 * PEAK * 8), 1e-3)


def shapes():
    product = 2 * 4096**3
    dims = [[4096, 4096], [4096, 4096]]
    check.part("counted from shapes")
    report = report_on(steps(dims=dims))
    check.near("HFU", report.metric("llm.hfu_share"), product / (0.1 * PEAK), 1e-3)
    check.near("MFU, for nothing is computed twice", report.metric("llm.mfu_share"), product / (0.1 * PEAK), 1e-3)
    check.part("activations recomputed")
    again = [event("cpu_op", "CheckpointFunctionBackward", 1200, 50, **{"External id": 900})]
    report = report_on(steps(dims=dims, more=again))
    check.near("HFU stays", report.metric("llm.hfu_share"), product / (0.1 * PEAK), 1e-3)
    check.equal("is no MFU", report.metric("llm.mfu_share"), None)
    check.true("says why", "computed twice" in report.missing("llm.mfu_share"))


def missing():
    check.part("no FLOPs")
    check.true("says what to give", "--params" in report_on(steps()).missing("llm.mfu_share"))
    check.part("no tokens")
    check.true("says so", "--tokens-per-step" in report_on(steps(), "--params", "8e9").missing("llm.mfu_share"))
    check.part("no peak")
    unknown = report_on(steps({**H100, "name": "Future GPU", "computeMajor": 99}), "--model-flops", "2e13")
    check.equal("MFU", unknown.metric("llm.mfu_share"), None)
    check.true("says so", len(unknown.missing("llm.mfu_share")) > 10)
    check.part("above what is possible")
    check.true("is no figure", "above 100 %" in report_on(steps(), "--model-flops", "1e18").missing("llm.mfu_share"))
    check.part("words that are no numbers")
    for option, word in (("--params", "many"), ("--params", "-3"), ("--params", "nan"), ("--seq", "0"), ("--attention", "half"),
                         ("--steps", "(")):
        check.equal(f"{option} {word}", run(OWN / "train_annotated.pt.trace.json.gz", option, word, "-o", "-").returncode, 2)


def real():
    """The program's own step times, its parameters without embeddings, 4,096 tokens in two microbatches, an H200 of 989 TFLOP/s. What
    the program times of a step is the step and the batch before it; some 2 % of the time between steps are outside of its clock."""
    check.part("train_annotated")
    truth = json.loads((OWN / "truth.json").read_text(encoding="utf-8"))["train_annotated"]
    report = Report(OWN / "train_annotated.pt.trace.json.gz", "--params", truth["params_without_embeddings"], "--tokens-per-step",
                    truth["tokens_per_step"], "--layers", truth["layers"], "--hidden", truth["hidden"], "--seq", truth["seq"])
    mean = sum(s["host_ms"] for s in truth["steps"]) / len(truth["steps"]) / 1000
    flops = (6 * truth["params_without_embeddings"] + 6 * truth["layers"] * truth["hidden"] * truth["seq"]) * truth["tokens_per_step"]
    check.near("MFU", report.metric("llm.mfu_share"), flops / (mean * 989e12), 0.03)
    check.near("tokens/s", report.metric("llm.tokens_per_s"), truth["tokens_per_step"] / mean, 0.03)


def others():
    check.part("JAX")
    path = SOURCE / "examples" / "jax_cnn" / "input"
    if path.exists():
        plain = Report(path)
        check.true("hardware FLOPS are not called MFU", plain.metric("llm.mfu_share") is None)
        report = Report(path, "--model-flops", "1e9", "--tokens-per-step", "1000", "--peak", "flops=100T")
        check.true("tokens/s", report.metric("llm.tokens_per_s") is not None or report.missing("llm.tokens_per_s") != "")
    check.part("an engine")
    report = report_on(Made().engine().trace(), "--params", "8e9")
    seconds = (4 * 4.0 + 40 * 0.9 + 43 * 0.25) / 1000
    tokens = 4 * 256 + 40 * 8
    check.near("MFU", report.metric("llm.mfu_share"), 2 * 8e9 * tokens / (seconds * PEAK), 1e-3)
    check.near("a device", report.metric("llm.model_flop_per_s"), 2 * 8e9 * tokens / seconds, 1e-3)
    rows = {row["kind"]: row for row in report.rows("llm/kinds")}
    check.near("prefill", rows["Prefill"]["mfu_share"], 2 * 8e9 * 4 * 256 / (4 * 0.004 * PEAK), 1e-3)
    check.near("decode", rows["Decode"]["mfu_share"], 2 * 8e9 * 40 * 8 / (40 * 0.0009 * PEAK), 1e-3)
    check.part("two engines on two GPUs")
    made = Made().engine()
    report = report_on(made.engine(begin=1000.0, thread=12, gpu=1, stream=9).trace(), "--params", "8e9")
    check.near("MFU is that of one", report.metric("llm.mfu_share"), 2 * 8e9 * tokens / (seconds * PEAK), 1e-3)
    rows = {row["kind"]: row for row in report.rows("llm/kinds")}
    check.near("of decode too", rows["Decode"]["mfu_share"], 2 * 8e9 * 40 * 8 / (40 * 0.0009 * PEAK), 1e-3)


training()
shapes()
missing()
real()
others()
check.end()
