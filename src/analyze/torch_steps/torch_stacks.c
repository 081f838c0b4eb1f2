/* The tree of frames. */
#include "analyze/torch_steps/torch_stacks.h"

#include "analyze/torch_steps/torch_correlation.h"
#include "analyze/torch_steps/torch_ids.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/profile.h"
#include "model/torch.h"

struct tp_torch_stacks_draft {
	struct tp_buf frames;
	struct tp_map index; /* (caller, function, line) → frame */
};

struct tp_torch_stacks_draft *
tp_torch_stacks_draft(struct tp_arena *scratch)
{
	struct tp_torch_stacks_draft *d = tp_new(scratch, struct tp_torch_stacks_draft);

	tp_map_init(&d->index, scratch);
	return d;
}

static uint32_t
frame(struct tp_torch_stacks_draft *d, uint32_t caller, uint32_t op, uint32_t called_from)
{
	uint64_t key = tp_hash_pair(tp_hash_pair(caller, op), called_from);
	uint32_t index;

	if (!tp_map_number(&d->index, key, &index))
		return index;
	struct tp_torch_frame *f = tp_buf_add(&d->frames, sizeof *f);

	*f = (struct tp_torch_frame){
		.caller = caller, .depth = 1, .outer = index, .op = op, .called_from = called_from};
	if (caller != TP_NONE) {
		const struct tp_torch_frame *in = (struct tp_torch_frame *)d->frames.data + caller;

		f->depth = in->depth + 1;
		f->outer = f->depth > TP_TORCH_STACK_END ? in->outer : index;
	}
	return index;
}

uint32_t *
tp_torch_stacks_add(struct tp_torch_stacks_draft *d, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_arena *scratch)
{
	uint32_t *frames = tp_new_array(scratch, uint32_t, t->python_count);
	struct tp_torch_ids by_id;
	int64_t largest = 0;

	for (uint32_t i = 0; i < t->python_count; i++)
		largest = t->pythons[i].id > largest ? t->pythons[i].id : largest;
	tp_torch_ids_init(&by_id, (uint64_t)largest, t->python_count, scratch);
	for (uint32_t e = 0; e < t->count; e++) {
		if (t->kind[e] != TP_TORCH_PYTHON || t->detail[e] == TP_NONE)
			continue;
		const struct tp_torch_python *python = &t->pythons[t->detail[e]];
		uint32_t caller = TP_NONE, in = links->python[e];

		/* What stands earlier in the trace alone can be a caller, so that the chain has an end. */
		if (python->parent >= 0)
			caller = tp_torch_ids_get(&by_id, python->parent);
		else if (in != TP_NONE && t->detail[in] != TP_NONE)
			caller = t->detail[in];
		frames[t->detail[e]] =
			frame(d, caller == TP_NONE ? TP_NONE : frames[caller], t->op[e], python->called_from);
		tp_torch_ids_put(&by_id, python->id, t->detail[e]);
	}
	return frames;
}

const struct tp_torch_stacks *
tp_torch_stacks_finish(struct tp_torch_stacks_draft *d, struct tp_arena *keep)
{
	struct tp_torch_stacks *s = tp_new(keep, struct tp_torch_stacks);

	s->count = (uint32_t)d->frames.count;
	s->frames = tp_buf_settle(&d->frames, sizeof *s->frames, keep);
	return s;
}
