#!/usr/bin/env python3
"""Writes a large but made-up XLA profile of a chosen size, and prints as JSON what a report of it must say.

    make_big_xplane.py OUT [--kind jax-cpu|tpu] [--size MB] [--events N] [--hosts N] [--seed N]

jax-cpu is what JAX on a CPU writes with the Python tracer on: about ten million short nested calls without stats in
150 MB, step markers, XLA:CPU thunks with their stats, and the flows between threads. tpu is what a TPU host writes:
steps, modules and operations on two clocks, with the facts of each operation on its metadata. Both carry their HLO
module. Only the standard library is needed; memory stays small, because each line's events go to a file of their own
until its length is known. The same arguments give the same bytes.

The JSON is worked out from the events as they are made, never by reading the file back.
"""
import argparse
import json
import os
import random
import shutil
import statistics
import struct
import sys
import tempfile

RUN = '2026_01_01_00_00_00'
START_NS = 1_767_225_600_000_000_000
NS, US, MS = 1_000, 1_000_000, 1_000_000_000  # in picoseconds

# ---------------------------------------------------------------------------------------------------------------------
# Protocol buffers: just enough to write them

LAST = [bytes([v]) if v < 128 else bytes([v & 127 | 128, v >> 7]) for v in range(1 << 14)]
MORE = [bytes([v & 127 | 128, v >> 7 | 128]) for v in range(1 << 14)]


def varint(v):
    out = b''
    while v >= 1 << 14:
        out += MORE[v & 16383]
        v >>= 14
    return out + LAST[v]


def number(field, v):
    return varint(field << 3) + varint(v & (1 << 64) - 1)


def block(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def double(field, v):
    return varint(field << 3 | 1) + struct.pack('<d', v)


def packed(field, values):
    return block(field, b''.join(varint(v) for v in values))


# ---------------------------------------------------------------------------------------------------------------------
# XSpace, XPlane, XLine, XEvent

class Line:
    """One line: its events go to a file of their own, in order of their start."""

    def __init__(self, name, line_id, timestamp_ns, scratch):
        self.head = number(1, line_id) + block(2, name) + number(3, timestamp_ns)
        self.tail = block(11, name)
        self.file = tempfile.TemporaryFile(dir=scratch)
        self.size = self.events = 0

    def write(self, encoded, events):
        self.file.write(encoded)
        self.size += len(encoded)
        self.events += events

    def event(self, metadata_id, offset_ps, duration_ps, stats=b''):
        body = b'\x08' + varint(metadata_id) + b'\x10' + varint(offset_ps)
        if duration_ps:
            body += b'\x18' + varint(duration_ps)
        body += stats
        self.write(b'\x22' + varint(len(body)) + body, 1)

    def copy_to(self, out):
        length = len(self.head) + self.size + len(self.tail)
        out.write(varint(3 << 3 | 2) + varint(length) + self.head)
        self.file.seek(0)
        shutil.copyfileobj(self.file, out, 1 << 20)
        out.write(self.tail)
        self.file.close()

    def full_size(self):
        length = len(self.head) + self.size + len(self.tail)
        return 1 + len(varint(length)) + length


class Plane:
    """One plane; metadata gets its ids in the order in which it is first asked for."""

    def __init__(self, name, scratch, plane_id=0):
        self.head = (number(1, plane_id) if plane_id else b'') + block(2, name)
        self.scratch = scratch
        self.lines, self.events, self.stat_names, self.plane_stats = [], {}, {}, []

    def line(self, name, line_id, timestamp_ns=0):
        self.lines.append(Line(name, line_id, timestamp_ns, self.scratch))
        return self.lines[-1]

    def event_id(self, name, display_name='', stats=b''):
        if name not in self.events:
            self.events[name] = (len(self.events) + 1, display_name, stats)
        return self.events[name][0]

    def stat_id(self, name):
        return self.stat_names.setdefault(name, len(self.stat_names) + 1)

    def stat(self, name, value, kind=None, field=4):
        """An XStat as the given field of whatever holds it: 4 in an event, 5 in event metadata, 6 in a plane."""
        if kind == 'uint':
            encoded = number(3, value)
        elif kind == 'ref':
            encoded = number(7, self.stat_id(value))
        elif isinstance(value, float):
            encoded = double(2, value)
        elif isinstance(value, int):
            encoded = number(4, value)
        else:
            encoded = block(6 if isinstance(value, bytes) else 5, value)
        return block(field, number(1, self.stat_id(name)) + encoded)

    def note(self, name, value, kind=None):
        self.plane_stats.append(self.stat(name, value, kind, field=6))

    def tables(self):
        out = []
        for name, (key, display_name, stats) in self.events.items():
            value = number(1, key) + block(2, name) + (block(4, display_name) if display_name else b'') + stats
            out.append(block(4, number(1, key) + block(2, value)))
        for name, key in self.stat_names.items():
            out.append(block(5, number(1, key) + block(2, number(1, key) + block(2, name))))
        return b''.join(out + self.plane_stats)

    def copy_to(self, out):
        tables = self.tables()
        length = len(self.head) + sum(line.full_size() for line in self.lines) + len(tables)
        out.write(varint(1 << 3 | 2) + varint(length) + self.head)
        for line in self.lines:
            line.copy_to(out)
        out.write(tables)


class Space:
    """One file: the planes of one host."""

    def __init__(self, hostname, scratch):
        self.hostname, self.scratch, self.planes = hostname, scratch, []

    def plane(self, name, plane_id=0):
        self.planes.append(Plane(name, self.scratch, plane_id))
        return self.planes[-1]

    def size(self):
        return sum(line.size for plane in self.planes for line in plane.lines)

    def events(self):
        return sum(line.events for plane in self.planes for line in plane.lines)

    def save(self, folder):
        path = os.path.join(folder, self.hostname + '.xplane.pb')
        with open(path, 'wb') as out:
            for plane in self.planes:
                plane.copy_to(out)
            out.write(block(4, self.hostname))
        return {'path': path, 'size_bytes': os.path.getsize(path),
                'lines': sum(len(plane.lines) for plane in self.planes), 'events': self.events()}


def add_environment(space, end_ps):
    plane = space.plane('Task Environment')
    plane.note('profile_start_time', START_NS, 'uint')
    plane.note('profile_stop_time', START_NS + end_ps // NS, 'uint')


# ---------------------------------------------------------------------------------------------------------------------
# HLO: one module whose operations follow each other, each in its own buffer

def hlo_module(name, ops, dims, element_type, element_bytes, tiles=()):
    """The bytes of an HloProto, and the peak of its heap: parameter and result, and two of the other buffers."""
    layout = packed(1, range(len(dims) - 1, -1, -1)) + b''.join(block(6, packed(1, tile)) for tile in tiles)
    shape = number(2, element_type) + packed(3, dims) + block(5, layout) + packed(6, [0] * len(dims))
    size = element_bytes
    for dim in dims:
        size *= dim

    def instruction(text, opcode, key, operand=None, more=b''):
        out = block(1, text) + block(2, opcode) + block(3, shape) + more + number(35, key)
        return out + (packed(36, [operand]) if operand else b'')

    program = block(1, shape) + block(2, shape) + block(3, 'p')

    def computation(text, instructions, key, root, more=b''):
        return block(1, text) + b''.join(block(2, i) for i in instructions) + block(4, program) \
            + number(5, key) + number(6, root) + more

    fused, entry = [], [instruction('p', 'parameter', 1, more=number(9, 0))]
    for k, op in enumerate(ops):
        inner, key = 1_000_000 + 10 * k, k + 2
        fused.append(computation('fused.%d' % k, [instruction('q.%d' % k, 'parameter', inner + 1, more=number(9, 0)),
                                                  instruction('r.%d' % k, 'negate', inner + 2, inner + 1)],
                                 inner, inner + 2, number(7, 1)))
        about = block(7, block(2, op['tf_op']) + block(3, op['file']) + number(4, op['line']))
        entry.append(instruction(op['name'], 'fusion', key, key - 1, about + block(11, 'kLoop') + packed(38, [inner])))
    root = len(ops) + 1
    order = block(1, number(1, 999) + block(2, packed(1, range(1, root + 1))))
    module = block(1, name) + block(2, 'main') + b''.join(block(3, c) for c in fused) \
        + block(3, computation('main', entry, 999, root)) + block(4, program) + number(5, 1) + number(6, 999) \
        + block(7, order)

    def trace(kind, key):
        instruction_name = ops[key - 2]['name']
        return block(1, number(1, kind) + number(2, key) + block(3, 'main') + block(4, instruction_name))

    logical = b''.join(block(1, number(1, k) + number(2, size) + block(3, number(4, k))) for k in range(1, root + 1))
    slots = b''.join(block(9, number(1, k) + number(2, k % 2 * size) + number(3, size)) for k in range(2, root))
    allocations = block(3, number(1, 0) + number(2, size) + number(5, 1) + block(9, number(1, 1) + number(3, size))) \
        + block(3, number(1, 1) + number(2, size) + number(7, 1) + block(9, number(1, root) + number(3, size))) \
        + block(3, number(1, 2) + number(2, 2 * size) + slots)
    heap = b''
    for k in range(2, root):
        heap += trace(0, k) + (trace(1, k - 1) if k > 2 else b'')
    heap += trace(1, root - 1) + number(3, 2)
    return block(1, module) + block(3, logical + allocations + block(4, heap)), 4 * size


def add_module(space, program_id, module):
    plane = space.plane('/host:metadata')
    name = 'jit_train_step(%d)' % program_id
    facts = plane.stat('Hlo Proto', module, field=5) + plane.stat('program_id', program_id, 'uint', 5)
    plane.event_id(name, name, facts)


# ---------------------------------------------------------------------------------------------------------------------
# jax-cpu

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


# ---------------------------------------------------------------------------------------------------------------------
# tpu

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


# ---------------------------------------------------------------------------------------------------------------------

def host_names(count):
    return ['bench-host-%d' % k for k in range(count)]


def step_answers(steps_ps):
    """A step lasts as long as its slowest worker; 'inner' leaves out the first and the last, as xprof does on CPUs."""
    def summary(values):
        return dict(count=len(values), mean=statistics.fmean(values) / MS, min=min(values) / MS, max=max(values) / MS,
                    stdev=statistics.stdev(values) / MS)
    return dict(step_ms=summary(steps_ps), inner_step_ms=summary(steps_ps[1:-1]))


def op_answers(totals):
    order = sorted(totals.items(), key=lambda item: (-item[1][1], item[0]))
    return [dict(name=name, occurrences=count, self_ps=ps) for name, (count, ps) in order]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', help='the log directory to write')
    parser.add_argument('--kind', choices=('jax-cpu', 'tpu'), default='jax-cpu')
    parser.add_argument('--size', type=float, default=150.0, help='MB in all files together (default 150)')
    parser.add_argument('--events', type=int, help='events in all files together, instead of a size')
    parser.add_argument('--hosts', type=int, default=1)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--calls-per-step', type=int, default=20000, help='Python calls a step, jax-cpu only')
    return parser.parse_args()


def main():
    args = parse()
    folder = os.path.join(args.out, 'plugins', 'profile', RUN)
    os.makedirs(folder, exist_ok=True)

    def enough(spaces):
        if args.events:
            return sum(space.events() for space in spaces) >= args.events
        return sum(space.size() for space in spaces) >= args.size * 1e6

    make = {'jax-cpu': make_jax_cpu, 'tpu': make_tpu}[args.kind]
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        spaces, answers = make(args, scratch, enough)
        files = [space.save(folder) for space in spaces]
    json.dump(dict(kind=args.kind, seed=args.seed, files=files, events=sum(f['events'] for f in files),
                   size_bytes=sum(f['size_bytes'] for f in files), **answers), sys.stdout, indent=1)
    print()


if __name__ == '__main__':
    main()
