/* An HLO module as text, in the form that XLA prints when asked for a short one that it can parse again: names without sigils,
 * operands without shapes, no metadata, constants of more than ten elements as {...}. */
#ifndef TP_MODEL_HLO_TEXT_H
#define TP_MODEL_HLO_TEXT_H

#include "model/hlo.h"

struct tp_arena;
struct tp_sink;

/* Writes it. Control characters of names are written as "?". What some instruction has beyond what can be written here is left
 * out; returns how many instructions lack something. */
uint32_t tp_hlo_write_text(const struct tp_hlo_module *m, struct tp_sink *out);

/* What a constant holds, as the text has it: "0.5", "{1, 2}"; "{...}" when it is larger. */
struct tp_slice tp_hlo_constant_text(const struct tp_hlo_instruction *i, struct tp_arena *arena);

#endif
