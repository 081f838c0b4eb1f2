"""--limits FILE: the verdict, the tiles and the findings move together, and what is no limit is refused."""

import json
import os

from cases import must, run_all
from command_line import OK, USAGE, expect, read, write

SOURCE = os.environ["TPREPORT_SOURCE"]
WAITS = os.path.join(SOURCE, "examples", "tf_slow_input", "input")  # 62.0 % of step time is spent waiting for input


def report(folder, limits):
    file, out = write(os.path.join(folder, "limits.json"), json.dumps(limits).encode()), os.path.join(folder, "r.json")
    expect(OK, WAITS, "-o", out, "--limits", file, folder=folder)
    return json.loads(read(out))


def judged(doc):
    """How each of the three judges waiting for input, and the limits that the report states."""
    blocks = [block for section in doc["sections"] for block in section["blocks"]]
    tile = next(tile for block in blocks for tile in block.get("tiles", []) if tile["metric"] == "step.class.input_wait_share")
    finding = next(finding for finding in doc["findings"] if finding["id"] == "TPR-INPUT-001")
    return doc["verdict"]["name"], tile["judge"], tile["notes"][0], finding["status"], finding.get("severity")


def all_three_move(folder):
    for limits, want in (
        ({}, ("Input-bound (high):", "bad", "high · limit 20 %", "open", "High")),
        ({"TPR-INPUT-001": {"medium": 0.5, "high": 0.7}}, ("Input-bound (medium):", "warn", "medium · limit 50 %", "open", "Medium")),
        ({"TPR-INPUT-001": {"high": None}}, ("Input-bound (medium):", "warn", "medium · limit 5 %", "open", "Medium")),
        ({"TPR-INPUT-001": {"medium": 0.7, "high": 0.9}}, ("Within the given limits:", "good", "low · limit 70 %", "passed", None)),
    ):
        got = judged(report(folder, limits))
        must(got == want, limits, "gives", got)


def they_are_named(folder):
    text = json.dumps(report(folder, {"TPR-INPUT-001": {"medium": 0.5, "high": 0.7}}), ensure_ascii=False)
    must("Limits of 1 rule are from limits.json, not the defaults." in text, "nothing says where the limits are from")
    must("not the defaults" not in json.dumps(report(folder, {})), "the usual limits are called given")
    must("below 0.50" in text, "what to check afterwards is not the limit in use")


def what_is_no_limit_is_refused(folder):
    for data, says in (
        (b"[]", "give an object of rules"), (b"{", "line 1: "), (b"", "line 1: "),
        (b'{"TPR-INPUT-01": {}}', "TPR-INPUT-01 is not a rule; near are TPR-INPUT-001"),
        (b'{"TPR-INPUT-001": 3}', 'TPR-INPUT-001: give {"medium": SHARE'),
        (b'{"TPR-INPUT-001": {"medium": -0.1}}', "TPR-INPUT-001: give"), (b'{"TPR-INPUT-001": {"medium": null}}', "TPR-INPUT-001: give"),
        (b'{"TPR-INPUT-001": {"low": 1}}', "low is neither medium nor high"),
        (b'{"TPR-INPUT-001": {"medium": 0.5}}', "medium is 0.5 and high is 0.2 as usual, but high is the larger one"),
        (b'{"TPR-FLOPS-001": {"high": 0.9}}', "but this rule reports what is below its limits"),
    ):
        file = write(os.path.join(folder, "limits.json"), data)
        expect(USAGE, WAITS, "-o", os.path.join(folder, "r.json"), "--limits", file, folder=folder, says=says)
    expect(USAGE, WAITS, "--limits", os.path.join(folder, "none.json"), folder=folder, says="No such file")


run_all([all_three_move, they_are_named, what_is_no_limit_is_refused])
