"""Captures a JAX training loop on a GPU twice, as LOGDIR/{marked,unmarked}.xplane.pb.gz: with step markers, and without. steps.json has
the wall time of each step by the loop's own clock. Needs: jax with a GPU. These are of an NVIDIA H200, jax 0.11.2."""

import gzip
import json
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import jax
import jax.numpy as jnp

SIZES = (1024, 4096, 4096, 4096, 512)
BATCH = 2048


def forward(parameters, x):
    for number, (weights, bias) in enumerate(parameters):
        with jax.named_scope(f"layer_{number}"):
            x = x @ weights + bias
            x = jax.nn.relu(x) if number + 1 < len(parameters) else x
    return x


def loss(parameters, x, y):
    return jnp.mean((forward(parameters, x) - y).astype(jnp.float32) ** 2)


@jax.jit
def train_step(parameters, x, y):
    value, gradients = jax.value_and_grad(loss)(parameters, x, y)
    return jax.tree.map(lambda a, b: a - (1e-3 * b).astype(a.dtype), parameters, gradients), value


def main(logdir):
    key = jax.random.PRNGKey(0)
    parameters = [(jax.random.normal(jax.random.PRNGKey(i), (a, b), jnp.bfloat16) * 0.02, jnp.zeros((b,), jnp.bfloat16))
                  for i, (a, b) in enumerate(zip(SIZES, SIZES[1:]))]
    x = jax.random.normal(key, (BATCH, SIZES[0]), jnp.bfloat16)
    y = jax.random.normal(key, (BATCH, SIZES[-1]), jnp.bfloat16)
    for _ in range(3):
        parameters, value = train_step(parameters, x, y)
    value.block_until_ready()
    steps = {}
    for name in ("marked", "unmarked"):
        steps[name] = []
        with tempfile.TemporaryDirectory() as folder:
            with jax.profiler.trace(folder):
                for number in range(10):
                    start = time.perf_counter()
                    with jax.profiler.StepTraceAnnotation("train", step_num=number) if name == "marked" else nullcontext():
                        parameters, value = train_step(parameters, x, y)
                        value.block_until_ready()
                    steps[name].append((time.perf_counter() - start) * 1e3)
                    if number % 3 == 2:
                        time.sleep(0.004)
            [file] = Path(folder).glob("**/*.xplane.pb")
            Path(logdir, f"{name}.xplane.pb.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    Path(logdir, "steps.json").write_text(json.dumps(steps, indent=1) + "\n", encoding="utf-8")


main(sys.argv[1])
