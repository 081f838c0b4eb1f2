/* What launching costs: how long the host's calls took that started a kernel, and the kernels that ran shorter. */
#include "analyze/kernels/kernels.h"

#include "analyze/facts/op_times.h"
#include "analyze/torch/operators/torch_streams.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

/* A median needs no more of them. */
enum { MOST_SAMPLES = 65536 };

/* A kernel, and whether it alone answers to its launch: those of a graph are started together. */
struct launched {
	int64_t duration_ps;
	uint64_t correlation;
	uint32_t host;
	bool alone;
};

struct walk {
	const struct tp_line *line;
	size_t tag;
	uint32_t event;
};

/* The next kernel with a correlation id on the line; false at the end. */
static bool
next_kernel(struct walk *w, uint32_t *event, int64_t *correlation)
{
	for (; w->event < w->line->count; w->event++) {
		int64_t details;

		if (tp_tag_find(w->line, &w->tag, w->event, TP_TAG_KERNEL, &details) && details != 0 &&
			w->line->duration_ps[w->event] > 0 &&
			tp_tag_find(w->line, &w->tag, w->event, TP_TAG_CORRELATION, correlation)) {
			*event = w->event++;
			return true;
		}
	}
	return false;
}

static void
kernels_of_line(const struct tp_line *line, struct tp_buf *out)
{
	struct walk w = {.line = line};
	uint32_t event;
	int64_t correlation;
	struct launched *before = NULL;

	while (next_kernel(&w, &event, &correlation)) {
		bool alone = before == NULL || before->correlation != (uint64_t)correlation;

		if (before != NULL && !alone)
			before->alone = false;
		before = tp_buf_add(out, sizeof *before);
		*before =
			(struct launched){line->duration_ps[event], (uint64_t)correlation, line->host, alone};
	}
}

TP_ORDER(by_size, int64_t, (*a > *b) - (*a < *b));

/* Durations of the host's calls that launched some of the kernels, evenly picked. */
static void
sample_calls(const struct tp_pass_ctx *ctx, const struct tp_buf *kernels, struct tp_buf *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct launched *k = kernels->data;
	size_t step = kernels->count / MOST_SAMPLES + 1;
	struct tp_map wanted;

	tp_map_init(&wanted, ctx->scratch);
	for (size_t i = 0; i < kernels->count; i += step) {
		if (k[i].alone)
			tp_map_put(&wanted, tp_hash_pair(k[i].correlation, k[i].host), 1);
	}
	for (uint32_t l = 0; l < p->line_count; l++) {
		const struct tp_line *line = &p->lines[l];

		for (size_t t = 0; line->kind == TP_LINE_THREAD && t < line->tag_count; t++) {
			const struct tp_tag *tag = &line->tags[t];

			if (tag->key == TP_TAG_CORRELATION && line->duration_ps[tag->event] > 0 &&
				tp_map_get(&wanted, tp_hash_pair((uint64_t)tag->value, line->host)) != TP_MAP_NONE)
				TP_PUSH(out, int64_t, line->duration_ps[tag->event]);
		}
	}
}

/* Likewise of PyTorch traces; a graph's kernels share one call, and are left out. Launches of graphs are counted. */
static void
sample_torch_calls(const struct tp_pass_ctx *ctx, struct tp_kernels *k, struct tp_buf *out)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_torch_stream *streams = tp_torch_streams(ctx);
	size_t step = k->calls / MOST_SAMPLES + 1, at = 0;
	struct tp_map graphs;

	tp_map_init(&graphs, ctx->scratch);
	for (uint32_t l = 0; streams != NULL && l < p->line_count; l++) {
		const struct tp_torch_stream *s = &streams[l];
		struct tp_torch_kernel kernel;

		for (uint32_t i = 0; s->trace != NULL && i < p->lines[l].count; i++) {
			if (!tp_torch_stream_kernel(s, i, &kernel))
				continue;
			uint32_t call = s->links->call[s->first + i];

			if (kernel.in_graph) {
				uint64_t id = (uint64_t)s->trace->works[s->trace->detail[s->first + i]].correlation;
				uint64_t key = tp_hash_pair(id, (uint64_t)(uintptr_t)s->trace);

				uint32_t number;

				k->graph_launches += tp_map_number(&graphs, key, &number);
			} else if (call != TP_NONE && s->trace->duration_ps[call] > 0 && at++ % step == 0) {
				TP_PUSH(out, int64_t, s->trace->duration_ps[call]);
			}
		}
	}
}

void
tp_launches_measure(const struct tp_pass_ctx *ctx, struct tp_kernels *k)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_buf kernels = {0}, calls = {0};

	for (uint32_t l = 0; l < p->line_count; l++) {
		if (p->lines[l].kind == TP_LINE_STREAM)
			kernels_of_line(&p->lines[l], &kernels);
	}
	sample_calls(ctx, &kernels, &calls);
	sample_torch_calls(ctx, k, &calls);
	if (calls.count != 0) {
		const struct launched *all = kernels.data;
		int64_t *durations = calls.data;

		qsort(durations, calls.count, sizeof *durations, by_size);
		k->launch_ps = durations[calls.count / 2];
		for (size_t i = 0; i < kernels.count; i++) {
			if (!all[i].alone || all[i].duration_ps >= k->launch_ps)
				continue;
			k->short_calls++;
			k->short_loss_ps = tp_add_ps(k->short_loss_ps, k->launch_ps - all[i].duration_ps);
		}
	}
	tp_buf_free(&kernels);
	tp_buf_free(&calls);
}
