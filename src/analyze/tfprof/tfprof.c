/* Which dump is told about, and its views. */
#include "analyze/tfprof/tfprof.h"
#include "analyze/core/pass.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_options.h"
#include "analyze/tfprof/tfprof_slots.h"
#include "base/arena.h"
#include "base/order.h"
#include "base/utf8.h"
#include "model/graph.h"
#include "model/profile.h"
#include "model/tfprof_times.h"

#include <math.h>

static void
sum_up(const struct tp_tfprof *t, struct tp_tfprof_dump *dump)
{
	*dump =
		(struct tp_tfprof_dump){.tfprof = t, .steps = tp_tfprof_steady(t->steps, t->step_count)};
	for (uint32_t i = 0; i < t->node_count; i++) {
		struct tp_tfprof_figures f;

		tp_tfprof_figures(&t->nodes[i], dump->steps, &f);
		tp_tfprof_add(&dump->total, &f);
		dump->nodes_run += tp_tfprof_ran(&t->nodes[i]);
	}
}

/* That in the folder of the graph which is told about; of several the one of the highest step, as the program ran last. */
static bool
tells_rather(const struct tp_tfprof *t, const struct tp_tfprof *than, struct tp_slice folder)
{
	bool near = tp_slice_eq(t->folder, folder), than_near = tp_slice_eq(than->folder, folder);

	if (near != than_near)
		return near;
	if (t->step != than->step)
		return t->step > than->step;
	return t->step_count > than->step_count;
}

static void
choose(const struct tp_pass_ctx *ctx, struct tp_tfprof_section *s)
{
	const struct tp_graph *graph = tp_graph_chosen(ctx->profile);
	struct tp_slice folder = graph != NULL ? graph->folder : TP_S("");
	uint32_t i = 0;

	for (const struct tp_tfprof *t = ctx->profile->tfprof_dumps; t != NULL; t = t->next)
		s->dump_count++;
	s->dumps = tp_new_array(ctx->keep, struct tp_tfprof_dump, s->dump_count);
	for (const struct tp_tfprof *t = ctx->profile->tfprof_dumps; t != NULL; t = t->next, i++) {
		sum_up(t, &s->dumps[i]);
		if (i != 0 && tells_rather(t, s->dumps[s->chosen].tfprof, folder))
			s->chosen = i;
	}
	s->tfprof = s->dumps[s->chosen].tfprof;
}

/* A view by time or, of parameters, by these. No pattern of it can be hard. */
static bool
view(const struct tp_pass_ctx *ctx, struct tp_tfprof_section *s, enum tp_tfprof_kind kind,
	enum tp_tfprof_figure by, struct tp_tfprof_view *out)
{
	struct tp_tfprof_options o;

	tp_tfprof_options_open(&o);
	o.order = by;
	o.step = s->dumps[s->chosen].steps;
	if (by == TP_TFPROF_PARAMETERS)
		tp_patterns_set(&o.account_types,
			s->has_trained ? TP_S("_trainable_variables") : TP_S("Variable,VariableV2,VarHandleOp"),
			NULL);
	enum tp_status status = tp_tfprof_view(s->tfprof, kind, &o, ctx->keep, out, NULL);

	tp_tfprof_options_close(&o);
	/* Names in a dump are any bytes. */
	for (uint32_t i = 0; status == TP_OK && i < out->count; i++) {
		out->rows[i].name = tp_utf8_clean(ctx->keep, out->rows[i].name);
		out->rows[i].frame.file = tp_utf8_clean(ctx->keep, out->rows[i].frame.file);
	}
	return status == TP_OK;
}

static bool
is_of_type(const struct tp_tfprof_node *node, struct tp_slice wanted)
{
	struct tp_tfprof_types types = tp_tfprof_types(node);
	struct tp_slice type;

	while (tp_tfprof_next_type(&types, &type)) {
		if (tp_slice_eq(type, wanted))
			return true;
	}
	return false;
}

static void
find_trained(struct tp_tfprof_section *s)
{
	for (uint32_t i = 0; i < s->tfprof->node_count && !s->has_trained; i++)
		s->has_trained = is_of_type(&s->tfprof->nodes[i], TP_S("_trainable_variables"));
}

static void
look_at_steps(const struct tp_pass_ctx *ctx, struct tp_tfprof_section *s)
{
	s->by_step = tp_new_array(ctx->keep, struct tp_tfprof_figures, s->tfprof->step_count);
	tp_tfprof_by_step(s->tfprof, s->by_step);
	s->first_us = s->dumps[s->chosen].steps != TP_TFPROF_ALL_STEPS
		? (double)s->by_step[0].of[TP_TFPROF_US]
		: NAN;
}

/* Names of gradients hold that of the scope, too. */
static bool
is_batch_norm(const struct tp_tfprof_node *node)
{
	return tp_slice_has(node->name, TP_S("BatchNorm"));
}

static bool
is_nhwc(const struct tp_tfprof_node *node)
{
	return tp_tfprof_on_gpu(node->device) &&
		tp_slice_eq(tp_tfprof_text_attribute(node, TP_S("data_format")), TP_S("NHWC"));
}

/* What these nodes take, where advice is given on them. */
static int64_t
sum_of(const struct tp_tfprof_dump *dump, uint32_t advised,
	bool (*counts)(const struct tp_tfprof_node *node))
{
	const struct tp_tfprof *t = dump->tfprof;
	int64_t sum_us = 0;

	for (uint32_t i = 0; i < t->node_count && advised != TP_MAP_NONE; i++) {
		struct tp_tfprof_figures f;

		if (!counts(&t->nodes[i]))
			continue;
		tp_tfprof_figures(&t->nodes[i], dump->steps, &f);
		if (__builtin_add_overflow(sum_us, f.of[TP_TFPROF_US], &sum_us))
			sum_us = INT64_MAX;
	}
	return sum_us;
}

/* Devices that are listed but have no times: of those that are neither CPU nor GPU the original keeps none. */
static struct tp_slice
find_untimed(const struct tp_pass_ctx *ctx, const struct tp_tfprof *t)
{
	enum { MOST = 8 };
	struct tp_strings names;
	struct tp_slice text = TP_S(""), device;

	tp_strings_init(&names, ctx->scratch);
	for (uint32_t i = 0; i < t->node_count && names.count <= MOST; i++) {
		for (struct tp_tfprof_devices d = tp_tfprof_devices(&t->nodes[i]);
			 tp_tfprof_next_untimed(&d, &device);)
			tp_intern(&names, device);
	}
	for (uint32_t i = 1; i < names.count && i <= MOST; i++)
		text = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(text), i > 1 ? ", " : "",
			TP_ARG(tp_utf8_clean(ctx->keep, names.text[i])));
	return text;
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	struct tp_tfprof_section *s = tp_new(ctx->keep, struct tp_tfprof_section);

	(void)err;
	choose(ctx, s);
	find_trained(s);
	look_at_steps(ctx, s);
	view(ctx, s, TP_TFPROF_OP, TP_TFPROF_US, &s->ops);
	view(ctx, s, TP_TFPROF_SCOPE, TP_TFPROF_US, &s->scopes);
	view(ctx, s, TP_TFPROF_SCOPE, TP_TFPROF_PARAMETERS, &s->parameters);
	s->has_code = view(ctx, s, TP_TFPROF_CODE, TP_TFPROF_US, &s->code) && s->code.count > 1;
	tp_tfprof_advise(s->tfprof, true, ctx->keep, &s->advice);
	s->batch_norm_us = sum_of(&s->dumps[s->chosen], s->advice.batch_norm, is_batch_norm);
	s->nhwc_us = sum_of(&s->dumps[s->chosen], s->advice.nhwc, is_nhwc);
	s->rates = tp_tfprof_rates(&s->ops, s->tfprof, s->dumps[s->chosen].steps, ctx->keep);
	s->slow = tp_tfprof_find_slow(s->tfprof, s->dumps[s->chosen].steps);
	s->slot_of = tp_tfprof_slots(s->tfprof, ctx->keep);
	s->untimed = find_untimed(ctx, s->tfprof);
	*result = s;
	return TP_OK;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct {
		const char *id, *label, *how;
		enum tp_tfprof_figure figure;
		enum tp_unit unit;
	} figures[] = {
		{"tfprof.total_us", "Operation time per step",
			"Σ over nodes of accelerator and CPU time, each node's mean over the steps in which it ran, "
			"cut to whole microseconds, as in the op view of tfprof; of three steps and more without the first",
			TP_TFPROF_US, TP_UNIT_US},
		{"tfprof.params", "Parameters, as tfprof counts them",
			"Σ over nodes with a shape of the product of its dimensions, placeholders included: "
			"tfprof's parameters with all types selected",
			TP_TFPROF_PARAMETERS, TP_UNIT_COUNT},
		{"tfprof.float_ops", "Floating-point operations per step",
			"Σ over nodes of the registered count × runs; once for nodes that never ran",
			TP_TFPROF_FLOAT_OPS, TP_UNIT_FLOP},
		{"tfprof.requested_bytes", "Memory requested per step",
			"Σ over nodes of what they request, each node's mean over the steps in which it ran",
			TP_TFPROF_REQUESTED_BYTES, TP_UNIT_BYTES},
	};
	const struct tp_tfprof_section *s = result;

	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		struct tp_value value = s != NULL
			? tp_integer(s->dumps[s->chosen].total.of[figures[i].figure], figures[i].unit)
			: tp_missing(tp_skipped_itself(ctx));

		if (s != NULL && figures[i].figure == TP_TFPROF_FLOAT_OPS)
			value = tp_tfprof_count_value(s, s->dumps[s->chosen].total.of[TP_TFPROF_FLOAT_OPS]);
		if (s != NULL && figures[i].figure == TP_TFPROF_PARAMETERS && s->tfprof->lacks_graph)
			value = tp_missing(TP_S(TP_TFPROF_NO_SHAPES));
		/* Without a step there are no times. */
		if (s != NULL && s->tfprof->step_count == 0 && i != 1 && i != 2)
			value = tp_missing(TP_S(TP_TFPROF_NO_STEP));
		tp_say_metric(doc, figures[i].id, figures[i].label, value, figures[i].how);
	}
}

const struct tp_pass tp_pass_tfprof = {
	.name = "tfprof",
	.title = "tfprof",
	.summary = "tfprof dumps: operations, scopes, parameters and lines of code, and its advice",
	.needs_all = TP_HAS_TFPROF,
	.place = TP_PLACE_TFPROF,
	.analyze = analyze,
	.metrics = metrics,
	.present = tp_tfprof_present,
	.lacks_nothing = "a profile tells when operations ran, which a dump does not",
};
