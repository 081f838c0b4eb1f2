"""Padding fits of small programs, worked out by hand: what no generated profile here holds."""

import sys
import tempfile
from pathlib import Path

import hlo_writer
from truth import Check, Report
from xspace_writer import Plane, xspace

MS = 10**9  # picoseconds
check = Check()


def report_on(planes, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logs/plugins/profile/run/host.xplane.pb")
        path.parent.mkdir(parents=True)
        path.write_bytes(xspace(*planes))
        return Report(Path(folder, "logs"), "--top", "all", *arguments)


def core(times, device="TPU v5 lite", program=42):
    """A TPU core on which each of {operation: ms} ran once, one after the other."""
    plane = Plane("/device:TPU:0", device_type_string=device)
    line, at = plane.line("XLA Ops"), 0
    for name, ms in times.items():
        plane.op(name, hlo_category="convolution fusion", program_id=program)
        line.event(name, at, ms * MS)
        at += ms * MS
    return plane


def programs(*modules):
    """modules: (name with the id, bytes of an HloProto)"""
    plane = Plane("/host:metadata")
    for name, data in modules:
        plane.op(name, **{"Hlo Proto": data})
    # Metadata without events is not written otherwise.
    line = plane.line("none")
    for name, _ in modules:
        line.event(name, 0, 0)
    return plane


def rows(report, table="padding/operations"):
    return {row["name"]: row for row in report.rows(table)}


def dims(report, product, role):
    """[(name, size, padded, axis)] of an array in the table of dimensions."""
    out, here, array = [], False, ""
    for row in report.rows("padding/dimensions"):
        if row["depth"] == 0:
            here = row["name"].split(",")[0] == product
        elif row["depth"] == 1:
            array = row["name"]
        elif here and array == role:
            out.append((row["name"], row["size"], row["padded"], row["axis"]))
    return out


def dots():
    """Batched products, of several types and tiles."""
    check.part("dots")
    m = hlo_writer.Module("jit_f")
    main = m.computation("main")
    a = main.add("a", "parameter", "f32[4,100,64]{2,1,0:T(8,128)}", parameter_number=0)
    b = main.add("b", "parameter", "f32[4,64,200]{2,1,0:T(8,128)}", parameter_number=1)
    main.add("dot.1", "dot", "f32[4,100,200]{2,1,0:T(8,128)}", a, b, dot_dims=([2], [1], [0], [0]))
    c = main.add("c", "parameter", "s8[30,256]{1,0:T(8,128)(4,1)}", parameter_number=2)
    d = main.add("d", "parameter", "s8[256,128]{1,0:T(8,128)(4,1)}", parameter_number=3)
    main.add("dot.2", "dot", "s32[30,128]{1,0:T(8,128)}", c, d, dot_dims=([1], [0]))
    e = main.add("e", "parameter", "bf16[24,128]{1,0:T(8,128)(2,1,1,1)}", parameter_number=4)
    f = main.add("f", "parameter", "bf16[128,128]{1,0:T(8,128)(2,1,1,1)}", parameter_number=5)
    main.add("dot.3", "dot", "bf16[24,128]{1,0:T(8,128)(2,1,1,1)}", e, f, dot_dims=([1], [0]))
    g = main.add("g", "parameter", "f32[256]{0:T(256)}", parameter_number=6)
    h = main.add("h", "parameter", "f32[256]{0:T(256)}", parameter_number=7)
    main.add("dot.4", "dot", "f32[]{:T(128)}", g, h, dot_dims=([0], [0]))
    i = main.add("i", "parameter", "f32[8,128]", parameter_number=8)
    j = main.add("j", "parameter", "f32[128,8]{1,0}", parameter_number=9)
    main.add("dot.5", "dot", "f32[8,8]{1,0}", i, j, dot_dims=([1], [0]))
    report = report_on([core({"dot.1": 10, "dot.2": 20, "dot.3": 40, "dot.4": 5, "dot.5": 25}), programs(("jit_f(42)", m.bytes()))])
    ops = rows(report)

    # lhs: 64 → 128 lanes and 100 → 104 sublanes: 48.1 %; the batch of 4 is not tiled. rhs 200 → 256; output both.
    check.near("dot.1", ops["dot.1"]["fit_share"], 64 / 128 * 100 / 104)
    check.equal("dot.1 padded", ops["dot.1"]["padded"], "lhs: contracting 64 → 128, rows 100 → 104")
    check.near("dot.1 lost", ops["dot.1"]["lost_ms"], 10 * (1 - 64 / 128 * 100 / 104))
    # Half of the unit by the contracted 64; columns 200 of 256 fill it as well as rows 100 of 128.
    check.near("dot.1 matrix unit", ops["dot.1"]["matrix_unit_share"], 64 / 128 * 200 / 256)
    check.equal("dot.1 lhs", dims(report, "dot.1", "lhs"),
                [("contracting", 64, 128, "lane"), ("rows", 100, 104, "sublane"), ("batch", 4, 4, "")])
    check.equal("dot.1 rhs", dims(report, "dot.1", "rhs"),
                [("columns", 200, 256, "lane"), ("contracting", 64, 64, "sublane"), ("batch", 4, 4, "")])
    check.equal("dot.1 output", dims(report, "dot.1", "output"),
                [("columns", 200, 256, "lane"), ("rows", 100, 104, "sublane"), ("batch", 4, 4, "")])
    # Four rows of s8 share a sublane of 32 bit, within the 8 rows of a tile: 30 → 32.
    check.near("dot.2", ops["dot.2"]["fit_share"], 30 / 32)
    # Two tiles of 8 rows are paired: 24 → 32.
    check.near("dot.3", ops["dot.3"]["fit_share"], 24 / 32)
    # A scalar lies in 128 lanes.
    check.near("dot.4", ops["dot.4"]["fit_share"], 1 / 128)
    check.equal("dot.4 output", dims(report, "dot.4", "output"), [("no dimension", 1, 128, "lane")])
    # No layout, and layouts without tiles: nothing is known to be padded, and it is not said to fit.
    check.equal("dot.5", (ops["dot.5"]["fit_share"], ops["dot.5"]["lost_ms"]), (None, None))
    lost = 10 * (1 - 64 / 128 * 100 / 104) + 20 * 2 / 32 + 40 * 8 / 32 + 5 * 127 / 128
    check.near("lost", report.metric("padding.lost_ms"), lost)
    check.near("share", report.metric("padding.lost_share"), lost / 100)
    check.equal("coverage", report.metrics["padding.lost_ms"]["coverage"], "4 of 5 operations with tiles")
    order = [row["name"] for row in report.rows("padding/operations")]
    check.equal("by time lost", order, ["dot.3", "dot.1", "dot.4", "dot.2", "dot.5"])


IMAGE = "bf16[16,224,224,3]{0,3,2,1:T(8,128)(2,1)}"
KERNEL = "bf16[7,7,3,64]{3,2,1,0:T(8,128)(2,1)}"
RESULT = "bf16[16,112,112,64]{3,0,2,1:T(8,128)(2,1)}"


def fusions():
    """A convolution within a fusion within another, and the gradient of its kernel."""
    check.part("fusions")
    m = hlo_writer.Module("jit_train")
    inner = m.computation("inner", fused=True)
    a, b = inner.add("p0", "parameter", IMAGE, parameter_number=0), inner.add("p1", "parameter", KERNEL, parameter_number=1)
    inner.add("convolution.7", "convolution", RESULT, a, b, conv=("b01f_01io->b01f", [7, 7], [2, 2]))
    outer = m.computation("outer", fused=True)
    a, b = outer.add("q0", "parameter", IMAGE, parameter_number=0), outer.add("q1", "parameter", KERNEL, parameter_number=1)
    outer.add("nested", "fusion", RESULT, a, b, calls=[inner], kind="kOutput")
    grad = m.computation("grad", fused=True)
    a, b = grad.add("r0", "parameter", IMAGE, parameter_number=0), grad.add("r1", "parameter", RESULT, parameter_number=1)
    grad.add("convolution.8", "convolution", "f32[7,7,3,64]{3,2,1,0:T(8,128)}", a, b,
             conv=("f01b_i01o->01bf", [112, 112], [1, 1]), op_name="jit(train)/transpose(jvp)/conv_general_dilated")
    body = m.computation("body")
    a = body.add("s0", "parameter", "f32[8,128]{1,0:T(8,128)}", parameter_number=0)
    body.add("dot.9", "dot", "f32[8,8]{1,0:T(8,128)}", a, a, dot_dims=([1], [1]))
    main = m.computation("main")
    a, b = main.add("a", "parameter", IMAGE, parameter_number=0), main.add("b", "parameter", KERNEL, parameter_number=1)
    fusion = main.add("fusion.1", "fusion", RESULT, a, b, calls=[outer], kind="kOutput")
    main.add("fusion.2", "fusion", "f32[7,7,3,64]{3,2,1,0:T(8,128)}", a, fusion, calls=[grad], kind="kOutput")
    main.add("while", "while", "f32[8,128]{1,0:T(8,128)}", a, calls=[body])
    main.add("copy", "copy", IMAGE, a)
    report = report_on([core({"fusion.1": 60, "fusion.2": 30, "while": 5, "copy": 5}, "TPU v3"),
                        programs(("jit_train(42)", m.bytes()))])
    ops = rows(report)

    check.equal("operations", list(ops), ["fusion.1", "fusion.2"])
    check.near("fit", ops["fusion.1"]["fit_share"], 0.046875)
    check.equal("padded", ops["fusion.1"]["padded"], "lhs: batch 16 → 128, feature 3 → 8")
    # 7 × 7 × 3 = 147 terms of 256 (2 × 128); 16 × 112 × 112 rows are 1568 × 128.
    check.near("matrix unit", ops["fusion.1"]["matrix_unit_share"], 147 / 256)
    # Of the image (0, 3, 2, 1): 16 × 3 of 128 × 8; kernel 3 × 64 of 8 × 128; result 64 of 128.
    image, kernel, result = 224 * 224 * 2, 7 * 7 * 2, 112 * 112 * 2
    moved = image * (1024 - 48) + kernel * (1024 - 192) + result * 16 * 64
    check.near("padding moved", ops["fusion.1"]["padding_mib"], moved / 2**20)
    # HLO calls the batch a feature here; the layer does not.
    check.equal("gradient", ops["fusion.2"]["padded"], "lhs: batch 16 → 128, feature 3 → 8")
    check.equal("its dimensions", dims(report, "fusion.2", "lhs")[:2],
                [("feature", 16, 128, "lane"), ("batch", 3, 8, "sublane")])
    check.near("lost", report.metric("padding.lost_ms"), 90 * (1 - 0.046875))
    [buffer] = report.rows("padding/buffers")
    check.equal("large buffer", (buffer["name"], buffer["shape"]), ("copy", IMAGE))
    check.near("its expansion", buffer["expansion_times"], 1024 / 48)
    # By what the same data would take less. More channels than the image's 3 would hold no data.
    for name, self_ms, at in (("fusion.1", 60, 0), ("fusion.2", 30, 4)):
        options = [(row["name"], row["fit_share"], row["less_ms"]) for row in report.rows("padding/would-fit")][at:at + 4]
        today = 16 / 128 * 3 / 8
        check.equal(f"what would fit, {name}", [option[0] for option in options],
                    [f"{name}: now", "space-to-depth by 2 and batch 128", "batch 128", "space-to-depth by 2"])
        for option, fit in zip(options[1:], (12 / 16, 3 / 8, 16 / 128 * 12 / 16)):
            check.near(f"{option[0]} fits", option[1], fit)
            check.near(f"{option[0]} saves", option[2], self_ms * (1 - today / fit))
    [finding] = [one for one in report.doc["findings"] if one["id"] == "TPR-PAD-001"]
    check.true("what fits best", "space-to-depth by 2 and batch 128" in finding["brief"])
    check.equal("what saves most is first", [action.split(" ")[0] for action in finding["actions"]], ["Raise", "Space-to-depth"])


def nothing_to_judge():
    """What is not there is not 100 %."""
    m = hlo_writer.Module("jit_f")
    main = m.computation("main")
    a = main.add("a", "parameter", "f32[5,5]{1,0:T(8,128)}", parameter_number=0)
    main.add("copy.1", "copy", "f32[5,5]{1,0:T(8,128)}", a)
    plain = hlo_writer.Module("jit_f")
    main = plain.computation("main")
    a = main.add("a", "parameter", "f32[5,5]{1,0}", parameter_number=0)
    main.add("copy.1", "dot", "f32[5,5]{1,0}", a, a, dot_dims=([1], [0]))
    cases = {
        "no product": (m.bytes(), 0, ""),
        "no tiles": (plain.bytes(), None, "without tiles"),
        "damaged": (m.bytes()[:-3], None, "no HLO"),
    }
    for name, (data, lost, why) in cases.items():
        check.part(name)
        report = report_on([core({"copy.1": 5}), programs(("jit_f(42)", data))])
        check.equal("lost", report.metric("padding.lost_ms"), lost)
        check.equal("share", report.metric("padding.lost_share"), lost)
        check.true("why", why in report.missing("padding.lost_ms"))
        check.equal("rows", report.rows("padding/operations"), [])
    check.part("no HLO at all")
    report = report_on([core({"copy.1": 5})])
    check.true("why", "no HLO" in report.missing("padding.lost_share"))
    check.part("damage is said")
    good = report_on([core({"copy.1": 5}), programs(("jit_f(42)", m.bytes()), ("jit_g(43)", m.bytes()[:-3]))])
    elsewhere = [section for section in good.doc["sections"] if section["id"] not in ("memory", "method")]
    check.true("only of programs that were measured", "damaged" not in str(elsewhere))
    bad = report_on([core({"copy.1": 5}), programs(("jit_f(42)", m.bytes()[:-3]))])
    check.true("with its name", "The HLO of program" in str(bad.doc["sections"]))


def main():
    dots()
    fusions()
    nothing_to_judge()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
