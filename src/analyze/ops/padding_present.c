/* What the report says about padding: its metrics, and a part of the section on operations with a picture of the worst array and
 * tables: operations by time lost, each dimension against its tile, other large buffers. */
#include "analyze/ops/padding.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_use.h"
#include "analyze/ops/padding_columns.h"
#include "analyze/ops/padding_words.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

struct tp_slice
tp_padding_reason(const struct tp_padding *p)
{
	static const struct tp_slice reasons[] = {
		[TP_PADDING_NO_HLO] = TP_LIT(why_no_hlo),
		[TP_PADDING_UNTILED] = TP_LIT(why_untiled),
		[TP_PADDING_NO_PRODUCT] = TP_LIT(why_no_product),
		[TP_PADDING_JUDGED] = TP_LIT(""),
	};

	return reasons[p->state];
}

void
tp_padding_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_padding *p = result;
	struct tp_slice none = p ? tp_padding_reason(p) : tp_skipped_itself(ctx);
	/* With HLO but without a convolution or dot it could have been measured, and there was none. */
	bool known = p != NULL && (p->state == TP_PADDING_JUDGED || p->state == TP_PADDING_NO_PRODUCT);
	struct tp_slice how =
		TP_S("Σ over convolutions, dots and fusions with them of self time × (1 "
			 "− fit); fit: elements / padded elements, of the worst of result and operands");
	struct tp_slice coverage = {NULL, 0};

	if (p != NULL && p->state == TP_PADDING_JUDGED)
		coverage = tp_arena_printf(ctx->keep, "%zu of %zu %s with tiles", p->count - p->unknown,
			p->count, tp_plural(p->count, "operation", "operations"));
	tp_doc_metric(doc, TP_S("padding.lost_share"), "Time lost to padding",
		known ? tp_share(p->lost_ps, (double)p->ops->busy_ps, TP_S("no time")) : tp_missing(none),
		tp_arena_printf(ctx->keep, "%.*s; over busy device time", TP_ARG(how)), coverage);
	tp_doc_metric(doc, TP_S("padding.lost_ms"), "Device time lost to padding",
		known ? tp_ps_in_ms(p->lost_ps) : tp_missing(none),
		tp_arena_printf(ctx->keep, "%.*s; over all devices and steps", TP_ARG(how)), coverage);
}

static void
say_damage(struct tp_doc *doc, const struct tp_padding *p, struct tp_block *section)
{
	if (p->damaged_count == 0)
		return;
	struct tp_block *b = tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("padding/damaged"));

	b->notice.judge = TP_JUDGE_WARN;
	b->notice.text = p->damaged_count == 1
		? TP_SAY(doc, text_damaged_one, tp_text_value(p->damaged[0].program),
			  tp_text_value(p->damaged[0].reason))
		: TP_SAY(doc, text_damaged, tp_count(p->damaged_count),
			  tp_text_value(p->damaged[0].program), tp_text_value(p->damaged[0].reason));
}

static struct tp_text
say_worst(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_padding *p)
{
	const struct tp_padding_fit *f = &p->fits[0];

	return TP_SAY(doc, text_most,
		tp_text_value(tp_op_short_name(ctx, p->ops->ops[f->op].op->label)),
		tp_number(f->product.fit, TP_UNIT_SHARE),
		tp_text_value(tp_slice_of(f->product.worst == TP_FIT_OUTPUT ? "result"
				: f->product.worst == TP_FIT_LHS                    ? "left operand"
																	: "right operand")),
		tp_text_value(tp_fit_dims_text(&f->product, f->product.worst, false, ctx->keep)));
}

static struct tp_text
say_answer(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_padding *p)
{
	struct tp_value count = tp_say_number(ctx, p->count, "operation", "operations");

	if (p->state != TP_PADDING_JUDGED)
		return TP_SAY(doc, text_not_applicable, tp_text_value(tp_padding_reason(p)));
	if (p->unknown == p->count)
		return TP_SAY(doc, text_unknown, count);
	if (!(p->lost_ps > 0))
		return TP_SAY(doc, text_nothing_lost, count);
	return tp_doc_join(doc,
		p->ops->only_shares ? TP_SAY0(doc, text_lost_share) : TP_SAY0(doc, text_lost),
		say_worst(ctx, doc, p));
}

/* The two dimensions of the worst array that lie in tiles; false when there is none or only one. */
static bool
find_tile(const struct tp_product_fit *p, const struct tp_fit_dim *sides[2])
{
	const struct tp_fit_shape *s = &p->shapes[p->worst];

	sides[0] = sides[1] = NULL;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];

		if (d->axis == TP_AXIS_LANE)
			sides[0] = d;
		else if (d->axis == TP_AXIS_SUBLANE)
			sides[1] = d;
	}
	return sides[0] != NULL && sides[1] != NULL && sides[0]->size != 0 && sides[1]->size != 0;
}

/* The worst array's place in its tiles, drawn; nothing when nothing is lost. */
static void
picture(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_product_fit *worst = &p->fits[0].product;
	const struct tp_fit_dim *sides[2];

	if (!(p->lost_ps > 0) || !find_tile(worst, sides))
		return;
	double *values = tp_new_array(ctx->keep, double, 4);
	struct tp_series *series = tp_new_array(ctx->keep, struct tp_series, 2);
	struct tp_slice *labels = tp_new_array(ctx->keep, struct tp_slice, 2);
	struct tp_value names[2];

	for (size_t k = 0; k < 2; k++) {
		labels[k] = tp_slice_of(
			tp_dim_meaning_names[tp_layer_meaning(worst, worst->worst, sides[k]->meaning)]);
		names[k] = tp_text_value(labels[k]);
		values[k] = (double)sides[k]->size;
		values[2 + k] = (double)(sides[k]->padded - sides[k]->size);
	}
	series[0] = (struct tp_series){
		.key = TP_S("data"), .label = TP_S("Data"), .hue = TP_HUE_COMPUTE, .values = values};
	series[1] = (struct tp_series){
		.key = TP_S("padding"), .label = TP_S("Padding"), .hue = TP_HUE_IDLE, .values = values + 2};
	struct tp_text said = TP_SAY(doc, text_drawn,
		tp_text_value(tp_slice_of(tp_fit_role_names[worst->worst])), tp_text_value(worst->name),
		tp_number((double)sides[0]->padded, TP_UNIT_COUNT), names[0],
		tp_number(values[0], TP_UNIT_COUNT), tp_number((double)sides[1]->padded, TP_UNIT_COUNT),
		names[1], tp_number(values[1], TP_UNIT_COUNT));

	tp_doc_add(doc, section, TP_BLOCK_CHART, TP_S("padding/tile"))->chart = (struct tp_chart){
		.kind = TP_CHART_TILE,
		.alt = tp_text_shown(said, ctx->keep),
		.unit = TP_UNIT_COUNT,
		.series = series,
		.series_count = 2,
		.labels = labels,
		.point_count = 2,
		.marked = SIZE_MAX,
		.legend = true,
	};
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "padding/tile/text", said);
}

/* Of busy time: what is less is not judged. */
#define WORTH_JUDGING 0.01

/* What does not fit is told where there are tiles. */
static struct tp_value
fit_value(double fit)
{
	return tp_number_or(fit, TP_UNIT_SHARE, TP_S(why_no_tiles));
}

static void
put_fit(struct tp_cell *cell, struct tp_value fit)
{
	cell->value = fit;
	cell->swatch = TP_HUE_COMPUTE;
}

static enum tp_judge
judge_fit(const struct tp_padding_fit *f, int64_t busy_ps)
{
	if (!(f->lost_ps >= WORTH_JUDGING * (double)busy_ps))
		return TP_JUDGE_NONE;
	return f->product.fit < 0.25 ? TP_JUDGE_BAD
		: f->product.fit < 0.5   ? TP_JUDGE_WARN
								 : TP_JUDGE_NONE;
}

/* "lhs: batch 16 → 128, feature 3 → 8". What a dimension is padded to is the smallest size that would fit. */
static struct tp_slice
padded_text(const struct tp_padding_fit *f, struct tp_arena *arena)
{
	struct tp_slice dims = tp_fit_dims_text(&f->product, f->product.worst, false, arena);

	if (dims.len == 0)
		return TP_S("");
	return tp_arena_printf(arena, "%s: %.*s",
		f->product.worst == TP_FIT_OUTPUT ? "result" : tp_fit_role_names[f->product.worst],
		TP_ARG(dims));
}

static void
operations(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	/* Rows that fit are no more than the sentence above says. */
	struct tp_block *parent = p->lost_ps > 0
		? section
		: tp_doc_section(doc, section, TP_SECTION_FOLD, "padding/fitting", title_nothing_lost);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, parent, "padding/operations", op_columns);

	for (size_t i = 0; i < p->count; i++) {
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct op_cells *cells =
			tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, f);

		cells->name.value = tp_text_value(t->op->label);
		cells->dims.value = tp_text_value(padded_text(f, ctx->keep));
		cells->fit.value = fit_value(f->product.fit);
		cells->fit.swatch = t->hue;
		cells->fit.judge = judge_fit(f, p->ops->busy_ps);
		cells->self.value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
		cells->lost.value = isfinite(f->product.fit)
			? tp_op_time(p->ops, tp_number(f->lost_ps, TP_UNIT_PS))
			: tp_missing(TP_S(why_no_fit));
		cells->moved.value = f->moved_known ? tp_number((double)f->lost_bytes, TP_UNIT_BYTES)
											: tp_missing(TP_S(why_no_sizes));
		cells->framework.value = tp_text_value(tp_op_framework_text(t->op->framework));
		cells->program.value = tp_text_value(t->program);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		p->lost_ps > 0 ? TP_S(caption_operations) : TP_S(caption_nothing_lost);
}

static struct tp_slice
axis_name(enum tp_axis axis)
{
	static const char *const names[] = {
		[TP_AXIS_LANE] = "lane",
		[TP_AXIS_SUBLANE] = "sublane",
		[TP_AXIS_OTHER] = "tiled",
		[TP_AXIS_NONE] = "",
	};

	return tp_slice_of(names[axis]);
}

static void
dimensions_of(struct tp_draft *draft, const struct tp_pass_ctx *ctx, const struct tp_fit_shape *s,
	const char *role, struct tp_slice of)
{
	struct tp_slice name = tp_arena_printf(ctx->keep, "%.*s/%s", TP_ARG(of), role);
	struct dim_cells *cells = tp_draft_row_of(draft, name, TP_ROW_NORMAL, 1, NULL);

	cells->name.value = tp_text_value(tp_slice_of(role));
	put_fit(&cells->used, fit_value(s->fit));
	cells->layout.value = tp_text_value(s->text);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_fit_dim *d = &s->dims[i];

		cells = tp_draft_row_of(
			draft, tp_arena_printf(ctx->keep, "%.*s/%u", TP_ARG(name), i), TP_ROW_NORMAL, 2, NULL);
		cells->name.value = tp_text_value(tp_slice_of(tp_dim_meaning_names[d->meaning]));
		cells->size.value = tp_number((double)d->size, TP_UNIT_COUNT);
		cells->padded.value = tp_number((double)d->padded, TP_UNIT_COUNT);
		cells->axis.value = tp_text_value(axis_name(d->axis));
		put_fit(&cells->used, tp_share((double)d->size, (double)d->padded, TP_S(why_empty)));
		cells->multiple.value = d->multiple > 1 ? tp_number((double)d->multiple, TP_UNIT_COUNT)
												: tp_text_value(TP_S("any"));
	}
}

static void
dimensions(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	bool all = ctx->options->top == SIZE_MAX;

	/* What fits needs no explanation, unless everything is asked for. */
	if (!(p->lost_ps > 0) && !all)
		return;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "padding/by-dimension", title_dimensions);

	part->section.spare = true;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "padding/dimensions", dim_columns);
	size_t shown = 0;

	for (size_t i = 0; i < p->count && i < ctx->options->top; i++) {
		if (!(p->fits[i].lost_ps > 0) && !all)
			break;
		const struct tp_padding_fit *f = &p->fits[i];
		const struct tp_op_total *t = &p->ops->ops[f->op];
		struct tp_slice of = tp_op_row_name(ctx, t), name = t->op->label;
		struct dim_cells *cells = tp_draft_row_of(&draft, of, TP_ROW_GROUP, 0, NULL);

		if (!tp_slice_eq(f->product.name, name))
			name = tp_arena_printf(ctx->keep, "%.*s, in it %.*s%s", TP_ARG(name),
				TP_ARG(f->product.name), f->products > 1 ? ", the worst of several" : "");
		cells->name.value = tp_text_value(name);
		put_fit(&cells->used, fit_value(f->product.fit));
		for (enum tp_fit_role role = 0; role < TP_FIT_ROLES; role++)
			dimensions_of(&draft, ctx, &f->product.shapes[role], tp_fit_role_names[role], of);
		shown = i == 0 ? draft.rows.count : shown;
	}
	/* The first operation stands open, as an example of how to read the others. */
	struct tp_table *table = tp_draft_finish(&draft, shown);

	table->tree = true;
	table->caption = TP_S(caption_dimensions);
}

static void
buffers(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	struct tp_block *section)
{
	if (p->buffer_count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "padding/buffers", buffer_columns);

	for (size_t i = 0; i < p->buffer_count; i++) {
		const struct tp_padded_buffer *b = &p->buffers[i];
		const struct tp_op_total *t = &p->ops->ops[b->op];
		struct buffer_cells *cells =
			tp_draft_row_of(&draft, tp_op_row_name(ctx, t), TP_ROW_NORMAL, 0, b);

		cells->name.value = tp_text_value(t->op->label);
		cells->name.swatch = t->hue;
		cells->expansion.value = b->bytes != 0
			? tp_number((double)b->padded_bytes / (double)b->bytes, TP_UNIT_TIMES)
			: tp_missing(TP_S(why_empty));
		cells->self.value = tp_op_time(p->ops, tp_integer(t->self_ps, TP_UNIT_PS));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_buffers);
}

void
tp_padding_section(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	const char *source)
{
	struct tp_block *parent = tp_doc_find_section(doc, "operations");

	if (parent == NULL || ctx->profile->torch != NULL)
		return;
	struct tp_block *section =
		tp_doc_section(doc, parent, TP_SECTION_SUB, "padding", "Padding fit");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "padding/answer", say_answer(ctx, doc, p));
	say_damage(doc, p, section);
	if (p->state == TP_PADDING_NO_HLO || p->state == TP_PADDING_UNTILED)
		return;
	picture(ctx, p, doc, section);
	if (p->count != 0)
		operations(ctx, p, doc, section);
	if (p->lost_ps > 0)
		tp_padding_options(ctx, p, doc, section);
	if (p->count != 0)
		dimensions(ctx, p, doc, section);
	buffers(ctx, p, doc, section);
	tp_say_how(ctx, doc, section, "padding/how", how_padding);
	tp_say_source(ctx, doc, section, "padding/source", source);
}

void
tp_padding_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	tp_padding_section(
		ctx, result, doc, "lines \"XLA Ops\" of TPU cores, and the HLO of the programs");
}
