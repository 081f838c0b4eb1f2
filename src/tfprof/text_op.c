/* Rows of the op view: each figure with its share and that of all rows from it on. */
#include "tfprof/text.h"

#include "base/buf.h"
#include "base/order.h"
#include "io/sink.h"
#include "model/tfprof_outputs.h"
#include "tfprof/words.h"

#include <stdlib.h>

enum { NAME_WIDTH = 25, CELL_WIDTH = 30, OCCURRENCE_WIDTH = 10 };

/* Right-aligned; what is longer pushes on. */
static void
put_right(struct tp_sink *out, struct tp_sink *cell, int width)
{
	struct tp_slice text = tp_sink_bytes(cell);

	tp_sink_printf(
		out, "%*s%.*s", text.len < (size_t)width ? width - (int)text.len : 0, "", TP_ARG(text));
}

struct cell {
	enum tp_tfprof_select select;
	enum tp_tfprof_figure which;
	void (*put)(struct tp_sink *out, int64_t figure);
	const char *unit;
	bool
		by_own; /* no shares where the row itself has nothing; else where all from it on have nothing */
};

static const struct cell cells[] = {
	{TP_SELECT_BYTES, TP_TFPROF_REQUESTED_BYTES, tp_tfprof_put_bytes, "", true},
	{TP_SELECT_PEAK_BYTES, TP_TFPROF_PEAK_BYTES, tp_tfprof_put_bytes, "", true},
	{TP_SELECT_RESIDUAL_BYTES, TP_TFPROF_RESIDUAL_BYTES, tp_tfprof_put_bytes, "", true},
	{TP_SELECT_OUTPUT_BYTES, TP_TFPROF_OUTPUT_BYTES, tp_tfprof_put_bytes, "", true},
	{TP_SELECT_MICROS, TP_TFPROF_US, tp_tfprof_put_us, "", false},
	{TP_SELECT_ACCELERATOR_MICROS, TP_TFPROF_ACCELERATOR_US, tp_tfprof_put_us, "", false},
	{TP_SELECT_CPU_MICROS, TP_TFPROF_CPU_US, tp_tfprof_put_us, "", false},
	{TP_SELECT_PARAMS, TP_TFPROF_PARAMETERS, tp_tfprof_put_count, " params", false},
	{TP_SELECT_FLOAT_OPS, TP_TFPROF_FLOAT_OPS, tp_tfprof_put_count, " float_ops", false},
};

static double
percent(int64_t part, int64_t whole)
{
	return whole != 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

static void
put_cell(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row, const struct cell *c)
{
	int64_t own = row->own.of[c->which], total = row->total.of[c->which];
	int64_t whole = x->view->rows[0].total.of[c->which];
	bool any = (c->by_own ? own : total) > 0;
	struct tp_sink *cell = tp_sink_memory();

	c->put(cell, own);
	tp_sink_printf(cell, "%s (%.2f%%, %.2f%%)", c->unit, any ? percent(total, whole) : 0.0,
		any ? percent(own, whole) : 0.0);
	put_right(x->out, cell, CELL_WIDTH);
	tp_sink_close(cell);
}

static void
put_occurrence(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row)
{
	struct tp_sink *cell = tp_sink_memory();
	int64_t runs = 0;

	for (uint32_t i = 0; i < row->member_count; i++) {
		struct tp_tfprof_figures f;

		tp_tfprof_figures(
			&x->tfprof->nodes[x->view->members[row->first_member + i]], x->line->view.step, &f);
		if (__builtin_add_overflow(runs, f.of[TP_TFPROF_RUNS], &runs))
			runs = INT64_MAX;
	}
	tp_sink_printf(cell, "%lld|%u", (long long)runs, row->member_count);
	put_right(x->out, cell, OCCURRENCE_WIDTH);
	tp_sink_close(cell);
}

/* Nodes that take the same shapes. */
struct taken {
	struct tp_slice text; /* malloc'd */
	int64_t defined, runs, us;
};

static struct tp_slice
shapes_text(const struct tp_tfprof_text *x, const struct tp_tfprof_node *node)
{
	struct tp_sink *text = tp_sink_memory();
	struct tp_buf inputs = {0}, dims = {0};

	tp_tfprof_inputs(x->tfprof, node, &inputs);
	const struct tp_tfprof_input *input = inputs.data;

	for (size_t i = 0; i < inputs.count; i++) {
		tp_tfprof_input_shape(x->outputs, &input[i], &dims);
		tp_sink_printf(text, "%s%d:", i != 0 ? ",\t" : "", input[i].place);
		if (dims.count == 0)
			tp_sink_puts(text, "unknown");
		tp_tfprof_put_shape(text, dims.data, dims.count);
	}
	struct tp_slice bytes = tp_sink_bytes(text);
	struct tp_buf kept = {0};
	char *copy = tp_buf_room(&kept, bytes.len + 1, 1);

	if (bytes.len != 0)
		memcpy(copy, bytes.ptr, bytes.len);
	tp_sink_close(text);
	tp_buf_free(&inputs);
	tp_buf_free(&dims);
	return (struct tp_slice){copy, bytes.len};
}

TP_ORDER(by_text, struct taken, tp_slice_cmp(a->text, b->text));
TP_ORDER(by_runs, struct taken, TP_DOWN(runs), tp_slice_cmp(a->text, b->text));

/* Puts those together that take the same; returns how many are left. */
static size_t
join(struct taken *t, size_t count)
{
	size_t kept = 0;

	qsort(t, count, sizeof *t, by_text);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || !tp_slice_eq(t[kept - 1].text, t[i].text)) {
			t[kept++] = t[i];
			continue;
		}
		struct taken *to = &t[kept - 1];

		to->defined += t[i].defined;
		to->runs = (int64_t)((uint64_t)to->runs + (uint64_t)t[i].runs);
		to->us = (int64_t)((uint64_t)to->us + (uint64_t)t[i].us);
		free((char *)t[i].text.ptr);
	}
	qsort(t, kept, sizeof *t, by_runs);
	return kept;
}

static void
put_input_types(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row)
{
	struct tp_buf list = {0};

	for (uint32_t i = 0; i < row->member_count; i++) {
		const struct tp_tfprof_node *node =
			&x->tfprof->nodes[x->view->members[row->first_member + i]];
		struct tp_tfprof_figures f;

		tp_tfprof_figures(node, x->line->view.step, &f);
		*tp_buf_new(&list, struct taken) =
			(struct taken){shapes_text(x, node), 1, f.of[TP_TFPROF_RUNS], f.of[TP_TFPROF_US]};
	}
	struct taken *t = list.data;
	size_t count = list.count != 0 ? join(t, list.count) : 0;

	for (size_t i = 0; i < count; i++) {
		tp_sink_printf(x->out, "%s%s: %.*s\t(run*%lld|defined*%lld)\texec_time: ", "\n",
			"input_type", TP_ARG(t[i].text), (long long)t[i].runs, (long long)t[i].defined);
		tp_tfprof_put_us(x->out, t[i].us);
		free((char *)t[i].text.ptr);
	}
	if (count != 0)
		tp_sink_puts(x->out, "\n\n");
	tp_buf_free(&list);
}

void
tp_tfprof_put_op(const struct tp_tfprof_text *x, const struct tp_tfprof_row *row)
{
	bool first = true;
	const uint32_t *members = x->view->members + row->first_member;

	tp_sink_printf(x->out, "%.*s%*s", TP_ARG(row->name),
		row->name.len < NAME_WIDTH ? NAME_WIDTH - (int)row->name.len : 0, "");
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
		const struct cell *c = &cells[i];
		bool part = c->select == TP_SELECT_ACCELERATOR_MICROS || c->select == TP_SELECT_CPU_MICROS;

		if (!tp_tfprof_selects(x->line, c->select) &&
			!(part && tp_tfprof_selects(x->line, TP_SELECT_MICROS)))
			continue;
		tp_tfprof_put_comma(x->out, &first);
		put_cell(x, row, c);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_DEVICE)) {
		tp_tfprof_put_comma(x->out, &first);
		tp_tfprof_put_names(x, TP_TFPROF_DEVICES, members, row->member_count);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OP_TYPES)) {
		tp_tfprof_put_comma(x->out, &first);
		tp_tfprof_put_names(x, TP_TFPROF_TYPES, members, row->member_count);
	}
	if (tp_tfprof_selects(x->line, TP_SELECT_OCCURRENCE)) {
		tp_tfprof_put_comma(x->out, &first);
		put_occurrence(x, row);
	}
	tp_sink_puts(x->out, "\n");
	if (tp_tfprof_selects(x->line, TP_SELECT_INPUT_SHAPES))
		put_input_types(x, row);
}
