/* The curve of an allocator as data. */
#include "analyze/memory/allocators.h"

#include "analyze/memory/memory_curve.h"
#include "base/arena.h"
#include "model/allocator.h"
#include "report/doc.h"

static const double mib = 1 << 20;

enum { STACK_LOW, STACK_UP, HEAP_LOW, HEAP_UP, SERIES };

static double
part(const struct tp_allocator_column *c, size_t series)
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
fill_series(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_series *out)
{
	static const struct tp_series named[SERIES] = {
		[STACK_LOW] = {.key = {"stack_low", 9}, .label = {"Stack, at least", 15}, .tint = 1},
		[STACK_UP] = {.key = {"stack_rise", 10}, .label = {"Stack, at times", 15}, .tint = 2},
		[HEAP_LOW] = {.key = {"heap_low", 8}, .label = {"Heap, at least", 14}, .tint = 0},
		[HEAP_UP] = {.key = {"heap_rise", 9}, .label = {"Heap, at times", 14}, .tint = 3},
	};
	size_t count = 0;

	for (size_t k = 0; k < SERIES; k++) {
		double *values = tp_new_array(ctx->keep, double, a->column_count);
		bool any = false;

		for (size_t i = 0; i < a->column_count; i++) {
			values[i] = part(&a->columns[i], k);
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

void
tp_allocator_chart(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, SERIES);
	int64_t *start_ps = tp_new_array(ctx->scratch, int64_t, a->column_count);
	struct tp_memory_curve curve = {.unit = TP_UNIT_MIB,
		.series = series,
		.series_count = fill_series(ctx, a, series),
		.point_count = a->column_count,
		.start_ps = start_ps,
		.marked = SIZE_MAX,
		.top_bytes = a->peak_bytes,
		.capacity_bytes = a->capacity_bytes};
	char peak[TP_VALUE_BUF], when[TP_VALUE_BUF];

	for (size_t i = a->column_count; i-- > 0;) {
		const struct tp_allocator_column *c = &a->columns[i];

		start_ps[i] = c->start_ps;
		/* Of equal peaks the last, as in the text. */
		if (c->stack + c->heap == a->peak_bytes && curve.marked == SIZE_MAX)
			curve.marked = i;
	}
	curve.alt = tp_arena_printf(ctx->keep,
		"Memory in use of %.*s over time, from the first to the last event; the peak is %.*s, at "
		"%.*s.%s",
		TP_ARG(a->name),
		TP_ARG(tp_value_text(tp_number((double)a->peak_bytes, TP_UNIT_BYTES), peak)),
		TP_ARG(tp_value_text(tp_integer(a->peak->time_ps, TP_UNIT_PS), when)),
		a->column_count < a->event_count
			? " Each column shows the least and the most of a stretch of time."
			: "");
	tp_memory_curve_chart(ctx, &curve, doc, parent, id);
}
