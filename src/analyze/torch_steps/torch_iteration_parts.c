/* What the ranges of a level are: iterations, or parts of training steps. */
#include "analyze/torch_steps/torch_iteration_parts.h"

#include "analyze/torch_steps/torch_iteration_level.h"
#include "base/arena.h"
#include "model/profile.h"

static uint32_t
families_in(const struct tp_iteration_level *level)
{
	uint32_t n = 0;

	for (uint32_t f = 0; f < level->families; f++)
		n += level->of_family[f] != 0;
	return n;
}

/* Whether families are the parts of one training step, by what they are called. */
static bool
is_training(const struct tp_iteration_search *s, const struct tp_iteration_level *level)
{
	unsigned phases = 0;

	for (uint32_t f = 0; f < level->families; f++) {
		if (level->of_family[f] != 0 && tp_iteration_trains(tp_iteration_family(s, f)->phase))
			phases |= 1u << tp_iteration_family(s, f)->phase;
	}
	return __builtin_popcount(phases) >= 2;
}

/* Whether they follow each other in the same order again and again: parts of one step. Engines' own and prefill and decode are
 * alternatives, whatever their order. */
static bool
is_cycle(const struct tp_iteration_search *s, const struct tp_iteration_level *level)
{
	uint32_t period = families_in(level);

	if (level->count < TP_ITERATIONS_FEWEST * period)
		return false;
	for (uint32_t i = 0; i < level->count; i++) {
		const struct tp_torch_family *f = tp_iteration_family(s, level->ranges[i].family);

		if (f->engine != NULL || tp_iteration_serves(f->phase))
			return false;
		if (i >= period && level->ranges[i].family != level->ranges[i - period].family)
			return false;
		for (uint32_t k = 1; i < period && k <= i; k++) {
			if (level->ranges[i].family == level->ranges[i - k].family)
				return false;
		}
	}
	return true;
}

static struct tp_torch_iteration
iteration_of(const struct tp_iteration_search *s, const struct tp_iteration_range *r)
{
	return (struct tp_torch_iteration){
		.start_ps = tp_torch_start_ps(s->t, r->event),
		.end_ps = tp_torch_end_ps(s->t, r->event),
		.family = r->family,
		.event = r->event,
		.parts = 1,
		.says = tp_iteration_name(tp_torch_name(s->p, s->t, r->event)),
	};
}

static struct tp_torch_engine
each_by_itself(const struct tp_iteration_search *s, const struct tp_iteration_level *level)
{
	struct tp_torch_engine e = {
		.list = tp_new_array(s->keep, struct tp_torch_iteration, level->count),
		.count = level->count,
		.seen = level->count,
	};

	for (uint32_t i = 0; i < level->count; i++)
		e.list[i] = iteration_of(s, &level->ranges[i]);
	return e;
}

/* The families that end a step: the optimizer's, else the rarest. */
static void
find_closing(
	const struct tp_iteration_search *s, const struct tp_iteration_level *level, bool *closing)
{
	uint32_t rarest = TP_NONE;
	bool any = false;

	for (uint32_t f = 0; f < level->families; f++) {
		closing[f] =
			level->of_family[f] != 0 && tp_iteration_family(s, f)->phase == TP_ITERATION_OPTIMIZER;
		any |= closing[f];
		if (level->of_family[f] != 0 &&
			(rarest == TP_NONE || level->of_family[f] <= level->of_family[rarest]))
			rarest = f;
	}
	if (!any && rarest != TP_NONE)
		closing[rarest] = true;
}

/* The family that stands for whole training steps. */
static uint32_t
step_family(struct tp_iteration_search *s)
{
	uint32_t number;

	if (tp_map_number(&s->numbers, tp_hash_bytes(TP_S("Step")), &number))
		TP_PUSH(&s->families, struct tp_torch_family, .name = TP_S("Step"));
	return number;
}

/* A step begins with the first part after one that closes, and lasts until the last that closes. One at the beginning that lacks
 * what others begin with, and one at the end that nothing closes, are cut. */
static struct tp_torch_engine
joined_parts(struct tp_iteration_search *s, const struct tp_iteration_level *level, bool cycle)
{
	uint32_t whole = step_family(s), period = families_in(level);
	struct tp_torch_engine e = {
		.list = tp_new_array(s->keep, struct tp_torch_iteration, level->count)};
	bool *closing = tp_new_array(s->scratch, bool, level->families), closed = false, open = false;
	uint32_t first_family = TP_NONE;

	if (!cycle)
		find_closing(s, level, closing);
	for (uint32_t i = 0; i < level->count; i++) {
		const struct tp_iteration_range *r = &level->ranges[i];
		struct tp_torch_iteration *now;

		if (!open || (closed && !closing[r->family])) {
			e.list[e.count] = iteration_of(s, r);
			e.list[e.count].family = whole;
			e.list[e.count++].parts = 0;
			open = true;
			closed = false;
		}
		now = &e.list[e.count - 1];
		if (tp_torch_end_ps(s->t, r->event) > now->end_ps)
			now->end_ps = tp_torch_end_ps(s->t, r->event);
		now->parts++;
		closed |= cycle ? now->parts == period : closing[r->family];
	}
	e.seen = e.count;
	if (e.count != 0 && !closed)
		e.count--;
	if (e.count > 1)
		first_family = tp_iteration_family_of(s, e.list[1].event);
	if (first_family != TP_NONE && tp_iteration_family_of(s, e.list[0].event) != first_family)
		memmove(e.list, e.list + 1, --e.count * sizeof *e.list);
	for (uint32_t f = 0; f < level->families; f++) {
		tp_iteration_family(s, f)->part |= level->of_family[f] != 0;
		tp_iteration_family(s, f)->count += level->of_family[f];
	}
	return e;
}

struct tp_torch_engine
tp_iteration_engine(struct tp_iteration_search *s, uint32_t lane)
{
	struct tp_iteration_level level = tp_iteration_level_of(s, &s->t->lanes[lane]);
	struct tp_torch_engine e = {0};

	if (level.count != 0) {
		uint32_t families = families_in(&level);
		bool training = families > 1 && is_training(s, &level);
		bool cycle = families > 1 && !training && s->wish == NULL && is_cycle(s, &level);

		if (training)
			tp_iteration_look_again(s, true);
		e = training || cycle ? joined_parts(s, &level, cycle) : each_by_itself(s, &level);
		if (training)
			tp_iteration_look_again(s, false);
	}
	e.lane = lane;
	return e;
}
