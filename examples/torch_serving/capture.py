"""A small GPT that serves: four prefills launched kernel by kernel, and ten decode steps behind each, replayed from a CUDA graph;
annotated as vLLM annotates its iterations. Needs torch and a CUDA GPU.

Usage: capture.py LOGDIR"""

import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, tensorboard_trace_handler

BATCH, PROMPT, LAYERS, SIZE, HEADS, VOCABULARY, LONGEST = 8, 128, 4, 512, 8, 8192, 512


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(SIZE), nn.LayerNorm(SIZE)
        self.qkv, self.proj = nn.Linear(SIZE, 3 * SIZE), nn.Linear(SIZE, SIZE)
        self.up, self.down = nn.Linear(SIZE, 4 * SIZE), nn.Linear(4 * SIZE, SIZE)

    def forward(self, x, cache, at):
        b, t, _ = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, t, 3, HEADS, SIZE // HEADS).permute(2, 0, 3, 1, 4)
        keys, values = cache
        if t > 1:
            keys[:b, :, :t].copy_(k)
            values[:b, :, :t].copy_(v)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            keys.index_copy_(2, at, k)
            values.index_copy_(2, at, v)
            y = F.scaled_dot_product_attention(q, keys, values)
        x = x + self.proj(y.transpose(1, 2).reshape(b, t, SIZE))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.position = nn.Embedding(VOCABULARY, SIZE), nn.Embedding(LONGEST, SIZE)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm, self.head = nn.LayerNorm(SIZE), nn.Linear(SIZE, VOCABULARY, bias=False)

    def forward(self, ids, at, caches):
        x = self.embed(ids) + self.position(at)
        for block, cache in zip(self.blocks, caches):
            x = block(x, cache, at)
        return self.head(self.norm(x))


@torch.no_grad()
def main(folder):
    model = Gpt().cuda().to(torch.bfloat16).eval()
    caches = [[torch.zeros(BATCH, HEADS, LONGEST, SIZE // HEADS, device="cuda", dtype=torch.bfloat16) for _ in range(2)]
              for _ in range(LAYERS)]
    ids, at = torch.zeros(BATCH, 1, dtype=torch.long, device="cuda"), torch.zeros(1, dtype=torch.long, device="cuda")
    prompts, places = torch.randint(0, VOCABULARY, (2, PROMPT), device="cuda"), torch.arange(PROMPT, device="cuda")
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(side):
        for _ in range(3):
            model(ids, at, caches)
            model(prompts, places, caches)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        logits = model(ids, at, caches)

    def sample(rows):
        return torch.multinomial(torch.softmax(rows[:, -1].float(), -1), 1)

    def iterate(name, work):
        with record_function(name):
            work()
        torch.cuda.synchronize()
        time.sleep(0.0002)

    def decode(step):
        at.fill_(PROMPT + step)
        graph.replay()
        ids.copy_(sample(logits))

    def serve():
        for round_ in range(4):
            iterate(f"execute_context_2({2 * PROMPT})_generation_0(0)", lambda: sample(model(prompts, places, caches)))
            for step in range(10):
                iterate(f"execute_context_0(0)_generation_{BATCH}({BATCH})", lambda: decode(10 * round_ + step))

    serve()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                 on_trace_ready=tensorboard_trace_handler(folder, worker_name="serving", use_gzip=True)):
        serve()


main(sys.argv[1])
