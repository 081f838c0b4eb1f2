/* What the report says about live buffers: totals by device and kind, the stacks that asked for most, the tree of calls. */
#include "analyze/memory/live_buffers.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/live.h"
#include "model/profile.h"
#include "report/draft.h"

enum { MOST_FILES = 8 };

static struct tp_value
share(uint64_t part, const struct tp_live_file *f)
{
	return tp_share((double)part, (double)f->bytes, TP_S("nothing that is held takes memory"));
}

static struct tp_value
device(struct tp_slice name)
{
	return name.len != 0 ? tp_text_value(name) : tp_missing(TP_S("on no device"));
}

static const struct tp_column total_columns[] = {
	TP_COLUMN("device", "Device"),
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number"),
	TP_COUNT_COLUMN("stacks", "Stacks"),
};

static void
totals(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = tp_draft_table(
		doc, parent, id, total_columns, sizeof total_columns / sizeof *total_columns);

	for (size_t i = 0; i < f->total_count; i++) {
		const struct tp_live_total *t = &f->totals[i];
		struct tp_cell *cell = tp_draft_row(&draft,
			tp_arena_printf(ctx->scratch, "%.*s/%.*s", TP_ARG(t->device), TP_ARG(t->kind)),
			TP_ROW_NORMAL, 0);

		cell[0].value = device(t->device);
		cell[1].value = t->kind.len != 0 ? tp_text_value(t->kind) : tp_missing(TP_S("not said"));
		cell[2].value = tp_bytes(t->bytes);
		cell[3].value = share(t->bytes, f);
		cell[3].swatch = TP_HUE_MEMORY;
		cell[4].value = tp_count(t->count);
		cell[5].value = tp_count(t->stacks);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S("What was held, by device and kind");
}

static const struct tp_column stack_columns[] = {
	TP_COLUMN("function", "Asked for by", .code = true),
	TP_COLUMN("where", "At", .code = true),
	TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true),
	TP_SHARE_COLUMN("share", "Of all", .bar = true),
	TP_COUNT_COLUMN("count", "Number"),
	TP_COLUMN("kind", "Kind"),
	TP_COLUMN("device", "Device"),
	TP_COLUMN("innermost", "Innermost call", .code = true),
	TP_COLUMN("innermost_where", "At", .code = true),
};

static void
stacks(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	const struct tp_strings *strings = &ctx->profile->strings;
	struct tp_draft draft = tp_draft_table(
		doc, parent, id, stack_columns, sizeof stack_columns / sizeof *stack_columns);

	for (size_t i = 0; i < f->stack_count; i++) {
		const struct tp_live_stack *s = &f->stacks[i];
		struct tp_slice name = tp_live_function(ctx, s->line);
		struct tp_cell *cell = tp_draft_row(&draft, name, TP_ROW_NORMAL, 0);

		cell[0].value = tp_text_value(name);
		cell[1].value = tp_text_value(tp_live_where(ctx, s->line));
		cell[2].value = tp_bytes(s->sample->bytes);
		cell[3].value = share(s->sample->bytes, f);
		cell[3].swatch = TP_HUE_MEMORY;
		cell[4].value = tp_count(s->sample->count);
		cell[5].value = tp_text_value(tp_string(strings, s->sample->kind));
		cell[6].value = device(tp_string(strings, s->sample->device));
		cell[7].value = tp_text_value(tp_live_function(ctx, s->innermost));
		cell[8].value = tp_text_value(tp_live_where(ctx, s->innermost));
	}
	if (f->other_stacks != 0) {
		struct tp_value more = tp_say_number(ctx, f->other_stacks, "more stack", "more stacks");
		struct tp_cell *cell = tp_draft_row(&draft, TP_S("more"), TP_ROW_NORMAL, 0);

		cell[0].value = more;
		cell[2].value = tp_bytes(f->other_bytes);
		cell[3].value = share(f->other_bytes, f);
		cell[4].value = tp_count(f->other_count);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("Stacks that asked for what was held, named by their innermost call that "
						  "is not in an installed package");
}

static const struct tp_column full_columns[] = {
	TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3, .sorted = true),
	TP_COLUMN("stack", "Calls, the innermost first", .code = true),
};

/* A table in a fold, not on paper. */
static struct tp_draft
folded_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const char *id, const char *title, const struct tp_column *columns, size_t count)
{
	struct tp_block *fold = tp_doc_section(doc, parent, TP_SECTION_FOLD, id, title);

	fold->section.off_paper = true;
	return tp_draft_table(
		doc, fold, tp_arena_printf(ctx->keep, "%s/table", id).ptr, columns, count);
}

static void
full_stacks(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	struct tp_draft draft = folded_table(ctx, doc, parent, id, "The same stacks in full",
		full_columns, sizeof full_columns / sizeof *full_columns);

	for (size_t i = 0; i < f->stack_count; i++) {
		struct tp_cell *cell =
			tp_draft_row(&draft, tp_live_function(ctx, f->stacks[i].line), TP_ROW_NORMAL, 0);

		cell[0].value = tp_bytes(f->stacks[i].sample->bytes);
		cell[1].value = tp_text_value(f->stacks[i].text);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S("Every call of the stacks, numbered as above");
}

static const struct tp_column tree_columns[] = {
	TP_COLUMN("function", "Call", .code = true),
	TP_COLUMN("where", "At", .code = true),
	TP_COLUMN("bytes", "Held", .unit = TP_UNIT_MIB, .decimals = 3,
		TP_FIELD(struct tp_live_node, bytes, TP_UNIT_BYTES)),
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
	struct tp_draft draft = folded_table(ctx, doc, parent, id, "The same as a tree of calls",
		tree_columns, sizeof tree_columns / sizeof *tree_columns);

	for (size_t i = 0; i < f->node_count; i++) {
		const struct tp_live_node *n = &f->nodes[i];
		struct tp_slice name = tp_live_function(ctx, n->line);
		struct tree_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, (int)n->depth, n);

		cells->function.value = tp_text_value(name);
		cells->where.value = tp_text_value(tp_live_where(ctx, n->line));
		cells->share.value = share(n->bytes, f);
		cells->share.swatch = TP_HUE_MEMORY;
	}
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption = f->nodes_left_out == 0 ? TP_S("Calls from the outermost inwards; a row stands "
												   "for all calls that lead to nothing else")
											: tp_arena_printf(ctx->keep,
												  "Calls from the outermost inwards; a row stands "
												  "for all calls that lead to nothing else; %zu "
												  "more are left out",
												  f->nodes_left_out);
}

static void
answer(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *section)
{
	section->section.key_figure = tp_bytes(f->bytes);
	section->section.answer = TP_SAY(doc, "{memory.live.bytes} were held by {} and {}.",
		tp_say_number(ctx, f->buffers, "buffer", "buffers"),
		tp_say_number(ctx, f->executables, "compiled program", "compiled programs"));
	if (f->stack_count == 0 || f->bytes == 0)
		return;
	const struct tp_live_line *line = f->stacks[0].line;
	struct tp_slice where = tp_live_where(ctx, line);

	section->section.so_what =
		TP_SAY(doc, "One call asked for {memory.live.top.share} of it: `{}`{}{}.",
			tp_text_value(tp_live_function(ctx, line)),
			tp_text_value(where.len ? TP_S(" at ") : TP_S("")), tp_text_value(where));
}

static void
one_file(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc,
	struct tp_block *parent, const char *id)
{
	totals(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/totals", id).ptr);
	stacks(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/stacks", id).ptr);
	full_stacks(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/full", id).ptr);
	tree(ctx, f, doc, parent, tp_arena_printf(ctx->keep, "%s/tree", id).ptr);
	if (f->live->left_out == 0)
		return;
	struct tp_slice notice_id = tp_arena_printf(ctx->keep, "%s/damaged", id);
	struct tp_block *notice = tp_doc_add(doc, parent, TP_BLOCK_NOTICE, notice_id);

	notice->notice.judge = TP_JUDGE_WARN;
	notice->notice.text = TP_SAY(doc, "{} left out: damaged, or counting what cannot be.",
		tp_say_number(ctx, f->live->left_out, "stack is", "stacks are"));
}

void
tp_live_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_live_buffers *b = result;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "live-buffers", "Live buffers");

	answer(ctx, &b->files[0], doc, section);
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
		"A memory profile says what was held at the moment when it was saved: for every call stack "
		"that asked for buffers or compiled programs which are still there, how many they are and "
		"how many bytes they take. It does not say what was held before or after, nor what a "
		"program takes while it runs. A stack is named by its innermost call whose file is in no "
		"installed package, for that is the line to change.");
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "live-buffers/source",
		TP_SAY(doc, "From `{}`.", tp_text_value(b->files[0].name)));
}
