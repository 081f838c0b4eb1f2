/* All events as a Perfetto trace: each group of tracks is a process, steps and findings are tracks of their own. Events go from where
 * they lie to the file; what is in memory is which names were written. Perfetto counts ns: what is finer is cut, starts and ends alike,
 * so that what nests still does. */
#include "render/renderer.h"

#include "base/arena.h"
#include "io/sink.h"
#include "render/events_asked.h"
#include "render/nest.h"
#include "render/perfetto_packets.h"
#include "report/doc.h"
#include "report/run_events.h"

struct writer {
	struct tp_perfetto to;
	const struct tp_run_events *e;
	struct tp_map processes; /* by name → number of its track */
	struct tp_nest nest;
	struct tp_buf rows; /* uint64_t: numbers of the tracks for rows of the track in hand */
};

static int64_t
ns_of(int64_t ps)
{
	return ps / 1000 - (ps % 1000 < 0);
}

static uint64_t
row_at(const struct writer *w, size_t row)
{
	return ((const uint64_t *)w->rows.data)[row];
}

static void
put_end(void *writer, size_t row, int64_t at_ns)
{
	struct writer *w = writer;

	tp_perfetto_open(&w->to, TP_PERFETTO_END, row_at(w, row));
	tp_perfetto_close(&w->to, at_ns);
}

static uint64_t
process_for(struct writer *w, struct tp_slice group)
{
	uint64_t key = tp_hash_bytes(group);

	if (tp_map_get(&w->processes, key) == TP_MAP_NONE)
		tp_map_put(&w->processes, key, (uint32_t)tp_perfetto_process(&w->to, group));
	return tp_map_get(&w->processes, key);
}

/* Tracks of one name and parent are shown as one. */
static uint64_t
track_for(struct writer *w, size_t row, uint64_t parent, struct tp_slice name)
{
	while (w->rows.count <= row)
		*tp_buf_new(&w->rows, uint64_t) = tp_perfetto_track(&w->to, parent, name);
	return row_at(w, row);
}

static void
put_flow(void *writer, uint64_t id, bool leaves)
{
	struct writer *w = writer;

	(void)leaves; /* of two with one id the earlier is where it comes from */
	tp_perfetto_flow(&w->to, id);
}

static void
put_argument(void *writer, const struct tp_run_argument *a)
{
	struct writer *w = writer;

	if (a->text.ptr != NULL)
		tp_perfetto_note(&w->to, tp_slice_of(a->key), a->text);
	else
		tp_perfetto_number(&w->to, tp_slice_of(a->key), a->number);
}

static void
put_event(struct writer *w, uint64_t parent, size_t track, uint64_t number)
{
	struct tp_run_event event;
	struct tp_slice name = w->e->tracks[track].name;

	if (!w->e->event(w->e, track, number, &event))
		return;
	int64_t from_ns = ns_of(event.from_ps), to_ns = ns_of(event.from_ps + event.length_ps);
	size_t row = event.moment ? 0 : tp_nest_put(&w->nest, from_ns, to_ns);
	uint64_t on = track_for(w, row, parent, name);

	tp_perfetto_open(&w->to, event.moment ? TP_PERFETTO_MOMENT : TP_PERFETTO_BEGIN, on);
	tp_perfetto_known_name(&w->to, w->e, event.name);
	w->e->arguments(w->e, track, number, put_argument, w);
	w->e->flows(w->e, track, number, put_flow, w);
	tp_perfetto_close(&w->to, from_ns);
}

static void
put_tracks(struct writer *w)
{
	for (size_t i = 0; i < w->e->track_count; i++) {
		uint64_t process = process_for(w, w->e->tracks[i].group);

		w->rows.count = 0;
		for (uint64_t k = 0; k < w->e->tracks[i].events; k++)
			put_event(w, process, i, k);
		tp_nest_end(&w->nest);
	}
}

static void
put_counters(struct writer *w)
{
	for (size_t i = 0; i < w->e->counter_count; i++) {
		const struct tp_run_counter *c = &w->e->counters[i];
		struct tp_run_point point;
		uint64_t track = tp_perfetto_counter(&w->to, process_for(w, c->group), c->name, c->unit);

		for (uint64_t k = 0; k < c->points; k++) {
			if (!w->e->point(w->e, i, k, &point))
				continue;
			tp_perfetto_open(&w->to, TP_PERFETTO_COUNTER, track);
			tp_perfetto_value(&w->to, point.value);
			tp_perfetto_close(&w->to, ns_of(point.at_ps));
		}
	}
}

/* A span of ours. */
static void
put_span(struct writer *w, uint64_t parent, struct tp_slice track, struct tp_slice name,
	int64_t from_ps, int64_t to_ps, const struct tp_finding *finding, struct tp_arena *arena)
{
	size_t row = tp_nest_put(&w->nest, ns_of(from_ps), ns_of(to_ps));

	track_for(w, row, parent, track);
	tp_perfetto_open(&w->to, TP_PERFETTO_BEGIN, row_at(w, row));
	tp_perfetto_name(&w->to, name);
	if (finding != NULL) {
		tp_perfetto_note(&w->to, TP_S("check"), finding->id);
		tp_perfetto_note(&w->to, TP_S("severity"), tp_severity_word(finding->severity));
		tp_perfetto_note(&w->to, TP_S("advice"), tp_text_shown(finding->brief, arena));
	}
	tp_perfetto_close(&w->to, ns_of(from_ps));
}

static void
end_spans(struct writer *w)
{
	tp_nest_end(&w->nest);
	w->rows.count = 0;
}

/* What the report says: steps by their time, findings where they are seen best. */
static void
put_report(struct writer *w, struct tp_arena *arena)
{
	const struct tp_run_events *e = w->e;

	if (e->finding_count == 0 && e->step_count == 0 && e->clocks.len == 0)
		return;
	uint64_t process = process_for(w, TP_S("tpreport"));

	for (size_t i = 0; i < e->step_count; i++)
		put_span(w, process, TP_S("Steps"), e->steps[i].name, e->steps[i].from_ps,
			e->steps[i].to_ps, NULL, arena);
	end_spans(w);
	for (size_t i = 0; i < e->finding_count; i++) {
		const struct tp_run_finding *f = &e->findings[i];

		put_span(w, process, TP_S("Findings"), tp_text_shown(f->finding->title, arena), f->from_ps,
			f->to_ps, f->finding, arena);
	}
	end_spans(w);
	if (e->clocks.len == 0)
		return;
	tp_perfetto_open(
		&w->to, TP_PERFETTO_MOMENT, tp_perfetto_track(&w->to, process, TP_S("Clocks")));
	tp_perfetto_name(&w->to, e->clocks);
	tp_perfetto_close(&w->to, ns_of(e->begin_ps));
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	enum tp_status status = tp_events_asked(doc, err);

	(void)options;
	if (status != TP_OK)
		return status;
	struct tp_arena *arena = tp_arena_new();
	const struct tp_run_events *e = doc->events;
	struct writer w = {.e = e, .to.out = out};

	w.to.written = tp_new_array(arena, unsigned char, e->name_count);
	w.to.zero_ns = e->begin_ps < 0 ? ns_of(e->begin_ps) : 0;
	tp_strings_init(&w.to.categories, arena);
	tp_strings_init(&w.to.keys, arena);
	tp_strings_init(&w.to.texts, arena);
	tp_map_init(&w.processes, arena);
	w.nest.ended = put_end;
	w.nest.with = &w;
	tp_perfetto_begin(&w.to, e->zero_unix_ns > 0 ? e->zero_unix_ns + w.to.zero_ns : 0);
	put_report(&w, arena);
	put_tracks(&w);
	put_counters(&w);
	tp_nest_free(&w.nest);
	tp_buf_free(&w.rows);
	tp_buf_free(&w.to.packet);
	tp_buf_free(&w.to.part);
	tp_buf_free(&w.to.interned);
	tp_buf_free(&w.to.inner);
	tp_arena_free(arena);
	return TP_OK;
}

const struct tp_renderer tp_render_perfetto = {
	.name = "perfetto",
	.suffix = ".perfetto-trace",
	.other_suffix = ".pftrace",
	.summary = "all events, steps, findings, counters and flows, for ui.perfetto.dev",
	.of_events = true,
	.render = render,
};
