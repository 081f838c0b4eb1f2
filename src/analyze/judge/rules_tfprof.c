/* Rules on dumps of tfprof: what its own advisor says, held against limits, and whether the first step spoils the mean. All are
 * shares of the time of operations, for a dump knows no other. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof.h"
#include "base/arena.h"
#include "base/utf8.h"

#include <math.h>

#define PS_PER_US 1e6

#define OF_OPERATIONS "of op time a step"
#define LESS                                                                                            \
	"Without this time, operations would take {} per step instead of {}: at most {} less, summed over " \
	"threads and devices."
#define NO_TYPES "the graph has the types of operations, and none was read beside the RunMetadata"

/* The section, where it has times, all of them and those of a type; else the rule does not apply. */
static const struct tp_tfprof_section *
timed(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = tp_result(e->ctx, &tp_pass_tfprof);

	if (s != NULL && s->tfprof->step_count != 0 && tp_tfprof_top(s) != NULL &&
		s->dumps[s->chosen].total.of[TP_TFPROF_US] > 0)
		return s;
	tp_rule_not_applicable(r, "the tfprof dump holds no time");
	return NULL;
}

/* The section, where its time is that of the work itself. */
static const struct tp_tfprof_section *
measured(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = timed(e, r);

	if (s == NULL || !s->tfprof->misses_stream)
		return s;
	tp_rule_undecided(r, TP_S(TP_TFPROF_NO_STREAM));
	return NULL;
}

static double
all_us(const struct tp_tfprof_section *s)
{
	return (double)s->dumps[s->chosen].total.of[TP_TFPROF_US];
}

static void
first_step(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = timed(e, r);

	if (s == NULL)
		return;
	if (isnan(s->first_us)) {
		tp_rule_not_applicable(r, "fewer than three steps were traced");
		return;
	}
	double more_us = fmax(0, s->first_us - all_us(s));

	tp_rule_decide(r, more_us / (all_us(s) * s->tfprof->step_count + more_us), NAN);
}

static void
say_first_step(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_tfprof_section *s = tp_result(ctx, &tp_pass_tfprof);

	finding->saw =
		TP_SAY(doc, "Operations took {} in step {}, and {tfprof.total_us} per step after it.",
			tp_number(s->first_us, TP_UNIT_US), tp_count((uint64_t)s->tfprof->steps[0]));
}

static void
batch_norm(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = measured(e, r);

	if (s == NULL)
		return;
	if (s->tfprof->lacks_graph) {
		tp_rule_undecided(r, TP_S(NO_TYPES));
		return;
	}
	if (s->advice.batch_norm == TP_MAP_NONE) {
		tp_rule_not_applicable(r, "no unfused batch normalisation");
		return;
	}
	r->whole_ps = all_us(s) * PS_PER_US;
	tp_rule_decide(r, (double)s->batch_norm_us / all_us(s), (double)s->batch_norm_us * PS_PER_US);
}

static bool
has_gpu(const struct tp_tfprof_section *s)
{
	for (uint32_t i = 0; i < s->advice.device_count; i++) {
		if (tp_tfprof_on_gpu(s->advice.devices[i].name))
			return true;
	}
	return false;
}

static void
layout(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = measured(e, r);

	if (s == NULL)
		return;
	if (!has_gpu(s))
		tp_rule_not_applicable(r, "no node ran on a GPU");
	else
		tp_rule_decide(r, (double)s->nhwc_us / all_us(s), NAN);
}

/* The least busy one. */
static const struct tp_tfprof_device *
idlest(const struct tp_tfprof_section *s, double *idle)
{
	const struct tp_tfprof_device *worst = NULL;

	*idle = 0;
	for (uint32_t i = 0; i < s->advice.device_count; i++) {
		const struct tp_tfprof_device *d = &s->advice.devices[i];
		double span_us = (double)d->end_us - (double)d->start_us;
		double share = span_us > 0 ? 1 - (double)d->busy_us / span_us : 0;

		if (span_us > 0 && (worst == NULL || share > *idle)) {
			worst = d;
			*idle = share > 0 ? share : 0;
		}
	}
	return worst;
}

static void
idle_accelerator(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = measured(e, r);
	double idle;

	if (s == NULL)
		return;
	const struct tp_tfprof_device *d = idlest(s, &idle);

	if (d == NULL) {
		tp_rule_not_applicable(r, "no node ran on an accelerator");
		return;
	}
	r->whole_ps = ((double)d->end_us - (double)d->start_us) * PS_PER_US;
	tp_rule_decide(r, idle, idle * r->whole_ps);
}

static void
say_idle(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_tfprof_section *s = tp_result(ctx, &tp_pass_tfprof);
	double idle;
	const struct tp_tfprof_device *d = idlest(s, &idle);

	finding->saw =
		TP_SAY(doc, "Between its first and last operation of the last step, `{}` was busy {}.",
			tp_text_value(tp_utf8_clean(ctx->keep, d->name)), tp_number(1 - idle, TP_UNIT_SHARE));
}

static void
slow_arithmetic(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = measured(e, r);

	if (s == NULL)
		return;
	if (s->slow.count == 0) {
		tp_rule_not_applicable(r, "no device has two operations with a known FLOP count");
		return;
	}
	r->whole_ps = all_us(s) * PS_PER_US;
	tp_rule_decide(r, s->slow.saving_us / all_us(s), s->slow.saving_us * PS_PER_US);
}

static void
say_slow(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_tfprof_section *s = tp_result(ctx, &tp_pass_tfprof);
	const struct tp_tfprof_node *nodes = s->tfprof->nodes;

	finding->saw = TP_SAY(doc,
		"`{}` computes {}, `{}` on the same device {}; {} were compared, each with a million float "
		"operations and 50 µs per step at least.",
		tp_text_value(tp_utf8_clean(ctx->keep, nodes[s->slow.worst].name)),
		tp_number(s->slow.worst_per_us * 1e6, TP_UNIT_FLOP_PER_S),
		tp_text_value(tp_utf8_clean(ctx->keep, nodes[s->slow.best].name)),
		tp_number(s->slow.best_per_us * 1e6, TP_UNIT_FLOP_PER_S),
		tp_say_number(ctx, s->slow.count, "node", "nodes"));
}

static void
expensive(const struct tp_evaluation *e, struct tp_finding_result *r)
{
	const struct tp_tfprof_section *s = measured(e, r);

	if (s == NULL)
		return;
	if (s->tfprof->lacks_graph) {
		r->name = "One node";
		r->title = "{} of operation time is in one node";
		r->passed = "the most expensive node takes {}; limit: {}";
	}
	tp_rule_decide(r, (double)tp_tfprof_top(s)->own.of[TP_TFPROF_US] / all_us(s), NAN);
}

/* What to do in TPR-TFPROF-005; the second where lines of code are known. */
enum { EXPENSIVE_SHAPES, EXPENSIVE_LINES };

/* Without a graph, which has the types. */
static void
say_expensive_node(const struct tp_pass_ctx *ctx, struct tp_doc *doc,
	const struct tp_tfprof_section *s, struct tp_finding *finding)
{
	const struct tp_tfprof_row *top = tp_tfprof_top(s);
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, finding->action_count);

	for (size_t i = 0; i < finding->action_count; i++)
		actions[i] = finding->actions[i];
	actions[EXPENSIVE_SHAPES] = TP_SAY0(doc,
		"Put the graph beside the RunMetadata, as `graph.pb`: the report then names the type and "
		"the shapes of this node.");
	finding->actions = actions;
	finding->saw = TP_SAY(doc, "`{}` takes {} per step.", tp_text_value(top->name),
		tp_integer(top->own.of[TP_TFPROF_US], TP_UNIT_US));
	finding->matters = TP_SAY0(doc, "RunMetadata does not say how short this node could be.");
}

static void
say_expensive(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_finding *finding)
{
	const struct tp_tfprof_section *s = tp_result(ctx, &tp_pass_tfprof);
	const struct tp_tfprof_row *top = tp_tfprof_top(s);

	if (!s->has_code)
		finding->action_count = EXPENSIVE_LINES;
	if (s->tfprof->lacks_graph) {
		say_expensive_node(ctx, doc, s, finding);
		return;
	}
	finding->saw = TP_SAY(doc, "`{}` takes {} per step, in {}.", tp_text_value(top->name),
		tp_integer(top->own.of[TP_TFPROF_US], TP_UNIT_US),
		tp_say_number(ctx, top->member_count, "node", "nodes"));
}

const struct tp_finding_rule tp_rules_tfprof[] = {
	{
		.info = {"TPR-TFPROF-001", "Slow first step",
			"mean operation time over all steps, as tfprof prints it, by which the first "
			"traced step is above the mean of the others",
			NAN, 0.10, false, TP_HUE_COMPILE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = first_step,
		.title = "{} of the mean that tfprof prints is from a slow first step",
		.passed = "a slow first step is {} of the mean that tfprof prints; limit: {}",
		.any = {"Trace after warm-up.",
			{"Trace later steps: `ProfileContext(dir, trace_steps=range(10, 14), dump_steps=[13])`.",
				"Or look at one step: `tpreport tfprof --profile_path DUMP op -step N`."}},
		.check = "the time of the first traced step near that of a later one",
		.evidence = "[tfprof](#tfprof)",
		.of_data = true,
		.unbounded =
			"It is paid once and costs a long run nothing. The figures here are of the steps after it.",
		.particulars = say_first_step,
	},
	{
		.info = {"TPR-TFPROF-002", "Unfused batch normalisation", "operation time", NAN, 0.05,
			false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = batch_norm,
		.title = "{} of operation time is in unfused batch normalisation",
		.passed = "unfused batch normalisation takes {}; limit: {}",
		.any = {"Use the fused operation.",
			{"`tf.compat.v1.nn.fused_batch_norm`, or `fused=True` of the layer; versions 2 and 3 of "
			 "the operation count as fused."}},
		.check = "time in unfused batch normalisation below {} of operation time",
		.evidence = "[tfprof](#tfprof)",
		.saves_of = TP_SAVED_OPERATIONS,
		.saves = OF_OPERATIONS,
		.matters = LESS " How long the fused operation takes is not recorded.",
	},
	{
		.info = {"TPR-TFPROF-003", "Channels-last operations on a GPU", "operation time", NAN, 0.05,
			false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = layout,
		.title = "{} of operation time is in channels-last (NHWC) operations on a GPU",
		.passed = "channels-last (NHWC) operations take {} on GPUs; limit: {}",
		.any = {"Try channels-first (NCHW).",
			{"`data_format=\"NCHW\"` of convolutions, pooling and batch normalisation; with 16-bit "
			 "floats on newer GPUs, NHWC is faster."}},
		.check = "time in NHWC operations on GPUs below {} of operation time",
		.evidence = "[tfprof](#tfprof)",
		.unbounded = "How long they take in the other layout is not recorded.",
	},
	{
		.info = {"TPR-TFPROF-004", "Accelerator is idle",
			"the last step of the least busy accelerator", 0.80, 0.50, false, TP_HUE_IDLE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = idle_accelerator,
		.title = "An accelerator is idle {} of its last step",
		.passed = "the least busy accelerator is idle {} of its last step; limit: {}",
		.any = {"See what it waits for.",
			{"*Capture a profile* while steps run: the record does not say when other devices worked.",
				"`tpreport tfprof --profile_path DUMP graph -step N -output "
				"timeline:outfile=FILE` draws the step."}},
		.check = "its idle time below {} of its last step",
		.evidence = "[tfprof](#tfprof)",
		.saves_of = TP_SAVED_ACCELERATOR,
		.saves = "of its last step",
		.matters =
			"Without gaps, its last step would take {} instead of {}, from the first operation to "
			"the last: at most {} less. What the accelerator waits for is not recorded.",
		.particulars = say_idle,
	},
	{
		.info = {"TPR-TFPROF-005", "One type of operation", "operation time", NAN, 0.50, false,
			TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = expensive,
		.title = "{} of operation time is in one type of operation",
		.passed = "the most expensive type of operation takes {}; limit: {}",
		.any = {"Start with it.",
			{"See its nodes and their shapes: `tpreport tfprof --profile_path DUMP op -order_by micros "
			 "-select micros,occurrence,input_shapes`.",
				"The lines of code that create these operations are listed below."}},
		.check = "`tfprof.total_us`",
		.evidence = "[tfprof](#tfprof)",
		.unbounded =
			"How short these operations could be is not recorded; for the rate of single operations see "
			"TPR-TFPROF-006.",
		.general = true,
		.particulars = say_expensive,
	},
	{
		.info = {"TPR-TFPROF-006", "Slow arithmetic",
			"operation time, beyond the time at the rate of the fastest operation on the same "
			"device",
			NAN, 0.10, false, TP_HUE_COMPUTE},
		.scope = TP_RULE_OF_TFPROF,
		.evaluate = slow_arithmetic,
		.title = "{} of operation time is arithmetic that runs slower than the fastest operation",
		.passed = "arithmetic slower than the fastest operation costs {}; limit: {}",
		.any = {"Bring the slow operations to the rate of the fast one.",
			{"The rates of all, by shape, are listed below: small or odd shapes, and gradients, are often slower.",
				"Use a larger batch, or shapes that are multiples of 8.",
				"On a CPU: TensorFlow with oneDNN (`TF_ENABLE_ONEDNN_OPTS=1`). On a GPU: 16-bit floats."}},
		.check = "time beyond the rate of the fastest operation below {} of operation time",
		.evidence = "[tfprof](#tfprof)",
		.saves_of = TP_SAVED_OPERATIONS,
		.saves = OF_OPERATIONS,
		.matters = LESS,
		.particulars = say_slow,
	},
	{.evaluate = NULL},
};
