/* Threads take the parts one after the other; the first that fails ends it for all. */
#include "io/upload.h"

#include "base/arena.h"
#include "base/ending.h"
#include "io/fetch.h"
#include "io/http.h"
#include "io/records_xml.h"
#include "io/store.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 8, PART_BYTES = 8 << 20, FEWEST_PARTS = 2, MOST_PARTS = 9000 };

struct upload {
	const struct tp_object *object;
	const char *type;
	struct tp_slice bytes, id;
	size_t part_bytes;
	unsigned count;
	struct tp_arena *arena;
	/* What the threads share, under the lock. */
	pthread_mutex_t lock;
	unsigned next;
	struct tp_slice *etags;
	struct tp_err err; /* of the first part that failed */
};

bool
tp_upload_takes(const struct tp_object *o, struct tp_slice bytes)
{
	const struct tp_store *store = o->bucket->store;

	return bytes.len > (size_t)FEWEST_PARTS * PART_BYTES && store->takes_parts != NULL &&
		store->takes_parts(o->bucket);
}

static struct tp_ask
ask_of(const struct upload *u, enum tp_store_op op)
{
	return (struct tp_ask){
		.op = op,
		.key = u->object->key,
		.secret = u->object->secret,
		.upload = u->id,
		.type = op == TP_STORE_BEGIN || op == TP_STORE_JOIN ? u->type : NULL,
		.fd = -1,
	};
}

static enum tp_status
begin(struct upload *u, struct tp_err *err)
{
	struct tp_ask ask = ask_of(u, TP_STORE_BEGIN);
	const struct tp_object *o = u->object;
	struct tp_http_reply reply = {0};

	if (o->bucket->store->begun == NULL)
		return TP_OK;
	enum tp_status status = tp_store_ask(o->bucket, &ask, o->path.ptr, &reply, err);

	if (status == TP_OK)
		u->id = o->bucket->store->begun(u->arena, tp_http_body(&reply));
	tp_http_free(&reply);
	if (status == TP_OK && u->id.len == 0)
		return tp_fail_at(err, TP_ERR_IO, o->path.ptr, TP_NO_OFFSET,
			"the server does not say how to send it in parts");
	return status;
}

/* It becomes a part of an XML text. */
static bool
is_plain(struct tp_slice etag)
{
	for (size_t i = 0; i < etag.len; i++) {
		if (strchr("<>&", etag.ptr[i]) != NULL)
			return false;
	}
	return true;
}

static void
send_part(struct upload *u, unsigned i)
{
	struct tp_ask ask = ask_of(u, TP_STORE_PART);
	struct tp_http_reply reply = {0};
	struct tp_err err = {.status = TP_OK};
	struct tp_slice rest = tp_slice_from(u->bytes, i * u->part_bytes);

	ask.part = i + 1;
	ask.body = (struct tp_slice){rest.ptr, rest.len < u->part_bytes ? rest.len : u->part_bytes};
	tp_store_ask(u->object->bucket, &ask, u->object->path.ptr, &reply, &err);
	struct tp_slice etag = tp_http_header(&reply, "etag");

	if (err.status == TP_OK && !is_plain(etag))
		tp_fail_at(&err, TP_ERR_IO, u->object->path.ptr, TP_NO_OFFSET,
			"the server gave a part a name that is not valid");
	pthread_mutex_lock(&u->lock);
	u->etags[i] = tp_arena_copy(u->arena, etag);
	if (u->err.status == TP_OK)
		u->err = err;
	pthread_mutex_unlock(&u->lock);
	tp_http_free(&reply);
}

static void *
send_parts(void *with)
{
	struct upload *u = with;

	for (;;) {
		pthread_mutex_lock(&u->lock);
		unsigned i = u->err.status == TP_OK && u->next < u->count ? u->next++ : u->count;

		pthread_mutex_unlock(&u->lock);
		if (i == u->count)
			return NULL;
		send_part(u, i);
	}
}

static enum tp_status
send_all(struct upload *u, struct tp_err *err)
{
	pthread_t threads[MOST_THREADS];
	unsigned started = 0;

	while (started < MOST_THREADS && started + 1 < u->count &&
		pthread_create(&threads[started], NULL, send_parts, u) == 0)
		started++;
	send_parts(u);
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	if (u->err.status != TP_OK && err != NULL)
		*err = u->err;
	return u->err.status;
}

/* S3 begins to answer before it knows, so that a good status may come with an error. */
static enum tp_status
join(struct upload *u, struct tp_err *err)
{
	struct tp_ask ask = ask_of(u, TP_STORE_JOIN);
	struct tp_http_reply reply = {0};
	const struct tp_object *o = u->object;
	char *text = NULL;
	FILE *out = open_memstream(&text, &ask.body.len);

	if (out == NULL)
		return tp_fail(err, TP_ERR_LIMIT, "out of memory");
	o->bucket->store->join(out, u->etags, u->count);
	fclose(out);
	ask.body.ptr = text;
	enum tp_status status = tp_store_ask(o->bucket, &ask, o->path.ptr, &reply, err);
	struct tp_slice answer = tp_http_body(&reply);

	while (answer.len != 0 && (unsigned char)*answer.ptr <= ' ')
		answer = tp_slice_from(answer, 1);
	struct tp_slice code = tp_xml_first(u->arena, answer, "Code", NULL);

	if (status == TP_OK && code.len != 0)
		status = tp_fail_at(err, TP_ERR_IO, o->path.ptr, TP_NO_OFFSET,
			"the server cannot join its parts (%.*s)", TP_ARG(code));
	free(text);
	tp_http_free(&reply);
	return status;
}

/* Nobody could say it later: the parts would lie there, and cost. */
static void
give_up(const struct upload *u)
{
	struct tp_ask ask = ask_of(u, TP_STORE_GIVE_UP);
	struct tp_http_reply reply = {0};

	if (u->id.len == 0)
		return;
	ask.last = true;
	tp_store_ask(u->object->bucket, &ask, u->object->path.ptr, &reply, NULL);
	tp_http_free(&reply);
}

enum tp_status
tp_upload(const struct tp_object *o, struct tp_slice bytes, const char *type, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new();
	struct upload u = {.object = o,
		.type = type,
		.bytes = bytes,
		.id = {"", 0},
		.arena = arena,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.part_bytes = PART_BYTES,
		.err = {.status = TP_OK}};

	while (bytes.len / u.part_bytes >= MOST_PARTS)
		u.part_bytes *= 2;
	u.count = (unsigned)((bytes.len + u.part_bytes - 1) / u.part_bytes);
	u.etags = tp_arena_alloc(arena, u.count * sizeof *u.etags);
	memset(u.etags, 0, u.count * sizeof *u.etags);
	tp_ending_hold();
	enum tp_status status = begin(&u, err);

	if (status == TP_OK)
		status = send_all(&u, err);
	if (status == TP_OK)
		status = join(&u, err);
	if (status != TP_OK)
		give_up(&u);
	tp_ending_release();
	tp_arena_free(arena);
	return status;
}
