"""Twice the input is at most 2.3 times the work, for all that a profile can have much of. Work is counted in basic blocks of our own
code (support/count_steps.c), by function and without a clock."""

import bisect
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import growing
from sampled import sampled
from truth import SKIPPED, Check

COUNTED = os.environ.get("TPREPORT_COUNTED")
MOST = 2.3           # of all work
MOST_OF_ONE = 2.8    # of a function: sorting what is twice as much takes up to 2.3, walking all for each takes 4
# Of all work, that a function must have to count by itself, with twice the input and with four times: one that has work from a size on, as
# levels of a timeline, grows from nothing; all work together holds it.
LEAST_SHARE = 0.005
check = Check()


def functions():
    """Where each function begins, in order, and their names."""
    lines = subprocess.run(["nm", "-n", "--defined-only", COUNTED], capture_output=True, text=True, check=True).stdout.splitlines()
    found = [(int(line.split()[0], 16), line.split()[2]) for line in lines if line.split()[1] in "tT"]
    return [at for at, _ in found], [name for _, name in found]


def work(files, starts, names):
    """{function: basic blocks} of a report on these files."""
    with tempfile.TemporaryDirectory() as folder:
        for path, data in files.items():
            Path(folder, "in", path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, "in", path).write_bytes(data)
        steps = Path(folder, "steps")
        done = subprocess.run([COUNTED, "-q", Path(folder, "in"), "-o", Path(folder, "r.html"), "-o", Path(folder, "r.json")],
                              env={**os.environ, "TPREPORT_STEPS": str(steps)}, capture_output=True, check=False)
        check.equal("exit status, " + done.stderr.decode("utf-8", "replace")[:300], done.returncode, 0)
        counts = {}
        for line in steps.read_text(encoding="ascii").splitlines():
            place, count = line.split()
            name = names[bisect.bisect(starts, int(place, 16)) - 1]
            counts[name] = counts.get(name, 0) + int(count)
        return counts


def grow(kind, smallest, make, starts, names):
    check.part(kind)
    counts = [work(make(smallest * times), starts, names) for times in (1, 2, 4)]
    sums = [sum(count.values()) for count in counts]
    print("%-18s %s  × %.2f × %.2f" % (kind, " ".join("%12s" % format(s, ",") for s in sums), sums[1] / sums[0], sums[2] / sums[1]))
    for small, large in zip(sums, sums[1:]):
        check.true("work × %.2f" % (large / small), large <= MOST * small)
    for name, large in sorted(counts[2].items(), key=lambda one: -one[1]):
        small = counts[1].get(name, 0)
        if large > LEAST_SHARE * sums[2] and small > LEAST_SHARE * sums[1]:
            check.true("%s × %.2f, %s" % (name, large / max(small, 1), format(large, ",")), large <= MOST_OF_ONE * small)


def main():
    if not COUNTED:
        print("counts steps only where gcc builds with the address sanitizer (preset asan)")
        sys.exit(SKIPPED)
    starts, names = functions()
    for kind in sys.argv[1:] or sampled("kinds of much", growing.SIZES, 4):
        grow(kind, *growing.SIZES[kind], starts, names)
    check.end()


if __name__ == "__main__":
    main()
