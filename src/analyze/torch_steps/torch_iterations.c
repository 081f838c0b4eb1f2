/* Which annotations are iterations. */
#include "analyze/torch_steps/torch_iterations.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <regex.h>
#include <stdlib.h>

enum { MOST_LEVELS = 16, LONGEST_NAME = 1023, FEWEST = 2 };

/* An annotation that may be an iteration, or a part of one. */
struct range {
	uint32_t event, family;
	uint32_t around; /* index of the one that it lies in; TP_NONE: none */
};

struct search {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	enum tp_torch_kind kind; /* annotations of the host or of the device */
	const regex_t *wish;     /* NULL: none */
	uint32_t *family_of_op;  /* + 2; 1: none; 0: not looked at */
	struct tp_map numbers;   /* of families, by name and phase */
	struct tp_buf
		families; /* struct tp_torch_family: all that there are, of which few are iterations */
	struct tp_torch_iterations *out;
	bool hooks; /* those of libraries as well */
	struct tp_arena *keep, *scratch;
};

enum { NOT_LOOKED_AT, NO_FAMILY, FIRST_FAMILY };

static struct tp_torch_family *
family_at(const struct search *s, uint32_t number)
{
	return (struct tp_torch_family *)s->families.data + number;
}

static bool
wished(const struct search *s, struct tp_slice name)
{
	char text[LONGEST_NAME + 1];
	size_t n = name.len < LONGEST_NAME ? name.len : LONGEST_NAME;

	memcpy(text, name.ptr, n);
	text[n] = '\0';
	return regexec(s->wish, text, 0, NULL, 0) == 0;
}

/* The number of the family of that name. */
static uint32_t
family_of_name(struct search *s, struct tp_slice name)
{
	struct tp_iteration_name says = tp_iteration_name(name);
	struct tp_slice masked = tp_iteration_pattern(name, s->keep);
	const char *label = tp_iteration_phase_label(says.phase);
	uint32_t number;

	if (tp_map_number(&s->numbers, tp_hash_pair(tp_hash_bytes(masked), says.phase), &number))
		TP_PUSH(&s->families, struct tp_torch_family,
			.name = label != NULL ? tp_slice_of(label) : masked, .pattern = masked,
			.engine = says.engine, .phase = says.phase);
	return number;
}

static bool
may_be(const struct search *s, struct tp_slice name)
{
	if (s->wish != NULL)
		return wished(s, name);
	return !tp_annotation_of_library(name) || (s->hooks && tp_annotation_is_hook(name));
}

/* TP_NONE: no iteration. */
static uint32_t
family_of(struct search *s, uint32_t event)
{
	uint32_t *known = &s->family_of_op[tp_torch_op(s->t, event)];
	struct tp_slice name = tp_torch_name(s->p, s->t, event);

	if (*known == NOT_LOOKED_AT)
		*known = may_be(s, name) ? family_of_name(s, name) + FIRST_FAMILY : NO_FAMILY;
	return *known == NO_FAMILY ? TP_NONE : *known - FIRST_FAMILY;
}

/* The ranges of a lane in order, each with the one around it. */
static struct range *
ranges_of(struct search *s, const struct tp_torch_lane *lane, uint32_t *count)
{
	struct tp_buf ranges = {0}; /* struct range */
	uint32_t open = TP_NONE;

	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		uint32_t family = s->t->kind[e] == s->kind ? family_of(s, e) : TP_NONE;
		const struct range *all = ranges.data;

		if (family == TP_NONE)
			continue;
		while (
			open != TP_NONE && tp_torch_end_ps(s->t, all[open].event) <= tp_torch_start_ps(s->t, e))
			open = all[open].around;
		TP_PUSH(&ranges, struct range, e, family, open);
		open = (uint32_t)ranges.count - 1;
	}
	*count = (uint32_t)ranges.count;
	return tp_buf_settle(&ranges, sizeof(struct range), s->scratch);
}

/* The ranges of one level: outermost, where wrappers count as nothing. */
struct level {
	struct range *ranges;
	uint32_t count;
	uint32_t *of_family; /* how many */
	uint32_t families;
};

static struct level
level_of(const struct search *s, const struct range *ranges, uint32_t count, const bool *wrapper)
{
	struct level level = {.ranges = tp_new_array(s->scratch, struct range, count),
		.of_family = tp_new_array(s->scratch, uint32_t, s->families.count),
		.families = (uint32_t)s->families.count};
	bool *inside = tp_new_array(s->scratch, bool, count); /* of something that is no wrapper */

	for (uint32_t i = 0; i < count; i++) {
		uint32_t around = ranges[i].around;

		inside[i] = around != TP_NONE && (inside[around] || !wrapper[ranges[around].family]);
		if (inside[i] || wrapper[ranges[i].family])
			continue;
		level.ranges[level.count++] = ranges[i];
		level.of_family[ranges[i].family]++;
	}
	return level;
}

static bool
is_epoch(struct tp_slice name)
{
	return tp_slice_has(name, TP_S("epoch")) || tp_slice_has(name, TP_S("Epoch"));
}

/* Whether a family's ranges are iterations, however few. */
static bool
is_known(const struct search *s, uint32_t number)
{
	return s->wish != NULL || family_at(s, number)->engine != NULL;
}

/* Leaves only ranges of families that repeat; false: none does. */
static bool
keep_repeating(const struct search *s, struct level *level)
{
	uint32_t kept = 0;
	bool known = false;

	for (uint32_t f = 0; f < level->families; f++)
		known |= level->of_family[f] != 0 && is_known(s, f);
	for (uint32_t f = 0; f < level->families; f++) {
		if (known ? !is_known(s, f) : level->of_family[f] < FEWEST)
			level->of_family[f] = 0;
	}
	for (uint32_t i = 0; i < level->count; i++) {
		if (level->of_family[level->ranges[i].family] != 0)
			level->ranges[kept++] = level->ranges[i];
	}
	level->count = kept;
	return kept != 0;
}

/* What contains an engine's iterations is around them all: where a trace has any, nothing else is looked at. */
static void
wrap_all_but_known(
	const struct search *s, const struct range *ranges, uint32_t count, bool *wrapper)
{
	bool known = false;

	for (uint32_t i = 0; i < count; i++)
		known |= is_known(s, ranges[i].family);
	for (uint32_t f = 0; f < s->families.count; f++)
		wrapper[f] = known ? !is_known(s, f) : is_epoch(family_at(s, f)->pattern);
}

/* The outermost level on which something repeats. */
static struct level
repeating_level(const struct search *s, const struct range *ranges, uint32_t count)
{
	bool *wrapper = tp_new_array(s->scratch, bool, s->families.count);

	wrap_all_but_known(s, ranges, count, wrapper);
	for (int i = 0; i < MOST_LEVELS; i++) {
		struct level level = level_of(s, ranges, count, wrapper);

		if (level.count == 0)
			break;
		for (uint32_t k = 0; k < level.count; k++)
			wrapper[level.ranges[k].family] = true;
		if (keep_repeating(s, &level))
			return level;
	}
	return (struct level){0};
}

static uint32_t
families_in(const struct level *level)
{
	uint32_t n = 0;

	for (uint32_t f = 0; f < level->families; f++)
		n += level->of_family[f] != 0;
	return n;
}

/* Whether families are the parts of one training step, by what they are called. */
static bool
is_training(const struct search *s, const struct level *level)
{
	unsigned phases = 0;

	for (uint32_t f = 0; f < level->families; f++) {
		if (level->of_family[f] != 0 && tp_iteration_trains(family_at(s, f)->phase))
			phases |= 1u << family_at(s, f)->phase;
	}
	return __builtin_popcount(phases) >= 2;
}

/* Whether they follow each other in the same order again and again: parts of one step. Engines' own and prefill and decode are
 * alternatives, whatever their order. */
static bool
is_cycle(const struct search *s, const struct level *level)
{
	uint32_t period = families_in(level);

	if (level->count < FEWEST * period)
		return false;
	for (uint32_t i = 0; i < level->count; i++) {
		const struct tp_torch_family *f = family_at(s, level->ranges[i].family);

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
iteration_of(const struct search *s, const struct range *r)
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
each_by_itself(const struct search *s, const struct level *level)
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
find_closing(const struct search *s, const struct level *level, bool *closing)
{
	uint32_t rarest = TP_NONE;
	bool any = false;

	for (uint32_t f = 0; f < level->families; f++) {
		closing[f] = level->of_family[f] != 0 && family_at(s, f)->phase == TP_ITERATION_OPTIMIZER;
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
step_family(struct search *s)
{
	uint32_t number;

	if (tp_map_number(&s->numbers, tp_hash_bytes(TP_S("Step")), &number))
		TP_PUSH(&s->families, struct tp_torch_family, .name = TP_S("Step"));
	return number;
}

/* A step begins with the first part after one that closes, and lasts until the last that closes. One at the beginning that lacks
 * what others begin with, and one at the end that nothing closes, are cut. */
static struct tp_torch_engine
joined_parts(struct search *s, const struct level *level, bool cycle)
{
	uint32_t whole = step_family(s), period = families_in(level);
	struct tp_torch_engine e = {
		.list = tp_new_array(s->keep, struct tp_torch_iteration, level->count)};
	bool *closing = tp_new_array(s->scratch, bool, level->families), closed = false, open = false;
	uint32_t first_family = TP_NONE;

	if (!cycle)
		find_closing(s, level, closing);
	for (uint32_t i = 0; i < level->count; i++) {
		const struct range *r = &level->ranges[i];
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
		first_family = family_of(s, e.list[1].event);
	if (first_family != TP_NONE && family_of(s, e.list[0].event) != first_family)
		memmove(e.list, e.list + 1, --e.count * sizeof *e.list);
	for (uint32_t f = 0; f < level->families; f++) {
		family_at(s, f)->part |= level->of_family[f] != 0;
		family_at(s, f)->count += level->of_family[f];
	}
	return e;
}

static bool
has_phase(const struct search *s, const struct level *level, enum tp_iteration_phase phase)
{
	for (uint32_t f = 0; f < level->families; f++) {
		if (level->of_family[f] != 0 && family_at(s, f)->phase == phase)
			return true;
	}
	return false;
}

static void
look_again(struct search *s, bool hooks)
{
	s->hooks = hooks;
	memset(s->family_of_op, 0, s->p->op_count * sizeof *s->family_of_op);
}

/* A program that names forward and backward and leaves the optimizer to its hook. */
static struct level
with_hooks(struct search *s, const struct tp_torch_lane *lane, struct level level)
{
	uint32_t count;

	if (s->wish != NULL || s->kind != TP_TORCH_ANNOTATION ||
		!(has_phase(s, &level, TP_ITERATION_FORWARD) ||
			has_phase(s, &level, TP_ITERATION_BACKWARD)) ||
		has_phase(s, &level, TP_ITERATION_OPTIMIZER))
		return level;
	look_again(s, true);
	struct range *ranges = ranges_of(s, lane, &count);
	struct level more = repeating_level(s, ranges, count);

	look_again(s, false);
	return has_phase(s, &more, TP_ITERATION_OPTIMIZER) ? more : level;
}

static struct tp_torch_engine
engine_of(struct search *s, uint32_t lane)
{
	uint32_t count;
	struct range *ranges = ranges_of(s, &s->t->lanes[lane], &count);
	struct level level = repeating_level(s, ranges, count);
	struct tp_torch_engine e = {0};

	level = with_hooks(s, &s->t->lanes[lane], level);
	if (level.count != 0) {
		uint32_t families = families_in(&level);
		bool training = families > 1 && is_training(s, &level);
		bool cycle = families > 1 && !training && s->wish == NULL && is_cycle(s, &level);

		if (training)
			look_again(s, true);
		e = training || cycle ? joined_parts(s, &level, cycle) : each_by_itself(s, &level);
		if (training)
			look_again(s, false);
	}
	e.lane = lane;
	return e;
}

TP_ORDER(by_count, struct tp_torch_engine, TP_DOWN(count), TP_UP(lane));

static bool
any_known(const struct search *s, const struct tp_torch_engine *e)
{
	for (uint32_t i = 0; i < e->count; i++) {
		if (is_known(s, e->list[i].family))
			return true;
	}
	return false;
}

/* Other threads are engines of their own only where they do the same as the first. */
static bool
is_like(
	const struct search *s, const struct tp_torch_engine *first, const struct tp_torch_engine *e)
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
search_lanes(struct search *s, enum tp_torch_lane_kind kind)
{
	struct tp_torch_engine *all =
		tp_new_array(s->keep, struct tp_torch_engine, (size_t)s->t->lane_count + 1);
	uint32_t n = 0, kept = 1;
	bool known = false;

	tp_map_init(&s->numbers, s->scratch);
	s->families.count = 0;
	look_again(s, false);
	for (uint32_t l = 0; l < s->t->lane_count; l++) {
		if (s->t->lanes[l].kind != kind)
			continue;
		all[n] = engine_of(s, l);
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
kept_as(const struct search *s, uint32_t number, uint32_t *kept)
{
	struct tp_torch_iterations *out = s->out;

	if (kept[number] == 0) {
		if (out->family_count < TP_TORCH_FAMILIES)
			out->families[out->family_count++] = *family_at(s, number);
		kept[number] = out->family_count;
	}
	return kept[number] - 1;
}

/* Keeps the families of iterations, and those of their parts. */
static void
keep_families(const struct search *s)
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
		if (family_at(s, f)->part)
			kept_as(s, f, kept);
	}
}

struct tp_torch_iterations
tp_torch_iterations_of(const struct tp_profile *p, const struct tp_torch_trace *t, const char *wish,
	struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_torch_iterations out = {.separated = 1};
	struct search s = {.p = p,
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
