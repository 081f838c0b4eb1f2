"""Memory of a PyTorch trace, worked out again from its events: peaks, owners, statistics, steps, pieces, what was live."""

from collections import defaultdict

from torch_reader import load, nanoseconds

KINDS = {0: "CPU", 1: "GPU", 6: "GPU", 12: "XPU", 13: "MPS", 15: "HPU", 19: "MTIA", 20: "PrivateUse1"}
NOBODY = "(no operator)"
EARLIER = "(before the trace began, or not recorded)"


class Range:
    def __init__(self, start, end, name, operator):
        self.start, self.end, self.name, self.operator, self.around = start, end, name, operator, None

    def caller(self):
        at = self.around
        while at is not None and not (at.operator and not at.step):
            at = at.around
        return at

    @property
    def step(self):
        return self.name.startswith("ProfilerStep#")


class Record:
    def __init__(self, time, args, thread):
        self.time, self.thread = time, thread
        self.bytes, self.address = args["Bytes"], args.get("Addr", 0)
        self.allocated, self.reserved = args.get("Total Allocated", -1), args.get("Total Reserved", -1)
        number = args.get("Device Id", -1)
        self.device = KINDS[args["Device Type"]] + (":%d" % number if number >= 0 else "")
        self.kind = args["Device Type"]
        self.owner = None


class Memory:
    """Of one trace; pools: {device: [Record]} in order of time."""

    def __init__(self, path):
        trace = load(str(path))
        events = trace if isinstance(trace, list) else trace["traceEvents"]
        self.cards = {} if isinstance(trace, list) else {
            "GPU:%d" % card["id"]: card.get("totalGlobalMem", 0) for card in trace.get("deviceProperties", [])}
        self.ranges, self.calls = defaultdict(list), defaultdict(int)
        self.base = 0 if isinstance(trace, list) else trace.get("baseTimeNanoseconds", 0)
        starts, profiler, records = [], [], []
        for e in events:
            if e.get("ph") == "X" and e.get("cat") == "Trace":  # the profiler's own span is no event
                profiler.append(nanoseconds(e["ts"]))
            elif e.get("ph") == "X" and "ts" in e:
                starts.append(nanoseconds(e["ts"]))
                if e.get("cat", "").lower() in ("cpu_op", "operator", "user_annotation"):
                    start = starts[-1]
                    self.ranges[str(e["pid"]), str(e["tid"])].append(Range(
                        start, start + nanoseconds(e.get("dur", 0)), e["name"], e["cat"].lower() != "user_annotation"))
            elif e.get("name") == "[memory]":
                records.append(Record(nanoseconds(e["ts"]), e["args"], (str(e["pid"]), str(e["tid"]))))
        records.sort(key=lambda r: r.time)
        self.zero = min(starts + [r.time for r in records])
        self.profiler_start = min([self.zero] + profiler)
        self.nest()
        self.own(records)
        self.pools = defaultdict(list)
        for r in records:
            self.pools[r.device].append(r)

    def nest(self):
        for ranges in self.ranges.values():
            ranges.sort(key=lambda r: (r.start, -r.end))
            open_ones = []
            for r in ranges:
                while open_ones and (open_ones[-1].end <= r.start or open_ones[-1].end + 1000 < r.end):
                    open_ones.pop()
                r.around = open_ones[-1] if open_ones else None
                if r.around:
                    r.end = min(r.end, r.around.end)
                open_ones.append(r)
        self.count_calls()

    def count_calls(self):
        """An operator that calls one operator alone, and that of the same name, is one call with it."""
        called = defaultdict(int)
        for ranges in self.ranges.values():
            for r in ranges:
                called[id(r.caller())] += r.operator and not r.step
        for ranges in self.ranges.values():
            for r in ranges:
                caller = r.caller()
                merged = r.operator and caller is not None and called[id(caller)] == 1 and caller.name == r.name
                self.calls[r.name] += not merged

    def own(self, records):
        """The innermost range: of those that hold the time the one that began last."""
        by_thread = defaultdict(list)
        for r in records:
            by_thread[r.thread].append(r)
        for thread, mine in by_thread.items():
            ranges, at = self.ranges.get(thread, []), 0
            open_ones = []
            for r in mine:
                while at < len(ranges) and ranges[at].start <= r.time:
                    open_ones.append(ranges[at])
                    at += 1
                open_ones = [o for o in open_ones if o.end > r.time]
                inner = open_ones[-1] if open_ones else None
                while inner is not None and inner.step:
                    inner = inner.around
                r.owner = inner

    def steps(self):
        """{number: (start, end)}."""
        return {r.name.removeprefix("ProfilerStep#"): (r.start, r.end)
                for ranges in self.ranges.values() for r in ranges if r.step}


def owner_name(record):
    if record.owner is None:
        return NOBODY
    name = record.owner.name
    if name.startswith("aten::empty"):
        around = record.owner.around
        while around is not None and around.step:
            around = around.around
        if around is not None:
            return "%s (%s)" % (around.name, name)
    return name


def statistics(records):
    """{operator: {"self_allocated_bytes": …}}, as the report's columns."""
    rows = defaultdict(lambda: defaultdict(int))
    for r in records:
        seen, at = set(), r.owner
        if at is None:
            chain = [NOBODY]
        else:
            chain = []
            while at is not None:
                if not at.step:
                    chain.append(at.name)
                at = at.around
        for i, name in enumerate(chain):
            for prefix, counts in (("self_", i == 0), ("", name not in seen)):
                row = rows[name]
                row[prefix + "allocated_bytes"] += max(r.bytes, 0) * counts
                row[prefix + "allocations"] += (r.bytes > 0) * counts
                row[prefix + "growth_bytes"] += r.bytes * counts
            seen.add(name)
    return rows


def pieces(records):
    """[(bytes, given, taken)] as indices of records; None: not recorded."""
    out, there = [], {}
    for i, r in enumerate(records):
        if not r.address or not r.bytes:
            continue
        if r.bytes > 0:
            if r.address in there:
                out.append((records[there[r.address]].bytes, there.pop(r.address), i))
            there[r.address] = i
        else:
            out.append((-r.bytes, there.pop(r.address, None), i))
    return out + [(records[i].bytes, i, None) for i in there.values()]


def peak(records):
    """Index of the last record with the largest Total Allocated; None: no record says it."""
    best = max((r.allocated for r in records), default=-1)
    return None if best < 0 else max(i for i, r in enumerate(records) if r.allocated == best)


def live(records):
    """{operator: (pieces, bytes, largest)} at the peak."""
    at, rows = peak(records), {}
    for size, given, taken in pieces(records):
        if given is not None and given <= at and (taken is None or taken > at):
            n, total, largest = rows.get(owner_name(records[given]), (0, 0, 0))
            rows[owner_name(records[given])] = (n + 1, total + size, max(largest, size))
    rest = records[at].allocated - sum(total for _, total, _ in rows.values())
    if rest > 0:
        rows[EARLIER] = (None, rest, None)
    return rows


def growth(records):
    most = now = 0
    for r in records:
        now += r.bytes
        most = max(most, now)
    return most


def envelope(records, most_columns=240):
    """[(least allocated, most allocated, most reserved)] by stretches of equal time."""
    told = [r for r in records if r.allocated >= 0]
    first, span = told[0].time * 1000, (told[-1].time - told[0].time) * 1000
    count = min(len(told), most_columns)
    if span < count:
        count = 1
    width = span // count + 1
    columns = [[] for _ in range(count)]
    for r in told:
        columns[(r.time * 1000 - first) // width].append(r)
    out, before = [], []
    for column in columns:
        all_of = before + column
        out.append((min(r.allocated for r in all_of), max(r.allocated for r in all_of), max(r.reserved for r in all_of)))
        before = all_of[-1:]
    return out
