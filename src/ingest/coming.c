#include "ingest/coming.h"

#include "base/arena.h"
#include "ingest/choose.h"
#include "ingest/discover.h"
#include "ingest/foreign.h"
#include "ingest/load.h"
#include "io/blob.h"
#include "io/peek.h"
#include "io/unpack.h"

static bool
wanted(struct tp_slice host, const struct tp_choice *choice)
{
	for (size_t i = 0; i < choice->host_count; i++) {
		if (tp_slice_eq(host, tp_slice_of(choice->hosts[i])))
			return true;
	}
	return choice->host_count == 0;
}

/* By the file's name or by the host's name in it: users know one or the other. */
static bool
wanted_file(const struct tp_run_file *file, struct tp_blob *blob, const struct tp_choice *choice)
{
	struct tp_source source = {.path = file->path.ptr, .bytes = tp_blob_bytes(blob), .blob = blob};
	struct tp_arena *scratch = tp_arena_new();
	bool is = wanted(file->host, choice) ||
		(file->reader->host != NULL && wanted(file->reader->host(&source, scratch), choice));

	tp_arena_free(scratch);
	return is;
}

/* What a file holds says more than what it is called; files read as stored were looked into when found. NULL with err:
 * it is of another program. */
static const struct tp_reader *
reader_of(const struct tp_run_file *file, const struct tp_blob *blob, struct tp_err *err)
{
	struct tp_slice bytes = tp_blob_bytes(blob);
	struct tp_arena *scratch = tp_arena_new();
	bool packed = tp_packing_of(bytes) != TP_PACKING_NONE;
	struct tp_slice head = packed ? tp_peek(scratch, file->path.ptr) : bytes;
	const char *foreign = tp_foreign_file(file->path.ptr, head, file->guessed);
	const struct tp_reader *reader =
		file->reader->form == TP_BLOB_STORED ? file->reader : tp_reader_for(file->path.ptr, bytes);

	tp_arena_free(scratch);
	if (foreign != NULL)
		tp_fail_at(err, TP_ABSENT, file->path.ptr, TP_NO_OFFSET, "%s", foreign);
	else if (reader == NULL && file->guessed)
		tp_fail_at(err, TP_ABSENT, file->path.ptr, TP_NO_OFFSET, "%s",
			bytes.len == 0 ? "the file is empty"
						   : "not a known profile, by its name or first bytes");
	else
		return reader != NULL ? reader : file->reader;
	return NULL;
}

/* The blob, or all of it anew where the file is in pieces and its reader wants the whole, or where only its beginning was
 * unpacked and that told another reader. */
static struct tp_blob *
whole_for(const struct tp_reader *reader, const char *path, struct tp_blob *blob,
	struct tp_pool *pool, struct tp_err *err)
{
	bool whole = reader->form == TP_BLOB_WHOLE && tp_blob_in_pieces(blob);

	if (!whole && !(tp_blob_is_head(blob) && reader->begins == NULL))
		return blob;
	tp_blob_close(blob);
	return tp_blob_open_as(
		path, (struct tp_blob_wish){.most_bytes = reader->most_bytes, .pool = pool}, err);
}

/* Of what is held only once: who comes later finds nothing. */
static struct tp_blob *
open_file(const struct tp_run_file *file, struct tp_blob_wish wish, struct tp_err *err)
{
	if (file->held == NULL || *file->held == NULL)
		return tp_blob_open_as(file->path.ptr, wish, err);
	struct tp_blob *blob = *file->held;

	*file->held = NULL;
	return blob;
}

static struct tp_blob *
open_coming(struct tp_coming *c)
{
	const struct tp_run_file *file = c->file;
	struct tp_blob_wish wish = {
		.form = file->guessed ? TP_BLOB_WHOLE : file->reader->form,
		.most_bytes = file->reader->most_bytes,
		.begins = file->guessed ? NULL : file->reader->begins,
		.pool = c->pool,
	};
	struct tp_blob *blob = open_file(file, wish, &c->err);

	if (blob == NULL || !wanted_file(file, blob, c->choice)) {
		tp_blob_close(blob);
		return NULL;
	}
	const struct tp_reader *reader = reader_of(file, blob, &c->err);

	if (reader == NULL) {
		tp_blob_close(blob);
		return NULL;
	}
	c->source.reader = reader;
	return whole_for(reader, file->path.ptr, blob, c->pool, &c->err);
}

void
tp_come(void *with)
{
	struct tp_coming *c = with;

	c->blob = open_coming(c);
	if (c->blob == NULL)
		return;
	const struct tp_reader *reader = c->source.reader;

	c->damaged = tp_blob_damage(c->blob) != NULL;
	c->source = (struct tp_source){
		.path = c->file->path.ptr,
		.bytes = tp_blob_bytes(c->blob),
		.blob = c->blob,
		.host = c->file->host,
		.span_number = c->file->span_number,
		.reader = reader,
		.pool = c->pool,
	};
	if (reader->take != NULL)
		c->taken = reader->take(&c->source, &c->not_taken);
	if (c->taken != NULL && c->watch != NULL && c->watch->came != NULL)
		c->watch->came(c->watch->with, c->file->path.ptr, c);
}

enum tp_status
tp_coming_put(struct tp_coming *c, struct tp_builder *b, struct tp_err *err)
{
	const struct tp_reader *reader = c->source.reader;

	if (reader->take == NULL)
		return reader->read(&c->source, b, err);
	if (c->taken != NULL)
		return reader->put(c->taken, !c->borrowed, &c->source, b, err);
	*err = c->not_taken;
	return err->status;
}

void
tp_coming_drop(struct tp_coming *c)
{
	if (c->taken != NULL)
		c->source.reader->drop(c->taken);
	tp_blob_close(c->blob);
}
