/* HLO modules: what they say about the operations that events name. */
#ifndef TP_INGEST_HLO_H
#define TP_INGEST_HLO_H

#include <stdint.h>

struct tp_builder;
struct tp_source;

/* Checks programs from this one on, which the input added: what is damaged is said once, with its place in the file. Gives XLA:CPU operations from this one on (which carry a name and a program only) their category, framework operation and
 * source line from the HLO of programs from this one on: what one file added. Likewise kernels that a GPU ran for these programs, which
 * are found by their names, and whether they work on 16-bit numbers. */
void tp_hlo_describe(
	const struct tp_source *in, struct tp_builder *b, uint32_t first_op, uint32_t first_program);

#endif
