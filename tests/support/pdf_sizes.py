"""How large the text of a PDF is drawn: its content streams, as qpdf unpacks them, followed as far as that takes."""

import base64
import json
import re
import subprocess

TOKEN = re.compile(rb"\[(?:[^\[\]()<>]|\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>)*\]|\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f\s]*>"
                   rb"|/[^\s/<>\[\]()]+|[^\s/<>\[\]()]+")
OPERATOR = re.compile(rb"[A-Za-z'\"][A-Za-z0-9*]*$")
WHOLE = (1.0, 0.0, 0.0, 1.0)


def times(a, b):
    """a, then b: the part of a matrix that turns and scales."""
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3])


def sizes_of_stream(content):
    page, text, size, saved, operands = WHOLE, WHOLE, 0.0, [], []
    for match in TOKEN.finditer(content):
        token = match[0]
        if not OPERATOR.match(token):
            operands.append(token)
            continue
        if token == b"q":
            saved.append((page, size))
        elif token == b"Q":
            page, size = saved.pop()
        elif token == b"cm":
            page = times(tuple(map(float, operands[-6:-2])), page)
        elif token == b"BT":
            text = WHOLE
        elif token == b"Tm":
            text = tuple(map(float, operands[-6:-2]))
        elif token == b"Tf":
            size = float(operands[-1])
        elif token in (b"Tj", b"TJ"):
            drawn = times(text, page)
            yield size * abs(drawn[0] * drawn[3] - drawn[1] * drawn[2]) ** .5
        operands = []


def text_sizes(pdf):
    """In pt, of each piece of text: (page from 1, size)."""
    out = subprocess.run(["qpdf", "--json=2", "--json-stream-data=inline", "--decode-level=generalized", str(pdf)],
                         check=True, stdout=subprocess.PIPE).stdout
    told = json.loads(out)
    for number, page in enumerate(told["pages"], 1):
        for stream in page["contents"]:
            content = base64.b64decode(told["qpdf"][1]["obj:" + stream]["stream"]["data"])
            for size in sizes_of_stream(content):
                yield number, size
