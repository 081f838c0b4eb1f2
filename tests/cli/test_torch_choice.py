"""Runs, workers and spans of PyTorch traces: all of a run in one report, and what the command line chooses of them."""

import gzip
import json
import os
import subprocess

import torch_files as t
from cases import must, run_all

PROGRAM = os.environ["TPREPORT"]
OK, USAGE, NOTHING = 0, 2, 3


def step(number, start_us, duration_us):
    return t.event("user_annotation", f"ProfilerStep#{number}", start_us, duration_us, **{"External id": number})


def write(folder, run_name, worker, span, step_us, count=2):
    """A trace of steps that all take so long: the length tells it from the others."""
    os.makedirs(os.path.join(folder, run_name), exist_ok=True)
    name = worker + (f".{span}" if span else "") + ".pt.trace.json"
    base = 10 ** 6 * (int(span) % 1000 if span else 0)
    events = [step(i, base + i * step_us, step_us) for i in range(count)]
    with open(os.path.join(folder, run_name, name), "wb") as out:
        out.write(t.text(t.trace(events, baseTimeNanoseconds=1711929600000000000)))


def logdir(folder):
    for r, run_name in enumerate(("first", "second")):
        for w, worker in enumerate(("rank0", "rank1")):
            for s, span in enumerate(("1790000000000000001", "1790000000000000002")):
                write(folder, run_name, worker, span, 10000 * (1 + r) + 1000 * w + 100 * s)
    return folder


def call(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          check=False)


def report(*words):
    done = call(*words, "-o", "-", "--format", "json")
    must(done.returncode == OK, words, done.returncode, done.stderr)
    return json.loads(done.stdout)


def texts(block):
    """All values and texts of a block, in one string."""
    return json.dumps(block, ensure_ascii=False)


def mean_ms(doc, worker, span):
    return doc["metrics"].get(f"torch.step.mean_us@worker={worker},span={span}", {}).get("value", 0) / 1000


def spans_by_several_spellings(folder):
    """A folder may be left out, or be ".": spans of one worker stay its spans."""
    for span in ("1790000000000000001", "1790000000000000002"):
        write(folder, ".", "rank0", span, 10000)
    names = ("rank0.1790000000000000001.pt.trace.json", "./rank0.1790000000000000002.pt.trace.json")
    done = subprocess.run([PROGRAM, *names, "-o", "-", "--format", "json"], cwd=folder, capture_output=True, text=True, check=True)
    doc = json.loads(done.stdout)
    must(mean_ms(doc, "rank0", 1) == 10 and mean_ms(doc, "rank0", 2) == 10, sorted(doc["metrics"])[-20:])


def all_of_a_run(folder):
    doc = report(logdir(folder))
    must(doc["run"] == "second", doc["run"])
    for worker, span, expected in (("rank0", 1, 20), ("rank0", 2, 20.1), ("rank1", 1, 21), ("rank1", 2, 21.1)):
        must(abs(mean_ms(doc, worker, span) - expected) < 1e-9, worker, span, mean_ms(doc, worker, span))
    must("2 workers" not in texts(doc["metrics"]), "a text among figures")
    summary = texts(next(b for b in doc["sections"] if b["id"] == "summary"))
    must("worker" in summary and '"only ' not in summary, "the head of the page", summary[:600])


def roles_sum_to_the_step(folder):
    """Of traces together, of which some alone can hold a role: the others' steps spend no time in it."""
    write(folder, "mixed", "host", "", 10000)
    kernel = [t.event("cuda_runtime", "cudaLaunchKernel", 10, 5, correlation=1),
              t.event("kernel", "k", 100, 6000, pid=0, tid=7, correlation=1, device=0, stream=7)]
    with open(os.path.join(folder, "mixed", "gpu.pt.trace.json"), "wb") as out:
        out.write(t.text(t.trace([step(0, 0, 20000), *kernel], baseTimeNanoseconds=1711929600000000000)))
    found = {name: m["value"] for name, m in report(os.path.join(folder, "mixed"))["metrics"].items()}
    roles = [found[f"torch.step.{role}_us"] or 0 for role in
             ("kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu_exec", "other")]
    must(abs(sum(roles) - found["torch.step.mean_us"]) < 0.01, roles, found["torch.step.mean_us"])
    must(abs(found["torch.step.kernel_us"] - 6000 / found["torch.step.count"]) < 0.01, found["torch.step.kernel_us"])


PARTS = ["rank0", "rank1", "all workers, span 1", "all workers, span 2", "rank0, span 1", "rank0, span 2", "rank1, span 1",
         "rank1, span 2"]


def tables(block, wanted):
    """All tables of this id at or below a block."""
    if isinstance(block, list):
        return [found for item in block for found in tables(item, wanted)]
    if not isinstance(block, dict):
        return []
    own = [block] if block.get("id") == wanted else []
    return own + [found for item in block.values() for found in tables(item, wanted)]


def other_runs(folder):
    """A report shows the other runs of the log directory, each with its own mean step, and not when one was asked for; one that
    cannot be read says why."""
    logs = logdir(folder)
    write(folder, "empty", "w", "1", 10, count=0)
    doc = report(logs)
    rows = {row["cells"]["shown"]["value"]: row["cells"] for row in tables(doc["sections"], "views/list")[0]["rows"]}
    must(list(rows) == ["all of run second"] + PARTS + ["run first", "run empty"], list(rows))
    for name, expected in (("all of run second", 21.05), ("run first", 11.05), ("rank1", 21.05), ("rank0, span 2", 20.1)):
        must(abs(rows[name]["step_ms"]["value"] - expected) < 1e-9, name, rows[name])
    must("no events" in rows["run empty"]["step_ms"]["missing"], rows["run empty"])
    for words in (["--run", "first"], ["--run", "1"]):
        rows = [row["cells"]["shown"]["value"] for row in tables(report(logs, *words)["sections"], "views/list")[0]["rows"]]
        must(rows[1:] == PARTS, words, rows)
    must(not tables(report(logs, "--worker", "rank0", "--span", "1")["sections"], "views/list"), "nothing to choose")


def view(doc, name):
    """The section of a view."""
    return next(b for s in doc["sections"] if s["id"] == "views" for b in s["blocks"] if b["id"] == "views/" + name)


def figures_of_a_choice(folder):
    """A view's figures are those of a report of it alone, under ids that say what they are of."""
    logs = logdir(folder)
    doc = report(logs)
    for scope, words in (("run=first", ["--run", "first"]), ("worker=rank1", ["--worker", "rank1"]),
                         ("span=2", ["--span", "2"]), ("worker=rank0,span=2", ["--worker", "rank0", "--span", "2"])):
        alone = report(logs, *words)
        ids = [name for name in alone["metrics"] if "@" not in name and name + "@" + scope in doc["metrics"] and
               not name.startswith("torch.comm.")]
        must({"step.count", "step.time.mean_ms", "step.time.p95_ms", "torch.step.mean_us", "input.wait_share"} <= set(ids), ids)
        for name in ids:
            must(alone["metrics"][name]["value"] == doc["metrics"][name + "@" + scope]["value"], scope, name)
        shown = {t["metric"]: t["value"] for t in next(iter(tables(view(doc, scope), f"views/{scope}/summary/tiles")))["tiles"]}
        must(shown["step.time.p50_ms@" + scope] == alone["metrics"]["step.time.p50_ms"]["value"], scope, shown)
        got = call("get", logs, *[f"{name}@{scope}" for name in ids]).stdout.splitlines()
        must([line.split("\t")[0] for line in got] == [f"{name}@{scope}" for name in ids], got[:3])


def many_workers(folder):
    """70 workers: 64 can be chosen, without charts; the page stays small and says what is not in it."""
    for i in range(70):
        write(folder, "r", f"w{i}", "1", 1000 + i)
    doc = report(folder)
    rows = [row["cells"]["shown"]["value"] for row in tables(doc["sections"], "views/list")[0]["rows"]]
    must(rows == ["all of run r"] + [f"w{i}" for i in range(64)], rows)
    must("6 more are left out" in texts(tables(doc["sections"], "views/left-out")), "what is left out")
    must(tables(view(doc, "worker=w63"), "views/worker=w63/summary/tiles"), "the last has no figures")
    must(not tables(view(doc, "worker=w63"), "views/worker=w63/steps/strip"), "the last has charts")
    page = os.path.join(folder, "x.html")
    must(call(folder, "-q", "-o", page).returncode == OK and os.path.getsize(page) < 3 * 10 ** 6, os.path.getsize(page))


def odd_names(folder):
    """Names that are markup, no text or alike: each is a choice of its own, with a link that leads to it."""
    for name in ("<script>", "a b", "x,y=z@w%", "q'\"\\", "n" * 200):
        write(folder, "run", name, "1", 1000)
    for name in (b"\xff", b"\xfe"):
        with open(os.path.join(os.fsencode(folder), b"run", name + b".1.pt.trace.json"), "wb") as out:
            out.write(t.text(t.trace([step(1, 5, 10)], baseTimeNanoseconds=1711929600000000000)))
    for parent in "abc":
        write(folder, parent + "/same", "w", "", 77)
    doc = report(folder)
    views = [b for s in doc["sections"] if s["id"] == "views" for b in s["blocks"] if b.get("role") == "view"]
    must(len(views) == 10 and len({v["id"] for v in views}) == 10, [v["id"] for v in views])
    rows = tables(doc["sections"], "views/list")[0]["rows"][1:]
    must([row["cells"]["shown"]["href"] for row in rows] == ["#" + v["id"] for v in views], rows)
    must({"<script>", "\ufffd", "\ufffd~2", "run a/same", "run b/same", "run c/same"} <= {v["title"] for v in views}, [v["title"] for v in views])
    must(abs(doc["metrics"]["step.time.mean_ms@run=b/same"]["value"] - 0.077) < 1e-9, "a run of a name that others have")
    for form in ("html", "pdf"):
        must(call(folder, "-q", "-o", os.path.join(folder, "x." + form)).returncode == OK, form)


def newest_by_time(folder):
    """Which run is the newest the traces say, whatever their folders are called; the time of a file's change only where they do
    not."""
    logs = os.path.join(folder, "log")
    for name, base_ns in (("b", 1700000000000000000), ("a", 1711929600000000000), ("c", 1690000000000000000)):
        path = os.path.join(logs, name, "w.1.pt.trace.json")
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as out:
            out.write(t.text(t.trace([step(1, 5, 10)], baseTimeNanoseconds=base_ns)))
        os.utime(path, ns=(base_ns // 10 ** 3, 10 ** 18 - base_ns // 10 ** 9))
    must(report(logs)["run"] == "a", "by baseTimeNanoseconds:", report(logs)["run"])
    must([report(logs, "--run", str(n))["run"] for n in (1, 2, 3)] == ["a", "b", "c"], "--run by number")
    for name in "abc":
        path = os.path.join(logs, name, "w.1.pt.trace.json")
        with open(path, "wb") as out:
            out.write(t.text(t.trace([step(1, 5, 10)])))
        os.utime(path, (1000, {"a": 1, "b": 3, "c": 2}[name]))
    must([report(logs, "--run", str(n))["run"] for n in (1, 2, 3)] == ["b", "c", "a"], "by the time of change")


def chosen(folder):
    logs = logdir(folder)
    for words, there, says in (
        (["--worker", "rank1"], [("rank1", 1, 21), ("rank1", 2, 21.1)], "worker rank1 of 2"),
        (["--span", "2"], [("rank0", 2, 20.1), ("rank1", 2, 21.1)], "span 2 of 2"),
        (["--worker=rank0", "--span=2"], [("rank0", 2, 20.1)], "worker rank0 of 2, span 2 of 2"),
        (["--span", "1790000000000000001", "--worker", "rank1"], [("rank1", 1, 21)], "worker rank1 of 2, span "),
        (["--worker", "rank0", "--worker", "rank1", "--span", "1"], [("rank0", 1, 20), ("rank1", 1, 21)],
         "workers rank0, rank1 of 2, span 1 of 2"),
        (["--run", "first", "--worker", "rank0", "--span", "2"], [("rank0", 2, 10.1)], "span 2 of 2"),
        (["--run", "2", "--span", "all", "--worker", "rank1"], [("rank1", 1, 11), ("rank1", 2, 11.1)], "worker rank1 of 2"),
    ):
        doc = report(logs, *words)
        found = {name for name in doc["metrics"] if name.startswith("torch.step.mean_us@worker=") and ",span=" in name}
        must(found == {f"torch.step.mean_us@worker={w},span={s}" for w, s, _ in there}, words, found)
        for worker, span, expected in there:
            must(abs(mean_ms(doc, worker, span) - expected) < 1e-9, words, mean_ms(doc, worker, span))
        must(says in texts(next(b for b in doc["sections"] if b["id"] == "summary")), words, "the head of the page does not say", says)


def unknown(folder):
    logs = logdir(folder)
    many = os.path.join(folder, "many")
    for i in range(40):
        write(many, "r", f"w{i:02}", "", 10)
    for words, says in (
        ([logs, "--worker", "rank7"], "no worker rank7 in run second; there are rank0, rank1"),
        ([logs, "--worker", "rank0", "--worker", "x\x1b[31m"], "no worker x?[31m in run second"),
        ([logs, "--span", "3"], "no span 3 in run second; there are 2: give a number from 1, or all"),
        ([logs, "--span", "0"], "no span 0"),
        ([logs, "--span", "2nd"], "no span 2nd"),
        ([logs, "--worker", "rank0", "--span", "3"], "there are 2 of the requested worker"),
        ([logs, "--run", "third", "--span", "1"], "no run third"),
        ([many, "--worker", "w"], "there are w00, w01, w02, w03, w04, w05, w06, w07, w08, w09, w10, w11 and 28 more"),
        ([many, "--span", "2"], "there is 1"),
    ):
        done = call(*words, "-o", os.path.join(folder, "x.json"))
        must(done.returncode == USAGE, words, done.returncode, done.stderr)
        must(says in done.stderr and "\x1b" not in done.stderr, words, "does not say", says, "but", done.stderr)
        must(not os.path.exists(os.path.join(folder, "x.json")), words, "left a report")


def copies_do_not_shift_numbers(folder):
    """A packed copy beside a trace is the same span, and a number is that of the whole run."""
    logs = logdir(folder)
    first = os.path.join(logs, "second", "rank0.1790000000000000001.pt.trace.json")
    with open(first, "rb") as whole, gzip.open(first + ".gz", "wb") as out:
        out.write(whole.read())
    doc = report(logs)
    must(abs(mean_ms(doc, "rank0", 2) - 20.1) < 1e-9, "span 2 of rank0:", mean_ms(doc, "rank0", 2))
    must(not any("rank0,span=3" in name for name in doc["metrics"]), "a copy is a span of its own")
    must(abs(mean_ms(report(logs, "--span", "2"), "rank0", 2) - 20.1) < 1e-9, "--span 2")


def same_names_in_two_folders(folder):
    """Files given one by one are one run; workers of the same name in other folders are other workers, of the one machine that
    they name."""
    for name in ("a", "b"):
        write(folder, name, "w", "1", 10)
    paths = [os.path.join(folder, name, "w.1.pt.trace.json") for name in ("a", "b")]
    write(folder, "b", "w", "1", 20)
    doc = report(*paths)
    must((mean_ms(doc, "a/w", 1), mean_ms(doc, "b/w", 1)) == (0.01, 0.02), sorted(doc["metrics"]))
    for name in ("c/a", "d/a"):
        write(folder, name, "w", "1", 30)
    doc = report(*paths, *(os.path.join(folder, name, "w.1.pt.trace.json") for name in ("c/a", "d/a")), "--span", "1")
    found = {name for name in doc["metrics"] if name.startswith("torch.step.mean_us@")}
    must(found == {f"torch.step.mean_us@worker={w},span=1" for w in ("a/w", "a/w~2", "b/w")}, found)
    for words in (["-o", os.path.join(folder, "x.html")], ["-o", os.path.join(folder, "x.pdf")]):
        must(call(*paths, *words).returncode == OK, words)


def nothing_to_report(folder):
    path = os.path.join(folder, "w.1.pt.trace.json")
    with open(path, "wb") as out:
        out.write(t.text(t.trace([])))
    done = call(path, "-o", os.path.join(folder, "x.html"))
    must(done.returncode == NOTHING and "the trace has no events" in done.stderr, done.returncode, done.stderr)
    empty = os.path.join(folder, "empty")
    os.makedirs(empty)
    told = call(empty, "-o", "x.html").stderr
    must("torch.profiler" in told and "*.pt.trace.json" in told, "how to capture:", told)


run_all([spans_by_several_spellings, all_of_a_run, roles_sum_to_the_step, other_runs, figures_of_a_choice, many_workers, odd_names, newest_by_time, chosen,
         unknown, copies_do_not_shift_numbers, same_names_in_two_folders, nothing_to_report])
