/* Columns by one clock or two: the times by the host's clock follow from those by the chip's where that takes less room. */
#include "model/line_draft.h"

#include "model/build.h"

/* Whether starts by the host's clock are in the order of the chip's. */
static bool
host_in_order(const struct tp_line_draft *d, const struct tp_line_columns *c)
{
	bool early = c->first != 0 && c->start_ps[0] < d->last_host_ps;

	for (uint32_t i = 1; i < c->count; i++)
		early |= c->start_ps[i] < c->start_ps[i - 1];
	return !early;
}

static void
add_both_clocks(struct tp_line_draft *d, const struct tp_line_columns *c)
{
	const struct tp_both_clocks both = {
		c->chip_start_ps, c->chip_duration_ps, c->start_ps, c->duration_ps};

	tp_ticks_add(&d->chip, c->chip_start_ps, c->chip_duration_ps, c->count);
	if (c->first == 0)
		d->follows = tp_clock_begin(&d->second, &both, c->count);
	if (d->follows)
		tp_clock_add(&d->second, &both, c->count);
	else
		tp_times_add(&d->host, c->start_ps, c->duration_ps, c->count);
	d->host_unsorted = d->host_unsorted || !host_in_order(d, c);
	d->last_host_ps = c->start_ps[c->count - 1];
}

_Static_assert(
	(int)TP_MET_EVENTS == (int)TP_BLOCK_EVENTS, "times and operations are in the same blocks");

void
tp_line_draft_add(struct tp_line_draft *d, const struct tp_line_columns *c)
{
	if (c->chip)
		add_both_clocks(d, c);
	else
		tp_times_add(&d->host, c->start_ps, c->duration_ps, c->count);
	tp_ops_add(&d->ops, c->op, c->count);
	tp_ops_meet(&d->ops, c->op, c->count);
}

void
tp_line_draft_reserve(struct tp_line_draft *d, bool chip, size_t events)
{
	if (chip)
		tp_times_reserve(&d->chip, events);
	if (d->follows)
		tp_clock_reserve(&d->second, events);
	else
		tp_times_reserve(&d->host, events);
	tp_ops_reserve(&d->ops, events);
}

bool
tp_line_draft_may_grow(const struct tp_line_draft *d, uint32_t events)
{
	return tp_times_may_grow(&d->host, events) && tp_times_may_grow(&d->chip, events);
}

struct tp_line
tp_line_draft_so_far(struct tp_line_draft *d, bool chip)
{
	struct tp_line line = {.ops = tp_ops_so_far(&d->ops)};

	line.chip_times = tp_times_so_far(chip ? &d->chip : &d->host);
	line.host_times =
		d->follows ? tp_clock_so_far(&d->second, &line.chip_times) : tp_times_so_far(&d->host);
	return line;
}

struct tp_line
tp_line_draft_give(struct tp_line_draft *d, bool chip, struct tp_arena *arena)
{
	struct tp_line line = {
		.host_unsorted = d->host_unsorted,
		.ops = tp_ops_give(&d->ops, arena),
	};

	line.chip_times = tp_times_give(chip ? &d->chip : &d->host, arena);
	if (d->follows)
		line.host_times = tp_clock_give(&d->second, &line.chip_times, arena);
	else
		line.host_times = chip ? tp_times_give(&d->host, arena) : line.chip_times;
	d->follows = d->host_unsorted = false;
	return line;
}

void
tp_line_draft_free(struct tp_line_draft *d)
{
	tp_times_free(&d->host);
	tp_times_free(&d->chip);
	tp_clock_free(&d->second);
	tp_ops_free(&d->ops);
}
