/* A step is long where it is nearer to the 95th percentile than to the median; steps that the capture cuts are neither. */
#include "analyze/judge/uneven_steps.h"

#include "analyze/core/say.h"
#include "analyze/judge/rule.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

enum { MOST_NAMED = 4 };

struct split {
	size_t long_count, other_count;
	double long_ps[TP_CLASS_COUNT], other_ps[TP_CLASS_COUNT]; /* Σ */
	struct tp_slice names;                                    /* of long ones: "14, 19, 24" */
};

static bool
is_cut(const struct tp_step *step)
{
	return step->open_start || step->open_end;
}

static void
add(struct split *split, const struct tp_step *step, bool is_long, struct tp_arena *keep)
{
	double *sums = is_long ? split->long_ps : split->other_ps;

	for (int c = 0; c < TP_CLASS_COUNT; c++)
		sums[c] += step->class_ps[c];
	if (!is_long) {
		split->other_count++;
		return;
	}
	if (split->long_count < MOST_NAMED)
		split->names = tp_arena_printf(keep, "%.*s%s%.*s", TP_ARG(split->names),
			split->long_count > 0 ? ", " : "", TP_ARG(step->name));
	split->long_count++;
}

static struct split
split_steps(const struct tp_steps *s, struct tp_arena *keep)
{
	struct split split = {0};
	double limit_ps = (s->whole.time.p50 + s->whole.time.p95) / 2;

	for (size_t i = 0; i < s->count; i++)
		if (!is_cut(&s->steps[i]))
			add(&split, &s->steps[i], s->steps[i].time_ps > limit_ps, keep);
	return split;
}

/* How much longer the class is in a long step than in another. */
static double
growth_ps(const struct split *split, int class)
{
	return split->long_ps[class] / (double)split->long_count -
		split->other_ps[class] / (double)split->other_count;
}

static void
advise(const struct tp_pass_ctx *ctx, struct tp_doc *doc, enum tp_class class,
	struct tp_finding *finding)
{
	static const char *const of_class[TP_CLASS_COUNT] = {
		[TP_CLASS_INPUT_WAIT] =
			"Prefetch further ahead, and read several files at once: the input cannot keep up in "
			"these steps.",
		[TP_CLASS_OUTPUT] = "Fetch results less often, or asynchronously.",
		[TP_CLASS_COMPILE] = "Keep shapes the same from step to step.",
		[TP_CLASS_HOST_COMPUTE] =
			"Look for what the host does only then: checkpoints, logging, evaluation, garbage "
			"collection; do it asynchronously.",
	};
	struct tp_text see = finding->actions[0];

	if (of_class[class] == NULL)
		return;
	finding->action_count = 0;
	tp_rule_add_action(ctx, finding, see);
	tp_rule_add_action(ctx, finding, TP_SAY0(doc, of_class[class]));
}

void
tp_uneven_say(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s,
	struct tp_finding *finding)
{
	static const double most = .5; /* of what long steps take more */
	struct split split = split_steps(s, ctx->keep);
	double all_ps = 0;
	int class = 0;

	if (split.long_count == 0 || split.other_count == 0)
		return;
	for (int c = 0; c < TP_CLASS_COUNT; c++) {
		all_ps += growth_ps(&split, c);
		class = growth_ps(&split, c) > growth_ps(&split, class) ? c : class;
	}
	TP_SAY_MORE(doc, finding->saw, " {} long: {}{}.",
		tp_say_number(ctx, split.long_count, "step is", "steps are"), tp_text_value(split.names),
		tp_text_value(split.long_count > MOST_NAMED ? TP_S(", …") : TP_S("")));
	if (growth_ps(&split, class) < most * all_ps)
		return;
	TP_SAY_MORE(doc, finding->saw, " In these, {} takes {} more.",
		tp_text_value(tp_slice_of(tp_class_info((enum tp_class) class)->label)),
		tp_ps_in_ms(growth_ps(&split, class)));
	advise(ctx, doc, (enum tp_class) class, finding);
}
