#!/usr/bin/env python3
"""Runs tpreport and torch-tb-profiler over the same large PyTorch trace, plain and packed, and prints a table as Markdown.

    measure_torch.py --tpreport BIN --scratch DIR [--peer PYTHON] [--runs N]

Called by run.sh, which says what must be in the scratch directory. The peer takes a minute a run and runs once, at low
priority, tpreport N times. What is compared is processor time of all threads, which depends least on what else the machine
does; wall time stands beside it. Memory as in measure.py: the peak, and of it what is anonymous (not pages of the mapped file).
"""
import argparse
import json
import os
import subprocess

from measure import HERE, MB, Run, medians, print_machine, shown, table

TOLERANCE_MS = 0.001


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tpreport', required=True, help='the program')
    parser.add_argument('--scratch', required=True, help='where torch-plain/, torch-gz/ and their .json are')
    parser.add_argument('--peer', help='a Python that has torch-tb-profiler; left out when not given')
    parser.add_argument('--runs', type=int, default=3)
    return parser.parse_args()


def step_ms(args, path):
    out = subprocess.run([args.tpreport, 'get', path, 'torch.step.mean_us'], capture_output=True, text=True, check=False).stdout
    value = out.split('\t')[1] if '\t' in out else '-'
    return None if value == '-' else float(value) / 1000


def measure(args, name, size_mb):
    folder = os.path.join(args.scratch, name)
    path = os.path.join(folder, os.listdir(folder)[0])
    out = os.path.join(args.scratch, 'out')
    os.makedirs(out, exist_ok=True)
    Run(['cat', path])
    ours = {'tpreport, HTML': [args.tpreport, path, '-o', os.path.join(out, 'x.html')],
            'tpreport, JSON': [args.tpreport, path, '-o', os.path.join(out, 'x.json')],
            'tpreport get': [args.tpreport, 'get', path, 'step.count']}
    runs = {what: [Run(command) for _ in range(args.runs)] for what, command in ours.items()}
    log = {}
    if args.peer:
        with open(os.path.join(out, 'peer.json'), 'w+b') as file:
            runs['torch-tb-profiler'] = [Run(['nice', args.peer, os.path.join(HERE, 'peer_torch.py'), path], file)]
            file.seek(0)
            log = json.loads(file.read() or b'{}')

    print('### %s, %.0f MB stored\n' % (os.path.basename(path), os.path.getsize(path) / MB))
    rows = [[what + (' (FAILED)' if any(run.failed for run in done) else ''), str(len(done))] + [shown(v) for v in medians(done)]
            for what, done in runs.items()]
    table(['median', 'runs', 'wall s', 'CPU s', 'peak MB', 'anonymous MB'], rows)
    wall, cpu = medians(runs['tpreport get'])[:2]
    print('Reading and analysing: %s MB of JSON a second, %s a second of processor time.' % (
        shown(size_mb / wall), shown(size_mb / cpu)))
    ours_ms = step_ms(args, path)
    if log:
        html, peer = medians(runs['tpreport, HTML']), medians(runs['torch-tb-profiler'])
        print('torch-tb-profiler %s ÷ tpreport, HTML: CPU %s×, wall %s×, peak %s×, anonymous %s×.' % (
            (log['version'],) + tuple(shown(peer[i] / html[i]) for i in (1, 0, 2, 3))))
        agrees = ours_ms is not None and abs(ours_ms - log['step_ms']) <= TOLERANCE_MS
        print('Mean step: tpreport %s ms, torch-tb-profiler %.3f ms: %s.' % (
            ours_ms, log['step_ms'], 'agrees' if agrees else 'DIFFERS'))
    print(flush=True)


def main():
    args = parse()
    print_machine(args)
    with open(os.path.join(args.scratch, 'torch-plain.json'), encoding='utf-8') as file:
        made = json.load(file)
    print('One PyTorch trace of %d steps: %.0f MB of JSON, %s events.\n' % (
        made['steps'], made['size_bytes'] / MB, format(made['events'], ',')))
    for name in ('torch-plain', 'torch-gz'):
        measure(args, name, made['size_bytes'] / MB)


if __name__ == '__main__':
    main()
