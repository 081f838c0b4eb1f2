/* What was collected of a trace → lines, counters and flows of the profile. */
#include "ingest/tracks.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/order.h"
#include "base/utf8.h"
#include "ingest/reader.h"
#include "ingest/tracks_parts.h"
#include "model/build.h"

#include <stdlib.h>

/* The operations of the profile for those of the trace. */
static uint32_t *
build_ops(struct tp_draft_tracks *d, struct tp_builder *out)
{
	uint32_t *index = tp_new_array(d->arena, uint32_t, d->ops.count);
	struct tp_strings *strings = &tp_builder_profile(out)->strings;

	for (size_t i = 0; i < d->ops.count; i++) {
		const struct tp_draft_op *from = (const struct tp_draft_op *)d->ops.data + i;
		struct tp_op *op;
		uint32_t name = tp_intern_copy(strings, tp_string(&d->strings, from->name));
		uint32_t category = tp_intern_copy(strings, tp_string(&d->strings, from->category));

		index[i] = tp_build_op(out, &op);
		op->name = op->label = tp_string(strings, name);
		op->category = tp_string(strings, category);
	}
	return index;
}

static struct tp_slice
kept(struct tp_builder *out, struct tp_slice text)
{
	struct tp_strings *strings = &tp_builder_profile(out)->strings;

	return tp_string(strings, tp_intern_copy(strings, text));
}

static struct tp_slice
process_name(const struct tp_draft_tracks *d, uint32_t process)
{
	return ((const struct tp_draft_process *)d->processes.data)[process].name;
}

/* Lines hold at most as many events as they have numbers for. */
static void
build_line(struct tp_draft_tracks *d, struct tp_draft_track *t, uint32_t host, const uint32_t *ops,
	struct tp_builder *out)
{
	const struct tp_draft_event *events = t->events.data;
	struct tp_line_columns c = {
		.kind = TP_LINE_TRACK,
		.host = host,
		.device = TP_NONE,
		.name = kept(out, t->name),
		.process = kept(out, process_name(d, t->process)),
		.thread = t->thread,
	};
	size_t i = 0;

	tp_build_line_open(out, &c);
	for (; i < t->events.count; i++) {
		if (c.count == c.capacity &&
			!tp_build_line_room(out, &c, (double)(i + 1) / (double)t->events.count))
			break;
		c.start_ps[c.count] = events[i].at_ps;
		c.duration_ps[c.count] = events[i].duration_ps;
		c.op[c.count] = ops[events[i].op];
		if (events[i].instant)
			tp_build_tag(out, c.first + c.count, TP_TAG_INSTANT, 1);
		c.count++;
	}
	tp_build_dropped(out, t->events.count - i);
	t->line = i != 0 ? tp_built_line_count(out) : TP_NONE;
	tp_build_line_close(out, &c);
	tp_buf_free(&t->events);
}

/* Tracks by process, in the order in which they first came. */
static void
build_lines(struct tp_draft_tracks *d, uint32_t host, const uint32_t *ops, struct tp_builder *out)
{
	uint32_t *first = tp_new_array(d->arena, uint32_t, d->processes.count + 1);
	uint32_t *order = tp_new_array(d->arena, uint32_t, d->tracks.count);

	for (uint32_t i = 0; i < d->tracks.count; i++)
		first[tp_draft_track_at(d, i)->process + 1]++;
	for (size_t i = 0; i < d->processes.count; i++)
		first[i + 1] += first[i];
	for (uint32_t i = 0; i < d->tracks.count; i++)
		order[first[tp_draft_track_at(d, i)->process]++] = i;
	for (size_t i = 0; i < d->tracks.count; i++)
		build_line(d, tp_draft_track_at(d, order[i]), host, ops, out);
}

TP_ORDER(by_time, struct tp_draft_point, TP_UP(at_ps), TP_UP(number));

static void
build_counter(const struct tp_draft_tracks *d, struct tp_draft_counter *from,
	struct tp_builder *out, struct tp_track_counter *to)
{
	struct tp_arena *arena = tp_builder_profile(out)->arena;
	struct tp_draft_point *points = from->points.data;
	size_t count = from->points.count;
	int64_t *at_ps = tp_new_array(arena, int64_t, count);
	double *values = tp_new_array(arena, double, count);

	if (count != 0)
		qsort(points, count, sizeof *points, by_time);
	for (size_t i = 0; i < count; i++) {
		at_ps[i] = points[i].at_ps;
		values[i] = points[i].value;
	}
	*to = (struct tp_track_counter){
		.process = tp_utf8_clean(arena, kept(out, process_name(d, from->process))),
		.name = tp_utf8_clean(arena, kept(out, from->name)),
		.unit = tp_utf8_clean(arena, kept(out, from->unit)),
		.count = (uint32_t)count,
		.at_ps = at_ps,
		.values = values,
	};
	tp_buf_free(&from->points);
}

static void
build_counters(const struct tp_draft_tracks *d, struct tp_builder *out, struct tp_tracks *tracks)
{
	struct tp_track_counter *counters =
		tp_new_array(tp_builder_profile(out)->arena, struct tp_track_counter, d->counters.count);

	for (size_t i = 0; i < d->counters.count; i++)
		build_counter(d, (struct tp_draft_counter *)d->counters.data + i, out, &counters[i]);
	tracks->counters = counters;
	tracks->counter_count = (uint32_t)d->counters.count;
}

static void
say(const struct tp_source *in, struct tp_builder *out, uint64_t count, enum tp_diag_level level,
	const char *things, const char *what)
{
	if (count != 0)
		tp_diag_at(&tp_builder_profile(out)->diags, level, in->path, TP_NO_OFFSET, "%llu %s %s",
			(unsigned long long)count, things, what);
}

void
tp_tracks_build(
	struct tp_draft_tracks *d, const struct tp_source *in, int64_t base_ns, struct tp_builder *out)
{
	struct tp_tracks *tracks = tp_build_next(out, tracks);
	struct tp_host *host;

	tracks->input = in->input;
	tracks->host = tp_build_host(out, &host);
	host->name = in->host;
	host->input = in->input;
	host->base_ns = base_ns;
	tp_tracks_join(d);
	const uint32_t *ops = build_ops(d, out);

	build_lines(d, tracks->host, ops, out);
	tracks->flows = tp_tracks_arrows(d, ops, out, &tracks->flow_count);
	build_counters(d, out, tracks);
	say(in, out, d->no_begin, TP_DIAG_WARNING,
		tp_plural(d->no_begin, "end of an event", "ends of events"), "without a begin: not used");
	say(in, out, d->no_end, TP_DIAG_WARNING, tp_plural(d->no_end, "event", "events"),
		"without an end: shown until the event around it ends, or the trace");
	say(in, out, d->unbound, TP_DIAG_NOTE, tp_plural(d->unbound, "flow", "flows"),
		"at a time when no event is on the thread: not used");
}
