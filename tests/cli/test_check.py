"""tpreport check: limits of every kind, in and out; what cannot be judged is no pass; its outputs hold for any name; tpreport budget."""

import json
import math
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import junit_rules
import schema
from cases import must, run_all
from page_figures import blocks

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
TPREPORT = os.environ["TPREPORT"]
EXAMPLES = SOURCE / "examples"
CNN, DDP, TPU = (EXAMPLES / name / "input" for name in ("jax_cnn", "torch_ddp", "tpu_two_hosts"))
STEP, BUSY, MEMORY = "step.time.p50_ms", "device.busy_share", "torch.memory.peak_bytes"
RULES = json.loads((SOURCE / "templates/budget.schema.json").read_text(encoding="utf-8"))


def run(*words, **options):
    return subprocess.run([TPREPORT, "-q", *map(str, words)], capture_output=True, text=True, check=False, **options)


def check(path, budget, *words, status, says=""):
    """Checks with a budget that is given as JSON; the text."""
    text = budget if isinstance(budget, str) else json.dumps(budget)
    done = run("check", path, "--budget", "-", *words, input=text)
    must(done.returncode == status, text[:300], words, "exit", done.returncode, "instead of", status, done.stdout, done.stderr)
    must(says in (done.stderr if status == 2 else done.stdout), says, "is not said:", done.stdout, done.stderr)
    if status != 2:
        must(not schema.faults(json.loads(text), RULES), "not by the schema:", text[:300])
    return done.stdout


def limits(id, **given):
    return {"metrics": {id: given}}


def report(folder, name, source, **metrics):
    """The report of source as JSON, with other figures or a function of them."""
    whole = Path(folder, source.parent.name + ".json")
    if not whole.exists():
        must(run(source, "-o", whole).returncode == 0, source)
    found = json.loads(whole.read_text(encoding="utf-8"))
    for id, value in metrics.items():
        found["metrics"][id]["value"] = value(found["metrics"][id]["value"]) if callable(value) else value
        found["metrics"][id].pop("text", None)
        for tile in blocks(found, "tiles"):
            tile["tiles"] = [t for t in tile["tiles"] if t["metric"] != id]
    path = Path(folder, name)
    path.write_text(json.dumps(found), encoding="utf-8")
    return path


def value(path, id):
    return float(run("get", path, id).stdout.split("\t")[1])


def test_own_budget(folder):
    """What is proposed passes with the runs that it is from, and is a budget by the schema."""
    for example in sorted(EXAMPLES.glob("*/input")):
        done = run("budget", example)
        must(done.returncode in (0, 6), example, done.stderr)
        if done.returncode == 0:
            check(example, done.stdout, status=0, says="within the budget")
    both = [DDP, EXAMPLES / "torch_dataloader/input"]
    proposed = run("budget", *both, "--margin", "0.01%").stdout
    most = max(value(path, STEP) for path in both)
    must(most < json.loads(proposed)["metrics"][STEP]["max"] < most * 1.002, proposed)
    for path in both:
        check(path, proposed, status=0)
    must(run("budget").returncode == 2 and run("budget", DDP, "--margin", "much").returncode == 2, "usage")


def test_absolute(folder):
    b = report(folder, "b.json", CNN)
    ms, share, peak = value(b, STEP), value(TPU, BUSY), value(DDP, MEMORY)
    for times, unit in ((1, ""), (1, " ms"), (1e3, "us"), (1e3, " µs"), (1e6, " ns"), (1e9, " ps"), (1e-3, " s"), (1 / 60e3, " min")):
        check(b, limits(STEP, max=f"{ms * 1.001 * times:.15g}{unit}"), status=0, says="within the budget: 1 limit")
        check(b, limits(STEP, max=f"{ms * 0.999 * times:.15g}{unit}"), status=1, says="outside the budget: 1 of 1")
    for times, unit in ((1, " B"), (2**-10, " KiB"), (2**-20, " MiB"), (2**-30, " GiB"), (2**-40, " TiB"), (1e-6, "MB"), (1e-9, " GB")):
        check(DDP, limits(MEMORY, max=f"{peak * 1.001 * times:.15g}{unit}"), status=0)
        check(DDP, limits(MEMORY, max=f"{peak * 0.999 * times:.15g}{unit}"), status=1)
    check(b, limits(STEP, max=ms), status=0)
    check(b, limits(STEP, max=math.nextafter(ms, 0)), status=1)
    for limit in (share * 0.999, f"{share * 99.9:.15g} %"):
        check(TPU, limits(BUSY, min=limit), status=0)
    check(TPU, limits(BUSY, min=f"{share * 100.1:.15g}%"), status=1)
    check(b, limits("step.count", min=1, max=1000), status=0)
    check(b, limits("step.count", min=1001, max=2000), status=1)
    check(b, {"min_coverage": "90%"}, status=0, says="data.coverage_share")
    check(TPU, limits(BUSY, min=share * 1.00001), status=1, says=f"≥ {share * 100.001:.6g}"[:7])
    low = report(folder, "low.json", CNN, **{"data.coverage_share": 0.5})
    check(low, {"min_coverage": 0.9}, status=1, says="50.0 %")
    # What looks equal in three digits is written out.
    check(b, limits(STEP, max=ms * 0.99999), status=1, says=f"{ms * 0.99999:.6g}"[:6])


def test_increase(folder):
    """By hand: three baselines of ±1 % have s = 0.01, so noise is up to exp(k s √(1 + 1/3)), k = 11.36 (src/compare/reach.c)."""
    base = [report(folder, f"base{i}.json", CNN, **{STEP: lambda v, x=x: v * math.exp(x)}) for i, x in enumerate((-0.01, 0, 0.01))]
    newest, noise = value(base[2], STEP), math.exp(11.36 * 0.01 * math.sqrt(4 / 3))
    for limit, edge in (("2%", newest * 1.02), (0.5, newest + 0.5), ("500 us", newest + 0.5)):
        for figure, status in ((newest * 0.5, 0), (edge * 0.9999, 0), (edge * 1.0001, 6), (edge * noise * 0.9999, 6), (edge * noise * 1.0001, 1)):
            b = report(folder, "b.json", CNN, **{STEP: figure})
            check(b, limits(STEP, max_increase=limit), "--baseline", *base, status=status)
    b = report(folder, "b.json", CNN, **{STEP: newest * 1.3})
    md = Path(folder, "c.md")
    must("Slower" in check(b, limits(STEP, max_increase="2%"), "--baseline", *base, "-o", md, status=1), "by how much is not said")
    must("\nSlower" in md.read_text(encoding="utf-8"), md.read_text(encoding="utf-8"))
    # Beyond the limit, and it does not matter that other limits are kept.
    check(b, limits(STEP, max_increase="2%", max=1e9), "--baseline", *base, b, status=1, says="newest of 3 baselines")
    check(b, limits(STEP, max_increase="2%"), "--baseline", base[0], status=6, says="noise between runs is unknown")
    check(b, limits(STEP, max_increase="2%"), "--baseline", base[0], "--floor", "1%", status=1)
    check(b, limits(STEP, max_increase="2%"), status=6, says="give --baseline")
    check(base[0], limits(STEP, max_increase=0), "--baseline", report(folder, "same.json", CNN, **{STEP: lambda v: v * math.exp(-0.01)}), status=0)


def test_decrease(folder):
    """Of a share limits are points; a number and a text say the same."""
    base = [report(folder, f"base{i}.json", TPU, **{BUSY: share}) for i, share in enumerate((0.80001, 0.79999, 0.8))]
    for limit in (0.02, "2%", "2 %"):
        for share, status in ((0.9, 0), (0.781, 0), (0.779, 1)):
            b = report(folder, "b.json", TPU, **{BUSY: share})
            check(b, limits(BUSY, max_decrease=limit), "--baseline", *base, status=status, says="pp")


def test_newest(folder):
    """The newest baseline by its capture is what limits move with, wherever it is named."""
    old, new = (report(folder, f"{name}.json", TPU, **{BUSY: share}) for name, share in (("old", 0.8), ("new", 0.7)))
    for path, made in ((old, 1700000000), (new, 1800000000)):
        found = json.loads(path.read_text(encoding="utf-8"))
        must("made_unix_s" in found, list(found))
        path.write_text(json.dumps({**found, "made_unix_s": made}), encoding="utf-8")
    for order in ((old, new), (new, old)):
        check(TPU, {"min_coverage": 0.1}, "--baseline", *order, status=0, says="new.json, newest of 2")


def test_cannot_be_judged(folder):
    b = report(folder, "b.json", CNN)
    missing = limits(MEMORY, max="13 GiB")
    check(b, missing, status=6, says="Not a pass")
    check(b, missing, "--missing=pass", status=0, says="1 cannot be judged (missing: pass)")
    check(b, missing, "--missing=fail", status=1, says="outside the budget: 1 of 1; 1 cannot be judged (missing: fail)")
    check(b, limits(STEP + "@host=nobody", max=1), status=6, says="no such metric")
    check(b, limits("run.device_type", max=1), status=6)
    # One that is outside counts, whatever else cannot be judged.
    check(b, {"metrics": {MEMORY: {"max": 1}, STEP: {"max": 0}}}, status=1, says="1 cannot be judged")
    other = report(folder, "other.json", CNN, **{"run.batch.global": 7})
    both = {"metrics": {STEP: {"max": 0.001}}, "min_coverage": 0.5}
    check(b, both, status=1)
    # A limit that is crossed is crossed whatever the baseline is; one that is kept says nothing of a run that is not comparable.
    check(b, both, "--baseline", other, status=1)
    check(b, limits(STEP, max=1000), "--baseline", other, status=6, says="the runs differ in the batch")
    check(b, {"min_coverage": 0.5}, "--baseline", other, status=0)


def test_missing_by_entry(folder):
    """What the budget says of one limit counts for it, whatever --missing says."""
    b, xml = report(folder, "b.json", CNN), Path(folder, "c.junit.xml")
    entry = lambda word: {"metrics": {MEMORY: {"max": 1, "missing": word}, STEP: {"max": 1e9}}}
    for word, other, status in (("pass", "fail", 0), ("fail", "pass", 1)):
        check(b, entry(word), status=status, says=f"1 cannot be judged (missing: {word})")
        check(b, entry(word), f"--missing={other}", "-o", xml, status=status)
        must(len(list(ElementTree.parse(xml).getroot().iter("failure"))) == status, xml.read_text(encoding="utf-8"))
    two = {"metrics": {MEMORY: {"max": 1, "missing": "pass"}, STEP + "@host=nobody": {"max": 1}}}
    check(b, two, status=6, says="cannot be judged: 1 of 2")
    check(b, two, "--missing=fail", status=1, says="1 cannot be judged (missing: fail); 1 cannot be judged (missing: pass)")
    undecided = next(f["id"] for f in json.loads(b.read_text(encoding="utf-8"))["findings"] if f["status"] == "undecided")
    check(b, {"forbid": [undecided]}, status=6)
    check(b, {"forbid": [{"id": undecided, "missing": "pass"}]}, status=0)
    check(b, {"forbid": [{"id": undecided, "missing": "fail"}]}, status=1)
    check(b, {"forbid": [{"id": undecided}]}, "--missing=pass", status=0)


def test_undecided_severity(folder):
    """A check that could not decide may have found something severe: no finding of a severity is known to be absent."""
    whole = json.loads(report(folder, "whole.json", CNN).read_text(encoding="utf-8"))
    undecided = [f for f in whole["findings"] if f["status"] == "undecided"]
    must(undecided and not any(f["status"] == "open" and f["severity"] == "high" for f in whole["findings"]), "another example is needed")
    check(CNN, {"forbid": ["severity:high"]}, status=6, says=undecided[0]["id"])
    check(CNN, {"forbid": ["severity:high"]}, "--missing=pass", status=0)
    check(CNN, {"forbid": [{"id": "severity:high", "missing": "pass"}]}, status=0)
    must({"id": "severity:high", "missing": "pass"} in json.loads(run("budget", CNN).stdout)["forbid"], "what is proposed is not kept by the run itself")


def test_findings(folder):
    found = {f["id"]: f for f in json.loads(run(DDP, "-o", "-", "--format", "json").stdout)["findings"]}
    by_status = {f["status"]: f for f in found.values()}
    severe = next(f["severity"].lower() for f in found.values() if f["status"] == "open")
    check(DDP, {"forbid": [by_status["open"]["id"]]}, status=1, says=by_status["open"]["id"] + ":")
    check(DDP, {"forbid": [by_status["open"]["id"][:-3] + "*"]}, status=1)
    check(DDP, {"forbid": [f"severity:{severe}"]}, status=1)
    check(DDP, {"forbid": [by_status["passed"]["id"], by_status["not_applicable"]["id"]]}, status=0)
    check(DDP, {"forbid": [by_status["undecided"]["id"]]}, status=6, says="cannot decide")
    unheard = next(id for id in ("TPR-POD-001", "TPR-SC-001", "TPR-OP-001") if id not in found)
    check(DDP, {"forbid": [unheard]}, status=6, says="does not have this check")


def test_schema(folder):
    """It refuses what is refused by shape alone."""
    for budget in ({"metric": {}}, {"metrics": []}, limits(STEP, maxx=1), limits(STEP, max=[1]), limits(STEP, max="soon"), {"forbid": "x"},
                   limits(STEP, missing="maybe", max=1), {"forbid": [{"missing": "pass"}]}, {"forbid": [{"id": "TPR-OOM-*", "severity": 1}]},
                   {"forbid": [1]}, {"forbid": ["TPR-*-*"]}, {"schema": "tpreport.budget/2"}, limits(STEP, max_increase=-1), []):
        must(schema.faults(budget, RULES), "the schema lets pass", budget)
        check(CNN, {**budget, "min_coverage": 0.5} if isinstance(budget, dict) else budget, status=2)


def test_usage(folder):
    for budget, says in (
            (limits("step.time.p50", max=1), STEP), (limits("device.busy_shared", max=1), BUSY), (limits(BUSY, max=1), "write min in place of max"),
            (limits(STEP, min=1), "write max in place of min"), (limits(BUSY, max_increase=1), "max_decrease"), (limits(STEP, maxx=1), "near is max"),
            (limits(STEP, max="2 GiB"), "a time"), (limits(MEMORY, max="2 ms"), "a size"), (limits(STEP, max=[1]), "give a number"),
            (limits(BUSY, min=85), '0.85 is 85 %: write 0.85 or "85%"'), (limits(BUSY, min="85"), "0.85 is 85 %"), ({"min_coverage": 90}, "0.9 is 90 %"),
            (limits(BUSY, max_decrease=2), "0.02 is 2 %"), (limits(STEP, max=1, missing="maybe"), 'give "pass" or "fail"'), (limits(STEP, missing="pass"), "limits nothing"),
            (limits(STEP, max="nan"), "give a number"), (limits(STEP, max_increase=-1), "0 or more"), (limits(STEP), "give an object"),
            (limits("step.count", min=2, max=1), "above max"), ({"forbid": ["TPR-OM-001"]}, "TPR-OOM-001"), ({"forbid": "x"}, "a list"),
            ({"forbid": [1]}, "a string"), ({"metric": {}}, "metrics"), ({"metrics": []}, "object"), ({}, "limits nothing"), ([], "an object"),
            ("{", "line 1"), ("", "line"), ({"schema": "tpreport.budget/2", "min_coverage": 1}, "budget/1"), ({"name": 1, "min_coverage": 1}, "a string"),
            ({"min_coverage": 1, "metrics": {"data.coverage_share": {"min": 1}}}, "already"), ('{"metrics": {}, "metrics": {}}', "duplicate")):
        check(CNN, budget, status=2, says=says)
    sound = json.dumps({"min_coverage": 0.5})
    for words in (["--missing", "so"], ["--level", "3"], ["-o", Path(folder, "x.html")], ["--run", "all"]):
        check(CNN, sound, *words, status=2)
    must(run("check", CNN).returncode == 2 and run("check", CNN, "--budget", Path(folder, "none")).returncode == 2, "no budget")
    must(run("check", Path(folder, "none"), "--budget", "-", input=sound).returncode == 3, "no profile")
    check(CNN, sound, "-o", Path(folder, "no/x.md"), status=5)


def test_outputs(folder):
    """One case a limit; a hostile name is a name in each output."""
    hostile = "</testsuite>1.2\"'&]]><script>|`@all [x](http://y)\u202e\n# \u001b[31m"
    log = report(folder, "b.json", CNN)
    found = json.loads(log.read_text(encoding="utf-8"))
    found["title"] = hostile
    odd = Path(folder, "b <&\"'|`@all`.json")
    odd.write_text(json.dumps(found), encoding="utf-8")
    scope = "@host=" + hostile.replace("\n", "").replace("\u001b", "")
    budget = {"name": hostile, "min_coverage": 0.5, "forbid": ["severity:high"],
              "metrics": {STEP: {"max": 0.001}, STEP + scope: {"max": 1}, MEMORY: {"max": 1}}}
    for words, status, counts in (([], 1, (5, 1, 3)), (["--missing=fail"], 1, (5, 4, 0)), (["--baseline", log, "--missing=pass"], 1, (5, 1, 3))):
        xml, md = Path(folder, "c.junit.xml"), Path(folder, "c.md")
        text = check(odd, budget, *words, "-o", xml, "-o", md, status=status)
        must("\u001b" not in text and "\u202e" not in text, "it reaches the terminal")
        root = ElementTree.parse(xml).getroot()
        must(not junit_rules.faults(root), junit_rules.faults(root))
        suite = root[0]
        must({c.get("classname") for c in suite} == {suite.get("name").replace(".", "_")}, "Jenkins splits packages at dots")
        must(tuple(int(suite.get(k)) for k in ("tests", "failures", "skipped")) == counts, suite.attrib, counts)
        must(len(suite) == counts[0] and len(root.findall(".//failure")) == counts[1] and len(root.findall(".//skipped")) == counts[2], "cases")
        must(suite.get("name").startswith("</testsuite>1.2\"'&]]><script>"), suite.get("name"))
        case = next(c for c in suite if c.get("name") == STEP)
        must("80.6 ms is not ≤ 1.00 µs" in case[0].get("message"), case[0].attrib)
        said = md.read_text(encoding="utf-8")
        bare = re.sub(r"(`+).*?\1", "", said)
        must("@all" not in bare and "<script" not in bare and "](" not in bare, said)
        must("\u202e" not in said and "\u001b" not in said and "\n# " not in said, said)
        rows = [line for line in said.splitlines() if line.startswith("|")]
        must(len(rows) == 7 and len({line.replace("\\|", "").count("|") for line in rows}) == 1, rows)


def test_names(folder):
    """Without a name of its own a budget has that of its file; suffixes of outputs are known in any case."""
    budget, xml = Path(folder, "step.time.json"), Path(folder, "C.JUNIT.XML")
    budget.write_text(json.dumps(limits(STEP, max=1e9)), encoding="utf-8")
    done = run("check", CNN, "--budget", budget, "-o", xml)
    must(done.returncode == 0, done.stderr)
    suite = ElementTree.parse(xml).getroot()[0]
    must(suite.get("name") == "step.time" and suite[0].get("classname") == "step_time", suite.attrib, suite[0].attrib)


def test_series(folder):
    """The figures of the budget, at full precision, in the shape that each service reads; texts and findings are none."""
    hostile = 'b"\\\n{}<'
    hosts = [f"{STEP}@host={line.split(chr(9))[0].split('=')[1]}" for line in run("get", TPU).stdout.splitlines() if line.startswith(STEP + "@host=")]
    budget = {"name": hostile, "forbid": ["severity:high"], "metrics": {
        hosts[0]: {"max": 1e9}, "step.count": {"min": 0}, BUSY: {"min": 0}, "run.device_type": {"max": 1}, STEP: {"max": 1e9}}}
    paths = {name: Path(folder, f"c.{name}") for name in ("bmf.json", "smaller.gab.json", "bigger.gab.json", "om")}
    check(TPU, budget, "--missing=pass", *(word for path in paths.values() for word in ("-o", path)), status=0)
    said = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    figures = {id: value(TPU, id) for id in (hosts[0], "step.count", BUSY, STEP)}
    must(json.loads(said["bmf.json"]) == {hostile: {id: {"value": figure} for id, figure in figures.items()}}, said["bmf.json"])
    smaller, bigger = (json.loads(said[f"{name}.gab.json"]) for name in ("smaller", "bigger"))
    must({b["name"]: (b["value"], b["unit"]) for b in smaller} == {id: (figures[id], "ms") for id in (hosts[0], STEP)}, smaller)
    must([(b["name"], b["value"], b["unit"]) for b in bigger] == [(BUSY, figures[BUSY], "share")], bigger)
    samples, families = [], []
    for line in said["om"].splitlines()[:-1]:
        if line.startswith("# TYPE "):
            families.append(line.split()[2])
            must(line.endswith(" gauge"), line)
        elif not line.startswith("# HELP " + families[-1] + " "):
            sample = re.fullmatch(r'(tpreport_[a-z0-9_]+)\{budget="b\\"\\\\ \{\}<",job="[^"]*"(,scope="host=[^"]+")?\} ([0-9.e+-]+)', line)
            must(sample and sample[1] == families[-1], line)
            samples.append(float(sample[3]))
    must(said["om"].endswith("# EOF\n") and len(families) == len(set(families)) == 3, families)
    must(sorted(samples) == sorted(figures.values()), samples, figures)
    ids = [line.split("\t")[0] for line in run("--list", "metrics").stdout.splitlines()]
    must(len({id.replace(".", "_") for id in ids}) == len(ids) > 200, "two metrics are one family")


def test_a_full_summary(folder):
    log, md = report(folder, "b.json", CNN), Path(folder, "c.md")
    many = {"metrics": {f"{STEP}@host=h{i}{'x' * 50}": {"max": 1} for i in range(2000)}}
    check(log, many, "-o", md, status=6)
    said = md.read_bytes()
    must(50000 < len(said) <= 65536 and b"of 2000 left out" in said, len(said))
    rows = [line for line in said.decode().splitlines() if line.startswith("|")]
    must(all(line.endswith("|") and line.count("|") == 5 for line in rows), rows[-1])


run_all([test_own_budget, test_absolute, test_increase, test_decrease, test_newest, test_cannot_be_judged, test_findings, test_schema, test_usage,
         test_missing_by_entry, test_undecided_severity, test_outputs, test_names, test_series, test_a_full_summary])
