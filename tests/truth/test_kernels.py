"""Kernels of GPUs that no capture of ours is from: small profiles in the words of newer profilers, worked out by hand."""

import sys
import tempfile
from pathlib import Path

from truth import Check, Report
from xspace_writer import Plane, xspace

US = 10**6  # picoseconds
check = Check()


def report_on(*planes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "logs/plugins/profile/run/host.xplane.pb")
        path.parent.mkdir(parents=True)
        path.write_bytes(xspace(*planes))
        return Report(Path(folder, "logs"), "--top", "all")


def gpu(number=0, **stats):
    return Plane(f"/device:GPU:{number}", **stats)


def h100(number=0):
    return gpu(number, device_vendor="Nvidia", gpu_device_name="NVIDIA H100 80GB HBM3", compute_cap_major=9,
               compute_cap_minor=0, core_count=132, clock_rate=1980000)


def kernels(plane, *events, line="Stream #7(Kernel)"):
    """events: (name, start in us, duration in us, details, {stats})"""
    stream = plane.line(line)
    for number, (name, start, duration, details, *stats) in enumerate(events):
        stream.event(name, start * US, duration * US, kernel_details=details,
                     **{"correlation_id": number + 1, **(stats[0] if stats else {})})
    return plane


def by_name(report, table="kernels/list", key="name"):
    rows = {}
    for row in report.rows(table):
        rows.setdefault(row[key], []).append(row)
    return rows


GEMM = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_kernel__5x_cublas"
SIMT = "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_nn_align1>(cutlass_80_simt_sgemm_128x32_8x5_nn_align1::Params)"
DETAILS = "regs:32 static_shared:0 dynamic_shared:0 grid:264,1,1 block:256,1,1 occ_pct:"


def hopper():
    check.part("H100")
    plane = kernels(
        h100(),
        (GEMM, 0, 40, "regs:168 static_shared:0 dynamic_shared:213120 grid:132,1,1 block:384,1,1 occ_pct:18.75",
         {"tf_op": "model/dense/MatMul:MatMul"}),
        (SIMT, 50, 30, DETAILS + "100", {"tf_op": "model/dense_1/MatMul_1:MatMul"}),
        (SIMT, 90, 10, DETAILS + "62.5", {"tf_op": "model/dense_1/MatMul_1:MatMul"}),
        (SIMT, 110, 5, DETAILS + "100", {"tf_op": "model/other/Mul:Mul"}),
        (SIMT, 120, 8, DETAILS + "100", {"tf_op": "model/product/einsum/Einsum:Einsum", "equation": "ab,bc->ac"}),
        ("gemm_fusion_dot_5", 140, 7, DETAILS + "100", {"tf_op": "XlaModule:", "hlo_op": "call.2::gemm_fusion_dot.5"}),
        ("loop_add_fusion", 150, 2, DETAILS + "0", {"tf_op": "XlaModule:", "hlo_op": "loop_add_fusion"}),
        ("loop_add_fusion", 160, 3, DETAILS + "0", {"tf_op": "XlaModule:", "hlo_op": "loop_add_fusion.1"}),
        ("no time at all", 170, 0, DETAILS + "100"))
    copies = plane.line("Stream #9(MemcpyH2D,Memset)")
    copies.event("MemcpyH2D", 0, 100 * US, memcpy_details="kind_src:pinned kind_dst:device size:4000000 dest:0 async:1")
    copies.event("MemcpyH2D", 200 * US, 300 * US, memcpy_details="kind_src:pageable kind_dst:device size:300000 dest:0 async:0")
    copies.event("MemcpyH2D", 600 * US, 100 * US, memcpy_details="kind_src:pinned kind_dst:device size:2000000 dest:0 async:1")
    copies.event("Memset", 800 * US, 2 * US, Memset_details="kind:device num_bytes:4096 async:1")
    copies.event("MemcpyD2D", 900 * US, 4 * US)
    report = report_on(plane)
    rows = by_name(report)
    check.equal("kernels", sorted(rows), sorted([GEMM, SIMT, "gemm_fusion_dot_5", "loop_add_fusion"]))
    check.equal("device", report.metric("run.device_type"), "NVIDIA H100 80GB HBM3")

    [gemm] = rows[GEMM]
    check.equal("operation", gemm["operation"], "model/dense/MatMul")
    check.equal("tensor cores", gemm["tensor_cores"], "used")
    check.near("occupancy as stated", gemm["occupancy_share"], 0.1875)
    # 168 registers: 5,376 a warp, three warps on each quarter, so one block of twelve; shared memory gives one as well.
    check.equal("limit", gemm["limited_by"], "registers")
    check.near("blocks an SM", gemm["blocks_per_sm"], 1)
    check.equal("shared memory", gemm["shared_bytes"], 213120)

    # One name, three operations; of one of them two calls that differ only in what the driver said of occupancy.
    check.equal("rows of one name", [(r["operation"], r["tensor_cores"], r["calls"], r["total_us"]) for r in rows[SIMT]],
                [("model/dense_1/MatMul_1", "not used", 2, 40), ("model/product/einsum/Einsum", "not used", 1, 8),
                 ("model/other/Mul", "no", 1, 5)])
    check.equal("short name", rows[SIMT][0]["kernel"], "cutlass_80_simt_sgemm_128x32_8x5_nn_align1")
    check.equal("limits", (rows[SIMT][0]["min_us"], rows[SIMT][0]["max_us"], rows[SIMT][0]["mean_us"]), (10, 30, 20))

    [fusion], [loop] = rows["gemm_fusion_dot_5"], rows["loop_add_fusion"]
    check.equal("an HLO instruction", (fusion["operation"], fusion["tensor_cores"]), ("gemm_fusion_dot.5", "possible"))
    check.equal("several of them", (loop["operation"], loop["calls"], loop["tensor_cores"]),
                ("several loop_add_fusion", 2, "no"))
    check.near("occupancy worked out where the driver says 0", loop["occupancy_share"], 1)

    total = 40 + 30 + 10 + 5 + 8 + 7 + 2 + 3
    check.near("kernel time", report.metric("kernels.total_us"), total)
    check.equal("calls", report.metric("kernels.count"), 8)
    check.near("tensor cores", report.metric("gpu.tensor_core_share"), 40 / total)
    check.near("not used", report.metric("gpu.tensor_core_unused_share"), 48 / total)
    check.near("occupancy", report.metric("gpu.occupancy_share"), (40 * .1875 + total - 40) / total)
    check.near("top", report.metric("kernels.top.share"), 53 / total)
    check.equal("no launches on the host", report.metric("kernels.launch_us"), None)

    moves = {(r["kind"], r["from"], r["to"]): r for r in report.rows("kernels/copies/list")}
    check.near("pinned", moves["host to device", "pinned", "device"]["gb_per_s"], 30)
    check.near("pageable", moves["host to device", "pageable", "device"]["gb_per_s"], 1)
    check.equal("pinned bytes", moves["host to device", "pinned", "device"]["bytes"], 6000000)
    check.near("fill", moves["fill", "", "device"]["gb_per_s"], 4096 / 2e-6 / 1e9)
    check.equal("bytes not stated", moves["within the device", "", ""]["bytes"], None)
    check.equal("rate not known", moves["within the device", "", ""]["gb_per_s"], None)


def amd():
    check.part("AMD")
    plane = gpu(device_vendor="AMD", compute_cap_major=9, compute_cap_minor=4, core_count=304, clock_rate=2100000)
    matrix = "Cijk_Alik_Bljk_BBS_BH_MT64x64x64_MI16x16x16x1_SN_1LDSB0_APM1"
    kernels(plane,
            (matrix, 0, 60, "regs:128 static_shared:16384 dynamic_shared:0 grid:304,2,1 block:256,1,1 private_mem:0",
             {"tf_op": "jit(f)/dot_general:"}),
            ("Cijk_Ailk_Bljk_SB_MT64x64x8_SN_K1", 70, 20,
             "regs:64 static_shared:0 dynamic_shared:0 grid:10,1,1 block:256,1,1", {"tf_op": "jit(f)/dot_general:"}),
            ("ncclDevKernel_Generic", 100, 20, "regs:0 static_shared:0 dynamic_shared:0 grid:8,1,1 block:512,1,1"))
    report = report_on(plane)
    rows = by_name(report)
    check.equal("matrix cores", rows[matrix][0]["tensor_cores"], "used")
    check.equal("operation", rows[matrix][0]["operation"], "jit(f)/dot_general")
    # 128 of 512 registers a lane: four waves on each of four SIMDs, 16 of 32; a block has four, so four blocks fit, and
    # 16 KiB each are all of 64 KiB.
    check.near("occupancy", rows[matrix][0]["occupancy_share"], .5)
    check.near("blocks", rows[matrix][0]["blocks_per_sm"], 2)
    check.equal("without matrix instructions", rows["Cijk_Ailk_Bljk_SB_MT64x64x8_SN_K1"][0]["tensor_cores"], "not used")
    check.equal("registers not stated", rows["ncclDevKernel_Generic"][0]["occupancy_share"], None)
    check.near("share", report.metric("gpu.tensor_core_share"), .6)
    check.near("unused", report.metric("gpu.tensor_core_unused_share"), .2)


def launches():
    """A launch call of the host for each kernel but those of a graph, which share one; the median decides."""
    check.part("launches")
    plane = kernels(h100(), *[("k", at, length, DETAILS + "100", {"correlation_id": number})
                              for at, length, number in ((0, 2, 1), (10, 2, 2), (20, 9, 3), (30, 1, 7), (40, 1, 7), (50, 1, 7))])
    host = Plane("/host:CPU")
    thread = host.line("main/1")
    for number, length in ((1, 4), (2, 5), (3, 600), (7, 900)):
        thread.event("cuLaunchKernel", number * 1000 * US, length * US, correlation_id=number,
                     kernel_details="regs:17179869185 shm:0 grid:1,1,1 block:1,1,1")
    thread.event("cuMemcpyAsync", 20000 * US, US, correlation_id=99)
    report = report_on(host, plane)
    check.near("median", report.metric("kernels.launch_us"), 5)
    check.near("shorter", report.metric("kernels.short_share"), 2 / 6)
    check.equal("host events are no kernels", report.metric("kernels.count"), 6)


def unknown():
    check.part("a GPU of which nothing is stated")
    report = report_on(kernels(gpu(), ("k<int>", 0, 5, "regs:32 shm:0 grid:1,1,1 block:64,1,1"), ("k<int>", 9, 5, "x")))
    second, first = report.rows("kernels/list")  # of the same time: by launch
    check.equal("occupancy", first["occupancy_share"], None)
    check.equal("blocks", first["blocks_per_sm"], None)
    check.equal("a launch that cannot be read", (second["grid"], second["registers"], second["calls"]), (None, None, 1))
    check.equal("tensor cores of an unknown GPU", report.metric("gpu.tensor_core_share"), None)
    check.equal("occupancy of all", report.metric("gpu.occupancy_share"), None)

    check.part("GPUs that differ")
    old = gpu(1, compute_cap_major=7, compute_cap_minor=0, core_count=80)
    both = [kernels(plane, ("k", 0, 5, "regs:32 shm:0 grid:1,1,1 block:64,1,1")) for plane in (h100(), old)]
    [row] = report_on(*both).rows("kernels/list")
    check.equal("one row", (row["calls"], row["occupancy_share"], row["blocks_per_sm"]), (2, None, None))

    check.part("operations that a profiler derived from streams")
    plane = kernels(h100(), ("k", 0, 5, DETAILS + "100"))
    plane.line("XLA Ops").event("fusion.1", 0, 5 * US, hlo_category="loop fusion")
    plane.line("XLA Modules").event("jit_f", 0, 5 * US)
    report = report_on(plane)
    check.equal("count once", report.metric("device.busy_ps"), 5 * US)

    check.part("no kernel")
    plane = h100()
    plane.line("Stream #1").event("k", 0, US)
    report = report_on(plane)
    check.equal("no launch", report.metric("kernels.count"), None)
    check.true("no section", "kernels/list" not in report.blocks)


def finding(report, name):
    """Status of a check."""
    return next(f["status"] for f in report.doc["findings"] if f["id"] == name)


def eager():
    check.part("eager as the profiler says")
    host = Plane("/host:CPU")
    thread = host.line("main/1")
    thread.event("a/MatMul:MatMul", 0, 100 * US, is_eager=1)
    thread.event("a/inner/Cast:Cast", 10 * US, 40 * US, is_eager=0)
    thread.event("Iterator::Map", 200 * US, 50 * US)
    thread.event("not an operation", 300 * US, 500 * US)
    plane = h100()
    stream = plane.line("Stream #7(Kernel)")
    for at, length, is_eager in ((0, 5, 1), (10, 15, 0)):
        stream.event("k", at * US, length * US, kernel_details=DETAILS + "100", tf_op="a/Mul:Mul", is_eager=is_eager)
    stream.event("of nobody", 100 * US, 80 * US, kernel_details=DETAILS + "100", is_eager=1)
    report = report_on(host, plane)
    check.near("host", report.metric("host.op_eager_share"), 60 / 150)
    check.near("device", report.metric("device.op_eager_share"), 5 / 20)
    check.equal("finding", finding(report, "TPR-EAGER-001"), "open")

    check.part("eager by nesting")
    host = Plane("/host:CPU")
    thread = host.line("main/1")
    thread.event("EagerExecute", 0, 100 * US, is_func=0)
    thread.event("EagerLocalExecute: Mul", 5 * US, 90 * US)
    thread.event("Mul:Mul", 10 * US, 20 * US)
    thread.event("cuLaunchKernel", 15 * US, 5 * US, correlation_id=1)
    thread.event("EagerExecute", 200 * US, 900 * US, is_func=1)
    thread.event("step/Mul:Mul", 210 * US, 180 * US)
    thread.event("cuLaunchKernel", 220 * US, 5 * US, correlation_id=2)
    thread.event("EagerExecute", 1200 * US, 100 * US)  # does not say, so it ran a function
    thread.event("step/Add:Add", 1210 * US, 40 * US)
    plane = kernels(h100(), ("k", 20, 10, DETAILS + "100", {"tf_op": "Mul:Mul"}),
                    ("k", 230, 190, DETAILS + "100", {"tf_op": "step/Mul:Mul"}))
    report = report_on(host, plane)
    check.near("host", report.metric("host.op_eager_share"), 20 / 240)
    check.near("device", report.metric("device.op_eager_share"), 10 / 200)
    check.equal("finding", finding(report, "TPR-EAGER-001"), "passed")

    check.part("eager, exactly at the limit")
    host = Plane("/host:CPU")
    host.line("main/1").event("a:Mul", 0, 10 * US, is_eager=1).event("b:Mul", 20 * US, 90 * US, is_eager=0)
    report = report_on(host)
    check.near("host", report.metric("host.op_eager_share"), .1)
    check.equal("finding: the peer's hint comes above it", finding(report, "TPR-EAGER-001"), "passed")


def outside_compilation():
    check.part("outside compilation")
    plane = Plane("/device:TPU:0", device_type_string="TPU v4")
    plane.op("%send-done.1 = token[] send-done(%send.1), is_host_transfer=true", hlo_category="send-done", program_id=1,
             symbol_id=1)
    plane.op("%recv.2 = f32[] custom-call()", hlo_category="custom-call", program_id=1, symbol_id=2,
             tf_op="step/outside:XlaRecvFromHost")
    plane.op("%fusion.3 = f32[] fusion()", hlo_category="loop fusion", program_id=1, symbol_id=3, tf_op="step/Mul:Mul")
    line = plane.line("XLA Ops")
    for name, at, length in zip(plane.op_stats, (0, 10, 20), (4, 2, 94)):
        line.event(name, at * US, length * US)
    report = report_on(plane)
    check.near("share", report.metric("device.outside_compilation_share"), .06)
    check.equal("finding", finding(report, "TPR-OUTC-001"), "open")
    check.equal("no kernel to be eager", report.metric("device.op_eager_share"), None)
    check.equal("no tensor cores to use", finding(report, "TPR-TC-001"), "not_applicable")


def findings():
    check.part("findings")
    products = [("k", 20 * i, 10, DETAILS + "100", {"tf_op": "a/MatMul:MatMul" if i < 4 else "a/Mul:Mul"}) for i in range(10)]
    report = report_on(kernels(h100(), *products))
    check.near("products", report.metric("gpu.tensor_core_unused_share"), .4)
    check.equal("they could use tensor cores", finding(report, "TPR-TC-001"), "open")
    check.equal("launches not recorded", finding(report, "TPR-KERN-001"), "undecided")
    host = Plane("/host:CPU")
    thread = host.line("main/1")
    for i in range(10):
        thread.event("cuLaunchKernel", 20 * i * US, 15 * US, correlation_id=i + 1)
    report = report_on(host, kernels(h100(), *products))
    # Ten kernels of 10 us, each 5 us shorter than its launch, in 190 us.
    check.equal("short kernels", finding(report, "TPR-KERN-001"), "open")
    host = Plane("/host:CPU")
    thread = host.line("main/1")
    for i in range(10):
        thread.event("cuLaunchKernel", 2000 * i * US, 1500 * US, correlation_id=i + 1)
    report = report_on(host, kernels(h100(), *products))
    check.equal("no launch takes 1.5 ms: it waits", finding(report, "TPR-KERN-001"), "undecided")
    report = report_on(kernels(h100(), *[(name, at, length, details) for name, at, length, details, _ in products]))
    check.equal("operations not known", finding(report, "TPR-TC-001"), "undecided")
    check.equal("nor missing by mistake", report.metric("gpu.tensor_core_unused_share"), None)


def compiling():
    """A step of 100 us in which JAX traces and XLA compiles for 40; the same with a GPU that works meanwhile."""
    def host():
        plane = Plane("/host:CPU")
        thread = plane.line("main/1")
        for step in range(3):
            at = 1000 * step * US
            thread.event("train", at, 100 * US, _r=1, step_num=step)
            thread.event("trace_to_jaxpr_dynamic", at + 5 * US, 10 * US)
            thread.event("backend_compile", at + 20 * US, 30 * US)
            thread.event("TfrtCpuClient::Compile", at + 25 * US, 20 * US)
            thread.event("simplification", at + 27 * US, 5 * US)
            thread.event("fusion", at + 60 * US, 20 * US)
            thread.event("cuLaunchKernel", at + 85 * US, 2 * US, correlation_id=step + 1)
        return plane

    check.part("compiling")
    report = report_on(host())
    check.near("compile", report.metric("step.class.compile_ms"), .040)
    check.near("host compute", report.metric("step.class.host_compute_ms"), .022)
    check.near("not recorded", report.metric("step.class.other_ms"), .038)
    check.equal("finding", finding(report, "TPR-COMPILE-001"), "open")
    kernel = kernels(h100(), *[("k", 1000 * step + 10, 25, DETAILS + "100") for step in range(3)])
    report = report_on(host(), kernel)
    # The kernel runs from 10 to 35, so 20 of 40 are left to the compiler.
    check.near("beside a GPU", report.metric("step.class.compile_ms"), .020)
    check.near("compute", report.metric("step.class.compute_ms"), .025)


def main():
    for part in (compiling, eager, outside_compilation, findings, hopper, amd, launches, unknown):
        part()
    check.end()


if __name__ == "__main__":
    sys.exit(main())
