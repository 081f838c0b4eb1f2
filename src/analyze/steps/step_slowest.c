/* The slowest step, explained: which classes of time grew beyond their usual spread, and which operations and host events
 * ran longer than in the median step. What does not stand out is not named. */
#include "analyze/steps/steps_section.h"

#include "analyze/core/say.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps_columns.h"
#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST_STEPS = 3, MOST_NAMED = 3, MOST_ROWS = 5 };

/* A class grew when it is this many usual deviations (1.4826 × the median distance from the median) above its median, and
 * makes this share of what the step is longer. */
#define DEVIATIONS 3
#define DEVIATION_OF_MEDIAN 1.4826
#define CAUSE_SHARE 0.1

/* An operation is listed, and a host event named, when its difference is this share of it. */
#define ROW_SHARE 0.05

/* From this multiple of what the step is longer on, a class that grew by it holds more than all of that. */
#define MORE_THAN_ALL 1.01

struct cause {
	size_t part;
	double more_ps, spread_ps;
};

struct tally {
	struct tp_map index; /* operation → row */
	struct tp_buf taken; /* struct tally_row, until they are sorted */
	/* then: in order of the difference, the largest first; of equals in order of the profile */
	struct tally_row *rows;
	size_t count;
};

struct comparison {
	const struct tp_pass_ctx *ctx;
	const struct tp_steps *s;
	const struct tp_step *slow, *usual; /* usual: the whole step nearest to the median */
	double more_ps;                     /* of the slowest over that; without one, over the median */
	struct cause causes[TP_STEP_PART_COUNT]; /* that grew, the largest first */
	size_t cause_count;
	struct cause others[TP_STEP_PART_COUNT]; /* that grew and are no cause, the largest first */
	size_t other_count;
	struct cause largest; /* growth of any class, if it stands out or not */
	double shrank_ps;     /* how much less all classes took that took less */
	struct tally operations, host;
	bool asks_host; /* a wait for input, or a gap, has its cause on the host */
};

struct tp_step_slowest {
	struct comparison comparison;
	bool stands_out;
};

TP_ORDER(by_growth, struct cause, TP_DOWN(more_ps), TP_UP(part));

static void
find_causes(struct comparison *c)
{
	const struct tp_steps *s = c->s;
	double *values = tp_new_array(c->ctx->scratch, double, s->count);

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		for (size_t i = 0; i < s->count; i++)
			values[i] = tp_step_part_ps(&s->steps[i], k);
		double median = tp_stats_of(values, s->count, c->ctx->scratch).p50;
		double usual = c->usual != NULL ? tp_step_part_ps(c->usual, k) : median;
		struct cause grew = {.part = k, .more_ps = tp_step_part_ps(c->slow, k) - usual};

		for (size_t i = 0; i < s->count; i++)
			values[i] = fabs(values[i] - median);
		grew.spread_ps = DEVIATION_OF_MEDIAN * tp_stats_of(values, s->count, c->ctx->scratch).p50;
		c->shrank_ps -= tp_smaller(0, grew.more_ps);
		if (grew.more_ps > c->largest.more_ps)
			c->largest = grew;
		if (grew.more_ps > DEVIATIONS * grew.spread_ps && grew.more_ps >= CAUSE_SHARE * c->more_ps)
			c->causes[c->cause_count++] = grew;
		else if (grew.more_ps > 0)
			c->others[c->other_count++] = grew;
	}
	qsort(c->causes, c->cause_count, sizeof *c->causes, by_growth);
	qsort(c->others, c->other_count, sizeof *c->others, by_growth);
	/* What explains less than a class that is always uneven explains nothing. */
	double explained_ps = 0;

	for (size_t i = 0; i < c->cause_count; i++)
		explained_ps += c->causes[i].more_ps;
	if (c->other_count != 0 && c->others[0].more_ps > explained_ps)
		c->cause_count = 0;
}

/* The step to compare with: of the same core or host as the slowest, where steps have only one of them. */
static const struct tp_step *
usual_step(const struct tp_steps *s, const struct tp_step *slow)
{
	const struct tp_step *best = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step *step = &s->steps[i];
		bool other_host = s->cells == NULL && step->slowest != slow->slowest;

		if (step == slow || step->open_start || step->open_end || other_host)
			continue;
		if (best == NULL || fabs(step->time_ps - s->time.p50) < fabs(best->time_ps - s->time.p50))
			best = step;
	}
	return best;
}

static struct tp_value
label(size_t part)
{
	return tp_text_value(tp_slice_of(tp_step_part(part).label));
}

/* No class grew beyond its usual spread: which holds most of what the step is longer by all the same. */
static struct tp_text
say_largest(const struct comparison *c, struct tp_doc *doc)
{
	const struct cause *most = &c->largest;

	if (!(most->more_ps > 0))
		return TP_SAY0(doc, text_nothing_grew);
	/* What is more than the whole is no part of it. */
	return TP_SAY(doc,
		most->more_ps > MORE_THAN_ALL * c->more_ps ? text_one_grew
			: most->more_ps >= c->more_ps          ? text_all_in
			: most->more_ps > c->more_ps / 2       ? text_most_in
												   : text_no_class,
		label(most->part), tp_ps_in_ms(most->more_ps), tp_ps_in_ms(most->spread_ps));
}

/* Classes that grew much, too, but do so all the time, are named, as the reader misses what the step is longer by. */
static struct tp_text
say_others(const struct comparison *c, struct tp_doc *doc)
{
	const struct cause *other = c->others;
	size_t count = 0;

	if (c->other_count == 0)
		return TP_SAY0(doc, text_no_other_grew);
	while (count < c->other_count && count < MOST_NAMED &&
		other[count].more_ps >= CAUSE_SHARE * c->more_ps)
		count++;
	if (count == 0)
		return TP_SAY(doc, text_others_grew_less, tp_ps_in_ms(other->more_ps));
	if (count == 1)
		return TP_SAY(doc, text_grew_as_usual, label(other->part), tp_ps_in_ms(other->more_ps),
			tp_ps_in_ms(other->spread_ps));
	struct tp_text text = TP_SAY0(doc, text_then);

	for (size_t i = 0; i < count; i++)
		text = tp_doc_join(doc, text,
			TP_SAY(doc,
				i == 0               ? text_first_as_usual
					: i + 1 == count ? text_last_as_usual
									 : text_next_as_usual,
				label(other[i].part), tp_ps_in_ms(other[i].more_ps),
				tp_ps_in_ms(other[i].spread_ps)));
	return tp_doc_join(doc, text, TP_SAY0(doc, text_all_as_usual));
}

static struct tp_text
say_causes(const struct comparison *c, struct tp_doc *doc)
{
	struct tp_value usual = tp_ps_in_ms(c->slow->time_ps - c->more_ps);
	struct tp_text text = TP_SAY(doc, text_longer, tp_text_value(c->slow->name),
		tp_ps_in_ms(c->slow->time_ps), tp_ps_in_ms(c->more_ps));

	text = tp_doc_join(doc, text,
		c->usual != NULL ? TP_SAY(doc, text_near_median, tp_text_value(c->usual->name), usual)
						 : TP_SAY(doc, text_the_median, usual));

	if (c->cause_count == 0)
		return tp_doc_join(doc, text, say_largest(c, doc));
	for (size_t i = 0; i < c->cause_count && i < MOST_NAMED; i++)
		text = tp_doc_join(doc, text,
			TP_SAY(doc, i == 0 ? text_grew : text_grew_too, label(c->causes[i].part),
				tp_ps_in_ms(c->causes[i].more_ps)));
	text = tp_doc_join(doc, text, say_others(c, doc));
	return tp_doc_join(doc, text,
		c->shrank_ps >= ROW_SHARE * c->more_ps
			? TP_SAY(doc, text_others_shrank, tp_ps_in_ms(c->shrank_ps))
			: TP_SAY0(doc, "."));
}

static bool
is_cause(const struct comparison *c, const char *part)
{
	for (size_t i = 0; i < c->cause_count; i++) {
		if (strcmp(tp_step_part(c->causes[i].part).key, part) == 0)
			return true;
	}
	return false;
}

static double
longer_ps(const struct tally_row *row)
{
	return row->self_ps[SLOW] - row->self_ps[USUAL];
}

static void
add(struct tally *t, uint32_t op, int step, double self_ps, bool counts)
{
	uint32_t at;

	if (tp_map_number(&t->index, op, &at))
		TP_PUSH(&t->taken, struct tally_row, .op = op);
	struct tally_row *row = (struct tally_row *)t->taken.data + at;

	row->self_ps[step] += self_ps;
	row->count[step] += counts;
}

/* Operations that begin in [start, end) by the chip's clock, with their self time. */
static void
tally_ops(struct tally *t, const struct tp_line *line, const struct tp_self_times *self, int step,
	int64_t start_ps, int64_t end_ps)
{
	size_t first = TP_FIRST_WHERE(i, line->count, tp_line_chip_start_ps(line, i) >= start_ps);

	for (size_t i = first; i < line->count && tp_line_chip_start_ps(line, i) < end_ps; i++)
		add(t, tp_line_op(line, i), step, (double)tp_self_ps(self, (uint32_t)i), true);
}

/* An event that others may be nested in, and how much of its time within the span they have taken. */
struct open_event {
	uint32_t op;
	int64_t end_ps;
	double own_ps;
	bool counts;
};

/* The time of a pool's thread outside all events says nothing about what it did. */
static void
close_event(struct tally *t, const struct tp_profile *p, int step, const struct open_event *e)
{
	if (!tp_slice_starts(p->ops[e->op].name, TP_S("ThreadpoolListener::")))
		add(t, e->op, step, e->own_ps > 0 ? e->own_ps : 0, e->counts);
}

/* What runs in [start, end) on a host thread, by the host's clock: the time of each event within, without that of what is
 * nested in it. */
static void
tally_thread(struct tally *t, const struct tp_profile *p, const struct tp_line *line, int step,
	int64_t start_ps, int64_t end_ps)
{
	struct tp_buf open = {0}; /* struct open_event */

	for (uint32_t i = 0; i < line->count && tp_line_start_ps(line, i) < end_ps; i++) {
		int64_t end = tp_line_start_ps(line, i) + tp_line_duration_ps(line, i);

		if (end <= start_ps)
			continue;
		int64_t within = tp_earlier(end, end_ps) - tp_later(tp_line_start_ps(line, i), start_ps);
		const struct open_event own = {
			tp_line_op(line, i), end, (double)within, tp_line_start_ps(line, i) >= start_ps};
		struct open_event *stack = open.data;

		while (open.count != 0 && stack[open.count - 1].end_ps < end)
			close_event(t, p, step, &stack[--open.count]);
		if (open.count != 0)
			stack[open.count - 1].own_ps -= own.own_ps;
		*tp_buf_new(&open, struct open_event) = own;
	}
	while (open.count != 0)
		close_event(t, p, step, (struct open_event *)open.data + --open.count);
	tp_buf_free(&open);
}

static void
tally_host(struct tally *t, const struct tp_profile *p, uint32_t host, bool streams, int step,
	int64_t start_ps, int64_t end_ps)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		if (line->host == host &&
			(line->kind == TP_LINE_THREAD || (streams && line->kind == TP_LINE_STREAM)))
			tally_thread(t, p, line, step, start_ps, end_ps);
	}
}

static const struct tp_step_cell *
cell_of(const struct comparison *c, const struct tp_step *step)
{
	return &c->s->cells[(size_t)(step - c->s->steps) * c->s->timelines + c->slow->slowest];
}

/* Operations of the slowest core. */
static void
tally_core(const struct comparison *c, struct tally *t, int which, const struct tp_step *step)
{
	const struct tp_profile *p = c->ctx->profile;
	const struct tp_op_times *times = tp_result(c->ctx, &tp_pass_op_times);
	const struct tp_step_cell *cell = cell_of(c, step);

	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		if (line->device == c->s->cores[c->slow->slowest].device && line->kind == TP_LINE_OPS &&
			times->self[l] != NULL)
			tally_ops(
				t, line, times->self[l], which, cell->start_ps, cell->start_ps + cell->duration_ps);
	}
}

static void
tally_threads(const struct comparison *c, struct tally *t, int which, const struct tp_step *step)
{
	tally_host(t, c->ctx->profile, c->slow->slowest, true, which, step->start_ps, step->end_ps);
}

/* What the host of the slowest core did meanwhile. */
static void
tally_waited_for(const struct comparison *c, struct tally *t, int which, const struct tp_step *step)
{
	const struct tp_step_cell *cell = cell_of(c, step);

	tally_host(t, c->ctx->profile, c->s->cores[c->slow->slowest].host, false, which,
		cell->host_start_ps, cell->host_start_ps + cell->host_duration_ps);
}

TP_ORDER(by_difference, struct tally_row,
	(fabs(longer_ps(a)) < fabs(longer_ps(b))) - (fabs(longer_ps(a)) > fabs(longer_ps(b))),
	TP_UP(op));

typedef void tallying(
	const struct comparison *c, struct tally *t, int which, const struct tp_step *step);

/* Those that may be listed or named. */
static struct tally
tally(const struct comparison *c, tallying *one)
{
	struct tally t = {0};

	tp_map_init(&t.index, c->ctx->scratch);
	one(c, &t, SLOW, c->slow);
	one(c, &t, USUAL, c->usual);
	struct tally_row *rows = t.taken.data;
	size_t count = t.taken.count;

	if (count != 0)
		qsort(rows, count, sizeof *rows, by_difference);
	while (t.count < count && !(fabs(longer_ps(&rows[t.count])) < ROW_SHARE * c->more_ps))
		t.count++;
	t.taken.count = t.count;
	t.rows = tp_buf_settle(&t.taken, sizeof *t.rows, c->ctx->keep);
	return t;
}

static struct tp_slice
op_name(const struct tp_profile *p, uint32_t op)
{
	return p->ops[op].label.len != 0 ? p->ops[op].label : p->ops[op].name;
}

static void
op_table(
	const struct comparison *c, const struct tally *t, struct tp_doc *doc, struct tp_block *section)
{
	if (t->count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "steps/slowest/operations", op_columns);

	for (size_t i = 0; i < t->count && i < MOST_ROWS; i++) {
		const struct tally_row *row = &t->rows[i];
		struct tp_slice name = op_name(c->ctx->profile, row->op);
		struct op_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, row);

		tp_kernel_put_name(name, c->ctx->keep, &cells->name);
		cells->more.value = tp_ps_in_ms(longer_ps(row));
	}
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	tp_kernel_tell_rows_apart(table, TP_COLUMN_OF(struct op_cells, name), c->ctx->keep);
	table->caption = tp_arena_printf(c->ctx->keep, caption_operations, c->s->source->compared,
		TP_ARG(c->slow->name), TP_ARG(c->usual->name), c->s->source->of_cores ? "" : text_parallel);
}

/* A wait for input, or a gap, has its cause on the host. */
static void
say_host(const struct comparison *c, struct tp_doc *doc, struct tp_block *section)
{
	for (size_t i = 0; i < c->host.count; i++) {
		const struct tally_row *row = &c->host.rows[i];

		if (longer_ps(row) < 0)
			continue;
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "steps/slowest/host",
			TP_SAY(doc, text_on_host, tp_text_value(op_name(c->ctx->profile, row->op)),
				tp_ps_in_ms(row->self_ps[SLOW]), tp_ps_in_ms(row->self_ps[USUAL]),
				tp_text_value(c->usual->name)));
		return;
	}
	tp_doc_paragraph(
		doc, section, TP_PARAGRAPH_BODY, "steps/slowest/host", TP_SAY0(doc, text_nothing_on_host));
}

const struct tp_step_slowest *
tp_step_slowest_find(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct tp_step_slowest *found = tp_new(ctx->keep, struct tp_step_slowest);
	struct comparison *c = &found->comparison;

	if (s->count < FEWEST_STEPS)
		return NULL;
	*c = (struct comparison){.ctx = ctx, .s = s, .slow = &s->steps[s->slowest]};
	c->more_ps = c->slow->time_ps - s->time.p50;
	found->stands_out = !(c->more_ps < TP_STEPS_EQUAL_SHARE * s->time.p50);
	if (!found->stands_out)
		return found;
	c->usual = usual_step(s, c->slow);
	if (c->usual != NULL)
		c->more_ps = c->slow->time_ps - c->usual->time_ps;
	find_causes(c);
	if (c->usual == NULL || c->cause_count == 0)
		return found;
	/* Its events are needed. */
	if (ctx->profile->hosts[s->host].given != NULL)
		return found;
	c->operations = tally(c, s->source->of_cores ? tally_core : tally_threads);
	c->asks_host = s->source->of_cores && (is_cause(c, "input_wait") || is_cause(c, "idle"));
	if (c->asks_host)
		c->host = tally(c, tally_waited_for);
	return found;
}

bool
tp_step_slowest_pair(const struct tp_steps *s, size_t pair[static 2])
{
	if (s->explained == NULL || !s->explained->stands_out || s->explained->comparison.usual == NULL)
		return false;
	pair[0] = (size_t)(s->explained->comparison.usual - s->steps);
	pair[1] = (size_t)(s->explained->comparison.slow - s->steps);
	return true;
}

void
tp_step_slowest_say(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *section)
{
	if (s->explained == NULL)
		return;
	struct comparison compared = s->explained->comparison, *c = &compared;

	/* The one that it was found with is gone. */
	c->ctx = ctx;
	if (!s->explained->stands_out) {
		if (!tp_steps_equal(s))
			tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "steps/slowest",
				TP_SAY(doc, text_none_stands_out, tp_text_value(c->slow->name),
					tp_ps_in_ms(c->slow->time_ps)));
		return;
	}
	struct tp_block *sub =
		tp_doc_section(doc, section, TP_SECTION_SUB, "steps/slowest", title_slowest);

	if (c->usual != NULL)
		tp_step_pair(
			ctx, s, (const struct tp_step *[]){c->usual, c->slow}, doc, sub, TP_STEP_SLOWEST_CHART);
	tp_doc_paragraph(doc, sub, TP_PARAGRAPH_BODY, "steps/slowest/causes", say_causes(c, doc));
	op_table(c, &c->operations, doc, sub);
	if (c->asks_host)
		say_host(c, doc, sub);
}
