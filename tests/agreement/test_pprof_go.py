"""The code view as a profile.proto.gz, read by Go's pprof: what each function took, itself and with those that it called, is what the code
view says. Skipped where there is no Go."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from truth import SKIPPED, SOURCE, Check, run

DUMP = SOURCE / "tests" / "truth" / "own" / "tfprof" / "profile_9.gz"
GO = shutil.which("go")
check = Check()


def top_of(profile, folder):
    """{function: (flat, cum)} and the total, as `go tool pprof -top` prints them; each figure in full."""
    # Go builds the tool once and keeps it in its cache, of the user where there is one
    cache = {} if "HOME" in os.environ or "GOCACHE" in os.environ else {"GOCACHE": str(Path(folder, "cache"))}
    whole = ("-unit=us", "-nodecount=100000", "-nodefraction=0", "-edgefraction=0", "-sample_index=1")
    done = subprocess.run([GO, "tool", "pprof", "-top", *whole, str(profile)], capture_output=True, text=True, check=False,
                          env={**os.environ, "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod", **cache})
    if done.returncode != 0:
        sys.exit(f"go tool pprof: {done.stderr}")
    rows = re.findall(r"^ *([\d.]+)(us)? +[\d.]+% +[\d.]+% +([\d.]+)(?:us)? +[\d.]+% +(.*)$", done.stdout, re.M)
    [total] = re.findall(r"of ([\d.]+)us total", done.stdout)
    return {shortened(name): (float(flat), float(cum)) for flat, _, cum, name in rows}, float(total)


def shortened(name):
    """As the view cuts names of functions: of more than 19 letters the first 17."""
    file, function = name.split(":", 1)
    function, _, gradient = function.partition(" (gradient)")
    kept = function if len(function) <= 19 else function[:17] + "..."
    return f"{file}:{kept}{' (gradient)' if name.endswith(' (gradient)') else gradient}"


def function_of(label):
    """The profile names no lines: "conv.py:12:main" is conv:main there, its gradient too."""
    file, _, function = label.split(":", 2)
    return f"{file.removesuffix('.py')}:{function}"


def sums_of(tree):
    """The same out of the code view: of a function that calls itself the outer call counts."""
    flat, cum = {}, {}

    def walk(node, above):
        name = function_of(node["name"]) if node["name"].count(":") >= 2 else None
        if name is not None:
            flat[name] = flat.get(name, 0) + int(node.get("exec_micros", 0))
            if name not in above:
                cum[name] = cum.get(name, 0) + int(node.get("total_exec_micros", 0))
        for child in node.get("children", ()):
            walk(child, above | {name})

    walk(tree, frozenset())
    return {name: (flat[name], cum[name]) for name in flat}


def main():
    if GO is None:
        print("there is no Go: nothing to compare with")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder, "code.pb.gz")
        words = ("tfprof", "--profile_path", DUMP, "code", "-select", "micros", "-order_by", "micros", "-max_depth", "1000")
        check.equal("written", run(*words, "-output", f"pprof:outfile={profile}").returncode, 0)
        tree = json.loads(run(*words, "--json").stdout)
        rows, total = top_of(profile, folder)
    check.equal("total", total, float(tree["total_exec_micros"]))
    sums = sums_of(tree)
    check.true("there are functions", len(rows) > 20)
    for name, (flat, cum) in sorted(rows.items()):
        check.equal(name, (flat, cum), tuple(map(float, sums.get(name, (-1, -1)))))
    # a frame is called what was called from it, as tfprof has it: the module itself was called by nobody
    missing = {name for name, (_, cum) in sums.items() if cum > 0 and ":<module>" not in name} - set(rows)
    check.equal("functions that pprof has not", sorted(missing), [])
    check.end()


main()
