"""Several hosts in a run: of captures written by hand, and each of our own by itself."""

import json
import sys
import tempfile
from pathlib import Path

import tool_files
from by_hand import classes, core, host, logs, put, report_on, train
from truth import SOURCE, Check, Report, run
from xspace_writer import field, xspace

check = Check()


def several_hosts():
    one = xspace(host([train(1, 0, 100), ("run", 0, 50)]), hosts=["alpha"])
    two = xspace(host([train(1, 0, 80), ("run", 0, 50)]), hosts=["beta"])
    together = {"host_compute": 50, "other": 40, "idle": 10}

    check.part("two hosts of a run")
    report = report_on({"a": one, "b": two})
    check.equal("hosts", report.metric("run.hosts"), 2)
    classes(check, report, together, 100)

    check.part("two hosts in folders a second apart")
    report = report_on({"2026_01_02_03_04_05/a": one, "2026_01_02_03_04_06/b": two}, "--verbose")
    check.equal("hosts", report.metric("run.hosts"), 2)
    classes(check, report, together, 100)
    check.true("said so", "treated as one run" in report.stderr)
    check.equal("run", report.doc["run"], "2026_01_02_03_04_05")

    check.part("the same host in folders a second apart: two runs")
    report = report_on({"2026_01_02_03_04_05/a": one, "2026_01_02_03_04_06/a": two})
    check.equal("hosts", report.metric("run.hosts"), 1)
    classes(check, report, {"host_compute": 50, "other": 30}, 80)

    check.part("folders ten seconds apart: two runs")
    report = report_on({"2026_01_02_03_04_05/a": one, "2026_01_02_03_04_15/b": two})
    check.equal("run", report.doc["run"], "2026_01_02_03_04_15")
    check.equal("hosts", report.metric("run.hosts"), 1)

    check.part("the same file under two names")
    report = report_on({"a": one, "b": one}, "--verbose")
    check.equal("hosts", report.metric("run.hosts"), 1)
    classes(check, report, {"host_compute": 50, "other": 50}, 100)
    check.true("said so", "a copy, not counted twice" in report.stderr)

    check.part("--host")
    report = report_on({"a": one, "b": two}, "--host", "b")
    check.equal("hosts", report.metric("run.hosts"), 1)
    classes(check, report, {"host_compute": 50, "other": 30}, 80)
    report = report_on({"a": one, "b": two}, "--host", "b", "--host", "a")
    check.equal("both", report.metric("run.hosts"), 2)
    with tempfile.TemporaryDirectory() as folder:
        done = run(logs(folder, {"a": one}), "--host", "c", "-o", Path(folder, "x.json"))
    check.equal("none such: exit status", done.returncode, 2)

    check.part("names of hosts")
    devices = [core(0, [("1", 0, 10)]), core(0, [("1", 0, 10)])]
    for plane in devices:
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        put(plane.line("XLA Ops"), ("fusion.1", 0, 5))
    report = report_on({"file-a": xspace(devices[0], hosts=["alpha"]), "file-b": xspace(devices[1])})
    check.equal("of the file's hostnames, else of its name", {row["host"] for row in report.rows("devices/table")},
                {"alpha", "file-b"})
    check.equal("hosts", report.metric("run.hosts"), 2)
    check.equal("cores", report.metric("run.cores"), 2)


def each_host_alone():
    """What is said of a host of a run is what the report on that host's file alone says of all."""
    check.part("each host as its file alone")
    logdir = SOURCE / "examples" / "tpu_two_hosts" / "input"
    whole, compared = Report(logdir, "--top", "all"), 0
    for file in sorted(logdir.glob("**/*.xplane.pb")):
        alone = Report(file, "--top", "all")
        name_of = file.name.removesuffix(".xplane.pb")
        for name, metric in whole.metrics.items():
            if not name.endswith(f"@host={name_of}"):
                continue
            base = name.partition("@")[0]
            check.equal(name, metric["value"], alone.metric(base))
            if name in alone.metrics:
                check.equal(f"{base} of the only host", alone.metric(name), alone.metric(base))
            compared += 1
        for name, metric in alone.metrics.items():
            if f"@host={name_of},device=" in name:
                check.equal(name, whole.metric(name), metric["value"])
                compared += 1
        for table in ("steps/classes", "operations/top", "memory/programs", "distributed/cores", "devices/table"):
            view = [{**row, "id": row["id"].removeprefix(f"views/host={name_of}/")}
                    for row in whole.rows(f"views/host={name_of}/{table}")]
            check.equal(f"{table} in the view of {name_of}", view, alone.rows(table)[:10])
    check.true("figures of two hosts and eight cores", compared >= 2 * 100 + 8 * 5)

    check.part("two processes of one name")
    one, two = (xspace(host([train(1, 0, ms), ("run", 0, 50)]), hosts=["alpha"]) for ms in (100, 80))
    report = report_on({"a": one, "b": two})
    check.near("the first", report.metric("step.time.mean_ms@host=alpha"), 100)
    check.near("the second", report.metric("step.time.mean_ms@host=alpha~2"), 80)
    check.near("the first alone is not idle", report.metric("step.class.idle_ms@host=alpha"), 0)
    check.true("the slow one is named", "alpha" in json.dumps(
        [section["answer"] for section in report.doc["sections"] if section["id"] == "distributed"]))


def views_of(report):
    return [block["title"] for section in report.doc["sections"] for block in section["blocks"] if block.get("role") == "view"]


def each_host_as_a_view():
    check.part("each host as a view")
    spaces = [xspace(host([train(1, 0, ms), ("run", 0, 50)]), hosts=[f"host-{ms}"]) for ms in range(60, 77)]
    files = {f"f{number:02}": data for number, data in enumerate(spaces)}
    report = report_on(dict(list(files.items())[:3]))
    check.equal("named as the profile names them", views_of(report), ["host-60", "host-61", "host-62"])
    check.equal("in the section that compares them", [s["id"] for s in report.doc["sections"] if "views/" in json.dumps(s)],
                ["distributed"])
    check.near("a figure that hosts are not compared by", report.metric("step.count@host=host-61"), 1)
    many = report_on(files)
    check.equal("as many as a page should hold", len(views_of(many)), 16)
    check.true("and what is left out", "1 more are left out to keep the page small: --host NAME reports on each." in
               json.dumps(many.section("distributed")))
    check.equal("a copy is no host", views_of(report_on({"f00": spaces[0], "f01": spaces[1], "f02": spaces[1]})), ["host-60", "host-61"])
    with tempfile.TemporaryDirectory() as folder:
        logdir = logs(folder, dict(list(files.items())[:2]))
        beside = next(logdir.glob("**/*.xplane.pb")).parent / "f00.overview_page.json"
        beside.write_bytes(tool_files.overview_json())
        check.equal("a tool file beside them is none either", views_of(Report(logdir)), ["host-60", "host-61"])
    check.equal("of one host there are none", views_of(report_on({"f00": spaces[0], "f01": spaces[0]})), [])
    check.equal("nor of chosen ones", views_of(report_on(files, "--host", "f00", "--host", "f01")), [])


def slow_core():
    check.part("a core that computes longer")
    planes = []
    for number, ms in ((0, 4), (1, 4), (2, 6)):
        plane = core(number, [("1", 0, 10)], core_details=field(2, number) + field(5, number))
        plane.op("fusion.1", hlo_category="loop fusion", program_id=1)
        plane.op("all-reduce.1", hlo_category="all-reduce", program_id=1)
        put(plane.line("XLA Ops"), ("fusion.1", 0, ms), ("all-reduce.1", ms, 10))
        planes.append(plane)
    report = report_on({"a": xspace(*planes[:2], hosts=["alpha"]), "b": xspace(planes[2], hosts=["be,ta"])})
    check.true("it is named", report.section("distributed")["answer"].startswith("The step time is set by TPU:2 (be,ta)"))
    check.near("encoded", report.metric("step.time.mean_ms@host=be%2Cta"), 10)
    check.equal("compute a step, the one that others wait for first", [row["step_compute_ms"] for row in report.rows("devices/table")], [6, 4, 4])
    finding = next(one for one in report.doc["findings"] if one["id"] == "TPR-POD-001")
    check.true("the finding says so: " + finding["saw"], finding["saw"].replace("\u202f", " ").endswith(
        "which computes 6.00 ms where the median core needs 4.00 ms."))
    check.true("and which host to drain", "Drain host be,ta" in finding["actions"][0])
    check.equal("cores of each", [row["cores"] for row in report.rows("hosts/table")], [2, 1, 3])


def main():
    for part in (several_hosts, each_host_alone, each_host_as_a_view, slow_core):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
