"""PyTorch traces that are cut off, damaged, doubled or odd: what is left becomes a report that names the loss, or nothing does and
the message says what was found."""

import gzip
import json
import os
import re
import shutil
import subprocess

import hostile
import torch_files as t
from cases import must, run_all
from sampled import sampled

PROGRAM = os.environ["TPREPORT"]
OK, NOTHING, DAMAGED = 0, 3, 4
SECONDS = 30
CUTS = 120


def write(folder, name, data):
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


def run(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, text=True, check=False,
                          errors="surrogateescape")


def report(folder, *words, status=OK):
    """The report of these inputs; None when there must be none."""
    path = os.path.join(folder, "r.json")
    if os.path.exists(path):
        os.unlink(path)
    done = run(*words, "-o", path, "-o", os.path.join(folder, "r.html"))
    must(done.returncode == status, words, "exit status", done.returncode, "instead of", status, done.stderr)
    must(os.path.exists(path) == (status == OK), words, "a report in spite of an error, or none")
    must(status == OK or done.stderr.startswith("tpreport: "), words, done.stderr)
    if status != OK:
        return None, done.stderr
    with open(path, encoding="utf-8") as text:
        return json.load(text), done.stderr


def cut(folder, name, data, sizes):
    """Cut at each of these sizes: never more events than the whole has, and each loss is told with its place."""
    seen = set()
    for size in sampled("cuts of " + name, sizes, 12):
        path = write(folder, name, data[:size])
        out = os.path.join(folder, "r.json")
        if os.path.exists(out):
            os.unlink(out)
        done = run(path, "-o", out)
        must(done.returncode in (OK, NOTHING, DAMAGED), name, size, done.returncode, done.stderr)
        seen.add(done.returncode)
        must(path in done.stderr, name, "cut at", size, "says", repr(done.stderr))
        if done.returncode != OK:
            must(not os.path.exists(out), name, size, "left a report")
            continue
        must(re.search(r"warning: .*at byte \d+", done.stderr), name, "cut at", size, "says", repr(done.stderr))
        with open(out, encoding="utf-8") as text:
            must(json.load(text)["metrics"]["data.warnings"]["value"] > 0, name, size, "data.warnings is 0")
        must(run(path, "-o", out, "--strict", "-q").returncode == DAMAGED, name, size, "--strict")
    os.unlink(os.path.join(folder, name))
    return seen


def whole():
    return t.files()["new"]


def cut_anywhere(folder):
    data = whole()
    end = data.rindex(b"}")
    sizes = [size for size in range(1, end, max(1, end // CUTS))] + list(range(end - 40, end))
    must(cut(folder, "w.1.pt.trace.json", data, sizes) == {OK, DAMAGED}, "statuses")


def cut_when_packed(folder):
    data = gzip.compress(whole(), mtime=0)
    sizes = list(range(3, len(data) - 1, max(1, len(data) // 60))) + [len(data) - 4, len(data) - 1]
    cut(folder, "w.1.pt.trace.json.gz", data, sizes)
    if shutil.which("zstd") is None:
        return
    data = subprocess.run(["zstd", "-q", "-c"], input=whole(), capture_output=True, check=True).stdout
    cut(folder, "w.1.pt.trace.json.zst", data, range(5, len(data) - 1, max(1, len(data) // 30)))


def flipped(folder):
    """One byte other than it was: a report or a message, never a crash or a stop."""
    for name, data in (("w.1.pt.trace.json", whole()), ("w.1.pt.trace.json.gz", gzip.compress(whole(), mtime=0))):
        for at in sampled("inverted bytes of " + name, range(0, len(data), max(1, len(data) // 60)), 12):
            bad = bytearray(data)
            bad[at] ^= 0xFF
            done = run(write(folder, name, bytes(bad)), "-o", os.path.join(folder, "r.json"))
            must(done.returncode in (OK, NOTHING, DAMAGED), name, at, done.returncode, done.stderr)
        os.unlink(os.path.join(folder, name))


def each_odd_file(folder):
    """Every file of torch_files: those that hold an event give a report, the others say why not."""
    without = {"no_event": (NOTHING, "the trace has no events"), "no_array": (DAMAGED, "no array traceEvents"),
               "only_memory": (None, ""), "deep": (None, "")}
    for name, data in t.files().items():
        path = write(folder, f"{name}.1.pt.trace.json", data)
        status, says = without.get(name, (OK, ""))
        if status is None:
            done = run(path, "-o", os.path.join(folder, "r.json"))
            must(done.returncode in (OK, NOTHING, DAMAGED) and (done.returncode == OK or path in done.stderr), name, done.stderr)
        elif status == OK:
            report(folder, path)
        else:
            must(says in report(folder, path, status=status)[1], name, "does not say", says)
        os.unlink(path)


def one_event(folder):
    for event in t.new_events() + t.old_events() + t.rocm_events():
        if event["ph"] not in "X" or event["cat"] == "Trace":
            continue
        report(folder, write(folder, "w.1.pt.trace.json", t.text(t.trace([event]))))


def nothing_but_frames(folder):
    """Events, but none with a duration: a notice, no report of nothing."""
    for events in ([], [t.metadata("thread_name", 1, 2, "x")], [{"ph": "s", "id": 5, "pid": 1, "tid": 2, "ts": 3, "cat": "ac2g"}],
                   [{"ph": "i", "name": "Record Window End", "ts": 5, "pid": "", "tid": ""}]):
        _, told = report(folder, write(folder, "w.1.pt.trace.json", t.text(t.trace(events))), status=NOTHING)
        must("the trace has no events" in told, events, told)


def copies(folder):
    """The same trace packed, renamed and pretty-printed counts once; another one counts."""
    names = {"a.1.pt.trace.json": whole(), "a.1.pt.trace.json.gz": gzip.compress(whole()), "b.7.pt.trace.json": whole(),
             "c.1.pt.trace.json": t.files()["compact"]}
    for name, data in names.items():
        write(folder, "run/" + name, data)
    doc, _ = report(folder, os.path.join(folder, "run"))
    must(doc["metrics"]["run.hosts"]["value"] == 1, "copies are", doc["metrics"]["run.hosts"]["value"], "workers")
    steps = doc["metrics"]["torch.step.count"]["value"]
    must(steps == 2, "steps", steps)
    done = run(os.path.join(folder, "run"), "-o", os.path.join(folder, "r.json"), "-v")
    must(done.stderr.count("a copy, not counted twice") == 3, done.stderr)
    write(folder, "run/d.1.pt.trace.json", t.text(t.trace(t.old_events())))
    doc, _ = report(folder, os.path.join(folder, "run"))
    must(doc["metrics"]["run.hosts"]["value"] == 2, "another worker")


def one_bad_file_of_two(folder):
    write(folder, "run/a.1.pt.trace.json", whole())
    for data, says in ((b"", ""), (b'{"traceEvents": [', "the text ends"), (b"\0" * 500, ""), (t.text(t.trace([])), "no events"),
                       (b"not json", "")):
        bad = write(folder, "run/b.1.pt.trace.json", data)
        doc, told = report(folder, os.path.join(folder, "run"))
        must(doc["metrics"]["run.hosts"]["value"] == 1 and bad in told and says in told, data[:20], told)


def evil_file_names(folder):
    """Names of workers, spans and folders are text wherever they are shown."""
    evils = [evil.replace("/", "").replace("\0", "") for evil in hostile.EVIL] + ["\x1b[31m\u009b2J\n", "a,b=c@d%"]
    for i, evil in enumerate(evils):
        write(folder, f"run{evil}/{evil}.{1790000000000000000 + i}.pt.trace.json", t.text(t.trace(
            [t.event("user_annotation", "ProfilerStep#1", 10 * i, 5 + i)], baseTimeNanoseconds=1711929600000000000)))
    runs = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    files = [os.path.join(run_path, name) for run_path in runs for name in os.listdir(run_path)]
    usual = write(folder, "usual.1.pt.trace.json", whole())
    report(folder, usual)
    scripts = hostile.elements(os.path.join(folder, "r.html")).scripts
    for words in [[path] for path in files] + [files, [files[0], "--worker", "nobody\x1b<b>"]]:
        done = run(*words, "-o", os.path.join(folder, "r.html"), "-o", os.path.join(folder, "r.json"), "-o",
                   os.path.join(folder, "r.pdf"), "-v")
        must(done.returncode == (2 if "--worker" in words else OK), words, done.returncode, done.stderr)
        must(not re.search("[\x00-\x09\x0b-\x1f\x7f\u0080-\u009f]", done.stderr), words, "control characters on stderr")
        found = hostile.elements(os.path.join(folder, "r.html"))
        must(not found.strange and found.scripts == scripts, words, found.strange[:3], found.scripts, "scripts")
        with open(os.path.join(folder, "r.json"), encoding="utf-8") as text:
            json.load(text)


run_all([cut_anywhere, cut_when_packed, flipped, each_odd_file, one_event, nothing_but_frames, copies, one_bad_file_of_two,
         evil_file_names])
