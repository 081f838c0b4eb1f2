"""Writes TFRecord files and the events of profile loggers."""

import struct

from xspace_writer import field

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data))


def version(wall_s):
    return record(b"\t" + struct.pack("<d", wall_s) + field(3, b"brain.Event:2"))


def mark(wall_s, tag):
    """One mark of a profile logger: a value of 0 whose tag has the phase."""
    value = field(1, tag.encode()) + b"\x15" + struct.pack("<f", 0)
    return record(b"\t" + struct.pack("<d", wall_s) + field(5, field(1, value)))


def profile_logger(marks, prefix="profile/", start=1551710000.0):
    """marks: (seconds, "train_begin")."""
    return version(start) + b"".join(mark(start + at, prefix + tag) for at, tag in marks)


def event(wall_s, step=0, body=b""):
    """An ordinary event; body: one of those below."""
    return record(b"\t" + struct.pack("<d", wall_s) + (field(2, step) if step else b"") + body)


def simple(**values):
    """Scalars as TensorFlow 1 writes them."""
    return field(5, b"".join(field(1, field(1, tag) + b"\x15" + struct.pack("<f", value)) for tag, value in values.items()))


def tensor(tag, dtype, content, plugin="scalars"):
    """A tensor; content: bytes as they lie in memory, or fields of the tensor made with field()."""
    inside = field(4, content[1:]) if content[:1] == b"=" else content
    metadata = field(9, field(1, field(1, plugin))) if plugin else b""
    return field(5, field(1, field(1, tag) + field(8, field(1, dtype) + inside) + metadata))


def session(status):
    """1: start, 2: stop, 3: checkpoint."""
    return field(7, field(1, status))
