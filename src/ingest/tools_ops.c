/* Operations and kernels as a profiler summed them up: tensorflow_stats.pb, kernel_stats.pb, and the answers of the profiler's
 * page that say the same. */
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <math.h>
#include <stdlib.h>

static int
by_time(const void *left, const void *right)
{
	const struct tp_precomputed_op *a = left, *b = right;
	double x = isfinite(a->self_us) ? a->self_us : isfinite(a->share) ? a->share : 0;
	double y = isfinite(b->self_us) ? b->self_us : isfinite(b->share) ? b->share : 0;

	if (x != y)
		return x > y ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

void
tp_tool_take_ops(
	struct tp_tool_file *f, struct tp_precomputed_ops *to, struct tp_buf *list, bool first_few)
{
	size_t count = list->count;

	f->found |= count != 0;
	if (count == 0 || (to->count != 0 && (first_few || !to->first_few))) {
		tp_buf_free(list);
		return;
	}
	struct tp_precomputed_op *ops = tp_buf_settle(list, sizeof *ops, f->arena);

	qsort(ops, count, sizeof *ops, by_time);
	*to = (struct tp_precomputed_ops){ops, count, first_few, f->name};
}

static double
not_negative(double figure)
{
	return figure >= 0 && isfinite(figure) ? figure : NAN;
}

/* A share that is called per cent; 0 where it does not apply. */
static double
share_of(const json_t *value)
{
	double share = tp_json_figure(value);

	return share > 0 && share <= 1 ? share : NAN;
}

/* TfStatsRecord. */
static void
record(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_op *op)
{
	struct tp_pb p = tp_pb_open(message);
	double value;

	*op = tp_tool_no_op();
	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES) {
			struct tp_slice *text = p.field == 3 ? &op->category
				: p.field == 4                   ? &op->name
				: p.field == 17                  ? &op->bound_by
												 : NULL;

			if (text != NULL)
				*text = tp_tool_text(f->arena, p.bytes);
			op->on_host |= p.field == 2 && tp_slice_eq(p.bytes, TP_S("Host"));
		} else if (p.field == 5 && p.type == TP_PB_VARINT && p.number < (uint64_t)INT64_MAX) {
			op->occurrences = p.number;
		} else if (tp_tool_number(&p, &value)) {
			switch (p.field) {
			case 6:
				op->total_us = value;
				break;
			case 8:
				op->self_us = value;
				break;
			case 10: /* of devices */
			case 12: /* of the host; the one that does not apply is 0 or absent */
				op->share = value > 0 && value <= 1 ? value : op->share;
				break;
			case 14: /* GFLOP/s, and GB/s */
				op->flop_per_s = value * 1e9;
				break;
			case 15:
				op->bytes_per_s = value * 1e9;
				break;
			case 16:
				op->flop_per_byte = value;
				break;
			default:
				break;
			}
		}
	}
}

/* TfStatsDatabase: the table with idle time, and the same without it, which is what shares of work are of. */
static void
tensorflow_stats(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf with_idle = {0}, without = {0};

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES || (p.field != 4 && p.field != 5))
			continue;
		struct tp_buf *list = p.field == 4 ? &with_idle : &without;
		struct tp_pb rows = tp_pb_open(p.bytes);

		while (tp_pb_next(&rows)) {
			if (rows.field == 1 && rows.type == TP_PB_BYTES && rows.state != TP_PB_TRUNCATED &&
				list->count < TP_TOOL_MOST_ROWS)
				record(f, rows.bytes, tp_buf_add(list, sizeof(struct tp_precomputed_op)));
		}
	}
	tp_tool_take_ops(
		f, &f->precomputed->framework_ops, without.count != 0 ? &without : &with_idle, false);
	tp_buf_free(&with_idle);
	tp_buf_free(&without);
	tp_tool_end(f->in, f->out, &p);
}

/* The answer of the profiler's page, for the framework's operations: one table with idle time, one without. */
static void
framework_stats_json(struct tp_tool_file *f, const json_t *root)
{
	size_t tables = json_array_size(root);
	struct tp_gviz t = tp_gviz_of(json_array_get(root, tables != 0 ? tables - 1 : 0));
	struct tp_buf list = {0};

	f->empty = tp_gviz_has(&t, "host_or_device") && tp_gviz_rows(&t) == 0;
	for (size_t i = 0; tp_gviz_has(&t, "host_or_device") && i < tp_gviz_rows(&t); i++) {
		struct tp_precomputed_op *op = tp_buf_add(&list, sizeof *op);
		double count = tp_json_figure(tp_gviz_cell(&t, i, "occurrences"));
		double gflop = tp_json_figure(tp_gviz_cell(&t, i, "measured_flop_rate"));
		double gbyte = tp_json_figure(tp_gviz_cell(&t, i, "measured_memory_bw"));

		*op = tp_tool_no_op();
		op->name = tp_json_text(f->arena, tp_gviz_cell(&t, i, "operation"));
		op->category = tp_json_text(f->arena, tp_gviz_cell(&t, i, "type"));
		op->bound_by = tp_json_text(f->arena, tp_gviz_cell(&t, i, "bound_by"));
		op->on_host = tp_slice_eq(
			tp_json_text(f->arena, tp_gviz_cell(&t, i, "host_or_device")), TP_S("Host"));
		op->occurrences = count >= 1 && count < 1e15 ? (uint64_t)count : 0;
		op->total_us = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "total_time")));
		op->self_us = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "total_self_time")));
		op->share = share_of(tp_gviz_cell(&t, i,
			op->on_host ? "host_total_self_time_percent" : "device_total_self_time_percent"));
		op->flop_per_s = gflop >= 0 ? gflop * 1e9 : NAN;
		op->bytes_per_s = gbyte >= 0 ? gbyte * 1e9 : NAN;
		op->flop_per_byte =
			not_negative(tp_json_figure(tp_gviz_cell(&t, i, "operational_intensity")));
	}
	tp_tool_take_ops(f, &f->precomputed->framework_ops, &list, false);
}

/* KernelReport. */
static void
kernel(struct tp_tool_file *f, struct tp_slice message, struct tp_precomputed_kernel *k)
{
	struct tp_pb p = tp_pb_open(message);

	*k = (struct tp_precomputed_kernel){0};
	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && p.field == 1)
			k->name = tp_tool_text(f->arena, p.bytes);
		else if (p.type == TP_PB_BYTES && p.field == 12)
			k->op = tp_tool_text(f->arena, p.bytes);
		if (p.type != TP_PB_VARINT || p.number > (uint64_t)INT64_MAX / 1000)
			continue;
		switch (p.field) {
		case 2:
			k->registers = p.number;
			break;
		case 7:
			k->total_ns = p.number;
			break;
		case 8:
			k->min_ns = p.number;
			break;
		case 9:
			k->max_ns = p.number;
			break;
		case 10:
			k->tensor_core = p.number != 0;
			break;
		case 13:
			k->occurrences = p.number;
			break;
		default:
			break;
		}
	}
}

static int
by_total(const void *left, const void *right)
{
	const struct tp_precomputed_kernel *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

static void
take_kernels(struct tp_tool_file *f, struct tp_buf *list)
{
	struct tp_precomputed *g = f->precomputed;

	f->found |= list->count != 0;
	if (g->kernel_count != 0 || list->count == 0) {
		tp_buf_free(list);
		return;
	}
	size_t count = list->count;
	struct tp_precomputed_kernel *all = tp_buf_settle(list, sizeof *all, f->arena);

	qsort(all, count, sizeof *all, by_total);
	g->kernels = all;
	g->kernel_count = count;
	g->kernels_from = f->name;
}

static uint64_t
whole(const json_t *value, double scale)
{
	double number = tp_json_figure(value) * scale;

	return number >= 0 && number < 9e15 ? (uint64_t)llround(number) : 0;
}

static void
kernel_stats_json(struct tp_tool_file *f, const json_t *root)
{
	struct tp_gviz t = tp_gviz_of(root);
	struct tp_buf list = {0};

	for (size_t i = 0; tp_gviz_has(&t, "kernel_name") && i < tp_gviz_rows(&t); i++) {
		struct tp_precomputed_kernel *k = tp_buf_add(&list, sizeof *k);

		*k = (struct tp_precomputed_kernel){
			.name = tp_json_text(f->arena, tp_gviz_cell(&t, i, "kernel_name")),
			.op = tp_json_text(f->arena, tp_gviz_cell(&t, i, "op_name")),
			.occurrences = whole(tp_gviz_cell(&t, i, "occurrences"), 1),
			.registers = whole(tp_gviz_cell(&t, i, "registers_per_thread"), 1),
			.total_ns = whole(tp_gviz_cell(&t, i, "total_duration_us"), 1e3),
			.min_ns = whole(tp_gviz_cell(&t, i, "min_duration_us"), 1e3),
			.max_ns = whole(tp_gviz_cell(&t, i, "max_duration_us"), 1e3),
			.tensor_core = json_is_true(tp_gviz_cell(&t, i, "is_kernel_using_tensor_core")),
		};
	}
	f->empty = tp_gviz_has(&t, "kernel_name") && tp_gviz_rows(&t) == 0;
	take_kernels(f, &list);
}

static void
kernel_stats(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf list = {0};

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES && p.state != TP_PB_TRUNCATED &&
			list.count < TP_TOOL_MOST_ROWS)
			kernel(f, p.bytes, tp_buf_add(&list, sizeof(struct tp_precomputed_kernel)));
	}
	/* The message of no kernel has no byte. */
	f->empty = f->in->bytes.len == 0 && tp_slice_ends(f->name, TP_S(".pb"));
	take_kernels(f, &list);
	tp_tool_end(f->in, f->out, &p);
}

static const char *const stats_suffixes[] = {
	".tensorflow_stats.pb", ".tensorflow_stats.json", ".framework_op_stats.json", NULL};
static const char *const kernel_suffixes[] = {".kernel_stats.pb", ".kernel_stats.json", NULL};

static int
probe_stats(const char *name, struct tp_slice head)
{
	static const char *const marks[] = {"\"host_or_device\"", NULL};

	return tp_tool_probe(name, head, stats_suffixes, marks);
}

static enum tp_status
read_stats(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(
		in, out, "holds no statistics of operations", framework_stats_json, tensorflow_stats, err);
}

static int
probe_kernel(const char *name, struct tp_slice head)
{
	static const char *const marks[] = {"\"kernel_name\"", NULL};

	return tp_tool_probe(name, head, kernel_suffixes, marks);
}

static enum tp_status
read_kernels(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "holds no kernel", kernel_stats_json, kernel_stats, err);
}

const struct tp_reader tp_reader_tensorflow_stats = {
	.name = "tensorflow_stats",
	.summary = "what a profiler worked out itself: operations of TensorFlow on devices and host",
	.suffixes = stats_suffixes,
	.probe = probe_stats,
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.read = read_stats,
};

const struct tp_reader tp_reader_kernel_stats = {
	.name = "kernel_stats",
	.summary = "what a profiler worked out itself: GPU kernels",
	.suffixes = kernel_suffixes,
	.probe = probe_kernel,
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.read = read_kernels,
};
