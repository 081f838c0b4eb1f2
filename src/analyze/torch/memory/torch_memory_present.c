/* What the report says about PyTorch's memory: each device's peak, and of the fullest ones the curve and who asked for it. */
#include "analyze/core/say.h"
#include "analyze/memory/memory_curve.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/memory/torch_memory_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <stddef.h>
#include <string.h>

enum { MOST_DETAILED = 8, MOST_ON_PAPER = 1, SMALL_BYTES = 1 << 20 };

static struct tp_value
bytes(int64_t count, const struct tp_torch_pool *pool)
{
	if (count >= 0)
		return tp_integer(count, TP_UNIT_BYTES);
	return tp_missing(pool->has_totals ? TP_S(why_reserves_nothing) : TP_S(why_no_pool_totals));
}

static struct tp_value
when(const struct tp_torch_pool *pool)
{
	return tp_ps_in_ms((double)tp_torch_pool_time_ps(pool, pool->peak));
}

#define TRACE_COLUMNS TP_COLUMN("worker", "Worker", .code = true), TP_COUNT_COLUMN("span", "Span")

/* Of several traces a row says first which it is of; of a single one it says that last. */
static const struct tp_column columns[] = {
	TRACE_COLUMNS,
	TP_COLUMN("device", "Device", TP_TEXT_FIELD(struct tp_torch_pool, device)),
	TP_BYTES_COLUMN("peak_bytes", "Peak"),
	TP_SHARE_COLUMN("peak_share", "Of capacity", .bar = true),
	TP_BYTES_COLUMN("capacity_bytes", "Capacity"),
	TP_TIME_COLUMN("peak_time_ms", "Peak at"),
	TP_COLUMN("peak_step", "In step"),
	TP_BYTES_COLUMN("reserved_bytes", "Reserved at the peak"),
	TP_BYTES_COLUMN("unused_bytes", "Reserved, unused"),
	TP_BYTES_COLUMN("peak_reserved_bytes", "Max reserved"),
	TP_BYTES_COLUMN(
		"growth_bytes", "Max growth", TP_FIELD(struct tp_torch_pool, growth_most, TP_UNIT_BYTES)),
	TP_COUNT_COLUMN(
		"allocations", "Allocations", TP_COUNT_FIELD(struct tp_torch_pool, allocations)),
	TP_COUNT_COLUMN("releases", "Releases", TP_COUNT_FIELD(struct tp_torch_pool, releases)),
	TP_COUNT_COLUMN("open", "Never released"),
	TP_COUNT_COLUMN("earlier", "From before the trace"),
	TRACE_COLUMNS,
};
struct pool_cells {
	struct tp_cell device, peak, peak_share, capacity, peak_time, peak_step, reserved, unused,
		peak_reserved, growth, allocations, releases, open, earlier;
};
struct trace_cells {
	struct tp_cell worker, span;
};
struct all_cells {
	struct trace_cells first;
	struct pool_cells pool;
	struct trace_cells last;
};
TP_CELLS_ARE_COLUMNS(struct all_cells, columns);
enum {
	TRACE = TP_COLUMN_OF(struct all_cells, pool),
	POOL = sizeof(struct pool_cells) / sizeof(struct tp_cell)
};

static bool
several_traces(const struct tp_pass_ctx *ctx)
{
	return ctx->profile->torch->trace_count > 1;
}

static void
pool_row(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_draft *draft)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	struct tp_slice no_capacity = TP_S(why_no_pool_capacity);
	struct tp_slice no_address = TP_S(why_no_addresses);
	struct tp_cell *first = tp_draft_row_of(draft,
		tp_arena_printf(
			ctx->scratch, "%.*s/%u/%.*s", TP_ARG(t->worker), t->span_number, TP_ARG(pool->key)),
		TP_ROW_NORMAL, 0, pool);
	struct trace_cells *trace = (struct trace_cells *)(several_traces(ctx) ? first : first + POOL);
	struct pool_cells *cells = (struct pool_cells *)(several_traces(ctx) ? first + TRACE : first);

	trace->worker.value = tp_text_value(t->worker);
	trace->span.value = tp_count(t->span_number);
	cells->peak.value = bytes(pool->peak_bytes, pool);
	cells->peak_share.value = pool->has_totals
		? tp_share((double)pool->peak_bytes, (double)pool->capacity_bytes, no_capacity)
		: bytes(-1, pool);
	cells->peak_share.swatch = TP_HUE_MEMORY;
	cells->capacity.value = pool->capacity_bytes != 0
		? tp_number((double)pool->capacity_bytes, TP_UNIT_BYTES)
		: tp_missing(no_capacity);
	cells->peak_time.value = pool->has_totals ? when(pool) : bytes(-1, pool);
	cells->peak_step.value = !pool->has_totals ? bytes(-1, pool)
		: pool->step.len != 0                  ? tp_text_value(pool->step)
											   : tp_missing(TP_S(why_in_no_step));
	cells->reserved.value = bytes(pool->reserved_at_peak, pool);
	cells->unused.value = pool->reserved_at_peak >= 0
		? tp_integer(pool->reserved_at_peak - pool->peak_bytes, TP_UNIT_BYTES)
		: bytes(-1, pool);
	cells->peak_reserved.value = bytes(pool->peak_reserved, pool);
	cells->open.value = pool->has_addresses ? tp_count(pool->open) : tp_missing(no_address);
	cells->earlier.value = pool->has_addresses ? tp_count(pool->earlier) : tp_missing(no_address);
}

/* The curve: allocated, and what is reserved beyond. torch-tb-profiler thins its curve out to 10,240 points and may lose the peak;
 * here each interval of time has its least and its most. */
enum { LOW, RISE, RESERVED, SERIES };

/* Records that say how much is allocated; the others are of no use here. */
static uint32_t *
with_totals(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, size_t *count)
{
	uint32_t *records = tp_new_array(ctx->scratch, uint32_t, pool->count);

	*count = 0;
	for (uint32_t i = 0; i < pool->count; i++) {
		if (pool->records[i]->allocated_bytes >= 0)
			records[(*count)++] = i;
	}
	return records;
}

/* The least and the most allocated in an interval, and the most reserved. */
static void
measure(const struct tp_torch_pool *pool, const uint32_t *records,
	const struct tp_memory_interval *s, double values[static SERIES])
{
	int64_t low = INT64_MAX, most = 0, reserved = 0;

	for (size_t k = s->first != 0 ? s->first - 1 : 0; k < s->end; k++) {
		const struct tp_torch_memory *m = pool->records[records[k]];

		low = m->allocated_bytes < low ? m->allocated_bytes : low;
		most = m->allocated_bytes > most ? m->allocated_bytes : most;
		reserved = m->reserved_bytes > reserved ? m->reserved_bytes : reserved;
	}
	values[LOW] = (double)low;
	values[RISE] = (double)most - (double)low;
	values[RESERVED] = reserved > most ? (double)reserved - (double)most : 0;
}

static void
curve(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	static const struct tp_series named[SERIES] = {
		[LOW] = {.key = TP_LIT("allocated_low"), .label = TP_LIT("Allocated, lowest"), .tint = 0},
		[RISE] = {.key = TP_LIT("allocated_rise"),
			.label = TP_LIT("Allocated, up to highest"),
			.tint = 2},
		[RESERVED] = {.key = TP_LIT("reserved"),
			.label = TP_LIT("Reserved, not allocated"),
			.tint = TP_TINT_UNUSED},
	};
	size_t count, interval_count;
	const uint32_t *records = with_totals(ctx, pool, &count);
	int64_t *times_ps = tp_new_array(ctx->scratch, int64_t, count);

	for (size_t i = 0; i < count; i++)
		times_ps[i] = tp_torch_pool_time_ps(pool, records[i]);
	const struct tp_memory_interval *intervals =
		tp_memory_intervals(ctx, times_ps, count, &interval_count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, SERIES);
	int64_t *start_ps = tp_new_array(ctx->scratch, int64_t, interval_count);
	double *values[SERIES];
	struct tp_memory_curve drawn = {.unit = TP_UNIT_BYTES,
		.series = series,
		.point_count = interval_count,
		.start_ps = start_ps,
		.marked = SIZE_MAX,
		.marked_ps = tp_torch_pool_time_ps(pool, pool->peak),
		.marked_bytes = (uint64_t)pool->peak_bytes,
		.top_bytes = (uint64_t)(pool->peak_reserved > pool->peak_bytes ? pool->peak_reserved
																	   : pool->peak_bytes),
		.capacity_bytes = pool->capacity_bytes};

	for (int k = 0; k < SERIES; k++)
		values[k] = tp_new_array(ctx->keep, double, interval_count);
	for (size_t i = 0; i < interval_count; i++) {
		double of[SERIES];

		measure(pool, records, &intervals[i], of);
		for (int k = 0; k < SERIES; k++)
			values[k][i] = of[k];
		start_ps[i] = intervals[i].start_ps;
		for (size_t k = intervals[i].first; k < intervals[i].end; k++)
			drawn.marked = records[k] == pool->peak ? i : drawn.marked;
	}
	for (int k = 0; k < SERIES; k++) {
		if (k == RESERVED && !pool->accelerator)
			continue;
		series[drawn.series_count] = named[k];
		series[drawn.series_count].hue = TP_HUE_MEMORY;
		series[drawn.series_count++].values = values[k];
	}
	drawn.alt = tp_arena_printf(ctx->keep, text_curve_alt, TP_ARG(pool->device),
		TP_ARG(tp_say_value(ctx, tp_integer(pool->peak_bytes, TP_UNIT_BYTES))),
		TP_ARG(tp_say_value(ctx, when(pool))), interval_count < count ? text_curve_intervals : "");
	tp_memory_curve_chart(ctx, &drawn, doc, parent, id);
}

/* "peak 6.17 GiB of 31.7 GiB at 1.62 s, step 6" */
static struct tp_text
peak_in_words(const struct tp_torch_pool *pool, struct tp_doc *doc)
{
	struct tp_text text = TP_SAY(doc, "peak *{}*", bytes(pool->peak_bytes, pool));

	if (pool->capacity_bytes != 0)
		TP_SAY_MORE(doc, text, " of {}", tp_number((double)pool->capacity_bytes, TP_UNIT_BYTES));
	TP_SAY_MORE(doc, text, " at {}", when(pool));
	if (pool->step.len != 0)
		TP_SAY_MORE(doc, text, ", step {}", tp_text_value(pool->step));
	return text;
}

/* The first stands open; others only with a curve that is worth its room. */
static void
detail(const struct tp_pass_ctx *ctx, const struct tp_torch_pool *pool, struct tp_doc *doc,
	struct tp_block *section, size_t place)
{
	const struct tp_torch *torch = ctx->profile->torch;
	const struct tp_torch_trace *t = torch->traces[pool->trace];
	struct tp_slice title = torch->trace_count == 1
		? pool->device
		: tp_arena_printf(
			  ctx->keep, "%.*s of %.*s", TP_ARG(pool->device), TP_ARG(tp_torch_who(ctx, t)));
	struct tp_slice key = tp_arena_printf(
		ctx->scratch, "%.*s:%u:%.*s", TP_ARG(t->worker), t->span_number, TP_ARG(pool->key));
	const char *id = tp_doc_id(doc, "torch-memory/of", key).ptr;
	bool folded = place > 0 && (!pool->has_totals || pool->peak_bytes < SMALL_BYTES);
	struct tp_block *sub =
		tp_doc_section(doc, section, folded ? TP_SECTION_FOLD : TP_SECTION_SUB, id, title.ptr);

	sub->section.off_paper = folded || place >= MOST_ON_PAPER;
	if (pool->has_totals) {
		sub->section.aside = peak_in_words(pool, doc);
		curve(ctx, pool, doc, sub, tp_arena_printf(ctx->keep, "%s/curve", id).ptr);
	} else {
		sub->section.aside =
			TP_SAY(doc, text_growth_aside, tp_integer(pool->growth_most, TP_UNIT_BYTES));
		if (!folded)
			tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL,
				tp_arena_printf(ctx->keep, "%s/no-curve", id).ptr, TP_SAY0(doc, text_no_curve));
	}
	tp_torch_pool_tables(ctx, pool, doc, sub, id);
}

/* What the peak consists of; what was there before the trace has no name, so the next row is told as well. */
static struct tp_text
most_live(const struct tp_torch_pool *pool, struct tp_doc *doc)
{
	const struct tp_torch_live_row *first = &pool->live[0];
	struct tp_value part =
		tp_share((double)first->bytes, (double)pool->peak_bytes, TP_S(why_nothing_allocated));

	if (first->earlier && pool->live_count > 1)
		return TP_SAY(doc, text_earlier_and_largest, part,
			tp_text_value(tp_torch_memory_name(pool->live[1].name)),
			tp_integer((int64_t)pool->live[1].bytes, TP_UNIT_BYTES));
	if (first->earlier)
		return TP_SAY(doc, text_earlier, part);
	return TP_SAY(doc, text_largest, part, tp_text_value(tp_torch_memory_name(first->name)));
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_torch_memories *all, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_torch_pool *pool = &all->pools[0];
	struct tp_value device = tp_text_value(pool->device);
	struct tp_value who =
		tp_text_value(tp_torch_who(ctx, ctx->profile->torch->traces[pool->trace]));

	if (!pool->has_totals) {
		section->section.key_figure = tp_missing(TP_S(why_no_growth));
		section->section.answer = TP_SAY(doc, text_growth, device, who);
		section->section.so_what = TP_SAY0(doc, text_no_totals);
		return;
	}
	section->section.key_figure = bytes(pool->peak_bytes, pool);
	section->section.answer = pool->capacity_bytes != 0
		? TP_SAY(doc, text_peak_of_capacity, device, who)
		: TP_SAY(doc, text_peak, device, who);
	if (pool->live_count != 0 && pool->peak_bytes != 0)
		section->section.so_what = most_live(pool, doc);
}

static void
say_how_to_capture(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "torch-memory", "Memory");

	section->section.key_figure = tp_text_value(TP_S("–"));
	section->section.answer = TP_SAY0(doc, text_none_recorded);
	if (tp_torch_asked_for(ctx->profile->torch) & TP_TORCH_MEMORY) {
		section->section.so_what = TP_SAY0(doc, text_requested);
		return;
	}
	section->section.so_what = TP_SAY0(doc, text_how_to_record);
}

/* What kernels call the only GPU of a trace, where its memory is that of the only allocator on one; TP_NONE: it is the same, or
 * there are several. */
static uint32_t
number_among_kernels(const struct tp_pass_ctx *ctx, const struct tp_torch_memories *all,
	const struct tp_torch_pool *pool)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[pool->trace];
	uint32_t *gpus = tp_new_array(ctx->scratch, uint32_t, t->lane_count);
	size_t pools = 0;

	for (size_t i = 0; i < all->count; i++)
		pools += all->pools[i].trace == pool->trace && all->pools[i].accelerator;
	return pool->accelerator && pools == 1 && tp_torch_gpus_of(t, gpus) == 1 &&
			pool->device_id >= 0 && gpus[0] != (uint32_t)pool->device_id
		? gpus[0]
		: TP_NONE;
}

static void
say_number(const struct tp_pass_ctx *ctx, const struct tp_torch_memories *all, struct tp_doc *doc,
	struct tp_block *section)
{
	uint32_t number = number_among_kernels(ctx, all, &all->pools[0]);

	if (number != TP_NONE)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "torch-memory/number",
			TP_SAY(doc, text_number, tp_text_value(all->pools[0].device), tp_count(number)));
}

static void
notices(const struct tp_pass_ctx *ctx, const struct tp_torch_memories *all, struct tp_doc *doc,
	struct tp_block *section)
{
	if (all->traces_without != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "torch-memory/without",
			TP_SAY(doc, all->traces_without == 1 ? text_trace_without : text_traces_without,
				tp_count(all->traces_without),
				tp_say_number(ctx, ctx->profile->torch->trace_count, "trace", "traces")));
	if (all->count > MOST_DETAILED)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "torch-memory/detailed",
			TP_SAY(doc, text_detailed, tp_say_number(ctx, all->count, "device", "devices"),
				tp_count(MOST_DETAILED)));
	if (all->left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "torch-memory/left-out",
			TP_SAY(doc, text_devices_left_out,
				tp_say_number(ctx, all->left_out, "record", "records")));
}

void
tp_torch_memory_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_memories *all = result;

	if (all->count == 0) {
		say_how_to_capture(ctx, doc);
		return;
	}
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "torch-memory", "Memory");
	struct tp_draft draft = tp_draft_table(doc, section, "torch-memory/devices",
		columns + (several_traces(ctx) ? 0 : TRACE), TRACE + POOL);

	answer(ctx, all, doc, section);
	for (size_t i = 0; i < all->count; i++)
		pool_row(ctx, &all->pools[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_pools);
	say_number(ctx, all, doc, section);
	notices(ctx, all, doc, section);
	for (size_t i = 0; i < all->count && i < MOST_DETAILED; i++)
		detail(ctx, &all->pools[i], doc, section, i);
	tp_say_how(ctx, doc, section, "torch-memory/how", how_torch_memory);
	tp_say_source(ctx, doc, section, "torch-memory/source", source_torch_memory);
}
