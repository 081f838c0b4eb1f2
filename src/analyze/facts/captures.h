/* Whether what was put together was captured together. */
#ifndef TP_ANALYZE_CAPTURES_H
#define TP_ANALYZE_CAPTURES_H

#include <stddef.h>
#include <stdint.h>

struct tp_arena;
struct tp_profile;

struct tp_captures {
	size_t
		count; /* of hosts whose captures follow each other within a minute; 0: no host says when */
	int64_t longest_gap_ns; /* from the end of one to the start of the next; 0: there is one */
};

struct tp_captures tp_captures_of(const struct tp_profile *p, struct tp_arena *scratch);

/* The capture of each host, numbered from 0 in order of time; 0 where a host does not say when. */
const uint32_t *tp_captures_by_host(const struct tp_profile *p, struct tp_arena *scratch);

#endif
