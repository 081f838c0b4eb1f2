/* One HLO instruction as text, the way profilers keep operations: "%dot.5 = f32[8,4]{1,0} dot(f32[8,2]{1,0} %a, f32[2,4]{1,0}
 * %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}". */
#ifndef TP_MODEL_HLO_LINE_H
#define TP_MODEL_HLO_LINE_H

#include "model/hlo.h"

/* A module in arena that holds the instruction, its last, and what it reads, each as a parameter of the shape that the text
 * says. Of attributes only those are read that say which dimensions a convolution or dot combines, and only where they fit
 * the shapes; else the instruction has no details. NULL when the text is none: no name, result or opcode. Texts point into
 * it. framework: the operation of the framework, by which some are told apart. */
const struct tp_hlo_module *tp_hlo_line_read(
	struct tp_slice text, struct tp_slice framework, struct tp_arena *arena);

/* The instruction itself. */
const struct tp_hlo_instruction *tp_hlo_line_instruction(const struct tp_hlo_module *line);

#endif
