"""Tables of all captures against the existing tool: input pipeline, operations of the framework, where they ran."""

import expected_input
import peer_ops
import xspace_truth as own
from peer_page import XLA, captured, check, peer, peer_facts, peer_rows
from truth import Report, get
from xspace_reader import read_xspace


def input_pipelines():
    """The host's part of the peer's input pipeline page: its table of operations row by row, its classes."""
    for name in ("tf_slow_api", "tf_fast_api", "tf_slow_callback", "jax_cnn", "synth_tpu_steps", "gpu_multi_worker"):
        check.part(f"{name}, input")
        logdir = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker" if name == "gpu_multi_worker" else \
            XLA / "captured" / name
        report, facts = Report(logdir, "--top", "all"), peer_facts(name, "input_pipeline_analyzer")
        spaces = [read_xspace(file) for file in sorted(logdir.glob("**/*.xplane.pb"))]
        rows = peer_rows(name, "input_pipeline_analyzer", "opName")
        expected_input.operations(check, report, {
            row["opName"]: {"count": row["count"], "total_ms": row["timeInMs"], "self_ms": row["selfTimeInMs"],
                            "class": row["category"]} for row in rows})
        mine = {row["name"]: row for row in report.rows("input-pipeline/operations")}
        for row in rows:
            check.near(f"{row['opName']} total %", mine[row["opName"]]["total_share"], row["timeInPercent"])
            check.near(f"{row['opName']} self %", mine[row["opName"]]["self_share"], row["selfTimeInPercent"])
        if rows:
            expected_input.classes(check, report, {
                "Enqueue": float(facts["enqueue_us"]), "Preprocessing": float(facts["preprocessing_us"]),
                "Advanced file read": float(facts["advanced_file_read_us"]),
                "Demanded file read": float(facts["demanded_file_read_us"]),
                "Unknown": float(facts["unclassified_nonequeue_us"])})
        expected_input.second_computation(check, report, expected_input.figures_of(spaces))


# --- operations of the framework ---------------------------------------------------------------------------------------

def framework_ops():
    """The peer reads what a GPU's events worked on from a stat that this capture lacks, and shows nothing but idle time."""
    gpu, tpu = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker", "synth_tpu_steps"
    for name in ("jax_cnn", "tf_slow_api", "tf_fast_api", "tf_slow_callback", tpu, "gpu_multi_worker"):
        check.part(f"framework operations of {name}")
        logdir, spaces = (gpu, [read_xspace(next(gpu.glob("*.xplane.pb")))]) if name == "gpu_multi_worker" else captured(name)
        report, tables = Report(logdir, "--top", "all"), peer(name, "framework_op_stats")
        peer_ops.framework_stats(check, report, tables, spaces, has_device=name == tpu)
        facts, (ops, total, allocations, peers_total) = peer_facts(name), own.host_ops(spaces[0][0])
        busy = sum(one[3] for one in ops.values())
        # Its overview prints host idle time of nothing but allocations on a TPU, 0 where it has no device, else none.
        check.equal("host idle of the peer", (facts.get("host_idle_time_percent"), busy == 0 and peers_total > 0),
                    {tpu: ("100.0%", True), "gpu_multi_worker": (None, False)}.get(name, ("0.0%", False)))
        on_host, on_device = sum(one[1] for one in ops.values()), 0 if name != tpu else sum(
            row["occurrences"] for row in report.rows("operations/framework-device") if row["role"] == "normal")
        peers_host = on_host + sum(count for count, _ in allocations.values())
        if on_device + peers_host and "device_tf_op_percent" in facts:
            check.printed("operations on the device, of the peer", 100 * on_device / (on_device + peers_host),
                          facts["device_tf_op_percent"])
        if on_device + on_host and name != "gpu_multi_worker":
            check.near("operations on the device", report.metric("op.on_device_share"), on_device / (on_device + on_host))


# --- where operations ran ----------------------------------------------------------------------------------------------

def placement():
    """Eager shares as the peer prints them; where it prints 0.0 % because nothing was recorded, ours is missing."""
    logdirs = {name: captured(name)[0] for name in ("tf_fast_api", "tf_slow_api", "tf_slow_callback", "jax_cnn")}
    logdirs["tpu_inference_2"] = XLA / "found/xprof/xprof/convert/test_xplanes/tpu_inference_2.xplane.pb"
    logdirs["gpu_multi_worker"] = XLA / "found/xprof/demo/plugins/profile/GPU-multi-worker"
    known = {"tf_fast_api": ("host",), "tf_slow_api": ("host",), "tf_slow_callback": ("host",),
             "gpu_multi_worker": ("host", "device")}
    for name, logdir in logdirs.items():
        check.part(f"{name} placement")
        facts = peer_facts(name)
        got = get(logdir, *(f"{side}.op_eager_share" for side in ("host", "device")))
        for side in ("host", "device"):
            text, _ = got[f"{side}.op_eager_share"]
            printed = facts[f"{side}_op_time_eager_percent"]
            check.equal(f"eager on {side} is known", text != "-", side in known.get(name, ()))
            check.printed(f"eager on {side}", 0 if text == "-" else 100 * float(text), printed)
