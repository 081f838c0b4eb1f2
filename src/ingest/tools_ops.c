/* Operations and kernels as a profiler summed them up: tensorflow_stats.pb, kernel_stats.pb. */
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
	const struct tp_given_op *a = left, *b = right;
	double x = isfinite(a->self_us) ? a->self_us : isfinite(a->share) ? a->share : 0;
	double y = isfinite(b->self_us) ? b->self_us : isfinite(b->share) ? b->share : 0;

	if (x != y)
		return x > y ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

/* These operations have the word unless better ones are there. */
static void
take(struct tp_tool_file *f, struct tp_buf *list, enum tp_given_ops_kind kind)
{
	struct tp_given *g = f->given;

	f->found |= list->count != 0;
	if (list->count != 0 && kind > g->ops_kind) {
		struct tp_given_op *ops = tp_new_array(f->arena, struct tp_given_op, list->count);

		memcpy(ops, list->data, list->count * sizeof *ops);
		qsort(ops, list->count, sizeof *ops, by_time);
		g->ops = ops;
		g->op_count = list->count;
		g->ops_kind = kind;
		g->ops_from = f->name;
	}
	tp_buf_free(list);
}

/* TfStatsRecord. */
static void
record(struct tp_tool_file *f, struct tp_slice message, struct tp_given_op *op)
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
				record(f, rows.bytes, tp_buf_add(list, sizeof(struct tp_given_op)));
		}
	}
	take(f, without.count != 0 ? &without : &with_idle, TP_GIVEN_OPS_FRAMEWORK);
	tp_buf_free(&with_idle);
	tp_buf_free(&without);
	tp_tool_end(f->in, f->out, &p);
}

/* KernelReport. */
static void
kernel(struct tp_tool_file *f, struct tp_slice message, struct tp_given_kernel *k)
{
	struct tp_pb p = tp_pb_open(message);

	*k = (struct tp_given_kernel){0};
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
	const struct tp_given_kernel *a = left, *b = right;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return tp_slice_cmp(a->name, b->name);
}

static void
kernel_stats(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf list = {0};
	struct tp_given *g = f->given;

	while (tp_pb_next(&p)) {
		if (p.field == 1 && p.type == TP_PB_BYTES && p.state != TP_PB_TRUNCATED &&
			list.count < TP_TOOL_MOST_ROWS)
			kernel(f, p.bytes, tp_buf_add(&list, sizeof(struct tp_given_kernel)));
	}
	f->found |= list.count != 0;
	if (g->kernel_count == 0 && list.count != 0) {
		struct tp_given_kernel *all = tp_new_array(f->arena, struct tp_given_kernel, list.count);

		memcpy(all, list.data, list.count * sizeof *all);
		qsort(all, list.count, sizeof *all, by_total);
		g->kernels = all;
		g->kernel_count = list.count;
		g->kernels_from = f->name;
	}
	tp_buf_free(&list);
	tp_tool_end(f->in, f->out, &p);
}

static const char *const stats_suffixes[] = {".tensorflow_stats.pb", NULL};
static const char *const kernel_suffixes[] = {".kernel_stats.pb", NULL};

static enum tp_status
read_stats(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "holds no statistics of operations", NULL, tensorflow_stats, err);
}

static enum tp_status
read_kernels(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "holds no kernel", NULL, kernel_stats, err);
}

const struct tp_reader tp_reader_tensorflow_stats = {
	.name = "tensorflow_stats",
	.summary = "what a profiler worked out itself: operations of TensorFlow on devices and host",
	.suffixes = stats_suffixes,
	.precomputed = true,
	.read = read_stats,
};

const struct tp_reader tp_reader_kernel_stats = {
	.name = "kernel_stats",
	.summary = "what a profiler worked out itself: GPU kernels",
	.suffixes = kernel_suffixes,
	.precomputed = true,
	.read = read_kernels,
};
