/* The first screen: run line, verdict, data quality, tiles, where a step goes, what to do first. */
#include "analyze/core/pass.h"
#include "analyze/page/tiles.h"

#include "analyze/core/say.h"
#include "analyze/facts/captures.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/op_times.h"
#include "analyze/facts/precomputed.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/rule.h"
#include "analyze/judge/verdict.h"
#include "analyze/judge/what_if.h"
#include "analyze/ops/op_profile.h"
#include "analyze/ops/ops.h"
#include "analyze/page/method.h"
#include "analyze/page/other_runs.h"
#include "analyze/page/passes.h"
#include "analyze/page/summary_first.h"
#include "analyze/page/waiting.h"
#include "analyze/pod/pod.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "analyze/tfprof/tfprof.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch_steps/torch_quality.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

enum { MOST_ITEMS = 16 };

/* Less of it is usual: what runs as the trace begins. */
#define TORCH_UNLAUNCHED_SHARE 0.05

static void
items(struct tp_doc *doc, struct tp_block *parent, enum tp_paragraph_role role, const char *id,
	const struct tp_text *list, size_t count)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_PARAGRAPH, tp_slice_of(id));
	struct tp_text *copy = tp_new_array(doc->arena, struct tp_text, count);

	memcpy(copy, list, count * sizeof *list);
	block->paragraph = (struct tp_paragraph){.role = role, .items = copy, .count = count};
}

/* "newest of 4 runs", with a link to them; false: there is no other. */
static bool
other_runs(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *out)
{
	const struct tp_other_runs *o = ctx->options->other_runs;

	if (o == NULL || o->count == 0)
		return false;
	*out = o->number == 1 ? TP_SAY(doc, "[newest of {} runs](#method/other-runs)", tp_count(o->all))
						  : TP_SAY(doc, "[number {} of {} runs](#method/other-runs)",
								tp_count(o->number), tp_count(o->all));
	if (o->all == 2)
		TP_SAY_MORE(doc, *out, ", the other is `{}` ({})", tp_text_value(o->runs[0].name),
			tp_text_value(o->runs[0].holds));
	return true;
}

/* A schedule may record some steps, wait, and record some more. */
static bool
are_some_of(const struct tp_steps *s)
{
	int64_t first, last;

	return tp_step_number(s->steps[0].name, &first) &&
		tp_step_number(s->steps[s->count - 1].name, &last) && last - first >= (int64_t)s->count;
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
	n += other_runs(ctx, doc, &list[n]);
	list[n++] = e->hosts == 0 ? TP_SAY0(doc, "host not recorded")
		: e->cores != 0
		? tp_doc_join(doc, TP_SAY(doc, "{}, ", tp_say_number(ctx, e->hosts, "host", "hosts")),
			  tp_environment_say_devices(e, doc))
		: e->device_type.len != 0
		? TP_SAY(doc, "{}, {}", tp_say_number(ctx, e->hosts, "host", "hosts"),
			  tp_text_value(e->device_type))
		: TP_SAY(doc, "{}", tp_say_number(ctx, e->hosts, "host", "hosts"));
	if (ctx->profile->chosen.len != 0)
		list[n++] = TP_SAY(doc, "only {}", tp_text_value(ctx->profile->chosen));
	else if (ctx->profile->torch != NULL)
		list[n++] = TP_SAY(doc, "{}, {}",
			tp_say_number(ctx, ctx->profile->torch->worker_count, "worker", "workers"),
			tp_say_number(ctx, ctx->profile->torch->trace_count, "span", "spans"));
	if (tp_known(e->framework_name))
		list[n++] = TP_SAY(doc, "{}", e->framework_name);
	if (s != NULL && s->source->unmarked.len != 0)
		list[n++] = TP_SAY0(doc, "no steps marked");
	else if (s != NULL)
		list[n++] = s->count == 1 ? TP_SAY(doc, "step {}", tp_text_value(s->steps[0].name))
			: s->jobs > 1         ? TP_SAY(doc, "{}", tp_say_number(ctx, s->count, "step", "steps"))
			: are_some_of(s)
			? TP_SAY(doc, "{} steps, numbered {}–{}", tp_count(s->count),
				  tp_text_value(s->steps[0].name), tp_text_value(s->steps[s->count - 1].name))
			: TP_SAY(doc, "steps {}–{}", tp_text_value(s->steps[0].name),
				  tp_text_value(s->steps[s->count - 1].name));
	else if (tp_tfprof_leads(ctx, tp_result(ctx, &tp_pass_tfprof)))
		n += tp_tfprof_say_dump(ctx, tp_result(ctx, &tp_pass_tfprof), doc, &list[n]);
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
		tp_doc_join(
			doc, v.verdict.saw, tp_doc_join(doc, TP_SAY0(doc, " "), v.verdict.consequence)));

	doc->description = tp_text_shown(whole, doc->arena);
}

/* What a reader of PyTorch figures must know before the notes: steps left out, device work from before the trace. */
static size_t
torch_quality(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	struct tp_torch_quality q = tp_torch_quality_of(ctx);
	size_t n = 0;

	if (q.trimmed != 0)
		list[n++] =
			TP_SAY(doc, "{} left out at the end", tp_say_number(ctx, q.trimmed, "step", "steps"));
	if ((double)q.work.no_call_ps + (double)q.work.untold_ps >
		TORCH_UNLAUNCHED_SHARE * (double)q.work.ps)
		list[n++] = TP_SAY0(
			doc, "{torch.data.no_launch_share} of device time [without its launch](#method)");
	return n;
}

/* "✓ 2 files read whole" */
static struct tp_text
read_whole(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const char *one, const char *many)
{
	const struct tp_profile *p = ctx->profile;
	bool whole = p->diags.warnings == 0;

	return tp_doc_judged(doc, whole ? TP_JUDGE_GOOD : TP_JUDGE_WARN,
		TP_SAY(doc, whole ? "{} read in full" : "{} partly read",
			tp_say_number(ctx, p->input_count, one, many)));
}

/* Of event files, marks of sessions and graphs alone there is little to say: whether they were read whole. */
static size_t
quality_of_files(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	const struct tp_tfprof_section *tfprof = tp_result(ctx, &tp_pass_tfprof);

	list[0] = read_whole(ctx, doc, "file", "files");
	list[1] = TP_SAY0(doc,
		!tp_known(tp_doc_value(doc, "tfprof.total_us")) ? "no profile"
			: tfprof->tfprof->built                     ? "RunMetadata: only runs of nodes"
														: "tfprof dump: only runs of nodes");
	return 2;
}

/* How much a capture could hold that this one does not; the list of it is longer than fits here. */
static size_t
absent(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	size_t count = tp_lacks_count(ctx);

	if (count == 0)
		return 0;
	list[0] = TP_SAY(
		doc, "[{} not captured](#method/absent)", tp_say_number(ctx, count, "thing", "things"));
	return 1;
}

/* What was put together though it did not run at one time. */
static size_t
captures(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	struct tp_captures c = tp_captures_of(ctx->profile, ctx->scratch);

	if (c.count < 2)
		return 0;
	list[0] = tp_doc_judged(doc, TP_JUDGE_WARN,
		TP_SAY(doc, "[{} captures](#method/times-of-captures), up to {} apart", tp_count(c.count),
			tp_number((double)c.longest_gap_ns, TP_UNIT_NS)));
	return 1;
}

static size_t
notes(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	size_t count = ctx->profile->diags.warnings + ctx->profile->diags.notes;

	if (count == 0)
		return 0;
	list[0] = TP_SAY(doc, "[{}](#method)", tp_say_number(ctx, count, "note", "notes"));
	return 1;
}

/* A tool file holds what a profiler worked out: of its events and of what it may have lost nothing is known. */
static size_t
quality_of_tools(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	bool whole = p->diags.warnings == 0;
	size_t n = 0;

	if (s != NULL)
		list[n++] = tp_doc_judged(doc, whole ? TP_JUDGE_GOOD : TP_JUDGE_WARN,
			TP_SAY(doc, "{}/{} on {}", tp_count(s->count),
				tp_say_number(ctx, s->seen, "step", "steps"),
				tp_say_number(ctx, p->host_count, "host", "hosts")));
	list[n++] = read_whole(ctx, doc, "tool file", "tool files");
	if (tp_precomputed_differ(p->precomputed))
		list[n++] = tp_doc_judged(
			doc, TP_JUDGE_WARN, TP_SAY0(doc, "[of different captures](#distributed)"));
	list[n++] = TP_SAY0(doc, "the profiler's own figures");
	list[n++] = s != NULL ? TP_SAY0(doc, "no events") : TP_SAY0(doc, "no events, no steps");
	return n;
}

static size_t
quality_of_profile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_text *list)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_read_part part = tp_read_part_of(ctx);
	bool whole = p->dropped_events == 0 && p->diags.warnings == 0;
	size_t n = 0, traces = 0;

	for (uint32_t i = 0; i < p->input_count; i++)
		traces += p->inputs[i].trace;
	list[n++] = tp_doc_judged(doc, whole && s != NULL ? TP_JUDGE_GOOD : TP_JUDGE_WARN,
		s != NULL ? TP_SAY(doc, "{}/{} on {}", tp_count(s->count),
						tp_say_number(ctx, s->seen, tp_steps_word(s, 1), tp_steps_word(s, 2)),
						s->source->by_role ? tp_steps_of_whom(ctx, s)
										   : tp_say_number(ctx, p->host_count, "host", "hosts"))
				  : TP_SAY0(doc, "no steps"));
	list[n++] = TP_SAY(doc, "{} dropped", tp_say_number(ctx, p->dropped_events, "event", "events"));
	list[n++] = s == NULL ? TP_SAY0(doc, "no step markers")
		: s->inferred ? tp_doc_join(doc, TP_SAY0(doc, "steps "), tp_steps_say_inferred(ctx, doc, s))
		: s->launched.timing != TP_TIMED_BY_MARKER
		? tp_doc_join(
			  doc, TP_SAY0(doc, "markers only launch: steps "), tp_steps_say_launched(doc, s))
		: TP_SAY0(doc, s->source->quality);
	if (s != NULL && s->lacking_count != 0)
		list[n++] = TP_SAY(doc, "{} not on every {}",
			tp_say_number(ctx, s->incomplete, "step is", "steps are"),
			tp_text_value(tp_slice_of(s->source->timeline)));
	if (s != NULL && s->open_count != 0)
		list[n++] = TP_SAY(
			doc, "{} cut off by the capture", tp_say_number(ctx, s->open_count, "step", "steps"));
	if (s != NULL && s->open_events != 0)
		list[n++] = TP_SAY(doc,
			s->open_events == 1 ? "{} begins before or ends after the capture"
								: "{} begin before or end after the capture",
			tp_say_number(ctx, s->open_events, "event", "events"));
	if (d != NULL && d->without_work != 0)
		list[n++] = TP_SAY(doc, "{} ran operations", tp_text_value(tp_devices_some_of_all(ctx, d)));
	if (p->torch != NULL)
		n += torch_quality(ctx, doc, list + n);
	if (traces != 0)
		list[n++] =
			TP_SAY0(doc, "read from the profiler's trace, which holds less than its profile");
	if (part.what != NULL)
		list[n++] = tp_doc_judged(doc, TP_JUDGE_WARN,
			TP_SAY(doc, part.at_least ? "{} of at least {} {} profiled" : "{} of {} {} read",
				tp_count(part.read), tp_count(part.all), tp_text_value(tp_slice_of(part.what))));
	if (!whole || (part.what == NULL && traces == 0))
		list[n++] = !whole                                 ? TP_SAY0(doc, "profile incomplete")
			: tp_kernels_not_recorded(ctx).reason.len != 0 ? TP_SAY0(doc, "kernels not recorded")
														   : TP_SAY0(doc, "profile complete");
	return n;
}

static void
quality(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	struct tp_text list[MOST_ITEMS];
	size_t n = !tp_has_profile(ctx)   ? quality_of_files(ctx, doc, list)
		: tp_precomputed(ctx) != NULL ? quality_of_tools(ctx, doc, list)
									  : quality_of_profile(ctx, doc, list);

	n += captures(ctx, doc, list + n);
	if (tp_has_profile(ctx))
		n += absent(ctx, doc, list + n);
	n += notes(ctx, doc, list + n);
	items(doc, summary, TP_PARAGRAPH_QUALITY, "summary/quality", list, n);
}

/* Steps side by side, and cores where that says more. Of tool files the steps may be others than those of cores. Page 1 of a PDF has no room for
 * both. */
static void
by_step_and_core(const struct tp_pass_ctx *ctx, const struct tp_steps *s, struct tp_doc *doc,
	struct tp_block *parent)
{
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	bool cores = tp_pod_worth_a_chart(pod) && pod->steps == s;
	struct tp_block *by_step = parent;

	if (s->count > 1 && cores)
		by_step = tp_doc_section(doc, parent, TP_SECTION_SUB, "summary/step/by-step", "By step");
	if (s->count > 1)
		tp_step_strip(ctx, s, doc, by_step, "summary/step/strip", false);
	if (!cores)
		return;
	struct tp_block *by_core = tp_doc_section(
		doc, parent, TP_SECTION_SUB, "summary/step/by-core", pod->cores ? "By core" : "By host");

	by_core->section.off_paper = true;
	by_core->section.aside = TP_SAY(
		doc, "mean of {}", tp_say_number(ctx, s->count, tp_steps_word(s, 1), tp_steps_word(s, 2)));
	if (tp_pod_has_straggler(pod))
		TP_SAY_MORE(doc, by_core->section.aside, "; outlined: {}",
			tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, pod->straggler.unit)));
	tp_pod_mean_strip(ctx, pod, doc, by_core, "summary/step/cores");
}

/* From this share of a step on, idle time at the end of shorter steps is explained. */
#define WORTH_A_WORD 0.10

static void
where_time_goes(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_ops *o = tp_ops_known(ctx);
	struct tp_block *sub;

	if (s != NULL) {
		sub = tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/step", "Where a step goes");
		sub->section.aside = TP_SAY(doc,
			tp_steps_end_with_slowest(s)
				? "mean of {} × {}, until the slowest ends = *{step.time.mean_ms}*"
				: s->jobs > 1 ? "mean of {} of {} = *{step.time.mean_ms}*"
							  : "mean of {} × {} = *{step.time.mean_ms}*",
			tp_say_number(ctx, s->count, tp_steps_word(s, 1), tp_steps_word(s, 2)),
			tp_steps_of_whom(ctx, s));
		if (s->open_count != 0 && s->whole.count != 0)
			TP_SAY_MORE(doc, sub->section.aside,
				"; without {} that the capture cuts off, {step.time.whole.mean_ms}",
				tp_say_number(ctx, s->open_count, "step", "steps"));
		struct tp_step_waits waits = {
			tp_waiting_in_collectives_ps(ctx), tp_waiting_in_receives_ps(ctx)};

		tp_step_stack(ctx, s, waits, doc, sub, "summary/step/classes");
		if (tp_steps_end_with_slowest(s) && tp_class_share(s, TP_CLASS_IDLE) >= WORTH_A_WORD)
			tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "summary/step/idle",
				TP_SAY(doc,
					"Idle: the {}’ steps differ in length, and the shorter ones end before "
					"the slowest.",
					tp_text_value(tp_slice_of(s->source->timelines))));
		if (tp_torch_comm_partly_hidden(ctx, tp_result(ctx, &tp_pass_torch_comm)))
			tp_doc_paragraph(doc, sub, TP_PARAGRAPH_SMALL, "summary/step/hidden",
				TP_SAY0(doc,
					"Of {step.class.collective_ms} of collectives, {torch.comm.communication_us} "
					"is exposed; computation overlaps the rest."));
		by_step_and_core(ctx, s, doc, sub);
	} else if (o != NULL) {
		sub = tp_doc_section(doc, summary, TP_SECTION_SUB, "summary/busy", "Where busy time goes");
		if (!o->only_shares)
			sub->section.aside =
				TP_SAY(doc, "*{}* of self time", tp_integer(o->busy_ps, TP_UNIT_PS));
		tp_ops_bars(ctx, o, doc, sub, "summary/busy/categories");
	} else if (tp_tfprof_leads(ctx, tp_result(ctx, &tp_pass_tfprof))) {
		tp_tfprof_where(ctx, tp_result(ctx, &tp_pass_tfprof), doc, summary);
	}
}

static void
do_first(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *summary)
{
	const struct tp_findings *f = tp_result(ctx, &tp_pass_findings);
	struct tp_text counts[3];
	size_t n = 0;

	tp_summary_first(ctx, f, doc, summary);
	/* Of event files alone no check says anything. */
	if (!tp_has_profile(ctx) && f->passed == 0 && f->open == 0)
		return;
	const struct {
		size_t count;
		enum tp_judge judge;
		const char *said;
	} kinds[] = {
		{f->passed, TP_JUDGE_GOOD,
			f->passed == 1 ? "*{}* [check passed](#findings/passed)"
						   : "*{}* [checks passed](#findings/passed)"},
		{f->not_applicable, TP_JUDGE_ABSENT, "*{}* [not applicable](#findings/not-applicable)"},
		{f->undecided, TP_JUDGE_UNDECIDED, "*{}* [undecided](#findings/undecided)"},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (kinds[i].count != 0)
			counts[n++] = tp_doc_judged(
				doc, kinds[i].judge, TP_SAY(doc, kinds[i].said, tp_count(kinds[i].count)));
	}
	if (n != 0)
		items(doc, summary, TP_PARAGRAPH_COUNTS, "summary/counts", counts, n);
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	(void)result;
	tp_waiting_metrics(ctx, doc);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_profile *p = ctx->profile;

	(void)result;
	doc->name = p->name;
	doc->run = p->run;
	doc->title = tp_slice_eq(p->name, p->run)
		? p->name
		: tp_arena_printf(doc->arena, "%.*s · %.*s", TP_ARG(p->name), TP_ARG(p->run));
	struct tp_block *summary = tp_doc_section(doc, NULL, TP_SECTION_SUMMARY, "summary", "Summary");

	run_line(ctx, doc, summary);
	verdict(ctx, doc, summary);
	quality(ctx, doc, summary);
	tp_summary_tiles(ctx, doc, summary);
	where_time_goes(ctx, doc, summary);
	do_first(ctx, doc, summary);
}

static const struct tp_pass *const after[] = {&tp_pass_environment, &tp_pass_op_times,
	&tp_pass_devices, &tp_pass_steps, &tp_pass_ops, &tp_pass_op_profile, &tp_pass_findings,
	&tp_pass_pod, &tp_pass_torch_comm, &tp_pass_tfprof, NULL};

const struct tp_pass tp_pass_summary = {
	.name = "summary",
	.title = "Summary",
	.summary =
		"the first screen: verdict, data quality, tiles, where a step goes, what to do first",
	.after = after,
	.place = TP_PLACE_SUMMARY,
	.metrics = metrics,
	.present = present,
	.lacks_nothing = "it shows what other passes computed",
};
