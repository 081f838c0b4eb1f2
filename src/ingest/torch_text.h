/* The text of a trace, read: slices in their order, and what stands beside the events. No profile is needed for it, so that any number
 * of files can be read side by side. */
#ifndef TP_INGEST_TORCH_TEXT_H
#define TP_INGEST_TORCH_TEXT_H

#include "base/buf.h"
#include "base/diag.h"
#include "base/err.h"
#include "ingest/torch_meta.h"

struct tp_arena;
struct tp_source;
struct tp_torch_slice;

struct tp_torch_text {
	struct tp_arena *arena; /* of diags; goes over to the profile */
	struct tp_diags diags;  /* met on the way */
	struct tp_torch_meta meta;
	struct tp_torch_slice **slices;
	size_t slice_count;
	bool found;                                 /* an array of events */
	uint64_t other, repairs, non_finite_values; /* of all slices */
	const struct tp_torch_slice *last;          /* the one that came to the end of the text */
};

/* Reads all of it. NULL and err when there is no memory. */
struct tp_torch_text *tp_torch_text_read(const struct tp_source *in, struct tp_err *err);
void tp_torch_text_close(struct tp_torch_text *t);

#endif
