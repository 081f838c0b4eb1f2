"""Graphs of TensorFlow, written by hand: graph([node("a/b", "MatMul"), …], {"function": [node, …]}) is a GraphDef; meta() a
MetaGraphDef, saved() a saved model, run() the RunMetadata of a function, dump() what tfprof writes."""

from xspace_writer import field

FLOAT, INT64, RESOURCE = 1, 9, 20


def shape(dims):
    """None: of unknown rank."""
    return field(3, 1) if dims is None else b"".join(field(2, field(1, size)) for size in dims)


def node(name, op, *inputs, device="", dtype=0, T=0, of=False, outputs=(), cluster="", calls=""):
    """of: the attribute shape, a list or None; outputs: shapes of _output_shapes; cluster: what outside_compilation()
    marks; calls: a function that an attribute names."""
    attrs = {"dtype": field(6, dtype) if dtype else b"", "T": field(6, T) if T else b"",
             "shape": field(7, shape(of)) if of is not False else b"",
             "_output_shapes": field(1, b"".join(field(7, shape(one)) for one in outputs)) if outputs else b"",
             "_xla_outside_compilation": field(2, cluster) if cluster else b"",
             "f": named(calls) if calls else b""}
    return b"".join([field(1, name), field(2, op), *(field(3, i) for i in inputs), field(4, device) if device else b"",
                     *(field(5, field(1, key) + field(2, value)) for key, value in attrs.items() if value)])


def graph(nodes, functions=None):
    library = b"".join(field(1, field(1, field(1, name)) + b"".join(field(3, n) for n in inside))
                       for name, inside in (functions or {}).items())
    return b"".join(field(1, n) for n in nodes) + (field(2, library) if library else b"")


def meta(nodes, trained=None, version="2.21.0"):
    data = field(1, field(5, version)) + field(2, graph(nodes))
    if trained is not None:
        names = b"".join(field(1, field(1, name + ":0")) for name in trained)
        data += field(4, field(1, "trainable_variables") + field(2, field(2, names)))
    return data


def saved(*metas):
    return field(1, 1) + b"".join(field(2, one) for one in metas)


def run(*graphs):
    """RunMetadata with the graphs of functions before optimization."""
    return b"".join(field(4, field(1, graph([node("partition", "NoOp")])) + field(2, one)) for one in graphs)


def named(function):
    """The value of an attribute that names a function."""
    return field(10, field(1, function))


def call(name, op, *functions, attr="f"):
    """A node that names functions: one each attribute, or several in one, a list of them."""
    value = named(functions[0]) if len(functions) == 1 else field(1, b"".join(field(9, field(1, one)) for one in functions))
    return node(name, op) + field(5, field(1, attr) + field(2, value))


def parts(*graphs):
    """RunMetadata of a session's step with what each device got."""
    return b"".join(field(3, one) for one in graphs)


def stats(devices):
    """RunMetadata with statistics alone, {device: [(name, label), …]}."""
    return field(1, b"".join(field(1, field(1, device) + b"".join(field(2, field(1, name) + field(8, label)) for name, label in nodes))
                             for device, nodes in devices.items()))


def timed(*runs):
    """What a node did in a step: (whether tfprof counts it as CPU time, device, start in us, us)."""
    return field(1, len(runs)) + b"".join(field(5 if on_cpu else 4, field(1, device) + field(2, field(1, field(1, start) + field(1, us))))
                                         for on_cpu, device, start, us in runs)


def dump_node(number, name, op, inputs=(), types=(), of=(), execs=(), device="/device:cpu:0", runs=(), gives=(), takes=()):
    """inputs: numbers of nodes; execs: {step: (runs, accelerator us, cpu us, requested bytes)}; runs: {step: those of timed()}; gives: {output: its
    dimensions}; takes: {number of a node: which output of it}."""
    times = [(step, field(1, count) + b"".join(
        field(kind, field(1, device) + field(2, field(1, field(1, 5) + field(1, us))))
        for kind, us in ((4, accelerator), (5, cpu)) if us) + field(7, field(6, requested)))
        for step, (count, accelerator, cpu, requested) in dict(execs).items()] + [(step, timed(*of_step)) for step, of_step in dict(runs).items()]
    body = field(1, name) + field(9, op) + field(13, number) + field(6, device)
    body += b"".join(field(2, field(1, place) + field(2, one)) for place, one in enumerate(inputs))
    body += b"".join(field(5, one) for one in (op, *types)) + b"".join(field(4, size) for size in of)
    body += b"".join(field(14, field(1, one) + field(2, output)) for one, output in dict(takes).items())
    body += b"".join(field(15, field(1, output) + field(2, b"".join(field(1, size) for size in dims))) for output, dims in dict(gives).items())
    return field(1, field(1, number) + field(2, body + b"".join(field(12, field(1, step) + field(2, one)) for step, one in times)))


def dump(*nodes, steps=()):
    return b"".join(nodes) + b"".join(field(3, step) for step in steps)


# Two layers, a loop, a function, a variable that is a scope, and one of unknown shape.
LOOP = [
    node("x", "Placeholder", dtype=FLOAT, outputs=[[8, 4]]),
    node("dense/w", "VariableV2", dtype=FLOAT, of=[4, 3], outputs=[[4, 3]]),
    node("dense/w/read", "Identity", "dense/w", T=FLOAT, outputs=[[4, 3]]),
    node("dense/MatMul", "MatMul", "x", "dense/w/read", T=FLOAT, outputs=[[8, 3]]),
    node("loop/Enter", "Enter", "dense/MatMul", T=FLOAT, outputs=[[8, 3]]),
    node("loop/Merge", "Merge", "loop/Enter", "body/Next", T=FLOAT, outputs=[None, []]),
    node("loop/cond", "LoopCond", "loop/Merge:1"),
    node("body/Switch", "Switch", "loop/Merge", "loop/cond", T=FLOAT, outputs=[[8, 3], [8, 3]]),
    node("body/Next", "NextIteration", "body/Switch:1", "^x", T=FLOAT, outputs=[[8, 3]]),
    node("step", "VarHandleOp", dtype=INT64, of=[], device="/device:CPU:0"),
    node("step/read", "ReadVariableOp", "step", "^body/Next", dtype=INT64, outputs=[[]], device="/device:CPU:0"),
    node("odd", "Variable", dtype=FLOAT, of=[-1, 2]),
    node("call", "PartitionedCall", "body/Switch", "gone"),
]
LIBRARY = {"f": [node("inside/mul", "Mul", "a", "a"), node("inside/add", "Add", "inside/mul:z:0", "b")]}

# The same as text, in as many ways as the format has.
LOOP_TEXT = r'''
# A comment { with a brace "and a quote
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 4 } } } } } }
node < name: "dense/" "w" ; op: 'VariableV2'
  attr < key: "shape" value < shape { dim: [ { size: 4 }, < size: 3 > ] } > >
  attr { key: "dtype" value { type: 1 } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 0x4 } dim { size: 03 } } } } }
  attr { key: "ignored" value { tensor { tensor_content: "\000}\"\\ # no comment {" func { name: "{" } } } } >
node { name: "\144ense/\x77/read", op: "Identity", input: "dense/w" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 4 } dim { size: 3 } } } } } }
node: { name: "dense/MatMul" op: "MatMul" input: ["x", "dense/w/read"] attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 3 } } } } } }
node { name: "loop/Enter" op: "Enter" input: "dense/MatMul" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 3 } } } } } }
node { name: "loop/Merge" op: "Merge" input: "loop/Enter" input: "body/Next" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { unknown_rank: true } shape { } } } } }
node { name: "loop/cond" op: "LoopCond" input: "loop/Merge:1" }
node { name: "body/Switch" op: "Switch" input: "loop/Merge" input: "loop/cond" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 3 } } shape { dim { size: 8 } dim { size: 3 } } } } } }
node { name: "body/Next" op: "NextIteration" input: "body/Switch:1" input: "^x" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 8 } dim { size: 3 } } } } } }
node { name: "step" op: "VarHandleOp" device: "/device:CPU:0" attr { key: "dtype" value { type: DT_INT64 } }
  attr { key: "shape" value { shape { } } } }
node { name: "step/read" op: "ReadVariableOp" input: "step" input: "^body/Next" device: "/device:CPU:0"
  attr { key: "dtype" value { type: DT_INT64 } } attr { key: "_output_shapes" value { list { shape { } } } } }
node { name: "odd" op: "Variable" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
node { name: "call" op: "PartitionedCall" input: "body/Switch" input: "gone" }
library { function { signature { name: "f" input_arg { name: "a" type_attr: "T" } }
  node_def { name: "inside/mul" op: "Mul" input: "a" input: "a" }
  node_def { name: "inside/add" op: "Add" input: "inside/mul:z:0" input: "b" } ret { key: "c" value: "inside/add:z:0" } } }
versions { producer: 1882 }
'''
