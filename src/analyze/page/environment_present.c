/* What the report says about the run environment: each thing with its value and where that is recorded, and, once, what is
 * not recorded. */
#include "analyze/page/passes.h"

#include "analyze/core/facts.h"
#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/environment.h"
#include "analyze/facts/peaks.h"
#include "analyze/facts/precomputed.h"
#include "analyze/page/method.h"
#include "analyze/torch/gpus/environment_torch.h"
#include "base/arena.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <string.h>

static struct tp_value
batch_of_core(const struct tp_environment *e)
{
	return e->batch.per_core != 0 ? tp_count(e->batch.per_core) : tp_missing(e->batch.how);
}

static struct tp_value
batch_of_step(const struct tp_environment *e)
{
	uint64_t cores = e->working != 0 ? e->working : 1, all;

	if (e->batch_of_step != 0)
		return tp_count(e->batch_of_step);
	if (e->batch.per_core == 0)
		return tp_missing(e->batch.how);
	if (__builtin_mul_overflow(e->batch.per_core, cores, &all) || all > INT64_MAX)
		return tp_missing(TP_S("it is larger than any batch"));
	return tp_count(all);
}

static struct tp_value
device_type(const struct tp_environment *e)
{
	return e->device_type.len != 0 ? tp_text_value(e->device_type)
								   : tp_missing(TP_S("the tool files do not say"));
}

/* There is little room beside the names of sections, and makers' names come first. */
static struct tp_value
without_maker(struct tp_value type)
{
	static const struct tp_slice makers[] = {{"NVIDIA ", 7}, {"Tesla ", 6}, {"AMD Instinct ", 13}};

	for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
		if (tp_known(type) && tp_slice_starts(type.text, makers[i]))
			type.text = tp_slice_from(type.text, makers[i].len);
	}
	return type;
}

static void
metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_environment *e = result;
	struct tp_value no_device = tp_missing(e->unrecorded
			? TP_S("no GPU work was recorded, so which GPUs were used is unknown")
			: tp_precomputed(ctx) != NULL
			? TP_S("the tool files do not say, and there are no events")
			: TP_S("the profile holds no TPU or GPU"));

	tp_say_metric(doc, "run.hosts", "Hosts", tp_count(e->hosts),
		"files of the run, copies not counted; for PyTorch, the machines they name; no fewer than "
		"in a pod viewer's file");
	tp_say_metric(doc, "run.devices", "Devices", e->devices ? tp_count(e->devices) : no_device,
		"TPU chips or GPUs");
	tp_say_metric(doc, "run.cores", "Cores", e->cores ? tp_count(e->cores) : no_device,
		"TensorCores or GPUs");
	tp_say_metric(doc, "run.device_type", "Device type", device_type(e), "");
	tp_say_metric(doc, "run.framework", "Framework", e->framework_name, "");
	bool stated = e->batch_of_step != 0;

	tp_doc_metric(doc, TP_S("run.batch.per_core"), "Batch per core", batch_of_core(e),
		stated
			? TP_S("as given by the profiler")
			: tp_arena_printf(ctx->keep, "inferred: %s",
				  e->batch.per_core != 0 ? e->batch.how.ptr
										 : "the first dimension of the input of a step's program"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("run.batch.global"), "Batch per step", batch_of_step(e),
		stated
			? TP_S("as given by the profiler")
			: TP_S(
				  "inferred: batch per core times cores that ran operations, assuming data parallelism"),
		TP_S(""));
	tp_say_metric(doc, "run.capture_ms", "Length of the capture",
		tp_known(e->capture_length)
			? tp_number(tp_value_in(e->capture_length, TP_UNIT_MS), TP_UNIT_MS)
			: e->capture_length,
		"from the profiler's start to its stop, on the first host that records it");
}

static const struct tp_column columns[] = {
	TP_COLUMN("what", "What"),
	TP_COLUMN("value", "Value"),
	TP_COLUMN("from", "Recorded in"),
};
struct cells {
	struct tp_cell what, value, from;
};
TP_CELLS_ARE_COLUMNS(struct cells, columns);

/* The table, and a list of what would be in it if it were recorded. */
struct telling {
	const struct tp_pass_ctx *ctx;
	struct tp_draft draft;
	struct tp_slice absent;
};

static void
not_recorded(struct telling *t, const char *what)
{
	t->absent = tp_arena_printf(
		t->ctx->keep, "%.*s%s%s", TP_ARG(t->absent), t->absent.len ? ", " : "", what);
}

static void
row(struct telling *t, struct tp_slice what, struct tp_value value, const char *metric,
	struct tp_slice from)
{
	struct cells *cells = tp_draft_row_of(&t->draft, what, TP_ROW_NORMAL, 0, NULL);

	cells->what.value = tp_text_value(what);
	cells->value.value = value;
	cells->value.metric = tp_slice_of(metric);
	cells->from.value = tp_text_value(from);
}

/* The row where there is something to say, else a word in the list. */
static void
row_if_known(struct telling *t, const char *what, const char *absent, struct tp_value value,
	const char *metric, const char *from)
{
	if (tp_known(value))
		row(t, tp_slice_of(what), value, metric, tp_slice_of(from));
	else
		not_recorded(t, absent);
}

/* Which part of a profile says so. */
static struct tp_slice
source(const struct telling *t, struct tp_slice of_planes, struct tp_slice of_torch)
{
	return t->ctx->profile->torch != NULL ? of_torch : of_planes;
}

static void
peak_row(struct telling *t, const char *what, const char *device, enum tp_peak_kind kind,
	const char *metric)
{
	const char *const from[] = {
		[TP_PEAK_UNKNOWN] = "not recorded",
		[TP_PEAK_PROFILE] = t->ctx->profile->torch != NULL ? "deviceProperties" : "device planes",
		[TP_PEAK_TABLE] = "not recorded: from the device table",
		[TP_PEAK_USER] = "given with --peak",
	};
	const struct tp_peaks *peaks = tp_result(t->ctx, &tp_pass_peaks);

	if (peaks != NULL)
		row(t, tp_arena_printf(t->ctx->keep, "%s per %s", what, device),
			tp_peak_value(t->ctx, kind), metric, tp_slice_of(from[peaks->common.of[kind].source]));
}

/* "TPU v5e" where the profile says "TPU v5 lite". */
static void
generation_row(struct telling *t, const struct tp_environment *e)
{
	bool slice;
	const struct tp_peak_row *known = tp_peak_row(e->device_type, &slice);

	if (known != NULL && !tp_slice_eq(tp_slice_of(known->shown), e->device_type))
		row(t, TP_S("Generation"), tp_text_value(tp_slice_of(known->shown)), "",
			TP_S("device type, from the device table"));
}

static void
device_rows(struct telling *t, const struct tp_environment *e)
{
	if (e->first_device == TP_NONE)
		return;
	const struct tp_device *d = &t->ctx->profile->devices[e->first_device];
	bool gpu = d->kind == TP_DEVICE_GPU;
	const char *one = gpu ? "GPU" : d->plane_cores == 2 ? "megacore" : "core";

	generation_row(t, e);
	row(t,
		e->type_count > 1 ? TP_S("Devices")
			: gpu         ? TP_S("GPUs")
						  : TP_S("Chips"),
		tp_count(e->devices), "run.devices",
		gpu                       ? source(t, TP_S("device planes"), TP_S("events of the traces"))
			: d->has_core_details ? TP_S("core_details of device planes")
								  : TP_S("device planes, one per chip"));
	if (!gpu) {
		row(t, TP_S("Cores"), tp_count(e->cores), "run.cores", TP_S("device planes"));
		if (e->unprofiled != 0)
			row(t, TP_S("Cores not profiled"), tp_count(e->unprofiled), "",
				TP_S("at least: core numbers in core_details"));
		if (e->cores % e->devices == 0)
			row(t, TP_S("Cores per chip"), tp_count(e->cores / e->devices), "",
				TP_S("cores / chips"));
	}
	if (d->plane_cores != 0)
		row(t, TP_S("Megacore"),
			tp_text_value(d->plane_cores == 2 ? TP_S("yes: the two cores of a chip work as one")
											  : TP_S("no")),
			"", TP_S("has_megacore of device planes"));
	peak_row(t, "Peak FLOP/s", one, TP_PEAK_FLOP, "flops.peak_per_s");
	peak_row(t, "Peak memory bandwidth", one, TP_PEAK_HBM, "memory_bandwidth.peak_per_s");
	peak_row(t, "Memory", one, TP_PEAK_CAPACITY, "memory.capacity_bytes");
	if (d->sm_count != 0)
		row(t, TP_S("Multiprocessors per GPU"), tp_count(d->sm_count), "",
			source(t, TP_S("core_count of device planes"), TP_S("deviceProperties")));
}

static void
batch_rows(struct telling *t, const struct tp_environment *e)
{
	if (e->batch_of_step != 0) {
		row_if_known(t, "Batch per core", "batch per core", batch_of_core(e), "run.batch.per_core",
			e->stated_in.ptr);
		row(t, TP_S("Batch per step"), batch_of_step(e), "run.batch.global", e->stated_in);
		return;
	}
	if (e->batch.per_core == 0) {
		not_recorded(t, "batch size");
		return;
	}
	struct tp_slice from =
		tp_arena_printf(t->ctx->keep, "not recorded: inferred from %.*s", TP_ARG(e->batch.how));

	if (e->working > 1)
		row(t, TP_S("Batch per core"), batch_of_core(e), "run.batch.per_core", from);
	row(t, TP_S("Batch per step"), batch_of_step(e), "run.batch.global",
		e->working <= 1 ? from
			: e->working < e->cores
			? tp_arena_printf(t->ctx->keep,
				  "that times the %u cores that ran operations, assuming data parallelism",
				  e->working)
			: TP_S("that times cores, assuming data parallelism"));
}

static struct tp_slice
level_text(struct tp_arena *keep, const char *what, uint32_t level)
{
	return level == 0 ? tp_arena_printf(keep, "%s off", what)
					  : tp_arena_printf(keep, "%s %u", what, level);
}

/* "host 2, device 1, Python off" */
static void
option_rows(struct telling *t)
{
	const struct tp_profile *p = t->ctx->profile;
	const struct tp_capture_options *o = NULL;
	struct tp_arena *keep = t->ctx->keep;

	for (uint32_t h = p->host_count; h-- > 0;)
		o = p->hosts[h].options.recorded ? &p->hosts[h].options : o;
	if (p->torch != NULL)
		row(t, TP_S("Profiler options"), tp_text_value(tp_torch_asked(t->ctx)), "",
			TP_S("record_shapes, profile_memory, with_stack, with_flops of the traces"));
	if (o == NULL) {
		if (p->torch == NULL)
			not_recorded(t, "trace options");
		return;
	}
	struct tp_slice from = TP_S("profile_options of Task Environment");

	row(t, TP_S("Trace levels"),
		tp_text_value(tp_arena_printf(keep, "%.*s, %.*s, %.*s",
			TP_ARG(level_text(keep, "host", o->host_level)),
			TP_ARG(level_text(keep, "device", o->device_level)),
			TP_ARG(level_text(keep, "Python", o->python_level)))),
		"", from);
	row(t, TP_S("Also traced"),
		tp_text_value(o->hlo && o->dataset_ops ? TP_S("program HLO, tf.data operations")
				: o->hlo                       ? TP_S("program HLO")
				: o->dataset_ops               ? TP_S("tf.data operations")
											   : TP_S("nothing")),
		"", from);
	if (o->duration_ms != 0)
		row(t, TP_S("Requested length"), tp_number((double)o->duration_ms, TP_UNIT_MS), "", from);
	if (o->path.len != 0)
		row(t, TP_S("Written to"), tp_text_value(o->path), "", from);
}

/* What profilers may say that is not said here is looked for by these keys. */
static const struct {
	const char *key, *label, *absent;
} job_facts[] = {
	{"build_target", "Build command", "build command"},
	{"command_line", "Run command", "run command"},
};

/* The framework's own row says it. */
static bool
is_of_framework(const struct tp_said *said)
{
	return tp_slice_eq(said->key, TP_S("jax_version")) ||
		(tp_slice_eq(said->key, TP_S("Framework")) && tp_slice_eq(said->value, TP_S(TP_LIGHTNING)));
}

static void
fact_rows(struct telling *t)
{
	const struct tp_said *said;
	size_t count = tp_facts_said(t->ctx, &said);

	for (size_t i = 0; i < count; i++) {
		if (!is_of_framework(&said[i]))
			row(t, said[i].label, tp_text_value(said[i].value), "", said[i].where);
	}
	for (size_t k = 0; k < sizeof job_facts / sizeof *job_facts; k++) {
		bool there = false;

		for (size_t i = 0; i < count; i++)
			there |= tp_slice_eq(said[i].key, tp_slice_of(job_facts[k].key));
		if (!there)
			not_recorded(t, job_facts[k].absent);
	}
}

static const struct tp_column host_columns[] = {
	TP_COLUMN("host", "Host", .code = true, TP_TEXT_FIELD(struct tp_host, name)),
	TP_COLUMN("started", "Capture started"),
	TP_COLUMN("after_ms", "After the first", .unit = TP_UNIT_MS, .decimals = 1),
	TP_COLUMN("length_ms", "Length", .unit = TP_UNIT_MS, .decimals = 1),
	TP_COLUMN("file", "File", .code = true),
};
struct host_cells {
	struct tp_cell host, started, after, length, file;
};
TP_CELLS_ARE_COLUMNS(struct host_cells, host_columns);

static void
host_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_profile *p = ctx->profile;
	int64_t first_ns = INT64_MAX;

	for (uint32_t h = 0; h < p->host_count; h++) {
		int64_t start = p->hosts[h].start_unix_ns;

		first_ns = start > 0 && start < first_ns ? start : first_ns;
	}
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, "environment/capture",
		p->torch != NULL ? "When each worker was captured" : "When each host was captured");
	enum { COUNT = sizeof host_columns / sizeof *host_columns };
	struct tp_column *heads = tp_new_array(doc->arena, struct tp_column, COUNT);

	memcpy(heads, host_columns, sizeof host_columns);
	/* Several workers may run on one host. */
	if (p->torch != NULL)
		heads[TP_COLUMN_OF(struct host_cells, host)].title = TP_S("Worker");
	struct tp_draft draft = tp_draft_table(doc, fold, "environment/hosts", heads, COUNT);

	for (uint32_t h = 0; h < p->host_count; h++) {
		const struct tp_host *host = &p->hosts[h];
		struct host_cells *cells = tp_draft_row_of(&draft, host->name, TP_ROW_NORMAL, 0, host);
		struct tp_value none = tp_missing(TP_S("this host does not record it"));

		cells->started.value = cells->after.value = cells->length.value = none;
		cells->file.value = tp_text_value(tp_say_file_name(p->inputs[host->input].path));
		if (host->start_unix_ns <= 0)
			continue;
		cells->started.value = tp_integer(host->start_unix_ns, TP_UNIT_UNIX_NS);
		cells->after.value = tp_integer(host->start_unix_ns - first_ns, TP_UNIT_NS);
		if (host->stop_unix_ns > host->start_unix_ns)
			cells->length.value = tp_integer(host->stop_unix_ns - host->start_unix_ns, TP_UNIT_NS);
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = p->torch != NULL ? TP_S("The capture of each worker, on its host's clock")
									  : TP_S("The capture on each host, on that host's clock");
	tp_table_drop_missing(doc, table, 1);
}

/* Between spans of a worker nothing is recorded: together they are no capture. */
static bool
several_spans(const struct tp_profile *p)
{
	for (uint32_t i = 0; p->torch != NULL && i < p->torch->trace_count; i++) {
		if (p->torch->traces[i]->span_number > 1)
			return true;
	}
	return false;
}

static struct tp_slice
capture_source(const struct telling *t, const struct tp_environment *e, const char *of_planes,
	struct tp_slice of_torch)
{
	return e->capture_precomputed ? e->stated_in : source(t, tp_slice_of(of_planes), of_torch);
}

static bool
is_gpu(const struct tp_profile *p, const struct tp_environment *e)
{
	return e->first_device != TP_NONE && p->devices[e->first_device].kind == TP_DEVICE_GPU;
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_profile *p = ctx->profile;
	const struct tp_environment *e = result;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MINOR, "environment", "Environment");

	section->section.key_figure = without_maker(device_type(e));
	bool unnamed = tp_slice_eq(e->device_type, TP_S("GPU"));
	/* "GPU (compute capability 7.0)": no type, but what is known of it. */
	bool described = tp_slice_starts(e->device_type, TP_S("GPU ("));

	section->section.answer = e->hosts == 0 ? TP_SAY0(doc, "Where it ran is not recorded.")
		: e->unrecorded ? TP_SAY(doc, "{}; GPU work was launched, but none was recorded.",
							  tp_say_number(ctx, e->hosts, "host", "hosts"))
		: e->type_count > 1
		? tp_doc_join(doc, TP_SAY(doc, "{}, ", tp_say_number(ctx, e->hosts, "host", "hosts")),
			  tp_doc_join(doc, tp_environment_say_devices(e, doc), TP_SAY0(doc, ".")))
		: unnamed && e->cores == 0
		? TP_SAY(doc, "{}; the number and type of its GPUs are not recorded.",
			  tp_say_number(ctx, e->hosts, "host", "hosts"))
		: unnamed
		? TP_SAY(doc, "{}, {} of unrecorded type.", tp_say_number(ctx, e->hosts, "host", "hosts"),
			  tp_say_number(ctx, e->cores, "GPU", "GPUs"))
		: described && e->cores != 0
		? TP_SAY(doc, "{}, {} {}.", tp_say_number(ctx, e->hosts, "host", "hosts"),
			  tp_say_number(ctx, e->cores, "GPU", "GPUs"),
			  tp_text_value(tp_slice_from(e->device_type, sizeof "GPU " - 1)))
		: e->cores != 0
		? TP_SAY(doc, "{}, {} of type {}.", tp_say_number(ctx, e->hosts, "host", "hosts"),
			  p->torch != NULL || is_gpu(p, e) ? tp_say_number(ctx, e->cores, "GPU", "GPUs")
											   : tp_say_number(ctx, e->cores, "core", "cores"),
			  tp_text_value(e->device_type))
		: tp_precomputed(ctx) != NULL && e->device_type.len == 0
		? TP_SAY(doc, "{}; the tool files do not name the devices.",
			  tp_say_number(ctx, e->hosts, "host", "hosts"))
		: tp_precomputed(ctx) != NULL
		? TP_SAY(doc, "{}, devices of type {}.", tp_say_number(ctx, e->hosts, "host", "hosts"),
			  tp_text_value(e->device_type))
		: TP_SAY(doc, "{}, no TPU or GPU.", tp_say_number(ctx, e->hosts, "host", "hosts"));
	struct telling t = {.ctx = ctx,
		.draft = tp_draft_table(doc, section, "environment/run", columns, 3),
		.absent = TP_S("")};
	struct tp_slice range = TP_S("the PyTorch Profiler range");

	row(&t, TP_S("Run"), tp_text_value(p->run), "", TP_S("name of the run's folder"));
	row(&t, TP_S("Hosts"), tp_count(e->hosts), "run.hosts",
		e->hosts_from.len != 0
			? e->hosts_from
			: source(&t, TP_S("files of the run, copies not counted"),
				  TP_S("machines named by the traces, else nodes in workers' names")));
	row(&t, TP_S("Device type"), device_type(e), "run.device_type",
		e->precomputed_from.len != 0      ? e->precomputed_from
			: tp_precomputed(ctx) != NULL ? TP_S("not in the tool files")
			: e->hosts == 0               ? TP_S("no file names a host")
			: unnamed                     ? TP_S("not recorded")
			: e->type_count > 1           ? TP_S("of the first device")
			: e->cores != 0 || e->unrecorded
			? source(&t, TP_S("device planes"), TP_S("deviceProperties"))
			: source(&t, TP_S("no plane of a TPU or GPU"), TP_S("no GPU events")));
	device_rows(&t, e);
	batch_rows(&t, e);
	row_if_known(
		&t, "Framework", "framework", e->framework_name, "run.framework", e->framework_from);
	if (p->torch != NULL)
		row(&t, TP_S("Version of torch"), tp_text_value(tp_torch_versions(ctx)), "",
			TP_S("not recorded: from the form of the events"));
	fact_rows(&t);
	row_if_known(&t, "Capture started", "when it was captured", e->capture_start, "",
		capture_source(&t, e, "profile_start_time of Task Environment", range).ptr);
	row_if_known(&t, several_spans(p) ? "From the first span to the last" : "Capture length",
		"for how long", e->capture_length, "",
		capture_source(&t, e, "profile_stop_time of Task Environment",
			several_spans(p) ? TP_S("PyTorch Profiler ranges; what each recorded is below") : range)
			.ptr);
	option_rows(&t);
	tp_draft_finish(&t.draft, 24)->caption = TP_S("What the profile says about the run, and where");
	if (t.absent.len != 0)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "environment/not-recorded",
			TP_SAY(doc, "Not recorded by this profiler: {}.", tp_text_value(t.absent)));
	if (p->host_count > 1)
		host_table(ctx, doc, section);
	tp_programs_present(ctx, doc, section);
	if (p->torch != NULL)
		tp_torch_span_table(ctx, doc, section);
}

const struct tp_pass tp_pass_environment_section = {
	.of = &tp_pass_environment,
	.of_profile = true,
	.place = TP_PLACE_ENVIRONMENT,
	.metrics = metrics,
	.present = present,
};
