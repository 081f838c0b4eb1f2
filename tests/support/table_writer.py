"""Writes tables of LevelDB as checkpoints of TensorFlow have them: one block of entries, nothing packed; and what is in them."""

from xspace_writer import field, varint

MAGIC = bytes.fromhex("57fb808b247547db")


def block(entries):
    """Entries that share no bytes, and where they begin anew: at the first."""
    body = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in entries)
    return body + (0).to_bytes(4, "little") + (1).to_bytes(4, "little")


def table(entries):
    file, handles = b"", []
    for what in (block(sorted(entries)), block([])):
        handles.append(varint(len(file)) + varint(len(what)))
        file += what + bytes(5)
    index = block([(b"\xff", handles[0])])
    footer = handles[1] + varint(len(file)) + varint(len(index))
    return file + index + bytes(5) + footer.ljust(40, b"\0") + MAGIC


def checkpoint(variables):
    """(index, data) of {name: (tensorflow.DataType, shape, bytes)}."""
    entries, data = [(b"", field(1, 1))], b""
    for name, (kind, shape, values) in sorted(variables.items()):
        entries.append((name.encode(), field(1, kind) + field(2, b"".join(field(2, field(1, size)) for size in shape)) +
                        field(4, len(data)) + field(5, len(values))))
        data += values
    return table(entries), data
