/* The steps of a rank as columns; analyze/torch_steps/torch_steps_given.c reads them. */
#include "analyze/ranks/rank_parts.h"

#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"
#include "model/rank.h"

_Static_assert((int)TP_RANK_ROLES == (int)TP_TORCH_ROLE_COUNT, "a number for each role");
_Static_assert((int)TP_RANK_HOST_PARTS == (int)TP_TORCH_HOST_NEITHER, "the last is the rest");

static void
put_about(Tp__Rank *r, const struct tp_torch_trace_steps *s, struct tp_arena *arena)
{
	r->steps_from = s->from;
	r->steps_marked = s->marked;
	r->steps_seen = s->seen;
	r->steps_trimmed = s->trimmed;
	r->on_device = s->on_device;
	for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
		r->roles_known |= s->role_known[k] ? 1u << k : 0;
	r->loads_data = s->roles.count[TP_TORCH_ROLE_DATALOADER] != 0;
	r->collective_kernels = s->roles.collective_kernels;
	if (s->from < TP_TORCH_FROM_ANNOTATIONS)
		return;
	r->families = s->iterations.family_count;
	r->family = (char *)tp_arena_copy(arena, s->iterations.families[0].name).ptr;
	r->covered = s->covered;
	r->regular = s->regular;
	r->separated = s->iterations.separated;
	r->enough = s->iterations.enough;
	r->confidence = s->confidence;
}

void
tp_rank_put_steps(
	Tp__Rank *r, const struct tp_torch_trace_steps *s, int64_t zero_ps, struct tp_arena *arena)
{
	int64_t before_ps = zero_ps;

	put_about(r, s, arena);
	r->n_step_names = r->n_step_starts = r->n_step_lengths = s->count;
	r->n_step_roles = (size_t)s->count * TP_RANK_ROLES;
	r->n_step_covered = (size_t)s->count * TP_RANK_COVERED;
	r->n_step_host = s->host_divided ? (size_t)s->count * TP_RANK_HOST_PARTS : 0;
	r->step_names = tp_new_array(arena, char *, s->count);
	r->step_starts = tp_new_array(arena, int64_t, s->count);
	r->step_lengths = tp_new_array(arena, int64_t, s->count);
	r->step_roles = tp_new_array(arena, int64_t, r->n_step_roles);
	r->step_covered = tp_new_array(arena, int64_t, r->n_step_covered);
	r->step_host = tp_new_array(arena, int64_t, r->n_step_host);
	for (uint32_t i = 0; i < s->count; i++) {
		const struct tp_torch_step *step = &s->steps[i];

		r->step_names[i] = (char *)tp_arena_copy(arena, step->name).ptr;
		r->step_starts[i] = step->start_ps - before_ps;
		r->step_lengths[i] = step->end_ps - step->start_ps;
		before_ps = step->start_ps;
		for (int k = 0; k < TP_TORCH_ROLE_COUNT; k++)
			r->step_roles[i * TP_RANK_ROLES + (size_t)k] = step->role_ps[k];
		for (int k = 0; k < TP_RANK_HOST_PARTS && s->host_divided; k++)
			r->step_host[i * TP_RANK_HOST_PARTS + (size_t)k] = step->host_ps[k];
	}
	tp_torch_comm_cover(s, r->step_covered);
}
