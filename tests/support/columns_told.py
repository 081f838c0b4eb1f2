"""Which columns of a table of report.json a page says in words below the table, instead of in it."""

from pages import plain


def silent_columns(table):
    """Columns of nothing but dashes, which a page leaves out and explains below the table; the first names the rows."""
    return [column for column in table["columns"][1:] if table["rows"] and
            all(plain(row["cells"][column["key"]]["text"]) in ("–", "") for row in table["rows"])]


def is_plain(cell):
    """It is no more than its text."""
    return cell["value"] is not None and cell["text"] != "" and not {"judge", "href", "metric"} & cell.keys()


def same_columns(table):
    """Columns in which three or more rows, and all, show the same: a page says them once. Not what orders the rows or gives lifetimes
    to the page's script; and names alone are no table."""
    rows, silent = table["rows"], silent_columns(table)
    life = [table["columns"][table["life"][end]]["key"] for end in ("start", "end", "kind")] if "life" in table else []
    same = [column for column in table["columns"][1:] if len(rows) >= 3 and column not in silent and not column.get("sorted")
            and column["key"] not in life and all(is_plain(row["cells"][column["key"]]) for row in rows)
            and len({(c.get("full", c["text"]), c.get("hue"), c.get("tint")) for c in (row["cells"][column["key"]] for row in rows)}) == 1]
    return same if len(table["columns"]) - len(silent) - len(same) > 1 else same[1:]
