/* The roofline as a chart: ceilings, operations below them, the whole program and the average step. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "analyze/roofline/roofline_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/doc.h"

enum { MOST_POINTS = 100, NAMED = 5 };

/* Marks of what took less of busy time cannot be told from dust. */
#define LEAST_SHARE 0.0005

static bool
has_place(const struct tp_roof *at)
{
	return at->rate[TP_PEAK_FLOP] > 0 && at->intensity > 0 && !at->impossible;
}

static struct tp_point
point_of(const struct tp_roof *at, enum tp_point_role role, struct tp_slice label)
{
	return (struct tp_point){
		.role = role, .label = label, .x = at->intensity, .y = at->rate[TP_PEAK_FLOP]};
}

/* What the chart cannot show. */
struct left_out {
	size_t no_flop, no_bytes, impossible, small;
};

static void
add_points(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_scatter *s,
	struct left_out *out)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_point *points = tp_new_array(ctx->keep, struct tp_point, MOST_POINTS + 2);
	unsigned named = 0;

	if (has_place(&r->program))
		points[s->point_count++] = point_of(&r->program, TP_POINT_WHOLE, TP_S(text_whole_program));
	if (r->has_step && has_place(&r->step))
		points[s->point_count++] = point_of(&r->step, TP_POINT_MEAN, TP_S(text_average_step));
	for (size_t i = 0; i < r->count; i++) {
		const struct tp_roof *at = &r->ops[i].at;
		double self = (double)r->ops[i].op->self_ps;

		if (!has_place(at)) {
			out->impossible += at->impossible;
			out->no_flop += !at->impossible && !(at->amount[TP_PEAK_FLOP] > 0);
			out->no_bytes += !at->impossible && at->amount[TP_PEAK_FLOP] > 0;
			continue;
		}
		if (s->point_count == MOST_POINTS + 2 || self < LEAST_SHARE * (double)o->busy_ps) {
			out->small++;
			continue;
		}
		struct tp_point *point = &points[s->point_count++];

		*point =
			point_of(at, named < NAMED ? TP_POINT_NAMED : TP_POINT_OTHER, r->ops[i].op->op->label);
		point->weight = self;
		point->hue = r->ops[i].op->hue;
		point->number = named < NAMED ? (unsigned)i + 1 : 0;
		named++;
	}
	s->points = points;
}

/* Writing that is as fast as reading needs no line of its own. */
static bool
is_second(const struct tp_roofline *r, int kind)
{
	return (kind == TP_PEAK_CMEM_WRITE || kind == TP_PEAK_VMEM_WRITE) &&
		r->peak[kind] == r->peak[kind - 1];
}

static struct tp_slice
ceiling_label(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, enum tp_peak_kind kind)
{
	struct tp_slice figure = tp_say_value(ctx,
		tp_number(r->peak[kind], kind == TP_PEAK_FLOP ? TP_UNIT_FLOP_PER_S : TP_UNIT_BYTES_PER_S));

	if (kind + 1 < TP_OP_LIMITS && is_second(r, kind + 1))
		return tp_arena_printf(
			ctx->keep, "%s %.*s", kind == TP_PEAK_CMEM_READ ? "CMEM" : "VMEM", TP_ARG(figure));
	return tp_arena_printf(ctx->keep, "%.*s %.*s", TP_ARG(tp_op_limit(kind)), TP_ARG(figure));
}

static void
add_ceilings(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_scatter *s)
{
	static const char *const keys[TP_OP_LIMITS] = {
		"compute", "hbm", "cmem_read", "cmem_write", "vmem_read", "vmem_write"};
	struct tp_ceiling *ceilings = tp_new_array(ctx->keep, struct tp_ceiling, TP_OP_LIMITS);

	for (int k = 0; k < TP_OP_LIMITS; k++) {
		if (!(r->peak[k] > 0) || is_second(r, k))
			continue;
		ceilings[s->ceiling_count++] = (struct tp_ceiling){
			.key = tp_slice_of(keys[k]),
			.label = ceiling_label(ctx, r, (enum tp_peak_kind)k),
			.y = k == TP_PEAK_FLOP ? r->peak[k] : 0,
			.slope = k == TP_PEAK_FLOP ? 0 : r->peak[k],
			.minor = k > TP_PEAK_HBM,
		};
	}
	s->ceilings = ceilings;
}

static struct tp_slice
alt_of(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, const struct tp_scatter *s)
{
	return tp_arena_printf(ctx->keep, text_chart_alt, s->point_count,
		TP_ARG(tp_say_value(ctx, tp_number(r->peak[TP_PEAK_FLOP], TP_UNIT_FLOP_PER_S))),
		TP_ARG(tp_say_value(ctx, tp_number(r->peak[TP_PEAK_HBM], TP_UNIT_BYTES_PER_S))),
		TP_ARG(tp_say_value(ctx, tp_number(r->program.rate[TP_PEAK_FLOP], TP_UNIT_FLOP_PER_S))),
		TP_ARG(tp_say_value(ctx, tp_number(r->program.intensity, TP_UNIT_FLOP_PER_BYTE))));
}

/* What marks mean, and what is not there. */
static void
explain(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, const struct left_out *out,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct {
		size_t count;
		const char *one, *many;
	} reasons[] = {
		{out->no_flop, text_one_no_flop, text_no_flop},
		{out->no_bytes, text_one_no_hbm, text_no_hbm},
		{out->impossible, text_asynchronous, text_asynchronous},
		{out->small, text_too_short, text_too_short},
	};
	struct tp_text text =
		r->has_step ? TP_SAY0(doc, text_legend_with_step) : TP_SAY0(doc, text_legend);
	bool any = false;

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		if (reasons[i].count == 0)
			continue;
		text = tp_doc_join(doc, text, TP_SAY0(doc, any ? ", " : text_not_in_chart));
		TP_SAY_MORE(
			doc, text, "{}", tp_say_number(ctx, reasons[i].count, reasons[i].one, reasons[i].many));
		any = true;
	}
	if (any)
		text = tp_doc_join(doc, text, TP_SAY0(doc, "."));
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "roofline/marks", text);
}

void
tp_roofline_chart(const struct tp_pass_ctx *ctx, const struct tp_roofline *r, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_scatter *s = tp_new(ctx->keep, struct tp_scatter);
	struct left_out out = {0};

	s->x_unit = TP_UNIT_FLOP_PER_BYTE;
	s->x_title = TP_S(text_x_axis);
	s->y_title = TP_S(text_y_axis);
	add_points(ctx, r, s, &out);
	add_ceilings(ctx, r, s);
	if (s->point_count == 0)
		return;
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("roofline/chart"))->chart = (struct tp_chart){
		.kind = TP_CHART_SCATTER,
		.alt = alt_of(ctx, r, s),
		.unit = TP_UNIT_FLOP_PER_S,
		.scatter = s,
	};
	explain(ctx, r, &out, doc, section);
}
