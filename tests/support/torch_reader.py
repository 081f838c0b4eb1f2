"""A second reader of PyTorch traces, by Python's json: the sums that tests/support/torch_sums.c prints."""

import gzip
import json
import struct
import zlib
from collections import Counter, defaultdict
from functools import lru_cache

WRAP = 1 << 64
NONE = 0xFFFFFFFF
OPERATOR, ANNOTATION, STEP, PYTHON, RUNTIME, DRIVER, KERNEL, MEMCPY, MEMSET, GPU_ANNOTATION, SYNC, OVERHEAD, OTHER = range(13)
WORK = (KERNEL, MEMCPY, MEMSET)
CATEGORIES = {
    "cpu_op": OPERATOR, "operator": OPERATOR, "user_annotation": ANNOTATION, "python_function": PYTHON,
    "cuda_runtime": RUNTIME, "runtime": RUNTIME, "mtia_runtime": RUNTIME, "cuda_driver": DRIVER, "kernel": KERNEL,
    "gpu_memcpy": MEMCPY, "memcpy": MEMCPY, "gpu_memset": MEMSET, "memset": MEMSET, "cuda_sync": SYNC,
    "gpu_user_annotation": GPU_ANNOTATION, "overhead": OVERHEAD,
}


class Number(str):
    """A number with a point or an exponent, as written."""


def load(path):
    """The trace, numbers with a point as Number; None when it is no JSON."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    try:
        return json.loads(data, parse_float=Number, strict=False)
    except ValueError:
        return None


def nanoseconds(value):
    """Of microseconds, by their digits alone."""
    if isinstance(value, int):
        return value * 1000
    if "e" in value or "E" in value:
        raise ValueError("an exponent: %s" % value)
    micros, _, decimals = value.partition(".")
    size = abs(int(micros)) * 1000 + int(decimals[:3].ljust(3, "0")) + (decimals[3:4] >= "5")
    return -size if micros.startswith("-") else size


@lru_cache(maxsize=None)
def crc(text):
    return zlib.crc32(text.encode("utf-8")) if text else 0


def as_text(value):
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return value if isinstance(value, str) else str(value)


def whole(args, *keys, default=-1):
    for key in keys:
        value = args.get(key)
        if isinstance(value, str) and not isinstance(value, Number):
            try:
                value = int(value)
            except ValueError:
                continue
        if isinstance(value, int):
            return value
    return default


def kind_of(event):
    category = str(event.get("cat", "")).lower()
    name = event.get("name", "")
    if category == "mtia_ccp_events":
        return MEMCPY if name.startswith("dma") else SYNC if name.startswith("event_") else KERNEL
    kind = CATEGORIES.get(category, OTHER)
    return STEP if kind in (OPERATOR, ANNOTATION) and name.startswith("ProfilerStep#") else kind


def collective(args):
    if not args.get("Collective name"):
        return 0
    texts = ("Collective name", "dtype", "Process Group Name", "Process Group Description", "Process Group Ranks",
             "In split size", "Out split size")
    numbers = ("In msg nelems", "Out msg nelems", "Group size", "Rank", "Global rank start", "Global rank stride",
               "Src Rank", "Dst Rank")
    return (sum(crc(as_text(args.get(key))) * by for key, by in zip(texts, (1, 3, 5, 7, 11, 13, 17)))
            + sum(whole(args, key) * by for key, by in zip(numbers, (19, 23, 29, 31, 37, 41, 43, 47))))


def peer(event, args):
    """The rank that c10d::send and recv_ name; -1: none."""
    inputs = args.get("Concrete Inputs")
    named = event["name"].startswith("c10d::") and isinstance(inputs, list) and len(inputs) > 2
    return whole({"rank": inputs[2]}, "rank") if named else -1


def launch(args, name=""):
    """None: nothing is said of it."""
    def three(key):
        value = args.get(key)
        return value if isinstance(value, list) else [0, 0, 0]

    def real(*keys):
        for key in keys:
            if isinstance(args.get(key), (int, Number)):
                return float(args[key])
        return -1.0
    grid, block = three("grid"), three("block")
    if name in ("hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel"):  # asked for threads
        grid = [-(-g // b) if b else g for g, b in zip(grid, block)]
    registers, shared = whole(args, "registers per thread"), whole(args, "shared memory")
    percent = real("est. achieved occupancy %", "theoretical occupancy %")
    blocks = real("blocks per SM")
    if not (grid[0] or block[0] or registers >= 0 or shared >= 0 or percent >= 0):
        return None
    total = 1 + sum(grid[i] * (43 + i) + block[i] * (53 + i) for i in range(3))
    total += (registers + 1) * 61 + (shared + 1) * 67
    if percent >= 0:
        total += int(percent * 100 + 0.5) * 71
    if blocks >= 0:
        total += int(struct.unpack("f", struct.pack("f", blocks))[0] * 16) * 73
    return total


def detail(kind, event, args, launched):
    external = whole(args, "External id", "external id")
    if kind in (OPERATOR, ANNOTATION, STEP):
        return (external + whole(args, "Sequence number") * 3 + max(whole(args, "Fwd thread id"), 0) * 5
                + crc(as_text(args.get("Input Dims", args.get("Input dims")))) * 7 + crc(as_text(args.get("Input type"))) * 11
                + crc(as_text(args.get("Concrete Inputs")) if event["name"].startswith("aten::convolution") else "") * 29
                + crc(args.get("Call stack", "")) * 13 + crc(args.get("Module Hierarchy", "")) * 17
                + max(whole(args, "kernel_flop", "flops"), 0) * 19 + (peer(event, args) + 1) * 23 + collective(args))
    if kind in (RUNTIME, DRIVER):
        return whole(args, "correlation") + external * 3 + (launch(args, event["name"]) or 0)
    if kind in WORK:
        size = whole(args, "bytes", "size")
        own = launch(args)
        if own is None and size < 0:
            own = launched.get(whole(args, "correlation"))
        return whole(args, "correlation") + external * 3 + size * 5 + max(whole(args, "graph id"), 0) * 7 + (own or 0) + collective(args)
    if kind == PYTHON:
        module, number = "", whole(args, "Python module id")
        if number >= 0:
            module = event["name"].removeprefix("nn.Module: ")
            module = module if module.endswith("_%d" % number) else "%s_%d" % (module, number)
        return whole(args, "Python id") + whole(args, "Python parent id") * 3 + crc(module) * 5 + crc(args.get("CallFrom", "")) * 7
    return 0


def gpu_of(event, args):
    device = whole(args, "device")
    return device if device >= 0 else event["pid"] if isinstance(event.get("pid"), int) else 0


def era_of(events, kinds):
    if any(event.get("cat") in ("Operator", "Kernel", "Runtime", "Memcpy", "Memset") for event in events):
        return 0
    same = other = 0
    for event, kind in kinds:
        args = event.get("args", {})
        external, correlation = whole(args, "External id", "external id"), whole(args, "correlation")
        if kind in WORK and external >= 0 and correlation >= 0:
            same += external == correlation
            other += external != correlation
    if same or other:
        return 1 if same > other else 2
    return 2 if any(isinstance(event.get("ts"), Number) for event, _ in kinds) else 1


def sums(root):
    """As torch_sums.c prints them; None when the trace has neither events nor memory records."""
    events = root if isinstance(root, list) else root.get("traceEvents")
    meta = {} if isinstance(root, list) else root
    if not isinstance(events, list):
        return None
    events = [event for event in events if isinstance(event, dict)]
    base = int(meta.get("baseTimeNanoseconds", 0))
    kinds, lanes, names, launched = [], defaultdict(Counter), {}, {}
    window = []
    for event in events:
        args = event.get("args") or {}
        if event.get("ph") == "M" and event.get("name") == "thread_name":
            names[str(event.get("pid", "")), str(event.get("tid", ""))] = args.get("name", "")
        if event.get("ph") == "X" and event.get("cat") == "Trace":
            if event["name"].startswith("PyTorch Profiler"):
                window.append((nanoseconds(event["ts"]), nanoseconds(event["ts"]) + nanoseconds(event["dur"])))
            continue
        if event.get("ph") != "X":
            continue
        kind = kind_of(event)
        kinds.append((event, kind))
        if kind in (RUNTIME, DRIVER) and launch(args) is not None:
            launched[whole(args, "correlation")] = launch(args, event["name"])
    for event, kind in kinds:
        args = event.get("args") or {}
        on = 1 if kind in WORK else 2 if kind in (GPU_ANNOTATION, SYNC) else 0
        pid, tid = str(event.get("pid", "")), str(event.get("tid", ""))
        lane = lanes["%d %s %s" % (on, pid, tid)]
        lane["gpu"] = lane["gpu"] if lane["count"] else -1 if on == 0 else gpu_of(event, args)
        start, duration = base + nanoseconds(event["ts"]), nanoseconds(event.get("dur", 0))
        name, extra = crc(event.get("name", "")), detail(kind, event, args, launched)
        lane["count"] += 1
        lane["start"] += start
        lane["duration"] += duration
        lane["names"] += name
        lane["kinds"] += 1 << 4 * kind
        lane["details"] += extra
        lane["both"] += (start + 1) * (name + 1) + (start + 3) * (extra % WRAP + 1)
        lane["name"] = crc(names.get((pid, tid), ""))
    memory = [event for event in events if event.get("ph") == "i" and event.get("name") == "[memory]"]
    if not kinds and not memory:
        return None
    out = {"events": len(kinds), "kinds": [sum(kind == k for _, kind in kinds) for k in range(13)], "lanes": []}
    for place, lane in lanes.items():
        gpu = lane.pop("gpu")
        out["lanes"].append({"place": "%s %d" % (place, gpu), "disorder": 0,
                             **{key: lane[key] % WRAP for key in ("count", "start", "duration", "names", "kinds", "details", "both", "name")}})
    args = [event["args"] for event in memory]
    out["memory"] = len(memory)
    out["memory_times"] = sum(base + nanoseconds(event["ts"]) for event in memory) % WRAP
    out["memory_values"] = sum(max(whole(a, "Addr"), 0) + whole(a, "Bytes") * 3 + whole(a, "Total Allocated") * 5
                               + whole(a, "Total Reserved") * 7 + whole(a, "Device Type") * 11 + whole(a, "Device Id") * 13
                               for a in args) % WRAP
    threads = {place.split(" ", 1)[1] for place in lanes if place.startswith("0 ")}
    out["memory_places"] = sum(crc(str(e["tid"])) for e in memory if "%s %s" % (e["pid"], e["tid"]) in threads) % WRAP
    gpus = meta.get("deviceProperties", meta.get("computeProperties", []))
    out["gpus"] = sum(gpu["id"] + crc(gpu["name"]) + gpu.get("totalGlobalMem", 0) + gpu.get("numSms", 0) * 3
                      + gpu.get("sharedMemPerMultiprocessor", gpu.get("maxSharedMemoryPerMultiProcessor", 0)) * 5 for gpu in gpus)
    out["asked"] = sum(1 << bit for bit, key in enumerate(
        ("record_shapes", "profile_memory", "with_stack", "with_flops", "with_modules")) if meta.get(key))
    distributed = meta.get("distributedInfo", {})
    out["rank"], out["world"] = distributed.get("rank", -1), distributed.get("world_size", -1)
    out["groups"] = len(distributed.get("pg_config", []))
    out["window"] = base + min(start for start, _ in window) if window else 0
    out["window_end"] = base + max(end for _, end in window) if window else 0
    out["era"] = era_of(events, kinds)
    return out
