/* Operators over all ranks, or operations over all hosts. */
#include "analyze/ranks/ranks.h"

#include "analyze/core/say.h"
#include "analyze/ranks/ranks_words.h"
#include "base/arena.h"
#include "report/draft.h"

#define MS(KEY, TITLE) TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_MS, .decimals = 3)

static const struct tp_column operator_columns[] = {
	TP_COLUMN("name", "Operator", .code = true, TP_TEXT_FIELD(struct tp_rank_operator, name)),
	TP_COLUMN("program", "Program", .code = true),
	TP_COUNT_COLUMN("ranks", "Ranks", TP_COUNT_FIELD(struct tp_rank_operator, found)),
	TP_COUNT_COLUMN("calls", "Calls", TP_COUNT_FIELD(struct tp_rank_operator, calls)),
	MS("host_self_ms", "Host self"),
	MS("device_self_ms", "Device self"),
	MS("not_listed_ms", "Not listed, at most"),
};
struct operator_cells {
	struct tp_cell name, program, ranks, calls, host, device, more;
};
TP_CELLS_ARE_COLUMNS(struct operator_cells, operator_columns);

static void
operator_row(const struct tp_pass_ctx *ctx, struct tp_draft *draft, const struct tp_ranks *r,
	const struct tp_rank_operator *o, enum tp_row_role role)
{
	struct tp_slice id = o->program.len != 0
		? tp_arena_printf(ctx->scratch, "%.*s/%llu/%.*s", TP_ARG(o->program),
			  (unsigned long long)o->program_id, TP_ARG(o->name))
		: o->name;
	struct operator_cells *cells = tp_draft_row_of(draft, id, role, 0, o);

	cells->program.value =
		o->program.len != 0 ? tp_text_value(o->program) : tp_missing(TP_S(why_no_program));
	cells->host.value = tp_ps_in_ms((double)o->host_self_ps);
	cells->device.value = tp_ps_in_ms((double)o->device_self_ps);
	cells->more.value =
		r->rest.calls != 0 ? tp_ps_in_ms((double)o->more_ps) : tp_missing(TP_S(why_whole_lists));
}

void
tp_ranks_operators(const struct tp_pass_ctx *ctx, const struct tp_ranks *r, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_rank_operator rest = r->rest, all = r->all;

	if (r->operator_count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "ranks/operators", operator_columns);

	all.name = r->hosts ? TP_S(text_all_operations) : TP_S(text_all_operators);
	all.found = r->count;
	operator_row(ctx, &draft, r, &all, TP_ROW_TOTAL);
	for (size_t i = 0; i < r->operator_count; i++)
		operator_row(ctx, &draft, r, &r->operators[i], TP_ROW_NORMAL);
	rest.name = TP_S(text_in_no_list);
	if (rest.calls != 0)
		operator_row(ctx, &draft, r, &rest, TP_ROW_NORMAL);
	struct tp_table *t = tp_draft_finish(&draft, ctx->options->top);

	t->caption = r->hosts ? TP_S(caption_operations) : TP_S(caption_operators);
	tp_table_drop_missing(doc, t, TP_COLUMN_OF(struct operator_cells, program));
}

void
tp_ranks_present_operations(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_ranks *r = result;

	if (r->operator_count == 0)
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", title_operations);

	section->section.aside =
		TP_SAY(doc, "{}", tp_say_number(ctx, r->operator_count, "operation", "operations"));
	section->section.answer = TP_SAY(doc, text_operations,
		tp_ps_in_ms((double)r->all.host_self_ps + (double)r->all.device_self_ps));
	tp_ranks_operators(ctx, r, doc, section);
}
