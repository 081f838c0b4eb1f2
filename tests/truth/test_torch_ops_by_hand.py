"""Operators and kernels of PyTorch traces written by hand, with figures that are counted by hand."""

import json
import tempfile
import time
from pathlib import Path

from torch_files import event, trace
from truth import Check, Report, run

check = Check()


def report(folder, name, events, **more):
    path = Path(folder, name + ".pt.trace.json")
    path.write_text(json.dumps(trace(events, **more)), encoding="utf-8")
    return Report(path)


def op(name, ts, dur, external, shapes=None, tid=11, **args):
    if shapes is not None:
        args["Input Dims"] = shapes
    return event("cpu_op", name, ts, dur, tid=tid, **{"External id": external, **args})


def call(ts, dur, correlation, external=0, cat="cuda_runtime", name="cudaLaunchKernel", tid=11):
    return event(cat, name, ts, dur, tid=tid, correlation=correlation, **{"External id": external})


def kernel(name, ts, dur, correlation, external=0, tid=7, **args):
    return event("kernel", name, ts, dur, 0, tid, device=0, stream=7, correlation=correlation, **{
        "External id": external, "grid": [54, 1, 1], "block": [128, 1, 1], "registers per thread": 32, "shared memory": 0,
        "est. achieved occupancy %": 12, "blocks per SM": 0.5, **args})


def operators(r):
    return {row["operator"]: row for row in r.rows("operators/list")}


def figures(row):
    return [row[key] for key in ("calls", "device_self_us", "device_total_us", "host_self_us", "host_total_us", "runtime_us")]


def nested(folder):
    """linear calls addmm, which launches a GEMM through the runtime, within which the driver is called; and a copy by itself."""
    r = report(folder, "nested", [
        op("aten::linear", 1000.5, 100.25, 1, [[8, 4], [2, 4]], flops=0), op("aten::addmm", 1010.5, 60, 2, [[2], [8, 4]]),
        call(1020.5, 20, 5, 2), call(1025.5, 10, 5, 2, "cuda_driver", "cuLaunchKernel"),
        op("aten::copy_", 1080.5, 10, 3), call(1081.5, 4, 6, 3),
        kernel("sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage4_warpsize2x2x1_tensor16x8x16_kernel", 1050.5, 30.5, 5, 2),
        event("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 1100.5, 4.5, 0, 7, device=0, stream=7, correlation=6, bytes=64)],
        baseTimeNanoseconds=10 ** 18)
    check.part("nested operators")
    rows = operators(r)
    check.equal("linear", figures(rows["aten::linear"]), [1, 0, 35, 30.25, 100.25, 0])
    check.equal("addmm", figures(rows["aten::addmm"]), [1, 30.5, 30.5, 40, 60, 20])
    check.equal("copy_", figures(rows["aten::copy_"]), [1, 4.5, 4.5, 6, 10, 4])
    check.near("share", rows["aten::addmm"]["device_self_share"], 30.5 / 35)
    check.equal("tensor cores", [rows[name]["tensor_cores"] for name in ("aten::linear", "aten::addmm", "aten::copy_")],
                ["used", "used", "no"])
    check.near("on them, of linear", rows["aten::linear"]["tensor_total_share"], 30.5 / 35)
    check.equal("on them, of addmm itself", rows["aten::addmm"]["tensor_self_share"], 1)
    check.equal("top", [r.metric("torch.op.top.name"), r.metric("torch.op.count"), r.metric("torch.op.calls")], ["aten::addmm", 3, 3])
    check.near("its share", r.metric("torch.op.top.self_share"), 30.5 / 35)
    check.equal("of the worker", r.metric("torch.op.top.name@worker=nested,span=1"), "aten::addmm")
    check.equal("shapes", sorted(row["shapes"] or "" for row in r.rows("operators/by-shape/list")), ["", "[[2],[8,4]]", "[[8,4],[2,4]]"])
    (row,) = r.rows("kernels/list")
    check.equal("kernel", [row["operation"], row["grid"], row["block"], row["registers"]], ["aten::addmm", "54,1,1", "128,1,1", 32])
    check.near("blocks", row["blocks_per_sm"], 0.5)
    check.near("occupancy", row["occupancy_share"], 0.12, rel=1e-6)
    check.near("launch, driver's part of it", r.metric("kernels.launch_us"), 20)


def same_name(folder):
    """to calls to alone: one call. sum calls sum and fill_: three."""
    r = report(folder, "same", [
        op("aten::to", 10.5, 50, 1), op("aten::to", 20.5, 30, 2), call(30.5, 10, 5, 2), kernel("copy", 60.5, 7, 5, 2),
        op("aten::sum", 100.5, 50, 3), op("aten::sum", 101.5, 10, 4), op("aten::fill_", 120.5, 10, 5)])
    check.part("an operator in one of its name")
    rows = operators(r)
    check.equal("to", figures(rows["aten::to"]), [1, 7, 7, 40, 50, 10])
    # The inner sum is in the total of the outer one: 50, and not 50 + 10, which the peers add up.
    check.equal("sum", figures(rows["aten::sum"]), [2, 0, 0, 40, 50, 0])


def within_itself(folder):
    """copy_ calls empty and, within to, itself for other shapes: its time counts once, of each shape that of its own calls."""
    r = report(folder, "within", [
        op("aten::copy_", 10.5, 100, 1, [[4]]), op("aten::empty", 11.5, 5, 2), op("aten::to", 20.5, 80, 3),
        op("aten::copy_", 30.5, 40, 4, [[8]]), op("aten::empty", 31.5, 2, 5), call(40.5, 10, 5, 4), kernel("a", 200.5, 7, 5, 4),
        op("aten::copy_", 300.5, 20, 6, [[8]]), call(301.5, 5, 6, 6), kernel("b", 330.5, 3, 6, 6)])
    check.part("an operator within one of its name")
    row = operators(r)["aten::copy_"]
    check.equal("copy_", figures(row), [3, 10, 10, 100 - 5 - 80 + 40 - 2 - 10 + 20 - 5, 120, 15])
    check.equal("share", row["device_total_share"], 1)
    shapes = {(row["operator"], row["shapes"]): row for row in r.rows("operators/by-shape/list")}
    check.equal("the outer alone", figures(shapes["aten::copy_", "[[4]]"])[4], 100)
    check.equal("the others", figures(shapes["aten::copy_", "[[8]]"])[4], 60)
    check.equal("self is never more than total", [row["operator"] for row in [*operators(r).values(), *shapes.values()]
                                                  if row["host_self_us"] > row["host_total_us"]], [])


def association(folder):
    """The kernel's own External id is of an operator by accident, the call's names one that had ended; the call's place counts.
    One kernel was launched before the trace, one outside of operators, one by the driver alone."""
    r = report(folder, "links", [
        op("aten::first", 10.5, 20, 5), op("aten::second", 50.5, 50, 6), call(60.5, 5, 40, 5), kernel("a", 70.5, 11, 40, 5),
        kernel("b", 5.5, 13, 39, 6), call(110.5, 2, 41, 0), kernel("c", 120.5, 17, 41, 0),
        op("aten::third", 130.5, 10, 7), call(131.5, 3, 42, 7, "cuda_driver", "cuLaunchKernelEx"), kernel("d", 150.5, 19, 42, 7),
        kernel("e", 180.5, 2, 43, 7, **{"graph id": 3}), kernel("f", 185.5, 2, 43, 7, **{"graph id": 3}),
        op("aten::graph", 170.5, 8, 8), call(171.5, 5, 43, 8, name="cudaGraphLaunch")])
    check.part("which operator launched what")
    rows = operators(r)
    check.equal("device time", {name: row["device_self_us"] for name, row in rows.items()},
                {"aten::first": 0, "aten::second": 11, "aten::third": 19, "aten::graph": 4})
    check.near("before the trace", r.metric("torch.device_work.before_window_us"), 13)
    check.near("outside of operators", r.metric("torch.device_work.no_operator_us"), 17)
    kernels = {row["name"]: row for row in r.rows("kernels/list")}
    check.equal("operators", [kernels[name]["operation"] for name in "abcdef"],
                ["aten::second", None, None, "aten::third", "aten::graph", "aten::graph"])
    text = json.dumps(r.doc)
    check.true("said of graphs", "2 kernel calls" in text and "CUDA graphs" in text and "1 launch" in text)
    check.true("said of the rest", "before the trace began" in text)


def no_operators(folder):
    r = report(folder, "none", [kernel("a", 10.5, 5, 1)])
    check.part("no operators")
    check.equal("count", [r.metric("torch.op.count"), r.metric("torch.op.calls")], [0, 0])
    check.true("no top", "no trace holds operators" in r.missing("torch.op.top.name"))
    check.true("said", "No operators were recorded" in json.dumps(r.doc))
    check.equal("kernels", len(r.rows("kernels/by-name")), 1)


def deep(folder):
    """100,000 functions in one another, and an operator in the last."""
    depth = 100_000
    events = [event("python_function", f"job.py({i + 1}): f{i}", 1000 + i, 10 * depth - 2 * i, **{
        "Python id": i + 1, "Python parent id": i or None}) for i in range(depth)]
    events += [op("aten::add", 1000 + depth, 5, 1)]
    started = time.monotonic()
    r = report(folder, "deep", events, with_stack=1)
    check.part("a deep call stack")
    check.true("in time", time.monotonic() - started < 60)
    rows = r.rows("operators/stacks/list")
    check.equal("rows", len(rows), 2)
    check.true("the outermost first", rows[1]["place"].startswith("job.py:1 f0 › job.py:2 f1"))
    check.true("the innermost last", rows[1]["place"].endswith("job.py:100000 f99999"))
    check.true("what is left out", f"… {depth - 8} more …" in rows[1]["place"])


def stacks(folder):
    """The line of a function is that from which it calls the next; frames of libraries are left out; old traces have a text."""
    def python(name, ts, dur, number, parent, **args):
        return event("python_function", name, ts, dur, **{"Python id": number, "Python parent id": parent, **args})
    r = report(folder, "stacks", [
        python("train.py(3): main", 10.5, 100, 1, None), python("torch/nn/modules/module.py(1779): _call_impl", 20.5, 80, 2, 1, CallFrom="train.py:34"),
        python("nn.Module: Net_0", 21.5, 70, 3, 2, **{"Python module id": 0}), python("/home/me/model.py(8): forward", 22.5, 60, 4, 3),
        python("<built-in function conv2d>", 23.5, 50, 5, 4, CallFrom="/home/me/model.py:12"), op("aten::conv2d", 30.5, 10, 1)], with_stack=1)
    check.part("call stacks")
    check.equal("of Python's functions", [row["place"] for row in r.rows("operators/stacks/list")],
                ["aten::conv2d", "train.py:34 main › Net_0 › model.py:12 forward › conv2d"])
    # What another thread waited in when the profile began is written without a thread: it asks for no operator.
    r = report(folder, "waiting", [
        *(event("python_function", name, 1.5 + i, 200, 0, 0, **{"Python id": i, "Python parent id": i - 1 if i > 1 else None})
          for i, name in enumerate(("threading.py(1032): _bootstrap", "tqdm/_monitor.py(60): run"), 1)),
        python("train.py(3): main", 10.5, 100, 3, None), op("aten::conv2d", 30.5, 10, 1)], with_stack=1)
    check.equal("of its own thread alone", [row["place"] for row in r.rows("operators/stacks/list")], ["aten::conv2d", "train.py:3 main"])
    r = report(folder, "long", [python("nn.Module: M" + "é" * 400, 10.5, 100, 1, None), op("aten::conv2d", 30.5, 10, 1)], with_stack=1)
    check.true("a long name is cut between letters", r.rows("operators/stacks/list")[1]["place"].endswith("é…"))
    r = report(folder, "old", [event("Operator", "aten::add", 10, 5, 5, "11", **{"Call stack":
        "/x/site-packages/torch/functional.py(9): add;/home/me/model.py(12): forward;/home/me/train.py(3): <module>"})])
    check.equal("of old traces", [row["place"] for row in r.rows("operators/stacks/list")],
                ["aten::add", "train.py:3 <module> › model.py:12 forward › functional.py:9 add"])


def many_shapes(folder):
    count = 100_000
    r = report(folder, "shapes", [op("aten::add", 10 * i, 1 + i % 7, i + 1, [[i, 3]]) for i in range(count)])
    check.part("many shapes")
    rows = r.rows("operators/by-shape/list")
    check.equal("rows", len(rows), 1001)
    check.equal("the rest is summed up", [sum(row["calls"] for row in rows), rows[-1]["operator"]], [count, "99,000 more rows"])
    check.near("host time", sum(row["host_self_us"] for row in rows), sum(1 + i % 7 for i in range(count)))
    page = Path(folder, "page.html")
    done = run(Path(folder, "shapes.pt.trace.json"), "-o", page)
    check.equal("page", done.returncode, 0)
    check.true(f"its size, {page.stat().st_size}", page.stat().st_size < 3_000_000)


def workers(folder):
    """Two workers: sums over both, and a row of each."""
    for worker, us in (("rank0", 5), ("rank1", 7)):
        path = Path(folder, "two", worker + ".1.pt.trace.json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(trace([
            op("aten::add", 10.5, us, 1), op("aten::mul", 30.5, 6, 2), call(31.5, 1, 5, 2), kernel("k", 40.5, us * 2, 5, 2)])))
    r = Report(path.parent)
    check.part("two workers")
    rows = operators(r)
    check.equal("add", figures(rows["aten::add"]), [2, 0, 0, 12, 12, 0])
    check.equal("mul", figures(rows["aten::mul"]), [2, 24, 24, 10, 12, 2])
    check.equal("each", [[row["trace"], row["calls"], row["device_us"], row["top"]] for row in r.rows("operators/by-worker/list")],
                [["rank0", 2, 10, "aten::mul"], ["rank1", 2, 14, "aten::mul"]])
    check.equal("host time of one", r.metric("torch.op.host_self_us@worker=rank1,span=1"), 12)
    check.equal("kernels of both", [row["calls"] for row in r.rows("kernels/by-name")], [2])


def outside(folder):
    """Device work that no operator asked for says nothing of them: the host's time does. With all that an operator calls its
    share is of operators and of their calls of the runtime, so that the outermost has all of it."""
    r = report(folder, "outside", [
        op("aten::add", 1, 5, 1), op("aten::mul", 11, 20, 2), op("aten::copy_", 13, 4, 3), call(40, 2, 5), kernel("k", 60, 30, 5)],
        baseTimeNanoseconds=10 ** 18)
    check.part("device work outside of operators")
    check.equal("top", [r.metric("torch.op.top.name"), r.metric("torch.op.device_self_us")], ["aten::mul", 0])
    check.near("its share", r.metric("torch.op.top.self_share"), 16 / 25)
    check.equal("order", [row["operator"] for row in r.rows("operators/list")], ["aten::mul", "aten::add", "aten::copy_"])
    r = report(folder, "launching", [op("aten::mul", 11, 20, 2), call(13, 15, 5, 2), kernel("k", 60, 30, 5)],
               baseTimeNanoseconds=10 ** 18)
    [series] = r.blocks["operators/host-total"]["series"]
    check.equal("host time with all that it calls", series["values"], [1])


def lost_launches(folder):
    """The trace lacks most launches. What has a lower number than any call of the step was launched before and holds its start up;
    what has a higher one is of the step itself and does not."""
    mark = event("user_annotation", "ProfilerStep#1", 1000, 1000)
    own = [mark, op("aten::add", 1005, 5, 1), call(1006, 2, 50, 1), kernel("own", 1900, 10, 50, 1)]
    check.part("lost launches")
    for number, start in ((60, 1000), (40, 1600)):
        r = report(folder, "lost%d" % number, [*own, kernel("other", 1500, 100, number)], baseTimeNanoseconds=10 ** 18)
        check.near("the step, with work of number %d" % number, r.metric("torch.step.mean_us"), 2000 - start)
    r = report(folder, "both", [*own, kernel("before", 1100, 50, 40), kernel("other", 1500, 100, 60)], baseTimeNanoseconds=10 ** 18)
    check.near("with both", r.metric("torch.step.mean_us"), 2000 - 1150)


def hostile(folder):
    r = report(folder, "hostile", [
        op("</script><script>alert(1)</script>", 1.5, 5, 1, [["\"><img src=x>"]]), call(2.5, 1, 5, 1),
        kernel("<b>&\x01", 9.5, 4, 5, 1, **{"grid": [2 ** 32 - 1] * 3, "block": [2 ** 32 - 1] * 3, "est. achieved occupancy %": -7}),
        event("python_function", "x.py(1): \u202e<i>", 0.5, 50, **{"Python id": 7, "Python parent id": 7})])
    check.part("hostile names")
    check.equal("operator", r.rows("operators/list")[0]["operator"], "</script><script>alert(1)</script>")
    page = Path(folder, "page.html")
    check.equal("page", run(Path(folder, "hostile.pt.trace.json"), "-o", page).returncode, 0)
    check.true("escaped", "<script>alert" not in page.read_text(encoding="utf-8"))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for part in (nested, same_name, within_itself, association, no_operators, stacks, deep, many_shapes, workers, outside,
                     lost_launches, hostile):
            part(folder)
    check.end()


if __name__ == "__main__":
    main()
