"""The tree: nothing at the top level that does not belong there, nothing heavy, nothing left open."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = {
    "CMakeLists.txt", "CMakePresets.json", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml",
    "src", "templates", "fonts", "proto", "tests", "examples",
    ".ci", ".clang-format", ".clang-tidy", ".gitignore", ".gitattributes", ".github", ".editorconfig",
}
HEAVY_BYTES = 1_500_000
CODE = {".c", ".h", ".js", ".css", ".html", ".cmake", ".sh", ".py", ".proto", ".txt", ".json"}
LEFT_OPEN = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
# Captured profiles and the like: what they say is not ours.
DATA = re.compile(r"^(examples/[^/]+/(input|expected)/|tests/(golden|fuzz/corpus|truth|samples)/)")


def tracked(root):
    """What git tracks; without git or its history, all files but those that .gitignore names."""
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z"],
        capture_output=True, text=True, check=False,
    ) if (root / ".git").exists() and has_git() else None
    if listing and listing.returncode == 0 and listing.stdout:
        return [p for p in listing.stdout.split("\0") if p and (root / p).is_file()]
    return walk(root)


def has_git():
    return any(Path(d, "git").exists() for d in os.environ.get("PATH", "").split(":"))


def walk(root):
    files = []
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        ignored = re.match(r"(build[^/]*/|\.git/|report\.(html|pdf)$)", path) or "__pycache__" in path
        if file.is_file() and not ignored:
            files.append(path)
    return files


def check(root, files):
    found = []
    for path in files:
        top = path.split("/")[0]
        file = root / path
        if top not in TOP:
            found.append(f"{path}: {top} does not belong at the top level")
        if file.stat().st_size > HEAVY_BYTES:
            found.append(f"{path}: {file.stat().st_size} bytes; a clone should not carry more than {HEAVY_BYTES}")
        if file.suffix in CODE and not DATA.match(path):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if LEFT_OPEN.search(line):
                    found.append(f"{path}:{number}: left open: {line.strip()}")
        if path.endswith(".sh") or path == ".ci/run":
            if file.read_text(encoding="utf-8").startswith("#!") and not os.access(file, os.X_OK):
                found.append(f"{path}: not executable")
    return found


def check_the_checker():
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        (root / "src").mkdir()
        (root / "src" / "good.c").write_text("/* Nothing to do here. */\n")
        (root / "src" / "open.c").write_text("int a; /* TO" "DO: b */\n")
        (root / "src" / "heavy.bin").write_bytes(bytes(HEAVY_BYTES + 1))
        (root / "notes.txt").write_text("mine\n")
        (root / "src" / "go.sh").write_text("#!/bin/sh\n")
        (root / "build").mkdir()
        (root / "build" / "x.c").write_text("/* FIX" "ME */\n")
        got = sorted(complaint.split(":")[0] for complaint in check(root, tracked(root)))
    expected = ["notes.txt", "src/go.sh", "src/heavy.bin", "src/open.c"]
    if got != expected:
        sys.exit(f"the checker itself is wrong: expected {expected}, got {got}")


def main():
    check_the_checker()
    root = Path(os.environ["TPREPORT_SOURCE"])
    files = tracked(root)
    found = check(root, files)
    for complaint in found:
        print(complaint)
    print(f"{len(files)} files, {len(found)} complaints")
    sys.exit(1 if found or not files else 0)


if __name__ == "__main__":
    main()
