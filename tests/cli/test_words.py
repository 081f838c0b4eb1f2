"""Words of the command line that mean nothing here: what is near, what is to come, and options that change nothing."""

import json
import os
import re

import tiny_xspace as t
import torch_files
from cases import must, run_all
from command_line import FORMATS, NOT_JUDGED, OK, USAGE, expect, left, logdir, read, write



def near_words(folder):
    logs = logdir(folder)
    for words, says in (
        ([logs, "-o", "x.json", "--fromat", "json"], "unknown option --fromat; near is --format; tpreport --help"),
        ([logs, "--outptu=x.json"], "unknown option --outptu; near is --output"),
        ([logs, "--colour"], "unknown option --colour; tpreport --help"),
        ([logs, "-o", "x", "--format", "jsno"], "unknown format jsno; near is json"),
        (["gte", logs, "step.count"], "gte: no such file or folder, and no command; near is get"),
        (["hol", logs], "near is hlo"),
        (["reprot", logs], "near is report"),
        (["get", logs, "step.time.p50"], ["unknown id step.time.p50; near are ", "step.time.p50_ms", "--list metrics"]),
        (["get", logs, "step.cuont"], "near are step.count, "),
        (["get", logs, "nothing.like.it"], "unknown id nothing.like.it; tpreport --list metrics"),
    ):
        told = expect(USAGE, *words, says=says, folder=folder).stderr
        must(told.count(b"\n") == 1, words, "says more than a line:", told)
    must(left(folder) == ["cnn"], left(folder))


def folders_named_like_commands(folder):
    """A command's name is the command; ./word, and the word where a path must be, is a folder."""
    logs = logdir(folder)
    os.symlink("cnn", os.path.join(folder, "monitor"))
    for words in (["./monitor"], ["--", "monitor"], ["report", "monitor"]):
        must(expect(OK, *words, folder=folder).stdout.startswith(FORMATS["text"]), words)
    must(expect(OK, "-q", "get", logs, "step.count").stdout == b"step.count\t3\tcount\n", "an option before the command")


def letters_together(folder):
    logs = logdir(folder)
    quiet = expect(OK, "-qv", logs, "-o", os.path.join(folder, "r.json"))
    must(quiet.stderr == b"" or b"reading 1 of 1" in quiet.stderr, quiet.stderr)
    for words in (["-vo", "a.json"], ["-voa.json"], ["-qo", "a.json"]):
        expect(OK, logs, *words, folder=folder)
        os.unlink(os.path.join(folder, "a.json"))
    expect(USAGE, logs, "-qx", says="unknown option -qx")
    expect(USAGE, logs, "-qo", says="option --output needs a value")


def suffixes(folder):
    logs = logdir(folder)
    for name, form in (("r.htm", "html"), ("R.HTML", "html"), ("r.PDF", "pdf"), ("r.Json", "json"), ("r.TXT", "text")):
        expect(OK, logs, "-o", name, folder=folder)
        must(read(os.path.join(folder, name)).startswith(FORMATS[form]), name)
        os.unlink(os.path.join(folder, name))
    for name, form in (("r.html", "json"), ("r.txt", "outline"), ("r.pdf", "html")):
        expect(USAGE, logs, "-o", name, "--format", form, folder=folder, says=[f"-o {name} is ", f"--format says {form}"])
    must(left(folder) == ["cnn"], left(folder))
    # The suffix holds; --format is for what has none.
    done = expect(OK, logs, "-o", "r.html", "-o", "-", "--format", "json", folder=folder)
    must(done.stdout.startswith(b"{") and read(os.path.join(folder, "r.html")).startswith(FORMATS["html"]), done.stdout[:40])
    expect(OK, logs, "-o", "r.json", "--format", "json", folder=folder)


def options_that_change_nothing(folder):
    logs = logdir(folder)
    torch = write(os.path.join(folder, "torch/rank0.1.pt.trace.json"), torch_files.files()["new"])
    cpu = write(os.path.join(folder, "cpu/vm.xplane.pb"), t.space(t.host(), hostname="vm"))
    looks = os.path.join(folder, "looks")
    os.mkdir(looks)
    out = os.path.join(folder, "r.json")
    for words, says in (
        ([logs, "-o", out, "--paper", "letter"], "--paper has no effect: no PDF is written"),
        ([logs, "-o", out, "--size", "16K"], "--size has no effect: no Markdown is written"),
        ([logs, "-o", out, "--template-dir", folder], "--template-dir has no effect: no page is written"),
        ([logs, "-o", out + ".pdf", "--template-dir", looks], "--template-dir has no effect: no page is written"),
        ([logs, "-o", out + ".html", "--template-dir", looks], "the folder holds no file named like a template"),
        ([logs, "--top", "5"], "--top has no effect: no table is shown in part"),
        ([logs, "--graph-of", "fusion.1"], "--graph-of has no effect: no drawing is written"),
        ([logs, "--graph", "7"], "--graph has no effect: no TensorFlow graph was read"),
        (["get", logs, "step.count", "--tpu-ops", "1.13"], "--tpu-ops has no effect: no TensorFlow graph"),
        ([cpu, "-o", out, "--peak", "hbm=1T"], "--peak has no effect: no TPU or GPU was recorded"),
        (["hlo", torch], "the run holds no HLO"),
    ):
        told = expect(OK, *words, says=["tpreport: warning: ", says]).stderr
        must(told.count(b"has no effect") <= (2 if "--template-dir" in words else 1), words, told)
        must(expect(OK, *words, "-q").stderr == b"", words, "speak under --quiet")
    graph = write(os.path.join(folder, "graph/graph.pbtxt"), b'node { name: "a" op: "Add" }')
    expect(OK, graph, "--tpu-ops", "99", says="--tpu-ops 99: using the list of TensorBoard 2.21, the newest known")
    must(b"using the list" not in expect(OK, logs, "-o", out, "--tpu-ops", "99").stderr, "a list is taken that does nothing")
    must(b"--tpu-ops" not in expect(OK, graph, "--tpu-ops", "2.21").stderr, "2.21 is told")
    for words, says in (
        ([logs, "-o", out + ".html", "--template-dir", "/nope"], "--template-dir /nope: No such file or directory"),
        ([logs, "-o", out + ".pdf", "--template-dir", "/nope"], "--template-dir /nope: No such file or directory"),
        ([logs, "--template-dir", ""], "--template-dir : No such file or directory"),
        ([logs, "-o", out + ".html", "--template-dir", graph], "Not a directory"),
        ([logs, "-o", out + ".md", "--size", "much"], "--size much: give a size, e.g. 16K"),
        (["get", logs, "step.count", "--paper", "a4"], "option --paper does not apply to get"),
        (["get", logs, "step.count", "-o", out], "option --output does not apply to get"),
        (["hlo", logs, "--top", "5"], "option --top does not apply to hlo"),
        (["hlo", logs, "-o", out], "-o writes one of them"),
        ([logs, "--require"], "option --require does not apply to report"),
    ):
        expect(USAGE, *words, says=says)
    must(b"warning" not in expect(OK, logs, "-o", out + ".pdf", "--paper", "letter").stderr, "a paper size that is used")


def all_figures(folder):
    """get without ids lists all, with their values, as with ids and as JSON."""
    logs = logdir(folder)
    lines = expect(OK, "get", logs).stdout.decode().splitlines()
    ids = [line.split("\t")[0] for line in lines]
    metrics = json.loads(expect(OK, logs, "-o", "-", "--format", "json").stdout)["metrics"]
    must(ids == list(metrics) and len(ids) > 100, "other figures than in JSON:", set(ids) ^ set(metrics))
    must(expect(OK, "get", logs, *ids).stdout.decode().splitlines() == lines, "other values than with ids")


def required_figures(folder):
    logs = logdir(folder)
    plain = expect(OK, "get", logs, "step.count", "kernels.count").stdout
    must(expect(OK, "get", "--require", logs, "step.count").stdout == b"step.count\t3\tcount\n", "--require of what is there")
    done = expect(NOT_JUDGED, "get", "--require", logs, "step.count", "kernels.count",
                  says="kernels.count is missing: the profile holds no GPU")
    must(done.stdout == plain, done.stdout)
    expect(USAGE, "get", "--require", logs, says="--require needs ids")
    expect(USAGE, "get", "--require", logs, "kernels.count", "no.such", says="unknown id no.such")


def formulas(folder):
    """Each is read alone, by a reader who asked for that figure: none leans on that of a neighbour."""
    for line in expect(OK, "--list", "metrics").stdout.decode().splitlines():
        says = line.split("\t")[3]
        must(not re.search(r"likewise|as above|same rule|: the (same|rest|other) |(over|of) the same time", says), line)


TESTS = [near_words, folders_named_like_commands, letters_together, suffixes, options_that_change_nothing, all_figures, required_figures, formulas]


run_all(TESTS)
