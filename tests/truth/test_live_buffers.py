"""Live buffers: the memory profile of a capture against a second reading of it, small ones worked out by hand, damaged ones, and
where in a log directory such a file is found."""

import gzip
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pprof_truth import Writer, own_line, read_pprof, totals, tree, where
from truth import SOURCE, Check, Report, get, run
from xspace_writer import Plane, field, xspace

MIB = 2**20
check = Check()


def size(mib):
    return round(mib * MIB)


def report_on(data, name="memory.prof"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        return Report(path, "--top", "all")


def shown(name):
    return name or "(no name)"


def against_a_second_reading(name, path):
    check.part(name)
    samples, report = read_pprof(path.read_bytes()), Report(path, "--top", "all")
    sums = totals(samples)
    check.equal("totals", {(row["device"], row["kind"]): [size(row["bytes"]), row["count"], row["stacks"]]
                           for row in report.rows("live-buffers/totals")}, sums)
    check.equal("all bytes", report.metric("memory.live.bytes"), sum(one.bytes for one in samples))
    for kind, metric in (("buffer", "buffers"), ("executable", "executables")):
        check.equal(metric, report.metric(f"memory.live.{metric}"), sum(one.count for one in samples if one.kind == kind))
    for device in {one.device for one in samples} - {None}:
        check.equal(device, report.metric(f"memory.live.bytes@device={device}"),
                    sum(one.bytes for one in samples if one.device == device))
    rows = report.rows("live-buffers/stacks")
    alike = Counter((shown(own_line(one.stack)[0]), where(own_line(one.stack)), one.bytes, one.count, one.kind, one.device,
                     shown(one.stack[0][0]), where(one.stack[0])) for one in samples)
    check.equal("stacks, equal ones in one row",
                Counter((row["function"], row["where"], size(row["bytes"]), row["count"], row["stacks"], row["kind"], row["device"],
                         row["innermost"], row["innermost_where"]) for row in rows),
                Counter((function, place, held * times, count * times, times, *rest)
                        for (function, place, held, count, *rest), times in alike.items()))
    check.equal("the largest first", [size(row["bytes"]) for row in rows], sorted((size(row["bytes"]) for row in rows), reverse=True))
    check.equal("rows of the stacks in full", Counter(row["row"] for row in report.rows("live-buffers/full/table")),
                Counter({i + 1: row["stacks"] for i, row in enumerate(rows)}))
    full = report.rows("live-buffers/full/table")
    check.equal("in full", Counter(row["stack"] for row in full),
                Counter(" ‹ ".join(f"{shown(line[0])} {where(line)}" for line in one.stack[:40]) +
                        (" ‹ …" if len(one.stack) > 40 else "") for one in samples))
    check.equal("tree", Counter((row["function"], row["where"], size(row["bytes"]), row["count"], row["calls"])
                                for row in report.rows("live-buffers/tree/table")), tree(samples))
    top = max(samples, key=lambda one: one.bytes)
    check.near("largest", report.metric("memory.live.top.share"), top.bytes / sum(one.bytes for one in samples))
    check.equal("its function", report.metric("memory.live.top.name"), own_line(top.stack)[0])
    print(f"{name}: {len(samples)} stacks")


MAIN = ("main", "/home/me/train.py", 40)
MODEL = ("model", "/home/me/train.py", 12)
LAX = ("conv", "/usr/lib/python3/site-packages/jax/lax.py", 7)


def small():
    writer = Writer()
    writer.sample(2, 3 * MIB, [LAX, MODEL, MAIN], kind="buffer", device="tpu:0")
    writer.sample(2, 3 * MIB, [LAX, MODEL, MAIN], packed=False, kind="buffer", device="tpu:1")
    writer.sample(1, MIB, [LAX, MAIN], kind="buffer", device="tpu:0")
    writer.sample(1, 512, [LAX], kind="executable")
    writer.sample(5, 0, [], kind="buffer", device="tpu:0")
    return writer


def by_hand():
    check.part("by hand")
    for data in (small().bytes(), gzip.compress(small().bytes())):
        for name in ("memory.prof", "anything"):
            report = report_on(data, name)
            check.equal("totals", [(row["device"], row["kind"], size(row["bytes"]), row["count"])
                                   for row in report.rows("live-buffers/totals")],
                        [("tpu:0", "buffer", 4 * MIB, 8), ("tpu:1", "buffer", 3 * MIB, 2), (None, "executable", 512, 1)])
            rows = report.rows("live-buffers/stacks")
            check.equal("stacks", [(row["function"], row["where"], row["count"]) for row in rows],
                        [("model", "train.py:12", 2), ("model", "train.py:12", 2), ("main", "train.py:40", 1),
                         ("conv", "lax.py:7", 1), ("(no stack)", "", 5)])
            check.equal("tree", [(row["function"], row["depth"], size(row["bytes"]), row["calls"])
                                 for row in report.rows("live-buffers/tree/table")],
                        [("main", 0, 7 * MIB, 1), ("conv", 1, 6 * MIB, 2), ("conv", 1, MIB, 1), ("conv", 0, 512, 1),
                         ("(no stack)", 0, 0, 1)])
    check.equal("from standard input", get("-", "memory.live.bytes", stdin=small().bytes())["memory.live.bytes"][0],
                str(7 * MIB + 512))
    check.part("a heap of another program")
    heap = Writer(types=(("alloc_space", "bytes"), ("inuse_space", "bytes"))).sample(9 * MIB, MIB, [MAIN])
    check.equal("what is in use", report_on(heap.bytes()).metric("memory.live.bytes"), MIB)
    check.part("nothing held")
    report = report_on(Writer().bytes())
    check.equal("bytes", report.metric("memory.live.bytes"), 0)
    check.equal("no share", report.metric("memory.live.top.share"), None)


def refused():
    check.part("refused")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory.prof")
        for what, data, words in (("times, not bytes", Writer(types=(("cpu", "nanoseconds"),)).bytes(), "without bytes"),
                                  ("cut before its texts", small().bytes()[:60], "cut off before its strings"),
                                  ("something else", b"{}", "not a device memory profile")):
            path.write_bytes(data)
            done = run(path, "-o", Path(folder, "report.json"))
            check.equal(f"{what}: status", done.returncode, 4)
            check.true(f"{what}: says why", words in done.stderr.decode())


def damaged():
    check.part("damaged")
    writer = small()
    writer.sample(-1, 5, [MAIN], kind="buffer")
    writer.sample(1, -5, [MAIN], kind="buffer")
    writer.sample(1, 2**62, [MAIN], kind="buffer")
    # Only one value; a place that is nowhere; a label with a text that is nowhere; numbers that break off.
    writer.samples += [field(2, b"\x01"), field(1, 99) + field(2, b"\x01\x07") + field(3, field(1, 5) + field(2, 999)),
                       field(1, b"\x80") + field(2, b"\x01\x07")]
    report = report_on(writer.bytes())
    check.equal("what is sound", report.metric("memory.live.bytes"), 7 * MIB + 512 + 7)
    check.true("left out", "a sample is damaged or has impossible counts" in report.stderr)
    check.true("place", "a location in a stack is missing from the file" in report.stderr)
    data = small().bytes()
    packed = gzip.compress(small().bytes(), mtime=0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "memory.prof")
        for cut in range(1, len(packed), 7):
            path.write_bytes(packed[:cut])
            check.true(f"cut at {cut}", run(path, "-o", Path(folder, "report.json")).returncode in (0, 4))
        for cut in range(1, len(data), 7):
            path.write_bytes(data[:cut])
            check.true(f"plain, cut at {cut}", run(path, "-o", Path(folder, "report.json")).returncode in (0, 4))
    deep = Writer()
    deep.sample(1, MIB, [(f"f{i}", "/a.py", i) for i in range(3000)], kind="buffer")
    deep.sample(1, MIB, [(f"f{i % 2}", "/a.py", i % 2) for i in range(3000)], kind="buffer")
    for i in range(60):
        deep.sample(1, MIB, [(f"g{i}", "/b.py", 1)] + [("h", "/b.py", k) for k in range(i, 60)], kind="buffer")
    report = report_on(deep.bytes())
    check.equal("deep stacks", report.metric("memory.live.bytes"), 62 * MIB)
    check.true("levels are left out", "more are left out" in report.blocks["live-buffers/tree/table"]["caption"])
    many = Writer()
    for i in range(1500):
        many.sample(1, 1 + i, [(f"f{i}", "/a.py", i)], kind="buffer")
    rows = report_on(many.bytes()).rows("live-buffers/stacks")
    check.equal("many stacks", (len(rows), rows[-1]["function"], rows[-1]["count"], size(rows[-1]["bytes"])),
                (1001, "500 more stacks", 500, sum(range(1, 501))))


def places():
    """A memory profile is of the job: it goes with the newest run below its folder, and never hides one."""
    check.part("where it lies")
    host = Plane("/host:CPU")
    host.line("a/1").event("work", 0, 10**9)
    with tempfile.TemporaryDirectory() as folder:
        logs = Path(folder, "job")
        for name in ("2026_01_01_00_00_00", "2026_01_02_00_00_00"):
            path = logs / "plugins/profile" / name / "vm.xplane.pb"
            path.parent.mkdir(parents=True)
            path.write_bytes(xspace(host, hosts=["vm"]))
        data = small().bytes()
        for place in ("memory.prof", "plugins/profile/2026_01_02_00_00_00/memory.prof"):
            (logs / place).write_bytes(data)
            report = Report(logs)
            check.equal(place, (report.metric("memory.live.bytes"), report.doc["run"], report.doc["name"]),
                        (7 * MIB + 512, "2026_01_02_00_00_00", "job"))
            (logs / place).unlink()
        (logs / "elsewhere").mkdir()
        (logs / "elsewhere/memory.prof").write_bytes(data)
        report = Report(logs)
        check.equal("beside", (report.metric("memory.live.bytes"), report.doc["run"]), (None, "2026_01_02_00_00_00"))
        report = Report(logs, logs / "elsewhere/memory.prof")
        check.equal("named", (report.metric("memory.live.bytes"), report.doc["run"]), (7 * MIB + 512, "2026_01_02_00_00_00"))
        check.equal("alone", Report(logs / "elsewhere").metric("memory.live.bytes"), 7 * MIB + 512)
        # What Python's profiler writes is called so too.
        shutil.rmtree(logs / "elsewhere")
        (logs / "train.prof").write_bytes(b"{" + b"\x00" * 50)
        check.true("another *.prof", "train.prof" not in Report(logs).stderr)
        (logs / "memory1.prof").write_bytes(data)
        (logs / "memory2.prof").write_bytes(Writer().sample(1, 8 * MIB, [MAIN], kind="buffer", device="tpu:0").bytes())
        report = Report(logs)
        check.equal("the larger of two", report.metric("memory.live.bytes"), 8 * MIB)
        check.equal("and the other", size(sum(row["bytes"] for row in report.rows("live-buffers/file-2/totals"))),
                    7 * MIB + 512)


def main():
    against_a_second_reading("examples/jax_cnn", Path(SOURCE, "examples/jax_cnn/input/memory.prof"))
    if os.environ.get("TPREPORT_TEST_DATA"):
        against_a_second_reading("jax_cnn", Path(os.environ["TPREPORT_TEST_DATA"], "xla/captured/jax_cnn/memory.prof"))
    by_hand()
    refused()
    damaged()
    places()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
