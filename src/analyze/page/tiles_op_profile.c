/* Tiles of an op profile that a profiler left. */
#include "analyze/core/say.h"
#include "analyze/ops/op_profile.h"
#include "analyze/page/summary.h"

#include <math.h>

static size_t
add(struct tp_doc *doc, struct tp_tile *list, size_t room, struct tp_tile tile)
{
	const struct tp_metric *m = tp_doc_find_metric(doc, tile.metric);

	if (room == 0 || m == NULL || !tp_known(m->value))
		return 0;
	tile.value = m->value;
	*list = tile;
	return 1;
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, const struct tp_ops *o, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "low · ", "fair · "};
	bool all = isfinite(o->flops_share);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/flops"),
		.label = TP_S("FLOPS utilisation"),
		.metric = all ? TP_S("flops.utilization_share") : TP_S("flops.busy_utilization_share"),
	};

	t.note[0] = TP_SAY(doc, "{}of the peak", tp_tile_judge(ctx, "TPR-FLOPS-001", words, &t));
	t.note[1] = all ? TP_SAY0(doc, "{flops.busy_utilization_share} while busy")
					: TP_SAY0(doc, "while busy");
	return t;
}

static struct tp_tile
busy_tile(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p, struct tp_doc *doc)
{
	static const char *const words[] = {"low · ", "medium · ", "high · "};
	double busy_ps = (double)p->ops.busy_ps;
	struct tp_tile t = {
		.id = TP_S("summary/tiles/busy"),
		.label = TP_S("Device busy"),
		.metric = TP_S("device.busy_share"),
	};

	t.note[0] =
		TP_SAY(doc, "{}idle {device.idle_share}", tp_tile_judge(ctx, "TPR-IDLE-002", words, &t));
	t.note[1] = TP_SAY(doc, "{} of {}", tp_number(busy_ps, TP_UNIT_PS),
		tp_number(busy_ps + p->idle_ps, TP_UNIT_PS));
	return t;
}

size_t
tp_op_profile_tiles(const struct tp_pass_ctx *ctx, const struct tp_op_profile *p,
	struct tp_doc *doc, struct tp_tile *list, size_t room)
{
	size_t n = 0;

	n += add(doc, list + n, room - n, flops_tile(ctx, &p->ops, doc));
	n += add(doc, list + n, room - n, busy_tile(ctx, p, doc));
	n += add(doc, list + n, room - n,
		(struct tp_tile){
			.id = TP_S("summary/tiles/wasted"),
			.label = TP_S("Busy time wasted"),
			.metric = TP_S("op.wasted_share"),
			.note = {TP_SAY0(doc, "neither arithmetic nor"), TP_SAY0(doc, "memory at its limit")},
		});
	return n;
}
