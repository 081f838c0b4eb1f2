/* Where the most expensive operators are called from. */
#include "analyze/say.h"
#include "analyze/torch_ops.h"
#include "analyze/torch_stacks.h"
#include "model/profile.h"
#include "report/draft.h"

/* Operators that are listed with their stacks, and stacks of each. */
enum { MOST_OPERATORS = 30, MOST_STACKS = 5 };

enum column { PLACE, CALLS, DEVICE_SELF, HOST_SELF, SHARE, COLUMNS };

static const struct tp_column columns[] = {
	[PLACE] = {.key = TP_LIT("place"), .title = TP_LIT("Operator, called from"), .code = true},
	[CALLS] = {.key = TP_LIT("calls"), .title = TP_LIT("Calls"), .unit = TP_UNIT_COUNT},
	[DEVICE_SELF] = {.key = TP_LIT("device_self_us"),
		.title = TP_LIT("Device self"),
		.unit = TP_UNIT_US,
		.decimals = 1},
	[HOST_SELF] = {.key = TP_LIT("host_self_us"),
		.title = TP_LIT("Host self"),
		.unit = TP_UNIT_US,
		.decimals = 1},
	[SHARE] = {.key = TP_LIT("operator_share"),
		.title = TP_LIT("Of the operator"),
		.unit = TP_UNIT_SHARE,
		.decimals = 1,
		.bar = true},
};

static void
fill(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s,
	const struct tp_torch_op_sums *whole, struct tp_cell *cell)
{
	cell[CALLS].value = tp_count(s->calls);
	cell[DEVICE_SELF].value = o->on_device
		? tp_integer(s->device_self_ps, TP_UNIT_PS)
		: tp_missing(TP_S("the trace holds no work of a device"));
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

/* The stacks of one row stand together; *at is moved behind them. */
static void
list_row(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_draft *draft,
	uint32_t *at)
{
	uint32_t row = o->stacks[*at].row, shown = 0;
	const struct tp_torch_op_row *op = &o->by_name[row];
	struct tp_cell *cell = tp_draft_row(draft, op->name, TP_ROW_GROUP, 0);

	fill(o, &op->sums, &op->sums, cell);
	cell[PLACE].value = tp_text_value(op->name);
	for (; *at < o->stack_count && o->stacks[*at].row == row; (*at)++, shown++) {
		if (shown == MOST_STACKS)
			continue;
		cell = tp_draft_row(draft, op->name, TP_ROW_NORMAL, 1);
		fill(o, &o->stacks[*at].sums, &op->sums, cell);
		cell[PLACE].value = tp_text_value(text_of(ctx, o, &o->stacks[*at]));
	}
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
		list_row(ctx, o, &draft, &at);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption =
		TP_S("Where operators are called from, by their own time: lines of the program, the "
			 "outermost first, and the function that called the operator");
	tp_table_drop_missing(doc, table, 1);
}
