"""--memory-limit: a run that needs more leaves out the timeline and says so; where that does not help it ends with a message and exit
status 4, and leaves nothing behind."""

import json
import multiprocessing
import os
import resource
import subprocess
import sys

import made_ranks
import tiny_xspace as t
from cases import must, run_all
from summaries import blocks, values

PROGRAM = os.environ["TPREPORT"]
MAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench", "make_big_xplane.py")
EVENTS = 4_000_000  # 10 bytes each in memory
MAKE_TORCH = os.path.join(os.path.dirname(MAKE), "make_big_torch.py")
MAKE_RANKS = os.path.join(os.path.dirname(MAKE), "make_torch_ranks.py")
MIB = 2**20
AGAIN = "starting again, without timeline and views"
IN_PARTS = "starting again, with each trace by itself"

if "address" in os.environ.get("TPREPORT_SANITIZE", ""):
    print("AddressSanitizer maps terabytes: no limit can be set; ctest --preset dev -R cli.memory runs it")
    sys.exit(77)


def write_events(path):
    plane = t.Plane("/host:CPU")
    plane.line("thread/1", [plane.event("f", 1000, 10) * EVENTS])
    with open(path, "wb") as out:
        out.write(t.space(plane))


def many_events(folder):
    """Made by a process of its own: what this one takes would count in the peak of those that it starts."""
    path = os.path.join(folder, "vm.xplane.pb")
    maker = multiprocessing.get_context("fork").Process(target=write_events, args=(path,))
    maker.start()
    maker.join()
    return path


def report(folder, path, *words, **how):
    """Exit status, what was said, what was written, and the peak in bytes."""
    os.makedirs(out := os.path.join(folder, "out"), exist_ok=True)
    with subprocess.Popen([PROGRAM, path, "-o", os.path.join(out, "r.json"), *words], stderr=subprocess.PIPE, **how) as child:
        told = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    left = os.listdir(out)
    report.written = json.load(open(os.path.join(out, "r.json"))) if "r.json" in left else None
    for name in left:
        os.unlink(os.path.join(out, name))
    return child.returncode, told, left, usage.ru_maxrss * 1024


def more_than_the_limit(folder):
    path = many_events(folder)
    status, told, left, _ = report(folder, path)
    must((status, left) == (0, ["r.json"]), "without a limit", status, told, left)
    for words, mib in ((["--memory-limit", "24M"], 24), (["--memory-limit=0.03G"], 30), (["--memory-limit", "20480KiB"], 20)):
        status, told, left, peak = report(folder, path, *words)
        must(status == 4, words, "exit status", status, told)
        must(told.startswith("tpreport: out of memory: ") and f"{mib} MiB" in told and "--memory-limit" in told, words, told)
        must(told.count("\n") == 1 and left == [], words, told, left)
        must(peak < mib * MIB + 60 * MIB + os.path.getsize(path), words, "took", peak)
    must(report(folder, path, "--memory-limit", "400M")[0] == 0, "400M are not enough")
    must(report(folder, path, "--memory-limit", "none")[0] == 0, "none")


def lower_limit_of_the_caller(folder):
    """What ulimit -d allows stays, whatever the option says."""
    path = many_events(folder)
    for words in ([], ["--memory-limit", "1G"], ["--memory-limit", "none"]):
        status, told, left, _ = report(
            folder, path, *words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (30 * MIB, resource.RLIM_INFINITY)))
        must((status, left) == (4, []) and "the limit is 30 MiB" in told, words, status, told, left)


def texts_of(block):
    if isinstance(block, dict):
        block = list(block.values())
    if isinstance(block, list):
        return [text for part in block for text in texts_of(part)]
    return [block] if isinstance(block, str) else []


def less_detail(folder):
    """From enough to far too little: all, then all but the timeline, then nothing; and never anything else. The timeline may keep all events in
    full: with the usual room it needs hardly more memory than what it waits for."""
    path = os.path.join(folder, "logs")
    subprocess.run([sys.executable, MAKE, path, "--events", "1200000"], check=True, stdout=subprocess.DEVNULL)
    seen = []
    for mib in range(48, 8, -2):
        status, told, left, _ = report(folder, path, "--threads", "1", "--timeline", "64M", "--memory-limit", f"{mib}M")
        texts = texts_of(report.written)
        short = [text for text in texts if text.startswith("not enough memory for the timeline")]
        must((AGAIN in told) == (told != ""), mib, told) if status == 0 else must("out of memory" in told, mib, told)
        must((left == ["r.json"]) == (status == 0) and status in (0, 4), mib, status, left)
        must(bool(short) == (status == 0 and AGAIN in told), mib, told, short)
        seen.append("nothing" if status else "less" if short else "all")
    must(sorted(set(seen), key=seen.index) == ["all", "less", "nothing"], seen)
    # What is mapped at once differs by some MiB from run to run, so that neighbours may change places.
    order = ["all", "less", "nothing"].index
    must(all(order(a) <= order(c) for a, c in zip(seen, seen[2:])), "it does not go one way:", seen)


def standard_streams(folder):
    """What was read from standard input cannot be again. What goes to standard output, as the first screen does, is begun anew like a file, as nothing of
    it is printed before: it is whole, or not there."""
    path = os.path.join(folder, "logs")
    subprocess.run([sys.executable, MAKE, path, "--events", "1200000"], check=True, stdout=subprocess.DEVNULL)
    [run] = os.scandir(os.path.join(path, "plugins", "profile"))
    [host] = os.scandir(run)
    seen, first_screen = {"": [], "json": []}, subprocess.run([PROGRAM, path, "-q"], capture_output=True, text=True, check=True).stdout
    for mib in range(40, 8, -2):
        limit = ["--threads", "1", "--timeline", "64M", "--memory-limit", f"{mib}M"]
        with open(host.path, "rb") as inside:
            of_stdin = subprocess.run([PROGRAM, "-", "-o", os.path.join(folder, "s.json"), *limit], stdin=inside, capture_output=True, text=True)
        must(AGAIN not in of_stdin.stderr, mib, of_stdin.stderr)
        for format in seen:
            words = ["--format", format, "-o", "-"] if format else []
            done = subprocess.run([PROGRAM, path, *words, *limit], capture_output=True, text=True)
            must(done.returncode in (0, 4) and (done.stdout == "") == (done.returncode == 4), mib, format, done.returncode, done.stdout[:200], done.stderr)
            if done.returncode == 0 and format:
                json.loads(done.stdout)
            elif done.returncode == 0:
                must(done.stdout.splitlines()[:3] == first_screen.splitlines()[:3], mib, done.stdout)
            seen[format].append("nothing" if done.returncode else "less" if AGAIN in done.stderr else "all")
    for format, how in seen.items():
        # The first screen needs next to nothing of what is left out: between all of it and nothing may be no limit of these.
        ways = sorted(set(how), key=how.index)
        must(ways == ["all", "less", "nothing"] or (not format and ways == ["all", "nothing"]), format, how)


def fewer_steps(folder):
    """A report of merged ranks from enough to far too little: all steps, then fewer and fewer of all ranks, then nothing; the tables have all ranks."""
    first, ranks = os.path.join(folder, "first.tps"), 96
    trace = made_ranks.make(os.path.join(folder, "run"), 2, steps=400)[0]
    subprocess.run([PROGRAM, "summarize", "-q", str(trace), "-o", first, "--size", "1M"], check=True)
    subprocess.run([PROGRAM, "merge", "-q", first, "-o", os.path.join(folder, "one.tps")], check=True)
    [part] = made_ranks.parts(open(os.path.join(folder, "one.tps"), "rb").read())
    path = os.path.join(folder, "all.tps")
    with open(path, "wb") as out:
        out.write(made_ranks.merged([made_ranks.renamed(part, "rank%04d" % rank, rank) for rank in range(ranks)]))
    steps = []
    for mib in (400, 250, 190, 140, 100, 70, 50, 35, 12, 6, 3):
        os.makedirs(out := os.path.join(folder, "out"), exist_ok=True)
        done = subprocess.run([PROGRAM, "merge", path, "-o", os.path.join(out, "m.json"), "--top", "all", "--memory-limit", f"{mib}M"], capture_output=True, text=True)
        again = "starting again, with fewer steps of each rank" in done.stderr
        must(done.returncode in (0, 4) and (os.listdir(out) == ["m.json"]) == (done.returncode == 0), mib, done.returncode, done.stderr)
        if done.returncode == 4:
            must("out of memory" in done.stderr, mib, done.stderr)
            steps.append(0)
            continue
        written = json.load(open(os.path.join(out, "m.json")))
        os.unlink(os.path.join(out, "m.json"))
        [rows] = [t["rows"] for t in blocks(written["sections"], "table") if t["id"] == "ranks/list"]
        steps.append(rows[0]["cells"]["steps"]["value"])
        must(len(rows) == ranks and {row["cells"]["steps"]["value"] for row in rows} == {steps[-1]}, mib, "ranks or steps differ")
        must(again == (steps[-1] < 400) == ("--memory-limit" in " ".join(texts_of(written["sections"]))), mib, steps[-1], "steps, but is told:", done.stderr)
    must(steps == sorted(steps, reverse=True) and steps[0] == 400 and steps[-1] == 0 and any(0 < n < 400 for n in steps), "it does not go one way:", steps)


def one_trace_after_the_other(folder):
    """Three ranks, from enough memory to far too little: the same figures from their summaries where all of them do not fit, down to half of what they
    take together. What is damaged is in the report. With one thread, so that each run takes as much."""
    path = os.path.join(folder, "logs")
    os.makedirs(path)
    for rank in range(3):
        subprocess.run([sys.executable, MAKE_TORCH, os.path.join(path, "rank%d.1.pt.trace.json" % rank), "--events", str(60000 + 6000 * rank)],
                       check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(path, "rank2.1.pt.trace.json"), "r+b") as last:
        last.truncate(os.path.getsize(last.name) - 1000)
    seen, limits = [], {}
    status, told, _, _ = report(folder, path)
    whole = values(report.written)
    for mib in range(80, 8, -4):
        status, told, left, _ = report(folder, path, "--threads", "1", "--memory-limit", f"{mib}M")
        must(status in (0, 4) and (left == ["r.json"]) == (status == 0), mib, status, told, left)
        must(status == 0 or "out of memory" in told, mib, told)
        texts = texts_of(report.written)
        parts = any("each was read by itself" in text for text in texts)
        must(status != 0 or parts == (IN_PARTS in told), mib, told, parts)
        seen.append("nothing" if status else "parts" if parts else "all")
        limits.setdefault(seen[-1], []).append(mib)
        if seen[-1] != "parts":
            continue
        must(any("rank2" in text for text in texts) and any("truncated" in text or "ends" in text for text in texts), mib, "the cut trace is not named")
        ours = values(report.written)
        differ = {k: (ours[k], whole[k]) for k in ours.keys() & whole.keys() if ours[k] != whole[k] and not k.startswith(("data.", "run."))}
        must(not differ and ours["ranks.count"] == 3, mib, "other figures:", differ)
        must(any(block.get("id") == "ranks/operators" for block in blocks(report.written["sections"], "table")), mib, "no table of operators")
    must(sorted(set(seen), key=seen.index) == ["all", "parts", "nothing"], seen)
    must(sum(a != b for a, b in zip(seen, seen[1:])) == 2, "it does not go one way:", seen)
    must(min(limits["parts"]) < 0.7 * min(limits["all"]), "little is won:", limits)
    status, told, _, _ = report(folder, path, "--threads", "1", "--memory-limit", f"{limits['parts'][0]}M", "--worker", "rank0")
    must(status == 0 and IN_PARTS not in told, "one worker fits:", told)


def other_commands(folder):
    """get, diff and check give the figures of the same ranks where memory does not suffice for all at a time, and say that they began anew."""
    path, budget = os.path.join(folder, "logs"), os.path.join(folder, "budget.json")
    os.makedirs(path)
    for rank in range(3):
        subprocess.run([sys.executable, MAKE_TORCH, os.path.join(path, "rank%d.1.pt.trace.json" % rank), "--events", str(60000 + 6000 * rank)],
                       check=True, stdout=subprocess.DEVNULL)
    with open(budget, "w", encoding="utf-8") as file:
        json.dump({"schema": "tpreport.budget/1", "metrics": {"step.time.p50_ms": {"max": 1000}}}, file)
    for words in (["get", path, "step.time.p50_ms"], ["check", path, "--budget", budget], ["diff", path, path]):
        whole, short = (subprocess.run([PROGRAM, *words, "--threads", "1", *more], capture_output=True, text=True, check=False)
                        for more in ([], ["--memory-limit", "24M"]))
        must(whole.returncode == short.returncode == 0, words, whole.returncode, short.returncode, short.stderr)
        must(IN_PARTS not in whole.stderr and short.stderr.count(IN_PARTS) == 1, words, short.stderr)
        must(words[0] == "diff" or whole.stdout.replace(" (3 ranks)", "") == short.stdout.replace(" (3 ranks)", ""), words, whole.stdout, short.stdout)


def packed_traces(folder):
    """Sixteen times as large as their files: what they need is known before any is read. Two at a time say the same as one after the other. How much
    two take together depends on which they are, and on the system: where it is too much they begin anew, one after the other."""
    path = os.path.join(folder, "ranks")
    subprocess.run([sys.executable, MAKE_RANKS, path, "--ranks", "12", "--steps", "40", "--apart", "2"], check=True, stdout=subprocess.DEVNULL)
    must(report(folder, path)[0] == 0, "without a limit")
    whole = values(report.written)
    seen = []
    for limit, threads in (("115M", 2), ("160M", 2), ("160M", 1)):
        status, told, _, _ = report(folder, path, "--memory-limit", limit, "--threads", str(threads))
        must(status == 0 and (IN_PARTS in told) == (limit != "115M"), limit, threads, status, told)
        must(any("each was read by itself" in text for text in texts_of(report.written)), limit, threads, "does not say so")
        ours = values(report.written)
        differ = {k: (ours[k], whole[k]) for k in ours.keys() & whole.keys() if ours[k] != whole[k] and not k.startswith(("data.", "run."))}
        must(not differ and ours["ranks.count"] == 12, limit, threads, "other figures:", differ)
        seen.append(report.written)
    must(seen[0] == seen[1] == seen[2], "it depends on how many were read at a time")


# What this process holds when it starts a program counts in the program's peak: those that read large reports come after more_than_the_limit.
run_all([more_than_the_limit, less_detail, standard_streams, lower_limit_of_the_caller, fewer_steps, one_trace_after_the_other, other_commands, packed_traces])
