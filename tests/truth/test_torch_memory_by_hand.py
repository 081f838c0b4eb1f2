"""Memory of PyTorch traces written by hand: owners, pieces, peaks, steps, all kinds of devices, what is missing, and findings."""

import json
import tempfile
from pathlib import Path

import torch_memory_check as compare
import torch_memory_truth as truth
from torch_files import GPU, event, memory, trace
from truth import SOURCE, Check, Report

check = Check()
GIB = 1 << 30
CARD = dict(GPU, totalGlobalMem=10 * GIB)


def report(events, name="rank0.1.pt.trace.json", **more):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_text(json.dumps(trace(events, **more)), encoding="utf-8")
        return Report(folder)


def table(r, device, part):
    ids = [i for i in r.blocks if i.startswith("torch-memory/of/") and "%s/%s" % (device, part) in i]
    return r.rows(ids[0]) if ids else []


def finding(r, name):
    return next(f for f in r.doc["findings"] if f["id"] == name)


# One thread: aten::linear (10–50) calls aten::empty (20–30); an annotation (60–80); step 1 is 0–100, step 2 is 100–200.
HOST = [
    event("user_annotation", "ProfilerStep#1", 0, 100), event("user_annotation", "ProfilerStep#2", 100, 100),
    event("cpu_op", "aten::linear", 10, 40), event("cpu_op", "aten::empty", 20, 10),
    event("user_annotation", "Optimizer.step#SGD.step", 60, 20),
    event("cpu_op", "aten::sum", 110, 50), event("cpu_op", "aten::sum", 120, 20), event("cpu_op", "aten::fill_", 145, 5),
]
RECORDS = [
    memory(12, 100, 1, 1100, 2000),            # by aten::linear; 1,000 were there before
    memory(25, 300, 2, 1400, 2000),            # by aten::empty, for aten::linear
    memory(26, 50, 2, 50, 0, device=(0, -1)),  # the same address on the host
    memory(50, -100, 1, 1300, 2000),           # aten::linear has ended
    memory(65, 200, 3, 1500, 2000),            # by the optimizer: the peak
    memory(90, -700, 9, 800, 2000),            # from before
    memory(95, 400, 5, 1200, 3000),            # by nothing
    memory(125, 300, 6, 1500, 3000),           # by aten::sum in aten::sum: the peak again
    memory(130, -50, 2, 0, 0, device=(0, -1)),
    memory(146, 8, 3, 1508, 3000),             # address 3 again, without a release
    memory(170, -8, 3, 1500, 3000),
]


def numbers():
    """ROCm's kernels number the agents of the machine, memory the GPUs that the process sees."""
    check.part("numbers of a GPU")
    kernels = [event("cuda_runtime", "hipLaunchKernel", 30, 1, correlation=5),
               event("kernel", "k", 40, 5, 9, 7, device=9, stream=7, correlation=5)]
    for gpu, told in ((9, True), (0, False)):
        of_gpu = [{**e, "pid": gpu if e["cat"] == "kernel" else e["pid"],
                   "args": {**e["args"], **({"device": gpu} if e["cat"] == "kernel" else {})}} for e in kernels]
        text = json.dumps(report(HOST + RECORDS + of_gpu, deviceProperties=[CARD], profile_memory=1).section("torch-memory"))
        check.equal("said", "is GPU 9 elsewhere in this report" in text, told)


def whole():
    r = report(HOST + RECORDS, deviceProperties=[CARD], profile_memory=1)
    rows = {row["device"]: row for row in r.rows("torch-memory/devices")}
    gpu, cpu = rows["GPU 0"], rows["CPU"]
    check.equal("devices of the table", list(rows), ["GPU 0", "CPU"])
    check.equal("figures of the GPU", [gpu[k] for k in ("peak_bytes", "reserved_bytes", "unused_bytes", "peak_reserved_bytes", "peak_step")],
                [1508, 3000, 1492, 3000, "2"])
    check.equal("records of the GPU", [gpu[k] for k in ("allocations", "releases", "open", "earlier")], [6, 3, 3, 1])
    check.equal("growth", gpu["growth_bytes"], 508)
    check.near("time of the peak", gpu["peak_time_ms"], 0.146)
    check.near("share of the card", gpu["peak_share"], 1508 / (10 * GIB))
    check.equal("figures of the CPU", [cpu[k] for k in ("peak_bytes", "capacity_bytes", "reserved_bytes", "open", "earlier")], [50, None, None, 0, 0])
    check.equal("peak of all", r.metric("torch.memory.peak_bytes"), 1508)
    check.equal("peak of the CPU", r.metric("torch.memory.peak_bytes@worker=rank0,span=1,device=CPU"), 50)
    check.equal("why no share", r.missing("torch.memory.peak_share@worker=rank0,span=1,device=CPU"),
                "the trace does not say how much memory the device has")
    check.equal("allocations of all", r.metric("torch.memory.allocations"), 7)
    check.equal("live at the peak", {x["operator"]: (x["live_bytes"], x["pieces"]) for x in table(r, "GPU:0", "live")}, {
        "aten::linear (aten::empty)": (300, 1), "(no operator)": (400, 1), "aten::sum": (300, 1),
        "aten::fill_": (8, 1), "(before the trace began, or not recorded)": (500, None)})
    stats = {x["operator"]: x for x in table(r, "GPU:0", "operators/table")}
    check.equal("linear", [stats["aten::linear"][k] for k in ("self_allocated_bytes", "allocated_bytes", "self_allocations", "allocations",
                                                   "self_growth_bytes", "growth_bytes", "calls")], [100, 400, 1, 2, 100, 400, 1])
    # The inner call's bytes count once, though the outer one calls another operator as well.
    check.equal("sum", [stats["aten::sum"][k] for k in ("allocated_bytes", "self_allocated_bytes", "calls")], [308, 300, 2])
    check.equal("annotation", [stats["Optimizer.step#SGD.step"][k] for k in ("self_allocated_bytes", "calls")], [200, 1])
    check.equal("no operator", [stats["(no operator)"][k] for k in ("self_allocated_bytes", "self_growth_bytes", "calls")], [400, -408, None])
    pieces = table(r, "GPU:0", "pieces/table")
    check.equal("pieces", [(x["bytes"], x["given_ms"], x["taken_ms"]) for x in pieces], [
        (700, None, 0.09), (400, 0.095, None), (300, 0.025, None), (300, 0.125, None), (200, 0.065, None), (100, 0.012, 0.05),
        (8, 0.146, 0.17)])
    check.equal("the CPU's piece", [x["there_ms"] for x in table(r, "CPU", "pieces/table")], [0.104])
    steps = {x["step"]: x for x in table(r, "GPU:0", "steps/table")}
    check.equal("steps", [[steps[s][k] for k in ("start_bytes", "peak_bytes", "end_bytes", "growth_bytes", "allocations", "operator")]
                 for s in "12"], [[1000, 1500, 1200, 200, 4, "(no operator)"], [1200, 1508, 1500, 300, 2, "aten::sum"]])


def overlapping_steps():
    """Each of 40 steps lasts until the end, with a release before the next begins: figures as long as records are looked at."""
    events = []
    for i in range(40):
        events += [event("user_annotation", "ProfilerStep#%d" % i, 100 * i, 5000 - 100 * i), event("cpu_op", "aten::a", 100 * i + 10, 50),
                   memory(100 * i + 20, 512, 1, 4096 + 512, 8192), memory(100 * i + 70, -512, 1, 4096, 8192)]
    r = report(events)
    steps = table(r, "GPU:0", "steps/table")
    check.equal("steps that overlap", [row["allocations"] for row in steps], [40 - i if i < 9 else None for i in range(40)])
    check.equal("their operator", [row["operator"] for row in steps], ["aten::a" if i < 9 else None for i in range(40)])
    check.equal("their peak", [row["peak_bytes"] for row in steps], [4608 if i < 9 else None for i in range(40)])
    check.equal("ends of all", {(row["start_bytes"], row["end_bytes"]) for row in steps}, {(4096, 4096)})
    check.equal("why not", "steps overlap so much that only the first were examined" in json.dumps(r.doc), True)
    check.equal("of the trace", [row["self_allocations"] for row in table(r, "GPU:0", "operators/table")][:2], [40, 0])


def very_many():
    """More allocations than a table lists, and than are summed up at a time, each in an operator of its own, all in one operator."""
    check.part("30,000 allocations")
    count, listed, events, pieces = 30000, 20000, [], []
    for i in range(count):
        size, life = 512 + 8 * (i * 7919 % 10007), 1 + i * 31 % 6
        pieces.append((-size, -life, i))
        events += [event("cpu_op", "aten::in", 10 * i + 1, 8), memory(10 * i + 2, size, i + 1, size, 1 << 20),
                   memory(10 * i + 2 + life, -size, i + 1, 0, 1 << 20)]
    r = report([event("cpu_op", "aten::out", 0, 10 * count + 10), *events])
    rows = table(r, "GPU:0", "pieces/table")
    check.equal("the largest, of equal ones the longest there", [(row["bytes"], round(1000 * row["there_ms"]), round(100 * row["given_ms"])) for row in rows],
                [(-size, -life, i) for size, life, i in sorted(pieces)[:listed]])
    stats, total = {row["operator"]: row for row in table(r, "GPU:0", "operators/table")}, -sum(size for size, _, _ in pieces)
    keys = ("calls", "self_allocations", "allocations", "self_allocated_bytes", "allocated_bytes", "growth_bytes")
    check.equal("the operators within", [stats["aten::in"][k] for k in keys], [count, count, count, total, total, 0])
    check.equal("the one around them", [stats["aten::out"][k] for k in keys], [1, 0, count, 0, total, 0])


def deep_ranges():
    """An operator in itself 1,500 times, which allocates at each depth, in one that calls it."""
    depth = 1500
    events = [event("cpu_op", "aten::out", 0, 10 * depth)]
    for i in range(depth):
        events += [event("cpu_op", "aten::in", 1 + i, 10 * depth - 2 - 2 * i), memory(1.5 + i, 10, 1 + i, 10 * (i + 1), 64)]
    rows = {row["operator"]: row for row in table(report(events), "GPU:0", "operators/table")}
    check.equal("the deepest counts in the outermost", [rows["aten::out"][k] for k in ("self_allocated_bytes", "allocated_bytes", "allocations")],
                [0, 10 * depth, depth])
    check.equal("each byte once", [rows["aten::in"][k] for k in ("self_allocated_bytes", "allocated_bytes")], [10 * depth, 10 * depth])


def devices():
    kinds = {(6, 1): "GPU 1", (12, 0): "XPU 0", (13, -1): "MPS", (15, 3): "HPU 3", (19, 0): "MTIA 0", (20, 0): "PrivateUse1 0",
             (77, 2): "device type 77:2", (0, -1): "CPU"}
    r = report(HOST + [memory(12 + i, 10 + i, 1 + i, 10 + i, 64, device=d) for i, d in enumerate(kinds)])
    check.equal("names of devices", {row["device"] for row in r.rows("torch-memory/devices")}, set(kinds.values()))
    check.equal("largest of all", r.metric("torch.memory.peak_bytes"), 16)
    r = report(HOST + [memory(12 + i, 1, i + 1, i, 64, device=(1, i)) for i in range(70)])
    check.equal("devices at most", len(r.rows("torch-memory/devices")), 64)
    check.equal("what is left out", "6 records left out: too many devices" in json.dumps(r.doc), True)


def missing():
    old = [memory(12, 100), memory(25, 300), memory(65, -200), memory(70, -100)]
    r = report(HOST + old)
    check.equal("why no peak", r.missing("torch.memory.peak_bytes"),
                "torch up to 1.9 records no totals, only each allocation and release")
    check.equal("growth of old records", r.metric("torch.memory.growth_bytes"), 400)
    check.equal("nothing live", table(r, "GPU:0", "live"), [])
    check.equal("operators of old records", {x["operator"]: x["self_growth_bytes"] for x in table(r, "GPU:0", "operators/table")},
                {"aten::linear": 100, "aten::empty": 300, "Optimizer.step#SGD.step": -300})
    r = report(HOST)
    check.equal("why nothing", r.missing("torch.memory.peak_bytes"),
                "the traces hold no allocator records: capture with profile_memory=True")
    asked = report(HOST, profile_memory=1)
    check.equal("asked for, and nothing written", asked.missing("torch.memory.peak_bytes"),
                "memory was requested, but no allocator wrote a record")
    check.equal("is not told to ask", "Capture with `torch" in json.dumps(asked.doc) or "profile_memory=True)" in json.dumps(asked.doc), False)
    check.equal("how to capture", json.dumps(r.doc).count("profile_memory=True)") >= 1, True)
    check.equal("no table", [b for b in r.blocks if b.startswith("torch-memory")], [])
    r = report(HOST + [memory(12, 8, 1, 8, 8)])
    check.equal("one record", r.metric("torch.memory.peak_bytes"), 8)


def findings():
    def full(allocated, reserved, card=CARD, **more):
        return report(HOST + [memory(12, 64, 1, int(allocated * 10 * GIB), int(reserved * 10 * GIB), **more)],
                      deviceProperties=[card] if card else [])
    for allocated, status, severity in ((0.99, "open", "High"), (0.95, "open", "Medium"), (0.4, "passed", None)):
        f = finding(full(allocated, allocated), "TPR-OOM-004")
        check.equal("status at %s" % allocated, f["status"], status)
        check.equal("severity at %s" % allocated, f.get("severity"), severity)
        check.near("measured", f["measured"]["value"], allocated, 1e-6)
    for reserved, status in ((0.75, "open"), (0.6, "open"), (0.52, "passed"), (0.49, "not_applicable")):
        check.equal("status with %s reserved" % reserved, finding(full(0.45, reserved), "TPR-FRAG-002")["status"], status)
    for r, status in ((full(0.9, 0.9, device=(0, -1)), "not_applicable"), (full(0.9, 0.9, card=None), "undecided"),
                      (report(HOST), "not_applicable"), (report(HOST + [memory(12, 64)], deviceProperties=[CARD]), "undecided")):
        for name in ("TPR-OOM-004", "TPR-FRAG-002"):
            check.equal("status of others", finding(r, name)["status"], status)


def examples():
    """Captures of our own, record by record."""
    traces = sorted(SOURCE.glob("examples/torch_*/input/*.pt.trace.json.gz"))
    for path in traces:
        mem, r = truth.Memory(path), Report(path)
        for key, parts in compare.tables(r).items():
            compare.compare_raw(r, mem, key, parts)
    check.equal("captures", len(traces) >= 3 and compare.compared > 1000, True)
    check.equal("figures of captures", compare.failures[:10], [])


def main():
    examples()
    whole()
    numbers()
    overlapping_steps()
    very_many()
    deep_ranges()
    devices()
    missing()
    findings()
    check.end()


if __name__ == "__main__":
    main()
