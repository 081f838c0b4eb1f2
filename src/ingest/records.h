/* What readers of record files share. */
#ifndef TP_INGEST_RECORDS_H
#define TP_INGEST_RECORDS_H

#include <stdint.h>

struct tp_builder;
struct tp_source;
struct tp_tfrecord;

/* Says what was passed over before the record that was read last, if anything was, and marks the input partial. */
void tp_records_tell(
	const struct tp_source *in, struct tp_builder *out, const struct tp_tfrecord *r);

/* Gives back the pages of records that are behind, in pieces: a job's file may be larger than memory. *released: 0 at first. */
void tp_records_release(
	const struct tp_source *in, const struct tp_tfrecord *r, uint64_t *released);

#endif
