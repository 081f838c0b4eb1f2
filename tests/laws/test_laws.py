"""Laws that every report keeps, whatever its input: shares lie in [0, 1], parts sum, what is missing has a reason, no sentence
stands around a missing figure, and `get`, JSON and page say the same.

The samples are the examples, tests/truth/own and, where TPREPORT_TEST_DATA is set, every profile there: of those one in
ONE_IN of at most LARGEST bytes and those that broke a law once, or all with TPREPORT_ALL=1. Names of samples on the command line
choose those alone."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import laws_of_figures
import laws_of_one_figure
import laws_of_pages
import laws_of_words
import page_figures
import pages
from columns_told import same_columns
from doctored import doctored, doctored_waits, doctored_workers
from report_tree import number
from sampled import ALL, sampled, small
from told import with_texts

TPREPORT = os.environ.get("TPREPORT", "tpreport")
SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = os.environ.get("TPREPORT_TEST_DATA")
ONE_IN, LARGEST = 12, 400_000
BROKE_ONCE = [  # under TPREPORT_TEST_DATA
    "pytorch/captured/ddp_gloo2",
    "pytorch/found/kineto_tb_samples/resnet50_autograd_api_num_workers_4",
    "tf/tfprof/gpusynth_conv",
    "xla/found/xprof/demo/plugins/profile/Cloud-TPU",
    "xla/found/xprof/demo/plugins/profile/GPU-multi-worker",
]

# Folders of answers, not of profiles.
NO_SAMPLES = re.compile(r"/(truth[^/]*|licenses|tpu_compat)(/|$)|/synth/[^/]+/xprof(/|$)|\.md$")

# Breaches that are none, or are about to be mended: law, what (and where), why.
ALLOWED = [
    ("share in [0, 1]", r"^memory\.peak_share", "a plan may need more memory than the device has"),
    ("not negative", r":distance$", "instructions before one are told from those after it by the sign"),
    ("not negative", r"^timeline/longest/twice:", "what ran at the same time as something else is taken off the sum"),
    ("share in [0, 1]", r"^timeline/longest/twice:", "likewise"),
    ("no text around a hole", r"^summary/counts ", "the sign of what is not applicable, before its count"),
    ("no text around a hole", r"^performance/how/text ", "says how a missing figure is shown"),
    ("no text around a hole", r"^whole-run/not-finite .*nan or inf", "says at how many points a scalar is no number"),
]

LAWS = {**laws_of_figures.LAWS, **laws_of_one_figure.LAWS, **laws_of_words.LAWS, **laws_of_pages.LAWS}


def same_as_get(report, path):
    """`get` prints the number that JSON holds, and the reason where there is none."""
    ids = list(report["metrics"])
    done = subprocess.run([TPREPORT, "get", "-q", path, *ids], capture_output=True, check=False)
    lines = done.stdout.decode("utf-8", "replace").split("\n")[:-1]
    if done.returncode != 0 or len(lines) != len(ids):
        yield "get", (done.returncode, len(lines), len(ids), done.stderr[:200])
        return
    for name, line in zip(ids, lines):
        metric, fields = report["metrics"][name], line.split("\t")
        value = metric["value"]
        if fields[0] != name or value is None and fields[1:] != ["-", plain_field(metric["missing"])] or \
                number(value) and (float(fields[1]) != value or fields[2] != metric["unit"]):
            yield name, (line, value)


def traces_of(path):
    """The text of a trace, and of all in a folder; none where one cannot be read."""
    files = [path] if os.path.isfile(path) else [os.path.join(folder, f) for folder, _, names in os.walk(path) for f in names]
    try:
        texts = [gzip.decompress(Path(f).read_bytes()) if str(f).endswith(".gz") else Path(f).read_bytes() for f in files]
    except (OSError, EOFError, zlib.error):
        return []
    return [text for text in texts if b"traceEvents" in text]


def marks_are_steps(report, path):
    """Where ProfilerStep marks steps, nothing else does, and there is no section on serving unless an engine names its iterations."""
    traces = traces_of(path)
    if not traces or not all(re.search(rb'"ProfilerStep#\d+"', text) for text in traces):
        return
    source = report["metrics"]["run.step_source"]["value"]
    if source != "markers":
        yield "run.step_source", source
    engines = rb'"(execute_(new|context|\d+_context)_|step\[|(\[Executor\] )?_forward_step|(prefill|decode)\[bs=)'
    if not any(re.search(engines, text) for text in traces) and any(section["id"] == "serving" for section in report["sections"]):
        yield "serving", "a section"


def said_once(report, page):
    """A column that is the same in all rows of a table of the page stands below it, not in it."""
    boxes = {element.attributes.get("id"): element for element in page.walk()}
    for table in page_figures.blocks(report, "table"):
        same = same_columns(table) if table["id"] in boxes else []
        text = pages.plain(boxes[table["id"]].text()) if same else ""
        heads = [pages.plain(e.text()) for box in [boxes[table["id"]]] for e in box.walk() if e.tag == "span" and "h" in e.classes()] if same else []
        for column in same:
            others = [other for other in table["columns"] if other["title"] == column["title"] and other not in same]
            if heads.count(column["title"]) > len(others) or "n all rows" not in text or column["title"] not in text:
                yield table["id"], (column["title"], table["rows"][0]["cells"][column["key"]]["text"])


def one_account(report, page):
    """How figures are made stands once in a section of the page, folded at its end; nothing of it is lost."""
    folds = [e for e in page.walk() if e.tag == "details" and "about" in e.classes()]
    ids = {e.attributes.get("id"): e.tag for fold in folds for e in fold.walk()}
    yield from ((block["id"], "not in the page") for block in page_figures.blocks(report, "section") if block.get("about") and block["id"] not in ids)
    for section in page.walk():
        if section.tag in ("section", "article") and {"sec", "view"} & set(section.classes()):
            inside = [e for e in section.walk() if e in folds]
            if len(inside) > 1:
                yield section.attributes["id"], len(inside)


TILES = """<div id="here"><div class="tile" id="good"><a href="#here">1</a></div><div class="tile" id="none"><a>1</a></div>
<div class="tile" id="nowhere"><a href="#there">1</a></div></div>"""


def tiles_lead(page):
    """Each tile leads to a place of the page that tells more."""
    ids = {element.attributes["id"] for element in page.walk() if "id" in element.attributes}
    for tile in page.walk():
        if "tile" in tile.classes():
            links = [element.attributes.get("href") or "" for element in tile.walk() if element.tag == "a"]
            if not links or not all(link[:1] == "#" and link[1:] in ids for link in links):
                yield tile.attributes.get("id"), links


def plain_field(text):
    return re.sub(r"[\x00-\x1f\x7f]", " ", text)


def breaches(path):
    """(law, what, found) of one sample; None where there is no profile to report."""
    with tempfile.TemporaryDirectory() as folder:
        made, page = Path(folder, "r.json"), Path(folder, "r.html")
        done = subprocess.run([TPREPORT, "-q", path, "-o", made, "-o", page], capture_output=True, check=False)
        if done.returncode in (3, 4):
            return None
        if done.returncode != 0:
            return [("a report is made", "exit status", (done.returncode, done.stderr[-300:]))]
        report = with_texts(json.loads(made.read_text(encoding="utf-8")))
        tree = pages.read_html(page.read_text(encoding="utf-8"))
    found = [(law, what, value) for law, check in LAWS.items() for what, value in check(report)]
    found += [("said once", what, value) for what, value in said_once(report, tree)]
    found += [("one account", what, value) for what, value in one_account(report, tree)]


    found += [("tiles lead", what, value) for what, value in tiles_lead(tree)]
    found += [("JSON = page", "", text) for text in page_figures.html_metrics(report, tree)]
    found += [("JSON = get", what, value) for what, value in same_as_get(report, path)]
    found += [("marks are steps", what, value) for what, value in marks_are_steps(report, path)]
    return found


def tried(path):
    try:
        return breaches(path)
    except (ValueError, KeyError, OSError, subprocess.SubprocessError) as error:
        return [("a report can be read", type(error).__name__, error)]


def samples_in(root):
    """Files, and folders that are log directories: of several files, or named so."""
    for folder, folders, files in os.walk(root, followlinks=True):
        folders[:] = sorted(f for f in folders if not NO_SAMPLES.search(f"{folder}/{f}"))
        files = sorted(f for f in files if not NO_SAMPLES.search(f"{folder}/{f}"))
        yield from (os.path.join(folder, file) for file in files)
        if len(files) > 1 or os.path.basename(folder) in ("logdir", "input", "plugins"):
            yield folder


def size_of(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, f)) for folder, _, files in os.walk(path, followlinks=True) for f in files)


def samples():
    own = [p for root in ("examples", "tests/truth/own") for p in samples_in(SOURCE / root)
           if not re.search(r"/expected|\.(py|sh|md)$|/examples/[^/]+$", p)]
    data = list(samples_in(DATA)) if DATA else []
    data = sampled("profiles that are not large", small("profiles", data, lambda p: size_of(p) > LARGEST), ONE_IN)
    return own + sorted({*data, *(os.path.join(DATA, path) for path in BROKE_ONCE if DATA)})


def allowed(law, what, used):
    entries = [entry for entry in ALLOWED if law == entry[0] and re.search(entry[1], what)]
    used.update(entries)
    return bool(entries)


def self_check():
    """Each law notices a report that breaks it."""
    unbroken = set(LAWS)
    for sample, break_it in (("tpu_two_hosts", doctored), ("estimator_job", doctored_waits), ("torch_ddp", doctored_workers)):
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder, "r.json")
            subprocess.run([TPREPORT, "-q", SOURCE / f"examples/{sample}/input", "-o", made], check=True)
            text = made.read_text(encoding="utf-8")
        for number, (law, *_) in enumerate(break_it(with_texts(json.loads(text)))):
            report = with_texts(json.loads(text))
            _, node, key, value = list(break_it(report))[number]
            before = len(list(LAWS[law](report)))
            node.update(value if key is None else {key: value})
            unbroken.discard(law)
            if len(list(LAWS[law](report))) <= before:
                yield f"self-check: nobody notices what breaks the law {law!r} in {sample}: {value}"
    yield from (f"self-check: nothing breaks the law {law!r}" for law in unbroken)
    broken = {"metrics": {"run.step_source": {"value": "inferred"}}, "sections": [{"id": "serving"}]}
    if len(list(marks_are_steps(broken, SOURCE / "examples/torch_ddp/input"))) != 2:
        yield "self-check: nobody notices what breaks the law 'marks are steps'"
    cells = {"name": {"value": "n", "text": "n"}, "device": {"value": "TPU:0", "text": "TPU:0"}, "at": {"value": 1, "text": "1"}}
    table = {"kind": "table", "id": "t", "columns": [{"key": key, "title": key} for key in cells],
             "rows": [{"cells": {**cells, "at": {"value": at, "text": str(at)}}} for at in range(3)]}
    page = pages.read_html('<div id="t"><table><tr><th><span class="h">name</span></th><th><span class="h">device</span></th></tr></table></div>')
    if len(list(said_once({"sections": [table]}, page))) != 1:
        yield "self-check: nobody notices what breaks the law 'said once'"
    twice = pages.read_html('<section class="sec" id="s"><details class="about"></details><details class="about"></details></section>')
    if len(list(one_account({"kind": "section", "id": "s/how", "about": True}, twice))) != 2:
        yield "self-check: nobody notices what breaks the law 'one account'"


    if [what for what, _ in tiles_lead(pages.read_html(TILES))] != ["none", "nowhere"]:
        yield "self-check: nobody notices what breaks the law 'tiles lead'"


def main():
    faults = list(self_check())
    used = set()
    paths = sys.argv[1:] or samples()
    with ThreadPoolExecutor(max_workers=2) as pool:
        results = list(zip(paths, pool.map(tried, paths)))
    by_law = {}
    for path, found in results:
        for law, what, value in found or []:
            if not allowed(law, what, used):
                by_law.setdefault(law, []).append((path, what, value))
    for law, found in by_law.items():
        print(f"{law}: {len(found)} in {len({path for path, _, _ in found})} samples")
        for path, what, value in found[:None if ALL else 10]:
            print(f"    {path}: {what}: {str(value)[:300]}")
    if ALL and DATA and not sys.argv[1:]:
        faults += [f"allowed, but no sample has it: {entry}" for entry in ALLOWED if entry not in used]
    print("".join(f"{fault}\n" for fault in faults), end="")
    reported = sum(found is not None for _, found in results)
    print(f"{len(paths)} samples, {reported} reports, {sum(map(len, by_law.values()))} breaches")
    sys.exit(bool(by_law or faults) or reported == 0)


if __name__ == "__main__":
    main()
