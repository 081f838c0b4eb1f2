"""Which files and runs are reported on, and what captures say of themselves."""

import gzip
import json
import shutil
import sys
import tempfile
from pathlib import Path

from by_hand import classes, core, host, logs, put, report_on, train
from truth import Check, Report, get, run
from xspace_writer import Plane, field, xspace

check = Check()


def run_environment():
    check.part("what the profiler was asked for, and what hosts say of themselves")
    options = (field(1, 1) + field(2, 3) + field(4, 1) + field(7, 1) + field(9, 2000) + field(10, "/logs") +
               field(12, field(1, "tpu_trace_mode") + field(2, field(1, "TRACE_ONLY_XLA"))) +
               field(12, field(1, "retries") + field(2, field(4, 7))))
    hosts = {name: xspace(Plane("Task Environment", profile_options=options, process_id=number, libtpu_version="0.0.21",
                                profile_start_time=10**18 + number * 10**6, profile_stop_time=10**18 + 10**9),
                          host([train(1, 0, 100), ("run", 0, 50)]), hosts=[name]) for number, name in enumerate("abcde")}
    report = report_on(hosts)
    rows = {row["what"]: (row["value"], row["from"]) for row in report.rows("environment/run")}
    asked = "profile_options of Task Environment"
    for what, row in {"Trace levels": ("host 3, device off, Python 1", asked),
                      "Also traced": ("program HLO, tf.data operations", asked),
                      "Requested length": (2000, asked), "Written to": ("/logs", asked),
                      "tpu_trace_mode": ("TRACE_ONLY_XLA", "profile_options"), "retries": ("7", "profile_options"),
                      "libtpu": ("0.0.21", "Task Environment"), "Process": ("0, 1, 2 and 2 more", "Task Environment"),
                      "Capture started": (10**18, "profile_start_time of Task Environment")}.items():
        check.equal(what, rows.get(what), row)
    check.equal("starts", [row["after_ms"] for row in report.rows("environment/hosts")], [0, 1, 2, 3, 4])
    check.equal("length", report.metric("run.capture_ms"), 1000)
    check.equal("hosts by their files", [row["file"] for row in report.rows("environment/hosts")],
                [f"{name}.xplane.pb" for name in "abcde"])
    [[absent]] = [block["items"] for section in report.doc["sections"] if section["id"] == "environment"
                for block in section["blocks"] if block["id"] == "environment/not-recorded"]
    check.equal("the rest, once", absent,
                "Not recorded by this profiler: batch size, framework, build command, run command.")

    check.part("the batch of a step")
    for dims, batch in (("((f32[32,8]{1,0}, s32[32]{0}), token[])", 32), ("((f32[32,8]{1,0}, s32[16]{0}), token[])", None),
                        ("((f32[]), token[])", None), ("((f32[1,8]), token[])", None), ("nonsense", None)):
        planes = [core(number, [("1", 0, 10)]) for number in (0, 1)]
        for plane in planes:
            plane.op("infeed.1", hlo_category="infeed", program_id=1, shape_with_layout=dims)
            put(plane.line("XLA Ops"), ("infeed.1", 0, 5))
        report = report_on({"a": xspace(*planes)})
        check.equal(f"of a core: {dims}", report.metric("run.batch.per_core"), batch)
        check.equal(f"of all: {dims}", report.metric("run.batch.global"), batch and 2 * batch)

    check.part("devices that ran nothing")
    gpus = [Plane(f"/device:GPU:{n}", device_vendor="AMD", **({"compute_cap_major": 9, "compute_cap_minor": 5} if n == 0 else {})) for n in range(4)]
    for n in range(2):
        gpus[n].op("kernel")
        put(gpus[n].line("Stream #1"), ("kernel", 0, 5))
    with tempfile.TemporaryDirectory() as folder:
        text = run(logs(folder, {"a": xspace(*gpus, host([train(1, 0, 10)]))})).stdout.decode()
    check.true(f"one type: {text}", "4 × AMD GPU (gfx950)" in text and "× AMD GPU " not in text.replace("GPU (gfx950)", ""))
    check.true("by their kind", "2 of 4 GPUs ran operations" in " ".join(text.split()))
    planes = [core(number, [("1", 0, 10)]) for number in (0, 1)] + [core(2, [])]
    for plane in planes[:2]:
        plane.op("infeed.1", hlo_category="infeed", program_id=1, shape_with_layout="((f32[32,8]), token[])")
        put(plane.line("XLA Ops"), ("infeed.1", 0, 5))
    report = report_on({"a": xspace(*planes)})
    check.equal("cores", report.metric("run.cores"), 3)
    check.equal("they take no part of the batch", report.metric("run.batch.global"), 64)
    check.near("nor of the throughput", report.metric("run.examples_per_s"), 6400)
    check.true("neither here", "on 2 of 3 devices" in json.dumps(report.doc))


def runs():
    files = {f"2026_01_02_03_0{n}_00/a": xspace(host([train(1, 0, 10 * n), ("run", 0, 9)])) for n in (1, 2, 3)}
    with tempfile.TemporaryDirectory() as folder:
        where = logs(folder, files)
        check.part("--run")
        for arguments, ms in (((), 30), (("--run", "1"), 30), (("--run", "3"), 10), (("--run", "2026_01_02_03_02_00"), 20)):
            check.near(" ".join(arguments) or "the newest", Report(where, *arguments).metric("step.time.mean_ms"), ms)
            check.near("get", float(get(where, "step.time.mean_ms", *arguments)["step.time.mean_ms"][0]), ms)
        check.equal("none such: exit status", run(where, "--run", "4", "-o", Path(folder, "x.json")).returncode, 2)
        check.equal("all: exit status", run(where, "--run", "all", "-o", Path(folder, "all.json")).returncode, 0)
        for n in (1, 2, 3):
            doc = json.loads(Path(folder, f"all.2026_01_02_03_0{n}_00.json").read_text(encoding="utf-8"))
            check.near(f"all: run {n}", doc["metrics"]["step.time.mean_ms"]["value"], 10 * n)


def ways_in():
    check.part("ways in")
    data = xspace(host([train(1, 0, 100), ("run", 0, 60)]), hosts=["alpha"])
    expected = {"host_compute": 60, "other": 40}
    with tempfile.TemporaryDirectory() as folder:
        plain, packed = Path(folder, "vm.xplane.pb"), Path(folder, "packed", "vm.xplane.pb.gz")
        packed.parent.mkdir()
        plain.write_bytes(data)
        packed.write_bytes(gzip.compress(data))
        odd = Path(folder, "named-as-one-likes")
        shutil.copy(plain, odd)
        for what in (plain, packed, packed.parent, odd):
            classes(check, Report(what), expected, 100)
    classes(check, Report("-", stdin=data), expected, 100)
    classes(check, Report("-", stdin=gzip.compress(data)), expected, 100)
    said = get("-", "step.time.mean_ms", "step.class.host_compute_share", "device.busy_ps", stdin=data)
    check.equal("get", (said["step.time.mean_ms"], said["step.class.host_compute_share"]),
                (("100", "ms"), ("0.6", "share")))
    check.equal("get: what is missing", said["device.busy_ps"][0], "-")
    check.true("get: why", len(said["device.busy_ps"][1]) > 10)
    check.equal("get: no such id", run("get", "-", "no.such_id", stdin=data).returncode, 2)


def main():
    for part in (run_environment, runs, ways_in):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
