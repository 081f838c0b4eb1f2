"""Communication of PyTorch jobs written by hand, whose answer is known before, and of an own capture of two processes."""

import json
import sys
import tempfile
import time
from pathlib import Path

from torch_job_reports import of, report_on
from torch_jobs import Worker
from truth import SOURCE, Check, Report

check = Check()
STEPS = 6
FLOAT = 4


def rows(report, table, key="worker"):
    found = report.rows(table)
    return {row[key]: row for row in found}


# When each rank begins, within a step that begins at 0; all end together.
GATHER = {0: 110, 1: 150, 2: 120, 3: 130}, 200
REDUCE = {0: 300, 1: 310, 2: 320, 3: 400}, 500
BARRIER = {0: 600, 1: 600, 2: 605, 3: 610}, 620
SEND = 700, 740
COMPUTE = 250, 350


def four_workers(clocks):
    """Two hosts of two ranks; a tensor-parallel group on each, data-parallel over all; a send from rank 0 to rank 1. The
    clocks of the hosts differ."""
    workers = [Worker(rank, 4, clocks[rank // 2], "ab"[rank // 2]) for rank in range(4)]
    for w in workers:
        peers = [0, 1] if w.rank < 2 else [2, 3]
        for step in range(STEPS):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.kernel("gemm", t + 5, t + COMPUTE[0], t + COMPUTE[1])
            w.collective("_all_gather_base", t + 50, t + GATHER[0][w.rank], t + GATHER[1], (str(1 + w.rank // 2), "mesh_tp", peers),
                         1000, "BFloat16", 2000, "_allgather_base")
            w.collective("all_reduce", t + 60, t + REDUCE[0][w.rank], t + REDUCE[1], elements=1_000_000)
            w.collective("all_reduce_barrier", t + 70, t + BARRIER[0][w.rank], t + BARRIER[1], elements=1, said="barrier")
            if w.rank < 2:
                w.collective("send 0->1" if w.rank == 0 else "recv 1<-0", t + 80, t + SEND[0], t + SEND[1],
                             elements=500 if w.rank == 0 else 0, out=0 if w.rank == 0 else 500,
                             said="send" if w.rank == 0 else "recv", kernel="ncclDevKernel_SendRecv(%s)")
    return workers


def expected(rank):
    pair = [0, 1] if rank < 2 else [2, 3]
    gather = GATHER[1] - max(GATHER[0][r] for r in pair)
    reduce = REDUCE[1] - max(REDUCE[0].values())
    message = SEND[1] - SEND[0] if rank < 2 else 0
    parts = {"transfer": gather + reduce + message, "barrier": BARRIER[1] - BARRIER[0][rank], "unmatched": 0}
    parts["sync"] = GATHER[1] - GATHER[0][rank] + REDUCE[1] - REDUCE[0][rank] - gather - reduce
    parts["overlap"] = COMPUTE[1] - max(COMPUTE[0], REDUCE[0][rank]) if REDUCE[0][rank] < COMPUTE[1] else 0
    parts["communication"] = sum(parts[k] for k in ("transfer", "sync", "barrier", "unmatched")) - parts["overlap"]
    parts["computation"] = COMPUTE[1] - COMPUTE[0] - parts["overlap"]
    parts["other"] = 900 - sum(parts[k] for k in ("overlap", "communication", "computation"))
    return parts


def by_hand():
    check.part("four workers")
    report = report_on(four_workers((0, 500)))
    late = rows(report, "distributed/late")
    for rank in range(4):
        name = "node%s_%d" % ("ab"[rank // 2], rank)
        for part, us in expected(rank).items():
            check.near("%s %s" % (name, part), of(report, part + "_us", name), us, abs_=1e-6)
        check.near(name + " clock", of(report, "clock_us", name), -250 if rank < 2 else 250, abs_=1e-3)
        # all_gather: ranks 1 and 3 of their pair; all_reduce and barrier: rank 3.
        check.equal(name + " last to", late[name]["last"], {0: 0, 1: STEPS, 2: 0, 3: 3 * STEPS}[rank])
        check.equal(name + " with others", late[name]["matched"], 3 * STEPS)
    lead = 10 + (400 - 320) + (610 - 605)
    check.equal("straggler", report.metric("torch.comm.straggler.name"), "nodeb_3")
    check.near("lead", report.metric("torch.comm.late_us"), lead, abs_=1e-3)
    check.near("wait", report.metric("torch.comm.straggler.wait_us"), 10 + (100 + 90 + 80) / 3 + (10 + 10 + 5) / 3, abs_=1e-3)
    ops = {(row["operation"], row["group"]): row for row in report.rows("distributed/operations")}
    reduce, gather = ops[("all_reduce", "default_pg [0,1,2,3]")], ops[("all_gather", "mesh_tp [0,1]")]
    check.equal("all_reduce bytes", reduce["bytes"], 4 * STEPS * 1_000_000 * FLOAT)
    check.near("all_reduce bus", reduce["bus_gb_per_s"], 4e6 * 2 * 3 / 4 / 100e-6 / 1e9, 1e-9)
    check.near("all_gather bus", gather["bus_gb_per_s"], 2000 * 2 / 2 / 50e-6 / 1e9, 1e-9)
    check.equal("all_gather bytes", gather["bytes"], 2 * STEPS * 1000 * 2)
    check.equal("barriers", ops[("barrier", "default_pg [0,1,2,3]")]["calls"], 4 * STEPS)
    check.equal("sends", ops[("send", "default_pg [0,1,2,3]")]["calls"], STEPS)
    check.equal("received bytes", ops[("recv", "default_pg [0,1,2,3]")]["bytes"], STEPS * 500 * FLOAT)
    check.near("sends are matched", ops[("send", "default_pg [0,1,2,3]")]["transfer_ms"], STEPS * (SEND[1] - SEND[0]) / 1000, abs_=1e-9)
    check.equal("groups", len(ops), 6)
    check.equal("all matched", report.metric("torch.comm.unmatched_calls"), 0)
    [row] = report.rows("distributed/messages")
    check.equal("whom the span names", (row["from"], row["to"], row["matched"]), ("nodea_0", "nodea_1", STEPS))


def chain_of_groups():
    """No group holds all: rank 0 with 1, 1 with 2, 2 with 3. Clocks are found along the chain."""
    check.part("chain of groups")
    clocks = (0, 300, -200, 900)
    workers = [Worker(rank, 4, clocks[rank], "abcd"[rank]) for rank in range(4)]
    for w in workers:
        for step in range(STEPS):
            w.step(step, 1000 * step, 1000 * step + 900)
            for low in range(3):
                if w.rank in (low, low + 1):
                    t = 1000 * step + 200 * low
                    w.collective("all_reduce", t + 10, t + 50 + 20 * (w.rank - low), t + 150, (str(low), "pair", [low, low + 1]), 8)
    report = report_on(workers)
    middle = (0 + 300) / 2
    for rank, clock in enumerate(clocks):
        check.near("clock of %d" % rank, of(report, "clock_us", "node%s_%d" % ("abcd"[rank], rank)), clock - middle, abs_=0.01)
        check.near("lead of %d" % rank, of(report, "late_us", "node%s_%d" % ("abcd"[rank], rank)), 20 * (rank > 0), abs_=0.02)


def one_host():
    """On one host clocks are one: what they seem to differ by is not used."""
    check.part("one host")
    workers = [Worker(rank, 2, 0, "a") for rank in range(2)]
    for w in workers:
        for step in range(STEPS):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.collective("all_reduce", t + 10, t + 100 + 30 * w.rank, t + 200 + 50 * w.rank, elements=8)
    report = report_on(workers)
    check.near("clock", of(report, "clock_us", "nodea_1"), 25, abs_=1e-6)
    check.near("lead", of(report, "late_us", "nodea_1"), 30, abs_=1e-6)
    check.near("transfer", of(report, "transfer_us", "nodea_0"), 100, abs_=1e-6)


def late_worker():
    """Rank 0 waits 80 µs for rank 1, then both take 10 µs: exposed 90 and 10 µs. The mean step cannot lose more than the mean of
    what is waiting in these, 80 and 0 µs, as its bar draws it."""
    check.part("late worker")
    workers = [Worker(rank, 2, 0, "a") for rank in range(2)]
    for w in workers:
        for step in range(STEPS):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.collective("all_reduce", t + 10, t + 100 + 80 * w.rank, t + 190, elements=8)
    report = report_on(workers)
    check.near("cost", report.metric("torch.comm.straggler.cost_us"), 80, abs_=1e-6)
    check.near("saving", report.metric("torch.comm.straggler.saving_us"), (80 + 0) / 2, abs_=1e-6)


def uneven_captures():
    """Rank 1 was captured from its fourth collective on; durations and gaps differ, so only one place fits."""
    check.part("uneven captures")
    lengths, gaps = [30, 80, 45, 60, 20, 70, 35, 55], [100, 37, 81, 64, 150, 43, 92, 71]
    workers = [Worker(rank, 2, 1234 * rank, "ab"[rank]) for rank in range(2)]
    for w in workers:
        t = 0
        w.step(0, 0, 2000)
        for i, (length, gap) in enumerate(zip(lengths, gaps)):
            t += gap + length
            if w.rank == 0 or i >= 3:
                w.collective("all_reduce", t - length - 5, t - length + 10 * w.rank, t, elements=i + 1)
    report = report_on(workers)
    check.near("transfer", of(report, "transfer_us", "nodea_0"), sum(lengths[3:]) - 10 * 5, abs_=1e-6)
    check.near("sync", of(report, "sync_us", "nodea_0"), 50, abs_=1e-6)
    check.near("not matched", of(report, "unmatched_us", "nodea_0"), sum(lengths[:3]), abs_=1e-6)
    check.near("transfer of 1", of(report, "transfer_us", "nodeb_1"), sum(lengths[3:]) - 10 * 5, abs_=1e-6)
    check.near("clock", of(report, "clock_us", "nodeb_1"), 617, abs_=1e-3)
    check.equal("not matched calls", report.metric("torch.comm.unmatched_calls"), 3)


def other_ones():
    """As many on both, but the second of rank 1 is not that of rank 0: they do not overlap."""
    check.part("other collectives")
    workers = [Worker(rank, 2, 40 * rank, "ab"[rank]) for rank in range(2)]
    for w in workers:
        w.step(0, 0, 2000)
        for i in range(5):
            t = 300 * i + (150 if i == 1 and w.rank == 1 else 0)
            w.collective("all_reduce", t + 5, t + 20, t + 100, elements=8)
    report = report_on(workers)
    for name in ("nodea_0", "nodeb_1"):
        check.near(name + " transfer", of(report, "transfer_us", name), 4 * 80, abs_=1e-6)
        check.near(name + " not matched", of(report, "unmatched_us", name), 80, abs_=1e-6)
    check.equal("not matched calls", report.metric("torch.comm.unmatched_calls"), 2)
    check.near("no straggler", report.metric("torch.comm.straggler.cost_us"), 0, abs_=1e-6)


def missing_ones():
    check.part("one of eight")
    alone = Worker(3, 8)
    alone.step(0, 0, 900)
    alone.kernel("gemm", 5, 20, 120)
    alone.collective("all_reduce", 10, 100, 180, elements=8)
    report = report_on([alone])
    for name in ("transfer", "sync"):
        check.true(name + " says why", "other 7 workers" in report.missing("torch.comm.%s_us" % name))
    check.equal("not matched", report.metric("torch.comm.unmatched_us"), 80)
    check.equal("exposed", report.metric("torch.comm.communication_us"), 60)

    check.part("kernels missing")
    alone = Worker(0, 1)
    alone.step(0, 0, 900)
    alone.kernel("ncclDevKernel_Generic_1(x)", 5, 20, 120, 20)
    alone.collective("reduce_scatter", 300, None, None, elements=64, said="_reduce_scatter_base")
    report = report_on([alone])
    ops = rows(report, "distributed/operations", "operation")
    check.equal("no latency", ops["reduce_scatter"]["latency_ms"], None)
    check.equal("its bytes", ops["reduce_scatter"]["bytes"], 64 * FLOAT)
    check.near("a kernel without arguments", ops["collective"]["latency_ms"], 0.1)

    check.part("one process")
    alone = Worker(0, 1)
    alone.step(0, 0, 900)
    alone.kernel("gemm", 5, 20, 120)
    report = report_on([alone])
    check.true("no section", "distributed/workers" not in report.blocks)
    check.true("says why", "a single process" in report.missing("torch.comm.communication_us"))


def many_workers():
    """A report of 512 workers stays of a size."""
    check.part("512 workers")
    workers = []
    for rank in range(512):
        w = Worker(rank, 512, 0, "h%d" % (rank // 8))
        for step in range(2):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.kernel("gemm", t + 5, t + 20, t + 320 + rank // 8)
            w.collective("all_reduce", t + 350, t + 400 + rank // 8, t + 600, elements=1000)
        workers.append(w)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        for worker in workers:
            worker.write(folder)
        begin = time.monotonic()
        report = Report(folder, "-o", Path(out, "r.html"), "-o", Path(out, "r.pdf"))
        check.true("within 60 s", time.monotonic() - begin < 60)
        check.true("page of at most 6 MB", Path(out, "r.html").stat().st_size < 6_000_000)
    check.near("transfer", report.metric("torch.comm.transfer_us"), 200 - 63, abs_=1e-6)
    check.equal("rows", len(report.rows("distributed/workers")), 512)
    check.true("columns", len(report.blocks["distributed/overlap"]["labels"]) <= 240)


def none_matched():
    """A worker whose collectives no other took part in, beside one without any: waiting is unknown, not 0."""
    check.part("no collective is matched")
    with_some, without = (Worker(rank, 4, host="ab"[rank]) for rank in range(2))
    for step in range(STEPS):
        t = 1000 * step
        for w in (with_some, without):
            w.step(step, t, t + 900)
            w.kernel("gemm", t + 5, t + COMPUTE[0], t + COMPUTE[1])
        with_some.collective("all_reduce", t + 60, t + 400, t + 500, elements=1_000_000)
    report = report_on([with_some, without])
    check.near("not matched", report.metric("torch.comm.unmatched_us"), 50)
    for name in ("transfer_us", "sync_us"):
        metric = report.metrics["torch.comm." + name]
        check.equal(name, metric.get("value"), None)
        check.true(name + ": why, %s" % metric, "could be matched" in str(metric))


def own_capture():
    """The plugin's last source tree gives these of the same traces; its figures are cut to whole microseconds."""
    check.part("own capture")
    report = Report(SOURCE / "examples" / "torch_ddp" / "input")
    for worker, transfer, sync in (("rank0", 6761, 15991), ("rank1", 6761, 161)):
        check.equal(worker + " transfer", int(of(report, "transfer_us", worker)), transfer)
        check.equal(worker + " sync", int(of(report, "sync_us", worker)), sync)
    # Without kernels the bar's class of collectives has those that operators hide, too: exposed and overlapped sum to it.
    check.near("bar", report.metric("step.class.collective_ms"),
               (report.metric("torch.comm.communication_us") + report.metric("torch.comm.overlap_us")) / 1e3)
    text = json.dumps(report.doc["sections"][0], ensure_ascii=False)
    check.true("below the bar", "Of 15.4\u202fms of collectives, 6.72\u202fms is exposed; computation overlaps the rest." in text)
    check.true("in the tile", '"of 15.4\u202fms of collectives"' in text)
    for row in report.rows("distributed/worker-operations"):
        if row["operation"] == "all_reduce":
            check.equal("calls", row["calls"], 9)
            check.equal("bytes", row["bytes"], 3286488)


def launches_alone():
    """Of NCCL a trace of the host alone holds launches: how long the collectives take is unknown, not 0 and not low. gloo's spans
    are the collectives."""
    check.part("launches alone")
    for backend in ("nccl", "gloo"):
        w = Worker(0, 2, backend=backend)
        for step in range(STEPS):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.operator("aten::mm", t + 10, t + 800)
            w._add("user_annotation", f"{backend}:all_reduce", t + 20, t + 40, 1 if backend == "nccl" else 2)
        report = report_on([w])
        judged = next(f for f in report.doc["findings"] if f["id"] == "TPR-COMM-002")
        if backend == "nccl":
            for part in ("computation", "overlap", "communication", "other"):
                check.equal(part, report.missing(f"torch.comm.{part}_us"), "the traces hold collectives, but none of their kernels")
            check.equal("finding", judged["status"], "undecided")
            check.true("no bar of parts", "distributed/overlap" not in report.blocks)
        else:
            check.near("exposed", report.metric("torch.comm.communication_us"), 0)
            check.near("overlapped", report.metric("torch.comm.overlap_us"), 20)
            check.equal("finding", judged["status"], "passed")


def collectives_alone():
    """On a device that ran collectives alone nothing computes: operators on the host are no computation beside them."""
    check.part("collectives alone")
    w = Worker(0, 2)
    for step in range(STEPS):
        t = 1000 * step
        w.step(step, t, t + 900)
        w.operator("aten::mm", t + 410, t + 800)
        w.collective("all_reduce", t + 50, t + 150, t + 400, elements=1000)
    report = report_on([w])
    [row] = report.rows("distributed/workers")
    for part, us in (("computation", 0), ("overlap", 0), ("communication", 250), ("other", 650)):
        check.near(part, report.metric(f"torch.comm.{part}_us"), us)
        check.near(f"{part} of the worker", row[f"{part}_ms"], us / 1e3)
    check.near("so do the classes of a step", report.metric("step.class.compute_ms") or 0, 0)


def copies_beside_collectives():
    """A collective is exposed where a device copies beside it, too: the bar and the figure are one."""
    check.part("copies beside collectives")
    w = Worker(0, 2)
    for step in range(STEPS):
        t = 1000 * step
        w.step(step, t, t + 900)
        w.kernel("gemm", t + 5, t + 100, t + 200)
        w.collective("all_reduce", t + 50, t + 150, t + 400, elements=1000)
        for start, end in ((300, 350), (390, 450)):
            w.number += 1
            w._add("cuda_runtime", "cudaMemcpyAsync", t + 60, t + 61, 1, correlation=w.number)
            w._add("gpu_memcpy", "Memcpy HtoD", t + start, t + end, 21, 0, device=0, stream=21, correlation=w.number, bytes=1000)
    report = report_on([w])
    check.near("exposed", report.metric("torch.comm.communication_us"), 200)
    check.near("bar", report.metric("step.class.collective_ms"), 0.2)
    bar = next(b for b in report.blocks.values() if b["id"] == "summary/step/classes")
    check.near("copies", next(sum(s["values"]) for s in bar["series"] if s["key"] == "copy"), 0.05)
    check.near("role, as the plugin has it", report.metric("torch.step.communication_us"), 140)


def overlapping_calls():
    """A call's mean length is that of the calls, whatever they cover together."""
    check.part("calls that overlap")
    workers = [Worker(rank, 2) for rank in range(2)]
    for w in workers:
        for step in range(STEPS):
            t = 1000 * step
            w.step(step, t, t + 900)
            w.kernel("gemm", t + 5, t + 10, t + 20)
            w.collective("all_reduce", t + 50, t + 100, t + 300, elements=1000)
            w.collective("all_reduce", t + 60, t + 200, t + 400, elements=1000)
    [row] = report_on(workers).rows("distributed/operations")
    check.equal("calls", row["calls"], 4 * STEPS)
    check.near("covered", row["latency_ms"], 2 * STEPS * 0.3)
    check.near("each", row["mean_latency_us"], 200)
    check.near("transfer of each", row["mean_transfer_us"], 200)


def main():
    for test in (by_hand, chain_of_groups, one_host, late_worker, uneven_captures, other_ones, missing_ones,
                 many_workers, none_matched, launches_alone, overlapping_calls, collectives_alone, copies_beside_collectives, own_capture):
        test()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
