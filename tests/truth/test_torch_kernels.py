"""Kernels of PyTorch traces against the tables of torch-tb-profiler: by name, and by launch and operator. Where ours differs on
purpose, both figures are asserted."""

from torch_logdirs import answer, events_of, logdir
from truth import Check, Report, test_data

check = Check()
FIGURES = (("Calls", "calls", 1, 0), ("Total Duration (us)", "total_us", 1, 0.501), ("Mean Duration (us)", "mean_us", 1, 0.501),
           ("Max Duration (us)", "max_us", 1, 0.501), ("Min Duration (us)", "min_us", 1, 0.501),
           ("Mean Blocks Per SM", "blocks_per_sm", 1, 0.0051), ("Mean Est. Achieved Occupancy (%)", "occupancy_share", 100, 0.0051))


def table(tool, place, route):
    data = answer(tool, place, route)["data"]
    return [dict(zip([c["name"] for c in data["columns"]], row)) for row in data["rows"]]


def compare(what, row, want, noise_us=0):
    """noise_us: of each event, where it subtracts two doubles of 10^15 µs: their last digit is 0.125 µs."""
    for theirs, ours, factor, slack in FIGURES:
        # A mean over calls that took no time at all is 0 there; here they weigh alike.
        if theirs not in want or want["Total Duration (us)"] == 0 and theirs.startswith("Mean "):
            continue
        if ours == "occupancy_share" and want[theirs] == 0:
            check.equal(f"{what}, occupancy that the trace rounds to 0", row[ours], None)
            continue
        if theirs.endswith("(us)"):
            slack += noise_us * (want["Calls"] if theirs.startswith("Total") else 1)
        check.near(f"{what} {theirs}", None if row[ours] is None else row[ours] * factor, want[theirs], rel=0, abs_=slack)


def sides(text):
    return tuple(int(part) for part in text.strip("[]").split(",")) if text else None


def key_of(row):
    return (row["name"], row["operation"], sides(row["grid"]), sides(row["block"]), row["registers"], row["shared_bytes"])


def number(text):
    return int(text) if text else None


def key_of_theirs(row):
    return (row["Name"], row["Operator"], sides(row["Grid"]), sides(row["Block"]), number(row.get("Register Per Thread")),
            number(row.get("Shared Memory")))


def by_name(report, tool, place, newer_names=(), noise_us=0):
    """newer_names: parts of kernels' names that it does not know to use tensor cores."""
    rows = {row["name"]: row for row in report.rows("kernels/by-name")}
    want = table(tool, place, "kernel_table")
    check.equal("kernels", len(rows), len(want))
    check.equal("calls", report.metric("kernels.count"), sum(row["Calls"] for row in want))
    newer = 0
    for expected in want:
        row = rows[expected["Name"]]
        compare(expected["Name"][:60], row, expected, noise_us)
        used, theirs = row["tensor_cores"] == "used", expected["Tensor Cores Used"] == "Yes"
        if used != theirs:
            newer += 1
            check.true(expected["Name"][:60] + " is of a newer kind", used and any(part in expected["Name"] for part in newer_names))
    check.equal("kinds of kernels that it misses", newer > 0, bool(newer_names))


def by_launch(report, tool, place, lost=0, newer_ops=(), noise_us=0):
    """lost: calls that it does not list, or charges to no operator."""
    rows = {key_of(row): row for row in report.rows("kernels/list")}
    want = table(tool, place, "kernel_op_table")
    missing = 0
    for expected in want:
        row = rows.pop(key_of_theirs(expected), None)
        if row is None or row["calls"] != expected["Calls"]:
            missing += abs((row["calls"] if row else 0) - expected["Calls"])
            continue
        compare(f"{expected['Name'][:50]} of {expected['Operator']}", row, expected, noise_us)
        eligible = row["tensor_cores"] in ("used", "not used", "possible")
        if eligible != (expected["Op is Tensor Cores eligible"] == "Yes"):
            check.true(expected["Operator"] + " could use them since", eligible and expected["Operator"] in newer_ops)
    check.equal("calls that differ", missing, lost)
    return rows


def span(tool, run, worker, number_):
    name, folder_name = run.split("/")
    place = f"{run}/{worker}@{number_}"
    check.part(f"{tool} {place}")
    with logdir(name) as folder:
        if (folder / folder_name).is_dir():
            folder = folder / folder_name
        path = sorted(p for p in folder.iterdir() if p.name.startswith(worker + "."))[number_ - 1]
        return place, Report(path)


def mtia():
    """One category for all that an MTIA device does: copies have a size, waits a stream, and neither is a kernel."""
    check.part("MTIA")
    path = test_data("pytorch", "found", "hta", "mtia_inference_trace", "mtia_inference_rank_0.json.gz")
    report = Report(path)
    events = [e for e in events_of(path) if e.get("cat") == "mtia_ccp_events"]
    copies = [e for e in events if "size" in e["args"] and "direction" in e["args"]]
    waits = [e for e in events if e["name"].startswith("event_")]
    check.true("each event_wait says for which stream", all("wait_on_stream" in e["args"] for e in waits if e["name"] == "event_wait"))
    check.equal("copies are what is named dma", {e["name"] for e in copies}, {e["name"] for e in events if e["name"].startswith("dma")})
    check.equal("kernels", report.metric("kernels.count"), len(events) - len(copies) - len(waits))
    check.near("their time", sum(row["total_us"] for row in report.rows("kernels/by-name")),
               sum(e["dur"] for e in events if e not in copies and e not in waits), 1e-9)
    nameless = [e for e in events if e not in waits and not e["args"].get("correlation")]
    check.equal("copies and kernels that name no launch", report.metric("torch.data.no_launch_count"), len(nameless))
    check.near("their time", report.metric("torch.device_work.untold_us"), sum(e["dur"] for e in nameless), 1e-9)
    check.equal("none of them is from before the trace", report.metric("torch.device_work.before_window_us"), 0)
    check.true("nor said to be", "before the trace began" not in str(report.doc["sections"]))
    # The step is all operators', and what they launched: work that names no launch does not move its start.
    operators = [e for e in events_of(path) if e.get("cat") == "cpu_op"]
    first = min(e["ts"] for e in operators)
    launched = {e["args"]["correlation"] for e in events_of(path) if e.get("cat") == "mtia_runtime" and e["ts"] >= first and
                e["ts"] + e["dur"] <= max(o["ts"] + o["dur"] for o in operators) and e["args"].get("correlation")}
    last = max(e["ts"] + e["dur"] for e in [*operators, *(e for e in events if e not in waits and
                                                           e["args"].get("correlation") in launched)])
    check.near("the step", report.metric("torch.step.mean_us"), last - first, rel=0, abs_=0.01)
    check.true("it is no GPU", "ARTEMIS is a Meta accelerator (MTIA), not a GPU" in str(report.doc["sections"]))
    check.true("said under Method", any("MTIA" in row["figure"] for row in report.rows("method/differences/table")))


def lost_launches():
    """Captures of which most launches were removed: each step begins where work launched before its mark ends, and what was
    launched in it holds no start up."""
    check.part("lost launches")
    for name in ("base", "test"):
        path = test_data("pytorch", "found", "hta", "trace_compare", name, name + ".json.gz")
        events = events_of(path)
        marks = sorted((e["ts"], e["ts"] + e["dur"]) for e in events if e["name"].startswith("ProfilerStep#"))
        begin, end = marks[0]
        calls = {e["args"]["correlation"]: e["ts"] for e in events if e["cat"] == "cuda_runtime"}
        work = [(e["ts"], e["ts"] + e["dur"], e["args"]["correlation"]) for e in events if e["cat"] in ("kernel", "gpu_memcpy", "gpu_memset")]
        own = [w for w in work if begin <= calls.get(w[2], -1) <= end]
        after = min(number for number, ts in calls.items() if ts >= begin)
        before = [w[1] for w in work if w[2] < after and w[1] < min(w[0] for w in own)]
        start = max([begin, *before])
        step = Report(path).rows("steps/roles/each")[0]["step_us"]
        check.near("%s, its first step" % name, step, max([end, *(w[1] for w in own)]) - start)
        check.true("%s, of the order of its mark" % name, 0.8 * (end - begin) < step < 1.5 * (end - begin))


def main():
    for number_ in (1, 2):
        place, report = span("pypi", "kineto_samples/resnet50_num_workers_0", "worker0", number_)
        by_name(report, "pypi", place)
        check.equal("rows of no kernel of its", list(by_launch(report, "pypi", place)), [])
        check.equal("kernel names", len(report.rows("kernels/by-name")), 67)
        check.equal("rows by launch and operator", len(report.rows("kernels/list")), 226)
        check.equal("calls", report.metric("kernels.count"), 8772)
        pie = answer("pypi", place, "kernel_tc_pie")["total"]["rows"]
        check.equal("on tensor cores", report.metric("gpu.tensor_core_share") or 0, dict(pie)["Using Tensor Cores"])

    place, report = span("git", "hta_ns_v100/hta_ns_v100", "node0_0", 1)
    by_name(report, "git", place, noise_us=0.25)
    # It loses the call whose operator was merged with the one that it called.
    by_launch(report, "git", place, lost=1, newer_ops=("aten::convolution_backward",), noise_us=0.25)

    place, report = span("git", "tl_h100_bert/tl_h100_bert", "host_1", 1)
    by_name(report, "git", place, newer_names=("wmma_tensorop", "flash_fwd"))
    left = by_launch(report, "git", place, lost=44, newer_ops=("aten::_flash_attention_forward",))
    # Launches by the driver: it charges them to no operator.
    check.equal("charged to the root", sum(row["Calls"] for row in table("git", place, "kernel_op_table") if row["Operator"] == "CallTreeRoot"), 44)
    check.equal("which are of", {key[1] for key in left}, {"aten::addmm"})

    place, report = span("git", "hta_ddp_v100/hta_ddp_v100", "node0_1", 1)
    by_name(report, "git", place)
    check.equal("rows by launch and operator that it has", len(table("git", place, "kernel_op_table")), 0)
    check.true("all of ours have an operator", all(row["operation"] for row in report.rows("kernels/list")))

    place, report = span("git", "tl_mi300_ckpt/tl_mi300_ckpt", "host_1", 1)
    check.equal("calls", report.metric("kernels.count"), 2995)
    before = [row for row in report.rows("kernels/list") if row["operation"] is None]
    check.true("some were launched before the trace", before and all(row["grid"] is None for row in before))
    row = next(r for r in report.rows("kernels/by-name") if r["kernel"] == "ncclDevKernel_Generic")
    check.true("occupancy from the call of the launch", 0 < row["occupancy_share"] < 0.1)
    mtia()
    lost_launches()
    check.end()


if __name__ == "__main__":
    main()
