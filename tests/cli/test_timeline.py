"""--timeline and --window: what a timeline draws and keeps, and what cannot be asked of it."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timeline_tiles import events, levels, timeline_of

TPREPORT = os.environ.get("TPREPORT", "tpreport")
INPUT = Path(os.environ["TPREPORT_SOURCE"], "examples/jax_cnn/input")
faults = []


def must(holds, *what):
    if not holds:
        faults.append(" ".join(map(str, what)))


def made(folder, *words, suffix=".json"):
    path = Path(folder, "r" + suffix)
    subprocess.run([TPREPORT, "-q", INPUT, *words, "-o", path], check=True)
    return path


def timeline(folder, *words):
    return timeline_of(json.loads(made(folder, *words).read_text(encoding="utf-8")))


def kept(found):
    return sum(1 for g in found["groups"] for t in g["tracks"] for _ in events(found, t))


def test_windows(folder):
    usual = timeline(folder)
    must([w["note"].split(",")[0] for w in usual["windows"]] == ["near the median", "slowest"], usual["windows"])
    must(kept(usual) == usual["events"], "not all events are kept")
    asked = timeline(folder, "--window", "step:5", "--window", "100ms..0.15s")
    must([w["label"] for w in asked["windows"]] == ["Step 5", "100ms..0.15s"], asked["windows"])
    must((asked["windows"][1]["from_ps"], asked["windows"][1]["length"]) == (1e11, 50), asked["windows"][1])
    step = next(m for m in usual["marks"] if m["label"] == "5")
    must(asked["windows"][0]["from_ps"] == step["from_ps"], asked["windows"][0], step)
    again = timeline(folder, "--window", "step:median", "--window", "step:slowest")
    must([w["from_ps"] for w in again["windows"]] == [w["from_ps"] for w in usual["windows"]], "the same steps by their kind")


def test_size(folder):
    """With room for few events: all that start in the drawn steps, further ones as far as there is room, and cells for all."""
    every = timeline(folder)
    starts = {(g["name"], t["name"], k): [e[0] for e in events(every, t)] for g in every["groups"] for k, t in enumerate(g["tracks"])}
    sizes = []
    for size in ("1K", "6K", "20K"):
        small = timeline(folder, "--timeline", size)
        windows = [(w["from_ps"], w["from_ps"] + w["length"] * 1e9) for w in small["windows"]]
        long = [((g["name"], t["name"], k), t) for g in small["groups"] for k, t in enumerate(g["tracks"]) if any("cell_ps" in tile for tile in t["tiles"])]
        must(long and 0 < kept(small) < small["events"], kept(small), "of", small["events"])
        sizes.append(kept(small))
        for key, track in long:
            found, drawn = {e[0] for e in events(small, track)}, [s for s in starts[key] if any(a <= s < b for a, b in windows)]
            must(found >= set(drawn), track["name"], "lacks", len(set(drawn) - found), "of the drawn steps")
            must(all(sum(c[4] for c in cells) == track["events"] for _, cells in levels(track)), track["name"], "has other events in its cells")
    must(sizes == sorted(set(sizes)), "more room keeps more:", sizes)
    must(timeline(folder, "--timeline", "none") is None, "--timeline none has one")


def test_outputs(folder):
    """What only scripts use is in the page and in JSON, not in what a PDF carries."""
    pdf = made(folder, suffix=".pdf")
    back = Path(folder, "back.json")
    subprocess.run([TPREPORT, "-q", pdf, "-o", back], check=True)
    found = timeline_of(json.loads(back.read_text(encoding="utf-8")))
    must(found["windows"] and "groups" not in found, list(found))


def test_faults(folder):
    for words, says in ((["--window", "step:99"], "no such step"), (["--window", "5..6"], "1.2s..1.25s"), (["--window", "2s..1s"], "1.2s..1.25s"),
                        (["--timeline", "much"], "8M"), (["--window", "step:1"] * 5, "4 at most")):
        done = subprocess.run([TPREPORT, INPUT, *words, "-o", Path(folder, "x.html")], capture_output=True, text=True, check=False)
        must(done.returncode == 2 and says in done.stderr, words, done.returncode, done.stderr)
    must(not Path(folder, "x.html").exists(), "a page in spite of a fault")


for test in (test_windows, test_size, test_outputs, test_faults):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
print("".join(f"{fault}\n" for fault in faults), end="")
sys.exit(bool(faults))
