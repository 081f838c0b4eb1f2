/* Curves of scalars by step, each within its own least and greatest value: of more points than can be seen, each stretch keeps its
 * least and its greatest. */
#include "analyze/job/scalars.h"

#include "analyze/say.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/events.h"
#include "report/doc.h"

#include <math.h>

enum { MOST_CURVES = 12, CURVES_A_CHART = 4, STRETCHES = 200 };

/* The least and the greatest of a stretch of steps, in the order in which they come. */
struct stretch {
	bool any;
	double least, most, least_at, most_at;
};

static void
put(struct stretch *s, double step, double value)
{
	if (!s->any || value < s->least) {
		s->least = value;
		s->least_at = step;
	}
	if (!s->any || value > s->most) {
		s->most = value;
		s->most_at = step;
	}
	s->any = true;
}

static size_t
add(struct tp_curve *c, double x, double y)
{
	((double *)c->xs)[c->count] = x;
	((double *)c->ys)[c->count] = y;
	return c->count++;
}

static struct tp_curve
curve_of(const struct tp_pass_ctx *ctx, const struct tp_scalar *s, double low, double high)
{
	struct stretch *all = tp_new_array(ctx->scratch, struct stretch, STRETCHES);
	struct tp_curve c = {
		.xs = tp_new_array(ctx->keep, double, 2 * STRETCHES),
		.ys = tp_new_array(ctx->keep, double, 2 * STRETCHES),
	};

	for (const struct tp_event_points *p = s->series->points; p != NULL; p = p->next) {
		for (uint32_t i = 0; i < p->count; i++) {
			double share = high > low ? ((double)p->step[i] - low) / (high - low) : 0;
			size_t at = (size_t)(fmin(fmax(share, 0), 1) * (STRETCHES - 1) + .5);

			if (isfinite(p->value[i]))
				put(&all[at], (double)p->step[i], (double)p->value[i]);
		}
	}
	for (size_t i = 0; i < STRETCHES; i++) {
		const struct stretch *t = &all[i];

		if (!t->any)
			continue;
		bool least_first = t->least_at <= t->most_at;

		add(&c, least_first ? t->least_at : t->most_at, least_first ? t->least : t->most);
		if (t->least_at != t->most_at)
			add(&c, least_first ? t->most_at : t->least_at, least_first ? t->most : t->least);
	}
	return c;
}

/* The curves from this one on, as one chart: few enough to find room on a page. */
static void
chart_of(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct tp_curves *some, uint32_t from)
{
	struct tp_curves *curves = tp_new(ctx->keep, struct tp_curves);
	struct tp_slice id = from == 0
		? TP_S("whole-run/curves")
		: tp_arena_printf(ctx->keep, "whole-run/curves-%u", from / CURVES_A_CHART + 1);
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_CHART, id);
	struct tp_slice names = TP_S("");

	*curves = *some;
	for (size_t i = 0; i < some->curve_count; i++)
		names = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(names), i != 0 ? ", " : "",
			TP_ARG(some->curves[i].label));
	block->chart = (struct tp_chart){
		.kind = TP_CHART_CURVES,
		.alt = tp_arena_printf(ctx->keep,
			"Over steps %.0f to %.0f, each between its least and its greatest value: %.*s.",
			some->low, some->high, TP_ARG(names)),
		.unit = TP_UNIT_NONE,
		.marked = SIZE_MAX,
		.curves = curves,
	};
}

void
tp_scalars_chart(const struct tp_pass_ctx *ctx, const struct tp_scalars *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_scalar_pace *pace = &s->runs[s->main].pace;
	struct tp_curve *list = tp_new_array(ctx->keep, struct tp_curve, MOST_CURVES);
	double low = INFINITY, high = -INFINITY;
	uint32_t fit = 0, shown = 0;

	for (uint32_t i = 0; i < s->scalar_count; i++) {
		const struct tp_scalar *k = &s->scalars[i];

		if (k->least_step == k->most_step || isnan(k->least))
			continue;
		if (fit++ >= MOST_CURVES)
			continue;
		low = fmin(low, (double)k->least_step);
		high = fmax(high, (double)k->most_step);
	}
	if (fit == 0)
		return;
	for (uint32_t i = 0; i < s->scalar_count && shown < MOST_CURVES; i++) {
		const struct tp_scalar *k = &s->scalars[i];

		if (k->least_step == k->most_step || isnan(k->least))
			continue;
		struct tp_slice tag = tp_utf8_clean(ctx->keep, k->series->tag);
		struct tp_curve *c = &list[shown++];

		*c = curve_of(ctx, k, low, high);
		c->label = tag.len == 0 ? TP_S("(no tag)")
			: s->run_count == 1
			? tag
			: tp_arena_printf(ctx->keep, "%.*s · %.*s", TP_ARG(tag), TP_ARG(s->runs[k->run].name));
		c->points = k->points;
	}
	for (uint32_t from = 0; from < shown; from += CURVES_A_CHART)
		chart_of(ctx, doc, section,
			&(struct tp_curves){
				.curves = list + from,
				.curve_count = shown - from < CURVES_A_CHART ? shown - from : CURVES_A_CHART,
				.x_title = TP_S("step"),
				.low = low,
				.high = high,
				.window_from = pace->window_from_step,
				.window_to = pace->window_to_step,
				.window_label = TP_S("profile"),
			},
			from);
	if (fit > shown)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "whole-run/more-curves",
			TP_SAY(doc, "{} are in the table alone.",
				tp_say_number(ctx, fit - shown, "more scalar", "more scalars")));
}
