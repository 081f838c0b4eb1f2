"""Runs tpreport on profiles that lie: each must give a valid report, exit status 0, and take no longer than its size explains.

The large ones hold some 3,000 events or names; TPREPORT_ALL=1 makes them five times as large, TPREPORT_STRESS=30 (say) that many
times.
"""

import html.parser
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import digest
import plain_tables
import sampled
import tiny_xspace as t
from xspace_writer import field, varint

PROGRAM = os.environ["TPREPORT"]
STRESS = int(os.environ.get("TPREPORT_STRESS", "5" if sampled.ALL else "1"))
MANY = 3_000 * STRESS
SECONDS = 20  # of processor time, with sanitizers; quadratic ways take minutes
MOST_BYTES = (("r.html", 5_000_000), ("r.pdf", 2_000_000))

EVIL = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onmouseover='x", "]]><b id=evil>",
    "</script><b id=evil>", "<!--", "a\0b", "\x1b[31mred\x07", "\u202egnirts", "\u2028", "&lt;b&gt;", "{{evil}}",
    "*bold* `code` [a](#b)", "%s%n%d", "../../etc/passwd", "=1+1", "\ufffe\uffff", "\ufdd0\U0001fffe\U0010ffff",
    "tag\U000e0041\U000e007f\ufff9\u2061\u206a",
]
BROKEN = [b"\xff\xfe", b"\xc3(", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80" * 5000, b"ok\xe2\x80"]


def raw_event(op, offset, duration, stats=b""):
    body = field(1, op) + field(2, offset) + field(3, duration) + stats
    return varint(4 << 3 | 2) + varint(len(body)) + body


class Elements(html.parser.HTMLParser):
    """Counts scripts that run, and elements that no template writes."""

    def __init__(self):
        super().__init__()
        self.scripts, self.strange = 0, []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        self.scripts += tag == "script" and "type" not in names
        if names.get("id") == "evil" or any(name.startswith("on") for name in names) or tag in ("img", "iframe"):
            self.strange.append((tag, attributes))


def elements(path):
    found = Elements()
    with open(path, encoding="utf-8", newline="") as file:
        page = file.read()
    if len(page) > 2_000_000:  # many harmless names: the parser would take longer than the program
        found.scripts = sum(" type=" not in tag for tag in re.findall(r"<script[^>]*>", page))
    else:
        found.feed(page)
        found.close()
    return found


def processor_seconds():
    """Of all programs run so far: what else the machine does is not counted."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(folder, data, name="vm.xplane.pb", with_pdf=False):
    path = os.path.join(folder, name)
    with open(path, "wb") as out:
        out.write(data)
    page, tree = os.path.join(folder, "r.html"), os.path.join(folder, "r.json")
    others = [os.path.join(folder, name) for name in ("r.md", "r.csv", "r.sqlite", *(["r.pdf"] if with_pdf else []))]
    outputs = [word for output in (page, tree, *others) for word in ("-o", output)]
    began = processor_seconds()
    done = subprocess.run([PROGRAM, path, *outputs], stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=25 * SECONDS, check=False)
    return done, page, tree, processor_seconds() - began


def faults(folder, data, scripts, name, with_pdf):
    done, page, tree, seconds = run(folder, data, name, with_pdf)
    if done.returncode != 0:
        yield f"exit status {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}"
        return
    if any(byte < 32 and byte != 10 for byte in done.stderr):
        yield "control characters on stderr"
    with open(tree, encoding="utf-8") as text:
        report = json.load(text, parse_constant=lambda word: sys.exit(f"{word} in JSON"))
    yield from plain_tables.faults(report, os.path.join(folder, "r.csv"), os.path.join(folder, "r.sqlite"))
    found = elements(page)
    if found.strange or found.scripts != scripts:
        yield f"{found.scripts} scripts, strange elements {found.strange[:3]}"
    with open(os.path.join(folder, "r.md"), encoding="utf-8") as text:
        yield from digest.faults(text.read())
    for name, most in MOST_BYTES[:1 + with_pdf]:
        size = os.path.getsize(os.path.join(folder, name))
        if size > most:
            yield f"{name} has {size} bytes"
    if seconds > SECONDS * max(1, STRESS):
        yield f"took {seconds:.1f} s for {len(data) / 1e6:.1f} MB"


def judge(cases, name="vm.xplane.pb", usual=t.every_plane):
    """Runs each case (a function that returns bytes of a file of this name), or those named on the command line, and ends
    the test. Pages have as many scripts as that of the usual file."""
    wanted = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        _, page, _, _ = run(folder, usual(), name)
        scripts = elements(page).scripts
        chosen = [case for case in cases if not wanted or case.__name__ in wanted]
        with_pdf = (lambda: True) if wanted else sampled.now_and_then("hostile inputs that become a PDF, too", 3)
        for case in chosen:
            data = case()
            began = time.monotonic()
            wrong = list(faults(folder, data, scripts, name, with_pdf()))
            size = os.path.getsize(os.path.join(folder, "r.html")) / 1e6
            print(f"{case.__name__}: {len(data) / 1e6:.1f} MB, {time.monotonic() - began:.1f} s with checks, "
                  f"page {size:.1f} MB", *wrong, sep="\n    ", flush=True)
            failed += bool(wrong)
    sys.exit(failed != 0)
