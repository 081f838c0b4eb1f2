"""XLA profiles made of a few events, so that what a finding says of each can be worked out by hand: steps of STEP ms on TPU cores, GPUs and hosts."""

import hlo_writer
from xspace_writer import Plane, field, xspace

MS = 10**9  # picoseconds
STEP = 100  # ms


def op(category, ms, shape="f32[8]", name=None, **stats):
    """One operation of a step: category, milliseconds, and what its metadata say."""
    name = name or f"{category.replace(' ', '-')}.1"
    return (f"%{name} = {shape} {name}()" if shape else name, ms,
            {"hlo_category": category, "program_id": 1, **({"shape_with_layout": shape} if shape else {}), **stats})


def core(number, ops, steps=3, gap=0, marked=True, flops=1.0, hbm=1.0, barrier=None):
    """A TPU core whose steps of 100 ms run these operations one after the other; what they leave is idle."""
    plane = Plane(f"/device:TPU:{number}", device_type_string="TPU v9", peak_teraflops_per_second=flops,
                  peak_hbm_bw_gigabytes_per_second=hbm, core_details=field(2, number) + field(5, number) + field(6, number))
    marks, line, traced = (plane.line("Steps") if marked else None), plane.line("XLA Ops"), None
    if barrier is not None:
        traced = plane.line("XLA TraceMe")
    for name, _, stats in ops:
        plane.op(name, name.split(" ")[0].lstrip("%"), **stats)
    for step in range(steps):
        at = step * (STEP + gap) * MS
        if marked:
            marks.event(str(step), at, STEP * MS)
        if traced:
            traced.event("barrier-cores", at, int(barrier * MS))
            traced.event("barrier-cores", at + 50 * MS, 1250)
        for name, ms, _ in ops:
            line.event(name, at, int(ms * MS))
            at += int(ms * MS)
    return plane


def sparse_core(ms, steps=3):
    plane = Plane("/device:TPU:0 SparseCore 0")
    line = plane.line("Sparse Core Ops")
    for step in range(steps):
        line.event("lookup", step * STEP * MS, ms * MS)
        line.event("lookup", step * STEP * MS, ms * MS // 2)
    return plane


def tpu(*ops, cores=2, more=(), **how):
    return {"a": xspace(*(core(number, ops, **how) for number in range(cores)), *more, hosts=["a"])}


def apart(*ops_of_cores):
    return {"a": xspace(*(core(number, ops) for number, ops in enumerate(ops_of_cores)), hosts=["a"])}


def cpu(run=50, marked=True, steps=3):
    plane = Plane("/host:CPU")
    line = plane.line("python/1")
    for step in range(steps):
        if marked:
            line.event("train", step * STEP * MS, STEP * MS, step_num=step, _r=1)
        line.event("run", step * STEP * MS, run * MS)
    return {"a": xspace(plane, hosts=["a"])}


def feeding(enqueue, read):
    """A host whose thread sends batches for `enqueue` ms a step, and whose input stage works for `read` ms."""
    plane = Plane("/host:CPU")
    line, data = plane.line("infeed/1"), plane.line("data/2")
    for step in range(3):
        line.event("InfeedEnqueueTuple:InfeedEnqueueTuple", step * STEP * MS, enqueue * MS)
        data.event("Iterator::Root::Map", step * STEP * MS, read * MS)
    return plane


def fetching(ms):
    """A host whose steps, marked as the cores' are, fetch a batch."""
    plane = Plane("/host:CPU")
    line = plane.line("python/1")
    for step in range(3):
        line.event("train", step * STEP * MS, STEP * MS, step_num=step, _r=1)
        line.event("IteratorGetNext", step * STEP * MS, ms * MS)
    return plane


def program(*instructions):
    """instructions: (name, opcode, shape, operands …)"""
    module = hlo_writer.Module("jit_f")
    main = module.computation("main")
    ids = {}
    for number, (name, opcode, shape, *operands) in enumerate(instructions):
        more = {"parameter_number": number} if opcode == "parameter" else {"dot_dims": ([1], [0])}
        ids[name] = main.add(name, opcode, shape, *(ids[one] for one in operands), **more)
    plane = Plane("/host:metadata")
    plane.op("jit_f(1)", **{"Hlo Proto": module.bytes()})
    plane.line("none").event("jit_f(1)", 0, 0)
    return plane


def product(rows, depth, columns):
    """The program of a core that runs dot.1 for 100 ms."""
    layout = "{1,0:T(8,128)}"
    return tpu(op("convolution fusion", 100, name="dot.1"), more=[program(
        ("a", "parameter", f"f32[{rows},{depth}]{layout}"), ("b", "parameter", f"f32[{depth},{columns}]{layout}"),
        ("dot.1", "dot", f"f32[{rows},{columns}]{layout}", "a", "b"))])


def gpu_plane(number=0):
    plane = Plane(f"/device:GPU:{number}", device_vendor="Nvidia")
    plane.line("Stream #7(Compute)").event("fusion_1", 0, 90 * MS)
    return plane


def without_steps(*planes):
    return {"a": xspace(Plane("/host:CPU"), *planes, hosts=["a"])}


def two_streams(*copies):
    """A GPU that runs a kernel for the first 60 ms of each step, and copies on another stream: (name, start, length) in ms."""
    host, gpu = Plane("/host:CPU"), Plane("/device:GPU:0", device_vendor="Nvidia")
    line, kernels, other = host.line("python/1"), gpu.line("Stream #7(Compute)"), gpu.line("Stream #8(Memcpy)")
    for step in range(3):
        line.event("train", step * STEP * MS, STEP * MS, step_num=step, _r=1)
        for number, (name, start, length) in enumerate((("fusion_1", 0, 60), *copies)):
            line.event("cuLaunchKernel" if number == 0 else "cuMemcpyAsync", (step * STEP + number) * MS, MS // 2,
                       correlation_id=10 * step + number + 1)
            (other if number else kernels).event(name, (step * STEP + start) * MS, length * MS, correlation_id=10 * step + number + 1)
    return {"a": xspace(host, gpu, hosts=["a"])}


def gpus(count=2, launched=0, worked=False):
    """A host whose steps launch kernels, and GPUs of which the profiler was handed all of them or none."""
    host = Plane("/host:CPU")
    line, planes = host.line("python/1"), [Plane(f"/device:GPU:{number}", device_vendor="Nvidia") for number in range(count)]
    for step in range(3):
        line.event("train", step * STEP * MS, STEP * MS, step_num=step, _r=1)
        line.event("run", step * STEP * MS, 98 * MS)
        for launch in range(launched):
            line.event("cuLaunchKernel", (step * STEP + 10 * launch) * MS, MS)
    line.event("cuLaunchHostFunc", 0, MS)
    for plane in planes:
        stream = plane.line("Stream #7(Compute)")
        if worked:
            stream.event("fusion_1", 0, 90 * MS)
    return {"a": xspace(host, *planes, hosts=["a"])}
