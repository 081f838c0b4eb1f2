"""Files of src/ need each other in no circle: what a file calls, by the symbols of its object, does not call it back, not even by way
of others."""

import os
import subprocess
import sys
from pathlib import Path

from truth import SKIPPED, Check

SRC = Path(os.environ["TPREPORT_SOURCE"], "src")
OBJECTS = Path(os.environ["TPREPORT"]).parent / "src/CMakeFiles/tpreport_core.dir"
SUFFIX = ".c.o"
check = Check()


def objects():
    """{"analyze/ops/ops": its object}; of files that are no more an object may still lie there."""
    names = {path.relative_to(OBJECTS).as_posix()[:-len(SUFFIX)]: path for path in OBJECTS.rglob("*" + SUFFIX)}
    return {name: path for name, path in names.items() if (SRC / (name + ".c")).exists()}


def symbols(paths, *options):
    """(object, symbol) of each line of nm."""
    lines = subprocess.run(["nm", "-A", *options, *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    return [(line.rsplit(":", 1)[0], line.split()[-1]) for line in lines]


def needs(files):
    """{file: files whose symbols it uses}."""
    names = {str(path): name for name, path in files.items()}
    home = {symbol: names[path] for path, symbol in symbols(names, "--defined-only", "--extern-only")}
    found = {name: {} for name in files}
    for path, symbol in symbols(names, "--undefined-only"):
        if symbol in home:
            found[names[path]].setdefault(home[symbol], symbol)
    return found


def way(start, arrows):
    """The shortest way from a file back to itself; None when there is none."""
    came, queue = {}, [start]
    for file in queue:
        for target in arrows[file]:
            if target == start:
                steps = [file]
                while steps[-1] != start:
                    steps.append(came[steps[-1]])
                return steps[::-1] + [start]
            if target not in came:
                came[target] = file
                queue.append(target)
    return None


def told(steps, arrows):
    return ", ".join(f"{a} needs {arrows[a][b]} of {b}" for a, b in zip(steps, steps[1:]))


def main():
    made_up = {"a": {"b": "tp_b"}, "b": {"c": "tp_c"}, "c": {"a": "tp_a"}, "d": {"a": "tp_a"}}
    check.equal("a circle is found", way("a", made_up), ["a", "b", "c", "a"])
    check.equal("what leads to a circle is not in it", way("d", made_up), None)
    files = objects()
    if len(files) < 100:
        print("finds no objects of a build with CMake and Ninja")
        sys.exit(SKIPPED)
    arrows = needs(files)
    check.true("files need each other", sum(map(len, arrows.values())) > len(files))
    for file in sorted(files):
        steps = way(file, arrows)
        check.true(f"no circle through {file}" + (": " + told(steps, arrows) if steps else ""), steps is None)
    check.end()


if __name__ == "__main__":
    main()
