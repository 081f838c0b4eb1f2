/* What the report says about live buffers: totals by device and kind, the stacks that asked for most, the tree of calls. */
#include "analyze/memory/live_buffers.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/memory/live_columns.h"
#include "analyze/memory/live_words.h"
#include "analyze/memory/memory.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/path.h"
#include "base/saturate.h"
#include "model/live.h"
#include "model/profile.h"
#include "report/draft.h"

#include <stdlib.h>

enum { MOST_FILES = 8 };

struct tp_slice
tp_live_function(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	struct tp_slice name =
		line != NULL ? tp_string(&ctx->profile->strings, line->function) : TP_S("(no stack)");

	return name.len != 0 ? name : TP_S("(no name)");
}

struct tp_slice
tp_live_where(const struct tp_pass_ctx *ctx, const struct tp_live_line *line)
{
	struct tp_slice file = line != NULL ? tp_string(&ctx->profile->strings, line->file) : TP_S("");

	if (file.len == 0 || line->number == 0)
		return tp_path_name(file);
	return tp_arena_printf(
		ctx->keep, "%.*s:%lld", TP_ARG(tp_path_name(file)), (long long)line->number);
}

static struct tp_value
share(uint64_t part, const struct tp_live_file *f)
{
	return tp_share((double)part, (double)f->bytes, TP_S(why_holds_nothing));
}

static void
put_share(uint64_t part, const struct tp_live_file *f, struct tp_cell *cell)
{
	cell->value = share(part, f);
	cell->swatch = TP_HUE_MEMORY;
}

static void
totals(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, id, total_columns);

	for (size_t i = 0; i < f->total_count; i++) {
		const struct tp_live_total *t = &f->totals[i];
		struct total_cells *cells = tp_draft_row_of(&draft,
			tp_arena_printf(ctx->scratch, "%.*s/%.*s", TP_ARG(t->device), TP_ARG(t->kind)),
			TP_ROW_NORMAL, 0, t);

		put_share(t->bytes, f, &cells->share);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_totals);
}

TP_ORDER(rows_by_bytes, struct live_row, TP_DOWN(bytes), TP_DOWN(count), TP_UP(first));

/* What a row shows, besides figures, and of these what one stack holds. */
static uint64_t
key_of(const struct tp_pass_ctx *ctx, const struct tp_live_stack *s)
{
	struct tp_slice lines = tp_arena_printf(ctx->scratch, "%.*s\n%.*s\n%.*s\n%.*s",
		TP_ARG(tp_live_function(ctx, s->line)), TP_ARG(tp_live_where(ctx, s->line)),
		TP_ARG(tp_live_function(ctx, s->innermost)), TP_ARG(tp_live_where(ctx, s->innermost)));

	return tp_hash_pair(tp_hash_pair(tp_hash_bytes(lines), s->sample->kind),
		tp_hash_pair(s->sample->device, tp_hash_pair(s->sample->bytes, s->sample->count)));
}

/* Into rows, which the caller made for all stacks; numbers: of each stack its row, from 1. Returns how many rows there are. */
static size_t
join_equal(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct live_row *rows,
	size_t *numbers)
{
	uint32_t *row_of = tp_new_array(ctx->scratch, uint32_t, f->stack_count);
	size_t *first_to_number = tp_new_array(ctx->scratch, size_t, f->stack_count);
	size_t count = 0;
	struct tp_map known;

	tp_map_init(&known, ctx->scratch);
	for (size_t i = 0; i < f->stack_count; i++) {
		const struct tp_live_stack *s = &f->stacks[i];

		if (tp_map_number(&known, key_of(ctx, s), &row_of[i]))
			rows[count++] = (struct live_row){.stack = s, .first = i};
		struct live_row *row = &rows[row_of[i]];

		row->bytes = tp_plus(row->bytes, s->sample->bytes);
		row->count = tp_plus(row->count, s->sample->count);
		row->stacks++;
		row_of[i] = (uint32_t)row->first;
	}
	qsort(rows, count, sizeof *rows, rows_by_bytes);
	for (size_t i = 0; i < count; i++)
		first_to_number[rows[i].first] = i + 1;
	for (size_t i = 0; i < f->stack_count; i++)
		numbers[i] = first_to_number[row_of[i]];
	return count;
}

static void
stacks(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, const struct live_row *rows,
	size_t count, struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, id, stack_columns);

	for (size_t i = 0; i < count; i++) {
		const struct tp_live_stack *s = rows[i].stack;
		struct tp_slice name = tp_live_function(ctx, s->line);
		struct tp_slice device = tp_string(strings, s->sample->device);
		struct stack_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, &rows[i]);

		cells->function.value = tp_text_value(name);
		cells->where.value = tp_text_value(tp_live_where(ctx, s->line));
		put_share(rows[i].bytes, f, &cells->share);
		cells->kind.value = tp_text_value(tp_string(strings, s->sample->kind));
		cells->device.value =
			device.len != 0 ? tp_text_value(device) : tp_missing(TP_S("on no device"));
		cells->innermost.value = tp_text_value(tp_live_function(ctx, s->innermost));
		cells->innermost_where.value = tp_text_value(tp_live_where(ctx, s->innermost));
	}
	if (f->other_stacks != 0) {
		struct live_row others = {
			.bytes = f->other_bytes, .count = f->other_count, .stacks = f->other_stacks};
		struct stack_cells *cells =
			tp_draft_row_of(&draft, TP_S("more"), TP_ROW_NORMAL, 0, &others);

		cells->function.value = tp_say_number(ctx, f->other_stacks, "more stack", "more stacks");
		cells->share.value = share(f->other_bytes, f);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_stacks);
}

static void
full_stacks(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, const size_t *numbers,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_draft draft =
		TP_DRAFT_FOLD(doc, parent, tp_slice_of(id), title_full_stacks, full_columns);

	for (size_t i = 0; i < f->stack_count; i++) {
		const struct tp_live_stack *s = &f->stacks[i];
		struct full_cells *cells =
			tp_draft_row_of(&draft, tp_live_function(ctx, s->line), TP_ROW_NORMAL, 0, s);

		cells->row.value = tp_count(numbers[i]);
		cells->bytes.value = tp_bytes(s->sample->bytes);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_full_stacks);
}

static void
tree(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = TP_DRAFT_FOLD(doc, parent, tp_slice_of(id), title_tree, tree_columns);

	for (size_t i = 0; i < f->node_count; i++) {
		const struct tp_live_node *n = &f->nodes[i];
		struct tp_slice name = tp_live_function(ctx, n->line);
		struct tree_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, (int)n->depth, n);

		cells->function.value = tp_text_value(name);
		cells->where.value = tp_text_value(tp_live_where(ctx, n->line));
		put_share(n->bytes, f, &cells->share);
	}
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption = f->nodes_left_out == 0
		? TP_S(caption_tree)
		: tp_arena_printf(ctx->keep, caption_tree_more, f->nodes_left_out);
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_section *section)
{
	struct tp_value buffers = tp_say_number(ctx, f->buffers, "buffer", "buffers");
	struct tp_value programs =
		tp_say_number(ctx, f->executables, "compiled program", "compiled programs");

	if (section->role == TP_SECTION_MAIN) {
		section->key_figure = tp_bytes(f->bytes);
		section->answer = TP_SAY(doc, text_held, buffers, programs);
	} else {
		section->aside = TP_SAY(doc, text_held_aside, buffers, programs);
	}
	if (f->stack_count == 0 || f->bytes == 0)
		return;
	const struct tp_live_line *line = f->stacks[0].line;
	struct tp_slice where = tp_live_where(ctx, line);

	section->so_what = TP_SAY(doc, text_largest_stack, tp_text_value(tp_live_function(ctx, line)),
		tp_text_value(where.len ? TP_S(" at ") : TP_S("")), tp_text_value(where));
}

static void
one_file(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	totals(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/totals", id).ptr);
	struct live_row *rows = tp_new_array(ctx->keep, struct live_row, f->stack_count);
	size_t *numbers = tp_new_array(ctx->scratch, size_t, f->stack_count);
	size_t count = join_equal(ctx, f, rows, numbers);

	stacks(ctx, f, rows, count, doc, parent, tp_arena_printf(ctx->keep, "%s/stacks", id).ptr);
	full_stacks(ctx, f, numbers, doc, parent, tp_arena_printf(ctx->keep, "%s/full", id).ptr);
	tree(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/tree", id).ptr);
	if (f->live->left_out == 0)
		return;
	struct tp_slice notice_id = tp_arena_printf(ctx->keep, "%s/damaged", id);
	struct tp_block *notice = tp_doc_add(doc, parent, TP_BLOCK_NOTICE, notice_id);

	notice->notice.judge = TP_JUDGE_WARN;
	notice->notice.text =
		TP_SAY(doc, text_damaged, tp_say_number(ctx, f->live->left_out, "stack is", "stacks are"));
}

void
tp_live_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_live_buffers *b = result;
	struct tp_block *section = tp_memory_part(doc, "live-buffers", "Live buffers", title_held);

	answer(ctx, &b->files[0], doc, &section->section);
	one_file(ctx, &b->files[0], doc, section, "live-buffers");
	for (size_t i = 1; i < b->count && i < MOST_FILES; i++) {
		struct tp_slice id = tp_arena_printf(ctx->keep, "live-buffers/file-%zu", i + 1);
		struct tp_block *sub = tp_doc_section(
			doc, section, TP_SECTION_SUB, id.ptr, tp_arena_copy(ctx->keep, b->files[i].name).ptr);

		sub->section.off_paper = true;
		sub->section.aside = TP_SAY(doc, text_file_aside, tp_bytes(b->files[i].bytes));
		one_file(ctx, &b->files[i], doc, sub, id.ptr);
	}
	tp_say_how(ctx, doc, section, "live-buffers/how", how_live);
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "live-buffers/source",
		TP_SAY(doc, source_live, tp_text_value(b->files[0].name)));
}
