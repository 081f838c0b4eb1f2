/* Operations as a profiler summed them up: tensorflow_stats.pb, and the answer of the profiler's page that says the same. */
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

static double
time_of(const struct tp_precomputed_op *op)
{
	return isfinite(op->self_us) ? op->self_us : isfinite(op->share) ? op->share : 0;
}

TP_ORDER(by_time, struct tp_precomputed_op, (time_of(a) < time_of(b)) - (time_of(a) > time_of(b)),
	tp_slice_cmp(a->name, b->name));

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

/* 0 where it does not apply. */
static double
share_of(double share)
{
	return share > 0 && share <= 1 ? share : NAN;
}

/* What the tool says where it does not know. */
static struct tp_slice
unless_unknown(struct tp_slice text)
{
	return tp_slice_eq(text, TP_S("Unknown")) ? TP_S("") : text;
}

/* In what a file holds its rates of FLOP and of bytes, by the version that wrote it. All say GBytes/s above them. */
static const struct rate_units {
	double flop_per_s, bytes_per_s;
} rate_units[] = {{1e9, 0x1p30}, {1e9, 1e9}, {1e12, 0x1p30}};

/* Whether a row's rate of bytes times its intensity is its rate of FLOP. */
static bool
fit(const struct tp_precomputed_op *op, struct rate_units in)
{
	double flop_per_s = op->flop_per_s * in.flop_per_s;
	double by_bytes = op->bytes_per_s * in.bytes_per_s * op->flop_per_byte;

	return by_bytes > 0 && fabs(by_bytes / flop_per_s - 1) < .02;
}

/* From the file's units, those which fit most rows, into FLOP/s and bytes/s. */
static void
settle_rates(const struct tp_buf *list)
{
	struct tp_precomputed_op *ops = (struct tp_precomputed_op *)list->data;
	struct rate_units best = rate_units[0];
	size_t most = 0;

	for (size_t u = 0; u < sizeof rate_units / sizeof *rate_units; u++) {
		size_t count = 0;

		for (size_t i = 0; i < list->count; i++)
			count += fit(&ops[i], rate_units[u]);
		if (count > most)
			most = count, best = rate_units[u];
	}
	for (size_t i = 0; i < list->count; i++) {
		ops[i].flop_per_s *= best.flop_per_s;
		ops[i].bytes_per_s *= best.bytes_per_s;
	}
}

/* A row of TfStatsTable, with rates as they stand there. */
static struct tp_precomputed_op
record(struct tp_tool_file *f, struct tp_slice message)
{
	struct tp_precomputed_op op = tp_tool_no_op();
	Tp__OpStats m = TP__OP_STATS__INIT;

	tp_tool_message(&m.base, message, NAN);
	op.name = tp_tool_pb_text(f->arena, m.op_name);
	op.category = tp_tool_pb_text(f->arena, m.op_type);
	op.bound_by = unless_unknown(tp_tool_pb_text(f->arena, m.bound_by));
	op.on_host = tp_slice_eq(tp_pb_slice(m.host_or_device), TP_S("Host"));
	op.occurrences = m.occurrences < (uint64_t)INT64_MAX ? m.occurrences : 0;
	op.total_us = m.total_time_in_us;
	op.self_us = m.total_self_time_in_us;
	/* The one that does not apply is 0 or absent. */
	op.share = share_of(m.host_total_self_time_as_fraction);
	if (!isfinite(op.share))
		op.share = share_of(m.device_total_self_time_as_fraction);
	op.flop_per_s = m.measured_flop_rate;
	op.bytes_per_s = m.measured_memory_bw;
	op.flop_per_byte = m.operational_intensity;
	return op;
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

		for (struct tp_pb rows = tp_pb_open(p.bytes); tp_pb_next_bytes(&rows, 1);) {
			if (rows.state != TP_PB_TRUNCATED && list->count < TP_TOOL_MOST_ROWS)
				*tp_buf_new(list, struct tp_precomputed_op) = record(f, rows.bytes);
		}
	}
	struct tp_buf *kept = without.count != 0 ? &without : &with_idle;

	settle_rates(kept);
	tp_tool_take_ops(f, &f->precomputed->framework_ops, kept, false);
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

		*op = tp_tool_no_op();
		op->name = tp_json_text(f->arena, tp_gviz_cell(&t, i, "operation"));
		op->category = tp_json_text(f->arena, tp_gviz_cell(&t, i, "type"));
		op->bound_by = unless_unknown(tp_json_text(f->arena, tp_gviz_cell(&t, i, "bound_by")));
		op->on_host = tp_slice_eq(
			tp_json_text(f->arena, tp_gviz_cell(&t, i, "host_or_device")), TP_S("Host"));
		op->occurrences = count >= 1 && count < 1e15 ? (uint64_t)count : 0;
		op->total_us = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "total_time")));
		op->self_us = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "total_self_time")));
		/* Shares, whatever they are called. */
		op->share = share_of(tp_json_figure(tp_gviz_cell(&t, i,
			op->on_host ? "host_total_self_time_percent" : "device_total_self_time_percent")));
		op->flop_per_s = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "measured_flop_rate")));
		op->bytes_per_s = not_negative(tp_json_figure(tp_gviz_cell(&t, i, "measured_memory_bw")));
		op->flop_per_byte =
			not_negative(tp_json_figure(tp_gviz_cell(&t, i, "operational_intensity")));
	}
	settle_rates(&list);
	tp_tool_take_ops(f, &f->precomputed->framework_ops, &list, false);
}

const struct tp_reader tp_reader_tensorflow_stats = {
	.name = "tensorflow_stats",
	.summary = "precomputed by a profiler: TensorFlow operations on devices and host",
	.suffixes =
		TP_TEXTS(".tensorflow_stats.pb", ".tensorflow_stats.json", ".framework_op_stats.json"),
	.marks = TP_TEXTS("\"host_or_device\""),
	.kind = TP_READS_PRECOMPUTED,
	.most_bytes = TP_TOOL_MOST_BYTES,
	.tool = TP_TOOL(.complaint = "holds no statistics of operations", .json = framework_stats_json,
		.message = tensorflow_stats),
	.read = tp_tool_read,
};
