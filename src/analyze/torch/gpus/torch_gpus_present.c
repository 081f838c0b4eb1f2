/* What the report says about the GPUs of PyTorch traces. */
#include "analyze/torch/gpus/torch_gpus.h"

#include "analyze/core/say.h"
#include "analyze/facts/op_times.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/gpus/torch_gpus_words.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

struct tp_torch_gpu_use
tp_torch_gpus_sum(const struct tp_torch_gpus *g, uint32_t trace)
{
	struct tp_torch_gpu_use sum = {.trace = trace, .gpu = TP_NONE, .device = TP_NONE};

	for (size_t i = 0; i < g->count; i++) {
		const struct tp_torch_gpu_use *u = &g->uses[i];

		if (trace != TP_NONE && u->trace != trace)
			continue;
		sum.window_ps = tp_add_ps(sum.window_ps, u->window_ps);
		sum.running_ps = tp_add_ps(sum.running_ps, u->running_ps);
		sum.filled_ps += u->filled_ps;
		sum.filled_known |= u->filled_known;
		sum.occupied_ps += u->occupied_ps;
		sum.occupied_of_ps += u->occupied_of_ps;
		sum.occupancy_worked_out |= u->occupancy_worked_out;
		sum.kernel_ps = tp_add_ps(sum.kernel_ps, u->kernel_ps);
		sum.collective_ps = tp_add_ps(sum.collective_ps, u->collective_ps);
		sum.tensor_ps = tp_add_ps(sum.tensor_ps, u->tensor_ps);
		sum.untold_ps = tp_add_ps(sum.untold_ps, u->untold_ps);
		sum.tensor_cores = u->tensor_cores > sum.tensor_cores ? u->tensor_cores : sum.tensor_cores;
		sum.kernels += u->kernels;
	}
	return sum;
}

struct tp_value
tp_torch_gpu_utilization(const struct tp_torch_gpu_use *u)
{
	return tp_share((double)u->running_ps, (double)u->window_ps, TP_S(why_no_length));
}

static struct tp_value
sm_efficiency(const struct tp_torch_gpu_use *u)
{
	if (!u->filled_known)
		return tp_missing(TP_S(why_no_blocks));
	return tp_share(u->filled_ps, (double)u->window_ps, TP_S(why_no_length));
}

static struct tp_value
occupancy(const struct tp_torch_gpu_use *u)
{
	return tp_occupancy_value(u->occupied_ps / u->occupied_of_ps, TP_S(why_no_occupancy));
}

static struct tp_value
tensor_core(const struct tp_torch_gpu_use *u)
{
	if (u->tensor_cores != TP_TENSOR_CORES_THERE)
		return tp_missing(tp_slice_of(tp_no_tensor_cores(u->tensor_cores)));
	return tp_share((double)u->tensor_ps, (double)u->kernel_ps, TP_S(why_no_kernel_time));
}

static const struct {
	const char *id, *label, *how;
	struct tp_value (*value)(const struct tp_torch_gpu_use *u);
} figures[] = {
	{"torch.gpu.utilization_share", "GPU utilisation", how_utilization, tp_torch_gpu_utilization},
	{"torch.gpu.sm_efficiency_share", "Est. SM efficiency", how_sm_efficiency, sm_efficiency},
	{"torch.gpu.occupancy_share", "Est. achieved occupancy", how_occupancy, occupancy},
	{"torch.gpu.tensor_core_share", "Kernel time on tensor cores", how_tensor_cores, tensor_core},
};
enum { FIGURES = sizeof figures / sizeof *figures };

static void
scoped_metrics(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g, struct tp_doc *doc)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct tp_torch_gpu_use *u = &g->uses[i];
		struct tp_scope scope = tp_torch_scope(ctx, ctx->profile->torch->traces[u->trace]);
		struct tp_torch_gpu_use all = tp_torch_gpus_sum(g, u->trace);
		bool first = i == 0 || g->uses[i - 1].trace != u->trace;

		for (size_t f = 0; first && f < FIGURES; f++)
			tp_doc_metric_for(doc, figures[f].id, scope, figures[f].value(&all), TP_S(""));
		scope.device = tp_arena_printf(ctx->keep, "GPU%u", u->gpu);
		for (size_t f = 0; f < FIGURES; f++)
			tp_doc_metric_for(doc, figures[f].id, scope, figures[f].value(u), TP_S(""));
	}
}

/* Without steps shares are of the time of the device's own work. */
static bool
has_steps(const struct tp_pass_ctx *ctx)
{
	return tp_result(ctx, &tp_pass_steps) != NULL;
}

/* "of 2.88 s of steps, over 3 GPUs of spans" */
static struct tp_slice
covers(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g,
	const struct tp_torch_gpu_use *all)
{
	return tp_arena_printf(ctx->keep, "of %.*s %s, over %.*s",
		TP_ARG(tp_say_value(ctx, tp_integer(all->window_ps, TP_UNIT_PS))),
		has_steps(ctx) ? "of steps" : "from first to last device work",
		TP_ARG(tp_say_number(ctx, g->count, "GPU of a span", "GPUs of spans").text));
}

void
tp_torch_gpus_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_gpus *g = result;
	struct tp_slice skipped = tp_skipped_itself(ctx);
	struct tp_torch_gpu_use all = {0};
	struct tp_slice of_which = TP_S("");

	if (g != NULL) {
		all = tp_torch_gpus_sum(g, TP_NONE);
		of_which = covers(ctx, g, &all);
	}
	for (size_t f = 0; f < FIGURES; f++) {
		tp_doc_metric(doc, tp_slice_of(figures[f].id), figures[f].label,
			g != NULL ? figures[f].value(&all) : tp_missing(skipped), tp_slice_of(figures[f].how),
			of_which);
		tp_doc_metric_scopes(doc, figures[f].id, "@worker,span[,device]");
	}
	if (g != NULL)
		scoped_metrics(ctx, g, doc);
}

#define SHARE(KEY, TITLE, ...)                                                                     \
	TP_COLUMN(KEY, TITLE, .unit = TP_UNIT_SHARE, .decimals = 2, __VA_ARGS__)

static const struct tp_column columns[] = {
	TP_COLUMN("worker", "Worker"),
	TP_COLUMN("gpu", "GPU"),
	TP_COLUMN("name", "Name"),
	TP_COLUMN("memory_gib", "Memory", .unit = TP_UNIT_GIB, .decimals = 2),
	TP_COLUMN("capability", "Capability"),
	SHARE("utilization_share", "Utilisation", .bar = true),
	SHARE("sm_efficiency_share", "SM efficiency"),
	SHARE("occupancy_share", "Occupancy"),
	SHARE("tensor_core_share", "Tensor cores"),
	TP_COLUMN("kernel_ms", "Kernel time", .unit = TP_UNIT_MS, .decimals = 2,
		TP_FIELD(struct tp_torch_gpu_use, kernel_ps, TP_UNIT_PS)),
	TP_COUNT_COLUMN("kernels", "Kernels", TP_COUNT_FIELD(struct tp_torch_gpu_use, kernels)),
};
/* Behind the worker, which is left out where there is one trace alone. */
struct gpu_cells {
	struct tp_cell gpu, name, memory, capability, figures[FIGURES], kernel_time, kernels;
};
struct worker_and_gpu_cells {
	struct tp_cell worker;
	struct gpu_cells gpu;
};
TP_CELLS_ARE_COLUMNS(struct worker_and_gpu_cells, columns);

/* A GPU that is not listed by its number is of the only kind that is. */
void
tp_torch_gpu_described(const struct tp_pass_ctx *ctx, uint32_t device, struct tp_cell *name,
	struct tp_cell *memory, struct tp_cell *capability)
{
	const struct tp_device nothing = {.kind = TP_DEVICE_GPU};
	const struct tp_device *d = device != TP_NONE ? &ctx->profile->devices[device] : &nothing;
	bool described = d->type.len != 0 || d->memory_bytes > 0 || d->compute_major != 0;
	struct tp_value none = tp_missing(described ? TP_S(why_not_stated) : TP_S(why_not_described));

	name->value = d->type.len != 0 ? tp_text_value(d->type) : none;
	memory->value =
		d->memory_bytes > 0 ? tp_integer((int64_t)d->memory_bytes, TP_UNIT_BYTES) : none;
	capability->value = d->compute_major != 0
		? tp_text_value(tp_arena_printf(ctx->keep, "%u.%u", d->compute_major, d->compute_minor))
		: none;
}

static void
row(const struct tp_pass_ctx *ctx, const struct tp_torch_gpu_use *u, bool several,
	struct tp_draft *draft)
{
	const struct tp_torch_trace *t = ctx->profile->torch->traces[u->trace];
	struct tp_slice who = tp_torch_who(ctx, t);
	struct tp_cell *first = tp_draft_row_of(
		draft, tp_arena_printf(ctx->keep, "%.*s/%u", TP_ARG(who), u->gpu), TP_ROW_NORMAL, 0, u);

	if (several)
		(first++)->value = tp_text_value(who);
	struct gpu_cells *cells = (struct gpu_cells *)first;

	cells->gpu.value = tp_text_value(tp_arena_printf(ctx->keep, "GPU %u", u->gpu));
	tp_torch_gpu_described(ctx, u->device, &cells->name, &cells->memory, &cells->capability);
	for (size_t f = 0; f < FIGURES; f++)
		cells->figures[f].value = figures[f].value(u);
	cells->figures[0].swatch = TP_HUE_COMPUTE;
}

static void
table(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g, struct tp_doc *doc,
	struct tp_block *section)
{
	bool several = ctx->profile->torch->trace_count > 1;
	struct tp_draft draft = tp_draft_table(doc, section, "gpus/table", columns + !several,
		sizeof columns / sizeof *columns - !several);

	for (size_t i = 0; i < g->count; i++)
		row(ctx, &g->uses[i], several, &draft);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		tp_arena_printf(ctx->keep, caption_gpus, has_steps(ctx) ? text_of_steps : text_of_work);
}

bool
tp_torch_gpus_are_one(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g)
{
	for (size_t i = 1; i < g->count; i++) {
		if (g->uses[i].gpu != g->uses[0].gpu)
			return false;
	}
	return ctx->profile->torch->worker_count == 1;
}

static size_t
least_used(const struct tp_torch_gpus *g)
{
	size_t least = 0;

	for (size_t i = 1; i < g->count; i++) {
		if ((double)g->uses[i].running_ps * (double)g->uses[least].window_ps <
			(double)g->uses[least].running_ps * (double)g->uses[i].window_ps)
			least = i;
	}
	return least;
}

static struct tp_text
answer(const struct tp_pass_ctx *ctx, const struct tp_torch_gpus *g, struct tp_doc *doc)
{
	const struct tp_torch_gpu_use *least = &g->uses[least_used(g)];
	const struct tp_torch_trace *t = ctx->profile->torch->traces[least->trace];

	if (g->count == 1)
		return TP_SAY0(doc, text_one_gpu);
	if (tp_torch_gpus_are_one(ctx, g))
		return TP_SAY(doc, text_one_gpu_least_span,
			tp_text_value(tp_arena_printf(ctx->keep, "%u", t->span_number)),
			tp_torch_gpu_utilization(least));
	return TP_SAY(doc, text_gpus, tp_text_value(tp_arena_printf(ctx->keep, "%u", least->gpu)),
		tp_text_value(tp_torch_who(ctx, t)), tp_torch_gpu_utilization(least));
}

static struct tp_text
so_what(const struct tp_torch_gpu_use *all, struct tp_doc *doc)
{
	struct tp_text text = {NULL, 0};

	if (all->filled_known)
		text = TP_SAY0(doc, text_blocks);
	if (tp_known(tensor_core(all)))
		TP_SAY_MORE(doc, text, text.count != 0 ? text_tensor_cores_too : text_tensor_cores,
			tensor_core(all));
	if (all->untold_ps != 0)
		TP_SAY_MORE(doc, text, text_triton,
			tp_share((double)all->untold_ps, (double)all->kernel_ps, TP_S(why_no_time)));
	return text;
}

/* Every page speaks of GPUs; a reader who has none should not look for one. */
static void
not_gpus(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	for (uint32_t d = 0; d < ctx->profile->device_count; d++) {
		const struct tp_device *device = &ctx->profile->devices[d];

		if (!tp_slice_eq(device->vendor, TP_S("Meta")))
			continue;
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "gpus/not-gpus",
			TP_SAY(doc, text_not_gpus, tp_text_value(device->type)));
		return;
	}
}

void
tp_torch_gpus_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_gpus *g = result;
	struct tp_torch_gpu_use all = tp_torch_gpus_sum(g, TP_NONE);
	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "gpus", "GPUs");

	section->section.key_figure = tp_torch_gpu_utilization(&all);
	section->section.judge = tp_say_mark_of(doc, "TPR-GPU-001");
	section->section.answer = answer(ctx, g, doc);
	section->section.so_what = so_what(&all, doc);
	table(ctx, g, doc, section);
	not_gpus(ctx, doc, section);
	if (all.occupancy_worked_out)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "gpus/worked-out",
			TP_SAY0(doc, text_occupancy_bound));
	tp_say_how(ctx, doc, section, "gpus/how", how_gpus);
	tp_say_source(ctx, doc, section, "gpus/source", source_gpus);
}
