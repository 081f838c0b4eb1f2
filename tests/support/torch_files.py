"""PyTorch traces by hand: usual ones of each era, and all that such a file can have wrong."""

import json

GPU = {"id": 0, "name": "NVIDIA A100", "totalGlobalMem": 42297524224, "computeMajor": 8, "computeMinor": 0,
       "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32,
       "sharedMemPerBlock": 49152, "numSms": 108, "sharedMemPerMultiprocessor": 167936}


def event(cat, name, ts, dur, pid=10, tid=11, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def memory(ts, size, address=None, allocated=None, reserved=0, device=(1, 0), pid=10, tid=11):
    """A record of an allocator; without totals as torch up to 1.9 writes it."""
    args = {"Device Type": device[0], "Device Id": device[1], "Bytes": size}
    if address is not None:
        args["Addr"] = address
    if allocated is not None:
        args |= {"Total Allocated": allocated, "Total Reserved": reserved}
    return {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": pid, "tid": tid, "ts": ts, "args": args}


def metadata(name, pid, tid, text):
    return {"ph": "M", "name": name, "pid": pid, "tid": tid, "ts": 0, "args": {"name": text}}


def new_events():
    """Torch 2.2 and later: two steps that launch a kernel and a copy each, a collective, Python, memory."""
    events = [metadata("process_name", 10, 0, "python3"), metadata("thread_name", 10, 11, "thread 11 (python3)"),
              metadata("thread_name", 0, 7, "stream 7 ")]
    for step in range(2):
        at = 1000.5 + 100 * step
        number = 100 * step
        events += [
            event("user_annotation", "ProfilerStep#%d" % step, at, 90.25, **{"External id": number + 1}),
            event("gpu_user_annotation", "ProfilerStep#%d" % step, at + 10, 40, 0, 7, **{"External id": number + 1}),
            event("python_function", "nn.Module: Linear_0", at + 1, 50, **{
                "Python id": number + 1, "Python parent id": None, "Python module id": 0, "CallFrom": "m.py:4"}),
            event("cpu_op", "aten::linear", at + 2, 20.125, **{
                "External id": number + 2, "Record function id": 0, "Sequence number": number, "Fwd thread id": 0,
                "Input Dims": [[64, 3], [3, 3]], "Input type": ["float", "float"], "Concrete Inputs": ["", ""]}),
            event("cuda_runtime", "cudaLaunchKernel", at + 3, 5.5, **{
                "External id": number + 2, "cbid": 211, "correlation": number + 5}),
            event("cuda_driver", "cuLaunchKernel", at + 30, 5, **{"External id": number + 2, "correlation": number + 6}),
            event("kernel", "ampere_sgemm_128x64_tn", at + 12, 20.031, 0, 7, **{
                "External id": number + 2, "device": 0, "stream": 7, "context": 1, "correlation": number + 5,
                "registers per thread": 122, "shared memory": 8192, "blocks per SM": 1.25, "warps per SM": 5.0,
                "grid": [135, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 8}),
            event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", at + 33, 9, 0, 20, **{
                "External id": number + 2, "device": 0, "stream": 20, "correlation": number + 6, "grid": [2, 1, 1],
                "block": [544, 1, 1], "Collective name": "allreduce", "In msg nelems": 10, "Out msg nelems": 10,
                "Group size": 2, "dtype": "Float", "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}),
            event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", at + 50, 1, 0, 7, **{
                "External id": number + 2, "device": 0, "stream": 7, "correlation": number + 9, "bytes": 4096}),
            event("cuda_sync", "Stream Sync", at + 52, 2, 0, 7, **{"correlation": number + 9, "device": 0, "stream": 7}),
            {"ph": "s", "id": number + 5, "pid": 10, "tid": 11, "ts": at + 3, "cat": "ac2g", "name": "ac2g"},
            {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 10, "tid": 11, "ts": at + 4,
             "args": {"Device Type": 1, "Device Id": 0, "Addr": 140187366981632 + step, "Bytes": 512 - 1024 * step,
                      "Total Allocated": 1024 - 512 * step, "Total Reserved": 2097152, "Ev Idx": 3}},
        ]
    events.append(event("Trace", "PyTorch Profiler (0)", 1000, 300, "Spans", "PyTorch Profiler", **{"Op count": 0}))
    return events


def old_events():
    """Torch 1.8 to 1.10."""
    return [
        event("Operator", "ProfilerStep#3", 1623143089861000, 100, 5, "11", **{"External id": 1, "Call stack": ""}),
        event("Operator", "aten::add", 1623143089861010, 50, 5, "11", **{
            "External id": 2, "Input Dims": [[2]], "Call stack": "a.py(1): f;b.py(2): g"}),
        event("Runtime", "cudaLaunchKernel", 1623143089861020, 5, 5, "11", **{"correlation": 9, "external id": 2}),
        event("Kernel", "add", 1623143089861060, 30, 0, "stream 7", **{
            "device": 0, "stream": 7, "correlation": 9, "external id": 2, "grid": [1, 1, 1], "block": [32, 1, 1],
            "registers per thread": 16, "shared memory": 0, "est. achieved occupancy %": 0.5}),
        event("Memset", "Memset (Device)", 1623143089861095, 1, 0, "stream 7", **{
            "device": 0, "stream": 7, "correlation": 10, "external id": 2, "bytes": 64}),
    ]


def rocm_events():
    return [
        event("cuda_runtime", "hipLaunchKernel", 10.5, 5, **{
            "correlation": 4, "kernel": "k", "grid": [40, 1, 1], "block": [256, 1, 1], "shared memory": 0}),
        event("kernel", "k", 20, 9.5, 2, 0, **{"device": 2, "stream": 0, "correlation": 4, "kind": "Dispatch Kernel"}),
        event("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 30, 2, 2, 0, **{
            "device": 2, "stream": 0, "correlation": 5, "kind": "DtoD", "bytes": "4096"}),
    ]


def trace(events, **more):
    return {"schemaVersion": 1, "deviceProperties": [GPU], **more, "traceEvents": events, "traceName": "/tmp/t.json"}


DISTRIBUTED = {"backend": "nccl", "rank": 1, "world_size": 2, "pg_count": 1, "nccl_version": "2.21.5", "pg_config": [
    {"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": 2, "ranks": [0, 1]}]}


def text(value, **how):
    return json.dumps(value, **how).encode()


def bare(member):
    """An event with this text for its start and duration."""
    return ('{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 5, "dur": 1}, {"ph": "X", '
            '"cat": "cpu_op", "name": "b", "pid": 1, "tid": 1, %s}]}' % member).encode()


def files():
    """{name: bytes}."""
    new = trace(new_events(), baseTimeNanoseconds=1711929600000000000, distributedInfo=DISTRIBUTED, record_shapes=1,
                profile_memory=1, with_stack=1, cuda_runtime_version=12040, host_name="h",
                WARNING=["no room"], metadata={"a": [1, {"b": 2}]})
    whole = text(new, indent=2)
    return {
        "new": whole,
        "compact": text(new, separators=(",", ":")),
        "events_first": text({"traceEvents": new["traceEvents"], **{k: v for k, v in new.items() if k != "traceEvents"}}),
        "old": text(trace(old_events())),
        "bare_array": text(old_events()),
        "rocm": text(trace(rocm_events(), hip_runtime_version=60140093, roctracer_version=4.1)),
        "one_event": text(trace(old_events()[:1])),
        "no_event": text(trace([])),
        "no_array": b'{"schemaVersion": 1, "deviceProperties": []}',
        "only_memory": text(trace([e for e in new_events() if e["name"] == "[memory]"])),
        "cut": whole[:len(whole) * 2 // 3],
        "cut_in_text": whole[:whole.index(b"ampere") + 4],
        "control_bytes": whole.replace(b"aten::linear", b"aten::\x01li\tnear"),
        "bad_escapes": whole.replace(b"aten::linear", b"aten\\qlin\\ud800ear"),
        "not_utf8": whole.replace(b"aten::linear", b"aten::\xff\xfelinear").replace(b'"NVIDIA', b'"\xc2NVIDIA')
                         .replace(b'"default_pg"', b'"default\xffpg"').replace(b'"host_name": "h"', b'"host_name": "h\xff"'),
        "zeros_behind": whole + bytes(512),
        "more_behind": whole + b"{}",
        "nan": bare('"ts": NaN, "dur": Infinity') + b"\n",
        "not_available": bare('"ts": N/A, "dur": N/A'),
        "negative": bare('"ts": 7, "dur": -3'),
        "no_duration": bare('"ts": 7.001'),
        "text_times": bare('"ts": "8.5", "dur": "1.25"'),
        "enormous": bare('"ts": 1e300, "dur": 99999999999999999999999'),
        "far": bare('"ts": 9000000000000000, "dur": 1'),
        "long": bare('"ts": 6, "dur": 9000000000000000'),
        "exponent": bare('"ts": 0.0006e4, "dur": 15E-1'),
        "wrong_types": bare('"ts": [1], "dur": {}, "args": 5, "id": null, "ph": "X"'),
        "args_first": b'[{"args": {"correlation": 3, "grid": "x", "block": [1, "2", -3, 4], "device": 1.5, "stream": {}},'
                      b'"cat": "kernel", "ph": "X", "name": "k", "tid": 7, "pid": 0, "dur": 2, "ts": 4}]',
        "twice": bare('"ts": 6, "ts": 8, "dur": 1, "dur": 2, "args": {"External id": 1, "External id": 2}'),
        "no_names": b'[{"ph": "X", "ts": 1, "dur": 1}, {"ph": "X", "cat": "", "name": "", "pid": "", "tid": "", "ts": 1, "dur": 1}]',
        "not_objects": b'{"traceEvents": [1, null, "x", [[]], {"ph": "X", "ts": 1, "dur": 1, "name": "a"}]}',
        "deep": bare('"ts": 6, "dur": 1, "args": {"x": ' + "[" * 1100 + "]" * 1100 + "}"),
        "deep_shapes": bare('"ts": 6, "dur": 1, "args": {"Input Dims": ' + "[" * 1100 + "]" * 1100 + "}"),
        "nested": text([event("python_function", "f%d" % i, 100 + i, 1000 - 2 * i, 0, 0, **{
            "Python id": i, "Python parent id": i - 1}) for i in range(40)]),
        "base_overflow": text(trace(new_events()[:3] + [event("cpu_op", "a", 5, 1)], baseTimeNanoseconds=9223372036854775807)),
        "framework": text(trace([event("user_annotation", "[pl][profile]run_training_epoch", 1, 9)], Framework="pytorch-lightning")),
        "no_time": text(trace([event("kernel", "k", 5, 0, 0, 7, device=0, stream=7, correlation=1, grid=[1, 1, 1], block=[32, 1, 1], **{
            "registers per thread": 16, "shared memory": 0, "est. achieved occupancy %": 50})])),
        "messages": text(trace([
            event("cpu_op", "record_param_comms", 1, 5, **{
                "Collective name": "send", "Dst Rank": 1, "Rank": 1, "In msg nelems": 8, "dtype": "Float", "Process Group Ranks": "[0, 1]"}),
            event("user_annotation", "nccl:send 0->1", 2, 3, **{"External id": 4}),
            event("cpu_op", "c10d::recv_", 10, 3, **{"Concrete Inputs": ["", "", "1", "0"], "Input Dims": [[[8]], [], [], []]}),
            event("user_annotation", "gloo:recv", 11, 30, **{"Input Dims": [[8]], "Input type": ["float"]}),
            event("cpu_op", "aten::convolution", 50, 3, **{
                "Concrete Inputs": ["", "", "", "[1]", "[0]", "[1]", "False", "[0]", "1"], "Input Dims": [[1, 2, 9], [4, 2, 3]]}),
            event("cpu_op", "triton_poi_fused_0", 60, 3, kernel_flop=1 << 40)], distributedInfo=DISTRIBUTED)),
        "mtia": text(trace([
            event("mtia_runtime", "runFunction", 1, 2, **{"correlation": 8, "device": 17}),
            event("mtia_ccp_events", "dma_request", 4, 2, 17, 3774, stream=108, correlation=8, size=1024),
            event("mtia_ccp_events", "event_wait", 7, 2, 17, 3774, stream=108),
            event("mtia_ccp_events", "pe_exe", 10, 2, 17, 3774, stream=108, correlation=8)])),
    }
