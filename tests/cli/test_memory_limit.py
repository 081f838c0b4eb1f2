"""--memory-limit: a run that needs more ends with a message and exit status 4, and leaves nothing behind."""

import os
import resource
import subprocess
import sys

import tiny_xspace as t
from cases import must, run_all

PROGRAM = os.environ["TPREPORT"]
EVENTS = 2_000_000  # 20 bytes each in memory
MIB = 2**20

if "address" in os.environ.get("TPREPORT_SANITIZE", ""):
    print("AddressSanitizer maps terabytes: no limit can be set; ctest --preset dev -R cli.memory runs it")
    sys.exit(77)


def many_events(folder):
    plane = t.Plane("/host:CPU")
    plane.line("thread/1", [plane.event("f", 1000, 10) * EVENTS])
    path = os.path.join(folder, "vm.xplane.pb")
    with open(path, "wb") as out:
        out.write(t.space(plane))
    return path


def report(folder, path, *words, **how):
    """Exit status, what was said, what was written, and the peak in bytes."""
    os.makedirs(out := os.path.join(folder, "out"), exist_ok=True)
    with subprocess.Popen([PROGRAM, path, "-o", os.path.join(out, "r.json"), *words], stderr=subprocess.PIPE, **how) as child:
        told = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    left = os.listdir(out)
    for name in left:
        os.unlink(os.path.join(out, name))
    return child.returncode, told, left, usage.ru_maxrss * 1024


def more_than_the_limit(folder):
    path = many_events(folder)
    status, told, left, _ = report(folder, path)
    must((status, left) == (0, ["r.json"]), "without a limit", status, told, left)
    for words, mib in ((["--memory-limit", "24M"], 24), (["--memory-limit=0.03G"], 30), (["--memory-limit", "20480KiB"], 20)):
        status, told, left, peak = report(folder, path, *words)
        must(status == 4, words, "exit status", status, told)
        must(told.startswith("tpreport: out of memory: ") and f"{mib} MiB" in told and "--memory-limit" in told, words, told)
        must(told.count("\n") == 1 and left == [], words, told, left)
        must(peak < mib * MIB + 60 * MIB + os.path.getsize(path), words, "took", peak)
    must(report(folder, path, "--memory-limit", "400M")[0] == 0, "400M are not enough")
    must(report(folder, path, "--memory-limit", "none")[0] == 0, "none")


def lower_limit_of_the_caller(folder):
    """What ulimit -d allows stays, whatever the option says."""
    path = many_events(folder)
    for words in ([], ["--memory-limit", "1G"], ["--memory-limit", "none"]):
        status, told, left, _ = report(
            folder, path, *words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (30 * MIB, resource.RLIM_INFINITY)))
        must((status, left) == (4, []) and "the limit is 30 MiB" in told, words, status, told, left)


run_all([more_than_the_limit, lower_limit_of_the_caller])
