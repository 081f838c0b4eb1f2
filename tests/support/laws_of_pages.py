"""What holds between verdict, tiles, bar, findings and sections of every report. Each law yields (what, found) for every breach."""

import re

from report_tree import above, blocks, cells, differ, number, saved_ms, sentences


def promises_have_bounds(report):
    """The verdict promises a speed-up only where its finding bounds what it saves, and no more than that bound."""
    verdict, step_ms = report["verdict"] or {}, report["metrics"].get("step.time.mean_ms", {}).get("value")
    finding = next((f for f in report["findings"] if f["id"] == verdict.get("finding")), None)
    promised = re.search(r"more than 10× faster|at most ([\d.]+)× faster", verdict.get("consequence") or "")
    if not promised or not finding:
        return
    saving = finding["saving"]["value"]
    if not number(saving):
        yield "verdict", (verdict["consequence"], finding["id"], finding["saving"])
    elif above(float(promised[1] or 10), 1.05 * step_ms / (step_ms - saving)):
        yield "verdict", (verdict["consequence"], finding["id"], saving, step_ms)


# Of a step: what a medium finding saves at least where the verdict is not green (TP_NOTABLE_SAVING).
NOTABLE_SAVING = 0.10


def one_judge(report):
    """The verdict, the tiles and the findings come from the same checks: none praises what another finds fault with."""
    checks = {finding["id"]: finding for finding in report["findings"]}
    opened = [finding for finding in report["findings"] if finding["status"] == "open"]
    severe = [finding["id"] for finding in opened if finding["severity"] == "High"]
    verdict = report["verdict"] or {}
    medium = [finding["id"] for finding in opened if finding["severity"] == "Medium"]
    if severe and verdict.get("judge") != "bad":
        yield "verdict", (verdict.get("judge"), "milder than", severe)
    if medium and verdict.get("judge", "none") in ("none", "undecided"):
        yield "verdict", (verdict.get("judge"), "milder than", medium)
    step_ms = report["metrics"].get("step.time.mean_ms", {}).get("value")
    large = [finding["id"] for finding in opened if finding["severity"] == "Medium" and number(step_ms) and
             above(saved_ms(finding), NOTABLE_SAVING * step_ms)]
    if verdict.get("judge") == "good" and large:
        yield "verdict", ("good", "above a large saving", large)
    silent = [finding["id"] for finding in report["findings"] if finding["status"] in ("undecided", "not_applicable")]
    passed = [finding["id"] for finding in report["findings"] if finding["status"] == "passed"]
    if verdict.get("judge") == "good" and len(silent) > len(passed):
        yield "verdict", ("good", "passed", len(passed), "silent", len(silent))
    told = checks.get(verdict.get("finding"))
    if told is not None and (told["status"] != "open" or
                             verdict["judge"] not in ("bad", {"High": "bad", "Medium": "warn"}[told["severity"]])):
        yield "verdict", (verdict["judge"], told["id"], told["status"], told.get("severity"))
    if verdict.get("judge") == "bad" and not severe:
        yield "verdict", ("bad", "no high finding", verdict["name"])
    # A view's tiles are judged by the view's own checks, which the list is not of.
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", []) if not tile["id"].startswith("views/")):
        check = checks.get(tile.get("finding"))
        if check is None and (tile.get("judge") == "bad" or "finding" in tile):
            yield tile["id"], (tile.get("judge"), tile.get("finding"))
        if check is None:
            continue
        judge = {"open": {"High": "bad", "Medium": "warn"}.get(check.get("severity")), "passed": "good"}.get(check["status"])
        # A note is no problem of its own; what it measures is judged as it is.
        if tile.get("judge") != judge and not (check.get("severity") == "Low" and tile.get("judge") in ("bad", "warn")):
            yield tile["id"], (tile.get("judge"), check["id"], judge)


# The class of time in the bar of the first screen that a finding is of.
CLASS_OF = {"TPR-INPUT-001": "input_wait", "TPR-LOAD-001": "input_wait", "TPR-OUTPUT-001": "output", "TPR-COMM-001": "collective",
            "TPR-IDLE-001": "idle", "TPR-LAUNCH-001": "launch", "TPR-COMPILE-001": "compile", "TPR-STEP-001": "other",
            "TPR-SETUP-001": "setup", "TPR-QUEUE-001": "queued"}
COMPUTE = ("arithmetic", "copy")
WAITS = ("input_wait", "output", "collective", "send_recv", "idle", "other")
INPUT_BOUND_SHARE, GAP_LEADS_SHARE = 0.05, 0.20


def bar_of(report):
    """{class: ms of a mean step} as the first screen draws it; empty: it draws none."""
    drawn = {}
    for chart in blocks(report):
        if chart["id"] == "summary/step/classes":
            for series in chart["series"]:
                name = "compute" if series["key"] in COMPUTE else series["key"]
                drawn[name] = drawn.get(name, 0) + sum(series["values"])
    return drawn


# The classes in which the time of a finding on PyTorch lies, as the bar draws them.
HOST = ("launch", "host_compute", "other")
LIES_IN = {"TPR-HOST-001": HOST, "TPR-SYNC-001": HOST, "TPR-SETUP-001": ("setup",), "TPR-QUEUE-001": ("queued",),
           "TPR-PIN-001": ("compute",), "TPR-AMP-001": ("compute",)}
IS_ALL_OF = ("TPR-HOST-001", "TPR-SETUP-001", "TPR-QUEUE-001")


def within_the_bar(report, bar, step_ms):
    """What a finding of single workers takes, and saves, of the mean step is no more than the bar's classes that it lies in."""
    for finding in report["findings"]:
        held = sum(bar.get(name, 0) for name in LIES_IN.get(finding["id"], ()))
        if finding["status"] not in ("open", "passed") or finding["id"] not in LIES_IN:
            continue
        of_step = finding["measured"]["value"] * step_ms if finding["id"] in IS_ALL_OF else 0
        if finding["id"] in IS_ALL_OF and abs(of_step - held) > 1e-6 * step_ms:
            yield f"{finding['id']}.measured", (of_step, LIES_IN[finding["id"]], held)
        saving = finding.get("saving", {}).get("value")
        for what, ms in (("measured", of_step), ("saving", saving if number(saving) else 0)):
            if above(ms, held * (1 + 1e-6)):
                yield f"{finding['id']}.{what}", (ms, LIES_IN[finding["id"]], held)


def one_number(report):
    """A figure of a class of time is that of the bar: in the headline, the findings and the tiles; none saves more than it."""
    bar, metrics = bar_of(report), report["metrics"]
    step_ms = metrics.get("step.time.mean_ms", {}).get("value")
    verdict = report["verdict"] or {}
    if not bar or not step_ms:
        return
    share = {name: ms / step_ms for name, ms in bar.items()}
    for name, ms in bar.items():
        if differ(ms, metrics[f"step.class.{name}_ms"]["value"]):
            yield f"bar: {name}", (ms, metrics[f"step.class.{name}_ms"]["value"])
    for chart in blocks(report):
        for series in chart["series"] if chart["id"] == "summary/step/classes" else []:
            waits, known = series.get("unused", 0), metrics["step.collective_wait_ms"]["value"]
            if series["key"] == "collective" and differ(waits, known or 0) or above(waits, sum(series["values"])):
                yield "bar: waiting in collectives", (waits, known, series["values"])
            if series["key"] == "send_recv" and above(waits, sum(series["values"])):
                yield "bar: waiting in receives", (waits, series["values"])
            if series["key"] == "host_compute" and "XLA operations run for" in verdict.get("saw", ""):
                works = (sum(series["values"]) - waits) / step_ms
                if f"{100 * works:.1f}\u202f%" not in verdict["saw"]:
                    yield "bar: outside XLA operations", (works, verdict["saw"])
    yield from waiting_of_cores(report)
    yield from waiting_of_steps(report)
    yield from waiting_of_hosts(report)
    waits_alone = input_waits_alone(report, share)
    for finding in report["findings"]:
        name = CLASS_OF.get(finding["id"], "input_wait" if finding["id"].startswith("TPR-INPUT-") else None)
        if finding["status"] != "open" or name is None:
            continue
        told, saving = metrics[f"step.class.{name}_share"]["text"], finding["saving"]
        if finding["id"] in CLASS_OF and told not in finding["title"]:
            yield f"{finding['id']}.title", (finding["title"], told)
        if verdict.get("finding") == finding["id"] and told not in verdict["saw"]:
            yield "verdict.saw", (verdict["saw"], told)
        if "on the worst core" not in finding["title"] and not (name == "input_wait" and waits_alone) and \
                finding["saving_note"].startswith("per step") and above(saving["value"], bar.get(name, 0)):
            yield f"{finding['id']}.saving", (saving["value"], name, bar.get(name, 0))
    yield from communication_bounds(report)
    yield from within_the_bar(report, bar, step_ms)
    lead = verdict.get("name", "").lower()
    if "input-bound" in lead and "possibly" not in lead and not above(share.get("input_wait", 0), INPUT_BOUND_SHARE - 1e-6):
        yield "verdict.name", (verdict["name"], share.get("input_wait"))
    if verdict.get("finding") == "TPR-STEP-001" and above(GAP_LEADS_SHARE, share["other"]):
        yield "verdict.name", (verdict["name"], share["other"])
    yield from tiles_of_classes(report, share, waits_alone)


def waiting_of_cores(report):
    """Waiting in collectives is the mean of what the table of cores has; in a report on one worker of several nothing is known of it."""
    known = report["metrics"]["step.collective_wait_ms"]["value"]
    waits = [row["cells"]["collective_sync_ms"]["value"] for table in blocks(report) if table["id"] == "distributed/cores"
             for row in table["rows"] if "collective_sync_ms" in row["cells"] and row["role"] == "normal"]
    if number(known) and waits and all(map(number, waits)) and abs(sum(waits) / len(waits) - known) > 1e-6 * known + 1e-9:
        yield "waiting in collectives", (known, sum(waits) / len(waits))
    workers = [row for table in blocks(report) if table["id"] == "distributed/workers" for row in table["rows"]]
    alone = any(row["cells"]["what"]["value"] == "World size" and row["cells"]["value"]["value"] == "1"
                for table in blocks(report) if table["id"] == "environment/run" for row in table["rows"])
    if number(known) and len(workers) == 1 and not alone:
        yield "waiting in collectives, of one worker", known


def waiting_of_steps(report):
    """What of collectives and receives is hatched in the bar is hatched in the columns of steps, and is on average the same. Where some worker tells
    no waiting, that of single steps may be unknown."""
    charts = {chart["id"]: chart for chart in blocks(report) if "series" in chart}
    all_tell = all(number(row["cells"]["sync_ms"]["value"]) for table in blocks(report) if table["id"] == "distributed/workers"
                   for row in table["rows"] if "sync_ms" in row["cells"])
    bar = {series["key"]: series.get("unused", 0) for series in charts.get("summary/step/classes", {"series": []})["series"]}
    for chart in (charts.get(name) for name in ("summary/step/strip", "steps/strip")):
        for series in chart["series"] if chart and len(chart["labels"]) < 240 else []:
            waits = series.get("unused_values", [])
            known = bar.get(series["key"], 0)
            if waits and differ(sum(waits) / len(waits), known):
                yield f"{chart['id']}: waiting", (series["key"], sum(waits) / len(waits), known)
            if not waits and known and all_tell and series["key"] in ("collective", "send_recv"):
                yield f"{chart['id']}: waiting", (series["key"], "not hatched", known)


def waiting_of_hosts(report):
    """The bar's waiting is a mean over hosts: no less than that of the host with the least, no more than that of the one with the most."""
    charts = {chart["id"]: chart for chart in blocks(report) if "series" in chart}
    bar = {series["key"]: series.get("unused", 0) for series in charts.get("summary/step/classes", {"series": []})["series"]}
    for series in charts.get("hosts/steps", {"series": []})["series"]:
        waits, known = series.get("unused_values", []), bar.get(series["key"], 0)
        if waits and len(waits) < 24 and not min(waits) * (1 - 1e-6) <= known <= max(waits) * (1 + 1e-6):
            yield "hosts/steps: waiting", (series["key"], waits, known)
        if not waits and known and series["key"] in ("collective", "send_recv"):
            yield "hosts/steps: waiting", (series["key"], "not hatched", known)


def input_waits_alone(report, share):
    """Cores differ in their wait for input: then that of the worst is told, said to be its, with the mean beside it."""
    worst, mean = report["metrics"].get("input.wait_share", {}).get("value"), share.get("input_wait", 0)
    return number(worst) and worst >= INPUT_BOUND_SHARE and (mean < INPUT_BOUND_SHARE or worst - mean >= INPUT_BOUND_SHARE)


def communication_bounds(report):
    """What is told of workers saves no more than the exposed communication; the slow core is told by what it costs."""
    metrics, verdict = report["metrics"], report["verdict"] or {}
    exposed = metrics.get("torch.comm.communication_us", {}).get("value")
    collectives = metrics.get("step.class.collective_ms", {}).get("value")
    if number(exposed) and number(collectives) and above(exposed / 1e3, collectives * (1 + 1e-4)):
        yield "torch.comm.communication_us", (exposed / 1e3, collectives)
    for finding in report["findings"]:
        if finding["status"] == "open" and finding["id"] in ("TPR-RANK-001", "TPR-COMM-002") and number(exposed):
            if above(finding["saving"]["value"], exposed / 1e3):
                yield f"{finding['id']}.saving", (finding["saving"]["value"], exposed / 1e3)
            waits = metrics["step.collective_wait_ms"]["value"]
            if finding["id"] == "TPR-RANK-001" and above(finding["saving"]["value"], waits):
                yield f"{finding['id']}.saving", (finding["saving"]["value"], "waiting", waits)
    for finding in report["findings"]:
        if finding["id"] == "TPR-POD-001" and finding["status"] == "open":
            waits = [row["cells"]["step_ms"]["value"] - row["cells"]["own_ms"]["value"]
                     for table in blocks(report) if table["id"] == "distributed/cores" for row in table["rows"]]
            if above(finding["saving"]["value"], max(waits)):
                yield "TPR-POD-001.saving", (finding["saving"]["value"], max(waits))
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", []) if block["id"] == "summary/tiles"):
        waits = re.search(r"at most ([\d.,]+)\u202f(\S+) of it is waiting", " ".join(tile.get("notes", [])))
        if waits and above(float(waits[1].replace(",", "")) * {"ns": 1e-3, "µs": 1, "ms": 1e3, "s": 1e6}[waits[2]], tile["value"] * 1.006):
            yield tile["id"], (tile["notes"], tile["value"])
        if tile["id"] == "summary/tiles/communication" and tile.get("judge") == "good" and metrics["torch.comm.calls"]["value"] == 0:
            yield tile["id"], "praise for collectives that are not there"
    if verdict.get("finding") == "TPR-POD-001":
        shares = re.findall(r"[\d.]+\s%", f"{verdict['saw']} {verdict['consequence']}")
        if shares != [metrics["pod.straggler.cost_share"]["text"]] or "×" in verdict["consequence"]:
            yield "verdict", (verdict["saw"], verdict["consequence"], metrics["pod.straggler.cost_share"]["text"])


def tiles_of_classes(report, share, waits_alone):
    for section in report["sections"]:
        figure = section.get("key_figure", {}).get("value")
        if section["id"] == "input-pipeline" and number(figure) and not waits_alone and differ(figure, share.get("input_wait", 0)):
            yield "input-pipeline.key_figure", (figure, share.get("input_wait"))
    for table, row, _, cell in cells(report):
        if table["id"] == "performance/table" and row["id"].endswith("/input.wait_share") and not waits_alone and \
                number(cell["value"]) and differ(cell["value"], share.get("input_wait", 0)):
            yield row["id"], (cell["value"], share.get("input_wait"))
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", []) if block["id"] == "summary/tiles"):
        if not number(tile["value"]):
            continue
        if tile["label"] == "Waiting for input" and not waits_alone and differ(tile["value"], share.get("input_wait", 0)):
            yield tile["id"], (tile["value"], share.get("input_wait"))
        if tile["label"].startswith("Device work") and above(tile["value"], 1 - sum(share.get(name, 0) for name in WAITS)):
            yield tile["id"], (tile["value"], share)
        if tile["label"].startswith("Device busy") and "in trace" not in tile["label"]:
            yield tile["id"], "of what it is a share is not said"


# What answers one question stands in one section.
ONE_SECTION = [("distributed", "hosts", "devices"), ("memory", "memory-over-time", "live-buffers")]


def one_section(report):
    there = {section["id"] for section in report["sections"]}
    for names in ONE_SECTION:
        if len(there.intersection(names)) > 1:
            yield "sections", sorted(there.intersection(names))
    for section in blocks(report):
        titles = [part["title"] for part in section.get("blocks", []) if part["kind"] == "section" and part.get("title") and not part.get("about")]
        for title in {title for title in titles if titles.count(title) > 1}:
            yield f"{section['id']} (two parts)", title


def closed_together(report):
    """Checks that are not open for the same reason stand together, so that it is said once."""
    reasons = {finding["id"]: finding.get("title") for finding in report["findings"]}
    for fold in (block for block in blocks(report) if re.fullmatch(r"findings/(undecided|not-applicable)", block["id"])):
        told = [reasons.get(block["finding"]) for block in fold["blocks"]]
        apart = [reason for i, reason in enumerate(told) if reason in told[:i] and told[i - 1] != reason]
        if apart:
            yield fold["id"], apart[0]


def hosts_agree(report):
    """As many hosts are compared as the run has."""
    aside = next((section.get("aside") or "" for section in report["sections"] if section["id"] == "distributed"), "")
    compared = re.search(r"\bof (\d+) hosts", aside)
    if compared and int(compared[1]) != report["metrics"]["run.hosts"]["value"]:
        yield "distributed", (aside, report["metrics"]["run.hosts"]["value"])


def drawn_is_seen(report):
    """Waits for input that round to nothing are not drawn as high as a plot."""
    for chart in (block for block in blocks(report) if block["id"] == "input-pipeline/strip"):
        columns = [sum(values) for values in zip(*(series["values"] for series in chart["series"]))]
        if columns and max(columns) < 0.001:
            yield chart["id"], max(columns)


# Of these the more the better: their mark praises what is high.
MORE_IS_BETTER = re.compile(r"^summary/tiles/(work|busy|gpu|flops)$")


# Tables whose marks show what a finding is about.
STANDS_FOR = {
    "input-pipeline/stages": "TPR-INPUT-001", "distributed/levels": "TPR-POD-001", "distributed/cores": "TPR-POD-001", "hosts/table": "TPR-POD-001",
    "distributed/late": "TPR-RANK-001",
}
# Sections whose mark, in the navigation too, is that of a finding.
SECTIONS_OF = {"gpus": "TPR-GPU-001", "distributed": "TPR-POD-001"}


def marks_fit(report):
    """A mark stands beside the figure that it is of."""
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        word = (tile.get("notes") or [""])[0].split(" · ")[0]
        if MORE_IS_BETTER.match(tile["id"]) and (tile.get("judge"), word) in (("good", "low"), ("bad", "high"), ("warn", "high")):
            yield tile["id"], (tile["text"], tile["judge"], word)
        if tile["id"] == "summary/tiles/work" and tile.get("judge") == "good" and report["verdict"].get("finding") == "TPR-COPY-001":
            yield tile["id"], "praised beside a verdict on copies"
        after = (tile.get("notes") or [""])[0].partition(" · ")[2]
        if tile["id"] == "summary/tiles/work" and re.match(r"[A-Z][a-z]", after):
            yield tile["id"], ("the mark's word reads as that of", after)
    for table, row, column, cell in cells(report):
        if table["id"] in ("operations/tree", "operations/by-scope") and cell.get("judge") and number(cell["value"]):
            fits = {"undecided": above(cell["value"], 1.005), "good": 0.5 <= cell["value"] <= 1.005, "warn": 0.25 <= cell["value"] < 0.5, "bad": cell["value"] < 0.25}[cell["judge"]]
            others = [other["value"] for key, other in row["cells"].items() if key.endswith("_utilization_share") and other is not cell]
            nothing = cell["value"] == 0 and not any(map(number, others))
            if row["role"] == "total" or not fits or nothing:
                yield f"{row['id']}:{column['key']}", (cell["text"], cell["judge"])
    severities = {finding["id"]: finding.get("severity") for finding in report["findings"] if finding["status"] == "open"}
    for table, row, column, cell in cells(report):
        rule = STANDS_FOR.get(table["id"])
        if rule and cell.get("judge") in ("bad", "warn") and severities.get(rule) != {"bad": "High", "warn": "Medium"}[cell["judge"]]:
            yield f"{row['id']}:{column['key']}", (cell["judge"], rule, severities.get(rule, "not open"))
    for section in report["sections"]:
        rule = SECTIONS_OF.get(section["id"])
        if rule and section.get("judge") in ("bad", "warn") and severities.get(rule) != {"bad": "High", "warn": "Medium"}[section["judge"]]:
            yield section["id"], (section["judge"], rule, severities.get(rule, "not open"))


# What is said of a device as a whole: others say more exactly where the time goes, and come first where both are as bad.
GENERAL = ("TPR-FLOPS-001", "TPR-GPU-001", "TPR-TFPROF-005")
# They say more exactly what the time of another is, and come before it.
WITHIN = ("TPR-RANK-001", "TPR-LOAD-001")


def findings_in_order(report):
    """Findings stand by severity, then by what they save at most; the first screen shows those at the top."""
    opened = [finding for finding in report["findings"] if finding["status"] == "open"]
    for one, next_one in zip(opened, opened[1:]):
        severities = one["severity"], next_one["severity"]
        if severities == ("Medium", "High") or severities[0] == "Low" != severities[1]:
            yield next_one["id"], (severities, "after", one["id"])
        exact = next_one["id"] in GENERAL or one["id"] in WITHIN
        if severities[0] == severities[1] and not exact and above(next_one["saving"]["value"], one["saving"]["value"]):
            yield next_one["id"], (next_one["saving"]["value"], "after", one["id"], one["saving"]["value"])
    for block in blocks(report):
        shown = [part["finding"] for part in block.get("blocks", []) if part["kind"] == "finding"]
        if block["id"] == "summary/first" and shown != [finding["id"] for finding in opened if finding["severity"] != "Low"][:3]:
            yield block["id"], (shown, [finding["id"] for finding in opened])


def a_note_is_no_problem(report):
    """What says of itself that it is no problem stands last, as low; what does not, does not."""
    for finding in report["findings"]:
        said = re.search(r"not a second problem|costs a long run nothing", finding.get("matters", ""))
        if finding["status"] == "open" and (finding["severity"] == "Low") != bool(said):
            yield finding["id"], (finding["severity"], finding["matters"])


def figures_before_the_timeline(report):
    """Sections with figures, such as the whole run to which a verdict leads, stand before the timeline."""
    there = [section["id"] for section in report["sections"]]
    late = [name for name in ("whole-run", "tfprof", "graph") if name in there and "timeline" in there[:there.index(name)]]
    if late:
        yield "timeline", ("before", late)


def undecided_are_told(report):
    """Where checks could not be decided, the findings say how many, and do not say that nothing was found."""
    section = next((section for section in report["sections"] if section["id"] == "findings"), {"answer": ""})
    undecided = sum(finding["status"] == "undecided" for finding in report["findings"])
    told = re.search(r"(\d+) checks? (could not be decided|lacks? data)", section["answer"])
    if section["answer"] and (int(told[1]) if told else 0) != undecided or undecided and "nothing" in section["answer"]:
        yield "findings.answer", (section["answer"], undecided)


def tracks_have_names(report):
    """No two tracks of a timeline that lie beside each other have one name, but for those of two spans of one worker."""
    spans = any("span=2" in name for name in report["metrics"])
    for timeline in (block for block in blocks(report) if block.get("groups") and "marks" in block):
        for group in timeline["groups"]:
            names = [track["name"] for track in group["tracks"]]
            for name in {name for name in names if names.count(name) > 1 and not spans or name != name.strip()}:
                yield f"{timeline['id']}: {group['name']}", name
            counted = [counter["name"] for counter in group.get("counters", [])]
            for name in {name for name in counted if counted.count(name) > 1}:
                yield f"{timeline['id']}: {group['name']}, counters", name


def nothing_larger_hidden(report):
    """The first screen names the finding that saves most, or says where it is."""
    shown = {block["finding"] if isinstance(block.get("finding"), str) else block["id"].split("/")[-1]
             for block in blocks(report) if block["id"].startswith("summary/TPR-")}
    savings = {finding["id"]: saved_ms(finding) for finding in report["findings"]
               if finding["status"] == "open" and number(saved_ms(finding)) and "part of" not in finding["saving_note"]}
    if not shown or not savings:
        return
    most = max(savings, key=savings.get)
    told = next((text for where, text in sentences(report) if where.startswith("summary/larger")), "")
    if most not in shown and above(savings[most], max([savings.get(name, 0) for name in shown])) and not told:
        yield most, (savings[most], sorted(shown))


def one_length(report):
    """A step is as long on the timeline as in its table, or the timeline says by whose clock it is not."""
    by_id = {block["id"]: block for block in blocks(report) if block["kind"] == "table"}
    if "timeline/longest" not in by_id or "steps/each" not in by_id:
        return
    took = {row["cells"]["step"]["value"]: row["cells"]["time_ms"]["value"] for row in by_id["steps/each"]["rows"]}
    titles = {column["key"]: column["title"] for column in by_id["timeline/longest"]["columns"]}
    told = " ".join(str(section.get("so_what")) for section in report["sections"] if section["id"] == "timeline")
    for row in by_id["timeline/longest"]["rows"]:
        if row["cells"]["name"]["value"].endswith("by the host’s clock") and "By the host’s clock, as drawn here" not in told:
            yield row["id"], told
        for key in ("first_ms", "second_ms") if row["cells"]["name"]["value"] == "Step" else ():
            measured = took.get(titles[key].removeprefix("Step "))
            if number(measured) and abs(measured - row["cells"][key]["value"]) > 0.002 * measured:
                yield f"{row['id']}:{key}", (row["cells"][key]["value"], measured)


def one_colour(report):
    """A class of time of the bar has one colour in all charts that name it."""
    looks = {series["label"]: (series["hue"], series.get("tint", 0)) for chart in blocks(report)
             if chart["id"] == "summary/step/classes" for series in chart["series"]}
    for chart in blocks(report):
        for series in chart.get("series", []):
            look = (series["hue"], series.get("tint", 0))
            if look != looks.get(series["label"], look):
                yield chart["id"], (series["label"], look, looks[series["label"]])


def copies_of_cores(report):
    """What cores copy in a step is, as a mean, what the bar calls copies."""
    cores = [table["rows"] for table in blocks(report) if table["id"] == "distributed/cores"]
    copied = [series["values"][0] for chart in blocks(report) if chart["id"] == "summary/step/classes"
              for series in chart["series"] if series["key"] == "copy"]
    told = [row["cells"]["copy_ms"]["value"] for rows in cores for row in rows if "copy_ms" in row["cells"]]
    if copied and told and report["metrics"]["run.step_source"]["value"] != "none" and \
            "core" in cores[0][0]["cells"] and abs(sum(told) / len(told) - copied[0]) > 1e-6 * copied[0] + 1e-9:
        yield "copies", (sum(told) / len(told), copied[0])


def operations_add_up(report):
    """What operations take in the steps that are drawn, and the time without one, is what the steps take."""
    for table in blocks(report):
        rows = table["rows"] if table["kind"] == "table" and table["id"] == "timeline/longest" else []
        for key in ("first_ms", "second_ms", "difference_ms") if rows else ():
            values = [row["cells"][key]["value"] for row in rows]
            if all(map(number, values)) and abs(sum(values[:-1]) - values[-1]) > 1e-6 * max(map(abs, values)) + 1e-3:
                yield f"{rows[-1]['id']}:{key}", values


LAWS = {
    "a note is no problem": a_note_is_no_problem,
    "operations add up": operations_add_up,
    "one judge": one_judge,
    "one colour": one_colour,
    "copies of cores": copies_of_cores,
    "a promise has a bound": promises_have_bounds,
    "one number": one_number,
    "one section": one_section,
    "one reason": closed_together,
    "one count of hosts": hosts_agree,
    "what is drawn is seen": drawn_is_seen,
    "a mark is of what it stands beside": marks_fit,
    "findings stand in order": findings_in_order,
    "undecided checks are told": undecided_are_told,
    "figures stand before the timeline": figures_before_the_timeline,
    "tracks have names": tracks_have_names,
    "nothing larger is hidden": nothing_larger_hidden,
    "a step has one length": one_length,
}
