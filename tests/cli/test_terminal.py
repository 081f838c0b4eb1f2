"""On a terminal: the first screen as text, one line for a report that was written, progress; nothing hostile gets there."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unicodedata

import hlo_writer
import tiny_xspace as t
from cases import must, run_all
from command_line import OK, PROGRAM, USAGE, expect, left, logdir, read, run, write

ESCAPE = re.compile(rb"\x1b\[[0-9;]*[mK]")
EVIL = "\x1b]0;owned\x07\x1b[2J\u009b31m\u202ea\nb\rc\x7f\ufff9\U000e0041"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2060-\u206f\ufff0-\ufffb\U000e0000-\U000e0fff]")


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in line)


def on_terminal(*words, width=80, only_stderr=False, folder=None, after=None, **environment):
    """What a call shows on a terminal of its own, and its exit status; after: called with the process once it runs."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    settings = {**os.environ, "TERM": "xterm", **environment}
    settings.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    with subprocess.Popen([PROGRAM, *words], stdin=subprocess.DEVNULL, stderr=theirs, cwd=folder, env=settings,
                          stdout=subprocess.DEVNULL if only_stderr else theirs) as child:
        os.close(theirs)
        if after:
            after(child)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    return shown.replace(b"\r\n", b"\n"), child.returncode


def first_screen(folder):
    """Without -o the first screen goes to standard output, the same as text anywhere."""
    logs = logdir(folder)
    out = expect(OK, logs).stdout
    text = out.decode()
    lines = text.splitlines()
    must(lines[0].startswith("cnn · run 2026_11_21_02_41_41 · ") and 10 < len(lines) < 40, text)
    must(all(columns(line) <= 80 for line in lines), "a line is too long:", text)
    must(not CONTROLS.search(text), "control characters in", repr(text))
    for piece in ("Step time", "10.0 ms median", "Where a step goes", "checks passed"):
        must(piece in text, "no", piece, "in", text)
    must(expect(OK, logs, "-o", "-", "--format", "text").stdout == out, "-o - --format text is another text")
    for name in ("r.txt", "R.TXT", "r.text"):
        expect(OK, logs, "-o", name, folder=folder)
        must(read(os.path.join(folder, name)) == out, name, "is another text")
    must(expect(OK, logs, "--format", "json").stdout.startswith(b"{"), "--format without -o")


def events_cut_off(folder):
    """One begins, two begin."""
    env = t.Plane("Task Environment").stat("profile_start_time", 10**18).stat("profile_stop_time", 10**18 + 100 * 10**6)
    for late, says in ((0, "1 event begins before or ends after"), (1, "2 events begin before or end after")):
        host = t.Plane("/host:CPU")
        events = [host.event("train", (i * 30 + 5) * t.MS, 29 * t.MS, {"_r": 1, "step_num": i}) for i in range(3)]
        events += [host.event("work", at * t.MS, 20 * t.MS) for at in (10, 40, 90, 95)[:3 + late]]
        host.line("a", events, timestamp_ns=10**18)
        path = write(os.path.join(folder, f"{late}/vm.xplane.pb"), t.space(env, host))
        must(says in " ".join(expect(OK, path).stdout.decode().split()), says, expect(OK, path).stdout.decode())


def width_and_colours(folder):
    logs = logdir(folder)
    for width in (30, 40, 80, 100, 400):
        shown, status = on_terminal(logs, width=width)
        lines = ESCAPE.sub(b"", shown).decode().splitlines()
        must(status == OK and lines[-1].startswith("more: tpreport "), lines)
        most = max(columns(line) for line in lines[:-1])
        must(most <= min(max(width, 40), 100), "columns", width, ":", most)
        must(width < 100 or most > 80, "room is not used:", most)
    shown, _ = on_terminal(logs)
    must(b"\x1b[" in shown, "no colours on a terminal:", shown)
    must(ESCAPE.sub(b"", shown).startswith(expect(OK, logs).stdout), "another text on a terminal:", shown)
    for none in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        must(b"\x1b" not in on_terminal(logs, **none)[0], "colours with", none)
    must(b"\x1b[" in on_terminal(logs, NO_COLOR="")[0], "an empty NO_COLOR counts")
    must(b"more:" not in on_terminal(logs, "-q")[0] and b"more:" not in run(logs).stdout, "a hint nobody asked for")


def one_line_for_a_report(folder):
    logs = logdir(folder)
    shown, status = on_terminal(logs, "-o", "r.html", "-o", "r.json", folder=folder)
    must(status == OK and re.fullmatch(r"r\.html, r\.json: [✓▲■?–] [^\n]+[^:] · \d+ findings?\n", shown.decode()), shown)
    must(on_terminal(logs, "-q", "-o", "r.html", folder=folder) == (b"", OK), "--quiet speaks")
    must(on_terminal(logs, "-o", "-", "--format", "json", only_stderr=True)[0] == b"", "a line for standard output")
    shown, status = on_terminal(logs, "-o", "-", "--format", "pdf")
    must(status == USAGE and b"cannot be shown in a terminal" in shown and b"%PDF" not in shown, shown)


def all_runs_are_named(folder):
    logs = logdir(folder, ("a" + "\x1b[31m", "b"))
    told = expect(OK, logs, "--run", "all", "-o", "r.json", "-o", "r.txt", folder=folder).stderr.decode()
    lines = told.splitlines()
    must(len(lines) == 2 and lines[1] == "tpreport: wrote r.b.json, r.b.txt" and "\x1b" not in told, told)
    must(expect(OK, logs, "--run", "all", "-q", "-o", "r.json", folder=folder).stderr == b"", "--quiet speaks")
    shown, _ = on_terminal(logs, "--run", "all", "-o", "r.json", folder=folder)
    must(shown.count(b"\n") == 2 and shown.decode().count(" finding") == 2 and b"\x1b" not in shown, shown)
    must(expect(OK, logs, "--run", "all").stdout.count(b"Step time") == 2, "not both runs as text")


def searching_is_shown(folder):
    """A search that takes long says so: here for a file that waits for the holder of its lease (fcntl(2))."""
    logs = logdir(os.path.join(folder, EVIL.replace("/", "") + "x" * 60))
    held = write(os.path.join(logs, "unknown.json"), b"no profile")
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    lease = os.open(held, os.O_RDWR)
    try:
        fcntl.fcntl(lease, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError as why:
        print("no lease here, so no slow search:", why)
        return

    def release(_):
        time.sleep(1.8)
        os.close(lease)

    shown, status = on_terminal(logs, "-o", os.path.join(folder, "r.json"), after=release, width=60)
    searching = re.search(r"\r\x1b\[Ktpreport: (searching [^\r]*) … 1 s", shown.decode())
    must(status == OK and searching, shown)
    must(columns(searching[0].split("\x1b[K")[1]) <= 60, "wraps:", searching[0])
    must(not CONTROLS.search(searching[1]), "control characters in", repr(searching[1]))


def hostile_space():
    plane = t.tpu(0, 3)
    op = plane.op("fusion" + EVIL, "fusion" + EVIL, {"hlo_category": "loop" + EVIL, "tf_op": "op" + EVIL})
    plane.line("XLA Ops", [plane.event(op, i * t.MS, t.MS) for i in range(40)])
    return t.space(t.environment(), t.metadata(), t.host(3), plane, hostname="host" + EVIL)


def hostile_names(folder):
    """No name of a profile is obeyed by a terminal, whatever prints it."""
    path = write(os.path.join(folder, "job" + EVIL.replace("/", ""), "plugins/profile", "run" + EVIL, "vm.xplane.pb"), hostile_space())
    logs = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(path))))
    dump = write(os.path.join(folder, f"dump/jit{EVIL}(7).hlo_proto.pb".replace("\n", "")), hlo_writer.padded_convolution("fusion" + EVIL))
    seen = 0
    for words in ([logs], [logs, "-o", "-", "--format", "outline"], [logs, "-o", "-", "--format", "json"], ["get", logs],
                  ["hlo", logs], ["hlo", dump], ["hlo", dump, "nothing" + EVIL], [logs, "-v", "-o", os.path.join(folder, "r.html")],
                  [logs, "--run", "all", "-o", os.path.join(folder, "r.json")], [logs, "--graph-of", "x" + EVIL]):
        done = run(*words)
        for data in (done.stdout, done.stderr):
            text = data.decode()
            must(not CONTROLS.search(text), words, "prints", repr(text[max(0, (CONTROLS.search(text) or re.match("", "")).start() - 80):][:200]))
        seen += "owned" in done.stdout.decode() + done.stderr.decode()
        shown, _ = on_terminal(*words, NO_COLOR="1")
        must(not CONTROLS.search(shown.decode(errors="replace")), words, "shows", shown)
    # A shell that is given * puts names of files in the place of words.
    for words in (["x" + EVIL], ["--bla" + EVIL], ["-" + EVIL], [logs, "-o", "x" + EVIL], [logs, "-o", "r.html", "--format", EVIL],
                  [logs, "-o", "r.json", "--format", "html", "-o", "x" + EVIL + ".pdf"], [logs, "--paper", EVIL], [logs, "--top", EVIL],
                  [logs, "--template-dir", EVIL], [logs, "--graph", EVIL], [logs, "--graph-of", EVIL + ",width=0"], [logs, "--peak", EVIL],
                  [logs, "--tpu-ops", EVIL], ["--list", EVIL], [logs, "--host", EVIL], [logs, "-o", "x" + EVIL + "/r.html"]):
        done = run(*words)
        must(done.returncode != OK and not CONTROLS.search(done.stderr.decode()), words, done.returncode, done.stderr)
    must(seen >= 6, "hostile names are shown", seen, "times only")


def closed_pipe(folder):
    """A reader that has enough ends the program as it does any other; nothing is left, and files are whole."""
    logs = logdir(folder)
    for words in ([logs], [logs, "-o", "r.json", "-o", "-", "--format", "html"], ["get", logs], ["--help"]):
        ours, theirs = os.pipe()
        os.close(ours)
        with subprocess.Popen([PROGRAM, *words], stdout=theirs, stderr=subprocess.PIPE, cwd=folder) as child:
            os.close(theirs)
            told = child.stderr.read()
        must(child.returncode == -signal.SIGPIPE and told == b"", words, child.returncode, told)
    must(left(folder) == ["cnn", "r.json"] and read(os.path.join(folder, "r.json")).endswith(b"}\n"), left(folder))


def interrupted(folder):
    """A signal while a report is written leaves no part of it; the old one stays."""
    logs, pipe = logdir(folder), os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    old = write(os.path.join(folder, "r.html"), b"the old one")
    before = left(folder)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # The second output blocks, for nobody reads the pipe.
        with subprocess.Popen([PROGRAM, logs, "-o", "r.json", "-o", pipe, "--format", "html", "-o", "r.html"], cwd=folder) as child:
            end = time.time() + 20
            while "r.json" not in left(folder) and time.time() < end:
                time.sleep(.02)
            child.send_signal(number)
        must(child.returncode == -number, number, child.returncode)
        os.unlink(os.path.join(folder, "r.json"))
        must(left(folder) == before and read(old) == b"the old one", number, "left", left(folder))


TESTS = [first_screen, events_cut_off, width_and_colours, one_line_for_a_report, all_runs_are_named, searching_is_shown, hostile_names,
         closed_pipe, interrupted]


run_all(TESTS)
