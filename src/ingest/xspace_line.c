/* A line: what it says of itself, and what of it was lost. */
#include "ingest/xspace_line.h"

#include "base/arena.h"
#include "base/number.h"

struct line_head {
	struct tp_slice name;
	int64_t id;
	int64_t timestamp_ns;
	bool has_events;
};

/* What a line says of itself stands before its events, as every producer writes it; else all of it is looked through. */
static struct line_head
read_head(struct tp_xplane *plane, struct tp_xpart part)
{
	struct tp_arena *keep = tp_builder_profile(plane->out)->arena;
	struct tp_xwalk w = tp_xwalk_open(plane->file, part);
	struct line_head head = {0};
	struct tp_slice display = {NULL, 0};
	bool has_time = false;

	while (tp_xwalk_next(&w)) {
		if (w.p.field == TP_XEVENT && w.p.type == TP_PB_BYTES) {
			head.has_events = true;
			if (head.name.len != 0 && has_time)
				break;
		} else if (w.p.field == 2 && w.p.type == TP_PB_BYTES) {
			head.name = tp_arena_copy(keep, w.p.bytes);
		} else if (w.p.field == 11 && w.p.type == TP_PB_BYTES) {
			display = tp_arena_copy(keep, w.p.bytes);
		} else if (w.p.field == 1 && w.p.type == TP_PB_VARINT) {
			head.id = (int64_t)w.p.number;
		} else if (w.p.field == 3 && w.p.type == TP_PB_VARINT) {
			head.timestamp_ns = (int64_t)w.p.number;
			has_time = true;
		}
	}
	if (head.name.len == 0)
		head.name = display;
	return head;
}

static enum tp_line_kind
kind_of_line(struct tp_slice name, uint32_t device, const struct tp_xplane *plane)
{
	static const struct {
		const char *prefix;
		enum tp_line_kind kind;
	} names[] = {
		{"Steps", TP_LINE_STEPS},
		{"XLA Modules", TP_LINE_MODULES},
		{"XLA Ops", TP_LINE_OPS},
		{"Async XLA Ops", TP_LINE_ASYNC},
		{"XLA Async Ops", TP_LINE_ASYNC},
		{"TensorFlow Name Scope", TP_LINE_DERIVED},
		{"TensorFlow Ops", TP_LINE_DERIVED},
		{"Framework Name Scope", TP_LINE_DERIVED},
		{"Framework Ops", TP_LINE_DERIVED},
		{"Source code", TP_LINE_DERIVED},
		{"Launch Stats", TP_LINE_DERIVED},
		{"Stream #", TP_LINE_STREAM},
		{"_counters_", TP_LINE_OTHER},
		{"CUPTI overhead", TP_LINE_OTHER},
	};

	if (device == TP_NONE)
		return tp_slice_starts(plane->name, TP_S("/host:")) ? TP_LINE_THREAD : TP_LINE_OTHER;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!tp_slice_starts(name, tp_slice_of(names[i].prefix)))
			continue;
		/* What a GPU does is on its streams; operations and modules were made from these. */
		if (plane->gpu && (names[i].kind == TP_LINE_OPS || names[i].kind == TP_LINE_MODULES))
			return TP_LINE_DERIVED;
		return names[i].kind;
	}
	return plane->gpu ? TP_LINE_STREAM : TP_LINE_OTHER;
}

/* ns from the host's base to the line's own zero; the first line with events sets the base. */
static bool
line_offset_ps(struct tp_xplane *plane, const struct line_head *head, int64_t *offset_ps)
{
	struct tp_host *host = tp_built_host(plane->out, plane->host);
	int64_t ns;

	if (host->base_ns == INT64_MIN)
		host->base_ns = head->timestamp_ns;
	if (__builtin_sub_overflow(head->timestamp_ns, host->base_ns, &ns) ||
		ns > TP_XLONGEST_PS / 1000 || ns < -TP_XLONGEST_PS / 1000)
		return false;
	*offset_ps = ns * 1000;
	return true;
}

static void
tell_losses(const struct tp_xplane *plane, const struct tp_xline *line)
{
	struct tp_profile *profile = tp_builder_profile(plane->out);
	const struct tp_xevents *events = &line->events;
	struct tp_slice name = line->columns.name;
	struct tp_xpart part = line->part;

	if (!events->complete)
		tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, part.at + part.size), "line \"%.*s\" is cut off: %llu %s used",
			TP_ARG(name), (unsigned long long)events->count,
			tp_plural(events->count, "event before that is", "events before that are"));
	if (events->unusable == 0)
		return;
	tp_build_dropped(plane->out, events->unusable);
	tp_diag_at(&profile->diags, TP_DIAG_WARNING, plane->in->path, tp_xoffset(plane->in, part.at),
		"line \"%.*s\": %llu %s damaged and left out", TP_ARG(name),
		(unsigned long long)events->unusable,
		tp_plural(events->unusable, "event is", "events are"));
}

struct tp_xline
tp_xline_open(struct tp_xplane *plane, struct tp_xpart part)
{
	struct line_head head = read_head(plane, part);
	struct tp_xline line = {
		.part = part,
		.columns =
			{
				.host = plane->host,
				.device = plane->device,
				.name = head.name,
				.thread = head.id,
				.kind = kind_of_line(head.name, plane->device, plane),
			},
		.events = {.regions = {.open = TP_NONE}},
	};
	struct tp_line_columns *c = &line.columns;

	line.placed = !head.has_events || line_offset_ps(plane, &head, &line.zero_ps);
	c->chip = c->kind == TP_LINE_STEPS || c->kind == TP_LINE_OPS || c->kind == TP_LINE_MODULES;
	return line;
}

void
tp_xline_close(struct tp_xplane *plane, struct tp_xline *line)
{
	tell_losses(plane, line);
	if (!line->placed) {
		tp_diag_at(&tp_builder_profile(plane->out)->diags, TP_DIAG_WARNING, plane->in->path,
			tp_xoffset(plane->in, line->part.at),
			"line \"%.*s\" starts more than 13 days from the others and is left out",
			TP_ARG(line->columns.name));
		tp_build_dropped(plane->out, line->events.count);
	}
	tp_build_line_close(plane->out, &line->columns);
}

void
tp_xline_read(struct tp_xplane *plane, struct tp_xpart part)
{
	struct tp_xline line = tp_xline_open(plane, part);
	struct tp_xwalk w = tp_xwalk_open(plane->file, part);

	tp_build_line_open(plane->out, &line.columns);
	tp_xevents_read(
		plane, &w, part, line.zero_ps, line.placed ? &line.columns : NULL, &line.events);
	tp_xline_close(plane, &line);
}
