"""Reads and writes profiles of pprof (profile.proto), for what devices held."""

import gzip
from collections import Counter

from xspace_reader import fields, signed, text, varint
from xspace_writer import field
from xspace_writer import varint as written


def numbers(value):
    """A repeated number: one, or several packed."""
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        found.append(number)
    return found


class Sample:
    """count, bytes, kind, device; stack: [(function, file, line)], the innermost first."""


def message(data):
    """{number: [values]}"""
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def one(data, number):
    return data.get(number, [0])[-1]


def read_pprof(data):
    """[Sample]"""
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    top = message(data)
    texts = [text(value) for value in top[6]]
    units = [texts[one(message(value), 2)] for value in top[1]]
    functions = {one(f, 1): (texts[one(f, 2)], texts[one(f, 4)]) for f in map(message, top.get(5, []))}
    places = {}
    for place in map(message, top.get(4, [])):
        lines = [message(line) for line in place.get(4, [])]
        places[one(place, 1)] = [(*functions[one(line, 1)], one(line, 2)) for line in lines]
    samples = []
    for data_of in map(message, top.get(2, [])):
        sample = Sample()
        values = [signed(v) for value in data_of[2] for v in numbers(value)]
        sample.bytes, sample.count = values[units.index("bytes")], values[units.index("count")]
        labels = {texts[one(label, 1)]: texts[one(label, 2)] for label in map(message, data_of.get(3, []))}
        sample.kind, sample.device = labels.get("kind", ""), labels.get("device")
        sample.stack = [line for value in data_of.get(1, []) for at in numbers(value) for line in places[at]]
        samples.append(sample)
    return samples


def totals(samples):
    """{(device, kind): [bytes, count, stacks]}"""
    found = {}
    for sample in samples:
        into = found.setdefault((sample.device, sample.kind), [0, 0, 0])
        into[0] += sample.bytes
        into[1] += sample.count
        into[2] += 1
    return found


def where(line):
    """As a report names it."""
    name = line[1].rpartition("/")[2]
    return f"{name}:{line[2]}" if line[2] and name else name


def own_line(stack):
    """The innermost that is in no installed package; else the innermost."""
    for line in stack:
        if line[1] and not any(part in line[1] for part in ("/site-packages/", "/dist-packages/", "/lib/python")):
            return line
    return stack[0]


def prefixes(samples):
    """{stack from the outermost inwards: [bytes, count]} of every beginning of a stack."""
    found = {}
    for sample in samples:
        outward = tuple(reversed(sample.stack))
        for depth in range(1, len(outward) + 1):
            into = found.setdefault(outward[:depth], [0, 0])
            into[0] += sample.bytes
            into[1] += sample.count
    return found


def tree(samples):
    """A Counter of rows (function, where, bytes, count, calls in one) of the tree of calls, in which a call that leads to one
    other and to nothing else is told with it."""
    all_calls = prefixes(samples)
    children = {}
    for call in all_calls:
        children.setdefault(call[:-1], []).append(call)
    rows = Counter()
    for call, sums in all_calls.items():
        above = call[:-1]
        if above and len(children[above]) == 1 and all_calls[above] == sums:
            continue
        calls, last = 1, call
        while len(children.get(last, [])) == 1 and all_calls[children[last][0]] == sums:
            last = children[last][0]
            calls += 1
        rows[(last[-1][0], where(last[-1]), sums[0], sums[1], calls)] += 1
    return rows


def labelled(writer, labels):
    return b"".join(field(3, field(1, writer.text(key)) + field(2, writer.text(value))) for key, value in labels.items())


class Writer:
    """writer.sample(2, 4096, [("f", "a.py", 3)], kind="buffer"); writer.bytes()"""

    def __init__(self, types=(("allocations", "count"), ("space", "bytes"))):
        self.texts, self.functions, self.places, self.samples = [""], {}, {}, []
        self.types = types
        for kind in types:
            for name in kind:
                self.text(name)

    def text(self, text_of):
        if text_of not in self.texts:
            self.texts.append(text_of)
        return self.texts.index(text_of)

    def place(self, line):
        return self.places.setdefault(line, len(self.places) + 1)

    def sample(self, count, size, stack, packed=True, more=b"", **labels):
        places, values = [self.place(line) for line in stack], [count, size]
        if packed:
            data = field(1, b"".join(map(written, places))) + field(2, b"".join(map(written, values)))
        else:
            data = b"".join(field(1, place) for place in places) + b"".join(field(2, value) for value in values)
        self.samples.append(data + labelled(self, labels) + more)
        return self

    def bytes(self):
        out = b"".join(field(1, field(1, self.text(name)) + field(2, self.text(unit))) for name, unit in self.types)
        out += b"".join(field(2, sample) for sample in self.samples)
        functions = {}
        for (function, file, number), place in self.places.items():
            at = functions.setdefault((function, file), len(functions) + 1)
            out += field(4, field(1, place) + field(4, field(1, at) + field(2, number)))
        for (function, file), at in functions.items():
            out += field(5, field(1, at) + field(2, self.text(function)) + field(3, self.text(function)) +
                         field(4, self.text(file)))
        return out + b"".join(field(6, text_of) for text_of in self.texts)
