"""-o x.perfetto-trace and -o x.trace.json.gz hold every event of the input: read with second readers, event for event."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import graph_writer
import perfetto_wire
import plain_trace_maker
import plain_traces
from torch_jobs import Worker
from truth import Check
from xspace_reader import read_xspace

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ["TPREPORT_SOURCE"])
check = Check()
OURS = "tpreport"


def run(*words):
    return subprocess.run([TPREPORT, *map(str, words)], capture_output=True, check=False)


def written(path, folder, *options):
    """What both outputs hold, and what was said."""
    perfetto, chrome = Path(folder, "x.perfetto-trace"), Path(folder, "x.trace.json.gz")
    done = run(path, "-o", perfetto, "-o", chrome, *options)
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    return perfetto_wire.Trace(perfetto.read_bytes()), plain_traces.read(chrome), done.stderr.decode()


def of_perfetto(trace):
    return {on: collections.Counter((s.start, s.start + s.length, s.name, s.category, s.moment) for s in of)
            for on, of in trace.slices.items() if on[0] != OURS}


def of_chrome(trace, fine=False):
    unit = 1 if fine else 1000
    return {on: collections.Counter((e.start // unit, (e.start + e.length) // unit, e.name, e.category, e.moment) for e in of)
            for on, of in trace.tracks.items() if on[0] != OURS}


def same(what, found, wanted):
    check.equal(f"{what}: tracks", sorted(found), sorted(wanted))
    for on in wanted:
        check.equal(f"{what}: {on}", found.get(on), wanted[on])


def plain():
    with tempfile.TemporaryDirectory() as folder:
        for seed in (4, 5):
            check.part(f"a trace of any program, {seed}")
            entries = plain_trace_maker.made(seed)
            path = Path(folder, "in.json")
            path.write_text(json.dumps(entries), encoding="utf-8")
            wanted = plain_traces.Trace(plain_traces.load(path.read_bytes()))
            perfetto, chrome, _ = written(path, folder)
            same("perfetto", of_perfetto(perfetto), of_chrome(wanted))
            same("chrome", of_chrome(chrome, True), of_chrome(wanted, True))
            check.equal("counters", {on: [(at, v) for at, v in p] for on, p in perfetto.counters.items()},
                        {on: [(at // 1000, v) for at, v in p] for on, p in wanted.counters.items()})
            check.equal("counters", dict(chrome.counters), dict(wanted.counters))
            arrows = sorted(((a[0], a[1], a[2] // 1000, a[3]), (b[0], b[1], b[2] // 1000, b[3])) for a, b in wanted.arrows)
            check.true("there are arrows", len(arrows) > 40)
            check.equal("perfetto: arrows", perfetto.arrows, arrows)
            check.equal("chrome: arrows", chrome.arrows, wanted.arrows)
            again(Path(folder, "x.trace.json.gz"), folder, wanted)
            again(Path(folder, "x.perfetto-trace"), folder, wanted)


def together(tracks):
    """Events of a track that overlap are written as several threads of its name, which get their numbers when they are read."""
    whole = {}
    for (process, name), of in tracks.items():
        whole.setdefault((process, name if name.startswith("thread ") else re.sub(r", thread \d+$", "", name)), collections.Counter()).update(of)
    return whole


def again(path, folder, wanted):
    """What was written is an input, and gives the same events; of Perfetto's, whose clock counts ns, at these."""
    back = Path(folder, "back")
    back.mkdir(exist_ok=True)
    perfetto, chrome, _ = written(path, back)
    fine = path.name.endswith(".json.gz")
    ns = 1 if fine else 1000
    same(f"{path.name}: read back", together(of_chrome(chrome, fine)), of_chrome(wanted, fine))
    same(f"{path.name}: read back, perfetto", together(of_perfetto(perfetto)), of_chrome(wanted))
    check.equal(f"{path.name}: read back: counters", {on: [(at // ns, v) for at, v in p] for on, p in chrome.counters.items()},
                {on: [(at // ns, v) for at, v in p] for on, p in wanted.counters.items()})
    check.equal(f"{path.name}: read back: arrows", [((*a[:2], a[2] // ns, a[3]), (*b[:2], b[2] // ns, b[3])) for a, b in chrome.arrows],
                [((*a[:2], a[2] // ns, a[3]), (*b[:2], b[2] // ns, b[3])) for a, b in wanted.arrows])


# A region of a thread pool lasts until the event that stops it: the reader makes one event of the two.
REGION = "ThreadpoolListener::StartRegion"


def spaces():
    for example in ("jax_cnn", "tpu_two_hosts"):
        check.part(example)
        lines = []
        for file in sorted((SOURCE / "examples" / example / "input").rglob("*.xplane.pb")):
            for plane in read_xspace(file)[0]:
                lines += [[(e.start, e.end, e.op.label) for e in line.events] for line in plane.lines if line.events]
        with tempfile.TemporaryDirectory() as folder:
            perfetto, chrome, _ = written(SOURCE / "examples" / example / "input", folder)
        first = min(e[0] for line in lines for e in line)
        wanted = collections.Counter((start - first, 0 if name == REGION else end - start) for line in lines for start, end, name in line)
        begin = min(e.start for on, of in chrome.tracks.items() if on[0] != OURS for e in of)
        found = collections.Counter((e.start - begin, 0 if e.name == REGION else e.length)
                                    for on, of in chrome.tracks.items() if on[0] != OURS for e in of)
        check.equal("events", found, wanted)
        same("both", of_perfetto(perfetto), of_chrome(chrome))
        check.true("steps are a track", len(perfetto.slices[OURS, "Steps"]) > 1)
        check.equal("steps of both", [s.name for s in perfetto.slices[OURS, "Steps"]], [e.name for e in chrome.tracks[OURS, "Steps"]])


def torch():
    check.part("PyTorch")
    for example in ("torch_ddp", "torch_dataloader"):
        entries, launches, backward = 0, collections.Counter(), 0
        for file in sorted((SOURCE / "examples" / example / "input").rglob("*.json.gz")):
            for e in plain_traces.load(file.read_bytes()):
                backward += e.get("cat") == "fwdbwd" and e["ph"] == "s"
                if e.get("ph") == "X" and "pid" in e and e.get("cat") != "Trace":
                    entries += 1
                    if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset") or "cuda" in e.get("cat", ""):
                        launches[file.name, e.get("args", {}).get("correlation")] += 1
        with tempfile.TemporaryDirectory() as folder:
            perfetto, chrome, said = written(SOURCE / "examples" / example / "input", folder)
        check.equal("events", sum(sum(c.values()) for c in of_chrome(chrome).values()), entries)
        same("both", of_perfetto(perfetto), of_chrome(chrome))
        check.equal("arrows of both", perfetto.arrows, sorted(((*a[:2], a[2] // 1000, a[3]), (*b[:2], b[2] // 1000, b[3])) for a, b in chrome.arrows))
        launched = sum(n - 1 for on, n in launches.items() if on[1] is not None)
        check.equal("arrows", len(perfetto.arrows), launched + backward)
        check.equal("counters of both", sorted(perfetto.counters), sorted(chrome.counters))
        check.true("says when time 0 was", perfetto.unix_ns > 1.6e18)
        check.equal("one host has one clock", said, "")


def job(folder, uneven_us):
    """Two workers on two hosts whose clocks are 3 s apart; they leave their collectives within a few µs, or not."""
    random = Random(7)
    for rank, clock in ((0, 0), (1, 3e6)):
        w = Worker(rank, 2, clock, host="ab"[rank])
        for i in range(24):
            at = 1000 * i
            w.step(i, at, at + 990)
            w.kernel("gemm", at + 10, at + 20, at + 300 + 40 * rank)
            w.collective("all_reduce", at + 30, at + 310 + 40 * rank, at + 600 + random.uniform(-uneven_us, uneven_us), elements=1000)
        w.write(folder)


def clocks():
    check.part("two hosts whose clocks are 3 s apart")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        job(folder, 4)
        perfetto, chrome, said = written(Path(folder), out)
        check.true(said, "2 workers aligned to one clock, each by the ends of at least 24 collectives; median difference" in said)
        ends = collections.defaultdict(list)
        for on, of in chrome.tracks.items():
            ends[on] += [e.start + e.length for e in of if e.name.startswith("ncclDevKernel")]
        ends = [sorted(e) for e in ends.values() if e]
        check.equal("collectives", [len(e) for e in ends], [24, 24])
        check.true("end together", max(abs(a - b) for a, b in zip(*ends)) < 20e6)
        check.equal("arrows", len(perfetto.arrows), 2 * 2 * 24)
        check.true("both say the clocks", (OURS, "Clocks") in perfetto.slices)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as out:
        job(folder, 9000)
        done = run(folder, "-o", Path(out, "x.perfetto-trace"))
        check.true(f"do not fit: {done.returncode} {done.stderr.decode()}",
                   done.returncode == 5 and "cannot be aligned" in done.stderr.decode() and "the limit is 1 ms" in done.stderr.decode())
        check.true("nothing is written", not Path(out, "x.perfetto-trace").exists())
        done = run(folder, "--worker", "nodea_0", "-o", Path(out, "x.perfetto-trace"))
        check.equal("one of them is", done.returncode, 0)


def windows():
    check.part("--window")
    path = SOURCE / "examples/jax_cnn/input"
    with tempfile.TemporaryDirectory() as folder:
        _, whole, _ = written(path, folder)
        steps = whole.tracks[OURS, "Steps"]
        step = steps[len(steps) // 2]
        perfetto, chrome, _ = written(path, folder, "--window", "step:" + step.name)
        wanted = {on: collections.Counter(e for e in of if e.start < step.start + step.length and e.start + e.length >= step.start)
                  for on, of in whole.tracks.items() if on[0] != OURS}
        found = {on: collections.Counter(of) for on, of in chrome.tracks.items() if on[0] != OURS}
        check.equal("the step's events", found, {on: c for on, c in wanted.items() if c})
        check.true("which are not all", sum(sum(c.values()) for c in found.values()) < sum(map(len, whole.tracks.values())) / 2)
        same("both", of_perfetto(perfetto), of_chrome(chrome))
        done = run(path, "-o", Path(folder, "y.perfetto-trace"), "--window", "step:nobody")
        check.true("no such step", done.returncode == 2 and b"no such step" in done.stderr)


CPU, GPUS = "/job:w/device:cpu:0", ("/job:w/device:gpu:0", "/job:w/device:gpu:1")


def made_dump(folder):
    """Two steps on three devices: a loop on a GPU, what another GPU and the CPU take of it, and a node whose input ran later."""
    node, steps = graph_writer.dump_node, {0: 1_000_000, 7: 2_000_000}

    def on(device, *runs):
        """Scheduled by the host, and on a GPU run by all its streams 3 us later."""
        return {step: [(True, device, at + start, us) for start, us in runs] +
                [(False, device + "/stream:all", at + start + 3, us) for start, us in runs if device != CPU] for step, at in steps.items()}
    nodes = [node(0, "read", "Iterator", runs=on(CPU, (5, 20))), node(1, "loop", "MatMul", (0, 1), runs=on(GPUS[0], (30, 10), (50, 10), (70, 10))),
             node(2, "same", "Relu", (1,), runs=on(GPUS[0], (90, 4))), node(3, "other", "Sum", (1, 0), runs=on(GPUS[1], (60, 9))),
             node(4, "early", "Print", (3, 9), runs=on(CPU, (40, 5), (41, 0))), node(5, "never", "NoOp", (0,))]
    path = Path(folder, "profile_7")
    path.write_bytes(graph_writer.dump(*nodes, steps=steps))
    return path


def tfprofs_arrows(path, folder):
    """How many arrows there are in the timelines that `tpreport tfprof` writes, as tfprof does."""
    made = subprocess.run([TPREPORT, "tfprof", "--profile_path", path, "graph", "-max_depth", "100000", "-output", f"timeline:outfile={folder}/tl"],
                          capture_output=True, check=False)
    check.equal("tfprof", made.returncode, 0)
    count = 0
    for file in Path(folder).glob("tl*"):
        count += sum(e["ph"] == "s" for e in json.loads(file.read_bytes())["traceEvents"])
    return count


def dumps():
    check.part("nodes of a dump of tfprof")
    with tempfile.TemporaryDirectory() as folder:
        path = made_dump(folder)
        perfetto, chrome, said = written(path, folder)
        check.equal("says nothing", said, "")
        ran = {"cpu:0, scheduled": [("read", 5, 20), ("early", 40, 5), ("early", 41, 0)],
               "gpu:0, scheduled": [("loop", 30, 10), ("loop", 50, 10), ("loop", 70, 10), ("same", 90, 4)],
               "gpu:1, scheduled": [("other", 60, 9)]}
        ran |= {f"gpu:{i}, stream:all": [(name, start + 3, us) for name, start, us in ran[f"gpu:{i}, scheduled"]] for i in (0, 1)}
        first = min(e.start for on, of in chrome.tracks.items() if on[0] != OURS for e in of)
        check.equal("runs", {on[1]: sorted((e.name, (e.start - first) // 10**6, e.length // 10**6) for e in of)
                             for on, of in chrome.tracks.items() if on[0] != OURS},
                    {on: sorted((name, at + start - 5, us) for at in (0, 1_000_000) for name, start, us in of) for on, of in ran.items()})
        check.equal("types", {e.category for e in chrome.tracks[CPU, "cpu:0, scheduled"]}, {"Iterator", "Print"})
        same("both", of_perfetto(perfetto), of_chrome(chrome))
        check.equal("when", perfetto.unix_ns, 1_000_005_000)
        found = [(a[3], (a[2] - first) // 10**6 + 5, b[3], (b[2] - first) // 10**6 + 5) for a, b in chrome.arrows]
        each = [("read", 5, "loop", 30), ("read", 5, "loop", 50), ("read", 5, "loop", 70), ("read", 5, "other", 60), ("loop", 50, "other", 60)]
        check.equal("arrows", sorted(found), sorted((a, at + start, b, at + end) for at in (0, 1_000_000) for a, start, b, end in each))
        check.equal("arrows of both", len(perfetto.arrows), len(chrome.arrows))
        check.equal("steps", [s.name for s in perfetto.slices[OURS, "Steps"]], ["0", "7"])
        _, part, _ = written(path, folder, "--window", "step:7")
        check.equal("--window", sum(len(of) for on, of in part.tracks.items() if on[0] != OURS), sum(map(len, ran.values())))
    captured = Path(os.environ.get("TPREPORT_TEST_DATA", "/nowhere"), "tf/tfprof/gpusynth_conv/profile_9")
    if captured.exists():
        with tempfile.TemporaryDirectory() as folder:
            perfetto, _, _ = written(captured, folder)
            check.equal("arrows of a dump of three GPUs", len(perfetto.arrows), tfprofs_arrows(captured, folder))
            check.true("there are some", len(perfetto.arrows) > 100)


def refusals():
    check.part("what is refused")
    with tempfile.TemporaryDirectory() as folder:
        report, out = Path(folder, "r.json"), Path(folder, "x.perfetto-trace")
        graph = Path(folder, "graph.pb")
        graph.write_bytes(graph_writer.graph(graph_writer.LOOP))
        run("-q", SOURCE / "examples/jax_cnn/input", "-o", report)
        for words, status, says in (((report, "-o", out), 2, "reports, tool files and graphs have none"),
                                    ((SOURCE / "examples/jax_cnn/input", "--redact", "-o", out), 2, "--redact"),
                                    (("diff", report, report, "-o", out), 2, "hold no events"),
                                    ((graph, "-o", out), 2, "no events to write")):
            done = run(*words)
            check.true(f"{words[0]}: {done.returncode} {done.stderr.decode()}", done.returncode == status and says in done.stderr.decode())
            check.true("nothing is written", not out.exists())


plain()
spaces()
torch()
clocks()
windows()
dumps()
refusals()
check.end()
