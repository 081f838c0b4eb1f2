/* What the section on tracks shows: names by self time, track by track, and counters. */
#include "analyze/tracks/tracks.h"

#include "analyze/core/say.h"
#include "analyze/tracks/tracks_columns.h"
#include "analyze/tracks/tracks_words.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/tracks.h"
#include "report/draft.h"

#include <math.h>

enum { MOST_TRACKS = 500, MOST_NAMES_SHOWN = 50, MOST_COUNTERS = 500 };

/* "python 4711 / MainThread" */
static struct tp_slice
track_name(const struct tp_pass_ctx *ctx, const struct tp_line *line)
{
	struct tp_slice name = line->title;

	return line->process.len != 0
		? tp_arena_printf(ctx->keep, "%.*s / %.*s", TP_ARG(line->process), TP_ARG(name))
		: name;
}

/* Names are of any length; a table has room for so much of one. */
static void
put_name(const struct tp_pass_ctx *ctx, struct tp_slice name, struct tp_cell *cell)
{
	enum { LONGEST = 160 };

	if (name.len == 0)
		name = TP_S(text_no_name);
	cell->value = tp_text_value(tp_utf8_shorten(ctx->keep, name, LONGEST));
	if (name.len > LONGEST)
		cell->full = name;
}

static void
put_row(const struct tp_pass_ctx *ctx, struct tp_draft *draft, const struct tp_track_sums *t,
	const struct tp_track_name *n)
{
	struct name_cells *cells = tp_draft_row_of(draft,
		tp_arena_printf(ctx->keep, "%.*s/%.*s", TP_ARG(t->line->name), TP_ARG(n->name)),
		TP_ROW_NORMAL, 1, NULL);

	put_name(ctx, n->name, &cells->name);
	cells->self.value = tp_number((double)n->self_ps, TP_UNIT_PS);
	cells->share.value = tp_share((double)n->self_ps, (double)t->self_ps, TP_S(why_no_length));
	cells->share.swatch = TP_HUE_HOST;
	cells->calls.value = tp_count(n->calls);
	cells->total.value = tp_number((double)n->total_ps, TP_UNIT_PS);
	cells->mean.value = tp_number((double)n->total_ps / (double)n->calls, TP_UNIT_PS);
	cells->longest.value = tp_number((double)n->longest_ps, TP_UNIT_PS);
	cells->category.value = tp_say_text(n->category, why_none_given);
}

static void
put_track(const struct tp_pass_ctx *ctx, struct tp_draft *draft, const struct tp_track_sums *t)
{
	struct tp_value of_names = tp_missing(TP_S(why_of_names));
	size_t shown = t->name_count < MOST_NAMES_SHOWN ? t->name_count : MOST_NAMES_SHOWN;
	struct name_cells *cells =
		tp_draft_row_of(draft, track_name(ctx, t->line), TP_ROW_GROUP, 0, NULL);

	put_name(ctx, track_name(ctx, t->line), &cells->name);
	cells->self.value = tp_number((double)t->self_ps, TP_UNIT_PS);
	cells->calls.value = tp_count(t->events);
	cells->share.value = cells->total.value = cells->mean.value = cells->longest.value = of_names;
	cells->category.value = shown < t->all_names
		? tp_text_value(tp_arena_printf(ctx->keep, text_some_names, shown, t->all_names))
		: of_names;
	for (size_t i = 0; i < shown; i++)
		put_row(ctx, draft, t, &t->names[i]);
}

static void
present_names(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct tp_track_totals *t)
{
	size_t shown = t->track_count < MOST_TRACKS ? t->track_count : MOST_TRACKS;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tracks/names", name_columns);

	for (size_t i = 0; i < shown; i++)
		put_track(ctx, &draft, &t->tracks[i]);
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->shown = tp_table_open_rows(table, ctx->options->top);
	table->caption = TP_S(caption_names);
	tp_say_left_out(ctx, doc, section, "tracks/names/rest", t->track_count, shown, "more track is",
		"more tracks are");
}

static void
present_counters(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct tp_track_totals *t)
{
	size_t shown = t->counter_count < MOST_COUNTERS ? t->counter_count : MOST_COUNTERS;

	if (shown == 0)
		return;
	struct tp_block *sub =
		tp_doc_section(doc, section, TP_SECTION_SUB, "tracks/counters", title_counters);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, sub, "tracks/counters/list", counter_columns);

	for (size_t i = 0; i < shown; i++) {
		const struct tp_counter_sums *s = &t->counters[i];
		const struct tp_track_counter *c = s->counter;
		struct counter_cells *cells = tp_draft_row_of(&draft, c->name, TP_ROW_NORMAL, 0, NULL);

		put_name(ctx, c->name, &cells->counter);
		cells->process.value = tp_say_text(c->process, why_not_said);
		cells->points.value = tp_count(c->count);
		cells->least.value = tp_number(s->least, TP_UNIT_NONE);
		cells->most.value = tp_number(s->most, TP_UNIT_NONE);
		cells->last.value = tp_number(s->last, TP_UNIT_NONE);
		cells->mean.value =
			isfinite(s->mean) ? tp_number(s->mean, TP_UNIT_NONE) : tp_missing(TP_S(why_one_time));
		cells->unit.value = tp_say_text(c->unit, why_none_given);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_counters);
	tp_say_left_out(ctx, doc, sub, "tracks/counters/rest", t->counter_count, shown,
		"more counter is", "more counters are");
}

/* The name that takes most time of its own on the track that has most. */
static struct tp_text
answer(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_track_totals *t)
{
	if (t->track_count == 0 || t->tracks[0].self_ps == 0)
		return TP_SAY(doc, text_no_length,
			tp_say_number(ctx, t->events, "event is a moment", "events are moments"));
	const struct tp_track_sums *first = &t->tracks[0];
	struct tp_cell name = {0};

	put_name(ctx, first->names[0].name, &name);
	return TP_SAY(doc, text_most, name.value,
		tp_number((double)first->names[0].self_ps, TP_UNIT_PS),
		tp_share((double)first->names[0].self_ps, (double)first->self_ps, TP_S("no time")),
		tp_text_value(track_name(ctx, first->line)));
}

void
tp_tracks_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_track_totals *t = result;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "tracks", "Tracks");

	section->section.answer = answer(ctx, doc, t);
	section->section.aside =
		TP_SAY(doc, text_aside, tp_say_number(ctx, t->events, "event", "events"),
			tp_say_number(ctx, t->track_count, "track", "tracks"));
	if (t->track_count != 0)
		present_names(ctx, doc, section, t);
	present_counters(ctx, doc, section, t);
	tp_say_how(ctx, doc, section, "tracks/how", how_tracks);
}
