/* Sums over the events of each track by name, and over the points of each counter. */
#include "analyze/tracks/tracks.h"
#include "analyze/core/pass.h"

#include "analyze/facts/op_times.h"
#include "analyze/tracks/tracks_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/tracks.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_NAMES = 1000 }; /* of a track: what is beyond takes next to no time */

struct open_event {
	size_t row;
	int64_t end_ps, covered_ps; /* covered: until when events inside it have taken its time */
};

struct summing {
	const struct tp_profile *p;
	struct tp_arena *keep;
	uint32_t *row_of_op; /* of the track in hand, from 1 … */
	uint32_t *seen_on;   /* … where this says that it is of that */
	struct tp_buf rows;  /* struct tp_track_name */
	struct tp_buf open;  /* struct open_event */
};

static struct tp_track_name *
row_at(struct summing *s, size_t row)
{
	return (struct tp_track_name *)s->rows.data + row;
}

static size_t
row_of(struct summing *s, uint32_t track, uint32_t op)
{
	const struct tp_op *of = &s->p->ops[op];

	if (s->seen_on[op] == track + 1)
		return s->row_of_op[op];
	s->seen_on[op] = track + 1;
	s->row_of_op[op] = (uint32_t)s->rows.count;
	TP_PUSH(&s->rows, struct tp_track_name, .name = of->label, .category = of->category);
	return s->rows.count - 1;
}

/* Enters an event that begins after those that are open; the innermost that holds all of it gives its time to it. */
static void
enter(struct summing *s, size_t row, int64_t start_ps, int64_t duration_ps)
{
	struct open_event *open = s->open.data;
	int64_t end_ps = tp_add_ps(start_ps, duration_ps);

	while (s->open.count != 0 && end_ps > open[s->open.count - 1].end_ps)
		s->open.count--;
	if (s->open.count != 0) {
		struct open_event *around = &open[s->open.count - 1];
		int64_t from = start_ps > around->covered_ps ? start_ps : around->covered_ps;

		if (end_ps > from) {
			row_at(s, around->row)->self_ps -= end_ps - from;
			around->covered_ps = end_ps;
		}
	}
	struct tp_track_name *n = row_at(s, row);

	n->calls++;
	n->total_ps = tp_add_ps(n->total_ps, duration_ps);
	n->self_ps = tp_add_ps(n->self_ps, duration_ps);
	n->longest_ps = duration_ps > n->longest_ps ? duration_ps : n->longest_ps;
	TP_PUSH(&s->open, struct open_event, row, end_ps, start_ps);
}

TP_ORDER(by_self, struct tp_track_name, TP_DOWN(self_ps), TP_DOWN(calls),
	tp_slice_cmp(a->name, b->name), tp_slice_cmp(a->category, b->category));

static struct tp_track_sums
sum_up(struct summing *s, uint32_t track)
{
	const struct tp_line *line = &s->p->lines[track];
	struct tp_track_sums out = {.line = line, .events = line->count};

	s->rows.count = s->open.count = 0;
	for (uint32_t i = 0; i < line->count; i++)
		enter(s, row_of(s, track, tp_line_op(line, i)), tp_line_start_ps(line, i),
			tp_line_duration_ps(line, i));
	for (size_t i = 0; i < line->tag_count; i++)
		out.moments += line->tags[i].key == TP_TAG_INSTANT;
	for (size_t i = 0; i < s->rows.count; i++)
		out.self_ps = tp_add_ps(out.self_ps, row_at(s, i)->self_ps);
	qsort(s->rows.data, s->rows.count, sizeof(struct tp_track_name), by_self);
	out.all_names = s->rows.count;
	out.name_count = out.all_names < MOST_NAMES ? out.all_names : MOST_NAMES;
	struct tp_track_name *names = tp_new_array(s->keep, struct tp_track_name, out.name_count);

	memcpy(names, s->rows.data, out.name_count * sizeof *names);
	out.names = names;
	return out;
}

TP_ORDER(by_time, struct tp_track_sums, TP_DOWN(self_ps), TP_DOWN(events), TP_AS_THEY_STAND);

static struct tp_counter_sums
sum_up_counter(const struct tp_track_counter *c)
{
	struct tp_counter_sums s = {c, c->values[0], c->values[0], c->values[c->count - 1], NAN};
	double weighted = 0, span = (double)c->at_ps[c->count - 1] - (double)c->at_ps[0];

	for (uint32_t i = 0; i < c->count; i++) {
		s.least = fmin(s.least, c->values[i]);
		s.most = fmax(s.most, c->values[i]);
		if (i + 1 < c->count && span > 0)
			weighted += c->values[i] * (((double)c->at_ps[i + 1] - (double)c->at_ps[i]) / span);
	}
	if (span > 0)
		s.mean = weighted;
	return s;
}

static void
sum_up_counters(const struct tp_pass_ctx *ctx, struct tp_track_totals *t)
{
	struct tp_buf sums = {0};

	for (const struct tp_tracks *of = ctx->profile->tracks; of != NULL; of = of->next) {
		t->flows += of->flow_count;
		for (uint32_t i = 0; i < of->counter_count; i++) {
			if (of->counters[i].count != 0)
				*tp_buf_new(&sums, struct tp_counter_sums) = sum_up_counter(&of->counters[i]);
		}
	}
	t->counter_count = sums.count;
	t->counters = tp_buf_settle(&sums, sizeof(struct tp_counter_sums), ctx->keep);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_track_totals *t = tp_new(ctx->keep, struct tp_track_totals);
	struct summing s = {
		.p = p,
		.keep = ctx->keep,
		.row_of_op = tp_new_array(ctx->scratch, uint32_t, p->op_count),
		.seen_on = tp_new_array(ctx->scratch, uint32_t, p->op_count),
	};
	struct tp_buf tracks = {0};

	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind != TP_LINE_TRACK)
			continue;
		struct tp_track_sums *sums = tp_buf_new(&tracks, struct tp_track_sums);

		*sums = sum_up(&s, l);
		t->events += sums->events;
		t->self_ps = tp_add_ps(t->self_ps, sums->self_ps);
	}
	sum_up_counters(ctx, t);
	t->track_count = tracks.count;
	if (tracks.count != 0)
		qsort(tracks.data, tracks.count, sizeof(struct tp_track_sums), by_time);
	t->tracks = tp_buf_settle(&tracks, sizeof(struct tp_track_sums), ctx->keep);
	tp_buf_free(&s.rows);
	tp_buf_free(&s.open);
	if (t->track_count == 0 && t->counter_count == 0)
		return tp_fail(err, TP_ABSENT, why_no_events);
	*result = t;
	return TP_OK;
}

static struct tp_slice
says_no_more(const struct tp_pass_ctx *ctx)
{
	return tp_profile_is_tracks_alone(ctx->profile) ? TP_S(why_not_meant) : TP_S("");
}

const struct tp_pass tp_pass_tracks = {
	.name = "tracks",
	.title = "Tracks",
	.summary = "traces of any program: names by self time on each track, and counters",
	.needs_all = TP_HAS_TRACKS,
	.place = TP_PLACE_TRACKS,
	.analyze = analyze,
	.present = tp_tracks_present,
	.lacks = TP_LACKS(
		{"all-but-tracks", "Everything but times of names: steps, operations, devices, memory",
			TP_LACK_ON_TRACKS, .why = says_no_more,
			.any = "Capture with the profiler of JAX, TensorFlow or PyTorch while steps run."}),
};
