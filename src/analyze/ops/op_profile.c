/* The shares of the peaks that were used are the profiler's: it knew them, the file does not say them. */
#include "analyze/ops/op_profile.h"
#include "analyze/core/pass.h"

#include "analyze/core/time_class.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/hlo_line.h"
#include "model/precomputed.h"
#include "model/profile.h"

#include <math.h>

/* Parts of the whole where only shares are known: as many as a second has picoseconds. */
#define WHOLE_PS 1e12

/* A file leaves figures out that are 0; where none of its operations has one, it is not known. */
struct known {
	bool times, flops, bytes, flops_use, hbm_use;
	double hbm_peak; /* bytes a ps; NaN: not known */
};

/* The bandwidth that the profiler took for the peak, bytes a ps, by the operation that moves most of those that do not reach it:
 * newer files cap the use at 1. NaN: not known. */
static double
hbm_peak(const struct tp_precomputed *g)
{
	double most = 0, peak = NAN;

	for (size_t i = 0; i < g->program_ops.count; i++) {
		const struct tp_precomputed_op *op = &g->program_ops.list[i];

		if (!(op->hbm_use > 0 && op->hbm_use < 1 && op->bytes > most && op->self_us > 0))
			continue;
		most = op->bytes;
		peak = op->bytes / (op->hbm_use * op->self_us * 1e6);
	}
	return peak;
}

static struct known
known_of(const struct tp_precomputed *g)
{
	struct known k = {.hbm_peak = hbm_peak(g)};

	for (size_t i = 0; i < g->program_ops.count; i++) {
		const struct tp_precomputed_op *op = &g->program_ops.list[i];

		k.times |= isfinite(op->self_us);
		k.flops |= isfinite(op->flops);
		k.bytes |= isfinite(op->bytes);
		k.flops_use |= isfinite(op->flops_use);
		k.hbm_use |= isfinite(op->hbm_use);
	}
	return k;
}

static int64_t
time_of(const struct tp_precomputed_op *precomputed, bool times)
{
	double ps = times ? precomputed->self_us * 1e6 : precomputed->share * WHOLE_PS;

	return ps > 0 && ps < 9e18 ? llround(ps) : 0;
}

static uint64_t
amount(double value)
{
	return value >= 1 && value < 1.8e19 ? (uint64_t)value : 0;
}

static double
at_peak(double use, int64_t self_ps, bool known)
{
	return !known ? NAN : isfinite(use) ? use * (double)self_ps : 0;
}

/* At the cap the bytes say how much more it was: copies that go on when the operation has ended. */
static double
hbm_at_peak(const struct tp_precomputed_op *precomputed, int64_t self_ps, const struct known *known)
{
	double by_bytes_ps = precomputed->bytes / known->hbm_peak;

	if (precomputed->hbm_use >= 1 && by_bytes_ps > (double)self_ps)
		return by_bytes_ps;
	if (precomputed->left_out && by_bytes_ps >= 0)
		return by_bytes_ps;
	return at_peak(precomputed->hbm_use, self_ps, known->hbm_use);
}

static struct tp_slice
shape_text(const struct tp_precomputed_op *precomputed, struct tp_arena *keep)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_hlo_module *line =
		tp_hlo_line_read(precomputed->expression, precomputed->framework, arena);
	struct tp_slice text =
		line != NULL ? tp_shape_text(&tp_hlo_line_instruction(line)->shape, keep) : TP_S("");

	tp_arena_free(arena);
	return text;
}

static void
describe(const struct tp_precomputed_op *precomputed, struct tp_arena *keep, struct tp_op *op)
{
	*op = (struct tp_op){
		.name = precomputed->expression,
		.label = precomputed->name,
		.category = precomputed->category,
		.framework = precomputed->framework,
		.source = precomputed->source,
		.shape = shape_text(precomputed, keep),
		.duplicates = precomputed->duplicates,
		.program_id = precomputed->program_id,
		.has_program = precomputed->has_program,
		.xla = true,
	};
}

/* The oldest files have categories of their own, "Overhead": there the opcode tells. */
static enum tp_hue
hue_of(struct tp_slice category, struct tp_slice opcode)
{
	enum tp_hue hue = tp_hue_of_category(category);

	return hue != TP_HUE_COMPUTE || opcode.len == 0 ? hue : tp_hue_of_category(opcode);
}

static struct tp_op_total
total_of(
	const struct tp_precomputed_op *precomputed, const struct tp_op *op, const struct known *known)
{
	struct tp_slice category =
		precomputed->category.len != 0 ? precomputed->category : TP_S("uncategorised");
	int64_t ps = time_of(precomputed, known->times);

	return (struct tp_op_total){
		.op = op,
		.category = category,
		.program = precomputed->program,
		.program_id = precomputed->program_id,
		.has_program = precomputed->has_program,
		.occurrences = precomputed->occurrences,
		.self_ps = ps,
		.total_ps = ps,
		.uses_precomputed = true,
		.flops_at_peak_ps = at_peak(precomputed->flops_use, ps, known->flops_use),
		.hbm_at_peak_ps = hbm_at_peak(precomputed, ps, known),
		.has_costs = known->times && (known->flops || known->bytes),
		.has_flops = known->times && (known->flops || known->bytes),
		.amount =
			{
				[TP_PEAK_FLOP] = amount(precomputed->flops),
				[TP_PEAK_HBM] = amount(precomputed->bytes),
			},
		.model_flops = amount(precomputed->flops),
		.bytes = amount(precomputed->bytes),
		.left_out = precomputed->left_out,
		.half = tp_op_names_half(precomputed->expression),
		.hue = hue_of(category, precomputed->opcode),
		.device = TP_NONE,
	};
}

/* Σ at the peak over this time; NaN: not known. */
static double
use_of(const struct tp_ops *o, double time_ps, bool of_hbm)
{
	double sum_ps = NAN;

	for (size_t i = 0; i < o->count; i++) {
		const struct tp_op_total *t = &o->ops[i];
		double one = of_hbm ? t->hbm_at_peak_ps : t->flops_at_peak_ps;

		if (isfinite(one))
			sum_ps = one + (isfinite(sum_ps) ? sum_ps : 0);
	}
	return sum_ps / time_ps;
}

static void
find_uses(struct tp_ops *o, double idle_ps)
{
	double busy_ps = (double)o->busy_ps;

	o->flops_busy_share = use_of(o, busy_ps, false);
	o->hbm_busy_share = use_of(o, busy_ps, true);
	o->flops_share = use_of(o, busy_ps + idle_ps, false);
	o->hbm_share = use_of(o, busy_ps + idle_ps, true);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_precomputed *g = tp_precomputed(ctx);

	if (g == NULL || g->program_ops.count == 0)
		return tp_fail(err, TP_ABSENT, why_no_op_profile);
	size_t count = g->program_ops.count;
	struct tp_op_profile *p = tp_new(ctx->keep, struct tp_op_profile);
	struct tp_op *ops = tp_new_array(ctx->keep, struct tp_op, count);
	const struct tp_precomputed_op **precomputed =
		tp_new_array(ctx->keep, const struct tp_precomputed_op *, count);
	struct known known = known_of(g);
	struct tp_buf totals = {0};

	for (size_t i = 0; i < count; i++) {
		describe(&g->program_ops.list[i], ctx->keep, &ops[i]);
		struct tp_op_total *total = tp_buf_add(&totals, sizeof *total);

		*total = total_of(&g->program_ops.list[i], &ops[i], &known);
		p->ops.half_known |= ops[i].shape.len != 0;
	}
	p->ops.summed_up = true;
	p->ops.only_shares = !known.times;
	p->idle_ps = known.times ? g->idle_us * 1e6 : NAN;
	/* Rates that this allows are shown; what was used of it the profiler says. */
	if (known.hbm_peak > 0)
		p->peaks.of[TP_PEAK_HBM] = known.hbm_peak * 1e12;
	tp_ops_group(ctx, &totals, &p->peaks, &p->ops);
	find_uses(&p->ops, p->idle_ps);
	for (size_t i = 0; i < p->ops.count; i++)
		precomputed[i] = &g->program_ops.list[p->ops.ops[i].op - ops];
	p->precomputed = precomputed;
	tp_padding_precomputed(ctx, &p->ops, precomputed, &p->padding);
	*result = p;
	return TP_OK;
}

const struct tp_pass tp_pass_op_profile = {
	.name = "op-profile",
	.title = "Op profile",
	.summary = "operations from a profiler's own op profile, if no operation was recorded",
	.after = TP_AFTER(&tp_pass_op_times),
	.place = TP_PLACE_OPERATIONS,
	.analyze = analyze,
	.lacks_nothing = "it stands in for operations that were not recorded",
};

const struct tp_ops *
tp_ops_known(const struct tp_pass_ctx *ctx)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	const struct tp_op_profile *p = tp_result(ctx, &tp_pass_op_profile);

	return o != NULL ? o : p != NULL ? &p->ops : NULL;
}

const struct tp_padding *
tp_padding_known(const struct tp_pass_ctx *ctx)
{
	const struct tp_op_profile *p = tp_result(ctx, &tp_pass_op_profile);

	return p != NULL ? &p->padding : tp_result(ctx, &tp_pass_padding);
}
