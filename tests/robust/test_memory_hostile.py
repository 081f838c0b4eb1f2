"""Memory plans that contradict themselves, HLO of endless depth, and damaged HLO within a sound profile: each is named with its
place, costs no more than itself, and nothing else changes."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import hlo_writer
import tiny_xspace as t
from hlo_writer import ALLOC, FREE, SHARE, Plan
from sampled import now_and_then
from tiny_xspace import MS
from truth import Check
from xspace_writer import field, varint

TPREPORT = os.environ.get("TPREPORT", "tpreport")
LIMIT_S = 60
DEEP = 10**6
LARGEST = 2**63 - 1
WEIGHTS = 2  # the id of a program's first instruction
# Keys of fields, for what is written a million times.
COMPUTATION, INSTRUCTION, CALLED = varint(3 << 3 | 2), varint(2 << 3 | 2), varint(38 << 3 | 2)
ID, OWN_ID, ROOT = varint(35 << 3), varint(5 << 3), varint(6 << 3)
check = Check()
with_pdf = now_and_then("memory plans that become a PDF, too", 4)


def report(data, name="jit_f(7).hlo_proto.pb"):
    """(exit status, what was said, the report or None); the page and some PDFs are made too."""
    with tempfile.TemporaryDirectory() as folder:
        path, tree = Path(folder, name), Path(folder, "r.json")
        path.write_bytes(data)
        done = subprocess.run([TPREPORT, str(path), "-o", str(tree), "-o", f"{folder}/r.html",
                               *(["-o", f"{folder}/r.pdf"] if with_pdf() else [])],
                              capture_output=True, check=False, timeout=LIMIT_S)
        doc = json.loads(tree.read_text(encoding="utf-8")) if tree.exists() else None
    return done.returncode, done.stderr.decode("utf-8", "replace"), doc


def program(make, arrays=3):
    """An HloProto: a parameter of 1,000 bytes, arrays 1 … of 100 bytes each, and the plan that make(plan, ids) adds to."""
    module = hlo_writer.Module("jit_f")
    main = module.computation("main")
    ids = [main.add("weights", "parameter", "f32[250]{0}", parameter_number=0)]
    ids += [main.add(f"a{n}", "add", "f32[25]{0}", ids[0], ids[0]) for n in range(1, arrays + 1)]
    plan = Plan()
    buffers = [plan.buffer(one, 100 if n else 1000) for n, one in enumerate(ids)]
    plan.allocation(1000, buffers[0], parameter=True)
    plan.allocation(100 * arrays, *buffers[1:])
    make(plan, buffers)
    return module.bytes() + plan.bytes()


def plan_case(name, make, peak, *said, arrays=3):
    """The rest of the plan counts: its peak is known, and the warning says what was wrong and where."""
    check.part(name)
    status, words, doc = report(program(make, arrays))
    if not check.true("a report", status == 0 and doc is not None):
        print(words)
        return
    check.equal("peak", doc["metrics"]["memory.peak_bytes"]["value"], peak)
    check.equal("warnings", doc["metrics"]["data.warnings"]["value"], 1 if said else 0)
    for one in said:
        if not check.true(f"says: {one}", one in words and "at byte 0" in words and "jit_f(7).hlo_proto.pb" in words):
            print(words)


def plans():
    plan_case("sound", lambda p, b: p.events((ALLOC, b[1], "a1"), (ALLOC, b[2], "a2"), (FREE, b[1], "a1")), 1200)
    plan_case("shared with itself", lambda p, b: p.events((ALLOC, b[1], "a1"), (SHARE, b[2], "a2", b[2]), (ALLOC, b[3], "a3")),
              1200, "1 buffers that share memory with themselves")
    # Each takes the memory of the other, which had none: one piece of memory, with two that share it.
    plan_case("shared with each other", lambda p, b: p.events((SHARE, b[1], "a1", b[2]), (SHARE, b[2], "a2", b[1])), 1100,
              "1 buffers that share memory which was never given")
    plan_case("a circle of three", lambda p, b: p.events(*((SHARE, b[n], "x", b[n % 3 + 1]) for n in (1, 2, 3)),
                                                         *((FREE, b[n], "x") for n in (1, 2, 3))), 1200,
              "2 buffers that share memory which was never given")
    plan_case("freed without memory", lambda p, b: p.events((FREE, b[1], "a1"), (ALLOC, b[2], "a2")), 1100,
              "1 events that free what is not live")
    plan_case("freed twice", lambda p, b: p.events((ALLOC, b[1], "a1"), (SHARE, b[2], "a2", b[1]), (FREE, b[2], "a2"),
                                                   (FREE, b[2], "a2"), (ALLOC, b[3], "a3")), 1200,
              "1 events that free what is not live")
    plan_case("given twice", lambda p, b: p.events((ALLOC, b[1], "a1"), (ALLOC, b[1], "a1"), (FREE, b[1], "a1"),
                                                   (ALLOC, b[2], "a2")), 1100, "1 events that give memory to what has some")
    plan_case("buffers that do not exist", lambda p, b: (p.allocation(5, 77, 78), p.events(
        (ALLOC, b[1], "a1"), (ALLOC, 2**40, "x"), (FREE, -1, "x"), (SHARE, b[2], "a2", 99))), 1100,
        "5 uses of buffers that it does not hold")
    plan_case("an event of no kind", lambda p, b: p.events((ALLOC, b[1], "a1"), (9, b[2], "a2")), 1100,
              "1 events of an unknown kind")

    def below_0(p, b):
        p.buffer(WEIGHTS, -5, number=50)
        p.allocation(-100, 50)
        p.events((ALLOC, b[1], "a1"), (ALLOC, 50, "x"))

    plan_case("sizes below 0", below_0, 1100, "2 sizes below 0")

    def astray(p, b):
        p.buffer(12345, 100, number=50)
        p.buffer(WEIGHTS, 100, number=51, part=(4, 5))
        p.buffer(WEIGHTS, 100, number=51)
        p.events((ALLOC, b[1], "a1"), (ALLOC, 50, "x"), (ALLOC, 51, "y"))

    plan_case("instructions and parts that do not exist", astray, 1300,
              "2 buffers of instructions that the module does not hold", "1 buffers with the id of another")

    def huge(p, b):
        for n in range(8):
            p.buffer(WEIGHTS, LARGEST, number=50 + n)
        p.allocation(LARGEST, *range(50, 58))
        p.events(*((ALLOC, 50 + n, "x") for n in range(8)), (FREE, 50, "x"))

    plan_case("sizes that do not fit", huge, LARGEST)
    plan_case("a chain of shared memory", lambda p, b: p.events(
        (ALLOC, b[1], "a1"), *((SHARE, b[n], "x", b[n - 1]) for n in range(2, 20001)),
        *((FREE, b[n], "x") for n in range(20000, 0, -1))), 1100, arrays=20000)

    def long(p, b):
        p.events((ALLOC, b[1], "a1"), (FREE, b[1], "a1"))
        p.traces[0] *= DEEP // 2

    def many(p, b):
        p.events((ALLOC, b[1], "x"))
        p.traces *= 50000

    plan_case("a long schedule", long, 1100)
    plan_case("many heap simulations", many, 1100)


def nested(depth, wrap):
    """A message within a message within …: wrap(length of what is within) are the bytes before it."""
    fronts, length = [], 0
    for _ in range(depth):
        fronts.append(wrap(length))
        length += len(fronts[-1])
    return b"".join(reversed(fronts))


def module_of(computations, entry):
    return field(1, field(1, "jit_f") + field(2, "main") + computations + field(6, entry))


def computation(number, instruction):
    return field(3, field(1, f"c{number}") + field(2, instruction) + field(5, number) + field(6, number))


def instruction(number, shape, more=b""):
    return field(1, f"i{number}") + field(2, "call") + field(3, shape) + field(35, number) + more


def chain(count):
    """Computations that each call the one before."""
    shape = field(3, field(2, 11))
    start, out, before = field(1, "i") + field(2, "call") + shape, [], None
    for n in range(1, count + 1):
        number = varint(n)
        one = start + ID + number + (b"" if before is None else CALLED + varint(len(before)) + before)
        body = field(1, "c") + INSTRUCTION + varint(len(one)) + one + OWN_ID + number + ROOT + number
        out.append(COMPUTATION + varint(len(body)) + body)
        before = number
    return b"".join(out)


def deep_case(name, data, *said):
    check.part(name)
    status, words, doc = report(data)
    known = doc is not None and doc["metrics"]["memory.peak_bytes"]
    check.true(f"an answer ({status})", status in (0, 2, 3, 4))
    for one in said:
        if not check.true(f"says: {one}", one in words and "jit_f(7).hlo_proto.pb" in words):
            print(words[:600])
    return known


def depths():
    scalar = field(2, 11)
    front = field(2, 13) + varint(4 << 3 | 2)
    tuples = nested(DEEP, lambda inner: front + varint(inner))
    plan = Plan()
    plan.allocation(100, plan.buffer(1, 100, part=[0] * DEEP))
    plan.events((ALLOC, 1, "x"))
    deep_case("tuples in tuples", module_of(computation(1, instruction(1, tuples)), 1) + plan.bytes(),
              "tuples of tuples deeper than")
    known = deep_case("a part of a part", module_of(computation(1, instruction(1, scalar)), 1) + plan.bytes(),
                      "1 buffers of instructions that the module does not hold")
    check.equal("peak", known["value"], 100)
    calls = chain(DEEP)
    plan = Plan()
    plan.allocation(100, plan.buffer(DEEP, 100))
    plan.events((ALLOC, 1, "x"))
    known = deep_case("calls in calls", module_of(calls, DEEP) + plan.bytes())
    check.equal("peak", known["value"], 100)
    deep_case("too many computations", module_of(calls + computation(DEEP + 1, instruction(DEEP + 1, scalar)), DEEP),
              "more than 1000000 computations")
    deep_case("a computation that calls itself", module_of(computation(1, instruction(
        1, scalar, hlo_writer.packed(38, [1]))), 1), "called computation 1 does not stand before its use")
    frames = field(17, field(1, "f.py") + field(3, field(1, 2**40) + field(3, 5)) + field(4, field(1, 1) + field(2, 1)))
    for frame in (1, 2, 2**63):
        one = instruction(1, scalar, field(7, field(2, "x") + field(15, frame)))
        data = field(1, field(1, "jit_f") + computation(1, one) + field(6, 1) + frames)
        known = deep_case(f"stack frame {frame}", data + plan_of_one())
        check.equal("peak", known["value"], 100)


def plan_of_one():
    plan = Plan()
    plan.allocation(100, plan.buffer(1, 100))
    plan.events((ALLOC, 1, "x"))
    return plan.bytes()


def capture(damaged, sound):
    """A TPU core with two steps, and the HLO of two programs."""
    core = t.Plane("/device:TPU:0")
    core.stat("device_type_string", "TPU v9").stat("peak_teraflops_per_second", 100.0)
    core.line("Steps", [core.event(name, a * MS, 10 * MS) for name, a in (("0", 0), ("1", 10))])
    costs = {"hlo_category": "convolution", "program_id": 7, "flops": 10**9, "bytes_accessed": 10**6}
    core.line("XLA Ops", [core.event(core.op("conv", "conv", costs), a * MS, 5 * MS) for a in (0, 10)])
    programs = t.Plane("/host:metadata")
    programs.op("jit_f(7)", "", {"Hlo Proto": damaged})
    programs.op("jit_g(8)", "", {"Hlo Proto": sound})
    return t.space(core, programs)


def untouched(doc):
    """Figures that no HLO is needed for."""
    return {key: one["value"] for key, one in doc["metrics"].items()
            if key.startswith(("step.", "device.", "op.", "flops.", "run.", "data.dropped"))}


def within_a_profile():
    def plan(p, b):
        p.events((ALLOC, b[1], "a1"), (ALLOC, b[2], "a2"))

    whole = program(plan)
    _, _, before = report(capture(whole, whole), "vm.xplane.pb")
    figures = untouched(before)
    check.part("a sound profile")
    check.true("steps are known", before["metrics"]["step.time.mean_ms"]["value"] == 10)
    check.equal("programs", peaks(before), {"7": 1200, "8": 1200})
    where = whole.index(b"weights")
    broken = bytearray(whole)
    broken[where - 3] = 0xFF  # the length of the first instruction
    for name, data in (("cut in the module", whole[:40]), ("a length that is wrong", bytes(broken)),
                       ("cut in the plan", whole[:-7]), ("no module", b"\xff" * 50), ("zeros", bytes(64))):
        check.part(f"damaged HLO: {name}")
        profile = capture(data, whole)
        status, words, doc = report(profile, "vm.xplane.pb")
        if not check.true("a report", status == 0 and doc is not None):
            print(words)
            continue
        check.equal("figures", untouched(doc), figures)
        check.equal("programs", peaks(doc), {"8": 1200})
        check.true("the file and the place", f"vm.xplane.pb: at byte {profile.index(data)}: " in words or
                   f"vm.xplane.pb: at byte {profile.index(data[:40])}: " in words)
        check.equal("warnings", doc["metrics"]["data.warnings"]["value"], 1)


def peaks(doc):
    found = {}

    def walk(blocks):
        for block in blocks:
            for row in block.get("rows", []) if block["id"] == "memory/programs" else []:
                cells = row["cells"]
                found[cells["program_id"]["value"]] = round(cells["peak_mib"]["value"] * 2**20)
            walk(block.get("blocks", []))

    walk(doc["sections"])
    return found


def main():
    plans()
    depths()
    within_a_profile()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
