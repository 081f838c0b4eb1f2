"""The section on distributed runs against what the generator of a synthetic profile worked out for every core and step, and
who sets the step time, worked out here from that."""

import statistics

COLLECTIVES = ("all-reduce", "all-gather", "all-to-all", "reduce-scatter", "collective")
PARTS = ("high_flops", "infeed", "outfeed", "send")  # the same here and there
LABELS = {"high_flops": "High-FLOPS compute", "low_flops": "Low-FLOPS compute", "infeed": "Infeed", "outfeed": "Outfeed",
          "all_reduce_compute": "Collectives, compute", "all_reduce_sync": "Collectives, waiting", "send": "Send",
          "recv": "Receive"}


def generated(check, report, expected):
    pod = expected["pod"]
    place = {core["core"]: (core["host"], core["chip_global"], core["core_on_chip"]) for core in pod["topology"]}
    if len(place) == 1:
        check.equal("no section on one core", report.rows("distributed/cores"), [])
        return
    cells = {(str(cell["step"]), cell["core"]): cell for cell in pod["per_step_core"]}
    steps = list(dict.fromkeys(step for step, _ in cells))

    known = any(cell["all_reduce_compute_us"] > 0 for cell in cells.values())
    rows = {(row["step"], int(row["core"].split()[1])): row for row in report.rows("distributed/each-step")}
    check.equal("cells of steps and cores", sorted(rows), sorted(cells) if len(steps) > 1 else [])
    for (step, core), row in rows.items():
        each_cell(check, f"step {step} core {core}", row, cells[step, core], known)
        check.equal(f"place of core {core}", (row["host"], row["chip"], row["core_on_chip"]), place[core])
    single_steps(check, report, expected, steps, place)
    maps(check, report, pod, cells, steps, place)

    mean = {int(row["core"].split()[1]): row for row in report.rows("distributed/cores")}
    check.equal("cores", sorted(mean), sorted(place))
    computes = {}
    for core, row in sorted(mean.items()):
        theirs = pod["per_core_mean"][str(core)]
        compute = row.get("high_flops_ms", 0) + low_flops(row) + without_id(row, known)
        arc = statistics.fmean(cells[step, core]["all_reduce_compute_us"] for step in steps)
        computes[core] = compute - arc / 1e3
        check.near(f"core {core}: mean compute", computes[core], theirs["compute_us"] / 1e3)
        wait = theirs["all_reduce_sync_us"] / 1e3
        if known:
            check.near(f"core {core}: mean wait", row.get("collective_sync_ms", 0), wait, abs_=1e-9)
        check.near(f"core {core}: mean infeed", row.get("infeed_ms", 0), theirs["infeed_us"] / 1e3, abs_=1e-9)
        check.near(f"core {core}: mean step", row["step_ms"], theirs["total_us"] / 1e3)
    check.equal("most compute", max(computes, key=computes.get), pod["slowest_core_by_compute"])
    check.near("over the median", max(computes.values()) / statistics.median(computes.values()),
               pod["slowest_over_median_compute"])
    unsplit = any(name.startswith(COLLECTIVES) for name in expected["op_profile"]["by_category"])
    if known or not unsplit:  # else all time of collectives may be waiting, which the generator does not know
        straggler(check, report, pod, cells, steps, place)
    channels(check, report, pod)
    collectives(check, report, pod, len(steps) * len(place))


def single_steps(check, report, expected, steps, place):
    """The first, the median and the slowest step, each once."""
    times = {str(row["step"]): row["step_time_ms"] for row in expected["steps"]["per_step"]}
    median = statistics.median(times.values())
    wanted = {"first": str(steps[0]), "median": min(times, key=lambda step: abs(times[step] - median)),
              "slowest": max(times, key=times.get)}
    shown = {}
    for name, step in wanted.items():
        rows = report.rows(f"distributed/{name}-step")
        if step in shown.values():
            check.equal(f"the {name} step is shown already", rows, [])
            continue
        shown[name] = step
        if name == "median" and rows:  # of an even number two are as near
            step = rows[0]["step"]
            check.near("as near to the median", abs(times[step] - median), abs(times[wanted[name]] - median), abs_=1e-9)
        check.equal(f"the {name} step", {row["step"] for row in rows}, {step})
        check.equal(f"cores of the {name} step, in order", [int(row["core"].split()[1]) for row in rows], sorted(place))
        check.equal(f"figures of the {name} step are those of the list of all", [row["own_ms"] for row in rows],
                    [row["own_ms"] for row in report.rows("distributed/each-step") if row["step"] == step] or
                    [row["own_ms"] for row in sorted(report.rows("distributed/cores"), key=lambda row: int(row["core"].split()[1]))])


def maps(check, report, pod, cells, steps, place):
    """Every cell of the heat maps, and where it is drawn: hosts are rows, in order of numbers."""
    own = {core: statistics.fmean(cells[step, core]["total_us"] - cells[step, core]["all_reduce_sync_us"] -
                                  cells[step, core]["recv_us"] for step in steps) for core in place}
    drawn = [("distributed/map", own)] if any(cell["all_reduce_compute_us"] > 0 for cell in cells.values()) else []
    for part in (*PARTS, "recv"):
        if f"distributed/map-{part}" in report.blocks:
            drawn.append((f"distributed/map-{part}", {
                core: statistics.fmean(cells[step, core][f"{part}_us"] for step in steps) for core in place}))
    hosts = sorted({host for host, _, _ in place.values()}, key=lambda host: min(c for c in place if place[c][0] == host))
    for name, there in drawn:
        grid = report.blocks[name]
        check.equal(f"{name}: cells", len(grid["cells"]), len(place))
        for cell in grid["cells"]:
            core = int(cell["label"].split()[1])
            check.near(f"{name}: core {core}", cell["value"], there[core] / 1e3, abs_=1e-9)
            if len(hosts) > 1:
                check.equal(f"{name}: row of core {core}", grid["rows"][cell["cell"] // grid["columns"]], place[core][0])
        check.equal(f"{name}: in order", [int(cell["label"].split()[1]) for cell in grid["cells"]], sorted(place))


def channels(check, report, pod):
    links = {(row["channel"], row["source"], row["target"]): row for row in report.rows("distributed/links")}
    check.equal("channels", len(links), len(pod.get("channels", [])))
    for link in pod.get("channels", []):
        row = links[str(link["channel_id"]), f"core {link['src_core']}", f"core {link['dst_core']}"]
        name = f"channel {link['channel_id']} {link['src_core']} to {link['dst_core']}"
        for what, got, there in (("bytes", row["data_mib"] * 2**20, link["bytes"]),
                                 ("latency", row["latency_us"], link["mean_latency_us"]),
                                 ("bandwidth", row["gib_per_s"], link["mean_bandwidth_gib_s"]),
                                 ("receive", row["receive_us"], link["mean_recv_done_us"])):
            check.near(f"{name}: {what}", got, there)
        check.equal(f"{name}: occurrences", row["occurrences"], link["occurrences"])
        check.equal(f"{name}: receive", row["recv"], link["recv_op"])
    times = [row["latency_us"] for row in links.values()]
    check.equal("the slowest first", times, sorted(times, reverse=True))
    if not links:
        return
    slowest = [(row["source"], row["target"]) for row in links.values()]
    label = {cell["cell"]: cell["label"] for cell in report.blocks["distributed/link-map"]["cells"]}
    drawn = [tuple(label[end] for end in link) for link in report.blocks["distributed/link-map"]["links"]]
    check.equal("the slowest are drawn", drawn, slowest[:len(drawn)])
    check.true("all that stand out, or the five slowest", len(drawn) == 5 or
               times[len(drawn)] < 1.05 * statistics.median(times))
    bars = report.blocks["distributed/latency"]
    check.equal("bars", bars["labels"], ["%s → %s" % tuple(end.split()[1] for end in ends) for ends in slowest[:12]])
    check.equal("lengths of bars", bars["series"][0]["values"], times[:12])


def collectives(check, report, pod, cells):
    rows = {row["name"]: row for row in report.rows("distributed/collective-list")}
    for op in pod.get("all_reduce_ops", []):
        row = rows[op["op"]]
        check.near(f"{op['op']}: mean", row["mean_ms"], op["mean_us"] / 1e3)
        # Their fastest is also of steps that the capture cuts before the collective.
        check.near(f"{op['op']}: fastest", row["fastest_ms"] * cells, op["mean_min_us"] / 1e3 * row["occurrences"])
        # Theirs is what it reads, with padding.
        check.true(f"{op['op']}: data", 0 < row["data_mib"] * 2**20 <= op["bytes"])


def low_flops(row):
    """The pod viewer's low-FLOPS compute holds copies, which have a part of their own here."""
    return row.get("low_flops_ms", 0) + row.get("copy_ms", 0)


def without_id(row, known):
    """What of collectives the generator leaves in compute; where none has an id, we cannot tell work from waiting."""
    return row.get("collective_compute_ms" if known else "collective_sync_ms", 0)


def each_cell(check, name, row, cell, known):
    for part in PARTS:
        check.near(f"{name} {part}", row.get(f"{part}_ms", 0), cell[f"{part}_us"] / 1e3, abs_=1e-9)
    check.near(f"{name} recv", row.get("recv_ms", 0), cell["recv_us"] / 1e3, abs_=1e-9)
    if known:
        check.near(f"{name} wait", row.get("collective_sync_ms", 0), cell["all_reduce_sync_us"] / 1e3, abs_=1e-9)
    # Asynchronous all-reduces carry no id, so the generator leaves them in low-FLOPS compute, which holds idle besides.
    low = cell["low_flops_without_idle_us"] + cell["all_reduce_compute_us"]
    check.near(f"{name} low", low_flops(row) + without_id(row, known), low / 1e3, abs_=1e-9)
    check.near(f"{name} low with idle", low_flops(row) + row.get("idle_ms", 0) +
               row.get("host_transfer_ms", 0) + without_id(row, known), (cell["low_flops_us"] + cell["all_reduce_compute_us"]) / 1e3, abs_=1e-9)
    check.near(f"{name} idle", row.get("idle_ms", 0), cell["idle_us"] / 1e3, abs_=1e-9)
    check.near(f"{name} step", row["step_ms"], cell["total_us"] / 1e3)
    # Theirs counts idle as low-FLOPS compute.
    if cell["bottleneck"] != "low_flops" or cell["idle_us"] == 0:
        check.equal(f"{name} largest part", row["largest"], LABELS[cell["bottleneck"]])


def straggler(check, report, pod, cells, steps, place):
    own = {key: cell["total_us"] - cell["all_reduce_sync_us"] - cell["recv_us"] for key, cell in cells.items()}
    levels = {"core": lambda core: core, "chip": lambda core: place[core][1], "host": lambda core: place[core][0]}
    best = {}
    for level, group_of in levels.items():
        cost = {}
        for step in steps:
            slowest = {}
            for core in place:
                slowest[group_of(core)] = max(slowest.get(group_of(core), 0), own[step, core])
            if len(slowest) < 2:
                break
            (first, longest), (_, second) = sorted(slowest.items(), key=lambda item: -item[1])[:2]
            cost[first] = cost.get(first, 0) + longest - second
        if cost:
            who = max(cost, key=cost.get)
            best[level] = (who, cost[who] / len(steps))
    most = max(cost for _, cost in best.values())
    level, (who, cost) = next((level, found) for level, found in best.items() if found[1] >= most / 2)
    check.near("cost of the straggler", report.metric("pod.straggler.cost_ms"), cost / 1e3, abs_=1e-9)
    share = cost / 1e3 / report.metric("step.time.mean_ms")
    check.near("all steps", report.metric("pod.straggler.lost_ms"), cost * len(steps) / 1e3, abs_=1e-9)
    turns(check, report, own, steps, place, levels[level], cost * len(steps))
    check.near("its share", report.metric("pod.straggler.cost_share"), share, abs_=1e-9)
    if share < 0.01:
        check.equal("nobody named", report.metric("pod.straggler.name"), None)
        check.equal("no costs of levels", report.rows("distributed/levels"), [])
        return
    for row in report.rows("distributed/levels"):
        of = best[row["id"].rsplit("/", 1)[1]]
        check.near(f"{row['level']}: cost", row["cost_ms"], of[1] / 1e3)
        check.near(f"{row['level']}: all steps", row["lost_ms"], of[1] * len(steps) / 1e3)
        check.near(f"{row['level']}: of an hour", row["lost_of_hour_s"], 3600 * of[1] / 1e3 / report.metric("step.time.mean_ms"))
        check.true(f"{row['level']}: name", row["name"] in (str(of[0]), f"core {of[0]}", f"chip {of[0]}"))
    place_of = "%s, chip %d, core %d" % place[who] if level == "core" else ""
    check.true("named", report.metric("pod.straggler.name").startswith(
        f"core {who} ({place_of})" if level == "core" else f"chip {who} (" if level == "chip" else who))
    check.near("imbalance", report.metric("pod.imbalance_ms"), statistics.fmean(
        max(times) - statistics.median(times) for times in ([own[step, core] for core in place] for step in steps)) / 1e3)


def turns(check, report, own, steps, place, group_of, whole):
    """Who was the slowest of each step; what it is longer than the next sums to the straggler's cost."""
    rows = report.rows("distributed/slowest-of-step")
    if len(steps) < 2:
        check.equal("no turns of one step", rows, [])
        return
    check.equal("turns", [row["step"] for row in rows], [str(step) for step in steps])
    cost = {}
    for row in rows:
        slowest = {}
        for core in place:
            slowest[group_of(core)] = max(slowest.get(group_of(core), 0), own[row["step"], core])
        first, second = sorted(slowest.values(), reverse=True)[:2]
        name = f"step {row['step']}: "
        check.near(name + "the slowest", row["own_ms"], first / 1e3)
        check.near(name + "the next", row["next_ms"], second / 1e3)
        check.near(name + "cost", row["cost_ms"], (first - second) / 1e3, abs_=1e-9)
        cost[row["name"]] = cost.get(row["name"], 0) + first - second
    check.near("the most that one costs", max(cost.values()), whole, abs_=1e-6)
