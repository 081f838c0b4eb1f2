"""Reports whose figures are known beforehand: a real one with its steps lengthened."""

import json
import os
import subprocess
from pathlib import Path

from page_figures import blocks

TPREPORT = os.environ["TPREPORT"]


def report(folder, name, source, *edits):
    """A report.json of source, its steps and what follows from them multiplied."""
    found = json.loads(subprocess.run([TPREPORT, "-q", source, "-o", "-", "--format", "json"], capture_output=True, check=True).stdout)
    for edit in edits:
        edit(found)
    path = Path(folder, name)
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


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
