/* One event by the walk over JSON, however it is written. */
#include "ingest/torch_event.h"

#include <math.h>

#include "codec/json_number.h"
#include "codec/json_pull.h"
#include "ingest/torch_member.h"
#include "model/torch.h"

const struct tp_torch_event tp_torch_no_event = {
	.category = TP_TORCH_CATEGORY_NONE,
	.correlation = -1,
	.external_id = -1,
	.sequence = -1,
	.forward_thread = -1,
	.flops = -1,
	.python_id = -1,
	.python_parent = -1,
	.python_module = -1,
	.device = -1,
	.stream = -1,
	.bytes = INT64_MIN,
	.graph = -1,
	.registers = -1,
	.shared_bytes = -1,
	.device_type = -1,
	.device_id = -1,
	.address = -1,
	.allocated_bytes = -1,
	.reserved_bytes = -1,
	.in_elements = -1,
	.out_elements = -1,
	.group_size = -1,
	.rank = -1,
	.rank_start = -1,
	.rank_stride = -1,
	.from_rank = -1,
	.to_rank = -1,
	.peer = -1,
	.blocks_per_sm = NAN,
	.warps_per_sm = NAN,
	.occupancy_percent = NAN,
};

static bool
is_text(const struct tp_pull *j)
{
	return j->type == TP_PULL_STRING || j->type == TP_PULL_NUMBER;
}

/* A list of up to three whole numbers ≥ 0; what is not one of these is taken for 0, and all for absent. */
static bool
three(struct tp_pull *j, uint32_t out[static 3])
{
	uint32_t n[3] = {0};
	size_t count = 0;

	if (j->type != TP_PULL_ARRAY)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		int64_t number = 0;

		if (count < 3 && j->type == TP_PULL_NUMBER && tp_decimal_integer(j->text, &number) &&
			number >= 0 && number <= UINT32_MAX)
			n[count] = (uint32_t)number;
		count++;
		if (!tp_pull_skip(j))
			return false;
	}
	memcpy(out, n, sizeof n);
	return j->state == TP_PULL_MORE;
}

/* The third input of c10d::send(tensors, group, rank, tag) and recv_. */
static bool
peer(struct tp_pull *j, int64_t *out)
{
	for (size_t at = 0; tp_pull_item(j); at++) {
		int64_t rank;

		if (at == 2 && is_text(j) && tp_decimal_integer(j->text, &rank))
			*out = rank;
		if (!tp_pull_skip(j))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

static bool
is_list(const struct tp_pull *j)
{
	return j->type == TP_PULL_OBJECT || j->type == TP_PULL_ARRAY;
}

static bool
take(struct tp_torch_events *x, struct tp_pull *j, const struct tp_torch_member *m,
	struct tp_torch_event *e)
{
	void *to = (char *)e + m->at;
	struct tp_slice raw;

	if (m->form == TP_TORCH_THREE)
		return three(j, to);
	if (m->form == TP_TORCH_INPUTS && j->type == TP_PULL_ARRAY && tp_torch_names_peer(x, e))
		return peer(j, &e->peer);
	if (!is_list(j) ||
		!(m->form == TP_TORCH_TEXT ||
			(m->form == TP_TORCH_INPUTS && tp_torch_keeps_inputs(x, e)))) {
		tp_torch_set(x, m, j->type, j->text, e);
		return tp_pull_skip(j);
	}
	if (!tp_pull_raw(j, &raw))
		return false;
	*(uint32_t *)to = tp_torch_list(x, raw);
	return true;
}

static bool
read_arguments(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e)
{
	if (j->type != TP_PULL_OBJECT)
		return tp_pull_skip(j);
	while (tp_pull_item(j)) {
		const struct tp_torch_member *m = tp_torch_argument(x, j->key);

		if (!(m == NULL ? tp_pull_skip(j) : take(x, j, m, e)))
			return false;
	}
	return j->state == TP_PULL_MORE;
}

bool
tp_torch_event_read(struct tp_torch_events *x, struct tp_pull *j, struct tp_torch_event *e)
{
	*e = tp_torch_no_event;
	while (tp_pull_item(j)) {
		const struct tp_torch_member *m = tp_torch_member(j->key);
		bool goes_on = m == NULL            ? tp_pull_skip(j)
			: m->form == TP_TORCH_ARGUMENTS ? read_arguments(x, j, e)
											: take(x, j, m, e);

		if (!goes_on)
			return false;
	}
	return j->state == TP_PULL_MORE;
}
