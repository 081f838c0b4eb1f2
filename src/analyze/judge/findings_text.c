/* The words of findings: what was seen, why it matters, what to do in the framework at hand, what should then move. */
#include "analyze/judge/rule.h"

#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const struct tp_advice *
advice_of(
	const struct tp_finding_rule *rule, const struct tp_environment *env, const struct tp_steps *s)
{
	enum tp_framework framework = env != NULL ? env->framework : TP_FRAMEWORK_UNKNOWN;
	const struct tp_advice *of[] = {
		[TP_FRAMEWORK_UNKNOWN] = &rule->any,
		[TP_FRAMEWORK_JAX] = &rule->jax,
		[TP_FRAMEWORK_TENSORFLOW] = &rule->tensorflow,
		[TP_FRAMEWORK_PYTORCH_XLA] = &rule->pytorch_xla,
		[TP_FRAMEWORK_PYTORCH] = &rule->pytorch,
	};

	if (s == NULL && rule->without_steps.brief != NULL)
		return &rule->without_steps;
	if (env != NULL && env->cores == 0 && rule->without_devices.brief != NULL)
		return &rule->without_devices;
	if (s != NULL && s->inferred && rule->inferred_steps.brief != NULL)
		return &rule->inferred_steps;
	return of[framework]->actions[0] != NULL ? of[framework] : &rule->any;
}

/* The first action on the devices that there are. */
static const char *
first_action(const struct tp_profile *p, const struct tp_advice *advice)
{
	bool on[] = {[TP_DEVICE_TPU] = false,
		[TP_DEVICE_GPU] = false,
		[TP_DEVICE_SPARSE_CORE] = false,
		[TP_DEVICE_OTHER] = false};

	for (uint32_t i = 0; i < p->device_count; i++)
		on[p->devices[i].kind] = true;
	if (on[TP_DEVICE_GPU] && advice->on_gpus != NULL)
		return advice->on_gpus;
	return on[TP_DEVICE_TPU] && advice->on_tpus != NULL ? advice->on_tpus : advice->actions[0];
}

static struct tp_value
limit_of(const struct tp_finding_result *r)
{
	bool high = r->severity == TP_JUDGE_BAD;

	return tp_number(high ? r->limits.high : r->limits.medium, TP_UNIT_SHARE);
}

/* What two shares differ by at least where both are told. */
#define SHOWN_SHARE 0.0005

static struct tp_text
why_it_matters(struct tp_doc *doc, const struct tp_finding_result *r, const struct tp_steps *s)
{
	if (r->rule->general && r->shared != NULL && !isfinite(r->saving_ps))
		return TP_SAY(doc,
			"This is not a second problem: finding {}, [{}](#{}), says what takes that time.",
			tp_count(r->shares_with), tp_text_value(tp_slice_of(r->shared->info.name)),
			tp_text_value(tp_slice_of(r->shared->info.id)));
	if (r->rule->unbounded != NULL && !isfinite(r->saving_ps))
		return TP_SAY0(doc, r->rule->unbounded);
	if (r->rule->matters != NULL && isfinite(r->saving_ps))
		return TP_SAY(doc, r->rule->matters,
			tp_number((r->whole_ps - r->saving_ps) / 1e9, TP_UNIT_MS),
			tp_number(r->whole_ps / 1e9, TP_UNIT_MS),
			tp_share(r->saving_ps, r->whole_ps, TP_S("there is no time")));
	if (s == NULL || !isfinite(r->saving_ps) || r->saving_ps >= s->time.mean)
		return TP_SAY0(
			doc, "The device could do more in the same time; the profile gives no bound.");
	if (r->rule->saves != NULL)
		return TP_SAY(doc, "Without this gap, the next step could start up to {} earlier.",
			tp_number(r->saving_ps / 1e9, TP_UNIT_MS));
	double rest = s->time.mean - r->saving_ps;
	struct tp_text why = TP_SAY(doc,
		"Without this time, the mean step would take {} instead of {}: at most {} less.",
		tp_number(rest / 1e9, TP_UNIT_MS), tp_number(s->time.mean / 1e9, TP_UNIT_MS),
		tp_share(r->saving_ps, s->time.mean, TP_S("steps have no length")));

	/* The mean has more of it than can be saved: not all have as much. */
	if (s->timelines > 1 && strcmp(r->rule->info.share_of, "step time") == 0 &&
		r->told - r->saving_ps / s->time.mean >= SHOWN_SHARE)
		TP_SAY_MORE(doc, why,
			" That is less than its share of step time, because without it another {} would be the "
			"slowest.",
			tp_text_value(tp_slice_of(s->source->timeline)));
	return why;
}

/* "Waiting for input: 61.1 % of step time; of the core with the most, by which it is judged, 63.0 % (high from 20.0 %)." */
static struct tp_text
what_was_seen(struct tp_doc *doc, const struct tp_finding_result *r, const struct tp_finding *f)
{
	const struct tp_rule_info *info = &r->rule->info;
	struct tp_text seen = TP_SAY(doc, "{}: {} of {}", tp_text_value(f->name),
		tp_number(r->told, TP_UNIT_SHARE), tp_text_value(tp_slice_of(info->share_of)));

	if (fabs(r->told - r->measured) >= SHOWN_SHARE)
		TP_SAY_MORE(doc, seen, "; judged by the worst core, {}", f->measured);
	return tp_doc_join(doc, seen,
		TP_SAY(doc, " ({} {} {}).",
			tp_text_value(r->severity == TP_JUDGE_BAD ? TP_S("high") : TP_S("medium")),
			tp_text_value(info->below ? TP_S("below") : TP_S("from")), f->limit));
}

/* A title that goes on after a colon; "GPU" stays as it is. */
static const char *
after_likely(const char *title, struct tp_arena *keep)
{
	bool word = title[0] != '\0' && (title[1] == ' ' || islower((unsigned char)title[1]));
	int first = word ? tolower((unsigned char)title[0]) : title[0];

	return tp_arena_printf(keep, "Likely: %c%s", first, title + (title[0] != '\0')).ptr;
}

static void
open_finding(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r,
	struct tp_finding *f)
{
	const struct tp_environment *env = tp_result(ctx, &tp_pass_environment);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_finding_rule *w = r->rule;
	const struct tp_advice *advice = advice_of(w, env, s);
	struct tp_text *actions = tp_new_array(ctx->keep, struct tp_text, TP_MOST_ACTIONS);

	bool likely = s != NULL && s->inferred && strcmp(w->info.share_of, "step time") == 0;
	f->title = tp_say_told(doc, likely ? after_likely(r->title, ctx->keep) : r->title, r);
	f->brief = TP_SAY0(doc, advice->brief != NULL ? advice->brief : w->any.brief);
	f->saw = what_was_seen(doc, r, f);
	f->matters = why_it_matters(doc, r, s);
	while (f->action_count < TP_MOST_ACTIONS && advice->actions[f->action_count] != NULL) {
		actions[f->action_count] = TP_SAY0(doc,
			f->action_count == 0 ? first_action(ctx->profile, advice)
								 : advice->actions[f->action_count]);
		f->action_count++;
	}
	f->actions = actions;
	f->check =
		TP_SAY(doc, w->check, tp_text_value(tp_arena_printf(ctx->keep, "%.2f", r->limits.medium)));
	f->evidence = TP_SAY0(doc, w->evidence);
	f->saving = isfinite(r->saving_ps)
		? tp_number(r->saving_ps / 1e9, TP_UNIT_MS)
		: tp_missing(TP_S("the profile gives no bound on what this would save"));
	bool bounded = isfinite(r->saving_ps);
	const char *of = !bounded ? "not bounded" : w->saves != NULL ? w->saves : "per step";

	f->saving_note = !r->shares_saving || (bounded && w->saves != NULL)
		? tp_slice_of(of)
		: tp_arena_printf(ctx->keep, r->within ? "%s, part of %zu’s" : "%s, may overlap %zu’s", of,
			  r->shares_with);
	if (r->memory_bytes > 0) {
		f->saving = tp_integer(r->memory_bytes, TP_UNIT_BYTES);
		f->saving_note = TP_S("of memory");
	}
	if (w->particulars != NULL)
		w->particulars(ctx, doc, f);
}

/* A bound that is more than the mean step has of the class comes from several: it is drawn in the colour of none. */
static bool
within_class(const struct tp_finding_result *r, const struct tp_steps *s)
{
	static const double alike = 1e-6;
	double class_ps = 0;

	if (s == NULL || !isfinite(r->saving_ps) || r->rule->saves != NULL)
		return true;
	for (size_t i = 0; i < TP_STEP_PART_COUNT; i++) {
		if (tp_step_part(i).hue == r->rule->info.hue)
			class_ps += tp_step_part_mean_ps(s, i);
	}
	return r->saving_ps <= class_ps * (1 + alike);
}

static struct tp_finding
finding(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_finding_result *r)
{
	const struct tp_finding_rule *rule = r->rule;
	struct tp_finding f = {
		.id = tp_slice_of(rule->info.id),
		.status = r->status,
		.severity = r->note ? TP_JUDGE_NONE : r->severity,
		.name = tp_slice_of(r->name),
		.measured =
			isfinite(r->measured) ? tp_number(r->measured, TP_UNIT_SHARE) : tp_missing(r->reason),
		.limit = limit_of(r),
		.saving = tp_missing(TP_S("nothing to save")),
		.hue = rule->info.hue,
		.tint = rule->tint,
	};

	switch (r->status) {
	case TP_FINDING_OPEN:
		if (!within_class(r, tp_result(ctx, &tp_pass_steps))) {
			f.hue = TP_HUE_NONE;
			f.tint = 0;
		}
		open_finding(ctx, doc, r, &f);
		break;
	case TP_FINDING_PASSED:
		f.title = TP_SAY(doc, r->passed, f.measured, f.limit);
		break;
	case TP_FINDING_NOT_APPLICABLE:
	case TP_FINDING_UNDECIDED:
		f.title = TP_SAY(doc, "{}", tp_text_value(r->reason));
		break;
	}
	return f;
}

const struct tp_finding *
tp_findings_texts(const struct tp_pass_ctx *ctx, const struct tp_findings *f, struct tp_doc *doc)
{
	struct tp_finding *all = tp_new_array(ctx->keep, struct tp_finding, f->count);

	for (size_t i = 0; i < f->count; i++)
		all[i] = finding(ctx, doc, &f->results[i]);
	return all;
}

static bool
savings_overlap(const struct tp_findings *f)
{
	for (size_t i = 0; i < f->open; i++) {
		if (f->results[i].shares_saving)
			return true;
	}
	return false;
}

/* "2 findings, and 1 problem with the capture" */
static struct tp_text
open_ones(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_findings *f)
{
	size_t faults = 0;

	for (size_t i = 0; i < f->open; i++)
		faults += f->results[i].rule->of_capture;
	struct tp_value lacks =
		tp_say_number(ctx, faults, "problem with the capture", "problems with the capture");
	struct tp_value others = tp_say_number(ctx, f->open - faults, "finding", "findings");

	if (faults == 0)
		return TP_SAY(doc, "{}", others);
	return faults == f->open ? TP_SAY(doc, "{}, and no other finding", lacks)
							 : TP_SAY(doc, "{}, and {}", others, lacks);
}

/* "2 findings; 5 checks could not be decided." */
static struct tp_text
what_was_found(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_findings *f)
{
	if (f->open + f->notes == 0 && f->passed == 0)
		return TP_SAY(doc, "Nothing could be checked: {} data, {} not apply.",
			tp_say_number(ctx, f->undecided, "check lacks", "checks lack"),
			tp_say_number(ctx, f->not_applicable, "does", "do"));
	struct tp_value passed = tp_say_number(ctx, f->passed, "check passed", "checks passed");
	struct tp_value notes = tp_say_number(ctx, f->notes, "note", "notes");
	struct tp_text found = f->open != 0 ? open_ones(ctx, doc, f)
		: f->undecided != 0             ? TP_SAY(doc, "{}", passed)
							: TP_SAY(doc, "{}; nothing that costs much time was found", passed);

	if (f->notes != 0)
		TP_SAY_MORE(doc, found, "; {}", notes);
	if (f->undecided != 0)
		TP_SAY_MORE(doc, found, "; {} could not be decided",
			tp_say_number(ctx, f->undecided, "check", "checks"));
	return tp_doc_join(doc, found, TP_SAY0(doc, "."));
}

static void
add_block(struct tp_doc *doc, struct tp_block *parent, const struct tp_finding *f, unsigned number,
	struct tp_value scale)
{
	struct tp_block *block = tp_doc_add(doc, parent, TP_BLOCK_FINDING, f->id);

	block->finding = (struct tp_finding_block){.finding = f, .number = number, .scale = scale};
}

static bool
share_reason(const struct tp_finding_result *a, const struct tp_finding_result *b)
{
	return a->status == b->status && a->reason.len > 0 && tp_slice_eq(a->reason, b->reason);
}

/* Checks of one status: those of one reason stand together, where the first of them is. */
static void
add_closed(struct tp_doc *doc, struct tp_block *fold, const struct tp_findings *f,
	enum tp_finding_status status, const struct tp_finding *texts, struct tp_value scale)
{
	for (size_t i = 0; i < f->count; i++) {
		const struct tp_finding_result *r = &f->results[i];
		bool told = r->status != status;

		for (size_t k = 0; k < i && !told; k++)
			told = share_reason(&f->results[k], r);
		for (size_t k = i; k < f->count && !told; k++) {
			if (k == i || share_reason(r, &f->results[k]))
				add_block(doc, fold, &texts[k], 0, scale);
		}
	}
}

void
tp_findings_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct {
		enum tp_finding_status status;
		enum tp_judge judge;
		const char *id, *one, *many;
	} folds[] = {
		{TP_FINDING_PASSED, TP_JUDGE_GOOD, "findings/passed", "check passed", "checks passed"},
		{TP_FINDING_NOT_APPLICABLE, TP_JUDGE_ABSENT, "findings/not-applicable", "not applicable",
			"not applicable"},
		{TP_FINDING_UNDECIDED, TP_JUDGE_UNDECIDED, "findings/undecided", "undecided", "undecided"},
	};
	const struct tp_findings *f = result;
	const struct tp_finding *texts = tp_findings_texts(ctx, f, doc);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	struct tp_value scale =
		s ? tp_number(s->time.mean / 1e9, TP_UNIT_MS) : tp_missing(TP_S("no step time"));

	if (f->open + f->notes == 0 && f->passed == 0 && !tp_has_profile(ctx))
		return;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "findings", "Findings");

	section->section.key_figure = tp_count(f->open);
	section->section.judge = f->open == 0 ? TP_JUDGE_NONE : f->results[0].severity;
	section->section.answer = what_was_found(ctx, doc, f);
	if (f->open >= 2)
		section->section.so_what =
			TP_SAY(doc, "Start with the first finding: it may hide the {}.{}",
				tp_text_value(f->open == 2 ? TP_S("other") : TP_S("others")),
				tp_text_value(savings_overlap(f) ? TP_S(" Savings of the same time do not add up.")
												 : TP_S("")));
	for (size_t i = 0; i < f->open + f->notes; i++)
		add_block(doc, section, &texts[i], (unsigned)i + 1, scale);
	for (size_t k = 0; k < sizeof folds / sizeof *folds; k++) {
		size_t count = 0;

		for (size_t i = 0; i < f->count; i++)
			count += f->results[i].status == folds[k].status;
		if (count == 0)
			continue;
		struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, folds[k].id,
			tp_arena_printf(ctx->keep, "%zu %s", count, count == 1 ? folds[k].one : folds[k].many)
				.ptr);

		fold->section.judge = folds[k].judge;
		add_closed(doc, fold, f, folds[k].status, texts, scale);
	}
}
