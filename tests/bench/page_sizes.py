#!/usr/bin/env python3
"""page_sizes.py TPREPORT PATH…: how large reports are: height and words of the page in a window of 1440 px, elements when it opens, bytes, pages of
the PDF; as rows of a table in Markdown. Run with PYTHONPATH=tests/support."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import browser

SIZES = """return [document.documentElement.scrollHeight, document.body.innerText.split(/\\s+/).length,
                document.getElementsByTagName("*").length];"""


def main():
    program, *paths = sys.argv[1:]
    print("| log directory | px | words | elements | KB | pages of the PDF |\n|---|---|---|---|---|---|")
    with browser(1440, 900) as driver, tempfile.TemporaryDirectory() as folder:
        page, paper = Path(folder, "r.html"), Path(folder, "r.pdf")
        for path in paths:
            subprocess.run([program, "-q", path, "-o", page, "-o", paper], check=True)
            driver.get(page.as_uri())
            px, words, elements = driver.execute_script(SIZES)
            said = subprocess.run(["pdfinfo", paper], capture_output=True, text=True, check=True).stdout
            pages = re.search(r"Pages:\s+(\d+)", said)[1]
            print(f"| `{path}` | {px:,} | {words:,} | {elements:,} | {page.stat().st_size // 1000:,} | {pages} |")


if __name__ == "__main__":
    main()
