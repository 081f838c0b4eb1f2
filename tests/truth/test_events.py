"""Event files: written by hand with answers worked out beforehand, damaged files, and what TensorFlow and TensorBoard see."""

import json
import math
import os
import re
import resource
import struct
import subprocess
import tempfile
from pathlib import Path

import tfrecord
import tiny_xspace
from tracked import Seen
from tfrecord import event, session, simple, tensor, version
from truth import TPREPORT, Check, Report
from xspace_writer import field

check = Check()
PARTS = ("before", "steps", "again", "restart", "eval", "save", "gap", "after")
START = 1551710000.0


def written(files):
    """{path: bytes} in a temporary log directory."""
    folder = tempfile.TemporaryDirectory()
    for name, data in files.items():
        path = Path(folder.name, "logs", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def report_on(files):
    with written(files) as folder:
        return Report(Path(folder, "logs"), "--top", "all")


def tags(report):
    """{tag: (points, steps, first, last)}"""
    return {row["tag"]: (row["points"], row["steps"], row["first"], row["last"]) for row in report.rows("whole-run/scalars")}


def parts(report):
    """Where the wall time went, in seconds, without what is 0; all parts sum to it."""
    found = {part: report.metric(f"events.{part}_s") for part in PARTS}
    check.near("parts sum to the wall time", sum(found.values()), report.metric("events.wall_s"))
    return {part: round(value, 6) for part, value in found.items() if value}


def points(*stretches, tag="loss", step_s=1.0):
    """Scalars of stretches (first step, last step, seconds after START of the first)."""
    return b"".join(event(START + at + (n - first) * step_s, n, simple(**{tag: n})) for first, last, at in stretches
                    for n in range(first, last + 1))


def shortest(number):
    """A float32 as it is written shortest: numpy's way, without numpy."""
    number = struct.unpack("<f", struct.pack("<f", number))[0]
    if not math.isfinite(number):
        return str(number)
    text = next(text for text in (f"{number:.{digits}g}" for digits in range(1, 10))
                if struct.unpack("<f", struct.pack("<f", float(text)))[0] == number)
    return f"{float(text):.9g}"


def both_forms():
    check.part("both forms")
    data = version(START) + b"".join(event(START + n, n, simple(loss=10 - n, **{"global_step/sec": 2})) for n in range(4))
    data += event(START + 4, 4, tensor("f", 1, b"=" + struct.pack("<f", 0.01)))
    data += event(START + 5, 5, tensor("f", 1, field(5, struct.pack("<f", 0.5)), plugin=""))  # the first metadata counts
    data += event(START + 5, 5, tensor("d", 2, field(6, 0.125)))
    data += event(START + 5, 5, tensor("i", 9, field(10, -7)))
    data += event(START + 5, 5, tensor("half", 19, field(13, 0xC500)))
    data += event(START + 5, 5, tensor("bf16", 14, b"=" + b"\x80\x3f"))
    data += event(START + 5, 5, tensor("two", 1, b"=" + struct.pack("<ff", 1, 2)))
    data += event(START + 5, 5, tensor("words", 7, field(8, "hello"), plugin="text"))
    report = report_on({"events.out.tfevents.1.host": data})
    check.equal("tags", tags(report), {
        "loss": (4, "0 to 3", "10", "7"), "global_step/sec": (4, "0 to 3", "2", "2"), "f": (2, "4 to 5", "0.01", "0.5"),
        "d": (1, "5", "0.125", "0.125"), "i": (1, "5", "-7", "-7"), "half": (1, "5", "-5", "-5"), "bf16": (1, "5", "1", "1")})
    check.equal("records", report.metric("events.records"), 13)
    check.equal("points", report.metric("events.points"), 14)
    check.true("what is no scalar", "1 text, 1 other value" in str(report.doc["sections"]))
    check.equal("and which tags", [(row["tag"], row["what"], row["plugin"], row["values"]) for row in report.rows("whole-run/other-tags")],
                [("two", "other value", "scalars", 1), ("words", "text", "text", 1)])
    check.part("single precision")
    for value in (0.1, 1 / 3, 16777217.0, 3.4e38, 1e-45, 0.017271297):
        data = version(START) + event(START, 1, simple(loss=value)) + event(START + 1, 2, simple(loss=0))
        report = report_on({"events.out.tfevents.1.host": data})
        check.equal(str(value), float(tags(report)["loss"][2]), float(shortest(value)))
        check.equal(f"{value} in the chart", [c["y"][0] for c in report.blocks["whole-run/curves"]["curves"] if c["label"] == "loss"],
                    [float(shortest(value))])


def a_graph_alone():
    check.part("a graph, and nothing that has a tag")
    report = report_on({"events.out.tfevents.1.host": version(START) + event(START, 0, field(4, field(1, field(1, "x") + field(2, "NoOp"))))})
    check.equal("tables without a row", [name for name, block in report.blocks.items() if block["kind"] == "table" and not block["rows"]], [])
    check.true("the verdict is of the graph", "only a TensorFlow graph of 1 node" in str(report.doc["sections"]))
    check.true("told in a sentence", "Other than scalars: 1 graph." in str(report.doc["sections"]))


def small_numbers():
    check.part("small whole numbers and truth values")
    minus = 2**64 - 7
    data = version(START)
    for tag, dtype, content in (("u8", 4, b"=\xfe"), ("u8 listed", 4, field(7, 254)), ("i16", 5, b"=\xf9\xff"), ("i16 listed", 5, field(7, minus)),
                                ("i8", 6, b"=\xf9"), ("i8 listed", 6, field(7, minus)), ("bool", 10, b"=\x01"), ("bool listed", 10, field(11, 1)),
                                ("u16", 17, b"=\xfe\xff"), ("u32", 22, b"=\xfe\xff\xff\xff"), ("u32 listed", 22, field(16, b"\x07")),
                                ("i32", 3, b"=\xf9\xff\xff\xff"), ("i32 listed", 3, field(7, minus)), ("u64", 23, field(17, 7)),
                                ("complex", 8, b"=" + bytes(8)), ("resource", 20, b""), ("unknown", 1 << 40, b"=\x01")):
        data += event(START, 1, tensor(tag, dtype, content))
    report = report_on({"events.out.tfevents.1.host": data})
    check.equal("values", {tag: row[2] for tag, row in tags(report).items()}, {
        "u8": "254", "u8 listed": "254", "i16": "-7", "i16 listed": "-7", "i8": "-7", "i8 listed": "-7", "bool": "1", "bool listed": "1",
        "u16": "65534", "u32": "4294967294", "u32 listed": "7", "i32": "-7", "i32 listed": "-7", "u64": "7"})
    check.equal("no numbers", sorted(row["tag"] for row in report.rows("whole-run/other-tags")), ["complex", "resource", "unknown"])


def hyperparameters():
    check.part("hyperparameters")
    noted = (("lr", b"\x11" + struct.pack("<d", 0.1)), ("optimizer", field(3, "adam <b>")), ("nesterov", field(4, 1)), ("warm", field(4, 0)),
             ("seed", b"\x11" + struct.pack("<d", 1 << 40)), ("single", b"\x11" + struct.pack("<d", 0.10000000149011612)),
             ("odd", b"\x11" + struct.pack("<d", math.inf)), ("none", field(1, 0)))
    start = field(3, b"".join(field(1, field(1, name) + field(2, value)) for name, value in noted) + field(4, "group"))
    content = field(9, field(1, field(1, "hparams") + field(2, field(1, 0) + start)))
    other = field(9, field(1, field(1, "hparams") + field(2, field(3, field(1, field(1, "late") + field(2, field(4, 1)))))))

    def noted_as(inside):
        return field(5, field(1, field(1, "_hparams_/session_start_info") + inside))
    for form, null in (("PyTorch, without a value", b""), ("TensorFlow 2", field(8, field(1, 1) + field(4, struct.pack("<f", 0))))):
        data = version(START) + event(START, 0, noted_as(content + null)) + event(START + 1, 1, noted_as(other + null)) + points((0, 3, 0))
        report = report_on({"events.out.tfevents.1.host": data})
        check.equal(form, [(row["name"], row["value"]) for row in report.rows("whole-run/hparams")], [
            ("lr", "0.1"), ("optimizer", "adam <b>"), ("nesterov", "true"), ("warm", "false"), ("seed", "1099511627776"),
            ("single", "0.1"), ("odd", "inf")])
        check.equal("whose tag it is", [(row["tag"], row["plugin"], row["values"]) for row in report.rows("whole-run/other-tags")],
                    [("_hparams_/session_start_info", "hparams", 2)])


def double_precision():
    check.part("double precision and whole numbers")
    for dtype, content, want in ((2, b"=" + struct.pack("<d", 0.1), "0.1"), (2, field(6, 1 / 3), "0.3333333333333333"),
                                 (2, field(6, 1e300), "1e+300"), (2, field(6, float((1 << 60) + 256)), "1.1529215046068472e+18"),
                                 (9, field(10, 16777217), "16777217"), (9, field(10, 134217728), "134217728"), (9, field(10, 1 << 32), "4294967296"),
                                 (9, field(10, -12345678901), "-12345678901"),
                                 (23, b"=" + struct.pack("<Q", (1 << 53) - 1), "9007199254740991")):
        data = version(START) + event(START, 1, tensor("x", dtype, content)) + event(START + 1, 2, simple(x=0))
        report = report_on({"events.out.tfevents.1.host": data})
        check.equal(want, tags(report)["x"][2], want)
        check.equal(f"{want} in the chart", [c["y"][0] for c in report.blocks["whole-run/curves"]["curves"] if c["label"] == "x"],
                    [float(want)])


def odd_values():
    check.part("NaN, infinite, spikes")
    values = {0: math.nan, 1: 5.0, 2: math.inf, 3: -1.0, 4: -math.inf}
    data = version(START) + b"".join(event(START + n, n, simple(loss=v)) for n, v in values.items())
    row = report_on({"events.out.tfevents.1.host": data}).rows("whole-run/scalars")[0]
    check.equal("row", (row["points"], row["not_finite"], row["first"], row["last"], row["least"], row["most"]),
                (5, 3, "nan", "-inf", "-1 at 3", "5 at 1"))
    data = version(START) + b"".join(event(START + n, n, simple(loss=1e6 if n == 3333 else -7 if n == 6001 else 1)) for n in range(10000))
    report = report_on({"events.out.tfevents.1.host": data})
    for chart, zero in (("whole-run/curves", START), ("whole-run/curves-by-step", 0)):
        [curve] = [c for c in report.blocks[chart]["curves"] if c["label"] == "loss"]
        check.true("few points are drawn", len(curve["x"]) <= 400)
        drawn = dict(zip(curve["x"], curve["y"]))
        check.equal("no spike is lost", (drawn.get(zero + 3333), drawn.get(zero + 6001)), (1e6, -7))
        check.equal("of", curve["points"], 10000)
    check.part("what is no number is marked")
    data = version(START) + b"".join(event(START + n, n, simple(loss={40: math.nan, 41: math.inf, 42: -math.inf}.get(n, 1))) for n in range(100))
    data += b"".join(event(START + n, n, simple(broken=math.nan)) for n in range(2))
    chart = report_on({"events.out.tfevents.1.host": data}).blocks["whole-run/curves-by-step"]
    curves = {c["label"]: c for c in chart["curves"]}
    check.equal("where", [(odd["x"], odd["is"]) for odd in curves["loss"]["odd"]], [(40, "nan"), (41, "above"), (42, "below")])
    check.equal("a curve of nothing else", (curves["broken"]["x"], len(curves["broken"]["odd"])), ([], 2))
    check.true("and told", "broken is NaN or infinite at 2 of 2 points, first at step 0; 1 more scalar is at some step." in
               str(report_on({"events.out.tfevents.1.host": data}).doc["sections"]))


def an_unknown_share():
    check.part("a clock set back")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 50, 0), (51, 100, -200), (101, 200, 60))})
    check.true("the headline says so in words", "how much of the run was spent in steps is unknown" in str(report.doc["sections"][0]))


def several_runs():
    check.part("several runs")
    run = version(START) + points((0, 9, 0))
    report = report_on({"a/events.out.tfevents.1.host": run, "b/events.out.tfevents.1.host": run + points((10, 20, 10))})
    [whole] = [section for section in report.doc["sections"] if section["id"] == "whole-run"]
    check.true("which is told of", "A step of b takes 1.00\u202fs of wall time. 100.0\u202f% of 20.0\u202fs was spent in steps." in
               " ".join(str(whole[key]) for key in ("answer", "so_what")))


def restarts():
    check.part("restart")
    first = version(START) + event(START, 0, session(1)) + b"".join(event(START + n, n, simple(loss=n)) for n in range(1, 101))
    second = version(START + 500) + event(START + 500, 61, session(1))
    second += b"".join(event(START + 500 + n - 61, n, simple(loss=-n)) for n in range(61, 151))
    report = report_on({"train/events.out.tfevents.1.host": first, "train/events.out.tfevents.2.host": second})
    check.equal("points", tags(report), {"loss": (150, "1 to 150", "1", "-150")})
    run = report.rows("whole-run/runs")[0]
    check.equal("run", (run["run"], run["files"], run["purged"], run["starts"], run["gaps"], run["gap_s"]), ("train", 2, 40, 2, 1, 440))
    check.near("a step", report.metric("events.step_time_ms"), 1000)
    # From step 60 on nothing counts until the session begins at 500, with step 61; steps to 100 were done in vain.
    check.near("in steps", report.metric("events.goodput_share"), 148 / 589)
    check.equal("parts", parts(report), {"before": 1, "steps": 148, "again": 40, "restart": 400})
    [chart] = [b for name, b in report.blocks.items() if name == "whole-run/curves"]
    check.equal("drawn", [(m["label"], m["at"] - START) for m in chart["moments"]], [("restart", 500)])
    check.equal("lane", [(i["label"], i["from"] - START, i["to"] - START) for i in chart["lanes"][0]["intervals"]], [
        ("steps", 1, 60), ("steps repeated after a restart", 60, 100), ("restarts", 100, 500), ("steps", 500, 589)])
    check.part("a file that was only opened")
    report = report_on({"events.out.tfevents.1.host": version(START)})
    check.equal("wall time", (report.metric("events.wall_s"), report.missing("events.wall_s")),
                (None, "nothing with a time was written after opening a file"))
    check.true("and why", "not a number" not in str(report.doc["sections"]))
    check.part("a file opened by a clock that is ahead")
    report = report_on({"events.out.tfevents.1.host": event(START, 1, simple(loss=1)) + version(START + 1e8) + event(START + 2, 3, simple(loss=2))})
    check.equal("wall time", report.rows("whole-run/runs")[0]["wall_s"], 2)
    check.part("before version 2 a step that goes back is a restart")
    old = b"".join(event(START + n, step, simple(loss=step)) for n, step in enumerate((1, 2, 3, 4, 2, 3)))
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": old})), {"loss": (3, "1 to 3", "1", "3")})
    check.part("of an event that goes back all tags do, first")
    twice = field(5, b"".join(field(1, field(1, tag) + b"\x15" + struct.pack("<f", value)) for tag, value in (("loss", 7), ("loss", 8), ("lr", 9))))
    data = b"".join(event(START + n, n, simple(loss=n, lr=n)) for n in (1, 2, 3)) + event(START + 4, 2, twice)
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": data})), {"loss": (3, "1 to 2", "1", "8"), "lr": (2, "1 to 2", "1", "9")})
    check.part("steps before 0, and records without a value")
    negative = 2**64 - 1
    data = event(START, negative, simple(loss=1)) + event(START + 1, negative, simple(loss=2))
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": data})), {"loss": (2, "-1", "1", "2")})
    data = old + event(START + 6, 1, field(5, b"")) + event(START + 7, 2, simple(lr=1)) + event(START + 8, 3, simple(loss=5))
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": data})), {"loss": (3, "1 to 3", "1", "5"), "lr": (1, "2", "1", "1")})
    check.part("in version 2 it is not")
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": version(START) + old}))["loss"][0], 6)
    check.part("without a mark, as PyTorch and TensorFlow 2 write")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 100, 0)),
                        "events.out.tfevents.2.host": version(START + 130) + points((61, 150, 140))})
    check.equal("all points stay", tags(report)["loss"][0], 191)
    check.equal("parts", parts(report), {"steps": 60 + 89, "again": 40, "restart": 40})
    check.true("said so", "without a session mark" in str(report.doc["sections"]))
    check.part("the first mark of a session, written late")
    data = version(START) + points((1, 3, 0)) + event(START + 2.5, 2, session(1)) + points((4, 9, 3))
    report = report_on({"events.out.tfevents.1.host": data})
    check.equal("points", (tags(report)["loss"][0], report.rows("whole-run/runs")[0]["starts"], report.rows("whole-run/runs")[0]["purged"]), (9, 1, 0))
    check.equal("parts", parts(report), {"steps": 8})
    check.part("the first mark in a later file, as PyTorch writes it for purge_step")
    second = version(START + 130) + event(START + 130, 61, session(1)) + points((61, 150, 140))
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 100, 0)), "events.out.tfevents.2.host": second})
    check.equal("points", tags(report), {"loss": (151, "0 to 150", "0", "150")})
    check.equal("parts", parts(report), {"steps": 60 + 1 + 89, "again": 40, "restart": 39})
    check.part("points in another order are no restart")
    data = version(START) + b"".join(event(START + at, n, simple(loss=n)) for at, n in ((0, 0), (1, 1), (2, 3), (3, 2), (4, 4), (5, 5)))
    check.equal("restarts", report_on({"events.out.tfevents.1.host": data}).metric("events.restart_s"), 0)
    check.part("killed twice, the second time before any step")
    data = version(START) + event(START, 0, session(1)) + points((0, 50, 0))
    data += event(START + 60, 21, session(1)) + event(START + 70, 21, session(1)) + points((21, 40, 80))
    # The twentieth of a second from the mark at 70 to step 21 at 80 counts as one step of one second.
    check.equal("parts", parts(report_on({"events.out.tfevents.1.host": data})), {"steps": 20 + 1 + 19, "again": 30, "restart": 29})
    check.part("too many restarts to track")
    data = version(START) + b"".join(event(START, 1, simple(**{f"tag{k}/{n}": 1 for n in range(100)})) for k in range(20))
    data += b"".join(event(START + n, 5, session(1)) for n in range(2500)) + points((1, 10, 3000))
    report = report_on({"events.out.tfevents.1.host": data})
    check.true("told", "too many restarts to track" in report.stderr)
    check.equal("points stay", report.metric("events.points"), 2010)
    check.part("more marks than are kept")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 9, 0)) + event(START + 9, 9, session(3)) * 66000})
    check.true("told", "more than 65536 session marks" in report.stderr)
    check.true("how many", "65,500 more marks are left out" in str(report.doc["sections"]) or "65500" in str(report.doc["sections"]))
    check.part("as many marks as tags")
    data = version(START) + b"".join(event(START, 1, simple(**{f"tag{k}/{n}": 1 for n in range(1000)})) for k in range(30))
    data += event(START, 5, session(1)) * 300000
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    check.equal("points stay", report_on({"events.out.tfevents.1.host": data}).metric("events.points"), 30000)
    check.true("soon", resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 5)


def gaps():
    check.part("gaps and why")
    train = version(START) + points((0, 100, 0), (101, 200, 161), (201, 300, 301), (301, 400, 431), (401, 500, 541))
    train += event(START + 270, 200, field(7, field(1, 3) + field(2, "model.ckpt-200")))
    scores = version(START + 110) + event(START + 150, 100, tensor("accuracy", 1, b"=" + struct.pack("<f", 0.5)))
    phases = tfrecord.profile_logger([(0, "train_begin"), (405, "train_end"), (410, "eval_begin"), (425, "eval_end")], start=START)
    files = {"events.out.tfevents.1.host": train, "eval/events.out.tfevents.1.host": scores,
             "profile/events.out.tfevents.1.host.profile_logger": phases}
    report = report_on(files)
    # After steps 100, 200, 300, 400 a pause of 61, 41, 31, 11 s, of which one second is the step.
    check.equal("parts", parts(report), {"steps": 500, "eval": 60 + 30, "save": 40, "gap": 10})
    check.equal("list", [(row["after_step"], row["took_s"], row["cause"]) for row in report.rows("whole-run/gap-list")],
                [(100, 60, "evaluation"), (200, 40, "a checkpoint"), (300, 30, "evaluation"), (400, 10, None)])
    check.equal("the evaluation is not the run", [row["step_ms"] for row in report.rows("whole-run/runs")], [1000, None])
    check.near("in steps", report.metric("events.goodput_share"), 500 / 640)
    check.equal("sessions are over the curves", [lane["label"] for lane in report.blocks["whole-run/curves"]["lanes"]],
                ["training", "evaluation", "steps, gaps"])
    check.equal("and over their steps", [(lane["label"], [(i["from"], i["to"]) for i in lane["intervals"]])
                                         for lane in report.blocks["whole-run/curves-by-step"]["lanes"]],
                [("training", [(0, 300)]), ("evaluation", [(300, 300)]), ("gaps", [(n, n) for n in (100, 200, 300, 400)])])
    check.part("sessions before the first point, behind the last, and with steps that go back")
    marks = [(-9, "train_begin"), (-5, "train_end"), (20, "eval_begin"), (45, "eval_end"), (200, "predict_begin"), (210, "predict_end")]
    report = report_on({"events.out.tfevents.1.host": version(START) + points((5, 35, 0), (20, 60, 40)),
                        "profile/events.out.tfevents.1.host.profile_logger": tfrecord.profile_logger(marks, start=START)})
    check.equal("over steps", {lane["label"]: [(i["from"], i["to"]) for i in lane["intervals"]]
                               for lane in report.blocks["whole-run/curves-by-step"]["lanes"] if lane["label"] != "gaps"},
                {"training": [(5, 5)], "evaluation": [(25, 25)], "prediction": [(60, 60)]})
    check.part("a clock that was set back says nothing of sessions over steps")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((5, 35, 0), (36, 60, 10)),
                        "profile/events.out.tfevents.1.host.profile_logger": tfrecord.profile_logger(marks, start=START)})
    check.true("no lane", not report.blocks["whole-run/curves-by-step"].get("lanes"))
    check.part("an evaluation with more points than the training")
    scores += b"".join(event(START + 150, 100, simple(**{f"m{n}": n})) for n in range(2000))
    check.equal("parts", parts(report_on({**files, "eval/events.out.tfevents.1.host": scores}))["steps"], 500)
    check.part("another job's evaluation explains nothing")
    report = report_on({"a/events.out.tfevents.1.host": train, "b/eval/events.out.tfevents.1.host": scores})
    check.equal("parts", parts(report), {"steps": 500, "save": 40, "gap": 60 + 30 + 10})
    check.part("an evaluation alone is no training")
    report = report_on({"eval/events.out.tfevents.1.host": version(START) + points((100, 200, 0), (700, 800, 500))})
    check.equal("no step time", [report.metric(f"events.{m}") for m in ("step_time_ms", "goodput_share", "steps_s")], [None, None, None])
    check.true("why", "evaluation" in report.doc["metrics"]["events.step_time_ms"]["missing"])
    check.true("in the verdict", "they are of an evaluation" in str(report.doc["verdict"]))
    check.equal("its wall time is", report.metric("events.wall_s"), 600)


def clocks():
    check.part("clock set back within a run")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 50, 0), (51, 100, 20))})
    check.equal("in steps", report.metric("events.goodput_share"), None)
    check.equal("no part is said", report.metric("events.steps_s"), None)
    check.equal("nor gaps", [(row["gaps"], row["gap_s"]) for row in report.rows("whole-run/runs")], [(None, None)])
    check.true("in no list", "whole-run/gap-list" not in report.blocks)
    check.near("a step", report.metric("events.step_time_ms"), 1000)
    check.part("clock set back between two files of a run")
    report = report_on({"events.out.tfevents.1.host": version(START) + points((0, 50, 0)),
                        "events.out.tfevents.2.host": version(START - 1000) + event(START - 1000, 51, session(1)) + points((51, 100, -990))})
    check.equal("in steps", report.metric("events.goodput_share"), None)
    check.true("said so", "the clock goes back" in str(report.doc["sections"]))
    check.part("two programs at once in one folder")
    report = report_on({"events.out.tfevents.1.a": version(START) + points((0, 100, 0)),
                        "events.out.tfevents.1.b": version(START) + points((0, 100, 0.25))})
    check.equal("all points", report.metric("events.points"), 202)
    check.equal("time counts once", parts(report), {"steps": 100.25})
    check.true("said so", "several programs wrote" in str(report.doc["sections"]))
    check.part("the same, both pause")
    both = [version(START) + points((0, 50, at), (51, 100, 81 + at)) for at in (0, 0.25)]
    report = report_on({"events.out.tfevents.1.a": both[0], "events.out.tfevents.1.b": both[1]})
    check.equal("parts", parts(report), {"steps": 100.5 - 0.25 + 0.25, "gap": 29.75})
    check.part("times that no clock has")
    odd = version(START) + b"".join(event(at, n, simple(loss=n)) for n, at in enumerate((START, 1e300, START + 1, math.nan, START + 2, -1e300, START + 3)))
    chart = report_on({"events.out.tfevents.1.host": odd}).blocks["whole-run/curves"]
    check.equal("axis", (chart["low"] - START, chart["high"] - START), (0, 3))
    check.part("steps and times at the ends of what can be written")
    ends = [(5e-324, -2**63), (START, 2**63 - 1), (-8e9, 0), (8.9e9, 1), (START, -1), (1e308, 2**63 - 1), (-1e308, -2**63)]
    for order in (ends, ends[::-1]):
        data = version(START) + b"".join(event(at, n & 2**64 - 1, simple(loss=n)) for at, n in order)
        report = report_on({"events.out.tfevents.1.host": data,
                            "profile/events.out.tfevents.1.host.profile_logger": tfrecord.profile_logger(
                                [(at, f"train_{what}") for at, _ in order for what in ("begin", "end")], start=0)})
        check.equal("points", report.metric("events.points"), 7)
        check.equal("axis", [report.blocks["whole-run/curves-by-step"][end] for end in ("low", "high")], [-2**63, 2**63])


def many_curves():
    check.part("more curves than the first charts hold")
    data = version(START)
    for n in range(3):
        data += event(START + n, n, simple(**{"loss": n}))
        data += b"".join(event(START + n, n, simple(**{f"layer{k // 20:02}/w{k % 20:02}": n for k in range(at, at + 50)})) for at in range(0, 800, 50))
    report = report_on({"events.out.tfevents.1.host": data})
    first = [c["label"] for name, b in report.blocks.items() if name.startswith("whole-run/curves") and "by-step" not in name for c in b["curves"]]
    check.equal("first charts", (len(first), first[1]), (12, "loss"))
    groups = {name: b for name, b in report.blocks.items() if name.startswith("whole-run/group-") and "/curves" in name}
    drawn = [c["label"] for name, b in groups.items() if "by-step" not in name for c in b["curves"]]
    by_step = [c["label"] for name, b in groups.items() if "by-step" in name for c in b["curves"]]
    check.equal("drawn by the beginning of their tags, each once on each axis", (len(drawn), len(set(drawn)), by_step), (60, 60, drawn))
    text = str(report.doc["sections"])
    check.true("said how many are not", "790 scalars" in text and "730" in text)


def folders():
    check.part("folders")
    one = version(START) + event(START, 1, simple(loss=1)) + event(START + 2, 3, simple(loss=2))
    other = version(START) + event(START, 1, simple(loss=3))
    files = {"train/events.out.tfevents.1.host": one, "validation/events.out.tfevents.1.host": other, "events.out.tfevents.1.host": other + one}
    report = report_on(files)
    check.equal("runs", [row["run"] for row in report.rows("whole-run/runs")], [".", "train", "validation"])
    check.equal("one report", report.doc["run"]["name"] if isinstance(report.doc.get("run"), dict) else "logs", "logs")
    check.part("beside a profile logger")
    report = report_on({"profile/events.out.tfevents.1.host.profile_logger": tfrecord.profile_logger([(0, "train_begin"), (5, "train_end")]),
                        "events.out.tfevents.1.host": one})
    check.equal("phases", report.metric("e2e.training_ms"), 5000)
    check.equal("its marks are no scalars", list(tags(report)), ["loss"])


def beside_a_profile():
    check.part("beside a profile")
    at = 1_700_000_000.0  # the profile lasts from here for a second
    points = version(at - 20) + b"".join(event(at - 10.25 + n, n, simple(loss=n)) for n in range(30))
    report = report_on({"train/events.out.tfevents.1.vm": points, "validation/events.out.tfevents.1.vm": version(at),
                        "plugins/profile/2023_11_14_22_13_20/vm.xplane.pb": tiny_xspace.every_plane()})
    check.equal("runs", [row["run"] for row in report.rows("whole-run/runs")], ["train", "validation"])
    chart = report.blocks["whole-run/curves-by-step"]
    check.equal("window", (chart["window_from"], chart["window_to"]), (10, 12))
    chart = report.blocks["whole-run/curves"]
    check.equal("window in time", (chart["window_from"] - at, chart["window_to"] - at), (0, 1))
    check.near("in steps", report.metric("events.goodput_share"), 29 / 38.75)


def damaged():
    check.part("damage")
    records = [version(START)] + [event(START + n, n, simple(loss=n)) for n in range(1, 11)]
    good = b"".join(records)
    at = len(b"".join(records[:4]))
    spoilt = good[:at + 14] + bytes([good[at + 14] ^ 1]) + good[at + 15:]
    report = report_on({"events.out.tfevents.1.host": spoilt})
    check.equal("what is behind is read", tags(report)["loss"][0], 9)
    check.equal("counted", report.metric("events.damaged"), 1)
    check.true("with its offset", str(at) in report.stderr)
    report = report_on({"events.out.tfevents.1.host": good[:-3]})
    check.equal("cut", tags(report)["loss"][0], 9)
    with written({"events.out.tfevents.1.host": bytes(range(256)) * 20}) as folder:
        done = subprocess.run([TPREPORT, folder, "-o", Path(folder, "r.json")], capture_output=True, text=True, check=False)
        check.equal("no record at all", done.returncode, 4)


def counted(report, what):
    """How many of what is no scalar the report names: "1 graph, 2 texts"."""
    title = next((child["title"] for child in sections(report.doc) if child["id"] == "whole-run/others"), "")
    words = re.findall(rf"(\d+) {what}s?\b", title)
    return int(words[0]) if words else 0


def sections(node):
    for child in node.get("sections", []) + node.get("blocks", []):
        if child["kind"] == "section":
            yield child
            yield from sections(child)


def one_file(root, name, want):
    records = want["tf_summary_iterator_records"]
    if records == 0:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([TPREPORT, root / name, "-o", Path(folder, "r.json")], capture_output=True, text=True, check=False)
            check.equal("nothing to report", done.returncode, 4)
        check.equal("nor do others", (want["tb_records"], want["size"]), (0, (root / name).stat().st_size))
        check.equal("an empty file is no error to TensorFlow", want["size"] != 0, "at 0" in want.get("tf_error", ""))
        return
    report = Report(root / name)
    [file] = report.rows("method/files")
    check.near("size", file["size_mib"] * 2**20, want["size"])
    got, damaged = report.metric("events.records"), report.metric("events.damaged")
    # TensorBoard's loader splits the event that holds the graph; these files differ from the whole one behind it.
    check.equal("as TensorBoard counts", want["tb_records"], records + counted(report, "graph"))
    if "tf_error" not in want:
        check.equal("records", (got, damaged), (records, 0))
        return
    # TensorFlow stops at the first bad record; here those behind it are read too.
    offset = int(re.search(r"record at (\d+)", want["tf_error"])[1])
    check.equal("records", got, records if "truncated" in want["tf_error"] else 105)
    check.equal("damaged", damaged, 1)
    # Its offset of a bad payload is behind the header.
    check.true("with its offset", str(offset) in report.stderr or str(offset - 12) in report.stderr)


def one_folder(root, folder, want):
    report = Report(root / folder, "--top", "all")
    scalars = {row["tag"]: row for row in report.rows("whole-run/scalars")}
    others = {row["tag"]: row for row in report.rows("whole-run/other-tags")} if "whole-run/other-tags" in report.blocks else {}
    # TensorBoard's accumulator counts scalars of TensorFlow 2 among tensors.
    check.equal("tags", sorted([*scalars, *(tag for tag, row in others.items() if row["plugin"])]),
                sorted([*want["tags"]["scalars"], *want["tags"]["tensors"]]))
    for kind, word in (("images", "image"), ("audio", "sound"), ("histograms", "histogram"), ("distributions", "histogram"),
                       ("run_metadata", "run metadata")):
        check.equal(kind, list(want["tags"][kind]), [tag for tag, row in others.items() if row["what"] == word and not row["plugin"]])
    check.equal("graph", want["tags"]["graph"], counted(report, "graph") != 0)
    check.equal("meta graph", want["tags"]["meta_graph"], counted(report, "meta graph") != 0)
    for key, one in want["scalars"].items():
        tag = key.removeprefix("tensor:")
        if key != tag and one["plugin"] != "scalars":
            row = others[tag]
            check.equal(f"{tag} is no scalar", (row["plugin"], row["values"], row["last_step"]), (one["plugin"], one["n"], one["last_step"]))
            check.true(f"{tag} has no single value", one["last"] is None and one["last_dtype"] > 0)
            continue
        row = scalars[tag]
        step, value = (one["last_step"], one["last"]) if key != tag else (one["last"][0], one["last"][1])
        check.equal(f"{tag} points", row["points"], one["n"])
        check.equal(f"{tag} last", (row["last"], row["steps"].split(" to ")[-1]), (shortest(value), str(step)))
        if key != tag:
            check.equal(f"{tag} is single precision", one["last_dtype"], 1)
            continue
        check.equal(f"{tag} first", (row["first"], row["steps"].split(" to ")[0]), (shortest(one["first"][1]), str(one["first"][0])))
        check.true(f"{tag} goes on", one["steps_sorted"])


def truth_of_tensorflow(root):
    expected = json.loads((root / "EXPECTED.json").read_text(encoding="utf-8"))
    seen = Seen(expected)
    for name in expected:
        check.part(name)
        if name.startswith("ACCUM "):
            one_folder(root, name.removeprefix("ACCUM "), seen.value[name])
        else:
            one_file(root, name, seen.value[name])
    check.part("EXPECTED.json")
    check.equal("figures that nobody compares", seen.unseen(), [])


def main():
    both_forms()
    an_unknown_share()
    several_runs()
    a_graph_alone()
    small_numbers()
    hyperparameters()
    double_precision()
    odd_values()
    restarts()
    gaps()
    clocks()
    many_curves()
    folders()
    beside_a_profile()
    damaged()
    if os.environ.get("TPREPORT_TEST_DATA"):
        truth_of_tensorflow(Path(os.environ["TPREPORT_TEST_DATA"], "tf/tfevents"))
    check.end()


main()
