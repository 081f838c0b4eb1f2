"""Event files of a training by hand."""

import random
from pathlib import Path

from tfrecord import event, simple, version


def write(folder, tags, steps, seed=1, zero_s=1.7e9):
    """An event file with a point of each tag at each step; returns the values."""
    chance = random.Random(seed)
    Path(folder).mkdir(parents=True, exist_ok=True)
    truth = {tag: [chance.gauss(0, 1) + 10 / (1 + k) for k in range(steps)] for tag in tags}
    data = [event(zero_s + 1 + 0.25 * k, k, simple(**{tag: truth[tag][k] for tag in tags})) for k in range(steps)]
    Path(folder, "events.out.tfevents.1700000000.host").write_bytes(version(zero_s) + b"".join(data))
    return truth
