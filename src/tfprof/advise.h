/* The command advise: reports of tfprof's checkers as text or JSON. */
#ifndef TP_TFPROF_ADVISE_H
#define TP_TFPROF_ADVISE_H

#include "base/err.h"
#include "base/slice.h"

#include <stdint.h>

struct tp_arena;
struct tp_tfprof_run;

enum tp_tfprof_checker {
	TP_TFPROF_ACCELERATOR_UTILIZATION,
	TP_TFPROF_OPERATION,
	TP_TFPROF_EXPENSIVE_OPERATION,
	TP_TFPROF_JOB, /* says nothing outside of Google, there neither */
	TP_TFPROF_CHECKERS,
};

struct tp_tfprof_advice_options {
	unsigned checkers;        /* a bit for each */
	double least_utilization; /* below which that of a device is called low; 0.5 */
	int64_t most;             /* operations, scopes, and lines below one; 3 */
	int64_t min_scope_us;     /* of scopes that are looked at; 100 */
	int64_t min_line_us;      /* of lines of code; 1000 */
};
void tp_tfprof_advice_defaults(struct tp_tfprof_advice_options *options);

/* Sets an option by its name, "checkers"; false: there is none of this name. TP_ERR_USAGE in *status: it has no such value. */
bool tp_tfprof_advice_option(struct tp_tfprof_advice_options *options, struct tp_slice name,
	struct tp_slice value, enum tp_status *status, struct tp_err *err);

enum tp_status tp_tfprof_write_advice(
	const struct tp_tfprof_run *run, struct tp_arena *arena, struct tp_err *err);

#endif
