/* Pending work joined with what else takes the step, less that: what is left is the wait for nothing that was recorded. */
#include "analyze/torch/torch_queue.h"

#include "analyze/torch/torch_links.h"
#include "analyze/torch/torch_steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

#define BEGINS_WITHIN_PS 100000000 /* 0.1 ms */

static int64_t
of_steps(const struct tp_torch_trace_steps *steps, const struct tp_stretch *s, size_t count)
{
	int64_t sum = 0;
	size_t at = 0;

	for (uint32_t i = 0; i < steps->count; i++)
		sum += tp_stretches_within(s, count, &at, steps->steps[i].start_ps, steps->steps[i].end_ps);
	return sum;
}

/* In these roles it is not the host that the step's time is put down to. */
static bool
of_host(int role)
{
	return role == TP_TORCH_ROLE_RUNTIME || role == TP_TORCH_ROLE_CPU;
}

int64_t
tp_torch_queued_ps(const struct tp_torch_trace *t, const struct tp_torch_links *links,
	const struct tp_torch_trace_steps *steps, struct tp_arena *scratch)
{
	const struct tp_torch_roles *r = &steps->roles;
	size_t count = 0, room = 0;

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		room += of_host(k) ? 0 : r->count[k];
	struct tp_stretch *s = tp_new_array(scratch, struct tp_stretch, room + links->work_count);

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++) {
		if (of_host(k) || r->count[k] == 0)
			continue;
		memcpy(s + count, r->stretches[k], r->count[k] * sizeof *s);
		count += r->count[k];
	}
	count = tp_stretches_unite(s, count);
	int64_t taken = of_steps(steps, s, count);

	for (uint32_t e = 0; e < t->count; e++) {
		if (!tp_torch_is_work(t->kind[e]) || links->call[e] == TP_NONE)
			continue;
		int64_t from =
			t->start_ps[links->call[e]] + t->duration_ps[links->call[e]] + BEGINS_WITHIN_PS;

		if (from < t->start_ps[e])
			s[count++] = (struct tp_stretch){from, t->start_ps[e]};
	}
	return of_steps(steps, s, tp_stretches_unite(s, count)) - taken;
}
