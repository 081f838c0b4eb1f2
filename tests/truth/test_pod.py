"""Runs of several cores whose waits and straggler are worked out by hand."""

import json
import sys
import tempfile
from pathlib import Path

from pod_writer import MS, core, program
from truth import Check, Report, blocks_in, run
from xspace_writer import Plane, xspace

check = Check()


def report_on(files, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            path = Path(folder, "logs/plugins/profile/run", f"{name}.xplane.pb")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return Report(Path(folder, "logs"), "--top", "all", *arguments)


def steps_of(work, length=10, **more):
    """A core that computes for work[step] ms and then waits in an all-reduce until the step of `length` ends."""
    steps = [(str(k), 100 * k, 100 * k + length) for k in range(len(work))]
    events = [e for k, ms in enumerate(work) for e in (("dot.1", "convolution fusion", 100 * k, 100 * k + ms),
                                                       ("all-reduce.1", "all-reduce", 100 * k + ms, 100 * k + length))]
    return {"steps": steps, "events": events, **more}


def own(report):
    return {row["core"]: row["own_ms"] for row in report.rows("distributed/cores")}


def slow_core():
    check.part("one slow core")
    planes = [core(n, **steps_of(work)) for n, work in enumerate(([4, 4], [4, 5], [8, 9], [4, 4]))]
    report = report_on({"a": xspace(*planes)})
    # The fastest core's all-reduces take 2 and 1 ms: compute. By itself core 2 takes 10, core 1 next 6 and 6.
    check.equal("name", report.metric("pod.straggler.name"), "core 2 (a, chip 1, core 0)")
    check.near("cost", report.metric("pod.straggler.cost_ms"), ((8 + 2) - (4 + 2) + (9 + 1) - (5 + 1)) / 2)
    check.equal("steps", report.metric("pod.straggler.steps"), 2)
    verdict = report.doc["verdict"]
    check.equal("headline", (verdict["name"], verdict["saw"], verdict["consequence"]), ("Held up by one core:", "it costs 40.0\u202f% of step time;",
                "at the others' speed a step would take 6.00\u202fms instead of 10.0\u202fms."))
    check.true("the section says the same", "it costs 40.0\u202f% of step time" in report.section("distributed")["answer"])
    check.near("imbalance", report.metric("pod.imbalance_ms"), ((10 - 6) + (10 - (5 + 6) / 2)) / 2)
    check.equal("own", own(report), {"core 2": 10, "core 1": 6, "core 0": 5.5, "core 3": 5.5})
    rows = {row["id"].rsplit("/", 1)[1]: row for row in report.rows("distributed/straggler")}
    check.near("longer", rows["high_flops"]["more_ms"], 8.5 - 4)
    check.near("waits less", rows["collective_sync"]["straggler_ms"], 0)
    [finding] = [f for f in report.doc["findings"] if f["id"] == "TPR-POD-001"]
    check.equal("finding", (finding["status"], finding.get("severity")), ("open", "High"))
    check.near("saves", finding["saving"]["value"], 4)
    # In the two steps the cores wait for 4, 4, 0 and 4 ms, and for 5, 4, 0 and 5 ms: of all-reduces of 6, 6, 2, 6 and 6, 5, 1, 6.
    [finding] = [f for f in report.doc["findings"] if f["id"] == "TPR-COMM-001"]
    check.near("waits, mean over cores", report.metric("step.collective_wait_ms"), ((4 + 4 + 0 + 4) + (5 + 4 + 0 + 5)) / 8)
    check.near("on the core with the longest all-reduce", report.metric("step.tpu.all_reduce_sync_ms"), (4 + 5) / 2)
    check.true(finding["saw"], "at most 3.25\u202fms is waiting for other cores, as a mean over cores. On the core with the longest "
               "all-reduce alone, 4.50\u202fms is waiting and 1.50\u202fms the all-reduce itself." in finding["saw"])


def slowest_is_no_straggler():
    """A core that costs 2 % of a step is the slowest; from 3 % on it is called a straggler."""
    for longer, status, called in ((0.2, "passed", False), (0.4, "open", True)):
        check.part(f"a core that computes {longer} ms longer")
        report = report_on({"a": xspace(*(core(n, **steps_of([work] * 4)) for n, work in enumerate((4, 4, 4 + longer, 4))))})
        [finding] = [f for f in report.doc["findings"] if f["id"] == "TPR-POD-001"]
        check.equal("finding", finding["status"], status)
        check.equal("named", report.metric("pod.straggler.name"), "core 2 (a, chip 1, core 0)")
        timeline = json.dumps([b for b in report.blocks.values() if b.get("chart") == "timeline"], ensure_ascii=False)
        check.equal("on the timeline", ("the straggler" in timeline, "the slowest core" in timeline), (called, not called))
        told = [text for text in (finding["title"], json.dumps(report.section("distributed")["blocks"])) if "straggler" in
                text.replace("pod.straggler", "").replace("distributed/straggler", "").replace("straggler_ms", "").replace(
                    "called a straggler from the limit", "").lower()]
        check.equal("called a straggler elsewhere", told != [], called)


def marked(report, table, column):
    return [row["cells"][name]["value"] for row in report.blocks[table]["rows"]
            for name in [column] if any("judge" in cell for cell in row["cells"].values())]


def one_section(report, hosts, devices):
    """Cores, hosts and devices stand in one section, whose answer has the finding's figure; its tables mark whom it names."""
    mains = [s["id"] for s in report.doc["sections"]]
    check.equal("sections", [name for name in mains if name in ("distributed", "hosts", "devices")], ["distributed"])
    section = report.section("distributed")
    ids = [block["id"] for block in section["blocks"]]
    parts = [name for name in ids if name in ("distributed/map", "distributed/cores", "hosts", "devices", "distributed/collectives")]
    check.equal("parts", parts, ["distributed/map", "distributed/cores", "hosts", "devices", "distributed/collectives"])
    check.equal("no answer of their own", [b["answer"] for b in section["blocks"] if b.get("role") == "sub" and b.get("answer")], [])
    [finding] = [f for f in report.doc["findings"] if f["id"] == "TPR-POD-001"]
    asides = {b["id"]: b.get("aside", "") for b in section["blocks"]}
    check.true("what hosts are: " + asides["hosts"], asides["hosts"].startswith("2 hosts, mean step at most 10.0\u202fms"))
    check.true("and collectives: " + asides["distributed/collectives"],
               asides["distributed/collectives"].startswith("1 operation, all-reduce.1 takes "))
    share = report.metrics["pod.straggler.cost_share"]["text"]
    for what, text in (("answer", section["answer"]), ("finding", finding["title"])):
        check.true(f"{what}: {text}", share in text)
    check.equal("marked hosts", marked(report, "hosts/table", "host"), hosts)
    check.equal("marked devices", marked(report, "devices/table", "device"), devices)


def slow_host():
    check.part("a host all of whose cores are slow")
    planes = [core(n, **steps_of([6 if n // 4 else 4] * 2)) for n in range(8)]
    report = report_on({"a": xspace(*planes[:4], hosts=["alpha"]), "b": xspace(*planes[4:], hosts=["beta"])})
    check.equal("name", report.metric("pod.straggler.name"), "beta")
    check.near("cost", report.metric("pod.straggler.cost_ms"), 2)
    one_section(report, ["beta"], [])

    check.part("a slow chip")
    planes = [core(n, **steps_of([6 if n // 2 == 2 else 4] * 2)) for n in range(8)]
    report = report_on({"a": xspace(*planes[:4], hosts=["alpha"]), "b": xspace(*planes[4:], hosts=["beta"])})
    check.equal("name", report.metric("pod.straggler.name"), "chip 2 (beta)")
    check.near("cost", report.metric("pod.straggler.cost_ms"), 2)
    one_section(report, ["beta"], ["/device:TPU:4"])


def turns():
    check.part("cores that are slow in turn")
    planes = [core(n, **steps_of([8 if k % 4 == n else 4 for k in range(8)])) for n in range(4)]
    report = report_on({"a": xspace(*planes)})
    check.near("each costs its turns", report.metric("pod.straggler.cost_ms"), 4 / 4)
    check.equal("in so many steps", report.metric("pod.straggler.steps"), 2)
    check.near("together", report.metric("pod.imbalance_ms"), 4)

    check.part("all alike")
    report = report_on({"a": xspace(*[core(n, **steps_of([4, 4])) for n in range(4)])})
    check.equal("nobody", report.metric("pod.straggler.name"), None)
    check.near("costs nothing", report.metric("pod.straggler.cost_ms"), 0)
    [finding] = [f for f in report.doc["findings"] if f["id"] == "TPR-POD-001"]
    check.equal("passed", finding["status"], "passed")


def unknown():
    check.part("collectives without ids, cores without details")
    planes = [core(n, **steps_of([8 if n == 1 else 4] * 2, ids=False, details=False)) for n in range(3)]
    report = report_on({"a": xspace(*planes)})
    check.equal("name", report.metric("pod.straggler.name"), "TPU:1 (a)")
    check.near("cost", report.metric("pod.straggler.cost_ms"), 4)
    [table] = [report.blocks["distributed/cores"]]
    titles = [column["title"] for column in table["columns"]]
    check.true("one column of collectives", "Collectives" in titles and "Collectives, compute" not in titles)
    check.true("no chips", "Chip" not in titles)

    check.part("numbers of cores that are not unique")
    planes = [core(n, **steps_of([4, 4])) for n in (0, 1)]
    report = report_on({"a": xspace(*planes, hosts=["alpha"]), "b": xspace(*planes, hosts=["beta"])})
    check.equal("rows", len(report.rows("distributed/cores")), 4)

    check.part("one core")
    report = report_on({"a": xspace(core(0, **steps_of([4, 4])))})
    check.equal("nothing to compare", report.missing("pod.straggler.cost_ms"), "only one core has steps")
    check.equal("no section", [s for s in report.doc["sections"] if s["id"] == "distributed"], [])
    check.true("the device stands for itself", report.section("devices")["answer"].startswith("Devices were busy"))


def waits():
    check.part("a core that others wait for is the one that idles or waits for input")
    late = {"steps": [("0", 0, 10)], "events": [("infeed.1", "infeed", 0, 5), ("dot.1", "convolution fusion", 5, 8),
                                                ("all-reduce.1", "all-reduce", 8, 10)]}
    early = {"steps": [("0", 0, 10)], "events": [("dot.1", "convolution fusion", 0, 3), ("recv-done.1", "recv-done", 3, 5),
                                                 ("send.1", "send", 5, 6), ("all-reduce.1", "all-reduce", 6, 10)]}
    report = report_on({"a": xspace(core(0, **early), core(1, **late))})
    check.equal("name", report.metric("pod.straggler.name"), "core 1 (a, chip 0, core 1)")
    # By itself: 10 against 10 - 2 (receiving) - 2 (waiting in the all-reduce).
    check.near("cost", report.metric("pod.straggler.cost_ms"), 4)
    rows = {row["core"]: row for row in report.rows("distributed/cores")}
    check.equal("send, receive", (rows["core 0"]["send_ms"], rows["core 0"]["recv_ms"]), (1, 2))
    check.equal("wait", (rows["core 0"]["collective_sync_ms"], rows["core 1"]["collective_sync_ms"]), (2, 0))
    [section] = [s for s in report.doc["sections"] if s["id"] == "distributed"]
    check.true("why", "The largest difference is infeed" in section["so_what"])


def channels():
    check.part("channels")
    # Sends at 1 and 101 ms; the receiver waits from 0 to 3, in the second step from 102 to 104.
    sender = [("send.7", "send", 1, 2), ("dot.1", "convolution fusion", 2, 8), ("send.7", "send", 101, 102)]
    receiver = [("recv-done.7", "recv-done", 0, 3), ("dot.1", "convolution fusion", 3, 8),
                ("recv-done.7", "recv-done", 102, 104)]
    steps = [("0", 0, 10), ("1", 100, 110)]
    planes = [core(0, steps, sender), core(1, steps, receiver)]
    report = report_on({"a": xspace(*planes, program("{{0,1}}"))})
    [row] = report.rows("distributed/links")
    check.equal("ends", (row["channel"], row["source"], row["target"]), ("3", "core 0", "core 1"))
    check.near("data", row["data_mib"], 4)
    check.near("latency", row["latency_us"], ((3 - 1) + (104 - 101)) / 2 * 1e3)
    check.near("bandwidth", row["gib_per_s"], 4 / 1024 / 2.5e-3)
    check.near("send delay", row["send_delay_us"], (1 + 0) / 2 * 1e3)
    check.near("receive", row["receive_us"], (3 + 2) / 2 * 1e3)
    check.equal("names", (row["send"], row["recv"], row["occurrences"]), ("send.7", "recv-done.7", 2))
    check.equal("step by step", [(r["step"], r["channel"], r["source"], r["target"], r["occurrences"]) for r in report.rows("distributed/links-step")],
                [("0", "3", "core 0", "core 1", 1), ("1", "3", "core 0", "core 1", 1)])
    for step, latency, delay, receive in zip(report.rows("distributed/links-step"), (2, 3), (1, 0), (3, 2), strict=True):
        check.near("its latency", step["latency_us"], latency * 1e3)
        check.near("its send delay", step["send_delay_us"], delay * 1e3)
        check.near("its receive", step["receive_us"], receive * 1e3)
        check.near("its bandwidth", step["gib_per_s"], 4 / 1024 / latency * 1e3)

    check.part("replicas that run on other devices")
    report = report_on({"a": xspace(*planes, program("{{1,0}}", devices=[1, 0]))})
    check.equal("ends", [(row["source"], row["target"]) for row in report.rows("distributed/links")], [("core 0", "core 1")])
    report = report_on({"a": xspace(*planes, program("{{1,0}}"))})
    check.equal("the other way nothing is sent", report.rows("distributed/links"), [])
    report = report_on({"a": xspace(*planes, program("{{0,1},{7,8}}"))})
    check.equal("cores that are not there", len(report.rows("distributed/links")), 1)
    report = report_on({"a": xspace(*planes, program("{{0,1}"))})
    check.equal("damaged pairs", report.rows("distributed/links"), [])

    check.part("a receive without its send in a step")
    report = report_on({"a": xspace(core(0, steps, sender[:2]), core(1, steps, receiver), program("{{0,1}}"))})
    [row] = report.rows("distributed/links")
    check.near("only whole pairs", row["latency_us"], 2e3)

    check.part("hosts whose clocks differ")
    late = [(name, category, start + 1, end + 1) for name, category, start, end in sender]
    early = [("recv-done.7", "recv-done", 0, 1), ("dot.1", "convolution fusion", 1, 8), ("recv-done.7", "recv-done", 101, 102)]
    report = report_on({"a": xspace(core(0, steps, late), program("{{0,1}}"), hosts=["alpha"]),
                        "b": xspace(core(1, steps, early), hosts=["beta"])})
    [row] = report.rows("distributed/links")
    check.equal("no latency", (row["latency_us"], row["gib_per_s"]), (None, None))


def collectives():
    check.part("collectives")
    planes = [core(n, **steps_of(work)) for n, work in enumerate(([4, 4], [4, 6], [8, 9]))]
    report = report_on({"a": xspace(*planes)})
    [row] = report.rows("distributed/collective-list")
    check.near("mean", row["mean_ms"], ((6 + 6 + 2) + (6 + 4 + 1)) / 6)
    check.near("fastest", row["fastest_ms"], (2 + 1) / 2)
    check.near("waiting", row["waiting_share"], 1 - 1.5 / (25 / 6))
    report = report_on({"a": xspace(*[core(n, **steps_of([4, 4], ids=False)) for n in range(2)])})
    [row] = report.rows("distributed/collective-list")
    check.equal("without ids", (row["mean_ms"], row["fastest_ms"], row["waiting_ms"]), (6, None, None))


def hosts():
    check.part("hosts without cores")
    files = {}
    for name, ms in (("alpha", 100), ("beta", 80)):
        plane = Plane("/host:CPU")
        line = plane.line("thread")
        for k in range(3):
            line.event("train", 200 * k * MS, ms * MS, _r=1, step_num=k)
            line.event("run", 200 * k * MS, 50 * MS)
        files[name] = xspace(plane, hosts=[name])
    report = report_on(files)
    check.equal("name", report.metric("pod.straggler.name"), "alpha")
    check.near("cost", report.metric("pod.straggler.cost_ms"), 20)
    rows = {row["host"]: row for row in report.rows("distributed/cores")}
    check.equal("what it does longer", (rows["alpha"]["idle_ms"], rows["beta"]["idle_ms"]), (50, 30))
    check.true("hosts that are compared step by step are listed once", "hosts/each-step" not in report.blocks)

    check.part("hosts of cores step by step")
    files = {name: xspace(core(n, [("0", 0, 10), ("1", 100, 110)], [("dot.1", "convolution fusion", 0, work[0]), ("dot.1", "convolution fusion", 100, 100 + work[1])]),
                          hosts=[name]) for n, (name, work) in enumerate((("alpha", (4, 7)), ("beta", (2, 3))))}
    rows = report_on(files).rows("hosts/each-step")
    check.equal("who", [(row["step"], row["host"]) for row in rows], [("0", "alpha"), ("0", "beta"), ("1", "alpha"), ("1", "beta")])
    check.equal("time", [row["time_ms"] for row in rows], [10] * 4)
    check.equal("compute", [row["arithmetic_ms"] for row in rows], [4, 2, 7, 3])
    check.equal("idle", [row["idle_ms"] for row in rows], [6, 8, 3, 7])


def block(report, wanted):
    """A section or paragraph anywhere in the report; None: it is not there."""
    def find(blocks):
        return next((found for b in blocks for found in ([b] if b.get("id") == wanted else [find(b.get("blocks", []))]) if found), None)
    return find(report.doc["sections"])


def single_steps():
    check.part("the first, the median and the slowest step are there once")
    for lengths, there, title in (([10], ["first"], "The only step: 0, "),
                                  ([10, 10, 10], ["first"], "The first, median and slowest step: 0, "),
                                  ([10, 10, 11], ["first", "slowest"], "The first and median step: 0, "),
                                  ([10, 11, 12], ["first", "median", "slowest"], "The first step: 0, ")):
        steps = [(str(k), 100 * k, 100 * k + ms) for k, ms in enumerate(lengths)]
        events = [("dot.1", "convolution fusion", start, end) for _, start, end in steps]
        report = report_on({"a": xspace(*[core(n, steps, events) for n in range(2)])})
        check.equal(f"{lengths}", [n for n in ("first", "median", "slowest") if f"distributed/{n}-step" in report.blocks], there)
        check.true(f"{lengths}: what the first is", block(report, "distributed/first")["title"].startswith(title))


def levels():
    check.part("what the slowest core, chip and host cost")
    planes = [core(n, **steps_of([8 if n == 5 else 4] * 3)) for n in range(8)]
    report = report_on({"a": xspace(*planes[:4], hosts=["alpha"]), "b": xspace(*planes[4:], hosts=["beta"])})
    rows = report.rows("distributed/levels")
    check.equal("who", [(row["level"], row["name"]) for row in rows],
                [("core of 8", "core 5"), ("chip of 4", "chip 2"), ("host of 2", "beta")])
    for row in rows:
        check.near("a step", row["cost_ms"], 4)
        check.near("three steps", row["lost_ms"], 12)
        check.near("of an hour, steps of 10 ms", row["lost_of_hour_s"], 3600 * 4 / 10)
    check.near("all steps", report.metric("pod.straggler.lost_ms"), 12)
    check.equal("turns", [(row["name"], row["cost_ms"]) for row in report.rows("distributed/slowest-of-step")],
                [("core 5", 4)] * 3)
    check.true("the map says what it is", block(report, "distributed/map-order"))


def places():
    check.part("hosts whose chips are not numbered in a row")
    planes = [core(n, **steps_of([4, 4])) for n in range(16)]
    report = report_on({"a": xspace(*planes[0:4], *planes[8:12], hosts=["alpha"]),
                        "b": xspace(*planes[4:8], *planes[12:16], hosts=["beta"])})
    grid = report.blocks["distributed/map"]
    check.equal("a row a host", (grid["rows"], grid["columns"]), (["alpha", "beta"], 8))
    check.equal("its cores", [int(c["label"].split()[1]) for c in grid["cells"]], [*range(4), *range(8, 12), *range(4, 8), *range(12, 16)])

    check.part("chips as they are arranged")
    def tool_file(hosts, x, y):
        cores = {str(100 + 7 * n): {"hostName": hosts(n // 2), "chipId": n // 2, "nodeId": n % 2, "stepNum": 5, "totalDurationUs": 1000,
                                    "highFlopsComputeUs": 500 + n, "recvDurationUs": 20} for n in range(2 * x * y)}
        doc = {"podStatsSequence": {"podStatsMap": [{"stepNum": 5, "podStatsPerCore": cores}]},
               "runEnvironment": {"tpuType": "TPU v3", "topology": {"xDimension": str(x), "yDimension": str(y), "zDimension": "0"}}}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "plugins/profile/run/x.pod_viewer.json")
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(doc), encoding="utf-8")
            return Report(folder, "--top", "all")
    # Boards of 2 × 2 chips.
    report = tool_file(lambda chip: f"board-{chip % 4 // 2}-{chip // 4 // 2}", 4, 2)
    grid = report.blocks["distributed/map"]
    check.equal("rows are y", (grid["rows"], grid["columns"], grid["group"]), (["y 0", "y 1"], 8, 2))
    check.equal("cores of chips", [(c["cell"], c["label"]) for c in grid["cells"]], [(n, f"core {n}") for n in range(16)])
    check.near("own time", grid["cells"][13]["value"], .98)
    check.true("and says that it infers", "inferred" in json.dumps(block(report, "distributed/map-order")))
    # Where the chips of a host would not lie together, they are not numbered so.
    report = tool_file(lambda chip: f"board-{chip // 3}", 4, 2)
    check.equal("rows are hosts", report.blocks["distributed/map"]["rows"], ["board-0", "board-1", "board-2"])


def ring(count):
    """Each core sends to the next; and all do each class of work that takes no ids."""
    def step(k, ms):
        at = 100 * k
        return [("infeed.1", "infeed", at, at + .5), ("dot.1", "convolution fusion", at + .5, at + ms),
                ("add.1", "loop fusion", at + ms, at + ms + .1), ("send.7", "send", at + ms + .1, at + ms + .2),
                ("recv-done.7", "recv-done", at + ms + .2, at + ms + .5), ("outfeed.1", "outfeed", at + ms + .5, at + ms + .6),
                ("all-reduce.1", "all-reduce", at + ms + .6, at + 10)]
    return [core(n, [(str(k), 100 * k, 100 * k + 10) for k in range(6)],
                 [e for k in range(6) for e in step(k, 6 if n == 1234 else 4 + (n + k) % 50 / 1000)]) for n in range(count)]


def many():
    check.part("4,096 cores, 4,096 channels")
    files = {}
    cores = ring(4096)
    pairs = ",".join(f"{{{n},{(n + 1) % 4096}}}" for n in range(4096))
    for h in range(512):
        more = [program("{" + pairs + "}")] if h == 0 else []
        files[f"host-{h}"] = xspace(*cores[8 * h:8 * h + 8], *more, hosts=[f"host-{h}"])
    with tempfile.TemporaryDirectory() as folder:
        page, data_page, paper = (Path(folder, name) for name in ("report.html", "report.json", "report.pdf"))
        for name, data in files.items():
            path = Path(folder, "plugins/profile/run", f"{name}.xplane.pb")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        check.equal("exit status", run(folder, "-o", page, "-o", data_page, "-o", paper).returncode, 0)
        check.true("the page is small enough", page.stat().st_size < 5 * 2**20)
        check.true("on paper as well", paper.stat().st_size < 2 * 2**20)
        report = blocks_in(json.loads(data_page.read_text(encoding="utf-8"))["sections"])
        check.equal("channels", len(report["distributed/links"]["rows"]), 4096)
        check.equal("all four and of six steps as many as there is room for", len(report["distributed/each-step"]["rows"]), 4 * 4096)
        check.equal("a cell a host", len(report["distributed/map"]["cells"]), 512)
        check.true("and names the slow core", "core 1234 (host-154, chip 617, core 0)" in page.read_text(encoding="utf-8"))


def main():
    slow_core()
    slowest_is_no_straggler()
    slow_host()
    turns()
    unknown()
    waits()
    channels()
    collectives()
    hosts()
    single_steps()
    levels()
    places()
    many()
    return check.end()


if __name__ == "__main__":
    sys.exit(main())
