"""The recipes of examples/ci: the shell steps run, their outputs are those that the servers' files name, and a gate that is crossed fails."""

import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = Path(os.environ["TPREPORT"])
RECIPES = SOURCE / "examples/ci"
LOGS = SOURCE / "examples/jax_cnn/input"
OUTPUTS = ["check.junit.xml", "check.md", "report.html", "report.pdf", "run.tps"]


def gate(folder, budget, *baselines):
    environment = {**os.environ, "PATH": f"{TPREPORT.parent}:{os.environ['PATH']}"}
    return subprocess.run([RECIPES / "gate.sh", LOGS, budget, folder / "out", *baselines], capture_output=True, text=True, check=False, env=environment)


def complaints(folder):
    budget, tight = folder / "b.json", folder / "tight.json"
    budget.write_bytes(subprocess.run([TPREPORT, "budget", LOGS], capture_output=True, check=True).stdout)
    done = gate(folder, budget)
    if done.returncode != 0:
        yield f"the budget of a run does not let it pass: {done.returncode} {done.stderr}"
    made = sorted(path.name for path in (folder / "out").iterdir())
    if made != OUTPUTS:
        yield f"gate.sh writes {made}"
    suite = ElementTree.parse(folder / "out/check.junit.xml").getroot()
    if not list(suite.iter("testcase")) or list(suite.iter("failure")):
        yield "JUnit says that limits were crossed"
    limits = json.loads(budget.read_text(encoding="utf-8"))
    limits["metrics"]["step.time.p50_ms"] = {"max": 1}
    tight.write_text(json.dumps(limits), encoding="utf-8")
    if gate(folder, tight, folder / "out/run.tps").returncode != 1:
        yield "a step of 1 ms passes"
    if not list(ElementTree.parse(folder / "out/check.junit.xml").getroot().iter("failure")):
        yield "JUnit does not fail"
    for recipe in ("github.yml", "gitlab-ci.yml", "Jenkinsfile"):
        text = (RECIPES / recipe).read_text(encoding="utf-8")
        if "ci/gate.sh profile ci/budget.json out" not in text:
            yield f"{recipe} does not run the gate"
        for name in re.findall(r"out/([\w.]+)", text):
            if name not in OUTPUTS:
                yield f"{recipe} expects {name}"
    if subprocess.run(["sh", "-n", RECIPES / "gate.sh"], check=False).returncode != 0:
        yield "gate.sh is no shell script"


with tempfile.TemporaryDirectory() as scratch:
    found = list(complaints(Path(scratch)))
print(*found, sep="\n")
sys.exit(bool(found))
