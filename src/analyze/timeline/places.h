/* Where findings are seen best: the event, gap, step or moment that each is about. */
#ifndef TP_ANALYZE_TIMELINE_PLACES_H
#define TP_ANALYZE_TIMELINE_PLACES_H

#include "analyze/timeline/timeline.h"

struct tp_block;
struct tp_doc;
struct tp_timeline_longest;

/* Places by what they are of. */
enum {
	TP_SEEN_HUES = TP_HUE_IDLE + 1, /* by hue: the longest event of a class of time */
	TP_SEEN_IDLE =
		TP_SEEN_HUES, /* the longest time in a step that is drawn in which its device does nothing */
	TP_SEEN_LATE_HOST, /* as long, in which the host is why: it neither waits for input nor sets a device up */
	TP_SEEN_QUEUED, /* as long, in which work has been launched */
	TP_SEEN_UNRECORDED, /* the longest in which no operation, call or device work is recorded, only functions of Python */
	TP_SEEN_ALL_IDLE,   /* the longest in which no device does anything */
	TP_SEEN_SYNC,       /* the longest call that waits for a device */
	TP_SEEN_WAIT,       /* for input, the longest */
	TP_SEEN_SETUP,      /* the longest call that sets a device up */
	TP_SEEN_SLOWEST,    /* step */
	TP_SEEN_FULLEST,    /* from when on memory is fullest; 1 ps */
	TP_SEEN_PADDED,     /* the longest run of the operation with the most padding */
	TP_SEEN_LEAST_USED, /* as TP_SEEN_IDLE, of the GPU that is used least */
	TP_SEEN_PLACES
};

struct tp_timeline_places {
	struct tp_stretch of[TP_SEEN_PLACES];
	int64_t low_ps; /* what times count from, by the clock of the earliest host */
	uint32_t host, fullest_host,
		least_used_host; /* whose clock tells them; that of the fullest memory; of that GPU */
	struct tp_slice device,
		least_used; /* of several, that of TP_SEEN_IDLE and the next two: "GPU 1"; that of TP_SEEN_LEAST_USED; else empty */
	struct tp_stretch blank; /* the longest without any event */
};

/* A timeline that was made, and what was found with it. */
struct tp_timeline_shown {
	struct tp_timeline timeline;
	struct tp_timeline_span spans[TP_TIMELINE_WINDOWS]; /* by window */
	struct tp_timeline_drawn drawn;
	struct tp_stretch
		host_range; /* that marks the step of the last span on the host; to_ps 0: there is none */
	struct tp_timeline_places places;
	const struct tp_timeline_longest *longest; /* NULL: there is none */
	struct tp_slice missing;                   /* as in struct tp_timeline_found */
};

/* Goes through all events of the profile that ctx has: what the timeline needs to know of them without the steps, in ctx->keep. looks: by
 * operation; NULL: by what operations are. read_count: the lines that were read; those after them are derived. TP_ABSENT: there is nothing
 * to draw. */
enum tp_status tp_timeline_look_at(const struct tp_pass_ctx *ctx,
	const struct tp_timeline_look *looks, uint32_t read_count, struct tp_timeline_found *t,
	struct tp_err *err);

/* A timeline of these lines and the steps that ctx has; its bytes are in ctx->keep. all: what is drawn is called so where there are no
 * steps. TP_ABSENT: there is nothing to draw. */
enum tp_status tp_timeline_make(const struct tp_pass_ctx *ctx,
	const struct tp_timeline_found *lines, struct tp_slice all, struct tp_timeline_shown *shown,
	struct tp_err *err);

/* Adds its chart with this id. classes: its colours are those of classes of time, and are told below it. */
void tp_timeline_chart(const struct tp_pass_ctx *ctx, const struct tp_timeline *t, const char *id,
	bool classes, struct tp_doc *doc, struct tp_block *section);

/* Of the timeline, once it is made; NULL: there is none. */
const struct tp_timeline_places *tp_timeline_places_of(const struct tp_pass_ctx *ctx);

/* Where a finding is seen best, and on which host; NULL: it has no one place. */
const struct tp_stretch *tp_timeline_place_of(
	const struct tp_timeline_places *p, struct tp_slice id, uint32_t *host);

void tp_timeline_find_places(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_places *places);

/* Those of the findings that the document holds, by their ids. In ctx->keep. */
void tp_timeline_place_findings(const struct tp_pass_ctx *ctx, const struct tp_doc *doc,
	const struct tp_timeline_places *places, struct tp_timeline *out);

#endif
