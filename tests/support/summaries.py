"""Summaries of ranks, put together and reported: what tests of `tpreport merge` share."""

import json
import os
import random
from pathlib import Path

from cases import must
from command_line import OK, expect


def summarised(folder, inputs):
    """A summary of each."""
    Path(folder).mkdir(exist_ok=True)
    out = [Path(folder, "%02d.tps" % i) for i in range(len(inputs))]
    for one, summary in zip(inputs, out):
        expect(OK, "summarize", "-q", str(one), "-o", str(summary))
    return out


def merge(out, *words):
    expect(OK, "merge", "-q", *map(str, words), "-o", str(out))
    return Path(out).read_bytes()


def report_of(*words):
    return json.loads(expect(OK, *map(str, words), "-q", "-o", "-", "--format", "json").stdout)


def values(report):
    found = report["metrics"]
    return {m["id"]: m.get("value") for m in (found if isinstance(found, list) else [{"id": k, **v} for k, v in found.items()])}


def blocks(found, kind):
    """All blocks of a kind, at any depth."""
    if isinstance(found, dict):
        if found.get("kind") == kind:
            yield found
        found = list(found.values())
    if isinstance(found, list):
        for one in found:
            yield from blocks(one, kind)


def tables(report):
    return {t["id"]: [{key: cell.get("value") for key, cell in row["cells"].items()} for row in t["rows"]] for t in blocks(report["sections"], "table")}


def any_grouping(folder, summaries, tries=12):
    """Merges summaries in random orders, groupings and repetitions: all give the same bytes, which are returned."""
    first = merge(folder + "/all.tps", *summaries)
    chance, made = random.Random(int(os.environ.get("TPREPORT_SEED", "1"))), 0
    for n in range(tries):
        left = chance.sample(summaries, len(summaries)) + chance.sample(summaries, n % 3)
        while len(left) > 1:
            some = [left.pop(chance.randrange(len(left))) for _ in range(min(len(left), chance.randint(1, 4)))]
            made += 1
            left.append(Path(folder, "%d.tps" % made))
            merge(left[-1], *some)
        must(left[0].read_bytes() == first, "grouping", n, "gives other bytes")
    must(merge(folder + "/again.tps", folder + "/all.tps", folder + "/all.tps") == first, "merged with itself it is another")
    must(merge(folder + "/one.tps", folder + "/all.tps") == first, "merged alone it is another")
    return first
