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

/* Opens the records of an input, in memory or in pieces; tp_tfrecord_close closes them. */
void tp_records_open(const struct tp_source *in, struct tp_tfrecord *r);

#endif
