#!/usr/bin/env python3
"""A/A: how often runs of one program are told apart, which they should not be.

  aa.py capture DIR    runs each program again and again, in turn undisturbed and disturbed; reports and aa_runs.csv go to DIR
  aa.py rates          the table of src/manual/speed.md, from the step medians kept in aa_runs.csv beside this file, or --figures FILE

A further run is drawn at random, and its baselines from the other runs; it is an alarm when it is outside of where they expect it. Then its
steps are lengthened by the smallest change that these baselines promise to show, and it is found when it is above.

Needs: capture: a python3 with jax, one with tensorflow-cpu, one with torch (--python PROGRAM=PATH), and to be root; rates: bench_noise,
which is built with the tests.
"""
import argparse
import csv
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PROGRAMS = ["jax", "tensorflow", "pytorch"]
MACHINES = {"undisturbed": ["--first"], "disturbed": ["--busy", "2"]}
COLUMNS = ["round", "program", "machine", "steps", "median_ms"]
BASELINES = [3, 5, 10]
DRAWS = 4000
LEVEL = 0.99


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tpreport", default=os.environ.get("TPREPORT", "tpreport"))
    p.add_argument("--noise", default=os.environ.get("TPREPORT_BENCH_NOISE", "bench_noise"), help="the program bench_noise")
    sub = p.add_subparsers(dest="what", required=True)
    c = sub.add_parser("capture")
    c.add_argument("dir", type=Path)
    c.add_argument("--rounds", type=int, default=20, help="runs of each program on each machine (default: %(default)s)")
    c.add_argument("--minutes", type=float, default=1e9, help="begin no further round after so many")
    c.add_argument("--python", action="append", default=[], metavar="PROGRAM=PATH", help="python3 that has the framework")
    r = sub.add_parser("rates")
    r.add_argument("--figures", type=Path, default=HERE / "aa_runs.csv")
    r.add_argument("--without", type=int, default=0, metavar="N", help="leave out the N runs that are furthest off, in spreads of their row")
    r.add_argument("--before", action="store_true", help="judge each run by the runs right before it, as a job on every commit does")
    return p.parse_args()


def capture_one(args, pythons, program, machine, number):
    log = args.dir / "log"
    shutil.rmtree(log, ignore_errors=True)
    subprocess.run(["nice", "-n", "5", pythons.get(program, sys.executable), HERE / "aa_program.py", program, log, *MACHINES[machine]],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    report = args.dir / f"{program}-{machine}-{number:03}.json"
    subprocess.run([args.tpreport, "-q", log, "-o", report], check=True)
    metrics = json.loads(report.read_text(encoding="utf-8"))["metrics"]
    return [number, program, machine, metrics["step.count"]["value"], f'{metrics["step.time.p50_ms"]["value"]:.7g}']


def capture(args):
    """Round by round, so that a slow hour is in the figures of all."""
    pythons = dict(item.split("=", 1) for item in args.python)
    args.dir.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * args.minutes
    with open(args.dir / "aa_runs.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for number in range(args.rounds):
            if time.monotonic() > end:
                break
            for program in PROGRAMS:
                for machine in MACHINES:
                    out.writerow(capture_one(args, pythons, program, machine, number))
                    file.flush()


def read_medians(path):
    """{(program, machine): step medians in the order of the runs}"""
    medians = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            medians.setdefault((row["program"], row["machine"]), []).append(float(row["median_ms"]))
    return medians


def leave_out(medians_of, count):
    """The runs that are furthest from the mean of the logarithms, in standard deviations."""
    def distance(place):
        row, i = place
        logs = [math.log(m) for m in medians_of[row]]
        return abs(logs[i] - statistics.fmean(logs)) / statistics.stdev(logs)
    places = sorted(((row, i) for row, medians in medians_of.items() for i in range(len(medians))), key=distance, reverse=True)[:count]
    return {row: [m for i, m in enumerate(medians) if (row, i) not in places] for row, medians in medians_of.items()}


def drawn(generator, count, wanted):
    """So many different numbers below count."""
    numbers = list(range(count))
    for i in range(wanted):
        j = i + int(generator.random() * (count - i))
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return numbers[:wanted]


def expected(args, medians, picks):
    """(low, high, smallest) by the program's own code, for each pick."""
    lines = "".join(" ".join(repr(medians[i]) for i in pick[:-1]) + "\n" for pick in picks)
    done = subprocess.run([args.noise, str(LEVEL)], input=lines, capture_output=True, text=True, check=True)
    return [tuple(map(float, line.split())) for line in done.stdout.splitlines()]


def error_over_runs(outcomes, picks, count):
    """The standard error of a rate over pairs that share their runs: the jackknife that leaves out one run after the other."""
    without = []
    for run in range(count):
        left = [outcome for outcome, pick in zip(outcomes, picks) if run not in pick]
        without.append(sum(left) / len(left))
    middle = statistics.fmean(without)
    return math.sqrt((count - 1) / count * sum((rate - middle) ** 2 for rate in without))


def rates_of(args, medians, picks):
    bounds = expected(args, medians, picks)
    further = [medians[pick[-1]] for pick in picks]
    alarms = [not low <= figure <= high for figure, (low, high, _) in zip(further, bounds)]
    found = [figure * (1 + smallest) > high for figure, (_, high, smallest) in zip(further, bounds)]
    return alarms, found, [smallest for _, _, smallest in bounds]


def percent(share):
    return f"{100 * share:,.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"


def picks_of(args, count, baselines):
    """Of numbers below count: the baselines, and last the further run."""
    if args.before:
        return [range(last - baselines, last + 1) for last in range(baselines, count)]
    generator = random.Random(f"{baselines} of {count}")
    return [drawn(generator, count, baselines + 1) for _ in range(DRAWS)]


def rates_with(args, medians, baselines):
    """(smallest change, rate of alarms, its error, rate of what is found)"""
    picks = picks_of(args, len(medians), baselines)
    alarms, found, smallest = rates_of(args, medians, picks)
    rate = statistics.fmean(alarms)
    error = math.sqrt(rate * (1 - rate) / len(picks)) if args.before else error_over_runs(alarms, picks, len(medians))
    return statistics.median(smallest), rate, error, statistics.fmean(found)


def print_row(name, runs, spread, rates):
    """rates: of each number of baselines"""
    smallest = ", ".join(percent(change) for change, *_ in rates if change is not None) or "–"
    alarms = ", ".join(f"{100 * alarm:.1f} ± {100 * error:.1f} %" for _, alarm, error, _ in rates)
    found = ", ".join(percent(share) for *_, share in rates)
    print(f"| {name} | {runs} | {spread} | {smallest} | {alarms} | {found} |")


def together(rates):
    """The mean over programs and machines; their errors are independent."""
    _, alarms, errors, found = zip(*rates)
    return None, statistics.fmean(alarms), math.hypot(*errors) / len(errors), statistics.fmean(found)


def rates(args):
    print("| program, machine | runs | spread | smallest change | false alarms | found |")
    print("|---|--:|--:|--:|--:|--:|")
    runs, rates = 0, []
    for (program, machine), medians in leave_out(read_medians(args.figures), args.without).items():
        spread = statistics.stdev(math.log(m) for m in medians)
        rates.append([rates_with(args, medians, baselines) for baselines in BASELINES])
        runs += len(medians)
        print_row(f"{program}, {machine}", len(medians), percent(spread), rates[-1])
    print_row("all", runs, "–", [together(of_baselines) for of_baselines in zip(*rates)])


def main():
    args = parse()
    {"capture": capture, "rates": rates}[args.what](args)


if __name__ == "__main__":
    main()
