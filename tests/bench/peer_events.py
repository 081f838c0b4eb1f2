#!/usr/bin/env python3
"""Runs the peer, TensorBoard's loader, over one folder of event files, in this process, as TensorBoard's server does.

    peer_events.py FOLDER [--limits]

It keeps all that it reads; with --limits so many values of a tag as it does by itself (10,000 scalars, 10 tensors). Prints one JSON object: seconds, and of each tag how many points it read and the last.
"""

import json
import logging
import sys
import time


def main():
    logging.disable(logging.WARNING)
    start = time.perf_counter()
    from tensorboard import version
    from tensorboard.backend.event_processing import event_accumulator
    log = {"version": version.VERSION, "import_s": round(time.perf_counter() - start, 4)}
    limits = None if "--limits" in sys.argv else dict.fromkeys(event_accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    start = time.perf_counter()
    accumulator = event_accumulator.EventAccumulator(sys.argv[1], size_guidance=limits)
    accumulator.Reload()
    log["load_s"] = round(time.perf_counter() - start, 4)
    log["scalars"] = {}
    for tag in accumulator.Tags()["scalars"]:
        events = accumulator.Scalars(tag)
        log["scalars"][tag] = [len(events), events[-1].step, events[-1].value]
    json.dump(log, sys.stdout)
    print()


if __name__ == "__main__":
    main()
