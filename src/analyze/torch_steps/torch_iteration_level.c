/* Families of annotations, and the level on which they repeat. */
#include "analyze/torch_steps/torch_iteration_level.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"
#include "model/torch.h"

enum { MOST_LEVELS = 16, LONGEST_NAME = 1023 };

enum { NOT_LOOKED_AT, NO_FAMILY, FIRST_FAMILY };

struct tp_torch_family *
tp_iteration_family(const struct tp_iteration_search *s, uint32_t number)
{
	return (struct tp_torch_family *)s->families.data + number;
}

static bool
wished(const struct tp_iteration_search *s, struct tp_slice name)
{
	char text[LONGEST_NAME + 1];
	size_t n = name.len < LONGEST_NAME ? name.len : LONGEST_NAME;

	memcpy(text, name.ptr, n);
	text[n] = '\0';
	return regexec(s->wish, text, 0, NULL, 0) == 0;
}

/* The number of the family of that name. */
static uint32_t
family_of_name(struct tp_iteration_search *s, struct tp_slice name)
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
may_be(const struct tp_iteration_search *s, struct tp_slice name)
{
	if (s->wish != NULL)
		return wished(s, name);
	return !tp_annotation_of_library(name) || (s->hooks && tp_annotation_is_hook(name));
}

uint32_t
tp_iteration_family_of(struct tp_iteration_search *s, uint32_t event)
{
	uint32_t *known = &s->family_of_op[tp_torch_op(s->t, event)];
	struct tp_slice name = tp_torch_name(s->p, s->t, event);

	if (*known == NOT_LOOKED_AT)
		*known = may_be(s, name) ? family_of_name(s, name) + FIRST_FAMILY : NO_FAMILY;
	return *known == NO_FAMILY ? TP_NONE : *known - FIRST_FAMILY;
}

/* The ranges of a lane in order, each with the one around it. */
static struct tp_iteration_range *
ranges_of(struct tp_iteration_search *s, const struct tp_torch_lane *lane, uint32_t *count)
{
	struct tp_buf ranges = {0}; /* struct tp_iteration_range */
	uint32_t open = TP_NONE;

	for (uint32_t e = lane->first; e < lane->first + lane->count; e++) {
		uint32_t family = s->t->kind[e] == s->kind ? tp_iteration_family_of(s, e) : TP_NONE;
		const struct tp_iteration_range *all = ranges.data;

		if (family == TP_NONE)
			continue;
		while (
			open != TP_NONE && tp_torch_end_ps(s->t, all[open].event) <= tp_torch_start_ps(s->t, e))
			open = all[open].around;
		TP_PUSH(&ranges, struct tp_iteration_range, e, family, open);
		open = (uint32_t)ranges.count - 1;
	}
	*count = (uint32_t)ranges.count;
	return tp_buf_settle(&ranges, sizeof(struct tp_iteration_range), s->scratch);
}

/* Outermost ranges, where wrappers count as nothing. */
static struct tp_iteration_level
ranges_outside(const struct tp_iteration_search *s, const struct tp_iteration_range *ranges,
	uint32_t count, const bool *wrapper)
{
	struct tp_iteration_level level = {
		.ranges = tp_new_array(s->scratch, struct tp_iteration_range, count),
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

bool
tp_iteration_is_known(const struct tp_iteration_search *s, uint32_t number)
{
	return s->wish != NULL || tp_iteration_family(s, number)->engine != NULL;
}

/* Leaves only ranges of families that repeat; false: none does. */
static bool
keep_repeating(const struct tp_iteration_search *s, struct tp_iteration_level *level)
{
	uint32_t kept = 0;
	bool known = false;

	for (uint32_t f = 0; f < level->families; f++)
		known |= level->of_family[f] != 0 && tp_iteration_is_known(s, f);
	for (uint32_t f = 0; f < level->families; f++) {
		if (known ? !tp_iteration_is_known(s, f) : level->of_family[f] < TP_ITERATIONS_FEWEST)
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
wrap_all_but_known(const struct tp_iteration_search *s, const struct tp_iteration_range *ranges,
	uint32_t count, bool *wrapper)
{
	bool known = false;

	for (uint32_t i = 0; i < count; i++)
		known |= tp_iteration_is_known(s, ranges[i].family);
	for (uint32_t f = 0; f < s->families.count; f++)
		wrapper[f] =
			known ? !tp_iteration_is_known(s, f) : is_epoch(tp_iteration_family(s, f)->pattern);
}

/* The outermost level on which something repeats. */
static struct tp_iteration_level
repeating_level(
	const struct tp_iteration_search *s, const struct tp_iteration_range *ranges, uint32_t count)
{
	bool *wrapper = tp_new_array(s->scratch, bool, s->families.count);

	wrap_all_but_known(s, ranges, count, wrapper);
	for (int i = 0; i < MOST_LEVELS; i++) {
		struct tp_iteration_level level = ranges_outside(s, ranges, count, wrapper);

		if (level.count == 0)
			break;
		for (uint32_t k = 0; k < level.count; k++)
			wrapper[level.ranges[k].family] = true;
		if (keep_repeating(s, &level))
			return level;
	}
	return (struct tp_iteration_level){0};
}

void
tp_iteration_look_again(struct tp_iteration_search *s, bool hooks)
{
	s->hooks = hooks;
	memset(s->family_of_op, 0, s->p->op_count * sizeof *s->family_of_op);
}

static bool
has_phase(const struct tp_iteration_search *s, const struct tp_iteration_level *level,
	enum tp_iteration_phase phase)
{
	for (uint32_t f = 0; f < level->families; f++) {
		if (level->of_family[f] != 0 && tp_iteration_family(s, f)->phase == phase)
			return true;
	}
	return false;
}

/* A program that names forward and backward and leaves the optimizer to its hook. */
static struct tp_iteration_level
with_hooks(struct tp_iteration_search *s, const struct tp_torch_lane *lane,
	struct tp_iteration_level level)
{
	uint32_t count;

	if (s->wish != NULL || s->kind != TP_TORCH_ANNOTATION ||
		!(has_phase(s, &level, TP_ITERATION_FORWARD) ||
			has_phase(s, &level, TP_ITERATION_BACKWARD)) ||
		has_phase(s, &level, TP_ITERATION_OPTIMIZER))
		return level;
	tp_iteration_look_again(s, true);
	struct tp_iteration_range *ranges = ranges_of(s, lane, &count);
	struct tp_iteration_level more = repeating_level(s, ranges, count);

	tp_iteration_look_again(s, false);
	return has_phase(s, &more, TP_ITERATION_OPTIMIZER) ? more : level;
}

struct tp_iteration_level
tp_iteration_level_of(struct tp_iteration_search *s, const struct tp_torch_lane *lane)
{
	uint32_t count;
	struct tp_iteration_range *ranges = ranges_of(s, lane, &count);

	return with_hooks(s, lane, repeating_level(s, ranges, count));
}
