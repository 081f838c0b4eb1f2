/* Questions that passes ask of a profile. */
#include "model/profile.h"

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

static unsigned
facts_of_line(const struct tp_profile *p, const struct tp_line *line)
{
	switch (line->kind) {
	case TP_LINE_THREAD:
		for (uint32_t i = 0; i < line->count; i++) {
			if (p->ops[line->op[i]].xla)
				return TP_HAS_HOST_EVENTS | TP_HAS_HOST_XLA_OPS;
		}
		return TP_HAS_HOST_EVENTS;
	case TP_LINE_OPS:
	case TP_LINE_STREAM:
		return TP_HAS_DEVICE_OPS;
	case TP_LINE_STEPS:
	case TP_LINE_MODULES:
	case TP_LINE_ASYNC:
	case TP_LINE_DERIVED:
	case TP_LINE_TORCH:
	case TP_LINE_OTHER:
		break;
	}
	return 0;
}

/* Whether a profiler wrote anything of it, or nothing else did: then an empty profile was meant. */
static bool
has_profile(const struct tp_profile *p, unsigned facts)
{
	const unsigned of_job = TP_HAS_EVENT_FILES | TP_HAS_GRAPH | TP_HAS_PHASES;

	return (facts & ~of_job) != 0 || facts == 0 || p->host_count != 0 || p->event_count != 0 ||
		p->dropped_events != 0 || p->precomputed != NULL;
}

unsigned
tp_profile_facts(const struct tp_profile *p)
{
	unsigned facts = p->device_count != 0 ? TP_HAS_DEVICES : 0;

	if (p->program_count != 0)
		facts |= TP_HAS_PROGRAMS;
	if (p->torch != NULL)
		facts |= TP_HAS_TORCH;
	if (p->event_runs != NULL)
		facts |= TP_HAS_EVENT_FILES;
	if (p->graphs != NULL)
		facts |= TP_HAS_GRAPH;
	if (p->phases != NULL)
		facts |= TP_HAS_PHASES;
	if (p->allocator_event_count != 0)
		facts |= TP_HAS_ALLOCATOR_EVENTS;
	if (p->live != NULL)
		facts |= TP_HAS_LIVE_BUFFERS;
	for (uint32_t i = 0; i < p->line_count; i++)
		facts |= facts_of_line(p, &p->lines[i]);
	return has_profile(p, facts) ? facts | TP_HAS_PROFILE : facts;
}
