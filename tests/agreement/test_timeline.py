"""The timeline holds every event of the input: its tiles, against a second reader of the profile."""

import collections
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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
        ends = {}
        for start, length, name, lane in kept:
            must(lane < track["lanes"] and ends.get(lane, 0) <= start, track["name"], "overlaps in lane", lane, "at", start)
            ends[lane] = start + length
        for tile, cells in levels(track):
            must(sum(cell[4] for cell in cells) == track["events"], track["name"], "has other events in cells of", tile["cell_ps"])
    return [[e[:3] for e in events(timeline, track)] for track in tracks]


# A region of a thread pool lasts until the event that stops it: the reader makes one event of the two.
REGION = "ThreadpoolListener::StartRegion"


def from_first(lines, first):
    """As multisets, times from the first of all."""
    return collections.Counter(frozenset(collections.Counter(
        (start - first, 0 if name == REGION else length, name) for start, length, name in line).items()) for line in lines)


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
print("".join(f"{fault}\n" for fault in faults[:40]), end="")
sys.exit(bool(faults))
