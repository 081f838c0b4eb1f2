"""Captures of CPUs against the existing tool: jax_cnn, tf_slow_api, tf_fast_api, and one without steps."""

from collections import defaultdict

import xspace_truth as own
from peer_page import captured, check, peer_facts, peer_rows
from truth import Report


def peers_sweep(intervals, start, end):
    """The peer's sweep, by its own rules: it counts open events by type and remembers the highest type; an event without
    duration ends before it begins, so its type stays the highest, with nobody there, until the next event of it ends."""
    rank = own.TYPES.index
    edges = sorted([(a, 1, -rank(kind)) for a, _, kind in intervals] + [(b, 0, -rank(kind)) for _, b, kind in intervals])
    count, highest, sums = defaultdict(int), 0, defaultdict(int)
    for (at, begins, kind), (following, _, _) in zip(edges, edges[1:]):
        kind = -kind
        count[kind] += 1 if begins else -1
        if begins:
            highest = max(highest, kind)
        elif kind == highest and count[kind] == 0:
            highest = max((k for k in count if count[k] and k < kind), default=0)
        sums[own.TYPES[highest]] += max(0, min(following, end) - max(at, start))
    return sums


def peers_steps(planes):
    """{step number: (host compute, waiting for input) in ms} by the peer's rules: it does not know how long the regions of
    a thread pool last, for it sees only their beginnings, which have no duration and so hold nothing."""
    for line in own.threads_of(planes):
        for event in line.events:
            event.group = None
            if event.name == "ThreadpoolListener::StartRegion":
                event.end = event.start
    known, own.join_regions = own.join_regions, lambda line: None
    groups = own.marked_groups(planes)
    own.join_regions = known
    steps = {}
    for group in groups:
        sums = peers_sweep(group.intervals, *group.span())
        steps[str(group.host.stats["step_num"])] = (sums["host_compute"] / 1e9, sums["wait_input"] / 1e9)
    return steps


def host_steps(name, verdict, regions_lost):
    """Step time and waiting for input are the peer's to the last digit. The peer counts the events of the step's own group
    alone; we count what else runs meanwhile as well, for time that some event covers is not without one. Of the group
    alone, host compute and the time without any event are the peer's too, except in the steps of regions_lost: there the
    work of a thread pool goes on after the last event of the calling thread (tf), or begins before the call has returned
    (jax), and the peer loses it, see peers_sweep."""
    check.part(name)
    logdir, [(planes, _)] = captured(name)
    report, facts = Report(logdir), peer_facts(name)
    mine = {step["name"]: step for step in own.marked_steps(planes)}
    alone = {step["name"]: step for step in own.marked_steps(planes, alone=True)}
    steps, times = report.steps(), report.step_ms()
    rows = {row["stepnum"].split()[1]: row for row in peer_rows(name, "input_pipeline_analyzer", "stepnum")}
    check.equal("steps", list(steps), list(rows))
    check.equal("steps of the second computation", list(steps), list(mine))
    lost = []
    for step, row in rows.items():
        parts = steps[step]
        check.near(f"step {step} time", times[step], row["stepTimeMs"])
        check.near(f"step {step} input", parts.get("input_wait", 0), row["infeedTimeMs"])
        for part in ("host_compute", "input_wait", "other"):
            check.ps(f"step {step} {part}, second computation", parts.get(part, 0), mine[step][part])
        check.near(f"step {step} parts", parts["host_compute"] + parts.get("other", 0),
                   row["hostComputeTimeMs"] + row["otherTimeMs"])
        compute, other = alone[step]["host_compute"] / 1e9, alone[step]["other"] / 1e9
        check.true(f"step {step}: what else runs comes on top", parts["host_compute"] >= compute - 1e-9)
        if abs(compute - row["hostComputeTimeMs"]) < 1e-6:
            check.near(f"step {step} not recorded", other, row["otherTimeMs"], abs_=1e-9)
        else:
            lost.append(step)
            check.true(f"step {step}: the peer has less", compute > row["hostComputeTimeMs"])
    check.equal("steps in which the peer loses work of a thread pool", " ".join(lost), regions_lost)
    for step, (compute, waiting) in peers_steps(planes).items():
        if step in rows:
            check.near(f"step {step} host compute by the peer's rules", compute, rows[step]["hostComputeTimeMs"])
            check.near(f"step {step} input by the peer's rules", waiting, rows[step]["infeedTimeMs"], abs_=1e-12)

    summary = own.statistics([step["time"] / 1e9 for step in mine.values()])
    for metric, fact in (("mean", "average"), ("min", "minimum"), ("max", "maximum"), ("sd", "standard_deviation")):
        check.printed(f"step time {metric}", report.metric(f"step.time.{metric}_ms"), facts[f"steptime_ms_{fact}"])
    for metric, value in summary.items():
        check.near(f"step time {metric}", report.metric(f"step.time.{metric}_ms"), value)
    check.printed("mean input wait", report.metric("step.class.input_wait_ms"), facts["infeed_time_ms_avg"])
    for part in ("host_compute", "input_wait", "other"):
        mean = sum(step[part] for step in mine.values()) / len(mine) / 1e9
        check.near(f"mean {part}", report.metric(f"step.class.{part}_ms"), mean)
        check.near(f"share of {part}", report.metric(f"step.class.{part}_share"), mean / summary["mean"])
    waits = sum(row["infeedTimeMs"] for row in rows.values())
    if any(step["input_wait"] for step in mine.values()):
        check.near("input.wait_share", report.metric("input.wait_share"), waits / sum(row["stepTimeMs"] for row in rows.values()))
    else:  # no event shows any: the peer prints 0
        check.equal("input.wait_share", (report.metric("input.wait_share"), waits), (None, 0))
    check.equal("verdict", report.metric("input.verdict"), verdict)
    check.equal("step.count", report.metric("step.count"), len(rows))
    check.equal("step_source", report.metric("run.step_source"), "markers")
    check.equal("hosts", report.metric("run.hosts"), int(facts["host_count"]))
    return report, facts, planes


def jax_cnn():
    report, facts, planes = host_steps("jax_cnn", "unknown", " ".join(map(str, range(1, 19))))
    # The peer's 62.8 and 15.5 ms, and with them its "19.8 % … POTENTIALLY input-bound", come from steps 5, 11, 14 and 18,
    # in which the pool began within 30 us, before the call returned, so that it lost all that came after the call.
    check.printed("mean host compute of the peer by its rules",
                  sum(peers_steps(planes)[str(n)][0] for n in range(1, 19)) / 18, facts["host_compute_time_ms_avg"])
    for step, (compute, _) in peers_steps(planes).items():
        if step in ("5", "11", "14", "18"):
            check.true(f"step {step}: lost nearly all", compute < 8 < 60 < report.steps()[step]["host_compute"])
        elif 0 < int(step) < 19:
            # … and the end of the step before: 1.6 ms in step 12, else a tenth of one at most
            check.near(f"step {step}: lost its end only", compute, report.steps()[step]["host_compute"],
                       abs_=1.7 if step == "12" else 0.12)
    check.true("peer's statement", "POTENTIALLY input-bound because 19.8%" in facts["input_conclusion"])
    # 78.145 and 0.145 by what the step's own group holds: the rest is what ends late of the step before.
    check.near("mean host compute", report.metric("step.class.host_compute_ms"), 78.28217383333333)
    check.near("mean not recorded", report.metric("step.class.other_ms"), 0.007293055555555556)
    check.true("framework", report.metric("run.framework").startswith("JAX"))
    # The peer's op profile is empty for XLA on the CPU; ours comes from the events that name an HLO instruction.
    check.equal("rows of the peer's hlo_stats", len(peer_rows("jax_cnn", "hlo_stats", "hlo_op_name")), 0)
    totals, busy = host_ops(planes)
    ops = report.ops()
    check.equal("operations", len(ops), len(totals))
    by_label = {label: row for (_, label), row in ops.items()}
    for (_, label), (count, self_ps) in totals.items():
        check.ps(f"{label} self", by_label[label]["self_ms"], self_ps)
        check.equal(f"{label} occurrences", by_label[label]["occurrences"], count)
        check.near(f"{label} share", by_label[label]["busy_share"], self_ps / busy)


def host_ops(planes):
    """{(program, instruction): [occurrences, self ps]} of XLA:CPU on host threads, and the sum of self times."""
    totals, busy = defaultdict(lambda: [0, 0]), 0
    for line in own.threads_of(planes):
        events = [event for event in line.events if event.stats.get("hlo_op")]
        own.innermost(events)
        for event in events:
            one = totals[event.stats.get("program_id"), event.stats["hlo_op"]]
            one[0] += 1
            one[1] += event.self_ps
            busy += event.self_ps
    return totals, busy


def tensorflow():
    report, facts, _ = host_steps("tf_slow_api", "high", "13 15 16 18")
    check.true("peer's statement", "HIGHLY input-bound because 62.0%" in facts["input_conclusion"])
    check.printed("input.wait_share", 100 * report.metric("input.wait_share"), "62.0")
    check.equal("framework", report.metric("run.framework"), "TensorFlow")
    report, facts, _ = host_steps("tf_fast_api", "none", "8 11 12 13 15 16 17")
    check.true("peer's statement", "NOT input-bound because only 2.5%" in facts["input_conclusion"])
    check.printed("input.wait_share", 100 * report.metric("input.wait_share"), "2.5")


def without_steps():
    """Keras writes "Profiled batch" around each step, which the peer does not know, so that it has no step at all. It
    repeats: steps go from one to the next. Batches are asked for on a thread of its own that no flow leads to."""
    check.part("tf_slow_callback")
    logdir, [(planes, _)] = captured("tf_slow_callback")
    report = Report(logdir)
    check.equal("rows of the peer", peer_rows("tf_slow_callback", "input_pipeline_analyzer", "stepnum"), [])
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    events = [event for line in own.threads_of(planes) for event in line.events]
    batches = sorted((e for e in events if e.name == "Profiled batch"), key=lambda e: e.start)
    asked = [(e.start, e.end) for e in events if e.name.startswith("IteratorGetNext")]
    steps, times = report.steps(), report.step_ms()
    check.equal("steps, first and last left out", list(steps), [str(e.stats["step_num"]) for e in batches[1:-1]])
    waiting = 0
    for batch, following in zip(batches[1:-1], batches[2:]):
        name = str(batch.stats["step_num"])
        waits = sum(max(0, min(end, following.start) - start) for start, end in asked
                    if batch.start <= start < following.start)
        waiting += waits
        check.near(f"step {name}", times[name], (following.start - batch.start) / 1e9)
        check.ps(f"step {name} input wait", steps[name]["input_wait"], waits)
    check.near("input.wait_share", report.metric("input.wait_share"),
               waiting / sum(b.start - a.start for a, b in zip(batches[1:-1], batches[2:])))
    check.equal("verdict", report.metric("input.verdict"), "high")
    check.true("said so", "inferred" in report.metrics["step.time.mean_ms"]["coverage"])
    check.equal("hosts", report.metric("run.hosts"), 1)
    check.equal("coverage", report.metric("data.coverage_share"), 1)
