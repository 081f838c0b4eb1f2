"""A report is an input: read back from JSON, the page or the PDF it is the same report; older, cut, edited and foreign ones end in a clear message."""

import json
import os
import re
import subprocess
from pathlib import Path

from cases import must, run_all
from page_figures import blocks
from summary_file import lists_of, unpacked, with_lists
from timeline_tiles import drawn_only

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = os.environ["TPREPORT"]
DATA = os.environ.get("TPREPORT_TEST_DATA")
EXAMPLES = sorted((SOURCE / "examples").glob("*/input"))
# What 0.1.0 did not write.
NEW = {"reference", "off_paper", "spare", "choice", "same_elsewhere", "about", "evidence", "section", "open_depth", "life", "decimals", "bar", "code", "core", "tint",
       "legend", "area", "lifetimes_title", "axis_points", "note", "window_label", "x_title", "y_title", "minor", "scale"}


def run(*words):
    return subprocess.run([TPREPORT, "-q", *map(str, words)], capture_output=True, text=True, check=False)


def made(folder, source, *names):
    """The outputs of one run."""
    paths = [Path(folder, name) for name in names]
    done = run(source, *[word for path in paths for word in ("-o", path)])
    must(done.returncode == 0, source, done.stderr)
    return paths


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_same_again(folder):
    for example in EXAMPLES:
        report, page, pdf = made(folder, example, "a.json", "a.html", "a.pdf")
        for source in (report, page, pdf):
            again, page_again = made(folder, source, "b.json", "b.html")
            if source == pdf:
                must(read(again) == drawn_only(read(report)), example, source.name, "read back is another report")
                continue
            must(again.read_bytes() == report.read_bytes(), example, source.name, "read back is another report")
            must(page_again.read_bytes() == page.read_bytes(), example, source.name, "gives another page")
        for word in ("a.json", "a.html"):
            told = set(run("get", Path(folder, word)).stdout.splitlines())
            must(told and told >= set(run("get", example).stdout.splitlines()), example, word, "get says other figures")


def older(node):
    """As versions before had it: no pieces of sentences, none of the members that are new."""
    if isinstance(node, list):
        return [older(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: older(value) for key, value in node.items() if not key.endswith("_spans")}
    if kept.get("kind") == "section" or "key" in kept or kept.get("kind") in ("table", "chart", "finding") or "hue" in kept or {"from", "to"} <= kept.keys():
        kept = {key: value for key, value in kept.items() if key not in NEW or (key == "x_title" and kept.get("chart") == "curves")}
    return kept


def figures(report):
    tables = {table["id"]: [[cell["value"] for cell in row["cells"].values()] for row in table["rows"]] for table in blocks(report, "table")}
    return {id: metric["value"] for id, metric in report["metrics"].items()}, tables, [(f["id"], f["status"]) for f in report["findings"]]


def test_older(folder):
    for example in EXAMPLES:
        (report,) = made(folder, example, "a.json")
        was = json.loads(report.read_text(encoding="utf-8"))
        past = Path(folder, "past.json")
        past.write_text(json.dumps(older(was)), encoding="utf-8")
        must("answer_spans" not in past.read_text(encoding="utf-8"), "the older report is none")
        again, _, _ = made(folder, past, "b.json", "b.html", "b.pdf")
        must(figures(json.loads(again.read_text(encoding="utf-8"))) == figures(was), example, "the older report has other figures")


def test_plain_page(folder):
    """Pages before 0.2 held their JSON as it is."""
    (report,) = made(folder, EXAMPLES[0], "a.json")
    page = Path(folder, "old.html")
    page.write_text('<!DOCTYPE html><html><script type="application/json" id="report-json">' + report.read_text(encoding="utf-8") + "</script></html>", encoding="utf-8")
    (again,) = made(folder, page, "b.json")
    must(again.read_bytes() == report.read_bytes(), "the plain page is another report")


# Whose summaries would be the longest: many operations, traces or metrics with a scope.
LONG = ("synth/oom_candidate/logdir", "synth/pod_v3_32_straggler/logdir", "pytorch/found/tracelens/mi300", "xla/found/xprof/demo/plugins/profile/GPU-multi-worker")
MOST_BYTES = 64 << 10


def test_summary(folder):
    """A summary of a usual run is at most 64 KiB, and is the same whether its lists stand packed or not."""
    for source in EXAMPLES + [Path(DATA, name) for name in LONG if DATA]:
        [summary] = made(folder, source, "a.tps")
        data, plain = summary.read_bytes(), Path(folder, "plain.tps")
        must(len(data) <= MOST_BYTES, source, len(data))
        plain.write_bytes(unpacked(data))
        forms = [made(folder, path, name)[0].read_bytes() for path, name in ((summary, "s.json"), (plain, "p.json"))]
        must(forms[0] == forms[1], source, "packed lists are read as others")


def test_refused_summaries(folder):
    [summary] = made(folder, EXAMPLES[0], "a.tps")
    data, other = summary.read_bytes(), Path(folder, "x.tps")
    lists = lists_of(data)
    for bytes_of in (data[:len(data) // 2], data[:-1], with_lists(data, lists[:-1]), with_lists(data, b"\xff" * 50),
                     data[:-40] + bytes(40), with_lists(data, bytes(200 << 20))):
        other.write_bytes(bytes_of)
        refused(other, 4, "damaged or cut off")
    other.write_bytes(with_lists(data, lists))
    made(folder, other, "c.json")


def refused(path, status, *words):
    done = run(path, "-o", "-", "--format", "json")
    must(done.returncode == status, path.name, "exit", done.returncode, "instead of", status, done.stderr)
    must(done.stdout == "" and done.stderr.count("\n") <= 2 and str(path) in done.stderr, path.name, repr(done.stderr))
    for word in words:
        must(word in done.stderr, path.name, repr(done.stderr), "does not say", word)


def test_refused(folder):
    report, page, pdf = made(folder, EXAMPLES[0], "a.json", "a.html", "a.pdf")
    text, other = report.read_text(encoding="utf-8"), Path(folder, "x.json")
    for was, now, word in (
            ('"schema": "tpreport.report/1"', '"schema": "tpreport.report/9"', "later version"),
            ('"kind": "tiles"', '"kind": "tilings"', "kind"),
            ('"unit": "ms"', '"unit": "parsecs"', "unit"),
            ('"role": "main"', '"role": "minor"', "main"),
            ('"labels": [', '"labels": ["one more", ', "values"),
            ('"series": [', '"series": [7, ', "series"),
            ('"depth": 0', '"depth": -1', "depth"),
            ('"rows": [', '"rows": {}, "nothing": [', None)):
        must(was in text, was, "is not in the report")
        other.write_text(text.replace(was, now, 1), encoding="utf-8")
        if word is not None:
            refused(other, 4, word)
    other.write_text(text[:len(text) // 2], encoding="utf-8")
    refused(other, 4, "cut off", "at byte")
    other.write_text('{"schema": "tpreport.report/1", "sections": ' + "[" * 5000, encoding="utf-8")
    refused(other, 4, "nested")
    whole = page.read_text(encoding="utf-8")
    cut = Path(folder, "cut.html")
    cut.write_text(whole[:whole.index('id="report-json">') + 500], encoding="utf-8")
    refused(cut, 4, "cut off")
    cut.write_text(re.sub(r'(id="report-json">.{400}).{8}', r"\1AAAAAAAA", whole, count=1), encoding="utf-8")
    refused(cut, 4)
    cut.write_text("<!doctype html><p>hello", encoding="utf-8")
    refused(cut, 4, "cut off")
    cut.write_text("<!doctype html><html><p>hello</html>", encoding="utf-8")
    refused(cut, 3, "did not write")
    paper, bytes_of = Path(folder, "cut.pdf"), pdf.read_bytes()
    at = bytes_of.rindex(b"/Subtype /application#2Fjson")
    paper.write_bytes(bytes_of[:at + 400])
    refused(paper, 4, "cut off")
    paper.write_bytes(bytes_of[:1000])
    refused(paper, 4, "cut off")
    paper.write_bytes(bytes_of[:1000] + b"%%EOF\n")
    refused(paper, 3, "without a report attached")
    done = run(report, EXAMPLES[0], "-o", Path(folder, "y.html"))
    must(done.returncode == 2 and "one kind" in done.stderr, done.stderr)
    done = run("hlo", report)
    must(done.returncode == 3 and "log directory" in done.stderr, done.stderr)


run_all([test_same_again, test_older, test_plain_page, test_summary, test_refused, test_refused_summaries])
