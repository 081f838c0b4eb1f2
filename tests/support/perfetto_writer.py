"""Perfetto traces by hand, field by field: what their sequences may do that tpreport's own do not."""

import struct

from xspace_writer import field, varint


def packet(*parts):
    return field(1, b"".join(parts))


def at(ns, sequence=1, flags=2, clock=None):
    return field(8, ns) + field(10, sequence) + (field(13, flags) if flags else b"") + (field(58, clock) if clock else b"")


def cleared(sequence=1):
    return packet(field(10, sequence), field(13, 1))


def interned(names=(), categories=()):
    return field(12, b"".join(field(1, field(1, i) + field(2, n)) for i, n in categories) + b"".join(field(2, field(1, i) + field(2, n)) for i, n in names))


def fixed(number, value):
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def double(number, value):
    return varint(number << 3 | 1) + struct.pack("<d", value)


def event(kind, track=None, name=None, iid=None, *more):
    """kind: 1 begin, 2 end, 3 moment, 4 counter."""
    return field(11, field(9, kind) + (field(11, track) if track is not None else b"") + (field(23, name) if name is not None else b"") +
                 (field(10, iid) if iid is not None else b"") + b"".join(more))


def track(uuid, *more, parent=None, name=None):
    return packet(field(10, 1), field(60, field(1, uuid) + (field(5, parent) if parent else b"") + (field(2, name) if name is not None else b"") +
                                      b"".join(more)))


def process(pid, name):
    return field(3, field(1, pid) + field(6, name))


def thread(pid, tid, name=""):
    return field(4, field(1, pid) + field(2, tid) + (field(5, name) if name else b""))


def clocks(*pairs, sequence=1):
    """(id, time) or (id, time, unit in ns, incremental)"""
    return packet(field(10, sequence), field(6, b"".join(field(1, field(1, p[0]) + field(2, p[1]) + (
        field(4, p[2]) + field(3, int(p[3])) if len(p) > 2 else b"")) for p in pairs)))


def defaults(sequence=1, clock=None, track=None):
    return packet(field(10, sequence), field(59, (field(58, clock) if clock else b"") + (field(11, field(11, track)) if track else b"")))
