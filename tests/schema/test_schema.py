"""The schema of report.json: the sample document keeps to it, and a doctored one does not."""

import copy
import json
import os
import sys
from pathlib import Path

import sample_doc
import schema

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))


def doctored(report):
    """Copies with one fault each, and what it is."""
    def with_change(change):
        twin = copy.deepcopy(report)
        change(twin)
        return twin

    yield "an absent member", with_change(lambda r: r.pop("metrics"))
    yield "a member that nobody knows", with_change(lambda r: r.update(extra=1))
    yield "a unit that nobody knows", with_change(lambda r: r["metrics"]["step.count"].update(unit="parsecs"))
    yield "a number as text", with_change(lambda r: r["sections"][1]["blocks"][0].update(number="1"))
    yield "an id with a blank", with_change(lambda r: r["sections"][0].update(id="a b"))
    yield "another version", with_change(lambda r: r.update(schema="tpreport.report/2"))


def main():
    rules = json.loads((SOURCE / "templates/report.schema.json").read_text(encoding="utf-8"))
    report = json.loads(sample_doc.render("json"))
    found = schema.faults(report, rules)
    for fault in found[:20]:
        print(fault)
    for name, twin in doctored(report):
        if not schema.faults(twin, rules):
            print(f"the schema lets {name} pass")
            found.append(name)
    return 1 if found else 0


sys.exit(main())
