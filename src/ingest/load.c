/* Files of a run are opened and read side by side, as far as their readers can, and brought into the profile one after the other, so that
 * it does not depend on anything but their order. */
#include "ingest/load.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/utf8.h"
#include "ingest/choose.h"
#include "ingest/coming.h"
#include "ingest/copies.h"
#include "ingest/discover.h"
#include "ingest/reader.h"
#include "ingest/tfprof_parts.h"
#include "ingest/turn.h"
#include "io/blob.h"
#include "io/remote.h"
#include "model/build.h"

#include <stdio.h>

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

/* Whether the file is one that was read before, which is said then. */
static bool
is_copy(struct loading *l, struct tp_coming *c)
{
	struct tp_slice same = copy_of(l, c->blob);

	if (same.len == 0)
		return false;
	tp_diag_at(&l->profile->diags, TP_DIAG_NOTE, c->file->path.ptr, TP_NO_OFFSET,
		"has the same bytes as %.*s: a copy, not counted twice", TP_ARG(same));
	tp_coming_drop(c);
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
	enum tp_status status = tp_coming_put(c, l->builder, &err);

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

/* In the order in which they are opened. */
static void
expect_files(const struct tp_run *run, struct tp_arena *arena)
{
	const char **paths = tp_new_array(arena, const char *, run->file_count);
	size_t count = 0;

	for (enum tp_reader_kind turn = TP_READS_EVENTS; turn <= TP_READS_PRECOMPUTED; turn++) {
		for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
			if (turn == tp_turn_of(f) && count < run->file_count)
				paths[count++] = f->path.ptr;
		}
	}
	tp_remote_expect(paths, count);
}

/* number: of the files before. */
static void
load_turn(struct loading *l, struct tp_turn *t, unsigned number, unsigned count)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct tp_run_file *file = t->files[i];
		bool copy = file->reader->kind == TP_READS_COPY;

		if (copy && has_events_of(l, file->host)) {
			tp_turn_skip(t, i);
			continue;
		}
		if (t->watch != NULL)
			t->watch->file(t->watch->with, file->path.ptr, number + (unsigned)i + 1, count);
		add_file(l, tp_turn_wait(t, i, copy));
		tp_turn_done(t, i);
	}
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
		struct tp_turn turn = {.choice = choice, .watch = watch, .pool = pool};

		tp_turn_begin(&turn, &run, which);
		load_turn(&l, &turn, number, run.file_count);
		number += (unsigned)turn.count;
		tp_turn_end(&turn);
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
