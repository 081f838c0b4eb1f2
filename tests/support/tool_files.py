"""Writes small tool files, with which older profilers left figures that they worked out themselves, from Python literals."""

import json
import struct

from xspace_writer import field


def table(columns, rows, **properties):
    """As Google Charts has it: {cols, rows, p}."""
    return {"cols": [{"id": c, "label": c, "type": "string"} for c in columns],
            "rows": [{"c": [{"v": v} for v in row]} for row in rows], "p": properties}


STEPS_COLUMNS = ["stepnum", "computeTimeMs", "inputTimeMs", "idleTimeMs", "tooltip", "infeedPercentAverage", "infeedPercentMin",
                 "infeedPercentMax"]
STEPS = table(STEPS_COLUMNS,
              [["7", 60.0, 30.0, 10.0, "step 7", 30.0, 25.0, 35.0], ["8", 70.0, 40.0, 10.0, "step 8", 33.0, 20.0, 40.0],
               ["9", 65.0, 35.0, 0.0, "step 9", 35.0, 34.0, 36.0]],
              hardware_type="TPU", summary_conclusion="Your program is HIGHLY input-bound because of <b>input</b>.")
TOP = table(["selfTimePercent", "cumulativeTimePercent", "category", "operation", "flopRate"],
            [[0.25, 0.25, "Conv2D", "model/conv", 1500.5], [0.125, 0.375, "Relu", "model/relu", 0]],
            mxu_utilization_percent="42.5%", device_idle_time_percent="3.5%", host_idle_time_percent="87.5%",
            flop_rate_utilization_relative_to_roofline="70.3%", memory_bw_utilization_relative_to_hw_limit="12.0%",
            device_compute_16bit_percent="0.0%", device_compute_32bit_percent="0.0%")
ENVIRONMENT = table(["host_id"], [], host_count="1", device_type="TPU v2", device_core_count="8 (Replica count = 8)")
JOB = table(["host_id", "command_line", "start_time"], [["h1", "train --steps=9", ""], ["h2", "train --steps=9", ""]],
            host_count="2", device_type="TPU v2", device_core_count="8 (Replica count = 8)", batch_size="1024 (per-core batch size = 128)",
            build_target="//train:main", build_time="2020-05-20T19:40:00+00:00", change_list="4711", profile_duration_ms="2000",
            profile_time="2020-05-20 20:00:00")
NO_JOB = table(["host_id", "command_line"], [], host_count="1", device_type="TPU v2", batch_size="1024", build_target="",
               build_time="1970-01-01T00:00:00+00:00", change_list="0", profile_duration_ms="0", profile_time="1969-12-31 23:59:59")
INPUT = table(["opName", "count", "timeInMs", "timeInPercent", "selfTimeInMs", "selfTimeInPercent", "category"],
              [["Iterator::Root::Generator", 20, 150.0, 0.75, 150.0, 0.75, "Preprocessing"],
               ["Iterator::Root", 21, 200.0, 1.0, 50.0, 0.25, "Advanced file read"]],
              enqueue_us="0.000", preprocessing_us="150000.000", advanced_file_read_us="50000.000",
              demanded_file_read_us="0.000", unclassified_nonequeue_us="0.000")


def overview_json():
    return json.dumps([TOP, STEPS, ENVIRONMENT]).encode()


def input_json():
    return json.dumps([STEPS, {"cols": [], "rows": []}, INPUT]).encode()


def step(number, **fields):
    """PerGenericStepDetails in an Any; fields: f2=1106.4 …"""
    details = field(1, number) + b"".join(field(int(k[1:]), v) for k, v in fields.items())
    kind = "type.googleapis.com/tensorflow.profiler.PerGenericStepDetails"
    return field(4, field(1, kind) + field(2, details))


def input_pb():
    """InputPipelineAnalysisResult: steps of 100 and 120 ms, of which 50 and 70 wait for input."""
    return (field(9, "GPU") + step(0, f2=100.0, f3=5.0, f6=40.0, f9=5.0, f11=45.0, f12=5.0)
            + step(1, f2=120.0, f6=50.0, f11=70.0)
            + field(5, field(2, 3000.0) + field(3, 9000.0))
            + field(6, field(1, "Iterator::A") + field(2, 4) + field(3, 9.0) + field(5, 9.0) + field(6, 75.0)
                    + field(7, "Preprocessing"))
            + field(6, field(1, "Iterator::B") + field(2, 2) + field(3, 3.0) + field(5, 3.0) + field(6, 25.0)
                    + field(7, "Advanced file read")))


def endless_pb():
    """A step with a part that no step is long enough for, and a sound one of 120 ms."""
    return field(9, "GPU") + step(0, f2=100.0, f6=1e306) + step(1, f2=120.0, f6=50.0, f11=70.0)


def overview_pb():
    operation = field(1, "replica/conv") + field(2, "Conv2D") + field(3, 0.5) + field(5, 12.5)
    return (field(2, input_pb()) + field(3, field(2, 11.5) + field(4, operation) + field(9, 30.0) + field(10, 70.0))
            + field(4, field(2, "It waits.")) + field(6, field(1, 1) + field(4, "GPU") + field(5, 8)))


def job_pb():
    job = field(1, 4711) + field(2, 1590003600 * 10**9) + field(3, "//train:main") + field(4, 2000)
    host = field(1, "h1") + field(2, "train --steps=9") + field(5, 1590004800 * 10**9)
    return field(6, field(1, 1) + field(4, "TPU v2") + field(5, 8) + field(7, job) + field(8, host))


def stat(side, kind, name, count, total, self_, share, **more):
    """TfStatsRecord; times in us."""
    return field(1, field(2, side) + field(3, kind) + field(4, name) + field(5, count) + field(6, total) + field(8, self_)
                 + field(10 if side == "Device" else 12, share) + b"".join(field(int(k[1:]), v) for k, v in more.items()))


def stats_pb(flop_rate=120.5, byte_rate=30.0):
    rows = (stat("Device", "Conv2D", "model/conv", 32, 900.0, 600.0, 0.75, f14=float(flop_rate), f15=byte_rate, f16=4.0, f17="Memory")
            + stat("Device", "Relu", "model/relu", 16, 200.0, 200.0, 0.25)
            + stat("Host", "Iterator", "IteratorGetNext", 4, 50.0, 40.0, 1.0))
    return field(4, stat("Device", "IDLE", "IDLE", 1, 5000.0, 5000.0, 0.9) + rows) + field(5, rows)


def stats_json(flop_rate=120.5, byte_rate=30.0):
    """The answer of xprof's page to the same."""
    ids = ["rank", "host_or_device", "type", "operation", "occurrences", "total_time", "total_self_time", "device_total_self_time_percent",
           "host_total_self_time_percent", "measured_flop_rate", "measured_memory_bw", "operational_intensity", "bound_by"]
    rows = [[1, "Device", "Conv2D", "model/conv", 32, 900.0, 600.0, 0.75, 0, flop_rate, byte_rate, 4.0, "Memory"],
            [2, "Device", "Relu", "model/relu", 16, 200.0, 200.0, 0.25, 0, 0, 0, 0, ""],
            [3, "Host", "Iterator", "IteratorGetNext", 4, 50.0, 40.0, 0, 1.0, 0, 0, 0, ""]]
    idle = [[1, "Device", "IDLE", "IDLE", 1, 5000.0, 5000.0, 0.9, 0, 0, 0, 0, ""]]
    return json.dumps([table(ids, idle + rows), table(ids, rows)]).encode()


def kernels_json():
    """Likewise."""
    ids = ["rank", "kernel_name", "registers_per_thread", "is_kernel_using_tensor_core", "op_name", "occurrences", "total_duration_us",
           "min_duration_us", "max_duration_us"]
    return json.dumps(table(ids, [[1, "gemm", 128, True, "model/dot", 2, 12.0, 5.0, 7.0],
                                  [2, "relu_kernel", 16, False, "", 4, 4.0, 0.9, 1.1]])).encode()


def op_profile_json():
    """The example of the viewer's own sources has this shape: shares only. Of the convolution's input 3 features of 8 hold data."""
    def op(name, share, flops, children=(), **more):
        return {"name": name, "metrics": {"time": share, "flops": flops},
                "xla": {"op": "x", "category": "c", "expression": f"{name} = something", **more}, "children": list(children)}
    inner = {"name": "%dot.1", "xla": {"op": "dot", "provenance": "model/MatMul"}, "children": []}
    layout = {"dimensions": [{"size": 3, "alignment": 8, "semantics": "feature"}, {"size": 128, "alignment": 128, "semantics": "batch"},
                             {"size": 7, "alignment": 0, "semantics": "spatial"}]}
    return json.dumps({"byCategory": {"name": "byCategory", "metrics": {"time": 1}, "children": [
        {"name": "good", "category": {}, "metrics": {"time": 0.6}, "children": [
            op("%conv", 0.2, 0.15, provenance="model/Conv2D", layout=layout), op("%fusion", 0.4, 0.1, [inner])]},
        {"name": "bad", "category": {}, "metrics": {"time": 0.4}, "children": [op("%copy", 0.4, 0)]}]}}).encode()


LINES = {"conv.1": ("%conv.1 = bf16[128,7,7,64]{0,3,2,1:T(8,128)} convolution(bf16[128,7,7,3]{0,3,2,1:T(8,128)} %image, "
                    "bf16[3,3,3,64]{3,2,1,0:T(8,128)} %kernel), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"),
         "copy.1": "%copy.1 = f32[65536,3]{1,0:T(8,128)} copy(f32[65536,3]{0,1:T(8,128)} %p)",
         "fusion.1": "%fusion.1 = f32[64,100]{1,0:T(8,128)} fusion(f32[64,32]{1,0:T(8,128)} %a, f32[32,100]{1,0:T(8,128)} %b), kind=kOutput",
         "dot.1": ("%dot.1 = f32[64,100]{1,0:T(8,128)} dot(f32[64,32]{1,0:T(8,128)} %a, f32[32,100]{1,0:T(8,128)} %b), "
                   "lhs_contracting_dims={1}, rhs_contracting_dims={0}")}


def op_profile_by_program_json():
    """As xprof answers: 200 us at a peak of 1 TFLOP/s and 100 GB/s, 40 us of them idle; of a group of three copies one is left
    out, and one moves three times what it can in its own time."""
    whole_ps = 160e6

    def metrics(ps, flops, use, count):
        return {"rawTime": ps, "rawFlops": flops, "flops": flops / whole_ps, "uncappedFlops": flops / whole_ps, "occurrences": count,
                "bandwidthUtils": [min(use, 1), 0, 0], "rawBytesAccessedArray": [use * ps * 0.1, 0, 0]}

    def op(name, category, ps, flops=0.0, use=0.0, count=4, children=(), source=None):
        return {"name": name, "metrics": metrics(ps, flops, use, count), "numChildren": len(children), "children": list(children),
                "xla": {"op": "", "expression": LINES.get(name, ""), "category": category, "provenance": f"jit(f)/{name}:", "programId": "12",
                        "sourceInfo": {"fileName": "model.py", "lineNumber": 7} if source else {}}}
    part = {"name": "dot.1", "metrics": metrics(0, 0, 0, 1),
            "xla": {"expression": LINES["dot.1"], "category": "dot", "provenance": "jit(f)/dot:", "programId": "0"}}
    copies = [op("copy.1", "data formatting", 16e6, use=0.5), op("copy.2", "data formatting", 8e6, use=3)]
    tree = {"name": "by_program", "metrics": metrics(whole_ps, 72e6, 0.375, 0), "children": [
        {"name": "jit_f(12)", "metrics": metrics(whole_ps, 72e6, 0.375, 0), "children": [
            {"name": "convolution", "metrics": metrics(80e6, 60e6, 0.25, 4), "numChildren": 1, "children": [
                op("conv.1", "convolution", 80e6, 60e6, 0.25, source=True)]},
            {"name": "output fusion", "metrics": metrics(40e6, 12e6, 0.1, 4), "numChildren": 1, "children": [
                op("fusion.1", "output fusion", 40e6, 12e6, 0.1, children=[part])]},
            {"name": "data formatting", "metrics": metrics(40e6, 0, 0.9, 12), "numChildren": 1, "children": [
                {"name": "copy.1 and its duplicate(s)", "metrics": metrics(40e6, 0, 0.9, 12), "numChildren": 3, "children": copies,
                 "xla": {"expression": LINES["copy.1"], "category": "data formatting", "programId": "12"}}]}]}]}
    idle = {"name": "IDLE", "metrics": {"rawTime": 40e6}, "xla": {"category": "IDLE"}}
    return json.dumps({"byProgram": {**tree, "children": [*tree["children"], idle]}, "byProgramExcludeIdle": tree, "deviceType": "TPU"}).encode()


def op_profile_pb():
    def op(name, ps, count, *more):
        return field(3, field(1, name) + field(2, field(11, ps) + field(16, count) + b"".join(more))
                     + field(5, field(1, "op") + field(2, LINES["dot.1"]) + field(3, "model/dot") + field(4, "loop fusion") + field(8, 5)
                             + field(9, field(1, "model.py") + field(2, 3)))
                     + field(6, 1))
    flops = field(2, 0.25) + field(12, 1e6) + field(5, struct.pack("<3d", 0.5, 0, 0)) + field(15, struct.pack("<3d", 7e5, 0, 0))
    return field(1, field(1, "by_category") + field(2, field(11, 4e6))
                 + field(3, field(1, "loop fusion") + field(4, b"") + op("%fusion.1", 3e6, 5, flops) + op("%fusion.2", 1e6, 2)))


def kernels_pb():
    return (field(1, field(1, "relu_kernel") + field(2, 16) + field(7, 4000) + field(8, 900) + field(9, 1100) + field(13, 4))
            + field(1, field(1, "gemm") + field(2, 128) + field(7, 12000) + field(8, 5000) + field(9, 7000) + field(10, 1)
                    + field(12, "model/dot") + field(13, 2)))


def pod_core(chip, place, total, high, wait=0.0, receive=0.0, host="h"):
    """PodStatsRecord of a TPU; times in us."""
    return {"chipId": chip, "nodeId": place, "hostName": f"{host}{chip // 2}", "totalDurationUs": total, "highFlopsComputeUs": high,
            "hostInfeedDurationUs": 10.0, "hostOutfeedDurationUs": 5.0, "allReduceComputeDurationUs": 20.0, "allReduceSyncDurationUs": wait,
            "sendDurationUs": 4.0, "recvDurationUs": receive, "bottleneck": "High flops compute"}


def pod_json():
    """Two steps of 8 cores on 4 chips and 2 hosts, of which the core on place 1 of chip 2 (number 5) computes 300 us longer."""
    def step(number, more):
        cores = {str(100 * (i // 4) + 3 * i + 1): pod_core(i // 2, i % 2, 1000.0 + more, 600.0 + more * (i == 5), wait=more * (i != 5),
                                                            receive=7.0) for i in range(8)}
        return {"stepNum": number, "podStatsPerCore": cores,
                "channelDb": [{"channelId": "77", "srcCoreId": 2, "dstCoreId": 5, "dataSize": str(1 << 20), "durationUs": 100.0 + number,
                               "occurrences": 2, "sendDelayUs": 3.0, "hloNames": ["recv-done.2", "send.1"]},
                              {"channelId": "78", "srcCoreId": 5, "dstCoreId": 2, "dataSize": "2048", "durationUs": 20.0, "occurrences": 1,
                               "hloNames": ["send.3", "recv-done.4"]},
                              {"channelId": "79", "srcCoreId": 99, "dstCoreId": 2, "dataSize": "1", "durationUs": 1.0}],
                "allReduceOpDb": [{"name": "all-reduce.1", "dataSize": str(1 << 21), "durationUs": 10.0, "occurrences": 16,
                                   "description": "%all-reduce.1 = f32[512,1024]{1,0:T(8,128)} all-reduce(f32[512,1024] %p)"}]}
    return json.dumps({"podStatsSequence": {"podStatsMap": [step(5, 300.0), step(6, 200.0)]}, "hloInfoMap": {},
                       "runEnvironment": {"tpuType": "TPU v3", "hostCount": 2, "topology": {"xDimension": "2", "yDimension": "2", "zDimension": "0"}}}).encode()


def pod_newer_json():
    """As newer profilers have it: parts by number, of any device."""
    def step(number):
        cores = {str(i): {"hostName": f"h{i}", "chipId": 0, "nodeId": i, "totalDurationUs": 100.0 + i,
                          "stepBreakdownUs": {"1": 60.0 + i, "3": 10.0, "6": 20.0, "9": 10.0}} for i in range(2)}
        return {"stepNum": number, "podStatsPerCore": cores, "channelDb": [], "coreIdToReplicaIdMap": {}, "allReduceOpDb": []}
    names = ("Device compute", "Device to device", "Device collective communication", "Host compute", "Kernel launch", "Input", "Output",
             "Compilation", "All others")
    return json.dumps({"podStatsSequence": {"podStatsMap": [step(1), step(2), step(3)]}, "deviceType": "GPU",
                       "stepBreakdownEvents": [{"id": i + 1, "name": name} for i, name in enumerate(names)]}).encode()


def memory_hlo_json(snake=False):
    """HloProto in JSON: a parameter of 1 MiB live all the time, then a (2 MiB), b (3 MiB, in the memory of a once that is free) and c
    (1 MiB with padding, 0.5 MiB without). Peak 1 + 2 + 1 MiB, made by c at point 1; at point 3 b comes alone with c: 1 + 2 + 1 again."""
    def shape(*sizes, tiled=False):
        return {"elementType": "F32", "dimensions": [str(s) for s in sizes],
                "layout": {"minorToMajor": [str(i) for i in reversed(range(len(sizes)))], **({"tiles": [{"dimensions": ["8", "128"]}]} if tiled else {})}}

    def instruction(number, name, opcode, of):
        return {"name": name, "opcode": opcode, "shape": of, "id": str(number),
                "metadata": {"opType": "Add", "opName": f"model/{name}", "sourceFile": "model.py", "sourceLine": 10 + number}}
    made = [instruction(1, "p", "parameter", shape(512, 512)), instruction(2, "a", "add", shape(1024, 512)),
            instruction(3, "b", "fusion", shape(1024, 512)), instruction(4, "c", "copy", shape(2048, 64, tiled=True))]
    buffers = [("10", 1 << 20, 1), ("11", 2 << 20, 2), ("12", 2 << 20, 3), ("13", 1 << 20, 4)]
    hlo = {"hloModule": {"name": "jit_plan", "id": "77", "entryComputationName": "main", "entryComputationId": "5",
                         "computations": [{"name": "main", "id": "5", "rootId": "4", "instructions": made}]},
           "bufferAssignment": {
               "logicalBuffers": [{"id": i, "size": str(size), "color": "0", "definedAt": {"instructionName": "", "instructionId": str(at)}}
                                  for i, size, at in buffers],
               "bufferAllocations": [{"index": "0", "size": str(1 << 20), "isEntryComputationParameter": True,
                                      "assigned": [{"logicalBufferId": "10", "offset": "0", "size": str(1 << 20)}]},
                                     {"index": "1", "size": str(3 << 20),
                                      "assigned": [{"logicalBufferId": i, "offset": "0", "size": "1"} for i in ("11", "12", "13")]}],
               "heapSimulatorTraces": [{"events": [
                   {"kind": "ALLOC", "bufferId": "11", "instructionName": "a"}, {"kind": 0, "bufferId": "13", "instructionName": "c"},
                   {"kind": "FREE", "bufferId": "11", "instructionName": "a"},
                   {"kind": "SHARE_WITH", "bufferId": "12", "shareWithCanonicalId": "11", "instructionName": "b"},
                   {"kind": "FREE", "bufferId": "12", "instructionName": "b"}, {"kind": 1, "bufferId": "13", "instructionName": "c"}]}]}}

    def renamed(value):
        if isinstance(value, dict):
            return {"".join("_" + c.lower() if c.isupper() else c for c in key): renamed(v) for key, v in value.items()}
        return [renamed(v) for v in value] if isinstance(value, list) else value
    return json.dumps(renamed(hlo) if snake else hlo).encode()


def memory_figures_json():
    """PreprocessResult: 10 MiB live all the time, then 8 and 4 MiB, the last of them half padding."""
    rows = [{"numbered": 0, "label": "small (<16384 bytes)", "logicalBufferId": -1, "logicalBufferSizeMib": 0.5},
            {"numbered": 1, "label": "p", "logicalBufferId": 1, "logicalBufferSizeMib": 9.5, "unpaddedShapeMib": 9.5, "instructionName": "p.1",
             "shapeString": "f32[2490368]{0}", "groupName": "Parameter", "opCode": "parameter", "tfOpName": "params"},
            {"numbered": 2, "label": "a", "logicalBufferId": 7, "logicalBufferSizeMib": 8, "unpaddedShapeMib": 8, "instructionName": "a.1",
             "shapeString": "f32[2097152]{0}", "groupName": "Temporary", "opCode": "add"},
            {"numbered": 3, "label": "b", "logicalBufferId": 8, "logicalBufferSizeMib": 4, "unpaddedShapeMib": 2, "instructionName": "b.1",
             "shapeString": "f32[8192,64]{1,0:T(8,128)}", "groupName": "Temporary", "opCode": "copy", "tfOpName": "model/b",
             "sourceInfo": {"fileName": "model.py", "lineNumber": 12}}]
    return json.dumps({"moduleName": "jit_given", "entryComputationName": "main", "peakHeapMib": 22, "peakUnpaddedHeapMib": 20,
                       "peakHeapSizePosition": 1, "heapSizes": [10, 18, 22, 14, 10], "unpaddedHeapSizes": [10, 18, 20, 12, 10], "maxHeap": rows,
                       "logicalBufferSpans": {"7": {"limit": 2}, "8": {"start": 1, "limit": 3}}, "entryComputationParametersMib": 9.5,
                       "maybeLiveOutMib": 1.25, "totalBufferAllocationMib": 24, "indefiniteBufferAllocationMib": 10,
                       "hloInstructionNames": ["a.1", "b.1", "a.1", "b.1", ""]}).encode()


KINDS = (".overview_page", ".input_pipeline", ".tensorflow_stats", ".op_profile", ".kernel_stats", ".pod_viewer", ".memory_viewer")  # in order of readers


def some(kind):
    """{name: file} of a kind, whole and damaged."""
    files = {".overview_page": {"json": overview_json(), "pb": overview_pb()},
             ".input_pipeline": {"json": input_json(), "pb": input_pb()}, ".tensorflow_stats": {"pb": stats_pb(), "json": stats_json()},
             ".op_profile": {"json": op_profile_json(), "json_by_program": op_profile_by_program_json(), "pb": op_profile_pb()}, ".kernel_stats": {"pb": kernels_pb(), "json": kernels_json()},
             ".pod_viewer": {"json": pod_json(), "json_newer": pod_newer_json()},
             ".memory_viewer": {"json": memory_hlo_json(), "json_snake": memory_hlo_json(True), "json_figures": memory_figures_json()}}[kind]
    return {**files, **{f"{name}_cut": data[:len(data) * 2 // 3] for name, data in files.items()}}
