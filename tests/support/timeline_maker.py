"""A page with a timeline of given events: tracks as the report's timeline block holds them, in full and as cells, put into a page
that tpreport wrote."""

import base64
import dataclasses
import gzip
import json
import re
import zlib


@dataclasses.dataclass
class Event:
    start: int  # in ps, as all times here
    length: int
    name: int  # in the list of names
    lane: int = 0
    argument: int = 0  # in the list of arguments, from 1 on

    @property
    def end(self):
        return self.start + self.length


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def packed(columns):
    plain = b"".join(varint(value) for column in columns for value in column)
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.b64encode(deflate.compress(plain) + deflate.flush()).decode()


def steps(values):
    return [after - before for before, after in zip([0, *values], values)]


def event_tile(events, low, high, tick):
    own = sorted((e for e in events if low <= e.start < high), key=lambda e: e.start)
    columns = [steps([(e.start - low) // tick for e in own]), [e.length // tick for e in own], [e.name for e in own], [e.lane for e in own]]
    if any(e.argument for e in events):
        columns.append([e.argument for e in own])
    return {"from_ps": low, "to_ps": high, "count": len(own), "data": packed(columns)}


def cells_of(events, low, high, cell):
    """By lane and index: how much is covered, by which name most, and how many events start there."""
    cells = {}

    def at(lane, index):
        return cells.setdefault((lane, index), {"covered": 0, "names": {}, "starts": 0})

    for e in events:
        if low <= e.start < high:
            at(e.lane, (e.start - low) // cell)["starts"] += 1
            one = at(e.lane, (e.start - low) // cell)["names"]
            one.setdefault(e.name, 0)
        first, last = max(0, (e.start - low) // cell), min((high - low) // cell, (e.end - low) // cell)
        for index in range(first, last + 1):
            covered = min(e.end, low + (index + 1) * cell, high) - max(e.start, low + index * cell)
            if covered > 0:
                one = at(e.lane, index)
                one["covered"] += covered
                one["names"][e.name] = one["names"].get(e.name, 0) + covered
    return cells


def cell_tile(events, low, high, cell):
    cells = sorted(cells_of(events, low, high, cell).items())
    lanes, indexes, before = [], [], None
    for (lane, index), _ in cells:
        lanes.append(lane - (before[0] if before else 0))
        indexes.append(index - before[1] if before and before[0] == lane else index)
        before = (lane, index)
    columns = [lanes, indexes, [min(255, c["covered"] * 255 // cell) for _, c in cells],
               [max(c["names"], key=lambda n: c["names"][n]) for _, c in cells], [c["starts"] for _, c in cells]]
    return {"from_ps": low, "to_ps": high, "cell_ps": cell, "count": len(cells), "events": sum(c["starts"] for _, c in cells), "data": packed(columns)}


def track(name, kind, events, high, tick=1, tile=None, cells=(), kept=None):
    """`tile`: how long a tile of events is; `cells`: how long those of each level are; `kept`: what is there in full."""
    tile = tile or high + 1
    tiles = [event_tile(events, low, min(low + tile, high + 1), tick) for low in range(0, high + 1, tile)
             if kept is None or kept[0] <= low < kept[1]]
    for cell in cells:
        span = cell * 512
        tiles += [cell_tile(events, low, min(low + span, high + 1), cell) for low in range(0, high + 1, span)]
    called = {"arguments": True} if any(e.argument for e in events) else {}
    return {"name": name, "kind": kind, "lanes": 1 + max((e.lane for e in events), default=0), "events": len(events), **called, "tick_ps": tick, "tiles": tiles}


def flow(kind, pairs):
    """Arrows between (track, lane, start) and (track, lane, start)."""
    pairs = sorted(pairs, key=lambda pair: pair[0][2])
    apart = [b[2] - a[2] for a, b in pairs]
    columns = [[a[0] for a, _ in pairs], [a[1] for a, _ in pairs], steps([a[2] for a, _ in pairs]), [b[0] for _, b in pairs], [b[1] for _, b in pairs],
               [2 * ps if ps >= 0 else -2 * ps - 1 for ps in apart]]
    return {"kind": kind, "count": len(pairs), "all": len(pairs) + 2, "tick_ps": 1, "data": packed(columns)}


def counter(name, unit, changes, cell, scale):
    """Values in units of scale, by the number of the cell from which on they hold."""
    return {"name": name, "unit": unit, "how": "as made here", "top": max(v for _, v in changes) * scale, "scale": scale, "cell_ps": cell, "count": len(changes),
            "data": packed([steps([c for c, _ in changes]), [v for _, v in changes]])}


def block(groups, names, high, marks=(), findings=(), windows=(), **more):
    return {"kind": "chart", "id": "timeline/view", "chart": "timeline", "alt": "Drawn without a script.", "unit": "ms", "legend": False, "rows": [], "windows": list(windows),
            "low_ps": 0, "high_ps": high, "names": names, "marks": list(marks), "findings": list(findings), "groups": groups, **more}


FIGURE = """<section class="sec" id="timeline" aria-label="Timeline"><header><h2>Timeline</h2></header>
<figure class="chart" id="timeline/view"><div class="plot"><svg width="80%" height="40"><text y="20">drawn</text></svg></div></figure></section>"""


def with_timeline(page, made):
    """The page with that timeline in the place of its own, or as its last section; in the report within it, too."""
    pattern = re.compile(r'(<script type="application/gzip" id="report-json">)(.*?)(</script>)', re.S)
    report = json.loads(gzip.decompress(base64.b64decode(pattern.search(page)[2])))
    report["sections"] = [s for s in report["sections"] if s["id"] != "timeline"]
    report["sections"].append({"kind": "section", "id": "timeline", "role": "main", "title": "Timeline", "blocks": [made]})
    text = base64.b64encode(gzip.compress(json.dumps(report).encode(), mtime=0)).decode()
    page = pattern.sub(lambda m: m[1] + text + m[3], page)
    return page if 'id="timeline/view"' in page else page.replace("</main>", FIGURE + "</main>")
