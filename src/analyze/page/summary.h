/* The first screen, and page 1 of the PDF: what somebody must know who reads nothing else. */
#ifndef TP_ANALYZE_SUMMARY_H
#define TP_ANALYZE_SUMMARY_H

#include "analyze/core/ctx.h"
#include "report/doc.h"

/* Judges a tile as a check is judged, by the check's id; gives the word for that: of words the one for a high finding, a medium
 * one, or a check that passed; empty where the check says nothing (tiles.c). */
struct tp_value tp_tile_judge(const struct tp_pass_ctx *ctx, const char *rule,
	const char *const words[static 3], struct tp_tile *t);

/* Tiles of an op profile that a profiler left, at most `room`; returns how many (tiles_op_profile.c). */
struct tp_op_profile;
size_t tp_op_profile_tiles(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p,
	struct tp_doc *doc, struct tp_tile *list, size_t room);

/* The block of tiles (tiles.c). */
void tp_summary_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary);

#endif
