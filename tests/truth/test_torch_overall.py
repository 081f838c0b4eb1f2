"""Overall view of PyTorch runs against torch-tb-profiler: each step of each overview, the GPU summary, recommendations. Where our
definition differs on purpose, both are worked out from the events, and each must give what its side says."""

import gzip
import json
import re
import sys

import torch_breakdown
from torch_breakdown import ROLES
from torch_logdirs import logdir
from truth import Check, Report, test_data

check = Check()
KEYS = {role: key for role, key in zip(ROLES, ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader",
                                               "cpu_exec", "other"))}

# Which of the plugin's releases to believe: the last release for traces up to torch 1.10, the last source tree for later ones.
OLD = ("kineto_samples", "kineto_samples_18", "kineto_unit")

# The peer computes with doubles of microseconds since 1970 there, which hold a quarter of one.
COARSE = {"hta_ns_v100": 12, "hta_nccl_a100": 12}
EXACT = 0.05

# Steps where the definitions differ. A trace is here for one of these reasons:
COLLECTIVES = "all collective kernels are communication, by their device time; the peer knows five operations and their host spans"
BARRIER = "barriers and other operations of gloo are communication; the peer knows five operations"
DRIVER = "launches by the driver count"
DIFFERENT = {
    "cap_ddp_gloo2": BARRIER,
    "hta_ddp_v100": COLLECTIVES,
    "hta_nccl_a100": COLLECTIVES,
    "hta_sampled2": COLLECTIVES,
    "tl_h100_bert": DRIVER,
    "tl_h100_qwen": DRIVER,
}

# Where the peer's own figures contradict themselves, theirs and ours, of step 0.
BROKEN = {
    # It counts a step again that is covered completely: parts sum to 46 of 23 µs, and to 470 of 235.
    "kineto_unit/test_datapipe/json_content": ({"Other": 23}, {"Other": 0}),
    "kineto_unit/test_distributed_nccl/json_content0": (
        {"Communication": 75, "CPU Exec": 20}, {"Communication": 16, "CPU Exec": 79}),
    "kineto_unit/test_distributed_nccl/json_content1": (
        {"Communication": 74, "CPU Exec": 20, "Other": 215}, {"Communication": 22, "CPU Exec": 52, "Other": 0}),
    # A broadcast's kernel under NCCL's old name, which no operator that it knows asked for.
    "kineto_unit/test_runtime_launch_multipe_kernels/json_content": ({"Kernel": 132810}, {"Kernel": 0, "Communication": 132810}),
}
# No operator: no step. The peer's is from 2^64 − 1 to 0.
NO_STEP = "kineto_unit/test_distributed_nccl_user_annotation_has_communication/json_content0"
# The peer takes marks of the GPU's side for further steps: theirs and ours.
GPU_MARKS = {"tl_mi300_ckpt": (["15", "16", "15", "17"], ["15", "16", "17"])}


def load(path):
    with gzip.open(path) as f:
        return json.load(f)


def overviews():
    """(log directory, run, worker, span as it is named, overview)"""
    root = test_data("pytorch", "truth")
    for name in sorted(p.name for p in (root / "git").iterdir()):
        for path in sorted((root / ("pypi" if name in OLD else "git") / name).glob("*/*/overview.json.gz")):
            worker, _, span = path.parts[-2].rpartition("@")
            yield name, path.parts[-3], worker, "1" if span == "default" else span, load(path)


def theirs(overview):
    """[(step, {role: µs})]"""
    columns = [c["name"] for c in overview["steps"]["columns"] if "role" not in c][1:]
    return [(row[0], dict(zip(columns, row[1::2]))) for row in overview["steps"]["rows"]]


def ours(report, worker, span):
    steps = {}
    for row in report.rows("steps/roles/each"):
        if row.get("worker", worker) in (worker, "the trace", "%s, span %s" % (worker, span)):
            steps[row["step"]] = {role: row[key + "_us"] for role, key in KEYS.items()}
            steps[row["step"]]["step"] = row["step_us"]
    return steps


def compare(got, want, tolerance):
    check.equal("steps", list(got), list(want))
    for step in want:
        for role, us in want[step].items():
            known = got.get(step, {}).get(role)
            if known is None and us == 0:
                continue  # what the trace could not show is not 0
            check.near("step %s, %s" % (step, role), known, us, rel=0, abs_=tolerance)


def parts_sum(got):
    for step, parts in got.items():
        check.near("step %s: sum of parts" % step, sum(parts[role] or 0 for role in ROLES), parts["step"], rel=0, abs_=1e-6)


def trace_of(folder, run, worker, span):
    paths = sorted(p for p in (folder / run if (folder / run).is_dir() else folder).iterdir()
                   if p.name.startswith(worker + "."))
    return paths[int(span) - 1]


def compare_steps(folder, name, run, worker, span, overview, report):
    key = "%s/%s/%s" % (name, run, worker)
    got, want = ours(report, worker, span), theirs(overview)
    parts_sum(got)
    if key == NO_STEP:
        check.equal("steps", got, {})
        return
    if name in GPU_MARKS:
        check.equal("their steps", [step for step, _ in want], GPU_MARKS[name][0])
        check.equal("our steps", list(got), GPU_MARKS[name][1])
    elif key in BROKEN:
        for role, us in BROKEN[key][0].items():
            check.equal("theirs, %s" % role, want[0][1][role], us)
        for role, us in BROKEN[key][1].items():
            check.near("ours, %s" % role, got["0"][role], us)
    elif name not in DIFFERENT:
        compare(got, dict(want), COARSE.get(name, EXACT))
    if name == "hta_alexnet":
        return  # a span of its file is no JSON number for Decimal
    events = torch_breakdown.load(trace_of(folder, run, worker, span))
    compare(got, torch_breakdown.breakdown(events, ours=True), 0.0005)
    if name in DIFFERENT:
        compare(torch_breakdown.breakdown(events, ours=False), dict(want), COARSE.get(name, EXACT))


# Figures of the GPU summary as the peer prints them.
SUMMARY = {"GPU Utilization": "utilization", "Est. SM Efficiency": "sm_efficiency", "Est. Achieved Occupancy": "occupancy"}
# Where they differ: its steps are wrong (marks of the GPU's side), so the window is; or its list of tensor cores ends with Ampere.
OTHER_WINDOW = ("tl_mi300_ckpt",)
TENSOR_CORES = {  # theirs, ours: names since Hopper, flash attention, and kernels that no operator asked for count
    "hta_alexnet": (0.0, 16.97), "tl_h100_bert": (23.19, 76.50), "tl_h100_qwen": (27.88, 36.64), "hta_nccl_a100": (16.38, 23.76),
    "tl_mi300_ckpt": (0.0, 6.37)}


def compare_gpus(name, worker, span, overview, report):
    gpu = None
    for item in overview.get("gpu_metrics", {"data": []})["data"]:
        title, value = item["title"], item["value"]
        started = re.match(r"GPU (\d+):", title)
        gpu = started.group(1) if started else gpu
        scope = "@worker=%s,span=%s,device=GPU%s" % (worker, span, gpu)
        share = value.removesuffix(" %")
        if title in SUMMARY and name not in OTHER_WINDOW:
            ours = report.metric("torch.gpu.%s_share%s" % (SUMMARY[title], scope))
            if SUMMARY[title] == "occupancy" and float(share) == 0:
                check.equal("occupancy that the trace rounds to 0", ours, None)
                continue
            check.near(title, 100 * ours, float(share), rel=0, abs_=0.01 if name in COARSE else 0.005001)
        elif title == "Kernel Time using Tensor Cores":
            known = report.metrics.get("torch.gpu.tensor_core_share" + scope, {}).get("value")
            if name in TENSOR_CORES:
                check.equal("tensor cores, theirs", float(share), TENSOR_CORES[name][0])
                check.printed("tensor cores, ours", 100 * known, "%.2f" % TENSOR_CORES[name][1])
            elif known is not None:
                check.printed(title, 100 * known, share)
        elif title == "Memory":
            row = next(r for r in report.rows("gpus/table") if r["gpu"] == "GPU " + gpu)
            check.near(title, row["memory_gib"], float(value.removesuffix(" GB")), rel=0, abs_=0.005001)


# Words of each recommendation, and the finding that gives it.
ADVICE = {"DataLoader": "TPR-LOAD-001", "communication": "TPR-COMM-002", "low utilization": "TPR-GPU-001",
          "Automatic Mixed Precision": "TPR-AMP-001", "NCCL backend": "TPR-DDP-001", "DistributedDataParallel": "TPR-DP-001"}
# Recommendations that we do not give: the GPU's matrix cores are in use, and its names say so; or marks of the GPU's side were steps.
# Nor where its share of communication is that of a step counted twice.
NOT_OURS = {("tl_mi300_ckpt", "TPR-AMP-001"), ("test_distributed_nccl", "TPR-COMM-002")}


def compare_advice(run, overview, report):
    said = {finding["id"]: finding["status"] for finding in report.doc["findings"]}
    for words, rule in ADVICE.items():
        if words in overview["recommendations"] and (run, rule) not in NOT_OURS:
            check.equal(rule, said.get(rule), "open")


def zero_grads():
    """What Optimizer.zero_grad costs: its device work, and its fills on the host while no device works."""
    for path in (("kineto_tb_samples", "resnet50_num_workers_0", "worker0.1623143089861.pt.trace.json.gz"),
                 ("hta", "df_index_resolver", "df_index_resolver.json.gz"), ("hta", "ns_resolution_trace",)):
        path = test_data("pytorch", "found", *path)
        path = next(path.iterdir()) if path.is_dir() else path
        check.part("zero_grad of %s" % path.name)
        events = torch_breakdown.load(path)
        steps = torch_breakdown.steps_of(events, drivers=True)
        calls = {e.correlation: e for e in events if e.kind in ("runtime", "driver") and e.correlation}
        work = torch_breakdown.united([e.start, e.end] for e in events if torch_breakdown.is_work(e))
        marks = [e for e in events if e.name.startswith("Optimizer.zero_grad") and steps[0][1] <= e.start < steps[-1][2]]

        def inside(e, ranges):
            return e is not None and any(r is not e and r.start <= e.start and e.end <= r.end for r in ranges)
        fills = [e for e in events if e.name in ("aten::zero_", "aten::fill_", "aten::_foreach_zero_") and inside(e, marks)]
        cost = sum(e.end - e.start for e in events if torch_breakdown.is_work(e) and inside(calls.get(e.correlation), marks))
        cost += sum(e.end - e.start - torch_breakdown.covered(work, e.start, e.end) for e in fills
                    if not inside(e, [f for f in fills if f.name == "aten::zero_"]))
        check.near("share", Report(path).metric("torch.zero_grad_share"), cost / sum(end - start for _, start, end in steps), 1e-6)


def main():
    zero_grads()
    reports = {}
    count = 0
    for name, run, worker, span, overview in overviews():
        check.part("%s/%s %s@%s" % (name, run, worker, span))
        with logdir(name) as folder:
            if (name, run) not in reports:
                reports = {(name, run): Report(folder / run if run != name else folder)}
            report = reports[name, run]
            compare_steps(folder, name, run, worker, span, overview, report)
        compare_gpus(name, worker, span, overview, report)
        compare_advice(run, overview, report)
        count += 1
    check.part("all")
    check.true("49 overviews were compared", count >= 49)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
