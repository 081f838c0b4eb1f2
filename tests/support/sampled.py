"""Tests that could try very much try a part of it: TPREPORT_ALL=1 tries all, TPREPORT_SEED=N (0 unless said) another part."""

import itertools
import os

ALL = os.environ.get("TPREPORT_ALL", "") not in ("", "0")
SEED = int(os.environ.get("TPREPORT_SEED", "0"))


def sampled(what, items, every):
    """Each every-th of them, and one line that tests/run.sh shows."""
    items = list(items)
    if ALL:
        return items
    part = items[SEED % every::every]
    print(f"sampled: {len(part)} of {len(items)} {what}", flush=True)
    return part


def small(what, items, is_large):
    """Those that are not large."""
    items = list(items)
    if ALL:
        return items
    part = [item for item in items if not is_large(item)]
    print(f"sampled: {len(part)} of {len(items)} {what}", flush=True)
    return part


def not_tried(what, how):
    """What is not installed here, and how to have it tried: a line that tests/run.sh shows."""
    print(f"not tried: {what}; {how}", flush=True)


def now_and_then(what, every):
    """A function that says True each every-th time."""
    if not ALL:
        print(f"sampled: 1 in {every} {what}", flush=True)
    turns = itertools.count(SEED)
    return lambda: ALL or next(turns) % every == 0
