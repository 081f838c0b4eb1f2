"""Each rule on PyTorch runs: a trace that makes it a finding, one that passes, and those in which it cannot be decided or does not
apply; and what it may save at most, worked out by hand."""

import json
import re
import sys
import tempfile
from pathlib import Path

from rule_guard import each_case, every_rule_has_cases, finding_of
from torch_files import DISTRIBUTED, GPU, event, trace
from torch_made_steps import (BUSY_HOST, COLLECTIVE_BEFORE, COPIED, CPU, EVEN, FULL, LOST, NCCL, ZERO_GRAD, because_of, copy_of, delayed,
                              graph, item, job, kernel, loader, lost, mark, old_gpu, report_on, second_gpu, setting, summing,
                              unlaunched, volta, workers, zeroing)
from truth import Check, Report

check = Check()

# Rules that have such traces elsewhere.
ELSEWHERE = {
    "truth/test_torch_memory_by_hand.py": ("TPR-OOM-004", "TPR-FRAG-002"),
    "findings/test_torch_wait_findings.py": ("TPR-HOST-001", "TPR-QUEUE-001", "TPR-SETUP-001", "TPR-SYNC-001"),
}

# rule: (what, trace, status, measured, saving in ms a step)
CASES = {
    "TPR-REC-001": [
        ("no kernel of three", LOST, "open", 1, None),
        ("copies are there", COPIED, "open", 1, None),
        ("launched by the driver within the runtime", lost(job(FULL, lambda at, n: [
            event("cuda_driver", "cuLaunchKernel", at + 1.75, 0.5, correlation=1000 * n + 31)])), "open", 1, None),
        ("of one worker of two", lost(workers(EVEN, EVEN), ["rank1"]), "open", 0.5, None),
        ("all there", job(FULL), "passed", 0, None),
        ("launched on the host", job(lambda at, n: [event("cuda_runtime", "cudaLaunchHostFunc", at, 2)]),
         "not_applicable", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-LOAD-001": [
        ("40 % waiting", job(loader(0, 40), kernel(43, 57)), "open", 0.40, 0.040),
        ("2 % waiting", job(loader(0, 2), kernel(5, 95)), "passed", 0.02, None),
        ("hidden behind a kernel", job(loader(10, 40), FULL), "passed", 0, None),
        ("no DataLoader", job(FULL), "not_applicable", None, None),
    ],
    "TPR-DP-001": [
        ("two GPUs", job(mark("DataParallel.forward", 0, 50), kernel(3, 96), kernel(3, 50, device=1), gpus=(GPU, second_gpu())),
         "open", 0.5, None),
        ("one GPU", job(mark("DataParallel.forward", 0, 50), FULL), "not_applicable", None, None),
        ("not in use", job(FULL), "not_applicable", None, None),
    ],
    "TPR-DDP-001": [
        ("gloo", job(mark("DistributedDataParallel.forward", 0, 20), kernel(3, 47), mark("gloo:all_reduce", 60, 30)),
         "open", 0.30, 0.030),
        ("NCCL", job(mark("DistributedDataParallel.forward", 0, 20), kernel(3, 47), kernel(60, 30, NCCL, "nccl:all_reduce")),
         "not_applicable", None, None),
        ("NCCL on a GPU that is not described", job(
            mark("DistributedDataParallel.forward", 0, 20), kernel(3, 47), kernel(60, 30, NCCL, "nccl:all_reduce"), gpus=()),
         "not_applicable", None, None),
        ("no collective recorded", job(mark("DistributedDataParallel.forward", 0, 20), FULL), "undecided", None, None),
        ("no GPU", job(mark("DistributedDataParallel.forward", 0, 20), mark("gloo:all_reduce", 60, 30), gpus=()),
         "not_applicable", None, None),
        ("not in use", job(FULL), "not_applicable", None, None),
    ],
    "TPR-COMM-002": [
        ("30 % that nothing hides", job(kernel(3, 57), kernel(70, 30, NCCL)), "open", 0.30, 0.030),
        ("known by its arguments alone", job(kernel(3, 57), kernel(70, 30, "my_sum", collective="allreduce")), "open", 0.30, 0.030),
        ("5 %", job(kernel(3, 90), kernel(95, 5, NCCL)), "passed", 0.05, None),
        ("gloo on a CPU", job(mark("aten::mm", 0, 60, "cpu_op"), mark("gloo:all_reduce", 60, 20), gpus=()), "open", 0.20, 0.020),
        ("none", job(FULL), "not_applicable", None, None),
    ],
    "TPR-GPU-001": [
        ("30 %", job(kernel(10, 30)), "open", 0.30, None),
        ("96 %", job(FULL), "passed", 0.96, None),
        ("the least used of two", job(FULL, kernel(3, 40, device=1), gpus=(GPU, second_gpu())), "open", 0.40, None),
        ("copies are no kernels", job(kernel(3, 40), copy_of(50, 50, "Memcpy DtoD (Device -> Device)")), "open", 0.40, None),
        ("copies without kernels", COPIED, "undecided", None, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-AMP-001": [
        # On tensor cores of compute capability 8.0 they would take a sixteenth at least.
        ("all products plain", job(kernel(3, 72, "ampere_sgemm_128x64_tn", "aten::mm"), kernel(76, 24)), "open", 0.75,
         0.072 * 15 / 16),
        ("on a V100 an eighth", job(kernel(3, 72, "volta_sgemm_128x64_tn", "aten::mm"), kernel(76, 24), gpus=(volta(),)),
         "open", 0.75, 0.072 * 7 / 8),
        ("in a step of something else", job(loader(10, 89), kernel(3, 1, "ampere_sgemm_128x64_tn", "aten::mm")),
         "not_applicable", None, None),
        ("on tensor cores", job(kernel(3, 96, "ampere_fp16_s16816gemm_fp16_128x64_tn", "aten::mm")), "passed", 0, None),
        ("kernels beside one on tensor cores", job(
            kernel(3, 60, "ampere_fp16_s16816gemm_fp16_128x64_tn", "aten::mm"), kernel(66, 6, "ampere_sgemm_32x32", "aten::mm"),
            kernel(75, 24)), "passed", 6 / 90, None),
        ("a GPU without", job(kernel(3, 96, "sgemm", "aten::mm"), gpus=(old_gpu(),)), "not_applicable", None, None),
        ("no product", job(FULL), "not_applicable", None, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-ZERO-001": [
        # Two kernels of 2 µs, and 5 and 4 µs of the host in which no device works.
        ("fills that the device waits for", job(kernel(3, 76), zeroing(82, 5, 4, kernels=((95, 2), (97, 2)))), "open", 0.13, 0.013),
        ("fills beside other work", job(kernel(3, 90), zeroing(70, 5, 4, kernels=((94, 2), (97, 2)))), "open", 0.04, 0.004),
        ("hardly any", job(kernel(3, 90), zeroing(70, 5, kernels=((94, 0.5),))), "passed", 0.005, None),
        ("on a CPU", job(mark("aten::mm", 0, 60, "cpu_op"), zeroing(70, 10), gpus=()), "open", 0.10, 0.010),
        ("dropped", job(FULL, zeroing(70)), "passed", 0, None),
        ("beside a fill of something else", job(FULL, zeroing(70), mark("aten::zero_", 80, 5, "cpu_op")), "passed", 0, None),
        ("outside of steps", job(FULL, lambda at, number: [event("user_annotation", ZERO_GRAD, 5000, 5)]), "undecided", None, None),
        ("not recorded", job(FULL), "not_applicable", None, None),
    ],
    "TPR-PIN-001": [
        ("20 %, alone", job(copy_of(3, 20, "Memcpy HtoD (Pageable -> Device)"), kernel(26, 70)), "open", 0.20, 0.020),
        ("20 %, half of it beside a kernel", job(copy_of(3, 20, "Memcpy HtoD (Pageable -> Device)"), kernel(13, 80)),
         "open", 0.20, 0.010),
        ("pinned", job(copy_of(3, 20, "Memcpy HtoD (Pinned -> Device)"), kernel(26, 70)), "passed", 0, None),
        ("on AMD", job(copy_of(3, 20, "Memcpy HtoD (Host -> Device)"), kernel(26, 70)), "undecided", None, None),
        ("none from or to the host", job(copy_of(3, 20, "Memcpy DtoD (Device -> Device)"), kernel(26, 70)),
         "not_applicable", None, None),
        ("copies without kernels", COPIED, "undecided", None, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-RANK-001": [
        # a mean over both: the late one does not wait
        ("30 µs after the other", workers([kernel(3, 35), summing(40, 60)], EVEN), "open", 0.15, 0.015),
        ("together", workers(EVEN, EVEN), "passed", 0, None),
        ("one of two traces", job(*EVEN, distributedInfo=DISTRIBUTED), "undecided", None, None),
        ("a collective in one of them only", workers(EVEN, [FULL]), "undecided", None, None),
        ("one process", job(FULL), "not_applicable", None, None),
    ],
    "TPR-STEP-001": [
        ("10 µs after the operator", CPU, "open", 0.10, 0.010),
        ("1 µs before and after", job(FULL), "passed", 0.02, None),
        ("kernels not recorded", LOST, "undecided", None, None),
    ],
    "TPR-STEP-002": [
        ("two of twenty twice as long", job(FULL, lengths=[100] * 18 + [200] * 2), "open", 1, 0.010),
        ("all alike", job(FULL, steps=20), "passed", 0, None),
        ("too few", job(FULL), "undecided", None, None),
    ],
}


def several_workers():
    """The step of two workers is as long as the longer one's; the wait of both is the mean, and what the other is shorter is idle."""
    check.part("two workers")
    slow, fast = job(loader(0, 40), kernel(43, 57))["w"], job(loader(0, 20), kernel(23, 77))["w"]
    for e in fast["traceEvents"]:
        if e["name"].startswith("ProfilerStep"):
            e["dur"] = 90
        if e["cat"] == "kernel":
            e["dur"] = 67
    report = report_on({"r0": slow, "r1": fast})
    check.near("step", report.metric("step.time.mean_ms"), 0.100)
    check.near("waiting", report.metric("step.class.input_wait_ms"), 0.030)
    check.near("compute", report.metric("step.class.compute_ms"), (57 + 67) / 2 / 1000)
    check.near("idle", report.metric("step.class.idle_ms"), 0.005)
    check.near("share", finding_of(report, "TPR-LOAD-001")["measured"]["value"], 0.30)
    # Were the wait gone in both, the second would need 70 µs and the first 60.
    check.near("saving", finding_of(report, "TPR-LOAD-001")["saving"]["value"], 0.030)


def verdicts():
    for what, traces, name in (
            ("input", job(loader(0, 40), kernel(43, 57)), "Input-bound (high):"),
            ("a little input", job(loader(0, 10), kernel(13, 87)), "Input-bound (medium):"),
            ("collectives", job(kernel(3, 57), kernel(64, 36, NCCL)), "Communication-bound:"),
            ("the host", job(BUSY_HOST, kernel(15, 30)), "Host-bound:"),
            ("nothing, for the most part", job(kernel(15, 30)), "Time not recorded:"),
            ("nothing of a CPU", job(mark("aten::mm", 0, 40, "cpu_op"), gpus=()), "Time not recorded:"),
            ("nothing, while a batch is waited for", job(loader(0, 30), kernel(33, 10)), "Input-bound (high):"),
            ("launches", job(kernel(40, 58), lambda at, n: [event("cuda_runtime", "cudaLaunchKernel", at, 38)]), "Launch-bound:"),
            ("set-up", job(setting("cudaStreamCreateWithFlags", 3, 800), kernel(805, 195), step=1000, long=10), "Bound by set-up:"),
            ("launched, and not begun", job(delayed(5, 806, 180), step=1000), "Device idle with work queued:"),
            ("gloo behind a named range", job(mark("## backward ##", 0, 90), mark("aten::mm", 0, 30, "cpu_op"),
                                              mark("gloo:all_reduce", 30, 60), gpus=()), "Communication-bound:"),
            ("copies", job(copy_of(3, 40, "Memcpy DtoH (Device -> Pinned)"), kernel(46, 54)), "Bound by copies:"),
            ("kernels", job(FULL), "Compute-bound:"),
            ("kernels that were not recorded", LOST, "Kernels not recorded:"),
            ("one step without them", lost(job(FULL, steps=1)), "Kernels not recorded:"),
            ("copies without kernels", COPIED, "Kernels not recorded:"),
            ("kernels that no call launched", unlaunched(85), "Compute-bound:"),
            ("not enough of them to tell", unlaunched(70), "GPU waits unknown:"),
            ("a collective before the step alone", COLLECTIVE_BEFORE, "GPU waits unknown:"),
            ("a CPU", CPU, "CPU run:"),
            ("one step", job(FULL, steps=1), "Likely compute-bound:"),
            ("no operator", {"w": trace([event("kernel", "k", 1, 5, 0, 7, device=0, stream=7)])}, "Step time unknown:")):
        check.part("verdict: " + what)
        summary = report_on(traces).doc["sections"][0]["blocks"]
        [verdict] = [b for b in summary if b["kind"] == "verdict"]
        [because] = [b["items"][0] for b in summary if b.get("id") == "summary/because"]
        check.equal("name", verdict["name"], name)
        check.true("no sentence around a missing figure", not re.search(r"–|\bnan\b", " ".join(
            (verdict["saw"], verdict["consequence"], because))))


def exposed_communication():
    """Computation hides no more communication than it lasts; what to do depends on what communicates. Sending less may save it all."""
    gradients, shards = "Let DDP reduce gradients", "With FSDP, prefetch"
    for what, parts, faster, therefore, action in (
            ("enough to hide it", [kernel(3, 57), kernel(60, 40, NCCL)], "hiding it would make steps at most 1.7×", "overlap it", gradients),
            # 17 µs of computation, which hides none yet, and 80 µs of communication: a step of 100 µs.
            ("too little", [kernel(3, 17), kernel(20, 80, NCCL)], "without it, steps would be at most 5.0×",
             "only 17.0\u202fµs of computation is left to hide it behind. Therefore send less", "Accumulate gradients"),
            # Of 57 µs 50 already hide as much; 7 µs are left, and 40 µs of communication.
            ("most of it used", [kernel(3, 57), kernel(10, 90, NCCL)], "without it, steps would be at most 1.7×",
             "only 7.00\u202fµs", "Accumulate gradients"),
            ("none", [kernel(3, 47), kernel(3, 97, NCCL)], "without it, steps would be at most 2.0×", "no computation is left", "Accumulate gradients"),
            ("shards", [kernel(3, 57), kernel(60, 40, "ncclDevKernel_AllGather_RING_LL")], "hiding it", "prefetch shards", shards),
            ("shards, mostly", [kernel(3, 57), kernel(60, 20, "ncclDevKernel_ReduceScatter_Sum_f32"), kernel(83, 4, NCCL)], "hiding it",
             "prefetch shards", shards),
            ("experts", [kernel(3, 57), kernel(60, 40, "ncclDevKernel_SendRecv", collective="all_to_allv")], "hiding it",
             "overlap it with computation", "While tokens are exchanged"),
            ("stages", [kernel(3, 17), kernel(20, 80, "ncclDevKernel_SendRecv", collective="send")],
             "without it, steps would be at most 5.0×", "use more micro-batches", "Use more micro-batches"),
            ("messages of no kind", [kernel(3, 57), kernel(60, 40, "ncclDevKernel_SendRecv")], "hiding it", "overlap it with computation",
             "Accumulate gradients")):
        check.part("exposed communication: " + what)
        report = report_on(job(*parts))
        finding = finding_of(report, "TPR-COMM-002")
        check.true("how much faster", faster in report.doc["verdict"]["consequence"])
        check.true("therefore", therefore in because_of(report))
        check.true("to do first", finding["actions"][0].startswith(action))
        check.near("saves at most what is exposed", 1000 * finding["saving"]["value"], report.metric("torch.comm.communication_us"))


def without_kernels():
    """What rests on kernels that were not recorded is unknown, and says why; what the host did is known."""
    check.part("kernels not recorded")
    reason = "the program launched 3 kernels; the profiler recorded none"
    report = report_on(LOST)
    verdict = report.doc["verdict"]
    check.equal("saw", verdict["saw"], reason + ";")
    check.equal("no milder than the finding", verdict["judge"], "bad")
    check.equal("finding", finding_of(report, "TPR-REC-001")["title"], reason[0].upper() + reason[1:])
    costs = sum(f["status"] == "open" for f in report.doc["findings"]) - 1
    undecided = sum(f["status"] == "undecided" for f in report.doc["findings"])
    check.equal("it costs no time", report.section("findings")["answer"],
                (f"{costs} finding{'s' * (costs > 1)}, and 1 problem with the capture"
                 if costs else "1 problem with the capture, and no other finding") + f"; {undecided} checks could not be decided.")
    for metric in ("torch.step.kernel_us", "torch.step.memcpy_us", "step.class.compute_ms", "torch.host_bound_share",
                   "torch.gpu.utilization_share", "torch.short_kernel_share", "torch.launch_us"):
        check.equal(metric, report.metric(metric), None)
        check.true(metric + " says why", len(report.missing(metric)) > 8)
    check.equal("utilisation", report.missing("torch.gpu.utilization_share"), reason)
    check.near("the host's calls", report.metric("torch.step.runtime_us"), 1)
    check.equal("device", report.metric("run.device_type"), "NVIDIA A100")
    report = report_on(COPIED)
    check.near("copies", report.metric("torch.step.memcpy_us"), 20)
    check.equal("kernels", report.metric("torch.step.kernel_us"), None)
    check.equal("not all workers", finding_of(report_on(lost(workers(EVEN, EVEN), ["rank1"])), "TPR-REC-001")["title"],
                "Of 6 kernels launched by 1 worker and span, the profiler recorded none")


def said():
    """What findings say beside their figures."""
    check.part("said: graphs")
    saw = finding_of(report_on(job(graph(2, 30, 5, 10, 15, 20), kernel(85, 5))), "TPR-HOST-001")["saw"]
    check.true("kernels of graphs are told apart", "5 kernels" in saw and "4 of them in CUDA graphs" in saw)
    check.true("their launch is not that of a kernel", "shorter" not in saw)
    check.part("said: parts")
    report = report_on(job(kernel(3, 20), item(30, 10), kernel(80, 10), loader(90, 6)))
    summary = [b for s in report.doc["sections"] if s["id"] == "summary" for b in s["blocks"]]
    first = [b for s in summary if s.get("id") == "summary/first" for b in s["blocks"]]
    opened = [f for f in report.doc["findings"] if f["status"] == "open"]
    check.true("several are open, and one is a part of another", any("part of 1" in (f["saving_note"] or "") for f in opened))
    check.equal("those to do first are counted without a gap", [b["number"] for b in first], list(range(1, len(first) + 1)))
    check.part("said: the verdict on kernels begins with the finding")
    for what, gemm, told in (("plain products", "volta_sgemm_128x64_tn", True), ("on tensor cores", "volta_h884gemm", False)):
        report = report_on(job(kernel(3, 96, gemm, "aten::mm"), gpus=(volta(),)))
        [because] = [b for b in report.doc["sections"][0]["blocks"] if b["id"] == "summary/because"]
        check.equal(what, "mixed precision" in json.dumps(because), told)
    check.part("said: Python functions")
    named = [mark("aten::mm", 0, 50, "cpu_op"), kernel(3, 40)]
    for what, parts, told in (("not recorded", named, True), ("recorded", [*named, mark("f", 0, 90, "python_function")], False)):
        finding = finding_of(report_on(job(*parts, **({} if told else {"with_stack": 1}))), "TPR-STEP-001")
        check.equal("asks for stacks when they are " + what, "with_stack=True" in " ".join(finding["actions"]), told)
        check.equal("no event covers it when they are " + what, "not covered by any event" in finding["title"], told)
    check.part("said: one kernel")
    saw = [finding_of(report_on(job(*[kernel(15 + 20 * k, 10) for k in range(n)])), "TPR-HOST-001")["saw"] for n in (1, 2)]
    check.equal("one is one", ["A step has 1 kernel," in saw[0], "A step has 2 kernels;" in saw[1]], [True, True])


def on_gpu(gpu):
    def parts(at, number):
        return [e | {"pid": gpu, "args": {**e["args"], "device": gpu}} if e["cat"] == "kernel" else e for e in FULL(at, number)]
    return parts


def devices():
    check.part("a device that is not listed by its number")
    for gpus, named in (([GPU], True), ([GPU, second_gpu()], True), ([GPU, {**volta(), "id": 1}], False)):
        report = report_on(job(on_gpu(9), gpus=gpus))
        check.equal("is of the only kind there is", report.metric("run.device_type") == GPU["name"], named)


def types_of_devices():
    """Each type with the number of its own devices, in the head and in the environment; a worker's second span counts once."""
    check.part("types of devices")
    other = volta()
    many = [{**other, "name": f"GPU {i}"} for i in range(6)]
    h, v = GPU["name"], other["name"]
    for gpus, said in (([GPU, GPU], f"2 × {h}"), ([GPU, other, GPU], f"2 × {h}, 1 × {v}"), ([other, GPU], f"1 × {v}, 1 × {h}"),
                       (many, "1 × GPU 0, 1 × GPU 1, 1 × GPU 2, 1 × GPU 3, 2 of other types")):
        traces = {f"r{i}": job(on_gpu(i), gpus=[{**gpu, "id": i}], distributedInfo={**DISTRIBUTED, "rank": i})["w"]
                  for i, gpu in enumerate(gpus)}
        report = report_on(traces)
        head = next(b for b in report.doc["sections"][0]["blocks"] if b.get("id") == "summary/run")
        [environment] = [one for one in report.doc["sections"] if one["id"] == "environment"]
        check.true(f"head: {said}", any(item.endswith(", " + said) for item in head["items"]))
        check.equal("all", report.metric("run.devices"), len(gpus))
        if ", " in said:
            check.true("environment", environment["answer"].endswith(f", {said}."))


def months_apart():
    """Spans of a worker that no one clock can hold: one worker and its GPU still, described by the span that does."""
    check.part("spans months apart")
    early, late = job(FULL, gpus=())["w"], job(FULL)["w"]
    late["baseTimeNanoseconds"] += 200 * 86400 * 10 ** 9
    with tempfile.TemporaryDirectory() as folder:
        for span, one in (("1", early), ("2", late)):
            Path(folder, "w.%s.pt.trace.json" % span).write_text(json.dumps(one), encoding="utf-8")
        report = Report(folder)
    quality = json.dumps(next(b for b in report.doc["sections"][0]["blocks"] if b.get("id") == "summary/quality"))
    check.true("all steps on one worker", "6/6 steps on 1 worker" in quality)
    check.true("which has them all", "not on every worker" not in quality)
    check.equal("GPUs", report.metric("run.devices"), 1)
    check.equal("its name", report.metric("run.device_type"), GPU["name"])
    for peak in ("flops.peak_per_s", "memory.capacity_bytes"):
        check.equal(peak, report.metric(peak), report_on(job(FULL)).metric(peak))
    check.equal("its memory", report.metric("memory.capacity_bytes"), GPU["totalGlobalMem"])


def an_hour_apart():
    """Where nothing was recorded for most of the capture, the timeline says so; a chart of one of two spans says whose it is."""
    check.part("spans an hour apart")
    module = lambda at, number: [event("python_function", "nn.Module: Net_0", at + 1, 90, **{
        "Python id": number + 1, "Python parent id": None, "Python module id": 0})]
    early, late = (job(FULL, module)["w"] for _ in range(2))
    late["baseTimeNanoseconds"] += 3600 * 10 ** 9
    with tempfile.TemporaryDirectory() as folder:
        for span, one in (("1", early), ("2", late)):
            Path(folder, "w.%s.pt.trace.json" % span).write_text(json.dumps(one), encoding="utf-8")
        report = Report(folder)
    remarks = {block["id"]: block["items"][0] for name in ("timeline", "modules") for block in report.section(name)["blocks"]
               if block["kind"] == "paragraph"}
    gap, whose = remarks["timeline/gap"], remarks["modules/1/tree/whose"]
    check.true(gap, re.match(r"No event was recorded for 60(\.0)?\s?min of 60(\.0)?\s?min, starting ", gap))
    check.equal("modules", whose, "Chart and tree: modules of w, span 1 alone.")
    check.true("one span has no gap", "timeline/gap" not in str(report_on(job(FULL)).section("timeline")))


def colours():
    """The timeline and the charts of operators have the colours of the classes of a step."""
    check.part("colours")
    def copied(at, number):
        return [event("cpu_op", "aten::copy_", at + 60, 5, **{"External id": 700 + number})] + [
            {**e, "args": {**e["args"], "External id": 700 + number}} for e in copy_of(61, 30, "Memcpy HtoD (Pageable -> Device)")(at, number)]
    report = report_on(job(mark("## forward ##", 5, 50), kernel(20, 30), copied, mark("CompiledFunction", 10, 40, "cpu_op"), mark("compile_fx", 52, 6),
                           mark("tokenize", 95, 4)))
    bars = {bar["label"]: (bar.get("hue"), bar.get("tint", 0)) for window in report.blocks["timeline/view"]["windows"] for bar in window["bars"]}
    bar = {series["key"]: (series["hue"], series.get("tint", 0)) for series in report.blocks["steps/strip"]["series"]}
    for label, part in (("CompiledFunction", "host_compute"), ("cudaMemcpyAsync", "launch"), ("elementwise_kernel", "arithmetic"),
                        ("Memcpy HtoD (Pageable -> Device)", "copy")):
        check.equal(label, bars.get(label), bar[part])
    check.equal("what compiles", bars.get("compile_fx"), ("compile", 0))
    check.equal("a range around others is no work", bars.get("## forward ##"), (None, 2))
    check.equal("a range around nothing is", bars.get("tokenize"), bar["host_compute"])
    hues = {name["name"]: name.get("hue") for name in report.blocks["timeline/view"]["names"]}
    check.equal("live, too", [hues.get(name, "not there") for name in ("## forward ##", "tokenize")], [None, "host"])
    chart = report.blocks["operators/device-self"]
    hues = {label: series["hue"] for series in chart["series"] for label, value in zip(chart["labels"], series["values"]) if value > 0}
    check.equal("operators", hues, {"aten::copy_": "memory", "aten::add": "compute"})
    check.true("a key", report.blocks["timeline/view"].get("legend"))


def colours_of_savings():
    """A saving has the colour of a class where the bar of the mean step has that much of it, and none where it is of several."""
    waits = mark("aten::mm", 50, 30, "cpu_op")
    for what, traces, rule, hue in (
            ("collectives", job(kernel(3, 57), kernel(70, 30, NCCL)), "TPR-COMM-002", "collective"),
            ("the host's operators alone", job(kernel(2, 48), waits, kernel(82, 18)), "TPR-HOST-001", "host"),
            ("and what is not recorded", job(kernel(15, 70)), "TPR-HOST-001", "none"),
            ("whatever makes steps uneven", job(FULL, lengths=[100] * 18 + [200] * 2), "TPR-STEP-002", "none")):
        check.part("colour of a saving: " + what)
        report = report_on(traces)
        finding = finding_of(report, rule)
        bar = report.blocks["summary/step/classes"]
        of_class = sum(series["values"][0] for series in bar["series"] if series["hue"] == hue)
        check.equal("hue", finding["hue"], hue)
        check.true("no more than the class", hue == "none" or finding["saving"]["value"] <= of_class + 1e-9)


def a_host_that_runs_ahead():
    """Kernels of 150 µs, launched by host ranges of 100: step 1 lasts from 1,153 to 1,303 µs, its range until 1,200."""
    check.part("a host that runs ahead")
    for step, told in (("0", None), ("1", "The host was done with it 47.0 µs into it"), ("2", "The host was done with it before it began")):
        report = report_on(job(lambda at, number: delayed(3, 3 + 50 * number, 150)(at, number)), "--window", f"step:{step}")
        said = (report.section("timeline").get("so_what") or "").replace("\u202f", " ")
        check.true(f"step {step}: {said}", told in said if told else "The host was done" not in said)


def use_by_waiting():
    """Kernels of collectives make use of a GPU that is nothing to praise."""
    check.part("a GPU in use by collectives")
    def tile(made):
        return next(tile for block in report_on(made).doc["sections"][0]["blocks"] if block["id"] == "summary/tiles"
                    for tile in block["tiles"] if tile["id"] == "summary/tiles/gpu")
    busy = tile(job(kernel(3, 30), kernel(34, 63, NCCL, "nccl:all_reduce"), distributedInfo=DISTRIBUTED))
    check.equal("no mark", busy.get("judge"), None)
    check.equal("what it is in use by", busy["notes"][0], "63.0\u202f% of a step is collectives")
    check.equal("a mark", tile(job(FULL)).get("judge"), "good")


def what_is_there():
    """The first screen says which of the steps and of the workers are in the report; a finding says what its class is meant as."""
    check.part("what is there of a run")
    def first_screen(report, which):
        return next(b for b in report.doc["sections"][0]["blocks"] if b["id"] == "summary/" + which)["items"]
    made = job(FULL, kernel(34, 63, NCCL, "nccl:all_reduce"), steps=5, distributedInfo={**DISTRIBUTED, "world_size": 4})
    whole = report_on(made)
    check.equal("all steps", first_screen(whole, "run")[-1], "steps 0–4")
    check.true("one of four workers", "■ 1 of 4 workers read" in first_screen(whole, "quality"))
    check.true("so it is not whole", "profile complete" not in first_screen(whole, "quality"))
    for e in made["w"]["traceEvents"]:
        e["name"] = {"ProfilerStep#3": "ProfilerStep#7", "ProfilerStep#4": "ProfilerStep#8"}.get(e["name"], e["name"])
    check.equal("some steps", first_screen(report_on(made), "run")[-1], "5 steps, numbered 0–8")
    late = report_on(workers([kernel(3, 35), summing(40, 60)], EVEN))
    check.equal("waiting, of collectives", [finding_of(late, "TPR-RANK-001").get(key) for key in ("hue", "tint")], ["collective", 4])
    gap = report_on(job(kernel(3, 40)))
    check.equal("not recorded, of idle time", [finding_of(gap, "TPR-STEP-001").get(key) for key in ("hue", "tint")], ["idle", 5])


def main():
    what_is_there()
    devices()
    an_hour_apart()
    colours()
    colours_of_savings()
    a_host_that_runs_ahead()
    use_by_waiting()
    types_of_devices()
    months_apart()
    each_case(check, CASES, report_on)
    several_workers()
    verdicts()
    exposed_communication()
    without_kernels()
    said()
    every_rule_has_cases(check, report_on(CPU), CASES, ELSEWHERE)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
