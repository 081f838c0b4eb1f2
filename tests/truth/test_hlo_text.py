"""The text of HLO modules: byte for byte what XLA prints, worked out by hand and as xprof's graph viewer gives it."""

import base64
import gzip
import json
import os
import re
import tempfile
import time
from pathlib import Path

import hlo_writer
from truth import SOURCE, Check, run, test_data
from xspace_reader import fields
from xspace_writer import field

check = Check()


def text_of(path, program):
    """What `tpreport hlo` writes, and what it says beside."""
    done = run("hlo", "--quiet", path, program)
    check.equal(f"exit status for {program}", done.returncode, 0)
    return done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def text_of_module(module):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{module.name}(7).hlo_proto.pb")
        path.write_bytes(module.bytes())
        return text_of(path, module.name)


# The first computation stands as it is scheduled. The second has no schedule: instructions stand after what they read, from the
# first on that nothing reads.
BY_HAND = """HloModule jit_f, is_scheduled=true

add {
  y = f32[] parameter(1)
  x = f32[] parameter(0)
  ROOT sum = f32[] add(x, y)
}

ENTRY main {
  square = f32[2,2]{1,0} constant({ { 1, 2.5 }, { 0.1, -inf } })
  column = f32[2,1]{1,0} constant({ {1}, {16777216} })
  turned_square = f32[2,2]{0,1} constant({ { 1, 2 }, { 3, 4 } })
  own = f32[2,2]{0,1} constant({ { 1, 2 }, { 3, 4 } })
  many = f32[11]{0} constant({...})
  bytes = s8[3]{0} constant({-1, 0, 127})
  halves = f16[4]{0} constant({1, -0.099976, 65504, 5.9605e-08})
  brain = bf16[2]{0} constant({0.1001, 1})
  wide = f64[] constant(0.1)
  yes = pred[] constant(true)
  both = pred[2]{0} constant({1, 0})
  short = f32[2]{0} constant({...})
  p = f32[4,8]{1,0:T(8,128)} parameter(0), sharding={devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}
  part = f32[2,2]{1,0} slice(p), slice={[0:4:2], [3:5:1]}
  zero = f32[] constant(0)
  wider = f32[7,8]{1,0} pad(p, zero), padding=1_2x0_0
  apart = f32[7,8]{1,0} pad(p, zero), padding=0_0_1x0_0_0
  less = pred[4,8]{1,0} compare(p, p), direction=LT, type=TOTALORDER
  rows = f32[4]{0} reduce(p, zero), dimensions={1}, to_apply=add
  all = f32[4,8]{1,0} all-reduce(p), channel_id=3, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add
  turned = f32[8,8]{1,0} all-gather(p), channel_id=4, replica_groups=[2,2]<=[2,2]T(1,0), dimensions={0}
  onward = f32[4,8]{1,0} collective-permute(p), channel_id=5, source_target_pairs={{0,1},{1,0}}
  outside = f32[4,8]{1,0} custom-call(p), custom_call_target="call", operand_layout_constraints={f32[4,8]{1,0}}, \
custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, frontend_attributes={a="y",b={x}}, backend_config="a \\"b\\"\\n"
  times = f32[4,4]{1,0} dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}, operand_precision={highest,default}
  new?line = f32[4,8]{1,0} negate(p)
  strange = f32[4,8]{1,0} negate(p)
  ROOT out = (f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[]) tuple(zero, zero, zero, zero, zero, zero)
}

"""


def by_hand():
    check.part("by hand")
    text, told = text_of_module(hlo_writer.every_attribute())
    for number, (got, expected) in enumerate(zip(text.splitlines(), BY_HAND.splitlines()), 1):
        check.equal(f"line {number}", got, expected)
    check.equal("lines", len(text.splitlines()), len(BY_HAND.splitlines()))
    check.true(f"one is told to lack something: {told}", "1 instruction has attributes that were not written" in told)


# Modules of which jaxlib 0.10.2 and xprof 2.24.2 (its graph viewer's short_txt) print the same text; jaxlib made them of text
# written for it, a few lines each. What is told to lack something, and nothing else, may lack it.
LACKING = {"cc_literal2", "conv_kind", "cp_slices", "origin"}
UNTOLD = {"stats", "const40"}  # what only viewers add, and a constant that is written as "{...}"


def xla():
    modules = json.loads(gzip.decompress((SOURCE / "tests/truth/data/hlo_texts.json.gz").read_bytes()))
    with tempfile.TemporaryDirectory() as folder:
        for name, one in modules.items():
            check.part(name)
            path = Path(folder, f"{name}(1).hlo_proto.pb")
            path.write_bytes(field(1, base64.b64decode(one["module"])))
            got, told = text_of(path, name)
            check.equal("told to lack something", "attributes that were not written" in told, name in LACKING)
            if name not in LACKING | UNTOLD:
                check.equal("text", got.splitlines(), one["text"].splitlines())
    check.true(f"{len(modules)} modules", len(modules) > 200)


def long_chain():
    """100,000 times the same operation goes on: what it is is found once, not from each of them on."""
    check.part("a long chain")
    count, pair = 100_000, "((f32[8]{0}), f32[8]{0})"
    m = hlo_writer.Module("jit_f")
    within = m.computation("within")
    within.add("root", "negate", "f32[8]{0}", within.add("a", "parameter", "f32[8]{0}", parameter_number=0))
    main = m.computation("main")
    last = main.add("s", "async-start", pair, main.add("p", "parameter", "f32[8]{0}", parameter_number=0), calls=[within])
    chain = [field(2, field(1, "u") + field(2, "async-update") + field(3, hlo_writer.shape(pair)) + field(35, last + 1 + i) +
                   hlo_writer.packed(36, [last + i])) for i in range(count)]
    main.body += b"".join(chain)
    main.last = last + count
    start = time.monotonic()
    text, told = text_of_module(m)
    took = time.monotonic() - start
    check.equal("updates", text.count(" negate-update("), count)
    check.equal("told", told, "")
    check.true(f"{took} s", took < 60)  # seconds; what walks back from each takes minutes


def peer(path):
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")


# The graph viewer that made the truth does not know groups that are counted out, and writes none; XLA itself does, in the name
# of the profile's event.
LOST = {"jit__psum": ("replica_groups={}", "replica_groups=[4,2]<=[2,4]T(1,0)")}


def the_peer():
    cases = [(case / "logdir", theirs) for case in test_data("synth").iterdir() for theirs in case.glob("xprof/graph_viewer.*.short_txt.*")]
    for name, inputs in (("jax_cnn", "captured/jax_cnn"), ("tpu_inference_2", "found/xprof/xprof/convert/test_xplanes")):
        cases += [(test_data("xla", inputs), theirs) for theirs in test_data("xla", "truth", name).glob("graph_viewer.*.short_txt.*")]
    for path, theirs in cases:
        program_name = re.fullmatch(r"graph_viewer\.(.*)\.short_txt\.txt(\.gz)?", theirs.name)[1]
        check.part(f"{path} {program_name}")
        got, told = text_of(path, program_name)
        expected = peer(theirs)
        lost, found = LOST.get(program_name.partition("(")[0], ("", ""))
        if lost:
            check.true(f"theirs still has {lost}", lost in expected)
            expected = expected.replace(lost, found)
        check.true("the same bytes", got == expected)
        check.equal("nothing is lacking", told, "")
    check.true(f"{len(cases)} modules", len(cases) >= 8)


def instructions(text):
    """{name: the rest of its line}"""
    return dict(line.strip().removeprefix("ROOT ").split(" = ", 1) for line in text.splitlines() if line.startswith("  "))


def by_xla():
    """On a TPU the name of an event is the instruction as XLA printed it, with the operands' shapes and without the rest."""
    [path] = test_data("xla/found/xprof/xprof/convert/test_xplanes").glob("tpu_inference_2.xplane.pb")
    data, names = path.read_bytes(), set()
    for number, plane in fields(data):
        for part, entry in fields(plane) if number == 1 else ():
            for metadata in (value for which, value in fields(entry) if which == 2) if part == 4 else ():
                names |= {v.decode("utf-8", "replace") for n, v in fields(metadata) if n == 2}
    ours = {}
    for name in run("hlo", "--quiet", path).stdout.decode().split():
        for instruction, line in instructions(text_of(path, name)[0]).items():
            ours.setdefault(instruction, []).append(line)
    check.part("names of events")
    compared = 0
    for name in names:
        if not name.startswith("%") or " = " not in name:
            continue
        # "%a = f32[2]{0} add(f32[2]{0} %b, …)": without sigils, and operands without shapes.
        plain = re.sub(r"([(, ])(?:\((?:[^()]|\([^()]*\))*\)|\w+\[[^\]]*\](?:\{[^}]*\})?) %", r"\1", name).replace("%", "")
        instruction, rest = plain.split(" = ", 1)
        if instruction not in ours:
            continue
        check.true(f"{instruction}: {rest} is how one of {ours[instruction]} begins",
                   any(line.replace("/*index=5*/", "").startswith(rest) for line in ours[instruction]))
        compared += 1
    check.true(f"{compared} names", compared >= 17)


by_hand()
xla()
long_chain()
if os.environ.get("TPREPORT_TEST_DATA"):
    the_peer()
    by_xla()
check.end()
