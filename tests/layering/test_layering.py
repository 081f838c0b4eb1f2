"""Layering: each room of src/ includes only the rooms, and the libraries, that it may see. Inside analyze a folder sees those of its
floor and of the floors below; folders of one floor stand in no circle."""

import fnmatch
import os
import re
import sys
import tempfile
from pathlib import Path

# What a room may include beside itself. io and codec are at everybody's service, except in analyze,
# which sees facts and the document only, and in the rooms below them; io has codec read what servers answer.
ROOMS = {
    "base": set(),
    "io": {"base", "codec"},
    "codec": {"base"},
    "model": {"base", "io", "codec"},
    "ingest": {"base", "io", "codec", "model"},
    "report": {"base"},
    "analyze": {"base", "model", "report"},
    "chart": {"base", "io", "codec", "report", "template"},
    "template": {"base", "io", "codec", "report"},
    "render": {"base", "io", "codec", "report", "chart", "template"},
    "stored": {"base", "io", "codec", "report"},
    "compare": {"base", "report"},
    "tfprof": {"base", "io", "codec", "model", "analyze", "render"},
    "redact": {"base", "codec", "report", "stored"},
    "live": {"base", "io", "codec"},
}
ROOMS["cli"] = set(ROOMS)
ROOMS["main.c"] = {"cli"}

# The folders of analyze, from the ground up: passes and how they run; what sections build on; sections; checks and the verdict; what
# makes a page of all this.
FLOORS = [
    ["core"], ["facts"], ["torch_steps"], ["steps"],
    ["graph", "input", "job", "kernels", "llm", "memory", "ops", "pod", "roofline", "tfprof", "timeline", "tracks",
     "torch/comm", "torch/costs", "torch/gpus", "torch/memory", "torch/modules", "torch/operators"],
    ["judge", "ranks"], ["page"],
]
FLOOR_OF = {folder: number for number, folders in enumerate(FLOORS) for folder in folders}

# Which files may include a library's headers: (name, pattern of the header, patterns of files).
LIBRARIES = [
    ("libxml2", r"libxml/.*", ["template/*", "io/records_xml.c"]),
    ("cairo", r"cairo.*", ["chart/*", "render/pdf*"]),
    ("pango", r"(pango|ft2build|freetype|fontconfig|hb|glib).*", ["chart/*", "render/pdf*"]),
    ("jansson", r"jansson.*", ["io/json_texts.c", "render/json*.c", "ingest/*", "cli/*", "compare/budget_read.c"]),
    ("curl", r"curl/.*", ["io/curl.h"]),
    ("PCRE2", r"pcre2\.h", ["base/pattern.c"]),
    ("libedit", r"editline/.*", ["tfprof/edit_libedit.c"]),
    ("SQLite", r"sqlite3.*", ["render/sqlite.c"]),
    ("protobuf messages", r".*\.pb-c\.h|protobuf-c/.*", ["codec/pb_message.*", "model/*", "ingest/*", "analyze/*", "cli/*", "live/profiler.c", "render/summary.c", "stored/summary.c", "stored/rank_set.c",
                                                                                     "tfprof/pprof.c"]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def folder_in_analyze(path):
    """Of "analyze/facts/op_times.h": "facts"; None when it is of another room."""
    return path[len("analyze/"):path.rindex("/")] if path.count("/") > 1 and path.startswith("analyze/") else None


def complaints_about_floors(path, number, header):
    folder, target = folder_in_analyze(path), folder_in_analyze(header)
    if folder not in FLOOR_OF:
        yield f"{path}:{number}: no folder of analyze is called {folder}"
    elif target is not None and FLOOR_OF.get(target, -1) > FLOOR_OF[folder]:
        yield f'{path}:{number}: "{header}" is on a floor above'


def circles(includes):
    """Folders that reach themselves: {folder: folders of its floor that it includes}."""
    def reached(folder):
        seen, left = set(), [folder]
        while left:
            for target in includes.get(left.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    left.append(target)
        return seen
    return sorted(folder for folder in includes if folder in reached(folder))


def complaints_about(path, number, quote, header):
    room = path.split("/")[0]
    may_see = ROOMS.get(room)
    if may_see is None:
        yield f"{path}:{number}: no room is called {room}/"
        return

    if quote == '"' and not header.endswith(".pb-c.h"):
        target = header.split("/")[0]
        if "/" not in header:
            yield f'{path}:{number}: "{header}" is included without its room'
        elif target not in ROOMS:
            yield f"{path}:{number}: no room is called {target}/"
        elif target != room and target not in may_see:
            yield f'{path}:{number}: {room} may not see "{header}"'

    if room == "analyze":
        yield from complaints_about_floors(path, number, header)

    for name, pattern, places in LIBRARIES:
        if re.fullmatch(pattern, header) and not any(fnmatch.fnmatch(path, p) for p in places):
            yield f"{path}:{number}: {name} belongs in {', '.join(places)} only"


def check(src):
    found = []
    seen = 0
    includes = {}
    for file in sorted(src.rglob("*.[ch]")):
        path = file.relative_to(src).as_posix()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                seen += 1
                found.extend(complaints_about(path, number, *match.groups()))
                folder, target = folder_in_analyze(path), folder_in_analyze(match[2])
                if folder != target and FLOOR_OF.get(folder) == FLOOR_OF.get(target):
                    includes.setdefault(folder, set()).add(target)
    found += [f"analyze/{folder}:0: it includes itself by way of others" for folder in circles(includes)]
    return found, seen


# A made-up tree: each line breaks one rule, or keeps it (ok).
MADE_UP = {
    "base/a.c": ['#include "base/a.h"', '#include "io/blob.h"  // bad'],
    "io/a.c": ['#include "base/a.h"', '#include "codec/varint.h"', '# include "model/profile.h"  // bad'],
    "io/curl.h": ["#include <curl/curl.h>"],
    "io/http.c": ["#include <curl/curl.h>  // bad"],
    "model/a.h": ['#include "io/blob.h"', '#include "xplane.pb-c.h"', '#include "report/doc.h"  // bad'],
    "ingest/a.c": ["#include <jansson.h>", '#include "report/doc.h"  // bad'],
    "analyze/core/a.c": [
        '#include "model/profile.h"',
        '#include "report/doc.h"',
        '#include "io/blob.h"  // bad',
        '#include "codec/varint.h"  // bad',
        '#include "chart/bar.h"  // bad',
        '#include "render/renderer.h"  // bad',
    ],
    "analyze/facts/a.c": ['#include "analyze/core/pass.h"', '#include "analyze/ops/ops.h"  // bad'],
    "analyze/ops/a.c": ['#include "analyze/facts/peaks.h"', '#include "analyze/memory/memory.h"', '#include "analyze/judge/rule.h"  // bad'],
    "analyze/memory/a.c": ['#include "analyze/pod/pod.h"'],
    "analyze/pod/a.c": ['#include "analyze/kernels/kernels.h"'],
    "analyze/judge/a.c": ['#include "analyze/ops/ops.h"', '#include "analyze/page/tiles.h"  // bad'],
    "analyze/attic/a.c": ['#include "base/a.h"  // bad'],
    "report/a.c": ['#include "model/profile.h"  // bad', "#include <jansson.h>  // bad"],
    "chart/a.c": ["#include <cairo.h>", "#include <pango/pangocairo.h>", '#include "analyze/core/pass.h"  // bad'],
    "template/fill.c": ["#include <libxml/xmlreader.h>", '#include "render/renderer.h"  // bad'],
    "render/pdf_page.c": ["#include <cairo-pdf.h>", '#include "model/profile.h"  // bad'],
    "render/json.c": ["#include <jansson.h>", "#include <libxml/tree.h>  // bad"],
    "render/sqlite.c": ["#include <sqlite3.h>"],
    "render/csv.c": ["#include <sqlite3.h>  // bad"],
    "render/html.c": ["#include <cairo.h>  // bad", '#include "html.h"  // bad'],
    "cli/cli.c": ['#include "ingest/reader.h"', '#include "render/renderer.h"', "#include <cairo.h>  // bad"],
    "utils/a.c": ["#include <stdio.h>  // bad"],
    "main.c": ['#include "cli/cli.h"', '#include "model/profile.h"  // bad'],
}


def check_the_checker():
    with tempfile.TemporaryDirectory() as directory:
        expected = set()
        for path, lines in MADE_UP.items():
            file = Path(directory, path)
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            expected |= {f"{path}:{n}" for n, line in enumerate(lines, 1) if "// bad" in line}
        found, _ = check(Path(directory))
        if circles({"ops": {"pod"}, "pod": {"ops"}, "memory": {"ops"}}) != ["ops", "pod"]:
            sys.exit("the checker itself is wrong: circles of folders")
        got = {":".join(complaint.split(":")[:2]) for complaint in found}
    if got != expected:
        sys.exit(f"the checker itself is wrong: missed {expected - got}, made up {got - expected}")


def main():
    check_the_checker()
    found, seen = check(Path(os.environ["TPREPORT_SOURCE"], "src"))
    for complaint in found:
        print(complaint)
    print(f"{seen} includes, {len(found)} complaints")
    sys.exit(1 if found or not seen else 0)


if __name__ == "__main__":
    main()
