"""A job of several ranks by hand, each with a trace of its own: collectives of two kinds and of groups, messages from stage to stage, operators, steps of
different lengths, clocks that differ. And parts of a merged file, read and written without the program."""

import random
import struct
import zlib
from pathlib import Path

from torch_jobs import Worker
from xspace_reader import fields
from xspace_writer import field, varint

BEGIN = field(1, b"tpreport.ranks/1")
PARTS, PACKED, CHECK = 2, 5, 6


def make(folder, world, steps=4, seed=1):
    """Writes the traces; rank 1 is late to each collective. Returns their paths, by rank."""
    chance = random.Random(seed)
    Path(folder).mkdir(parents=True, exist_ok=True)
    workers = [Worker(rank, world, clock_us=chance.uniform(-50, 50), host="h%d" % (rank // 4)) for rank in range(world)]
    for step in range(steps):
        at = 1000 * step
        ends = at + 700 + chance.uniform(0, 50)
        for worker in workers:
            late = 60 if worker.rank == 1 else chance.uniform(0, 10)
            for i in range(3):
                worker.operator("aten::mm", at + 10 + 30 * i, at + 30 + 30 * i)
            worker.operator("aten::own_%d" % worker.rank, at + 110, at + 115 + worker.rank)
            worker.kernel("gemm", at + 20, at + 40, at + 240 + chance.uniform(0, 30))
            worker.collective("all_reduce", at + 150, at + 300 + late, at + 500, elements=1000 + step)
            pair = [worker.rank // 2 * 2, worker.rank // 2 * 2 + 1]
            if pair[1] < world:
                worker.collective("all_gather", at + 180, at + 520 + late / 2, at + 650, elements=10, out=20,
                                  group=("tp%d" % pair[0], "tensor parallel", pair))
            if worker.rank + 1 < world:
                worker.send(worker.rank + 1, at + 190, at + 655, at + 680)
            if worker.rank > 0:
                worker.receive(worker.rank - 1, at + 195, at + 656, at + 681)
            worker.step(step, at, ends + chance.uniform(0, 20))
    for worker in workers:
        worker.write(folder)
    return [Path(folder, "nodeh%d_%d.1.pt.trace.json" % (rank // 4, rank)) for rank in range(world)]


def parts(data):
    """The ranks of a merged file, each as it stands there."""
    return [value for number, value in fields(data) if number == PARTS]


def merged(some):
    return BEGIN + b"".join(field(PARTS, part) for part in some)


def _zigzag(number):
    return number << 1 ^ number >> 63


def _deflated(data):
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def rank_of(part):
    """The message in a part."""
    return zlib.decompress(dict(fields(part))[PACKED], -15)


def part_of(rank, worker, number):
    """A part that holds a message."""
    packed = _deflated(rank)
    return (field(1, worker) + field(4, _zigzag(number)) + field(PACKED, packed) +
            varint(CHECK << 3 | 5) + struct.pack("<I", zlib.crc32(packed)))


def renamed(part, worker, number):
    """The same rank under another name: of a field that stands twice the last counts."""
    return part_of(rank_of(part) + field(1, worker) + field(8, _zigzag(number)), worker, number)


DOUBLES = {9, 10, 24, 25, *range(28, 34)}  # of RankXla


def host_renamed(part, worker, place):
    """A host of XLA under another name, its cores with the numbers that they would have at that place of a job."""
    xla = b""
    for number, value in fields(dict(fields(rank_of(part)))[100]):
        if number == 2:
            device = dict(fields(value))
            value += field(10, device.get(10, 0) + place * 100) + field(11, device.get(11, 0) + place * 100)
        xla += field(number, struct.unpack("<d", value)[0] if number in DOUBLES else value)
    kept = b"".join(field(number, value) for number, value in fields(rank_of(part)) if number not in (1, 3, 100))
    return part_of(kept + field(1, worker) + field(3, worker) + field(100, xla), worker, -1)
