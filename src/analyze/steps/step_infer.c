/* Finding what repeats. */
#include "analyze/steps/step_infer.h"

#include "analyze/core/stats.h"
#include "analyze/steps/steps.h"
#include "analyze/steps/steps_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

TP_ORDER(by_start, struct tp_run, TP_UP(start_ps), TP_UP(kind));

void
tp_runs_sort(struct tp_run *runs, size_t count)
{
	if (count != 0)
		qsort(runs, count, sizeof *runs, by_start);
}

/* What is known of a kind of run. */
struct kind {
	double total_ps;
	uint32_t most;                  /* runs on the timeline that has most */
	uint32_t here, timeline;        /* runs on the timeline looked at, and which that is */
	uint32_t between, between_last; /* pairs of neighbours that it runs between; the last of them */
};

struct open_step;

struct search {
	const struct tp_runs *timelines;
	size_t count;
	struct tp_map index; /* kind → index into kinds */
	struct kind *kinds;
	uint32_t pairs;
	/* a run of this length or more interrupts the steps that it does not belong to */
	double long_ps;
	struct open_step **found; /* by timeline */
	uint32_t *found_count;
	struct tp_arena *scratch;
};

static struct kind *
kind_of(const struct search *s, const struct tp_run *run)
{
	return &s->kinds[tp_map_get(&s->index, run->kind)];
}

static double
length(const struct tp_run *run)
{
	return (double)run->end_ps - (double)run->start_ps;
}

static void
count_kinds(struct search *s)
{
	struct tp_buf kinds = {0}; /* struct kind */

	tp_map_init(&s->index, s->scratch);
	for (size_t t = 0; t < s->count; t++) {
		for (uint32_t i = 0; i < s->timelines[t].count; i++) {
			const struct tp_run *run = &s->timelines[t].runs[i];
			uint32_t at;

			if (tp_map_number(&s->index, run->kind, &at))
				tp_buf_new(&kinds, struct kind);
			struct kind *kind = (struct kind *)kinds.data + at;

			kind->here = kind->timeline == t ? kind->here + 1 : 1;
			kind->timeline = (uint32_t)t;
			kind->most = kind->here > kind->most ? kind->here : kind->most;
			kind->total_ps += length(run);
		}
	}
	s->kinds = tp_buf_settle(&kinds, sizeof *s->kinds, s->scratch);
}

/* The kind with the largest total among those that repeat; of equals the one that runs first. */
static bool
choose(const struct search *s, struct tp_repetition *r)
{
	const struct kind *best = NULL;

	for (size_t t = 0; t < s->count; t++) {
		for (uint32_t i = 0; i < s->timelines[t].count; i++) {
			const struct kind *kind = kind_of(s, &s->timelines[t].runs[i]);

			if (kind->most < TP_INFERENCE_RUNS ||
				(best != NULL && kind->total_ps <= best->total_ps))
				continue;
			best = kind;
			r->kind = s->timelines[t].runs[i].kind;
			r->runs = kind->most;
		}
	}
	return best != NULL;
}

/* What a run must at least take to interrupt steps. */
#define INTERRUPTS_SHARE 0.1

static void
find_long(struct search *s, const struct tp_repetition *r)
{
	double *values = tp_new_array(s->scratch, double, (size_t)r->runs * s->count);
	size_t n = 0;

	for (size_t t = 0; t < s->count; t++) {
		const struct tp_run *last = NULL;

		for (uint32_t i = 0; i < s->timelines[t].count; i++) {
			const struct tp_run *run = &s->timelines[t].runs[i];

			if (run->kind != r->kind)
				continue;
			if (last != NULL)
				values[n++] = (double)run->start_ps - (double)last->start_ps;
			last = run;
		}
	}
	if (n != 0)
		s->long_ps = INTERRUPTS_SHARE * tp_stats_of(values, n, s->scratch).p50;
}

/* Counts for each kind between how many pairs of neighbouring runs of the chosen kind it runs. */
static void
count_between(struct search *s, const struct tp_repetition *r)
{
	for (size_t t = 0; t < s->count; t++) {
		const struct tp_runs *line = &s->timelines[t];
		uint32_t first = 0, last = 0, pair = 0;

		for (uint32_t i = 0; i < line->count; i++) {
			if (line->runs[i].kind != r->kind)
				continue;
			first = pair++ == 0 ? i : first;
			last = i;
		}
		for (uint32_t i = first; pair > 1 && i <= last; i++) {
			struct kind *kind = kind_of(s, &line->runs[i]);

			if (line->runs[i].kind == r->kind) {
				s->pairs += i != last;
			} else if (kind->between == 0 || kind->between_last != s->pairs) {
				kind->between++;
				kind->between_last = s->pairs;
			}
		}
	}
}

static bool
belongs(const struct search *s, const struct tp_repetition *r, const struct tp_run *run)
{
	return run->kind == r->kind ||
		2 * (uint64_t)kind_of(s, run)->between >= (s->pairs ? s->pairs : 1);
}

/* A step while its end is being looked for. */
struct open_step {
	uint32_t run;
	int64_t start_ps;
	double work_ps;        /* of its runs */
	int64_t work_end_ps;   /* until when they last */
	int64_t next_start_ps; /* of the next step */
	bool has_next, cut;    /* cut: by a run that does not belong */
};

/* The steps of a timeline with what decides where they end. */
static void
walk(struct search *s, const struct tp_repetition *r, size_t t)
{
	const struct tp_runs *line = &s->timelines[t];
	struct open_step *steps = tp_new_array(s->scratch, struct open_step, r->runs);
	uint32_t count = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		const struct tp_run *run = &line->runs[i];
		struct open_step *now = count != 0 ? &steps[count - 1] : NULL;

		if (run->kind == r->kind) {
			if (now != NULL) {
				now->has_next = true;
				now->next_start_ps = run->start_ps;
			}
			steps[count++] = (struct open_step){
				.run = i,
				.start_ps = run->start_ps,
				.work_ps = length(run),
				.work_end_ps = run->end_ps,
			};
		} else if (now != NULL && !now->cut) {
			bool own = belongs(s, r, run);

			now->cut = !own && length(run) >= s->long_ps;
			if (!own)
				continue;
			now->work_ps += length(run);
			now->work_end_ps = tp_later(now->work_end_ps, run->end_ps);
		}
	}
	s->found[t] = steps;
	s->found_count[t] = count;
}

/* What usually lies between the runs of a step and the next step, over what a step takes. */
static double
usual_gap(const struct search *s, double *values)
{
	size_t n = 0;

	for (size_t t = 0; t < s->count; t++) {
		for (uint32_t i = 0; i < s->found_count[t]; i++) {
			const struct open_step *step = &s->found[t][i];
			double whole = (double)step->next_start_ps - (double)step->start_ps;
			double gap = (double)step->next_start_ps - (double)step->work_end_ps;

			if (step->has_next && !step->cut && whole > 0)
				values[n++] = gap > 0 ? gap / whole : 0;
		}
	}
	return n != 0 ? tp_stats_of(values, n, s->scratch).p50 : 0;
}

static int64_t
end_of(const struct open_step *step)
{
	return step->cut || !step->has_next ? step->work_end_ps : step->next_start_ps;
}

/* How regularly a kind runs among those that steps begin with. */
struct spacing {
	uint32_t kind, last, gap; /* gap: runs of the chosen kind since its last; 0: not known yet */
	uint32_t times;
	bool uneven;
};

/* Gradients may be summed up over several runs before another program applies them; nothing tells that from an evaluation
 * every so many steps. So it is said, not judged: of the kinds that run after every n-th, the one with most time. */
static void
find_group(const struct search *s, struct tp_repetition *r, const struct tp_runs *line)
{
	struct spacing *all = tp_new_array(s->scratch, struct spacing, s->index.count);
	uint32_t runs = 0;
	double most = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		const struct tp_run *run = &line->runs[i];
		struct spacing *one = &all[tp_map_get(&s->index, run->kind)];

		if (run->kind == r->kind) {
			runs++;
			continue;
		}
		if (runs == 0 || (one->times != 0 && one->last == runs))
			continue;
		uint32_t gap = one->times != 0 ? runs - one->last : 0;

		one->uneven |= one->gap != 0 && gap != one->gap;
		*one = (struct spacing){run->kind, runs, gap, one->times + 1, one->uneven};
	}
	for (uint32_t k = 0; k < s->index.count; k++) {
		const struct spacing *one = &all[k];

		if (one->times < TP_INFERENCE_RUNS || one->uneven || one->gap < 2 ||
			s->kinds[k].total_ps <= most)
			continue;
		most = s->kinds[k].total_ps;
		r->group = one->gap;
		r->group_kind = one->kind;
	}
}

static void
rate(const struct search *s, struct tp_repetition *r, double *values)
{
	double inside = 0, all = 0;
	size_t n = 0;

	for (size_t t = 0; t < s->count; t++) {
		for (uint32_t i = 0; i < s->found_count[t]; i++) {
			const struct open_step *step = &s->found[t][i];

			values[n++] = (double)end_of(step) - (double)step->start_ps;
			inside += step->work_ps;
		}
		for (uint32_t i = 0; i < s->timelines[t].count; i++)
			all += length(&s->timelines[t].runs[i]);
	}
	double usual = tp_stats_of(values, n, s->scratch).p50;

	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - usual);
	r->regular = usual > 0 ? fmax(0, 1 - tp_stats_of(values, n, s->scratch).p50 / usual) : 0;
	r->covered = all > 0 ? inside / all : 0;
	r->agreeing = (double)n / ((double)r->runs * (double)s->count);
	r->enough = 1 - 1 / (double)r->runs;
	r->confidence = r->covered * r->regular * r->agreeing * r->enough;
}

static struct tp_inferred_steps *
list(const struct search *s)
{
	struct tp_inferred_steps *all = tp_new_array(s->scratch, struct tp_inferred_steps, s->count);

	for (size_t t = 0; t < s->count; t++) {
		uint32_t count = s->found_count[t];

		all[t] = (struct tp_inferred_steps){
			tp_new_array(s->scratch, struct tp_inferred_step, count), count};
		for (uint32_t i = 0; i < count; i++) {
			const struct open_step *step = &s->found[t][i];

			all[t].steps[i] = (struct tp_inferred_step){
				step->run, step->start_ps, end_of(step), step->work_end_ps, !step->has_next};
		}
	}
	return all;
}

struct tp_inferred_steps *
tp_infer_steps(const struct tp_runs *timelines, size_t count, struct tp_repetition *out,
	struct tp_arena *scratch)
{
	struct search s = {.timelines = timelines, .count = count, .scratch = scratch};
	size_t runs = 0;

	*out = (struct tp_repetition){0};
	count_kinds(&s);
	if (!choose(&s, out))
		return NULL;
	count_between(&s, out);
	find_long(&s, out);
	s.found = tp_new_array(scratch, struct open_step *, count);
	s.found_count = tp_new_array(scratch, uint32_t, count);
	for (size_t t = 0; t < count; t++) {
		walk(&s, out, t);
		runs += s.found_count[t];
	}
	double *values = tp_new_array(scratch, double, runs);

	out->gap_share = usual_gap(&s, values);
	rate(&s, out, values);
	for (size_t t = 0; t < count && out->group == 0; t++) {
		if (s.found_count[t] == out->runs)
			find_group(&s, out, &timelines[t]);
	}
	return list(&s);
}

void
tp_steps_infer(const struct tp_pass_ctx *ctx, struct tp_steps *s, const struct tp_repetition *found,
	struct tp_slice *reason)
{
	s->repetition = *found;
	s->inferred = found->confidence >= TP_INFERENCE_THRESHOLD;
	if (!s->inferred)
		*reason = tp_arena_printf(ctx->keep, why_irregular, found->runs, TP_ARG(s->inferred_from),
			found->confidence, TP_INFERENCE_THRESHOLD);
}
