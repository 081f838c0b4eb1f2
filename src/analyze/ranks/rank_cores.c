/* Steps of TPU cores as columns; analyze/steps/step_given.c reads them. Steps are marked on a host, or inferred from what
 * repeats on it alone; with inferred ones go the runs, so that steps can be inferred anew over all hosts. */
#include "analyze/ranks/rank_hosts.h"

#include "analyze/core/time_class.h"
#include "analyze/steps/step_cores.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/rank.h"

_Static_assert((int)TP_RANK_CLASSES == (int)TP_CLASS_OTHER + 1, "a number for each class of XLA");

struct writing {
	const struct tp_pass_ctx *ctx;
	struct tp_rank_host *hosts;
};

static Tp__RankDevice *
device_of(const struct writing *w, const struct tp_marked_core *core)
{
	return w->hosts->by_device[core->device];
}

/* What operations of a mark sum up to. */
static void
put_sums(const struct tp_step_cell *cell, int64_t *sums)
{
	sums[TP_RANK_OPERATIONS] = cell->op_count;
	sums[TP_RANK_COPY_PS] = (int64_t)cell->copy_ps;
	sums[TP_RANK_MATRIX_PS] = (int64_t)cell->matrix_ps;
	sums[TP_RANK_RECEIVE_PS] = (int64_t)cell->recv_ps;
	sums[TP_RANK_SPARSE_INFEED_PS] = (int64_t)cell->sparse_infeed_ps;
	sums[TP_RANK_SPARSE_OUTFEED_PS] = (int64_t)cell->sparse_outfeed_ps;
	for (int k = 0; k < TP_RANK_CLASSES; k++)
		sums[TP_RANK_CLASSES_PS + k] = (int64_t)cell->class_ps[k];
}

/* The lengths that an inferred step may have when steps are inferred over all hosts; a marked one has the first alone. */
enum { LENGTHS = 3 };

static int64_t
length_of(const struct tp_marked_core *core, uint32_t i, int which)
{
	const struct tp_step_mark *mark = &core->marks[i];
	bool last = i + 1 == core->mark_count;

	switch (which) {
	case 0:
		return mark->duration_ps;
	case 1:
		return mark->work_ps;
	default:
		return last ? mark->duration_ps : core->marks[i + 1].start_ps - mark->start_ps;
	}
}

/* Whether the length is one that did not stand before. */
static bool
is_new(const struct tp_marked_core *core, uint32_t i, int which, bool marked)
{
	int64_t length_ps = length_of(core, i, which);

	for (int k = 0; k < which; k++) {
		if (length_of(core, i, k) == length_ps)
			return false;
	}
	return which == 0 || (!marked && length_ps > 0);
}

/* Sums of all cores' marks at one of their lengths, [mark × cores + core]. */
static struct tp_step_cell *
charge(const struct writing *w, const struct tp_marked_cores *on, const uint32_t *const *steps,
	size_t most, int which)
{
	struct tp_arena *scratch = w->ctx->scratch;
	struct tp_step_cell *cells = tp_new_array(scratch, struct tp_step_cell, most * on->count);
	struct tp_marked_cores with = {
		tp_new_array(scratch, struct tp_marked_core, on->count), on->count};

	for (uint32_t c = 0; c < on->count; c++) {
		const struct tp_marked_core *core = &on->cores[c];

		with.cores[c] = *core;
		with.cores[c].marks = tp_new_array(scratch, struct tp_step_mark, core->mark_count);
		for (uint32_t i = 0; i < core->mark_count; i++) {
			with.cores[c].marks[i] = core->marks[i];
			with.cores[c].marks[i].duration_ps = length_of(core, i, which);
		}
	}
	tp_charge_ops(w->ctx, &with, steps, cells);
	for (uint32_t c = 0; c < on->count; c++)
		w->hosts[on->cores[c].host].rank->xla->receives_input |= with.cores[c].receives_input;
	return cells;
}

static void
make_room_for_marks(Tp__RankDevice *d, size_t count, struct tp_arena *keep)
{
	d->mark_steps = tp_new_array(keep, uint32_t, count);
	d->mark_starts = tp_new_array(keep, int64_t, count);
	d->mark_lengths = tp_new_array(keep, int64_t, count);
	d->mark_host_starts = tp_new_array(keep, int64_t, count);
	d->mark_host_lengths = tp_new_array(keep, int64_t, count);
	d->mark_sums = tp_new_array(keep, int64_t, count * TP_RANK_SUMS);
}

/* cells: by length, of the core's first mark; stride: to its next. */
static void
put_marks(struct writing *w, const struct tp_marked_core *core,
	const struct tp_step_cell *const cells[static LENGTHS], size_t stride, Tp__RankDevice *d)
{
	int64_t before_ps = 0, host_before_ps = 0;
	size_t n = 0;

	make_room_for_marks(d, (size_t)core->mark_count * LENGTHS, w->ctx->keep);
	for (uint32_t i = 0; i < core->mark_count; i++) {
		const struct tp_step_mark *mark = &core->marks[i];

		for (int k = 0; k < LENGTHS; k++) {
			if (!is_new(core, i, k, d->marked))
				continue;
			d->mark_steps[n] = tp_rank_step(&w->hosts[core->host], mark->name);
			d->mark_starts[n] = mark->start_ps - before_ps;
			d->mark_lengths[n] = length_of(core, i, k);
			d->mark_host_starts[n] = mark->host_start_ps - host_before_ps;
			d->mark_host_lengths[n] = mark->host_duration_ps;
			before_ps = mark->start_ps;
			host_before_ps = mark->host_start_ps;
			put_sums(&cells[k][i * stride], &d->mark_sums[n++ * TP_RANK_SUMS]);
		}
	}
	d->n_mark_steps = d->n_mark_starts = d->n_mark_lengths = d->n_mark_host_starts =
		d->n_mark_host_lengths = n;
	d->n_mark_sums = n * TP_RANK_SUMS;
}

static void
put_runs(struct writing *w, uint32_t host, const struct tp_core_runs *runs,
	const struct tp_strings *kinds, Tp__RankDevice *d)
{
	struct tp_arena *keep = w->ctx->keep;
	int64_t before_ps = 0, host_before_ps = 0;

	d->n_run_programs = d->n_run_starts = d->n_run_lengths = d->n_run_host_starts =
		d->n_run_host_lengths = runs->count;
	d->run_programs = tp_new_array(keep, uint32_t, runs->count);
	d->run_starts = tp_new_array(keep, int64_t, runs->count);
	d->run_lengths = tp_new_array(keep, int64_t, runs->count);
	d->run_host_starts = tp_new_array(keep, int64_t, runs->count);
	d->run_host_lengths = tp_new_array(keep, int64_t, runs->count);
	for (uint32_t i = 0; i < runs->count; i++) {
		const struct tp_run *run = &runs->runs[i];

		d->run_programs[i] = tp_rank_program(&w->hosts[host], tp_string(kinds, run->kind));
		d->run_starts[i] = run->start_ps - before_ps;
		d->run_lengths[i] = run->end_ps - run->start_ps;
		d->run_host_starts[i] = runs->host[i][0] - host_before_ps;
		d->run_host_lengths[i] = runs->host[i][1] - runs->host[i][0];
		before_ps = run->start_ps;
		host_before_ps = runs->host[i][0];
	}
}

/* Of each host its marked cores, or those whose steps are inferred. */
static struct tp_marked_cores
cores_of_hosts(struct writing *w)
{
	const struct tp_profile *p = w->ctx->profile;
	struct tp_marked_cores all = {
		.cores = tp_new_array(w->ctx->scratch, struct tp_marked_core, p->device_count)};

	for (uint32_t h = 0; h < p->host_count; h++) {
		struct tp_marked_cores on = tp_marks_of_steps_lines(w->ctx, h);
		struct tp_marked_cores ran = tp_cores_with_ops(w->ctx, h);
		bool marked = on.count != 0;
		struct tp_steps steps = {.count = 0};
		struct tp_slice reason;

		for (uint32_t c = 0; c < ran.count; c++)
			device_of(w, &ran.cores[c])->core = true;
		if (!marked)
			on = tp_marks_of_program_runs(w->ctx, h, &steps, &reason);
		for (uint32_t c = 0; c < on.count; c++) {
			device_of(w, &on.cores[c])->marked = marked;
			all.cores[all.count++] = on.cores[c];
		}
	}
	return all;
}

/* The runs of each core of a host whose cores are not marked: those of programs, unless only sequences of operations repeat. */
static void
put_runs_of_host(struct writing *w, uint32_t host)
{
	struct tp_marked_cores on = tp_cores_with_ops(w->ctx, host);
	struct tp_strings kinds;
	struct tp_repetition found;
	bool repeats = false;

	for (int by_ops = 0; by_ops < 2 && !repeats && on.count != 0; by_ops++) {
		struct tp_runs *lines = tp_new_array(w->ctx->scratch, struct tp_runs, on.count);

		tp_strings_init(&kinds, w->ctx->scratch);
		struct tp_core_runs *runs = tp_runs_of_cores(w->ctx, &on, by_ops != 0, &kinds);

		for (uint32_t c = 0; c < on.count; c++)
			lines[c] = (struct tp_runs){runs[c].runs, runs[c].count};
		repeats = tp_infer_steps(lines, on.count, &found, w->ctx->scratch) != NULL;
		for (uint32_t c = 0; c < on.count && repeats; c++) {
			device_of(w, &on.cores[c])->runs_of_operations = by_ops != 0;
			put_runs(w, host, &runs[c], &kinds, device_of(w, &on.cores[c]));
		}
	}
}

/* Each mark is a step of its own. */
static const uint32_t *const *
own_steps(const struct writing *w, const struct tp_marked_cores *on, size_t *most)
{
	const uint32_t **steps = tp_new_array(w->ctx->scratch, const uint32_t *, on->count);

	*most = 0;
	for (uint32_t c = 0; c < on->count; c++)
		*most = on->cores[c].mark_count > *most ? on->cores[c].mark_count : *most;
	uint32_t *numbers = tp_new_array(w->ctx->scratch, uint32_t, *most);

	for (size_t i = 0; i < *most; i++)
		numbers[i] = (uint32_t)i;
	for (uint32_t c = 0; c < on->count; c++)
		steps[c] = numbers;
	return steps;
}

void
tp_rank_put_cores(const struct tp_pass_ctx *ctx, struct tp_rank_host *hosts)
{
	struct writing w = {ctx, hosts};
	struct tp_marked_cores on = cores_of_hosts(&w);
	size_t most;
	const uint32_t *const *steps = own_steps(&w, &on, &most);
	const struct tp_step_cell *cells[LENGTHS];
	bool all_marked = true;

	for (uint32_t c = 0; c < on.count; c++)
		all_marked = all_marked && device_of(&w, &on.cores[c])->marked;
	for (int k = 0; k < LENGTHS; k++)
		cells[k] = k == 0 || !all_marked ? charge(&w, &on, steps, most, k) : cells[0];
	for (uint32_t c = 0; c < on.count; c++) {
		const struct tp_step_cell *of_core[] = {cells[0] + c, cells[1] + c, cells[2] + c};

		put_marks(&w, &on.cores[c], of_core, on.count, device_of(&w, &on.cores[c]));
	}
	for (uint32_t h = 0; h < ctx->profile->host_count; h++) {
		struct tp_marked_cores marked = tp_marks_of_steps_lines(ctx, h);

		if (marked.count == 0)
			put_runs_of_host(&w, h);
	}
}
