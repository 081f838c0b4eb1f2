"""PyTorch runs made of steps by hand, and the report on them. A part of a step is a function of its begin and its number, which gives
events."""

import copy
import json
import tempfile
from pathlib import Path

from torch_files import DISTRIBUTED, GPU, event, trace
from truth import Report

STEP = 100  # µs
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
ZERO_GRAD = "Optimizer.zero_grad#SGD.zero_grad"


def kernel(start, length, name="elementwise_kernel", op="aten::add", device=0, collective=None):
    """An operator that launches a kernel of `length` µs, which begins `start` µs after the step does."""
    def events(at, number):
        correlation = 1000 * number + 10 * start + device + 1
        args = {"Collective name": collective} if collective else {}
        return [event("cpu_op", op, at + start - 2, 2, **{"External id": correlation}),
                event("cuda_runtime", "cudaLaunchKernel", at + start - 1.5, 1, **{
                    "correlation": correlation, "External id": correlation}),
                event("kernel", name, at + start, length, device, 7, device=device, stream=7, correlation=correlation,
                      **{"External id": correlation, "grid": [108, 1, 1], "block": [128, 1, 1], **args})]
    return events


def copy_of(start, length, name):
    return lambda at, number: [
        event("cuda_runtime", "cudaMemcpyAsync", at + start - 1, 1, **{"correlation": 1000 * number + 10 * start + 1}),
        event("gpu_memcpy", name, at + start, length, 0, 7, device=0, stream=7, correlation=1000 * number + 10 * start + 1,
              bytes=4096)]


def mark(name, start, length, category="user_annotation"):
    return lambda at, number: [event(category, name, at + start, length)]


def item(start, length):
    """The host asks for a value and waits for it."""
    return lambda at, number: [
        event("cpu_op", "aten::item", at + start, length, **{"External id": 500}),
        event("cpu_op", "aten::_local_scalar_dense", at + start, length, **{"External id": 501}),
        event("cuda_runtime", "cudaStreamSynchronize", at + start, length, **{"correlation": 9, "External id": 501})]


def loader(start, length):
    return mark("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", start, length)


def delayed(start, begins, length):
    """A kernel that begins long after its launch has returned."""
    def events(at, number):
        correlation = 1000 * number + start
        return [event("cuda_runtime", "cudaLaunchKernel", at + start, 1, correlation=correlation),
                event("kernel", "elementwise_kernel", at + begins, length, 0, 7, device=0, stream=7, correlation=correlation)]
    return events


def setting(name, start, length):
    return lambda at, number: [event("cuda_runtime", name, at + start, length, correlation=900000 + number)]


def graph(start, call, *lengths):
    """Kernels one after the other that one call launches."""
    def events(at, number):
        correlation, begins = 1000 * number + start, at + start + call
        found = [event("cuda_runtime", "cudaGraphLaunch", at + start, call, correlation=correlation)]
        for length in lengths:
            found.append(event("kernel", "elementwise_kernel", begins, length, 0, 7, device=0, stream=7, correlation=correlation))
            begins += length
        return found
    return events


def job(*parts, steps=3, gpus=(GPU,), step=STEP, lengths=None, long=1, **more):
    """long: all times so many times as long."""
    events, at = [], 1000
    for number, length in enumerate(lengths or [step] * steps):
        events.append(event("user_annotation", "ProfilerStep#%d" % number, at, length))
        for part in parts:
            events += part(at, number)
        at += length
    for e in events:
        e["ts"], e["dur"] = long * e["ts"], long * e["dur"]
    return {"w": trace(events, deviceProperties=list(gpus), baseTimeNanoseconds=1711929600000000000, **more)}


def workers(*parts_of_each):
    return {"rank%d" % rank: job(*parts, distributedInfo={**DISTRIBUTED, "rank": rank})["w"]
            for rank, parts in enumerate(parts_of_each)}


def unequal(apart_h=0, **more):
    """Two workers: 30 µs of 100 without work, and 10 µs of 50."""
    found = {"rank%d" % rank: made["w"] for rank, made in enumerate((job(kernel(15, 70), **more), job(kernel(5, 40), step=50, **more)))}
    for one in found.values():
        one["traceEvents"].append(event("Trace", "PyTorch Profiler (0)", 1000, 300, "Spans", "PyTorch Profiler", **{"Op count": 0}))
    found["rank1"]["baseTimeNanoseconds"] += int(apart_h * 3600e9)
    return found


def summing(start, length):
    return kernel(start, length, NCCL, "nccl:all_reduce")


def old_gpu():
    gpu = copy.copy(GPU)
    gpu.update(name="Tesla P100", computeMajor=6)
    return gpu


def volta():
    return {**GPU, "name": "Tesla V100", "computeMajor": 7}


def second_gpu():
    return {**GPU, "id": 1}


def zeroing(start, *fills, kernels=()):
    """Optimizer.zero_grad, with operators of these lengths in µs, each of which launches a kernel: (start, length)."""
    def events(at, number):
        out, begin = [event("user_annotation", ZERO_GRAD, at + start, sum(fills) + 2 * len(fills) + 1)], at + start + 1
        for i, length in enumerate(fills):
            out += [event("cpu_op", "aten::zero_", begin, length), event("cpu_op", "aten::fill_", begin + 0.5, length - 1)]
            if kernels:
                correlation = int(at * 100 + i)
                out += [event("cuda_runtime", "cudaLaunchKernel", begin + 1, 0.5, correlation=correlation),
                        event("kernel", "FillFunctor", at + kernels[i][0], kernels[i][1], 0, 7, device=0, stream=7,
                              correlation=correlation)]
            begin += length + 2
        return out
    return events


def lost(files, workers=(), kinds=("kernel",)):
    """The same traces where the profiler was not handed the work of a device; workers: of these alone."""
    return {worker: {**one, "traceEvents": [e for e in one["traceEvents"]
                                            if e["cat"] not in kinds or (workers and worker not in workers)]}
            for worker, one in files.items()}


def unlaunched(length):
    """Kernels whose calls the trace does not hold."""
    return {"w": {**job()["w"], "traceEvents": [e for e in job(FULL)["w"]["traceEvents"] if e["cat"] != "kernel"
                                                and e["cat"] != "cuda_runtime"] + [
        event("kernel", "k", 1000 + STEP * n, length, 0, 7, device=0, stream=7, correlation=7000 + n) for n in range(3)]}}


def report_on(traces, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        for worker, value in traces.items():
            Path(folder, worker + ".1.pt.trace.json").write_text(json.dumps(value), encoding="utf-8")
        return Report(folder, *arguments)


def because_of(report):
    [because] = [b["items"][0] for b in report.doc["sections"][0]["blocks"] if b.get("id") == "summary/because"]
    return because


CPU = job(mark("aten::mm", 0, 90, "cpu_op"), gpus=())
BUSY_HOST = mark("aten::linear", 0, 90, "cpu_op")
COLLECTIVE_BEFORE = {"w": trace([event("kernel", "ncclKernel_AllReduce", 100, 50, 0, 7, device=0, stream=7),
                                 event("cpu_op", "record_param_comms", 200, 100)])}
FULL = kernel(3, 96)
EVEN = [kernel(3, 65), summing(70, 30)]

LOST = lost(job(FULL))
COPIED = lost(job(kernel(3, 60), copy_of(70, 20, "Memcpy HtoD (Pageable -> Device)")))
