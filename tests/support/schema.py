"""Validation against the part of JSON Schema that templates/report.schema.json uses; any other keyword is refused."""

import re

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
SILENT = {"$schema", "$id", "$defs", "title", "description"}


def faults(value, schema, root=None, where="$"):
    """What is wrong with value, as a list of sentences; empty when nothing is."""
    root = root or schema
    found = []
    for keyword, wanted in schema.items():
        if keyword not in SILENT:
            found += CHECKS[keyword](value, wanted, schema, root, where)
    return found


def same(a, b):
    """Equal as JSON: true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def check_type(value, wanted, _schema, _root, where):
    names = wanted if isinstance(wanted, list) else [wanted]
    return [] if any(TYPES[n](value) for n in names) else [f"{where} is no {' or '.join(names)}"]


def check_properties(value, wanted, _schema, root, where):
    if not isinstance(value, dict):
        return []
    return [f for k, s in wanted.items() if k in value for f in faults(value[k], s, root, f"{where}.{k}")]


def check_additional(value, wanted, schema, root, where):
    if not isinstance(value, dict):
        return []
    others = [k for k in value if k not in schema.get("properties", {})]
    if wanted is False:
        return [f"{where}.{k} is not in the schema" for k in others]
    return [f for k in others for f in faults(value[k], wanted, root, f"{where}.{k}")]


def check_items(value, wanted, _schema, root, where):
    if not isinstance(value, list):
        return []
    return [f for i, v in enumerate(value) for f in faults(v, wanted, root, f"{where}[{i}]")]


def check_any(value, wanted, _schema, root, where):
    tried = [faults(value, s, root, where) for s in wanted]
    # The nearest alternative is the one that complains farthest inside.
    return [] if [] in tried else max(tried, key=lambda f: max(len(x) for x in f))


def check_ref(value, wanted, _schema, root, where):
    target = root
    for step in wanted.removeprefix("#/").split("/"):
        target = target[step]
    return faults(value, target, root, where)


CHECKS = {
    "type": check_type,
    "properties": check_properties,
    "additionalProperties": check_additional,
    "items": check_items,
    "anyOf": check_any,
    "$ref": check_ref,
    "required": lambda v, w, _s, _r, at: [f"{at}.{k} is absent" for k in w if isinstance(v, dict) and k not in v],
    "enum": lambda v, w, _s, _r, at: [] if any(same(v, x) for x in w) else [f"{at} is {v!r}"],
    "const": lambda v, w, _s, _r, at: [] if same(v, w) else [f"{at} is {v!r}"],
    "minimum": lambda v, w, _s, _r, at: [] if not TYPES["number"](v) or v >= w else [f"{at} is {v!r}"],
    "maximum": lambda v, w, _s, _r, at: [] if not TYPES["number"](v) or v <= w else [f"{at} is {v!r}"],
    "pattern": lambda v, w, _s, _r, at: [] if not isinstance(v, str) or re.search(w, v) else [f"{at} is {v!r}"],
}
