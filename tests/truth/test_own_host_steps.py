"""Classes of the steps of CPUs and GPUs of captures written by hand, and which steps count."""

import sys

import xspace_truth as own
from by_hand import MS, classes, core, host, put, report_on, section, train, words
from truth import Check
from xspace_writer import Plane, xspace

check = Check()


def cpu_classes():
    check.part("classes of a CPU step")
    made, used = {"_pt": 1, "_p": 7}, {"_ct": 1, "_c": 7}
    plane = host([train(1, 0, 100), ("EagerExecute: Sum", 0, 100), ("IteratorGetNext", 10, 30, made),
                  ("MemcpyHToD", 40, 60)],
                 [("run", 20, 50, used), ("run again", 65, 80, used), ("of no step", 80, 95)],
                 [("MemcpyHToH", 55, 70, used)])
    # 10–30 waiting, which ranks above run; 30–40 run; 40–60 to the device; 60–70 within the host, a class of its own in
    # the ranking but not in the report; 70–80 run again; 80–95 an event of no step, which is no time without an event; the
    # rest is covered by nothing, wrappers not counted.
    report = report_on({"a": xspace(plane)})
    classes(check, report, {"input_wait": 40, "host_compute": 35, "other": 25}, 100)
    check.near("input.wait_share", report.metric("input.wait_share"), 0.4)
    check.equal("verdict", report.metric("input.verdict"), "high")

    check.part("regions of a thread pool")
    plane = host([train(1, 0, 100), ("ThreadpoolListener::Record", 10, 10, {"_pt": 15, "_p": 3})],
                 [("ThreadpoolListener::StartRegion", 20, 20, {"_ct": 15, "_c": 3}), ("work", 25, 30),
                  ("ThreadpoolListener::StopRegion", 50, 50), ("of no step", 60, 70)])
    classes(check, report_on({"a": xspace(plane)}), {"host_compute": 40, "other": 60}, 100)


def xla(name, start, end, run, **flows):
    return (name, start, end, {"hlo_op": name, "program_id": 5, "run_id": run, **flows})


def flows_between_runs():
    """The end of a run sets off the next one, which another step launched: a step's own work ends there. What ends late of
    one step and what was set off by it cover time of the next all the same."""
    check.part("a run that sets off the next one")
    region = "ThreadpoolListener::StartRegion", "ThreadpoolListener::StopRegion"
    plane = host([train(1, 0, 100), ("launch", 5, 10, {"_pt": 1, "_p": 1}), train(2, 100, 200), ("launch", 105, 110)],
                 [(region[0], 20, 20, {"_ct": 1, "_c": 1}), xla("dot.1", 20, 120, -7),
                  ("set off", 120, 120, {"_pt": 15, "_p": 9}), (region[1], 121, 121)],
                 [(region[0], 125, 125, {"_ct": 15, "_c": 9}), ("IteratorGetNext", 125, 130), xla("dot.1", 130, 180, -6),
                  (region[1], 185, 185)])
    steps = report_on({"a": xspace(plane)}).steps()
    for name, compute, other in (("1", 5 + 80, 15), ("2", 21 + 60, 19)):
        # Of step 2: 100–121 the rest of step 1's region, 125–185 the region that no flow of its own leads to.
        check.near(f"step {name} host compute", steps[name]["host_compute"], compute)
        check.near(f"step {name} not recorded", steps[name]["other"], other)
        check.near(f"step {name} input: that of another step is not its own", steps[name].get("input_wait", 0), 0)

    check.part("what covers nothing")
    plane = host([("$train.py:1 main", -10, 300), train(1, 0, 100), ("run", 0, 50), train(2, 100, 200), ("run", 100, 150)],
                 [("wait for work", -5, 250)], [("$threading.py:327 wait", 60, 90), ("work", 160, 170)])
    steps = report_on({"a": xspace(plane)}).steps()
    for name, compute in (("1", 50), ("2", 60)):
        check.near(f"step {name} host compute", steps[name]["host_compute"], compute)

    check.part("a GPU that ends the step before")
    gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
    put(gpu.line("Stream #1(Compute)"), ("gemm", 60, 120, {"correlation_id": 1}), ("gemm", 130, 150, {"correlation_id": 2}),
        ("memset", 160, 170))
    plane = host([train(1, 0, 100), ("cuLaunchKernel", 10, 20, {"correlation_id": 1}), train(2, 100, 200),
                  ("cuLaunchKernel", 110, 125, {"correlation_id": 2}), ("python", 180, 190)])
    steps = report_on({"a": xspace(plane, gpu)}).steps()
    for name, parts in (("1", {"launch": 10, "compute": 40, "other": 50}), ("2", {"launch": 15, "compute": 40, "other": 45})):
        for part, ms in parts.items():
            check.near(f"step {name} {part}", steps[name][part], ms)


def at_most():
    """Waiting that no event shows is no longer than the device does nothing."""
    check.part("what waiting for input can be at most")
    for work, verdict in ((96, "none"), (94, "unknown")):
        cpu = host([train(1, 0, 100), ("launch", 0, 100)], [xla("dot.1", 0, work, 1)])
        gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
        put(gpu.line("Stream #1(Compute)"), ("gemm", 0, work, {"correlation_id": 1}))
        launched = host([train(1, 0, 100), ("cuLaunchKernel", 0, 100, {"correlation_id": 1})])
        cores = [core(number, [("1", 0, 100)]) for number in (0, 1)]
        for plane, ms in zip(cores, (work, 99)):
            plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
            put(plane.line("XLA Ops"), ("fusion.1", 0, ms))
        for what, planes in (("CPU", (cpu,)), ("GPU", (launched, gpu)), ("TPU", cores)):
            report = report_on({"a": xspace(*planes)})
            check.near(f"{what}: at most", report.metric("input.wait_limit_share"), 1 - work / 100)
            check.equal(f"{what}: verdict", report.metric("input.verdict"), verdict)
            check.equal(f"{what}: the share stays unknown", report.metric("input.wait_share"), None)
    for work, applicable, says in ((60, 7, "another 40.0\u202f% is Python, dispatch or waiting on the host."), (100, 6, "hardly anything else runs.")):
        doc = report_on({"a": xspace(host([train(1, 0, 100), ("wait", 0, 100)], [xla("dot.1", 0, work, 1)]))}).doc
        verdict, [because] = doc["verdict"], [block["items"][0] for block in doc["sections"][0]["blocks"] if block["id"] == "summary/because"]
        check.true("what runs", verdict["saw"].startswith("XLA operations run for %.1f\u202f%% of step time" % work))
        check.equal("and what else", verdict["consequence"], says)
        check.true("how much was decided", f" Only 2 of {applicable} checks that apply could be decided." in because)
    bare = report_on({"a": xspace(host([train(1, 0, 100), ("run", 0, 99)]))})
    check.true("no operation of XLA", bare.doc["verdict"]["saw"].startswith("host events cover 99.0\u202f% of step time"))
    check.equal("no operation at all bounds nothing", (bare.metric("input.wait_limit_share"), bare.metric("input.verdict")),
                (None, "unknown"))
    asked = report_on({"a": xspace(host([train(1, 0, 100), ("IteratorGetNext", 0, 1), ("run", 1, 60)]))})
    check.part("each call for a batch is recorded")
    check.equal("verdict", asked.metric("input.verdict"), "none")
    check.equal("at most: it is measured", asked.metric("input.wait_limit_share"), None)
    check.true("headline", "Time not recorded:" in words(section(asked, "summary")) and
               "ossibly input-bound" not in words(asked.doc["sections"]))


def python_traced():
    check.part("time without an event, and the Python tracer")
    for what, events, advised in (("off", (), True), ("on", (("$train.py:9 step", 10, 20),), False)):
        report = report_on({"a": xspace(host([train(1, 0, 100), ("run", 0, 50), *events]))})
        said = words(report.doc["sections"])
        check.equal(f"{what}: advice", "apture again with the Python tracer" in said, advised)
        check.equal(f"{what}: section", "Capture with the Python tracer" in said, advised)
        check.equal(f"{what}: instead", "The Python tracer was on" in said, not advised)


def gpu_classes():
    check.part("classes of a GPU step")
    plane = host([train(1, 0, 100), ("IteratorGetNext", 0, 10), ("cuLaunchKernel", 10, 20, {"correlation_id": 1}),
                  ("cuMemcpy", 26, 28, {"correlation_id": 2}), ("cuMemcpy", 55, 58, {"correlation_id": 3}),
                  ("cuMemcpy", 58, 59, {"correlation_id": 4}), ("cuLaunchKernel", 59, 60, {"correlation_id": 5}),
                  ("python", 90, 95)],
                 [("ExecutorState::Process", 15, 25)])
    gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
    put(gpu.line("Stream #1(Compute)"), ("gemm", 20, 40, {"correlation_id": 1}),
        ("ncclAllReduce", 72, 90, {"correlation_id": 5}))
    put(gpu.line("Stream #2(Memcpy)"), ("MemcpyH2D", 30, 50, {"correlation_id": 2}),
        ("MemcpyD2H", 60, 70, {"correlation_id": 3}), ("MemcpyD2D", 70, 75, {"correlation_id": 4}))
    report = report_on({"a": xspace(plane, gpu)})
    # Work of the host itself counts only where there is no device. 0–10 waiting, 10–20 launching, 20–40 compute, 40–50 to
    # the device, 55–60 launching, 60–70 to the host, 70–75 within devices, 75–90 collective.
    classes(check, report, {"input_wait": 20, "launch": 15, "compute": 20, "output": 10, "device_to_device": 5, "collective": 15,
                     "other": 15}, 100)
    check.equal("busy: any stream", report.metric("device.busy_ps"), (30 + 30) * MS)
    check.equal("cores", report.metric("run.cores"), 1)


def trimming():
    check.part("first and last step")
    for count, kept in ((5, "1 2 3 4 5"), (6, "2 3 4 5"), (7, "2 3 4 5 6")):
        events = [event for n in range(1, count + 1) for event in (train(n, n * 20, n * 20 + 9 + n), ("run", n * 20, n * 20 + 9))]
        report = report_on({"a": xspace(host(events))})
        check.equal(f"{count} steps", " ".join(report.steps()), kept)
        check.equal("step.count", report.metric("step.count"), len(kept.split()))
        lengths = [9 + int(n) for n in kept.split()]
        for figure, value in own.statistics(lengths).items():
            check.near(figure, report.metric(f"step.time.{figure}_ms"), value)


def between_steps():
    check.part("time between steps")
    planes = []
    for number, steps in ((0, [("1", 0, 10), ("2", 14, 24), ("3", 24, 34)]), (1, [("1", 0, 10), ("2", 12, 22), ("3", 30, 34)])):
        plane = core(number, steps)
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        put(plane.line("XLA Ops"), ("fusion.1", 0, 5))
        planes.append(plane)
    # Gaps of 4 and 0 on one core, 2 and 8 on the other.
    check.near("of the core where it is longest", report_on({"a": xspace(*planes)}).metric("step.gap.mean_ms"), 5)
    report = report_on({"a": xspace(planes[0], hosts=["a"]), "b": xspace(planes[1], hosts=["b"])})
    check.near("of two hosts", report.metric("step.gap.mean_ms"), 5)
    one = report_on({"a": xspace(host([train(1, 0, 100), ("run", 0, 50), train(2, 130, 200), ("run", 130, 150)]))})
    check.near("of a host", one.metric("step.gap.mean_ms"), 30)
    alone = report_on({"a": xspace(host([train(1, 0, 100), ("run", 0, 50)]))})
    check.equal("one step", alone.missing("step.gap.mean_ms"), "there are fewer than two steps")
    rows = {row["what"]: row for row in one.rows("performance/table")}
    check.equal("in the table", rows["Between steps"]["value"], 30)
    check.true("rows of devices are left out", not [what for what in rows if "evice" in what or "FLOPS" in what])


def main():
    for part in (cpu_classes, flows_between_runs, at_most, python_traced, gpu_classes, trimming, between_steps):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
