"""A second reader of TensorFlow graphs: GraphDef, MetaGraphDef and tfprof dumps on the wire, GraphDef as text. Written from the
.proto files, apart from the program's readers."""

import re

from xspace_reader import fields, signed, text

VARIABLES = ("VarHandleOp", "VariableV2", "Variable")


def many(data, number):
    return [value for n, value in fields(data) if n == number]


def first(data, number, default=b""):
    return next(iter(many(data, number)), default)


def entries(data, number):
    """The pairs of a map field."""
    return [(first(entry, 1, 0), first(entry, 2, 0)) for entry in many(data, number)]


def shape_of(data):
    """None: of unknown rank."""
    if first(data, 3, 0):
        return None
    return [signed(first(dim, 1, 0)) for dim in many(data, 2)]


def product(shape):
    total = 1
    for dim in shape or []:
        total *= dim
    return None if shape is None or any(dim < 0 for dim in shape) else total


def wire_node(data):
    attrs = {text(key): value for key, value in entries(data, 5)}
    shape = first(attrs.get("shape", b""), 7, None)
    return {"name": text(first(data, 1)), "op": text(first(data, 2)), "inputs": [text(i) for i in many(data, 3)],
            "device": text(first(data, 4)), "shape": None if shape is None else shape_of(shape),
            "output_shapes": [shape_of(s) for s in many(first(attrs.get("_output_shapes", b""), 1), 7)]}


def wire_graph(data):
    """(nodes, {function: nodes})"""
    functions = {}
    for library in many(data, 2):
        for function in many(library, 1):
            functions[text(first(first(function, 1), 1))] = [wire_node(node) for node in many(function, 3)]
    return [wire_node(node) for node in many(data, 1)], functions


def trained_of_meta(data):
    names = set()
    for key, value in entries(data, 4):
        if text(key) == "trainable_variables":
            names |= {text(first(v, 1)).split(":")[0] for v in many(first(value, 2), 1)}
    return names


TOKEN = re.compile(rb"""[ \t\r\n,;]+|\#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}<>\[\]:]|[^ \t\r\n{}<>\[\]:,;"'#]+""", re.S)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}


def unquoted(token):
    def one(match):
        code = match.group(1)
        return chr(int(code, 8)) if code[0] in "01234567" else ESCAPES.get(code, code)
    return re.sub(r"\\([0-7]{1,3}|.)", one, token[1:-1].decode("latin-1"), flags=re.S).encode("latin-1").decode("utf-8", "replace")


def parsed(data):
    """A message as [(name, value)]; messages within are such lists, all else texts."""
    stack, name, out = [], None, []
    top = out
    for match in TOKEN.finditer(data):
        token = match.group(0)
        if token[:1] in b" \t\r\n,;#" or token == b":":
            continue
        if token in (b"{", b"<"):
            stack.append(out)
            inner = []
            out.append((name, inner))
            out, name = inner, None
        elif token in (b"}", b">"):
            out = stack.pop()
        elif name is None:
            name = token.decode()
        else:
            out.append((name, unquoted(token) if token[:1] in b"\"'" else token.decode()))
            name = None
    return top


def named(message, name):
    return [value for key, value in message if key == name]


def text_shape(message):
    if named(message, "unknown_rank"):
        return None
    return [int((named(dim, "size") or [0])[0]) for dim in named(message, "dim")]


def text_node(message):
    attrs = {named(a, "key")[0]: named(a, "value")[0] for a in named(message, "attr")}
    shape = named(attrs.get("shape", []), "shape")
    lists = named(attrs.get("_output_shapes", []), "list")
    return {"name": named(message, "name")[0], "op": named(message, "op")[0], "inputs": named(message, "input"),
            "device": (named(message, "device") or [""])[0], "shape": text_shape(shape[0]) if shape else None,
            "output_shapes": [text_shape(s) for one in lists for s in named(one, "shape")]}


def text_graph(data):
    return [text_node(node) for node in named(parsed(data), "node")]


def dump(data, without=None):
    """A tfprof dump: (nodes by name, steps). Figures are sums over steps, those of one step left out."""
    nodes, by_id = {}, {}
    for key, node in entries(data, 1):
        by_id[key] = text(first(node, 1))
        runs = [run for step, run in entries(node, 12) if step != without]
        times = {field: sum(dur for run in runs for _, t in entries(run, field) for one in many(t, 1)
                            for dur in [numbers(one)[1]]) for field in (4, 5)}
        nodes[by_id[key]] = {
            "op": text(first(node, 9)), "types": {text(t) for t in many(node, 5)}, "id": key,
            "inputs": [value for _, value in sorted(entries(node, 2))],
            "device": text(first(node, 6)), "shape": [signed(n) for n in numbers_of(node, 4)],
            "runs": sum(first(run, 1, 0) for run in runs), "accelerator_us": times[4], "cpu_us": times[5],
            "requested": sum(first(memory, 6, 0) for run in runs for memory in many(run, 7)), "steps": len(runs)}
    return nodes, by_id, numbers_of(data, 3)


def packed(data):
    out, at = [], 0
    while at < len(data):
        number, shift = 0, 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        out.append(number)
    return out


def numbers_of(data, number):
    return [n for value in many(data, number) for n in (packed(value) if isinstance(value, bytes) else [value])]


def numbers(tuple_message):
    return numbers_of(tuple_message, 1)
