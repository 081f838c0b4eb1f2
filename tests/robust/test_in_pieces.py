"""What is read from a file in pieces is what is read from one that is unpacked in memory as a whole: of XSpaces, traces and event files, whole, cut off
anywhere, and damaged."""

import gzip
import json
import os
import random
import subprocess

import tfrecord
import tiny_xspace as t
import torch_files
from cases import must, run_all
from sampled import sampled
from xspace_writer import field

PROGRAM = os.environ["TPREPORT"]
TIMES = 25


def report(path, data, *words):
    """Exit status, figures and messages, without the file's own name."""
    with open(path, "wb") as out:
        out.write(data)
    done = subprocess.run([PROGRAM, "-o", "-", "--format", "json", "-v", *words, path], capture_output=True, timeout=60, check=False)
    metrics = json.loads(done.stdout)["metrics"] if done.stdout else None
    return done.returncode, metrics, done.stderr.decode().replace(path, "FILE")


def compare(folder, name, data, what, *words):
    pieces = report(os.path.join(folder, name), data, *words)
    whole = report(os.path.join(folder, name + ".gz"), gzip.compress(data, 1), *words)
    for kind, one, other in zip(("exit status", "figures", "messages"), pieces, whole):
        must(one == other, name, what, kind, one, "instead of", other)


def damaged(data, dice):
    """The data whole, cut off, and with bytes changed."""
    yield "whole", data
    for at in sampled("cuts of what is read in pieces", [dice.randrange(len(data)) for _ in range(TIMES)], 6):
        yield f"cut at {at}", data[:at]
    for at in sampled("changes of what is read in pieces", [dice.randrange(len(data) - 8) for _ in range(TIMES)], 6):
        yield f"changed at {at}", data[:at] + dice.randbytes(dice.choice((1, 8))) + data[at + 8:]


def xspaces(folder):
    host = t.Plane("/host:CPU")
    for thread in range(5):
        host.line(f"thread/{thread}", [host.event(f"f{i % 500}", 1000 * i, 900, {"tf_op": f"scope/{i % 300}:Add"}) for i in range(6000)])
    long = host.op("long" + "x" * 300_000)
    host.line("with a long stat", [host.event(long, 5, 5, {"step_name": "n" * 700_000}), host.event(long, 50, 5)])
    # The name and the time behind the events.
    events = b"".join(host.event(long, 100 * i, 10) for i in range(100))
    host.lines.append(field(3, events + field(2, "late") + field(3, 5000)))
    host.lines.append(field(3, events + field(11, "shown")))
    data = t.space(t.environment(), t.metadata(), host, t.tpu(0, 3), t.gpu(0, 3), hostname="vm")
    for what, some in damaged(data, random.Random(1)):
        compare(folder, "vm.xplane.pb", some, what)
    compare(folder, "vm.xplane.pb", data, "chosen by the host's name", "--host", "vm")
    compare(folder, "x.xplane.pb", data, "of another host", "--host", "nobody")


def traces(folder):
    events = [dict(e, ts=e["ts"] + 1000 * i) for i in range(60) for e in torch_files.new_events()]
    for what, some in damaged(json.dumps(torch_files.trace(events)).encode(), random.Random(2)):
        compare(folder, "rank0.1.pt.trace.json", some, what)


def event_files(folder):
    values = [tfrecord.event(1.7e9 + i, i, tfrecord.simple(loss=1 / (i + 1), rate=float(i))) for i in range(4000)]
    values[2000:2000] = [tfrecord.event(1.7e9, 2000, tfrecord.simple(**{"n" * 400_000: 1.0}))]
    data = tfrecord.version(1.7e9) + b"".join(values)
    for what, some in damaged(data, random.Random(3)):
        compare(folder, "events.out.tfevents.1.vm", some, what)


def stored_zst(data):
    """As Zstandard (RFC 8878): a header with the size, and blocks that are not compressed."""
    most = 1 << 17
    pieces = [data[at:at + most] for at in range(0, len(data), most)]
    headers = [(len(piece) << 3 | (i == len(pieces) - 1)).to_bytes(3, "little") for i, piece in enumerate(pieces)]
    return b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little") + b"".join(map(bytes.__add__, headers, pieces))


def whole_windows(folder):
    """A file that ends where a window does is whole, however it is packed."""
    text = json.dumps(torch_files.trace(torch_files.new_events())).encode()
    for windows in (1, 2, 3):
        data = text.ljust(windows << 18)
        compare(folder, "rank0.1.pt.trace.json", data, f"{windows} windows")
        status, _, said = report(os.path.join(folder, "w.1.pt.trace.json.zst"), stored_zst(data), "--strict")
        must(status == 0 and "cut off" not in said, windows, "windows as zst:", status, said)


run_all([xspaces, traces, event_files, whole_windows])
