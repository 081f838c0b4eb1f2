"""The longest operations of the two steps that the timeline draws, against sums of the events that it holds (which another test holds
against the input), worked out moment by moment."""

import collections
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from timeline_tiles import events, timeline_of
from truth import Check

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXAMPLES = Path(os.environ["TPREPORT_SOURCE"], "examples")
check = Check()


def find(blocks, wanted):
    for block in blocks:
        found = block if block["id"] == wanted else find(block.get("blocks", ()), wanted)
        if found:
            return found
    return None


def self_times(track, timeline, low, high):
    """By name: at each moment the time is that of the event that began last."""
    inside = [(max(start, low), min(start + length, high), start, number, name)
              for number, (start, length, name, _) in enumerate(events(timeline, track)) if start < high and start + length > low]
    edges = sorted({edge for piece in inside for edge in piece[:2]})
    sums = collections.Counter()
    for a, b in zip(edges, edges[1:]):
        around = [piece for piece in inside if piece[0] <= a and piece[1] >= b]
        if around:
            sums[max(around, key=lambda piece: piece[2:4])[4]] += b - a
    return sums


for example in ("tpu_two_hosts",):
    check.part(example)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "r.json")
        subprocess.run([TPREPORT, "-q", EXAMPLES / example / "input", "-o", made], check=True)
        report = json.loads(made.read_text(encoding="utf-8"))
    timeline, table = timeline_of(report), find(report["sections"], "timeline/longest")
    check.true("there is a table", table)
    rows = {row["cells"]["name"]["value"]: row["cells"] for row in table["rows"]}
    spans = [(int(w["from_ps"]), int(w["from_ps"] + round(w["length"] * 1e9))) for w in timeline["windows"]]
    devices = []
    for group in timeline["groups"]:
        tracks = [t for t in group["tracks"] if t["kind"] == "ops"]
        sums = [collections.Counter() for _ in spans]
        for track in tracks:
            for of, span in zip(sums, spans):
                of.update(self_times(track, timeline, *span))
        if tracks:
            devices.append(sums)
    operations = [name for name in rows if name != "Step" and not re.search("more operation|^no operation|^less what ran", name)]
    check.equal("operations", len(operations), 5)

    def agrees(sums):
        longest = sorted((max(sums[0][name], sums[1][name]) for name in sums[0] | sums[1]), reverse=True)[:5]
        return (all(abs(rows[name][key]["value"] - of[name] / 1e9) < 1e-6 for name in operations for key, of in zip(("first_ms", "second_ms"), sums))
                and all(abs(max(rows[name]["first_ms"]["value"], rows[name]["second_ms"]["value"]) - ps / 1e9) < 1e-6 for name, ps in zip(operations, longest)))

    check.equal("devices whose sums are those", sum(map(agrees, devices)), 1)
    for key, span in zip(("first_ms", "second_ms"), spans):
        check.true(f"the step of {key}", abs(rows["Step"][key]["value"] - (span[1] - span[0]) / 1e9) < 1e-6)
    check.true("differences", all(abs(c["second_ms"]["value"] - c["first_ms"]["value"] - c["difference_ms"]["value"]) < 1e-9 for c in rows.values()))
check.end()
