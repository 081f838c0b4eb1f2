"""The composite action of examples/ci, run: its shell steps in their order, with its inputs as GitHub would hand them over. TPREPORT_WHEEL=FILE
installs that wheel in its first step; without it the program of this build stands for it."""

import os
import re
import subprocess
from pathlib import Path

from cases import must, run_all
from command_line import logdir

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = Path(os.environ["TPREPORT"])
ACTION = (SOURCE / "examples/ci/action.yml").read_text(encoding="utf-8")
WHEEL = os.environ.get("TPREPORT_WHEEL")


def defaults():
    inputs = ACTION.split("\ninputs:\n")[1].split("\noutputs:\n")[0]
    return {name: value.strip().strip('"') for name, value in re.findall(r"^  (\w+):\n(?:    (?!default).*\n)*?    default: (.*)$", inputs, re.M)}


def steps():
    """name, condition, {variable: input}, script; those that only a server can do have no script."""
    for step in re.split(r"\n    - name: ", ACTION)[1:]:
        script = re.search(r"\n      run: \|\n((?:        .*\n|\n)+)", step + "\n")
        yield (step.split("\n")[0], (re.search(r"\n      if: (.*)", step) or ["", ""])[1],
               dict(re.findall(r"^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", step, re.M)), re.sub(r"^        ", "", script[1], flags=re.M) if script else None)


def job(folder, **inputs):
    """Its exit status, that of the first step that failed; later steps run only `always()`."""
    given = {**defaults(), **inputs}
    path, status = f"{TPREPORT.parent}:{os.environ['PATH']}", 0
    for name, condition, variables, script in steps():
        if script is None or (condition == "inputs.budget != ''" and not given["budget"]) or (status and condition != "always()"):
            continue
        must(condition in ("", "always()", "inputs.budget != ''"), "an unknown condition:", condition)
        if name == "Install" and not WHEEL:
            continue
        environment = {**os.environ, "PATH": path, "RUNNER_TEMP": f"{folder}/temp", "GITHUB_PATH": f"{folder}/path",
                       "GITHUB_STEP_SUMMARY": f"{folder}/summary.md", **{variable: given[i] for variable, i in variables.items()}}
        done = subprocess.run(["sh", "-e", "-c", script], cwd=folder, capture_output=True, text=True, check=False, env=environment)
        status = status or done.returncode
        must(done.returncode in (0, 1, 6), name, done.stderr)
        if name == "Install":
            path = f"{Path(folder, 'path').read_text(encoding='utf-8').strip()}:{os.environ['PATH']}"
    return status


def write(path, text):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def a_report(folder):
    logs = logdir(folder)
    must(job(folder, logdir=logs, requirement=WHEEL or "") == 0, "fails")
    made = sorted(os.listdir(f"{folder}/tpreport-out"))
    must(made == ["comment.md", "report.html", "report.pdf", "run.tps"], made)
    must(Path(folder, "summary.md").read_text(encoding="utf-8") == Path(folder, "tpreport-out/comment.md").read_text(encoding="utf-8"), "another summary")
    outputs = re.findall(r"value: \$\{\{ inputs\.out \}\}/(.*)", ACTION)
    must(outputs and all(Path(folder, "tpreport-out", name).exists() for name in outputs), outputs)


def a_gate(folder):
    logs = logdir(folder)
    write(Path(folder, "loose.json"), '{"metrics": {"step.time.p50_ms": {"max": "1000 s"}}}')
    write(Path(folder, "tight.json"), '{"metrics": {"step.time.p50_ms": {"max": "1 us"}}}')
    write(Path(folder, "noise.json"), '{"metrics": {"step.time.p50_ms": {"max_increase": "1%"}}}')
    for budget, missing, wanted in (("loose", "", 0), ("tight", "", 1), ("noise", "", 6), ("noise", "pass", 0)):
        os.path.exists(f"{folder}/summary.md") and os.unlink(f"{folder}/summary.md")
        status = job(folder, logdir=logs, budget=f"{budget}.json", missing=missing, requirement=WHEEL or "")
        must(status == wanted, budget, missing, status)
        summary = Path(folder, "summary.md").read_text(encoding="utf-8")
        must("step.time.p50_ms" in summary or "Median step time" in summary, "the summary lacks the gate", summary[:300])


def every_input_is_used(_folder):
    told = set(re.findall(r"^  (\w+):$", ACTION.split("\ninputs:\n")[1].split("\noutputs:\n")[0], re.M))
    used = set(re.findall(r"inputs\.(\w+)", ACTION.split("\nruns:\n")[1]))
    must(told == used, told ^ used)


run_all([a_report, a_gate, every_input_is_used])
