/* The reader of device memory profiles: *memory*.prof as jax.profiler.save_device_memory_profile writes them. The format is
 * profile.proto of pprof (https://github.com/google/pprof/blob/main/proto/profile.proto); of its many kinds those that count
 * bytes are read. Texts are in a table at the end, so the file is walked twice: first for tables, then for samples. */
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"
#include "model/live.h"
#include "pprof.pb-c.h"

#include <limits.h>
#include <stdlib.h>

/* Files of this kind have kilobytes; what is read takes a few times their size. */
#define LARGEST_BYTES ((size_t)1 << 28)

/* Fields of the messages that are walked. */
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_TEXT = 6,
	PROFILE_LAST = 14
};
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3, LOCATION_LINE = 4 };

struct function {
	uint32_t name, file; /* ids in the profile's strings */
};

struct reading {
	const struct tp_source *in;
	struct tp_builder *out;
	struct tp_profile *profile;
	struct tp_arena *scratch;
	struct tp_buf texts;                 /* struct tp_slice */
	uint32_t *string_of;                 /* by index of a text: id + 1; 0: not asked for yet */
	struct tp_buf types;                 /* struct tp_slice: the messages */
	struct tp_buf functions;             /* struct function */
	struct tp_map function_at, place_at; /* by id */
	struct tp_buf samples, frames, places, lines; /* of struct tp_live */
	size_t count_type, bytes_type;                /* index of the values; SIZE_MAX: there is none */
	uint32_t left_out;
};

static struct tp_slice
text_at(const struct reading *r, uint64_t index)
{
	return index < r->texts.count ? ((struct tp_slice *)r->texts.data)[index]
								  : (struct tp_slice){NULL, 0};
}

/* The id of a text in the profile's strings, looked up once: a long one may be named by everything. */
static uint32_t
string_at(const struct reading *r, uint64_t index)
{
	if (index >= r->texts.count) {
		tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path, TP_NO_OFFSET,
			"a string is missing from the file: left empty");
		return 0;
	}
	if (r->string_of[index] == 0)
		r->string_of[index] = tp_intern(&r->profile->strings, text_at(r, index)) + 1;
	return r->string_of[index] - 1;
}

/* Texts, and where the messages are that are looked at next. */
static struct tp_pb
read_tables(struct reading *r)
{
	struct tp_pb p = tp_pb_open(r->in->bytes);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES || (p.field != PROFILE_TYPE && p.field != PROFILE_TEXT))
			continue;
		*tp_buf_new(p.field == PROFILE_TEXT ? &r->texts : &r->types, struct tp_slice) = p.bytes;
	}
	return p;
}

static void
choose_types(struct reading *r)
{
	const struct tp_slice *types = r->types.data;

	r->count_type = r->bytes_type = SIZE_MAX;
	for (size_t i = 0; i < r->types.count; i++) {
		Tp__PprofValueType type = TP__PPROF_VALUE_TYPE__INIT;

		tp_pb_message(&type.base, types[i]);
		struct tp_slice unit = text_at(r, type.unit);

		/* Profiles of heaps state what was ever allocated first, then what is in use: the last of a unit counts. */
		if (tp_slice_eq(unit, TP_S("bytes")))
			r->bytes_type = i;
		else if (tp_slice_eq(unit, TP_S("count")))
			r->count_type = i;
	}
}

static void
read_function(struct reading *r, struct tp_slice bytes)
{
	Tp__PprofFunction m = TP__PPROF_FUNCTION__INIT;

	tp_pb_message(&m.base, bytes);
	tp_map_put(&r->function_at, m.id, (uint32_t)r->functions.count);
	TP_PUSH(&r->functions, struct function, .name = m.has_name ? string_at(r, m.name) : 0,
		.file = m.has_filename ? string_at(r, m.filename) : 0);
}

static void
read_line(struct reading *r, struct tp_slice bytes)
{
	struct tp_live_line *line = tp_buf_add(&r->lines, sizeof *line);
	Tp__PprofLine m = TP__PPROF_LINE__INIT;

	tp_pb_message(&m.base, bytes);
	uint32_t at = m.has_function_id ? tp_map_get(&r->function_at, m.function_id) : TP_MAP_NONE;

	line->number = m.line >= 0 && m.line <= INT_MAX ? m.line : 0;
	if (at != TP_MAP_NONE) {
		line->function = ((struct function *)r->functions.data)[at].name;
		line->file = ((struct function *)r->functions.data)[at].file;
	} else {
		tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path, TP_NO_OFFSET,
			"a function is missing from the file: the frame has no name");
	}
}

static void
read_place(struct reading *r, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_live_place place = {.first = (uint32_t)r->lines.count};
	Tp__PprofLocation m = TP__PPROF_LOCATION__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		if (p.field == LOCATION_LINE && p.type == TP_PB_BYTES)
			read_line(r, p.bytes);
	}
	place.count = (uint32_t)r->lines.count - place.first;
	tp_map_put(&r->place_at, m.id, (uint32_t)r->places.count);
	*tp_buf_new(&r->places, struct tp_live_place) = place;
}

static void
read_label(struct reading *r, struct tp_slice bytes, struct tp_live_sample *s)
{
	Tp__PprofLabel m = TP__PPROF_LABEL__INIT;

	tp_pb_message(&m.base, bytes);
	if (tp_slice_eq(text_at(r, m.key), TP_S("kind")))
		s->kind = string_at(r, m.text);
	else if (tp_slice_eq(text_at(r, m.key), TP_S("device")))
		s->device = string_at(r, m.text);
}

static bool
take_frames(struct reading *r, const struct tp_pb *field)
{
	struct tp_pb_list ids = tp_pb_list_of(field);
	uint64_t id;

	while (tp_pb_list_next(&ids, &id)) {
		uint32_t place = tp_map_get(&r->place_at, id);

		if (place != TP_MAP_NONE)
			*tp_buf_new(&r->frames, uint32_t) = place;
		else
			tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path, TP_NO_OFFSET,
				"a location in a stack is missing from the file: the frame is left out");
	}
	return ids.packed.state == TP_PB_MORE;
}

struct values {
	const struct reading *r;
	size_t seen;
	int64_t count, bytes;
};

static bool
take_values(struct values *v, const struct tp_pb *field)
{
	struct tp_pb_list numbers = tp_pb_list_of(field);
	uint64_t number;

	for (; tp_pb_list_next(&numbers, &number); v->seen++) {
		if (v->seen == v->r->count_type)
			v->count = (int64_t)number;
		if (v->seen == v->r->bytes_type)
			v->bytes = (int64_t)number;
	}
	return numbers.packed.state == TP_PB_MORE;
}

/* Beyond any memory: such sums still fit. */
static bool
meant(const struct values *v)
{
	const int64_t most = (int64_t)1 << 60;

	return v->seen > v->r->bytes_type && v->bytes >= 0 && v->bytes <= most && v->count >= 0 &&
		v->count <= most;
}

static void
read_sample(struct reading *r, struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	struct tp_live_sample s = {.first = (uint32_t)r->frames.count};
	struct values v = {.r = r};
	bool sound = true;

	while (tp_pb_next(&p)) {
		if (p.field == SAMPLE_LOCATION)
			sound &= take_frames(r, &p);
		else if (p.field == SAMPLE_VALUE)
			sound &= take_values(&v, &p);
		else if (p.field == SAMPLE_LABEL && p.type == TP_PB_BYTES)
			read_label(r, p.bytes, &s);
	}
	if (!sound || p.state != TP_PB_END || !meant(&v)) {
		r->frames.count = s.first;
		r->left_out++;
		tp_diag_at(&r->profile->diags, TP_DIAG_WARNING, r->in->path,
			(uint64_t)(bytes.ptr - r->in->bytes.ptr),
			"a sample is damaged or has impossible counts: left out");
		return;
	}
	s.depth = (uint32_t)r->frames.count - s.first;
	s.count = (uint64_t)v.count;
	s.bytes = (uint64_t)v.bytes;
	*tp_buf_new(&r->samples, struct tp_live_sample) = s;
}

/* Messages of one field, in the order of the file. */
static void
each_message(struct reading *r, uint32_t field, void (*take)(struct reading *, struct tp_slice))
{
	for (struct tp_pb p = tp_pb_open(r->in->bytes); tp_pb_next_bytes(&p, field);)
		take(r, p.bytes);
}

static void
keep(struct reading *r)
{
	struct tp_live *live = tp_build_next(r->out, live);
	struct tp_arena *a = r->profile->arena;

	live->input = r->in->input;
	live->left_out = r->left_out;
	live->sample_count = (uint32_t)r->samples.count;
	live->samples = tp_buf_settle(&r->samples, sizeof *live->samples, a);
	live->frame_count = (uint32_t)r->frames.count;
	live->frames = tp_buf_settle(&r->frames, sizeof *live->frames, a);
	live->place_count = (uint32_t)r->places.count;
	live->places = tp_buf_settle(&r->places, sizeof *live->places, a);
	live->line_count = (uint32_t)r->lines.count;
	live->lines = tp_buf_settle(&r->lines, sizeof *live->lines, a);
}

static enum tp_status
read_all(struct reading *r, struct tp_err *err)
{
	struct tp_pb end = read_tables(r);

	if (r->texts.count == 0 || ((struct tp_slice *)r->texts.data)[0].len != 0)
		return tp_fail_at(err, TP_ERR_FORMAT, r->in->path,
			(uint64_t)((const char *)end.at - r->in->bytes.ptr),
			"not a device memory profile, or cut off before its strings, which come last");
	r->string_of = tp_new_array(r->scratch, uint32_t, r->texts.count);
	choose_types(r);
	if (r->bytes_type == SIZE_MAX)
		return tp_fail_at(err, TP_ERR_UNSUPPORTED, r->in->path, TP_NO_OFFSET,
			"a pprof profile without bytes: only memory profiles are supported");
	each_message(r, PROFILE_FUNCTION, read_function);
	each_message(r, PROFILE_LOCATION, read_place);
	each_message(r, PROFILE_SAMPLE, read_sample);
	tp_tool_host(r->in, r->out);
	keep(r);
	tp_tool_end(r->in, r->out, &end);
	return TP_OK;
}

static enum tp_status
read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct reading r = {
		.in = in,
		.out = out,
		.profile = tp_builder_profile(out),
		.scratch = tp_arena_new(),
	};
	enum tp_status status;

	tp_map_init(&r.function_at, r.scratch);
	tp_map_init(&r.place_at, r.scratch);
	status = in->bytes.len <= LARGEST_BYTES
		? read_all(&r, err)
		: tp_fail_at(err, TP_ERR_LIMIT, in->path, TP_NO_OFFSET,
			  "%zu bytes exceed the limit of %zu MiB for a memory profile", in->bytes.len,
			  LARGEST_BYTES >> 20);
	tp_buf_free(&r.texts);
	tp_buf_free(&r.types);
	tp_buf_free(&r.functions);
	tp_buf_free(&r.samples);
	tp_buf_free(&r.frames);
	tp_buf_free(&r.places);
	tp_buf_free(&r.lines);
	tp_arena_free(r.scratch);
	return status;
}

/* No other format here begins so: nothing but messages of a pprof profile, and a table of texts whose first is empty. */
static bool
looks_like_one(struct tp_slice bytes)
{
	struct tp_pb p = tp_pb_open(bytes);
	bool typed = false;

	while (tp_pb_next(&p)) {
		if (p.field > PROFILE_LAST)
			return false;
		if (p.field == PROFILE_TYPE)
			typed = p.type == TP_PB_BYTES;
		if (p.field == PROFILE_TEXT)
			return typed && p.type == TP_PB_BYTES && p.bytes.len == 0;
	}
	return false;
}

static const char *const suffixes[] = {"memory.prof", NULL};

/* A file that Python's own profiler wrote is called *.prof as well. */
static int
probe(const char *name, struct tp_slice head)
{
	static const char *const any[] = {".prof", NULL};
	const char *slash = strrchr(name, '/');

	if (head.len != 0 && looks_like_one(head))
		return 95;
	return strstr(slash ? slash : name, "memory") != NULL ? tp_probe_suffixes(name, any) : 0;
}

const struct tp_reader tp_reader_pprof = {
	.name = "pprof",
	.most_bytes = LARGEST_BYTES,
	.summary = "live buffers by call stack: memory.prof of jax.profiler.save_device_memory_profile",
	.suffixes = suffixes,
	.probe = probe,
	.kind = TP_READS_OF_JOB,
	.read = read,
};
