"""The Perfetto file by Perfetto's own: its messages (python package perfetto), and its trace processor, whose counts of slices, counters
and flows are ours. Skipped where neither is there: pip install perfetto; TRACE_PROCESSOR_SHELL=path."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import perfetto_wire
from truth import SKIPPED, SOURCE, TPREPORT, Check

check = Check()
SHELL = os.environ.get("TRACE_PROCESSOR_SHELL") or shutil.which("trace_processor_shell")
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


def by_processor(path, ours):
    for table, count in (("slice", sum(map(len, ours.slices.values()))), ("counter", sum(map(len, ours.counters.values()))),
                         ("flow", len(ours.arrows)), ("slice where dur < 0", 0)):
        query = path.with_suffix(".sql")
        query.write_text(f"select count(*) as n from {table};", encoding="utf-8")
        done = subprocess.run([SHELL, "-q", query, path], capture_output=True, check=False)
        if done.returncode != 0:
            check.fail(table, done.stderr.decode(), "a count")
            continue
        check.equal(table, int(done.stdout.decode().split()[-1]), count)


if Trace is None and SHELL is None:
    print("neither the python package perfetto nor trace_processor_shell is there: pip install perfetto, or set TRACE_PROCESSOR_SHELL")
    sys.exit(SKIPPED)
for example in ("jax_cnn", "torch_ddp", "tpu_two_hosts", "tf_slow_input"):
    check.part(example)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "x.perfetto-trace")
        subprocess.run([TPREPORT, "-q", SOURCE / "examples" / example / "input", "-o", made], check=True)
        read = perfetto_wire.Trace(made.read_bytes())
        if Trace is not None:
            by_messages(made.read_bytes(), read)
        if SHELL is not None:
            by_processor(made, read)
check.end()
