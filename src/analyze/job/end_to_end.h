/* The job from its start to its end: sessions of training, evaluation and prediction, and what each did before its first
 * step. */
#ifndef TP_ANALYZE_END_TO_END_H
#define TP_ANALYZE_END_TO_END_H

#include "analyze/core/ctx.h"
#include "base/number.h"
#include "model/phases.h"

#include <stdint.h>

/* The ten categories of TensorBoard's end-to-end tool, in its order. */
enum tp_e2e_category {
	TP_E2E_TO_INIT,
	TP_E2E_INIT_SYSTEM,
	TP_E2E_TO_MODEL_FN,
	TP_E2E_MODEL_FN,
	TP_E2E_SETUP_INFEED,
	TP_E2E_TRAINING,
	TP_E2E_TO_EVAL,
	TP_E2E_EVAL,
	TP_E2E_TO_PREDICT,
	TP_E2E_PREDICT,
	TP_E2E_COUNT
};

struct tp_e2e_category_info {
	const char *key;   /* in metric ids: e2e.<key>_ms */
	const char *label; /* as TensorBoard has it */
};
extern const struct tp_e2e_category_info tp_e2e_categories[TP_E2E_COUNT];

/* The ten figures. Marks in order of the files. */
void tp_e2e_tensorboard(
	const struct tp_phase_mark *marks, uint32_t count, double out[static TP_E2E_COUNT]);

/* What the end of a session or phase is. */
enum tp_e2e_until {
	TP_E2E_MARKED, /* it has one; otherwise the last that it wrote before the next begin is taken for it */
	TP_E2E_LAST_MARK,   /* of the profile logger */
	TP_E2E_LAST_SCALAR, /* of event files */
	TP_E2E_OF_SESSION,  /* of a phase: when the session that it is inside of ended */
};

/* From a begin to its end. */
struct tp_e2e_span {
	enum tp_phase phase;
	uint32_t number;         /* 1, 2, … of this phase */
	double start_ms, end_ms; /* after the first mark */
	enum tp_e2e_until until;
	/* the clock was, in between: how long it took is not known; start_ms <= end_ms all the same */
	bool set_back;
	uint32_t session; /* of phases inside one: its index among the spans; TP_NONE: none */
};

/* Where the clock went back: the time between counts twice. */
struct tp_e2e_back {
	double at_ms, before_ms; /* at_ms < before_ms */
};

struct tp_e2e {
	const struct tp_phases *from; /* the first file of the job */
	/* Files in other folders are of other jobs, which are left out: how many, and the last of them; NULL: none. */
	uint32_t other_files;
	const struct tp_phases *other;
	double category_ms[TP_E2E_COUNT]; /* by TensorBoard's rules; what is absent is 0 there */
	bool has[TP_PHASE_SESSIONS];      /* whether there was such a session */
	const struct tp_e2e_span *spans;  /* sessions and phases, by start */
	uint32_t span_count, session_count;
	uint32_t unended;                /* sessions without an end … */
	uint32_t began_anew;             /* … after which another of their kind began */
	uint32_t backwards;              /* marks with an earlier time than the one before … */
	const struct tp_e2e_back *backs; /* … and by how much */
	uint32_t strays;                 /* ends without a begin */
	double first_unix_s;             /* when the earliest mark was written */
	double total_ms;                 /* from the first mark to the latest */
	double session_ms;               /* covered by a session */
	double before_steps_ms;          /* of these: covered by a phase before the first step … */
	bool before_steps_longer;        /* … at least: another such phase is not known */
	/* How long all sessions or phases of this kind took, those at once counted once; missing where the clock was set back. */
	struct tp_value took[TP_PHASE_COUNT];
	uint32_t times[TP_PHASE_COUNT]; /* how many there were */
};

/* struct tp_e2e */
extern const struct tp_pass tp_pass_end_to_end;

/* Whether the profile logger did not mark its end. */
static inline bool
tp_e2e_unended(const struct tp_e2e_span *span)
{
	return span->until != TP_E2E_MARKED;
}

/* How much of the run is set-up: "13.6 %", "at least 13.6 %", "an unknown share". */
struct tp_text tp_e2e_say_set_up(struct tp_doc *doc, const struct tp_e2e *e);

/* Whether a folder is named as one with what an evaluation wrote: eval, validation, test … */
bool tp_e2e_is_evaluation(struct tp_slice folder);

/* What it says (end_to_end_present.c). */
void tp_e2e_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
