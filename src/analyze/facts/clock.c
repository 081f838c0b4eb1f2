/* The first event of all lines, by the clock of the earliest host. */
#include "analyze/facts/clock.h"

#include "model/allocator.h"
#include "model/profile.h"
#include "model/torch.h"

/* A clock that began longer ago than 2^61 ps, 26 days, is none of a capture. */
#define EARLIEST_PS (-((int64_t)1 << 61))
#define FURTHEST_APART_PS ((__int128)1 << 61)

int64_t
tp_clock_offset_ps(const struct tp_profile *p, uint32_t host, int64_t base_ns)
{
	__int128 offset = ((__int128)p->hosts[host].base_ns - base_ns) * 1000;

	return offset > FURTHEST_APART_PS ? 0 : (int64_t)offset;
}

static void
take(struct tp_clock *c, const struct tp_profile *p, uint32_t host, int64_t time_ps)
{
	int64_t time;

	if (!__builtin_add_overflow(time_ps, tp_clock_offset_ps(p, host, c->base_ns), &time) &&
		time < c->zero_ps)
		c->zero_ps = time;
}

/* Records of memory are drawn, too: none may lie before the zero. */
static void
take_memory(struct tp_clock *c, const struct tp_profile *p)
{
	for (uint32_t i = 0; i < p->allocator_event_count; i++)
		take(c, p, p->allocator_events[i].host, p->allocator_events[i].time_ps);
	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		if (t->memory_count != 0)
			take(c, p, t->host, t->memory[0].time_ps);
	}
}

struct tp_clock
tp_clock_of(const struct tp_profile *p)
{
	struct tp_clock c = {
		.base_ns = p->host_count != 0 ? p->hosts[0].base_ns : 0, .zero_ps = INT64_MAX};

	for (uint32_t i = 1; i < p->host_count; i++)
		c.base_ns = p->hosts[i].base_ns < c.base_ns ? p->hosts[i].base_ns : c.base_ns;
	for (uint32_t i = 0; i < p->line_count; i++) {
		if (p->lines[i].count != 0)
			take(&c, p, p->lines[i].host, tp_line_start_ps(&p->lines[i], 0));
	}
	take_memory(&c, p);
	/* What is further in the past than any capture lasts begins with it. */
	c.zero_ps = c.zero_ps < EARLIEST_PS ? EARLIEST_PS : c.zero_ps;
	return c;
}

int64_t
tp_clock_zero_ps(const struct tp_clock *c, const struct tp_profile *p, uint32_t host)
{
	return c->zero_ps != INT64_MAX ? c->zero_ps - tp_clock_offset_ps(p, host, c->base_ns) : 0;
}
