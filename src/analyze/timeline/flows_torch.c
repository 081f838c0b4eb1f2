/* Flows of PyTorch traces: from calls to the device work that they launch, from forward operators to their backward ones. */
#include "analyze/core/pass.h"
#include "analyze/timeline/flows.h"
#include "analyze/torch_steps/torch_correlation.h"
#include "base/arena.h"
#include "base/map.h"
#include "model/torch.h"

static bool
end_of(const struct tp_flows *f, const struct tp_torch_trace *t, uint32_t event,
	struct tp_flow_end *end)
{
	const struct tp_torch_lane *lane = &t->lanes[tp_torch_lane_of(t, event)];
	uint32_t place =
		lane->line < f->t->profile->line_count ? f->place_of_line[lane->line] : TP_NONE;

	*end = (struct tp_flow_end){place, event - lane->first};
	return place != TP_NONE && end->event < f->t->lines[place].line->count;
}

static void
add(struct tp_flows *f, enum tp_flow_kind kind, const struct tp_torch_trace *t, uint32_t from,
	uint32_t to)
{
	struct tp_flow_end a, b;

	if (end_of(f, t, from, &a) && end_of(f, t, to, &b))
		tp_flow_add(f, kind, a, b);
}

/* Of the operators with a sequence number the innermost, which began last, is the forward one that recorded it, and the backward one
 * that does the work: what kineto's own flows join. */
static void
add_backward(struct tp_flows *f, const struct tp_torch_trace *t)
{
	struct tp_map number;
	struct {
		uint32_t forward, backward;
		bool several;
	} *pairs = tp_new_array(f->ctx->scratch, typeof(*pairs), t->operator_count);
	uint32_t count = 0;

	tp_map_init(&number, f->ctx->scratch);
	for (uint32_t e = 0; e < t->count; e++) {
		const struct tp_torch_operator *op;
		uint32_t at;

		if (t->kind[e] != TP_TORCH_OPERATOR || t->detail[e] == TP_NONE)
			continue;
		op = &t->operators[t->detail[e]];
		if (op->sequence < 0)
			continue;
		if (tp_map_number(&number, (uint64_t)op->sequence, &at)) {
			pairs[at].forward = pairs[at].backward = TP_NONE;
			count++;
		}
		uint32_t *place = op->forward_thread == 0 ? &pairs[at].forward : &pairs[at].backward;

		/* Threads count by themselves: the same number on two of them is of two operators. */
		pairs[at].several |=
			*place != TP_NONE && tp_torch_lane_of(t, *place) != tp_torch_lane_of(t, e);
		if (*place == TP_NONE || tp_torch_start_ps(t, e) > tp_torch_start_ps(t, *place))
			*place = e;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = pairs[i].forward, to = pairs[i].backward;

		if (!pairs[i].several && from != TP_NONE && to != TP_NONE &&
			tp_torch_start_ps(t, from) < tp_torch_start_ps(t, to))
			add(f, TP_FLOW_BACKWARD, t, from, to);
	}
}

void
tp_flows_backward(struct tp_flows *f)
{
	const struct tp_torch *torch = f->t->profile->torch;

	for (uint32_t i = 0; i < torch->trace_count; i++)
		add_backward(f, torch->traces[i]);
}

void
tp_flows_of_torch(struct tp_flows *f)
{
	const struct tp_torch *torch = f->t->profile->torch;
	const struct tp_torch_correlated *links = tp_result(f->ctx, &tp_pass_torch_correlation);

	for (uint32_t i = 0; i < torch->trace_count && links != NULL; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		const uint32_t *call = links->traces[i].call;

		for (uint32_t e = 0; e < t->count && call != NULL; e++) {
			if (tp_torch_is_work(t->kind[e]) && call[e] != TP_NONE)
				add(f, TP_FLOW_LAUNCH, t, call[e], e);
		}
	}
	if (links != NULL)
		tp_flows_backward(f);
}
