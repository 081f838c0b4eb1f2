"""Capture a JAX CPU training run (small conv net, step annotations) as an xplane logdir.

Needs: jax, optax.
Writes: OUT/plugins/profile/<time>/<host>.{xplane.pb,trace.json.gz} and OUT/memory.prof (gzip'd pprof of the device memory).
"""
import argparse
import os
import time


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('out', help='output directory')
    p.add_argument('--steps', type=int, default=20)
    p.add_argument('--python-tracer-level', type=int, default=0)
    p.add_argument('--host-tracer-level', type=int, default=2)
    return p.parse_args()


def main():
    args = parse()
    import jax
    import jax.numpy as jnp
    import optax

    def conv(x, w):
        return jax.lax.conv_general_dilated(x, w, (2, 2), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))

    def init(key):
        k = jax.random.split(key, 4)
        return dict(c1=jax.random.normal(k[0], (3, 3, 3, 32)) * .1, c2=jax.random.normal(k[1], (3, 3, 32, 64)) * .05,
                    w1=jax.random.normal(k[2], (8 * 8 * 64, 256)) * .02, w2=jax.random.normal(k[3], (256, 10)) * .05)

    def model(p, x):
        with jax.named_scope('stem'):
            x = jax.nn.relu(conv(x, p['c1']))
        with jax.named_scope('block1'):
            x = jax.nn.relu(conv(x, p['c2']))
        x = x.reshape(x.shape[0], -1)
        with jax.named_scope('head'):
            return jax.nn.relu(x @ p['w1']) @ p['w2']

    def loss(p, x, y):
        return optax.softmax_cross_entropy_with_integer_labels(model(p, x), y).mean()

    tx = optax.adam(1e-3)

    @jax.jit
    def train_step(p, s, x, y):
        value, grads = jax.value_and_grad(loss)(p, x, y)
        updates, s = tx.update(grads, s, p)
        return optax.apply_updates(p, updates), s, value

    p = init(jax.random.key(0))
    s = tx.init(p)
    x = jax.random.normal(jax.random.key(1), (64, 32, 32, 3))
    y = jax.random.randint(jax.random.key(2), (64,), 0, 10)
    p, s, value = train_step(p, s, x, y)
    value.block_until_ready()
    opts = jax.profiler.ProfileOptions()
    opts.python_tracer_level = args.python_tracer_level
    opts.host_tracer_level = args.host_tracer_level
    start = time.time()
    with jax.profiler.trace(args.out, profiler_options=opts):
        for i in range(args.steps):
            with jax.profiler.StepTraceAnnotation('train', step_num=i):
                p, s, value = train_step(p, s, x, y)
                value.block_until_ready()
    print('wall', time.time() - start, 'loss', float(value))
    jax.profiler.save_device_memory_profile(os.path.join(args.out, 'memory.prof'))


if __name__ == '__main__':
    main()
