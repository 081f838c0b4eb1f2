/* The reader of event files: events.out.tfevents.* as TensorFlow, Keras, PyTorch and JAX programs write them. The values of a
 * summary are scalars in two forms: a plain number, or a tensor whose tag says by its first metadata that it is one. What
 * restarts make void goes by TensorBoard's rules (backend/event_processing/event_accumulator.py). */
#include "ingest/events.h"

#include "base/arena.h"
#include "base/path.h"
#include "base/texts.h"
#include "codec/pb_message.h"
#include "events.pb-c.h"
#include "ingest/reader.h"
#include "ingest/records.h"
#include "io/tfrecord.h"
#include "model/build.h"
#include "model/events.h"

#include <math.h>

enum { MOST_MARKS = 1 << 16, MOST_HEAD = 1 << 12 };
/* Restarts may cost so much looking at points: more than any real run, and less than the square of a made one. */
enum { FREE_PURGE_WORK = 1 << 22, PURGE_WORK_A_POINT = 64 };

struct reading {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_event_run *run;
	struct tp_arena *arena;
	bool begun; /* files before this one hold points */
};

/* The series of a tag, made when it is first asked for; the pointer holds until the next is. */
static struct tp_event_series *
series_of(struct tp_event_run *run, struct tp_slice tag, struct tp_arena *arena)
{
	uint32_t id = tp_intern_copy(&run->tags, tag);

	if (id >= run->series_capacity) {
		uint32_t capacity = 2 * id + 16;
		struct tp_event_series *more = tp_new_array(arena, struct tp_event_series, capacity);

		if (run->series_capacity != 0)
			memcpy(more, run->series, run->series_capacity * sizeof *more);
		run->series = more;
		run->series_capacity = capacity;
	}
	run->series[id].tag = tp_string(&run->tags, id);
	return &run->series[id];
}

/* Takes away the points at this step or later; returns how many. *latest_s: raised to when the latest of them was written, where it
 * is NaN or earlier. */
static uint64_t
purge(struct tp_event_run *run, struct tp_event_series *series, int64_t step, double *latest_s,
	struct tp_arena *arena)
{
	if (run->purge_given_up)
		return 0;
	run->purge_work.most = FREE_PURGE_WORK + PURGE_WORK_A_POINT * (run->points + run->purged);
	uint64_t purged = tp_points_purge(&series->points, step, latest_s, &run->purge_work, arena);

	run->purge_given_up = run->purge_work.done > run->purge_work.most;
	run->points -= purged;
	run->purged += purged;
	return purged;
}

static uint64_t
purge_all(struct tp_event_run *run, int64_t step, double *latest_s, struct tp_arena *arena)
{
	uint64_t purged = 0;

	for (uint32_t i = 0; i < run->tags.count && i < run->series_capacity && !run->purge_given_up;
		 i++) {
		run->purge_work.done++;
		purged += purge(run, &run->series[i], step, latest_s, arena);
	}
	return purged;
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

/* Hyperparameters as TensorFlow and PyTorch write them: the content of the plugin "hparams", a HParamsPluginData
 * (tensorboard/plugins/hparams/plugin_data.proto) whose start of a session names them. */
enum { DATA_START = 3, START_HPARAMS = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2 };
/* google.protobuf.Value */
enum { VALUE_NUMBER = 2, VALUE_TEXT = 3, VALUE_TRUTH = 4 };

/* False: it is none of those. */
static bool
read_hparam(struct tp_slice bytes, struct tp_event_hparam *h)
{
	struct tp_pb p = tp_pb_open(bytes);
	bool known = false;

	while (tp_pb_next(&p)) {
		if (p.field == VALUE_NUMBER && p.type == TP_PB_FIXED64) {
			h->kind = TP_EVENT_HPARAM_NUMBER;
			h->number = tp_pb_double(&p);
		} else if (p.field == VALUE_TEXT && p.type == TP_PB_BYTES) {
			h->kind = TP_EVENT_HPARAM_TEXT;
			h->text = p.bytes;
		} else if (p.field == VALUE_TRUTH && p.type == TP_PB_VARINT) {
			h->kind = TP_EVENT_HPARAM_TRUTH;
			h->number = p.number != 0;
		} else {
			continue;
		}
		known = true;
	}
	return known;
}

static void
add_hparam(struct tp_event_run *run, const struct tp_event_hparam *h, struct tp_arena *arena)
{
	struct tp_event_hparam *kept = tp_new(arena, struct tp_event_hparam);

	*kept = *h;
	kept->name = tp_arena_copy(arena, h->name);
	kept->text = tp_arena_copy(arena, h->text);
	if (run->last_hparam != NULL)
		run->last_hparam->next = kept;
	else
		run->hparams = kept;
	run->last_hparam = kept;
	run->hparam_count++;
}

static void
take_hparams(struct tp_event_run *run, struct tp_slice content, struct tp_arena *arena)
{
	for (struct tp_pb start = tp_pb_open(tp_pb_first(content, DATA_START));
		 tp_pb_next_bytes(&start, START_HPARAMS);) {
		struct tp_event_hparam h = {.name = tp_pb_first(start.bytes, ENTRY_KEY)};

		if (read_hparam(tp_pb_first(start.bytes, ENTRY_VALUE), &h))
			add_hparam(run, &h, arena);
	}
}

static void
take_value(struct reading *r, const struct tp_event *e, const struct tp_event_value *v)
{
	struct tp_event_series *s = series_of(r->run, v->tag, r->arena);
	struct tp_event_point point = {e->step, e->wall_s, v->number};

	if (s->plugin.len == 0 && v->plugin.len != 0) {
		s->plugin = tp_arena_copy(r->arena, v->plugin);
		if (tp_slice_eq(s->plugin, TP_S("hparams")))
			take_hparams(r->run, v->content, r->arena);
	}
	/* Hyperparameters of PyTorch are metadata alone. */
	if (!v->simple && !v->has_tensor) {
		count_other(r, s, e->step,
			v->kind != TP_EVENT_OTHERS ? v->kind : tp_event_kind_of_plugin(s->plugin));
		return;
	}
	if (!v->simple && !tp_slice_eq(s->plugin, TP_S("scalars"))) {
		count_other(r, s, e->step, tp_event_kind_of_plugin(s->plugin));
		tp_events_tensor(r->in, r->out, e->step, s, v->tensor);
		return;
	}
	if (!v->simple && !tp_events_scalar(v->tensor, &point.value)) {
		count_other(r, s, e->step, TP_EVENT_OTHERS);
		return;
	}
	tp_points_add(&s->points, &point, r->arena);
	r->run->points++;
}

static void
take_summary(struct reading *r, const struct tp_event *e)
{
	struct tp_pb summary = tp_pb_open(e->summary);
	struct tp_event_value v;

	while (tp_event_value_next(&summary, &v))
		take_value(r, e, &v);
}

/* Makes points of the tags of this event void. */
static void
purge_tags(struct reading *r, const struct tp_event *e)
{
	struct tp_pb summary = tp_pb_open(e->summary);
	struct tp_event_value v;
	double latest_s = NAN;

	while (tp_event_value_next(&summary, &v))
		purge(r->run, series_of(r->run, v.tag, r->arena), e->step, &latest_s, r->arena);
}

/* Files of before version 2 mark no restart: there a step that goes back is one, of the tags that go back. */
static void
follow_steps(struct reading *r, const struct tp_event *e)
{
	if (e->summary.ptr != NULL && e->step < r->run->latest_step)
		purge_tags(r, e);
	else
		r->run->latest_step = e->step;
}

static void
take_run_metadata(struct reading *r, const struct tp_event *e)
{
	Tp__TaggedRunMetadata m = TP__TAGGED_RUN_METADATA__INIT;

	tp_pb_message(&m.base, e->run_metadata);
	struct tp_slice tag = tp_pb_slice(m.tag);

	tp_events_run(r->in, r->out, e->step, tag, tp_pb_slice(m.run_metadata));
	count_other(r, series_of(r->run, tag, r->arena), e->step, TP_EVENT_RUN_METADATA);
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
take_session(struct reading *r, const struct tp_event *e)
{
	struct tp_event_mark mark = {.step = e->step, .wall_s = e->wall_s, .purged_until_s = NAN};
	Tp__SessionLog s = TP__SESSION_LOG__INIT;

	tp_pb_message(&s.base, e->session);
	if (s.status < TP_EVENT_START || s.status > TP_EVENT_CHECKPOINT)
		return;
	mark.kind = (enum tp_event_mark_kind)s.status;
	if (mark.kind == TP_EVENT_START) {
		/* The first may be late, for threads write: what is before it in its file is of the same session. */
		mark.again = r->run->starts++ != 0 || r->begun;
		if (mark.again && r->run->version >= 2)
			mark.purged = purge_all(r->run, e->step, &mark.purged_until_s, r->arena);
	}
	if (r->run->mark_count == MOST_MARKS) {
		r->run->marks_dropped++;
		return;
	}
	mark.path = tp_arena_copy(r->arena, tp_pb_slice(s.checkpoint_path));
	add_mark(r, &mark);
}

static void
take_record(struct reading *r, struct tp_slice record)
{
	struct tp_event e = tp_event_read(record);

	if (e.version.len != 0)
		r->run->version = tp_event_version(e.version);
	if (fabs(e.wall_s) < TP_LATEST_S) {
		r->run->first_s = fmin(r->run->first_s, e.wall_s);
		/* Opening a file is no work done. */
		if (e.version.len == 0)
			r->run->last_s = fmax(r->run->last_s, e.wall_s);
	}
	if (r->run->version < 2)
		follow_steps(r, &e);
	r->run->others[TP_EVENT_GRAPHS] += e.graph.ptr != NULL;
	r->run->others[TP_EVENT_META_GRAPHS] += e.meta_graph.ptr != NULL;
	r->run->others[TP_EVENT_LOG_MESSAGES] += e.log_message.ptr != NULL;
	if (e.session.len != 0)
		take_session(r, &e);
	if (e.run_metadata.len != 0)
		take_run_metadata(r, &e);
	if (e.summary.len != 0)
		take_summary(r, &e);
	if (e.graph.len != 0)
		tp_events_graph(r->in, r->out, e.step, TP_GRAPH_FROM_DEF, e.graph);
	if (e.meta_graph.len != 0)
		tp_events_graph(r->in, r->out, e.step, TP_GRAPH_FROM_META, e.meta_graph);
}

/* The run of the event files of a folder, made empty when it is first asked for. */
static struct tp_event_run *
run_of_folder(struct tp_builder *out, struct tp_slice folder)
{
	struct tp_profile *p = tp_builder_profile(out);

	for (struct tp_event_run *r = p->event_runs; r != NULL; r = r->next) {
		if (tp_slice_eq(r->folder, folder))
			return r;
	}
	struct tp_event_run *run = tp_build_next(out, event_runs);

	run->folder = folder;
	run->first_s = run->last_s = NAN;
	run->latest_step = -1;
	tp_strings_init(&run->tags, p->arena);
	return run;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_profile *p = tp_builder_profile(out);
	struct reading r = {.in = in, .out = out, .arena = p->arena};
	struct tp_tfrecord t;
	bool more;

	tp_records_open(in, &t);
	more = tp_tfrecord_next(&t);
	if (!more) {
		tp_tfrecord_close(&t);
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, 0,
			in->bytes.len == 0 ? "an event file without a record" : "no record of an event file");
	}
	r.run = run_of_folder(out, tp_path_folder(tp_slice_of(in->path)));
	r.begun = r.run->points + r.run->purged != 0;
	bool gave_up = r.run->purge_given_up, dropped = r.run->marks_dropped != 0;

	for (; more; more = tp_tfrecord_next(&t)) {
		struct tp_source part = *in;

		/* Where it lies is told of what is damaged in it. */
		part.bytes = t.record;
		part.bytes_at = t.bytes_at;
		r.in = &part;
		tp_records_tell(in, out, &t);
		take_record(&r, t.record);
	}
	tp_records_tell(in, out, &t);
	r.run->records += t.records;
	r.run->damaged += t.damaged;
	tp_tfrecord_close(&t);
	r.run->files++;
	if (r.run->purge_given_up && !gave_up)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"too many restarts to track: points before them are kept");
	if (r.run->marks_dropped != 0 && !dropped)
		tp_diag_at(&p->diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"more than %d session marks: later ones are only counted", MOST_MARKS);
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

	/* Of other files all would be searched for a record. */
	head.len = head.len < MOST_HEAD ? head.len : MOST_HEAD;
	tp_tfrecord_open(&t, head);
	return tp_tfrecord_next(&t) && t.offset == 0 &&
		tp_event_version(tp_event_read(t.record).version) > 0;
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

const struct tp_reader tp_reader_events = {
	.name = "tfevents",
	.summary = "TensorBoard event files (with tfevents in their names): scalars of the whole run",
	.suffixes = TP_TEXTS(".tfevents"),
	.host_of_name = host_of_name,
	.probe = probe,
	.kind = TP_READS_OF_LOG,
	.form = TP_BLOB_PIECES,
	.read = read,
};
