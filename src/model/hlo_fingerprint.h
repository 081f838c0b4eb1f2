/* Whether two compiled programs are the same. */
#ifndef TP_MODEL_HLO_FINGERPRINT_H
#define TP_MODEL_HLO_FINGERPRINT_H

#include <stdint.h>

struct tp_hlo_module;

/* A hash of what a module computes: opcodes, element types, dimensions, operands and called computations, in the order of the module.
 * Names, ids, layouts, source lines and configurations of backends are not in it: they differ where nothing else does. Never 0. */
uint64_t tp_hlo_fingerprint(const struct tp_hlo_module *m);

#endif
