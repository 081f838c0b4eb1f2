/* The performance summary: one row a figure, each a metric that another pass registered, with what is needed to read it. */
#include "analyze/core/pass.h"
#include "analyze/page/passes.h"

#include "analyze/core/say.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/precomputed.h"
#include "analyze/ops/ops.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/profile.h"
#include "report/draft.h"

#include <math.h>

static struct tp_value
examples_per_s(const struct tp_environment *e, const struct tp_steps *s, struct tp_slice no_steps)
{
	if (s == NULL)
		return tp_missing(no_steps);
	if (e->batch.per_core == 0)
		return tp_missing(e->batch.how);
	double batch = (double)e->batch.per_core * (e->working != 0 ? e->working : 1);

	/* Cut steps are shorter than what makes a batch. */
	return tp_number(batch / (s->whole.time.mean / 1e12), TP_UNIT_NONE);
}

/* The mean over the hosts that record it. */
static struct tp_value
hbm_counter(const struct tp_profile *p)
{
	double sum = 0;
	uint32_t count = 0;

	for (uint32_t h = 0; h < p->host_count; h++) {
		if (isfinite(p->hosts[h].hbm_share)) {
			sum += p->hosts[h].hbm_share;
			count++;
		}
	}
	return count != 0 ? tp_number(sum / count, TP_UNIT_SHARE)
					  : tp_missing(TP_S("the profile has no such performance counter"));
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_slice no_steps = tp_skipped(ctx, &tp_pass_steps);
	const struct tp_metric *half = tp_doc_find_metric(doc, TP_S("precision.compute_16bit_share"));
	struct tp_value gap = tp_missing(s == NULL ? no_steps
			: s->source->no_gap.len != 0       ? s->source->no_gap
			: s->inferred ? TP_S("a gap belongs to the inferred step before it")
			: s->launched.timing != TP_TIMED_BY_MARKER
			? TP_S("markers only launch steps; each step lasts until the next")
			: TP_S("there are fewer than two steps"));

	(void)result;
	if (s != NULL && isfinite(s->gap_mean_ps))
		gap = tp_number(s->gap_mean_ps / 1e9, TP_UNIT_MS);
	tp_doc_metric(doc, TP_S("step.gap.mean_ms"), "Between steps", gap,
		TP_S("mean time from the end of a step to the start of the next, on the core (host) where "
			 "it is longest"),
		s ? tp_doc_find_metric(doc, TP_S("step.time.mean_ms"))->coverage : TP_S(""));
	tp_say_metric(doc, "run.examples_per_s", "Examples per second",
		examples_per_s(tp_result(ctx, &tp_pass_environment), s, no_steps),
		"inferred batch per step over the mean time of steps that the capture does not cut; gaps "
		"between steps excluded");
	tp_say_metric(doc, "memory_bandwidth.counter_share", "Memory bandwidth (counter)",
		hbm_counter(ctx->profile), "performance counter in the profile, mean over hosts");
	tp_say_metric(doc, "precision.compute_32bit_share", "Compute time in 32-bit precision",
		half != NULL && tp_known(half->value) && o != NULL
			? tp_share((double)(o->compute_ps - o->half_ps), (double)o->compute_ps,
				  TP_S("no arithmetic was measured"))
			: tp_missing(half != NULL ? half->value.text : TP_S("no arithmetic was measured")),
		"operations without a 16-bit result or operand, over all arithmetic");
}

/* Which rows there are, in order; a row whose metric no pass registers is left out. */
enum {
	OF_DEVICES = 1,      /* nothing to say where there is none */
	IF_KNOWN = 2,        /* only where it is known */
	OF_SEVERAL = 4,      /* only where there are several steps */
	SAY_PRECISION = 16,  /* what decides it */
	SAY_COVERAGE = 8,    /* after the note: over what it is */
	OF_MEAN_INPUT = 32,  /* where the report tells waiting for input as the mean over cores */
	OF_WORST_INPUT = 64, /* where it does not: of a host, or cores that differ */
};

static const struct row {
	const char *metric;
	const char *note; /* markup */
	unsigned when;
} rows[] = {
	{"step.time.mean_ms", "std dev {step.time.sd_ms}, {step.time.min_ms} to {step.time.max_ms}", 0},
	{"step.time.p50_ms", "95 % of steps take at most {step.time.p95_ms}", IF_KNOWN | OF_SEVERAL},
	{"step.gap.mean_ms", "from the end of a step to the start of the next", IF_KNOWN},
	{"run.examples_per_s", "batch of {run.batch.global}, inferred", IF_KNOWN},
	{"step.class.input_wait_share",
		"of step time, mean over cores (input-bound: {input.verdict}); {input.wait_share} on the core "
		"that waits longest",
		OF_MEAN_INPUT},
	{"input.wait_share", "of step time, where it is longest (input-bound: {input.verdict})",
		OF_WORST_INPUT},
	{"host.idle_share",
		"from the first to the last framework operation of each thread; other work of the host counts as idle",
		0},
	{"device.idle_share", "from first to last operation; busy {device.busy_share}", OF_DEVICES},
	{"device.duty_cycle_share", "of TPU chips, on the host clock", OF_DEVICES | IF_KNOWN},
	{"flops.utilization_share",
		"of {flops.peak_per_s}, idle included; {flops.busy_utilization_share} of the capture's "
		"busy time",
		OF_DEVICES},
	{"flops.relative_to_roofline_share",
		"of the binding limit, arithmetic or memory, while operations run, over",
		OF_DEVICES | IF_KNOWN | SAY_COVERAGE},
	{"matrix_unit.utilization_share", "performance counter", OF_DEVICES | IF_KNOWN},
	{"memory_bandwidth.utilization_share",
		"of {memory_bandwidth.peak_per_s}, idle included; "
		"{memory_bandwidth.busy_utilization_share} of the capture's busy time",
		OF_DEVICES},
	{"memory_bandwidth.counter_share", "performance counter", OF_DEVICES | IF_KNOWN},
	{"precision.compute_16bit_share", "of arithmetic time", OF_DEVICES | SAY_PRECISION},
	{"precision.compute_32bit_share", "of arithmetic time", OF_DEVICES | IF_KNOWN},
	{"host.op_eager_share", "of operation time on the host", IF_KNOWN},
	{"device.op_eager_share", "of operation time on devices", OF_DEVICES | IF_KNOWN},
	{"device.outside_compilation_share", "of busy device time", OF_DEVICES | IF_KNOWN},
	{"padding.lost_share", "of busy device time", OF_DEVICES | IF_KNOWN},
	{"memory.peak_bytes", "{memory.peak_share} of the device's memory", IF_KNOWN},
};

static const struct tp_column columns[] = {
	TP_COLUMN("what", "Figure", TP_TEXT_FIELD(struct tp_metric, label)),
	TP_COLUMN("value", "Value", TP_FIELD(struct tp_metric, value, TP_UNIT_NONE)),
	TP_COLUMN("note", "Notes"),
};
struct cells {
	struct tp_cell figure, value, note;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

/* Of a figure that is known: what else is needed to read it, where all of that is known too. Else why it is not. */
static struct tp_slice
note(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct row *row,
	const struct tp_metric *m)
{
	struct tp_text text = TP_SAY0(doc, row->note);

	if (!tp_known(m->value))
		return m->value.text;
	if (tp_slice_starts(m->how, TP_S("precomputed")))
		return m->how;
	for (size_t i = 0; i < text.count; i++) {
		if (text.spans[i].has_value && !tp_known(text.spans[i].value))
			return TP_S("");
	}
	if (row->when & SAY_PRECISION) {
		const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);

		if (o != NULL && o->half_by_kernels)
			return TP_S("of arithmetic time, from recorded kernel operands, else kernel names");
	}
	if (row->when & SAY_COVERAGE)
		return tp_arena_printf(
			doc->arena, "%.*s %.*s", TP_ARG(tp_text_shown(text, doc->arena)), TP_ARG(m->coverage));
	return tp_text_shown(text, doc->arena);
}

/* A sentence of what matters most. */
static struct tp_text
answer(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_text steps = s == NULL ? TP_SAY0(doc, "Step time is unknown")
		: s->count == 1
		? TP_SAY(doc, "The only {} took {step.time.mean_ms}",
			  tp_text_value(tp_slice_of(tp_steps_word(s, 1))))
		: TP_SAY(doc, "{} takes {step.time.mean_ms} on average (std dev {step.time.sd_ms})",
			  tp_text_value(s->inferred ? TP_S("An inferred step") : TP_S("A step")));
	if (d == NULL)
		return tp_doc_join(doc, steps, TP_SAY0(doc, "."));
	struct tp_text devices = tp_doc_join(doc,
		TP_SAY0(doc,
			"; devices are idle {device.idle_share} of the time from first to last "
			"operation"),
		tp_devices_say_some(ctx, doc, d));

	devices = tp_doc_join(doc, devices,
		o != NULL && isfinite(o->flops_share) && isfinite(o->hbm_share)
			? TP_SAY0(doc,
				  ", reach {flops.utilization_share} of peak FLOP/s and use "
				  "{memory_bandwidth.utilization_share} of memory bandwidth.")
			: TP_SAY0(doc, "."));
	return tp_doc_join(doc, steps, devices);
}

/* A row of figures that this run has. */
static bool
has_row(const struct tp_pass_ctx *ctx, const struct row *row, const struct tp_metric *m)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);
	const struct tp_steps *s = tp_result(ctx, &tp_pass_steps);
	bool known = tp_known(m->value), precomputed = tp_precomputed(ctx) != NULL;
	bool mean = s != NULL && s->source->of_cores && s->timelines > 1 &&
		strcmp(tp_input_metric(s), "input.wait_share") != 0;
	unsigned lacks = (precomputed ? known : e->cores != 0) ? 0 : OF_DEVICES;

	lacks |= known ? 0 : IF_KNOWN;
	lacks |= s != NULL && s->count > 1 ? 0 : OF_SEVERAL;
	lacks |= mean ? OF_WORST_INPUT : OF_MEAN_INPUT;
	return (row->when & lacks) == 0;
}

/* A tool may count less idle time in all than in the steps that it tells of. */
static void
say_idle_differs(struct tp_doc *doc, struct tp_block *section)
{
	enum { POINTS = 100 };
	const struct tp_metric *all = tp_doc_find_metric(doc, TP_S("device.idle_share"));
	struct tp_value steps = tp_doc_value(doc, "step.class.idle_share");

	if (all == NULL || !tp_known(all->value) || !tp_known(steps) ||
		!tp_slice_starts(all->how, TP_S("precomputed")) ||
		(steps.number - all->value.number) * POINTS <= 1)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "performance/idle",
		TP_SAY0(doc,
			"Two figures of the profiler contradict each other: devices are idle {device.idle_share} of the "
			"whole time, and {step.class.idle_share} of its steps. It derives them from different "
			"records. The verdict and the findings on steps follow the steps."));
}

/* What the hardware counts is less than what compiler and custom calls state. */
static void
say_matrix_unit_differs(struct tp_doc *doc, struct tp_block *section)
{
	if (!tp_above_matrix_unit(doc))
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "performance/matrix-unit",
		TP_SAY0(doc,
			"FLOPS utilisation is {flops.utilization_share}, but the matrix units were used only "
			"{matrix_unit.utilization_share}. The first is of the FLOP that the compiler and custom "
			"calls state, which can be more than ran; the second is a counter of the hardware."));
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_environment *e = tp_result(ctx, &tp_pass_environment);

	(void)result;
	/* Of PyTorch runs the first screen has what is known of these. */
	if (ctx->profile->torch != NULL)
		return;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "performance", "Performance");
	struct tp_draft draft = TP_DRAFT_TABLE(doc, section, "performance/table", columns);

	section->section.reference = true;
	section->section.key_figure = tp_missing(TP_S(""));
	section->section.answer = answer(ctx, doc);
	if (tp_precomputed(ctx) != NULL)
		section->section.so_what =
			TP_SAY0(doc, "Device figures are those of the tool files, which hold no events.");
	else if (e->cores == 0)
		section->section.so_what =
			TP_SAY0(doc, "No device figures: the profile holds no TPU or GPU.");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tp_metric *m = tp_doc_find_metric(doc, tp_slice_of(rows[i].metric));

		if (m == NULL || !has_row(ctx, &rows[i], m))
			continue;
		struct cells *cells = tp_draft_row_of(&draft, m->id, TP_ROW_NORMAL, 0, m);

		cells->value.metric = m->id;
		cells->note.value = tp_text_value(note(ctx, doc, &rows[i], m));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption =
		TP_S("The whole run: all steps, hosts and devices together");
	say_idle_differs(doc, section);
	say_matrix_unit_differs(doc, section);
	tp_say_how(ctx, doc, section, "performance/how",
		"Each figure is a metric; report.json has its formula, tpreport get PATH ID its value. "
		"Device shares are ratios of sums over all devices; what a profile does not show is – with "
		"the reason, never 0.");
}

static const struct tp_pass *const after[] = {
	&tp_pass_environment, &tp_pass_devices, &tp_pass_steps, &tp_pass_ops, NULL};

const struct tp_pass tp_pass_performance = {
	.name = "performance",
	.title = "Performance",
	.summary = "key figures of a run: step time and its spread, idle time, utilisation, precision, "
			   "memory",
	.of_profile = true,
	.after = after,
	.place = TP_PLACE_PERFORMANCE,
	.metrics = metrics,
	.present = present,
	.lacks_nothing = "it shows what other passes computed",
};
