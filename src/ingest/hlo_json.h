/* HLO in JSON: the JSON form of an xla.HloProto, made into the message that all of this is otherwise read from. */
#ifndef TP_INGEST_HLO_JSON_H
#define TP_INGEST_HLO_JSON_H

#include "base/slice.h"

#include <jansson.h>

struct tp_arena;

/* The serialized HloProto, in arena: the module's instructions with their shapes and the buffer assignment, which is what a
 * memory plan needs (operands and what else there is are not in it). Names may be written as in JSON (hloModule) or as in
 * the .proto (hlo_module), numbers of 64 bits as texts, enums by name or number. Values of other types are left out, and so
 * are tuples nested deeper than any program's. Empty: there is no module in it. */
struct tp_slice tp_hlo_from_json(const json_t *root, struct tp_arena *arena);

#endif
