"""The tables of a report as report.json has them, in the form in which the CSV folder and the database hold them."""

import csv
import os
import re
import sqlite3

LISTS = {"tables", "columns", "metrics"}
DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def tables_of(report):
    """(table, outermost section, innermost section) of each, in the order of the report."""
    def walk(node, sections):
        if node.get("kind") == "table":
            yield node, sections[0], sections[-1]
        inside = sections + [node] if node.get("kind") == "section" else sections
        for child in node.get("sections", []) + node.get("blocks", []):
            yield from walk(child, inside)
    return list(walk(report, []))


def name_of(table, section):
    name = table["id"] if table["id"].startswith(section["id"] + "/") else section["id"] + "/" + table["id"]
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_")[:80].rstrip("_")


def columns_of(table):
    """(name, what a row says there) of each column."""
    found = []
    for column in table["columns"]:
        key, unit = column["key"], column["unit"]
        name = key if unit == "count" or key.endswith(unit) else f"{key}_{unit}"
        cells = [row["cells"][key] for row in table["rows"]]
        found.append((name, lambda row, k=key, u=unit: None if u and row["cells"][k]["value"] == "" else row["cells"][k]["value"]))
        if not unit and any(cell.get("unit", "count") not in ("", "count") for cell in cells):
            found.append((f"{name}_unit", lambda row, k=key: row["cells"][k].get("unit") or None))
        if any("full" in cell for cell in cells):
            found.append((f"{name}_full", lambda row, k=key: row["cells"][k].get("full")))
    found += [("row_id", lambda row: row["id"]), ("row_role", lambda row: row["role"])]
    return found + ([("row_depth", lambda row: row["depth"])] if table["tree"] else [])


def read_csv(folder):
    """{name of the file: rows}, the head among them."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".csv"):
            with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
                found[name[:-4]] = list(csv.reader(file, strict=True))
    return found


def read_sqlite(path):
    with sqlite3.connect(path) as database:
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise ValueError(f"{path} is damaged")
        names = [name for name, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
        found = {}
        for name in names:
            rows = database.execute(f'SELECT * FROM "{name}" ORDER BY rowid')
            found[name] = [[column[0] for column in rows.description], *map(list, rows)]
    return found


def csv_text(value):
    """What a cell of a CSV file says: nothing where nothing is known; no text that a spreadsheet runs."""
    if value is None:
        return ""
    if isinstance(value, str):
        return ("'" if value.startswith(DANGEROUS) else "") + value.replace("\0", "\ufffd")
    return value


def same(want, got):
    """A number as the same number, however it is written."""
    if isinstance(want, (int, float)) and isinstance(got, str):
        return re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", got) is not None and (int(got) if got.isdigit() else float(got)) == want
    return want == got and isinstance(want, str) == isinstance(got, str)


def different(name, want, got, form):
    """Rows that are not what they should be."""
    if want[0] != got[0] or len(want) != len(got):
        yield f"{name}: {len(got)} rows of {got[0]}, not {len(want)} of {want[0]}"
        return
    for number, (wanted, row) in enumerate(zip(want[1:], got[1:]), 1):
        for column, value, cell in zip(want[0], wanted, row):
            if not same(form(value), cell):
                yield f"{name}, row {number}, {column}: {cell!r}, JSON says {value!r}"


def lists_of(report, names):
    """The lists of tables and metrics, as JSON has them."""
    places = tables_of(report)
    yield "tables", [["name", "id", "title", "section", "section_title", "row_count"]] + [
        [name, t["id"], t["caption"], inner["id"], inner["title"], len(t["rows"])] for name, (t, _, inner) in zip(names, places)]
    yield "metrics", [["id", "value", "unit", "scope", "label", "better", "coverage", "unknown_because"]] + [
        [i, m["value"], m["unit"] or None, i.partition("@")[2] or None, m["label"], m.get("better"), m["coverage"] or None, m.get("missing") or None]
        for i, m in report["metrics"].items()]


def columns_list(report, names, got):
    """Each column is listed with its unit, how much of it is unknown, and why."""
    listed = {(row[0], row[2]): row for row in got[1:]}
    for name, (table, _, _) in zip(names, tables_of(report)):
        titles = {c["key"]: c for c in table["columns"]}
        for number, (column, _) in enumerate(columns_of(table), 1):
            row = listed.pop((name, column), None)
            shown = next((c for c in titles.values() if column in (c["key"], f"{c['key']}_{c['unit']}")), None)
            if row is None or str(row[1]) != str(number):
                yield f"columns: {name}, {column}: {row}"
            elif shown is not None:
                reasons = [r["cells"][shown["key"]]["missing"] for r in table["rows"] if "missing" in r["cells"][shown["key"]]]
                if (row[4] or "") != shown["unit"] or int(row[5]) != len(reasons) or (reasons and reasons[0] not in row[6]):
                    yield f"columns: {row}, JSON says {shown['unit']!r}, {len(reasons)} unknown, {reasons[:1]}"
    yield from (f"columns: {key} is in no table" for key in listed)


def complaints(report, found, form):
    """What in the tables of an output is not as in report.json; form: how it writes a value."""
    places = tables_of(report)
    names = [row[0] for row in found.get("tables", [[]])[1:]]
    if len(set(names)) != len(places) or {*found} != {*names, *LISTS}:
        yield f"{len(places)} tables in JSON, {len(names)} in the list, {len(found) - len(LISTS)} there"
        return
    for name, (table, section, _) in zip(names, places):
        if not re.fullmatch(re.escape(name_of(table, section)) + r"(_\d+)?", name):
            yield f"{name} is the name of {table['id']}"
        columns = columns_of(table)
        want = [[head for head, _ in columns]] + [[say(row) for _, say in columns] for row in table["rows"]]
        yield from different(name, want, found[name], form)
    for name, want in lists_of(report, names):
        yield from different(name, want, found[name], form)
    yield from columns_list(report, names, found["columns"])


def faults(report, folder, path):
    """What is wrong with the CSV folder and the database, and texts that a spreadsheet would run."""
    files = read_csv(folder)
    yield from (f"csv: {line}" for line in complaints(report, files, csv_text))
    yield from (f"sqlite: {line}" for line in complaints(report, read_sqlite(path), lambda value: value))
    for name, rows in files.items():
        for cell in (cell for row in rows for cell in row):
            if cell.startswith(DANGEROUS) and not re.fullmatch(r"-\d[\d.eE+-]*", cell):
                yield f"csv: {name} has a formula, {cell[:80]!r}"
