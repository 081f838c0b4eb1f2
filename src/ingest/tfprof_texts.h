/* What tfprof reads of graphs and of runs that are text. */
#ifndef TP_INGEST_TFPROF_TEXTS_H
#define TP_INGEST_TFPROF_TEXTS_H

struct tp_wire_schema;

extern const struct tp_wire_schema *const tp_tfprof_graph_text; /* GraphDef */
extern const struct tp_wire_schema *const tp_tfprof_run_text;   /* RunMetadata */

#endif
