"""A PDF is short whatever the profile holds, still has every section, and says what it left to the other outputs."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pdf_sizes import text_sizes
from sampled import sampled
from told import with_texts

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = os.environ.get("TPREPORT_TEST_DATA")
MOST_PAGES = 15
LEAST_PT = 7.5
NOT_PRINTED = "Not printed here, but in the HTML and the embedded report.json (--top all prints it):"
LARGE = [  # under TPREPORT_TEST_DATA
    "synth/oom_candidate/logdir",
    "synth/outfeed_and_idle/logdir",
    "synth/pod_v3_32_straggler/logdir",
    "synth/resnet_v3_input_bound/logdir",
    "synth/transformer_v5e_compute_bound/logdir",
    "xla/found/xprof/demo/plugins/profile/GPU-multi-worker",
    "xla/found/xprof/demo/plugins/profile/Cloud-TPU",
    "xla/captured/synth_tpu_steps",
    "xla/captured/jax_cnn",
]
GRAPH = "tf/tfprof/gpusynth_conv/graph.pbtxt"  # whose drawing is nearly as high as a page
WITHOUT_STEPS = "pytorch/found/kineto_unit"  # whose sections are sentences without tables
LONGEST = "synth/pod_v3_32_straggler/logdir"  # all that can be left out is


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace")


def report(folder, path, *options):
    outputs = [Path(folder) / "report.pdf", Path(folder) / "report.json"]
    subprocess.run([os.environ["TPREPORT"], str(path), "-o", str(outputs[0]), "-o", str(outputs[1]), *options],
                   check=True, stderr=subprocess.DEVNULL)
    return outputs[0], with_texts(json.loads(outputs[1].read_text(encoding="utf-8")))


def pages_of(pdf):
    return int(re.search(r"^Pages:\s+(\d+)", run("pdfinfo", pdf), re.M)[1])


def text_of(pdf):
    return re.sub(r"\s+", " ", run("pdftotext", "-enc", "UTF-8", "-raw", pdf, "-"))


def folds(node, inside=()):
    """Titles of each fold and of the parts that it is in."""
    for child in node.get("sections", []) + node.get("blocks", []):
        titles = inside + ((child["title"],) if child.get("role") in ("sub", "fold") else ())
        if child.get("role") == "fold":
            yield titles
        yield from folds(child, titles)


def explanations(told):
    """By main section with an account of how its figures are made: the title, and how the account begins."""
    for section in told["sections"]:
        for fold in section["blocks"]:
            if fold.get("title") == "About these figures":
                yield section["title"], re.split(r"[`*\[]", fold["blocks"][0]["items"][0])[0][:40]


def stands_in(text, title):
    return re.sub(r"\s+", "", title) in re.sub(r"\s+", "", text)


def whole_and_short(name, path):
    """No more pages than that; every main section is a bookmark; what is not printed is named."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, told = report(folder, path)
        pages, text = pages_of(pdf), text_of(pdf)
        if pages > MOST_PAGES:
            yield f"{name}: {pages} pages"
        outline = json.loads(run("qpdf", "--json", pdf))["outlines"]
        marked = [item["title"] for item in outline]
        for section in told["sections"]:
            if section.get("title") and section["title"] not in marked:
                yield f"{name}: no bookmark of {section['title']!r}: {marked}"
        small = sorted({(page, round(size, 2)) for page, size in text_sizes(pdf) if size < LEAST_PT - .01})
        if small:
            yield f"{name}: text below {LEAST_PT} pt (page, size): {small}"
        if text.count(NOT_PRINTED) > 1:
            yield f"{name}: said {text.count(NOT_PRINTED)} times what is not printed"
        appendix = text.split("About these figures", 2)[-1]  # after the contents and the heading
        for title, words in explanations(told):
            if not stands_in(appendix, words):
                yield f"{name}: how the figures of {title!r} are made is not in the appendix"
        for finding in told["findings"]:
            if finding["status"] != "open" and not stands_in(text, finding["name"]):
                yield f"{name}: page 1 counts the check {finding['name']!r}, which is not printed"
            if finding["status"] == "undecided" and not stands_in(text, re.split(r"[`*\[]", finding["title"])[0]):
                yield f"{name}: nothing says why {finding['name']!r} is undecided"
        yield from reasons_stand_once(name, told, text)
        for titles in folds(told):
            if not any(stands_in(text, title) for title in titles):
                yield f"{name}: neither printed nor named: {titles}"


def reasons_stand_once(name, told, text):
    """What a note beside a dash says is not said again below the table."""
    caption = "The whole run: all steps, hosts and devices together"
    sections = [section["id"] for section in told["sections"]]
    if "performance" not in sections or caption not in text:
        return
    after = told["sections"][sections.index("performance") + 1]
    part = re.sub(r"\s", "", text[text.index(caption):])
    part = part[:part.find(re.sub(r"\s", "", after["answer"])[:40])]
    [table] = [block for section in told["sections"] for block in section["blocks"] if block["id"] == "performance/table"]
    notes = [row["cells"]["note"]["value"] for row in table["rows"] if row["cells"]["value"]["value"] is None]
    for note in {note for note in notes if len(note or "") > 20}:
        if part.count(re.sub(r"\s", "", note)) > notes.count(note):
            yield f"{name}: said again below the table: {note}"


def more_rows_are_more_pages(path):
    """Who asks for rows gets them, without a bound."""
    with tempfile.TemporaryDirectory() as folder:
        bounded = report(folder, path)[0]
        few = text_of(bounded)
        asked = report(folder, path, "--top", "10")[0]
        if pages_of(asked) <= MOST_PAGES:
            yield f"--top 10: {pages_of(asked)} pages only"
        if NOT_PRINTED not in few:
            yield "nothing says where the rest is"
        if "All operations" not in few or "tf.data stages" not in few:
            yield "what was spared is not named"
        if "Every operation, by self time" in few or "Every operation, by self time" not in text_of(asked):
            yield "the list of all operations is printed where it should be spared, or the other way round"


def open_rows_of_a_tree_are_printed(path):
    """Rows that are shut take no room from those that stand open."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, told = report(folder, path)
        text = text_of(pdf)
        [graph] = [section for section in told["sections"] if section["id"] == "graph"]
        [scopes] = [block for block in graph["blocks"] if block["id"] == "graph/scopes"]
        for row in [row for row in scopes["rows"] if row.get("depth") == 1][:10]:
            words = f"{row['cells']['scope']['text']} {row['cells']['nodes']['text']}"
            if words not in text:
                yield f"no row {words}"


def a_short_summary_shares_its_page(path):
    """Where no profile was taken page 1 would stay white but for a few lines."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, told = report(folder, path)
        first = re.sub(r"\s+", "", run("pdftotext", "-enc", "UTF-8", "-raw", "-l", "1", pdf, "-"))
        [title] = [section["title"] for section in told["sections"] if section["id"] == "whole-run"]
        if first.count(re.sub(r"\s+", "", title)) < 3:  # in the words below the verdict, in the contents, and itself
            yield f"{title} is not on page 1"


def page_one_is_filled(name, path):
    """What leaves a third of page 1 white shares it with what follows."""
    with tempfile.TemporaryDirectory() as folder:
        words = run("pdftotext", "-enc", "UTF-8", "-bbox", "-l", "1", report(folder, path)[0], "-")
        height = float(re.search(r'<page width="[^"]*" height="([^"]*)"', words)[1])
        bottoms = sorted({float(y) for y in re.findall(r'yMax="([^"]*)"', words)})
        lowest = [y for y in bottoms if y < bottoms[-1] - 10][-1]  # above the foot
        if lowest < .7 * height:
            yield f"{name}: page 1 is white below {lowest / height:.0%}"


def without_findings_page_one_has_the_largest(path, findings):
    """Where there is nothing to do first, its room is for what takes most time."""
    with tempfile.TemporaryDirectory() as folder:
        pdf, told = report(folder, path)
        first = run("pdftotext", "-enc", "UTF-8", "-raw", "-l", "1", pdf, "-")
        [section] = [section for section in told["sections"] if section["id"] == "operations"]
        bars = next(block for block in section["blocks"] if block.get("chart") == "bars")
        has_title = stands_in(first, "Operations: what takes most")
        if has_title == findings:
            yield f"{path}: findings {findings}, but the largest operations on page 1 {has_title}"
        for label in bars["labels"][:3] if not findings else []:
            if not stands_in(first, label):
                yield f"{path}: {label} is not on page 1"


def main():
    missing = [t for t in ["pdfinfo", "pdftotext", "qpdf"] if not shutil.which(t)]
    if missing:
        print("skipped: no " + ", ".join(missing))
        return 77
    failures = []
    for example in sorted((SOURCE / "examples").glob("*/input")):
        failures += whole_and_short(example.parent.name, example)
        failures += page_one_is_filled(example.parent.name, example)
    failures += open_rows_of_a_tree_are_printed(SOURCE / "examples" / "tf_graph" / "input")
    [graph] = (SOURCE / "examples" / "tf_graph" / "input").glob("events.*")
    failures += a_short_summary_shares_its_page(graph)
    failures += without_findings_page_one_has_the_largest(SOURCE / "examples" / "tpu_two_hosts" / "input", False)
    failures += without_findings_page_one_has_the_largest(SOURCE / "examples" / "estimator_job" / "input", True)
    for path in sorted({LONGEST, *sampled("large profiles", LARGE, 3)}) if DATA else []:
        failures += whole_and_short(path, Path(DATA) / path)
    if DATA:
        failures += page_one_is_filled("no steps", Path(DATA) / WITHOUT_STEPS)
        failures += page_one_is_filled("a graph alone", Path(DATA) / GRAPH)
        failures += more_rows_are_more_pages(Path(DATA) / LONGEST)
    print("\n".join(failures))
    return 1 if failures else 0


sys.exit(main())
