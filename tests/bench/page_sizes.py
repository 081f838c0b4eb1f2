#!/usr/bin/env python3
"""page_sizes.py [--before OLD] TPREPORT PATH…: how large reports are: height and words of the page in a window of 1440 px, elements when it opens,
bytes, pages of the PDF; as rows of a table in Markdown, where another tpreport is given with its figures before an arrow. Run with
PYTHONPATH=tests/support."""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from browser import browser

SIZES = """return [document.documentElement.scrollHeight, document.body.innerText.split(/\\s+/).length,
                document.getElementsByTagName("*").length];"""


def sizes(program, path, driver, folder):
    page, paper = Path(folder, "r.html"), Path(folder, "r.pdf")
    subprocess.run([program, "-q", path, "-o", page, "-o", paper], check=True)
    driver.get(page.as_uri())
    said = subprocess.run(["pdfinfo", paper], capture_output=True, text=True, check=True).stdout
    return [*driver.execute_script(SIZES), page.stat().st_size // 1000, int(re.search(r"Pages:\s+(\d+)", said)[1])]


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("--before")
    asked.add_argument("program")
    asked.add_argument("paths", nargs="+")
    args = asked.parse_args()
    print("| log directory | px | words | elements | KB | pages of the PDF |\n|---|---:|---:|---:|---:|---:|")
    with browser(1440, 900) as driver, tempfile.TemporaryDirectory() as folder:
        for path in args.paths:
            of_each = [sizes(program, path, driver, folder) for program in (args.before, args.program) if program]
            print(f"| `{path}` | {' | '.join(' → '.join(f'{size:,}' for size in row) for row in zip(*of_each))} |", flush=True)


if __name__ == "__main__":
    main()
