"""The PDF of the sample document, read back with poppler and qpdf: what it says, how it is built, and that it never varies."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from timeline_tiles import drawn_only

TOOLS = ["pdftotext", "pdffonts", "pdfdetach", "pdfinfo", "qpdf"]
A4, LETTER = (595.276, 841.89), (612, 792)


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


class Sample:
    """The sample in one shape, and what tools say about it."""

    def __init__(self, folder, *options):
        self.path = Path(folder) / ("-".join(("sample",) + options) + ".pdf")
        subprocess.run([os.environ["TPREPORT_SAMPLE"], "pdf", str(self.path), *options], check=True)
        status, out, err = run("qpdf", "--json", self.path)
        self.qpdf = json.loads(out) if status == 0 else {}
        self.pages = int(re.search(r"^Pages:\s+(\d+)", run("pdfinfo", self.path)[1], re.M)[1])

    def text(self, page=None, layout=False):
        """Of a page or all, in the order in which it was written; layout: as it stands on the page."""
        which = ["-f", page, "-l", page] if page else []
        out = run("pdftotext", "-enc", "UTF-8", "-layout" if layout else "-raw", *which, self.path, "-")[1]
        return re.sub(r"[\u00a0\u2002\u2003\u202f]", " ", out)

    def objects(self):
        """Each object's dictionary; a name or a key twice in the file's history counts once, as the newest."""
        for value in self.qpdf["qpdf"][1].values():
            yield value.get("value", value.get("stream", {}).get("dict"))


def says(text, part):
    """Whether the words stand there: which gap is a blank is pdftotext's guess, so blanks do not count."""
    return "".join(part.split()) in "".join(text.split())


def page_one_is_enough_alone(s):
    text = s.text(1)
    for part in [
        "resnet50-imagenet", "run 2026_11_21_02_41_41", "TPU v3", "steps 4,200–4,259",
        "▲ Input-bound (high): 62.0 % of step time is spent waiting for input;",
        "hiding it would make steps at most 2.6× faster.",
        "Therefore speed up the input pipeline first",
        "✓ 60/60 steps on 4/4 hosts", "0 dropped events",
        "Step time 126 ms, median", "Throughput 3,994 examples/s", "Matrix-unit use 5.0 %", "▲ low",
        "Device busy 36.6 %", "Memory peak 3.21 GiB", "Exposed communication –", "no collective seen",
        "Where a step goes", "p95 141 ms", "Do this first",
        "One batch takes 126 ms to make", "TPR-INPUT-001", "79.5 ms a step",
        "TPR-PAD-002", "10.2 ms a step, after 1", "TPR-LAUNCH-003",
        "2 checks passed", "1 not applicable", "1 undecided",
        "summary embedded: report.json", f"1 / {s.pages}",
    ]:
        yield says(text, part), f"page 1 does not say {part!r}"


def contents_name_the_right_pages(s):
    for title in ["Findings", "Steps", "Operations", "Memory", "Runs, workers and spans", "Timeline", "Environment", "Method, data"]:
        page = re.search(rf"^{title}.* (\d+)$", s.text(1), re.M)
        found = [n for n in range(2, s.pages + 1) if re.search(rf"^{title}( |$)", s.text(n), re.M)]
        yield bool(page) and int(page[1]) in found, f"{title} is on {found}, contents say {page and page[1]}"


def every_page_is_numbered(s):
    for n in range(1, s.pages + 1):
        yield says(s.text(n), f"{n} / {s.pages}"), f"page {n} has no number"


def fonts_are_embedded_subsets_with_unicode(s):
    lines = run("pdffonts", s.path)[1].splitlines()[2:]
    yield len(lines) > 3, "no fonts"
    for line in lines:
        yield re.search(r"\s(yes)\s+(yes)\s+(yes)\s+\d+\s+\d+$", line) is not None, f"font: {line}"
        yield re.match(r"[A-Z]{6}\+(Inter|JetBrainsMono)", line) is not None, f"not our font: {line}"


def qpdf_finds_no_fault(s):
    status, out, err = run("qpdf", "--check", s.path)
    yield status == 0 and not err, f"qpdf --check: {out} {err}"


def bookmarks_are_the_sections(s):
    def titles(items):
        return [(i["title"], titles(i["kids"])) for i in items]

    outline = titles(s.qpdf["outlines"])
    yield [t for t, _ in outline] == [
        "Summary", "Findings", "Steps", "Operations", "Memory", "Runs, workers and spans", "Timeline", "Environment", "Method, data",
        "About these figures",
    ], f"bookmarks: {outline}"
    yield "Where a step goes" in [t for t, _ in outline[0][1]], "no bookmark inside the summary"
    for item in s.qpdf["outlines"]:
        yield item["dest"] is not None, f"bookmark leads nowhere: {item['title']}"


def links_lead_somewhere(s):
    names = set(re.findall(r'"([^"]+)"$', run("pdfinfo", "-dests", s.path)[1], re.M))
    links = [o["/Dest"] for o in s.objects() if isinstance(o, dict) and "/Dest" in o and o.get("/Subtype") == "/Link"]
    yield {"steps", "operations/tree", "operations/convolution/fusion.12", "findings"} <= names, "a name is missing"
    yield len(links) >= 10, f"{len(links)} links only"
    for link in links:
        yield link.removeprefix("u:").removeprefix("b:") in names or isinstance(link, list), f"link to {link}"


def document_says_what_it_is(s):
    info = run("pdfinfo", s.path)[1]
    for part in ["Title:           resnet50-imagenet · 2026_11_21_02_41_41", "Subject:         Input-bound (high)",
                 "Keywords:        profile", "Tagged:          yes"]:
        yield part in info, f"pdfinfo does not say {part!r}"
    catalog = next(o for o in s.objects() if isinstance(o, dict) and o.get("/Type") == "/Catalog")
    yield catalog.get("/Lang") in ("u:en", "b:en"), "no language"
    yield catalog.get("/ViewerPreferences", {}).get("/DisplayDocTitle") is True, "title bar shows the file's name"
    yield "/PageLabels" in catalog, "no page labels"


def structure_is_told(s):
    out = run("pdfinfo", "-struct", s.path)[1]
    for tag in ["Document", "H1", "H2", "H3", "P ", "Table", "TR", "TH", "TD", "Figure", "Link", "Caption"]:
        yield re.search(rf"^\s*{tag}", out, re.M) is not None, f"no {tag} in the structure"
    figures = [o for o in s.objects() if isinstance(o, dict) and o.get("/S") == "/Figure"]
    yield figures and all("/Alt" in f for f in figures), "a figure without words"


def summary_rides_along(s):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.json"
        run("pdfdetach", "-savefile", "report.json", "-o", out, s.path)
        want = subprocess.run([os.environ["TPREPORT_SAMPLE"], "json", "-"], check=True, stdout=subprocess.PIPE).stdout
        inside = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        yield inside == drawn_only(json.loads(want)), "report.json inside is not the JSON output"


def bytes_never_vary(s):
    with tempfile.TemporaryDirectory() as folder:
        again = Sample(folder)
        yield again.path.read_bytes() == s.path.read_bytes(), "two runs differ"
        # Neither the machine's fonts nor its locale nor its clock have a part in it.
        env = {**os.environ, "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "FONTCONFIG_FILE": "/dev/null", "HOME": folder}
        other = Path(folder) / "other.pdf"
        subprocess.run([os.environ["TPREPORT_SAMPLE"], "pdf", str(other)], check=True, env=env)
        yield other.read_bytes() == s.path.read_bytes(), "the environment shows in the bytes"


def names_can_be_copied(s):
    text = s.text()
    for name in ["fusion.871", "convolution.88", "num_parallel_calls=AUTOTUNE", "<script>alert(1)</script>",
                 "a \"quoted\" 'name' & more ]]> <!-- --> </td>", "{} *not* _markup_ `at` [all](#x) \\", "--xla_dump"]:
        yield name in text, f"cannot copy {name!r}"
    yield not re.search("[\u202a-\u202e\u2066-\u2069\ufb00-\ufb06]", text), "a mark of direction or a ligature got through"


def heads_come_again(s):
    pages = [n for n in range(1, s.pages + 1) if re.search(r"^\s*4,2\d\d\s+\d+\.\d\s", s.text(n, layout=True), re.M)]
    yield len(pages) > 1, f"the long table is on {pages} only"
    for n in pages:
        yield re.search(r"Step\s+Time, ms\s+Input wait, ms\s+Share, %", s.text(n, layout=True)) is not None, \
            f"no table head on page {n}"
    for step in range(4200, 4260):
        yield f"{step:,}" in s.text(), f"step {step} is not printed"


def paper_is(size):
    def paper(s):
        found = re.search(r"Page size:\s+([\d.]+) x ([\d.]+)", run("pdfinfo", s.path)[1])
        yield abs(float(found[1]) - size[0]) < .1 and abs(float(found[2]) - size[1]) < .1, f"paper is {found[0]}"
    return paper


def rest_is_pointed_to(s):
    yield says(s.text(), "50 more in the HTML and in report.json"), "nothing says where the rest is"
    yield "4,215" not in s.text(2), "more than the top rows are printed"
    yield s.pages <= 15, f"{s.pages} pages"


SHAPES = [
    ((), [page_one_is_enough_alone, contents_name_the_right_pages, every_page_is_numbered,
          fonts_are_embedded_subsets_with_unicode, qpdf_finds_no_fault, bookmarks_are_the_sections, links_lead_somewhere,
          document_says_what_it_is, structure_is_told, summary_rides_along, bytes_never_vary, names_can_be_copied,
          rest_is_pointed_to, paper_is(A4)]),
    (("letter",), [page_one_is_enough_alone, every_page_is_numbered, qpdf_finds_no_fault, paper_is(LETTER)]),
    (("all-rows",), [heads_come_again, every_page_is_numbered, qpdf_finds_no_fault]),
]


def main():
    missing = [t for t in TOOLS if not shutil.which(t)]
    if missing or not os.environ.get("TPREPORT_SAMPLE"):
        print("skipped: no " + ", ".join(missing or ["TPREPORT_SAMPLE"]))
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for options, checks in SHAPES:
            sample = Sample(folder, *options)
            for check in checks:
                for good, message in check(sample):
                    if not good:
                        failed += 1
                        print(f"{' '.join(options) or 'plain'}: {check.__name__}: {message}")
    return 1 if failed else 0


sys.exit(main())
