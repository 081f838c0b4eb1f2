/* Tiles of a run that holds no profile: what event files, marks of sessions and graphs tell. */
#ifndef TP_ANALYZE_TILES_JOB_H
#define TP_ANALYZE_TILES_JOB_H

#include "analyze/pass.h"

struct tp_doc;
struct tp_tile;

enum { TP_JOB_TILES = 8 };

/* Those whose figures are known; returns how many, at most TP_JOB_TILES. */
size_t tp_job_tiles(struct tp_doc *doc, struct tp_tile *list);

#endif
