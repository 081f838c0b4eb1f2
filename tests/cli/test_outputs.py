"""What the command line writes: each format, names of outputs, rows, figures for scripts, programs as text; the same
input gives the same bytes, whatever the time zone, the locale or the folder."""

import json
import os
import re
import subprocess

import hlo_writer
import tiny_xspace as t
from cases import must, run_all
from command_line import CANNOT_WRITE, FORMATS, OK, USAGE, expect, left, logdir, read, run, write
from sampled import sampled


def formats(folder):
    logs = logdir(folder)
    for name, magic in FORMATS.items():
        done = expect(OK, logs, "-o", "-", "--format", name)
        must(done.stdout.startswith(magic) and done.stderr == b"", name, done.stdout[:40], done.stderr)
        path = os.path.join(folder, {"outline": "named", "text": "r.txt", "markdown": "r.md"}.get(name, "r." + name))
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
    must(set(names) == {*FORMATS, "end-to-end", "csv", "sqlite", "summary", "sarif", "perfetto", "chrome_trace"}, "--list renderers:", names)


def each_output_its_own_name(folder):
    """Also where a run has the name that another's number makes, or a path the name of a run."""
    for job, run_name, steps in (("a", "run", 2), ("b", "run", 3), ("c", "run.2", 4), ("d", "b.run", 5)):
        write(os.path.join(folder, "in", job, run_name, "vm.xplane.pb"), t.space(t.tpu(0, steps)))
    expect(OK, os.path.join(folder, "in"), "--run", "all", "-o", "r.json", "-o", "r.b.json", "-o", "x.txt", folder=folder)
    found = {name: json.loads(read(os.path.join(folder, name))) for name in left(folder) if name.startswith("r.")}
    steps = sorted(doc["metrics"]["step.count"]["value"] for doc in found.values())
    must(steps == [2, 2, 3, 3, 4, 4, 5, 5], steps, list(found))
    must(found["r.run.2.json"]["run"] == "run.2" and len([name for name in left(folder) if name.startswith("x.")]) == 4, left(folder))
    expect(USAGE, os.path.join(folder, "in/a"), "-o", "e.json", "--end-to-end-json", "e.json", folder=folder, says="two formats")
    must("e.json" not in left(folder), left(folder))


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
    told = expect(USAGE, "hlo", bare, "jit\x1b", says="the run holds no HLO")
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
    expect(USAGE, "get", logs, "data.warnings@host=x", says="there are data.warnings@host=worker-0, data.warnings@host=worker-0~2")
    alone = logdir(os.path.join(folder, "alone"))
    expect(USAGE, "get", alone, "data.warnings@host=x", says="data.warnings exists only for all together")
    told = expect(USAGE, "get", logs, "step.time.mean_ms@host=\x1b[31m", "no.such@host=worker-0", says="unknown id no.such@host")
    must(b"\x1b" not in told.stderr, told.stderr)
    # Missing for all is missing for each, and no error.
    cpu = write(os.path.join(folder, "cpu.xplane.pb"), t.space(t.host(), hostname="vm"))
    must(expect(OK, "get", cpu, "device.busy_share@host=vm").stdout.startswith(b"device.busy_share@host=vm\t-\t"), "missing")
    listed = dict(line.split("\t", 1) for line in expect(OK, "--list", "metrics").stdout.decode().splitlines())
    must(listed["device.busy_share"].endswith("\t@host @host,device"), listed["device.busy_share"])
    must(listed["step.class.idle_ms"].endswith("\t@host"), listed["step.class.idle_ms"])


def same_bytes(folder):
    logs = logdir(folder, hosts=("vm", "w1"))
    other = os.path.join(folder, "elsewhere")
    os.makedirs(other)
    subprocess.run(["cp", "-r", logs, other], check=True)
    paths = [os.path.join(folder, "r." + name) for name in ("html", "pdf", "json", "outline", "txt")]

    def written(where=logs, **setting):
        done = run(where, *[word for path in paths for word in ("-o", path)], **setting)
        must(done.returncode == OK, setting, done.stderr)
        return {path: read(path) for path in paths}

    def must_equal(some, others, *what):
        must(some == others, [path for path in paths if some[path] != others[path]], *what)

    settings = [{}, {"TZ": "Asia/Tokyo", "HOSTNAME": "other", "HOME": "/nonexistent"}]
    # Also where these locales are not installed: libraries look at the variables themselves.
    for name in sampled("locales", ("de_DE.UTF-8", "tr_TR.UTF-8", "ja_JP.UTF-8", "POSIX"), 2):
        settings.append({"LC_ALL": name, "LANG": name, "LANGUAGE": name[:2], "FC_LANG": name[:2], "PANGO_LANGUAGE": name[:2]})
    first = written()
    for setting in settings:
        must_equal(written(**setting), first, "differ with", setting)
    must_equal(written(os.path.join(other, "cnn")), first, "differ by place")
    stamped = written(SOURCE_DATE_EPOCH="1000000000")
    for path in paths[:-1]:
        must(stamped[path] != first[path], path, "does not know SOURCE_DATE_EPOCH")
    must_equal(written(SOURCE_DATE_EPOCH="1000000000"), stamped, "differ again")
    for odd in ("18446744073709551615", "9223372036854775807", "-5", "soon", ""):
        must(run(logs, "-o", paths[2], SOURCE_DATE_EPOCH=odd).returncode == OK, odd)
    found = json.loads(stamped[paths[2]])
    must(found["made_unix_s"] == 1000000000, "made_unix_s", found["made_unix_s"])


TESTS = [
    formats, each_output_its_own_name, top, figures_for_scripts, figures_of_one, programs_as_text, given_peaks,
    same_bytes,
]


run_all(TESTS)
