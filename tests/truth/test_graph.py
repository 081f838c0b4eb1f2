"""Graphs by name scope: written by hand with answers worked out beforehand, in all their forms; and, with TPREPORT_TEST_DATA
set, stored graphs against a second reader, and dumps against tfprof's own scope view."""

import gzip
import json
import os
import tempfile
from collections import Counter
from pathlib import Path

import graph_reader
import graph_writer as w
from graph_writer import LIBRARY, LOOP, LOOP_TEXT, graph, meta, node
from tfrecord import event, tensor, version
from truth import SOURCE, Check, Report, run
from xspace_writer import field

check = Check()
COUNTS = ("graph.nodes", "graph.kinds", "graph.edges", "graph.control_edges", "graph.scopes", "graph.functions",
          "graph.function_nodes", "graph.variables", "graph.variable_elements", "graph.variable_bytes")


def report_on(files, *more):
    """On files of a folder; a single one is given by itself."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, "logs", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return Report(path if len(files) == 1 else Path(folder, "logs"), "--top", "all", *more)


def counts(report):
    return {name: report.metric(name) for name in COUNTS}


def scopes(report):
    return {row["id"].removeprefix("graph/scopes/"): (row["nodes"], row["operations"]) for row in report.rows("graph/scopes")}


def flows(report):
    """{(from, to): (weight, text, kind)} of the drawing."""
    chart = report.blocks["graph/drawing"]
    names = [box["label"] for box in chart["boxes"]]
    return {(names[a["from"]], names[a["to"]]): (a["weight"], a["label"], a.get("kind", "data")) for a in chart["arrows"]}


def tables(report):
    """All that is said of a graph, but for names of files."""
    return {name: block for name, block in report.blocks.items()
            if name.startswith("graph/") and name not in ("graph/graphs", "graph/how")}


BY_HAND = {"graph.nodes": 13, "graph.kinds": 15, "graph.edges": 12, "graph.control_edges": 2, "graph.scopes": 5, "graph.functions": 1,
           "graph.function_nodes": 2, "graph.variables": 3, "graph.variable_elements": 13, "graph.variable_bytes": 4 * 12 + 8}


def by_hand():
    check.part("by hand")
    report = report_on({"graph.pb": graph(LOOP, LIBRARY)})
    check.equal("counts", counts(report), BY_HAND)
    check.equal("one of three variables has no shape", report.metrics["graph.variable_elements"]["coverage"], "2 of 3 variables")
    check.equal("scopes", scopes(report), {
        "the%20graph": (13, "Placeholder 1, VariableV2 1, Identity 1 …"), "dense": (3, "VariableV2 1, Identity 1, MatMul 1"),
        "dense/w": (2, "VariableV2 1, Identity 1"), "loop": (3, "Enter 1, Merge 1, LoopCond 1"),
        "body": (2, "Switch 1, NextIteration 1"), "step": (2, "VarHandleOp 1, ReadVariableOp 1"), "f": (2, "Mul 1, Add 1"),
        "f/inside": (2, "Mul 1, Add 1")})
    check.equal("flows", flows(report), {
        ("x", "dense"): (1, "1 tensor of 32 elements", "data"), ("dense", "loop"): (1, "1 tensor of 24 elements", "data"),
        ("loop", "body"): (2, "2 tensors", "data"), ("body", "loop"): (1, "1 tensor of 24 elements", "data"),
        ("x", "body"): (0.01, "1 control input", "control"), ("body", "step"): (0.01, "1 control input", "control"),
        ("body", "call"): (1, "1 tensor of 24 elements", "data")})
    check.equal("devices", {row["device"]: row["nodes"] for row in report.rows("graph/devices")}, {"none requested": 11, "/device:CPU:0": 2})
    check.equal("variables", [(row["variable"], row["elements"], row["bytes"], row["type"]) for row in report.rows("graph/variables")],
                [("dense/w", 12, 48, "float32"), ("step", 1, 8, "int64"), ("odd", None, None, "float32")])
    check.equal("not trained for all we know", report.missing("graph.parameters"), "no file says which variables are trained")
    check.equal("nothing measured", report.missing("graph.time_us"), "there is no tfprof dump of this graph")
    check.true("an input that is not there", "1 input names no node of the graph" in str(report.doc["sections"]))


def large_scopes():
    check.part("large scopes")
    for scope in ("backprop", "gradients", "gradients_1", "gradient_tape", "tower/gradients"):
        parts = [node(f"{scope}/{layer}/{op}", "Mul") for layer in ("a", "b") for op in ("x", "y")]
        report = report_on({"graph.pb": graph([node("model/x", "Placeholder"), node("model/y", "Relu"), *parts])})
        drawn = {box["label"] for box in report.blocks["graph/drawing"]["boxes"]} - {"model"}
        check.equal(scope, drawn, {f"{scope}/a", f"{scope}/b"} if scope == "backprop" else {scope})


def in_all_forms():
    check.part("in all forms")
    wire = report_on({"graph.pb": graph(LOOP, LIBRARY)})
    for name, data in {"graph.pbtxt": LOOP_TEXT.encode(), "anything": LOOP_TEXT.encode(), "g.bin": graph(LOOP, LIBRARY),
                       "g.pb.gz": gzip.compress(graph(LOOP, LIBRARY))}.items():
        check.equal(name, tables(report_on({name: data})), tables(wire))
    for name, data in {"x.meta": meta(LOOP, trained=["dense/w"]), "saved_model.pb": w.saved(meta(LOOP, trained=["dense/w"]))}.items():
        report = report_on({name: data})
        check.equal(name, report.metric("graph.nodes"), 13)
        check.equal(name + ": trained", report.metric("graph.parameters"), 12)
    text = 'meta_info_def { tensorflow_version: "2.21.0" } graph_def {' + LOOP_TEXT + '''}
        collection_def { key: "trainable_variables" value { bytes_list { value: "\\n\\tdense/w:0" } } }'''
    report = report_on({"meta.pbtxt": text.encode()})
    check.equal("a meta graph as text", (report.metric("graph.nodes"), report.metric("graph.parameters")), (13, 12))


def in_event_files():
    check.part("in event files")
    start = version(1.0)
    events = {"graph": event(2, 0, field(4, graph(LOOP, LIBRARY))), "meta graph": event(2, 0, field(9, meta(LOOP, ["dense/w"]))),
              "function": event(2, 7, tensor("fn", 7, field(8, w.run(graph(LOOP, LIBRARY))), plugin="graph_run_metadata_graph"))}
    for name, data in events.items():
        report = report_on({"train/events.out.tfevents.1.vm": start + data})
        check.equal(name, (report.metric("graph.nodes"), report.metric("graph.control_edges")), (13, 2))
    both = report_on({"train/events.out.tfevents.1.vm": start + events["graph"] + events["meta graph"] + events["graph"],
                      "eval/events.out.tfevents.2.vm": start + event(3, 0, field(4, graph(LOOP[:4])))})
    check.equal("chief and evaluation", [(row["in"] if "in" in row else row["folder"], row["kind"], row["nodes"], row["note"])
                                         for row in both.rows("graph/graphs")],
                [("eval", "graph", 4, "other nodes: not reported"), ("train", "graph", 13, "this graph"),
                 ("train", "meta graph", 13, "the same nodes")])
    check.equal("the same counts once", both.metric("graph.others"), 1)
    check.equal("trained, by the other", both.metric("graph.parameters"), 12)


CPU, GPU = (f"/job:localhost/replica:0/task:0/device:{name}:0" for name in ("CPU", "GPU"))
START = version(1.0)
SMALL = [node("x", "Placeholder"), node("a/mm", "MatMul", "x", "x"), node("a/relu", "Relu", "a/mm"), node("out", "Sum", "a/relu")]


def tagged(run, tag="step", step=5):
    """An event as FileWriter.add_run_metadata writes it."""
    return event(2, step, field(8, field(1, tag) + field(2, run)))


def traced(run, tag="fn", plugin="graph_run_metadata_graph"):
    return event(2, 3, tensor(tag, 7, field(8, run), plugin=plugin))


def in_run_metadata():
    check.part("in RunMetadata")
    placed = w.parts(graph([node("x", "_Arg", device=CPU), node("a/mm/_0", "_Send", "x", device=CPU)]),
                     graph([node("a/mm", "_MklMatMul", "x", "x", device=GPU), node("a/relu", "Relu", "a/mm", device=GPU)]))
    bare = report_on({"events.out.tfevents.1.vm": START + tagged(placed)})
    check.equal("what devices got", (bare.metric("graph.nodes"), bare.metric("graph.edges")), (4, 4))
    check.equal("where", {row["device"]: row["nodes"] for row in bare.rows("graph/devices")}, {CPU: 2, GPU: 2})
    check.equal("by scope", {row["scope"]: row["devices"] for row in bare.rows("graph/scopes")},
                {"the graph": "/device:CPU:0 2, /device:GPU:0 2", "a": "/device:GPU:0 2, /device:CPU:0 1",
                 "mm": "/device:CPU:0 1, /device:GPU:0 1"})
    asked = [node("x", "Placeholder", device="/device:CPU:0"), *SMALL[1:]]
    beside = report_on({"events.out.tfevents.1.vm": START + event(2, 0, field(4, graph(asked))) + tagged(placed)
                        + tagged(placed, "again", 9)})
    check.equal("the graph is told about, what devices got once", [(row["number"], row["kind"], row["nodes"], row["note"])
                                                                  for row in beside.rows("graph/graphs")],
                [(1, "graph", 4, "this graph"), (2, "what devices received for a step", 4, "says where its nodes ran")])
    check.equal("asked", {row["device"]: row["nodes"] for row in beside.rows("graph/devices")}, {"none requested": 3, "/device:CPU:0": 1})
    check.equal("placed", {row["device"]: row["nodes"] for row in beside.rows("graph/places")}, {CPU: 1, GPU: 2, "in no recorded step": 1})
    check.equal("one name a device", beside.rows("graph/scopes")[0]["devices"], "/device:GPU:0 2, /device:CPU:0 1")
    check.equal("no other graph", beside.metric("graph.others"), 0)
    ran = w.stats({CPU: [("x", "x = _Arg()"), ("a/relu", "a/relu = Relu(a/mm:0, ^x)"), ("a/relu", "a/relu = Relu(a/mm:0, ^x)")],
                   GPU: [("a/mm", "[GPU] 1.0MB 2.0MB a/mm = MatMul(x, x)"), ("x", "x = Const()"), ("odd", "no label"), ("v", "v = VarHandleOp()")],
                   GPU + "/stream:all": [("a/mm", "a/mm = MatMul(x, x)")]})
    bare = report_on({"events.out.tfevents.1.vm": START + tagged(ran)})
    check.equal("what ran; x is on two devices", [bare.metric("graph." + name) for name in ("nodes", "edges", "control_edges", "variables")],
                [3, 1, 0, 1])
    check.equal("its shape is not said", bare.missing("graph.variable_elements"), "no variable's shape is known")
    beside = report_on({"events.out.tfevents.1.vm": START + event(2, 0, field(4, graph(SMALL))) + tagged(ran)})
    check.equal("placed by what ran", {row["device"]: row["nodes"] for row in beside.rows("graph/places")}, {CPU: 1, GPU: 1, "in no recorded step": 2})
    dumped = w.dump(w.dump_node(0, "x", "Placeholder", execs={0: (1, 0, 1, 0)}, device=CPU.lower()),
                    w.dump_node(1, "a/mm", "MatMul", inputs=(0,), execs={0: (1, 1, 1, 0)}, device=GPU.lower()), steps=(0,))
    beside = report_on({"graph.pb": graph([*SMALL[:3], node("out", "Sum", device="/device:CPU:0")]), "profile_0": dumped})
    check.equal("a dump writes devices small", beside.rows("graph/scopes")[0]["devices"], "/device:cpu:0 2, /device:gpu:0 1")
    function = field(4, field(1, graph([node("a/mm", "MatMul", device=GPU)])) + field(2, graph(SMALL)))
    for plugin in ("graph_run_metadata_graph", "graph_run_metadata"):
        report = report_on({"events.out.tfevents.1.vm": START + traced(function, plugin=plugin)})
        check.equal(plugin, [(row["kind"], row["nodes"]) for row in report.rows("graph/graphs")],
                    [("function that ran", 4), ("what devices received for a step", 1)])
        check.equal("of one node it says where it was", {row["device"]: row["nodes"] for row in report.rows("graph/places")}, {GPU: 1, "in no recorded step": 3})
    many = b"".join(field(4, field(1, graph([node(f"n{i}", "NoOp", device=CPU)])) + field(2, graph([node(f"n{i}", "NoOp")] + SMALL[:i % 3])))
                    for i in range(40))
    report = report_on({"events.out.tfevents.1.vm": START + traced(many + function)})
    check.equal("the last of many functions, and where it was", {row["device"]: row["nodes"] for row in report.rows("graph/places")},
                {GPU: 1, "in no recorded step": 3})
    report = report_on({"events.out.tfevents.1.vm": START + b"".join(tagged(w.parts(graph([node(f"n{i}", "NoOp")])), f"t{i}", i)
                                                                     for i in range(40))})
    check.equal("steps that differ", len(report.rows("graph/graphs")), 16)
    report = report_on({"events.out.tfevents.1.vm": START + traced(field(4, field(1, graph(SMALL))))})
    check.equal("only what devices got of a function", report.metric("graph.nodes"), 4)


def asked_for():
    check.part("asked for")
    files = {"a/graph.pb": graph(LOOP, LIBRARY), "b/graph.pb": graph(SMALL)}
    check.equal("the larger", report_on(files).metric("graph.nodes"), 13)
    second = report_on(files, "--graph", "2")
    check.equal("the second", (second.metric("graph.nodes"), [row["note"] for row in second.rows("graph/graphs")]),
                (4, ["other nodes: not reported", "this graph"]))
    check.true("it says so", "this is the requested one" in str(second.doc["sections"]))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "graph.pb").write_bytes(graph(SMALL))
        for word, said in (("2", b"the run has 1 TensorFlow graph"), ("0", b"give the number of a graph"), ("x", b"give the number of a graph")):
            done = run(folder, "--graph", word, "-o", Path(folder, "r.json"))
            check.true(f"--graph {word}: {done.stderr}", done.returncode != 0 and said in done.stderr)


def functions():
    check.part("functions")
    body = {"f": [node("m", "Mul")], "body": [w.call("inner", "PartitionedCall", "f"), node("n", "NoOp")], "yes": [node("m", "Mul")],
            "no": [node("m", "Mul")], "old": [node("m", "Mul")], "dead": [w.call("c", "PartitionedCall", "deader")],
            "deader": [node("m", "Mul")], "served": [w.call("c", "PartitionedCall", "by_served")], "by_served": [node("m", "Mul")]}
    nodes = [w.call("while", "While", "body", attr="body"), w.call("case", "Case", "yes", "no", attr="branches"), node("o1", "old"),
             node("o2", "old"), w.call("gone", "PartitionedCall", "of another graph")]
    report = report_on({"graph.pb": graph(nodes, body)})
    expected = {"f": (0, 1, "called through others"), "body": (1, 0, "called"), "yes": (1, 0, "called"), "no": (1, 0, "called"),
                "old": (2, 0, "called"), "dead": (0, 0, "never called"), "deader": (0, 1, "called by functions that are never called"),
                "served": (0, 0, "never called"), "by_served": (0, 1, "called by functions that are never called")}
    check.equal("calls", {row["function"]: (row["calls"], row["calls_in_functions"], row["note"]) for row in report.rows("graph/functions")},
                expected)
    check.equal("never called", report.metric("graph.functions_uncalled"), 4)
    for table in ("graph/scopes", "graph/tpu/scopes"):
        check.true(f"said in {table}", {"function dead (never called)", "function f"} <= {row["scope"] for row in report.rows(table)})
    text = '''node { name: "w" op: "While" attr { key: "body" value { func { name: "f" } } } }
        node { name: "c" op: "Case" attr { key: "branches" value { list { func { name: "f" } func { name: "g" } } } } }
        library { function { signature { name: "f" } node_def { name: "m" op: "Mul" } }
                  function { signature { name: "g" } node_def { name: "m" op: "Mul" } } }'''
    report = report_on({"graph.pbtxt": text.encode()})
    check.equal("as text", {row["function"]: row["calls"] for row in report.rows("graph/functions")}, {"f": 2, "g": 1})
    served = field(2, graph(nodes, body)) + field(7, field(2, field(1, "served") + field(2, b"")))
    report = report_on({"saved_model.pb": w.saved(field(1, field(5, "2.21.0")) + served)})
    notes = {row["function"]: row["note"] for row in report.rows("graph/functions")}
    check.equal("of a saved model", (notes["served"], notes["by_served"], report.metric("graph.functions_uncalled")),
                ("belongs to a saved-model object", "called through others", 2))


def keras_tensor(name, output=0):
    return {"class_name": "__keras_tensor__", "config": {"shape": [None, 4], "keras_history": [name, 0, output]}}


def layer(name, kind="Dense", *calls, **config):
    """A layer of a Functional model of Keras 3, each call a list of the tensors it is given."""
    return {"class_name": kind, "name": name, "config": {"name": name, **config},
            "inbound_nodes": [{"args": [[keras_tensor(*one) for one in call]], "kwargs": {}} for call in calls]}


def keras(model):
    return START + event(2, 0, tensor("keras", 7, field(8, json.dumps(model)), plugin="graph_keras_model"))


def keras_models():
    check.part("models of Keras")
    block = layer("block", "Functional", [("a",), ("b",)], [("block", 1), ("a",)], input_layers=[["p", 0, 0], ["q", 0, 0]],
                  output_layers=[["s", 0, 0], ["d", 0, 0]],
                  layers=[layer("p", "InputLayer"), layer("q", "InputLayer"), layer("s", "Add", [("p",), ("q",)]),
                          layer("d", "Subtract", [("p",), ("q",)])])
    tail = layer("tail", "Sequential", [("block", 1)])
    tail["config"]["layers"] = [{"class_name": "Dense", "config": {"name": name}} for name in ("e", "f")]
    attention = layer("mha", "MultiHeadAttention")
    attention["inbound_nodes"] = [{"args": [], "kwargs": {"query": keras_tensor("tail"), "value": keras_tensor("a"), "mask": None}}]
    model = {"class_name": "Functional", "config": {"name": "net", "layers": [
        layer("a", "InputLayer"), layer("b", "InputLayer"), block, tail, attention]}}
    report = report_on({"events.out.tfevents.1.vm": keras(model)})
    # p: a, d; q: b, a; s and d: p and q; e: d; f: e; mha: f, a.
    check.equal("layers", [report.metric("graph." + name) for name in ("nodes", "edges", "scopes", "kinds")], [9, 12, 3, 5])
    check.equal("flows", {pair: text for pair, (_, text, _) in flows(report).items()},
                {("net/a", "net/block"): "2 tensors", ("net/b", "net/block"): "1 tensor", ("net/block", "net/tail"): "1 tensor",
                 ("net/tail", "net/mha"): "1 tensor", ("net/a", "net/mha"): "1 tensor"})
    check.equal("parameters", report.missing("graph.parameters"), "a Keras model does not list its variables")
    check.equal("operations are not judged", report.missing("graph.tpu.judged"), "the graph holds Keras layers, not operations")
    old = {"class_name": "Model", "config": {"name": "net", "layers": [
        {"name": "a", "class_name": "InputLayer", "config": {}, "inbound_nodes": []},
        {"name": "b", "class_name": "Dense", "config": {}, "inbound_nodes": [[["a", 0, 0, {}]]]},
        {"name": "c", "class_name": "Add", "config": {}, "inbound_nodes": [[["a", 0, 0, {}], ["b", 0, 0, {"other": ["b", 0, 0]}]]]}]}}
    report = report_on({"events.out.tfevents.1.vm": keras(old)})
    check.equal("of Keras 2", (report.metric("graph.nodes"), report.metric("graph.edges")), (3, 4))
    oldest = {"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": name}} for name in "abc"]}
    report = report_on({"events.out.tfevents.1.vm": keras(oldest)})
    check.equal("of Keras before 2.2.3", (report.metric("graph.nodes"), report.metric("graph.edges")), (3, 2))
    row = {"class_name": "Sequential", "config": {"name": "row", "layers": [
        {"class_name": "InputLayer", "config": {"name": "in"}},
        {**layer("net", "Functional", input_layers=["x", 0, 0], output_layers=["y", 0, 0],
                 layers=[layer("x", "InputLayer"), layer("y", "Dense", [("x",)])]), "inbound_nodes": None},
        {"class_name": "Dense", "config": {"name": "last"}}]}}
    report = report_on({"events.out.tfevents.1.vm": keras(row)})
    check.equal("a model in a row", (report.metric("graph.nodes"), report.metric("graph.edges")), (4, 3))
    both = report_on({"events.out.tfevents.1.vm": keras(model) + event(2, 0, field(4, graph(SMALL)))})
    check.equal("operations rather than layers", [(row["kind"], row["variables"], row["note"]) for row in both.rows("graph/graphs")],
                [("Keras layers", None, "other nodes: not reported"), ("graph", 0, "this graph")])
    for odd in ("[]", "{}", "no json", [1, {"config": {"layers": [{}, 3, None, {"config": {"layers": [{"name": "a"}]}}]}}]):
        report = report_on({"events.out.tfevents.1.vm": keras(odd)})
        check.true(f"{odd}: no graph", report.missing("graph.nodes") == "the run has no TensorFlow graph")


def measured():
    check.part("measured")
    nodes = [w.dump_node(2, "dense/MatMul", "MatMul", inputs=(0, 1), execs={0: (1, 0, 10, 100), 3: (2, 5, 6, 50)}),
             w.dump_node(0, "x", "Placeholder"), w.dump_node(1, "dense/w", "VariableV2", of=(4, 3), types=("_trainable_variables",)),
             w.dump_node(3, "Fold/c", "Fold/c", execs={3: (1, 0, 7, 8)}), w.dump_node(4, "loss", "Sum", inputs=(2, 99))]
    report = report_on({"profile_3": w.dump(*nodes, steps=(0, 3))})
    # (10 + 5 + 6) // 2 of the product, and 7 of what only the run knows; 150 // 2 + 8.
    check.equal("figures", [report.metric(f"graph.{name}") for name in ("nodes", "time_us", "requested_bytes", "parameters", "edges")],
                [4, 17, 83, 12, 3])
    check.equal("by scope", {row["scope"]: row["time_us"] for row in report.rows("graph/scopes")}, {"the graph": 10, "dense": 10})
    beside = report_on({"graph.pb": graph([node("x", "Placeholder"), node("dense/w", "VariableV2", of=[4, 3]),
                                           node("dense/MatMul", "MatMul", "x", "dense/w"), node("loss", "Sum", "dense/MatMul")]),
                        "profile_3.gz": gzip.compress(w.dump(*nodes, steps=(0, 3))), "profile_0": w.dump(*nodes[:3], steps=(0,))})
    check.equal("added to the graph", [beside.metric(f"graph.{name}") for name in ("nodes", "time_us", "parameters", "control_edges")],
                [4, 17, 12, 0])
    cold = w.dump_node(2, "dense/MatMul", "MatMul", inputs=(0, 1), execs={3: (1, 0, 900, 100), 4: (2, 5, 6, 50), 7: (1, 0, 4, 9)})
    report = report_on({"profile_7": w.dump(cold, w.dump_node(5, "once", "Sum", execs={3: (1, 0, 50, 1)}), *nodes[1:3], steps=(3, 4, 7))})
    # Of three steps the first does not count: (11 + 4) // 2 and 59 // 2; nothing of what ran in it alone.
    check.equal("without the first step", [report.metric(name) for name in (
        "graph.time_us", "graph.requested_bytes", "tfprof.total_us", "tfprof.requested_bytes")], [7, 29, 7, 29])
    later = w.dump_node(2, "dense/MatMul", "MatMul", inputs=(0, 1), execs={9: (1, 40, 2, 50)})
    beside = report_on({"graph.pb": graph([node("x", "Placeholder"), node("dense/w", "VariableV2", of=[4, 3]),
                                           node("dense/MatMul", "MatMul", "x", "dense/w"), node("loss", "Sum", "dense/MatMul")]),
                        "pctx/profile_3": w.dump(*nodes, steps=(0, 3)), "profile_9": w.dump(later, *nodes[1:3], steps=(9,))})
    check.equal("the latest dump tells, however few its steps", beside.metric("graph.time_us"), 42)
    log = field(1, field(1, "dense/w") + field(2, 24) + field(3, "_trainable_variables"))
    beside = report_on({"graph.pb": graph(LOOP), "tfprof_log": log})
    check.equal("an op log", beside.metric("graph.parameters"), 12)


def absent():
    check.part("absent")
    report = report_on({"events.out.tfevents.1.vm": version(1.0) + event(2, 1, field(5, field(1, field(1, "loss") + b"\x15\0\0\0\0")))})
    check.equal("no graph", report.missing("graph.nodes"), "the run has no TensorFlow graph")
    check.true("and no section", "graph" not in [section["id"] for section in report.doc["sections"]])
    report = report_on({"graph.pb": graph([node("a", "NoOp"), node("a", "Add"), node("b", "NoOp", "^a")])})
    check.equal("no variable", [report.metric("graph." + name) for name in ("nodes", "variables", "variable_elements", "control_edges")],
                [2, 0, 0, 1])
    check.true("a name twice", "1 node has an earlier node's name" in str(report.doc["sections"]))
    with tempfile.TemporaryDirectory() as folder:
        for name, data, words in (("tfprof_log", field(1, field(1, "a") + field(2, 1)), b"which only adds to a graph"),
                                  ("graph.pb", b"", b"the file is empty"), ("graph.pbtxt", b"hello: 5", b"not a TensorFlow graph"),
                                  ("profile_1", b"\x08\x01", b"not a tfprof dump")):
            Path(folder, name).write_bytes(data)
            done = run(Path(folder, name), "-o", Path(folder, "r.json"))
            check.true(f"{name}: {done.stderr}", done.returncode == 4 and words in done.stderr)


def second_reader(nodes):
    """Figures of a graph, and its scopes with the number of nodes in each."""
    names = [n["name"] for n in nodes]
    prefixes = {name[:i] for name in names for i, c in enumerate(name) if c == "/"}
    within = Counter()
    for name in names:
        parts = name.split("/")
        for k in range(1, len(parts) + (name in prefixes)):
            within["/".join(parts[:k])] += 1
    inputs = [i for n in nodes for i in n["inputs"]]
    variables = [n for n in nodes if n["op"] in graph_reader.VARIABLES]
    return {"graph.nodes": len(nodes), "graph.kinds": len({n["op"] for n in nodes}), "graph.scopes": len(prefixes),
            "graph.edges": sum(i[0] != "^" for i in inputs), "graph.control_edges": sum(i[0] == "^" for i in inputs),
            "graph.variables": len(variables),
            "graph.variable_elements": sum(graph_reader.product(n["shape"]) for n in variables)}, within


def expected_flows(nodes, labels):
    """{(from, to): (tensors, control)} between the boxes that have these labels."""
    rest = next((label for label in labels if "other scope" in label), None)

    def box(name):
        parts = name.split("/")
        for k in range(len(parts), 0, -1):
            if "/".join(parts[:k]) in labels:
                return "/".join(parts[:k])
        return rest
    found = Counter()
    for n in nodes:
        for i in n["inputs"]:
            there, here = box(i.lstrip("^").split(":")[0]), box(n["name"])
            if there != here:
                found[there, here, i[0] == "^"] += 1
    return {pair: (found[(*pair, False)], found[(*pair, True)]) for pair in {key[:2] for key in found}}


def number_in(text, word):
    """12 of "12 tensors of 1,024 elements, 3 control inputs" for "tensor"."""
    return next((int(part.split()[0].replace(",", "")) for part in text.split(", ")
                 if len(part.split()) > 1 and part.split()[1].startswith(word)), 0)


def against_second_reader(report, nodes):
    figures, within = second_reader(nodes)
    check.equal("figures", {key: report.metric(key) for key in figures}, figures)
    got = scopes(report)
    got.pop("the%20graph")
    check.equal("scopes", {key: value[0] for key, value in got.items()}, dict(within))
    check.equal("kinds", {row["operation"]: row["nodes"] for row in report.rows("graph/operations")}, Counter(n["op"] for n in nodes))
    labels = [box["label"] for box in report.blocks["graph/drawing"]["boxes"]]
    check.equal("flows", {pair: (number_in(text, "tensor"), number_in(text, "control"))
                          for pair, (_, text, _) in flows(report).items()}, expected_flows(nodes, labels))


def records(data):
    """Of an event file."""
    while data:
        size = int.from_bytes(data[:8], "little")
        yield data[12:12 + size]
        data = data[16 + size:]


def per_step(path, first=True):
    """Nodes of a dump with (time, requested memory), the mean of the steps in which each ran; first: whether the first of the steps counts."""
    data = path.read_bytes()
    steps = sorted(graph_reader.dump(data)[2])
    nodes, _, _ = graph_reader.dump(data, None if first else steps[0])
    return {name: ((one["accelerator_us"] + one["cpu_us"]) // one["steps"], one["requested"] // one["steps"])
            for name, one in nodes.items() if one["steps"]}


def sum_of(figures):
    return tuple(map(sum, zip((0, 0), *figures)))


def own_capture():
    check.part("our own capture")
    folder = SOURCE / "examples" / "tf_graph" / "input"
    [events] = folder.glob("events.*")
    graphs = [graph_reader.first(record, 4) for record in records(events.read_bytes()) if graph_reader.first(record, 4)]
    report = Report(folder, "--top", "all")
    against_second_reader(report, graph_reader.wire_graph(graphs[0])[0])
    check.equal("time, memory", (report.metric("graph.time_us"), report.metric("graph.requested_bytes")),
                sum_of(per_step(folder / "profile_40", first=False).values()))


def stored_graphs(data):
    trained = {"tf221_rnn": 1856, "tf221_conv": 51162, "tf114_conv": 51162, "gpusynth_conv": 51162}
    total = {"tf221_rnn": (200782, 151298), "tf221_conv": (134593, 8406236), "gpusynth_conv": (179323, 8406236)}
    for name, parameters in trained.items():
        check.part(name)
        folder = Path(data, name)
        wire = Report(folder / "graph.pb", "--top", "all")
        nodes, _ = graph_reader.wire_graph((folder / "graph.pb").read_bytes())
        against_second_reader(wire, nodes)
        text = Report(folder / "graph.pbtxt", "--top", "all")
        check.equal("as text", (tables(text), counts(text)), (tables(wire), counts(wire)))
        check.equal("the second reader of text", graph_reader.text_graph((folder / "graph.pbtxt").read_bytes()), nodes)
        dump = Report(folder / "profile_9", "--top", "all")
        check.equal("parameters", dump.metric("graph.parameters"), parameters)
        check.equal("parameters of the folder", Report(folder, "--top", "all").metric("graph.parameters"), parameters)
        if name == "tf114_conv":
            check.equal("of the dumps of steps 5, 7 and 9 the last", Report(folder, "--top", "all").metric("graph.time_us"),
                        dump.metric("graph.time_us"))
        if name in total:
            check.equal("the second reader of the dump, all steps", sum_of(per_step(folder / "profile_9").values()), total[name])
            expected = sum_of(per_step(folder / "profile_9", first=False).values())
            check.equal("time, memory", (dump.metric("graph.time_us"), dump.metric("graph.requested_bytes")), expected)
            check.equal("of tfprof", (dump.metric("tfprof.total_us"), dump.metric("tfprof.requested_bytes")), expected)


def scope_views(data):
    """Each scope's time and requested memory with all within it: tfprof's own answer for all steps, and by the same reader that of the report."""
    for name in ("tf221_rnn", "tf221_conv"):
        check.part(f"{name}, scope view")
        rows = {row["id"].removeprefix("graph/scopes/"): row for row in
                Report(Path(data, "tfprof", name), "--top", "all").rows("graph/scopes")}
        all_steps, steady = (per_step(Path(data, "tfprof", name, "profile_9"), first) for first in (True, False))

        def within(nodes, scope):
            return sum_of(figures for node, figures in nodes.items() if f"{node}/".startswith(f"{scope}/"))
        with gzip.open(Path(data, "truth", name, "scope_all_selects.json.gz")) as file:
            stack = [json.load(file)]
        compared = 0
        while stack:
            one = stack.pop()
            stack += one.get("children", [])
            row = rows.get(one["name"])
            if row is None or not one.get("children"):
                continue
            compared += 1
            check.equal(f"{one['name']}, all steps", within(all_steps, one["name"]),
                        (int(one.get("total_exec_micros", 0)), int(one.get("total_requested_bytes", 0))))
            check.equal(one["name"], (row["time_us"], row["requested_bytes"]), within(steady, one["name"]))
        check.true("scopes compared", compared > 30)


def tfevents(data):
    check.part("tfevents")
    report = Report(Path(data, "tf1"))
    check.equal("tf1", [row["kind"] for row in report.rows("graph/graphs")],
                ["graph", "meta graph", "what ran in a step"])


def main():
    for part in (by_hand, large_scopes, in_all_forms, in_event_files, in_run_metadata, asked_for, functions, keras_models, measured, absent, own_capture):
        part()
    if "TPREPORT_TEST_DATA" in os.environ:
        data = Path(os.environ["TPREPORT_TEST_DATA"], "tf")
        stored_graphs(data / "tfprof")
        scope_views(data)
        tfevents(data / "tfevents")
    check.end()


main()
