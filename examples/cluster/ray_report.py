#!/usr/bin/env python3
"""One report of many ranks on Ray: python3 ray_report.py REPORT.html [--ranks=0-511] TRACE…

Each task summarises one trace; summaries are merged in a tree. A TRACE is a file that all nodes see, or whatever else tpreport reads. Without RAY_ADDRESS
Ray starts on this machine. TPREPORT names the program. Exit status 1: a rank failed; the report names it as missing."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import ray

FAN, TRIES = 8, 3  # summaries that one task merges; how often a trace is tried


def tpreport(command, out, inputs, *options):
    """The program's output as bytes; inputs are paths, or summaries as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, data in enumerate(inputs):
            files.append(Path(folder, "%d.tps" % number) if isinstance(data, bytes) else data)
            if isinstance(data, bytes):
                files[-1].write_bytes(data)
        out = Path(folder, out)
        subprocess.run([os.environ.get("TPREPORT", "tpreport"), command, "-q", *files, *options, "-o", out], check=True)
        return out.read_bytes()


@ray.remote(num_returns=2, max_retries=TRIES - 1, retry_exceptions=True)
def summarize(trace):
    return True, tpreport("summarize", "rank.tps", [trace])


@ray.remote(max_retries=TRIES - 1, retry_exceptions=True)
def merge(*summaries):
    return tpreport("merge", "merged.tps", summaries)


options = [word for word in sys.argv[2:] if word.startswith("--ranks=")]
traces = [os.path.abspath(t) if os.path.exists(t) else t for t in sys.argv[2:] if t not in options]
os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # they are told below
ray.init(log_to_driver=False, include_dashboard=False)
left, failed = [], []
for trace, (done, summary) in [(trace, summarize.remote(trace)) for trace in traces]:
    try:
        ray.get(done)
        left.append(summary)
    except ray.exceptions.RayError:
        failed.append(trace)
        print("failed %d times: %s" % (TRIES, trace), file=sys.stderr)
if not left:
    sys.exit("no rank could be summarised")
while len(left) > 1:
    left = [merge.remote(*left[i:i + FAN]) for i in range(0, len(left), FAN)]
report = Path(sys.argv[1])
report.write_bytes(tpreport("merge", report.name, [ray.get(left[0])], *options))
sys.exit(1 if failed else 0)
