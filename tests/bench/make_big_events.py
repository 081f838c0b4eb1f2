#!/usr/bin/env python3
"""Writes a large event file: 30 scalars a step, and a histogram tensor of 9.6 kB in most steps.

    make_big_events.py OUT.tfevents [STEPS]

20,000 steps give 616,501 records, about 192 MB. Prints what it wrote as JSON.
"""
import json
import math
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

import tfrecord  # noqa: E402
from xspace_writer import field  # noqa: E402

START = 1551710000.0
HISTOGRAMS_SHARE = 0.825


def main():
    out, steps = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    content = struct.pack("<1200d", *(math.sin(i) for i in range(1200)))
    inside = field(1, 2) + field(4, content)
    # One record for all histograms: Python's checksum takes milliseconds each.
    histogram = tfrecord.record(b"\t" + struct.pack("<d", START) + field(2, 1) + field(5, field(
        1, field(1, "weights/histogram") + field(8, inside) + field(9, field(1, field(1, "histograms"))))))
    records = 1
    with open(out, "wb") as file:
        file.write(tfrecord.version(START))
        for step in range(steps):
            for i in range(30):
                file.write(tfrecord.event(START + step + i * 1e-3, step, tfrecord.simple(
                    **{"train/metric_%02d" % i: math.sin(step / 1000 + i)})))
            records += 30
            if step < steps * HISTOGRAMS_SHARE:
                file.write(histogram)
                records += 1
    print(json.dumps({"kind": "events", "records": records, "size_bytes": os.path.getsize(out), "steps": steps}))


if __name__ == "__main__":
    main()
