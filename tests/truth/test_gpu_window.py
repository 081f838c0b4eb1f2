"""Real profiles of GPUs of which few worked, for a small part of the capture: how much, on how many, and what they are called.
Kernels' times are xprof's; the rest is worked out from the events."""

import sys

from truth import Check, Report, test_data
from xspace_reader import read_xspace

check = Check()

# (folder, type, kernels, their time in µs)
CASES = (
    ("jax_te", "AMD GPU (gfx950)", 150, 12133.585),
    ("jax_conv08", "AMD GPU (gfx942)", 235, 28137.077),
    ("jax_conv_legacy", "AMD GPU (gfx942)", 25, 3586.493),
)


def united(spans):
    """Time that they cover together."""
    total, until = 0, None
    for start, end in sorted(spans):
        if until is None or start > until:
            total += end - start
        elif end > until:
            total += end - until
        until = end if until is None else max(until, end)
    return total


def window(path):
    """(GPUs, those that worked, their busy time, time from first to last work of each, the capture), times in ps"""
    planes = read_xspace(path)[0]
    gpus = [plane for plane in planes if plane.name.startswith("/device:GPU:")]
    spans = [[(e.start, e.end) for line in plane.lines if line.name.startswith("Stream") for e in line.events] for plane in gpus]
    worked = [one for one in spans if one]
    [env] = [plane.stats for plane in planes if plane.name == "Task Environment"]
    length = max(end for one in worked for _, end in one) - min(start for one in worked for start, _ in one)
    return (len(gpus), len(worked), sum(map(united, worked)), length,
            1000 * (env["profile_stop_time"] - env["profile_start_time"]))


def main():
    for name, kind, kernels, us in CASES:
        check.part(name)
        [path] = test_data("xla", "found", "tracelens", name).iterdir()
        gpus, worked, busy, length, capture = window(path)
        report = Report(path)
        check.equal("type", report.metric("run.device_type"), kind)
        check.equal("GPUs", report.metric("run.devices"), gpus)
        check.equal("kernels", report.metric("kernels.count"), kernels)
        check.near("kernel time", report.metric("kernels.total_us"), us, rel=1e-6)
        check.near("busy", report.metric("device.busy_ps"), busy, rel=1e-9)
        check.near("from first to last work", report.metric("device.total_ps"), worked * length, rel=1e-9)
        check.near("of that", report.metric("device.busy_share"), busy / (worked * length), rel=1e-9)
        check.near("of the capture", report.metric("device.capture_busy_share"), busy / (gpus * capture), rel=1e-9)
        check.true("the peak is known though some GPUs say nothing", report.metric("flops.peak_per_s"))
        [devices] = [s for s in report.doc["sections"] if s["id"] == "devices"]
        check.true("says of what: " + devices["answer"], "from first to last operation" in devices["answer"])
        check.true("and of the capture: " + devices["so_what"], "of the capture, the %d GPUs together worked" % gpus in devices["so_what"])
        [said] = [" ".join(b["items"]) for b in report.doc["sections"][0]["blocks"] if b["id"] == "summary/because"]
        check.true("and on how many: " + said, worked == gpus or "%d of %d GPUs" % (worked, gpus) in said)
        check.true("no name of a thousand letters", len(report.doc["description"]) < 300)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
