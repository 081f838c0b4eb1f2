/* What the report says about memory over time: each allocator's peak, its curve, and what was live at the peak. */
#include "analyze/memory/allocators.h"

#include "analyze/core/say.h"
#include "analyze/memory/allocators_columns.h"
#include "analyze/memory/allocators_words.h"
#include "analyze/memory/memory.h"
#include "analyze/memory/memory_curve.h"
#include "base/arena.h"
#include "model/allocator.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_DETAILED = 16, MOST_ON_PAPER = 1 };

static void
take(struct interval *c, const struct tp_allocator_event *e, bool first)
{
	if (first || e->stack_bytes < c->stack_low)
		c->stack_low = e->stack_bytes;
	if (first || e->heap_bytes < c->heap_low)
		c->heap_low = e->heap_bytes;
	if (first || e->stack_bytes + e->heap_bytes > c->stack + c->heap) {
		c->stack = e->stack_bytes;
		c->heap = e->heap_bytes;
		c->free = e->free_bytes;
		c->free_known = e->free_known;
	}
	c->fragmentation = first ? e->fragmentation : fmax(c->fragmentation, e->fragmentation);
}

struct curve {
	struct interval *intervals;
	size_t count;
};

static struct curve
curve_of(const struct tp_pass_ctx *ctx, const struct tp_allocator *a)
{
	struct curve curve = {0};
	int64_t *times_ps = tp_new_array(ctx->scratch, int64_t, a->event_count);

	for (size_t i = 0; i < a->event_count; i++)
		times_ps[i] = tp_allocator_time_ps(a, a->events[i]);
	const struct tp_memory_interval *intervals =
		tp_memory_intervals(ctx, times_ps, a->event_count, &curve.count);

	curve.intervals = tp_new_array(ctx->scratch, struct interval, curve.count);
	for (size_t i = 0; i < curve.count; i++) {
		const struct tp_memory_interval *s = &intervals[i];
		struct interval *c = &curve.intervals[i];

		c->start_ps = s->start_ps;
		c->events = s->end - s->first;
		for (size_t k = s->first != 0 ? s->first - 1 : 0; k < s->end; k++)
			take(c, a->events[k], k == 0 || k + 1 == s->first);
	}
	return curve;
}

static const double mib = 1 << 20;

enum { STACK_LOW, STACK_UP, HEAP_LOW, HEAP_UP, SERIES };

static double
part(const struct interval *c, size_t series)
{
	switch (series) {
	case STACK_LOW:
		return (double)c->stack_low / mib;
	case STACK_UP:
		return (double)(c->stack - c->stack_low) / mib;
	case HEAP_LOW:
		return (double)c->heap_low / mib;
	default:
		return (double)(c->heap - c->heap_low) / mib;
	}
}

static size_t
fill_series(const struct tp_pass_ctx *ctx, const struct curve *c, struct tp_series *out)
{
	static const struct tp_series named[SERIES] = {
		[STACK_LOW] = {TP_LIT("stack_low"), .label = TP_LIT(label_stack_low), .tint = 1},
		[STACK_UP] = {TP_LIT("stack_rise"), .label = TP_LIT(label_stack_rise), .tint = 2},
		[HEAP_LOW] = {TP_LIT("heap_low"), .label = TP_LIT(label_heap_low), .tint = 0},
		[HEAP_UP] = {TP_LIT("heap_rise"), .label = TP_LIT(label_heap_rise), .tint = 3},
	};
	size_t count = 0;

	for (size_t k = 0; k < SERIES; k++) {
		double *values = tp_new_array(ctx->keep, double, c->count);
		bool any = false;

		for (size_t i = 0; i < c->count; i++) {
			values[i] = part(&c->intervals[i], k);
			any |= values[i] > 0;
		}
		if (!any && (k != HEAP_UP || count != 0))
			continue;
		out[count] = named[k];
		out[count].hue = TP_HUE_MEMORY;
		out[count++].values = values;
	}
	return count;
}

static void
chart(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, const struct curve *c,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, SERIES);
	int64_t *start_ps = tp_new_array(ctx->scratch, int64_t, c->count);
	struct tp_memory_curve curve = {.unit = TP_UNIT_MIB,
		.series = series,
		.series_count = fill_series(ctx, c, series),
		.point_count = c->count,
		.start_ps = start_ps,
		.marked = SIZE_MAX,
		.marked_ps = tp_allocator_time_ps(a, a->peak),
		.top_bytes = a->peak_bytes,
		.capacity_bytes = a->capacity_bytes};

	for (size_t i = c->count; i-- > 0;) {
		const struct interval *at = &c->intervals[i];

		start_ps[i] = at->start_ps;
		/* Of equal peaks the last, as in the text. */
		if (at->stack + at->heap == a->peak_bytes && curve.marked == SIZE_MAX)
			curve.marked = i;
	}
	curve.alt = tp_arena_printf(ctx->keep, text_curve_alt, TP_ARG(a->name),
		TP_ARG(tp_say_value(ctx, tp_number((double)a->peak_bytes, TP_UNIT_BYTES))),
		TP_ARG(tp_say_value(ctx, tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)))),
		c->count < a->event_count ? text_curve_intervals : "");
	tp_memory_curve_chart(ctx, &curve, doc, parent, id);
}

static struct tp_value
free_bytes(bool known, uint64_t count)
{
	return known ? tp_bytes(count) : tp_missing(TP_S(TP_NO_FREE));
}

static void
allocator_row(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_draft *draft)
{
	const struct tp_allocator_event *e = a->peak;
	struct allocator_cells *cells = tp_draft_row_of(draft, a->name, TP_ROW_NORMAL, 0, a);

	cells->share.swatch = TP_HUE_MEMORY;
	cells->time.value = tp_ps_in_ms((double)tp_allocator_time_ps(a, e));
	cells->stack.value = tp_bytes(e->stack_bytes);
	cells->heap.value = tp_bytes(e->heap_bytes);
	cells->free.value = free_bytes(e->free_known, e->free_bytes);
	cells->capacity.value = free_bytes(e->free_known, a->capacity_bytes);
	cells->fragmentation.value =
		tp_number_or(e->fragmentation, TP_UNIT_SHARE, TP_S(TP_NO_FRAGMENTATION));
	cells->host.value = tp_text_value(ctx->profile->hosts[a->host].name);
}

static void
live_row(const struct tp_live_row *r, struct tp_draft *draft)
{
	struct tp_slice name = r->role == TP_LIVE_EARLIER ? TP_S(text_allocated_earlier)
		: r->role == TP_LIVE_STACK                    ? TP_S("(stack)")
		: r->framework.len != 0                       ? r->framework
													  : TP_S("(no name)");
	struct live_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, r);

	cells->framework.value = tp_text_value(name);
}

static void
over_time(const struct tp_pass_ctx *ctx, const struct curve *c, struct tp_doc *doc,
	struct tp_block *sub, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(
		doc, sub, tp_arena_printf(ctx->keep, "%s/over-time", id), title_curve, time_columns);

	for (size_t i = 0; i < c->count; i++) {
		struct time_cells *cells = tp_draft_row_of(
			&draft, tp_arena_printf(ctx->scratch, "%zu", i), TP_ROW_NORMAL, 0, &c->intervals[i]);

		cells->from.value = tp_ps_in_ms((double)c->intervals[i].start_ps);
		cells->free.value = free_bytes(c->intervals[i].free_known, c->intervals[i].free);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_curve);
}

static void
detail(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_doc *doc,
	struct tp_block *section, bool off_paper)
{
	struct tp_slice host = ctx->profile->hosts[a->host].name;
	struct tp_slice title = ctx->profile->host_count > 1
		? tp_arena_printf(ctx->keep, "%.*s on %.*s", TP_ARG(a->name), TP_ARG(host))
		: tp_arena_copy(ctx->keep, a->name);
	struct tp_slice id = tp_doc_id(doc, "memory-over-time/of", a->key);
	const char *id_text = tp_arena_copy(ctx->keep, id).ptr;
	struct tp_block *sub = tp_doc_section(doc, section, TP_SECTION_SUB, id_text, title.ptr);

	sub->section.off_paper = off_paper;
	sub->section.aside = a->step.len != 0
		? TP_SAY(doc, text_allocator_aside_step, tp_bytes(a->peak_bytes),
			  tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)), tp_text_value(a->step))
		: TP_SAY(doc, text_allocator_aside, tp_bytes(a->peak_bytes),
			  tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)));
	struct curve curve = curve_of(ctx, a);

	chart(ctx, a, &curve, doc, sub, tp_arena_printf(ctx->keep, "%s/curve", id_text).ptr);
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, sub, tp_arena_printf(ctx->keep, "%s/live", id_text).ptr, live_columns);

	for (size_t i = 0; i < a->row_count; i++)
		live_row(&a->rows[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_live);
	over_time(ctx, &curve, doc, sub, id_text);
}

/* What fills it at the peak. */
static struct tp_text
say_largest(const struct tp_allocator *a, struct tp_doc *doc)
{
	const struct tp_live_row *largest = a->row_count != 0 ? &a->rows[0] : NULL;

	if (largest == NULL || a->peak_bytes == 0)
		return TP_SAY0(doc, "");
	struct tp_value part = tp_share((double)largest->total_bytes, (double)a->peak_bytes, TP_S(""));

	switch (largest->role) {
	case TP_LIVE_EARLIER:
		return TP_SAY(doc, text_earlier, part);
	case TP_LIVE_STACK:
		return TP_SAY(doc, text_stack, part);
	case TP_LIVE_RECORDED:
		return largest->framework.len != 0
			? TP_SAY(doc, text_largest, tp_text_value(largest->framework),
				  tp_bytes(largest->total_bytes))
			: TP_SAY(doc, text_largest_unnamed, tp_bytes(largest->total_bytes));
	}
	return TP_SAY0(doc, "");
}

static void
answer(const struct tp_allocators *all, struct tp_doc *doc, struct tp_section *section)
{
	const struct tp_allocator *a = &all->of[0];
	struct tp_value name = tp_text_value(a->name);

	section->so_what = say_largest(a, doc);
	if (section->role != TP_SECTION_MAIN) {
		section->aside = a->capacity_bytes != 0
			? TP_SAY(doc, text_aside_of_capacity, tp_bytes(a->capacity_bytes), name)
			: TP_SAY(doc, text_aside, name);
		return;
	}
	section->key_figure = tp_bytes(a->peak_bytes);
	section->answer = a->capacity_bytes != 0 ? TP_SAY(doc, text_peak_of_capacity, name)
											 : TP_SAY(doc, text_peak, name);
}

void
tp_allocators_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_allocators *all = result;
	struct tp_block *section =
		tp_memory_part(doc, "memory-over-time", "Memory over time", title_over_time);
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, section, "memory-over-time/allocators", allocator_columns);

	answer(all, doc, &section->section);
	for (size_t i = 0; i < all->count; i++)
		allocator_row(ctx, &all->of[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_allocators);
	for (size_t i = 0; i < all->count && i < MOST_DETAILED; i++)
		detail(ctx, &all->of[i], doc, section, i >= MOST_ON_PAPER);
	tp_say_how(ctx, doc, section, "memory-over-time/how", how_over_time);
	tp_say_source(ctx, doc, section, "memory-over-time/source", source_over_time);
}
