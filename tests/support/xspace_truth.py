"""Works out the figures of a capture a second time, from xspace_reader's events, by other ways than tpreport's own.

Self times: every instant goes to the innermost operation that runs then (tpreport subtracts children from parents).
Classes of a step: the boundaries of all its events cut it into pieces, and each piece is asked for its highest type.
"""

import re
from bisect import bisect_right
from collections import defaultdict

from xspace_reader import fields

# --- operations of TPU cores -------------------------------------------------------------------------------------------

CONTAINERS = ("while", "call", "conditional")


def is_core(plane):
    return plane.name.startswith("/device:TPU:") and "SparseCore" not in plane.name


def cores_of(spaces):
    """The TensorCores of some XSpaces that have operations: [(host index, plane)]."""
    return [(host, plane) for host, (planes, _) in enumerate(spaces) for plane in planes
            if is_core(plane) and plane.line("XLA Ops") and plane.line("XLA Ops").events]


def innermost(events):
    """Sets self_ps of nested events: the time during which each is the one that began last of those running."""
    for event in events:
        event.self_ps = 0
    edges = []
    for order, event in enumerate(sorted(events, key=lambda e: (e.chip_start, -e.chip_end))):
        if event.chip_end > event.chip_start:
            edges.append((event.chip_start, 1, order, event))
            edges.append((event.chip_end, 0, -order, event))
    running, before = [], None
    for at, begins, _, event in sorted(edges, key=lambda edge: edge[:3]):
        if running:
            running[-1].self_ps += at - before
        if begins:
            running.append(event)
        else:
            running.remove(event)
        before = at


def hbm_bytes(stats):
    """Bytes of the breakdown that are of HBM (space 1); all bytes when there is no breakdown."""
    breakdown = stats.get("memory_access_breakdown")
    if breakdown is None:
        return stats.get("bytes_accessed", 0)
    total = 0
    for _, entry in fields(breakdown):
        access = dict(fields(entry))
        total += access.get(3, 0) if access.get(2) == 1 else 0
    return total


def op_totals(spaces):
    """{(program id, label): {category, tf_op, occurrences, time_ps, self_ps, flops, bytes, hbm_bytes}} over all cores."""
    totals = {}
    for _, plane in cores_of(spaces):
        events = plane.line("XLA Ops").events
        innermost(events)
        for event in events:
            stats = event.op.stats
            key = (stats.get("program_id"), event.op.label)
            one = totals.setdefault(key, {
                "category": stats.get("hlo_category", ""), "tf_op": stats.get("tf_op", ""), "occurrences": 0, "time_ps": 0, "self_ps": 0,
                "flops_each": stats.get("flops", 0), "hbm_each": hbm_bytes(stats),
                "bytes_each": stats.get("bytes_accessed", 0), "min_ps": event.chip_end - event.chip_start, "max_ps": 0})
            one["occurrences"] += 1
            one["time_ps"] += event.chip_end - event.chip_start
            one["min_ps"] = min(one["min_ps"], event.chip_end - event.chip_start)
            one["max_ps"] = max(one["max_ps"], event.chip_end - event.chip_start)
            one["self_ps"] += event.self_ps
    for one in totals.values():
        times = 0 if one["category"] in CONTAINERS else one["occurrences"]
        one["flops"], one["hbm_bytes"] = one["flops_each"] * times, one["hbm_each"] * times
        one["bytes"] = one["bytes_each"] * times
    return totals


def device_ps(spaces):
    """(busy, total): Σ self times; Σ over cores of the time from the first to the last operation or step."""
    busy = total = 0
    for _, plane in cores_of(spaces):
        events = plane.line("XLA Ops").events
        innermost(events)
        own = sum(event.self_ps for event in events)
        every = events + (plane.line("Steps").events if plane.line("Steps") else [])
        busy += own
        total += max(own, max(e.chip_end for e in every) - min(e.chip_start for e in every))
    return busy, total


# --- operations of the framework on host threads -----------------------------------------------------------------------

TENSORFLOW_NAME, TENSORFLOW_TYPE = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_./>-]*"), re.compile(r"[A-Z_][a-zA-Z0-9_]*")
JAX_TYPE = re.compile(r"([a-z_][a-z0-9_]*)(\[.*\])?")
COPIES = ("MemcpyHToD", "MemcpyDToH", "MemcpyDToD", "MemcpyHToH")


def framework_name(text):
    """(name, type) of what an event or a tf_op says; None: it is no operation of a framework."""
    name, colon, kind = text.partition(":")
    if not colon:
        return next(((text, copy) for copy in COPIES if text.lower().startswith(copy.lower())), None)
    if name == "Iterator":
        return text, "Dataset"
    if TENSORFLOW_NAME.fullmatch(name) and TENSORFLOW_TYPE.fullmatch(kind):
        return name, kind
    derived = kind or re.sub(r"_[0-9]+$", "", name.rpartition("/")[2])
    if found := JAX_TYPE.fullmatch(derived):
        return name, found[1]
    return None if kind else (name, derived)


def host_ops(planes):
    """({name: [type, occurrences, total ps, self ps]}, Σ ps from the first to the last of each thread, and the same for the
    peer, which takes what was allocated for an operation for an occurrence of it: ({name: [allocations, ps]}, ps)."""
    ops, total, allocations, peers_total = {}, 0, defaultdict(lambda: [0, 0]), 0
    for line in threads_of(planes):
        mine = [event for event in line.events if framework_name(event.name)]
        innermost(mine)
        for event in mine:
            name, kind = framework_name(event.name)
            one = ops.setdefault(name, [kind, 0, 0, 0])
            one[1:] = [one[1] + 1, one[2] + event.end - event.start, one[3] + event.self_ps]
        named = [event for event in line.events if event.stats.get("tf_op")]
        for event in named:
            one = allocations[(framework_name(event.stats["tf_op"]) or [event.stats["tf_op"]])[0]]
            one[:] = [one[0] + 1, one[1] + event.end - event.start]
        if mine:
            total += max(e.end for e in mine) - min(e.start for e in mine)
        if mine or named:
            peers_total += max(e.end for e in mine + named) - min(e.start for e in mine + named)
    return ops, total, allocations, peers_total


# --- steps of TPU cores ------------------------------------------------------------------------------------------------

def class_of_category(category):
    for start, name in (("infeed", "input_wait"), ("outfeed", "output"), ("host send", "host_transfer"),
                        ("host recv", "host_transfer"), ("send", "send_recv"), ("recv", "send_recv")):
        if category.startswith(start):
            return name
    kinds = ("all-reduce", "all-gather", "all-to-all", "reduce-scatter", "collective")
    return "collective" if category.startswith(kinds) else "compute"


def core_steps(plane):
    """{step name: (marker, {class: ps}, {category: ps})} of a core; an operation belongs to the marker that began last
    before it, when that has not ended."""
    ops = plane.line("XLA Ops").events
    innermost(ops)
    markers = sorted(plane.line("Steps").events if plane.line("Steps") else [], key=lambda e: e.chip_start)
    steps = {}
    for marker in markers:
        steps.setdefault(marker.name, (marker, defaultdict(int), defaultdict(int)))
    starts = [marker.chip_start for marker in markers]
    for op in ops:
        at = bisect_right(starts, op.chip_start) - 1
        if at < 0 or op.chip_start >= markers[at].chip_end or steps[markers[at].name][0] is not markers[at]:
            continue
        category = op.op.stats.get("hlo_category", "")
        steps[markers[at].name][1][class_of_category(category)] += op.self_ps
        steps[markers[at].name][2][category] += op.self_ps
    return steps


def tpu_steps(spaces):
    """{step name: {"time": ps, "tc_compute": …, classes…}} for the steps that every core has; parts are means."""
    cores = [(host, core_steps(plane)) for host, plane in cores_of(spaces)]
    names = [name for name in cores[0][1] if all(name in steps for _, steps in cores)]
    names.sort(key=lambda name: int(name) if name.isdigit() else 0)
    result = {}
    for name in names:
        cells = [(host, *steps[name]) for host, steps in cores]
        length = [marker.chip_end - marker.chip_start for _, marker, _, _ in cells]
        longest = defaultdict(int)
        for (host, *_), own in zip(cells, length):
            longest[host] = max(longest[host], own)
        step = {"time": max(length)}
        for part in ("compute", "input_wait", "output", "collective", "send_recv", "host_transfer"):
            step[part] = sum(classes[part] for _, _, classes, _ in cells) / len(cells)
        step["idle"] = step["time"] - sum(v for k, v in step.items() if k != "time")
        own = [min(sum(c.values()), longest[h]) - c["input_wait"] - c["output"] - c["host_transfer"]
               for h, _, c, _ in cells]
        step["tc_compute"] = min(own)
        step["tc_infeed"] = max(c["input_wait"] for _, _, c, _ in cells)
        step["tc_outfeed"] = step["output"]
        step["tc_idle"] = max(0, min(longest.values()) - step["tc_compute"] - step["tc_infeed"] - step["tc_outfeed"])
        result[name] = step
    return result


# --- steps of hosts and GPUs -------------------------------------------------------------------------------------------

# Lowest rank first.
TYPES = ("other", "elsewhere", "host_compute", "compile", "host_to_host", "host_to_device", "launch", "collective", "wait_input",
         "device_to_device", "device_to_host", "host_xla", "compute")
CLASS_OF_TYPE = {"host_xla": "host_compute", "host_to_host": "other", "host_to_device": "input_wait", "wait_input": "input_wait",
                 "device_to_host": "output"}


def is_marker(event):
    name = event.name
    return "step_name" in event.stats or name.startswith(("train", "test", "TraceContext")) and "/" not in name


def host_type(event, has_device):
    """None: says nothing about a step."""
    name = event.name
    if name.startswith(("EagerExecute", "EagerLocalExecute", "EagerKernelExecute", "FunctionRun")):
        return None
    if "InfeedEnqueue" in name or name.startswith(("MemcpyHToD", "MemcpyHtoD")):
        return "host_to_device"
    if name.startswith(("MemcpyHToH", "MemcpyHtoH")):
        return "host_to_host"
    if has_device and ("correlation_id" in event.stats or name.startswith("ExecutorState::Process")):
        return "launch"
    if name.startswith("IteratorGetNext"):
        return "wait_input"
    return None if has_device else "host_xla" if event.stats.get("hlo_op") else "host_compute"


def gpu_type(event):
    for start, kind in (("MemcpyHToD", "host_to_device"), ("MemcpyH2D", "host_to_device"),
                        ("MemcpyDToH", "device_to_host"), ("MemcpyD2H", "device_to_host"),
                        ("MemcpyDToD", "device_to_device"), ("MemcpyD2D", "device_to_device"),
                        ("MemcpyPToP", "device_to_device"), ("MemcpyP2P", "device_to_device"),
                        ("MemcpyHToH", "host_to_host")):
        if event.name.startswith(start):
            return kind
    return "collective" if event.name[:4].lower() == "nccl" else "compute"


def threads_of(planes):
    return [line for plane in planes if plane.name.startswith("/host:") for line in plane.lines if line.events]


def streams_of(planes):
    return [line for plane in planes if plane.name.startswith("/device:GPU:") for line in plane.lines
            if line.name.startswith("Stream #") and line.events]


def join_regions(line):
    """A region of a thread pool is two events without duration: the first gets the time until the second."""
    begun = None
    for event in sorted(line.events, key=lambda e: e.start):
        if event.name == "ThreadpoolListener::StartRegion":
            begun = event
        elif event.name == "ThreadpoolListener::StopRegion" and begun is not None:
            begun.end, begun = event.start, None


def runs_of(line):
    """{id(event): (program, run)} of the operations of XLA, and of what they are nested in: there the first one's."""
    runs = {}
    for event in line.events:
        if event.stats.get("hlo_op") and "run_id" in event.stats:
            run = event.stats.get("program_id"), event.stats["run_id"]
            runs[id(event)] = run
            for outer in line.events:
                if outer.start > event.start:
                    break
                if outer.end >= event.end:
                    runs.setdefault(id(outer), run)
    return runs


def group_events(planes):
    """Sets event.group of every event that belongs to a step: given by the profiler, or what is nested in a root event and
    what these cause on other threads, up to where another run of a program begins."""
    threads, streams = threads_of(planes), streams_of(planes)
    everything = [event for line in threads + streams for event in line.events]
    for line in threads:
        join_regions(line)
    if any("group_id" in event.stats for event in everything):
        for event in everything:
            event.group = event.stats.get("group_id")
        return
    consumers, place, runs = defaultdict(list), {}, {}
    for line in threads:
        line.events.sort(key=lambda e: (e.start, -e.end))
        runs.update(runs_of(line))
        for index, event in enumerate(line.events):
            place[id(event)] = (line, index)
            if "_c" in event.stats:
                consumers[event.stats.get("_ct"), event.stats["_c"]].append(event)
    roots = sorted((e for line in threads for e in line.events if e.stats.get("_r")),
                   key=lambda e: (-e.stats["_r"], e.start))
    for number, root in enumerate(roots):
        todo = [(root, None)]
        for top, run in todo:
            if top.group is not None:
                continue
            line, index = place[id(top)]
            for event in line.events[index:]:
                if event.group is None and event.end <= top.end:
                    own = runs.get(id(event))
                    if top is root:
                        run = own
                    elif run and own and own != run:
                        break
                    run = own or run
                    event.group = number
                    if "_p" in event.stats:
                        todo += [(one, run) for one in consumers[event.stats.get("_pt"), event.stats["_p"]]]
                if event.start > top.end:
                    break
    launched = {e.stats["correlation_id"]: e.group for line in threads for e in line.events
                if "correlation_id" in e.stats and e.group is not None}
    for line in streams:
        for event in line.events:
            event.group = launched.get(event.stats.get("correlation_id"))


def pieces(intervals, start, end):
    """{type: ps} of [start, end]: cut at every boundary, each piece asked for the highest type that covers it."""
    cuts = sorted({start, end} | {t for a, b, _ in intervals for t in (a, b) if start < t < end})
    opens, closes = defaultdict(list), defaultdict(list)
    for a, b, kind in intervals:
        if b > start and a < end and b > a:
            opens[max(a, start)].append(kind)
            closes[min(b, end)].append(kind)
    running, sums = defaultdict(int), defaultdict(int)
    for at, following in zip(cuts, cuts[1:]):
        for kind in opens[at]:
            running[kind] += 1
        for kind in closes[at]:
            running[kind] -= 1
        highest = max((kind for kind, n in running.items() if n), key=TYPES.index, default="other")
        sums[highest] += following - at
    return sums


class Group:
    """The events of one step: markers of the host and of devices, intervals (start, end, type), the events behind them."""

    def __init__(self):
        self.host = self.device = None
        self.intervals, self.members = [], []

    def span(self):
        """The host's marker when it holds the device's (or there is no work of a device), else the device's."""
        hull = [(a, b) for (a, b, _), (line, _) in zip(self.intervals, self.members) if line in self.streams]
        inner = ((self.device.start, self.device.end) if self.device else
                 (min(a for a, _ in hull), max(b for _, b in hull)) if hull else None)
        if self.host and (inner is None or self.host.start <= inner[0] and inner[1] <= self.host.end):
            return self.host.start, self.host.end
        marker = self.device or self.host
        return marker.start, marker.end


def longer(marker, other):
    return other if marker is None or other.end - other.start > marker.end - marker.start else marker


def marked_groups(planes):
    """The groups that have a step marker, in order of start."""
    group_events(planes)
    streams, groups = streams_of(planes), defaultdict(Group)
    for line in threads_of(planes):
        for event in line.events:
            if event.group is None:
                continue
            group = groups[event.group]
            if is_marker(event):
                group.host = longer(group.host, event)
                continue
            kind = host_type(event, bool(streams))
            if kind:
                group.intervals.append((event.start, event.end, kind))
                group.members.append((line, event))
    for line in streams:
        for event in line.events:
            if event.group is not None and "correlation_id" in event.stats:
                groups[event.group].intervals.append((event.start, event.end, gpu_type(event)))
                groups[event.group].members.append((line, event))
    for plane in planes:
        for line in plane.lines:
            if plane.name.startswith("/device:") and line.name == "Steps":
                for event in line.events:
                    number = event.stats.get("group_id")
                    groups[number].device = longer(groups[number].device, event)
    for group in groups.values():
        group.streams = streams
    return sorted((g for g in groups.values() if g.host or g.device), key=lambda g: g.span()[0])


def elsewhere(planes, spans):
    """Intervals of all that says that something runs, whatever step it is for: work of GPUs; without any, events of threads,
    except what spans a whole step and is no operation of XLA, and functions of Python."""
    streams = streams_of(planes)
    events = [event for line in streams or threads_of(planes) for event in line.events]
    if not streams:
        events = [e for e in events if e.stats.get("hlo_op") or not (
            is_marker(e) or host_type(e, False) is None or e.name.startswith("$") or
            any(e.start <= a and b <= e.end for a, b in spans))]
    return [(event.start, event.end, "elsewhere") for event in events]


def marked_steps(planes, trim_above=5, alone=False):
    """[{"name", "time" in ps, classes in ps}] of host markers; the first and last of more than five left out. What runs for
    no step or for another counts as compute while nothing of the step does; alone: it does not count."""
    has_device, steps, groups = bool(streams_of(planes)), [], marked_groups(planes)
    others = [] if alone else elsewhere(planes, [group.span() for group in groups])
    for group in groups:
        start, end = group.span()
        sums = pieces(group.intervals + [one for one in others if one[0] < end and start < one[1]], start, end)
        sums["compute" if has_device else "host_compute"] += sums.pop("elsewhere", 0) + sums.pop("host_xla", 0)
        if end <= start or sums["compute" if has_device else "host_compute"] == 0:
            continue
        marker = group.host or group.device
        number = marker.stats.get("step_num", marker.stats.get("iter_num"))
        step = defaultdict(int, name=marker.name if number is None else str(number), time=end - start)
        for kind, ps in sums.items():
            step[CLASS_OF_TYPE.get(kind, kind)] += ps
        steps.append(step)
    return steps[1:-1] if len(steps) > trim_above else steps


def statistics(values):
    """mean, sd (sample), min, max, p50, p95 (linear between ranks)"""
    values = sorted(values)
    n = len(values)
    mean = sum(values) / n

    def rank(share):
        at = share * (n - 1)
        low = int(at)
        return values[low] + (at - low) * (values[min(low + 1, n - 1)] - values[low])

    sd = (sum((v - mean) ** 2 for v in values) / (n - 1)) ** 0.5 if n > 1 else None
    return {"mean": mean, "sd": sd, "min": values[0], "max": values[-1], "p50": rank(0.5), "p95": rank(0.95)}
