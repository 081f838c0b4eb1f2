/* The first screen of a comparison: what was compared, the verdict, why, and the headline figures. */
#include <math.h>

#include "base/arena.h"
#include "compare/context.h"
#include "compare/look.h"

static const char STEP[] = "step.time.p50_ms";

static const char *const memory_ids[] = {
	"memory.measured.peak_bytes", "torch.memory.peak_bytes", "memory.peak_bytes"};

const struct tp_change *
tp_change_of_memory(const struct tp_comparison *c)
{
	const struct tp_change *change = NULL;

	for (size_t i = 0; change == NULL && i < sizeof memory_ids / sizeof *memory_ids; i++)
		change = tp_change_of(c, memory_ids[i]);
	return change;
}

const struct tp_change *
tp_change_of_time(const struct tp_comparison *c)
{
	return tp_change_of(c, STEP);
}

static struct tp_value
share(const struct tp_comparison *c, double of)
{
	return tp_text_value(tp_signed_text(c->arena, tp_number(of, TP_UNIT_SHARE)));
}

/* "resnet50 · 2026-09-14": what a side is. */
static struct tp_text
side(const struct tp_comparison *c, const char *letter, const struct tp_doc *doc,
	struct tp_slice path)
{
	struct tp_slice what = tp_slice_eq(doc->name, doc->run)
		? doc->name
		: tp_arena_printf(c->arena, "%.*s · %.*s", TP_ARG(doc->name), TP_ARG(doc->run));

	return TP_SAY(c->doc, "*{}* {} · `{}`", tp_text_value(tp_slice_of(letter)), tp_text_value(what),
		tp_text_value(path));
}

static void
say_sides(const struct tp_comparison *c, struct tp_block *summary)
{
	struct tp_text *items = tp_new_array(c->arena, struct tp_text, 2);
	struct tp_block *block = tp_doc_add(c->doc, summary, TP_BLOCK_PARAGRAPH, TP_S("summary/sides"));

	items[0] = side(c, "A", c->wish->a, c->wish->a_path);
	items[1] = side(c, "B", c->wish->b, c->wish->b_path);
	block->paragraph = (struct tp_paragraph){TP_PARAGRAPH_RUN_LINE, items, 2};
}

/* The second line: what decided, or what would. */
static struct tp_text
consequence(const struct tp_comparison *c, const struct tp_change *time)
{
	if (c->not_comparable.len != 0)
		return TP_SAY(
			c->doc, "inconclusive, because they differ in {}.", tp_text_value(c->not_comparable));
	if (time->verdict == TP_CHANGE_SAME && time->difference == 0)
		return TP_SAY0(c->doc, "both reports have the same median step.");
	if (time->has_expected)
		return TP_SAY(c->doc, "{} runs of the same program predict {} to {}.",
			tp_count(time->expected.runs), tp_number(time->expected.low, time->b.unit),
			tp_number(time->expected.high, time->b.unit));
	if (isfinite(c->wish->floor))
		return TP_SAY(c->doc, "the floor of {} decided, not the noise of runs.",
			tp_number(c->wish->floor, TP_UNIT_SHARE));
	return TP_SAY(c->doc, "whether that is more than noise is unknown: {}.",
		tp_text_value(tp_change_why_unknown(c)));
}

static struct tp_text
verdict_name(const struct tp_comparison *c, const struct tp_change *time)
{
	switch (time->verdict) {
	case TP_CHANGE_WORSE:
		return TP_SAY(c->doc, "Slower by {}:", tp_number(fabs(time->share), TP_UNIT_SHARE));
	case TP_CHANGE_BETTER:
		return TP_SAY(c->doc, "Faster by {}:", tp_number(fabs(time->share), TP_UNIT_SHARE));
	case TP_CHANGE_SAME:
		return TP_SAY0(c->doc, "The same step time:");
	case TP_CHANGE_OTHER:
	case TP_CHANGE_UNDECIDED:
		break;
	}
	return c->not_comparable.len != 0 ? TP_SAY0(c->doc, "Not comparable:")
									  : TP_SAY0(c->doc, "Undecided:");
}

static struct tp_text
verdict_saw(const struct tp_comparison *c, const struct tp_change *time)
{
	return TP_SAY(c->doc, "the median step takes {} instead of {} ({});", time->b, time->a,
		share(c, time->share));
}

/* How sure the verdict is, below it. */
static void
say_certainty(const struct tp_comparison *c, struct tp_block *summary)
{
	const struct tp_change *time = tp_change_of_time(c);
	struct tp_text text = {NULL, 0};

	if (time == NULL || time->difference == 0 || c->not_comparable.len != 0)
		return;
	if (time->has_expected)
		TP_SAY_MORE(c->doc, text, "A change below {} may go undetected with these runs. ",
			tp_number(time->expected.smallest, TP_UNIT_SHARE));
	if (time->has_interval)
		TP_SAY_MORE(c->doc, text,
			"The steps within the two runs alone make the change {} to {}: that is not the noise between runs.",
			share(c, time->interval.low), share(c, time->interval.high));
	if (text.count != 0)
		tp_doc_paragraph(c->doc, summary, TP_PARAGRAPH_SMALL, "summary/certainty", text);
}

static struct tp_verdict
no_steps(const struct tp_comparison *c)
{
	bool in_a = tp_known(tp_doc_value(c->wish->a, STEP));
	bool in_b = tp_known(tp_doc_value(c->wish->b, STEP));
	struct tp_slice where = in_a ? TP_S("B") : in_b ? TP_S("A") : TP_S("A and B");

	return (struct tp_verdict){
		.judge = TP_JUDGE_UNDECIDED,
		.name = TP_SAY0(c->doc, "Undecided:"),
		.saw = TP_SAY(c->doc, "{} {} no step times;", tp_text_value(where),
			tp_text_value(in_a || in_b ? TP_S("has") : TP_S("have"))),
		.consequence = c->not_comparable.len != 0
			? consequence(c, NULL)
			: TP_SAY0(c->doc, "what both hold is compared below."),
	};
}

static void
say_verdict(const struct tp_comparison *c, struct tp_block *summary)
{
	const struct tp_change *time = tp_change_of_time(c);
	struct tp_block *block = tp_doc_add(c->doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"));

	if (time == NULL) {
		block->verdict = no_steps(c);
		return;
	}
	block->verdict = (struct tp_verdict){
		.judge = tp_change_judge(time->verdict),
		.name = verdict_name(c, time),
		.saw = verdict_saw(c, time),
		.consequence = consequence(c, time),
	};
}

static void
say_quality(const struct tp_comparison *c, struct tp_block *summary)
{
	struct tp_text *items = tp_new_array(c->arena, struct tp_text, c->fact_count + 1);
	struct tp_block *block =
		tp_doc_add(c->doc, summary, TP_BLOCK_PARAGRAPH, TP_S("summary/comparable"));
	size_t count = 1, differ = 0;

	for (size_t i = 0; i < c->fact_count; i++) {
		const struct tp_fact *f = &c->facts[i];

		if (!f->differs)
			continue;
		differ++;
		if (count <= 4 && f->a.len != 0 && f->b.len != 0)
			items[count++] = TP_SAY(c->doc, "{} {} → {}", tp_text_value(f->what),
				tp_text_value(f->a), tp_text_value(f->b));
	}
	items[0] = c->not_comparable.len != 0
		? tp_doc_judged(
			  c->doc, TP_JUDGE_UNDECIDED, TP_SAY0(c->doc, "[not comparable in time](#environment)"))
		: tp_doc_judged(c->doc, TP_JUDGE_GOOD,
			  TP_SAY(c->doc, "[comparable](#environment): {} of {} facts equal",
				  tp_count(c->fact_count - differ), tp_count(c->fact_count)));
	block->paragraph = (struct tp_paragraph){TP_PARAGRAPH_QUALITY, items, count};
}

/* Tiles. */

enum { MOST_TILES = 6 };

static void
add_tile(const struct tp_comparison *c, const struct tp_change *change, const char *label,
	struct tp_tile *tile)
{
	struct tp_slice metric = tp_arena_printf(c->arena, "b.%.*s", TP_ARG(change->id));

	*tile = tp_doc_tile(c->doc,
		tp_arena_printf(c->arena, "summary/tile/%.*s", TP_ARG(change->id)).ptr, label, metric.ptr);
	tile->judge = tp_change_judge(change->verdict);
	tile->section = TP_S("metrics");
	tile->note[0] = isfinite(change->share)
		? TP_SAY(c->doc, "{} · {}", tp_text_value(tp_change_word(change)), share(c, change->share))
		: TP_SAY(c->doc, "{}", tp_text_value(tp_change_word(change)));
	tile->note[1] = TP_SAY(c->doc, "{} in A", change->a);
}

static void
say_tiles(const struct tp_comparison *c, struct tp_block *summary)
{
	struct tp_tile *tiles = tp_new_array(c->arena, struct tp_tile, MOST_TILES);
	size_t count = 0;

	for (size_t i = 0; i < tp_headline_count && count < MOST_TILES; i++) {
		const struct tp_change *change = tp_change_of(c, tp_headlines[i].id);
		bool again = count != 0 && strcmp(tiles[count - 1].label.ptr, tp_headlines[i].label) == 0;

		if (change != NULL && !again)
			add_tile(c, change, tp_headlines[i].label, &tiles[count++]);
	}
	if (count != 0)
		tp_doc_add(c->doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"))->tiles =
			(struct tp_tiles){tiles, count};
}

void
tp_compare_summary(struct tp_comparison *c, struct tp_block *summary)
{
	say_sides(c, summary);
	say_verdict(c, summary);
	say_certainty(c, summary);
	say_quality(c, summary);
	say_tiles(c, summary);
}
