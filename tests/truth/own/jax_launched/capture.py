"""Captures the same small JAX training loop on a CPU twice, as LOGDIR/{launched,waited}.xplane.pb.gz: with markers that only
launch a step, and with markers that wait for its loss. Needs: jax."""

import gzip
import sys
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp

STEPS = 12


def loss(weights, x, y):
    for w in weights:
        x = jnp.tanh(x @ w)
    return ((x - y) ** 2).mean()


@jax.jit
def train_step(weights, x, y):
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return [w - 0.1 * g for w, g in zip(weights, gradients)], value


def capture(weights, x, y, waits, out):
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder, profiler_options=options):
            for step in range(STEPS):
                with jax.profiler.StepTraceAnnotation("train", step_num=step):
                    weights, value = train_step(weights, x, y)
                    if waits:
                        value.block_until_ready()
            jax.block_until_ready(weights)
        [file] = Path(folder).glob("**/*.xplane.pb")
        out.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))


def main():
    keys = jax.random.split(jax.random.key(0), 5)
    weights = [jax.random.normal(key, (256, 256)) * 0.05 for key in keys[:3]]
    x, y = (jax.random.normal(key, (256, 256)) for key in keys[3:])
    weights, _ = jax.block_until_ready(train_step(weights, x, y))
    for name, waits in (("launched", False), ("waited", True)):
        capture(weights, x, y, waits, Path(sys.argv[1], f"{name}.xplane.pb.gz"))


if __name__ == "__main__":
    main()
