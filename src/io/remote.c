/* The addresses that are known, and what is known of each. */
#include "io/remote.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/path.h"
#include "io/fetch.h"
#include "io/http.h"
#include "io/spool.h"
#include "io/store.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { HEAD_BYTES = 256 << 10, PAGE_KEYS = 1000, MOST_FILES = 1000000 };

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

/* The object that a path names, of a bucket that is known; NULL: it is a path of this machine. With the lock held. */
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

static struct tp_object *
object_of(const char *path)
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

bool
tp_remote_is(const char *path)
{
	return object_of(path) != NULL;
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

/* What only a command can tell is there until that fails. */
static enum tp_object_known
known_of(struct tp_object *o)
{
	if (o->bucket == NULL)
		return TP_OBJECT_THERE;
	pthread_mutex_lock(&all.lock);
	bool new = o->known == TP_OBJECT_NEW;

	pthread_mutex_unlock(&all.lock);
	if (new)
		look_at(o);
	return o->known;
}

enum tp_place
tp_remote_place(const char *path, struct tp_err *err)
{
	struct tp_object *o = object_of(path);

	if (o->key.len == 0 && o->bucket != NULL && o->bucket->store->lists)
		return TP_PLACE_FOLDER;
	if (known_of(o) == TP_OBJECT_THERE)
		return TP_PLACE_FILE;
	/* Who may not list a bucket is also told that he may not read what is not there. */
	bool perhaps = o->why_not.status == TP_ABSENT ||
		tp_slice_has(tp_slice_of(o->why_not.text), TP_S("access denied"));

	if (o->bucket->store->lists && perhaps)
		return TP_PLACE_FOLDER;
	*err = o->why_not;
	err->status = TP_ERR_IO;
	return TP_PLACE_NONE;
}

struct listing {
	struct tp_bucket *bucket;
	struct tp_arena *arena; /* for the paths */
	struct tp_buf found;    /* of struct tp_slice */
	bool full;
};

/* Markers of folders, which some programs make, are no files. */
static void
see(void *with, const struct tp_object_seen *seen)
{
	struct listing *l = with;

	if (seen->key.len == 0 || seen->key.ptr[seen->key.len - 1] == '/')
		return;
	l->full |= l->found.count == MOST_FILES;
	if (l->full)
		return;
	struct tp_slice path =
		tp_arena_printf(l->arena, "%.*s/%.*s", TP_ARG(l->bucket->address), TP_ARG(seen->key));

	pthread_mutex_lock(&all.lock);
	struct tp_object *o = add_object(l->bucket, path, seen->key);

	if (o->known != TP_OBJECT_THERE) {
		o->known = TP_OBJECT_THERE;
		o->size_known = true;
		o->size_bytes = seen->size_bytes;
		o->modified_unix_ns = seen->modified_unix_ns;
		o->etag = tp_arena_copy(all.arena, seen->etag);
	}
	pthread_mutex_unlock(&all.lock);
	*tp_buf_new(&l->found, struct tp_slice) = path;
}

static enum tp_status
list_pages(struct listing *l, struct tp_slice prefix, const char *shown, struct tp_err *err)
{
	struct tp_arena *arena = tp_arena_new(), *other = tp_arena_new();
	struct tp_http_reply reply = {0};
	struct tp_page page = {.see = see, .with = l};
	enum tp_status status;

	do {
		struct tp_ask ask = {.op = TP_STORE_LIST,
			.key = prefix,
			.page = page.next,
			.page_keys = PAGE_KEYS,
			.fd = -1};

		status = tp_store_ask(l->bucket, &ask, shown, &reply, err);
		page.next = (struct tp_slice){"", 0};
		/* The name of the next page lives in the arena of the one before. */
		struct tp_arena *swap = arena;

		arena = other;
		other = swap;
		tp_arena_reset(arena);
		if (status == TP_OK)
			status = l->bucket->store->page(l->bucket, tp_http_body(&reply), arena, &page, err);
	} while (status == TP_OK && page.next.len != 0 && !l->full);
	tp_http_free(&reply);
	tp_arena_free(arena);
	tp_arena_free(other);
	return status;
}

static enum tp_status
fail_without_any(const struct tp_object *o, const char *path, struct tp_err *err)
{
	if (o->why_not.status != TP_OK && o->why_not.status != TP_ABSENT) {
		*err = o->why_not;
		return err->status;
	}
	return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET,
		"not found: there is no object of this name, and none below it");
}

static int
by_path(const void *a, const void *b)
{
	return tp_slice_cmp(*(const struct tp_slice *)a, *(const struct tp_slice *)b);
}

enum tp_status
tp_remote_list(
	struct tp_arena *arena, const char *path, struct tp_file_list *out, struct tp_err *err)
{
	struct tp_object *o = object_of(path);
	struct listing l = {.bucket = o->bucket, .arena = arena};
	enum tp_place place = tp_remote_place(path, err);
	enum tp_status status = place == TP_PLACE_NONE ? err->status : TP_OK;

	*out = (struct tp_file_list){.directories = place == TP_PLACE_FOLDER};
	if (place == TP_PLACE_FILE)
		*tp_buf_new(&l.found, struct tp_slice) = o->path;
	else if (place == TP_PLACE_FOLDER)
		status = list_pages(&l,
			o->key.len != 0 ? tp_arena_printf(arena, "%.*s/", TP_ARG(o->key)) : TP_S(""), path,
			err);
	if (status == TP_OK && l.found.count == 0)
		status = fail_without_any(o, path, err);
	if (status == TP_ABSENT) /* for who searches that means: files, but none to read */
		status = err->status = TP_ERR_IO;
	if (l.full) {
		out->gaps = tp_new(arena, struct tp_list_gap);
		out->gaps->path = o->path;
		out->gaps->why = tp_arena_printf(arena, "limit of %d files reached", MOST_FILES);
		out->gap_count = 1;
	}
	out->count = l.found.count;
	out->paths = tp_buf_settle(&l.found, sizeof *out->paths, arena);
	if (out->count != 0)
		qsort(out->paths, out->count, sizeof *out->paths, by_path);
	return status;
}

bool
tp_remote_facts(const char *path, struct tp_file_facts *out)
{
	struct tp_object *o = object_of(path);

	*out = (struct tp_file_facts){o->size_bytes, o->modified_unix_ns};
	return o->bucket != NULL && known_of(o) == TP_OBJECT_THERE && o->size_known;
}

static size_t
head_of_command(const struct tp_object *o, char *to, size_t room)
{
	struct tp_err err;
	int fd = tp_remote_open(o->path.ptr, &err);
	ssize_t size = fd >= 0 ? pread(fd, to, room, 0) : 0;

	if (fd >= 0)
		close(fd);
	return size > 0 ? (size_t)size : 0;
}

size_t
tp_remote_head(const char *path, char *to, size_t room)
{
	struct tp_object *o = object_of(path);

	if (o->bucket == NULL)
		return head_of_command(o, to, room);
	if (o->key.len == 0 && o->bucket->store->lists)
		return 0;
	if (known_of(o) != TP_OBJECT_THERE)
		return 0;
	if (o->head == NULL)
		look_at(o);
	size_t size = o->head_size < room ? o->head_size : room;

	if (size != 0)
		memcpy(to, o->head, size);
	return size;
}

/* Of a small object its first bytes are all. */
static bool
is_all_in_head(const struct tp_object *o)
{
	return o->head != NULL && o->size_known && o->head_size == o->size_bytes;
}

static int
open_head(const struct tp_object *o, struct tp_err *err)
{
	int fd = tp_spool_open(o->head_size, err);

	if (fd >= 0 && pwrite(fd, o->head, o->head_size, 0) != (ssize_t)o->head_size) {
		tp_fail_at(err, TP_ERR_IO, o->path.ptr, TP_NO_OFFSET, "cannot keep what was fetched: %s",
			strerror(errno));
		close(fd);
		return -1;
	}
	return fd;
}

int
tp_remote_open(const char *path, struct tp_err *err)
{
	struct tp_object *o = object_of(path);

	if (known_of(o) != TP_OBJECT_THERE) {
		if (err != NULL)
			*err = o->why_not;
		return -1;
	}
	return is_all_in_head(o) ? open_head(o, err) : tp_fetch_open(o, err);
}

void
tp_remote_expect(const char *const *paths, size_t count)
{
	struct tp_object **objects = malloc(count * sizeof *objects + 1);
	size_t found = 0;

	for (size_t i = 0; i < count && objects != NULL; i++) {
		struct tp_object *o = object_of(paths[i]);

		if (o != NULL && known_of(o) == TP_OBJECT_THERE && !is_all_in_head(o))
			objects[found++] = o;
	}
	if (objects != NULL)
		tp_fetch_expect(objects, found);
}

/* So that a browser shows what it is given. */
static const char *
type_of(const char *path)
{
	static const struct {
		const char *suffix, *type;
	} types[] = {
		{".html", "text/html; charset=utf-8"},
		{".pdf", "application/pdf"},
		{".json", "application/json"},
		{".css", "text/css; charset=utf-8"},
		{".md", "text/markdown; charset=utf-8"},
		{".txt", "text/plain; charset=utf-8"},
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (tp_path_has_suffix(tp_slice_of(path), types[i].suffix))
			return types[i].type;
	}
	return "application/octet-stream";
}

enum tp_status
tp_remote_write(const char *path, struct tp_slice bytes, struct tp_err *err)
{
	struct tp_object *o = object_of(path);
	struct tp_http_reply reply = {0};

	if (o->bucket == NULL || o->key.len == 0)
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET,
			o->bucket == NULL ? "cannot write: --fetch only reads"
							  : "cannot write: the object has no name");
	struct tp_ask ask = {.op = TP_STORE_WRITE,
		.key = o->key,
		.secret = o->secret,
		.body = bytes,
		.type = type_of(path),
		.fd = -1};
	enum tp_status status = tp_store_ask(o->bucket, &ask, path, &reply, err);

	tp_http_free(&reply);
	if (status != TP_OK) {
		tp_while(err, "cannot write");
		err->status = TP_ERR_IO;
	}
	return err != NULL && status != TP_OK ? TP_ERR_IO : status;
}

void
tp_remote_watch(void (*tell)(void *with, const char *text), void *with)
{
	tp_fetch_watch(tell, with);
}

void
tp_remote_end(void)
{
	if (all.arena == NULL)
		return;
	tp_http_stop();
	tp_fetch_end();
}
