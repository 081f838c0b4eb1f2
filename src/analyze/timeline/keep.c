/* Which events of a timeline are kept in full: all of short lines; of long ones those of the steps that are drawn and of what findings
 * are about, then of further steps, the slowest first, as long as there is room. The rest is in cells alone. */
#include "analyze/core/intervals.h"
#include "analyze/core/pass.h"
#include "analyze/steps/steps.h"
#include "analyze/timeline/timeline.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"

#include <stdlib.h>

enum {
	BYTES_AN_EVENT = 6,   /* in full, in a page */
	MOST_IN_SPAN = 60000, /* of a line that is not kept whole, in the steps that are drawn */
	MOST_SEEN = 60000,    /* of all such lines, where a finding is seen */
	SLICES = 64,          /* of a capture without steps */
	MOST_LOOKS = 1 << 22, /* for how many events of a line are in a stretch */
};

struct by_events {
	uint32_t events;
	size_t line;
};
TP_ORDER(fewest_first, struct by_events, TP_UP(events), TP_UP(line));

struct keeping {
	const struct tp_pass_ctx *ctx;
	struct tp_timeline_found *t;
	struct tp_buf parts; /* struct tp_interval */
	uint64_t kept, most; /* events */
	uint64_t looks;
};

static uint64_t
events_in(const struct tp_timeline_line *line, struct tp_stretch s)
{
	return tp_timeline_first_from(line, s.to_ps) - tp_timeline_first_from(line, s.from_ps);
}

void
tp_timeline_keep_short_lines(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t)
{
	struct by_events *order = tp_new_array(ctx->scratch, struct by_events, t->line_count);
	uint64_t kept = 0, most = ctx->options->timeline_bytes / BYTES_AN_EVENT;

	for (size_t i = 0; i < t->line_count; i++)
		order[i] = (struct by_events){t->lines[i].line->count, i};
	qsort(order, t->line_count, sizeof *order, fewest_first);
	for (size_t i = 0; i < t->line_count && kept + order[i].events <= most; i++) {
		t->lines[order[i].line].whole = true;
		kept += order[i].events;
	}
}

/* Keeps a stretch if all lines together have no more than so many events in it. */
static bool
keep(struct keeping *k, struct tp_stretch s, uint64_t most)
{
	uint64_t events = 0;

	for (size_t i = 0; i < k->t->line_count; i++) {
		if (k->t->lines[i].in_part)
			events += events_in(&k->t->lines[i], s);
	}
	k->looks += k->t->line_count;
	if (events > most)
		return false;
	TP_PUSH(&k->parts, struct tp_interval, (int64_t)s.from_ps, (int64_t)s.to_ps);
	k->kept += events;
	return true;
}

/* What is drawn is kept, but of a line that has very much there. */
static void
keep_spans(struct keeping *k)
{
	struct tp_timeline_found *t = k->t;

	for (size_t i = 0; i < t->line_count; i++) {
		uint64_t events = 0;

		for (size_t n = 0; n < t->span_count && !t->without_steps; n++)
			events += events_in(
				&t->lines[i], (struct tp_stretch){t->spans[n].from_ps, t->spans[n].to_ps});
		t->lines[i].in_part = !t->lines[i].whole && events <= MOST_IN_SPAN;
	}
	for (size_t n = 0; n < t->span_count && !t->without_steps; n++)
		keep(k, (struct tp_stretch){t->spans[n].from_ps, t->spans[n].to_ps}, UINT64_MAX);
}

static void
keep_seen(struct keeping *k, const struct tp_stretch *seen, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t around = (seen[i].to_ps - seen[i].from_ps) / 4;

		if (seen[i].to_ps != 0)
			keep(k,
				(struct tp_stretch){seen[i].from_ps > around ? seen[i].from_ps - around : 0,
					seen[i].to_ps + around},
				MOST_SEEN);
	}
}

struct step {
	double time_ps;
	uint64_t from_ps, to_ps;
};
TP_ORDER(slowest_first, struct step, TP_DOWN(time_ps), TP_UP(from_ps));

static struct step *
steps_of(const struct keeping *k, size_t *count)
{
	const struct tp_steps *s = tp_result(k->ctx, &tp_pass_steps);
	struct step *steps;

	*count = 0;
	if (s == NULL || s->precomputed_from.len != 0)
		return NULL;
	steps = tp_new_array(k->ctx->scratch, struct step, s->count);
	for (size_t i = 0; i < s->count; i++) {
		struct tp_stretch at = tp_timeline_step(k->ctx, k->t, s, &s->steps[i]);

		if (at.to_ps > at.from_ps)
			steps[(*count)++] = (struct step){s->steps[i].time_ps, at.from_ps, at.to_ps};
	}
	qsort(steps, *count, sizeof *steps, slowest_first);
	return steps;
}

/* Half of the room is left to cells, arrows and counters. */
static void
keep_further(struct keeping *k)
{
	size_t count;
	const struct step *steps = steps_of(k, &count);
	uint64_t most = k->most / 2, slice_ps = k->t->high_ps / SLICES + 1;
	bool room = true;

	for (size_t i = 0; i < count && room && k->kept < most && k->looks < MOST_LOOKS; i++)
		room = keep(k, (struct tp_stretch){steps[i].from_ps, steps[i].to_ps}, most - k->kept);
	/* Without steps from the beginning on. */
	for (uint64_t i = 0; i < SLICES && count == 0 && room && k->kept < most; i++)
		room = keep(k, (struct tp_stretch){i * slice_ps, (i + 1) * slice_ps}, most - k->kept);
}

void
tp_timeline_keep(const struct tp_pass_ctx *ctx, struct tp_timeline_found *t,
	const struct tp_stretch *seen, size_t seen_count)
{
	struct keeping k = {.ctx = ctx, .t = t, .most = ctx->options->timeline_bytes / BYTES_AN_EVENT};
	struct tp_interval *parts;
	struct tp_stretch *kept;

	for (size_t i = 0; i < t->line_count; i++)
		k.kept += t->lines[i].whole ? t->lines[i].line->count : 0;
	keep_spans(&k);
	keep_seen(&k, seen, seen_count);
	keep_further(&k);
	parts = k.parts.data;
	t->part_count = tp_intervals_unite(parts, k.parts.count);
	kept = tp_new_array(ctx->scratch, struct tp_stretch, t->part_count);
	for (size_t i = 0; i < t->part_count; i++)
		kept[i] = (struct tp_stretch){(uint64_t)parts[i].start_ps, (uint64_t)parts[i].end_ps};
	t->parts = kept;
	tp_buf_free(&k.parts);
}

const struct tp_stretch *
tp_timeline_part(const struct tp_timeline_found *t, uint64_t at_ps)
{
	size_t at = TP_FIRST_WHERE(i, t->part_count, t->parts[i].to_ps > at_ps);

	return at < t->part_count && t->parts[at].from_ps <= at_ps ? &t->parts[at] : NULL;
}

bool
tp_timeline_keeps(
	const struct tp_timeline_found *t, const struct tp_timeline_line *line, uint32_t event)
{
	return line->whole ||
		(line->in_part && tp_timeline_part(t, tp_timeline_place(line, event).from_ps) != NULL);
}
