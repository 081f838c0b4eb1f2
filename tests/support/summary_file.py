"""Summaries (*.tps) taken apart: a second reader of how proto/summary.proto packs its lists."""

import zlib

from xspace_reader import fields

PACKED = 14


def lists_of(data):
    """The message of lists that a summary holds deflated."""
    packed = dict(fields(data))[PACKED]
    return zlib.decompress(packed, wbits=-15)


def unpacked(data):
    """The same summary with its lists as fields of its own: messages put one behind the other are one."""
    return without_lists(data) + lists_of(data)


def without_lists(data):
    """What stands before the packed lists, which have the highest number and so come last."""
    packed = dict(fields(data))[PACKED]
    head = data[:len(data) - len(packed)]
    return head[:head.rindex(bytes([PACKED << 3 | 2]))]


def with_lists(data, lists):
    """The summary with other bytes packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(lists) + packer.flush()
    length, size = bytearray(), len(packed)
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    length.append(size)
    return without_lists(data) + bytes([PACKED << 3 | 2]) + bytes(length) + packed
