"""A program that trains without end and serves its profiler at a port; a folder's name on standard input has it trace itself into that."""

import select
import sys

import jax
import jax.numpy as jnp

jax.profiler.start_server(int(sys.argv[1]))


@jax.jit
def train_step(x):
    return jnp.tanh(x @ x) + 1


x = train_step(jnp.ones((256, 256)) / 256).block_until_ready()
print("ready", flush=True)
step, traced = 0, 0
while True:
    with jax.profiler.StepTraceAnnotation("train", step_num=step):
        x = train_step(x / 256).block_until_ready()
    step += 1
    if traced and step == traced + 30:
        jax.profiler.stop_trace()
        traced = 0
        print("traced", flush=True)
    # Nothing for some milliseconds, too: the machine is not alone.
    if select.select([sys.stdin], [], [], .005)[0]:
        line = sys.stdin.readline()
        if not line:
            break
        options = jax.profiler.ProfileOptions()
        options.python_tracer_level = 0
        jax.profiler.start_trace(line.strip(), profiler_options=options)
        traced = step
