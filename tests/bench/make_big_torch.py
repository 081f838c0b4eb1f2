#!/usr/bin/env python3
"""make_big_torch.py OUT [--events N] [--from TRACE]: a PyTorch trace as large as asked, out of the events of one, again and
again. OUT may end in .gz. Prints what it wrote as JSON.

Without --from it is one step of ResNet-18 on a CPU, captured by torch 2.15 with shapes, memory, stacks and FLOPs. The text
stays as it was written but for the times, which go on from copy to copy, the ids that tie events together, and the numbers
of steps; what is about the whole trace (names of threads, the profiler's own range) comes once.
"""

import argparse
import gzip
import json
import lzma
import os
import re

SEED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "resnet18_step.pt.trace.json.xz")
OPENERS = {".gz": gzip.open, ".xz": lzma.open}
TS = re.compile(rb'"ts": (\d+)')
IDS = re.compile(rb'("(?:correlation|External id|external id|Python id|Python parent id|Ev Idx|id)": )(\d+)')
STEP = re.compile(rb'(ProfilerStep#)(\d+)')


def split(text):
    """The text before the events, each event's text, and the text behind them."""
    begin = re.search(r'"traceEvents"\s*:\s*\[', text).end()
    decoder = json.JSONDecoder()
    events = []
    at = begin
    while True:
        start = re.compile(r"[\s,]*").match(text, at).end()
        if text[start] == "]":
            return text[:begin], events, text[start:]
        value, at = decoder.raw_decode(text, start)
        events.append((value, text[start:at]))


def is_about_all(event):
    return event["ph"] not in "Xsf" and event["name"] != "[memory]" or event.get("cat") == "Trace"


def raised(pattern, by, text):
    """The numbers that a pattern finds in its last group are larger by so much; 0 stays, it stands for none."""
    return pattern.sub(lambda m: m[0][:m.start(m.lastindex) - m.start()]
                       + b"%d" % (int(m[m.lastindex]) + by if int(m[m.lastindex]) else 0), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--events", type=int, default=1276000)
    parser.add_argument("--from", dest="seed", default=SEED, help="another trace; .gz and .xz are unpacked")
    args = parser.parse_args()
    with OPENERS.get(os.path.splitext(args.seed)[1], open)(args.seed, "rb") as file:
        before, events, behind = split(file.read().decode())
    once = [text for event, text in events if is_about_all(event)]
    repeated = ",\n  ".join(text for event, text in events if not is_about_all(event)).encode()
    spans = [(e["ts"], e["ts"] + e.get("dur", 0)) for e, _ in events if not is_about_all(e)]
    length_us = int(max(end for _, end in spans) - min(start for start, _ in spans)) + 100
    most = max(int(m[2]) for m in IDS.finditer(repeated)) + 1
    steps = len(set(STEP.findall(repeated)))
    count = sum(not is_about_all(event) for event, _ in events)
    copies = max(1, round(args.events / count))
    size = 0
    with (gzip.open if args.out.endswith(".gz") else open)(args.out, "wb") as out:
        size += out.write((before + "\n  " + ",\n  ".join(once)).encode())
        for copy in range(copies):
            part = raised(TS, copy * length_us, repeated)
            part = raised(IDS, copy * most, part)
            size += out.write(b",\n  " + raised(STEP, copy * steps, part))
        size += out.write(("\n  " + behind).encode())
    print(json.dumps({"kind": "torch", "size_bytes": size, "events": copies * count + len(once), "copies": copies,
                      "steps": copies * steps}))


if __name__ == "__main__":
    main()
