/* Which annotations are iterations. */
#include "analyze/torch_steps/torch_iterations.h"

#include "analyze/torch_steps/torch_iteration_level.h"
#include "analyze/torch_steps/torch_iteration_parts.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

TP_ORDER(by_count, struct tp_torch_engine, TP_DOWN(count), TP_UP(lane));

static bool
any_known(const struct tp_iteration_search *s, const struct tp_torch_engine *e)
{
	for (uint32_t i = 0; i < e->count; i++) {
		if (tp_iteration_is_known(s, e->list[i].family))
			return true;
	}
	return false;
}

/* Other threads are engines of their own only where they do the same as the first. */
static bool
is_like(const struct tp_iteration_search *s, const struct tp_torch_engine *first,
	const struct tp_torch_engine *e)
{
	bool *of_first = tp_new_array(s->scratch, bool, s->families.count);

	for (uint32_t k = 0; k < first->count; k++)
		of_first[first->list[k].family] = true;
	for (uint32_t i = 0; i < e->count; i++) {
		if (!of_first[e->list[i].family])
			return false;
	}
	return true;
}

/* On all lanes of a kind; false: no iteration is there. */
static bool
search_lanes(struct tp_iteration_search *s, enum tp_torch_lane_kind kind)
{
	struct tp_torch_engine *all =
		tp_new_array(s->keep, struct tp_torch_engine, (size_t)s->t->lane_count + 1);
	uint32_t n = 0, kept = 1;
	bool known = false;

	tp_map_init(&s->numbers, s->scratch);
	s->families.count = 0;
	tp_iteration_look_again(s, false);
	for (uint32_t l = 0; l < s->t->lane_count; l++) {
		if (s->t->lanes[l].kind != kind)
			continue;
		all[n] = tp_iteration_engine(s, l);
		if (all[n].count == 0)
			continue;
		known |= any_known(s, &all[n++]);
	}
	/* Where an engine names its iterations, nothing else counts. */
	for (uint32_t i = n; known && i-- > 0;) {
		if (!any_known(s, &all[i]))
			memmove(&all[i], &all[i + 1], (--n - i) * sizeof *all);
	}
	if (n == 0)
		return false;
	qsort(all, n, sizeof *all, by_count);
	for (uint32_t i = 1; i < n; i++) {
		if (is_like(s, &all[0], &all[i]))
			all[kept++] = all[i];
	}
	s->out->engines = all;
	s->out->engine_count = kept;
	s->out->named = known && s->wish == NULL;
	return true;
}

/* Which of the families that are kept one is; a new one is kept while there is room. */
static uint32_t
kept_as(const struct tp_iteration_search *s, uint32_t number, uint32_t *kept)
{
	struct tp_torch_iterations *out = s->out;

	if (kept[number] == 0) {
		if (out->family_count < TP_TORCH_FAMILIES)
			out->families[out->family_count++] = *tp_iteration_family(s, number);
		kept[number] = out->family_count;
	}
	return kept[number] - 1;
}

/* Keeps the families of iterations, and those of their parts. */
static void
keep_families(const struct tp_iteration_search *s)
{
	uint32_t *kept = tp_new_array(s->scratch, uint32_t, s->families.count); /* + 1 */

	for (uint32_t e = 0; e < s->out->engine_count; e++) {
		for (uint32_t i = 0; i < s->out->engines[e].count; i++) {
			struct tp_torch_iteration *it = &s->out->engines[e].list[i];

			it->family = kept_as(s, it->family, kept);
			s->out->families[it->family].count += e == 0;
		}
	}
	for (uint32_t f = 0; f < s->families.count; f++) {
		if (tp_iteration_family(s, f)->part)
			kept_as(s, f, kept);
	}
}

struct tp_torch_iterations
tp_torch_iterations_of(const struct tp_profile *p, const struct tp_torch_trace *t, const char *wish,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_iterations out = {.separated = 1};
	struct tp_iteration_search s = {.p = p,
		.t = t,
		.out = &out,
		.kind = TP_TORCH_ANNOTATION,
		.family_of_op = tp_new_array(scratch, uint32_t, p->op_count),
		.keep = keep,
		.scratch = scratch};
	regex_t compiled;
	bool found;

	if (t->kind_count[TP_TORCH_ANNOTATION] + t->kind_count[TP_TORCH_GPU_ANNOTATION] == 0)
		return out;
	if (wish != NULL && regcomp(&compiled, wish, REG_EXTENDED | REG_NOSUB) == 0)
		s.wish = &compiled;
	found = search_lanes(&s, TP_TORCH_LANE_THREAD);
	if (!found) {
		s.kind = TP_TORCH_GPU_ANNOTATION;
		out.on_device = found = search_lanes(&s, TP_TORCH_LANE_MARKS);
	}
	if (s.wish != NULL)
		regfree(&compiled);
	if (found)
		keep_families(&s);
	tp_buf_free(&s.families);
	if (!found)
		return out;
	out.from = TP_TORCH_FROM_ANNOTATIONS;
	out.chosen = s.wish != NULL;
	out.enough = 1 - 1.0 / out.engines[0].count;
	return out;
}
