"""An HLO module whose operations follow each other, each in its own buffer."""
from big_xspace import block, number, packed


def hlo_module(name, ops, dims, element_type, element_bytes, tiles=()):
    """The bytes of an HloProto, and the peak of its heap: parameter and result, and two of the other buffers."""
    layout = packed(1, range(len(dims) - 1, -1, -1)) + b''.join(block(6, packed(1, tile)) for tile in tiles)
    shape = number(2, element_type) + packed(3, dims) + block(5, layout) + packed(6, [0] * len(dims))
    size = element_bytes
    for dim in dims:
        size *= dim

    def instruction(text, opcode, key, operand=None, more=b''):
        out = block(1, text) + block(2, opcode) + block(3, shape) + more + number(35, key)
        return out + (packed(36, [operand]) if operand else b'')

    program = block(1, shape) + block(2, shape) + block(3, 'p')

    def computation(text, instructions, key, root, more=b''):
        return block(1, text) + b''.join(block(2, i) for i in instructions) + block(4, program) \
            + number(5, key) + number(6, root) + more

    fused, entry = [], [instruction('p', 'parameter', 1, more=number(9, 0))]
    for k, op in enumerate(ops):
        inner, key = 1_000_000 + 10 * k, k + 2
        fused.append(computation('fused.%d' % k, [instruction('q.%d' % k, 'parameter', inner + 1, more=number(9, 0)),
                                                  instruction('r.%d' % k, 'negate', inner + 2, inner + 1)],
                                 inner, inner + 2, number(7, 1)))
        about = block(7, block(2, op['tf_op']) + block(3, op['file']) + number(4, op['line']))
        entry.append(instruction(op['name'], 'fusion', key, key - 1, about + block(11, 'kLoop') + packed(38, [inner])))
    root = len(ops) + 1
    order = block(1, number(1, 999) + block(2, packed(1, range(1, root + 1))))
    module = block(1, name) + block(2, 'main') + b''.join(block(3, c) for c in fused) \
        + block(3, computation('main', entry, 999, root)) + block(4, program) + number(5, 1) + number(6, 999) \
        + block(7, order)

    def trace(kind, key):
        instruction_name = ops[key - 2]['name']
        return block(1, number(1, kind) + number(2, key) + block(3, 'main') + block(4, instruction_name))

    logical = b''.join(block(1, number(1, k) + number(2, size) + block(3, number(4, k))) for k in range(1, root + 1))
    slots = b''.join(block(9, number(1, k) + number(2, k % 2 * size) + number(3, size)) for k in range(2, root))
    allocations = block(3, number(1, 0) + number(2, size) + number(5, 1) + block(9, number(1, 1) + number(3, size))) \
        + block(3, number(1, 1) + number(2, size) + number(7, 1) + block(9, number(1, root) + number(3, size))) \
        + block(3, number(1, 2) + number(2, 2 * size) + slots)
    heap = b''
    for k in range(2, root):
        heap += trace(0, k) + (trace(1, k - 1) if k > 2 else b'')
    heap += trace(1, root - 1) + number(3, 2)
    return block(1, module) + block(3, logical + allocations + block(4, heap)), 4 * size


def add_module(space, program_id, module):
    plane = space.plane('/host:metadata')
    name = 'jit_train_step(%d)' % program_id
    facts = plane.stat('Hlo Proto', module, field=5) + plane.stat('program_id', program_id, 'uint', 5)
    plane.event_id(name, name, facts)
