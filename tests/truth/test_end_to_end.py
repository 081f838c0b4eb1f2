"""Phases of a job: marks written by hand with times worked out beforehand, damaged files, and the original tool's own answers."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import graph_writer
import tfrecord
from truth import TPREPORT, Check, Report, get

check = Check()
IDS = [f"e2e.{key}_ms" for key in ("beginning_to_init", "init_system", "init_to_model_fn", "model_fn", "setup_infeed", "training",
                                   "training_to_eval", "eval", "eval_to_predict", "predict")]
NAME = "events.out.tfevents.1551710000.host.profile_logger"

TRAIN = [(0, "train_begin"), (0.25, "init_system_begin"), (0.5, "init_system_end"), (0.75, "model_fn_begin"),
         (1, "setup_infeed_begin"), (1.5, "setup_infeed_end"), (2.75, "model_fn_end"), (8, "train_end")]
EVAL = [(9, "eval_begin"), (9.5, "model_fn_begin"), (10, "model_fn_end"), (12, "eval_end")]
TEN = [250, 250, 250, 1500, 500, 8000, 1000, 3000, 0, 0]


def in_a_log_directory(data):
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name, "model/profile", NAME)
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return folder


def report_on(marks, data=None, **options):
    with in_a_log_directory(data if data is not None else tfrecord.profile_logger(marks, **options)) as folder:
        return Report(Path(folder, "model"), "--top", "all")


def ten(report):
    return [report.metric(name) for name in IDS]


def rows(report):
    return [(row["phase"], round(row["start_s"], 6), round(row["took_s"], 6)) for row in report.rows("whole-run/sessions")]


def tiles(report):
    return [block["tiles"] for block in report.doc["sections"][0]["blocks"] if block["kind"] == "tiles"][0]


def said(report, block, node=None):
    """A block with its texts; None: it is not there."""
    for child in (node or report.doc).get("sections", []) + (node or report.doc).get("blocks", []):
        if child["id"] == block:
            return json.dumps(child, ensure_ascii=False)
        found = said(report, block, child)
        if found is not None:
            return found
    return None


def ends(report):
    return [row["ended"] for row in report.rows("whole-run/sessions")]


def a_usual_job():
    check.part("train, eval")
    report = report_on(TRAIN + EVAL)
    check.equal("ten", ten(report), TEN)
    lanes = {lane["label"]: [(round(p["from"] - 1551710000, 6), round(p["to"] - 1551710000, 6)) for p in lane["intervals"]]
             for lane in report.blocks["whole-run/intervals"]["lanes"]}
    check.equal("drawn", lanes, {"training": [(0, 8)], "evaluation": [(9, 12)], "between": [(8, 9)], "init-system": [(0.25, 0.5)],
                                 "model-fn": [(0.75, 2.75), (9.5, 10)], "setup-infeed": [(1, 1.5)]})
    check.equal("sessions", rows(report), [
        ("training 1", 0, 8), ("init-system 1", 0.25, 0.25), ("model-fn 1", 0.75, 2), ("setup-infeed 1", 1, 0.5),
        ("evaluation 1", 9, 3), ("model-fn 2", 9.5, 0.5)])
    check.equal("by kind", [(row["kind"], row["times"], row["took_s"]) for row in report.rows("whole-run/kinds")], [
        ("training", 1, 8), ("evaluation", 1, 3), ("no session", None, 1), ("init-system", 1, 0.25), ("model-fn", 2, 2.5), ("setup-infeed", 1, 0.5)])
    table = {row["category"]: row["ms"] for row in report.rows("whole-run/categories")}
    check.equal("shown", table["eval"], 3000)
    check.equal("absent is no figure on the page", table["predict"], None)
    check.equal("older tags", ten(report_on(TRAIN + EVAL, prefix="")), TEN)


def odd_jobs():
    check.part("killed")
    report = report_on(TRAIN[:-1] + [(3, "model_fn_begin")])
    check.equal("the last mark is the end", ten(report)[5], 3000)
    check.true("said so", "no end" in str(report.doc["sections"]))
    check.part("another job's file, 500 h later, above the folder of the run")
    with in_a_log_directory(tfrecord.profile_logger([(0, "train_begin"), (30, "train_end")])) as folder:
        Path(folder, "model", "other.end_to_end.tfevents").write_bytes(tfrecord.profile_logger([(1_800_000, "train_begin"), (1_800_010, "train_end")]))
        report = Report(Path(folder, "model"), "--top", "all")
    check.equal("its session is none of this job", (rows(report), report.metric("sessions.training_ms")), ([("training 1", 0, 30)], 30_000))
    check.true("and that is said", "belongs to another job" in str(report.doc["sections"]))
    check.part("killed, and what the job wrote besides")
    scalars = tfrecord.version(1551710000.0) + b"".join(tfrecord.event(1551710000.0 + at, at, tfrecord.simple(loss=at)) for at in (5, 20, 70, 200))
    marks = [(0, "train_begin"), (1, "init_system_begin"), (60, "train_begin"), (90, "train_end"), (100, "eval_begin")]
    with in_a_log_directory(tfrecord.profile_logger(marks)) as folder:
        Path(folder, "model", "events.out.tfevents.1.host").write_bytes(scalars)
        Path(folder, "model", "eval").mkdir()
        Path(folder, "model", "eval", "events.out.tfevents.1.host").write_bytes(
            tfrecord.version(1551710100.0) + tfrecord.event(1551710130.0, 200, tfrecord.simple(accuracy=1)))
        report = Report(Path(folder, "model"), "--top", "all")
    check.equal("until the last scalar before the next begin", rows(report)[:4],
                [("training 1", 0, 20), ("init-system 1", 1, 0), ("training 2", 60, 30), ("evaluation 1", 100, 30)])
    check.equal("the ten are by marks alone", (ten(report)[5], ten(report)[7]), (30_000, 0))
    check.equal("and which that is", ends(report), ["no: until its last scalar", "no: until its last mark", "yes", "no: until its last scalar"])
    check.true("one began anew, the other may be running", "1 session has no end: the job was killed and restarted." in
               said(report, "whole-run/began-anew") and "1 session has no end: the job was killed, or is still running." in
               said(report, "whole-run/unended"))
    check.true("the verdict says it", "at least 2.17" in said(report, "summary/verdict") and "its end is not marked" in said(report, "summary/verdict"))
    check.equal("tiles are of all sessions", [report.metric(f"sessions.{kind}_ms") for kind in ("training", "eval")], [50_000, 30_000])
    check.part("killed and begun anew")
    report = report_on([(0, "train_begin"), (5, "init_system_begin"), (60, "train_begin"), (70, "train_end")])
    check.equal("both are there", [row for row in rows(report) if "training" in row[0]],
                [("training 1", 0, 5), ("training 2", 60, 10)])
    check.equal("the original counts the last", ten(report)[5], 10_000)
    check.equal("it ended after all", said(report, "whole-run/unended"), None)
    check.true("nothing else is said", "at least" not in said(report, "summary/verdict"))
    report = report_on([(0, "train_begin"), (5, "model_fn_begin"), (60, "train_end")])
    check.equal("what its session ends", ends(report), ["yes", "no: until the end of its session"])
    check.part("train and eval in turn")
    turns = [(at, tag) for n in range(40) for at, tag in ((n * 10, "train_begin"), (n * 10 + 8, "train_end"),
                                                          (n * 10 + 8, "eval_begin"), (n * 10 + 9, "eval_end"))]
    report = report_on(turns)
    check.equal("every one", len(rows(report)), 80)
    check.equal("all of them in the tiles", [(tile["label"], tile["value"]) for tile in tiles(report)],
                [("Training", 320_000), ("Evaluation", 40_000)])
    check.equal("every one drawn", [len(lane["intervals"]) for lane in report.blocks["whole-run/intervals"]["lanes"]], [40, 40, 39])
    check.part("very many")
    many = [(n, f"train_{what}") for n in range(40_000) for what in ("begin", "end")]
    report = report_on(many)
    check.equal("each once", len(rows(report)), 40_000)
    drawn = report.blocks["whole-run/intervals"]["lanes"][0]["intervals"]
    check.true("drawn together where none can be told apart", len(drawn) < 700)
    check.equal("all of them", sum(int(p["label"].split(" × ")[0]) if " × " in p["label"] else 1 for p in drawn), 40_000)
    check.part("clock set back")
    report = report_on([(10, "train_begin"), (5, "train_end")])
    check.equal("floored", ten(report)[5], 0)
    check.equal("no length is said", [row["took_s"] for row in report.rows("whole-run/sessions")], [None])
    check.equal("nor of all together", [(row["times"], row["took_s"]) for row in report.rows("whole-run/kinds")], [(1, None)])
    lanes = {lane["label"]: lane["intervals"] for lane in report.blocks["whole-run/intervals"]["lanes"]}
    check.equal("drawn", [(p["from"] - 1551710000, p["to"] - 1551710000) for p in lanes["clock back"]], [(5, 10)])
    check.true("said so", "clock was set back" in str(report.doc["sections"]))
    report = report_on([(0, "train_begin"), (1, "model_fn_begin"), (2, "model_fn_end"), (100, "eval_begin"), (50, "eval_end"),
                        (80, "train_end")])
    check.equal("nor where the end comes after the begin all the same", {row["phase"]: row["took_s"] for row in
                report.rows("whole-run/sessions")}, {"training 1": None, "model-fn 1": 1, "evaluation 1": None})
    again = report_on([(100, "train_begin"), (150, "model_fn_begin"), (30, "train_begin"), (40, "train_end")])
    check.equal("known of what ended before", {row["phase"]: row["took_s"] for row in again.rows("whole-run/sessions")},
                {"training 1": 50, "model-fn 1": 0, "training 2": 10})
    check.equal("the tile too", report.missing("sessions.training_ms"), "the clock was set back before its end")
    check.part("an end alone")
    report = report_on([(1, "eval_end"), (2, "train_begin"), (3, "train_end")])
    check.equal("training", ten(report)[5], 1000)


def more_figures_than_tiles():
    check.part("marks, scalars and a graph")
    with in_a_log_directory(tfrecord.profile_logger(TRAIN + EVAL)) as folder:
        Path(folder, "model", "events.out.tfevents.1.host").write_bytes(tfrecord.version(1551710000.0) + b"".join(
            tfrecord.event(1551710000.0 + at, at, tfrecord.simple(loss=at)) for at in range(8)))
        Path(folder, "model", "graph.pb").write_bytes(graph_writer.graph(
            [graph_writer.node("w", "VariableV2", of=[4, 3]), graph_writer.node("product", "MatMul", "w", "w")]))
        report = Report(Path(folder, "model"))
    check.equal("six of seven that are known", [tile["label"] for tile in tiles(report)],
                ["Wall time per step", "Time in steps", "Training", "Evaluation", "Graph", "Variable elements"])


def damaged():
    check.part("damage")
    good = tfrecord.profile_logger(TRAIN + EVAL)
    spoilt = bytearray(good)
    spoilt[good.index(b"profile/init_system_end")] ^= 1
    report = report_on(None, bytes(spoilt))
    check.equal("the rest is read", ten(report)[5:8], TEN[5:8])
    check.true("with its offset", "at byte" in report.stderr and "checksum" in report.stderr)
    report = report_on(None, good[:-3])
    check.equal("cut off: the last mark is the end", ten(report)[7], 1000)
    check.true("told", "cut off by the end" in report.stderr)
    with in_a_log_directory(tfrecord.version(1.0)) as folder:
        done = subprocess.run([TPREPORT, folder, "-o", Path(folder, "r.json")], capture_output=True, text=True, check=False)
        check.equal("a file without marks", done.returncode, 4)


def the_file_of_the_original(path, want):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "end_to_end.json")
        subprocess.run([TPREPORT, path, "--end-to-end-json", out], check=True)
        check.equal("byte for byte", out.read_text(encoding="utf-8"), want)


def answers_of_the_original(root):
    cases = [(path.with_name(path.name.removesuffix(".expected.json")), path) for path in sorted(root.glob("tf/e2e/*.expected.json"))]
    cases += [(root / "xla/found/tensorboard" / path.name.removesuffix(".expected.json"), path)
              for path in sorted(root.glob("xla/truth/*.tfevents.expected.json"))]
    for source, expected in cases:
        check.part(source.name)
        text = expected.read_text(encoding="utf-8")
        want = json.loads(text)
        if isinstance(want, dict):  # the original stops with an error: no train_end
            check.equal("training until the last mark", get(source, "e2e.training_ms")["e2e.training_ms"][0], "850")
            continue
        check.equal("ten", [float(get(source, *IDS)[name][0]) for name in IDS], want[1][1:11])
        the_file_of_the_original(source, text)


def main():
    a_usual_job()
    odd_jobs()
    more_figures_than_tiles()
    damaged()
    with in_a_log_directory(tfrecord.profile_logger(TRAIN)) as folder:
        the_file_of_the_original(folder, '[["Category", "beginning to init-system\'s start", "init-system", "init-system\'s end to '
                                 'model-fn\'s start", "model-fn", "setup-infeed", "training", "training\'s end to eval\'s start", '
                                 '"eval", "eval\'s end to predict\'s start", "predict", {"role": "annotation"}], ["", 250.0, 250.0, '
                                 '250.0, 1500.0, 500.0, 8000.0, 0, 0, 0, 0, ""]]')
    if os.environ.get("TPREPORT_TEST_DATA"):
        answers_of_the_original(Path(os.environ["TPREPORT_TEST_DATA"]))
    check.end()


main()
