/* Steps that a host's own events show, as columns; analyze/steps/step_given.c reads them. Of a host with TPU cores they are kept without their
 * work as well, for they tell how long it waited for input. */
#include "analyze/ranks/rank_hosts.h"

#include "analyze/steps/step_hosts.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/rank.h"

static bool
has_tpu(const struct tp_profile *p, uint32_t host)
{
	for (uint32_t i = 0; i < p->device_count; i++) {
		if (p->devices[i].host == host && p->devices[i].kind == TP_DEVICE_TPU)
			return true;
	}
	return false;
}

static void
put_step(struct tp_rank_host *h, const struct tp_host_step *s, size_t i, int64_t before_ps)
{
	Tp__RankXla *x = h->rank->xla;
	int64_t *times = &x->host_times[i * TP_RANK_HOST_TIMES];

	if (s->numbered) {
		x->host_steps[i] =
			tp_rank_step(h, tp_arena_printf(h->ctx->scratch, "%lld", (long long)s->number));
	} else {
		/* Steps without numbers may all have the same name. */
		x->host_steps[i] = (uint32_t)h->names.count;
		TP_PUSH(&h->names, char *, tp_rank_text(h, s->name));
	}
	x->host_numbers[i] = s->number;
	x->host_flags[i] = (s->numbered ? TP_RANK_NUMBERED : 0) |
		(s->asks_input ? TP_RANK_ASKS_INPUT : 0) | (s->has_input ? TP_RANK_HAS_INPUT : 0);
	x->host_starts[i] = s->start_ps - before_ps;
	x->host_lengths[i] = s->end_ps - s->start_ps;
	times[TP_RANK_TO_DEVICE_PS] = (int64_t)s->to_device_ps;
	times[TP_RANK_WORK_PS] = (int64_t)s->work_ps;
	for (int k = 0; k < TP_RANK_CLASSES; k++)
		times[TP_RANK_HOST_CLASSES_PS + k] = (int64_t)s->class_ps[k];
}

static void
put_steps(struct tp_rank_host *h, const struct tp_buf *steps)
{
	const struct tp_host_step *all = steps->data;
	struct tp_arena *keep = h->ctx->keep;
	Tp__RankXla *x = h->rank->xla;
	size_t count = steps->count;

	x->n_host_steps = x->n_host_numbers = x->n_host_flags = x->n_host_starts = x->n_host_lengths =
		count;
	x->n_host_times = count * TP_RANK_HOST_TIMES;
	x->host_steps = tp_new_array(keep, uint32_t, count);
	x->host_numbers = tp_new_array(keep, int64_t, count);
	x->host_flags = tp_new_array(keep, uint32_t, count);
	x->host_starts = tp_new_array(keep, int64_t, count);
	x->host_lengths = tp_new_array(keep, int64_t, count);
	x->host_times = tp_new_array(keep, int64_t, x->n_host_times);
	for (size_t i = 0; i < count; i++)
		put_step(h, &all[i], i, i != 0 ? all[i - 1].start_ps : 0);
}

static void
put_launched(struct tp_rank_host *h, const struct tp_followed *followed)
{
	struct tp_launched l = tp_launched_of(h->ctx->profile, h->host, followed);
	Tp__RankXla *x = h->rank->xla;

	x->timing = l.timing;
	x->launched = tp_rank_text(h, l.program.len != 0 ? l.program : TP_S(""));
	x->inside_ps = l.inside_ps;
	x->outside_ps = l.outside_ps;
}

/* Steps are inferred from its calls, if any repeat; the choice among those of all hosts is made when they are merged. */
static void
infer_steps(struct tp_rank_host *h, struct tp_marking_host *marking, struct tp_buf *steps)
{
	Tp__RankXla *x = h->rank->xla;
	struct tp_windows windows = {0};

	if (!tp_infer_windows(h->ctx->profile, h->host, &windows, marking->scratch))
		return;
	struct tp_repetition found = windows.repetition;

	x->window = tp_rank_text(h, windows.name);
	x->window_runs = found.runs;
	x->gap_share = found.gap_share;
	x->covered = found.covered;
	x->regular = found.regular;
	x->agreeing = found.agreeing;
	x->enough = found.enough;
	x->confidence = found.confidence;
	marking->windows = &windows;
	if (windows.count != 0)
		x->marked = (uint32_t)tp_inferred_steps_of_host(marking, steps);
	marking->windows = NULL;
}

void
tp_rank_put_host_steps(struct tp_rank_host *h, const struct tp_host_op *const names[static 2])
{
	const struct tp_profile *p = h->ctx->profile;
	bool tpu = has_tpu(p, h->host), gpus = tp_host_has_gpu_work(p, h->host);
	struct tp_marking_host marking = {.p = p,
		.host = h->host,
		.has_device = gpus && !tpu,
		.ops = names[gpus && !tpu],
		.scratch = tp_arena_new(),
		.without_work = tpu};
	struct tp_followed followed = {.timing = TP_TIMED_BY_MARKER};
	struct tp_buf steps = {0}; /* struct tp_host_step */

	h->rank->xla->gpus = gpus;
	h->rank->xla->marked =
		(uint32_t)tp_marked_steps_of_host(&marking, tpu ? NULL : &followed, &steps);
	if (h->rank->xla->marked != 0 || tpu)
		put_launched(h, &followed);
	else
		infer_steps(h, &marking, &steps);
	put_steps(h, &steps);
	tp_buf_free(&steps);
	tp_arena_free(marking.scratch);
}
