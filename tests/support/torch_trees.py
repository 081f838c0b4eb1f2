"""Modules of a PyTorch trace, worked out anew: each call a span, who holds whom by time, device work by its call."""

import gzip
import json
from collections import defaultdict
from decimal import Decimal

PREFIX = "nn.Module: "
CALLS = ("cuda_runtime", "cuda_driver", "runtime")
WORK = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")
RANGES = ("cpu_op", "operator", "user_annotation")


def load(path):
    """Complete events, times in whole nanoseconds."""
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as f:
        whole = json.load(f, parse_float=Decimal, strict=False)
    events = whole if isinstance(whole, list) else whole["traceEvents"]
    events = [e for e in events if isinstance(e, dict) and e.get("ph") == "X"]
    for e in events:
        e["cat"] = e.get("cat", "").lower()
        e["args"] = e.get("args") or {}
        e["start"], e["ns"] = int(Decimal(e["ts"]) * 1000), int(Decimal(e["dur"]) * 1000)
    return events


def is_python_module(e):
    return e["cat"] == "python_function" and e["args"].get("Python module id") is not None


def python_module(e):
    """Its key: name and number, the number always at the name's end."""
    name, number = e["name"].removeprefix(PREFIX), e["args"]["Python module id"]
    return name if name.endswith("_%d" % number) else "%s_%d" % (name, number)


def is_lightning(prefix):
    return lambda e: e["cat"] in RANGES and e["name"].startswith(prefix)


def lightning_module(e):
    kind, _, name = e["name"].removeprefix("[pl][module]").partition(": ")
    return "%s: %s" % (name, kind.rpartition(".")[2])


def lightning_hook(e):
    return e["name"].removeprefix("[pl][profile]")


def nest(events, is_span):
    """Gives each host event the span and the operator around it: an interval that holds it whole."""
    lanes = defaultdict(list)
    for e in events:
        if e["cat"] in RANGES or e["cat"] in CALLS or is_span(e):
            lanes[e["pid"], e["tid"]].append(e)
    for lane in lanes.values():
        lane.sort(key=lambda e: (e["start"], -e["ns"]))
        open_spans = []
        for e in lane:
            open_spans = [o for o in open_spans if o["start"] + o["ns"] > e["start"]]
            around = [o for o in open_spans if o["start"] + o["ns"] + 1000 >= e["start"] + e["ns"]]
            e["span"] = next((o for o in reversed(around) if is_span(o)), None)
            e["operator"] = next((o for o in reversed(around) if o["cat"] in ("cpu_op", "operator") and not is_span(o)), None)
            if e["cat"] in RANGES or is_span(e):
                open_spans.append(e)


def owners(events):
    """{id of a piece of device work: the operator or call that it belongs to}."""
    calls, named = {}, {}
    for e in events:
        if e["cat"] in CALLS:
            calls.setdefault(e["args"].get("correlation"), e)
    old = any(e["cat"] in ("operator", "runtime") for e in events)
    middle = not old and not any("." in str(e["ts"]) for e in events)
    for e in events:
        if e["cat"] in ("cpu_op", "operator") and not middle:
            named.setdefault(e["args"].get("External id", e["args"].get("external id")), e)
    found = {}
    for e in events:
        call = calls.get(e["args"].get("correlation")) if e["cat"] in WORK else None
        if call is None:
            continue
        name = named.get(call["args"].get("External id", call["args"].get("external id")))
        if name is not None and name["start"] <= call["start"] <= name["start"] + name["ns"]:
            found[id(e)] = name
        else:
            found[id(e)] = call["operator"] or call
    return found


def tree(events, is_span, key):
    """{path: {calls, operators, host, host_self, device, device_self}} in nanoseconds; a path is the keys from the outermost."""
    nest(events, is_span)
    nodes = defaultdict(lambda: dict.fromkeys(("calls", "operators", "host", "host_self", "device", "device_self", "nested"), 0))

    def path(e):
        return () if e is None else (*path(e["span"]), key(e))

    for e in events:
        if "span" not in e:
            continue
        around, operator = e["span"], e["operator"]
        direct = around is not None and (operator is None or operator["span"] is not around)
        if is_span(e):
            node = nodes[path(e)]
            node["calls"] += 1
            node["host"] += e["ns"]
            node["host_self"] += e["ns"]
            if around is not None:
                nodes[path(around)]["nested"] += e["ns"]
        elif e["cat"] in ("cpu_op", "operator"):
            if direct:
                nodes[path(around)]["operators"] += 1
        else:
            continue
        if direct:
            nodes[path(around)]["host_self"] -= e["ns"]
    own = owners(events)
    for e in events:
        owner = own.get(id(e))
        if owner is None:
            continue
        span = owner if is_span(owner) else owner["span"]
        if span is None:
            continue
        nodes[path(span)]["device_self"] += e["ns"]
        for depth in range(len(path(span))):
            nodes[path(span)[:depth + 1]]["device"] += e["ns"]
    return dict(nodes)


FUNCTION = "autograd::engine::evaluate_function: "
FLOWS = ("fwdbwd", "forward_backward")


def flows(path):
    """[(pid, tid, ns, whether it is the forward end, id)] of the arrows from forward operators to autograd functions."""
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="replace") as f:
        whole = json.load(f, parse_float=Decimal, strict=False)
    events = whole if isinstance(whole, list) else whole["traceEvents"]
    return [(e["pid"], e["tid"], int(Decimal(e["ts"]) * 1000), e["ph"] == "s", e["id"])
            for e in events if isinstance(e, dict) and e.get("cat") in FLOWS]


def backward(events, arrows, is_span, key):
    """{path: ns of its own autograd functions}, by the trace's arrows; what no arrow leads to goes with the one before it."""
    nest(events, is_span)
    at, functions = defaultdict(list), defaultdict(list)
    for e in events:
        if e["cat"] in RANGES:
            at[e["pid"], e["tid"], e["start"]].append(e)
        if e["name"].startswith(FUNCTION):
            functions[e["pid"], e["tid"]].append(e)
    starts = {ident: at.get((pid, tid, ns)) for pid, tid, ns, forward, ident in arrows if forward}
    span_of = {}
    for pid, tid, ns, forward, ident in arrows:
        if forward or not starts.get(ident):
            continue
        holding = [f for f in functions[pid, tid] if f["start"] <= ns < f["start"] + f["ns"]]
        if holding:
            span_of[id(max(holding, key=lambda f: f["start"]))] = starts[ident][-1]["span"]

    def path(e):
        return () if e is None else (*path(e["span"]), key(e))

    own = defaultdict(int)
    for lane in functions.values():
        before, open_functions = None, []
        for e in sorted(lane, key=lambda e: (e["start"], -e["ns"])):
            if id(e) in span_of:
                before = span_of[id(e)]
            elif not e["name"].endswith("AccumulateGrad"):
                before = None
            open_functions = [(o, span) for o, span in open_functions if o["start"] + o["ns"] > e["start"]]
            if open_functions and open_functions[-1][1] is not None:
                own[path(open_functions[-1][1])] -= e["ns"]
            open_functions.append((e, before))
            if before is not None:
                own[path(before)] += e["ns"]
    total = defaultdict(int)
    for where, ns in own.items():
        for depth in range(len(where)):
            total[where[:depth + 1]] += ns
    return dict(total)
