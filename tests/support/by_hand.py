"""Captures written by hand, so small that what a report must say of them can be worked out by hand as well."""

import json
import tempfile
from pathlib import Path

from truth import Report
from xspace_writer import Plane, field

MS = 10**9  # picoseconds
CLASSES = ("compute", "input_wait", "output", "collective", "device_to_device", "send_recv", "host_compute", "launch",
           "compile", "host_transfer", "sparse_core", "idle", "other")


# --- what to report on ---------------------------------------------------------------------------------------------------

def logs(folder, files, at="2026_01_02_03_04_05"):
    """A log directory with these files: {host: bytes}; a host may be "RUN/host"."""
    for name, data in files.items():
        path = Path(folder, "logs/plugins/profile", *(name.split("/") if "/" in name else (at, name)))
        path = path.with_name(path.name if ".xplane.pb" in path.name else f"{path.name}.xplane.pb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return Path(folder, "logs")


def report_on(files, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        return Report(logs(folder, files), "--top", "all", *arguments)


# --- planes --------------------------------------------------------------------------------------------------------------

def put(line, *events):
    """events: (name, start in ms, end in ms, {stats})"""
    for name, start, end, *stats in events:
        line.event(name, round(start * MS), round((end - start) * MS), **(stats[0] if stats else {}))
    return line


def core(number, steps=(), **more):
    plane = Plane(f"/device:TPU:{number}", device_type_string="TPU v9", peak_teraflops_per_second=1.0,
                  peak_hbm_bw_gigabytes_per_second=1.0, **more)
    line = plane.line("Steps")
    for name, start, end in steps:
        line.event(name, start * MS, (end - start) * MS)
    return plane


def host(*lines, name="/host:CPU"):
    """A plane of threads: each a list of events."""
    plane = Plane(name)
    for number, events in enumerate(lines):
        put(plane.line(f"thread/{number}"), *events)
    return plane


def train(number, start, end):
    return ("train", start, end, {"_r": 1, "step_num": number})


def accesses(*entries):
    """A breakdown of memory accesses: (operation, space, bytes); space 1 is HBM, 3 VMEM."""
    return b"".join(field(1, field(1, kind) + field(2, space) + field(3, size)) for kind, space, size in entries)


# --- what the report says ------------------------------------------------------------------------------------------------

def classes(check, report, expected, step_ms):
    """These milliseconds of the mean step, and nothing in any other class."""
    check.near("step", report.metric("step.time.mean_ms"), step_ms)
    for name in CLASSES:
        got = report.metric(f"step.class.{name}_ms")
        check.near(name, got if name in expected or got is not None else 0, expected.get(name, 0))
    check.near("parts sum to the step", sum(expected.values()), step_ms)


def words(block):
    """All that a part of the document says, as one text."""
    return json.dumps(block, ensure_ascii=False)


def section(report, name):
    return next(one for one in report.doc["sections"] if one["id"] == name)


def text_of(report, name):
    """What the paragraph of this id says."""
    found = [block for top in report.doc["sections"] for block in walk(top) if block.get("id") == name]
    return " ".join(item for block in found for item in block.get("items", []))


def walk(block):
    yield block
    for child in block.get("blocks", []):
        yield from walk(child)
