"""The input pipeline: captures of tf.data against what other tools say of them, and small profiles worked out by hand."""

import json
import sys
import tempfile
from pathlib import Path

import expected_input
import input_truth
from truth import SOURCE, Check, Report
from xspace_reader import read_xspace
from xspace_writer import Plane, xspace

HERE = Path(__file__).parent / "own"
MS = 10**9  # picoseconds
check = Check()


# --- captures ----------------------------------------------------------------------------------------------------------

def records():
    """Pipelines over files, with what xprof 2.24.2 and the tf.data analysis of TensorFlow 2.15 say of them."""
    said = json.loads((HERE / "tf_records" / "expected.json").read_text(encoding="utf-8"))
    for name, one in said.items():
        check.part(f"tf_records/{name}")
        logdir = HERE / "tf_records" / name
        [file] = logdir.glob("**/*.xplane.pb.gz")
        planes, _ = read_xspace(file)
        report = Report(logdir, "--top", "all")
        expected_input.operations(check, report, one["operations"])
        us = one["classes_us"]
        expected_input.classes(check, report, {
            "Enqueue": us["enqueue_us"], "Preprocessing": us["preprocessing_us"], "Unknown": us["unclassified_nonequeue_us"],
            "Advanced file read": us["advanced_file_read_us"], "Demanded file read": us["demanded_file_read_us"]})
        expected_input.second_computation(check, report, expected_input.figures_of([(planes, [])]))
        share = 100 * report.metric("input.wait_share")
        check.true("xprof's statement", f"because {share:.1f}%" in one["statement"])
        check.equal("verdict", report.metric("input.verdict"), "high" if "HIGHLY" in one["statement"] else "medium")
        check.equal("steps", report.metric("step.count"), one["steps"])
        tf_data(report, planes, one["pipeline"])


def tf_data(report, planes, said):
    """The only pipeline of a capture as TensorFlow's own analysis has it. Its ids from 2^63 on, which the events carry as
    unsigned numbers, read as 0 there, so that it adds up all iterators that have such an id, under the name of one."""
    [row] = report.rows("input-pipeline/pipelines")
    check.equal("calls", (row["calls"], row["slow_calls"]), (said["calls"], said["slow_calls"]))
    check.ps("shortest call", row["min_ms"], said["min_ps"])
    check.ps("longest call", row["max_ms"], said["max_ps"])
    check.near("mean call", row["mean_ms"], said["mean_ps"] / MS, 1e-9)
    longest = max(input_truth.calls_of(planes), key=lambda call: call.end - call.start)
    name, self_ps = input_truth.bottleneck(longest, lambda call: call.id if call.id < 1 << 63 else 0)
    check.equal("its bottleneck, ids read as it reads them", (name, self_ps), (said["bottleneck"], said["bottleneck_ps"]))
    if self_ps == input_truth.bottleneck(longest)[1]:
        check.equal("bottleneck", row["bottleneck"], name)
        check.ps("its time", row["bottleneck_ms"], self_ps)


def slow_input():
    """examples/tf_slow_input as TensorFlow's tf.data analysis has it, and what of it would mislead."""
    check.part("tf_slow_input in TensorFlow's analysis")
    logdir = SOURCE / "examples" / "tf_slow_input" / "input"
    [file] = logdir.glob("**/*.xplane.pb")
    planes, _ = read_xspace(file)
    report = Report(logdir, "--top", "all")
    tf_data(report, planes, {"calls": 20, "slow_calls": 20, "mean_ps": 37111849250, "min_ps": 23676077000, "max_ps": 45521225000,
                             "bottleneck": "Generator", "bottleneck_ps": 56082777000})
    check.near("Python generators", report.metric("input.host.generator_us"), 1065017.808)
    parts = {row["class"]: row["time_ms"] for row in report.rows("input-pipeline/classes")}
    check.near("preprocessing that is a generator", parts["including Python generators"], 1065.017808)
    check.near("preprocessing that is waiting", parts["including waiting for prefetch threads"], 1144.567114 + 741.937047)
    # Fused with batch, map has one thread: it works on one element at a time, as flat_map does.
    waited = {row["stage"]: row["waited_ms"] for row in report.rows("input-pipeline/stages")}
    check.near("one element at a time", finding(report, "TPR-INPUT-003")["measured"]["value"],
               (waited["MapAndBatch"] + waited["FlatMap"]) / sum(waited.values()))
    check.near("parts of preprocessing", sum(ms for name, ms in parts.items() if name.startswith("including ")), parts["Preprocessing"])


# --- written by hand ---------------------------------------------------------------------------------------------------

def report_on(*hosts):
    """hosts: planes of each"""
    with tempfile.TemporaryDirectory() as folder:
        for number, planes in enumerate(hosts):
            path = Path(folder, f"logs/plugins/profile/run/host{number}.xplane.pb")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(xspace(*planes, hosts=[f"host{number}"]))
        return Report(Path(folder, "logs"), "--top", "all")


def thread(plane, *events, name="thread/1"):
    """events: (name, start in ms, end in ms, {stats})"""
    line = plane.line(name)
    for event, start, end, *stats in events:
        line.event(event, round(start * MS), round((end - start) * MS), **(stats[0] if stats else {}))
    return plane


def host(*events):
    return thread(Plane("/host:CPU"), *events)


def us(report):
    return [report.metric(f"input.host.{key}_us") for key in expected_input.METRICS.values()]


def near(what, got, expected):
    check.equal(f"{what}: how many", len(got), len(expected))
    for one, other in zip(got, expected):
        check.near(what, one, other)


def finding(report, name):
    return next(f for f in report.doc["findings"] if f["id"] == name)


def text(report, *words):
    said = json.dumps(report.doc, ensure_ascii=False)
    for word in words:
        check.true(f"the report says {word!r}", word in said)


def nesting():
    check.part("nesting and classes")
    report = report_on([host(
        ("Iterator::Root", 0, 100), ("Iterator::Root::Batch", 5, 95), ("Iterator::Root::Batch::Map", 10, 60),
        ("scope/sort_1:Sort", 20, 30),         # an operation of the framework: not the iterator's own time
        ("InstantiatedCapturedFunction::Run", 32, 40), ("$file.py:12 f", 33, 39),  # these are none
        ("Iterator::Root::Batch::Map::TFRecord", 40, 55), ("MEMCPYHtoD", 70, 80), ("MemcpyDToH", 80, 90),
        ("Iterator::Root::Prefetch::Other::TextLine", 100, 104), ("read:read", 104, 105))])
    rows = {row["name"]: (row["count"], round(row["total_ms"], 9), round(row["self_ms"], 9), row["class"])
            for row in report.rows("input-pipeline/operations")}
    check.equal("operations", rows, {
        "Iterator::Root": (1, 100, 10, "Preprocessing"), "Iterator::Root::Batch": (1, 90, 20, "Preprocessing"),
        "Iterator::Root::Batch::Map": (1, 50, 25, "Preprocessing"),
        "Iterator::Root::Batch::Map::TFRecord": (1, 15, 15, "Reading on demand"), "MEMCPYHtoD": (1, 10, 10, "Enqueuing data"),
        "Iterator::Root::Prefetch::Other::TextLine": (1, 4, 4, "Reading in advance")})
    near("classes", us(report), [10e3, 55e3, 4e3, 15e3, 0])
    text(report, "counts as enqueuing, although it covers all copies to the device")


def scaling():
    """Three transfers of 10 ms, each 100 ms after the one before: r = 20 / 200, and what is no transfer takes 9 times E."""
    check.part("infeed")
    feed = [("infeed/enqueue:InfeedEnqueueTuple", at, at + 10) for at in (0, 100, 200)]
    stages = [("Iterator::Root", 0, 60), ("Iterator::Root::TFRecord", 20, 40)]
    one = thread(host(*stages), *feed, name="thread/2")
    report = report_on([one])
    near("scaled", us(report), [30e3, 180e3, 0, 90e3, 0])
    check.equal("not by host: there is one", [name for name in report.metrics if "_us@host" in name], [])

    check.part("infeed of two hosts")
    idle = thread(host(("Iterator::Root", 0, 60)), *[("x:InfeedEnqueue", at, at + 50) for at in (0, 100)], name="thread/2")
    report = report_on([one], [idle])
    ratio = (20 + 50) / (200 + 100)
    others = 130 * (1 - ratio) / ratio
    near("together", us(report), [130e3, others * 100 / 120 * 1e3, 0, others * 20 / 120 * 1e3, 0])
    for number, expected in ((0, (30e3, 180e3, 0, 90e3, 0)), (1, (100e3, 100e3, 0, 0, 0))):
        near(f"host {number}", [report.metric(f"input.host.{key}_us@host=host{number}")
                                for key in expected_input.METRICS.values()], expected)
        row = report.rows("input-pipeline/hosts")[number]
        near(f"host {number} in the table", list(row.values())[4:], [*(x / 1e3 for x in expected), sum(expected) / 1e3])

    check.part("transfers that nothing explains")
    near("the rest", us(report_on([thread(Plane("/host:CPU"), *feed)])), [30e3, 0, 0, 0, 270e3])


def stages_with_a_category():
    check.part("stages that state their category")
    report = report_on([host(*((name, at, at + 10, {"_ipl_stage_id": stage, "_ipl_stage_cat": category})
                              for at, (name, stage, category) in enumerate((
                                  ("load", 1, "READ"), ("load", 1, "READ"), ("augment", 2, "preprocessing"), ("load", 3, "Unknown"),
                                  ("put", 4, "enqueue"), ("other", 5, "something else"))) for at in [at * 20]),
                        # A stage nests in another; that its category is no input takes time from its parent all the same.
                        ("augment", 200, 240, {"_ipl_stage_id": 2, "_ipl_stage_cat": "preprocessing"}),
                        ("other", 210, 220, {"_ipl_stage_id": 5, "_ipl_stage_cat": "something else"}),
                        ("Iterator::Root", 300, 307, {"_ipl_stage_id": 9}))])
    rows = sorted((row["name"], row["count"], round(row["self_ms"], 9), row["class"])
                  for row in report.rows("input-pipeline/operations"))
    check.equal("stages", rows, [("Iterator::Root", 1, 7, "Preprocessing"), ("augment", 2, 40, "Preprocessing"),
                                 ("load", 1, 10, "Other input work"), ("load", 2, 20, "Reading on demand"),
                                 ("put", 1, 10, "Enqueuing data")])
    near("classes", us(report), [10e3, 47e3, 0, 20e3, 10e3])


HUGE = 1 << 63
IDS = {"Root": 1, "Prefetch": HUGE + 2, "ParallelMapV2": HUGE + 3, "Generator": 4}


def call(path, start, end, parent=None, **stats):
    """A call of an iterator; ids from 2^63 on stand as signed numbers here, which have the same bits."""
    stats["id"] = IDS[path.rpartition("::")[2]] - (1 << 64 if IDS[path.rpartition("::")[2]] >= HUGE else 0)
    if parent:
        stats["parent_id"] = IDS[parent] - (1 << 64 if IDS[parent] >= HUGE else 0)
    return f"Iterator::{path}", start, end, stats


def pipeline(roots=((0, 100),)):
    """Root asks Prefetch, which waits for an element that another thread makes with ParallelMap; that takes two elements which
    two threads make side by side."""
    path, more = "Root::Prefetch", []
    for start, end in roots:
        more += [call("Root", start, end), call(path, start + 5, end - 5, "Root"),
                 ("PrefetchConsume", end - 6, end - 5, {"element_id": start})]
    plane = thread(Plane("/host:CPU"), *more, name="main")
    for start, end in roots:
        thread(plane, ("PrefetchProduce", start - 19, end - 9, {"element_id": start}),
               call(f"{path}::ParallelMapV2", start - 18, end - 10, "Prefetch", parallelism=2),
               ("ParallelMapConsume", end - 12, end - 11, {"element_id": start + 1}), name="ahead")
        for number, (begins, ends) in enumerate(((-10, 50), (30, 80))):
            thread(plane, ("ParallelMapProduce", start + begins, start + ends, {"element_id": start + 1}),
                   call(f"{path}::ParallelMapV2::Generator", start + begins + 1, start + ends - 1, "ParallelMapV2"),
                   name=f"worker {number}")
    return plane


def stages_over_threads():
    check.part("stages on several threads")
    report = report_on([pipeline()])
    rows = {row["stage"]: row for row in report.rows("input-pipeline/stages")}
    # Generator runs in [-9, 49] and [31, 79], side by side in [31, 49]: ParallelMap is alone 108 - 88 of its [-18, 90].
    for name, calls, total, own, waited in (("Root", 1, 100, 10, 10), ("Prefetch", 1, 90, 5, 5), ("ParallelMapV2", 1, 108, 20, 11),
                                            ("Generator", 2, 106, 106, 74)):
        check.equal(f"{name} calls", rows[name]["calls"], calls)
        for key, ms in (("total_ms", total), ("self_ms", own), ("waited_ms", waited)):
            check.near(f"{name} {key}", rows[name][key], ms)
    check.equal("depths", [row["depth"] for row in report.rows("input-pipeline/stages")], [0, 1, 2, 3])
    check.equal("bottleneck", report.metric("input.bottleneck.name"), "Generator")
    check.near("its time", report.metric("input.bottleneck.self_us"), 106e3)
    check.near("its share", report.metric("input.slowest_stage.share"), 0.74)
    text(report, "several at once, 2 threads", "slowest: runs Python")

    check.part("two calls")
    [row] = report_on([pipeline(((0, 100), (200, 260)))]).rows("input-pipeline/pipelines")
    check.equal("calls", (row["calls"], row["slow_calls"], row["mean_ms"], row["min_ms"], row["max_ms"]), (2, 2, 80, 60, 100))

    check.part("calls that are not slow")
    quick = host(call("Root", 0, 0.05), call("Root", 1, 1.050001))
    [row] = report_on([quick]).rows("input-pipeline/pipelines")
    check.equal("slow from 50 us on", (row["calls"], row["slow_calls"]), (2, 1))

    check.part("a pipeline within a stage of another")
    report = report_on([host(("Iterator::Root", 0, 100, {"id": 11}), ("Iterator::Root::Map", 10, 90, {"id": 12, "parent_id": 11}),
                             ("Iterator::Root", 20, 70, {"id": 21}), ("Iterator::Root::Range", 30, 50, {"id": 22, "parent_id": 21}))])
    check.equal("each by itself", [(row["calls"], row["max_ms"], row["bottleneck"], row["bottleneck_ms"])
                                   for row in report.rows("input-pipeline/pipelines")],
                [(1, 100, "Map", 80), (1, 50, "Root", 30)])

    check.part("what was made before the call is not waited for")
    early = thread(host(("Iterator::Root", 100, 110, {"id": 1}), ("Iterator::Root::Prefetch", 101, 109, {"id": 2, "parent_id": 1}),
                        ("PrefetchConsume", 102, 103, {"element_id": 5})),
                   ("PrefetchProduce", 0, 91, {"element_id": 5}), ("Iterator::Root::Prefetch::Map", 1, 90, {"id": 3, "parent_id": 2}),
                   name="ahead")
    report = report_on([early])
    check.equal("bottleneck", report.metric("input.bottleneck.name"), "Prefetch")
    check.near("its time", report.metric("input.bottleneck.self_us"), 8e3)
    [made] = [row for row in report.rows("input-pipeline/stages") if row["stage"] == "Map"]
    check.equal("made", (made["calls"], made["total_ms"], made["waited_ms"]), (1, 89, 0))

    check.part("to a device")
    report = report_on([host(("Iterator::Prefetch", 0, 10, {"id": 7}),
                             ("Iterator::Prefetch::Generator", 1, 9, {"id": 8, "parent_id": 7}))])
    check.equal("no call of a consumer", report.metric("input.tf_data.calls"), None)
    check.equal("nor Python", report.metric("input.host.generator_us"), 0)
    text(report, "takes batches from another pipeline", "1, to a device")


def stepping(*events, steps=2, step=100):
    """A host whose steps wait for the first half of what they take; events: of each step, from its begin on."""
    all_events = []
    for number in range(steps):
        at = number * step
        all_events += [("train", at, at + step - 1, {"step_num": number, "_r": 1}),
                       ("compute", at + step / 2, at + step - 2)]
        all_events += [(name, at + start, at + end, *stats) for name, start, end, *stats in events]
    return host(*all_events)


def findings():
    check.part("findings: files read on demand")
    report = report_on([stepping(("IteratorGetNext", 1, 50), ("Iterator::Root", 2, 49, {"id": 1}),
                                 ("Iterator::Root::Batch", 3, 48, {"id": 2, "parent_id": 1}),
                                 ("Iterator::Root::Batch::TFRecord", 4, 34, {"id": 3, "parent_id": 2}))])
    check.near("waits", report.metric("input.wait_share"), 49 / 99)
    for name, status, measured in (("TPR-INPUT-001", "open", 49 / 99), ("TPR-INPUT-002", "passed", 0),
                                   ("TPR-INPUT-003", "open", 15 / 47), ("TPR-INPUT-004", "open", 30 / 47),
                                   ("TPR-INPUT-005", "open", 1)):
        check.equal(name, finding(report, name)["status"], status)
        check.near(f"{name} measured", finding(report, name)["measured"]["value"], measured)
    check.equal("high", finding(report, "TPR-INPUT-004")["severity"], "High")
    check.equal("medium", finding(report, "TPR-INPUT-003")["severity"], "Medium")
    text(report, "The largest part is", "starts only on request")
    slowest, waits = finding(report, "TPR-INPUT-001"), report.metric("input.slowest_stage.name")
    check.equal("the slowest stage", waits, "TFRecord")
    for said in (slowest["brief"], slowest["saw"], slowest["actions"][0]):
        check.true("advice begins with the slowest stage", waits in said)
    check.true("what helps there", "interleave" in slowest["actions"][0])
    check.equal("still three things to do", len(slowest["actions"]), 3)

    check.part("the timeline shows waiting in its colour")
    report = report_on([stepping(("EagerLocalExecute: IteratorGetNext", 1, 50), ("IteratorGetNext", 2, 49), ("compute", 52, 80),
                                 ("PyFunc:PyFunc", 82, 90))])
    hues = {bar["label"]: bar.get("hue") for window in report.blocks["timeline/view"]["windows"] for bar in window["bars"]}
    check.equal("hues", [hues.get(name) for name in ("EagerLocalExecute: IteratorGetNext", "IteratorGetNext", "compute", "PyFunc:PyFunc")],
                ["input", "input", "host", "input"])
    # A call around a wait has the colour of waiting where that is nearly all of it: 41 of 45 µs, not 30 of 45.
    report = report_on([stepping(("Executor", 1, 46), ("IteratorGetNext", 3, 44), ("ExecutorRun", 47, 92), ("IteratorGetNext", 50, 80))])
    hues = {bar["label"]: bar.get("hue") for window in report.blocks["timeline/view"]["windows"] for bar in window["bars"]}
    check.equal("calls around waits", [hues.get(name) for name in ("Executor", "ExecutorRun")], ["input", "host"])

    check.part("findings: a generator that works ahead")
    ahead = []
    for at in (-1, 99):
        ahead += [("PrefetchProduce", at, at + 46, {"element_id": at}),
                  ("Iterator::Root::Prefetch::Generator", at + 1, at + 45, {"id": 3, "parent_id": 2})]
    plane = stepping(("IteratorGetNext", 1, 50), ("Iterator::Root", 2, 49, {"id": 1}),
                     ("Iterator::Root::Prefetch", 3, 48, {"id": 2, "parent_id": 1}))
    consume = [("PrefetchConsume", at + 47.1, at + 47.2, {"element_id": at - 1}) for at in (0, 100)]
    for event, start, end, stats in consume:
        plane.lines[0][2].append((event, round(start * MS), round((end - start) * MS), stats))
    report = report_on([thread(plane, *ahead, name="thread/2")])
    check.near("generator", finding(report, "TPR-INPUT-002")["measured"]["value"], 41 / 47)
    check.equal("generator", finding(report, "TPR-INPUT-002")["status"], "open")
    check.equal("ahead", finding(report, "TPR-INPUT-005")["status"], "passed")
    check.near("what is not", finding(report, "TPR-INPUT-005")["measured"]["value"], 2 / 47)

    check.part("findings: not input-bound")
    report = report_on([stepping(("IteratorGetNext", 1, 2), ("Iterator::Root", 1.1, 1.9, {"id": 1}), ("compute", 2, 50))])
    for name in ("TPR-INPUT-002", "TPR-INPUT-003", "TPR-INPUT-004", "TPR-INPUT-005"):
        check.equal(name, finding(report, name)["status"], "not_applicable")
    check.part("findings: without steps")
    check.equal("undecided", finding(report_on([pipeline()]), "TPR-INPUT-002")["status"], "undecided")
    check.part("findings: without ids")
    report = report_on([stepping(("IteratorGetNext", 1, 50), ("Iterator::Root", 2, 49), ("Iterator::Root::Map", 3, 48))])
    check.equal("one at a time", finding(report, "TPR-INPUT-003")["status"], "open")
    check.equal("ahead or not", finding(report, "TPR-INPUT-005")["status"], "undecided")
    text(report, "Iterators carry no ids")


def marked_by_hand():
    """What the section advises for input in plain Python does make it visible."""
    check.part("an annotation of the user's")
    report = report_on([stepping(("IteratorGetNext", 1, 50))])
    check.near("waits", report.metric("input.wait_share"), 49 / 99)
    check.equal("verdict", report.metric("input.verdict"), "high")
    text(report, "no host operation shows why", "What was looked for")
    check.part("nothing of input")
    report = report_on([stepping(("compute", 0, 50))])
    check.equal("classes", us(report), [None] * 5)
    text(report, "Nothing in the profile shows an input pipeline.", "TraceAnnotation")


def many_steps():
    check.part("more steps than columns")
    plane = stepping(("IteratorGetNext", 1, 20), steps=602)
    train = plane.lines[0][2]
    train.append(("IteratorGetNext", 301 * 100 * MS + 21 * MS, 29 * MS, {}))
    chart = report_on([plane]).blocks["input-pipeline/strip"]
    [series] = chart["series"]
    check.true("columns", 100 <= len(chart["labels"]) == len(series["values"]) <= 240)
    check.near("the step that waits most is drawn", max(series["values"]), 48 / 99)
    check.equal("under its name", chart["labels"][series["values"].index(max(series["values"]))], "301")


def gpu():
    """Copies of the host take a fifth of each step, so what is no transfer is four times as long; kernels are launched in a
    third of each, so that threads of tf.data may be in the way."""
    check.part("GPU without infeed queue")
    events, kernels, number = [], Plane("/device:GPU:0"), 0
    stream = kernels.line("Stream #7(Kernel)")
    for at in (0, 100):
        number += 1
        events += [("train", at, at + 99, {"step_num": number, "_r": 1}), ("MemcpyHToD", at + 1, at + 21),
                   ("ExecutorState::Process", at + 30, at + 60),
                   ("cuLaunchKernel", at + 58, at + 59, {"correlation_id": number})]
        stream.event("gemm", (at + 60) * MS, 30 * MS, correlation_id=number)
    report = report_on([thread(host(*events), ("Iterator::Root", 10, 50), name="thread/2"), kernels])
    check.near("waits", report.metric("input.wait_share"), 20 / 99)
    near("scaled", us(report), [40e3, 40e3 * (79 / 99) / (20 / 99), 0, 0, 0])
    launch = finding(report, "TPR-LAUNCH-001")
    check.equal("launch", launch["status"], "open")
    check.equal("drawn as its class is", (launch["hue"], launch.get("tint")), ("host", 1))
    check.true("threads of tf.data may be in the way", "tf.data threads" in json.dumps(launch))
    check.part("GPU without tf.data")
    launch = finding(report_on([host(*events), kernels]), "TPR-LAUNCH-001")
    check.equal("launch", launch["status"], "open")
    check.true("no word of tf.data", "tf.data threads" not in json.dumps(launch))


def damaged():
    """Calls that overlap, consume what they are themselves part of, or carry no numbers."""
    check.part("damaged calls")
    strange = host(("Iterator::Root", 0, 10, {"id": 1}), ("Iterator::Root::A", 5, 15, {"id": 2, "parent_id": 1}),
                   ("PrefetchConsume", 6, 7, {"element_id": 1}), ("PrefetchProduce", 0, 9, {"element_id": 1}),
                   ("Iterator::Root::A::B", 1, 20, {"id": 2, "parent_id": 2}), ("Iterator", 0, 1), ("Iterator::", 1, 2),
                   ("PrefetchConsume", 8, 9), ("Iterator::Root", 3, 4, {"id": "text", "parent_id": "text"}))
    report = report_on([strange])
    for pipe in report.rows("input-pipeline/pipelines"):
        check.true("sound", pipe["calls"] > 0 and 0 <= pipe["min_ms"] <= pipe["mean_ms"] <= pipe["max_ms"])
    for row in report.rows("input-pipeline/operations"):
        check.true("sound", 0 <= row["self_ms"] <= row["total_ms"])
    for row in report.rows("input-pipeline/stages"):
        check.true("sound", row["waited_ms"] is None or row["waited_ms"] >= 0)


def main():
    for part in (records, slow_input, nesting, scaling, stages_with_a_category, stages_over_threads, findings, marked_by_hand,
                 many_steps, gpu, damaged):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
