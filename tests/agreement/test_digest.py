"""The Markdown digest says the figures of the report with the same words, and is as short as it is asked to be."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import digest
from page_figures import blocks
from pages import plain
from told import with_texts

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = os.environ["TPREPORT"]
SIZES = {"600": 600, "2K": 2048, "64K": 65536}


def read(text):
    """What a reader sees of Markdown."""
    return plain(re.sub(r"\\(.)", r"\1", re.sub(r"\*\*|`", "", text)))


def complaints(report, text):
    seen, first = read(text), {**report, "sections": report["sections"][:1]}
    for tiles in blocks(first, "tiles"):
        for tile in tiles["tiles"]:
            if f"| {tile.get('metric', '')} | {plain(tile['text'])} |" not in seen:
                yield f"tile {tile['label']}: {tile['text']}"
    for chart in blocks(first, "chart"):
        if chart["id"] == "summary/step/classes":
            for series in chart["series"]:
                value = series["values"][0]
                if value >= 0.01 and f"| {plain(series['label'])} | {value:,.2f} |" not in seen:
                    yield f"class {series['label']}: {value}"
    for finding in report["findings"]:
        if finding["status"] != "open":
            continue
        saving = finding.get("saving", {})
        wanted = f"({finding['id']})" + (f", saves at most {plain(saving['text'])}" if saving.get("value") is not None else "")
        if wanted not in seen:
            yield f"finding {wanted}"
    yield from digest.faults(text)


def made(directory, *words):
    return subprocess.run([TPREPORT, "-q", directory, "-o", "-", *words], check=True, capture_output=True, text=True).stdout


def self_check(report, text):
    """Each doctored digest must be complained about."""
    tile = next(tile for tiles in blocks(report, "tiles") for tile in tiles["tiles"] if tile["value"] is not None)
    finding = next(f for f in report["findings"] if f["status"] == "open")
    for was, now in ((f"`{tile['metric']}` |", f"`{tile['metric']}` | 1"), (finding["id"], "TPR-NONE-001"), ("# ", "# <b>"), ("| figure |", "|")):
        if was not in text or not list(complaints(report, text.replace(was, now, 1))):
            yield f"not noticed: {was} → {now}"


def main():
    found = []
    for directory in sorted((SOURCE / "examples").glob("*/input")):
        report, text = with_texts(json.loads(made(directory, "--format", "json"))), made(directory, "--format", "markdown")
        told = [*complaints(report, text), *(self_check(report, text) if directory.parent.name == "torch_ddp" else [])]
        for word, size in SIZES.items():
            with tempfile.TemporaryDirectory() as folder:
                made_here = Path(folder, "r.md")
                subprocess.run([TPREPORT, "-q", directory, "-o", made_here, "--size", word], check=True)
                told += digest.faults(made_here.read_text(encoding="utf-8"), size)
                if size > 8192 and made_here.stat().st_size < len(text.encode()):
                    told.append("less in more room")
        found += [f"{directory.parent.name}: {line}" for line in told]
    print(*found[:40], sep="\n")
    return 1 if found else 0


sys.exit(main())
