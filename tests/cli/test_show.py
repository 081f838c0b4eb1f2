"""`tpreport show`: sections by id and by title, rows by number and by text, in so many bytes, with nothing that a terminal obeys; each
command's own --help."""

import os
import re

import tiny_xspace as t
from cases import must, run_all
from command_line import NOTHING, OK, USAGE, expect, logdir, write

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]")


def many_operations(folder, names):
    plane = t.tpu(0, 2)
    for number, name in enumerate(names):
        op = plane.op(f"key{number}", name, {"hlo_category": "loop fusion"})
        plane.line("XLA Ops", [plane.event(op, (30 + number) * t.MS, (len(names) - number) * 10 ** 9)])
    return write(os.path.join(folder, "in/vm.xplane.pb"), t.space(plane))


def show(*words, **how):
    text = expect(OK, "show", *words, **how).stdout.decode()
    must(not CONTROL.search(text) and text.endswith("\n"), words, repr(text))
    return text


def the_list(folder):
    logs = logdir(folder)
    text = show(logs)
    ids = [line.split()[0] for line in text.split("\n\n")[0].splitlines()]
    must(ids[0] == "summary" and {"findings", "steps", "operations", "method"} <= set(ids), ids)
    must(all(len(line) <= 80 for line in text.splitlines()) and text.endswith("tpreport show PATH SECTION\n"), text)
    for name in ids:
        must(len(show(logs, name).encode()) <= 4096, name)


def by_id_and_title(folder):
    logs = logdir(folder)
    steps = show(logs, "steps")
    for word in ("Steps", "STE", "step"):
        must(show(logs, word) == steps, word)
    must("A step by class of time" in show(logs, "steps/classes"), "a table by its id")
    must("More: tpreport show PATH steps/" in steps, steps)
    folded = re.search(r"More: tpreport show PATH ([^, \n]+)", steps)[1]
    must(len(show(logs, folded)) > 40, folded)
    told = expect(USAGE, "show", logs, "stpes", says=["no section stpes; near is steps; there are summary, ", ", method"]).stderr
    must(told.count(b"\n") == 1, told)
    expect(USAGE, "show", logs, "zzz\x1b[31m", says="no section zzz?[31m; there are summary")
    expect(USAGE, "show", logs, "about", says=["sections begin with about; give an id: ", "steps/how"])
    expect(USAGE, "show", logs, "")
    expect(NOTHING, "show", os.path.join(folder, "none"), "steps")


def rows(folder):
    """So many of each table; those with a text; what is left out is counted."""
    names = [f"conv.{n}" if n % 3 == 0 else f"Dot.{n}" for n in range(60)]
    path = many_operations(folder, names)
    shown = lambda text: re.findall(r"^(?:conv|Dot)\.\d+", text, re.M)
    few = show(path, "operations/list")
    must(len(shown(few)) == 10 and re.search(r"^\d+ rows left out: --top, --filter$", few, re.M), few)
    must(shown(few) == names[:10], shown(few))
    total = len(shown(few)) + int(re.search(r"^(\d+) rows left out", few, re.M)[1])
    must(len(shown(show(path, "operations/list", "--top", "3"))) == 3, "--top 3")
    whole = show(path, "operations/list", "--top", "all", "--size", "64K")
    must(shown(whole) == names and "rows left out" not in whole, whole)
    cut = show(path, "operations/list", "--top", "all", "--size", "2K")
    left = int(re.search(r"^(\d+) rows left out: --size, --filter$", cut, re.M)[1])
    lines = cut.count("\n") - whole[:whole.index("conv.0 ")].count("\n") - 2
    must(1400 < len(cut.encode()) <= 2048 and lines + left == total, len(cut), lines, left, total)
    found = show(path, "operations/list", "--filter", "dOT", "--top", "all", "--size", "64K")
    must(shown(found) == [name for name in names if name.startswith("Dot")], found)
    must(len(shown(show(path, "operations/list", "--filter", "CONV.5"))) == 3, "conv.51, conv.54, conv.57")
    must(shown(show(path, "operations", "--filter", "dot.58"))[-1] == "Dot.58", "in what is folded")
    must(show(path, "operations", "--filter", "no such text") == "No row holds this text.\n", "no row")


def options(folder):
    logs = logdir(folder, runs=("a", "b"))
    must("4 steps" in show(logs, "summary", "-q") and "3 steps" in show(logs, "summary", "-q", "--run", "a"), "--run")
    for words, says in (
        (["show"], "show needs a path and optionally a section"),
        (["show", logs, "steps", "more"], "show needs a path and optionally a section"),
        (["show", logs, "steps", "--run", "all"], "a section belongs to one run"),
        (["show", logs, "steps", "--size", "much"], "--size much: give a size from 1K, e.g. 16K"),
        (["show", logs, "steps", "--size", "100"], "--size 100: give a size from 1K"),
        (["show", logs, "steps", "--top", "no"], "--top no: give a number of rows"),
        (["show", logs, "steps", "-o", "x.html"], "option --output does not apply to show"),
        (["get", logs, "--filter", "x"], "option --filter does not apply to get"),
    ):
        expect(USAGE, *words, says=says)


def columns(folder):
    """Columns for which a line has no room are named; --width has them."""
    logs = logdir(folder)
    cut, whole = show(logs, "steps/each"), show(logs, "steps/each", "--width", "400")
    left = re.search(r"^(\d+) columns? left out: (.*); --width$", cut, re.M)
    must(left and int(left[1]) == left[2].count(", ") + 1 and "--width" not in whole, cut, whole)
    head = whole.splitlines()[1]
    must(all(name in head and name not in cut.splitlines()[1] for name in left[2].split(", ")), head, left[2])
    must(all(len(line) <= 60 for line in show(logs, "steps/each", "--width", "60").splitlines()[1:-1]), "--width 60")
    for word in ("39", "1001", "wide"):
        expect(USAGE, "show", logs, "steps", "--width", word, says=f"--width {word}: give a number from 40 to 1000")


def names_of_the_profile(folder):
    """No escape sequence, no direction of text, whatever is in a name; and as few bytes as ever."""
    names = ["\x1b[31mred", "a\rb", "two\nlines", "\u202eback", "tab\there", "bell\x07", "\x9b2J", "long" * 30000]
    path = many_operations(folder, names)
    for words in (["operations"], ["operations/list"], ["operations", "--filter", "\x1b[31m"], []):
        text = show(path, *words)
        must(len(text.encode()) <= 4096, len(text))
    must("\ufffd[31mred" in show(path, "operations/list", "--size", "64K"), "the name is not there")


def help_of_each(folder):
    for command, own, foreign in (("report", "--paper", "--require"), ("get", "--require", "--paper"), ("show", "--filter", "--output"), ("hlo", "--output", "--top")):
        text = expect(OK, command, "--help").stdout.decode()
        must(text.startswith(f"Examples:\n  tpreport {'logdir' if command == 'report' else command}"), text)
        listed = re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.M)
        must(own in listed and foreign not in listed and "--run" in listed, command, listed)
        must(text.split("Usage:")[1].count("  tpreport ") == 1 and all(len(line) <= 100 for line in text.splitlines()), text)
    whole = expect(OK, "--help").stdout.decode()
    must(all(f"  tpreport {name} " in whole.split("Usage:")[0] for name in ("get", "show", "hlo")), whole)


run_all([the_list, by_id_and_title, rows, options, columns, names_of_the_profile, help_of_each])
