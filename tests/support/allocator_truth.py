"""Memory over time worked out a second time from the events of a file, straight and slow."""

TYPES = {0: "", 1: "float", 2: "double", 3: "int32", 9: "int64", 10: "bool", 14: "bfloat16", 19: "half"}


def start_of(planes):
    """What the times of a report count from: the first event of any line, in ps."""
    return min(event.start for plane in planes for line in plane.lines for event in line.events)


class Moment:
    """One event of an allocator, with the figures that it states."""

    def __init__(self, event, start):
        stats = event.stats
        self.time, self.allocation = event.start - start, event.name == "MemoryAllocation"
        self.stack, self.heap, self.free = (stats.get(f"bytes_{what}", 0) for what in ("reserved", "allocated", "available"))
        self.use = self.stack + self.heap
        self.fragmentation, self.ever = stats.get("fragmentation"), stats.get("peak_bytes_in_use", 0)
        self.address, self.block = stats.get("addr", 0), stats.get("allocation_bytes", 0)
        self.requested, self.op = stats.get("requested_bytes", 0), stats.get("tf_op", "")
        self.shape, self.region = stats.get("shape", ""), stats.get("region_type", "")
        self.type = TYPES[stats.get("data_type", 0)]

    def piece(self):
        return self.op, self.block, self.requested, self.shape, self.type, self.region


def moments_of(planes):
    """{allocator: [Moment]} in the order of the file."""
    found, start = {}, start_of(planes)
    for plane in planes:
        for line in plane.lines if plane.name.startswith("/host:") else []:
            for event in line.events:
                if event.name in ("MemoryAllocation", "MemoryDeallocation"):
                    name = event.stats.get("allocator_name")
                    if name is None:
                        name = f"device {event.stats.get('device_ordinal', event.stats.get('index_on_host'))}"
                    found.setdefault(name, []).append(Moment(event, start))
    return found


class Expected:
    """What a report must say of one allocator."""

    def __init__(self, in_file):
        self.in_file = in_file
        self.moments = sorted(in_file, key=lambda one: one.time)
        most = max(one.use for one in self.moments)
        self.at_most = [one for one in self.moments if one.use == most]
        self.peak = self.at_most[-1]
        self.ever = max(max(one.ever, one.heap) for one in self.moments)
        live = {}
        for one in self.moments:
            if one.time > self.peak.time:
                break
            live.pop(one.address, None)
            if one.allocation:
                live[one.address] = one
        self.live = sorted(one.piece() for one in live.values())
        self.unrecorded = max(self.peak.heap - sum(piece[1] for piece in self.live), 0)
