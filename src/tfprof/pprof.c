/* Samples are those of lines that have nothing shown below them, with all nodes that were made anywhere below; locations are calls
 * from line to line, the innermost first. */
#include "tfprof/pprof.h"

#include "analyze/tfprof/tfprof_tree.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "io/sink.h"
#include "pprof_written.pb-c.h"
#include "tfprof/gzip.h"

#include <stdio.h>
#include <stdlib.h>

static const struct shown {
	enum tp_tfprof_select select;
	enum tp_tfprof_figure figure;
	const char *unit, *comment;
} shown[] = {
	{TP_SELECT_MICROS, TP_TFPROF_US, "microseconds",
		"Sum of accelerator execution time and cpu execution time."},
	{TP_SELECT_ACCELERATOR_MICROS, TP_TFPROF_ACCELERATOR_US, "microseconds",
		"Accelerator execution time."},
	{TP_SELECT_CPU_MICROS, TP_TFPROF_CPU_US, "microseconds", "CPU execution time."},
	{TP_SELECT_BYTES, TP_TFPROF_REQUESTED_BYTES, "bytes",
		"Sum of operation total memory requests, excluding deallocations."},
	{TP_SELECT_PEAK_BYTES, TP_TFPROF_PEAK_BYTES, "bytes", "Sum of operation peak memory usage."},
	{TP_SELECT_RESIDUAL_BYTES, TP_TFPROF_RESIDUAL_BYTES, "bytes",
		"Sum of operation allocated memory after finish."},
	{TP_SELECT_OUTPUT_BYTES, TP_TFPROF_OUTPUT_BYTES, "bytes", "Sum of operation output size."},
	{TP_SELECT_PARAMS, TP_TFPROF_PARAMETERS, "count", "Model parameters."},
	{TP_SELECT_FLOAT_OPS, TP_TFPROF_FLOAT_OPS, "count",
		"Model float operations (Only available if defined)."},
};

static const struct shown *
shown_by(const struct tp_tfprof_line *line)
{
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		if (line->select == 1u << shown[i].select)
			return &shown[i];
	}
	return NULL;
}

enum tp_status
tp_tfprof_pprof_refuses(const struct tp_tfprof_line *line, struct tp_err *err)
{
	if (line->select == 0 || (line->select & (line->select - 1)) != 0)
		return tp_fail(err, TP_ABSENT, "Can only select 1 attribute for pprof output.");
	if (shown_by(line) == NULL)
		return tp_fail(err, TP_ABSENT, "pprof doesn't support -select=%.*s",
			TP_ARG(tp_tfprof_select_name((unsigned)__builtin_ctz(line->select))));
	return TP_OK;
}

/* A profile while it is made; what it is made of lives in the arena. */
struct making {
	const struct tp_tfprof *tfprof;
	const struct tp_tfprof_view *view;
	const struct shown *shown;
	int64_t step;
	struct tp_arena *arena;
	struct tp_strings texts;
	struct tp_map function_of, location_of; /* numbers of texts and lines → index */
	struct tp_buf functions, locations, samples;
};

static int64_t
text_of(struct making *m, const char *text)
{
	return tp_intern(&m->texts, tp_slice_of(text));
}

/* "train:build_conv (gradient)" */
static int64_t
function_name(struct making *m, const struct tp_tfprof_row *row)
{
	struct tp_slice file = row->frame.file;
	const char *slash = memrchr(file.ptr, '/', file.len);

	if (slash != NULL)
		file = tp_slice_from(file, (size_t)(slash + 1 - file.ptr));
	const char *dot = memrchr(file.ptr, '.', file.len);

	if (dot != NULL)
		file.len = (size_t)(dot - file.ptr);
	return tp_intern(&m->texts,
		tp_arena_printf(m->arena, "%.*s:%.*s%s", TP_ARG(file), TP_ARG(row->frame.function),
			row->gradient ? " (gradient)" : ""));
}

static uint64_t
function_of(struct making *m, const struct tp_tfprof_row *row)
{
	uint32_t file = tp_intern(&m->texts, row->frame.file), number;
	int64_t name = function_name(m, row);
	uint64_t key = tp_hash_pair(
		tp_hash_pair(file, (uint64_t)name), (uint64_t)(uint32_t)row->frame.function_line);

	if (tp_map_number(&m->function_of, key, &number)) {
		Tp__PprofWrittenFunction *f = tp_new(m->arena, Tp__PprofWrittenFunction);

		tp__pprof_written_function__init(f);
		f->has_id = f->has_name = f->has_filename = f->has_start_line = 1;
		f->id = (uint64_t)number + 1;
		f->name = name;
		f->filename = file;
		f->start_line = row->frame.function_line;
		*tp_buf_new(&m->functions, Tp__PprofWrittenFunction *) = f;
	}
	return (uint64_t)number + 1;
}

/* The call of one line by another: where it is from, and what it calls. */
static uint64_t
location_of(
	struct making *m, const struct tp_tfprof_row *caller, const struct tp_tfprof_row *called)
{
	uint32_t file = tp_intern(&m->texts, caller->frame.file), number;
	uint32_t function = tp_intern(&m->texts, called->frame.function);
	uint64_t key = tp_hash_pair(tp_hash_pair(file, (uint64_t)function << 1 | called->gradient),
		(uint64_t)(uint32_t)caller->frame.line);

	if (tp_map_number(&m->location_of, key, &number)) {
		Tp__PprofWrittenLocation *l = tp_new(m->arena, Tp__PprofWrittenLocation);
		Tp__PprofWrittenLine *line = tp_new(m->arena, Tp__PprofWrittenLine);

		tp__pprof_written_location__init(l);
		tp__pprof_written_line__init(line);
		line->has_function_id = line->has_line = l->has_id = 1;
		line->function_id = function_of(m, called);
		line->line = caller->frame.line;
		l->id = (uint64_t)number + 1;
		l->n_line = 1;
		l->line = tp_new_array(m->arena, Tp__PprofWrittenLine *, 1);
		l->line[0] = line;
		*tp_buf_new(&m->locations, Tp__PprofWrittenLocation *) = l;
	}
	return (uint64_t)number + 1;
}

static void
add_sample(struct making *m, uint32_t node, uint64_t *locations, size_t count)
{
	Tp__PprofWrittenSample *s = tp_new(m->arena, Tp__PprofWrittenSample);
	Tp__PprofWrittenLabel *label = tp_new(m->arena, Tp__PprofWrittenLabel);
	struct tp_tfprof_figures f;

	tp_tfprof_figures(&m->tfprof->nodes[node], m->step, &f);
	tp__pprof_written_sample__init(s);
	tp__pprof_written_label__init(label);
	s->n_location_id = count;
	s->location_id = locations;
	s->n_value = 2;
	s->value = tp_new_array(m->arena, int64_t, 2);
	s->value[0] = 1;
	s->value[1] = f.of[m->shown->figure];
	label->has_key = label->has_str = 1;
	label->key = text_of(m, "graph node:");
	label->str = tp_intern(&m->texts, m->tfprof->nodes[node].name);
	s->n_label = 1;
	s->label = tp_new_array(m->arena, Tp__PprofWrittenLabel *, 1);
	s->label[0] = label;
	*tp_buf_new(&m->samples, Tp__PprofWrittenSample *) = s;
}

/* Nodes of the lines that have none below them, from a line that has nothing shown below it on. */
static void
add_leaves(struct making *m, const struct tp_tfprof_row *row)
{
	const struct tp_tfprof_tree *code = m->view->code;
	struct tp_buf open = {0}, calls = {0};

	for (const struct tp_tfprof_row *at = row; at->depth > 1; at = &m->view->rows[at->parent])
		*tp_buf_new(&calls, uint64_t) = location_of(m, &m->view->rows[at->parent], at);
	size_t count = calls.count;
	uint64_t *locations = tp_buf_settle(&calls, sizeof *locations, m->arena);

	*tp_buf_new(&open, uint32_t) = row->line;
	while (open.count != 0) {
		uint32_t line = ((uint32_t *)open.data)[--open.count];
		const struct tp_tfprof_row *leaf = &code->rows[line];

		for (uint32_t i = code->first[line]; i < code->first[line + 1]; i++)
			*tp_buf_new(&open, uint32_t) = code->children[i];
		for (uint32_t i = 0; code->first[line] == code->first[line + 1] && i < leaf->member_count;
			 i++)
			add_sample(m, m->view->members[leaf->first_member + i], locations, count);
	}
	tp_buf_free(&open);
}

static void
add_all(struct making *m)
{
	const struct tp_tfprof_view *view = m->view;

	for (uint32_t i = 1; i < view->count; i++) {
		if (i + 1 == view->count || view->rows[i + 1].depth <= view->rows[i].depth)
			add_leaves(m, &view->rows[i]);
	}
}

static Tp__PprofWrittenType *
type_of(struct making *m, struct tp_slice type, const char *unit)
{
	Tp__PprofWrittenType *made = tp_new(m->arena, Tp__PprofWrittenType);

	tp__pprof_written_type__init(made);
	made->has_type = made->has_unit = 1;
	made->type = tp_intern(&m->texts, type);
	made->unit = text_of(m, unit);
	return made;
}

static struct tp_slice
packed(struct making *m)
{
	Tp__PprofWritten p = TP__PPROF_WRITTEN__INIT;
	int64_t comment = text_of(m, m->shown->comment);
	Tp__PprofWrittenType *types[] = {type_of(m, TP_S("count"), "count"),
		type_of(m, tp_tfprof_select_name(m->shown->select), m->shown->unit)};

	p.n_sample_type = 2;
	p.sample_type = types;
	p.n_comment = 1;
	p.comment = &comment;
	p.n_sample = m->samples.count;
	p.sample = m->samples.data;
	p.n_location = m->locations.count;
	p.location = m->locations.data;
	p.n_function = m->functions.count;
	p.function = m->functions.data;
	p.n_string_table = m->texts.count;
	p.string_table = tp_new_array(m->arena, ProtobufCBinaryData, m->texts.count);
	for (uint32_t i = 0; i < m->texts.count; i++)
		p.string_table[i] =
			(ProtobufCBinaryData){m->texts.text[i].len, (uint8_t *)(uintptr_t)m->texts.text[i].ptr};
	size_t size = tp__pprof_written__get_packed_size(&p);
	uint8_t *bytes = tp_arena_alloc(m->arena, size);

	tp__pprof_written__pack(&p, bytes);
	return (struct tp_slice){(const char *)bytes, size};
}

enum tp_status
tp_tfprof_write_pprof(const struct tp_tfprof *t, const struct tp_tfprof_view *view,
	const struct tp_tfprof_line *line, bool quiet, struct tp_err *err)
{
	struct making m = {.tfprof = t,
		.view = view,
		.shown = shown_by(line),
		.step = line->view.step,
		.arena = tp_arena_new()};

	tp_strings_init(&m.texts, m.arena);
	tp_map_init(&m.function_of, m.arena);
	tp_map_init(&m.location_of, m.arena);
	add_all(&m);
	struct tp_sink *out = tp_sink_open(line->outfile, err);
	enum tp_status status = out != NULL ? TP_OK : err->status;

	if (out != NULL) {
		tp_tfprof_gzip(packed(&m), out);
		status = tp_sink_commit(out, err);
		tp_sink_close(out);
	}
	if (status == TP_OK && !quiet)
		printf("\nRun pprof -png --nodecount=100 --sample_index=1 <%s>\n", line->outfile);
	tp_buf_free(&m.functions);
	tp_buf_free(&m.locations);
	tp_buf_free(&m.samples);
	tp_arena_free(m.arena);
	return status;
}
