/* Regular expressions over whole texts, in bounded time whatever they are: where one tries too many ways, it is given up, and that is
 * kept. */
#ifndef TP_BASE_PATTERN_H
#define TP_BASE_PATTERN_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_pattern;

/* A list of them. Zeroed: empty. */
struct tp_patterns {
	struct tp_pattern *items;
	uint32_t count;
	bool all;                  /* the one item is ".*" */
	struct tp_slice given_up;  /* the first that took too long; empty: none did */
	struct tp_slice all_of_it; /* the list as it was written */
};

/* Compiles what stands between commas, empty items left out; the texts of PCRE2, of which those of RE2 are a part. The list before is
 * freed. TP_ERR_USAGE: one is no pattern, and err says where it is wrong; the list is as it was. */
enum tp_status tp_patterns_set(
	struct tp_patterns *list, struct tp_slice commas, struct tp_err *err);

/* How many of the patterns match the whole of text; those that were given up match nothing. */
unsigned tp_patterns_matching(struct tp_patterns *list, struct tp_slice text);

/* Whether the one at this index does. */
bool tp_patterns_nth_matches(struct tp_patterns *list, uint32_t nth, struct tp_slice text);

/* Whether any does; with ".*" alone without a look at the text. */
bool tp_patterns_match(struct tp_patterns *list, struct tp_slice text);

void tp_patterns_free(struct tp_patterns *list);

#endif
