"""Profiles that lack something: what needs it is missing with a reason, never 0, and the rest of the report stands."""

import json
import os
import subprocess
import sys
import tempfile

import graph_writer
import tfrecord
import tiny_xspace as t
from sampled import now_and_then
from tiny_xspace import MS
from told import with_texts

PROGRAM = os.environ["TPREPORT"]
LEAST_REASON = 7  # letters
wrong = []
with_pdf = now_and_then("profiles that lack something as PDF", 4)


def fail(case, what):
    wrong.append(case)
    print(f"{case}: {what}")


def report(case, data):
    """data: the profile, or files by name."""
    files = data if isinstance(data, dict) else {"vm.xplane.pb": data}
    with tempfile.TemporaryDirectory() as folder:
        run, tree = os.path.join(folder, "run"), os.path.join(folder, "r.json")
        os.mkdir(run)
        for name, content in files.items():
            with open(os.path.join(run, name), "wb") as out:
                out.write(content)
        done = subprocess.run([PROGRAM, run, "-q", "--top", "all", "-o", tree, "-o", os.path.join(folder, "r.html"),
                               *(["-o", os.path.join(folder, "r.pdf")] if with_pdf() else [])], capture_output=True, check=False)
        if done.returncode != 0:
            fail(case, f"exit status {done.returncode}: {done.stderr.decode()}")
            return None
        with open(tree, encoding="utf-8") as text:
            return with_texts(json.load(text))


def values(node, where):
    """(where, value) of everything that has a figure or lacks one."""
    if isinstance(node, list):
        for i, child in enumerate(node):
            yield from values(child, f"{where}[{i}]")
    elif isinstance(node, dict):
        if "value" in node and ("text" in node or "label" in node):
            yield where, node
        for key, child in node.items():
            yield from values(child, f"{where}.{key}")


def sound(case, doc):
    """What holds for every report."""
    for where, v in values(doc, ""):
        if v["value"] is None and len(v.get("missing", "")) < LEAST_REASON:
            fail(case, f"{where} is missing without a reason: {v}")
        if isinstance(v["value"], float) and v.get("unit") == "share" and not -1e-9 <= v["value"] <= 1.26:
            fail(case, f"{where} is a share of {v['value']}")
        if isinstance(v["value"], (int, float)) and v["value"] < 0 and v.get("unit") in ("ms", "us", "ps", "bytes", "count"):
            fail(case, f"{where} is {v['value']} {v['unit']}")
        if "cells.xprof" not in where and str(v.get("text", "")).lower().partition(" ")[0] in ("nan", "inf", "-nan", "-inf", "infinity"):
            fail(case, f"{where} reads {v['text']}")


def named(case, node):
    """No row of a table goes without a name."""
    if isinstance(node, list):
        for child in node:
            named(case, child)
    elif isinstance(node, dict):
        for row in node["rows"] if node.get("kind") == "table" else []:
            if not row["cells"][node["columns"][0]["key"]]["text"]:
                fail(case, f"row {row['id']} has no name")
        named(case, node.get("blocks"))


def core(ops, steps=(("0", 0, 10), ("1", 10, 20)), **stats):
    """A TPU core. ops: (name, start in ms, end in ms, stats of the operation)."""
    p = t.Plane("/device:TPU:0")
    for key, value in stats.items():
        p.stat(key, value)
    if steps:
        p.line("Steps", [p.event(name, a * MS, (b - a) * MS) for name, a, b in steps])
    if ops:
        p.line("XLA Ops", [p.event(p.op(name, name, more), int(a * MS), int((b - a) * MS)) for name, a, b, more in ops])
    return p


PEAKS = {"device_type_string": "TPU v9", "peak_teraflops_per_second": 100.0, "peak_hbm_bw_gigabytes_per_second": 1000.0}
COSTS = {"hlo_category": "convolution", "program_id": 1, "flops": 10**9, "bytes_accessed": 10**6}
OPS = [("conv", 0, 5, COSTS), ("conv", 10, 15, COSTS)]
STEPS = ("step.count", "step.time.mean_ms", "step.time.p50_ms", "step.class.compute_ms", "step.class.input_wait_share",
         "step.tpu.tc_compute_ms", "input.wait_share")
UTILISATION = ("flops.utilization_share", "flops.busy_utilization_share", "memory_bandwidth.utilization_share",
               "memory_bandwidth.busy_utilization_share")


def absent(case, data, missing, **known):
    doc = report(case, data)
    if doc is None:
        return
    sound(case, doc)
    named(case, doc["sections"])
    for name in missing:
        if doc["metrics"][name]["value"] is not None:
            fail(case, f"{name} is {doc['metrics'][name]['value']}, though it cannot be known")
    for name, value in known.items():
        got = doc["metrics"][name.replace("__", ".")]["value"]
        if got != value:
            fail(case, f"{name} is {got}, not {value}")


OF_PROFILES = {"findings", "performance", "steps", "input-pipeline", "environment"}


def job_alone(case, files, section, **known):
    """Files of the job and no profile: one sentence says so, and no section repeats that it lacks one."""
    absent(case, files, STEPS + UTILISATION, **known)
    got = {s["id"] for s in report(case, files)["sections"]}
    if got & OF_PROFILES or section not in got:
        fail(case, f"sections {sorted(got)}")
    got = {s["id"] for s in report(case, {**files, "vm.xplane.pb": t.space(core(OPS, **PEAKS))})["sections"]}
    if not got >= OF_PROFILES | {section}:
        fail(f"{case}, with a profile", f"sections {sorted(got)}")


def main():
    job_alone("a graph alone", {"graph.pb": graph_writer.graph([graph_writer.node("a", "MatMul"), graph_writer.node("b", "Nonsense", "a")])},
              "graph", graph__tpu__compatible_share=0.5)
    job_alone("event files alone", {"events.out.tfevents.1.vm": tfrecord.version(1e9) + b"".join(
        tfrecord.event(1e9 + i, i, tfrecord.simple(loss=1 / (i + 1))) for i in range(9))}, "whole-run", events__step_time_ms=1000)
    job_alone("marks of sessions alone", {"events.out.tfevents.1.vm.profile_logger": tfrecord.profile_logger(
        [(0, "train_begin"), (4, "train_end")])}, "whole-run", e2e__training_ms=4000)
    absent("sound", t.space(core(OPS, **PEAKS)), (), step__count=2, device__busy_ps=10 * MS,
           flops__busy_utilization_share=2 * 10**9 / 0.01 / 100e12)
    absent("no peaks", t.space(core(OPS, device_type_string="TPU v9")), UTILISATION + ("flops.peak_per_s",), step__count=2,
           device__busy_ps=10 * MS)
    absent("no type either", t.space(core(OPS)), UTILISATION + ("flops.peak_per_s",), step__count=2)
    absent("no steps", t.space(core(OPS, steps=(), **PEAKS)), STEPS, device__busy_ps=10 * MS, input__verdict="unknown",
           run__step_source="none")
    absent("no operations", t.space(core([], **PEAKS)), UTILISATION + ("op.top.name", "device.busy_ps", "device.busy_share"))
    absent("operations before all steps", t.space(core([("conv", -9, -5, COSTS)], **PEAKS)), ())
    absent("no costs", t.space(core([("conv", 0, 5, {"hlo_category": "convolution"})], **PEAKS)), UTILISATION, step__count=2)
    absent("no category", t.space(core([("conv", 0, 5, {"flops": 5, "bytes_accessed": 5}), ("x", 5, 9, {})], **PEAKS)), (),
           step__count=2, device__busy_ps=9 * MS)
    absent("no names", t.space(core([(name, i, i + 1, {"hlo_category": "", "tf_op": text, "source": ""})
                                     for i, (name, text) in enumerate([("x", ":"), ("y", ":Add"), ("", ""), ("z", "/"), ("w", "a:")])],
                                    [("", 0, 10), ("1", 10, 20)])), ())
    absent("events of no length", t.space(core([("conv", a, a, COSTS) for a in range(9)], **PEAKS)),
           ("flops.busy_utilization_share", "memory_bandwidth.busy_utilization_share", "op.top.self_share"), step__count=2)
    absent("steps and events of no length", t.space(core([("conv", a, a, COSTS) for a in range(9)],
                                                         [(str(a), a, a) for a in range(9)], **PEAKS)),
           STEPS + ("flops.busy_utilization_share",))
    absent("one event alone", t.space(core([("conv", 0, 5, COSTS)], (), **PEAKS)), STEPS, device__busy_ps=5 * MS)
    absent("one step alone", t.space(core(OPS[:1], (("0", 0, 10),), **PEAKS)), ("step.time.sd_ms",), step__count=1)
    absent("lengths below 0", t.space(core([("conv", 5, 1, COSTS), ("conv", 10, 15, COSTS)], (("0", 9, 2), ("1", 10, 20)),
                                           **PEAKS)), (), device__busy_ps=5 * MS)
    bare = t.gpu(0, 0, stats=False)
    absent("an empty GPU", t.space(bare), UTILISATION + STEPS)
    kernel = t.Plane("/device:GPU:0")
    absent("one kernel of no length", t.space(kernel.line("Stream #1(Compute)", [kernel.event("k", 0, 0)])),
           UTILISATION + STEPS + ("op.top.self_share",))
    nobody = t.Plane("/host:CPU")
    absent("one host event", t.space(nobody.line("main", [nobody.event("x", 0, 0)])), UTILISATION + STEPS)
    absent("no events at all", t.space(t.environment()), UTILISATION + STEPS)
    absent("a program and no operation of it", t.space(t.metadata(), t.environment()), UTILISATION + STEPS)
    print(f"{len(wrong)} faults")
    sys.exit(bool(wrong))


main()
