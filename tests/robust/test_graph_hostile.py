"""Graphs that mean harm, and the largest: evil names, nesting and scopes without end, cycles, the same again and again."""

import tfrecord
from graph_writer import LOOP, dump, dump_node, graph, node
from hostile import BROKEN, EVIL, MANY, judge
from xspace_writer import field

NODES = max(200_000, MANY)


def evil_names():
    nodes = [node(name, name, name, "^" + name, device=name) for name in EVIL]
    nodes += [node(f"{name}/{name}", f"{name}{i}", EVIL[0]) for i, name in enumerate(EVIL)]
    return graph(nodes, {name: nodes[:3] for name in EVIL})


def broken_names():
    return b"".join(field(1, field(1, name + b"/x") + field(2, name) + field(3, name) + field(4, name)) for name in BROKEN)


def a_hundred_thousand_slashes():
    deep = "a/" * 100_000
    return graph([node(deep + "x", "NoOp"), node(deep + "y", "NoOp", deep + "x"), node("/" * 100_000, "NoOp"), node("a", "NoOp")])


def text_a_million_deep():
    deep = b"attr { value { tensor " + b"{ a < " * 500_000 + b"> } " * 500_000 + b"} }"
    return b'node { name: "x" op: "NoOp" ' + deep + b' input: "y" } node { name: "y" op: "NoOp" }'


def text_that_only_opens():
    return b'node { name: "x" op: "NoOp" } node ' + b"{ a " * 1_000_000


def wire_that_is_deep():
    """A function as attribute of a function as attribute …; what nobody looks into."""
    inner = b""
    for _ in range(2000):
        inner = field(10, field(2, field(1, "f") + field(2, inner)))
    return graph([node("x", "NoOp") + field(5, field(1, "f") + field(2, inner))])


def all_read_all():
    return graph([node(f"s{i}/n", "Op", *(f"s{k}/n" for k in range(300))) for i in range(300)])


def one_node_of_many_inputs():
    return graph([node("a", "NoOp")] + [node("b", "AddN", *["a"] * (10 * MANY))])


def the_same_name_again():
    return graph([node("a", "NoOp")] * (10 * MANY))


def many_functions():
    return graph([node("a", "NoOp")], {f"f{i}": [node("x/y", "NoOp")] for i in range(MANY)})


def a_scope_each():
    return graph([node(f"s{i}/a/b/c", f"Op{i}", f"s{i - 1}/a/b/c", device=f"/device:TPU:{i}") for i in range(MANY)])


def huge_variables():
    return graph([node(f"v{i}", "VariableV2", of=[2**31, 2**31, 2**31 if i % 2 else 1], dtype=1) for i in range(100)])


def an_event_file_of_graphs():
    data = tfrecord.version(1.0) + b"".join(tfrecord.event(2, i, field(4, graph(LOOP[:1 + i % 13]))) for i in range(1000))
    return data + b"".join(tfrecord.event(3, 0, field(9, field(2, graph(LOOP)))) for _ in range(1000))


def large_graph():
    """As deep models have it: 200,000 nodes in 4,000 scopes, each reading two others."""
    names = [f"model/block_{i // 5000}/layer_{i // 250 % 20}/unit_{i // 25 % 10}/op_{i}" for i in range(NODES)]
    return graph([node(name, "VariableV2" if i % 25 == 0 else f"Op{i * 7919 % 97}", *({names[i - 1], names[i // 2]} - {name}),
                       **({"of": [64, 64], "dtype": 1} if i % 25 == 0 else {})) for i, name in enumerate(names)])


def large_dump():
    names = [f"model/block_{i // 5000}/layer_{i // 250 % 20}/unit_{i // 25 % 10}/op_{i}" for i in range(NODES // 4)]
    return dump(*(dump_node(i, name, f"Op{i * 7919 % 97}", inputs=(max(i - 1, 0), i // 2), execs={0: (1, 2, 3, 4), 9: (1, 5, 6, 7)})
                  for i, name in enumerate(names)), steps=(0, 9))


if __name__ == "__main__":
    judge([evil_names, broken_names, a_hundred_thousand_slashes, text_a_million_deep, text_that_only_opens, wire_that_is_deep,
           all_read_all, one_node_of_many_inputs, the_same_name_again, many_functions, a_scope_each, huge_variables,
           an_event_file_of_graphs, large_graph, large_dump], "graph.pb", lambda: graph(LOOP))
