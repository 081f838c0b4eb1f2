/* Hosts step by step: a row for each step of each host, for who chooses a step in the page. */
#include "analyze/pod/hosts.h"

#include "analyze/core/say.h"
#include "analyze/pod/hosts_words.h"
#include "analyze/steps/step_charts.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

enum { MOST_ROWS = 16384, WHO_COLUMNS = 3 };

/* The parts that some host has, after step, host and time. */
struct layout {
	struct tp_column columns[WHO_COLUMNS + TP_STEP_PART_COUNT];
	size_t parts[TP_STEP_PART_COUNT];
	size_t part_count;
};

static bool
any_has(const struct tp_hosts *hosts, size_t part)
{
	for (uint32_t i = 0; i < hosts->count; i++) {
		if (hosts->hosts[i].steps != NULL && tp_step_part_mean_ps(hosts->hosts[i].steps, part) > 0)
			return true;
	}
	return false;
}

static struct layout *
lay_out(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts)
{
	struct layout *l = tp_new(ctx->keep, struct layout);

	l->columns[0] = (struct tp_column)TP_COLUMN("step", "Step");
	l->columns[1] = (struct tp_column)TP_COLUMN("host", "Host", .code = true);
	l->columns[2] =
		(struct tp_column)TP_COLUMN("time_ms", "Time", .unit = TP_UNIT_MS, .decimals = 2);
	for (size_t k = 0; k < TP_STEP_PART_COUNT; k++) {
		struct tp_step_part part = tp_step_part(k);

		if (!any_has(hosts, k))
			continue;
		l->columns[WHO_COLUMNS + l->part_count] =
			(struct tp_column){.key = tp_arena_printf(ctx->keep, "%s_ms", part.key),
				.title = tp_slice_of(part.label),
				.unit = TP_UNIT_MS,
				.decimals = 2};
		l->parts[l->part_count++] = k;
	}
	return l;
}

static void
add_row(const struct tp_pass_ctx *ctx, const struct tp_host_figures *h, const struct layout *l,
	const struct tp_step *step, struct tp_draft *draft)
{
	struct tp_slice host = ctx->profile->hosts[h->host].name;
	struct tp_slice id =
		tp_arena_printf(ctx->scratch, "%.*s/%.*s", TP_ARG(step->name), TP_ARG(host));
	struct tp_cell *cell = tp_draft_row(draft, id, TP_ROW_NORMAL, 0);

	cell++->value = tp_text_value(step->name);
	cell++->value = tp_text_value(host);
	cell++->value = tp_ps_in_ms(step->time_ps);
	for (size_t i = 0; i < l->part_count; i++)
		cell++->value = tp_ps_in_ms(tp_step_part_ps(step, l->parts[i]));
}

void
tp_hosts_steps(const struct tp_pass_ctx *ctx, const struct tp_hosts *hosts, struct tp_doc *doc,
	struct tp_block *section)
{
	size_t steps = 0;

	for (uint32_t i = 0; i < hosts->count; i++) {
		const struct tp_steps *s = hosts->hosts[i].steps;

		steps = s != NULL && s->count > steps ? s->count : steps;
	}
	size_t fit = MOST_ROWS / hosts->count, shown = steps < fit ? steps : fit;

	if (steps < 2 || shown == 0)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "hosts/every", title_host_steps);
	const struct layout *l = lay_out(ctx, hosts);
	struct tp_draft draft =
		tp_draft_table(doc, fold, "hosts/each-step", l->columns, WHO_COLUMNS + l->part_count);

	fold->section.off_paper = true;
	for (size_t i = 0; i < shown; i++) {
		for (uint32_t h = 0; h < hosts->count; h++) {
			const struct tp_steps *s = hosts->hosts[h].steps;

			if (s != NULL && i * steps / shown < s->count)
				add_row(ctx, &hosts->hosts[h], l, &s->steps[i * steps / shown], &draft);
		}
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = shown == steps
		? TP_S(caption_host_steps)
		: tp_arena_printf(ctx->keep, caption_some_host_steps, shown, steps);
}
