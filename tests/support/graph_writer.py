"""Graphs of TensorFlow, written by hand: graph([node("a/b", "MatMul"), …], {"function": [node, …]}) is a GraphDef."""

from xspace_writer import field


def node(name, op, *inputs, device=""):
    return b"".join([field(1, name), field(2, op), *(field(3, i) for i in inputs), field(4, device) if device else b""])


def graph(nodes, functions=None):
    library = b"".join(field(1, field(1, field(1, name)) + b"".join(field(3, n) for n in inside))
                       for name, inside in (functions or {}).items())
    return b"".join(field(1, n) for n in nodes) + (field(2, library) if library else b"")
