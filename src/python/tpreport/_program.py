"""The program that comes with the module: where it is, and how it is called."""

import os
import subprocess
import sys
from pathlib import Path


class Failed(RuntimeError):
    """The program failed. `status` is its exit status (see `man tpreport`); the message is the program's."""

    def __init__(self, status, message):
        super().__init__(message.strip() or f"tpreport: exit status {status}")
        self.status = status


def program():
    """The path of the program; TPREPORT in the environment names another one."""
    return os.environ.get("TPREPORT") or str(Path(__file__).parent / "bin" / "tpreport")


def run(*words, statuses=(0,)):
    """Runs the program with these words and returns its standard output as bytes. Raises Failed, with the program's message, if the exit status
    is not among `statuses`."""
    done = subprocess.run([program(), *map(os.fspath, words)], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in statuses:
        raise Failed(done.returncode, done.stderr.decode("utf-8", "replace"))
    return done.stdout


def options(given):
    """{"template_dir": "look", "host": ["a", "b"], "strict": True} as words of the command line."""
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        else:
            for one in value if isinstance(value, (list, tuple)) else [value]:
                yield f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}"


def main():
    """The command tpreport: replaces this process with the program."""
    path = program()
    try:
        os.execv(path, ["tpreport", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"tpreport: {path}: {error.strerror}")
