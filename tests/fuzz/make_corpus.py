"""Writes the hand-made seeds of corpus/xspace, corpus/unpack, corpus/hlo, corpus/hlo_proto, corpus/tools, corpus/json, corpus/pprof, corpus/phases, corpus/events, corpus/points, corpus/levels, corpus/graph, corpus/trace, corpus/chrome_trace, corpus/perfetto, corpus/graph_of, corpus/report, corpus/ranks, corpus/budget, corpus/history, corpus/tfprof, corpus/timelines, corpus/table and corpus/logdir; the other files
there were found by fuzzing.

    TPREPORT=build/dev/tpreport PYTHONPATH=tests/support python3 tests/fuzz/make_corpus.py
"""

import base64
import gzip
import json
import os
import subprocess
import tempfile
import zlib
from pathlib import Path

import graph_writer
import hlo_writer
import made_events
import made_hosts
import made_ranks
import perfetto_writer
import plain_trace_maker
import pprof_truth
import table_writer
import tfrecord
import tool_files
import torch_files
import tiny_xspace as t
import trace_writer
from hlo_writer import ALLOC, FREE, SHARE
from summary_file import unpacked
from xspace_writer import Plane, field, varint, xspace

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")

nameless = field(3, field(2, "line"))
loop = t.Plane("/host:CPU")
loop.line("a", [loop.event("p", 0, 10, {"_pt": 1, "_p": 1, "_ct": 1, "_c": 2, "_r": 1}),
                loop.event("q", 20, 10, {"_pt": 1, "_p": 2, "_ct": 1, "_c": 1})])
grouped = t.Plane("/host:CPU")
grouped.line("a", [grouped.event("train", 0, 50, {"group_id": 3, "step_name": "three"}),
                   grouped.event("work", 5, 20, {"group_id": 3})])
odd = t.tpu(0, 1, flops=float("inf"), hbm=float("nan"))
odd.line("XLA Ops", [odd.event(99, -5, 2**62), odd.event("x", 2**61, 2**61), odd.event("y", -3, -4)], -2**63)
odd.stat("dropped_traces", -1).stat("clock_rate", -2.5)

SEEDS = {
    "every_plane": t.every_plane(),
    "tpu": t.space(t.environment(), t.tpu(0, 2), t.tpu(1, 1)),
    "gpu": t.space(t.environment(), t.host(2), t.gpu(0, 2)),
    "gpu_bare": t.space(t.host(1), t.gpu(0, 1, stats=False), t.gpu(1, 1, stats=False)),
    "cpu": t.space(t.environment(), t.metadata(), t.host(7)),
    "environment": t.space(t.environment(-5), hostname="h"),
    "flow_loop": t.space(loop),
    "groups": t.space(grouped),
    "odd_numbers": t.space(odd),
    "nameless": t.space(nameless, t.gpu(0, 1)),
    "empty_plane": t.space(b""),
}


def product():
    m = hlo_writer.Module("jit_g")
    main = m.computation("main")
    a = main.add("a", "parameter", "f32[4,100,64]{2,1,0:T(8,128)}", parameter_number=0)
    b = main.add("b", "parameter", "f32[4,64,50]{2,1,0:T(8,128)(2,1,1,1)}", parameter_number=1)
    main.add("dot", "dot", "f32[4,100,50]{2,1,0:T(8,128)}", a, b, dot_dims=([2], [1], [0], [0]))
    return m.bytes()


def channel():
    m = hlo_writer.Module("jit_s")
    main = m.computation("main")
    token = main.add("token", "after-all", "token[]")
    main.add("send", "send", "(bf16[8,128]{1,0}, u32[], token[])", token, channel_id=3,
             attributes={"_xla_send_recv_source_target_pairs": "{{0,1},{1,0}}"})
    m.devices = [1, 0]
    return m.bytes()


HLO = {
    "channel": channel(),
    "convolution": hlo_writer.padded_convolution("fusion"),
    "product": product(),
    "attributes": hlo_writer.every_attribute().bytes(),
    "no_module": b"",
    "shape": b"(bf16[16,<=224,3]{0,2,1:T(8,128)(2,1)L(4)E(16)S(1)M(8)}, /*index=1*/f32[]{:T(128)}, (token[], opaque[]))",
    "deep": b"(" * 40 + b"f32[]" + b")" * 40,
}


def allocators():
    plane = Plane("/host:CPU")
    for number, line in enumerate((plane.line("a/1"), plane.line("b/2"))):
        for i in range(6):
            line.event("MemoryAllocation" if i % 3 else "MemoryDeallocation", (7 * i + number) * 10**6, 0, allocator_name="bfc",
                       bytes_reserved=i * 100, bytes_allocated=i * 1000, bytes_available=9000 - i * 1000, fragmentation=i / 5,
                       peak_bytes_in_use=2**40, allocation_bytes=500, requested_bytes=400, addr=i % 2, tf_op="<b>", data_type=i * 9,
                       region_type="output", shape="[1]")
    line = plane.line("c/3")
    line.event("MemoryAllocation", 2**59, 0, device_ordinal=-1, bytes_allocated=-5, bytes_available=-5, fragmentation=float("nan"))
    line.event("MemoryAllocation", 2**59, 0, device_ordinal=2**40, bytes_allocated=2**60, bytes_reserved=2**60,
               bytes_available=2**60, allocation_bytes=2**60, fragmentation=7.0)
    line.event("MemoryAllocation", 5, 0, tf_op="no size")
    return xspace(plane)


def held(*samples):
    writer = pprof_truth.Writer()
    for count, size, stack in samples:
        writer.sample(count, size, stack, kind="buffer", device="tpu:0")
    return writer


CALLS = [("f", "/usr/lib/python3/x.py", 1), ("main", "/home/me/a.py", 2)]


def out_of_range():
    writer = held((1, 5, CALLS))
    writer.samples += [field(1, 99) + field(2, b"\x01\x07") + field(3, field(1, 999) + field(2, 999)), field(2, b"\x01"),
                       field(1, b"\x80") + field(2, b"\x01\x07")]
    return (writer.bytes() + field(4, field(1, 9) + field(4, field(1, 77) + field(2, -3))) +
            field(5, field(1, 9) + field(2, 999) + field(4, -1)))


MARKS = ((0, "train_begin"), (1, "init_system_begin"), (2, "init_system_end"), (2, "eval_begin"), (5, "train_end"),
         (6, "eval_end"), (4, "predict_begin"))
LOGGER = tfrecord.profile_logger(MARKS)
PHASES = {
    "usual": LOGGER,
    "older_tags": tfrecord.profile_logger(MARKS, prefix=""),
    "cut": LOGGER[:-3],
    "bad_checksum": LOGGER[:60] + b"\0" + LOGGER[61:],
    "odd_times": tfrecord.version(0.0) + b"".join(tfrecord.mark(at, "train_begin") for at in (float("nan"), -1e300, 1e300, 5e-324)),
    "huge_length": tfrecord.version(0.0) + b"\xff" * 7 + b"\x0f" + bytes(20),
}

SCALARS = b"".join(tfrecord.event(n, n, tfrecord.simple(loss=n / 7, **{"global_step/sec": 3})) for n in range(12))
EVENTS = {
    "tf1": tfrecord.version(0.5) + tfrecord.event(0.5, 0, tfrecord.session(1)) + SCALARS,
    "restart": tfrecord.version(0.5) + SCALARS + tfrecord.event(90.0, 6, tfrecord.session(1)) + SCALARS,
    "old_restart": SCALARS + SCALARS,
    # Enough points for several pieces (model/points.c), and restarts that cut into the middle of them.
    "restart_in_pieces": tfrecord.version(0.5) + b"".join(
        b"".join(tfrecord.event(100 * part + n, n * n % 41, tfrecord.simple(loss=n / 7, acc=n)) for n in range(40)) +
        tfrecord.event(100 * part + 90, purged, tfrecord.session(1)) for part, purged in enumerate((25, 30, 10))),
    "tensors": tfrecord.version(0.5) + tfrecord.event(1.0, 1, tfrecord.tensor("a", 1, b"=\0\0\x80\x3f")) +
    tfrecord.event(2.0, 2, tfrecord.tensor("b", 2, field(6, 0.5))) + tfrecord.event(3.0, 3, tfrecord.tensor("c", 14, field(13, 0x3F80))) +
    tfrecord.event(4.0, 4, tfrecord.tensor("d", 7, field(8, "<b>"), plugin="text")),
    "odd": tfrecord.version(float("nan")) + b"".join(
        tfrecord.event(wall, step, tfrecord.simple(x=value)) for wall, step, value in
        ((float("nan"), -1, float("nan")), (1e308, 2**63 - 1, float("inf")), (-1e308, -2**63, 3e38), (5e-324, 7, -3e38), (1.0, 8, 0.0))),
    "many_tags": tfrecord.version(0.5) + b"".join(
        tfrecord.event(n, n, tfrecord.simple(**{f"{part}/loss_{n % 5}": n for n in range(5) for part in "abcd"})) for n in range(4)),
    "run_graphs": tfrecord.version(0.5) + tfrecord.event(1.0, 3, tfrecord.tensor(
        "f", 7, field(8, graph_writer.run(graph_writer.graph(graph_writer.LOOP))), plugin="graph_run_metadata_graph")),
    "marks": tfrecord.version(0.5) + SCALARS + tfrecord.event(80.0, 5, field(7, field(1, 3) + field(2, "m/model.ckpt-5"))) +
    tfrecord.event(90.0, 3, field(7, field(1, 1))) + tfrecord.event(91.0, 3, field(7, field(1, 9) + field(2, b"\xff\0"))) +
    tfrecord.event(92.0, 3, field(8, field(1, "step3") + field(2, b"\x0a"))) + tfrecord.event(93.0, 4, field(8, b"\x0a\x7f")),
    "cut": (tfrecord.version(0.5) + SCALARS)[:-5],
    "bad_checksum": tfrecord.version(0.5) + SCALARS[:70] + b"\xff" + SCALARS[71:],
}

PPROF = {
    "small": held((2, 4096, CALLS), (1, 100, CALLS[1:]), (3, 0, [])).bytes(),
    "negative": held((-1, -5, CALLS), (1, 2**62, CALLS), (2**61, 1, [])).bytes(),
    "out_of_range": out_of_range(),
    "deep": held((1, 64, [("r", "/a.py", i % 3) for i in range(1200)])).bytes(),
    "hostile_names": held((1, 5, [("<script>", "/a/../<b>\x00\x1b", 1), ("", "", 0), ("x" * 5000, "y" * 5000, 2**40)])).bytes(),
    "no_bytes": pprof_truth.Writer(types=(("cpu", "nanoseconds"),)).sample(1, 2, CALLS).bytes(),
    "cut": held((2, 4096, CALLS)).bytes()[:-20],
    "without_texts": held((2, 4096, CALLS)).bytes()[:40],
}


def planned(*events, size=100, part=()):
    """An HloProto with a plan: three arrays in HBM and one in VMEM, and a heap simulation of these events."""
    m = hlo_writer.Module("jit_f")
    main = m.computation("main")
    a = main.add("a", "parameter", "f32[8,100]{1,0:T(8,128)}", parameter_number=0)
    names = [main.add(name, "add", f"f32[8,100]{{1,0:T(8,128){'S(1)' if name == 'd' else ''}}}", a, a,
                      backend='{"used_scoped_memory_configs":[{"memory_space":"1","offset":"0","size":"4096"}]}')
             for name in "bcd"]
    plan = hlo_writer.Plan()
    buffers = [plan.buffer(a, 4096), *(plan.buffer(one, size, space=int(one == names[2]), part=part) for one in names)]
    plan.allocation(4096, buffers[0], parameter=True)
    plan.allocation(2 * size, *buffers[1:3], 99)
    plan.allocation(size, buffers[3], space=1)
    plan.events(*events)
    return m.bytes() + plan.bytes()


SOUND = [(ALLOC, 2, "b"), (SHARE, 3, "c", 2), (FREE, 2, "b"), (FREE, 3, "c")]
PLANS = {
    "sound": planned(*SOUND),
    "vmem": planned((ALLOC, 4, "d")),
    "circle": planned((SHARE, 2, "b", 3), (SHARE, 3, "c", 2), (SHARE, 1, "a", 1)),
    "freed_twice": planned((FREE, 2, "b"), (ALLOC, 2, "b"), (FREE, 2, "b"), (FREE, 2, "b"), (7, 2, "b")),
    "below_0": planned(*SOUND, size=-5),
    "endless": planned(*SOUND, size=2**63 - 1, part=(0, 1, 2)),
    "no_plan": product(),
    "lone_module": product()[3:],
    "cut": planned(*SOUND)[:-9],
    "empty": b"",
}


def packed(data):
    zstd = subprocess.run(["zstd", "-q", "-19", "-c"], input=data, stdout=subprocess.PIPE, check=True)
    small = gzip.compress(data, mtime=0)
    return {
        "one.gz": small,
        "two_members.gz": small + gzip.compress(b"more", mtime=0),
        "padded.gz": small + bytes(64),
        "cut.gz": small[:len(small) // 2],
        "wrong_sum.gz": small[:-8] + bytes(8),
        "one.zst": zstd.stdout,
        "two_frames.zst": zstd.stdout * 2,
        "cut.zst": zstd.stdout[:-9],
        "raw_deflate": zlib.compress(data),
    }


JSON = {
    "event": b'{"schemaVersion": 1,\n "traceEvents": [\n {\n "ph": "X", "name": "a \\"b\\" \\u00e9\\ud83d\\ude00", '
             b'"ts": 4371653808103.657, "dur": 12, "args": {"Input Dims": [[64, 3], []]}\n }, {}\n]}\n',
    "odd": b'[NaN, -Infinity, N/A, true, false, null, 1e3, -1.5E-3, "\\q\\ud83d\\u12", "a\tb",]',
    "bare_number": b"-12.50",
    "bom": b"\xef\xbb\xbf[]",
    "cut": b'[{"a": "b\\',
    "deep": b"[" * 1030,
    "long_numbers": b"[" + b"9" * 40 + b", 0." + b"0" * 40 + b"1e40, 9223372036854775808]",
    "mixed_ends": b'[{"a": [}]',
    "zeros_behind": b'{"a": 1}' + bytes(40),
}


def write(kind, seeds):
    os.makedirs(os.path.join(HERE, kind), exist_ok=True)
    for name, data in seeds.items():
        with open(os.path.join(HERE, kind, name), "wb") as out:
            out.write(data)


write("xspace", {**SEEDS, "tiled": t.tiled(), "allocators": allocators()})
write("unpack", packed(b"plane " * 50 + SEEDS["flow_loop"]))
write("hlo", {**HLO, "plan": PLANS["sound"]})
write("hlo_proto", PLANS)
TOOLS = {f"{name}_{kind[1:]}": bytes([number]) + data for number, kind in enumerate(tool_files.KINDS)
         for name, data in tool_files.some(kind).items()}
TOOLS["pb_endless_part_input_pipeline"] = bytes([tool_files.KINDS.index(".input_pipeline")]) + tool_files.endless_pb()
write("tools", TOOLS)
write("json", {f"{name}_{cut}": bytes([cut]) + data for name, data in JSON.items() for cut in (0, 23, 250)})
write("pprof", PPROF)
write("phases", PHASES)
write("events", EVENTS)


def points(*operations):
    """("add", step, wall, value, pace of step, pace of wall, count) or ("purge", step), as fuzz_points reads them."""
    out = b""
    for what, *numbers in operations:
        out += (b"\6" if what == "add" else b"\1") + b"".join(varint(number) for number in numbers)
    return out


write("points", {
    "run": points(("add", 0, 1700000000, 3, 10, 1, 2000)),
    "restarts": points(*(part for step in (9000, 5000, 4990, 0) for part in (
        ("add", 0, 1700000000, 3, 10, 1, 1500), ("purge", step)))),
    "many_purges": points(("add", 0, 2**60, 7, 1, 2**50, 2000), *(("purge", 2000 - 3 * i) for i in range(40))),
    # Every third point goes, from the last to the first: what is left differs by more, and takes more room than before.
    "grows": points(*(part for i in range(60) for part in (
        ("add", i, 2**60 + i * 2**56, i, 0, 2**40, 40), ("add", 2**40 - i, 2**60 + i * 2**56, 1, 0, 2**55, 1))),
        *(("purge", 2**40 - 60 + i) for i in range(60, 0, -5)), ("add", 0, 1, 1, 1, 1, 500), ("purge", 20)),
    "bits": b"\x08" + bytes(range(1, 41)) + b"\x85\x01" + b"\x09" + bytes(range(8)),
})

def levels(most, shift, *events):
    """How many cells at most, how far numbers are shifted down, and (start, length, name) of each event, as fuzz_levels reads them."""
    return varint(most - 1) + varint(shift - 2) + b"".join(varint(number) for start, length, name in events for number in (start << shift, length << shift, name))


write("levels", {
    "nested": levels(64, 4, (0, 1000, 0), (10, 500, 1), (20, 5, 2), (30, 400, 3), (600, 100, 2), (600, 100, 1), (700, 0, 4)),
    "overlapping": levels(2048, 4, *((i * 3, 50 + i * 7 % 40, i % 6) for i in range(90))),
    "all_at_once": levels(8, 4, *((5, 1000 - i, i % 3) for i in range(100))),
    "no_length": levels(4096, 4, *((i * 100, 0, i % 2) for i in range(50))),
    "far_apart": levels(8192, 2, (0, 1, 0), (2**61 - 1, 1, 1), (2**60, 2**59, 2)),
})

# The first byte says which reader: graphs, dumps of tfprof.
GRAPHS = {
    "wire": b"\0" + graph_writer.graph(graph_writer.LOOP, graph_writer.LIBRARY),
    "text": b"\0" + graph_writer.LOOP_TEXT.encode(),
    "meta": b"\0" + graph_writer.meta(graph_writer.LOOP, trained=["dense/w"]),
    "saved": b"\0" + graph_writer.saved(graph_writer.meta(graph_writer.LOOP)),
    "saved_twice": b"\0" + graph_writer.saved(
        graph_writer.meta(graph_writer.LOOP) + field(7, field(2, field(1, "__inference_call_7") + field(2, b"")) + field(2, b"")),
        graph_writer.meta(graph_writer.LOOP[:3], trained=["dense/w"])),
    "saved_text": b"\0saved_model_schema_version: 1 meta_graphs { meta_info_def { tensorflow_version: '2.1' } graph_def { " +
                  graph_writer.LOOP_TEXT.encode() + b" } } meta_graphs < graph_def < node { name: 'a' } > >",
    "odd": b"\0" + graph_writer.graph([
        graph_writer.node("", "A"), graph_writer.node("//", "A", "//", "^//", "x:99999999999", ":", "^", "\xff"),
        graph_writer.node("v", "VariableV2", of=[2**62, 2**62], dtype=255), graph_writer.node("w", "VariableV2", of=[-5]),
        graph_writer.node("v", "VariableV2"), graph_writer.node("<b>&", "x" * 300, "v:1", device="</script>")]),
    "dump": b"\1" + graph_writer.dump(
        graph_writer.dump_node(0, "a/x", "VariableV2", of=(4, 3), types=("_trainable_variables",)),
        graph_writer.dump_node(1, "a/y", "MatMul", inputs=(0, 0, 7), execs={0: (1, 3, 4, 5), 9: (2, 2**60, 2**60, 2**62)}),
        graph_writer.dump_node(2, "_arg", "_arg", execs={0: (1, 1, 1, 1)}), steps=(0, 9)),
}
write("graph", GRAPHS)

# A line of tfprof's options, then a dump. Nodes take each other in a circle, and what the dump does not hold.
TFPROF = graph_writer.dump(
    graph_writer.dump_node(0, "a/x", "VariableV2", of=(4, 3), types=("_trainable_variables",), execs={0: (1, 3, 4, 5)}),
    graph_writer.dump_node(1, "a/y", "MatMul", inputs=(0, 0, 7), execs={0: (1, 3, 4, 5), 9: (2, 2**60, 2**60, 2**62)}),
    graph_writer.dump_node(2, "_arg", "_arg", execs={0: (1, 1, 1, 1)}, device="/device:gpu:0"),
    graph_writer.dump_node(3, "/", "", inputs=(4,)), graph_writer.dump_node(4, "gradients/a/x_grad/z", "A", inputs=(3,)),
    graph_writer.dump_node(5, "a/y", "B"), graph_writer.dump_node(6, "_TFProfRoot", "C", inputs=(1,)), steps=(0, 9))
SELECT = "-select bytes,micros,params,float_ops,tensor_value,device,op_types,occurrence,input_shapes,peak_bytes,residual_bytes,output_bytes"
INDEX = table_writer.checkpoint({f"scope/v{i}": (1, (2, i), bytes(8 * i)) for i in range(5)})[0]
write("table", {"sound": INDEX, "cut": INDEX[7:], "packed": INDEX.replace(bytes(5), b"\1" + bytes(4), 1), "empty": table_writer.table([]),
                "snappy": table_writer.checkpoint({f"scope/v{i}": (1, (2, i), bytes(8 * i)) for i in range(5)}, packed=True)[0],
                "v1": table_writer.checkpoint_v1({"a/w": (1, (2,), (1, 2)), "b": (9, None, (1, -2))}),
                "v1_snappy": table_writer.checkpoint_v1({"a/w": (1, (40,), (0,) * 40)}, packed=True)})
write("tfprof", {
    "plain": b"scope\n" + TFPROF,
    "all": f"op {SELECT} -order_by micros -max_depth 40\n".encode() + TFPROF,
    "filters": b"graph -account_type_regexes MatMul,.*Variable.* -trim_name_regexes a/x -start_name_regexes a.* -hide_name_regexes b "
               b"-account_displayed_op_only -min_micros 1 -step 0\n" + TFPROF,
    "hard": b"scope -show_name_regexes ((a*)*)*b,(.*)*(.*)*x\n" + TFPROF,
    "wrong": b"code -step x -output timeline:outfile -select no\n" + TFPROF[:100],
    "cut": b"code -order_by occurrence\n" + TFPROF[:-40],
})


def dump_on_devices():
    """A loop of 40 runs on one GPU in two steps, what another takes of it, odd times, and a node that holds another's time."""
    cpu, gpus = "/device:cpu:0", ("/device:gpu:0", "/device:gpu:1")

    def on(device, *runs):
        return {step: [(True, device, at + start, us) for start, us in runs] + [(False, device + "/stream:all", at + start, us // 2) for start, us in runs]
                for step, at in ((0, 10**6), (7, 3 * 10**6))}
    node = graph_writer.dump_node
    return graph_writer.dump(
        node(0, "read", "Iterator", runs=on(cpu, (5, 20), (6, 2), (7, 18))), node(1, "loop", "MatMul", (0, 1), runs=on(gpus[0], *((30 + 9 * n, 8 + n % 3) for n in range(40)))),
        node(2, "other", "Sum", (1, 0), runs=on(gpus[1], (60, 9), (300, 0), (400, 10**5))),
        node(3, "odd", "Print", (2, 9), runs={0: [(True, cpu, 2**62, 2**62), (True, cpu, 0, 5), (True, gpus[1], 2**30, 2**30), (False, gpus[1], 7, -5)]}), steps=(0, 7))


# The first byte says of what: an XSpace, an event file, a profile logger, a dump of tfprof.
write("timelines", {
    **{f"xspace_{name}": b"\0" + data for name, data in {**SEEDS, "tiled": t.tiled(), "allocators": allocators()}.items()},
    **{f"events_{name}": b"\1" + EVENTS[name] for name in ("restart", "restart_in_pieces", "marks", "odd", "tensors")},
    **{f"phases_{name}": b"\2" + PHASES[name] for name in ("usual", "odd_times")},
    "dump": b"\3" + TFPROF, "dump_on_devices": b"\3" + dump_on_devices()})


def traces():
    """Both shapes of a trace, and what is odd in them."""
    made = {}
    for name, data in {"tpu": t.space(t.tpu(0, 2)), "gpu": t.space(t.host(2), t.gpu(0, 2)), "host": t.space(t.host(2))}.items():
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            made[name] = b"\0" + trace_writer.as_json(file.name)
            made[name + "_message"] = b"\1" + trace_writer.as_message(file.name)
    made["cut"] = made["host"][:-400]
    made["gz"] = b"\0" + gzip.compress(made["host"][1:], mtime=0)
    head = b'\0{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},'
    made["odd"] = head + (
        b'{"ph":"X","pid":1,"tid":"a","ts":-1e300,"dur":NaN,"name":"x","args":{"step_num":"-1","group_id":18446744073709551615}},'
        b'{"ph":"X","pid":1,"tid":2,"ts":9e12,"dur":-5,"name":"x","args":{"step_num":1,"long_name":"y","a":[1,{}]}},'
        b'{"ph":"X","pid":1,"tid":3,"ts":1,"dur":9e12,"name":"","args":[]},{"ph":"B"},[],7,{}]}')
    made["overlapping_steps"] = head + b",".join(
        b'{"ph":"X","pid":1,"tid":%d,"ts":%d,"dur":15,"name":"s","args":{"step_num":"%d"}}' % (i % 2, 10 * i, i) for i in range(6)) + b"]}"
    made["argument_without_value"] = b"\1" + (
        field(1, field(1, 1) + field(2, field(1, "/host:CPU") + field(2, 1))) +
        field(4, field(1, 1) + field(2, 1) + field(3, "a") + field(9, 5) + field(10, 5) + field(11, field(1, "step_num"))))
    made["torch"] = b'\0{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op"}]}'
    return made


def chrome_traces():
    """Traces of any program: each kind of entry, and what is odd in them."""
    made = {name: json.dumps(entries).encode() for name, entries in {
        "made": plain_trace_maker.made(3)[:80],
        "hostile": [{"ph": "X", "name": name[:200], "pid": 1, "tid": name[:9], "ts": i, "dur": 1} for i, name in enumerate(plain_trace_maker.HOSTILE)],
        "unbalanced": [{"ph": kind, "name": "ab"[i % 2], "pid": 1, "tid": 1, "ts": i // 2} for i, kind in enumerate("EBBEBEEBBB")],
        "async": [{"ph": kind, "name": "a", "cat": "c", "id": i % 3, "id2": {"local": "x"}, "pid": 1, "ts": i} for i, kind in enumerate("bnbeeSTFpn")],
        "flows": [{"ph": kind, "name": "f", "id": 1, "pid": 1, "tid": i % 2, "ts": i, "dur": 2} for i, kind in enumerate("XsXtXfsf")],
    }.items()}
    made["object"] = b'{"displayTimeUnit":"ns","traceEvents":' + made["made"] + b',"stackFrames":{},"otherData":{"a":[1]}}'
    made["gz"] = gzip.compress(made["made"], mtime=0)
    made["cut"] = made["made"][:-30]
    made["far"] = (b'[{"ph":"X","name":"a","pid":-1,"tid":1e9,"ts":-9223372036854.775808,"dur":9223372036854.775807},'
                   b'{"ph":"B","name":"b","ts":4611686018427.387904},{"ph":"C","name":"c","ts":1.7e15,"args":{"x":1e308,"y":NaN,"z":"-1e308"}},'
                   b'{"ph":"E","ts":1e300},{"ph":"i","ts":"12.5","pid":{}},[],{}]')
    return made


def perfetto_traces():
    """What sequences of packets may do, and what is odd in them."""
    p = perfetto_writer
    made = {
        "names": p.track(10, p.process(7, "server")) + p.track(11, p.thread(7, 70, "main"), parent=10) +
        p.packet(p.at(100, 1, 3), p.interned([(1, "alpha"), (2, "</script>")], [(1, "cat")]), p.event(1, 11, None, 1, field(3, 1), p.fixed(47, 5))) +
        p.packet(p.at(200), p.event(3, 11, None, 2, p.fixed(48, 5))) + p.packet(p.at(300), p.event(2, 11)) + p.cleared() + p.packet(p.at(400), p.event(1, 11, None, 1)),
        "clocks": p.cleared() + p.clocks((6, 1000), (3, 400), (1, 1767225600000000000), (64, 5, 1000, True)) + p.defaults(clock=64, track=1) +
        p.packet(p.at(3), p.event(1, None, "inc")) + p.packet(p.at(2), p.event(2)) + p.packet(p.at(2**63, clock=64), p.event(3)) +
        p.clocks((6, 2**64 - 1), (3, 2**63), (64, 2**60, 2**40, True)) + p.packet(p.at(2**62, clock=3), p.event(3, 1, "far")),
        "counters": p.cleared() + p.track(2, field(8, field(3, 3) + field(5, 1) + field(4, 2**63)), parent=2, name="memory") +
        b"".join(p.packet(p.at(i), p.event(4, 2, None, None, field(30, 2**63 - i), p.double(44, 1e308))) for i in range(4)),
        "circle": p.cleared() + p.track(1, parent=2, name="a") + p.track(2, parent=1, name="b") + b"".join(
            p.packet(p.at(i // 2), p.event(1 + i % 3, 1 + i % 2, "ab"[i % 2], None, p.fixed(47, i % 3))) for i in range(12)),
        "lost": p.packet(p.at(1), p.event(1, 1, None, 1)) + p.packet(field(10, 1), field(42, 1)) + p.packet(field(50, b"x")) + p.packet(field(99, "x")),
    }
    old = [(1, "B"), (2, "X"), (3, "I"), (4, "b"), (5, "n"), (6, "e"), (7, "E"), (8, "P")]
    made["old"] = p.cleared() + p.track(1, name="t") + b"".join(
        p.packet(p.at(at), field(11, field(22, "c") + field(23, "n") + field(11, 1) + field(6, field(2, ord(phase)) + field(3, 2**40) + field(6, 9)))) for at, phase in old)
    made["packed"] = p.packet(field(50, zlib.compress(made["circle"]))) + p.packet(field(50, zlib.compress(made["old"], 0)[:-20])) + made["lost"]
    made["cut"] = made["circle"][:-7]
    made["gz"] = gzip.compress(made["names"], mtime=0)
    return made


write("trace", traces())
write("perfetto", perfetto_traces())
write("chrome_trace", chrome_traces())
write("torch", torch_files.files())


def asked(*files, options=(), command=0, about=""):
    """A log directory as fuzz_logdir reads it: {path: bytes}, and (number of an option, value)."""
    out = b"".join(field(1, field(1, path) + field(2, data)) for path, data in files)
    out += b"".join(field(2, field(1, number) + field(2, value)) for number, value in options)
    return out + field(3, command) + field(4, about)


def plugin(run, *names):
    return ["plugins/profile/%s/%s" % (run, name) for name in names]


RUN, HOST, WORKER, SPAN, GRAPH, GRAPH_OF, TOP, PEAK = range(8)
GET, PROGRAM = 1, 2
TORCH = torch_files.files()
FIRST, SECOND = plugin("2026_11_21_02_41_41", "a.xplane.pb", "b.xplane.pb")
RAN = field(1, b"".join(field(1, field(1, device) + field(2, field(1, name) + field(2, start) + field(4, 9) + memory)) for device, name, start, memory in (
    ("/job:w/device:TPU:0", "dense/MatMul", 5, b""), ("/job:w/device:GPU:0", "dense/w:VariableV2", 3, field(6, field(1, "GPU_0_bfc") + field(2, 64) + field(5, 9))),
    ("/device:GPU:0/stream:all", "dense/w", 4, field(7, field(3, field(4, field(1, 8)))) + field(12, field(1, 5) + field(3, 6))))))
LOG = field(1, field(1, "dense/MatMul") + field(2, 1000) + field(3, "_mine") + field(4, field(1, field(2, 7) + field(6, 1) + field(7, 2)))) + b"".join(
    field(2, field(1, number) + field(2, text)) for number, text in ((1, "a.py"), (2, "f")))
LOGDIRS = {
    "two_hosts": asked((FIRST, SEEDS["tpu"]), (SECOND, SEEDS["cpu"]), options=[(TOP, "3")]),
    "one_of_two_hosts": asked((FIRST, SEEDS["gpu"]), (SECOND, SEEDS["gpu"]), options=[(HOST, "b")]),
    "seconds_apart": asked((FIRST, SEEDS["gpu"]), (plugin("2026_11_21_02_41_42", "c.xplane.pb")[0], SEEDS["environment"])),
    "all_runs": asked(*((path, SEEDS["cpu"]) for run in ("2026_11_21_02_41_41", "2026_11_22_02_41_41", "newest")
                        for path in plugin(run, "vm.xplane.pb")), options=[(RUN, "all")]),
    "second_run": asked(("x/" + FIRST, SEEDS["cpu"]), ("y/" + FIRST, SEEDS["gpu_bare"]), options=[(RUN, "2")]),
    "two_workers": asked(*(("job/%s.%d.pt.trace.json" % (worker, span), TORCH[kind]) for worker, span, kind in (
        ("rank0", 1711929600000, "new"), ("rank1", 1711929600001, "compact"), ("rank0", 1711929700000, "old")))),
    "one_span": asked(*(("%s.%d.pt.trace.json" % (worker, span), TORCH["rocm"]) for worker in ("a", "b") for span in (1, 2)),
                      options=[(WORKER, "a"), (SPAN, "2")]),
    "tools": asked((FIRST, SEEDS["environment"]), *((plugin("2026_11_21_02_41_41", "a" + kind + (".json" if name.startswith("json") else ".pb"))[0],
                   data) for kind in tool_files.KINDS[:4] for name, data in list(tool_files.some(kind).items())[:1])),
    "everything": asked((FIRST, SEEDS["every_plane"]), ("train/events.out.tfevents.1.h", EVENTS["tf1"]), ("graph.pb", GRAPHS["wire"][1:]),
                        ("r.1.pt.trace.json", TORCH["one_event"]), ("profile_1", GRAPHS["dump"][1:]), ("notes.txt", b"hello")),
    "figure": asked((FIRST, SEEDS["tpu"]), command=GET, about="step.time.mean_ms"),
    "programs": asked(("jit_f(7).hlo_proto.pb", PLANS["sound"]), command=PROGRAM),
    "program": asked(("jit_f(7).hlo_proto.pb", PLANS["sound"]), command=PROGRAM, about="jit_f"),
    "around": asked(("jit_f(7).hlo_proto.pb", PLANS["sound"]), options=[(GRAPH_OF, "b,width=3"), (PEAK, "bf16=1T")]),
    "graphs": asked(("a/graph.pb", GRAPHS["wire"][1:]), ("saved_model.pb", GRAPHS["saved_twice"][1:]), options=[(GRAPH, "2")]),
    "tfprof_parts": asked(("graph.pb", GRAPHS["wire"][1:]), ("run_meta_2", b'step_stats { dev_stats { device: "/device:CPU:0" node_stats { node_name: "x" '
                          b"all_start_micros: 5 op_end_rel_micros: 7 } } }"), ("run_meta_10.pb", RAN), ("tfprof_log", LOG)),
    "nothing": asked(("a/b/c.txt", b"no profile"), ("empty.xplane.pb", b"")),
    "packed": asked((FIRST + ".gz", gzip.compress(SEEDS["cpu"], mtime=0)), ("t.pt.trace.json.gz", gzip.compress(TORCH["old"], mtime=0))),
}
write("graph_of", {f"{name}_{how}": bytes([how]) + data for name, data in {
    "sound": PLANS["sound"], "attributes": HLO["attributes"], "convolution": HLO["convolution"], "circle": PLANS["circle"],
    "no_module": b""}.items() for how in (0, 14, 255)})
write("logdir", LOGDIRS)


def reports():
    """The sample report, section by section, and inside a page and a PDF."""
    with open(os.path.join(HERE, "../../golden/sample/expected.json"), encoding="utf-8") as file:
        whole = json.load(file)
    metrics = dict(list(whole["metrics"].items())[:4])
    small = {}
    for section in whole["sections"]:
        parts = [section] if section is whole["sections"][0] else [{**whole["sections"][0], "blocks": []}, section]
        part = {**whole, "metrics": metrics, "sections": parts}
        if section is not whole["sections"][0]:
            part["findings"] = [f for f in whole["findings"] if json.dumps(f["id"]) in json.dumps(section)]
        small[section["id"]] = json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()
    least = min(small.values(), key=len)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("steps", "findings"):
            path = os.path.join(folder, name)
            with open(path + ".json", "wb") as file:
                file.write(small[name])
            subprocess.run([os.environ["TPREPORT"], "-q", path + ".json", "-o", path + ".tps"], check=True)
            with open(path + ".tps", "rb") as file:
                data = file.read()
            small["summary_of_" + name] = unpacked(data)  # a fuzzer cannot see through what is deflated
            small["packed_summary_of_" + name] = data
    packed, flat = base64.b64encode(gzip.compress(least, mtime=0)), zlib.compress(least)
    return {
        **small,
        "page": b'<!doctype html><script type="application/gzip" id="report-json">' + packed + b"</script>",
        "old_page": b'<!DOCTYPE html><script type="application/json" id="report-json">' + least + b"</script>",
        "pdf": b"%PDF-1.7\n<< /Type /EmbeddedFile /Subtype /application#2Fjson /Length " + str(len(flat)).encode() + b" >>\nstream\n" + flat + b"\nendstream\nendobj\n",
    }


write("report", reports())


def rank_messages(folder, inputs):
    """A merged file of the inputs, and the messages in it."""
    summary, merged = Path(folder, "all.tps"), Path(folder, "merged.tps")
    subprocess.run([os.environ["TPREPORT"], "summarize", "-q", inputs, "-o", summary], check=True)
    subprocess.run([os.environ["TPREPORT"], "merge", "-q", summary, "-o", merged], check=True)
    return merged.read_bytes(), [made_ranks.rank_of(part) for part in made_ranks.parts(merged.read_bytes())]


def ranks():
    """The messages of ranks, which stand deflated in files, and a file of them."""
    with tempfile.TemporaryDirectory() as folder:
        made_ranks.make(folder + "/run", 3, steps=2)
        merged, messages = rank_messages(folder, folder + "/run")
        assert len(messages) == 3
        out = {"file": merged, "empty": b"", **{"rank%d" % i: message for i, message in enumerate(messages)}}
        for kind, make in made_hosts.KINDS.items():
            make(folder + "/" + kind, 2)
            merged, messages = rank_messages(folder, folder + "/" + kind)
            assert len(messages) == 2
            out |= {"file_" + kind: merged, **{"%s%d" % (kind, i): message for i, message in enumerate(messages)}}
        made_events.write(folder + "/logs/train", ["loss", "rate"], 12)
        made_events.write(folder + "/logs/eval", ["loss"], 3)
        merged, messages = rank_messages(folder, folder + "/logs")
        return out | {"file_events": merged, **{"events%d" % i: message for i, message in enumerate(messages)}}


write("ranks", ranks())
HEAD = b"captured_unix_s,label,job,run,report,run.device_type,run.batch.global,step.time.p50_ms,device.busy_share\r\n"
write("history", {
    "levels": HEAD + b"".join(b"%d,l%d,job,run,r%d.html,CPU,64,%d,0.5\r\n" % (i, i, i, 50 + i % 3 + 10 * (i > 12)) for i in range(24)),
    "mixed": HEAD + b"1,a,job,run,a.html,CPU,64,50,0.5\r\n2,b,other,run,/x/b.pdf,TPU,7,51,\r\n",
    "quoted": HEAD + b'1,"a ""b"", c\n","\'=x",run,,"CPU",64,"50",0.5\n',
    "numbers": HEAD + b"99999999999999999999,,,,,inf,1e300,nan,-0\n-1,,,,,,1e15,1e999,1e-320\n",
    "bytes": HEAD + b"1,\xff\xfe,\0,\xed\xa0\x80,\xe2\x80\xae,\0,\0,5\0,1\n2,,,,,,,,\n",
    "twice": b"captured_unix_s,step.time.p50_ms,step.time.p50_ms,captured_unix_s\n1,2,3,4\n5,6,7,8\n",
    "short": HEAD + b"1,2\n",
    "open": HEAD + b'1,"a,job,run',
    "other": b"a,b\n1,2\n",
    "no_rows": HEAD,
})
write("budget", {
    "all": b'{"schema": "tpreport.budget/1", "name": "b", "metrics": {"step.time.p50_ms": {"max": "52 ms", "max_increase": "2%"}, '
           b'"device.busy_share": {"min": "85%", "max_decrease": 0.02}, "step.count": {"min": 3, "max": 9}, '
           b'"memory.peak_bytes@module=jit_f": {"max": "13 GiB"}, "run.device_type": {"max": 1}}, '
           b'"forbid": ["TPR-OOM-*", "severity:high"], "min_coverage": 0.9}',
    "wrong_side": b'{"metrics": {"device.busy_share": {"max": 1}}}',
    "wrong_unit": b'{"metrics": {"step.time.p50_ms": {"max": "2 GiB"}}}',
    "crossed": b'{"metrics": {"step.count": {"min": 9, "max": 3}}}',
    "not_finite": b'{"metrics": {"step.count": {"min": "inf", "max": "nan", "max_increase": "1e999%"}}}',
    "unknown": b'{"metrics": {"step.time.p50": {"max": 1}}}',
    "twice": b'{"metrics": {}, "metrics": {}}',
    "stars": b'{"forbid": ["TPR-*-*", 1]}',
    "coverage_twice": b'{"metrics": {"data.coverage_share": {"min": 1}}, "min_coverage": "90 %"}',
    "deep": b"[" * 3000,
    "cut": b'{"metrics": {"step',
    "empty": b"",
})
