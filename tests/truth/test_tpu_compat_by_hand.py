"""TPU compatibility of graphs written by hand, with counts worked out beforehand."""

import json
import sys
import tempfile
from pathlib import Path

from graph_writer import graph, node
from truth import SOURCE, Check, Report

check = Check()

# Two layers, an optimiser on reference variables, and what the host does around them.
MODEL = [
    node("x", "Placeholder"), node("conv/W", "VariableV2"), node("conv/Conv2D", "Conv2D", "x", "conv/W"),
    node("conv/lookup", "LookupTableFindV2", "conv/Conv2D"), node("dense/MatMul", "MatMul", "conv/lookup"),
    node("dense/py", "PyFunc", "dense/MatMul"), node("train/conv/update", "ApplyAdam", "conv/W"),
    node("train/dense/update", "ApplyAdam"), node("train/own", "MyCompanysOp"),
]
HOST = [
    node("input/files", "TFRecordDatasetV2"), node("input/next", "IteratorGetNext", "input/files"),
    node("input/image", "DecodeJpeg"), node("loss", "ScalarSummary"), node("all", "MergeSummary", "loss"),
    node("save/Const", "StringFormat"), node("save/SaveV2", "SaveV2", "save/Const"), node("save/inner/x", "PyFunc"),
    node("init", "NoOp"), node("stats", "PyFunc", device="/device:CPU:0"), node("worker", "PyFunc", device="/job:ps/task:1"),
    node("feed", "InfeedEnqueueTuple"), node("nothing", ""),
]
WHOLE = "the%20graph"
TPU = [node("tpu", "TPUReplicateMetadata")]


def report_on(nodes, functions=None, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.pb")
        path.write_bytes(graph(nodes, functions))
        return Report(path, *more)


def finding(report):
    """Without a profile rules that do not apply are not told."""
    return next((one for one in report.doc["findings"] if one["id"] == "TPR-TPU-001"), None)


def scopes(report):
    return {row["id"].removeprefix("graph/tpu/scopes/"): (row["nodes"], row["judged"], row["incompatible"], row["compatible_share"])
            for row in report.rows("graph/tpu/scopes")}


def classes(report):
    return {row["judged"]: row["nodes"] for row in report.rows("graph/tpu/classes")}


def said(report):
    return json.dumps(report.doc, ensure_ascii=False)


def a_model():
    check.part("a model with its host")
    report = report_on(MODEL + HOST)
    check.equal("classes", classes(report), {
        "compatible": 3, "incompatible": 5, "save and restore": 3, "summaries": 2, "input: files, queues, tf.data": 3,
        "the host side of a TPU": 1, "fed values, calls, order only": 2, "manually placed on another device": 2,
        "without an operation": 1})
    check.near("share", report.metric("graph.tpu.compatible_share"), 3 / 8)
    check.equal("judged", report.metric("graph.tpu.judged"), 8)
    check.equal("host", report.metric("graph.tpu.host_work"), 11)
    check.equal("placed", report.metric("graph.tpu.placed_elsewhere"), 2)
    # TensorBoard lets off what is placed elsewhere and nameless; of the host it lists savers' and summaries' operations.
    check.equal("TensorBoard's", report.metric("graph.tpu.tensorboard.valid"), 22 - 5 - 6)
    check.equal("kinds", [(row["operation"], row["nodes"], row["judged"]) for row in report.rows("graph/tpu/operations")][:5], [
        ("ApplyAdam", 2, "incompatible"), ("LookupTableFindV2", 1, "incompatible"), ("MyCompanysOp", 1, "incompatible"),
        ("PyFunc", 1, "incompatible"), ("DecodeJpeg", 1, "input: files, queues, tf.data")])
    reasons = {row["operation"]: (row["reason"], row["instead"]) for row in report.rows("graph/tpu/operations")}
    check.equal("own", reasons["MyCompanysOp"], ("not in the list", None))
    check.true("in its place", reasons["ApplyAdam"][1].startswith("ResourceApplyAdam"))
    check.equal("nodes", [row["node"] for row in report.rows("graph/tpu/nodes")], [
        "conv/lookup", "dense/py", "train/conv/update", "train/dense/update", "train/own",
        "input/files", "input/next", "input/image", "save/Const", "save/inner/x", "feed"])


def by_scope():
    check.part("scopes")
    found = scopes(report_on(MODEL + HOST))
    check.equal("those with incompatible nodes come first, in the order of the graph", list(found),
                [WHOLE, "conv", "dense", "train", "train/conv", "train/dense", "input", "save"])
    check.equal("conv", found["conv"][:3], (3, 3, 1))
    check.near("conv", found["conv"][3], 2 / 3)
    check.equal("train", found["train"], (3, 3, 3, 0))
    check.equal("input is not judged", found["input"], (3, 0, 0, None))
    check.equal("the graph", found[WHOLE], (22, 8, 5, 3 / 8))


def functions():
    check.part("functions")
    body = [node("py", "PyFunc"), node("a/MatMul", "MatMul")]
    savers = {"__inference__traced_save_7": [node("SaveV2", "SaveV2"), node("join", "StringFormat")]}
    report = report_on([node("call", "StatefulPartitionedCall"), node("old", "f")], {"f": body, **savers})
    check.equal("classes", classes(report), {
        "compatible": 2, "incompatible": 1, "save and restore": 2, "fed values, calls, order only": 1})
    check.equal("TensorBoard's", report.metric("graph.tpu.tensorboard.valid"), 1)
    check.near("of the graph alone", report.metric("graph.tpu.tensorboard.valid_share"), 1 / 2)
    rows = report.rows("graph/tpu/nodes")
    check.equal("where", [(row["node"], row["function"], row["judged"]) for row in rows],
                [("py", "f", "incompatible"), ("old", None, "fed values, calls, order only")])
    check.equal("scopes", scopes(report)["f"], (2, 2, 1, 1 / 2))


def savers():
    """A scope within a saver's belongs to it, also where a node is the scope of others."""
    check.part("savers")
    nodes = [node("save/SaveV2/names", "Const"), node("save/SaveV2", "SaveV2"), node("save/join", "StringFormat")]
    check.equal("all of it", classes(report_on(nodes)), {"save and restore": 3})
    nodes = [node("saved/SaveV2", "SaveV2"), node("saved/join", "StringFormat")]
    check.equal("a scope of another name", classes(report_on(nodes)), {"save and restore": 1, "incompatible": 1})


# What TensorFlow 2.21 registers for the host's work, and what only sounds like it.
HOSTS = {
    "save and restore": ["DTensorRestoreV2", "DisableCopyOnRead", "MergeV2Checkpoints"],
    "summaries": ["ImportEvent", "WriteScalarSummary", "TensorSummaryV2", "MergeSummary", "FlushSummaryWriter"],
    "input: files, queues, tf.data": ["DistributedSave", "RecordInput", "OptionalFromValue", "OptionalHasValue", "AnonymousSeedGenerator",
                                      "DeleteSeedGenerator", "DummyMemoryCache", "AnonymousMemoryCache", "ThreadPoolHandle",
                                      "AnonymousRandomSeedGenerator", "DummyIterationCounter", "StatsAggregatorHandleV2"],
    "the host side of a TPU": ["_DisconnectHostFromDistributedTPUSystem", "_SetGlobalTPUArray", "ShutdownTPUSystem", "TPURoundRobin",
                                 "ConfigureAndInitializeGlobalTPU", "_TPUReplicate", "_TPUCompileMlir", "_XlaRecvAtHostV2",
                                 "_XlaSendFromHostV2", "FinalizeTPUEmbeddingV2", "ConnectTPUEmbeddingHosts", "CollateTPUEmbeddingMemory",
                                 "ExecuteTPUEmbeddingPartitioner", "DynamicEnqueueTPUEmbeddingRaggedTensorBatch", "GetTpuTaskId",
                                 "LoadAllTPUEmbeddingParameters", "RetrieveAllTPUEmbeddingParameters", "IsTPUEmbeddingInitialized",
                                 "TpuHandleToProtoKey", "TPUReshardVariables", "TPUPartitionedInputV2", "TPUPartitionedOutput"],
    "incompatible": ["BoostedTreesMakeStatsSummary", "StringSplit", "XlaCustomCallV2"],
}


def work_of_the_host():
    check.part("work of the host")
    for judged, operations in HOSTS.items():
        for operation in operations:
            check.equal(operation, classes(report_on([node("x", operation)])), {judged: 1})


def outside():
    """What a program for a TPU leaves to the host by hand is placed, as the finding itself advises."""
    check.part("outside of what is compiled")
    nodes = [node("py", "PyFunc", cluster="0"), node("mul", "MatMul"), *TPU]
    body = {"f": [node("py", "StringSplit", cluster="cluster")]}
    report = report_on(nodes, body)
    check.equal("classes", classes(report), {"compatible": 2, "manually placed on another device": 2})
    check.equal("finding", finding(report)["status"], "passed")
    check.equal("TensorBoard's", report.metric("graph.tpu.tensorboard.valid"), 2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.pbtxt")
        path.write_text('node { name: "py" op: "PyFunc" attr { key: "_xla_outside_compilation" value { s: "0" } } } node { name: "b" op: "PyFunc" }')
        check.equal("as text", classes(Report(path)), {"incompatible": 1, "manually placed on another device": 1})


def functions_of_the_host():
    """What the input pipeline calls, or a node placed elsewhere, is the host's as well, unless another calls it too."""
    check.part("functions of the host")
    strings = [node("s", "StringSplit")]
    graph_nodes = [node("d", "MapDataset", calls="map"), node("cpu", "PartitionedCall", calls="placed", device="/device:CPU:0"),
                   node("both", "PartitionedCall", calls="shared"), node("e", "FilterDataset", calls="shared"),
                   node("tpu", "TPUPartitionedCall", calls="on_tpu", device="/device:CPU:0")]
    functions = {
        "map": [node("inner", "PartitionedCall", calls="deep"), *strings], "deep": [node("again", "While", calls="deep"), *strings],
        "placed": strings, "shared": [node("reduce", "ReduceDataset", calls="within")], "within": strings, "on_tpu": strings,
        "uncalled": strings, "round": [node("c", "PartitionedCall", calls="round"), *strings]}
    report = report_on(graph_nodes, functions)
    check.equal("nodes, judged, incompatible", {name: row[:3] for name, row in scopes(report).items() if name in functions}, {
        "map": (2, 0, 0), "deep": (2, 0, 0), "placed": (1, 0, 0), "shared": (1, 0, 0), "within": (1, 0, 0),
        "on_tpu": (1, 1, 1), "uncalled": (1, 1, 1), "round": (2, 2, 1)})
    check.equal("placed", classes(report)["manually placed on another device"], 3)
    check.equal("of two callers", scopes(report_on(graph_nodes, {**functions, "shared": strings}))["shared"][:3], (1, 1, 1))


def newer_than_the_list():
    check.part("newer than the list")
    rows = report_on([node("a", "XlaCallModule"), node("b", "BatchMatMulV3")]).rows("graph/tpu/operations")
    check.equal("reasons", {row["operation"]: row["reason"] for row in rows}, {
        "XlaCallModule": "newer than the list: TensorFlow 2.21 compiles it with XLA for CPUs; for TPUs unknown",
        "BatchMatMulV3": "the list has another version of it"})


def alarms():
    check.part("a job that names no TPU")
    report = report_on(MODEL)
    check.equal("finding", finding(report), None)
    check.true("said", "Nothing says that the job targets a TPU" in said(report))
    check.part("one that does")
    report = report_on(MODEL + TPU)
    one = finding(report)
    check.equal("status", (one["status"], one["severity"]), ("open", "Medium"))
    check.near("measured", one["measured"]["value"], 5 / 9)
    check.true("which", "ApplyAdam" in one["saw"])
    check.true("one to three actions", 1 <= len(one["actions"]) <= 3)
    report = report_on(MODEL[:3] + [node("y", "MatMul", device="/device:TPU:0")])
    check.equal("without such operations", finding(report)["status"], "passed")
    check.part("nothing to judge")
    report = report_on([node("x", "NoOp"), node("y", "PyFunc", device="/gpu:0")])
    check.equal("share", report.metric("graph.tpu.compatible_share"), None)
    check.true("why", "manually placed" in report.missing("graph.tpu.compatible_share"))
    check.equal("finding", finding(report), None)
    check.part("no graph")
    report = Report(SOURCE / "examples/jax_cnn/input")
    check.equal("missing", report.metric("graph.tpu.compatible_share"), None)
    check.equal("why", report.missing("graph.tpu.compatible_share"), "the run has no TensorFlow graph")
    check.equal("finding", finding(report)["status"], "not_applicable")


def our_capture():
    """What capture.py writes against it, and in which of its lines."""
    check.part("examples/tf_graph")
    folder = SOURCE / "examples/tf_graph"
    lines = (folder / "capture.py").read_text(encoding="utf-8").splitlines()
    report = Report(folder / "input")
    # A kernel, and weights and biases of two layers; vectors of words change by rows; the step goes on.
    kinds = {row["operation"]: row["nodes"] for row in report.rows("graph/tpu/operations") if row["judged"] == "incompatible"}
    check.equal("operations", kinds, {"ApplyAdam": 5, "ScatterAdd": 2, "AssignSub": 1, "AssignAdd": 1, "StringSplit": 1,
                                      "HashTableV2": 1, "LookupTableFindV2": 1, "LookupTableImportV2": 1})
    made = {row["operation"]: row["source"] for row in report.rows("graph/tpu/nodes")}
    for operation, text, function in (
            ("StringSplit", "v1.string_split(", "words_of"), ("LookupTableFindV2", "table.lookup(", "words_of"),
            ("HashTableV2", "StaticHashTable(", "words_of"), ("ApplyAdam", ".minimize(", "training"),
            ("AssignAdd", ".minimize(", "training"), ("IteratorV2", "make_initializable_iterator(", "batches")):
        [number] = [i for i, line in enumerate(lines, 1) if text in line]
        check.equal(operation, made[operation], "capture.py:%d (%s)" % (number, function))


def lists():
    check.part("lists")
    nodes = [node("a", "AddV2"), node("b", "UpdateSlice")]
    for version, valid, reason in (("1.5", 1, "not in this list yet: added in TensorBoard 2.4"),
                                   ("1.9", 0, "no longer in the list since TensorBoard 1.9"),
                                   ("2.5", 1, "no longer in the list since TensorBoard 1.9")):
        report = report_on(nodes, None, "--tpu-ops", version)
        check.equal("valid by %s" % version, report.metric("graph.tpu.tensorboard.valid"), valid)
        check.true("reason by %s" % version, reason in {row["reason"] for row in report.rows("graph/tpu/operations")})


def hostile():
    check.part("hostile names")
    evil = "</script><b>\"'&%s\x00\x1b[0m\u202e{}*_`[x](#y)"
    names = [evil, evil + "/" + evil, "/", "a//b", "a/" * 300 + "x", "x" * 5000]
    report = report_on([node("x%d" % i, "NoOp") for i in range(50)] + [node(name, "No" + evil) for name in names] + [node(name + "1", "") for name in names])
    check.equal("incompatible", report.metric("graph.tpu.incompatible"), len(names))
    check.equal("scope sums", scopes(report)[WHOLE][:3], (62, 6, 6))
    report = report_on([node("s%d/t/u" % i, "Op%d" % i) for i in range(5000)])
    check.equal("all are counted", report.metric("graph.tpu.incompatible"), 5000)
    check.equal("rows are bounded", [len(report.rows("graph/tpu/" + table)) for table in ("operations", "scopes", "nodes")],
                [1000, 2000, 2000])
    check.true("and it is said", all(words in said(report) for words in (
        "4,000 more kinds of operations are left out", "8,001 more scopes are left out", "3,000 more nodes are left out")))


def main():
    a_model()
    by_scope()
    functions()
    savers()
    work_of_the_host()
    outside()
    functions_of_the_host()
    newer_than_the_list()
    alarms()
    our_capture()
    lists()
    hostile()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
