/* The interval of the ratio of two medians: a moving block bootstrap, by a generator of our own, so that it is the same everywhere. */
#include "compare/noise.h"

#include "base/arena.h"
#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Each pair of streams is used twice, the one for a and the other for b and the other way round: so the interval of b over a is the inverse of
 * that of a over b. */
enum { PAIRS_OF_STREAMS = 500, DRAWS = 2 * PAIRS_OF_STREAMS };

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t
next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static size_t
next_below(uint64_t *state, size_t bound)
{
	return (size_t)(((next(state) >> 32) * bound) >> 32);
}

/* Steps in the order of their run, as ranks; and by rank. A median of what is drawn is then found by counting. */
struct sample {
	size_t count, block;
	uint32_t *rank_of; /* [step] */
	double *by_rank;
	uint32_t *drawn; /* [rank]: how often; all 0 between draws */
};

struct step {
	double duration;
	uint32_t at;
};

TP_ORDER(by_duration, struct step, TP_UP(duration), TP_UP(at));

static bool
take_sample(const double *steps, size_t count, struct tp_arena *scratch, struct sample *s)
{
	if (count < TP_RATIO_LEAST_STEPS || count > UINT32_MAX)
		return false;
	struct step *sorted = tp_new_array(scratch, struct step, count);

	for (size_t i = 0; i < count; i++) {
		if (!(steps[i] > 0) || isinf(steps[i]))
			return false;
		sorted[i] = (struct step){steps[i], (uint32_t)i};
	}
	qsort(sorted, count, sizeof *sorted, by_duration);
	*s = (struct sample){
		.count = count,
		.block = (size_t)(sqrt((double)count) + 0.5),
		.rank_of = tp_new_array(scratch, uint32_t, count),
		.by_rank = tp_new_array(scratch, double, count),
		.drawn = tp_new_array(scratch, uint32_t, count),
	};
	for (uint32_t rank = 0; rank < count; rank++) {
		s->by_rank[rank] = sorted[rank].duration;
		s->rank_of[sorted[rank].at] = rank;
	}
	return true;
}

/* As many steps as there are, block by block; the last block is cut. */
static void
draw(struct sample *s, uint64_t state)
{
	for (size_t left = s->count; left > 0;) {
		size_t from = next_below(&state, s->count - s->block + 1);
		size_t length = left < s->block ? left : s->block;

		for (size_t i = from; i < from + length; i++)
			s->drawn[s->rank_of[i]]++;
		left -= length;
	}
}

/* The median of what is drawn, which is then forgotten. */
static double
median_drawn(struct sample *s)
{
	size_t lower = (s->count - 1) / 2, upper = s->count / 2, seen = 0;
	double at_lower = NAN, at_upper = NAN;

	for (size_t rank = 0; rank < s->count; rank++) {
		size_t until = seen + s->drawn[rank];

		if (seen <= lower && lower < until)
			at_lower = s->by_rank[rank];
		if (seen <= upper && upper < until)
			at_upper = s->by_rank[rank];
		seen = until;
		s->drawn[rank] = 0;
	}
	return at_lower + (at_upper - at_lower) / 2;
}

static double
median_of(struct sample *s, uint64_t stream)
{
	draw(s, stream);
	return median_drawn(s);
}

TP_ORDER(ascending, double, (*a > *b) - (*a < *b));

/* As many draws are outside on one side as on the other. */
static struct tp_interval
middle_part(double *ratios, double level)
{
	size_t rank = (size_t)((1 - level) / 2 * (DRAWS + 1));

	if (rank == 0)
		rank = 1;
	qsort(ratios, DRAWS, sizeof *ratios, ascending);
	return (struct tp_interval){ratios[rank - 1], ratios[DRAWS - rank]};
}

bool
tp_ratio_of_medians(const double *a, size_t a_count, const double *b, size_t b_count, double level,
	struct tp_arena *scratch, struct tp_interval *out)
{
	struct sample of_a, of_b;
	uint64_t seeds = 0;

	if (!take_sample(a, a_count, scratch, &of_a) || !take_sample(b, b_count, scratch, &of_b))
		return false;
	double *ratios = tp_new_array(scratch, double, DRAWS);

	for (size_t i = 0; i < PAIRS_OF_STREAMS; i++) {
		uint64_t one = next(&seeds), other = next(&seeds);

		ratios[2 * i] = median_of(&of_b, one) / median_of(&of_a, other);
		ratios[2 * i + 1] = median_of(&of_b, other) / median_of(&of_a, one);
	}
	*out = middle_part(ratios, level);
	return true;
}
