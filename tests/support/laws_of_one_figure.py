"""One thing has one figure and one name, wherever a report shows it. Each law yields (where, found) for every breach."""

from report_tree import cells, number


def share_has_one_text(report):
    """What is less than 0.1 % is said to be that in every sentence, legend and column: no 0.06 % is 0.1 in one and <0.1 in the other."""
    shares = [(name, metric["value"], metric["text"]) for name, metric in report["metrics"].items() if metric.get("unit") == "share"]
    shares += [(f"{row['id']}:{column['key']}", cell["value"], cell["text"]) for _, row, column, cell in cells(report)
               if column["unit"] == "share" and column.get("decimals") == 1]
    for where, value, text in shares:
        if number(value) and value != 0 and (abs(value) * 100 < 0.1) != ("<" in text or ">" in text):
            yield where, (value, text)


LAWS = {
    "a share has one text": share_has_one_text,
}
