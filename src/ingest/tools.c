/* What the readers of tool files share. */
#include "ingest/tools.h"

#include "base/arena.h"
#include "base/path.h"
#include "base/utf8.h"
#include "ingest/reader.h"
#include "model/build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Parsed JSON takes many times its size in memory. */
enum { LARGEST_JSON = TP_TOOL_MOST_BYTES / 2, LONGEST_TEXT = 2048, LONGEST_EXPRESSION = 64 << 10 };

static struct tp_slice
text_of(struct tp_arena *a, struct tp_slice text, size_t longest)
{
	if (text.len > longest)
		text.len = tp_utf8_fit(text, longest);
	return text.len != 0 ? tp_utf8_clean(a, tp_arena_copy(a, text)) : TP_S("");
}

struct tp_slice
tp_tool_text(struct tp_arena *a, struct tp_slice text)
{
	return text_of(a, text, LONGEST_TEXT);
}

struct tp_slice
tp_tool_long_text(struct tp_arena *a, struct tp_slice text)
{
	return text_of(a, text, LONGEST_EXPRESSION);
}

static struct tp_slice
host_name(const struct tp_source *in)
{
	struct tp_slice name = in->host;

	while (tp_slice_ends(name, TP_S(".")))
		name.len--;
	return name;
}

uint32_t
tp_tool_host(const struct tp_source *in, struct tp_builder *out)
{
	struct tp_slice name = host_name(in);
	struct tp_host *host;

	for (uint32_t i = 0; i < tp_built_host_count(out); i++) {
		const struct tp_host *h = tp_built_host(out, i);

		if (!tp_built_input(out, h->input)->precomputed)
			return TP_NONE;
		if (tp_slice_eq(h->name, name))
			return i;
	}
	uint32_t index = tp_build_host(out, &host);

	host->input = in->input;
	host->name = name;
	return index;
}

struct tp_precomputed_op
tp_tool_no_op(void)
{
	return (struct tp_precomputed_op){
		.share = NAN,
		.flop_per_s = NAN,
		.total_us = NAN,
		.self_us = NAN,
		.bytes_per_s = NAN,
		.flop_per_byte = NAN,
		.flops = NAN,
		.bytes = NAN,
		.flops_use = NAN,
		.hbm_use = NAN,
	};
}

bool
tp_tool_number(const struct tp_pb *p, double *out)
{
	if (p->type != TP_PB_FIXED64)
		return false;
	*out = tp_pb_double(p);
	return isfinite(*out) && *out >= 0;
}

void
tp_tool_doubles(ProtobufCMessage *m, double absent)
{
	for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &m->descriptor->fields[i];
		protobuf_c_boolean *has = (protobuf_c_boolean *)((char *)m + f->quantifier_offset);
		double *number = (double *)((char *)m + f->offset);

		if (f->type != PROTOBUF_C_TYPE_DOUBLE || (*has && isfinite(*number) && *number >= 0))
			continue;
		*has = false;
		*number = absent;
	}
}

void
tp_tool_message(ProtobufCMessage *m, struct tp_slice bytes, double absent)
{
	tp_pb_message(m, bytes);
	tp_tool_doubles(m, absent);
}

bool
tp_tool_is_step(const struct tp_precomputed_step *step)
{
	double parts_ms = 0;

	for (int k = 0; k < TP_PRECOMPUTED_PART_COUNT; k++)
		parts_ms += step->part_ms[k];
	return step->time_ms > 0 && step->time_ms < TP_TOOL_LONGEST_MS && parts_ms < TP_TOOL_LONGEST_MS;
}

/* Parsed; NULL with err filled when it is damaged, or too large to be held. */
static json_t *
parse(const struct tp_source *in, struct tp_err *err)
{
	json_error_t error;

	if (in->bytes.len > LARGEST_JSON) {
		tp_fail_at(err, TP_ERR_LIMIT, in->path, TP_NO_OFFSET,
			"%zu bytes of JSON exceed the limit of %d MiB", in->bytes.len, LARGEST_JSON >> 20);
		return NULL;
	}
	json_t *root = json_loadb(in->bytes.ptr, in->bytes.len, JSON_ALLOW_NUL, &error);

	if (root == NULL)
		tp_fail_at(err, TP_ERR_FORMAT, in->path,
			error.position >= 0 ? (uint64_t)error.position : TP_NO_OFFSET,
			"the JSON is damaged or cut off: %s", error.text);
	return root;
}

double
tp_json_figure(const json_t *value)
{
	char *end;

	if (json_is_number(value))
		return json_number_value(value);
	if (!json_is_string(value) || json_string_length(value) == 0)
		return NAN;
	double number = strtod(json_string_value(value), &end);

	return end != json_string_value(value) && isfinite(number) ? number : NAN;
}

struct tp_slice
tp_json_text(struct tp_arena *a, const json_t *value)
{
	if (json_is_string(value))
		return tp_tool_text(
			a, (struct tp_slice){json_string_value(value), json_string_length(value)});
	if (json_is_number(value))
		return tp_arena_printf(a, "%.15g", json_number_value(value));
	return TP_S("");
}

struct tp_gviz
tp_gviz_of(const json_t *table)
{
	return (struct tp_gviz){
		.columns = json_object_get(table, "cols"),
		.rows = json_object_get(table, "rows"),
		.properties = json_object_get(table, "p"),
	};
}

static size_t
column_of(const struct tp_gviz *t, const char *name)
{
	for (size_t i = 0; i < json_array_size(t->columns); i++) {
		const char *id = json_string_value(json_object_get(json_array_get(t->columns, i), "id"));

		if (id != NULL && strcmp(id, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

bool
tp_gviz_has(const struct tp_gviz *t, const char *column)
{
	return column_of(t, column) != SIZE_MAX;
}

size_t
tp_gviz_rows(const struct tp_gviz *t)
{
	size_t rows = json_array_size(t->rows);

	return rows < TP_TOOL_MOST_ROWS ? rows : TP_TOOL_MOST_ROWS;
}

const json_t *
tp_gviz_cell(const struct tp_gviz *t, size_t row, const char *column)
{
	const json_t *cells = json_object_get(json_array_get(t->rows, row), "c");
	size_t at = column_of(t, column);

	return at != SIZE_MAX ? json_object_get(json_array_get(cells, at), "v") : NULL;
}

void
tp_tool_end(const struct tp_source *in, struct tp_builder *out, const struct tp_pb *p)
{
	if (p->state == TP_PB_END)
		return;
	tp_built_input(out, in->input)->partial = true;
	tp_diag_at(&tp_builder_profile(out)->diags, TP_DIAG_WARNING, in->path,
		(uint64_t)((const char *)p->at - in->bytes.ptr),
		"the file %s here; everything before was read",
		p->state == TP_PB_TRUNCATED ? "breaks off" : "is damaged from");
}

static double
mean_ms(const struct tp_precomputed_step *steps, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += steps[i].time_ms;
	return sum / (double)count;
}

/* Two tools' means of the same steps differ by rounding alone. */
#define SAME_MEAN_SHARE 0.02

void
tp_tool_take_steps(
	struct tp_tool_file *f, const struct tp_precomputed_step *steps, size_t count, unsigned parts)
{
	struct tp_precomputed *g = f->precomputed;
	bool first = g->step_count == 0;
	bool taken = first || __builtin_popcount(parts) > __builtin_popcount(g->parts);
	double mean = mean_ms(steps, count), other = first ? mean : mean_ms(g->steps, g->step_count);

	if (fabs(mean - other) > SAME_MEAN_SHARE * fmax(mean, other))
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_WARNING, f->in->path, TP_NO_OFFSET,
			"its steps take %.3g ms on average, those of %.*s %.3g ms: they are of different captures, "
			"and the steps of this report are those of %.*s",
			mean, TP_ARG(g->steps_from), other, TP_ARG(taken ? f->name : g->steps_from));
	if (!taken)
		return;
	g->steps = steps;
	g->step_count = count;
	g->parts = parts;
	g->steps_from = f->name;
}

void
tp_tool_fact(struct tp_tool_file *f, const char *key, struct tp_slice value)
{
	uint32_t host = value.len != 0 ? tp_tool_host(f->in, f->out) : TP_NONE;

	if (host != TP_NONE)
		tp_build_fact(f->out, host, tp_slice_of(key), value, f->name);
}

/* The same tool's file of the same host, as JSON and as a message: what one gives the other gives again. */
static bool
is_given(const struct tp_tool_file *f, struct tp_slice reader)
{
	for (const struct tp_precomputed_file *g = f->precomputed->files; g != NULL; g = g->next) {
		if (g->partial || !tp_slice_eq(g->reader, reader))
			continue;
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
			"%.*s of the same host and tool was already read: this one is not used",
			TP_ARG(g->name));
		return true;
	}
	return false;
}

static void
note_file(struct tp_tool_file *f, const struct tp_input *input)
{
	struct tp_precomputed_file *file = tp_new(f->arena, struct tp_precomputed_file);

	*file = (struct tp_precomputed_file){.name = f->name,
		.reader = input->reader,
		.partial = input->partial,
		.next = f->precomputed->files};
	f->precomputed->files = file;
}

static enum tp_status
read_file(struct tp_tool_file *f, const struct tp_tool *tool, struct tp_err *err)
{
	const struct tp_source *in = f->in;

	if (tp_is_json(in->bytes) && tool->json != NULL) {
		json_t *root = parse(in, err);

		if (root == NULL)
			return err->status;
		tool->json(f, root);
		json_decref(root);
	} else if (tool->message != NULL) {
		tool->message(f, in->bytes);
	}
	if (!f->found && f->empty) {
		tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, in->path, TP_NO_OFFSET,
			"empty: the profiler had nothing to write");
		return TP_OK;
	}
	if (!f->found)
		return tp_fail_at(err, TP_ERR_FORMAT, in->path, TP_NO_OFFSET, "%s",
			in->bytes.len == 0 ? "the file is empty" : tool->complaint);
	f->precomputed->host = tp_tool_host(in, f->out);
	note_file(f, tp_built_input(f->out, in->input));
	return TP_OK;
}

enum tp_status
tp_tool_read(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	struct tp_arena *arena = tp_builder_profile(out)->arena;
	const struct tp_tool *tool = in->reader->tool;
	struct tp_tool_file f = {
		.in = in,
		.out = out,
		.arena = arena,
		.precomputed = tp_build_precomputed(out, host_name(in)),
		.name = tp_tool_text(arena, tp_path_name(tp_slice_of(in->path))),
	};

	if (!tool->each && is_given(&f, tp_built_input(out, in->input)->reader))
		return TP_OK;
	return read_file(&f, tool, err);
}
