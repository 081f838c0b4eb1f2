/* What several events share as that which led to them: a launch of several kernels, as of a CUDA graph, or a value that several threads
 * take. Each is then linked by itself, for one number of all of them would read as a chain through them. */
#include "analyze/timeline/run_events.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "model/profile.h"

#include <stdlib.h>

TP_ORDER(by_link, struct tp_run_target, TP_UP(id), TP_UP(track), TP_UP(event));

static void
add_targets(const struct tp_line *line, uint32_t track, struct tp_buf *targets)
{
	enum { KEYS = 1 << TP_TAG_CORRELATION | 1 << TP_TAG_CONSUMER };

	for (size_t i = 0; i < line->tag_count && (line->tag_keys & KEYS) != 0; i++) {
		const struct tp_tag *tag = &line->tags[i];

		if (tag->key == TP_TAG_CONSUMER)
			TP_PUSH(targets, struct tp_run_target,
				tp_run_link(TP_RUN_PRODUCER, line->host, tag->value), track, tag->event);
		else if (tag->key == TP_TAG_CORRELATION && line->kind != TP_LINE_THREAD)
			TP_PUSH(targets, struct tp_run_target,
				tp_run_link(TP_RUN_LAUNCH, line->host, tag->value), track, tag->event);
	}
}

/* Those that share theirs with another stay. */
static size_t
keep_shared(struct tp_run_target *targets, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && targets[next].id == targets[i].id;)
			next++;
		for (size_t k = i; k < next && next - i > 1; k++)
			targets[kept++] = targets[k];
	}
	return kept;
}

void
tp_run_find_targets(const struct tp_pass_ctx *ctx, struct tp_run_of *of, size_t tracks)
{
	struct tp_buf targets = {0};

	for (size_t i = 0; i < tracks; i++)
		add_targets(of->lines[i].line, (uint32_t)i, &targets);
	if (targets.count != 0)
		qsort(targets.data, targets.count, sizeof(struct tp_run_target), by_link);
	targets.count = keep_shared(targets.data, targets.count);
	of->target_count = targets.count;
	of->targets = tp_buf_settle(&targets, sizeof(struct tp_run_target), ctx->keep);
}

/* Of those that a number leads to the first; target_count: it leads to one alone, or to none. */
size_t
tp_run_first_target(const struct tp_run_of *of, uint64_t id)
{
	size_t at = TP_FIRST_WHERE(i, of->target_count, of->targets[i].id >= id);

	return at < of->target_count && of->targets[at].id == id ? at : of->target_count;
}
