/* Of single nodes, for those of a type may differ as much as types do. */
#include "analyze/tfprof/tfprof_rates.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/tfprof_fields.h"
#include "model/tfprof_outputs.h"

#include <stdlib.h>

enum { LEAST_FLOAT_OPS = 1000000, LEAST_US = 50 };

/* Float operations per element, as tfprof counts the single operations of tf.nn.moments and tf.nn.batch_normalization: two means 1 each,
 * the squared difference 2, a product and a sum 1 each. In inference the mean and variance are given. The gradient: sums for offset and
 * scale 1 each, the normalised input 2, its product with the gradient 1, and in training 4 more for the input's own. */
enum { TRAINED = 6, INFERRED = 2, TRAINED_GRADIENT = 9, INFERRED_GRADIENT = 6 };

static int64_t
elements_of(struct tp_tfprof_outputs *outputs, const struct tp_tfprof_node *node)
{
	struct tp_buf inputs = {0}, dims = {0};
	int64_t product = 1;

	tp_tfprof_inputs(outputs->tfprof, node, &inputs);
	if (inputs.count != 0)
		tp_tfprof_input_shape(outputs, inputs.data, &dims);
	for (size_t i = 0; i < dims.count; i++) {
		int64_t size = ((int64_t *)dims.data)[i];

		if (size < 0 || __builtin_mul_overflow(product, size, &product))
			product = 0;
	}
	product = dims.count != 0 ? product : 0;
	tp_buf_free(&inputs);
	tp_buf_free(&dims);
	return product;
}

static bool
is_fused(struct tp_slice op)
{
	return tp_slice_starts(op, TP_S("FusedBatchNorm"));
}

/* Per step, as float_ops of other nodes. */
static int64_t
uncounted_of(struct tp_tfprof_outputs *outputs, const struct tp_tfprof_node *node,
	const struct tp_tfprof_figures *f)
{
	bool gradient = tp_slice_starts(node->op, TP_S("FusedBatchNormGrad"));
	bool trains = tp_tfprof_flag_attribute(node, TP_S("is_training"), true);
	int64_t each =
		gradient ? (trains ? TRAINED_GRADIENT : INFERRED_GRADIENT) : (trains ? TRAINED : INFERRED);
	int64_t count = elements_of(outputs, node), runs = f->of[TP_TFPROF_RUNS];

	/* Of a node that never ran once, as of others. */
	if (runs == 0 && !tp_tfprof_ran(node))
		runs = 1;
	if (f->of[TP_TFPROF_FLOAT_OPS] != 0 || __builtin_mul_overflow(count, each, &count) ||
		__builtin_mul_overflow(count, runs, &count))
		return 0;
	return count;
}

struct tp_tfprof_rate *
tp_tfprof_rates(const struct tp_tfprof_view *ops, const struct tp_tfprof *t, int64_t step,
	struct tp_arena *arena)
{
	struct tp_tfprof_rate *rates = tp_new_array(arena, struct tp_tfprof_rate, ops->count);
	struct tp_tfprof_outputs outputs;

	tp_tfprof_outputs_open(t, &outputs);
	for (uint32_t i = 1; i < ops->count; i++) {
		const struct tp_tfprof_row *row = &ops->rows[i];

		for (uint32_t k = 0; k < row->member_count; k++) {
			const struct tp_tfprof_node *node = &t->nodes[ops->members[row->first_member + k]];
			struct tp_tfprof_figures f;

			tp_tfprof_figures(node, step, &f);
			if (is_fused(row->name))
				rates[i].uncounted =
					tp_tfprof_plus(rates[i].uncounted, uncounted_of(&outputs, node, &f));
			if (f.of[TP_TFPROF_FLOAT_OPS] <= 0 || tp_tfprof_rated_us(t, &f) <= 0)
				continue;
			rates[i].us = tp_tfprof_plus(rates[i].us, tp_tfprof_rated_us(t, &f));
			rates[i].float_ops = tp_tfprof_plus(rates[i].float_ops, f.of[TP_TFPROF_FLOAT_OPS]);
		}
	}
	tp_tfprof_outputs_close(&outputs);
	return rates;
}

/* A node with its device, per step. */
struct rated {
	struct tp_slice device;
	uint32_t node;
	double us, float_ops;
};

TP_ORDER(by_device, struct rated, tp_slice_cmp(a->device, b->device), TP_UP(node));

static void
collect(const struct tp_tfprof *t, int64_t step, struct tp_buf *list)
{
	for (uint32_t i = 0; i < t->node_count; i++) {
		struct tp_tfprof_figures f;

		tp_tfprof_figures(&t->nodes[i], step, &f);
		if (f.of[TP_TFPROF_FLOAT_OPS] >= LEAST_FLOAT_OPS && tp_tfprof_rated_us(t, &f) >= LEAST_US)
			*tp_buf_new(list, struct rated) = (struct rated){t->nodes[i].device, i,
				(double)tp_tfprof_rated_us(t, &f), (double)f.of[TP_TFPROF_FLOAT_OPS]};
	}
}

/* Those of one device. most_us: what the worst so far would save. */
static void
compare(const struct rated *r, size_t count, struct tp_tfprof_slow *slow, double *most_us)
{
	const struct rated *best = r;

	for (size_t i = 1; i < count; i++) {
		if (r[i].float_ops / r[i].us > best->float_ops / best->us)
			best = &r[i];
	}
	double per_us = best->float_ops / best->us;

	for (size_t i = 0; i < count && count > 1; i++) {
		double saving_us = r[i].us - r[i].float_ops / per_us;

		slow->count++;
		slow->saving_us += &r[i] != best ? saving_us : 0;
		if (&r[i] == best || saving_us <= *most_us)
			continue;
		*most_us = saving_us;
		slow->best = best->node;
		slow->best_per_us = per_us;
		slow->worst = r[i].node;
		slow->worst_per_us = r[i].float_ops / r[i].us;
	}
}

struct tp_tfprof_slow
tp_tfprof_find_slow(const struct tp_tfprof *t, int64_t step)
{
	struct tp_tfprof_slow slow = {.best = TP_MAP_NONE, .worst = TP_MAP_NONE};
	struct tp_buf list = {0};
	double most_us = 0;

	collect(t, step, &list);
	struct rated *r = list.data;

	if (list.count != 0)
		qsort(r, list.count, sizeof *r, by_device);
	for (size_t i = 0, from = 0; i < list.count; from = i) {
		while (i < list.count && tp_slice_eq(r[i].device, r[from].device))
			i++;
		compare(&r[from], i - from, &slow, &most_us);
	}
	tp_buf_free(&list);
	return slow;
}
