"""The rules on PyTorch runs whose GPU waits, as test_torch_findings.py has the others: for the host, for set-up, after a wait of the host's
own, and with work queued. What the verdict says of such a wait is what the figures say."""

import json
import re
import sys

from rule_guard import each_case, finding_of
from torch_files import DISTRIBUTED, event
from torch_made_steps import (COLLECTIVE_BEFORE, COPIED, CPU, FULL, LOST, because_of, delayed, item, job, kernel, loader, mark,
                              report_on, setting, summing, unequal)
from truth import Check

check = Check()

# rule: (what, trace, status, measured, saving in ms a step)
CASES = {
    "TPR-HOST-001": [
        ("30 %", job(kernel(15, 70)), "open", 0.30, 0.030),
        # Of a step that lasts until the slower ends, and of two that are no step of one job.
        ("of workers of one job, the mean", unequal(), "open", 0.20, 0.020),
        ("of captures 2 h apart, of each its own", unequal(apart_h=2), "open", 40 / 150, 0.020),
        ("of one job whose clocks differ, the mean", unequal(apart_h=2, distributedInfo={**DISTRIBUTED, "world_size": 2}), "open", 0.20, 0.020),
        ("4 %", job(FULL), "passed", 0.04, None),
        # But for the launch of 1 µs within it.
        ("waiting for a batch is not it", job(loader(0, 40), kernel(40, 56)), "passed", 0.05, None),
        ("launched long before", job(delayed(5, 506, 480), step=1000), "open", 1 - 0.48 - 0.40, 0.120),
        ("copies without kernels", COPIED, "undecided", None, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    # A launch that took 0.1 ms to begin is nothing unusual; of the rest it is not known what the device waits for.
    "TPR-QUEUE-001": [
        ("launched long before", job(delayed(5, 506, 480), step=1000), "open", 0.40, None),
        ("while a kernel runs", job(kernel(3, 503), delayed(5, 506, 480), step=1000), "passed", 0, None),
        ("while a batch is waited for", job(loader(6, 500), delayed(5, 506, 480), step=1000), "passed", 0, None),
        ("the call not recorded", job(lambda at, n: delayed(5, 506, 480)(at, n)[1:], kernel(990, 9), step=1000), "passed", 0, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-SETUP-001": [
        ("a long allocation", job(kernel(3, 300), setting("cudaMalloc", 303, 400), kernel(703, 297), step=1000, long=10), "open",
         0.40, 4.000),
        ("beside a kernel", job(kernel(3, 900), setting("cudaMalloc", 303, 400), step=1000, long=10), "passed", 0, None),
        ("a short one", job(kernel(3, 300), setting("cudaMalloc", 303, 40), kernel(343, 657), step=1000, long=10), "passed", 0, None),
        ("while work stands still", job(delayed(5, 506, 480), setting("cudaMalloc", 206, 100), step=1000, long=10),
         "passed", 0, None),
        ("a long wait", job(kernel(3, 300), setting("cudaDeviceSynchronize", 303, 400), kernel(703, 297), step=1000, long=10),
         "passed", 0, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
    "TPR-SYNC-001": [
        ("10 µs after each wait", job(kernel(3, 40), item(5, 40), kernel(55, 45)), "open", 0.10, 0.010),
        ("work goes on", job(FULL, item(5, 40)), "passed", 0, None),
        # From 45 to 161 µs; from there on the kernel launched at 60 is queued, which is not the wait's doing.
        ("work is queued from then on", job(kernel(3, 40), item(5, 40), delayed(60, 806, 180), step=1000), "open", 0.116, 0.116),
        ("no wait", job(kernel(3, 40), kernel(55, 45)), "passed", 0, None),
        ("kernels not recorded", LOST, "undecided", None, None),
        ("no GPU", CPU, "not_applicable", None, None),
    ],
}


def names_of_idle_time():
    """Queued work and set-up are classes of a step, as the findings have them; whatever the host does while work is queued, is not its time."""
    check.part("queued work and set-up, in the classes of a step")
    # Of 1 ms kernels run for 0.480 and 0.400 is queued; the rest is the host's, mostly in neither.
    waiting = lambda at, number: [event("cuda_runtime", "cudaStreamSynchronize", at + 110, 390, **{"correlation": 5000 + number})]
    setting_up = lambda at, number: [event("cuda_runtime", "cudaMalloc", at + 1000, 1500, **{"correlation": 6000 + number})]
    loading = lambda at, number: [event("cuda_runtime", "cudaLaunchKernel", at + 1000, 150000, **{"correlation": 6000 + number})]
    for what, made, finding, name, share in (
            ("the host in a call", job(delayed(5, 506, 480), waiting, step=1000), "TPR-QUEUE-001", "queued", 0.4),
            ("the host in none", job(delayed(5, 506, 480), step=1000), "TPR-QUEUE-001", "queued", 0.4),
            ("a long cudaMalloc", job(delayed(5, 506, 480), setting_up, step=4000), "TPR-SETUP-001", "setup", 0.375),
            ("a launch that loads a module", job(delayed(5, 506, 480), loading, step=400000), "TPR-SETUP-001", "setup", 0.375)):
        report = report_on(made)
        check.near(f"{what}: share", report.metric(f"step.class.{name}_share"), share)
        check.near(f"{what}: finding", finding_of(report, finding)["measured"]["value"], share)
        host = sum(report.metric(f"step.class.{part}_ms") or 0 for part in ("launch", "host_compute", "other"))
        check.near(f"{what}: the rest", finding_of(report, "TPR-HOST-001")["measured"]["value"] * report.metric("step.time.mean_ms"), host)


def how_much_faster():
    """A factor is said up to 10; beyond that it only looks exact. Without a bound none is promised."""
    check.part("how much faster")
    waits = "a GPU that never waits would make steps "
    for what, length, part, said in (("twice", 100, kernel(50, 50), waits + "at most 2.0× faster."),
                                     ("20 times", 1000, kernel(900, 50), waits + "more than 10× faster, at best."),
                                     ("500 times", 1000, kernel(900, 2), "how much faster steps could be is unknown.")):
        consequence = report_on(job(mark("aten::linear", 0, length, "cpu_op"), part, step=length)).doc["verdict"]["consequence"]
        check.equal(what, consequence, said)


def reasons():
    """What the verdict gives as its reasons is what it says, no more and no less."""
    check.part("reasons: they sum to the wait")
    # Of 10 ms: set-up of 2.5 ms, a launch of 3 ms, 0.01 ms of an operator before it and 1 ms of another, 1 ms of nothing.
    report = report_on(job(setting("cudaMalloc", 0, 250), kernel(260, 1), lambda at, n: [
        event("cuda_runtime", "cudaLaunchKernel", at + 270, 300, correlation=7000 + n)], mark("aten::mm", 600, 100, "cpu_op"),
        kernel(703, 270), step=1000, long=10))
    saw, because = report.doc["verdict"]["saw"], because_of(report)
    times, parts = ([float(number) for number in re.findall(r"([\d.]+)\sms", text)]
                    for text in (because, finding_of(report, "TPR-HOST-001")["saw"].partition("Meanwhile")[2].partition(". ")[0]))
    share = report.metric("torch.host_bound_share")
    check.equal("launches", report.doc["verdict"]["name"], "Launch-bound:")
    check.true("the headline is the figure", "%.1f\u202f%%" % (100 * share) in saw)
    check.near("the wait", times[0], 10 * share, rel=0.005)
    check.near("of a step", times[1], 10)
    check.true("what the host does then", "mostly while the host is in runtime calls" in because)
    check.near("its parts", sum(parts), times[0], rel=0.01)
    check.true("set-up is none of them", parts[0] < 3.1)

    check.part("reasons: where no GPU is seen to work in a step")
    report = report_on(COLLECTIVE_BEFORE)
    check.equal("a GPU is there", report.metric("run.devices"), 1)
    check.true("and none is missed", "no GPU was recorded" not in json.dumps(report.doc["verdict"]))

    check.part("reasons: a collective is no kernel to begin with")
    because = because_of(report_on(job(kernel(3, 88), summing(10, 80))))
    check.true("the first that computes", "elementwise_kernel" in because and "nccl" not in because)

    check.part("reasons: what is not recorded is to be recorded")
    for stacks in (False, True):
        report = report_on(job(kernel(15, 30), *([mark("f", 0, 90, "python_function")] if stacks else [])))
        check.equal("asks for stacks", "with_stack=True" in because_of(report), not stacks)
        check.true("and for names", "record_function" in because_of(report))
        advice = " ".join(finding_of(report, "TPR-HOST-001")["actions"])
        check.true("so does the finding", "record_function" in advice and "torch.compile" not in advice)


def colours_of_setup():
    """On the timeline a call is coloured as Steps counts it: the long one as set-up, and one by the same name that is short as a launch."""
    check.part("set-up on the timeline")
    doc = report_on(job(kernel(3, 300), setting("cudaMalloc", 303, 400), setting("cudaMalloc", 720, 40), kernel(763, 237), step=1000, long=10)).doc
    [chart] = [block for section in doc["sections"] for block in section["blocks"] if block.get("chart") == "timeline"]
    calls = [name for name in chart["names"] if name["name"] == "cudaMalloc"]
    check.equal("hues of its names", sorted(name["hue"] for name in calls), ["compile", "host"])
    drawn = {round(bar["to"] - bar["from"], 3): bar["hue"] for window in chart["windows"] for bar in window["bars"] if bar["label"] == "cudaMalloc"}
    check.equal("hue by length, ms", drawn, {4.0: "compile", 0.4: "host"})


def main():
    colours_of_setup()
    each_case(check, CASES, report_on)
    names_of_idle_time()
    how_much_faster()
    reasons()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
