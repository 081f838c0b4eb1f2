/* Dumps of tfprof out of what a folder holds instead of one: a graph with RunMetadata of steps, with an op log, or with both. */
#ifndef TP_INGEST_TFPROF_PARTS_H
#define TP_INGEST_TFPROF_PARTS_H

struct tp_blob;
struct tp_builder;

/* After all files were read; blobs: of the inputs built so far, by their indices. What cannot be made a dump of, a diagnostic
 * tells. */
void tp_tfprof_join_parts(struct tp_builder *b, struct tp_blob *const *blobs, unsigned blob_count);

#endif
