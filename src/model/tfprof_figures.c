/* What nodes of a dump did: a step, or the mean of those in which they ran. */
#include "model/tfprof.h"

#include "base/order.h"
#include "codec/pb_field.h"
#include "model/tfprof_fields.h"

/* Σ of the durations of an entry that maps a device to its times. */
static int64_t
durations_of(struct tp_slice entry)
{
	int64_t sum = 0;

	for (struct tp_pb p = tp_pb_open(tp_pb_first(entry, 2)); tp_pb_next_bytes(&p, TP_TIMES_TIME);) {
		struct tp_pb_numbers tuple = tp_pb_numbers(p.bytes, TP_TUPLE_NUMBER);
		int64_t number;

		for (int i = 0; i < 2 && tp_pb_next_number(&tuple, &number); i++)
			sum = i == 1 ? tp_tfprof_plus(sum, number) : sum;
	}
	return sum;
}

static void
add(struct tp_tfprof_figures *f, enum tp_tfprof_figure which, int64_t more)
{
	f->of[which] = tp_tfprof_plus(f->of[which], more);
}

static void
add_memory(struct tp_tfprof_figures *sum, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_VARINT)
			continue;
		if (p.field == TP_MEMORY_REQUESTED)
			add(sum, TP_TFPROF_REQUESTED_BYTES, (int64_t)p.number);
		else if (p.field == TP_MEMORY_PEAK)
			add(sum, TP_TFPROF_PEAK_BYTES, (int64_t)p.number);
		else if (p.field == TP_MEMORY_RESIDUAL)
			add(sum, TP_TFPROF_RESIDUAL_BYTES, (int64_t)p.number);
		else if (p.field == TP_MEMORY_OUTPUT)
			add(sum, TP_TFPROF_OUTPUT_BYTES, (int64_t)p.number);
	}
}

/* Runs of a step, iterations of a loop, are summed. */
static void
add_step(struct tp_tfprof_figures *sum, struct tp_slice exec)
{
	struct tp_pb p = tp_pb_open(exec);

	while (tp_pb_next(&p)) {
		if (p.field == TP_EXEC_RUNS && p.type == TP_PB_VARINT)
			add(sum, TP_TFPROF_RUNS, (int64_t)p.number);
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == TP_EXEC_ACCELERATOR)
			add(sum, TP_TFPROF_ACCELERATOR_US, durations_of(p.bytes));
		else if (p.field == TP_EXEC_CPU)
			add(sum, TP_TFPROF_CPU_US, durations_of(p.bytes));
		else if (p.field == TP_EXEC_MEMORY)
			add_memory(sum, p.bytes);
	}
}

/* The product of the sizes; 0 where one is not known. *any: there was a size before. */
static void
multiply(struct tp_pb *shape, int64_t *product, bool *any)
{
	struct tp_pb_list sizes = tp_pb_list_of(shape);

	for (uint64_t size; tp_pb_list_next(&sizes, &size); *any = true) {
		if (!*any)
			*product = 1;
		if ((int64_t)size < 0 || *product < 0)
			*product = -1;
		else if (__builtin_mul_overflow(*product, (int64_t)size, product))
			*product = INT64_MAX;
	}
}

/* A step n that is left out is told as INT64_MIN + n: far from the -1 and its like of tfprof's command line. */
#define LEFT_OUT INT64_MIN
enum { FEW_STEPS = 3 };

int64_t
tp_tfprof_steady(const int64_t *steps, uint32_t count)
{
	return count >= FEW_STEPS && steps[0] >= 0 && steps[0] < INT64_MAX / 2 ? LEFT_OUT + steps[0]
																		   : TP_TFPROF_ALL_STEPS;
}

bool
tp_tfprof_counts(int64_t step, int64_t number)
{
	if (step >= 0)
		return number == step;
	return step >= LEFT_OUT / 2 || number != step - LEFT_OUT;
}

void
tp_tfprof_figures(const struct tp_tfprof_node *node, int64_t step, struct tp_tfprof_figures *out)
{
	struct tp_pb p = tp_pb_open(node->message);
	int64_t float_ops = 0, steps = 0, parameters = 0;
	bool sized = false, ran = false;

	if (node->figures != NULL) {
		*out = *node->figures;
		return;
	}
	*out = (struct tp_tfprof_figures){0};
	while (tp_pb_next(&p)) {
		if (p.field == TP_NODE_FLOAT_OPS && p.type == TP_PB_VARINT)
			float_ops = (int64_t)p.number;
		else if (p.field == TP_NODE_SHAPE)
			multiply(&p, &parameters, &sized);
		if (p.field != TP_NODE_EXEC || p.type != TP_PB_BYTES)
			continue;
		uint64_t of_step, number;
		struct tp_slice exec = tp_tfprof_entry(p.bytes, &of_step, &number);

		ran = true;
		if (!tp_tfprof_counts(step, (int64_t)of_step))
			continue;
		steps++;
		add_step(out, exec);
	}
	out->of[TP_TFPROF_US] =
		tp_tfprof_plus(out->of[TP_TFPROF_ACCELERATOR_US], out->of[TP_TFPROF_CPU_US]);
	for (unsigned i = 0; step < 0 && steps > 1 && i < TP_TFPROF_FIGURES; i++)
		out->of[i] /= steps;
	out->of[TP_TFPROF_PARAMETERS] = parameters > 0 ? parameters : 0;
	/* Of a node that never ran: what was worked out from its shapes. */
	if (!ran)
		out->of[TP_TFPROF_FLOAT_OPS] = float_ops;
	else if (__builtin_mul_overflow(
				 float_ops, out->of[TP_TFPROF_RUNS], &out->of[TP_TFPROF_FLOAT_OPS]))
		out->of[TP_TFPROF_FLOAT_OPS] = INT64_MAX;
}

void
tp_tfprof_node_by_step(
	const struct tp_tfprof *t, const struct tp_tfprof_node *node, struct tp_tfprof_figures *sums)
{
	uint64_t of_step, number;

	for (struct tp_pb p = tp_pb_open(node->message); tp_pb_next_bytes(&p, TP_NODE_EXEC);) {
		struct tp_slice exec = tp_tfprof_entry(p.bytes, &of_step, &number);
		size_t at = TP_FIRST_WHERE(k, t->step_count, t->steps[k] >= (int64_t)of_step);

		if (at < t->step_count && t->steps[at] == (int64_t)of_step)
			add_step(&sums[at], exec);
	}
}

void
tp_tfprof_by_step(const struct tp_tfprof *t, struct tp_tfprof_figures *sums)
{
	for (uint32_t i = 0; i < t->node_count; i++)
		tp_tfprof_node_by_step(t, &t->nodes[i], sums);
	for (uint32_t i = 0; i < t->step_count; i++)
		sums[i].of[TP_TFPROF_US] =
			tp_tfprof_plus(sums[i].of[TP_TFPROF_ACCELERATOR_US], sums[i].of[TP_TFPROF_CPU_US]);
}
