"""Jobs of several XLA hosts by hand: TPU cores with marked steps or without, GPUs, and CPUs, each host with a profile of its own."""

import random
from pathlib import Path

from pod_writer import MS, core, program
from xspace_writer import Plane, xspace

US = 10**6  # picoseconds


def write(folder, hosts):
    """One run, a file for each host; returns the files."""
    run = Path(folder, "plugins/profile/2026_01_02_03_04_05")
    run.mkdir(parents=True)
    files = [run / (name + ".xplane.pb") for name in hosts]
    for file, planes in zip(files, hosts.values()):
        file.write_bytes(xspace(*planes))
    return files


def _input(steps, chance):
    """What a host does for its steps: it waits for input, and prepares more."""
    plane = Plane("/host:CPU")
    thread = plane.line("python/1")
    for k in range(steps):
        thread.event("train", 100 * k * MS, 12 * MS, step_num=k, _r=1)
        thread.event("IteratorGetNext", (100 * k + 1) * MS, int(chance.uniform(1, 3) * MS))
        thread.event("Execute", (100 * k + 5) * MS, 2 * MS)
    return plane


def tpu(folder, hosts, steps=6, cores=2, seed=1):
    """Marked steps, collectives that carry ids, a channel around all cores, core 1 of host 1 slow; host 0 lacks the last step on a core."""
    chance, names = random.Random(seed), ["tpu-%02d" % h for h in range(hosts)]
    number = hosts * cores
    ring = "{%s}" % ",".join("{%d,%d}" % (n, (n + 1) % number) for n in range(number))
    planes = {}
    for h, name in enumerate(names):
        planes[name] = [_input(steps, chance), program(ring)]
        for c in range(cores):
            n, marks, events = h * cores + c, [], []
            for k in range(steps - (n == 0)):
                at, work = 100 * k, chance.uniform(4, 4.5) + 2 * (h == 1 and c == 1)
                marks.append((str(k), at, at + chance.uniform(10, 10.5)))
                copied, met = at + .6 + work, at + 8
                events += [("infeed.1", "infeed", at, at + chance.uniform(.1, .5)), ("dot.1", "convolution fusion", at + .5, at + .5 + work),
                           ("copy.2", "copy", at + .5 + work, copied), ("send.7", "send", copied, copied + .1),
                           ("recv-done.7", "recv-done", copied + .1, met), ("all-reduce.1", "all-reduce", met, at + chance.uniform(9, 10))]
            planes[name].append(core(n, marks, events))
    return write(folder, planes)


def tpu_unmarked(folder, hosts, runs=12, seed=2):
    """No Steps line: steps are the runs of a program, of which one core lacks one; collectives tell which."""
    chance, planes = random.Random(seed), {}
    for h in range(hosts):
        plane = Plane("/device:TPU:%d" % h, device_type_string="TPU v5e")
        modules, ops = plane.line("XLA Modules"), plane.line("XLA Ops")
        plane.op("dot.1", hlo_category="convolution fusion", program_id=9)
        plane.op("all-reduce.1", hlo_category="all-reduce", program_id=9)
        plane.op("jit_step(9)")
        for k in range(runs):
            at = 20 * k * MS
            if h == 1 and k == 7:
                continue
            length = int(chance.uniform(10, 11) * MS)
            modules.event("jit_step(9)", at, length)
            ops.event("dot.1", at, length // 2)
            ops.event("all-reduce.1", at + length // 2, length // 3, all_reduce_unique_id=k + 1)
        planes["plain-%02d" % h] = [Plane("/host:CPU"), plane]
    return write(folder, planes)


def cpu(folder, hosts, steps=9, seed=3):
    """Steps marked on hosts that compute themselves, of different lengths, waiting for input; host 1 lacks a step."""
    chance, planes = random.Random(seed), {}
    for h in range(hosts):
        plane = Plane("/host:CPU")
        thread = plane.line("python/1")
        for k in range(steps):
            at = 50 * k * MS
            if h == 1 and k == 4:
                continue
            thread.event("train", at, int(chance.uniform(20, 30) * MS), step_num=100 + k, _r=1)
            thread.event("IteratorGetNext", at + MS, int(chance.uniform(1, 6) * MS))
            thread.event("MatMul", at + 8 * MS, int(chance.uniform(6, 9) * MS))
        planes["cpu-%02d" % h] = [plane]
    return write(folder, planes)


def gpu(folder, hosts, steps=8, seed=4):
    """Steps marked on hosts, kernels on the streams of two GPUs each."""
    chance, planes = random.Random(seed), {}
    for h in range(hosts):
        host = Plane("/host:CPU")
        thread = host.line("python/1")
        devices = [Plane("/device:GPU:%d" % d) for d in range(2)]
        streams = [device.line("Stream #%d(Compute)" % d) for d, device in enumerate(devices)]
        for k in range(steps):
            at, correlation = 40 * k * MS, 10 * k + 1
            thread.event("train", at, int(chance.uniform(20, 25) * MS), step_num=k, _r=1)
            for d, stream in enumerate(streams):
                thread.event("cuLaunchKernel", at + (1 + d) * MS, 100 * US, correlation_id=correlation + d)
                stream.event("gemm_%d" % (k % 2), at + (3 + d) * MS, int(chance.uniform(8, 12) * MS), correlation_id=correlation + d)
        planes["gpu-%02d" % h] = [host, *devices]
    return write(folder, planes)


KINDS = {"tpu": tpu, "tpu_unmarked": tpu_unmarked, "cpu": cpu, "gpu": gpu}
