"""Cores of a TPU pod and a program with a channel, as a profiler writes them."""

import hlo_writer
from xspace_writer import Plane, field

MS = 10**9  # picoseconds


def core(number, steps, events, details=True, ids=True, cores_a_chip=2):
    """steps: (name, start, end); events: (name, category, start, end), times in ms."""
    chip, on_chip = divmod(number, cores_a_chip)
    plane = Plane(f"/device:TPU:{number}", device_type_string="TPU v3",
                  **({"core_details": field(2, number) + field(3, on_chip) + field(5, chip) + field(6, number)} if details else {}))
    marks, ops, known = plane.line("Steps"), plane.line("XLA Ops"), set()
    for name, start, end in steps:
        marks.event(name, int(start * MS), int((end - start) * MS))
    for name, category, start, end in events:
        if name not in known:
            plane.op(name, hlo_category=category, program_id=1)
        known.add(name)
        tags = {"all_reduce_unique_id": int(start // 100) + 1} if category == "all-reduce" and ids else {}
        ops.event(name, int(start * MS), int((end - start) * MS), **tags)
    return plane


def program(pairs, devices=()):
    """A program in which channel 3 carries 4 MiB."""
    m = hlo_writer.Module("jit_f")
    main = m.computation("main")
    token = main.add("token", "after-all", "token[]")
    more = {"channel_id": 3, "attributes": {"_xla_send_recv_source_target_pairs": pairs}}
    data = "bf16[2048,1024]{1,0:T(8,128)(2,1)}"
    a = main.add("a", "parameter", data, parameter_number=0)
    main.add("send.7", "send", f"({data}, u32[], token[])", a, token, **more)
    recv = main.add("recv.7", "recv", f"({data}, u32[], token[])", token, **more)
    main.add("recv-done.7", "recv-done", f"({data}, token[])", recv, **more)
    m.devices = list(devices)
    plane = Plane("/host:metadata")
    plane.op("jit_f(1)", **{"Hlo Proto": m.bytes()})
    plane.line("none").event("jit_f(1)", 0, 0)
    return plane
