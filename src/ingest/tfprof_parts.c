/* A folder at a time; where it holds a dump, that says what ran. */
#include "ingest/tfprof_parts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/path.h"
#include "base/utf8.h"
#include "ingest/reader.h"
#include "ingest/tfprof_build.h"
#include "ingest/tfprof_dump.h"
#include "io/blob.h"
#include "model/build.h"
#include "model/graph.h"
#include "model/tfprof.h"

#include <stdlib.h>

/* RunMetadata of a step. */
struct run {
	int64_t number; /* that its file's name ends in; -1: none */
	struct tp_slice path, bytes;
	uint32_t input;
};

/* What a folder holds. */
struct parts {
	struct tp_slice folder;
	struct tp_slice graph, graph_path, log, log_path;
	struct tp_buf runs;
	uint32_t input; /* of the last */
};

static bool
is_by(const struct tp_input *input, const char *reader)
{
	return !input->partial && tp_slice_eq(input->reader, tp_slice_of(reader));
}

static struct tp_slice
folder_of(const struct tp_input *input, struct tp_arena *arena)
{
	return tp_utf8_clean(arena, tp_path_folder(input->path));
}

/* 9 of "run_meta_9", "run_meta_9.pb" and "run_meta_9.pbtxt.gz". */
static int64_t
number_of(struct tp_slice path)
{
	static const char *const endings[] = {".gz", ".zst", ".pb", ".pbtxt", ".txt"};
	struct tp_slice name = tp_path_name(path);
	int64_t number = 0, place = 1;
	int digits = 0;

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		name.len -= tp_slice_ends(name, tp_slice_of(endings[i])) ? strlen(endings[i]) : 0;
	for (; name.len != 0 && digits < 18; name.len--, digits++, place *= 10) {
		char last = name.ptr[name.len - 1];

		if (last < '0' || last > '9')
			break;
		number += (last - '0') * place;
	}
	return digits != 0 ? number : -1;
}

TP_ORDER(by_number, struct run, TP_UP(number), tp_slice_cmp(a->path, b->path));

/* Graphs of any name are read; of several the one that is called so, as tf.profiler expects it. */
static void
take_graph(struct parts *p, const struct tp_input *input, const struct tp_blob *blob)
{
	bool called = tp_slice_starts(tp_path_name(input->path), TP_S("graph"));
	bool has = p->graph.len != 0;

	if (has && (!called || tp_slice_starts(tp_path_name(p->graph_path), TP_S("graph"))))
		return;
	p->graph = tp_blob_bytes(blob);
	p->graph_path = input->path;
}

/* Whether the input gave a plain graph, which has no step and no collections. */
static bool
gave_graph(const struct tp_profile *profile, uint32_t input)
{
	for (const struct tp_graph *g = profile->graphs; g != NULL; g = g->next) {
		if (g->input == input && g->from == TP_GRAPH_FROM_DEF)
			return true;
	}
	return false;
}

static void
collect(struct tp_builder *b, struct tp_blob *const *blobs, uint32_t count,
	struct tp_arena *scratch, struct parts *p)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct tp_input *input = tp_built_input(b, i);

		if (!tp_slice_eq(folder_of(input, scratch), p->folder))
			continue;
		if (is_by(input, "run_metadata"))
			*tp_buf_new(&p->runs, struct run) =
				(struct run){number_of(input->path), input->path, tp_blob_bytes(blobs[i]), i};
		else if (is_by(input, "graph") && gave_graph(tp_builder_profile(b), i))
			take_graph(p, input, blobs[i]);
		else if (is_by(input, "tfprof_log") && p->log.len == 0) {
			p->log = tp_blob_bytes(blobs[i]);
			p->log_path = input->path;
			p->input = i;
		}
	}
	struct run *runs = p->runs.data;

	if (p->runs.count == 0)
		return;
	qsort(runs, p->runs.count, sizeof *runs, by_number);
	p->input = runs[p->runs.count - 1].input;
}

/* By the names of the files where each has another; else 0, 1, …, as the original counts them. */
static const int64_t *
steps_of(const struct parts *p, struct tp_arena *arena)
{
	const struct run *runs = p->runs.data;
	int64_t *steps = tp_new_array(arena, int64_t, p->runs.count);
	bool differ = true;

	for (size_t i = 0; i < p->runs.count; i++) {
		differ &= runs[i].number >= 0 && (i == 0 || runs[i].number != runs[i - 1].number);
		steps[i] = runs[i].number;
	}
	for (size_t i = 0; !differ && i < p->runs.count; i++)
		steps[i] = (int64_t)i;
	return steps;
}

/* "graph.pb with run_meta_0.pb … run_meta_9.pb" */
static struct tp_slice
name_of(const struct parts *p, struct tp_arena *arena)
{
	const struct run *runs = p->runs.data;
	size_t count = p->runs.count;
	struct tp_slice with = count != 0 ? tp_path_name(runs[0].path) : tp_path_name(p->log_path);
	struct tp_slice last = count > 1 ? tp_path_name(runs[count - 1].path) : TP_S("");

	return tp_utf8_clean(arena,
		tp_arena_printf(arena, "%.*s%s%.*s%s%.*s", TP_ARG(tp_path_name(p->graph_path)),
			p->graph.len != 0 ? " with " : "", TP_ARG(with), count > 1 ? " … " : "", TP_ARG(last)));
}

static enum tp_status
build(struct parts *p, struct tp_builder *b, struct tp_err *err)
{
	struct tp_profile *profile = tp_builder_profile(b);
	struct tp_slice *metas = tp_new_array(profile->arena, struct tp_slice, p->runs.count);
	const struct run *runs = p->runs.data;
	struct tp_source in = {.reader = &tp_reader_tfprof, .input = p->input, .made = true};

	for (size_t i = 0; i < p->runs.count; i++)
		metas[i] = runs[i].bytes;
	const struct tp_tfprof_parts parts = {.graph = p->graph,
		.run_metas = metas,
		.run_meta_count = p->runs.count,
		.steps = steps_of(p, profile->arena),
		.any_device = true,
		.op_log = p->log,
		.names = {p->graph_path, p->runs.count != 0 ? runs[0].path : TP_S(""), p->log_path}};
	enum tp_status status = tp_tfprof_build(&parts, profile->arena, &in.bytes, err);

	in.path = tp_arena_copy(profile->arena, tp_built_input(b, p->input)->path).ptr;
	/* What only ran is no graph. */
	if (status == TP_OK && p->graph.len != 0)
		status = tp_reader_tfprof.read(&in, b, err);
	else if (status == TP_OK)
		tp_tfprof_keep_dump(&in, b, -1);
	if (status != TP_OK)
		return status;
	struct tp_tfprof *t = profile->tfprof_dumps;

	while (t->next != NULL)
		t = t->next;
	t->built = true;
	t->lacks_graph = p->graph.len == 0;
	t->lacks_counts = p->log.len == 0;
	t->name = name_of(p, profile->arena);
	for (struct tp_graph *g = profile->graphs; g != NULL && p->graph.len != 0; g = g->next) {
		if (g->next == NULL)
			g->name = t->name;
	}
	return TP_OK;
}

static const struct tp_tfprof *
dump_in(const struct tp_profile *profile, struct tp_slice folder)
{
	const struct tp_tfprof *t = profile->tfprof_dumps;

	while (t != NULL && !tp_slice_eq(t->folder, folder))
		t = t->next;
	return t;
}

static void
join(struct tp_builder *b, struct tp_blob *const *blobs, uint32_t count, struct tp_slice folder,
	struct tp_arena *scratch)
{
	struct tp_profile *profile = tp_builder_profile(b);
	struct parts p = {.folder = folder};
	struct tp_err err = {.status = TP_OK};

	collect(b, blobs, count, scratch, &p);
	if (build(&p, b, &err) != TP_OK)
		tp_diag_err(&profile->diags, TP_DIAG_WARNING, &err);
	tp_buf_free(&p.runs);
}

void
tp_tfprof_join_parts(struct tp_builder *b, struct tp_blob *const *blobs, unsigned blob_count)
{
	struct tp_profile *profile = tp_builder_profile(b);
	struct tp_arena *scratch = tp_arena_new();

	for (uint32_t i = 0; i < blob_count; i++) {
		const struct tp_input *input = tp_built_input(b, i);

		if (!is_by(input, "run_metadata") && !is_by(input, "tfprof_log"))
			continue;
		struct tp_slice folder = folder_of(input, scratch);
		const struct tp_tfprof *dump = dump_in(profile, folder);

		if (dump == NULL)
			join(b, blobs, blob_count, folder, scratch);
		else if (!dump->built && is_by(input, "run_metadata"))
			tp_diag_at(&profile->diags, TP_DIAG_NOTE, input->path.ptr, TP_NO_OFFSET,
				"not used: %.*s beside it says what ran", TP_ARG(dump->name));
	}
	tp_arena_free(scratch);
}
