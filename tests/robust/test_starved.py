"""Memory runs out at any place: a message and an exit status, never part of a report under exit status 0, and the old report stays. A file
or folder that there is no memory to open is warned of, and the report tells of the others.

The program is linked with an allocator that fails when it is told to (support/fail_alloc.c): once, or from then on. In a PDF cairo,
pango, fontconfig and glib draw; these end by a signal where they get no memory (g_malloc aborts; fontconfig gives pango a NULL that
it reads), which becomes a message and an exit status too. One place stays: where fontconfig gets none in a thread of pango's, pango
waits for that thread for ever. The program asks for what a PDF takes before it draws, but here a call fails behind that. And of one call in fifty that fails
alone in there nothing is told: cairo or pango draws on without what it could not store. AddressSanitizer reports faults itself."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from sampled import sampled
from truth import SOURCE, Check

STARVED = os.environ["TPREPORT_STARVED"]
OLD = b"the report of yesterday"
OUT_OF_MEMORY, CANNOT_WRITE = 4, 5
STARTED_AGAIN = "starting again, "
check = Check()


class Run:
    def __init__(self, example, suffixes, *options, **how):
        with tempfile.TemporaryDirectory() as folder:
            outputs = [Path(folder, "r." + suffix) for suffix in suffixes]
            for path in outputs:
                path.write_bytes(OLD)
            calls = Path(folder, "calls")
            words = [word for path in outputs for word in ("-o", path)] + list(options)
            self.waits = False
            with subprocess.Popen([STARVED, SOURCE / "examples" / example / "input", *words], stderr=subprocess.PIPE,
                                  env={**os.environ, "TPREPORT_ALLOCATIONS": str(calls), **how}) as done:
                try:
                    said = done.communicate(timeout=30)[1]
                except subprocess.TimeoutExpired:
                    self.waits = True
                    done.kill()
                    said = done.communicate()[1]
            self.status, self.said = done.returncode, said.decode("utf-8", "replace")
            self.files = [path.read_bytes() for path in outputs]
            self.calls = int(calls.read_text(encoding="ascii")) if calls.exists() else 0


def sample(example, suffixes, count):
    check.part("%s, %s" % (example, " and ".join(suffixes)))
    whole = Run(example, suffixes)
    check.equal("exit status with memory", whole.status, 0)
    ended = waited = tried = 0
    for i in sampled("places where memory ends", range(count), 2):
        at = 1 + whole.calls * i // count
        tried += 2
        for how in ({}, {"TPREPORT_FAIL_ALL": "1"}):
            run = Run(example, suffixes, TPREPORT_FAIL_AT=str(at), **how)
            where = "call %d %s" % (at, "and all after it" if how else "alone")
            ended += run.status != 0 or STARTED_AGAIN in run.said
            if run.status == 0:
                if how or "pdf" not in suffixes:
                    check.equal("%s: the report is whole, or a warning says what was not read" % where,
                                run.files == whole.files or "tpreport: warning: " in run.said or STARTED_AGAIN in run.said, True)
                continue
            if run.waits and "pdf" in suffixes:
                waited += 1
                continue
            if "__sanitizer::GetThreadStackAndTls" in run.said:
                continue  # the sanitizer starts a thread, and does not look whether it got memory for that
            check.true("%s: a message, %s" % (where, run.said[-200:]), "tpreport: " in run.said)
            check.true("%s: each report is the old one or a whole one" % where,
                       all(data in (OLD, new) for data, new in zip(run.files, whole.files, strict=True)))
            check.equal("%s: exit status, %s" % (where, run.said[-200:]), run.status in (OUT_OF_MEMORY, CANNOT_WRITE), True)
    check.true("few wait for ever", waited <= 2)
    check.true("calls that fail end the program, or it starts again", 2 * ended > tried)
    print("%s, %s: %d of %d runs ended or started again, %d wait for ever" % (example, " and ".join(suffixes), ended, tried, waited))


def end_of_page():
    """Each of the last allocations, while a page is written and what is within it packed: with one thread, so that a call is the same
    one in each run."""
    check.part("the last calls of a page")
    whole = Run("jax_cnn", ["html"], "--threads", "1")
    for at in range(whole.calls - 100, whole.calls):
        run = Run("jax_cnn", ["html"], "--threads", "1", TPREPORT_FAIL_AT=str(at))
        check.equal("call %d: the page is whole, or the program says that memory ran out" % at,
                    run.files == whole.files or run.status != 0 or STARTED_AGAIN in run.said, True)


def main():
    for example in ("jax_cnn", "torch_ddp", "estimator_job", "tf_graph"):
        sample(example, ["html", "json"], 25)
    sample("torch_ddp", ["sqlite"], 25)
    end_of_page()
    if "address" not in os.environ.get("TPREPORT_SANITIZE", ""):
        sample("jax_cnn", ["pdf"], 16)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
