"""What `tpreport show` prints of a table are the figures of report.json, row for row; of a section its answer; never more than asked for."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import plain_tables
from pages import plain
from sampled import sampled
from told import with_texts

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = os.environ["TPREPORT"]
LARGE = ["synth/outfeed_and_idle/logdir", "pytorch/found/tracelens/mi300", "synth/oom_candidate/logdir"]
NOTE = re.compile(r"\d+ columns? left out: .*; --width")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def show(directory, *words):
    return subprocess.run([TPREPORT, "-q", "show", directory, *words], check=True, capture_output=True).stdout.decode()


def is_cell(piece, text):
    """A piece of a line: the cell's text with its glyph and, in a tree, behind blanks; a long one is cut."""
    piece = re.sub("^[▲■✓?–] (?=.)", "", piece.strip())
    front, cut, end = piece.partition("…")
    return piece == text or (cut == "…" and text.startswith(front.strip()) and text.endswith(end.strip()))


def row_faults(line, table, row):
    """The pieces of a line are cells of the row, in the order of the columns, the first cell first."""
    texts = [plain(row["cells"][c["key"]].get("text", "")) for c in table["columns"]]
    left = [text for text in texts if text]
    for piece in (p for p in re.split(r"\s{2,}", line.strip()) if p):
        at = next((i for i, text in enumerate(left) if is_cell(plain(piece), text)), None)
        if at is None:
            yield f"{row['id']}: {piece!r} in {line!r} is no cell of {texts}"
            return
        left = left[at + 1:]


def table_faults(directory, table):
    lines = [line for line in show(directory, table["id"], "--top", "all", "--size", "16M").splitlines() if not NOTE.fullmatch(line)][-len(table["rows"]):]
    for line, row in zip(lines, table["rows"], strict=True):
        yield from row_faults(line, table, row)


def section_faults(directory, section):
    for words, most in (((), 4096), (("--size", "1K"), 1024), (("--size", "64K"), 65536)):
        text = show(directory, section["id"], "--top", "all", *words)
        if len(text.encode()) > most or not text.endswith("\n") or CONTROL.search(text):
            yield f"{section['id']}: {len(text.encode())} bytes of {most}: {text[-80:]!r}"
    if plain(section.get("answer", "")) not in plain(text.replace("\n", " ")) and text.count("Left out") == 0:
        yield f"{section['id']}: no answer {section['answer']!r} in {text[:200]!r}"


def sections_of(node):
    for child in node.get("sections", []) + node.get("blocks", []):
        if child["kind"] == "section":
            yield child
            yield from sections_of(child)


def self_check(directory, table):
    """Another figure must be complained about."""
    row = table["rows"][0]
    key = next(c["key"] for c in table["columns"][1:] if isinstance(row["cells"][c["key"]]["value"], float))
    row["cells"][key]["text"] = "12.345"
    if not list(table_faults(directory, table)):
        yield "self-check: another figure is not noticed"


def main():
    found, tables, sections = [], [], []
    data = os.environ.get("TPREPORT_TEST_DATA")
    large = sampled("large captures", [Path(data, name) for name in LARGE], 3) if data else []
    for directory in [*sorted((SOURCE / "examples").glob("*/input")), *(path for path in large if path.is_dir())]:
        report = with_texts(json.loads(subprocess.run([TPREPORT, "-q", directory, "--top", "all", "-o", "-", "--format", "json"], check=True, capture_output=True).stdout))
        # A view is what `show --worker` prints.
        tables += [(directory, table) for table, _, _ in plain_tables.tables_of(report)
                   if table["rows"] and not table["id"].startswith("views/")]
        sections += [(directory, section) for section in sections_of(report) if not section["id"].startswith("views")]
    for directory, table in sampled("tables", tables, 16):
        found += table_faults(directory, table)
    for directory, section in sampled("sections", sections, 24):
        found += section_faults(directory, section)
    found += self_check(*next((d, t) for d, t in tables if t["id"] == "steps/classes"))
    print(*found[:40], sep="\n")
    return 1 if found else 0


sys.exit(main())
