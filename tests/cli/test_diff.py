"""tpreport diff: two runs or reports of any format, antisymmetric and adding up; noise from baselines decides, and --fail-on gates."""

import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

from cases import must, run_all
from made_reports import report, slower, with_table
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
                facts = [(row["cells"]["what"]["value"], row["cells"]["matters"]["value"]) for row in table(diff, "environment/facts")["rows"]]
                must(len(facts) > 3 and not any(matters for _, matters in facts), example, a, b, facts)
                for t in blocks(diff, "table"):
                    for key in ("change_ms", "change_bytes", "own_change_ms"):
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


def changes_of(diff):
    """Of each table all changes of its rows, without those of findings, which may have none."""
    found = {}
    for t in blocks(diff, "table"):
        for key in ("change_ms", "change_bytes", "own_change_ms"):
            if any(c["key"] == key for c in t["columns"]) and not t["id"].startswith("findings"):
                found[t["id"], key] = sorted(row["cells"][key]["value"] for row in t["rows"] if row["cells"][key]["value"] is not None)
    return found


def test_antisymmetric_tables(folder):
    """Every table of changes, those by family, category and scope among them, is backwards its own negative."""
    torch = torch_pair(folder, [("x", "Attention", 7, 1), ("y", "Copy", 3, 1)], [("x", "Attention", 5, 1), ("z", "GEMM", 9, 1)])
    for pair in ((EXAMPLES / "jax_cnn/input", EXAMPLES / "tpu_two_hosts/input"), DDP, torch):
        there, back = (changes_of(compared(*p)) for p in (pair, reversed(pair)))
        must(there.keys() == back.keys() and len(there) > 2, there.keys(), back.keys())
        for table_of, forth in there.items():
            against = sorted(-x for x in back[table_of])
            must(len(forth) == len(against) and all(math.isclose(x, y, abs_tol=1e-9) for x, y in zip(forth, against)), table_of, forth[:5], against[:5])


def test_adds_up(folder):
    for a, b in (DDP, (EXAMPLES / "jax_cnn/input", EXAMPLES / "tf_slow_input/input")):
        diff = compared(a, b)
        change = figures(diff, "change.")["step.time.mean_ms"]
        must(math.isclose(sum(column(diff, "time/parts", "change_ms")), change, abs_tol=1e-9), "parts do not add up to", change)
        for t in blocks(diff, "table"):
            if (t["id"].endswith("/changes") or "/by-" in t["id"]) and t["id"] != "findings/changes" and not t["tree"]:
                key = next(c["key"] for c in t["columns"] if c["key"].startswith("change_"))
                total = next(row["cells"][key]["value"] for row in t["rows"] if row["role"] == "total")
                must(math.isclose(sum(column(diff, t["id"], key)), total, rel_tol=1e-9, abs_tol=1e-9), t["id"])
        rows = [row["cells"] for row in table(diff, "time/parts")["rows"]]
        must(all(math.isclose(r["b_ms"]["value"] - r["a_ms"]["value"], r["change_ms"]["value"], abs_tol=1e-12) for r in rows), "b − a")


def test_verdicts(folder):
    """Baselines of ±1 %: by hand s = 0.01, the reach of three runs is 11.36 (src/compare/reach.c), so runs within about 14 % are one program's."""
    source = EXAMPLES / "jax_cnn/input"
    base = [report(folder, f"base{i}.json", source, slower(math.exp(x))) for i, x in enumerate((-0.01, 0, 0.01))]
    a, rest = base[0], base[1:]
    edge = math.exp(11.36 * 0.01 * math.sqrt(1 + 1 / 3))
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
        must("is unknown" in diff["description"], baselines, diff["description"])
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


def test_what_failed(folder):
    """Whoever reads the log of a job sees what --fail-on found, or why it could not tell."""
    a, b = report(folder, "a.json", EXAMPLES / "jax_cnn/input"), report(folder, "b.json", EXAMPLES / "jax_cnn/input", slower(1.3))
    for words, status, said in (
            ((a, b, "--fail-on", "slower", "--floor", "2%"), 1, ["--fail-on slower: step.time.p50_ms 80.6 ms, 105 ms in B (+30.0 %); decided by floor"]),
            ((a, b, "--fail-on", "slower"), 6, ["--fail-on slower cannot be judged: step.time.p50_ms", "run-to-run noise unknown"]),
            ((*DDP, "--fail-on", "memory", "--floor", "1%"), 1, ["--fail-on memory: torch.memory.peak_bytes", "MiB in B (+"]),
            ((a, DDP[0], "--fail-on", "memory"), 6, ["--fail-on memory cannot be judged: it is not in both reports"]),
            ((a, b, "--fail-on", "slower,memory,finding", "--floor", "50%"), 0, [])):
        done = run("diff", *words, "-o", Path(folder, "d.json"))
        told = done.stderr.replace("\u202f", " ")
        must(done.returncode == status and all(piece in told for piece in said) and (told == "") == (said == []), words, done.returncode, told)
    findings = {f["id"]: f["title"] for f in json.loads(run(EXAMPLES / "torch_ddp/input", "-o", "-", "--format", "json").stdout)["findings"] if f["status"] == "open"}
    told = run("diff", a, EXAMPLES / "torch_ddp/input", "-o", Path(folder, "d.json"), "--fail-on", "finding").stderr
    must("--fail-on finding: TPR-" in told and sum(id in told for id in findings) >= 2, told, findings)


def test_usage(folder):
    for words, said in ((["diff", DDP[0]], "compares two"), (["diff", *DDP, "--floor", "soon"], "--floor"), (["diff", *DDP, "--floor", "2"], "--floor"), (["diff", *DDP, "--fail-on", "sloth"], "slower"),
                        (["diff", *DDP, "--level", "2"], "--level"), (["diff", *DDP, "--level", "0.99999"], "0.9999"), ([*DDP[:1], "--baseline", DDP[1]], "does not apply")):
        done = run(*words)
        must(done.returncode == 2 and said in done.stderr, words, done.returncode, done.stderr)
    must(run("diff", DDP[0], Path(folder, "nothing")).returncode == 3, "no such file")
    text = run("diff", *DDP)
    must(text.returncode == 0 and "comparable" in text.stdout, text.stdout)
    paths = [Path(folder, f"d.{suffix}") for suffix in ("html", "pdf", "md", "json")]
    must(run("diff", *DDP, *(w for p in paths for w in ("-o", p))).returncode == 0 and all(p.stat().st_size > 2000 for p in paths), "outputs")


KERNELS = (("name", ""), ("family", ""), ("total_us", "us"), ("calls", "count"))


def torch_pair(folder, a, b, *edits):
    """Two reports of one step each, with these kernels in them."""
    def one_step(found):
        found["metrics"]["torch.step.count"]["value"] = 1
        for id in [id for id in found["metrics"] if "@" in id]:
            del found["metrics"][id]
    return [report(folder, f"{name}.json", DDP[0], one_step, *edits, with_table("kernels/by-name", KERNELS, [(0, row) for row in rows])) for name, rows in (("a", a), ("b", b))]


def test_families(folder):
    """By hand: names of two kinds of hardware have 10 of 390 µs in common, so what kernels do comes first; families add up to the same."""
    a, b = torch_pair(folder, [("flash_fwd", "Attention", 100, 4), ("sm90_gemm", "GEMM", 50, 2), ("sm80_gemm", "GEMM", 30, 1), ("fill", "Copy", 5, 1)],
                      [("attn_fwd", "Attention", 150, 4), ("Cijk", "GEMM", 40, 3), ("nccl", "Communication", 10, 1), ("fill", "Copy", 5, 1)])
    diff = compared(a, b)
    order = [t["id"] for t in blocks(diff, "table") if t["id"].startswith("kernels/")]
    must(order == ["kernels/by-family", "kernels/changes"], order)
    found = dict(zip(column(diff, "kernels/by-family", "name"), column(diff, "kernels/by-family", "change_ms")))
    expected = {"Attention": 0.05, "GEMM": -0.04, "Communication": 0.01, "Copy": 0}
    must(found.keys() == expected.keys() and all(math.isclose(found[f], expected[f], abs_tol=1e-12) for f in found), found)
    sums = {row["cells"]["name"]["value"]: row["cells"]["change_share"]["value"] for row in table(diff, "kernels/by-family")["rows"] if row["role"] == "total"}
    must(sums and not any(sums.values()), "a remainder has no share that says something", sums)
    calls = dict(zip(column(diff, "kernels/by-family", "name"), column(diff, "kernels/by-family", "calls_a")))
    must(calls["GEMM"] == 3 and calls["Communication"] is None, calls)
    must(math.isclose(sum(column(diff, "kernels/changes", "change_ms")), 0.02, abs_tol=1e-12), "kernels")
    # People know kernels by their short names; the whole name is there, too.
    def short(found):
        for t in blocks(found, "table"):
            if t["id"] == "kernels/by-name":
                t["columns"].append({"key": "kernel", "title": "Kernel", "unit": "", "decimals": 0})
                for row in t["rows"]:
                    row["cells"]["kernel"] = {"value": row["cells"]["name"]["value"].split("_")[0]}
    shown = {row["cells"]["name"]["value"]: row["cells"]["name"].get("full") for row in table(compared(*(report(folder, f"short_{p.name}", p, short) for p in (a, b))), "kernels/changes")["rows"]}
    must(shown["attn"] == "attn_fwd" and shown["fill"] is None, shown)
    # The same names: they come first.
    names = [t["id"] for t in blocks(compared(a, a), "table") if t["id"].startswith("kernels/")]
    must(names == ["kernels/changes", "kernels/by-family"], names)


def test_on_paper(folder):
    """Where long names leave figures no room to spare, sums, which are bolder, are whole."""
    if not shutil.which("pdftotext"):
        return
    long = "Cijk_Ailk_Bjlk_BBS_BH_Bias_HAS_SAV_UserArgs_MT16x16x256_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1"
    a, b = torch_pair(folder, *([(f"{long}{side}{i}", "Normalization", 111, 4) for i in range(9)] for side in "ab"), slower(0.1))
    pdf = Path(folder, "long.pdf")
    must(run("diff", a, b, "-o", pdf).returncode == 0, "pdf")
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    must("0.999" in text and not re.search(r"\d\.\d*…", text), re.findall(r".*\d…", text))


MODULES = (("name", ""), ("calls", "count"), ("device_ms", "ms"), ("host_ms", "ms"))


def test_modules(folder):
    """By hand: of Net 10 → 13 ms, conv +2, block itself +1.5, a layer renamed −4 + 3.5; what a report sums up in one row is in, too."""
    def tree(*rows):
        return with_table("modules/1/tree", MODULES, [(depth, (name, 1, ms, 2 * ms)) for depth, name, ms in rows])
    a, _ = torch_pair(folder, [("k", "Other", 1, 1)], [("k", "Other", 1, 1)], tree((0, "Net_0", 10), (1, "conv_0", 2), (1, "block_0", 6), (2, "old_0", 4), (2, "3 more", 1)))
    Path(folder, "a.json").rename(Path(folder, "left.json"))
    _, b = torch_pair(folder, [("k", "Other", 1, 1)], [("k", "Other", 1, 1)], tree((0, "Net_0", 13), (1, "conv_0", 4), (1, "block_0", 7), (2, "new_0", 3.5), (2, "2 more", 1)))
    diff = compared(Path(folder, "left.json"), b)
    rows = [(r.get("depth", 0), r["cells"]["name"]["value"], r["cells"]["change_ms"]["value"], r["cells"]["own_change_ms"]["value"]) for r in table(diff, "module-tree/changes")["rows"]]
    expected = [(0, "Net_0", 3, 0), (1, "conv_0", 2, 2), (1, "block_0", 1, 1.5), (2, "old_0", -4, -4), (2, "new_0", 3.5, 3.5), (2, "(others)", 0, 0), (0, "All", 3, None)]
    must([row[:2] for row in rows[:7]] == [row[:2] for row in expected], rows)
    must(all(math.isclose(r[2], e[2], abs_tol=1e-9) and (e[3] is None or math.isclose(r[3], e[3], abs_tol=1e-9)) for r, e in zip(rows, expected)), rows)
    kept = [Path(folder, f"{name}.tps") for name in ("left", "b")]
    for name, path in zip(("left", "b"), kept):
        must(run("summarize", Path(folder, f"{name}.json"), "-o", path).returncode == 0, "summarize")
    must(table(compared(*kept), "module-tree/changes")["rows"] == table(diff, "module-tree/changes")["rows"], "a summary has other modules")


def test_memory(folder):
    """By hand: the measured peak grows from 100 to 130 MiB, of it 20 in one holder and 15 in a new one, and 5 less are in none."""
    columns = (("framework_op", ""), ("total_mib", "mib"), ("count", "count"), ("shape", ""), ("data_type", ""), ("region", ""))

    def measured(mib, *rows):
        def edit(found):
            found["metrics"]["memory.measured.peak_bytes"].update({"value": mib << 20, "unit": "bytes"})
            found["metrics"]["memory.measured.peak_bytes"].pop("missing", None)
        return edit, with_table("memory-over-time/of/device/live", columns, [(0, (name, held, 1, "f32[8]", "float", "temp")) for name, held in rows])
    source = EXAMPLES / "jax_cnn/input"
    a = report(folder, "a.json", source, *measured(100, ("conv", 60), ("dense", 25)))
    b = report(folder, "b.json", source, *measured(130, ("conv", 80), ("dense", 25), ("cache", 15)))
    rows = [(r["cells"]["name"]["value"].split(" ")[0], r["cells"]["change_bytes"]["value"] / 2**20) for r in table(compared(a, b), "memory-measured/changes")["rows"]]
    must(rows == [("conv", 20), ("cache", 15), ("dense", 0), ("All", 35), ("Remainder", -5), ("Peak", 30)], rows)


def test_scopes(folder):
    """Own changes of all scopes, and changes of the outermost, add up to that of all operations; backwards they are its negative."""
    a, b = EXAMPLES / "jax_cnn/input", EXAMPLES / "tpu_two_hosts/input"
    there, back = compared(a, b), compared(b, a)

    def normal(diff):
        return [row for row in table(diff, "scopes/changes")["rows"] if row["role"] != "total"]
    total = next(row["cells"]["change_ms"]["value"] for row in table(there, "scopes/changes")["rows"] if row["role"] == "total")
    must(math.isclose(total, sum(column(there, "operations/changes", "change_ms")), abs_tol=1e-6) and total != 0, total)
    for key, rows in (("own_change_ms", normal(there)), ("change_ms", [r for r in normal(there) if not r.get("depth")])):
        must(math.isclose(sum(r["cells"][key]["value"] for r in rows), total, abs_tol=1e-6), key)
    sums = [sorted((r["cells"]["name"]["value"], sign * r["cells"]["change_ms"]["value"]) for r in normal(d)) for d, sign in ((there, 1), (back, -1))]
    must(len(sums[0]) > 10 and all(x[0] == y[0] and math.isclose(x[1], y[1], abs_tol=1e-9) for x, y in zip(*sums)), "scopes backwards")


def facts_of(diff):
    return {row["cells"]["what"]["value"]: [row["cells"][key]["value"] for key in ("a", "b", "matters")] for row in table(diff, "environment/facts")["rows"]}


def test_programs(folder):
    """A changed program is compared and listed, another one is not compared. A function that is renamed is no other program."""
    source = EXAMPLES / "jax_cnn/input"

    def edited(print_of=None, program=None, path=None):
        def edit(found):
            for t in blocks(found, "table"):
                for row in t["rows"] if t["id"] in ("operations/list", "environment/programs/table") else []:
                    cells = row["cells"]
                    if print_of and "fingerprint" in cells:
                        cells["fingerprint"]["value"] = print_of
                    for cell, change in ((cells.get("program"), program), (cells.get("framework_op"), path)):
                        for key in ("value", "full") if cell and change else ():
                            if cell.get(key):
                                cell[key] = change(cell[key])
        return edit
    a = report(folder, "a.json", source, slower(1.5))
    b = {name: report(folder, f"{name}.json", source, edit) for name, edit in {
        "recompiled": edited("00ff"), "renamed": edited("00ff", lambda p: p.replace("train", "fit"), lambda p: p.replace("train", "fit")),
        "other": edited("00ff", None, lambda p: "jit(train_step)/encoder/" + p.rsplit("/", 1)[-1] + "_of_another_model"),
        "same": edited(None, None, lambda p: "jit(train_step)/encoder/" + p.rsplit("/", 1)[-1] + "_of_another_model")}.items()}
    diffs = {name: compared(a, path) for name, path in b.items()}
    for name in ("recompiled", "renamed", "same"):
        must("Undecided" in diffs[name]["description"], name, diffs[name]["description"])
    must(facts_of(diffs["recompiled"])["Fingerprint of the program"][1:] == ["00ff", "differs"], facts_of(diffs["recompiled"]))
    must(facts_of(diffs["renamed"])["Programs"] == ["jit_train_step", "jit_fit_step", "differs"], facts_of(diffs["renamed"]))
    must("inconclusive, because they differ in the program." in diffs["other"]["description"], diffs["other"]["description"])
    must(facts_of(diffs["other"])["Programs"][2] == "times are not comparable", facts_of(diffs["other"]))
    compared(a, b["other"], "--fail-on", "slower", "--floor", "1%", status=6)
    kept = [Path(folder, "a.tps"), Path(folder, "other.tps")]
    for path in kept:
        must(run("summarize", path.with_suffix(".json"), "-o", path).returncode == 0, path)
    must(facts_of(compared(*kept)) == facts_of(diffs["other"]), facts_of(compared(*kept)))


def test_models(folder):
    """Layers are everybody's; what holds them is the model's. Kernels tell the precision."""
    def tree(*rows):
        return with_table("modules/1/tree", MODULES, [(depth, (name, 1, 1.0, 1.0)) for depth, name in rows])
    def kernels(narrow):
        return [("gemm_bf16", "GEMM", narrow, 1), ("sgemm_128", "GEMM", 100 - narrow, 1)]
    bert = tree((0, "Bert_0"), (1, "BertLayer_0"), (2, "Linear_0"))
    wrapped = tree((0, "DistributedDataParallel_0"), (1, "Bert_0"), (2, "BertLayer_0"), (3, "Linear_0"))
    vit = tree((0, "DistributedDataParallel_0"), (1, "ViT_0"), (2, "ViTLayer_0"), (3, "Linear_0"))
    made = {}
    for name, edit, narrow in (("bert", bert, 90), ("wrapped", wrapped, 85), ("vit", vit, 40)):
        made[name] = torch_pair(folder, kernels(narrow), [], edit)[0].rename(Path(folder, f"{name}.json"))
    same, other = (facts_of(compared(made["bert"], made[name])) for name in ("wrapped", "vit"))
    must(same["Model"] == ["Bert", "DistributedDataParallel", "differs"], same)
    must(same["Precision of kernels"] == ["bf16 90\u202f%, f32 10\u202f%", "bf16 85\u202f%, f32 15\u202f%", ""], same)
    must(other["Model"][2] == "times are not comparable" and other["Precision of kernels"][2] == "differs", other)
    must("differ in the model" in compared(made["wrapped"], made["vit"])["description"], "a wrapper that both have")


def test_products(folder):
    """Without modules a model is known by the convolutions and products of its step: 20 + 3 against 1 + 3 is another, 20 + 3 against 14 + 2 a changed one."""
    def made(name, workers, convolutions, products):
        rows = [(0, row) for row in (("aten::convolution", convolutions, 60.0), ("aten::addmm", 1, 20.0), ("aten::mm", products - 1, 10.0), ("aten::relu", 9, 10.0))]
        def one_step(found):
            found["metrics"]["torch.step.count"]["value"] = 1
            for row in next(t for t in blocks(found, "table") if t["id"] == "environment/run")["rows"]:
                if row["cells"]["what"]["value"] == "World size":
                    row["cells"]["value"]["value"] = workers
            made = {"sections": []}
            with_table("operators/list", [("operator", ""), ("calls", "count"), ("host_self_us", "us")], rows)(made)
            next(t for t in blocks(found, "table") if t["id"] == "operators/list").update(next(blocks(made, "table")))
        return report(folder, f"{name}.json", DDP[0], one_step)
    a, changed, other, wider = made("a", "2", 20, 3), made("changed", "2", 14, 2), made("other", "2", 1, 3), made("wider", "4", 20, 3)
    must(facts_of(compared(a, changed))["Matmuls and convolutions per step"] == ["convolutions 20, matmuls 3", "convolutions 14, matmuls 2", "differs"], facts_of(compared(a, changed)))
    for b, what in ((other, "the matmuls and convolutions of a step"), (wider, "the number of workers")):
        for x, y in ((a, b), (b, a)):
            must(f"inconclusive, because they differ in {what}." in compared(x, y)["description"], compared(x, y)["description"])


def test_no_input(folder):
    """What was made of several runs is no run: no command takes it for one."""
    made = [Path(folder, f"diff.{suffix}") for suffix in ("html", "pdf", "json", "tps")] + [Path(folder, "history.html")]
    must(run("diff", *DDP, *(w for path in made[:-1] for w in ("-o", path))).returncode == 0, "diff")
    must(run("history", *DDP, "-o", made[-1]).returncode == 0, "history")
    budget = Path(folder, "budget.json")
    budget.write_text('{"metrics": {"step.time.p50_ms": {"max": 1}}}', encoding="utf-8")
    for path in made:
        word = path.stem.replace("diff", "comparison")
        for words in ([path, "-o", "-", "--format", "json"], ["get", path, "step.time.p50_ms"], ["show", path, "summary"], ["check", path, "--budget", budget], ["check", DDP[0], "--budget", budget, "--baseline", path],
                      ["budget", path], ["history", path, "-o", "-", "--format", "json"], ["history", path, DDP[0], "--strict", "-o", "-", "--format", "json"], ["diff", path, DDP[0]], ["diff", *DDP, "--baseline", path], ["summarize", path, "-o", Path(folder, "x.tps")]):
            done = run(*words)
            must(done.returncode == 3 and word in done.stderr and done.stdout == "", words, done.returncode, done.stderr, done.stdout)


def test_part(folder):
    """Tables that comparisons do not look at are not read for them, which halves the time of large reports; a report of it all is."""
    source = EXAMPLES / "tpu_two_hosts/input"

    def broken(found):
        table(found, "roofline/operations")["rows"][0]["role"] = "nobody"
    whole, odd = report(folder, "whole.json", source), report(folder, "odd.json", source, broken)
    must(run(odd, "-o", "-", "--format", "json").returncode == 4, "a row of no role is read")
    must(compared(whole, odd) == compared(whole, report(folder, "odd.json", source)), "what is not looked at counts")


def test_words(folder):
    """A run named once, labels that differ within a table, what lacks steps and why noise is unknown."""
    source = EXAMPLES / "jax_cnn/input"
    a, b = report(folder, "a.json", source), report(folder, "b.json", source, slower(1.5))
    for left, right in ((a, b), DDP, (EXAMPLES / "tpu_two_hosts/input",) * 2):
        labels = column(compared(left, right), "metrics/table", "metric")
        must(len(labels) == len(set(labels)), left, sorted(l for l in labels if labels.count(l) > 1))
    graph = EXAMPLES / "tf_graph/input"
    for left, right, said in ((a, graph, "B has no step times"), (graph, a, "A has no step times"), (graph, graph, "A and B have no step times")):
        must(said in compared(left, right)["description"], said, compared(left, right)["description"])

    def same_name(found):
        found["run"] = found["name"]
    sides = json.dumps(compared(report(folder, "c.json", source, same_name), a)["sections"][0], ensure_ascii=False)
    must("A jax_cnn · " in sides and "jax_cnn · jax_cnn" not in sides, "a run is named twice")

    def of_spans(found):
        row = next(r for r in table(found, "environment/run")["rows"] if r["cells"]["what"]["value"] == "Capture length")
        row["cells"]["what"]["value"] = "From the first span to the last"
    facts = facts_of(compared(DDP[0], report(folder, "spans.json", DDP[0], of_spans)))
    must(not facts.keys() & {"Run", "Capture length", "From the first span to the last", "Trace id"} and len(facts) > 5, "of one capture alone", facts)
    must("give two or more further runs" in compared(a, b)["description"], "what would tell")
    described = compared(a, b, "--baseline", a)["description"]
    must("of 1 given 0 count, 1 is A, B or another baseline again" in described and "--baseline" not in described, described)


def test_remainder(folder):
    """Of the mean step: what one report alone tells apart is a row, what classes lose by rounding is none. In every table what rows leave is one."""
    source = EXAMPLES / "jax_cnn/input"

    def longer(ms):
        def edit(found):
            found["metrics"]["step.time.mean_ms"]["value"] += ms
            found["metrics"]["step.time.mean_ms"].pop("text", None)
        return edit
    a = report(folder, "a.json", source)
    for ms, has in ((0.0002, False), (0.3, True)):
        parts = dict(zip(*(column(compared(a, report(folder, "b.json", source, longer(ms))), "time/parts", key) for key in ("part", "change_ms"))))
        must(("Remainder" in parts) == has and math.isclose(parts.get("Remainder", ms), ms, rel_tol=1e-6), ms, parts)
    for left, right in (DDP, (source, a), (EXAMPLES / "tpu_two_hosts/input",) * 2):
        diff = compared(left, right)
        for t in blocks(diff, "table"):
            key = next((c["key"] for c in t["columns"] if c["key"] in ("change_ms", "change_bytes")), None)
            names = [next(iter(row["cells"].values()))["value"] for row in t["rows"]]
            if "Remainder" not in names or not t["id"].endswith("/changes"):
                continue
            end = [row["cells"][key]["value"] for row in t["rows"][-3:]]
            must(names[-3:] in (["All", "Remainder", "Mean step"], ["All", "Remainder", "Peak"]) and math.isclose(end[0] + end[1], end[2], abs_tol=1e-9), t["id"], end)
            if names[-1] == "Mean step":
                must(math.isclose(end[2], figures(diff, "change.")["step.time.mean_ms"], abs_tol=1e-9), t["id"])
        must(any(row["cells"]["name"]["value"] == "Remainder" for t in blocks(diff, "table") if t["id"].endswith("/changes") and "name" in t["rows"][0]["cells"] for row in t["rows"]), left, "no remainder")


run_all([test_with_itself, test_antisymmetric, test_antisymmetric_tables, test_adds_up, test_verdicts, test_baselines, test_not_comparable, test_summary, test_families, test_on_paper, test_modules, test_memory, test_scopes, test_programs, test_models, test_products, test_no_input, test_part, test_words, test_remainder, test_what_failed, test_usage])
