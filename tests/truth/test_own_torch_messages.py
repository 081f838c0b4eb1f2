"""Messages between workers of PyTorch jobs written by hand, whose answer is known before, and of an own capture of a pipeline."""

import gzip
import json
import math
import sys
from decimal import Decimal

from torch_job_reports import of, report_on
from torch_jobs import Worker
from truth import SOURCE, Check, Report

check = Check()
STEPS = 6
FLOAT = 4


def messages(report):
    return {(row["from"], row["to"]): row for row in report.rows("distributed/messages")}


def pipeline(clocks=(0, 5000, -3000), told=True, steps=STEPS):
    """Three stages on three hosts, no collective: activations go up, gradients down. Stage 2 takes longest. A message takes
    10 µs once both sides have begun; the receiver begins early and waits."""
    workers = [Worker(rank, 3, clocks[rank], "abc"[rank]) for rank in range(3)]
    for step in range(steps):
        t = 1000 * step
        for w in workers:
            w.step(step, t, t + 900)
        for low, sent, waits in ((0, 100, 60), (1, 200, 150)):
            workers[low].send(low + 1, t + sent - 5, t + sent, t + sent + 10, 2000, told=told)
            workers[low + 1].receive(low, t + 10, t + sent - waits, t + sent + 10, 2000, told=told)
        for high, sent, waits in ((2, 600, 300), (1, 700, 500)):
            workers[high].send(high - 1, t + sent - 5, t + sent, t + sent + 10, 500, told=told)
            workers[high - 1].receive(high, t + sent - waits - 5, t + sent - waits, t + sent + 10, 500, told=told)
    return workers


def of_a_pipeline():
    """Clocks are found by messages in both directions, and who waits for whom by those."""
    for what, told in (("Src Rank and Dst Rank", True), ("Rank alone", False)):
        check.part("pipeline, told by " + what)
        report = report_on(pipeline(told=told))
        found = messages(report)
        names = ["node%s_%d" % ("abc"[rank], rank) for rank in range(3)]
        for (low, high), waits, size in (((0, 1), 60, 2000), ((1, 2), 150, 2000), ((2, 1), 300, 500), ((1, 0), 500, 500)):
            row = found[(names[low], names[high])]
            check.equal("matched", (row["sends"], row["receives"], row["matched"]), (STEPS,) * 3)
            check.equal("bytes", row["bytes"], STEPS * size * FLOAT)
            check.near("receiver waits", row["receiver_waits_ms"], STEPS * waits / 1000, abs_=1e-6)
            check.near("sender waits", row["sender_waits_ms"], 0, abs_=1e-6)
            check.near("sending", row["send_ms"], STEPS * 10 / 1000, abs_=1e-9)
            check.near("receiving", row["receive_ms"], STEPS * (waits + 10) / 1000, abs_=1e-9)
            check.near("transfer", row["transfer_ms"], STEPS * 10 / 1000, abs_=1e-9)
            check.near("bandwidth", row["gb_per_s"], size * FLOAT / 10e-6 / 1e9, 1e-9)
        check.near("transfer a step", of(report, "transfer_us", names[1]), 40, abs_=1e-6)
        check.near("waiting a step", of(report, "sync_us", names[1]), 60 + 300, abs_=1e-6)
        for name, clock in zip(names, (0, 5000, -3000)):
            check.near("clock of " + name, of(report, "clock_us", name), clock, abs_=1e-3)
        check.equal("nobody comes last", report.metric("torch.comm.straggler.name"), None)
        [[paragraph]] = [b["items"] for s in report.doc["sections"] if s["id"] == "distributed" for b in s["blocks"]
                       if b.get("id") == "distributed/longest-wait"]
        check.true("the longest wait: " + paragraph, names[1] in paragraph and names[0] in paragraph and "3.0" in paragraph)


def slow_receiver():
    """What waits is told by who begins later; a small message is gone before anybody receives it, and its sender does not wait."""
    check.part("slow receiver")
    workers = [Worker(rank, 2, 0, "h") for rank in range(2)]
    for w in workers:
        w.step(0, 0, 900)
    workers[0].send(1, 50, 60, 210)
    workers[1].receive(0, 190, 200, 210)
    workers[0].send(1, 290, 300, 304, 1)
    workers[1].receive(0, 390, 400, 403, 1)
    row = messages(report_on(workers))[("nodeh_0", "nodeh_1")]
    check.near("sender waits", row["sender_waits_ms"], (140 + 4) / 1000, abs_=1e-9)
    check.near("receiver waits", row["receiver_waits_ms"], 0, abs_=1e-9)
    check.near("transfer", row["transfer_ms"], (10 + 3) / 1000, abs_=1e-9)
    check.near("sending", row["send_ms"], (150 + 4) / 1000, abs_=1e-9)


def groups_of_messages():
    """batch_isend_irecv: what is asked for has no kernel of its own; the group's carries all. Groups are no collectives: each
    worker has its own number of them."""
    check.part("groups of messages")
    workers = [Worker(rank, 3, 0, "h") for rank in range(3)]
    for step in range(STEPS):
        t = 1000 * step
        for w in workers:
            w.step(step, t, t + 900)
        # 0 and 1 exchange, twice to 1; then 1 sends to 2 in a group of its own.
        workers[0].send(1, t + 10, None, None, 100)
        workers[0].send(1, t + 20, None, None, 300)
        workers[0].receive(1, t + 30, None, None, 50)
        workers[0].end_group(t + 40, t + 100, t + 250)
        workers[1].receive(0, t + 10, None, None, 100)
        workers[1].receive(0, t + 20, None, None, 300)
        workers[1].send(0, t + 30, None, None, 50)
        workers[1].end_group(t + 40, t + 200, t + 250)
        workers[1].send(2, t + 300, None, None, 7)
        workers[1].end_group(t + 310, t + 320, t + 340)
        workers[2].receive(1, t + 300, None, None, 7)
        workers[2].end_group(t + 305, t + 310, t + 340)
    report = report_on(workers)
    found = messages(report)
    up, down, last = (found[("nodeh_%d" % a, "nodeh_%d" % b)] for a, b in ((0, 1), (1, 0), (1, 2)))
    check.equal("two to 1", (up["sends"], up["receives"], up["matched"]), (2 * STEPS,) * 3)
    check.equal("bytes", (up["bytes"], down["bytes"], last["bytes"]), tuple(STEPS * n * FLOAT for n in (400, 50, 7)))
    check.near("a kernel counts once", up["send_ms"], STEPS * 150 / 1000, abs_=1e-9)
    check.near("sender waits", up["sender_waits_ms"], STEPS * 100 / 1000, abs_=1e-9)
    check.near("receiver of the other", down["receiver_waits_ms"], STEPS * 100 / 1000, abs_=1e-9)
    check.near("last", last["receiver_waits_ms"], STEPS * 10 / 1000, abs_=1e-9)
    check.equal("no bandwidth of one", up["gb_per_s"], None)
    for name, transfer, sync in (("nodeh_0", 50, 100), ("nodeh_1", 50 + 20, 0), ("nodeh_2", 20, 10)):
        check.near(name + " transfer", of(report, "transfer_us", name), transfer, abs_=1e-6)
        check.near(name + " waits", of(report, "sync_us", name), sync, abs_=1e-6)
        check.near(name + " not matched", of(report, "unmatched_us", name), 0, abs_=1e-6)
    check.equal("no collective is left over", report.metric("torch.comm.unmatched_calls"), 0)
    rows = {row["operation"]: row for row in report.rows("distributed/operations")}
    check.equal("sends", (rows["send"]["calls"], rows["send"]["latency_ms"]), (4 * STEPS, None))
    check.near("their kernels", rows["coalesced"]["latency_ms"], STEPS * (150 + 50 + 20 + 30) / 1000, abs_=1e-9)


def lost_messages():
    check.part("a receiver that was captured later")
    workers = pipeline((0, 0, 0))
    workers[1].events = [e for e in workers[1].events if e["ts"] >= 2000]
    up = messages(report_on(workers))[("nodea_0", "nodeb_1")]
    check.equal("those that both hold", (up["sends"], up["receives"], up["matched"]), (STEPS, STEPS - 2, STEPS - 2))
    check.near("receiver waits", up["receiver_waits_ms"], (STEPS - 2) * 60 / 1000, abs_=1e-6)

    check.part("the second is not the same")
    workers = [Worker(rank, 2, 0, "h") for rank in range(2)]
    for w in workers:
        w.step(0, 0, 900)
    for i in range(3):
        workers[0].send(1, 200 * i + 90 + 100 * (i == 1), 200 * i + 100 + 100 * (i == 1), 200 * i + 110 + 100 * (i == 1))
        workers[1].receive(0, 200 * i + 50, 200 * i + 60, 200 * i + 110)
    report = report_on(workers)
    check.equal("not received before it is sent", messages(report)[("nodeh_0", "nodeh_1")]["matched"], 2)
    check.near("not matched", of(report, "unmatched_us", "nodeh_1"), 50, abs_=1e-6)

    check.part("one stage alone")
    found = messages(report_on(pipeline()[:2]))
    check.equal("its neighbour", found[("nodea_0", "nodeb_1")]["matched"], STEPS)
    check.equal("the one that is missing", found[("nodeb_1", "rank 2")]["matched"], 0)
    check.equal("no time", found[("nodeb_1", "rank 2")]["receiver_waits_ms"], None)

    check.part("one direction, two hosts")
    workers = [Worker(rank, 2, 777 * rank, "ab"[rank]) for rank in range(2)]
    for w in workers:
        w.step(0, 0, 900)
    workers[0].send(1, 50, 60, 80)
    workers[1].receive(0, 10, 20, 80)
    row = messages(report_on(workers))[("nodea_0", "nodeb_1")]
    check.equal("matched", row["matched"], 1)
    check.equal("who waits is unknown", (row["receiver_waits_ms"], row["sender_waits_ms"]), (None, None))

    check.part("nothing tells the other side")
    workers = [Worker(rank, 2, 0, "h") for rank in range(2)]
    for w in workers:
        w.step(0, 0, 900)
        w.kernel("ncclDevKernel_SendRecv(x)", 50, 60, 80, 20)
    report = report_on(workers)
    check.equal("neither", (report.metric("torch.comm.messages"), report.metric("torch.comm.unmatched_messages")), (2, 2))
    check.equal("no row", messages(report), {})
    check.true("said", any("2 sends and receives could not be matched" in item for s in report.doc["sections"]
                           if s["id"] == "distributed" for b in s["blocks"] for item in b.get("items", [])))

    check.part("two that say they are the same")
    workers = pipeline((0, 0, 0), steps=2)
    workers[2].rank, workers[2].events = 1, list(workers[1].events)
    workers[2].kernel("gemm", 1, 2, 3)
    check.equal("not matched", messages(report_on(workers))[("nodea_0", "nodeb_1")]["matched"], 0)


def linked_groups():
    """Data-parallel pairs on each of two stages; their clocks are put in line by messages."""
    check.part("groups linked by messages")
    clocks = (0, 40, 900, 700)
    workers = [Worker(rank, 4, clocks[rank], "abcd"[rank]) for rank in range(4)]
    for step in range(STEPS):
        t = 1000 * step
        for w in workers:
            w.step(step, t, t + 900)
            low = w.rank // 2 * 2
            w.collective("all_reduce", t + 600, t + 620 + 10 * (w.rank % 2), t + 700, (str(low), "dp", [low, low + 1]), 8)
        for rank in (0, 1):
            workers[rank].send(rank + 2, t + 90, t + 100, t + 110)
            workers[rank + 2].receive(rank, t + 10, t + 50, t + 110)
            workers[rank + 2].send(rank, t + 290, t + 300, t + 310)
            workers[rank].receive(rank + 2, t + 110, t + 150, t + 310)
    report = report_on(workers)
    middle = (40 + 700) / 2
    for w, clock in zip(workers, clocks):
        check.near("clock of %d" % w.rank, of(report, "clock_us", "node%s_%d" % (w.host, w.rank)), clock - middle, abs_=0.01)


def ring():
    """Messages that take longer one way than the other: clocks are then wrong by half of the difference, and what seems to be
    received 20 µs before it is sent is the same message still."""
    check.part("ring")
    workers = [Worker(rank, 4, 300 * rank, "abcd"[rank]) for rank in range(4)]
    for step in range(STEPS):
        for w in workers:
            w.step(step, 2000 * step, 2000 * step + 1900)
        for a in range(4):
            b, t = (a + 1) % 4, 2000 * step + 400 * a
            for sender, receiver, at, takes in ((a, b, t + 10, 10), (b, a, t + 200, 10 + 20 * a)):
                workers[sender].send(receiver, at - 2, at, at + takes)
                workers[receiver].receive(sender, at - 2, at, at + takes)
    report = report_on(workers)
    check.equal("all are matched", [row["matched"] for row in messages(report).values()], [STEPS] * 8)
    for w, clock in zip(workers, (0, 300, 600 - 10, 900 - 10 - 20)):
        check.near("clock of %d" % w.rank, of(report, "clock_us", "node%s_%d" % (w.host, w.rank)), clock - (300 + 590) / 2, abs_=0.01)


def uneven_all_to_all():
    """With split sizes what stays with its worker does not cross a link."""
    check.part("all_to_all with sizes")
    splits = [[10, 30], [20, 40]]
    workers = [Worker(rank, 2, 0, "h") for rank in range(2)]
    for w in workers:
        w.step(0, 0, 900)
        out = [splits[0][w.rank], splits[1][w.rank]]
        w.collective("all_to_all", 10, 100, 200, elements=1000 * sum(splits[w.rank]), out=1000 * sum(out), said="all_to_allv",
                     **{"In split size": str(splits[w.rank]), "Out split size": str(out), "Rank": w.rank})
    [row] = [row for row in report_on(workers).rows("distributed/operations") if row["operation"] == "all_to_all"]
    check.equal("bytes", row["bytes"], FLOAT * 1000 * (40 + 60))
    # Worker 0 sends 30 away and gets 20; worker 1 sends 20 and gets 30: of each the busier direction.
    check.near("bus", row["bus_gb_per_s"], 2 * 30 * 1000 * FLOAT / 200e-6 / 1e9, 1e-9)


def own_pipeline():
    """A capture over gloo, where the c10d operator alone names the other side: matched a second time, from the raw events."""
    check.part("own pipeline")
    folder = SOURCE / "tests" / "truth" / "own" / "torch_pipeline"
    report, spans = Report(folder), {}
    for path in folder.glob("*.gz"):
        events = json.loads(gzip.decompress(path.read_bytes()), parse_float=Decimal)["traceEvents"]
        asked = [e for e in events if e["name"] in ("c10d::send", "c10d::recv_")]
        for said in ("send", "recv"):
            rows = []
            for e in sorted((e for e in events if e["name"] == "gloo:" + said), key=lambda e: e["ts"]):
                [op] = [o for o in asked if o["ts"] <= e["ts"] <= o["ts"] + o["dur"] and said in o["name"]]
                rows.append((op["ts"], e["ts"], e["ts"] + e["dur"], 4 * math.prod(e["args"]["Input Dims"][0])))
            spans[path.name.split(".")[0], said] = rows
    for sender, receiver in (("stage0", "stage1"), ("stage1", "stage0")):
        row = messages(report)[(sender, receiver)]
        pairs = list(zip(spans[sender, "send"], spans[receiver, "recv"], strict=True))
        check.equal("matched", row["matched"], len(pairs))
        check.equal("bytes", row["bytes"], sum(s[3] for s, _ in pairs))
        for key, value in (("send_ms", sum(s[2] - s[1] for s, _ in pairs)), ("receive_ms", sum(r[2] - r[1] for _, r in pairs)),
                           ("transfer_ms", sum(min(s[2] - s[1], r[2] - r[1]) for s, r in pairs)),
                           ("receiver_waits_ms", sum(min(max(s[0] - r[0], 0), r[2] - r[0]) for s, r in pairs)),
                           ("sender_waits_ms", sum(min(max(r[0] - s[0], 0), s[2] - s[0]) for s, r in pairs))):
            check.near("%s to %s %s" % (sender, receiver, key), row[key], float(value) / 1000, abs_=1e-6)


def main():
    for test in (of_a_pipeline, slow_receiver, groups_of_messages, lost_messages, linked_groups, ring, uneven_all_to_all, own_pipeline):
        test()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
