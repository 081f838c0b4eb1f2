"""Summaries (*.tps) taken apart: a second reader of how proto/summary.proto packs its lists."""

import zlib

from xspace_reader import fields
from xspace_writer import field

PACKED = 14


def lists_of(data):
    """The message of lists that a summary holds deflated."""
    packed = dict(fields(data))[PACKED]
    return zlib.decompress(packed, wbits=-15)


def unpacked(data):
    """The same summary with its lists as fields of its own: messages put one behind the other are one."""
    return without_lists(data) + lists_of(data)


def without_lists(data):
    """All but the packed lists."""
    return b"".join(field(number, value) for number, value in fields(data) if number != PACKED)


def with_lists(data, lists):
    """The summary with other bytes packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return without_lists(data) + field(PACKED, packer.compress(lists) + packer.flush())
