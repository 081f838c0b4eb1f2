"""Small files that ask for much: each is read, or refused with a message, within a limit of memory and of time."""

import gzip
import os
import subprocess
import sys

import tiny_xspace as t
import torch_files
from cases import must, run_all
from xspace_writer import field, varint

PROGRAM = os.environ["TPREPORT"]
SANITIZED = bool(os.environ.get("TPREPORT_SANITIZE"))
MIB = 2**20


# A process counts the memory of the one that started it, so that a small one does that here.
START = """
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stderr=subprocess.PIPE) as child:
    sys.stderr.buffer.write(child.stderr.read())
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
print(child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def packed(byte, mib):
    """gzip, whose members follow each other: 1,030 times smaller."""
    return gzip.compress(byte * (8 * MIB), 6) * (mib // 8)


def run(folder, name, data, status, says, most_mib, most_s, *words):
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(data)
    command = [sys.executable, "-c", START, PROGRAM, path, "-o", os.path.join(folder, "r.html"), *words]
    done = subprocess.run(command, capture_output=True, timeout=300, check=True)
    told, (ended, spent_s, peak_mib) = done.stderr.decode(), map(float, done.stdout.split())
    print(f"{name} {words}: {len(data) / MIB:.2f} MiB, exit status {ended:.0f}, {peak_mib:.0f} MiB, {spent_s:.2f} s")
    must(ended == status, name, words, "exit status", ended, "instead of", status, told)
    must(says in told, name, "does not say", repr(says), "but", told)
    # Sanitizers take several times as much of both.
    must(spent_s < most_s * (10 if SANITIZED else 1), name, "took", spent_s, "s of processor time")
    must(SANITIZED or peak_mib < most_mib, name, "took", peak_mib, "MiB")


def nothing_but_zeros(folder):
    run(folder, "vm.xplane.pb.gz", packed(b"\0", 1200), 4, "no XLA profile", 40, 1)


def another_kind(folder):
    """Whatever its name says, a file is read by what it holds, and to its end."""
    data = torch_files.text(torch_files.trace([dict(e, ts=e["ts"] + 1000 * i) for i in range(30) for e in torch_files.new_events()]))
    must(len(data) > 4096, len(data))
    run(folder, "vm.xplane.pb.gz", gzip.compress(data), 0, "", 60, 2, "--strict")


def zeros_behind_a_plane(folder):
    """Denser than any profile: not followed to its end."""
    head = gzip.compress(t.space(t.tpu(0, 3)) + varint(1 << 3 | 2) + varint(1200 * MIB), 1)
    run(folder, "vm.xplane.pb.gz", head + packed(b"\0", 1200), 4, "500 times its size", 700, 5)


def answer_of_a_tool(folder):
    data = gzip.compress(b"[") + packed(b" ", 400)
    run(folder, "vm.overview_page.json.gz", data, 4, "more than the limit of 128 MiB", 200, 3)


def memory_profile(folder):
    run(folder, "memory.prof.gz", packed(b"\x32\x01a", 160), 4, "more than the limit of 256 MiB", 330, 4)


def cores(folder, count):
    """Cores that ran one operation each."""
    planes = []
    for i in range(count):
        plane = t.Plane(f"/device:TPU:{i}")
        plane.line("XLA Ops", [plane.event("a", 0, 5)])
        planes.append(plane.encode())
    run(folder, f"vm{count}.xplane.pb", t.space(*planes), 0, "", 900, 20, "--memory-limit", "2G")


def many_cores(folder):
    cores(folder, 10_000)


def many_names(folder):
    plane = t.Plane("/host:CPU")
    plane.line("thread", [plane.event(f"operation {i}", 10 * i, 5) for i in range(200_000)])
    run(folder, "vm.xplane.pb", t.space(plane), 0, "", 300, 10)


def many_operations(folder):
    plane = t.tpu(0, 3)
    plane.line("XLA Ops", [plane.event(plane.op(f"fusion.{i}", f"fusion.{i}", {"hlo_category": "fusion", "flops": 5}), 10 * i, 5)
                           for i in range(50_000)])
    run(folder, "vm.xplane.pb", t.space(plane), 0, "", 700, 15)


def more_than_is_allowed(folder):
    if SANITIZED:
        return
    plane = t.Plane("/host:CPU")
    plane.line("thread", [plane.event(f"operation {i}", 10 * i, 5) for i in range(200_000)])
    run(folder, "vm.xplane.pb", t.space(plane), 4, "tpreport: out of memory: the limit is 40 MiB", 80, 5, "--memory-limit", "40M")
    # Refused as a file is, where one cannot be unpacked: others of the run would be read.
    run(folder, "vm.xplane.pb.gz", gzip.compress(t.space(plane) * 6, 1), 4, "--memory-limit", 80, 5, "--memory-limit", "40M")


run_all([nothing_but_zeros, another_kind, zeros_behind_a_plane, answer_of_a_tool, memory_profile, many_cores, many_names, many_operations,
         more_than_is_allowed])
