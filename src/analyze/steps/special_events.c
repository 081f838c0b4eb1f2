/* Looks at lines only where the name of an operation of the profile asks for it. Sources of the rules: xprof's
 * xspace_to_event_time_fraction_analyzer.cc (names, and that a barrier of 1.25 ns is none) and its constants.h. */
#include "analyze/steps/special_events.h"

#include "analyze/core/intervals.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"

enum { BARRIER = 1, DEBUG = 2, SPARSE = 4 };
enum { NO_BARRIER_PS = 1250 };

static uint8_t
kind_of(const struct tp_op *op)
{
	if (tp_slice_has(op->name, TP_S("barrier-cores")))
		return BARRIER;
	if (tp_slice_starts(op->category, TP_S("SparseCoreV0")))
		return SPARSE;
	return tp_slice_has(op->name, TP_S("debug_print")) ||
			tp_slice_has(op->framework, TP_S("debug_print")) ||
			tp_slice_has(op->framework, TP_S("debug_callback"))
		? DEBUG
		: 0;
}

struct finding {
	const struct tp_profile *p;
	const struct tp_steps *s;
	const struct tp_op_times *times;
	uint8_t *kinds;    /* by operation */
	uint8_t all_kinds; /* that there are */
	size_t *core_of;   /* by device: index among the cores of the steps; SIZE_MAX: none */
	double *debug_ps;  /* by host, Σ over its cores */
	size_t *host_cores;
};

/* The cell of the step, at `from` or later, in which a moment of the host's clock falls; NULL: none. */
static const struct tp_step_cell *
step_at(const struct tp_steps *s, size_t core, int64_t at_ps, size_t *from)
{
	for (; *from < s->count; ++*from) {
		const struct tp_step_cell *cell = &s->cells[*from * s->timelines + core];

		if (at_ps < cell->host_start_ps + cell->host_duration_ps)
			return at_ps >= cell->host_start_ps ? cell : NULL;
	}
	return NULL;
}

/* Adds up a core's events within steps; sums: by kind. Times that operations nest in others count once. */
static void
add_line(const struct finding *f, uint32_t l, size_t core, double sums[static SPARSE + 1])
{
	const struct tp_line *line = &f->p->lines[l];
	const struct tp_self_times *self = f->times != NULL ? f->times->self[l] : NULL;
	size_t from = 0;

	for (uint32_t i = 0; i < line->count; i++) {
		uint8_t kind = f->kinds[tp_line_op(line, i)];

		if (kind == 0 || (kind == BARRIER && tp_line_duration_ps(line, i) <= NO_BARRIER_PS) ||
			step_at(f->s, core, tp_line_start_ps(line, i), &from) == NULL)
			continue;
		sums[kind] += (double)(self != NULL ? tp_self_ps(self, i) : tp_line_duration_ps(line, i));
	}
}

/* The time in which a SparseCore had an operation, in the steps of a core of its host. */
static double
sparse_ps(const struct finding *f, uint32_t device, struct tp_arena *scratch)
{
	size_t core = SIZE_MAX, most = 0, n = 0;

	for (size_t c = f->s->timelines; c-- > 0;)
		core = f->s->cores[c].host == f->p->devices[device].host ? c : core;
	for (uint32_t l = 0; l < f->p->line_count; l++)
		most += f->p->lines[l].device == device ? f->p->lines[l].count : 0;
	struct tp_interval *all = tp_new_array(scratch, struct tp_interval, most);

	for (uint32_t l = 0; core != SIZE_MAX && l < f->p->line_count; l++) {
		const struct tp_line *line = &f->p->lines[l];
		size_t from = 0;

		if (line->device != device || !tp_slice_has(line->name, TP_S("Ops")))
			continue;
		for (uint32_t i = 0; i < line->count; i++) {
			if (step_at(f->s, core, tp_line_start_ps(line, i), &from) != NULL)
				all[n++] = (struct tp_interval){tp_line_start_ps(line, i),
					tp_line_start_ps(line, i) + tp_line_duration_ps(line, i)};
		}
	}
	return (double)tp_intervals_ps(all, tp_intervals_unite(all, n));
}

static void
prepare(struct finding *f, const struct tp_pass_ctx *ctx)
{
	f->kinds = tp_new_array(ctx->scratch, uint8_t, f->p->op_count);
	f->core_of = tp_new_array(ctx->scratch, size_t, f->p->device_count);
	f->debug_ps = tp_new_array(ctx->scratch, double, f->p->host_count);
	f->host_cores = tp_new_array(ctx->scratch, size_t, f->p->host_count);
	for (uint32_t i = 0; i < f->p->op_count; i++) {
		f->kinds[i] = kind_of(&f->p->ops[i]);
		f->all_kinds |= f->kinds[i];
	}
	for (uint32_t d = 0; d < f->p->device_count; d++)
		f->core_of[d] = SIZE_MAX;
	for (size_t c = 0; c < f->s->timelines; c++) {
		f->core_of[f->s->cores[c].device] = c;
		f->host_cores[f->s->cores[c].host]++;
	}
}

struct tp_special_events
tp_find_special_events(const struct tp_pass_ctx *ctx, const struct tp_steps *s)
{
	struct tp_special_events out = {.known = s != NULL && s->cells != NULL};
	struct finding f = {.p = ctx->profile, .s = s, .times = tp_result(ctx, &tp_pass_op_times)};
	double steps = out.known ? (double)s->count : 0;

	if (!out.known)
		return out;
	prepare(&f, ctx);
	for (uint32_t l = 0; l < f.p->line_count; l++) {
		const struct tp_line *line = &f.p->lines[l];
		size_t core = line->device == TP_NONE ? SIZE_MAX : f.core_of[line->device];
		double sums[SPARSE + 1] = {0};

		if (core == SIZE_MAX || (line->kind != TP_LINE_OPS && line->kind != TP_LINE_OTHER))
			continue;
		out.traced |= line->kind == TP_LINE_OTHER;
		if (f.all_kinds == 0)
			continue;
		add_line(&f, l, core, sums);
		out.barrier_ps += sums[BARRIER] / steps / (double)s->timelines;
		out.sparse_wait_ps += sums[SPARSE] / steps / (double)s->timelines;
		f.debug_ps[line->host] += sums[DEBUG] / steps;
	}
	for (uint32_t h = 0; h < f.p->host_count; h++) {
		if (f.host_cores[h] != 0)
			out.debug_ps = tp_larger(out.debug_ps, f.debug_ps[h] / (double)f.host_cores[h]);
	}
	for (uint32_t d = 0; d < f.p->device_count; d++) {
		if (f.p->devices[d].kind != TP_DEVICE_SPARSE_CORE)
			continue;
		out.sparse_cores++;
		out.sparse_ps = tp_larger(out.sparse_ps, sparse_ps(&f, d, ctx->scratch) / steps);
	}
	return out;
}
