"""Modules of PyTorch traces written by hand, and of an own capture with the spans of Lightning's profiler."""

import json
import sys
import tempfile
import time
from pathlib import Path

from torch_files import event, trace
from torch_trees import FUNCTION, backward, flows, is_lightning, is_python_module, lightning_hook, lightning_module, load, python_module, tree
from truth import SOURCE, Check, Report

check = Check()
FIGURES = {"calls": "calls", "operators": "operators", "host": "host_ms", "host_self": "host_self_ms", "device": "device_ms",
           "device_self": "device_self_ms"}


def paths(rows):
    found, path = {}, []
    for row in rows:
        path[row["depth"]:] = [row["name"]]
        found[tuple(path)] = row
    return found


def agree(rows, truth):
    rows = paths(rows)
    check.equal("nodes", sorted(rows), sorted(truth))
    for path in rows.keys() & truth.keys():
        for figure, column in FIGURES.items():
            if column in rows[path]:
                scale = 1e6 if column.endswith("_ms") else 1
                check.near("%s %s" % (path, figure), rows[path][column], truth[path][figure] / scale, 1e-9, 1e-9)


def report_on(events, *options, **more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "w.1.pt.trace.json")
        path.write_text(json.dumps(trace(events, **more)), encoding="utf-8")
        return Report(path, *options), load(path)


def module(name, ts, dur, number=0, parent=None, ident=0, **where):
    return event("python_function", "nn.Module: %s" % name, ts, dur, **where, **{
        "Python id": ident, "Python parent id": parent, "Python module id": number})


def by_hand():
    """A Net that calls one Linear twice and, from within an operator, a Norm; a kernel in each, one launched by Python itself."""
    launch = [("cudaLaunchKernel", 15, 1, 1), ("cudaLaunchKernel", 45, 1, 2), ("cuLaunchKernel", 62, 1, 3)]
    events = [
        module("Net", 10.001, 90, 0, None, 1), module("Linear", 12, 20.5, 7, 1, 2), module("Linear", 40, 20, 7, 1, 3),
        event("cpu_op", "aten::addmm", 14, 10, **{"External id": 21}), event("cpu_op", "aten::addmm", 42, 10, **{"External id": 22}),
        event("user_annotation", "mine", 65, 30, **{"External id": 23}),
        event("cpu_op", "checkpoint", 66, 20, **{"External id": 24}), module("Norm_3", 70, 10, 3, 1, 4),
        event("cpu_op", "aten::norm", 71, 5.25, **{"External id": 25}),
        *(event("cuda_runtime" if name[2] == "d" else "cuda_driver", name, ts, dur, **{"correlation": number})
          for name, ts, dur, number in launch),
        *(event("kernel", "k%d" % number, 200 + 10 * number, number + 0.5, 0, 7, **{
            "device": 0, "stream": 7, "correlation": number}) for number in (1, 2, 3))]
    report, read = report_on(events)
    truth = tree(read, is_python_module, python_module)
    check.part("by hand")
    agree(report.rows("modules/1/tree"), truth)
    rows = paths(report.rows("modules/1/tree"))
    check.equal("tree", sorted(rows), [("Net_0",), ("Net_0", "Linear_7"), ("Net_0", "Norm_3")])
    net, linear, norm = rows["Net_0",], rows["Net_0", "Linear_7"], rows["Net_0", "Norm_3"]
    check.equal("operators", (net["operators"], linear["operators"], norm["operators"]), (1, 2, 1))
    check.near("host, self: less two calls of Linear and the operator", net["host_self_ms"], 0.0295)
    check.near("the kernel that Python launched", net["device_self_ms"], 0.0035)
    check.near("device", net["device_ms"], 0.0075)
    check.near("own time", linear["own_share"], 4 / 7.5)
    check.near("a call, device", linear["average_us"], 2)
    check.near("a call, host where it used no device", norm["average_us"], 10)
    check.equal("modules", report.metric("torch.module.count"), 3)
    check.equal("calls", report.metric("torch.module.calls"), 4)
    check.equal("top", report.metric("torch.module.top.name"), "Linear_7")
    check.near("its share", report.metric("torch.module.top.share@worker=w,span=1"), 4 / 7.5)
    flame = report.blocks["modules/1/tree/flame"]["frames"]
    check.equal("flame graph", [(f["label"], f["row"], round(f["from"], 4), round(f["to"], 4)) for f in flame],
                [("Net_0", 0, 0, 1), ("Linear_7", 1, 0, 0.5333)])


def backward_by_hand():
    """Two modules; autograd runs on a thread of its own. Numbers are the forward thread's; another thread has the same ones."""
    def op(name, ts, dur, sequence, tid=11, thread=0, ident=0):
        return event("cpu_op", name, ts, dur, 10, tid, **{
            "External id": ident, "Sequence number": sequence, "Fwd thread id": thread})

    events = [
        module("Linear_0", 10, 20, 0, None, 1), op("aten::linear", 11, 15, 5), op("aten::addmm", 12, 10, 5),
        module("ReLU_0", 40, 20, 0, None, 2), op("aten::relu", 41, 10, 6), op("aten::mul", 70, 5, 7),
        op("aten::add", 12, 3, 5, 13), op("aten::sub", 42, 3, 6, 13),
        op(FUNCTION + "MulBackward0", 100, 4, 7, 12, 1), op(FUNCTION + "ReluBackward0", 110, 8, 6, 12, 1),
        op(FUNCTION + "AddmmBackward0", 120, 20, 5, 12, 1, 77), op(FUNCTION + "torch::autograd::AccumulateGrad", 150, 3, -1, 12),
        op(FUNCTION + "LostBackward0", 160, 50, 999, 12, 1), op(FUNCTION + "torch::autograd::AccumulateGrad", 220, 30, -1, 12),
        event("cuda_runtime", "cudaLaunchKernel", 125, 2, 10, 12, **{"correlation": 1}),
        event("kernel", "gemm", 300, 9, 0, 7, **{"device": 0, "stream": 7, "correlation": 1}),
        event("cuda_runtime", "cudaLaunchKernel", 151, 1, 10, 12, **{"correlation": 2}),
        event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 310, 90, 0, 7, **{"device": 0, "stream": 7, "correlation": 2}),
        event("cuda_runtime", "cudaLaunchKernel", 13, 1, 10, 11, **{"correlation": 3}),
        event("kernel", "forward", 30, 4, 0, 7, **{"device": 0, "stream": 7, "correlation": 3})]
    report, _ = report_on(events)
    check.part("backward by hand")
    rows = paths(report.rows("modules/1/tree"))
    check.near("Linear: its function and the gradient it gave", rows["Linear_0",]["backward_host_ms"], 0.023)
    check.near("ReLU", rows["ReLU_0",]["backward_host_ms"], 0.008)
    check.near("its kernel, without the collective", rows["Linear_0",]["backward_device_ms"], 0.009)
    check.near("none", rows["ReLU_0",]["backward_device_ms"], 0)
    said = json.dumps(report.doc["sections"], ensure_ascii=False)
    check.true("one is lost, and that is said", "1 autograd function without a forward operator" in said)


def operators():
    """The operators of the thread with most of them; steps are one row."""
    events = [event("user_annotation", "ProfilerStep#%d" % i, 100 * i, 90, **{"External id": i + 1}) for i in range(3)]
    events += [event("cpu_op", name, 100 * i + ts, dur, **{"External id": 100 * i + ts})
               for i in range(3) for name, ts, dur in (("aten::linear", 1, 30), ("aten::addmm", 2, 20), ("aten::linear", 40, 10))]
    events += [event("cpu_op", "aten::other", 5, 1000, 10, 12)]
    report, _ = report_on(events)
    check.part("operators")
    rows = paths(report.rows("modules/1/operators"))
    check.equal("tree", {path: (row["calls"], round(row["host_ms"] * 1000)) for path, row in rows.items()},
                {("ProfilerStep",): (3, 270), ("ProfilerStep", "aten::linear"): (6, 120),
                 ("ProfilerStep", "aten::linear", "aten::addmm"): (3, 60)})
    check.equal("no module", report.metric("torch.module.count"), None)
    check.true("what to do", "with_stack=True" in report.missing("torch.module.count"))


def lightning():
    """An own capture: the spans as user annotations, as torch from 1.12 on writes them, and as operators, as before."""
    path = SOURCE / "tests/truth/own/pl.1795230221477903893.pt.trace.json.gz"
    events = load(path)
    modules, hooks = (tree(events, is_lightning("[pl][%s]" % kind), key)
                      for kind, key in (("module", lightning_module), ("profile", lightning_hook)))
    check.part("Lightning")
    report = Report(path)
    agree(report.rows("modules/1/tree"), modules)
    agree(report.rows("modules/1/hooks"), hooks)
    arrows = backward(events, flows(path), is_lightning("[pl][module]"), lightning_module)
    check.equal("backward, by the arrows of the trace", {p: round(r["backward_host_ms"] * 1e6) for p, r in paths(
        report.rows("modules/1/tree")).items()}, arrows)
    check.near("enc", paths(report.rows("modules/1/tree"))["enc: Sequential",]["host_ms"], 1.628276, 1e-9)
    check.near("dec", paths(report.rows("modules/1/tree"))["dec: Sequential",]["host_ms"], 1.297857, 1e-9)
    check.part("Lightning, old category")
    old = [{**e, "cat": "cpu_op" if e["name"].startswith("[pl]") else e["cat"], "ts": float(e["ts"]), "dur": float(e["dur"])}
           for e in events]
    for e in old:
        del e["start"], e["ns"]
        for working in ("span", "operator"):
            e.pop(working, None)
    again, _ = report_on(old, Framework="pytorch-lightning")
    for table in ("tree", "hooks"):
        before, after = paths(report.rows("modules/1/" + table)), paths(again.rows("modules/1/" + table))
        check.equal(table, {p: (r["calls"], r["operators"]) for p, r in after.items()},
                    {p: (r["calls"], r["operators"]) for p, r in before.items()})


def containers():
    """A ModuleList is not called itself; the names of its parts tell of it. So do names as deep as a file may write them."""
    def span(name, ts, dur):
        return event("user_annotation", "[pl][module]torch.nn.X: " + name, ts, dur)

    events = [span("model", 10, 100), span("model.blocks.0", 20, 20), span("model.blocks.0.fc", 25, 10),
              span("model.blocks.1", 50, 30), span("head.list.0", 200, 7), span("head.list.1", 210, 5),
              span("a" + ".b" * 20_000, 300, 1), span("other", 305, 20), span("model.odd", 310, 10)]
    report, _ = report_on(events)
    check.part("containers")
    rows = paths(report.rows("modules/1/tree"))
    us = {path: (row["calls"], round(row["host_ms"] * 1000)) for path, row in rows.items() if path[0] != "a"}
    check.equal("tree", us, {
        ("model: X",): (1, 100), ("model: X", "model.blocks"): (None, 50), ("model: X", "model.blocks", "model.blocks.0: X"): (1, 20),
        ("model: X", "model.blocks", "model.blocks.0: X", "model.blocks.0.fc: X"): (1, 10),
        ("model: X", "model.blocks", "model.blocks.1: X"): (1, 30),
        ("head",): (None, 12), ("head", "head.list"): (None, 12), ("head", "head.list", "head.list.0: X"): (1, 7),
        ("head", "head.list", "head.list.1: X"): (1, 5), ("other: X",): (1, 20), ("other: X", "model.odd: X"): (1, 10)})
    check.equal("modules that are called", report.metric("torch.module.count"), 9)
    check.true("depth is bounded", max(len(path) for path in rows) <= 48)
    check.near("own time", rows["model: X",]["own_share"], 50 / 133)


def odd():
    """Names that are empty, times that add up beyond what fits, kernels that took no time."""
    events = [event("user_annotation", "[pl][module]", 10, 9), event("user_annotation", "[pl][profile]", 30, 5),
              *(event("user_annotation", "[pl][module]x", 60, 4e12, 10, tid) for tid in (11, 12, 13)),
              event("kernel", "k", 10, 0, 0, 7, **{"device": 0, "stream": 7, "correlation": 1})]
    report, _ = report_on(events)
    check.part("odd")
    check.equal("modules", report.metric("torch.module.count"), 2)
    check.true("one without a name", any(row["name"] == "(no name)" for row in report.rows("modules/1/tree")))


def bounded():
    """100,000 calls inside each other, and 200,000 modules side by side: in time, on a page that stays small."""
    count = 100_000
    deep = [module("Net", 1 + i * 0.001, 1000 - i * 0.002, 0, i or None, i + 1) for i in range(count)]
    wide = [module("M", 2000 + i, 0.9, i + 1, None, count + i + 1) for i in range(200_000)]
    check.part("bounded")
    start = time.monotonic()
    report, _ = report_on(deep + wide)
    check.true("in time", time.monotonic() - start < 60)
    check.equal("modules", report.metric("torch.module.count"), 200_001)
    rows = report.rows("modules/1/tree")
    check.true("rows: %d" % len(rows), 40 < len(rows) < 200)
    check.equal("calls of all rows, and those too deep", sum(r["calls"] for r in rows), 200_000 + 48)
    check.true("frames", len(report.blocks["modules/1/tree/flame"]["frames"]) <= 800)


def main():
    by_hand()
    backward_by_hand()
    operators()
    lightning()
    containers()
    odd()
    bounded()
    print("%d figures compared, %d differ" % (check.count, check.failed))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
