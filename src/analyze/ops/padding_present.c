/* What the report says about padding: its metrics, and a part of the section on operations with a picture of the worst array. */
#include "analyze/ops/padding.h"

#include "analyze/core/say.h"
#include "analyze/ops/op_use.h"
#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

struct tp_slice
tp_padding_reason(const struct tp_padding *p)
{
	static const struct tp_slice reasons[] = {
		[TP_PADDING_NO_HLO] =
			TP_LIT("the profile holds no HLO of its programs that could be read, so "
				   "layouts are not known"),
		[TP_PADDING_UNTILED] =
			TP_LIT("this device keeps arrays without tiles, so nothing is padded"),
		[TP_PADDING_NO_PRODUCT] = TP_LIT("no convolution or dot was measured"),
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
	struct tp_slice how = TP_S("Σ over convolutions, dots and fusions with them: self time × (1 − "
							   "fit); fit: elements over padded elements of the worst of result "
							   "and operands");
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
		? TP_SAY(doc, "The HLO of program `{}` is damaged ({}); its operations are not judged.",
			  tp_text_value(p->damaged[0].program), tp_text_value(p->damaged[0].reason))
		: TP_SAY(doc,
			  "The HLO of {} programs is damaged, first `{}` ({}); their operations are not judged.",
			  tp_count(p->damaged_count), tp_text_value(p->damaged[0].program),
			  tp_text_value(p->damaged[0].reason));
}

static struct tp_text
say_worst(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_padding *p)
{
	const struct tp_padding_fit *f = &p->fits[0];

	return TP_SAY(doc, " Most by `{}`: data fills {} of the tiles of its {} ({}).",
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
		return TP_SAY(doc, "*Not applicable: {}.*", tp_text_value(tp_padding_reason(p)));
	if (p->unknown == p->count)
		return TP_SAY(
			doc, "*The layouts of the {} with a convolution or dot are not known.*", count);
	if (!(p->lost_ps > 0))
		return TP_SAY(doc,
			"*Nothing is lost to padding: arrays of the {} with a convolution or dot fill their "
			"tiles.*",
			count);
	return tp_doc_join(doc,
		p->ops->only_shares
			? TP_SAY0(doc, "*Padding costs at most {padding.lost_share} of busy time.*")
			: TP_SAY0(doc,
				  "*Padding costs at most {padding.lost_ms} of device time, {padding.lost_share} "
				  "of busy time.*"),
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
	struct tp_text said = TP_SAY(doc,
		"The {} of `{}` in its tiles: of {} places along lanes the {} dimension fills {}, of {} "
		"along sublanes the {} dimension {}.",
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

static const char how[] =
	"Arrays lie in tiles, usually of 8 sublanes × 128 lanes; what does not fill the last tile of a "
	"dimension is padding that is stored, moved and multiplied like data. Tiled sizes follow XLA's "
	"rule of repeated tiling from the layout in the program's HLO. Fit of an array: its elements "
	"over the padded ones; of an operation: that of the worst of result, left (lhs) and right "
	"operand (rhs) of its convolution or dot, the worst of several in a fusion. Time lost is self "
	"time × (1 − fit), summed over all devices: the most that could be saved, if time goes with "
	"the padded elements. ▲ marks a fit below 25 %, ■ below 50 %, where at least 1 % of busy time "
	"is lost. Matrix unit: the most that this product can keep busy of 128 × 128 multipliers (256 "
	"× 256 from v6e on), however it is arranged: the terms of a sum along one side (input features "
	"× window of a convolution, the contracting dimensions of a dot), the better fitting of rows "
	"and columns of the result along the other, each over the next multiple of the side. Padding "
	"moved: padded less plain bytes of result and operands in HBM, × occurrences. In the gradient "
	"of a kernel (its window larger than its result, and named so by the framework) HLO calls the "
	"batch feature and the features batch; the lists of sizes name them as the layer does, the "
	"table of dimensions as HLO does.";

void
tp_padding_section(const struct tp_pass_ctx *ctx, const struct tp_padding *p, struct tp_doc *doc,
	const char *source)
{
	struct tp_block *operations = tp_doc_find_section(doc, "operations");

	if (operations == NULL || ctx->profile->torch != NULL)
		return;
	struct tp_block *section =
		tp_doc_section(doc, operations, TP_SECTION_SUB, "padding", "Padding fit");

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "padding/answer", say_answer(ctx, doc, p));
	say_damage(doc, p, section);
	if (p->state == TP_PADDING_NO_HLO || p->state == TP_PADDING_UNTILED)
		return;
	picture(ctx, p, doc, section);
	tp_padding_tables(ctx, p, doc, section);
	tp_say_how(ctx, doc, section, "padding/how", how);
	tp_say_source(ctx, doc, section, "padding/source", source);
}

void
tp_padding_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	tp_padding_section(
		ctx, result, doc, "lines \"XLA Ops\" of TPU cores, and the HLO of the programs");
}
