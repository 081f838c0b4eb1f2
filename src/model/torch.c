/* Questions about PyTorch traces: whose event that is, and what a file's name says. */
#include "model/torch.h"

#include "base/order.h"
#include "base/path.h"
#include "model/profile.h"

const struct tp_torch_gpu *
tp_torch_gpu_of(const struct tp_torch_trace *t, uint32_t gpu)
{
	for (uint32_t i = 0; i < t->gpu_count; i++) {
		if (t->gpus[i].id == gpu)
			return &t->gpus[i];
	}
	return NULL;
}

unsigned
tp_torch_asked_for(const struct tp_torch *torch)
{
	unsigned asked = 0;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		asked |= torch->traces[i]->asked;
	return asked;
}

uint32_t
tp_torch_lane_of(const struct tp_torch_trace *t, uint32_t event)
{
	/* The last lane that begins at or before the event; lanes are never empty. */
	size_t behind = TP_FIRST_WHERE(i, t->lane_count, t->lanes[i].first > event);

	return behind != 0 ? (uint32_t)behind - 1 : 0;
}

struct tp_slice
tp_torch_name(const struct tp_profile *p, const struct tp_torch_trace *t, uint32_t event)
{
	return p->ops[t->op[event]].label;
}

static bool
is_number(struct tp_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
	}
	return s.len != 0;
}

/* The part of s before `mark`; all of it when that does not occur. */
static struct tp_slice
before(struct tp_slice s, struct tp_slice mark)
{
	const char *at = s.len ? memmem(s.ptr, s.len, mark.ptr, mark.len) : NULL;

	return at == NULL ? s : (struct tp_slice){s.ptr, (size_t)(at - s.ptr)};
}

void
tp_torch_split_name(struct tp_slice file, struct tp_slice *worker, struct tp_slice *span)
{
	struct tp_slice name = tp_path_name(file);
	struct tp_slice stem = before(name, TP_S(".pt.trace.json"));

	*span = TP_S("");
	*worker = stem;
	if (stem.len == name.len) {
		*worker = before(name, TP_S(".json"));
		return;
	}
	const char *dot = stem.len ? memrchr(stem.ptr, '.', stem.len) : NULL;

	if (dot == NULL || dot == stem.ptr)
		return;
	struct tp_slice last = tp_slice_from(stem, (size_t)(dot - stem.ptr) + 1);

	if (is_number(last)) {
		*span = last;
		worker->len = (size_t)(dot - stem.ptr);
	}
}

void
tp_torch_split_worker(struct tp_slice worker, struct tp_slice *node, struct tp_slice *process)
{
	*node = worker;
	*process = TP_S("");
	for (size_t i = worker.len; i-- > 1;) {
		size_t end = i + 1;

		if (worker.ptr[i] != '_')
			continue;
		while (end < worker.len && worker.ptr[end] >= '0' && worker.ptr[end] <= '9')
			end++;
		if (end > i + 1) {
			node->len = i;
			*process = (struct tp_slice){worker.ptr + i + 1, end - i - 1};
			return;
		}
	}
}
