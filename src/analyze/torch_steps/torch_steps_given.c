/* The steps of a trace whose events are not there, but a summary of them: the reverse of what analyze/page/rank_parts.c writes. Who read
 * the summary has checked that its columns are as long as they must be. */
#include "analyze/torch_steps/torch_steps.h"

#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "model/rank.h"
#include "model/torch.h"
#include "rank.pb-c.h"

static void
take_step(const Tp__Rank *r, size_t i, int64_t start_ps, struct tp_torch_step *out)
{
	*out = (struct tp_torch_step){.name = tp_slice_of(r->step_names[i]),
		.start_ps = start_ps,
		.end_ps = start_ps + r->step_lengths[i]};
	out->host_start_ps = out->start_ps;
	out->host_end_ps = out->end_ps;
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
		out->role_ps[k] = r->step_roles[i * TP_TORCH_ROLE_COUNT + (size_t)k];

	const int64_t *covered_ps = &r->step_covered[i * TP_RANK_COVERED];
	int64_t copies_ps = out->role_ps[TP_TORCH_ROLE_MEMCPY] + out->role_ps[TP_TORCH_ROLE_MEMSET];
	int64_t beside_ps = covered_ps[1] - covered_ps[0] - out->role_ps[TP_TORCH_ROLE_COMMUNICATION];

	/* Without kernels operators compute. */
	if (covered_ps[0] == out->role_ps[TP_TORCH_ROLE_KERNEL] && covered_ps[0] > 0)
		out->copy_beside_collective_ps = beside_ps < 0 ? 0
			: beside_ps < copies_ps                    ? beside_ps
													   : copies_ps;
}

void
tp_torch_steps_given(
	const struct tp_torch_trace *t, struct tp_torch_trace_steps *out, struct tp_arena *keep)
{
	const Tp__Rank *r = t->given;
	int64_t at_ps = t->given_shift_ps;

	*out = (struct tp_torch_trace_steps){
		.steps = tp_new_array(keep, struct tp_torch_step, r->n_step_names),
		.count = (uint32_t)r->n_step_names,
		.seen = r->steps_seen,
		.trimmed = r->steps_trimmed,
		.marked = r->steps_marked,
		.from = (enum tp_torch_from)r->steps_from,
		.iterations.family_count = r->families,
		.iterations.enough = r->enough,
		.iterations.separated = r->separated,
		.confidence = r->confidence,
		.covered = r->covered,
		.regular = r->regular,
		.on_device = r->on_device,
		.roles.collective_kernels = r->collective_kernels,
		.covered_ps = r->step_covered,
	};
	out->iterations.families[0].name = tp_slice_of(r->family);
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
		out->role_known[k] = r->roles_known >> k & 1;
	out->roles.count[TP_TORCH_ROLE_DATALOADER] = r->loads_data;
	for (size_t i = 0; i < r->n_step_names; i++) {
		at_ps += r->step_starts[i];
		take_step(r, i, at_ps, &out->steps[i]);
	}
	tp_torch_host_time_of_roles(out);
	if (r->n_step_host == 0)
		return;
	for (size_t i = 0; i < r->n_step_names; i++) {
		int64_t *ps = out->steps[i].host_ps, left_ps = 0;

		for (int k = 0; k < TP_TORCH_HOST_PARTS; k++)
			left_ps += ps[k];
		for (int k = 0; k < TP_TORCH_HOST_NEITHER; k++) {
			ps[k] = r->step_host[i * TP_RANK_HOST_PARTS + (size_t)k];
			left_ps -= ps[k];
		}
		ps[TP_TORCH_HOST_NEITHER] = left_ps;
	}
	out->host_divided = true;
}
