/* What the report says about hosts, where there are several: which is slow, and a table of all. */
#include "analyze/pod/hosts.h"

#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/pod/host_chart.h"
#include "analyze/pod/hosts_figures.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"
#include "report/scope.h"

#include <math.h>

static double
times(struct tp_straggler s)
{
	return s.index != TP_NONE && s.median_ps > 0 ? s.ps / s.median_ps : NAN;
}

/* The columns that this run can fill; the first is the host. */
static size_t
choose_columns(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts,
	const struct tp_doc *doc, struct tp_column *columns, const struct tp_host_figure **shown)
{
	size_t n = 0;

	columns[0] = (struct tp_column){.key = TP_S("host"), .title = TP_S("Host"), .code = true};
	for (size_t i = 0; tp_host_figure_at(i) != NULL; i++) {
		const struct tp_host_figure *f = tp_host_figure_at(i);
		bool known = f->id[0] != '\0'
			? tp_host_figure_is_told(doc, f->id)
			: hosts->work.index != TP_NONE && tp_known(f->of(ctx, &hosts->hosts[0]));

		if (f->column.key.len == 0 || !known || !tp_host_figure_has_source(ctx, f))
			continue;
		shown[n++] = f;
		columns[n] = f->column;
	}
	return n;
}

static void
host_row(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, uint32_t host,
	const struct tp_host_figure *const *shown, size_t count, struct tp_cell *cell)
{
	const struct tp_profile *p = ctx->profile;
	bool slow = host == hosts->step.index && times(hosts->step) >= TP_STRAGGLER_STEP;
	bool has_slow_core =
		times(hosts->work) >= TP_STRAGGLER_WORK && p->devices[hosts->work.index].host == host;

	cell[0].value = tp_text_value(p->hosts[host].name);
	cell[0].judge = slow ? TP_JUDGE_WARN : TP_JUDGE_NONE;
	for (size_t k = 0; k < count; k++) {
		cell[k + 1].value = shown[k]->of(ctx, &hosts->hosts[host]);
		if (shown[k]->id[0] != '\0')
			cell[k + 1].metric = tp_scope_id(ctx->keep, shown[k]->id, tp_say_host_scope(ctx, host));
		else if (has_slow_core)
			cell[k + 1].judge = TP_JUDGE_WARN;
	}
}

static void
table(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t figures = 0;

	while (tp_host_figure_at(figures) != NULL)
		figures++;
	struct tp_column *columns = tp_new_array(ctx->keep, struct tp_column, figures + 1);
	const struct tp_host_figure **shown =
		tp_new_array(ctx->scratch, const struct tp_host_figure *, figures);
	size_t n = choose_columns(ctx, hosts, doc, columns, shown);
	struct tp_draft draft = tp_draft_table(doc, section, "hosts/table", columns, n + 1);
	bool precomputed = tp_precomputed(ctx) != NULL;

	for (uint32_t i = 0; i < hosts->count; i++)
		host_row(ctx, hosts, i, shown, n,
			tp_draft_row(&draft, ctx->profile->hosts[i].name, TP_ROW_NORMAL, 0));
	struct tp_cell *total = tp_draft_row(&draft, TP_S("all"), TP_ROW_TOTAL, 0);

	total[0].value = tp_text_value(precomputed ? TP_S("In other sections") : TP_S("All together"));
	for (size_t k = 0; k < n; k++) {
		total[k + 1].metric = tp_slice_of(shown[k]->id);
		total[k + 1].value = shown[k]->id[0] != '\0'
			? tp_doc_find_metric(doc, total[k + 1].metric)->value
			: tp_number(hosts->work.ps / 1e9, TP_UNIT_MS);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = precomputed
		? TP_S("Each host by itself, as its own tool files have it")
		: TP_S("Each host by itself, over its own devices and the steps that all hosts have");
}

/* Which host is slow, or which core makes the others wait. */
static void
say_stragglers(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_section *s)
{
	const struct tp_profile *p = ctx->profile;
	double step = times(hosts->step), work = times(hosts->work);
	struct tp_text slow_core = TP_SAY0(doc, ""), slow_host;

	if (work >= TP_STRAGGLER_WORK)
		slow_core = TP_SAY(doc,
			"`{}` of `{}` computes {} a step, {} the median core; the others wait for it.",
			tp_text_value(tp_say_device_scope(ctx, hosts->work.index).device),
			tp_text_value(p->hosts[p->devices[hosts->work.index].host].name),
			tp_number(hosts->work.ps / 1e9, TP_UNIT_MS), tp_number(work, TP_UNIT_TIMES));
	if (hosts->step.index == TP_NONE)
		slow_host = TP_SAY(doc, "{} in this run; no step was found on all of them.",
			tp_say_number(ctx, hosts->count, "host", "hosts"));
	else if (step >= TP_STRAGGLER_STEP)
		slow_host =
			TP_SAY(doc, "`{}` is the slowest host: its steps take {}, {} the median host's.",
				tp_text_value(p->hosts[hosts->step.index].name),
				tp_number(hosts->step.ps / 1e9, TP_UNIT_MS), tp_number(step, TP_UNIT_TIMES));
	else
		slow_host = TP_SAY(doc,
			"No host's steps are longer than the others': the longest mean is {}, the median {}.",
			tp_number(hosts->step.ps / 1e9, TP_UNIT_MS),
			tp_number(hosts->step.median_ps / 1e9, TP_UNIT_MS));
	bool core_first = slow_core.count != 0 && !(step >= TP_STRAGGLER_STEP);

	s->answer = core_first ? slow_core : slow_host;
	s->so_what = core_first ? slow_host : slow_core;
}

void
tp_hosts_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_hosts *hosts = result;

	/* The processes of a PyTorch job are in the section on distributed runs. */
	if (hosts->count < 2 || ctx->profile->torch != NULL)
		return;
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "hosts", "Hosts");

	section->section.key_figure = tp_count(hosts->count);
	say_stragglers(ctx, hosts, doc, &section->section);
	tp_host_chart(ctx, hosts, doc, section);
	table(ctx, hosts, doc, section);
	if (tp_precomputed(ctx) != NULL) {
		tp_hosts_precomputed_present(ctx, doc, section);
		return;
	}
	tp_say_how(ctx, doc, section, "hosts/how",
		"Each row is what the report would say of that host's file alone, but over the steps that "
		"all hosts have. A host's step is that of its slowest core. Shares are ratios of sums over "
		"the host's devices. A host counts as slower than the others from 1.05 times the median "
		"host's mean step on, a core from 1.10 times the median core's compute in a mean step on; "
		"\"slowest core\" is the compute of a mean step on the host's core that computes longest: "
		"collectives make all cores end a step together, so that a slow core shows in its compute, "
		"not in its step.");
	tp_say_source(ctx, doc, section, "hosts/source",
		"what the sections on steps, devices and operations use");
}
