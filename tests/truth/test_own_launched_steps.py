"""Steps whose markers only launch their work: two captures of the same JAX loop, and captures written by hand."""

import sys
from pathlib import Path

import xspace_truth as own
from by_hand import host, put, report_on, section, train, words
from truth import Check, Report
from xspace_reader import read_xspace
from xspace_writer import Plane, xspace

HERE = Path(__file__).parent / "own" / "jax_launched"
check = Check()


def union_ps(intervals):
    total, until = 0, 0
    for start, end in sorted(intervals):
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total


def captured():
    """launched: the loop does not wait, so that all markers are over when the second step runs; a step is from the first
    operation of a run to that of the next, by the run ids of operations. waited: markers hold their runs and are the steps."""
    means = {}
    for name in ("launched", "waited"):
        check.part(name)
        report = Report(HERE / f"{name}.xplane.pb.gz")
        planes, _ = read_xspace(HERE / f"{name}.xplane.pb.gz")
        events = [event for line in own.threads_of(planes) for event in line.events]
        markers = sorted((e for e in events if own.is_marker(e)), key=lambda e: e.start)
        runs = {}
        for event in events:
            if event.stats.get("hlo_op"):
                runs.setdefault(event.stats["run_id"], []).append((event.start, event.end))
        spans = sorted((min(a for a, _ in run), max(b for _, b in run)) for run in runs.values())
        check.equal("a run for each marker", (len(spans), len(markers)), (12, 12))
        inside = sum(max(0, min(b, m.end) - max(a, m.start)) for (a, b), m in zip(spans, markers))
        only_launched = inside < sum(b - a for a, b in spans) / 2
        check.equal("markers only launch", only_launched, name == "launched")
        steps = ([(a, b) for (a, _), (b, _) in zip(spans, spans[1:])] if only_launched else
                 [(m.start, m.end) for m in markers[:-1]])[1:]
        means[name] = sum(b - a for a, b in steps) / len(steps) / 1e9
        check.equal("steps, first and last left out", list(report.steps()), [str(n) for n in range(1, 11)])
        for (number, ms), (start, end) in zip(report.step_ms().items(), steps):
            check.ps(f"step {number}", ms, end - start)
        check.near("mean", report.metric("step.time.mean_ms"), means[name])
        xla = sum(union_ps((max(a, start), min(b, end)) for run in runs.values() for a, b in run if a < end and start < b)
                  for start, end in steps)
        check.near("no XLA operation runs", report.metric("input.wait_limit_share"),
                   1 - xla / sum(b - a for a, b in steps))
        check.equal("step_source", report.metric("run.step_source"), "markers")
        said = words(section(report, "steps"))
        check.equal("said so", "Markers only launch the work" in said, only_launched)
        check.equal("whose runs", "from one run of jit_train_step to the next" in said, only_launched)
        check.equal("coverage", "by the runs that markers launch" in report.metrics["step.time.p50_ms"]["coverage"],
                    only_launched)
        check.equal("no gap", report.metric("step.gap.mean_ms") is None, only_launched)
        check.true("headline", words(section(report, "summary")).find("CPU-bound:") > 0)
    check.near("the same work takes the same time", means["launched"], means["waited"], rel=0.05)


def xla(name, start, end, run, program=5):
    return (name, start, end, {"hlo_op": name, "program_id": program, "run_id": run})


def lengths(report):
    return {name: round(ms, 9) for name, ms in report.step_ms().items()}


def on_the_host():
    check.part("runs of another program between")
    markers = [train(n, n, n + 0.5) for n in range(10, 15)]
    runs = [xla("dot.1", 20 * n, 20 * n + 18, n) for n in range(1, 6)]
    report = report_on({"a": xspace(host(markers, runs))})
    check.equal("named by their markers; the last ends with its run", lengths(report),
                {"10": 20, "11": 20, "12": 20, "13": 20, "14": 18})
    check.near("compute", report.metric("step.class.host_compute_ms"), 18)
    check.near("not recorded", report.metric("step.class.other_ms"), 8 / 5)
    check.near("at most", report.metric("input.wait_limit_share"), 8 / 98)

    check.part("several runs for each marker, and another program")
    runs = [xla("dot.1", 10 * n, 10 * n + 9, n) for n in range(1, 11)] + [
        xla("add.1", 20 * n + 19, 20 * n + 19.5, n, 6) for n in range(1, 6)]
    report = report_on({"a": xspace(host([train(n, n, n + 0.5) for n in range(1, 6)], runs))})
    check.equal("two runs a step", lengths(report), {"1": 20, "2": 20, "3": 20, "4": 20, "5": 19})

    check.part("the capture lacks runs")
    runs = [xla("dot.1", 10 * n, 10 * n + 9, n) for n in range(1, 5)]
    report = report_on({"a": xspace(host([train(n, n, n + 0.5) for n in range(1, 10)], runs))})
    check.equal("numbers of their own", lengths(report), {"0": 10, "1": 10, "2": 10, "3": 9})
    check.true("9 are marked", "4 of 9 steps" in report.metrics["step.count"]["coverage"])
    runs = [xla("dot.1", 10 * n - 9.5, 10 * n - 0.5, n) for n in range(1, 4)]
    report = report_on({"a": xspace(host([train(n, 5 * n - 5, 5 * n) for n in range(1, 8)], runs))})
    check.equal("also when markers last as long as runs, but most have none", lengths(report), {"0": 10, "1": 10, "2": 9})
    check.true("what is said of them", "for most of them no run was recorded" in words(section(report, "steps")))

    check.part("waiting for a batch while nothing runs")
    runs = [xla("dot.1", 20 * n, 20 * n + 10, n) for n in range(1, 6)]
    asking = [("IteratorGetNext", 20 * n + 8, 20 * n + 16) for n in range(1, 6)]
    report = report_on({"a": xspace(host([train(n, n, n + 0.5) for n in range(1, 6)], runs, asking))})
    # Of the 8 ms that each batch takes, 2 are hidden; the last step ends with its run.
    check.near("input wait", report.metric("step.class.input_wait_ms"), 4 * 6 / 5)
    check.equal("verdict", report.metric("input.verdict"), "high")

    check.part("one run only: too few to be steps")
    calls = [event for n in (1, 2, 3) for event in (train(n, 10 * n, 10 * n + 1), ("call", 10 * n, 10 * n + 0.5))]
    report = report_on({"a": xspace(host(calls, [xla("dot.1", 40, 60, 1)]))})
    check.equal("from marker to marker, the last left out", lengths(report), {"1": 10, "2": 10})
    check.true("said", "each from its marker to the next" in report.metrics["step.count"]["coverage"])

    check.part("markers that hold their runs, of which each sets off more")
    events = [train(n, 100 * n, 100 * n + 50) for n in range(4)]
    runs = [xla("dot.1", 100 * n + at, 100 * n + at + 9, 10 * n + at) for n in range(4) for at in (1, 60, 70, 80, 90)]
    check.equal("they are the steps", lengths(report_on({"a": xspace(host(events, runs))})),
                {"0": 50, "1": 50, "2": 50, "3": 50})


def on_a_gpu():
    def planes(markers, kernels, *more):
        gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
        put(gpu.line("Stream #1(Compute)"), *[("gemm", start, end, {"correlation_id": n}) for n, (start, end) in enumerate(kernels)])
        return xspace(host([event for n, at in enumerate(markers) for event in (
            train(n, at, at + 0.5), ("cuLaunchKernel", at, at + 0.25, {"correlation_id": n}))], list(more)), gpu)

    check.part("kernels that run when the marker is over")
    report = report_on({"a": planes((0, 1, 2), ((20, 35), (40, 55), (60, 75)), ("IteratorGetNext", 36, 39))})
    check.equal("from the first kernel of a step to that of the next", lengths(report), {"0": 20, "1": 20, "2": 15})
    check.near("compute", report.metric("step.class.compute_ms"), 15)
    check.near("input wait: by its time", report.metric("step.class.input_wait_ms"), 1)
    check.near("launching was long before", report.metric("step.class.launch_ms"), 0)
    check.true("said", "by the work that markers launch" in report.metrics["step.count"]["coverage"])

    check.part("kernels out of order")
    report = report_on({"a": planes((0, 30, 60, 90), ((50, 65), (40, 49), (70, 85), (95, 99)))})
    check.equal("from marker to marker; no kernel runs in the first", lengths(report), {"1": 30, "2": 30})
    # Of the kernel that goes on in the next step's time 10 are in one; of the other 5 that step launches for 0.25 itself.
    check.near("compute of whatever step", report.metric("step.class.compute_ms"), (9 + 10 + 4.75 + 15) / 2)

    check.part("kernels within their markers")
    plane = host([event for n in range(3) for event in (
        train(n, 20 * n, 20 * n + 18), ("cuLaunchKernel", 20 * n, 20 * n + 1, {"correlation_id": n}))])
    gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
    put(gpu.line("Stream #1(Compute)"), *[("gemm", 20 * n + 2, 20 * n + 17, {"correlation_id": n}) for n in range(3)])
    check.equal("the markers are the steps", lengths(report_on({"a": xspace(plane, gpu)})), {"0": 18, "1": 18, "2": 18})


def main():
    for part in (captured, on_the_host, on_a_gpu):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
