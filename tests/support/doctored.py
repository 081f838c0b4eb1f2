"""Reports broken on purpose, one law at a time: (law, node, key or None, value) for each."""

import math

from report_tree import blocks, cells


def doctored(report):
    """Law, and what of a report of TPUs breaks it."""
    metrics = {name: metric for name, metric in report["metrics"].items() if metric["value"] is not None}
    tracks = next(block for block in blocks(report) if block.get("chart") == "timeline")
    yield "bandwidth can be", tracks, "groups", [{"counters": [{"name": "Memory bandwidth", "top": 3.16e12}]}]
    given = {"id": "operations/given", "kind": "table", "columns": [{"key": "all_gb_per_s", "title": "All bytes", "unit": "gb_per_s"}],
             "rows": [{"id": "operations/given/copy", "role": "normal", "cells": {"all_gb_per_s": {"value": 1387901.8, "text": "1,387,901.8"}}}]}
    yield "bandwidth can be", report, "sections", [{"id": "operations", "kind": "section", "blocks": [given]}]
    top = {"id": "operations/top", "kind": "table", "columns": [], "rows": [{"id": "operations/top/copy", "cells": {"name": {"value": "copy", "text": "copy"}}}]}
    yield "the longest is first", report, "sections", [{
        "id": "operations", "kind": "section", "answer": "fill takes 26.2\u202f% of busy time, more than any other operation.", "blocks": [top]}]
    rates = {"gflop_per_s": 83647.6, "all_gb_per_s": 134.4, "flop_per_byte": 579.47}  # GiB/s as if they were GB/s
    unlike = {"id": "operations/given", "kind": "table", "columns": [{"key": key, "title": key, "unit": key} for key in rates],
              "rows": [{"id": "operations/given/dot", "cells": {key: {"value": value, "text": str(value)} for key, value in rates.items()}}]}
    yield "a rate is of its bytes", report, "sections", [{"id": "operations", "kind": "section", "blocks": [unlike]}]
    uses = [{"value": 0, "text": "0.0", "judge": "bad"}, {"value": None, "text": "–", "missing": "the profiler does not say"}]
    for flops, hbm in (uses, [{"value": 0, "text": "0.0"}, {"value": 1.069, "text": "106.9", "judge": "good"}]):
        tree = {"id": "operations/tree", "kind": "table", "columns": [{"key": f"{name}_utilization_share", "title": name, "unit": "share"} for name in (
            "flops", "hbm")], "rows": [{"id": "operations/tree/infeed", "role": "normal", "cells": {
                "flops_utilization_share": flops, "hbm_utilization_share": hbm}}]}
        yield "a mark is of what it stands beside", report, "sections", [{"id": "operations", "kind": "section", "blocks": [tree]}]
    shown = {"id": "summary", "kind": "section", "blocks": [{"id": "summary/tiles", "kind": "tiles", "tiles": [
        {"id": "summary/tiles/memory", "value": 9, "text": "9 B", "label": "Memory peak"}]}]}
    yield "one memory peak", report, "sections", [shown, {"id": "memory", "kind": "section", "blocks": [], "key_figure": {"value": 8, "text": "8 B"}}]
    opened = {**report["findings"][0], "status": "open", "saving": {"value": None, "unit": None, "text": ""}, "saving_note": ""}
    for severity, matters in (("High", "This is not a second problem: finding 1 says what takes that time."), ("Low", "Steps would be shorter.")):
        yield "a note is no problem", report, "findings", [{**opened, "severity": severity, "matters": matters}]
    plan = {"memory.peak_bytes": {"value": 9.0, "unit": "bytes", "text": "9 B"}, "memory.peak_unpadded_bytes": {"value": 8.0, "unit": "bytes", "text": "8 B"},
            "memory.peak_share": {"value": 1.5, "unit": "share", "text": "150.0"}}
    for name, value in (("TPR-OOM-001", 7), ("TPR-OOM-002", 7), ("TPR-OOM-002", None)):
        yield "memory saved is the section's", report, None, {"metrics": {**report["metrics"], **plan}, "findings": [{
            **report["findings"][0], "id": name, "status": "open", "saving_note": "", "saving_needed": name == "TPR-OOM-001",
            "saving": {"value": value, "unit": "bytes" if value else None, "text": ""}}]}
    cores = {"id": "distributed/cores", "kind": "table", "columns": [], "rows": [{"id": "distributed/cores/0", "cells": {
        "high_flops_ms": {"value": 2.0, "text": "2.000"}, "low_flops_ms": {"value": 1.0, "text": "1.000"}}}]}
    beside = {"id": "summary/step/cores", "kind": "chart", "chart": "strip", "unit": "ms", "labels": ["0"], "series": [{"key": "compute", "values": [2.0]}]}
    yield "a core has one mean", report, "sections", [{"id": "distributed", "kind": "section", "blocks": [beside, cores]}]
    for odd in ({"id": "summary/tiles/graph", "value": 13, "text": "13", "notes": ["nodes of 15 kinds"]},
                {"id": "summary/tiles/memory", "metric": "memory.peak_bytes", "value": 9, "text": "9 B", "notes": ["planned by the compiler"]}):
        yield "names fit", report, None, {
            "metrics": {**report["metrics"], "memory.measured.peak_bytes": {"value": 8, "unit": "bytes", "text": "8 B"}},
            "sections": [{"id": "summary", "kind": "section", "blocks": [{"id": "summary/tiles", "kind": "tiles", "tiles": [odd]}]}]}
    idle = {"value": 0.0, "unit": "share", "text": "0.0", "how": "precomputed by the profiler: device_idle_time_percent of a.overview_page.json"}
    yield "tools are named", report, "metrics", {**report["metrics"], "device.idle_share": idle, "step.class.idle_share": {"value": 0.366}}
    yield "tools are named", report, "metrics", {name: {"value": value, "unit": "share", "text": ""} for name, value in (
        ("flops.utilization_share", 0.609), ("matrix_unit.utilization_share", 0.157))}
    words = {"id": "input-pipeline/statement", "kind": "paragraph",
             "items": ["The profiler itself said: “Your program is HIGHLY input-bound because 99.8% of the total step time waits.”"]}
    yield "tools are named", report, None, {"metrics": {**report["metrics"], "input.wait_share": {"value": 0.332}},
                                            "sections": [{"id": "input-pipeline", "kind": "section", "blocks": [words]}]}
    quality = next(block for block in blocks(report) if block["id"] == "summary/quality")
    yield "a part is not the whole", quality, "items", ["■ 1 of 2 workers read", "profile complete"]
    late = {"id": "distributed/late", "kind": "table", "columns": [{"key": "worker", "title": "Worker", "unit": ""}],
            "rows": [{"id": "distributed/late/rank1", "role": "normal", "cells": {"worker": {"value": "rank1", "judge": "warn"}}}]}
    yield "a mark is of what it stands beside", report, "sections", [{"id": "distributed", "kind": "section", "blocks": [late]}]
    yield "unknown is never zero", metrics["flops.utilization_share"], "value", 0
    row = next(row for _, row, _, _ in cells(report) if {"self_ms", "total_ms"} <= set(row["cells"]))
    kernels = {"id": "kernels/list", "kind": "table", "columns": [{"key": "occupancy_share", "title": "Occupancy", "unit": "share"}],
               "rows": [{"id": "kernels/list/gemm", "role": "normal", "cells": {"occupancy_share": {"value": 0, "text": "0.0"}}}]}
    yield "unknown is never zero", report, "sections", [{"id": "kernels", "kind": "section", "blocks": [kernels]}]
    yield "finite", metrics["step.time.p50_ms"], "value", math.inf
    yield "finite", metrics["step.time.p50_ms"], "value", 2.2e-310
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
    yield "overlaps a saving", report["findings"][0], "saving_note", "per step, may overlap 99’s"
    yield "what is missing has a reason", metrics["step.count"], "value", None
    tile = next(tile for block in blocks(report) for tile in block.get("tiles", []))
    yield "what is missing has a reason", tile, None, {"value": None, "notes": ["0.0 % of a step"]}
    judged = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile.get("finding"))
    said = next(block for block in blocks(report) if block["id"] == "environment/run")
    yield "a fact stands once", said, "rows", [*said["rows"], said["rows"][0]]
    yield "a share has one text", metrics["device.busy_share"], None, {"value": 0.0006, "text": "0.1\u202f%"}
    yield "terms of the field", report["verdict"], "saw", "rank1 comes later than the last but one"
    yield "one judge", judged, "judge", "warn" if judged["judge"] != "warn" else "good"
    yield "one judge", report["verdict"], None, {"judge": "bad", "finding": ""}
    large = {**report["findings"][0], "status": "open", "severity": "Medium", "matters": "", "saving_note": "per step", "saving": {
        "unit": "ms", "text": "", "value": 0.11 * report["metrics"]["step.time.mean_ms"]["value"]}}
    yield "one judge", report, None, {"verdict": {**report["verdict"], "judge": "good"}, "findings": [large] + [
        {**finding, "status": "passed"} for finding in report["findings"][1:]]}
    silent = [finding | {"status": "undecided"} if finding["status"] == "passed" else finding for finding in report["findings"]]
    yield "one judge", report, "findings", silent
    work = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile["label"].startswith("Device work"))
    yield "one number", work, "value", 1
    yield "one number", work, "label", "Device busy"
    bar = next(block for block in blocks(report) if block["id"] == "summary/step/classes")
    yield "classes have one order", bar, "series", bar["series"][::-1]
    yield "one number", next(series for series in bar["series"] if series["key"] == "collective"), "unused", 0.001
    yield "one number", report["metrics"]["step.collective_wait_ms"], "value", 0.001
    strip = next(block for block in blocks(report) if block["id"] == "summary/step/strip")
    waits = next(series for series in strip["series"] if series["key"] == "collective")
    yield "one number", waits, "unused_values", [2 * value for value in waits["unused_values"]]
    yield "one colour", next(series for series in bar["series"] if series["key"] == "copy"), "hue", "compute"
    yield "copies of cores", next(series for series in bar["series"] if series["key"] == "copy"), "values", [0.001]
    slow = next(finding for finding in report["findings"] if finding["id"] == "TPR-POD-001")
    yield "one number", slow, None, {"status": "open", "saving": {"unit": "ms", "value": 1}, "saving_note": "per step"}
    yield "one section", report, "sections", [*report["sections"], {"id": "hosts", "blocks": []}]
    part = next(block for section in report["sections"] for block in section["blocks"] if block["kind"] == "section")
    yield "one section", report["sections"][0], "blocks", [part | {"title": "Same"}, part | {"title": "Same"}]
    folds = {block["id"]: block for block in blocks(report)}
    fold = folds["findings/not-applicable"]
    yield "one reason", fold, "blocks", [fold["blocks"][0], {"id": "TPR-X", "kind": "finding", "finding": "TPR-X"}, fold["blocks"][0]]
    yield "one count of hosts", next(section for section in report["sections"] if section["id"] == "distributed"), "aside", "4 cores of 7 hosts"
    yield "a mark is of what it stands beside", work, "notes", ["high · Collectives 1.1\u202f%"]
    yield "a mark is of what it stands beside", work, "notes", ["low · Collectives 1.1\u202f%"]
    for said in ("Step 3 took 9.00 ms, 1.00 ms more than the median of 8.00 ms. All of that is in Idle: 2.00 ms more.",
                 "Because its marks do not break steps down: Whole run. Capture a profile."):
        yield "words fit", report["verdict"], "saw", said
    yield "words fit", report, None, {"metrics": {**report["metrics"], "tfprof.total_us": {"value": 1, "unit": "us", "text": "1"}},
                                      "verdict": {**report["verdict"], "name": "No profile:"}}
    dump = {"value": 37825, "unit": "us", "text": "37.8\u202fms"}
    for key, said in (("verdict", {**report["verdict"], "name": "Operation time:", "saw": "135\u202fms per step, 67 % of it in `AddV2`"}),
                      ("findings", [{**report["findings"][0], "matters": "Without this time, operations would take 1\u202fms per step "
                                     "instead of 135\u202fms: at most 7.7\u202f% less."}])):
        yield "one operation time", report, None, {"metrics": {**report["metrics"], "tfprof.total_us": dump}, key: said}
    table = next(block for block in blocks(report) if block["kind"] == "table" and len(block["columns"]) > 1)
    yield "words fit", table["columns"][1], None, dict(table["columns"][0])
    opened = report["findings"][0]
    yield "words fit", opened, "actions", ["Reduce gradients in buckets, with NCCL on GPUs."]
    limits = next(block for block in blocks(report) if block["id"] == "method/rules")
    yield "words fit", limits["rows"][0]["cells"]["medium_share"], "text", "<1"
    yield "no text around a hole", opened, "actions", ["Fuse `aten::copy_`."]
    yield "words fit", table["columns"][1], None, {"unit": "count", "title": "Times, median"}
    yield "words fit", next(section for section in report["sections"] if section["id"] == "distributed"), None, {
        "aside": "2 hosts over 3 steps", "answer": "No host holds up the others: the slowest costs 1 ms per step."}
    known = next(section for section in report["sections"] if section["id"] == "steps")
    yield "evidence shows something", report, None, {"sections": [known | {"blocks": []}], "findings": [
        report["findings"][0] | {"status": "open", "evidence_spans": [{"text": "Steps", "href": "#steps"}]}]}
    brief = next(block for block in blocks(report) if block["id"].startswith("summary/"))
    brief_finding = next(finding for finding in report["findings"] if finding["id"] == "TPR-IDLE-001")
    yield "figures stand before the timeline", report, "sections", [{"id": "timeline"}, {"id": "whole-run"}]
    section = next(section for section in report["sections"] if section["id"] == "findings")
    yield "undecided checks are told", section, "answer", "7 checks passed; nothing that costs much time was found."
    timeline = next(block for block in blocks(report) if block.get("groups") and "marks" in block)
    yield "tracks have names", timeline["groups"][0]["tracks"][0], "name", "stream 7 "
    cell = lambda value: {"value": value, "text": str(value)}
    drawn = {"id": "timeline/longest", "kind": "table", "columns": [{"key": "first_ms", "title": "Step 20"}, {"key": "second_ms", "title": "Step 21"}],
             "rows": [{"id": "timeline/longest/step", "cells": {"name": cell("Step"), "first_ms": cell(60.0), "second_ms": cell(90.0)}}]}
    measured = {"id": "steps/each", "kind": "table", "columns": [], "rows": [{"cells": {"step": cell("21"), "time_ms": cell(80.0)}}]}
    yield "a step has one length", report, "sections", [{"id": "steps", "kind": "section", "blocks": [drawn, measured]}]
    flat = {"id": "padding/operations", "kind": "table", "columns": [{"key": "lost_ms", "title": "Lost", "sorted": True}],
            "rows": [{"id": "padding/operations/dot", "cells": {"lost_ms": cell(0.0)}}] * 2}
    small = {"id": "hosts/steps", "kind": "table", "columns": [{"key": "own_ms", "title": "Own time", "unit": "ms", "decimals": 3}],
             "rows": [{"id": "hosts/steps/0", "role": "normal", "cells": {"own_ms": {"value": 0.25, "text": "0.250"}}}]}
    yield "small times are in µs", report, "sections", [{"id": "hosts", "kind": "section", "blocks": [small]}]
    yield "an order is seen", report, "sections", [{"id": "operations", "kind": "section", "blocks": [flat]}]
    length = report["metrics"]["step.time.mean_ms"]["value"]
    yield "tiles have a basis", report, None, {
        "metrics": {**report["metrics"], "step.time.p50_ms": {"value": 1.2 * length, "unit": "ms", "text": ""}},
        "sections": [{"id": "summary", "kind": "section", "blocks": [{"id": "summary/tiles", "kind": "tiles", "tiles": [
            {"id": "summary/tiles/compute", "metric": "step.class.compute_ms", "value": 1, "notes": ["99.8 % of a step"]}]}]}]}
    phases = {"id": "whole-run/kinds", "kind": "table", "columns": [], "rows": [{"cells": {"kind": cell("setup-infeed"), "share": cell(0.136)}}]}
    yield "set-up is of its phases", report, None, {"verdict": {**report["verdict"], "saw": "15.2 % of it was session set-up."},
                                                    "sections": [{"id": "whole-run", "kind": "section", "blocks": [phases]}]}
    unsaid = drawn | {"rows": [{"id": "timeline/longest/step", "cells": {"name": cell("The step by the host’s clock")}}]}
    yield "a step has one length", report, "sections", [{"id": "steps", "kind": "section", "blocks": [unsaid, measured]}]
    more = {"id": "timeline/longest/dot.1", "cells": {"name": cell("dot.1"), "first_ms": cell(59.0), "second_ms": cell(89.0)}}
    yield "operations add up", report, "sections", [{"id": "timeline", "kind": "section", "blocks": [
        drawn | {"rows": [row | {"cells": row["cells"] | {"difference_ms": cell(30.0)}} for row in (more, *drawn["rows"])]}]}]
    flops = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile["id"] == "summary/tiles/flops")
    yield "a tile shows what it judges", flops, "value", flops["value"] - 0.01
    grew = {"id": "steps/slowest/causes", "kind": "text", "text": "Step 13 took 75.2 ms, 14.9 ms more than step 5. Host compute grew by 10.6 ms, "
            "Idle by 6.53 ms; no other class grew."}
    yield "what grew adds up", report, "sections", [{"id": "steps", "kind": "section", "blocks": [grew]}]
    stage = {"status": "open", "title": "", "measured": {"value": 0.868}, "saving": {"unit": "ms", "value": 38.3}, "saving_note": "per step"}
    yield "a part saves no more", report, "findings", [brief_finding | stage | {"id": name} for name in ("TPR-INPUT-001", "TPR-INPUT-002")]
    yield "tracks have names", timeline["groups"][0], "counters", [{"name": "Memory of CPU"}, {"name": "Memory of CPU"}]
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
    yield "one number", report["verdict"], "saw", "63.0 % of step time is spent waiting for input;"
    yield "one number", finding, "title", "Steps spend 63.0 % of their time waiting for input"
    yield "one number", finding["saving"], "value", finding["saving"]["value"] + 1
    yield "a promise has a bound", finding["saving"], "value", None
    yield "a promise has a bound", report["verdict"], "consequence", "hiding it would make steps more than 10× faster."
    yield "one number", waits, "value", waits["value"] + 0.01
    section = next(section for section in report["sections"] if section["id"] == "input-pipeline")
    yield "one number", section["key_figure"], "value", section["key_figure"]["value"] + 0.01
    strip = next(block for block in blocks(report) if block["id"] == "input-pipeline/strip")
    yield "what is drawn is seen", strip, "series", [{"key": "least", "values": [0.0004]}]
    yield "one number", report["metrics"]["step.class.idle_ms"], "value", 1
    opened = [finding for finding in report["findings"] if finding["status"] == "open"]
    yield "findings stand in order", report, "findings", opened[::-1]
    yield "findings stand in order", report, "findings", [opened[0], opened[0] | {
        "id": "TPR-X", "saving": {"unit": "ms", "value": 1e9}}]
    first = next(block for block in blocks(report) if block["id"] == "summary/first")
    last = opened[min(len(opened), 3) - 1]
    yield "an order is explained", last, None, {"saving": {**last["saving"], "value": 1e9, "text": "278\u202fh"}, "saving_note": "per step"}
    yield "an order is explained", report["verdict"], "finding", opened[1]["id"]
    yield "findings stand in order", first, "blocks", first["blocks"][:1]


def doctored_workers(report):
    """The same of a report of workers that wait for each other."""
    late = next(finding for finding in report["findings"] if finding["id"] == "TPR-RANK-001")
    yield "one number", late["saving"], "value", report["metrics"]["torch.comm.communication_us"]["value"] / 1e3 + 1
    yield "one number", report["metrics"]["step.collective_wait_ms"], "value", late["saving"]["value"] / 2
    strip = next(block for block in blocks(report) if block["id"] == "summary/step/strip")
    yield "one number", next(series for series in strip["series"] if series["key"] == "collective"), "unused_values", []
    host = next(finding for finding in report["findings"] if finding["id"] == "TPR-HOST-001")
    yield "one number", host, None, {"status": "open", "measured": {"unit": "share", "value": 0.9},
                                     "saving": {"unit": "ms", "value": 0}, "saving_note": "per step", "title": ""}
    yield "one number", host, None, {"status": "open", "measured": {"unit": "share", "value": 0.1},
                                     "saving": {"unit": "ms", "value": 1e3}, "saving_note": "per step", "title": ""}
    exposed = next(tile for block in blocks(report) for tile in block.get("tiles", []) if tile["id"] == "summary/tiles/communication")
    yield "one number", exposed, "notes", ["high", "at most 9,000\u202fms of it is waiting"]
    yield "one number", report, None, {"metrics": {**report["metrics"], "torch.comm.calls": {"value": 0}},
                                       "sections": [{"id": "summary", "kind": "section", "blocks": [
                                           *report["sections"][0]["blocks"], {"id": "summary/tiles", "kind": "tiles", "tiles": [
                                               exposed | {"judge": "good"}]}]}]}
    yield "one number", report["verdict"], "name", "Input-bound (high):"
    yield "one number", report["verdict"], "finding", "TPR-STEP-001"
    yield "one zero", report["metrics"]["torch.memory.peak_time_ms"], "value", report["metrics"]["torch.memory.peak_time_ms"]["value"] + 4
    devices = next(block for block in blocks(report) if block["id"] == "torch-memory/devices")
    yield "a peak has one time", devices["rows"][0]["cells"]["peak_time_ms"], "text", "35,425,698.163"
    metrics = {**report["metrics"], "step.count": {"value": 1}, "torch.gpu.utilization_share": {"value": 0.779}}
    yield "one utilisation", report, None, {"metrics": metrics, "verdict": {"saw": "kernels run for 68.5\u202f% of each step"}}
    yield "one number", report["metrics"]["torch.comm.communication_us"], "value", report["metrics"]["step.class.collective_ms"]["value"] * 1001
    chart = next(block for block in blocks(report) if block["id"] == "operators/host-self")
    yield "drawn as listed", chart, "series", [{"key": "host", "values": [0.0001]}]
    tile = next(tile for block in blocks(report) for tile in block.get("tiles", []))
    report["metrics"]["op.top.name"] = {"value": "void gemm<float>()"}
    report["metrics"]["kernels.top.share"] = {"value": 0.144}
    yield "one top", tile, None, {"metric": "op.top.self_share", "id": "summary/tiles/top-op"}
