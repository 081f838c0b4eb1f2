/* What the report says about memory over time: each allocator's peak, its curve, and what was live at the peak. */
#include "analyze/memory/allocators.h"

#include "analyze/core/say.h"
#include "analyze/memory/memory.h"
#include "analyze/memory/memory_curve.h"
#include "base/arena.h"
#include "model/allocator.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_DETAILED = 16, MOST_ON_PAPER = 1 };

/* The curve: intervals of equal time, in each the least and the most, so that no peak is lost. An allocator that nothing
 * happens to stays as it was. */
struct interval {
	int64_t start_ps;             /* from the first event of the report */
	uint64_t stack_low, heap_low; /* the least of each in it */
	uint64_t stack, heap, free;   /* when most was in use: the first time that it was */
	bool free_known;
	double fragmentation; /* the most; NaN: not said */
	uint64_t events;
};

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
		[STACK_LOW] = {TP_LIT("stack_low"), .label = TP_LIT("Stack, at least"), .tint = 1},
		[STACK_UP] = {TP_LIT("stack_rise"), .label = TP_LIT("Stack, at times"), .tint = 2},
		[HEAP_LOW] = {TP_LIT("heap_low"), .label = TP_LIT("Heap, at least"), .tint = 0},
		[HEAP_UP] = {TP_LIT("heap_rise"), .label = TP_LIT("Heap, at times"), .tint = 3},
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
	curve.alt = tp_arena_printf(ctx->keep,
		"Memory in use of %.*s over time, from the first to the last event; the peak is %.*s, at "
		"%.*s.%s",
		TP_ARG(a->name), TP_ARG(tp_say_value(ctx, tp_number((double)a->peak_bytes, TP_UNIT_BYTES))),
		TP_ARG(tp_say_value(ctx, tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)))),
		c->count < a->event_count ? " Each column shows the min and max of an interval." : "");
	tp_memory_curve_chart(ctx, &curve, doc, parent, id);
}

#define MIB_COLUMN(key, title, ...)                                                                \
	TP_COLUMN(key, title, .unit = TP_UNIT_MIB, .decimals = 2, __VA_ARGS__)

static struct tp_value
free_bytes(bool known, uint64_t count)
{
	return known ? tp_bytes(count) : tp_missing(TP_S(TP_NO_FREE));
}

static const struct tp_column columns[] = {
	TP_COLUMN("allocator", "Allocator", .code = true, TP_TEXT_FIELD(struct tp_allocator, name)),
	MIB_COLUMN("peak_mib", "Peak", .sorted = true,
		TP_FIELD(struct tp_allocator, peak_bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("peak_share", "Of capacity", .bar = true,
		TP_FIELD(struct tp_allocator, peak_share, TP_UNIT_SHARE, .missing = TP_NO_FREE)),
	TP_TIME_COLUMN("peak_time_ms", "Peak at"),
	TP_COLUMN("peak_step", "In step",
		TP_TEXT_FIELD(struct tp_allocator, step, .missing = "in no step that counts")),
	TP_COUNT_COLUMN(
		"peak_times", "Peak reached, times", TP_COUNT_FIELD(struct tp_allocator, peak_times)),
	MIB_COLUMN("stack_mib", "Stack"),
	MIB_COLUMN("heap_mib", "Heap"),
	MIB_COLUMN("free_mib", "Free"),
	MIB_COLUMN("capacity_mib", "Capacity"),
	TP_SHARE_COLUMN("fragmentation_share", "Fragmentation"),
	TP_SHARE_COLUMN("fragmentation_most_share", "Max fragmentation",
		TP_FIELD(struct tp_allocator, fragmentation_most, TP_UNIT_SHARE,
			.missing = TP_NO_FRAGMENTATION)),
	MIB_COLUMN("lifetime_peak_mib", "Max heap ever",
		TP_FIELD(struct tp_allocator, lifetime_peak_bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("allocations", "Allocations", TP_COUNT_FIELD(struct tp_allocator, allocations)),
	TP_COUNT_COLUMN(
		"deallocations", "Deallocations", TP_COUNT_FIELD(struct tp_allocator, deallocations)),
	TP_COLUMN("host", "Host"),
};
struct cells {
	struct tp_cell allocator, peak, share, time, step, times, stack, heap, free, capacity,
		fragmentation, fragmentation_most, lifetime_peak, allocations, deallocations, host;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static void
allocator_row(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_draft *draft)
{
	const struct tp_allocator_event *e = a->peak;
	struct cells *cells = tp_draft_row_of(draft, a->name, TP_ROW_NORMAL, 0, a);

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

static const struct tp_column live_columns[] = {
	TP_COLUMN("framework_op", "For", .code = true),
	TP_COLUMN("total_mib", "Size", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true,
		TP_FIELD(struct tp_live_row, total_bytes, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN("count", "Pieces", TP_COUNT_FIELD(struct tp_live_row, count)),
	TP_COLUMN("block_mib", "Size of one", .unit = TP_UNIT_MIB, .decimals = 3,
		TP_FIELD(struct tp_live_row, block_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("requested_mib", "Requested", .unit = TP_UNIT_MIB, .decimals = 3,
		TP_FIELD(struct tp_live_row, requested_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("shape", "Shape", .code = true, TP_TEXT_FIELD(struct tp_live_row, shape)),
	TP_COLUMN("data_type", "Type", TP_TEXT_FIELD(struct tp_live_row, data_type)),
	TP_COLUMN("region", "Region", TP_TEXT_FIELD(struct tp_live_row, region)),
};
struct live_cells {
	struct tp_cell framework, total, count, block, requested, shape, data_type, region;
};
TP_CELLS_ARE_COLUMNS(struct live_cells, live_columns);

static void
live_row(const struct tp_live_row *r, struct tp_draft *draft)
{
	struct tp_slice name = r->role == TP_LIVE_EARLIER
		? TP_S("(allocated before the capture, or not recorded)")
		: r->role == TP_LIVE_STACK ? TP_S("(stack)")
		: r->framework.len != 0    ? r->framework
								   : TP_S("(no name)");
	struct live_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 0, r);

	cells->framework.value = tp_text_value(name);
}

static const struct tp_column time_columns[] = {
	TP_COLUMN("from_ms", "From", .unit = TP_UNIT_MS, .decimals = 3),
	MIB_COLUMN("stack_mib", "Stack at max", TP_FIELD(struct interval, stack, TP_UNIT_BYTES)),
	MIB_COLUMN("heap_mib", "Heap at max", TP_FIELD(struct interval, heap, TP_UNIT_BYTES)),
	MIB_COLUMN("free_mib", "Free at max"),
	MIB_COLUMN("stack_low_mib", "Min stack", TP_FIELD(struct interval, stack_low, TP_UNIT_BYTES)),
	MIB_COLUMN("heap_low_mib", "Min heap", TP_FIELD(struct interval, heap_low, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("fragmentation_share", "Max fragmentation",
		TP_FIELD(struct interval, fragmentation, TP_UNIT_SHARE, .missing = TP_NO_FRAGMENTATION)),
	TP_COUNT_COLUMN("events", "Events", TP_COUNT_FIELD(struct interval, events)),
};
struct time_cells {
	struct tp_cell from, stack, heap, free, stack_low, heap_low, fragmentation, events;
};
TP_CELLS_ARE_COLUMNS(struct time_cells, time_columns);

static void
over_time(const struct tp_pass_ctx *ctx, const struct curve *c, struct tp_doc *doc,
	struct tp_block *sub, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(doc, sub, tp_arena_printf(ctx->keep, "%s/over-time", id),
		"The curve as a table", time_columns);

	for (size_t i = 0; i < c->count; i++) {
		struct time_cells *cells = tp_draft_row_of(
			&draft, tp_arena_printf(ctx->scratch, "%zu", i), TP_ROW_NORMAL, 0, &c->intervals[i]);

		cells->from.value = tp_ps_in_ms((double)c->intervals[i].start_ps);
		cells->free.value = free_bytes(c->intervals[i].free_known, c->intervals[i].free);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S("Memory in use, in equal intervals");
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
		? TP_SAY(doc, "peak *{}* at {}, step {}", tp_bytes(a->peak_bytes),
			  tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)), tp_text_value(a->step))
		: TP_SAY(doc, "peak *{}* at {}", tp_bytes(a->peak_bytes),
			  tp_ps_in_ms((double)tp_allocator_time_ps(a, a->peak)));
	struct curve curve = curve_of(ctx, a);

	chart(ctx, a, &curve, doc, sub, tp_arena_printf(ctx->keep, "%s/curve", id_text).ptr);
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, sub, tp_arena_printf(ctx->keep, "%s/live", id_text).ptr, live_columns);

	for (size_t i = 0; i < a->row_count; i++)
		live_row(&a->rows[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("Live at the peak, similar allocations grouped");
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
		return TP_SAY(doc, "{} of that was allocated before the capture, or not recorded.", part);
	case TP_LIVE_STACK:
		return TP_SAY(doc, "{} of that is stack, reserved by programs while they run.", part);
	case TP_LIVE_RECORDED:
		return largest->framework.len != 0
			? TP_SAY(doc, "The largest part is `{}`: {}.", tp_text_value(largest->framework),
				  tp_bytes(largest->total_bytes))
			: TP_SAY(doc, "The largest allocation is unnamed: {}.", tp_bytes(largest->total_bytes));
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
			? TP_SAY(doc,
				  "peak *{memory.measured.peak_bytes}*, {memory.measured.peak_share} of the {} that `{}` may "
				  "use",
				  tp_bytes(a->capacity_bytes), name)
			: TP_SAY(doc, "peak *{memory.measured.peak_bytes}* of `{}`", name);
		return;
	}
	section->key_figure = tp_bytes(a->peak_bytes);
	section->answer = a->capacity_bytes != 0
		? TP_SAY(doc,
			  "At the peak {memory.measured.peak_bytes} were in use, {memory.measured.peak_share} "
			  "of the capacity of `{}`.",
			  name)
		: TP_SAY(doc, "At the peak {memory.measured.peak_bytes} of `{}` were in use.", name);
}

void
tp_allocators_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_allocators *all = result;
	struct tp_block *section =
		tp_memory_part(doc, "memory-over-time", "Memory over time", "Measured over time");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "memory-over-time/allocators", columns);

	answer(all, doc, &section->section);
	for (size_t i = 0; i < all->count; i++)
		allocator_row(ctx, &all->of[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Allocators by peak; figures without a time are at the peak");
	for (size_t i = 0; i < all->count && i < MOST_DETAILED; i++)
		detail(ctx, &all->of[i], doc, section, i >= MOST_ON_PAPER);
	tp_say_how(ctx, doc, section, "memory-over-time/how",
		"Each allocation and deallocation records its allocator's totals. In use are the stack "
		"(reserved) and the heap (allocated); the peak is the largest sum of both, of equal ones "
		"the last, and the allocator's memory is that sum plus free memory. Live at the peak is "
		"what was allocated in the capture and not freed at its address; the rest of the heap was "
		"allocated before, or preallocated. Fragmentation is the share of free memory outside its "
		"largest block, as reported by the allocator. The curve shows min and max per interval.");
	tp_say_source(ctx, doc, section, "memory-over-time/source",
		"events MemoryAllocation and MemoryDeallocation of host threads");
}
