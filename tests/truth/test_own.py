"""Captures in the repository against figures worked out apart from the program: by the generator of the synthetic ones, and by a
second reader in Python for the rest. With --update writes the last anew; with a FOLDER after it, also the generator's answers,
cut out of FOLDER/<name>/expected.json."""

import json
import sys
import tempfile
from pathlib import Path

import expected_input
import expected_tpu
import unmarked
import xspace_truth as own
from tracked import Seen
from truth import SOURCE, Check, Report
from xspace_reader import read_xspace

HERE = Path(__file__).parent / "own"
MS = 10**9  # picoseconds
check = Check()

# {name here: (name that the generator gave, log directory, program)}
GENERATED = {
    "outfeed_and_idle": ("outfeed_and_idle", HERE / "outfeed_and_idle" / "logdir", "jit_eval_and_train"),
    "tpu_two_hosts": ("transformer_v5e_compute_bound", SOURCE / "examples" / "tpu_two_hosts" / "input", "jit_train_step"),
}


def generated(update):
    """The generator's own answers, of which our copies hold those that are compared."""
    for name, (made_as, logdir, program) in GENERATED.items():
        check.part(name)
        file = HERE / name / "expected.json"
        whole = Path(update[0], made_as, "expected.json") if update else file
        expected = json.loads(whole.read_text(encoding="utf-8"))
        seen = Seen(expected)
        report = Report(logdir, "--top", "all")
        expected_tpu.everything(check, report, seen.value)
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(seen.trimmed(expected), indent="\t") + "\n", encoding="utf-8")
        else:
            check.equal("figures that nobody compares", seen.unseen(), [])
        check.part(f"{name} without Steps")
        with tempfile.TemporaryDirectory() as folder:
            bare = Report(unmarked.unmark(logdir, folder), "--top", "all")
        expected_tpu.inferred(check, bare, report, unmarked.inferred_tpu_steps(logdir, program))


def figures_of(logdir):
    """Steps and XLA operations of a capture, from the protobuf."""
    [file] = logdir.glob("**/*.xplane.pb")
    planes, _ = read_xspace(file)
    steps = [{key: value for key, value in step.items() if value} for step in own.marked_steps(planes)]
    ops = {}
    for line in own.threads_of(planes):
        events = [event for event in line.events if event.stats.get("hlo_op")]
        own.innermost(events)
        for event in events:
            one = ops.setdefault(event.stats["hlo_op"], {"occurrences": 0, "self_ps": 0})
            one["occurrences"] += 1
            one["self_ps"] += event.self_ps
    return {"steps": steps, "operations": ops, "input": expected_input.figures_of([(planes, [])])}


def captured(update):
    for name, verdict in (("jax_cnn", "unknown"), ("tf_slow_input", "high")):
        check.part(name)
        logdir, file = SOURCE / "examples" / name / "input", HERE / f"{name}.json"
        again = figures_of(logdir)
        if update:
            file.write_text(json.dumps(again, indent="\t") + "\n", encoding="utf-8")
        expected = json.loads(file.read_text(encoding="utf-8"))
        check.equal("the second computation", again, expected)
        report = Report(logdir, "--top", "all")
        steps = {step["name"]: step for step in expected["steps"]}
        mine, times = report.steps(), report.step_ms()
        check.equal("steps", list(mine), list(steps))
        for step, parts in steps.items():
            check.near(f"step {step}", times[step], parts["time"] / MS)
            for part in ("host_compute", "input_wait", "other"):
                check.ps(f"step {step} {part}", mine[step].get(part, 0), parts.get(part, 0))
        for figure, value in own.statistics([step["time"] / MS for step in expected["steps"]]).items():
            check.near(f"step time {figure}", report.metric(f"step.time.{figure}_ms"), value)
        total = sum(step["time"] for step in expected["steps"])
        for part in ("host_compute", "input_wait", "other"):
            time = sum(step.get(part, 0) for step in expected["steps"])
            check.near(f"mean {part}", report.metric(f"step.class.{part}_ms"), time / MS / len(steps))
            check.near(f"share of {part}", report.metric(f"step.class.{part}_share"), time / total)
        waits = sum(step.get("input_wait", 0) for step in expected["steps"])
        if verdict == "unknown":  # no event would show it
            check.equal("input.wait_share", (report.metric("input.wait_share"), waits), (None, 0))
        else:
            check.near("input.wait_share", report.metric("input.wait_share"), waits / total)
        check.equal("input.verdict", report.metric("input.verdict"), verdict)
        ops = {label: row for (_, label), row in report.ops().items()}
        check.equal("operations", sorted(ops), sorted(expected["operations"]))
        busy = sum(one["self_ps"] for one in expected["operations"].values())
        for label, one in expected["operations"].items():
            check.ps(f"{label} self", ops[label]["self_ms"], one["self_ps"])
            check.equal(f"{label} occurrences", ops[label]["occurrences"], one["occurrences"])
            check.near(f"{label} share", ops[label]["busy_share"], one["self_ps"] / busy)
        expected_input.second_computation(check, report, expected["input"])


def main():
    generated(sys.argv[2:])
    captured("--update" in sys.argv)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
