"""What TPU hosts write: steps, modules and operations on two clocks, with the facts of each operation on its metadata."""
import random
import statistics

from big_answers import op_answers, step_answers
from big_hlo import add_module, hlo_module
from big_xspace import LAST, MS, US, Space, add_environment, block, host_names, number, varint

CORES = 4
TICK = 1250  # the chip's clock, in picoseconds
LAYERS = 12
SHAPE = 'bf16[8192,2048]{1,0:T(8,128)(2,1)}'
TPU_PROGRAM = 9223372036854775811


def tpu_op(name, category, us, gflop, mib, where):
    return dict(name=name, category=category, us=us, flops=gflop * 10 ** 9, bytes=mib << 20,
                tf_op='jit(train_step)/jit(main)/%s' % where, file='model.py', line=10 + len(name))


FORWARD = [tpu_op('fusion.1', 'loop fusion', 102, 1, 80, 'layer/norm_1/mul'),
           tpu_op('dot.1', 'convolution fusion', 1500, 206, 150, 'layer/attn/qkv/dot_general'),
           tpu_op('fusion.2', 'loop fusion', 204, 2, 160, 'layer/attn/softmax/exp'),
           tpu_op('dot.2', 'convolution fusion', 498, 68, 70, 'layer/attn/out/dot_general'),
           tpu_op('fusion.3', 'loop fusion', 98, 1, 80, 'layer/norm_2/mul'),
           tpu_op('dot.3', 'convolution fusion', 1990, 274, 190, 'layer/mlp/up/dot_general'),
           tpu_op('fusion.4', 'loop fusion', 409, 4, 320, 'layer/mlp/gelu/tanh'),
           tpu_op('dot.4', 'convolution fusion', 1999, 274, 190, 'layer/mlp/down/dot_general')]
BACKWARD = [tpu_op(op['name'].replace('.', '.b%s.' % half), op['category'], op['us'], op['flops'] // 10 ** 9,
                   op['bytes'] >> 20, 'transpose(layer)' + op['tf_op'][len('jit(train_step)/jit(main)/layer'):] + half)
            for half in ('x', 'w') for op in FORWARD]
UPDATES = [tpu_op('fusion.adam.%d' % k, 'loop fusion', 62 + k, 1, 96, 'adam/update_%d/add' % k) for k in range(24)]
REDUCES = [tpu_op('all-reduce.%d' % k, 'all-reduce', 900 + 100 * k, 0, 128, 'psum_%d' % k) for k in range(4)]
INFEED = tpu_op('infeed', 'infeed', 2300, 0, 64, 'infeed')
WHILES = [tpu_op('while.%d' % k, 'while', 0, 0, 0, 'while') for k in (1, 2)]
TPU_OPS = [INFEED, *WHILES, *FORWARD, *BACKWARD, *REDUCES, *UPDATES]


class Core:
    """One core: its lines, its clock and what it has done."""

    def __init__(self, space, host, ordinal, slow_permille):
        self.host, self.ordinal, self.slow_permille = host, ordinal, slow_permille
        plane = self.plane = space.plane('/device:TPU:%d' % ordinal, 2 + 8 * ordinal)
        details = block(1, space.hostname) + number(2, ordinal) + number(4, ordinal) \
            + number(5, host * CORES + ordinal) + number(6, host * CORES + ordinal)
        plane.note('core_details', details)
        plane.note('device_type_string', 'TPU v5 lite')
        for name, value in (('teraflops_per_second', 197.0), ('hbm_bw_gigabytes_per_second', 819.0),
                            ('vmem_rd_bw_gigabytes_per_second', 19660.8), ('vmem_wr_bw_gigabytes_per_second', 19660.8)):
            plane.note('peak_' + name, value)
        plane.note('has_megacore', 0)
        plane.note('has_merged_vmem', 1)
        self.modules, self.ops, self.async_ops = [plane.line(n, k) for n, k in
                                                  (('XLA Modules', 2), ('XLA Ops', 3), ('Async XLA Ops', 4))]
        self.steps = plane.line('Steps', 1)
        self.clock_heads = [b'\x08' + varint(plane.stat_id(n)) + b'\x18'
                            for n in ('device_offset_ps', 'device_duration_ps')]
        self.ids = {op['name']: plane.event_id(hlo_text(op), op['name'], self.facts(op, k + 1))
                    for k, op in enumerate(TPU_OPS)}
        self.now = 505 * US
        self.infeed_ps, self.step_ps = [], []

    def facts(self, op, symbol):
        access = block(1, number(1, 1) + number(2, 1) + number(3, op['bytes'] * 2 // 3)) \
            + block(1, number(1, 2) + number(2, 1) + number(3, op['bytes'] // 3))
        stats = (('hlo_category', op['category'], None), ('program_id', TPU_PROGRAM, 'uint'),
                 ('symbol_id', symbol, 'uint'), ('flops', op['flops'], None), ('model_flops', op['flops'], None),
                 ('bytes_accessed', op['bytes'], None), ('memory_access_breakdown', access, None),
                 ('source', '%s:%d' % (op['file'], op['line']), None), ('raw_bytes_accessed', op['bytes'], None),
                 ('shape_with_layout', SHAPE, None), ('tf_op', op['tf_op'] + ':', None))
        return b''.join(self.plane.stat(*stat, field=5) for stat in stats)

    def event(self, line, key, at_ps, duration_ps, stats=b''):
        """An event with its second clock, which runs here as the first does."""
        offset, duration = varint(at_ps), varint(duration_ps)
        first, second = self.clock_heads
        body = b'\x08' + varint(key) + b'\x10' + offset + b'\x18' + duration \
            + b'\x22' + LAST[len(first) + len(offset)] + first + offset \
            + b'\x22' + LAST[len(second) + len(duration)] + second + duration + stats
        line.write(b'\x22' + varint(len(body)) + body, 1)


def hlo_text(op):
    return '%%%s = %s %s(%s %%p)' % (op['name'], SHAPE, op['name'].split('.')[0], SHAPE)


class Pod:
    """All cores of all hosts, which run in step: an all-reduce ends on all of them at once."""

    def __init__(self, args, scratch):
        self.random = random.Random(args.seed)
        self.jitter = [990 + self.random.randrange(21) for _ in range(8192)]
        self.draw = 0
        self.spaces = [Space(name, scratch) for name in host_names(args.hosts)]
        self.cores = []
        for host, space in enumerate(self.spaces):
            for ordinal in range(CORES):
                last = host == args.hosts - 1 and ordinal == CORES - 1
                self.cores.append(Core(space, host, ordinal, 1030 if last else 1000))
        self.totals = {op['name']: [0, 0] for op in TPU_OPS}
        self.hosts = [TpuHost(space) for space in self.spaces]
        self.busy_ps = 0

    def duration(self, core, op):
        self.draw = (self.draw + 1) & 8191
        return op['us'] * self.jitter[self.draw] * core.slow_permille // TICK * TICK

    def run_op(self, core, op, duration, stats=b''):
        core.event(core.ops, core.ids[op['name']], core.now, duration, stats)
        self.count(op, duration)
        core.now += duration

    def count(self, op, self_ps):
        total = self.totals[op['name']]
        total[0] += 1
        total[1] += self_ps
        self.busy_ps += self_ps

    def run_loop(self, core, op, body):
        """A while: each operation of its body once a layer, with a short gap between layers that is its own time."""
        ops = [(inner, self.duration(core, inner)) for _ in range(LAYERS) for inner in body]
        own = (LAYERS + 1) * 2 * TICK
        core.event(core.ops, core.ids[op['name']], core.now, own + sum(duration for _, duration in ops))
        self.count(op, own)
        core.now += 2 * TICK
        for k, (inner, duration) in enumerate(ops):
            self.run_op(core, inner, duration)
            if (k + 1) % len(body) == 0:
                core.now += 2 * TICK

    def step(self, number_of_step):
        starts = [core.now for core in self.cores]
        for core in self.cores:
            core.now += 2_400_000 * TICK
            wait = self.duration(core, INFEED)
            core.infeed_ps.append(wait)
            self.run_op(core, INFEED, wait)
            self.run_loop(core, WHILES[0], FORWARD)
            self.run_loop(core, WHILES[1], BACKWARD)
        for k, reduce in enumerate(REDUCES):
            end = max(core.now for core in self.cores) + self.duration(self.cores[0], reduce)
            for core in self.cores:
                core.async_ops.event(core.ids[reduce['name']], core.now, end - core.now,
                                     core.plane.stat('hlo_op', reduce['name']) + core.plane.stat('id', k, 'uint'))
                same = core.plane.stat('all_reduce_unique_id', len(REDUCES) * number_of_step + k + 1)
                self.run_op(core, reduce, end - core.now, same)
                for update in UPDATES[6 * k:6 * k + 6]:
                    self.run_op(core, update, self.duration(core, update))
        for core, start in zip(self.cores, starts):
            core.step_ps.append(core.now - start)
            name = 'jit_train_step(%d)' % TPU_PROGRAM
            run = core.plane.stat('run_id', number_of_step + 1, 'uint') + core.plane.stat('queue_id', 0, 'uint')
            core.event(core.modules, core.plane.event_id(name, name), start, core.now - start, run)
            core.event(core.steps, core.plane.event_id(str(number_of_step)), start, core.now - start)
            core.now += 4000 * TICK
        for host, begin in zip(self.hosts, starts[::CORES]):
            host.step(number_of_step, begin)


class TpuHost:
    """The host plane: what launches, what feeds, and an allocator that takes and gives back."""

    def __init__(self, space):
        self.plane = space.plane('/host:CPU')
        self.plane.note('matrix_unit_utilization_percent', 61.5)
        self.plane.note('hbm_utilization_percent', 20.25)
        self.main = self.plane.line('main/4000', 4000, 212990)
        self.feed = self.plane.line('tf_data_private_threadpool/4001', 4001, 212990)
        self.memory = self.plane.line('tf_Compute/4002', 4002, 212990)
        self.in_use = self.peak = 0

    def step(self, number_of_step, at_ps):
        stat, key = self.plane.stat, self.plane.event_id
        self.main.event(key('TpuExecutable::Execute'), at_ps, 40 * MS,
                        stat('run_id', number_of_step + 1) + stat('queue_id', 0) + stat('device_ordinal', 0))
        for k, name in enumerate(('Iterator::Root::Prefetch', 'Iterator::Root::Prefetch::ParallelMapV2',
                                  'Iterator::Root::Prefetch::ParallelMapV2::TFRecord')):
            self.feed.event(key(name), at_ps + k * 100 * US, (3 - k) * MS,
                            stat('step_id', 7 + k) + stat('parent_id', 6 + k) + stat('id', 7 + k))
        self.feed.event(key('InfeedEnqueue'), at_ps + 4 * MS, MS)
        sizes = [((k * 37 + number_of_step * 11) % 64 + 1) << 20 for k in range(4)]
        for k, size in enumerate(sizes):
            self.allocation('MemoryAllocation', at_ps + (1 + k) * MS, size, k)
        for k, size in enumerate(sizes):
            self.allocation('MemoryDeallocation', at_ps + (11 + k) * MS, -size, k)

    def allocation(self, name, at_ps, size, slot):
        self.in_use += size
        self.peak = max(self.peak, self.in_use)
        stat = self.plane.stat
        self.memory.event(self.plane.event_id(name), at_ps, 0, b''.join((
            stat('allocator_name', 'device_0', 'ref'), stat('bytes_reserved', 0), stat('bytes_allocated', self.in_use),
            stat('bytes_available', (16 << 30) - self.in_use), stat('fragmentation', 0.125),
            stat('peak_bytes_in_use', self.peak), stat('requested_bytes', abs(size)),
            stat('allocation_bytes', abs(size)), stat('addr', 1 << 32 | slot << 28),
            stat('tf_op', 'train/buffer_%d' % slot, 'ref'), stat('region_type', 'temp', 'ref'), stat('data_type', 1),
            stat('shape', '[%d,1048576]' % (abs(size) >> 20), 'ref'))))


def make_tpu(args, scratch, enough):
    pod = Pod(args, scratch)
    count = 0
    while count < 8 or not enough(pod.spaces):
        pod.step(count)
        count += 1
    entry = [INFEED, *FORWARD, *BACKWARD, *REDUCES, *UPDATES]
    module, heap_peak_bytes = hlo_module('jit_train_step', entry, (8192, 2048), 16, 2, ((8, 128), (2, 1)))
    end = max(core.now for core in pod.cores)
    for space in pod.spaces:
        add_module(space, TPU_PROGRAM, module)
        add_environment(space, end)
    longest = [max(core.step_ps[k] for core in pod.cores) for k in range(count)]
    infeed = [max(core.infeed_ps[k] for core in pod.cores) for k in range(count)]
    # From the first step's begin to the last step's end, on each core.
    total = sum(core.now - 4000 * TICK - 505 * US for core in pod.cores)
    flops = sum(pod.totals[op['name']][0] * op['flops'] for op in TPU_OPS)
    answers = dict(step_answers(longest), cores=len(pod.cores), infeed_ms_mean=statistics.fmean(infeed) / MS,
                   device_idle_percent=100 * (1 - pod.busy_ps / total), total_flops=flops,
                   slowest_core=len(pod.cores) - 1, memory_peak_bytes=pod.hosts[0].peak,
                   heap_peak_bytes=heap_peak_bytes, ops=op_answers(pod.totals))
    return pod.spaces, answers
