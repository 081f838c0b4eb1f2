"""How long `tpreport check` takes with all of its outputs, by the time of a page: the ratio of CPU time (and of time) over some rounds.

    tests/bench/check_time.py TPREPORT LOGDIR [ROUNDS]

Without baselines, and with three summaries of the same run, which are read and compared. It fails where a check takes more than 1.2 times the CPU
time of `-o report.html`."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

MOST = 1.2
OUTPUTS = ("junit.xml", "md", "bmf.json", "smaller.gab.json", "bigger.gab.json", "om", "sarif")


def cost(command):
    """Seconds of a process, and of its CPU time."""
    started = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 6):
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime


def main():
    program, logs, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as folder:
        budget, baselines = f"{folder}/b.json", [f"{folder}/{i}.tps" for i in range(3)]
        with open(budget, "wb") as out:
            subprocess.run([program, "-q", "budget", logs], check=True, stdout=out)
        subprocess.run([program, "-q", logs, *(word for path in baselines for word in ("-o", path))], check=True)
        check = [program, "-q", "check", logs, "--budget", budget, *(word for name in OUTPUTS for word in ("-o", f"{folder}/c.{name}"))]
        ways = {"page": [program, "-q", logs, "-o", f"{folder}/r.html"], "check": check, "check with baselines": [*check, "--baseline", *baselines]}
        found = {name: [] for name in ways}
        for _ in range(rounds):
            for name, command in ways.items():
                found[name].append(cost(command))
    medians = {name: [statistics.median(part) for part in zip(*costs)] for name, costs in found.items()}
    for name, (seconds, cpu) in medians.items():
        print(f"{name}: {seconds:.2f} s, {cpu:.2f} s of CPU ({cpu / medians['page'][1]:.2f} of the page)")
    return max(cpu for _, cpu in medians.values()) > MOST * medians["page"][1]


sys.exit(main())
