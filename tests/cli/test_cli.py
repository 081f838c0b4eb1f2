"""The command line: exit statuses, messages that can be acted on, files that appear whole or not at all."""

import gzip
import io
import json
import os
import pickle
import re
import shutil
import stat
import subprocess
import tarfile
import zipfile

import hlo_writer
import tiny_xspace as t
import tfrecord
import torch_files
from cases import must, run_all
from command_line import CANNOT_WRITE, DAMAGED, FORMATS, NOTHING, OK, PROGRAM, USAGE, expect, left, logdir, read, run, write


def usage(folder):
    logs = logdir(folder)
    before = left(folder)
    for words, says in (
        ([], "say what to read"),
        ([logs, "-o", "x"], ["no format has this suffix", "--format"]),
        ([logs, "-o", "x.doc"], ["x.doc: no format", ".html, .pdf, .json or .txt"]),
        ([logs, "-o", "x", "--format", "docx"], ["unknown format docx", "--list renderers"]),
        ([logs, "-o", "x.json", "--bla"], ["unknown option --bla", "--help"]),
        ([logs, "-o", "x.json", "-z"], ["unknown option -z", "--help"]),
        ([logs, "-o"], "option --output needs a value: --output FILE"),
        ([logs, "-o", "x.json", "--top"], "option --top needs a value"),
        ([logs, "-o", "x.json", "--strict=1"], "option --strict takes no value"),
        ([logs, "-o", "x.json", "--top", "many"], "--top many"),
        ([logs, "-o", "x.json", "--top", "0"], "--top 0"),
        ([logs, "-o", "x.json", "--top", "-3"], "--top -3"),
        ([logs, "-o", "x.json", "--peak", "hmb=3T"], ['"hmb" is no peak', "give bf16", "--peak bf16=989.4T,hbm=3.35T"]),
        ([logs, "-o", "x.json", "--peak", "bf16=1T,hbm=3X"], '"3X" is no number'),
        ([logs, "-o", "x.json", "--peak="], "is no peak"),
        (["get", logs, "--peak", "hbm=-3", "flops.peak_per_s"], "is no number above 0"),
        ([logs, "-o", "x.pdf", "--paper", "b5"], ["--paper b5", "a4 or letter"]),
        ([logs, "-o", "x.json", "--tpu-ops", "1.4"], ["--tpu-ops 1.4", "from 1.5 on"]),
        ([logs, "-o", "x.json", "--tpu-ops", "newest"], "--tpu-ops newest"),
        ([logs, "-o", "x.json", "--memory-limit", "much"], ["--memory-limit much", "4G or 500M, or none"]),
        ([logs, "-o", "x.json", "--memory-limit", "4Q"], "--memory-limit 4Q"),
        ([logs, "-o", "x.json", "--memory-limit=-4G"], "--memory-limit -4G"),
        ([logs, "-o", "x.json", "--run", "yesterday"], ["no run yesterday", "2026_11_21_02_41_41"]),
        ([logs, "-o", "x.json", "--run", "2"], "no run 2"),
        ([logs, "-o", "x.json", "--run", "0"], "no run 0"),
        ([logs, "-o", "x.json", "--host", "nobody"], ["host asked for", "its hosts: vm"]),
        (["--list", "pets"], ["--list pets", "readers, passes, renderers"]),
        (["--list"], "option --list needs a value"),
        ([logs, "-o", "x.json", "--graph-of", "fusoin.1"], ["--graph-of fusoin.1: no program of this run has", "near are fusion.1"]),
        ([logs, "-o", "x.json", "--graph-of", "jit_f/dot.6"], "near are dot.5"),
        ([logs, "-o", "x.json", "--graph-of", "fusion.1,width=0"], "give a width of 1 to 8"),
        ([logs, "-o", "x.json", "--graph-of", "fusion.1,width=two"], "give a width of 1 to 8"),
        (["get", logs, "step.colour"], "unknown id step.colour"),
    ):
        expect(USAGE, *words, says=says, folder=folder)
        must(left(folder) == before, words, "left", left(folder))


def nothing_found(folder):
    empty = os.path.join(folder, "empty")
    os.makedirs(empty)
    expect(NOTHING, empty, "-o", "x.json", folder=folder,
           says=["no profile found in", empty, "searched: 0 files in 1 directory", "*.xplane.pb", "capture one with"])
    write(os.path.join(empty, "sub/train.py"), b"")
    write(os.path.join(empty, "sub/eval.py"), b"")
    write(os.path.join(empty, "run.log"), b"")
    expect(NOTHING, empty, "-o", "x.json", folder=folder,
           says=["searched: 3 files in 2 directories", "2 *.py", "1 *.log"])
    expect(NOTHING, "missing", "-o", "x.json", folder=folder, says="missing: cannot open: No such file or directory")
    expect(NOTHING, empty, "missing", "-o", "x.json", folder=folder, says="missing: cannot open")
    must(left(folder) == ["empty"], "left", left(folder))


def unreadable(folder):
    path = write(os.path.join(folder, "in/vm.xplane.pb"), t.every_plane())
    os.chmod(path, 0)
    if os.geteuid() != 0:
        expect(NOTHING, path, "-o", "x.json", folder=folder, says=f"{path}: cannot open: Permission denied")
    loop = os.path.join(folder, "loop.xplane.pb")
    os.symlink(loop, loop)
    expect(NOTHING, loop, "-o", "x.json", folder=folder, says="loop.xplane.pb: cannot open: ")
    if os.path.exists("/proc/self/mem"):
        done = expect(NOTHING, "/proc/self/mem", "-o", "x.json", folder=folder)
        must(b"cannot read: " in done.stderr, done.stderr)
    must("x.json" not in left(folder), "a report of nothing")


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
        ("trace", pb(1, packet) * 3, ["a trace of Perfetto", "traceconv json"]),
        ("report.pdf", b"%PDF-1.5", "a PDF"),
        ("vm.xplane.pb", b"\xef\xbb\xbf\n<!DOCTYPE html>", "an HTML page"),
        ("trace.json", b"<html>", "an HTML page"),
        ("vm.xplane.pb", b"version https://git-lfs.github.com/spec/v1\n", ["a pointer of Git LFS", "git lfs pull"]),
        ("hlo_stats.json", b'{"cols": [{"id": "hlo_op_name"}], "rows": []}', ["xprof's statistics of operations", "not read"]),
        ("other.json", b'{"a": 1}', "not a trace"),
        ("notes.txt", b"hello", "no profile that is known here"),
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
        "2 files, the first is a.zip: a zip archive", "c.nsys-rep: a report of Nsight Systems", "nsys stats",
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
    for path, says in (("s3://bucket/logs", "aws s3 cp --recursive s3://bucket/logs DIR"),
                       ("gs://bucket/logs", "gcloud storage cp --recursive gs://bucket/logs DIR"),
                       ("https://x.blob.core.windows.net/c/logs", "azcopy copy https://x.blob.core.windows.net/c/logs DIR"),
                       ("abfss://c@x.dfs.core.windows.net/logs", "azcopy copy"), ("https://host/vm.xplane.pb", "curl -LO https://host/"),
                       ("hdfs://host/logs", "hdfs dfs -get"), ("ftp2://host/logs", "copy it to this machine")):
        expect(NOTHING, path, "-o", "x.json", folder=folder, says=[f"{path}: not read from there yet", says])
    expect(NOTHING, "file:///logs", "-o", "x.json", folder=folder, says="give the path itself: /logs")


def without_rights(folder):
    """How the program is run as a user whom files can be closed to; None where that cannot be tried."""
    if os.geteuid() != 0:
        return {}
    program = os.path.join(folder, "tpreport")
    shutil.copy(PROGRAM, program)
    os.chmod(folder, 0o755)
    nobody = {"user": 65534, "group": 65534, "extra_groups": [], "executable": program}
    try:
        tried = subprocess.run([PROGRAM, "--version"], capture_output=True, check=False, **nobody)
    except OSError as fault:
        print("unreadable_directories: not tried, the program cannot be run as another user:", fault)
        return None
    must(tried.returncode == OK, "as another user:", tried.stderr)
    return nobody


def unreadable_directories(folder):
    logs = logdir(folder, runs=("2026_11_21_02_41_41", "2026_11_21_03_00_00"))
    newer = os.path.join(logs, "plugins/profile/2026_11_21_03_00_00")
    how = without_rights(folder)
    if how is None:
        return

    def as_user(*words):
        return subprocess.run([PROGRAM, *words, "-o", "-", "--format", "json"], capture_output=True, check=False, **how)

    os.chmod(newer, 0)
    done = as_user(logs)
    must(done.returncode == OK, done.stderr)
    must(f"warning: {newer}: not looked at: Permission denied".encode() in done.stderr, done.stderr)
    must(b"2026_11_21_03_00_00" in done.stdout, "Data quality does not name it")
    done = as_user("--strict", logs)
    must(done.returncode == DAMAGED, "--strict: exit status", done.returncode, done.stderr)
    done = as_user(newer)
    must(done.returncode == NOTHING and f"not looked at: {newer}: Permission denied".encode() in done.stderr, done.stderr)
    os.chmod(newer, 0o755)
    done = as_user("--strict", logs)
    must(done.returncode == OK and b"not looked at" not in done.stderr, done.stderr)
    os.symlink("nowhere", os.path.join(logs, "latest"))
    done = as_user("--strict", logs)
    must(done.returncode == OK and done.stderr.count(b"latest") == 0, "a link that leads nowhere:", done.stderr)
    must(b"No such file" in as_user("-v", logs).stderr, "-v does not tell of a link that leads nowhere")


def cannot_write(folder):
    logs = logdir(folder)
    before = left(folder)
    expect(CANNOT_WRITE, logs, "-o", "missing/x.json", folder=folder,
           says="missing/x.json: cannot write: No such file or directory")
    expect(CANNOT_WRITE, logs, "-o", "cnn", "--format", "json", folder=folder, says="cnn: cannot write: Is a directory")
    expect(CANNOT_WRITE, logs, "-o", "/dev/full", "--format", "json", folder=folder,
           says="/dev/full: cannot write: No space left on device")
    must(left(folder) == before, "left", left(folder))
    for name in FORMATS:
        for where in (">&-", ">/dev/full"):
            expect(CANNOT_WRITE, logs, "-o", "-", "--format", name, shell=where, says="standard output: cannot write: ")
    for words in (["--help"], ["--version"], ["--list", "passes"], ["get", logs, "step.count"]):
        for where in (">&-", ">/dev/full"):
            expect(CANNOT_WRITE, *words, shell=where, says="standard output: cannot write: ")


def one_that_fails(folder):
    """An output that cannot be written does not stop the others, and its exit status is the whole's."""
    logs = logdir(folder)
    expect(CANNOT_WRITE, logs, "-o", "missing/x.html", "-o", "r.json", "-o", "/dev/full/x.pdf", "-o", "r.html", folder=folder,
           says=["missing/x.html: cannot write", "/dev/full/x.pdf: cannot write"])
    must(left(folder) == ["cnn", "r.html", "r.json"], "left", left(folder))


def closed_descriptors(folder):
    """A report must not take the place of a closed descriptor: messages would be written into it."""
    logs = logdir(folder)
    report = os.path.join(folder, "x.json")
    for where in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
        done = run(logs, "-o", report, "-v", shell=where)
        must(done.returncode == OK, where, "exit status", done.returncode)
        json.loads(read(report))
    expect(NOTHING, "-", "-o", report, shell="<&-", says="cannot read")


def old_report_stays(folder):
    logs = logdir(folder)
    bad = write(os.path.join(folder, "bad/vm.xplane.pb"), b"\xff" * 99)
    for name in ("html", "pdf", "json"):
        report = write(os.path.join(folder, "report." + name), b"the old one")
        os.chmod(report, 0o640)
        before = left(folder)
        expect(DAMAGED, bad, "-o", report)
        expect(NOTHING, os.path.join(folder, "nowhere"), "-o", report)
        expect(USAGE, logs, "-o", report, "--run", "9")
        must(read(report) == b"the old one", name, "is no longer the old one")
        expect(CANNOT_WRITE, logs, "-o", "missing/" + report, "-o", report + "/x." + name)
        must(left(folder) == before, "left", left(folder))
        link = os.path.join(folder, "link")
        os.symlink("report." + name, link)
        expect(OK, logs, "-o", link, "--format", name)
        must(os.path.islink(link) and read(report).startswith(FORMATS[name]), name, "is not replaced through the link")
        must(stat.S_IMODE(os.stat(report).st_mode) == 0o640, name, "has another mode")
        os.unlink(link)
        must(left(folder) == before, "left", left(folder))


def formats(folder):
    logs = logdir(folder)
    for name, magic in FORMATS.items():
        done = expect(OK, logs, "-o", "-", "--format", name)
        must(done.stdout.startswith(magic) and done.stderr == b"", name, done.stdout[:40], done.stderr)
        path = os.path.join(folder, {"outline": "named", "text": "r.txt"}.get(name, "r." + name))
        expect(OK, logs, f"--output={path}", *(["--format", name] if name == "outline" else []))
        must(read(path) == done.stdout, name, "to a pipe is not what goes to a file")
        os.unlink(path)
    wanted = [os.path.join(folder, f"r.{name}") for name in ("html", "pdf", "json")]
    expect(OK, "report", logs, *[word for path in wanted for word in ("-o", path)])
    must(left(folder) == ["cnn", "r.html", "r.json", "r.pdf"], "left", left(folder))
    for path in wanted:
        must(read(path).startswith(FORMATS[path.rsplit(".")[-1]]), path)
    expect(OK, "-o" + wanted[2], "--", logs)
    names = [line.split("\t")[0] for line in expect(OK, "--list", "renderers").stdout.decode().splitlines()]
    must(set(names) == {*FORMATS, "end-to-end"}, "--list renderers:", names)


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


def each_output_its_own_name(folder):
    """Also where a run has the name that another's number makes, or a path the name of a run."""
    for job, run_name, steps in (("a", "run", 2), ("b", "run", 3), ("c", "run.2", 4), ("d", "b.run", 5)):
        write(os.path.join(folder, "in", job, run_name, "vm.xplane.pb"), t.space(t.tpu(0, steps)))
    expect(OK, os.path.join(folder, "in"), "--run", "all", "-o", "r.json", "-o", "r.b.json", "-o", "x.txt", folder=folder)
    found = {name: json.loads(read(os.path.join(folder, name))) for name in left(folder) if name.startswith("r.")}
    steps = sorted(doc["metrics"]["step.count"]["value"] for doc in found.values())
    must(steps == [2, 2, 3, 3, 4, 4, 5, 5], steps, list(found))
    must(found["r.run.2.json"]["run"] == "run.2" and len([name for name in left(folder) if name.startswith("x.")]) == 4, left(folder))
    expect(USAGE, os.path.join(folder, "in/a"), "-o", "e.json", "--end-to-end-json", "e.json", folder=folder, says="two reports of different formats")
    must("e.json" not in left(folder), left(folder))


def hosts_a_second_apart(folder):
    for second, host in ((41, "vm"), (42, "w1")):
        write(os.path.join(folder, f"l/plugins/profile/2026_11_21_02_41_{second}", host + ".xplane.pb"),
              t.space(t.tpu(second, 2)))
    done = expect(OK, os.path.join(folder, "l"), "-o", "-", "--format", "json", "-v", says="taken as one run")
    must(json.loads(done.stdout)["metrics"]["run.hosts"]["value"] == 2, "hosts")


def top(folder):
    plane = t.tpu(0, 2)
    for i in range(40):
        op = plane.op(f"op{i}", f"op{i}", {"hlo_category": "loop fusion"})
        plane.line("XLA Ops", [plane.event(op, (30 + i) * t.MS, t.MS)])
    path = write(os.path.join(folder, "in/vm.xplane.pb"), t.space(plane))
    page = {n: len(expect(OK, path, "-o", "-", "--format", "html", "--top", n).stdout) for n in ("1", "10", "30", "all")}
    must(page["1"] < page["10"] < page["30"], page)
    data = {expect(OK, path, "-o", "-", "--format", "json", "--top", n).stdout.count(b"op39") > 0 for n in ("1", "all")}
    must(data == {True}, "a row that is not in the JSON")


def help_and_version(folder):
    text = expect(OK, "--help").stdout.decode()
    must(expect(OK, "-h").stdout.decode() == text, "-h is not --help")
    must(text.index("Examples:") < text.index("Usage:") < text.index("Options:"), "examples do not come first")
    must(all(len(line) <= 100 for line in text.splitlines()), "a line of --help is too long")
    options = [line for line in text.splitlines() if re.match(r"  (-.,|   ) --", line)]
    must(options and all(line[25] == " " for line in options if len(line) > 40), "an option runs into its help")
    must(re.fullmatch(r"tpreport \d+\.\d+\.\d+\n", expect(OK, "--version").stdout.decode()), "--version")
    logs = logdir(folder)
    values = {"FILE": os.path.join(folder, "r.json"), "DIR": folder, "N": "5", "SIZE": "letter"}
    special = {"format": "json", "run": "1", "host": "vm", "list": "passes", "peak": "bf16=900T", "worker": "rank0", "span": "1",
               "tpu-ops": "1.13", "graph-of": "jit_f/fusion.1,width=3", "memory-limit": "4G", "limits": write(os.path.join(folder, "limits.json"), b"{}")}
    for_get = {"require"}
    of_torch = write(os.path.join(folder, "torch/rank0.1.pt.trace.json"), torch_files.files()["new"])
    of_job = write(os.path.join(folder, "job/events.out.tfevents.1.host.profile_logger"),
                   tfrecord.profile_logger([(0, "train_begin"), (1, "train_end")]))
    inputs = {"worker": of_torch, "span": of_torch, "end-to-end-json": of_job}
    options = re.findall(r"^  (?:-(\w), |    )--([a-z-]+)(?: ([A-Z]+)\S*)?", text, re.M)
    must(len(options) > 10, options)
    for letter, name, argument in options:
        value = [special.get(name, values.get(argument, ""))] if argument else []
        output = [] if name in ("output", "end-to-end-json") else ["-o", values["FILE"]]
        for word in [f"--{name}"] + ([f"-{letter}"] if letter else []):
            if name in for_get:
                expect(OK, "get", word, *value, logs, "step.count", folder=folder)
            else:
                expect(OK, word, *value, inputs.get(name, logs), *output, folder=folder)
    for command in re.findall(r"^  tpreport \[?(\w+)\]? ", text.split("Usage:")[1], re.M):
        done = run(command)
        must(done.returncode == USAGE, command, done.returncode)
    for what in re.search(r"--list WHAT +print the (.*) there are", text)[1].replace(" or ", ", ").split(", "):
        must(expect(OK, "--list", what).stdout.count(b"\n") > 0, "--list", what)


def figures_for_scripts(folder):
    logs = logdir(folder)
    lines = expect(OK, "get", logs, "step.count", "step.time.mean_ms", "step.tpu.tc_idle_ms", "op.top.name", "run.framework") \
        .stdout.decode().splitlines()
    must(lines[0] == "step.count\t3\tcount" and lines[1] == "step.time.mean_ms\t10\tms" and len(lines) == 5, lines)
    must(all(line.count("\t") == 2 for line in lines), lines)
    plane = t.Plane("/device:TPU:0")
    op = plane.op("x", "two\nlines\tand a tab", {"hlo_category": "x"})
    path = write(os.path.join(folder, "odd/vm.xplane.pb"), t.space(plane.line("XLA Ops", [plane.event(op, 0, 5)])))
    out = expect(OK, "get", path, "op.top.name", "step.count").stdout.decode()
    must(out.count("\n") == 2 and out.splitlines()[0].count("\t") == 2 and out.splitlines()[1].startswith("step.count\t-\t"), out)


def programs_as_text(folder):
    for number, name in ((7, "jit_f"), (8, "jit_f"), (9, "jit_\x1bg")):
        write(os.path.join(folder, f"dump/{name}({number}).hlo_proto.pb"), hlo_writer.padded_convolution(f"fusion.{number}"))
    dump = os.path.join(folder, "dump")
    must(sorted(expect(OK, "hlo", dump).stdout.decode().splitlines()) == ["jit_?g(9)", "jit_f(7)", "jit_f(8)"], "the list of programs")
    text = expect(OK, "hlo", dump, "jit_f(8)").stdout.decode()
    must(text.startswith("HloModule jit_f") and "  fusion.8 = " in text and text.count("ENTRY main {") == 1, text)
    out = os.path.join(folder, "f.hlo")
    expect(OK, "hlo", dump, "jit_f(8)", "-o", out)
    must(read(out).decode() == text, "-o writes something else")
    expect(CANNOT_WRITE, "hlo", dump, "jit_f", "-o", "missing/f.hlo", says="missing/f.hlo: cannot write")
    expect(USAGE, "hlo", dump, "jit_h", says=["no program jit_h; there are:", "jit_f(7)"])
    bare = write(os.path.join(folder, "bare/vm.xplane.pb"), t.space(t.tpu(), hostname="vm"))
    told = expect(USAGE, "hlo", bare, "jit\x1b", says="the run holds no HLO of its programs")
    must(b"\x1b" not in told.stderr, told.stderr)
    expect(USAGE, "hlo", dump, "a", "b", says="hlo needs a path")


def given_peaks(folder):
    logs, names = logdir(folder), ["flops.peak_per_s", "flops.peak_source", "memory.capacity_bytes", "memory.capacity_source"]

    def peaks(*words):
        out = expect(OK, "get", logs, *names, *words).stdout.decode()
        return [line.split("\t")[1] for line in out.splitlines()]
    must(peaks() == ["918000000000000", "profile", "34359738368", "table"], peaks())
    must(peaks("--peak", "bf16=0.5P") == ["500000000000000", "user", "34359738368", "table"], "--peak bf16")
    must(peaks("--peak=memory=16Gi,hbm=1T") == ["918000000000000", "profile", "17179869184", "user"], "--peak memory")


def figures_of_one(folder):
    """A figure for one host or device; what is not there is an error that says what is."""
    logs = logdir(folder, hosts=("vm", "w\u009b1,2"))
    out = expect(OK, "get", logs, "step.count", "step.time.mean_ms@host=worker-0", "device.busy_share@host=worker-0,device=TPU:0")
    must(re.fullmatch(r"step.count\t\d+\tcount\nstep.time.mean_ms@host=worker-0\t[\d.]+\tms\n"
                      r"device.busy_share@host=worker-0,device=TPU:0\t[\d.]+\tshare\n", out.stdout.decode()), out.stdout)
    expect(USAGE, "get", logs, "step.time.mean_ms@host=x", says=[
        "unknown id step.time.mean_ms@host=x", "there are step.time.mean_ms@host=worker-0, step.time.mean_ms@host=worker-0~2"])
    expect(USAGE, "get", logs, "data.warnings@host=x", says="data.warnings is given for all together only")
    told = expect(USAGE, "get", logs, "step.time.mean_ms@host=\x1b[31m", "no.such@host=worker-0", says="unknown id no.such@host")
    must(b"\x1b" not in told.stderr, told.stderr)
    # Missing for all is missing for each, and no error.
    cpu = write(os.path.join(folder, "cpu.xplane.pb"), t.space(t.host(), hostname="vm"))
    must(expect(OK, "get", cpu, "device.busy_share@host=vm").stdout.startswith(b"device.busy_share@host=vm\t-\t"), "missing")
    listed = dict(line.split("\t", 1) for line in expect(OK, "--list", "metrics").stdout.decode().splitlines())
    must(listed["device.busy_share"].endswith("\t@host @host,device"), listed["device.busy_share"])
    must(listed["step.class.idle_ms"].endswith("\t@host"), listed["step.class.idle_ms"])


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


def same_bytes(folder):
    logs = logdir(folder, hosts=("vm", "w1"))
    other = os.path.join(folder, "elsewhere")
    os.makedirs(other)
    subprocess.run(["cp", "-r", logs, other], check=True)
    settings = [{}, {"TZ": "Asia/Tokyo", "HOSTNAME": "other", "HOME": "/nonexistent"}]
    # Also where these locales are not installed: libraries look at the variables themselves.
    for name in ("de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.UTF-8", "POSIX"):
        settings.append({"LC_ALL": name, "LANG": name, "LANGUAGE": name[:2], "FC_LANG": name[:2], "PANGO_LANGUAGE": name[:2]})
    for name in FORMATS:
        first = run(logs, "-o", "-", "--format", name).stdout
        for setting in settings:
            must(run(logs, "-o", "-", "--format", name, **setting).stdout == first, name, "differs with", setting)
        must(run(os.path.join(other, "cnn"), "-o", "-", "--format", name).stdout == first, name, "differs by place")
        stamped = run(logs, "-o", "-", "--format", name, SOURCE_DATE_EPOCH="1000000000").stdout
        must(stamped != first or name == "text", name, "does not know SOURCE_DATE_EPOCH")
        must(run(logs, "-o", "-", "--format", name, SOURCE_DATE_EPOCH="1000000000").stdout == stamped, name, "differs again")
        for odd in ("18446744073709551615", "9223372036854775807", "-5", "soon", ""):
            must(run(logs, "-o", "-", "--format", name, SOURCE_DATE_EPOCH=odd).returncode == OK, name, "SOURCE_DATE_EPOCH", odd)
    found = json.loads(run(logs, "-o", "-", "--format", "json", SOURCE_DATE_EPOCH="1000000000").stdout)
    must(found["made_unix_s"] == 1000000000, "made_unix_s", found["made_unix_s"])


TESTS = [
    usage, nothing_found, unreadable, of_other_programs, profiles_of_both, under_any_name, from_elsewhere,
    unreadable_directories, cannot_write, closed_descriptors, old_report_stays, formats, standard_input,
    one_that_fails,
    choosing, runs_of_one_name, each_output_its_own_name, hosts_a_second_apart, top, help_and_version, figures_for_scripts, figures_of_one, programs_as_text,
    given_peaks, copies, copies_in_pieces, hostile_names, names_read_back, same_bytes,
]


run_all(TESTS)
