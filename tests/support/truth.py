"""Runs tpreport and compares its figures with expected ones; counts what was compared."""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from told import with_texts

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
SKIPPED = 77


def test_data(*parts):
    """A path in the folder of test data; ends the test as skipped when there is none."""
    root = os.environ.get("TPREPORT_TEST_DATA")
    if not root:
        print("TPREPORT_TEST_DATA is not set: nothing to compare with")
        sys.exit(SKIPPED)
    return Path(root, *parts)


def get(*arguments, stdin=None):
    """{id: (value as text, unit or reason)} that `tpreport get` prints."""
    done = run("get", *arguments, stdin=stdin)
    if done.returncode != 0:
        sys.exit(f"tpreport get {' '.join(map(str, arguments))}: exit status {done.returncode}\n"
                 f"{done.stderr.decode('utf-8', 'replace')}")
    rows = (line.split("\t") for line in done.stdout.decode("utf-8").splitlines())
    return {row[0]: (row[1], row[2] if len(row) > 2 else "") for row in rows}


def run(*arguments, stdin=None):
    return subprocess.run([TPREPORT, *map(str, arguments)], capture_output=True, input=stdin, check=False)


def blocks_in(blocks):
    """Tables and charts by id."""
    found = {}
    for child in blocks:
        if child["kind"] in ("table", "chart"):
            found[child["id"]] = child
        found.update(blocks_in(child.get("blocks", [])))
    return found


class Report:
    """What tpreport says about some paths: metrics, tables and charts of its JSON."""

    def __init__(self, *arguments, stdin=None):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "report.json")
            done = run(*arguments, "-o", out, stdin=stdin)
            self.stderr = done.stderr.decode("utf-8", "replace")
            if done.returncode != 0:
                sys.exit(f"tpreport {' '.join(map(str, arguments))}: exit status {done.returncode}\n{self.stderr}")
            self.doc = with_texts(json.loads(out.read_text(encoding="utf-8")))
        self.metrics = self.doc["metrics"]
        self.blocks = blocks_in(self.doc["sections"])

    def metric(self, name):
        return self.metrics[name]["value"]

    def missing(self, name):
        return self.metrics[name].get("missing", "")

    def section(self, name):
        return next(s for s in self.doc["sections"] if s["id"] == name)

    def rows(self, table, whole=False):
        """[{column: value}] of a table, with "id" and "role"; empty when it is not there. whole: of short names what they stand for."""
        rows = self.blocks.get(table, {"rows": []})["rows"]
        return [{"id": r["id"], "role": r["role"], "depth": r.get("depth", 0),
                 **{k: c.get("full", c["value"]) if whole else c["value"] for k, c in r["cells"].items()}} for r in rows]

    def steps(self):
        """{name: {class: ms}} of the strip of steps; a class that is nowhere above 0 is not in it. Compute is drawn in two
        parts, arithmetic and copies: "compute" is their sum."""
        chart = self.blocks.get("steps/strip")
        if chart is None:
            return {}
        steps = {}
        for i, label in enumerate(chart["labels"]):
            parts = {series["key"]: series["values"][i] for series in chart["series"]}
            if "arithmetic" in parts or "copy" in parts:
                parts["compute"] = parts.get("arithmetic", 0) + parts.get("copy", 0)
            steps[label] = parts
        return steps

    def step_ms(self):
        """{name: ms}: the sum of the parts of each step."""
        return {name: sum(ms for part, ms in parts.items() if part != "compute" or "arithmetic" not in parts and
                          "copy" not in parts) for name, parts in self.steps().items()}

    def ops(self):
        """{(program, label): row} of the list of all operations."""
        return {(row["program"], row["name"]): row for row in self.rows("operations/list")}


class Check:
    """Comparisons that print where they fail and are counted."""

    def __init__(self):
        self.count = self.failed = 0
        self.where = ""

    def part(self, name):
        self.where = name

    def fail(self, what, got, expected, note=""):
        self.failed += 1
        if self.failed <= 40:
            print(f"FAILED {self.where}: {what}: got {got!r}, expected {expected!r}{note}")

    def equal(self, what, got, expected):
        self.count += 1
        if got != expected:
            self.fail(what, got, expected)

    def true(self, what, fact):
        self.count += 1
        if not fact:
            self.fail(what, False, True)
        return bool(fact)

    def near(self, what, got, expected, rel=1e-9, abs_=1e-12):
        """To a relative tolerance (abs_: how far from 0 what should be 0 may be)."""
        self.count += 1
        if got is None or isinstance(got, str) or not math.isclose(got, expected, rel_tol=rel, abs_tol=abs_):
            self.fail(what, got, expected, f" within {rel:g}")

    def printed(self, what, got, text):
        """As exact as the expected text prints it: half of its last digit."""
        decimals = len(text.rstrip("%").partition(".")[2])
        self.count += 1
        if got is None or abs(got - float(text.rstrip("%"))) > 0.5000001 * 10 ** -decimals:
            self.fail(what, got, text)

    def ps(self, what, got_ms, expected_ps):
        """Milliseconds that must be this many picoseconds exactly."""
        self.count += 1
        if got_ms is None or round(got_ms * 1e9) != expected_ps:
            self.fail(what, got_ms, expected_ps / 1e9)

    def end(self):
        print(f"{self.count} figures compared, {self.failed} differ")
        sys.exit(1 if self.failed or self.count == 0 else 0)
