/* The planes of an XSpace out of what was collected of a trace, and their reading. */
#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "codec/pb_wire.h"
#include "ingest/trace_parts.h"
#include "ingest/trace_space.h"

#include <stdlib.h>

/* As many events a profiler puts into a trace at most: the first ones, by their start. */
enum { MOST_EVENTS = 1000000 };

TP_ORDER(by_start, struct tp_trace_root, TP_UP(start_ps));

/* Whether what happens on other threads can be told by time to which step it belongs: the steps do not overlap. */
static bool
steps_follow_each_other(struct tp_trace_space *s)
{
	struct tp_trace_root *roots = s->roots.data;

	if (s->grouped || s->roots.count == 0)
		return false;
	qsort(roots, s->roots.count, sizeof *roots, by_start);
	for (size_t i = 0; i + 1 < s->roots.count; i++) {
		if (roots[i].end_ps > roots[i + 1].start_ps)
			return false;
	}
	return true;
}

/* The step in which the event begins; NULL: none. */
static const struct tp_trace_root *
step_at(const struct tp_trace_space *s, int64_t start_ps)
{
	const struct tp_trace_root *roots = s->roots.data;
	size_t behind = TP_FIRST_WHERE(i, s->roots.count, roots[i].start_ps > start_ps);

	return behind != 0 && start_ps < roots[behind - 1].end_ps ? &roots[behind - 1] : NULL;
}

static int64_t
start_of(struct tp_slice event)
{
	struct tp_pb p = tp_pb_open(event);

	while (tp_pb_next(&p) && p.field != 2)
		;
	return (int64_t)p.number;
}

/* Each event of the line receives a flow from the step in which it begins. */
static void
join_steps(struct tp_trace_space *s, struct tp_trace_line *line)
{
	struct tp_pb p = tp_pb_open(tp_pb_written(&line->events));
	struct tp_buf joined = {0};

	while (tp_pb_next(&p)) {
		const struct tp_trace_root *root = step_at(s, start_of(p.bytes));

		s->event.count = 0;
		tp_pb_put_raw(&s->event, p.bytes);
		if (root != NULL) {
			tp_trace_put_stat(s, &s->event, line->plane, TP_S("_ct"), TP_TRACE_FLOW_TYPE);
			tp_trace_put_stat(s, &s->event, line->plane, TP_S("_c"), root->flow);
		}
		tp_pb_put_bytes(&joined, 4, tp_pb_written(&s->event));
	}
	tp_buf_free(&line->events);
	line->events = joined;
}

static void
write_plane(struct tp_trace_space *s, uint32_t index, struct tp_buf *space)
{
	struct tp_trace_plane *plane = tp_trace_plane_at(s, index);
	struct tp_buf out = {0};

	tp_pb_put_number(&out, 1, plane->process);
	tp_pb_put_bytes(&out, 2, plane->name);
	tp_pb_put_raw(&out, tp_pb_written(&plane->metadata));
	tp_pb_put_raw(&out, tp_pb_written(&plane->stat_names));
	tp_buf_free(&plane->metadata);
	tp_buf_free(&plane->stat_names);
	for (uint32_t n = plane->first_line, next; n != 0; n = next) {
		struct tp_trace_line *line = (struct tp_trace_line *)s->lines.data + n - 1;
		struct tp_buf made = {0};

		next = line->next;
		if (line->events.count == 0)
			continue;
		tp_pb_put_number(&made, 1, line->thread);
		tp_pb_put_bytes(&made, 2, line->name);
		tp_pb_put_raw(&made, tp_pb_written(&line->events));
		tp_buf_free(&line->events);
		tp_pb_put_bytes(&out, 3, tp_pb_written(&made));
		tp_buf_free(&made);
	}
	tp_pb_put_bytes(space, 1, tp_pb_written(&out));
	tp_buf_free(&out);
}

/* All of it, in the arena of the profile, which points into it. */
static struct tp_slice
write_space(struct tp_trace_space *s, struct tp_arena *arena)
{
	struct tp_buf space = {0};

	for (uint32_t i = 0; i < s->planes.count; i++) {
		if (tp_trace_plane_at(s, i)->name.len != 0)
			write_plane(s, i, &space);
	}
	struct tp_slice kept = tp_arena_copy(arena, tp_pb_written(&space));

	tp_buf_free(&space);
	return kept;
}

enum tp_status
tp_trace_space_read(struct tp_trace_space *s, const struct tp_source *in, struct tp_builder *out,
	struct tp_err *err)
{
	struct tp_profile *profile = tp_builder_profile(out);
	struct tp_source made = *in;

	if (!tp_trace_space_is_named(s))
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, TP_NO_OFFSET,
			"%llu %s, but no process named /host:… or /device:… as in XLA and TensorFlow traces",
			(unsigned long long)s->event_count, tp_plural(s->event_count, "event", "events"));
	bool by_time = steps_follow_each_other(s);

	for (size_t i = 0; i < s->lines.count && by_time; i++) {
		struct tp_trace_line *line = (struct tp_trace_line *)s->lines.data + i;

		if (tp_trace_plane_at(s, line->plane)->host && !line->has_roots)
			join_steps(s, line);
	}
	made.bytes = write_space(s, profile->arena);
	made.made = true;
	made.blob = NULL;
	enum tp_status status = tp_xspace_read(&made, out, err);

	if (status != TP_OK)
		return status;
	tp_diag_at(&profile->diags, TP_DIAG_NOTE, in->path, TP_NO_OFFSET,
		"read from the trace exported from the profile: it lacks programs, operation costs, peaks "
		"and flows between threads%s",
		by_time ? ", so work on other threads counts for the host step in which it starts" : "");
	tp_built_input(out, in->input)->trace = true;
	if (s->event_count >= MOST_EVENTS) {
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"holds the maximum number of events that profilers export (%d, the first by start): "
			"the end of the capture is missing",
			MOST_EVENTS);
	}
	return TP_OK;
}
