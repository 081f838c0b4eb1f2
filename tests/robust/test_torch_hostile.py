"""PyTorch traces that lie: names that want to be markup, depth, numbers of everything, references in circles. Each gives a valid
report of bounded size in a time that its size explains."""

import itertools
import json

import hostile
import torch_files as t
from hostile import BROKEN, EVIL, MANY

BASE = {"baseTimeNanoseconds": 1711929600000000000}


def trace(events, **more):
    return t.text(t.trace(events, **BASE, **more))


def usual():
    return t.files()["new"]


def step(number, start_us, duration_us):
    return t.event("user_annotation", f"ProfilerStep#{number}", start_us, duration_us, **{"External id": 10 ** 8 + number})


def renamed(value, names):
    """The same with another text wherever a text stands that tpreport may show: all but phases and categories."""
    if isinstance(value, dict):
        return {key: item if key in ("ph", "cat", "s") or key == "name" and str(item).startswith(("Profiler", "thread_", "[mem"))
                else renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return next(names) if isinstance(value, str) else value


def evil_everywhere():
    names = itertools.cycle(EVIL)
    events = [event for _ in EVIL for event in renamed(t.new_events(), names)]
    events += renamed(t.old_events()[1:], names)
    more = renamed({"host_name": "h", "Framework": "f", "distributedInfo": t.DISTRIBUTED, "WARNING": ["w"] * 20,
                    "ERROR": ["e"] * 20, "metadata": {"a": {"b": ["c"]}}, "trace_id": "x", "cuda_runtime_version": "v"}, names)
    document = t.trace(events, **BASE, **more)
    document["deviceProperties"] = [renamed({**t.GPU, "id": i}, names) for i in range(3)]
    document.update({evil: evil for evil in EVIL})
    return t.text(document)


def evil_prefixes():
    """Names that something is read out of: modules, hooks, collectives, loaders, steps, optimizers, triton files."""
    events = [step(i, 1000 * i, 900) for i in range(3)]
    at = itertools.count(10)
    for evil in EVIL:
        for name in ("nn.Module: %s", "[pl][profile]%s", "[pl][module]x.%s: a.%s", "nccl:%s", "enumerate(DataLoader)#%s.__next__",
                     "Optimizer.step#%s", "autograd::engine::evaluate_function: %s", "ProfilerStep#%s", "%s.py(3): f"):
            text = name.replace("%s", evil)
            place = next(at)
            events.append(t.event("user_annotation", text, place, 1, **{"External id": place}))
            events.append(t.event("python_function", text, place, 2, 10, 12, **{
                "Python id": place, "Python parent id": None, "Python module id": 0, "CallFrom": evil}))
            events.append(t.event("cpu_op", text, place, 1, **{
                "External id": place, "Input Dims": [[evil]], "Input type": [evil], "kernel_file": evil, "Collective name": evil,
                "Process Group Name": evil, "Process Group Ranks": evil, "dtype": evil}))
            events.append(t.event("kernel", "ncclDevKernel_" + text, place, 1, 0, 7, **{
                "correlation": place, "device": 0, "stream": 7, "Collective name": evil, "Process Group Description": evil}))
    return trace(events)


def bytes_that_are_no_text():
    text = trace(t.new_events(), host_name="aten::linear")
    return b"".join([text[:-1], b"}"]).replace(b"aten::linear", b"aten::" + b" ".join(BROKEN))


def call_stack_100000_deep():
    depth = 100_000
    events = [step(0, 0, 2 * depth + 2)]
    events += [t.event("cpu_op", f"op{i % 7}", i + 1, 2 * (depth - i), **{"External id": i + 1}) for i in range(depth)]
    return trace(events)


def python_stack_100000_deep():
    depth = 100_000
    events = [step(0, 0, 2 * depth + 9)]
    for i in range(depth):
        events.append(t.event("python_function", f"f.py({i % 9}): g", i + 1, 2 * (depth - i), **{
            "Python id": i, "Python parent id": i - 1 if i else None}))
    events.append(t.event("cpu_op", "aten::add", depth + 1, 0.5, **{"External id": 1}))
    return trace(events, with_stack=1)


def modules_10000_deep():
    depth = 10_000
    events = [step(0, 0, 2 * depth + 2)]
    for i in range(depth):
        events.append(t.event("python_function", f"nn.Module: M{i % 3}_{i % 2}", i + 1, 2 * (depth - i), **{
            "Python id": i, "Python parent id": i - 1 if i else None, "Python module id": i % 2}))
    return trace(events, with_stack=1)


def parents_in_circles():
    events = [step(0, 0, 1000)]
    for i in range(300):
        events.append(t.event("python_function", f"nn.Module: A_{i % 5}", i, 500, **{
            "Python id": i % 7, "Python parent id": (i + 3) % 7, "Python module id": i}))
    return trace(events, with_stack=1)


def everything_crosses():
    """No event nests in another: each ends inside the next."""
    return trace([step(0, 0, 3 * MANY)] + [t.event("cpu_op", f"op{i % 5}", 2 * i, 3, **{"External id": i}) for i in range(MANY)])


def one_correlation_for_all():
    events = [step(0, 0, 10 * MANY)]
    for i in range(MANY // 3):
        events.append(t.event("cuda_runtime", "cudaLaunchKernel", 10 * i, 5, **{"correlation": 5, "External id": 5}))
        events.append(t.event("kernel", "k", 10 * i + 5, 4, 0, 7, correlation=5, device=0, stream=7))
        events.append(t.event("cpu_op", "aten::mm", 10 * i, 6, **{"External id": 5}))
    return trace(events)


def many_names():
    return trace([step(0, 0, 10 * MANY)] + [t.event("cpu_op", f"op number {i}", 10 * i, 9, **{
        "External id": i, "Input Dims": [[i, i + 1]]}) for i in range(MANY)])


def many_kernels():
    events = [step(0, 0, 10 * MANY)]
    for i in range(MANY // 2):
        events.append(t.event("kernel", f"kernel_{i}", 10 * i, 9, i % 3, i % 40, **{
            "correlation": i, "device": i % 3, "stream": i % 40, "grid": [i + 1, 1, 1], "block": [128, 1, 1],
            "registers per thread": i % 255, "shared memory": i, "blocks per SM": 1e300, "est. achieved occupancy %": -i}))
    return trace(events)


def many_steps():
    return trace([event for i in range(MANY // 3) for event in (
        step(i, 10 * i, 10), t.event("cpu_op", "aten::add", 10 * i, 9, **{"External id": i}))])


def many_threads():
    return trace([step(0, 0, 1000)] + [t.event("cpu_op", "aten::add", i % 900, 5, 10, i, **{"External id": i}) for i in range(5000)])


def many_devices():
    return trace([step(0, 0, 10_000)] + [t.event("kernel", "k", i, 5, i, 7, device=i, stream=7, correlation=i) for i in range(600)])


def many_groups():
    events = [step(0, 0, 10 * 3000)]
    for i in range(3000):
        events.append(t.event("kernel", "ncclDevKernel_AllReduce", 10 * i, 9, 0, 7, **{
            "correlation": i, "device": 0, "stream": 7, "Collective name": f"c{i}", "Process Group Name": f"g{i}",
            "Process Group Ranks": str(list(range(200))), "Group size": i, "dtype": f"d{i}", "In msg nelems": 2 ** 62}))
    return trace(events, distributedInfo={"backend": "nccl", "rank": 0, "world_size": 10 ** 9, "pg_config": [
        {"pg_name": f"g{i}", "pg_desc": "d", "pg_size": 10 ** 9, "ranks": list(range(300))} for i in range(500)]})


def memory(address, at_us, size, device=1, **more):
    return {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 10, "tid": 11, "ts": at_us, "args": {
        "Device Type": device, "Device Id": 0, "Addr": address, "Bytes": size, "Total Allocated": at_us * 512,
        "Total Reserved": 2 ** 40, **more}}


def memory_that_lies():
    """Freed before it was given out, twice at one address, on hundreds of devices, totals that overflow."""
    huge = 2 ** 63 - 1
    events = [step(0, 0, 4 * MANY), memory(1, 1, -512), memory(1, 2, 512), memory(1, 3, 512), memory(1, 4, -huge),
              memory(2, 5, huge), memory(3, 6, huge, **{"Total Allocated": huge}), memory(4, 7, 0), memory(0, 8, 512)]
    events += [memory(10 + i, 10 + i, 512 * (i + 1), device=i % 25) for i in range(MANY // 3)]
    events += [memory(9, 4 * MANY, 1, **{"Device Id": i}) for i in range(-5, 500)]
    return trace(events, profile_memory=1)


def far_times():
    """Steps 99 days long; the times are those of a clock near its end."""
    return t.text(t.trace([step(i, 8.5e12 * i, 8e12) for i in range(2)] + [t.event("cpu_op", "a", 1, 7e12)],
                          baseTimeNanoseconds=2 ** 63 - 1 - 10 ** 18))


def long_texts():
    long = "x" * 1_000_000
    return trace([step(0, 0, 100), t.event("cpu_op", long, 1, 5, **{"External id": 1, "Input Dims": [[1] * 100_000]}),
                  t.event("kernel", long + "k", 2, 5, 0, 7, device=0, stream=7, correlation=1),
                  t.event("python_function", long, 1, 50, **{"Python id": 1, "Python parent id": None})],
                 host_name=long, with_stack=1)


def deep_json():
    return trace([step(0, 0, 100)])[:-1] + b', "deep": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"


def every_odd_value():
    """Each member of each event with each kind of value in turn."""
    odd = [None, True, -1, 0, 2 ** 63, -2 ** 63, 1e308, -0.5, "", "7", "N/A", [], {}, [[]], {"a": []}, [None, "x", -1, 1e9]]
    events = [step(0, 0, 10_000)]
    for event in t.new_events()[:12] + t.old_events() + t.rocm_events():
        for key in event:
            events += [{**event, key: value} for value in odd]
        for key in event.get("args", {}):
            events += [{**event, "args": {**event["args"], key: value}} for value in odd]
    text = trace(events)
    json.loads(text)
    return text.replace(b'"dur": -0.5', b'"dur": NaN').replace(b'"ts": 1e+308', b'"ts": -Infinity')


CASES = [
    evil_everywhere, evil_prefixes, bytes_that_are_no_text, call_stack_100000_deep, python_stack_100000_deep, modules_10000_deep,
    parents_in_circles, everything_crosses, one_correlation_for_all, many_names, many_kernels, many_steps, many_threads,
    many_devices, many_groups, memory_that_lies, far_times, long_texts, deep_json, every_odd_value,
]


hostile.judge(CASES, "w.1.pt.trace.json", usual)
