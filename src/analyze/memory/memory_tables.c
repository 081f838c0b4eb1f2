/* The buffers at a program's peak as tables: by size, and in program order. */
#include "analyze/memory/memory.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

struct tp_slice
tp_memory_program(const struct tp_pass_ctx *ctx, const struct tp_memory_module *m)
{
	return ctx->profile->programs[m->program].name;
}

static const struct tp_column buffer_columns[] = {
	TP_COLUMN("buffer", "Buffer", .code = true),
	TP_COLUMN("size_mib", "Size", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true),
	TP_COLUMN("unpadded_mib", "Without padding", .unit = TP_UNIT_MIB, .decimals = 3),
	TP_COLUMN("expansion", "Expansion", .unit = TP_UNIT_TIMES, .decimals = 2),
	TP_COLUMN("extra_mib", "Extra", .unit = TP_UNIT_MIB, .decimals = 3),
	TP_COLUMN("frees_mib", "Would free", .unit = TP_UNIT_MIB, .decimals = 3),
	TP_COLUMN("kind", "Kind"),
	TP_COUNT_COLUMN("start", "Live from"),
	TP_COUNT_COLUMN("end", "Until"),
	TP_COUNT_COLUMN("order", "In program order"),
	TP_COLUMN("shape", "Shape", .code = true),
	TP_COLUMN("opcode", "Opcode"),
	TP_COLUMN("framework_op", "Framework operation", .code = true),
	TP_COLUMN("source", "Source", .code = true),
};
enum { START_COLUMN = 7, END_COLUMN = 8, KIND_COLUMN = 6 };
enum { BUFFER_COLUMNS = sizeof buffer_columns / sizeof *buffer_columns };

/* What the profile may not say of a buffer. */
static struct tp_value
text_or(struct tp_slice text, const char *why)
{
	return text.len != 0 ? tp_text_value(text) : tp_missing(tp_slice_of(why));
}

static void
buffer_row(struct tp_draft *draft, const struct tp_memory_row *r)
{
	struct tp_cell *cell = tp_draft_row(draft, r->name, TP_ROW_NORMAL, 0);

	cell[0].value = tp_text_value(r->name);
	cell[1].value = tp_bytes(r->size_bytes);
	cell[2].value = tp_bytes(r->unpadded_bytes);
	cell[3].value = r->unpadded_bytes != 0
		? tp_number((double)r->size_bytes / (double)r->unpadded_bytes, TP_UNIT_TIMES)
		: tp_missing(TP_S("the array has no element"));
	cell[4].value = tp_integer((int64_t)(r->size_bytes - r->unpadded_bytes), TP_UNIT_BYTES);
	cell[5].value = tp_bytes(r->frees_bytes);
	cell[KIND_COLUMN].value = tp_text_value(tp_slice_of(tp_buffer_kind_name(r->kind)));
	cell[START_COLUMN].value = tp_count(r->start);
	cell[END_COLUMN].value = tp_count(r->end);
	cell[9].value = tp_count(r->order);
	cell[10].value = text_or(r->shape, "the module does not hold its instruction");
	cell[11].value = text_or(r->opcode, "the module does not hold its instruction");
	cell[12].value =
		text_or(r->framework, "the program names no operation of the framework for it");
	cell[13].value = text_or(r->source, "the program names no source line for it");
}

/* Those too many to list, as one row. */
static void
smaller_row(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_draft *draft)
{
	struct tp_value name =
		tp_say_number(ctx, s->smaller_count, "smaller buffer", "smaller buffers");

	if (s->smaller_count == 0)
		return;
	struct tp_cell *cell = tp_draft_row(draft, TP_S("smaller"), TP_ROW_TOTAL, 0);
	struct tp_value many = tp_missing(TP_S("many buffers, each with its own"));

	for (size_t i = 0; i < BUFFER_COLUMNS; i++)
		cell[i].value = many;
	cell[0].value = name;
	cell[1].value = tp_bytes(s->smaller_bytes);
	cell[2].value = tp_bytes(s->smaller_unpadded_bytes);
	if (s->smaller_unpadded_bytes != 0)
		cell[3].value =
			tp_number((double)s->smaller_bytes / (double)s->smaller_unpadded_bytes, TP_UNIT_TIMES);
	cell[4].value =
		tp_integer((int64_t)(s->smaller_bytes - s->smaller_unpadded_bytes), TP_UNIT_BYTES);
}

/* With a script, pointing at a row shows its lifetime on the curve. */
static void
link_to_curve(const struct tp_pass_ctx *ctx, struct tp_table *table, struct tp_slice chart)
{
	struct tp_table_life *life = tp_new(ctx->keep, struct tp_table_life);

	if (chart.len == 0)
		return;
	*life = (struct tp_table_life){chart, START_COLUMN, END_COLUMN, KIND_COLUMN};
	table->life = life;
}

static int
by_order(const void *left, const void *right)
{
	const struct tp_memory_row *a = *(const struct tp_memory_row *const *)left;
	const struct tp_memory_row *b = *(const struct tp_memory_row *const *)right;

	return a->order < b->order ? -1 : a->order > b->order;
}

static void
in_program_order(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id, struct tp_slice chart)
{
	const struct tp_memory_row **order =
		tp_new_array(ctx->scratch, const struct tp_memory_row *, s->row_count);
	struct tp_slice fold_id = tp_arena_printf(ctx->keep, "%s/program-order", id);
	struct tp_slice table_id = tp_arena_printf(ctx->keep, "%s/table", fold_id.ptr);
	struct tp_block *fold =
		tp_doc_section(doc, parent, TP_SECTION_FOLD, fold_id.ptr, "The same in program order");
	struct tp_draft draft = tp_draft_table(doc, fold, table_id.ptr, buffer_columns, BUFFER_COLUMNS);

	fold->section.off_paper = true;
	for (size_t i = 0; i < s->row_count; i++)
		order[i] = &s->rows[i];
	qsort(order, s->row_count, sizeof *order, by_order);
	for (size_t i = 0; i < s->row_count; i++)
		buffer_row(&draft, order[i]);
	smaller_row(ctx, s, &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S("Buffers at the peak in program order");
	link_to_curve(ctx, table, chart);
}

void
tp_memory_tables(const struct tp_pass_ctx *ctx, const struct tp_memory_space *s, struct tp_doc *doc,
	struct tp_block *parent, const char *id, struct tp_slice chart)
{
	struct tp_slice table_id = tp_arena_printf(ctx->keep, "%s/buffers", id);
	struct tp_draft draft =
		tp_draft_table(doc, parent, table_id.ptr, buffer_columns, BUFFER_COLUMNS);

	for (size_t i = 0; i < s->row_count; i++)
		buffer_row(&draft, &s->rows[i]);
	smaller_row(ctx, s, &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("Buffers at the peak, by size");
	link_to_curve(ctx, table, chart);
	in_program_order(ctx, s, doc, parent, id, chart);
}
