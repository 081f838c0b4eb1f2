"""A header.html of the user's is the head of the page's rail and, as text, that of every page of the PDF; without one nothing changes."""

import os
import shutil
import subprocess
import sys

from cases import must, run_all
from command_line import CANNOT_WRITE, OK, expect, logdir, read, write

if not shutil.which("pdftotext"):
    print("skipped: no pdftotext; on Debian: apt-get install poppler-utils")
    sys.exit(77)

HEADER = b"""<div class="brand">
    <b>ACME &amp; Sons</b> {name}<i if="run">, {run}</i>
    <em if="description">{version}</em>
</div>"""


def outputs(folder, *words):
    """The page and the text of each page of the PDF."""
    logs = logdir(folder)
    page, pdf = os.path.join(folder, "r.html"), os.path.join(folder, "r.pdf")
    expect(OK, logs, "-o", page, "-o", pdf, *words)
    text = subprocess.run(["pdftotext", "-raw", pdf, "-"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return read(page).decode(), text.split("\f")[:-1], read(pdf)


def own_header(folder):
    looks = os.path.dirname(write(os.path.join(folder, "looks/header.html"), HEADER))
    page, sheets, _ = outputs(folder, "--template-dir", looks)
    must('aria-label="Sections"><div class="brand"><b>ACME &amp; Sons</b> cnn<i>, 2026_11_21_02_41_41</i>' in page, page[:3000])
    must(len(sheets) > 1, len(sheets), "pages")
    for sheet in sheets:
        must(sheet.count("ACME & Sons cnn, 2026_11_21_02_41_41 0.") == 1, sheet)
        must("cnn · 2026" not in sheet or sheet is sheets[0], "the header does not stand for the title:", sheet)


def no_header(folder):
    looks = os.path.dirname(write(os.path.join(folder, "looks/tile.html"), read(os.path.join(os.environ["TPREPORT_SOURCE"], "templates/tile.html"))))
    must(outputs(folder) == outputs(folder, "--template-dir", looks), "another template changes the header")


def broken_header(folder):
    path = write(os.path.join(folder, "looks/header.html"), b"<div>\n{colour}</div>")
    for name in ("r.html", "r.pdf"):
        expect(CANNOT_WRITE, logdir(folder), "-o", os.path.join(folder, name), "--template-dir", os.path.dirname(path),
               says=["header.html: line 2", "there is nothing here called colour"])


run_all([own_header, no_header, broken_header])
