"""Operations of captures written by hand: nested ones, those of the framework, and the trees they make."""

import sys

from by_hand import MS, accesses, core, host, put, report_on
from truth import Check
from xspace_writer import Plane, xspace

check = Check()


def nested_operations():
    check.part("nested operations")
    plane = core(0, [("7", 0, 130)])
    plane.op("while.1", hlo_category="while", program_id=1, flops=10**12, bytes_accessed=10**12)
    plane.op("fusion.1", hlo_category="loop fusion", program_id=1, flops=10**9, bytes_accessed=4 * 10**6,
             memory_access_breakdown=accesses((1, 1, 3 * 10**6), (1, 3, 10**6)))
    plane.op("fusion.2", hlo_category="loop fusion", program_id=1, flops=0, bytes_accessed=0)
    plane.op("dot.1", hlo_category="convolution", program_id=1, flops=5 * 10**9, bytes_accessed=2 * 10**6)
    plane.op("copy.1", hlo_category="copy", program_id=1, flops=0, bytes_accessed=5 * 10**6, memory_access_breakdown=b"")
    # In any order; fusion.1 begins with the loop and stands before it.
    put(plane.line("XLA Ops"), ("dot.1", 120, 125), ("fusion.1", 0, 30), ("while.1", 0, 105), ("fusion.2", 50, 90),
        ("copy.1", 110, 120), ("dot.1", 60, 80))
    report = report_on({"a": xspace(plane)})
    ops = {label: row for (_, label), row in report.ops().items()}
    for label, self_ms, total, times in (("while.1", 35, 105, 1), ("fusion.1", 30, 30, 1), ("fusion.2", 20, 40, 1),
                                         ("dot.1", 25, 25, 2), ("copy.1", 10, 10, 1)):
        check.near(f"{label} self", ops[label]["self_ms"], self_ms)
        check.near(f"{label} total", ops[label]["total_ms"], total)
        check.equal(f"{label} occurrences", ops[label]["occurrences"], times)
        check.near(f"{label} share", ops[label]["busy_share"], self_ms / 120)
    check.equal("busy", report.metric("device.busy_ps"), 120 * MS)
    check.equal("total", report.metric("device.total_ps"), 130 * MS)
    # Loops do not count again what their bodies cost: 1 + 2 × 5 GFLOP at 1 TFLOP/s.
    check.near("FLOPS", report.metric("flops.utilization_share"), 11 / 130)
    check.near("FLOPS while busy", report.metric("flops.busy_utilization_share"), 11 / 120)
    check.near("rate", report.metric("flops.rate_per_s"), 11e9 / 0.130)
    # 3 of the 4 MB of fusion.1 are of HBM, none of copy.1, all of dot.1, which does not say; at 1 GB/s.
    check.near("HBM", report.metric("memory_bandwidth.utilization_share"), 7 / 130)
    check.near("rate of dot.1", ops["dot.1"]["gflop_per_s"], 400)
    check.equal("type", report.metric("run.device_type"), "TPU v9")
    check.equal("top", report.metric("op.top.name"), "while.1")
    categories = {row["name"]: row for row in report.rows("operations/tree") if row["role"] == "group"}
    check.near("loop fusion", categories["loop fusion"]["self_ms"], 50)
    check.near("loop fusion FLOPS", categories["loop fusion"]["flops_utilization_share"], 1 / 50)

    check.part("operations that begin together, the inner first")
    plane = core(0)
    plane.op("while.1", hlo_category="while", program_id=1)
    plane.op("dot.1", hlo_category="convolution", program_id=1)
    put(plane.line("XLA Ops"), ("dot.1", 0, 30), ("while.1", 0, 105))
    ops = {label: row["self_ms"] for (_, label), row in report_on({"a": xspace(plane)}).ops().items()}
    check.equal("self", ops, {"while.1": 75, "dot.1": 30})


def framework_operations():
    check.part("operations of the framework on the host")
    plane = host([("model/dense/MatMul_1:MatMul", 0, 100), ("Iterator::Batch", 10, 60), ("Iterator::Batch::Map", 20, 50),
                  ("python call", 30, 90), ("model/dense/MatMul_1:MatMul", 100, 140), ("MEMCPYHtoD", 150, 160)],
                 [("allocate", 0, 500, {"tf_op": "model/dense/MatMul_1:MatMul"}), ("ThreadpoolListener::Record", 0, 90)],
                 [("Iterator::Batch", 40, 70), ("Iterator::Batch::Map", 50, 70)])
    report = report_on({"a": xspace(plane)})
    mine = {row["name"]: row for row in report.rows("operations/framework-host")}
    for name, kind, count, total, own_ms in (("model/dense/MatMul_1", "MatMul", 2, 140, 90), ("Iterator::Batch", "Dataset", 2, 80, 30),
                                             ("Iterator::Batch::Map", "Dataset", 2, 50, 50),
                                             ("MEMCPYHtoD", "MemcpyHToD", 1, 10, 10)):
        row = mine.pop(name)
        check.equal(name, (row["type"], row["occurrences"]), (kind, count))
        check.near(f"{name} total", row["total_ms"], total)
        check.near(f"{name} self", row["self_ms"], own_ms)
        check.near(f"{name} without idle", row["busy_share"], own_ms / 180)
        check.near(f"{name} with idle", row["all_share"], own_ms / 190)
        check.near(f"{name} each", row["mean_us"], total * 1e3 / count)
    # 0–160 of the first thread and 40–70 of the third; what only names an operation in its arguments is none.
    check.near("idle", mine.pop("Idle")["self_ms"], 10)
    check.equal("no other", mine, {})
    check.near("host.idle_share", report.metric("host.idle_share"), 10 / 190)
    check.equal("op.on_device_share", report.metric("op.on_device_share"), 0)
    types = {row["name"]: (row["operations"], row["occurrences"], row["self_ms"])
             for row in report.rows("operations/framework-host-types") if row["role"] == "normal"}
    check.equal("types", types, {"MatMul": (1, 2, 90), "Dataset": (2, 4, 80), "MemcpyHToD": (1, 1, 10)})

    check.part("operations of the framework on a GPU")
    gpu = Plane("/device:GPU:0", device_vendor="Nvidia")
    put(gpu.line("Stream #1(Compute)"), ("gemm", 0, 40, {"tf_op": "model/a/MatMul:MatMul"}),
        ("bias", 40, 50, {"tf_op": "model/a/MatMul:MatMul"}), ("bias", 50, 60, {"annotation": "model/b/Add:AddV2#shape=(half[8])#"}),
        ("gemm", 60, 65, {"annotation": "MakeTensorFromProto"}), ("bias", 70, 80, {"tf_op": "model/a/MatMul:MatMul"}))
    report = report_on({"a": xspace(gpu)})
    mine = {row["name"]: (row["type"], row["occurrences"], row["self_ms"])
            for row in report.rows("operations/framework-device") if row["role"] == "normal"}
    # One call launched the first kernel once and the second twice.
    check.equal("operations", mine, {"model/a/MatMul": ("MatMul", 2, 60), "model/b/Add": ("AddV2", 1, 10),
                                     "gemm": (None, 1, 5)})
    check.equal("top", [row["name"] for row in report.rows("operations/top")], ["model/a/MatMul", "model/b/Add", "gemm"])
    scopes = {row["name"]: row["self_ms"] for row in report.rows("operations/by-scope") if row["role"] == "group"}
    check.equal("scopes", scopes, {"model": 70, "a/MatMul": 60, "b/Add": 10, "kernels": 5})
    check.near("all on the device", report.metric("op.on_device_share"), 1)


def trees():
    check.part("trees of operations")
    plane = core(0)
    for name, category, program, costs in (("fusion.1", "loop fusion", 1, 20), ("fusion.2", "loop fusion", 1, 15),
                                           ("dot.1", "convolution", 1, 5), ("fusion.1", "loop fusion", 2, 0)):
        plane.op(f"{name} of {program}", name, hlo_category=category, program_id=program, flops=costs * 10**9,
                 bytes_accessed=10**6, tf_op={"fusion.1": "jit(f)/a/add:", "fusion.2": "jit(f)/a/add:"}.get(name, "jit(f)/b/dot:"),
                 deduplicated_name="fusion.1" if name == "fusion.2" else "")
    put(plane.line("XLA Ops"), ("fusion.1 of 1", 0, 40), ("fusion.2 of 1", 40, 80), ("dot.1 of 1", 80, 100),
        ("dot.1 of 1", 100, 120, {"dma_stall_duration_ps": 5 * MS}), ("fusion.1 of 2", 120, 130))
    report = report_on({"a": xspace(plane)})

    def tree(table):
        return [(row["depth"], row["name"], round(row["self_ms"]), round(row["wasted_ms"], 6)) for row in report.rows(table)]

    # Costs an occurrence at 1 TFLOP/s; HBM is used for 1 ms of each.
    check.equal("by category", tree("operations/tree"), [
        (0, "All operations", 130, 130 - 20 - 15 - 10 - 1), (0, "loop fusion", 90, 54), (1, "fusion.1 and 1 duplicate", 80, 45),
        (2, "fusion.2", 40, 25), (2, "fusion.1", 40, 20), (1, "fusion.1", 10, 9), (0, "convolution", 40, 30), (1, "dot.1", 40, 30)])
    check.equal("by program", tree("operations/by-program")[1:], [
        (0, "program 1", 120, 75), (1, "loop fusion", 80, 45), (2, "fusion.1 and 1 duplicate", 80, 45), (3, "fusion.2", 40, 25),
        (3, "fusion.1", 40, 20), (1, "convolution", 40, 30), (2, "dot.1", 40, 30), (0, "program 2", 10, 9),
        (1, "loop fusion", 10, 9), (2, "fusion.1", 10, 9)])
    check.equal("by scope", tree("operations/by-scope")[1:], [
        (0, "program 1", 120, 75), (1, "jit(f)", 120, 75), (2, "a/add", 80, 45), (3, "fusion.2", 40, 25), (3, "fusion.1", 40, 20),
        (2, "b/dot", 40, 30), (0, "program 2", 10, 9), (1, "jit(f)/a/add", 10, 9)])
    rows = {row["name"]: row for row in report.rows("operations/list")}
    check.near("DMA stall", rows["dot.1"]["dma_stall_share"], 5 / 40)
    check.equal("none", rows["fusion.2"]["dma_stall_share"], 0)
    check.equal("bound by", (rows["dot.1"]["bound_by"], rows["fusion.1"]["bound_by"]), ("compute", "HBM"))
    check.near("intensity", rows["dot.1"]["flop_per_byte"], 5000)
    check.near("added up", rows["dot.1"]["cumulative_share"], 120 / 130)
    check.near("op.wasted_share", report.metric("op.wasted_share"), 84 / 130)
    # dot.1 uses exactly a quarter of the FLOPS, and fusion.1 of program 2 a tenth of HBM.
    check.near("op.poor_share", report.metric("op.poor_share"), 10 / 130)

    check.part("operations that use little")
    plane = core(0, [("1", 0, 100)])
    plane.op("slow", hlo_category="convolution", program_id=1, flops=4 * 10**9, bytes_accessed=0)
    plane.op("fast", hlo_category="convolution", program_id=1, flops=50 * 10**9, bytes_accessed=0)
    put(plane.line("XLA Ops"), ("slow", 0, 40), ("fast", 40, 100))
    report = report_on({"a": xspace(plane)})
    check.near("op.poor_share", report.metric("op.poor_share"), 0.4)
    [poor] = [finding for finding in report.doc["findings"] if finding["id"] == "TPR-OP-001"]
    check.equal("open", (poor["status"], poor["severity"]), ("open", "High"))
    check.near("saves at most", poor["saving"]["value"], 36)


def main():
    for part in (nested_operations, framework_operations, trees):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
