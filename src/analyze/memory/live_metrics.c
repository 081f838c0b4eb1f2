/* Headline figures of live buffers: of the file that holds most, and of each device in it. */
#include "analyze/memory/live_buffers.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/live.h"
#include "model/profile.h"
#include "report/doc.h"
#include "report/scope.h"

enum { MOST_SCOPED = 1000 };

static void
metric(struct tp_doc *doc, const char *id, const char *label, struct tp_value value,
	const char *how, struct tp_slice coverage)
{
	tp_doc_metric(doc, tp_slice_of(id), label, value, tp_slice_of(how), coverage);
}

/* What all kinds together take of each device. */
static void
scoped(const struct tp_pass_ctx *ctx, const struct tp_live_file *f, struct tp_doc *doc)
{
	struct tp_map known;
	uint64_t *sums = tp_new_array(ctx->scratch, uint64_t, f->total_count);
	size_t *first = tp_new_array(ctx->scratch, size_t, f->total_count), count = 0;

	tp_map_init(&known, ctx->scratch);
	for (size_t i = 0; i < f->total_count; i++) {
		uint64_t key = tp_hash_bytes(f->totals[i].device);
		uint32_t at = tp_map_get(&known, key);

		if (f->totals[i].device.len == 0)
			continue;
		if (at == TP_MAP_NONE) {
			tp_map_put(&known, key, at = (uint32_t)count);
			first[count++] = i;
		}
		if (__builtin_add_overflow(sums[at], f->totals[i].bytes, &sums[at]))
			sums[at] = UINT64_MAX;
	}
	for (size_t i = 0; i < count && i < MOST_SCOPED; i++)
		tp_doc_metric_for(doc, "memory.live.bytes",
			(struct tp_scope){.device = f->totals[first[i]].device}, tp_bytes(sums[i]), TP_S(""));
}

void
tp_live_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_live_buffers *b = result;
	const struct tp_live_file *f = b != NULL ? &b->files[0] : NULL;
	struct tp_value none = tp_missing(tp_skipped(ctx, &tp_pass_live_buffers));
	struct tp_slice from = f != NULL ? f->name : TP_S("");
	struct tp_value top = none, name = none;

	if (f != NULL && f->stack_count != 0) {
		top = tp_share((double)f->stacks[0].sample->bytes, (double)f->bytes,
			TP_S("nothing that is held takes memory"));
		name = tp_text_value(tp_live_function(ctx, f->stacks[0].line));
	} else if (f != NULL) {
		top = name = tp_missing(TP_S("nothing is held"));
	}
	metric(doc, "memory.live.bytes", "Memory held when the memory profile was saved",
		f != NULL ? tp_bytes(f->bytes) : none,
		"the sum over all stacks of the memory profile; of several files the one with most", from);
	metric(doc, "memory.live.buffers", "Buffers held", f != NULL ? tp_count(f->buffers) : none,
		"the sum of the counts of stacks of other kinds than executable", from);
	metric(doc, "memory.live.executables", "Compiled programs held",
		f != NULL ? tp_count(f->executables) : none,
		"the sum of the counts of stacks of kind executable", from);
	metric(doc, "memory.live.top.share", "Memory held by the stack that asked for most", top,
		"of memory.live.bytes", from);
	metric(doc, "memory.live.top.name", "The function that asked for most", name,
		"the innermost call of that stack that is not in an installed package", from);
	tp_doc_metric_scopes(doc, "memory.live.bytes", "@device");
	if (f != NULL)
		scoped(ctx, f, doc);
}
