/* A checked budget as text: a line a limit, why those that are not within it are not, and what to do next. */
#include "cli/checked.h"

#include "cli/commands.h"
#include "io/sink.h"
#include "render/terminal.h"
#include "report/judge.h"

enum { ID, BASE, NOW, CHANGE, LIMIT, COLUMNS };

static void
cells_of(const struct tp_budget_item *item, struct tp_slice cells[static COLUMNS])
{
	cells[ID] = item->id;
	cells[BASE] = item->base;
	cells[NOW] = item->now;
	cells[CHANGE] = item->change;
	cells[LIMIT] = item->limit;
}

static void
put_row(struct tp_terminal *t, const unsigned *widths, struct tp_slice cells[static COLUMNS])
{
	tp_terminal_left(t, cells[ID], widths[ID]);
	for (size_t i = BASE; i < LIMIT; i++) {
		if (widths[i] == 0)
			continue;
		tp_terminal_blanks(t, 2);
		tp_terminal_right(t, cells[i], widths[i]);
	}
	tp_terminal_blanks(t, cells[LIMIT].len != 0 ? 2 : 0);
	tp_terminal_put(t, TP_TERMINAL_PLAIN, cells[LIMIT]);
	tp_sink_puts(t->out, "\n");
}

static void
put_glyph(struct tp_terminal *t, enum tp_judge judge)
{
	tp_terminal_put(t, tp_terminal_judged(judge), tp_judge_glyph(judge));
	tp_terminal_blanks(t, 1);
}

static void
put_table(struct tp_terminal *t, const struct tp_checked *check)
{
	struct tp_slice heads[COLUMNS] = {
		TP_S("metric"), TP_S("base"), TP_S("now"), TP_S("change"), TP_S("limit")};
	const struct tp_budget_result *r = check->result;
	unsigned widths[COLUMNS] = {0};

	for (size_t i = 0; i < r->count; i++) {
		struct tp_slice cells[COLUMNS];

		cells_of(&r->items[i], cells);
		for (size_t k = 0; k < COLUMNS; k++) {
			unsigned width = tp_terminal_width(tp_terminal_clean(t, cells[k]));
			unsigned least = width != 0 ? tp_terminal_width(heads[k]) : 0;

			width = width > least ? width : least;
			widths[k] = width > widths[k] ? width : widths[k];
		}
	}
	tp_terminal_blanks(t, 2);
	put_row(t, widths, heads);
	for (size_t i = 0; i < r->count; i++) {
		const struct tp_budget_item *item = &r->items[i];
		struct tp_slice cells[COLUMNS];

		cells_of(item, cells);
		for (size_t k = 0; k < COLUMNS; k++)
			cells[k] = tp_terminal_clean(t, cells[k]);
		put_glyph(t, tp_checked_item_judge(item));
		put_row(t, widths, cells);
		/* A broken limit beside its figure says why by itself. */
		if (item->status == TP_BUDGET_NOT_JUDGED || (item->is_finding && item->why.len != 0))
			tp_terminal_flow(t, true, TP_TERMINAL_PLAIN, 0, tp_terminal_clean(t, item->why));
	}
}

void
tp_checked_text(const struct tp_checked *check, unsigned columns, bool colour, struct tp_sink *out)
{
	enum { USUAL_COLUMNS = 80 };
	struct tp_terminal t = {
		.out = out,
		.arena = check->arena,
		.columns = columns != 0 ? columns : USUAL_COLUMNS,
		.colour = colour,
	};
	struct tp_slice against = tp_checked_against(check);
	int status = tp_checked_status(check);

	put_glyph(&t, tp_checked_judge(check));
	tp_terminal_put(&t, TP_TERMINAL_STRONG, tp_checked_headline(check));
	if (against.len != 0) {
		tp_sink_puts(out, "; ");
		tp_terminal_put(&t, TP_TERMINAL_PLAIN, tp_terminal_clean(&t, against));
	}
	tp_sink_puts(out, "\n\n");
	put_table(&t, check);
	tp_sink_puts(out, "\n");
	if (check->slower.len != 0)
		tp_terminal_flow(&t, false, TP_TERMINAL_PLAIN, 0, tp_terminal_clean(&t, check->slower));
	if (status == TP_EXIT_NOT_JUDGED)
		tp_sink_puts(out, "Not a pass; --missing=pass|fail decides otherwise.\n");
	tp_sink_puts(out, status == TP_EXIT_OK ? "Keep as a baseline: " : "Open: ");
	tp_terminal_put(&t, TP_TERMINAL_PLAIN, tp_terminal_clean(&t, tp_checked_next(check)));
	tp_sink_puts(out, "\n");
}
