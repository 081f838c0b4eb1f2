/* TPU cores: their marks, a step over those of one host or of all, and their operations charged to steps: each to that in which
 * it starts, by the chip's clock, with its self time, to the class of its HLO category. */
#include "analyze/steps/step_cores.h"

#include "analyze/facts/op_times.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/pool.h"
#include "model/profile.h"
#include "rank.pb-c.h"

#include <math.h>

const uint32_t *
tp_first_lines(const struct tp_profile *p, enum tp_line_kind kind, struct tp_arena *scratch)
{
	uint32_t *first = tp_new_array(scratch, uint32_t, p->device_count);

	memset(first, 0xff, p->device_count * sizeof *first);
	for (uint32_t i = p->line_count; i-- > 0;) {
		if (p->lines[i].device != TP_NONE && p->lines[i].kind == kind && p->lines[i].count != 0)
			first[p->lines[i].device] = i;
	}
	return first;
}

/* The operations of a core that is given: those of them that meet other cores', perhaps none. */
static const struct tp_line *
given_ops(const struct tp_profile *p, uint32_t line)
{
	static const struct tp_line none = {.kind = TP_LINE_OPS};

	return line != TP_NONE ? &p->lines[line] : &none;
}

struct tp_marked_cores
tp_cores_with_ops(const struct tp_pass_ctx *ctx, uint32_t host)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	const uint32_t *ops = tp_first_lines(p, TP_LINE_OPS, ctx->scratch);
	struct tp_marked_cores all = {
		.cores = tp_new_array(ctx->scratch, struct tp_marked_core, p->device_count)};

	for (uint32_t d = 0; d < p->device_count; d++) {
		const struct tp_device *device = &p->devices[d];

		if (device->kind != TP_DEVICE_TPU || (host != TP_NONE && device->host != host))
			continue;
		if (device->given != NULL && device->given->core)
			all.cores[all.count++] = (struct tp_marked_core){
				.device = d, .host = device->host, .ops = given_ops(p, ops[d])};
		else if (times != NULL && ops[d] != TP_NONE)
			all.cores[all.count++] = (struct tp_marked_core){
				.device = d,
				.host = device->host,
				.ops = &p->lines[ops[d]],
				.self = times->self[ops[d]],
			};
	}
	return all;
}

struct tp_marked_cores
tp_marks_of_steps_lines(const struct tp_pass_ctx *ctx, uint32_t host)
{
	const struct tp_profile *p = ctx->profile;
	const uint32_t *steps = tp_first_lines(p, TP_LINE_STEPS, ctx->scratch);
	struct tp_marked_cores all = tp_cores_with_ops(ctx, host), marked = {.cores = all.cores};

	for (uint32_t c = 0; c < all.count; c++) {
		struct tp_marked_core core = all.cores[c];
		const struct Tp__RankDevice *given = p->devices[core.device].given;

		if (given != NULL && given->marked && given->n_mark_steps != 0) {
			tp_given_marks(ctx, &core, ctx->scratch);
			marked.cores[marked.count++] = core;
		}
		if (steps[core.device] == TP_NONE)
			continue;
		const struct tp_line *line = &p->lines[steps[core.device]];

		core.mark_count = line->count;
		core.marks = tp_new_array(ctx->scratch, struct tp_step_mark, line->count);
		for (uint32_t i = 0; i < line->count; i++)
			core.marks[i] = (struct tp_step_mark){
				.name = p->ops[tp_line_op(line, i)].name,
				.start_ps = tp_line_chip_start_ps(line, i),
				.duration_ps = tp_line_chip_duration_ps(line, i),
				.host_start_ps = tp_line_start_ps(line, i),
				.host_duration_ps = tp_line_duration_ps(line, i),
			};
		marked.cores[marked.count++] = core;
	}
	return marked;
}

/* The share of the step that cores wait for input: of the core that waits least and of the one that waits most. */
static void
add_input(const struct tp_step_cell *cells, size_t count, struct tp_step *step)
{
	double longest = 0;

	for (size_t c = 0; c < count; c++) {
		double waits = cells[c].class_ps[TP_CLASS_INPUT_WAIT];
		double share = cells[c].host_ps > 0 ? tp_smaller(1, waits / cells[c].host_ps) : 0;

		step->input_share_min = c == 0 ? share : tp_smaller(step->input_share_min, share);
		step->input_share_mean += share / (double)count;
		step->input_share_max = tp_larger(step->input_share_max, share);
		if (waits >
			longest) { /* by time, as input_ps is: hosts may differ in how long they take for the step */
			longest = waits;
			step->waits_most = (uint32_t)c;
		}
	}
	step->input_ps = tp_smaller(longest, step->time_ps);
}

struct tp_step
tp_step_over_cores(const struct tp_step_cell *cells, size_t count, struct tp_slice name)
{
	struct tp_step step = {.name = name.len != 0 ? name : TP_S("unnamed"), .to_device_ps = NAN};
	double covered = 0, output = 0, all = (double)count;

	for (uint32_t c = 0; c < count; c++) {
		if (cells[c].duration_ps > cells[step.slowest].duration_ps)
			step.slowest = c;
		step.unended |= cells[c].unended;
	}
	step.time_ps = (double)cells[step.slowest].duration_ps;
	step.start_ps = cells[step.slowest].host_start_ps;
	step.end_ps = step.start_ps + cells[step.slowest].host_duration_ps;
	for (size_t c = 0; c < count; c++) {
		step.idle_ps = tp_larger(step.idle_ps, step.time_ps - cells[c].busy_ps);
		step.copy_ps += cells[c].copy_ps / all;
		output += cells[c].class_ps[TP_CLASS_OUTPUT] / all;
		for (int k = 0; k < TP_CLASS_COUNT; k++)
			step.class_ps[k] += cells[c].class_ps[k] / all;
	}
	/* Gaps on a core, and its wait for the slowest, are what is left of the step. */
	for (int k = 0; k < TP_CLASS_COUNT; k++)
		covered += step.class_ps[k];
	step.class_ps[TP_CLASS_IDLE] = tp_larger(0, step.time_ps - covered);
	/* Operations that overlap or outlast the step, as in damaged data, share what there is: parts sum to the step. */
	for (int k = 0; covered > step.time_ps && k < TP_CLASS_COUNT; k++)
		step.class_ps[k] *= step.time_ps / covered;
	step.copy_ps *= covered > step.time_ps ? step.time_ps / covered : 1;
	add_input(cells, count, &step);
	step.output_ps = tp_smaller(output, step.time_ps);
	return step;
}

/* ComputeTpuPerStepDataAcrossCores of xprof. */
void
tp_step_tpu_parts(
	const struct tp_step_cell *cells, size_t count, double parts[static TP_TPU_PART_COUNT])
{
	double compute = 0, shortest = 0;
	const struct tp_step_cell *longest_collective = &cells[0];

	for (size_t c = 0; c < count; c++) {
		const double *k = cells[c].class_ps;
		double host_ps = cells[c].host_ps;
		double own = tp_smaller(cells[c].busy_ps, host_ps);

		own -= k[TP_CLASS_INPUT_WAIT] + k[TP_CLASS_OUTPUT] + k[TP_CLASS_HOST_TRANSFER] +
			k[TP_CLASS_SPARSE_CORE];
		compute = c == 0 || own < compute ? own : compute;
		shortest = c == 0 || host_ps < shortest ? host_ps : shortest;
		parts[TP_TPU_INFEED] = tp_larger(parts[TP_TPU_INFEED], k[TP_CLASS_INPUT_WAIT]);
		parts[TP_TPU_OUTFEED] += k[TP_CLASS_OUTPUT] / count;
		parts[TP_TPU_SPARSE_CORE] = tp_larger(parts[TP_TPU_SPARSE_CORE], k[TP_CLASS_SPARSE_CORE]);
		parts[TP_TPU_HOST_TRANSFER] =
			tp_larger(parts[TP_TPU_HOST_TRANSFER], k[TP_CLASS_HOST_TRANSFER]);
		if (cells[c].collective_total_ps > longest_collective->collective_total_ps)
			longest_collective = &cells[c];
	}
	parts[TP_TPU_COMPUTE] = compute;
	parts[TP_TPU_ALL_REDUCE_COMPUTE] = longest_collective->collective_compute_ps;
	parts[TP_TPU_ALL_REDUCE_SYNC] =
		longest_collective->collective_total_ps - longest_collective->collective_compute_ps;
	parts[TP_TPU_IDLE] = tp_larger(0,
		shortest -
			(compute + parts[TP_TPU_INFEED] + parts[TP_TPU_OUTFEED] + parts[TP_TPU_SPARSE_CORE]));
}

/* Operations that take what a SparseCore sends, in part waiting for it and in part transforming it, and those that send what
 * it is to transform. */
enum sparse { NOT_SPARSE, SPARSE_INFEED, SPARSE_OUTFEED };

/* What an operation's category says. */
struct op_kind {
	uint8_t class, sparse; /* enum tp_class, enum sparse */
	bool copies;           /* it moves or formats data */
	bool matrix;           /* the matrix unit does it */
	bool receives;         /* from another core */
};

struct charging {
	const struct tp_marked_cores *on;
	const uint32_t *const *step_of_mark;
	struct tp_step_cell *cells; /* [step × core count + core] */
	struct op_kind *kinds;      /* by operation of the profile */
	struct tp_map fastest;      /* collective id → index into fastest_ps */
	double *fastest_ps;
};

static void
find_fastest(const struct tp_pass_ctx *ctx, struct charging *w)
{
	size_t most = 0;

	tp_map_init(&w->fastest, ctx->scratch);
	for (uint32_t c = 0; c < w->on->count; c++)
		most += w->on->cores[c].ops->tag_count;
	w->fastest_ps = tp_new_array(ctx->scratch, double, most);
	for (uint32_t c = 0; c < w->on->count; c++) {
		const struct tp_line *line = w->on->cores[c].ops;

		for (size_t k = 0; k < line->tag_count; k++) {
			if (line->tags[k].key != TP_TAG_ALL_REDUCE)
				continue;
			double ps = (double)tp_line_chip_duration_ps(line, line->tags[k].event);
			uint32_t at;

			if (tp_map_number(&w->fastest, (uint64_t)line->tags[k].value, &at) ||
				ps < w->fastest_ps[at])
				w->fastest_ps[at] = ps;
		}
	}
}

static void
charge_op(const struct op_kind *kind, double self, struct tp_step_cell *cell)
{
	cell->op_count++;
	cell->class_ps[kind->class] += self;
	cell->busy_ps += self;
	cell->copy_ps += kind->copies ? self : 0;
	cell->matrix_ps += kind->matrix ? self : 0;
	cell->recv_ps += kind->receives ? self : 0;
	cell->sparse_infeed_ps += kind->sparse == SPARSE_INFEED ? self : 0;
	cell->sparse_outfeed_ps += kind->sparse == SPARSE_OUTFEED ? self : 0;
}

/* Cells of one step lie side by side for all cores, so what one core adds up stays here until its step ends: threads that each
 * take a core do not write to the same line of the cache. */
struct open_cell {
	struct tp_step_cell sum, *of; /* of: NULL before the first */
};

static void
move_to(struct open_cell *open, struct tp_step_cell *cell)
{
	if (open->of == cell)
		return;
	if (open->of != NULL)
		*open->of = open->sum;
	open->of = cell;
	if (cell != NULL)
		open->sum = *cell;
}

static void
charge_core(void *with, size_t c)
{
	const struct charging *w = with;
	struct tp_marked_core *core = &w->on->cores[c];
	const struct tp_line *ops = core->ops;
	const struct tp_step_mark *marks = core->marks;
	const uint32_t *step_of_mark = w->step_of_mark[c];
	struct open_cell open = {0};
	uint32_t m = 0;
	size_t tag = 0;

	for (uint32_t i = 0; i < core->mark_count && core->self == NULL; i++) {
		if (step_of_mark[i] != TP_NONE && marks[i].sums != NULL)
			tp_given_charge(marks[i].sums, &w->cells[(size_t)step_of_mark[i] * w->on->count + c]);
	}
	for (uint32_t i = 0; i < ops->count && core->mark_count != 0; i++) {
		int64_t start = tp_line_chip_start_ps(ops, i), id;
		const struct op_kind *kind = &w->kinds[tp_line_op(ops, i)];

		core->receives_input |= kind->class == TP_CLASS_INPUT_WAIT || kind->sparse == SPARSE_INFEED;
		/* The step that began last: marks may overlap by some nanoseconds. xprof charges the
		 * first operations of the later step to the earlier one then, finds it longer than itself
		 * and shows its compute as 0. */
		while (m + 1 < core->mark_count && marks[m + 1].start_ps <= start)
			m++;
		if (start < marks[m].start_ps || step_of_mark[m] == TP_NONE ||
			start - marks[m].start_ps >= marks[m].duration_ps)
			continue;
		move_to(&open, &w->cells[(size_t)step_of_mark[m] * w->on->count + c]);
		if (core->self != NULL)
			charge_op(kind, (double)tp_self_ps(core->self, i), &open.sum);
		if (tp_tag_find(ops, &tag, i, TP_TAG_ALL_REDUCE, &id)) {
			open.sum.collective_compute_ps += w->fastest_ps[tp_map_get(&w->fastest, (uint64_t)id)];
			open.sum.collective_total_ps += (double)tp_line_chip_duration_ps(ops, i);
		}
	}
	move_to(&open, NULL);
}

static void
read_categories(const struct tp_pass_ctx *ctx, struct charging *w)
{
	const struct tp_profile *p = ctx->profile;

	w->kinds = tp_new_array(ctx->scratch, struct op_kind, p->op_count);
	for (uint32_t i = 0; i < p->op_count; i++) {
		struct tp_slice category = p->ops[i].category;
		enum tp_class class = tp_class_of_category(category);

		w->kinds[i] = (struct op_kind){
			.class = (uint8_t) class,
			.sparse = tp_slice_eq(category, TP_S("sparsecorev0 infeed")) ? SPARSE_INFEED
				: tp_slice_eq(category, TP_S("sparsecorev0 outfeed"))    ? SPARSE_OUTFEED
																		 : NOT_SPARSE,
			.copies = class == TP_CLASS_COMPUTE && tp_hue_of_category(category) == TP_HUE_MEMORY,
			.matrix = tp_class_is_matrix(category),
			.receives = class == TP_CLASS_SEND_RECV && tp_slice_starts(category, TP_S("recv")),
		};
	}
}

bool
tp_charge_ops(const struct tp_pass_ctx *ctx, const struct tp_marked_cores *on,
	const uint32_t *const *step_of_mark, struct tp_step_cell *cells)
{
	struct charging w = {.on = on, .step_of_mark = step_of_mark, .cells = cells};
	bool receives = false;

	find_fastest(ctx, &w);
	read_categories(ctx, &w);
	tp_pool_each(ctx->options->pool, on->count, charge_core, &w);
	for (uint32_t c = 0; c < on->count; c++) {
		const struct tp_host *host = &ctx->profile->hosts[on->cores[c].host];

		on->cores[c].receives_input |= host->given != NULL && host->given->xla->receives_input;
		receives |= on->cores[c].receives_input;
	}
	return receives;
}
