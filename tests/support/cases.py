"""Tests that are functions of a scratch folder, run one after the other; one that must() fails ends, the others go on."""

import sys
import tempfile


class Fault(Exception):
    pass


def must(sound, *what):
    if not sound:
        raise Fault(" ".join(map(str, what)))


def run_all(tests):
    """Those named on the command line, or all."""
    wanted = sys.argv[1:]
    failed = 0
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(folder)
            except Fault as fault:
                failed += 1
                print(f"{test.__name__}: {fault}")
    print(f"{len(tests)} tests, {failed} failed")
    sys.exit(failed != 0)
