"""Every example does what its README says: its command runs, and gives what lies in expected/. With --update, writes that."""

import difflib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["TPREPORT_SOURCE"])
TPREPORT = os.environ["TPREPORT"]


def run(arguments, folder):
    done = subprocess.run([TPREPORT, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"tpreport {shlex.join(map(str, arguments))}: exit status {done.returncode}\n{done.stderr}")
    return done


def command_of(example):
    """The tpreport command of the example's README, as words without the program's name."""
    commands = re.findall(r"^tpreport (.*)$", (example / "README.md").read_text(encoding="utf-8"), re.M)
    if len(commands) != 1:
        sys.exit(f"{example.name}/README.md shows {len(commands)} tpreport commands, not one")
    return shlex.split(commands[0])


def made_by(example, folder):
    """{file of expected/: text}, by the README's command with two more outputs. Metrics that are missing are left out: golden/
    holds one of each."""
    (folder / "examples").symlink_to(SOURCE / "examples")
    command = command_of(example)
    said = run([*command, "-o", "report.outline", "-o", "report.json"], folder)
    if said.stderr:
        sys.exit(f"{example.name}: the command says\n{said.stderr}")
    for output in (word for before, word in zip(command, command[1:]) if before == "-o"):
        if (folder / output).stat().st_size < 1000:
            sys.exit(f"{example.name}: {output} is nearly empty")
    names = json.loads((folder / "report.json").read_text(encoding="utf-8"))["metrics"]
    figures = run(["get", command[0], *names], folder).stdout.splitlines(keepends=True)
    return {"report.outline": (folder / "report.outline").read_text(encoding="utf-8"),
            "metrics.tsv": "".join(line for line in figures if line.split("\t")[1] != "-")}


def main():
    different = compared = 0
    examples = sorted(path.parent for path in (SOURCE / "examples").glob("*/input"))
    for example in examples:
        with tempfile.TemporaryDirectory() as folder:
            made = made_by(example, Path(folder))
        for name, text in made.items():
            path = example / "expected" / name
            if "--update" in sys.argv:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
                continue
            expected = path.read_text(encoding="utf-8") if path.exists() else ""
            lines = list(difflib.unified_diff(expected.splitlines(), text.splitlines(), f"expected/{name}", "now",
                                              lineterm="", n=0))
            compared += len(text.splitlines())
            different += bool(lines)
            for line in lines[:40]:
                print(f"{example.name}: {line[:300]}")
    print(f"{len(examples)} examples, {compared} lines compared, {different} files differ")
    if different:
        print("when the change is meant: cmake --build BUILD -t examples-update")
    sys.exit(1 if different or not examples else 0)


if __name__ == "__main__":
    main()
