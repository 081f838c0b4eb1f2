"""Rules and their inputs: what each input should give, and that every rule that a report names has some in a test: its own, or another
that says the rule's id."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def every_rule_has_cases(check, report, cases, elsewhere):
    """cases: rules with inputs in the test that asks; elsewhere: {test below tests/: rules with inputs there}."""
    check.part("every rule")
    rules = {row["rule"] for row in report.rows("method/rules")}
    there = {rule for file, named in elsewhere.items() for rule in named if rule in (TESTS / file).read_text(encoding="utf-8")}
    check.equal("has inputs here or in another test", sorted(rules - set(cases) - there), [])
    check.equal("no others", sorted((set(cases) | there) - rules), [])


def finding_of(report, rule):
    [finding] = [one for one in report.doc["findings"] if one["id"] == rule]
    return finding


def each_case(check, cases, report_on):
    """cases: {rule: [(what, input of report_on, status, measured share or None, saving in ms or None)]}"""
    for rule, rows in cases.items():
        for what, files, status, measured, saving in rows:
            check.part(f"{rule}: {what}")
            finding = finding_of(report_on(files), rule)
            check.equal("status", finding["status"], status)
            if finding["status"] != status:
                continue
            if status == "open":
                advice(check, finding)
            if measured is not None:
                check.near("measured", finding["measured"]["value"], measured, rel=1e-6, abs_=1e-6)
            elif status in ("undecided", "not_applicable"):
                check.true("says why", len(finding["title"]) > 8)
            if saving is not None:
                check.near("saves at most", finding["saving"]["value"], saving, rel=1e-6, abs_=1e-6)
            elif status == "open":
                check.equal("saving is not bounded", finding["saving"]["value"], None)


def advice(check, finding):
    """Every open finding says what was seen, why it matters, what to do and what should then move."""
    for key in ("title", "brief", "saw", "matters", "check"):
        check.true(key, len(finding.get(key, "")) > 8)
    check.true("one to three actions", 1 <= len(finding["actions"]) <= 3)
    check.true("is counted", finding["number"] >= 1)
