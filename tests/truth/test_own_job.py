"""The example of a whole job: its files are what its generator writes, and its figures those worked out beforehand."""

import sys

from truth import SOURCE, Check, Report

EXAMPLE = SOURCE / "examples" / "estimator_job"
sys.dont_write_bytecode = True
sys.path.insert(0, str(EXAMPLE))

import make  # noqa: E402

check = Check()


def main():
    written = {str(path.relative_to(EXAMPLE / "input")): path.read_bytes() for path in (EXAMPLE / "input").rglob("*") if path.is_file()}
    check.equal("files", sorted(written), sorted(make.files()))
    for path, data in make.files().items():
        check.true(path, written[path] == data)
    report = Report(EXAMPLE / "input", "--top", "all")
    for name, want in make.ANSWERS.items():
        check.near(name, report.metric(name), want)
    check.near("parts sum to the whole", sum(report.metric(name) for name in make.ANSWERS if name.startswith("events.") and name.endswith("_s")
                                             and name != "events.wall_s"), make.ANSWERS["events.wall_s"])
    check.equal("sessions", [row["phase"] for row in report.rows("whole-run/sessions") if row["phase"].split()[0] in ("training", "evaluation", "prediction")],
                ["training 1", "training 2", "evaluation 1", "training 3", "evaluation 2", "prediction 1"])
    lanes = {lane["label"]: lane["intervals"] for lane in report.blocks["whole-run/intervals"]["lanes"]}
    begins = {"train": "training", "eval": "evaluation", "predict": "prediction", "init_system": "init-system", "model_fn": "model-fn",
              "setup_infeed": "setup-infeed"}
    for tag, name in begins.items():
        check.equal(f"{name} drawn where it began", [period["from"] - make.BEGIN for period in lanes[name]],
                    [at for at, mark in make.MARKS if mark == f"{tag}_begin"])
    # The last mark of the first training is that of its model-fn, at 47; its last scalars came 285 s after the begin.
    check.equal("open ends", [(name, period["label"], period["to"] - make.BEGIN) for name, periods in lanes.items() for period in periods
                              if period.get("open")], [("training", "training 1", 285)])
    check.equal("by kind", {row["kind"]: row["took_s"] for row in report.rows("whole-run/kinds")}, {
        "training": 285 + 406 + 431, "evaluation": 94, "prediction": 40, "no session": 1320 - 285 - 406 - 431 - 94 - 40,
        "init-system": 19, "model-fn": 87, "setup-infeed": 16})
    # Up to the last step that was written before their ends and is not void.
    over_steps = {lane["label"]: [(period["from"], period["to"]) for period in lane["intervals"]] for lane in report.blocks["whole-run/curves-by-step"]["lanes"]}
    check.equal("sessions over steps", over_steps, {"training": [(0, 300), (300, 1000), (1000, 1800)], "evaluation": [(1000, 1000), (1800, 1800)],
                                                    "prediction": [(1800, 1800)], "gaps": [(300, 300), (1000, 1000)]})
    chart = report.blocks["whole-run/curves"]
    check.equal("the profile", [chart["window_from"] - make.BEGIN, chart["window_to"] - make.BEGIN], [make.PROFILE_AT, make.PROFILE_AT + 1])
    loss = {curve["label"]: curve for curve in chart["curves"]}["loss"]
    check.equal("the spike", (max(loss["y"]), [odd["is"] for odd in loss["odd"]]), (30, ["nan"]))
    check.true("what the profile says is from the profile's file", f"From {make.HOST}.xplane.pb: lines" in str(report.doc["sections"]))
    check.end()


main()
