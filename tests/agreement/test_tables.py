"""The CSV folder and the database hold every table of report.json, whole, with the same figures, and every metric."""

import copy
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import plain_tables
from plain_tables import csv_text
from sampled import sampled

SOURCE = Path(os.environ.get("TPREPORT_SOURCE", Path(__file__).resolve().parents[2]))
LARGE = ["synth/pod_v3_32_straggler/logdir", "pytorch/found/tracelens/mi300", "synth/transformer_v5e_compute_bound/logdir"]


def made(directory, folder):
    paths = [Path(folder, name) for name in ("r.json", "r.csv", "r.sqlite")]
    words = [word for path in paths for word in ("-o", path)]
    subprocess.run([os.environ["TPREPORT"], "-q", directory, *words], check=True)
    return json.loads(paths[0].read_text(encoding="utf-8")), plain_tables.read_csv(paths[1]), plain_tables.read_sqlite(paths[2])


def read_back(folder):
    """The JSON holds all that they do: what is made of it is the same, to the byte."""
    again = [Path(folder, name) for name in ("again.csv", "again.sqlite")]
    subprocess.run([os.environ["TPREPORT"], "-q", Path(folder, "r.json"), *(word for path in again for word in ("-o", path))], check=True)
    first, second = ({path.name: path.read_bytes() for path in Path(folder, name).iterdir()} for name in ("r.csv", "again.csv"))
    yield from (f"read back: {name} differs" for name in sorted({*first, *second}) if first.get(name) != second.get(name))
    if again[1].read_bytes() != Path(folder, "r.sqlite").read_bytes():
        yield "read back: the database differs"


def as_it_is(value):
    return value


def complaints(report, files, database):
    yield from ("csv: " + line for line in plain_tables.complaints(report, files, csv_text))
    yield from ("sqlite: " + line for line in plain_tables.complaints(report, database, as_it_is))


def self_check(report, files, database):
    """Each doctored figure must be complained about."""
    def doctored(change):
        some = copy.deepcopy((report, files, database))
        change(*some)
        return list(complaints(*some))
    place, known = next((t, (r, k)) for t, _, _ in plain_tables.tables_of(report) for r, row in enumerate(t["rows"])
                        for k, cell in row["cells"].items() if isinstance(cell["value"], float))

    def other_figure(some, *_):
        table = next(t for t, _, _ in plain_tables.tables_of(some) if t["id"] == place["id"])
        table["rows"][known[0]]["cells"][known[1]]["value"] *= 1.0000001

    changes = {
        "a figure": other_figure,
        "a metric": lambda some, *_: some["metrics"]["step.count"].update(value=-1),
        "a row that is gone": lambda _, csv, __: csv["steps_classes"].pop(),
        "a table that is gone": lambda _, __, sql: sql.pop("steps_classes"),
        "a column's unit": lambda _, csv, __: csv["columns"][2].__setitem__(4, "bytes"),
    }
    yield from (f"self-check: {name} was doctored, and nobody noticed" for name, change in changes.items() if not doctored(change))


def main():
    found, data = [], os.environ.get("TPREPORT_TEST_DATA")
    directories = sorted((SOURCE / "examples").glob("*/input"))
    directories += [path for path in sampled("large captures", (Path(data, name) for name in LARGE), 3) if path.is_dir()] if data else []
    for directory in directories:
        with tempfile.TemporaryDirectory() as folder:
            outputs = made(directory, folder)
            found += [f"{directory}: {line}" for line in read_back(folder)]
        found += [f"{directory}: {line}" for line in complaints(*outputs)]
        if directory.parent.name == "torch_ddp":
            found += self_check(*outputs)
    print(*found[:40], sep="\n")
    return 1 if found else 0


sys.exit(main())
