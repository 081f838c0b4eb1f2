"""tpreport tfprof against TensorFlow's own: every case of its answers, text and JSON; those of a capture of our own are in the repository. --pack FOLDER FILE puts the
small answers of a folder into a file."""

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path

import tfprof_truth as truth
from sampled import sampled
from truth import SOURCE, Check, Report, run
from xspace_reader import fields
from xspace_writer import field

OWN = SOURCE / "tests" / "truth" / "own" / "tfprof"
MISSES_STREAM = 5  # of a ProfileProto
check = Check()
passed = {}


def lines(got, expected):
    """The first line that differs says enough."""
    ours, theirs = got.splitlines(), expected.splitlines()
    differ = [i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b]
    if differ:
        check.equal(f"line {differ[0] + 1}", ours[differ[0]], theirs[differ[0]])
    else:
        check.equal("lines", len(ours), len(theirs))


def compare_op_text(case, got, expected, tree):
    head, rows = truth.split_rows(expected)
    our_head, our_rows = truth.split_rows(got)
    check.equal("head", our_head, head)
    theirs, ours = truth.op_records(rows), truth.op_records(our_rows)
    shown = truth.chain(tree)[1:]
    ties, _ = truth.tied(shown, case.options["order_by"])
    free = {row["name"] for row, tie in zip(shown, ties) if tie}
    check.equal("types", sorted(ours), sorted(theirs))
    for name, record in theirs.items():
        cut = truth.without_totals if name in free else lambda text: text
        check.equal(name, cut(ours.get(name, "").rstrip("\n")), cut(record.rstrip("\n")))


def compare_text(case, got, expected, tree):
    if case.options["order_by"] == "name" or case.view in ("scope", "graph") or "\nnode name | " not in expected:
        lines(got, expected)
    elif case.view == "op":
        compare_op_text(case, got, expected, tree)
    else:
        head, rows = truth.split_rows(expected)
        our_head, our_rows = truth.split_rows(got)
        check.equal("head", our_head, head)
        check.equal("rows", truth.tree_of(our_rows), truth.tree_of(rows))


def is_ordered(case, tree):
    """Whether siblings stand in the order that was asked for."""
    key = truth.KEYS.get(case.options["order_by"])
    keys = [int(child.get("total_" + key, 0)) for child in tree.get("children", ())] if key else []
    return keys == sorted(keys, reverse=True) and all(is_ordered(case, child) for child in tree.get("children", ()))


def compare_json(case, got, expected):
    nodes = truth.has_nodes(expected)
    if case.view == "op":
        ours, theirs = truth.chain(got), truth.chain(expected)
        ties, keys = truth.tied(theirs[1:], case.options["order_by"])
        check.equal("keys", truth.tied(ours[1:], case.options["order_by"])[1], keys)
        by_name = {row["name"]: row for row in ours[1:]}
        check.equal("root", truth.own(ours[0], nodes), truth.own(theirs[0], nodes))
        for row, tie in zip(theirs[1:], ties):
            our = by_name.get(row["name"], {})
            check.equal(row["name"], truth.own(our, nodes), truth.own(row, nodes))
            if not tie:
                totals = {k: v for k, v in row.items() if k.startswith("total_")}
                check.equal(row["name"] + " totals", {k: v for k, v in our.items() if k.startswith("total_")}, totals)
    elif case.view == "code":
        check.equal("tree", truth.canonical(got, nodes), truth.canonical(expected, nodes))
        check.true("order", is_ordered(case, got))
    else:
        check.equal("tree", got, expected)


def sections(text):
    """Those of advice come in any order."""
    return sorted(part.strip("\n") for part in text.split("\n\n"))


def compare_advice(case, dump):
    got = run("tfprof", "--profile_path", dump, *case.arguments("")).stdout.decode()
    check.equal("sections", sections(got), sections(case.body()))
    tree = json.loads(run("tfprof", "--profile_path", dump, "--json", *case.arguments("")).stdout)
    check.equal("advice", tree, case.tree)


def compare_files(case, out):
    """What the case wrote: the file, and timelines."""
    for file in sorted(Path(out).iterdir()):
        if file.name.endswith(".pprof.gz"):
            check.equal(file.name, truth.pprof_of(file.read_bytes()), truth.pprof_of(case.files[file.name]))
        elif "timeline" in file.name:
            theirs = json.loads(gzip.decompress(case.files[f"{file.name}.gz"]))
            check.equal(file.name, truth.events_of(json.loads(file.read_text(encoding="utf-8"))), truth.events_of(theirs))
        else:
            compare_text(case, file.read_text(encoding="utf-8"), case.files[file.name].decode(), case.tree)


def expected_files(case):
    """Names of files that the case has to write."""
    if case.stderr.startswith(("op view", "Only 'code'", "Can only")):
        return []
    timeline = case.options["output"].startswith("timeline")
    return sorted(name.removesuffix(".gz") if timeline else name for name in case.files)


def compare(case, dump):
    check.part(f"{case.folder}/{case.name}")
    if case.view == "advise":
        compare_advice(case, dump)
        return
    with tempfile.TemporaryDirectory() as out:
        done = run("tfprof", "--profile_path", dump, *case.arguments(out))
        check.equal("stderr", done.stderr.decode(), case.stderr)
        check.equal("files", sorted(file.name for file in Path(out).iterdir()), expected_files(case))
        got = done.stdout.decode().replace(str(out) + "/", "OUT/")
        expected = case.body().replace(f"OUT/{case.folder}/", "OUT/")
        compare_text(case, got, expected, case.tree)
        compare_files(case, out)
        done = run("tfprof", "--profile_path", dump, "--json", *case.arguments(out))
        compare_json(case, json.loads(done.stdout), case.tree)


def compare_all(cases, dump_of, only):
    for case in cases:
        if only and only not in f"{case.folder}/{case.name}":
            continue
        failed = check.failed
        compare(case, dump_of(case))
        of = passed.setdefault((case.folder, case.view), [0, 0])
        of[0] += check.failed == failed
        of[1] += 1


def without_shapes(answer):
    """TensorFlow's released tfprof does not read which output of a node is taken, so that its dumps have shapes of other ones."""
    def walk(value):
        if isinstance(value, dict):
            return {key: walk(inner) for key, inner in value.items() if key != "input_shapes"}
        return [walk(inner) for inner in value] if isinstance(value, list) else value
    return walk(json.loads(answer or "null"))


def compare_parts(root):
    """A dump against what it was made of: a graph, runs and a log, with the same answers."""
    for model in ("tf221_conv", "tf221_rnn", "tf114_conv"):
        folder = Path(root, "tf", "tfprof", model)
        runs = ",".join(str(folder / f"run_meta_{step}.pb") for step in (0, 3, 6, 9))
        for graph in ("graph.pb", "graph.pbtxt"):
            for view in ("scope", "graph", "op", "code"):
                check.part(f"{model} of {graph}, {view}")
                made = run("tfprof", "--graph_path", folder / graph, "--run_meta_path", runs, "--op_log_path",
                           folder / "tfprof_log", view, "-max_depth", "100", "--json").stdout
                dump = run("tfprof", "--profile_path", folder / "profile_9", view, "-max_depth", "100", "--json").stdout
                check.true("it has an answer", len(dump) > 1000)
                check.equal("answer", without_shapes(made), without_shapes(dump))


def section_of(folder):
    """The section of a report, without the names of files, and without shapes, of which dumps have other ones (without_shapes)."""
    report = json.loads(run(folder, "-q", "-o", "-", "--format", "json").stdout)
    section = next((part for part in report["sections"] if part["id"] == "tfprof"), {})
    section = {key: value for key, value in section.items() if not key.startswith("so_what")}
    section["blocks"] = [block for block in section.get("blocks", ()) if block["id"] != "tfprof/shapes"]
    return section, {key: value for key, value in report["metrics"].items() if key.startswith("tfprof.")}


def compare_sections(root):
    """The report of a folder with a graph, runs and a log, against that of the dump which was made of them."""
    for model in ("tf221_conv", "tf221_rnn", "tf114_conv"):
        data = Path(root, "tf", "tfprof", model)
        runs = [f"run_meta_{step}.pb" for step in (0, 3, 6, 9)]
        with tempfile.TemporaryDirectory() as parts, tempfile.TemporaryDirectory() as dump:
            for folder, names in ((parts, ("graph.pb", "tfprof_log", *runs)), (dump, ("graph.pb", "tfprof_log", "profile_9"))):
                for name in names:
                    os.symlink(data / name, Path(folder, name))
            check.part(f"{model}, report of parts")
            made, figures = section_of(parts)
            section, wanted = section_of(dump)
            check.true("it has tables", len(json.dumps(section)) > 20000)
            check.equal("figures", figures, wanted)
            check.equal("section", made, section)


def without_steps(dump):
    """The dump before a step ran: nodes without runs, no list of steps."""
    for number, value in fields(dump):
        if number == 1:
            entry = {n: v for n, v in fields(value)}
            node = b"".join(field(n, v) for n, v in fields(entry[2]) if n != 12)
            yield field(1, field(1, entry[1]) + field(2, node))
        elif number not in (2, 3):
            yield field(number, value)


def no_step_ran():
    """Times, memory and runs of a dump without steps are unknown, not 0."""
    check.part("no step ran")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "profile_9").write_bytes(b"".join(without_steps(gzip.decompress((OWN / "profile_9.gz").read_bytes()))))
        report = Report(folder, "--top", "all")
    check.true("time of a step", report.missing("tfprof.total_us"))
    operations = report.rows("tfprof/operations")
    check.true("operations", len(operations) > 20)
    for key in ("time_us", "cpu_us", "requested_bytes", "peak_bytes", "residual_bytes", "output_bytes", "runs"):
        check.equal(key, {row[key] for row in operations}, {None})
    check.true("most float operations first", [row["float_ops"] for row in operations] ==
               sorted((row["float_ops"] for row in operations), reverse=True))


def no_stream():
    """Of a GPU whose streams are missing only launches have a time: nothing is found by it, and no saving is promised of it."""
    check.part("no time of the GPU")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "profile_9").write_bytes(gzip.decompress((OWN / "profile_9.gz").read_bytes()) + field(MISSES_STREAM, 1))
        report = Report(folder, "--top", "all")
    check.equal("savings", [finding["id"] for finding in report.doc["findings"] if finding.get("saving", {}).get("value") is not None], [])
    check.equal("undecided", {finding["id"] for finding in report.doc["findings"] if finding["status"] == "undecided"} &
                {f"TPR-TFPROF-00{n}" for n in (2, 3, 5, 6)}, {f"TPR-TFPROF-00{n}" for n in (2, 3, 5, 6)})
    check.equal("rates", {row["rate"] for row in report.rows("tfprof/operations")}, {None})
    check.true("verdict", "how long they worked is unknown" in str(report.doc["verdict"]))


def nodes_are_counted_once():
    """All tables count nodes of the dump, and each node once: a scope is no node."""
    check.part("nodes")
    count = sum(number == 1 for number, _ in fields(gzip.decompress((OWN / "profile_9.gz").read_bytes())))
    report = Report(OWN / "profile_9.gz", "--top", "all")
    check.equal("of all scopes", report.rows("tfprof/scopes")[0]["nodes"], count)
    check.equal("of all operations", sum(row["nodes"] for row in report.rows("tfprof/operations")), count)
    check.equal("runs", report.rows("tfprof/scopes")[0]["runs"], sum(row["runs"] for row in report.rows("tfprof/operations")))


def lines_of_no_step(dump):
    check.part("lines of code where no step ran")
    rows = Report(dump, "--top", "all").rows("tfprof/lines")
    check.equal("time of lines", {(row["time_us"], row["gradient_us"]) for row in rows}, {(None, None)})
    check.true("most nodes first", [row["nodes"] for row in rows] == sorted((row["nodes"] for row in rows), reverse=True))


def main():
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    compare_all(truth.cases_in(OWN / "tf221_conv.json.gz"), lambda _: OWN / "profile_9.gz", only)
    if not only:
        no_step_ran()
        no_stream()
        nodes_are_counted_once()
    root = os.environ.get("TPREPORT_TEST_DATA")
    for folder in sorted(Path(root, "tf", "truth").iterdir()) if root else []:
        cases = truth.cases_in(folder)
        every = 1 if only else 4
        compare_all(sampled(f"cases of {folder.name}", cases, every) if every > 1 else cases,
                    lambda case: Path(root, "tf", case.source), only)
    if root and not only:
        lines_of_no_step(Path(root, "tf", "tfprof", "gpusynth_conv", "profile_static"))
        compare_parts(root)
        compare_sections(root)
    for (folder, view), (right, all_of_them) in sorted(passed.items()):
        print(f"{folder} {view}: {right} of {all_of_them}")
    check.end()


if len(sys.argv) == 4 and sys.argv[1] == "--pack":
    truth.pack(Path(sys.argv[2]), Path(sys.argv[3]), 6000)
else:
    main()
