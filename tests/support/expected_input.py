"""Compares the report's section on the input pipeline with the peer's tables and with a second computation."""

import input_truth

METRICS = {"Enqueue": "enqueue", "Preprocessing": "preprocessing", "Advanced file read": "advanced_read",
           "Demanded file read": "demanded_read", "Unknown": "other"}
LABELS = {"Enqueue": "Enqueuing data", "Preprocessing": "Preprocessing", "Advanced file read": "Reading in advance",
          "Demanded file read": "Reading on demand", "Unknown": "Other input work"}


def operations(check, report, expected, rel=1e-9):
    """expected: {name: {count, total_ms, self_ms, class}} of every input operation."""
    rows = {row["name"]: row for row in report.rows("input-pipeline/operations")}
    check.equal("input operations", sorted(rows), sorted(expected))
    total = sum(one["self_ms"] for one in expected.values())
    for name, one in expected.items():
        row = rows.get(name, {})
        check.equal(f"{name} class", row.get("class"), LABELS[one["class"]])
        check.equal(f"{name} count", row.get("count"), one["count"])
        check.near(f"{name} total", row.get("total_ms"), one["total_ms"], rel)
        check.near(f"{name} self", row.get("self_ms"), one["self_ms"], rel)
        check.near(f"{name} share of total", row.get("total_share"), one["total_ms"] / total, 1e-6)
        check.near(f"{name} share of self", row.get("self_share"), one["self_ms"] / total, 1e-6)
    order = [row["self_ms"] for row in report.rows("input-pipeline/operations")]
    check.equal("order", order, sorted(order, reverse=True))


def classes(check, report, us, rel=1e-6):
    """us: {class: microseconds}"""
    table = {row["class"]: row for row in report.rows("input-pipeline/classes")}
    for name, key in METRICS.items():
        check.near(f"input.host.{key}_us", report.metric(f"input.host.{key}_us"), us[name], rel, 5e-4)
        check.near(f"{name} in the table", table[LABELS[name]]["time_ms"], us[name] / 1e3, rel, 5e-7)
        check.near(f"{name} share", table[LABELS[name]]["share"], us[name] / sum(us.values()), rel)


def steps(check, report, expected):
    """The wait for input over steps, and its range over cores in the chart, unless it is below 0.1 %; each step's is in the section on
    steps."""
    rows = expected["steps"]["per_step"]
    chart = report.blocks.get("input-pipeline/strip")
    if len(rows) < 2 or not any(row["infeed_pct_max"] >= 0.1 for row in rows):
        check.equal("chart of waits", chart, None)
        return
    check.equal("steps in the chart", chart["labels"], [str(row["step"]) for row in rows])
    drawn = [series["values"] for series in chart["series"]]
    least, more = drawn if len(drawn) == 2 else (drawn[0], [0] * len(rows))  # where all wait equally long, there is no range
    for i, row in enumerate(rows):
        check.near(f"step {row['step']}, core that waits least", least[i], row["infeed_pct_min"] / 100, abs_=1e-11)
        check.near(f"step {row['step']}, core that waits most", least[i] + more[i], row["infeed_pct_max"] / 100, abs_=1e-11)
    summary = expected["steps"]["summary"]
    for row, of, unit in zip(report.rows("input-pipeline/steps"), ("step_time_ms", "infeed_pct_max"), (1, 100)):
        for ours, theirs in (("mean", "avg"), ("sd", "sd"), ("min", "min"), ("max", "max")):
            check.near(f"{of} {theirs}", unit * row[ours], summary[of][theirs], abs_=1e-9)


def generated(check, report, expected):
    """Steps and host_input of a synthetic profile."""
    steps(check, report, expected)
    if "host_input" not in expected:
        return
    said = expected["host_input"]
    operations(check, report, {op["name"]: {**{key: op[key] for key in ("count", "total_ms", "self_ms")}, "class": op["category"]}
                               for op in said["ops"]})
    for op in said["ops"]:
        row = next(row for row in report.rows("input-pipeline/operations") if row["name"] == op["name"])
        check.near(f"{op['name']} total %", 100 * row["total_share"], op["total_percent"])
        check.near(f"{op['name']} self %", 100 * row["self_share"], op["self_percent"])
    us = {"Enqueue": said["enqueue_us"], "Unknown": 0.0, "Preprocessing": said["preprocessing_us"],
          "Advanced file read": said["advanced_file_read_us"], "Demanded file read": said["demanded_file_read_us"]}
    classes(check, report, us)
    check.near("time that is no enqueuing", sum(us.values()) - us["Enqueue"], said["non_enqueue_us"], 1e-6)
    # One transfer has no time to the next: nothing is scaled then.
    if said["enqueue_ratio"]:
        check.near("that share of transfers", said["enqueue_us"] / (said["enqueue_us"] + said["non_enqueue_us"]),
                   said["enqueue_ratio"])
    raw = {kind: sum(op["self_ms"] for op in said["ops"] if op["category"] == kind) * 1e3 for kind in METRICS}
    for kind, value in said["raw_self_us"].items():
        check.near(f"{kind} before scaling", raw[kind], value)


def figures_of(spaces):
    """Everything, worked out a second time; times in ps."""
    roots = [input_truth.calls_of(planes) for planes, _ in spaces]
    found = {"operations": input_truth.input_ops(spaces), "transfer_share": input_truth.transfer_share(spaces), "pipelines": []}
    for calls in roots:
        for root in sorted({input_truth.bits(call.id) for call in calls}):
            own = [call for call in calls if input_truth.bits(call.id) == root]
            times = [call.end - call.start for call in own]
            name, self_ps = input_truth.bottleneck(own[times.index(max(times))])
            found["pipelines"].append({
                "calls": len(own), "slow_calls": sum(time > 50_000_000 for time in times), "sum_ps": sum(times),
                "min_ps": min(times), "max_ps": max(times), "bottleneck": name, "bottleneck_ps": self_ps,
                "stages": [{"path": [name.rpartition("::")[2] for name in path], **one}
                           for path, one in input_truth.stages(own).items()]})
    found["pipelines"].sort(key=lambda one: -one["max_ps"])
    return found


def merged(stages):
    """Stages at the same place of the tree together: {path: {calls, total_ps, self_ps, waited_ps}}"""
    sums = {}
    for stage in stages:
        one = sums.setdefault(tuple(stage["path"]), dict.fromkeys(("calls", "total_ps", "self_ps", "waited_ps"), 0))
        for key in one:
            one[key] += stage[key]
    return sums


def second_computation(check, report, figures):
    """figures: as figures_of gives them."""
    ops = {name: {"class": one["class"], "count": one["count"], "total_ms": one["total_ps"] / 1e9, "self_ms": one["self_ps"] / 1e9}
           for name, one in figures["operations"].items()}
    if not ops:
        check.equal("no input operation", report.rows("input-pipeline/operations"), [])
        check.equal("nor time of any", report.metric("input.host.preprocessing_us"), None)
        return
    operations(check, report, ops)
    classes(check, report, input_truth.breakdown(figures["operations"], figures["transfer_share"]), 1e-9)
    rows, trees = report.rows("input-pipeline/pipelines"), report.rows("input-pipeline/stages")
    check.equal("pipelines", len(rows), len(figures["pipelines"]))
    path, mine = [], {}
    for row in trees:
        if row["role"] != "group":
            path = path[:row["depth"]] + [row["stage"]]
            mine[tuple(path)] = row
    for row, one in zip(rows, figures["pipelines"]):
        for key in ("calls", "slow_calls", "bottleneck"):
            check.equal(f"pipeline {key}", row[key], one[key])
        for key, ps in (("min_ms", one["min_ps"]), ("max_ms", one["max_ps"]), ("bottleneck_ms", one["bottleneck_ps"])):
            check.ps(f"pipeline {key}", row[key], ps)
        check.near("pipeline mean", row["mean_ms"], one["sum_ps"] / one["calls"] / 1e9)
    if len(figures["pipelines"]) == 1:
        [one] = figures["pipelines"]
        stages = merged(one["stages"])
        check.equal("stages", sorted(mine), sorted(stages))
        for place, stage in stages.items():
            row = mine.get(place, {})
            check.equal(f"{place} calls", row.get("calls"), stage["calls"])
            for key in ("total", "self", "waited"):
                check.ps(f"{place} {key}", row.get(f"{key}_ms"), stage[f"{key}_ps"])
            check.near(f"{place} share", row.get("waited_share"), stage["waited_ps"] / one["sum_ps"])
        check.equal("what is waited for is all of the calls", sum(stage["waited_ps"] for stage in stages.values()), one["sum_ps"])
        most = max(stages, key=lambda place: stages[place]["waited_ps"])
        check.equal("input.slowest_stage.name", report.metric("input.slowest_stage.name"), most[-1])
        check.near("input.slowest_stage.share", report.metric("input.slowest_stage.share"), stages[most]["waited_ps"] / one["sum_ps"])
        check.equal("input.tf_data.calls", report.metric("input.tf_data.calls"), one["calls"])
        check.equal("input.tf_data.slow_calls", report.metric("input.tf_data.slow_calls"), one["slow_calls"])
        check.near("input.tf_data.call.mean_us", report.metric("input.tf_data.call.mean_us"), one["sum_ps"] / one["calls"] / 1e6)
        check.near("input.tf_data.call.max_us", report.metric("input.tf_data.call.max_us"), one["max_ps"] / 1e6)
        check.equal("input.bottleneck.name", report.metric("input.bottleneck.name"), one["bottleneck"])
        check.near("input.bottleneck.self_us", report.metric("input.bottleneck.self_us"), one["bottleneck_ps"] / 1e6)
