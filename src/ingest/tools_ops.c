/* Operations and kernels as a profiler summed them up: tensorflow_stats.pb, op_profile.json and .pb, kernel_stats.pb. */
#include "base/arena.h"
#include "base/buf.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"

#include <math.h>
#include <stdlib.h>

/* A profile is a tree of categories, groups of equal operations, operations, and what those were fused from. */
enum { DEEPEST = 6 };

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

/* A node of op_profile.json that is an operation with a time of its own. */
static void
node_json(struct tp_tool_file *f, const json_t *node, struct tp_buf *list)
{
	const json_t *metrics = json_object_get(node, "metrics"), *xla = json_object_get(node, "xla");
	double share = tp_json_figure(json_object_get(metrics, "time"));
	double ps = tp_json_figure(json_object_get(metrics, "rawTime"));
	double count = tp_json_figure(json_object_get(metrics, "occurrences"));
	struct tp_given_op *op = tp_buf_add(list, sizeof *op);

	*op = tp_tool_no_op();
	op->name = tp_json_text(f->arena, json_object_get(node, "name"));
	op->category = tp_json_text(f->arena, json_object_get(xla, "category"));
	op->share = share >= 0 && share <= 1 ? share : NAN;
	op->self_us = ps >= 0 ? ps / 1e6 : NAN;
	op->occurrences = count >= 1 && count < 1e15 ? (uint64_t)count : 0;
}

static void
tree_json(struct tp_tool_file *f, const json_t *node, struct tp_buf *list, unsigned depth)
{
	const json_t *children = json_object_get(node, "children");

	if (json_object_get(node, "xla") != NULL && json_object_get(node, "metrics") != NULL &&
		list->count < TP_TOOL_MOST_ROWS) {
		node_json(f, node, list); /* what it was fused from is part of it */
		return;
	}
	for (size_t i = 0; depth < DEEPEST && i < json_array_size(children); i++)
		tree_json(f, json_array_get(children, i), list, depth + 1);
}

/* Metrics of a Node: 1 time as a share (older files), 11 time in ps, 16 occurrences. */
static void
node_pb(struct tp_tool_file *f, struct tp_slice name, struct tp_slice metrics, struct tp_slice xla,
	struct tp_buf *list)
{
	struct tp_given_op *op = tp_buf_add(list, sizeof *op);
	struct tp_pb p = tp_pb_open(metrics);
	double value;

	*op = tp_tool_no_op();
	op->name = tp_tool_text(f->arena, name);
	while (tp_pb_next(&p)) {
		if (p.field == 1 && tp_tool_number(&p, &value) && value <= 1)
			op->share = value;
		else if (p.field == 11 && tp_tool_number(&p, &value))
			op->self_us = value / 1e6;
		else if (p.field == 16 && p.type == TP_PB_VARINT && p.number < UINT32_MAX)
			op->occurrences = p.number;
	}
	p = tp_pb_open(xla);
	while (tp_pb_next(&p)) {
		if (p.field == 4 && p.type == TP_PB_BYTES)
			op->category = tp_tool_text(f->arena, p.bytes);
	}
}

static void
tree_pb(struct tp_tool_file *f, struct tp_slice node, struct tp_buf *list, unsigned depth)
{
	struct tp_slice name = {NULL, 0}, metrics = {NULL, 0}, xla = {NULL, 0};
	struct tp_pb p = tp_pb_open(node);

	while (tp_pb_next(&p)) {
		if (p.type != TP_PB_BYTES)
			continue;
		if (p.field == 1)
			name = p.bytes;
		else if (p.field == 2)
			metrics = p.bytes;
		else if (p.field == 5)
			xla = p.bytes;
	}
	if (p.state != TP_PB_END)
		return;
	if (xla.ptr != NULL && metrics.ptr != NULL && list->count < TP_TOOL_MOST_ROWS) {
		node_pb(f, name, metrics, xla, list);
		return;
	}
	p = tp_pb_open(node);
	while (depth < DEEPEST && tp_pb_next(&p)) {
		if (p.field == 3 && p.type == TP_PB_BYTES)
			tree_pb(f, p.bytes, list, depth + 1);
	}
}

/* Shares of those that have times only. */
static void
fill_shares(struct tp_buf *list)
{
	struct tp_given_op *ops = list->data;
	double sum = 0;

	for (size_t i = 0; i < list->count; i++)
		sum += isfinite(ops[i].self_us) ? ops[i].self_us : 0;
	for (size_t i = 0; i < list->count; i++) {
		if (!isfinite(ops[i].share) && isfinite(ops[i].self_us) && sum > 0 && isfinite(sum))
			ops[i].share = ops[i].self_us / sum;
	}
}

static void
op_profile_json(struct tp_tool_file *f, const json_t *root)
{
	/* The newest have one tree alone, by program. */
	static const char *const trees[] = {
		"byCategoryExcludeIdle", "byCategory", "byProgramExcludeIdle", "byProgram"};
	const json_t *tree = NULL;
	struct tp_buf list = {0};

	for (size_t i = 0; tree == NULL && i < sizeof trees / sizeof *trees; i++)
		tree = json_object_get(root, trees[i]);
	tree_json(f, tree, &list, 0);
	fill_shares(&list);
	take(f, &list, TP_GIVEN_OPS_PROGRAM);
}

static void
op_profile(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_slice tree = {NULL, 0};
	struct tp_pb p = tp_pb_open(message);
	struct tp_buf list = {0};

	while (tp_pb_next(&p)) {
		if (p.type == TP_PB_BYTES && (p.field == 6 || (p.field == 1 && tree.ptr == NULL)))
			tree = p.bytes;
	}
	tree_pb(f, tree, &list, 0);
	fill_shares(&list);
	take(f, &list, TP_GIVEN_OPS_PROGRAM);
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
static const char *const profile_suffixes[] = {".op_profile.json", ".op_profile.pb", NULL};
static const char *const kernel_suffixes[] = {".kernel_stats.pb", NULL};

static enum tp_status
read_stats(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "holds no statistics of operations", NULL, tensorflow_stats, err);
}

static int
probe_profile(const char *name, struct tp_slice head)
{
	static const char *const marks[] = {"\"byProgram", "\"byCategory", "\"byProvenance", NULL};

	return tp_tool_probe(name, head, profile_suffixes, marks);
}

static enum tp_status
read_profile(const struct tp_source *in, struct tp_builder *out, struct tp_err *err)
{
	return tp_tool_read(in, out, "not an op profile: it holds no operation with a time",
		op_profile_json, op_profile, err);
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

const struct tp_reader tp_reader_op_profile = {
	.name = "op_profile",
	.summary = "what a profiler worked out itself: operations of the compiled programs",
	.suffixes = profile_suffixes,
	.probe = probe_profile,
	.precomputed = true,
	.read = read_profile,
};

const struct tp_reader tp_reader_kernel_stats = {
	.name = "kernel_stats",
	.summary = "what a profiler worked out itself: GPU kernels",
	.suffixes = kernel_suffixes,
	.precomputed = true,
	.read = read_kernels,
};
