/* A queue of objects, each cut into parts. Threads take parts: those of what somebody waits for first, then of what will be opened
 * next, within bounds. */
#include "io/fetch.h"

#include "io/command.h"
#include "io/http.h"
#include "io/spool.h"
#include "io/store.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST_THREADS = 16,
	PART_BYTES = 8 << 20,
	MOST_AHEAD = 32, /* objects that are fetched before they are opened */
	MOST_KEPT = 32,  /* that were opened: they may be opened again */
};

/* Of them together; each that is small lies in memory. */
static const uint64_t most_ahead_bytes = (uint64_t)256 << 20;
static const uint64_t most_kept_bytes = (uint64_t)256 << 20;

struct part {
	struct tp_object *object;
	uint64_t first_byte, last_byte;
};

/* What all threads share, as the files of a file system are shared. */
static struct {
	pthread_mutex_t lock; /* over all of it, and over the fetcher's part of objects */
	pthread_cond_t changed;
	pthread_t threads[MOST_THREADS];
	unsigned thread_count, idle_count;
	struct tp_buf queue; /* of struct tp_object *: with parts that nobody fetches yet */
	struct tp_object **expected;
	size_t expected_count, next_expected, released;
	unsigned ahead_count;
	uint64_t ahead_bytes;
	struct tp_object *kept[MOST_KEPT];
	unsigned kept_count;
	uint64_t kept_bytes;
	const char *command;
	void (*tell)(void *with, const char *text);
	void *with;
	bool stopped;
} f = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void
finish(struct tp_object *o)
{
	o->state = TP_FETCH_DONE;
	if (o->err.status != TP_OK && o->fd >= 0) {
		close(o->fd);
		o->fd = -1;
	}
	pthread_cond_broadcast(&f.changed);
}

static void
enqueue(struct tp_object *o, bool first)
{
	struct tp_object **all;

	o->state = TP_FETCH_QUEUED;
	o->next_byte = o->fetched_bytes = 0;
	o->all_given = false;
	o->parts = 0;
	o->err = (struct tp_err){.status = TP_OK};
	*tp_buf_new(&f.queue, struct tp_object *) = o;
	all = f.queue.data;
	if (first) {
		memmove(all + 1, all, (f.queue.count - 1) * sizeof *all);
		all[0] = o;
	}
}

static void
dequeue(size_t at)
{
	struct tp_object **all = f.queue.data;

	memmove(all + at, all + at + 1, (f.queue.count - at - 1) * sizeof *all);
	f.queue.count--;
}

static void
leave_ahead(struct tp_object *o)
{
	if (!o->ahead)
		return;
	o->ahead = false;
	f.ahead_count--;
	f.ahead_bytes -= o->size_known ? o->size_bytes : 0;
}

/* The next of those that will be opened, where that is within bounds. */
static bool
enqueue_expected(void)
{
	while (f.next_expected < f.expected_count) {
		struct tp_object *o = f.expected[f.next_expected];
		uint64_t size_bytes = o->size_known ? o->size_bytes : 0;

		if (o->state != TP_FETCH_IDLE) {
			f.next_expected++;
			continue;
		}
		if (f.ahead_count != 0 &&
			(f.ahead_count >= MOST_AHEAD || f.ahead_bytes + size_bytes > most_ahead_bytes))
			return false;
		f.next_expected++;
		o->ahead = true;
		f.ahead_count++;
		f.ahead_bytes += size_bytes;
		enqueue(o, false);
		return true;
	}
	return false;
}

/* Cuts the next part off; the last one takes the object out of the queue. */
static void
cut_part(struct tp_object *o, size_t at, struct part *part)
{
	*part = (struct part){o, o->next_byte, UINT64_MAX};
	if (o->fd < 0)
		o->fd = tp_spool_open(o->size_known ? o->size_bytes : UINT64_MAX, &o->err);
	o->all_given = true;
	if (o->size_known && !o->no_ranges && o->bucket != NULL &&
		o->size_bytes - o->next_byte > PART_BYTES && o->err.status == TP_OK) {
		o->next_byte += PART_BYTES;
		part->last_byte = o->next_byte - 1;
		o->all_given = false;
	} else if (o->size_known && !o->no_ranges && o->size_bytes != 0) {
		part->last_byte = o->size_bytes - 1;
	}
	o->parts++;
	if (o->all_given)
		dequeue(at);
}

/* Waits for a part; false: there will be none. With the lock held. */
static bool
wait_for_part(struct part *part)
{
	while (!f.stopped) {
		if (f.queue.count != 0 || enqueue_expected()) {
			cut_part(((struct tp_object **)f.queue.data)[0], 0, part);
			return true;
		}
		f.idle_count++;
		pthread_cond_wait(&f.changed, &f.lock);
		f.idle_count--;
	}
	return false;
}

static enum tp_status
fetch_by_store(const struct part *part, struct tp_err *err)
{
	const struct tp_object *o = part->object;
	struct tp_http_reply reply = {0};
	struct tp_ask ask = {
		.op = TP_STORE_READ,
		.key = o->key,
		.secret = o->secret,
		/* A weak one is good for nothing here. */
		.if_match = tp_slice_starts(o->etag, TP_S("\"")) ? o->etag : TP_S(""),
		.first_byte = part->first_byte,
		.last_byte = part->last_byte,
		.fd = o->fd,
	};
	enum tp_status status = tp_store_ask(o->bucket, &ask, o->path.ptr, &reply, err);

	tp_http_free(&reply);
	return status;
}

static void
fetch_part(const struct part *part)
{
	struct tp_object *o = part->object;
	struct tp_err err = o->err;

	if (err.status == TP_OK && o->size_known && o->size_bytes == 0)
		return;
	pthread_mutex_unlock(&f.lock);
	if (err.status == TP_OK && o->bucket == NULL)
		tp_command_run(f.command, o->path.ptr, o->fd, &err);
	else if (err.status == TP_OK)
		fetch_by_store(part, &err);
	pthread_mutex_lock(&f.lock);
	if (o->err.status == TP_OK)
		o->err = err;
	if (part->last_byte != UINT64_MAX)
		o->fetched_bytes += part->last_byte - part->first_byte + 1;
}

/* Nobody wants the rest of what cannot be had whole. */
static void
give_up_rest(struct tp_object *o)
{
	struct tp_object **all = f.queue.data;

	for (size_t i = 0; i < f.queue.count && !o->all_given; i++) {
		if (all[i] == o) {
			o->all_given = true;
			dequeue(i);
		}
	}
}

static void *
work(void *nothing)
{
	struct part part;

	(void)nothing;
	pthread_mutex_lock(&f.lock);
	while (wait_for_part(&part)) {
		fetch_part(&part);
		if (part.object->err.status != TP_OK)
			give_up_rest(part.object);
		if (--part.object->parts == 0 && part.object->all_given)
			finish(part.object);
	}
	pthread_mutex_unlock(&f.lock);
	return NULL;
}

/* So that as many parts can be fetched at a time; where no more threads are to be had, fewer do it. */
static void
start_threads(uint64_t parts)
{
	for (uint64_t idle = f.idle_count; idle < parts && f.thread_count < MOST_THREADS; idle++) {
		if (f.stopped || pthread_create(&f.threads[f.thread_count], NULL, work, NULL) != 0)
			break;
		f.thread_count++;
	}
	pthread_cond_broadcast(&f.changed);
}

static void
forget(struct tp_object *o)
{
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	o->state = TP_FETCH_IDLE;
}

/* Those long behind what is opened will not be: their files were not wanted. */
static void
release_behind(size_t opened)
{
	while (f.released + 2 * MOST_AHEAD < opened) {
		struct tp_object *o = f.expected[f.released++];

		if (!o->ahead || o->state != TP_FETCH_DONE)
			continue;
		leave_ahead(o);
		forget(o);
	}
}

static void
drop_oldest(void)
{
	struct tp_object *old = f.kept[0];

	memmove(f.kept, f.kept + 1, --f.kept_count * sizeof *f.kept);
	f.kept_bytes -= old->size_bytes;
	old->kept = false;
	forget(old);
}

/* It may be opened again: those that were kept longest go. */
static void
keep(struct tp_object *o)
{
	if (o->kept)
		return;
	while (f.kept_count == MOST_KEPT ||
		(f.kept_count != 0 && f.kept_bytes + o->size_bytes > most_kept_bytes))
		drop_oldest();
	o->kept = true;
	f.kept[f.kept_count++] = o;
	f.kept_bytes += o->size_bytes;
}

static void
tell_waiting(const struct tp_object *o)
{
	char text[400];

	if (f.tell == NULL)
		return;
	if (o->size_known && o->size_bytes >= 10 << 20)
		snprintf(text, sizeof text, "fetching %llu of %llu MiB: %s",
			(unsigned long long)(o->fetched_bytes >> 20), (unsigned long long)(o->size_bytes >> 20),
			o->path.ptr);
	else
		snprintf(text, sizeof text, "fetching %s", o->path.ptr);
	f.tell(f.with, text);
}

static void
wait_for(struct tp_object *o)
{
	while (o->state != TP_FETCH_DONE && !f.stopped) {
		struct timespec until;

		if (o->state == TP_FETCH_IDLE) /* it was dropped before we woke up */
			enqueue(o, true);

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 250000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (pthread_cond_timedwait(&f.changed, &f.lock, &until) == ETIMEDOUT)
			tell_waiting(o);
	}
}

int
tp_fetch_open(struct tp_object *o, struct tp_err *err)
{
	int fd = -1;

	pthread_mutex_lock(&f.lock);
	if (o->state == TP_FETCH_IDLE)
		enqueue(o, true);
	start_threads(o->size_known ? o->size_bytes / PART_BYTES + 1 : 1);
	if (f.thread_count != 0)
		wait_for(o);
	leave_ahead(o);
	if (f.thread_count == 0) {
		tp_fail_at(
			err, TP_ERR_LIMIT, o->path.ptr, TP_NO_OFFSET, "no thread is available to fetch it");
	} else if (o->state != TP_FETCH_DONE || o->err.status != TP_OK) {
		if (err != NULL)
			*err = o->err;
	} else {
		keep(o);
		fd = fcntl(o->fd, F_DUPFD_CLOEXEC, 3);
		if (fd < 0)
			tp_fail_at(
				err, TP_ERR_IO, o->path.ptr, TP_NO_OFFSET, "cannot open: %s", strerror(errno));
	}
	if (o->expected_at != 0)
		release_behind(o->expected_at - 1);
	pthread_cond_broadcast(&f.changed); /* there is room for more ahead */
	pthread_mutex_unlock(&f.lock);
	return fd;
}

bool
tp_fetch_head(struct tp_object *o, char *to, size_t room, size_t *size)
{
	pthread_mutex_lock(&f.lock);
	ssize_t got = o->state == TP_FETCH_DONE && o->fd >= 0 ? pread(o->fd, to, room, 0) : -1;

	pthread_mutex_unlock(&f.lock);
	*size = got > 0 ? (size_t)got : 0;
	return got >= 0;
}

void
tp_fetch_expect(struct tp_object **objects, size_t count)
{
	pthread_mutex_lock(&f.lock);
	for (size_t i = 0; i < f.expected_count; i++)
		f.expected[i]->expected_at = 0;
	free(f.expected);
	f.expected = objects;
	f.expected_count = count;
	f.next_expected = f.released = 0;
	for (size_t i = 0; i < count; i++)
		objects[i]->expected_at = i + 1;
	if (count != 0)
		start_threads(count);
	pthread_mutex_unlock(&f.lock);
}

void
tp_fetch_watch(void (*tell)(void *with, const char *text), void *with)
{
	pthread_mutex_lock(&f.lock);
	f.tell = tell;
	f.with = with;
	pthread_mutex_unlock(&f.lock);
}

void
tp_fetch_by(const char *command)
{
	f.command = command;
}

void
tp_fetch_end(void)
{
	pthread_mutex_lock(&f.lock);
	f.stopped = true;
	pthread_cond_broadcast(&f.changed);
	pthread_mutex_unlock(&f.lock);
	for (unsigned i = 0; i < f.thread_count; i++)
		pthread_join(f.threads[i], NULL);
	f.thread_count = 0;
	tp_buf_free(&f.queue);
	free(f.expected);
	f.expected = NULL;
	f.expected_count = 0;
}
