/* Where findings are seen best: the event, gap, step or moment that each is about. */
#ifndef TP_ANALYZE_TIMELINE_PLACES_H
#define TP_ANALYZE_TIMELINE_PLACES_H

#include "analyze/timeline/timeline.h"

struct tp_doc;

enum { TP_PLACE_HUES = TP_HUE_IDLE + 1 };

/* A stretch of the timeline; to_ps 0: there is none. */
struct tp_stretch {
	uint64_t from_ps, to_ps;
};

struct tp_timeline_places {
	struct tp_stretch by_hue[TP_PLACE_HUES]; /* the longest event of a class of time */
	struct tp_stretch idle;                  /* the longest time in which the device does nothing */
	struct tp_stretch sync;                  /* the longest call that waits for a device */
	struct tp_stretch slowest;               /* step */
	struct tp_stretch fullest; /* from when on memory is fullest; as long as a pixel */
	struct tp_stretch padded;  /* the longest run of the operation with the most padding */
};

void tp_timeline_find_places(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_places *places);

/* Those of the findings that the document holds, by their ids. In ctx->keep. */
void tp_timeline_place_findings(const struct tp_pass_ctx *ctx, const struct tp_doc *doc,
	const struct tp_timeline_places *places, struct tp_timeline *out);

#endif
