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
