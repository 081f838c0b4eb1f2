/* The addresses that are known, and what is known of each: one table for the whole program. */
#ifndef TP_IO_REMOTE_OBJECT_H
#define TP_IO_REMOTE_OBJECT_H

#include "io/fetch.h"
#include "io/store.h"

/* The object that a path names, of a bucket that is known; NULL: it is a path of this machine. */
struct tp_object *tp_object_of(const char *path);

/* One that a listing showed. */
void tp_object_add(struct tp_bucket *b, struct tp_slice path, const struct tp_object_seen *seen);

/* Whether it is there; asks, where nothing told yet. What only a command can tell is there until that fails. */
enum tp_object_known tp_object_known(struct tp_object *o);

/* Sees to its first bytes, where they can be had. */
void tp_object_look(struct tp_object *o);

/* Whether any address was taken. */
bool tp_object_any(void);

#endif
