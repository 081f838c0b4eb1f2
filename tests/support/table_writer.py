"""Writes tables of LevelDB as checkpoints of TensorFlow have them: one block of entries, packed by Snappy or not; and what is in them."""

import struct

from xspace_writer import field, varint

MAGIC = bytes.fromhex("57fb808b247547db")


def block(entries):
    """Entries that share no bytes, and where they begin anew: at the first."""
    body = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in entries)
    return body + (0).to_bytes(4, "little") + (1).to_bytes(4, "little")


def snappy(text):
    """Packs as simply as it can be read: stretches of one byte are copies of the byte before, all else is as it is."""
    out, at = varint(len(text)), 0
    while at < len(text):
        run = at
        while run < len(text) and run - at < 60 and not (run + 4 <= len(text) and run > at and len(set(text[run - 1:run + 4])) == 1):
            run += 1
        literal = text[at:run]
        out += bytes([(len(literal) - 1) << 2]) + literal
        at = run
        same = at
        while 0 < same < len(text) and text[same] == text[at - 1] and same - at < 64:
            same += 1
        if same - at >= 4:
            out += bytes([(same - at - 1) << 2 | 2]) + (1).to_bytes(2, "little")
            at = same
    return out


def table(entries, packed=False):
    file, handles = b"", []

    def put(what):
        nonlocal file
        what = snappy(what) if packed else what
        handles.append(varint(len(file)) + varint(len(what)))
        file += what + bytes([packed]) + bytes(4)

    put(block(sorted(entries)))
    put(block([]))
    put(block([(b"\xff", handles[0])]))
    return file + (handles[1] + handles[2]).ljust(40, b"\0") + MAGIC


def shape_of(sizes):
    return b"".join(field(2, field(1, size)) for size in sizes)


VALUES = {1: (5, "<%df"), 2: (6, "<%dd"), 3: (7, None), 9: (10, None)}


def checkpoint_v1(variables, packed=False):
    """The one file of {name: (tensorflow.DataType, shape, values)}; a shape of None: half of a variable, in parts."""
    meta, entries = b"", []
    for name, (kind, shape, values) in variables.items():
        sizes = shape if shape is not None else (2 * len(values),)
        extents = b"".join(field(1, b"" if shape is not None else field(2, len(values))) for _ in sizes)
        meta += field(1, field(1, name.encode()) + field(2, shape_of(sizes)) + field(3, kind) + field(4, extents))
        number, layout = VALUES[kind]
        raw = struct.pack(layout % len(values), *values) if layout else b"".join(varint(v % 2**64) for v in values)
        tensor = field(1, kind) + field(number, raw)
        entries.append((b"\0" + name.encode(), field(2, field(1, name.encode()) + field(2, extents) + field(3, tensor))))
    return table([(b"", field(1, meta)), *entries], packed)


def checkpoint(variables, packed=False):
    """(index, data) of {name: (tensorflow.DataType, shape, bytes)}."""
    entries, data = [(b"", field(1, 1))], b""
    for name, (kind, shape, values) in sorted(variables.items()):
        entries.append((name.encode(), field(1, kind) + field(2, shape_of(shape)) +
                        field(4, len(data)) + field(5, len(values))))
        data += values
    return table(entries, packed), data
