/* Where the most expensive operators are called from. */
#include "analyze/core/say.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_stacks.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

/* Operators that are listed with their stacks, places of each; and stacks of each that are looked at, the most expensive ones. */
enum { MOST_OPERATORS = 30, MOST_PLACES = 5, MOST_STACKS = 256 };

enum column { PLACE, CALLS, DEVICE_SELF, HOST_SELF, SHARE, COLUMNS };

static const struct tp_column columns[] = {
	[PLACE] = TP_COLUMN("place", "Operator, called from", .code = true),
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls"),
	[DEVICE_SELF] = TP_COLUMN("device_self_us", "Device self", .unit = TP_UNIT_US, .decimals = 1),
	[HOST_SELF] = TP_COLUMN("host_self_us", "Host self", .unit = TP_UNIT_US, .decimals = 1),
	[SHARE] = TP_SHARE_COLUMN("operator_share", "Of the operator", .bar = true),
};

static void
fill(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s,
	const struct tp_torch_op_sums *whole, struct tp_cell *cell)
{
	cell[CALLS].value = tp_count(s->calls);
	cell[DEVICE_SELF].value = o->on_device ? tp_integer(s->device_self_ps, TP_UNIT_PS)
										   : tp_missing(TP_S("no operator launched device work"));
	cell[HOST_SELF].value = tp_integer(s->host_self_ps, TP_UNIT_PS);
	cell[SHARE].value = tp_share((double)tp_torch_op_key_ps(o, s),
		(double)tp_torch_op_key_ps(o, whole), TP_S("it took no time"));
	cell[SHARE].swatch = o->on_device ? TP_HUE_COMPUTE : TP_HUE_HOST;
}

static struct tp_slice
text_of(
	const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, const struct tp_torch_op_stack *s)
{
	return s->stack != TP_NONE
		? tp_torch_stack_text(ctx, o->frames, s->stack)
		: tp_torch_old_stack_text(ctx, tp_string(&ctx->profile->strings, s->old_stack));
}

/* Stacks that read alike: they differ in frames of libraries. */
struct place {
	struct tp_slice text;
	struct tp_torch_op_sums sums;
	int64_t key_ps;
};

static int
by_time(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->key_ps != b->key_ps)
		return a->key_ps > b->key_ps ? -1 : 1;
	if (a->sums.host_self_ps != b->sums.host_self_ps)
		return a->sums.host_self_ps > b->sums.host_self_ps ? -1 : 1;
	return tp_slice_cmp(a->text, b->text);
}

/* The places of stacks [from, until), by time; returns how many. */
static size_t
find_places(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, uint32_t from,
	uint32_t until, struct place *places)
{
	size_t count = 0;
	struct tp_map index;

	tp_map_init(&index, ctx->scratch);
	for (uint32_t i = from; i < until; i++) {
		struct tp_slice text = text_of(ctx, o, &o->stacks[i]);
		uint64_t key = tp_hash_bytes(text);
		uint32_t at = tp_map_get(&index, key);

		if (at == TP_MAP_NONE) {
			at = (uint32_t)count++;
			places[at] = (struct place){.text = text};
			tp_map_put(&index, key, at);
		}
		tp_torch_op_sums_add(&places[at].sums, &o->stacks[i].sums);
		places[at].key_ps = tp_torch_op_key_ps(o, &places[at].sums);
	}
	qsort(places, count, sizeof *places, by_time);
	return count;
}

/* Calls that none of the shown places is of. */
static void
list_others(const struct tp_torch_ops *o, struct tp_draft *draft, const struct tp_torch_op_row *op,
	const struct place *places, size_t shown)
{
	struct tp_torch_op_sums others = op->sums;

	for (size_t i = 0; i < shown; i++) {
		others.calls -= places[i].sums.calls;
		others.device_self_ps -= places[i].sums.device_self_ps;
		others.host_self_ps -= places[i].sums.host_self_ps;
	}
	if (others.calls == 0)
		return;
	struct tp_cell *cell = tp_draft_row(draft, op->name, TP_ROW_NORMAL, 1);

	fill(o, &others, &op->sums, cell);
	cell[PLACE].value = tp_text_value(TP_S("from elsewhere, or without a stack"));
}

/* The stacks of one row stand together; returns where those of the next begin. */
static uint32_t
list_row(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_draft *draft,
	uint32_t from)
{
	struct place *places = tp_new_array(ctx->scratch, struct place, MOST_STACKS);
	uint32_t row = o->stacks[from].row, next = from;
	const struct tp_torch_op_row *op = &o->by_name[row];
	struct tp_cell *cell = tp_draft_row(draft, op->name, TP_ROW_GROUP, 0);

	while (next < o->stack_count && o->stacks[next].row == row)
		next++;
	fill(o, &op->sums, &op->sums, cell);
	cell[PLACE].value = tp_text_value(op->name);
	size_t count =
		find_places(ctx, o, from, next - from > MOST_STACKS ? from + MOST_STACKS : next, places);
	size_t shown = count < MOST_PLACES ? count : MOST_PLACES;

	for (size_t i = 0; i < shown; i++) {
		cell = tp_draft_row(draft, op->name, TP_ROW_NORMAL, 1);
		fill(o, &places[i].sums, &op->sums, cell);
		cell[PLACE].value = tp_text_value(tp_arena_copy(ctx->keep, places[i].text));
	}
	list_others(o, draft, op, places, shown);
	return next;
}

void
tp_torch_ops_stacks_present(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o,
	struct tp_doc *doc, struct tp_block *section)
{
	if (!o->has_stacks)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "operators/stacks", "Call stacks");
	struct tp_draft draft = tp_draft_table(doc, fold, "operators/stacks/list", columns, COLUMNS);

	fold->section.off_paper = true;
	for (uint32_t at = 0, ops = 0; at < o->stack_count && ops < MOST_OPERATORS; ops++)
		at = list_row(ctx, o, &draft, at);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption = TP_S(
		"Where operators are called from, by their own time: lines of the program and modules, the "
		"outermost first, and the function that called the operator");
	tp_table_drop_missing(doc, table, 1);
}
