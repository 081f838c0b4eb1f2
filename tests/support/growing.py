"""Inputs of any size, of each thing that a profile can have much of: {name: (smallest size, what makes {path: bytes} of a size)}."""

import json

import big_plan
import graph_writer
import hlo_writer
import pprof_truth
import tfrecord
import tiny_xspace as t
import tool_files
import torch_files
from torch_files import event, memory
from xspace_writer import field

RUN = "plugins/profile/2026_11_21_02_41_41/"
MS = t.MS


def xspace(*planes):
    return {RUN + "h.xplane.pb": t.space(t.environment(), *planes)}


def torch(events, worker="rank0"):
    return {"%s.1.pt.trace.json" % worker: torch_files.text(torch_files.trace(events))}


def hosts(n):
    return {RUN + "h%05d.xplane.pb" % i: t.space(t.environment(), t.tpu(0, 2), t.host(2), hostname="h%05d" % i) for i in range(n)}


def not_read(n):
    return {**hosts(1), **{RUN + "h%05d.memory_profile.json" % i: b"" for i in range(n)}}


def runs(n):
    return {"plugins/profile/2026_11_21_%02d_%02d_%02d/h.xplane.pb" % (i // 3600, i // 60 % 60, i % 60 // 5 * 5): t.space(t.host(1))
            for i in range(0, 5 * n, 5)}


def operations(n):
    plane = t.Plane("/device:TPU:0").stat("device_type_string", "TPU v6 Lite").stat("peak_teraflops_per_second", 918.0)
    ops = [plane.event(plane.op("%%fusion.%d = f32[8,8]{1,0} fusion()" % i, "fusion.%d" % i, {
        "hlo_category": t.Ref("loop fusion"), "program_id": 42, "symbol_id": i, "flops": 10**6, "bytes_accessed": 10**4,
        "tf_op": "jit(f)/layer_%d/mul:Mul" % i}), i * MS, MS) for i in range(n)]
    return xspace(plane.line("Steps", [plane.event("0", 0, n * MS)]).line("XLA Ops", ops))


def programs(n):
    plane, device = t.Plane("/host:metadata"), t.Plane("/device:TPU:0")
    runs_of = []
    for i in range(n):
        name = "jit_f%d(%d)" % (i, i + 1)
        plane.op(name, "", {"Hlo Proto": t.hlo("jit_f%d" % i, [("dot.5", "dot", ""), ("fusion.1", "fusion", "kLoop")])})
        runs_of.append(device.event(device.op(name), i * MS, MS))
    return xspace(plane, device.line("XLA Modules", runs_of))


def instructions(n):
    m = hlo_writer.Module("jit_g")
    main = m.computation("main")
    last = main.add("a", "parameter", "f32[8,128]{1,0:T(8,128)}", parameter_number=0)
    for i in range(n):
        last = main.add("add.%d" % i, "add", "f32[8,128]{1,0:T(8,128)}", last, last)
    return {"jit_g(7).hlo_proto.pb": m.bytes()}


def threads(n):
    plane = t.Plane("/host:CPU")
    for i in range(n):
        plane.line("thread/%d" % i, [plane.event("work", k * MS, MS // 2) for k in range(4)])
    return xspace(plane, t.gpu(0, 2))


def devices(n):
    return xspace(*(t.tpu(i, 2) for i in range(n)))


def nested(n):
    plane = t.Plane("/host:CPU")
    return xspace(plane.line("main/1", [plane.event("f%d" % (i % 50), i * 1000, (2 * n - 2 * i) * 1000) for i in range(n)]), t.gpu(0, 2))


def allocations(n):
    plane = t.Plane("/host:CPU")
    events = [plane.event("MemoryAllocation" if i % 2 == 0 else "MemoryDeallocation", i * MS, 0, {
        "allocator_name": "GPU_0_bfc", "bytes_allocated": 1000 * (i % 97), "bytes_available": 10**6, "bytes_reserved": 10, "addr": i // 2,
        "allocation_bytes": 64, "requested_bytes": 60, "fragmentation": 0.1, "tf_op": "op%d" % (i % 50)}) for i in range(n)]
    return xspace(plane.line("main/1", events), t.gpu(0, 2))


def launches(n):
    """A step of PyTorch: an operator in a module, what it launches, and memory."""
    base, events = torch_files.new_events(), []
    for copy in range(n):
        for e in base:
            e = json.loads(json.dumps(e))
            if e["ph"] != "M" and e["cat"] != "Trace":
                e["ts"] += 300 * copy
                e["name"] = e["name"].replace("ProfilerStep#", "ProfilerStep#%d" % copy)
                for key in ("External id", "correlation", "Python id", "Sequence number"):
                    if key in e.get("args", {}):
                        e["args"][key] += 1000 * copy
            elif copy != 0:
                continue
            events.append(e)
    return events


def workers(n):
    return {path: data for i in range(n) for path, data in torch(launches(1), "rank%d" % i).items()}


def overlapping_steps(n):
    events = []
    for i in range(n):
        events += [event("user_annotation", "ProfilerStep#%d" % i, 100 * i, 100 * (2 * n - i)), event("cpu_op", "aten::a%d" % (i % 20), 100 * i + 5, 80)]
        events += [memory(100 * i + 10 + k, (-1)**k * 512, 1 + k // 2, 4096 + 512 * (1 - k % 2), 8192) for k in range(8)]
    return torch(events)


def nested_ranges(n):
    events = [event("cpu_op", "aten::f%d" % (i % 20), i, 4 * n - 2 * i) for i in range(n)]
    return torch(events + [memory(n + k / 2, 512, 1 + k, 512 * (1 + k), 8192) for k in range(n)])


def operators(n):
    return torch([event("cpu_op", "aten::op%d" % i, 10 * i, 9, **{"External id": i + 1, "Input Dims": [[i, 3]], "Input type": ["float"]})
                  for i in range(n)])


def modules(n):
    return torch([event("python_function", "nn.Module: Linear_%d" % i, 100 * i, 90, **{
        "Python id": i + 1, "Python parent id": None, "Python module id": i}) for i in range(n)]
        + [event("cpu_op", "aten::linear", 100 * i + 1, 80, **{"External id": i + 1, "Sequence number": i}) for i in range(n)])


def waits(n):
    """Calls that wait for the device, deep in annotations, and calls that set it up."""
    events = [event("user_annotation", "range%d" % (i % 10), i, 100 * n - 2 * i) for i in range(n)]
    for i in range(n):
        events += [event("cuda_runtime", ("cudaDeviceSynchronize", "cudaMalloc")[i % 2], n + 50 * i, 40, correlation=i + 1),
                   event("user_annotation", "ProfilerStep#%d" % i, n + 50 * i, 48, tid=12)]
    return torch(events + [event("kernel", "k", n + 50 * i, 5, 0, 7, device=0, stream=7, correlation=n + i) for i in range(n)])


def points(n):
    return {"train/events.out.tfevents.1.h": tfrecord.version(0.5) + b"".join(
        tfrecord.event(i, i, tfrecord.simple(loss=1 / (i + 1), acc=i)) for i in range(n))}


def tags(n):
    return {"train/events.out.tfevents.1.h": tfrecord.version(0.5) + b"".join(
        tfrecord.event(i, i % 3, tfrecord.simple(**{"layer_%d/loss" % i: 1.0})) for i in range(n))}


def restarts(n):
    return {"train/events.out.tfevents.1.h": tfrecord.version(0.5) + b"".join(
        b"".join(tfrecord.event(10 * i + k, 5 * i + k, tfrecord.simple(loss=k)) for k in range(8)) + tfrecord.event(10 * i + 9, 5 * i + 5, tfrecord.session(1))
        for i in range(n))}


def jobs(n):
    return {"run%d/events.out.tfevents.1.h" % i: tfrecord.version(0.5) + b"".join(
        tfrecord.event(k, k, tfrecord.simple(loss=k)) for k in range(4)) for i in range(n)}


def nodes(n):
    return {"graph.pb": graph_writer.graph([graph_writer.node("layer_%d/op%d" % (i // 10, i), "MatMul", *(
        ["layer_%d/op%d" % ((i - 1) // 10, i - 1)] if i else [])) for i in range(n)])}


def scopes(n):
    return {"graph.pb": graph_writer.graph([graph_writer.node("/".join("s%d" % k for k in range(i % 60)) + "/n%d" % i, "Add") for i in range(n)])}


def dumped(n):
    return {"profile_1": graph_writer.dump(*(graph_writer.dump_node(i, "a/n%d" % i, "MatMul", inputs=(i - 1,) if i else (), execs={
        0: (1, 3, 4, 5), 1: (1, 3, 4, 5)}) for i in range(n)), steps=(0, 1))}


def outputs(n):
    """One node with many outputs, each taken by a node."""
    ran = {0: (1, 0, 5, 64)}
    return {"profile_1": graph_writer.dump(graph_writer.dump_node(0, "split", "Split", gives={k: (4, k + 1) for k in range(n)}), *(
        graph_writer.dump_node(k + 1, "a/n%d" % k, "MatMul", inputs=(0,), takes={0: k}, execs=ran) for k in range(n)), steps=(0,))}


def samples(n):
    writer = pprof_truth.Writer()
    for i in range(n):
        writer.sample(1, 64, [("f%d" % (i % 40), "/a.py", i), ("main", "/a.py", 1)], kind="buffer", device="tpu:0")
    return {"memory.prof": writer.bytes()}


def deep_stacks(n):
    writer = pprof_truth.Writer()
    for i in range(20):
        writer.sample(1, 64, [("f%d" % k, "/a.py", k) for k in range(n)], kind="buffer", device="tpu:0")
    return {"memory.prof": writer.bytes()}


def tool_steps(n):
    steps = tool_files.table([c["id"] for c in tool_files.STEPS["cols"]],
                             [[str(i), 60.0, 30.0, 10.0, "step", 30.0, 25.0, 35.0] for i in range(n)], hardware_type="TPU")
    return {RUN + "h.overview_page.json": json.dumps([tool_files.TOP, steps, tool_files.ENVIRONMENT]).encode()}


# The smallest are so large that tables have rows which the page keeps as data: work that begins beyond it looks like growth.
SIZES = {
    "hosts": (50, hosts), "not read": (1000, not_read), "runs": (400, runs), "steps": (1200, lambda n: xspace(t.metadata(), t.host(n), t.gpu(0, n), t.tpu(0, n))),
    "operations": (400, operations), "programs": (400, programs), "instructions": (2000, instructions),
    "buffers": (1000, lambda n: {"jit_step(7).hlo_proto.pb": big_plan.big_plan(n, n // 2)}),
    "threads": (2000, threads), "devices": (40, devices), "nested": (4000, nested), "allocations": (4000, allocations),
    "torch steps": (40, lambda n: torch(launches(n))), "workers": (64, workers), "overlapping steps": (200, overlapping_steps),
    "nested ranges": (2000, nested_ranges), "operators": (400, operators), "modules": (800, modules), "waits": (900, waits),
    "points": (8000, points), "tags": (600, tags), "restarts": (150, restarts), "jobs": (250, jobs),
    "nodes": (6000, nodes), "scopes": (1200, scopes), "dumped nodes": (1000, dumped), "outputs": (1000, outputs),
    "samples": (500, samples), "deep stacks": (400, deep_stacks), "tool steps": (800, tool_steps),
}
