#include "analyze/page/tiles.h"

#include "analyze/judge/findings.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm_present.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch/operators/torch_ops.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/doc.h"

#include <math.h>

static struct tp_tile
gpu_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_torch_gpus *g)
{
	static const char *const words[] = {"low · ", "medium · ", "enough · "};
	struct tp_torch_gpu_use all = tp_torch_gpus_sum(g, TP_NONE);
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/gpu", "GPU utilisation", "torch.gpu.utilization_share");

	const struct tp_finding_result *talk = tp_finding_of(ctx, "TPR-COMM-002");
	bool mostly_talk = talk != NULL && talk->status == TP_FINDING_OPEN &&
		(tp_finding_of(ctx, "TPR-GPU-001") == NULL ||
			tp_finding_of(ctx, "TPR-GPU-001")->status != TP_FINDING_OPEN);
	/* Kernels of collectives run as well: that a GPU is in use by waiting for others is nothing to praise. */
	struct tp_value word =
		mostly_talk ? tp_text_value(TP_S("")) : tp_tile_judge(ctx, "TPR-GPU-001", words, &t);

	/* The GPU that is used least is judged, the tile's figure is of all: the mark stands beside what it is of. */
	t.note[0] = mostly_talk
		? TP_SAY(doc, "{} of a step is collectives", tp_number(talk->measured, TP_UNIT_SHARE))
		: g->count > 1 && t.finding.len != 0
		? TP_SAY(doc, tp_torch_gpus_are_one(ctx, g) ? "lowest in a span: {}" : "least used: {}",
			  tp_number(tp_finding_of(ctx, "TPR-GPU-001")->measured, TP_UNIT_SHARE))
		: TP_SAY(doc, "{}kernel time", word);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);

	/* The bar below is of the steps that all workers have. */
	t.note[1] = s != NULL && s->incomplete != 0
		? TP_SAY(doc, "of {} of all steps", tp_number((double)all.window_ps, TP_UNIT_PS))
		: all.filled_known ? TP_SAY0(doc, "SM efficiency {torch.gpu.sm_efficiency_share}")
						   : TP_SAY(doc, s != NULL ? "of {} of steps" : "of {} of its work",
								 tp_number((double)all.window_ps, TP_UNIT_PS));
	return t;
}

/* Why no FLOP are known, in two lines. */
static void
say_no_flop(const struct tp_torch_ops *o, struct tp_doc *doc, struct tp_tile *t)
{
	static const char *const lines[][2] = {
		[TP_TORCH_NO_SHAPES] = {"not recorded: capture with", "`record_shapes=True`"},
		[TP_TORCH_NO_OPERATORS] = {"no operators", "recorded"},
		[TP_TORCH_NO_PRODUCTS] = {"no matmuls to count", "nor convolutions, attention"},
		[TP_TORCH_NO_USE_OF_SHAPES] = {"unknown: input shapes", "of matmuls give no FLOP"},
	};
	enum tp_torch_no_flop why = o != NULL ? o->no_flop : TP_TORCH_NO_SHAPES;

	for (size_t i = 0; i < 2; i++)
		t->note[i] = TP_SAY0(doc, lines[why][i]);
}

static struct tp_tile
flops_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	bool counted = tp_known(tp_doc_value(doc, "torch.op.flop"));
	/* Products that were captured into a graph took no time themselves. */
	bool timed = tp_known(tp_doc_value(doc, "torch.op.flop_per_s"));
	bool rated = tp_known(tp_doc_value(doc, "torch.op.flop_peak_share"));
	struct tp_tile t = tp_doc_tile(
		doc, "summary/tiles/flops", "FLOPS utilisation", "torch.flops.utilization_share");

	if (!counted) {
		say_no_flop(tp_result(ctx, &tp_pass_torch_ops), doc, &t);
		return t;
	}
	t.note[0] = tp_known(t.value) ? TP_SAY0(doc, "at least, of {flops.peak_per_s}")
		: rated                   ? TP_SAY0(doc, "known for few operators")
		: !timed                  ? TP_SAY0(doc, "matmuls ran no kernels:")
								  : TP_SAY0(doc, "the peak is unknown");
	t.note[1] = tp_known(t.value) && rated ? TP_SAY0(doc, "{torch.op.flop_peak_share} in matmuls")
		: timed                            ? TP_SAY0(doc, "{torch.op.flop_per_s} in matmuls")
										   : TP_SAY0(doc, "captured as a graph?");
	return t;
}

/* By the share of the device's memory, where that is known, as the finding on it. */
static void
judge_memory(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *t)
{
	static const char *const words[] = {"tight · ", "tight · ", "fits · "};
	struct tp_value share = tp_doc_value(doc, "torch.memory.peak_share");
	struct tp_value unused = tp_doc_value(doc, "torch.memory.unused_at_peak_bytes");

	if (!tp_known(share)) {
		t->note[0] = TP_SAY0(doc, "allocated at once");
		t->note[1] = TP_SAY0(doc, "at {torch.memory.peak_time_ms}");
		return;
	}
	t->note[0] = TP_SAY(doc, "{}{torch.memory.peak_share} of {torch.memory.capacity_bytes}",
		tp_tile_judge(ctx, "TPR-OOM-004", words, t));
	if (tp_known(unused))
		t->note[1] = TP_SAY0(doc, "{torch.memory.unused_at_peak_bytes} more reserved");
}

static struct tp_tile
memory_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	bool asked = (tp_torch_asked_for(ctx->profile->torch) & TP_TORCH_MEMORY) != 0 ||
		tp_known(tp_doc_value(doc, "torch.memory.growth_bytes"));
	struct tp_tile t =
		tp_doc_tile(doc, "summary/tiles/memory", "Memory peak", "torch.memory.peak_bytes");

	if (tp_known(t.value)) {
		judge_memory(ctx, doc, &t);
		return t;
	}
	t.note[0] = asked ? TP_SAY0(doc, "requested, but no total") : TP_SAY0(doc, "not recorded: add");
	t.note[1] = asked ? TP_SAY0(doc, "is recorded") : TP_SAY0(doc, "`profile_memory=True`");
	return t;
}

size_t
tp_torch_tiles(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_tile *list)
{
	const struct tp_torch_gpus *g = tp_result(ctx, &tp_pass_torch_gpus);
	size_t n = 0;

	if (g != NULL) {
		list[n++] = gpu_tile(ctx, doc, g);
		list[n++] = flops_tile(ctx, doc);
	}
	if (tp_doc_find_metric(doc, TP_S("torch.memory.peak_bytes")) != NULL)
		list[n++] = memory_tile(ctx, doc);
	return n;
}

struct tp_tile
tp_torch_communication_tile(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	static const char *const words[] = {"high · ", "watch · ", "low · "};
	const struct tp_torch_comm *c = tp_result(ctx, &tp_pass_torch_comm);
	double waits_us = c->wait_mean_ps / 1e6;
	struct tp_tile t = tp_doc_tile(
		doc, "summary/tiles/communication", "Exposed communication", "torch.comm.communication_us");

	t.note[0] = TP_SAY(doc, "{}{} of a step", tp_tile_judge(ctx, "TPR-COMM-002", words, &t),
		tp_number(tp_torch_comm_exposed_share(ctx, c), TP_UNIT_SHARE));
	/* Waiting may be hidden, too: then all of the exposed time may be. */
	t.note[1] = c->calls == 0 ? TP_SAY0(doc, "no collective recorded")
		: tp_torch_comm_partly_hidden(ctx, c)
		? TP_SAY0(doc, "of {step.class.collective_ms} of collectives")
		: isfinite(waits_us)
		/* Workers that are not here may be faster or later. */
		? TP_SAY(doc,
			  (int64_t)c->workers < c->world_size ? "at least {} of it is waiting"
												  : "at most {} of it is waiting",
			  tp_number(fmin(waits_us, t.value.number), TP_UNIT_US))
		: TP_SAY0(doc, "waits: other traces needed");
	return t;
}
