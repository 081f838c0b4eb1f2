/* What the report says about memory over time: each allocator's peak, its curve, and what was live at the peak. */
#include "analyze/memory/allocators.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/allocator.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_DETAILED = 16, MOST_ON_PAPER = 1 };

static const char earlier[] = "(allocated before the capture, or not recorded)";
static const char stack[] = "(stack)";

static struct tp_value
free_bytes(bool known, uint64_t count)
{
	return known ? tp_bytes(count)
				 : tp_missing(TP_S("the allocator does not say how much is free"));
}

static struct tp_value
fragmentation(double share)
{
	return isfinite(share) ? tp_number(share, TP_UNIT_SHARE)
						   : tp_missing(TP_S("the allocator does not say it"));
}

static struct tp_value
when(int64_t time_ps)
{
	return tp_number((double)time_ps / 1e9, TP_UNIT_MS);
}

static const struct tp_column columns[] = {
	TP_COLUMN("allocator", "Allocator", .code = true),
	TP_COLUMN("peak_mib", "Peak", .unit = TP_UNIT_MIB, .decimals = 2, .sorted = true),
	TP_SHARE_COLUMN("peak_share", "Of its memory", .bar = true),
	TP_COLUMN("peak_time_ms", "Peak at", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("peak_step", "In step"),
	TP_COUNT_COLUMN("peak_times", "Times as much"),
	TP_COLUMN("stack_mib", "Stack", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("heap_mib", "Heap", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("free_mib", "Free", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("capacity_mib", "Its memory", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_SHARE_COLUMN("fragmentation_share", "Fragmentation"),
	TP_SHARE_COLUMN("fragmentation_most_share", "Most fragmentation"),
	TP_COLUMN("lifetime_peak_mib", "Most heap ever", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COUNT_COLUMN("allocations", "Allocations"),
	TP_COUNT_COLUMN("deallocations", "Deallocations"),
	TP_COLUMN("host", "Host"),
};

static void
allocator_row(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_draft *draft)
{
	const struct tp_allocator_event *e = a->peak;
	struct tp_cell *cell = tp_draft_row(draft, a->name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(a->name);
	cell[15].value = tp_text_value(ctx->profile->hosts[a->host].name);
	cell[1].value = tp_bytes(a->peak_bytes);
	cell[2].value = tp_share((double)a->peak_bytes, (double)a->capacity_bytes,
		TP_S("the allocator does not say how much is free"));
	cell[2].swatch = TP_HUE_MEMORY;
	cell[6].value = tp_bytes(e->stack_bytes);
	cell[7].value = tp_bytes(e->heap_bytes);
	cell[8].value = free_bytes(e->free_known, e->free_bytes);
	cell[10].value = fragmentation(e->fragmentation);
	cell[11].value = fragmentation(a->fragmentation_most);
	cell[9].value = free_bytes(e->free_known, a->capacity_bytes);
	cell[3].value = when(e->time_ps);
	cell[5].value = tp_count(a->peak_times);
	cell[4].value = a->step.len != 0 ? tp_text_value(a->step)
									 : tp_missing(TP_S("in no step that enters the statistics"));
	cell[12].value = tp_bytes(a->lifetime_peak_bytes);
	cell[13].value = tp_count(a->allocations);
	cell[14].value = tp_count(a->deallocations);
}

static const struct tp_column live_columns[] = {
	TP_COLUMN("framework_op", "For", .code = true),
	TP_COLUMN("total_mib", "Size", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true),
	TP_COUNT_COLUMN("count", "Pieces"),
	TP_COLUMN("block_mib", "Of one", .unit = TP_UNIT_MIB, .decimals = 3),
	TP_COLUMN("requested_mib", "Asked for", .unit = TP_UNIT_MIB, .decimals = 3),
	TP_COLUMN("shape", "Shape", .code = true),
	TP_COLUMN("data_type", "Type"),
	TP_COLUMN("region", "Region"),
};

static void
live_row(const struct tp_live_row *r, struct tp_draft *draft)
{
	struct tp_slice name = r->role == TP_LIVE_EARLIER ? TP_S(earlier)
		: r->role == TP_LIVE_STACK                    ? TP_S(stack)
		: r->framework.len != 0                       ? r->framework
													  : TP_S("(no name)");
	struct tp_cell *cell = tp_draft_row(draft, name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(name);
	cell[1].value = tp_bytes(r->total_bytes);
	cell[2].value = tp_count(r->count);
	cell[3].value = tp_bytes(r->block_bytes);
	cell[4].value = tp_bytes(r->requested_bytes);
	cell[5].value = tp_text_value(r->shape);
	cell[6].value = tp_text_value(r->data_type);
	cell[7].value = tp_text_value(r->region);
}

static const struct tp_column time_columns[] = {
	TP_COLUMN("from_ms", "From", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("stack_mib", "Stack at the most", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("heap_mib", "Heap at the most", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("free_mib", "Free then", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("stack_low_mib", "Least stack", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("heap_low_mib", "Least heap", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_SHARE_COLUMN("fragmentation_share", "Most fragmentation"),
	TP_COUNT_COLUMN("events", "Events"),
};

static void
over_time(const struct tp_pass_ctx *ctx, const struct tp_allocator *a, struct tp_doc *doc,
	struct tp_block *sub, const char *id)
{
	struct tp_slice fold_id = tp_arena_printf(ctx->keep, "%s/over-time", id);
	struct tp_slice table_id = tp_arena_printf(ctx->keep, "%s/table", fold_id.ptr);
	struct tp_block *fold =
		tp_doc_section(doc, sub, TP_SECTION_FOLD, fold_id.ptr, "The curve in figures");
	struct tp_draft draft = tp_draft_table(
		doc, fold, table_id.ptr, time_columns, sizeof time_columns / sizeof *time_columns);

	fold->section.off_paper = true;
	for (size_t i = 0; i < a->column_count; i++) {
		const struct tp_allocator_column *c = &a->columns[i];
		struct tp_cell *cell =
			tp_draft_row(&draft, tp_arena_printf(ctx->scratch, "%zu", i), TP_ROW_NORMAL, 0);

		cell[0].value = when(c->start_ps);
		cell[1].value = tp_bytes(c->stack);
		cell[2].value = tp_bytes(c->heap);
		cell[3].value = free_bytes(c->free_known, c->free);
		cell[4].value = tp_bytes(c->stack_low);
		cell[5].value = tp_bytes(c->heap_low);
		cell[6].value = fragmentation(c->fragmentation);
		cell[7].value = tp_count(c->events);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Memory in use, in stretches of equal time");
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
		? TP_SAY(doc, "peak *{}* at {}, step {}", tp_bytes(a->peak_bytes), when(a->peak->time_ps),
			  tp_text_value(a->step))
		: TP_SAY(doc, "peak *{}* at {}", tp_bytes(a->peak_bytes), when(a->peak->time_ps));
	tp_allocator_chart(ctx, a, doc, sub, tp_arena_printf(ctx->keep, "%s/curve", id_text).ptr);
	struct tp_slice table_id = tp_arena_printf(ctx->keep, "%s/live", id_text);
	struct tp_draft draft = tp_draft_table(
		doc, sub, table_id.ptr, live_columns, sizeof live_columns / sizeof *live_columns);

	for (size_t i = 0; i < a->row_count; i++)
		live_row(&a->rows[i], &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("What was live at the peak, like pieces joined");
	over_time(ctx, a, doc, sub, id_text);
}

static void
answer(const struct tp_allocators *all, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_allocator *a = &all->of[0];
	struct tp_value name = tp_text_value(a->name);
	const struct tp_live_row *largest = a->row_count != 0 ? &a->rows[0] : NULL;

	section->section.key_figure = tp_bytes(a->peak_bytes);
	section->section.answer = a->capacity_bytes != 0
		? TP_SAY(doc,
			  "At most {memory.measured.peak_bytes} were in use at once, "
			  "{memory.measured.peak_share} of `{}`.",
			  name)
		: TP_SAY(doc, "At most {memory.measured.peak_bytes} of `{}` were in use at once.", name);
	if (largest == NULL || a->peak_bytes == 0)
		return;
	struct tp_value part = tp_share((double)largest->total_bytes, (double)a->peak_bytes, TP_S(""));

	switch (largest->role) {
	case TP_LIVE_EARLIER:
		section->section.so_what = TP_SAY(doc,
			"{} of that was allocated before the capture, or by what does not record it.", part);
		break;
	case TP_LIVE_STACK:
		section->section.so_what =
			TP_SAY(doc, "{} of that is stack, which programs reserve while they run.", part);
		break;
	case TP_LIVE_RECORDED:
		section->section.so_what = largest->framework.len != 0
			? TP_SAY(doc, "The most is for `{}`: {}.", tp_text_value(largest->framework),
				  tp_bytes(largest->total_bytes))
			: TP_SAY(doc, "The largest piece has no name: {}.", tp_bytes(largest->total_bytes));
		break;
	}
}

void
tp_allocators_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_allocators *all = result;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "memory-over-time", "Memory over time");
	struct tp_draft draft = tp_draft_table(
		doc, section, "memory-over-time/allocators", columns, sizeof columns / sizeof *columns);

	answer(all, doc, section);
	for (size_t i = 0; i < all->count; i++)
		allocator_row(ctx, &all->of[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Every allocator, by its peak; figures without a time are of the peak");
	for (size_t i = 0; i < all->count && i < MOST_DETAILED; i++)
		detail(ctx, &all->of[i], doc, section, i >= MOST_ON_PAPER);
	tp_say_how(ctx, doc, section, "memory-over-time/how",
		"Each allocation and deallocation says how full its allocator is after it. In use are the "
		"stack, which is reserved, and the heap, which is allocated piece by piece; the peak is "
		"the largest sum of both, of equal ones the last, and the allocator's memory that sum and "
		"what is free. Live at the peak is what was allocated in the capture and not given back at "
		"its address; the rest of the heap was allocated before, or preallocated. Fragmentation is "
		"the share of the free memory that is not in its largest piece, as the allocator says it. "
		"The curve has columns of equal time, with the least and the most in each.");
	tp_say_source(ctx, doc, section, "memory-over-time/source",
		"events MemoryAllocation and MemoryDeallocation of host threads");
}
