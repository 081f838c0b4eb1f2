"""Captures that are not ours to commit: every figure that the existing tool prints for them, and why where ours differs."""

import sys

import peer_ops
from peer_columns import OF_XLA_TABLES, SAYS_NOTHING
from peer_cpu import jax_cnn, tensorflow, without_steps
from peer_gpu import gpu_multi_worker
from peer_page import check
from peer_tables import framework_ops, input_pipelines, placement
from peer_tpu import synth_tpu_steps, tpu_one_host

# Columns of the peer's tables that are compared nowhere, and why not. All else is, or the test fails.
NOT_COMPARED = OF_XLA_TABLES | {
    "framework_op_stats.gpu_tensorcore_utilization": SAYS_NOTHING,
    "input_pipeline_analyzer.compileTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.deviceCollectivesTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.deviceToDeviceTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.kernelLaunchTimeMs": SAYS_NOTHING,
    "input_pipeline_analyzer.outfeedTimeMs": SAYS_NOTHING,
    "*.tooltip": "words of the chart",
    "kernel_stats.op_name": SAYS_NOTHING,
    "kernel_stats.occupancy_pct": "0 in every row; ours is worked out, see test_kernels.py",
    "overview_page.hostTransferTimeMs": SAYS_NOTHING,
    "overview_page.infeedPercent*": SAYS_NOTHING,
    "overview_page.scv0*TimeMs": SAYS_NOTHING,
    "overview_page.tcInfeedTimeMs": SAYS_NOTHING,
    "overview_page.tcOutfeedTimeMs": SAYS_NOTHING,
}


def main():
    for part in (input_pipelines, framework_ops, placement, jax_cnn, tensorflow, without_steps, tpu_one_host, synth_tpu_steps,
                 gpu_multi_worker):
        before = check.count
        part()
        print(f"{part.__name__}: {check.count - before} figures")
    peer_ops.columns.end(check, NOT_COMPARED)
    check.end()


if __name__ == "__main__":
    sys.exit(main())
