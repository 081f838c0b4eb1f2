/* What lines and events of a timeline are called, how they are coloured, and which are from a time on. */
#include "analyze/timeline/timeline.h"

#include "analyze/core/say.h"
#include "analyze/core/sweep.h"
#include "analyze/core/time_class.h"
#include "analyze/input/input_names.h"
#include "analyze/torch_steps/torch_host_time.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/profile.h"
#include "model/torch.h"

static struct tp_timeline_look
look_of_class(enum tp_class c)
{
	return (struct tp_timeline_look){tp_class_info(c)->hue, tp_class_info(c)->tint};
}

static struct tp_timeline_look
look_of_stream(const struct tp_op *op)
{
	if (tp_texts_any(op->name, tp_slice_starts,
			TP_TEXTS("Memcpy", "Memset", "memcpy", "memset", "copy", "CopyHost", "CopyDevice")))
		return (struct tp_timeline_look){TP_HUE_MEMORY, 0};
	if (tp_texts_any(op->name, tp_slice_has, TP_TEXTS("nccl", "rccl", "oneccl")))
		return (struct tp_timeline_look){TP_HUE_COLLECTIVE, 0};
	return (struct tp_timeline_look){tp_hue_of_category(op->category), 0};
}

/* What is within a range that the program named may be of any class, and has the colours: the range itself is no work. */
const bool *
tp_timeline_ranges(const struct tp_profile *p, struct tp_arena *arena)
{
	if (p->torch == NULL)
		return NULL;
	bool *ranges = tp_new_array(arena, bool, p->op_count);

	for (uint32_t i = 0; i < p->torch->trace_count; i++) {
		const struct tp_torch_trace *t = p->torch->traces[i];

		for (uint32_t e = 0; e < t->count; e++) {
			bool named = t->kind[e] == TP_TORCH_ANNOTATION && e + 1 < t->count;

			if (t->kind[e] == TP_TORCH_GPU_ANNOTATION ||
				(named && tp_torch_start_ps(t, e + 1) >= tp_torch_start_ps(t, e) &&
					tp_torch_start_ps(t, e + 1) < tp_torch_end_ps(t, e) &&
					tp_torch_lane_of(t, e + 1) == tp_torch_lane_of(t, e)))
				ranges[tp_torch_op(t, e)] = true;
		}
	}
	return ranges;
}

/* In the colours of Steps: calls of a device's runtime launch its work, and all else is the host's. What was compiled runs, and is not
 * compiling. */
static struct tp_timeline_look
look_of_thread(const struct tp_op *op, bool range)
{
	struct tp_slice name = op->name;

	/* What marks a step is no work. */
	if (tp_name_marks_step(name) || tp_slice_starts(name, TP_S("ProfilerStep#")))
		return (struct tp_timeline_look){TP_HUE_NONE, 2};
	if (op->xla)
		return (struct tp_timeline_look){tp_hue_on_host(tp_hue_of_category(op->category)), 0};
	if (tp_host_op_of_name(name) >= TP_HOST_OP_INPUT ||
		tp_texts_any(name, tp_slice_has,
			TP_TEXTS("DataLoader", "DataPipe", "Iterator::", "IteratorGetNext")) ||
		/* Stages of tf.data, and the functions that they call. */
		tp_texts_any(name, tp_slice_starts,
			TP_TEXTS("PyFunc", "EagerPyFunc", "InstantiatedCapturedFunction::", "PrefetchProduce",
				"MapAndBatchProduce", "ParallelMapProduce", "ParallelBatchProduce",
				"GeneratorDataset")))
		return (struct tp_timeline_look){TP_HUE_INPUT, 0};
	if (tp_texts_any(
			name, tp_slice_starts, TP_TEXTS("nccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:")))
		return (struct tp_timeline_look){TP_HUE_COLLECTIVE, 0};
	if (tp_texts_any(
			name, tp_slice_starts, TP_TEXTS("cuda", "hip", "cuLaunch", "cuMem", "cuStream")))
		return look_of_class(TP_CLASS_LAUNCH);
	/* A thread of Python that waits for another. */
	if ((tp_slice_has(name, TP_S("threading.py")) && tp_slice_ends(name, TP_S(": wait"))) ||
		tp_slice_has(name, TP_S("acquire of _thread.lock")))
		return (struct tp_timeline_look){TP_HUE_NONE, 2};
	if (tp_texts_any(name, tp_slice_has, TP_TEXTS("ompile", "Lower", "lowering")) &&
		!tp_texts_any(name, tp_slice_has, TP_TEXTS("ompiled", "ecompile")))
		return look_of_class(TP_CLASS_COMPILE);
	return range ? (struct tp_timeline_look){TP_HUE_NONE, 2} : look_of_class(TP_CLASS_HOST_COMPUTE);
}

struct tp_timeline_look
tp_timeline_look(const struct tp_timeline_found *t, const struct tp_line *line, uint32_t op)
{
	const struct tp_profile *p = t->profile;

	if (t->looks != NULL)
		return t->looks[op];
	switch (line->kind) {
	case TP_LINE_OPS:
	case TP_LINE_ASYNC:
		return (struct tp_timeline_look){tp_hue_of_category(p->ops[op].category), 0};
	case TP_LINE_STREAM:
		return look_of_stream(&p->ops[op]);
	case TP_LINE_THREAD:
	case TP_LINE_TORCH:
		return look_of_thread(&p->ops[op], t->ranges != NULL && t->ranges[op]);
	/* Nothing is known of what they are: names are told apart, as far as three shades go. */
	case TP_LINE_TRACK:
		return (struct tp_timeline_look){
			TP_HUE_HOST, (int)(tp_hash_bytes(p->ops[op].name) % (TP_TINTS - 1)) + 1};
	case TP_LINE_STEPS:
	case TP_LINE_MODULES:
	case TP_LINE_DERIVED:
	case TP_LINE_OTHER:
		break;
	}
	return (struct tp_timeline_look){TP_HUE_NONE, 2};
}

struct tp_timeline_look
tp_timeline_look_of_event(const struct tp_timeline_found *t, const struct tp_line *line,
	uint32_t op, uint64_t duration_ps)
{
	bool sets_up = t->looks == NULL && line->kind == TP_LINE_TORCH && line->device == TP_NONE &&
		tp_torch_name_sets_up(
			t->profile->ops[op].name, duration_ps < INT64_MAX ? (int64_t)duration_ps : INT64_MAX);

	return sets_up ? look_of_class(TP_CLASS_SETUP) : tp_timeline_look(t, line, op);
}

struct tp_slice
tp_timeline_name(const struct tp_profile *p, uint32_t op)
{
	struct tp_slice name = p->ops[op].label.len != 0 ? p->ops[op].label : p->ops[op].name;

	return name.len != 0 ? name : TP_S("without a name");
}

struct tp_slice
tp_timeline_line_name(const struct tp_line *line)
{
	/* A line that was made for the timeline has no title. */
	struct tp_slice name = line->title.len != 0 ? line->title : line->name;

	return name.len != 0 ? name : TP_S("without a name");
}

bool
tp_timeline_same_group(const struct tp_line *a, const struct tp_line *b)
{
	return a->device == b->device && a->host == b->host && tp_slice_eq(a->process, b->process);
}

struct tp_slice
tp_timeline_group_name(const struct tp_pass_ctx *ctx, const struct tp_line *line)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_slice host = p->host_count > 1 ? p->hosts[line->host].name : TP_S("");
	struct tp_slice name = line->device != TP_NONE ? tp_say_device(ctx, line->device)
		: line->process.len != 0                   ? line->process
												   : TP_S("Host threads");

	if (host.len == 0)
		return name;
	return tp_slice_eq(name, TP_S("Host threads"))
		? tp_arena_printf(ctx->keep, "Threads of %.*s", TP_ARG(host))
		: tp_arena_printf(ctx->keep, "%.*s of %.*s", TP_ARG(name), TP_ARG(host));
}

struct tp_slice
tp_timeline_kind(const struct tp_line *line)
{
	static const char *const kinds[] = {
		[TP_LINE_THREAD] = "thread",
		[TP_LINE_STEPS] = "steps",
		[TP_LINE_MODULES] = "modules",
		[TP_LINE_OPS] = "ops",
		[TP_LINE_ASYNC] = "async",
		[TP_LINE_STREAM] = "stream",
		[TP_LINE_DERIVED] = "derived",
		[TP_LINE_TORCH] = "thread",
		[TP_LINE_TRACK] = "track",
		[TP_LINE_OTHER] = "other",
	};

	return tp_slice_of(kinds[line->kind]);
}

uint32_t
tp_timeline_first_from(const struct tp_timeline_line *line, uint64_t at_ps)
{
	uint32_t low = 0, high = line->line->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (tp_timeline_place(line, middle).from_ps < at_ps)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
