"""A small second reader of Perfetto traces, by protobuf's wire alone: tracks, slices, moments, counters and flows of track events."""

import collections
import struct

from xspace_reader import varint

Slice = collections.namedtuple("Slice", "start length name category flows moment arguments")


def fields(data):
    """(field, value) one after the other: whole numbers, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            if len(value) != size:
                raise ValueError("cut off")
        else:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


def message(data):
    """{field: [values]}"""
    found = collections.defaultdict(list)
    for field, value in fields(data):
        found[field].append(value)
    return found


def one(found, field, default=None):
    return found[field][-1] if field in found else default


class Trace:
    """slices: {(process, track): [Slice]} in order of start, the longer first; counters: {(process, name): [(ns, value)]};
    arrows: [((process, track, start, name), the same)]; unix_ns: when time 0 was, 0 where the file does not say."""

    def __init__(self, data):
        self.tracks, self.slices, self.counters = {}, collections.defaultdict(list), collections.defaultdict(list)
        self.names, self.categories, self.flows = {}, {}, collections.defaultdict(list)
        self.keys, self.texts = {}, {}  # of arguments
        self.packets, self.unix_ns, events = 0, 0, []
        for field, packet in fields(data):
            if field != 1:
                raise ValueError(f"field {field} of a trace")
            self.packets += 1
            self._packet(message(packet), events)
        self._slices(events)
        for of in self.slices.values():
            of.sort(key=lambda s: (s.start, -s.length))
        self.arrows = sorted((a, b) for chain in self.flows.values() for a, b in zip(sorted(chain), sorted(chain)[1:]))
        self.arrows = sorted((a[1], b[1]) for a, b in self.arrows)

    def _packet(self, packet, events):
        flags = one(packet, 13, 0)
        if flags & 1:
            self.names, self.categories, self.keys, self.texts = {}, {}, {}, {}
        for interned in packet.get(12, ()):
            for field, into in ((1, self.categories), (2, self.names), (3, self.keys), (29, self.texts)):
                for entry in message(interned)[field]:
                    entry = message(entry)
                    into[one(entry, 1)] = one(entry, 2, b"").decode()
        if 60 in packet:
            track = message(one(packet, 60))
            process = message(one(track, 3, b""))
            self.tracks[one(track, 1)] = (one(track, 2, b"").decode(), one(track, 5), one(process, 6, b"").decode(), 8 in track)
        if 6 in packet:
            clocks = {one(message(c), 1): one(message(c), 2, 0) for c in message(one(packet, 6))[1]}
            self.unix_ns = clocks.get(1, 0) - clocks.get(6, 0) if 1 in clocks else 0
        if 11 in packet:
            event = message(one(packet, 11))
            name = one(event, 23, b"").decode() if 23 in event else self.names.get(one(event, 10))
            events.append((one(packet, 8), len(events), event, name, [self.categories[c] for c in event.get(3, ())],
                           dict(self._argument(message(note)) for note in event.get(4, ()))))

    def _argument(self, note):
        if 4 in note:
            value = one(note, 4)
            value -= (value >> 63) << 64
        else:
            value = self.texts[one(note, 17)] if 17 in note else one(note, 6).decode()
        return self.keys[one(note, 1)], value

    def _on(self, track):
        name, parent, process, _ = self.tracks[track]
        return (self.tracks[parent][2] if parent is not None else process), name

    def _slices(self, events):
        stacks = collections.defaultdict(list)
        for at, _, event, name, categories, arguments in sorted(events, key=lambda e: e[:2]):
            kind, track = one(event, 9), one(event, 11)
            on = self._on(track)
            if kind == 4:
                self.counters[on].append((at, struct.unpack("<d", struct.pack("<Q", one(event, 44)))[0] if 44 in event else one(event, 30)))
            elif kind == 2:
                start, begun, category, flows, called = stacks[track].pop()
                self._add(on, Slice(start, at - start, begun, category, flows, False, called))
            elif kind == 1:
                stacks[track].append((at, name, ",".join(categories), tuple(event.get(47, ())), arguments))
            else:
                self._add(on, Slice(at, 0, name, ",".join(categories), tuple(event.get(47, ())), True, arguments))
        if any(stacks.values()):
            raise ValueError("slices without an end")

    def _add(self, on, piece):
        self.slices[on].append(piece)
        for flow in piece.flows:
            self.flows[flow].append((piece.start, (*on, piece.start, piece.name)))
