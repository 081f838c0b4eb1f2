"""Writes small HLO modules, for captures and seeds whose figures can be worked out by hand.

    m = Module("jit_f")
    c = m.computation("main")
    a = c.add("a", "parameter", "f32[8,128]{1,0:T(8,128)}", parameter_number=0)
    c.add("dot", "dot", "f32[8,8]{1,0:T(8,128)}", a, b, dot=([1], [0]))
    m.bytes()
"""

import re
import struct

from xspace_writer import field, varint

TYPES = {"pred": 1, "s8": 2, "s16": 3, "s32": 4, "s64": 5, "u8": 6, "u16": 7, "u32": 8, "u64": 9, "f16": 10,
         "f32": 11, "f64": 12, "c64": 15, "bf16": 16, "token": 17, "c128": 18, "s4": 21, "u4": 22}

ALLOC, FREE, SHARE = 0, 1, 2  # kinds of a heap simulation's events


def packed(number, values):
    return field(number, b"".join(varint(v) for v in values)) if values else b""


def tile(text):
    return field(6, packed(1, [-2**63 if n == "*" else int(n) for n in text.split(",")]))


def layout(text):
    """"3,2,1,0:T(8,128)(2,1)S(1)" """
    order, _, rest = text.partition(":")
    out = packed(1, [int(n) for n in order.split(",") if n])
    tiles = re.match(r"T((?:\([^)]*\))+)", rest)
    for one in re.findall(r"\(([^)]*)\)", tiles.group(1) if tiles else ""):
        out += tile(one)
    for letter, number in (("E", 7), ("S", 8), ("M", 15), ("L", 16)):
        found = re.search(letter + r"\((\d+)\)", rest)
        out += field(number, int(found.group(1))) if found else b""
    return out


def split(text):
    """The members of "f32[2,3], (f32[], token[])"."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            out.append(text[start:i].strip())
            start = i + 1
    return out + ([text[start:].strip()] if text[start:].strip() else [])


def shape(text):
    if text.startswith("("):
        return field(2, 13) + b"".join(field(4, shape(s)) for s in split(text[1:-1]))
    name, sizes, rest = re.fullmatch(r"(\w+)\[([^\]]*)\](?:\{(.*)\})?", text).groups()
    out = field(2, TYPES[name]) + packed(3, [int(n) for n in sizes.split(",") if n])
    return out + (field(5, layout(rest)) if rest is not None else b"")


def convolution(labels, window, stride, feature_groups=1):
    """labels: "b01f_01io->b01f" """
    lhs, rest = labels.split("_")
    rhs, out = rest.split("->")
    spatial = [str(k) for k in range(len(window))]
    numbers = [(7, lhs, "b"), (8, lhs, "f"), (3, rhs, "i"), (4, rhs, "o"), (9, out, "b"), (10, out, "f")]
    dims = b"".join(field(n, text.index(c)) for n, text, c in numbers)
    dims += b"".join(packed(n, [text.index(c) for c in spatial]) for n, text in ((11, lhs), (6, rhs), (12, out)))
    windows = b"".join(field(1, field(1, size) + field(2, step) + field(5, 1) + field(6, 1))
                       for size, step in zip(window, stride))
    return field(15, windows) + field(16, dims) + field(50, feature_groups)


def dot(lhs, rhs, lhs_batch=(), rhs_batch=()):
    return field(30, packed(1, lhs) + packed(2, rhs) + packed(3, lhs_batch) + packed(4, rhs_batch))


class Computation:
    def __init__(self, module, name, fused):
        self.module, self.name, self.fused, self.id, self.body, self.last = module, name, fused, module.new(), b"", 0

    def add(self, name, opcode, text, *operands, calls=(), op_name="", source=("", 0), kind="", conv=None,
            dot_dims=None, attributes=None, backend="", extra=b"", **numbers):
        """Returns the id, by which others name it as their operand. numbers: parameter_number, tuple_index, channel_id
        extra: fields as bytes"""
        self.last = self.module.new()
        out = field(1, name) + field(2, opcode) + field(3, shape(text))
        out += field(7, field(2, op_name) + field(3, source[0]) + field(4, source[1])) if op_name else b""
        out += field(11, kind) if kind else b""
        out += convolution(*conv) if conv else b""
        out += dot(*dot_dims) if dot_dims else b""
        out += field(68, b"".join(field(1, field(1, k) + field(2, v)) for k, v in attributes.items())) if attributes else b""
        out += field(43, backend) if backend else b""
        out += b"".join(field({"parameter_number": 9, "tuple_index": 13, "channel_id": 26}[k], v)
                        for k, v in numbers.items())
        out += extra + field(35, self.last) + packed(36, operands) + packed(38, [c.id for c in calls])
        self.body += field(2, out)
        return self.last

    def bytes(self):
        return field(1, self.name) + self.body + field(5, self.id) + field(6, self.last) + field(7, int(self.fused))


class Module:
    def __init__(self, name):
        self.name, self.computations, self.ids, self.devices = name, [], 0, []
        self.schedule = {}  # computation: ids of its instructions

    def new(self):
        self.ids += 1
        return self.ids

    def computation(self, name, fused=False):
        """Called ones first; the last is the entry."""
        self.computations.append(Computation(self, name, fused))
        return self.computations[-1]

    def bytes(self):
        """An xla.HloProto."""
        entry = self.computations[-1]
        body = field(1, self.name) + field(2, entry.name)
        body += b"".join(field(3, c.bytes()) for c in self.computations) + field(6, entry.id)
        if self.schedule:
            body += field(7, b"".join(field(1, field(1, c.id) + field(2, packed(1, ids))) for c, ids in self.schedule.items()))
        if self.devices:  # of replicas
            body += field(15, field(1, len(self.devices)) + field(2, 1) + field(3, packed(1, self.devices)))
        return field(1, body)


class Plan:
    """A module's memory plan: buffers of instructions in allocations, and what a heap simulation did with them.

    p = Plan()
    a = p.buffer(instruction, 4096, space=1)
    p.allocation(4096, a, space=1, constant=True)
    p.events((ALLOC, a, "fusion.1"), (SHARE, b, "copy", a), (FREE, a, "fusion.1"))
    module.bytes() + p.bytes()
    """

    FLAGS = {"thread_local": 3, "parameter": 5, "live_out": 7, "constant": 12}

    def __init__(self):
        self.buffers, self.allocations, self.traces = [], [], []
        self.sizes = {}

    def buffer(self, instruction, size, space=0, part=(), number=None):
        number = number or len(self.buffers) + 1
        self.sizes[number] = size
        place = packed(3, part) + field(4, instruction)
        self.buffers.append(field(1, number) + field(2, size) + field(3, place) + field(4, space))
        return number

    def allocation(self, size, *buffers, space=0, **flags):
        out = field(1, len(self.allocations)) + field(2, size) + field(8, space)
        out += b"".join(field(self.FLAGS[name], int(value)) for name, value in flags.items())
        out += b"".join(field(9, field(1, one) + field(3, self.sizes.get(one, 0))) for one in buffers)
        self.allocations.append(out)

    def events(self, *events):
        """(kind, buffer, instruction's name[, whose memory it shares])"""
        self.traces.append(b"".join(field(1, field(1, kind) + field(2, buffer) + field(4, name) +
                                          b"".join(field(5, other) for other in rest))
                                    for kind, buffer, name, *rest in events))

    def bytes(self):
        """To follow the bytes of a module."""
        return field(3, b"".join(field(number, one) for number, parts in
                                 ((1, self.buffers), (3, self.allocations), (4, self.traces)) for one in parts))


def padded_convolution(name):
    """An HloProto: images of 3 features in batches of 16, in a fusion of this name."""
    m = Module("jit_f")
    fused = m.computation("fused", fused=True)
    a = fused.add("p0", "parameter", "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}", parameter_number=0)
    b = fused.add("p1", "parameter", "bf16[7,7,3,64]{3,2,1,0:T(8,128)(2,1)}", parameter_number=1)
    fused.add("convolution", "convolution", "bf16[16,112,112,64]{3,0,2,1:T(8,128)(2,1)}", a, b,
              conv=("b01f_01io->b01f", [7, 7], [2, 2]), op_name="jit(f)/conv", source=("m.py", 3))
    main = m.computation("main")
    a = main.add("a", "parameter", "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}", parameter_number=0)
    b = main.add("b", "parameter", "bf16[7,7,3,64]{3,2,1,0:T(8,128)(2,1)}", parameter_number=1)
    c = main.add(name, "fusion", "bf16[16,112,112,64]{3,0,2,1:T(8,128)(2,1)}", a, b, calls=[fused], kind="kOutput")
    main.add("out", "tuple", "(bf16[16,112,112,64]{3,0,2,1:T(8,128)(2,1)}, token[], s4[3]{0:T(*,8)E(4)S(5)})", c)
    return m.bytes()


def floats(*values):
    return field(8, field(8, struct.pack(f"<{len(values)}f", *values)))


def every_attribute():
    """A Module of instructions whose text has something of its own."""
    m = Module("jit_f")
    add = m.computation("add")
    x, y = (add.add(name, "parameter", "f32[]", parameter_number=n) for n, name in enumerate("xy"))
    m.schedule[add] = [y, x, add.add("sum", "add", "f32[]", x, y)]
    main = m.computation("main")
    p = main.add("p", "parameter", "f32[4,8]{1,0:T(8,128)}", parameter_number=0,
                 extra=field(40, field(1, 3) + packed(3, [2, 1, 2]) + packed(9, [2, 2]) + packed(10, [1, 0]) + field(6, 1)))
    main.add("square", "constant", "f32[2,2]{1,0}", extra=floats(1, 2.5, 0.1, float("-inf")))
    main.add("column", "constant", "f32[2,1]{1,0}", extra=floats(1, 16777216))
    main.add("turned_square", "constant", "f32[2,2]{0,1}", extra=floats(1, 3, 2, 4))
    main.add("own", "constant", "f32[2,2]{0,1}", extra=field(8, field(1, shape("f32[2,2]{1,0}")) + field(8, struct.pack("<4f", 1, 2, 3, 4))))
    main.add("many", "constant", "f32[11]{0}", extra=floats(*range(11)))
    main.add("bytes", "constant", "s8[3]{0}", extra=field(8, field(15, b"\xff\x00\x7f")))
    main.add("halves", "constant", "f16[4]{0}", extra=field(8, field(11, struct.pack("<4e", 1, -0.1, 65504, 6e-8))))
    main.add("brain", "constant", "bf16[2]{0}", extra=field(8, field(13, b"\xcd\x3d\x80\x3f")))
    main.add("wide", "constant", "f64[]", extra=field(8, field(9, struct.pack("<d", 0.1))))
    main.add("yes", "constant", "pred[]", extra=field(8, packed(2, [1])))
    main.add("both", "constant", "pred[2]{0}", extra=field(8, packed(2, [1, 0])))
    main.add("short", "constant", "f32[2]{0}", extra=floats(1))
    zero = main.add("zero", "constant", "f32[]", extra=floats(0))
    main.add("part", "slice", "f32[2,2]{1,0}", p, extra=field(17, field(2, 4) + field(3, 2)) + field(17, field(1, 3) + field(2, 5) + field(3, 1)))
    main.add("wider", "pad", "f32[7,8]{1,0}", p, zero, extra=field(21, field(1, field(1, 1) + field(2, 2)) + field(1, b"")))
    main.add("apart", "pad", "f32[7,8]{1,0}", p, zero, extra=field(21, field(1, field(3, 1)) + field(1, b"")))
    main.add("less", "compare", "pred[4,8]{1,0}", p, p, extra=field(63, "LT") + field(72, "TOTALORDER"))
    main.add("rows", "reduce", "f32[4]{0}", p, zero, calls=[add], extra=packed(14, [1]))
    main.add("all", "all-reduce", "f32[4,8]{1,0}", p, calls=[add], channel_id=3,
             extra=field(49, packed(1, [0, 1])) + field(49, packed(1, [2, 3])) + field(71, 1))
    main.add("turned", "all-gather", "f32[8,8]{1,0}", p, channel_id=4,
             extra=packed(14, [0]) + field(87, field(2, field(1, 2) + field(2, 2) + packed(3, [2, 2]) + packed(4, [1, 0]))))
    main.add("onward", "collective-permute", "f32[4,8]{1,0}", p, channel_id=5,
             extra=field(52, field(2, 1)) + field(52, field(1, 1)))
    main.add("outside", "custom-call", "f32[4,8]{1,0}", p, backend="a \"b\"\n", attributes={"b": "{x}", "a": "y"},
             extra=field(28, "call") + field(56, 1) + field(57, shape("f32[4,8]{1,0}")) + field(65, 1) + field(77, 4))
    main.add("times", "dot", "f32[4,4]{1,0}", p, p, dot_dims=([1], [1]), extra=field(51, packed(1, [2, 0])))
    main.add("new\nline", "negate", "f32[4,8]{1,0}", p)
    main.add("strange", "negate", "f32[4,8]{1,0}", p, extra=field(90, 7))
    main.add("out", "tuple", f"({', '.join(['f32[]'] * 6)})", *[zero] * 6)
    return m
