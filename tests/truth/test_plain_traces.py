"""Chrome traces of any program, against a second reader: events, names by self time, counters, and what is odd in a file."""

import collections
import gzip
import json
import sys
import tempfile
from pathlib import Path

import plain_trace_maker
import plain_traces
from timeline_tiles import arrows, events, timeline_of
from truth import SOURCE, Check, Report, run

check = Check()
DATA = SOURCE / "tests/truth/data"


def report_on(data, name="trace.json", *more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return Report(path, "--top", "all", *more)


def done_on(data, name="trace.json"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        done = run(path, "-o", Path(folder, "report.json"))
        return done.returncode, done.stderr.decode()


def shown(name):
    """A name as a report has it: of bounded length, with nothing that nobody sees."""
    return name or "(no name)"


def same_events(report, trace):
    first = trace.first()
    wanted = {on: collections.Counter((e.start - first, e.length, e.name) for e in of) for on, of in trace.tracks.items()}
    timeline = timeline_of(report.doc)
    found = {(g["name"], t["name"]): collections.Counter(e[:3] for e in events(timeline, t)) for g in timeline["groups"] for t in g["tracks"]}
    check.equal("tracks", sorted(found), sorted(wanted))
    for on in wanted:
        cut = collections.Counter()
        for (start, length, name), n in wanted[on].items():
            cut[start, length, shown(name) if len(name) < 2000 else next(k[2] for k in found[on] if k[2].startswith(name[:1500]))] += n
        check.equal(f"{on}: events", found.get(on), cut)
    check.equal("events", timeline["events"], sum(len(of) for of in trace.tracks.values()))


def same_sums(report, trace):
    track, rows = None, {}
    for row in report.rows("tracks/names"):
        if row["depth"] == 0:
            track = row["name"]
        else:
            rows[track, row["name"], row["category"] or ""] = row
    compared = 0
    for (process, thread), names in trace.sums().items():
        for (name, category), (calls, self_ps, total_ps, longest_ps) in names.items():
            if len(names) > 50 or len(name) > 100 or name == "" or not name.isascii() or not name.isprintable():
                continue
            row = rows.get((f"{process} / {thread}", name, category))
            if row is None:
                check.fail(f"{process} / {thread}", name, "a row")
                continue
            check.equal(f"{name}: calls", row["calls"], calls)
            check.near(f"{name}: self", row["self_us"], self_ps / 1e6, 1e-9, 1e-9)
            check.near(f"{name}: total", row["total_us"], total_ps / 1e6, 1e-9, 1e-9)
            check.near(f"{name}: longest", row["max_us"], longest_ps / 1e6, 1e-9, 1e-9)
            compared += 1
    return compared


def same_counters(report, trace):
    rows = {(row["process"], row["counter"]): row for row in report.rows("tracks/counters/list")}
    check.equal("counters", sorted(rows), sorted(trace.counters))
    for on, points in trace.counters.items():
        values = [v for _, v in points]
        span = points[-1][0] - points[0][0]
        mean = sum(v * (points[i + 1][0] - at) for i, (at, v) in enumerate(points[:-1])) / span
        for column, value in (("points", len(points)), ("least", min(values)), ("most", max(values)), ("last", values[-1]), ("mean", mean)):
            check.near(f"{on}: {column}", rows[on][column], value, 1e-9, 1e-12)


def same_drawn(report, trace):
    """The arrows and counters of the timeline in the page."""
    timeline, first = timeline_of(report.doc), trace.first()
    ends = [(g["name"], t["name"]) for g in timeline["groups"] for t in g["tracks"]]
    found = sorted((*ends[a[0]], a[2], *ends[b[0]], b[2]) for a, b in arrows(timeline, "handed on"))
    check.equal("arrows", found, sorted((*a[:2], a[2] - first, *b[:2], b[2] - first) for a, b in trace.arrows))
    drawn = {(g["name"], c["name"]): c for g in timeline["groups"] for c in g.get("counters", ())}
    for on, points in trace.counters.items():
        top = max(v for _, v in points)
        if min(v for _, v in points) >= 0 and top > 0 and any(on[0] == name for name, _ in ends):
            check.near(f"{on}: top", drawn[on]["top"] if on in drawn else None, top, 1e-9, 1e-9)
    return len(found)


def whole_files():
    for file in sorted(DATA.glob("plain_*.json.gz")):
        data = file.read_bytes()
        trace = plain_traces.read(file)
        for name, of in ((file.name, data), ("any.json", gzip.decompress(data)), ("a.trace.json", gzip.decompress(data))):
            check.part(name)
            report = report_on(of, name)
            check.equal("reader", [row["reader"] for row in report.rows("method/files")], ["chrome_trace"])
            same_events(report, trace)
            check.true("names were compared", same_sums(report, trace) > 4)
            same_counters(report, trace)
            same_drawn(report, trace)


def made_ones():
    for seed in range(1, 4):
        check.part(f"made from {seed}")
        entries = plain_trace_maker.made(seed)
        for data in (entries, {"displayTimeUnit": "ns", "traceEvents": entries, "otherData": {"version": "1"}}):
            report = report_on(json.dumps(data).encode())
            trace = plain_traces.Trace(plain_traces.load(json.dumps(entries).encode()))
            same_events(report, trace)
            check.true("names were compared", same_sums(report, trace) > 20)
            same_counters(report, trace)
            check.true("arrows were compared", same_drawn(report, trace) > 40)


def entries_of(*entries):
    return json.dumps([{"pid": 1, "tid": 1, **e} for e in entries]).encode()


def events_in(report):
    timeline = timeline_of(report.doc)
    return sorted(e[:3] for g in timeline["groups"] for t in g["tracks"] for e in events(timeline, t)) if timeline else []


def odd_ones():
    check.part("unbalanced")
    report = report_on(entries_of({"ph": "E", "ts": 1}, {"ph": "B", "name": "a", "ts": 2}, {"ph": "B", "name": "b", "ts": 3},
                                  {"ph": "E", "name": "a", "ts": 5}, {"ph": "B", "name": "c", "ts": 7}, {"ph": "X", "name": "d", "ts": 8, "dur": 2}))
    check.equal("events", events_in(report), [(0, 3000000, "a"), (1000000, 2000000, "b"), (5000000, 3000000, "c"), (6000000, 2000000, "d")])
    check.true(report.stderr, "1 end of an event without a begin" in report.stderr and "2 events without an end" in report.stderr)

    check.part("since 1970, to the picosecond")
    report = report_on(b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1767225600000000.123456,"dur":1},'
                       b'{"ph":"X","name":"b","pid":1,"tid":1,"ts":1767225600000001.5,"dur":0.000001}]')
    check.equal("events", events_in(report), [(0, 1000000, "a"), (1376544, 1, "b")])

    check.part("beyond all times")
    report = report_on(b'[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":9223372036854.775808},'
                       b'{"ph":"X","name":"b","pid":1,"tid":1,"ts":5,"dur":1},{"ph":"X","name":"far","pid":1,"tid":1,"ts":1e15,"dur":1},'
                       b'{"ph":"X","name":"back","pid":1,"tid":1,"ts":5,"dur":-1},{"ph":"X","name":"none","pid":1,"tid":1}]')
    check.equal("events", [e[2] for e in events_in(report)], ["a", "b"])
    check.true(report.stderr, "1 event longer than 53 days" in report.stderr and "3 entries without a time" in report.stderr)

    check.part("no length")
    report = report_on(entries_of({"ph": "X", "name": "a", "ts": 1, "dur": 0}, {"ph": "X", "name": "b", "ts": 1, "dur": 3}, {"ph": "X", "name": "c", "ts": 4, "dur": 0}))
    check.equal("events", events_in(report), [(0, 0, "a"), (0, 3000000, "b"), (3000000, 0, "c")])

    check.part("without a timeline")
    report = report_on(entries_of({"ph": "i", "name": "a", "ts": 1}, {"ph": "i", "name": "b", "ts": 2}))
    check.equal("timeline", timeline_of(report.doc), None)
    report = report_on(entries_of({"ph": "X", "name": "a", "ts": 1, "dur": 1}), "a.json", "--timeline", "none")
    check.equal("names", [row["name"] for row in report.rows("tracks/names")], ["process 1 / thread 1", "a"])

    check.part("who it is of")
    for data, words in ((b'{"traceEvents": []}', "holds no events"), (b'[{"ph":"M","name":"process_name","pid":1,"args":{"name":"a"}}]', "holds no events"),
                        (b'{"a": 1}', "not a trace"), (b"", "empty")):
        status, said = done_on(data)
        check.true(f"{data[:20]}: {said}", status in (3, 4) and words in said)
    torch = entries_of({"ph": "X", "name": "aten::add", "cat": "cpu_op", "ts": 1, "dur": 1})
    check.equal("PyTorch's", [row["reader"] for row in report_on(torch).rows("method/files")], ["pytorch"])
    xla = b'{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]}'
    check.equal("XLA's", [row["reader"] for row in report_on(xla).rows("method/files")], ["trace_json"])


def cut():
    check.part("cut")
    data = json.dumps(plain_trace_maker.made(2)[:60]).encode()
    last = -1
    for size in (*range(0, len(data) - 20, 97), *range(len(data) - 20, len(data))):
        status, said = done_on(data[:size])
        check.true(f"at {size}: {status} {said}", status in (0, 3, 4))
        if status == 0 and "breaks off" in said:
            check.true(f"at {size}: {said}", f"at byte {size}:" in said and "trace.json" in said)
            kept = int(said.split(": the ")[2].split(" entries")[0])
            check.true(f"at {size}: keeps what came before", kept >= last)
            last = kept
    check.true("some were kept", last > 30)


whole_files()
made_ones()
odd_ones()
cut()
check.end()
