/* The trace reader: *.trace.json as JAX and TensorFlow write them beside their profiles, event by event out of the stream,
 * and *.trace, the same events as a message. */
#include "ingest/trace_json.h"
#include "base/arena.h"
#include "base/number.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "codec/pb_wire.h"
#include "ingest/chrome_trace.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "ingest/torch_words.h"
#include "ingest/trace_space.h"
#include "io/stream.h"
#include "model/build.h"

enum { LONGEST_NAME = 65536 };

/* A text that outlives the value in hand. */
struct text {
	struct tp_buf room;
	size_t length;
};

/* What an event says; its arguments go to the space as they come. */
struct event {
	char phase;
	bool torch; /* of a category that PyTorch writes */
	bool has_start, has_process;
	uint64_t process, thread;
	int64_t start_ps, duration_ps;
	struct text name, named; /* named: the argument "name" of metadata */
};

struct walk {
	struct tp_pull json;
	struct tp_trace_space *space;
	struct event event;
	bool torch;
	uint64_t unusable, other_phases;
};

static void
keep(struct text *to, struct tp_slice text)
{
	to->length = text.len < LONGEST_NAME ? text.len : LONGEST_NAME;
	char *room = tp_buf_room(&to->room, to->length, 1);

	if (to->length != 0)
		memcpy(room, text.ptr, to->length);
}

static struct tp_slice
kept(const struct text *t)
{
	return (struct tp_slice){t->room.data, t->length};
}

/* Ids are numbers; a text stands for itself, by its hash. */
static uint64_t
id_of(const struct tp_pull *j)
{
	int64_t number;

	if (tp_decimal_integer(j->text, &number))
		return (uint64_t)number;
	return tp_hash_bytes(j->text);
}

static void
read_arguments(struct walk *w)
{
	struct tp_pull *j = &w->json;

	w->event.named.length = 0;
	while (tp_pull_item(j)) {
		if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY) {
			tp_pull_skip(j);
			continue;
		}
		if (j->type == TP_PULL_STRING && tp_slice_eq(j->key, TP_S("name")))
			keep(&w->event.named, j->text);
		if (j->type == TP_PULL_TRUE || j->type == TP_PULL_FALSE)
			tp_trace_argument(
				w->space, j->key, j->type == TP_PULL_TRUE ? TP_S("true") : TP_S("false"));
		else if (j->text.len != 0)
			tp_trace_argument(w->space, j->key, j->text);
	}
}

static void
read_member(struct walk *w)
{
	struct tp_pull *j = &w->json;
	struct event *e = &w->event;

	if (tp_slice_eq(j->key, TP_S("ph")))
		e->phase = j->text.len == 1 ? j->text.ptr[0] : '?';
	else if (tp_slice_eq(j->key, TP_S("name")))
		keep(&e->name, j->text);
	else if (tp_slice_eq(j->key, TP_S("ts")))
		e->has_start = tp_decimal_scaled(j->text, 6, &e->start_ps);
	else if (tp_slice_eq(j->key, TP_S("dur")))
		tp_decimal_scaled(j->text, 6, &e->duration_ps);
	else if (tp_slice_eq(j->key, TP_S("tid")))
		e->thread = id_of(j);
	else if (tp_slice_eq(j->key, TP_S("cat")))
		e->torch = tp_torch_category(j->text);
	else if (tp_slice_eq(j->key, TP_S("pid"))) {
		e->process = id_of(j);
		e->has_process = true;
	}
	if (tp_slice_eq(j->key, TP_S("args")) && j->type == TP_PULL_OBJECT)
		read_arguments(w);
	else if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY)
		tp_pull_skip(j);
}

static void
take_event(struct walk *w)
{
	struct event *e = &w->event;

	switch (e->phase) {
	case 'M':
		if (tp_slice_eq(kept(&e->name), TP_S("process_name")))
			tp_trace_process(w->space, e->process, kept(&e->named));
		else if (tp_slice_eq(kept(&e->name), TP_S("thread_name")))
			tp_trace_thread(w->space, e->process, e->thread, kept(&e->named));
		break;
	case 'X':
		if (e->has_start && e->has_process && e->name.length != 0) {
			tp_trace_event(
				w->space, e->process, e->thread, kept(&e->name), e->start_ps, e->duration_ps);
			return;
		}
		w->unusable++;
		break;
	case '\0': /* {}, which stands at the end for the sake of commas */
		break;
	default:
		w->other_phases++;
		break;
	}
	tp_trace_no_event(w->space);
}

static void
read_events(struct walk *w)
{
	struct tp_pull *j = &w->json;

	while (!w->torch && tp_pull_item(j)) {
		struct event *e = &w->event;

		if (j->type == TP_PULL_ARRAY)
			tp_pull_skip(j);
		if (j->type != TP_PULL_OBJECT)
			continue;
		*e = (struct event){.name = e->name, .named = e->named};
		e->name.length = e->named.length = 0;
		while (tp_pull_item(j))
			read_member(w);
		/* One that the end of the file cuts is left out. */
		if (j->state != TP_PULL_MORE)
			break;
		w->torch |= e->torch;
		take_event(w);
	}
}

static void
read_root(struct walk *w)
{
	struct tp_pull *j = &w->json;

	if (!tp_pull_next(j))
		return;
	bool bare = j->type == TP_PULL_ARRAY;

	if (bare)
		read_events(w);
	else if (j->type != TP_PULL_OBJECT)
		return;
	while (!bare && !w->torch && tp_pull_item(j)) {
		w->torch |= tp_torch_key(j->key);
		if (tp_slice_eq(j->key, TP_S("traceEvents")) && j->type == TP_PULL_ARRAY)
			read_events(w);
		else if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY)
			tp_pull_skip(j);
	}
	/* The end, or what follows it. */
	if (!w->torch)
		tp_pull_next(j);
}

/* What was odd about the file. */
static void
tell(const struct walk *w, const struct tp_source *in, struct tp_builder *out,
	const struct tp_err *damage)
{
	struct tp_diags *diags = &tp_builder_profile(out)->diags;
	const struct tp_pull *j = &w->json;

	if (damage != NULL)
		tp_diag_err(diags, TP_DIAG_WARNING, damage);
	if (damage != NULL || j->state != TP_PULL_END) {
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(diags, TP_DIAG_WARNING, in->path, j->offset,
			"the trace %s here%s%s: the %llu events before it are used",
			j->state == TP_PULL_BROKEN ? "is damaged from" : "breaks off",
			j->state == TP_PULL_BROKEN ? " on, " : "", j->wrong != NULL ? j->wrong : "",
			(unsigned long long)tp_trace_event_count(w->space));
	}
	if (w->unusable != 0) {
		tp_build_dropped(out, w->unusable);
		tp_diag_at(diags, TP_DIAG_WARNING, in->path, TP_NO_OFFSET,
			"%llu %s without a time, a process or a name: left out",
			(unsigned long long)w->unusable, tp_plural(w->unusable, "event", "events"));
	}
	if (w->other_phases != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, in->path, TP_NO_OFFSET,
			"%llu %s without a duration (counters, flows, marks): not used",
			(unsigned long long)w->other_phases, tp_plural(w->other_phases, "entry", "entries"));
	if (j->non_finite_values + j->repairs != 0)
		tp_diag_at(diags, TP_DIAG_NOTE, in->path, TP_NO_OFFSET,
			"%llu %s not valid JSON: read as far as possible",
			(unsigned long long)(j->non_finite_values + j->repairs),
			tp_plural(
				j->non_finite_values + j->repairs, "value or string is", "values and strings are"));
}

static enum tp_status
finish(struct walk *w, const struct tp_source *in, struct tp_builder *out,
	const struct tp_err *damage, struct tp_err *err)
{
	if (tp_trace_event_count(w->space) == 0) {
		if (damage != NULL) {
			*err = *damage;
			return err->status;
		}
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, w->json.offset, "not a trace: %s",
			w->json.state == TP_PULL_BROKEN ? w->json.wrong
				: in->bytes.len == 0        ? "the file is empty"
											: "it holds no events with a duration");
	}
	enum tp_status status = tp_trace_space_read(w->space, in, out, err);

	if (status == TP_OK)
		tell(w, in, out, damage);
	return status;
}

enum tp_status
tp_trace_json_read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_stream *stream = tp_stream_open(in->bytes, in->blob, in->path, err);

	if (stream == NULL)
		return err->status;
	struct walk w = {.space = tp_trace_space_new()};

	tp_pull_open(&w.json, (struct tp_slice){NULL, 0}, tp_stream_more, stream);
	read_root(&w);
	bool torch = w.torch, any_program = !torch && !tp_trace_space_is_named(w.space);
	enum tp_status status =
		torch || any_program ? TP_OK : finish(&w, in, out, tp_stream_damage(stream), err);

	tp_pull_close(&w.json);
	tp_buf_free(&w.event.name.room);
	tp_buf_free(&w.event.named.room);
	tp_trace_space_free(w.space);
	tp_stream_close(stream);
	/* Another profiler's, or any program's, under a name that all use; nothing of it was taken yet. */
	if (any_program)
		return tp_chrome_trace_read(in, out, err);
	if (!torch)
		return status;
	tp_built_input(out, in->input)->reader = tp_slice_of(tp_reader_torch.name);
	return tp_reader_torch.read(in, out, err);
}

static const char *const suffixes[] = {".trace.json", NULL};

static int
probe(const char *name, struct tp_slice head)
{
	(void)head;
	/* PyTorch's traces end like that too. */
	return strstr(name, ".pt.trace.json") == NULL ? tp_probe_suffixes(name, suffixes) : 0;
}

const struct tp_reader tp_reader_trace_json = {
	.name = "trace_json",
	.summary = "the timeline that JAX and TensorFlow write with a profile, if the profile is "
			   "missing",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_COPY,
	.form = TP_BLOB_STORED,
	.read = tp_trace_json_read,
};
