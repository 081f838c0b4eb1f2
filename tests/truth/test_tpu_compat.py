"""TPU compatibility of real graphs, by each list: the answers of a second implementation of TensorBoard's rule."""

import json
import sys

from truth import Check, Report, get, test_data
from xspace_reader import fields, text

check = Check()
VERSIONS = {"1.5": "1.5", "1.13": "1.13", "2x": "2.21.0"}


def bad_nodes(report):
    return sorted(row["node"] for row in report.rows("graph/tpu/nodes"))


def many(data, number):
    return [value for n, value in fields(data) if n == number]


def first(data, number, default=b""):
    return next(iter(many(data, number)), default)


def places(path, entries, texts, name, code):
    """{node: where the program made it} of a dump or an op log: the innermost frame that is in no installed package."""
    data = path.read_bytes()
    said = {first(entry, 1, 0): text(first(entry, 2)) for entry in many(data, texts)}
    found = {}
    for entry in many(data, entries):
        node = first(entry, 2) if texts == DUMP[1] else entry  # an entry of a map
        frames = [(said.get(first(t, 6, 0), ""), first(t, 2, 0), said.get(first(t, 7, 0), "")) for t in many(first(node, code), 1)]
        own = [frame for frame in frames if "site-packages" not in frame[0]]
        if own:
            found[text(first(node, name))] = "%s:%d (%s)" % own[-1]
    return found


DUMP, LOG = (1, 4, 1, 10), (1, 2, 1, 4)  # numbers of fields: entries, texts, name, code


def where_nodes_are_made(name):
    """Of nodes that stand against a graph the report says in which line they are made."""
    check.part("%s: where nodes are made" % name)
    folder = test_data("tf/tfprof", name)
    for files, expected in ((("graph.pb", "tfprof_log"), places(folder / "tfprof_log", *LOG)),
                            (("profile_9",), places(folder / "profile_9", *DUMP))):
        report = Report(*(folder / file for file in files))
        block = report.blocks["graph/tpu/nodes"]
        got = {row["cells"]["node"]["value"]: row["cells"]["source"].get("full") for row in block["rows"]}
        check.true("%s says it of many" % files[-1], len(expected) > 200 and len(got) >= 4)
        check.equal(files[-1], got, {node: expected.get(node) for node in got})


def against(name, path, version, truth):
    check.part(name)
    report = Report(path, "--tpu-ops", version)
    check.equal("valid", report.metric("graph.tpu.tensorboard.valid"), truth["valid"])
    check.near("share", report.metric("graph.tpu.tensorboard.valid_share"), truth["percent"] / 100)
    check.equal("nodes", sum(row["nodes"] for row in report.rows("graph/tpu/classes")), truth["nodes"])
    check.equal("not valid", bad_nodes(report), sorted(truth["nodes_bad"]))
    kinds = {}
    for row in report.rows("graph/tpu/operations"):
        kinds[row["operation"]] = kinds.get(row["operation"], 0) + row["nodes"]
    check.equal("operations", kinds, truth["incompatible_ops"])

    # Ours lets a saver's nodes off, and nothing else in these graphs.
    excused = [row["node"] for row in report.rows("graph/tpu/nodes") if row.get("judged", "incompatible") != "incompatible"]
    check.equal("savers", sorted(excused), sorted(n for n in truth["nodes_bad"] if n.startswith("save/")))
    check.equal("incompatible", report.metric("graph.tpu.incompatible"), len(truth["nodes_bad"]) - len(excused))
    [whole] = [row for row in report.rows("graph/tpu/scopes") if row["scope"] == "the graph"]
    check.equal("the whole", (whole["judged"], whole["incompatible"]),
                (report.metric("graph.tpu.judged"), report.metric("graph.tpu.incompatible")))
    check.true("no alarm", "TPR-TPU-001" not in {f["id"] for f in report.doc["findings"] if f["status"] == "open"})


def main():
    truth = json.loads(test_data("tf/tpu_compat/EXPECTED.json").read_text(encoding="utf-8"))
    for key, expected in sorted(truth.items()):
        name, version = key.split("|")
        against(key, test_data("tf/tfprof", name, "graph.pb"), VERSIONS[version], expected)
    where_nodes_are_made("tf221_conv")
    where_nodes_are_made("tf221_rnn")
    check.part("the newest is the usual one")
    path = test_data("tf/tfprof/tf221_rnn/graph.pb")
    check.equal("list", get(path, "graph.tpu.list", "graph.tpu.incompatible"),
                {"graph.tpu.list": ("2.5", ""), "graph.tpu.incompatible": ("4", "count")})
    check.end()


if __name__ == "__main__":
    sys.exit(main())
