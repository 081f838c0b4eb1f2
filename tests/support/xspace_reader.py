"""Reads an XSpace straight from protobuf bytes into plain Python objects: a second reader, to check the first by."""

import gzip
import struct
from pathlib import Path


def varint(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return result, at


def fields(data):
    """(number, value) of each field of a message; value is an int, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        else:
            length = {1: 8, 5: 4}.get(kind)
            if kind == 2:
                length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        yield key >> 3, value


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def text(data):
    return data.decode("utf-8", "replace")


class Event:
    """name, op (the metadata), start and end in ps on the host's clock, chip_start and chip_end in ps by the chip's."""

    __slots__ = ("name", "op", "start", "end", "chip_start", "chip_end", "stats", "group", "self_ps")


class Op:
    """Event metadata: name (long), label (short), stats."""

    def __init__(self):
        self.name = self.label = ""
        self.stats = {}


class Line:
    def __init__(self, plane):
        self.plane, self.name, self.zero_ns, self.events = plane, "", 0, []


class Plane:
    def __init__(self):
        self.id, self.name, self.lines, self.ops, self.stats = 0, "", [], {}, {}

    def line(self, name):
        for line in self.lines:
            if line.name == name:
                return line
        return None


def read_stat(data, names):
    """(name, value) of an XStat."""
    key, value = None, None
    for number, field in fields(data):
        if number == 1:
            key = names.get(field, field)
        elif number == 2:
            value = struct.unpack("<d", field)[0]
        elif number == 3:
            value = field
        elif number == 4:
            value = signed(field)
        elif number == 5:
            value = text(field)
        elif number == 6:
            value = field
        elif number == 7:
            value = names.get(field, "")
    return key, value


def map_entry(data):
    key, value = 0, b""
    for number, field in fields(data):
        if number == 1:
            key = field
        elif number == 2:
            value = field
    return key, value


def read_op(data, names):
    op = Op()
    for number, field in fields(data):
        if number == 2:
            op.name = text(field)
        elif number == 4:
            op.label = text(field)
        elif number == 5:
            key, value = read_stat(field, names)
            op.stats[key] = value
    op.label = op.label or op.name
    return op


def read_event(data, line, names):
    event, offset, duration, metadata = Event(), 0, 0, 0
    event.stats, event.group, event.self_ps = {}, None, None
    for number, field in fields(data):
        if number == 1:
            metadata = field
        elif number == 2:
            offset = signed(field)
        elif number == 3:
            duration = signed(field)
        elif number == 4:
            key, value = read_stat(field, names)
            event.stats[key] = value
    event.op = line.plane.ops.get(metadata) or Op()
    event.name = event.op.name
    event.start = line.zero_ns * 1000 + offset
    event.end = event.start + duration
    event.chip_start, event.chip_end = event.start, event.end
    if "device_offset_ps" in event.stats:
        event.chip_start = event.stats["device_offset_ps"]
        event.chip_end = event.chip_start + event.stats.get("device_duration_ps", 0)
    return event


def read_line(data, plane, names):
    line, events = Line(plane), []
    for number, field in fields(data):
        if number == 2:
            line.name = text(field)
        elif number == 3:
            line.zero_ns = signed(field)
        elif number == 4:
            events.append(field)
        elif number == 11 and not line.name:
            line.name = text(field)
    line.events = [read_event(event, line, names) for event in events]
    return line


def read_plane(data):
    plane, lines, ops, names, stats = Plane(), [], [], {}, []
    for number, field in fields(data):
        if number == 1:
            plane.id = field
        elif number == 2:
            plane.name = text(field)
        elif number == 3:
            lines.append(field)
        elif number == 4:
            ops.append(field)
        elif number == 5:
            key, value = map_entry(field)
            names[key] = next((text(f) for n, f in fields(value) if n == 2), "")
        elif number == 6:
            stats.append(field)
    for entry in ops:
        key, value = map_entry(entry)
        plane.ops[key] = read_op(value, names)
    plane.stats = dict(read_stat(stat, names) for stat in stats)
    plane.lines = [read_line(line, plane, names) for line in lines]
    return plane


def read_xspace(path):
    """(planes, host names) of a file; gunzips what is gzipped."""
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    planes, hosts = [], []
    for number, field in fields(data):
        if number == 1:
            planes.append(read_plane(field))
        elif number == 4:
            hosts.append(text(field))
    return planes, hosts
