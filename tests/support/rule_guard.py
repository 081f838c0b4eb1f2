"""Every rule that a report names has inputs in a test: its own, or another that says the rule's id."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def every_rule_has_cases(check, report, cases, elsewhere):
    """cases: rules with inputs in the test that asks; elsewhere: {test below tests/: rules with inputs there}."""
    check.part("every rule")
    rules = {row["rule"] for row in report.rows("method/rules")}
    there = {rule for file, named in elsewhere.items() for rule in named if rule in (TESTS / file).read_text(encoding="utf-8")}
    check.equal("has inputs here or in another test", sorted(rules - set(cases) - there), [])
    check.equal("no others", sorted((set(cases) | there) - rules), [])
