"""-o report.sarif, of a report and of check: SARIF 2.1.0 by the parts of its specification that we use; findings that name an operation whose
line of source the profile knows, at that line, and no others."""

import json
import os
import re
import urllib.parse
from pathlib import Path

import schema
from cases import must, run_all
from command_line import OK, expect

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = os.environ.get("TPREPORT_TEST_DATA")

# The objects and properties that are written, as sections 3.13 to 3.52 of the specification have them.
MESSAGE = {"type": "object", "additionalProperties": False, "required": ["text"], "properties": {"text": {"type": "string", "pattern": "."}}}
SARIF = {
    "type": "object", "additionalProperties": False, "required": ["version", "runs"],
    "properties": {
        "$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["tool"],
            "properties": {
                "tool": {"type": "object", "additionalProperties": False, "required": ["driver"], "properties": {"driver": {
                    "type": "object", "additionalProperties": False, "required": ["name"],
                    "properties": {
                        "name": {"const": "tpreport"}, "version": {"type": "string"},
                        "rules": {"type": "array", "items": {
                            "type": "object", "additionalProperties": False, "required": ["id"],
                            "properties": {"id": {"type": "string", "pattern": "^TPR-[A-Z]+-[0-9]{3}$"}, "shortDescription": MESSAGE, "help": MESSAGE}}}}}}},
                "results": {"type": "array", "items": {
                    "type": "object", "additionalProperties": False, "required": ["message", "locations"],
                    "properties": {
                        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0},
                        "level": {"enum": ["none", "note", "warning", "error"]}, "message": MESSAGE,
                        "locations": {"type": "array", "items": {
                            "type": "object", "additionalProperties": False, "required": ["physicalLocation"],
                            "properties": {"physicalLocation": {
                                "type": "object", "additionalProperties": False, "required": ["artifactLocation"],
                                "properties": {
                                    "artifactLocation": {"type": "object", "additionalProperties": False, "required": ["uri"], "properties": {
                                        "uri": {"type": "string", "pattern": "^[A-Za-z0-9._~/:%-]+$"}}},
                                    "region": {"type": "object", "additionalProperties": False, "properties": {
                                        "startLine": {"type": "integer", "minimum": 1}}}}}}}}}}}}}}}}


def sarif_of(path):
    """The one run; what no schema says: each result is of its rule, ids of rules are unique, references are of RFC 3986."""
    log = json.loads(Path(path).read_text(encoding="utf-8"))
    must(not schema.faults(log, SARIF), path, schema.faults(log, SARIF)[:3])
    (run,) = log["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    must(len(set(ids)) == len(ids), ids)
    for result in run["results"]:
        must(ids[result["ruleIndex"]] == result["ruleId"], result)
        must(len(result["locations"]) == 1, result)
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        must(urllib.parse.urlsplit(uri).scheme in ("", "file") and ":" not in uri.removeprefix("file:"), uri)
    return run["results"]


def places(results):
    where = [(r["ruleId"], r["locations"][0]["physicalLocation"]) for r in results]
    return {id: (urllib.parse.unquote(at["artifactLocation"]["uri"]), at["region"]["startLine"]) for id, at in where}


def blocks(list_of_blocks):
    for block in list_of_blocks:
        yield block
        yield from blocks(block.get("blocks", []))


def table(report, id):
    return next(block for block in blocks(report["sections"]) if block["id"] == id)


def about(report, name):
    """The report whose first open finding names this operation, in a file to read back; the finding's id."""
    finding = next(f for f in report["findings"] if f["status"] == "open")
    finding["title_spans"] = ["It is about ", {"style": "code", "value": name, "unit": ""}]
    return finding["id"]


def report_of(folder, source):
    expect(OK, source, "-o", "report.json", folder=folder)
    return json.loads(Path(folder, "report.json").read_text(encoding="utf-8"))


def sarif_after(folder, report):
    Path(folder, "edited.json").write_text(json.dumps(report), encoding="utf-8")
    expect(OK, "edited.json", "-o", "edited.sarif", folder=folder)
    return places(sarif_of(Path(folder, "edited.sarif")))


def report_and_check(folder):
    if not DATA:
        return
    logs = Path(DATA, "synth/resnet_v3_input_bound/logdir")
    if not logs.exists():
        return
    expect(OK, logs, "-o", "r.sarif", "-o", "r.json", "-o", "again.sarif.json", folder=folder)
    found = places(sarif_of(Path(folder, "r.sarif")))
    report = json.loads(Path(folder, "r.json").read_text(encoding="utf-8"))
    lines = {row["cells"]["name"]["value"]: row["cells"]["source"]["value"] for row in table(report, "operations/list")["rows"]}
    open_ones = {f["id"]: f["title"] for f in report["findings"] if f["status"] == "open"}
    file, line = found["TPR-PAD-001"]
    must(f"{file}:{line}" == lines["fusion.23"] and "fusion.23" in open_ones["TPR-PAD-001"], found, lines["fusion.23"])
    must(set(found) < set(open_ones) and "TPR-INPUT-001" not in found, found)
    must(Path(folder, "again.sarif.json").read_bytes() == Path(folder, "r.sarif").read_bytes(), ".sarif.json is another format")
    expect(OK, "r.json", "-o", "stored.sarif", folder=folder)
    must(Path(folder, "stored.sarif").read_bytes() == Path(folder, "r.sarif").read_bytes(), "of the report read back it is another")
    Path(folder, "b.json").write_text('{"metrics": {"step.time.p50_ms": {"max": "9 s"}}}', encoding="utf-8")
    expect(OK, "check", logs, "--budget", "b.json", "-o", "c.sarif", folder=folder)
    must(Path(folder, "c.sarif").read_bytes() == Path(folder, "r.sarif").read_bytes(), "check writes another")
    expect(OK, "check", logs, "--budget", "b.json", "--redact", "-o", "s.sarif", folder=folder)
    hidden = places(sarif_of(Path(folder, "s.sarif")))
    must(set(hidden) == set(found) and hidden["TPR-PAD-001"][1] == line, hidden)


def call_stacks(folder):
    """Of PyTorch the innermost line of the first call stack of the operator that a finding names."""
    if not DATA or not Path(DATA, "pytorch/found/tracelens/mi300").exists():
        return
    report = report_of(folder, Path(DATA, "pytorch/found/tracelens/mi300"))
    rows = [(row["depth"], row["cells"]["place"]["value"]) for row in table(report, "operators/stacks/list")["rows"]]
    name, stack = next((rows[i][1], rows[i + 1][1]) for i in range(len(rows) - 1) if rows[i][0] == 0 and ".py:" in rows[i + 1][1])
    id = about(report, name)
    file, line = re.findall(r"([^ ]+\.py):([0-9]+)", stack)[-1]
    must(sarif_after(folder, report)[id] == (file, int(line)), name, stack)


def odd_lines(folder):
    """What is no line is none; any other is a reference that a reader can resolve."""
    report = report_of(folder, SOURCE / "examples/estimator_job/input")
    cells = table(report, "operations/list")["rows"][0]["cells"]
    id = about(report, cells["name"]["value"])
    for source, place in (
            ("/srv/my code/net.py:7", ("file:///srv/my code/net.py", 7)), ("net#1?.py:7", ("net#1?.py", 7)), ("C:\\a.py:3", ("C:\\a.py", 3)),
            ("né.py:12", ("né.py", 12)), ("net.py", None), ("net.py:", None), ("net.py:0", None), (":7", None), ("net.py:7x", None), ("", None)):
        for row in [row for block in blocks(report["sections"]) for row in block.get("rows", []) if block["kind"] == "table" and "source" in row["cells"]]:
            row["cells"]["source"] = {"value": source}
        found = sarif_after(folder, report)
        must(found.get(id) == place and (place or not found), repr(source), found)


def nothing_to_say(folder):
    expect(OK, SOURCE / "examples/tf_graph/input", "-o", "r.sarif", folder=folder)
    must(sarif_of(Path(folder, "r.sarif")) == [], "findings without a line")


run_all([report_and_check, call_stacks, odd_lines, nothing_to_say])
