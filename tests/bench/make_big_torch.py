#!/usr/bin/env python3
"""make_big_torch.py TRACE OUT [--mb N]: a PyTorch trace as large as asked, out of the events of one, again and again.

The text stays as it was written but for the times, which go on from copy to copy, and the ids that tie events together."""

import argparse
import gzip
import re

TS = re.compile(rb'"ts": (\d+)')
IDS = re.compile(rb'("(?:correlation|External id|external id|Python id|Python parent id|id)": )(\d+)')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trace")
    parser.add_argument("out")
    parser.add_argument("--mb", type=int, default=478)
    args = parser.parse_args()
    with (gzip.open if args.trace.endswith(".gz") else open)(args.trace, "rb") as file:
        text = file.read()
    start = re.search(rb'"traceEvents"\s*:\s*\[', text).end()
    end = text.rindex(b"]")
    events = text[start:end]
    times = [int(m[1]) for m in TS.finditer(events) if int(m[1]) != 0]
    length = max(times) - min(times) + 10_000_000
    most = max(int(m[2]) for m in IDS.finditer(events)) + 1
    with open(args.out, "wb") as out:
        out.write(text[:start])
        copy = 0
        while copy == 0 or out.tell() + len(events) // 2 < args.mb * 1_000_000:
            part = TS.sub(lambda m, by=copy * length: b'"ts": %d' % (int(m[1]) + by if int(m[1]) else 0), events)
            part = IDS.sub(lambda m, by=copy * most: m[1] + b"%d" % (int(m[2]) + by), part)
            out.write((b"," if copy else b"") + part)
            copy += 1
        out.write(text[end:])
    print("%s: %d copies of %d events" % (args.out, copy, events.count(b'"ph"')))


if __name__ == "__main__":
    main()
