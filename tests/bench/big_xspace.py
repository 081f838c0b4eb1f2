"""Writes XSpace of any size: each line's events go to a file of their own until its length is known, so that memory stays
small. Only as much of protocol buffers as that needs."""
import os
import shutil
import struct
import tempfile

START_NS = 1_767_225_600_000_000_000
NS, US, MS = 1_000, 1_000_000, 1_000_000_000  # in picoseconds

LAST = [bytes([v]) if v < 128 else bytes([v & 127 | 128, v >> 7]) for v in range(1 << 14)]
MORE = [bytes([v & 127 | 128, v >> 7 | 128]) for v in range(1 << 14)]


def varint(v):
    out = b''
    while v >= 1 << 14:
        out += MORE[v & 16383]
        v >>= 14
    return out + LAST[v]


def number(field, v):
    return varint(field << 3) + varint(v & (1 << 64) - 1)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def double(field, v):
    return varint(field << 3 | 1) + struct.pack('<d', v)


def packed(field, values):
    return block(field, b''.join(varint(v) for v in values))


class Line:
    """One line: its events go to a file of their own, in order of their start."""

    def __init__(self, name, line_id, timestamp_ns, scratch):
        self.head = number(1, line_id) + block(2, name) + number(3, timestamp_ns)
        self.tail = block(11, name)
        self.file = tempfile.TemporaryFile(dir=scratch)
        self.size = self.events = 0

    def write(self, encoded, events):
        self.file.write(encoded)
        self.size += len(encoded)
        self.events += events

    def event(self, metadata_id, offset_ps, duration_ps, stats=b''):
        body = b'\x08' + varint(metadata_id) + b'\x10' + varint(offset_ps)
        if duration_ps:
            body += b'\x18' + varint(duration_ps)
        body += stats
        self.write(b'\x22' + varint(len(body)) + body, 1)

    def copy_to(self, out):
        length = len(self.head) + self.size + len(self.tail)
        out.write(varint(3 << 3 | 2) + varint(length) + self.head)
        self.file.seek(0)
        shutil.copyfileobj(self.file, out, 1 << 20)
        out.write(self.tail)
        self.file.close()

    def full_size(self):
        length = len(self.head) + self.size + len(self.tail)
        return 1 + len(varint(length)) + length


class Plane:
    """One plane; metadata gets its ids in the order in which it is first asked for."""

    def __init__(self, name, scratch, plane_id=0):
        self.head = (number(1, plane_id) if plane_id else b'') + block(2, name)
        self.scratch = scratch
        self.lines, self.events, self.stat_names, self.plane_stats = [], {}, {}, []

    def line(self, name, line_id, timestamp_ns=0):
        self.lines.append(Line(name, line_id, timestamp_ns, self.scratch))
        return self.lines[-1]

    def event_id(self, name, display_name='', stats=b''):
        if name not in self.events:
            self.events[name] = (len(self.events) + 1, display_name, stats)
        return self.events[name][0]

    def stat_id(self, name):
        return self.stat_names.setdefault(name, len(self.stat_names) + 1)

    def stat(self, name, value, kind=None, field=4):
        """An XStat as the given field of whatever holds it: 4 in an event, 5 in event metadata, 6 in a plane."""
        if kind == 'uint':
            encoded = number(3, value)
        elif kind == 'ref':
            encoded = number(7, self.stat_id(value))
        elif isinstance(value, float):
            encoded = double(2, value)
        elif isinstance(value, int):
            encoded = number(4, value)
        else:
            encoded = block(6 if isinstance(value, bytes) else 5, value)
        return block(field, number(1, self.stat_id(name)) + encoded)

    def note(self, name, value, kind=None):
        self.plane_stats.append(self.stat(name, value, kind, field=6))

    def tables(self):
        out = []
        for name, (key, display_name, stats) in self.events.items():
            value = number(1, key) + block(2, name) + (block(4, display_name) if display_name else b'') + stats
            out.append(block(4, number(1, key) + block(2, value)))
        for name, key in self.stat_names.items():
            out.append(block(5, number(1, key) + block(2, number(1, key) + block(2, name))))
        return b''.join(out + self.plane_stats)

    def copy_to(self, out):
        tables = self.tables()
        length = len(self.head) + sum(line.full_size() for line in self.lines) + len(tables)
        out.write(varint(1 << 3 | 2) + varint(length) + self.head)
        for line in self.lines:
            line.copy_to(out)
        out.write(tables)


class Space:
    """One file: the planes of one host."""

    def __init__(self, hostname, scratch):
        self.hostname, self.scratch, self.planes = hostname, scratch, []

    def plane(self, name, plane_id=0):
        self.planes.append(Plane(name, self.scratch, plane_id))
        return self.planes[-1]

    def size(self):
        return sum(line.size for plane in self.planes for line in plane.lines)

    def events(self):
        return sum(line.events for plane in self.planes for line in plane.lines)

    def save(self, folder):
        path = os.path.join(folder, self.hostname + '.xplane.pb')
        with open(path, 'wb') as out:
            for plane in self.planes:
                plane.copy_to(out)
            out.write(block(4, self.hostname))
        return {'path': path, 'size_bytes': os.path.getsize(path),
                'lines': sum(len(plane.lines) for plane in self.planes), 'events': self.events()}


def add_environment(space, end_ps):
    plane = space.plane('Task Environment')
    plane.note('profile_start_time', START_NS, 'uint')
    plane.note('profile_stop_time', START_NS + end_ps // NS, 'uint')


def host_names(count):
    return ['bench-host-%d' % k for k in range(count)]
