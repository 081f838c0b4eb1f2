"""Runs of a log directory: how they are called, asked for and told, also where names repeat or there are thousands."""

import json
import os
import subprocess

import graph_writer
import tfrecord
import tiny_xspace as t
import torch_files
from cases import must, run_all

PROGRAM = os.environ["TPREPORT"]
OK, USAGE = 0, 2


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(data)


def call(*words):
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)


def xla(folder, *parts, steps=2):
    write(os.path.join(folder, *parts, "vm.xplane.pb"), t.space(t.tpu(0, steps), t.environment()))


def torch(folder, *parts, step_us=1000):
    events = [torch_files.event("user_annotation", "ProfilerStep#1", 0, step_us, **{"External id": 1})]
    write(os.path.join(folder, *parts, "rank0.pt.trace.json"),
          torch_files.text(torch_files.trace(events, baseTimeNanoseconds=1711929600000000000)))


def steps_of(folder, *options):
    done = call("get", folder, "step.count", "-q", *options)
    must(done.returncode == OK, options, done.returncode, done.stderr)
    return int(done.stdout.split("\t")[1])


def refused(folder, wish, *lines):
    done = call("get", folder, "step.count", "--run", wish)
    must(done.returncode == USAGE and done.stdout == "", wish, done.returncode, done.stdout)
    told = [line.split(None, 1) for line in done.stderr.splitlines()[1:]]
    must(sorted(line[-1] for line in told) == sorted(lines), wish, done.stderr)
    return {name: number for number, name in told}


def one_name(folder):
    """Runs of one name are called by what tells their paths apart; the name alone is refused with the list."""
    for job, steps in (("a", 2), ("b", 3), ("b/again", 4)):
        xla(folder, job, "plugins/profile/2026_01_02_03_04_05", steps=steps)
    xla(folder, "c/plugins/profile/2026_01_01_00_00_00", steps=5)
    name = "2026_01_02_03_04_05"
    must(f"c/{name}" not in call("get", folder, "step.count").stderr and f" a/{name}" in call("get", folder, "step.count").stderr,
         call("get", folder, "step.count").stderr)
    numbers = refused(folder, name, *(f"{job}/{name}" for job in ("b/again", "b", "a")))
    for job, steps in (("a", 2), ("b", 3), ("b/again", 4)):
        for wish in (f"{job}/{name}", f"./{job}/plugins/profile/{name}/", numbers[f"{job}/{name}"],
                     os.path.join(folder, job, "plugins/profile", name)):
            must(steps_of(folder, "--run", wish) == steps, wish, steps_of(folder, "--run", wish))
    must(steps_of(folder, "--run", "2026_01_01_00_00_00") == 5, "a name that one run has")
    refused(folder, "none", *(f"{job}/{name}" for job in ("b/again", "b", "a")), "2026_01_01_00_00_00")


def given_from_within(folder):
    """A run has the name of its folder, also where somebody stands in that folder."""
    xla(folder, "cnn")
    for where, *words in ((folder, "cnn"), (folder, "cnn/vm.xplane.pb"), (folder + "/cnn", "vm.xplane.pb"), (folder + "/cnn", "."),
                          (folder + "/cnn", "./")):
        done = subprocess.run([PROGRAM, *words, "-o", "-", "--format", "outline"], cwd=where, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=60, check=False)
        must(done.stdout.startswith("title: cnn\nname: cnn\nrun: cnn\n"), where, words, done.stdout[:100], done.stderr)


def one_path_above_the_other(folder):
    """The run of a folder and one of the same name below it: the first is called by the folder above as well."""
    xla(folder, "logs/run", steps=2)
    xla(folder, "logs/run/deeper/run", steps=3)
    refused(os.path.join(folder, "logs"), "run", "logs/run/deeper/run", "logs/run")
    must(steps_of(os.path.join(folder, "logs"), "--run", "logs/run") == 2, "logs/run")
    must(steps_of(os.path.join(folder, "logs"), "--run", "run/deeper/run") == 3, "run/deeper/run")


def views_of_one_name(folder):
    """In the page, too, such runs of PyTorch have the names that --run takes."""
    for job, step_us in (("a", 1000), ("b", 2000), ("z", 3000)):
        torch(folder, job, "run", step_us=step_us)
    done = call(folder, "-q", "-o", "-", "--format", "json")
    metrics = json.loads(done.stdout)["metrics"]
    means = {name.split("=")[1]: m["value"] for name, m in metrics.items() if name.startswith("step.time.mean_ms@run=")}
    must(means == {"a/run": 1, "b/run": 2}, means)
    for name, mean in means.items():
        told = call("get", folder, "step.time.mean_ms", "-q", "--run", name).stdout
        must(float(told.split("\t")[1]) == mean, name, told)
    page = call(folder, "-q", "-o", "-", "--format", "html").stdout
    must('<a href="#summary">run run</a></li><li><a href="#views/run=' in page, "what is shown at first is one run, not all")


def mixed(folder):
    """One tree of several kinds: the page names the other runs, what each holds and how to choose it."""
    xla(folder, "xla/plugins/profile/2026_01_02_03_04_05")
    torch(folder, "torch")
    torch(folder, "twice/run")
    torch(folder, "twice/again/run")
    write(os.path.join(folder, "scalars/events.out.tfevents.1.vm"), tfrecord.version(5) + tfrecord.event(6, 1, tfrecord.simple(loss=0.5)))
    write(os.path.join(folder, "graph/graph.pb"), graph_writer.graph(graph_writer.LOOP, graph_writer.LIBRARY))
    for choice in ([], ["--run", "torch"]):
        report = json.loads(call(folder, "-q", "-o", "-", "--format", "json", *choice).stdout)
        method = next(s for s in report["sections"] if s["id"] == "method")
        table = next(b for b in method["blocks"] if b["id"] == "method/other-runs")
        rows = {row["cells"]["run"]["value"]: row["cells"] for row in table["rows"]}
        runs = {"2026_01_02_03_04_05": "1 XLA profile", "torch": "1 PyTorch trace", "twice/run": "1 PyTorch trace",
                "twice/again/run": "1 PyTorch trace", os.path.basename(folder): "1 event file, 1 TensorFlow graph"}
        del runs[report["run"]]
        must({name: cells["holds"]["value"] for name, cells in rows.items()} == runs, rows)
        must("--run NAME" in table["caption"], table["caption"])
        line = next(b for s in report["sections"] for b in s["blocks"] if b["id"] == "summary/run")["items"]
        must(any(item.endswith(" of 5 runs") for item in line), line)
        for name, cells in rows.items():
            for wish in (name, str(cells["number"]["value"])):
                told = json.loads(call(folder, "-q", "-o", "-", "--format", "json", "--run", wish).stdout)
                must(told["run"] == name.split("/")[-1], wish, told["run"])
    alone = json.loads(call(os.path.join(folder, "torch"), "-q", "-o", "-", "--format", "json").stdout)
    must("method/other-runs" not in json.dumps(alone), "a run alone")


def many(folder):
    """Of many runs a few are named and the others counted."""
    for number in range(200):
        torch(folder, f"run{number:03}")
    told = call("get", folder, "step.count").stderr
    must("200 runs found" in told and "run199" in told and told.endswith(" and 191 more\n") and len(told) < 400, told)
    told = call("get", folder, "step.count", "--run", "none").stderr
    must("and 180 more" in told and len(told.splitlines()) == 22, told)


run_all([one_name, given_from_within, one_path_above_the_other, views_of_one_name, mixed, many])
