/* The rules of TensorBoard's converter (tensorboard/plugins/profile/end_to_end_util.py), as it was, with one difference: a session
 * without an end, on which it stops with an error, lasts until the last mark. Its categories overlap: "training" is the whole
 * session and holds init-system, model-fn and setup-infeed again. */
#include "analyze/job/end_to_end.h"

#include <math.h>

const struct tp_e2e_category_info tp_e2e_categories[TP_E2E_COUNT] = {
	[TP_E2E_TO_INIT] = {"beginning_to_init", "beginning to init-system's start"},
	[TP_E2E_INIT_SYSTEM] = {"init_system", "init-system"},
	[TP_E2E_TO_MODEL_FN] = {"init_to_model_fn", "init-system's end to model-fn's start"},
	[TP_E2E_MODEL_FN] = {"model_fn", "model-fn"},
	[TP_E2E_SETUP_INFEED] = {"setup_infeed", "setup-infeed"},
	[TP_E2E_TRAINING] = {"training", "training"},
	[TP_E2E_TO_EVAL] = {"training_to_eval", "training's end to eval's start"},
	[TP_E2E_EVAL] = {"eval", "eval"},
	[TP_E2E_TO_PREDICT] = {"eval_to_predict", "eval's end to predict's start"},
	[TP_E2E_PREDICT] = {"predict", "predict"},
};

struct times {
	double begin_ms, end_ms; /* NaN: not marked */
};

/* From a to b, not below 0; 0 when one is not marked. */
static double
gap(double a_ms, double b_ms)
{
	return b_ms > a_ms ? b_ms - a_ms : 0;
}

static double
length(struct times t)
{
	return gap(t.begin_ms, t.end_ms);
}

static void
put(struct times *t, const struct tp_phase_mark *mark)
{
	if (mark->end)
		t->end_ms = mark->wall_ms;
	else
		t->begin_ms = mark->wall_ms;
}

/* Of each session the last begin and the last end count. */
static void
read_sessions(const struct tp_phase_mark *marks, uint32_t count, struct times *sessions)
{
	double last_ms = -INFINITY;

	for (int s = 0; s < TP_PHASE_SESSIONS; s++)
		sessions[s] = (struct times){NAN, NAN};
	for (uint32_t i = 0; i < count; i++) {
		last_ms = fmax(last_ms, marks[i].wall_ms);
		if (marks[i].phase < TP_PHASE_SESSIONS)
			put(&sessions[marks[i].phase], &marks[i]);
	}
	for (int s = 0; s < TP_PHASE_SESSIONS; s++) {
		if (isfinite(sessions[s].begin_ms) && !isfinite(sessions[s].end_ms))
			sessions[s].end_ms = last_ms;
	}
}

/* A mark belongs to the first session, of training, evaluation and prediction, that holds it. */
static bool
is_of_training(const struct tp_phase_mark *mark, const struct times *sessions)
{
	const struct times *train = &sessions[TP_PHASE_TRAIN];

	return mark->phase >= TP_PHASE_SESSIONS && mark->wall_ms >= train->begin_ms &&
		mark->wall_ms <= train->end_ms;
}

static void
training(const struct tp_phase_mark *marks, uint32_t count, const struct times *sessions,
	double out[static TP_E2E_COUNT])
{
	struct times phases[TP_PHASE_COUNT];

	for (int p = 0; p < TP_PHASE_COUNT; p++)
		phases[p] = (struct times){NAN, NAN};
	for (uint32_t i = 0; i < count; i++) {
		if (is_of_training(&marks[i], sessions))
			put(&phases[marks[i].phase], &marks[i]);
	}
	const struct times *init = &phases[TP_PHASE_INIT_SYSTEM], *model = &phases[TP_PHASE_MODEL_FN];

	out[TP_E2E_TO_INIT] = gap(sessions[TP_PHASE_TRAIN].begin_ms, init->begin_ms);
	out[TP_E2E_INIT_SYSTEM] = length(*init);
	out[TP_E2E_TO_MODEL_FN] = gap(init->end_ms, model->begin_ms);
	out[TP_E2E_SETUP_INFEED] = length(phases[TP_PHASE_SETUP_INFEED]);
	out[TP_E2E_MODEL_FN] = gap(out[TP_E2E_SETUP_INFEED], length(*model));
}

/* A session after another: what lies between, and what of it is after the other's end. */
static void
after(struct times earlier, struct times session, double *between_ms, double *length_ms)
{
	*between_ms = 0;
	*length_ms = length(session);
	if (!(length(earlier) > 0))
		return;
	if (earlier.end_ms < session.begin_ms)
		*between_ms = session.begin_ms - earlier.end_ms;
	else
		*length_ms = gap(fmax(earlier.end_ms, session.begin_ms), session.end_ms);
}

void
tp_e2e_tensorboard(
	const struct tp_phase_mark *marks, uint32_t count, double out[static TP_E2E_COUNT])
{
	struct times sessions[TP_PHASE_SESSIONS];

	for (int c = 0; c < TP_E2E_COUNT; c++)
		out[c] = 0;
	read_sessions(marks, count, sessions);
	struct times train = sessions[TP_PHASE_TRAIN], eval = sessions[TP_PHASE_EVAL];

	out[TP_E2E_TRAINING] = length(train);
	if (out[TP_E2E_TRAINING] > 0)
		training(marks, count, sessions, out);
	after(train, eval, &out[TP_E2E_TO_EVAL], &out[TP_E2E_EVAL]);
	after(length(eval) > 0 ? eval : train, sessions[TP_PHASE_PREDICT], &out[TP_E2E_TO_PREDICT],
		&out[TP_E2E_PREDICT]);
}
