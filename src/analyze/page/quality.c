/* Method and data quality, at the end of every report. */
#include "analyze/core/pass.h"
#include "analyze/page/passes.h"

#include "analyze/core/say.h"
#include "analyze/facts/captures.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/judge/rule.h"
#include "analyze/page/method.h"
#include "analyze/page/other_runs.h"
#include "analyze/steps/steps.h"
#include "analyze/torch/comm/torch_comm.h"
#include "analyze/torch/memory/torch_memory.h"
#include "analyze/torch/modules/torch_modules.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch_steps/torch_quality.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

/* How whole PyTorch traces are; metrics are there always. */
static void
torch_metrics(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	bool torch = ctx->profile->torch != NULL;
	struct tp_torch_quality q = {0};
	struct tp_value none = tp_missing(TP_S("the profile holds no PyTorch trace"));

	if (torch)
		q = tp_torch_quality_of(ctx);
	tp_say_metric(doc, "torch.data.trimmed_steps", "PyTorch steps left out",
		torch ? tp_count(q.trimmed) : none,
		"last steps of a trace with no device work, or less than 80 % of the previous step's");
	tp_say_metric(doc, "torch.data.no_launch_count", "Device work without a launch",
		torch ? tp_count(q.work.no_call + q.work.untold) : none,
		"kernels, copies and memsets whose launching call is unknown or not in the file");
	tp_say_metric(doc, "torch.data.no_launch_share", "Its share of time",
		torch ? tp_share((double)q.work.no_call_ps + (double)q.work.untold_ps, (double)q.work.ps,
					TP_S("no trace holds device work"))
			  : none,
		"over the time of all device work");
}

static void
notice(struct tp_doc *doc, struct tp_block *section, const char *id, struct tp_text text)
{
	tp_doc_add(doc, section, TP_BLOCK_NOTICE, tp_slice_of(id))->notice.text = text;
}

static void
times_of_captures(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_captures c = tp_captures_of(ctx->profile, ctx->scratch);

	if (c.count < 2)
		return;
	struct tp_block *block =
		tp_doc_add(doc, section, TP_BLOCK_NOTICE, TP_S("method/times-of-captures"));

	block->notice.judge = TP_JUDGE_WARN;
	block->notice.text = TP_SAY(doc,
		"The files are from {} captures up to {} apart, so they do not belong to one run: sums and "
		"means here are over all of them. For the figures of one capture, give its path alone{}.",
		tp_count(c.count), tp_number((double)c.longest_gap_ns, TP_UNIT_NS),
		tp_text_value(ctx->profile->torch != NULL ? TP_S(", or --worker or --span") : TP_S("")));
}

static void
torch_notices(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_torch_quality q = tp_torch_quality_of(ctx);

	if (q.trimmed != 0)
		notice(doc, section, "method/torch-trimmed",
			TP_SAY(doc, "{} left out at the end of a trace: device work is missing or cut off.",
				tp_say_number(ctx, q.trimmed, "step", "steps")));
	if (q.work.no_call != 0)
		notice(doc, section, "method/torch-no-launch",
			TP_SAY(doc,
				"{} of device work, {} of its time, without a launch in the file, mostly launched "
				"before the trace began: counted as device time, but for no operator.",
				tp_say_number(ctx, q.work.no_call, "piece", "pieces"),
				tp_share((double)q.work.no_call_ps, (double)q.work.ps, TP_S("it took no time"))));
	if (q.work.untold != 0)
		notice(doc, section, "method/torch-untold-launch",
			TP_SAY(doc,
				"{} of device work, {} of its time, without the number of a launching call: counted "
				"as device time, but for no operator and no step start.",
				tp_say_number(ctx, q.work.untold, "piece", "pieces"),
				tp_share((double)q.work.untold_ps, (double)q.work.ps, TP_S("it took no time"))));
	if (q.crossing != 0)
		notice(doc, section, "method/torch-crossing",
			TP_SAY(doc,
				"{} after the enclosing range on the same thread: not counted as part of it.",
				tp_say_number(ctx, q.crossing, "range ends", "ranges end")));
	if (q.non_finite_numbers != 0)
		notice(doc, section, "method/torch-odd-numbers",
			TP_SAY(doc, "{} not finite (NaN, Infinity, N/A): treated as not recorded.",
				tp_say_number(ctx, q.non_finite_numbers, "value is", "values are")));
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_profile *p = ctx->profile;
	double all = (double)p->event_count + (double)p->dropped_events;

	(void)result;
	tp_say_metric(doc, "data.coverage_share", "Events that could be used",
		tp_share((double)p->event_count, all, TP_S("the profile holds no events")),
		"events read, over all including dropped or damaged ones");
	tp_say_metric(doc, "data.warnings", "Warnings", tp_count(p->diags.warnings),
		"distinct messages about parts of the input that were not used");
	torch_metrics(ctx, doc);
	/* All other passes that could know them have registered theirs. */
	tp_precomputed_metrics(ctx, doc);
}

/* The other runs of a log directory: their names, what each holds, and how to choose it. */
static const struct tp_column run_columns[] = {
	TP_COLUMN("run", "Run", .code = true, TP_TEXT_FIELD(struct tp_other_run, name)),
	TP_COLUMN("holds", "Holds", TP_TEXT_FIELD(struct tp_other_run, holds)),
	TP_COUNT_COLUMN("number", "Number", TP_COUNT_FIELD(struct tp_other_run, number)),
};

static void
other_runs(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_other_runs *o = ctx->options->other_runs;

	if (o == NULL || o->count == 0)
		return;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "method/other-runs", run_columns);

	for (size_t i = 0; i < o->count; i++)
		tp_draft_row_of(&draft, o->runs[i].name, TP_ROW_NORMAL, 0, &o->runs[i]);
	tp_draft_finish(&draft, ctx->options->top)->caption =
		TP_S("Other runs in the log directory: --run NAME or --run NUMBER reports on one, --run "
			 "all on each");
	if (o->all - 1 > o->count)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "method/more-runs",
			TP_SAY(doc, "{} older ones not shown.", tp_count(o->all - 1 - o->count)));
}

static const struct tp_column file_columns[] = {
	TP_COLUMN("file", "File", .code = true),
	TP_COLUMN("reader", "Reader", TP_TEXT_FIELD(struct tp_input, reader)),
	TP_COLUMN("size_mib", "Size", .unit = TP_UNIT_MIB, .decimals = 2,
		TP_FIELD(struct tp_input, size_bytes, TP_UNIT_BYTES)),
	TP_COLUMN("read", "Read"),
};
struct file_cells {
	struct tp_cell file, reader, size, read;
};
TP_CELLS_ARE_COLUMNS(struct file_cells, file_columns);

/* The end of a path, from the run's folder on: the rest says nothing about the profile and differs between machines. */
static struct tp_slice
short_path(struct tp_slice path)
{
	unsigned slashes = 0;

	for (size_t i = path.len; i-- > 0;) {
		if (path.ptr[i] == '/' && ++slashes == 2)
			return tp_slice_from(path, i + 1);
	}
	return path;
}

static void
files(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "method/files", file_columns);

	for (uint32_t i = 0; i < p->input_count; i++) {
		struct tp_slice path = short_path(p->inputs[i].path);
		struct file_cells *cells = tp_draft_row_of(&draft, path, TP_ROW_NORMAL, 0, &p->inputs[i]);

		cells->file.value = tp_text_value(path);
		cells->read.value = tp_text_value(p->inputs[i].partial ? TP_S("partly") : TP_S("whole"));
		cells->read.judge = p->inputs[i].partial ? TP_JUDGE_WARN : TP_JUDGE_GOOD;
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S("Files of the run");
}

static void
notices(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	unsigned number = 0;

	for (const struct tp_diag *d = ctx->profile->diags.first; d != NULL; d = d->next) {
		struct tp_slice id = tp_arena_printf(ctx->keep, "method/note-%u", ++number);
		struct tp_block *block = tp_doc_add(doc, section, TP_BLOCK_NOTICE, id);
		struct tp_text text = TP_SAY(doc, "{}", tp_text_value(d->text));

		if (d->offset != TP_NO_OFFSET)
			text = tp_doc_join(doc,
				TP_SAY(doc, "at byte {}: ", tp_integer((int64_t)d->offset, TP_UNIT_COUNT)), text);
		if (d->input.len != 0)
			text =
				tp_doc_join(doc, TP_SAY(doc, "`{}`: ", tp_text_value(short_path(d->input))), text);
		if (d->count > 1)
			TP_SAY_MORE(doc, text, " ({} times)", tp_count(d->count));
		block->notice.judge = d->level == TP_DIAG_WARNING ? TP_JUDGE_WARN : TP_JUDGE_NONE;
		block->notice.text = text;
	}
}

static const struct tp_column peak_columns[] = {
	TP_COLUMN("device", "Device"),
	TP_COLUMN("peak", "Peak"),
	TP_COLUMN("value", "Value"),
	TP_COLUMN("source", "Source"),
	TP_COLUMN("how", "How", TP_TEXT_FIELD(struct tp_peak, how)),
};
struct peak_cells {
	struct tp_cell device, peak, value, source, how;
};
TP_CELLS_ARE_COLUMNS(struct peak_cells, peak_columns);

static const struct {
	const char *label;
	enum tp_unit unit;
	bool always; /* also said when it is not known */
} peak_kinds[TP_PEAK_COUNT] = {
	[TP_PEAK_FLOP] = {"FLOP/s, dense 16 bit", TP_UNIT_FLOP_PER_S, true},
	[TP_PEAK_HBM] = {"memory bandwidth", TP_UNIT_BYTES_PER_S, true},
	[TP_PEAK_CMEM_READ] = {"CMEM reads", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_CMEM_WRITE] = {"CMEM writes", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_VMEM_READ] = {"VMEM reads", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_VMEM_WRITE] = {"VMEM writes", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_SHARED] = {"shared memory", TP_UNIT_BYTES_PER_S, false},
	[TP_PEAK_CAPACITY] = {"memory size", TP_UNIT_BYTES, true},
};

static void
peak_rows(const struct tp_pass_ctx *ctx, uint32_t device, struct tp_draft *draft)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_device *d = &ctx->profile->devices[device];

	for (int kind = 0; kind < TP_PEAK_COUNT; kind++) {
		const struct tp_peak *peak = &peaks->devices[device].of[kind];

		if (!(peak->value > 0) && !peak_kinds[kind].always)
			continue;
		struct peak_cells *cells = tp_draft_row_of(draft,
			tp_arena_printf(ctx->keep, "%.*s/%s", TP_ARG(d->name), peak_kinds[kind].label),
			TP_ROW_NORMAL, 0, peak);

		cells->device.value = tp_text_value(tp_device_type(d, ctx->keep));
		cells->peak.value = tp_text_value(tp_slice_of(peak_kinds[kind].label));
		cells->value.value =
			peak->value > 0 ? tp_number(peak->value, peak_kinds[kind].unit) : tp_missing(peak->how);
		cells->source.value = peak->value > 0 ? tp_text_value(tp_peak_source_name(peak->source))
											  : tp_text_value(TP_S("unknown"));
	}
}

static bool
same_peaks(const struct tp_device_peaks *a, const struct tp_device_peaks *b)
{
	for (int kind = 0; kind < TP_PEAK_COUNT; kind++) {
		if (a->of[kind].value != b->of[kind].value || a->of[kind].source != b->of[kind].source)
			return false;
	}
	return true;
}

/* Which peaks the report used, and where they come from. */
static void
peaks_used(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_peaks *peaks = tp_result(ctx, &tp_pass_peaks);
	const struct tp_profile *p = ctx->profile;
	uint32_t last = TP_NONE;

	if (peaks == NULL)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "method/peaks", "Peaks of the devices");

	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_BODY, "method/peaks/order",
		TP_SAY(doc,
			"Taken in this order: `--peak`, the profile, the device table by name (version {}), "
			"and for GPUs multiprocessors × work per clock × clock. Peaks are dense, a "
			"multiply-add counts 2, for 16-bit operands accumulated in 32 bits. Otherwise the peak "
			"stays unknown.",
			tp_text_value(tp_slice_of(tp_peak_table_version))));
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "method/peaks/table", peak_columns);

	for (uint32_t i = 0; i < p->device_count; i++) {
		bool counts = p->devices[i].kind == TP_DEVICE_TPU || p->devices[i].kind == TP_DEVICE_GPU;

		if (!counts || peaks->devices[i].bare)
			continue;
		if (last == TP_NONE || !same_peaks(&peaks->devices[last], &peaks->devices[i]))
			peak_rows(ctx, i, &draft);
		last = i;
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("Peaks of one device: a TPU core, both cores of a megacore, or a GPU");
}

static const struct tp_column rule_columns[] = {
	TP_COLUMN("rule", "Rule", .code = true, TP_TEXT_FIELD(struct tp_rule_info, id)),
	TP_COLUMN("name", "Check", TP_TEXT_FIELD(struct tp_rule_info, name)),
	TP_COLUMN("measures", "Measures"),
	TP_COLUMN("medium_share", "Medium", .unit = TP_UNIT_SHARE, .decimals = 0),
	TP_COLUMN("high_share", "High", .unit = TP_UNIT_SHARE, .decimals = 0),
	TP_COLUMN("when", "A finding when"),
};
struct rule_cells {
	struct tp_cell rule, name, measures, medium, high, when;
};
TP_CELLS_ARE_COLUMNS(struct rule_cells, rule_columns);

/* Limits below this stand for any share at all. */
#define ANY_SHARE 1e-4

static void
fill_limits(const struct tp_limits *limits, bool below, struct rule_cells *cells)
{
	bool any = !below && limits->medium < ANY_SHARE, high = isfinite(limits->high);

	cells->medium.value =
		any ? tp_missing(TP_S("any share is a finding")) : tp_number(limits->medium, TP_UNIT_SHARE);
	cells->high.value =
		high ? tp_number(limits->high, TP_UNIT_SHARE) : tp_missing(TP_S("never rated high"));
	cells->when.value = tp_text_value(below ? TP_S("below")
			: any && high                   ? TP_S("any share; high at or above")
			: any                           ? TP_S("any share")
											: TP_S("at or above"));
}

static void
rules(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	struct tp_block *fold = tp_doc_section(
		doc, section, TP_SECTION_FOLD, "method/thresholds", "Rules and their thresholds");
	fold->section.off_paper = true;
	fold->section.same_elsewhere = true;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "method/rules", rule_columns);

	for (size_t i = 0; tp_rule_at(i) != NULL; i++) {
		const struct tp_rule_info *r = &tp_rule_at(i)->info;

		if (!tp_rule_concerns(ctx, tp_rule_at(i)))
			continue;
		struct tp_limits limits = tp_rule_limits(ctx, tp_rule_at(i));
		struct rule_cells *cells = tp_draft_row_of(&draft, tp_slice_of(r->id), TP_ROW_NORMAL, 0, r);

		cells->measures.value =
			tp_text_value(tp_arena_printf(ctx->keep, "share of %s", r->share_of));
		fill_limits(&limits, r->below, cells);
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S("When a check becomes a finding");
	tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL, "method/thresholds/verdict",
		TP_SAY(doc,
			"The verdict is not green above a high finding, nor above a medium one that may save {} of "
			"a step or more.",
			tp_number(TP_NOTABLE_SAVING, TP_UNIT_SHARE)));
	if (ctx->options->limit_count != 0)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL, "method/limits",
			TP_SAY(doc, "Limits of {} are from `{}`, not the defaults.",
				tp_say_number(ctx, ctx->options->limit_count, "rule", "rules"),
				tp_text_value(ctx->options->limits_file)));
}

/* What was read, and what is missing of the run. */
static void
say_read(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_section *s)
{
	const struct tp_profile *p = ctx->profile;
	size_t notes = p->diags.notes + p->diags.warnings;
	struct tp_read_part part = tp_read_part_of(ctx);
	bool events = tp_has_profile(ctx) && tp_precomputed(ctx) == NULL;

	s->key_figure = part.what != NULL
		? tp_text_value(
			  tp_arena_printf(ctx->keep, part.at_least ? "%llu of %llu+ %s" : "%llu of %llu %s",
				  (unsigned long long)part.read, (unsigned long long)part.all, part.what))
		: notes != 0 ? tp_say_number(ctx, notes, "note", "notes")
					 : tp_text_value(TP_S("complete"));
	s->judge = p->diags.warnings != 0 || part.what != NULL ? TP_JUDGE_WARN : TP_JUDGE_NONE;
	s->answer = events
		? TP_SAY(doc, "{} read from {}; {} dropped.",
			  tp_say_number(ctx, p->event_count, "event", "events"),
			  tp_say_number(ctx, p->input_count, "file", "files"), tp_count(p->dropped_events))
		: TP_SAY(doc, "{} read.", tp_say_number(ctx, p->input_count, "file", "files"));
	s->so_what = p->diags.warnings != 0
		? TP_SAY0(doc, "The input had problems, listed here: figures may be incomplete.")
		: part.what != NULL
		? TP_SAY(doc,
			  part.at_least ? "The files hold {} of at least {} {}: figures are of these alone."
							: "The files hold {} of {} {}: figures are of these alone.",
			  tp_count(part.read), tp_count(part.all), tp_text_value(tp_slice_of(part.what)))
		: events ? TP_SAY0(doc, "Nothing was lost.")
		: tp_has_profile(ctx)
		? TP_SAY0(doc, "What the profiler lost before it wrote them is not recorded.")
		: TP_SAY0(doc, "Nothing was lost.");
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_profile *p = ctx->profile;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MINOR, "method", "Method, data");

	(void)result;
	say_read(ctx, doc, &section->section);
	notices(ctx, doc, section);
	tp_lacks_present(ctx, doc, section);
	other_runs(ctx, doc, section);
	times_of_captures(ctx, doc, section);
	if (p->torch != NULL)
		torch_notices(ctx, doc, section);
	tp_precomputed_differences(ctx, doc, section);
	files(ctx, doc, section);
	if (!tp_has_profile(ctx) && p->tfprof_dumps == NULL)
		return;
	if (tp_has_profile(ctx))
		peaks_used(ctx, doc, section);
	rules(ctx, doc, section);
	if (!tp_has_profile(ctx))
		return;
	if (ctx->profile->torch != NULL)
		tp_differences_torch_present(ctx, doc, section);
	else
		tp_differences_present(ctx, doc, section);
}

static const struct tp_pass *const after[] = {&tp_pass_peaks, &tp_pass_steps, &tp_pass_torch_ops,
	&tp_pass_torch_memory, &tp_pass_torch_modules, &tp_pass_torch_comm, &tp_pass_environment, NULL};

const struct tp_pass tp_pass_quality = {
	.name = "data-quality",
	.title = "Method and data quality",
	.summary = "files read, what was lost or assumed, rule thresholds, where figures differ from "
			   "other tools",
	.after = after,
	.place = TP_PLACE_METHOD,
	.metrics = metrics,
	.present = present,
	.lacks_nothing = "it is about the files that were read",
};
