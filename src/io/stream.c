/* A ring of blocks between the thread that reads or unpacks and the one that takes. */
#include "io/stream.h"

#include "io/blob.h"
#include "io/unpack.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A block fits into the second level cache. Before each there is room for what the reader keeps of the one before; when
 * that is more, both are copied into one. */
enum { BLOCKS = 4, BLOCKS_ALONE = 2, BLOCK_BYTES = 128 << 10, KEEP_BYTES = 64 << 10 };

/* A single text longer than this is not read. */
#define LONGEST_KEPT ((size_t)64 << 20)

struct block {
	char bytes[KEEP_BYTES + BLOCK_BYTES];
	size_t size; /* from bytes + KEEP_BYTES on */
};

struct tp_stream {
	struct tp_slice whole; /* of what is in memory as it is, until it was given */
	const char *name;
	struct tp_unpacker *unpacker; /* NULL: nothing is compressed */
	struct tp_blob *blob;         /* a file in pieces, else NULL */
	struct tp_err damage;         /* the thread's until it ended; status TP_OK: none */
	struct tp_err too_long;       /* the reader's, likewise */
	uint64_t at;                  /* of the next block; the thread's, where there is one */
	bool alone;                   /* blocks are filled when they are asked for */
	bool running;
	pthread_t thread;
	pthread_mutex_t lock; /* over the next five */
	pthread_cond_t changed;
	uint64_t filled, taken; /* blocks so far; block n is at n modulo BLOCKS */
	bool ended, given_up;   /* by the thread, by the reader */
	char *joined;
	size_t joined_capacity;
	struct block blocks[BLOCKS];
};

/* A block that may be written; NULL when nobody wants any more. */
static struct block *
wait_for_room(struct tp_stream *s)
{
	pthread_mutex_lock(&s->lock);
	/* The reader may be looking at the last that it took. */
	while (s->filled - s->taken >= BLOCKS - 1 && !s->given_up)
		pthread_cond_wait(&s->changed, &s->lock);
	struct block *b = s->given_up ? NULL : &s->blocks[s->filled % BLOCKS];

	pthread_mutex_unlock(&s->lock);
	return b;
}

static void
tell(struct tp_stream *s, bool filled, bool ended)
{
	pthread_mutex_lock(&s->lock);
	s->filled += filled;
	s->ended |= ended;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

/* The bytes that come next into a block, which is full but at the end. Whether this is the last. */
static bool
fill(struct tp_stream *s, struct block *b)
{
	char *to = b->bytes + KEEP_BYTES;
	enum tp_status status = TP_OK;

	if (s->unpacker != NULL)
		status = tp_unpacker_read(s->unpacker, to, BLOCK_BYTES, &b->size, &s->damage);
	else
		b->size = tp_blob_read(s->blob, s->at, to, BLOCK_BYTES);
	s->at += b->size;
	if (status != TP_OK || b->size < BLOCK_BYTES)
		return true;
	if (s->unpacker == NULL || s->at < TP_UNPACK_LIMIT)
		return false;
	tp_fail_at(&s->damage, TP_ERR_LIMIT, s->name, TP_NO_OFFSET,
		"unpacks to more than %zu GiB: the rest is not read", TP_UNPACK_LIMIT >> 30);
	return true;
}

static void *
fill_all(void *stream)
{
	struct tp_stream *s = stream;
	bool ended = false;

	while (!ended) {
		struct block *b = wait_for_room(s);

		if (b == NULL)
			break;
		ended = fill(s, b);
		tell(s, b->size != 0, ended);
	}
	return NULL;
}

static bool
start(struct tp_stream *s)
{
	if (pthread_mutex_init(&s->lock, NULL) != 0)
		return false;
	if (pthread_cond_init(&s->changed, NULL) == 0) {
		s->running = pthread_create(&s->thread, NULL, fill_all, s) == 0;
		if (s->running)
			return true;
		pthread_cond_destroy(&s->changed);
	}
	pthread_mutex_destroy(&s->lock);
	return false;
}

/* Where all is in memory and not compressed, the one window is all there is to it. */
static struct tp_stream *
open_blocks(struct tp_slice stored, struct tp_blob *blob, const char *name, struct tp_err *err)
{
	enum tp_packing packing = tp_packing_of(stored);
	struct tp_stream *s = malloc(sizeof *s);

	if (s == NULL) {
		tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET, "not enough memory to read it");
		return NULL;
	}
	memset(s, 0, offsetof(struct tp_stream, blocks));
	s->name = name;
	if (blob != NULL && tp_blob_in_pieces(blob)) {
		s->blob = blob;
	} else if (packing == TP_PACKING_NONE) {
		s->whole = stored;
	} else {
		s->unpacker = tp_unpacker_open(packing, stored, name, err);
		if (s->unpacker != NULL)
			return s;
		free(s);
		return NULL;
	}
	return s;
}

struct tp_stream *
tp_stream_open(struct tp_slice stored, struct tp_blob *blob, const char *name, struct tp_err *err)
{
	struct tp_stream *s = open_blocks(stored, blob, name, err);

	/* Where the system gives no thread, it takes longer. */
	if (s != NULL && (s->blob != NULL || s->unpacker != NULL))
		s->alone = !start(s);
	return s;
}

struct tp_stream *
tp_stream_open_alone(struct tp_slice stored, struct tp_blob *blob, uint64_t from, const char *name,
	struct tp_err *err)
{
	struct tp_stream *s = open_blocks(stored, blob, name, err);

	if (s == NULL)
		return NULL;
	s->alone = s->blob != NULL || s->unpacker != NULL;
	s->at = from;
	if (!s->alone)
		s->whole = from < stored.len ? tp_slice_from(stored, (size_t)from) : TP_S("");
	return s;
}

/* The next full block; NULL at the end. */
static struct block *
take(struct tp_stream *s)
{
	struct block *next = &s->blocks[s->taken % (s->alone ? BLOCKS_ALONE : BLOCKS)];

	if (s->alone) {
		if (s->ended)
			return NULL;
		s->ended = fill(s, next);
		s->taken++;
		return next->size != 0 ? next : NULL;
	}
	pthread_mutex_lock(&s->lock);
	while (s->taken == s->filled && !s->ended)
		pthread_cond_wait(&s->changed, &s->lock);
	struct block *b = s->taken != s->filled ? &s->blocks[s->taken % BLOCKS] : NULL;

	pthread_mutex_unlock(&s->lock);
	return b;
}

/* What is kept, then the block, where there is room for both; false when there is none. */
static bool
join(struct tp_stream *s, const char *kept, size_t keep, const struct block *b)
{
	size_t need = keep + b->size;

	if (need > LONGEST_KEPT)
		return false;
	if (need > s->joined_capacity) {
		char *more = malloc(2 * need);

		if (more == NULL)
			return false;
		memcpy(more, kept, keep);
		free(s->joined);
		s->joined = more;
		s->joined_capacity = 2 * need;
	} else if (kept != s->joined) {
		memmove(s->joined, kept, keep);
	}
	memcpy(s->joined + keep, b->bytes + KEEP_BYTES, b->size);
	return true;
}

static bool
more_blocks(struct tp_stream *s, struct tp_slice *window, size_t keep)
{
	struct block *b = take(s);

	if (b == NULL)
		return false;
	const char *kept = window->ptr + (window->len - keep);
	char *to = b->bytes + KEEP_BYTES - keep;

	if (keep > KEEP_BYTES) {
		if (!join(s, kept, keep, b)) {
			tp_fail_at(&s->too_long, TP_ERR_LIMIT, s->name, TP_NO_OFFSET,
				"one value is longer than %zu MiB: it and the rest are not read",
				LONGEST_KEPT >> 20);
			return false;
		}
		to = s->joined;
	} else if (keep != 0) {
		memcpy(to, kept, keep);
	}
	*window = (struct tp_slice){to, keep + b->size};
	if (s->alone)
		return true;
	/* Only now may the block before be written again. */
	pthread_mutex_lock(&s->lock);
	s->taken++;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
	return true;
}

bool
tp_stream_more(void *stream, struct tp_slice *window, size_t keep)
{
	struct tp_stream *s = stream;

	if (s->running || s->alone)
		return more_blocks(s, window, keep);
	if (s->whole.len == 0)
		return false;
	*window = s->whole;
	s->whole.len = 0;
	return true;
}

const struct tp_err *
tp_stream_damage(struct tp_stream *s)
{
	bool ended = true;

	if (s->too_long.status != TP_OK)
		return &s->too_long;
	if (s->running) {
		pthread_mutex_lock(&s->lock);
		ended = s->ended;
		pthread_mutex_unlock(&s->lock);
	}
	return ended && s->damage.status != TP_OK ? &s->damage : NULL;
}

void
tp_stream_close(struct tp_stream *s)
{
	if (s == NULL)
		return;
	if (s->running) {
		pthread_mutex_lock(&s->lock);
		s->given_up = true;
		pthread_cond_broadcast(&s->changed);
		pthread_mutex_unlock(&s->lock);
		pthread_join(s->thread, NULL);
		pthread_cond_destroy(&s->changed);
		pthread_mutex_destroy(&s->lock);
	}
	tp_unpacker_close(s->unpacker);
	free(s->joined);
	free(s);
}
