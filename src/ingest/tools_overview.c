/* The readers of the overview page and of the input pipeline: their messages (OverviewPage and InputPipelineAnalysisResult of
 * TensorFlow's profiler); their tables are in tools_json.c. A number that is 0 is not written in a message, so that absence
 * says 0 or nothing; of figures it is taken to say nothing. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/texts.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"
#include "tools.pb-c.h"

#include <math.h>

/* Empty where it is 0. */
static struct tp_slice
digits(struct tp_tool_file *f, uint64_t number)
{
	return number != 0 ? tp_arena_printf(f->arena, "%llu", (unsigned long long)number) : TP_S("");
}

static bool
generic_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	Tp__GenericStep m = TP__GENERIC_STEP__INIT;

	tp_tool_message(&m.base, message, 0);
	*step = (struct tp_precomputed_step){
		.name = m.step_name.len != 0
			? tp_tool_pb_text(f->arena, m.step_name)
			: tp_arena_printf(f->arena, "%llu", (unsigned long long)m.step_number),
		.time_ms = m.step_time_ms,
		.part_ms =
			{
				[TP_PRECOMPUTED_OTHER] = m.unknown_time_ms,
				[TP_PRECOMPUTED_INPUT] = m.input_ms + m.host_wait_input_ms,
				[TP_PRECOMPUTED_OUTPUT] = m.output_ms,
				[TP_PRECOMPUTED_COMPUTE] = m.device_compute_ms,
				[TP_PRECOMPUTED_DEVICE_TO_DEVICE] = m.device_to_device_ms,
				[TP_PRECOMPUTED_HOST_COMPUTE] = m.host_compute_ms,
				[TP_PRECOMPUTED_LAUNCH] = m.host_prepare_ms,
				[TP_PRECOMPUTED_COMPILE] = m.host_compile_ms,
				[TP_PRECOMPUTED_TO_DEVICE] = m.host_to_device_ms,
				[TP_PRECOMPUTED_COLLECTIVE] = m.device_collectives_ms,
			},
		.input_share_min = NAN,
		.input_share_mean = NAN,
		.input_share_max = NAN,
	};
	return tp_tool_is_step(step);
}

/* It has no length of the step: that is what the TensorCore's parts sum to. */
static bool
tpu_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	Tp__TpuStep m = TP__TPU_STEP__INIT;

	tp_tool_message(&m.base, message, 0);
	*step = (struct tp_precomputed_step){
		.name = tp_arena_printf(f->arena, "%llu", (unsigned long long)m.step_number),
		.time_ms = m.tc_infeed_time_ms + m.tc_compute_time_ms + m.tc_idle_time_ms +
			m.tc_outfeed_time_ms + m.sc_compute_time_ms,
		.part_ms =
			{
				[TP_PRECOMPUTED_INPUT] = m.tc_infeed_time_ms,
				[TP_PRECOMPUTED_COMPUTE] = m.tc_compute_time_ms,
				[TP_PRECOMPUTED_IDLE] = m.tc_idle_time_ms,
				[TP_PRECOMPUTED_OUTPUT] = m.tc_outfeed_time_ms,
				[TP_PRECOMPUTED_SPARSE_CORE] = m.sc_compute_time_ms,
			},
		.input_share_mean = m.has_infeed_percent_average ? m.infeed_percent_average / 100 : NAN,
		.input_share_min = m.has_infeed_percent_min ? m.infeed_percent_min / 100 : NAN,
		.input_share_max = m.has_infeed_percent_max ? m.infeed_percent_max / 100 : NAN,
	};
	return tp_tool_is_step(step);
}

static bool
any_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	Tp__Any any = TP__ANY__INIT;

	tp_pb_message(&any.base, message);
	if (tp_slice_ends(tp_pb_slice(any.type_url), TP_S(".PerGenericStepDetails")))
		return generic_step(f, tp_pb_slice(any.value), step);
	if (tp_slice_ends(tp_pb_slice(any.type_url), TP_S(".PerTpuStepDetails")))
		return tpu_step(f, tp_pb_slice(any.value), step);
	tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
		"holds steps of an unknown type: not read");
	return false;
}

static struct tp_precomputed_input_op
input_operation(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__InputOp m = TP__INPUT_OP__INIT;

	tp_tool_message(&m.base, message, 0);
	return (struct tp_precomputed_input_op){
		.name = tp_tool_pb_text(f->arena, m.op_name),
		.category = tp_tool_pb_text(f->arena, m.category),
		.count = m.count,
		.total_ms = m.time_in_ms,
		.self_ms = m.self_time_in_ms,
		.self_share = m.self_time_in_percent / 100,
	};
}

/* The parts of a whole: one that is not written is 0. */
static void
input_times(struct tp_tool_file *f, struct tp_slice message)
{
	double *us = f->precomputed->input_us;
	Tp__InputTimes m = TP__INPUT_TIMES__INIT;

	tp_tool_message(&m.base, message, 0);
	us[TP_PRECOMPUTED_DEMANDED_READ] = m.demanded_file_read_us;
	us[TP_PRECOMPUTED_ADVANCED_READ] = m.advanced_file_read_us;
	us[TP_PRECOMPUTED_PREPROCESSING] = m.preprocessing_us;
	us[TP_PRECOMPUTED_ENQUEUE] = m.enqueue_us;
	us[TP_PRECOMPUTED_INPUT_OTHER] = m.unclassified_non_enqueue_us;
}

static void
take_steps(struct tp_tool_file *f, struct tp_buf *steps)
{
	size_t count = steps->count;
	const struct tp_precomputed_step *all = tp_buf_settle(steps, sizeof *all, f->arena);
	unsigned told = 0;

	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < TP_PRECOMPUTED_PART_COUNT; k++)
			told |= all[i].part_ms[k] > 0 ? 1u << k : 0;
	}
	f->found |= count != 0;
	if (count != 0)
		tp_tool_take_steps(f, all, count, told);
}

static void
take_input_ops(struct tp_tool_file *f, struct tp_buf *ops)
{
	struct tp_precomputed *g = f->precomputed;

	f->found |= ops->count != 0;
	g->input_op_count = ops->count;
	g->input_ops = tp_buf_settle(ops, sizeof *g->input_ops, f->arena);
	g->input_from = f->name;
}

static void
input_pipeline(struct tp_tool_file *f, struct tp_slice message)
{
	enum { STEP = 4, OPERATION = 6 };
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf steps = {0}, ops = {0};
	bool first = f->precomputed->input_from.len == 0;
	Tp__InputPipeline m = TP__INPUT_PIPELINE__INIT;

	while (tp_pb_fill(&p, &m.base)) {
		struct tp_precomputed_step step;

		if (p.type != TP_PB_BYTES || p.state == TP_PB_TRUNCATED)
			continue; /* of a step or an operation that is cut nothing is used */
		if (p.field == STEP && steps.count < TP_TOOL_MOST_ROWS && any_step(f, p.bytes, &step))
			*tp_buf_new(&steps, struct tp_precomputed_step) = step;
		else if (p.field == OPERATION && first && ops.count < TP_TOOL_MOST_ROWS)
			*tp_buf_new(&ops, struct tp_precomputed_input_op) = input_operation(f, p.bytes);
	}
	if (f->precomputed->hardware.len == 0)
		f->precomputed->hardware = tp_tool_pb_text(f->arena, m.hardware_type);
	take_steps(f, &steps);
	if (first && m.has_input_time_breakdown)
		input_times(f, tp_pb_slice(m.input_time_breakdown));
	if (first)
		take_input_ops(f, &ops);
	tp_buf_free(&ops);
	if (message.ptr == f->in->bytes.ptr)
		tp_tool_end(f->in, f->out, &p);
}

static struct tp_precomputed_op
operation(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_precomputed_op op = tp_tool_no_op();
	Tp__OverviewOp m = TP__OVERVIEW_OP__INIT;

	tp_tool_message(&m.base, message, NAN);
	op.name = tp_tool_pb_text(f->arena, m.name);
	op.category = tp_tool_pb_text(f->arena, m.category);
	op.share = m.self_time_fraction <= 1 ? m.self_time_fraction : NAN;
	op.flop_per_s = m.flop_rate * 1e9;
	return op;
}

static void
analysis(struct tp_tool_file *f, struct tp_slice message)
{
	enum { OPERATION = 4 };
	Tp__OverviewAnalysis m = TP__OVERVIEW_ANALYSIS__INIT;
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf ops = {0};

	while (tp_pb_fill(&p, &m.base)) {
		if (p.field == OPERATION && p.type == TP_PB_BYTES && p.state != TP_PB_TRUNCATED &&
			ops.count < TP_TOOL_MOST_ROWS)
			*tp_buf_new(&ops, struct tp_precomputed_op) = operation(f, p.bytes);
	}
	tp_tool_doubles(&m.base, NAN);
	const double percent[TP_PRECOMPUTED_FIGURE_COUNT] = {
		[TP_PRECOMPUTED_MATRIX_UNIT] = m.mxu_utilization_percent,
		[TP_PRECOMPUTED_DEVICE_IDLE] = m.device_idle_time_percent,
		[TP_PRECOMPUTED_HOST_IDLE] = m.host_idle_time_percent,
		[TP_PRECOMPUTED_FLOPS_OF_ROOFLINE] = m.flop_rate_utilization_relative_to_roofline_percent,
		[TP_PRECOMPUTED_HBM_OF_LIMIT] = m.memory_bw_utilization_relative_to_hw_limit_percent,
		[TP_PRECOMPUTED_16BIT] = m.device_compute_16bit_percent,
		[TP_PRECOMPUTED_32BIT] = m.device_compute_32bit_percent,
		[TP_PRECOMPUTED_HOST_EAGER] = m.host_op_time_eager_percent,
		[TP_PRECOMPUTED_DEVICE_EAGER] = m.device_op_time_eager_percent,
		[TP_PRECOMPUTED_OUTSIDE_COMPILATION] = m.device_op_time_outside_compilation_percent,
		[TP_PRECOMPUTED_DUTY_CYCLE] = m.device_duty_cycle_percent,
	};

	for (int k = 0; k < TP_PRECOMPUTED_FIGURE_COUNT; k++) {
		if (!(percent[k] <= 100) || isfinite(f->precomputed->figures[k]))
			continue;
		f->precomputed->figures[k] = percent[k] / 100;
		f->precomputed->figures_from = f->name;
		f->found = true;
	}
	tp_tool_take_ops(f, &f->precomputed->framework_ops, &ops, true);
}

/* "2020-05-20 19:40:00" of nanoseconds since 1970. */
static struct tp_slice
moment(struct tp_tool_file *f, uint64_t unix_ns)
{
	char buf[TP_VALUE_BUF];

	return unix_ns == 0 || unix_ns > INT64_MAX
		? TP_S("")
		: tp_arena_copy(
			  f->arena, tp_value_text(tp_integer((int64_t)unix_ns, TP_UNIT_UNIX_NS), buf));
}

static void
job(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__JobInfo m = TP__JOB_INFO__INIT;

	tp_pb_message(&m.base, message);
	tp_tool_fact(f, "change_list", digits(f, m.change_list));
	tp_tool_fact(f, "build_time", moment(f, m.build_time_ns));
	tp_tool_fact(f, "build_target", tp_tool_pb_text(f->arena, m.build_target));
	if (f->precomputed->capture_ms == 0 && m.profile_duration_ms < UINT32_MAX)
		f->precomputed->capture_ms = m.profile_duration_ms;
}

static void
job_of_host(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__HostJobInfo m = TP__HOST_JOB_INFO__INIT;

	tp_pb_message(&m.base, message);
	tp_tool_fact(f, "command_line", tp_tool_pb_text(f->arena, m.command_line));
	tp_tool_fact(f, "start_time", moment(f, m.start_time_ns));
	if (f->precomputed->captured.len == 0)
		f->precomputed->captured = moment(f, m.profile_time_ns);
}

static void
environment(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_precomputed *g = f->precomputed;
	Tp__RunEnvironment m = TP__RUN_ENVIRONMENT__INIT;

	tp_pb_message(&m.base, message);
	if (m.has_device_type && g->device_type.len == 0) {
		g->device_type = tp_tool_pb_text(f->arena, m.device_type);
		g->environment_from = f->name;
		f->found = true;
	}
	if (g->core_count == 0 && m.device_core_count < 1000000000)
		g->core_count = (uint32_t)m.device_core_count;
	tp_tool_fact(f, "Hosts of the run", digits(f, m.host_count));
	tp_tool_fact(f, "Tasks", digits(f, m.task_count));
	job(f, tp_pb_slice(m.job));
	job_of_host(f, tp_pb_slice(m.job_of_host));
	tp_tool_fact(f, "Replicas", digits(f, m.replica_count));
	tp_tool_fact(f, "Cores of a replica", digits(f, m.num_cores_per_replica));
}

static void
recommendation(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__OverviewRecommendation m = TP__OVERVIEW_RECOMMENDATION__INIT;

	tp_pb_message(&m.base, message);
	if (m.has_statement && f->precomputed->statement.len == 0) {
		f->precomputed->statement = tp_tool_pb_text(f->arena, m.statement);
		f->precomputed->statement_from = f->name;
	}
}

static void
overview_page(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__OverviewPage m = TP__OVERVIEW_PAGE__INIT;
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_fill(&p, &m.base))
		;
	if (m.has_input_analysis)
		input_pipeline(f, tp_pb_slice(m.input_analysis));
	if (m.has_analysis)
		analysis(f, tp_pb_slice(m.analysis));
	recommendation(f, tp_pb_slice(m.recommendation));
	environment(f, tp_pb_slice(m.run_environment));
	tp_tool_end(f->in, f->out, &p);
}

const struct tp_reader tp_reader_overview_page = {
	.name = "overview_page",
	.summary = "precomputed by a profiler: steps, utilisation, top operations",
	.suffixes = TP_TEXTS(".overview_page.json", ".overview_page.pb"),
	.marks = TP_TEXTS("\"flopRate\"", "\"mxu_utilization_percent\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool = TP_TOOL(.complaint = "not an overview page: it holds no steps, figures or operations",
		.json = tp_tool_tables, .message = overview_page),
	.read = tp_tool_read,
};

const struct tp_reader tp_reader_input_pipeline = {
	.name = "input_pipeline",
	.summary = "precomputed by a profiler: steps and the host's input work",
	.suffixes = TP_TEXTS(".input_pipeline.json", ".input_pipeline.pb"),
	.marks = TP_TEXTS("\"stepnum\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool =
		TP_TOOL(.complaint = "not an input pipeline analysis: it holds no steps and no operations",
			.json = tp_tool_tables, .message = input_pipeline),
	.read = tp_tool_read,
};
