#!/usr/bin/env python3
"""Runs tpreport and its peer in turn over the same files, as whole processes, and prints the medians as Markdown.

    measure.py --tpreport BIN --scratch DIR [--peer PYTHON] [--runs N] [--timeline] [--small INPUT]

Called by run.sh, which says what must be in the scratch directory. Time is wall time and, beside it, the processor time
of all threads. Peak memory is what the kernel reports for the process (ru_maxrss); pages of a mapped file count in it,
so the peak of anonymous memory, which only the process can use, stands beside it (RssAnon, looked at every 2 ms).
"""
import argparse
import glob
import json
import os
import resource
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MB = 1e6
TOLERANCE = 0.006  # of a step time: the peer prints one decimal place


class Run:
    """What one process took."""

    def __init__(self, command, stdout=subprocess.DEVNULL):
        self.status_peaks = {'RssAnon:': 0, 'VmHWM:': 0}
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL)
        ended = threading.Event()
        watcher = threading.Thread(target=self.watch, args=(process.pid, ended))
        watcher.start()
        _, code, used = os.wait4(process.pid, 0)
        self.wall_s = time.perf_counter() - start
        process.returncode = code
        ended.set()
        watcher.join()
        self.failed = code != 0
        self.cpu_s = used.ru_utime + used.ru_stime
        self.anonymous_mb = self.status_peaks['RssAnon:'] / MB or None
        # A child starts with this process's own peak in ru_maxrss; below that, what was seen while it ran.
        floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak = used.ru_maxrss * 1024 if used.ru_maxrss > floor else self.status_peaks['VmHWM:']
        self.peak_mb = peak / MB or None  # None when it ended before it could be looked at

    def watch(self, pid, ended):
        while not ended.is_set():
            try:
                with open('/proc/%d/status' % pid, encoding='ascii', errors='replace') as status:
                    for line in status:
                        key = line.split('\t', 1)[0]
                        if key in self.status_peaks:
                            size = int(line.split()[1]) * 1024
                            self.status_peaks[key] = max(self.status_peaks[key], size)
            except (OSError, IndexError):
                return
            ended.wait(0.002)


FIGURES = ('wall_s', 'cpu_s', 'peak_mb', 'anonymous_mb')


def median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def medians(runs):
    return [median(getattr(run, figure) for run in runs) for figure in FIGURES]


def shown(value):
    if value is None:
        return '–'
    return '%.3f' % value if value < 1 else '%.2f' % value if value < 10 else '%.1f' % value if value < 100 \
        else '%.0f' % value


def table(heads, rows):
    print('| ' + ' | '.join(heads) + ' |')
    print('|---' + '|---:' * (len(heads) - 1) + '|')
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')
    print()


def print_machine(args):
    def first(path, key):
        with open(path, encoding='utf-8', errors='replace') as lines:
            return next((line.split(':', 1)[1].strip() for line in lines if line.startswith(key)), '?')
    version = subprocess.run([args.tpreport, '--version'], capture_output=True, text=True, check=False).stdout.strip()
    memory = int(first('/proc/meminfo', 'MemTotal').split()[0]) / 2 ** 20
    print('%s · %d cores (%s), %.0f GiB memory, Linux %s · %s · load %.1f before\n' % (
        time.strftime('%Y-%m-%d'), len(os.sched_getaffinity(0)), first('/proc/cpuinfo', 'model name'), memory,
        os.uname().release.split('-')[0], version.splitlines()[0] if version else '?', os.getloadavg()[0]))


def xplanes(logdir):
    return sorted(glob.glob(os.path.join(logdir, 'plugins', 'profile', '*', '*.xplane.pb')))


def forget_peer_files(logdir):
    """Removes what the peer wrote beside its input, so that each of its runs starts as the first one did."""
    folder = os.path.dirname(xplanes(logdir)[0])
    for name in os.listdir(folder):
        if not name.endswith('.xplane.pb'):
            os.remove(os.path.join(folder, name))


def metrics(args, path):
    """What tpreport says of the input: {id: text}."""
    command = [args.tpreport, 'get', path, 'step.count', 'step.time.mean_ms']
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return dict(line.split('\t')[:2] for line in out.splitlines() if '\t' in line)


def judged(ours, truth):
    try:
        return 'agrees' if abs(float(ours) - truth) <= TOLERANCE * truth else 'DIFFERS'
    except (TypeError, ValueError):
        return 'MISSING'


def measure_big(args, logdir):
    with open(logdir + '.json', encoding='utf-8') as file:
        truth = json.load(file)
    paths = xplanes(logdir)
    size_mb = truth['size_bytes'] / MB
    out = os.path.join(args.scratch, 'out')
    os.makedirs(out, exist_ok=True)
    ours = {'tpreport, JSON': [args.tpreport, logdir, '-o', os.path.join(out, 'x.json')],
            'tpreport, HTML': [args.tpreport, logdir, '-o', os.path.join(out, 'x.html')],
            'tpreport get': [args.tpreport, 'get', logdir, 'step.count']}
    peer_name = 'xprof' + (', timeline too' if args.timeline else '')
    peer = args.peer and [args.peer, os.path.join(HERE, 'peer_xprof.py')] + ['--timeline'] * args.timeline + paths
    peer_log = os.path.join(out, 'peer.json')

    forget_peer_files(logdir)
    runs = {'cat': [Run(['cat'] + paths) for _ in range(2)][1:]}
    for _ in range(args.runs):
        for name, command in ours.items():
            runs.setdefault(name, []).append(Run(command))
        if peer:
            forget_peer_files(logdir)
            with open(peer_log, 'wb') as log:
                runs.setdefault(peer_name, []).append(Run(peer, log))
            forget_peer_files(logdir)

    print('### %s: %.0f MB, %s events, %d %s\n' % (truth['kind'], size_mb, format(truth['events'], ','),
                                                   len(paths), 'file' if len(paths) == 1 else 'files'))
    rows = []
    for name, done in runs.items():
        failed = sum(run.failed for run in done)
        rows.append([name + (' (%d of %d FAILED)' % (failed, len(done)) if failed else '')]
                    + [shown(value) for value in medians(done)])
    table(['median of %d' % args.runs, 'wall s', 'CPU s', 'peak MB', 'anonymous MB'], rows)

    if peer:
        rows = []
        for name in (name for name in ours if name != 'tpreport get'):
            cells = []
            for figure in FIGURES:
                pairs = [(getattr(a, figure), getattr(b, figure)) for a, b in zip(runs[name], runs[peer_name])]
                ratios = [b / a if a and b else None for a, b in pairs]
                cells.append('%s× (%s)' % (shown(median(ratios)), ', '.join(map(shown, ratios))))
            rows.append([peer_name + ' ÷ ' + name] + cells)
        table(['median (pair by pair)', 'wall', 'CPU', 'peak', 'anonymous'], rows)

    wall, cpu = medians(runs['tpreport get'])[:2]
    print('Decoding and analysing: %s MB/s, %s MB for each second of processor time.' % (
        shown(size_mb / wall), shown(size_mb / cpu)))
    expected = truth['inner_step_ms' if truth['kind'] == 'jax-cpu' else 'step_ms']
    found = metrics(args, logdir)
    mean = found.get('step.time.mean_ms')
    says = '%s steps of %s ms (%s)' % (found.get('step.count', '?'), mean or '?', judged(mean, expected['mean']))
    print('Step time as made: %d steps of %.3f ms; tpreport: %s' % (expected['count'], expected['mean'], says), end='')
    if peer and not runs[peer_name][-1].failed:
        with open(peer_log, encoding='utf-8') as file:
            log = json.load(file)
        print('; xprof %s: %s ms (%s).' % (log['version'], log['step_ms'], judged(log['step_ms'], expected['mean'])))
        print('Inside xprof, seconds: ' + ', '.join('%s %s' % (tool, shown(entry['s']))
                                                    for tool, entry in log['tools'].items()), end='')
    print('.\n')


def measure_small(args):
    print('### A small report, from start to end: %s\n' % os.path.relpath(args.small, os.path.join(HERE, '..', '..')))
    out = os.path.join(args.scratch, 'out')
    os.makedirs(out, exist_ok=True)
    rows = []
    for suffix in ('html', 'pdf', 'json'):
        done = [Run([args.tpreport, args.small, '-o', os.path.join(out, 'small.' + suffix)])
                for _ in range(3 * args.runs)]
        failed = ' (FAILED)' if any(run.failed for run in done) else ''
        rows.append([suffix.upper() + failed] + [shown(value) for value in medians(done)])
    table(['median of %d' % (3 * args.runs), 'wall s', 'CPU s', 'peak MB', 'anonymous MB'], rows)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tpreport', required=True, help='the program')
    parser.add_argument('--scratch', required=True, help='where big-*/ and big-*.json are, and results may be written')
    parser.add_argument('--peer', help='a Python that has xprof; left out when not given')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--timeline', action='store_true', help="xprof's timeline among the rest")
    parser.add_argument('--small', help='the input of a small report')
    return parser.parse_args()


def main():
    args = parse()
    print_machine(args)
    for answers in sorted(glob.glob(os.path.join(args.scratch, 'big-*.json'))):
        measure_big(args, answers[:-len('.json')])
        sys.stdout.flush()
    if args.small:
        measure_small(args)


if __name__ == '__main__':
    main()
