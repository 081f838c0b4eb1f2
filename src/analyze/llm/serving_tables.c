/* Iterations by kind, where the time goes, and prefill against decode. */
#include "analyze/llm/serving.h"

#include "analyze/core/say.h"
#include "analyze/core/time_class.h"
#include "analyze/llm/serving_columns.h"
#include "analyze/llm/serving_kernels.h"
#include "analyze/llm/serving_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>

static struct tp_value
ms(double ps, const char *why)
{
	return tp_number_or(ps / 1e9, TP_UNIT_MS, tp_slice_of(why));
}

static struct tp_value
tokens(int64_t count, const struct tp_serving *s)
{
	return count >= 0 ? tp_count((uint64_t)count)
					  : tp_missing(s->no_tokens.len != 0 ? s->no_tokens : TP_S(why_their_names));
}

static struct tp_value
batch(const struct tp_pass_ctx *ctx, const struct tp_serving_sum *sum)
{
	if (sum->requests_min < 0)
		return tp_missing(TP_S(why_names));
	return sum->requests_min == sum->requests_max
		? tp_text_value(tp_arena_printf(ctx->keep, "%lld", (long long)sum->requests_min))
		: tp_text_value(tp_arena_printf(
			  ctx->keep, "%lld–%lld", (long long)sum->requests_min, (long long)sum->requests_max));
}

static void
add_row(const struct tp_pass_ctx *ctx, const struct tp_serving *s, const struct tp_serving_sum *sum,
	struct tp_slice label, enum tp_row_role role, struct tp_draft *draft)
{
	struct iteration_cells *c = tp_draft_row_of(draft, label, role, 0, NULL);

	c->kind.value = tp_text_value(label);
	c->pattern.value = sum->pattern.len != 0 ? tp_text_value(sum->pattern)
		: role == TP_ROW_TOTAL               ? tp_text_value(TP_S(""))
											 : tp_missing(TP_S(why_no_names));
	c->count.value = tp_count(sum->count);
	c->share.value = tp_share(sum->time_ps, s->all.time_ps, TP_S(why_no_length));
	c->p50.value = ms(sum->time.p50, why_none);
	c->p95.value = ms(sum->time.p95, why_none);
	c->busy.value = ms(sum->busy.p50, why_no_device_work);
	c->gap.value = ms(sum->gap.p50, why_no_gap);
	c->requests.value = batch(ctx, sum);
	c->tokens_in.value = tokens(sum->tokens_in, s);
	c->tokens_out.value = tokens(sum->tokens_out, s);
	c->graph.value = tp_share(sum->graph_ps, sum->work_ps, TP_S(why_no_device_work));
	c->launches.value = sum->count > sum->with_graph ? tp_number(sum->launches, TP_UNIT_COUNT)
													 : tp_missing(TP_S(why_all_replayed));
}

static void
iterations(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "serving/iterations", iteration_columns);

	for (int k = 0; k < TP_SERVING_KINDS; k++) {
		if (s->kinds[k].count != 0)
			add_row(ctx, s, &s->kinds[k],
				tp_slice_of(tp_serving_kind_info((enum tp_serving_kind)k)->label), TP_ROW_NORMAL,
				&draft);
	}
	add_row(ctx, s, &s->all, TP_S("All"), TP_ROW_TOTAL, &draft);
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(caption_iterations);
}

/* What other parts of the report call idle time inside iterations, where these are the steps. */
static void
say_idle(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *section)
{
	static const enum tp_class hosts[] = {TP_CLASS_LAUNCH, TP_CLASS_HOST_COMPUTE,
		TP_CLASS_INPUT_WAIT, TP_CLASS_OTHER, TP_CLASS_SETUP, TP_CLASS_QUEUED};
	const struct tp_steps *steps = tp_result(ctx, &tp_pass_steps);
	struct tp_slice names = TP_S("");

	if (steps == NULL || steps->source == &tp_step_source_torch || !(s->inside_ps > 0))
		return;
	for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
		if (steps->class_mean_ps[hosts[i]] > 0)
			names = tp_arena_printf(ctx->keep, "%.*s%s%s", TP_ARG(names),
				names.len != 0 ? ", " : "", tp_class_info(hosts[i])->label);
	}
	if (names.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "serving/where-idle",
			TP_SAY(doc, text_see_steps, tp_text_value(names)));
}

/* Where the time from the first iteration to the end of the last goes; parts sum to it. */
static void
where(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *section)
{
	enum { PARTS = 5 };
	double copy = 0, collective = 0;
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, PARTS);
	struct tp_slice *label = tp_new(ctx->keep, struct tp_slice);
	double *values = tp_new_array(ctx->keep, double, PARTS);
	size_t n = 0;

	for (uint32_t i = 0; i < s->count; i++) {
		copy += s->iterations[i].copy_ps;
		collective += s->iterations[i].collective_ps;
	}
	const struct {
		const char *key, *label;
		double ps;
		enum tp_hue hue;
		int tint;
	} parts[PARTS] = {
		{"compute", "Compute", s->all.busy_sum_ps - copy - collective,
			tp_class_info(TP_CLASS_COMPUTE)->hue, 0},
		{"copy", "Memory, copy", copy, TP_HUE_MEMORY, 0},
		{"collective", "Collectives", collective, tp_class_info(TP_CLASS_COLLECTIVE)->hue, 0},
		{"inside", text_inside, s->inside_ps, tp_class_info(TP_CLASS_LAUNCH)->hue, TP_TINT_UNUSED},
		{"between", text_outside, s->idle_ps, tp_class_info(TP_CLASS_IDLE)->hue, 0},
	};

	if (!(s->window_ps > 0) || !(s->all.busy_sum_ps > 0))
		return;
	for (size_t i = 0; i < PARTS; i++) {
		values[i] = fmax(0, parts[i].ps) / 1e9;
		if (parts[i].ps > 0)
			series[n++] = (struct tp_series){.key = tp_slice_of(parts[i].key),
				.label = tp_slice_of(parts[i].label),
				.hue = parts[i].hue,
				.tint = parts[i].tint,
				.values = &values[i]};
	}
	*label = TP_S(text_all_iterations);
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("serving/where"))->chart = (struct tp_chart){
		.kind = TP_CHART_STACK,
		.alt = tp_arena_printf(
			ctx->keep, text_gap_alt, TP_ARG(tp_say_value(ctx, tp_ps_in_ms(s->window_ps)))),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = n,
		.labels = label,
		.point_count = 1,
		.marked = SIZE_MAX,
		.legend = true,
	};
	say_idle(ctx, s, doc, section);
	if (tp_known(tp_doc_value(doc, "llm.host_gap_share")))
		tp_doc_paragraph(
			doc, section, TP_PARAGRAPH_SMALL, "serving/where-gap", TP_SAY0(doc, text_gap));
}

/* Shades of compute tell them apart; colours of other classes would say what they are not. */
enum { SHOWN_FAMILIES = 3 };

static enum tp_hue
hue_of_family(struct tp_slice name)
{
	if (tp_slice_eq(name, TP_S("Communication")))
		return TP_HUE_COLLECTIVE;
	return tp_slice_eq(name, TP_S("Copy, layout, fill")) ? TP_HUE_MEMORY : TP_HUE_COMPUTE;
}

/* Device time of an iteration by family of kernels, one bar a kind, on one axis. */
static void
against(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_serving_kernels *k = s->kernels;
	uint32_t shown = k->family_count < SHOWN_FAMILIES ? k->family_count : SHOWN_FAMILIES;
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, SHOWN_FAMILIES + 1);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, TP_SERVING_KINDS);
	size_t points = 0;

	for (uint32_t f = 0; f <= shown; f++) {
		double *values = tp_new_array(ctx->keep, double, TP_SERVING_KINDS);

		points = 0;
		for (int kind = 0; kind < TP_SERVING_KINDS; kind++) {
			const struct tp_serving_sum *sum = &s->kinds[kind];

			for (uint32_t i = f; sum->count != 0 && i < (f < shown ? f + 1 : k->family_count); i++)
				values[points] += k->families[i].ps[kind] / 1e9 / sum->count;
			if (sum->count != 0)
				labels[points++] =
					tp_slice_of(tp_serving_kind_info((enum tp_serving_kind)kind)->label);
		}
		series[f] = (struct tp_series){.key = f < shown ? k->families[f].name : TP_S("rest"),
			.label = f < shown ? k->families[f].name : TP_S(text_other_families),
			.hue = f < shown ? hue_of_family(k->families[f].name) : TP_HUE_COMPUTE,
			.tint = (int)f,
			.values = values};
	}
	if (points < 2)
		return;
	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("serving/against"))->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = TP_S(text_families_alt),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = shown + (k->family_count > shown),
		.labels = labels,
		.point_count = points,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

void
tp_serving_tables(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *section)
{
	where(ctx, s, doc, section);
	iterations(ctx, s, doc, section);
	if (s->kernels != NULL)
		against(ctx, s, doc, section);
}
