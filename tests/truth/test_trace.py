"""Traces that a profiler made of its profile: a report of one says what the report of the profile says, as far as it goes."""

import gzip
import json
import re
import sys
import tempfile
from pathlib import Path

import tiny_xspace
import trace_writer
from truth import SOURCE, Check, Report, run

check = Check()
TABLE = bytes(40) + bytes.fromhex("57fb808b247547db")
JAX = (SOURCE / "tests/truth/data/jax_cnn.trace.json.gz").read_bytes()


def folder_of(files, into):
    folder = Path(into, "job/plugins/profile/run")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return Path(into, "job")


def report_on(files):
    with tempfile.TemporaryDirectory() as into:
        return Report(folder_of(files, into), "--top", "all")


def done_on(files, name=""):
    """A run that may fail; name: of a file given by itself."""
    with tempfile.TemporaryDirectory() as into:
        folder = folder_of(files, into)
        path = folder / "plugins/profile/run" / name if name else folder
        done = run(path, "-o", Path(into, "report.json"))
        return done.returncode, done.stderr.decode()


def same_metrics(report, truth, pattern, rel=1e-9, abs_=1e-9):
    """Each metric of that name is the same in both; how many there are."""
    ids = [name for name in truth.metrics if re.match(pattern, name)]
    check.equal("metrics " + pattern, sorted(name for name in report.metrics if re.match(pattern, name)), sorted(ids))
    for name in ids:
        value = truth.metric(name)
        if isinstance(value, (int, float)) and report.metrics.get(name, {}).get("value") is not None:
            check.near(name, report.metric(name), value, rel, abs_)
        else:
            check.equal(name, report.metrics.get(name, {}).get("value"), value)
    return len(ids)


def same_operations(report, truth, columns):
    ours, theirs = ({row["name"]: row for row in r.rows("operations/list")} for r in (report, truth))
    check.equal("operations", sorted(ours), sorted(theirs))
    for name in theirs:
        for column in columns:
            if isinstance(theirs[name][column], (int, float)):
                check.near(f"{name}: {column}", ours[name][column], theirs[name][column], 1e-6, 1e-8)
            else:
                check.equal(f"{name}: {column}", ours[name][column], theirs[name][column])
    return len(theirs)


def jax():
    check.part("JAX on a CPU: the trace beside its xplane")
    truth = Report(SOURCE / "examples/jax_cnn/input", "--top", "all")
    report = report_on({"vm.trace.json.gz": JAX})
    # The trace gives events without a duration one picosecond.
    check.true("steps were compared", same_metrics(report, truth, r"step\.(count|time|class)", abs_=1e-6) > 10)
    same_metrics(report, truth, r"(input\.verdict|op\.)", rel=1e-6)
    check.equal("steps", sorted(report.steps()), sorted(truth.steps()))
    columns = [c for c in ("total_ms", "self_ms", "occurrences", "self_share") if c in truth.rows("operations/list")[0]]
    check.true("columns", len(columns) >= 3)
    check.equal("operations", same_operations(report, truth, columns), 49)
    text = json.dumps(report.doc)
    check.true("says what it was read from", "the trace exported from the profile" in text)
    check.true("also at the top", "holds less than its profile" in text and "profile complete" not in text)
    check.true("but not of a profile", "holds less than its profile" not in json.dumps(truth.doc))
    check.true("no memory is made up", "no HLO" in report.missing("memory.peak_bytes"))


def beside_an_xplane():
    check.part("beside an xplane of the host")
    xplane = next((SOURCE / "examples/jax_cnn/input").rglob("*.xplane.pb")).read_bytes()
    alone, both = report_on({"vm.xplane.pb": xplane}), report_on({"vm.xplane.pb": xplane, "vm.trace.json.gz": JAX})
    check.true("nothing changes", both.doc["sections"] == alone.doc["sections"] and both.metrics == alone.metrics)
    check.equal("nothing is said", both.stderr, alone.stderr)
    broken = report_on({"vm.xplane.pb": b"\xff" * 99, "vm.trace.json.gz": JAX})
    check.equal("a damaged one gives way", broken.metric("step.count"), alone.metric("step.count"))


def devices():
    check.part("TPUs and GPUs, in JSON and as a message")
    for name, planes in (("tpu", (tiny_xspace.tpu(0, 8), tiny_xspace.tpu(1, 8))),
                         ("gpu", (tiny_xspace.host(4), tiny_xspace.gpu(0, 4)))):
        space = tiny_xspace.space(*planes)
        with tempfile.TemporaryDirectory() as into:
            path = Path(into, "x.xplane.pb")
            path.write_bytes(space)
            made = {"worker-0.trace.json": trace_writer.as_json(path), "worker-0.trace": trace_writer.as_message(path)}
        made["worker-0.trace.json.gz"] = gzip.compress(made["worker-0.trace.json"], mtime=0)
        truth = report_on({"worker-0.xplane.pb": space})
        for file, data in made.items():
            report = report_on({file: data})
            pattern = r"step\.(count|time)|device\.(busy|idle)_share$" + (r"|step\.class" if name == "tpu" else "")
            check.true(f"{name}, {file}: metrics", same_metrics(report, truth, pattern, abs_=1e-6) > 8)
            if name == "tpu":
                check.equal("operations", same_operations(report, truth, ["self_ms", "occurrences", "category"]) > 3, True)


def others():
    check.part("what is no trace of these profilers")
    torch = json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1.5, "dur": 2}]}).encode()
    late = json.dumps({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]}).encode()
    bare = json.dumps(json.loads(late)["traceEvents"]).encode()
    for data in (torch, late, bare):
        for files in ({"vm.trace.json": data}, {"vm.trace.json.gz": gzip.compress(data, mtime=0)}, {"vm.trace": data},
                      {"vm_1.1700000000000.pt.trace.json": data}):
            report = report_on(files)
            check.equal(f"{[*files]}: goes to the reader of PyTorch's traces", [row["reader"] for row in report.rows("method/files")], ["pytorch"])
            check.true(f"{[*files]}: is no copy of a profile", "holds less than its profile" not in json.dumps(report.doc))
    for data in (b'{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}',
                 b'{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "/device:CPU:0 Compute"}}, '
                 b'{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}'):
        report = report_on({"vm.trace.json": data})
        check.equal("goes to the reader of any program's", [row["reader"] for row in report.rows("method/files")], ["chrome_trace"])
    for data, words in ((b'{"a": 1}', "not a trace: it holds no events"), (b"", "the file is empty"), (b"hello", "not a trace")):
        status, said = done_on({"vm.trace.json": data})
        check.true(f"{data[:20]}: {said}", status == 4 and words in said)
    for data, words in ((b"", "the file is empty"), (b"x" * 30, "not a trace")):
        status, said = done_on({"vm.trace": data})
        check.true(f".trace {data[:20]}: {said}", status == 4 and words in said)


def damaged():
    check.part("damaged")
    plain = gzip.decompress(JAX)[:40000]
    for size in (0, 1, 30, 1000, 2000, 10000, 39999):
        status, said = done_on({"vm.trace.json": plain[:size]})
        check.true(f"cut at {size}: {said}", status in (0, 4) and "trace" in said)
        if size == 39999:
            check.true(f"says where: {said}", "the trace breaks off here" in said and "39999" in said)
    whole = plain[:plain.rindex(b",{")]
    events = len(re.findall(rb'"ph":"X"', whole))
    report = report_on({"vm.trace.json": plain[:-3]})
    check.true("keeps what came before", f"the {events} events before it are used" in json.dumps(report.doc) + report.stderr)
    status, said = done_on({"vm.trace.json.gz": JAX[:len(JAX) // 2]})
    check.true(f"half of a gz: {said}", status == 0 and "the gzip stream is cut off" in said)
    odd = plain.replace(b'"ts":43.35', b'"ts":NaN,"x":43.35').replace(b'"train"', b'"tr\\qain"')[:20000]
    report = report_on({"vm.trace.json": odd})
    count = odd.count(b"NaN") + odd.count(b"\\q")
    check.true("odd values and escapes are counted", f"{count} values and strings are not valid JSON" in json.dumps(report.doc))
    check.true("an event without a time is left out", "1 event without a time" in json.dumps(report.doc))


def capped():
    check.part("as many events as fit into a trace")
    head = b'{"traceEvents":[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},'
    event = b'{"ph":"X","pid":1,"tid":1,"ts":%d,"dur":0.5,"name":"e"}'
    for count, told in ((999_999, False), (1_000_000, True)):
        data = head + b",".join(event % i for i in range(count)) + b"]}"
        report = report_on({"vm.trace.json.gz": gzip.compress(data, 1)})
        check.equal(f"{count} events: told", "the end of the capture is missing" in json.dumps(report.doc), told)
        check.equal(f"{count} events: incomplete", "profile incomplete" in json.dumps(report.doc), told)


def tables():
    check.part("LevelDB tables")
    for name, words in (("vm.tracetable", "only the service on the TPU could show it"),
                        ("vm.SSTABLE", "give that"), ("vm.trie.SSTABLE", "give that")):
        for data in (TABLE, TABLE[:-1]):
            for given in ("", name):
                status, said = done_on({name: data}, given)
                check.true(f"{name}: {said}", status == 3 and words in said)
                check.equal(f"{name}: cut off", "lacks the end of a LevelDB table" in said, data is not TABLE)
    status, said = done_on({"what": TABLE}, "what")
    check.true(f"whatever its name: {said}", status == 3 and "a LevelDB table" in said)


def main():
    jax()
    beside_an_xplane()
    devices()
    others()
    damaged()
    capped()
    tables()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
