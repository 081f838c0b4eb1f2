/* Fetching objects in parts, several at a time, by threads that are there while there is something to fetch. */
#ifndef TP_IO_FETCH_H
#define TP_IO_FETCH_H

#include "base/err.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_bucket;

enum tp_object_known { TP_OBJECT_NEW, TP_OBJECT_THERE, TP_OBJECT_NOT_THERE };
enum tp_fetch_state { TP_FETCH_IDLE, TP_FETCH_QUEUED, TP_FETCH_DONE };

/* An object by its address. What stands first is the registry's (io/remote.c) and settled before it is fetched. */
struct tp_object {
	struct tp_slice path;     /* its address, NUL-terminated */
	struct tp_bucket *bucket; /* NULL: the command's */
	struct tp_slice key, secret, etag;
	enum tp_object_known known;
	bool size_known, no_ranges; /* the server sends all or nothing */
	uint64_t size_bytes;
	int64_t modified_unix_ns; /* 0: not known */
	struct tp_err why_not;    /* NOT_THERE */
	char *head;               /* its first bytes; NULL: not known */
	size_t head_size;

	/* The fetcher's, under its lock. */
	enum tp_fetch_state state;
	int fd; /* −1: none */
	bool ahead, kept;
	size_t expected_at; /* its place among those expected, from 1 on; 0: it is not */
	uint64_t next_byte, fetched_bytes;
	bool all_given; /* no part is left that nobody fetches */
	unsigned parts; /* on their way */
	struct tp_err err;
};

/* A file with its bytes, as tp_remote_open; waits for them. */
int tp_fetch_open(struct tp_object *o, struct tp_err *err);

/* The first bytes of what is fetched already, and how many in *size; false: it is not. */
bool tp_fetch_head(struct tp_object *o, char *to, size_t room, size_t *size);

/* These will be opened; the list, which malloc gave, is the fetcher's from now on. */
void tp_fetch_expect(struct tp_object **objects, size_t count);

void tp_fetch_watch(void (*tell)(void *with, const char *text), void *with);
void tp_fetch_end(void);

/* The shell command that fetches what has no bucket, with {} in it. */
void tp_fetch_by(const char *command);

#endif
