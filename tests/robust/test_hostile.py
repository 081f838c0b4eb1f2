"""Profiles that lie about events, names and numbers; support/hostile.py says what each must give all the same."""

import tiny_xspace as t
from hostile import BROKEN, EVIL, MANY, judge, raw_event
from tiny_xspace import MS
from xspace_writer import field


def thread(name, events, plane=None):
    plane = plane or t.Plane("/host:CPU")
    return plane.line(name, events)


def evil_names():
    host, device, gpu = t.host(2), t.tpu(0, 2), t.gpu(0, 2)
    for i, name in enumerate(EVIL + BROKEN):
        plain = name if isinstance(name, str) else name.decode("latin-1")
        op = device.op(name, plain, {"hlo_category": plain, "tf_op": t.Ref(plain), "source": plain, "program_id": i})
        device.line("XLA Ops", [device.event(op, (50 + i) * MS, MS)])
        host.line(name, [host.event(name, i * MS, 5, {"hlo_op": plain, "program_id": i, "_r": 1}),
                         host.event(b"train " + t.as_bytes(name), i * MS, 10 * MS, {"_r": 1, "step_name": plain})])
        gpu.line(name, [gpu.event(name, (20 + i) * MS, MS, {"shape": plain, "correlation_id": i})])
        host.stat(plain, plain)
    env = t.environment().stat("jax_version", EVIL[0])
    twins = [t.tpu(0, 2) for _ in range(2)] + [t.Plane("/device:TPU:0 " + EVIL[1])]
    return t.space(env, host, device, gpu, *twins, hostname=EVIL[0], errors=EVIL + BROKEN)


def only_evil_steps():
    plane = t.Plane("/device:TPU:0")
    for i, name in enumerate(EVIL + BROKEN):
        plane.op(name, stats={"hlo_category": "loop fusion"}, number=i)
    order = range(len(EVIL + BROKEN))
    plane.line("Steps", [plane.event(i, i * MS, MS) for i in order])
    plane.line("XLA Ops", [plane.event(i, i * MS, MS // 2) for i in order])
    return t.space(plane)


def long_names():
    plane, host = t.tpu(0, 2), t.host(2)
    long = "n" * 2**20
    for i in range(4):
        op = plane.op(long + str(i), long + str(i), {"hlo_category": long, "tf_op": long})
        plane.line("XLA Ops", [plane.event(op, (30 + i) * MS, MS)])
    host.line(long, [host.event(long, 0, MS)]).stat(long, long)
    return t.space(plane, host, t.Plane("/device:TPU:1" + long), hostname=long, errors=[long])


def of_all(text, count):
    """A text that is written once and is what each of many operations says of itself."""
    plane = t.Plane("/device:TPU:0")
    once = t.Ref("#")
    events = []
    for i in range(count):
        op = plane.op(f"op{i}", stats={"hlo_category": once, "tf_op": once})
        events.append(raw_event(op, i * 10, 5))
    plane.stat_ids[text] = plane.stat_ids.pop(b"#")
    return t.space(plane.line("XLA Ops", events))


def one_long_name_of_all():
    return of_all(b"c" * 2**23, MANY // 20)


def one_broken_name_of_all():
    return of_all(b"\xc3(" * 1000, MANY // 20)


def same_names():
    """Different programs, one name: row ids must differ, and be found quickly."""
    plane = t.Plane("/device:TPU:0")
    events = []
    for i in range(MANY // 4):
        op = plane.op("same", stats={"hlo_category": "loop fusion", "program_id": i}, number=i + 1)
        events.append(raw_event(op, i * 10, 5))
    return t.space(plane.line("XLA Ops", events))


def many_categories():
    plane = t.Plane("/device:TPU:0")
    events = []
    for i in range(MANY // 4):
        op = plane.op(f"op{i}", stats={"hlo_category": f"category{i}"})
        events.append(raw_event(op, i * 10, 5))
    return t.space(plane.line("XLA Ops", events))


def ids():
    plane = t.Plane("/device:TPU:4294967296999")
    events = [plane.event(plane.op(f"op{n}", stats={"hlo_category": "x", "program_id": n}, number=n), i * MS, MS)
              for i, n in enumerate([-1, 0, 2**31, 2**63 - 1, -2**63, 65535, 65536])]
    plane.metadata += plane.metadata  # every id twice
    plane.line("XLA Ops", events + [plane.event(12345, 0, 1)])
    return t.space(plane)


def huge_times():
    planes = []
    for kind in ("XLA Ops", "Steps", "Stream #1"):
        p = t.Plane("/device:GPU:0" if kind[1] == "t" and kind != "Steps" else "/device:TPU:0")
        big = [0, 1, -1, 2**59, 2**60 - 1, 2**60, 2**62, 2**63 - 1, -2**63]
        events = [p.event("a", at, length, {"device_offset_ps": at, "device_duration_ps": length})
                  for at in big for length in big]
        planes.append(p.line(kind, events * 3))
        for timestamp in (2**63 - 1, -2**63, 2**50):
            planes[-1].line(kind, [p.event("a", 5, 5)], timestamp)
    host = t.Plane("/host:CPU")
    host.line("main", [host.event("train", at, length, {"_r": 1, "step_num": at}) for at in big for length in big])
    env = t.environment(2**63 - 1).stat("profile_stop_time", -2**63).stat("dropped_traces", 2**64 - 1)
    return t.space(env, host, *planes)


def overlapping_ops():
    """Children that together are longer than what they nest in."""
    plane = t.tpu(0, 2)
    op = plane.op("outer", stats={"hlo_category": "loop fusion"})
    events = [plane.event(op, 0, 2**59)]
    events += [plane.event(op, i, 2**58 + i) for i in range(1, 200)]
    return t.space(plane.line("XLA Ops", events), t.tpu(1, 2))


def odd_figures():
    planes = []
    for i, number in enumerate([float("nan"), float("inf"), -1.0, 0.0, 1e308, 5e-324]):
        planes.append(t.tpu(i, 2, flops=number, hbm=number))
        planes[-1].stat("memory_size", number).stat("clock_rate", number)
    env = t.Plane("Task Environment")
    env.stat("matrix_unit_utilization_percent", float("nan")).stat("hbm_utilization_percent", float("inf"))
    env.stat("dropped_traces", float("nan")).stat("profile_start_time", float("-inf"))
    return t.space(env, *planes)


def odd_costs():
    plane = t.tpu(0, 2)
    events = []
    for i, number in enumerate([-1, 2**63 - 1, 2**64 - 1, 1e300, float("nan"), -0.0]):
        op = plane.op(f"cost{i}", stats={"hlo_category": "custom-call" if i % 2 else "convolution", "flops": number,
                                         "bytes_accessed": number, "model_flops": number})
        events += [plane.event(op, (30 + i) * MS, MS, {"flops": number, "bytes_accessed": number})] * 3
    return t.space(plane.line("XLA Ops", events))


def steps_of_no_length():
    plane = t.Plane("/device:TPU:0")
    op = plane.op("op", stats={"hlo_category": "infeed"})
    plane.line("Steps", [plane.event(str(i), i, 0) for i in range(5)])
    return t.space(plane.line("XLA Ops", [plane.event(op, i, 0) for i in range(5)]))


def a_step_of_no_length():
    plane = t.tpu(0, 4)
    plane.lines.clear()
    infeed, lengths = plane.op("%infeed = f32[8] infeed()"), [0, MS, MS, MS]
    plane.line("Steps", [plane.event(str(i), i * MS, length) for i, length in enumerate(lengths)])
    return t.space(plane.line("XLA Ops", [plane.event(infeed, i * MS, MS // 2) for i in range(4)]))


def deep_nesting():
    """Each event in the one before, on host and device."""
    inner = [raw_event(2, i, 2 * (MANY * 5 - i)) for i in range(MANY * 5)]
    host, device = t.Plane("/host:CPU"), t.Plane("/device:TPU:0")
    root = host.op("train")
    host.op("inner")
    device.op("train"), device.op("inner", stats={"hlo_category": "while"})
    start = [host.event(root, 0, 2 * MANY * 5 + 2, {"_r": 1, "step_num": 1})]
    host.line("deep", start + inner)
    device.line("Steps", [raw_event(1, 0, 2 * MANY * 5)]).line("XLA Ops", inner)
    return t.space(host, device)


def equal_starts():
    device, host = t.Plane("/device:TPU:0"), t.Plane("/host:CPU")
    op = device.op("op", stats={"hlo_category": "loop fusion"})
    device.line("Steps", [raw_event(op, 0, 10)]).line("XLA Ops", [raw_event(op, 5, 5) * (5 * MANY)])
    root = field(1, host.stat_id("_r")) + field(3, 1)
    host.line("a", [raw_event(host.op("train"), 7, 3, field(4, root)) * (5 * MANY)])
    return t.space(device, host)


def sliding_roots():
    """Roots that overlap without nesting: each could be looked at once for each other."""
    host = t.Plane("/host:CPU")
    root = field(4, field(1, host.stat_id("_r")) + field(3, 1))
    op = host.op("train")
    return t.space(host.line("a", [raw_event(op, i, MANY, root) for i in range(MANY)]))


def nested_roots():
    """Inner roots come first by level; the outer ones then go over them again."""
    host = t.Plane("/host:CPU")
    key = field(1, host.stat_id("_r"))
    op = host.op("train")
    return t.space(host.line("a", [
        raw_event(op, i, 2 * (MANY - i), field(4, key + field(3, i + 1))) for i in range(MANY)]))


def flows(events, tags_each=1):
    host = t.Plane("/host:CPU")
    keys = {k: field(1, host.stat_id(k)) for k in ("_r", "_pt", "_p", "_ct", "_c")}
    stat = lambda key, number: field(4, keys[key] + field(3, number))
    lines = {}
    for line, number, produces, consumes in events:
        stats = stat("_r", 1) if number == 0 else b""
        stats += stat("_pt", 1) + stat("_p", produces) * tags_each if produces is not None else b""
        stats += stat("_ct", 1) + stat("_c", consumes) * tags_each if consumes is not None else b""
        lines.setdefault(line, []).append(raw_event(host.op("work"), number * 10, 5, stats))
    for line, rows in lines.items():
        host.line(f"thread {line}", rows)
    return t.space(host)


def flow_ring():
    return flows([("a", i, (i + 1) % MANY, i) for i in range(MANY)])


def one_flow_for_all():
    """Everybody produces what everybody consumes."""
    return flows([("ab"[i % 2], i, 1, 1) for i in range(MANY)])


def tags_without_end():
    """One event that says a hundred thousand times what it produces."""
    return flows([("a", 0, 1, None), ("b", 5, 2, 1)], tags_each=MANY)


def many_steps():
    """Step markers without end, with an activity in each, on two hosts' worth of threads."""
    host = t.Plane("/host:CPU")
    number = field(1, host.stat_id("step_num"))
    root = field(4, field(1, host.stat_id("_r")) + field(3, 1))
    train, work = host.op("train"), host.op("work")
    events = []
    for i in range(5 * MANY):
        events.append(raw_event(train, i * 10, 9, root + field(4, number + field(3, i))))
        events.append(raw_event(work, i * 10 + 1, 5))
    return t.space(host.line("main", events))


def many_tpu_steps():
    """Two cores with steps without end, and many that have one each."""
    planes = []
    for core in range(200):
        p = t.Plane(f"/device:TPU:{core}")
        count = MANY // 2 if core < 2 else 1
        ops = [p.op(str(i), stats={"hlo_category": "loop fusion"}, number=i + 1) for i in range(count)]
        p.line("Steps", [raw_event(op, op * 10, 10) for op in ops])
        planes.append(p.line("XLA Ops", [raw_event(op, op * 10, 4) for op in ops]))
    return t.space(*planes)


def many_planes():
    tpu = [t.Plane(f"/device:TPU:{i}") for i in range(MANY // 10)]
    gpu = [t.Plane(f"/device:GPU:{i}") for i in range(MANY // 10)]
    for p in tpu:
        op = p.op("op", stats={"hlo_category": "x"})
        p.stat("core_details", field(5, len(p.name)))
        p.line("Steps", [raw_event(op, 0, 9)]).line("XLA Ops", [raw_event(op, 1, 5)])
    for p in gpu:
        p.line("Stream #1", [raw_event(p.op("kernel"), 0, 9)])
    return t.space(*tpu, *gpu)


def many_lines():
    """Many threads, each damaged in its own way."""
    host = t.Plane("/host:CPU")
    for i in range(MANY // 2):
        host.lines.append(field(3, field(2, f"thread {i}") + raw_event(1, 0, 5) + b"\x22\x70"))
    host.op("event")
    return t.space(host, errors=[f"error {i}" for i in range(MANY // 2)])


def many_facts():
    env = t.Plane("Task Environment")
    for i in range(MANY):
        env.stats.append(field(6, field(1, env.stat_id("fact")) + field(3, i)))
    return t.space(env)


def many_programs():
    meta, host = t.Plane("/host:metadata"), t.Plane("/host:CPU")
    events = []
    for i in range(MANY // 10):
        meta.op(f"jit_f({i})", stats={"hlo_proto": t.hlo("f", [("dot", "dot", "")])})
        events.append(host.event("dot", i * 10, 5, {"hlo_op": "dot", "program_id": i}))
    return t.space(meta, host.line("main", events))


def deep_hlo():
    """Shapes in shapes in shapes, where nobody looks: fields that are unknown nest without recursion."""
    nest = b""
    for _ in range(3000):
        nest = field(3, nest)
    proto = t.hlo("f", [("dot", "dot", "")])
    deep = field(1, field(3, field(2, field(3, nest) + field(90, nest))) + nest) + nest
    meta, host = t.Plane("/host:metadata"), t.Plane("/host:CPU")
    meta.op("jit_f(1)", stats={"hlo_proto": proto + deep})
    meta.op("jit_g(2)", stats={"hlo_proto": b"\xff" * 100})
    host.line("main", [host.event("dot", 0, 5, {"hlo_op": "dot", "program_id": 1}),
                       host.event("dot", 9, 5, {"hlo_op": "dot", "program_id": 2})])
    return t.space(meta, host)


def damaged_event_with_tags():
    """The tags of an event that cannot be used must not become those of the next, or of none."""
    host = t.Plane("/host:CPU")
    bad = host.event("train", 2**62, 5, {"_r": 1, "step_num": 7})
    good = host.event("quiet", 5, 5)
    return t.space(host.line("a", [good, bad]), host.line("b", [bad]).line("c", [bad, good, bad]))


CASES = [
    evil_names, only_evil_steps, long_names, one_long_name_of_all, one_broken_name_of_all, same_names, many_categories, ids, huge_times,
    overlapping_ops, odd_figures, odd_costs, steps_of_no_length, a_step_of_no_length, deep_nesting, equal_starts,
    sliding_roots, nested_roots,
    flow_ring, one_flow_for_all, tags_without_end, many_steps, many_tpu_steps, many_planes, many_lines, many_facts,
    many_programs, deep_hlo, damaged_event_with_tags,
]


if __name__ == "__main__":
    judge(CASES)
