/* The checker of what takes longest: types of operations, scopes, lines of code. */
#ifndef TP_TFPROF_ADVISE_EXPENSIVE_H
#define TP_TFPROF_ADVISE_EXPENSIVE_H

#include "tfprof/advise.h"

struct tp_buf;

/* Adds its reports, struct tp_slice in the arena. */
enum tp_status tp_tfprof_check_expensive(const struct tp_tfprof_run *run,
	const struct tp_tfprof_advice_options *options, struct tp_arena *arena, struct tp_buf *reports,
	struct tp_err *err);

#endif
