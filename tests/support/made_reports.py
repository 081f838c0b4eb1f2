"""Reports whose figures are known beforehand: a real one with its steps lengthened."""

import json
import os
import subprocess
from pathlib import Path

from page_figures import blocks

TPREPORT = os.environ["TPREPORT"]


def report(folder, name, source, *edits):
    """A report.json of source, its steps and what follows from them multiplied."""
    source = Path(source)
    text = source.read_bytes() if source.suffix == ".json" else subprocess.run([TPREPORT, "-q", source, "-o", "-", "--format", "json"], capture_output=True, check=True).stdout
    found = json.loads(text)
    for edit in edits:
        edit(found)
    path = Path(folder, name)
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def with_table(id, columns, rows):
    """A table in a section of its own. columns: key and unit, "" for texts; rows: how deep they stand, and what is in their cells."""
    def edit(found):
        section = id.split("/")[0]
        found["sections"] = [s for s in found["sections"] if s["id"] != section]
        made = [{"id": f"{id}/{i}", "role": "normal", **({"depth": depth} if depth else {}), "cells": {key: {"value": v} for (key, _), v in zip(columns, cells)}} for i, (depth, cells) in enumerate(rows)]
        table = {"kind": "table", "id": id, "caption": "made", "tree": any(depth for depth, _ in rows), "numbered": False, "shown": len(rows),
                 "columns": [{"key": key, "title": key, "unit": unit, "decimals": 3} for key, unit in columns], "rows": made}
        found["sections"].insert(1, {"kind": "section", "id": section, "role": "main", "title": section, "blocks": [table]})
    return edit


def slower(times):
    """All times of the steps longer, so that every figure is known beforehand."""
    def edit(found):
        for id, metric in found["metrics"].items():
            if id.split("@")[0].startswith(("step.time.", "step.class.")) and id.split("@")[0].endswith("_ms") and metric["value"]:
                metric["value"] *= times
                metric.pop("text", None)
        for t in blocks(found, "table"):
            if t["id"] == "steps/each":
                for row in t["rows"]:
                    row["cells"]["time_ms"]["value"] *= times
    return edit
