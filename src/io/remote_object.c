/* Addresses are put down as they come from the command line or from listings; the first answer tells whether there is such an object. */
#include "io/remote_object.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "io/http.h"
#include "io/remote.h"
#include "io/spool.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEAD_BYTES = 256 << 10 };

static const struct tp_store *const stores[] = {
	&tp_store_s3, &tp_store_gs, &tp_store_azure, &tp_store_web};

/* As what is mounted is known to the system: once, to all. */
static struct {
	pthread_mutex_t lock; /* over what is known, not over what is being asked */
	struct tp_arena *arena;
	struct tp_buf buckets;   /* of struct tp_bucket * */
	struct tp_strings paths; /* of objects */
	struct tp_buf objects;   /* of struct tp_object *, by the number of their path */
	bool by_command;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
begin(void)
{
	if (all.arena != NULL)
		return;
	all.arena = tp_arena_new();
	tp_strings_init(&all.paths, all.arena);
}

static struct tp_bucket *
bucket_at(struct tp_slice address)
{
	struct tp_bucket **buckets = all.buckets.data;

	for (size_t i = 0; i < all.buckets.count; i++) {
		if (tp_slice_eq(buckets[i]->address, address))
			return buckets[i];
	}
	return NULL;
}

static struct tp_bucket *
add_bucket(const struct tp_store *store, const struct tp_address *a)
{
	struct tp_bucket *b = bucket_at(a->bucket);

	if (b == NULL) {
		b = tp_new(all.arena, struct tp_bucket);
		*b = (struct tp_bucket){
			.store = store,
			.address = tp_arena_copy(all.arena, a->bucket),
			.name = tp_arena_copy(all.arena, a->name),
			.arena = tp_arena_new(),
		};
		pthread_mutex_init(&b->lock, NULL);
		*tp_buf_new(&all.buckets, struct tp_bucket *) = b;
	}
	if (a->bucket_secret.len != 0)
		b->secret = tp_arena_copy(all.arena, a->bucket_secret);
	return b;
}

static struct tp_object *
object_at(struct tp_slice path)
{
	uint32_t id = all.arena != NULL ? tp_strings_find(&all.paths, path) : TP_MAP_NONE;

	return id < all.objects.count ? ((struct tp_object **)all.objects.data)[id] : NULL;
}

static struct tp_object *
add_object(struct tp_bucket *b, struct tp_slice path, struct tp_slice key)
{
	struct tp_object *o = object_at(path);

	if (o != NULL)
		return o;
	o = tp_new(all.arena, struct tp_object);
	path = tp_arena_copy(all.arena, path);
	*o = (struct tp_object){.path = path, .bucket = b, .fd = -1};
	o->key = b != NULL ? tp_slice_from(path, path.len - key.len) : path;
	uint32_t id = tp_intern(&all.paths, path);

	while (all.objects.count <= id)
		*tp_buf_new(&all.objects, struct tp_object *) = NULL;
	((struct tp_object **)all.objects.data)[id] = o;
	return o;
}

/* With the lock held. */
static struct tp_object *
find(const char *path)
{
	struct tp_slice text = tp_slice_of(path);
	struct tp_object *o = object_at(text);
	struct tp_bucket **buckets = all.buckets.data;

	for (size_t i = 0; i < all.buckets.count && o == NULL; i++) {
		struct tp_slice rest = tp_slice_from(text, buckets[i]->address.len);

		if (tp_slice_starts(text, buckets[i]->address) && (rest.len == 0 || *rest.ptr == '/'))
			o = add_object(buckets[i], text, tp_slice_from(rest, 1));
	}
	return o;
}

struct tp_object *
tp_object_of(const char *path)
{
	pthread_mutex_lock(&all.lock);
	struct tp_object *o = all.arena != NULL ? find(path) : NULL;

	pthread_mutex_unlock(&all.lock);
	return o;
}

/* "s3://bucket/logs" of "s3://bucket/logs/"; another object of the same name, but with another query, gets a number. */
static const char *
name_object(struct tp_bucket *b, const struct tp_address *a)
{
	struct tp_slice key = a->key;

	while (key.len != 0 && b->store->lists && key.ptr[key.len - 1] == '/')
		key.len--;
	for (unsigned number = 1;; number++) {
		struct tp_slice path = key.len == 0
			? b->address
			: tp_arena_printf(all.arena, "%.*s/%.*s", TP_ARG(b->address), TP_ARG(key));

		if (number > 1)
			path = tp_arena_printf(all.arena, "%.*s#%u", TP_ARG(path), number);
		struct tp_object *known = object_at(path);

		if (known != NULL && !tp_slice_eq(known->secret, a->secret))
			continue;
		struct tp_object *o = add_object(b, path, key);

		o->key = tp_arena_copy(all.arena, key);
		o->secret = tp_arena_copy(all.arena, a->secret);
		return o->path.ptr;
	}
}

static const char *
take_address(struct tp_slice word)
{
	struct tp_arena *scratch = tp_arena_new();
	const char *path = NULL;

	for (size_t i = 0; i < sizeof stores / sizeof *stores && path == NULL; i++) {
		struct tp_address a = {.key = {"", 0}};

		if (stores[i]->take(word, scratch, &a))
			path = name_object(add_bucket(stores[i], &a), &a);
	}
	tp_arena_free(scratch);
	return path;
}

const char *
tp_remote_take(const char *word)
{
	const char *path = NULL;

	if (strcmp(word, "-") == 0)
		return word;
	pthread_mutex_lock(&all.lock);
	if (all.by_command && access(word, F_OK) != 0) {
		path = add_object(NULL, tp_slice_of(word), tp_slice_of(word))->path.ptr;
	} else if (strstr(word, "://") != NULL) {
		begin();
		path = take_address(tp_slice_of(word));
	}
	pthread_mutex_unlock(&all.lock);
	return path != NULL ? path : word;
}

enum tp_status
tp_remote_fetch_by(const char *command, struct tp_err *err)
{
	if (strstr(command, "{}") == NULL)
		return tp_fail(err, TP_ERR_USAGE,
			"--fetch %s: write {} where the path belongs, e.g. --fetch 'rclone cat {}'", command);
	begin();
	all.by_command = true;
	tp_fetch_by(command);
	return TP_OK;
}

/* What an answer to the first bytes tells. */
static void
learn(struct tp_object *o, const struct tp_http_reply *reply)
{
	struct tp_slice etag = tp_http_header(reply, "etag");

	o->known = TP_OBJECT_THERE;
	o->no_ranges = reply->status == 200;
	o->size_known = tp_http_whole_size(reply, &o->size_bytes);
	o->modified_unix_ns = tp_time_of_http(tp_http_header(reply, "last-modified"));
	if (o->etag.len == 0)
		o->etag = tp_arena_copy(all.arena, etag);
}

static void
read_head(struct tp_object *o, int fd)
{
	char *head = malloc(HEAD_BYTES);
	ssize_t size = head != NULL ? pread(fd, head, HEAD_BYTES, 0) : 0;

	o->head = head;
	o->head_size = size > 0 ? (size_t)size : 0;
}

/* Asks for the first bytes, which tell whether there is such an object. */
static void
look_at(struct tp_object *o)
{
	struct tp_http_reply reply = {0};
	struct tp_ask ask = {.op = TP_STORE_READ,
		.key = o->key,
		.secret = o->secret,
		.last_byte = HEAD_BYTES - 1,
		.most_bytes = HEAD_BYTES};
	struct tp_err err = {.status = TP_OK};
	enum tp_status status;

	ask.fd = tp_spool_open(HEAD_BYTES, &err);
	status = ask.fd >= 0 ? tp_store_ask(o->bucket, &ask, o->path.ptr, &reply, &err) : err.status;
	pthread_mutex_lock(&all.lock);
	if (o->known == TP_OBJECT_NEW && status == TP_OK)
		learn(o, &reply);
	else if (o->known == TP_OBJECT_NEW)
		o->known = TP_OBJECT_NOT_THERE;
	o->why_not = err;
	if (o->head == NULL && status == TP_OK)
		read_head(o, ask.fd);
	pthread_mutex_unlock(&all.lock);
	if (ask.fd >= 0)
		close(ask.fd);
	tp_http_free(&reply);
}

static enum tp_object_known
told(const struct tp_object *o, bool *head)
{
	pthread_mutex_lock(&all.lock);
	enum tp_object_known known = o->known;

	*head = o->head != NULL;
	pthread_mutex_unlock(&all.lock);
	return known;
}

enum tp_object_known
tp_object_known(struct tp_object *o)
{
	bool head;

	if (o->bucket == NULL)
		return TP_OBJECT_THERE;
	if (told(o, &head) == TP_OBJECT_NEW)
		look_at(o);
	return told(o, &head);
}

void
tp_object_look(struct tp_object *o)
{
	bool head;

	if (o->bucket != NULL && told(o, &head) != TP_OBJECT_NOT_THERE && !head)
		look_at(o);
}

void
tp_object_add(struct tp_bucket *b, struct tp_slice path, const struct tp_object_seen *seen)
{
	pthread_mutex_lock(&all.lock);
	struct tp_object *o = add_object(b, path, seen->key);

	if (o->known != TP_OBJECT_THERE) {
		o->known = TP_OBJECT_THERE;
		o->size_known = true;
		o->size_bytes = seen->size_bytes;
		o->modified_unix_ns = seen->modified_unix_ns;
		o->etag = tp_arena_copy(all.arena, seen->etag);
	}
	pthread_mutex_unlock(&all.lock);
}

bool
tp_object_any(void)
{
	return all.arena != NULL;
}
