"""tpreport tfprof as its users call it: files, folders, options in both spellings, scripts, a terminal; and what is wrong or hostile, which must
be said clearly and soon."""

import gzip
import json
import os
import pty
import select
import shutil
import signal
import struct
import time

import graph_writer
import table_writer
from cases import must, run_all
from command_line import DAMAGED, NOTHING, OK, PROGRAM, USAGE, expect, run, write
from xspace_writer import field

SOURCE = os.environ["TPREPORT_SOURCE"]
with open(PROGRAM, "rb") as program:
    COMPLETES = b"libedit.so" in program.read()  # else the build found none
SECONDS = 20  # with sanitizers, on a busy machine


def dump(folder, name="profile_3", us=7):
    """Two scopes, a node that takes what the dump does not hold, and a circle."""
    nodes = [
        graph_writer.dump_node(0, "a/w", "VariableV2", of=(4, 3), types=("_trainable_variables",), execs={0: (1, us, 0, 5)}),
        graph_writer.dump_node(1, "a/y", "MatMul", inputs=(0, 9), execs={0: (1, us, 0, 5), 2: (1, us, 0, 5)}),
        graph_writer.dump_node(2, "b/in", "A", inputs=(3,)), graph_writer.dump_node(3, "b/out", "A", inputs=(2,)),
    ]
    return write(os.path.join(folder, name), graph_writer.dump(*nodes, steps=(0, 2)))


def both_spellings(folder):
    path = dump(folder)
    one = expect(OK, "tfprof", "--profile_path", path, "op", "-order_by", "micros", "-select", "micros,occurrence").stdout
    other = expect(OK, "tfprof", f"--profile_path={path}", "--order_by=micros", "--select=micros,occurrence", "op").stdout
    must(one == other and b"\nMatMul  " in one, one, other)


def answers(folder):
    path = dump(folder)
    tree = json.loads(expect(OK, "tfprof", "--profile_path", path, "scope", "--json").stdout)
    must([child["name"] for child in tree["children"]] == ["a", "b"], tree)
    must(tree["total_parameters"] == "12" and tree["total_exec_micros"] == "14", tree)
    text = expect(OK, "tfprof", "--profile_path", path, "graph", "-select", "input_shapes").stdout
    must(b"a/y (0:unknown|1:unknown)\n" in text, text)
    must(b"b/in" not in text, "a circle that nobody takes is shown")


def odd_nodes(folder):
    """A node may have no type, a type may be called as what the page adds up, and times may be below 0."""
    nodes = [graph_writer.dump_node(0, "a/w", "", execs={0: (1, 7, 0, 5), 2: (1, 7, 0, 5)}),
             graph_writer.dump_node(1, "a/y", "other", execs={0: (1, 7, 0, 5), 2: (1, 5, 0, 5)})]
    write(os.path.join(folder, "profile_3"), graph_writer.dump(*nodes, steps=(0, 2)))
    bar = first_screen(folder, "summary/op-time/types")
    must([(s["label"], s["values"]) for s in bar["series"]] == [("without a type", [0.007]), ("other", [0.006])], bar)
    nodes = [graph_writer.dump_node(0, "a/w", "A", execs={0: (1, 70, 0, 5), 2: (1, -7, 0, 5)}),
             graph_writer.dump_node(1, "a/y", "B", execs={0: (1, 7, 0, 5), 2: (1, -50, 0, 5)})]
    write(os.path.join(folder, "profile_3"), graph_writer.dump(*nodes, steps=(0, 2)))
    strip = first_screen(folder, "summary/op-time/strip")
    must(all(value >= 0 for series in strip["series"] for value in series["values"]), "times below 0", strip)
    write(os.path.join(folder, "profile_3"), graph_writer.dump(graph_writer.dump_node(0, "a/w", "A", execs={0: (0, 7, 0, -7)}), steps=(0,)))
    must(run(folder, "-q", "-o", "-", "--format", "json").returncode == OK, "some time in all, and none of any type")


def folders(folder):
    """Of several dumps that of the highest step, by number."""
    for step in (9, 10, 8):
        dump(folder, f"profile_{step}", us=step)
    tree = json.loads(expect(OK, "tfprof", "--profile_path", folder, "op", "--json").stdout)
    must(tree["total_exec_micros"] == "20", tree)
    curves = tfprof_of(folder)[0]["blocks"][0]["curves"]
    must([(curve["x"], curve["y"]) for curve in curves] == [([8, 9, 10], [0.016, 0.018, 0.02])], curves)
    strip = first_screen(folder, "summary/op-time/strip")
    must((strip["labels"], strip["absent"]) == (["0", "1", "2"], [1]), strip)
    must([sum(series["values"][i] for series in strip["series"]) for i in (0, 2)] == [0.02, 0.01], strip)
    with open(os.path.join(folder, "profile_10"), "rb") as file:
        write(os.path.join(folder, "profile_11.gz"), gzip.compress(file.read()))
    expect(OK, "tfprof", "--profile_path", folder, "op")
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    expect(NOTHING, "tfprof", "--profile_path", empty, "op", says="holds no tfprof dump")


def scripts(folder):
    path = dump(folder)
    lines = b"set -order_by micros -max_depth 1\n\nop -select micros\nnonsense\nscope -max_depth x\nhelp\n"
    done = run("tfprof", "--profile_path", path, data=lines)
    must(done.returncode == USAGE, done)
    must(b"-max_depth                  1\n" in done.stdout and b"\nMatMul  " in done.stdout and b"advise: " in done.stdout, done.stdout)
    must(b"First string must be a valid command." in done.stderr and b"Invalid option '-max_depth' value: 'x'" in done.stderr, done.stderr)
    must(run("tfprof", "--profile_path", path, data=b"op\n").returncode == OK, "a script without faults")


def terminal(folder):
    """Keys come one by one; the prompt answers and ends with Control-D."""
    path = dump(folder)
    child, fd = pty.fork()
    if child == 0:
        os.environ["TERM"] = "vt100"
        os.execv(PROGRAM, [PROGRAM, "tfprof", "--profile_path", path])
    seen, end = b"", time.monotonic() + SECONDS
    # What is left of a word comes from completion, of a command, an option, a value, and a second value.
    keys = b"op -sel\t micros,par\t -order\t micro\t\r" if COMPLETES else b"op -select micros,params -order_by micros\r"
    for wanted, keys in ((b"tfprof> ", keys), (b"# parameters", b""), (b"tfprof> ", b"")):
        while wanted not in seen and time.monotonic() < end and select.select([fd], [], [], 1) is not None:
            try:
                seen += os.read(fd, 4096) if select.select([fd], [], [], .2)[0] else b""
            except OSError:
                break
        must(wanted in seen, "the terminal does not show", wanted, "but", seen)
        seen = seen.split(wanted, 1)[1]
        os.write(fd, keys)
    # A key that comes while the prompt still takes hold of the terminal may be lost, or be a character of the line, which Control-U empties.
    ended, end = 0, time.monotonic() + SECONDS
    for keys in (b"\x04", *[b"\x15\x04"] * 5 * SECONDS):
        time.sleep(.2)
        try:
            os.write(fd, keys)
            while select.select([fd], [], [], .2)[0] and os.read(fd, 4096):
                pass
        except OSError:
            pass
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended != 0 or time.monotonic() > end:
            break
    if ended == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    must(ended == child, "Control-D does not end the prompt")
    must(os.waitstatus_to_exitcode(status) == OK, status)


def wrong_options(folder):
    path = dump(folder)
    for words, says in (
            (["op", "-step", "x"], "Invalid option '-step' value: 'x'"),
            (["op", "-max_depth", "99999999999999999999"], "Invalid option '-max_depth'"),
            (["op", "-select", "micros,colour"], "Invalid option '-select'"),
            (["op", "-order_by", "depth"], "Invalid option '-order_by'"),
            (["op", "-output", "paper"], "Unknown output type: paper"),
            (["op", "-output", "file"], "Missing required output_options for file"),
            (["op", "-output", "stdout:outfile=x"], "Unrecognized options outfile"),
            (["op", "-colour", "red"], "Invalid option '-colour' value: 'red'"),
            (["op", "-account_displayed_op_only", "maybe"], "Invalid option '-account_displayed_op_only' value: 'maybe'"),
            (["op", "-step"], "needs a value"), (["op", "scope"], "give one command only"), (["ops"], "not a tfprof command"),
            (["advise", "-checkers", "Nobody"], "not a checker"), (["advise", "-top", "-1"], "give a whole number")):
        expect(USAGE, "tfprof", "--profile_path", path, *words, says=says)
    expect(USAGE, "tfprof", "op", says="tfprof needs a dump")
    expect(USAGE, "tfprof", "--profile_path", path, "--graph_path", path, "op", says="do not set --graph_path")
    done = run("tfprof", "--profile_path", path, "op", "-step", "7")
    must(done.returncode == USAGE and done.stderr == b"Options -step=7 not found.\nAvailable steps: 0 2 \n", done)


def hard_patterns(folder):
    """Such as try more ways than there is time for, and such as are none."""
    nodes = [graph_writer.dump_node(i, "a" * 60 + str(i), "A" * 40) for i in range(3000)]
    path = write(os.path.join(folder, "profile_1"), graph_writer.dump(*nodes))
    for pattern in ("((a*)*)*b", "(a|a)*b", "(.*)*(.*)*(.*)*x", "(?:a?){40}a{60}b"):
        start = time.monotonic()
        done = run("tfprof", "--profile_path", path, "scope", "-show_name_regexes", pattern)
        must(time.monotonic() - start < SECONDS, pattern, "took", time.monotonic() - start)
        must(done.returncode in (OK, USAGE), pattern, done.returncode, done.stderr)
        must(done.returncode == OK or b"too many ways" in done.stderr, pattern, done.stderr)
    for pattern in ("(", "[a", "*", "(?<x", "\\"):
        expect(USAGE, "tfprof", "--profile_path", path, "scope", "-hide_name_regexes", pattern, says="not a regular expression")


def damaged(folder):
    path = dump(folder)
    with open(path, "rb") as file:
        whole = file.read()
    for data in (b"", b"\x00" * 40, b"not a dump", whole[:3], b"\x0a\xff\xff\xff\xff\x0f"):
        expect(DAMAGED, "tfprof", "--profile_path", write(os.path.join(folder, "bad"), data), "op",
               says="the file is empty" if data == b"" else "not a tfprof dump")
    for cut in range(40, len(whole), 7):
        done = run("tfprof", "--profile_path", write(os.path.join(folder, "cut"), whole[:cut]), "graph", "-select", "micros,input_shapes,op_types")
        must(done.returncode in (OK, DAMAGED), cut, done.returncode, done.stderr)
    expect(NOTHING, "tfprof", "--profile_path", os.path.join(folder, "none"), "op", says="none")


def deep_graph(folder):
    """A chain of nodes is as deep as it is long; nothing may call itself for each."""
    nodes = [graph_writer.dump_node(i, f"n{i}", "A", inputs=(i + 1,) if i < 60000 else ()) for i in range(60001)]
    path = write(os.path.join(folder, "profile_1"), graph_writer.dump(*nodes))
    text = expect(OK, "tfprof", "--profile_path", path, "graph", "-max_depth", "3").stdout
    must(text.count(b"\n  ") == 2, text)
    done = run("tfprof", "--profile_path", path, "graph", "-max_depth", "2000000000", "--json")
    must(done.returncode == OK and done.stdout.count(b'"children"') == 60001, done.stderr)


def files(folder):
    path = dump(folder)
    out = os.path.join(folder, "out")
    expect(OK, "tfprof", "--profile_path", path, "scope", "-output", f"file:outfile={out}")
    must(os.path.exists(out), "no file")
    expect(5, "tfprof", "--profile_path", path, "scope", "-output", f"file:outfile={folder}/none/out", says="cannot write")
    shutil.copy(os.path.join(SOURCE, "examples/tf_graph/input/profile_40"), out)
    step = json.loads(expect(OK, "tfprof", "--profile_path", out, "--json", "graph", "-output", f"timeline:outfile={out}").stdout or b"{}")
    must(step == {}, step)
    drawn = [name for name in os.listdir(folder) if name.startswith("out_")]
    must(drawn, "no timeline")
    with open(os.path.join(folder, drawn[0]), encoding="utf-8") as file:
        must(json.load(file)["traceEvents"][0]["ph"] == "M", "no timeline")
    expect(OK, "tfprof", "--profile_path", out, "code", "-output", f"pprof:outfile={out}.gz")
    with gzip.open(out + ".gz") as file:
        must(b"microseconds" in file.read(), "no profile")


def checkpoints(folder):
    """Values of variables by their names, also where those are damaged."""
    path, prefix = dump(folder), os.path.join(folder, "ckpt")
    index, data = table_writer.checkpoint({
        "a/w": (1, (2, 1, 2), struct.pack("<4f", 1, -2.5, 0.125, 1e9)), "a/y": (9, (), struct.pack("<q", -7)),
        "b/in": (1, (3,), b"short"), "b/out": (7, (1,), b"text")})
    write(prefix + ".index", index)
    write(prefix + ".data-00000-of-00001", data)
    words = ("tfprof", "--profile_path", path, "--checkpoint_path", prefix, "scope", "-select", "tensor_value")
    text = expect(OK, *words).stdout.decode()
    must("    a/w ()\n[[[1.00 -2.50 ],\n],\n[[0.12 1000000000.00 ],\n],\n],\n    a/y ()\n[-7 ],\n" in text, text)
    must("    b/in ()\n    b/out ()\n" in text, text)
    values = json.loads(expect(OK, *words, "--json").stdout)["children"][0]["children"]
    must(values[0]["tensor_value"] == {"dtype": "DT_FLOAT", "value_double": [1, -2.5, 0.125, 1e9]}, values)
    must(values[1]["tensor_value"] == {"dtype": "DT_INT64", "value_int64": ["-7"]}, values)
    variables = {"a/w": (1, (2, 1, 2), struct.pack("<4f", 1, -2.5, 0.125, 1e9)), "a/zeros": (9, (40,), bytes(320))}
    write(prefix + ".data-00000-of-00001", table_writer.checkpoint(variables)[1])
    answers = []
    for packed in (False, True):
        index = table_writer.checkpoint(variables, packed)[0]
        write(prefix + ".index", index)
        answers.append(expect(OK, *words).stdout)
        for cut in range(0, len(index), 17):
            write(prefix + ".index", index[:cut] + index[cut + 1:])
            done = run(*words)
            must(done.returncode in (OK, DAMAGED), cut, done.returncode, done.stderr)
    must(answers[0] == answers[1] and b"[[[1.00 -2.50 ]" in answers[0], "packed by Snappy", answers)
    write(prefix + ".index", index.replace(bytes([1]) + bytes(4), bytes([2]) + bytes(4), 1))
    expect(DAMAGED, *words, says="packed in an unknown way")
    expect(NOTHING, *words[:3], "--checkpoint_path", prefix + "x", "scope", says="ckptx.index")


def checkpoints_v1(folder):
    """Those of version 1: one file with all, or several; whole numbers are short in them, and a part of a variable is none."""
    path, prefix = dump(folder), os.path.join(folder, "old*[1]")
    words = ("tfprof", "--profile_path", path, "--checkpoint_path", prefix, "scope", "-select", "tensor_value")
    variables = {"a/w": (1, (2, 2), (1, -2.5, 0.125, 1e9)), "a/y": (9, (2,), (-7, 2**40)), "b/in": (3, (3,), (1, -1, 70000)),
                 "b/out": (2, None, (1.5, 2.5))}
    for packed in (False, True):
        whole = table_writer.checkpoint_v1(variables, packed)
        write(prefix, whole)
        text = expect(OK, *words).stdout.decode()
        must("    a/w ()\n[[1.00 -2.50 ],\n[0.12 1000000000.00 ],\n],\n    a/y ()\n[-7 1099511627776 ],\n" in text, text)
        must("    b/in ()\n[1 -1 70000 ],\n    b/out ()\n" in text, text)
        for cut in range(0, len(whole), 23):
            write(prefix, whole[:cut] + whole[cut + 1:])
            done = run(*words)
            must(done.returncode in (OK, DAMAGED), cut, done.returncode, done.stderr)
    os.unlink(prefix)
    for number, name in enumerate(("a/w", "a/y")):
        write(f"{prefix}-{number:05}-of-00002", table_writer.checkpoint_v1({name: variables[name]}))
    text = expect(OK, *words).stdout.decode()
    must("[[1.00 -2.50 ]" in text and "[-7 1099511627776 ]" in text, text)


def variables_of_a_checkpoint(folder):
    """As TensorFlow's tfprof has it, what is built of a graph has the type of a variable that the checkpoint holds; a dump has not."""
    graph, prefix = os.path.join(folder, "graph.pb"), os.path.join(folder, "ckpt")
    write(graph, graph_writer.graph([graph_writer.node("a/w", "VariableV2"), graph_writer.node("a/x", "VariableV2")]))
    write(prefix, table_writer.checkpoint_v1({"a/w": (1, (1,), (1,))}))
    words = ("scope", "-account_type_regexes", "_checkpoint_variables", "-select", "op_types")
    text = expect(OK, "tfprof", "--graph_path", graph, "--checkpoint_path", prefix, *words).stdout.decode()
    must("a/w (VariableV2|_checkpoint_variables)" in text and "a/x" not in text, text)
    text = expect(OK, "tfprof", "--profile_path", dump(folder), "--checkpoint_path", prefix, *words).stdout.decode()
    must("a/w" not in text, text)


def stats(device, name, start_us, took_us):
    return f'dev_stats {{ device: "{device}" node_stats {{ node_name: "{name}" all_start_micros: {start_us} op_end_rel_micros: {took_us} }} }}'


def tfprof_of(folder):
    """What the report of a folder says of tfprof: its section, its figures, and what was said while reading."""
    done = run(folder, "-q", "-o", "-", "--format", "json")
    report = json.loads(done.stdout)
    sections = {section["id"]: section for section in report["sections"]}
    return sections.get("tfprof"), report["metrics"], json.dumps(report, ensure_ascii=False)


def parts_of_a_report(folder):
    """A graph and RunMetadata beside it are a dump for the report: steps by the names of the files, in the order of their numbers."""
    cpu = "/job:localhost/replica:0/task:0/device:CPU:0"
    write(os.path.join(folder, "graph.pb"), graph_writer.graph([graph_writer.node("a/w", "VariableV2"), graph_writer.node("a/y", "MatMul", "a/w")]))
    for step, us in ((9, 10), (10, 31), (2, 20)):
        write(os.path.join(folder, f"run_meta_{step}"), f"step_stats {{ {stats(cpu, 'a/y:MatMul', 1000, us)} }}".encode())
    alone, metrics, said = tfprof_of(os.path.join(folder, "run_meta_9"))
    must(metrics["tfprof.total_us"]["value"] == 10 and "1 node ran" in alone["so_what"].replace("1 of 1 node", "1 node") and metrics["graph.nodes"]["value"] is None,
         alone, metrics["graph.nodes"])
    section, metrics, _ = tfprof_of(folder)
    must(metrics["tfprof.total_us"]["value"] == 20, metrics["tfprof.total_us"])
    must(counts_of(section, metrics) == {None} and "type of operation" in finding_of(folder, "TPR-TFPROF-005")["title"], "a graph has types, but no counts")
    must("tfprof/shapes" in blocks_of(section) and metrics["tfprof.params"]["value"] == 0, "shapes of a graph are left out")
    bar, strip = first_screen(folder, "summary/op-time/types"), first_screen(folder, "summary/op-time/strip")
    must([(s["label"], s["values"]) for s in bar["series"]] == [("MatMul", [0.02])], bar)
    must(strip["labels"] == [str(step) for step in range(2, 11)] and strip["absent"] == list(range(1, 7)) and strip["marked"] == 8, "steps that were not traced are gaps", strip)
    must([values[i] for values in [strip["series"][0]["values"]] for i in (0, 7, 8)] == [0.02, 0.01, 0.031], strip)
    must("graph.pb with run_meta_2 … run_meta_10" in section["so_what"], section["so_what"])
    write(os.path.join(folder, "run_meta_11"), b"step_stats { dev_stats {")
    section, metrics, said = tfprof_of(folder)
    must(metrics["tfprof.total_us"]["value"] == 20 and "run_meta_11" in said, "a damaged one is not said")
    dump(folder, "profile_3", us=7)
    section, metrics, said = tfprof_of(folder)
    must(metrics["tfprof.total_us"]["value"] == 14 and "profile_3 beside it says what ran" in said, metrics["tfprof.total_us"])


def counts_of(section, metrics):
    """Float operations, wherever the report has them."""
    rows = [row["cells"] for block in section["blocks"] for row in block.get("rows", ())]
    return {metrics["tfprof.float_ops"]["value"], *(row["float_ops"]["value"] for row in rows if "float_ops" in row)}


def first_screen(path, name):
    report = json.loads(run(path, "-q", "-o", "-", "--format", "json").stdout)
    return next(chart for block in report["sections"][0]["blocks"] for chart in block.get("blocks", ()) if chart["id"] == name)


def finding_of(path, name):
    report = json.loads(run(path, "-q", "-o", "-", "--format", "json").stdout)
    return next(finding for finding in report["findings"] if finding["id"] == name)


def runs_without_graph(folder):
    """RunMetadata alone: neither counts nor types nor shapes are known, and the report claims none. A graph with an op log beside it counts."""
    cpu = "/job:localhost/replica:0/task:0/device:CPU:0"
    path = write(os.path.join(folder, "run_meta_1"), f"step_stats {{ {stats(cpu, 'a/y:MatMul', 1000, 30)} {stats(cpu, 'a/z', 2000, 10)} }}".encode())
    section, metrics, said = tfprof_of(path)
    must(counts_of(section, metrics) == {None}, "float operations without a count", metrics["tfprof.float_ops"], counts_of(section, metrics))
    must(metrics["tfprof.params"]["value"] is None, metrics["tfprof.params"])
    table = blocks_of(section)["tfprof/operations"]
    must("by node" in table["caption"] and "type" not in table["caption"] and table["columns"][0]["title"] == "Node", table["caption"], table["columns"][0])
    must(set(rows_of(table)) == {"a/y", "a/z"} and "tfprof/shapes" not in blocks_of(section), "shapes of nobody knows what", blocks_of(section).keys())
    finding = finding_of(path, "TPR-TFPROF-005")
    must(finding["status"] == "open" and "in one node" in finding["title"] and finding["name"] == "One node", finding)
    equal = write(os.path.join(folder, "equal_1"), f"step_stats {{ {' '.join(stats(cpu, name, 1000, 10) for name in 'abc')} }}".encode())
    passed = finding_of(equal, "TPR-TFPROF-005")
    os.remove(equal)
    must(passed["status"] == "passed" and "most expensive node" in passed["title"] and passed["name"] == "One node", passed)
    must("type of operation" not in json.dumps(finding) and "ines of code" not in json.dumps(finding), finding)
    write(os.path.join(folder, "graph.pb"), graph_writer.graph([graph_writer.node("a/y", "MatMul"), graph_writer.node("a/z", "Add")]))
    write(os.path.join(folder, "tfprof_log"), field(1, field(1, "a/y") + field(2, 600)))
    section, metrics, said = tfprof_of(folder)
    rows = rows_of(blocks_of(section)["tfprof/operations"])
    must(metrics["tfprof.float_ops"]["value"] == 600 and rows["MatMul"]["float_ops"] == 600 and rows["Add"]["float_ops"] == 0, rows, metrics["tfprof.float_ops"])


def blocks_of(section):
    return {block["id"]: block for block in section["blocks"]}


def rows_of(table):
    """Values of the cells of each row by its first column; None where one is missing."""
    def value(cell):
        return cell.get("value") if isinstance(cell, dict) else cell
    rows = [{key: value(cell) for key, cell in row["cells"].items()} for row in table["rows"]]
    return {next(iter(row.values())): row for row in rows}


def node_text(name, op, inputs=(), shape=(), dtype="", out=(), more=""):
    def dims(sizes):
        return "".join(f"dim {{ size: {size} }} " for size in sizes)
    attrs = f'attr {{ key: "shape" value {{ shape {{ {dims(shape)} }} }} }}' if shape else ""
    attrs += f'attr {{ key: "dtype" value {{ type: {dtype} }} }}' if dtype else ""
    attrs += f'attr {{ key: "_output_shapes" value {{ list {{ shape {{ {dims(out)} }} }} }} }}' if out else ""
    return f'node {{ name: "{name}" op: "{op}" {" ".join(f"""input: "{one}" """ for one in inputs)} {attrs} {more} }}\n'


def where_the_original_fails(folder):
    """Devices that are neither CPU nor GPU, counts of fused batch normalisation, and slots of optimisers."""
    tpu, host = "/job:w/replica:0/task:0/device:TPU:0", "/job:w/replica:0/task:0/device:CPU:0"
    still = 'attr { key: "is_training" value { b: false } }'
    graph = "".join((
        node_text("x", "Placeholder", out=(2, 3, 4, 5)), node_text("bn", "FusedBatchNormV3", ["x"]), node_text("BatchNorm/still", "FusedBatchNormV2", ["x"], more=still),
        node_text("bn_grad", "FusedBatchNormGradV3", ["x"]), node_text("w", "VariableV2", shape=(4, 3), dtype="DT_HALF"),
        node_text("w/Adam", "VariableV2", shape=(4, 3), dtype="DT_FLOAT"), node_text("opt/w/Adam_1", "VariableV2", shape=(4, 3), dtype="DT_FLOAT"),
        node_text("s", "VariableV2", shape=(4, 3), dtype="DT_FLOAT"), node_text("up", "ApplyMomentum", ["w", "s", "x"]),
        node_text("w/other", "VariableV2", shape=(4,), dtype="DT_FLOAT")))
    write(os.path.join(folder, "graph.pbtxt"), graph.encode())
    run = " ".join((stats(tpu, "bn", 1000, 60), stats(tpu, "BatchNorm/still", 1100, 30), stats(tpu, "bn_grad", 1200, 100), stats(host, "up", 1400, 10)))
    write(os.path.join(folder, "run_meta_1"), f"step_stats {{ {run} }}".encode())
    section, metrics, _ = tfprof_of(folder)
    blocks = blocks_of(section)
    must(metrics["tfprof.total_us"]["value"] == 200 and metrics["tfprof.float_ops"]["value"] is None, metrics["tfprof.total_us"])
    ops = rows_of(blocks["tfprof/operations"])
    told = {name: (row["accelerator_us"], row["cpu_us"], row["float_ops"]) for name, row in ops.items() if row["time_us"]}
    must(told == {"FusedBatchNormV3": (60, 0, 6 * 120), "FusedBatchNormV2": (30, 0, 2 * 120), "FusedBatchNormGradV3": (100, 0, 9 * 120),
                  "ApplyMomentum": (0, 10, None)}, told)
    must(ops["FusedBatchNormV3"]["rate"] == 720 / 60e-6, ops["FusedBatchNormV3"])
    must("2.04 kFLOP" in blocks["tfprof/uncounted"]["items"][0].replace("\u202f", " ") and "–" not in blocks["tfprof/uncounted"]["items"][0], blocks["tfprof/uncounted"])
    rows = rows_of(blocks["tfprof/parameters"])
    must((rows["(all)"]["total"], rows["w"]["bytes"], rows["w"]["slot_bytes"]) == (16, 24 + 16, 3 * 48), rows)
    must(set(rows) == {"(all)", "w", "other"} and "3 variables" in blocks["tfprof/slots"]["items"][0].replace("\u00a0", " "), rows)
    shapes = rows_of(blocks["tfprof/shapes"])
    must(shapes["FusedBatchNormV3"]["shapes"] == "2 × 3 × 4 × 5" and shapes["FusedBatchNormV3"]["runs"] == 1, shapes)
    advice = [row["says"] for row in (({key: cell.get("value") if isinstance(cell, dict) else cell for key, cell in row["cells"].items()})
                                      for row in blocks["tfprof/advice"]["rows"])]
    must("tpu:0: busy 63.3\u202f% of its last step" in advice[0] and advice[1] == "Nothing found.", advice)
    parts = ("--graph_path", os.path.join(folder, "graph.pbtxt"), "--run_meta_path", os.path.join(folder, "run_meta_1"))
    said = expect(OK, "tfprof", *parts, "advise", "-checkers", "OperationChecker").stdout
    must(b"FusedBatchNorm" in said, "the command advises less than the original", said)
    text = expect(OK, "tfprof", *parts, "op", "--json")
    must(json.loads(text.stdout)["total_exec_micros"] == "10", "the command counts what the original does not")


def worked(number, name, op, us, float_ops=0, device="/device:cpu:0", listed=""):
    """A node of a dump that ran once, in step 0."""
    exec_profile = field(1, 1) + (field(5, field(1, device) + field(2, field(1, field(1, 5) + field(1, us)))) if us else b"") + (field(6, listed) if listed else b"")
    body = field(1, name) + field(9, op) + field(13, number) + field(6, device) + field(5, op) + (field(8, float_ops) if float_ops else b"")
    return field(1, field(1, number) + field(2, body + field(12, field(1, 0) + field(2, exec_profile))))


def prices(folder):
    """What slow arithmetic would save at the rate of the fastest; and devices of which a dump holds no time."""
    nodes = [worked(0, "fast", "MatMul", 100, 10**7), worked(1, "slow", "MatMul", 400, 10**7), worked(2, "other", "Add", 500),
             worked(3, "far", "Sub", 0, listed="/job:w/device:tpu:3")]
    path = write(os.path.join(folder, "profile_1"), graph_writer.dump(*nodes, steps=(0,)))
    section, _, _ = tfprof_of(path)
    report = json.loads(run(path, "-q", "-o", "-", "--format", "json").stdout)
    slow = next(finding for finding in report["findings"] if finding["id"] == "TPR-TFPROF-006")
    must((slow["saving"]["value"], slow["saving_note"], slow["measured"]["value"]) == (0.3, "of op time a step", 0.3), slow)
    must("0.70 ms per step instead of 1.00 ms" in slow["matters"].replace("\u202f", " ").replace("0.700", "0.70"), slow["matters"])
    must("/job:w/device:tpu:3" in blocks_of(section)["tfprof/untimed"]["items"][0], section["blocks"])
    rates = rows_of(blocks_of(section)["tfprof/operations"])
    must(rates["MatMul"]["rate"] == 2e7 / 500e-6 and rates["Add"]["rate"] is None, rates)

    # The same where the streams of accelerators are missing: times may be of launches.
    section, _, _ = tfprof_of(write(os.path.join(folder, "profile_2"), graph_writer.dump(*nodes, steps=(0,)) + field(5, 1)))
    must("tfprof/no-stream" in blocks_of(section), "a missing stream is not said of a dump")
    rates = rows_of(blocks_of(section)["tfprof/operations"])
    must(rates["MatMul"]["rate"] is None, rates)


run_all([both_spellings, answers, folders, odd_nodes, scripts, terminal, wrong_options, hard_patterns, damaged, deep_graph, files, checkpoints,
         checkpoints_v1, variables_of_a_checkpoint, parts_of_a_report, runs_without_graph, where_the_original_fails, prices])
