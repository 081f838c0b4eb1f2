/* Workers and spans of a PyTorch run, and what their traces were asked to hold. */
#include "analyze/torch/gpus/environment_torch.h"

#include "analyze/core/say.h"
#include "analyze/torch/gpus/torch_gpus.h"
#include "analyze/torch_steps/torch_quality.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

static struct tp_slice
append(struct tp_arena *a, struct tp_slice list, const char *between, struct tp_slice more)
{
	return tp_arena_printf(a, "%.*s%s%.*s", TP_ARG(list), list.len ? between : "", TP_ARG(more));
}

/* Traces do not hold the version; their form tells it roughly (model/torch.h). */
struct tp_slice
tp_torch_versions(const struct tp_pass_ctx *ctx)
{
	static const char *const names[] = {
		[TP_TORCH_UP_TO_1_10] = "1.10 or earlier",
		[TP_TORCH_UP_TO_2_1] = "1.11 to 2.1",
		[TP_TORCH_FROM_2_2] = "2.2 or later",
	};
	const struct tp_torch *torch = ctx->profile->torch;
	bool seen[sizeof names / sizeof *names] = {false};
	struct tp_slice list = TP_S("");

	for (uint32_t i = 0; i < torch->trace_count; i++)
		seen[torch->traces[i]->era] = true;
	for (size_t e = 0; e < sizeof names / sizeof *names; e++) {
		if (seen[e])
			list = append(ctx->keep, list, ", ", tp_slice_of(names[e]));
	}
	return list;
}

static const struct {
	unsigned asked;
	const char *name;
} options[] = {
	{TP_TORCH_SHAPES, "shapes"},
	{TP_TORCH_MEMORY, "memory"},
	{TP_TORCH_STACK, "stacks"},
	{TP_TORCH_FLOPS, "FLOPs"},
	{TP_TORCH_MODULES, "modules"},
};

static struct tp_slice
option_list(struct tp_arena *a, unsigned asked, bool wanted)
{
	struct tp_slice list = TP_S("");

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		/* Modules come with stacks since 2.1, and with_flops writes nothing into a trace: that they were not asked for
		 * says nothing. */
		if ((asked & options[i].asked) != 0
				? wanted
				: !wanted && (options[i].asked & (TP_TORCH_MODULES | TP_TORCH_FLOPS)) == 0)
			list = append(a, list, ", ", tp_slice_of(options[i].name));
	}
	return list;
}

/* Up to torch 1.9 traces do not say what was asked for; what they hold was. */
static struct tp_slice
recorded(const struct tp_pass_ctx *ctx)
{
	unsigned held = tp_torch_quality_of(ctx).recorded;

	return held == 0 ? TP_S("only events")
					 : tp_arena_printf(ctx->keep, "not stated; the events hold %.*s",
						   TP_ARG(option_list(ctx->keep, held, true)));
}

struct tp_slice
tp_torch_asked(const struct tp_pass_ctx *ctx)
{
	unsigned asked = tp_torch_asked_for(ctx->profile->torch);
	struct tp_slice on = option_list(ctx->keep, asked, true),
					off = option_list(ctx->keep, asked, false);

	if (on.len == 0)
		return recorded(ctx);
	return off.len == 0 ? on
						: tp_arena_printf(ctx->keep, "%.*s; not %.*s", TP_ARG(on), TP_ARG(off));
}

static const struct tp_column columns[] = {
	TP_COLUMN("worker", "Worker", .code = true, TP_TEXT_FIELD(struct tp_torch_trace, worker)),
	TP_COLUMN("span", "Span", TP_COUNT_FIELD(struct tp_torch_trace, span_number)),
	TP_COLUMN("rank", "Rank"),
	TP_COLUMN("gpus", "GPUs"),
	TP_COLUMN("events", "Events", TP_COUNT_FIELD(struct tp_torch_trace, count)),
	TP_COLUMN("memory_records", "Memory records"),
	TP_COLUMN("started", "Capture started"),
	TP_COLUMN("length_ms", "Length", .unit = TP_UNIT_MS, .decimals = 1),
	TP_COLUMN("asked", "Requested"),
	TP_COLUMN("file", "File", .code = true),
};
struct span_cells {
	struct tp_cell worker, span, rank, gpus, events, memory_records, started, length, asked, file;
};
TP_CELLS_ARE_COLUMNS(struct span_cells, columns);

static void
fill(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t, struct span_cells *cells)
{
	const struct tp_profile *p = ctx->profile;
	int64_t base_ns = p->hosts[t->host].base_ns;
	struct tp_slice asked = option_list(ctx->keep, t->asked, true);

	cells->rank.value = t->distributed.rank >= 0
		? tp_integer(t->distributed.rank, TP_UNIT_COUNT)
		: tp_missing(TP_S("the trace holds no distributedInfo with a rank"));
	cells->gpus.value =
		tp_count(tp_torch_gpus_of(t, tp_new_array(ctx->scratch, uint32_t, t->lane_count)));
	cells->memory_records.value = (t->asked & TP_TORCH_MEMORY) != 0 || t->memory_count != 0
		? tp_count(t->memory_count)
		: tp_missing(TP_S("memory was not recorded (profile_memory=True)"));
	cells->started.value = cells->length.value =
		tp_missing(TP_S("the trace does not hold the profiler's range"));
	if (t->has_window) {
		if (base_ns > 0)
			cells->started.value = tp_integer(base_ns + t->window_start_ps / 1000, TP_UNIT_UNIX_NS);
		cells->length.value =
			tp_integer((t->window_end_ps - t->window_start_ps) / 1000, TP_UNIT_NS);
	}
	cells->asked.value =
		asked.len != 0 ? tp_text_value(asked) : tp_missing(TP_S("only events were requested"));
	cells->file.value = tp_text_value(tp_say_file_name(p->inputs[t->input].path));
}

void
tp_torch_span_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_torch *torch = ctx->profile->torch;
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "environment/workers", "Workers and their spans");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "environment/spans", columns);

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_trace *t = torch->traces[i];
		struct tp_slice id =
			tp_arena_printf(ctx->keep, "%.*s-%u", TP_ARG(t->worker), t->span_number);

		fill(ctx, t, tp_draft_row_of(&draft, id, TP_ROW_NORMAL, 0, t));
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S("Traces of the run: one per worker and profiler span");
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct span_cells, rank));
}
