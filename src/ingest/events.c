/* The reader of event files: events.out.tfevents.* as TensorFlow, Keras, PyTorch and JAX programs write them. Each record is a
 * tensorflow.Event (tensorflow/core/util/event.proto); its summary's values are scalars in two forms: a plain number, or a tensor
 * whose tag says by its first metadata that it is one. What restarts make void goes by TensorBoard's rules
 * (backend/event_processing/event_accumulator.py). */
#include "ingest/events.h"

#include "base/arena.h"
#include "base/path.h"
#include "codec/pb_wire.h"
#include "ingest/reader.h"
#include "ingest/records.h"
#include "io/tfrecord.h"
#include "model/build.h"
#include "model/events.h"

#include <math.h>
#include <stdlib.h>

/* Fields of the messages. */
enum {
	EVENT_WALL_TIME = 1,
	EVENT_STEP = 2,
	EVENT_VERSION = 3,
	EVENT_GRAPH = 4,
	EVENT_SUMMARY = 5,
	EVENT_LOG_MESSAGE = 6,
	EVENT_SESSION = 7,
	EVENT_RUN_METADATA = 8,
	EVENT_META_GRAPH = 9,
};
enum { SUMMARY_VALUE = 1 };
enum {
	VALUE_TAG = 1,
	VALUE_SIMPLE = 2,
	VALUE_IMAGE = 4,
	VALUE_HISTOGRAM = 5,
	VALUE_AUDIO = 6,
	VALUE_TENSOR = 8,
	VALUE_METADATA = 9,
};
enum { METADATA_PLUGIN = 1, PLUGIN_NAME = 1 };
enum { SESSION_STATUS = 1, SESSION_CHECKPOINT = 2 };
enum { RUN_METADATA_TAG = 1 };

enum { MOST_MARKS = 1 << 16, MOST_HEAD = 1 << 12 };

/* An event as far as it matters here. */
struct event {
	double wall_s;
	int64_t step;
	struct tp_slice version, summary, session, run_metadata, graph, meta_graph;
	bool goes_back; /* makes later points of its tags void */
};

struct reading {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_event_run *run;
	struct tp_arena *arena;
};

static struct event
read_event(struct tp_event_run *run, struct tp_slice record)
{
	struct tp_pb p = tp_pb_open(record);
	struct event e = {.wall_s = NAN};

	while (tp_pb_next(&p)) {
		if (p.field == EVENT_WALL_TIME && p.type == TP_PB_FIXED64)
			e.wall_s = tp_pb_double(&p);
		else if (p.field == EVENT_STEP && p.type == TP_PB_VARINT)
			e.step = (int64_t)p.number;
		else if (p.type != TP_PB_BYTES)
			continue;
		else if (p.field == EVENT_VERSION)
			e.version = p.bytes;
		else if (p.field == EVENT_SUMMARY)
			e.summary = p.bytes;
		else if (p.field == EVENT_SESSION)
			e.session = p.bytes;
		else if (p.field == EVENT_GRAPH)
			e.graph = p.bytes;
		else if (p.field == EVENT_META_GRAPH)
			e.meta_graph = p.bytes;
		else if (p.field == EVENT_RUN_METADATA)
			e.run_metadata = p.bytes;
		run->others[TP_EVENT_GRAPHS] += p.field == EVENT_GRAPH;
		run->others[TP_EVENT_META_GRAPHS] += p.field == EVENT_META_GRAPH;
		run->others[TP_EVENT_LOG_MESSAGES] += p.field == EVENT_LOG_MESSAGE;
	}
	return e;
}

/* 2 of "brain.Event:2" */
static double
version_of(struct tp_slice text)
{
	static const struct tp_slice prefix = {"brain.Event:", 12};
	char number[16] = "";
	struct tp_slice rest = tp_slice_from(text, prefix.len);

	if (!tp_slice_starts(text, prefix) || rest.len >= sizeof number)
		return 0;
	memcpy(number, rest.ptr, rest.len);
	double version = strtod(number, NULL);

	return isfinite(version) ? version : 0;
}

static struct tp_slice
plugin_of(struct tp_slice metadata)
{
	struct tp_pb m = tp_pb_open(metadata);

	while (tp_pb_next(&m)) {
		if (m.field != METADATA_PLUGIN || m.type != TP_PB_BYTES)
			continue;
		struct tp_pb p = tp_pb_open(m.bytes);

		while (tp_pb_next(&p)) {
			if (p.field == PLUGIN_NAME && p.type == TP_PB_BYTES)
				return p.bytes;
		}
	}
	return (struct tp_slice){NULL, 0};
}

static enum tp_event_other
kind_of_plugin(struct tp_slice plugin)
{
	static const struct {
		struct tp_slice name;
		enum tp_event_other kind;
	} kinds[] = {
		{{"histograms", 10}, TP_EVENT_HISTOGRAMS},
		{{"images", 6}, TP_EVENT_IMAGES},
		{{"audio", 5}, TP_EVENT_AUDIO},
		{{"text", 4}, TP_EVENT_TEXTS},
		{{"graphs", 6}, TP_EVENT_GRAPHS},
		{{"graph_keras_model", 17}, TP_EVENT_GRAPHS},
		{{"graph_run_metadata", 18}, TP_EVENT_RUN_METADATA},
		{{"graph_run_metadata_graph", 24}, TP_EVENT_RUN_METADATA},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (tp_slice_eq(plugin, kinds[i].name))
			return kinds[i].kind;
	}
	return TP_EVENT_OTHERS;
}

/* A value of a summary. */
struct value {
	struct tp_slice tag, tensor, plugin;
	bool simple, has_tensor;
	double number;
	enum tp_event_other kind; /* of those that are neither */
};

static struct value
read_value(struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct value v = {.kind = TP_EVENT_OTHERS};

	while (tp_pb_next(&p)) {
		if (p.field == VALUE_SIMPLE && p.type == TP_PB_FIXED32) {
			v.simple = true;
			v.number = (double)tp_pb_float(&p);
		} else if (p.type != TP_PB_BYTES) {
			continue;
		} else if (p.field == VALUE_TAG) {
			v.tag = p.bytes;
		} else if (p.field == VALUE_TENSOR) {
			v.has_tensor = true;
			v.tensor = p.bytes;
		} else if (p.field == VALUE_METADATA) {
			v.plugin = plugin_of(p.bytes);
		} else if (p.field == VALUE_IMAGE) {
			v.kind = TP_EVENT_IMAGES;
		} else if (p.field == VALUE_HISTOGRAM) {
			v.kind = TP_EVENT_HISTOGRAMS;
		} else if (p.field == VALUE_AUDIO) {
			v.kind = TP_EVENT_AUDIO;
		}
	}
	return v;
}

/* A value that is no scalar: counted, and its tag kept. */
static void
count_other(struct reading *r, struct tp_event_series *s, int64_t step, enum tp_event_other kind)
{
	r->run->others[kind]++;
	if (s->others++ == 0) {
		s->other_kind = kind;
		s->other_first = step;
	}
	s->other_last = step;
}

static void
take_value(struct reading *r, const struct event *e, const struct value *v)
{
	struct tp_event_series *s = tp_events_series(r->run, v->tag, r->arena);
	struct tp_event_point point = {e->step, e->wall_s, v->number};
	double latest_s = NAN;

	if (!v->simple && !v->has_tensor) {
		count_other(r, s, e->step, v->kind);
		return;
	}

	if (s->plugin.len == 0 && v->plugin.len != 0)
		s->plugin = tp_arena_copy(r->arena, v->plugin);
	if (!v->simple && !tp_slice_eq(s->plugin, TP_S("scalars"))) {
		count_other(r, s, e->step, kind_of_plugin(s->plugin));
		if (tp_slice_eq(s->plugin, TP_S("graph_run_metadata_graph")))
			tp_events_run_graphs(r->in, r->out, e->step, s->tag, v->tensor);
		return;
	}
	if (!v->simple && !tp_events_scalar(v->tensor, &point.value)) {
		count_other(r, s, e->step, TP_EVENT_OTHERS);
		return;
	}
	if (e->goes_back)
		tp_events_purge(r->run, s, e->step, &latest_s, r->arena);
	tp_events_add_point(r->run, s, &point, r->arena);
}

static void
take_summary(struct reading *r, const struct event *e)
{
	struct tp_pb s = tp_pb_open(e->summary);

	while (tp_pb_next(&s)) {
		if (s.field != SUMMARY_VALUE || s.type != TP_PB_BYTES)
			continue;
		struct value v = read_value(s.bytes);

		take_value(r, e, &v);
	}
}

static void
take_run_metadata(struct reading *r, const struct event *e)
{
	struct tp_pb m = tp_pb_open(e->run_metadata);
	struct tp_slice tag = TP_S("");

	while (tp_pb_next(&m)) {
		if (m.field == RUN_METADATA_TAG && m.type == TP_PB_BYTES)
			tag = m.bytes;
	}
	count_other(r, tp_events_series(r->run, tag, r->arena), e->step, TP_EVENT_RUN_METADATA);
}

static void
add_mark(struct reading *r, const struct tp_event_mark *mark)
{
	struct tp_event_run *run = r->run;

	if (run->mark_count == run->mark_capacity) {
		uint32_t capacity = 2 * run->mark_capacity + 8;
		struct tp_event_mark *more = tp_new_array(r->arena, struct tp_event_mark, capacity);

		if (run->mark_count != 0)
			memcpy(more, run->marks, run->mark_count * sizeof *more);
		run->marks = more;
		run->mark_capacity = capacity;
	}
	run->marks[run->mark_count++] = *mark;
}

static void
take_session(struct reading *r, const struct event *e)
{
	struct tp_pb s = tp_pb_open(e->session);
	struct tp_event_mark mark = {.step = e->step, .wall_s = e->wall_s, .purged_until_s = NAN};
	uint64_t status = 0;

	while (tp_pb_next(&s)) {
		if (s.field == SESSION_STATUS && s.type == TP_PB_VARINT)
			status = s.number;
		if (s.field == SESSION_CHECKPOINT && s.type == TP_PB_BYTES)
			mark.path = s.bytes;
	}
	if (status < TP_EVENT_START || status > TP_EVENT_CHECKPOINT)
		return;
	mark.kind = (enum tp_event_mark_kind)status;
	if (mark.kind == TP_EVENT_START) {
		r->run->starts++;
		if (r->run->version >= 2)
			mark.purged = tp_events_purge_all(r->run, e->step, &mark.purged_until_s, r->arena);
	}
	if (r->run->mark_count == MOST_MARKS)
		return;
	mark.path = tp_arena_copy(r->arena, mark.path);
	add_mark(r, &mark);
}

static void
take_record(struct reading *r, struct tp_slice record)
{
	struct event e = read_event(r->run, record);

	if (e.version.len != 0)
		r->run->version = version_of(e.version);
	if (fabs(e.wall_s) < TP_LATEST_S) {
		r->run->first_s = fmin(r->run->first_s, e.wall_s);
		/* Opening a file is no work done. */
		if (e.version.len == 0)
			r->run->last_s = fmax(r->run->last_s, e.wall_s);
	}
	/* Files of before version 2 mark no restart: there a step that goes back is one. */
	e.goes_back = r->run->version < 2 && e.summary.len != 0 && e.step < r->run->latest_step;
	if (!e.goes_back)
		r->run->latest_step = e.step;
	if (e.session.len != 0)
		take_session(r, &e);
	if (e.run_metadata.len != 0)
		take_run_metadata(r, &e);
	if (e.summary.len != 0)
		take_summary(r, &e);
	if (e.graph.len != 0)
		tp_events_graph(r->in, r->out, e.step, e.graph);
	if (e.meta_graph.len != 0)
		tp_events_meta_graph(r->in, r->out, e.step, e.meta_graph);
}

static struct tp_slice
folder_of(const char *path)
{
	return tp_path_folder(tp_slice_of(path));
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_profile *p = tp_builder_profile(out);
	struct reading r = {.in = in, .out = out, .arena = p->arena};
	struct tp_tfrecord t;
	uint64_t released = 0;
	bool more;

	tp_tfrecord_open(&t, in->bytes);
	more = tp_tfrecord_next(&t);
	if (!more)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0,
			in->bytes.len == 0 ? "an event file without a record" : "no record of an event file");
	r.run = tp_build_event_run(out, folder_of(in->path));
	bool gave_up = r.run->purge_given_up;

	for (; more; more = tp_tfrecord_next(&t)) {
		tp_records_tell(in, out, &t);
		take_record(&r, t.record);
		tp_records_release(in, &t, &released);
	}
	tp_records_tell(in, out, &t);
	r.run->records += t.records;
	r.run->damaged += t.damaged;
	r.run->files++;
	if (r.run->purge_given_up && !gave_up)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"more restarts than can be followed: points before them are kept");
	return TP_OK;
}

static bool
is_phases(struct tp_slice name)
{
	return tp_slice_ends(name, TP_S(".profile_logger"));
}

/* Whether the first record says which version of the format this is. */
static bool
says_version(struct tp_slice head)
{
	struct tp_tfrecord t;
	struct tp_event_run run = {0};

	/* Of other files all would be searched for a record. */
	head.len = head.len < MOST_HEAD ? head.len : MOST_HEAD;
	tp_tfrecord_open(&t, head);
	return tp_tfrecord_next(&t) && t.offset == 0 &&
		version_of(read_event(&run, t.record).version) > 0;
}

static int
probe(const char *path, struct tp_slice head)
{
	struct tp_slice name = tp_path_name(tp_slice_of(path));
	bool named = tp_slice_has(name, TP_S("tfevents")) && !is_phases(name) &&
		!tp_slice_ends(name, TP_S(".json"));

	if (head.len != 0 && says_version(head))
		return is_phases(name) ? 0 : 80;
	return named ? 50 : 0;
}

/* "vm" of "events.out.tfevents.1795229758.vm.21838.0.v2" */
static struct tp_slice
host_of_name(struct tp_slice name)
{
	static const char mark[] = "tfevents.";
	const char *at = memmem(name.ptr, name.len, mark, sizeof mark - 1);

	if (at == NULL)
		return name;
	struct tp_slice rest = tp_slice_from(name, (size_t)(at - name.ptr) + sizeof mark - 1);

	while (rest.len > 1 && (*rest.ptr == '.' || (*rest.ptr >= '0' && *rest.ptr <= '9')))
		rest = tp_slice_from(rest, 1);
	if (tp_slice_ends(rest, TP_S(".v2"))) {
		rest.len -= strlen(".v2");
		while (rest.len > 1 &&
			(rest.ptr[rest.len - 1] == '.' ||
				(rest.ptr[rest.len - 1] >= '0' && rest.ptr[rest.len - 1] <= '9')))
			rest.len--;
	}
	return rest;
}

static const char *const suffixes[] = {".tfevents", NULL};

const struct tp_reader tp_reader_events = {
	.name = "tfevents",
	.summary = "event files of TensorBoard: scalars of the whole run, *tfevents*",
	.suffixes = suffixes,
	.host_of_name = host_of_name,
	.probe = probe,
	.precomputed = true,
	.of_job = true,
	.of_log = true,
	.read = read,
};
