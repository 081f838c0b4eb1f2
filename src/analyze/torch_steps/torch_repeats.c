/* Finding what repeats among units of device work. Pure: units in, segments out. */
#include "analyze/torch_steps/torch_repeats.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST_SEGMENTS = 3, MOST_ANCHORS = 256 };

/* An iteration is more than a few kernels, unless a graph is among them; and the gap before it is longer than those within. */
#define FEWEST_UNITS 4
#define STANDS_OUT 2.0

/* From this share of units that recur a period later on, the order is periodic. */
#define PERIODIC 0.98

/* A name and the units of that name. */
struct name {
	uint64_t key;
	uint32_t first, count; /* in `of_name`, in order */
};

struct search {
	const struct tp_launch_unit *units;
	uint32_t count;
	uint32_t *of_name; /* units by name */
	struct name *names;
	uint32_t name_count;
	double *gap;    /* by unit: how long the device was idle before it */
	double *sorted; /* the same in order of length, of all but the first unit */
	uint64_t *hash; /* by unit: of the names before it, for comparing stretches */
	uint64_t *power;
	bool graphs; /* some unit is a graph's launch */
	struct tp_arena *scratch;
};

static const uint64_t BASE = 0x9e3779b97f4a7c15u | 1;

TP_ORDER(by_length, double, (*a > *b) - (*a < *b));

/* Stretches of units with the same names in the same order have the same number. */
static uint64_t
stretch(const struct search *s, uint32_t first, uint32_t end)
{
	return s->hash[end] - s->hash[first] * s->power[end - first];
}

static void
prepare(struct search *s)
{
	int64_t until = s->units[0].start_ps;

	s->gap = tp_new_array(s->scratch, double, s->count);
	s->sorted = tp_new_array(s->scratch, double, s->count);
	s->hash = tp_new_array(s->scratch, uint64_t, (size_t)s->count + 1);
	s->power = tp_new_array(s->scratch, uint64_t, (size_t)s->count + 1);
	s->power[0] = 1;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_launch_unit *u = &s->units[i];

		s->gap[i] = u->start_ps > until ? (double)(u->start_ps - until) : 0;
		until = u->end_ps > until ? u->end_ps : until;
		s->hash[i + 1] = s->hash[i] * BASE + (u->key | 1);
		s->power[i + 1] = s->power[i] * BASE;
		if (i != 0)
			s->sorted[i - 1] = s->gap[i];
	}
	qsort(s->sorted, s->count - 1, sizeof *s->sorted, by_length);
}

static void
list_names(struct search *s)
{
	struct tp_map numbers;
	uint32_t *filled;

	tp_map_init(&numbers, s->scratch);
	s->names = tp_new_array(s->scratch, struct name, s->count);
	s->of_name = tp_new_array(s->scratch, uint32_t, s->count);
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t n;

		if (tp_map_number(&numbers, s->units[i].key, &n))
			s->names[s->name_count++].key = s->units[i].key;
		s->names[n].count++;
	}
	filled = tp_new_array(s->scratch, uint32_t, s->name_count);
	for (uint32_t n = 1; n < s->name_count; n++)
		s->names[n].first = s->names[n - 1].first + s->names[n - 1].count;
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t n = tp_map_get(&numbers, s->units[i].key);

		s->of_name[s->names[n].first + filled[n]++] = i;
	}
}

/* Segments that begin at, or just behind, each unit of a name. What lies before the first and behind the last is a segment of its own
 * if it looks like one that there is. */
static struct tp_repeats
segments(const struct search *s, const struct name *n, bool behind, struct tp_arena *arena)
{
	struct tp_repeats r = {.first = tp_new_array(arena, uint32_t, (size_t)n->count + 2)};

	if (behind)
		r.first[r.count++] = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		uint32_t at = s->of_name[n->first + i] + behind;

		if (r.count == 0 || r.first[r.count - 1] != at)
			r.first[r.count++] = at;
	}
	if (behind && r.first[r.count - 1] == s->count)
		r.count--;
	r.first[r.count] = s->count;
	return r;
}

/* How often the order of names of each segment occurs, as a share of units in those that occur again. */
static double
recurring(const struct search *s, const struct tp_repeats *r)
{
	struct tp_map numbers;
	uint32_t *times = tp_new_array(s->scratch, uint32_t, r->count);
	uint32_t *number = tp_new_array(s->scratch, uint32_t, r->count);
	uint32_t again = 0, all = 0;

	tp_map_init(&numbers, s->scratch);
	for (uint32_t i = 0; i < r->count; i++) {
		tp_map_number(&numbers, stretch(s, r->first[i], r->first[i + 1]), &number[i]);
		times[number[i]]++;
	}
	for (uint32_t i = 0; i < r->count; i++) {
		uint32_t units = r->first[i + 1] - r->first[i];

		again += times[number[i]] > 1 ? units : 0;
		all += units;
	}
	return all != 0 ? (double)again / all : 0;
}

static bool
has_graphs(const struct search *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->units[i].graph)
			return true;
	}
	return false;
}

/* Whether segments are too short to be iterations. */
static bool
is_trivial(const struct search *s, const struct tp_repeats *r)
{
	return !s->graphs && s->count < (uint64_t)FEWEST_UNITS * r->count;
}

/* The usual gap where segments begin. */
static double
usual_gap(const struct search *s, const struct tp_repeats *r)
{
	double *at = tp_new_array(s->scratch, double, r->count);
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		if (r->first[i] != 0)
			at[n++] = s->gap[r->first[i]];
	}
	if (n == 0)
		return 0;
	qsort(at, n, sizeof *at, by_length);
	return at[n / 2];
}

/* Of the gaps that are about as long as those where segments begin, the share that are such; and the other way round. */
static double
separated(const struct search *s, const struct tp_repeats *r)
{
	double limit = usual_gap(s, r) / 2;
	uint32_t n = 0, hits = 0;

	/* The usual gap of all, those between iterations among them. */
	if (!(limit > 0) || 2 * limit < STANDS_OUT * s->sorted[(s->count - 1) / 2] || is_trivial(s, r))
		return 0;
	for (uint32_t i = 0; i < r->count; i++) {
		n += r->first[i] != 0;
		hits += r->first[i] != 0 && s->gap[r->first[i]] >= limit;
	}
	size_t all = s->count - 1 - TP_FIRST_WHERE(i, s->count - 1, s->sorted[i] >= limit);

	return 2.0 * hits / ((double)n + (double)all);
}

static uint64_t
transition(const struct search *s, uint32_t unit)
{
	return tp_hash_pair(s->units[unit - 1].key, s->units[unit].key);
}

/* How often a name follows another, and how often after a long gap. */
struct pair {
	uint32_t all, far;
};

/* So large a part of the times that a name follows another it does so after a long gap, where iterations begin between them. */
#define MOSTLY 0.8

/* Kinds of iterations may have no name in common that begins or ends them: prefill ends with what decode goes on behind. So segments
 * also begin wherever a name follows another mostly after a gap as long as those that one name showed. */
static struct tp_repeats
by_transitions(const struct search *s, const struct tp_repeats *found, struct tp_arena *keep)
{
	struct tp_repeats r = {0};
	double limit = usual_gap(s, found) / 2;
	struct pair *pairs = tp_new_array(s->scratch, struct pair, s->count);
	struct tp_map numbers, ends;

	if (!(limit > 0))
		return r;
	tp_map_init(&numbers, s->scratch);
	tp_map_init(&ends, s->scratch);
	for (uint32_t i = 1; i < s->count; i++) {
		uint32_t n;

		tp_map_number(&numbers, transition(s, i), &n);
		pairs[n].all++;
		pairs[n].far += s->gap[i] >= limit;
	}
	for (uint32_t i = 1; i < s->count; i++) {
		const struct pair *p = &pairs[tp_map_get(&numbers, transition(s, i))];

		if (p->far > 1 && p->far >= MOSTLY * p->all)
			tp_map_put(&ends, s->units[i - 1].key, 0);
	}
	r.first = tp_new_array(keep, uint32_t, (size_t)s->count + 1);
	r.first[r.count++] = 0;
	for (uint32_t i = 1; i < s->count; i++) {
		const struct pair *p = &pairs[tp_map_get(&numbers, transition(s, i))];
		/* What follows for once, as the only prefill among others, follows what ends others too. */
		bool once =
			p->far == 1 && p->all == 1 && tp_map_get(&ends, s->units[i - 1].key) != TP_MAP_NONE;

		if (once || (p->far > 1 && p->far >= MOSTLY * p->all))
			r.first[r.count++] = i;
	}
	r.first[r.count] = s->count;
	return r;
}

/* The best of all names, where the host leaves gaps. */
static struct tp_repeats
by_gaps(const struct search *s, struct tp_arena *keep)
{
	struct tp_repeats best = {0};
	uint32_t tried = 0;

	for (uint32_t n = 0; n < s->name_count && tried < MOST_ANCHORS; n++) {
		if (s->names[n].count + 1 < FEWEST_SEGMENTS)
			continue;
		tried++;
		for (int behind = 0; behind < 2; behind++) {
			struct tp_repeats r = segments(s, &s->names[n], behind != 0, s->scratch);

			r.separated = separated(s, &r);
			r.recurring = r.separated > 0 ? recurring(s, &r) : 0;
			if (r.count >= FEWEST_SEGMENTS &&
				r.separated * r.recurring > best.separated * best.recurring)
				best = r;
		}
	}
	if (best.count == 0)
		return best;
	uint32_t *first = tp_new_array(keep, uint32_t, (size_t)best.count + 1);

	memcpy(first, best.first, (best.count + 1) * sizeof *first);
	best.first = first;
	struct tp_repeats more = by_transitions(s, &best, keep);

	more.separated = more.count != 0 ? separated(s, &more) : 0;
	more.recurring = more.count != 0 ? recurring(s, &more) : 0;
	return more.separated * more.recurring > best.separated * best.recurring ? more : best;
}

/* The share of units that have the same name as the one a period before. */
static double
agreement(const struct search *s, uint32_t period)
{
	uint32_t same = 0;

	for (uint32_t i = period; i < s->count; i++)
		same += s->units[i].key == s->units[i - period].key;
	return (double)same / (s->count - period);
}

/* Where in a period the longest gaps are. */
static uint32_t
phase_of(const struct search *s, uint32_t period)
{
	double *sum = tp_new_array(s->scratch, double, period);
	uint32_t longest = 0;

	for (uint32_t i = 1; i < s->count; i++)
		sum[i % period] += s->gap[i];
	for (uint32_t i = 1; i < period; i++)
		longest = sum[i] > sum[longest] ? i : longest;
	return longest;
}

/* A period of the order itself, as training has it that keeps the device busy. */
static struct tp_repeats
by_period(const struct search *s, struct tp_arena *keep)
{
	struct tp_repeats r = {0};
	uint32_t period = 0, tried = 0;
	struct tp_map seen;

	tp_map_init(&seen, s->scratch);
	for (uint32_t n = 0; n < s->name_count && tried < MOST_ANCHORS; n++) {
		const struct name *name = &s->names[n];

		if (name->count < FEWEST_SEGMENTS)
			continue;
		uint32_t mid = name->count / 2;
		uint32_t distance = s->of_name[name->first + mid] - s->of_name[name->first + mid - 1];

		if (distance < (s->graphs ? 1 : FEWEST_UNITS) || s->count / distance < FEWEST_SEGMENTS ||
			(period != 0 && distance >= period) || tp_map_get(&seen, distance) != TP_MAP_NONE)
			continue;
		tp_map_put(&seen, distance, 0);
		tried++;
		double same = agreement(s, distance);

		if (same < PERIODIC)
			continue;
		period = distance;
		r.separated = same;
	}
	if (period == 0)
		return r;
	r.first = tp_new_array(keep, uint32_t, s->count / period + 2);
	for (uint32_t at = phase_of(s, period); at + period <= s->count; at += period)
		r.first[r.count++] = at;
	r.first[r.count] = r.first[r.count - 1] + period;
	r.recurring = recurring(s, &r);
	return r;
}

struct tp_repeats
tp_repeats_of(const struct tp_launch_unit *units, uint32_t count, struct tp_arena *keep,
	struct tp_arena *scratch)
{
	struct search s = {.units = units, .count = count, .scratch = scratch};

	if (count < FEWEST_SEGMENTS)
		return (struct tp_repeats){0};
	prepare(&s);
	s.graphs = has_graphs(&s);
	list_names(&s);
	struct tp_repeats gaps = by_gaps(&s, keep), period = by_period(&s, keep);
	double of_gaps = gaps.separated * gaps.recurring,
		   of_period = period.separated * period.recurring;

	if (period.count >= FEWEST_SEGMENTS &&
		of_period * (1 - 1.0 / period.count) > of_gaps * (1 - 1.0 / (gaps.count + 1)))
		return period;
	return gaps;
}
