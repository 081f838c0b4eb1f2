"""What JAX on a CPU writes with the Python tracer on: short nested calls, thunks with their stats, flows between threads."""
import random

from big_answers import op_answers, step_answers
from big_hlo import add_module, hlo_module
from big_xspace import NS, US, Line, Space, add_environment, host_names, varint

THUNK_KINDS = ('ynn_fusion', 'transpose_copy_fusion', 'multiply_add_fusion', 'broadcast_maximum_fusion',
               'bitcast_select_fusion', 'convert_power_fusion', 'wrapped_broadcast', 'concatenate_bitcast_fusion')
THUNKS = [dict(name=kind + ('.%d' % n if n else ''), us=(700, 90, 25, 60, 12, 3, 8, 3)[k] * (10 + n) // 10,
               tf_op='jit(train_step)/layer_%d/%s' % (n, kind), file='model.py', line=40 + n)
          for n in range(6) for k, kind in enumerate(THUNK_KINDS)]
PROGRAM_ID = 42
CPU_RUNTIME = 'external/xla/xla/backends/cpu/runtime/'
ROW_PATTERNS = 256
FILTERS = ['$filters.py:%d %s' % (30 + 7 * k, verb + noun) for k, (verb, noun) in enumerate(
    (verb, noun) for verb in ('scale', 'rotate', 'crop', 'shift', 'blur', 'shear')
    for noun in ('', '_rows', '_columns', '_channels', '_window', '_mask'))]


class CpuHost:
    """One host of the jax-cpu kind: a Python thread, a client thread and a pool of two."""

    def __init__(self, hostname, seed, scratch):
        self.random = random.Random(seed)
        self.space = Space(hostname, scratch)
        module, self.heap_peak_bytes = hlo_module('jit_train_step', THUNKS, (64, 112, 112), 11, 4)
        add_module(self.space, PROGRAM_ID, module)
        self.plane = self.space.plane('/host:CPU')
        self.plane.note('process_id', 4242)
        self.python = self.plane.line('python', 8600913269508658830, 6568)
        self.client = self.plane.line('tf_XLAPjRtCpuClient/2463727230691896162', 2463727230691896162, 6568)
        self.pool = [self.plane.line('tf_XLAEigen/%d' % k, k, 6568) for k in (271746036612765667, 4696376152885291556)]
        self.flow = self.listener = 0
        self.now = 30 * US
        self.steps_ps, self.calls = [], 0
        self.thunk_totals = {op['name']: [0, 0] for op in THUNKS}
        self.rows = [self.row_pattern() for _ in range(ROW_PATTERNS)]

    def encoded_call(self, name, duration_ps):
        """What surrounds the offset of a call: the bytes before it, by the offset's length, and those after."""
        before = b'\x08' + varint(self.plane.event_id(name)) + b'\x10'
        after = b'\x18' + varint(duration_ps)
        lead = tuple(b'\x22' + varint(len(before) + n + len(after)) + before for n in range(11))
        return lead, after

    def row_pattern(self):
        """The calls of one augment(row), relative to its start: twenty times a filter, which calls clip()."""
        ns, calls = 800, []
        for _ in range(20):
            name = self.random.choice(FILTERS)
            inner = self.random.randrange(90, 420)
            outer = inner + self.random.randrange(350, 600)
            calls.append((ns * NS, *self.encoded_call(name, outer * NS)))
            calls.append((ns * NS + 300 * NS, *self.encoded_call('$augment.py:27 clip', inner * NS)))
            ns += outer + self.random.randrange(60, 160)
        return ns * NS, [(0, *self.encoded_call('$augment.py:35 augment', ns * NS))] + calls

    def encode_rows(self, at_ps, count):
        out, rows, bits = [], self.rows, self.random.getrandbits
        for _ in range(count):
            duration, calls = rows[bits(8)]
            for offset, lead, after in calls:
                encoded = varint(at_ps + offset)
                out.append(lead[len(encoded)] + encoded + after)
            at_ps += duration + 150 * NS
        self.calls += len(out)
        return b''.join(out), len(out), at_ps + 8 * US

    def source(self, name):
        return self.plane.stat('_src', CPU_RUNTIME + name, 'ref')

    def flow_stats(self, kind, key, role):
        return self.plane.stat('_%st' % role, kind) + self.plane.stat('_' + role, key)

    def start_region(self, line, at_ps, listener):
        line.event(self.plane.event_id('ThreadpoolListener::StartRegion'), at_ps, 0,
                   self.flow_stats(15, listener, 'c') + self.source('threadpool_listener.cc'))

    def stop_region(self, line, at_ps):
        line.event(self.plane.event_id('ThreadpoolListener::StopRegion'), at_ps, 0,
                   self.source('threadpool_listener.cc'))

    def thunk(self, line, op, at_ps, run_id):
        duration = op['us'] * self.random.randrange(900, 1300) * NS
        self.flow += 1
        stats = self.plane.stat('hlo_op', op['name'], 'ref') + self.plane.stat('hlo_module', 'jit_train_step', 'ref') \
            + self.plane.stat('program_id', PROGRAM_ID) + self.plane.stat('run_id', run_id) \
            + self.plane.stat('device_ordinal', 0) + self.source('thunk.cc') \
            + self.flow_stats(0, self.flow, 'p') + self.source('thunk_executor.cc')
        line.event(self.plane.event_id(op['name']), at_ps, duration, stats)
        line.event(self.plane.event_id('end: ' + op['name']), at_ps + duration, 400 * NS,
                   self.flow_stats(0, self.flow, 'c') + self.source('thunk_executor.cc'))
        self.thunk_totals[op['name']][0] += 1
        self.thunk_totals[op['name']][1] += duration
        return at_ps + duration + 2 * US

    def execute(self, at_ps, run_id):
        """The thunks of one step: most on the client's thread, the rest in the pool. Returns when all is done."""
        ends = []
        main, handed = THUNKS[:32], (THUNKS[32:40], THUNKS[40:])
        now = at_ps
        for line, part in [(self.client, main)] + list(zip(self.pool, handed)):
            self.listener += 1
            self.python.event(self.plane.event_id('ThreadpoolListener::Record'), now, 0,
                              self.flow_stats(15, self.listener, 'p') + self.source('threadpool_listener.cc'))
            now += 4 * US
            begin = at_ps + 40 * US
            self.start_region(line, begin, self.listener)
            end = begin + 3 * US
            for op in part:
                end = self.thunk(line, op, end, run_id)
            self.stop_region(line, end)
            ends.append(end)
        return max(ends)

    def step(self, number_of_step, rows):
        start = self.now
        begin = start + 9 * US
        body, calls, end = self.encode_rows(begin + 12 * US, rows)
        dispatch = end + 30 * US
        head = self.python.size, self.python.events
        # The marker goes before its children, so what follows it is written first to a line of its own.
        python, self.python = self.python, Line('', 0, 0, self.space.scratch)
        call = self.plane.event_id
        self.python.event(call('load_batch'), begin, end - begin)
        self.python.event(call('$train.py:44 load_batch'), begin + 4 * US, end - begin - 6 * US)
        self.python.event(call('$train.py:45 <listcomp>'), begin + 6 * US, end - begin - 10 * US)
        self.python.write(body, calls)
        self.python.event(call('PjitFunction(train_step)'), dispatch, 260 * US)
        self.python.event(call('$pjit.py:292 cache_miss'), dispatch + 2 * US, 255 * US)
        self.python.event(call('ParseArguments'), dispatch + 20 * US, 28 * US)
        self.python.event(call('CommonPjRtLoadedExecutable::ExecuteHelperOnSingleDevice'), dispatch + 60 * US, 90 * US)
        done = self.execute(dispatch + 70 * US, -48899218 - number_of_step)
        for k in range(18):
            self.python.event(call('Wait for donation holds'), dispatch + (160 + 4 * k) * US, 60 * NS)
            self.python.event(call('Wait for usage holds'), dispatch + (162 + 4 * k) * US, 35 * NS)
        self.flow += 1
        self.python.event(call('CommonPjRtBuffer::Await'), dispatch + 270 * US, 500 * NS,
                          self.flow_stats(0, self.flow, 'p') + self.source('common_pjrt_client.cc'))
        done = max(done, dispatch + 290 * US) + 20 * US
        self.python.event(call('CommonPjRtBuffer::Await'), done, 1300 * NS,
                          self.flow_stats(0, self.flow, 'c') + self.source('common_pjrt_client.cc'))
        inner, self.python = self.python, python
        finish = done + 15 * US
        assert head == (python.size, python.events)
        python.event(call('train'), start, finish - start,
                     self.plane.stat('_r', 1) + self.plane.stat('step_num', number_of_step))
        inner.file.seek(0)
        python.write(inner.file.read(), inner.events)
        inner.file.close()
        self.steps_ps.append(finish - start)
        self.now = finish + self.random.randrange(20, 90) * US


def make_jax_cpu(args, scratch, enough):
    hosts = [CpuHost(name, args.seed * 1009 + k, scratch) for k, name in enumerate(host_names(args.hosts))]
    rows = max(1, args.calls_per_step // 41)
    count = 0
    while count < 8 or not enough([host.space for host in hosts]):
        for host in hosts:
            host.step(count, rows)
        count += 1
    for host in hosts:
        add_environment(host.space, host.now)
    totals = {}
    for host in hosts:
        for name, (occurrences, ps) in host.thunk_totals.items():
            seen = totals.setdefault(name, [0, 0])
            seen[0] += occurrences
            seen[1] += ps
    longest = [max(host.steps_ps[k] for host in hosts) for k in range(count)]
    answers = dict(step_answers(longest), python_calls=sum(host.calls for host in hosts),
                   heap_peak_bytes=hosts[0].heap_peak_bytes, ops=op_answers(totals))
    return [host.space for host in hosts], answers
