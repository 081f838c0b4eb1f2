"""Capture three steps of two processes that train together (DistributedDataParallel over gloo); the second has twice the work.

Needs: torch.
Writes: OUT/rank0.<time>.pt.trace.json.gz, OUT/rank1.<time>.pt.trace.json.gz
"""
import argparse
import os


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('out', help='output directory')
    p.add_argument('--even', action='store_true', help='the same work for both')
    p.add_argument('--port', type=int, default=29577, help='where the processes meet, on localhost')
    return p.parse_args()


def train(rank, world, args):
    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(args.port))
    torch.set_num_threads(1)
    dist.init_process_group('gloo', rank=rank, world_size=world)
    torch.manual_seed(rank)
    net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
                        nn.Flatten(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
    net = nn.parallel.DistributedDataParallel(net, bucket_cap_mb=1)
    opt, loss, batch = torch.optim.SGD(net.parameters(), lr=0.01), nn.CrossEntropyLoss(), 8 if args.even else 8 * (1 + rank)
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=3, repeat=1),
                 on_trace_ready=tensorboard_trace_handler(args.out, worker_name='rank%d' % rank, use_gzip=True),
                 record_shapes=True, profile_memory=True) as p:
        for _ in range(6):
            value = loss(net(torch.randn(batch, 3, 32, 32)), torch.randint(0, 10, (batch,)))
            opt.zero_grad()
            value.backward()
            opt.step()
            t = torch.ones(1000) * rank
            dist.all_reduce(t)
            dist.broadcast(t, 0)
            dist.all_gather([torch.zeros(1000) for _ in range(world)], t)
            dist.barrier()
            p.step()
    dist.destroy_process_group()


def main():
    args = parse()
    import torch.multiprocessing as mp
    mp.spawn(train, args=(2, args), nprocs=2)


if __name__ == '__main__':
    main()
