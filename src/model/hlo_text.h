/* An HLO module as text, in the form that XLA prints when asked for a short one that it can parse again: names without sigils,
 * operands without shapes, no metadata, constants of more than ten elements as {...}. */
#ifndef TP_MODEL_HLO_TEXT_H
#define TP_MODEL_HLO_TEXT_H

#include "model/hlo.h"

struct tp_sink;

/* Writes it. Control characters of names are written as "?". What some instruction has beyond what can be written here is left
 * out; returns how many instructions lack something. */
uint32_t tp_hlo_write_text(const struct tp_hlo_module *m, struct tp_sink *out);

#endif
