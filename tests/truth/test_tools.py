"""Tool files of older profilers as input: small ones worked out by hand, and damaged ones."""

import json
import re
import sys
import tempfile
from pathlib import Path

import tiny_xspace
import tool_files
from tool_reports import folder_of, report_on
from truth import Check, run
from xspace_writer import field

check = Check()


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
        check.near("rate of all bytes", rows[0]["all_gb_per_s"], 30)
        check.equal("bound by", rows[0]["bound_by"], "Memory")
        check.equal("on the host", [r["name"] for r in report.rows("operations/given-host")], ["IteratorGetNext"])
        check.near("top", report.metric("op.top.self_share"), 0.75)
    check.part("units of rates, by the version that wrote them")
    for flop, moved, gflop_per_s, gb_per_s in ((120.5, 30.0, 120.5, 30.0), (120.5, 28.0, 120.5, 28.0 * 2**30 / 1e9),
                                               (0.1205, 28.0, 120.5, 28.0 * 2**30 / 1e9), (0, 28.0, 0, 28.0 * 2**30 / 1e9)):
        for name, data in (("vm.tensorflow_stats.pb", tool_files.stats_pb(flop, moved)), ("vm.framework_op_stats.json", tool_files.stats_json(flop, moved))):
            [conv, _] = report_on(**{name: data}).rows("operations/given")
            check.near(f"FLOP rate of {flop}", conv["gflop_per_s"], gflop_per_s)
            check.near(f"rate of all bytes of {moved}", conv["all_gb_per_s"], gb_per_s)


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
                {"FLOPS while busy": "45.0\u202f%", "Device busy": "80.0\u202f%", "Busy time wasted": "42.5\u202f%", "Memory bandwidth": "30.0\u202f%",
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
                {"FLOPS while busy": "25.0\u202f%", "Busy time wasted": "75.0\u202f%", "Top operation": "40.0\u202f%"})
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


def main():
    for part in (tpu_json, zeros_that_are_unset, cut_step, two_captures, gpu_pb, beside_events, several_hosts, environment, operations, op_profile, op_profile_page, odd_op_profiles, both_lists, kernels, empty_ones, not_read, damaged):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
