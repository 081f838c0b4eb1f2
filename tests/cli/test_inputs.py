"""What the command line reads: profiles under any name and of any program, from standard input, in copies; which run and hosts are chosen."""

import gzip
import io
import json
import os
import pickle
import re
import shutil
import subprocess
import tarfile
import zipfile

import tiny_xspace as t
import torch_files
from cases import must, run_all
from command_line import DAMAGED, NOTHING, OK, USAGE, expect, left, logdir, read, run, write


def pb(number, data):
    """A field of a message: bytes, or a small number."""
    return bytes([number << 3, data]) if isinstance(data, int) else bytes([number << 3 | 2, len(data)]) + data


def archive(opener, mode):
    packed = io.BytesIO()
    with opener(packed, mode) as out:
        if mode == "w":
            out.writestr("a", "b")
        else:
            out.addfile(tarfile.TarInfo("a"))
    return packed.getvalue()


def a_folder_of_reports(folder):
    """It is no log directory, and the message says what takes its files; pages of others are not called reports."""
    path = os.path.join(folder, "reports")
    write(os.path.join(path, "a.html"), b"<!doctype html><p>of somebody else</p>")
    done = expect(NOTHING, path, folder=folder)
    must(b"reports of tpreport" not in done.stderr, done.stderr)
    expect(OK, logdir(folder), *(word for name in ("b.html", "b.pdf", "b.json", "b.tps") for word in ("-o", os.path.join(path, name))))
    done = expect(NOTHING, path, folder=folder, says=["holds 4 reports of tpreport, such as ", "b.html", "give files, not the folder, to tpreport history, diff, show or get"])
    must(b"capture one with" not in done.stderr, done.stderr)


def reports_from_standard_input(folder):
    """A report in any form, also packed, through a pipe or as a file, is what it is by its path; standard input is read once."""
    logs = logdir(folder)
    forms = [os.path.join(folder, f"r.{suffix}") for suffix in ("html", "pdf", "json", "tps")]
    expect(OK, logs, *(word for path in forms for word in ("-o", path)))
    budget = write(os.path.join(folder, "b.json"), b'{"metrics": {"step.time.p50_ms": {"max": 1e9}}}')
    for path in forms:
        for data in (read(path), gzip.compress(read(path))):
            for words in (["get", None, "step.time.p50_ms"], ["show", None, "steps"], ["report", None, "-o", "-", "--format", "json"]):
                by_path = run(*(path if word is None else word for word in words)).stdout
                must(by_path and expect(OK, *("-" if word is None else word for word in words), data=data).stdout == by_path, words, path)
        done = expect(OK, "get", "-", "step.time.p50_ms", shell=f"< {path}")
        must(done.stdout.startswith(b"step.time.p50_ms\t"), done.stdout)
        expect(OK, "check", "-", "--budget", budget, data=read(path), out=b"within the budget")
        expect(OK, "diff", logs, "-", "--fail-on", "slower", data=read(path), out=b"same median step")
    expect(DAMAGED, "get", "-", data=read(forms[2])[:3000], says="-: ")
    expect(DAMAGED, "get", "-", says="the file is empty")
    for words in (["diff", "-", "-"], ["check", "-", "--budget", "-"], ["check", logs, "--budget", "-", "--baseline", "-"]):
        expect(USAGE, *words, says="can be read once, not 2 times")


def of_other_programs(folder):
    """A file is called what it is, with what helps, whatever its name says."""
    packet = pb(8, 5) + pb(10, 1)
    for name, data, says in (
        ("a.zip", archive(zipfile.ZipFile, "w"), ["a zip archive", "unzip"]),
        ("a.tar.gz", archive(lambda out, mode: tarfile.open(fileobj=out, mode=mode), "w:gz"), ["a tar archive", "tar -xf"]),
        ("run.sqlite", b"SQLite format 3\0", ["an SQLite database", "nsys stats"]),
        ("run.nsys-rep", b"anything", ["Nsight Systems", "nsys stats"]),
        ("snapshot.pickle", pickle.dumps({"segments": []}), ["a Python pickle", "torch.cuda._memory_viz"]),
        ("memory_timeline.raw.gz", gzip.compress(b"[[-1, 1, 37888, 7], [12, 0, 512, 7]]"), ["a memory timeline of torch.profiler", "profile_memory=True"]),
        ("memory_timeline.raw.json", b"[[-1, 1, 37888, 7], [12, 0, 512, 7]]", ["a memory timeline of torch.profiler"]),
        ("trace", pb(1, packet) * 3, ["a Perfetto trace without track events", "ui.perfetto.dev"]),
        ("report.pdf", b"%PDF-1.7\n%%EOF\n", "a PDF"),
        ("vm.xplane.pb", b"\xef\xbb\xbf\n<!DOCTYPE html>", "an HTML page"),
        ("trace.json", b"<html>", "an HTML page"),
        ("vm.xplane.pb", b"version https://git-lfs.github.com/spec/v1\n", ["a Git LFS pointer", "git lfs pull"]),
        ("hlo_stats.json", b'{"cols": [{"id": "hlo_op_name"}], "rows": []}', ["xprof's operation statistics", "not supported"]),
        ("h.csv", b"captured_unix_s,label\r\n1700000000,a\r\n", ["a history of runs", "tpreport history"]),
        ("other.json", b'{"a": 1}', "not a trace"),
        ("notes.txt", b"hello", "not a known profile"),
        ("nothing", b"", "the file is empty"),
    ):
        path = write(os.path.join(folder, name), data)
        expect(NOTHING, path, "-o", "x.json", folder=folder, says=[path, *([says] if isinstance(says, str) else says)])
        os.remove(path)
    write(os.path.join(folder, "logs/a.zip"), b"PK\3\4")
    expect(NOTHING, "logs", "-o", "x.json", folder=folder, says=["1 *.zip", "known, but not read: a zip archive"])
    for name, data in (("b.zip", b"PK\3\4"), ("c.nsys-rep", b"a"), ("d.pickle", pickle.dumps({"segments": []})), ("e.txt", b"hello")):
        write(os.path.join(folder, "logs", name), data)
    expect(NOTHING, "logs", "-o", "x.json", folder=folder, says=[
        "2 files, the first is a.zip: a zip archive", "c.nsys-rep: an Nsight Systems report", "nsys stats",
        "d.pickle: a Python pickle", "torch.cuda._memory_viz", "unzip FILE"])
    logs = logdir(folder)
    write(os.path.join(logs, "plugins/profile/2026_11_21_02_41_41/other.xplane.pb"), b"<html>")
    expect(OK, logs, "-o", "x.json", folder=folder, says="other.xplane.pb: an HTML page")


def profiles_of_both(folder):
    """A folder with profiles of XLA and of PyTorch: the first screen says that there is another, and how to see it."""
    trace = json.dumps(torch_files.trace(torch_files.new_events(), deviceProperties=[torch_files.GPU]))
    write(os.path.join(folder, "logs/xla/vm.xplane.pb"), t.every_plane())
    write(os.path.join(folder, "logs/torch/w.1.pt.trace.json"), trace.encode())
    screens = [" ".join(expect(OK, "logs", *words, folder=folder).stdout.decode().split()) for words in ([], ["--run", "2"])]
    for name, holds in (("xla", "(1 XLA profile)"), ("torch", "(1 PyTorch trace)")):
        must(any(f"the other is {name} {holds}" in screen for screen in screens), name, "is not named:", *screens)
    shutil.move(os.path.join(folder, "logs/xla/vm.xplane.pb"), os.path.join(folder, "logs/torch"))
    shutil.rmtree(os.path.join(folder, "logs/xla"))
    write(os.path.join(folder, "logs/torch/a.1.pt.trace.json"), trace.encode())
    for paths in (["logs"], [os.path.join("logs/torch", name) for name in left(os.path.join(folder, "logs/torch"))]):
        screens = [" ".join(expect(OK, *paths, *words, folder=folder).stdout.decode().split()) for words in ([], ["--run", "2"])]
        for holds in ("(1 XLA profile)", "(2 PyTorch traces)"):
            must(any(holds in screen for screen in screens), holds, "is not named:", *screens)
        expect(OK, *paths, "--run", "all", "-o", "r.html", "-o", "r.pdf", "-o", "r.json", folder=folder)


def under_any_name(folder):
    """What is in a file tells which reader takes it."""
    write(os.path.join(folder, "profile"), t.every_plane())
    must(b"data.warnings" in expect(OK, "get", "profile", "data.warnings", folder=folder).stdout, "a profile without a suffix")
    for name in ("answer", "data.json", "vm.op_profile.v_a34b1a2f.json"):
        write(os.path.join(folder, name), b'{"byCategory": {"name": "all", "children": [{"name": "%dot.1", "metrics": {"time": 1}, "xla": {}}]}}')
        done = expect(OK, name, "-o", "-", "--format", "json", folder=folder)
        must(b"dot.1" in done.stdout, name, "is not read as an op profile")
    os.makedirs(os.path.join(folder, "saved"))
    shutil.copy(os.path.join(folder, "data.json"), os.path.join(folder, "saved"))
    must(b"dot.1" in run("saved", "-o", "-", "--format", "json", folder=folder).stdout, "an answer in a directory of its own")
    shutil.copy(os.path.join(folder, "profile"), os.path.join(folder, "saved/vm.xplane.pb"))
    done = run("saved", "-v", "-o", "x.json", folder=folder)
    must(b"data.json" not in done.stderr, "an answer beside the profile is read:", done.stderr)
    os.mkfifo(os.path.join(folder, "pipe"))
    done = run("-o", "-", "--format", "json", os.path.join(folder, "pipe"), shell=f"& cat {folder}/profile > {folder}/pipe; wait", folder=folder)
    must(b"sections" in done.stdout, "a pipe is not read:", done.stderr)


def from_elsewhere(folder):
    for path, says in (("hdfs://host/logs", "hdfs dfs -get"), ("ftp2://host/logs", "copy it to this machine")):
        expect(NOTHING, path, "-o", "x.json", folder=folder, says=[f"{path}: not read from there", says])
    expect(NOTHING, "file:///logs", "-o", "x.json", folder=folder, says="give the path itself: /logs")


def standard_input(folder):
    data = t.every_plane()
    done = expect(OK, "-", "-o", "-", "--format", "json", data=data, folder=folder)
    must(json.loads(done.stdout)["metrics"]["step.count"]["value"] == 2, "steps on standard input")
    write(os.path.join(folder, "f"), data)
    fifo = os.path.join(folder, "fifo.xplane.pb")
    os.mkfifo(fifo)
    with subprocess.Popen(["sh", "-c", 'cat "$1" >"$2"', "sh", os.path.join(folder, "f"), fifo]):
        expect(OK, fifo, "-o", os.path.join(folder, "r.json"))
    expect(DAMAGED, "-", "-o", "-", "--format", "json", data=b"", says="empty")


def choosing(folder):
    names = ["2026_11_20_10_00_00", "2026_11_21_02_41_41", "2026_11_21_09_00_00"]
    logs, report = logdir(folder, names, ("vm", "w1"), steps=2), os.path.join(folder, "r.json")

    def steps(*words, status=OK, **how):
        done = expect(status, logs, "-o", report, *words, **how)
        found = json.loads(read(report))
        return found["run"], found["metrics"]["step.count"]["value"], found["metrics"]["run.hosts"]["value"], done

    run_name, count, hosts, done = steps(says=["3 runs found", "newest, " + names[2], "--run NAME or --run all", names[0]])
    must((run_name, count, hosts) == (names[2], 4, 2), run_name, count, hosts)
    must(steps("--quiet")[3].stderr == b"", "--quiet speaks")
    must(steps("--run", names[0])[:2] == (names[0], 2), "--run NAME")
    must(steps("--run", "1")[0] == names[2] and steps("--run", "3")[0] == names[0], "--run NUMBER")
    must(steps("--host", "w1")[2] == 1 and steps("--host", "w1", "--host=vm")[2] == 2, "--host")
    verbose = steps("--verbose")[3].stderr.decode()
    must("reading 1 of 2: " in verbose and f"wrote {report}" in verbose, verbose)
    os.unlink(report)
    expect(OK, logs, "-o", report, "--run", "all")
    must(left(folder) == ["cnn"] + [f"r.{name}.json" for name in names], "--run all left", left(folder))
    must(json.loads(read(os.path.join(folder, f"r.{names[1]}.json")))["run"] == names[1], "--run all")


def runs_of_one_name(folder):
    """Two jobs, each with a run of the same name: neither report replaces the other."""
    for job, steps in (("a", 2), ("b", 3)):
        write(os.path.join(folder, job, "plugins/profile/run/vm.xplane.pb"), t.space(t.tpu(0, steps)))
    report = os.path.join(folder, "r.json")
    expect(OK, os.path.join(folder, "a"), os.path.join(folder, "b"), "--run", "all", "-o", report)
    found = [name for name in left(folder) if name.startswith("r.")]
    counts = [json.loads(read(os.path.join(folder, name)))["metrics"]["step.count"]["value"] for name in found]
    must(sorted(counts) == [2, 3], found, counts)


def hosts_a_second_apart(folder):
    for second, host in ((41, "vm"), (42, "w1")):
        write(os.path.join(folder, f"l/plugins/profile/2026_11_21_02_41_{second}", host + ".xplane.pb"),
              t.space(t.tpu(second, 2)))
    done = expect(OK, os.path.join(folder, "l"), "-o", "-", "--format", "json", "-v", says="treated as one run")
    must(json.loads(done.stdout)["metrics"]["run.hosts"]["value"] == 2, "hosts")


def copies(folder):
    logs = logdir(folder, hosts=("vm",))
    data = read(os.path.join(logs, "plugins/profile/2026_11_21_02_41_41/vm.xplane.pb"))
    write(os.path.join(logs, "plugins/profile/2026_11_21_02_41_41/vm2.xplane.pb"), data)
    done = expect(OK, logs, "-o", "-", "--format", "json", "-v", says="a copy, not counted twice")
    must(json.loads(done.stdout)["metrics"]["run.hosts"]["value"] == 1, "a copy counts")


def copies_in_pieces(folder):
    """A large file is read in pieces, a packed one as a whole: whichever comes first, the same bytes count once. Files that only
    begin alike, or end alike, count each."""
    def space(host, length):
        plane = t.host(2)
        events = [plane.event(f"f{i % 50}", 1000 * i, 900) for i in range(20_000)]
        return t.space(plane.line("thread", [*events, plane.event("last", 10**9, length)]), hostname=host)

    one, other = space("vm", 500), space("vm", 600)
    packed = gzip.compress
    must(len(one) == len(other) and one != other and one[:1 << 17] == other[:1 << 17], "the files do not begin alike")
    for files, hosts in (
        ({"a": one, "b": one}, 1),
        ({"a": one, "b": other, "c": one}, 2),
        ({"a": one, "b": other, "c": other, "d": one}, 2),
        ({"a": one, "b.gz": packed(one)}, 1),
        ({"a.gz": packed(one), "b": one}, 1),
        ({"a.gz": packed(one), "b.gz": packed(one, 1), "c": other}, 2),
        ({"a.gz": packed(one), "b": other, "c": one, "d.gz": packed(other, 1)}, 2),
    ):
        shutil.rmtree(os.path.join(folder, "logs"), ignore_errors=True)
        for name, data in files.items():
            write(os.path.join(folder, "logs", name.replace(".", ".xplane.pb.") if "." in name else name + ".xplane.pb"), data)
        done = expect(OK, os.path.join(folder, "logs"), "-o", "-", "--format", "json", "-v")
        count = json.loads(done.stdout)["metrics"]["run.hosts"]["value"]
        must(count == hosts, list(files), "are", count, "hosts:", done.stderr)
        must(done.stderr.count(b"a copy, not counted twice") == len(files) - hosts, list(files), done.stderr)


def hostile_names(folder):
    """Names of files and folders go to the terminal without their control characters, and to the report as text."""
    evil = "\x1b[31m<script>\n\u009b2J"
    path = write(os.path.join(folder, evil, "plugins/profile/r" + evil, evil + ".xplane.pb"), t.every_plane()[:-40])
    write(os.path.join(folder, evil, "plugins/profile/q" + evil, "vm.xplane.pb"), t.every_plane())
    for words in ([os.path.join(folder, evil), "-v"], [path, "-v"], [os.path.join(folder, evil), "--run", "x" + evil]):
        told = run(*words, "-o", os.path.join(folder, "r.html")).stderr
        must(told and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", told), words, told)
    must(b"<script>\n" not in read(os.path.join(folder, "r.html")), "a folder's name became an element")


def names_read_back(folder):
    """JSON gives each name as it was, ill-formed bytes as one U+FFFD for each beginning of a character."""
    names = [b"a\xffz", b"\xed\xa0\x80", b"cut\xe2\x82", "\U000e0041\ufff9\uffff\U0010ffff\u2028".encode(), b"<\"\\/\x01\x7f", "é€😀".encode()]
    plane = t.tpu(0, 2)
    plane.line("XLA Ops", [plane.event(plane.op(name, stats={"hlo_category": "x"}), i * t.MS, t.MS) for i, name in enumerate(names)])
    path = write(os.path.join(folder, "vm.xplane.pb"), t.space(t.environment(), plane))
    text = expect(OK, path, "-o", "-", "--format", "json").stdout.decode()
    found = set()
    json.loads(text, object_hook=lambda o: found.update(v for v in o.values() if isinstance(v, str)) or o)
    for name in names:
        must(name.decode(errors="replace") in found, name, "is not in the report")
    must("ffffffff" not in text.lower(), "a number that is none")


TESTS = [
    of_other_programs, profiles_of_both, under_any_name, from_elsewhere, standard_input, choosing, runs_of_one_name,
    hosts_a_second_apart, a_folder_of_reports, reports_from_standard_input, copies, copies_in_pieces, hostile_names, names_read_back,
]


run_all(TESTS)
