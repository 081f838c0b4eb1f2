/* A slice of a trace's text while it is read: of the events from one place to another, by itself, so that several can be read side by
 * side. Texts, tables and columns are its own. */
#ifndef TP_INGEST_TORCH_SLICE_H
#define TP_INGEST_TORCH_SLICE_H

#include "base/err.h"
#include "base/map.h"
#include "codec/json_pull.h"
#include "ingest/torch_columns.h"
#include "ingest/torch_event.h"

#include <stdint.h>

struct tp_source;
struct tp_stream;
struct tp_torch_gaps;

struct tp_torch_slice {
	struct tp_arena *keep, *scratch; /* of what goes over to the profile; of what does not */
	struct tp_strings strings;
	struct tp_stream *stream;
	struct tp_pull json;
	struct tp_torch_events events;
	struct tp_torch_gaps *gaps;
	struct tp_torch_columns columns;
	uint64_t from;  /* the byte where it begins */
	uint64_t stop;  /* the byte where the next begins: it ends at or behind it */
	uint64_t other; /* elements of the array that are no objects */
};

/* The text from its beginning, up to its end. ahead: a thread of its own reads or unpacks it in advance. NULL and err when there is no
 * memory. */
struct tp_torch_slice *tp_torch_slice_first(
	const struct tp_source *in, bool ahead, struct tp_err *err);

/* From `from` on, which should be the end of an element of the array that `first` is at the begin of. NULL: no memory. */
struct tp_torch_slice *tp_torch_slice_at(
	const struct tp_source *in, const struct tp_torch_slice *first, uint64_t from);

/* Within the array of events: reads up to `stop`, or to the array's end, which is taken too. False when the text ends or breaks
 * inside. Where json.depth says that the array goes on, it stands at an event's end. */
bool tp_torch_slice_read(struct tp_torch_slice *s);

/* keep goes with it; where it was given to a profile it is NULL by then. */
void tp_torch_slice_close(struct tp_torch_slice *s); /* NULL is allowed */

/* Where a slice may begin: the first end of an event, going by what stands around it, from `from` on and before `to`. False: there is
 * none. Whether it is one only reading from the array's begin can tell. */
bool tp_torch_slice_find(const struct tp_source *in, uint64_t from, uint64_t to, uint64_t *at);

#endif
