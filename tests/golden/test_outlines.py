"""Outlines of small profiles, each with something missing: the same as in outlines/. With --update they are written anew."""

import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import graph_writer
import tiny_xspace as tiny

TPREPORT = os.environ.get("TPREPORT", "tpreport")
EXPECTED = Path(__file__).resolve().parent / "outlines"


def tpu_without_steps():
    plane = tiny.tpu()
    plane.lines = [line for line in plane.lines if b"Steps" not in line]
    return plane


# What is there; the name says what is not, or what is odd.
PROFILES = {
    "every_plane": tiny.every_plane,
    "tpu_without_steps": lambda: tiny.space(tpu_without_steps(), tiny.environment()),
    "tpu_without_events": lambda: tiny.space(tiny.tpu(steps=0), tiny.environment()),
    "gpu_without_peaks": lambda: tiny.space(tiny.gpu(stats=False), tiny.host()),
    "cpu_without_markers": lambda: tiny.space(tiny.host(steps=0), tiny.metadata(), tiny.environment()),
    "tpu_in_tiles": tiny.tiled,
    "environment_only": lambda: tiny.space(tiny.environment()),
}
# Files that are no profiles, as they lie in a log directory.
OTHERS = {
    "graph_of_a_loop": ("graph.pb", lambda: graph_writer.graph(graph_writer.LOOP, graph_writer.LIBRARY)),
}


def output(name, form):
    """The report in this format, of a file in a log directory of its own, so that no path of this machine is in it."""
    path, data = OTHERS.get(name) or ("plugins/profile/2026_01_01_00_00_00/vm.xplane.pb", PROFILES[name])
    with tempfile.TemporaryDirectory() as top:
        file = Path(top, name, path)
        file.parent.mkdir(parents=True)
        file.write_bytes(data())
        done = subprocess.run([TPREPORT, "-q", str(Path(top) / name), "-o", "-", "--format", form],
                              capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{name}: exit status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode("utf-8")


def main():
    different = 0
    for name in [*PROFILES, *OTHERS]:
        path = EXPECTED / f"{name}.outline"
        got = output(name, "outline")
        if "--update" in sys.argv:
            EXPECTED.mkdir(exist_ok=True)
            path.write_text(got, encoding="utf-8")
        want = path.read_text(encoding="utf-8") if path.exists() else ""
        for line in difflib.unified_diff(want.splitlines(), got.splitlines(), str(path), "now", lineterm="", n=1):
            print(line)
        different += want != got
    print(f"{len(PROFILES) + len(OTHERS) - different} passed, {different} failed")
    sys.exit(different != 0)


if __name__ == "__main__":
    main()
