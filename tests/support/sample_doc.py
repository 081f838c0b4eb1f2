"""The sample document through one renderer, for script tests."""

import os
import subprocess
import sys


def render(form, path="-"):
    """The bytes of the sample document in this format; with a path, written there instead."""
    tool = os.environ.get("TPREPORT_SAMPLE")
    if not tool:
        print("TPREPORT_SAMPLE is not set: run through ctest")
        sys.exit(77)
    return subprocess.run([tool, form, str(path)], check=True, stdout=subprocess.PIPE).stdout
