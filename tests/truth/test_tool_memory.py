"""The memory viewer's files as input, both shapes: answers known beforehand, hostile files, the HLO of a real capture written as
JSON here against the same capture as an xplane, and stored answers of the existing tool against what Python's json reads."""

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path

import tool_files
from truth import Check, Report, run, test_data
from xspace_reader import fields, text

check = Check()
MIB = 2**20


def size(mib):
    return round(mib * MIB)


def report_on(data, name="vm.memory_viewer.json", **more):
    with tempfile.TemporaryDirectory() as into:
        for file, content in {name: data, **more}.items():
            Path(into, file).write_bytes(content)
        return Report(into, "--top", "all")


def table(report, ending):
    [found] = [block for name, block in report.blocks.items() if name.startswith("memory/") and name.endswith(ending)]
    return found


def known_answers():
    for snake in (False, True):
        check.part(f"HLO{' with the names of the .proto' if snake else ''}")
        report = report_on(tool_files.memory_hlo_json(snake))
        for metric, value in (("memory.peak_bytes", 4 * MIB), ("memory.peak_unpadded_bytes", 3.5 * MIB), ("memory.peak_position", 1),
                              ("memory.peak_bytes@program=77", 4 * MIB), ("memory.peak_bytes@module=jit_plan", 4 * MIB)):
            check.equal(metric, report.metric(metric), value)
        rows = {r["buffer"]: r for r in report.rows(next(b for b in report.blocks if b.startswith("memory/") and b.endswith("/buffers")))}
        check.equal("buffers", {n: (size(r["size_mib"]), size(r["unpadded_mib"]), r["kind"], r["framework_op"], r["source"])
                                for n, r in rows.items()},
                    {"p": (MIB, MIB, "parameter", "model/p", "model.py:11"), "a": (2 * MIB, 2 * MIB, "temporary", "model/a", "model.py:12"),
                     "c": (MIB, MIB // 2, "temporary", "model/c", "model.py:14")})
        check.equal("shape", rows["c"]["shape"], "f32[2048,64]{1,0:T(8,128)}")
        check.equal("curve", [size(a + b) // MIB for a, b in zip(*(s["values"] for s in table(report, "/curve")["series"]))], [1, 3, 4, 2, 4, 2, 1])
        check.true("where from", "left by the profiler" in json.dumps(report.doc) and "vm.memory_viewer.json" in json.dumps(report.doc))
    check.part("figures")
    report = report_on(tool_files.memory_figures_json())
    for metric, value in (("memory.peak_bytes", 22 * MIB), ("memory.peak_unpadded_bytes", 20 * MIB), ("memory.peak_position", 1)):
        check.equal(metric, report.metric(metric), value)
    compare(report, json.loads(tool_files.memory_figures_json()))
    [program] = report.rows("memory/programs")
    check.equal("parameters", size(program["parameter_mib"]), size(9.5))
    check.true("no id is made up", program["program_id"] is None)
    check.true("outputs are not told apart", program["output_mib"] is None)
    check.true("marked", "recomputed by the profiler" in json.dumps(report.doc))
    check.true("no device is made up", "do not say" in report.missing("run.device_type"))
    check.part("several programs")
    report = report_on(tool_files.memory_figures_json(), **{"x.memory_viewer.json": tool_files.memory_hlo_json(),
                                                            "y.memory_viewer.json": tool_files.memory_hlo_json(True)})
    check.equal("programs", [r["program"] for r in report.rows("memory/programs")], ["jit_given", "jit_plan"])
    check.true("one twice", "already gives the program jit_plan" in json.dumps(report.doc))


def spaces(report):
    """{(id of a program, number of a memory space): row}: what a space is called depends on what the file says of devices."""
    rows = report.rows("memory/programs")
    tpu = any(r["space"] == "HBM" for r in rows)
    numbers = {"HBM": 0, "main memory": 0, "VMEM": 1, "SMEM": 2, "host memory": 5 if tpu else 0}
    return {(r["program_id"], numbers[r["space"]] if r["space"] in numbers else int(r["space"].split()[-1])): r for r in rows}


def compare(report, data):
    """A page of one program against the stored answer."""
    [program] = report.rows("memory/programs")
    check.equal("program", program["program"], data["moduleName"])
    for column, key in (("peak_mib", "peakHeapMib"), ("unpadded_mib", "peakUnpaddedHeapMib"), ("allocated_mib", "totalBufferAllocationMib"),
                        ("parameter_mib", "entryComputationParametersMib")):
        check.equal(key, size(program[column]), size(data.get(key, 0)))
    points = data.get("heapSizes", [])
    if len(points) > 1:
        check.equal("position", program["position"], int(data.get("peakHeapSizePosition", 0)))
        check.equal("points", program["points"], len(points) - 1)
    tables = [name for name in report.blocks if name.startswith("memory/") and name.endswith("/buffers")]
    if not tables:
        check.true("too small for a table", data["peakHeapMib"] < 1 / 16)
        return 0
    rows = sorted(report.rows(tables[0]), key=lambda r: r["order"])
    given = data.get("maxHeap", [])
    check.equal("buffers", len(rows), len(given))
    for row, one in zip(rows, given):
        check.equal("name", row["buffer"], one.get("instructionName") or one["label"])
        check.equal("size", size(row["size_mib"]), size(one["logicalBufferSizeMib"]))
        if "unpaddedShapeMib" in one:
            check.equal("without padding", size(row["unpadded_mib"]), size(one["unpaddedShapeMib"]))
        check.equal("kind", row["kind"], one.get("groupName", "several").lower())
        check.equal("shape", row["shape"] or "", one.get("shapeString", ""))
        check.equal("framework", row["framework_op"] or "", one.get("tfOpName", ""))
        span = data.get("logicalBufferSpans", {}).get(str(one["logicalBufferId"]))
        check.equal("lifetime", (row["start"], row["end"]),
                    (span.get("start", 0), span.get("limit", 0)) if span else (0, max(len(points) - 1, 0)))
    curves = [block for name, block in report.blocks.items() if name.startswith("memory/") and name.endswith("/curve")]
    if curves and len(points) <= 1000:
        series = [s["values"] for s in curves[0]["series"]]
        check.equal("curve", [size(a + b) for a, b in zip(*series)], [size(p) for p in points])
    return len(rows)


SHAPE = {2: ("elementType", "enum"), 3: ("dimensions", "ints"), 4: ("tupleShapes", "list", None), 6: ("isDynamicDimension", "ints"),
         5: ("layout", "one", {1: ("minorToMajor", "ints"), 6: ("tiles", "list", {1: ("dimensions", "ints")}), 8: ("memorySpace", "int")})}
SHAPE[4] = ("tupleShapes", "list", SHAPE)
INSTRUCTION = {1: ("name", "text"), 2: ("opcode", "text"), 3: ("shape", "one", SHAPE), 35: ("id", "int"), 36: ("operandIds", "ints"),
               7: ("metadata", "one", {1: ("opType", "text"), 2: ("opName", "text"), 3: ("sourceFile", "text"), 4: ("sourceLine", "int")})}
COMPUTATION = {1: ("name", "text"), 2: ("instructions", "list", INSTRUCTION), 5: ("id", "int"), 6: ("rootId", "int")}
MODULE = {1: ("name", "text"), 2: ("entryComputationName", "text"), 3: ("computations", "list", COMPUTATION), 5: ("id", "int"),
          6: ("entryComputationId", "int")}
LOCATION = {2: ("instructionName", "text"), 3: ("shapeIndex", "ints"), 4: ("instructionId", "int")}
BUFFER = {1: ("id", "int"), 2: ("size", "int"), 3: ("definedAt", "one", LOCATION), 4: ("color", "int")}
ALLOCATION = {1: ("index", "int"), 2: ("size", "int"), 3: ("isThreadLocal", "bool"), 5: ("isEntryComputationParameter", "bool"),
              6: ("parameterNumber", "int"), 7: ("maybeLiveOut", "bool"), 8: ("color", "int"), 11: ("isTuple", "bool"),
              12: ("isConstant", "bool"), 9: ("assigned", "list", {1: ("logicalBufferId", "int"), 2: ("offset", "int"), 3: ("size", "int")})}
EVENT = {1: ("kind", "kind"), 2: ("bufferId", "int"), 4: ("instructionName", "text"), 5: ("shareWithCanonicalId", "int")}
HLO = {1: ("hloModule", "one", MODULE),
       3: ("bufferAssignment", "one", {1: ("logicalBuffers", "list", BUFFER), 3: ("bufferAllocations", "list", ALLOCATION),
                                       4: ("heapSimulatorTraces", "list", {1: ("events", "list", EVENT)})})}
TYPES = {1: "PRED", 2: "S8", 3: "S16", 4: "S32", 5: "S64", 6: "U8", 7: "U16", 8: "U32", 9: "U64", 10: "F16", 11: "F32", 12: "F64", 13: "TUPLE",
         16: "BF16", 17: "TOKEN"}


def varints(data):
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0


def as_json(message, schema):
    """As protobuf's JSON printer has it: int64 as texts, what is 0 left out."""
    out = {}
    for number, value in fields(message):
        if number not in schema:
            continue
        name, kind, *inner = schema[number]
        if kind == "one":
            out[name] = as_json(value, inner[0])
        elif kind == "list":
            out.setdefault(name, []).append(as_json(value, inner[0]))
        elif kind == "ints":
            out.setdefault(name, []).extend(str(n) for n in (varints(value) if isinstance(value, bytes) else [value]))
        else:
            out[name] = {"text": lambda v: text(v), "int": str, "bool": bool, "enum": lambda v: TYPES.get(v, v),
                         "kind": lambda v: ("ALLOC", "FREE", "SHARE_WITH")[v]}[kind](value)
    return out


def programs_in(path):
    """The serialized HloProtos of an xplane, by name of the event that carries each."""
    for plane_number, plane in fields(path.read_bytes()):
        if plane_number != 1:
            continue
        for number, entry in fields(plane):
            for part, metadata in fields(entry) if number == 4 else ():
                if part != 2:
                    continue
                parts = list(fields(metadata))
                name = next((text(v) for n, v in parts if n == 2), "")
                for stat in (v for n, v in parts if n == 5):
                    for kind, value in fields(stat):
                        if kind == 6 and isinstance(value, bytes) and len(value) > 100:
                            yield name, value


def real():
    if not os.environ.get("TPREPORT_TEST_DATA"):
        return
    for logdir, least in (("xla/captured/jax_cnn", 20), ("xla/found/xprof/xprof/convert/test_xplanes", 4)):
        [path] = test_data(logdir).glob("**/*.xplane.pb")
        whole, compared = Report(path, "--top", "all"), 0
        theirs = spaces(whole)
        for name, proto in programs_in(path):
            check.part(f"{logdir} {name} as JSON")
            report = report_on(json.dumps(as_json(proto, HLO)).encode())
            for (_, space), row in spaces(report).items():
                like = theirs.get((name.rpartition("(")[2].rstrip(")"), space))
                if not check.true(f"{row['program']} in {row['space']}", like):
                    continue
                for column in ("program", "peak_mib", "position", "unpadded_mib", "points", "parameter_mib", "output_mib", "temporary_mib",
                               "constant_mib", "thread_local_mib", "allocated_mib"):
                    check.equal(column, row[column], like[column])
                compared += 1
        check.part(logdir)
        check.true(f"{compared} programs", compared >= least)
    check.part("the example of the older viewer")
    for path in ("tf/legacy_tpu", "xla/found/xprof/plugin/xprof/demo/data", "xla/found/xprof/plugin/tensorboard_plugin_profile/demo/data"):
        report = report_on(test_data(path, "profile_demo.memory_viewer.json").read_bytes())
        # 1 MiB, then 2 MiB (f32[32,16,16,32]: 1 MiB without padding), all of which come and go; the first is a scalar.
        check.equal("peak", (report.metric("memory.peak_bytes"), report.metric("memory.peak_unpadded_bytes"),
                             report.metric("memory.peak_position")), (3 * MIB, MIB + 4, 1))
    files = [*test_data("xla/truth").glob("*/memory_viewer.*.json"), *test_data("synth").glob("*/xprof/memory_viewer.*.json*"),
             *test_data("xla/found/xprof/xprof/integration_tests/data/golden").glob("*memory_viewer*.json.gz")]
    buffers = 0
    for path in files:
        check.part(f"{path.parent.name}/{path.name}")
        raw = path.read_bytes()
        data = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)
        report = report_on(raw, "vm.memory_viewer.json" + (".gz" if path.suffix == ".gz" else ""))
        if "peakHeapMib" in data:
            buffers += compare(report, data)
        else:
            check.true("says that there is nothing", "uses none of this memory" in json.dumps(report.doc))
    print(f"{len(files)} stored answers, {buffers} buffers")
    check.true("all were there", len(files) >= 50 and buffers > 400)


def hostile():
    hlo = json.loads(tool_files.memory_hlo_json())
    figures = json.loads(tool_files.memory_figures_json())

    def changed(data, path, value):
        copy = json.loads(json.dumps(data))
        at = copy
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value
        return json.dumps(copy).encode()
    events = ("bufferAssignment", "heapSimulatorTraces", 0, "events")
    deep = {"elementType": "TUPLE"}
    for _ in range(400):
        deep = {"elementType": "TUPLE", "tupleShapes": [deep]}
    cases = {
        "nothing": b"{}", "a list": b"[]", "no plan": b'{"hloModule": {}}', "a module that is a text": b'{"hloModule": "x"}',
        "deep": b'{"hloModule":' * 3000, "deep tuples": changed(hlo, ("hloModule", "computations", 0, "instructions", 0, "shape"), deep),
        "sizes below 0": changed(hlo, ("bufferAssignment", "logicalBuffers", 1, "size"), "-5"),
        "sizes beyond 64 bits": changed(hlo, ("bufferAssignment", "logicalBuffers", 1, "size"), "99999999999999999999999"),
        "sizes that are no number": changed(hlo, ("bufferAssignment", "logicalBuffers", 1, "size"), "NaN"),
        "ids that are not there": changed(hlo, (*events, 0, "bufferId"), "-7"),
        "shares with itself": changed(hlo, (*events, 3, "shareWithCanonicalId"), "12"),
        "an event of no kind": changed(hlo, (*events, 0, "kind"), "EXPLODE"),
        "dimensions": changed(hlo, ("hloModule", "computations", 0, "instructions", 0, "shape", "dimensions"), ["1" * 18] * 300),
        "a list of lists": changed(hlo, ("bufferAssignment", "bufferAllocations"), [[[]], 5, "x", None, {}]),
        "figures: no peak": changed(figures, ("peakHeapMib",), "NaN"), "figures: huge": changed(figures, ("peakHeapMib",), 1e300),
        "figures: curve": changed(figures, ("heapSizes",), [1, "x", 3, 4, 5]), "figures: short": changed(figures, ("unpaddedHeapSizes",), [1]),
        "figures: place": changed(figures, ("peakHeapSizePosition",), 1e18), "figures: below 0": changed(figures, ("peakHeapSizePosition",), -1),
        "figures: rows": changed(figures, ("maxHeap",), [5, [], {"logicalBufferId": [], "label": "\u202e<script>", "logicalBufferSizeMib": -1}]),
        "figures: spans": changed(figures, ("logicalBufferSpans",), {"7": 5, "8": {"start": 1e9, "limit": -4}}),
    }
    for name, data in cases.items():
        check.part(f"hostile: {name}")
        with tempfile.TemporaryDirectory() as into:
            path, out = Path(into, "vm.memory_viewer.json"), Path(into, "out.html")
            path.write_bytes(data)
            done = run(path, "-o", out)
            check.true(f"exit status {done.returncode}", done.returncode in (0, 4))
            check.true("a page or a reason", out.exists() or done.stderr)
            check.true("nothing unescaped", not out.exists() or "\u202e<script>" not in out.read_text())
    check.part("very many")
    with tempfile.TemporaryDirectory() as into:
        path, out = Path(into, "vm.memory_viewer.json"), Path(into, "out.html")
        many = {**figures, "maxHeap": [{**figures["maxHeap"][2], "instructionName": f"a.{i}"} for i in range(100000)],
                "heapSizes": [10] + [22] * 300000, "unpaddedHeapSizes": [10] + [20] * 300000}
        path.write_bytes(json.dumps(many).encode())
        check.equal("exit status", run(path, "-o", out).returncode, 0)
        check.true(f"a page of {out.stat().st_size} bytes", out.stat().st_size < 4 << 20)


def main():
    for part in (known_answers, hostile, real):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
