"""Captures that are not ours to commit, and what the existing tool printed for them."""

import peer_ops
from truth import Check, test_data
from xspace_reader import read_xspace

XLA = test_data("xla")
check = Check()


def peer(capture, tool):
    return peer_ops.answer(XLA / "truth" / capture, tool)


def peer_rows(capture, tool, column):
    """[{column: value}] of the first table that has this column."""
    tables = peer(capture, tool)
    for table in tables if isinstance(tables, list) else [tables]:
        if column in [c["id"] for c in table.get("cols", [])]:
            return peer_ops.rows_of(table)
    return []


def peer_facts(capture, tool="overview_page"):
    """The properties of all tables of a page."""
    facts = {}
    for table in peer(capture, tool):
        facts.update(table.get("p") or {})
    return facts


def captured(name):
    """(log directory, its XSpaces as the second reader sees them)"""
    logdir = XLA / "captured" / name
    files = sorted(logdir.glob("**/*.xplane.pb"))
    return logdir, [read_xspace(file) for file in files]
