/* Opening them, and making a dump of a graph, its runs and an op log. */
#include "cli/tfprof_files.h"

#include "base/arena.h"
#include "cli/terminal.h"
#include "ingest/tfprof_build.h"
#include "io/blob.h"
#include "model/tfprof.h"
#include "tfprof/load.h"

const char *const tp_tfprof_path_options[] = {
	"profile_path", "graph_path", "run_meta_path", "op_log_path", "checkpoint_path", NULL};

static enum tp_status
open_file(const char *path, struct tp_buf *blobs, struct tp_slice *bytes, struct tp_err *err)
{
	struct tp_blob *blob = tp_blob_open(path, err);

	if (blob == NULL)
		return err->status;
	*tp_buf_new(blobs, struct tp_blob *) = blob;
	if (tp_blob_damage(blob) != NULL)
		tp_say_err(tp_blob_damage(blob));
	*bytes = tp_blob_bytes(blob);
	return TP_OK;
}

/* Whoever has a dump of many steps may give it with the others. */
static enum tp_status
open_runs(const char *list, struct tp_arena *arena, struct tp_buf *blobs, struct tp_buf *runs,
	struct tp_err *err)
{
	struct tp_slice rest = tp_slice_of(list);
	enum tp_status status = TP_OK;

	while (rest.len != 0 && status == TP_OK) {
		const char *comma = memchr(rest.ptr, ',', rest.len);
		struct tp_slice one = {rest.ptr, comma != NULL ? (size_t)(comma - rest.ptr) : rest.len};

		rest = tp_slice_from(rest, one.len + 1);
		if (one.len == 0)
			continue;
		status =
			open_file(tp_arena_copy(arena, one).ptr, blobs, tp_buf_new(runs, struct tp_slice), err);
	}
	return status;
}

static enum tp_status
build(const struct tp_tfprof_files *f, struct tp_arena *arena, struct tp_buf *blobs,
	struct tp_tfprof *t, struct tp_err *err)
{
	struct tp_tfprof_parts parts = {
		.names = {tp_slice_of(f->graph), tp_slice_of(f->run_meta), tp_slice_of(f->op_log)}};
	struct tp_buf runs = {0};
	enum tp_status status = TP_OK;
	struct tp_slice dump;

	if (f->graph != NULL)
		status = open_file(f->graph, blobs, &parts.graph, err);
	if (status == TP_OK)
		status = open_runs(f->run_meta, arena, blobs, &runs, err);
	if (status == TP_OK && f->op_log != NULL)
		status = open_file(f->op_log, blobs, &parts.op_log, err);
	parts.run_metas = runs.data;
	parts.run_meta_count = runs.count;
	if (status == TP_OK)
		status = tp_tfprof_build(&parts, arena, &dump, err);
	if (status == TP_OK)
		status = tp_tfprof_read(dump, arena, t, err);
	t->built = true;
	tp_buf_free(&runs);
	return status;
}

enum tp_status
tp_tfprof_files_read(const struct tp_tfprof_files *f, struct tp_arena *arena, struct tp_buf *blobs,
	struct tp_tfprof *t, struct tp_err *err)
{
	struct tp_slice path, bytes;

	if (f->profile == NULL)
		return build(f, arena, blobs, t, err);
	enum tp_status status = tp_tfprof_dump_path(f->profile, arena, &path, err);

	if (status == TP_OK)
		status = open_file(path.ptr, blobs, &bytes, err);
	if (status == TP_OK && tp_tfprof_read(bytes, arena, t, err) != TP_OK)
		return tp_while(err, "%s", path.ptr);
	return status;
}

static size_t
read_piece(void *blob, uint64_t at, void *to, size_t room)
{
	return tp_blob_read(blob, at, to, room);
}

enum tp_status
tp_tfprof_files_read_figures(const struct tp_tfprof_files *f, int64_t step, bool types,
	struct tp_arena *arena, struct tp_tfprof *t, struct tp_err *err)
{
	struct tp_slice path;
	enum tp_status status = tp_tfprof_dump_path(f->profile, arena, &path, err);

	if (status != TP_OK)
		return status;
	struct tp_blob *blob =
		tp_blob_open_as(path.ptr, (struct tp_blob_wish){.form = TP_BLOB_PIECES}, err);

	if (blob == NULL)
		return err->status;
	const struct tp_tfprof_feed feed = {read_piece, blob};

	status = tp_tfprof_read_figures(&feed, step, types, arena, t, err);
	tp_blob_done(blob);
	if (tp_blob_damage(blob) != NULL)
		tp_say_err(tp_blob_damage(blob));
	tp_blob_close(blob);
	return status == TP_OK ? TP_OK : tp_while(err, "%s", path.ptr);
}
