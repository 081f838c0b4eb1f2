/* A checked budget as a summary for a pull request. */
#include "cli/checked.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "render/markdown.h"

/* What forges show of a summary, and what is kept for the end. */
enum { MOST_BYTES = 64 * 1024, TAIL_BYTES = 4 * 1024 };

static void
put_cell(struct tp_markdown *m, struct tp_slice text)
{
	tp_sink_puts(m->out, " ");
	tp_markdown_put(m, text);
	tp_sink_puts(m->out, " |");
}

static void
put_row(struct tp_markdown *m, const struct tp_checked *check, const struct tp_budget_item *item)
{
	tp_sink_puts(m->out, "| ");
	tp_markdown_glyph(m, tp_checked_item_judge(item));
	tp_sink_puts(m->out, "| ");
	if (item->label.len != 0) {
		tp_markdown_put(m, item->label);
		tp_sink_puts(m->out, " ");
	}
	tp_markdown_code(m, item->id);
	tp_sink_puts(m->out, " |");
	if (check->baseline_count != 0)
		put_cell(m, item->base);
	put_cell(m, item->now);
	if (check->baseline_count != 0)
		put_cell(m, item->change);
	put_cell(m, item->limit);
	tp_sink_puts(m->out, "\n");
}

static void
put_why(struct tp_markdown *m, const struct tp_checked *check, const struct tp_budget_item *item)
{
	(void)check;
	if (item->why.len == 0)
		return;
	tp_sink_puts(m->out, "- ");
	tp_markdown_code(m, item->id);
	tp_sink_puts(m->out, ": ");
	tp_markdown_put(m, item->why);
	tp_sink_puts(m->out, "\n");
}

/* One line an item, as long as there is room; what was left out is counted. */
static void
put_lines(struct tp_sink *out, const struct tp_checked *check,
	void (*line)(struct tp_markdown *, const struct tp_checked *, const struct tp_budget_item *))
{
	const struct tp_budget_result *r = check->result;
	size_t left_out = 0;

	for (size_t i = 0; i < r->count; i++) {
		struct tp_sink *piece = tp_sink_memory();
		struct tp_markdown m = {piece, check->arena};

		line(&m, check, &r->items[i]);
		struct tp_slice bytes = tp_sink_bytes(piece);

		if (left_out != 0 || tp_sink_written(out) + bytes.len > MOST_BYTES - TAIL_BYTES)
			left_out++;
		else
			tp_sink_put(out, bytes);
		tp_sink_close(piece);
	}
	if (left_out != 0)
		tp_sink_printf(out, "\n%zu of %zu left out: the summary is full.\n", left_out, r->count);
}

/* An indented block: nothing in it is obeyed. A command is whole or not there. */
static void
put_next(struct tp_sink *out, struct tp_slice command)
{
	static const char head[] = "\nNext:\n\n    ";

	if (tp_sink_written(out) + strlen(head) + command.len + 1 > MOST_BYTES)
		return;
	tp_sink_puts(out, head);
	tp_sink_put(out, command);
	tp_sink_puts(out, "\n");
}

void
tp_checked_markdown(const struct tp_checked *check, struct tp_sink *out)
{
	struct tp_markdown m = {out, check->arena};
	struct tp_slice headline = tp_checked_headline(check), against = tp_checked_against(check);
	bool has_base = check->baseline_count != 0;

	tp_sink_puts(out, "### ");
	tp_markdown_glyph(&m, tp_checked_judge(check));
	tp_markdown_put(&m, headline);
	tp_sink_puts(out, "\n\n");
	tp_markdown_put(&m, check->doc->title);
	if (against.len != 0) {
		tp_sink_puts(out, " · ");
		tp_markdown_put(&m, against);
	}
	tp_sink_puts(out, " · budget ");
	tp_markdown_put(&m, check->name);
	tp_sink_puts(out,
		has_base ? "\n\n| | metric | base | now | change | limit |\n|---|---|--:|--:|--:|--:|\n"
				 : "\n\n| | metric | now | limit |\n|---|---|--:|--:|\n");
	put_lines(out, check, put_row);
	if (check->result->outside + check->result->not_judged != 0) {
		tp_sink_puts(out, "\n");
		put_lines(out, check, put_why);
	}
	if (check->slower.len != 0) {
		tp_sink_puts(out, "\n");
		tp_markdown_put(&m, check->slower);
		tp_sink_puts(out, "\n");
	}
	if (tp_checked_status(check) == TP_EXIT_NOT_JUDGED)
		tp_sink_puts(out, "\nNot a pass; `--missing=pass|fail` decides otherwise.\n");
	put_next(out, tp_utf8_line(check->arena, tp_checked_next(check)));
}
