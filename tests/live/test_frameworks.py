"""capture, monitor and watch on running JAX and TensorFlow: what is taken from outside says the same as what the program traces itself.
TPREPORT_JAX_PYTHON and TPREPORT_TENSORFLOW_PYTHON name the Python that has them; else this one is tried."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from cases import Fault, must
from command_line import OK, PROGRAM, expect, left, read
from sampled import not_tried

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMEWORKS = ("jax", "tensorflow")


def python_of(framework):
    python = os.environ.get(f"TPREPORT_{framework.upper()}_PYTHON", sys.executable)
    found = subprocess.run([python, "-c", f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{framework}') is None)"], check=False)
    return python if found.returncode == 0 else None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


@contextlib.contextmanager
def program(framework, python):
    """Its address, and a function that has it trace itself."""
    port = free_port()
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
    environment.pop("PYTHONPATH", None)
    with subprocess.Popen([python, os.path.join(HERE, framework + "_program.py"), str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=environment, text=True) as child:
        def trace(folder):
            child.stdin.write(folder + "\n")
            child.stdin.flush()
            must(child.stdout.readline() == "traced\n", "the program does not trace itself")
        try:
            must(child.stdout.readline() == "ready\n", framework, "does not start")
            yield f"localhost:{port}", trace
        finally:
            child.kill()


def report(path, folder):
    out = os.path.join(folder, "r.json")
    expect(OK, path, "-o", out, "-q")
    return json.loads(read(out))


def figures(path):
    done = subprocess.run([PROGRAM, "get", path], capture_output=True, text=True, check=True)
    return dict(line.split("\t")[:2] for line in done.stdout.splitlines())


def operations(block, found):
    """Rows of the tables of operations and of stages of tf.data."""
    if isinstance(block, dict):
        if str(block.get("id", "")).startswith(("operations/list/", "input-pipeline/stages/")) and "cells" in block:
            found.add(block["id"])
        for value in block.values():
            operations(value, found)
    elif isinstance(block, list):
        for value in block:
            operations(value, found)
    return found


def same_as_in_process(address, trace, folder):
    inside, outside = os.path.join(folder, "inside"), os.path.join(folder, "outside")
    trace(inside)
    expect(OK, "capture", address, "--duration", "1500ms", "-o", outside)
    a, b = figures(inside), figures(outside)
    # In the process Python adds the version: "JAX 0.10.2".
    for which in ("run.hosts", "run.device_type", "run.framework", "run.step_source", "run.devices", "run.cores"):
        must(a[which].split()[0] == b[which].split()[0], which, "inside:", a[which], "outside:", b[which])
    must(int(a["step.count"]) >= 20 and int(b["step.count"]) >= 20, "steps:", a["step.count"], b["step.count"])
    # The machine is not alone: of the same order is what can be held.
    ratio = float(a["step.time.p50_ms"]) / float(b["step.time.p50_ms"])
    must(.1 < ratio < 10, "step time inside:", a["step.time.p50_ms"], "outside:", b["step.time.p50_ms"])
    ours, theirs = operations(report(inside, folder), set()), operations(report(outside, folder), set())
    must(len(ours & theirs) >= .8 * len(ours) and ours, "operations inside alone:", ours - theirs, "outside alone:", theirs - ours)


def lines(address, folder):
    done = expect(OK, "monitor", address, "--level", "2", "--queries", "2", "--duration", "500ms", says="does not compute these figures itself", TMPDIR=folder)
    must(done.stdout.decode().count("Step time: ") == 2 and done.stdout.decode().count("Device type: CPU\n") == 2, done.stdout)


def watched(address, folder):
    """A report appears when a capture has landed."""
    log, out = os.path.join(folder, "log"), os.path.join(folder, "watched.html")
    os.makedirs(log)
    with subprocess.Popen([PROGRAM, "watch", log, "-o", out, "--once", "-q", "--settle", "300ms"]) as child:
        time.sleep(1)
        must(not os.path.exists(out), "a report of nothing")
        expect(OK, "capture", address, "--duration", "500ms", "-o", log)
        must(child.wait(60) == OK and read(out).startswith(b"<!doctype html>"), child.returncode)


def interrupted(address, folder):
    with subprocess.Popen([PROGRAM, "capture", address, "--duration", "30s", "-q", "-o", "log"], cwd=folder) as child:
        end = time.time() + 20
        while not os.path.isdir(os.path.join(folder, "log/plugins/profile")) and time.time() < end:
            time.sleep(.02)
        time.sleep(.5)
        child.send_signal(signal.SIGINT)
    must(child.returncode == -signal.SIGINT and left(folder) == [], child.returncode, left(folder))
    # The profiler serves the next one at once.
    expect(OK, "capture", address, "--duration", "300ms", "-o", os.path.join(folder, "log"))


def main():
    missing = []
    for framework in FRAMEWORKS:
        python = python_of(framework)
        if python is None:
            missing.append(framework)
            continue
        with program(framework, python) as (address, trace):
            for test in (lambda f: same_as_in_process(address, trace, f), lambda f: lines(address, f), lambda f: watched(address, f),
                         lambda f: interrupted(address, f)):
                with tempfile.TemporaryDirectory() as folder:
                    try:
                        test(folder)
                    except Fault as fault:
                        sys.exit(f"{framework}: {fault}")
        print(f"{framework}: captured, monitored, watched")
    if missing:
        not_tried(" and ".join(missing), "pip install jax tensorflow-cpu in a venv, and name its Python in "
                  + " and ".join(f"TPREPORT_{m.upper()}_PYTHON" for m in missing))
    sys.exit(77 if len(missing) == len(FRAMEWORKS) else 0)


main()
