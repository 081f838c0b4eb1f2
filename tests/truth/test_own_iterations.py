"""Iterations of captures without ProfilerStep: made ones with a known answer, and real ones of an H200, against what the program
itself timed."""

import gzip
import json
import statistics
import tempfile
from pathlib import Path

from serving_trace import Made
from torch_files import event, trace
from truth import SOURCE, Check, Report

check = Check()
OWN = SOURCE / "tests" / "truth" / "own" / "torch_iterations"
EXAMPLE = SOURCE / "examples" / "torch_serving" / "input"
TRUTH = json.loads((OWN / "truth.json").read_text(encoding="utf-8"))


def report_on(made, *options):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps(made), encoding="utf-8")
        return Report(folder, *options)


def expect(report, source, jitter=0.0, engines=1):
    """4 prefill of 4.0 ms and 40 decode of 0.9 ms."""
    check.equal("source", report.metric("run.step_source"), source)
    check.equal("steps", report.metric("step.count"), 44)
    check.equal("prefill", report.metric("llm.iteration.prefill.count"), 4 * engines)
    check.equal("decode", report.metric("llm.iteration.decode.count"), 40 * engines)
    # of a capture of kernels the host's 20 µs before the first are not there
    host = 0.02 if source == "inferred" else 0.0
    check.near("prefill, median", report.metric("llm.iteration.prefill.p50_ms"), 4.0 - host, 1e-6 + jitter / 2)
    check.near("decode, median", report.metric("llm.iteration.decode.p50_ms"), 0.9 - host, 1e-6 + jitter / 2)
    check.equal("no message says that device work is not there",
                [text for text in map(report.missing, report.metrics) if "no runtime calls and no device work" in text], [])


def made_captures():
    window = 4 * 4.0 + 40 * 0.9 + 43 * 0.25
    check.part("with operators")
    report = report_on(Made().engine().trace())
    expect(report, "annotations")
    check.near("throughput", report.metric("llm.tokens_per_s"), (4 * 2 + 40 * 8) / window * 1000, 1e-6)
    check.near("prompts", report.metric("llm.prompt_tokens_per_s"), 4 * 256 / window * 1000, 1e-6)
    check.near("host gap", report.metric("llm.host_gap.p50_ms"), 0.25 + 0.02, 1e-6)
    check.near("time per output token", report.metric("llm.time_per_output_token.p50_ms"), 0.9 + 0.25, 1e-6)
    check.equal("graphs", report.metric("llm.graph_replay_share"), 1)
    check.equal("numbered", list(report.steps())[:3], ["0", "1", "2"])
    classes = [(label, report.metric(f"step.class.{key}_ms")) for key, label in (
        ("launch", "Launch"), ("host_compute", "Host compute"), ("input_wait", "Input wait"), ("other", "Not recorded"), ("setup", "Set-up"),
        ("queued", "Work queued"))]
    check.equal("what steps call idle time", next(b for b in report.section("serving")["blocks"] if b["id"] == "serving/where-idle")["items"][0].split(": ")[-1].split(". ")[0].rstrip("."),
                ", ".join(label for label, ms in classes if ms))
    check.part("kernels alone")
    report = report_on(Made(annotate=False, operators=False).engine().trace())
    expect(report, "inferred")
    check.true("sure", report.metric("step.inferred.confidence_share") > 0.9)
    check.true("says that names are missing", "no annotations" in report.missing("llm.tokens_per_s"))
    check.part("kernels alone, eager")
    expect(report_on(Made(annotate=False, operators=False, graphs=False).engine().trace()), "inferred")
    check.part("operators without annotations")
    expect(report_on(Made(annotate=False).engine().trace()), "inferred")
    for seed in (1, 2, 3):
        check.part(f"jitter, seed {seed}")
        report = report_on(Made(jitter=0.1, seed=seed).engine().trace())
        expect(report, "annotations", 0.1)
        check.near("throughput", report.metric("llm.tokens_per_s"), 328 / window * 1000, 0.02)
        expect(report_on(Made(annotate=False, operators=False, jitter=0.1, seed=seed).engine().trace()), "inferred", 0.1)
    for missing in (1, 11, 20):
        check.part(f"annotation {missing} missing")
        report = report_on(Made().engine(missing=missing).trace())
        expect(report, "annotations")
        check.near("throughput", report.metric("llm.tokens_per_s"), 328 / window * 1000, 1e-6)
        check.equal("says so", "is without an annotation" in json.dumps(report.section("serving")), True)
    check.part("two engines in one trace")
    made = Made().engine()
    made.engine(begin=1300.0, thread=12, gpu=1, stream=9)
    report = report_on(made.trace())
    expect(report, "annotations", engines=2)
    check.near("throughput of both", report.metric("llm.tokens_per_s"), 2 * 328 / (window + 0.3) * 1000, 1e-6)
    check.part("two engines, kernels alone")
    made = Made(annotate=False, operators=False).engine()
    made.engine(begin=1300.0, thread=12, gpu=1, stream=9)
    expect(report_on(made.trace()), "inferred", engines=2)
    check.part("two engines on one GPU, kernels alone")
    made = Made(annotate=False, operators=False).engine()
    made.engine(begin=1300.0, thread=12, gpu=0, stream=9)
    expect(report_on(made.trace()), "inferred", engines=2)


def beside_marks():
    """ProfilerStep marks steps of five iterations each, which an engine names as well."""
    check.part("ProfilerStep around an engine's iterations")
    made = Made().engine(rounds=4, decodes=4)
    ranges = sorted((e for e in made.events if e["cat"] == "user_annotation"), key=lambda e: e["ts"])
    length = []
    for step in range(4):
        begin = ranges[5 * step]["ts"] - 10
        end = ranges[5 * step + 5]["ts"] - 20 if step < 3 else ranges[-1]["ts"] + 900
        made.events.append(event("user_annotation", "ProfilerStep#%d" % step, begin, end - begin))
        length.append((end - begin) / 1000)
    report = report_on(made.trace())
    check.equal("steps are the marks'", (report.metric("run.step_source"), report.metric("step.count")), ("markers", 4))
    check.near("and as long", report.metric("step.time.p50_ms"), statistics.median(length), 1e-3)
    check.equal("the engine's iterations", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (4, 16))
    check.near("decode", report.metric("llm.iteration.decode.p50_ms"), 0.9, 1e-6)
    check.true("tokens", report.metric("llm.tokens_per_s") > 0)
    check.true("have a section", report.section("serving") is not None)
    check.part("ProfilerStep around names that no engine gives")
    report = report_on(loop(lambda step: [("ProfilerStep#%d" % step, 100), ("mine", 40)]))
    check.equal("steps are the marks'", report.metric("step.time.p50_ms"), 0.1)
    check.equal("no iterations", report.metric("llm.iteration.decode.count"), None)


def a_mark_that_ends_before_its_step():
    """Each kernel ends 30 or 50 µs after the range that launched it: the step is longer than the bar of the range, which is said."""
    check.part("ProfilerStep ends before the device work")
    events = []
    for step, (begin, end) in enumerate(((0, 130), (200, 350))):
        events += [event("user_annotation", "ProfilerStep#%d" % step, begin, 100), event("cpu_op", "aten::mm", begin + 10, 50),
                   event("cuda_runtime", "cudaLaunchKernel", begin + 20, 10, correlation=step + 1),
                   event("kernel", "gemm", begin + 60, end - begin - 60, 0, 7, correlation=step + 1, device=0, stream=7)]
    report = report_on(trace(events))
    timeline = report.section("timeline")
    check.equal("the slowest step", report.metric("step.time.max_ms"), 0.15)
    check.true(timeline["answer"], "Step 1 is the slowest: 0.150" in timeline["answer"])
    check.true("what its range takes", "Its ProfilerStep range on the host takes 0.100" in timeline.get("so_what", ""))


def no_longer_than_decode():
    """Eager, where the host takes as long for both: what runs tells them apart, not how long."""
    same = {"prefill_ms": 0.95, "decode_ms": 0.9}
    own = {"prefill": "flash_fwd_kernel", "decode": "flash_fwd_splitkv_kernel"}
    rows = {"prefill": 256, "decode": 8}
    for what, made in (("attention of their own, and more blocks", Made(False, False, False, attention=own, blocks=rows)),
                       ("the same attention on more blocks", Made(False, False, False, blocks=rows)),
                       ("names that say it", Made(False, False, False, attention={
                           "prefill": "BatchPrefillWithPagedKVCacheKernel", "decode": "BatchDecodeWithPagedKVCacheKernel"})),
                       ("jitter", Made(False, False, False, 0.05, attention=own, blocks=rows))):
        check.part(what)
        report = report_on(made.engine(**same).trace())
        check.equal("source", report.metric("run.step_source"), "inferred")
        check.equal("kinds", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (4, 40))
    check.part("two engines on two GPUs")
    made = Made(False, False, False, attention=own, blocks=rows).engine(**same)
    report = report_on(made.engine(begin=1300.0, thread=12, gpu=1, stream=9, **same).trace())
    check.equal("kinds", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (8, 80))
    check.part("batches of two sizes are both decode")
    made = Made(False, False, False, attention=own, blocks=rows).engine(rounds=2, **same)
    end = max(e["ts"] + e["dur"] for e in made.events) + 300
    made.blocks = {"prefill": 256, "decode": 16}
    report = report_on(made.engine(rounds=2, begin=end, **same).trace())
    check.equal("kinds", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (4, 40))
    check.part("nothing tells them apart")
    report = report_on(Made(False, False, False).engine(**same).trace())
    check.equal("is not guessed", report.metric("llm.iteration.prefill.count"), None)
    check.true("says why", "nothing distinguishes prefill from decode" in report.missing("llm.iteration.prefill.count"))
    check.part("no kernel is known to be of attention")
    report = report_on(Made(False, False, False, attention={"prefill": "mine", "decode": "mine"}).engine().trace())
    check.equal("steps", report.metric("step.count"), 44)
    check.true("two kinds", "2 kinds of iterations" in json.dumps(report.section("steps")))
    check.true("says why they have no names", "a known name of attention" in report.missing("llm.iteration.prefill.count"))


def gpu_annotations():
    """Kernels and the annotations of the GPU, as where the host was not asked about: an iteration is as long as its kernels."""
    check.part("annotations of the GPU alone")
    made = Made(operators=False).engine()
    made.events = [e for e in made.events if e["cat"] != "user_annotation"]
    report = report_on(made.trace())
    check.equal("source", report.metric("run.step_source"), "annotations")
    check.equal("kinds", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (4, 40))
    check.near("decode", report.metric("llm.iteration.decode.p50_ms"), 0.88, 1e-6)
    check.near("throughput", report.metric("llm.tokens_per_s"), 328 / (4 * 4.0 + 40 * 0.9 + 43 * 0.25 - 0.02) * 1000, 1e-6)


def hostile():
    """Nothing but a report is asked for: ranges that cross, last for nothing or for ever, lie in each other a thousand deep, have names
    without end, or of which there are more kinds than are told apart."""
    deep = [event("user_annotation", "range %d" % i, 1000 + i, 5000 - 2 * i) for i in range(1000)]
    for what, events in (
            ("crossing", [event("user_annotation", "step[DECODE bs=%d]" % i, 1000 + 50 * i, 80) for i in range(50)]),
            ("without length", [event("user_annotation", "step[DECODE bs=1]", 1000, 0) for _ in range(20)]),
            ("for ever", [event("user_annotation", "mine", 1000 + i, 9e15) for i in range(5)]),
            ("nested", deep),
            ("recursive", [event("user_annotation", "again", 1000 + i, 5000 - 2 * i) for i in range(1000)]),
            ("long names", [event("user_annotation", "x" * 100000 + str(i), 1000 + 100 * i, 50) for i in range(4)]),
            ("digits alone", [event("user_annotation", "9" * 400, 1000 + 100 * i, 50) for i in range(4)]),
            ("many kinds", [event("user_annotation", "abcdefghijklmnopqrstuvwxyz"[:k + 1] + "!" * (i % 2), 1000 + 100 * (26 * i + k), 50)
                            for i in range(4) for k in range(26)]),
            ("no names", [event("user_annotation", "", 1000 + 100 * i, 50) for i in range(4)]),
            ("kernels at one time", [event("kernel", "k%d" % (i % 4), 1000, 0, 0, 7, device=0, stream=7, correlation=i) for i in range(99)])):
        check.part(what)
        with_work = events + [event("cpu_op", "aten::mm", 1000, 10, **{"External id": 1})]
        check.true("gives a report", report_on(trace(with_work)).metric("torch.step.count") is not None)
    check.part("a regular expression that takes long on long names")
    report_on(trace(deep), "--steps", "(range )*(range )*[0-9]*$")


def engine_of_annotations():
    """SGLang may be patched to write what vLLM writes, around its own annotations."""
    check.part("engine")
    of_vllm = "execute_8_context_0(sq0sk0sqsq0sqsk0)_generation_8(sq8sk53sqsq8sqsk53)"
    for inner, engine in (("step[DECODE bs=8]", "SGLang"), ("forward", "vLLM")):
        made = loop(lambda step: [(of_vllm, 100)])
        made["traceEvents"] += [{**e, "name": inner, "ts": e["ts"] + 1, "dur": e["dur"] - 2} for e in made["traceEvents"]
                                if e["name"] == of_vllm]
        said = report_on(made).section("serving")["so_what"]
        check.true(f"{engine}: {said}", f"Annotations are those of {engine}." in said)


def names():
    """Each engine's own names."""
    for engine, pair in (("vLLM", ("execute_new_2_cached_0", "execute_new_0_cached_8")),
                         ("SGLang", ("step[EXTEND bs=2 toks=256]", "step[DECODE bs=8]")),
                         ("TensorRT-LLM", ("[Executor] _forward_step 7: 2 ctx reqs, 256 ctx tokens, 0 gen reqs",
                                           "[Executor] _forward_step 8: 0 ctx reqs, 0 ctx tokens, 8 gen reqs")),
                         ("TensorRT-LLM", ("[Executor] _forward_step 7: 2 ctx reqs, 0 gen reqs",
                                           "[Executor] _forward_step 8: 0 ctx reqs, 8 gen reqs")),
                         ("ATOM", ("prefill[bs=2 tok=256 ctx=256]", "decode[bs=8 tok=8 d=8]"))):
        check.part(engine)
        report = report_on(Made().engine(names=pair).trace())
        expect(report, "annotations")
        check.true("says whose names they are", engine in json.dumps(report.section("serving")))
        check.true("tokens", report.metric("llm.tokens_per_s") > 0)


def drafts():
    """Where a draft guesses, an iteration makes between one token and all of them for each request: no name says how many."""
    for name in ("execute_context_0(0)_generation_8(32)", "step[VERIFY bs=8]"):
        check.part(name)
        report = report_on(Made().engine(names=("execute_context_2(256)_generation_0(0)", name)).trace(), "--params", "8e9")
        check.equal("kinds", (report.metric("llm.iteration.prefill.count"), report.metric("llm.iteration.decode.count")), (4, 40))
        for metric in ("llm.tokens_per_s", "llm.time_per_output_token.p50_ms"):
            check.equal(metric, report.metric(metric), None)
            check.true("says why", "decoding is speculative" in report.missing(metric))
        computed = name.endswith("(32)")
        check.equal("prompts are known where all that is computed is", report.metric("llm.prompt_tokens_per_s") is not None, computed)
        check.equal("and so is MFU", report.metric("llm.mfu_share") is not None, computed)


def loop(names_of_step, steps=5, wrap=None, inner=None):
    """A host's loop: [(name, µs)] a step, one after the other."""
    events, at = [], 1000.0
    for step in range(steps):
        for name, length in names_of_step(step):
            events.append(event("user_annotation", name, at, length))
            events += [event("user_annotation", inner % i, at + 10 * i, 8) for i in range(3)] if inner else []
            events.append(event("cpu_op", "aten::mm", at + 1, length - 2, **{"External id": 7}))
            at += length + 5
        at += 100
    if wrap:
        events.append(event("user_annotation", wrap, 990, at))
    return trace(events)


def loops():
    check.part("training, two microbatches")
    parts = [("forward", 100), ("backward", 200)] * 2 + [("optimizer", 50)]
    report = report_on(loop(lambda step: parts))
    check.equal("source", report.metric("run.step_source"), "annotations")
    check.equal("steps", report.metric("step.count"), 5)
    check.near("length", report.metric("step.time.p50_ms"), (2 * 300 + 50 + 4 * 5) / 1000, 1e-6)
    check.near("gap", report.metric("step.gap.mean_ms"), 0.105, 1e-6)
    check.equal("is no serving", report.metric("llm.iteration.decode.count"), None)
    check.part("one name that counts, wrapped, with nested ones")
    report = report_on(loop(lambda step: [("train_step %d" % (step + 40), 300)], wrap="benchmark", inner="layer %d"))
    check.equal("steps", (report.metric("step.count"), list(report.steps())), (5, ["40", "41", "42", "43", "44"]))
    check.part("always in the same order")
    report = report_on(loop(lambda step: [("schedule", 20), ("run", 300), ("sample", 30)]))
    check.equal("steps", report.metric("step.count"), 5)
    check.near("length", report.metric("step.time.p50_ms"), 0.36, 1e-6)
    check.part("cut at both ends")
    made = loop(lambda step: [("forward", 100), ("backward", 200), ("optimizer", 50)], steps=10)
    ranges = [e for e in made["traceEvents"] if e.get("cat") == "user_annotation"]
    cut = [e for e in made["traceEvents"] if e is not ranges[0] and e is not ranges[-1]]
    report = report_on(trace(cut))
    check.equal("whole ones", (report.metric("step.count"), report.metric("step.seen_count")), (8, 10))
    check.part("--steps")
    both = loop(lambda step: [("step[DECODE bs=%d]" % step, 100), ("mine %d" % step, 40)])
    check.equal("the engine's", report_on(both).metric("step.time.p50_ms"), 0.1)
    report = report_on(both, "--steps", "^mine")
    check.equal("the user's", (report.metric("step.time.p50_ms"), report.metric("step.count")), (0.04, 5))
    report = report_on(both, "--steps", "^nothing")
    check.equal("else as without", report.metric("step.time.p50_ms"), 0.1)
    check.true("which is said", "no annotation has such a name" in report.stderr)
    marked = loop(lambda step: [("ProfilerStep#%d" % step, 100)])
    check.equal("marks count before what repeats", report_on(marked, "--steps", "^nothing").metric("run.step_source"), "markers")
    check.part("one alone")
    check.equal("one is no repetition", report_on(loop(lambda step: [("mine", 40)], steps=1)).metric("run.step_source"), "none")


def kernels_of_a_real_capture():
    """A capture of eager iterations with the host's operators and annotations taken out: what CUDA's activities alone would have
    shown. Prefill takes no longer than decode on the GPU, which waits for the host."""
    check.part("serving_eager, kernels alone")
    whole = json.loads(gzip.decompress((OWN / "serving_eager.pt.trace.json.gz").read_bytes()))
    kept = ("kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "cuda_driver")
    whole["traceEvents"] = [e for e in whole["traceEvents"] if e.get("ph") != "X" or e.get("cat") in kept]
    report = report_on(whole)
    truth = TRUTH["serving_eager"]["iterations"]
    check.equal("source", report.metric("run.step_source"), "inferred")
    for kind in ("prefill", "decode"):
        check.equal(kind, report.metric(f"llm.iteration.{kind}.count"), sum(i["family"] == kind for i in truth))
        got, gpu = report.metric(f"llm.iteration.{kind}.p50_ms"), medians("serving_eager", kind, "gpu_ms")
        check.true(f"{kind}: {got:.3f} of {gpu:.3f} ms between the program's events", 0.7 * gpu <= got <= gpu)


def medians(name, kind, what):
    return statistics.median(i[what] for i in TRUTH[name]["iterations"] if i["family"] == kind)


def real_captures():
    """The program timed each iteration by the host's clock, from before its annotation until the device was synchronised, and by
    CUDA events, recorded on the stream before the first kernel and behind the last. An annotated iteration lasts from its
    annotation until its last kernel has ended: no longer than the host's time, and no shorter than the events' but for the time that
    the second event itself takes (5 %). Of kernels alone it lasts from the first to the last: at most as long as between the
    events, which the first kernel follows by some 5 to 15 µs (up to 15 %)."""
    for name, source in (("serving_graphs", "annotations"), ("serving_eager", "annotations"), ("serving_kernels_only", "inferred"),
                         ("serving_unnamed", "inferred")):
        check.part(name)
        report = Report(EXAMPLE if name == "serving_graphs" else OWN / f"{name}.pt.trace.json.gz")
        truth = TRUTH[name]
        check.equal("source", report.metric("run.step_source"), source)
        check.equal("steps", report.metric("step.count"), len(truth["iterations"]))
        for kind in ("prefill", "decode"):
            count = sum(i["family"] == kind for i in truth["iterations"])
            got = report.metric(f"llm.iteration.{kind}.p50_ms")
            gpu, host = medians(name, kind, "gpu_ms"), medians(name, kind, "host_ms")
            low, high = (0.95 * gpu, host) if source == "annotations" else (0.85 * gpu, gpu)
            check.equal(f"{kind}: count", report.metric(f"llm.iteration.{kind}.count"), count)
            check.true(f"{kind}: {low:.3f} ≤ {got:.3f} ≤ {high:.3f}", low <= got <= high)
        check.equal("graphs", report.metric("llm.graph_replay_share"), 1.0 if truth["graphs"] else 0.0)
        if source == "annotations":
            # the program's clock runs until after the pause behind the last iteration
            check.near("tokens/s", report.metric("llm.tokens_per_s"), truth["output_tokens"] / truth["wall_s"], 0.03)
    check.part("train_annotated")
    report = Report(OWN / "train_annotated.pt.trace.json.gz")
    truth = TRUTH["train_annotated"]
    host = statistics.median(s["host_ms"] for s in truth["steps"])
    check.equal("steps", report.metric("step.count"), len(truth["steps"]))
    # the batch is made before the first forward, outside of any annotation: some 0.3 ms of 28
    check.true("length", 0.97 * host <= report.metric("step.time.p50_ms") <= host)


made_captures()
beside_marks()
a_mark_that_ends_before_its_step()
no_longer_than_decode()
gpu_annotations()
names()
engine_of_annotations()
drafts()
loops()
hostile()
real_captures()
kernels_of_a_real_capture()
check.end()
