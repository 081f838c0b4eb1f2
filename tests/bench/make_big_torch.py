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
NUMBERS = re.compile(r'"ts": (?P<ts>[\d.]+)(?:(?P<between>,\s*"dur": )(?P<dur>[\d.]+))?|ProfilerStep#(?P<step>\d+)'
                     r'|"(?:correlation|External id|external id|Python id|Python parent id|Ev Idx|id)": (?P<id>\d+)')


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


def ns(us):
    """Of the text of a time."""
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


class Copied:
    """The text of events with other numbers: 0 stays, it stands for no id."""

    def __init__(self, text):
        pieces, self.numbers, self.most, steps, at = [], [], 0, set(), 0
        for m in NUMBERS.finditer(text):
            kind = m.lastgroup
            pieces.append(text[at:m.start("ts" if m["ts"] else kind)].replace("%", "%%"))
            at = m.end()
            if m["ts"]:
                pieces.append("%d.%03d" + (m["between"] + "%d.%03d" if m["dur"] else ""))
                self.numbers.append((kind, ns(m["ts"]), ns(m["ts"]) + ns(m["dur"] or "0")))
                continue
            pieces.append("%d")
            self.numbers.append((kind, int(m[kind]), None))
            self.most = max(self.most, int(m[kind]) if kind == "id" else 0)
            steps |= {m[kind]} if kind == "step" else set()
        self.text, self.steps = "".join(pieces) + text[at:].replace("%", "%%"), len(steps)
        times = [(begin, end) for _, begin, end in self.numbers if end is not None]
        self.begin = min(begin for begin, _ in times)
        self.length = (max(end for _, end in times) - self.begin) // 1000 * 1000 + 100_000

    def copy(self, number, begin, stretch=1, step=None):
        """As the copy of that number, which begins then and takes so many times as long. step: its number among steps, if it is another."""
        ids, steps = number * (self.most + 1), (number if step is None else step) * self.steps
        values = []
        for kind, first, end in self.numbers:
            if kind == "id":
                values.append(first + ids if first else 0)
            elif kind == "step":
                values.append(first + steps)
            else:
                at = begin + int((first - self.begin) * stretch)
                values += divmod(at, 1000)
                if kind == "dur":
                    values += divmod(begin + int((end - self.begin) * stretch) - at, 1000)
        return (self.text % tuple(values)).encode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--events", type=int, default=1276000)
    parser.add_argument("--from", dest="seed", default=SEED, help="another trace; .gz and .xz are unpacked")
    args = parser.parse_args()
    with OPENERS.get(os.path.splitext(args.seed)[1], open)(args.seed, "rb") as file:
        before, events, behind = split(file.read().decode())
    once = [text for event, text in events if is_about_all(event)]
    repeated = [text for event, text in events if not is_about_all(event)]
    copied = Copied(",\n  ".join(repeated))
    copies = max(1, round(args.events / len(repeated)))
    size = 0
    with (gzip.open if args.out.endswith(".gz") else open)(args.out, "wb") as out:
        size += out.write((before + "\n  " + ",\n  ".join(once)).encode())
        for number in range(copies):
            size += out.write(b",\n  " + copied.copy(number, copied.begin + number * copied.length))
        size += out.write(("\n  " + behind).encode())
    print(json.dumps({"kind": "torch", "size_bytes": size, "events": copies * len(repeated) + len(once), "copies": copies,
                      "steps": copies * copied.steps}))


if __name__ == "__main__":
    main()
