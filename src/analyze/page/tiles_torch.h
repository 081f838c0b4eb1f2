/* Tiles that PyTorch runs have instead of those on XLA's figures. */
#ifndef TP_ANALYZE_TILES_TORCH_H
#define TP_ANALYZE_TILES_TORCH_H

#include "analyze/core/ctx.h"

struct tp_doc;
struct tp_tile;

enum { TP_TORCH_TILES = 3 };

/* Use of the GPUs, FLOPS and memory, what there is of them; returns how many, at most TP_TORCH_TILES. */
size_t tp_torch_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list);

/* Communication that no computation hides. */
struct tp_tile tp_torch_communication_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc);

#endif
