"""Tool files of older profilers as input: small ones worked out by hand, damaged ones, and real ones read by Python's json."""

import gzip
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import tiny_xspace
import tool_files
from truth import Check, Report, run, test_data
from xspace_writer import field

check = Check()


def folder_of(files, into):
    run_folder = Path(into, "logs/plugins/profile/run")
    run_folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (run_folder / name).write_bytes(data)
    return Path(into, "logs")


def report_on(**files):
    """files: vm_overview_page_json=b"…", with dots for underscores around the kind"""
    with tempfile.TemporaryDirectory() as into:
        return Report(folder_of(files, into), "--top", "all")


def tpu_json():
    check.part("overview page and input pipeline in JSON")
    report = report_on(**{"vm.overview_page.json": tool_files.overview_json(), "vm.input_pipeline.json": tool_files.input_json()})
    for metric, value in (("step.time.mean_ms", (100 + 120 + 100) / 3), ("step.time.p50_ms", 100), ("step.count", 3),
                          ("input.wait_share", 105 / 320), ("input.worst_max_share", 0.40), ("step.class.idle_ms", 20 / 3),
                          ("matrix_unit.utilization_share", 0.425), ("host.idle_share", 0.875), ("device.idle_share", 0.035),
                          ("device.busy_share", 0.965), ("flops.relative_to_roofline_share", 0.703),
                          ("memory_bandwidth.utilization_share", 0.12), ("op.top.self_share", 0.25), ("run.cores", 8),
                          ("input.host.preprocessing_us", 150000), ("input.host.generator_us", 150000)):
        check.near(metric, report.metric(metric), value)
    check.equal("verdict", report.metric("input.verdict"), "high")
    check.true("what hiding it would give", "at most 1.5× faster" in json.dumps(report.doc, ensure_ascii=False))  # 320 / (320 − 105)
    check.equal("steps come from", report.metric("run.step_source"), "precomputed")
    check.equal("top operation", report.metric("op.top.name"), "model/conv")
    check.equal("device type", report.metric("run.device_type"), "TPU v2")
    check.equal("hosts", report.metric("run.hosts"), 1)
    check.equal("devices", report.missing("run.devices"), "the tool files do not say, and there are no events")
    check.true("16 bit is not known where both shares are 0", report.missing("precision.compute_16bit_share"))
    check.true("launch is not told", report.missing("step.class.launch_ms"))
    text = json.dumps(report.doc, ensure_ascii=False)
    check.true("says so", "recomputed by the profiler" in text)
    check.true("its own verdict", "HIGHLY input-bound because of <b>input</b>" in text)
    rows = report.rows("operations/given")
    check.equal("operations", [(r["name"], r["share"], r["category"]) for r in rows],
                [("model/conv", 0.25, "Conv2D"), ("model/relu", 0.125, "Relu")])
    check.near("FLOP rate", rows[0]["gflop_per_s"], 1500.5)


def zeros_that_are_unset():
    """Figures that the profiler did not compute are 0 in its table; those that contradict others are unknown."""
    check.part("zeros that are unset")
    unset = {"device_duty_cycle_percent": "0.0%", "device_idle_time_percent": "0.0%", "host_idle_time_percent": "0.0%",
             "flop_rate_utilization_relative_to_roofline": "0.0%", "memory_bw_utilization_relative_to_hw_limit": "0.0%"}

    def figures(**properties):
        top = {**tool_files.TOP, "p": {**tool_files.TOP["p"], **properties}}
        return report_on(**{"vm.overview_page.json": json.dumps([top, tool_files.STEPS, tool_files.ENVIRONMENT]).encode()})

    report = figures(**unset)
    for metric in ("device.duty_cycle_share", "device.idle_share", "device.busy_share", "host.idle_share",
                   "flops.relative_to_roofline_share", "memory_bandwidth.utilization_share"):
        check.true(metric, report.missing(metric))
    check.near("what was computed stays", report.metric("matrix_unit.utilization_share"), 0.425)
    # A device that is idle for 3.5 % works for the rest; one that works all the time has no idle time.
    report = figures(device_duty_cycle_percent="0.0%")
    check.true("duty cycle", report.missing("device.duty_cycle_share"))
    check.near("idle", report.metric("device.idle_share"), 0.035)
    report = figures(**{**unset, "device_duty_cycle_percent": "100.0%"})
    check.near("no idle time", report.metric("device.idle_share"), 0)
    check.near("no idle time of the host", report.metric("host.idle_share"), 0)
    report = figures(device_duty_cycle_percent="0.0%", device_idle_time_percent="100.0%")
    check.near("no duty", report.metric("device.duty_cycle_share"), 0)


def cut_step():
    """A first or last step of a tool file that works far less than the others was cut; one that only did not wait was not."""
    check.part("a cut step")

    def steps(*last):
        rows = [["5", 60.0, 30.0, 10.0], ["7", 60.0, 30.0, 10.0], ["8", 62.0, 30.0, 10.0], ["9", *last]]
        table = tool_files.table(tool_files.STEPS_COLUMNS[:4], rows, hardware_type="TPU")
        return report_on(**{"vm.overview_page.json": json.dumps([tool_files.TOP, table, tool_files.ENVIRONMENT]).encode()})

    report = steps(3.0, 0.0, 0.0)
    check.equal("cut", report.metric("step.cut_count"), 1)
    check.near("without", report.metric("step.time.whole.mean_ms"), (100 + 100 + 102) / 3)
    check.true("said", "Step 9 (dashed) is cut by the capture" in json.dumps(report.doc))
    check.equal("no wait", steps(60.0, 0.0, 0.0).metric("step.cut_count"), 0)


def two_captures():
    """Files of different captures are put together with a word; those of one are not."""
    check.part("files of two captures")
    other = tool_files.table(tool_files.STEPS_COLUMNS[:4], [["1", 30.0, 5.0, 5.0], ["2", 30.0, 5.0, 5.0]], hardware_type="TPU")
    files = {"vm.overview_page.json": tool_files.overview_json()}
    for table, told in ((other, True), (tool_files.STEPS, False)):
        report = report_on(**files, **{"vm.input_pipeline.json": json.dumps([table, {"cols": [], "rows": []}, tool_files.INPUT]).encode()})
        check.equal("said", "they are of different captures, and the steps of this report are those of" in report.stderr, told)
        check.equal("warnings", report.metric("data.warnings"), int(told))


def gpu_pb():
    check.part("the same as messages")
    report = report_on(**{"vm.overview_page.pb": tool_files.overview_pb()})
    for metric, value in (("step.time.mean_ms", 110), ("input.wait_share", 120 / 220), ("step.class.compute_ms", 45),
                          ("step.class.launch_ms", 2.5), ("step.class.other_ms", 2.5), ("device.idle_share", 0.115),
                          ("precision.compute_16bit_share", 0.3), ("input.host.advanced_read_us", 3000),
                          ("input.host.demanded_read_us", 0), ("run.cores", 8)):
        check.near(metric, report.metric(metric), value)
    check.true("the matrix unit is not told", report.missing("matrix_unit.utilization_share"))
    rows = report.rows("input-pipeline/operations")
    check.equal("input operations", [(r["name"], r["count"], r["self_ms"]) for r in rows], [("Iterator::A", 4, 9.0), ("Iterator::B", 2, 3.0)])


def beside_events():
    """Events win; whether the tool file agrees is said."""
    check.part("beside an xplane")
    space = tiny_xspace.space(tiny_xspace.environment(), tiny_xspace.tpu(0, 2))
    alone = report_on(**{"vm.xplane.pb": space})
    both = report_on(**{"vm.xplane.pb": space, "vm.overview_page.json": tool_files.overview_json()})
    same = {name: m.get("value") for name, m in alone.metrics.items()}
    check.equal("metrics", {name: m.get("value") for name, m in both.metrics.items()}, same)
    text = json.dumps(both.doc)
    check.true("the difference is said", "tool files differ by more than 1 %" in text)
    check.true("with both figures", re.search(r"here, 107\W+ms in vm.overview_page.json", text.replace("\\u00a0", " ").replace("\\u202f", " ")))
    [row] = [r for r in both.rows("method/precomputed-figures") if r["figure"] == both.doc["metrics"]["step.time.mean_ms"].get("label", r["figure"])]
    check.near("the file's", row["tool_file"], 320 / 3)
    check.near("from events", row["here"], alone.metric("step.time.mean_ms"))
    check.equal("differs", row["differs"], "yes")


def several_hosts():
    """Each host by itself; the other sections have the first one's figures."""
    check.part("several hosts")
    other = json.loads(tool_files.overview_json())
    other[0]["p"]["mxu_utilization_percent"] = "30%"
    for row in other[1]["rows"]:
        row["c"][1]["v"] *= 1.2  # 60, 70, 65 ms of compute
    report = report_on(**{"h1.overview_page.json": tool_files.overview_json(), "h2.overview_page.json": json.dumps(other).encode()})
    check.equal("hosts", report.metric("run.hosts"), 2)
    for metric, first, second in (("step.time.mean_ms", 320 / 3, (320 + 39) / 3), ("step.class.compute_ms", 65, 78),
                                  ("matrix_unit.utilization_share", 0.425, 0.3), ("host.idle_share", 0.875, 0.875),
                                  ("input.wait_share", 105 / 320, 105 / 359), ("op.top.self_share", 0.25, 0.25)):
        check.near(f"{metric} of h1", report.metric(f"{metric}@host=h1"), first)
        check.near(f"{metric} of h2", report.metric(f"{metric}@host=h2"), second)
        check.near(f"{metric} in other sections", report.metric(metric), first)
    check.equal("a row a host", [(r["host"], r["matrix_unit_share"]) for r in report.rows("hosts/table")],
                [("h1", 0.425), ("h2", 0.3), ("In other sections", 0.425)])
    check.equal("8 cores, not 16", report.metric("run.cores"), 8)
    text = json.dumps(report.doc)
    check.true("whose figures those are", "steps: h1.overview_page.json" in text and "show one host's figures" in text)
    report = report_on(**{"h1.overview_page.json": tool_files.overview_json(), "h2.kernel_stats.pb": tool_files.kernels_pb()})
    check.true("what only the second has is shown", report.rows("kernels/given"))
    check.true("h2 has no steps", report.missing("step.time.mean_ms@host=h2"))
    check.part("one host, one tool, two files")
    report = report_on(**{"vm.overview_page.json": tool_files.overview_json(), "vm.overview_page.pb": tool_files.overview_pb()})
    alone = report_on(**{"vm.overview_page.json": tool_files.overview_json()})
    check.equal("the first counts", {k: m.get("value") for k, m in report.metrics.items()}, {k: m.get("value") for k, m in alone.metrics.items()})
    check.true("which is said", "vm.overview_page.json of the same host and tool was already read" in json.dumps(report.doc))
    report = report_on(**{"vm.overview_page.json": tool_files.overview_json()[:90], "vm.overview_page.pb": tool_files.overview_pb()})
    check.near("a damaged one does not hide the other", report.metric("step.time.mean_ms"), 110)


def not_recorded(report):
    return " ".join(str(b["items"]) for s in report.doc["sections"] for b in s["blocks"] if b["id"] == "environment/not-recorded")


def environment():
    """What a job was, which only the overview page tells."""
    for name, data in (("vm.overview_page.json", json.dumps([tool_files.STEPS, tool_files.JOB]).encode()), ("vm.overview_page.pb", tool_files.job_pb())):
        check.part(name)
        report = report_on(**{name: data})
        rows = {r["what"]: (r["value"], r["from"]) for r in report.rows("environment/run")}
        for what, value in (("Build command", "//train:main"), ("Run command", "train --steps=9"), ("Change list", "4711")):
            check.equal(what, rows[what], (value, name))
        check.true("when it was built", rows["Built"][0].startswith("2020-05-20"))
        check.true("when it was captured", rows["Capture started"][0].startswith("2020-05-20") and rows["Capture started"][1] == name)
        check.near("for how long", report.metric("run.capture_ms"), 2000)
        left = not_recorded(report)
        check.true(f"what is still not recorded: {left}", not [w for w in ("build", "run command", "captured", "how long") if w in left])
        if name.endswith(".json"):
            check.equal("batch", (report.metric("run.batch.global"), report.metric("run.batch.per_core")), (1024, 128))
            check.true("no batch is missing", "batch" not in left)
    check.part("nothing in it")
    report = report_on(**{"vm.overview_page.json": json.dumps([tool_files.NO_JOB, tool_files.STEPS]).encode()})
    left = not_recorded(report)
    check.true(left, all(w in left for w in ("batch per core", "build command", "run command", "when it was captured", "for how long")))
    check.equal("a batch without its parts", report.metric("run.batch.global"), 1024)


def operations():
    for name, data in (("vm.tensorflow_stats.pb", tool_files.stats_pb()), ("vm.framework_op_stats.json", tool_files.stats_json())):
        check.part(name)
        report = report_on(**{name: data, "vm.overview_page.json": tool_files.overview_json()})
        rows = report.rows("operations/given")
        check.equal("on devices, without idle time", [(r["name"], r["share"], r["occurrences"], r["self_ms"], r["total_ms"]) for r in rows],
                    [("model/conv", 0.75, 32, 0.6, 0.9), ("model/relu", 0.25, 16, 0.2, 0.2)])
        check.near("FLOP rate", rows[0]["gflop_per_s"], 120.5)
        check.near("bandwidth", rows[0]["gb_per_s"], 30)
        check.equal("bound by", rows[0]["bound_by"], "Memory")
        check.equal("on the host", [r["name"] for r in report.rows("operations/given-host")], ["IteratorGetNext"])
        check.near("top", report.metric("op.top.self_share"), 0.75)


def op_profile():
    """The whole section on operations, as if they had been measured here."""
    check.part("op_profile.json, of shares alone")
    report = report_on(**{"vm.op_profile.json": tool_files.op_profile_json()})
    check.equal("operations, not what they were fused from", [(r["name"], r["busy_share"]) for r in report.rows("operations/list")],
                [("copy", 0.4), ("fusion", 0.4), ("conv", 0.2)])
    check.true("no times", not [r for r in report.rows("operations/list") if "self_ms" in r or "occurrences" in r])
    tree = {r["id"].removeprefix("operations/tree/"): r for r in report.rows("operations/tree")}
    for name, share, use in (("all", 1, 0.25), ("c", 1, 0.25), ("conv", 0.2, 0.75), ("fusion", 0.4, 0.25), ("copy", 0.4, 0)):
        row = tree.get(name) or tree["/" + name]
        check.near(f"{name}: share", row["busy_share"], share)
        check.near(f"{name}: FLOPS use", row["flops_utilization_share"], use)
    check.true("by scope", "model/Conv2D" in [r["name"] for r in report.rows("operations/by-scope")])
    check.equal("what it was fused from", [(r["name"], r["opcode"], r["framework_op"]) for r in report.rows("operations/card//fusion/parts")],
                [("dot.1", "dot", "model/MatMul")])
    check.equal("padding", [(r["name"], r["padded"], r["fit_share"], r["framework_op"]) for r in report.rows("padding/operations")],
                [("conv", "lhs: feature 3 → 8", 0.375, "model/Conv2D")])
    check.near("lost to padding", report.metric("padding.lost_share"), 0.2 * 0.625)
    check.near("wasted", report.metric("op.wasted_share"), 0.75)
    check.true("no steps", report.missing("step.time.mean_ms"))
    check.part("op_profile.json, of times")
    report = report_on(**{"vm.op_profile.json": tool_files.op_profile_by_program_json()})
    rows = {r["name"]: r for r in report.rows("operations/list")}
    check.equal("operations", {n: (r["self_ms"], r["occurrences"], r["category"], r["program"]) for n, r in rows.items()},
                {"conv.1": (0.08, 4, "convolution", "jit_f"), "fusion.1": (0.04, 4, "output fusion", "jit_f"),
                 "copy.1": (0.016, 4, "data formatting", "jit_f"), "copy.2": (0.008, 4, "data formatting", "jit_f"),
                 "1 more, not in the file": (0.016, 4, "data formatting", "jit_f")})
    check.equal("its texts", [rows["conv.1"][c] for c in ("framework_op", "source", "shape", "expression")],
                ["jit(f)/conv.1", "model.py:7", "bf16[128,7,7,64]{0,3,2,1:T(8,128)}", tool_files.LINES["conv.1"]])
    check.near("FLOP rate", rows["conv.1"]["gflop_per_s"], 750)
    check.near("HBM rate", rows["conv.1"]["gb_per_s"], 25)
    check.equal("more than possible in its own time", rows["copy.2"].get("gb_per_s"), None)
    check.equal("bound by", [rows[n]["bound_by"] for n in ("conv.1", "copy.1")], ["compute", "HBM"])
    tree = {r["id"].removeprefix("operations/tree/"): r for r in report.rows("operations/tree")}
    for name, flops, hbm in (("all", 0.45, 0.375), ("convolution", 0.75, 0.25), ("jit_f/fusion.1", 0.3, 0.1), ("data%20formatting", 0, 0.9)):
        check.near(f"{name}: FLOPS use", tree[name]["flops_utilization_share"], flops)
        check.near(f"{name}: bandwidth use", tree[name]["hbm_utilization_share"], hbm)
    check.equal("duplicates", [r["name"] for r in report.rows("operations/tree") if "duplicate" in r["name"]], ["copy.1 and 2 duplicates"])
    for name, want in (("flops.busy_utilization_share", 0.45), ("flops.utilization_share", 0.36), ("memory_bandwidth.busy_utilization_share", 0.375),
                       ("device.idle_share", 0.2), ("op.top.self_share", 0.5), ("padding.lost_ms", 0.08 * 13 / 16 + 0.04 * 0.75)):
        check.near(name, report.metric(name), want)
    check.equal("padding", [(r["name"], r["padded"], r["fit_share"]) for r in report.rows("padding/operations")],
                [("conv.1", "rhs: output feature 64 → 128, input feature 3 → 8", 3 / 16), ("fusion.1", "lhs: contracting 32 → 128", 0.25)])
    check.equal("padded buffers", [(r["name"], r["expansion_times"]) for r in report.rows("padding/buffers")], [("copy.1", 128 / 3)])
    check.equal("the parts of a fusion", [(r["opcode"], r["shape"]) for r in report.rows("operations/card/jit_f/fusion.1/parts")],
                [("dot", "f32[64,100]{1,0:T(8,128)}")])
    check.part("op_profile.pb")
    report = report_on(**{"vm.op_profile.pb": tool_files.op_profile_pb()})
    check.equal("operations", [(r["name"], r["busy_share"], r["self_ms"], r["occurrences"], r["framework_op"], r["source"], r["program_id"])
                               for r in report.rows("operations/list")],
                [("fusion.1", 0.75, 0.003, 5, "model/dot", "model.py:3", "5"), ("fusion.2", 0.25, 0.001, 2, "model/dot", "model.py:3", "5")])
    row = report.rows("operations/tree")[1]
    check.near("FLOPS use", row["flops_utilization_share"], 0.25)
    check.near("bandwidth use", row["hbm_utilization_share"], 0.375)


def first_screen(report):
    """{id: block}"""
    return {b["id"]: b for b in report.doc["sections"][0]["blocks"]}


def op_profile_page():
    """The report of an op profile alone: what it gives, and what can be checked by it."""
    check.part("the page of an op profile")
    report = report_on(**{"vm.op_profile.json": tool_files.op_profile_by_program_json()})
    screen = first_screen(report)
    check.equal("tiles", {t["label"]: t["text"] for t in screen["summary/tiles"]["tiles"]},
                {"FLOPS utilisation": "36.0\u202f%", "Device busy": "80.0\u202f%", "Busy time wasted": "42.5\u202f%", "Memory bandwidth": "30.0\u202f%",
                 "Top operation": "50.0\u202f%"})
    check.equal("data quality", screen["summary/quality"]["items"][:3], ["✓ 1 tool file read in full", "the profiler's own figures", "no events, no steps"])
    check.equal("verdict", (screen["summary/verdict"]["saw"], screen["summary/verdict"]["consequence"]),
                ("devices are busy 80.0\u202f% of what the op profile covers;", "while busy they reach 45.0\u202f% of peak FLOP/s."))
    decided = {f["id"]: (f["status"], f["measured"]["value"]) for f in report.doc["findings"] if f["status"] in ("open", "passed")}
    check.equal("what could be checked", {k: v[0] for k, v in decided.items()},
                {"TPR-COPY-001": "open", "TPR-PAD-001": "open", "TPR-IDLE-002": "open", "TPR-SHUF-001": "passed", "TPR-FLOPS-001": "passed",
                 "TPR-PREC-001": "passed", "TPR-MEM-001": "passed", "TPR-OP-001": "passed"})
    for rule, share in (("TPR-COPY-001", 0.25), ("TPR-PAD-001", 0.095 / 0.16), ("TPR-IDLE-002", 0.2), ("TPR-FLOPS-001", 0.45), ("TPR-MEM-001", 0.375),
                        ("TPR-PREC-001", 2 / 3)):
        check.near(rule, decided[rule][1], share)
    check.near("16 bit, by the HLO", report.metric("precision.compute_16bit_share"), 2 / 3)
    check.equal("the device, as the file has it", report.metric("run.device_type"), "TPU")
    check.equal("the lead is the first row", report.section("operations")["answer"].split(", run as")[0], report.rows("operations/top")[0]["name"])
    check.part("the page of shares alone")
    report = report_on(**{"vm.op_profile.json": tool_files.op_profile_json()})
    screen = first_screen(report)
    check.equal("tiles", {t["label"]: t["text"] for t in screen["summary/tiles"]["tiles"]},
                {"FLOPS utilisation": "25.0\u202f%", "Busy time wasted": "75.0\u202f%", "Top operation": "40.0\u202f%"})
    check.equal("no self time", screen["summary/busy"].get("aside"), None)


def odd_op_profiles():
    """What the reader must not believe, and what it must not lose in silence."""
    def node(name, *children, share=0.0, **xla):
        return {"name": name, "metrics": {"time": share}, "children": list(children), **({"xla": xla} if xla else {})}

    def tree(*programs):
        return {"vm.op_profile.json": json.dumps({"byProgram": node("by_program", *programs)}).encode()}
    check.part("names of programs")
    for name, program, number in (("jit_f(12)", "jit_f", "12"), ("jit_f(1x2)", "", ""), ("jit_f()", "", ""), ("f(8) g", "", ""),
                                  ("jit_f(18446744073709551615)", "jit_f", "18446744073709551615"), ("jit_f(18446744073709551616)", "", "")):
        [row] = report_on(**tree(node(name, node("add.1", share=0.5, expression="%add.1")))).rows("operations/list")
        check.equal(name, (row["program"], row["program_id"]), (program, number))
    check.part("a layout of twenty dimensions")
    dims = [{"size": 3, "alignment": 8, "semantics": "feature"}, *({"size": 2 + i, "semantics": "spatial"} for i in range(18)),
            {"size": 64, "alignment": 128, "semantics": "batch"}]
    sizes = field(5, b"".join(field(1, field(1, d["size"]) + field(2, d.get("alignment", 0)) + field(3, d["semantics"])) for d in dims))
    message = field(4, field(1, "by_program") + field(3, field(1, "f(1)") + field(3, field(1, "conv") + field(2, field(1, 1.0)) + field(5, sizes))))
    for name, data in (("vm.op_profile.pb", message),
                       *tree(node("f(1)", node("conv", share=1.0, layout={"dimensions": dims}))).items()):
        [row] = report_on(**{name: data}).rows("padding/operations")
        check.near(f"{name}: the last counts as well", row["fit_share"], 3 / 8 * 64 / 128)
    check.part("more nodes than are read")
    conv, copy = (field(3, field(1, name) + field(2, field(1, share)) + field(5, b"") + parts)
                  for name, share, parts in (("conv", 0.75, field(3, field(1, "p")) * 1000000), ("copy", 0.25, b"")))
    report = report_on(**{"vm.op_profile.pb": field(4, field(3, field(1, "f(1)") + conv + copy))})
    check.equal("the first is read", [r["name"] for r in report.rows("operations/list")], ["conv"])
    check.true(f"which is said: {report.stderr}", "exceeds the limit of 1000000 nodes: 1 operation was read" in report.stderr)
    check.true("and in the report", "partly" in json.dumps(report.doc))


def both_lists():
    """An op profile tells operations of programs, the framework's statistics those of the framework: each has its place."""
    check.part("an op profile beside the framework's operations")
    for name, data in (("vm.tensorflow_stats.pb", tool_files.stats_pb()), ("vm.framework_op_stats.json", tool_files.stats_json())):
        files = {"vm.op_profile.json": tool_files.op_profile_by_program_json(), name: data}
        both = report_on(**files)
        for alone in ({"vm.op_profile.json": files["vm.op_profile.json"]}, {name: data}):
            one = report_on(**alone)
            for table in ("operations/tree", "operations/list", "padding/operations", "operations/given", "operations/given-host"):
                if table in one.blocks:
                    check.equal(f"{table} as of {next(iter(alone))} alone", both.rows(table), one.rows(table))
        check.equal("the top operation is of a program", both.metric("op.top.name"), "conv.1")
        check.equal("so it is of the host", both.metric("op.top.name@host=vm"), "conv.1")
        check.near("FLOPS of the op profile", both.metric("flops.busy_utilization_share"), 0.45)
    report = report_on(**{"vm.op_profile.json": tool_files.op_profile_by_program_json(), "vm.overview_page.json": tool_files.overview_json()})
    check.equal("the first few of the overview page", [r["name"] for r in report.rows("operations/given")], ["model/conv", "model/relu"])
    check.near("beside the tree", report.rows("operations/tree")[0]["flops_utilization_share"], 0.45)


def kernels():
    for name, data in (("vm.kernel_stats.pb", tool_files.kernels_pb()), ("vm.kernel_stats.json", tool_files.kernels_json())):
        check.part(name)
        rows = report_on(**{name: data}).rows("kernels/given")
        check.equal("kernels", [(r["name"], r["count"], r["total_us"], r["share"], r["mean_us"], r["registers"], r["tensor_core"]) for r in rows],
                    [("gemm", 2, 12, 0.75, 6, 128, "used"), ("relu_kernel", 4, 4, 0.25, 1, 16, "not used")])


def empty_ones():
    """Of a run without a GPU, or of a CPU alone, the profiler writes files with nothing in them: no fault."""
    check.part("empty ones")
    tree = {"name": "by_program", "metrics": {"rawTime": 0}, "children": [], "numChildren": 0}
    files = {"vm.kernel_stats.json": json.dumps(tool_files.table(["rank", "kernel_name"], [])).encode(), "vm.kernel_stats.pb": b"",
             "vm.op_profile.json": json.dumps({"byProgram": tree, "byProgramExcludeIdle": tree}).encode()}
    for name, data in files.items():
        report = report_on(**{"vm.overview_page.json": tool_files.overview_json(), name: data})
        check.equal(f"{name}: no warning", report.stderr, "")
        check.true(f"{name}: a note", f"{name}: empty: the profiler had nothing to write" in json.dumps(report.doc))


def not_read():
    """Kinds that are known but not read: said beside tool files, nothing beside events, and the reason when there is nothing else."""
    check.part("not read")
    report = report_on(**{"vm.overview_page.json": tool_files.overview_json(), "vm.tracetable": b"x"})
    text = json.dumps(report.doc)
    check.true("a tracetable is explained", "streaming trace viewer" in text)
    space = tiny_xspace.space(tiny_xspace.environment(), tiny_xspace.tpu(0, 2))
    check.true("not beside events", "not read" not in json.dumps(report_on(**{"vm.xplane.pb": space, "vm.trace.json.gz": b"x"}).doc))
    with tempfile.TemporaryDirectory() as into:
        logs = folder_of({"vm.tracetable": b"x"}, into)
        for path in (logs, logs / "plugins/profile/run/vm.tracetable"):
            done = run(path, "-o", Path(into, "out.json"))
            check.equal("exit status", done.returncode, 3)
            check.true("says what it is", "known, but not read: the events of the streaming trace viewer" in done.stderr.decode())


def damaged():
    """Cut anywhere, or hostile: a message or a report, never anything else."""
    check.part("damaged")
    for kind in tool_files.KINDS:
        for ending, data in tool_files.some(kind).items():
            if ending not in ("json", "pb"):
                continue
            for size in {0, 1, 2, *range(3, len(data), 97), len(data) - 1}:
                with tempfile.TemporaryDirectory() as into:
                    logs = folder_of({f"vm{kind}.{ending}": data[:size]}, into)
                    done = run(logs, "-o", Path(into, "out.json"))
                    check.true(f"{kind}.{ending} cut at {size}: exit status", done.returncode in (0, 4))
                    if (kind, ending, size) != (".kernel_stats", "pb", 0):  # the message of no kernel: nothing is wrong with it
                        check.true(f"{kind}.{ending} cut at {size}: says so", done.stderr)
    for name, data, says in (("nothing of use", b"[]", "not an overview page"), ("no JSON", b"[{]", "JSON is damaged"),
                             ("deep", b"[" * 5000, "JSON is damaged"), ("empty", b"", "the file is empty")):
        with tempfile.TemporaryDirectory() as into:
            done = run(folder_of({"vm.overview_page.json": data}, into), "-o", Path(into, "out.json"))
            check.true(f"{name}: exit status", done.returncode == 4)
            check.true(f"{name}: {done.stderr!r}", says in done.stderr.decode())
    report = report_on(**{"vm.input_pipeline.pb": tool_files.endless_pb()})
    check.near("a part longer than any step: that step is left out", report.metric("step.time.mean_ms"), 120)
    check.equal("steps", report.metric("step.count"), 1)
    strange = tool_files.table(["stepnum", "computeTimeMs", "inputTimeMs"], [["\u202e<script>", 1e308, 1e308], [None, -5, "x"], ["a", "nan", 3]],
                               statement="\u0000\u001b[31m")
    with tempfile.TemporaryDirectory() as into:
        done = run(folder_of({"vm.overview_page.json": json.dumps([strange, tool_files.TOP]).encode()}, into), "-o", Path(into, "out.html"))
        check.equal("strange numbers", done.returncode, 0)


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
    if not os.environ.get("TPREPORT_TEST_DATA"):
        return
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
    for part in (tpu_json, zeros_that_are_unset, cut_step, two_captures, gpu_pb, beside_events, several_hosts, environment, operations, op_profile, op_profile_page, odd_op_profiles, both_lists, kernels, empty_ones, not_read, damaged, real):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
