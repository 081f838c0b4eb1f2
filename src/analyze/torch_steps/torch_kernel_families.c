/* Segments that are alike, by the order of their kernels, how long they take and what they work on. */
#include "analyze/torch_steps/torch_kernel_families.h"

#include "analyze/facts/kernel_family.h"
#include "analyze/facts/kernel_name.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdlib.h>

/* Segments that are alike: the same order of names; then about as long, and with graphs or without. */
struct kind {
	uint64_t key;
	uint32_t count, units, family;
	uint32_t number, first_segment;
	bool graph;
	double busy_ps; /* of the first of them */
};

static struct kind
kind_of(const struct tp_launch_unit *units, uint32_t first, uint32_t end)
{
	struct kind k = {.units = end - first};

	for (uint32_t u = first; u < end; u++) {
		k.key = tp_hash_pair(k.key, units[u].key);
		k.graph |= units[u].graph;
		k.busy_ps += (double)(units[u].end_ps - units[u].start_ps);
	}
	return k;
}

#define LIKE_UNITS 0.15
#define LIKE_TIME 1.5

static bool
alike(const struct kind *a, const struct kind *b)
{
	return a->graph == b->graph &&
		fabs((double)a->units - (double)b->units) <= LIKE_UNITS * (double)b->units &&
		a->busy_ps <= LIKE_TIME * b->busy_ps && b->busy_ps <= LIKE_TIME * a->busy_ps;
}

TP_ORDER_POINTERS(by_count, struct kind, TP_DOWN(count), TP_UP(units), TP_AS_THEY_STAND);

/* What each kind looks like, by the first segment of it. */
static const struct tp_kernel_look *
looks_of(const struct tp_kernel_search *m, const struct tp_kernel_stream *s,
	const struct kind *kinds, uint32_t count, const uint32_t *kind_of_segment)
{
	struct tp_kernel_looks looks = {.p = m->p,
		.t = m->t,
		.all = tp_new_array(m->scratch, struct tp_kernel_launches, s->work_count),
		.room = s->work_count};

	for (uint32_t i = 0; i < s->work_count; i++) {
		uint32_t segment = tp_kernel_segment(s, i);

		if (segment != TP_NONE && kinds[kind_of_segment[segment]].first_segment == segment)
			tp_kernel_looks_add(&looks, kind_of_segment[segment], s->works[i].event);
	}
	return tp_kernel_looks_of(&looks, count, m->scratch);
}

static uint32_t
family_like(struct kind **order, uint32_t at, const struct tp_kernel_look *looks,
	const struct tp_kernel_families *f)
{
	for (uint32_t k = 0; k < at; k++) {
		if (alike(order[at], order[k]) &&
			tp_kernel_looks_alike(&looks[order[at]->number], f->look[order[k]->family]))
			return order[k]->family;
	}
	return TP_NONE;
}

/* The kinds of segments, each with how many there are; which one each segment is of. */
static struct kind *
kinds_of(const struct tp_kernel_search *m, const struct tp_kernel_stream *s,
	uint32_t *kind_of_segment, uint32_t *kind_count)
{
	const struct tp_repeats *r = &s->repeats;
	struct kind *kinds = tp_new_array(m->scratch, struct kind, r->count);
	struct tp_map numbers;
	uint32_t count = 0;

	tp_map_init(&numbers, m->scratch);
	for (uint32_t i = 0; i < r->count; i++) {
		struct kind k = kind_of(s->units, r->first[i], r->first[i + 1]);

		if (tp_map_number(&numbers, k.key, &kind_of_segment[i])) {
			k.number = count;
			k.first_segment = i;
			kinds[count] = k;
			count++;
		}
		kinds[kind_of_segment[i]].count++;
	}
	*kind_count = count;
	return kinds;
}

struct tp_kernel_families
tp_kernel_families_of(
	const struct tp_kernel_search *m, const struct tp_kernel_stream *s, uint32_t *of_segment)
{
	uint32_t *kind_of_segment = tp_new_array(m->scratch, uint32_t, s->repeats.count);
	struct tp_kernel_families f = {0};
	uint32_t count;
	struct kind *kinds = kinds_of(m, s, kind_of_segment, &count);
	struct kind **order = tp_new_array(m->scratch, struct kind *, count);
	const struct tp_kernel_look *looks = looks_of(m, s, kinds, count, kind_of_segment);

	for (uint32_t i = 0; i < count; i++)
		order[i] = &kinds[i];
	qsort(order, count, sizeof(struct kind *), by_count);
	for (uint32_t i = 0; i < count; i++) {
		order[i]->family = family_like(order, i, looks, &f);
		if (order[i]->family != TP_NONE)
			continue;
		order[i]->family = f.count < TP_TORCH_FAMILIES ? f.count : TP_TORCH_FAMILIES - 1;
		if (f.count < TP_TORCH_FAMILIES)
			f.look[f.count++] = &looks[order[i]->number];
	}
	for (uint32_t i = 0; i < s->repeats.count; i++)
		of_segment[i] = kinds[kind_of_segment[i]].family;
	return f;
}

/* Whether kernels are those of training, and whether any is of attention, by their names. */
static void
look_at_names(const struct tp_kernel_search *m, bool *trains, bool *attends)
{
	bool *seen = tp_new_array(m->scratch, bool, m->p->op_count);

	for (uint32_t e = 0; e < m->t->count; e++) {
		if (m->t->kind[e] != TP_TORCH_KERNEL || seen[tp_torch_op(m->t, e)])
			continue;
		seen[tp_torch_op(m->t, e)] = true;
		struct tp_slice name = tp_torch_name(m->p, m->t, e);

		*trains |= tp_texts_any(name, tp_slice_has,
			TP_TEXTS("multi_tensor_apply", "adam", "Adam", "backward", "Backward", "_bwd", "dgrad",
				"wgrad"));
		*attends |= tp_slice_eq(
			tp_kernel_family_in(tp_kernel_short_name(name, m->scratch), name), TP_S("Attention"));
	}
}

static const char *
why_no_phase(const struct tp_torch_iterations *out)
{
	for (uint32_t i = 0; i < out->family_count; i++) {
		if (out->families[i].guessed)
			return NULL;
	}
	return "nothing distinguishes prefill from decode: neither the names of attention kernels, nor "
		   "the amount of work, nor the time of kernels";
}

void
tp_kernel_families_name(const struct tp_kernel_search *m, struct tp_torch_iterations *out,
	const struct tp_kernel_families *f, const double *median_ps)
{
	bool trains = false, attends = false;

	look_at_names(m, &trains, &attends);
	if (!trains && attends && out->family_count > 1)
		tp_kernel_looks_name(out, f->look, median_ps);
	out->no_phase = trains ? "they are those of training"
		: !attends         ? "no kernel has a known name of attention, which inference engines run"
						   : why_no_phase(out);
	for (uint32_t i = 0; i < out->family_count; i++) {
		struct tp_torch_family *family = &out->families[i];

		if (!family->guessed)
			family->name = out->family_count == 1
				? (trains ? TP_S("Step") : TP_S("Iteration"))
				: tp_arena_printf(m->keep, "%s %c", trains ? "Step" : "Iteration", (int)('A' + i));
	}
}
