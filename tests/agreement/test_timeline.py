"""The timeline holds every event of the input: its tiles, against a second reader of the profile."""

import bisect
import collections
import decimal
import gzip
import itertools
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import tiny_xspace as tiny
from timeline_tiles import events, levels, timeline_of
from xspace_reader import read_xspace

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ["TPREPORT_SOURCE"])
faults = []


def must(holds, *what):
    if not holds:
        faults.append(" ".join(map(str, what)))


def report_of(path, folder):
    made = Path(folder, "r.json")
    subprocess.run([TPREPORT, "-q", path, "-o", made], check=True)
    return json.loads(made.read_text(encoding="utf-8"))


def of_spaces(path):
    """The lines of all planes, each as (start, length, label) of its events."""
    lines = []
    for file in sorted(path.rglob("*.xplane.pb")):
        for plane in read_xspace(file)[0]:
            lines += [[(e.start, e.end - e.start, e.op.label) for e in line.events] for line in plane.lines if line.events]
    return lines


def of_traces(path):
    lines = collections.defaultdict(list)
    for file in sorted(path.rglob("*.json.gz")):
        for e in json.loads(gzip.decompress(file.read_bytes()), parse_float=decimal.Decimal)["traceEvents"]:
            if e.get("ph") == "X" and "pid" in e and e.get("cat") != "Trace":
                lines[file.name, e["pid"], e["tid"]].append((int(e["ts"] * 10**6), int(e.get("dur", 0) * 10**6), e["name"]))
    return list(lines.values())


def of_timeline(timeline):
    tracks = [t for g in timeline["groups"] for t in g["tracks"]]
    for track in tracks:
        kept = list(events(timeline, track))
        must(len(kept) == track["events"], track["name"], len(kept), "of", track["events"], "are kept")
        tick = math.gcd(*(start - kept[0][0] for start, *_ in kept), *(length for _, length, *_ in kept)) or 1
        must(track["tick_ps"] == tick, track["name"], "is in ticks of", track["tick_ps"], "where", tick, "goes into all times")
        ends = {}
        for start, length, name, lane in kept:
            must(lane < track["lanes"] and ends.get(lane, 0) <= start, track["name"], "overlaps in lane", lane, "at", start)
            ends[lane] = start + length
        for tile, cells in levels(track):
            must(sum(cell[4] for cell in cells) == track["events"], track["name"], "has other events in cells of", tile["cell_ps"])
    return [[e[:3] for e in events(timeline, track)] for track in tracks if track["name"] not in DERIVED]


# A region of a thread pool lasts until the event that stops it: the reader makes one event of the two.
REGION = "ThreadpoolListener::StartRegion"


def from_first(lines, first):
    """As multisets, times from the first of all."""
    return collections.Counter(frozenset(collections.Counter(
        (start - first, 0 if name == REGION else length, name) for start, length, name in line).items()) for line in lines)


# Lines that are derived from operations where the profile does not hold them.
DERIVED = ("Framework Ops", "Framework Name Scope", "Source code")


def runs(operations, names):
    """Operations one after the other with the same names are one, in a step: (start, length, label) of each, by name and step."""
    made = []
    for (_, name), of in itertools.groupby(operations, lambda o: (o[0], names(o))):
        of = list(of)
        if name:
            made.append((of[0][1], max(o[2] for o in of) - of[0][1], name.split("/")[-1]))
    return made


def derived_from(plane):
    """{line: events} by another way: neighbours grouped, level by level."""
    lines = {line.name: sorted(line.events, key=lambda e: (e.start, -e.end)) for line in plane.lines}
    ops, begins = lines["XLA Ops"], [e.start for e in lines.get("Steps") or lines.get("XLA Modules") or []]
    leaves = [e for e, after in zip(ops, [*ops[1:], None]) if after is None or after.start >= e.end]
    named = [(bisect.bisect_right(begins, e.start), e.start, e.end, e.op.stats.get("tf_op", "").rpartition(":")[0], e.op.stats.get("source") or "") for e in leaves]
    operations, sources = [o for o in named if o[3]], [o for o in named if o[4]]
    deepest = max((o[3].count("/") for o in operations), default=0)
    return {"Framework Ops": runs(operations, lambda o: o[3]),
            "Framework Name Scope": [e for n in range(1, deepest + 1) for e in runs(operations, lambda o: "/".join(o[3].split("/")[:n]) if o[3].count("/") >= n else "")],
            "Source code": runs(sources, lambda o: o[4])}


def check_derived(what, path, by_hand=None):
    with tempfile.TemporaryDirectory() as folder:
        timeline = timeline_of(report_of(path, folder))
    planes = [plane for file in sorted(path.rglob("*.xplane.pb")) for plane in read_xspace(file)[0] if any(line.name == "XLA Ops" for line in plane.lines)]
    groups = [group for group in timeline["groups"] if any(track["name"] in DERIVED for track in group["tracks"])]
    must(len(planes) == len(groups) > 0, what, "derived for", len(groups), "devices of", len(planes))
    first = min(e.start for file in sorted(path.rglob("*.xplane.pb")) for plane in read_xspace(file)[0] for line in plane.lines for e in line.events)
    compared = 0
    for plane, group in zip(planes, groups):
        wanted = derived_from(plane)
        if by_hand is not None:
            must({k: sorted(v) for k, v in wanted.items()} == by_hand, what, "the other way is not what was worked out by hand:", wanted)
        for track in group["tracks"]:
            if track["name"] in DERIVED:
                found, want = collections.Counter(e[:3] for e in events(timeline, track)), collections.Counter((s - first, n, name) for s, n, name in wanted[track["name"]])
                must(found == want, what, group["name"], track["name"], "differs:", list((found - want).elements())[:3], list((want - found).elements())[:3])
                compared += sum(want.values())
    must(timeline["events"] == sum(t["events"] for g in timeline["groups"] for t in g["tracks"] if t["name"] not in DERIVED), what, "counts what is derived")
    print(f"{what}: {compared} derived events")


def nested_by_hand(folder):
    """A loop around operations of two scopes with one between that has no name; the second goes on in the next step."""
    ms, plane = tiny.MS, tiny.Plane("/device:TPU:0")
    stats = {"loop": {"tf_op": "m/while:While"}, "product": {"tf_op": "m/d/MatMul:MatMul", "source": "x.py:1"}, "sum": {"tf_op": "m/e/Add:Add", "source": "x.py:2"}, "copy": {}}
    ops = {name: plane.op(f"%{name}.1 = f32[] {name}()", f"{name}.1", {"hlo_category": tiny.Ref("fusion"), **stat}) for name, stat in stats.items()}
    ran = [("loop", 0, 50), ("product", 5, 10), ("copy", 10, 15), ("product", 15, 20), ("sum", 20, 30), ("sum", 90, 95), ("sum", 110, 120)]
    plane.line("Steps", [plane.event(str(n), n * 100 * ms, 100 * ms) for n in range(2)])
    plane.line("XLA Ops", [plane.event(ops[name], begin * ms, (end - begin) * ms) for name, begin, end in ran])
    path = Path(folder, "plugins/profile/2026_01_01_00_00_00/h.xplane.pb")
    path.parent.mkdir(parents=True)
    path.write_bytes(tiny.space(plane, hostname="h"))
    zero = min(e.start for p in read_xspace(path)[0] for line in p.lines for e in line.events)

    def at(begin, end, name):
        return zero + begin * ms, (end - begin) * ms, name

    return {"Framework Ops": [at(5, 20, "MatMul"), at(20, 95, "Add"), at(110, 120, "Add")],
            "Framework Name Scope": sorted([at(5, 95, "m"), at(5, 20, "d"), at(20, 95, "e"), at(110, 120, "m"), at(110, 120, "e")]),
            "Source code": [at(5, 20, "x.py:1"), at(20, 95, "x.py:2"), at(110, 120, "x.py:2")]}


def check(example, read):
    path = SOURCE / "examples" / example / "input"
    with tempfile.TemporaryDirectory() as folder:
        timeline = timeline_of(report_of(path, folder))
    must(timeline is not None, example, "has no timeline")
    wanted, found = read(path), of_timeline(timeline)
    first = min(e[0] for line in wanted for e in line)
    wanted, found = from_first(wanted, first), from_first(found, 0)
    must(wanted == found, example, "has other events:", sum((wanted - found).values()), "lines of the input,",
         sum((found - wanted).values()), "of the timeline, of", sum(wanted.values()))
    print(f"{example}: {timeline['events']} events on {sum(wanted.values())} lines")


check("jax_cnn", of_spaces)
check("tpu_two_hosts", of_spaces)
check("torch_ddp", of_traces)
check_derived("tpu_two_hosts", SOURCE / "examples/tpu_two_hosts/input")
with tempfile.TemporaryDirectory() as made:
    answers = nested_by_hand(made)
    check_derived("nested by hand", Path(made), answers)
print("".join(f"{fault}\n" for fault in faults[:40]), end="")
sys.exit(bool(faults))
