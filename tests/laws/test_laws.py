"""Laws that every report keeps, whatever its input: shares lie in [0, 1], parts sum, what is missing has a reason, no sentence
stands around a missing figure, and `get`, JSON and page say the same.

The samples are the examples, tests/truth/own and, where TPREPORT_TEST_DATA is set, every profile there: of those one in
ONE_IN of at most LARGEST bytes, or all with TPREPORT_ALL=1. Names of samples on the command line choose those alone."""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import page_figures
import pages
from sampled import ALL, sampled, small
from told import with_texts

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = os.environ.get("TPREPORT_TEST_DATA")
ONE_IN, LARGEST = 12, 400_000

# Folders of answers, not of profiles.
NO_SAMPLES = re.compile(r"/(truth[^/]*|licenses|tpu_compat)(/|$)|/synth/[^/]+/xprof(/|$)|\.md$")

# Breaches that are none, or are about to be mended: law, what (and where), why.
ALLOWED = [
    ("share in [0, 1]", r"^memory\.peak_share", "a plan may need more memory than the device has"),
    ("not negative", r":distance$", "instructions before one are told from those after it by the sign"),
    ("no text around a hole", r"^summary/counts ", "the sign of what is not applicable, before its count"),
    ("no text around a hole", r"^performance/how/text ", "says how a missing figure is shown"),
    ("no text around a hole", r"^whole-run/not-finite .*nan or inf", "says at how many points a scalar is no number"),
]


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def above(a, b):
    """Whether a > b by more than rounding; what is missing is above nothing."""
    return number(a) and number(b) and a > b + 1e-6 * max(abs(a), abs(b)) + 1e-9


def differ(a, b):
    return above(a, b) or above(b, a)


def blocks(node):
    for child in node.get("sections", []) + node.get("blocks", []):
        yield child
        yield from blocks(child)


def cells(report):
    """(table, row, column, cell) of every table."""
    for table in blocks(report):
        if table["kind"] == "table":
            for row in table["rows"]:
                for column in table["columns"]:
                    yield table, row, column, row["cells"][column["key"]]


def scoped(report):
    """{scope: {id without scope: value}}; scope "" is all together."""
    scopes = {}
    for name, metric in report["metrics"].items():
        base, _, scope = name.partition("@")
        scopes.setdefault(scope, {})[base] = metric["value"]
    return scopes


# Each law yields (what, found) for every breach.

def finite(report):
    for name, metric in report["metrics"].items():
        if number(metric["value"]) and not math.isfinite(metric["value"]):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        if number(cell["value"]) and not math.isfinite(cell["value"]):
            yield f"{row['id']}:{column['key']}", cell["value"]


def share_in_range(report):
    estimate = re.compile(r"\best\.|estimate", re.I)
    for name, metric in report["metrics"].items():
        marked = estimate.search(metric["label"] + metric.get("how", "") + metric.get("coverage", "") + metric["text"])
        if metric.get("unit") == "share" and not marked and (above(metric["value"], 1) or above(0, metric["value"])):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        marked = estimate.search(column["title"] + cell["text"])
        if column["unit"] == "share" and not marked and (
                above(cell["value"], 1) or above(0, cell["value"])):
            yield f"{row['id']}:{column['key']}", cell["value"]


def chart_share_in_range(report):
    for chart in blocks(report):
        for series in chart.get("series", []) if chart.get("unit") == "share" else []:
            for value in series.get("values", []):
                if above(value, 1) or above(0, value):
                    yield f"{chart['id']}:{series['key']}", value


CAN_BE_NEGATIVE = re.compile(r"clock|more|growth|gap|late|diff|freed|change|skew|delta|offset|accuracy|slope|scalar|value|hparam")


def not_negative(report):
    for name, metric in report["metrics"].items():
        if above(0, metric["value"]) and not CAN_BE_NEGATIVE.search(name):
            yield name, metric["value"]
    for table, row, column, cell in cells(report):
        unit = column["unit"]
        if unit and above(0, cell["value"]) and not CAN_BE_NEGATIVE.search(f"{table['id']} {column['key']}"):
            yield f"{row['id']}:{column['key']}", cell["value"]


def in_order(report):
    """min ≤ p50 ≤ p95 ≤ max and min ≤ mean ≤ max of whatever has them."""
    pairs = [("min", "p50"), ("p50", "p95"), ("p95", "max"), ("min", "mean"), ("mean", "max"), ("min", "max"), ("min", "avg"),
             ("avg", "max")]

    def check(named, where):
        for name, value in named.items():
            for low, high in pairs:
                other = re.sub(f"(?<![a-z0-9]){low}(?![a-z0-9])", high, name, count=1)
                if above(value, named.get(other)):
                    yield f"{where}{name} <= {other}", (value, named[other])

    for scope, named in scoped(report).items():
        yield from check(named, f"@{scope} " if scope else "")
    for table in blocks(report):
        for row in table["rows"] if table["kind"] == "table" else []:
            yield from check({key: cell["value"] for key, cell in row["cells"].items()}, f"{row['id']}:")


def parts_sum(report):
    roles = "kernel memcpy memset communication runtime dataloader cpu_exec other".split()
    for scope, m in scoped(report).items():
        sums = [
            ("step.time.mean_ms", [v for k, v in m.items() if re.fullmatch(r"step\.class\.\w+_ms", k)]),
            ("torch.step.mean_us", [m.get(f"torch.step.{role}_us") for role in roles]),
            ("torch.step.mean_us", [m.get(f"torch.comm.{part}_us") for part in
                                    "computation overlap communication other".split()]),
        ]
        for whole, parts in sums:
            known = [part for part in parts if number(part)]
            if known and number(m.get(whole)) and abs(sum(known) - m[whole]) > 1e-4 * m[whole] + 1e-6:
                yield f"{whole}@{scope}", (sum(known), m[whole])
        if number(m.get("device.busy_share")) and number(m.get("device.idle_share")):
            if differ(m["device.busy_share"] + m["device.idle_share"], 1):
                yield f"device.busy_share@{scope}", (m["device.busy_share"], m["device.idle_share"])


# (a, b): a never exceeds b.
NOT_ABOVE = [
    ("device.busy_ps", "device.total_ps"),
    ("torch.memory.peak_bytes", "torch.memory.peak_reserved_bytes"),
    ("torch.memory.peak_bytes", "torch.memory.capacity_bytes"),
    ("memory.peak_unpadded_bytes", "memory.peak_bytes"),
    ("flops.utilization_share", "flops.busy_utilization_share"),
]


def part_within_whole(report):
    for scope, m in scoped(report).items():
        for a, b in NOT_ABOVE:
            if above(m.get(a), m.get(b)):
                yield f"{a} <= {b}@{scope}", (m[a], m[b])
    for table, row, column, cell in cells(report):
        total = row["cells"].get(column["key"].replace("self", "total"), cell)
        # What is a share of self time may be a smaller share of total time.
        if column["unit"] != "share" and above(cell["value"], total["value"]):
            yield f"{row['id']}:{column['key']}", (cell["value"], total["value"])


def saving_within_step(report):
    """What a finding saves of a step is less than the step, and no more than what it says to take of it."""
    step_ms = report["metrics"].get("step.time.mean_ms", {}).get("value")
    for finding in report["findings"]:
        saving = finding.get("saving", {})
        if saving.get("unit") != "ms" or not number(saving["value"]) or not finding["saving_note"].startswith("per step"):
            continue
        if above(saving["value"], 0.99 * step_ms):
            yield finding["id"], (saving["value"], step_ms)
        if "of step time (" in finding["saw"] and above(saving["value"], finding["measured"]["value"] * step_ms):
            yield finding["id"], (saving["value"], finding["measured"]["value"], step_ms)


def missing_has_reason(report):
    for name, metric in report["metrics"].items():
        if metric["value"] is None and not metric.get("missing"):
            yield name, metric["text"]
    for table, row, column, cell in cells(report):
        if cell["value"] is None and cell["text"] == "–" and not cell.get("missing"):
            yield f"{row['id']}:{column['key']}", cell
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        if tile["value"] is None and any(re.match(r"\d", note) for note in tile.get("notes", [])[:1]):
            yield tile["id"], tile["notes"]


def sentences(report):
    """(where, text) of what a reader is told in words."""
    for name, text in (report["verdict"] or {}).items():
        if isinstance(text, str):
            yield f"verdict.{name}", text
    for finding in report["findings"]:
        for key in ("title", "brief", "saw", "matters", "check", "reason"):
            yield f"{finding['id']}.{key}", finding.get(key) or ""
        for action in finding.get("actions", []):
            yield f"{finding['id']}.actions", action
    for block in blocks(report):
        if block["kind"] == "paragraph":
            yield from ((block["id"], item) for item in block["items"])
        for key in ("text", "answer", "so_what", "caption", "aside", "note", "alt"):
            if isinstance(block.get(key), str):
                yield f"{block['id']}.{key}", block[key]
        for tile in block.get("tiles", []):
            yield from ((tile["id"], text) for text in [tile["label"], tile.get("qualifier", ""), *tile.get("notes", [])])
    for name, metric in report["metrics"].items():
        for key in ("missing", "how", "coverage"):
            yield f"{name}.{key}", metric.get(key) or ""


HOLES = [
    ("no figure", re.compile(r"(?<!\S)[–-](?=[\s.,;:)])(?!,)|(?<=\()–(?=\))")),
    ("nan or inf", re.compile(r"(?<![\w./:-])[-+]?(nan|inf|infinity)(?![\w./:-])", re.I)),
    ("two blanks", re.compile(r"[ \u202f\u00a0]{2}")),
    ("a mark after a blank", re.compile(r"\s[,;.](?=\s|$)")),
    ("two marks", re.compile(r"[;,]\s*([;,]|\.(?=\s|$))")),
    ("(null)", re.compile(r"\(null\)")),
    ("brackets around nothing", re.compile(r"\s\(\s*\)")),
    ("0 of 0", re.compile(r"(?<![\d.,])0 of 0(?![\d.,])")),
]


def no_hole(report):
    for where, text in sentences(report):
        for name, hole in HOLES:
            found = hole.search(text)
            if found:
                yield f"{where} ({name})", text[max(0, found.start() - 70):found.end() + 40]


# What sounds translated, and what engineers say instead.
STILTED = [
    ("next to last, second-to-last", re.compile(r"last but one")),
    ("on average", re.compile(r"\bin the mean\b")),
    ("computed", re.compile(r"worked out|works out")),
    ("separate", re.compile(r"\b(told|tell|tells) (them |these )?apart\b")),
    ("shows, gives, says", re.compile(r"(is|are) told|told about|does not tell|nothing tells|the traces? tells?\b")),
    ("unknown", re.compile(r"cannot be (said|told|seen)|(is|are) not known")),
    ("requested, allocated", re.compile(r"asked for(?! it)|given (back|out)")),
    ("straggler, last to enter", re.compile(r"comes? last|held up by a worker|makes the others wait")),
    ("with queued work", re.compile(r"stands? still")),
    ("host, device, profile as an adjective", re.compile(r"\b(work|operations?|events?) of (a|the) (device|host|framework|GPU)\b")),
    ("matmul, memset", re.compile(r"products? (and|or|without) |copies and fills")),
    ("per", re.compile(r"\d\S* a (step|core|chip|host|second|call)\b")),
    ("overlap", re.compile(r"\bruns? beside\b|hides of|computation hides")),
    ("start", re.compile(r"\b[Bb]egin with\b|\bbegun anew\b|\banew\b")),
    ("first one before", re.compile(r"of which|in which it takes part")),
]


def field_terms(report):
    """Sentences use the terms of the field."""
    for where, text in sentences(report):
        for better, stilted in STILTED:
            found = stilted.search(text)
            if found:
                yield f"{where} (say: {better})", text[max(0, found.start() - 70):found.end() + 40]


def one_judge(report):
    """The verdict, the tiles and the findings come from the same checks: none praises what another finds fault with."""
    checks = {finding["id"]: finding for finding in report["findings"]}
    opened = [finding for finding in report["findings"] if finding["status"] == "open"]
    severe = [finding["id"] for finding in opened if finding["severity"] == "High"]
    verdict = report["verdict"] or {}
    if verdict.get("judge") == "good" and severe:
        yield "verdict", ("good", severe)
    silent = [finding["id"] for finding in report["findings"] if finding["status"] in ("undecided", "not_applicable")]
    passed = [finding["id"] for finding in report["findings"] if finding["status"] == "passed"]
    if verdict.get("judge") == "good" and len(silent) > len(passed):
        yield "verdict", ("good", "passed", len(passed), "silent", len(silent))
    told = checks.get(verdict.get("finding"))
    if told is not None and (told["status"] != "open" or
                             verdict["judge"] not in ("undecided", {"High": "bad", "Medium": "warn"}[told["severity"]])):
        yield "verdict", (verdict["judge"], told["id"], told["status"], told.get("severity"))
    if verdict.get("judge") == "bad" and told is None:
        yield "verdict", ("bad", "no finding", verdict["name"])
    # A view's tiles are judged by the view's own checks, which the list is not of.
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", []) if not tile["id"].startswith("views/")):
        check = checks.get(tile.get("finding"))
        if check is None and (tile.get("judge") == "bad" or "finding" in tile):
            yield tile["id"], (tile.get("judge"), tile.get("finding"))
        if check is None:
            continue
        judge = {"open": {"High": "bad", "Medium": "warn"}.get(check.get("severity")), "passed": "good"}.get(check["status"])
        if tile.get("judge") != judge:
            yield tile["id"], (tile.get("judge"), check["id"], judge)


# The class of time in the bar of the first screen that a finding is of.
CLASS_OF = {"TPR-INPUT-001": "input_wait", "TPR-LOAD-001": "input_wait", "TPR-OUTPUT-001": "output", "TPR-COMM-001": "collective",
            "TPR-IDLE-001": "idle", "TPR-LAUNCH-001": "launch", "TPR-COMPILE-001": "compile", "TPR-STEP-001": "other"}
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
    yield from waiting_of_cores(report)
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
    lead = verdict.get("name", "").lower()
    if "input-bound" in lead and "possibly" not in lead and not above(share.get("input_wait", 0), INPUT_BOUND_SHARE - 1e-6):
        yield "verdict.name", (verdict["name"], share.get("input_wait"))
    if verdict.get("finding") == "TPR-STEP-001" and above(GAP_LEADS_SHARE, share["other"]):
        yield "verdict.name", (verdict["name"], share["other"])
    yield from tiles_of_classes(report, share, waits_alone)


def waiting_of_cores(report):
    """Waiting in collectives is the mean of what the table of cores has; in a report on one worker nothing is known of it."""
    known = report["metrics"]["step.collective_wait_ms"]["value"]
    waits = [row["cells"]["collective_sync_ms"]["value"] for table in blocks(report) if table["id"] == "distributed/cores"
             for row in table["rows"] if "collective_sync_ms" in row["cells"] and row["role"] == "normal"]
    if number(known) and waits and all(map(number, waits)) and abs(sum(waits) / len(waits) - known) > 1e-6 * known + 1e-9:
        yield "waiting in collectives", (known, sum(waits) / len(waits))
    workers = [row for table in blocks(report) if table["id"] == "distributed/workers" for row in table["rows"]]
    if number(known) and len(workers) == 1:
        yield "waiting in collectives, of one worker", known


def input_waits_alone(report, share):
    """Cores differ in their wait for input: then that of the worst is told, said to be its, with the mean beside it."""
    worst, mean = report["metrics"].get("input.wait_share", {}).get("value"), share.get("input_wait", 0)
    return number(worst) and worst >= INPUT_BOUND_SHARE and (mean < INPUT_BOUND_SHARE or worst - mean >= INPUT_BOUND_SHARE)


def communication_bounds(report):
    """What is told of workers saves no more than the exposed communication; the slow core is told by what it costs."""
    metrics, verdict = report["metrics"], report["verdict"] or {}
    exposed = metrics.get("torch.comm.communication_us", {}).get("value")
    for finding in report["findings"]:
        if finding["status"] == "open" and finding["id"] in ("TPR-RANK-001", "TPR-COMM-002") and number(exposed):
            if above(finding["saving"]["value"], exposed / 1e3):
                yield f"{finding['id']}.saving", (finding["saving"]["value"], exposed / 1e3)
    for finding in report["findings"]:
        if finding["id"] == "TPR-POD-001" and finding["status"] == "open":
            waits = [row["cells"]["step_ms"]["value"] - row["cells"]["own_ms"]["value"]
                     for table in blocks(report) if table["id"] == "distributed/cores" for row in table["rows"]]
            if above(finding["saving"]["value"], max(waits)):
                yield "TPR-POD-001.saving", (finding["saving"]["value"], max(waits))
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


# Of these the more the better: their mark praises what is high.
MORE_IS_BETTER = re.compile(r"^summary/tiles/(work|busy|gpu|flops)$")


def marks_fit(report):
    """A mark stands beside the figure that it is of."""
    for tile in (tile for block in blocks(report) for tile in block.get("tiles", [])):
        word = (tile.get("notes") or [""])[0].split(" · ")[0]
        if MORE_IS_BETTER.match(tile["id"]) and (tile.get("judge"), word) in (("good", "low"), ("bad", "high"), ("warn", "high")):
            yield tile["id"], (tile["text"], tile["judge"], word)
        if tile["id"] == "summary/tiles/work" and tile.get("judge") == "good" and report["verdict"].get("finding") == "TPR-COPY-001":
            yield tile["id"], "praised beside a verdict on copies"
    for table, row, column, cell in cells(report):
        if table["id"] in ("operations/tree", "operations/by-scope") and cell.get("judge") and number(cell["value"]):
            fits = {"good": cell["value"] >= 0.5, "warn": 0.25 <= cell["value"] < 0.5, "bad": cell["value"] < 0.25}[cell["judge"]]
            if row["role"] == "total" or not fits:
                yield f"{row['id']}:{column['key']}", (cell["text"], cell["judge"])


PARTS_AND_WHOLE = re.compile(r"Step \S+ took .*?, (\S+)\s(\S+) more than the median.*(?:All|Most) of that is in [^:]+: (\S+)\s(\S+) more")


def words_fit(report):
    """What is said fits what is there: a part is no more than its whole, a head is of one column, one worker has no others."""
    for where, text in sentences(report):
        found = PARTS_AND_WHOLE.search(text)
        if found and found[2] == found[4] and float(found[3].replace(",", "")) > 1.01 * float(found[1].replace(",", "")):
            yield where, text
        if re.search(r"\bBecause [^.]*: [A-Z][^.]*\.\s", text):
            yield f"{where} (no main clause)", text
    workers = report["metrics"].get("torch.comm.straggler.name", {}).get("value") and \
        [row for table in blocks(report) if table["id"] == "distributed/workers" for row in table["rows"]]
    if workers and len(workers) == 2 and "the others" in report["verdict"].get("saw", "") + str(report["verdict"].get("because", "")):
        yield "verdict", "the others, of two workers"
    on_cpu = re.search(r"\bCPU\b|no TPU or GPU", str(next((s.get("answer") for s in report["sections"] if s["id"] == "environment"), "")))
    for where, text in sentences(report) if on_cpu else []:
        if re.search(r"^TPR-LOAD.*\.actions", where) and "GPU" in text:
            yield f"{where} (there is none)", text
    first = next((section.get("answer", "") for section in report["sections"] if section["id"] == "operations"), "")
    longest = [row["cells"]["self_ms"]["value"] for table in blocks(report) if table["id"] == "operations/top"
               for row in table["rows"] if "self_ms" in row["cells"]]
    if "more than any other operation" in first and len(longest) > 1 and number(longest[0]) and longest[0] == longest[1]:
        yield "operations.answer", (first, longest[:2])
    for table in (block for block in blocks(report) if block["kind"] == "table"):
        heads = [(column["title"], column["unit"]) for column in table["columns"]]
        for head in {head for head in heads if heads.count(head) > 1}:
            yield f"{table['id']} (two columns)", head
        for column in table["columns"] if len(table["rows"]) > 1 else []:
            if {row["cells"][column["key"]]["text"] for row in table["rows"]} == {"Unknown"}:
                yield f"{table['id']}:{column['key']}", "Unknown in every row"


def nothing_larger_hidden(report):
    """The first screen names the finding that saves most, or says where it is."""
    shown = {block["finding"] if isinstance(block.get("finding"), str) else block["id"].split("/")[-1]
             for block in blocks(report) if block["id"].startswith("summary/TPR-")}
    savings = {finding["id"]: finding["saving"]["value"] for finding in report["findings"]
               if finding["status"] == "open" and number(finding.get("saving", {}).get("value")) and "part of" not in finding["saving_note"]}
    if not shown or not savings:
        return
    most = max(savings, key=savings.get)
    told = next((text for where, text in sentences(report) if where.startswith("summary/larger")), "")
    if most not in shown and above(savings[most], max([savings.get(name, 0) for name in shown])) and not told:
        yield most, (savings[most], sorted(shown))


LAWS = {
    "finite": finite,
    "share in [0, 1]": share_in_range,
    "drawn share in [0, 1]": chart_share_in_range,
    "not negative": not_negative,
    "min ≤ p50 ≤ p95 ≤ max": in_order,
    "parts sum": parts_sum,
    "part ≤ whole": part_within_whole,
    "saving ≤ step": saving_within_step,
    "what is missing has a reason": missing_has_reason,
    "no text around a hole": no_hole,
    "terms of the field": field_terms,
    "one judge": one_judge,
    "one number": one_number,
    "one section": one_section,
    "a mark is of what it stands beside": marks_fit,
    "words fit": words_fit,
    "nothing larger is hidden": nothing_larger_hidden,
}


def same_as_get(report, path):
    """`get` prints the number that JSON holds, and the reason where there is none."""
    ids = list(report["metrics"])
    done = subprocess.run([TPREPORT, "get", "-q", path, *ids], capture_output=True, check=False)
    lines = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    if done.returncode != 0 or len(lines) != len(ids):
        yield "get", (done.returncode, len(lines), len(ids), done.stderr[:200])
        return
    for name, line in zip(ids, lines):
        metric, fields = report["metrics"][name], line.split("\t")
        value = metric["value"]
        if fields[0] != name or value is None and fields[1:] != ["-", plain_field(metric["missing"])] or \
                number(value) and (float(fields[1]) != value or fields[2] != metric["unit"]):
            yield name, (line, value)


def plain_field(text):
    return re.sub(r"[\x00-\x1f\x7f]", " ", text)


def breaches(path):
    """(law, what, found) of one sample; None where there is no profile to report."""
    with tempfile.TemporaryDirectory() as folder:
        made, page = Path(folder, "r.json"), Path(folder, "r.html")
        done = subprocess.run([TPREPORT, "-q", path, "-o", made, "-o", page], capture_output=True, check=False)
        if done.returncode in (3, 4):
            return None
        if done.returncode != 0:
            return [("a report is made", "exit status", (done.returncode, done.stderr[-300:]))]
        report = with_texts(json.loads(made.read_text(encoding="utf-8")))
        tree = pages.read_html(page.read_text(encoding="utf-8"))
    found = [(law, what, value) for law, check in LAWS.items() for what, value in check(report)]
    found += [("JSON = page", "", text) for text in page_figures.html_metrics(report, tree)]
    found += [("JSON = get", what, value) for what, value in same_as_get(report, path)]
    return found


def tried(path):
    try:
        return breaches(path)
    except (ValueError, KeyError, OSError, subprocess.SubprocessError) as error:
        return [("a report can be read", type(error).__name__, error)]


def samples_in(root):
    """Files, and folders that are log directories: of several files, or named so."""
    for folder, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(f for f in folders if not NO_SAMPLES.search(f"{folder}/{f}"))
        files = sorted(f for f in files if not NO_SAMPLES.search(f"{folder}/{f}"))
        yield from (os.path.join(folder, file) for file in files)
        if len(files) > 1 or os.path.basename(folder) in ("logdir", "input", "plugins"):
            yield folder


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, f)) for folder, _, files in os.walk(path, followlinks=True) for f in files)


def samples():
    own = [p for root in ("examples", "tests/truth/own") for p in samples_in(SOURCE / root)
           if not re.search(r"/expected|\.(py|sh|md)$|/examples/[^/]+$", p)]
    data = list(samples_in(DATA)) if DATA else []
    data = sampled("profiles that are not large", small("profiles", data, lambda p: size_of(p) > LARGEST), ONE_IN)
    return own + data


def allowed(law, what, used):
    entries = [entry for entry in ALLOWED if law == entry[0] and re.search(entry[1], what)]
    used.update(entries)
    return bool(entries)


def doctored(report):
    """Law, and what of a report of TPUs breaks it."""
    metrics = {name: metric for name, metric in report["metrics"].items() if metric["value"] is not None}
    row = next(row for _, row, _, _ in cells(report) if {"self_ms", "total_ms"} <= set(row["cells"]))
    yield "finite", metrics["step.time.p50_ms"], "value", math.inf
    yield "share in [0, 1]", metrics["device.busy_share"], "value", 1.01
    chart = next(block for block in blocks(report) if block["kind"] == "chart")
    yield "drawn share in [0, 1]", chart, None, {"unit": "share", "series": [{"key": "k", "values": [1.01]}]}
    yield "not negative", metrics["step.time.sd_ms"], "value", -1
    yield "min ≤ p50 ≤ p95 ≤ max", metrics["step.time.p95_ms"], "value", metrics["step.time.max_ms"]["value"] + 1
    yield "parts sum", metrics["step.class.compute_ms"], "value", metrics["step.class.compute_ms"]["value"] + 1
    yield "part ≤ whole", row["cells"]["self_ms"], "value", 1e15
    yield "saving ≤ step", report["findings"][0], None, {"saving": {"unit": "ms", "value": 1e9}, "saving_note": "per step", "saw": ""}
    yield "saving ≤ step", report["findings"][0], None, {
        "saving": {"unit": "ms", "value": 0.1 * metrics["step.time.mean_ms"]["value"]}, "saving_note": "per step, may overlap 1’s",
        "saw": "Idle: 5 % of step time (high from 1 %).", "measured": {"unit": "share", "value": 0.05}}
    yield "what is missing has a reason", metrics["step.count"], "value", None
    tile = next(tile for block in blocks(report) for tile in block.get("tiles", []))
    yield "what is missing has a reason", tile, None, {"value": None, "notes": ["0.0 % of a step"]}
    judged = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile.get("finding"))
    yield "terms of the field", report["verdict"], "saw", "rank1 comes later than the last but one"
    yield "one judge", judged, "judge", "warn" if judged["judge"] != "warn" else "good"
    yield "one judge", report["verdict"], None, {"judge": "bad", "finding": ""}
    silent = [finding | {"status": "undecided"} if finding["status"] == "passed" else finding for finding in report["findings"]]
    yield "one judge", report, "findings", silent
    work = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile["label"].startswith("Device work"))
    yield "one number", work, "value", 1
    yield "one number", work, "label", "Device busy"
    bar = next(block for block in blocks(report) if block["id"] == "summary/step/classes")
    yield "one number", next(series for series in bar["series"] if series["key"] == "collective"), "unused", 0.001
    yield "one number", report["metrics"]["step.collective_wait_ms"], "value", 0.001
    slow = next(finding for finding in report["findings"] if finding["id"] == "TPR-POD-001")
    yield "one number", slow, None, {"status": "open", "saving": {"unit": "ms", "value": 1}, "saving_note": "per step"}
    yield "one section", report, "sections", [*report["sections"], {"id": "hosts", "blocks": []}]
    yield "a mark is of what it stands beside", work, "notes", ["low · Collectives 1.1\u202f%"]
    for said in ("Step 3 took 9.00 ms, 1.00 ms more than the median of 8.00 ms. All of that is in Idle: 2.00 ms more.",
                 "Because its marks do not break steps down: Whole run. Capture a profile."):
        yield "words fit", report["verdict"], "saw", said
    table = next(block for block in blocks(report) if block["kind"] == "table" and len(block["columns"]) > 1)
    yield "words fit", table["columns"][1], None, dict(table["columns"][0])
    brief = next(block for block in blocks(report) if block["id"].startswith("summary/"))
    brief_finding = next(finding for finding in report["findings"] if finding["id"] == "TPR-IDLE-001")
    yield "nothing larger is hidden", report, None, {
        "findings": [*report["findings"], brief_finding | {"id": "TPR-X", "status": "open", "saving": {"unit": "ms", "value": 9},
                                                           "saving_note": "per step"}],
        "sections": [{"id": "summary", "kind": "section", "blocks": [brief | {"id": "summary/TPR-IDLE-001"}]}]}
    for hole in ("idle for – of it", "takes nan ms", "is of  10", "10 ms , of", "for (null): 1", "all ( )", "0 of 0 steps"):
        yield "no text around a hole", report["verdict"], "saw", hole


def doctored_waits(report):
    """The same of a report of steps that wait for input."""
    finding = next(finding for finding in report["findings"] if finding["id"] == "TPR-INPUT-001")
    waits = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile["label"] == "Waiting for input")
    yield "one number", report["verdict"], "saw", "63.0 % of each step waits for input;"
    yield "one number", finding, "title", "Each step spends 63.0 % of its time waiting for input"
    yield "one number", finding["saving"], "value", finding["saving"]["value"] + 1
    yield "one number", waits, "value", waits["value"] + 0.01
    section = next(section for section in report["sections"] if section["id"] == "input-pipeline")
    yield "one number", section["key_figure"], "value", section["key_figure"]["value"] + 0.01
    yield "one number", report["metrics"]["step.class.idle_ms"], "value", 1


def doctored_workers(report):
    """The same of a report of workers that wait for each other."""
    late = next(finding for finding in report["findings"] if finding["id"] == "TPR-RANK-001")
    yield "one number", late["saving"], "value", report["metrics"]["torch.comm.communication_us"]["value"] / 1e3 + 1
    yield "one number", report["verdict"], "name", "Input-bound (high):"
    yield "one number", report["verdict"], "finding", "TPR-STEP-001"


def self_check():
    """Each law notices a report that breaks it."""
    unbroken = set(LAWS)
    for sample, break_it in (("tpu_two_hosts", doctored), ("estimator_job", doctored_waits), ("torch_ddp", doctored_workers)):
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "r.json")
            subprocess.run([TPREPORT, "-q", SOURCE / f"examples/{sample}/input", "-o", made], check=True)
            text = made.read_text(encoding="utf-8")
        for number, (law, *_) in enumerate(break_it(with_texts(json.loads(text)))):
            report = with_texts(json.loads(text))
            _, node, key, value = list(break_it(report))[number]
            before = len(list(LAWS[law](report)))
            node.update(value if key is None else {key: value})
            unbroken.discard(law)
            if len(list(LAWS[law](report))) <= before:
                yield f"self-check: nobody notices what breaks the law {law!r} in {sample}: {value}"
    yield from (f"self-check: nothing breaks the law {law!r}" for law in unbroken)


def main():
    faults = list(self_check())
    used = set()
    paths = sys.argv[1:] or samples()
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(zip(paths, pool.map(tried, paths)))
    by_law = {}
    for path, found in results:
        for law, what, value in found or []:
            if not allowed(law, what, used):
                by_law.setdefault(law, []).append((path, what, value))
    for law, found in by_law.items():
        print(f"{law}: {len(found)} in {len({path for path, _, _ in found})} samples")
        for path, what, value in found[:None if ALL else 10]:
            print(f"    {path}: {what}: {str(value)[:300]}")
    if ALL and DATA and not sys.argv[1:]:
        faults += [f"allowed, but no sample has it: {entry}" for entry in ALLOWED if entry not in used]
    print("".join(f"{fault}\n" for fault in faults), end="")
    reported = sum(found is not None for _, found in results)
    print(f"{len(paths)} samples, {reported} reports, {sum(map(len, by_law.values()))} breaches")
    sys.exit(bool(by_law or faults) or reported == 0)


if __name__ == "__main__":
    main()
