/* What the report says of channels and collectives. */
#include "analyze/pod/pod_traffic.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_columns.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { BARS = 12, MOST_STEP_ROWS = 16384 };

static struct tp_value
us(double ps)
{
	return tp_number(ps / 1e6, TP_UNIT_US);
}

static struct tp_value
rate(const struct tp_pod_link *l, double latency_ps, bool clocks_differ)
{
	if (clocks_differ)
		return tp_missing(TP_S(why_clocks_differ));
	if (!(latency_ps > 0))
		return tp_missing(TP_S(why_no_time));
	return tp_number((double)l->bytes / (latency_ps / 1e12) / 0x1p30, TP_UNIT_GIB_PER_S);
}

static struct tp_value
bandwidth(const struct tp_pod_link *l)
{
	return rate(l, l->latency_ps, l->clocks_differ);
}

/* "1/12-13", in the ids of rows */
static struct tp_slice
link_key(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_link *l)
{
	return tp_arena_printf(ctx->scratch, "%lld/%u-%u", (long long)l->channel,
		pod->units[l->source].number, pod->units[l->target].number);
}

/* "12 → 13" */
static struct tp_slice
ends_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_link *l)
{
	return tp_arena_printf(
		ctx->keep, "%u → %u", pod->units[l->source].number, pod->units[l->target].number);
}

static void
link_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *part)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "distributed/links", link_columns);

	for (size_t i = 0; i < t->link_count; i++) {
		const struct tp_pod_link *l = &t->links[i];
		struct link_cells *cells =
			tp_draft_row_of(&draft, link_key(ctx, pod, l), TP_ROW_NORMAL, 0, l);

		cells->channel.value =
			tp_text_value(tp_arena_printf(ctx->keep, "%lld", (long long)l->channel));
		cells->source.value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, l->source));
		cells->target.value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, l->target));
		cells->latency.value =
			l->clocks_differ ? tp_missing(TP_S(why_clocks_differ)) : us(l->latency_ps);
		cells->bandwidth.value = bandwidth(l);
		cells->send_delay.value =
			l->clocks_differ ? tp_missing(TP_S(why_clocks_differ)) : us(l->delay_ps);
		cells->receive.value = t->precomputed ? tp_missing(TP_S(why_not_given)) : us(l->receive_ps);
		cells->source_place.value = tp_text_value(tp_pod_place(ctx, pod, l->source));
		cells->target_place.value = tp_text_value(tp_pod_place(ctx, pod, l->target));
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_channels);
}

static void
link_step_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_link *l,
	const struct tp_pod_link_step *s, struct tp_draft *draft)
{
	struct tp_slice step = pod->steps->steps[s->step].name;
	struct link_step_cells *cells = tp_draft_row_of(draft,
		tp_arena_printf(ctx->scratch, "%.*s/%.*s", TP_ARG(step), TP_ARG(link_key(ctx, pod, l))),
		TP_ROW_NORMAL, 0, s);

	cells->step.value = tp_text_value(step);
	cells->channel.value = tp_text_value(tp_arena_printf(ctx->keep, "%lld", (long long)l->channel));
	cells->source.value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, l->source));
	cells->target.value = tp_text_value(tp_pod_name(ctx, pod, TP_POD_CORE, l->target));
	cells->latency.value =
		s->clocks_differ ? tp_missing(TP_S(why_clocks_differ)) : us(s->latency_ps);
	cells->bandwidth.value = rate(l, s->latency_ps, s->clocks_differ);
	cells->send_delay.value =
		s->clocks_differ ? tp_missing(TP_S(why_clocks_differ)) : us(s->delay_ps);
	cells->receive.value = us(s->receive_ps);
}

/* Every step on every channel; nothing of tool files, which tell means alone, nor of so many that no page holds them. */
static void
link_step_table(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	const struct tp_pod_traffic *t, struct tp_doc *doc, struct tp_block *part)
{
	size_t rows = 0, *next = tp_new_array(ctx->scratch, size_t, t->link_count);

	for (size_t i = 0; i < t->link_count; i++)
		rows += t->links[i].step_count;
	if (pod->steps->count < 2 || rows == 0 || rows > MOST_STEP_ROWS)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, part, TP_SECTION_FOLD, "distributed/links-every", title_channel_steps);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "distributed/links-step", link_step_columns);

	fold->section.off_paper = true;
	for (size_t step = 0; step < pod->steps->count; step++) {
		for (size_t i = 0; i < t->link_count; i++) {
			const struct tp_pod_link *l = &t->links[i];

			if (next[i] < l->step_count && l->steps[next[i]].step == step)
				link_step_row(ctx, pod, l, &l->steps[next[i]++], &draft);
		}
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_channel_steps);
}

static void
link_chart(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *part)
{
	size_t known = 0;

	while (known < t->link_count && !t->links[known].clocks_differ)
		known++;
	size_t count = known < BARS ? known : BARS;
	double *latency = tp_new_array(ctx->keep, double, count);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 1);

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++) {
		latency[i] = t->links[i].latency_ps / 1e6;
		labels[i] = ends_of(ctx, pod, &t->links[i]);
	}
	series[0] = (struct tp_series){.key = TP_S("latency"),
		.label = TP_S("Latency"),
		.hue = TP_HUE_COLLECTIVE,
		.values = latency};
	tp_doc_paragraph(doc, part, TP_PARAGRAPH_SMALL, "distributed/latency-what",
		TP_SAY(doc, text_latency_chart, tp_count(count),
			tp_say_number(ctx, t->link_count, "channel", "channels")));
	tp_doc_add(doc, part, TP_BLOCK_CHART, TP_S("distributed/latency"))->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep, text_latency_chart_alt, count, t->link_count,
			TP_ARG(tp_say_value(ctx, us(t->links[0].latency_ps))),
			TP_ARG(tp_say_value(ctx, us(t->links[count - 1].latency_ps)))),
		.unit = TP_UNIT_US,
		.series = series,
		.series_count = 1,
		.labels = labels,
		.point_count = count,
		.marked = SIZE_MAX,
	};
}

/* Where the receiver came late, the way between the cores is not to blame. */
static struct tp_slice
whose_fault(const struct tp_pass_ctx *ctx, const struct tp_pod_link *l)
{
	if (l->receive_ps < l->latency_ps / 2)
		return tp_arena_printf(
			ctx->keep, text_receiver_late, TP_ARG(tp_say_value(ctx, us(l->receive_ps))));
	return TP_S("");
}

static void
say_links(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *part)
{
	const struct tp_pod_link *l = &t->links[0];
	double median = tp_pod_median_latency_ps(t, ctx->scratch);

	if (l->clocks_differ)
		tp_doc_paragraph(doc, part, TP_PARAGRAPH_BODY, "distributed/links-slowest",
			TP_SAY(doc, text_channels_no_clock,
				tp_say_number(ctx, t->link_count, "channel", "channels")));
	else
		tp_doc_paragraph(doc, part, TP_PARAGRAPH_BODY, "distributed/links-slowest",
			TP_SAY(doc, text_channels_slowest,
				tp_say_number(ctx, t->link_count, "channel", "channels"),
				tp_text_value(ends_of(ctx, pod, l)), tp_text_value(l->send),
				tp_number((double)l->bytes, TP_UNIT_BYTES), us(l->latency_ps), bandwidth(l),
				us(median), tp_text_value(whose_fault(ctx, l))));
	if (t->silent != 0)
		tp_doc_paragraph(doc, part, TP_PARAGRAPH_SMALL, "distributed/links-silent",
			TP_SAY(doc, text_channels_silent,
				tp_say_number(ctx, t->silent, "more channel", "more channels")));
}

static void
links(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *section)
{
	if (t->damaged.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/damaged",
			TP_SAY(doc, text_channels_damaged, tp_text_value(t->damaged)));
	if (t->link_count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "distributed/channels", title_channels);

	part->section.aside = t->links[0].clocks_differ
		? TP_SAY(doc, "{}", tp_say_number(ctx, t->link_count, "channel", "channels"))
		: TP_SAY(doc, text_channels_aside, tp_say_number(ctx, t->link_count, "channel", "channels"),
			  us(t->links[0].latency_ps));
	say_links(ctx, pod, t, doc, part);
	link_chart(ctx, pod, t, doc, part);
	tp_pod_link_map(ctx, pod, t, doc, part);
	link_table(ctx, pod, t, doc, part);
	link_step_table(ctx, pod, t, doc, part);
	if (t->precomputed) {
		tp_say_how(ctx, doc, part, "distributed/channels-how", how_channels_precomputed);
		return;
	}
	tp_say_how(ctx, doc, part, "distributed/channels-how", how_channels);
}

/* What one operation starts and another ends is transferred between them, not in the time of either. */
static bool
is_half(struct tp_slice name)
{
	return tp_slice_has(name, TP_S("-start")) || tp_slice_has(name, TP_S("-done"));
}

static void
collective_row(const struct tp_pod *pod, const struct tp_pod_collective *c, struct tp_draft *draft)
{
	struct tp_value no_id =
		tp_missing(pod->traffic->precomputed ? TP_S(why_not_given) : TP_S(why_no_id));
	struct tp_value no_shape = tp_missing(TP_S(why_no_shape));
	double each = (double)c->occurrences / (double)pod->steps->count / (double)pod->count;
	double fastest = c->has_ids ? c->fastest_ps : c->mean_ps;
	struct collective_cells *cells = tp_draft_row_of(draft, c->name, TP_ROW_NORMAL, 0, c);

	cells->mean.value = tp_ps_in_ms(c->mean_ps);
	cells->fastest.value = c->has_ids ? tp_ps_in_ms(c->fastest_ps) : no_id;
	cells->waiting.value = c->has_ids ? tp_ps_in_ms(c->mean_ps - c->fastest_ps) : no_id;
	cells->waiting_share.value =
		c->has_ids ? tp_share(c->mean_ps - c->fastest_ps, c->mean_ps, TP_S(why_no_time)) : no_id;
	cells->waiting_share.swatch = TP_HUE_COLLECTIVE;
	cells->data.value = isfinite(c->bytes) ? tp_number(c->bytes / 0x1p20, TP_UNIT_MIB) : no_shape;
	cells->rate.value = is_half(c->name) ? tp_missing(TP_S(why_asynchronous))
		: !isfinite(c->bytes)            ? no_shape
		: fastest > 0 ? tp_number(c->bytes * each / (fastest / 1e12) / 0x1p30, TP_UNIT_GIB_PER_S)
					  : tp_missing(TP_S(why_no_time));
}

static void
collectives(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *section)
{
	if (t->collective_count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "distributed/collectives", title_collectives);

	part->section.aside = TP_SAY(doc, text_collectives_aside,
		tp_say_number(ctx, t->collective_count, "operation", "operations"),
		tp_text_value(t->collectives[0].name), tp_ps_in_ms(t->collectives[0].mean_ps));
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, part, "distributed/collective-list", collective_columns);

	for (size_t i = 0; i < t->collective_count; i++)
		collective_row(pod, &t->collectives[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_collectives);
	if (t->precomputed) {
		tp_say_how(ctx, doc, part, "distributed/collectives-how", how_collectives_precomputed);
		return;
	}
	tp_say_how(ctx, doc, part, "distributed/collectives-how", how_collectives);
}

void
tp_pod_traffic_present(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	if (pod->traffic == NULL)
		return;
	links(ctx, pod, pod->traffic, doc, section);
	collectives(ctx, pod, pod->traffic, doc, section);
}
