/* Steps of a host that marks none: the calls on its main thread that repeat. */
#ifndef TP_ANALYZE_STEP_INFER_HOST_H
#define TP_ANALYZE_STEP_INFER_HOST_H

#include "analyze/steps/step_infer.h"
#include "base/slice.h"

struct tp_groups;
struct tp_profile;

struct tp_window {
	uint32_t event; /* the call that it begins with, on the line */
	int64_t start_ps, end_ps;
	int64_t number;
	bool numbered; /* the call says its step number */
};

struct tp_windows {
	uint32_t line; /* of the profile: the main thread */
	struct tp_window *list;
	uint32_t count;
	struct tp_slice name; /* of the calls: "PjitFunction(train_step)" */
	struct tp_repetition repetition;
};

/* False when the host shows no main thread, or nothing on it is called three times. Memory from scratch. */
bool tp_infer_windows(
	const struct tp_profile *p, uint32_t host, struct tp_windows *out, struct tp_arena *scratch);

/* Work that a host only starts may run when the window of its call is long over. When the calls are at least that much
 * ahead, windows follow the work instead: from the first work of one call to the first of the next. */
void tp_follow_work(const struct tp_profile *p, uint32_t host, const struct tp_groups *groups,
	struct tp_windows *w, struct tp_arena *scratch);

#endif
