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
    check.equal("devices", {row["device"]: row["nodes"] for row in report.rows("graph/devices")}, {"none asked for": 11, "/device:CPU:0": 2})
    check.equal("variables", [(row["variable"], row["elements"], row["bytes"], row["type"]) for row in report.rows("graph/variables")],
                [("dense/w", 12, 48, "float32"), ("step", 1, 8, "int64"), ("odd", None, None, "float32")])
    check.equal("not trained for all we know", report.missing("graph.parameters"), "no file says which variables are trained")
    check.equal("nothing measured", report.missing("graph.time_us"), "no dump of tfprof of this graph was given")
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
                [("eval", "graph", 4, "other nodes: not told about"), ("train", "graph", 13, "the one that is told about"),
                 ("train", "meta graph", 13, "the same nodes")])
    check.equal("the same counts once", both.metric("graph.others"), 1)
    check.equal("trained, by the other", both.metric("graph.parameters"), 12)


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
    log = field(1, field(1, "dense/w") + field(2, 24) + field(3, "_trainable_variables"))
    beside = report_on({"graph.pb": graph(LOOP), "tfprof_log": log})
    check.equal("an op log", beside.metric("graph.parameters"), 12)


def absent():
    check.part("absent")
    report = report_on({"events.out.tfevents.1.vm": version(1.0) + event(2, 1, field(5, field(1, field(1, "loss") + b"\x15\0\0\0\0")))})
    check.equal("no graph", report.missing("graph.nodes"), "the run has no graph of TensorFlow")
    check.true("and no section", "graph" not in [section["id"] for section in report.doc["sections"]])
    report = report_on({"graph.pb": graph([node("a", "NoOp"), node("a", "Add"), node("b", "NoOp", "^a")])})
    check.equal("no variable", [report.metric("graph." + name) for name in ("nodes", "variables", "variable_elements", "control_edges")],
                [2, 0, 0, 1])
    check.true("a name twice", "1 node has the name of one before" in str(report.doc["sections"]))
    with tempfile.TemporaryDirectory() as folder:
        for name, data, words in (("tfprof_log", field(1, field(1, "a") + field(2, 1)), b"which only adds to a graph"),
                                  ("graph.pb", b"", b"the file is empty"), ("graph.pbtxt", b"hello: 5", b"no graph of TensorFlow"),
                                  ("profile_1", b"\x08\x01", b"no dump of tfprof")):
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


def own_capture():
    check.part("our own capture")
    folder = SOURCE / "examples" / "tf_graph" / "input"
    [events] = folder.glob("events.*")
    graphs = [graph_reader.first(record, 4) for record in records(events.read_bytes()) if graph_reader.first(record, 4)]
    report = Report(folder, "--top", "all")
    against_second_reader(report, graph_reader.wire_graph(graphs[0])[0])
    ran, _, _ = graph_reader.dump((folder / "profile_40").read_bytes())
    ran = [one for one in ran.values() if one["steps"]]
    check.equal("time, memory", (report.metric("graph.time_us"), report.metric("graph.requested_bytes")),
                (sum((one["accelerator_us"] + one["cpu_us"]) // one["steps"] for one in ran),
                 sum(one["requested"] // one["steps"] for one in ran)))


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
        if name in total:
            check.equal("time, memory", (dump.metric("graph.time_us"), dump.metric("graph.requested_bytes")), total[name])


def scope_views(data):
    """tfprof's own answer for each scope: time and requested memory with all within it."""
    for name in ("tf221_rnn", "tf221_conv"):
        check.part(f"{name}, scope view")
        rows = {row["id"].removeprefix("graph/scopes/"): row for row in
                Report(Path(data, "tfprof", name), "--top", "all").rows("graph/scopes")}
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
            check.equal(one["name"], (row["time_us"], row["requested_bytes"]),
                        (int(one.get("total_exec_micros", 0)), int(one.get("total_requested_bytes", 0))))
        check.true("scopes compared", compared > 30)


def tfevents(data):
    check.part("tfevents")
    report = Report(Path(data, "tf1"))
    check.equal("tf1", [row["kind"] for row in report.rows("graph/graphs")], ["graph", "meta graph"])


def main():
    for part in (by_hand, large_scopes, in_all_forms, in_event_files, measured, absent, own_capture):
        part()
    if "TPREPORT_TEST_DATA" in os.environ:
        data = Path(os.environ["TPREPORT_TEST_DATA"], "tf")
        stored_graphs(data / "tfprof")
        scope_views(data)
        tfevents(data / "tfevents")
    check.end()


main()
