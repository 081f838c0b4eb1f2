#!/usr/bin/env python3
"""One report of many ranks on Spark: spark-submit spark_report.py REPORT.html [--ranks=0-511] PATTERN

PATTERN is what Spark reads: a folder or a pattern on a shared disk, hdfs://… or s3a://…; each file is a trace. TPREPORT names the program, on all nodes.
Exit status 1: a rank failed; the report names it as missing."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from pyspark import SparkContext

TRIES = 3


def tpreport(command, out, inputs, *options):
    """The program's output as bytes; inputs: bytes by file name."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in inputs.items():
            Path(folder, name).write_bytes(data)
        program = os.environ.get("TPREPORT", "tpreport")
        subprocess.run([program, command, "-q", *inputs, *options, "-o", "made-" + out], cwd=folder, check=True)
        return Path(folder, "made-" + out).read_bytes()


def summarize(files):
    """(path, summary) of each trace of a partition; None where it failed each time."""
    for path, data in files:
        summary = None
        for _ in range(TRIES):
            try:
                summary = tpreport("summarize", "rank.tps", {path.rsplit("/", 1)[-1]: bytes(data)})
                break
            except subprocess.CalledProcessError:
                continue
        yield path, summary


def merge(a, b):
    return tpreport("merge", "merged.tps", {"a.tps": a, "b.tps": b})


def main(report, *words):
    spark = SparkContext.getOrCreate()
    ranks = spark.binaryFiles(words[-1], spark.defaultParallelism).mapPartitions(summarize).cache()
    failed = ranks.filter(lambda rank: rank[1] is None).keys().collect()
    for path in failed:
        print("failed %d times: %s" % (TRIES, path), file=sys.stderr)
    merged = ranks.values().filter(lambda summary: summary is not None).treeReduce(merge)
    Path(report).write_bytes(tpreport("merge", Path(report).name, {"all.tps": merged}, *words[:-1]))
    spark.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
