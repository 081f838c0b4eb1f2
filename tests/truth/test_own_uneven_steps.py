"""Steps of captures written by hand that are not like the others: slow, cut, or not everywhere."""

import sys

from by_hand import MS, core, host, put, report_on, section, text_of, train, words
from truth import Check
from xspace_writer import Plane, xspace

check = Check()


def slowest_step():
    def capture(infeeds, computes, *threads, outfeeds=(0,) * 5):
        """Steps of one core, from 0 on, 1 ms of gap after each; threads: (name, start, end) of the host."""
        plane, at, steps = Plane("/device:TPU:0", device_type_string="TPU v9"), 0, []
        for name, category in (("infeed.1", "infeed"), ("fusion.1", "loop fusion"), ("outfeed.1", "outfeed")):
            plane.op(name, hlo_category=category, program_id=1)
        ops = plane.line("XLA Ops")
        for number, (infeed, compute, outfeed) in enumerate(zip(infeeds, computes, outfeeds)):
            put(ops, ("infeed.1", at, at + infeed), ("fusion.1", at + infeed, at + infeed + compute))
            at += infeed + compute
            if outfeed:
                put(ops, ("outfeed.1", at, at + outfeed))
            steps.append((str(number), at - infeed - compute, at + outfeed))
            at += outfeed + 1
        line = plane.line("Steps")
        for name, start, end in steps:
            line.event(name, start * MS, (end - start) * MS)
        return report_on({"a": xspace(plane, host(list(threads)))})

    check.part("the slowest step: input")
    # Steps begin at 0, 31, 62, 93, 154; 3 takes 60 ms. The host reads for 45 ms of it, of 5 in step 1, the usual one.
    report = capture((10, 10, 10, 40, 10), (20, 20, 20, 20, 20), ("read", 35, 40), ("read", 95, 140), ("other", 141, 145))
    rows = report.rows("steps/slowest/operations")
    check.equal("operations", [(row["name"], row["slowest_ms"], row["median_ms"], row["more_ms"]) for row in rows],
                [("infeed.1", 40, 10, 30)])
    sentence = text_of(report, "steps/slowest/causes")
    check.true("which step, by how much, what grew", all(part in sentence for part in (
        "Step 3 took", "60.0", "30.0", "Input wait", "no other class grew")))
    check.true("the host's event", "read" in text_of(report, "steps/slowest/host"))
    chart = report.blocks["steps/slowest/classes"]
    check.equal("two bars", [round(sum(series["values"][i] for series in chart["series"]), 9) for i in (0, 1)], [30, 60])

    check.part("the slowest step: a class that always varies grew, too")
    # Compute is 12 to 32 ms, 8 from its median of 20 in most steps (times 1.48); of 42 ms that step 3 is longer than step 0, 12 are there.
    report = capture((10, 10, 10, 40, 10), (20, 12, 28, 32, 16))
    sentence = text_of(report, "steps/slowest/causes")
    check.true("it is named", "Input wait" in sentence and "; then Compute by 12.0" in sentence and "(robust std dev 11.9" in sentence)

    # Output takes 6 to 16 ms, 4 from its median of 10 in most steps, and 6 more in step 3: more than a tenth of 48.
    sentence = text_of(capture((10, 10, 10, 40, 10), (20, 12, 28, 32, 16), outfeeds=(10, 6, 14, 16, 8)), "steps/slowest/causes").replace("\u202f", " ")
    check.true("and so is the next", "; then Compute by 12.0 ms (robust std dev 11.9 ms) and Output by 6.00 ms (5.93 ms), within their usual spread" in sentence)

    check.part("the slowest step: nothing stands out")
    # Compute is 18 to 22 ms: the slowest step is 2 ms longer than the median, where 1 is usual (times 1.48).
    report = capture((10,) * 5, (20, 18, 21, 19, 22))
    sentence = text_of(report, "steps/slowest/causes")
    check.true("said where it is", "All of that is in Compute: 2.0" in sentence and "against a robust std dev" in sentence)
    check.equal("no operation is blamed", report.rows("steps/slowest/operations"), [])

    # A steady wait that grew by 4 ms of 19 explains less than compute, of which 15 are usual.
    sentence = text_of(capture((10, 10, 10, 10, 14), (20, 30, 40, 30, 45)), "steps/slowest/causes")
    check.true("said of the largest", "Most of that is in Compute: 15.0" in sentence)

    # Half of it each, and both are as uneven as ever.
    sentence = text_of(capture((10, 8, 11, 9, 12), (20, 18, 21, 19, 22)), "steps/slowest/causes")
    check.true("no class has most of it", "No class of time stands out" in sentence)

    check.part("the slowest step: compute, and a wait that shrank")
    report = capture((10, 10, 10, 5, 10), (20, 20, 20, 60, 20))
    rows = {row["name"]: row["more_ms"] for row in report.rows("steps/slowest/operations")}
    check.equal("operations", rows, {"fusion.1": 40, "infeed.1": -5})
    check.equal("the host is not asked", text_of(report, "steps/slowest/host"), "")

    check.part("the slowest step: a class that grew by next to nothing")
    report = capture((10, 10, 10, 11, 10), (20, 20, 20, 60, 20))
    sentence = text_of(report, "steps/slowest/causes")
    check.true("is no cause", "Compute grew by 40.0" in sentence.replace("\u202f", " ") and "Input wait" not in sentence)

    check.part("the slowest step of a host")
    events = [event for n in range(4) for event in (train(n, n * 100, n * 100 + 50), ("run", n * 100, n * 100 + 48))]
    events[4:6] = [train(2, 200, 280), ("run", 200, 240), ("checkpoint", 240, 278)]
    report = report_on({"a": xspace(host(events))})
    rows = {row["name"]: row["more_ms"] for row in report.rows("steps/slowest/operations")}
    check.equal("events", rows, {"checkpoint": 38, "run": -8})
    check.true("cause", "Host compute" in text_of(report, "steps/slowest/causes"))


def uneven_steps():
    """[10, 10, …, 16]: p95 by hand is linear between ranks."""
    def finding(lengths):
        at, steps, ops = 0, [], []
        for number, length in enumerate(lengths):
            steps.append((str(number), at, at + length))
            ops.append(("fusion.1", at, at + length))
            at += length
        plane = core(0, steps)
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        put(plane.line("XLA Ops"), *ops)
        report = report_on({"a": xspace(plane)})
        return next(one for one in report.doc["findings"] if one["id"] == "TPR-STEP-002")

    check.part("uneven steps")
    # Of ten, rank 8.55 is 0.45 of 10 and 0.55 of 16.
    found = finding([10] * 9 + [16])
    check.equal("open", (found["status"], found["severity"]), ("open", "Medium"))
    check.near("p95 over p50", found["measured"]["value"], (0.45 * 10 + 0.55 * 16) / 10 - 1)
    check.true("the long step, and what grew: " + found["saw"], found["saw"].replace("\u202f", " ").endswith(
        "1 step is long: 9. In these, Compute takes 6.00 ms more."))
    check.near("saving", found["saving"]["value"], 0.6)
    check.equal("steady", finding([10] * 10)["status"], "passed")
    check.equal("too few", finding([10] * 8 + [16])["status"], "undecided")
    check.equal("high", finding([10] * 8 + [30, 30])["severity"], "High")


def cut_and_missing():
    check.part("steps that the capture cuts")
    plane = core(0, [("5", 8, 12), ("6", 12, 22), ("7", 22, 32), ("8", 32, 42), ("9", 42, 51)])
    plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
    ops = [(8, 10), (10, 12)] + [(at + 2 * i, at + 2 * i + 2) for at in (12, 22, 32, 42) for i in range(5)][:-1]
    put(plane.line("XLA Ops"), *[("fusion.1", *span) for span in ops])
    environment = Plane("Task Environment", profile_start_time=10**18 + 8 * 10**6, profile_stop_time=10**18 + 49 * 10**6)
    report = report_on({"a": xspace(plane, environment)})
    # The first is short and has 2 operations of 5; the last has 4 of 5.
    check.equal("which", {row["step"]: row["cut"] for row in report.rows("steps/each") if row["cut"]},
                {"5": "at its start", "9": "at its end"})
    check.equal("drawn open", report.blocks["steps/strip"]["open"], [0, 4])
    check.near("mean", report.metric("step.time.mean_ms"), (4 + 30 + 9) / 5)
    check.near("mean of whole steps", report.metric("step.time.whole.mean_ms"), 10)
    check.equal("deviation of whole steps", report.metric("step.time.whole.sd_ms"), 0)

    check.part("a first step that had not to wait is whole; one that lacks an operation of ten is not")
    spans = [(0, 10), (10, 110), (110, 210), (210, 310)]
    for lacks, cut in ((0, []), (1, ["3"])):
        plane = core(0, [(str(i), *span) for i, span in enumerate(spans)])
        plane.op("infeed", hlo_category="infeed", program_id=1)
        ops = [(a, b - 9) for a, b in spans] + [(b - i, b - i + 1) for _, b in spans for i in range(9, 0, -1)]
        put(plane.line("XLA Ops"), *[("infeed", *span) for span in sorted(ops)[:len(ops) - lacks]])
        report = report_on({"a": xspace(plane)})
        check.equal("which", [row["step"] for row in report.rows("steps/each") if row.get("cut")], cut)

    check.part("events outside the capture")
    def capture(start_ns, stop_ns, zero_ns=1000):
        plane = Plane("/host:CPU")
        put(plane.line("thread/1", zero_ns), train(1, 0, 100), ("before", 0, 30), ("in it", 40, 60), ("after", 70, 100))
        environment = Plane("Task Environment", profile_start_time=start_ns, profile_stop_time=stop_ns)
        return report_on({"a": xspace(plane, environment)})
    # Lines count from 1000 ns after the beginning of the capture, or from 1970.
    check.equal("none", capture(10**18, 10**18 + 101 * 10**6).metric("data.open_events"), 0)
    check.equal("step and last", capture(10**18, 10**18 + 90 * 10**6).metric("data.open_events"), 2)
    check.equal("none, from 1970", capture(10**18, 10**18 + 101 * 10**6, 10**18).metric("data.open_events"), 0)
    check.equal("step and first", capture(10**18 + 10**7, 10**18 + 101 * 10**6, 10**18).metric("data.open_events"), 2)
    check.equal("not known", report_on({"a": xspace(host([train(1, 0, 9), ("run", 0, 9)]))}).metric("data.open_events"), None)

    check.part("a host that lacks a step, its clock an hour ahead")
    def of(*numbers, shift=0):
        return host([event for n in numbers for event in (
            train(n, shift + n * 20, shift + n * 20 + 10), ("run", shift + n * 20, shift + n * 20 + 9))])
    report = report_on({"a": xspace(of(1, 2, 3, 4), hosts=["alpha"]), "b": xspace(of(1, 2, 4, shift=3600000), hosts=["beta"])})
    check.equal("steps that both have", list(report.steps()), ["1", "2", "4"])
    check.true("said", "beta recorded only 3 of the 4" in words(section(report, "steps")))
    check.true("in the quality line", "not on every host" in words(report.doc["sections"][0]))


def main():
    for part in (slowest_step, uneven_steps, cut_and_missing):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
