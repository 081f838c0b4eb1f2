/* The section's part on tf.data: pipelines, and the tree of stages of the slowest. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/input/input_columns.h"
#include "analyze/input/input_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

/* Pipelines beyond are summed up in one row. */
enum { MOST_PIPELINES = 1000, MOST_TREES = 4, DEEPEST = 24 };

static struct tp_slice
pipeline_name(const struct tp_pass_ctx *ctx, const struct tp_pipeline *p, size_t number)
{
	return tp_arena_printf(ctx->keep, p->to_device ? "%zu, to a device" : "%zu", number + 1);
}

static struct pipeline_cells *
pipeline_row(
	struct tp_draft *draft, const struct tp_pipeline *p, struct tp_slice id, enum tp_row_role role)
{
	struct pipeline_cells *cells = tp_draft_row_of(draft, id, role, 0, p);

	cells->mean.value = tp_number((double)p->sum_ps / (double)p->calls / 1e9, TP_UNIT_MS);
	return cells;
}

static void
rest_of_pipelines(const struct tp_pass_ctx *ctx, const struct tp_pipeline *pipelines, size_t count,
	struct tp_draft *draft)
{
	struct tp_pipeline rest = pipelines[0];

	for (size_t i = 1; i < count; i++) {
		const struct tp_pipeline *p = &pipelines[i];

		rest.calls += p->calls;
		rest.slow_calls += p->slow_calls;
		rest.sum_ps = tp_add_ps(rest.sum_ps, p->sum_ps);
		rest.min_ps = p->min_ps < rest.min_ps ? p->min_ps : rest.min_ps;
		rest.max_ps = p->max_ps > rest.max_ps ? p->max_ps : rest.max_ps;
	}
	struct pipeline_cells *cells = pipeline_row(draft, &rest, TP_S("rest"), TP_ROW_TOTAL);

	cells->pipeline.value = tp_say_number(ctx, count, "more pipeline", "more pipelines");
	cells->host.value = cells->bottleneck.value = cells->bottleneck_ps.value =
		tp_missing(TP_S(why_several_pipelines));
}

static void
pipeline_table(const struct tp_pass_ctx *ctx, const struct tp_tf_data *tf, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_draft draft =
		TP_DRAFT_TABLE(doc, parent, "input-pipeline/pipelines", pipeline_columns);
	size_t shown = tf->count > MOST_PIPELINES + 1 ? MOST_PIPELINES : tf->count;

	for (size_t i = 0; i < shown; i++) {
		const struct tp_pipeline *p = &tf->pipelines[i];
		struct tp_slice name = pipeline_name(ctx, p, i);
		struct pipeline_cells *cells = pipeline_row(&draft, p, name, TP_ROW_NORMAL);

		cells->pipeline.value = tp_text_value(name);
		cells->host.value = tp_text_value(ctx->profile->hosts[p->host].name);
	}
	if (shown < tf->count)
		rest_of_pipelines(ctx, tf->pipelines + shown, tf->count - shown, &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_pipelines);
}

static struct tp_slice
what_it_does(const struct tp_pass_ctx *ctx, const struct tp_stage *s, bool slowest)
{
	struct tp_slice text = tp_slice_of(tp_stage_label(s));

	if (s->parallelism > 1)
		text = tp_arena_printf(ctx->keep, "%.*s, %u threads", TP_ARG(text), s->parallelism);
	if (s->iterators > 1)
		text = tp_arena_printf(ctx->keep, "%.*s, %u iterators", TP_ARG(text), s->iterators);
	if (slowest)
		text = tp_arena_printf(ctx->keep, "slowest: %.*s", TP_ARG(text));
	return text;
}

static void
stage_row(const struct tp_pass_ctx *ctx, const struct tp_pipeline *p, const struct tp_stage *s,
	bool slowest, enum tp_judge mark, int depth, struct tp_draft *draft)
{
	struct tp_slice id =
		tp_arena_printf(ctx->keep, "%u/%.*s", s->pipeline + 1, TP_ARG(s->long_name));
	struct stage_cells *cells = tp_draft_row_of(draft, id, TP_ROW_NORMAL, depth, s);

	cells->stage.judge = slowest ? mark : TP_JUDGE_NONE;
	cells->does.value = tp_text_value(what_it_does(ctx, s, slowest));
	cells->waited_share.value =
		tp_share((double)s->critical_ps, (double)p->sum_ps, TP_S(why_calls_no_time));
	cells->waited_share.swatch = TP_HUE_INPUT;
}

/* Above the stages of one of several pipelines. */
static void
group_row(const struct tp_pass_ctx *ctx, const struct tp_pipeline *p, size_t number,
	struct tp_draft *draft)
{
	struct tp_slice name =
		tp_arena_printf(ctx->keep, "pipeline %.*s", TP_ARG(pipeline_name(ctx, p, number)));
	struct stage_cells *cells = (struct stage_cells *)tp_draft_row(draft, name, TP_ROW_GROUP, 0);

	cells->stage.value = tp_text_value(name);
	cells->does.value = tp_text_value(ctx->profile->hosts[p->host].name);
	cells->calls.value = tp_count(p->calls);
	cells->total.value = cells->waited.value = tp_integer(p->sum_ps, TP_UNIT_PS);
}

static void
stage_table(const struct tp_pass_ctx *ctx, const struct tp_tf_data *tf, size_t trees,
	struct tp_doc *doc, struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "input-pipeline/stages", stage_columns);
	enum tp_judge mark = tp_say_mark_of(doc, "TPR-INPUT-001");
	size_t first = 0;

	for (size_t i = 0; i < trees; i++) {
		const struct tp_pipeline *p = &tf->pipelines[i];

		if (trees > 1)
			group_row(ctx, p, i, &draft);
		for (uint32_t s = p->first; s < p->first + p->count; s++) {
			uint32_t depth = tf->stages[s].depth + (trees > 1);

			stage_row(ctx, p, &tf->stages[s], s == p->slowest, mark,
				(int)(depth < DEEPEST ? depth : DEEPEST), &draft);
		}
		first = i == 0 ? draft.rows.count : first;
	}
	struct tp_table *table =
		tp_draft_finish(&draft, first > ctx->options->top ? first : ctx->options->top);

	table->tree = true;
	table->caption = TP_S(caption_stages);
}

static void
say_slowest(const struct tp_input_pipeline *in, struct tp_doc *doc, struct tp_block *parent)
{
	const struct tp_stage *s = in->slowest;
	const struct tp_pipeline *p = &in->tf.pipelines[s->pipeline];
	struct tp_text found = TP_SAY(doc, text_waited_for_most, tp_text_value(s->name),
		tp_share((double)s->critical_ps, (double)p->sum_ps, TP_S(why_no_time)),
		tp_integer(p->sum_ps, TP_UNIT_PS));

	tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY, "input-pipeline/advice",
		tp_doc_join(doc, found, TP_SAY0(doc, tp_stage_advice(s))));
}

static void
say_prefetch(const struct tp_input_pipeline *in, struct tp_doc *doc, struct tp_block *parent)
{
	const struct tp_tf_data *tf = &in->tf;
	double now = (double)(tf->sum_ps - tf->ahead_ps);

	/* Without ids nothing says what ran ahead. */
	if (tf->by_name || tf->slow_calls == 0 || now < 0.5 * (double)tf->sum_ps)
		return;
	tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY, "input-pipeline/prefetch",
		TP_SAY(doc, text_prefetch, tp_share(now, (double)tf->sum_ps, TP_S(why_no_time))));
}

void
tp_input_stages(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_tf_data *tf = &in->tf;
	size_t trees = tf->host_count != 0 ? tf->host_count : tf->count;

	if (tf->count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "input-pipeline/tf-data", title_stages);
	bool waits = tp_input_verdict(tp_result(ctx, &tp_pass_steps)) != TP_INPUT_NONE;

	part->section.spare = !waits;

	pipeline_table(ctx, tf, doc, part);
	stage_table(ctx, tf, trees < MOST_TREES ? trees : MOST_TREES, doc, part);
	if (in->slowest == NULL) {
		tp_doc_paragraph(
			doc, part, TP_PARAGRAPH_BODY, "input-pipeline/to-device", TP_SAY0(doc, text_to_device));
		return;
	}
	if (waits) {
		say_slowest(in, doc, part);
		say_prefetch(in, doc, part);
	}
	if (tf->by_name)
		tp_doc_paragraph(
			doc, part, TP_PARAGRAPH_SMALL, "input-pipeline/by-name", TP_SAY0(doc, text_by_name));
}
