"""Capture a TensorFlow 2 CPU training run as an xplane logdir.

MODE slow: from_generator with a sleep and a heavy map (input-bound); fast: cached and prefetched.
HOW  api: GradientTape loop with tf.profiler.experimental and Trace('train'); callback: Keras TensorBoard(profile_batch=(10, 25)).
Needs: tensorflow-cpu, numpy.
Writes: OUT/plugins/profile/... (api) or OUT/train/plugins/profile/... plus an event file (callback).
"""
import argparse
import os
import time


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('out', help='output directory')
    p.add_argument('mode', choices=['slow', 'fast'])
    p.add_argument('how', choices=['api', 'callback'])
    return p.parse_args()


def main():
    args = parse()
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'
    import numpy as np
    import tensorflow as tf
    rng = np.random.default_rng(0)
    batch, steps = 32, 40
    images = rng.normal(size=(steps * batch, 28, 28, 1)).astype('f')
    labels = rng.integers(0, 10, steps * batch)
    if args.mode == 'slow':
        def gen():
            for a, b in zip(images, labels):
                time.sleep(0.001)
                yield a, b

        def augment(a, b):
            for _ in range(4):
                a = tf.image.random_brightness(tf.image.resize(a, (28, 28)), .1)
            return a, b
        spec = (tf.TensorSpec((28, 28, 1), tf.float32), tf.TensorSpec((), tf.int64))
        data = tf.data.Dataset.from_generator(gen, output_signature=spec).map(augment).batch(batch).repeat()
    else:
        data = tf.data.Dataset.from_tensor_slices((images, labels)).map(lambda a, b: (a * 0.5, b), num_parallel_calls=2)
        data = data.batch(batch).cache().repeat().prefetch(tf.data.AUTOTUNE)
    L = tf.keras.layers
    net = tf.keras.Sequential([L.Input((28, 28, 1)), L.Conv2D(32, 3, activation='relu'), L.MaxPool2D(), L.Conv2D(64, 3, activation='relu'),
                               L.Flatten(), L.Dense(128, activation='relu'), L.Dense(10)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    if args.how == 'callback':
        net.compile('adam', loss, metrics=['accuracy'])
        net.fit(data, steps_per_epoch=steps, epochs=1, verbose=0, callbacks=[tf.keras.callbacks.TensorBoard(args.out, profile_batch=(10, 25))])
    else:
        opt = tf.keras.optimizers.Adam()

        @tf.function
        def step(a, b):
            with tf.GradientTape() as tape:
                value = loss(b, net(a, training=True))
            grads = tape.gradient(value, net.trainable_variables)
            opt.apply_gradients(zip(grads, net.trainable_variables))
            return value
        it = iter(data)
        for _ in range(3):
            step(*next(it))
        opts = tf.profiler.experimental.ProfilerOptions(host_tracer_level=2, python_tracer_level=1, device_tracer_level=1)
        tf.profiler.experimental.start(args.out, opts)
        for i in range(20):
            with tf.profiler.experimental.Trace('train', step_num=i, _r=1):
                step(*next(it))
        tf.profiler.experimental.stop()
    print('done', args.mode, args.how)


if __name__ == '__main__':
    main()
