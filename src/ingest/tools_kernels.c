/* GPU kernels as a profiler summed them up: kernel_stats.pb, and the answer of the profiler's page that says the same. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/order.h"
#include "base/texts.h"
#include "ingest/reader.h"
#include "ingest/tools.h"
#include "model/build.h"
#include "tools.pb-c.h"

#include <math.h>
#include <stdlib.h>

/* A count or nanoseconds; what is larger is not meant. */
static uint64_t
meant(uint64_t number)
{
	return number <= (uint64_t)INT64_MAX / 1000 ? number : 0;
}

/* KernelReport. */
static struct tp_precomputed_kernel
kernel(struct tp_tool_file *f, struct tp_slice message)
{
	Tp__Kernel m = TP__KERNEL__INIT;

	tp_pb_message(&m.base, message);
	return (struct tp_precomputed_kernel){
		.name = tp_tool_pb_text(f->arena, m.name),
		.op = tp_tool_pb_text(f->arena, m.op_name),
		.registers = meant(m.registers_per_thread),
		.total_ns = meant(m.total_duration_ns),
		.min_ns = meant(m.min_duration_ns),
		.max_ns = meant(m.max_duration_ns),
		.tensor_core = meant(m.is_kernel_using_tensor_core) != 0,
		.occurrences = meant(m.occurrences),
	};
}

TP_ORDER(by_total, struct tp_precomputed_kernel, TP_DOWN(total_ns), tp_slice_cmp(a->name, b->name));

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

	while (tp_pb_next_bytes(&p, 1)) {
		if (p.state != TP_PB_TRUNCATED && list.count < TP_TOOL_MOST_ROWS)
			*tp_buf_new(&list, struct tp_precomputed_kernel) = kernel(f, p.bytes);
	}
	/* The message of no kernel has no byte. */
	f->empty = f->in->bytes.len == 0 && tp_slice_ends(f->name, TP_S(".pb"));
	take_kernels(f, &list);
	tp_tool_end(f->in, f->out, &p);
}

const struct tp_reader tp_reader_kernel_stats = {
	.name = "kernel_stats",
	.summary = "precomputed by a profiler: GPU kernels",
	.suffixes = TP_TEXTS(".kernel_stats.pb", ".kernel_stats.json"),
	.marks = TP_TEXTS("\"kernel_name\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool =
		TP_TOOL(.complaint = "holds no kernel", .json = kernel_stats_json, .message = kernel_stats),
	.read = tp_tool_read,
};
