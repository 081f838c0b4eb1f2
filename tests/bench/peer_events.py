#!/usr/bin/env python3
"""Runs the peer, a loader of TensorBoard written in Python, over one folder of event files, in this process.

    peer_events.py FOLDER [--server] [--limits]

Without --server the loader for programs (event_accumulator); with it that of TensorBoard's own server where its data server
is not used (plugin_event_accumulator), which turns every scalar into a tensor. They keep all that they read; with --limits so many values
of a tag as they do by themselves. Prints one JSON object: seconds, and of each scalar how many points it read and the last.
"""

import json
import logging
import sys
import time


def scalars(accumulator):
    """{tag: [points, last step, last value]}"""
    log = {}
    for tag in accumulator.Tags()["scalars"]:
        events = accumulator.Scalars(tag)
        log[tag] = [len(events), events[-1].step, events[-1].value]
    return log


def tensors(accumulator):
    log = {}
    for tag in accumulator.PluginTagToContent("scalars"):
        events = accumulator.Tensors(tag)
        log[tag] = [len(events), events[-1].step, events[-1].tensor_proto.float_val[0]]
    return log


def main():
    logging.disable(logging.WARNING)
    server = "--server" in sys.argv
    start = time.perf_counter()
    from tensorboard import version
    if server:
        from tensorboard.backend.event_processing import plugin_event_accumulator as loader
    else:
        from tensorboard.backend.event_processing import event_accumulator as loader
    log = {"version": version.VERSION, "import_s": round(time.perf_counter() - start, 4)}
    limits = None if "--limits" in sys.argv else dict.fromkeys(loader.DEFAULT_SIZE_GUIDANCE, 0)
    start = time.perf_counter()
    accumulator = loader.EventAccumulator(sys.argv[1], size_guidance=limits)
    accumulator.Reload()
    log["load_s"] = round(time.perf_counter() - start, 4)
    log["scalars"] = tensors(accumulator) if server else scalars(accumulator)
    json.dump(log, sys.stdout)
    print()


if __name__ == "__main__":
    main()
