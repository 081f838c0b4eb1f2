/* Tool files of several hosts taken together. */
#include "model/precomputed.h"

#include "base/arena.h"
#include "model/profile.h"

#include <math.h>

struct tp_precomputed *
tp_precomputed_new(struct tp_arena *arena)
{
	struct tp_precomputed *g = tp_new(arena, struct tp_precomputed);

	g->host = TP_NONE;
	g->idle_us = NAN;
	for (int f = 0; f < TP_PRECOMPUTED_FIGURE_COUNT; f++)
		g->figures[f] = NAN;
	for (int i = 0; i < TP_PRECOMPUTED_INPUT_TIME_COUNT; i++)
		g->input_us[i] = NAN;
	return g;
}

const struct tp_precomputed_op *
tp_precomputed_top_op(const struct tp_precomputed *g, struct tp_slice *from)
{
	const struct tp_precomputed_ops *lists[] = {&g->program_ops, &g->framework_ops};

	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
		for (size_t i = 0; i < lists[l]->count; i++) {
			const struct tp_precomputed_op *op = &lists[l]->list[i];

			/* Where the first has the word "IDLE" it is no operation. */
			if (op->on_host || op->left_out || tp_slice_eq(op->name, TP_S("IDLE")))
				continue;
			if (from != NULL)
				*from = lists[l]->from;
			return op;
		}
	}
	return NULL;
}

static void
take_missing(struct tp_precomputed *all, const struct tp_precomputed *g)
{
	if (all->step_count == 0) {
		all->steps = g->steps;
		all->step_count = g->step_count;
		all->parts = g->parts;
		all->steps_from = g->steps_from;
	}
	if (all->hardware.len == 0)
		all->hardware = g->hardware;
	if (all->device_type.len == 0) {
		all->device_type = g->device_type;
		all->environment_from = g->environment_from;
	}
	if (all->core_count == 0)
		all->core_count = g->core_count;
	if (all->batch == 0) {
		all->batch = g->batch;
		all->batch_of_core = g->batch_of_core;
	}
	if (all->captured.len == 0)
		all->captured = g->captured;
	if (all->capture_ms == 0)
		all->capture_ms = g->capture_ms;
	if (all->statement.len == 0) {
		all->statement = g->statement;
		all->statement_from = g->statement_from;
	}
	if (all->figures_from.len == 0) {
		memcpy(all->figures, g->figures, sizeof all->figures);
		all->figures_from = g->figures_from;
	}
	if (all->program_ops.count == 0) {
		all->program_ops = g->program_ops;
		all->idle_us = g->idle_us;
	}
	if (all->framework_ops.count == 0)
		all->framework_ops = g->framework_ops;
	if (all->input_from.len == 0) {
		all->input_ops = g->input_ops;
		all->input_op_count = g->input_op_count;
		memcpy(all->input_us, g->input_us, sizeof all->input_us);
		all->input_from = g->input_from;
	}
	if (all->kernel_count == 0) {
		all->kernels = g->kernels;
		all->kernel_count = g->kernel_count;
		all->kernels_from = g->kernels_from;
	}
	if (all->pod == NULL)
		all->pod = g->pod;
}

struct tp_precomputed *
tp_precomputed_together(
	const struct tp_precomputed *const *hosts, size_t count, struct tp_arena *arena)
{
	struct tp_precomputed *all = tp_precomputed_new(arena);
	size_t plans = 0;

	all->host_name = hosts[0]->host_name;
	all->host = hosts[0]->host;
	for (size_t i = 0; i < count; i++)
		plans += hosts[i]->plan_count;
	all->plans = tp_new_array(arena, const struct tp_precomputed_plan *, plans);
	for (size_t i = 0; i < count; i++) {
		take_missing(all, hosts[i]);
		for (size_t p = 0; p < hosts[i]->plan_count; p++)
			all->plans[all->plan_count++] = hosts[i]->plans[p];
	}
	return all;
}
