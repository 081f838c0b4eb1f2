/* What the report says about live buffers: totals by device and kind, the stacks that asked for most, the tree of calls. */
#include "analyze/memory/live_buffers.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
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
	return tp_share((double)part, (double)f->bytes, TP_S("what is held takes no memory"));
}

static void
put_share(uint64_t part, const struct tp_live_file *f, struct tp_cell *cell)
{
	cell->value = share(part, f);
	cell->swatch = TP_HUE_MEMORY;
}

#define HELD_COLUMN(...) TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3, __VA_ARGS__)

static const struct tp_column total_columns[] = {
	TP_COLUMN(
		"device", "Device", TP_TEXT_FIELD(struct tp_live_total, device, .missing = "on no device")),
	TP_COLUMN("kind", "Kind", TP_TEXT_FIELD(struct tp_live_total, kind, .missing = "not recorded")),
	HELD_COLUMN(.sorted = true, TP_FIELD(struct tp_live_total, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct tp_live_total, count)),
	TP_COUNT_COLUMN("stacks", "Stacks", TP_COUNT_FIELD(struct tp_live_total, stacks)),
};
struct total_cells {
	struct tp_cell device, kind, bytes, share, count, stacks;
};
TP_CELLS_ARE_COLUMNS(struct total_cells, total_columns);

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
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S("Held memory by device and kind");
}

/* Stacks of which all that a row shows is equal: what each holds, and where. */
struct live_row {
	const struct tp_live_stack *stack; /* the first of them */
	uint64_t bytes, count, stacks;
	size_t first; /* index of that stack */
};

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

static const struct tp_column stack_columns[] = {
	TP_COLUMN("function", "Allocated by", .code = true),
	TP_COLUMN("where", "At", .code = true),
	HELD_COLUMN(.sorted = true, TP_FIELD(struct live_row, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct live_row, count)),
	TP_COUNT_COLUMN("stacks", "Stacks", TP_COUNT_FIELD(struct live_row, stacks)),
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("device", "Device"),
	TP_COLUMN("innermost", "Innermost call", .code = true),
	TP_COLUMN("innermost_where", "Innermost at", .code = true),
};
struct stack_cells {
	struct tp_cell function, where, bytes, share, count, stacks, kind, device, innermost,
		innermost_where;
};
TP_CELLS_ARE_COLUMNS(struct stack_cells, stack_columns);

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
	table->caption = TP_S("Call stacks that allocated what was held, named by their innermost call "
						  "outside installed packages; equal ones share a row");
}

static const struct tp_column full_columns[] = {
	TP_COUNT_COLUMN("row", "Row above"),
	HELD_COLUMN(),
	TP_COLUMN(
		"stack", "Calls, innermost first", .code = true, TP_TEXT_FIELD(struct tp_live_stack, text)),
};
struct full_cells {
	struct tp_cell row, bytes, stack;
};
TP_CELLS_ARE_COLUMNS(struct full_cells, full_columns);

static void
full_stacks(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, const size_t *numbers,
	struct tp_doc *doc, struct tp_block *parent, const char *id)
{
	struct tp_draft draft =
		TP_DRAFT_FOLD(doc, parent, tp_slice_of(id), "The same stacks in full", full_columns);

	for (size_t i = 0; i < f->stack_count; i++) {
		const struct tp_live_stack *s = &f->stacks[i];
		struct full_cells *cells =
			tp_draft_row_of(&draft, tp_live_function(ctx, s->line), TP_ROW_NORMAL, 0, s);

		cells->row.value = tp_count(numbers[i]);
		cells->bytes.value = tp_bytes(s->sample->bytes);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Every call of the stacks; row above: the row of the stack in the table above");
}

static const struct tp_column tree_columns[] = {
	TP_COLUMN("function", "Call", .code = true),
	TP_COLUMN("where", "At", .code = true),
	HELD_COLUMN(TP_FIELD(struct tp_live_node, bytes, TP_UNIT_BYTES)),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number", TP_COUNT_FIELD(struct tp_live_node, count)),
	TP_COUNT_COLUMN("calls", "Calls in one", TP_COUNT_FIELD(struct tp_live_node, calls)),
};
struct tree_cells {
	struct tp_cell function, where, bytes, share, count, calls;
};
TP_CELLS_ARE_COLUMNS(struct tree_cells, tree_columns);

static void
tree(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	static const char what[] =
		"Calls from the outermost inwards; chains of single calls share a row";
	struct tp_draft draft =
		TP_DRAFT_FOLD(doc, parent, tp_slice_of(id), "As a call tree", tree_columns);

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
		? TP_S(what)
		: tp_arena_printf(ctx->keep, "%s; %zu more are left out", what, f->nodes_left_out);
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
		section->answer =
			TP_SAY(doc, "{memory.live.bytes} were held by {} and {}.", buffers, programs);
	} else {
		section->aside = TP_SAY(doc, "*{memory.live.bytes}* by {} and {}", buffers, programs);
	}
	if (f->stack_count == 0 || f->bytes == 0)
		return;
	const struct tp_live_line *line = f->stacks[0].line;
	struct tp_slice where = tp_live_where(ctx, line);

	section->so_what =
		TP_SAY(doc, "The largest stack allocated {memory.live.top.share} of it: `{}`{}{}.",
			tp_text_value(tp_live_function(ctx, line)),
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
	notice->notice.text = TP_SAY(doc, "{} left out: damaged or with impossible counts.",
		tp_say_number(ctx, f->live->left_out, "stack is", "stacks are"));
}

void
tp_live_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_live_buffers *b = result;
	struct tp_block *section = tp_memory_part(
		doc, "live-buffers", "Live buffers", "Held when the memory profile was saved");

	answer(ctx, &b->files[0], doc, &section->section);
	one_file(ctx, &b->files[0], doc, section, "live-buffers");
	for (size_t i = 1; i < b->count && i < MOST_FILES; i++) {
		struct tp_slice id = tp_arena_printf(ctx->keep, "live-buffers/file-%zu", i + 1);
		struct tp_block *sub = tp_doc_section(
			doc, section, TP_SECTION_SUB, id.ptr, tp_arena_copy(ctx->keep, b->files[i].name).ptr);

		sub->section.off_paper = true;
		sub->section.aside = TP_SAY(doc, "{} held", tp_bytes(b->files[i].bytes));
		one_file(ctx, &b->files[i], doc, sub, id.ptr);
	}
	tp_say_how(ctx, doc, section, "live-buffers/how",
		"A memory profile lists what was held when it was saved: for each call stack, the number "
		"and bytes of buffers or compiled programs it allocated that still exist. It does not "
		"cover earlier or later times, or what a program needs while it runs. A stack is named by "
		"its innermost call outside installed packages: the line to change.");
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "live-buffers/source",
		TP_SAY(doc, "From `{}`.", tp_text_value(b->files[0].name)));
}
