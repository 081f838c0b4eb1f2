/* One walk down and up the tree of calls, without recursion. */
#include "analyze/torch/operators/torch_ops_nested.h"

#include "analyze/torch/operators/torch_op_calls.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

/* Arrays by index in t->operators; TP_NONE: none. */
struct tree {
	uint32_t *caller, *first, *next; /* first called, next of the same caller */
	uint32_t root;                   /* first of those without a caller */
};

static struct tree
grow(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_op_call *calls, struct tp_arena *scratch)
{
	struct tree tree = {.caller = tp_new_array(scratch, uint32_t, t->operator_count),
		.first = tp_new_array(scratch, uint32_t, t->operator_count),
		.next = tp_new_array(scratch, uint32_t, t->operator_count),
		.root = TP_NONE};

	for (uint32_t i = 0; i < t->operator_count; i++)
		tree.first[i] = TP_NONE;
	for (uint32_t i = 0; i < t->operator_count; i++) {
		uint32_t by = calls[i].event == TP_NONE
			? TP_NONE
			: tp_torch_operator_at(t, links, links->parent[calls[i].event]);
		uint32_t *head = &tree.root;

		if (calls[i].event == TP_NONE)
			continue;
		tree.caller[i] = by == TP_NONE ? TP_NONE : t->detail[by];
		if (tree.caller[i] != TP_NONE)
			head = &tree.first[tree.caller[i]];
		tree.next[i] = *head;
		*head = i;
	}
	return tree;
}

static uint8_t
enter(struct tp_torch_op_open *open, const struct tp_torch_op_rows *rows)
{
	uint8_t nested = 0;

	for (int k = 0; k < TP_TORCH_TABLES; k++) {
		uint32_t *calls = open->calls[k].data;

		if (rows->of[k] != TP_NONE && calls[rows->of[k]]++ != 0)
			nested |= (uint8_t)(1u << k);
	}
	return nested;
}

static void
leave(struct tp_torch_op_open *open, const struct tp_torch_op_rows *rows)
{
	for (int k = 0; k < TP_TORCH_TABLES; k++) {
		uint32_t *calls = open->calls[k].data;

		if (rows->of[k] != TP_NONE)
			calls[rows->of[k]]--;
	}
}

const uint8_t *
tp_torch_op_nested(const struct tp_torch_trace *t, const struct tp_torch_correlation *links,
	const struct tp_torch_op_call *calls, const struct tp_torch_op_rows *rows,
	struct tp_torch_op_open *open, struct tp_arena *scratch)
{
	uint8_t *nested = tp_new_array(scratch, uint8_t, t->operator_count);
	struct tree tree = grow(t, links, calls, scratch);
	uint32_t at = tree.root;

	while (at != TP_NONE) {
		nested[at] = enter(open, &rows[at]);
		if (tree.first[at] != TP_NONE) {
			at = tree.first[at];
			continue;
		}
		/* Up to the first that has a next. */
		for (leave(open, &rows[at]); tree.next[at] == TP_NONE && tree.caller[at] != TP_NONE;
			 leave(open, &rows[at]))
			at = tree.caller[at];
		at = tree.next[at];
	}
	return nested;
}
