/* Steps over cores come from the cells of each core; steps of hosts from each host's own. */
#include "analyze/judge/what_if.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/judge/findings.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>

/* Of one step on one core or host: how long it was, what of it would be gone, and what is waiting for others. */
struct part {
	double time_ps, gone_ps, waits_ps;
};

enum { COPIES = TP_CLASS_COUNT };

static struct part
part_of(const struct tp_steps *s, size_t step, size_t i, int what)
{
	if (s->cells != NULL) {
		const struct tp_step_cell *cell = &s->cells[step * s->timelines + i];
		double idle = tp_larger(0, (double)cell->duration_ps - cell->busy_ps),
			   waits = cell->class_ps[TP_CLASS_COLLECTIVE];
		struct part p = {(double)cell->duration_ps,
			cell->class_ps[what < TP_CLASS_COUNT ? what : 0], waits + idle};

		if (what == TP_CLASS_IDLE || what == TP_CLASS_COLLECTIVE) {
			p.gone_ps = what == TP_CLASS_IDLE ? idle : waits;
			p.waits_ps -= p.gone_ps;
		}
		p.gone_ps = what == COPIES ? cell->copy_ps : p.gone_ps;
		return p;
	}
	const struct tp_step *own = &s->hosts[i].steps[step];
	double waits = what == TP_CLASS_COLLECTIVE ? 0 : own->class_ps[TP_CLASS_COLLECTIVE];

	return (struct part){own->time_ps, own->class_ps[what], waits};
}

static double
mean_without(const struct tp_steps *s, int what)
{
	size_t parts = s->cells != NULL ? s->timelines : s->host_count;
	double sum = 0;

	for (size_t step = 0; step < s->count; step++) {
		double most_gone = 0, most_work = 0;

		for (size_t i = 0; i < parts; i++) {
			struct part p = part_of(s, step, i, what);

			most_gone = tp_larger(most_gone, p.gone_ps);
			most_work = tp_larger(most_work, p.time_ps - p.gone_ps - p.waits_ps);
		}
		sum += tp_larger(0, tp_smaller(most_gone, s->steps[step].time_ps - most_work));
	}
	return sum / (double)s->count;
}

double
tp_without_class_ps(const struct tp_steps *s, enum tp_class c)
{
	return mean_without(s, c);
}

double
tp_without_copies_ps(const struct tp_steps *s)
{
	return s->cells != NULL ? fmin(mean_without(s, COPIES), s->copy_mean_ps) : NAN;
}

/* Beyond ten times the rest of a step is so little that nothing is known of it, and a factor only looks exact. */
#define MOST_REMOVABLE 0.9

struct tp_text
tp_say_speedup(struct tp_doc *doc, const char *without, double removable_share)
{
	struct tp_value what = tp_text_value(tp_slice_of(without));

	if (isnan(removable_share))
		return TP_SAY0(doc, "how much faster steps could be is unknown.");
	if (removable_share > MOST_REMOVABLE)
		return TP_SAY(doc, "{} more than 10× faster, at best.", what);
	return TP_SAY(
		doc, "{} at most {} faster.", what, tp_number(1 / (1 - removable_share), TP_UNIT_TIMES));
}

double
tp_removable_share(const struct tp_finding_result *r, const struct tp_steps *s)
{
	return s != NULL ? r->saving_ps / s->time.mean : NAN;
}

double
tp_class_share(const struct tp_steps *s, enum tp_class c)
{
	return s->class_mean_ps[c] / s->time.mean;
}

struct tp_value
tp_say_step(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct tp_value mean = tp_ps_in_ms(s->time.mean);

	if (fabs(s->time.mean - s->time.p50) < TP_STEPS_EQUAL_SHARE * s->time.p50)
		return mean;
	return tp_text_value(tp_arena_printf(ctx->keep, "%.*s mean", TP_ARG(tp_say_value(ctx, mean))));
}
