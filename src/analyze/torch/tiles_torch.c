#include "analyze/torch/tiles_torch.h"

#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/torch_gpus.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

/* Of a step: the limits of the finding on it (rules_torch.c), with a first hint before. */
#define EXPOSED_HIGH 0.20
#define EXPOSED_MEDIUM 0.03

/* Below these shares the GPU mostly waits, and waits at times. */
#define LOW_SHARE 0.5
#define FAIR_SHARE 0.9
/* Above this share of the device's memory a little more does not fit: torch-tb-profiler's limit. */
#define TIGHT_SHARE 0.9

static struct tp_tile
gpu_tile(struct tp_doc *doc, const struct tp_torch_gpus *g)
{
	struct tp_torch_gpu_use all = tp_torch_gpus_sum(g, TP_NONE);
	struct tp_value value = tp_torch_gpu_utilization(&all);
	double share = tp_known(value) ? value.number : 1;

	return (struct tp_tile){
		.id = TP_S("summary/tiles/gpu"),
		.label = TP_S("GPU utilisation"),
		.metric = TP_S("torch.gpu.utilization_share"),
		.value = value,
		.judge = share < LOW_SHARE ? TP_JUDGE_BAD
			: share < FAIR_SHARE   ? TP_JUDGE_WARN
								   : TP_JUDGE_GOOD,
		.note = {share < LOW_SHARE   ? TP_SAY0(doc, "low · kernel time")
				: share < FAIR_SHARE ? TP_SAY0(doc, "medium · kernel time")
									 : TP_SAY0(doc, "high · kernel time"),
			all.filled_known
				? TP_SAY0(doc, "SM efficiency {torch.gpu.sm_efficiency_share}")
				: TP_SAY(doc, "of {} of steps", tp_number((double)all.window_ps, TP_UNIT_PS))},
	};
}

static struct tp_tile
flops_tile(struct tp_doc *doc)
{
	struct tp_value value = tp_doc_find_metric(doc, TP_S("torch.flops.utilization_share"))->value;
	bool counted = tp_known(tp_doc_find_metric(doc, TP_S("torch.op.flop"))->value);
	/* Products that were captured into a graph took no time themselves. */
	bool timed = tp_known(tp_doc_find_metric(doc, TP_S("torch.op.flop_per_s"))->value);
	bool rated = tp_known(tp_doc_find_metric(doc, TP_S("torch.op.flop_peak_share"))->value);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/flops"),
		.label = TP_S("FLOPS utilisation"),
		.metric = TP_S("torch.flops.utilization_share"),
		.value = value,
	};

	t.note[0] = tp_known(value) ? TP_SAY0(doc, "at least, of {flops.peak_per_s}")
		: rated                 ? TP_SAY0(doc, "known of few operators")
		: counted && !timed     ? TP_SAY0(doc, "no device time of theirs")
		: counted               ? TP_SAY0(doc, "the peak is not known")
								: TP_SAY0(doc, "not recorded: capture with");
	t.note[1] = tp_known(value) && rated ? TP_SAY0(doc, "{torch.op.flop_peak_share} in products")
		: timed                          ? TP_SAY0(doc, "{torch.op.flop_per_s} in products")
		: counted                        ? TP_SAY0(doc, "{torch.op.flop} in products")
										 : TP_SAY0(doc, "`record_shapes=True`");
	return t;
}

/* By the share of the device's memory, where that is known, as the finding on it. */
static void
judge_memory(struct tp_doc *doc, struct tp_tile *t)
{
	struct tp_value share = tp_doc_find_metric(doc, TP_S("torch.memory.peak_share"))->value;
	struct tp_value unused =
		tp_doc_find_metric(doc, TP_S("torch.memory.unused_at_peak_bytes"))->value;

	if (!tp_known(share)) {
		t->note[0] = TP_SAY0(doc, "allocated at once");
		t->note[1] = TP_SAY0(doc, "at {torch.memory.peak_time_ms}");
		return;
	}
	t->judge = share.number >= TIGHT_SHARE ? TP_JUDGE_WARN : TP_JUDGE_GOOD;
	t->note[0] = share.number >= TIGHT_SHARE
		? TP_SAY0(doc, "tight · {torch.memory.peak_share} of {torch.memory.capacity_bytes}")
		: TP_SAY0(doc, "fits · {torch.memory.peak_share} of {torch.memory.capacity_bytes}");
	if (tp_known(unused))
		t->note[1] = TP_SAY0(doc, "{torch.memory.unused_at_peak_bytes} more reserved");
}

static struct tp_tile
memory_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_value value)
{
	bool asked = (tp_torch_asked_for(ctx->profile->torch) & TP_TORCH_MEMORY) != 0 ||
		tp_known(tp_doc_find_metric(doc, TP_S("torch.memory.growth_bytes"))->value);
	struct tp_tile t = {
		.id = TP_S("summary/tiles/memory"),
		.label = TP_S("Memory peak"),
		.metric = TP_S("torch.memory.peak_bytes"),
		.value = value,
	};

	if (tp_known(value)) {
		judge_memory(doc, &t);
		return t;
	}
	t.note[0] = asked ? TP_SAY0(doc, "no total recorded") : TP_SAY0(doc, "not recorded: add");
	t.note[1] =
		asked ? TP_SAY0(doc, "though it was asked for") : TP_SAY0(doc, "`profile_memory=True`");
	return t;
}

size_t
tp_torch_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list)
{
	const struct tp_torch_gpus *g = tp_result(ctx, &tp_pass_torch_gpus);
	const struct tp_metric *memory = tp_doc_find_metric(doc, TP_S("torch.memory.peak_bytes"));
	size_t n = 0;

	if (g != NULL) {
		list[n++] = gpu_tile(doc, g);
		list[n++] = flops_tile(doc);
	}
	if (memory != NULL)
		list[n++] = memory_tile(ctx, doc, memory->value);
	return n;
}

struct tp_tile
tp_torch_communication_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	double share = tp_torch_comm_exposed_share(ctx);
	struct tp_value of_step = tp_number(share, TP_UNIT_SHARE);
	struct tp_value sync = tp_doc_find_metric(doc, TP_S("torch.comm.sync_us"))->value;

	return (struct tp_tile){
		.id = TP_S("summary/tiles/communication"),
		.label = TP_S("Exposed communication"),
		.metric = TP_S("torch.comm.communication_us"),
		.value = tp_doc_find_metric(doc, TP_S("torch.comm.communication_us"))->value,
		.judge = share >= EXPOSED_HIGH ? TP_JUDGE_BAD
			: share >= EXPOSED_MEDIUM  ? TP_JUDGE_WARN
									   : TP_JUDGE_GOOD,
		.note = {share >= EXPOSED_HIGH    ? TP_SAY(doc, "high · {} of a step", of_step)
				: share >= EXPOSED_MEDIUM ? TP_SAY(doc, "watch · {} of a step", of_step)
										  : TP_SAY(doc, "low · {} of a step", of_step),
			tp_known(sync) ? TP_SAY(doc, "{} a step is waiting", sync)
						   : TP_SAY0(doc, "waits: other traces needed")},
	};
}
