/* Which events of a thread are functions of Python: they say where the program is, what nests in them says what it does. */
#ifndef TP_ANALYZE_TIMELINE_FUNCTIONS_H
#define TP_ANALYZE_TIMELINE_FUNCTIONS_H

#include "model/line.h"
#include "model/torch.h"

struct tp_arena;
struct tp_profile;

struct tp_functions {
	const uint8_t **
		kinds; /* by line of the profile: enum tp_torch_kind of its events, or NULL; NULL: no PyTorch trace */
	const uint8_t *of_op; /* by operation: whether it is one; NULL: none is */
};

/* In keep. */
struct tp_functions tp_functions_of(const struct tp_profile *p, struct tp_arena *keep);

/* The same for one line. */
struct tp_functions_in {
	const uint8_t *kind, *of_op;
};

static inline struct tp_functions_in
tp_functions_in(const struct tp_functions *f, const struct tp_line *line, uint32_t number)
{
	bool thread = line->kind == TP_LINE_THREAD || line->kind == TP_LINE_TORCH;

	return (struct tp_functions_in){
		thread && f->kinds != NULL ? f->kinds[number] : NULL, thread ? f->of_op : NULL};
}

static inline bool
tp_is_function(const struct tp_functions_in *in, const struct tp_line *line, uint32_t event)
{
	if (in->of_op != NULL)
		return in->of_op[tp_line_op(line, event)] != 0;
	return in->kind != NULL && in->kind[event] == TP_TORCH_PYTHON;
}

#endif
