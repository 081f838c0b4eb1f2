"""The walk over JSON finds in real trace files what Python's json module finds: events, values, texts, exact times."""

import gzip
import json
import os
import subprocess
import sys
from decimal import Decimal

DATA = os.environ.get("TPREPORT_TEST_DATA")


# Of larger files only the events are counted, not every value.
LARGE = 8 << 20


class Float(str):
    """A number with a point or an exponent, as written."""


def counts(path):
    """What json_count says of the file (of a large one how it begins), or None when Python cannot read it."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        data = file.read()
    try:
        root = json.loads(data, parse_float=Float, strict=False)
    except ValueError:
        return None
    if not isinstance(root, (dict, list)):
        return None
    events = root.get("traceEvents", []) if isinstance(root, dict) else root
    events = [event for event in events if isinstance(event, dict)] if isinstance(events, list) else []
    if len(data) > LARGE:
        return "end %d" % len(events)
    ts_ns = sum(round(Decimal(event["ts"]) * 1000) for event in events if type(event.get("ts")) in (int, Float))
    values = text_bytes = 0
    todo = [root]
    while todo:
        value = todo.pop()
        values += 1
        if isinstance(value, dict):
            text_bytes += sum(len(key.encode("utf-8", "surrogatepass")) for key in value)
            todo.extend(value.values())
        elif isinstance(value, list):
            todo.extend(value)
        elif type(value) is str:
            text_bytes += len(value.encode("utf-8", "surrogatepass"))
    return "end %d %d %d %d" % (len(events), values, text_bytes, ts_ns % 10 ** 15)


def has_repeated_keys(path):
    """An object that says a key twice has fewer members in Python."""
    found = []

    def look(pairs):
        if len({key for key, _ in pairs}) != len(pairs):
            found.append(pairs)
        return dict(pairs)

    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        json.loads(file.read(), object_pairs_hook=look, strict=False)
    return bool(found)


def main():
    if not DATA:
        print("skipped: TPREPORT_TEST_DATA is not set")
        return 77
    paths = sorted(os.path.join(folder, name)
                   for where in ("pytorch/found", "pytorch/captured", "xla/captured/jax_cnn")
                   for folder, _, names in os.walk(os.path.join(DATA, where))
                   for name in names if name.endswith((".json", ".json.gz")))
    said = subprocess.run([os.environ["TPREPORT_JSON_COUNT"], *paths], stdout=subprocess.PIPE, text=True, check=True)
    compared = failed = repeated = 0
    for path, got in zip(paths, said.stdout.splitlines(), strict=True):
        want = counts(path)
        if want is None:
            print("%s: Python cannot read it; here: %s" % (path, got))
            continue
        compared += 1
        if got.split()[:len(want.split())] == want.split():
            continue
        if got.split()[:2] == want.split()[:2] and has_repeated_keys(path):
            repeated += 1
            continue
        failed += 1
        print("FAILED %s\n  got  %s\n  want %s" % (path, got, want))
    print("%d files compared, %d of them say keys twice, %d differ" % (compared, repeated, failed))
    return 1 if failed or compared < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
