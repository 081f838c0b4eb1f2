"""Traces of jobs of several workers by hand: collectives that begin and end when they are told to, on clocks that are wrong by
what they are told."""

import json
from pathlib import Path

from torch_files import event

BASE_NS = 1795000000000000000


class Worker:
    """One worker's trace, on its own clock, in microseconds from BASE_NS."""

    def __init__(self, rank, world, clock_us=0, host="h", backend="nccl"):
        self.rank, self.world, self.clock, self.host, self.backend = rank, world, clock_us, host, backend
        self.events, self.number = [], 0

    def _add(self, category, name, start, end, tid, pid=None, **args):
        self.events.append(event(category, name, round(start + self.clock, 3), round(end - start, 3),
                                 100 + self.rank if pid is None else pid, tid, **args))

    def step(self, number, start, end):
        self._add("user_annotation", "ProfilerStep#%d" % number, start, end, 1, **{"External id": 10_000 + number})

    def operator(self, name, start, end):
        self._add("cpu_op", name, start, end, 1)

    def kernel(self, name, launch, start, end, stream=7, **args):
        self.number += 1
        self._add("cuda_runtime", "cudaLaunchKernel", launch, launch + 1, 1, correlation=self.number)
        self._add("kernel", name, start, end, stream, self.rank, device=self.rank, stream=stream, correlation=self.number,
                  grid=[1, 1, 1], block=[32, 1, 1], **args)

    def collective(self, name, launch, start, end, group=("0", "default_pg", None), elements=0, dtype="Float", out=None,
                   said=None, kernel="ncclDevKernel_%s(ncclDevKernelArgsStorage<4096ul>)", span=True, **more):
        """A host span with its arguments and a kernel; start None: the kernel is not in the trace."""
        ranks = list(range(self.world)) if group[2] is None else group[2]
        arguments = {"Collective name": said or name.replace("_", ""), "In msg nelems": elements,
                     "Out msg nelems": elements if out is None else out, "Group size": len(ranks), "dtype": dtype,
                     "Process Group Name": group[0], "Process Group Description": group[1],
                     "Process Group Ranks": str(ranks), **more}
        self.number += 1
        if span:
            self._add("cpu_op", "record_param_comms", launch - 2, launch + 3, 1, **{"External id": self.number}, **arguments)
            if span != "arguments":
                self._add("user_annotation", "nccl:" + name, launch - 1, launch + 2, 1, **{"External id": 5000 + self.number})
        if start is not None:
            self._add("cuda_runtime", "cudaLaunchKernel", launch, launch + 1, 1, correlation=self.number)
            self._add("kernel", kernel % name, start, end, 20, self.rank, device=self.rank, stream=20,
                      correlation=self.number, grid=[1, 1, 1], block=[32, 1, 1], **arguments)

    def send(self, peer, launch, start, end, elements=1000, **how):
        self._message("send", peer, launch, start, end, elements, "Dst Rank", how)

    def receive(self, peer, launch, start, end, elements=1000, **how):
        self._message("recv", peer, launch, start, end, elements, "Src Rank", how)

    def _message(self, said, peer, launch, start, end, elements, key, how):
        """start None: one of a group; what it asks for is all that the trace holds of it."""
        told = {"Rank": peer, **({key: peer} if how.pop("told", True) else {})}
        self.collective(said, launch, start, end, elements=elements, said=said, kernel="ncclDevKernel_SendRecv(%s)",
                        span="arguments" if start is None else True, **told, **how)

    def end_group(self, launch, start, end):
        """The kernel of the messages that were asked for before."""
        self._add("user_annotation", "nccl:coalesced", launch - 1, launch + 2, 1, **{"External id": 90_000 + self.number})
        self.kernel("ncclDevKernel_SendRecv(x)", launch, start, end, 20)

    def write(self, folder, span=1):
        gpu = {"id": self.rank, "name": "NVIDIA H100", "totalGlobalMem": 85899345920, "computeMajor": 9, "computeMinor": 0,
               "numSms": 132}
        trace = {"schemaVersion": 1, "deviceProperties": [{**gpu, "id": i} for i in range(max(8, self.rank + 1))],
                 "baseTimeNanoseconds": BASE_NS, "host_name": self.host, "traceEvents": self.events,
                 "distributedInfo": {"backend": self.backend, "rank": self.rank, "world_size": self.world}}
        Path(folder, "node%s_%d.%d.pt.trace.json" % (self.host, self.rank, span)).write_text(json.dumps(trace), encoding="utf-8")
