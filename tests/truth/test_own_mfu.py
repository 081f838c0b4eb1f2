"""MFU, HFU and tokens per second: by hand of a made training loop, of a real one of an H200 with what the program says of its model, of
runs of JAX on a GPU and of TensorFlow, and of an engine; against the peak of the type that products work on; missing with the reason
where it cannot be known."""

import json
import tempfile
from pathlib import Path

from serving_trace import H100, Made
from torch_files import event, trace
from truth import SOURCE, Check, Report, run
from xspace_reader import read_xspace

check = Check()
OWN = SOURCE / "tests" / "truth" / "own" / "torch_iterations"
PEAK = 989.4e12
PARAMS, TOKENS = 1e9, 4096


def report_on(made, *options):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps(made), encoding="utf-8")
        return Report(folder, *options)


def steps(gpu=H100, dims=None, more=(), world=1, kernels=(("gemm", 80000),), types=None):
    """Five ProfilerSteps of 100 ms without a gap, each a kernel of 80 ms; with shapes a product of 2·4096³ FLOP each."""
    events = list(more)
    for i in range(5):
        at = 1000 + 100000 * i
        shapes = {**({"Input Dims": dims} if dims else {}), **({"Input type": types} if types else {})}
        events += [event("user_annotation", "ProfilerStep#%d" % i, at, 100000, **{"External id": 10 * i + 1}),
                   event("cpu_op", "aten::mm", at + 10, 90, **{"External id": 10 * i + 2, **shapes}),
                   event("cuda_runtime", "cudaLaunchKernel", at + 20, 5, **{"correlation": i + 1, "External id": 10 * i + 2})]
        first = at + 100
        for name, length in kernels:
            events.append(event("kernel", name, first, length, 0, 7, device=0, stream=7, correlation=i + 1, grid=[1, 1, 1],
                                block=[32, 1, 1]))
            first += length
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


def types():
    """An H100 SXM5: dense TFLOP/s of each type, as NVIDIA's data sheet has them halved."""
    peaks = {"bf16/fp16": 989.4e12, "fp8": 1978.9e12, "int8": 1978.9e12, "tf32": 494.7e12, "fp32": 66.9e12}
    product, dims = 2 * 4096**3, [[4096, 4096], [4096, 4096]]
    for kernel, dtype in (("nvjet_tst_128x64_64x10_2x1_v_bz_TNT", "bf16/fp16"), ("nvjet_sm90_qqtst_128x128_TNT", "fp8"),
                          ("sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize128x128x128_cublas", "fp8"),
                          ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas", "bf16/fp16"),
                          ("ampere_fp16_s1688gemm_fp16_128x128_ldg8_f2f_stages_32x1_nn", "bf16/fp16"),
                          ("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4>(Params)", "tf32"),
                          ("sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16_cublas", "tf32"),
                          ("ampere_sgemm_128x64_nn", "fp32"), ("cutlass_80_tensorop_i16832gemm_s8_256x128_64x3_tn_align16", "int8")):
        check.part(kernel)
        report = report_on(steps(dims=dims, kernels=[(kernel, 80000)]), "--model-flops", "1e12")
        check.near(f"MFU against {dtype}", report.metric("llm.mfu_share"), 1e12 / (0.1 * peaks[dtype]), 1e-3)
        check.near("HFU", report.metric("llm.hfu_share"), product / (0.1 * peaks[dtype]), 1e-3)
        check.true("the formula says which", f"the dense peak of {dtype}, " in report.metrics["llm.mfu_share"]["coverage"])
    check.part("two types")
    mixed = [("nvjet_sm90_qqtst_128x128_TNT", 60000), ("nvjet_sm90_tst_128x128_TNT", 20000)]
    report = report_on(steps(kernels=mixed), "--model-flops", "1e12")
    check.near("MFU against that of most time", report.metric("llm.mfu_share"), 1e12 / (0.1 * peaks["fp8"]), 1e-3)
    check.true("which is said", "in which 75 % of matmul kernel time is" in report.metrics["llm.mfu_share"]["coverage"])
    check.part("kernels that do not say it")
    for word, dtype in (("c10::BFloat16", "bf16/fp16"), ("float", "fp32"), ("c10::Float8_e4m3fn", "fp8"), ("signed char", "int8")):
        report = report_on(steps(dims=dims, types=[word, word]), "--model-flops", "1e12")
        check.near(f"operators of {word}", report.metric("llm.mfu_share"), 1e12 / (0.1 * peaks[dtype]), 1e-3)
    report = report_on(steps(), "--model-flops", "1e12")
    check.true("nothing says it", "16-bit peak, because nothing says" in report.metrics["llm.mfu_share"]["coverage"])
    check.part("--peak")
    fp8 = steps(kernels=[("nvjet_sm90_qqtst_128x128_TNT", 80000)])
    for option, peak in (("fp8=1000T", 1000e12), ("flops=500T", 500e12), ("bf16=100T", peaks["fp8"]), ("flops=500T,fp8=1P", 1e15)):
        check.near(option, report_on(fp8, "--model-flops", "1e12", "--peak", option).metric("llm.mfu_share"), 1e12 / (0.1 * peak), 1e-3)
    check.part("a type that the device table has not")
    report = report_on(steps({**H100, "name": "NVIDIA A100-SXM4-80GB", "computeMajor": 8}, kernels=[("e4m3_gemm", 80000)]),
                       "--model-flops", "1e12")
    check.equal("is no figure", report.metric("llm.mfu_share"), None)
    check.true("says what to give: " + report.missing("llm.mfu_share"),
               "fp8" in report.missing("llm.mfu_share") and "--peak fp8=" in report.missing("llm.mfu_share"))


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
    jax_and_tensorflow()
    two_hosts()
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


def markers(path):
    """Step markers as the events have them: [(start, end)] in seconds, by number."""
    planes, _ = read_xspace(path)
    found = {e.stats["step_num"]: (e.start / 1e12, e.end / 1e12) for plane in planes for line in plane.lines for e in line.events
             if "step_num" in (e.stats or {})}
    return [found[number] for number in sorted(found)]


def step_and_gap(steps):
    """How long a step takes, of all but the first and last, and what is between one and the next, of all."""
    kept, gaps = steps[1:-1], [b[0] - a[1] for a, b in zip(steps, steps[1:])]
    return sum(b - a for a, b in kept) / len(kept), sum(gaps) / len(gaps)


def jax_and_tensorflow():
    """The layers of tests/truth/own/jax_gpu/capture.py: every product is computed forward and twice backward, but for the gradient of
    the input, which nothing needs. All weights are bf16 matrices, on an H200 of 989 TFLOP/s."""
    check.part("JAX on a GPU")
    sizes, batch = (1024, 4096, 4096, 4096, 512), 2048
    weights = sum(a * b for a, b in zip(sizes, sizes[1:]))
    flops = 6 * batch * weights - 2 * batch * sizes[0] * sizes[1]
    check.equal("FLOP of a step", flops, 472446402560)
    path = SOURCE / "tests" / "truth" / "own" / "jax_gpu" / "marked.xplane.pb.gz"
    plain = Report(path)
    check.equal("hardware FLOPS are not called MFU", plain.metric("llm.mfu_share"), None)
    step, gap = step_and_gap(markers(path))
    check.near("HFU", plain.metric("llm.hfu_share"), flops / ((step + gap) * 989e12), 1e-3)
    report = Report(path, "--model-flops", flops, "--tokens-per-step", batch)
    check.near("MFU", report.metric("llm.mfu_share"), flops / ((step + gap) * 989e12), 1e-3)
    check.near("tokens/s", report.metric("llm.tokens_per_s"), batch / (step + gap), 1e-3)
    report = Report(path, "--params", weights, "--tokens-per-step", batch)
    check.near("by parameters", report.metric("llm.mfu_share"), 6 * weights * batch / ((step + gap) * 989e12), 1e-3)
    # MaxText: learnable weights 6 · tokens · parameters, attention 12 · layers · heads · head_dim · seq² · batch / 2 (causal)
    layers, hidden, seq = 4, 4096, 512
    report = Report(path, "--params", weights, "--tokens-per-step", batch, "--layers", layers, "--hidden", hidden, "--seq", seq)
    tflops = 6 * batch * weights / 1e12 + 12 * (batch // seq) * seq**2 * layers * hidden / 2 / 1e12
    check.near("as MaxText counts", report.metric("llm.mfu_share"), tflops * 1e12 / ((step + gap) * 989e12), 1e-3)
    check.part("TensorFlow")
    path = SOURCE / "examples" / "tf_slow_input" / "input"
    report = Report(path, "--model-flops", "1e12", "--tokens-per-step", 640)
    step, gap = step_and_gap(markers(next(path.glob("**/*.xplane.pb"))))
    check.near("tokens/s", report.metric("llm.tokens_per_s"), 640 / (step + gap), 1e-3)
    check.equal("no device, no MFU", report.metric("llm.mfu_share"), None)
    check.true("says so", "no TPU or GPU" in report.missing("llm.mfu_share"))
    check.part("TensorFlow's Estimator on a TPU v3")
    job = SOURCE / "examples" / "estimator_job" / "input"
    report = Report(job, "--model-flops", "6e12", "--tokens-per-step", 1024)
    # a step of half a second after the other on one core of 61.5 TFLOP/s, as its make.py writes them
    check.near("MFU", report.metric("llm.mfu_share"), 6e12 / (0.5 * 61.5e12), 1e-3)
    check.near("tokens/s", report.metric("llm.tokens_per_s"), 1024 / 0.5, 1e-3)
    report = Report(job, "--params", "2e9", "--tokens-per-step", 1024, "--layers", 16, "--hidden", 2048, "--seq", 1024)
    check.near("by parameters", report.metric("llm.mfu_share"), (6 * 2e9 + 6 * 16 * 2048 * 1024) * 1024 / (0.5 * 61.5e12), 1e-3)
    check.equal("above what is possible", Report(job, "--model-flops", "6e13").metric("llm.mfu_share"), None)


def two_hosts():
    """Ten steps on eight cores of two hosts, 197 TFLOP/s each. FLOPs and tokens are those of the whole job, whichever host is looked at."""
    check.part("JAX on TPUs of two hosts")
    folder = SOURCE / "examples" / "tpu_two_hosts" / "input"
    options = ("--model-flops", "1e13", "--tokens-per-step", 4096)
    starts = []
    for path in sorted(folder.glob("**/*.xplane.pb")):
        for plane in read_xspace(path)[0]:
            lines = [sorted(line.events, key=lambda e: e.start) for line in plane.lines if line.name == "Steps"]
            starts += [[e.start / 1e12 for e in line] for line in lines]
    check.equal("cores", len(starts), 8)
    # from step to step of a core, the mean over cores; what the first core waits for the last is a hair of it
    step = sum((s[-1] - s[0]) / (len(s) - 1) for s in starts) / len(starts)
    for what, chosen in (("all hosts", ()), ("a chosen host", ("--host", "t1v-n-synth-w-1"))):
        report = Report(folder, *options, *chosen)
        check.near(f"MFU, {what}", report.metric("llm.mfu_share"), 1e13 / (step * 8 * 197e12), 1e-3)
        check.near(f"tokens/s, {what}", report.metric("llm.tokens_per_s"), 4096 / step, 1e-3)
        check.near(f"FLOP/s of a device, {what}", report.metric("llm.model_flop_per_s"), 1e13 / (step * 8), 1e-3)
    report = Report(folder, *options)
    for host in ("t1v-n-synth-w-0", "t1v-n-synth-w-1"):
        check.near(f"the view of {host}", report.metric(f"llm.mfu_share@host={host}"), 1e13 / (step * 8 * 197e12), 1e-3)


training()
shapes()
types()
missing()
real()
others()
check.end()
