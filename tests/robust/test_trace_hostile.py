"""Traces that mean harm: more processes, threads and nesting than any machine has."""

import json

from hostile import EVIL, MANY, judge


def trace(*events):
    named = {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/host:CPU"}}
    return json.dumps({"traceEvents": [named, *events]}).encode()


def event(name="a", pid=1, tid=1, ts=0, dur=5, **args):
    return {"ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "name": name, "args": args}


def usual():
    return trace(*(event(ts=10 * i, step_num=str(i)) for i in range(9)))


def evil_names():
    return trace(*(event(name, ts=10 * i, tf_op=name, step_name=name) for i, name in enumerate(EVIL)),
                 *({"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": name}} for name in EVIL))


def a_process_each():
    return trace(*(one for i in range(2 * MANY) for one in (
        {"ph": "M", "pid": i, "name": "process_name", "args": {"name": f"/device:TPU:{i}"}}, event(pid=i, ts=i))))


def a_thread_each():
    return trace(*(event(tid=i, ts=i) for i in range(3 * MANY)))


def an_argument_each():
    return trace(*(event(ts=i, **{f"k{i}": i}) for i in range(3 * MANY)))


def deep_nesting():
    return trace(*(event(f"a{i}", ts=i, dur=10 * MANY - 2 * i) for i in range(3 * MANY)))


if __name__ == "__main__":
    judge([evil_names, a_process_each, a_thread_each, an_argument_each, deep_nesting], "vm.trace.json", usual)
