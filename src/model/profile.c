/* Questions that passes ask of a profile. */
#include "model/profile.h"

#include "base/arena.h"
#include "model/rank.h"
#include "rank.pb-c.h"

#include <stddef.h>

bool
tp_tag_find(
	const struct tp_line *line, size_t *from, uint32_t event, enum tp_tag_key key, int64_t *value)
{
	while (*from < line->tag_count && line->tags[*from].event < event)
		(*from)++;
	for (size_t i = *from; i < line->tag_count && line->tags[i].event == event; i++) {
		if (line->tags[i].key == (uint32_t)key) {
			*value = line->tags[i].value;
			return true;
		}
	}
	return false;
}

bool
tp_line_has_xla(const struct tp_profile *p, const struct tp_line *line)
{
	for (uint32_t i = 0; i < tp_line_met_count(line); i++) {
		if (p->ops[tp_line_met(line, i)].xla)
			return true;
	}
	return false;
}

/* known: facts of lines before it, which need not be looked for again. */
static unsigned
facts_of_line(const struct tp_profile *p, const struct tp_line *line, unsigned known)
{
	switch (line->kind) {
	case TP_LINE_THREAD:
		return (known & TP_HAS_HOST_XLA_OPS) == 0 && tp_line_has_xla(p, line)
			? TP_HAS_HOST_EVENTS | TP_HAS_HOST_XLA_OPS
			: TP_HAS_HOST_EVENTS;
	case TP_LINE_OPS:
	case TP_LINE_STREAM:
		return TP_HAS_DEVICE_OPS;
	case TP_LINE_STEPS:
	case TP_LINE_MODULES:
	case TP_LINE_ASYNC:
	case TP_LINE_DERIVED:
	case TP_LINE_TORCH:
	case TP_LINE_TRACK:
	case TP_LINE_OTHER:
		break;
	}
	return 0;
}

static const struct {
	const char *lack;
	size_t at; /* of the member; 0: it is no model of its own */
	bool of_job;
} kinds[TP_FACT_COUNT] = {
#define TP_FACT(name, text) [TP_FACT_##name] = {.lack = text},
#define TP_SIDE(name, type, member, job, text)                                                     \
	[TP_FACT_##name] = {.lack = text, .at = offsetof(struct tp_profile, member), .of_job = job},
#include "model/facts.inc"
};

static bool
has_side(const struct tp_profile *p, enum tp_fact_kind k)
{
	void *side = NULL;

	if (kinds[k].at != 0)
		memcpy(&side, (const char *)p + kinds[k].at, sizeof side);
	return side != NULL;
}

/* Whether a profiler wrote anything of it, or nothing else did: then an empty profile was meant. */
static bool
has_profile(const struct tp_profile *p, unsigned facts)
{
	unsigned of_job = 0;

	for (int k = 0; k < TP_FACT_COUNT; k++)
		of_job |= kinds[k].of_job ? 1u << k : 0;
	return (facts & ~of_job) != 0 || facts == 0 || p->host_count != 0 || p->event_count != 0 ||
		p->dropped_events != 0 || p->precomputed != NULL;
}

/* What a summary says that its host's profile held. */
static unsigned
facts_given(const Tp__Rank *r)
{
	unsigned holds = r->xla->holds;

	return (holds & TP_RANK_HOLDS_DEVICE_OPS ? TP_HAS_DEVICE_OPS : 0) |
		(holds & TP_RANK_HOLDS_HOST_EVENTS ? TP_HAS_HOST_EVENTS : 0) |
		(holds & TP_RANK_HOLDS_HOST_XLA ? TP_HAS_HOST_XLA_OPS : 0);
}

unsigned
tp_profile_facts(const struct tp_profile *p)
{
	unsigned facts = p->device_count != 0 ? TP_HAS_DEVICES : 0;

	if (p->program_count != 0)
		facts |= TP_HAS_PROGRAMS;
	if (p->allocator_event_count != 0)
		facts |= TP_HAS_ALLOCATOR_EVENTS;
	for (int k = 0; k < TP_FACT_COUNT; k++)
		facts |= has_side(p, (enum tp_fact_kind)k) ? 1u << k : 0;
	for (uint32_t i = 0; i < p->line_count; i++)
		facts |= facts_of_line(p, &p->lines[i], facts);
	for (uint32_t i = 0; i < p->host_count; i++)
		facts |= p->hosts[i].given != NULL ? facts_given(p->hosts[i].given) : 0;
	return has_profile(p, facts) ? facts | TP_HAS_PROFILE : facts;
}

void
tp_profile_release_lines(struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->line_count; i++) {
		struct tp_line *line = &p->lines[i];

		line->host_times = line->chip_times = (struct tp_times){0};
		line->ops = (struct tp_op_column){0};
		line->tags = NULL;
	}
	tp_arena_free(p->events);
	p->events = NULL;
}

bool
tp_profile_is_tracks_alone(const struct tp_profile *p)
{
	if (p->tracks == NULL || p->device_count != 0 || p->precomputed != NULL)
		return false;
	for (uint32_t i = 0; i < p->line_count; i++) {
		if (p->lines[i].kind != TP_LINE_TRACK)
			return false;
	}
	return true;
}

struct tp_slice
tp_facts_lack(unsigned absent)
{
	for (int k = 0; k < TP_FACT_COUNT; k++) {
		if (absent & 1u << k)
			return tp_slice_of(kinds[k].lack);
	}
	return (struct tp_slice){NULL, 0};
}
