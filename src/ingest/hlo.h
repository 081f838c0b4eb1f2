/* HLO modules: what they say about the operations that events name. */
#ifndef TP_INGEST_HLO_H
#define TP_INGEST_HLO_H

#include <stdint.h>

struct tp_builder;

/* Gives XLA:CPU operations of this host (which carry a name and a program only) their category, framework operation and
 * source line from the program's HLO. */
void tp_hlo_describe(struct tp_builder *b, uint32_t host);

#endif
