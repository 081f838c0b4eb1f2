"""What every report says alike, once: the metrics with their units and formulas, the rules, the differences from other tools, and how
each section computes, as the samples of test_outlines.py and the examples have them. The same as in catalogue.txt; --update writes that."""

import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import test_outlines
from told import with_texts

EXPECTED = Path(__file__).resolve().parent / "catalogue.txt"
EXAMPLES = Path(os.environ["TPREPORT_SOURCE"]) / "examples"


def reports():
    """The report of each sample as JSON."""
    for name in [*test_outlines.PROFILES, *test_outlines.OTHERS]:
        yield with_texts(json.loads(test_outlines.output(name, "json")))
    for path in sorted(EXAMPLES.glob("*/input")):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "r.json")
            subprocess.run([os.environ["TPREPORT"], "-q", str(path), "-o", str(out)], check=True)
            yield with_texts(json.loads(out.read_text(encoding="utf-8")))


def blocks(node):
    for child in node.get("sections", []) + node.get("blocks", []):
        yield child
        yield from blocks(child)


def rows(table):
    """A table's rows as lines of its cells' texts."""
    return [" | ".join(cell["text"] for cell in row["cells"].values()) for row in table["rows"]]


def entries(report):
    """(part, line) of all that is said alike elsewhere."""
    for name, metric in report["metrics"].items():
        if "@" not in name:
            yield "metrics", f"{name} [{metric['unit']}] {metric['label']}: {metric['how']}"
    for block in blocks(report):
        if block.get("id") == "method/rules":
            yield from (("rules", row) for row in rows(block))
        elif block.get("id") == "method/differences/table":
            yield from (("differences", row) for row in rows(block))
        elif block["kind"] == "paragraph" and block.get("id", "").endswith("how/text"):
            yield "how computed", f"{block['id']}: {' '.join(block['items'])}"


def catalogue():
    parts = {}
    for report in reports():
        for part, line in entries(report):
            parts.setdefault(part, set()).add(line)
    # A metric that is missing may not know its unit.
    parts["metrics"] -= {re.sub(r" \[.+?\]", " []", line, count=1) for line in parts["metrics"] if " [] " not in line}
    return "\n".join(f"{part}:\n" + "".join(f"  {line}\n" for line in sorted(parts[part])) for part in sorted(parts))


def main():
    got = catalogue()
    if "--update" in sys.argv:
        EXPECTED.write_text(got, encoding="utf-8")
    want = EXPECTED.read_text(encoding="utf-8") if EXPECTED.exists() else ""
    for line in difflib.unified_diff(want.splitlines(), got.splitlines(), str(EXPECTED), "now", lineterm="", n=0):
        print(line)
    print(f"{len(got.splitlines())} lines")
    sys.exit(want != got)


if __name__ == "__main__":
    main()
