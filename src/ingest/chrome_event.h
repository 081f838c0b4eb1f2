/* One entry of a Chrome trace, whichever members it has and in whatever order. */
#ifndef TP_INGEST_CHROME_EVENT_H
#define TP_INGEST_CHROME_EVENT_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_draft_tracks;
struct tp_pull;

/* A time in µs as written, exact: whole µs, and what is left of them. */
struct tp_chrome_time {
	bool told;
	int64_t us, rest_ps; /* rest_ps: 0 … 999,999 */
};

/* Who does it, or which of several it is: a number, or a text by its hash. */
struct tp_chrome_id {
	bool told;
	uint64_t number;
	uint32_t text; /* of the draft, where it is no number; else 0 */
};

struct tp_chrome_value {
	uint32_t key; /* text of the draft */
	double value;
};

struct tp_chrome_event {
	char phase;  /* '\0': none */
	bool torch;  /* of a category that PyTorch alone writes */
	bool around; /* a flow's end is bound to the event around it: "bp": "e" */
	bool local;  /* its id is one of its process alone */
	bool has_duration, long_duration;
	struct tp_chrome_time at;
	int64_t duration_ps;
	struct tp_chrome_id process, thread, id;
	uint32_t name, category, scope; /* texts of the draft */
	uint32_t named;                 /* the argument "name" */
	struct tp_buf values; /* struct tp_chrome_value: arguments that are numbers, of counters */
};

/* At the entry's begin: reads it to its end. False when the text ends in it. */
bool tp_chrome_event_read(struct tp_draft_tracks *d, struct tp_pull *j, struct tp_chrome_event *e);

#endif
