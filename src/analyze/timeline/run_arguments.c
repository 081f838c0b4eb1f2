/* What events were called with, for other tools: of PyTorch by the names that its profiler gives, of XLA's profiles their tags. */
#include "analyze/timeline/run_events.h"

#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"

#include <math.h>
#include <stdio.h>

struct to {
	const struct tp_profile *profile;
	void (*put)(void *with, const struct tp_run_argument *argument);
	void *with;
};

static void
put_text(struct to to, const char *key, struct tp_slice text)
{
	if (text.len != 0)
		to.put(to.with, &(struct tp_run_argument){.key = key, .text = text});
}

static void
put_string(struct to to, const char *key, int64_t id)
{
	if (id > 0 && id <= UINT32_MAX)
		put_text(to, key, tp_string(&to.profile->strings, (uint32_t)id));
}

static void
put_number(struct to to, const char *key, int64_t number)
{
	to.put(to.with, &(struct tp_run_argument){.key = key, .number = number});
}

static void
put_three(struct to to, const char *key, const uint32_t of[3])
{
	char text[48];
	int length = snprintf(text, sizeof text, "[%u, %u, %u]", of[0], of[1], of[2]);

	put_text(to, key, (struct tp_slice){text, (size_t)length});
}

static void
put_operator(struct to to, const struct tp_torch_attributes *at)
{
	put_string(to, "Input Dims", at->shapes);
	put_string(to, "Input type", at->types);
	put_string(to, "Concrete Inputs", at->inputs);
	put_string(to, "Module Hierarchy", at->modules);
	put_string(to, "Call stack", at->stack);
	if (at->flops != 0 && at->flops <= INT64_MAX)
		put_number(to, "FLOPs", (int64_t)at->flops);
}

static void
put_launch(struct to to, const struct tp_torch_launch *l)
{
	put_three(to, "grid", l->grid);
	put_three(to, "block", l->block);
	if (l->has_registers)
		put_number(to, "registers per thread", l->registers);
	if (l->has_shared)
		put_number(to, "shared memory", l->shared_bytes);
	if (isfinite(l->occupancy))
		put_number(to, "est. achieved occupancy %", (int64_t)lround(l->occupancy * 100.0));
}

static void
put_work(struct to to, const struct tp_torch_trace *t, const struct tp_torch_work *work)
{
	if (work->bytes >= 0)
		put_number(to, "bytes", work->bytes);
	if (work->collective < t->collective_count) {
		const struct tp_torch_collective *c = &t->collectives[work->collective];

		put_text(to, "Collective name", c->name);
		put_text(to, "dtype", c->dtype);
		if (c->in_elements >= 0)
			put_number(to, "In msg nelems", c->in_elements);
		if (c->out_elements >= 0)
			put_number(to, "Out msg nelems", c->out_elements);
	}
	if (work->launch < t->launch_count)
		put_launch(to, &t->launches[work->launch]);
}

static void
put_torch(struct to to, const struct tp_torch_trace *t, uint32_t event)
{
	uint32_t detail = t->detail[event];

	if (detail == TP_NONE)
		return;
	if (tp_torch_is_range(t->kind[event]) && t->operators[detail].attributes < t->attribute_count)
		put_operator(to, &t->attributes[t->operators[detail].attributes]);
	else if (tp_torch_is_work(t->kind[event]))
		put_work(to, t, &t->works[detail]);
	else if (t->kind[event] == TP_TORCH_PYTHON)
		put_string(to, "called from", t->pythons[detail].called_from);
}

/* By tag; NULL: it links events, and is no argument. */
static const struct {
	const char *key;
	bool text;
} tags[TP_TAG_COUNT] = {
	[TP_TAG_STEP_NUMBER] = {"step_num", false},
	[TP_TAG_RUN] = {"run_id", false},
	[TP_TAG_ITERATION] = {"iter_num", false},
	[TP_TAG_SHAPE] = {"shapes", true},
	[TP_TAG_FLOPS] = {"flops", false},
	[TP_TAG_BYTES] = {"bytes", false},
	[TP_TAG_KERNEL] = {"kernel_details", true},
	[TP_TAG_COPY] = {"memcpy_details", true},
	[TP_TAG_FRAMEWORK] = {"tf_op", true},
	[TP_TAG_HLO_OP] = {"hlo_op", true},
	[TP_TAG_ANNOTATION] = {"annotation", true},
	[TP_TAG_EQUATION] = {"equation", true},
	[TP_TAG_DMA_STALL] = {"dma_stall_duration_ps", false},
	[TP_TAG_PARALLELISM] = {"parallelism", false},
	[TP_TAG_STAGE_CATEGORY] = {"stage_category", true},
};

static void
put_tags(struct to to, const struct tp_line *line, uint32_t event)
{
	for (size_t i = TP_FIRST_WHERE(k, line->tag_count, line->tags[k].event >= event);
		 i < line->tag_count && line->tags[i].event == event; i++) {
		const struct tp_tag *tag = &line->tags[i];

		if (tag->key >= TP_TAG_COUNT || tags[tag->key].key == NULL)
			continue;
		if (tags[tag->key].text)
			put_string(to, tags[tag->key].key, tag->value);
		else
			put_number(to, tags[tag->key].key, tag->value);
	}
}

void
tp_run_arguments(const struct tp_run_events *e, size_t track, uint64_t number,
	void (*put)(void *with, const struct tp_run_argument *argument), void *with)
{
	const struct tp_run_of *of = e->of;
	const struct tp_run_line *line = &of->lines[track];
	struct to to = {of->profile, put, with};

	if (line->torch != NULL)
		put_torch(to, line->torch, line->first + (uint32_t)number);
	else
		put_tags(to, line->line, (uint32_t)number);
}
