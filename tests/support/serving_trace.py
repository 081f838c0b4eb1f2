"""Made traces of an inference engine, whose answer is known beforehand: iterations of given lengths, as annotations, as operators
without any, or as kernels alone."""

import random

from torch_files import GPU, event, trace

# Kernels of one forward pass: name, share of its time; of the layers between, four times each.
LAYER = [("rms_norm_kernel", 1), ("nvjet_tst_128x64_64x10_2x1_v_bz_TNT", 6), ("flash_fwd_splitkv_kernel", 3), ("act_and_mul_kernel", 1)]
LAYERS = 4
TAIL = [("nvjet_tst_64x8_64x16_4x1_v_bz_TNT", 4), ("softmax_warp_forward", 1)]
H100 = {**GPU, "name": "NVIDIA H100 SXM5 80GB", "computeMajor": 9, "computeMinor": 0, "numSms": 132}


def kernels(kind, attention=None):
    """[(name, share of the time)]; prefill begins with kernels of its own, decode with a fill. attention: names by kind."""
    head = [("vectorized_gather_kernel", 1), ("elementwise_kernel", 1)] if kind == "prefill" else [("FillFunctor_kernel", 1)]
    body = head + LAYER * LAYERS + TAIL
    if attention:
        body = [(attention[kind] if name.startswith("flash") else name, share) for name, share in body]
    whole = sum(share for _, share in body)
    return [(name, share / whole) for name, share in body]


class Made:
    """The events of one or several engines."""

    def __init__(self, annotate=True, operators=True, graphs=True, jitter=0.0, seed=1, attention=None, blocks=None):
        """attention: {kind: kernel}; blocks: {kind: blocks of each launch}."""
        self.events, self.number, self.grid = [], 0, 8
        self.attention, self.blocks = attention, blocks or {}
        self.annotate, self.operators, self.graphs, self.jitter = annotate, operators, graphs, jitter
        self.random = random.Random(seed)

    def launch(self, name, at, length, thread, gpu, stream, call="cudaLaunchKernel", host=2.0):
        self.number += 1
        self.events += [
            event("cuda_runtime", call, at - host, host / 2, tid=thread, correlation=self.number),
            *self.ran(name, at, length, gpu, stream)]

    def ran(self, name, at, length, gpu, stream):
        return [event("kernel", name, at, length, gpu, stream, device=gpu, stream=stream, correlation=self.number,
                      grid=[self.grid, 1, 1], block=[128, 1, 1])]

    def iteration(self, kind, at, ms, name, thread=11, gpu=0, stream=7, annotated=True):
        """One that begins at a time in microseconds and takes so long, the host's part of 20 µs before the first kernel included."""
        length = ms * 1000 * (1 + self.jitter * self.random.uniform(-1, 1))
        start, first = at, at + 20
        if self.annotate and annotated:
            self.events.append(event("user_annotation", name, start, length * 0.9, tid=thread, **{"External id": 1}))
            self.events.append(event("gpu_user_annotation", name, first, length - 20, gpu, stream))
        if self.operators:
            self.events.append(event("cpu_op", "aten::embedding", start + 2, 8, tid=thread, **{"External id": 2}))
        replay = self.graphs and kind == "decode"
        self.grid = self.blocks.get(kind, 8)
        for i, (kernel, share) in enumerate(kernels(kind, self.attention)):
            took = share * (length - 20)
            if replay and 1 < i < 1 + len(LAYER) * LAYERS:
                self.events += self.ran(kernel, first, took, gpu, stream)
            else:
                # what the host launches it does early, within the annotation
                self.launch(kernel, first, took, thread, gpu, stream, "cudaGraphLaunch" if replay and i == 1 else "cudaLaunchKernel",
                            host=10 + (first - start) * 0.2)
            first += took
        return start + length

    def engine(self, rounds=4, decodes=10, prefill_ms=4.0, decode_ms=0.9, gap_ms=0.25, begin=1000.0, missing=None, names=None, **where):
        """rounds × (a prefill, then decodes); `missing`: which iteration has no annotation."""
        prefill, decode = names or ("execute_context_2(256)_generation_0(0)", "execute_context_0(0)_generation_8(8)")
        at, count = begin, 0
        for _ in range(rounds):
            for kind, ms, name in [("prefill", prefill_ms, prefill)] + [("decode", decode_ms, decode)] * decodes:
                at = self.iteration(kind, at, ms, name, annotated=count != missing, **where) + gap_ms * 1000
                count += 1
        return self

    def trace(self):
        return trace(sorted(self.events, key=lambda e: e["ts"]), deviceProperties=[H100, {**H100, "id": 1}])
