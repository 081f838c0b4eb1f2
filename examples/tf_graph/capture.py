"""A text classifier in the style of TensorFlow 1, trained on the CPU for 60 steps. Leaves an event file with its graph and a dump of
tfprof, which holds what each node took and which line made it.

    python3 examples/tf_graph/capture.py LOGDIR        (needs tensorflow-cpu)
"""

import os
import sys
from pathlib import Path

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

v1 = tf.compat.v1
WORDS = "the a step waits runs for input device host and never graph loss falls rises again".split()
STEPS, TRACED = 60, (20, 30, 40)


def sentences():
    """Lines of words, and whether "waits" is among them."""
    random = np.random.default_rng(7)
    lines = [" ".join(random.choice(WORDS, 12)) for _ in range(512)]
    return lines, [float("waits" in line) for line in lines]


def batches():
    with tf.name_scope("input"):
        data = tf.data.Dataset.from_tensor_slices(sentences()).repeat().batch(32)
        iterator = v1.data.make_initializable_iterator(data)
        v1.add_to_collection(v1.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
        return iterator.get_next()


def words_of(lines):
    """Numbers of words: strings, which only a host has."""
    with tf.name_scope("words"):
        keys = tf.constant(WORDS)
        table = v1.lookup.StaticHashTable(v1.lookup.KeyValueTensorInitializer(keys, tf.range(len(WORDS))), 0)
        split = v1.string_split(lines)
        return table.lookup(tf.reshape(split.values, [-1, 12]))


def layer(name, values, size, activation=None):
    with v1.variable_scope(name):
        weights = v1.get_variable("weights", [values.shape[-1], size])
        biases = v1.get_variable("biases", [size], initializer=v1.zeros_initializer())
        values = tf.matmul(values, weights) + biases
        return activation(values) if activation else values


def model(words):
    with v1.variable_scope("model"):
        with v1.variable_scope("embedding"):
            vectors = tf.gather(v1.get_variable("vectors", [len(WORDS), 24]), words)
        with v1.variable_scope("conv"):
            kernel = v1.get_variable("kernel", [3, 24, 32])
            pooled = tf.reduce_max(tf.nn.relu(tf.nn.conv1d(vectors, kernel, 1, "SAME")), axis=1)
        return tf.squeeze(layer("out", layer("dense", pooled, 64, tf.nn.relu), 1), axis=1)


def training(logits, labels):
    with tf.name_scope("loss"):
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    with tf.name_scope("accuracy"):
        accuracy = tf.reduce_mean(tf.cast(tf.equal(logits > 0, labels > 0.5), tf.float32))
        with tf.device("/device:CPU:0"):
            checked = v1.py_func(lambda value: np.float32(value), [accuracy], tf.float32, name="python")
    v1.summary.scalar("loss", loss)
    v1.summary.scalar("accuracy", checked)
    step = v1.train.get_or_create_global_step()
    return v1.train.AdamOptimizer(0.005).minimize(loss, global_step=step, name="train")


def main(logdir):
    v1.disable_v2_behavior()
    lines, labels = batches()
    train = training(model(words_of(lines)), labels)
    merged = v1.summary.merge_all()
    v1.train.Saver()
    start = [v1.global_variables_initializer(), v1.tables_initializer()]
    writer = v1.summary.FileWriter(logdir, v1.get_default_graph())
    profiler = v1.profiler.Profiler(v1.get_default_graph())
    with v1.Session() as session:
        session.run(start)
        for step in range(STEPS):
            level, metadata = v1.RunOptions.FULL_TRACE * (step in TRACED), v1.RunMetadata()
            _, summary = session.run([train, merged], options=v1.RunOptions(trace_level=level), run_metadata=metadata)
            writer.add_summary(summary, step)
            if step in TRACED:
                profiler.add_step(step, metadata)
    writer.close()
    Path(logdir, "profile_%d" % TRACED[-1]).write_bytes(profiler.serialize_to_string())


if __name__ == "__main__":
    main(sys.argv[1])
