/* One pass over the events: what each operation took and cost, over occurrences, cores and hosts. */
#include "analyze/ops/ops.h"

#include "analyze/core/sweep.h"
#include "analyze/core/time_class.h"
#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/saturate.h"
#include "model/profile.h"

#include <math.h>

/* Of two figures of which each may be unknown. */
static double
add_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* Sums of what a does not name itself by; costs are known when any are. */
void
tp_op_add(struct tp_op_total *a, const struct tp_op_total *b)
{
	/* Of some it is not known how often they ran. */
	bool first = a->occurrences == 0 && a->total_ps == 0;

	a->min_ps = first || b->min_ps < a->min_ps ? b->min_ps : a->min_ps;
	a->max_ps = first || b->max_ps > a->max_ps ? b->max_ps : a->max_ps;
	a->occurrences = tp_plus(a->occurrences, b->occurrences);
	a->self_ps = tp_add_ps(a->self_ps, b->self_ps);
	a->total_ps = tp_add_ps(a->total_ps, b->total_ps);
	a->wasted_ps = first ? b->wasted_ps : add_known(a->wasted_ps, b->wasted_ps);
	a->flops_at_peak_ps =
		first ? b->flops_at_peak_ps : add_known(a->flops_at_peak_ps, b->flops_at_peak_ps);
	a->hbm_at_peak_ps = first ? b->hbm_at_peak_ps : add_known(a->hbm_at_peak_ps, b->hbm_at_peak_ps);
	a->uses_precomputed |= b->uses_precomputed;
	a->has_costs |= b->has_costs;
	a->has_flops |= b->has_flops;
	a->has_overrun |= b->has_overrun;
	for (int k = 0; k < TP_OP_LIMITS; k++)
		a->amount[k] = tp_plus(a->amount[k], b->amount[k]);
	a->model_flops = tp_plus(a->model_flops, b->model_flops);
	a->bytes = tp_plus(a->bytes, b->bytes);
	a->dma_stall_ps = tp_add_ps(a->dma_stall_ps, b->dma_stall_ps);
}

struct adding {
	const struct tp_pass_ctx *ctx;
	struct tp_map index;    /* (program, label) → total */
	struct tp_map programs; /* (host, id) → index in the profile */
	/* the first again by operation of the profile, once it was met; TP_NONE: not yet */
	uint32_t *total_of_op;
	struct tp_buf totals;
	struct tp_ops *out;
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

/* What HLO would tell of a GPU's kernels is not known: of those of libraries, which run beside the kernels of a program, or of all. */
static const char beside_a_program[] = "kernels without HLO", of_no_program[] = "kernels";

bool
tp_op_category_of_kernels(struct tp_slice category)
{
	return tp_slice_eq(category, TP_S(beside_a_program)) ||
		tp_slice_eq(category, TP_S(of_no_program));
}

static struct tp_slice
category_of(const struct tp_profile *p, const struct tp_op *op, const struct tp_line *line,
	struct tp_slice shapes)
{
	static const char *const categories[TP_EVENT_TYPE_COUNT] = {
		[TP_EVENT_HOST_TO_DEVICE] = "memory copy",
		[TP_EVENT_DEVICE_TO_HOST] = "memory copy",
		[TP_EVENT_DEVICE_TO_DEVICE] = "memory copy",
		[TP_EVENT_HOST_TO_HOST] = "memory copy",
		[TP_EVENT_COLLECTIVE] = "collective",
	};

	if (op->category.len != 0)
		return op->category;
	if (line->kind != TP_LINE_STREAM)
		return TP_S("uncategorised");
	const char *category = categories[tp_type_of_gpu_event(op->name, shapes)];

	if (category != NULL)
		return tp_slice_of(category);
	return p->program_count != 0 ? TP_S(beside_a_program) : TP_S(of_no_program);
}

bool
tp_op_names_half(struct tp_slice text)
{
	return tp_slice_has(text, TP_S("bf16[")) || tp_slice_has(text, TP_S("f16["));
}

static struct tp_op_total *
total_of(struct adding *a, const struct tp_line *line, uint32_t event, struct tp_slice shapes)
{
	const struct tp_profile *p = a->ctx->profile;
	const struct tp_op *op = &p->ops[tp_line_op(line, event)];
	uint32_t *known = &a->total_of_op[tp_line_op(line, event)];

	if (*known != TP_NONE)
		return (struct tp_op_total *)a->totals.data + *known;
	uint64_t program = op->has_program ? op->program_id : UINT64_MAX;
	uint64_t key = tp_hash_pair(tp_hash_bytes(op->label), program);

	if (!tp_map_number(&a->index, key, known))
		return (struct tp_op_total *)a->totals.data + *known;
	struct tp_op_total *t = tp_buf_add(&a->totals, sizeof *t);

	t->op = op;
	t->category = category_of(p, op, line, shapes);
	t->program = program_name(a, op, line->host);
	t->program_id = op->program_id;
	t->has_program = op->has_program;
	t->hue = tp_hue_of_category(t->category);
	if (line->device == TP_NONE)
		t->hue = tp_hue_on_host(t->hue);
	t->device = line->device;
	t->has_costs = op->has_costs;
	t->has_flops = op->has_costs || op->matrix_flops != 0;
	t->min_ps = INT64_MAX;
	if (line->kind == TP_LINE_STREAM) {
		enum tp_event_type type = tp_type_of_gpu_event(op->name, shapes);

		t->half = op->half_known && shapes.len == 0 ? op->half : type == TP_EVENT_COMPUTE_16;
		a->out->half_by_kernels = true;
		/* An instruction's name says nothing of its operands. */
		a->out->half_known |= !op->kernel || op->half_known || shapes.len != 0 || t->half;
	} else if (line->kind == TP_LINE_OPS) {
		/* The long name is the HLO text, which shows the result's and the operands' types. */
		t->half = tp_op_names_half(op->name) || tp_op_names_half(op->shape);
		a->out->half_known |= op->shape.len != 0 || tp_slice_has(op->name, TP_S("["));
	}
	return t;
}

static bool
has_tag(const struct tp_line *line, enum tp_tag_key key)
{
	for (size_t i = 0; i < line->tag_count; i++) {
		if (line->tags[i].key == (uint32_t)key)
			return true;
	}
	return false;
}

static void
add_own_costs(struct tp_op_total *t, const struct tp_line *line, size_t *tag, uint32_t event)
{
	int64_t flops, bytes;

	if (tp_tag_find(line, tag, event, TP_TAG_FLOPS, &flops) && flops > 0) {
		t->amount[TP_PEAK_FLOP] = tp_plus(t->amount[TP_PEAK_FLOP], (uint64_t)flops);
		t->has_costs = t->has_flops = true;
	}
	if (tp_tag_find(line, tag, event, TP_TAG_BYTES, &bytes) && bytes > 0) {
		t->bytes = tp_plus(t->bytes, (uint64_t)bytes);
		t->has_costs = true;
	}
}

static void
add_line(
	struct adding *a, const struct tp_line *line, const struct tp_self_times *self, bool xla_only)
{
	const struct tp_profile *p = a->ctx->profile;
	bool stalls = line->kind == TP_LINE_OPS && has_tag(line, TP_TAG_DMA_STALL);
	size_t tag = 0;

	a->out->has_dma_stall |= stalls;
	for (uint32_t i = 0; i < line->count; i++) {
		int64_t shapes = 0, stall, time_ps = tp_line_chip_duration_ps(line, i);

		if (xla_only && !p->ops[tp_line_op(line, i)].xla)
			continue;
		if (line->kind == TP_LINE_STREAM)
			tp_tag_find(line, &tag, i, TP_TAG_SHAPE, &shapes);
		struct tp_op_total *t = total_of(a, line, i, tp_string(&p->strings, (uint32_t)shapes));

		t->occurrences++;
		t->self_ps = tp_add_ps(t->self_ps, tp_self_ps(self, i));
		t->total_ps = tp_add_ps(t->total_ps, time_ps);
		t->min_ps = time_ps < t->min_ps ? time_ps : t->min_ps;
		t->max_ps = time_ps > t->max_ps ? time_ps : t->max_ps;
		if (stalls && tp_tag_find(line, &tag, i, TP_TAG_DMA_STALL, &stall) && stall > 0)
			t->dma_stall_ps = tp_add_ps(t->dma_stall_ps, stall);
		if (line->kind == TP_LINE_OPS && tp_op_costs_by_event(t->category))
			add_own_costs(t, line, &tag, i);
	}
}

void
tp_op_costs(const struct tp_op *op, uint64_t amount[static TP_OP_LIMITS])
{
	amount[TP_PEAK_FLOP] = op->flops;
	amount[TP_PEAK_HBM] = op->hbm_bytes;
	amount[TP_PEAK_CMEM_READ] = op->cmem_read_bytes;
	amount[TP_PEAK_CMEM_WRITE] = op->cmem_write_bytes;
	amount[TP_PEAK_VMEM_READ] = op->vmem_read_bytes;
	amount[TP_PEAK_VMEM_WRITE] = op->vmem_write_bytes;
}

static void
add_costs(struct tp_op_total *t)
{
	const struct tp_op *op = t->op;

	if (tp_op_costs_by_event(t->category) && (t->amount[TP_PEAK_FLOP] != 0 || t->bytes != 0)) {
		t->model_flops = t->amount[TP_PEAK_FLOP];
		t->amount[TP_PEAK_HBM] = t->bytes;
		return;
	}
	if (tp_op_is_container(t->category))
		return;
	if (!op->has_costs && op->matrix_flops != 0) {
		t->model_flops = t->amount[TP_PEAK_FLOP] = tp_times(op->matrix_flops, t->occurrences);
		return;
	}
	tp_op_costs(op, t->amount);
	for (int k = 0; k < TP_OP_LIMITS; k++)
		t->amount[k] = tp_times(t->amount[k], t->occurrences);
	/* Where there is no figure of the model's own arithmetic, all of it is. */
	t->model_flops = tp_times(op->model_flops != 0 ? op->model_flops : op->flops, t->occurrences);
	t->bytes = tp_times(op->bytes, t->occurrences);
}

struct tp_buf
tp_op_totals(const struct tp_pass_ctx *ctx, struct tp_ops *o)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	struct adding a = {.ctx = ctx, .out = o};

	tp_map_init(&a.index, ctx->scratch);
	find_programs(&a);
	a.total_of_op = tp_new_array(ctx->scratch, uint32_t, p->op_count);
	memset(a.total_of_op, 0xff, p->op_count * sizeof *a.total_of_op);
	for (uint32_t l = 0; times != NULL && l < p->line_count; l++) {
		if (times->self[l] != NULL)
			add_line(&a, &p->lines[l], times->self[l], times->on_host);
	}
	struct tp_op_total *totals = a.totals.data;

	for (size_t i = 0; i < a.totals.count; i++)
		add_costs(&totals[i]);
	o->on_host = times != NULL && times->on_host;
	return a.totals;
}
