"""The command line: exit statuses, messages that can be acted on, files that appear whole or not at all."""

import json
import os
import re
import shutil
import stat
import subprocess

import tiny_xspace as t
import tfrecord
import torch_files
from cases import must, run_all
from command_line import CANNOT_WRITE, DAMAGED, FORMATS, NOTHING, OK, PROGRAM, USAGE, expect, left, logdir, read, run, write
from profiler_server import Answer, ProfilerServer
from xspace_writer import field


def usage(folder):
    logs = logdir(folder)
    before = left(folder)
    for words, says in (
        ([], "give a path"),
        ([logs, "-o", "x"], ["no format has this suffix", "--format"]),
        ([logs, "-o", "x.doc"], ["x.doc: no format", ".html, .pdf, .json, .md, .txt, .csv/, .sqlite or .perfetto-trace"]),
        ([logs, "-o", "x", "--format", "docx"], ["unknown format docx", "--list renderers"]),
        ([logs, "-o", "x.json", "--bla"], ["unknown option --bla", "--help"]),
        ([logs, "-o", "x.json", "-z"], ["unknown option -z", "--help"]),
        ([logs, "-o"], "option --output needs a value: --output FILE"),
        ([logs, "-o", "x.json", "--top"], "option --top needs a value"),
        ([logs, "-o", "x.json", "--strict=1"], "option --strict takes no value"),
        ([logs, "-o", "x.json", "--top", "many"], "--top many"),
        ([logs, "-o", "x.json", "--top", "0"], "--top 0"),
        ([logs, "-o", "x.json", "--top", "-3"], "--top -3"),
        ([logs, "-o", "x.json", "--peak", "hmb=3T"], ['"hmb" is not a peak', "give bf16", "--peak bf16=989.4T,hbm=3.35T"]),
        ([logs, "-o", "x.json", "--peak", "bf16=1T,hbm=3X"], '"3X" is not a number'),
        ([logs, "-o", "x.json", "--peak="], "is not a peak"),
        (["get", logs, "--peak", "hbm=-3", "flops.peak_per_s"], "is not a number above 0"),
        ([logs, "-o", "x.pdf", "--paper", "b5"], ["--paper b5", "a4 or letter"]),
        ([logs, "-o", "x.json", "--tpu-ops", "1.4"], ["--tpu-ops 1.4", "1.5 or later"]),
        ([logs, "-o", "x.json", "--tpu-ops", "newest"], "--tpu-ops newest"),
        ([logs, "-o", "x.json", "--memory-limit", "much"], ["--memory-limit much", "4G or 500M, or none"]),
        ([logs, "-o", "x.json", "--memory-limit", "4Q"], "--memory-limit 4Q"),
        ([logs, "-o", "x.json", "--threads", "0"], "--threads 0: give a number of threads, 1 or more"),
        ([logs, "-o", "x.json", "--threads", "many"], "--threads many"),
        ([logs, "-o", "x.json", "--memory-limit=-4G"], "--memory-limit -4G"),
        ([logs, "-o", "x.json", "--run", "yesterday"], ["no run yesterday", "2026_11_21_02_41_41"]),
        ([logs, "-o", "x.json", "--run", "2"], "no run 2"),
        ([logs, "-o", "x.json", "--run", "0"], "no run 0"),
        ([logs, "-o", "x.json", "--host", "nobody"], ["requested host", "its hosts: vm"]),
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
    must(f"warning: {newer}: skipped: Permission denied".encode() in done.stderr, done.stderr)
    must(b"2026_11_21_03_00_00" in done.stdout, "Data quality does not name it")
    done = as_user("--strict", logs)
    must(done.returncode == DAMAGED, "--strict: exit status", done.returncode, done.stderr)
    done = as_user(newer)
    must(done.returncode == NOTHING and f"skipped: {newer}: Permission denied".encode() in done.stderr, done.stderr)
    os.chmod(newer, 0o755)
    done = as_user("--strict", logs)
    must(done.returncode == OK and b"skipped" not in done.stderr, done.stderr)
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
    budget = write(os.path.join(folder, "b.json"), b'{"min_coverage": 0.5}')
    special = {"budget": budget, "missing": "pass", "margin": "5%", "format": "json", "run": "1", "host": "vm", "list": "passes", "peak": "bf16=900T", "worker": "rank0", "span": "1",
               "tpu-ops": "1.13", "graph-of": "jit_f/fusion.1,width=3", "memory-limit": "4G", "threads": "2", "timeline": "8M", "attention": "full", "window": "0s..1ms", "size": "16K", "append": os.path.join(folder, "h.csv"), "width": "120", "baseline": logs, "label": "4f1c2e8", "level": "95%", "floor": "2%", "fail-on": "slower,finding", "css-file": os.path.join(folder, "r.css"), "limits": write(os.path.join(folder, "limits.json"), b"{}"), "ranks": "0-3",
               "fetch": "cat {}", "duration": "50ms", "deadline": "20s", "settle": "50ms", "queries": "1"}
    of_commands = {"budget": ["check", logs], "missing": ["check", logs, "--budget", budget], "margin": ["budget", logs], "require": ["get", logs, "step.count"], "filter": ["show", logs, "steps"], "width": ["show", logs, "steps"], **dict.fromkeys(("baseline", "level", "floor", "fail-on"), ["diff", logs, logs]), **dict.fromkeys(("label", "as-given", "append"), ["history", logs])}
    of_torch = write(os.path.join(folder, "torch/rank0.1.pt.trace.json"), torch_files.files()["new"])
    of_job = write(os.path.join(folder, "job/events.out.tfevents.1.host.profile_logger"),
                   tfrecord.profile_logger([(0, "train_begin"), (1, "train_end")]))
    rank = os.path.join(folder, "rank0.tps")
    expect(OK, "summarize", of_torch, "-o", rank)
    of_commands["ranks"] = ["merge", rank]
    watch = ["watch", logs, "-o", values["FILE"]]
    of_commands |= {"settle": [*watch, "--once"], "once": [*watch, "--settle", "50ms"], "queries": ["monitor", logs, "--settle", "50ms"]}
    inputs = {"worker": of_torch, "span": of_torch, "end-to-end-json": of_job}
    outputs = {"css-file": os.path.join(folder, "r.html")}
    options = re.findall(r"^  (?:-(\w), |    )--([a-z-]+)(?: ([A-Z]+)\S*)?", text, re.M)
    must(len(options) > 10, options)
    space = read(os.path.join(logs, "plugins/profile/2026_11_21_02_41_41/vm.xplane.pb"))
    with ProfilerServer(lambda request, number: Answer(field(8, space))) as profiler:
        each_option(folder, logs, options, special, values, of_commands, inputs, outputs, ["capture", profiler.address, "-o", os.path.join(folder, "log")])
    commands(text)


# They are about profilers of running programs.
OF_CAPTURE = {"duration", "duration-ms", "retries", "num-tracing-attempts", "host-tracer-level", "device-tracer-level", "python-tracer-level",
              "include-dataset-ops", "deadline"}


def each_option(folder, logs, options, special, values, of_commands, inputs, outputs, capture):
    for letter, name, argument in options:
        value = [special.get(name, values.get(argument, ""))] if argument else []
        output = [] if name in ("output", "end-to-end-json") else ["-o", outputs.get(name, values["FILE"])]
        for word in [f"--{name}"] + ([f"-{letter}"] if letter else []):
            if name in OF_CAPTURE:
                expect(OK, *capture, word, *value, folder=folder, says=["profiling 1 program", "KiB"])
            elif name in of_commands:
                expect(OK, *of_commands[name], word, *value, folder=folder)
            else:
                expect(OK, word, *value, inputs.get(name, logs), *output, folder=folder)


def commands(text):
    for command in re.findall(r"^  tpreport \[?(\w+)\]? ", text.split("Usage:")[1], re.M):
        done = run(command)
        # mcp has read all of an empty input, help lists its topics.
        must(done.returncode == (OK if command in ("mcp", "help") else USAGE), command, done.returncode)
    for what in re.search(r"--list WHAT +list the available (.*)", text)[1].replace(" or ", ", ").split(", "):
        must(expect(OK, "--list", what).stdout.count(b"\n") > 0, "--list", what)


TESTS = [
    usage, nothing_found, unreadable, unreadable_directories, cannot_write, closed_descriptors, old_report_stays,
    one_that_fails, help_and_version,
]


run_all(TESTS)
