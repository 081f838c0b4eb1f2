"""Steps that nobody marked: of captures written by hand, and of our own without their markers."""

import json
import sys
import tempfile

import unmarked
from by_hand import MS, put, report_on, section, words
from truth import SOURCE, Check, Report
from xspace_writer import Plane, xspace

check = Check()


def captured_without_markers():
    """The steps of the captures whose markers are taken away, against those that they mark: a call repeats within each. It
    begins up to a millisecond after its marker, and of a step's work none is lost."""
    for name, call in (("jax_cnn", "PjitFunction(train_step)"), ("tf_slow_input", "TFE_Py_FastPathExecute_C")):
        check.part(f"{name} without markers")
        logdir = SOURCE / "examples" / name / "input"
        with tempfile.TemporaryDirectory() as folder:
            bare, marked = Report(unmarked.unmark(logdir, folder, events=("train",))), Report(logdir)
        check.equal("step_source", bare.metric("run.step_source"), "inferred")
        check.equal("count", bare.metric("step.count"), marked.metric("step.count"))
        check.true("from what", call in json.dumps(bare.doc["sections"], ensure_ascii=False))
        check.true("verdict", bare.doc["sections"][0]["blocks"][1]["name"].startswith("Likely ") or
                   marked.metric("input.verdict") != "high")
        for mine, theirs in zip(bare.step_ms().values(), marked.step_ms().values()):
            check.near("time", mine, theirs, abs_=1)
        for metric, share in (("step.time.mean_ms", 0.005), ("step.time.p50_ms", 0.005), ("step.class.host_compute_ms", 0.01)):
            check.near(metric, bare.metric(metric), marked.metric(metric), rel=share)
        if marked.metric("input.wait_share") is None:
            check.equal("input.wait_share", bare.metric("input.wait_share"), None)
        else:
            check.near("input.wait_share", bare.metric("input.wait_share"), marked.metric("input.wait_share"), abs_=0.001)
        check.equal("verdict", bare.metric("input.verdict"), marked.metric("input.verdict"))


def inferred_steps():
    def plane(number, *runs, shift=0, **stats):
        """Runs: (program, start, end in ms); each holds one operation of the same length."""
        made = Plane(f"/device:TPU:{number}", device_type_string="TPU v9", **stats)
        modules, ops = made.line("XLA Modules"), made.line("XLA Ops")
        for program, start, end in runs:
            made.op(f"fusion.{program}", hlo_category="loop fusion", program_id=sum(program.encode()))
            clock = {"device_offset_ps": (start + shift) * MS, "device_duration_ps": (end - start) * MS}
            put(modules, (f"jit_{program}(12)", start, end, clock))
            put(ops, (f"fusion.{program}", start, end, clock))
        return made

    check.part("no Steps line: two programs a step, an evaluation between")
    runs = [("train", 0, 60), ("apply", 60, 90), ("train", 100, 160), ("apply", 160, 190), ("eval", 200, 240),
            ("train", 300, 360), ("apply", 360, 390), ("train", 400, 460), ("apply", 460, 490)]
    report = report_on({"a": xspace(plane(0, *runs))})
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    # The last has no end that shows: the usual gap is a tenth.
    check.equal("steps", list(report.steps()), ["0", "1", "2"])
    for step, ms in zip(report.step_ms().values(), (100, 90, 100)):
        check.near("time", step, ms)
    for parts in report.steps().values():
        check.near("compute", parts["compute"], 90)
    check.near("confidence", report.metric("step.inferred.confidence_share"), 0.75 * 360 / 400 * (1 - 5 / 95))

    check.part("no Steps line: a second host whose clock is an hour off lacks a run")
    two = [run for run in runs if run[1] not in (100, 160)]
    other = plane(0, *two, shift=3600000)
    report = report_on({"a": xspace(plane(0, *runs)), "b": xspace(other)})
    check.equal("hosts", report.metric("run.hosts"), 2)
    check.true("a step less", report.metric("step.count") < 4)

    check.part("no Steps line: perhaps several runs a step")
    runs = [run for at in range(0, 12, 3) for run in (
        *(("micro", at * 100 + n * 100, at * 100 + n * 100 + 90) for n in range(3)), ("apply", at * 100 + 290, at * 100 + 298))]
    report = report_on({"a": xspace(plane(0, *runs))})
    check.true("it is said, not judged", "runs after every 3 of them" in words(section(report, "steps")))

    check.part("no Steps line: nothing regular enough")
    odd = [("f", 0, 5), ("f", 20, 30), ("f", 90, 95), ("f", 300, 390), ("g", 400, 900)]
    report = report_on({"a": xspace(plane(0, *odd))})
    check.equal("step_source", report.metric("run.step_source"), "none")
    check.equal("no step", report.metric("step.time.mean_ms"), None)
    check.true("the reason says what was tried", "4 runs of jit_f" in report.missing("step.time.mean_ms") and
               "confidence" in report.missing("step.time.mean_ms"))


def inferred_calls():
    check.part("no marker: calls that wait for their work, a batch asked for on another thread")
    calls = [event for at in range(0, 500, 100) for event in (
        ("PjitFunction(f)", at + 10, at + 60, {"_pt": 1, "_p": at}), ("PjitFunction(f)", at + 10, at + 60))]
    plane = Plane("/host:CPU")
    put(plane.line("python"), *calls)
    put(plane.line("pool/1"), *[("work", at + 15, at + 55, {"_ct": 1, "_c": at}) for at in range(0, 500, 100)])
    put(plane.line("tf_data/2"), *[("IteratorGetNext", at + 62, at + 102) for at in range(0, 500, 100)],
        ("Iterator::Prefetch", 0, 400))
    report = report_on({"a": xspace(plane)})
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    # From call to call; the batch that is asked for at 62 comes at 102, which is 8 ms before the next call. Last: 50 ms.
    check.equal("steps", [round(ms, 9) for ms in report.step_ms().values()], [100, 100, 100, 100, 50])
    for parts in list(report.steps().values())[:4]:
        check.near("host compute", parts["host_compute"], 50)
        check.near("input wait", parts["input_wait"], 40)
        check.near("not recorded", parts["other"], 10)

    check.part("no marker: calls that run ahead of the device")
    plane, gpu = Plane("/host:CPU"), Plane("/device:GPU:0", device_vendor="Nvidia")
    put(plane.line("python"), *[event for n in range(6) for event in (
        ("PjitFunction(f)", n * 10, n * 10 + 2), ("cuLaunchKernel", n * 10 + 1, n * 10 + 2, {"correlation_id": n + 1}))])
    put(gpu.line("Stream #1(Compute)"), *[("gemm", 20 + n * 100, 110 + n * 100, {"correlation_id": n + 1}) for n in range(6)])
    report = report_on({"a": xspace(plane, gpu)})
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    check.equal("steps, first and last left out", [round(ms, 9) for ms in report.step_ms().values()], [100] * 4)
    check.near("compute", report.metric("step.class.compute_ms"), 90)

    check.part("no marker: a call around each step, in one around the loop")
    plane = Plane("/host:CPU")
    put(plane.line("python"), ("main", 0, 600), *[event for at in range(0, 500, 100) for event in (
        ("Profiled batch", at, at + 99, {"step_num": 40 + at // 100}), ("run", at + 10, at + 70))])
    report = report_on({"a": xspace(plane)})
    check.equal("steps", list(report.steps()), ["40", "41", "42", "43", "44"])
    for ms, parts in zip(report.step_ms().values(), report.steps().values()):
        check.near("host compute: neither call is work of its own", parts["host_compute"], 60)
        check.near("not recorded", parts["other"], ms - 60)

    check.part("no marker: calls that repeat within others, of which the last waits until its step ends")
    plane = Plane("/host:CPU")
    put(plane.line("python"), *[event for at in range(0, 500, 100) for event in (
        ("outer", at + 10, at + 30), ("PjitFunction(f)", at + 11, at + 29), ("wait", at + 35, at + 90), ("isinstance", at + 36, at + 37))],
        ("stop_trace", 600, 3000))
    report = report_on({"a": xspace(plane)})
    # The last one waits from 35 to 90, though what is as deep as the call ends at 37.
    check.equal("steps", [round(ms, 9) for ms in report.step_ms().values()], [100, 100, 100, 100, 79])

    check.part("no marker: no main thread")
    plane = Plane("/host:CPU")
    put(plane.line("pool/1"), *[("work", at, at + 50) for at in range(0, 500, 100)])
    report = report_on({"a": xspace(plane)})
    check.equal("step_source", report.metric("run.step_source"), "none")
    check.true("reason", "main thread" in report.missing("step.count"))


def main():
    for part in (captured_without_markers, inferred_steps, inferred_calls):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
