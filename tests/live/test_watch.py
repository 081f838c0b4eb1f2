"""tpreport watch and monitor of a directory: what lands is reported when it is whole, and what is not never is."""

import os
import signal
import subprocess
import threading
import time

from cases import must, run_all
from command_line import OK, PROGRAM, expect, left, logdir, read, run, write

RUN = "2026_11_21_02_41_41"
SETTLE = ["--settle", "200ms"]


def wait_for(what, seen, seconds=30):
    end = time.time() + seconds
    while time.time() < end:
        if seen():
            return
        time.sleep(.02)
    must(False, what, "does not happen")


class Child:
    """A command that goes on, and what it says."""

    def __init__(self, *words, folder, stdout=subprocess.DEVNULL):
        self.process = subprocess.Popen([PROGRAM, *words], cwd=folder, stdout=stdout, stderr=subprocess.PIPE)
        self.told = ""
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self):
        for line in self.process.stderr:
            self.told += line.decode()

    def __enter__(self):
        return self

    def says(self, text, times=1):
        wait_for(f"{text!r} {times} times in {self.told!r}", lambda: self.told.count(text) >= times)

    def stop(self, number=signal.SIGINT, status=0):
        self.process.send_signal(number)
        must(self.process.wait(30) == status, number, "exit status", self.process.returncode, self.told)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.thread.join()


def made_later(folder, run_name, steps):
    """A profile that is not yet in the log directory."""
    return read(os.path.join(logdir(os.path.join(folder, "made", run_name), steps=steps), "plugins/profile", RUN, "vm.xplane.pb"))


def place(folder, run_name):
    return os.path.join(folder, "cnn/plugins/profile", run_name, "vm.xplane.pb")


def report_of(folder, name):
    """What the report of a run must be."""
    out = os.path.join(folder, "must.json")
    expect(OK, os.path.join(folder, "cnn"), "--run", name, "-o", out, "-q")
    return read(out)


def each_run_is_reported(folder):
    """The first is there already; the report lies in the directory that is watched."""
    logdir(folder)
    later = {f"2026_11_21_03_00_0{i}": made_later(folder, f"2026_11_21_03_00_0{i}", 3 + i) for i in range(2)}
    out = os.path.join(folder, "cnn", "r.json")
    with Child("watch", "cnn", "-o", "cnn/r.json", *SETTLE, folder=folder) as child:
        child.says(f"{RUN}: wrote cnn/r.json")
        must(read(out) == report_of(folder, RUN), "another report")
        for name, data in later.items():
            write(place(folder, name), data)
            child.says(f"{name}: wrote cnn/r.json")
            must(read(out) == report_of(folder, name), "another report of", name)
        time.sleep(1)
        must(child.told.count("wrote") == 3, "its own report is no reason to write one:", child.told)
        child.stop()
    must(sorted(left(os.path.join(folder, "cnn"))) == ["plugins", "r.json"], left(os.path.join(folder, "cnn")))


def a_run_in_parts_is_waited_for(folder):
    """Cut off, though closed and quiet; then longer; then whole."""
    data = made_later(folder, "later", 3)
    path = place(folder, RUN)
    write(path, data[:len(data) // 2])
    out = os.path.join(folder, "r.json")
    with Child("watch", "cnn", "-o", "r.json", *SETTLE, folder=folder) as child:
        child.says(f"{RUN}: incomplete")
        must(not os.path.exists(out), "half a run has a report")
        write(path, data[:-3])
        child.says(f"{RUN}: incomplete", 2)
        must(not os.path.exists(out), "a run that is cut has a report")
        write(path, data)
        child.says("wrote r.json")
        must(read(out) == report_of(folder, RUN), "another report")
        child.stop(signal.SIGTERM)


def a_file_that_is_held_open_is_waited_for(folder):
    """It would be whole by its bytes: what was written is a message."""
    first, second = made_later(folder, "a", 3), made_later(folder, "b", 5)
    os.makedirs(os.path.dirname(place(folder, RUN)))
    with Child("watch", "cnn", "-o", "r.json", *SETTLE, folder=folder) as child:
        time.sleep(.5)
        with open(place(folder, RUN), "wb") as file:
            file.write(first)
            file.flush()
            time.sleep(1)
            must(not os.path.exists(os.path.join(folder, "r.json")), "a file that is being written has a report")
            file.seek(0)
            file.write(second)
        child.says("wrote r.json")
        must(read(os.path.join(folder, "r.json")) == report_of(folder, RUN) and child.told.count("wrote") == 1, child.told)
        child.stop()


def hosts_that_come_late_are_one_report(folder):
    """All files within the time in which it settles."""
    data = made_later(folder, "a", 3)
    os.makedirs(os.path.join(folder, "cnn"))
    with Child("watch", "cnn", "-o", "r.json", "--settle", "1s", folder=folder) as child:
        for host in ("vm0", "vm1", "vm2"):
            write(place(folder, RUN).replace("vm.", host + "."), data)
            time.sleep(.3)
        child.says("wrote r.json")
        must(child.told.count("wrote") == 1 and all(host in read(os.path.join(folder, "r.json")).decode() for host in ("vm0", "vm1", "vm2")), child.told)
        child.stop(signal.SIGHUP)


def once(folder):
    log = logdir(folder)
    done = expect(OK, "watch", log, "-o", "r.html", "-o", "r.json", "--once", *SETTLE, says="wrote r.html and the others", folder=folder)
    must(done.stdout == b"" and left(folder) == ["cnn", "r.html", "r.json"], left(folder))
    must(read(os.path.join(folder, "r.json")) == report_of(folder, RUN), "another report")


def event_files_are_no_reason(folder):
    """A job writes to them all the time, and never closes them."""
    logdir(folder)
    with open(os.path.join(folder, "cnn/events.out.tfevents.1699999458.vm"), "wb") as events:
        with Child("watch", "cnn", "-o", "r.json", *SETTLE, folder=folder) as child:
            child.says("wrote r.json")
            for _ in range(20):
                events.write(b"x" * 100)
                events.flush()
                time.sleep(.05)
            time.sleep(.5)
            must(child.told.count("wrote") == 1, child.told)
            child.stop()


def interrupted(folder):
    """While it waits, and while a report is written: no part of it is left, and the old one stays."""
    log, pipe = logdir(folder), os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    old = write(os.path.join(folder, "r.html"), b"the old one")
    before = left(folder)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # The second output blocks, for nobody reads the pipe.
        with Child("watch", log, "-o", "r.json", "-o", pipe, "--format", "html", "-o", "r.html", *SETTLE, folder=folder) as child:
            wait_for("the first output", lambda: "r.json" in left(folder))
            child.stop(number)
        os.unlink(os.path.join(folder, "r.json"))
        must(left(folder) == before and read(old) == b"the old one", number, "left", left(folder))


def killed(folder):
    """What writes ends with what watches."""
    log, pipe = logdir(folder), os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    with Child("watch", log, "-o", "r.json", "-o", pipe, "--format", "html", *SETTLE, folder=folder) as child:
        wait_for("the first output", lambda: "r.json" in left(folder))
        writers = subprocess.run(["pgrep", "-P", str(child.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        must(len(writers) == 1, writers)
        child.process.kill()
        child.process.wait()
        wait_for("the end of the writer", lambda: not os.path.exists(f"/proc/{writers[0]}") or "Z" in read(f"/proc/{writers[0]}/stat").decode().split()[2])
    must(left(folder) == ["cnn", "pipe", "r.json"], left(folder))


def lines_of_each_run(folder):
    """The newest that is there, then each that lands; the figures are those of the report."""
    logdir(folder, runs=("2026_11_21_01_00_00", RUN))
    out = os.path.join(folder, "lines")
    late = made_later(folder, "later", 7)
    with open(out, "wb") as lines, Child("monitor", "cnn", "--level", "2", "--queries", "2", *SETTLE, folder=folder, stdout=lines) as child:
        wait_for("the first lines", lambda: b"Step time" in read(out))
        write(place(folder, "2026_11_21_03_00_00"), late[:-5])
        child.says("incomplete")
        write(place(folder, "2026_11_21_03_00_00"), late)
        must(child.process.wait(30) == OK, child.told)
    blocks = read(out).decode().split("\n\n")
    must(len(blocks) == 2, blocks)
    for name, block in zip((RUN, "2026_11_21_03_00_00"), blocks):
        got = dict(line.split("\t")[:2] for line in run("get", os.path.join(folder, "cnn"), "--run", name).stdout.decode().splitlines())
        must([line.split(":")[0] for line in block.strip().split("\n")] == [
            "Timestamp", "TPU type", "Number of TPU cores", "TPU idle time (lower is better)", "Utilization of TPU Matrix Units (higher is better)",
            "Step time", "Infeed percentage"], block)
        must(f"(higher is better): {100 * float(got['matrix_unit.utilization_share']):.1f}%" in block, block)
        must(f"Infeed percentage: {100 * float(got['input.wait_share']):.1f}% (avg)" in block, block)
    level = run("monitor", os.path.join(folder, "cnn"), "--queries", "1", *SETTLE).stdout.decode()
    must([line.split(":")[0] for line in level.splitlines()] == ["Timestamp", "TPU type", "Utilization of TPU Matrix Units (higher is better)"], level)


run_all([each_run_is_reported, a_run_in_parts_is_waited_for, a_file_that_is_held_open_is_waited_for, hosts_that_come_late_are_one_report, once,
         event_files_are_no_reason, interrupted, killed, lines_of_each_run])
