/* Calls of tf.data iterators as a forest: each call with those that it waited for, on its own thread or, through a buffer,
 * on another. */
#ifndef TP_ANALYZE_TF_DATA_FOREST_H
#define TP_ANALYZE_TF_DATA_FOREST_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;

/* One iterator of a host: an object of the running program. */
struct tp_iterator {
	struct tp_slice long_name; /* "Iterator::Root::Prefetch" */
	uint32_t parallelism;      /* threads of its own, as it says; 0: it does not say */
	bool root;                 /* a consumer calls it */
};

/* One call of an iterator; or an event between calls that hands an element on. */
struct tp_iterator_call {
	int64_t start_ps, end_ps;
	uint32_t iterator; /* TP_NONE: it hands an element on */
	uint32_t first_child,
		next; /* calls that it waits for; the next that its parent waits for; TP_NONE ends */
	bool handed_over; /* its parent runs on another thread */
	bool outermost;   /* no event of tf.data is around it on its thread */
};

struct tp_iterator_forest {
	struct tp_buf iterators; /* struct tp_iterator */
	struct tp_buf calls;     /* struct tp_iterator_call; by line, then by start */
	bool by_name;            /* iterators carry no id, so that equal names are one iterator */
};

/* What the events of each operation of the profile are here, for tp_iterator_forest_build; NULL when none is a call. */
const uint8_t *tp_iterator_events(const struct tp_profile *p, struct tp_arena *scratch);

/* The calls on the threads of a host. Source of the rule: group_events.cc of XLA (ConnectTfDataEvents): what a call
 * contains on its thread it waits for, and what makes the element that it consumes. Each call has at most one parent, and
 * those of a root none, so that the calls below roots are trees. The lists are the caller's to free. */
void tp_iterator_forest_build(const struct tp_profile *p, uint32_t host, const uint8_t *events,
	struct tp_iterator_forest *out, struct tp_arena *scratch);

#endif
