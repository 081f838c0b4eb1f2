/* Adding up operations over occurrences, cores and hosts. Rates and utilisation follow the peer's op_metrics_to_record.h,
 * but nested time is counted once: the peer's root figure divides by the total times of loops and of their bodies both. */
#include "analyze/ops.h"

#include "analyze/devices.h"
#include "analyze/op_times.h"
#include "analyze/sweep.h"
#include "analyze/time_class.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>

struct adding {
	const struct tp_pass_ctx *ctx;
	struct tp_map index;    /* (program, label) → total */
	struct tp_map programs; /* (host, id) → index in the profile */
	uint32_t *
		total_of_op; /* the first again by operation of the profile, once it was met; TP_NONE: not yet */
	struct tp_buf totals;
	bool has_costs, half_known;
};

static void
find_programs(struct adding *a)
{
	const struct tp_profile *p = a->ctx->profile;

	tp_map_init(&a->programs, a->ctx->scratch);
	/* Backwards, so that of several with the same id the first stays. */
	for (uint32_t i = p->program_count; i-- > 0;)
		tp_map_put(&a->programs, tp_hash_pair(p->programs[i].id, p->programs[i].host), i);
}

static struct tp_slice
program_name(const struct adding *a, const struct tp_op *op, uint32_t host)
{
	uint32_t i = op->has_program ? tp_map_get(&a->programs, tp_hash_pair(op->program_id, host))
								 : TP_MAP_NONE;

	return i == TP_MAP_NONE ? (struct tp_slice){NULL, 0} : a->ctx->profile->programs[i].name;
}

static struct tp_slice
category_of(const struct tp_op *op, const struct tp_line *line, struct tp_slice shapes)
{
	if (op->category.len != 0)
		return op->category;
	if (line->kind != TP_LINE_STREAM)
		return TP_S("uncategorised");
	switch (tp_type_of_gpu_event(op->name, shapes)) {
	case TP_EVENT_HOST_TO_DEVICE:
	case TP_EVENT_DEVICE_TO_HOST:
	case TP_EVENT_DEVICE_TO_DEVICE:
	case TP_EVENT_HOST_TO_HOST:
		return TP_S("memory copy");
	case TP_EVENT_COLLECTIVE:
		return TP_S("collective");
	case TP_EVENT_UNKNOWN:
	case TP_EVENT_HOST_COMPUTE:
	case TP_EVENT_COMPILE:
	case TP_EVENT_PREPARE:
	case TP_EVENT_WAIT_INPUT:
	case TP_EVENT_COMPUTE_32:
	case TP_EVENT_COMPUTE_16:
	case TP_EVENT_TYPE_COUNT:
		break;
	}
	return TP_S("kernel");
}

/* A shape's text names its element type: "bf16[128,8]". */
static bool
names_half(struct tp_slice text)
{
	return tp_slice_has(text, TP_S("bf16[")) || tp_slice_has(text, TP_S("f16["));
}

static struct tp_op_total *
total_of(struct adding *a, const struct tp_line *line, uint32_t event, struct tp_slice shapes)
{
	const struct tp_profile *p = a->ctx->profile;
	const struct tp_op *op = &p->ops[line->op[event]];
	uint32_t *known = &a->total_of_op[line->op[event]];

	if (*known != TP_NONE)
		return (struct tp_op_total *)a->totals.data + *known;
	uint64_t program = op->has_program ? op->program_id : UINT64_MAX;
	uint64_t key = tp_hash_pair(tp_hash_bytes(op->label), program);

	*known = tp_map_get(&a->index, key);
	if (*known != TP_NONE)
		return (struct tp_op_total *)a->totals.data + *known;
	*known = (uint32_t)a->totals.count;
	tp_map_put(&a->index, key, *known);
	struct tp_op_total *t = tp_buf_add(&a->totals, sizeof *t);

	t->op = op;
	t->category = category_of(op, line, shapes);
	t->program = program_name(a, op, line->host);
	t->hue = tp_hue_of_category(t->category);
	t->device = line->device;
	a->has_costs |= op->has_costs;
	if (line->kind == TP_LINE_STREAM) {
		t->half = tp_type_of_gpu_event(op->name, shapes) == TP_EVENT_COMPUTE_16;
		a->half_known = true;
	} else if (line->kind == TP_LINE_OPS) {
		/* The long name is the HLO text, which shows the result's and the operands' types. */
		t->half = names_half(op->name) || names_half(op->shape);
		a->half_known |= op->shape.len != 0 || tp_slice_has(op->name, TP_S("["));
	}
	return t;
}

static uint64_t
product(uint64_t per_occurrence, uint64_t occurrences)
{
	uint64_t all;

	return __builtin_mul_overflow(per_occurrence, occurrences, &all) ? UINT64_MAX : all;
}

/* Custom calls cost what each call says; all others what the compiler estimated for one occurrence. */
static bool
costs_by_event(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S("custom-call"));
}

static void
add_line(struct adding *a, const struct tp_line *line, const int64_t *self_ps, bool xla_only)
{
	const struct tp_profile *p = a->ctx->profile;
	size_t tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		int64_t shapes = 0, flops, bytes;

		if (xla_only && !p->ops[line->op[i]].xla)
			continue;
		if (line->kind == TP_LINE_STREAM)
			tp_tag_find(line, &tag, i, TP_TAG_SHAPE, &shapes);
		struct tp_op_total *t = total_of(a, line, i, tp_string(&p->strings, (uint32_t)shapes));

		t->occurrences++;
		t->self_ps = tp_add_ps(t->self_ps, self_ps[i]);
		t->total_ps = tp_add_ps(t->total_ps, line->chip_duration_ps[i]);
		if (line->kind != TP_LINE_OPS || !costs_by_event(t->category))
			continue;
		if (tp_tag_find(line, &tag, i, TP_TAG_FLOPS, &flops) && flops > 0)
			t->flops = tp_add_cost(t->flops, (uint64_t)flops);
		if (tp_tag_find(line, &tag, i, TP_TAG_BYTES, &bytes) && bytes > 0)
			t->hbm_bytes = tp_add_cost(t->hbm_bytes, (uint64_t)bytes);
	}
}

static void
add_costs(struct tp_op_total *t)
{
	if (tp_op_is_container(t->category) ||
		(costs_by_event(t->category) && (t->flops != 0 || t->hbm_bytes != 0)))
		return;
	t->flops = tp_add_cost(t->flops, product(t->op->flops, t->occurrences));
	t->hbm_bytes = tp_add_cost(t->hbm_bytes, product(t->op->hbm_bytes, t->occurrences));
}

static int
by_category(const void *left, const void *right)
{
	const struct tp_op_total *a = left, *b = right;
	int order = tp_slice_cmp(a->category, b->category);

	if (order == 0 && a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return order != 0 ? order : tp_slice_cmp(a->op->label, b->op->label);
}

static int
by_self(const void *left, const void *right)
{
	const struct tp_category_total *a = left, *b = right;

	if (a->self_ps != b->self_ps)
		return a->self_ps > b->self_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

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
		c->occurrences += t->occurrences;
		c->self_ps = tp_add_ps(c->self_ps, t->self_ps);
		c->flops = tp_add_cost(c->flops, t->flops);
		c->hbm_bytes = tp_add_cost(c->hbm_bytes, t->hbm_bytes);
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
	for (size_t i = 0; i < o->count; i++) {
		const struct tp_op_total *t = &o->ops[i];

		o->busy_ps = tp_add_ps(o->busy_ps, t->self_ps);
		o->flops = tp_add_cost(o->flops, t->flops);
		o->hbm_bytes = tp_add_cost(o->hbm_bytes, t->hbm_bytes);
		if (t->self_ps > o->ops[o->top].self_ps)
			o->top = i;
		if (t->hue == TP_HUE_MEMORY)
			o->copy_ps = tp_add_ps(o->copy_ps, t->self_ps);
		if (t->hue != TP_HUE_COMPUTE)
			continue;
		o->compute_ps = tp_add_ps(o->compute_ps, t->self_ps);
		o->half_ps = tp_add_ps(o->half_ps, t->half ? t->self_ps : 0);
	}
}

/* amount over Σ time × peak, both in picosecond units; NaN when the peak is not known. */
static double
utilisation(uint64_t amount, double peak_ps)
{
	return peak_ps > 0 ? (double)amount * 1e12 / peak_ps : NAN;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_ops *o = tp_new(ctx->keep, struct tp_ops);
	struct adding a = {.ctx = ctx};

	tp_map_init(&a.index, ctx->scratch);
	find_programs(&a);
	a.total_of_op = tp_new_array(ctx->scratch, uint32_t, p->op_count);
	memset(a.total_of_op, 0xff, p->op_count * sizeof *a.total_of_op);
	for (uint32_t l = 0; times != NULL && l < p->line_count; l++) {
		if (times->self_ps[l] != NULL)
			add_line(&a, &p->lines[l], times->self_ps[l], times->on_host);
	}
	struct tp_op_total *totals = a.totals.data;

	if (a.totals.count == 0)
		return tp_fail(err, TP_ABSENT, "the profile holds no operations of a device or of XLA");
	for (size_t i = 0; i < a.totals.count; i++)
		add_costs(&totals[i]);
	qsort(totals, a.totals.count, sizeof *totals, by_category);
	group(ctx, totals, a.totals.count, o);
	tp_buf_free(&a.totals);
	o->has_costs = a.has_costs;
	o->half_known = a.half_known;
	o->on_host = times->on_host;
	sum_up(o);
	bool known = o->has_costs && d != NULL;

	o->flops_share = known ? utilisation(o->flops, d->peak_flop_ps) : NAN;
	o->flops_busy_share = known ? utilisation(o->flops, d->busy_peak_flop_ps) : NAN;
	o->hbm_share = known ? utilisation(o->hbm_bytes, d->peak_byte_ps) : NAN;
	o->hbm_busy_share = known ? utilisation(o->hbm_bytes, d->busy_peak_byte_ps) : NAN;
	*result = o;
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_op_times, &tp_pass_devices, NULL};

const struct tp_pass tp_pass_ops = {
	.name = "operations",
	.title = "Operations",
	.summary =
		"the op profile by category: self time, occurrences, FLOPS and bandwidth utilisation",
	.needs_any = TP_HAS_DEVICE_OPS | TP_HAS_HOST_XLA_OPS,
	.after = after,
	.place = TP_PLACE_OPERATIONS,
	.analyze = analyze,
	.metrics = tp_ops_metrics,
	.present = tp_ops_present,
};
