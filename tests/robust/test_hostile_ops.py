"""Profiles that lie about programs, shapes, kernels, scopes and iterators; support/hostile.py says what each must give."""

import hlo_writer
import tiny_xspace as t
from hostile import BROKEN, EVIL, MANY, judge, raw_event
from tiny_xspace import MS
from xspace_writer import field, varint

TILED = "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}"
SHAPES = [
    "", "[", "f32", "f32[", "f32[]", "f32[-1]", "f32[18446744073709551616]", "f32[" + "4294967295," * 31 + "1]",
    "f32[" + "9" * 4000 + "]", "f32[8,8]{1,0:T(0,0)}", "f32[8,8]{1,0:T(4294967295,4294967295)}", "f32[8]{5}",
    "f32[8,8]{0,0}", "f32[8,8]{1,0:T(8,128)(2,1)S(99)}", "((((f32[8]))))", "(" * 100_000, "f32[8]{0:T(" + "(" * 1000,
    "zz[8,8]{1,0}", "f32[0,0]{1,0:T(8,128)}", "f32[1,1]{1,0:T(8,128)" + "(2,1)" * 1000 + "}",
    "bf16[" + "1," * 100_000 + "1]", "tuple()", "pred[]{:T(256)(4,1)}", "f32[8,*]{1,0}", "f32[<=8,8]{1,0:T(*,128)}",
]


def texts():
    return [name if isinstance(name, str) else name.decode("latin-1") for name in EVIL + BROKEN] + ["n" * 2**16]


def evil_program_texts():
    """Every text of an HLO module, and of the operations, kernels and iterators that may come from one."""
    meta, device, gpu, host = t.Plane("/host:metadata"), t.tpu(0, 2), t.gpu(0, 2), t.host(2)
    for i, text in enumerate(texts()):
        m = hlo_writer.Module(text)
        inner = m.computation(text, fused=True)
        a = inner.add(text + "a", "parameter", TILED, parameter_number=0, op_name=text, source=(text, -i))
        inner.add(text, "dot", "bf16[8,8]{1,0:T(8,128)(2,1)}", a, a, op_name=text, source=(text, 2**31 - 1), kind=text)
        main = m.computation("main")
        b = main.add("p", "parameter", TILED, parameter_number=0)
        main.add(text, "fusion", "bf16[8,8]{1,0:T(8,128)(2,1)}", b, calls=[inner], kind=text, op_name=text, source=(text, 1))
        meta.op(f"{text}({i})", stats={"Hlo Proto": m.bytes()})
        op = device.op(f"%{text} = {TILED} fusion({text})", text, {
            "hlo_category": text, "program_id": i, "symbol_id": i, "tf_op": text + "/" + text + ":" + text, "source": text,
            "source_stack": text, "shape_with_layout": text, "deduplicated_name": text, "flops": 5, "bytes_accessed": 7})
        device.line("XLA Ops", [device.event(op, (50 + i) * MS, MS)])
        device.line(text, [device.event(op, (50 + i) * MS, MS)])
        gpu.line("Stream #9(Compute)", [gpu.event(text + "k", (30 + i) * MS, MS, {
            "kernel_details": text, "tf_op": text, "hlo_op": text, "hlo_module": text, "annotation": f"{text}#shape=({text})#",
            "equation": text, "shape": text, "correlation_id": i})])
        gpu.line("Stream #10(MemcpyH2D)", [gpu.event("MemcpyH2D", (30 + i) * MS, MS, {"memcpy_details": text})])
        gpu.line("Stream #11(Memset)", [gpu.event("Memset", (30 + i) * MS, MS, {"Memset_details": text})])
        gpu.stat("gpu_device_name", text)
        host.line(f"input {i}", [
            host.event(f"Iterator::Root::{text}", i * MS, MS, {"element_shape": text, "iter_num": i, "step_num": i}),
            host.event(f"{text}/InfeedEnqueue", i * MS, MS, {"tf_op": text, "iterator_id": i, "parent_id": i}),
            host.event(f"{text}:InfeedEnqueueTuple", i * MS, MS)])
    env = t.environment()
    for key in ("build_command", "run_command", "command_line", "jax_version", "jaxlib_version", "libtpu_version",
                "xla_flags", "host_name", "python_version"):
        env.stat(key, "".join(EVIL))
    return t.space(env, meta, host, device, gpu, hostname=EVIL[3])


def shapes_that_are_none():
    plane = t.tpu(0, 2)
    for i, shape in enumerate(SHAPES):
        op = plane.op(f"%op.{i} = {shape} convolution({shape} %a, {shape} %b), dim_labels=b01f_01io->b01f", f"op.{i}", {
            "hlo_category": "convolution", "program_id": 42, "shape_with_layout": shape})
        plane.line("XLA Ops", [plane.event(op, (40 + i) * MS, MS)])
    return t.space(plane, t.gpu(0, 2))


def instruction(number, shape, more=b""):
    return field(2, field(1, f"op.{number}") + field(2, "convolution") + field(3, shape) + field(35, number) + more)


def module(instructions, name="jit_f"):
    return field(1, field(1, name) + field(3, field(1, "main") + b"".join(instructions) + field(5, 1)) + field(6, 1))


def with_programs(*programs):
    """A sound core beside programs that may be anything; the first is that of its operations."""
    meta = t.Plane("/host:metadata")
    for i, program in enumerate(programs):
        meta.op(f"jit_f({42 + i})", stats={"Hlo Proto": program})
    return t.space(t.environment(), meta, t.tpu(0, 2))


def numbers_that_lie():
    """Dimensions, orders, tiles and dimension numbers outside of what they index."""
    array = lambda sizes, layout: field(2, 16) + b"".join(field(3, n) for n in sizes) + field(5, layout)
    order = lambda *dims: b"".join(field(1, d) for d in dims)
    tile = lambda *sizes: field(6, b"".join(field(1, n) for n in sizes))
    odd = [
        array([2**63 - 1] * 8, order(*range(8)) + tile(8, 128)), array([-1, -2**63], order(0, 1)), array([8, 8], order(7, -1)),
        array([8, 8], order(1, 0) + tile(0, 0)), array([8, 8], order(1, 0) + tile(2**63 - 1, 2**63 - 1)),
        array([8, 8], order(1, 0) + tile(*[-2**63] * 20)), array([8] * 10_000, order(*range(10_000))),
        array([8, 8], order(1, 0) + tile(8, 128) * 10_000), field(2, 2**63), field(2, 13) + field(4, b"\xff"),
        array([2**62, 2**62], order(1, 0) + tile(8, 128) + field(16, 2**63) + field(15, 2**64 - 1) + field(7, 2**40)),
    ]
    windows = b"".join(field(1, field(n, 2**63 - 1)) for n in range(1, 8)) * 5
    dims = b"".join(field(n, value) for n in (3, 4, 6, 7, 8, 9, 10, 11, 12) for value in (2**63, 31, 32, 2**64 - 1))
    dots = b"".join(field(n, value) for n in (1, 2, 3, 4) for value in (0, 0, 99, 2**63))
    return with_programs(*(module([instruction(1, shape), instruction(2, shape, field(36, 1) + field(36, 1) + extra)])
                           for shape in odd for extra in (b"", field(15, windows), field(16, dims), field(30, dots))))


def references_that_lie():
    """Operands and computations that are not there, that are oneself, that go in circles."""
    sound = hlo_writer.shape("f32[8,8]{1,0:T(8,128)}")
    ring = [instruction(i, sound, field(36, (i + 1) % 50) + field(38, 1) + field(38, 99)) for i in range(50)]
    same = [instruction(1, sound, field(36, 1))] * 50
    computations = b"".join(field(3, field(1, f"c{i}") + instruction(i, sound, field(38, (i + 1) % 50)) + field(5, i) +
                                  field(6, 2**63)) for i in range(50))
    return with_programs(module(ring), module(same), field(1, field(1, "f") + computations + field(6, 7)), module([]), b"",
                         field(1, b""), module([instruction(1, sound, packed(range(3000)))]))


def packed(numbers):
    return field(36, b"".join(varint(n) for n in numbers))


def deep_shapes():
    """Tuples of tuples of tuples; what goes down with them must end, or not begin."""
    shape = hlo_writer.shape("f32[8]{0}")
    for _ in range(100_000):
        shape = field(2, 13) + field(4, shape)
    literal = b""
    for _ in range(50_000):
        literal = field(10, literal)
    deep = [instruction(1, shape), instruction(2, b"", field(8, literal) + field(40, literal))]
    return with_programs(module(deep), module(deep[1:]))


def deep_calls():
    """Fusions within fusions: each computation is called by the next."""
    m = hlo_writer.Module("jit_f")
    below = None
    for i in range(MANY // 3):
        c = m.computation(f"c{i}", fused=True)
        p = c.add(f"p.{i}", "parameter", "f32[8,8]{1,0:T(8,128)}", parameter_number=0)
        c.add(f"fusion.{i}", "fusion" if below else "negate", "f32[8,8]{1,0:T(8,128)}", p, calls=[below] if below else [],
              kind="kLoop")
        below = c
    return with_programs(m.bytes())


def wide_fusion():
    """One fusion with as many parts, each of which operations name."""
    m = hlo_writer.Module("jit_f")
    inner = m.computation("fused", fused=True)
    p = inner.add("p", "parameter", TILED, parameter_number=0)
    for i in range(MANY):
        p = inner.add(f"n.{i}", "negate", TILED, p)
    main = m.computation("main")
    main.add("fusion.1", "fusion", TILED, main.add("q", "parameter", TILED, parameter_number=0), calls=[inner], kind="kLoop")
    return with_programs(m.bytes())


def products():
    """As many convolutions and dots that are padded as operations, in one program."""
    m, plane = hlo_writer.Module("jit_f"), t.tpu(0, 1)
    main = m.computation("main")
    events = []
    for i in range(MANY // 10):
        a = main.add(f"a.{i}", "parameter", f"f32[{i + 1},3]{{1,0:T(8,128)}}", parameter_number=2 * i)
        b = main.add(f"b.{i}", "parameter", "f32[3,5]{1,0:T(8,128)}", parameter_number=2 * i + 1)
        text = f"f32[{i + 1},5]{{1,0:T(8,128)}}"
        main.add(f"dot.{i}", "dot", text, a, b, dot_dims=([1], [0]))
        op = plane.op(f"%dot.{i} = {text} dot(f32[{i + 1},3]{{1,0:T(8,128)}} %a, f32[3,5]{{1,0:T(8,128)}} %b)", f"dot.{i}", {
            "hlo_category": "convolution", "program_id": 42, "symbol_id": i, "shape_with_layout": text, "flops": 10**6,
            "bytes_accessed": 10**6})
        events.append(raw_event(op, (12 + i) * MS, MS))
    meta = t.Plane("/host:metadata")
    meta.op("jit_f(42)", stats={"Hlo Proto": m.bytes()})
    return t.space(meta, plane.line("XLA Ops", events))


def programs_of_ten():
    """Very many programs of ten operations, each with its module."""
    meta, plane = t.Plane("/host:metadata"), t.tpu(0, 2)
    events, modules = [], []
    for i in range(MANY // 6):
        names = [f"fusion.{k}" for k in range(10)]
        meta.op(f"jit_f{i}({i})", stats={"Hlo Proto": t.hlo(f"jit_f{i}", [(name, "fusion", "kLoop") for name in names])})
        modules.append(raw_event(plane.op(f"jit_f{i}({i})"), 20 * MS + i * 100, 90))
        for k, name in enumerate(names):
            op = plane.op(f"%{name} = f32[8] fusion()#{i}", name, {"hlo_category": "loop fusion", "program_id": i,
                                                                    "tf_op": f"jit(f{i})/layer{k}/mul:"})
            events.append(raw_event(op, 20 * MS + i * 100 + k * 9, 9))
    return t.space(meta, plane.line("XLA Ops", events).line("XLA Modules", modules))


def very_many_categories():
    plane, events = t.tpu(0, 2), []
    for i in range(MANY * 5 // 3):
        op = plane.op(f"op{i}", stats={"hlo_category": f"category {i}", "program_id": 42, "tf_op": f"scope{i}/x:Type{i}",
                                       "source": f"file{i}.py:{i}", "flops": i, "bytes_accessed": i})
        events.append(raw_event(op, 20 * MS + i * 10, 5))
    return t.space(plane.line("XLA Ops", events))


def very_many_programs():
    """Runs of programs that have one operation each and no module."""
    plane, events, modules = t.tpu(0, 2), [], []
    for i in range(MANY * 10 // 3):
        op = plane.op(f"op{i}", "op", {"hlo_category": "loop fusion", "program_id": i})
        events.append(raw_event(op, 20 * MS + i * 10, 5))
        modules.append(raw_event(plane.op(f"jit_f({i})"), 20 * MS + i * 10, 9))
    return t.space(plane.line("XLA Ops", events).line("XLA Modules", modules))


def deep_scopes():
    """Framework operations a hundred scopes deep, no two in the same; and one of slashes alone."""
    plane, events = t.tpu(0, 2), []
    for i in range(MANY // 30):
        scope = "/".join(f"s{i}_{k}" for k in range(100))
        op = plane.op(f"op{i}", stats={"hlo_category": "loop fusion", "program_id": 42, "tf_op": t.Ref(scope + ":Add")})
        events.append(raw_event(op, 20 * MS + i * 10, 5))
    for i, scope in enumerate(("/" * 200_000, "a/" * 100_000 + ":B", ":" * 1000, "/:", "a//b:C", ".." + "/.." * 1000)):
        op = plane.op(f"slash{i}", stats={"hlo_category": "loop fusion", "program_id": 42, "tf_op": scope})
        events.append(raw_event(op, 30 * MS + i * 10, 5))
    return t.space(plane.line("XLA Ops", events))


def iterators():
    """Many stages, deep names, and parents in circles."""
    host, events = t.host(2), []
    for i in range(MANY // 10):
        name = f"Iterator::Root::Stage{i}::TFRecord" if i % 2 else "Iterator::Root" + "::Map" * (i % 500)
        events.append(host.event(name, i * 1000, 900, {"iterator_id": i, "parent_id": (i + 1) % 1000, "step_num": i}))
    events.append(host.event("Iterator::" + "A::" * 100_000 + "TFRecord", 0, MS))
    events += [host.event(name, 0, MS) for name in ("Iterator::", "Iterator::::", "Iterator::Root[", "Iterator::[]::[[]]")]
    return t.space(host.line("tf_data", events), t.tpu(0, 2))


def kernels():
    """Launches that are no launches, and as many kernels as events."""
    gpu, events = t.gpu(0, 2), []
    details = ["", "regs", "regs:", "regs:-1 shm:99999999999999999999 grid:0,0,0 block:,,", "grid:1,1,1,1,1 block:a,b,c occ_pct:nan",
               "block:4294967295,4294967295,4294967295", "regs:1 regs:2 " * 1000, "occ_pct:1e999 grid:" + "9," * 1000, "\n:\n", ":::"]
    for i, text in enumerate(details):
        events.append(gpu.event(f"odd{i}", (40 + i) * MS, MS, {"kernel_details": text, "correlation_id": i}))
    for i in range(MANY):
        events.append(raw_event(gpu.op(f"kernel_{i}_fp16"), 60 * MS + i * 10, 5))
    copies = ["size:-1 kind:", "kind_src:a kind_dst:b size:18446744073709551616 dest:9 async:9", "size:" + "1" * 1000]
    return t.space(gpu.line("Stream #3(Compute)", events).line("Stream #4(Memcpy)", [
        gpu.event("MemcpyD2H", (40 + i) * MS, MS, {"memcpy_details": text}) for i, text in enumerate(copies)]), t.host(2))


def odd_peaks():
    """Peaks, versions and chips that cannot be, one kind on each core."""
    planes = []
    for i, kind in enumerate(["TPU v99", "", "TPU v5 lite" * 500, "NVIDIA " + EVIL[0], "TPU v4", "tpu", "\0"]):
        plane = t.tpu(i, 2, flops=[0.0, -1.0, float("nan"), 1e308][i % 4], hbm=[float("inf"), 0.0, 1e-308][i % 3])
        plane.stat("device_type_string", kind).stat("core_details", field(2, -1) + field(5, 2**63) + field(6, 2**32))
        for name in ("cmem_rd", "cmem_wr", "vmem_rd", "vmem_wr", "sram_rd"):
            plane.stat(f"peak_{name}_bw_gigabytes_per_second", [float("nan"), -5.0, 1e300][i % 3])
        planes.append(plane)
    gpus = [t.gpu(i, 2, stats=False) for i in range(3)]
    for gpu, count in zip(gpus, (0, 2**63, -1)):
        gpu.stat("core_count", count).stat("clock_rate", count).stat("compute_cap_major", count).stat("memory_bandwidth", count)
    return t.space(t.environment(), *planes, *gpus)


CASES = [
    evil_program_texts, shapes_that_are_none, numbers_that_lie, references_that_lie, deep_shapes, deep_calls, wide_fusion,
    products, programs_of_ten, very_many_categories, very_many_programs, deep_scopes, iterators, kernels, odd_peaks,
]


if __name__ == "__main__":
    judge(CASES)
