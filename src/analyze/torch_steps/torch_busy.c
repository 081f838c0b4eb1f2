/* Intervals of the roles that are not the host's, united; what is added is measured by what the union grows. */
#include "analyze/torch_steps/torch_busy.h"

#include "analyze/torch_steps/torch_steps.h"
#include "base/arena.h"

static int64_t
of_steps(const struct tp_torch_trace_steps *steps, const struct tp_torch_busy *b)
{
	const struct tp_cover cover = tp_cover_of(b->s, b->count, b->before_ps);
	int64_t sum = 0;

	for (uint32_t i = 0; i < steps->count; i++)
		sum += tp_cover_within(&cover, steps->steps[i].start_ps, steps->steps[i].end_ps);
	return sum;
}

/* In these roles the step's time is put down to the host. */
static bool
of_host(int role)
{
	return role == TP_TORCH_ROLE_RUNTIME || role == TP_TORCH_ROLE_CPU;
}

static void
add(struct tp_torch_busy *b, const struct tp_torch_roles *r, int role)
{
	if (r->count[role] != 0)
		memcpy(b->s + b->count, r->intervals[role], r->count[role] * sizeof *b->s);
	b->count += r->count[role];
}

struct tp_torch_busy
tp_torch_busy(const struct tp_torch_trace_steps *steps, size_t room, struct tp_arena *scratch)
{
	const struct tp_torch_roles *r = &steps->roles;
	struct tp_torch_busy b = {.count = 0};

	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++)
		room += r->count[k];
	b.s = tp_new_array(scratch, struct tp_interval, room);
	b.before_ps = tp_new_array(scratch, uint64_t, room);
	for (int k = 0; k < TP_TORCH_ROLE_OTHER; k++) {
		if (!of_host(k))
			add(&b, r, k);
	}
	b.count = tp_intervals_unite(b.s, b.count);
	b.taken_ps = of_steps(steps, &b);
	return b;
}

int64_t
tp_torch_busy_more_ps(struct tp_torch_busy *b, const struct tp_torch_trace_steps *steps)
{
	b->count = tp_intervals_unite(b->s, b->count);
	int64_t before_ps = b->taken_ps;

	b->taken_ps = of_steps(steps, b);
	return b->taken_ps - before_ps;
}

int64_t
tp_torch_busy_role_ps(
	struct tp_torch_busy *b, const struct tp_torch_trace_steps *steps, enum tp_torch_role role)
{
	add(b, &steps->roles, role);
	return tp_torch_busy_more_ps(b, steps);
}
