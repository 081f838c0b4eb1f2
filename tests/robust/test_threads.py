"""However many threads work, every output is the same, byte for byte, and so are the messages: of the examples and of profiles that are
held, of large traces that are cut into slices, whole, cut off and damaged, and of many ranks."""

import gzip
import json
import os
import random
import subprocess
from pathlib import Path

import tiny_xspace
import torch_files
from cases import must, run_all
from sampled import not_tried, sampled
from xspace_writer import Plane, xspace

PROGRAM = os.environ["TPREPORT"]
SOURCE = Path(os.environ["TPREPORT_SOURCE"])
DATA = os.environ.get("TPREPORT_TEST_DATA")
THREADS = (2, 3, 8)
FORMATS = ("html", "json")


def report(paths, threads, form, cwd=None):
    done = subprocess.run([PROGRAM, *paths, "-v", "--threads", str(threads), "--format", form, "-o", "-"], capture_output=True,
                          timeout=300, check=False, cwd=cwd, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return done.returncode, done.stdout, done.stderr


def must_not_matter(what, paths, threads=THREADS, forms=FORMATS, cwd=None):
    for form in forms:
        alone = report(paths, 1, form, cwd)
        must(alone[0] in (0, 3, 4), what, "exit status", alone[0], alone[2])
        for count in threads:
            together = report(paths, count, form, cwd)
            for kind, one, other in zip(("exit status", "bytes", "messages"), alone, together):
                must(one == other, what, form, count, "threads:", kind, "differ", one[-200:] if kind == "messages" else "",
                     other[-200:] if kind == "messages" else "")


def samples(_folder):
    for example in sorted(SOURCE.glob("examples/*/input")):
        must_not_matter(example.parent.name, [example])


def held(_folder):
    if DATA is None:
        not_tried("profiles that are held elsewhere", "TPREPORT_TEST_DATA names their folder")
        return
    folders = sorted({path.parent for path in Path(DATA).rglob("*.pt.trace.json*")} | {path.parent for path in Path(DATA).rglob("*.xplane.pb")})
    for folder in sampled("folders of profiles that are held, by numbers of threads", folders, 9):
        must_not_matter(folder, [folder], (2, 8), ("json",))


def large_trace(seed=0, times=7000):
    """Some 10 MB: cut into slices with two threads."""
    dice = random.Random(seed)
    events = []
    for turn in range(times):
        for event in torch_files.new_events()[3:]:
            event = dict(event, ts=event["ts"] + 1000 * turn)
            if event["ph"] == "X" and dice.randrange(10) == 0:
                event["name"] = f"aten::op{dice.randrange(1000)}"
            events.append(event)
    whole = torch_files.trace(torch_files.new_events()[:3] + events)
    return json.dumps(whole, indent=1 if seed % 2 else None).encode()


def in_any_state(path, data, dice):
    """The file whole, cut off, damaged and packed."""
    cases = [("whole", data)]
    cases += [(f"cut at {at}", data[:at]) for at in (dice.randrange(len(data)) for _ in range(2))]
    for _ in range(3):
        at = dice.randrange(len(data) - 8)
        cases.append((f"changed at {at}", data[:at] + dice.randbytes(8) + data[at + 8:]))
    for what, some in cases:
        Path(path).write_bytes(some)
        must_not_matter(what, [path], (2, 5), ("json",))
    Path(path).unlink()
    Path(path + ".gz").write_bytes(gzip.compress(data, 1))
    must_not_matter("packed", [path + ".gz"], (2, 5), ("json",))
    Path(path + ".gz").unlink()


def slices(folder):
    dice = random.Random(5)
    for seed in range(2):
        data = large_trace(seed, 7000 if seed == 0 else 3500)
        must(len(data) > 16 << 20, "the trace has", len(data), "bytes: not enough for two slices")
        path = os.path.join(folder, "rank0.1.pt.trace.json")
        in_any_state(path, data, dice)


def large_xspace(seed=5, events=60000):
    """Some 2.5 MB of lines: read in pieces with two threads. Operations, strings and regions that pieces meet again, and events that
    cannot be used."""
    dice = random.Random(seed)
    host = Plane("/host:CPU")
    python, client = host.line("python"), host.line("client")
    pool = host.line("tf_XLAEigen/1")
    for turn in range(events):
        at = turn * 2_000_000
        python.event(f"$file.py:{dice.randrange(900)} call", at, 1_500_000)
        if turn % 3 == 0:
            client.event("thunk", at, 900_000, hlo_op=f"fusion.{dice.randrange(1 + turn // 50)}", program_id=7, run_id=turn // 500, _pt=15, _p=turn)
        if turn % 7 == 0:
            pool.event("ThreadpoolListener::StartRegion", at, 0, _ct=15, _c=turn)
            pool.event("inner", at + 1000, 500_000, step_name=f"step {dice.randrange(1 + turn // 100)}")
        if turn % 7 == dice.randrange(1, 6):
            pool.event("ThreadpoolListener::StopRegion", at, 0)
        if turn % 400 == 0:
            python.event("train", at, 700_000_000, step_num=turn // 400, _r=1)
        if turn % 5000 == 0:
            python.event("far", 1 << 62, 5)
            client.event("MemoryAllocation", at, 10, allocator_name=f"cpu {turn}", bytes_allocated=turn, bytes_available=-turn)
            client.event("MemoryDeallocation", at, 10, allocator_name="cpu")
    device = Plane("/device:GPU:0")
    stream = device.line("Stream #7(Compute)")
    for turn in range(events // 4):
        stream.event(f"kernel_{dice.randrange(50)}", turn * 8_000_000, 5_000_000, hlo_op=f"loop.{dice.randrange(400)}",
                     program_id=dice.randrange(3), correlation_id=turn, kernel_details=f"regs:{dice.randrange(90)}")
    return xspace(host, device, hosts=("vm",))


def pieces(folder):
    dice = random.Random(6)
    data = large_xspace()
    must(len(data) > 3 << 20, "the XSpace has", len(data), "bytes: not enough for several pieces")
    path = os.path.join(folder, "vm.xplane.pb")
    in_any_state(path, data, dice)


def parts_of_a_line(folder):
    """A line with most of the events is summed up in parts. Most of these events are in one cell of the timeline, so that several parts begin in it."""
    host, second = tiny_xspace.Plane("/host:CPU"), 10**12
    events = [host.event("outer", 0, second)]
    events += [host.event(f"before {turn % 7}", 1000 + turn * (second // 120_000), 1000) for turn in range(60_000)]
    events += [host.event(f"within {turn % 5}", second // 2 + 5_000_000 + turn, 1) for turn in range(260_000)]
    events += [host.event(f"after {turn % 7}", second // 2 + 10**9 + turn * (second // 140_000), 1000) for turn in range(60_000)]
    host.line("python", events)
    path = os.path.join(folder, "parts.xplane.pb")
    with open(path, "wb") as out:
        out.write(tiny_xspace.space(host))
    must_not_matter("parts of a line", [path], forms=("html",))


def ranks(folder):
    """One is damaged, one a copy, one packed, one of no use."""
    for rank in range(12):
        data = large_trace(rank, 20)
        name = os.path.join(folder, f"node0_{rank}.1.pt.trace.json")
        if rank == 3:
            data = data[:-3000]
        if rank == 5:
            data = large_trace(4, 20)
        if rank == 7:
            data = b"{"
        if rank == 9:
            name, data = name + ".gz", gzip.compress(data)
        Path(name).write_bytes(data)
    must_not_matter("ranks", ["."], cwd=folder)


if __name__ == "__main__":
    run_all([samples, held, slices, pieces, parts_of_a_line, ranks])
