/* What the report says of channels and collectives. */
#include "analyze/pod/pod_traffic.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

enum { BARS = 12, MOST_STEP_ROWS = 16384 };

#define NOT_GIVEN TP_S("the tool file does not say")
#define CLOCKS TP_S("a receive ended before its send started: the hosts' clocks differ")

static const struct tp_column link_columns[] = {
	TP_COLUMN("channel", "Channel"),
	TP_COLUMN("source", "From"),
	TP_COLUMN("target", "To"),
	TP_COLUMN("data_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 2,
		TP_FIELD(struct tp_pod_link, bytes, TP_UNIT_BYTES)),
	TP_COLUMN("latency_us", "Latency", .unit = TP_UNIT_US, .decimals = 1, .sorted = true),
	TP_COLUMN("gib_per_s", "Bandwidth", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COLUMN("send_delay_us", "Send delay", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("receive_us", "Receive", .unit = TP_UNIT_US, .decimals = 1),
	TP_COUNT_COLUMN("occurrences", "Times", TP_COUNT_FIELD(struct tp_pod_link, occurrences)),
	TP_COLUMN("send", "Send op", .code = true, TP_TEXT_FIELD(struct tp_pod_link, send)),
	TP_COLUMN("recv", "Receive op", .code = true, TP_TEXT_FIELD(struct tp_pod_link, receive)),
	TP_COLUMN("source_place", "Location of sender"),
	TP_COLUMN("target_place", "Location of receiver"),
};
struct link_cells {
	struct tp_cell channel, source, target, data, latency, bandwidth, send_delay, receive;
	struct tp_cell occurrences, send_op, receive_op, source_place, target_place;
};
TP_CELLS_ARE_COLUMNS(struct link_cells, link_columns);

static struct tp_value
us(double ps)
{
	return tp_number(ps / 1e6, TP_UNIT_US);
}

static struct tp_value
rate(const struct tp_pod_link *l, double latency_ps, bool clocks_differ)
{
	if (clocks_differ)
		return tp_missing(CLOCKS);
	if (!(latency_ps > 0))
		return tp_missing(TP_S("it took no time"));
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
		cells->latency.value = l->clocks_differ ? tp_missing(CLOCKS) : us(l->latency_ps);
		cells->bandwidth.value = bandwidth(l);
		cells->send_delay.value = l->clocks_differ ? tp_missing(CLOCKS) : us(l->delay_ps);
		cells->receive.value = t->precomputed ? tp_missing(NOT_GIVEN) : us(l->receive_ps);
		cells->source_place.value = tp_text_value(tp_pod_place(ctx, pod, l->source));
		cells->target_place.value = tp_text_value(tp_pod_place(ctx, pod, l->target));
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption =
		TP_S("Channels between two cores, slowest first; means over the steps that count");
}

static const struct tp_column link_step_columns[] = {
	TP_COLUMN("step", "Step"),
	TP_COLUMN("channel", "Channel"),
	TP_COLUMN("source", "From"),
	TP_COLUMN("target", "To"),
	TP_COLUMN("latency_us", "Latency", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("gib_per_s", "Bandwidth", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COLUMN("send_delay_us", "Send delay", .unit = TP_UNIT_US, .decimals = 1),
	TP_COLUMN("receive_us", "Receive", .unit = TP_UNIT_US, .decimals = 1),
	TP_COUNT_COLUMN("occurrences", "Times", TP_COUNT_FIELD(struct tp_pod_link_step, occurrences)),
};
struct link_step_cells {
	struct tp_cell step, channel, source, target, latency, bandwidth, send_delay, receive;
	struct tp_cell occurrences;
};
TP_CELLS_ARE_COLUMNS(struct link_step_cells, link_step_columns);

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
	cells->latency.value = s->clocks_differ ? tp_missing(CLOCKS) : us(s->latency_ps);
	cells->bandwidth.value = rate(l, s->latency_ps, s->clocks_differ);
	cells->send_delay.value = s->clocks_differ ? tp_missing(CLOCKS) : us(s->delay_ps);
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
	struct tp_block *fold = tp_doc_section(
		doc, part, TP_SECTION_FOLD, "distributed/links-every", "Every step on every channel");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "distributed/links-step", link_step_columns);

	fold->section.off_paper = true;
	for (size_t step = 0; step < pod->steps->count; step++) {
		for (size_t i = 0; i < t->link_count; i++) {
			const struct tp_pod_link *l = &t->links[i];

			if (next[i] < l->step_count && l->steps[next[i]].step == step)
				link_step_row(ctx, pod, l, &l->steps[next[i]++], &draft);
		}
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Channels step by step, longest mean latency first; means over a step's occurrences");
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
		TP_SAY(doc, "Latency of the slowest {} of {}, from core → to core.", tp_count(count),
			tp_say_number(ctx, t->link_count, "channel", "channels")));
	tp_doc_add(doc, part, TP_BLOCK_CHART, TP_S("distributed/latency"))->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep,
			"Latency of the slowest %zu of %zu channels, from core to core: %.*s to %.*s.", count,
			t->link_count, TP_ARG(tp_say_value(ctx, us(t->links[0].latency_ps))),
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
		return tp_arena_printf(ctx->keep,
			" Its receive takes only %.*s: the data arrives before the receiver asks for it.",
			TP_ARG(tp_say_value(ctx, us(l->receive_ps))));
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
			TP_SAY(doc,
				"{}; their latency is unknown: receives end before their sends start, so the "
				"hosts' clocks differ.",
				tp_say_number(ctx, t->link_count, "channel", "channels")));
	else
		tp_doc_paragraph(doc, part, TP_PARAGRAPH_BODY, "distributed/links-slowest",
			TP_SAY(doc,
				"The slowest of {} is *{}* (`{}`): {} in {}, {}; the median channel takes {}.{}",
				tp_say_number(ctx, t->link_count, "channel", "channels"),
				tp_text_value(ends_of(ctx, pod, l)), tp_text_value(l->send),
				tp_number((double)l->bytes, TP_UNIT_BYTES), us(l->latency_ps), bandwidth(l),
				us(median), tp_text_value(whose_fault(ctx, l))));
	if (t->silent != 0)
		tp_doc_paragraph(doc, part, TP_PARAGRAPH_SMALL, "distributed/links-silent",
			TP_SAY(doc, "No event in a step shows {} of the program.",
				tp_say_number(ctx, t->silent, "more channel", "more channels")));
}

static void
links(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *section)
{
	if (t->damaged.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/damaged",
			TP_SAY(doc, "A program's channels are unknown: {}.", tp_text_value(t->damaged)));
	if (t->link_count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "distributed/channels", "Channels");

	part->section.aside = t->links[0].clocks_differ
		? TP_SAY(doc, "{}", tp_say_number(ctx, t->link_count, "channel", "channels"))
		: TP_SAY(doc, "{}, the slowest takes {}",
			  tp_say_number(ctx, t->link_count, "channel", "channels"), us(t->links[0].latency_ps));
	say_links(ctx, pod, t, doc, part);
	link_chart(ctx, pod, t, doc, part);
	tp_pod_link_map(ctx, pod, t, doc, part);
	link_table(ctx, pod, t, doc, part);
	link_step_table(ctx, pod, t, doc, part);
	if (t->precomputed) {
		tp_say_how(ctx, doc, part, "distributed/channels-how",
			"The profiler's own figures, mean over occurrences in all steps; bandwidth is data / "
			"latency. Cores are found by chip number and position on the chip.");
		return;
	}
	tp_say_how(ctx, doc, part, "distributed/channels-how",
		"Channels, their pairs of cores and their data (without padding) are from the program's "
		"HLO: sends and receives with the same channel number. A replica's device, from the "
		"module's assignment, is inferred to be the core of that number. The n-th send of a step "
		"on one core matches the n-th receive of that step on the other. Latency is from the start "
		"of the send to the end of the receive on the hosts' clocks, bandwidth data / latency. "
		"Send delay is how long the receiver waited before the send started: the sender's share of "
		"the wait, not the link's. Hosts' clocks are not aligned; a channel whose receive ends "
		"before its send starts has no latency.");
}

static const struct tp_column collective_columns[] = {
	TP_COLUMN("name", "Operation", .code = true, TP_TEXT_FIELD(struct tp_pod_collective, name)),
	TP_COLUMN("mean_ms", "Mean per step", .unit = TP_UNIT_MS, .decimals = 3, .sorted = true),
	TP_COLUMN("fastest_ms", "Fastest", .unit = TP_UNIT_MS, .decimals = 3),
	TP_COLUMN("waiting_ms", "Waiting", .unit = TP_UNIT_MS, .decimals = 3),
	TP_SHARE_COLUMN("waiting_share", "Of it", .bar = true),
	TP_COLUMN("data_mib", "Data", .unit = TP_UNIT_MIB, .decimals = 2),
	TP_COLUMN("gib_per_s", "Rate", .unit = TP_UNIT_GIB_PER_S, .decimals = 2),
	TP_COUNT_COLUMN("occurrences", "Times", TP_COUNT_FIELD(struct tp_pod_collective, occurrences)),
	TP_COLUMN("shape", "Shape", .code = true, TP_TEXT_FIELD(struct tp_pod_collective, shape)),
};
struct collective_cells {
	struct tp_cell name, mean, fastest, waiting, waiting_share, data, rate, occurrences, shape;
};
TP_CELLS_ARE_COLUMNS(struct collective_cells, collective_columns);

/* What one operation starts and another ends is transferred between them, not in the time of either. */
static bool
is_half(struct tp_slice name)
{
	return tp_slice_has(name, TP_S("-start")) || tp_slice_has(name, TP_S("-done"));
}

static void
collective_row(const struct tp_pod *pod, const struct tp_pod_collective *c, struct tp_draft *draft)
{
	struct tp_value no_id = tp_missing(
		pod->traffic->precomputed ? NOT_GIVEN : TP_S("it carries no id to compare cores by"));
	struct tp_value no_shape = tp_missing(TP_S("its shape is unknown"));
	double each = (double)c->occurrences / (double)pod->steps->count / (double)pod->count;
	double fastest = c->has_ids ? c->fastest_ps : c->mean_ps;
	struct collective_cells *cells = tp_draft_row_of(draft, c->name, TP_ROW_NORMAL, 0, c);

	cells->mean.value = tp_ps_in_ms(c->mean_ps);
	cells->fastest.value = c->has_ids ? tp_ps_in_ms(c->fastest_ps) : no_id;
	cells->waiting.value = c->has_ids ? tp_ps_in_ms(c->mean_ps - c->fastest_ps) : no_id;
	cells->waiting_share.value = c->has_ids
		? tp_share(c->mean_ps - c->fastest_ps, c->mean_ps, TP_S("it took no time"))
		: no_id;
	cells->waiting_share.swatch = TP_HUE_COLLECTIVE;
	cells->data.value = isfinite(c->bytes) ? tp_number(c->bytes / 0x1p20, TP_UNIT_MIB) : no_shape;
	cells->rate.value = is_half(c->name)
		? tp_missing(TP_S("it runs asynchronously, from its start to its done"))
		: !isfinite(c->bytes) ? no_shape
		: fastest > 0 ? tp_number(c->bytes * each / (fastest / 1e12) / 0x1p30, TP_UNIT_GIB_PER_S)
					  : tp_missing(TP_S("it took no time"));
}

static void
collectives(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_traffic *t,
	struct tp_doc *doc, struct tp_block *section)
{
	if (t->collective_count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "distributed/collectives", "Collectives");

	part->section.aside = TP_SAY(doc, "{}, `{}` takes {} per step",
		tp_say_number(ctx, t->collective_count, "operation", "operations"),
		tp_text_value(t->collectives[0].name), tp_ps_in_ms(t->collectives[0].mean_ps));
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, part, "distributed/collective-list", collective_columns);

	for (size_t i = 0; i < t->collective_count; i++)
		collective_row(pod, &t->collectives[i], &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Collectives of the steps that count, longest first; times per step, mean over cores");
	if (t->precomputed) {
		tp_say_how(ctx, doc, part, "distributed/collectives-how",
			"The profiler's own figures: mean per step is the mean duration × occurrences, over "
			"steps and cores. The file does not separate waiting per operation. Rate: data / that "
			"time.");
		return;
	}
	tp_say_how(ctx, doc, part, "distributed/collectives-how",
		"Mean per step: time of the operation's events in steps, over steps and cores. Fastest: "
		"the same if every core took as long as the fastest one in the same collective, matched by "
		"id; waiting: the rest, waiting for the last core. Data: the result without padding; rate: "
		"data / fastest time, which may differ from the traffic on a link, depending on the "
		"algorithm.");
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
