"""The pod viewer's files as input: one whose answer is known beforehand, hostile ones, and real ones read again by Python's json."""

import json
import os
import re
import statistics
import sys
import tempfile
from pathlib import Path

import tool_files
from truth import Check, Report, run, test_data

check = Check()

PARTS = {"high_flops_ms": ("highFlopsComputeUs",), "infeed_ms": ("hostInfeedDurationUs",), "outfeed_ms": ("hostOutfeedDurationUs",),
         "collective_compute_ms": ("allReduceComputeDurationUs",), "collective_sync_ms": ("allReduceSyncDurationUs", "crsDurationUs"),
         "send_ms": ("sendDurationUs",), "recv_ms": ("recvDurationUs",),
         "sparse_core_ms": ("bcInfeedTransformDurationUs", "bcInfeedWaitDurationUs", "bcOutfeedDurationUs")}
WAITS = ("collective_sync_ms", "recv_ms")


def report_on(data, name="vm.pod_viewer.json", **more):
    with tempfile.TemporaryDirectory() as into:
        for file, content in {name: data, **more}.items():
            Path(into, file).write_bytes(content)
        return Report(into, "--top", "all")


def parts_of(core):
    """{column: ms} of one core in one step."""
    parts = {column: sum(core.get(key, 0) for key in keys) / 1e3 for column, keys in PARTS.items()}
    parts["low_flops_ms"] = core["totalDurationUs"] / 1e3 - sum(parts.values())
    return parts


def compare(report, data):
    """Every core of every step, channels and all-reduces against the file."""
    steps = data["podStatsSequence"]["podStatsMap"]
    cores = steps[0]["podStatsPerCore"]
    each = 1 + max(c["nodeId"] for c in cores.values())
    number = {key: c["chipId"] * each + c["nodeId"] for key, c in cores.items()}
    rows = {(r["step"], r["core"]): r for r in report.rows("distributed/each-step")}
    check.equal("rows", len(rows), len(steps) * len(cores))
    check.equal("hosts", report.metric("run.hosts"), len({core["hostName"] for core in cores.values()}))
    check.equal("cores", report.metric("run.cores"), len(cores))
    own = {}
    for step in steps:
        for key, core in step["podStatsPerCore"].items():
            row = rows[str(step["stepNum"]), f"core {number[key]}"]
            parts = parts_of(core)
            for column, ms in parts.items():
                check.near(f"{column} of {key}", row.get(column, 0), ms, abs_=1e-9)
            check.near("step", row["step_ms"], core["totalDurationUs"] / 1e3)
            own[step["stepNum"], key] = sum(ms for column, ms in parts.items() if column not in WAITS)
            check.near("own", row["own_ms"], own[step["stepNum"], key])
            check.equal("where", (row["host"], row["chip"], row["core_on_chip"]), (core["hostName"], core["chipId"], core["nodeId"]))
    for row in report.rows("distributed/cores"):
        [key] = [k for k, n in number.items() if row["core"] == f"core {n}"]
        mean = [parts_of(step["podStatsPerCore"][key]) for step in steps]
        for column in mean[0]:
            check.near(f"mean {column}", row.get(column, 0), statistics.fmean(m[column] for m in mean), abs_=1e-9)
    compare_straggler(report, cores, own, [step["stepNum"] for step in steps])
    compare_traffic(report, steps, len(cores))


def compare_straggler(report, cores, own, steps):
    """The most that a core, chip or host costs: what it is slower than the slowest of the rest, over steps."""
    most = 0
    for group in (lambda k: k, lambda k: cores[k]["chipId"], lambda k: cores[k]["hostName"]):
        cost = {}
        for step in steps:
            slowest = {}
            for key in cores:
                slowest[group(key)] = max(slowest.get(group(key), 0), own[step, key])
            ranked = sorted(slowest, key=slowest.get, reverse=True)
            if len(ranked) > 1:
                cost[ranked[0]] = cost.get(ranked[0], 0) + (slowest[ranked[0]] - slowest[ranked[1]]) / len(steps)
        most = max([most, *cost.values()])
        costs = [c for c in cost.values()] if cost else [0]
        if abs(max(costs) - report.metric("pod.straggler.cost_ms")) < 1e-9:
            check.true("the straggler costs what some level does", True)
            break
    else:
        check.fail("pod.straggler.cost_ms", report.metric("pod.straggler.cost_ms"), most)
    check.near("imbalance", report.metric("pod.imbalance_ms"), statistics.fmean(
        max(own[s, k] for k in cores) - statistics.median(own[s, k] for k in cores) for s in steps))


def compare_traffic(report, steps, cores):
    sums = {}
    for step in steps:
        for op in step["allReduceOpDb"]:
            old = sums.get(op["name"], (0, 0, 0))
            sums[op["name"]] = (old[0] + op["durationUs"] * op["occurrences"], old[1] + op["occurrences"], int(op["dataSize"]))
    rows = {r["name"]: r for r in report.rows("distributed/collective-list")}
    check.equal("all-reduces", set(rows), set(sums))
    for name, (us, times, size) in sums.items():
        check.near(name, rows[name]["mean_ms"], us / 1e3 / len(steps) / cores)
        check.equal("times", rows[name]["occurrences"], times)
        check.near("data", rows[name]["data_mib"], size / 2**20)
    expected = {}
    for step in steps:
        for c in step["channelDb"]:
            expected.setdefault((c["channelId"], c["srcCoreId"], c["dstCoreId"]), []).append(c)
    rows = {(r["channel"], r["source"], r["target"]): r for r in report.rows("distributed/links")}
    known = {key: all_ for key, all_ in expected.items() if (key[0], f"core {key[1]}", f"core {key[2]}") in rows}
    check.equal("channels", len(rows), len(known))
    check.true("channels of cores that are there", all(max(key[1:]) >= cores for key in expected.keys() - known.keys()))
    for (channel, source, target), all_ in known.items():
        row = rows[channel, f"core {source}", f"core {target}"]
        times = sum(c["occurrences"] for c in all_)
        us = sum(c["durationUs"] * c["occurrences"] for c in all_) / times
        check.near("latency", row["latency_us"], us)
        check.near("delay", row["send_delay_us"], sum(c.get("sendDelayUs", 0) * c["occurrences"] for c in all_) / times)
        check.near("data", row["data_mib"], int(all_[0]["dataSize"]) / 2**20)
        check.near("bandwidth", row["gib_per_s"], int(all_[0]["dataSize"]) / 2**30 / (us / 1e6))
        check.equal("names", {row["send"], row["recv"]}, set(all_[0]["hloNames"]))
        check.equal("times", row["occurrences"], times)
    latencies = [r["latency_us"] for r in report.rows("distributed/links")]
    check.equal("the slowest first", latencies, sorted(latencies, reverse=True))


def known_answer():
    check.part("known answer")
    report = report_on(tool_files.pod_json())
    data = json.loads(tool_files.pod_json())
    compare(report, data)
    check.equal("straggler", report.metric("pod.straggler.name"), "core 5 (h1, chip 2, core 1)")
    check.near("its cost", report.metric("pod.straggler.cost_ms"), 0.25)
    check.near("of the step", report.metric("pod.straggler.cost_share"), 250 / 1250)
    check.equal("in all steps", report.metric("pod.straggler.steps"), 2)
    check.equal("device type", report.metric("run.device_type"), "TPU v3")
    check.equal("cores", report.metric("run.cores"), 8)
    links = report.rows("distributed/links")
    check.equal("links", [(r["source"], r["target"], r["latency_us"], r["send"], r["recv"]) for r in links],
                [("core 2", "core 5", 105.5, "send.1", "recv-done.2"), ("core 5", "core 2", 20.0, "send.3", "recv-done.4")])
    [reduce] = report.rows("distributed/collective-list")
    check.equal("all-reduce", (reduce["mean_ms"], reduce["shape"]), (0.02, "f32[512,1024]{1,0:T(8,128)}"))
    text = json.dumps(report.doc, ensure_ascii=False)
    for words in ("recomputed by the profiler", "vm.pod_viewer.json", "2 channels name cores that are not in it", "2 × 2", "TPR-POD-001"):
        check.true(words, words in text)
    check.true("a map", "distributed/map" in report.blocks)
    check.true("the summary does not deny it", "only tool files" in text and "only the environment" not in text)
    check.part("the parts of newer profilers")
    report = report_on(tool_files.pod_newer_json())
    rows = report.rows("distributed/each-step")
    check.equal("parts", [(r["low_flops_ms"], r["collective_sync_ms"], r["infeed_ms"], r["idle_ms"]) for r in rows[:2]],
                [(0.06, 0.01, 0.02, 0.01), (0.061, 0.01, 0.02, 0.01)])
    check.equal("steps", [r["step"] for r in rows], ["1", "1", "2", "2", "3", "3"])


def numbered_by_host():
    """Newer profilers number cores as host × 1000 + device: other numbers than in an XSpace, and said so. Of collectives they do
    not tell which part is waiting, so that they are no core's own time."""
    check.part("numbers by host")
    data = json.loads(tool_files.pod_newer_json())
    for step in data["podStatsSequence"]["podStatsMap"]:
        cores = step["podStatsPerCore"]
        step["podStatsPerCore"] = {"2": cores["0"], "10": {**cores["0"]}, "1002": {**cores["0"], "hostName": "h1"},
                                   "1010": {**cores["1"], "hostName": "h1", "totalDurationUs": 125.0,
                                            "stepBreakdownUs": {"1": 100.0, "6": 20.0, "9": 5.0}}}
    report = report_on(json.dumps(data).encode())
    check.equal("name", report.metric("pod.straggler.name"), "device 10 of host 1 (h1)")
    finding = next(f for f in report.doc["findings"] if f["id"] == "TPR-POD-001")
    check.true("finding", finding["title"].startswith("Straggler device 10 of host 1 costs"))


def text_of(files):
    """The report's outline."""
    with tempfile.TemporaryDirectory() as into:
        for name, content in files.items():
            Path(into, name).write_bytes(content)
        run(into, "-o", Path(into, "out.outline"))
        return Path(into, "out.outline").read_text(encoding="utf-8")


def said():
    """What such a file cannot tell is said where a reader looks for it; one is one."""
    check.part("alone")
    alone = text_of({"a.pod_viewer.json": tool_files.pod_json()})
    check.true("no step time, and where steps are", "only the pod viewer's tool file has steps, per core" in alone)
    check.true("the verdict leads to the cores", "Distributed compares the cores" in alone)
    check.true("no other file is spoken of", "distributed/other-files" not in alone)
    check.part("two hosts")
    two = text_of({"a.pod_viewer.json": tool_files.pod_json(), "b.pod_viewer.json": tool_files.pod_newer_json()})
    check.true("which counts", "All of this comes from a.pod_viewer.json. Cores are also in 1 other file of the run" in two)
    check.part("one step")
    data = json.loads(tool_files.pod_json())
    steps = data["podStatsSequence"]["podStatsMap"]
    del steps[1:]
    single = text_of({"a.pod_viewer.json": json.dumps(data).encode()})
    check.true("8 cores over 1 step", "8 cores of 2 hosts over 1 step" in single)
    check.true("mean over 1 step", "mean over 1 step" in single)
    check.true("not 1 steps", not re.search(r"\b1 (steps|cores|hosts|channels)\b", single))


def hostile():
    """What cannot be is left out and said; pages stay small and the command quick."""
    check.part("hostile")
    core = tool_files.pod_core(0, 0, 100.0, 50.0)

    def file(steps, **more):
        return json.dumps({"podStatsSequence": {"podStatsMap": steps}, **more}).encode()

    def step(cores, **more):
        return {"stepNum": 1, "podStatsPerCore": cores, "channelDb": [], "allReduceOpDb": [], **more}
    strange = {**core, "totalDurationUs": 1e300, "highFlopsComputeUs": "NaN", "hostInfeedDurationUs": -5, "sendDurationUs": [], "chipId": -3,
               "nodeId": 1e30, "hostName": {"a": 1}}
    cases = {
        "no steps": (file([]), "holds no step"),
        "no sequence": (b"{}", "not a pod viewer's file"),
        "wrong types": (b'{"podStatsSequence": [1, 2]}', "not a pod viewer's file"),
        "negative numbers of cores": (file([step({"-1": core, "x": core, "99999999999": core})]), "holds no step"),
        "too many cores": (file([step({str(i): {} for i in range(20000)})]), "holds no step"),
        "deep": (b'{"podStatsSequence": ' + b'{"a": ' * 4000 + b"1" + b"}" * 4001, "JSON is damaged"),
        "a list instead of a core": (file([step({"1": [], "2": 5})]), ""),
        "strange figures": (file([step({"1": strange, "2": core})]), ""),
        "a core twice": (file([step({"1": core, "01": core, "2": core})]), ""),
        "steps on other cores": (file([step({str(i): core, str(i + 1): core}) for i in range(50)]), "49 of its 50 steps"),
        "channels without end": (file([step({"1": core, "2": core}, channelDb=[{"channelId": 1e300, "srcCoreId": 0, "dstCoreId": 1},
                                                                            {"channelId": "x", "srcCoreId": -1, "dstCoreId": "NaN"}, 5])]),
                                 "3 channels name cores"),
    }
    for name, (data, says) in cases.items():
        with tempfile.TemporaryDirectory() as into:
            path, out = Path(into, "vm.pod_viewer.json"), Path(into, "out.html")
            path.write_bytes(data)
            done = run(path, "-o", out)
            text = done.stderr.decode() + (out.read_text() if out.exists() else "")
            check.true(f"{name}: exit status {done.returncode}", done.returncode in (0, 4))
            check.true(f"{name}: says so", says.replace("'", "’") in text.replace("'", "’").replace("&#39;", "’"))
    check.part("very many")
    with tempfile.TemporaryDirectory() as into:
        path, out = Path(into, "vm.pod_viewer.json"), Path(into, "out.html")
        cores = {str(i): tool_files.pod_core(i // 2, i % 2, 1000.0 + i % 7, 500.0) for i in range(4096)}
        path.write_bytes(file([step(cores)] * 12))
        done = run(path, "-o", out)
        check.equal("4,096 cores", done.returncode, 0)
        check.true(f"a page of {out.stat().st_size} bytes", out.stat().st_size < 4 << 20)
        path.write_bytes(file([step({"1": {"totalDurationUs": 5}, "2": {"totalDurationUs": 6}})] * 300000))
        done = run(path, "-o", out)
        check.equal("300,000 steps", done.returncode, 0)
        check.true(f"a page of {out.stat().st_size} bytes", out.stat().st_size < 4 << 20)


def real():
    if not os.environ.get("TPREPORT_TEST_DATA"):
        return
    for path in ("xla/found/xprof/demo/plugins/profile/Cloud-TPU/10.240.1.50.pod_viewer.json", "tf/legacy_tpu/profile_demo.pod_viewer.json",
                 "xla/found/xprof/demo/plugins/profile/Cloud-TPU/10.240.1.50.pod_viewer.json.v_6c58914a",
                 "xla/found/xprof/plugin/tensorboard_plugin_profile/demo/data/profile_demo.pod_viewer.json"):
        check.part(path)
        data = test_data(path).read_bytes()
        compare(report_on(data), json.loads(data))
    check.part("as newer profilers answer")
    report = report_on(test_data("xla/truth/synth_tpu_steps/pod_viewer.json.gz").read_bytes(), "vm.pod_viewer.json.gz")
    check.equal("100 steps of 4 cores", len(report.rows("distributed/each-step")), 400)
    first = report.rows("distributed/each-step")[0]
    check.near("compute", first["low_flops_ms"], 784.1351025)
    check.near("rest", first["idle_ms"], 0.20153875)


def main():
    for part in (known_answer, numbered_by_host, said, hostile, real):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
