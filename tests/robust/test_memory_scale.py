"""Programs with 200,000 buffers: the page stays within its size, and the figures are those of the plan."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from big_plan import PEAK_BUFFER_BYTES, big_plan
from truth import Check

TPREPORT = os.environ.get("TPREPORT", "tpreport")
BUFFERS = 200_000
LARGEST_PAGE = 5_000_000  # bytes
check = Check()


def one(live):
    check.part(f"{BUFFERS:,} buffers, {live:,} live at the peak")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jit_step(7).hlo_proto.pb")
        path.write_bytes(big_plan(BUFFERS, live))
        page, tree, paper = (Path(folder, f"r.{kind}") for kind in ("html", "json", "pdf"))
        start = time.monotonic()
        subprocess.run([TPREPORT, "-q", str(path), "-o", str(page)], check=True)
        seconds = time.monotonic() - start
        subprocess.run([TPREPORT, "-q", str(path), "-o", str(tree), "-o", str(paper)], check=True)
        size, doc = page.stat().st_size, json.loads(tree.read_text(encoding="utf-8"))
        print(f"{live:,} live: page of {size:,} bytes in {seconds:.2f} s, PDF of {paper.stat().st_size:,} bytes")
    check.true("the page is not too large", size < LARGEST_PAGE)
    figures = {key: doc["metrics"][f"memory.{key}"]["value"] for key in ("peak_bytes", "peak_unpadded_bytes", "peak_position")}
    check.equal("figures", figures, {"peak_bytes": live * PEAK_BUFFER_BYTES, "peak_unpadded_bytes": live * 4000,
                                     "peak_position": live - 1})
    check.equal("warnings", doc["metrics"]["data.warnings"]["value"], 0)
    [table] = [block for block in blocks(doc["sections"]) if block["id"] == "memory/jit_step/7/HBM/buffers"]
    rows = [row for row in table["rows"] if row["role"] == "normal"]
    check.equal("rows", len(rows), min(live, 1000))
    check.equal("the first in program order", [row["cells"]["buffer"]["value"] for row in rows[:3]],
                ["fusion.1", "fusion.2", "fusion.3"])
    rest = [row["cells"] for row in table["rows"] if row["role"] == "total"]
    check.equal("the rest", [(cells["buffer"]["value"], round(cells["size_mib"]["value"] * 2**20)) for cells in rest],
                [(f"{live - 1000:,} smaller buffers", (live - 1000) * PEAK_BUFFER_BYTES)] if live > 1000 else [])


def blocks(those):
    for block in those:
        yield block
        yield from blocks(block.get("blocks", []))


def main():
    one(1000)
    one(BUFFERS)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
