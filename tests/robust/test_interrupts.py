"""An interrupt at any time, whatever is written: there is what was there before, or all that is new, and no temporary file."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import made_ranks
from cases import must, run_all

PROGRAM = os.environ["TPREPORT"]


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def emptied(folder):
    shutil.rmtree(folder)
    folder.mkdir()


def interrupted(words, out, tmp, dice):
    """At eight times, the first four with an old output. Says how often the signal ended the program."""
    command, ended = [PROGRAM, *words, "-q", "--threads", "4"], 0
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", "TMPDIR": str(tmp)}
    begin = time.monotonic()
    subprocess.run(command, check=True, cwd=out, env=environment)
    seconds, whole = time.monotonic() - begin, contents(out)
    for turn in range(8):
        if turn >= 4:
            emptied(out)
        with subprocess.Popen(command, cwd=out, env=environment) as child:
            time.sleep(dice.uniform(0, seconds))
            child.send_signal(signal.SIGINT)
            must(child.wait(timeout=60) in (0, -signal.SIGINT), words, "exit status", child.returncode)
        ended += child.returncode != 0
        left = contents(out)
        several = words.count("-o") > 1  # each is whole by itself
        must(left == whole or turn >= 4 and (not left or several and left.items() < whole.items()), words, "an interrupt leaves", sorted(map(str, left)))
        must(not list(tmp.iterdir()), words, "an interrupt leaves", os.listdir(tmp))
    emptied(out)
    return ended


def every_output(folder):
    run, out, tmp = (Path(folder, name) for name in ("run", "out", "tmp"))
    traces = made_ranks.make(run, 4, steps=60)
    out.mkdir()
    tmp.mkdir()
    summaries = [os.path.join(folder, f"{rank}.tps") for rank in range(4)]
    for trace, summary in zip(traces, summaries):
        subprocess.run([PROGRAM, "summarize", "-q", trace, "-o", summary], check=True)
    commands = [["report", run, "-o", "r.html", "-o", "r.json"], ["summarize", run, "-o", "r.tps"], ["merge", *summaries, "-o", "all.tps"],
                ["merge", *summaries, "-o", "r.html"], ["diff", *summaries[:2], "-o", "d.html"]]
    commands += [["report", run, "-o", name] for name in ("r.pdf", "r.csv/", "r.sqlite", "r.perfetto-trace")]
    dice = random.Random(1)
    ended = sum(interrupted(words, out, tmp, dice) for words in commands)
    must(ended > len(commands) * 2, "few were interrupted:", ended)


run_all([every_output])
