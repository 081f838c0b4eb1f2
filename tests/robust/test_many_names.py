"""Profiles with more names than a table lists: what is beyond its last row is one row with the sums, and totals still add up."""

import tempfile
from pathlib import Path

import growing
import tiny_xspace as t
from truth import Check, Report

LISTED = 20_000      # rows of all operations
LISTED_INPUT = 1000  # of pipelines, and of input operations
MORE = 50
check = Check()


def iterators(n):
    """Pipelines of one stage each."""
    plane = t.Plane("/host:CPU")
    calls = [plane.event(f"Iterator::Map_{i}", i * 1000, 900 + i, {"iterator_id": i + 1, "parent_id": 0}) for i in range(n)]
    return growing.xspace(plane.line("tf_data/1", calls), t.gpu(0, 2))


def report(files, *words):
    with tempfile.TemporaryDirectory() as folder:
        for path, data in files.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_bytes(data)
        return Report(folder, "-q", *words)


def adds_up(r, table, listed, whole, sums, name):
    """Rows as listed, then one of all others; each sum is that of the whole."""
    rows = r.rows(table)
    check.equal(f"{table}: rows", [row["role"] for row in rows], ["normal"] * listed + ["total"])
    check.equal(f"{table}: the last row", rows[-1][name], f"{MORE} more {table.rpartition('/')[2].replace('list', 'operations')}")
    for column, of_all in sums.items():
        check.near(f"{table}: {column}", sum(row[column] for row in rows), of_all)
    check.true(f"{table}: no figure of a single one", all(rows[-1][column] is None for column in whole))


def operations():
    n = LISTED + MORE
    check.part("operations")
    files = growing.operations(n)
    r = report(files)
    adds_up(r, "operations/list", LISTED, ["category", "min_us", "max_us", "gflop_per_s", "expression"],
            {"self_ms": n, "busy_share": 1, "occurrences": n, "total_ms": n}, "name")
    rest = r.rows("operations/list")[-1]
    check.equal("added up", rest["cumulative_share"], 1)
    check.true("the table says how many there are", "20,000 operations" in r.blocks["operations/list"]["caption"]
               and "20,050" in r.blocks["operations/list"]["caption"])
    check.equal("all of them", [row["role"] for row in report(files, "--top", "all").rows("operations/list")], ["normal"] * n)
    check.equal("as many as fit are all listed", len(report(growing.operations(400)).rows("operations/list")), 400)


def input_operations():
    n = LISTED_INPUT + MORE
    check.part("input")
    r = report(iterators(n))
    adds_up(r, "input-pipeline/operations", LISTED_INPUT, ["class"],
            {"count": n, "self_share": 1, "self_ms": sum(900 + i for i in range(n)) / 1e9}, "name")
    adds_up(r, "input-pipeline/pipelines", LISTED_INPUT, ["host", "bottleneck", "bottleneck_ms"], {"calls": n}, "pipeline")


operations()
input_operations()
check.end()
