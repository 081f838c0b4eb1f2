"""The HLO around operations: who is in a neighbourhood, how far away, and what is left out, worked out by hand and by a second
reader that walks the serialized modules of real captures."""

import os
import re
import resource
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote

from hlo_writer import Module, packed, shape
from truth import Check, Report, run, test_data
from xspace_reader import fields, varint
from xspace_writer import field

check = Check()
A_STEP, MOST = 6, 22  # nodes each way: so many a step, and in all


def numbers(value):
    if isinstance(value, int):
        return [value]
    out, at = [], 0
    while at < len(value):
        number, at = varint(value, at)
        out.append(number)
    return out


class Program:
    """instructions: [(name, opcode, operands)] in the order of the module, operands as indices, each once."""

    def __init__(self, proto):
        [module] = [v for n, v in fields(proto) if n == 1]
        self.instructions = []
        for computation in (v for n, v in fields(module) if n == 3):
            known = {}
            for message in (v for n, v in fields(computation) if n == 2):
                parts = list(fields(message))
                last = dict(parts)
                ids = [i for n, v in parts if n == 36 for i in numbers(v)]
                known[last[35]] = len(self.instructions)
                self.instructions.append((last[1].decode("utf-8", "replace"), last[2].decode(), list(dict.fromkeys(known[i] for i in ids))))
        self.users = [[] for _ in self.instructions]
        for at, (_, _, operands) in enumerate(self.instructions):
            for operand in operands:
                self.users[operand].append(at)
        self.index = {name: at for at, (name, _, _) in enumerate(self.instructions)}

    def near(self, name, width, self_ms):
        """{name: distance}"""
        found = {self.index[name]: 0}
        for links, sign in ((lambda i: self.instructions[i][2], -1), (lambda i: self.users[i], 1)):
            room, last, met = min(A_STEP * width, MOST), [self.index[name]], set()
            for step in range(1, width + 1):
                new = sorted({other for at in last for other in links(at)} - met - set(found),
                             key=lambda i: (-self_ms.get(self.instructions[i][0], 0), i))
                met.update(new)
                last = new[:room if step == width else room - room // 3]
                room -= len(last)
                found.update({i: sign * step for i in last})
        return {self.instructions[i][0]: distance for i, distance in found.items()}

    def names(self, indices):
        return [self.instructions[i][0] for i in indices]


def split(text):
    """"a, b, 17 more" → ({a, b}, 17)"""
    words = [w for w in text.split(", ") if w]
    more = re.fullmatch(r"(\d+) more", words[-1]) if words else None
    return (set(words[:-1]), int(more[1])) if more else (set(words), 0)


def compare(report, block, programs, width, self_ms):
    """One neighbourhood in a report with the second reader's; of several programs of the name with that of the one that is alike."""
    rows = report.rows(f"{block}/near")
    [middle] = [row["name"] for row in rows if row["distance"] == 0]
    check.part(f"around {middle}")
    got = {row["name"]: row["distance"] for row in rows}
    program, near = min(((p, p.near(middle, width, self_ms)) for p in programs if middle in p.index), key=lambda found: found[1] != got)
    check.equal("who is near, and how far", got, near)
    arrows = 0
    for row in rows:
        at = program.index[row["name"]]
        for column, others in (("reads", program.instructions[at][2]), ("read_by", program.users[at])):
            shown, more = split(row[column])
            expected = set(program.names(others)) & set(near)
            check.equal(f"{row['name']} {column}", (shown, more), (expected, len(others) - len(expected)))
            arrows += len(expected) if column == "reads" else 0
            arrows += row["name"] == middle and more != 0
    drawing = report.blocks[f"{block}/drawing"]
    check.equal("arrows", len(drawing["arrows"]), arrows)
    check.equal("boxes", sum("more" in box for box in drawing["boxes"]), len(rows))
    check.equal("what it is about", [box["label"] for box in drawing["boxes"] if box.get("role") == "main"], [middle])


def programs_in(path):
    """{name: [Program]} of a capture, by the name without the id."""
    out = {}
    for number, plane in fields(path.read_bytes()):
        for part, entry in fields(plane) if number == 1 else ():
            for metadata in (v for n, v in fields(entry) if n == 2) if part == 4 else ():
                parts = list(fields(metadata))
                name = next((v.decode("utf-8", "replace") for n, v in parts if n == 2), "")
                for stat in (v for n, v in parts if n == 5):
                    for kind, value in fields(stat):
                        if kind == 6 and isinstance(value, bytes) and len(value) > 100 and re.fullmatch(r".*\(\d+\)", name):
                            out.setdefault(name.rpartition("(")[0], []).append(Program(value))
    return out


def real():
    cards = asked = 0
    paths = [next(iter(sorted(case.glob("logdir/**/*.xplane.pb")))) for case in sorted(test_data("synth").iterdir()) if case.is_dir()]
    paths += [path for folder in ("captured/jax_cnn", "captured/synth_tpu_steps", "found/xprof/xprof/convert/test_xplanes")
              for path in test_data("xla", folder).glob("**/*.xplane.pb")]
    for path in paths:
        programs = programs_in(path)
        # Some that took time, and some that did not: the first, one in the middle, the last.
        wishes = {(name, p.instructions[at][0]) for name, alike in programs.items() for p in alike
                  for at in (0, len(p.instructions) // 2, -1)}
        words = [word for wish in sorted(wishes) for word in ("--graph-of", f"{'/'.join(wish)},width=3")]
        report = Report(path, *words)
        self_ms = {}
        for (program, name), row in report.ops().items():
            self_ms.setdefault(program, {})[name] = row["self_ms"]
        for block in [b.removesuffix("/near") for b in report.blocks if b.endswith("/near")]:
            in_card = block.startswith("operations/card/")
            name = unquote(block.removeprefix("operations/card/" if in_card else "around/")).partition("/")[0]
            compare(report, block, programs[name], 2 if in_card else 3, self_ms.get(name, {}))
            cards, asked = cards + in_card, asked + (not in_card)
        check.part(str(path))
        check.true("cards with what is around", any(b.startswith("operations/card/") and b.endswith("/near") for b in report.blocks))
    check.part("all captures")
    check.true(f"{cards} of cards, {asked} asked for", cards >= 50 and asked >= 80)


def graph_of(wish, proto, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jit_f(7).hlo_proto.pb")
        path.write_bytes(proto)
        return Report(path, "--graph-of", wish, *words)


def by_hand():
    """p is read by a (twice) and b, a and b by c, c by d, in a computation that a loop calls."""
    m = Module("jit_f")
    body = m.computation("body")
    p = body.add("p", "parameter", "f32[8]{0}", parameter_number=0)
    a = body.add("a", "multiply", "f32[8]{0}", p, p, op_name="jit(f)/mul", source=("m.py", 3))
    b = body.add("b", "negate", "f32[8]{0}", p)
    c = body.add("c", "tuple", "(f32[8]{0}, f32[8]{0})", a, b)
    body.add("d<&>\"", "get-tuple-element", "f32[8]{0}", c, tuple_index=1)
    main = m.computation("main")
    main.add("w", "while", "f32[8]{0}", main.add("q", "parameter", "f32[8]{0}", parameter_number=0), calls=[body])
    check.part("by hand")
    report = graph_of("%a,width=1", m.bytes())
    rows = report.rows("around/jit_f/a/near")
    shown = [(r["distance"], r["name"], r["what"], r["shape"], r["reads"], r["read_by"], r["framework_op"], r["source"], r["busy_share"])
             for r in rows]
    check.equal("rows", shown, [
        (-1, "p", "parameter 0", "f32[8]{0}", "", "a, 1 more", "", "", None),
        (0, "a", "multiply", "f32[8]{0}", "p", "c", "jit(f)/mul", "m.py:3", None),
        (1, "c", "tuple", "(f32[8]{0}, f32[8]{0})", "a, 1 more", "1 more", "", "", None)])
    table = report.blocks["around/jit_f/a/near"]
    check.true("where it stands", "in computation body, which w calls" in table["caption"])
    report = graph_of("jit_f(7)/a,width=1", m.bytes())
    check.equal("by name and id", len(report.rows("around/jit_f/a/near")), 3)
    report = graph_of("jit_f/d<&>\"", m.bytes())
    check.equal("a hostile name", [row["name"] for row in report.rows("around/jit_f/d%3C%26%3E%22/near") if row["distance"] == 0], ["d<&>\""])
    drawn = report.blocks["around/jit_f/d%3C%26%3E%22/drawing"]
    check.equal("arrows", [(x["from"], x["to"], x.get("label")) for x in drawn["arrows"]],
                [(0, 2, "32\u202fB"), (1, 2, "32\u202fB"), (2, 3, "64\u202fB")])


def damaged():
    """What is read stands before what reads it: a module with a circle, or with an operand that is not there, is no graph."""
    check.part("damaged")
    for what, operands in (("a circle", [3]), ("itself", [2]), ("nobody", [77])):
        body = b"".join(field(2, field(1, name) + field(2, "negate") + field(3, shape("f32[8]{0}")) + field(35, number) + b"".join(field(36, o) for o in reads))
                        for name, number, reads in (("p", 1, []), ("a", 2, operands), ("b", 3, [2])))
        proto = field(1, field(1, "jit_f") + field(3, field(1, "main") + body))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "jit_f(7).hlo_proto.pb")
            path.write_bytes(proto)
            done = run(path, "--graph-of", "a", "-o", Path(folder, "r.json"))
            said = done.stderr.decode()
            check.equal(f"exit status with {what}", done.returncode, 0)
            check.true(f"{what}: {said}", "does not stand before its use" in said)
            check.true("why there is none", "the HLO of the programs is damaged" in Path(folder, "r.json").read_text(encoding="utf-8"))


def large():
    """200,000 instructions: one that 100,000 read, and one that reads 100,000."""
    check.part("200,000 instructions")
    count, eight = 100_000, field(3, shape("f32[8]{0}"))
    parts = [("p", "parameter", [])] + [(f"a.{i}", "negate", [0]) for i in range(count)]
    parts += [(f"b.{i}", "negate", [1 + i]) for i in range(count)] + [("all", "tuple", range(1 + count, 1 + 2 * count))]
    main = b"".join(field(2, field(1, name) + field(2, opcode) + eight + field(35, number) + packed(36, reads))
                    for number, (name, opcode, reads) in enumerate(parts))
    proto = field(1, field(1, "jit_f") + field(3, field(1, "main") + main))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jit_f(7).hlo_proto.pb")
        path.write_bytes(proto)
        start = time.monotonic()
        words = ["--graph-of", "p,width=8", "--graph-of", "all,width=8", "--graph-of", "a.77,width=2"]
        done = run(path, *words, "-o", Path(folder, "r.html"), "-o", Path(folder, "r.json"))
        took = time.monotonic() - start
        check.equal("exit status", done.returncode, 0)
        report = Report(path, *words)
        start = time.monotonic()
        missing = run(path, "--graph-of", "a.100001", "-o", Path(folder, "x.json"))
        check.true(f"near ones: {missing.stderr.decode()}", missing.returncode == 2 and "near are a.10000" in missing.stderr.decode())
        print(f"200,000 instructions: {took:.1f} s, a name that is not there {time.monotonic() - start:.1f} s, page "
              f"{Path(folder, 'r.html').stat().st_size / 1e6:.1f} MB, at most "
              f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB of memory")
        # Bounds that only something quadratic breaks, sanitizers and a busy machine included.
        check.true(f"{took} s", took < 60)
        check.true("the page is small", Path(folder, "r.html").stat().st_size < 3_000_000)
    rows = {wish: report.rows(f"around/jit_f/{wish}/near") for wish in ("p", "all", "a.77")}
    [row] = [row for row in rows["p"] if row["distance"] == 0]
    shown, more = split(row["read_by"])
    check.equal("those that read p", len(shown) + more, count)
    [row] = [row for row in rows["all"] if row["distance"] == 0]
    shown, more = split(row["reads"])
    check.equal("those that all reads", len(shown) + more, count)
    check.true("bounded", all(len(r) <= 1 + 2 * MOST for r in rows.values()))
    check.equal("a chain", [row["name"] for row in rows["a.77"]], ["p", "a.77", "b.77", "all"])


by_hand()
damaged()
large()
if os.environ.get("TPREPORT_TEST_DATA"):
    real()
check.end()
