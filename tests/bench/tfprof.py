#!/usr/bin/env python3
"""Runs tpreport tfprof beside TensorFlow's own profiler on one large dump, in turn, and prints medians as Markdown: the op view, ordered by time.

    tfprof.py --peer PYTHON [--tpreport BIN] [--dump FILE] [--nodes N] [--runs N]

PYTHON: of a virtual environment with tensorflow (or tensorflow-cpu). The dump is made by TensorFlow's profiler where FILE is missing; 200,000
nodes are 132 MB. Time is CPU time (user and system) of the process, for other programs may run; of the peer without its import. Peak memory is
that of the whole process; beside it, that of the peer without what it had after its import. The rows of both must be the same.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OPS = ['MatMul', 'Conv2D', 'Add', 'Relu', 'Mul', 'Const', 'Identity', 'VariableV2', 'BiasAdd', 'Softmax'] + [f'Op{i:03}' for i in range(90)]
SELECT = ['micros', 'bytes', 'occurrence', 'float_ops', 'params']


def frames(i):
    return [('/app/main.py', '<module>', 10), ('/app/train.py', 'train', 20 + i % 3), ('/app/model.py', f'block_{i // 5000}', 100 + i // 5000),
            ('/app/layers.py', 'layer', 200 + i // 25 % 200), ('/usr/lib/tf/ops.py', 'apply_op', 300 + i % 10)]


def add_entry(log, ids, i, node):
    """What a log says of a node: where it was made, what it computes, whether it is trained."""
    def number(text):
        if text not in ids:
            ids[text] = len(ids)
            log.id_to_string[ids[text]] = text
        return ids[text]
    entry = log.log_entries.add(name=node.name)
    if node.op in ('MatMul', 'Conv2D'):
        entry.float_ops = 1000 + i
    if node.op == 'VariableV2':
        entry.types.append('_trainable_variables')
    for file, function, line in frames(i):
        entry.code_def.traces.add(file_id=number(file), function_id=number(function), lineno=line, line_id=number(f'line {line}'), func_start_line=1)


def make_graph(count):
    from tensorflow.core.framework import graph_pb2
    from tensorflow.core.profiler import tfprof_log_pb2
    graph, log, ids = graph_pb2.GraphDef(), tfprof_log_pb2.OpLogProto(), {}
    for i in range(count):
        op = OPS[i * 7919 % len(OPS) if i % 3 else i % 10]
        node = graph.node.add(name=f'model/block_{i // 5000}/layer_{i // 250 % 20}/unit_{i // 25 % 10}/op_{i}', op=op)
        inputs = ([i - 1 if i % 50 else i // 2] if i else []) + ([i - 7] if i > 10 and i % 2 else [])
        node.input.extend(graph.node[k].name for k in inputs)
        shapes = [node.attr['_output_shapes'].list.shape.add()] + ([node.attr['shape'].shape] if op == 'VariableV2' else [])
        for shape in shapes:
            shape.dim.add().size = 32
            shape.dim.add().size = 1 + i % 128
        add_entry(log, ids, i, node)
    return graph, log


def make_run(graph, step):
    from tensorflow.core.protobuf import config_pb2
    meta = config_pb2.RunMetadata()
    device = meta.step_stats.dev_stats.add(device='/job:localhost/replica:0/task:0/device:CPU:0')
    for i, node in enumerate(graph.node):
        if node.op == 'Const':
            continue
        took, size = 1 + (i * 31 + step) % 97, 64 * (1 + i % 64)
        stats = device.node_stats.add(node_name=node.name, all_start_micros=1600000000000000 + step * 10**7 + i * 3,
                                      op_end_rel_micros=took, all_end_rel_micros=took + 1)
        stats.memory.add(allocator_name='cpu', total_bytes=2 * size, peak_bytes=size, live_bytes=size)
        stats.output.add().tensor_description.allocation_description.requested_bytes = size
    return meta


def make(path, count):
    """In the peer's Python."""
    from tensorflow.python.util import _pywrap_tfprof as tfprof
    graph, log = make_graph(count)
    tfprof.NewProfiler(graph.SerializeToString(), log.SerializeToString())
    for step in (0, 1):
        tfprof.AddStep(step, graph.SerializeToString(), make_run(graph, step).SerializeToString(), log.SerializeToString())
    tfprof.WriteProfile(path.encode())
    tfprof.DeleteProfiler()


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def view(path, out):
    """In the peer's Python: CPU seconds and peaks of the one view, without and with what the import took."""
    import tensorflow
    from tensorflow.core.profiler import tfprof_options_pb2
    from tensorflow.python.util import _pywrap_tfprof as tfprof
    before_s, before_mb = used()
    options = tfprof_options_pb2.OptionsProto(max_depth=100, step=-1, order_by='micros', select=SELECT, output=f'file:outfile={out}',
                                              account_type_regexes=['.*'], start_name_regexes=['.*'], show_name_regexes=['.*'])
    tfprof.ProfilerFromFile(path.encode())
    tfprof.Profile(b'op', options.SerializeToString())
    after_s, after_mb = used()
    print(tensorflow.__version__, after_s - before_s, after_mb, after_mb - before_mb)


def ours(tpreport, dump, out):
    command = [tpreport, 'tfprof', '--profile_path', dump, 'op', '-max_depth', '100', '-order_by', 'micros', '-select', ','.join(SELECT)]
    with open(out, 'wb') as file:
        process = subprocess.Popen(command, stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status != 0:
        sys.exit(f'tpreport failed: {status}')
    # A child begins with this process's own peak, which is small.
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def theirs(peer, dump, out):
    done = subprocess.run([peer, __file__, '--view', dump, out], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    version, *numbers = done.stdout.split()
    return version, [float(number) for number in numbers]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--peer')
    parser.add_argument('--tpreport', default=str(Path(__file__).resolve().parents[2] / 'build/release/tpreport'))
    parser.add_argument('--dump', default='/tmp/tpreport-bench/tfprof/profile_1')
    parser.add_argument('--nodes', type=int, default=200000)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--make', action='store_true', help=argparse.SUPPRESS)
    parser.add_argument('--view', nargs=2, help=argparse.SUPPRESS)
    return parser.parse_args()


def compare(args):
    if not os.path.exists(args.dump):
        os.makedirs(os.path.dirname(os.path.abspath(args.dump)), exist_ok=True)
        subprocess.run([args.peer, __file__, '--make', '--dump', args.dump, '--nodes', str(args.nodes)], stderr=subprocess.DEVNULL, check=True)
    our, their = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(args.runs):
            our.append(ours(args.tpreport, args.dump, f'{folder}/ours'))
            version, numbers = theirs(args.peer, args.dump, f'{folder}/theirs')
            their.append(numbers)
        rows = [sorted(Path(folder, name).read_text(encoding='utf-8').split('Profile:\n')[1].split('\n')) for name in ('ours', 'theirs')]
    if [row.split('(')[0] for row in rows[0]] != [row.split('(')[0] for row in rows[1]]:
        sys.exit('the two do not say the same')
    cpu_s, peak_mb = (statistics.median(column) for column in zip(*our))
    their_s, their_mb, their_own_mb = (statistics.median(column) for column in zip(*their))
    print(f'{os.path.getsize(args.dump) / 1e6:.0f} MB, TensorFlow {version}, medians of {args.runs}:\n')
    print('| tpreport, CPU | TensorFlow, CPU | ratio | peak | TensorFlow | ratio | TensorFlow, without its import | ratio |')
    print('|---:|---:|---:|---:|---:|---:|---:|---:|')
    print(f'| {cpu_s:.2f} s | {their_s:.1f} s | {their_s / cpu_s:.0f}× | {peak_mb:.0f} MB | {their_mb:.0f} MB | {their_mb / peak_mb:.0f}× '
          f'| {their_own_mb:.0f} MB | {their_own_mb / peak_mb:.0f}× |')


def main():
    args = parse()
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    if args.make:
        make(args.dump, args.nodes)
    elif args.view:
        view(*args.view)
    elif args.peer:
        compare(args)
    else:
        sys.exit('--peer: a Python with tensorflow')


if __name__ == '__main__':
    main()
