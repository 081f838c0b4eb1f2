"""Agreement: JSON, outline, text, HTML and PDF of one report say the same figures with the same words."""

import base64
import copy
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pages
import sample_doc
from columns_told import same_columns, silent_columns
from page_figures import blocks, html_metrics
from pages import plain, tight
from timeline_tiles import drawn_only
from told import with_texts

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
FORMS = ["json", "outline", "html", "pdf", "text"]
GLYPHS = {"none": "", "bad": "▲ ", "warn": "■ ", "good": "✓ ", "undecided": "? ", "absent": "– "}


def cells_of(row, table):
    """What a reader sees in each cell."""
    cells = [row["cells"][column["key"]] for column in table["columns"]]
    return [plain(GLYPHS[c.get("judge", "none")] + c["text"]) for c in cells]


# What HTML, outline and PDF must hold, by the JSON; each yields sentences about what they do not.

def html_silence(report, page):
    """What is left out of a table is said below it, with the reason where there is one."""
    given = set()
    for table in blocks(report, "table"):
        [element] = [e for e in page.walk() if e.attributes.get("id") == table["id"]]
        text = plain(element.text())
        for column in silent_columns(table):
            reason = table["rows"][0]["cells"][column["key"]].get("missing")
            # A long one stands where the page gives it first.
            told = reason and (plain(reason) in text or reason in given and "(as above)" in text)
            given.add(reason)
            if reason and not (column["title"] in text and told):
                yield f"html: {table['id']} does not say why it has no {column['title']}"


def is_shown(got, told):
    """The page holds a name whole, and the window cuts it; a text of JSON is cut where a line of a terminal ends."""
    return got == told or (told.endswith("…") and len(told) > 40 and got.startswith(told[:-1]))


def html_tables(report, page):
    rows = {e.attributes["id"]: e for e in page.walk() if e.tag == "tr" and "id" in e.attributes}
    for table in blocks(report, "table"):
        told = silent_columns(table) + same_columns(table)
        spoken = {**table, "columns": [column for column in table["columns"] if column not in told]}
        for index, row in enumerate(table["rows"]):
            element = rows.get(row["id"])
            if element is None:
                if index < table["shown"]:
                    yield f"html: row {row['id']} is not in the page"
                continue
            got = [plain(c.text()) for c in element.children
                   if not isinstance(c, str) and c.tag in ("td", "th") and "n" not in c.classes()]
            if len(got) != len(cells_of(row, spoken)) or not all(map(is_shown, got, cells_of(row, spoken))):
                yield f"html: row {row['id']} shows {got}, JSON says {cells_of(row, spoken)}"


REPORT_IN_PAGE = re.compile(r'(id="report-json">)[^<]*')


def packed(report):
    return base64.b64encode(gzip.compress(json.dumps(report).encode())).decode()


def html_data(report, page):
    data = [e for e in page.walk() if e.tag == "script" and e.attributes.get("id") == "report-json"]
    if len(data) != 1:
        yield f"html: report.json is in the page {len(data)} times"
    elif with_texts(json.loads(gzip.decompress(base64.b64decode(data[0].raw_text())))) != report:
        yield "html: the data in the page is not report.json"


# Method texts are not in the outline.
SAME_ELSEWHERE = ("method/thresholds", "method/differences")


def outline_lines(report):
    """Lines that the outline must have, in this order, without indentation; a tuple is (kind, line)."""
    def visit(node):
        if node.get("kind") == "tiles":
            for tile in node["tiles"]:
                qualifier = " " + tile["qualifier"] if "qualifier" in tile else ""
                yield f"{tile['label']}: {tile['text']}{qualifier} [{tile['metric']}]"
        if node.get("id") in SAME_ELSEWHERE:
            return
        if node.get("kind") == "table":
            for index, row in enumerate(node["rows"]):
                texts = cells_of(row, node)
                links = [row["cells"][c["key"]].get("href") for c in node["columns"]]
                rank = f"{index + 1}. " if node["numbered"] and row["role"] == "normal" else ""
                yield rank + " | ".join(t + (f" [{l}]" if l else "") for t, l in zip(texts, links))
        for child in node.get("sections", []) + node.get("blocks", []):
            yield from visit(child)

    yield from visit(report)
    for name, metric in report["metrics"].items():
        if metric["value"] is not None:
            yield f"{name} = {metric['text']}"


def outline_all(report, outline):
    lines = iter(plain(line) for line in outline.splitlines())
    for want in outline_lines(report):
        if not any(line.startswith(plain(want)) for line in lines):
            yield f"outline: {want!r} does not follow"
            return


def outline_raw(report, outline):
    """The raw number in brackets is the one in JSON."""
    for name, metric in report["metrics"].items():
        if not isinstance(metric["value"], (int, float)):
            continue
        line = next((l for l in outline.splitlines() if l.startswith(name + " = ")), "")
        raw = re.search(r" \((\S+)( [a-z_]+)?\)", line)
        if raw is None or float(raw[1]) != metric["value"]:
            yield f"outline: {name} is not {metric['value']}: {line!r}"


def pdf_tiles(report, words):
    first_page = [w for w in words if w.page == 1]
    for block in blocks(report, "tiles", views=False):
        labels = []
        for tile in block["tiles"]:
            start = find_words(first_page, tile["label"], labels)
            if start is None:
                yield f"pdf: no tile {tile['label']!r} on page 1"
            labels.append(start)
        for tile, label in zip(block["tiles"], labels):
            if label is None:
                continue
            beside = [l.x for l in labels if l is not None and l.x > label.x + 20 and abs(l.y - label.y) < 3]
            got = pages.line_below(first_page, label, min(beside, default=10_000) - 4)
            if not re.fullmatch(re.escape(tight(tile["text"])) + ",?" + re.escape(tight(tile.get("qualifier", ""))), got):
                yield f"pdf: tile {tile['label']!r} shows {got!r}, JSON says {tile['text']!r}"


def find_words(words, text, taken):
    """The first word of the first run of words that is this text, and was not taken before."""
    want = text.split()
    for i, word in enumerate(words):
        if word not in taken and [w.text for w in words[i:i + len(want)]] == want:
            return word
    return None


def pdf_verdict(report, words):
    text = tight("".join(w.text for w in words if w.page == 1))
    for part in ("name", "saw", "consequence"):
        want = (report["verdict"] or {}).get(part)
        if want and tight(want) not in text:
            yield f"pdf: page 1 does not say {want!r}"


def lines_of(words):
    """The PDF's lines of words, without blanks."""
    rows = {}
    for word in words:
        rows.setdefault((word.page, round((word.y + word.bottom) / 2)), []).append(word)
    return [tight("".join(w.text for w in sorted(row, key=lambda w: w.x))) for row in rows.values()]


def longest_run(line, texts):
    """How many of the texts stand in the line in their order."""
    at = found = 0
    for text in texts:
        place = line.find(text, at)
        if place >= 0:
            found, at = found + 1, place + len(text)
    return found


def titles_of(node):
    yield tight(node.get("title") or "")
    for child in node.get("sections", []) + node.get("blocks", []):
        yield from titles_of(child)


def pdf_tables(report, words):
    """Of each printed table of figures the first row's stand in one line; columns that found no room are some at most: at 7.5 pt a
    page holds six figures beside names of several lines."""
    lines, titles = lines_of(words), set(titles_of(report))
    # Several programs have tables of one caption, of which one is printed.
    fits, found = set(), []
    for table in blocks(report, "table", views=False):
        row = next((r for r in table["rows"] if r["role"] == "normal"), None)
        caption = tight(table.get("caption") or "")
        # What is left off paper is named there by its title.
        printed = any(line == caption or len(line) > 40 and caption.startswith(line) for line in lines)
        if row is None or not caption or not printed or caption in titles:
            continue
        told = same_columns(table)
        cells = [row["cells"][c["key"]] for c in table["columns"] if c not in told]
        figures = [tight(c["text"]) for c in cells if type(c.get("value")) in (int, float)]
        most = max(longest_run(line, figures) for line in lines)
        if len(figures) > 2 and most < max(3, min(len(figures) * .4, 6)):
            found.append((caption, f"pdf: {most} of {figures} of {row['id']} stand in one line"))
        else:
            fits.add(caption)
    yield from (complaint for caption, complaint in found if caption not in fits)


def pdf_data(report, path):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdfdetach", "-saveall", "-o", folder, str(path)], check=True, capture_output=True)
        files = {f.name: f for f in Path(folder).iterdir()}
        if "report.json" not in files:
            yield f"pdf: report.json is not inside, only {sorted(files)}"
        elif with_texts(json.loads(files["report.json"].read_text(encoding="utf-8"))) != drawn_only(report):
            yield "pdf: the data inside is not report.json"


def text_sentences(summary, text):
    """The words of the first screen, wherever lines are broken."""
    for block in summary["blocks"]:
        for want in block["items"] if block["kind"] == "paragraph" else \
                [block.get(part, "") for part in ("name", "saw", "consequence")] if block["kind"] == "verdict" else []:
            if tight(want) not in tight(text):
                yield f"text: does not say {want!r}"


def text_tiles(summary, text):
    for tile in (tile for block in blocks(summary, "tiles") for tile in block["tiles"]):
        want = plain(tile["text"] + " " + tile.get("qualifier", ""))
        if not re.search(rf"(^|\s){re.escape(plain(tile['label']))}\s+{re.escape(want)}(\s|$)", text, re.M):
            yield f"text: no tile {tile['label']!r} of {want!r}"


def text_classes(summary, text):
    """Of each class of the mean step the time and the share, to the digits shown; the greatest first."""
    for chart in (c for c in blocks(summary, "chart") if c["chart"] == "stack"):
        parts = sorted(((s["values"][0], s["label"]) for s in chart["series"] if s["values"][0] > 0), reverse=True)
        for value, label in parts[:7 if len(parts) > 8 else None]:
            row = re.search(rf"^{re.escape(plain(label))}\s+([\d.,]+) (\S+)\s+(<?[\d.]+) %", text, re.M)
            if row is None:
                yield f"text: no row of {label}"
                continue
            shown_ms = float(row[1].replace(",", "")) * {"s": 1e3, "ms": 1, "µs": 1e-3, "ns": 1e-6}[row[2]]
            share = 100 * value / sum(v for v, _ in parts)
            share_agrees = share < .1 if row[3] == "<0.1" else abs(float(row[3]) - share) <= .051 + .001 * share
            if abs(shown_ms - value) > .006 * value or not share_agrees:
                yield f"text: {label} is {row[0]!r}, JSON says {value} ms, {share} %"


def text_findings(report, summary, text):
    found = {f["id"]: f for f in report["findings"]}
    lines = [plain(line) for line in text.splitlines()]
    for brief in blocks(summary, "finding"):
        finding = found[brief["finding"]]
        saving = plain(finding["saving"]["text"]) if "saving" in finding else ""
        line = next((l for l in lines if l.startswith(f"{brief['number']} ")), "")
        if finding["id"] not in line or saving not in line:
            yield f"text: {finding['id']}, {saving!r} are not in {line!r}"
        words = plain(finding["title"]).split()
        if longest_run(plain(text[text.find(f"\n{brief['number']} "):]), words) < len(words):
            yield f"text: no finding {finding['title']!r}"


def text_all(report, text):
    summary, text = report["sections"][0], "\n".join(re.sub("[\u00a0\u202f]", " ", line) for line in text.splitlines())
    yield from text_sentences(summary, text)
    yield from text_tiles(summary, text)
    yield from text_classes(summary, text)
    yield from text_findings(report, summary, text)


def complaints(report, outline, text, page, words):
    yield from text_all(report, text)
    yield from html_metrics(report, page)
    yield from html_tables(report, page)
    yield from html_silence(report, page)
    yield from html_data(report, page)
    yield from outline_all(report, outline)
    yield from outline_raw(report, outline)
    yield from pdf_tiles(report, words)
    yield from pdf_verdict(report, words)
    yield from pdf_tables(report, words)


def read(folder):
    report = with_texts(json.loads((folder / "r.json").read_text(encoding="utf-8")))
    outline = (folder / "r.outline").read_text(encoding="utf-8")
    text = (folder / "r.text").read_text(encoding="utf-8")
    page = pages.read_html((folder / "r.html").read_text(encoding="utf-8"))
    return report, outline, text, page, pages.read_pdf(folder / "r.pdf")


def check_get(report, directory):
    """`tpreport get` prints the number that JSON holds, and what it is of."""
    ids = list(report["metrics"])
    out = subprocess.run([os.environ["TPREPORT"], "get", str(directory), *ids], check=True, capture_output=True, text=True)
    for line, name in zip(out.stdout.split("\n"), ids):
        fields, metric = line.split("\t"), report["metrics"][name]
        number = isinstance(metric["value"], (int, float))
        if fields[0] != name or (number and (float(fields[1]) != metric["value"] or fields[2] != metric["unit"])):
            yield f"get: {line!r}, JSON says {metric['value']!r} {metric['unit']}"
        if number and fields[3:] != ([metric["coverage"]] if metric["unit"] == "share" and metric.get("coverage") else []):
            yield f"get: {line!r}, JSON says that it is of {metric.get('coverage')!r}"


def examples():
    """Directories of the examples, each a report of its own."""
    if not os.environ.get("TPREPORT"):
        return []
    return sorted(p for p in SOURCE.glob("examples/*/input") if p.is_dir())


def check_directory(directory, folder):
    outputs = [a for form in FORMS for a in ("-o", str(folder / f"r.{form}"))]
    subprocess.run([os.environ["TPREPORT"], str(directory), *outputs], check=True, stderr=subprocess.DEVNULL)
    report, *rest = read(folder)
    return [*complaints(report, *rest), *pdf_data(report, folder / "r.pdf"), *check_get(report, directory)]


def self_check(report, outline, screen, page_text, words):
    """Each doctored output must be complained about."""
    other = copy.deepcopy(report)
    next(blocks(other, "tiles"))["tiles"][0]["text"] = "127\u202fms"
    doctored = [
        ("a metric in the page", html_metrics, page_text.replace(">62.0\u202f%<", ">62.1\u202f%<", 1)),
        ("a figure in a tile", html_metrics, page_text.replace(">126\u202f<small>ms", ">127\u202f<small>ms", 1)),
        ("a cell", html_tables, re.sub(r'(<tr id="steps/all/4203".*?)127\.9', r"\g<1>127.8", page_text, count=1)),
        ("a row that is gone", html_tables, page_text.replace('id="steps/all/4203"', 'id="x"')),
        ("the data", html_data, REPORT_IN_PAGE.sub(lambda found: found[1] + packed(other), page_text)),
    ]
    for name, check, text in doctored:
        if text == page_text:
            yield f"self-check: {name} could not be doctored"
        elif not list(check(report, pages.read_html(text))):
            yield f"self-check: {name} was doctored, and nobody noticed"
    if not list(pdf_tiles(other, words)):
        yield "self-check: another figure in a tile of the PDF is not noticed"
    worse = copy.deepcopy(report)
    for table in blocks(worse, "table"):
        for row in table["rows"]:
            for cell in row["cells"].values():
                cell["text"] = cell["text"].replace("1", "7").replace("2", "8")
    if not list(pdf_tables(worse, words)):
        yield "self-check: other figures in the tables of the PDF are not noticed"
    for was, now in (("126 ms", "127 ms"), ("62.0 %", "62.1 %"), ("TPR-INPUT-001", "TPR-INPUT-002"), ("2.6×", "2.7×")):
        if was not in screen or not list(text_all(report, screen.replace(was, now))):
            yield f"self-check: {now} in the place of {was} in the text is not noticed"
    if not list(outline_all(report, outline.replace("| 127.9 |", "| 127.8 |", 1))):
        yield "self-check: another cell in the outline is not noticed"
    if not list(outline_raw(report, outline.replace("(0.6199482 share)", "(0.6199483 share)"))):
        yield "self-check: another raw number in the outline is not noticed"


def main():
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for form in FORMS:
            sample_doc.render(form, folder / f"r.{form}")
        report, outline, text, page, words = read(folder)
        found += complaints(report, outline, text, page, words)
        found += pdf_data(report, folder / "r.pdf")
        found += self_check(report, outline, text, (folder / "r.html").read_text(encoding="utf-8"), words)
        for directory in examples():
            found += [f"{directory.parent.name}: {f}" for f in check_directory(directory, folder)]
    for line in found[:40]:
        print(line)
    return 1 if found else 0


sys.exit(main())
