"""A report's JSON as tests walk it: blocks, cells, metrics by scope, sentences; comparisons that allow rounding."""

def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def above(a, b):
    """Whether a > b by more than rounding; what is missing is above nothing."""
    return number(a) and number(b) and a > b + 1e-6 * max(abs(a), abs(b)) + 1e-9


def differ(a, b):
    return above(a, b) or above(b, a)


def saved_ms(finding):
    """The time that a finding saves, at most; None: it is not bounded, or what is saved is memory."""
    saving = finding.get("saving", {})
    return saving["value"] if saving.get("unit") == "ms" and number(saving["value"]) else None


def blocks(node):
    for child in node.get("sections", []) + node.get("blocks", []):
        yield child
        yield from blocks(child)


def cells(report):
    """(table, row, column, cell) of every table."""
    for table in blocks(report):
        if table["kind"] == "table":
            for row in table["rows"]:
                for column in table["columns"]:
                    yield table, row, column, row["cells"][column["key"]]


def scoped(report):
    """{scope: {id without scope: value}}; scope "" is all together."""
    scopes = {}
    for name, metric in report["metrics"].items():
        base, _, scope = name.partition("@")
        scopes.setdefault(scope, {})[base] = metric["value"]
    return scopes


def sentences(report):
    """(where, text) of what a reader is told in words."""
    for name, text in (report["verdict"] or {}).items():
        if isinstance(text, str):
            yield f"verdict.{name}", text
    for finding in report["findings"]:
        for key in ("title", "brief", "saw", "matters", "check", "reason"):
            yield f"{finding['id']}.{key}", finding.get(key) or ""
        for action in finding.get("actions", []):
            yield f"{finding['id']}.actions", action
    for block in blocks(report):
        if block["kind"] == "paragraph":
            yield from ((block["id"], item) for item in block["items"])
        for key in ("text", "answer", "so_what", "caption", "aside", "note", "alt"):
            if isinstance(block.get(key), str):
                yield f"{block['id']}.{key}", block[key]
        for tile in block.get("tiles", []):
            yield from ((tile["id"], text) for text in [tile["label"], tile.get("qualifier", ""), *tile.get("notes", [])])
    for name, metric in report["metrics"].items():
        for key in ("missing", "how", "coverage"):
            yield f"{name}.{key}", metric.get(key) or ""
