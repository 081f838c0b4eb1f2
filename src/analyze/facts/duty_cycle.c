/* The union over the cores of a chip of the time in which an operation ran, by the host's clock, which the cores share. What
 * only waits for the host, or in a megacore for the other core, does not count; of nested operations the innermost says
 * which it is, so that an infeed within a loop of steps is no duty. Source of the rule: xprof's duty_cycle_tracker.cc and
 * IsOffDutyOp. */
#include "analyze/facts/duty_cycle.h"

#include "analyze/core/intervals.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/texts.h"
#include "model/profile.h"

static bool
off_duty(struct tp_slice category)
{
	return tp_texts_any(category, tp_slice_eq,
		TP_TEXTS("infeed", "outfeed", "host send", "host send-done", "host recv", "host recv-done",
			"async-done", "megacore fusion"));
}

struct chip {
	uint32_t first_device, first_line;
};

struct chips {
	const struct tp_profile *p;
	struct chip *chips;
	uint32_t count;
	uint32_t *of_device; /* TP_NONE: no TPU */
	uint32_t *next_line; /* of the same chip; TP_NONE: none */
	bool *off_duty;      /* by operation */
};

static void
find_chips(struct chips *c, struct tp_arena *scratch)
{
	const struct tp_profile *p = c->p;
	struct tp_map known;

	tp_map_init(&known, scratch);
	c->chips = tp_new_array(scratch, struct chip, p->device_count);
	c->of_device = tp_new_array(scratch, uint32_t, p->device_count);
	for (uint32_t d = 0; d < p->device_count; d++) {
		const struct tp_device *device = &p->devices[d];
		uint64_t key = tp_hash_pair(device->host, device->local_chip);
		uint32_t at = device->has_core_details ? tp_map_get(&known, key) : TP_MAP_NONE;

		c->of_device[d] = TP_NONE;
		if (device->kind != TP_DEVICE_TPU)
			continue;
		if (at == TP_MAP_NONE) {
			at = c->count++;
			c->chips[at] = (struct chip){d, TP_NONE};
			if (device->has_core_details)
				tp_map_put(&known, key, at);
		}
		c->of_device[d] = at;
	}
}

/* The chip of a line whose events count for it; NULL: they do not. */
static struct chip *
chip_of(const struct chips *c, const struct tp_line *line)
{
	bool counts = line->kind == TP_LINE_OPS || line->kind == TP_LINE_MODULES;
	uint32_t at = line->device == TP_NONE || !counts ? TP_NONE : c->of_device[line->device];

	return at == TP_NONE ? NULL : &c->chips[at];
}

struct open_op {
	int64_t end_ps;
	bool on_duty;
};

/* The intervals of one line, as the innermost operations come and go. */
struct track {
	struct tp_buf *on; /* struct tp_interval */
	size_t first;      /* its first */
	int64_t at_ps;     /* all before is written */
	struct tp_buf open;
};

/* Until then, the innermost operation runs. */
static void
run_until(struct track *t, int64_t until_ps)
{
	const struct open_op *ops = t->open.data;

	if (until_ps <= t->at_ps)
		return;
	if (t->open.count != 0 && ops[t->open.count - 1].on_duty) {
		struct tp_interval *on = t->on->data;

		if (t->on->count > t->first && on[t->on->count - 1].end_ps == t->at_ps)
			on[t->on->count - 1].end_ps = until_ps;
		else
			TP_PUSH(t->on, struct tp_interval, t->at_ps, until_ps);
	}
	t->at_ps = until_ps;
}

static void
close_ops(struct track *t, int64_t until_ps)
{
	const struct open_op *ops = t->open.data;

	while (t->open.count != 0 && ops[t->open.count - 1].end_ps <= until_ps) {
		run_until(t, ops[t->open.count - 1].end_ps);
		t->open.count--;
	}
}

/* Adds what the line spans, and of operations the time in which they are on duty. */
static void
add_line(
	const struct chips *c, const struct tp_line *line, struct tp_buf *on, struct tp_interval *span)
{
	struct track t = {.on = on, .first = on->count, .at_ps = INT64_MIN};
	struct tp_time_window w;

	tp_line_window(&w, line);
	for (uint32_t i = 0; i < line->count; i++) {
		int64_t start_ps = tp_time_window_start_ps(&w, i);
		int64_t end_ps = start_ps + tp_time_window_duration_ps(&w, i);

		span->start_ps = tp_earlier(span->start_ps, start_ps);
		span->end_ps = tp_later(span->end_ps, end_ps);
		if (line->kind != TP_LINE_OPS)
			continue;
		close_ops(&t, start_ps);
		run_until(&t, start_ps);
		TP_PUSH(&t.open, struct open_op, end_ps, !c->off_duty[tp_line_op(line, i)]);
	}
	close_ops(&t, INT64_MAX);
	tp_buf_free(&t.open);
}

/* Lists the lines of each chip, in their order. */
static void
list_lines(struct chips *c, struct tp_arena *scratch)
{
	c->next_line = tp_new_array(scratch, uint32_t, c->p->line_count);
	for (uint32_t l = c->p->line_count; l-- > 0;) {
		struct chip *chip = chip_of(c, &c->p->lines[l]);

		if (chip == NULL)
			continue;
		c->next_line[l] = chip->first_line;
		chip->first_line = l;
	}
}

static struct tp_duty_cycle
duty_of(const struct chips *c, const struct chip *chip)
{
	struct tp_interval span = {INT64_MAX, INT64_MIN};
	struct tp_buf on = {0}; /* struct tp_interval */

	for (uint32_t l = chip->first_line; l != TP_NONE; l = c->next_line[l])
		add_line(c, &c->p->lines[l], &on, &span);
	struct tp_duty_cycle duty = {0};

	if (span.end_ps > span.start_ps)
		duty = (struct tp_duty_cycle){
			.on_ps = tp_intervals_ps(on.data, tp_intervals_unite(on.data, on.count)),
			.total_ps = span.end_ps - span.start_ps};
	tp_buf_free(&on);
	return duty;
}

const struct tp_duty_cycle *
tp_duty_cycles(const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch)
{
	struct tp_duty_cycle *out = tp_new_array(keep, struct tp_duty_cycle, p->device_count);
	struct chips c = {.p = p, .off_duty = tp_new_array(scratch, bool, p->op_count)};

	find_chips(&c, scratch);
	if (c.count == 0)
		return out;
	list_lines(&c, scratch);
	for (uint32_t i = 0; i < p->op_count; i++)
		c.off_duty[i] = off_duty(p->ops[i].category);
	struct tp_duty_cycle *of_chip = tp_new_array(scratch, struct tp_duty_cycle, c.count);

	for (uint32_t i = 0; i < c.count; i++)
		of_chip[i] = duty_of(&c, &c.chips[i]);
	for (uint32_t d = 0; d < p->device_count; d++) {
		uint32_t at = c.of_device[d];

		if (at == TP_NONE || of_chip[at].total_ps == 0)
			continue;
		out[d] = of_chip[at];
		out[d].first = c.chips[at].first_device == d;
	}
	return out;
}
