/* Operations of TPU cores charged to steps: to that in which they start, by the chip's clock, with their self time, to the class
 * of their HLO category. */
#include "analyze/steps/step_cores.h"

#include "base/arena.h"
#include "base/map.h"

/* Operations that take what a SparseCore sends, in part waiting for it and in part transforming it, and those that send what
 * it is to transform. */
enum sparse { NOT_SPARSE, SPARSE_INFEED, SPARSE_OUTFEED };

/* What an operation's category says. */
struct op_kind {
	uint8_t class, sparse; /* enum tp_class, enum sparse */
	bool copies;           /* it moves or formats data */
	bool matrix;           /* the matrix unit does it */
	bool receives;         /* from another core */
};

struct charging {
	const struct tp_marked_cores *on;
	struct tp_step_cell *cells; /* [step × core count + core] */
	struct op_kind *kinds;      /* by operation of the profile */
	bool has_infeed;            /* some operation receives input */
	struct tp_map fastest;      /* collective id → index into fastest_ps */
	double *fastest_ps;
};

static void
find_fastest(const struct tp_pass_ctx *ctx, struct charging *w)
{
	size_t most = 0;

	tp_map_init(&w->fastest, ctx->scratch);
	for (uint32_t c = 0; c < w->on->count; c++)
		most += w->on->cores[c].ops->tag_count;
	w->fastest_ps = tp_new_array(ctx->scratch, double, most);
	for (uint32_t c = 0; c < w->on->count; c++) {
		const struct tp_line *line = w->on->cores[c].ops;

		for (size_t k = 0; k < line->tag_count; k++) {
			if (line->tags[k].key != TP_TAG_ALL_REDUCE)
				continue;
			double ps = (double)line->chip_duration_ps[line->tags[k].event];
			uint32_t at;

			if (tp_map_number(&w->fastest, (uint64_t)line->tags[k].value, &at) ||
				ps < w->fastest_ps[at])
				w->fastest_ps[at] = ps;
		}
	}
}

static void
charge_core(struct charging *w, uint32_t c, const uint32_t *step_of_mark)
{
	const struct tp_marked_core *core = &w->on->cores[c];
	const struct tp_line *ops = core->ops;
	const struct tp_step_mark *marks = core->marks;
	uint32_t m = 0;
	size_t tag = 0;

	for (uint32_t i = 0; i < ops->count; i++) {
		int64_t start = ops->chip_start_ps[i], id;
		const struct op_kind *kind = &w->kinds[ops->op[i]];

		w->has_infeed |= kind->class == TP_CLASS_INPUT_WAIT || kind->sparse == SPARSE_INFEED;
		/* The step that began last: marks may overlap by some nanoseconds. xprof charges the
		 * first operations of the later step to the earlier one then, finds it longer than itself
		 * and shows its compute as 0. */
		while (m + 1 < core->mark_count && marks[m + 1].start_ps <= start)
			m++;
		if (start < marks[m].start_ps || step_of_mark[m] == TP_NONE ||
			start - marks[m].start_ps >= marks[m].duration_ps)
			continue;
		struct tp_step_cell *cell = &w->cells[(size_t)step_of_mark[m] * w->on->count + c];
		double self = (double)core->self_ps[i];

		cell->op_count++;
		cell->class_ps[kind->class] += self;
		cell->busy_ps += self;
		cell->copy_ps += kind->copies ? self : 0;
		cell->matrix_ps += kind->matrix ? self : 0;
		cell->recv_ps += kind->receives ? self : 0;
		cell->sparse_infeed_ps += kind->sparse == SPARSE_INFEED ? self : 0;
		cell->sparse_outfeed_ps += kind->sparse == SPARSE_OUTFEED ? self : 0;
		if (tp_tag_find(ops, &tag, i, TP_TAG_ALL_REDUCE, &id)) {
			cell->collective_compute_ps += w->fastest_ps[tp_map_get(&w->fastest, (uint64_t)id)];
			cell->collective_total_ps += (double)ops->chip_duration_ps[i];
		}
	}
}

static void
read_categories(const struct tp_pass_ctx *ctx, struct charging *w)
{
	const struct tp_profile *p = ctx->profile;

	w->kinds = tp_new_array(ctx->scratch, struct op_kind, p->op_count);
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice category = p->ops[i].category;
		enum tp_class class = tp_class_of_category(category);

		w->kinds[i] = (struct op_kind){
			.class = (uint8_t) class,
			.sparse = tp_slice_eq(category, TP_S("sparsecorev0 infeed")) ? SPARSE_INFEED
				: tp_slice_eq(category, TP_S("sparsecorev0 outfeed"))    ? SPARSE_OUTFEED
																		 : NOT_SPARSE,
			.copies = class == TP_CLASS_COMPUTE && tp_hue_of_category(category) == TP_HUE_MEMORY,
			.matrix = tp_class_is_matrix(category),
			.receives = class == TP_CLASS_SEND_RECV && tp_slice_starts(category, TP_S("recv")),
		};
	}
}

bool
tp_charge_ops(const struct tp_pass_ctx *ctx, const struct tp_marked_cores *on,
	const uint32_t *const *step_of_mark, struct tp_step_cell *cells)
{
	struct charging w = {.on = on, .cells = cells};

	find_fastest(ctx, &w);
	read_categories(ctx, &w);
	for (uint32_t c = 0; c < on->count; c++)
		charge_core(&w, c, step_of_mark[c]);
	return w.has_infeed;
}
