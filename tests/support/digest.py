"""What a Markdown digest must be, whatever is in the profile: short, tables of one width, and no markup but its own."""

import re

MOST_BYTES = 8192
CODE = re.compile(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)")


def without_code(line):
    return CODE.sub("code", line)


def bars(line):
    """How many bars of a line end a cell."""
    return len(re.findall(r"(?<!\\)\|", line))


def faults(text, most_bytes=MOST_BYTES):
    if len(text.encode()) > most_bytes:
        yield f"the digest has {len(text.encode())} bytes"
    width = 0
    for line in text.split("\n"):
        if any(ord(c) < 32 for c in line):
            yield f"controls in the digest: {line!r}"
        plain = re.sub(r"\\.", "", without_code(line))
        if re.search(r"[<>\[\]@]|://|www\.|[#!]\d", plain):
            yield f"the digest has markup of the profile: {line[:200]!r}"
        if line.startswith("|"):
            width = width or bars(line)
            if bars(line) != width:
                yield f"the digest has a row of another width: {line[:200]!r}"
        else:
            width = 0
