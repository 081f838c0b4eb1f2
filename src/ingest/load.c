/* Files of a run are opened and read side by side, as far as their readers can, and brought into the profile one after the other, so that
 * it does not depend on anything but their order. */
#include "ingest/load.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/utf8.h"
#include "ingest/choose.h"
#include "ingest/copies.h"
#include "ingest/discover.h"
#include "ingest/foreign.h"
#include "ingest/reader.h"
#include "ingest/tfprof_parts.h"
#include "io/blob.h"
#include "io/list.h"
#include "io/peek.h"
#include "io/remote.h"
#include "io/unpack.h"
#include "model/build.h"

#include <stdio.h>
#include <stdlib.h>

struct tp_loaded {
	struct tp_profile *profile;
	struct tp_buf blobs; /* of struct tp_blob * */
};

struct loading {
	struct tp_loaded *loaded;
	struct tp_builder *builder;
	struct tp_profile *profile;
	struct tp_err first; /* of a file that could not be used */
	unsigned read;
	struct tp_buf hosts; /* of struct tp_slice: by file name, those whose events were read */
	struct tp_copies copies;
};

static bool
wanted(struct tp_slice host, const struct tp_choice *choice)
{
	for (size_t i = 0; i < choice->host_count; i++) {
		if (tp_slice_eq(host, tp_slice_of(choice->hosts[i])))
			return true;
	}
	return choice->host_count == 0;
}

/* An earlier file of the run with the very same bytes: a copy under another name, which must not count twice. */
static struct tp_slice
copy_of(struct loading *l, struct tp_blob *blob)
{
	uint32_t same = tp_copies_find(&l->copies, l->loaded->blobs.data, blob);

	return same != TP_MAP_NONE ? tp_built_input(l->builder, same)->path
							   : (struct tp_slice){NULL, 0};
}

static void
refuse(struct loading *l, const struct tp_err *err)
{
	if (l->first.status == TP_OK)
		l->first = *err;
	tp_diag_err(&l->profile->diags, TP_DIAG_WARNING, err);
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

/* A file on its way: opened, and where its reader can do that without the profile, read. Any number of them side by side. */
struct tp_coming {
	struct tp_task task;
	const struct tp_run_file *file;
	const struct tp_choice *choice;
	struct tp_pool *pool;
	struct tp_err err;       /* status TP_OK: none */
	struct tp_blob *blob;    /* NULL: of no use, by err, or not wanted */
	bool damaged;            /* as soon as it was opened */
	struct tp_source source; /* its input is not known yet */
	void *taken;             /* of readers that take; NULL: not_taken says why */
	struct tp_err not_taken;
	const struct tp_load_watch *watch; /* NULL: nobody wants to know that it came */
	bool borrowed;                     /* blob and taken are another's */
};

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

static void
come(void *with)
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

static enum tp_status
read_coming(struct loading *l, struct tp_coming *c, struct tp_err *err)
{
	const struct tp_reader *reader = c->source.reader;

	if (reader->take == NULL)
		return reader->read(&c->source, l->builder, err);
	if (c->taken != NULL)
		return reader->put(c->taken, !c->borrowed, &c->source, l->builder, err);
	*err = c->not_taken;
	return err->status;
}

/* Whether the file is one that was read before, which is said then. */
static bool
is_copy(struct loading *l, struct tp_coming *c)
{
	struct tp_slice same = copy_of(l, c->blob);

	if (same.len == 0)
		return false;
	tp_diag_at(&l->profile->diags, TP_DIAG_NOTE, c->file->path.ptr, TP_NO_OFFSET,
		"has the same bytes as %.*s: a copy, not counted twice", TP_ARG(same));
	if (c->taken != NULL)
		c->source.reader->drop(c->taken);
	tp_blob_close(c->blob);
	return true;
}

static void
add_input(struct loading *l, struct tp_coming *c)
{
	const struct tp_reader *reader = c->source.reader;
	struct tp_input *input;

	c->source.input = tp_build_input(l->builder, &input);
	*input = (struct tp_input){
		.path = c->file->path,
		.reader = tp_slice_of(reader->name),
		.size_bytes = tp_blob_stored_size(c->blob),
		.partial = c->damaged,
		.of_job = reader->kind >= TP_READS_OF_JOB,
		.precomputed = reader->kind >= TP_READS_PRECOMPUTED,
	};
	if (c->borrowed)
		return;
	*tp_buf_new(&l->loaded->blobs, struct tp_blob *) = c->blob;
	tp_copies_add(&l->copies, c->blob, c->source.input);
}

/* What came of a file, into the profile. */
static void
add_file(struct loading *l, struct tp_coming *c)
{
	const struct tp_run_file *file = c->file;
	struct tp_err err = {.status = TP_OK};

	if (c->err.status != TP_OK)
		refuse(l, &c->err);
	if (c->blob == NULL || (!c->borrowed && is_copy(l, c)))
		return;
	add_input(l, c);
	uint32_t index = c->source.input;
	struct tp_blob *blob = c->blob;

	if (c->damaged)
		tp_diag_err(&l->profile->diags, TP_DIAG_WARNING, tp_blob_damage(blob));
	enum tp_status status = read_coming(l, c, &err);

	if (!c->borrowed)
		tp_blob_done(blob);
	if (!c->damaged && tp_blob_damage(blob) != NULL) {
		tp_built_input(l->builder, index)->partial = true;
		tp_diag_err(&l->profile->diags, TP_DIAG_WARNING, tp_blob_damage(blob));
	}
	if (status != TP_OK) {
		tp_built_input(l->builder, index)->partial = true;
		if (file->guessed && err.status == TP_ERR_FORMAT && tp_blob_damage(blob) == NULL)
			err.status = TP_ABSENT;
		refuse(l,
			tp_blob_damage(blob) != NULL && c->source.bytes.len == 0 ? tp_blob_damage(blob) : &err);
		return;
	}
	l->read++;
	if (file->reader->kind < TP_READS_PRECOMPUTED)
		*tp_buf_new(&l->hosts, struct tp_slice) = file->host;
}

/* Whether a file with the events of this host was read. */
static bool
has_events_of(const struct loading *l, struct tp_slice host)
{
	const struct tp_slice *hosts = l->hosts.data;

	for (size_t i = 0; i < l->hosts.count; i++) {
		if (tp_slice_eq(hosts[i], host))
			return true;
	}
	return false;
}

/* Whether a file with events was read, not only tool files. */
static bool
has_events(const struct loading *l)
{
	for (uint32_t i = 0; i < tp_built_host_count(l->builder); i++) {
		uint32_t input = tp_built_host(l->builder, i)->input;

		if (!tp_built_input(l->builder, input)->precomputed)
			return true;
	}
	return false;
}

static void
fail_without_host(const struct tp_run *run, struct tp_err *err)
{
	char names[300];
	size_t used = 0;

	for (const struct tp_run_file *f = run->files; f != NULL && used < sizeof names; f = f->next)
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%.*s", used ? ", " : "", TP_ARG(f->host));
	tp_fail(err, TP_ERR_USAGE, "no file of run %.*s is from the requested host; its hosts: %s",
		TP_ARG(run->name), names);
}

/* When a file is read. */
static enum tp_reader_kind
turn_of(const struct tp_run_file *file)
{
	enum tp_reader_kind kind = file->reader->kind;

	return kind < TP_READS_PRECOMPUTED ? kind : TP_READS_PRECOMPUTED;
}

/* In the order in which they are opened. */
static void
expect_files(const struct tp_run *run, struct tp_arena *arena)
{
	const char **paths = tp_new_array(arena, const char *, run->file_count);
	size_t count = 0;

	for (enum tp_reader_kind turn = TP_READS_EVENTS; turn <= TP_READS_PRECOMPUTED; turn++) {
		for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
			if (turn == turn_of(f) && count < run->file_count)
				paths[count++] = f->path.ptr;
		}
	}
	tp_remote_expect(paths, count);
}

/* Files that come while the one before is brought into the profile: enough for all threads, but of large ones fewer, for what is read
 * of them is in memory. */
static const uint64_t most_ahead_bytes = (uint64_t)2 << 30;

/* About how large it is unpacked. */
static uint64_t
bytes_of(const struct tp_run_file *file)
{
	enum { TIMES = 16 };
	bool packed = tp_slice_ends(file->path, TP_S(".gz")) || tp_slice_ends(file->path, TP_S(".zst"));
	struct tp_file_facts facts;

	return tp_file_facts(file->path.ptr, &facts) ? facts.size_bytes * (packed ? TIMES : 1) : 0;
}

/* Files of a turn, of which those from `next` on have not been started. */
struct turn {
	const struct tp_run_file **files;
	struct tp_coming **coming; /* those that are on their way; else NULL */
	size_t count, next;
	uint64_t ahead_bytes;
	const struct tp_choice *choice;
	const struct tp_load_watch *watch;
	struct tp_pool *pool;
};

static void
start_file(struct turn *t, size_t at)
{
	struct tp_coming *c = tp_memory_take(sizeof *c);

	*c = (struct tp_coming){
		.file = t->files[at], .choice = t->choice, .pool = t->pool, .watch = t->watch};
	c->task = (struct tp_task){.run = come, .with = c};
	t->coming[at] = c;
	tp_pool_start(t->pool, &c->task);
}

/* Starts files up to number `at`, and behind it what may come at the same time. */
static void
start_files(struct turn *t, size_t at, bool alone)
{
	size_t most = alone ? 1 : tp_pool_threads(t->pool) + 1;

	for (; t->next < t->count && t->next < at + most; t->next++) {
		uint64_t bytes = bytes_of(t->files[t->next]);

		if (t->next > at && t->ahead_bytes + bytes > most_ahead_bytes)
			return;
		t->ahead_bytes += bytes;
		start_file(t, t->next);
	}
}

static void
add_files_of_turn(struct turn *t, const struct tp_run *run, enum tp_reader_kind which)
{
	t->files = tp_memory_take((run->file_count + 1) * sizeof *t->files);
	t->coming = tp_memory_take((run->file_count + 1) * sizeof *t->coming);
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (turn_of(f) == which)
			t->files[t->count++] = f;
	}
}

/* number: of the files before. */
static void
load_turn(struct loading *l, struct turn *t, unsigned number, unsigned count)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct tp_run_file *file = t->files[i];
		bool copy = file->reader->kind == TP_READS_COPY;

		if (copy && has_events_of(l, file->host)) {
			t->next = i + 1;
			continue;
		}
		if (t->watch != NULL)
			t->watch->file(t->watch->with, file->path.ptr, number + (unsigned)i + 1, count);
		start_files(t, i, copy);
		uint64_t bytes = bytes_of(file);

		tp_pool_wait(t->pool, &t->coming[i]->task);
		t->ahead_bytes -= bytes < t->ahead_bytes ? bytes : t->ahead_bytes;
		add_file(l, t->coming[i]);
		free(t->coming[i]);
	}
	free(t->files);
	free(t->coming);
}

static struct loading
begin(const struct tp_run *run, const struct tp_choice *choice, struct tp_arena *arena)
{
	struct loading l = {
		.loaded = tp_new(arena, struct tp_loaded),
		.builder = tp_builder_new(arena),
	};

	tp_map_init(&l.copies.heads, arena);
	tp_map_init(&l.copies.prints, arena);
	l.profile = tp_builder_profile(l.builder);
	l.profile->name = run->job;
	l.profile->run = run->name;
	l.profile->chosen = tp_utf8_clean(arena, run->chosen);
	l.profile->some_hosts = choice->host_count != 0;
	return l;
}

/* What is said of the run beside its files; the profile is whole then. NULL and err when no file could be used. */
static struct tp_loaded *
finish(struct loading *l, const struct tp_run *run, struct tp_err *err)
{
	/* Beside events they are nothing new. */
	for (const struct tp_run_other *o = run->others;
		 o != NULL && tp_built_precomputed_count(l->builder) != 0 && !has_events(l); o = o->next)
		tp_diag_at(
			&l->profile->diags, TP_DIAG_NOTE, o->path.ptr, TP_NO_OFFSET, "not read: %s", o->why);
	for (size_t i = 0; i < run->gap_count; i++)
		tp_diag_at(&l->profile->diags, run->gaps[i].dangling ? TP_DIAG_NOTE : TP_DIAG_WARNING,
			run->gaps[i].path.ptr, TP_NO_OFFSET, "skipped: %.*s", TP_ARG(run->gaps[i].why));
	tp_buf_free(&l->hosts);
	tp_tfprof_join_parts(l->builder, l->loaded->blobs.data, (unsigned)l->loaded->blobs.count);
	l->loaded->profile = tp_builder_finish(l->builder);
	if (run->merged.len != 0)
		tp_diag_at(&l->profile->diags, TP_DIAG_NOTE, "", TP_NO_OFFSET,
			"folder %.*s was written within two seconds of %.*s and holds other hosts: treated as "
			"one run",
			TP_ARG(run->merged), TP_ARG(run->name));
	if (l->read != 0)
		return l->loaded;
	if (l->first.status != TP_OK)
		*err = l->first;
	else
		fail_without_host(run, err);
	tp_loaded_close(l->loaded);
	return NULL;
}

struct tp_loaded *
tp_load_run(const struct tp_run *whole, const struct tp_choice *choice,
	const struct tp_load_watch *watch, struct tp_pool *pool, struct tp_arena *arena,
	struct tp_err *err)
{
	struct tp_run run;
	unsigned number = 0;

	if (tp_choose_files(whole, choice, arena, &run, err) != TP_OK)
		return NULL;
	struct loading l = begin(&run, choice, arena);

	expect_files(&run, arena);
	/* Tool files last: whether there is anything but them decides what they are for. Copies in between. */
	for (enum tp_reader_kind which = TP_READS_EVENTS; which <= TP_READS_PRECOMPUTED; which++) {
		struct turn turn = {.choice = choice, .watch = watch, .pool = pool};

		add_files_of_turn(&turn, &run, which);
		load_turn(&l, &turn, number, run.file_count);
		number += (unsigned)turn.count;
	}
	return finish(&l, &run, err);
}

struct tp_loaded *
tp_load_coming(const struct tp_coming *coming, const struct tp_run *whole,
	const struct tp_choice *choice, struct tp_pool *pool, struct tp_arena *arena,
	struct tp_err *err)
{
	struct tp_run run;

	if (tp_choose_files(whole, choice, arena, &run, err) != TP_OK)
		return NULL;
	struct loading l = begin(&run, choice, arena);
	struct tp_coming file = *coming;

	file.file = run.files;
	file.source.span_number = run.files->span_number;
	file.source.pool = pool;
	file.borrowed = true;
	add_file(&l, &file);
	return finish(&l, &run, err);
}

struct tp_profile *
tp_loaded_profile(const struct tp_loaded *l)
{
	return l->profile;
}

void
tp_loaded_close(struct tp_loaded *l)
{
	if (l == NULL)
		return;
	struct tp_blob **blobs = l->blobs.data;

	for (size_t i = 0; i < l->blobs.count; i++)
		tp_blob_close(blobs[i]);
	tp_buf_free(&l->blobs);
}
