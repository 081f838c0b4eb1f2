"""Reads the tiles of a timeline in a report's JSON: report.schema.json says how they are packed."""

import base64
import zlib


def numbers(tile):
    """All numbers of a tile, column after column."""
    at, out, shift, value = 0, [], 0, 0
    data = zlib.decompress(base64.b64decode(tile["data"]), -15)
    for at in data:
        value |= (at & 127) << shift
        shift += 7
        if at < 128:
            out.append(value)
            shift = value = 0
    return out


def columns(tile, count):
    found = numbers(tile)
    if len(found) != count * tile["count"]:
        raise ValueError(f"{len(found)} numbers in {count} columns of {tile['count']}")
    return [found[i * tile["count"]:(i + 1) * tile["count"]] for i in range(count)]


def events(timeline, track):
    """(start in ps, length in ps, name, lane) of each event that is kept in full."""
    for tile in track["tiles"]:
        if "cell_ps" in tile:
            continue
        start, tick = int(tile["from_ps"]), int(track["tick_ps"])
        for step, length, name, lane, *_ in zip(*columns(tile, 5 if track.get("arguments") else 4)):
            start += step * tick
            yield start, length * tick, timeline["names"][name]["name"], lane


def arguments(timeline, track):
    """(start in ps, name, what it was called with or "") of each event that is kept in full."""
    for tile in track["tiles"] if track.get("arguments") else []:
        if "cell_ps" in tile:
            continue
        start, tick = int(tile["from_ps"]), int(track["tick_ps"])
        for step, _, name, _, called in zip(*columns(tile, 5)):
            start += step * tick
            yield start, timeline["names"][name]["name"], timeline["arguments"][called - 1]["text"] if called else ""


def arrows(timeline, kind):
    """((track, lane, start), (track, lane, start)) of each arrow of a kind, starts in ps."""
    for flow in timeline.get("flows", []):
        if flow["kind"] != kind:
            continue
        at, tick = 0, int(flow["tick_ps"])
        for track, lane, step, other, other_lane, apart in zip(*columns(flow, 6)):
            at += step * tick
            yield (track, lane, at), (other, other_lane, at + (-(apart + 1) // 2 if apart % 2 else apart // 2) * tick)


def counter(found):
    """(start in ps, value) of each change."""
    at = 0
    for step, value in zip(*columns(found, 2)):
        at += step * int(found["cell_ps"])
        yield at, value * found["scale"]


def levels(track):
    """For each level its tile, and (lane, cell number, covered in 1/255, name, starts) of each cell."""
    for tile in track["tiles"]:
        if "cell_ps" not in tile:
            continue
        lane, index, cells = 0, 0, []
        for number, (further, step, covered, name, starts) in enumerate(zip(*columns(tile, 5))):
            index = step if further or not number else index + step
            lane += further
            cells.append((lane, index, covered, name, starts))
        yield tile, cells


def timeline_of(report):
    """The timeline of a report; None: it has none."""
    section = next((s for s in report["sections"] if s["id"] == "timeline"), {"blocks": []})
    return next((b for b in section["blocks"] if b.get("chart") == "timeline"), None)


def drawn_only(node):
    """A report as a PDF carries it: of timelines what is drawn, for nobody runs scripts there."""
    if isinstance(node, list):
        return [drawn_only(item) for item in node]
    if not isinstance(node, dict):
        return node
    left_out = ("groups", "names", "marks", "arguments", "flows") if node.get("chart") == "timeline" else ()
    return {key: drawn_only(value) for key, value in node.items() if key not in left_out}
