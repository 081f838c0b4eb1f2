"""Folders of PyTorch traces under names that obey the profiler plugin's convention, and what the plugin said of them."""

import contextlib
import gzip
import json
import os
import tempfile
from pathlib import Path

from truth import test_data


@contextlib.contextmanager
def logdir(name):
    """A folder with links to the traces of a log directory of the test data, by its map of names."""
    root = test_data("pytorch")
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for line in (root / "logdirs" / "MAP.tsv").read_text(encoding="utf-8").splitlines():
            link, _, stored = line.partition("\t")
            if not link.startswith("logdirs/%s/" % name):
                continue
            path = Path(folder, name, link[len("logdirs/%s/" % name):])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(root / stored)
            found += 1
        if found == 0:
            raise SystemExit("no log directory %s among the test data" % name)
        yield Path(folder, name)


def answer(tool, run, route):
    """What the plugin (tool: pypi, git) answered for a run ("kineto_unit/x/All@default"); None: nothing."""
    path = test_data("pytorch", "truth", tool, run, route + ".json.gz")
    with gzip.open(path) as f:
        return json.load(f)


def events_of(path):
    """Events of a trace file with a duration."""
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rb") as f:
        trace = json.loads(f.read(), strict=False)
    return [e for e in (trace if isinstance(trace, list) else trace["traceEvents"]) if e.get("ph") == "X"]


def traces_in(folder):
    """{worker: path} of a folder with one span of each worker."""
    return {name.split(".")[0]: os.path.join(folder, name) for name in sorted(os.listdir(folder))}
