"""Each rule of the findings: a profile that makes it a finding, one that passes, and those in which it cannot be decided or does
not apply; and what it may save at most, worked out by hand."""

import json
import re
import sys
import tempfile
from pathlib import Path

from made_profiles import (
    MS, STEP, apart, core, cpu, feeding, fetching, gpu_plane,
    gpus, op, product, program, sparse_core, tpu, two_streams, without_steps)
from rule_guard import each_case, every_rule_has_cases, finding_of
from truth import SOURCE, Check, Report
from xspace_writer import Plane, field, xspace

check = Check()

# Rules that have such profiles elsewhere.
ELSEWHERE = {
    "truth/test_input.py": ("TPR-INPUT-002", "TPR-INPUT-003", "TPR-INPUT-004", "TPR-INPUT-005", "TPR-LAUNCH-001"),
    "truth/test_kernels.py": ("TPR-COMPILE-001", "TPR-TC-001", "TPR-KERN-001", "TPR-EAGER-001", "TPR-OUTC-001"),
    "truth/test_pod.py": ("TPR-POD-001",),
    "truth/test_memory_plan.py": ("TPR-OOM-001", "TPR-OOM-002"),
    "truth/test_memory_over_time.py": ("TPR-OOM-003", "TPR-FRAG-001"),
    "truth/test_own_operations.py": ("TPR-OP-001",),
    "truth/test_own_uneven_steps.py": ("TPR-STEP-002",),
    "truth/test_tpu_compat_by_hand.py": ("TPR-TPU-001",),
}


# --- profiles ----------------------------------------------------------------------------------------------------------

COMPUTE = op("loop fusion", 60)
JAX_CNN = {"a": next(SOURCE.glob("examples/jax_cnn/input/**/*.xplane.pb*")).read_bytes()}
UNMARKED = tpu(COMPUTE, marked=False, steps=1)
ONE_GPU = without_steps(gpu_plane())

# {rule: [(what, profile, status, measured share or None, saving in ms or None)]}
CASES = {
    "TPR-REC-001": [
        ("launched, and not there", gpus(launched=2), "open", 1, None),
        ("nor a plane of a GPU", gpus(count=0, launched=2), "open", 1, None),
        ("GPUs that may have had nothing to do", gpus(), "undecided", None, None),
        ("recorded", gpus(launched=2, worked=True), "passed", 0, None),
        ("no GPU", cpu(), "not_applicable", None, None),
    ],
    "TPR-INPUT-001": [
        ("infeed of 30 ms", tpu(COMPUTE, op("infeed", 30)), "open", 0.3, 30),
        ("on one core, waited for on the other", apart([op("infeed", 30), op("loop fusion", 70)],
                                                       [op("all-reduce", 30), op("loop fusion", 70)]), "open", 0.3, 30),
        ("two cores that do not wait", apart([op("infeed", 30), op("loop fusion", 70)], [op("loop fusion", 80)]),
         "open", 0.3, 20),
        ("infeed of 2 ms", tpu(COMPUTE, op("infeed", 2)), "passed", 0.02, None),
        ("no steps", UNMARKED, "undecided", None, None),
        ("nothing that would show it", cpu(), "undecided", None, None),
        ("no operation that receives input", tpu(COMPUTE), "undecided", None, None),
        ("nor one where steps are inferred", tpu(COMPUTE, marked=False), "undecided", None, None),
        ("an infeed on one core of two", apart([op("infeed", 2), COMPUTE], [COMPUTE]), "passed", 0.02, None),
        ("a batch for the program's arguments", tpu(COMPUTE, more=[fetching(30)]), "open", 0.3, 30),
        ("fetched while cores work", tpu(op("loop fusion", 100), more=[fetching(30)]), "passed", 0, None),
    ],
    "TPR-INPUT-006": [
        ("much sending", tpu(COMPUTE, op("infeed", 30), more=[feeding(40, 20)]), "open", None, 30),
        ("little sending", tpu(COMPUTE, op("infeed", 30), more=[feeding(1, 50)]), "passed", None, None),
        ("no waiting", tpu(COMPUTE, op("infeed", 5), more=[feeding(40, 20)]), "not_applicable", None, None),
        ("no input operations", tpu(COMPUTE, op("infeed", 30)), "not_applicable", None, None),
        ("no steps", tpu(COMPUTE, marked=False, steps=1, more=[feeding(40, 20)]), "undecided", None, None),
    ],
    "TPR-STEP-001": [
        ("half of it", cpu(run=50), "open", 0.5, 50),
        ("little of it", cpu(run=98), "passed", 0.02, None),
        ("TPU", tpu(COMPUTE), "not_applicable", None, None),
        ("no steps", cpu(marked=False, steps=1), "undecided", None, None),
        ("kernels not recorded", gpus(launched=2), "undecided", None, None),
    ],
    "TPR-OUTPUT-001": [
        ("outfeed of 30 ms", tpu(COMPUTE, op("outfeed", 30)), "open", 0.3, 30),
        ("outfeed of 2 ms", tpu(COMPUTE, op("outfeed", 2)), "passed", 0.02, None),
        ("no device", cpu(), "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-IDLE-001": [
        ("40 ms of nothing", tpu(COMPUTE), "open", 0.4, 40),
        ("the busier core decides", apart([op("loop fusion", 60)], [op("loop fusion", 90)]), "open", 0.25, 10),
        ("2 ms of nothing", tpu(op("loop fusion", 98)), "passed", 0.02, None),
        ("no device", cpu(), "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-IDLE-002": [
        ("as long between steps as in them", tpu(op("loop fusion", 100), gap=100), "open", 0.4, 100),
        ("steps without gaps", tpu(op("loop fusion", 100)), "passed", 0, None),
        ("without steps nothing bounds it", tpu(op("loop fusion", 20), cores=1, marked=False, steps=2), "open", 80 / 120, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-DEBUG-001": [
        ("10 ms of printing", tpu(COMPUTE, op("custom-call", 10, tf_op="jit(f)/debug_callback:")), "open", 0.1, 10),
        ("1 ms of it", tpu(COMPUTE, op("custom-call", 1, name="debug_print.1")), "passed", 0.01, None),
        ("neither steps nor a TPU", cpu(marked=False, steps=1), "not_applicable", None, None),
        ("no device", cpu(), "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-COMM-001": [
        ("20 ms of all-reduce", tpu(COMPUTE, op("all-reduce", 20)), "open", 0.2, 20),
        ("one core waits for the other's work", apart([op("loop fusion", 100)], [op("all-reduce", 40), op("loop fusion", 60)]),
         "open", 0.2, 0),
        ("1 ms of it", tpu(COMPUTE, op("all-reduce", 1)), "passed", 0.01, None),
        ("no device", cpu(), "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-POD-002": [
        ("15 ms at barriers", tpu(COMPUTE, barrier=15), "open", 0.15, 15),
        ("1 ms at barriers", tpu(COMPUTE, barrier=1), "passed", 0.01, None),
        ("barriers of 1.25 ns are none", tpu(COMPUTE, barrier=0.00000125), "passed", 0, None),
        ("no line that would show them", tpu(COMPUTE), "undecided", None, None),
        ("no device", cpu(), "not_applicable", None, None),
        ("neither steps nor a TPU", ONE_GPU, "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-SC-001": [
        ("20 ms of lookups", tpu(COMPUTE, more=[sparse_core(20)]), "open", 0.2, None),
        ("exchange with SparseCores", tpu(COMPUTE, op("SparseCoreV0 infeed wait", 12)), "open", 0.12, None),
        ("2 ms of lookups", tpu(COMPUTE, more=[sparse_core(2)]), "passed", 0.02, None),
        ("no SparseCore", tpu(COMPUTE), "not_applicable", None, None),
        ("neither steps nor a TPU", ONE_GPU, "not_applicable", None, None),
        ("no steps", UNMARKED, "undecided", None, None),
    ],
    "TPR-COPY-001": [
        ("60 of 80 ms", tpu(op("loop fusion", 20), op("copy-done", 60)), "open", 0.75, 60),
        ("10 of 80 ms", tpu(op("loop fusion", 70), op("copy-done", 10)), "passed", 0.125, None),
        ("60 and 40 ms: no more than the mean step has", apart((op("loop fusion", 20), op("copy-done", 60)), (op("loop fusion", 20), op("copy-done", 40))),
         "open", 100 / 140, 50),
        ("40 ms on a GPU, half of it beside a kernel", two_streams(("MemcpyD2D", 40, 40)), "open", 0.4, 20),
        ("all of it", two_streams(("MemcpyD2D", 10, 40)), "not_applicable", None, None),
        ("some of it to the host", two_streams(("MemcpyD2D", 60, 10), ("MemcpyD2H", 70, 10)), "open", 0.25, 20),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-SHUF-001": [
        ("gather of 40 ms", tpu(COMPUTE, op("gather", 40)), "open", 0.4, 40),
        ("gather of 10 ms", tpu(COMPUTE, op("gather", 10)), "passed", 10 / 70, None),
        ("data formatting counts as copies", tpu(COMPUTE, op("data formatting", 40)), "passed", 0, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-FLOPS-001": [
        ("a tenth of the peak", tpu(op("convolution fusion", 100, flops=10**10)), "open", 0.1, 90),
        ("a tenth, half of it waiting", tpu(op("convolution fusion", 50, flops=10**10), op("infeed", 50)), "open", 0.1, 40),
        ("beside copies, which no arithmetic shortens", tpu(op("copy-done", 80), op("convolution fusion", 20, flops=10**9)),
         "open", 0.01, 19),
        ("half of the peak", tpu(op("convolution fusion", 100, flops=5 * 10**10)), "passed", 0.5, None),
        ("twice the peak", tpu(op("convolution fusion", 100, flops=2 * 10**11)), "undecided", None, None),
        ("no costs", tpu(COMPUTE), "undecided", None, None),
        ("no peak", tpu(op("convolution fusion", 100, flops=10**10), flops=0.0), "undecided", None, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-PREC-001": [
        ("float32 only", tpu(op("convolution fusion", 100)), "open", 0, None),
        ("bfloat16", tpu(op("convolution fusion", 100, shape="bf16[8]")), "passed", 1, None),
        ("no types", tpu(op("convolution fusion", 100, shape=None)), "undecided", None, None),
        ("hardly any arithmetic", tpu(op("convolution fusion", 5), op("copy-done", 95)), "not_applicable", None, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-MEM-001": [
        ("90 % of the bandwidth", tpu(op("loop fusion", 100, flops=1, bytes_accessed=9 * 10**7)), "open", 0.9, None),
        ("10 % of it", tpu(op("loop fusion", 100, flops=1, bytes_accessed=10**7)), "passed", 0.1, None),
        ("no costs", tpu(COMPUTE), "undecided", None, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
    "TPR-PAD-001": [
        ("half of the lanes", product(128, 64, 128), "open", 0.5, 50),
        ("sizes that fill the tiles", product(128, 128, 128), "passed", 0, None),
        ("no HLO", tpu(op("convolution fusion", 100)), "undecided", None, None),
        ("no device", cpu(), "not_applicable", None, None),
    ],
}


# --- what is said of them ----------------------------------------------------------------------------------------------

def report_on(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, "logs/plugins/profile/2026_01_02_03_04_05", f"{name}.xplane.pb")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return Report(Path(folder, "logs"))


def frameworks():
    """What to do is said in the words of the framework in use."""
    says = {"jit_f(1)": "jax.jit", "SyncTensorsGraph.7(1)": "xm.mark_step", "other(1)": "Dispatch the next step"}
    for program, words in says.items():
        check.part(f"advice for {program}")
        metadata = Plane("/host:metadata")
        metadata.op(program, hlo_proto=field(1, field(1, program.partition("(")[0])))
        metadata.ops.setdefault(program, 1)
        finding = finding_of(report_on(tpu(COMPUTE, more=[metadata])), "TPR-IDLE-001")
        check.true(words, any(words in action for action in finding["actions"]))
    check.part("advice for TensorFlow")
    threads = Plane("/host:CPU")
    threads.line("tf_Compute/1").event("x", 0, 1)
    finding = finding_of(report_on(tpu(COMPUTE, more=[threads])), "TPR-IDLE-001")
    check.true("steps_per_execution", any("steps_per_execution" in action for action in finding["actions"]))


def overlaps():
    """Savings that are of the same time say so, at the later one."""
    check.part("savings of the same time")
    flops = {"flops": 10**9}
    report = report_on(tpu(op("convolution fusion", 40, **flops), op("copy-done", 60)))
    copies, slow = finding_of(report, "TPR-COPY-001"), finding_of(report, "TPR-FLOPS-001")
    check.equal("the first", copies["saving_note"], "per step")
    check.equal("what is not at the peak may be copies", slow["saving_note"], f"per step, may overlap {copies['number']}’s")
    [section] = [one for one in report.doc["sections"] if one["id"] == "findings"]
    check.true("said once for all", "do not add up" in section["so_what"])

    check.part("savings of different times")
    report = report_on(tpu(op("loop fusion", 40), op("infeed", 30), op("outfeed", 30)))
    check.equal("notes", [finding_of(report, rule)["saving_note"] for rule in ("TPR-INPUT-001", "TPR-OUTPUT-001")], ["per step"] * 2)
    [section] = [one for one in report.doc["sections"] if one["id"] == "findings"]
    check.true("nothing to say", "do not add up" not in section["so_what"])

    check.part("part of another's")
    report = report_on(tpu(COMPUTE, op("infeed", 30), more=[feeding(40, 20)]))
    whole = finding_of(report, "TPR-INPUT-001")
    check.equal("sending", finding_of(report, "TPR-INPUT-006")["saving_note"], f"per step, part of {whole['number']}’s")


def what_a_verdict_rests_on():
    """One step, or some of the devices: said in the verdict's own sentence."""
    def verdict(files):
        [one] = [block for block in report_on(files).doc["sections"][0]["blocks"] if block["kind"] == "verdict"]
        [because] = [block["items"][0] for block in report_on(files).doc["sections"][0]["blocks"] if block["id"] == "summary/because"]
        return one["name"], because

    idle = Plane("/device:TPU:2", device_type_string="TPU v9", core_details=field(2, 2) + field(5, 2) + field(6, 2))
    check.part("what a verdict rests on")
    name, saw = verdict(tpu(COMPUTE))
    check.equal("several steps on all cores", (name, "Judged by" in saw), ("Idle devices:", False))
    name, saw = verdict(tpu(COMPUTE, steps=1))
    check.equal("one step", (name, saw.partition(" Judged by ")[2]), ("Likely idle devices:", "one step."))
    name, saw = verdict(tpu(COMPUTE, steps=1, more=[idle]))
    check.equal("one step, not all", (name, saw.partition(" Judged by ")[2]), ("Likely idle devices:", "one step and 2 of 3 devices."))
    name, saw = verdict(tpu(COMPUTE, more=[idle]))
    check.equal("not all", (name, saw.partition(" Judged by ")[2]), ("Idle devices:", "2 of 3 devices."))


def of_which_time():
    """Shares of device time say from when to when, on how many devices, and what that is of the capture."""
    check.part("the window of device time")
    environment = Plane("Task Environment", profile_start_time=10**18, profile_stop_time=10**18 + 10**9)
    busy = Plane("/device:GPU:4")
    busy.line("Stream #7(Compute)").event("fusion_1", 0, 10 * MS).event("fusion_1", 90 * MS, 10 * MS)
    files = {"a": xspace(busy, *(Plane(f"/device:GPU:{number}") for number in range(3)), environment, hosts=["a"])}
    report = report_on(files)
    check.near("busy from first to last", report.metric("device.busy_share"), 0.2)
    check.near("of the capture", report.metric("device.capture_busy_share"), 20 / 4000)
    for metric, coverage in (("device.busy_share", "of 100\u202fms from first to last operation, on 1 of 4 GPUs"),
                             ("device.idle_share", "of 100\u202fms from first to last operation, on 1 of 4 GPUs"),
                             ("device.capture_busy_share", "of 1.00\u202fs of capture, on 4 GPUs")):
        check.equal(metric + " is of", report.metrics[metric]["coverage"], coverage)
    check.equal("verdict", report.doc["verdict"]["saw"],
                "devices are busy 20.0\u202f% of 100\u202fms from first to last operation, on 1 of 4 GPUs;")
    finding = finding_of(report, "TPR-IDLE-002")
    check.true("title", finding["title"].endswith("of the time from first to last operation"))
    check.true("window", "100\u202fms from first to last operation, on 1 of 4 GPUs. In the 1.00\u202fs of the capture, the 4 GPUs together "
               "worked 0.5\u202f%." in finding["saw"])
    report = report_on({"a": xspace(busy, hosts=["a"])})
    check.equal("no length of the capture", report.metric("device.capture_busy_share"), None)
    check.true("and nothing said of it", "capture" not in finding_of(report, "TPR-IDLE-002")["saw"])


def without_kernels():
    """GPUs whose kernels were not recorded are not praised for what the host does meanwhile."""
    check.part("kernels not recorded")
    # Of kernels that were launched and not recorded there is a finding, which is high.
    for files, judge, saw, device in (
            (gpus(launched=2), "bad", "the program launched 6 kernels; the profiler recorded none;", "GPU"),
            (gpus(count=0, launched=2), "bad", "the program launched 6 kernels; the profiler recorded none;", "GPU"),
            (gpus(), "undecided", "the profile names 2 GPUs but holds no work on them;", "GPU"),
            (gpus(count=1), "undecided", "the profile names 1 GPU but holds no work on it;", "GPU")):
        report = report_on(files)
        verdict = report.doc["verdict"]
        check.equal("verdict", (verdict["name"], verdict["judge"], verdict["saw"]), ("Kernels not recorded:", judge, saw))
        check.equal("device", report.metric("run.device_type"), device)
    check.equal("a CPU alone is bound by itself", report_on(cpu(run=98)).doc["verdict"]["name"], "CPU-bound:")
    check.equal("and likely so by one step", report_on(cpu(run=98, steps=1)).doc["verdict"]["name"], "Likely CPU-bound:")


def advice_for_inferred_steps():
    """Nothing lies between inferred steps: what is idle is within them, or before the first or after the last."""
    check.part("idle devices with inferred steps")
    finding = finding_of(report_on(tpu(op("loop fusion", 20), cores=1, marked=False, steps=10)), "TPR-IDLE-002")
    check.equal("open", finding["status"], "open")
    said = json.dumps(finding, ensure_ascii=False)
    check.true("says that they are inferred", "inferred steps" in said)
    check.true("nothing of between them", "between steps and within" not in said)
    marked = finding_of(report_on(tpu(op("loop fusion", 100), gap=100)), "TPR-IDLE-002")
    check.true("marked", "between steps and within" in marked["brief"])
    plane = core(0, [op("loop fusion", 100)], marked=False, steps=10)
    late = plane.op("%late.1 = f32[8] late()", "late.1", hlo_category="loop fusion", program_id=2)
    plane.lines[0][2].append((late, 1400 * MS, MS, {}))
    outside = finding_of(report_on({"a": xspace(plane, hosts=["a"])}), "TPR-IDLE-002")
    check.equal("idle after the last step", (outside["status"], outside["brief"]), ("open", "No step waits for it: see what runs outside steps."))
    check.true("and not told to look in steps", "[Steps]" not in json.dumps(outside["actions"]))


def more_than_possible():
    """Beyond 125 % of a peak a use is missing, with the same reason wherever it is asked for."""
    check.part("more than the peak allows")
    report = report_on(tpu(op("convolution fusion", 100, flops=2 * 10**11, bytes_accessed=10**7)))
    for metric in ("flops.utilization_share", "flops.busy_utilization_share"):
        check.equal(metric, report.metric(metric), None)
        check.true(f"{metric}: why", "125 % of the peak" in report.missing(metric))
    for metric in ("roofline.program.flops_share", "roofline.operations.efficiency_share"):
        check.equal(metric, report.metric(metric), None)
    check.equal("nor of a core", [row.get("flops_utilization_share") for row in report.rows("devices/table")][:2], [None, None])
    check.near("the memory's stays", report.metric("memory_bandwidth.utilization_share"), 0.1)
    report = report_on(tpu(op("convolution fusion", 100, flops=12 * 10**10)))
    check.near("120 % may be a clock", report.metric("flops.utilization_share"), 1.2)


def one_step():
    check.part("words for one step")
    said = json.dumps(report_on(tpu(COMPUTE, steps=1, cores=1)).doc, ensure_ascii=False)
    for words in ("1 steps", "1 hosts", "1 operations", "1 devices", "1 more rows", "1 complete steps", "1 of 1 steps"):
        check.true(f"not {words!r}", re.search(rf"(?<![\d.,]){words}", said) is None)
    check.true("but one", "1/1 step on 1 host" in said)


def unseen_input():
    """Where no event would show waiting for input, it is missing with the reason; nowhere 0, low or passed."""
    for what, files, looks in (("TPU", tpu(COMPUTE), "idle"), ("inferred steps of a TPU", tpu(COMPUTE, marked=False), "idle"),
                               ("CPU", cpu(run=98), "host work")):
        check.part(f"input that would not be seen, {what}")
        report = report_on(files)
        for metric in ("input.wait_share", "input.worst_share"):
            check.equal(metric, report.metric(metric), None)
            check.true(f"{metric}: why", looks in report.missing(metric))
        check.equal("verdict", report.metric("input.verdict"), "unknown")
        [tiles] = [block["tiles"] for block in report.doc["sections"][0]["blocks"] if block["kind"] == "tiles"]
        [tile] = [tile for tile in tiles if tile["id"].endswith("/input-wait")]
        check.equal("tile", (tile["value"], tile["judge"]), (None, "undecided"))
        [section] = [one for one in report.doc["sections"] if one["id"] == "input-pipeline"]
        check.true("section", "unknown" in section["answer"] or "Nothing in the profile shows" in section["answer"])


def unprofiled():
    """Waits may be for cores of a host that nobody profiled."""
    check.part("cores that were not profiled")
    planes = [core(number, [COMPUTE]) for number in (4, 5)]
    report = report_on({"b": xspace(*planes)})
    rows = {row["what"]: row["value"] for row in report.rows("environment/run")}
    check.equal("at least", rows["Cores not profiled"], 4)
    finding = finding_of(report, "TPR-IDLE-001")
    check.true("the finding says so", "At least 4 cores of the job were not profiled" in finding["saw"])
    check.part("all cores profiled")
    report = report_on(tpu(COMPUTE))
    check.true("no row", "Cores not profiled" not in {row["what"] for row in report.rows("environment/run")})


def advice_for_one_core():
    """With one core in the profile nobody is told to compare cores."""
    check.part("advice for one core")
    for rule, more in (("TPR-IDLE-001", []), ("TPR-COMM-001", [op("all-reduce", 20)])):
        for cores in (1, 2):
            said = json.dumps(finding_of(report_on(tpu(op("loop fusion", 50), *more, cores=cores)), rule))
            check.equal(f"{rule}, cores: {cores}", "Compare cores" in said or "straggler" in said, cores > 1)


def gaps_of_programs():
    """A core that is idle while a program runs does not wait for the host's next call; between programs it may."""
    check.part("idle within a program, and between programs")
    for run_ms, within_ms in ((100, 50), (90, 40), (60, 10), (None, 0)):
        plane = core(0, [op("loop fusion", 50)])
        if run_ms:
            line = plane.line("XLA Modules")
            for step in range(3):
                line.event("jit_f(1)", step * STEP * MS, run_ms * MS, run_id=step)
        finding = finding_of(report_on({"a": xspace(plane, hosts=["a"])}), "TPR-IDLE-001")
        saw = finding["saw"].replace("\u202f", " ")
        told = "All of that lies within runs" if within_ms == 50 else f"{within_ms}.0 ms of that lies within runs" if within_ms >= 40 else None
        check.true(f"{run_ms} ms of 100: {saw}", told in saw if told else "within runs" not in saw)
        check.equal(f"{run_ms} ms of 100: what to do", "See in the timeline" in finding["actions"][0], told is not None)


def what_to_start_with():
    """Kernels that are not of a program are no category to begin with: the longest of them is named."""
    check.part("what to start with")
    for plane in (program(("a", "parameter", "f32[8,8]")), None):
        gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
        stream, threads = gpu.line("Stream #1(Compute)"), Plane("/host:CPU")
        python = threads.line("python/1")
        for step in range(3):
            stream.event("cutlass_gemm", step * STEP * MS, 70 * MS, correlation_id=2 * step + 1)
            stream.event("reduce", (step * STEP + 70) * MS, 29 * MS, correlation_id=2 * step + 2)
            python.event("train", step * STEP * MS, STEP * MS, step_num=step, _r=1)
        report = report_on({"a": xspace(gpu, threads, *([plane] if plane else []), hosts=["a"])})
        because = next(b for b in report.doc["sections"][0]["blocks"] if b["id"] == "summary/because")
        check.true(f"{because['items']}", any("starting with cutlass_gemm" in item for item in because["items"]))


def where_a_wait_is_marked():
    """On the timeline a wait for input is the call in which the step waits, not what a thread prepares meanwhile."""
    check.part("where a wait is marked")
    plane = Plane("/host:CPU")
    line, data = plane.line("python/1"), plane.line("data/2")
    for step in range(3):
        at = step * STEP * MS
        line.event("train", at, STEP * MS, step_num=step, _r=1).event("IteratorGetNext", at, 30 * MS).event("run", at + 30 * MS, 70 * MS)
        data.event("PrefetchProduce", at + 30 * MS, 60 * MS)
    report = report_on({"a": xspace(plane, hosts=["a"])})
    [section] = [one for one in report.doc["sections"] if one["id"] == "timeline"]
    [chart] = [block for block in section["blocks"] if block["id"] == "timeline/view"]
    [mark] = [one for one in chart["findings"] if one["finding"] == "TPR-INPUT-001"]
    check.equal("as long as the call", mark["to_ps"] - mark["from_ps"], 30 * MS)


def one_number_for_input():
    """What waits for input is told by the mean of all cores, as the bar draws it; where cores differ, the worst is told beside it."""
    work = op("loop fusion", 60)
    for what, second, title, saw, saves in (
            ("nearly alike", [op("infeed", 28), work], "spend 29.0\u202f% of their time waiting for input", "29.0\u202f% of step time is spent waiting for input;", 29),
            ("one waits alone", [work], "spend 30.0\u202f% of their time waiting for input on the worst core, 15.0\u202f% on average", None, 30)):
        check.part("waiting for input of two cores: " + what)
        report = report_on(apart([op("infeed", 30), work], second))
        finding = finding_of(report, "TPR-INPUT-001")
        check.near("judged by the worst core", finding["measured"]["value"], 0.3)
        check.true("title", finding["title"].endswith(title))
        check.near("saves at most", finding["saving"]["value"], saves)
        if saw:
            check.equal("verdict", report.doc["verdict"]["saw"], saw)
            check.true("what was seen says both", "29.0\u202f% of step time; judged by the worst core, 30.0\u202f%"
                       in finding["saw"])


def what_leads():
    """A gap leads from a fifth of a step on; no verdict is milder than a high finding; praise needs more checks that passed than others."""
    for run, name, judge, consequence in ((70, "Possibly input-bound:", "bad", "it may be input, Python, or waiting."),
                                          (83, "CPU-bound:", "bad", "17.0\u202f% of it is outside any operation or call."),
                                          (98, "CPU-bound:", "undecided", "the profiler does not show how much of that is waiting.")):
        check.part(f"verdict of a host of whose steps {run} % is recorded")
        report = report_on(cpu(run=run))
        verdict, because = report.doc["verdict"], next(
            b["items"][0] for b in report.doc["sections"][0]["blocks"] if b.get("id") == "summary/because")
        check.equal("points to the finding on the gap", "Finding 1 is about the 17.0\u202fms not recorded." in because, run == 83)
        check.equal("name and judge", (verdict["name"], verdict["judge"]), (name, judge))
        check.true("consequence: " + verdict["consequence"], verdict["consequence"].endswith(consequence))


def praise():
    """No verdict is green above a medium finding which may save a tenth of a step, nor silent above one that saves less."""
    check.part("a large saving below a verdict")
    for ms, judge in ((9.9, "warn"), (10, "warn"), (10.1, "warn")):
        work = op("convolution fusion", 100 - ms, shape="bf16[8]", flops=int(0.8e9 * (100 - ms)), bytes_accessed=1000)
        report = report_on(tpu(work, op("outfeed", ms)))
        opened = [(f["id"], f["severity"]) for f in report.doc["findings"] if f["status"] == "open"]
        check.equal(f"{ms} ms of outfeed", (report.doc["verdict"]["judge"], opened), (judge, [("TPR-OUTPUT-001", "Medium")]))


def idle_without_gaps():
    """Where steps follow each other without gaps, nothing is said of the time between them."""
    check.part("idle devices without gaps between steps")
    for gap, says in ((0, "Steps follow each other without gaps: this time is within them, or before the first and after the last."),
                      (30, "Without this gap, the next step could start up to 30.0\u202fms earlier.")):
        check.equal(f"gaps of {gap} ms", finding_of(report_on(tpu(COMPUTE, cores=1, gap=gap)), "TPR-IDLE-002")["matters"], says)


def alone():
    """Where there is one device, or one host without any, nobody waits for a straggler; with two it is not known."""
    for what, profile, status in (("one host", cpu(marked=False, steps=1), "not_applicable"), ("one GPU", ONE_GPU, "not_applicable"),
                                  ("two GPUs", without_steps(gpu_plane(), gpu_plane(1)), "undecided"),
                                  ("GPUs that were not recorded", gpus(launched=2), "not_applicable"),
                                  ("two cores", UNMARKED, "undecided")):
        check.part("straggler without steps: " + what)
        check.equal("status", finding_of(report_on(profile), "TPR-POD-001")["status"], status)
    check.part("memory of a device: none is there")
    for profile in (cpu(), JAX_CNN):
        for rule in ("TPR-OOM-001", "TPR-OOM-002"):
            check.equal(rule, finding_of(report_on(profile), rule)["status"], "not_applicable")


def main():
    each_case(check, CASES, report_on)
    alone()
    frameworks()
    overlaps()
    what_a_verdict_rests_on()
    one_number_for_input()
    what_leads()
    of_which_time()
    without_kernels()
    advice_for_inferred_steps()
    idle_without_gaps()
    praise()
    advice_for_one_core()
    gaps_of_programs()
    what_to_start_with()
    where_a_wait_is_marked()
    more_than_possible()
    one_step()
    unseen_input()
    unprofiled()
    every_rule_has_cases(check, report_on(cpu()), CASES, ELSEWHERE)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
