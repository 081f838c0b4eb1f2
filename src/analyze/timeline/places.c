/* Looks in the steps that are drawn, the slowest first, on the device that they are drawn of and on its host's threads. */
#include "analyze/timeline/places.h"

#include "analyze/core/intervals.h"
#include "analyze/core/pass.h"
#include "analyze/core/sweep.h"
#include "analyze/memory/allocators.h"
#include "analyze/ops/ops.h"
#include "analyze/ops/padding.h"
#include "analyze/timeline/gap_causes.h"
#include "analyze/timeline/gaps.h"
#include "analyze/timeline/unrecorded.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/allocator.h"
#include "report/doc.h"

#include <math.h>
#include <string.h>

static bool
is_longer(struct tp_timeline_place at, struct tp_stretch than)
{
	return at.to_ps - at.from_ps > than.to_ps - than.from_ps;
}

static void
take_if_longer(struct tp_stretch *stretch, struct tp_timeline_place at)
{
	if (is_longer(at, *stretch))
		*stretch = (struct tp_stretch){at.from_ps, at.to_ps};
}

static bool
is_device_work(const struct tp_line *line)
{
	return line->kind == TP_LINE_OPS || line->kind == TP_LINE_STREAM;
}

/* The operation of the profile that padding makes slowest; TP_NONE: none. */
static struct tp_slice
padded_name(const struct tp_pass_ctx *ctx)
{
	const struct tp_padding *padding = tp_result(ctx, &tp_pass_padding);

	if (padding == NULL || padding->count == 0 || !(padding->fits[0].lost_ps > 0))
		return TP_S("");
	const struct tp_op *op = padding->ops->ops[padding->fits[0].op].op;

	return op->label.len != 0 ? op->label : op->name;
}

/* What is asked of each event, by its operation. */
enum {
	LOOKED_AT = 1 << 4,
	IS_SYNC = 1 << 5,
	IS_PADDED = 1 << 6,
	IS_WAIT = 1 << 7,
	IS_SETUP = 1 << 8,
	HUE = LOOKED_AT - 1
};

/* What a span holds: of each class the longest event on the device, or where it has none, on a thread. */
struct looking {
	const struct tp_timeline_found *t;
	const struct tp_timeline_span *span;
	struct tp_stretch device[TP_SEEN_HUES], host[TP_SEEN_HUES];
	struct tp_stretch sync, padded, wait, setup;
	struct tp_slice padded_name;
	uint16_t *of_device, *of_host; /* by operation: HUE, and whether it is one of those */
	struct tp_buf busy,
		waits,       /* struct tp_interval; of the host, for input and for what sets a device up */
		input_calls; /* of the host, those that wait for input */
};

static uint16_t
answers_of(const struct looking *l, const struct tp_line *line, uint32_t op)
{
	const struct tp_profile *p = l->t->profile;
	bool device = line->device != TP_NONE;
	uint16_t *known = device ? &l->of_device[op] : &l->of_host[op];
	struct tp_timeline_look look;

	if (*known != 0)
		return *known;
	look = tp_timeline_look(l->t, line, op);
	/* Pale tints are what is around, not the work itself. */
	*known = (uint16_t)(LOOKED_AT | (look.tint < 2 ? look.hue : TP_HUE_NONE));
	if (!device && tp_slice_has(p->ops[op].name, TP_S("Synchronize")))
		*known |= IS_SYNC;
	if (!device && tp_type_of_host_event(p->ops[op].name, false, false) == TP_EVENT_WAIT_INPUT)
		*known |= IS_WAIT;
	if (!device && tp_torch_name_sets_up(p->ops[op].name, INT64_MAX))
		*known |= IS_SETUP;
	if (device && l->padded_name.len != 0 && tp_slice_eq(tp_timeline_name(p, op), l->padded_name))
		*known |= IS_PADDED;
	return *known;
}

static void
look_at_event(
	struct looking *l, const struct tp_line *line, uint32_t event, struct tp_timeline_place at)
{
	uint16_t answers = answers_of(l, line, tp_line_op(line, event));
	bool device = line->device != TP_NONE;

	if (device)
		TP_PUSH(&l->busy, struct tp_interval, (int64_t)at.from_ps, (int64_t)at.to_ps);
	if ((answers & HUE) < TP_SEEN_HUES)
		take_if_longer(device ? &l->device[answers & HUE] : &l->host[answers & HUE], at);
	if (answers & IS_SYNC)
		take_if_longer(&l->sync, at);
	if (answers & IS_PADDED)
		take_if_longer(&l->padded, at);
	if (answers & IS_WAIT) {
		take_if_longer(&l->wait, at);
		TP_PUSH(&l->input_calls, struct tp_interval, (int64_t)at.from_ps, (int64_t)at.to_ps);
	}
	bool sets_up = answers & IS_SETUP &&
		tp_torch_name_sets_up(
			l->t->profile->ops[tp_line_op(line, event)].name, (int64_t)(at.to_ps - at.from_ps));

	if (sets_up)
		take_if_longer(&l->setup, at);
	if (!device && (sets_up || (answers & HUE) == TP_HUE_INPUT))
		TP_PUSH(&l->waits, struct tp_interval, (int64_t)at.from_ps, (int64_t)at.to_ps);
}

static void
look_at_line(struct looking *l, const struct tp_timeline_line *line)
{
	bool drawn = line->line->device != TP_NONE
		? line->line->device == l->t->device && is_device_work(line->line)
		: line->line->host == l->t->host;

	for (uint32_t i = drawn ? tp_timeline_first_from(line, l->span->from_ps) : line->line->count;
		 i < line->line->count; i++) {
		struct tp_timeline_place at = tp_timeline_place(line, i);

		if (at.from_ps >= l->span->to_ps)
			return;
		look_at_event(l, line->line, i, at);
	}
}

static void
take_if_none(struct tp_stretch *place, struct tp_stretch from)
{
	if (place->to_ps == 0)
		*place = from;
}

/* The longest time in which the device does nothing, and the longest for each cause. */
static void
find_idle(const struct tp_pass_ctx *ctx, struct looking *l, struct tp_timeline_places *places)
{
	struct tp_interval *busy = l->busy.data;
	size_t count = tp_intervals_unite(busy, l->busy.count);
	struct tp_gap_causes causes =
		tp_timeline_gap_causes(ctx, l->t, l->span, busy, count, &l->waits);
	struct tp_interval idle =
		tp_intervals_longest_gap(busy, count, (int64_t)l->span->from_ps, (int64_t)l->span->to_ps);

	if (l->t->device != TP_NONE && idle.end_ps > idle.start_ps)
		take_if_none(&places->of[TP_SEEN_IDLE],
			(struct tp_stretch){(uint64_t)idle.start_ps, (uint64_t)idle.end_ps});
	/* A call for input may last longer than the device waits for it. */
	if (l->t->device != TP_NONE && l->input_calls.count != 0) {
		struct tp_stretch gap = tp_timeline_longest_idle_in(
			l->input_calls.data, l->input_calls.count, l->span, busy, count);

		if (gap.to_ps != 0)
			l->wait = gap;
	}
	take_if_none(&places->of[TP_SEEN_LATE_HOST], causes.host);
	take_if_none(&places->of[TP_SEEN_QUEUED], causes.queued);
}

static void
find_fullest(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_places *places)
{
	const struct tp_allocators *a = tp_result(ctx, &tp_pass_allocators);
	const struct tp_torch_memories *m = tp_result(ctx, &tp_pass_torch_memory);
	int64_t at = -1;

	places->fullest_host = t->host;
	if (a != NULL && a->count != 0 && a->of[0].peak != NULL) {
		places->fullest_host = a->of[0].host;
		at = tp_allocator_time_ps(&a->of[0], a->of[0].peak);
	} else if (m != NULL && m->count != 0 && m->pools[0].peak != TP_NONE) {
		places->fullest_host = t->profile->torch->traces[m->pools[0].trace]->host;
		at = tp_torch_pool_time_ps(&m->pools[0], m->pools[0].peak);
	}
	if (at >= 0 && (uint64_t)at <= t->high_ps)
		places->of[TP_SEEN_FULLEST] = (struct tp_stretch){(uint64_t)at, (uint64_t)at + 1};
}

/* Where there are several, as its rows are headed. */
static struct tp_slice
name_of_device(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t, uint32_t device)
{
	struct tp_slice name = TP_S("");
	bool several = false;

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_line *line = t->lines[i].line;

		if (line->device == TP_NONE || !is_device_work(line))
			continue;
		if (line->device == device)
			name = tp_timeline_group_name(ctx, line);
		else
			several = true;
	}
	return several ? name : TP_S("");
}

/* As the finding on utilisation chooses it; NULL: none is known. */
static const struct tp_torch_gpu_use *
least_used(const struct tp_torch_gpus *gpus)
{
	const struct tp_torch_gpu_use *least = NULL;
	double share = NAN;

	for (size_t i = 0; gpus != NULL && i < gpus->count; i++) {
		struct tp_value own = tp_torch_gpu_utilization(&gpus->uses[i]);

		if (tp_known(own) && !(own.number >= share)) {
			share = own.number;
			least = &gpus->uses[i];
		}
	}
	return least;
}

static void
find_least_used(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_places *places)
{
	const struct tp_torch_gpu_use *use = least_used(tp_result(ctx, &tp_pass_torch_gpus));
	struct tp_buf busy = {0};

	if (use == NULL || t->span_count == 0)
		return;
	const struct tp_timeline_span *span = &t->spans[t->span_count - 1];

	for (size_t i = 0; i < t->line_count; i++) {
		const struct tp_timeline_line *line = &t->lines[i];

		if (line->line->device != use->device || line->line->kind != TP_LINE_STREAM)
			continue;
		for (uint32_t k = tp_timeline_first_from(line, span->from_ps); k < line->line->count; k++) {
			struct tp_timeline_place at = tp_timeline_place(line, k);

			if (at.from_ps >= span->to_ps)
				break;
			TP_PUSH(&busy, struct tp_interval, (int64_t)at.from_ps, (int64_t)at.to_ps);
		}
	}
	size_t count = tp_intervals_unite(busy.data, busy.count);
	struct tp_interval idle =
		tp_intervals_longest_gap(busy.data, count, (int64_t)span->from_ps, (int64_t)span->to_ps);

	tp_buf_free(&busy);
	if (idle.end_ps <= idle.start_ps)
		return;
	places->of[TP_SEEN_LEAST_USED] =
		(struct tp_stretch){(uint64_t)idle.start_ps, (uint64_t)idle.end_ps};
	places->least_used = name_of_device(ctx, t, use->device);
	places->least_used_host = t->profile->torch->traces[use->trace]->host;
}

void
tp_timeline_find_places(const struct tp_pass_ctx *ctx, const struct tp_timeline_found *t,
	struct tp_timeline_places *places)
{
	uint16_t *of_device = tp_new_array(ctx->scratch, uint16_t, t->profile->op_count);
	uint16_t *of_host = tp_new_array(ctx->scratch, uint16_t, t->profile->op_count);

	for (size_t k = t->span_count; k-- > 0;) {
		struct looking l = {.t = t,
			.span = &t->spans[k],
			.padded_name = padded_name(ctx),
			.of_device = of_device,
			.of_host = of_host};

		for (size_t i = 0; i < t->line_count; i++)
			look_at_line(&l, &t->lines[i]);
		for (int hue = 0; hue < TP_SEEN_HUES; hue++) {
			take_if_none(&places->of[hue], l.device[hue]);
			take_if_none(&places->of[hue], l.host[hue]);
		}
		find_idle(ctx, &l, places);
		take_if_none(&places->of[TP_SEEN_SYNC], l.sync);
		take_if_none(&places->of[TP_SEEN_PADDED], l.padded);
		take_if_none(&places->of[TP_SEEN_SETUP], l.setup);
		/* A device that receives input waits itself; else a thread calls for it, while others prepare it in advance. */
		take_if_none(&places->of[TP_SEEN_WAIT], l.device[TP_HUE_INPUT]);
		take_if_none(&places->of[TP_SEEN_WAIT], l.wait);
		take_if_none(&places->of[TP_SEEN_WAIT], l.host[TP_HUE_INPUT]);
		tp_buf_free(&l.busy);
		tp_buf_free(&l.waits);
		tp_buf_free(&l.input_calls);
		if (places->of[TP_SEEN_UNRECORDED].to_ps == 0)
			places->of[TP_SEEN_UNRECORDED] = tp_timeline_unrecorded(ctx, t, l.span);
	}
	if (t->span_count != 0 && ctx->options->window_count == 0)
		places->of[TP_SEEN_SLOWEST] = (struct tp_stretch){
			t->spans[t->span_count - 1].from_ps, t->spans[t->span_count - 1].to_ps};
	places->of[TP_SEEN_ALL_IDLE] = tp_timeline_longest_gap(t, true);
	take_if_none(&places->of[TP_SEEN_ALL_IDLE], places->of[TP_SEEN_IDLE]);
	places->blank = tp_timeline_longest_gap(t, false);
	places->device = name_of_device(ctx, t, t->device);
	places->low_ps = t->low_ps;
	places->host = t->host;
	find_fullest(ctx, t, places);
	find_least_used(ctx, t, places);
}

/* By the begin of a finding's id; what is in none of these has no one place. */
const struct tp_stretch *
tp_timeline_place_of(const struct tp_timeline_places *p, struct tp_slice id, uint32_t *host)
{
	static const struct {
		const char *begin;
		unsigned place;
	} by_id[] = {
		{"TPR-INPUT-001", TP_SEEN_WAIT},
		{"TPR-INPUT-", TP_HUE_INPUT},
		{"TPR-LOAD-", TP_HUE_INPUT},
		{"TPR-OUTPUT-", TP_HUE_OUTPUT},
		{"TPR-COMM-", TP_HUE_COLLECTIVE},
		{"TPR-POD-002", TP_HUE_COLLECTIVE},
		{"TPR-POD-001", TP_SEEN_SLOWEST},
		{"TPR-RANK-", TP_SEEN_SLOWEST},
		{"TPR-COPY-", TP_HUE_MEMORY},
		{"TPR-SHUF-", TP_HUE_MEMORY},
		{"TPR-PIN-", TP_HUE_MEMORY},
		{"TPR-COMPILE-", TP_HUE_COMPILE},
		{"TPR-IDLE-002", TP_SEEN_ALL_IDLE},
		{"TPR-IDLE-", TP_SEEN_IDLE},
		{"TPR-STEP-001", TP_SEEN_UNRECORDED},
		{"TPR-HOST-", TP_SEEN_LATE_HOST},
		{"TPR-GPU-", TP_SEEN_LEAST_USED},
		{"TPR-QUEUE-", TP_SEEN_QUEUED},
		{"TPR-STEP-002", TP_SEEN_SLOWEST},
		{"TPR-SYNC-", TP_SEEN_SYNC},
		{"TPR-SETUP-", TP_SEEN_SETUP},
		{"TPR-OOM-003", TP_SEEN_FULLEST},
		{"TPR-OOM-004", TP_SEEN_FULLEST},
		{"TPR-FRAG-", TP_SEEN_FULLEST},
		{"TPR-PAD-", TP_SEEN_PADDED},
	};

	for (size_t i = 0; i < sizeof by_id / sizeof *by_id; i++) {
		if (!tp_slice_starts(id, tp_slice_of(by_id[i].begin)))
			continue;
		*host = by_id[i].place == TP_SEEN_FULLEST  ? p->fullest_host
			: by_id[i].place == TP_SEEN_LEAST_USED ? p->least_used_host
												   : p->host;
		return p->of[by_id[i].place].to_ps != 0 ? &p->of[by_id[i].place] : NULL;
	}
	return NULL;
}

/* No finding, but as much looked for: the section that measures memory leads here, and back. */
static void
add_memory(
	const struct tp_doc *doc, const struct tp_timeline_places *places, struct tp_buf *findings)
{
	static const char *const sections[] = {"memory-over-time", "torch-memory"};

	for (size_t i = 0;
		 i < sizeof sections / sizeof *sections && places->of[TP_SEEN_FULLEST].to_ps != 0; i++) {
		for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
			if (w.event == TP_WALK_ENTER && w.block->kind == TP_BLOCK_SECTION &&
				tp_slice_eq(w.block->id, tp_slice_of(sections[i])))
				TP_PUSH(findings, struct tp_timeline_finding, w.block->id, TP_S("memory peak"),
					(double)places->of[TP_SEEN_FULLEST].from_ps,
					(double)places->of[TP_SEEN_FULLEST].to_ps);
		}
	}
}

void
tp_timeline_place_findings(const struct tp_pass_ctx *ctx, const struct tp_doc *doc,
	const struct tp_timeline_places *places, struct tp_timeline *out)
{
	struct tp_buf findings = {0};

	for (struct tp_walk w = tp_walk_of(doc); tp_walk_next(&w);) {
		const struct tp_finding *finding;
		const struct tp_stretch *place;
		uint32_t host;

		if (w.event != TP_WALK_ENTER || w.block->kind != TP_BLOCK_FINDING ||
			w.block->finding.brief || w.block->finding.number == 0)
			continue;
		finding = w.block->finding.finding;
		place = tp_timeline_place_of(places, finding->id, &host);
		if (place == NULL)
			continue;
		struct tp_slice device =
			place >= &places->of[TP_SEEN_IDLE] && place <= &places->of[TP_SEEN_QUEUED]
			? places->device
			: place == &places->of[TP_SEEN_LEAST_USED] ? places->least_used
													   : TP_S("");

		TP_PUSH(&findings, struct tp_timeline_finding, finding->id,
			tp_arena_printf(ctx->keep, "%u %.*s%s%.*s", w.block->finding.number,
				TP_ARG(finding->name), device.len != 0 ? ", " : "", TP_ARG(device)),
			(double)place->from_ps, (double)place->to_ps);
	}
	add_memory(doc, places, &findings);
	out->finding_count = findings.count;
	out->findings = tp_buf_settle(&findings, sizeof(struct tp_timeline_finding), ctx->keep);
}
