"""Memory runs out at any place: a message and an exit status, never part of a report under exit status 0, and the old report stays.

The program is linked with an allocator that fails when it is told to (support/fail_alloc.c): once, or from then on. In a PDF cairo,
pango, fontconfig and glib draw; these end the program themselves where they get no memory (g_malloc aborts; fontconfig gives pango
a NULL that it reads), so that a signal is nothing of ours there. The old report stays all the same."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from truth import SOURCE, Check

STARVED = os.environ["TPREPORT_STARVED"]
OLD = b"the report of yesterday"
OUT_OF_MEMORY, CANNOT_WRITE = 4, 5
check = Check()


class Run:
    def __init__(self, example, suffixes, **how):
        with tempfile.TemporaryDirectory() as folder:
            outputs = [Path(folder, "r." + suffix) for suffix in suffixes]
            for path in outputs:
                path.write_bytes(OLD)
            calls = Path(folder, "calls")
            words = [word for path in outputs for word in ("-o", path)]
            done = subprocess.run([STARVED, "-q", SOURCE / "examples" / example / "input", *words], capture_output=True, check=False,
                                  env={**os.environ, "TPREPORT_ALLOCATIONS": str(calls), **how})
            self.status, self.said = done.returncode, done.stderr.decode("utf-8", "replace")
            self.files = [path.read_bytes() for path in outputs]
            self.calls = int(calls.read_text(encoding="ascii")) if calls.exists() else 0


def sample(example, suffixes, count, ours=True):
    check.part("%s, %s" % (example, " and ".join(suffixes)))
    whole = Run(example, suffixes)
    check.equal("exit status with memory", whole.status, 0)
    ended = 0
    for i in range(count):
        at = 1 + whole.calls * i // count
        for how in ({}, {"TPREPORT_FAIL_ALL": "1"}):
            run = Run(example, suffixes, TPREPORT_FAIL_AT=str(at), **how)
            where = "call %d %s" % (at, "and all after it" if how else "alone")
            ended += run.status != 0
            if run.status == 0:
                check.equal("%s: the report is whole" % where, run.files == whole.files, True)
                continue
            check.true("%s: a message" % where, run.said.strip() != "" or not ours)
            check.true("%s: each report is the old one or a whole one" % where,
                       all(data in (OLD, new) for data, new in zip(run.files, whole.files, strict=True)))
            if ours:
                check.equal("%s: exit status, %s" % (where, run.said[-200:]), run.status in (OUT_OF_MEMORY, CANNOT_WRITE), True)
    check.true("calls that fail end the program", ended > count)
    print("%s, %s: %d of %d runs ended" % (example, " and ".join(suffixes), ended, 2 * count))


def main():
    for example in ("jax_cnn", "torch_ddp", "estimator_job", "tf_graph"):
        sample(example, ["html", "json"], 25)
    sample("jax_cnn", ["pdf"], 8, ours=False)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
