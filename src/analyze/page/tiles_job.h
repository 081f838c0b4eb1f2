/* Tiles of a run that holds no profile: what event files, marks of sessions and graphs tell. */
#ifndef TP_ANALYZE_TILES_JOB_H
#define TP_ANALYZE_TILES_JOB_H

#include <stddef.h>

struct tp_doc;
struct tp_tile;

/* The first of those whose figures are known; returns how many, at most `most`. */
size_t tp_job_tiles(struct tp_doc *doc, struct tp_tile *list, size_t most);

#endif
