"""tpreport capture and monitor against a profiler service of our own: what is asked for, what becomes of each answer, what is left when
something goes wrong."""

import os
import random
import shutil
import signal
import socket
import subprocess
import threading
import time

import sampled
from cases import must, run_all
from command_line import DAMAGED, NOTHING, OK, PROGRAM, USAGE, expect, left, logdir, read, run
from profiler_server import Answer, ProfilerServer, fields
from xspace_writer import field

RUN = "2026_11_21_02_41_41"


def space_of(folder):
    return read(os.path.join(logdir(folder), "plugins/profile", RUN, "vm.xplane.pb"))


def profile(space):
    return field(7, 0) + field(8, space)


def serves(space):
    return lambda request, number: Answer(profile(space))


def tree(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder) for path, below, names in os.walk(folder) for name in names + below)


def runs(folder):
    """The files of each run: {run: {file: bytes}}."""
    base = os.path.join(folder, "plugins/profile")
    return {r: {f: read(os.path.join(base, r, f)) for f in os.listdir(os.path.join(base, r))} for r in os.listdir(base)}


def scratch(folder):
    """A folder for temporary files, to see what is left in it."""
    path = os.path.join(folder, "tmp")
    os.makedirs(path, exist_ok=True)
    return path


def a_profile_becomes_a_run(folder):
    space, log = space_of(folder), os.path.join(folder, "new/log")
    os.makedirs(os.path.join(folder, "new"))
    with ProfilerServer(serves(space)) as s:
        done = expect(OK, "capture", "grpc://" + s.address, "--duration", "1.5s", "-o", log, "--host_tracer_level=3", "--device-tracer-level", "0",
                      "--python_tracer_level", "1", "--include_dataset_ops=false", says=[s.address, "KiB", log])
        asked = dict(fields(s.requests[0]))
        tools = [value for number, value in fields(s.requests[0]) if number == 3]
    must(done.stdout == b"", done.stdout)
    [(name, files)] = runs(log).items()
    must(files == {"127.0.0.1.xplane.pb": space} and len(name) == len(RUN), name, list(files))
    must(tree(log) == sorted(["plugins", "plugins/profile", f"plugins/profile/{name}", f"plugins/profile/{name}/127.0.0.1.xplane.pb"]), tree(log))
    must(asked[1] == 1500 and asked[9] == 1 and asked[7] == b"127.0.0.1" and b"xplane.pb" in tools, asked)
    must(asked[5] == os.path.realpath(log).encode() + b"/plugins/profile" and asked[6].endswith(name.encode()), asked)
    options = dict(fields(asked[4]))
    must(options == {1: 0, 2: 3, 3: 0, 4: 1, 5: 1, 7: 1, 9: 1500}, options)


def usual_options(folder):
    with ProfilerServer(serves(space_of(folder))) as s:
        expect(OK, "capture", s.address, "-o", os.path.join(folder, "log"))
        asked = dict(fields(s.requests[0]))
    options = dict(fields(asked[4]))
    must(asked[1] == 2000 and options == {1: 1, 2: 2, 3: 1, 4: 0, 5: 1, 7: 1, 9: 2000}, asked[1], options)


def a_report_is_that_of_the_run(folder):
    space, out, tmp = space_of(folder), os.path.join(folder, "r.json"), scratch(folder)
    with ProfilerServer(serves(space)) as s:
        expect(OK, "capture", s.address, "-o", out, "-o", os.path.join(folder, "log"), "-q", TMPDIR=tmp)
        expect(OK, os.path.join(folder, "log"), "-o", os.path.join(folder, "same.json"))
        must(read(out) == read(os.path.join(folder, "same.json")), "the report of the log directory is another")
        # Without a log directory, and without any output: the first screen.
        screen = expect(OK, "capture", s.address, "-q", TMPDIR=tmp).stdout
        expect(OK, "capture", s.address, "-o", os.path.join(folder, "r.html"), TMPDIR=tmp)
    must(screen.split(b"\n")[1:] == run(os.path.join(folder, "log")).stdout.split(b"\n")[1:], screen)
    must(read(os.path.join(folder, "r.html")).startswith(b"<!doctype html>") and left(tmp) == [], left(tmp))


def all_hosts_together(folder):
    """No answer is given before all have been asked."""
    space, together, log = space_of(folder), threading.Barrier(3, timeout=20), os.path.join(folder, "log")

    def answer(request, number):
        together.wait()
        return Answer(profile(space))
    with ProfilerServer(answer) as a, ProfilerServer(answer) as b, ProfilerServer(answer) as c:
        expect(OK, "capture", f"{a.address},{b.address}", "localhost:" + c.address.split(":")[1], "-o", log, says=[a.address, b.address, "localhost:"])
    [files] = runs(log).values()
    must(set(files) == {a.address.replace(":", "_") + ".xplane.pb", b.address.replace(":", "_") + ".xplane.pb", "localhost.xplane.pb"}, list(files))
    must(set(files.values()) == {space}, "what was sent")


def large_answers(folder):
    """Larger than windows and buffers, and in several parts."""
    parts = [os.urandom(1 << 20) for _ in range(3)] + [os.urandom(30 << 20)]
    log = os.path.join(folder, "log")
    with ProfilerServer(lambda request, number: Answer(b"".join(field(8, p) for p in parts))) as s:
        expect(OK, "capture", s.address, "-o", log)
    [files] = runs(log).values()
    must(list(files.values()) == [b"".join(parts)], "other bytes")


def programs_that_end_at_once(folder):
    space, log = space_of(folder), os.path.join(folder, "log")
    with ProfilerServer(lambda request, number: Answer(profile(space), ends=True)) as s:
        expect(OK, "capture", s.address, "-o", log)
    [files] = runs(log).values()
    must(list(files.values()) == [space], "other bytes")


def tools_of_old_profilers(folder):
    space, log = space_of(folder), os.path.join(folder, "log")
    message = field(6, field(1, "xplane.pb") + field(2, space)) + field(6, field(1, "overview_page.json") + field(2, "{}")) + field(6, field(1, "trace"))
    with ProfilerServer(lambda request, number: Answer(message)) as s:
        expect(OK, "capture", s.address, "-o", log)
    [files] = runs(log).values()
    must(files == {"127.0.0.1.xplane.pb": space, "127.0.0.1.overview_page.json": b"{}"}, list(files))
    for name in ("../x", "/etc/x", ".x", "", "a\0b", "x" * 300):
        with ProfilerServer(lambda request, number, n=name: Answer(field(6, field(1, n) + field(2, "evil")))) as s:
            expect(NOTHING, "capture", s.address, "-o", os.path.join(folder, "none"), says="names a file")
    must(not os.path.exists(os.path.join(folder, "none")) and not os.path.exists(os.path.join(folder, "x")), left(folder))


def profilers_that_write_themselves(folder):
    """Before 2025: to the folder that the request names; of another machine we see nothing."""
    space, log, tmp = space_of(folder), os.path.join(folder, "log"), scratch(folder)

    def writes(request, number):
        asked = dict(fields(request))
        with open(os.path.join(asked[5], asked[6], asked[7] + b".xplane.pb"), "wb") as out:
            out.write(space)
        return Answer(field(7, 0))
    with ProfilerServer(writes) as s:
        expect(OK, "capture", s.address, "-o", log)
        expect(OK, "capture", s.address, "-o", os.path.join(folder, "r.html"), TMPDIR=tmp)
    [files] = runs(log).values()
    must(files == {"127.0.0.1.xplane.pb": space} and left(tmp) == [], list(files), left(tmp))
    with ProfilerServer(lambda request, number: Answer(b"")) as s:
        expect(NOTHING, "capture", s.address, "-o", os.path.join(folder, "none"), says=["on its own machine", "give a log directory that both"])
    must(not os.path.exists(os.path.join(folder, "none")), "something is left")


def empty_captures_are_tried_again(folder):
    space, log = space_of(folder), os.path.join(folder, "log")
    with ProfilerServer(lambda request, number: Answer(profile(space) if number == 3 else field(7, 1) + field(8, b""))) as s:
        expect(OK, "capture", s.address, "-o", log, says="trying again (3 of 3)")
        must(len(s.requests) == 3 and len(runs(log)) == 1, len(s.requests))
    for words, times in ((["--retries", "0"], 1), (["--retries=1"], 2), (["--num_tracing_attempts", "2"], 2), (["--num-tracing-attempts=1"], 1)):
        with ProfilerServer(lambda request, number: Answer(field(7, 1))) as s:
            expect(NOTHING, "capture", s.address, "-o", os.path.join(folder, "none"), *words, says="nothing was recorded: the program was idle")
            must(len(s.requests) == times, words, len(s.requests))
    # A profiler that is busy is asked again, one that refuses is not; nor are all, when one has sent a profile.
    for status, times in ((14, 3), (6, 3), (7, 1), (13, 1)):
        with ProfilerServer(lambda request, number, s=status: Answer(None, s, "busy")) as s:
            expect(NOTHING, "capture", s.address, "-o", os.path.join(folder, "none"), says=f"gRPC status {status}, ")
            must(len(s.requests) == times, status, len(s.requests))
    with ProfilerServer(lambda request, number: Answer(field(7, 1))) as idle, ProfilerServer(serves(space)) as busy:
        expect(OK, "capture", idle.address, busy.address, "-o", log)
        must(len(idle.requests) == len(busy.requests) == 1, len(idle.requests))
    must(not os.path.exists(os.path.join(folder, "none")), "something is left")


class Blunt:
    """A port that answers with these bytes, whatever comes."""

    def __init__(self, says):
        self.says = says

    def __enter__(self):
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.sock.getsockname()[1]}"
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        return self

    def serve(self):
        while True:
            try:
                sock, _ = self.sock.accept()
            except OSError:
                return
            with sock:
                sock.recv(65536)
                sock.sendall(self.says)

    def __exit__(self, *_):
        self.sock.shutdown(socket.SHUT_RDWR)
        self.sock.close()


def one_line_for_each_failure(folder):
    space, tmp = space_of(folder), scratch(folder)
    whole = profile(space)
    with socket.create_server(("127.0.0.1", 0)) as unused:
        nobody = f"127.0.0.1:{unused.getsockname()[1]}"
    cases = [
        (Answer(None, 12, "unknown service"), "this server has no tensorflow.ProfilerService/Profile: unknown service"),
        (Answer(None, 7, "not for you%0A%1b[31mred %E2%82%AC"), "gRPC status 7, PERMISSION_DENIED: not for you ?[31mred €"),
        (Answer(None, 4, "too late"), "no answer within 3 s: too late"),
        (Answer(whole, 13, "half of it"), "gRPC status 13, INTERNAL: half of it"),
        (Answer(whole, cut=len(whole) // 2), "broke off"),
        (Answer(whole, cut=0), "broke off"),
        (Answer(whole, lost=5), "the answer is cut"),
        (Answer(whole, compressed=1), "compressed"),
        (Answer(whole[:-9]), "not a message of a profiler"),
        (Answer(b"\xff" * 40), "not a message of a profiler"),
    ]
    common = ["-o", os.path.join(folder, "none"), "--retries", "0", "--duration", "1s", "--deadline", "2s"]
    for answer, says in cases:
        with ProfilerServer(lambda request, number, a=answer: a) as s:
            done = expect(NOTHING, "capture", s.address, *common, "-q", says=[s.address + ": ", says], TMPDIR=tmp)
            must(done.stderr.count(b"\n") == 1 and done.stdout == b"", says, done.stderr)
    for says in (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", b"", b"SSH-2.0-x\r\n", os.urandom(100)):
        with Blunt(says) as s:
            done = expect(NOTHING, "capture", s.address, *common, "-q", says="this port does not speak gRPC", TMPDIR=tmp)
            must(done.stderr.count(b"\n") == 1, done.stderr)
    for address, says in ((nobody, "no connection"), ("no-such-host.invalid:8466", "no connection")):
        done = expect(NOTHING, "capture", address, *common, "-q", says=says, TMPDIR=tmp)
        must(done.stderr.count(b"\n") == 1, done.stderr)
    must(left(folder) == ["cnn", "tmp"] and left(tmp) == [], left(folder), left(tmp))


def a_capture_under_way_is_no_run(folder):
    """Who reads the log directory meanwhile does not see it."""
    space, log = space_of(folder), os.path.join(folder, "log")
    with ProfilerServer(lambda request, number: Answer(profile(space), wait_s=3)) as s:
        with subprocess.Popen([PROGRAM, "capture", s.address, "-q", "-o", log]) as child:
            end = time.time() + 20
            while not s.requests and time.time() < end:
                time.sleep(.02)
            [under_way] = left(os.path.join(log, "plugins/profile"))
            shutil.copy(os.path.join(folder, "cnn/plugins/profile", RUN, "vm.xplane.pb"), os.path.join(log, "plugins/profile", under_way, "vm.xplane.pb"))
            expect(NOTHING, log, says="no profile found")
        must(child.returncode == OK, child.returncode)
    expect(OK, log)


def one_of_two_fails(folder):
    space, log = space_of(folder), os.path.join(folder, "log")
    with ProfilerServer(serves(space)) as good, ProfilerServer(lambda request, number: Answer(None, 13, "no")) as bad:
        expect(OK, "capture", good.address, bad.address, "-o", log, says=[bad.address + ": gRPC status 13", good.address])
        expect(DAMAGED, "capture", good.address, bad.address, "-o", log, "--strict")
    must(len(runs(log)) == 2 and all(len(files) == 1 for files in runs(log).values()), tree(log))


def a_deadline_is_kept(folder):
    with ProfilerServer(lambda request, number: Answer(b"", wait_s=60)) as s:
        start = time.monotonic()
        expect(NOTHING, "capture", s.address, "-o", os.path.join(folder, "none"), "--duration", "10ms", "--deadline", "100ms", "--retries", "0",
               says="no complete answer within 0.11 s")
        must(time.monotonic() - start < 40, "it waited for", time.monotonic() - start)


def wrong_usage(folder):
    for words, says in (
            (["capture"], "give an address"), (["capture", "host"], "HOST:PORT"), (["capture", "host:0"], "HOST:PORT"), (["capture", ":1"], "HOST:PORT"),
            (["capture", "host:65536"], "HOST:PORT"), (["capture", "a b:1"], "HOST:PORT"), (["capture", "a/b:1"], "HOST:PORT"), (["capture", "a:1,,b:1"], "HOST:PORT"),
            (["capture", "::1:99"], "HOST:PORT"), (["capture", "a@b:1"], "HOST:PORT"), (["capture", "a:1,a:1"], "twice"),
            (["capture", "a:1", "--duration", "5"], "give a time"), (["capture", "a:1", "--duration", "0s"], "give a time"),
            (["capture", "a:1", "--duration", "2s", "--duration_ms", "1"], "mean the same"), (["capture", "a:1", "--duration_ms", "x"], "give a number"),
            (["capture", "a:1", "--retries", "-1"], "give a number"), (["capture", "a:1", "--num_tracing_attempts", "0"], "give a number"),
            (["capture", "a:1", "--include-dataset-ops=maybe"], "true or false"), (["capture", "a:1", "--host-tracer-level", "high"], "give a number"),
            (["capture", "a:1", "-o", "log1", "-o", "log2"], "one log directory"), (["capture", "a:1", "--queries", "1"], "does not apply"),
            (["monitor"], "give an address or a log directory"), (["monitor", "a:1", "--level", "3"], "give 1 or 2"), (["monitor", "a:1", "--queries", "0"], "at least 1"),
            (["monitor", "a:1,b:2"], "one address"), (["watch", folder], "give a log directory and an output"), (["watch", folder, "-o", "r.html", "--settle", "x"], "give a time"),
            (["watch", os.path.join(folder, "none"), "-o", "r.html"], "No such file"), (["watch", PROGRAM, "-o", "r.html"], "this is a file")):
        expect(USAGE, *words, says=says, folder=folder)
    must(left(folder) == [], left(folder))


def interrupted(folder):
    """A signal at any time leaves nothing: while the profiler works, in a log directory that is new and in one that is not, and while the
    report is written. The profiler is told that nobody waits any more."""
    space, tmp, pipe = space_of(folder), scratch(folder), os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    os.makedirs(os.path.join(folder, "old"))
    before = tree(folder)

    def under_way(log):
        path = os.path.join(folder, log, "plugins/profile")
        return os.path.isdir(path) and left(path)

    def slow(request, number):
        return Answer(profile(space), wait_s=20) if 9 in dict(fields(request)) else Answer(None, 12)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        for answer, words, seen in (
                (slow, ["capture", "-o", "log"], lambda: under_way("log")),
                (slow, ["capture", "-o", "old/log"], lambda: under_way("old/log")),
                (slow, ["capture", "-o", "old"], lambda: under_way("old")),
                (slow, ["capture", "-o", "r.html"], lambda: left(tmp)),
                (slow, ["monitor"], lambda: left(tmp)),
                (serves(space), ["capture", "-o", "r.json", "-o", pipe, "--format", "html"], lambda: "r.json" in left(folder))):
            with ProfilerServer(answer) as s:
                with subprocess.Popen([PROGRAM, words[0], s.address, "-q", *words[1:]], cwd=folder, env={**os.environ, "TMPDIR": tmp}) as child:
                    end = time.time() + 20
                    # monitor first asks for a text, which this server does not give.
                    asked = 2 if words == ["monitor"] else 1
                    while not (seen() and len(s.requests) >= asked) and time.time() < end:
                        time.sleep(.01)
                    child.send_signal(number)
                must(child.returncode == -number, number, words, child.returncode)
                end = time.time() + 10
                while answer is slow and not s.stopped and time.time() < end:
                    time.sleep(.02)
                must(answer is not slow or s.stopped == 1, "the profiler is told so many times that nobody waits any more:", s.stopped, number, words)
            if "r.json" in words:
                os.unlink(os.path.join(folder, "r.json"))
            must(tree(folder) == before, number, words, "left", set(tree(folder)) ^ set(before))


def interrupted_at_any_time(folder):
    """What is there is whole, or nothing is."""
    space, tmp = space_of(folder), scratch(folder)
    before, chance, whole = tree(folder), random.Random(sampled.SEED), 0
    with ProfilerServer(lambda request, number: Answer(profile(space), wait_s=.02)) as s:
        for _ in range(60):
            out = chance.choice(["log", "r.json"])
            with subprocess.Popen([PROGRAM, "capture", s.address, "-q", "-o", out], cwd=folder, env={**os.environ, "TMPDIR": tmp}) as child:
                time.sleep(chance.uniform(0, .15))
                child.send_signal(chance.choice([signal.SIGINT, signal.SIGTERM]))
            must(child.returncode in (0, -signal.SIGINT, -signal.SIGTERM), child.returncode)
            if out == "log" and os.path.exists(os.path.join(folder, "log")):
                must(list(runs(os.path.join(folder, "log")).values()) == [{"127.0.0.1.xplane.pb": space}], tree(folder))
                shutil.rmtree(os.path.join(folder, "log"))
                whole += 1
            elif out == "r.json" and "r.json" in left(folder):
                must(read(os.path.join(folder, "r.json")).endswith(b"}\n"), "half a report")
                os.unlink(os.path.join(folder, "r.json"))
                whole += 1
            must(tree(folder) == before, "left", set(tree(folder)) ^ set(before))
    print(f"interrupted 60 times; {whole} were whole before")


def memory_runs_out(folder):
    """Whenever that is, the program is profiled once, and nothing is left; the run that was written stays."""
    tmp, ended = scratch(folder), 0
    space = space_of(folder) + field(1000, bytes(4 << 20))
    before = tree(folder)
    with ProfilerServer(serves(space)) as s:
        for megabytes in (2, 3, 4, 5, 6, 8, 11, 14, 20, 29):
            for out in ("r.html", "log"):
                asked = len(s.requests)
                words = ["-o", "r.html"] + (["-o", "log"] if out == "log" else [])
                done = run("capture", s.address, "-q", *words, "--retries", "0", "--memory-limit", f"{megabytes}M", folder=folder, TMPDIR=tmp)
                must(done.returncode in (OK, NOTHING, DAMAGED), megabytes, done)
                must(len(s.requests) - asked <= 1, megabytes, "MiB: profiled", len(s.requests) - asked, "times")
                ended += done.returncode == DAMAGED
                must("r.html" not in left(folder) or done.returncode == OK, megabytes, done)
                if "log" in left(folder):
                    must(list(runs(os.path.join(folder, "log")).values()) == [{"127.0.0.1.xplane.pb": space}], tree(folder))
                    shutil.rmtree(os.path.join(folder, "log"))
                if "r.html" in left(folder):
                    os.unlink(os.path.join(folder, "r.html"))
                must(tree(folder) == before, megabytes, "left", set(tree(folder)) ^ set(before))
    # A sanitizer takes its memory elsewhere.
    must(ended > 2 or os.environ.get("TPREPORT_SANITIZE"), "memory ran out", ended, "times")


LINES = "Timestamp: 20:41:52\nTPU type: TPU v2\nUtilization of TPU Matrix Units (higher is better): 10.1%\n"


def a_profiler_that_sums_up(folder):
    with ProfilerServer(lambda request, number: Answer(field(1, LINES))) as s:
        done = expect(OK, "monitor", s.address, "--queries", "2")
        must(done.stdout.decode() == LINES + "\n" + LINES and done.stderr == b"", done)
        expect(OK, "monitor", s.address, "--queries=1", "--level", "2", "--duration_ms", "250")
        must([dict(fields(r)) for r in s.requests] == [{1: 1000, 2: 1, 3: 1}] * 2 + [{1: 250, 2: 2, 3: 1}], s.requests)
    with ProfilerServer(lambda request, number: Answer(field(1, "a\x1b[31m\nb"))) as s:
        must(expect(OK, "monitor", s.address, "--queries", "1").stdout == b"a?[31m\nb\n", "what a terminal obeys")
    with ProfilerServer(lambda request, number: Answer(None, 13, "no")) as s:
        done = expect(NOTHING, "monitor", s.address, says="gRPC status 13")
        must(len(s.requests) == 1 and done.stdout == b"", done)


def a_profiler_that_does_not(folder):
    """Its Monitor is not there: what is shown is of short profiles."""
    space, tmp = space_of(folder), scratch(folder)

    def answer(request, number):
        return Answer(profile(space)) if 9 in dict(fields(request)) else Answer(None, 12, "unimplemented.")
    with ProfilerServer(answer) as s:
        done = expect(OK, "monitor", s.address, "--queries", "2", "--level", "2", says="does not compute these figures itself", TMPDIR=tmp)
        must(len(s.requests) == 3 and done.stderr.count(b"\n") == 1, s.requests)
    first, second = done.stdout.decode().split("\n\n")
    must(first + "\n" == second and left(tmp) == [], first, second, left(tmp))
    figures = dict(line.split("\t")[:2] for line in run("get", os.path.join(folder, "cnn")).stdout.decode().splitlines())
    step = [float(figures[f"step.time.{which}_ms"]) for which in ("mean", "min", "max")]
    must(f"Number of TPU cores: {figures['run.cores']}\n" in first and f"TPU type: {figures['run.device_type']}\n" in first, first)
    must("Step time: {:.1f}ms (avg), {:.1f}ms (min), {:.1f}ms (max)".format(*step) in first, step, first)
    must(f"TPU idle time (lower is better): {100 * float(figures['device.idle_share']):.1f}%" in first, figures["device.idle_share"], first)


run_all([a_profile_becomes_a_run, usual_options, a_report_is_that_of_the_run, all_hosts_together, large_answers, programs_that_end_at_once, tools_of_old_profilers,
         profilers_that_write_themselves, empty_captures_are_tried_again, one_line_for_each_failure, a_capture_under_way_is_no_run, one_of_two_fails, a_deadline_is_kept,
         wrong_usage, interrupted, interrupted_at_any_time, memory_runs_out, a_profiler_that_sums_up, a_profiler_that_does_not])
