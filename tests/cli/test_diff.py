"""tpreport diff: two runs or reports of any format, antisymmetric and adding up; noise from baselines decides, and --fail-on gates."""

import json
import math
import os
import subprocess
from pathlib import Path

from cases import must, run_all
from made_reports import report, slower
from page_figures import blocks

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = os.environ["TPREPORT"]
EXAMPLES = SOURCE / "examples"
DDP = sorted((EXAMPLES / "torch_ddp" / "input").glob("rank*.gz"))


def run(*words):
    return subprocess.run([TPREPORT, "-q", *map(str, words)], capture_output=True, text=True, check=False)


def compared(a, b, *words, status=0):
    done = run("diff", a, b, "-o", "-", "--format", "json", *words)
    must(done.returncode == status, "diff", a, b, *words, "exit", done.returncode, done.stderr)
    return json.loads(done.stdout)


def figures(diff, prefix):
    return {id.removeprefix(prefix): metric["value"] for id, metric in diff["metrics"].items() if id.startswith(prefix)}


def table(diff, id):
    return next((t for t in blocks(diff, "table") if t["id"] == id), None)


def column(diff, id, key):
    return [row["cells"][key]["value"] for row in table(diff, id)["rows"] if row["role"] == "normal"]


def test_with_itself(folder):
    """A log against its own reports, in every pair of formats."""
    for example in ("jax_cnn", "torch_ddp", "tpu_two_hosts", "estimator_job"):
        log = EXAMPLES / example / "input"
        forms = [log, *(Path(folder, f"{example}.{suffix}") for suffix in ("json", "html", "pdf", "tps"))]
        must(run(log, *(word for form in forms[1:] for word in ("-o", form))).returncode == 0, example)
        for a in forms:
            for b in forms if example == "jax_cnn" else forms[:2]:
                has_steps = example != "estimator_job"
                diff = compared(a, b, *(["--fail-on", "slower,finding"] if has_steps else []))
                changed = {id: value for id, value in figures(diff, "change.").items() if value != 0}
                must(not changed, example, a, b, "a report differs from itself", changed)
                for t in blocks(diff, "table"):
                    for key in ("change_ms", "change_bytes"):
                        if any(c["key"] == key for c in t["columns"]):
                            must(not any(column(diff, t["id"], key)), example, t["id"], key)


def test_antisymmetric(folder):
    there, back = compared(*DDP), compared(*reversed(DDP))
    forth, against = figures(there, "change."), figures(back, "change.")
    must(forth.keys() == against.keys() and len(forth) > 40, "other metrics")
    must(all(math.isclose(forth[id], -against[id], abs_tol=1e-12) for id in forth), "diff(A,B) is not −diff(B,A)")
    names = column(there, "operators/changes", "name"), column(back, "operators/changes", "name")
    sums = [dict(zip(n, column(d, "operators/changes", "change_ms"))) for n, d in zip(names, (there, back))]
    must(sums[0].keys() == sums[1].keys() and all(math.isclose(sums[0][n], -sums[1][n], abs_tol=1e-9) for n in sums[0]), "operators")


def test_adds_up(folder):
    for a, b in (DDP, (EXAMPLES / "jax_cnn/input", EXAMPLES / "tf_slow_input/input")):
        diff = compared(a, b)
        change = figures(diff, "change.")["step.time.mean_ms"]
        must(math.isclose(sum(column(diff, "time/parts", "change_ms")), change, abs_tol=1e-9), "parts do not add up to", change)
        for t in blocks(diff, "table"):
            if t["id"].endswith("/changes") and t["id"] not in ("findings/changes",):
                key = next(c["key"] for c in t["columns"] if c["key"].startswith("change_"))
                total = next(row["cells"][key]["value"] for row in t["rows"] if row["role"] == "total")
                must(math.isclose(sum(column(diff, t["id"], key)), total, rel_tol=1e-9, abs_tol=1e-9), t["id"])
        rows = [row["cells"] for row in table(diff, "time/parts")["rows"]]
        must(all(math.isclose(r["b_ms"]["value"] - r["a_ms"]["value"], r["change_ms"]["value"], abs_tol=1e-12) for r in rows), "b − a")


def test_verdicts(folder):
    """Baselines of ±1 %: by hand s = 0.01, t(3 − 1; 0.995) = 9.925, so runs within about 12 % are one program's."""
    source = EXAMPLES / "jax_cnn/input"
    base = [report(folder, f"base{i}.json", source, slower(math.exp(x))) for i, x in enumerate((-0.01, 0, 0.01))]
    a, rest = base[0], base[1:]
    edge = math.exp(9.9248 * 0.01 * math.sqrt(1 + 1 / 3))
    for times, verdict, status in ((1.001, "same", 0), (edge * 0.999, "same", 0), (edge * 1.001, "slower", 1), (1 / edge * 0.999, "faster", 0), (1.3, "slower", 1)):
        b = report(folder, "b.json", source, slower(times))
        diff = compared(a, b, "--fail-on", "slower", "--baseline", *rest, status=status)
        row = next(r["cells"] for r in table(diff, "metrics/table")["rows"] if r["cells"]["id"]["value"] == "step.time.p50_ms")
        must(row["verdict"]["value"] == verdict, times, row["verdict"]["value"], "instead of", verdict)
        must(row["decided_by"]["value"] == "3 runs", row["decided_by"]["value"])
    b = report(folder, "b.json", source, slower(1.3))
    must("unknown" in json.dumps(compared(a, b, "--fail-on", "slower", status=6)), "one run each is not undecided")
    compared(a, b, "--fail-on", "slower", "--floor", "2%", status=1)
    compared(a, b, "--fail-on", "slower", "--floor", "0.5", status=0)
    # A pattern of the shell names A and B, too: each counts once.
    compared(a, b, "--fail-on", "slower", "--baseline", *base, b, status=1)


def test_baselines(folder):
    """What is no further run of the program says nothing of its noise: the same run in another file, B's own summary, another program."""
    source = EXAMPLES / "jax_cnn/input"
    a, b, c = (report(folder, f"{name}.json", source, slower(times)) for name, times in (("a", 1), ("b", 1.5), ("c", 1.01)))
    page, own = Path(folder, "a.html"), Path(folder, "b.tps")
    must(run(a, "-o", page).returncode == 0 and run("summarize", b, "-o", own).returncode == 0, "outputs")
    other = EXAMPLES / "tpu_two_hosts/input"
    for baselines in ([page, page, a], [own, page, c], [c, c, c], [c, other, other]):
        diff = compared(a, b, "--fail-on", "slower", "--baseline", *baselines, status=6)
        must("not known" in diff["description"], baselines, diff["description"])
    more = [report(folder, f"m{i}.json", source, slower(1 + i / 200)) for i in range(1, 5)]
    compared(a, b, "--fail-on", "slower", "--baseline", *more, own, other, page, status=1)
    told = subprocess.run([TPREPORT, "diff", a, b, "--baseline", *more, own, other], capture_output=True, text=True, check=False).stderr
    must("1 of the baselines count already" in told and "1 of the baselines cannot be compared" in told, told)


def test_not_comparable(folder):
    def batch(found):
        found["metrics"]["run.batch.global"]["value"] = 128
    source = EXAMPLES / "jax_cnn/input"
    a, b = report(folder, "a.json", source), report(folder, "b.json", source, slower(2), batch)
    diff = compared(a, b, "--floor", "1%", "--fail-on", "slower", status=6)
    must("differ in the batch" in diff["description"] and diff["verdict"]["judge"] == "undecided", diff["description"])


def test_summary(folder):
    """A summary holds the figures of its report, in 64 KiB, and ends in a clear message where it is cut or changed."""
    kept = Path(folder, "a.tps")
    for example in sorted(EXAMPLES.glob("*/input")):
        must(run("summarize", example, "-o", kept).returncode == 0 and kept.stat().st_size <= 65536, example, "is a large summary")
        again = json.loads(run(kept, "-o", "-", "--format", "json").stdout)
        was = json.loads(run(example, "-o", "-", "--format", "json").stdout)
        must({id: m["value"] for id, m in again["metrics"].items()} == {id: m["value"] for id, m in was["metrics"].items()}, example, "other metrics")
        must({f["id"]: f["status"] for f in again["findings"]} == {f["id"]: f["status"] for f in was["findings"]}, example, "other findings")
        second = Path(folder, "b.tps")
        must(run("summarize", kept, "-o", second).returncode == 0 and second.read_bytes() == kept.read_bytes(), example, "a summary of a summary")
    whole, cut = kept.read_bytes(), Path(folder, "cut.tps")
    for bytes_of, word in ((whole[:len(whole) // 2], "cut off"), (whole.replace(b"summary/1", b"summary/9", 1), "later version"), (whole + b"\xff\xff", "damaged")):
        cut.write_bytes(bytes_of)
        done = run(cut, "-o", "-", "--format", "json")
        must(done.returncode == 4 and word in done.stderr and done.stdout == "", word, done.returncode, done.stderr)
    must(run("summarize", kept).returncode == 2 and run("summarize", kept, "-o", Path(folder, "x.html")).returncode == 2, "usage")


def test_usage(folder):
    for words, said in ((["diff", DDP[0]], "compares two"), (["diff", *DDP, "--floor", "soon"], "--floor"), (["diff", *DDP, "--floor", "2"], "--floor"), (["diff", *DDP, "--fail-on", "sloth"], "slower"),
                        (["diff", *DDP, "--level", "2"], "--level"), ([*DDP[:1], "--baseline", DDP[1]], "does not apply")):
        done = run(*words)
        must(done.returncode == 2 and said in done.stderr, words, done.returncode, done.stderr)
    must(run("diff", DDP[0], Path(folder, "nothing")).returncode == 3, "no such file")
    text = run("diff", *DDP)
    must(text.returncode == 0 and "comparable" in text.stdout, text.stdout)
    paths = [Path(folder, f"d.{suffix}") for suffix in ("html", "pdf", "md", "json")]
    must(run("diff", *DDP, *(w for p in paths for w in ("-o", p))).returncode == 0 and all(p.stat().st_size > 2000 for p in paths), "outputs")
    # A comparison is a report, too.
    must(json.loads(run(paths[0], "-o", "-", "--format", "json").stdout) == json.loads(paths[3].read_text(encoding="utf-8")), "it is not read back")


run_all([test_with_itself, test_antisymmetric, test_adds_up, test_verdicts, test_baselines, test_not_comparable, test_summary, test_usage])
