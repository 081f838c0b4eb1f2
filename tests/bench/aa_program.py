#!/usr/bin/env python3
"""One run of one small program on one core of the CPU, with its profile: what aa.py starts again and again.

Needs: jax, tensorflow-cpu or torch, whichever is named.
Writes: OUT/ as the framework's profiler writes it.
"""
import argparse
import contextlib
import fcntl
import os
import subprocess
import sys


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program", choices=["jax", "tensorflow", "pytorch"])
    p.add_argument("out", help="directory for the profile")
    p.add_argument("--steps", type=int, default=30, help="recorded steps (default: %(default)s)")
    p.add_argument("--first", action="store_true", help="the recorded steps go before all else on the machine (needs to be root)")
    p.add_argument("--busy", type=int, default=0, help="processes that work and rest beside the recorded steps (default: none)")
    p.add_argument("--width", type=int, default=512, help="size of the layers (default: %(default)s)")
    p.add_argument("--gpu", action="store_true", help="run on the GPU (jax, pytorch)")
    p.add_argument("--lock", metavar="FILE", help="record only while no other run that names this file does")
    return p.parse_args()


LAYERS, BATCH, WARM_UP = 6, 128, 3


# Works and rests in turn, each for up to a tenth of a second.
BUSY = """
import random, time
while True:
    end = time.monotonic() + random.random() / 10
    while time.monotonic() < end:
        pass
    time.sleep(random.random() / 10)
"""


def go_first():
    """Threads that are there already are asked, too: a runtime starts its own before the first step."""
    for thread in os.listdir("/proc/self/task"):
        os.sched_setscheduler(int(thread), os.SCHED_RR, os.sched_param(1))


@contextlib.contextmanager
def surroundings(args):
    """Of the recorded steps only: a start with all that it imports is slow enough."""
    lock = open(args.lock, "w", encoding="utf-8") if args.lock else contextlib.nullcontext()
    with lock:
        if args.lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
        with beside_others(args):
            yield


@contextlib.contextmanager
def beside_others(args):
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(args.busy)]
    if args.first:
        go_first()
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def run_jax(args):
    if not args.gpu:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax
    import jax.numpy as jnp

    def loss(weights, x):
        for w in weights:
            x = jax.nn.relu(x @ w)
        return jnp.mean(x * x)

    @jax.jit
    def train_step(weights, x):
        value, gradients = jax.value_and_grad(loss)(weights, x)
        return [w - 0.01 * g for w, g in zip(weights, gradients)], value

    keys = jax.random.split(jax.random.key(0), LAYERS + 1)
    weights = [jax.random.normal(k, (args.width, args.width)) * 0.05 for k in keys[1:]]
    x = jax.random.normal(keys[0], (BATCH, args.width))
    for _ in range(WARM_UP):
        weights, value = train_step(weights, x)
    value.block_until_ready()
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    with surroundings(args), jax.profiler.trace(args.out, profiler_options=options):
        for step in range(args.steps):
            with jax.profiler.StepTraceAnnotation("train", step_num=step):
                weights, value = train_step(weights, x)
                value.block_until_ready()


def run_tensorflow(args):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
    import tensorflow as tf
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    tf.random.set_seed(0)
    weights = [tf.Variable(tf.random.normal((args.width, args.width)) * 0.05) for _ in range(LAYERS)]
    x = tf.random.normal((BATCH, args.width))

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            y = x
            for w in weights:
                y = tf.nn.relu(y @ w)
            value = tf.reduce_mean(y * y)
        for w, gradient in zip(weights, tape.gradient(value, weights)):
            w.assign_sub(0.01 * gradient)
        return value

    for _ in range(WARM_UP):
        train_step()
    options = tf.profiler.experimental.ProfilerOptions(python_tracer_level=0)
    with surroundings(args), tf.profiler.experimental.Profile(args.out, options):
        for step in range(args.steps):
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                train_step().numpy()


def run_pytorch(args):
    import torch
    from torch.profiler import ProfilerActivity, profile, schedule, tensorboard_trace_handler
    torch.set_num_threads(1)
    torch.manual_seed(0)
    torch.set_default_device("cuda" if args.gpu else "cpu")
    layers = [layer for _ in range(LAYERS) for layer in (torch.nn.Linear(args.width, args.width), torch.nn.ReLU())]
    net = torch.nn.Sequential(*layers)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.randn(BATCH, args.width)
    plan = schedule(wait=1, warmup=WARM_UP, active=args.steps, repeat=1)
    activities = [ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * args.gpu
    write = tensorboard_trace_handler(args.out, worker_name="host_1")
    with surroundings(args), profile(activities=activities, schedule=plan, on_trace_ready=write) as profiler:
        for _ in range(1 + WARM_UP + args.steps):
            optimizer.zero_grad()
            net(x).square().mean().backward()
            optimizer.step()
            profiler.step()


def main():
    args = parse()
    {"jax": run_jax, "tensorflow": run_tensorflow, "pytorch": run_pytorch}[args.program](args)


if __name__ == "__main__":
    main()
