/* Tables of the framework's operations: every one, and by type. */
#include "analyze/ops/framework_table.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/op_columns.h"
#include "base/arena.h"
#include "base/map.h"
#include "report/draft.h"

#include <stdlib.h>

/* The peer's tables end here, too. */
enum { MOST_ROWS = 500 };

enum {
	NAME,
	TYPE,
	SELF,
	BUSY,
	CUMULATIVE,
	ALL,
	OCCURRENCES,
	TOTAL,
	MEAN,
	MEAN_SELF,
	HOST_COLUMNS,
	BOUND = HOST_COLUMNS,
	FLOP_RATE,
	BYTE_RATE,
	INTENSITY,
	MODEL_RATE,
	COLUMNS
};

static const struct tp_column name_columns[COLUMNS] = {
	[NAME] = TP_OP_COLUMN_NAME,
	[TYPE] = TP_COLUMN("type", "Type"),
	[SELF] = TP_OP_COLUMN_SELF,
	[BUSY] = TP_SHARE_COLUMN("busy_share", "Without idle", .bar = true),
	[CUMULATIVE] = TP_OP_COLUMN_CUMULATIVE,
	[ALL] = TP_SHARE_COLUMN("all_share", "With idle"),
	[OCCURRENCES] = TP_OP_COLUMN_OCCURRENCES,
	[TOTAL] = TP_OP_COLUMN_TOTAL,
	[MEAN] = TP_OP_COLUMN_EACH,
	[MEAN_SELF] = TP_OP_COLUMN_SELF_EACH,
	[BOUND] = TP_OP_COLUMN_BOUND,
	[FLOP_RATE] = TP_OP_COLUMN_FLOP_RATE,
	[BYTE_RATE] = TP_OP_COLUMN_BYTE_RATE,
	[INTENSITY] = TP_OP_COLUMN_INTENSITY,
	[MODEL_RATE] = TP_OP_COLUMN_MODEL_RATE,
};

/* Of types the second column is how many operations there are of each. */
static const struct tp_column members_column = TP_COUNT_COLUMN("operations", "Operations");

static int
by_self(const void *left, const void *right)
{
	const struct tp_framework_item *a = left, *b = right;

	if (a->sums.self_ps != b->sums.self_ps)
		return a->sums.self_ps > b->sums.self_ps ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

void
tp_framework_sum_types(struct tp_framework_side *side, struct tp_arena *scratch)
{
	struct tp_map index;

	tp_map_init(&index, scratch);
	side->types = tp_new_array(scratch, struct tp_framework_item, side->name_count);
	for (size_t i = 0; i < side->name_count; i++) {
		const struct tp_framework_item *one = &side->names[i];
		uint64_t key = tp_hash_bytes(one->type);
		uint32_t at = tp_map_get(&index, key);

		if (at == TP_MAP_NONE) {
			at = (uint32_t)side->type_count++;
			tp_map_put(&index, key, at);
			side->types[at].name = one->type;
			side->types[at].sums.hue = one->sums.hue;
		}
		side->types[at].members++;
		tp_op_add(&side->types[at].sums, &one->sums);
	}
	qsort(side->types, side->type_count, sizeof *side->types, by_self);
}

static struct tp_value
each(int64_t sum_ps, uint64_t occurrences)
{
	if (occurrences == 0)
		return tp_missing(TP_S("several operations"));
	return tp_number((double)sum_ps / (double)occurrences, TP_UNIT_PS);
}

static struct tp_value
share_of_all(const struct tp_framework_side *side, int64_t ps)
{
	return tp_share((double)ps, (double)side->total_ps,
		TP_S("the host's CPU is no device, of which idle time would be known"));
}

static void
fill_costs(
	const struct tp_framework_side *side, const struct tp_op_total *sums, struct tp_cell *cell)
{
	const struct tp_op_peaks *peaks = &side->page->peaks;

	cell[BOUND].value = tp_op_bound_by(sums, peaks, NULL);
	cell[FLOP_RATE].value = tp_op_rate(sums, sums->flops, TP_UNIT_FLOP_PER_S, peaks->flops);
	cell[MODEL_RATE].value = tp_op_rate(sums, sums->model_flops, TP_UNIT_FLOP_PER_S, peaks->flops);
	cell[BYTE_RATE].value = tp_op_rate(sums, sums->bytes, TP_UNIT_BYTES_PER_S, 0);
	cell[INTENSITY].value = tp_op_intensity(sums);
}

static void
fill(const struct tp_framework_side *side, const struct tp_framework_item *one, int64_t sum_ps,
	struct tp_cell *cell)
{
	const struct tp_op_total *sums = &one->sums;

	cell[NAME].value = tp_text_value(one->name);
	if (one->members != 0)
		cell[TYPE].value = tp_count(one->members);
	else
		cell[TYPE].value = tp_text_value(one->type);
	cell[one->members != 0 ? NAME : TYPE].swatch = sums->hue;
	cell[SELF].value = tp_integer(sums->self_ps, TP_UNIT_PS);
	cell[BUSY].value = tp_share((double)sums->self_ps, (double)side->busy_ps, TP_S("no time"));
	cell[BUSY].swatch = sums->hue;
	cell[CUMULATIVE].value = tp_share((double)sum_ps, (double)side->busy_ps, TP_S("no time"));
	cell[ALL].value = share_of_all(side, sums->self_ps);
	cell[OCCURRENCES].value = tp_count(sums->occurrences);
	cell[TOTAL].value = tp_integer(sums->total_ps, TP_UNIT_PS);
	cell[MEAN].value = each(sums->total_ps, sums->occurrences);
	cell[MEAN_SELF].value = each(sums->self_ps, sums->occurrences);
	if (side->page != NULL && one->members == 0)
		fill_costs(side, sums, cell);
}

/* The time in which nothing of the side ran. */
static void
add_idle(const struct tp_framework_side *side, struct tp_draft *draft)
{
	if (side->idle_ps <= 0)
		return;
	struct tp_cell *cell = tp_draft_row(draft, TP_S("idle"), TP_ROW_TOTAL, 0);

	cell[NAME].value = tp_text_value(TP_S("Idle"));
	cell[NAME].swatch = TP_HUE_IDLE;
	cell[SELF].value = tp_integer(side->idle_ps, TP_UNIT_PS);
	cell[ALL].value = share_of_all(side, side->idle_ps);
}

void
tp_framework_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_framework_side *side, bool types)
{
	const struct tp_framework_item *items = types ? side->types : side->names;
	size_t count = types ? side->type_count : side->name_count;
	size_t shown = count > MOST_ROWS + 1 && ctx->options->top < SIZE_MAX ? MOST_ROWS : count;
	struct tp_column *columns = tp_new_array(ctx->keep, struct tp_column, COLUMNS);
	struct tp_slice id =
		tp_arena_printf(ctx->keep, "operations/framework-%s%s", side->key, types ? "-types" : "");
	struct tp_framework_item rest = {0};
	int64_t sum_ps = 0;

	memcpy(columns, name_columns, sizeof name_columns);
	/* Operations of a type may be nested in each other, so that they have no rates together. */
	size_t column_count = side->page != NULL && !types ? COLUMNS : HOST_COLUMNS;

	if (types) {
		columns[NAME].title = TP_S("Type");
		columns[NAME].code = false;
		columns[TYPE] = members_column;
	}
	struct tp_draft draft = tp_draft_table(doc, parent, id.ptr, columns, column_count);

	for (size_t i = 0; i < shown; i++) {
		sum_ps = tp_add_ps(sum_ps, items[i].sums.self_ps);
		fill(side, &items[i], sum_ps, tp_draft_row(&draft, items[i].name, TP_ROW_NORMAL, 0));
	}
	for (size_t i = shown; i < count; i++) {
		rest.members += items[i].members;
		tp_op_add(&rest.sums, &items[i].sums);
	}
	if (shown < count) {
		rest.name = tp_arena_printf(ctx->keep, "%zu more", count - shown);
		fill(side, &rest, side->busy_ps, tp_draft_row(&draft, TP_S("more"), TP_ROW_NORMAL, 0));
	}
	add_idle(side, &draft);
	/* The device's are among the first of the section, too. */
	size_t open = side->page != NULL && !types ? (ctx->options->top + 1) / 2 : ctx->options->top;
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top < SIZE_MAX ? open : SIZE_MAX);

	t->numbered = true;
	t->caption = tp_arena_printf(ctx->keep, "%s of the framework %s, by self time",
		types ? "Types of operations" : "Operations", side->where);
}
