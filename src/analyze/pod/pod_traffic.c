/* Sends, receives and collectives of the steps that count, as events. The n-th send of a step is received by the n-th receive
 * of that step. Times of two cores are compared by the hosts' clock, to which the profiler has moved those of the chips. */
#include "analyze/pod/pod_traffic.h"

#include "analyze/core/stats.h"
#include "analyze/core/time_class.h"
#include "analyze/pod/pod_channels.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/shape.h"

#include <math.h>
#include <stdlib.h>

/* A send or a receive. */
struct event {
	uint32_t link, step;
	double start_ps, end_ps; /* by the clock of its host */
};

struct mark {
	int64_t start_ps, duration_ps;
	uint32_t step;
};

/* What is gathered of one collective id. */
struct meeting {
	uint32_t collective;
	double fastest_ps;
	bool counts; /* at least once within a step that counts */
};

struct gathering {
	const struct tp_pass_ctx *ctx;
	const struct tp_pod *pod;
	struct tp_pod_channels channels;
	struct tp_buf sends, receives; /* struct event */
	struct tp_buf link_steps;      /* struct tp_pod_link_step, those of a link beside each other */
	size_t *first_of_link;         /* of these */
	uint32_t *collective_of_op;    /* by operation of the profile; TP_NONE: it is none */
	struct tp_buf collectives;     /* struct tp_pod_collective */
	struct tp_map meeting_of_id;
	struct tp_buf meetings;
};

TP_ORDER(by_start, struct mark, TP_UP(start_ps));

static struct mark *
marks_of(const struct gathering *g, size_t unit)
{
	const struct tp_steps *s = g->pod->steps;
	struct mark *marks = tp_new_array(g->ctx->scratch, struct mark, s->count);

	for (size_t i = 0; i < s->count; i++) {
		const struct tp_step_cell *cell = &s->cells[i * s->timelines + unit];

		marks[i] = (struct mark){cell->start_ps, cell->duration_ps, (uint32_t)i};
	}
	qsort(marks, s->count, sizeof *marks, by_start);
	return marks;
}

/* Data of a result: all arrays of a tuple. */
static double
shape_bytes(const struct tp_shape *s)
{
	double sum = s->kind == TP_SHAPE_ARRAY ? (double)tp_shape_bytes(s) : 0;

	for (uint32_t i = 0; i < s->member_count; i++)
		sum += shape_bytes(&s->members[i]);
	return sum;
}

static double
data_of(const struct tp_op *op)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_shape shape;
	struct tp_err err;
	double bytes = NAN;

	if (op->shape.len != 0 && tp_shape_parse(op->shape, arena, &shape, NULL, &err) == TP_OK)
		bytes = shape_bytes(&shape);
	tp_arena_free(arena);
	return bytes;
}

/* The same instruction on several hosts is one. */
static void
find_collectives(struct gathering *g)
{
	const struct tp_profile *p = g->ctx->profile;
	struct tp_map known;

	tp_map_init(&known, g->ctx->scratch);
	g->collective_of_op = tp_new_array(g->ctx->scratch, uint32_t, p->op_count);
	for (uint32_t i = 0; i < p->op_count; i++) {
		const struct tp_op *op = &p->ops[i];
		uint64_t key =
			tp_hash_pair(op->has_program ? op->program_id : UINT64_MAX, tp_hash_bytes(op->label));

		g->collective_of_op[i] = TP_NONE;
		if (tp_class_of_category(op->category) != TP_CLASS_COLLECTIVE)
			continue;
		if (tp_map_number(&known, key, &g->collective_of_op[i]))
			TP_PUSH(&g->collectives, struct tp_pod_collective, .name = op->label,
				.shape = op->shape, .bytes = data_of(op));
	}
}

static void
add_transfer(
	struct gathering *g, const struct tp_line *line, uint32_t i, size_t unit, uint32_t step)
{
	uint32_t op = tp_line_op(line, i);
	bool sends = g->channels.role_of_op[op] == TP_POD_SENDS;
	uint32_t link = tp_map_get(sends ? &g->channels.from : &g->channels.to,
		tp_hash_pair(g->channels.channel_of_op[op], unit));

	if (link == TP_MAP_NONE)
		return;
	struct event *e = tp_buf_add(sends ? &g->sends : &g->receives, sizeof *e);

	e->link = link;
	e->step = step;
	e->start_ps = (double)tp_line_start_ps(line, i);
	e->end_ps = e->start_ps + (double)tp_line_duration_ps(line, i);
}

static void
add_collective(struct gathering *g, const struct tp_line *line, uint32_t i, bool has_id, int64_t id,
	bool counts)
{
	uint32_t at = g->collective_of_op[tp_line_op(line, i)];
	struct tp_pod_collective *c = &((struct tp_pod_collective *)g->collectives.data)[at];
	double ps = (double)tp_line_chip_duration_ps(line, i);

	if (counts) {
		c->occurrences++;
		c->mean_ps += ps;
		c->has_ids |= has_id;
	}
	if (!has_id) {
		c->fastest_ps += counts ? ps : 0;
		return;
	}
	uint32_t number;

	if (tp_map_number(&g->meeting_of_id, (uint64_t)id, &number))
		TP_PUSH(&g->meetings, struct meeting, at, ps, counts);
	struct meeting *m = &((struct meeting *)g->meetings.data)[number];

	m->fastest_ps = fmin(m->fastest_ps, ps);
	m->counts |= counts;
}

static void
gather_line(struct gathering *g, const struct tp_line *line, size_t unit)
{
	const struct tp_steps *s = g->pod->steps;
	const struct mark *marks = marks_of(g, unit);
	const uint8_t *role = g->channels.role_of_op;
	size_t m = 0, tag = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		uint32_t op = tp_line_op(line, i);
		bool transfer = role != NULL && role[op] != TP_POD_NO_ROLE;
		int64_t start = tp_line_chip_start_ps(line, i), id = 0;

		if (!transfer && g->collective_of_op[op] == TP_NONE)
			continue;
		while (m + 1 < s->count && marks[m + 1].start_ps <= start)
			m++;
		bool counts =
			start >= marks[m].start_ps && start - marks[m].start_ps < marks[m].duration_ps;

		if (transfer && counts)
			add_transfer(g, line, i, unit, marks[m].step);
		else if (!transfer) {
			bool has_id = tp_tag_find(line, &tag, i, TP_TAG_ALL_REDUCE, &id);

			add_collective(g, line, i, has_id, id, counts);
		}
	}
}

TP_ORDER(by_link, struct event, TP_UP(link), TP_UP(step), TP_UP(start_ps));

/* How many from `at` on are of the same link and step. */
static size_t
run_of(const struct event *events, size_t count, size_t at)
{
	size_t end = at;

	while (
		end < count && events[end].link == events[at].link && events[end].step == events[at].step)
		end++;
	return end - at;
}

static struct tp_pod_link_step *
link_step(struct gathering *g, const struct event *send)
{
	struct tp_pod_link *link = &g->channels.links[send->link];
	struct tp_pod_link_step *steps = g->link_steps.data;
	size_t count = g->link_steps.count;

	if (link->step_count != 0 && steps[count - 1].step == send->step)
		return &steps[count - 1];
	if (link->step_count++ == 0)
		g->first_of_link[send->link] = count;
	struct tp_pod_link_step *added = tp_buf_add(&g->link_steps, sizeof *added);

	added->step = send->step;
	return added;
}

static void
add_pair(struct gathering *g, const struct event *send, const struct event *receive)
{
	const struct tp_profile *p = g->ctx->profile;
	struct tp_pod_link *link = &g->channels.links[send->link];
	int64_t to = p->hosts[g->pod->units[link->target].host].base_ns;
	int64_t from = p->hosts[g->pod->units[link->source].host].base_ns;
	/* What the clock of the receiver's host has to be moved by. */
	double apart_ps = ((double)to - (double)from) * 1e3;
	double latency = receive->end_ps + apart_ps - send->start_ps;

	if (to == from)
		latency = receive->end_ps - send->start_ps;
	double delay = fmax(0, send->start_ps - (receive->start_ps + apart_ps));
	struct tp_pod_link_step *step = link_step(g, send);

	link->occurrences++;
	link->latency_ps += latency;
	link->delay_ps += delay;
	link->receive_ps += receive->end_ps - receive->start_ps;
	link->clocks_differ |= latency < 0;
	step->occurrences++;
	step->latency_ps += latency;
	step->delay_ps += delay;
	step->receive_ps += receive->end_ps - receive->start_ps;
	step->clocks_differ |= latency < 0;
}

static void
match(struct gathering *g)
{
	struct event *sends = g->sends.data, *receives = g->receives.data;
	size_t s = 0, r = 0;

	if (g->sends.count == 0 || g->receives.count == 0)
		return;
	qsort(sends, g->sends.count, sizeof *sends, by_link);
	qsort(receives, g->receives.count, sizeof *receives, by_link);
	while (s < g->sends.count && r < g->receives.count) {
		size_t n = run_of(sends, g->sends.count, s), k = run_of(receives, g->receives.count, r);
		struct event a = sends[s], b = receives[r];

		if (a.link != b.link || a.step != b.step) {
			if (a.link < b.link || (a.link == b.link && a.step < b.step))
				s += n;
			else
				r += k;
			continue;
		}
		/* Where one is missing nothing tells which. */
		for (size_t i = 0; n == k && i < n; i++)
			add_pair(g, &sends[s + i], &receives[r + i]);
		s += n;
		r += k;
	}
}

TP_ORDER(by_latency, struct tp_pod_link, (a->occurrences == 0) - (b->occurrences == 0),
	TP_UP(clocks_differ), TP_DOWN(latency_ps), TP_UP(channel), TP_UP(source));

static void
finish_links(struct gathering *g, struct tp_pod_traffic *out)
{
	size_t step_count = g->link_steps.count;
	struct tp_pod_link_step *steps = tp_buf_settle(&g->link_steps, sizeof *steps, g->ctx->keep);

	for (size_t i = 0; i < step_count; i++) {
		double n = (double)steps[i].occurrences;

		steps[i].latency_ps /= n;
		steps[i].delay_ps /= n;
		steps[i].receive_ps /= n;
	}
	out->links = g->channels.links;
	for (size_t i = 0; i < g->channels.count; i++) {
		struct tp_pod_link *link = &out->links[i];
		double n = (double)link->occurrences;

		out->silent += link->occurrences == 0;
		if (link->occurrences == 0)
			continue;
		link->latency_ps /= n;
		link->delay_ps /= n;
		link->receive_ps /= n;
		link->steps = &steps[g->first_of_link[i]];
	}
	if (g->channels.count != 0)
		qsort(out->links, g->channels.count, sizeof *out->links, by_latency);
	out->link_count = g->channels.count - out->silent;
	out->damaged = g->channels.damaged;
}

TP_ORDER(by_time, struct tp_pod_collective, TP_DOWN(mean_ps), tp_slice_cmp(a->name, b->name));

static void
finish_collectives(struct gathering *g, struct tp_pod_traffic *out)
{
	struct tp_pod_collective *all = g->collectives.data;
	const struct meeting *meetings = g->meetings.data;
	double steps = (double)g->pod->steps->count, cores = (double)g->pod->count;

	for (size_t i = 0; i < g->meetings.count; i++) {
		if (meetings[i].counts)
			all[meetings[i].collective].fastest_ps += meetings[i].fastest_ps * cores;
	}
	out->collectives = tp_new_array(g->ctx->keep, struct tp_pod_collective, g->collectives.count);
	for (size_t i = 0; i < g->collectives.count; i++) {
		if (all[i].occurrences == 0)
			continue;
		all[i].mean_ps /= steps * cores;
		all[i].fastest_ps /= steps * cores;
		out->collectives[out->collective_count++] = all[i];
	}
	if (out->collective_count != 0)
		qsort(out->collectives, out->collective_count, sizeof *out->collectives, by_time);
}

const struct tp_pod_traffic *
tp_pod_find_traffic(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_pod_traffic *out = tp_new(ctx->keep, struct tp_pod_traffic);
	struct gathering g = {.ctx = ctx, .pod = pod};
	uint32_t *unit_of_device = tp_new_array(ctx->scratch, uint32_t, p->device_count);

	g.channels = tp_pod_find_channels(ctx, pod);
	g.first_of_link = tp_new_array(ctx->scratch, size_t, g.channels.count);
	tp_map_init(&g.meeting_of_id, ctx->scratch);
	find_collectives(&g);
	memset(unit_of_device, 0xff, p->device_count * sizeof *unit_of_device);
	for (size_t u = 0; u < pod->count; u++)
		unit_of_device[pod->units[u].device] = (uint32_t)u;
	for (uint32_t l = 0; l < p->line_count && (g.collectives.count != 0 || g.channels.count != 0);
		 l++) {
		const struct tp_line *line = &p->lines[l];

		if (line->kind == TP_LINE_OPS && line->device != TP_NONE &&
			unit_of_device[line->device] != TP_NONE)
			gather_line(&g, line, unit_of_device[line->device]);
	}
	match(&g);
	finish_links(&g, out);
	finish_collectives(&g, out);
	tp_buf_free(&g.sends);
	tp_buf_free(&g.receives);
	tp_buf_free(&g.collectives);
	tp_buf_free(&g.meetings);
	return out;
}

double
tp_pod_median_latency_ps(const struct tp_pod_traffic *t, struct tp_arena *scratch)
{
	double *values = tp_new_array(scratch, double, t->link_count);
	size_t n = 0;

	for (size_t i = 0; i < t->link_count; i++) {
		if (!t->links[i].clocks_differ)
			values[n++] = t->links[i].latency_ps;
	}
	return tp_stats_of(values, n, scratch).p50;
}
