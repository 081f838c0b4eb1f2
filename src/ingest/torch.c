/* The reader of PyTorch traces: *.pt.trace.json, also packed, as torch.profiler and kineto write them; and bare arrays of
 * events as torch 1.8 wrote. The text is never in memory as a whole: it is walked once, and what is kept are columns. */
#include "base/arena.h"
#include "base/number.h"
#include "base/path.h"
#include "base/texts.h"
#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "ingest/reader.h"
#include "ingest/torch_join.h"
#include "ingest/torch_meta.h"
#include "ingest/torch_place.h"
#include "ingest/torch_slice.h"
#include "ingest/torch_text.h"
#include "io/stream.h"
#include "model/build.h"

struct reading {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_profile *profile;
	struct tp_torch_text *text;
	const struct tp_pull *json; /* of the slice that came to the text's end */
	struct tp_torch_whole whole;
};

static void
say_count(struct reading *r, uint64_t count, enum tp_diag_level level, const char *what)
{
	if (count != 0)
		tp_diag_at(&r->profile->diags, level, r->in->path, TP_NO_OFFSET, "%llu %s%s",
			(unsigned long long)count, count == 1 ? "event " : "events ", what);
}

static void
say_end(struct reading *r)
{
	const struct tp_err *damage = tp_stream_damage(r->text->last->stream);

	if (r->json->state == TP_PULL_END && damage == NULL)
		return;
	tp_built_input(r->out, r->in->input)->partial = true;
	if (damage != NULL)
		tp_diag_err(&r->profile->diags, TP_DIAG_WARNING, damage);
	if (r->json->state == TP_PULL_TRUNCATED)
		tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path, r->json->offset,
			"the text ends inside a value: the %u events before it are used", r->whole.event_count);
	else if (r->json->state == TP_PULL_BROKEN)
		tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path, r->json->offset,
			"invalid JSON from here on (%s): the %u events before it are used", r->json->wrong,
			r->whole.event_count);
}

static void
say_odd(struct reading *r)
{
	const struct tp_torch_columns *c = &r->whole.all;

	say_count(r, c->no_time, TP_DIAG_WARNING, "without a numeric time: not used");
	say_count(r, c->negative, TP_DIAG_WARNING, "with a negative duration: not used");
	say_count(r, c->too_far, TP_DIAG_WARNING,
		"more than 100 days from the others, or that long: not used");
	say_count(r, c->no_duration, TP_DIAG_NOTE, "without a duration: treated as 0");
	say_count(r, r->text->other, TP_DIAG_WARNING, "that are not JSON objects: not used");
	tp_build_dropped(r->out, c->no_time + c->negative + c->too_far + r->text->other);
	if (r->text->repairs != 0)
		tp_diag_at(&r->profile->diags, TP_DIAG_NOTE, r->in->path, TP_NO_OFFSET,
			"%llu %s not allow: read as far as possible", (unsigned long long)r->text->repairs,
			tp_plural(r->text->repairs, "byte or escape that JSON does",
				"bytes or escapes that JSON does"));
}

static void
add_facts(struct reading *r, const struct tp_torch_trace *t)
{
	const struct tp_torch_meta_fact *facts = r->text->meta.facts.data;
	struct tp_arena *a = r->profile->arena;
	const struct tp_torch_distributed *d = &t->distributed;

	for (size_t i = 0; i < r->text->meta.facts.count; i++)
		tp_build_fact(r->out, t->host, facts[i].key, facts[i].value, TP_S("PyTorch trace"));
	if (d->backend.len != 0)
		tp_build_fact(
			r->out, t->host, TP_S("distributed backend"), d->backend, TP_S("distributedInfo"));
	if (d->nccl_version.len != 0)
		tp_build_fact(
			r->out, t->host, TP_S("nccl_version"), d->nccl_version, TP_S("distributedInfo"));
	if (d->recorded && d->rank >= 0)
		tp_build_fact(r->out, t->host, TP_S("rank"), tp_arena_printf(a, "%lld", (long long)d->rank),
			TP_S("distributedInfo"));
	if (d->recorded && d->world_size >= 0)
		tp_build_fact(r->out, t->host, TP_S("world_size"),
			tp_arena_printf(a, "%lld", (long long)d->world_size), TP_S("distributedInfo"));
}

/* The capture of the host is that of all its spans. */
static void
set_capture(struct tp_host *host, const struct tp_torch_trace *t)
{
	int64_t start = host->base_ns + t->window_start_ps / 1000;
	int64_t end = host->base_ns + t->window_end_ps / 1000;

	if (!t->has_window || host->base_ns <= 0)
		return;
	if (host->start_unix_ns == 0 || start < host->start_unix_ns)
		host->start_unix_ns = start;
	if (end > host->stop_unix_ns)
		host->stop_unix_ns = end;
}

static void
name_trace(struct reading *r, struct tp_torch_trace *t)
{
	struct tp_slice path = tp_arena_copy(r->profile->arena, tp_slice_of(r->in->path));

	tp_torch_split_name(path, &t->worker, &t->span);
	tp_torch_split_worker(t->worker, &t->node, &t->process);
	t->run = tp_path_folder(path);
	t->input = r->in->input;
	t->span_number = r->in->span_number;
	t->asked = r->text->meta.asked;
	t->framework = r->text->meta.framework;
	t->distributed = r->text->meta.distributed;
	t->non_finite_numbers = r->text->non_finite_values;
}

/* Whole nanoseconds since 1970, or as near as 64 bits allow. */
static int64_t
unix_ns(int64_t zero_ns, int64_t ns)
{
	int64_t sum;

	if (__builtin_add_overflow(zero_ns, ns, &sum))
		return ns < 0 ? INT64_MIN : INT64_MAX;
	return sum;
}

static void
build(struct reading *r, int64_t middle_ns)
{
	struct tp_torch_trace *t = tp_new(r->profile->arena, struct tp_torch_trace);
	int64_t base = r->text->meta.base_ns, begin_ns = tp_torch_begin(&r->whole, middle_ns);

	name_trace(r, t);
	if (unix_ns(base, middle_ns) - base != middle_ns || unix_ns(base, begin_ns) - base != begin_ns)
		base = 0;
	uint32_t hosts = tp_built_host_count(r->out);

	t->host = tp_torch_host(r->out, t, unix_ns(base, middle_ns), unix_ns(base, begin_ns));
	tp_torch_settle(&r->whole, tp_built_host(r->out, t->host)->base_ns - base, t);
	const struct tp_torch_trace *same = tp_torch_copy_of(r->out, t);

	if (same != NULL) {
		tp_diag_at(&r->profile->diags, TP_DIAG_NOTE, r->in->path, TP_NO_OFFSET,
			"has the same events as %.*s: a copy, not counted twice",
			TP_ARG(tp_path_name(tp_built_input(r->out, same->input)->path)));
		if (tp_built_host_count(r->out) > hosts)
			tp_unbuild_host(r->out);
		return;
	}
	tp_build_torch_trace(r->out, t);
	tp_torch_place(r->out, t, &r->text->meta);
	set_capture(tp_built_host(r->out, t->host), t);
	add_facts(r, t);
}

static enum tp_status
fail_empty(const struct reading *r, struct tp_err *err)
{
	const struct tp_err *damage = tp_stream_damage(r->text->last->stream);

	if (damage != NULL) {
		*err = *damage;
		return err->status;
	}
	if (r->json->state != TP_PULL_END)
		return tp_fail_at(err, TP_ERR_FORMAT, r->in->path, r->json->offset,
			r->json->state == TP_PULL_BROKEN ? "not JSON (%s), and no events before"
											 : "the text ends%s before the first event",
			r->json->state == TP_PULL_BROKEN ? r->json->wrong : "");
	if (!r->text->found)
		return tp_fail_at(err, TP_ERR_FORMAT, r->in->path, TP_NO_OFFSET,
			"not a trace: it has no array traceEvents");
	return tp_fail_at(
		err, TP_ABSENT, r->in->path, TP_NO_OFFSET, "the trace has no events: nothing to report");
}

static void *
take(const struct tp_source *in, struct tp_err *err)
{
	return tp_torch_text_read(in, err);
}

static void
drop(void *taken)
{
	tp_torch_text_close(taken);
}

static enum tp_status
put(void *taken, bool last, const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_torch_text *text = taken;
	struct reading r = {
		.in = in,
		.out = out,
		.profile = tp_builder_profile(out),
		.text = text,
		.json = &text->last->json,
	};
	enum tp_status status = TP_OK;
	int64_t middle_ns;

	tp_diags_join(&r.profile->diags, &text->diags);
	tp_torch_join(&r.whole, text->slices, text->slice_count, last, out, in->pool);
	if (tp_torch_middle(&r.whole, &middle_ns)) {
		say_end(&r);
		build(&r, middle_ns);
		say_odd(&r);
	} else {
		status = fail_empty(&r, err);
	}
	tp_torch_whole_close(&r.whole);
	if (last)
		drop(text);
	return status;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	void *taken = take(in, err);

	return taken != NULL ? put(taken, true, in, out, err) : err->status;
}

static struct tp_slice
worker_of(struct tp_slice name)
{
	struct tp_slice worker, span;

	tp_torch_split_name(name, &worker, &span);
	return worker;
}

/* Times since 1970 lie beyond September 2001; those of torch 2.2 and later, counted from a base, far below. */
static const int64_t EARLIEST_UNIX_NS = INT64_C(1000000000000000000);

struct beginning {
	struct tp_pull json;
	int64_t base_ns, first_ns; /* 0, INT64_MAX: not found */
};

/* At the event's begin. */
static bool
look_at_event(struct beginning *r)
{
	struct tp_pull *j = &r->json;
	bool lasts = false, timed = false;
	int64_t ns = 0;

	if (j->type != TP_PULL_OBJECT)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		if (tp_pull_key_is(j, "ph"))
			lasts = tp_slice_eq(j->text, TP_S("X"));
		else if (tp_pull_key_is(j, "ts"))
			timed = j->type == TP_PULL_NUMBER && tp_decimal_scaled(j->text, 3, &ns);
		if (!tp_pull_skip(j))
			return false;
	}
	if (lasts && timed && ns < r->first_ns)
		r->first_ns = ns;
	return j->state == TP_PULL_MORE;
}

static bool
look_at_events(struct beginning *r)
{
	while (tp_pull_item(&r->json)) {
		if (!look_at_event(r))
			return false;
	}
	return r->json.state == TP_PULL_MORE;
}

static void
look_at_members(struct beginning *r)
{
	struct tp_pull *j = &r->json;
	bool goes_on = true;

	while (goes_on && tp_pull_item(j)) {
		if (j->type == TP_PULL_ARRAY && tp_pull_key_is(j, "traceEvents")) {
			goes_on = look_at_events(r);
			continue;
		}
		if (tp_pull_key_is(j, "baseTimeNanoseconds") && !tp_decimal_integer(j->text, &r->base_ns))
			r->base_ns = 0;
		goes_on = tp_pull_skip(j);
	}
}

/* The earliest event with a duration among those in head (unpacked; may break off anywhere): baseTimeNanoseconds + ts from torch 2.2
 * on, ts alone before. By the keys alone, for runs are put in order before any is read as a whole. */
static int64_t
began_unix_ns(struct tp_slice head)
{
	struct beginning r = {.first_ns = INT64_MAX};
	int64_t began = 0;

	tp_pull_open(&r.json, head, NULL, NULL);
	if (tp_pull_next(&r.json)) {
		if (r.json.type == TP_PULL_OBJECT)
			look_at_members(&r);
		else if (r.json.type == TP_PULL_ARRAY)
			look_at_events(&r);
	}
	tp_pull_close(&r.json);
	if (r.first_ns == INT64_MAX || __builtin_add_overflow(r.base_ns, r.first_ns, &began) ||
		began < EARLIEST_UNIX_NS)
		return 0;
	return began;
}

static bool
first_is(struct tp_slice head, char c)
{
	for (size_t i = 0; i < head.len; i++) {
		if ((unsigned char)head.ptr[i] > ' ')
			return head.ptr[i] == c;
	}
	return false;
}

/* What stands further behind is not looked for. */
enum { MOST = 64 << 10 };

/* By its name, or by words in quotes that other traces in the same JSON, of XLA or of browsers, do not hold. */
static int
probe(const char *name, struct tp_slice head)
{
	if (tp_texts_any(tp_slice_of(name), tp_slice_ends,
			TP_TEXTS(".pt.trace.json", ".pt.trace.json.gz", ".pt.trace.json.zst")))
		return 95;
	head.len = head.len < MOST ? head.len : MOST;
	if (!first_is(head, '{') && !first_is(head, '['))
		return 0;
	/* VizTracer says when its times begin by the same word, and what tpreport wrote may have any names. */
	if (tp_texts_any(
			head, tp_slice_has, TP_TEXTS("\"viztracer_metadata\"", "\"written_by\": \"tpreport\"")))
		return 0;
	if (!tp_texts_any(head, tp_slice_has,
			TP_TEXTS("\"deviceProperties\"", "\"computeProperties\"", "\"distributedInfo\"",
				"\"baseTimeNanoseconds\"", "\"cpu_op\"", "\"Operator\"", "\"python_function\"",
				"\"user_annotation\"", "\"cuda_runtime\"", "\"gpu_memcpy\"", "\"Runtime\"",
				"\"Kernel\"", "\"kernel\"", "\"PyTorch Profiler")))
		return 0;
	if (tp_slice_has(head, TP_S("\"traceEvents\"")) ||
		tp_slice_has(head, TP_S("\"schemaVersion\"")))
		return 93;
	return first_is(head, '[') && tp_slice_has(head, TP_S("\"ph\"")) ? 70 : 0;
}

const struct tp_reader tp_reader_torch = {
	.name = "pytorch",
	.summary =
		"PyTorch profiler traces: *.pt.trace.json of torch.profiler, on NVIDIA, AMD, MTIA and CPU",
	.suffixes = TP_TEXTS(".pt.trace.json"),
	.probe = probe,
	.form = TP_BLOB_STORED,
	.host_of_name = worker_of,
	.began_unix_ns = began_unix_ns,
	.read = read,
	.take = take,
	.put = put,
	.drop = drop,
};
