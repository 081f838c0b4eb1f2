/* The frames of call stacks, from calls of Python functions. */
#include "analyze/torch/operators/torch_frames.h"

#include "analyze/torch/operators/torch_ops.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"

static uint32_t
frame_of(struct tp_torch_frames *f, uint32_t caller, uint32_t op, uint32_t called_from)
{
	uint64_t key = tp_hash_pair((uint64_t)caller << 32 | op, called_from);
	uint32_t index;

	if (!tp_map_number(&f->calls, key, &index))
		return index;
	struct tp_torch_frame *new = tp_buf_add(&f->found, sizeof *new);

	*new = (struct tp_torch_frame){
		.caller = caller, .depth = 1, .outer = index, .op = op, .called_from = called_from};
	if (caller != TP_NONE) {
		const struct tp_torch_frame *in = (struct tp_torch_frame *)f->found.data + caller;

		new->depth = in->depth + 1;
		new->outer = new->depth > TP_TORCH_STACK_END ? in->outer : index;
	}
	return index;
}

const uint32_t *
tp_torch_frames_add(struct tp_torch_frames *f, const struct tp_torch_trace *t,
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
		frames[t->detail[e]] = frame_of(f, caller == TP_NONE ? TP_NONE : frames[caller],
			tp_torch_op(t, e), python->called_from);
		tp_torch_ids_put(&by_id, python->id, t->detail[e]);
	}
	return frames;
}
