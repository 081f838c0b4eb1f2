/* Tiles of the first screen, by what a profile holds. */
#ifndef TP_ANALYZE_TILES_H
#define TP_ANALYZE_TILES_H

#include "analyze/core/ctx.h"
#include "base/slice.h"

struct tp_op_profile;
struct tp_tile;

/* The block of tiles: the first six, in an order of their own, that the profile can give (tiles.c). */
void tp_summary_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary);

/* The id of the section that tells more of a metric, which not every report has; empty: none (tile_sections.c). */
struct tp_slice tp_tile_section(struct tp_slice metric);

/* The others write into list, in order, and return how many. */

/* Of PyTorch: use of the GPUs, FLOPS and memory, what there is of them (tiles_torch.c). */
size_t tp_torch_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list);

/* Likewise, exposed communication. */
struct tp_tile tp_torch_communication_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

/* Of a run that holds no profile, what event files, marks of sessions and graphs tell; of an op profile that a profiler left; of
 * figures that a tool file gives (tiles_without_events.c). */
size_t tp_job_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list);
size_t tp_op_profile_tiles(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p,
	struct tp_doc *doc, struct tp_tile *list);
size_t tp_precomputed_tiles(struct tp_doc *doc, struct tp_tile *list);

#endif
