"""Iterations of stored traces of vLLM, SGLang and others: kinds and counts as counted by hand in the files, here once more by their
names alone; and traces with ProfilerStep have the steps that ProfilerStep marks."""

import gzip
import json
import re

from truth import Check, Report, test_data

check = Check()
FOUND = test_data("pytorch", "found", "tracelens")

# By hand: one iteration each; what its name says of prompts and requests that are decoded.
BY_HAND = {
    "inference/sglang_decode/sglang_Qwen3-8B_decode.json.gz": {"decode": 1},
    "inference/sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode.json.gz": {"prefill": 1},
    "inference/vllm_decode_full/graph_execution.json.gz": {"decode": 1},
    "inference/vllm_prefilldecode_piecewise/graph_execution.json.gz": {"mixed": 1},
}


def kinds(report):
    counts = {kind: report.metric(f"llm.iteration.{kind}.count") for kind in ("prefill", "decode", "mixed", "other")}
    return {kind: count for kind, count in counts.items() if count}


for name, expected in BY_HAND.items():
    check.part(name)
    events = json.loads(gzip.open(FOUND / name).read())["traceEvents"]
    outer = [e["name"] for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("execute_")]
    check.equal("in the file", len(outer), sum(expected.values()))
    report = Report(FOUND / name)
    check.equal("source", report.metric("run.step_source"), "annotations")
    check.equal("kinds", kinds(report), expected)
    tokens = [int(n) for n in re.findall(r"(?:context|generation)_\d+\(sq(\d+)", outer[0])]
    row = report.rows("serving/iterations")[-1]
    check.equal("prompt tokens", row["tokens_in"] or 0, tokens[0])
    families = [row["family"] for row in report.rows("serving/families/list")]
    check.true("families: " + ", ".join(families), {"Attention", "GEMM", "Normalization", "Rotary embedding", "KV cache"} <= set(families))
    check.true("every name is of a family", "Other" not in families)

marked = sorted((FOUND / "mi300").glob("*.json.gz")) + sorted((FOUND / "h100").glob("*.json.gz"))
check.true("traces with ProfilerStep", len(marked) >= 6)
for path in marked:
    check.part(path.name)
    events = json.loads(gzip.open(path).read())["traceEvents"]
    count = len({e["name"] for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#")})
    report = Report(path)
    check.equal("source", report.metric("run.step_source"), "markers")
    check.equal("steps", report.metric("step.seen_count"), count)
    check.equal("no section on serving", [s["id"] for s in report.doc["sections"] if s["id"] == "serving"], [])

check.part("kernels alone, a single step")
report = Report(FOUND / "mi210" / "gpu_only_trace" / "gpu_only_trace.json.gz")
check.equal("nothing repeats", report.metric("step.count"), None)
check.true("says that kernels are there", "order of its kernels" in report.missing("step.count"))
check.true("of no figure that device work is not there",
           not any("no runtime calls and no device work" in report.missing(name) for name in report.metrics))

check.part("capturing graphs is no serving")
for path in sorted(FOUND.glob("inference/*/capture_traces/*.json.gz")):
    check.true(path.name, Report(path).metric("run.step_source") in ("none", "markers"))
check.end()
