"""Traces out of XSpaces, as the profilers of XLA and TensorFlow make them: in JSON, and as a message."""

import json

from xspace_reader import read_xspace
from xspace_writer import field

# What these profilers do not put into traces (IsInternalStat of xplane_schema.cc).
INTERNAL = {"kernel_details", "level 0", "_pt", "_p", "_ct", "_c", "_r", "flops", "bytes_accessed", "program_id", "symbol_id"}


def events_of(path):
    """(process, its name, [(thread, its name, [(name, start ps, duration ps, {argument: text})])])"""
    for process, plane in enumerate(read_xspace(path)[0], 1):
        lines = []
        for thread, line in enumerate(plane.lines, 1):
            if line.name in ("Async XLA Ops", "XLA Async Ops"):
                continue
            events = []
            for event in line.events:
                named = event.op.label != event.op.name
                arguments = {"long_name": event.op.name} if named else {}
                for key, value in {**event.op.stats, **event.stats}.items():
                    if key not in INTERNAL and value is not None and not isinstance(value, bytes):
                        arguments[key] = str(value)
                events.append((arguments.get("step_name", event.op.label), event.start, event.end - event.start, arguments))
            lines.append((thread, line.name, events))
        if any(events for _, _, events in lines):
            yield process, plane.name, lines


def as_json(path):
    entries, events = [], []
    for process, plane, lines in events_of(path):
        entries.append({"ph": "M", "pid": process, "name": "process_name", "args": {"name": plane}})
        entries.append({"ph": "M", "pid": process, "name": "process_sort_index", "args": {"sort_index": process}})
        for thread, line, inside in lines:
            entries.append({"ph": "M", "pid": process, "tid": thread, "name": "thread_name", "args": {"name": line}})
            for name, start, duration, arguments in inside:
                event = {"ph": "X", "pid": process, "tid": thread, "ts": start / 1e6, "dur": max(duration, 1) / 1e6, "name": name}
                events.append({**event, "args": arguments} if arguments else event)
    return json.dumps({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": entries + events + [{}]},
                      separators=(",", ":")).encode()


def as_message(path):
    devices, events = b"", b""
    for process, plane, lines in events_of(path):
        resources = b""
        for thread, line, inside in lines:
            resources += field(3, field(1, thread) + field(2, field(1, line) + field(2, thread)))
            for name, start, duration, arguments in inside:
                entries = b"".join(field(11, field(1, key) + field(2, value)) for key, value in arguments.items())
                events += field(4, field(1, process) + field(2, thread) + field(3, name) + field(9, start) + field(10, duration) + entries)
        devices += field(1, field(1, process) + field(2, field(1, plane) + field(2, process) + resources))
    return devices + events
