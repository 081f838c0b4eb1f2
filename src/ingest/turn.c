#include "ingest/turn.h"

#include "base/memory.h"
#include "base/pool.h"
#include "ingest/coming.h"
#include "ingest/discover.h"
#include "io/list.h"

#include <stdlib.h>

enum tp_reader_kind
tp_turn_of(const struct tp_run_file *file)
{
	enum tp_reader_kind kind = file->reader->kind;

	return kind < TP_READS_PRECOMPUTED ? kind : TP_READS_PRECOMPUTED;
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

static void
start_file(struct tp_turn *t, size_t at)
{
	struct tp_coming *c = tp_memory_take(sizeof *c);

	*c = (struct tp_coming){
		.file = t->files[at], .choice = t->choice, .pool = t->pool, .watch = t->watch};
	c->task = (struct tp_task){.run = tp_come, .with = c};
	t->coming[at] = c;
	tp_pool_start(t->pool, &c->task);
}

/* Starts files up to number `at`, and behind it what may come at the same time. */
static void
start_files(struct tp_turn *t, size_t at, bool alone)
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

void
tp_turn_begin(struct tp_turn *t, const struct tp_run *run, enum tp_reader_kind which)
{
	t->files = tp_memory_take((run->file_count + 1) * sizeof *t->files);
	t->coming = tp_memory_take((run->file_count + 1) * sizeof *t->coming);
	for (const struct tp_run_file *f = run->files; f != NULL; f = f->next) {
		if (tp_turn_of(f) == which)
			t->files[t->count++] = f;
	}
}

struct tp_coming *
tp_turn_wait(struct tp_turn *t, size_t i, bool alone)
{
	start_files(t, i, alone);
	uint64_t bytes = bytes_of(t->files[i]);

	tp_pool_wait(t->pool, &t->coming[i]->task);
	t->ahead_bytes -= bytes < t->ahead_bytes ? bytes : t->ahead_bytes;
	return t->coming[i];
}

void
tp_turn_done(struct tp_turn *t, size_t i)
{
	free(t->coming[i]);
	t->coming[i] = NULL;
}

void
tp_turn_skip(struct tp_turn *t, size_t i)
{
	t->next = i + 1;
}

void
tp_turn_end(struct tp_turn *t)
{
	free(t->files);
	free(t->coming);
}
