"""Distributed view of PyTorch jobs against torch-tb-profiler: its figures where the definition is the same; where ours differs on
purpose, both definitions are computed from the raw events, and each must give what its side says."""

import sys

from torch_breakdown import united
from torch_logdirs import answer, events_of, logdir, traces_in
from truth import Report, test_data

TOLERANCE_US = 1.01  # the plugin cuts means of integers, and of doubles, to whole microseconds
PARTS = ("computation", "overlap", "communication", "other")
failures = []
compared = 0


def check(what, got, want, tolerance=0.01):
    global compared
    compared += 1
    if got is None or want is None or abs(got - want) > tolerance:
        failures.append("%s: got %s, want %s" % (what, got, want))


# ---- intervals

def length(ranges):
    return sum(end - start for start, end in united(ranges))


def within(ranges, step):
    return [(max(s, step[0]), min(e, step[1])) for s, e in ranges if min(e, step[1]) > max(s, step[0])]


def bars(compute, talk, step):
    c, m = length(within(compute, step)), length(within(talk, step))
    either = length(within(list(compute) + list(talk), step))
    return [either - m, c + m - either, either - c, step[1] - step[0] - either]


def span(e):
    return (float(e["ts"]), float(e["ts"]) + float(e["dur"]))


def category(e, *names):
    return e.get("cat", "").lower() in names


# ---- report

def figures(report, worker, number=1):
    scope = "@worker=%s,span=%d" % (worker, number)
    return {name: report.metrics["torch.comm.%s_us%s" % (name, scope)].get("value")
            for name in PARTS + ("transfer", "sync", "unmatched", "barrier")}


def operations(report, worker, number=1):
    return {row["operation"]: row for row in report.rows("distributed/worker-operations")
            if row["worker"] == worker and row["span"] == str(number)}


def compare_operations(report, run, worker, number=1, prefix="gloo:", grain=0.002):
    ours = operations(report, worker, number)
    for name, calls, size, _, latency, _, transfer, _ in answer("git", run, "distributed_commops")["data"][worker]["rows"]:
        row = ours[name.removeprefix(prefix)]
        what = "%s %s %s " % (run, worker, name)
        check(what + "calls", row["calls"], calls)
        if size:
            check(what + "bytes", row["bytes"], size)
        check(what + "latency", row["latency_ms"] * 1000, latency, grain * calls)
        check(what + "transfer", row["transfer_ms"] * 1000, transfer, grain * calls)


def same_definition(name, run, prefix="gloo:", grain=0.002, tolerance=TOLERANCE_US):
    """Host spans without barriers: bars, transfer and synchronising are the plugin's."""
    with logdir(name) as folder:
        report = Report(folder)
    overlap = answer("git", run, "distributed_overlap")["data"]["all"]
    wait = answer("git", run, "distributed_waittime")["data"]["all"]
    for worker in overlap:
        ours = figures(report, worker)
        for key, want in zip(PARTS, overlap[worker], strict=True):
            check("%s %s %s" % (run, worker, key), ours[key], want, tolerance)
        check("%s %s transfer" % (run, worker), ours["transfer"], wait[worker][0], TOLERANCE_US)
        check("%s %s sync" % (run, worker), ours["sync"], wait[worker][1], TOLERANCE_US)
        compare_operations(report, run, worker, 1, prefix, grain)


def gloo_ddp():
    """The plugin does not know barriers: it takes them for computation, and so ranges that the program named. Ours are
    communication, but no data transfer; and no computation."""
    with logdir("cap_ddp_gloo2") as folder:
        report = Report(folder)
        raw = {path.name.split(".")[0]: [] for path in folder.iterdir()}
        for path in sorted(folder.iterdir()):
            raw[path.name.split(".")[0]].append(events_of(path))
    known = ("gloo:all_reduce", "gloo:broadcast", "gloo:all_gather")
    steps = {(row["worker"], row["span"], row["name"]): row for row in report.rows("distributed/steps")}
    for number in (1, 2):
        run = "cap_ddp_gloo2/cap_ddp_gloo2/All@%d" % number
        overlap = answer("git", run, "distributed_overlap")["data"]
        wait = answer("git", run, "distributed_waittime")["data"]
        for worker in ("rank0", "rank1"):
            events = raw[worker][number - 1]
            compute, ranges = [[span(e) for e in events if category(e, cat) and
                                not e["name"].startswith(("gloo:", "ProfilerStep"))] for cat in ("cpu_op", "user_annotation")]
            barriers = [span(e) for e in events if e["name"] == "gloo:barrier"]
            talk = [span(e) for e in events if e["name"] in known]
            for e in events:
                if not e["name"].startswith("ProfilerStep#"):
                    continue
                step, what = e["name"].split("#")[1], "gloo %s step %s " % (worker, e["name"])
                row = steps[(worker, str(number), step)]
                for key, theirs, plugin, own in zip(PARTS, overlap[step][worker],
                                                    bars(compute + ranges + barriers, talk, span(e)),
                                                    bars(compute, talk + barriers, span(e)), strict=True):
                    check(what + key + " of the plugin", plugin, theirs, 0.05)
                    check(what + key, row[key + "_ms"] * 1000, own, 0.05)
                check(what + "transfer", row["transfer_ms"] * 1000, wait[step][worker][0], 0.05)
                check(what + "sync", row["sync_ms"] * 1000, wait[step][worker][1], 0.05)
                check(what + "all communication", sum(row[k + "_ms"] for k in ("transfer", "sync", "barrier")) * 1000,
                      length(within(talk + barriers, span(e))), 0.05)
            ours = figures(report, worker, number)
            check(run + " transfer", int(ours["transfer"]), wait["all"][worker][0], 0)
            check(run + " sync", int(ours["sync"]), wait["all"][worker][1], 0)
            compare_operations(report, run, worker, number)
    check("straggler", report.metrics["torch.comm.last_share"]["value"], 1)
    if report.metrics["torch.comm.straggler.name"]["value"] != "rank1":
        failures.append("the straggler of ddp_gloo2 is not rank1")


def unit_nccl():
    """The plugin counts the host's span of a collective and its kernels, and waits beyond the end of the step; ours is the
    kernels' time within steps."""
    run = "kineto_unit/test_distributed_nccl/All@default"
    with logdir("kineto_unit/test_distributed_nccl") as folder:
        report = Report(folder)
        raw = {worker: events_of(path) for worker, path in traces_in(folder).items()}
        raw = {worker.removesuffix(".pt"): events for worker, events in raw.items()}
    overlap = answer("pypi", run, "distributed_overlap")["data"]["all"]
    wait = answer("pypi", run, "distributed_waittime")["data"]["all"]
    talk = {w: [e for e in events if e["name"].startswith("nccl")] for w, events in raw.items()}
    for worker, events in raw.items():
        step = (min(span(e)[0] for e in events if category(e, "cpu_op")), max(span(e)[1] for e in events if category(e, "cpu_op")))
        compute = [span(e) for e in events if category(e, "kernel") and not e["name"].startswith("nccl")]
        kernels = [span(e) for e in talk[worker] if category(e, "kernel")]
        ours = figures(report, worker)
        for key, theirs, plugin, own in zip(PARTS, overlap[worker], bars(compute, [span(e) for e in talk[worker]], step),
                                            bars(compute, kernels, step), strict=True):
            check("nccl %s %s of the plugin" % (worker, key), plugin, theirs)
            check("nccl %s %s" % (worker, key), ours[key], own)
        for who, cut in (("plugin", False), ("ours", True)):
            counted = {w: [e for e in talk[w] if not cut or category(e, "kernel")] for w in talk}
            real = [(span(e)[1] - min(counted[w][i]["dur"] for w in counted), span(e)[1])
                    for i, e in enumerate(counted[worker])]
            all_of_it = [span(e) for e in counted[worker]]
            if cut:
                real, all_of_it = within(real, step), within(all_of_it, step)
            want = [ours["transfer"], ours["sync"]] if cut else wait[worker]
            check("nccl %s transfer, %s" % (worker, who), length(real), want[0])
            check("nccl %s sync, %s" % (worker, who), length(all_of_it) - length(real), want[1])


def kernels_as_computation(name, run, tool, where="user_annotation"):
    """The plugin takes kernels of collectives for computation where it cannot find their operator; communication is the span of
    the host, or (where="gpu_user_annotation") that span as the device shows it. All kernels together are the same."""
    with logdir(name) as folder:
        report = Report(folder)
        raw = {w: events_of(path) for w, path in traces_in(folder).items()}
    overlap = answer(tool, run, "distributed_overlap")["data"]["all"]
    split, says = report.metrics["torch.comm.sync_us"].get("value"), report.section("distributed").get("so_what", "")
    rest = (report.metrics["torch.comm.unmatched_us"].get("value") or 0) > 0
    if split is not None and rest != ("could not be matched" in says):
        failures.append("%s: not matched, and not said so: %s" % (name, says))
    for who in overlap:
        ours = figures(report, who)
        check("%s %s all kernels" % (name, who), sum(ours[k] for k in PARTS[:3]), sum(overlap[who][:2]), 2.01)
        check("%s %s step" % (name, who), sum(ours[k] for k in PARTS), sum(overlap[who]), 3.01)
        kernels = [span(e) for e in raw[who] if category(e, "kernel") and e["name"].startswith("nccl")]
        latency = sum((row["latency_ms"] or 0) * 1000 for row in operations(report, who).values())
        check("%s %s latency of all" % (name, who), latency, length(kernels), 0.002 * len(kernels))
        check("%s %s parts of communication" % (name, who),
              sum(ours[k] or 0 for k in ("transfer", "sync", "unmatched", "barrier")),
              ours["overlap"] + ours["communication"])
        for row in answer(tool, run, "distributed_commops")["data"][who]["rows"]:
            mine = operations(report, who)[row[0].removeprefix("nccl:")]
            check("%s %s %s calls" % (name, who, row[0]), mine["calls"], row[1])
            spans = {cat: [span(e) for e in raw[who] if e["name"] == row[0] and category(e, cat)]
                     for cat in ("user_annotation", where)}
            check("%s %s %s latency of the plugin" % (name, who, row[0]), length(spans[where]), row[4], 0.002 * row[1])
            check("%s %s %s host" % (name, who, row[0]), mine["host_ms"] * 1000, length(spans["user_annotation"]), 0.002 * row[1])
            if row[2]:
                check("%s %s %s bytes" % (name, who, row[0]), mine["bytes"], row[2])
            else:
                told = [e["args"] for e in raw[who] if e["name"] == "record_param_comms" and
                        e["args"].get("Collective name") == row[0].removeprefix("nccl:").replace("_", "")]
                check("%s %s %s bytes from arguments" % (name, who, row[0]), mine["bytes"] or 0,
                      sum(a["In msg nelems"] * {"Float": 4, "Byte": 1, "Long": 8}[a["dtype"]] for a in told))
        if len(overlap) == 1:
            check("%s one of two: the plugin's waiting" % name,
                  answer(tool, run, "distributed_waittime")["data"]["all"][who][1], 0)
            if ours["sync"] is not None or ours["transfer"] is not None:
                failures.append("%s: one of two workers tells transfer from waiting" % name)
    return report, raw


def launched_by(events, name):
    """Kernels of collectives whose launch is in a span of this name, in the order of their launches."""
    calls = {e["args"].get("correlation"): e for e in events if category(e, "cuda_runtime")}
    around = [e for e in events if e["name"] == name and category(e, "user_annotation")]
    found = []
    for e in events:
        call = calls.get(e.get("args", {}).get("correlation"))
        if category(e, "kernel") and e["name"].startswith("nccl") and call is not None and any(
                a["tid"] == call["tid"] and span(a)[0] <= call["ts"] <= span(a)[1] for a in around):
            found.append((call["ts"], span(e)))
    return [when for _, when in sorted(found)]


def sampled():
    """Two of 128 workers. The plugin sees the all_reduce alone (its host spans); sends and receives of all_to_all are most of
    the kernel time."""
    run = "hta_sampled2/hta_sampled2/All@1"
    report, raw = kernels_as_computation("hta_sampled2", run, "git")
    wait = answer("git", run, "distributed_waittime")["data"]["all"]
    spans = {w: sorted((span(e) for e in raw[w] if e["name"] == "nccl:all_reduce" and category(e, "user_annotation")))
             for w in raw}
    real = sum(min(spans[w][i][1] - spans[w][i][0] for w in spans) for i in range(4))
    for w in spans:
        check("sampled all_reduce transfer of the plugin", real / 2, wait[w][0], TOLERANCE_US)
        check("sampled all_reduce sync of the plugin", (length(spans[w]) - real) / 2, wait[w][1], TOLERANCE_US)
    send = {w: [span(e) for e in raw[w] if category(e, "kernel") and "SendRecv" in e["name"]] for w in raw}
    check("sampled SendRecv of worker 0", length(send["node0_0"]), 396199)
    for name in ("all_reduce", "all_to_all", "all_gather"):
        kernels = {w: launched_by(raw[w], "nccl:" + name.replace("all_gather", "_all_gather_base")) for w in raw}
        # The traces are samples: at the same place are collectives that have nothing to do with each other.
        pairs = [pair for pair in zip(*kernels.values(), strict=True) if max(s for s, _ in pair) <= min(e for _, e in pair)]
        real = sum(min(e - s for s, e in pair) for pair in pairs)
        for w, when in kernels.items():
            row = operations(report, w)[name]
            check("sampled %s latency" % name, row["latency_ms"] * 1000, length(when))
            check("sampled %s transfer" % name, (row["transfer_ms"] or 0) * 1000, real)
    if report.metrics["torch.comm.transfer_us"]["coverage"] != "2 of 128 workers":
        failures.append("2 of 128 workers are not said")


def devices():
    for name, worker in (("hta_nccl_a100", "node0_0"), ("hta_ddp_v100", "node0_1")):
        with logdir(name) as folder:
            report = Report(folder)
        theirs = answer("git", "%s/%s/All@1" % (name, name), "distributed_gpuinfo")["data"]
        node, process = worker.split("_")
        found = theirs[node]["Process " + process]
        ours = report.rows("distributed/devices")
        check(name + " devices", len(ours), len(found))
        for row in ours:
            gpu = found[row["gpu"].replace(" ", "")]
            check(name + " memory", row["memory_bytes"], gpu["Memory Raw"], 0)
            if (row["node"], row["process"], row["name"], row["compute_capability"]) != (
                    node, process, gpu["Name"], gpu["Compute Capability"]):
                failures.append("%s: %s is not %s" % (name, row, gpu))
    # Traces that describe no GPU: their kernels name the one that they run on.
    with logdir("hta_sampled2") as folder:
        rows = Report(folder).rows("distributed/devices")
    if [(row["process"], row["gpu"]) for row in rows] != [("0", "GPU 0"), ("1", "GPU 1")]:
        failures.append("hta_sampled2: GPUs that kernels name are %s" % rows)


def one_of_many():
    report = Report(test_data("pytorch", "found", "hta", "cpu_only__05cd72fe"))
    for name in ("transfer", "sync"):
        metric = report.metrics["torch.comm.%s_us" % name]
        if metric.get("value") is not None or "other 299 workers" not in metric["missing"]:
            failures.append("one of 300 workers: %s is %s" % (name, metric))
    check("one of 300: not matched is all communication", report.metrics["torch.comm.unmatched_us"]["value"],
          report.metrics["torch.comm.overlap_us"]["value"] + report.metrics["torch.comm.communication_us"]["value"])
    # "## backward ##" is open for as long as its all-reduces; operators run in a small part of it.
    [path] = test_data("pytorch", "found", "hta", "cpu_only__05cd72fe").iterdir()
    events = events_of(path)
    steps = [span(e) for e in events if e["name"].startswith("ProfilerStep#")]
    talk = [span(e) for e in events if e["name"].startswith("gloo:")]
    compute = [span(e) for e in events if category(e, "cpu_op")]
    exposed = [bars(compute, talk, step)[2] for step in steps]
    check("one of 300: not hidden", report.metrics["torch.comm.communication_us"]["value"], sum(exposed) / len(exposed), 0.05)
    check("one of 300: seen by hand", sum(exposed) / len(exposed), 212448, 1)


def main():
    test_data("pytorch")
    for test in ("gloo_cpu", "gloo_gpu"):
        same_definition("kineto_unit/test_distributed_" + test, "kineto_unit/test_distributed_%s/All@default" % test)
    # The plugin holds times since the epoch in doubles, which are a quarter of a microsecond apart there.
    same_definition("hta_ns_v100", "hta_ns_v100/hta_ns_v100/All@1", "nccl:", 0.25, 5)
    gloo_ddp()
    unit_nccl()
    kernels_as_computation("hta_nccl_a100", "hta_nccl_a100/hta_nccl_a100/All@1", "git", "gpu_user_annotation")
    kernels_as_computation("hta_ddp_v100", "hta_ddp_v100/hta_ddp_v100/All@1", "git")
    sampled()
    devices()
    one_of_many()
    for failure in failures[:40]:
        print("FAILED", failure)
    print("%d figures compared, %d differ" % (compared, len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
