/* The order of traces, and the numbers of their spans. */
#include "model/torch_order.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "model/profile.h"
#include "model/torch.h"

#include <stdlib.h>

static int
by_worker(const void *left, const void *right)
{
	const struct tp_torch_trace *a = *(struct tp_torch_trace *const *)left;
	const struct tp_torch_trace *b = *(struct tp_torch_trace *const *)right;
	int order = tp_slice_cmp(a->run, b->run);

	if (order == 0)
		order = tp_slice_cmp(a->worker, b->worker);
	if (order == 0)
		order = tp_slice_cmp(a->span, b->span);
	return order != 0 ? order : a->input < b->input ? -1 : a->input > b->input;
}

static bool
same_worker(const struct tp_torch_trace *a, const struct tp_torch_trace *b)
{
	return tp_slice_eq(a->run, b->run) && tp_slice_eq(a->worker, b->worker);
}

/* Texts come from outside; as in the rest of a profile they become valid UTF-8 here. */
static void
clean_texts(struct tp_torch_trace *t, struct tp_arena *a)
{
	struct tp_slice *texts[] = {&t->worker, &t->span, &t->node, &t->process, &t->run, &t->framework,
		&t->distributed.backend, &t->distributed.nccl_version};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		*texts[i] = tp_utf8_clean(a, *texts[i]);
}

const struct tp_torch *
tp_torch_in_order(struct tp_profile *p, struct tp_torch_trace *const *traces, uint32_t count)
{
	struct tp_arena *a = p->arena;

	if (count == 0)
		return NULL;
	struct tp_torch_trace **sorted = tp_new_array(a, struct tp_torch_trace *, count);
	struct tp_torch *torch = tp_new(a, struct tp_torch);

	memcpy(sorted, traces, count * sizeof(struct tp_torch_trace *));
	qsort(sorted, count, sizeof(struct tp_torch_trace *), by_worker);
	for (uint32_t i = 0; i < count; i++) {
		bool same = i > 0 && same_worker(sorted[i - 1], sorted[i]);

		sorted[i]->span_number = same ? sorted[i - 1]->span_number + 1 : 1;
		torch->worker_count += !same;
		clean_texts(sorted[i], a);
	}
	torch->traces = sorted;
	torch->trace_count = count;
	return torch;
}
