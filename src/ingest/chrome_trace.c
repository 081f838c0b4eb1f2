/* The reader of Chrome traces in JSON of any program: VizTracer's, those of runtimes and schedulers, self-made ones. */
#include "ingest/chrome_trace.h"

#include "base/number.h"
#include "base/texts.h"
#include "codec/json_pull.h"
#include "ingest/chrome_event.h"
#include "ingest/reader.h"
#include "ingest/torch_words.h"
#include "ingest/tracks.h"
#include "io/peek.h"
#include "io/stream.h"
#include "model/build.h"

#include <inttypes.h>
#include <stdio.h>

struct walk {
	struct tp_pull json;
	struct tp_draft_tracks *tracks;
	struct tp_chrome_event event;
	bool torch;          /* it is PyTorch's, whose own reader knows what its events are */
	bool bare, in_entry; /* the trace is a list of entries; the text ends in one */
	bool has_base;
	int64_t base_us; /* what times count from: 0, or where that is too long ago, the first event */
	/* The thread of the last event: most are on the same as the one before. */
	uint64_t last_process, last_thread;
	uint32_t track; /* TP_NONE: none was looked up yet */
	uint64_t entries, unusable, cut, no_duration, other_phases;
};

static uint64_t
key_of(uint64_t a, uint64_t b, unsigned kind)
{
	return tp_hash_pair(tp_hash_pair(a, b), kind);
}

enum { THREAD = 1, ASYNC = 2, NEST = 3, ASYNC_NEST = 4, FLOW = 5, COUNTER = 6 };

static void
print_name(char room[static 48], const char *what, const struct tp_chrome_id *id)
{
	snprintf(room, 48, "%s %" PRId64, what, (int64_t)id->number);
}

static uint32_t
process_of(struct walk *w)
{
	const struct tp_chrome_event *e = &w->event;
	uint32_t process = tp_tracks_process(w->tracks, e->process.number);
	char room[48];

	if (e->process.told && !tp_tracks_is_process_named(w->tracks, process)) {
		print_name(room, "process", &e->process);
		tp_tracks_name_process(w->tracks, process,
			e->process.text != 0 ? tp_tracks_text_of(w->tracks, e->process.text)
								 : tp_slice_of(room));
	}
	return process;
}

/* The thread that an entry is on. */
static uint32_t
thread_of(struct walk *w)
{
	const struct tp_chrome_event *e = &w->event;
	char room[48];

	if (w->track != TP_NONE && e->process.number == w->last_process &&
		e->thread.number == w->last_thread)
		return w->track;
	w->last_process = e->process.number;
	w->last_thread = e->thread.number;
	w->track = tp_tracks_track(
		w->tracks, key_of(e->process.number, e->thread.number, THREAD), process_of(w));
	if (e->thread.told && e->thread.text == 0)
		tp_tracks_thread(w->tracks, w->track, (int64_t)e->thread.number);
	if (!tp_tracks_is_named(w->tracks, w->track)) {
		print_name(room, "thread", &e->thread);
		tp_tracks_name_track(w->tracks, w->track,
			e->thread.text != 0  ? tp_tracks_text_of(w->tracks, e->thread.text)
				: e->thread.told ? tp_slice_of(room)
								 : TP_S("thread not recorded"));
	}
	return w->track;
}

/* What runs beside threads: one track for a category in a process. */
static uint32_t
async_track_of(struct walk *w)
{
	const struct tp_chrome_event *e = &w->event;
	struct tp_slice category = tp_tracks_text_of(w->tracks, e->category);
	uint32_t track =
		tp_tracks_track(w->tracks, key_of(e->process.number, e->category, ASYNC), process_of(w));

	if (!tp_tracks_is_named(w->tracks, track))
		tp_tracks_name_track(w->tracks, track, category.len != 0 ? category : TP_S("asynchronous"));
	return track;
}

/* Which asynchronous event or flow an entry is of. */
static uint64_t
id_key(const struct tp_chrome_event *e, bool by_name)
{
	uint64_t key =
		key_of(e->id.number, tp_hash_pair(e->category, e->scope), by_name ? FLOW : ASYNC_NEST);

	key = by_name ? tp_hash_pair(key, e->name) : key;
	return e->local ? tp_hash_pair(key, e->process.number) : key;
}

/* False: it has no time, or one too far from those of the others. */
static bool
time_of(struct walk *w, int64_t *at_ps)
{
	enum { US_A_S = 1000000 };
	const struct tp_chrome_time *at = &w->event.at;
	const int64_t longest_us = TP_TRACKS_LATEST_PS / 2 / 1000000;
	int64_t us;

	if (!at->told)
		return false;
	if (!w->has_base) {
		w->has_base = true;
		if (at->us > longest_us || at->us < -longest_us)
			w->base_us = at->us - at->us % US_A_S;
	}
	return !__builtin_sub_overflow(at->us, w->base_us, &us) &&
		!__builtin_mul_overflow(us, (int64_t)1000000, at_ps) &&
		!__builtin_add_overflow(*at_ps, at->rest_ps, at_ps);
}

/* One counter for each argument that is a number; one that is called "value" needs no name of its own. */
static void
take_counter(struct walk *w, int64_t at_ps)
{
	const struct tp_chrome_event *e = &w->event;
	const struct tp_chrome_value *values = e->values.data;
	struct tp_slice name = tp_tracks_text_of(w->tracks, e->name);
	uint64_t of = key_of(tp_hash_pair(e->process.number, e->name), e->id.number, COUNTER);
	uint32_t process = process_of(w);

	for (size_t i = 0; i < e->values.count; i++) {
		struct tp_slice key = tp_tracks_text_of(w->tracks, values[i].key);
		bool plain = tp_slice_eq(key, TP_S("value")) || tp_slice_eq(key, name);
		uint32_t counter = tp_tracks_counter(
			w->tracks, tp_hash_pair(of, values[i].key), process, name, plain ? TP_S("") : key);

		tp_tracks_point(w->tracks, counter, at_ps, values[i].value);
	}
}

static void
take_metadata(struct walk *w)
{
	const struct tp_chrome_event *e = &w->event;
	struct tp_slice named = tp_tracks_text_of(w->tracks, e->named);
	struct tp_slice name = tp_tracks_text_of(w->tracks, e->name);

	if (tp_slice_eq(name, TP_S("process_name"))) {
		if (named.len != 0)
			tp_tracks_name_process(w->tracks, process_of(w), named);
	} else if (tp_slice_eq(name, TP_S("thread_name")) && named.len != 0) {
		tp_tracks_name_track(w->tracks, thread_of(w), named);
	}
}

static bool
take_flow(struct walk *w, int64_t at_ps)
{
	const struct tp_chrome_event *e = &w->event;

	return tp_tracks_flow(w->tracks, id_key(e, true),
		e->phase == 's'       ? TP_TRACKS_FLOW_BEGIN
			: e->phase == 't' ? TP_TRACKS_FLOW_STEP
							  : TP_TRACKS_FLOW_END,
		e->phase == 'f' && !e->around ? TP_TRACKS_NEXT : TP_TRACKS_AROUND, thread_of(w), at_ps);
}

static bool
take_slice(struct walk *w, int64_t at_ps, uint32_t op)
{
	const struct tp_chrome_event *e = &w->event;

	w->no_duration += !e->has_duration;
	w->cut += e->long_duration;
	return tp_tracks_slice(w->tracks, thread_of(w), at_ps, e->duration_ps, op);
}

/* An end may do without a name. */
static bool
take_end(struct walk *w, int64_t at_ps, uint32_t op, bool async)
{
	const struct tp_chrome_event *e = &w->event;
	uint32_t track = async ? async_track_of(w) : thread_of(w);

	return tp_tracks_end(w->tracks, track, async ? id_key(e, false) : key_of(track, 0, NEST), at_ps,
		e->name != 0 && !async ? op : TP_TRACKS_ANY);
}

/* False: it cannot be used. */
static bool
take_timed(struct walk *w)
{
	const struct tp_chrome_event *e = &w->event;
	int64_t at_ps;

	if (!time_of(w, &at_ps))
		return false;
	if (e->phase == 'C') {
		take_counter(w, at_ps);
		return true;
	}
	uint32_t op = tp_tracks_op(w->tracks, e->name, e->category), track;

	switch (e->phase) {
	case 'X':
		return take_slice(w, at_ps, op);
	case 'B':
		track = thread_of(w);
		return tp_tracks_begin(w->tracks, track, key_of(track, 0, NEST), at_ps, op);
	case 'E':
		return take_end(w, at_ps, op, false);
	case 'b': /* and S, F, T, p as they were called before */
	case 'S':
		return tp_tracks_begin(w->tracks, async_track_of(w), id_key(e, false), at_ps, op);
	case 'e':
	case 'F':
		return take_end(w, at_ps, op, true);
	case 'n':
	case 'T':
	case 'p':
		return tp_tracks_instant(w->tracks, async_track_of(w), at_ps, op);
	default: /* i, I, R */
		return tp_tracks_instant(w->tracks, thread_of(w), at_ps, op);
	}
}

static void
take_entry(struct walk *w)
{
	char phase = w->event.phase;
	int64_t at_ps;

	if (phase == '\0') /* {}, which stands at the end for the sake of commas */
		return;
	w->entries++;
	if (phase == 'M')
		take_metadata(w);
	else if (memchr("stf", phase, 3) != NULL)
		w->unusable += !time_of(w, &at_ps) || !take_flow(w, at_ps);
	else if (memchr("XBEbenSTFpiIRC", phase, 14) != NULL)
		w->unusable += !take_timed(w);
	else
		w->other_phases++;
}

static void
read_entries(struct walk *w)
{
	struct tp_pull *j = &w->json;

	while (!w->torch && tp_pull_item(j)) {
		if (j->type == TP_PULL_ARRAY)
			tp_pull_skip(j);
		if (j->type != TP_PULL_OBJECT)
			continue;
		/* One that the end of the file cuts is left out. */
		w->in_entry = !tp_chrome_event_read(w->tracks, j, &w->event);
		if (w->in_entry)
			break;
		if (w->event.torch)
			w->torch = true;
		else
			take_entry(w);
	}
}

static void
read_root(struct walk *w)
{
	struct tp_pull *j = &w->json;

	if (!tp_pull_next(j))
		return;
	w->bare = j->type == TP_PULL_ARRAY;
	if (w->bare)
		read_entries(w);
	else if (j->type != TP_PULL_OBJECT)
		return;
	while (!w->bare && !w->torch && tp_pull_item(j)) {
		if (tp_torch_key(j->key))
			w->torch = true;
		else if (tp_slice_eq(j->key, TP_S("traceEvents")) && j->type == TP_PULL_ARRAY)
			read_entries(w);
		else if (j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY)
			tp_pull_skip(j);
	}
	/* The end, or what follows it. */
	if (!w->torch)
		tp_pull_next(j);
}

static void
say(const struct tp_source *in, struct tp_builder *out, uint64_t count, enum tp_diag_level level,
	const char *one, const char *many, const char *what)
{
	if (count != 0)
		tp_diag_at(&tp_builder_profile(out)->diags, level, in->path, TP_NO_OFFSET, "%llu %s%s",
			(unsigned long long)count, tp_plural(count, one, many), what);
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
	bool open = w->bare && !w->in_entry && damage == NULL && j->state == TP_PULL_TRUNCATED;

	say(in, out, open, TP_DIAG_NOTE, "list of entries is", "lists of entries are",
		" not closed, which the format allows: more may have followed");
	if (damage != NULL || (j->state != TP_PULL_END && !open)) {
		tp_built_input(out, in->input)->partial = true;
		tp_diag_at(diags, TP_DIAG_WARNING, in->path, j->offset,
			"the trace %s here%s%s: the %llu entries before it are used",
			j->state == TP_PULL_BROKEN ? "is damaged from" : "breaks off",
			j->state == TP_PULL_BROKEN ? " on, " : "", j->wrong != NULL ? j->wrong : "",
			(unsigned long long)w->entries);
	}
	tp_build_dropped(out, w->unusable);
	say(in, out, w->unusable, TP_DIAG_WARNING, "entry", "entries",
		" without a time, too far from the others, or with a negative duration: not used");
	say(in, out, w->cut, TP_DIAG_WARNING, "event", "events",
		" longer than 53 days: shown as that long");
	say(in, out, w->no_duration, TP_DIAG_NOTE, "event", "events",
		" without a duration: treated as 0");
	say(in, out, w->other_phases, TP_DIAG_NOTE, "entry of another kind", "entries of other kinds",
		" (samples, objects, memory dumps): not used");
	say(in, out, j->non_finite_values + j->repairs, TP_DIAG_NOTE, "value or string is",
		"values and strings are", " not valid JSON: read as far as possible");
}

static enum tp_status
finish(struct walk *w, const struct tp_source *in, struct tp_builder *out,
	const struct tp_err *damage, struct tp_err *err)
{
	if (tp_tracks_count(w->tracks) == 0) {
		if (damage != NULL) {
			*err = *damage;
			return err->status;
		}
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, w->json.offset, "not a trace: %s",
			w->json.state == TP_PULL_BROKEN ? w->json.wrong
				: in->bytes.len == 0        ? "the file is empty"
											: "it holds no events");
	}
	tp_tracks_build(w->tracks, in, w->base_us * 1000, out);
	tell(w, in, out, damage);
	return TP_OK;
}

enum tp_status
tp_chrome_trace_read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_stream *stream = tp_stream_open(in->bytes, in->blob, in->path, err);

	if (stream == NULL)
		return err->status;
	struct walk w = {.tracks = tp_tracks_new(), .track = TP_NONE};

	tp_pull_open(&w.json, (struct tp_slice){NULL, 0}, tp_stream_more, stream);
	read_root(&w);
	bool torch = w.torch;
	enum tp_status status = torch ? TP_OK : finish(&w, in, out, tp_stream_damage(stream), err);

	tp_pull_close(&w.json);
	tp_buf_free(&w.event.values);
	tp_tracks_free(w.tracks);
	tp_stream_close(stream);
	/* Nothing of it was taken yet. */
	const struct tp_reader *reader = torch ? &tp_reader_torch : &tp_reader_chrome_trace;

	tp_built_input(out, in->input)->reader = tp_slice_of(reader->name);
	return torch ? tp_reader_torch.read(in, out, err) : status;
}

/* By how it begins: an object with the member traceEvents, or an array of objects with phases; and no process is named as in traces of
 * XLA and TensorFlow, which name theirs first. */
static int
probe(const char *name, struct tp_slice head)
{
	(void)name;
	head.len = head.len < TP_PEEK_BYTES ? head.len : TP_PEEK_BYTES;
	if (!tp_is_json(head) ||
		tp_texts_any(head, tp_slice_has, TP_TEXTS("/host:", "/device:", "Task Environment")))
		return 0;
	if (tp_slice_has(head, TP_S("\"traceEvents\"")))
		return 55;
	return tp_slice_has(head, TP_S("\"ph\"")) && tp_slice_has(head, TP_S("\"ts\"")) ? 50 : 0;
}

const struct tp_reader tp_reader_chrome_trace = {
	.name = "chrome_trace",
	.summary =
		"Chrome traces of any other program, such as VizTracer's: timeline, names by time, counters",
	.suffixes = TP_TEXTS(".trace.json", ".json"),
	.probe = probe,
	.form = TP_BLOB_STORED,
	.read = tp_chrome_trace_read,
};
