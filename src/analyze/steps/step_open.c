/* Steps that the capture cuts. Profilers write a step's marker whole or cut it where the capture begins and ends; of what ran
 * outside nothing is recorded, so a cut step lacks operations that the others have. */
#include "analyze/steps/steps.h"

#include "base/arena.h"
#include "model/profile.h"

/* Where steps have so few operations that they say nothing, a first or last step of this share of the usual length or less
 * is cut. */
#define FEW_OPS 3
#define WHOLE_LENGTH_SHARE 0.7

/* From when to when a host was captured, on its clock; false when the profile does not say. */
static bool
capture_of(const struct tp_host *host, int64_t *from_ps, int64_t *to_ps)
{
	const int64_t longest_ns = INT64_MAX / 1000 / 4;
	int64_t length_ns, origin_ns;

	if (host->start_unix_ns <= 0 ||
		__builtin_sub_overflow(host->stop_unix_ns, host->start_unix_ns, &length_ns) ||
		length_ns <= 0 || length_ns > longest_ns)
		return false;
	/* Lines count from 1970, or from the beginning of the capture. */
	origin_ns = host->base_ns > host->start_unix_ns / 2 ? host->start_unix_ns : 0;
	if (__builtin_sub_overflow(origin_ns, host->base_ns, &origin_ns) || origin_ns > longest_ns ||
		origin_ns < -longest_ns)
		return false;
	*from_ps = origin_ns * 1000;
	*to_ps = (origin_ns + length_ns) * 1000;
	return true;
}

static uint64_t
count_outside(const struct tp_line *line, int64_t from_ps, int64_t to_ps)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < line->count; i++)
		count += line->start_ps[i] < from_ps || line->start_ps[i] + line->duration_ps[i] > to_ps;
	return count;
}

static void
count_open_events(const struct tp_profile *p, struct tp_steps *s)
{
	for (uint32_t l = 0; l < p->line_count; l++) {
		int64_t from_ps, to_ps;

		if (!capture_of(&p->hosts[p->lines[l].host], &from_ps, &to_ps))
			continue;
		s->capture_known = true;
		s->open_events += count_outside(&p->lines[l], from_ps, to_ps);
	}
}

/* The fewest operations that a step in between has on a core. */
static uint32_t
fewest_ops(const struct tp_steps *s, size_t core)
{
	uint32_t fewest = UINT32_MAX;

	for (size_t i = 1; i + 1 < s->count; i++) {
		uint32_t ops = s->cells[i * s->timelines + core].op_count;

		fewest = ops < fewest ? ops : fewest;
	}
	return fewest;
}

/* By operations, not by length: a step that did not have to wait for input may take a tenth of one that had to. */
static bool
is_cut(const struct tp_steps *s, size_t step, double usual_ps)
{
	bool few = false;

	for (size_t c = 0; c < s->timelines; c++) {
		uint32_t fewest = fewest_ops(s, c);

		if (s->cells[step * s->timelines + c].op_count < fewest)
			return true;
		few |= fewest < FEW_OPS;
	}
	return few && s->steps[step].time_ps < WHOLE_LENGTH_SHARE * usual_ps;
}

/* Steps of hosts are whole: a marker is written when it ends, with its beginning, or not at all; and of inferred ones the
 * first and last are left out. */
void
tp_steps_find_open(const struct tp_pass_ctx *ctx, struct tp_steps *s)
{
	double *lengths = tp_new_array(ctx->scratch, double, s->count);

	count_open_events(ctx->profile, s);
	if (s->cells == NULL || s->count < 3)
		return;
	for (size_t i = 0; i < s->count; i++)
		lengths[i] = s->steps[i].time_ps;
	double usual_ps = tp_stats_of(lengths, s->count, ctx->scratch).p50;

	s->steps[0].open_start = is_cut(s, 0, usual_ps);
	s->steps[s->count - 1].open_end = is_cut(s, s->count - 1, usual_ps);
}
