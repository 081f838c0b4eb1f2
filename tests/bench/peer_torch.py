#!/usr/bin/env python3
"""Runs the peer, torch-tb-profiler, over one trace, in this process: its parse, its analysis and all its views, as its own
loader does for each file in a process of its own.

    peer_torch.py TRACE

Prints one JSON object: seconds of both parts and the step time it found.
"""

import json
import logging
import os
import re
import sys
import tempfile
import time


def main():
    path = sys.argv[1]
    start = time.perf_counter()
    import torch_tb_profiler
    from torch_tb_profiler import consts
    from torch_tb_profiler.profiler.data import DistributedRunProfileData, RunProfileData
    from torch_tb_profiler.profiler.run_generator import RunGenerator
    logging.disable(logging.INFO)
    log = {"version": torch_tb_profiler.__version__, "import_s": round(time.perf_counter() - start, 4)}
    worker = re.match(consts.WORKER_PATTERN, os.path.basename(path)).group(1)
    with tempfile.TemporaryDirectory() as cache:
        start = time.perf_counter()
        data = RunProfileData.parse(worker, 1, path, cache)
        log["parse_s"] = round(time.perf_counter() - start, 4)
        start = time.perf_counter()
        profile = RunGenerator(worker, 1, data).generate_run_profile()
        DistributedRunProfileData(data)
        log["views_s"] = round(time.perf_counter() - start, 4)
    log["views"] = [view.name for view in profile.views]
    log["step_ms"] = profile.overview["performance"][0]["value"] / 1000
    json.dump(log, sys.stdout)
    print()


if __name__ == "__main__":
    main()
