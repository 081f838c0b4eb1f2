/* A dump of tfprof for its views alone, without the graph in it. */
#ifndef TP_INGEST_TFPROF_DUMP_H
#define TP_INGEST_TFPROF_DUMP_H

#include <stdint.h>

struct tp_builder;
struct tp_source;

/* step: that its name says; -1: none. The bytes are those of a dump, and live as long as the profile. */
void tp_tfprof_keep_dump(const struct tp_source *in, struct tp_builder *out, int64_t step);

#endif
