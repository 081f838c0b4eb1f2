"""tpreport history: runs in order, levels whose places and sizes are known beforehand, and what cannot be read."""

import json
import os
import random
import subprocess
from pathlib import Path

from cases import must, run_all
from made_reports import report, slower
from page_figures import blocks

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2])) / "examples/jax_cnn/input"
TPREPORT = os.environ["TPREPORT"]


def run(*words):
    return subprocess.run([TPREPORT, "-q", *map(str, words)], capture_output=True, text=True, check=False)


def captured(seconds):
    def edit(found):
        found["made_unix_s"] = seconds
    return edit


def series(folder, levels, noise=0.01):
    """A report a level, all lengthened by it and a little noise, captured an hour apart."""
    chance = random.Random(1)
    base = report(folder, "base.json", SOURCE)
    return [report(folder, f"run{i:02}.json", base, slower(level * (1 + chance.uniform(-noise, noise))), captured(1700000000 + 3600 * i)) for i, level in enumerate(levels)]


def trend(*words):
    done = run("history", *words, "-o", "-", "--format", "json")
    must(done.returncode == 0, done.stderr)
    return json.loads(done.stdout)


def rows(found, id):
    return [{key: cell["value"] for key, cell in row["cells"].items()} for t in blocks(found, "table") if t["id"] == id for row in t["rows"]]


def changes_of_steps(found):
    return [row for row in rows(found, "changes/table") if row["metric"] == "Step time"]


def test_levels(folder):
    """20 runs at 1, 10 at 1.1: one change, at the 21st, of about 10 %."""
    files = series(folder, [1] * 20 + [1.1] * 10)
    found = trend(*files)
    changes = changes_of_steps(found)
    must(len(changes) == 1 and changes[0]["run"] == 21, changes)
    must(abs(changes[0]["change_share"] - 0.1) < 0.01 and changes[0]["p"] < 0.01, changes)
    must(found["verdict"]["judge"] == "bad" and "run 21" in found["description"], found["description"])
    must([row["run"] for row in rows(found, "runs/table")] == list(range(30, 0, -1)), "runs")
    # In any order they are put in order; as given they are not.
    shuffled = files[15:] + files[:15]
    must(rows(trend(*shuffled), "runs/table") == rows(found, "runs/table"), "the order of the files matters")
    must(changes_of_steps(trend("--as-given", *shuffled)) != changes, "--as-given orders by time")
    back = changes_of_steps(trend("--as-given", *reversed(files)))
    must(len(back) == 1 and back[0]["run"] == 11 and back[0]["change_share"] < 0, back)


def test_no_levels(folder):
    files = series(folder, [1] * 15)
    found = trend(*files)
    must(not changes_of_steps(found) and found["verdict"]["judge"] == "good", found["description"])
    one_odd = series(folder, [1] * 8 + [1.5] + [1] * 8)
    must(not changes_of_steps(trend(*one_odd)), "one odd run is a change of level")
    few = trend(*files[:9])
    must(few["verdict"]["judge"] == "undecided" and "10 runs" in few["description"].replace("\u202f", " "), few["description"])


def test_labels_and_faults(folder):
    files = series(folder, [1, 1.1])
    found = trend(*files, "--label", "4f1c2e8", "<b>b07d9a3")
    must([row["label"] for row in rows(found, "runs/table")] == ["<b>b07d9a3", "4f1c2e8"], "labels")
    page, broken = Path(folder, "trend.html"), Path(folder, "broken.json")
    must(run("history", *files, "--label", "4f1c2e8", "<b>b07d9a3", "-o", page).returncode == 0 and "<b>b07d9a3" not in page.read_text(encoding="utf-8"), "a label is markup")
    broken.write_text(files[0].read_text(encoding="utf-8")[:1000], encoding="utf-8")
    done = run("history", broken, *files, "-o", page)
    must(done.returncode == 0 and "broken.json" in done.stderr, done.returncode, done.stderr)
    must(run("history", broken, *files, "-o", page, "--strict").returncode == 4, "--strict")
    must(run("history", broken, "-o", page).returncode == 4 and run("history").returncode == 2, "nothing to follow")
    must(run("history", *files, "--label", "a", "b", "c").returncode == 2, "too many labels")
    kept = Path(folder, "kept.tps")
    must(run("summarize", files[1], "-o", kept).returncode == 0 and changes_of_steps(trend(files[0], kept)) == [], "summaries")


run_all([test_levels, test_no_levels, test_labels_and_faults])
