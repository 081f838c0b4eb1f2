/* The messages of overview_page.pb and input_pipeline.pb (OverviewPage and InputPipelineAnalysisResult of TensorFlow's
 * profiler). A number that is 0 is not written there, so that absence says 0 or nothing; of figures it is taken to say
 * nothing. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/number.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <math.h>

/* Fields of PerGenericStepDetails. Number 4 was input_ms before it was split in two. */
static const struct {
	uint32_t field;
	enum tp_precomputed_part part;
} generic[] = {
	{3, TP_PRECOMPUTED_OTHER},
	{4, TP_PRECOMPUTED_INPUT},
	{5, TP_PRECOMPUTED_OUTPUT},
	{6, TP_PRECOMPUTED_COMPUTE},
	{7, TP_PRECOMPUTED_DEVICE_TO_DEVICE},
	{8, TP_PRECOMPUTED_HOST_COMPUTE},
	{9, TP_PRECOMPUTED_LAUNCH},
	{10, TP_PRECOMPUTED_COMPILE},
	{11, TP_PRECOMPUTED_INPUT},
	{12, TP_PRECOMPUTED_TO_DEVICE},
	{13, TP_PRECOMPUTED_COLLECTIVE},
};
enum { GENERIC_PARTS = sizeof generic / sizeof *generic };

static const struct {
	uint32_t field;
	enum tp_precomputed_part part;
} tpu[] = {
	{3, TP_PRECOMPUTED_INPUT},
	{13, TP_PRECOMPUTED_COMPUTE},
	{14, TP_PRECOMPUTED_IDLE},
	{15, TP_PRECOMPUTED_OUTPUT},
	{17, TP_PRECOMPUTED_SPARSE_CORE},
};
enum { TPU_PARTS = sizeof tpu / sizeof *tpu };

static struct tp_precomputed_step
empty_step(void)
{
	return (struct tp_precomputed_step){
		.input_share_min = NAN, .input_share_mean = NAN, .input_share_max = NAN};
}

static bool
generic_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t number = 0;
	double value;

	*step = empty_step();
	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_VARINT)
			number = p.number;
		else if (p.field == 14 && p.type == TP_PB_BYTES)
			step->name = tp_tool_text(f->arena, p.bytes);
		else if (p.field == 2 && tp_tool_number(&p, &value))
			step->time_ms = value;
		for (size_t k = 0; k < GENERIC_PARTS; k++) {
			if (p.field == generic[k].field && tp_tool_number(&p, &value))
				step->part_ms[generic[k].part] += value;
		}
	}
	if (step->name.len == 0)
		step->name = tp_arena_printf(f->arena, "%llu", (unsigned long long)number);
	return tp_tool_is_step(step);
}

/* PerTpuStepDetails has no length of the step: it is what the TensorCore's parts sum to. */
static bool
tpu_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	struct tp_pb p = tp_pb_open(message);
	uint64_t number = 0;
	double value;

	*step = empty_step();
	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_VARINT)
			number = p.number;
		if (!tp_tool_number(&p, &value))
			continue;
		for (size_t k = 0; k < TPU_PARTS; k++) {
			if (p.field == tpu[k].field) {
				step->part_ms[tpu[k].part] += value;
				step->time_ms += value;
			}
		}
		if (p.field == 4)
			step->input_share_mean = value / 100;
		else if (p.field == 5)
			step->input_share_min = value / 100;
		else if (p.field == 6)
			step->input_share_max = value / 100;
	}
	step->name = tp_arena_printf(f->arena, "%llu", (unsigned long long)number);
	return tp_tool_is_step(step);
}

/* google.protobuf.Any: 1 type_url, 2 value. */
static bool
any_step(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_step *step)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_slice type = {NULL, 0}, value = {NULL, 0};

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == 1)
			type = p.bytes;
		else if (p.type == TP_PB_BYTES && p.field == 2)
			value = p.bytes;
	}
	if (tp_slice_ends(type, TP_S(".PerGenericStepDetails")))
		return generic_step(f, value, step);
	if (tp_slice_ends(type, TP_S(".PerTpuStepDetails")))
		return tpu_step(f, value, step);
	tp_diag_at(&tp_builder_profile(f->out)->diags, TP_DIAG_NOTE, f->in->path, TP_NO_OFFSET,
		"holds steps of a kind that is not known here: they were not read");
	return false;
}

static void
input_operation(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_input_op *op)
{
	struct tp_pb p = tp_pb_open(message);
	double value;

	*op = (struct tp_precomputed_input_op){0};
	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			op->name = tp_tool_text(f->arena, p.bytes);
		else if (p.field == 7 && p.type == TP_PB_BYTES)
			op->category = tp_tool_text(f->arena, p.bytes);
		else if (p.field == 2 && p.type == TP_PB_VARINT)
			op->count = p.number;
		else if (p.field == 3 && tp_tool_number(&p, &value))
			op->total_ms = value;
		else if (p.field == 5 && tp_tool_number(&p, &value))
			op->self_ms = value;
		else if (p.field == 6 && tp_tool_number(&p, &value))
			op->self_share = value / 100;
	}
}

static void
input_times(struct tp_tool_file *f, struct tp_slice message)
{
	static const enum tp_precomputed_input_time of[] = {
		[1] = TP_PRECOMPUTED_DEMANDED_READ,
		[2] = TP_PRECOMPUTED_ADVANCED_READ,
		[3] = TP_PRECOMPUTED_PREPROCESSING,
		[4] = TP_PRECOMPUTED_ENQUEUE,
		[5] = TP_PRECOMPUTED_INPUT_OTHER,
	};
	struct tp_pb p = tp_pb_open(message);
	double value;

	/* The parts of a whole: one that is not written is 0. */
	for (int k = 0; k < TP_PRECOMPUTED_INPUT_TIME_COUNT; k++)
		f->precomputed->input_us[k] = 0;
	while (tp_pb_next(&p)) {
		if (p.field >= 1 && p.field <= 5 && tp_tool_number(&p, &value))
			f->precomputed->input_us[of[p.field]] = value;
	}
}

static void
take_steps(struct tp_tool_file *f, struct tp_buf *steps)
{
	struct tp_precomputed *g = f->precomputed;

	const struct tp_precomputed_step *all = steps->data;
	unsigned told = 0;

	for (size_t i = 0; i < steps->count; i++) {
		for (int k = 0; k < TP_PRECOMPUTED_PART_COUNT; k++)
			told |= all[i].part_ms[k] > 0 ? 1u << k : 0;
	}
	f->found |= steps->count != 0;
	if (steps->count == 0 || !tp_tool_takes_steps(f, told)) {
		tp_buf_free(steps);
		return;
	}
	g->parts = told;
	g->step_count = steps->count;
	g->steps = tp_buf_settle(steps, sizeof *g->steps, f->arena);
	g->steps_from = f->name;
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

void
tp_tool_input_pipeline(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf steps = {0}, ops = {0};
	bool first = f->precomputed->input_from.len == 0;

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES || p.state == TP_PB_TRUNCATED)
			continue; /* of a step or an operation that is cut nothing is used */
		if (p.field == 9 && f->precomputed->hardware.len == 0) {
			f->precomputed->hardware = tp_tool_text(f->arena, p.bytes);
		} else if (p.field == 4 && steps.count < TP_TOOL_MOST_ROWS) {
			struct tp_precomputed_step step;

			if (any_step(f, p.bytes, &step))
				*(struct tp_precomputed_step *)tp_buf_add(&steps, sizeof step) = step;
		} else if (p.field == 5 && first) {
			input_times(f, p.bytes);
		} else if (p.field == 6 && first && ops.count < TP_TOOL_MOST_ROWS) {
			input_operation(f, p.bytes, tp_buf_add(&ops, sizeof(struct tp_precomputed_input_op)));
		}
	}
	take_steps(f, &steps);
	if (first)
		take_input_ops(f, &ops);
	else
		tp_buf_free(&ops);
	if (message.ptr == f->in->bytes.ptr)
		tp_tool_end(f->in, f->out, &p);
}

static void
operation(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_op *op)
{
	struct tp_pb p = tp_pb_open(message);
	double value;

	*op = tp_tool_no_op();
	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES)
			op->name = tp_tool_text(f->arena, p.bytes);
		else if (p.field == 2 && p.type == TP_PB_BYTES)
			op->category = tp_tool_text(f->arena, p.bytes);
		else if (p.field == 3 && tp_tool_number(&p, &value) && value <= 1)
			op->share = value;
		else if (p.field == 5 && tp_tool_number(&p, &value))
			op->flop_per_s = value * 1e9;
	}
}

static void
analysis(struct tp_tool_file *f, struct tp_slice message)
{
	static const struct {
		uint32_t field;
		enum tp_precomputed_figure figure;
	} figures[] = {
		{1, TP_PRECOMPUTED_MATRIX_UNIT},
		{2, TP_PRECOMPUTED_DEVICE_IDLE},
		{3, TP_PRECOMPUTED_HOST_IDLE},
		{7, TP_PRECOMPUTED_FLOPS_OF_ROOFLINE},
		{8, TP_PRECOMPUTED_HBM_OF_LIMIT},
		{9, TP_PRECOMPUTED_16BIT},
		{10, TP_PRECOMPUTED_32BIT},
		{14, TP_PRECOMPUTED_HOST_EAGER},
		{15, TP_PRECOMPUTED_DEVICE_EAGER},
		{16, TP_PRECOMPUTED_OUTSIDE_COMPILATION},
		{17, TP_PRECOMPUTED_DUTY_CYCLE},
	};
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf ops = {0};
	double value;

	while (tp_pb_next(&p)) {
		if (p.field == 4 && p.type == TP_PB_BYTES && p.state != TP_PB_TRUNCATED &&
			ops.count < TP_TOOL_MOST_ROWS)
			operation(f, p.bytes, tp_buf_add(&ops, sizeof(struct tp_precomputed_op)));
		for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
			if (p.field != figures[k].field || !tp_tool_number(&p, &value) || value > 100 ||
				isfinite(f->precomputed->figures[figures[k].figure]))
				continue;
			f->precomputed->figures[figures[k].figure] = value / 100;
			f->precomputed->figures_from = f->name;
			f->found = true;
		}
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

/* OverviewPageHostIndependentJobInfo: 1 change list, 2 build time, 3 build target, 4 length of the capture. */
static void
job(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.field == 3 && p.type == TP_PB_BYTES)
			tp_tool_fact(f, "build_target", tp_tool_text(f->arena, p.bytes));
		if (p.type != TP_PB_VARINT || p.number == 0)
			continue;
		if (p.field == 1)
			tp_tool_fact(
				f, "change_list", tp_arena_printf(f->arena, "%llu", (unsigned long long)p.number));
		else if (p.field == 2)
			tp_tool_fact(f, "build_time", moment(f, p.number));
		else if (p.field == 4 && f->precomputed->capture_ms == 0 && p.number < UINT32_MAX)
			f->precomputed->capture_ms = p.number;
	}
}

/* OverviewPageHostDependentJobInfo: 2 command line, 3 start of the job, 5 start of the capture. */
static void
job_of_host(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.field == 2 && p.type == TP_PB_BYTES)
			tp_tool_fact(f, "command_line", tp_tool_text(f->arena, p.bytes));
		else if (p.field == 3 && p.type == TP_PB_VARINT)
			tp_tool_fact(f, "start_time", moment(f, p.number));
		else if (p.field == 5 && p.type == TP_PB_VARINT && f->precomputed->captured.len == 0)
			f->precomputed->captured = moment(f, p.number);
	}
}

static void
environment(struct tp_tool_file *f, struct tp_slice message)
{
	static const struct {
		uint32_t field;
		const char *name;
	} facts[] = {
		{1, "Hosts of the run"}, {2, "Tasks"}, {9, "Replicas"}, {10, "Cores of a replica"}};
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.field == 4 && p.type == TP_PB_BYTES && f->precomputed->device_type.len == 0) {
			f->precomputed->device_type = tp_tool_text(f->arena, p.bytes);
			f->precomputed->environment_from = f->name;
			f->found = true;
		} else if (p.field == 5 && p.type == TP_PB_VARINT && p.number < 1000000000 &&
			f->precomputed->core_count == 0) {
			f->precomputed->core_count = (uint32_t)p.number;
		} else if (p.field == 7 && p.type == TP_PB_BYTES) {
			job(f, p.bytes);
		} else if (p.field == 8 && p.type == TP_PB_BYTES) {
			job_of_host(f, p.bytes);
		}
		for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
			if (p.field == facts[i].field && p.type == TP_PB_VARINT)
				tp_tool_fact(f, facts[i].name,
					tp_arena_printf(f->arena, "%llu", (unsigned long long)p.number));
		}
	}
}

static void
recommendation(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.field == 2 && p.type == TP_PB_BYTES && f->precomputed->statement.len == 0) {
			f->precomputed->statement = tp_tool_text(f->arena, p.bytes);
			f->precomputed->statement_from = f->name;
		}
	}
}

void
tp_tool_overview_page(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == 2)
			tp_tool_input_pipeline(f, p.bytes);
		else if (p.field == 3)
			analysis(f, p.bytes);
		else if (p.field == 4)
			recommendation(f, p.bytes);
		else if (p.field == 6)
			environment(f, p.bytes);
	}
	tp_tool_end(f->in, f->out, &p);
}
