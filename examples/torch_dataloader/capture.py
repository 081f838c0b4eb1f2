"""Capture five steps of a PyTorch loop that waits for its DataLoader: each item takes 10 ms to make.

Needs: torch.
Writes: OUT/dlN.<time>.pt.trace.json.gz, where N is the number of worker processes.
"""
import argparse
import time


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('out', help='output directory')
    p.add_argument('--workers', type=int, default=0, help='num_workers of the DataLoader')
    return p.parse_args()


class SlowItems:
    def __len__(self):
        return 64

    def __getitem__(self, i):
        import torch
        time.sleep(0.01)
        return torch.randn(3, 32, 32), i % 10


def main():
    args = parse()
    import torch
    from torch import nn
    from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler
    torch.manual_seed(0)
    torch.set_num_threads(1)
    net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                        nn.Linear(8, 10))
    opt, loss = torch.optim.Adam(net.parameters()), nn.CrossEntropyLoss()
    with profile(activities=[ProfilerActivity.CPU], schedule=schedule(wait=1, warmup=1, active=5, repeat=1),
                 on_trace_ready=tensorboard_trace_handler(args.out, worker_name='dl%d' % args.workers, use_gzip=True),
                 record_shapes=True, profile_memory=True) as p:
        for x, y in torch.utils.data.DataLoader(SlowItems(), batch_size=8, num_workers=args.workers):
            value = loss(net(x), y)
            opt.zero_grad()
            value.backward()
            opt.step()
            p.step()


if __name__ == '__main__':
    main()
