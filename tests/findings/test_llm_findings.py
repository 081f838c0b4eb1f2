"""The rules on inference engines: made captures that make each a finding, those that pass, and those in which it cannot be decided or
does not apply; measured as worked out by hand."""

import json
import tempfile
from pathlib import Path

from rule_guard import each_case
from serving_trace import Made, kernels
from truth import Check, Report

check = Check()
HOST = 20.0  # µs from an iteration's start to its first kernel


def report_on(made):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "w.1.pt.trace.json").write_text(json.dumps(made.trace()), encoding="utf-8")
        return Report(folder)


def window(prefill, decode, gap, decode_ms=0.9):
    """ms from the first iteration to the end of the last."""
    return prefill * 4.0 + decode * decode_ms + (prefill + decode - 1) * gap


def decode_only(graphs=True, gap=0.25, count=40):
    return Made(graphs=graphs).engine(rounds=1, decodes=count, prefill_ms=4.0, gap_ms=gap)


def mixed():
    """A decode, then a mixed iteration of 3.9 ms, ten times."""
    made, at = Made(), 1000.0
    for _ in range(10):
        at = made.iteration("decode", at, 0.9, "execute_context_0(0)_generation_8(8)") + 10
        at = made.iteration("prefill", at, 3.9, "execute_context_1(512)_generation_8(8)") + 10
    return made


def idle_eager():
    """Decode without graphs, kernels of half their length: the rest of each iteration the GPU is idle."""
    made = Made(graphs=False).engine(rounds=1, decodes=40)
    for e in made.events:
        if e["cat"] == "kernel":
            e["dur"] /= 2
    return made


GAPS = (43 * 0.25 + 43 * HOST / 1000) / window(4, 40, 0.25)
last = kernels("decode")[-1][1]  # the last kernel's share: its half that is cut off is no idle time, the iteration ends with it
EAGER = 40 * (HOST + (900 - HOST) * 0.5 - (900 - HOST) * last / 2) / 1000
each_case(check, {
    "TPR-LLM-001": [
        ("gaps of 0.25 ms", Made().engine(), "open", GAPS, (43 * (0.25 + HOST / 1000)) / 44),
        ("hardly any", Made().engine(gap_ms=0.001), "passed", None, None),
    ],
    "TPR-LLM-002": [
        ("graphs", Made().engine(), "passed", None, None),
        ("no decode", Made().engine(decodes=0), "not_applicable", None, None),
    ],
    "TPR-LLM-003": [
        ("a prompt between", Made().engine(prefill_ms=8.0), "open", 3 * 8.0 / (window(4, 40, 0.25) + 4 * 4.0), None),
        ("prompts in decode", mixed(), "open", 10 * 3.0 / (10 * 4.8 + 19 * 0.01), None),
        ("a prompt at the beginning alone", decode_only(), "passed", 0, None),
        ("no decode", Made().engine(decodes=0), "not_applicable", None, None),
        ("no prompt", Made().engine(names=("execute_context_0(0)_generation_8(8)",) * 2), "not_applicable", None, None),
    ],
    "TPR-LLM-004": [
        ("8 of about 295", Made().engine(), "open", 8 / (989.4e12 / 3.35e12), None),
        ("256", Made().engine(names=("execute_context_2(256)_generation_0(0)", "execute_context_0(0)_generation_256(256)")),
         "passed", 256 / (989.4e12 / 3.35e12), None),
        ("no names", Made(annotate=False, operators=False).engine(), "undecided", None, None),
        ("no decode", Made().engine(decodes=0), "not_applicable", None, None),
    ],
}, report_on)
check.part("TPR-LLM-002: eager and idle half of the time")
report = report_on(idle_eager())
finding = next(f for f in report.doc["findings"] if f["id"] == "TPR-LLM-002")
check.equal("status", finding["status"], "open")
whole = (4000 - HOST) * 0.5 * kernels("prefill")[-1][1] + 40 * (900 - HOST) * 0.5 * last
check.near("measured", finding["measured"]["value"], EAGER / ((4000 + 40 * 900 - whole) / 1000 + 40 * 0.25 + whole / 1000), 0.02)
check.true("says how many kernels", "launches" in finding["saw"])
check.part("other runs")
check.equal("no such rule where nothing serves", [f["id"] for f in Report(
    Path(__file__).resolve().parents[2] / "examples" / "torch_ddp" / "input").doc["findings"] if "LLM" in f["id"]], [])
check.end()
