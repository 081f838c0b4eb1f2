"""A memory plan written by hand, with its peaks, its padding, its lifetimes and the checks on them."""

import sys
import tempfile
from pathlib import Path

import hlo_writer
from hlo_writer import ALLOC, FREE, SHARE
from pages import plain
from truth import Check, Report
from xspace_writer import Plane, field, xspace

MS = 10**9  # picoseconds
MIB = 2**20
check = Check()


def program(with_plan=True):
    """A parameter of 6,144 bytes (logically 1,536) and two temporaries of 4,096 and 2,048 in HBM; in VMEM a copy of 8,192
    bytes whose memory another shares; in the host's memory 512. Two instructions take VMEM for themselves."""
    module = hlo_writer.Module("jit_f")
    main = module.computation("main")
    scoped = '{"scoped_memory_configs":[],"used_scoped_memory_configs":[%s],"retry_config":{"size":"9999999"}}'
    weights = main.add("weights", "parameter", "f32[3,128]{1,0:T(12,128)}", parameter_number=0)
    dot = main.add("dot", "dot", "f32[8,128]{1,0:T(8,128)}", weights, weights, backend=scoped %
                   '{"memory_space":"1","offset":"0","size":"3145728"},{"memory_space":"5","offset":"0","size":"7777777"}')
    copy = main.add("copy", "copy", "f32[16,128]{1,0:T(8,128)S(1)}", weights, backend=scoped %
                    '{"memory_space":"1","offset":"0","size":"2048"}')
    alias = main.add("alias", "bitcast", "f32[16,128]{1,0:T(8,128)S(1)}", copy)
    host = main.add("host", "copy-start", "(f32[128]{0:S(5)}, f32[128]{0})", weights)
    last = main.add("sum", "add", "f32[4,128]{1,0}", dot, dot)
    if not with_plan:
        return module.bytes()
    plan = hlo_writer.Plan()
    weights, dot, last = plan.buffer(weights, 6144), plan.buffer(dot, 4096), plan.buffer(last, 2048)
    copy, alias = plan.buffer(copy, 8192, space=1), plan.buffer(alias, 8192, space=1)
    host = plan.buffer(host, 512, space=5, part=(0,))
    plan.allocation(6144, weights, parameter=True)
    plan.allocation(6144, dot, last)
    plan.allocation(8192, copy, alias, space=1)
    plan.allocation(512, host, space=5)
    plan.events((ALLOC, dot, "dot"), (FREE, dot, "dot"), (ALLOC, last, "sum"))
    plan.events((ALLOC, copy, "copy"), (SHARE, alias, "alias", copy), (FREE, copy, "copy"), (FREE, alias, "alias"))
    plan.events((ALLOC, host, "host"),)
    return module.bytes() + plan.bytes()


def capture(*arguments, with_plan=True, more=()):
    """The report on a capture that holds the program."""
    core = Plane("/device:TPU:0", device_type_string="TPU v9 test")
    core.op("%dot = f32[8,128] dot()", "dot", hlo_category="convolution fusion", program_id=42)
    core.line("XLA Ops").event("%dot = f32[8,128] dot()", 0, MS)
    metadata = Plane("/host:metadata")
    metadata.op("jit_f(42)", **{"Hlo Proto": program(with_plan)})
    metadata.line("none").event("jit_f(42)", 0, 0)
    return report_on("plugins/profile/run/host.xplane.pb", xspace(core, metadata, *more), *arguments)


def report_on(name, data, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logs", name)
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        return Report(path if path.suffix == ".bin" else Path(folder, "logs"), "--top", "all", *arguments)


def finding(report, rule):
    [one] = [one for one in report.doc["findings"] if one["id"] == rule]
    return one


def the_plan(report, number="42"):
    check.equal("peak", report.metric("memory.peak_bytes"), 6144 + 4096)
    check.equal("without padding", report.metric("memory.peak_unpadded_bytes"), 3 * 128 * 4 + 8 * 128 * 4)
    check.equal("position", report.metric("memory.peak_position@module=jit_f"), 0)
    check.equal("VMEM of a single instruction", report.metric("memory.scoped_vmem_bytes"), 3145728)
    rows = report.rows(f"memory/jit_f/{number}/HBM/buffers")
    # Without dot the peak would be that of sum, 8,192; the parameter is there at every point.
    check.equal("live at the peak", [(row["buffer"], row["kind"], row["start"], row["end"], round(row["frees_mib"] * MIB))
                                     for row in rows],
                [("weights", "parameter", 0, 3, 6144), ("dot", "temporary", 0, 1, 10240 - 8192)])
    lives = report.blocks[f"memory/jit_f/{number}/HBM/curve"]["lifetimes"]
    # Of four points the first is before any event; the event at 1 frees what is counted up to point 1.
    check.equal("lifetimes", [(one["label"], one["from"], one["to"]) for one in lives],
                [("weights", 0, 1), ("dot", 0.25, 0.5)])
    check.equal("warnings", report.metric("data.warnings"), 0)


def other_spaces(report, number="42"):
    spaces = {row["space"]: (round(row["peak_mib"] * MIB), row["position"], row["points"])
              for row in report.rows("memory/programs")}
    check.equal("spaces", spaces, {"HBM": (10240, 0, 3), "VMEM": (8192, 0, 4), "host memory": (512, 0, 1)})
    rows = report.rows(f"memory/jit_f/{number}/VMEM/buffers")
    check.equal("VMEM, memory is taken until the last that shares it goes",
                [(row["buffer"], row["start"], row["end"]) for row in rows], [("copy", 0, 3)])
    [row] = report.rows(f"memory/jit_f/{number}/host%20memory/buffers")
    check.equal("host memory", (row["buffer"], row["shape"], row["end"]), ("host{0}", "f32[128]{0:S(5)}", 1))
    folds = {}

    def walk(blocks):
        for block in blocks:
            if block.get("role") == "fold":
                folds[block["id"]] = block["title"]
            walk(block.get("blocks", []))

    walk(report.doc["sections"])
    check.equal("folds", [folds.get(f"memory/jit_f/{number}/{space}") for space in ("VMEM", "host%20memory", "HBM")],
                ["VMEM of the same program", "host memory of the same program", None])
    check.true("the guide", "memory/guide" in folds)


def alone():
    """The program without a profile: by its name, and by what it holds under another."""
    check.part("alone")
    the_plan(report_on("jit_f(42).hlo_proto.pb", program()))
    other_spaces(report_on("module.hlo.pb", program()), "0")
    the_plan(report_on("whatever.bin", program()), "0")
    whole = program()
    module = hlo_writer.Module("jit_g")
    module.computation("main").add("a", "parameter", "f32[2]{0}", parameter_number=0)
    lone = dict((number, value) for number, value in [split(module.bytes())])[1]
    report = report_on("lone.bin", lone)
    check.equal("a module without a plan", report.missing("memory.peak_bytes"),
                "the profile's programs carry no buffer assignment")
    cut = report_on("jit_f(42).hlo_proto.pb", whole[:-5])
    check.equal("a plan that is cut off", cut.missing("memory.peak_bytes"),
                "the profile's programs carry no buffer assignment")
    check.true("and said to be", f"at byte {len(whole) - 5}: the file breaks off here" in cut.stderr)


def split(data):
    """The one field of a message: (number, bytes)."""
    length = shift = 0
    at = 1
    while True:
        length |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return data[0] >> 3, data[at:at + length]


def beside():
    """Profilers leave a profile's programs beside it: they count once."""
    check.part("beside")
    metadata = Plane("/host:metadata")
    metadata.op("jit_f(42)", **{"Hlo Proto": program()})
    metadata.line("none").event("jit_f(42)", 0, 0)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "host.xplane.pb").write_bytes(xspace(metadata))
        Path(folder, "jit_f(42).hlo_proto.pb").write_bytes(program())
        Path(folder, "jit_f(43).hlo_proto.pb").write_bytes(program() + field(99, 1))
        report = Report(folder)
    programs = [row["program_id"] for row in report.rows("memory/programs") if row["position"] == 0 and row["points"] == 3]
    check.equal("programs", sorted(programs), ["42", "43"])


def one_section():
    """Whether programs fit and what fills the memory is one section, in which what was measured is a part."""
    check.part("one section")
    host = Plane("/host:CPU")
    host.line("thread").event("MemoryAllocation", MS, 0, allocator_name="bfc", bytes_reserved=0, bytes_allocated=3 * MIB,
                              bytes_available=MIB, fragmentation=0.0, peak_bytes_in_use=3 * MIB, allocation_bytes=3 * MIB,
                              requested_bytes=3 * MIB, addr=1, tf_op="layer/add")
    report = capture("--peak", "memory=100000", more=[host])
    check.equal("sections", [s["id"] for s in report.doc["sections"] if "memory" in s["id"]], ["memory"])
    section = report.section("memory")
    check.equal("it fits", section["answer"],
                "Programs fit: the largest, jit_f, needs 10.0\u202fKiB at its peak, 10.2\u202f% of 97.7\u202fKiB.")
    for filled in ("45.0\u202f%, is padding.", "The largest buffer is weights, 6.00\u202fKiB.", "Measured peak: 3.00\u202fMiB, with what else was in memory."):
        check.true(f"{filled}: {section['so_what']}", filled in section["so_what"])
    check.equal("what leads, and the parts", [b["id"] for b in section["blocks"] if b["kind"] in ("section", "table")],
                ["memory/jit_f/42/HBM", "memory/programs", "memory/guide", "memory/how", "memory-over-time"])
    measured = section["blocks"][-1]
    check.equal("no answer of its own", (measured["role"], measured.get("answer")), ("sub", None))
    check.true("what filled it: " + measured["so_what"], "layer/add" in measured["so_what"])
    tight = capture("--peak", "memory=10000").section("memory")["answer"]
    check.equal("it does not fit", tight,
                "The largest program, jit_f, does not fit: it needs 10.0\u202fKiB, 102.4\u202f% of 9.77\u202fKiB.")
    blind = report_on("jit_f(42).hlo_proto.pb", program()).section("memory")["answer"]
    check.equal("the memory is not known", blind, "The largest program, jit_f, needs 10.0\u202fKiB at its peak.")


def main():
    check.part("the plan")
    report = capture("--peak", "memory=10000")
    the_plan(report)
    other_spaces(report)
    check.near("share", report.metric("memory.peak_share"), 1.024)

    check.part("the checks")
    for memory, oom, padding in ((10000, "open", "open"), (11000, "open", "open"), (1000000, "passed", "passed")):
        report = capture("--peak", f"memory={memory}")
        check.equal(f"TPR-OOM-001 with {memory} bytes", finding(report, "TPR-OOM-001")["status"], oom)
        check.equal(f"TPR-OOM-002 with {memory} bytes", finding(report, "TPR-OOM-002")["status"], padding)
    report = capture("--peak", "memory=10000")
    check.true("what would free most", "The peak is 10.0 KiB of 9.77 KiB. Largest reductions of the peak: without "
               "weights by 6.00 KiB, dot 2.00 KiB." in
               plain(finding(report, "TPR-OOM-001")["saw"]))
    check.true("what padding costs", "Padding costs 4.50 KiB of the peak of 10.0 KiB. Most padding: weights 4.50 KiB." in
               plain(finding(report, "TPR-OOM-002")["saw"]))
    saved = {rule: finding(report, rule) for rule in ("TPR-OOM-001", "TPR-OOM-002")}
    check.equal("what must go for it to fit, and what padding takes", [(f["saving"]["value"], f["saving"]["unit"], f["saving_note"], f.get("saving_needed"))
                for f in saved.values()], [(240, "bytes", "to fit", True), (4608, "bytes", "of memory", None)])
    fits = finding(capture("--peak", "memory=11000"), "TPR-OOM-001")
    check.equal("of what fits nothing must go", fits["saving"]["value"], None)
    for rule in ("TPR-OOM-001", "TPR-OOM-002"):
        check.equal(f"{rule}, capacity not known", finding(capture(), rule)["status"], "undecided")
        check.equal(f"{rule}, no plan", finding(capture(with_plan=False), rule)["status"], "undecided")
    alone()
    beside()
    one_section()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
