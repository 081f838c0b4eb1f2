#!/usr/bin/env python3
"""make.py LOGDIR: what a TPUEstimator job of 21 minutes leaves behind, written byte for byte as such a job writes it, with times
chosen so that every figure of the whole run can be worked out beforehand (ANSWERS below). No TPU made it.

The job trains, is killed, begins anew from its checkpoint, trains on, is evaluated, trains again, is evaluated and predicts. A step
takes half a second, every tenth writes its scalars; a profile of two steps is taken in between.
"""

import math
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

import tfrecord  # noqa: E402
import tiny_xspace as tiny  # noqa: E402
from xspace_writer import field  # noqa: E402

BEGIN = 1_699_999_400.0  # 2023-11-14 22:03:20 UTC
HOST = "t1v-n-0a1b2c3d-w-0"
PROFILE_AT = 600  # seconds after BEGIN, for one second
STEP_S = 0.5
EVERY = 10  # steps between summaries

# Sessions as the profile logger marked them: seconds after BEGIN. The first training was killed.
MARKS = [
    (0, "train_begin"), (12, "init_system_begin"), (20, "init_system_end"), (23, "model_fn_begin"),
    (40, "setup_infeed_begin"), (46, "setup_infeed_end"), (47, "model_fn_end"),
    (320, "train_begin"), (328, "init_system_begin"), (336, "init_system_end"), (338, "model_fn_begin"),
    (354, "setup_infeed_begin"), (360, "setup_infeed_end"), (361, "model_fn_end"), (726, "train_end"),
    (730, "eval_begin"), (732, "model_fn_begin"), (742, "model_fn_end"), (780, "eval_end"),
    (790, "train_begin"), (792, "init_system_begin"), (795, "init_system_end"), (796, "model_fn_begin"),
    (804, "setup_infeed_begin"), (808, "setup_infeed_end"), (810, "model_fn_end"), (1221, "train_end"),
    (1228, "eval_begin"), (1230, "model_fn_begin"), (1238, "model_fn_end"), (1272, "eval_end"),
    (1280, "predict_begin"), (1282, "model_fn_begin"), (1290, "model_fn_end"), (1320, "predict_end"),
]

# Steps of the training's event files: (first step, last step, when the first was done). A checkpoint at step 300 took 30 s.
FIRST_FILE = [(0, 300, 60), (310, 400, 240)]  # killed at 285
SECOND_FILE = [(310, 1000, 375), (1010, 1800, 825)]
EVALUATIONS = [(1000, 779), (1800, 1271)]

ANSWERS = {
    "e2e.beginning_to_init_ms": 2000, "e2e.init_system_ms": 3000, "e2e.init_to_model_fn_ms": 1000, "e2e.model_fn_ms": 10000,
    "e2e.setup_infeed_ms": 4000, "e2e.training_ms": 431000, "e2e.training_to_eval_ms": 7000, "e2e.eval_ms": 44000,
    "e2e.eval_to_predict_ms": 8000, "e2e.predict_ms": 40000,
    "events.step_time_ms": 500,
    "events.wall_s": 1222 - 58,     # from the opening of the first file to the end of the last session
    "events.before_s": 60 - 58,
    "events.steps_s": 150 + 345 + 395 + 2 * 5,  # steps 0–300, 310–1000, 1010–1800, and twice ten steps before the first summary
    "events.again_s": 285 - 210,    # steps 310–400 and the checkpoint before them, from step 300 on
    "events.restart_s": 370 - 285,  # killed, and begun anew until ten steps before the first summary
    "events.eval_s": 820 - 720,
    "events.save_s": 0,             # the checkpoint lies in what was done again
    "events.gap_s": 0,
    "events.after_s": 1222 - 1220,
}


def loss(step):
    return 8.0 * math.exp(-step / 500) + 0.25 + 0.05 * math.sin(step / 17)


def summary(step, at):
    scalars = {"loss": 30.0 if step == 700 else math.nan if step == 900 else loss(step), "learning_rate": 0.1 if step < 1000 else 0.01,
               "global_step/sec": 1 / STEP_S, "grad_norm/all": 1 + loss(step) / 4}
    return tfrecord.event(BEGIN + at, step, tfrecord.simple(**scalars))


def training(opened_at, first_step, stretches):
    data = tfrecord.version(BEGIN + opened_at) + tfrecord.event(BEGIN + opened_at, first_step, tfrecord.session(1))
    for first, last, at in stretches:
        for step in range(first, last + 1, EVERY):
            data += summary(step, at + (step - first) * STEP_S)
    return data


def checkpoint(step, at):
    path = f"gs://bucket/model/model.ckpt-{step}"
    return tfrecord.event(BEGIN + at, step, field(7, field(1, 3) + field(2, path)))


def evaluation():
    data = tfrecord.version(BEGIN + EVALUATIONS[0][1] - 40)
    for step, at in EVALUATIONS:
        for tag, value in (("loss", loss(step) + 0.1), ("accuracy", 1 - loss(step) / 10)):
            data += tfrecord.event(BEGIN + at, step, tfrecord.tensor(tag, 1, b"=" + struct.pack("<f", value)))
    return data


def extras():
    """What is no scalar: a text, and a histogram."""
    data = tfrecord.event(BEGIN + 58, 0, tfrecord.tensor("config", 7, field(8, "batch 1024, bfloat16"), plugin="text"))
    return data + tfrecord.event(BEGIN + 60, 0, tfrecord.tensor("weights", 2, b"=" + struct.pack("<6d", 0, 1, 5, 1, 2, 3),
                                                                plugin="histograms"))


def profile():
    """Two steps of half a second: 120 ms of waiting for input, 300 of convolutions, 50 of summing gradients."""
    plane = tiny.Plane("/device:TPU:0")
    plane.stat("device_type_string", "TPU v3").stat("peak_teraflops_per_second", 61.5).stat("peak_hbm_bw_gigabytes_per_second", 450.0)
    plane.stat("core_details", field(1, HOST) + field(2, 0) + field(5, 0))
    program = {"program_id": 7}
    wait = plane.op("%infeed.1 = infeed()", "infeed.1", {"hlo_category": tiny.Ref("infeed"), **program})
    conv = plane.op("%fusion.12 = fusion()", "fusion.12", {
        "hlo_category": tiny.Ref("convolution fusion"), "flops": 6 * 10**12, "bytes_accessed": 4 * 10**10, **program})
    reduce = plane.op("%all-reduce.1 = all-reduce()", "all-reduce.1", {"hlo_category": tiny.Ref("all-reduce"), **program})
    steps, ops, modules = [], [], []
    for i in range(2):
        at = i * 500 * tiny.MS
        steps.append(plane.event(str(760 + i), at, 500 * tiny.MS))
        modules.append(plane.event(plane.op("jit_train(7)"), at, 480 * tiny.MS))
        for op, begin, length in ((wait, 0, 120), (conv, 125, 300), (reduce, 430, 50)):
            ops.append(plane.event(op, at + begin * tiny.MS, length * tiny.MS))
    start_ns = int(BEGIN + PROFILE_AT) * 10**9
    plane.line("Steps", steps, start_ns).line("XLA Modules", modules, start_ns).line("XLA Ops", ops, start_ns)
    task = tiny.Plane("Task Environment")
    task.stat("profile_start_time", start_ns).stat("profile_stop_time", start_ns + 10**9)
    return tiny.space(task, plane, hostname=HOST)


def files():
    """{path below the log directory: bytes}"""
    name = "events.out.tfevents"
    first = training(58, 0, FIRST_FILE[:1]) + checkpoint(300, 211) + training_rest(FIRST_FILE[1:]) + extras()
    second = training(362, 301, SECOND_FILE[:1]) + checkpoint(1000, 724) + training_rest(SECOND_FILE[1:])
    second += checkpoint(1800, 1221) + tfrecord.event(BEGIN + 1222, 1800, tfrecord.session(2))
    return {
        f"profile/{name}.{int(BEGIN)}.{HOST}.profile_logger": tfrecord.profile_logger(MARKS, start=BEGIN),
        f"{name}.{int(BEGIN) + 58}.{HOST}": first,
        f"{name}.{int(BEGIN) + 362}.{HOST}": second,
        f"eval/{name}.{int(BEGIN) + 740}.{HOST}": evaluation(),
        f"plugins/profile/2023_11_14_22_13_20/{HOST}.xplane.pb": profile(),
    }


def training_rest(stretches):
    return b"".join(summary(step, at + (step - first) * STEP_S)
                    for first, last, at in stretches for step in range(first, last + 1, EVERY))


def main():
    for path, data in files().items():
        to = Path(sys.argv[1], path)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)


if __name__ == "__main__":
    main()
