/* Input of TPU cores that no operation receives: it comes with the program's arguments, and cores are idle while the host
 * prepares it. Source of the rule: MayFixTpuStepAnalysis of the peer.
 *
 * The peer takes a step's ordinal for its number and adds up what overlaps on the host; we go by the number that both mark
 * and count each instant once. */
#include "analyze/steps/step_cores.h"

#include "analyze/steps/step_hosts.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

/* The number that a step's name is; false when it is none. */
static bool
number_of(struct tp_slice name, int64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < name.len; i++) {
		if (name.ptr[i] < '0' || name.ptr[i] > '9')
			return false;
		*number = *number * 10 + (name.ptr[i] - '0');
	}
	return name.len != 0 && name.len < 18;
}

/* By (number, host) the index of a host's step in steps. */
static struct tp_map
index_steps(const struct tp_buf *steps, struct tp_arena *scratch)
{
	const struct tp_host_step *all = steps->data;
	struct tp_map index;

	tp_map_init(&index, scratch);
	for (size_t i = steps->count; i-- > 0;) {
		if (all[i].numbered)
			tp_map_put(&index, tp_hash_pair((uint64_t)all[i].number, all[i].host), (uint32_t)i);
	}
	return index;
}

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

	for (uint32_t h = 0; h < p->host_count; h++)
		tp_steps_of_tpu_host(p, h, ops, &steps, ctx->scratch);
	struct tp_map index = index_steps(&steps, ctx->scratch);
	const struct tp_host_step *all = steps.data;

	for (size_t s = 0; steps.count != 0 && s < step_count; s++) {
		int64_t number;

		if (!number_of(names[s], &number))
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
