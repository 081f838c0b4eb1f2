/* The level that each figure has now, and how far a further run of it may lie. */
#include "compare/series.h"

#include "base/arena.h"
#include "compare/noise.h"
#include "report/column.h"
#include "report/doc.h"
#include "report/draft.h"

static const double LEVEL = 0.99;

struct cells {
	struct tp_cell metric, runs, since, middle, low, high, smallest;
};

static const struct tp_column columns[] = {
	TP_COLUMN("metric", "Metric"),
	TP_COUNT_COLUMN("runs", "Runs"),
	TP_COUNT_COLUMN("since", "Since run"),
	TP_COLUMN("middle", "Level"),
	TP_COLUMN("low", "Next run from"),
	TP_COLUMN("high", "to"),
	TP_SHARE_COLUMN("smallest_share", "Detectable change"),
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

static struct tp_value
text_of(const struct tp_doc *doc, double number, enum tp_unit unit)
{
	char buf[TP_VALUE_BUF];

	return tp_text_value(tp_arena_copy(doc->arena, tp_value_text(tp_number(number, unit), buf)));
}

static void
put(struct tp_draft *draft, const struct tp_series_of_runs *s)
{
	const struct tp_change_point *newest = tp_series_newest(s);
	size_t from = newest != NULL ? newest->at : 0, runs = s->known_count - from;
	struct cells *cells = (void *)tp_draft_row(draft, s->id, TP_ROW_NORMAL, 0);
	struct tp_value few = tp_missing(TP_S("fewer than three runs, or one is not above 0"));
	struct tp_expected e;
	bool is_known = tp_expect(s->known + from, runs, LEVEL, &e);

	cells->metric.value = tp_text_value(s->label);
	cells->runs.value = tp_count(runs);
	cells->since.value = tp_count(s->runs[from] + 1);
	cells->middle.value = is_known ? text_of(draft->doc, e.middle, s->unit) : few;
	cells->low.value = is_known ? text_of(draft->doc, e.low, s->unit) : few;
	cells->high.value = is_known ? text_of(draft->doc, e.high, s->unit) : few;
	cells->smallest.value = is_known ? tp_number(e.smallest, TP_UNIT_SHARE) : few;
}

void
tp_series_levels(const struct tp_series_of_runs *series, size_t count, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "trends/levels", columns);

	for (size_t i = 0; i < count; i++)
		put(&draft, &series[i]);
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(
		"Levels since the newest change, the range in which the next run is expected (99 %), and "
		"the smallest change that these runs can detect");
}
