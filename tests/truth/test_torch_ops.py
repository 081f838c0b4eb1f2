"""Operators of PyTorch against torch-tb-profiler (its release up to torch 1.10, its last sources since 2.2) and against an
independent association of device work with operators. Where ours differs on purpose, both figures are asserted."""

import json
from collections import Counter

import torch_reader
from torch_logdirs import answer, logdir
from truth import Check, Report, test_data

TIMES = ("device_self", "device_total", "host_self", "host_total")
check = Check()


def by_name(report):
    return {row["operator"]: row for row in report.rows("operators/list") if row["role"] != "total"}


def spans_of(folder, worker):
    return sorted(path for path in folder.iterdir() if path.name.startswith(worker + "."))


# ---- Against the plugin

def compare_row(what, row, want, within=0):
    """Sums that it rounds to whole microseconds. within: host time of calls in one of the same name, which it counts twice."""
    check.equal(what + " calls", row["calls"], want["calls"])
    for time in TIMES:
        if time + "_duration" in want:
            twice = within if time == "host_total" else 0
            check.near(f"{what} {time}", row[time + "_us"], want[time + "_duration"] - twice, rel=0, abs_=0.501)


def compare_tensor_cores(what, row, want):
    check.equal(what + " eligible", row["tensor_cores"] != "no", want["tc_eligible"] == "Yes")
    for ratio, share in (("tc_self_ratio", "tensor_self_share"), ("tc_total_ratio", "tensor_total_share")):
        check.near(f"{what} {ratio}", 100 * (row[share] or 0), want[ratio] or 0, rel=0, abs_=0.0051)


def shape_key(name, shapes):
    return name, shapes.replace(" ", "")


def compare_shapes(report, want):
    rows = {shape_key(row["operator"], row["shapes"] or "[]"): row for row in report.rows("operators/by-shape/list")}
    for expected in want:
        key = shape_key(expected["name"], expected["input_shape"])
        if check.true(f"{key} is listed", key in rows):
            compare_row(str(key), rows.pop(key), expected)
    check.equal("shapes that it does not have", list(rows), [])


def compare_stacks(report, want):
    """It tells stacks apart by every frame of a library, we by lines of the program and the function that called: ours are sums
    of its rows."""
    rows = report.rows("operators/stacks/list")
    for name, table in want.items():
        at = next(i for i, row in enumerate(rows) if row["role"] == "group" and row["place"] == name)
        places = []
        for row in rows[at + 1:]:
            if row["role"] == "group":
                break
            places.append(row)
        sums = Counter()
        for stack in table["data"]:
            frames = stack["call_stack"].split(";")
            place, function = frames[0].rsplit(": ", 1)
            sums[place.rsplit("/", 1)[-1].replace("(", ":").rstrip(")") + " " + function, "calls"] += stack["calls"]
            sums[place.rsplit("/", 1)[-1].replace("(", ":").rstrip(")") + " " + function, "us"] += stack["device_self_duration"]
        for innermost in {key[0] for key in sums}:
            ours = [row for row in places if row["place"].endswith(" › " + innermost)]
            check.equal(f"{name} from {innermost}: calls", sum(row["calls"] for row in ours), sums[innermost, "calls"])
            check.near(f"{name} from {innermost}: device", sum(row["device_self_us"] for row in ours), sums[innermost, "us"], abs_=0.01)
            check.true(f"{name} from {innermost}: the program's line first", all(row["place"].startswith("resnet50_") for row in ours))


def plugin(tool, run, worker, span, tensor_cores=False, more=False):
    """Ours without what it counts twice."""
    name = run.split("/")[0]
    with logdir(name) as folder:
        folder = folder / run.split("/")[1] if (folder / run.split("/")[-1]).is_dir() else folder
        path = spans_of(folder, worker)[max(span - 1, 0)]
        report = Report(path)
        _, within = calls_of(torch_reader.load(str(path)))
    place = f"{run}/{worker}@{span or 'default'}"
    check.part(f"{tool} {place}")
    want = answer(tool, place, "operation_table")["data"]
    rows = by_name(report)
    check.equal("operators", report.metric("torch.op.count"), len(want))
    check.equal("calls", report.metric("torch.op.calls"), sum(row["calls"] for row in want))
    for expected in want:
        if check.true(expected["name"] + " is listed", expected["name"] in rows):
            compare_row(expected["name"], rows[expected["name"]], expected, within.get(expected["name"], 0))
            if tensor_cores:
                compare_tensor_cores(expected["name"], rows[expected["name"]], expected)
    if more:
        compare_shapes(report, answer(tool, place, "operation_table_shape")["data"])
        compare_stacks(report, answer(tool, place, "operation_stack_first5"))


# ---- Against the oracle

def calls_of(trace):
    """{name: [calls, host us]} of calls that are all that their caller of the same name does: the oracle counts them, the plugin and
    we do not; {name: host us} of other calls within one of the same name, whose time we count once and both of them twice."""
    lanes = {}
    for event in trace if isinstance(trace, list) else trace["traceEvents"]:
        if event.get("ph") == "X" and str(event.get("cat", "")).lower() in ("cpu_op", "operator"):
            start = torch_reader.nanoseconds(event["ts"])
            lanes.setdefault((event["pid"], event["tid"]), []).append(
                (start, -torch_reader.nanoseconds(event["dur"]), event["name"]))
    merged, within = {}, {}
    for events in lanes.values():
        stack, nodes = [], []
        for start, minus, name in sorted(events, key=lambda e: e[:2]):
            node = [start, start - minus, name, [], []]
            while stack and (stack[-1][1] <= start or stack[-1][1] + 1000 < node[1]):
                stack.pop()
            if stack:
                stack[-1][3].append(node)
            node[4] = list(stack)
            stack.append(node)
            nodes.append(node)
        for node in nodes:
            us = (node[1] - node[0]) / 1000
            if node[4] and len(node[4][-1][3]) == 1 and node[4][-1][2] == node[2]:
                sums = merged.setdefault(node[2], [0, 0])
                sums[0] += 1
                sums[1] += us
            elif node[2] in (caller[2] for caller in node[4]):
                within[node[2]] = within.get(node[2], 0) + us
    return merged, within


# Zero-length calls that begin where another ends are placed in either.
TIES = {"hta_ns_v100": ("aten::_foreach_add_", "aten::result_type")}


def oracle(path):
    want = json.loads(path.read_text(encoding="utf-8"))
    source = test_data("pytorch", want["file"])
    report = Report(source)
    check.part(f"oracle {path.stem}")
    rows, modes = by_name(report), want["assoc_mode"]
    merged, within = calls_of(torch_reader.load(str(source)))
    outside = report.metric("torch.device_work.no_operator_us")
    check.near("launched before or outside", report.metric("torch.device_work.before_window_us") + outside,
               want["unattributed_us"], abs_=0.01)
    check.equal("launched outside", outside > 0, "runtime_outside_any_op" in modes)
    check.near("device work", report.metric("torch.op.device_self_us") + want["unattributed_us"],
               sum(want["gpu_total_us"].values()), rel=1e-6, abs_=0.01)
    for op in want["ops_by_device_self"]:
        if op["name"].startswith(("ProfilerStep#", "Optimizer.", "enumerate(DataLoader)")):
            check.true(op["name"] + " is no operator", op["name"] not in rows)
            continue
        row = rows.pop(op["name"])
        calls, us = merged.get(op["name"], (0, 0))
        us += within.get(op["name"], 0)
        slack = 0.05 if op["name"] in TIES.get(path.stem, ()) else 0.002 + 1e-9 * op["host_total"]
        check.equal(op["name"] + " calls", row["calls"], op["calls"] - calls)
        check.near(op["name"] + " device self", row["device_self_us"], op["device_self"], rel=0, abs_=0.01)
        check.near(op["name"] + " host total", row["host_total_us"], op["host_total"] - us, rel=0, abs_=slack)
        # The oracle's host self holds calls of the runtime, ours has them apart.
        check.near(op["name"] + " host self", row["host_self_us"] + row["runtime_us"], op["host_self"], rel=0, abs_=slack)
        if not calls and op["name"] not in within:
            check.near(op["name"] + " device total", row["device_total_us"], op["device_total"], rel=0, abs_=0.01)
        elif op["device_self"]:
            check.true(op["name"] + " device total once", op["device_self"] - 0.01 <= row["device_total_us"] <= op["device_total"] + 0.01)
    check.equal("operators that it does not have", list(rows), [])


# ---- Differences on purpose

def difference(name, worker, op, column, theirs, ours):
    with logdir(name) as folder:
        row = by_name(Report(folder))[op]
    check.part(f"{name} {op}")
    want = next(r for r in answer("git", f"{name}/{name}/{worker}@1", "operation_table")["data"] if r["name"] == op)
    check.equal("theirs, " + column, want[theirs[0]], theirs[1])
    if isinstance(ours, str):
        check.equal("ours, " + column, row[column], ours)
    else:
        check.near("ours, " + column, row[column], ours, rel=0, abs_=0.01)


def main():
    for span in (1, 2):
        plugin("pypi", "kineto_samples/resnet50_num_workers_0", "worker0", span, tensor_cores=True, more=span == 1)
        plugin("git", "cap_resnet18_cpu/cap_resnet18_cpu", "host_1001", span)
        for worker in ("rank0", "rank1"):
            plugin("git", "cap_ddp_gloo2/cap_ddp_gloo2", worker, span)
    for run in ("resnet50_autograd_api_num_workers_0", "resnet50_autograd_api_num_workers_4"):
        plugin("pypi", "kineto_samples_18/" + run, "worker0", 0)
    plugin("git", "cap_dataloader_nw0/cap_dataloader_nw0", "dl0", 1)
    plugin("git", "cap_lightning_like/cap_lightning_like", "pl", 1)
    oracles = sorted(test_data("pytorch", "truth_oracle").glob("*.json"))
    check.equal("oracles", len(oracles), 9)
    for path in oracles:
        oracle(path)
    # Launches by the driver; External ids that name an operator by accident; calls that name none; newer names.
    difference("tl_h100_bert", "host_1", "aten::addmm", "device_self_us", ("device_self_duration", 33), 197.598)
    difference("hta_alexnet", "worker0", "aten::to", "host_self_us", ("host_self_duration", -33288), 2519)
    difference("hta_nccl_a100", "node0_0", "aten::cudnn_batch_norm_backward", "host_self_us", ("host_self_duration", 25104), 22710.614)
    difference("tl_h100_bert", "host_1", "aten::_flash_attention_forward", "tensor_cores", ("tc_eligible", "No"), "used")
    difference("hta_ns_v100", "node0_0", "aten::convolution_backward", "tensor_cores", ("tc_eligible", "No"), "not used")
    # A call within one of the same name: its time is in that one's total.
    difference("tl_h100_qwen", "host_1", "aten::arange", "host_total_us", ("host_total_duration", 66), 38.861)
    difference("hta_ddp_v100", "node0_1", "aten::mm", "device_self_us", ("device_self_duration", 0), 230578)
    check.end()


if __name__ == "__main__":
    main()
