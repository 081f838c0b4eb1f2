/* All events as a Chrome trace in JSON, packed: what most viewers of traces open, event by event as they lie. Times are µs with as many
 * decimals as they have, so that nothing is rounded. */
#include "render/renderer.h"

#include "base/arena.h"
#include "base/map.h"
#include "io/sink.h"
#include "render/events_asked.h"
#include "render/json_writer.h"
#include "render/nest.h"
#include "render/pack.h"
#include "report/doc.h"
#include "report/run_events.h"

#include <stdio.h>

struct writer {
	const struct tp_doc *doc;
	const struct tp_run_events *e;
	struct tp_arena *arena;
	struct tp_json json;
	struct tp_map processes; /* by name → number from 1 */
	struct tp_nest nest;
	uint32_t threads;   /* numbers given */
	bool has_arguments; /* the event in hand */
	/* The one whose flows are being written. */
	uint32_t process, thread;
	int64_t at_ps;
};

/* "1795230221.5": µs, exact. */
static void
put_us(struct writer *w, const char *key, int64_t ps)
{
	uint64_t size = ps < 0 ? 0 - (uint64_t)ps : (uint64_t)ps;
	char text[48];
	int length = snprintf(text, sizeof text, ",\"%s\":%s%llu.%06llu", key, ps < 0 ? "-" : "",
		(unsigned long long)(size / 1000000), (unsigned long long)(size % 1000000));

	while (text[length - 1] == '0')
		length--;
	length -= text[length - 1] == '.';
	tp_sink_write(w->json.out, text, (size_t)length);
}

/* An entry begins; members with tp_json_… go on. */
static void
begin(struct writer *w, const char *phase, uint32_t process, uint32_t thread)
{
	tp_json_open(&w->json, NULL, TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "ph", tp_slice_of(phase));
	tp_json_integer(&w->json, "pid", process);
	tp_json_integer(&w->json, "tid", thread);
}

static void
put_called(
	struct writer *w, const char *what, uint32_t process, uint32_t thread, struct tp_slice name)
{
	begin(w, "M", process, thread);
	tp_json_string(&w->json, "name", tp_slice_of(what));
	tp_json_open(&w->json, "args", TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "name", name);
	tp_json_close(&w->json);
	tp_json_close(&w->json);
}

static uint32_t
process_for(struct writer *w, struct tp_slice group)
{
	uint32_t number;

	if (tp_map_number(&w->processes, tp_hash_bytes(group), &number))
		put_called(w, "process_name", number + 1, 0, group);
	return number + 1;
}

static void
put_flow(void *writer, uint64_t id, bool leaves)
{
	struct writer *w = writer;
	char text[24];

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)id);
	/* A step, not an end: what one launch starts may be several. */
	begin(w, leaves ? "s" : "t", w->process, w->thread);
	put_us(w, "ts", w->at_ps);
	tp_json_string(&w->json, "id", tp_slice_of(text));
	tp_json_string(&w->json, "cat", TP_S("flow"));
	tp_json_string(&w->json, "name", TP_S("flow"));
	tp_json_close(&w->json);
}

/* The thread of a row: the first is the track itself. */
static uint32_t
thread_for(struct writer *w, size_t row, uint32_t first, struct tp_slice name)
{
	while (w->threads < first + row) {
		w->threads++;
		put_called(w, "thread_name", w->process, w->threads, name);
	}
	return first + (uint32_t)row;
}

static void
put_argument(void *writer, const struct tp_run_argument *a)
{
	struct writer *w = writer;

	if (!w->has_arguments)
		tp_json_open(&w->json, "args", TP_JSON_FLAT_OBJECT);
	w->has_arguments = true;
	if (a->text.ptr != NULL)
		tp_json_string(&w->json, a->key, a->text);
	else
		tp_json_integer(&w->json, a->key, a->number);
}

static void
put_event(struct writer *w, size_t track, uint64_t number, uint32_t first)
{
	struct tp_run_event event;

	if (!w->e->event(w->e, track, number, &event))
		return;
	size_t row =
		event.moment ? 0 : tp_nest_put(&w->nest, event.from_ps, event.from_ps + event.length_ps);
	struct tp_slice category = w->e->category(w->e, event.name);

	w->thread = thread_for(w, row, first, w->e->tracks[track].name);
	w->at_ps = event.from_ps;
	begin(w, event.moment ? "i" : "X", w->process, w->thread);
	put_us(w, "ts", event.from_ps);
	if (event.moment)
		tp_json_string(&w->json, "s", TP_S("t"));
	else
		put_us(w, "dur", event.length_ps);
	tp_json_string(&w->json, "name", w->e->name(w->e, event.name));
	if (category.len != 0)
		tp_json_string(&w->json, "cat", category);
	w->has_arguments = false;
	w->e->arguments(w->e, track, number, put_argument, w);
	if (w->has_arguments)
		tp_json_close(&w->json);
	tp_json_close(&w->json);
	w->e->flows(w->e, track, number, put_flow, w);
}

static void
put_tracks(struct writer *w)
{
	for (size_t i = 0; i < w->e->track_count; i++) {
		uint32_t first = w->threads + 1;

		w->process = process_for(w, w->e->tracks[i].group);
		for (uint64_t k = 0; k < w->e->tracks[i].events; k++)
			put_event(w, i, k, first);
		tp_nest_end(&w->nest);
	}
}

static void
put_counters(struct writer *w)
{
	for (size_t i = 0; i < w->e->counter_count; i++) {
		const struct tp_run_counter *c = &w->e->counters[i];
		uint32_t process = process_for(w, c->group);
		struct tp_run_point point;

		for (uint64_t k = 0; k < c->points; k++) {
			if (!w->e->point(w->e, i, k, &point))
				continue;
			begin(w, "C", process, 0);
			put_us(w, "ts", point.at_ps);
			tp_json_string(&w->json, "name", c->name);
			tp_json_open(&w->json, "args", TP_JSON_FLAT_OBJECT);
			tp_json_number(&w->json, "value", point.value);
			tp_json_close(&w->json);
			tp_json_close(&w->json);
		}
	}
}

static void
put_span(struct writer *w, uint32_t first, struct tp_slice track, struct tp_slice name,
	int64_t from_ps, int64_t to_ps)
{
	size_t row = tp_nest_put(&w->nest, from_ps, to_ps);

	begin(w, "X", w->process, thread_for(w, row, first, track));
	put_us(w, "ts", from_ps);
	put_us(w, "dur", to_ps - from_ps);
	tp_json_string(&w->json, "name", name);
	tp_json_close(&w->json);
}

static void
put_report(struct writer *w)
{
	const struct tp_run_events *e = w->e;
	uint32_t first = w->threads + 1;

	if (e->finding_count == 0 && e->step_count == 0)
		return;
	w->process = process_for(w, TP_S("tpreport"));
	for (size_t i = 0; i < e->step_count; i++)
		put_span(w, first, TP_S("Steps"), e->steps[i].name, e->steps[i].from_ps, e->steps[i].to_ps);
	tp_nest_end(&w->nest);
	first = w->threads + 1;
	for (size_t i = 0; i < e->finding_count; i++)
		put_span(w, first, TP_S("Findings"), tp_text_shown(e->findings[i].finding->title, w->arena),
			e->findings[i].from_ps, e->findings[i].to_ps);
	tp_nest_end(&w->nest);
}

static void
put_head(struct writer *w)
{
	tp_json_open(&w->json, "otherData", TP_JSON_FLAT_OBJECT);
	tp_json_string(&w->json, "written_by", TP_S("tpreport"));
	if (w->e->zero_unix_ns != 0)
		tp_json_integer(&w->json, "zero_unix_ns", w->e->zero_unix_ns);
	if (w->e->clocks.len != 0)
		tp_json_string(&w->json, "clocks", w->e->clocks);
	tp_json_close(&w->json);
	tp_json_string(&w->json, "displayTimeUnit", TP_S("ns"));
}

static void
write(struct tp_sink *out, const void *doc)
{
	struct writer w = {.doc = doc, .arena = tp_arena_new()};

	w.e = w.doc->events;
	tp_map_init(&w.processes, w.arena);
	tp_json_start(&w.json, out);
	tp_json_open(&w.json, NULL, TP_JSON_OBJECT);
	put_head(&w);
	tp_json_open(&w.json, "traceEvents", TP_JSON_ARRAY);
	put_report(&w);
	put_tracks(&w);
	put_counters(&w);
	tp_json_close(&w.json);
	tp_json_close(&w.json);
	tp_nest_free(&w.nest);
	tp_arena_free(w.arena);
}

static enum tp_status
render(const struct tp_doc *doc, const struct tp_render_options *options, struct tp_sink *out,
	struct tp_err *err)
{
	enum tp_status status = tp_events_asked(doc, err);

	if (status == TP_OK)
		tp_gzip(out, options->pool, write, doc);
	return status;
}

const struct tp_renderer tp_render_chrome_trace = {
	.name = "chrome_trace",
	.suffix = ".trace.json.gz",
	.summary = "the same as a Chrome trace, for other viewers",
	.of_events = true,
	.render = render,
};
