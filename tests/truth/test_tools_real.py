"""Real tool files of older profilers as input, read by Python's json; alone, beside the events they came from, and beside each other."""

import gzip
import json
import sys
import tempfile
from pathlib import Path

from tool_reports import report_on
from truth import Check, Report, run, test_data

check = Check()


def percent(text):
    return float(text.rstrip("%")) / 100


def real_json(folder):
    """A folder of real files against what Python reads in them."""
    check.part(folder.name)
    [overview] = folder.glob("*.overview_page.json")
    [pipeline] = folder.glob("*.input_pipeline.json")
    tables = json.loads(overview.read_text())
    [steps] = [t for t in tables if any(c["id"] == "stepnum" for c in t.get("cols", []))]
    [top] = [t for t in tables if any(c["id"] == "flopRate" for c in t.get("cols", []))]
    parts = [i for i, c in enumerate(steps["cols"]) if c["id"].endswith("TimeMs")]
    times = [sum(row["c"][i]["v"] for i in parts) for row in steps["rows"]]
    report = Report(folder, "--top", "all")
    check.near("mean step", report.metric("step.time.mean_ms"), sum(times) / len(times))
    for what, key in (("min", "minimum"), ("max", "maximum"), ("mean", "average"), ("sd", "standard_deviation")):
        check.printed(what, report.metric(f"step.time.{what}_ms"), steps["p"][f"steptime_ms_{key}"])
    for row, ms in zip(steps["rows"], times):
        tooltip = float(row["c"][[c["id"] for c in steps["cols"]].index("tooltip")]["v"].split("Step time = ")[1].split()[0])
        check.near("the file's own step time", ms, tooltip, rel=1e-4)
    for metric, key in (("matrix_unit.utilization_share", "mxu_utilization_percent"), ("host.idle_share", "host_idle_time_percent"),
                        ("flops.relative_to_roofline_share", "flop_rate_utilization_relative_to_roofline"),
                        ("memory_bandwidth.utilization_share", "memory_bw_utilization_relative_to_hw_limit")):
        check.near(metric, report.metric(metric), percent(top["p"][key]))
    [ops] = [t for t in json.loads(pipeline.read_text()) if any(c["id"] == "opName" for c in t.get("cols", []))]
    check.near("preprocessing", report.metric("input.host.preprocessing_us"), float(ops["p"]["preprocessing_us"]))
    check.equal("input operations", {r["name"] for r in report.rows("input-pipeline/operations")},
                {r["c"][0]["v"] for r in ops["rows"]})
    return report


def memory_beside(capture, answer):
    """A program's plan beside the capture of the same program, as it is and with another peak."""
    for mib, differs in ((None, "no"), (40.0, "yes")):
        plan = json.loads(answer.read_text())
        plan["peakHeapMib"] = mib or plan["peakHeapMib"]
        both = report_on(**{"vm.xplane.pb": capture.read_bytes(), "vm.memory_viewer.json": json.dumps(plan).encode()})
        [row] = both.rows("method/precomputed-figures")
        check.equal("peak of the file", row["tool_file"], round(plan["peakHeapMib"] * 2**20))
        check.equal("peak of the capture", row["here"], both.metric("memory.peak_bytes@module=jit_train_step"))
        check.equal("differs", row["differs"], differs)


def peers():
    """What the existing tool answers of a capture, as tool files: alone they give the same sections, beside the capture they agree."""
    for name, exact in (("jax_cnn", 1e-6), ("tf_slow_api", 1e-6), ("tf_fast_api", 1e-6), ("synth_tpu_steps", 1e-6)):
        check.part(f"{name}'s tool files")
        truth = test_data("xla/truth", name)
        files = {"vm.overview_page.json": truth / "overview_page.json", "vm.input_pipeline.json": truth / "input_pipeline_analyzer.json"}
        files = {kind: path.read_bytes() for kind, path in files.items()}
        alone = report_on(**files)
        [capture] = test_data("xla/captured", name).glob("**/*.xplane.pb")
        events = Report(capture, "--top", "all")
        check.near("mean step", alone.metric("step.time.mean_ms"), events.metric("step.time.mean_ms"), rel=1e-3)
        sections = {s["id"] for s in alone.doc["sections"]}
        check.true(f"sections {sections}", {"steps", "input-pipeline", "performance"} <= sections <= {s["id"] for s in events.doc["sections"]})
        check.true("marked", "recomputed by the profiler" in json.dumps(alone.doc))
        both = report_on(**{"vm.xplane.pb": capture.read_bytes(), **files})
        check.equal("the capture wins", {k: m.get("value") for k, m in both.metrics.items()}, {k: m.get("value") for k, m in events.metrics.items()})
        rows = both.rows("method/precomputed-figures")
        check.true("the mean step agrees", [r["differs"] for r in rows][:1] == ["no"])
        text, differ = json.dumps(both.doc), [r for r in rows if r["differs"] == "yes"]
        check.true("what differs is named", ("tool files differ" in text) == bool(differ))
        if name == "jax_cnn":
            memory_beside(capture, truth / "memory_viewer.jit_train_step(42).json")
        print(f"{name}: {len(rows)} figures in both, differ: {[(r['figure'], r['here'], r['tool_file']) for r in differ]}")


SECTION = {"overview_page": "steps", "input_pipeline": "input-pipeline", "op_profile": "operations", "memory_viewer": "memory",
           "pod_viewer": "distributed", "tensorflow_stats": "operations", "kernel_stats": "kernels"}


def every_stored_file():
    """Each stored tool file, of all versions, gives its section with figures; of those that are not read the reason is said."""
    found = test_data("xla/found")
    files = [*found.glob("**/profile_demo.*"), *found.glob("**/Cloud-TPU/*"), *found.glob("**/GPU-*-bound/*"),
             *found.glob("**/golden/*_op_profile_*"), *found.glob("**/golden/*_overview_page_*"), *found.glob("**/golden/*_memory_viewer_*"),
             *found.glob("**/golden/*_input_pipeline_analyzer_*")]
    read = 0
    for path in files:
        check.part(str(path.relative_to(found)))
        [kind] = [k for k in SECTION if k in path.name] or [None]
        if kind is None:
            with tempfile.TemporaryDirectory() as into:
                done = run(path, "-o", Path(into, "out.json"))
            check.true("why it is not read", done.returncode in (3, 4) and done.stderr)
            continue
        ending = next(e for e in (".json.gz", ".pb", ".json") if e in path.name)
        report = report_on(**{f"vm.{kind}{ending}": path.read_bytes()})
        section = [s for s in report.doc["sections"] if s["id"] == SECTION[kind]]
        check.true(f"section {SECTION[kind]}", section and "recomputed by the profiler" in json.dumps(report.doc) or "left by the profiler" in
                   json.dumps(report.doc))
        read += 1
    check.true(f"{read} of {len(files)} are tool files", read >= 35)


def own_operations(node):
    """Those that took time themselves: not the groups of duplicates, nor what they were fused from."""
    children = [c for c in node.get("children", []) if c.get("metrics", {}).get("rawTime", 0) > 0]
    if "xla" in node and not children:
        return [node] if node["metrics"]["rawTime"] > 0 else []
    return [op for child in children for op in own_operations(child)]


def newest_op_profile():
    """One tree, by program; idle time is no operation."""
    [path] = test_data("xla/found").glob("**/golden/*_op_profile_*")
    check.part(path.name)
    root = json.loads(gzip.decompress(path.read_bytes()))["byProgramExcludeIdle"]
    rows = [r for r in report_on(**{"vm.op_profile.json.gz": path.read_bytes()}).rows("operations/list") if "not in the file" not in r["name"]]
    check.equal("operations", sorted((r["name"], round(r["self_ms"] * 1e9), r["occurrences"], r["program_id"]) for r in rows),
                sorted((op["name"], op["metrics"]["rawTime"], op["metrics"]["occurrences"], op["xla"]["programId"]) for op in own_operations(root)))


# What the events of the same run gave, and xprof kept of them; loops' own time is not in its files, nor operations beyond the first 100
# of a group. FLOPs in them are those of the model.
COLUMNS = ("self_ms", "total_ms", "occurrences", "category", "framework_op", "source", "shape", "expression", "model_gflop_per_s",
           "gb_per_s", "wasted_ms", "bound_by")
USES = ("flops_utilization_share", "hbm_utilization_share", "padding_fit_share")
METRICS = ("flops.busy_utilization_share", "memory_bandwidth.busy_utilization_share", "op.wasted_share", "op.top.self_share",
           "padding.lost_share", "padding.lost_ms")


def near(a, b):
    return a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) <= 1e-6 * max(abs(a), abs(b)))


def same_as_events(profile, answer):
    """The op profile that xprof makes of a profile says what the profile itself does."""
    check.part(f"{answer.parent.parent.name}: {answer.name}")
    events = Report(profile, "--top", "all")
    kept = report_on(**{"vm.op_profile.json.gz" if answer.suffix == ".gz" else "vm.op_profile.json": answer.read_bytes()})
    loops = [r["name"] for r in events.rows("operations/list") if r["category"] in ("while", "call", "conditional")]
    measured = {(r["program_id"], r["name"]): r for r in events.rows("operations/list")}
    rows = {(r["program_id"], r["name"]): r for r in kept.rows("operations/list") if "not in the file" not in r["name"]}
    check.true(f"{len(rows)} operations of {len(measured)}", rows and not rows.keys() - measured.keys() and
               (len(rows) >= 200 or len(rows) + len(loops) == len(measured)))
    check.equal("differ", [(key, c, measured[key][c], r[c]) for key, r in rows.items() for c in COLUMNS
                           if c in r and not near(measured[key][c], r[c])], [])
    if loops:
        return
    tree = {r["id"]: r for r in events.rows("operations/tree")}
    check.equal("uses differ", [(r["id"], c, tree[r["id"]][c], r[c]) for r in kept.rows("operations/tree") if r["id"] in tree for c in USES
                                if c in r and not near(tree[r["id"]].get(c), r[c])], [])
    for name in METRICS:
        check.true(f"{name}: {kept.metric(name)}", near(events.metric(name), kept.metric(name)))


def every_op_profile_of_events():
    real_tpu = test_data("xla/found/xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb")
    pairs = [(real_tpu, path) for path in sorted(test_data("xla/truth/tpu_inference_2").glob("op_profile*.json"))]
    pairs += [(path.parent.parent / "logdir", path) for path in sorted(test_data("synth").glob("*/xprof/op_profile_by_*"))]
    check.true("pairs", len(pairs) > 12)
    for profile, answer in pairs:
        same_as_events(profile, answer)


def answers_beside_programs():
    """A folder with the HLO of programs, memory plans and answers of the profiler's page: the answers are read, no plan twice."""
    for name in ("tpu_inference_2", "jax_cnn"):
        folder = test_data("xla/truth", name)
        check.part(f"{name}: answers beside HLO")
        report = Report(folder, "--top", "all")
        check.equal("no warning", report.stderr, "")
        with tempfile.TemporaryDirectory() as into:
            for path in folder.glob("*.hlo_proto.pb"):
                Path(into, path.name).write_bytes(path.read_bytes())
            programs = Report(into, "--top", "all")
        check.equal("memory", report.rows("memory/programs"), programs.rows("memory/programs"))
        plans = sum("another file of the run already gives the program" in json.dumps(b) for b in report.section("method")["blocks"])
        check.equal("plans that are there already", plans, len(list(folder.glob("memory_viewer.*.json"))))
        if name == "jax_cnn":
            check.equal("steps", report.metric("step.count"), 18)
            continue
        alone = Report(folder / "op_profile.json", "--top", "all")
        check.equal("operations", report.rows("operations/tree"), alone.rows("operations/tree"))
        for metric in ("flops.busy_utilization_share", "memory_bandwidth.utilization_share", "device.idle_share"):
            check.near(metric, report.metric(metric), alone.metric(metric))
        check.equal("device type", report.metric("run.device_type"), "TPU v6 Lite")


def real():
    test_data()
    peers()
    answers_beside_programs()
    every_stored_file()
    newest_op_profile()
    every_op_profile_of_events()
    demo = test_data("xla/found/xprof/demo/plugins/profile")
    report = real_json(demo / "Cloud-TPU")
    check.printed("step", report.metric("step.time.p50_ms"), "313.5")
    check.near("matrix unit", report.metric("matrix_unit.utilization_share"), 0.488)
    check.near("host idle", report.metric("host.idle_share"), 0.877)
    check.equal("device type", report.metric("run.device_type"), "TPU v2")
    rows = report.rows("operations/given")
    check.equal("operations on devices", (len(rows) > 500, rows[0]["name"], rows[0]["occurrences"]),
                (True, "while/body/_1/gradient_tape/resnet50/res2b_branch2a/Conv2DBackpropInput", 32))
    check.near("self time", rows[0]["self_ms"], 256.554211429)
    check.near("FLOP rate", rows[0]["gflop_per_s"], 1797.6274412148232)
    check.true("of one capture", "method/captures" not in json.dumps(report.section("method")))
    report = real_json(test_data("tf/legacy_tpu"))
    check.true("first screen: of two", "■ of different captures" in json.dumps(report.section("summary"), ensure_ascii=False))
    check.true("pod viewer of another", "different captures: steps take 142\u202fms" in json.dumps(report.section("method"), ensure_ascii=False))
    ops = json.loads(test_data("tf/legacy_tpu/profile_demo.op_profile.json").read_text())["byCategory"]["children"]
    check.equal("op profile", {r["name"]: r["busy_share"] for r in report.rows("operations/list")},
                {op["name"].removeprefix("%"): op["metrics"]["time"] for category in ops for op in category["children"] if "xla" in op and "metrics" in op})
    check.equal("verdict", report.metric("input.verdict"), "high")
    # step_time_summary, step by step and input_percent of localhost.*.pb, as xprof 2.24's messages read them
    for name, mean, sd, least, most, waits, verdict in (
            ("GPU-input-bound", 1114.4989229090911, 44.832842581291033, 1043.383238, 1173.609688, 0.813721625552601, "high"),
            ("GPU-compute-bound", 1805.1435982727273, 66.650091925363228, 1696.603814, 1921.553813, 0.00019288836356233442, "potential")):
        check.part(name)
        report = Report(demo / name, "--top", "all")
        for what, value in (("mean", mean), ("sd", sd), ("min", least), ("max", most)):
            check.near(what, report.metric(f"step.time.{what}_ms"), value)
        check.near("waiting", report.metric("input.worst_share"), waits, rel=1e-4)
        check.equal("verdict", report.metric("input.verdict"), verdict)


def main():
    real()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
