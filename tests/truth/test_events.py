"""Event files: written by hand with answers worked out beforehand, damaged files, and what TensorFlow and TensorBoard see."""

import json
import math
import os
import struct
import subprocess
import tempfile
from pathlib import Path

import tfrecord
import tiny_xspace
from tfrecord import event, session, simple, tensor, version
from truth import TPREPORT, Check, Report
from xspace_writer import field

check = Check()
START = 1551710000.0


def written(files):
    """{path: bytes} in a temporary log directory."""
    folder = tempfile.TemporaryDirectory()
    for name, data in files.items():
        path = Path(folder.name, "logs", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def report_on(files):
    with written(files) as folder:
        return Report(Path(folder, "logs"), "--top", "all")


def tags(report):
    """{tag: (points, steps, first, last)}"""
    return {row["tag"]: (row["points"], row["steps"], row["first"], row["last"]) for row in report.rows("whole-run/scalars")}


def both_forms():
    check.part("both forms")
    data = version(START) + b"".join(event(START + n, n, simple(loss=10 - n, **{"global_step/sec": 2})) for n in range(4))
    data += event(START + 4, 4, tensor("f", 1, b"=" + struct.pack("<f", 0.01)))
    data += event(START + 5, 5, tensor("f", 1, field(5, struct.pack("<f", 0.5)), plugin=""))  # the first metadata counts
    data += event(START + 5, 5, tensor("d", 2, field(6, 0.125)))
    data += event(START + 5, 5, tensor("i", 9, field(10, -7)))
    data += event(START + 5, 5, tensor("half", 19, field(13, 0xC500)))
    data += event(START + 5, 5, tensor("bf16", 14, b"=" + b"\x80\x3f"))
    data += event(START + 5, 5, tensor("two", 1, b"=" + struct.pack("<ff", 1, 2)))
    data += event(START + 5, 5, tensor("words", 7, field(8, "hello"), plugin="text"))
    report = report_on({"events.out.tfevents.1.host": data})
    check.equal("tags", tags(report), {
        "loss": (4, "0 to 3", "10", "7"), "global_step/sec": (4, "0 to 3", "2", "2"), "f": (2, "4 to 5", "0.01", "0.5"),
        "d": (1, "5", "0.125", "0.125"), "i": (1, "5", "-7", "-7"), "half": (1, "5", "-5", "-5"), "bf16": (1, "5", "1", "1")})
    check.equal("records", report.metric("events.records"), 13)
    check.equal("points", report.metric("events.points"), 14)
    check.true("what is no scalar", "1 text, 1 other value" in str(report.doc["sections"]))


def odd_values():
    check.part("NaN, infinite, spikes")
    values = {0: math.nan, 1: 5.0, 2: math.inf, 3: -1.0, 4: -math.inf}
    data = version(START) + b"".join(event(START + n, n, simple(loss=v)) for n, v in values.items())
    row = report_on({"events.out.tfevents.1.host": data}).rows("whole-run/scalars")[0]
    check.equal("row", (row["points"], row["not_finite"], row["first"], row["last"], row["least"], row["most"]),
                (5, 3, "nan", "-inf", "-1, 3", "5, 1"))
    data = version(START) + b"".join(event(START + n, n, simple(loss=1e6 if n == 3333 else -7 if n == 6001 else 1)) for n in range(10000))
    report = report_on({"events.out.tfevents.1.host": data})
    curve = report.blocks["whole-run/curves"]["curves"][0]
    check.true("few points are drawn", len(curve["x"]) <= 400)
    drawn = dict(zip(curve["x"], curve["y"]))
    check.equal("no spike is lost", (drawn.get(3333), drawn.get(6001)), (1e6, -7))
    check.equal("of", curve["points"], 10000)


def restarts():
    check.part("restart")
    first = version(START) + event(START, 0, session(1)) + b"".join(event(START + n, n, simple(loss=n)) for n in range(1, 101))
    second = version(START + 500) + event(START + 500, 61, session(1))
    second += b"".join(event(START + 500 + n - 61, n, simple(loss=-n)) for n in range(61, 151))
    report = report_on({"train/events.out.tfevents.1.host": first, "train/events.out.tfevents.2.host": second})
    check.equal("points", tags(report), {"loss": (150, "1 to 150", "1", "-150")})
    run = report.rows("whole-run/runs")[0]
    check.equal("run", (run["run"], run["files"], run["purged"], run["starts"], run["gaps"], run["gap_s"]), ("train", 2, 40, 2, 1, 439))
    check.near("a step", report.metric("events.step_time_ms"), 1000)
    check.near("in steps", report.metric("events.goodput_share"), 149 / 589)
    check.part("a file opened by a clock that is ahead")
    report = report_on({"events.out.tfevents.1.host": event(START, 1, simple(loss=1)) + version(START + 1e8) + event(START + 2, 3, simple(loss=2))})
    check.equal("wall time", report.rows("whole-run/runs")[0]["wall_s"], 2)
    check.part("before version 2 a step that goes back is a restart")
    old = b"".join(event(START + n, step, simple(loss=step)) for n, step in enumerate((1, 2, 3, 4, 2, 3)))
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": old})), {"loss": (3, "1 to 3", "1", "3")})
    check.part("in version 2 it is not")
    check.equal("points", tags(report_on({"events.out.tfevents.1.host": version(START) + old}))["loss"][0], 6)


def folders():
    check.part("folders")
    one = version(START) + event(START, 1, simple(loss=1)) + event(START + 2, 3, simple(loss=2))
    other = version(START) + event(START, 1, simple(loss=3))
    files = {"train/events.out.tfevents.1.host": one, "validation/events.out.tfevents.1.host": other, "events.out.tfevents.1.host": other + one}
    report = report_on(files)
    check.equal("runs", [row["run"] for row in report.rows("whole-run/runs")], [".", "train", "validation"])
    check.equal("one report", report.doc["run"]["name"] if isinstance(report.doc.get("run"), dict) else "logs", "logs")
    check.part("beside a profile logger")
    report = report_on({"profile/events.out.tfevents.1.host.profile_logger": tfrecord.profile_logger([(0, "train_begin"), (5, "train_end")]),
                        "events.out.tfevents.1.host": one})
    check.equal("phases", report.metric("e2e.training_ms"), 5000)
    check.equal("its marks are no scalars", list(tags(report)), ["loss"])


def beside_a_profile():
    check.part("beside a profile")
    at = 1_700_000_000.0  # the profile lasts from here for a second
    points = version(at - 20) + b"".join(event(at - 10.25 + n, n, simple(loss=n)) for n in range(30))
    report = report_on({"train/events.out.tfevents.1.vm": points, "validation/events.out.tfevents.1.vm": version(at),
                        "plugins/profile/2023_11_14_22_13_20/vm.xplane.pb": tiny_xspace.every_plane()})
    check.equal("runs", [row["run"] for row in report.rows("whole-run/runs")], ["train", "validation"])
    chart = report.blocks["whole-run/curves"]
    check.equal("window", (chart["window_from"], chart["window_to"]), (10, 12))
    check.near("in steps", report.metric("events.goodput_share"), 29 / 38.75)


def damaged():
    check.part("damage")
    records = [version(START)] + [event(START + n, n, simple(loss=n)) for n in range(1, 11)]
    good = b"".join(records)
    at = len(b"".join(records[:4]))
    spoilt = good[:at + 14] + bytes([good[at + 14] ^ 1]) + good[at + 15:]
    report = report_on({"events.out.tfevents.1.host": spoilt})
    check.equal("what is behind is read", tags(report)["loss"][0], 9)
    check.equal("counted", report.metric("events.damaged"), 1)
    check.true("with its offset", str(at) in report.stderr)
    report = report_on({"events.out.tfevents.1.host": good[:-3]})
    check.equal("cut", tags(report)["loss"][0], 9)
    with written({"events.out.tfevents.1.host": bytes(range(256)) * 20}) as folder:
        done = subprocess.run([TPREPORT, folder, "-o", Path(folder, "r.json")], capture_output=True, text=True, check=False)
        check.equal("no record at all", done.returncode, 4)


def truth_of_tensorflow(root):
    expected = json.loads((root / "EXPECTED.json").read_text(encoding="utf-8"))
    for name, want in expected.items():
        if name.startswith("ACCUM"):
            continue
        check.part(name)
        if want["tf_summary_iterator_records"] == 0:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([TPREPORT, root / name, "-o", Path(folder, "r.json")], capture_output=True, text=True, check=False)
                check.equal("nothing to report", done.returncode, 4)
            continue
        report = Report(root / name)
        got, count = report.metric("events.records"), want["tf_summary_iterator_records"]
        if "tf_error" not in want:
            check.equal("records", got, count)
            check.equal("whole", report.metric("events.damaged"), 0)
            continue
        # TensorFlow stops at the first bad record; here those behind it are read too.
        check.equal("records", got, count if "truncated" in name else 105)
        check.equal("damaged", report.metric("events.damaged"), 1)
        check.true("with its offset", ("4668" if "truncated" in name else "2774") in report.stderr)
    for folder in ("tf1", "restart", "tf2/train"):
        check.part(folder)
        want = expected[f"ACCUM {folder}"]["scalars"]
        want = {tag.removeprefix("tensor:"): s for tag, s in want.items() if s.get("plugin", "scalars") == "scalars"}
        report = Report(root / folder, "--top", "all")
        got = {row["tag"]: row for row in report.rows("whole-run/scalars")}
        check.equal("tags", set(got), set(want))
        for tag, s in want.items():
            last = s["last"][1] if isinstance(s["last"], list) else s["last"]
            step = s["last"][0] if isinstance(s["last"], list) else s["last_step"]
            check.equal(f"{tag} points", got[tag]["points"], s["n"])
            check.equal(f"{tag} last", got[tag]["last"], f"{last:.6g}")
            check.equal(f"{tag} last step", got[tag]["steps"].split(" to ")[-1], str(step))


def main():
    both_forms()
    odd_values()
    restarts()
    folders()
    beside_a_profile()
    damaged()
    if os.environ.get("TPREPORT_TEST_DATA"):
        truth_of_tensorflow(Path(os.environ["TPREPORT_TEST_DATA"], "tf/tfevents"))
    check.end()


main()
