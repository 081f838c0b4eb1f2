"""Steps of a JAX loop on a GPU, marked and inferred, against the loop's own clock and the events read by a second reader."""

import json
import statistics
import sys
from pathlib import Path

from truth import Check, Report
from xspace_reader import read_xspace

HERE = Path(__file__).parent / "own" / "jax_gpu"
WALL_MS = json.loads((HERE / "steps.json").read_text(encoding="utf-8"))
MS = 10**9
check = Check()


def kernels_of(name):
    planes, _ = read_xspace(HERE / f"{name}.xplane.pb.gz")
    return sorted((event.start, event.end) for plane in planes if plane.name.startswith("/device:GPU")
                  for line in plane.lines if line.name.startswith("Stream") for event in line.events)


def busy_ms(kernels):
    total = until = 0
    for start, end in kernels:
        total += max(0, end - max(start, until))
        until = max(until, end)
    return total / MS


def marked():
    """A marker ends right before the loop reads its clock: it is at most a tenth of a millisecond shorter."""
    check.part("marked")
    report = Report(HERE / "marked.xplane.pb.gz")
    check.equal("step_source", report.metric("run.step_source"), "markers")
    check.equal("first and last left out", list(report.steps()), [str(n) for n in range(1, 9)])
    for (number, ms), wall in zip(report.step_ms().items(), WALL_MS["marked"][1:9]):
        check.true(f"step {number}: {ms} of {wall} ms", 0 <= wall - ms <= 0.1)


def unmarked():
    """The call that repeats begins a step; a step lasts until the next begins, so sleep is a part of those that end with it. The first
    call of the capture is no step: the loop has not come round to it yet."""
    check.part("unmarked")
    report = Report(HERE / "unmarked.xplane.pb.gz")
    check.equal("step_source", report.metric("run.step_source"), "inferred")
    check.equal("steps are counted", list(report.steps()), [str(n) for n in range(1, 8)])
    walls = [wall + (4 if number % 3 == 2 else 0) for number, wall in enumerate(WALL_MS["unmarked"])]
    for (number, ms), wall in zip(report.step_ms().items(), walls[2:9]):
        check.near(f"step {number}", ms, wall, abs_=0.6)
    check.near("median", report.metric("step.time.p50_ms"), statistics.median(walls[2:9]), rel=0.1)
    check.true("named so on the run line", "steps 1–7" in json.dumps(report.doc["sections"][0], ensure_ascii=False))


def compute():
    for name in ("marked", "unmarked"):
        check.part(f"kernels of {name}")
        check.near("busy", Report(HERE / f"{name}.xplane.pb.gz").metric("device.busy_ps") / MS, busy_ms(kernels_of(name)), rel=1e-9)


marked()
unmarked()
compute()
check.end()
