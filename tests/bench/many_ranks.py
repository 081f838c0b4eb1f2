"""Merges the summaries of many ranks, made of one by changing its name; a benchmark, never a test.

    PYTHONPATH=tests/support python3 tests/bench/many_ranks.py TPREPORT [--kind torch|tpu] [--ranks 4096] [--steps 150] [--scratch DIR]

Each rank has --steps steps of 8 calls, or as many as 64 KB hold; of tpu it is a host with four cores. Says how large they are, and what merging to one file, merging the merged
file once more, and the report of all take: wall clock, CPU seconds, peak of resident memory."""

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path

import made_hosts
import made_ranks


def measured(*words):
    """Seconds, CPU seconds and peak in MB of one call."""
    begin = time.monotonic()
    process = subprocess.Popen([str(w) for w in words])
    _, status, use = os.wait4(process.pid, 0)
    assert status == 0, words
    return time.monotonic() - begin, use.ru_utime + use.ru_stime, use.ru_maxrss / 1000


def make(scratch, tpreport, kind, ranks, steps):
    """Files named 0.tps …, each with one rank; how large a part is."""
    run, first, set_of_one = Path(scratch, "run"), Path(scratch, "first.tps"), Path(scratch, "one.tps")
    if kind == "tpu":
        trace, renamed = made_hosts.tpu(run, 2, steps=steps, cores=4)[1], made_ranks.host_renamed
    else:
        trace, renamed = made_ranks.make(run, 2, steps=steps)[0], made_ranks.renamed
    subprocess.run([tpreport, "summarize", "-q", trace, "-o", first], check=True)
    subprocess.run([tpreport, "merge", "-q", first, "-o", set_of_one], check=True)
    part = made_ranks.parts(set_of_one.read_bytes())[0]
    folder = Path(scratch, "ranks")
    folder.mkdir()
    for rank in range(ranks):
        Path(folder, "%d.tps" % rank).write_bytes(made_ranks.merged([renamed(part, "rank%04d" % rank, rank)]))
    return folder, len(part)


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    words.add_argument("tpreport")
    words.add_argument("--kind", choices=["torch", "tpu"], default="torch")
    words.add_argument("--ranks", type=int, default=4096)
    words.add_argument("--steps", type=int, default=150)
    words.add_argument("--scratch")
    asked = words.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.scratch) as scratch:
        folder, size = make(scratch, asked.tpreport, asked.kind, asked.ranks, asked.steps)
        merged = Path(scratch, "all.tps")
        print("%d ranks of %d bytes" % (asked.ranks, size))
        for name, command in {
            "merge files": ("merge", "-q", folder, "-o", merged),
            "merge the merged": ("merge", "-q", merged, merged, "-o", Path(scratch, "again.tps")),
            "report": ("merge", "-q", merged, "-o", Path(scratch, "report.html")),
        }.items():
            print("%-18s %6.2f s, %6.2f s of CPU, peak %6.0f MB" % (name, *measured(asked.tpreport, *command)))
        assert Path(scratch, "again.tps").read_bytes() == merged.read_bytes()


if __name__ == "__main__":
    main()
