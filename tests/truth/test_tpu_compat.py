"""TPU compatibility of real graphs, by each list: the answers of a second implementation of TensorBoard's rule."""

import json
import sys

from truth import Check, Report, get, test_data

check = Check()
VERSIONS = {"1.5": "1.5", "1.13": "1.13", "2x": "2.21.0"}


def bad_nodes(report):
    return sorted(row["node"] for row in report.rows("graph/tpu/nodes"))


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
    check.part("the newest is the usual one")
    path = test_data("tf/tfprof/tf221_rnn/graph.pb")
    check.equal("list", get(path, "graph.tpu.list", "graph.tpu.incompatible"),
                {"graph.tpu.list": ("2.5", ""), "graph.tpu.incompatible": ("4", "count")})
    check.end()


if __name__ == "__main__":
    sys.exit(main())
