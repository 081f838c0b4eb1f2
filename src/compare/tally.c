/* Names with two weights. */
#include "compare/tally.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"

typedef double pair[2];

static const double *
weights(const struct tp_tally *t, uint32_t name)
{
	return ((const pair *)t->weights.data)[name];
}

void
tp_tally_init(struct tp_tally *t, struct tp_arena *arena)
{
	*t = (struct tp_tally){.arena = arena};
	tp_strings_init(&t->names, arena);
	tp_intern(&t->names, TP_S(""));
	tp_buf_add(&t->weights, sizeof(pair));
}

void
tp_tally_free(struct tp_tally *t)
{
	tp_buf_free(&t->weights);
}

void
tp_tally_add(struct tp_tally *t, struct tp_slice name, size_t side, double weight)
{
	uint32_t before = t->names.count, number = tp_intern(&t->names, name);

	if (number == before)
		tp_buf_add(&t->weights, sizeof(pair));
	if (!(weight > 0))
		return;
	((pair *)t->weights.data)[number][side] += weight;
	t->sum[side] += weight;
}

double
tp_tally_common(const struct tp_tally *t, size_t side)
{
	double common = 0;

	for (uint32_t i = 0; i < t->names.count; i++) {
		const double *w = weights(t, i);

		common += w[0] > 0 && w[1] > 0 ? w[side] : 0;
	}
	return t->sum[0] > 0 && t->sum[1] > 0 ? common / t->sum[side] : NAN;
}

double
tp_tally_overlap(const struct tp_tally *t)
{
	double common = 0;

	for (uint32_t i = 0; i < t->names.count; i++)
		common += fmin(weights(t, i)[0], weights(t, i)[1]);
	return t->sum[0] > 0 && t->sum[1] > 0 ? common / fmax(t->sum[0], t->sum[1]) : NAN;
}

double
tp_tally_moved(const struct tp_tally *t)
{
	double most = 0;

	for (uint32_t i = 0; i < t->names.count && t->sum[0] > 0 && t->sum[1] > 0; i++) {
		const double *w = weights(t, i);

		most = fmax(most, fabs(w[1] / t->sum[1] - w[0] / t->sum[0]));
	}
	return most;
}

struct tp_slice
tp_tally_largest(const struct tp_tally *t, size_t side)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < t->names.count; i++) {
		if (weights(t, i)[side] > weights(t, most)[side])
			most = i;
	}
	return tp_string(&t->names, most);
}

struct part {
	struct tp_slice name;
	double share;
};

TP_ORDER(largest_first, struct part, TP_DOWN(share), tp_slice_cmp(a->name, b->name));

struct tp_slice
tp_tally_text(const struct tp_tally *t, size_t side, size_t most, bool shares)
{
	struct part *parts = tp_new_array(t->arena, struct part, t->names.count);
	struct tp_slice text = {NULL, 0};
	size_t count = 0;

	for (uint32_t i = 0; i < t->names.count; i++) {
		double share = t->sum[side] > 0 ? weights(t, i)[side] / t->sum[side] : 0;

		if (share >= 0.01)
			parts[count++] = (struct part){tp_string(&t->names, i), share};
	}
	qsort(parts, count, sizeof *parts, largest_first);
	for (size_t i = 0; i < count && i < most; i++) {
		text = tp_arena_printf(
			t->arena, "%.*s%s%.*s", TP_ARG(text), i == 0 ? "" : ", ", TP_ARG(parts[i].name));
		if (shares)
			text =
				tp_arena_printf(t->arena, "%.*s %.0f\u202f%%", TP_ARG(text), parts[i].share * 100);
	}
	return count <= most
		? text
		: tp_arena_printf(t->arena, "%.*s and %zu more", TP_ARG(text), count - most);
}

struct tp_slice
tp_tally_counts(const struct tp_tally *t, size_t side)
{
	struct tp_slice text = {NULL, 0};

	for (uint32_t i = 0; i < t->names.count; i++) {
		double weight = weights(t, i)[side];

		if (weight > 0)
			text = tp_arena_printf(t->arena, "%.*s%s%.*s %.3g", TP_ARG(text),
				text.len == 0 ? "" : ", ", TP_ARG(tp_string(&t->names, i)), weight);
	}
	return text;
}
