"""Files that are cut, grow and are written anew while they are read, as on shared storage while a job runs: a cut file or a
warning, never a signal."""

import json
import os
import random
import subprocess
import threading

import tfrecord
import tiny_xspace as t
import tool_files
import torch_files
from cases import must, run_all
from sampled import sampled

PROGRAM = os.environ["TPREPORT"]
RUNS = 40  # of each kind
SOUND = {0, 3, 4}  # exit statuses: fine, nothing to report, damaged


def xplane():
    plane = t.Plane("/host:CPU")
    for thread in range(8):
        plane.line(f"thread/{thread}", [plane.event(f"f{i % 50}", 1000 * i, 900) for i in range(8000)])
    return t.space(t.metadata(), plane, t.tpu(0, 3))


def trace():
    events = torch_files.new_events()
    return json.dumps(torch_files.trace([dict(e, ts=e["ts"] + 1000 * i) for i in range(200) for e in events])).encode()


def event_file():
    values = [tfrecord.event(1.7e9 + i, i, tfrecord.simple(loss=1 / (i + 1), rate=float(i))) for i in range(10000)]
    return tfrecord.version(1.7e9) + b"".join(values)


def packed(data):
    return subprocess.run(["gzip", "-c"], input=data, capture_output=True, check=True).stdout


def upset(path, data, until, seed):
    """Cuts the file anywhere, fills it with something else, and puts it back, again and again."""
    dice = random.Random(seed)
    noise = dice.randbytes(len(data))
    fd = os.open(path, os.O_RDWR)
    while not until.is_set():
        turn = dice.randrange(4)
        if turn == 0:
            os.ftruncate(fd, dice.randrange(len(data)))
        elif turn == 1:
            at = dice.randrange(len(data))
            os.pwrite(fd, noise[at:at + 65536], at)
        elif turn == 2:
            os.ftruncate(fd, 0)
        os.pwrite(fd, data, 0)
    os.close(fd)


def changing(folder, name, data):
    path = os.path.join(folder, name)
    seen = {}
    for seed in sampled(f"reads while {name} changes", range(RUNS), 5):
        with open(path, "wb") as out:
            out.write(data)
        until = threading.Event()
        writer = threading.Thread(target=upset, args=(path, data, until, seed))
        writer.start()
        done = subprocess.run([PROGRAM, path, "-o", os.path.join(folder, "r.html")], capture_output=True, timeout=60, check=False)
        until.set()
        writer.join()
        told = done.stderr.decode(errors="replace")
        must(done.returncode in SOUND and "Sanitizer" not in told, name, "seed", seed, "exit status", done.returncode, told[-2000:])
        must(done.returncode == 0 or told.startswith("tpreport: "), name, "seed", seed, "says", told[-2000:])
        seen[done.returncode] = seen.get(done.returncode, 0) + 1
    print(name, "exit statuses", seen)


def xplanes(folder):
    changing(folder, "vm.xplane.pb", xplane())


def packed_xplanes(folder):
    changing(folder, "vm.xplane.pb.gz", packed(xplane()))


def traces(folder):
    changing(folder, "rank0.1.pt.trace.json", trace())


def packed_traces(folder):
    changing(folder, "rank0.1.pt.trace.json.gz", packed(trace()))


def event_files(folder):
    changing(folder, "events.out.tfevents.1.vm", event_file())


def tool_answers(folder):
    changing(folder, "vm.overview_page.json", tool_files.overview_json())


run_all([xplanes, packed_xplanes, traces, packed_traces, event_files, tool_answers])
