"""Whether the figures that a reader sees in an HTML page are those of report.json."""

import re

from pages import plain


def blocks(node, kind, views=True):
    """All blocks of a kind, in the order of the report; without those of views, which are not on paper."""
    if node.get("kind") == kind:
        yield node
    for child in node.get("sections", []) + node.get("blocks", []):
        if views or child.get("role") != "view":
            yield from blocks(child, kind, views)


def html_metrics(report, page):
    cell_texts = {}
    for table in blocks(report, "table"):
        for row in table["rows"]:
            for cell in row["cells"].values():
                if "metric" in cell:
                    cell_texts.setdefault((row["id"], cell["metric"]), plain(cell["text"]))
    seen = 0
    for element in page.walk():
        metric = element.attributes.get("data-metric")
        if metric is None:
            continue
        seen += 1
        row = element.inside("tr")
        known = report["metrics"].get(metric)
        want = plain(known["text"]) if known else None
        if row is not None:
            want = cell_texts.get((row.attributes.get("id"), metric), want)
        got = re.sub("^[▲■✓?–] (?=.)", "", plain(element.text()))
        if got != want:
            yield f"html: {metric} is shown as {got!r}, JSON says {want!r}"
    if seen < sum(len(b["tiles"]) for b in blocks(report, "tiles")):
        yield f"html: only {seen} elements name their metric"
