"""Compares a report on a synthetic TPU profile with the figures that its generator worked out beforehand."""

import statistics

import expected_input
import pod_truth
import roofline_truth
import xspace_truth as own

COLLECTIVES = ("all-reduce", "all-gather", "all-to-all", "reduce-scatter", "collective")
CONTAINERS = ("while", "call", "conditional")
VERDICTS = {"HIGHLY": "high", "MODERATELY": "medium", "NOT": "none"}


def steps(check, report, expected):
    """Each step, their statistics, and the means over cores."""
    rows = {str(row["step"]): row for row in expected["steps"]["per_step"]}
    mine, times = report.steps(), report.step_ms()
    check.equal("steps", list(mine), list(rows))
    check.equal("step.count", report.metric("step.count"), expected["steps"]["complete_on_all_cores"])
    check.equal("step_source", report.metric("run.step_source"), "markers")
    for name, row in rows.items():
        parts, mean = mine[name], row["mean_core_ms"]
        check.near(f"step {name} time: sum of its parts", times[name], row["step_time_ms"])
        for part, key in (("input_wait", "infeed"), ("output", "outfeed"), ("send_recv", "send_recv")):
            check.near(f"step {name} {part}", parts.get(part, 0), mean[key], abs_=1e-9)
        # Asynchronous all-reduces carry no id, so the generator leaves them in compute; see categories().
        check.near(f"step {name} compute and collective", parts.get("compute", 0) + parts.get("collective", 0),
                   mean["compute"] + mean["all_reduce_compute"] + mean["all_reduce_sync"])
        check.near(f"step {name} idle and wait for the slowest core", parts.get("idle", 0),
                   mean["idle"] + row["step_time_ms"] - mean["step"], abs_=1e-9)

    summary = expected["steps"]["summary"]
    for ours, theirs in (("mean", "avg"), ("min", "min"), ("max", "max"), ("sd", "sd")):
        if ours == "sd" and len(rows) < 2:  # one step has no deviation; theirs is 0
            check.equal("step time sd", report.metric("step.time.sd_ms"), None)
            continue
        check.near(f"step time {ours}", report.metric(f"step.time.{ours}_ms"), summary["step_time_ms"][theirs],
                   abs_=1e-10)
    for part in ("tc_compute", "tc_infeed", "tc_outfeed", "tc_idle", "all_reduce_compute", "all_reduce_sync"):
        check.near(f"step.tpu.{part}_ms", report.metric(f"step.tpu.{part}_ms"), summary[f"{part}_ms"]["avg"], abs_=1e-10)
    check.near("host transfer", report.metric("step.class.host_transfer_ms"), host_transfer_ms(expected, len(rows)),
               abs_=1e-9)
    mean, step = expected["steps"]["mean_over_cores_and_steps_ms"], summary["step_time_ms"]["avg"]
    classes = {"input_wait": mean["infeed"], "output": mean["outfeed"], "send_recv": mean["send_recv"],
               "idle": mean["idle"] + step - mean["step"]}
    for part, ms in classes.items():
        check.near(f"mean {part}", report.metric(f"step.class.{part}_ms"), ms, abs_=1e-9)
        check.near(f"share of {part}", report.metric(f"step.class.{part}_share"), ms / step, abs_=1e-9)
    collective = report.metric("step.class.collective_ms")
    check.near("mean compute and collective", report.metric("step.class.compute_ms") + collective,
               mean["compute"] + mean["all_reduce_compute"] + mean["all_reduce_sync"])
    # Exactly the self time of collectives without an id, asynchronous ones above all, is what we call collective besides. To
    # be had from here when every operation is in a step of every core; else second_computation() of test_synth.py has it.
    if expected["events"]["steps"] == expected["environment"]["cores"] * len(rows):
        more = sum(one["self_ps"] for name, one in expected["op_profile"]["by_category"].items() if name != "all-reduce" and
                   name.startswith(COLLECTIVES)) / 1e9 / expected["environment"]["cores"] / len(rows)
        check.near("mean collective", collective, mean["all_reduce_compute"] + mean["all_reduce_sync"] + more, abs_=1e-9)
    check.near("parts sum to the step", sum(report.metric(f"step.class.{part}_ms") for part in (
        "compute", "collective", "host_transfer", *classes)), step)

    bound = expected["input_bound"]
    waits(check, "input.wait_share", expected, report.metric("input.wait_share"), bound["infeed_percent_of_step_time"])
    verdict = VERDICTS[bound["classification_step_time_denominator"]]
    check.equal("input.verdict", report.metric("input.verdict"), verdict)
    # Without an infeed none is a bound: on no core more can be waiting than is idle, and on the mean core no less is.
    if not has_infeed(expected):
        idle = report.metric("step.class.idle_share")
        check.true("input.wait_limit_share", idle - 1e-12 <= report.metric("input.wait_limit_share") < 0.05)


def has_infeed(expected):
    return "infeed" in expected["op_profile"]["by_category"]


def waits(check, what, expected, share, percent):
    """A share of waiting for input. Where no operation receives input nothing shows it: the generator counts 0, we say so."""
    if has_infeed(expected):
        check.near(what, 100 * share, percent, abs_=1e-9)
    else:
        check.equal(what, (share, percent), (None, 0))


# Parts of the TPU page: {our column: the generator's}.
PARTS = {f"{part}_ms": f"{part}_ms" for part in ("tc_compute", "tc_infeed", "tc_outfeed", "tc_idle", "all_reduce_compute",
                                                 "all_reduce_sync", "host_transfer")}


def core_names(report, expected):
    """{core of the generator: name here}"""
    several = expected["environment"]["hosts"] > 1
    return {core["core"]: f"{core['host']} TPU:{core['local_ordinal']}" if several else f"TPU:{core['local_ordinal']}"
            for core in expected["pod"]["topology"]}


def tpu_page(check, report, expected):
    """TPU page figures: each step's, and their statistics over all steps and over those that the capture does
    not cut."""
    steps, names = expected["steps"], core_names(report, expected)
    several = expected["environment"]["cores"] > 1
    rows = {row["step"]: row for row in report.rows("steps/each")}
    cut = [step for step in steps.get("partial_steps_included", []) if step in steps["numbers"]]
    if len(steps["per_step"]) == 1:  # whose figures are the statistics
        check.equal("no table of one step", rows, {})
        tpu_statistics(check, report, steps["summary"], "steps/tpu", "step.time")
        return
    check.equal("steps, one by one", list(rows), [str(row["step"]) for row in steps["per_step"]])
    check.equal("steps that the capture cuts", [int(name) for name, row in rows.items() if row.get("cut")], cut)
    check.equal("step.cut_count", report.metric("step.cut_count"), len(cut))
    check.equal("steps over cores", steps["numbers"], [int(name) for name in rows])
    for expect in steps["per_step"]:
        name = str(expect["step"])
        mine = rows[name]
        check.near(f"step {name}", mine["time_ms"], expect["step_time_ms"])
        for column, part in PARTS.items():
            check.near(f"step {name} {part}", mine.get(column, 0), expect[part], abs_=1e-10)  # no column: 0 throughout
        waits(check, f"step {name} input, most", expected, mine["input_most_share"], expect["infeed_pct_max"])
        if several:
            waits(check, f"step {name} input, least", expected, mine["input_least_share"], expect["infeed_pct_min"])
            waits(check, f"step {name} input, mean", expected, mine["input_mean_share"], expect["infeed_pct_avg"])
            check.equal(f"step {name} slowest core", mine["slowest"], names[expect["slowest_core"]])
            worst = names[expect["max_infeed_core"]]
            check.equal(f"step {name} waits most", mine["waits_most"], worst if expect["infeed_pct_max"] else None)
    tpu_statistics(check, report, steps["summary"], "steps/tpu", "step.time")
    for ours, theirs in (("share", "avg"), ("sd_share", "sd"), ("min_share", "min"), ("max_share", "max")):
        got = report.metric(f"input.worst_{ours}")
        if got is not None or theirs != "sd" or len(rows) > 1:
            waits(check, f"worst core's wait, {theirs}", expected, got, steps["summary"]["infeed_pct_max"][theirs])
    if cut:
        tpu_statistics(check, report, steps["summary_without_partial"], "steps/tpu-whole", "step.time.whole")
        check.equal("whole steps", len(rows) - len(cut), steps["n_without_partial"])
        whole = [row["input_most_share"] for row in rows.values() if not row["cut"]]
        expect = steps["summary_without_partial"]["infeed_pct_max"]
        check.near("worst core's wait, whole steps", 100 * sum(whole) / len(whole), expect["avg"])
        check.near("least", 100 * min(whole), expect["min"])
        check.near("most", 100 * max(whole), expect["max"])
        check.near("deviation", 100 * statistics.stdev(whole), expect["sd"])
    else:
        check.equal("no second table", report.rows("steps/tpu-whole"), [])
        check.near("all are whole", report.metric("step.time.whole.mean_ms"), report.metric("step.time.mean_ms"))
    waits(check, "worst core's wait", expected, report.metric("input.worst_share"),
          expected["input_bound"]["infeed_percent_max_over_cores_mean"])


def tpu_statistics(check, report, summary, table, metric):
    rows = {row["id"].rpartition("/")[2]: row for row in report.rows(table)}
    for ours, theirs in (("mean", "avg"), ("sd", "sd"), ("min", "min"), ("max", "max")):
        if ours == "sd" and report.metric("step.count") < 2:
            continue
        check.near(f"{table} step {ours}", rows["step"][f"{ours}_ms"], summary["step_time_ms"][theirs], abs_=1e-10)
        check.near(f"{metric}.{ours}_ms", report.metric(f"{metric}.{ours}_ms"), summary["step_time_ms"][theirs], abs_=1e-10)
        for column, part in PARTS.items():
            check.near(f"{table} {part} {ours}", rows[f"step.tpu.{column}"][f"{ours}_ms"], summary[part][theirs], abs_=1e-10)


def host_transfer_ms(expected, steps):
    """Mean over cores and steps, as our classes are; the generator's summary has the maximum over cores. What a core's step
    is besides all that the generator names."""
    if not any(name.startswith("host ") for name in expected["op_profile"]["by_category"]):
        return 0
    parts = ("idle_us", "xprof_device_compute_us", "infeed_us", "outfeed_us", "all_reduce_compute_us", "all_reduce_sync_us",
             "send_us", "recv_us")
    return sum(cell["total_us"] - sum(cell[part] for part in parts) for cell in expected["pod"]["per_step_core"]
               ) / expected["environment"]["cores"] / steps / 1e3


def inferred(check, report, marked, lengths, slack_ms=0):
    """Steps of a capture whose Steps lines are taken away, against those of the whole one: the same operations in each, so
    the same classes but idle, which ends where the next step begins, and compute, to which small programs between steps come.
    lengths: {number: ps} and {number: ps of such programs}, worked out apart. slack_ms: a
    step that is inferred from operations begins with the first of them, not with its program a little before; so does the
    last one, for its end, where programs are on the host's clock."""
    mine, times, theirs = report.steps(), report.step_ms(), list(marked.steps().values())
    lengths, between = lengths
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    check.equal("steps", list(mine), [str(number) for number in lengths])
    for (number, parts), same in zip(mine.items(), theirs):
        check.near(f"step {number} time", times[number], lengths[int(number)] / 1e9,
                   abs_=slack_ms if slack_ms or number != list(mine)[-1] else 0.02)
        for part in (set(parts) | set(same)) - {"idle"}:
            more = between.get(int(number), 0) / 1e9 if part in ("compute", "arithmetic") else 0
            check.near(f"step {number} {part}", parts.get(part, 0), same.get(part, 0) + more, abs_=1e-9)
    confidence = report.metric("step.inferred.confidence_share")
    check.true("confidence", 0.5 <= confidence < 1)
    check.true("said so: coverage", all("inferred" in report.metrics[name]["coverage"] for name in report.metrics
                                        if name.startswith("step.") and report.metrics[name].get("value") is not None))


def operations(check, report, expected):
    """Totals, categories and every operation."""
    profile, environment = expected["op_profile"], expected["environment"]
    flop, byte = environment["peak_tflops_per_core"] * 1e12, environment["peak_hbm_gb_per_s_per_core"] * 1e9
    check.equal("device.total_ps", report.metric("device.total_ps"), profile["total_time_ps"])
    check.equal("device.busy_ps", report.metric("device.busy_ps"), profile["busy_ps"])
    check.near("device.idle_share", 100 * report.metric("device.idle_share"), profile["idle_percent"])
    check.near("device.busy_share", 100 * report.metric("device.busy_share"), 100 - profile["idle_percent"])
    # What the body of a loop does counts once; the generator adds what the loop itself is said to do.
    twice = sum(op["flops"] for op in profile["ops"] if op["category"] in CONTAINERS)
    once = 1 - twice / profile["total_flops"] if twice else 1
    check.near("FLOPS while busy", report.metric("flops.busy_utilization_share"),
               profile["root_flops_utilisation_busy"] * once)
    check.near("FLOPS, idle included", report.metric("flops.utilization_share"),
               profile["root_flops_utilisation_with_idle"] * once)
    check.near("FLOP rate", report.metric("flops.rate_per_s"),
               profile["total_flops"] * once * 1e12 / profile["total_time_ps"])
    check.near("HBM while busy", report.metric("memory_bandwidth.busy_utilization_share"),
               profile["hbm_utilisation_busy"])
    check.near("HBM, idle included", report.metric("memory_bandwidth.utilization_share"),
               profile["hbm_utilisation_with_idle"])
    check.near("matrix unit", 100 * report.metric("matrix_unit.utilization_share"),
               expected["utilisation"]["mxu_percent_in_host_plane"])
    check.near("bandwidth counter", 100 * report.metric("memory_bandwidth.counter_share"),
               expected["utilisation"]["hbm_percent_in_host_plane"])
    if report.metric("precision.compute_16bit_share") is not None:
        check.near("16 and 32 bit are all", report.metric("precision.compute_16bit_share") +
                   report.metric("precision.compute_32bit_share"), 1)
    check.equal("flops.peak_per_s", report.metric("flops.peak_per_s"), flop)
    check.equal("flops.peak_source", report.metric("flops.peak_source"), "profile")

    tree = report.rows("operations/tree")
    groups = {row["name"]: row for row in tree if row["role"] == "group"}
    by_category = dict(profile["by_category"])
    # Operations of other programs than the training step's are in the totals but not among those listed.
    check.equal("busy time is that of categories and other programs", profile["busy_ps"],
                sum(one["self_ps"] for one in by_category.values()) + profile["other_program_ps"])
    others = {name for name in groups if name not in by_category}
    check.true("categories", set(by_category) <= set(groups) and (not others or profile["other_program_ps"] > 0))
    check.equal("busy time of all categories", sum(round(row["self_ms"] * 1e9) for row in groups.values()),
                profile["busy_ps"])
    program = expected["program"].partition("(")[0]
    ops = {name: row for (of, name), row in report.ops().items() if of == program}
    check.equal("operations", sorted(ops), sorted(op["name"] for op in profile["ops"]))
    extra = {key: row for key, row in report.ops().items() if key[0] != program}
    leaves = {row["id"].removeprefix("operations/tree"): row for row in tree if row["depth"] >= 1}
    check.equal("time of other programs", sum(round(row["self_ms"] * 1e9) for row in extra.values()),
                profile["other_program_ps"])
    for name, one in by_category.items():
        more = [row for row in extra.values() if row["category"] == name]
        check.ps(f"category {name}", groups[name]["self_ms"],
                 one["self_ps"] + sum(round(row["self_ms"] * 1e9) for row in more))
        check.equal(f"category {name} occurrences", groups[name]["occurrences"],
                    one["occurrences"] + sum(row["occurrences"] for row in more))
        check.near(f"category {name} share", groups[name]["busy_share"], round(groups[name]["self_ms"] * 1e9) /
                   profile["busy_ps"])
        if not more:
            utilisation(check, f"category {name} FLOPS", groups[name]["flops_utilization_share"],
                        0 if name in CONTAINERS else one["flops"], one["self_ps"], flop)
    for op in profile["ops"]:
        name, row = op["name"], ops[op["name"]]
        leaf = leaves[row["id"].removeprefix("operations/list")]
        flops, moved = (0, 0) if op["category"] in CONTAINERS else (op["flops"], op["hbm_bytes"])
        check.equal(f"{name} category", row["category"], op["category"])
        check.equal(f"{name} occurrences", row["occurrences"], op["occurrences"])
        check.ps(f"{name} self", row["self_ms"], op["self_ps"])
        check.ps(f"{name} time", row["total_ms"], op["time_ps"])
        check.equal(f"{name} source", row["source"], op["source"])
        check.equal(f"{name} framework operation", row["framework_op"], op["tf_op"].removesuffix(":"))
        check.equal(f"{name} its name", leaf["framework_op"], (own.framework_name(op["tf_op"]) or [op["tf_op"]])[0])
        rate(check, f"{name} FLOP rate", row["gflop_per_s"], flops, op["time_ps"], flop, 1e9)
        rate(check, f"{name} HBM rate", row["gb_per_s"], moved, op["time_ps"], byte, 1e9)
        utilisation(check, f"{name} FLOPS", leaf["flops_utilization_share"], flops, op["self_ps"], flop)
        utilisation(check, f"{name} HBM", leaf["hbm_utilization_share"], moved, op["self_ps"], byte)
    top = max(op["self_ps"] for op in profile["ops"])
    check.true("op.top.name", ops[report.metric("op.top.name")]["self_ms"] == top / 1e9)
    check.near("op.top.self_share", report.metric("op.top.self_share"), top / profile["busy_ps"])


def padding(check, report, expected):
    """Each convolution and dot: its arrays, dimension by dimension, its fit, and what that costs."""
    products = products_of(report)
    ops = {row["name"]: row for row in report.rows("padding/operations")}
    measured = {op["name"]: op for op in expected["op_profile"]["ops"]}
    check.equal("convolutions and dots", sorted(products), sorted(one["op"] for one in expected["padding_fit"]))
    check.equal("operations with one", sorted(ops), sorted(one["op"] for one in products.values()))
    lost = 0
    for one in expected["padding_fit"]:
        name, mine = one["op"], products[one["op"]]
        check.equal(f"{name} is in a fusion", mine["op"] != name, one["in_fusion"])
        check.equal(f"{name} arrays", list(mine["shapes"]), [shape["role"] for shape in one["shapes"]])
        for shape in one["shapes"]:
            array_fit(check, f"{name} {shape['role']}", mine["shapes"][shape["role"]], shape)
        fit = one["worst_fit_percent"] / 100
        row, self_ps = ops[mine["op"]], measured[mine["op"]]["self_ps"]
        check.near(f"{name} worst fit", mine["fit"], fit)
        check.near(f"{name} fit of its operation", row["fit_share"], fit)
        check.near(f"{name} time lost", row["lost_ms"], self_ps * (1 - fit) / 1e9)
        check.ps(f"{name} self time", row["self_ms"], self_ps)
        lost += self_ps * (1 - fit)
    check.near("padding.lost_ms", report.metric("padding.lost_ms"), lost / 1e9)
    check.near("padding.lost_share", report.metric("padding.lost_share"), lost / expected["op_profile"]["busy_ps"])


def products_of(report):
    """{convolution or dot: the operation that holds it, and its arrays by role} as the table of dimensions tells."""
    products = {}
    for row in report.rows("padding/dimensions"):
        if row["depth"] == 0:
            label, _, inner = row["name"].partition(", in it ")
            product = products[inner or label] = {"op": label, "fit": row["used_share"], "shapes": {}}
        elif row["depth"] == 1:
            array = product["shapes"][row["name"]] = {"fit": row["used_share"], "layout": row["layout"], "dims": []}
        else:
            array["dims"].append(row)
    return products


def array_fit(check, what, mine, shape):
    dims = shape["dims_minor_to_major"]
    check.equal(f"{what} layout", mine["layout"], shape["shape"])
    check.near(f"{what} fit", mine["fit"], shape["fit_percent"] / 100)
    check.near(f"{what} expansion", 1 / mine["fit"], shape["expansion"])
    # There may be dimensions that only the tile has; the generator does not list them.
    check.true(f"{what} dimensions", len(mine["dims"]) >= len(dims))
    for k, (own, dim) in enumerate(zip(mine["dims"], dims)):
        check.equal(f"{what} dimension {k}", (own["size"], own["padded"]), (dim["size"], dim["padded"]))
        if not dim["semantics"].startswith("dim "):  # of dots it only has numbers
            check.equal(f"{what} dimension {k} is", own["name"], dim["semantics"])


def rate(check, what, got, amount, ps, peak, unit):
    """Per second, in units. What is more than 1.25 of the peak is not the operation's own rate, and not shown; nothing has a
    rate in no time."""
    if ps == 0 or amount * 1e12 / ps > 1.25 * peak:
        check.equal(what, got, None)
    else:
        check.near(what, got, amount * 1e12 / ps / unit)


def utilisation(check, what, got, amount, ps, peak):
    rate(check, what, got, amount, ps, peak, peak)


def environment(check, report, expected):
    said = expected["environment"]
    check.equal("type", report.metric("run.device_type"), said["device_type"])
    check.equal("hosts", report.metric("run.hosts"), said["hosts"])
    check.equal("cores", report.metric("run.cores"), said["cores"])
    check.equal("chips", report.metric("run.devices"), said["chips"])
    check.equal("coverage", report.metric("data.coverage_share"), 1)
    rows = {row["what"]: row["value"] for row in report.rows("environment/run")}
    check.equal("cores of a chip", rows["Cores per chip"], said["cores_per_chip"])
    check.equal("capture started", rows["Capture started"], said["profile_start_ns"])
    check.equal("capture length", rows["Capture length"], said["profile_stop_ns"] - said["profile_start_ns"])
    check.near("capture length in ms", report.metric("run.capture_ms"),
               (said["profile_stop_ns"] - said["profile_start_ns"]) / 1e6)
    # Inferred from infeed where there is one, else from integer parameters, which these programs do not have.
    batch = (report.metric("run.batch.per_core"), report.metric("run.batch.global"))
    # A first dimension of 1 may be anything.
    known = "infeed" in expected["op_profile"]["by_category"] and said["per_core_batch"] > 1
    check.equal("batch", batch, (said["per_core_batch"], said["global_batch_size"]) if known else (None, None))
    hosts = {row["host"] for row in report.rows("devices/table")}
    check.equal("host names", sorted(hosts), sorted(said["hostnames"]))


def hosts_and_devices(check, report, expected):
    """Each host and each core by itself, from the generator's figures of each core in each step."""
    check.near("idle", 100 * report.metric("device.idle_share"), expected["device"]["idle_percent"])
    check.near("duty cycle", 100 * report.metric("device.duty_cycle_share"), expected["device"]["duty_cycle_percent"])
    cores, steps = expected["pod"]["topology"], {}
    for row in expected["pod"]["per_step_core"]:
        steps.setdefault(row["step"], {})[row["core"]] = row
    rows = {(row["host"], row["device"]): row for row in report.rows("devices/table")}
    busiest = {}
    for core in cores:
        mine = rows[core["host"], f"/device:TPU:{core['local_ordinal']}"]
        of_core = [step[core["core"]] for step in steps.values()]
        compute = sum(row["high_flops_us"] + row["low_flops_without_idle_us"] for row in of_core) / len(of_core)
        scope = f"@host={core['host']},device=TPU:{core['local_ordinal']}"
        check.near(f"busy {scope}", report.metric(f"device.busy_share{scope}"), mine["busy_share"])
        check.near(f"idle {scope}", report.metric(f"device.idle_share{scope}"), 1 - mine["busy_share"], abs_=1e-9)
        # Collectives without an id are in the generator's compute, see steps().
        if not any(name != "all-reduce" and name.startswith(COLLECTIVES) for name in expected["op_profile"]["by_category"]):
            check.near(f"compute {scope}", mine["step_compute_ms"], compute / 1e3)
        busiest.setdefault(core["host"], []).append(mine["step_compute_ms"])
    for host in {core["host"] for core in cores}:
        own = [core["core"] for core in cores if core["host"] == host]
        times = [max(step[core]["total_us"] for core in own) for step in steps.values()]
        infeed = [max(step[core]["infeed_us"] for core in own) for step in steps.values()]
        check.near(f"step of {host}", report.metric(f"step.time.mean_ms@host={host}"), sum(times) / len(times) / 1e3)
        check.near(f"longest step of {host}", report.metric(f"step.time.max_ms@host={host}"), max(times) / 1e3)
        if has_infeed(expected):  # of single hosts it is missing where it is missing of all
            waits(check, f"input wait of {host}", expected, report.metric(f"input.wait_share@host={host}"),
                  100 * sum(infeed) / sum(times))
        check.equal(f"cores of {host}", report.metric(f"run.cores@host={host}"), len(own))
    table = {row["host"]: row for row in report.rows("hosts/table") if row["role"] != "total"}
    check.equal("table of hosts only where there are several", sorted(table),
                sorted(busiest) if len(busiest) > 1 else [])
    for host, row in table.items():
        check.near(f"slowest core of {host}", row["core_compute_ms"], max(busiest[host]))
        check.near(f"step of {host} in the table", row["step_ms"], report.metric(f"step.time.mean_ms@host={host}"))


def everything(check, report, expected):
    hosts_and_devices(check, report, expected)
    tpu_page(check, report, expected)
    environment(check, report, expected)
    steps(check, report, expected)
    operations(check, report, expected)
    expected_input.generated(check, report, expected)
    padding(check, report, expected)
    roofline_truth.generated(check, report, expected)
    pod_truth.generated(check, report, expected)
