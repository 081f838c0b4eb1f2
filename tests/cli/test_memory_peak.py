"""What a report takes in memory: of an xplane at most 1.25 times its size, and of many names or files some KB each."""

import multiprocessing
import os
import subprocess
import sys

import growing
import tiny_xspace as t
from cases import must, run_all

PROGRAM = os.environ["TPREPORT"]
MAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench", "make_big_xplane.py")
MB = 1e6
# Passes and files that run side by side hold what they need at the same time, and which do so differs from run to run (the flows took 60
# to 75 MB in forty runs of one file): what counts is the least of some runs. Figures here are 0.83 to 0.88, 3.7 to 4.7 (5.5 if all runs
# are bad ones), 1,630 to 2,370 and 3,410 to 4,190.
RUNS = 5
MOST_OF_XPLANE = 1.25  # of what it is larger; a byte an event of it says in which lane of the timeline it is
OPS_OF_STEP = 900  # each with a flow
STEPS = (50, 200)
# 28 bytes each: little but flows, and all of it in steps; a real capture takes half of that. Of flows between events that the timeline
# keeps in full, at most some 700,000, it also looks up which begins where: 30 bytes each.
MOST_OF_FLOWS = 6
MOST_OF_NAME = 3000  # bytes; with a row in a table for each it is more than twice as much
MOST_OF_FILE = 5000
FILES = (1000, 5000)
NAMES = (25_000, 75_000)  # more than tables list

if "address" in os.environ.get("TPREPORT_SANITIZE", ""):
    print("AddressSanitizer takes memory of its own; ctest --preset dev -R cli.memory runs it")
    sys.exit(77)


def peak_of(path, folder):
    return min(peak_of_a_run(path, folder) for _ in range(RUNS))


def peak_of_a_run(path, folder):
    # What is read side by side is in memory at the same time.
    with subprocess.Popen([PROGRAM, "-q", "--threads", "2", path, "-o", os.path.join(folder, "r.json")]) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    must(child.returncode == 0, path, "exit status", child.returncode)
    return usage.ru_maxrss * 1024


def xplane(folder, kind, mb):
    """Made by a process of its own: what this one takes would count in the peak of those that it starts."""
    path = os.path.join(folder, f"{kind}-{mb}")
    subprocess.run([sys.executable, MAKE, path, "--kind", kind, "--size", str(mb)], check=True, stdout=subprocess.DEVNULL)
    [run] = os.scandir(os.path.join(path, "plugins", "profile"))
    return path, sum(file.stat().st_size for file in os.scandir(run))


def of_an_xplane(folder):
    for kind in ("jax-cpu", "tpu"):
        (small, small_bytes), (large, large_bytes) = (xplane(folder, kind, mb) for mb in (15, 45))
        more = peak_of(large, folder) - peak_of(small, folder)
        share = more / (large_bytes - small_bytes)
        print(f"{kind}: {share:.2f} times its size")
        must(share <= MOST_OF_XPLANE, kind, f"takes {more / MB:.0f} MB more for {(large_bytes - small_bytes) / MB:.0f} MB")


def with_flows(path, steps):
    """As TensorFlow writes it: each step hands its operations from one thread to another, each by a flow of its own."""
    plane = t.Plane("/host:CPU")
    here, there, start_ps = [], [], 0
    for step in range(steps):
        start_ps = step * t.MS
        here.append(plane.event("train", start_ps, t.MS - 10**6, {"_r": 1, "step_num": step}))
        for k in range(OPS_OF_STEP):
            at_ps, flow = start_ps + 10**6 * k, step * OPS_OF_STEP + k
            here.append(plane.event("Schedule", at_ps, 500_000, {"_pt": 2, "_p": flow}))
            there.append(plane.event("MatMul", at_ps + 100_000, 400_000, {"_ct": 2, "_c": flow, "iter_num": step}))
    plane.line("main/1", here).line("worker/2", there)
    with open(path, "wb") as out:
        out.write(t.space(plane))


def of_flows(folder):
    paths = [os.path.join(folder, f"flows-{steps}.xplane.pb") for steps in STEPS]
    for path, steps in zip(paths, STEPS):
        maker = multiprocessing.get_context("fork").Process(target=with_flows, args=(path, steps))
        maker.start()
        maker.join()
    few, many = (peak_of(path, folder) for path in paths)
    more_bytes = os.path.getsize(paths[1]) - os.path.getsize(paths[0])
    print(f"flows: {(many - few) / more_bytes:.2f} times its size")
    must(many - few <= MOST_OF_FLOWS * more_bytes, "flows take", f"{(many - few) / MB:.0f} MB more for {more_bytes / MB:.0f} MB")


def write(folder, files):
    for path, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "wb") as out:
            out.write(data)


def operations(folder, count):
    path = os.path.join(folder, f"names-{count}")
    maker = multiprocessing.get_context("fork").Process(target=lambda: write(path, growing.operations(count)))
    maker.start()
    maker.join()
    return path


def of_a_name(folder):
    few, many = (peak_of(operations(folder, count), folder) for count in NAMES)
    each = (many - few) / (NAMES[1] - NAMES[0])
    print(f"{each:.0f} bytes a name of an operation")
    must(each <= MOST_OF_NAME, "names take", f"{each:.0f} bytes each")


def of_a_file_of_nothing(folder):
    """An empty file, and a packed one that is damaged from its beginning."""
    for name, data in (("profile_%d", b""), ("h%d.xplane.pb.gz", b"\x1f\x8b\x08\x00damaged")):
        peaks = []
        for count in FILES:
            logs = os.path.join(folder, name % count + ".files")
            write(logs, {"vm.xplane.pb": t.space(t.environment(), t.tpu(0, 2)), **{name % i: data for i in range(count)}})
            peaks.append(peak_of(logs, folder))
        each = (peaks[1] - peaks[0]) / (FILES[1] - FILES[0])
        print(f"{each:.0f} bytes a file such as {name}")
        must(each <= MOST_OF_FILE, "files such as", name, "take", f"{each:.0f} bytes each")


run_all([of_an_xplane, of_flows, of_a_name, of_a_file_of_nothing])
