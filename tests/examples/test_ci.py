"""The recipes of examples/ci, run: every shell step of a server's file, in its order, for jobs of the main branch and for a pull request,
with what the server would keep between them. Their outputs are those that the files name; a gate that is crossed fails."""

import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import junit_rules
from command_line import logdir
from sampled import not_tried

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = Path(os.environ["TPREPORT"])
RECIPES = SOURCE / "examples/ci"
OUTPUTS = ["check.junit.xml", "check.md", "report.css", "report.html", "report.pdf", "run.tps"]
STEP = "step.time.p50_ms"
# What stands for the training: it copies a profile.
TRAIN = "import shutil, sys\nshutil.copytree({logs!r}, sys.argv[sys.argv.index('--profile') + 1])\n"


def logs_of(folder, number):
    """The log directory of a run: each has another number of steps."""
    return logdir(str(folder / "log"), steps=10 + number)


class Artifacts(http.server.BaseHTTPRequestHandler):
    """GitLab's archive of a branch's newest job, for who gives the token."""

    def do_GET(self):
        sound = self.path == "/projects/7/jobs/artifacts/main/download?job=profile" and self.headers["JOB-TOKEN"] == "secret" and self.server.archive.exists()
        self.send_response(200 if sound else 404)
        self.end_headers()
        if sound:
            self.wfile.write(self.server.archive.read_bytes())

    def log_message(self, *_):
        pass


def github_steps(text, main):
    for step in re.split(r"\n {6}- ", text)[1:]:
        command = re.search(r"^ *run: (.*)$", step, re.M)
        if command and ("refs/heads/main'\n" not in re.sub(r"MISSING.*", "", step) or main):
            yield command[1]


def gitlab_steps(text, _main):
    yield from re.findall(r"^    - (.*)$", text.split("  script:\n")[1].split("  artifacts:")[0], re.M)


def jenkins_steps(text, main):
    for stage in text.split("stage(")[1:]:
        command = re.search(r"sh '(.*)'", stage)
        if command and ("branch 'main'" not in stage or main):
            yield command[1]


SERVERS = {"github.yml": github_steps, "gitlab-ci.yml": gitlab_steps, "Jenkinsfile": jenkins_steps}


class Server:
    """A server that runs one recipe's jobs, and keeps between them what the recipe says."""

    def __init__(self, recipe, scratch, port):
        self.recipe, self.kept, self.port, self.jobs = recipe, scratch / "kept.zip", port, scratch
        self.text = (RECIPES / recipe).read_text(encoding="utf-8")
        self.count = 0

    def job(self, budget, main):
        """Its folder and exit status, which is that of the step that failed."""
        self.count += 1
        work = self.jobs / f"job{self.count}"
        shutil.copytree(RECIPES, work / "ci")
        (work / "ci/budget.json").write_text(json.dumps(budget), encoding="utf-8")
        (work / "train.py").write_text(TRAIN.format(logs=logs_of(work, self.count)), encoding="utf-8")
        if self.recipe != "gitlab-ci.yml" and self.kept.exists():
            with zipfile.ZipFile(self.kept) as archive:
                archive.extractall(work)
        name = "main" if main else "feature"
        environment = {**os.environ, "PATH": f"{TPREPORT.parent}:{os.environ['PATH']}", "GITHUB_SHA": f"c{self.count}", "GIT_COMMIT": f"c{self.count}", "CI_COMMIT_SHORT_SHA": f"c{self.count}",
                       "GITHUB_STEP_SUMMARY": str(work / "summary.md"), "CI_API_V4_URL": f"http://127.0.0.1:{self.port}", "CI_PROJECT_ID": "7", "CI_JOB_TOKEN": "secret", "CI_DEFAULT_BRANCH": "main",
                       **({"CI_COMMIT_BRANCH": name} if main else {}), **({"MISSING": "pass"} if main and self.recipe != "gitlab-ci.yml" else {})}
        script = "\n".join(["set -e", *SERVERS[self.recipe](self.text, main)])
        done = subprocess.run(["sh", "-c", script], cwd=work, capture_output=True, text=True, check=False, env=environment)
        if main and done.returncode == 0:
            with zipfile.ZipFile(self.kept, "w") as archive:
                for path in sorted((work / "baselines").iterdir()):
                    archive.write(path, path.relative_to(work))
        return work, done


def complaints(recipe, scratch, port):
    server = Server(recipe, scratch, port)
    proposed = json.loads(subprocess.run([TPREPORT, "budget", logs_of(scratch, 0)], capture_output=True, check=True).stdout)
    budget = {**proposed, "metrics": {**proposed["metrics"], STEP: {"max_increase": "2%"}}}
    for count in range(1, 4):
        work, done = server.job(budget, main=True)
        if done.returncode != 0 or len(list((work / "baselines").glob("*.tps"))) != count:
            yield f"{recipe}: job {count} of the main branch: {done.returncode} {done.stdout} {done.stderr}"
            return
    made = sorted(path.name for path in (work / "out").iterdir())
    if made != OUTPUTS:
        yield f"gate.sh writes {made}"
    work, done = server.job(budget, main=False)
    if done.returncode != 0 or "newest of 3 baselines" not in done.stdout or len(list((work / "baselines").glob("*.tps"))) != 3:
        yield f"{recipe}: a pull request does not find the baselines: {done.returncode} {done.stdout} {done.stderr}"
    suite = ElementTree.parse(work / "out/check.junit.xml").getroot()
    for fault in junit_rules.faults(suite):
        yield f"JUnit: {fault}"
    if not list(suite.iter("testcase")) or list(suite.iter("failure")):
        yield "JUnit says that limits were crossed"
    tight = {"metrics": {STEP: {"max": 1}}}
    work, done = server.job(tight, main=False)
    if done.returncode != 1 or not list(ElementTree.parse(work / "out/check.junit.xml").getroot().iter("failure")):
        yield f"{recipe}: a step of 1 ms passes: {done.returncode}"
    before = server.kept.read_bytes()
    if server.job(tight, main=True)[1].returncode != 1 or server.kept.read_bytes() != before:
        yield f"{recipe}: what the gate stopped became a baseline"
    server.kept.unlink()
    if server.job(budget, main=False)[1].returncode != 6:
        yield f"{recipe}: without baselines a pull request passes"
    for name in re.findall(r"out/([\w.]+\w)", server.text):
        if name not in OUTPUTS:
            yield f"{recipe} expects {name}"


def of_the_scripts(scratch):
    for script in ("gate.sh", "keep.sh"):
        if subprocess.run(["sh", "-n", RECIPES / script], check=False).returncode != 0:
            yield f"{script} is no shell script"
    out, baselines = scratch / "out", scratch / "with blanks"
    out.mkdir()
    baselines.mkdir()
    for count in range(15):
        (out / "run.tps").write_text(str(count), encoding="utf-8")
        (baselines / f"20200101T0000{count:02}-old.tps").write_text(f"old {count}", encoding="utf-8")
        subprocess.run([RECIPES / "keep.sh", out, baselines, f"c{count}"], check=True)
    kept = sorted(path.name for path in baselines.iterdir())
    if len(kept) != 10 or any("-old" in name for name in kept) or "c14" not in "".join(kept):
        yield f"of baselines keep.sh keeps {kept}"


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Artifacts)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = []
    for recipe in SERVERS:
        if recipe == "gitlab-ci.yml" and not (shutil.which("curl") and shutil.which("unzip")):
            not_tried("gitlab-ci.yml", "apt-get install curl unzip")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            server.archive = Path(scratch, "kept.zip")
            found += complaints(recipe, Path(scratch), server.server_port)
    with tempfile.TemporaryDirectory() as scratch:
        found += of_the_scripts(Path(scratch))
    server.shutdown()
    print(*found, sep="\n")
    return bool(found)


sys.exit(main())
