"""The scripts of examples/cluster, run: eight small ranks, one of them damaged. Each engine gives the same page, tells the failed rank and names it as missing.
An engine that is not installed is not tried, which the end of tests/run.sh says. TPREPORT_ENGINES=FILE is a python that has Ray and PySpark."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import made_ranks
import slurm_here
from cases import must, run_all
from sampled import not_tried

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
SCRIPTS = SOURCE / "examples/cluster"
PYTHON = os.environ.get("TPREPORT_ENGINES", sys.executable)
TASKS = 3
# What srun does of a script's command: as many processes as the job has tasks, each with its number.
SRUN = """#!/bin/bash
[ "$1" = --kill-on-bad-exit=0 ] && shift
for SLURM_PROCID in $(seq 0 $((SLURM_NTASKS - 1))); do SLURM_PROCID=$SLURM_PROCID "$@" & tasks+=($!); done
for task in "${tasks[@]}"; do wait "$task" || failed=1; done
exit ${failed:-0}
"""


def has(module):
    return subprocess.run([PYTHON, "-c", "import " + module], capture_output=True, check=False).returncode == 0


def traces(folder):
    made = made_ranks.make(folder + "/run", 8, steps=3)
    made[5].write_text('{"traceEvents": [', encoding="utf-8")
    return made


def script(folder, *words, **more):
    env = {k: v for k, v in {**os.environ, "WORK": folder, **more}.items() if k != "PYTHONPATH"}
    return subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, timeout=500, check=False, env=env)


def expect_page(folder, done, name):
    """One page that names rank 5, and that is what the program itself makes of the others."""
    must(done.returncode == 1 and "failed 3 times" in done.stderr and "_5.1.pt.trace.json" in done.stderr, name, done.returncode, done.stderr[-2000:])
    rest = [str(t) for i, t in enumerate(sorted(Path(folder, "run").iterdir())) if i != 5]
    summaries = [Path(folder, "own-%d.tps" % i) for i in range(len(rest))]
    program = os.environ["TPREPORT"]
    for trace, summary in zip(rest, summaries):
        subprocess.run([program, "summarize", "-q", trace, "-o", summary], check=True)
    subprocess.run([program, "merge", "-q", *summaries, "--ranks", "0-7", "-o", folder + "/own.html"], check=True)
    page = Path(folder, "report.html").read_bytes()
    must(page == Path(folder, "own.html").read_bytes(), name, "gives another page than the program by itself")
    must("missing: 5" in page.decode(), name, "does not name the missing rank")
    must(not list(Path(folder).glob("tpreport.*")), name, "leaves its folder behind")


def slurm_script_on_parallel(folder):
    if shutil.which("parallel") is None:
        not_tried("GNU parallel", "apt-get install parallel")
        return
    done = script(folder, "bash", SCRIPTS / "slurm_report.sh", folder + "/report.html", *traces(folder), RANKS="0-7", FAN="3")
    expect_page(folder, done, "parallel")


def slurm_script_under_srun(folder):
    """With a stand-in for srun, which runs the tasks side by side on this machine."""
    Path(folder, "bin").mkdir()
    Path(folder, "bin/srun").write_text(SRUN, encoding="utf-8")
    Path(folder, "bin/srun").chmod(0o755)
    Path(folder, "list").write_text("".join("%s\n" % t for t in traces(folder)), encoding="utf-8")
    done = script(folder, "bash", SCRIPTS / "slurm_report.sh", folder + "/report.html", "@" + folder + "/list", RANKS="0-7", FAN="3",
                  SLURM_JOB_ID="1", SLURM_NTASKS=str(TASKS), PATH=folder + "/bin:" + os.environ["PATH"])
    expect_page(folder, done, "srun")


def slurm_script_under_slurm(folder):
    """As a batch job of a node on this machine."""
    if not slurm_here.can():
        not_tried("Slurm", "apt-get install slurmctld slurmd slurm-client munge, and be root")
        return
    made = traces(folder)
    with slurm_here.slurm(folder + "/slurm") as env:
        done = script(folder, "sbatch", "--wait", "--ntasks", TASKS, "--output", "told", SCRIPTS / "slurm_report.sh", folder + "/report.html", *made,
                      RANKS="0-7", FAN="3", **env)
    done.stderr += Path(folder, "told").read_text(encoding="utf-8")
    expect_page(folder, done, "Slurm")


def ray(folder):
    if not has("ray"):
        not_tried("Ray", "pip install ray in a venv, and name its python in TPREPORT_ENGINES")
        return
    expect_page(folder, script(folder, PYTHON, SCRIPTS / "ray_report.py", "report.html", "--ranks=0-7", *traces(folder), HOME=folder), "ray")


def spark(folder):
    if shutil.which("java") is None or not has("pyspark"):
        not_tried("Spark", "pip install pyspark in a venv, and name its python in TPREPORT_ENGINES; it needs java")
        return
    traces(folder)
    expect_page(folder, script(folder, PYTHON, SCRIPTS / "spark_report.py", "report.html", "--ranks=0-7", folder + "/run/*.json",
                               PYSPARK_PYTHON=PYTHON, SPARK_LOCAL_IP="127.0.0.1"), "spark")


def scripts_are_short(folder):
    for path in SCRIPTS.iterdir():
        if path.suffix in (".py", ".sh"):
            must(len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name, "has more than 60 lines")


run_all([slurm_script_on_parallel, slurm_script_under_srun, slurm_script_under_slurm, ray, spark, scripts_are_short])
