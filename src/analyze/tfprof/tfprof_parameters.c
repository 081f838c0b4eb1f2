/* Parameters by scope, with what they take, and what the optimiser keeps beside them. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/core/say.h"
#include "analyze/tfprof/tfprof_columns.h"
#include "analyze/tfprof/tfprof_slots.h"
#include "analyze/tfprof/tfprof_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "model/tfprof_fields.h"
#include "report/draft.h"

/* "3 × 3 × 16 × 32" */
static struct tp_value
shape_of(const struct tp_pass_ctx *ctx, const struct tp_tfprof *t, const struct tp_tfprof_row *row)
{
	struct tp_buf dims = {0};

	if (row->node != TP_MAP_NONE)
		tp_tfprof_shape(&t->nodes[row->node], &dims);
	struct tp_slice text = tp_tfprof_dims_text(&dims, ctx->keep);

	tp_buf_free(&dims);
	return tp_say_text(text, why_scope);
}

/* slots: of each node the bytes of its own. */
static struct held *
hold(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, const int64_t *slots)
{
	const struct tp_tfprof_view *v = &s->parameters;
	struct held *held = tp_new_array(ctx->keep, struct held, v->count);

	for (uint32_t i = 0; i < v->count; i++) {
		uint32_t node = v->rows[i].node;

		if (node == TP_MAP_NONE || s->slot_of[node] != TP_MAP_NONE || !v->rows[i].accounted)
			continue;
		held[i].own = held[i].parameters = v->rows[i].own.of[TP_TFPROF_PARAMETERS];
		held[i].bytes = tp_tfprof_held_bytes(&s->tfprof->nodes[node]);
		held[i].slot_bytes = slots[node];
	}
	/* Each stands behind the row that it is in; the root is in itself. */
	for (uint32_t i = v->count; i-- > 1;) {
		struct held *above = &held[v->rows[i].parent];

		above->parameters = tp_tfprof_plus(above->parameters, held[i].parameters);
		above->bytes = tp_tfprof_plus(above->bytes, held[i].bytes);
		above->slot_bytes = tp_tfprof_plus(above->slot_bytes, held[i].slot_bytes);
	}
	return held;
}

static void
say_slots(const struct tp_pass_ctx *ctx, const struct held *all, uint32_t slot_count,
	struct tp_doc *doc, struct tp_block *section)
{
	if (slot_count == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "tfprof/slots",
		TP_SAY(doc, text_slots, tp_integer(all->slot_bytes, TP_UNIT_BYTES),
			tp_say_number(ctx, slot_count, "variable", "variables")));
}

/* Bytes that each node has in slots, and how many of these there are. */
static int64_t *
sum_slots(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s, uint32_t *count)
{
	int64_t *bytes = tp_new_array(ctx->scratch, int64_t, s->tfprof->node_count);

	for (uint32_t i = 0; i < s->tfprof->node_count; i++) {
		uint32_t of = s->slot_of[i];

		if (of == TP_MAP_NONE)
			continue;
		bytes[of] = tp_tfprof_plus(bytes[of], tp_tfprof_held_bytes(&s->tfprof->nodes[i]));
		++*count;
	}
	return bytes;
}

void
tp_tfprof_parameters(const struct tp_pass_ctx *ctx, const struct tp_tfprof_section *s,
	struct tp_doc *doc, struct tp_block *section)
{
	uint32_t left_out = 0, slot_count = 0;
	const struct held *held = hold(ctx, s, sum_slots(ctx, s, &slot_count));
	int64_t *totals = tp_new_array(ctx->scratch, int64_t, s->parameters.count);

	if (held[0].parameters <= 0)
		return;
	for (uint32_t i = 0; i < s->parameters.count; i++)
		totals[i] = held[i].parameters;
	int64_t least = tp_tfprof_least_shown(ctx, totals, s->parameters.count);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "tfprof/parameters", parameter_columns);

	for (uint32_t i = 0; i < s->parameters.count; i++) {
		const struct tp_tfprof_row *row = &s->parameters.rows[i];

		if (held[i].parameters < least) {
			left_out++;
			continue;
		}
		struct parameter_cells *cells =
			tp_draft_row_of(&draft, row->name, TP_ROW_NORMAL, (int)row->depth, &held[i]);

		cells->variable.value = tp_text_value(tp_tfprof_label(row));
		cells->variable.full = row->name;
		cells->shape.value = shape_of(ctx, s->tfprof, row);
		cells->share.value = tp_share(
			(double)held[i].parameters, (double)held[0].parameters, TP_S(why_no_parameters));
	}
	tp_tfprof_finish_tree(ctx, &draft, s->has_trained ? caption_parameters : caption_variables,
		left_out, section, "tfprof/more-parameters");
	say_slots(ctx, &held[0], slot_count, doc, section);
}
