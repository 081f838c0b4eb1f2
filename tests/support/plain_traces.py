"""A second reader of Chrome traces of any program: tracks, counters and arrows, by the format's own description, with exact decimals
and no thought of speed."""

import collections
import gzip
import json
from decimal import Decimal
from pathlib import Path

Event = collections.namedtuple("Event", "start length name category moment")


def load(data):
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    trace = json.loads(data, parse_float=Decimal, parse_int=Decimal)
    return trace["traceEvents"] if isinstance(trace, dict) else trace


def ps(us):
    value = Decimal(us) * 10**6
    whole = int(value)
    return whole + (1 if value - whole >= Decimal("0.5") else -1 if value - whole <= Decimal("-0.5") else 0)


class Trace:
    """tracks: {(process, track): [Event]} in order of start, the longer first; counters: {(process, name): [(time, value)]};
    arrows: [((process, track, start, name), the same)]."""

    def __init__(self, entries):
        self.entries = [e for e in entries if e.get("ph")]
        self.names = self._names()
        self.tracks = collections.defaultdict(list)
        self.counters = collections.defaultdict(list)
        self.unended = self.unbegun = 0
        self._read()
        for events in self.tracks.values():
            events.sort(key=lambda e: (e.start, -e.length))
        self.arrows = self._arrows()

    def _names(self):
        names = {}
        for e in self.entries:
            if e["ph"] == "M" and e["name"] in ("process_name", "thread_name"):
                names[(e["pid"],) if e["name"] == "process_name" else (e["pid"], e.get("tid"))] = e["args"]["name"]
        return names

    def process(self, e):
        return self.names.get((e["pid"],), e["pid"] if isinstance(e["pid"], str) else f"process {e['pid']}")

    def thread(self, e):
        tid = e.get("tid")
        return self.names.get((e["pid"], tid), tid if isinstance(tid, str) else f"thread {tid}")

    def _read(self):
        halves, last = collections.defaultdict(list), None
        for e in self.entries:
            kind = e["ph"]
            if kind not in "XBEbeniIC":
                continue
            at = ps(e["ts"])
            on = (self.process(e), self.thread(e) if kind in "XBEiI" else e.get("cat") or "asynchronous")
            end = at + ps(e.get("dur", 0)) if kind == "X" else at
            last = end if last is None else max(last, end)
            if kind == "X":
                self.tracks[on].append(Event(at, ps(e.get("dur", 0)), e["name"], e.get("cat", ""), False))
            elif kind in "iIn":
                self.tracks[on].append(Event(at, 0, e["name"], e.get("cat", ""), True))
            elif kind == "C":
                for key, value in e["args"].items():
                    name = e["name"] if key in ("value", e["name"]) else f"{e['name']} {key}"
                    self.counters[self.process(e), name].append((at, float(value)))
            else:
                halves[on if kind in "BE" else (e.get("cat"), e["id"])].append((at, kind.upper() == "E", on, e))
        for nest in halves.values():
            self._join(sorted(nest, key=lambda h: h[0]), last)
        for points in self.counters.values():
            points.sort(key=lambda p: p[0])

    def _join(self, nest, last):
        open_ = []

        def close(until):
            at, _, on, e = open_.pop()
            self.tracks[on].append(Event(at, until - at, e["name"], e.get("cat", ""), False))

        for half in nest:
            at, ends, _, e = half
            if not ends:
                open_.append(half)
                continue
            name = e.get("name") if e["ph"] == "E" else None
            meant = next((i for i in reversed(range(len(open_))) if name is None or open_[i][3]["name"] == name), None)
            if meant is None:
                self.unbegun += 1
                continue
            self.unended += len(open_) - meant - 1
            while len(open_) > meant:
                close(at)
        self.unended += len(open_)
        while open_:
            close(last)

    def _event_at(self, on, at, begins_next):
        """The innermost event around a time: the last to begin of those that last; or the next to begin."""
        events = [e for e in self.tracks.get(on, ()) if not e.moment]
        if begins_next:
            same = [e for e in events if e.start == at]
            later = same[-1:] or [e for e in self.tracks.get(on, ()) if e.start > at][:1]
            if later:
                return later[0]
        around = [e for e in events if e.start <= at and (at < e.start + e.length or at == e.start)]
        return around[-1] if around else None

    def _arrows(self):
        chains, arrows = collections.defaultdict(list), []
        for e in self.entries:
            if e["ph"] in "stf":
                chains[e.get("cat"), e["name"], e["id"]].append((ps(e["ts"]), e))
        for chain in chains.values():
            before = None
            for at, e in sorted(chain, key=lambda c: c[0]):
                on = self.process(e), self.thread(e)
                event = self._event_at(on, at, e["ph"] == "f" and e.get("bp") != "e")
                if event is None:
                    continue
                here = (*on, event.start, event.name)
                if before is not None and e["ph"] != "s":
                    arrows.append((before, here))
                before = None if e["ph"] == "f" else here
        return sorted(arrows)

    def first(self):
        return min(e.start for events in self.tracks.values() for e in events)

    def sums(self):
        """{(process, track): {(name, category): (calls, self, total, longest)}}: what lies in an event is what it holds whole."""
        return {on: self._sums(events) for on, events in self.tracks.items()}

    @staticmethod
    def _sums(events):
        inside = collections.defaultdict(list)
        for i, e in enumerate(events):
            holders = [k for k in range(i) if events[k].start + events[k].length >= e.start + e.length]
            if holders:
                inside[holders[-1]].append((e.start, e.start + e.length))
        sums = collections.defaultdict(lambda: [0, 0, 0, 0])
        for i, e in enumerate(events):
            covered, until = 0, e.start
            for start, end in sorted(inside[i]):
                covered += max(0, end - max(start, until))
                until = max(until, end)
            row = sums[e.name, e.category]
            row[0] += 1
            row[1] += e.length - covered
            row[2] += e.length
            row[3] = max(row[3], e.length)
        return {key: tuple(row) for key, row in sums.items()}


def read(path):
    return Trace(load(Path(path).read_bytes()))
