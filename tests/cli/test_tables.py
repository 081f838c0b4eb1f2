"""Tables for other programs: a folder of CSV files and a database, written whole or not at all, with names of the profile that no
spreadsheet runs."""

import os
import signal
import sqlite3
import stat
import subprocess
import time

import plain_tables
import tiny_xspace as t
from cases import must, run_all
from command_line import CANNOT_WRITE, OK, PROGRAM, USAGE, expect, left, logdir, read, write

HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", 'a "quoted", name', "two\nlines", "=1+1|' /C calc'!A0", "plain"]


def whole(folder):
    """What is in the folder, without the list of its files; and that nothing is beside it."""
    must([name for name in left(os.path.dirname(folder)) if name.startswith("r.csv.")] == [], left(os.path.dirname(folder)))
    return {name: read(os.path.join(folder, name)) for name in left(folder) if name != ".tpreport"}


def a_folder_of_files(folder):
    logs, out = logdir(folder), os.path.join(folder, "r.csv")
    for word in ("r.csv/", "r.csv", "R.CSV/"):
        expect(OK, logs, "-o", word, "-o", "r.json", folder=folder)
    first = whole(out)
    must({"tables.csv", "columns.csv", "metrics.csv", "steps_each.csv"} <= set(first), sorted(first))
    must(whole(os.path.join(folder, "R.CSV")) == first, "another spelling, other bytes")
    must(all(data.endswith(b"\r\n") and b"\n" not in data.replace(b"\r\n", b"") for data in first.values()), "line ends")
    must(stat.S_IMODE(os.stat(out).st_mode) == 0o777 & ~current_umask(), "mode of the folder")
    expect(OK, logs, "-o", "named", "--format", "csv", folder=folder)
    must(whole(os.path.join(folder, "named")) == first, "--format csv")
    expect(USAGE, logs, "-o", "-", "--format", "csv", says="csv is a folder of files, not one: tpreport PATH -o report.csv/")
    expect(USAGE, logs, "-o", "r.csv", "-o", "r.csv/", "--format", "json", folder=folder, says="-o r.csv is csv by its suffix")


def current_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def an_old_folder(folder):
    """One of ours is replaced, with the files of which there are no more; what is somebody else's stays."""
    logs, out = logdir(folder), os.path.join(folder, "r.csv")
    other = logdir(os.path.join(folder, "more"), hosts=("vm", "w1"), steps=5)
    expect(OK, logs, "-o", out)
    first = whole(out)
    os.chmod(out, 0o750)
    expect(OK, other, "-o", out)
    second = whole(out)
    must(first != second and stat.S_IMODE(os.stat(out).st_mode) == 0o750, "it is not replaced, or has another mode")
    expect(OK, logs, "-o", out)
    must(whole(out) == first, "files of an earlier report are left")
    os.mkdir(os.path.join(folder, "link"))
    os.symlink("link", os.path.join(folder, "l.csv"))
    expect(OK, logs, "-o", "l.csv/", folder=folder)
    must(os.path.islink(os.path.join(folder, "l.csv")) and whole(os.path.join(folder, "link")) == first, "a link to an empty folder")
    for name in ("notes.txt", "own.csv"):
        mine = write(os.path.join(out, name), b"mine")
        expect(CANNOT_WRITE, logs, "-o", out, "-o", os.path.join(folder, "r.md"), says=[f"{out}: holds {name}, which tpreport did not write"])
        must(whole(out) == {**first, name: b"mine"} and "r.md" in left(folder), "something was changed, or another output was not written")
        os.unlink(mine)
    foreign = os.path.join(folder, "f.csv")
    write(os.path.join(foreign, "tables.csv"), b"mine")
    expect(CANNOT_WRITE, logs, "-o", foreign, says="holds tables.csv, which tpreport did not write")
    must(left(foreign) == ["tables.csv"], left(foreign))
    expect(CANNOT_WRITE, logs, "-o", os.path.join(foreign, "tables.csv"), says="this is a file, and tables are a folder of files")
    expect(CANNOT_WRITE, logs, "-o", os.path.join(folder, "missing/r.csv"), says="missing/r.csv: cannot write: No such file or directory")
    must(read(os.path.join(foreign, "tables.csv")) == b"mine", "a file was replaced by a folder")


def nothing_half_written(folder):
    """A file that cannot grow: the old folder stays, and nothing else."""
    logs, out = logdir(folder), os.path.join(folder, "r.csv")
    expect(OK, logs, "-o", out, "-o", os.path.join(folder, "r.sqlite"))
    first, database = whole(out), read(os.path.join(folder, "r.sqlite"))
    must(max(map(len, first.values())) > 8192, "the files are too small for this test")
    words = [PROGRAM, logdir(os.path.join(folder, "more"), hosts=("vm", "w1")), "-o", out, "-o", os.path.join(folder, "r.sqlite")]
    done = subprocess.run(["sh", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh", *words], capture_output=True, check=False)
    must(done.returncode == CANNOT_WRITE and b"cannot write: File too large" in done.stderr, done)
    must(whole(out) == first and read(os.path.join(folder, "r.sqlite")) == database, "the old report is gone")
    must(left(folder) == ["cnn", "more", "r.csv", "r.sqlite"], left(folder))


def an_interrupt(folder):
    """A signal while the files are written leaves the old folder or the new one, whole."""
    out, inputs, found = os.path.join(folder, "r.csv"), [], []
    for number in range(2):
        inputs.append(logdir(os.path.join(folder, f"in{number}"), hosts=("vm", "w1", "w2"), steps=20 + number))
        expect(OK, inputs[number], "-o", out)
        found.append(whole(out))
    seen = 0
    for i in range(12):
        with subprocess.Popen([PROGRAM, "-q", inputs[i % 2], "-o", out], stderr=subprocess.DEVNULL) as running:
            while running.poll() is None and not any(name.startswith("r.csv.") for name in os.listdir(folder)):
                pass
            time.sleep(i * 0.0003)
            seen += running.poll() is None
            running.send_signal(signal.SIGTERM)
        must(whole(out) in found, "a folder that is not whole:", left(out))
        must(left(folder) == ["in0", "in1", "r.csv"], left(folder))
    must(seen != 0, "no signal came in time")


def runs_apart(folder):
    logs = logdir(folder, runs=("a", "b"))
    expect(OK, logs, "--run", "all", "-o", "r.csv/", "-o", "r.sqlite", folder=folder)
    must(left(folder) == ["cnn", "r.a.csv", "r.a.sqlite", "r.b.csv", "r.b.sqlite"], left(folder))


def names_of_the_profile(folder):
    """No text begins like a formula; what a name holds is in both as it was."""
    plane = t.Plane("/device:TPU:0")
    for number, name in enumerate(HOSTILE):
        op = plane.op(f"op{number}", name, {"hlo_category": name})
        plane.line("XLA Ops", [plane.event(op, number * t.MS, t.MS)])
    path = write(os.path.join(folder, "vm.xplane.pb"), t.space(plane))
    expect(OK, path, "-o", "r.csv/", "-o", "r.sqlite", folder=folder)
    files, database = plain_tables.read_csv(os.path.join(folder, "r.csv")), plain_tables.read_sqlite(os.path.join(folder, "r.sqlite"))
    numbers = 0
    for rows in files.values():
        must(len({len(row) for row in rows}) == 1, "rows of different widths:", rows[0])
        for cell in (cell for row in rows[1:] for cell in row):
            numbers += cell[:1] == "-" and cell[1:2].isdigit()
            must(not cell.startswith(plain_tables.DANGEROUS) or cell[1:2].isdigit(), "a formula:", repr(cell))
    cells = {cell for rows in files.values() for row in rows for cell in row}
    kept = {cell for rows in database.values() for row in rows for cell in row}
    for name in HOSTILE:
        must(plain_tables.csv_text(name) in cells and name in kept, repr(name), "is not there")
    must(all(name == name.lower() and name.replace("_", "").isalnum() and name.isascii() for name in files), sorted(files))


def a_database(folder):
    logs, out = logdir(folder), os.path.join(folder, "r.sqlite")
    expect(OK, logs, "-o", out)
    first = read(out)
    must(first.startswith(b"SQLite format 3\0"), first[:20])
    for setting in ({}, {"MALLOC_PERTURB_": "165"}, {"TZ": "Asia/Tokyo"}):
        must(expect(OK, logs, "-o", "-", "--format", "sqlite", **setting).stdout == first, "other bytes with", setting)
    with sqlite3.connect(out) as database:
        ask = lambda sql: database.execute(sql).fetchall()
        must(ask("PRAGMA application_id") == [(0x74707265,)] and ask("PRAGMA user_version") == [(1,)], "what it says it is")
        must(ask("SELECT value, unit FROM metrics WHERE id = 'step.count'") == [(3, "count")], "step.count")
        must(ask("SELECT row_count FROM tables WHERE name = 'steps_each'") == ask("SELECT count(*) FROM steps_each"), "rows of steps_each")
        types = {row[1]: row[2] for row in ask("PRAGMA table_info(steps_classes)")}
        must((types["class"], types["mean_ms"]) == ("TEXT", "REAL"), types)
        must(all(kind in ("real", "null") for kind, in ask("SELECT typeof(mean_ms) FROM steps_classes")), "a figure that is no number")


run_all([a_folder_of_files, an_old_folder, nothing_half_written, an_interrupt, runs_apart, names_of_the_profile, a_database])
