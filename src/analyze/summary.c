/* The first screen: run line, verdict, data quality, tiles, where a step goes, what to do first. */
#include "analyze/summary.h"

#include "analyze/devices.h"
#include "analyze/environment.h"
#include "analyze/findings.h"
#include "analyze/op_times.h"
#include "analyze/ops.h"
#include "analyze/quality.h"
#include "analyze/say.h"
#include "analyze/step_charts.h"
#include "analyze/steps.h"
#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"

#include <math.h>

enum { MOST_ITEMS = 8, MOST_TILES = 6, TOP_FINDINGS = 3, MOST_POINTS = 240 };

static void
items(struct tp_doc *doc, struct tp_block *parent, enum tp_paragraph_role role, const char *id,
	const struct tp_text *list, size_t count)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_PARAGRAPH, tp_slice_of(id));
	struct tp_text *copy = tp_new_array(doc->arena, struct tp_text, count);

	memcpy(copy, list, count * sizeof *list);
	block->paragraph = (struct tp_paragraph){.role = role, .items = copy, .count = count};
}

static void
run_line(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct tp_text list[MOST_ITEMS];
	size_t n = 0;

	list[n++] = TP_SAY(doc, "*{}*", tp_text_value(doc->name));
	if (!tp_slice_eq(doc->run, doc->name))
		list[n++] = TP_SAY(doc, "run {}", tp_text_value(doc->run));
	list[n++] = e->cores != 0
		? TP_SAY(doc, "{}, {} × {}{}", tp_say_number(ctx, e->hosts, "host", "hosts"), tp_count(e->cores),
			  tp_text_value(e->device_type),
			  tp_text_value(e->devices == e->cores ? TP_S("") : e->cores == 1 ? TP_S(" core") : TP_S(" cores")))
		: TP_SAY(doc, "{}, CPU", tp_say_number(ctx, e->hosts, "host", "hosts"));
	if (tp_known(e->framework_name))
		list[n++] = TP_SAY(doc, "{}", e->framework_name);
	if (s != NULL)
		list[n++] = s->count == 1
			? TP_SAY(doc, "step {}", tp_text_value(s->steps[0].name))
			: TP_SAY(doc, "steps {}–{}", tp_text_value(s->steps[0].name), tp_text_value(s->steps[s->count - 1].name));
	items(doc, summary, TP_PARAGRAPH_RUN_LINE, "summary/run", list, n);
}

static void
verdict(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	struct tp_verdict_text v = tp_verdict_say(ctx, doc);
	struct tp_block *block = tp_doc_add(doc, summary, TP_BLOCK_VERDICT, TP_S("summary/verdict"));

	block->verdict = v.verdict;
	tp_doc_paragraph(doc, summary, TP_PARAGRAPH_BECAUSE, "summary/because", v.because);
	struct tp_text whole = tp_doc_join(doc, tp_doc_join(doc, v.verdict.name, TP_SAY0(doc, " ")),
		tp_doc_join(doc, v.verdict.saw, tp_doc_join(doc, TP_SAY0(doc, " "), v.verdict.consequence)));

	doc->description = tp_text_shown(whole, doc->arena);
}

static void
quality(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	bool whole = p->dropped_events == 0 && p->diags.warnings == 0;
	struct tp_text list[MOST_ITEMS];
	size_t n = 0;

	list[n++] = tp_doc_judged(doc, whole && s != NULL ? TP_JUDGE_GOOD : TP_JUDGE_WARN,
		s != NULL ? TP_SAY(doc, "{}/{} steps on {}", tp_count(s->count), tp_count(s->seen),
						tp_say_number(ctx, p->host_count, "host", "hosts"))
				  : TP_SAY0(doc, "no steps"));
	list[n++] = TP_SAY(doc, "{} dropped", tp_say_number(ctx, p->dropped_events, "event", "events"));
	list[n++] = s != NULL ? TP_SAY0(doc, "steps from markers") : TP_SAY0(doc, "no step markers");
	if (s != NULL && s->tpu && s->incomplete != 0)
		list[n++] = TP_SAY(doc, "{} not on every core", tp_say_number(ctx, s->incomplete, "step is", "steps are"));
	if (s != NULL && tp_steps_cut(s))
		list[n++] = TP_SAY0(doc, "first or last step looks cut");
	if (d != NULL && d->without_work != 0)
		list[n++] = TP_SAY(doc, "{} of {} devices ran operations", tp_count(d->count), tp_count(d->count + d->without_work));
	list[n++] = whole ? TP_SAY0(doc, "profile complete") : TP_SAY0(doc, "profile incomplete");
	size_t notes = p->diags.warnings + p->diags.notes;

	if (notes != 0)
		list[n++] = TP_SAY(doc, "[{}](#method)", tp_say_number(ctx, notes, "note", "notes"));
	items(doc, summary, TP_PARAGRAPH_QUALITY, "summary/quality", list, n);
}

/* A curve over steps; of very many each point is the highest of several in a row. */
static void
spark(const struct tp_pass_ctx *ctx, const struct tp_steps *s, enum tp_class c, bool share, struct tp_tile *t)
{
	size_t each = (s->count + MOST_POINTS - 1) / MOST_POINTS;
	double *values = tp_new_array(ctx->keep, double, s->count / each + 1);

	if (s->count < 3)
		return;
	for (size_t i = 0; i < s->count; i++) {
		double time = s->steps[i].time_ps, part = c == TP_CLASS_COUNT ? time : s->steps[i].class_ps[c];
		double value = !share ? part / 1e9 : time > 0 ? part / time : 0;

		values[i / each] = value > values[i / each] ? value : values[i / each];
	}
	t->spark = values;
	t->spark_count = (s->count - 1) / each + 1;
}

static struct tp_tile
step_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	struct tp_tile t = {
		.id = TP_S("summary/tiles/step-time"),
		.label = TP_S("Step time"),
		.metric = TP_S("step.time.p50_ms"),
		.value = tp_doc_find_metric(doc, TP_S("step.time.p50_ms"))->value,
	};

	if (s == NULL) {
		t.note[0] = TP_SAY0(doc, "no step markers in it");
		t.note[1] = TP_SAY0(doc, "[how to mark steps](#steps)");
		return t;
	}
	t.qualifier = TP_S("median");
	t.note[0] = TP_SAY0(doc, "p95 {step.time.p95_ms} · mean {step.time.mean_ms}");
	t.note[1] = TP_SAY(doc, "slowest {step.time.max_ms}, step {}", tp_text_value(s->steps[s->slowest].name));
	if (s->count == 1) {
		t.qualifier = TP_S("");
		t.note[0] = TP_SAY0(doc, "one step only:");
		t.note[1] = TP_SAY0(doc, "its spread is unknown");
	}
	spark(ctx, s, TP_CLASS_COUNT, false, &t);
	return t;
}

static struct tp_tile
input_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	enum tp_input_verdict v = tp_input_verdict(s);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/input-wait"),
		.label = TP_S("Waiting for input"),
		.metric = TP_S("input.wait_share"),
		.value = tp_doc_find_metric(doc, TP_S("input.wait_share"))->value,
		.judge = v == TP_INPUT_HIGH ? TP_JUDGE_BAD : v == TP_INPUT_MODERATE ? TP_JUDGE_WARN : TP_JUDGE_GOOD,
	};

	t.note[0] = v == TP_INPUT_HIGH ? TP_SAY0(doc, "high · limit 20 %")
		: v == TP_INPUT_MODERATE   ? TP_SAY0(doc, "medium · limit 5 %")
								   : TP_SAY0(doc, "low · limit 5 %");
	if (s->tpu && s->input_share > 0)
		t.note[1] = TP_SAY(doc, "worst core {}; mean {}", tp_number(s->input_share * s->time.mean / 1e9, TP_UNIT_MS),
			tp_number(s->class_mean_ps[TP_CLASS_INPUT_WAIT] / 1e9, TP_UNIT_MS));
	else
		t.note[1] = TP_SAY(doc, "{} of a mean step", tp_number(s->input_share * s->time.mean / 1e9, TP_UNIT_MS));
	/* Only tf.data and copies to a device leave events that show waiting. */
	if (!s->tpu && !s->gpu && s->input_share <= 0) {
		t.judge = TP_JUDGE_UNDECIDED;
		t.note[0] = TP_SAY0(doc, "no input event recorded");
	}
	if (s->input_share > 0)
		spark(ctx, s, TP_CLASS_INPUT_WAIT, true, &t);
	return t;
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/flops"),
		.label = TP_S("FLOPS utilisation"),
		.metric = TP_S("flops.utilization_share"),
		.value = tp_doc_find_metric(doc, TP_S("flops.utilization_share"))->value,
	};

	if (!tp_known(t.value)) {
		t.note[0] = TP_SAY0(doc, "no peak or no costs");
		t.note[1] = TP_SAY0(doc, "in the profile");
		return t;
	}
	bool low = o->flops_busy_share < TP_FLOPS_LOW_SHARE;

	t.judge = low ? TP_JUDGE_WARN : TP_JUDGE_GOOD;
	t.note[0] = TP_SAY0(doc, low ? "low · of {flops.peak_per_s}" : "fair · of {flops.peak_per_s}");
	t.note[1] = TP_SAY0(doc, "{flops.busy_utilization_share} while busy");
	return t;
}

static struct tp_tile
bandwidth_tile(struct tp_doc *doc)
{
	return (struct tp_tile){
		.id = TP_S("summary/tiles/bandwidth"),
		.label = TP_S("Memory bandwidth"),
		.metric = TP_S("memory_bandwidth.utilization_share"),
		.value = tp_doc_find_metric(doc, TP_S("memory_bandwidth.utilization_share"))->value,
		.note = {TP_SAY0(doc, "of the peak, idle included"),
			TP_SAY0(doc, "{memory_bandwidth.busy_utilization_share} while busy")},
	};
}

static struct tp_tile
busy_tile(struct tp_doc *doc, const struct tp_devices *d, const struct tp_steps *s)
{
	double idle = (double)(d->total_ps - d->busy_ps) / (double)d->total_ps;

	/* A TPU core that waits in an infeed operation is busy by every profiler's count; that must not look well. */
	bool waits = s != NULL && s->tpu && s->class_mean_ps[TP_CLASS_INPUT_WAIT] >= 0.05 * s->time.mean;
	bool joins = s != NULL && s->tpu && s->class_mean_ps[TP_CLASS_COLLECTIVE] >= 0.15 * s->time.mean;

	if (waits || joins)
		return (struct tp_tile){
			.id = TP_S("summary/tiles/busy"),
			.label = TP_S("Device busy"),
			.metric = TP_S("device.busy_share"),
			.value = tp_doc_find_metric(doc, TP_S("device.busy_share"))->value,
			.judge = TP_JUDGE_WARN,
			.note = {waits ? TP_SAY0(doc, "watch · counts infeed") : TP_SAY0(doc, "watch · counts all-reduce"),
				waits ? TP_SAY0(doc, "{step.class.input_wait_share} of a step is wait")
					  : TP_SAY0(doc, "{step.class.collective_share} of a step")},
		};
	return (struct tp_tile){
		.id = TP_S("summary/tiles/busy"),
		.label = TP_S("Device busy"),
		.metric = TP_S("device.busy_share"),
		.value = tp_doc_find_metric(doc, TP_S("device.busy_share"))->value,
		.judge = idle >= 0.5 ? TP_JUDGE_BAD : idle >= 0.1 ? TP_JUDGE_WARN : TP_JUDGE_GOOD,
		.note = {idle >= 0.5 ? TP_SAY0(doc, "low · idle {device.idle_share}")
				 : idle >= 0.1 ? TP_SAY0(doc, "medium · idle {device.idle_share}")
							   : TP_SAY0(doc, "high · idle {device.idle_share}"),
			TP_SAY(doc, "{} of {} each", tp_number((double)d->busy_ps / (double)d->count, TP_UNIT_PS),
				tp_number((double)d->total_ps / (double)d->count, TP_UNIT_PS))},
	};
}

static struct tp_tile
collective_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s)
{
	double part = s->class_mean_ps[TP_CLASS_COLLECTIVE] / s->time.mean;
	struct tp_tile t = {
		.id = TP_S("summary/tiles/collectives"),
		.label = TP_S("Exposed collectives"),
		.metric = TP_S("step.class.collective_ms"),
		.value = tp_doc_find_metric(doc, TP_S("step.class.collective_ms"))->value,
		.judge = part >= 0.15 ? TP_JUDGE_BAD : part >= 0.03 ? TP_JUDGE_WARN : TP_JUDGE_GOOD,
	};

	t.note[0] = part >= 0.15 ? TP_SAY0(doc, "high · {step.class.collective_share} of a step")
		: part >= 0.03		 ? TP_SAY0(doc, "watch · {step.class.collective_share} of a step")
							 : TP_SAY0(doc, "low · {step.class.collective_share} of a step");
	if (s->tpu)
		t.note[1] = TP_SAY0(doc, "worst core waits {step.tpu.all_reduce_sync_ms}");
	if (part > 0)
		spark(ctx, s, TP_CLASS_COLLECTIVE, false, &t);
	return t;
}

/* Milliseconds of a class with its share of a step. */
static struct tp_tile
class_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_steps *s, enum tp_class c)
{
	const struct tp_class_info *info = tp_class_info(c);
	struct tp_slice id = tp_arena_printf(ctx->keep, "step.class.%s_ms", info->key);
	struct tp_tile t = {
		.id = tp_arena_printf(ctx->keep, "summary/tiles/%s", info->key),
		.label = tp_slice_of(info->label),
		.metric = id,
		.value = tp_doc_find_metric(doc, id)->value,
		.note = {TP_SAY(doc, "{} of a step", tp_number(s->class_mean_ps[c] / s->time.mean, TP_UNIT_SHARE))},
	};

	spark(ctx, s, c, false, &t);
	return t;
}

static struct tp_tile
top_op_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_ops *o)
{
	enum { FITS = 24 };
	struct tp_slice name = o->ops[o->top].op->label;

	if (name.len > FITS)
		name = tp_arena_printf(ctx->keep, "%.*s…", (int)tp_utf8_fit(name, FITS), name.ptr);
	return (struct tp_tile){
		.id = TP_S("summary/tiles/top-op"),
		.label = TP_S("Top operation"),
		.metric = TP_S("op.top.self_share"),
		.value = tp_doc_find_metric(doc, TP_S("op.top.self_share"))->value,
		.qualifier = TP_S("of busy time"),
		.note = {TP_SAY(doc, "`{}`", tp_text_value(name)),
			TP_SAY(doc, "of {}", tp_say_number(ctx, o->count, "operation", "operations"))},
	};
}

static void
tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_tile *list = tp_new_array(doc->arena, struct tp_tile, MOST_TILES);
	size_t n = 0;

	list[n++] = step_tile(ctx, doc, s);
	if (s != NULL)
		list[n++] = input_tile(ctx, doc, s);
	if (d != NULL) {
		list[n++] = flops_tile(ctx, doc);
		if (o != NULL && isfinite(o->hbm_share))
			list[n++] = bandwidth_tile(doc);
		list[n++] = busy_tile(doc, d, s);
	}
	if (s != NULL && d == NULL) {
		list[n++] = class_tile(ctx, doc, s, TP_CLASS_HOST_COMPUTE);
		list[n++] = class_tile(ctx, doc, s, TP_CLASS_OTHER);
	}
	if (s != NULL && d != NULL && n < MOST_TILES)
		list[n++] = collective_tile(ctx, doc, s);
	if (o != NULL && n < MOST_TILES)
		list[n++] = top_op_tile(ctx, doc, o);
	struct tp_block *block = tp_doc_add(doc, summary, TP_BLOCK_TILES, TP_S("summary/tiles"));

	block->tiles = (struct tp_tiles){list, n};
}

static void
where_time_goes(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_block *sub;

	if (s != NULL) {
		sub = tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/step", "Where a step goes");
		sub->section.aside = TP_SAY(doc, "mean of {} × {} = *{step.time.mean_ms}*",
			tp_say_number(ctx, s->count, "step", "steps"),
			tp_say_number(ctx, s->timelines, s->tpu ? "core" : "host", s->tpu ? "cores" : "hosts"));
		tp_step_stack(ctx, s, doc, sub, "summary/step/classes");
		if (s->count > 1)
			tp_step_strip(ctx, s, doc, sub, "summary/step/strip", false);
	} else if (o != NULL) {
		sub = tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/busy", "Where busy time goes");
		sub->section.aside = TP_SAY(doc, "*{}* of self time", tp_integer(o->busy_ps, TP_UNIT_PS));
		tp_ops_bars(ctx, o, doc, sub, "summary/busy/categories");
	}
}

static void
do_first(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_finding *texts = tp_findings_texts(ctx, f, doc);
	struct tp_value scale = s ? tp_number(s->time.mean / 1e9, TP_UNIT_MS) : tp_missing(TP_S("no step time"));
	struct tp_text counts[3];
	size_t n = 0;

	if (f->open != 0) {
		struct tp_block *sub = tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/first", "Do this first");

		sub->section.aside = TP_SAY0(doc, "saves at most");
		for (size_t i = 0; i < f->open && i < TOP_FINDINGS; i++) {
			struct tp_block *block = tp_doc_add(doc, sub, TP_BLOCK_FINDING,
				tp_arena_printf(ctx->keep, "summary/%.*s", TP_ARG(texts[i].id)));

			block->finding = (struct tp_finding_block){
				.finding = &texts[i], .number = (unsigned)i + 1, .brief = true, .scale = scale};
		}
	}
	if (f->passed != 0)
		counts[n++] = tp_doc_judged(doc, TP_JUDGE_GOOD,
			TP_SAY(doc, f->passed == 1 ? "*{}* [check passed](#findings/passed)" : "*{}* [checks passed](#findings/passed)",
				tp_count(f->passed)));
	if (f->not_applicable != 0)
		counts[n++] = tp_doc_judged(doc, TP_JUDGE_ABSENT,
			TP_SAY(doc, "*{}* [not applicable](#findings/not-applicable)", tp_count(f->not_applicable)));
	if (f->undecided != 0)
		counts[n++] = tp_doc_judged(doc, TP_JUDGE_UNDECIDED,
			TP_SAY(doc, "*{}* [undecided](#findings/undecided)", tp_count(f->undecided)));
	if (n != 0)
		items(doc, summary, TP_PARAGRAPH_COUNTS, "summary/counts", counts, n);
}

static enum tp_status
analyze(const struct tp_pass_ctx *ctx, void **result, struct tp_err *err)
{
	(void)ctx, (void)result, (void)err;
	return TP_OK;
}

static enum tp_status
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc, struct tp_err *err)
{
	const struct tp_profile *p = ctx->profile;

	(void)result, (void)err;
	doc->name = p->name;
	doc->run = p->run;
	doc->title = tp_slice_eq(p->name, p->run) ? p->name
		: tp_arena_printf(doc->arena, "%.*s · %.*s", TP_ARG(p->name), TP_ARG(p->run));
	struct tp_block *summary =
		tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	run_line(ctx, doc, summary);
	verdict(ctx, doc, summary);
	quality(ctx, doc, summary);
	tiles(ctx, doc, summary);
	where_time_goes(ctx, doc, summary);
	do_first(ctx, doc, summary);
	return TP_OK;
}

static const struct tp_pass *const after[] = {&tp_pass_environment, &tp_pass_op_times,
	&tp_pass_devices, &tp_pass_steps, &tp_pass_ops, &tp_pass_findings, NULL};

const struct tp_pass tp_pass_summary = {
	.name = "summary",
	.title = "Summary",
	.summary = "the first screen: verdict, data quality, tiles, where a step goes, what to do first",
	.after = after,
	.place = TP_PLACE_SUMMARY,
	.analyze = analyze,
	.present = present,
};
