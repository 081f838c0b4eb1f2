/* The section's part on the host: time by class, by host, and the input operations. */
#include "analyze/input/input_pipeline.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/input/input_columns.h"
#include "analyze/input/input_words.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static void
class_row(struct tp_draft *draft, const char *key, const char *label, double ps, double total_ps,
	const char *helps, int depth)
{
	struct class_cells *cells =
		tp_draft_row_of(draft, tp_slice_of(key), TP_ROW_NORMAL, depth, NULL);

	cells->class.value = tp_text_value(tp_slice_of(label));
	cells->time.value = tp_ps_in_ms(ps);
	cells->share.value = tp_share(ps, total_ps, TP_S(why_operations_no_time));
	cells->share.swatch = TP_HUE_INPUT;
	cells->helps.value = tp_text_value(tp_slice_of(helps));
}

/* A part of the self time of class preprocessing, on the scale on which the class is shown. */
static double
on_scale(const struct tp_input_pipeline *in, int64_t part_ps)
{
	double self = (double)in->ops.all.self_ps[TP_INPUT_PREPROCESSING];

	return self > 0 ? (double)part_ps * in->all.ps[TP_INPUT_PREPROCESSING] / self : 0;
}

/* xprof's class "preprocessing" taken apart. */
static void
preprocessing_rows(const struct tp_input_pipeline *in, struct tp_draft *draft)
{
	double shown = in->all.ps[TP_INPUT_PREPROCESSING];
	double python = on_scale(in, in->generator_ps), waiting = on_scale(in, in->waiting_ps);

	if (in->generator_ps == 0 && in->waiting_ps == 0)
		return;
	if (in->generator_ps != 0)
		class_row(
			draft, "generator", text_generators, python, in->all.total_ps, text_generators_help, 1);
	if (in->waiting_ps != 0)
		class_row(draft, "waiting", text_waits, waiting, in->all.total_ps, text_waits_help, 1);
	class_row(draft, "stages", text_other_stages, shown - python - waiting, in->all.total_ps,
		tp_input_class_info(TP_INPUT_PREPROCESSING)->helps, 1);
}

static void
class_table(const struct tp_input_pipeline *in, struct tp_doc *doc, struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "input-pipeline/classes", class_columns);

	for (int c = 0; c < TP_INPUT_CLASS_COUNT; c++) {
		const struct tp_input_class_info *info = tp_input_class_info((enum tp_input_class)c);

		class_row(&draft, info->key, info->label, in->all.ps[c], in->all.total_ps, info->helps, 0);
		if (c == TP_INPUT_PREPROCESSING)
			preprocessing_rows(in, &draft);
	}
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->tree = true;
	table->caption =
		isfinite(in->all.transfer_share) ? TP_S(caption_classes_scaled) : TP_S(caption_classes);
}

static void
host_table(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_block *fold =
		tp_doc_section(doc, parent, TP_SECTION_FOLD, "input-pipeline/each-host", title_each_host);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "input-pipeline/hosts", host_columns);

	for (size_t h = 0; h < in->ops.host_count; h++) {
		struct tp_slice name = ctx->profile->hosts[in->ops.hosts[h].host].name;
		struct host_cells *cells = tp_draft_row_of(&draft, name, TP_ROW_NORMAL, 0, NULL);

		cells->host.value = tp_text_value(name);
		for (int c = 0; c < TP_INPUT_CLASS_COUNT; c++)
			cells->classes[c].value = tp_ps_in_ms(in->hosts[h].ps[c]);
		cells->all.value = tp_ps_in_ms(in->hosts[h].total_ps);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_hosts);
}

/* What is beyond is summed up in one row. */
enum { MOST_OPS = 1000 };

static struct op_cells *
op_row(struct tp_draft *draft, struct tp_slice id, enum tp_row_role role,
	const struct tp_input_op *op, int64_t all_ps)
{
	struct op_cells *cells = tp_draft_row_of(draft, id, role, 0, op);
	struct tp_slice none = TP_S(why_operation_no_time);

	cells->total_share.value = tp_share((double)op->total_ps, (double)all_ps, none);
	cells->self_share.value = tp_share((double)op->self_ps, (double)all_ps, none);
	cells->self_share.swatch = TP_HUE_INPUT;
	cells->class.value = tp_text_value(tp_slice_of(tp_input_class_info(op->class)->label));
	return cells;
}

static void
rest_of_ops(const struct tp_pass_ctx *ctx, const struct tp_input_ops *ops, size_t shown,
	struct tp_draft *draft)
{
	struct tp_input_op rest = {
		.name = tp_say_number(ctx, ops->count - shown, "more operation", "more operations").text};

	for (size_t i = shown; i < ops->count; i++) {
		rest.count += ops->ops[i].count;
		rest.total_ps = tp_add_ps(rest.total_ps, ops->ops[i].total_ps);
		rest.self_ps = tp_add_ps(rest.self_ps, ops->ops[i].self_ps);
	}
	op_row(draft, TP_S("rest"), TP_ROW_TOTAL, &rest, ops->self_ps)->class.value =
		tp_missing(TP_S(why_several_operations));
}

static void
op_table(const struct tp_pass_ctx *ctx, const struct tp_input_ops *ops, struct tp_doc *doc,
	struct tp_block *parent)
{
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "input-pipeline/operations", op_columns);
	size_t shown = ops->count > MOST_OPS + 1 ? MOST_OPS : ops->count;

	for (size_t i = 0; i < shown; i++)
		op_row(&draft, ops->ops[i].name, TP_ROW_NORMAL, &ops->ops[i], ops->self_ps);
	if (shown < ops->count)
		rest_of_ops(ctx, ops, shown, &draft);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	table->caption = TP_S(caption_operations);
}

static uint64_t
generator_calls(const struct tp_input_ops *ops)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < ops->count; i++) {
		if (tp_iterator_kind(ops->ops[i].name) == TP_ITERATOR_GENERATOR)
			calls += ops->ops[i].count;
	}
	return calls;
}

/* A copy of the host that is taken for input; NULL: none. */
static const struct tp_input_op *
copy_among(const struct tp_input_ops *ops)
{
	for (size_t i = 0; i < ops->count; i++) {
		if (ops->ops[i].class == TP_INPUT_ENQUEUE &&
			!tp_slice_has(ops->ops[i].name, TP_S("InfeedEnqueue")))
			return &ops->ops[i];
	}
	return NULL;
}

/* What the classes make look like something else. */
static void
say_misleading(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in,
	struct tp_doc *doc, struct tp_block *parent)
{
	const struct tp_input_op *copy = copy_among(&in->ops);

	if (in->generator_ps != 0)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY, "input-pipeline/generator",
			TP_SAY(doc, text_generator, tp_integer(in->generator_ps, TP_UNIT_PS),
				tp_say_number(ctx, generator_calls(&in->ops), "call", "calls")));
	if (in->waiting_ps != 0)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY, "input-pipeline/waiting",
			TP_SAY(doc, text_prefetch_waits, tp_ps_in_ms(on_scale(in, in->waiting_ps))));
	if (copy != NULL)
		tp_doc_paragraph(doc, parent, TP_PARAGRAPH_BODY, "input-pipeline/copies",
			TP_SAY(doc, text_copies, tp_text_value(copy->name)));
}

void
tp_input_host(const struct tp_pass_ctx *ctx, const struct tp_input_pipeline *in, struct tp_doc *doc,
	struct tp_block *section)
{
	if (in->ops.count == 0)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "input-pipeline/host", title_host);

	class_table(in, doc, part);
	say_misleading(ctx, in, doc, part);
	if (in->ops.host_count > 1)
		host_table(ctx, in, doc, part);
	op_table(ctx, &in->ops, doc, part);
}
