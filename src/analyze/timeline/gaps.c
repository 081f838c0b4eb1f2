/* Of each line the gaps, then what the gaps of all lines have in common. */
#include "analyze/timeline/gaps.h"

#include "base/buf.h"

#define LEAST_SHARE (1.0 / 4096)
#define MOST_EVENTS 4000000

static bool
is_asked_for(
	const struct tp_timeline_found *t, const struct tp_timeline_line *line, bool of_devices)
{
	enum tp_line_kind kind = line->line->kind;

	if (line->number >= t->read_count)
		return false;
	return !of_devices ||
		(line->line->device != TP_NONE && (kind == TP_LINE_OPS || kind == TP_LINE_STREAM));
}

static void
add(struct tp_buf *gaps, uint64_t from_ps, uint64_t to_ps, uint64_t least_ps)
{
	if (to_ps > from_ps && to_ps - from_ps >= least_ps)
		TP_PUSH(gaps, struct tp_stretch, from_ps, to_ps);
}

/* The gaps of a line that are within those of the lines before it; both are by time. */
static void
narrow(const struct tp_timeline_line *line, uint64_t least_ps, const struct tp_buf *before,
	uint64_t high_ps, struct tp_buf *out)
{
	const struct tp_stretch *gaps = before->data;
	uint64_t until_ps = 0;
	size_t next = 0;

	for (uint32_t i = 0; i <= line->line->count; i++) {
		struct tp_timeline_place at = {high_ps, high_ps};

		if (i < line->line->count)
			at = tp_timeline_place(line, i);
		while (next < before->count && gaps[next].to_ps <= until_ps)
			next++;
		for (size_t k = next; k < before->count && gaps[k].from_ps < at.from_ps; k++)
			add(out, gaps[k].from_ps > until_ps ? gaps[k].from_ps : until_ps,
				gaps[k].to_ps < at.from_ps ? gaps[k].to_ps : at.from_ps, least_ps);
		until_ps = at.to_ps > until_ps ? at.to_ps : until_ps;
	}
}

struct tp_stretch
tp_timeline_longest_gap(const struct tp_timeline_found *t, bool of_devices)
{
	struct tp_stretch longest = {0};
	uint64_t least_ps = (uint64_t)((double)t->high_ps * LEAST_SHARE) + 1, events = 0;
	struct tp_buf gaps = {0};
	bool any = false;

	for (size_t i = 0; i < t->line_count; i++)
		events += is_asked_for(t, &t->lines[i], of_devices) ? t->lines[i].line->count : 0;
	if (events > MOST_EVENTS)
		return longest;
	add(&gaps, 0, t->high_ps, least_ps);
	for (size_t i = 0; i < t->line_count; i++) {
		struct tp_buf left = {0};

		if (!is_asked_for(t, &t->lines[i], of_devices))
			continue;
		narrow(&t->lines[i], least_ps, &gaps, t->high_ps, &left);
		tp_buf_free(&gaps);
		gaps = left;
		any = true;
	}
	for (size_t i = 0; i < gaps.count && any; i++) {
		const struct tp_stretch *g = (const struct tp_stretch *)gaps.data + i;

		if (g->to_ps - g->from_ps > longest.to_ps - longest.from_ps)
			longest = *g;
	}
	tp_buf_free(&gaps);
	return longest;
}
