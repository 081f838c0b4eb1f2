#!/usr/bin/env python3
"""The trace of this folder, and flops.json: what PyTorch's own counter (torch.utils.flop_counter) says of the same operators.

Usage: capture.py FOLDER"""

import json
import sys

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, tensorboard_trace_handler
from torch.utils.flop_counter import FlopCounterMode


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, (3, 5), stride=(2, 1), padding=(1, 2))
        self.wide = nn.Conv2d(8, 8, 3, dilation=2, padding="same", bias=False)
        self.line = nn.Conv1d(8, 4, 3)
        self.up = nn.ConvTranspose2d(8, 6, 4, stride=2, padding=1)
        self.attention = nn.MultiheadAttention(32, 4, batch_first=True)
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        y = self.wide(self.conv(x).relu())
        z = self.up(y).mean((1, 3))[:, :32]
        line = self.line(y.flatten(2)).mean()
        s = z.reshape(z.shape[0], 1, 32).expand(-1, 7, -1)
        a = nn.functional.scaled_dot_product_attention(*(s.reshape(-1, 7, 4, 8).transpose(1, 2) for _ in range(3)))
        b = torch.bmm(s, s.transpose(1, 2)) + torch.baddbmm(torch.zeros(1), s, s.transpose(1, 2))
        return self.out(a.transpose(1, 2).reshape(-1, 7, 32)).sum() + b.sum() + line + (s @ self.out.weight.t()).sum()


def main(folder):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net, x = Net(), torch.randn(2, 3, 32, 16)
    with FlopCounterMode(display=False) as counter:
        net(x).backward()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_flops=True,
                 on_trace_ready=tensorboard_trace_handler(folder, worker_name="flops", use_gzip=True)):
        net(x).backward()
    counts = {"aten::" + str(op).removeprefix("aten."): n for op, n in counter.get_flop_counts()["Global"].items()}
    with open(folder + "/flops.json", "w", encoding="utf-8") as f:
        json.dump(counts, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
