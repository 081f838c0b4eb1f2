#!/usr/bin/env python3
"""The traces of this folder: a pipeline of two stages over gloo. Stage 0 sends activations, stage 1 is slower and sends gradients
back; then both send and receive at once. Gradients are set to 0 instead of None. Needs torch.

Usage: capture.py LOGDIR"""

import os
import sys


def stage(rank, folder):
    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29611")
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=2)
    net = nn.Sequential(*(nn.Linear(256, 256) for _ in range(1 + 3 * rank)))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    other = 1 - rank
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3), record_shapes=True,
                 on_trace_ready=tensorboard_trace_handler(folder, worker_name="stage%d" % rank, use_gzip=True)) as profiler:
        for _ in range(5):
            optimizer.zero_grad(set_to_none=False)
            for _ in range(2):
                if rank == 0:
                    y, gradient = net(torch.randn(64, 256)), torch.empty(64, 256)
                    dist.send(y.detach(), other)
                    dist.recv(gradient, other)
                    y.backward(gradient)
                else:
                    x = torch.empty(64, 256)
                    dist.recv(x, other)
                    net(x.requires_grad_()).square().mean().backward()
                    dist.isend(x.grad, other).wait()
            for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, torch.ones(1000), other),
                                                dist.P2POp(dist.irecv, torch.empty(1000), other)]):
                work.wait()
            optimizer.step()
            profiler.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    import torch.multiprocessing
    torch.multiprocessing.spawn(stage, args=(sys.argv[1],), nprocs=2)
