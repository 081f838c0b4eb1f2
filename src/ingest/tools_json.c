/* The tables of overview_page.json and input_pipeline.json, told apart by their columns and properties: which there are,
 * and in which order, changed over the years. */
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/tools.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Columns with parts of a step, in ms, of all versions. */
static const struct {
	const char *column;
	enum tp_precomputed_part part;
} parts[] = {
	{"computeTimeMs", TP_PRECOMPUTED_COMPUTE},
	{"tcComputeTimeMs", TP_PRECOMPUTED_COMPUTE},
	{"noninfeedTimeMs", TP_PRECOMPUTED_COMPUTE},
	{"deviceComputeTimeMs", TP_PRECOMPUTED_COMPUTE},
	{"bcComputeTimeMs", TP_PRECOMPUTED_SPARSE_CORE},
	{"scv0ComputeTimeMs", TP_PRECOMPUTED_SPARSE_CORE},
	{"bcInfeedTimeMs", TP_PRECOMPUTED_INPUT},
	{"scv0InfeedTimeMs", TP_PRECOMPUTED_INPUT},
	{"tcInfeedTimeMs", TP_PRECOMPUTED_INPUT},
	{"infeedTimeMs", TP_PRECOMPUTED_INPUT},
	{"inputTimeMs", TP_PRECOMPUTED_INPUT},
	{"tcOutfeedTimeMs", TP_PRECOMPUTED_OUTPUT},
	{"outfeedTimeMs", TP_PRECOMPUTED_OUTPUT},
	{"tcIdleTimeMs", TP_PRECOMPUTED_IDLE},
	{"idleTimeMs", TP_PRECOMPUTED_IDLE},
	{"hostTransferMs", TP_PRECOMPUTED_HOST_TRANSFER},
	{"deviceToDeviceTimeMs", TP_PRECOMPUTED_DEVICE_TO_DEVICE},
	{"deviceCollectivesMs", TP_PRECOMPUTED_COLLECTIVE},
	{"deviceCollectivesTimeMs", TP_PRECOMPUTED_COLLECTIVE},
	{"hostComputeTimeMs", TP_PRECOMPUTED_HOST_COMPUTE},
	{"kernelLaunchTimeMs", TP_PRECOMPUTED_LAUNCH},
	{"compileTimeMs", TP_PRECOMPUTED_COMPILE},
	{"otherTimeMs", TP_PRECOMPUTED_OTHER},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* A share 0…1; NaN when it is none. xprof begins a maximum at the least double above 0, and leaves it there when all are 0. */
static double
percent(const json_t *value)
{
	double figure = tp_json_figure(value);

	return fabs(figure) <= DBL_MIN ? 0 : figure / 100;
}

static void
steps(struct tp_tool_file *f, const struct tp_gviz *t)
{
	size_t count = tp_gviz_rows(t), kept = 0;

	unsigned told = 0;

	for (size_t p = 0; p < PARTS; p++)
		told |= tp_gviz_has(t, parts[p].column) ? 1u << parts[p].part : 0;
	f->found |= count != 0;
	if (count == 0)
		return;
	struct tp_precomputed_step *all = tp_new_array(f->arena, struct tp_precomputed_step, count);

	for (size_t i = 0; i < count; i++) {
		struct tp_precomputed_step *step = &all[kept];

		*step = (struct tp_precomputed_step){
			.name = tp_json_text(f->arena, tp_gviz_cell(t, i, "stepnum")),
			.input_share_mean = percent(tp_gviz_cell(t, i, "infeedPercentAverage")),
			.input_share_min = percent(tp_gviz_cell(t, i, "infeedPercentMin")),
			.input_share_max = percent(tp_gviz_cell(t, i, "infeedPercentMax")),
		};
		for (size_t p = 0; p < PARTS; p++) {
			double ms = tp_json_figure(tp_gviz_cell(t, i, parts[p].column));

			if (isfinite(ms) && ms >= 0)
				step->part_ms[parts[p].part] += ms;
		}
		for (int p = 0; p < TP_PRECOMPUTED_PART_COUNT; p++)
			step->time_ms += step->part_ms[p];
		kept += tp_tool_is_step(step);
	}
	if (kept != 0)
		tp_tool_take_steps(f, all, kept, told);
}

static void
top_operations(struct tp_tool_file *f, const struct tp_gviz *t)
{
	struct tp_buf list = {0};

	for (size_t i = 0; i < tp_gviz_rows(t); i++) {
		struct tp_precomputed_op *op = tp_buf_add(&list, sizeof *op);
		double share = tp_json_figure(tp_gviz_cell(t, i, "selfTimePercent"));
		double gflop = tp_json_figure(tp_gviz_cell(t, i, "flopRate"));

		*op = tp_tool_no_op();
		op->name = tp_json_text(f->arena, tp_gviz_cell(t, i, "operation"));
		op->category = tp_json_text(f->arena, tp_gviz_cell(t, i, "category"));
		op->share = share >= 0 && share <= 1 ? share : NAN;
		op->flop_per_s = gflop >= 0 ? gflop * 1e9 : NAN;
	}
	tp_tool_take_ops(f, &f->precomputed->framework_ops, &list, true);
}

static void
input_operations(struct tp_tool_file *f, const struct tp_gviz *t)
{
	static const char *const times[TP_PRECOMPUTED_INPUT_TIME_COUNT] = {
		[TP_PRECOMPUTED_ENQUEUE] = "enqueue_us",
		[TP_PRECOMPUTED_PREPROCESSING] = "preprocessing_us",
		[TP_PRECOMPUTED_ADVANCED_READ] = "advanced_file_read_us",
		[TP_PRECOMPUTED_DEMANDED_READ] = "demanded_file_read_us",
		[TP_PRECOMPUTED_INPUT_OTHER] = "unclassified_nonequeue_us",
	};
	size_t count = tp_gviz_rows(t);

	if (f->precomputed->input_from.len != 0)
		return;
	struct tp_precomputed_input_op *ops =
		tp_new_array(f->arena, struct tp_precomputed_input_op, count);

	for (size_t i = 0; i < count; i++) {
		double n = tp_json_figure(tp_gviz_cell(t, i, "count"));

		ops[i] = (struct tp_precomputed_input_op){
			.name = tp_json_text(f->arena, tp_gviz_cell(t, i, "opName")),
			.category = tp_json_text(f->arena, tp_gviz_cell(t, i, "category")),
			.count = n >= 0 && n < 1e18 ? (uint64_t)n : 0,
			.total_ms = tp_json_figure(tp_gviz_cell(t, i, "timeInMs")),
			.self_ms = tp_json_figure(tp_gviz_cell(t, i, "selfTimeInMs")),
			.self_share = tp_json_figure(tp_gviz_cell(t, i, "selfTimeInPercent")),
		};
	}
	for (int k = 0; k < TP_PRECOMPUTED_INPUT_TIME_COUNT; k++)
		f->precomputed->input_us[k] = tp_json_figure(json_object_get(t->properties, times[k]));
	f->precomputed->input_ops = ops;
	f->precomputed->input_op_count = count;
	f->precomputed->input_from = f->name;
	f->found = true;
}

/* Tables hold 0 for what the tool did not compute. Two figures that cannot both be 0 were not: the shares of 16 and of 32 bit, how near
 * the roofline arithmetic and memory are, a device's work and its idle time. */
static void
forget_unset(double of[static TP_PRECOMPUTED_FIGURE_COUNT])
{
	static const enum tp_precomputed_figure pairs[][2] = {
		{TP_PRECOMPUTED_16BIT, TP_PRECOMPUTED_32BIT},
		{TP_PRECOMPUTED_FLOPS_OF_ROOFLINE, TP_PRECOMPUTED_HBM_OF_LIMIT},
		{TP_PRECOMPUTED_DUTY_CYCLE, TP_PRECOMPUTED_DEVICE_IDLE},
	};

	/* It is set with the device's. */
	if (of[TP_PRECOMPUTED_DUTY_CYCLE] == 0 && of[TP_PRECOMPUTED_DEVICE_IDLE] == 0 &&
		of[TP_PRECOMPUTED_HOST_IDLE] == 0)
		of[TP_PRECOMPUTED_HOST_IDLE] = NAN;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		if (of[pairs[i][0]] == 0 && of[pairs[i][1]] == 0)
			of[pairs[i][0]] = of[pairs[i][1]] = NAN;
	}
	/* A device that is not always idle works. */
	if (of[TP_PRECOMPUTED_DUTY_CYCLE] == 0 && of[TP_PRECOMPUTED_DEVICE_IDLE] < 1)
		of[TP_PRECOMPUTED_DUTY_CYCLE] = NAN;
}

static void
figures(struct tp_tool_file *f, const json_t *p)
{
	static const char *const names[TP_PRECOMPUTED_FIGURE_COUNT] = {
		[TP_PRECOMPUTED_MATRIX_UNIT] = "mxu_utilization_percent",
		[TP_PRECOMPUTED_DEVICE_IDLE] = "device_idle_time_percent",
		[TP_PRECOMPUTED_HOST_IDLE] = "host_idle_time_percent",
		[TP_PRECOMPUTED_FLOPS_OF_ROOFLINE] = "flop_rate_utilization_relative_to_roofline",
		[TP_PRECOMPUTED_HBM_OF_LIMIT] = "memory_bw_utilization_relative_to_hw_limit",
		[TP_PRECOMPUTED_16BIT] = "device_compute_16bit_percent",
		[TP_PRECOMPUTED_32BIT] = "device_compute_32bit_percent",
		[TP_PRECOMPUTED_HOST_EAGER] = "host_op_time_eager_percent",
		[TP_PRECOMPUTED_DEVICE_EAGER] = "device_op_time_eager_percent",
		[TP_PRECOMPUTED_OUTSIDE_COMPILATION] = "device_op_time_outside_compilation_percent",
		[TP_PRECOMPUTED_DUTY_CYCLE] = "device_duty_cycle_percent",
	};
	bool any = false;

	for (int k = 0; k < TP_PRECOMPUTED_FIGURE_COUNT; k++) {
		double share = percent(json_object_get(p, names[k]));

		if (!(share >= 0 && share <= 1) || isfinite(f->precomputed->figures[k]))
			continue;
		f->precomputed->figures[k] = share;
		any = true;
	}
	forget_unset(f->precomputed->figures);
	if (any)
		f->precomputed->figures_from = f->name;
	f->found |= any;
}

/* "8 (Replica count = 8, num cores per replica = 1)" */
static uint32_t
leading_count(const json_t *value)
{
	double number = tp_json_figure(value);

	return number >= 1 && number < 1e9 ? (uint32_t)number : 0;
}

/* "1024 (per-core batch size = 128)" */
static void
batch(struct tp_tool_file *f, const json_t *value)
{
	struct tp_slice text = tp_json_text(f->arena, value);
	const char *each = text.len != 0 ? memchr(text.ptr, '=', text.len) : NULL;

	if (f->precomputed->batch != 0)
		return;
	f->precomputed->batch = leading_count(value);
	double of_core = each == NULL ? 0 : strtod(each + 1, NULL);

	f->precomputed->batch_of_core = of_core >= 1 && of_core < 1e15 ? (uint64_t)of_core : 0;
}

/* Nothing was put into these: 0, or the beginning of 1970, in whichever time zone. */
static bool
is_default(struct tp_slice text)
{
	return text.len == 0 || tp_slice_eq(text, TP_S("0")) ||
		tp_slice_starts(text, TP_S("1970-01-01")) || tp_slice_starts(text, TP_S("1969-12-31"));
}

static void
job_fact(struct tp_tool_file *f, const char *key, struct tp_slice text)
{
	if (!is_default(text))
		tp_tool_fact(f, key, text);
}

/* How it was built and started; of several hosts each has a row. */
static void
job(struct tp_tool_file *f, const struct tp_gviz *t)
{
	static const char *const facts[] = {"build_target", "build_time", "change_list"};
	const json_t *p = t->properties;
	struct tp_slice when = tp_json_text(f->arena, json_object_get(p, "profile_time"));
	double ms = tp_json_figure(json_object_get(p, "profile_duration_ms"));

	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		job_fact(f, facts[i], tp_json_text(f->arena, json_object_get(p, facts[i])));
	for (size_t i = 0; i < tp_gviz_rows(t); i++) {
		job_fact(f, "command_line", tp_json_text(f->arena, tp_gviz_cell(t, i, "command_line")));
		job_fact(f, "start_time", tp_json_text(f->arena, tp_gviz_cell(t, i, "start_time")));
	}
	if (f->precomputed->captured.len == 0 && !is_default(when))
		f->precomputed->captured = when;
	if (f->precomputed->capture_ms == 0 && ms >= 1 && ms < 1e12)
		f->precomputed->capture_ms = (uint64_t)ms;
}

static void
environment(struct tp_tool_file *f, const struct tp_gviz *t)
{
	static const char *const facts[][2] = {
		{"host_count", "Hosts of the run"},
		{"task_count", "Tasks"},
		{"device_core_count", "Cores, as given by the profiler"},
		{"tpu_core_count", "Cores, as given by the profiler"},
		{"error_message", "Profiler message"},
	};
	const json_t *p = t->properties, *type = json_object_get(p, "device_type");
	const json_t *cores = json_object_get(p, "device_core_count");

	if (type == NULL)
		type = json_object_get(p, "tpu_type");
	if (cores == NULL)
		cores = json_object_get(p, "tpu_core_count");
	if (f->precomputed->device_type.len == 0) {
		f->precomputed->device_type = tp_json_text(f->arena, type);
		f->precomputed->environment_from = f->name;
	}
	if (f->precomputed->core_count == 0)
		f->precomputed->core_count = leading_count(cores);
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
		tp_tool_fact(f, facts[i][1], tp_json_text(f->arena, json_object_get(p, facts[i][0])));
	batch(f, json_object_get(p, "batch_size"));
	job(f, t);
	f->found = true;
}

void
tp_tool_tables(struct tp_tool_file *f, const json_t *tables)
{
	for (size_t i = 0; i < json_array_size(tables); i++) {
		struct tp_gviz t = tp_gviz_of(json_array_get(tables, i));
		const json_t *p = t.properties;

		if (tp_gviz_has(&t, "stepnum"))
			steps(f, &t);
		if (tp_gviz_has(&t, "selfTimePercent") && tp_gviz_has(&t, "operation"))
			top_operations(f, &t);
		if (tp_gviz_has(&t, "opName") && tp_gviz_has(&t, "selfTimeInMs"))
			input_operations(f, &t);
		if (json_object_get(p, "device_idle_time_percent") != NULL ||
			json_object_get(p, "mxu_utilization_percent") != NULL)
			figures(f, p);
		if (json_object_get(p, "host_count") != NULL)
			environment(f, &t);
		if (f->precomputed->hardware.len == 0)
			f->precomputed->hardware = tp_json_text(f->arena, json_object_get(p, "hardware_type"));
		const json_t *said = json_object_get(p, "statement");

		if (said == NULL)
			said = json_object_get(p, "summary_conclusion");
		if (f->precomputed->statement.len == 0 && json_string_length(said) != 0) {
			f->precomputed->statement = tp_json_text(f->arena, said);
			f->precomputed->statement_from = f->name;
		}
	}
}
