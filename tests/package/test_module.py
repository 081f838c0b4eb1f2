"""The Python module, from the source tree and with the program of this build: reports, figures, comparisons, what a notebook shows, and captures
that end in a report (with a JAX and a PyTorch that only write down what they are asked)."""

import contextlib
import html
import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

from cases import must, run_all

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
sys.path.insert(0, str(SOURCE / "src/python"))

import tpreport  # noqa: E402  (its program is $TPREPORT, that of this build)

JAX, TORCH = SOURCE / "examples/jax_cnn/input", SOURCE / "examples/torch_dataloader/input"


def fails(status, says, call):
    try:
        call()
    except tpreport.Failed as failed:
        must(failed.status == status and says in str(failed), failed.status, failed)
        return
    must(False, "does not fail:", says)


def reports(folder):
    page, paper = Path(folder, "r.html"), Path(folder, "r.pdf")
    made = tpreport.report(JAX, page, str(paper), top=3)
    must(made.path == page and page.read_bytes().startswith(b"<!doctype html>") and paper.read_bytes().startswith(b"%PDF-"), made)
    must("CPU-bound" in str(made), str(made))
    shown = made._repr_html_()
    must(shown.startswith("<iframe srcdoc=") and html.escape("<!doctype html>") in shown and "<script" not in shown, shown[:200])
    must(html.unescape(shown.split('srcdoc="')[1].split('" sandbox')[0]) == page.read_text(encoding="utf-8"), "another page in the frame")
    must(made._repr_markdown_().startswith("# "), "no digest")
    unwritten = tpreport.report([JAX])
    must(unwritten.path is None and unwritten.html().startswith("<!doctype html>") and os.listdir(folder) == sorted(os.listdir(folder)), unwritten)
    # Its options are the program's, and what it says is passed on.
    fails(2, "unknown option --tpo", lambda: tpreport.report(JAX, page, tpo=3))
    fails(3, "/nope", lambda: tpreport.report("/nope", page))
    fails(5, "r.html", lambda: tpreport.report(JAX, Path(folder, "none/r.html")))
    # A path is never taken for an option.
    os.symlink(JAX, Path(folder, "--help"))
    before = os.getcwd()
    os.chdir(folder)
    try:
        must("CPU-bound" in str(tpreport.report("--help")), "a folder named like an option")
        tpreport.report("--help", "x.json")
    finally:
        os.chdir(before)
    must(json.loads(Path(folder, "x.json").read_text(encoding="utf-8"))["schema"] == "tpreport.report/1", "x.json")


def figures(folder):
    have = tpreport.metrics(JAX)
    told = dict(line.split("\t")[:2] for line in tpreport.run("get", JAX).decode().splitlines())
    must(set(have) == set(told) and len(have) > 100, set(have) ^ set(told))
    for name, value in have.items():
        text = told[name]
        must(text == "-" if value is None else str(value) == text or float(text) == float(value), name, value, text)
    must(have["step.time.p50_ms"] > 1 and have["kernels.count"] is None, have["step.time.p50_ms"])


def comparisons(folder):
    page = Path(folder, "d.html")
    made = tpreport.diff(JAX, JAX, page)
    must(page.exists() and made._repr_html_().startswith("<iframe"), made)
    old = Path(folder, "old.tps")
    tpreport.report(JAX, old)
    words = str(tpreport.diff(JAX, JAX, baselines=[old], level="95%"))
    must(words, "a comparison says nothing")
    fails(2, "--level", lambda: tpreport.diff(JAX, JAX, page, level="9000%"))


@contextlib.contextmanager
def modules(**made):
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in made:
            del sys.modules[name]


def captures_of_jax(folder):
    asked = []

    @contextlib.contextmanager
    def trace(logdir, **how):
        asked.append((logdir, how))
        yield
        shutil.copytree(JAX, logdir, dirs_exist_ok=True)

    profiler = types.ModuleType("jax.profiler")
    profiler.trace = trace
    jax = types.ModuleType("jax")
    jax.profiler = profiler
    log = Path(folder, "log")
    with modules(jax=jax, **{"jax.profiler": profiler}):
        with tpreport.jax.trace(log, create_perfetto_link=False) as capture:
            must(capture.report is None and not log.exists(), "reports too early")
        must(asked == [(str(log), {"create_perfetto_link": False})], asked)
        must((log / "report.html").exists() and "CPU-bound" in str(capture.report), capture.report)
        try:
            with tpreport.jax.trace(Path(folder, "other")):
                raise ValueError("the user's")
        except ValueError:
            pass
        must(not Path(folder, "other").exists(), "a block that failed is reported")


def captures_of_torch(folder):
    asked = {}

    class Profile:
        def __init__(self, **how):
            asked.update(how)
            self.steps = 0

        def __enter__(self):
            return self

        def __exit__(self, *_):
            asked["on_trace_ready"](self)

        def step(self):
            self.steps += 1

    def handler(logdir, worker_name=None, use_gzip=False):
        return lambda profile: shutil.copytree(TORCH, logdir, dirs_exist_ok=True) and asked.update(steps=profile.steps, worker=worker_name, gzip=use_gzip)

    profiler = types.ModuleType("torch.profiler")
    profiler.profile, profiler.tensorboard_trace_handler = Profile, handler
    torch = types.ModuleType("torch")
    torch.profiler = profiler
    log = Path(folder, "log")
    with modules(torch=torch, **{"torch.profiler": profiler}):
        with tpreport.torch.profile(log, Path(folder, "mine.html"), worker_name="rank0", with_stack=False) as p:
            p.step()
            p.step()
    must(asked["steps"] == 2 and asked["worker"] == "rank0" and asked["gzip"] and asked["profile_memory"] and not asked["with_stack"], asked)
    must(Path(folder, "mine.html").exists() and p.report.path == Path(folder, "mine.html"), p.report)


def needs_nothing(folder):
    """Importing it loads neither JAX nor PyTorch nor anything else that is not Python's own."""
    script = "import sys; before = set(sys.modules); import tpreport; print(*sorted({m.split('.')[0] for m in set(sys.modules) - before} - set(sys.stdlib_module_names)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "src/python")})
    must(done.stdout.strip() == "tpreport", done.stdout, done.stderr)


def the_command_is_the_program(folder):
    script = "from tpreport._program import main; import sys; sys.argv[1:] = ['--version']; main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "src/python")})
    must(done.returncode == 0 and done.stdout.startswith("tpreport "), done.stdout, done.stderr)


run_all([reports, figures, comparisons, captures_of_jax, captures_of_torch, needs_nothing, the_command_is_the_program])
