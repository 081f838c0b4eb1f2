"""A capture of GPUs of several workers against the existing tool."""

from collections import defaultdict

import xspace_truth as own
from peer_page import XLA, check, peer, peer_facts, peer_rows
from truth import Report
from xspace_reader import read_xspace


def gpu_multi_worker():
    """The peer looks for "MEMCPYHtoD" in the names of copies, which are "MemcpyH2D" here, so copies count as compute, and
    host events enter only where there is no device. We give copies and the host's launching and waiting their classes."""
    check.part("gpu_multi_worker")
    logdir = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker"
    report, facts = Report(logdir, "--top", "all"), peer_facts("gpu_multi_worker")
    planes, _ = read_xspace(next(logdir.glob("*.xplane.pb")))
    [row] = peer_rows("gpu_multi_worker", "input_pipeline_analyzer", "stepnum")
    [step], [(name, parts)] = own.marked_steps(planes), report.steps().items()
    check.equal("step", (name, step["name"]), (row["stepnum"], row["stepnum"]))
    check.near("step time", report.metric("step.time.mean_ms"), row["stepTimeMs"])
    check.near("parts sum to the step", report.step_ms()[name], row["stepTimeMs"])
    for part in ("compute", "input_wait", "output", "launch", "other", "collective"):
        check.ps(f"{part}, second computation", parts.get(part, 0), step[part])
    [group] = own.marked_groups(planes)
    start, end = group.span()
    streams = [(interval, line) for interval, (line, _) in zip(group.intervals, group.members)
               if line.plane.name.startswith("/device:GPU:")]
    check.near("the peer's compute: all that streams do", own.pieces(
        [(a, b, "compute") for (a, b, _), _ in streams], start, end)["compute"] / 1e9, row["deviceComputeTimeMs"])
    check.ps("our compute: what streams do except copies", parts["compute"], own.pieces(
        [i for i, _ in streams if i[2] == "compute"], start, end)["compute"])
    check.near("the rest of the step", row["otherTimeMs"], row["stepTimeMs"] - row["deviceComputeTimeMs"])
    check.true("the peer's other is what we can name", parts["launch"] + parts["input_wait"] + parts["other"] <
               row["otherTimeMs"] + 0.02)
    check.equal("step.time.sd_ms: one step has none", report.metric("step.time.sd_ms"), None)
    check.equal("where the peer prints", facts["host_compute_time_ms_sdv"], "-nan")
    names = [row["cells"]["name"] for row in report.blocks["operations/tree"]["rows"]]
    check.true("short names of kernels", any(name["value"] == "FillPhiloxRandomKernelLaunch" and
                                             "tensorflow::functor::FillPhiloxRandomKernelLaunch<" in name["full"] for name in names))
    check.equal("no scopes in them", [name["value"] for name in names if "::" in name["value"]], [])
    check.true("what decides on 16 bit", "operands are not recorded" in report.metrics["precision.compute_16bit_share"]["how"])
    check.printed("16 bit", 100 * report.metric("precision.compute_16bit_share"), facts["device_compute_16bit_percent"])
    check.equal("cores", report.metric("run.cores"), int(facts["device_core_count"]))
    # The peer takes no vendor for no peak; of this capability only NVIDIA has made GPUs.
    check.near("peak: 80 multiprocessors at 1.53 GHz", report.metric("flops.peak_per_s"), 80 * 1024 * 1.53e9)
    check.true("whose they are", "NVIDIA" in report.metrics["flops.peak_per_s"]["coverage"])
    check.near("bandwidth", report.metric("memory_bandwidth.peak_per_s") / 2**30,
               float(peer("gpu_multi_worker", "roofline_model")[0]["p"]["peak_hbm_bw"]), rel=1e-5)
    # Kernels state no costs, so there is no roofline; the peer prints rows of zeros.
    check.equal("rows of a roofline", report.rows("roofline/operations"), [])
    check.true("why no roofline", "FLOP" in report.missing("roofline.program.efficiency_share"))
    kernels = defaultdict(lambda: [0, 0.0])
    for kernel in peer_rows("gpu_multi_worker", "kernel_stats", "kernel_name"):
        kernels[kernel["kernel_name"]][0] += kernel["occurrences"]
        kernels[kernel["kernel_name"]][1] += kernel["total_duration_us"]
    mine = {row["name"]: row for row in report.rows("operations/list", whole=True) if row["category"].startswith("kernels")}
    check.equal("kernels", sorted(mine), sorted(kernels))
    for name, (count, us) in kernels.items():
        check.equal(f"kernel {name[:40]} occurrences", mine[name]["occurrences"], count)
        check.near(f"kernel {name[:40]} time", mine[name]["total_ms"], us / 1e3)
    busy = 0
    for plane in planes:
        lines = [line for line in own.streams_of([plane])]
        if lines:
            events = [(e.start, e.end, "compute") for line in lines for e in line.events]
            busy += own.pieces(events, min(e[0] for e in events), max(e[1] for e in events))["compute"]
    check.equal("device.busy_ps", report.metric("device.busy_ps"), busy)
    gpu_kernels(report, planes)


def gpu_kernels(report, planes):
    """The rows of the peer's kernel_stats, in its order; it prints whole nanoseconds, means cut off."""
    check.part("gpu_multi_worker kernels")
    rows, peers = report.rows("kernels/list"), peer_rows("gpu_multi_worker", "kernel_stats", "kernel_name")
    check.equal("rows", len(rows), len(peers))
    for row, theirs in zip(rows, peers):
        what = f"{int(theirs['rank'])}"
        check.equal(f"{what} name", row["name"], theirs["kernel_name"])
        for key, its in (("grid", "grid_dim"), ("block", "block_dim"), ("registers", "registers_per_thread"),
                         ("shared_bytes", "shmem_bytes"), ("calls", "occurrences")):
            check.equal(f"{what} {key}", row[key], theirs[its])
        check.equal(f"{what} tensor cores", row["tensor_cores"],
                    {(False, False): "no", (True, False): "not used", (True, True): "used"}[
                        theirs["is_op_tensor_core_eligible"], theirs["is_kernel_using_tensor_core"]])
        for key, its in (("total_us", "total_duration_us"), ("min_us", "min_duration_us"), ("max_us", "max_duration_us")):
            check.near(f"{what} {key}", row[key], theirs[its])
        check.equal(f"{what} mean_us", int(row["mean_us"] * 1000 + 1e-6), round(theirs["avg_duration_us"] * 1000))
    events = [e for line in own.streams_of(planes) for e in line.events]
    kernels = [e for e in events if e.stats.get("kernel_details")]
    total = sum(e.end - e.start for e in kernels)
    check.equal("kernels.count", report.metric("kernels.count"), len(kernels))
    check.near("kernels.total_us", report.metric("kernels.total_us"), total / 1e6)
    # Compute capability 7.0: 1,024 threads are 32 of 64 warps, two blocks; 38 registers leave room for one.
    half = sum(e.end - e.start for e in kernels if e.stats["kernel_details"].startswith("regs:38 "))
    check.near("gpu.occupancy_share", report.metric("gpu.occupancy_share"), 1 - half / total / 2)
    wanted = {e.stats["correlation_id"] for e in kernels}
    calls = sorted(e.end - e.start for line in own.threads_of(planes) for e in line.events
                   if e.stats.get("correlation_id") in wanted and e.end > e.start)
    check.near("kernels.launch_us", report.metric("kernels.launch_us"), calls[len(calls) // 2] / 1e6)
    check.near("kernels.short_share", report.metric("kernels.short_share"),
               sum(e.end - e.start < calls[len(calls) // 2] for e in kernels) / len(kernels))
    for kind, name in (("host to device", "MemcpyH2D"), ("device to host", "MemcpyD2H")):
        copies = [e for e in events if e.name == name]
        [row] = [row for row in report.rows("kernels/copies/list") if row["kind"] == kind]
        moved = sum(int(e.stats["memcpy_details"].split()[0].split(":")[1]) for e in copies)
        time = sum(e.end - e.start for e in copies)
        check.equal(f"{kind} calls", row["calls"], len(copies))
        check.equal(f"{kind} bytes", row["bytes"], moved)
        check.near(f"{kind} total", row["total_us"], time / 1e6)
        check.near(f"{kind} rate", row["gb_per_s"], moved / (time / 1e12) / 1e9)
