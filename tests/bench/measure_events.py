#!/usr/bin/env python3
"""Runs tpreport and TensorBoard's loader over the same large event file and prints a table as Markdown.

    measure_events.py --tpreport BIN --scratch DIR [--peer PYTHON] [--runs N]

Called by run.sh, which says what must be in the scratch directory. The peer takes half a minute a run and runs once keeping all that it reads and
once with its own limits, tpreport N times.
tpreport's times are those of the whole report; the peer's loader makes none. What depends least on what else the machine does is
processor time; wall time stands beside it. Memory is the peak of the whole process, pages of the mapped file in it.
"""
import argparse
import json
import os
import struct
import subprocess

from measure import HERE, MB, Run, medians, print_machine, shown, table


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tpreport', required=True, help='the program')
    parser.add_argument('--scratch', required=True, help='where events/ and events.json are')
    parser.add_argument('--peer', help='a Python that has tensorboard; left out when not given')
    parser.add_argument('--runs', type=int, default=3)
    return parser.parse_args()


def rows_of(node):
    for child in node.get('sections', []) + node.get('blocks', []):
        if child['id'] == 'whole-run/scalars':
            yield from child['rows']
        yield from rows_of(child)


def scalars(args, folder, out):
    """{tag: [points, last step, last value]} as tpreport says."""
    subprocess.run([args.tpreport, folder, '--top', 'all', '-o', out], check=True)
    with open(out, encoding='utf-8') as file:
        cells = [row['cells'] for row in rows_of(json.load(file))]
    return {c['tag']['value']: [c['points']['value'], int(c['steps']['value'].split(' to ')[-1]), float(c['last']['value'])] for c in cells}


def same(ours, theirs):
    """Whether all points are there and the last agree, in single precision."""
    single = {tag: [points, step, struct.unpack('<f', struct.pack('<f', value))[0]] for tag, (points, step, value) in ours.items()}
    return single == {tag: list(found) for tag, found in theirs.items()}


def main():
    args = parse()
    folder, out = os.path.join(args.scratch, 'events'), os.path.join(args.scratch, 'out')
    os.makedirs(out, exist_ok=True)
    print_machine(args)
    with open(folder + '.json', encoding='utf-8') as file:
        made = json.load(file)
    print('One event file: %.0f MB, %s records.\n' % (made['size_bytes'] / MB, format(made['records'], ',')))
    Run(['cat', os.path.join(folder, os.listdir(folder)[0])])
    ours = {'tpreport, HTML': [args.tpreport, folder, '-o', os.path.join(out, 'x.html')],
            'tpreport, JSON': [args.tpreport, folder, '-o', os.path.join(out, 'x.json')],
            'tpreport get': [args.tpreport, 'get', folder, 'events.records']}
    runs = {what: [Run(command) for _ in range(args.runs)] for what, command in ours.items()}
    log = {}
    if args.peer:
        with open(os.path.join(out, 'peer.json'), 'w+b') as file:
            loader = [args.peer, os.path.join(HERE, 'peer_events.py'), folder]
            runs['TensorBoard, loader'] = [Run(loader, file)]
            runs['the same, its own limits'] = [Run([*loader, '--limits'])]
            file.seek(0)
            log = json.loads(file.read() or b'{}')
    table(['median', 'runs', 'wall s', 'CPU s', 'peak MB', 'anonymous MB'],
          [[what + (' (FAILED)' if any(run.failed for run in done) else ''), str(len(done))] + [shown(v) for v in medians(done)]
           for what, done in runs.items()])
    if log:
        html, peer = medians(runs['tpreport, HTML']), medians(runs['TensorBoard, loader'])
        print('TensorBoard %s ÷ tpreport, HTML: CPU %s×, wall %s×, peak %s×.' % (
            (log['version'],) + tuple(shown(peer[i] / html[i]) for i in (1, 0, 2))))
        agrees = same(scalars(args, folder, os.path.join(out, 'all.json')), log['scalars'])
        print('Points of %d tags, and the last of each: %s.' % (len(log['scalars']), 'agree' if agrees else 'DIFFER'))


if __name__ == '__main__':
    main()
