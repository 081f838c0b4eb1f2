/* Kernels of GPU streams, merged as xprof's kernel_stats does (xplane_to_kernel_stats_db.cc): by name, grid, block,
 * registers, shared memory, tensor cores used, eligible, and framework operation. Events without a launch, or without any
 * time, are no kernels. */
#include "analyze/kernels/kernels.h"

#include "analyze/facts/framework_name.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

double
tp_kernel_occupancy(const struct tp_kernel_row *row)
{
	return isfinite(row->launch.occupancy) ? row->launch.occupancy : row->occupancy.share;
}

double
tp_weighted_mean(const struct tp_weighted *w)
{
	return w->known_ps > 0 ? w->sum / (double)w->known_ps : NAN;
}

void
tp_weighted_add(struct tp_weighted *w, double value, int64_t ps)
{
	/* What took no time that was measured has a mean too, and weighs nothing beside others. */
	int64_t weight = ps > 0 ? ps : 1;

	if (!isfinite(value))
		return;
	w->sum += value * (double)weight;
	w->known_ps = tp_add_ps(w->known_ps, weight);
}

/* What is known of a string that names operations, worked out once. */
struct named {
	bool known, eligible;
	struct tp_slice name, type;
};

/* The tags of one kernel event, by key; 0: none, as id 0 is the empty string. */
struct event {
	uint32_t of[TP_TAG_COUNT];
};

struct collecting {
	const struct tp_profile *p;
	struct tp_map kernels;       /* name → first op of that name */
	uint32_t *kernel_of;         /* by op: that op; TP_NONE: not asked for yet */
	struct named *framework_ops; /* by string: as tf_op or annotation, */
	struct named *hlo_ops;       /* and as hlo_op */
	struct named *told_ops;      /* by op: by what its program's HLO tells */
	struct tp_map groups;        /* key of events that are surely alike → row */
	struct tp_buf rows;
};

/* "scope/MatMul:MatMul#shape=…#::…" → "scope/MatMul", "MatMul". */
static struct named
read_framework(struct tp_slice text)
{
	const char *hash = text.len == 0 ? NULL : memchr(text.ptr, '#', text.len);

	if (hash != NULL)
		text.len = (size_t)(hash - text.ptr);
	struct tp_framework_name f = tp_framework_name(text);
	struct named n = {.known = true, .name = f.name, .type = f.type};

	if (tp_framework_is_wrapper(n.name))
		n.name.len = n.type.len = 0;
	n.eligible = tp_op_tensor_core_eligible(n.name, n.type);
	return n;
}

/* "call.1::fusion.3" → "fusion.3", "fusion". */
static struct named
read_hlo(struct tp_slice text)
{
	struct named n = {.known = true};
	size_t from = text.len;

	while (from > 0 && text.ptr[from - 1] != ':')
		from--;
	n.name = tp_slice_from(text, from);
	n.type = n.name;
	while (n.type.len != 0 &&
		((n.type.ptr[n.type.len - 1] >= '0' && n.type.ptr[n.type.len - 1] <= '9') ||
			n.type.ptr[n.type.len - 1] == '.'))
		n.type.len--;
	n.eligible = tp_op_tensor_core_eligible(n.name, n.type);
	return n;
}

static const struct named *
named(struct collecting *c, struct named *table, uint32_t id, struct named (*read)(struct tp_slice))
{
	static const struct named none = {.known = true};

	if (id == 0 || id >= c->p->strings.count)
		return &none;
	if (!table[id].known)
		table[id] = read(tp_string(&c->p->strings, id));
	return &table[id];
}

static uint32_t
kernel_of(struct collecting *c, uint32_t op)
{
	if (c->kernel_of[op] == TP_NONE) {
		uint64_t key = tp_hash_bytes(c->p->ops[op].name);

		c->kernel_of[op] = tp_map_get(&c->kernels, key);
		if (c->kernel_of[op] == TP_MAP_NONE)
			tp_map_put(&c->kernels, key, c->kernel_of[op] = op);
	}
	return c->kernel_of[op];
}

/* Reads the event's tags from *tag on and leaves it behind them. */
static struct event
read_tags(const struct tp_line *line, uint32_t i, size_t *tag)
{
	struct event e = {0};

	while (*tag < line->tag_count && line->tags[*tag].event < i)
		(*tag)++;
	for (; *tag < line->tag_count && line->tags[*tag].event == i; (*tag)++)
		e.of[line->tags[*tag].key] = (uint32_t)line->tags[*tag].value;
	return e;
}

/* A command buffer replays many instructions: the kernel's name tells which. */
static const struct named *
replayed(struct collecting *c, uint32_t op)
{
	struct named *n = &c->told_ops[op];

	if (!n->known)
		*n = read_framework(c->p->ops[op].framework);
	return n;
}

/* What the kernel worked on, the most telling that is recorded. */
static const struct named *
operation(struct collecting *c, const struct event *e, uint32_t op)
{
	const struct named *n = named(c, c->framework_ops, e->of[TP_TAG_FRAMEWORK], read_framework);

	if (n->name.len == 0)
		n = named(c, c->hlo_ops, e->of[TP_TAG_HLO_OP], read_hlo);
	if (tp_slice_starts(n->name, TP_S("command_buffer")))
		n = replayed(c, op);
	if (n->name.len == 0)
		n = named(c, c->framework_ops, e->of[TP_TAG_ANNOTATION], read_framework);
	return n;
}

/* framework: tells rows apart, as e->of[TP_TAG_FRAMEWORK] does. */
static struct tp_kernel_row *
row_of(struct collecting *c, const struct tp_line *line, uint32_t i, const struct event *e,
	const struct named *op, const struct named *framework)
{
	uint32_t kernel = kernel_of(c, tp_line_op(line, i));
	struct tp_slice name = c->p->ops[kernel].name;
	bool eligible = op->eligible ||
		(e->of[TP_TAG_EQUATION] != 0 &&
			tp_einsum_tensor_core_eligible(tp_string(&c->p->strings, e->of[TP_TAG_EQUATION])));
	uint64_t key = tp_hash_pair(tp_hash_pair(kernel, e->of[TP_TAG_KERNEL]),
		tp_hash_pair(framework->name.len != 0 ? e->of[TP_TAG_FRAMEWORK] : 0, eligible));
	uint32_t index;

	if (!tp_map_number(&c->groups, key, &index))
		return (struct tp_kernel_row *)c->rows.data + index;
	struct tp_kernel_row *row = tp_buf_add(&c->rows, sizeof *row);

	*row = (struct tp_kernel_row){
		.name = name,
		.launch = tp_kernel_launch_read(tp_string(&c->p->strings, e->of[TP_TAG_KERNEL])),
		.framework_op = framework->name,
		.op = op->name,
		.op_type = op->type,
		.tensor_core = tp_kernel_tensor_core(name),
		.device = line->device,
		.min_ps = INT64_MAX,
	};
	row->eligible = eligible || row->tensor_core == TP_TENSOR_CORE_USED;
	return row;
}

/* Rows are kept apart by what xprof keeps them apart by; the operations of a row may still be several. */
static void
note_op(struct tp_kernel_row *row, const struct named *op)
{
	row->several_ops = row->several_ops || !tp_slice_eq(row->op, op->name);
	row->several_types = row->several_types || !tp_slice_eq(row->op_type, op->type);
}

static bool
same_kind(const struct tp_profile *p, uint32_t a, uint32_t b)
{
	const struct tp_device *x = &p->devices[a], *y = &p->devices[b];

	return a == b ||
		(x->compute_major == y->compute_major && x->compute_minor == y->compute_minor &&
			x->sm_count == y->sm_count && tp_slice_eq(x->vendor, y->vendor) &&
			tp_slice_eq(x->type, y->type));
}

static void
add_call(struct collecting *c, const struct tp_line *line, int64_t ps, const struct named *op,
	struct tp_kernel_row *row)
{
	note_op(row, op);
	row->calls++;
	row->total_ps = tp_add_ps(row->total_ps, ps);
	row->min_ps = ps < row->min_ps ? ps : row->min_ps;
	row->max_ps = ps > row->max_ps ? ps : row->max_ps;
	row->kinds_differ = row->kinds_differ || !same_kind(c->p, line->device, row->device);
}

/* A line of the profile that is a stream of a PyTorch trace. */
struct torch_stream {
	const struct tp_torch_trace *trace; /* NULL: the line is no stream of such a trace */
	const struct tp_torch_correlation *links;
	const struct tp_torch_op_call *calls; /* by index in trace->operators */
	const struct tp_torch_gpu *gpu;       /* NULL: the trace does not describe it */
	uint32_t first;                       /* event of the trace that is the line's first */
};

struct torch_kernel {
	uint32_t owner;   /* event of the operator that asked for it; TP_NONE */
	bool no_call;     /* launched before the trace began */
	bool untold;      /* it names no call that launched it */
	bool in_graph;    /* part of a CUDA graph, whose launch started it */
	bool eligible;    /* the operator could use tensor cores */
	double occupancy; /* see torch_gpus.h; NaN: not known */
};

/* By line of the profile; in scratch. NULL: the profile holds no PyTorch trace. */
static const struct torch_stream *
find_streams(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_correlated *linked = tp_result(ctx, &tp_pass_torch_correlation);
	const struct tp_torch_ops *ops = tp_result(ctx, &tp_pass_torch_ops);

	if (p->torch == NULL || linked == NULL || ops == NULL)
		return NULL;
	struct torch_stream *all = tp_new_array(ctx->scratch, struct torch_stream, p->line_count);

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		for (uint32_t l = 0; l < t->lane_count; l++) {
			const struct tp_torch_lane *lane = &t->lanes[l];

			if (lane->kind != TP_TORCH_LANE_STREAM || lane->line >= p->line_count)
				continue;
			all[lane->line] = (struct torch_stream){.trace = t,
				.links = &linked->traces[i],
				.calls = ops->traces[i].calls,
				.gpu = tp_torch_gpu_of(t, lane->gpu),
				.first = lane->first};
		}
	}
	return all;
}

/* What event number `i` of the line is; false: no kernel. */
static bool
read_kernel(const struct torch_stream *s, uint32_t i, struct torch_kernel *out)
{
	const struct tp_torch_trace *t = s->trace;
	uint32_t event = s->first + i, owner = s->links->owner[event];

	if (t->kind[event] != TP_TORCH_KERNEL || t->detail[event] == TP_NONE)
		return false;
	const struct tp_torch_work *w = &t->works[t->detail[event]];

	*out = (struct torch_kernel){
		.owner = owner,
		.no_call = s->links->call[event] == TP_NONE && tp_torch_names_call(t, event),
		.untold = !tp_torch_names_call(t, event),
		.in_graph = w->graph != 0,
		.eligible =
			owner != TP_NONE && t->detail[owner] != TP_NONE && s->calls[t->detail[owner]].eligible,
		.occupancy = NAN,
	};
	if (w->launch != TP_NONE)
		out->occupancy = tp_torch_occupancy(s->gpu, &t->launches[w->launch]);
	return true;
}

/* Kernels of PyTorch: what they worked on is the operator that launched them; any that the trace calls a kernel counts, ROCm's and
 * those without a launch in the trace too. */
static void
collect_torch_line(
	struct collecting *c, const struct tp_line *line, const struct torch_stream *stream)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		struct event e = read_tags(line, i, &tag);
		struct torch_kernel kernel;
		struct named op = {.known = true};

		if (!read_kernel(stream, i, &kernel))
			continue;
		if (kernel.owner != TP_NONE) {
			e.of[TP_TAG_FRAMEWORK] = tp_torch_op(stream->trace, kernel.owner) + 1;
			op.name = op.type = tp_torch_name(c->p, stream->trace, kernel.owner);
			op.eligible = kernel.eligible;
		}
		struct tp_kernel_row *row = row_of(c, line, i, &e, &op, &op);

		add_call(c, line, tp_line_duration_ps(line, i), &op, row);
		row->achieved = true;
		row->no_call += kernel.no_call;
		row->untold += kernel.untold;
		row->graph_calls += kernel.in_graph;
		tp_weighted_add(&row->occupancy_by_time, kernel.occupancy, tp_line_duration_ps(line, i));
	}
}

static void
collect_line(struct collecting *c, const struct tp_line *line)
{
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		struct event e = read_tags(line, i, &tag);
		int64_t ps = tp_line_duration_ps(line, i);

		if (e.of[TP_TAG_KERNEL] == 0 || ps < 1000) /* xprof's clock counts whole nanoseconds */
			continue;
		const struct named *op = operation(c, &e, tp_line_op(line, i));
		const struct named *framework =
			named(c, c->framework_ops, e.of[TP_TAG_FRAMEWORK], read_framework);

		add_call(c, line, ps, op, row_of(c, line, i, &e, op, framework));
	}
}

/* Order of rows that took the same time: xprof's. */
static int
by_key(const struct tp_kernel_row *a, const struct tp_kernel_row *b)
{
	return tp_slice_cmp(a->name, b->name) ?: tp_launch_cmp(&a->launch, &b->launch)
		?: TP_UP(tensor_core) ?: TP_UP(eligible) ?: tp_slice_cmp(a->framework_op, b->framework_op);
}

/* Of equals the one that came first is merged into. */
TP_ORDER(by_row_key, struct tp_kernel_row, by_key(a, b), TP_UP(device));

TP_ORDER(by_time, struct tp_kernel_row, TP_DOWN(total_ps), by_key(a, b));

/* Texts that say the same in other words ("occ_pct" aside) are one row. */
static size_t
merge(const struct tp_profile *p, struct tp_kernel_row *rows, size_t count)
{
	size_t n = 0;

	if (count != 0)
		qsort(rows, count, sizeof *rows, by_row_key);
	for (size_t i = 0; i < count; i++) {
		struct tp_kernel_row *into = n == 0 ? NULL : &rows[n - 1], *row = &rows[i];

		if (into == NULL || by_key(into, row) != 0) {
			rows[n++] = *row;
			continue;
		}
		into->several_ops =
			into->several_ops || row->several_ops || !tp_slice_eq(into->op, row->op);
		into->several_types =
			into->several_types || row->several_types || !tp_slice_eq(into->op_type, row->op_type);
		into->no_call += row->no_call;
		into->untold += row->untold;
		into->graph_calls += row->graph_calls;
		into->occupancy_by_time.sum += row->occupancy_by_time.sum;
		into->occupancy_by_time.known_ps =
			tp_add_ps(into->occupancy_by_time.known_ps, row->occupancy_by_time.known_ps);
		into->calls += row->calls;
		into->total_ps = tp_add_ps(into->total_ps, row->total_ps);
		into->min_ps = row->min_ps < into->min_ps ? row->min_ps : into->min_ps;
		into->max_ps = row->max_ps > into->max_ps ? row->max_ps : into->max_ps;
		into->kinds_differ =
			into->kinds_differ || row->kinds_differ || !same_kind(p, row->device, into->device);
	}
	return n;
}

void
tp_kernels_collect(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	const struct tp_profile *p = ctx->profile;
	const struct torch_stream *torch = find_streams(ctx);
	struct collecting c = {
		.p = p,
		.kernel_of = tp_new_array(ctx->scratch, uint32_t, p->op_count),
		.framework_ops = tp_new_array(ctx->scratch, struct named, p->strings.count),
		.hlo_ops = tp_new_array(ctx->scratch, struct named, p->strings.count),
		.told_ops = tp_new_array(ctx->scratch, struct named, p->op_count),
	};

	memset(c.kernel_of, 0xff, p->op_count * sizeof *c.kernel_of);
	tp_map_init(&c.kernels, ctx->scratch);
	tp_map_init(&c.groups, ctx->scratch);
	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind != TP_LINE_STREAM)
			continue;
		if (torch != NULL && torch[l].trace != NULL)
			collect_torch_line(&c, &p->lines[l], &torch[l]);
		else
			collect_line(&c, &p->lines[l]);
	}
	k->torch = torch != NULL;
	k->count = merge(p, c.rows.data, c.rows.count);
	k->rows = tp_buf_give(&c.rows, k->count, sizeof *k->rows, ctx->keep);
	tp_buf_free(&c.rows);
	qsort(k->rows, k->count, sizeof *k->rows, by_time);
	for (size_t i = 0; i < k->count; i++)
		k->rows[i].short_name = tp_kernel_short_name(k->rows[i].name, ctx->keep);
}

void
tp_kernels_sample_torch(
	const struct tp_pass_ctx *ctx, struct tp_kernels *k, size_t most, struct tp_buf *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct torch_stream *streams = find_streams(ctx);
	size_t step = k->calls / most + 1, at = 0;
	struct tp_map graphs;

	tp_map_init(&graphs, ctx->scratch);
	for (uint32_t l = 0; streams != NULL && l < p->line_count; l++) {
		const struct torch_stream *s = &streams[l];
		struct torch_kernel kernel;

		for (uint32_t i = 0; s->trace != NULL && i < p->lines[l].count; i++) {
			if (!read_kernel(s, i, &kernel))
				continue;
			uint32_t call = s->links->call[s->first + i];

			if (kernel.in_graph) {
				uint64_t id = (uint64_t)s->trace->works[s->trace->detail[s->first + i]].correlation;
				uint64_t key = tp_hash_pair(id, (uint64_t)(uintptr_t)s->trace);
				uint32_t number;

				k->graph_launches += tp_map_number(&graphs, key, &number);
			} else if (call != TP_NONE && tp_torch_duration_ps(s->trace, call) > 0 &&
				at++ % step == 0) {
				TP_PUSH(out, int64_t, tp_torch_duration_ps(s->trace, call));
			}
		}
	}
}
