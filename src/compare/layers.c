/* Whether two PyTorch runs without modules ran the same model, by the products that its layers compute. Operators are much the same in all models;
 * how many convolutions, products of matrices and attentions a step takes is the model's. Other operators vary with how an optimizer or a
 * compiler runs them, so these do not count. */
#include "base/arena.h"
#include "base/texts.h"
#include "compare/context.h"
#include "compare/look.h"
#include "compare/tally.h"

/* Of two models that have fewer than half of their products in common, one is not a changed other. */
#define LEAST_COMMON 0.5

static bool
is_attention(struct tp_slice name)
{
	return tp_slice_starts(name, TP_S("aten::_scaled_dot_product_")) &&
		!tp_slice_ends(name, TP_S("_backward"));
}

/* What an operator counts as; empty: it is none of a layer's products. Bias or not, and how it is run, makes no difference. */
static struct tp_slice
product(struct tp_slice name)
{
	if (tp_slice_eq(name, TP_S("aten::convolution")))
		return TP_S("convolutions");
	if (tp_texts_any(name, tp_slice_eq, TP_TEXTS("aten::mm", "aten::addmm", "aten::_scaled_mm")))
		return TP_S("matmuls");
	if (tp_texts_any(name, tp_slice_eq, TP_TEXTS("aten::bmm", "aten::baddbmm")))
		return TP_S("batched matmuls");
	return is_attention(name) ? TP_S("attentions") : TP_S("");
}

static void
add_side(const struct tp_comparison *c, struct tp_tally *t, const struct tp_table *of, size_t side)
{
	const struct tp_doc *doc = side == 0 ? c->wish->a : c->wish->b;
	double steps = tp_look_metric(doc, "torch.step.count", TP_UNIT_COUNT);
	size_t name = tp_look_column(of, "operator"), calls = tp_look_column(of, "calls");

	for (size_t i = 0; i < of->row_count && steps > 0; i++) {
		struct tp_slice what = product(tp_look_cell(of, i, name));

		if (of->rows[i].role != TP_ROW_TOTAL && what.len != 0)
			tp_tally_add(t, what, side, tp_look_number(of, i, calls, TP_UNIT_COUNT) / steps);
	}
}

void
tp_compare_layers(struct tp_comparison *c, const struct tp_table *a, const struct tp_table *b)
{
	struct tp_tally t;

	tp_tally_init(&t, c->arena);
	add_side(c, &t, a, 0);
	add_side(c, &t, b, 1);
	bool is_other = tp_tally_overlap(&t) < LEAST_COMMON;
	struct tp_slice texts[2] = {tp_tally_counts(&t, 0), tp_tally_counts(&t, 1)};

	tp_compare_add_fact(c, TP_S("Matmuls and convolutions per step"), texts[0], texts[1],
		!tp_slice_eq(texts[0], texts[1]),
		is_other ? "the matmuls and convolutions of a step" : NULL);
	tp_tally_free(&t);
}
