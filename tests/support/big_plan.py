"""Writes a compiled program with very many buffers, to see that a report on it stays small and comes at once.

    PYTHONPATH=tests/support python3 tests/support/big_plan.py BUFFERS LIVE OUT.hlo_proto.pb
"""

import sys

import hlo_writer
from hlo_writer import ALLOC, FREE
from xspace_writer import field


PEAK_BUFFER_BYTES = 4096  # of each array, which holds 1,000 numbers of 4 bytes


def big_plan(buffers, live):
    """An HloProto of as many arrays, of which up to `live` are there at one time. Its peak is live × 4,096 bytes, 4,000 without
    padding, and it is first reached by event live - 1."""
    shape = hlo_writer.shape("f32[1000]{0:T(1024)}")
    instructions, logical, assigned, events = [], [], [], []
    for number in range(1, buffers + 1):
        name = f"fusion.{number}"
        instructions.append(field(2, field(1, name) + field(2, "fusion") + field(3, shape) + field(35, number) +
                                  field(7, field(2, f"jit(step)/layer_{number % 96}/mul"))))
        logical.append(field(1, field(1, number) + field(2, PEAK_BUFFER_BYTES) + field(3, field(4, number))))
        assigned.append(field(9, field(1, number) + field(3, PEAK_BUFFER_BYTES)))
        if number > live:
            events.append(field(1, field(1, FREE) + field(2, number - live) + field(4, f"fusion.{number - live}")))
        events.append(field(1, field(1, ALLOC) + field(2, number) + field(4, name)))
    computation = field(1, "main") + b"".join(instructions) + field(5, 1) + field(6, buffers)
    module = field(1, "jit_step") + field(2, "main") + field(3, computation) + field(5, 7) + field(6, 1)
    allocation = field(3, field(1, 0) + field(2, live * PEAK_BUFFER_BYTES) + b"".join(assigned))
    return field(1, module) + field(3, b"".join(logical) + allocation + field(4, b"".join(events)))


if __name__ == "__main__":
    with open(sys.argv[3], "wb") as out:
        out.write(big_plan(int(sys.argv[1]), int(sys.argv[2])))
