"""Perfetto traces by hand: what is read of them is what was put there."""

import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import perfetto_writer as p
from timeline_tiles import events, timeline_of
from truth import Check, Report, run
from xspace_writer import field

check = Check()
BEGIN, END, MOMENT, COUNTER = 1, 2, 3, 4


def report_on(data, name="a.perfetto-trace"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return Report(path, "--top", "all")


def done_on(data, name="a.perfetto-trace"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        done = run(path, "-o", Path(folder, "report.json"))
        return done.returncode, done.stderr.decode()


def events_in(report):
    """(group, track, start, length, name), times in ns from the first."""
    timeline = timeline_of(report.doc)
    return sorted((g["name"], t["name"], e[0] // 1000, e[1] // 1000, e[2]) for g in timeline["groups"] for t in g["tracks"] for e in events(timeline, t))


def whole():
    check.part("sequences with names of their own, which are forgotten")
    report = report_on(b"".join((
        p.track(10, p.process(7, "server")), p.track(11, p.thread(7, 70, "main"), parent=10),
        p.packet(p.at(100, 1, 3), p.interned([(1, "alpha")]), p.event(BEGIN, 11, iid=1)),
        p.packet(p.at(150, 2, 3), p.interned([(1, "other")]), p.event(BEGIN, 12, iid=1)),
        p.packet(p.at(200), p.event(BEGIN, 11, iid=1)), p.packet(p.at(250), p.event(END, 11)),
        p.packet(p.at(300), p.event(END, 11)), p.packet(p.at(350, 2), p.event(END, 12)),
        p.packet(p.at(400, 1, 3), p.interned([(1, "beta")]), p.event(BEGIN, 11, iid=1)), p.packet(p.at(500), p.event(END, 11)),
        p.packet(p.at(600, 3), p.event(BEGIN, 11, iid=1)), p.packet(p.at(700, 3), p.event(END, 11)),
        p.track(12, p.thread(7, 71), parent=10),
    )))
    check.equal("events", events_in(report), [("server", "main", 0, 200, "alpha"), ("server", "main", 100, 50, "alpha"),
                                              ("server", "main", 300, 100, "beta"), ("server", "thread 71", 50, 200, "other")])
    check.true(report.stderr, "2 events whose names were lost" in report.stderr)
    check.equal("reader", [row["reader"] for row in report.rows("method/files")], ["perfetto"])

    check.part("clocks")
    report = report_on(b"".join((
        p.cleared(), p.clocks((6, 1000), (3, 400), (1, 1767225600000000000), (64, 5, 1000, True)),
        p.track(1, name="t"),
        p.packet(p.at(1000), p.event(BEGIN, 1, "a")), p.packet(p.at(500, clock=3), p.event(END, 1)),
        p.packet(p.at(1767225600000000200, clock=1), p.event(MOMENT, 1, "m")),
        p.defaults(clock=64, track=1),
        p.packet(p.at(3), p.event(BEGIN, None, "inc")), p.packet(p.at(2), p.event(END)),
        p.packet(p.at(5, clock=9), p.event(MOMENT, 1, "nobody knows")),
    )))
    check.equal("events", events_in(report), [("t", "t", 0, 100, "a"), ("t", "t", 200, 0, "m"), ("t", "t", 3000, 2000, "inc")])
    check.true(report.stderr, "1 event by a clock that no snapshot" in report.stderr)

    check.part("counters")
    report = report_on(b"".join((
        p.cleared(), p.track(1, p.process(3, "gpu")), p.track(2, field(8, field(3, 3)), parent=1, name="memory"),
        p.track(3, field(8, field(5, 1) + field(4, 10) + field(6, "tokens")), parent=1, name="sum"),
        *(p.packet(p.at(100 * i), p.event(COUNTER, 2, None, None, field(30, 7 * i))) for i in range(4)),
        *(p.packet(p.at(100 * i), p.event(COUNTER, 3, None, None, p.double(44, 0.5))) for i in range(4)),
    )))
    rows = {row["counter"]: row for row in report.rows("tracks/counters/list")}
    check.equal("memory", [rows["memory"][k] for k in ("process", "points", "least", "most", "last", "unit")], ["gpu", 4, 0, 21, 21, "bytes"])
    check.near("memory: mean", rows["memory"]["mean"], 7)
    check.equal("sum", [rows["sum"][k] for k in ("points", "least", "most", "unit")], [4, 5, 20, "tokens"])


def packed():
    """Packets in bulk, by zlib and by zstd, with descriptors and names in them; one that is cut off gives what is before."""
    check.part("compressed packets")
    head = p.cleared() + p.track(1, name="t") + p.packet(p.at(100, 1, 3), p.interned([(1, "alpha")]), p.event(BEGIN, 1, iid=1))
    middle, tail = p.packet(p.at(150), p.event(END, 1)), p.packet(p.at(200), p.event(MOMENT, 1, "beta"))
    wanted = [("t", "t", 0, 50, "alpha"), ("t", "t", 100, 0, "beta")]
    report = report_on(p.packet(field(50, zlib.compress(head + middle))) + tail)
    check.equal("zlib", (events_in(report), report.stderr), (wanted, ""))
    report = report_on(head + p.packet(field(50, zlib.compress(middle))) + p.packet(field(50, zlib.compress(tail))))
    check.equal("after others", (events_in(report), report.stderr), (wanted, ""))
    zstd = subprocess.run(["zstd", "-c"], input=head + middle, capture_output=True, check=False) if shutil.which("zstd") else None
    if zstd:
        check.equal("zstd", events_in(report_on(p.packet(field(133, zstd.stdout)) + tail)), wanted)
    report = report_on(p.packet(field(50, zlib.compress(head + middle + tail, 0)[:-10])) + p.packet(p.at(300), p.event(MOMENT, 1, "gamma")))
    check.equal("cut off", events_in(report), [wanted[0], ("t", "t", 200, 0, "gamma")])
    check.true(report.stderr, "1 packet holds compressed ones that are damaged" in report.stderr)


def legacy():
    """Events as Chrome wrote them before: by the phases of its JSON."""
    check.part("old events")

    def old(phase, name=None, *more):
        return field(11, (field(22, "net") + (field(23, name) if name else b"") + field(11, 1) + field(6, field(2, ord(phase)) + b"".join(more))))

    report = report_on(b"".join((
        p.cleared(), p.track(9, p.process(3, "browser")), p.track(1, p.thread(3, 31, "main"), parent=9),
        p.packet(p.at(1000), old("B", "outer")), p.packet(p.at(2000), old("X", "whole", field(3, 3))), p.packet(p.at(9000), old("E")),
        p.packet(p.at(4000), old("I", "moment")),
        p.packet(p.at(1500), old("b", "load", field(6, 7))), p.packet(p.at(1600), old("b", "load", field(10, 8))),
        p.packet(p.at(2500), old("e", "load", field(6, 7))), p.packet(p.at(1900), old("n", "half", field(6, 7))), p.packet(p.at(3600), old("e", "load", field(10, 8))),
        p.packet(p.at(4500), old("P", "sample")),
    )))
    check.equal("events", events_in(report), [("browser", "main", 0, 8000, "outer"), ("browser", "main", 1000, 3000, "whole"), ("browser", "main", 3000, 0, "moment"),
                                              ("browser", "net", 500, 1000, "load"), ("browser", "net", 600, 2000, "load"), ("browser", "net", 900, 0, "half")])
    check.equal("warnings", report.stderr, "")


def odd():
    check.part("odd")
    report = report_on(b"".join((
        p.cleared(), p.track(1, parent=2, name="a"), p.track(2, parent=1, name="b"),
        p.packet(p.at(1), p.event(BEGIN, 1, "</script>")), p.packet(p.at(2), p.event(BEGIN, 1, "x" * 10000)), p.packet(p.at(3), p.event(END, 9)),
        p.packet(p.at(2**62), p.event(BEGIN, 1, "far")), p.packet(field(10, 1), p.event(BEGIN, 1, "no time")),
        p.packet(p.at(9), p.event(MOMENT, 1, "last")), p.packet(p.at(9), p.event(77, 1, "?")), p.packet(field(99, "x")),
        p.packet(p.at(5), field(11, b"\x08\x01")))))
    names = [e[4] for e in events_in(report)]
    check.true(str([n[:20] for n in names]), sorted(n[:9] for n in names) == ["</script>", "last", "xxxxxxxxx"])
    for words in ("2 events without an end", "1 end of an event without a begin", "2 events without a time"):
        check.true(f"{words}: {report.stderr}", words in report.stderr)
    for data, words in ((b"", "the file is empty"), (b"hello there", "not a Perfetto trace"), (p.packet(p.at(1), field(50, b"abc")), "compressed packets are damaged"),
                        (p.packet(p.at(1), field(1, b"abc")), "1 packet of another kind")):
        status, said = done_on(data)
        check.true(f"{data[:20]}: {status} {said}", status in (3, 4) and words in said)


def by_content():
    check.part("whatever it is called")
    data = p.cleared() + b"".join(p.packet(p.at(i), p.event(MOMENT, 1, "m")) for i in range(3))
    report = report_on(data, "trace")
    check.equal("events", len(events_in(report)) if timeline_of(report.doc) else 3, 3)
    check.equal("reader", [row["reader"] for row in report.rows("method/files")], ["perfetto"])


def cut():
    check.part("cut")
    data = p.cleared() + p.track(1, p.process(1, "p")) + b"".join(
        p.packet(p.at(10 * i), p.event(BEGIN + i % 2, 1, "abc"[i % 3] if i % 2 == 0 else None)) for i in range(40))
    ends, size = set(), 0
    while size < len(data):
        length, at = 0, size + 1
        shift = 0
        while True:
            length |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                break
        size = at + length
        ends.add(size)
    for size in [*range(0, 60), *range(60, len(data), 5)]:
        status, said = done_on(data[:size])
        check.true(f"at {size}: {status} {said}", status in (0, 3, 4))
        if status == 0 and size not in ends:
            before = max(e for e in ends if e < size)
            check.true(f"at {size}: {said}", f"at byte {before}: the trace breaks off" in said and "a.perfetto-trace" in said)


whole()
packed()
legacy()
odd()
by_content()
cut()
check.end()
