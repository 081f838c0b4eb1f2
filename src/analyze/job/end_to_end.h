/* The job from its start to its end: sessions of training, evaluation and prediction, and what each did before its first
 * step. */
#ifndef TP_ANALYZE_END_TO_END_H
#define TP_ANALYZE_END_TO_END_H

#include "analyze/core/ctx.h"
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
	const char *label; /* as the original tool has it */
};
const struct tp_e2e_category_info *tp_e2e_category_info(enum tp_e2e_category c);

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
	double category_ms[TP_E2E_COUNT]; /* by the original rules; what is absent is 0 there */
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
	double before_steps_ms;          /* of these: covered by a phase before the first step */
	double phase_ms[TP_PHASE_COUNT]; /* covered by sessions or phases of this kind … */
	uint32_t times[TP_PHASE_COUNT];  /* … and how many there were */
};

/* struct tp_e2e */
extern const struct tp_pass tp_pass_end_to_end;

/* Whether the profile logger did not mark its end. */
bool tp_e2e_unended(const struct tp_e2e_span *span);

/* How long all sessions or phases of this kind took, those at once counted once; missing where the clock was set back. */
struct tp_value tp_e2e_took(const struct tp_e2e *e, enum tp_phase phase);

/* The ten figures (end_to_end_original.c). Marks in order of the files. */
void tp_e2e_original(
	const struct tp_phase_mark *marks, uint32_t count, double out[static TP_E2E_COUNT]);

/* Sessions without an end last until what event files hold of them, not beyond the next begin of their kind; returns how long the job
 * takes then (end_to_end_killed.c). first_s: of the marks, since 1970. */
double tp_e2e_extend(const struct tp_pass_ctx *ctx, struct tp_e2e_span *spans, uint32_t count,
	double first_s, double total_ms);

/* The chart (end_to_end_chart.c). */
void tp_e2e_chart(const struct tp_pass_ctx *ctx, const struct tp_e2e *e, struct tp_doc *doc,
	struct tp_block *section);

/* The figures (end_to_end_metrics.c). */
void tp_e2e_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

/* What it says (end_to_end_present.c). */
void tp_e2e_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
