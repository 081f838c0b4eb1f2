#!/usr/bin/env python3
"""make_torch_ranks.py FOLDER [--ranks 8] [--steps 2660] [--apart 60]: PyTorch traces of ranks, as large as asked, each in frames of zstd.
5 GB of JSON each have 2660 steps of 5,000 events. Prints what it wrote as JSON.

Each step is that of make_big_torch.py, stretched by up to a tenth by chance. To make 40 GB in the time of 6, all ranks take their steps
from one sequence: the first step of a rank is the one that the rank before has `apart` steps later. So ranks have other times,
ids and durations for the step of the same number, and other texts at every place, but frames in common.
"""

import argparse
import ctypes
import json
import lzma
import os
import random

from make_big_torch import SEED, Copied, is_about_all, split

ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_compressBound.restype = ZSTD.ZSTD_compress.restype = ctypes.c_size_t
ZSTD.ZSTD_compressBound.argtypes = [ctypes.c_size_t]
ZSTD.ZSTD_compress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]


def frame(text):
    """As a frame that says how much it holds."""
    room = ctypes.create_string_buffer(ZSTD.ZSTD_compressBound(len(text)))
    size = ZSTD.ZSTD_compress(room, len(room), text, len(text), 1)
    return room.raw[:size]


class Rank:
    def __init__(self, path, before, rank, ranks):
        about = {"backend": "gloo", "rank": rank, "world_size": ranks}
        self.file, self.size, self.packed = open(path, "wb"), 0, 0
        self.add(before.replace("{", '{\n    "distributedInfo": ' + json.dumps(about) + ",", 1).encode())

    def add(self, text, packed=None):
        self.size += len(text)
        self.packed += self.file.write(packed or frame(text))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--ranks", type=int, default=8)
    parser.add_argument("--steps", type=int, default=2660)
    parser.add_argument("--apart", type=int, default=60)
    args = parser.parse_args()
    with lzma.open(SEED, "rb") as file:
        before, events, behind = split(file.read().decode())
    before += "\n  " + ",\n  ".join(text for event, text in events if is_about_all(event))
    step, *rest = [text for event, text in events if not is_about_all(event)]
    assert "ProfilerStep#" in step
    step, rest = Copied(step), Copied(",\n  ".join(rest))
    length, most = max(step.begin + step.length, rest.begin + rest.length) - step.begin, max(step.most, rest.most)
    step.most = rest.most = most
    rest_after = rest.begin - step.begin
    os.makedirs(args.folder)
    ranks = [Rank(os.path.join(args.folder, f"rank{r}.1.pt.trace.json.zst"), before, r, args.ranks) for r in range(args.ranks)]
    draw, begin = random.Random(1), step.begin
    for number in range(args.steps + args.apart * (args.ranks - 1)):
        stretch = draw.uniform(1, 1.1)
        text = b",\n  " + rest.copy(number, begin + int(rest_after * stretch), stretch)
        packed = frame(text)
        for r, rank in enumerate(ranks):
            own = number - r * args.apart
            if 0 <= own < args.steps:
                rank.add(b",\n  " + step.copy(number, begin, stretch, own))
                rank.add(text, packed)
        begin += int(length * stretch)
    for rank in ranks:
        rank.add(("\n  " + behind).encode())
        rank.file.close()
    print(json.dumps({"size_bytes": [r.size for r in ranks], "packed_bytes": [r.packed for r in ranks],
                      "events_each": args.steps * (1 + sum(kind in ("ts", "dur") for kind, _, _ in rest.numbers))}))


if __name__ == "__main__":
    main()
