/* What the report says about hosts, where there are several: which is slow, and a table of all. */
#include "analyze/pod/hosts.h"

#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/pod/hosts_words.h"
#include "analyze/pod/pod.h"
#include "analyze/pod/side_by_side.h"
#include "analyze/steps/step_charts.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/precomputed.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_HOSTS = 24 };

TP_ORDER_POINTERS(slowest_first, struct tp_host_figures, TP_DOWN(steps->time.mean), TP_UP(host));

/* Hatches what cores wait for others, as the bar of the mean step does: mean over the cores of each host. */
static void
hatch(const struct tp_pass_ctx *ctx, const struct tp_host_figures *const *hosts, size_t count,
	enum tp_class class, enum tp_pod_part part, struct tp_doc *doc, struct tp_series *series)
{
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);

	if (pod == NULL || !tp_slice_eq(series->key, tp_slice_of(tp_class_info(class)->key)) ||
		!tp_step_bar_hatches(doc, class))
		return;
	double *values = tp_new_array(ctx->keep, double, count);

	for (size_t i = 0; i < count; i++)
		values[i] = fmin(tp_pod_waits_ps(pod, part, hosts[i]->host) / 1e9, series->values[i]);
	series->unused_values = values;
	series->unused_count = count;
	series->unused_label = tp_step_unused_waiting(class);
}

/* The parts of which some host has any. */
static size_t
series_of(const struct tp_pass_ctx *ctx, const struct tp_host_figures *const *hosts, size_t count,
	struct tp_doc *doc, struct tp_series *series)
{
	size_t n = 0;

	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);
		double *values = tp_new_array(ctx->keep, double, count), sum = 0;

		for (size_t i = 0; i < count; i++) {
			values[i] = tp_step_part_mean_ps(hosts[i]->steps, k) / 1e9;
			values[i] = values[i] > 0 ? values[i] : 0;
			sum += values[i];
		}
		if (!(sum > 0))
			continue;
		series[n] = (struct tp_series){.key = tp_slice_of(part.key),
			.label = tp_slice_of(part.label),
			.hue = part.hue,
			.tint = part.tint,
			.values = values};
		hatch(ctx, hosts, count, TP_CLASS_COLLECTIVE, TP_POD_COLLECTIVE_SYNC, doc, &series[n]);
		hatch(ctx, hosts, count, TP_CLASS_SEND_RECV, TP_POD_RECV, doc, &series[n]);
		n++;
	}
	return n;
}

/* A stacked bar a host, the mean step by class of time: of very many hosts the slowest; nothing where hosts have no steps. */
static void
chart(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_host_figures **list =
		tp_new_array(ctx->scratch, const struct tp_host_figures *, hosts->count);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, TP_STEP_PART_COUNT);
	size_t all = 0;

	for (uint32_t i = 0; i < hosts->count; i++) {
		if (hosts->hosts[i].steps != NULL)
			list[all++] = &hosts->hosts[i];
	}
	if (all < 2)
		return;
	qsort(list, all, sizeof(const struct tp_host_figures *), slowest_first);
	size_t count = all < MOST_HOSTS ? all : MOST_HOSTS;
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, count);

	for (size_t i = 0; i < count; i++)
		labels[i] = ctx->profile->hosts[list[i]->host].name;
	struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("hosts/steps"));

	block->chart = (struct tp_chart){
		.kind = TP_CHART_BARS,
		.alt = tp_arena_printf(ctx->keep, text_hosts_alt, count < all ? "the slowest " : "", count,
			TP_ARG(tp_say_value(ctx, tp_ps_in_ms(list[0]->steps->time.mean))),
			TP_ARG(tp_say_value(ctx, tp_ps_in_ms(list[count - 1]->steps->time.mean)))),
		.unit = TP_UNIT_MS,
		.series = series,
		.series_count = series_of(ctx, list, count, doc, series),
		.labels = labels,
		.point_count = count,
		.marked = SIZE_MAX,
		.legend = true,
	};
}

/* Which host is slow, or which core makes the others wait. */
static void
say_stragglers(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_section *s)
{
	const struct tp_profile *p = ctx->profile;
	double step = hosts->step.times, work = hosts->work.times;
	struct tp_text slow_core = TP_SAY0(doc, ""), slow_host;

	if (work >= TP_STRAGGLER_WORK)
		slow_core =
			TP_SAY(doc, text_slow_core, tp_text_value(tp_say_device(ctx, hosts->work.index)),
				tp_text_value(p->hosts[p->devices[hosts->work.index].host].name),
				tp_ps_in_ms(hosts->work.ps), tp_number(work, TP_UNIT_TIMES));
	if (hosts->step.index == TP_NONE)
		slow_host =
			TP_SAY(doc, text_no_common_step, tp_say_number(ctx, hosts->count, "host", "hosts"));
	else if (step >= TP_STRAGGLER_STEP)
		slow_host = TP_SAY(doc, text_slow_host, tp_text_value(p->hosts[hosts->step.index].name),
			tp_ps_in_ms(hosts->step.ps), tp_number(step, TP_UNIT_TIMES));
	else
		slow_host = TP_SAY(doc, hosts->count == 2 ? text_neither_slow : text_no_slow_host,
			tp_ps_in_ms(hosts->step.ps), tp_ps_in_ms(hosts->step.median_ps));
	bool core_first = slow_core.count != 0 && !(step >= TP_STRAGGLER_STEP);

	s->answer = core_first ? slow_core : slow_host;
	s->so_what = core_first ? slow_host : slow_core;
}

/* "`vm.overview_page.json` (steps, shares), …": the file that each group of figures in the other sections is from. */
static struct tp_slice
used(const struct tp_pass_ctx *ctx, const struct tp_precomputed *g)
{
	const struct {
		const char *what;
		struct tp_slice from;
	} groups[] = {
		{"steps", g->step_count != 0 ? g->steps_from : TP_S("")},
		{"shares", g->figures_from},
		{"program operations", g->program_ops.from},
		{"framework operations", g->framework_ops.from},
		{"input", g->input_from},
		{"kernels", g->kernel_count != 0 ? g->kernels_from : TP_S("")},
		{"cores", g->pod != NULL ? g->pod->from : TP_S("")},
	};
	struct tp_slice text = TP_S("");

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		if (groups[i].from.len != 0)
			text = tp_arena_printf(ctx->keep, "%.*s%s%s: %.*s", TP_ARG(text),
				text.len != 0 ? "; " : "", groups[i].what, TP_ARG(groups[i].from));
	}
	return text;
}

/* Where tool files of several hosts are all there is. */
static void
say_precomputed(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "hosts/given",
		TP_SAY(doc, text_others_show, tp_text_value(used(ctx, ctx->profile->precomputed))));
	tp_say_how(ctx, doc, section, "hosts/how", how_hosts_precomputed);
	tp_doc_paragraph(
		doc, section, TP_PARAGRAPH_SOURCE, "hosts/source", TP_SAY0(doc, source_hosts_precomputed));
}

void
tp_hosts_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_hosts *hosts = result;

	/* The processes of a PyTorch job are in the section on distributed runs. */
	if (hosts->count < 2 || ctx->profile->torch != NULL)
		return;
	const struct tp_pod *pod = tp_result(ctx, &tp_pass_pod);
	struct tp_block *section = tp_side_by_side(doc, "hosts", title_hosts, title_by_host);

	if (pod == NULL) {
		section->section.key_figure = tp_count(hosts->count);
		say_stragglers(ctx, hosts, doc, &section->section);
	} else if (hosts->step.index != TP_NONE) {
		section->section.aside =
			TP_SAY(doc, text_hosts_aside, tp_say_number(ctx, hosts->count, "host", "hosts"),
				tp_ps_in_ms(hosts->step.ps), tp_ps_in_ms(hosts->step.median_ps));
	}
	/* Hosts that are compared step by step are drawn already. */
	if (pod == NULL || pod->cores)
		chart(ctx, hosts, doc, section);
	tp_hosts_table(ctx, hosts, tp_slow_of(pod, hosts), doc, section);
	if (pod == NULL || pod->cores)
		tp_hosts_steps(ctx, hosts, doc, section);
	if (tp_precomputed(ctx) != NULL) {
		say_precomputed(ctx, doc, section);
		return;
	}
	tp_say_how(ctx, doc, section, "hosts/how", how_hosts);
	tp_say_source(ctx, doc, section, "hosts/source", source_hosts);
}
