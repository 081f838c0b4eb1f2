#!/usr/bin/env python3
"""Writes a large but made-up XLA profile of a chosen size, and prints as JSON what a report of it must say.

    make_big_xplane.py OUT [--kind jax-cpu|tpu] [--size MB] [--events N] [--hosts N] [--seed N]

jax-cpu is what JAX on a CPU writes with the Python tracer on: about ten million short nested calls without stats in
150 MB, step markers, XLA:CPU thunks with their stats, and the flows between threads. tpu is what a TPU host writes:
steps, modules and operations on two clocks, with the facts of each operation on its metadata. Both carry their HLO
module. Only the standard library is needed. The same arguments give the same bytes.

The JSON is worked out from the events as they are made, never by reading the file back.
"""
import argparse
import json
import os
import sys
import tempfile

from big_jax_cpu import make_jax_cpu
from big_tpu import make_tpu

RUN = '2026_01_01_00_00_00'


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', help='the log directory to write')
    parser.add_argument('--kind', choices=('jax-cpu', 'tpu'), default='jax-cpu')
    parser.add_argument('--size', type=float, default=150.0, help='MB in all files together (default 150)')
    parser.add_argument('--events', type=int, help='events in all files together, instead of a size')
    parser.add_argument('--hosts', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--calls-per-step', type=int, default=20000, help='Python calls a step, jax-cpu only')
    return parser.parse_args()


def main():
    args = parse()
    folder = os.path.join(args.out, 'plugins', 'profile', RUN)
    os.makedirs(folder, exist_ok=True)

    def enough(spaces):
        if args.events:
            return sum(space.events() for space in spaces) >= args.events
        return sum(space.size() for space in spaces) >= args.size * 1e6

    make = {'jax-cpu': make_jax_cpu, 'tpu': make_tpu}[args.kind]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        spaces, answers = make(args, scratch, enough)
        files = [space.save(folder) for space in spaces]
    json.dump(dict(kind=args.kind, seed=args.seed, files=files, events=sum(f['events'] for f in files),
                   size_bytes=sum(f['size_bytes'] for f in files), **answers), sys.stdout, indent=1)
    print()


if __name__ == '__main__':
    main()
