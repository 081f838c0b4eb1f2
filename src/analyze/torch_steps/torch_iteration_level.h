/* Annotations of a trace by the families of their names, and the level of them that repeats: where iterations, or their parts, are. */
#ifndef TP_ANALYZE_TORCH_ITERATION_LEVEL_H
#define TP_ANALYZE_TORCH_ITERATION_LEVEL_H

#include "analyze/torch_steps/torch_iterations.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/torch.h"

#include <regex.h>

/* What occurs less often does not repeat. */
enum { TP_ITERATIONS_FEWEST = 2 };

/* What is looked for, and the families met so far. */
struct tp_iteration_search {
	const struct tp_profile *p;
	const struct tp_torch_trace *t;
	enum tp_torch_kind kind; /* annotations of the host or of the device */
	const regex_t *wish;     /* NULL: none */
	uint32_t *family_of_op;  /* + 2; 1: none; 0: not looked at */
	struct tp_map numbers;   /* of families, by name and phase */
	/* struct tp_torch_family: all that there are, of which few are iterations */
	struct tp_buf families;
	struct tp_torch_iterations *out;
	bool hooks; /* those of libraries as well */
	struct tp_arena *keep, *scratch;
};

/* An annotation that may be an iteration, or a part of one. */
struct tp_iteration_range {
	uint32_t event, family;
	uint32_t around; /* index of the one that it lies in; TP_NONE: none */
};

/* The ranges of one level: outermost, where wrappers count as nothing. */
struct tp_iteration_level {
	struct tp_iteration_range *ranges;
	uint32_t count;
	uint32_t *of_family; /* how many */
	uint32_t families;
};

/* The family of that number. Until the next is found. */
struct tp_torch_family *tp_iteration_family(const struct tp_iteration_search *s, uint32_t number);

/* The number of an annotation's family; TP_NONE: no iteration. */
uint32_t tp_iteration_family_of(struct tp_iteration_search *s, uint32_t event);

/* Whether a family's ranges are iterations, however few. */
bool tp_iteration_is_known(const struct tp_iteration_search *s, uint32_t number);

/* Forgets which annotations count, as others do from now on: hooks of libraries or not. */
void tp_iteration_look_again(struct tp_iteration_search *s, bool hooks);

/* The outermost level of a lane on which something repeats; empty where nothing does. In scratch. */
struct tp_iteration_level tp_iteration_level_of(
	struct tp_iteration_search *s, const struct tp_torch_lane *lane);

#endif
