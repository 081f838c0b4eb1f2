/* TPU cores: their marks, a step over those of one host or of all, and their input. */
#include "analyze/steps/step_cores.h"

#include "analyze/facts/op_times.h"
#include "analyze/steps/step_hosts.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

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

struct tp_marked_cores
tp_cores_with_ops(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_op_times *times = tp_result(ctx, &tp_pass_op_times);
	const uint32_t *ops = tp_first_lines(p, TP_LINE_OPS, ctx->scratch);
	struct tp_marked_cores all = {
		.cores = tp_new_array(ctx->scratch, struct tp_marked_core, p->device_count)};

	for (uint32_t d = 0; times != NULL && d < p->device_count; d++) {
		if (p->devices[d].kind == TP_DEVICE_TPU && ops[d] != TP_NONE)
			all.cores[all.count++] = (struct tp_marked_core){
				.device = d,
				.host = p->devices[d].host,
				.ops = &p->lines[ops[d]],
				.self_ps = times->self_ps[ops[d]],
			};
	}
	return all;
}

struct tp_marked_cores
tp_marks_of_steps_lines(const struct tp_pass_ctx *ctx)
{
	const struct tp_profile *p = ctx->profile;
	const uint32_t *steps = tp_first_lines(p, TP_LINE_STEPS, ctx->scratch);
	struct tp_marked_cores all = tp_cores_with_ops(ctx), marked = {.cores = all.cores};

	for (uint32_t c = 0; c < all.count; c++) {
		struct tp_marked_core core = all.cores[c];

		if (steps[core.device] == TP_NONE)
			continue;
		const struct tp_line *line = &p->lines[steps[core.device]];

		core.mark_count = line->count;
		core.marks = tp_new_array(ctx->scratch, struct tp_step_mark, line->count);
		for (uint32_t i = 0; i < line->count; i++)
			core.marks[i] = (struct tp_step_mark){
				.name = p->ops[line->op[i]].name,
				.start_ps = line->chip_start_ps[i],
				.duration_ps = line->chip_duration_ps[i],
				.host_start_ps = line->start_ps[i],
				.host_duration_ps = line->duration_ps[i],
			};
		marked.cores[marked.count++] = core;
	}
	return marked;
}

bool
tp_step_number(struct tp_slice name, int64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < name.len && i < 18; i++) {
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return false;
		*number = *number * 10 + (name.ptr[i] - '0');
	}
	return name.len != 0 && name.len < 18;
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

double
tp_steps_core_mean_ps(const struct tp_steps *s, size_t core, enum tp_class c)
{
	double sum = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step_cell *cell = &s->cells[i * s->timelines + core];

		sum += c == TP_CLASS_IDLE ? tp_larger(0, (double)cell->duration_ps - cell->busy_ps)
								  : cell->class_ps[c];
	}
	return sum / (double)s->count;
}

/* The steps over cores first … end of one host. */
static struct tp_steps
one_host(const struct tp_steps *s, size_t first, size_t end, struct tp_arena *keep)
{
	struct tp_steps host = *s;

	host.host = s->cores[first].host;
	host.timelines = end - first;
	host.steps = tp_new_array(keep, struct tp_step, s->count);
	host.cores = s->cores + first;
	host.cells = NULL;
	for (size_t i = 0; i < s->count; i++) {
		host.steps[i] =
			tp_step_over_cores(&s->cells[i * s->timelines + first], end - first, s->steps[i].name);
		host.steps[i].open_start = s->steps[i].open_start;
		host.steps[i].open_end = s->steps[i].open_end;
	}
	return host;
}

void
tp_steps_split_hosts(struct tp_steps *s, struct tp_arena *keep)
{
	size_t most = 1;

	for (size_t c = 1; s->cores != NULL && c < s->timelines; c++)
		most += s->cores[c].host != s->cores[c - 1].host;
	if (s->host_count != 0)
		return;
	struct tp_steps *hosts = tp_new_array(keep, struct tp_steps, most);

	if (most == 1) {
		hosts[0] = *s;
		hosts[0].host = s->cores != NULL ? s->cores[0].host : s->host;
		s->host_count = 1;
	}
	/* Cores of a host are neighbours. */
	for (size_t first = 0, end; most > 1 && first < s->timelines; first = end) {
		for (end = first + 1; end < s->timelines && s->cores[end].host == s->cores[first].host;)
			end++;
		hosts[s->host_count++] = one_host(s, first, end, keep);
	}
	s->hosts = hosts;
}

/* Input of TPU cores that no operation receives: it comes with the program's arguments, and cores are idle while the host
 * prepares it. Source of the rule: MayFixTpuStepAnalysis of xprof, which takes a step's ordinal for its number and adds up what
 * overlaps on the host; we go by the number that both mark and count each instant once. */

/* Of the time that cores of a host are idle in a step the share that is input, for each core alike. */
static bool
move_idle(struct tp_step_cell *cells, size_t count, double input_ps)
{
	double parts[TP_TPU_PART_COUNT] = {0};

	tp_step_tpu_parts(cells, count, parts);
	if (!(input_ps > 0) || !(parts[TP_TPU_IDLE] > 0))
		return false;
	double share = input_ps < parts[TP_TPU_IDLE] ? input_ps / parts[TP_TPU_IDLE] : 1;

	for (size_t c = 0; c < count; c++) {
		double idle = cells[c].host_ps - cells[c].busy_ps;

		if (!(idle > 0))
			continue;
		cells[c].class_ps[TP_CLASS_INPUT_WAIT] += idle * share;
		cells[c].busy_ps += idle * share;
	}
	return true;
}

void
tp_steps_take_host_input(const struct tp_pass_ctx *ctx, struct tp_steps *out,
	const struct tp_slice *names, size_t step_count, struct tp_step_cell *cells)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_host_op *ops = tp_read_host_names(p, false, ctx->scratch);
	struct tp_buf steps = {0};

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_marking_host host = {
			.p = p, .host = h, .ops = ops, .scratch = ctx->scratch, .without_work = true};

		tp_marked_steps_of_host(&host, NULL, &steps);
	}
	const struct tp_host_step *all = steps.data;
	struct tp_map index = tp_host_steps_by_number(all, steps.count, ctx->scratch);

	for (size_t s = 0; steps.count != 0 && s < step_count; s++) {
		int64_t number;

		if (!tp_step_number(names[s], &number))
			continue;
		/* Cores of a host are neighbours. */
		for (size_t first = 0, end; first < out->timelines; first = end) {
			uint32_t host = out->cores[first].host;
			uint32_t at = tp_map_get(&index, tp_hash_pair((uint64_t)number, host));

			for (end = first; end < out->timelines && out->cores[end].host == host;)
				end++;
			if (at == TP_MAP_NONE)
				continue;
			out->shows_input |= all[at].has_input;
			out->input_of_host |= move_idle(&cells[s * out->timelines + first], end - first,
				all[at].class_ps[TP_CLASS_INPUT_WAIT]);
		}
	}
	tp_buf_free(&steps);
}
