"""As jax_program.py, of TensorFlow."""

import select
import sys

import tensorflow as tf

tf.profiler.experimental.server.start(int(sys.argv[1]))


@tf.function
def train_step(x):
    return tf.tanh(tf.matmul(x, x)) + 1


data = iter(tf.data.Dataset.range(1 << 40).map(lambda i: tf.ones((128, 128)) / 128).batch(2).prefetch(2))
train_step(next(data))
print("ready", flush=True)
step, traced = 0, 0
while True:
    with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
        train_step(next(data)).numpy()
    step += 1
    if traced and step == traced + 30:
        tf.profiler.experimental.stop()
        traced = 0
        print("traced", flush=True)
    if select.select([sys.stdin], [], [], .005)[0]:
        line = sys.stdin.readline()
        if not line:
            break
        tf.profiler.experimental.start(line.strip())
        traced = step
