/* Rows for events of one track, so that those of a row nest: what lasts beyond the event it begins in stands in another row. Tools take
 * slices of a track for a stack. */
#ifndef TP_RENDER_NEST_H
#define TP_RENDER_NEST_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tp_nest {
	struct tp_buf
		rows;    /* struct tp_buf of int64_t: when what is open in it ends, the innermost last */
	size_t used; /* rows of the track in hand */
	void (*ended)(void *with, size_t row,
		int64_t at); /* called for each event once it is over; NULL: nobody asks */
	void *with;
};

/* The row of an event; they come in order of start. What is over by then in the rows that are looked at is ended first. */
size_t tp_nest_put(struct tp_nest *n, int64_t from, int64_t to);

/* Ends what is open; another track begins. */
void tp_nest_end(struct tp_nest *n);

void tp_nest_free(struct tp_nest *n);

#endif
