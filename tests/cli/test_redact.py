"""--redact: none of the names of a profile is in any output, figures are the same, and where a name would be left nothing is written."""

import base64
import gzip
import json
import os
import re
import sqlite3
import subprocess
import zlib
from pathlib import Path

import hostile
import tiny_xspace as t
import torch_files
from cases import must, run_all
from command_line import CANNOT_WRITE, OK, USAGE, expect, left, write
from summary_file import unpacked
from timeline_tiles import drawn_only

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
DATA = os.environ.get("TPREPORT_TEST_DATA")
NAMES = ("r.html", "r.pdf", "r.json", "r.md", "r.txt", "r.csv", "r.sqlite", "r.tps")
# What planted names have in common, and nothing else has.
MARK = "zq"


def shown(*words):
    """What a program of poppler prints; empty where it is not installed."""
    try:
        return subprocess.run(words, capture_output=True, check=True).stdout.decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def page_texts(page):
    packed = re.search(r'<script type="application/gzip" id="report-json">([^<]*)<', page)
    must(packed, "the page holds no report")
    # Hashes of scripts and styles are no text.
    yield re.sub(r"<script>.*?</script>|<style>.*?</style>|<wbr>|'sha256-[^']*'", "", page.replace(packed[1], ""), flags=re.DOTALL)
    yield gzip.decompress(base64.b64decode(packed[1])).decode()


def pdf_texts(path):
    data = path.read_bytes()
    attached = path.with_suffix(".attached")
    yield shown("pdftotext", str(path), "-")
    yield shown("pdfinfo", str(path))
    if shown("pdfdetach", "-list", str(path)):
        subprocess.run(["pdfdetach", "-save", "1", "-o", attached, path], check=True)
        yield attached.read_text(encoding="utf-8")
    # The six letters before a font's name are a hash of its glyphs.
    yield re.sub(rb"stream\r?\n.*?endstream|/[A-Z]{6}\+", b"", data, flags=re.DOTALL).decode("latin-1")
    for text in re.findall(rb"<FEFF([0-9A-F]*)>", data):
        yield bytes.fromhex(text.decode()).decode("utf-16-be", "replace")
    # A font's outlines and the order of its glyphs are no text.
    for font, stream in re.findall(rb"(/Type1C\s*>>\s*)?\bstream\r?\n(.*?)endstream", data, flags=re.DOTALL):
        if font:
            continue
        try:
            yield zlib.decompressobj().decompress(stream).decode("latin-1")
        except zlib.error:
            pass


def table_texts(path):
    with sqlite3.connect(path) as database:
        for (name, sql) in database.execute("SELECT name, sql FROM sqlite_master").fetchall():
            yield str(sql)
            yield "\n".join(map(str, database.execute(f'SELECT * FROM "{name}"').fetchall()))


def texts(path):
    """All that a reader can get out of an output."""
    if path.suffix == ".html":
        yield from page_texts(path.read_text(encoding="utf-8"))
    elif path.suffix == ".pdf":
        yield from pdf_texts(path)
    elif path.suffix == ".sqlite":
        yield from table_texts(path)
    elif path.is_dir():
        for file in path.iterdir():
            yield file.name
            yield file.read_text(encoding="utf-8")
    elif path.suffix == ".tps":
        yield unpacked(path.read_bytes()).decode("utf-8", "replace")
    else:
        yield path.read_bytes().decode("utf-8", "replace")


def found(path, pattern):
    """But for the packed numbers of a timeline."""
    plain = (re.sub(r'"data": ?"[A-Za-z0-9+/=]+"', "", text) for text in texts(path))
    return [match[0] for text in plain for match in re.finditer(pattern, text, re.IGNORECASE)]


def nothing_left(folder, paths, pattern):
    for name in paths:
        names = found(Path(folder, name), pattern)
        must(not names, name, "still has", sorted(set(names))[:5])


def redacted(folder, source, *words, names=NAMES):
    expect(OK, source, "--redact", *words, *[word for name in names for word in ("-o", name)], folder=folder)


def plain(folder, source):
    expect(OK, source, "-o", "plain.json", folder=folder)
    return json.loads(Path(folder, "plain.json").read_text(encoding="utf-8"))


def without_section(report):
    sections = [section for section in report["sections"] if section["id"] != "redaction"]
    must(len(sections) == len(report["sections"]) - 1 and report["sections"][-1]["id"] == "redaction", "the last section is not what was replaced")
    return {**report, "sections": sections}


def figures(node):
    """All numbers in the order of the report, and which member of what they are but for names."""
    if isinstance(node, dict):
        return [figures(value) for value in node.values()]
    if isinstance(node, list):
        return [figures(value) for value in node]
    return None if isinstance(node, str) else node


def same_figures(folder, source):
    was = plain(folder, source)
    now = json.loads(Path(folder, "r.json").read_text(encoding="utf-8"))
    must(figures(without_section(now)) == figures(was), source, "has other figures")
    must(list(now["metrics"]) == [m for m in now["metrics"]] and
         [id.split("@")[0] for id in now["metrics"]] == [id.split("@")[0] for id in was["metrics"]], source, "has other metrics")
    return was, now


def total(report):
    rows = report["sections"][-1]["blocks"][0]["rows"]
    return {row["cells"]["pseudonym"]["value"].split("-")[0]: row["cells"]["count"]["value"] for row in rows}


# Profiles with planted names in every place that a name can come from.

def planted_tpu(folder):
    plane = t.tpu(0, 4)
    op = plane.op("%zqfusion.7 = f32[8]{0} fusion(f32[8] %zqparam.1), metadata={op_name=\"jit(zqstep)/ZqNet/zq_layer_3/mul\"}", "zqfusion.7", {
        "hlo_category": t.Ref("loop fusion"), "program_id": 42, "tf_op": t.Ref("jit(zqstep)/ZqNet/zq_layer_3/mul:Mul"),
        "source": "/home/zqbob/zq-project/zq_model.py:17", "flops": 10**9, "bytes_accessed": 10**6})
    module = plane.op("jit_zqstep(42)")
    plane.line("XLA Ops", [plane.event(op, (60 + i) * t.MS, t.MS) for i in range(5)])
    plane.line("XLA Modules", [plane.event(module, 60 * t.MS, 6 * t.MS)])
    path = Path(folder, "zq_logs/plugins/profile/zq_run/zq-host-7.zqcorp.com.xplane.pb")
    write(path, t.space(t.environment(), t.metadata(), t.host(4), plane, hostname="zq-host-7.zqcorp.com"))
    return Path(folder, "zq_logs")


def planted_torch(folder):
    events = torch_files.new_events()
    for step in range(2):
        at = 1000.5 + 100 * step
        number = 100 * step
        events += [
            torch_files.event("python_function", "/home/zqbob/zq_train.py(12): zq_main", at, 80, **{"Python id": number + 20, "Python parent id": None}),
            torch_files.event("python_function", "nn.Module: ZqEncoder_0", at + 5, 40, **{
                "Python id": number + 21, "Python parent id": number + 20, "Python module id": 3}),
            torch_files.event("user_annotation", "zq forward pass", at + 5, 30, **{"External id": number + 30}),
            torch_files.event("cpu_op", "zqlib::zq_attention", at + 6, 9, **{
                "External id": number + 31, "Sequence number": number + 31, "Input Dims": [[8, 8]], "Input type": ["float"]}),
            torch_files.event("cuda_runtime", "cudaLaunchKernel", at + 7, 1, **{"External id": number + 31, "cbid": 211, "correlation": number + 31}),
            torch_files.event("kernel", "void zqlib::zq_kernel<float, zq::Policy>(float*)", at + 60, 7, 0, 7, **{
                "External id": number + 31, "device": 0, "stream": 7, "correlation": number + 31, "grid": [1, 1, 1], "block": [32, 1, 1]}),
        ]
    path = Path(folder, "zq_torch/zq-node-4_4711.1699999999999.pt.trace.json")
    path.parent.mkdir()
    path.write_bytes(torch_files.text(torch_files.trace(events)))
    return path.parent


def planted_names_are_in_no_output(folder):
    for plant in (planted_tpu, planted_torch):
        source = plant(folder)
        redacted(folder, source)
        was, now = same_figures(folder, source)
        must(len(re.findall(MARK, json.dumps(was), re.IGNORECASE)) > 20, "nothing was planted")
        nothing_left(folder, NAMES, MARK)
        must(sum(total(now).values()) >= 5, total(now))
        for word in (r"\bfusion\b", r"\baten::linear\b", r"\bampere_sgemm_128x64_tn\b"):
            kept = [len(re.findall(word, json.dumps(report))) for report in (was, without_section(now))]
            must(kept[0] == kept[1], word, "is there", kept)


def a_name_has_one_pseudonym(folder):
    source = planted_tpu(folder)
    redacted(folder, source)
    was, now = plain(folder, source), json.loads(Path(folder, "r.json").read_text(encoding="utf-8"))
    pairs = {}

    def gather(a, b):
        if isinstance(a, dict):
            for (key, value), (other_key, other) in zip(a.items(), b.items()):
                gather(key, other_key)
                gather(value, other)
        elif isinstance(a, list):
            for value, other in zip(a, b):
                gather(value, other)
        elif isinstance(a, str) and re.fullmatch("zq[a-z_]*[.][0-9]+|zq-host-7.zqcorp.com", a, re.IGNORECASE):
            pairs.setdefault(a, set()).add(b)

    gather(was, without_section(now))
    must(len(pairs) >= 2 and all(len(names) == 1 for names in pairs.values()), pairs)
    must(len({next(iter(names)) for names in pairs.values()}) == len(pairs), pairs)
    must(pairs["zq-host-7.zqcorp.com"] == {"host-1"}, pairs)
    again = Path(folder, "again")
    again.mkdir()
    redacted(again, source)
    for name in ("r.html", "r.json", "r.md", "r.tps"):
        must((again / name).read_bytes() == Path(folder, name).read_bytes(), name, "is another when it is made again")


def a_redacted_report_stays_as_it_is(folder):
    redacted(folder, planted_torch(folder))
    for source in ("r.json", "r.html", "r.pdf"):
        expect(OK, source, "--redact", "-o", "s.json", folder=folder)
        again, first = (json.loads(Path(folder, name).read_text(encoding="utf-8")) for name in ("s.json", "r.json"))
        if source == "r.pdf":  # it lacks what only scripts use, so that fewer names are counted
            again, first = without_section(again), drawn_only(without_section(first))
        must(again == first, source, "redacted again is another report")


def comparisons_and_checks(folder):
    source = planted_tpu(folder)
    other = planted_torch(folder)
    outputs = ("d.html", "d.json", "d.md", "d.pdf")
    expect(OK, "diff", source, source, "--redact", *[w for name in outputs for w in ("-o", name)], folder=folder)
    nothing_left(folder, outputs, MARK)
    said = Path(folder, "d.json").read_text(encoding="utf-8")
    must("same" in json.loads(said)["description"], json.loads(said)["description"])
    expect(OK, "diff", source, other, "--redact", "-o", "e.html", folder=folder)
    expect(OK, "history", source, other, "--redact", "-o", "h.html", "-o", "h.json", folder=folder)
    nothing_left(folder, ("e.html", "h.html", "h.json"), MARK)
    budget = {"name": "zq nightly", "metrics": {"step.time.p50_ms": {"max": "1 s"}, "step.time.p50_ms@host=zq-host-7.zqcorp.com": {"max": "1 s"}}}
    Path(folder, "zq-budget.json").write_text(json.dumps(budget), encoding="utf-8")
    outputs = ("c.junit.xml", "c.md", "c.bmf.json", "c.smaller.gab.json", "c.om")
    done = expect(OK, "check", source, "--budget", "zq-budget.json", "--baseline", source, "--redact",
                  *[w for name in outputs for w in ("-o", name)], folder=folder)
    nothing_left(folder, outputs, MARK)
    must(MARK not in done.stdout.decode().lower() and b"@host=host-1" in done.stdout, done.stdout.decode())


def a_leak_stops_everything(folder):
    """The header of a page is the user's own text: here it has the name of the host."""
    source = planted_tpu(folder)
    templates = Path(folder, "templates")
    templates.mkdir()
    (templates / "header.html").write_text("<div>From zq-host-7.zqcorp.com</div>", encoding="utf-8")
    outputs = ("-o", "r.pdf", "-o", "r.csv", "-o", "r.json", "-o", "-", "--format", "text")
    before = left(folder)
    for name in ("r.html", "r.pdf"):
        done = expect(CANNOT_WRITE, source, "--redact", "--template-dir", templates, "-o", name, *outputs[2:6], folder=folder, says=("hosts", "nothing is written"))
        must(MARK not in done.stderr.decode() and done.stdout == b"" and left(folder) == before, done.stderr.decode(), left(folder))
    done = expect(CANNOT_WRITE, source, "--redact", "-v", "--template-dir", templates, "-o", "r.html", folder=folder)
    must("zq-host-7.zqcorp.com" in done.stderr.decode(), done.stderr.decode())
    (templates / "header.html").write_text("<div>From us</div>", encoding="utf-8")
    expect(OK, source, "--redact", "--template-dir", templates, "-o", "r.html", "-o", "r.csv", folder=folder)
    must({"r.html", "r.csv"} <= set(left(folder)), left(folder))


def kinds(folder):
    source = planted_tpu(folder)
    redacted(folder, source, "--redact=hosts", names=("r.json",))
    report = Path(folder, "r.json").read_text(encoding="utf-8")
    must("zq-host" not in report and "zq_layer" in report and "zq_model.py" in report, "hosts alone")
    redacted(folder, source, "--redact=names,args", names=("r.json",))
    report = Path(folder, "r.json").read_text(encoding="utf-8")
    must("zqcorp" in report and "zq_layer" not in report and "zqfusion" not in report, "names alone")
    redacted(folder, source, "--redact=paths", names=("r.json",))
    report = Path(folder, "r.json").read_text(encoding="utf-8")
    must("zqbob" not in report and "zq_logs" not in report and "zqfusion" in report, "paths alone")
    expect(USAGE, source, "--redact=hosts,secrets", folder=folder, says="secrets")
    expect(USAGE, "r.json", "--redact=hosts", "-o", "s.json", folder=folder, says="--redact alone")
    expect(USAGE, "get", source, "--redact", folder=folder)


def hostile_names(folder):
    names = [*hostile.EVIL, "op-1", "host-1", "a", "A", "%41", "%%", "_", "__1", "é", "names", "x" * 5000, "zq " * 300, "zq/" * 300, "zq-…", "…zq", "zq_" + "9" * 400,
             *["zqkernel_of_a_long_name_that_tables_cut_" + "abcdefghijkl"[:n] + "z" * (40 - n) for n in range(12)], "ZQ_layer", "zq_layer"]
    plane = t.tpu(0, 3)
    for number, name in enumerate(names):
        op = plane.op(name, name, {"hlo_category": t.Ref("loop fusion"), "tf_op": t.Ref(name), "source": name})
        plane.line("XLA Ops", [plane.event(op, (60 + number) * t.MS, t.MS)])
    for number, host in enumerate(("zq", "a-b", "-", "op-1", "zq%2Fb", "<b>zq</b>", "host-2", "zq.x,y=z@w")):
        path = Path(folder, f"in{number}/vm.xplane.pb")
        write(path, t.space(t.environment(), t.metadata(), t.host(3), plane, hostname=host))
        redacted(folder, path)
        same_figures(folder, path)
        nothing_left(folder, NAMES, MARK)


def examples(folder):
    """Names that stand in the examples of this repository; and captures of others, where they are."""
    samples = [
        (SOURCE / "examples/jax_cnn/input", r"jax_cnn|cap_jax|/srv/training|train_step"),
        (SOURCE / "examples/tf_slow_input/input", r"tf_slow|/srv/data"),
        (SOURCE / "examples/torch_ddp/input", r"torch_ddp"),
        (SOURCE / "examples/tpu_two_hosts/input", r"t1v-n|tpu_two_hosts|\bwqkv\b|\bmlp\b"),
        (SOURCE / "examples/estimator_job/input", r"0a1b2c3d|gs://bucket"),
        (SOURCE / "examples/tf_graph/input", r"\btf_graph\b|words_of|update_model"),
    ]
    if DATA:
        samples += [
            (Path(DATA, "synth/pod_v3_32_straggler/logdir"), r"t1v-n|\bresnet\b|cluster_train_step|update_fc"),
            (Path(DATA, "pytorch/found/tracelens/mi300"), r"falconsai|timesformer|gaunernst|\bbert|train_ddp|profile_model|\bViT"),
            (Path(DATA, "xla/found/xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb"), r"tpu_inference_2"),
        ]
    for number, (source, pattern) in enumerate(samples):
        if not source.exists():
            continue
        at = Path(folder, str(number))
        at.mkdir()
        redacted(at, source)
        same_figures(at, source)
        must(found(at / "plain.json", pattern), source, "does not have what it shall not have")
        nothing_left(at, NAMES, pattern)


run_all([planted_names_are_in_no_output, a_name_has_one_pseudonym, a_redacted_report_stays_as_it_is, comparisons_and_checks,
         a_leak_stops_everything, kinds, hostile_names, examples])
