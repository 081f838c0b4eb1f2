/* Operations by category and by the operation of the framework that they came from, and what they are together. Nested time is
 * counted once: the root figure of xprof's op profile divides by the total times of loops and of their bodies both. */
#include "analyze/ops/ops.h"
#include "analyze/core/pass.h"

#include "analyze/core/lack_words.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/framework_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/ops_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "base/saturate.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

TP_ORDER(by_category, struct tp_op_total, tp_slice_cmp(a->category, b->category), TP_DOWN(self_ps),
	tp_slice_cmp(a->op->label, b->op->label));

TP_ORDER(by_self, struct tp_category_total, TP_DOWN(self_ps), tp_slice_cmp(a->name, b->name));

/* Groups sorted operations, then puts categories, and their operations with them, in order of self time. */
static void
group(const struct tp_pass_ctx *ctx, struct tp_op_total *sorted, size_t count, struct tp_ops *out)
{
	out->categories = tp_new_array(ctx->keep, struct tp_category_total, count);
	for (size_t i = 0; i < count; i++) {
		const struct tp_op_total *t = &sorted[i];

		if (i == 0 || !tp_slice_eq(sorted[i - 1].category, t->category))
			out->categories[out->category_count++] =
				(struct tp_category_total){.name = t->category, .hue = t->hue, .first = i};
		struct tp_category_total *c = &out->categories[out->category_count - 1];

		c->count++;
		c->self_ps = tp_add_ps(c->self_ps, t->self_ps);
	}
	qsort(out->categories, out->category_count, sizeof *out->categories, by_self);
	out->ops = tp_new_array(ctx->keep, struct tp_op_total, count);
	for (size_t c = 0; c < out->category_count; c++) {
		struct tp_category_total *category = &out->categories[c];

		memcpy(out->ops + out->count, sorted + category->first, category->count * sizeof *sorted);
		category->first = out->count;
		out->count += category->count;
	}
}

static void
sum_up(struct tp_ops *o)
{
	o->wasted_ps = NAN;
	for (size_t i = 0; i < o->count; i++) {
		const struct tp_op_total *t = &o->ops[i];

		o->has_costs |= t->has_costs;
		o->has_flops |= t->has_flops;
		if (isfinite(t->wasted_ps))
			o->wasted_ps = t->wasted_ps + (isfinite(o->wasted_ps) ? o->wasted_ps : 0);
		o->busy_ps = tp_add_ps(o->busy_ps, t->self_ps);
		o->flops = tp_plus(o->flops, t->amount[TP_PEAK_FLOP]);
		o->hbm_bytes = tp_plus(o->hbm_bytes, t->amount[TP_PEAK_HBM]);
		if (!t->left_out && (o->ops[o->top].left_out || t->self_ps > o->ops[o->top].self_ps))
			o->top = i;
		if (t->hue == TP_HUE_MEMORY)
			o->copy_ps = tp_add_ps(o->copy_ps, t->self_ps);
		if (t->hue != TP_HUE_COMPUTE && t->hue != TP_HUE_HOST)
			continue;
		o->compute_ps = tp_add_ps(o->compute_ps, t->self_ps);
		o->half_ps = tp_add_ps(o->half_ps, t->half ? t->self_ps : 0);
	}
}

/* The framework's operations, by the rule of xprof's CreateTfMetricsDbFromDeviceOpMetricsDb: times and costs are sums, occurrences
 * those of the device operation that occurs most often, for several of them make up one call of the framework's operation. */
struct summing {
	const struct tp_pass_ctx *ctx;
	struct tp_map index;  /* name → total */
	struct tp_buf totals; /* of struct tp_framework_total */
};

/* The total of the operation that text names; label: its name where that is none. */
static struct tp_framework_total *
total_of(struct summing *s, struct tp_slice text, struct tp_slice label)
{
	struct tp_framework_name n = text.len != 0
		? tp_framework_name(text)
		: (struct tp_framework_name){TP_FAMILY_NONE, label, {NULL, 0}};

	if (n.name.len == 0) /* ":", ":MatMul" */
		n.name = label;
	uint32_t at;

	if (tp_map_number(&s->index, tp_hash_bytes(n.name), &at))
		TP_PUSH(&s->totals, struct tp_framework_total, .name = n.name,
			.type = n.type.len != 0 ? n.type : TP_S(TP_OP_NO_TYPE));
	return (struct tp_framework_total *)s->totals.data + at;
}

static void
add_op(struct tp_framework_total *f, const struct tp_op_total *t)
{
	uint64_t most = f->sums.occurrences > t->occurrences ? f->sums.occurrences : t->occurrences;

	/* The colour of the first, which is that with the most time. */
	if (f->sums.occurrences == 0)
		f->sums.hue = t->hue;
	tp_op_add(&f->sums, t);
	f->sums.occurrences = most;
}

/* What a kernel or copy worked on: a GPU's event says it, for a kernel serves many operations. Old profiles write it with
 * shapes behind: "scope/Mul:Mul#shape=(half[8])#". */
static struct tp_slice
framework_of_event(
	const struct tp_profile *p, const struct tp_line *line, size_t *tag, uint32_t event)
{
	int64_t id;

	if (tp_tag_find(line, tag, event, TP_TAG_FRAMEWORK, &id)) {
		struct tp_slice text = tp_string(&p->strings, (uint32_t)id);

		return tp_framework_is_wrapper(tp_framework_name(text).name)
			? p->ops[tp_line_op(line, event)].framework
			: text;
	}
	if (!tp_tag_find(line, tag, event, TP_TAG_ANNOTATION, &id))
		return p->ops[tp_line_op(line, event)].framework;
	struct tp_slice text = tp_string(&p->strings, (uint32_t)id);
	const char *hash = text.len != 0 ? memchr(text.ptr, '#', text.len) : NULL;

	if (hash != NULL)
		text.len = (size_t)(hash - text.ptr);
	/* Other annotations are of whatever code was running, not operations. */
	return tp_framework_name(text).family != TP_FAMILY_NONE ? text : (struct tp_slice){NULL, 0};
}

/* Occurrences of a kernel for each operation that it served, as if they were kernels of their own. */
struct serving {
	const struct tp_pass_ctx *ctx;
	const struct tp_ops *ops;
	struct tp_map index;  /* (framework operation, label) → total */
	struct tp_map labels; /* of operations on streams → index in ops */
	struct tp_buf totals; /* of struct tp_op_total */
};

static struct tp_op_total *
total_for(struct serving *s, struct tp_slice framework, struct tp_slice label)
{
	uint64_t name = tp_hash_bytes(label), key = tp_hash_pair(tp_hash_bytes(framework), name);
	uint32_t at = tp_map_get(&s->index, key), kernel = tp_map_get(&s->labels, name);

	if (at != TP_MAP_NONE)
		return (struct tp_op_total *)s->totals.data + at;
	if (kernel == TP_MAP_NONE)
		return NULL;
	tp_map_put(&s->index, key, (uint32_t)s->totals.count);
	const struct tp_op_total *of_all = &s->ops->ops[kernel];
	struct tp_op *op = tp_new(s->ctx->keep, struct tp_op);
	struct tp_op_total *t = tp_buf_add(&s->totals, sizeof *t);

	*op = *of_all->op;
	op->framework = framework;
	*t = (struct tp_op_total){
		.op = op,
		.category = of_all->category,
		.program = of_all->program,
		.program_id = of_all->program_id,
		.has_program = of_all->has_program,
		.hue = of_all->hue,
		.device = of_all->device,
		.min_ps = INT64_MAX,
		.wasted_ps = NAN,
	};
	return t;
}

static void
add_stream(struct serving *s, const struct tp_line *line, const struct tp_self_times *self)
{
	const struct tp_profile *p = s->ctx->profile;
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		struct tp_slice framework = framework_of_event(p, line, &tag, i);
		struct tp_op_total *t = total_for(s, framework, p->ops[tp_line_op(line, i)].label);
		int64_t time_ps = tp_line_duration_ps(line, i);

		if (t == NULL)
			continue;
		t->occurrences++;
		t->self_ps = tp_add_ps(t->self_ps, tp_self_ps(self, i));
		t->total_ps = tp_add_ps(t->total_ps, time_ps);
		t->min_ps = time_ps < t->min_ps ? time_ps : t->min_ps;
		t->max_ps = time_ps > t->max_ps ? time_ps : t->max_ps;
	}
}

static bool
on_stream(const struct tp_profile *p, const struct tp_op_total *t)
{
	return t->device != TP_NONE && p->devices[t->device].kind == TP_DEVICE_GPU;
}

/* Kernels of a GPU by what they worked on, which their events say. */
static void
serve(struct serving *s)
{
	const struct tp_profile *p = s->ctx->profile;
	const struct tp_op_times *times = tp_result(s->ctx, &tp_pass_op_times);

	tp_map_init(&s->index, s->ctx->scratch);
	tp_map_init(&s->labels, s->ctx->scratch);
	for (uint32_t i = 0; i < s->ops->count; i++) {
		if (on_stream(p, &s->ops->ops[i]))
			tp_map_put(&s->labels, tp_hash_bytes(s->ops->ops[i].op->label), i);
	}
	for (uint32_t l = 0; s->labels.count != 0 && l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM && times->self[l] != NULL)
			add_stream(s, &p->lines[l], times->self[l]);
	}
}

static void
scope_ops(const struct tp_pass_ctx *ctx, const struct serving *kernels, struct tp_ops *o)
{
	const struct tp_op_total *served = kernels->totals.data;

	if (kernels->labels.count == 0) {
		o->scoped = o->ops;
		o->scoped_count = o->count;
		return;
	}
	struct tp_op_total *scoped =
		tp_new_array(ctx->keep, struct tp_op_total, o->count + kernels->totals.count);

	for (size_t i = 0; i < o->count; i++) {
		if (!on_stream(ctx->profile, &o->ops[i]))
			scoped[o->scoped_count++] = o->ops[i];
	}
	for (size_t i = 0; i < kernels->totals.count; i++)
		scoped[o->scoped_count++] = served[i];
	o->scoped = scoped;
}

TP_ORDER(frameworks_by_self, struct tp_framework_total, TP_DOWN(sums.self_ps),
	tp_slice_cmp(a->name, b->name));

static void
add_frameworks(const struct tp_pass_ctx *ctx, struct tp_ops *o)
{
	struct summing s = {.ctx = ctx};
	struct serving kernels = {.ctx = ctx, .ops = o};

	tp_map_init(&s.index, ctx->scratch);
	serve(&kernels);
	scope_ops(ctx, &kernels, o);
	tp_buf_free(&kernels.totals);
	for (size_t i = 0; i < o->scoped_count; i++) {
		const struct tp_op_total *t = &o->scoped[i];

		o->names_frameworks |= t->op->framework.len != 0;
		add_op(total_of(&s, t->op->framework, t->op->label), t);
	}
	o->framework_count = s.totals.count;
	o->frameworks =
		tp_buf_give(&s.totals, s.totals.count, sizeof(struct tp_framework_total), ctx->keep);
	tp_buf_free(&s.totals);
	qsort(o->frameworks, o->framework_count, sizeof *o->frameworks, frameworks_by_self);
}

/* amount over Σ time × peak, both in picosecond units; NaN when the peak is not known, or the amount more than it allows: then
 * sets *impossible. */
static double
utilisation(uint64_t amount, double peak_ps, bool *impossible)
{
	double use = peak_ps > 0 ? (double)amount * 1e12 / peak_ps : NAN;

	*impossible |= use > TP_MORE_THAN_POSSIBLE;
	return use > TP_MORE_THAN_POSSIBLE ? NAN : use;
}

void
tp_ops_group(const struct tp_pass_ctx *ctx, struct tp_buf *buf, const struct tp_op_peaks *peaks,
	struct tp_ops *o)
{
	struct tp_op_total *totals = buf->data;

	for (size_t i = 0; i < buf->count; i++)
		totals[i].wasted_ps = tp_op_find_waste(&totals[i], peaks);
	qsort(totals, buf->count, sizeof *totals, by_category);
	group(ctx, totals, buf->count, o);
	tp_buf_free(buf);
	sum_up(o);
	add_frameworks(ctx, o);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_ops *o = tp_new(ctx->keep, struct tp_ops);
	struct tp_op_peaks peaks = tp_op_peaks(ctx);
	struct tp_buf buf = tp_op_totals(ctx, o);

	if (buf.count == 0)
		return tp_fail(err, TP_ABSENT, why_no_operations);
	tp_ops_group(ctx, &buf, &peaks, o);
	o->flops_share = o->flops_busy_share = o->hbm_share = o->hbm_busy_share = NAN;
	if (o->has_flops && d != NULL) {
		o->flops_share = utilisation(o->flops, d->peak_flop_ps, &o->flops_impossible);
		o->flops_busy_share = utilisation(o->flops, d->busy_peak_flop_ps, &o->flops_impossible);
	}
	if (o->has_costs && d != NULL) {
		o->hbm_share = utilisation(o->hbm_bytes, d->peak_byte_ps, &o->hbm_impossible);
		o->hbm_busy_share = utilisation(o->hbm_bytes, d->busy_peak_byte_ps, &o->hbm_impossible);
	}
	*result = o;
	return TP_OK;
}

const struct tp_pass tp_pass_ops = {
	.name = "operations",
	.title = "Operations",
	.summary =
		"the op profile by category: self time, occurrences, FLOPS and bandwidth utilisation",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = TP_AFTER(&tp_pass_op_times, &tp_pass_devices, &tp_pass_steps),
	.place = TP_PLACE_OPERATIONS,
	.analyze = analyze,
	.lacks = TP_LACKS({"operations", "What a device did: each operation", TP_LACK_ON_CPU,
		.jax = "Let steps run while the trace is on, and end it after "
			   "`jax.block_until_ready(...)`. On a GPU: " TP_LACK_CUPTI,
		.tensorflow =
			"If a GPU was in use: "
			"`tf.profiler.experimental.ProfilerOptions(device_tracer_level=1)`. " TP_LACK_CUPTI,
		.any = "Let steps run while the profiler is on. On a GPU: " TP_LACK_CUPTI}),
};
