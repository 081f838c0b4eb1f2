"""tpreport history: runs in order, levels whose places and sizes are known beforehand, and what cannot be read."""

import csv
import io
import json
import math
import os
import random
import subprocess
from pathlib import Path
from urllib.parse import unquote

import schema
from cases import must, run_all
from command_line import logdir
from made_reports import report, slower
from page_figures import blocks

RULES = json.loads((Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2])) / "templates/report.schema.json").read_text(encoding="utf-8"))
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


def test_intervals(folder):
    """Of the newest level, by hand: five runs of which the logarithms are −2, −1, 0, 1, 2 % around 1.1 have s = 0.0158; k is that of diff."""
    base = report(folder, "base.json", SOURCE)
    levels = [1 + i % 3 / 1000 for i in range(12)] + [1.1 * math.exp(x / 100) for x in (-2, -1, 0, 1, 2)]
    files = [report(folder, f"run{i:02}.json", base, slower(level), captured(1700000000 + 3600 * i)) for i, level in enumerate(levels)]
    row = next(row for row in rows(trend(*files), "trends/levels") if row["metric"] == "Step time")
    must(row["runs"] == 5 and row["since"] == 13, row)
    middle = json.loads(base.read_text(encoding="utf-8"))["metrics"]["step.time.p50_ms"]["value"] * 1.1
    must(row["middle"] == f"{middle:.1f}\u202fms", row, middle)
    # As diff of the same runs has it.
    other = report(folder, "other.json", base, slower(3))
    said = json.loads(run("diff", files[12], other, "--baseline", *files[13:], "-o", "-", "--format", "json").stdout)["description"]
    must(f"5 runs of the same program predict {row['low']} to {row['high']}" in said, said, row)
    few = rows(trend(*files[:2]), "trends/levels")[0]
    must(few["low"] is None and few["runs"] == 2, few)


def with_metrics(**figures):
    def edit(found):
        for id, value in figures.items():
            metric = found["metrics"][id]
            metric["value"] = value
            metric.pop("text", None)
            for t in blocks(found, "tiles"):
                t["tiles"] = [tile for tile in t["tiles"] if tile["metric"] != id]
    return edit


def test_worst_leads(folder):
    """The figure that worsened most by its own noise is the headline, though another comes first and changed by more."""
    chance = random.Random(1)
    base = report(folder, "base.json", SOURCE)
    files = []
    for i in range(24):
        late = i >= 12
        step = (1.2 if late else 1) * (1 + chance.uniform(-0.05, 0.05))
        busy = (0.5 if late else 0.55) * (1 + chance.uniform(-0.001, 0.001))
        files.append(report(folder, f"run{i:02}.json", base, slower(step), with_metrics(**{"device.busy_share": busy}), captured(1700000000 + 3600 * i)))
    found = trend(*files)
    must({row["metric"] for row in rows(found, "changes/table")} >= {"Step time", "Device busy"}, rows(found, "changes/table"))
    must(found["description"].startswith("Device busy −9.") and "run 13" in found["description"], found["description"])
    must("1 other figure got worse, too" in json.dumps(found["sections"][0], ensure_ascii=False), found["sections"][0])
    # What improved does not lead where something got worse.
    better = trend(*(report(folder, f"b{i:02}.json", path, slower(0.5 if i >= 12 else 1)) for i, path in enumerate(files)))
    must(better["description"].startswith("Device busy"), better["description"])


def test_runs_of_something_else(folder):
    files = series(folder, [1, 1, 1])
    must("differ" not in json.dumps(trend(*files)), "runs of one program are called mixed")
    other = report(folder, "other.json", files[0], with_metrics(**{"run.batch.global": 7}), captured(1690000000))
    def renamed(found):
        found["name"] = "another"
    job = report(folder, "job.json", files[0], renamed, captured(1690003600))
    page = Path(folder, "t.json")
    done = subprocess.run([TPREPORT, "history", *files, other, job, "-o", page], capture_output=True, text=True, check=False)
    must(done.returncode == 0 and "warning: 2 of 5 runs differ from the newest in the batch, the job" in done.stderr, done.stderr)
    must(any("differ from the newest in the batch, the job" in str(b) for b in json.loads(page.read_text(encoding="utf-8"))["sections"][0]["blocks"]), "the page does not say so")


def test_all_runs(folder):
    """--run all takes each run of a log directory, with a label each; else the newest counts."""
    logs = logdir(folder, runs=("2026_01_01_00_00_00", "2026_01_02_00_00_00", "2026_01_03_00_00_00"))
    must([row["run"] for row in rows(trend(logs, "--run", "all"), "runs/table")] == [3, 2, 1], "--run all")
    labelled = trend(logs, "--run", "all", "--label", "a", "b", "c")
    must([row["label"] for row in rows(labelled, "runs/table")] == ["c", "b", "a"], rows(labelled, "runs/table"))
    must(len(rows(trend(logs), "runs/table")) == 1, "the newest alone")
    must(run("history", logs, "--run", "all", "--label", "a", "b", "c", "d").returncode == 2, "too many labels")


def test_links(folder):
    """From the page to each run's report, where that is a page; as seen from the page, with all escaped that a link could obey."""
    base = report(folder, "base.json", SOURCE)
    odd = "a b#?%<\"javascript:x"
    Path(folder, "runs", odd).mkdir(parents=True)
    Path(folder, "out").mkdir()
    made = []
    for i, name in enumerate((f"runs/{odd}/r.html", "runs/r.PDF", "out/r.htm", "runs/r.tps", "r.json")):
        source = report(folder, "one.json", base, slower(1 + i / 10), captured(1700000000 + i))
        made.append(Path(folder, name))
        form = ["--format", "html"] if name.endswith(".htm") else []
        must(run(source, "-o", made[-1], *form).returncode == 0, name)
    page, data = Path(folder, "out/t.html"), Path(folder, "out/t.json")
    must(run("history", *made, "-o", page, "-o", data).returncode == 0, "history")
    whole = json.loads(data.read_text(encoding="utf-8"))
    must(not schema.faults(whole, RULES), schema.faults(whole, RULES))
    links = [row["cells"]["path"].get("href") for t in blocks(whole, "table") if t["id"] == "runs/table" for row in t["rows"]]
    must(links == [None, None, "r.htm", "../runs/r.PDF", "../runs/a%20b%23%3F%25%3C%22javascript%3Ax/r.html"], links)
    for link in links[2:]:
        must(f'<a href="{link}"' in page.read_text(encoding="utf-8"), link, "is not in the page")
        must(Path(folder, "out", unquote(link)).exists(), link, "leads nowhere")


def test_append(folder):
    """New runs go to the end of a file, a run that is there does not; its rows are followed as their reports are."""
    files, kept = series(folder, [1] * 20 + [1.1] * 10), Path(folder, "keep", "h.csv")
    kept.parent.mkdir()
    page = Path(folder, "run00.html")
    must(run(files[0], "-o", page).returncode == 0, "page")
    for count in (1, 5, 30, 30):
        done = run("history", *([page] if count == 1 else files[:count]), "--append", kept, "-o", Path(folder, "t.json"))
        must(done.returncode == 0, done.stderr)
        table = list(csv.DictReader(kept.read_text(encoding="utf-8").splitlines()))
        must(len(table) == count, count, len(table))
    must(kept.read_bytes().count(b"\r\n") == 31 and float(table[3]["step.time.p50_ms"]) == json.loads(files[3].read_text(encoding="utf-8"))["metrics"]["step.time.p50_ms"]["value"], "rows")
    must(table[0]["report"] == "../run00.html" and table[29]["captured_unix_s"] == str(1700000000 + 29 * 3600), table[0], table[29])
    own, whole = trend(kept), trend(*files)
    for id in ("changes/table", "runs/table"):
        must([{k: v for k, v in row.items() if k != "path"} for row in rows(own, id)] == [{k: v for k, v in row.items() if k != "path"} for row in rows(whole, id)], id)
    must(own["description"] == whole["description"], own["description"])
    must(rows(trend(kept, *files[:7]), "changes/table") == rows(own, "changes/table"), "runs count twice")
    again = subprocess.run([TPREPORT, "history", files[0], page, files[1], "-o", Path(folder, "u.json")], capture_output=True, text=True, check=False)
    must(again.returncode == 0 and "1 of the reports count already: the same run in another file" in again.stderr, again.stderr)
    links = [row["cells"]["path"].get("href") for t in blocks(json.loads(Path(folder, "t.json").read_text(encoding="utf-8")), "table") if t["id"] == "runs/table" for row in t["rows"]]
    must(links[:-1] == [None] * 29, links)


def test_a_file_of_somebody(folder):
    """Columns of somebody else stay, in any order; names are names; what is no history is left as it is."""
    file, kept = series(folder, [1])[0], Path(folder, "h.csv")
    kept.write_text('note,step.time.p50_ms,captured_unix_s,label\nmine,"70",1600000000,"a ""quoted"", one"\n', encoding="utf-8")
    hostile = '=HYPERLINK("x"),\n<b>\u202e'
    must(run("history", file, "--label", hostile, "--append", kept, "-o", Path(folder, "t.html")).returncode == 0, "append")
    table = list(csv.reader(io.StringIO(kept.read_text(encoding="utf-8"), newline="")))
    must(len(table) == 3 and table[1] == ["mine", "70", "1600000000", 'a "quoted", one'], table)
    must(table[2][0] == "" and table[2][2] == "1700000000" and table[2][3].startswith("'=HYPERLINK"), table[2])
    found = rows(trend(kept), "runs/table")
    must([row["label"] for row in found][1] == 'a "quoted", one' and found[0]["label"].startswith("=HYPERLINK") and found[1]["step.time.p50_ms"] == 70, found)
    must("<b>" not in Path(folder, "t.html").read_text(encoding="utf-8"), "a label is markup")
    for text in ("a,b\n1,2\n", "captured_unix_s,label\n1\n", "\0\0\n"):
        kept.write_text(text, encoding="utf-8")
        done = run("history", file, "--append", kept, "-o", Path(folder, "t.json"))
        must(done.returncode == 4 and "h.csv" in done.stderr and kept.read_text(encoding="utf-8") == text, text, done.returncode, done.stderr)
    must(run("history", file, "--append", "-").returncode == 2 and run("history", file, "--append", Path(folder, "no/h.csv"), "-o", Path(folder, "t.json")).returncode == 5, "usage")
    kept.write_text("captured_unix_s,label\n", encoding="utf-8")
    for words in ([kept], ["--append", kept], ["--append", Path(folder, "none.csv")]):
        done = run("history", *words)
        must(done.returncode == 3 and "no rows yet" in done.stderr and not Path(folder, "none.csv").exists(), words, done.returncode, done.stderr)
    odd = Path(folder, "odd.csv")
    odd.write_bytes(b"captured_unix_s,job,run.batch.global,step.time.p50_ms\r\n99999999999999999999,\xff\xfe,1e300,nan\r\n-1,\"x,inf,1e999\n")
    must(run("history", odd, "-o", Path(folder, "t.json")).returncode in (0, 4), "odd figures")


run_all([test_intervals, test_links, test_append, test_a_file_of_somebody, test_levels, test_no_levels, test_worst_leads, test_runs_of_something_else, test_all_runs, test_labels_and_faults])
