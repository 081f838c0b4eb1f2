/* What readers ask of an address. */
#include "io/remote.h"

#include "io/fetch.h"
#include "io/http.h"
#include "io/remote_object.h"
#include "io/spool.h"
#include "io/store.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

bool
tp_remote_is(const char *path)
{
	return tp_object_of(path) != NULL;
}

enum tp_place
tp_remote_place(const char *path, struct tp_err *err)
{
	struct tp_object *o = tp_object_of(path);

	if (o->key.len == 0 && o->bucket != NULL && o->bucket->store->lists)
		return TP_PLACE_FOLDER;
	if (tp_object_known(o) == TP_OBJECT_THERE)
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

bool
tp_remote_facts(const char *path, struct tp_file_facts *out)
{
	struct tp_object *o = tp_object_of(path);

	*out = (struct tp_file_facts){o->size_bytes, o->modified_unix_ns};
	return o->bucket != NULL && tp_object_known(o) == TP_OBJECT_THERE && o->size_known;
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
	struct tp_object *o = tp_object_of(path);
	size_t got;

	if (o->bucket == NULL)
		return head_of_command(o, to, room);
	if (o->key.len == 0 && o->bucket->store->lists)
		return 0;
	if (tp_fetch_head(o, to, room, &got))
		return got;
	tp_object_look(o);
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

/* Objects that are asked for, one after the other, by several threads. */
struct looking {
	pthread_mutex_t lock; /* over next */
	const char *const *paths;
	size_t count, next;
};

static void *
look_at_next(void *with)
{
	struct looking *l = with;

	for (;;) {
		pthread_mutex_lock(&l->lock);
		size_t i = l->next < l->count ? l->next++ : l->count;

		pthread_mutex_unlock(&l->lock);
		if (i == l->count)
			return NULL;
		struct tp_object *o = tp_object_of(l->paths[i]);

		if (o != NULL)
			tp_object_look(o);
	}
}

void
tp_remote_look(const char *const *paths, size_t count)
{
	enum { MOST_THREADS = 16 };
	struct looking l = {PTHREAD_MUTEX_INITIALIZER, paths, count, 0};
	pthread_t threads[MOST_THREADS];
	unsigned started = 0;

	if (!tp_object_any())
		return;
	while (started < MOST_THREADS && started < count &&
		pthread_create(&threads[started], NULL, look_at_next, &l) == 0)
		started++;
	for (unsigned i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

int
tp_remote_open(const char *path, struct tp_err *err)
{
	struct tp_object *o = tp_object_of(path);

	if (tp_object_known(o) != TP_OBJECT_THERE) {
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
		struct tp_object *o = tp_object_of(paths[i]);

		if (o != NULL && tp_object_known(o) == TP_OBJECT_THERE && !is_all_in_head(o))
			objects[found++] = o;
	}
	if (objects != NULL)
		tp_fetch_expect(objects, found);
}

void
tp_remote_watch(void (*tell)(void *with, const char *text), void *with)
{
	tp_fetch_watch(tell, with);
}

void
tp_remote_end(void)
{
	if (!tp_object_any())
		return;
	tp_http_stop();
	tp_fetch_end();
}
