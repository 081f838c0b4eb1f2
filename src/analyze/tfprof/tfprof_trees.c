/* Scopes by time: what a row has itself and what is in it all together; and what other trees have alike. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_ROWS = 1200, ROWS_OPEN = 14, OPEN_DEPTH = 2 };

static int
largest_first(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a < b) - (a > b);
}

int64_t
tp_tfprof_least_shown(const struct tp_pass_ctx *ctx, const int64_t *totals, uint32_t count)
{
	int64_t *all = tp_new_array(ctx->scratch, int64_t, count);

	if (count <= MOST_ROWS)
		return 1;
	memcpy(all, totals, count * sizeof *all);
	qsort(all, count, sizeof *all, largest_first);
	/* Rows without anything in them say nothing. */
	return all[MOST_ROWS] + 1 > 1 ? all[MOST_ROWS] + 1 : 1;
}

/* "weights" of "logits/weights". */
static struct tp_slice
last_part(struct tp_slice name)
{
	const char *slash = name.len != 0 ? memrchr(name.ptr, '/', name.len) : NULL;

	return slash != NULL ? tp_slice_from(name, (size_t)(slash + 1 - name.ptr)) : name;
}

struct tp_slice
tp_tfprof_label(const struct tp_tfprof_row *row)
{
	return row->depth == 0 ? TP_S("(all)") : last_part(row->name);
}

void
tp_tfprof_finish_tree(const struct tp_pass_ctx *ctx, struct tp_draft *draft, const char *caption,
	uint32_t left_out, struct tp_block *section, const char *more)
{
	struct tp_doc *doc = draft->doc;
	struct tp_table *table = tp_draft_finish(draft, SIZE_MAX);

	table->tree = true;
	table->caption = tp_slice_of(caption);
	tp_table_open_levels(table, OPEN_DEPTH, ROWS_OPEN);
	if (left_out != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, more,
			TP_SAY(doc, text_tree_left_out, tp_say_number(ctx, left_out, "row is", "rows are")));
}

/* By row, how many nodes of the dump are in it. tfprof counts the scopes in it as well: `definitions`. */
static const uint64_t *
nodes_in(const struct tp_pass_ctx *ctx, const struct tp_tfprof_view *scopes)
{
	uint64_t *nodes = tp_new_array(ctx->scratch, uint64_t, scopes->count);

	for (uint32_t i = scopes->count; i-- > 0;) {
		nodes[i] += scopes->rows[i].node != TP_MAP_NONE;
		if (i != 0)
			nodes[scopes->rows[i].parent] += nodes[i];
	}
	return nodes;
}

void
tp_tfprof_scopes(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	int64_t *totals = tp_new_array(ctx->scratch, int64_t, s->scopes.count);
	double all_us = (double)s->scopes.rows[0].total.of[TP_TFPROF_US];
	const uint64_t *nodes = nodes_in(ctx, &s->scopes);
	uint32_t left_out = 0;

	if (all_us <= 0)
		return;
	for (uint32_t i = 0; i < s->scopes.count; i++)
		totals[i] = s->scopes.rows[i].total.of[TP_TFPROF_US];
	int64_t least_us = tp_tfprof_least_shown(ctx, totals, s->scopes.count);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/scopes", scope_columns);

	for (uint32_t i = 0; i < s->scopes.count; i++) {
		const struct tp_tfprof_row *row = &s->scopes.rows[i];

		if (row->total.of[TP_TFPROF_US] < least_us) {
			left_out++;
			continue;
		}
		struct scope_cells *cells =
			tp_draft_row_of(&draft, row->name, TP_ROW_NORMAL, (int)row->depth, row);

		cells->scope.value = tp_text_value(tp_tfprof_label(row));
		cells->scope.full = row->name;
		cells->float_ops.value = tp_tfprof_count_value(s, row->total.of[TP_TFPROF_FLOAT_OPS]);
		cells->nodes.value = tp_count(nodes[i]);
		cells->share.value =
			tp_share((double)row->total.of[TP_TFPROF_US], all_us, TP_S(why_no_operation_time));
	}
	tp_tfprof_finish_tree(ctx, &draft, caption_scopes, left_out, section, "tfprof/more-scopes");
}
