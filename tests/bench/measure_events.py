#!/usr/bin/env python3
"""Runs tpreport and TensorBoard's loaders over the same large event file and prints a table as Markdown.

    measure_events.py --tpreport BIN --scratch DIR [--peer PYTHON] [--runs N]

Called by run.sh, which says what must be in the scratch directory. TensorBoard has three loaders: one in Python for programs, one in Python
for its server, and the data server in Rust, which it starts where that is installed. They take half a minute and more a run, so each runs
once keeping all that it reads and once with its own limits (a thousand of a scalar), tpreport N times.
tpreport's times are those of the whole report; a loader makes none. What depends least on what else the machine does is
processor time; wall time stands beside it. Memory is the peak of the whole process, pages of the mapped file in it.
"""
import argparse
import json
import os
import struct
import subprocess
import time

from measure import HERE, MB, Run, medians, print_machine, shown, table


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tpreport', required=True, help='the program')
    parser.add_argument('--scratch', required=True, help='where events/ and events.json are')
    parser.add_argument('--peer', help='a Python that has tensorboard; left out when not given')
    parser.add_argument('--runs', type=int, default=3)
    return parser.parse_args()


class Served:
    """What the data server took until it had loaded a folder: it never ends, so until it has nothing more to do."""

    failed = False

    def __init__(self, args, folder, *options):
        where = 'import tensorboard_data_server as s; print(s.server_binary())'
        binary = subprocess.run([args.peer, '-c', where], capture_output=True, text=True, check=True).stdout.strip()
        start = time.perf_counter()
        with subprocess.Popen([binary, '--logdir', folder, '--reload', 'once', '--port', '0', *options],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            self.cpu_s, self.wall_s = self.cpu(process), 0
            while time.perf_counter() - start < self.wall_s + 1:
                time.sleep(0.01)
                used = self.cpu(process)
                if used != self.cpu_s:
                    self.cpu_s, self.wall_s = used, time.perf_counter() - start
            with open('/proc/%d/status' % process.pid, encoding='ascii', errors='replace') as file:
                status = dict(line.split(':', 1) for line in file)
            process.kill()
        self.peak_mb, self.anonymous_mb = (int(status[key].split()[0]) * 1024 / MB for key in ('VmHWM', 'RssAnon'))

    @staticmethod
    def cpu(process):
        """Seconds, in the kernel's ticks."""
        with open('/proc/%d/stat' % process.pid, encoding='ascii', errors='replace') as file:
            return sum(map(int, file.read().rsplit(')', 1)[1].split()[11:13])) / os.sysconf('SC_CLK_TCK')


EVERYTHING = '--samples-per-plugin=scalars=all,histograms=all'


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
        loader = [args.peer, os.path.join(HERE, 'peer_events.py'), folder]
        for what, more in (('loader for programs', []), ('loader of its server', ['--server'])):
            with open(os.path.join(out, 'peer.json'), 'w+b') as file:
                runs['TensorBoard, ' + what] = [Run([*loader, *more], file)]
                runs[what + ', its own limits'] = [Run([*loader, *more, '--limits'])]
                file.seek(0)
                log[what] = json.loads(file.read() or b'{}')
        runs['TensorBoard, data server'] = [Served(args, folder, '--checksum', EVERYTHING)]
        runs['data server, its own limits, no checksums'] = [Served(args, folder)]
    table(['median', 'runs', 'wall s', 'CPU s', 'peak MB', 'anonymous MB'],
          [[what + (' (FAILED)' if any(run.failed for run in done) else ''), str(len(done))] + [shown(v) for v in medians(done)]
           for what, done in runs.items()])
    if log:
        html = medians(runs['tpreport, HTML'])
        for what in (name for name in runs if name.startswith('TensorBoard')):
            peer = medians(runs[what])
            print('%s ÷ tpreport, HTML: CPU %s×, wall %s×, peak %s×, own memory %s×.' % (
                (what,) + tuple(shown(peer[i] / html[i]) for i in (1, 0, 2, 3))))
        ours = scalars(args, folder, os.path.join(out, 'all.json'))
        for what, found in log.items():
            print('TensorBoard %s, %s: points of %d tags, and the last of each: %s.' % (
                found['version'], what, len(found['scalars']), 'agree' if same(ours, found['scalars']) else 'DIFFER'))


if __name__ == '__main__':
    main()
