"""Calls of the program as a user makes them, and what must come of one."""

import gzip
import os
import random
import subprocess

import tiny_xspace as t
from cases import must
from xspace_writer import field

PROGRAM = os.environ["TPREPORT"]
# What each output begins with; text begins with the name of the run.
FORMATS = {"html": b"<!doctype html>", "pdf": b"%PDF-", "json": b"{", "outline": b"title: ", "text": b"cnn \xc2\xb7 run ", "markdown": b"# "}
OK, USAGE, NOTHING, DAMAGED, CANNOT_WRITE, NOT_JUDGED = 0, 2, 3, 4, 5, 6


def run(*words, folder=None, shell=None, data=b"", **environment):
    """One call; shell: redirections."""
    command = ["sh", "-c", f'exec "$@" {shell}', "sh", PROGRAM, *words] if shell else [PROGRAM, *words]
    return subprocess.run(command, cwd=folder, input=data, capture_output=True, timeout=60,
                          env={**os.environ, **environment}, check=False)


def expect(status, *words, says=(), out=None, **how):
    """Runs and compares exit status, what stderr says, and that a message is one line from tpreport."""
    done = run(*words, **how)
    told = done.stderr.decode()
    must(done.returncode == status, words, how, "exit status", done.returncode, "instead of", status, ":", told)
    for piece in [says] if isinstance(says, str) else says:
        must(piece in told, words, "does not say", repr(piece), "but:", told)
    if status != OK:
        must(told.startswith("tpreport: "), words, "says", repr(told))
    if out is not None:
        must(out in done.stdout, words, "prints", done.stdout[:200])
    return done


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)
    return path


def read(path):
    with open(path, "rb") as data:
        return data.read()


def logdir(folder, runs=("2026_11_21_02_41_41",), hosts=("vm",), steps=3):
    for r, name in enumerate(runs):
        for h, host in enumerate(hosts):
            data = t.space(t.environment(), t.metadata(), t.host(steps + r), t.tpu(h, steps + r))
            write(os.path.join(folder, "cnn/plugins/profile", name, host + ".xplane.pb"), data)
    return os.path.join(folder, "cnn")


def padded(folder, size):
    """Makes each profile that large by bytes that no reader looks at, in gzip without compression: its checksum is over each of them."""
    for path, _, names in os.walk(folder):
        for name in names:
            file = os.path.join(path, name)
            data = read(file) + field(1000, random.Random(name).randbytes(size))
            os.remove(file)
            write(file + ".gz", gzip.compress(data, 0, mtime=0))
    return folder


def long_names(folder):
    """A trace whose export is 17 MB: of three parts."""
    events = b",".join(b'{"ph": "X", "name": "%0400x", "pid": 1, "tid": 1, "ts": %d, "dur": 5}' % (i, 10 * i) for i in range(38000))
    return write(os.path.join(folder, "long.trace.json"), b'{"traceEvents": [' + events + b"]}")


def left(folder):
    return sorted(os.listdir(folder))
