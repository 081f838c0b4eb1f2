/* What the report says about operators of PyTorch: the answer, bars, the list, and folds by shape and by worker. */
#include "analyze/core/say.h"
#include "analyze/core/share_bars.h"
#include "analyze/facts/op_times.h"
#include "analyze/torch/operators/torch_ops.h"
#include "analyze/torch/operators/torch_ops_words.h"
#include "analyze/torch_steps/torch_role.h"
#include "analyze/torch_steps/torch_say.h"
#include "base/arena.h"
#include "base/order.h"
#include "model/profile.h"
#include "model/torch.h"
#include "report/draft.h"

#include <stdlib.h>

/* Rows of a table; what is beyond is summed up in one. */
enum { MOST_ROWS = 1000 };

/* Why operators have no device time. */
static struct tp_slice
no_device(const struct tp_torch_ops *o)
{
	return o->work.count != 0 ? TP_S(why_none_launched) : TP_S(why_no_work);
}

#define US(name, head, ...) TP_COLUMN(name, head, .unit = TP_UNIT_US, .decimals = 1, __VA_ARGS__)
#define OF_ROW(member, unit) TP_FIELD(struct tp_torch_op_row, member, unit)

/* By name; by shape with one column more, and sorted by the device's or the host's time: three tables in one. Self times stand before
 * shapes, so that on a phone the column of the order is in sight. */
enum column {
	NAME,
	CALLS,
	DEVICE_SELF,
	DEVICE_SELF_SHARE,
	HOST_SELF,
	HOST_SELF_SHARE,
	SHAPES,
	DEVICE_TOTAL,
	DEVICE_TOTAL_SHARE,
	HOST_TOTAL,
	RUNTIME,
	ELIGIBLE,
	TENSOR_SELF,
	TENSOR_TOTAL,
	COLUMNS
};

static const struct tp_column columns[] = {
	[NAME] = TP_COLUMN("operator", "Operator", .code = true, OF_ROW(name, TP_UNIT_NONE)),
	[CALLS] = TP_COUNT_COLUMN("calls", "Calls", OF_ROW(sums.calls, TP_UNIT_COUNT)),
	[DEVICE_SELF] = US("device_self_us", "Device self"),
	[DEVICE_SELF_SHARE] = TP_SHARE_COLUMN("device_self_share", "Of device time", .bar = true),
	[HOST_SELF] = US("host_self_us", "Host self", OF_ROW(sums.host_self_ps, TP_UNIT_PS)),
	[HOST_SELF_SHARE] = TP_SHARE_COLUMN("host_self_share", "Of host time", .bar = true),
	[SHAPES] = TP_COLUMN("shapes", "Input shapes", .code = true),
	[DEVICE_TOTAL] = US("device_total_us", "Device total"),
	[DEVICE_TOTAL_SHARE] = TP_SHARE_COLUMN("device_total_share", "Total share"),
	[HOST_TOTAL] = US("host_total_us", "Host total", OF_ROW(sums.host_total_ps, TP_UNIT_PS)),
	[RUNTIME] = US("runtime_us", "Runtime calls"),
	[ELIGIBLE] = TP_COLUMN("tensor_cores", "Tensor cores"),
	[TENSOR_SELF] = TP_SHARE_COLUMN("tensor_self_share", "TC self"),
	[TENSOR_TOTAL] = TP_SHARE_COLUMN("tensor_total_share", "TC total"),
};

static const struct tp_column *
columns_for(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o)
{
	struct tp_column *c = tp_new_array(ctx->keep, struct tp_column, COLUMNS);

	memcpy(c, columns, sizeof columns);
	c[o->on_device ? DEVICE_SELF : HOST_SELF].sorted = true;
	return c;
}

static struct tp_value
eligible(const struct tp_torch_op_sums *s)
{
	if (s->tensor_total_ps != 0)
		return tp_text_value(TP_S("used"));
	return tp_text_value(s->eligible ? TP_S("not used") : TP_S("no"));
}

static void
fill_device(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s, struct tp_cell *cell)
{
	struct tp_slice none = no_device(o);

	if (!o->on_device) {
		cell[DEVICE_SELF].value = cell[DEVICE_SELF_SHARE].value = tp_missing(none);
		cell[DEVICE_TOTAL].value = cell[DEVICE_TOTAL_SHARE].value = tp_missing(none);
		for (size_t i = RUNTIME; i <= TENSOR_TOTAL; i++)
			cell[i].value = tp_missing(none);
		return;
	}
	double whole_ps = (double)o->work.ps;
	struct tp_slice idle = TP_S(why_idle);

	cell[DEVICE_SELF].value = tp_integer(s->device_self_ps, TP_UNIT_PS);
	cell[DEVICE_SELF_SHARE].value = tp_share((double)s->device_self_ps, whole_ps, none);
	cell[DEVICE_TOTAL].value = tp_integer(s->device_total_ps, TP_UNIT_PS);
	cell[DEVICE_TOTAL_SHARE].value = tp_share((double)s->device_total_ps, whole_ps, none);
	cell[RUNTIME].value = tp_integer(s->runtime_ps, TP_UNIT_PS);
	cell[ELIGIBLE].value = eligible(s);
	cell[TENSOR_SELF].value = tp_share((double)s->tensor_self_ps, (double)s->device_self_ps, idle);
	cell[TENSOR_TOTAL].value =
		tp_share((double)s->tensor_total_ps, (double)s->device_total_ps, idle);
}

static void
fill(const struct tp_torch_ops *o, const struct tp_torch_op_sums *s, struct tp_cell *cell)
{
	fill_device(o, s, cell);
	cell[HOST_SELF_SHARE].value = o->on_device
		? tp_missing(TP_S(""))
		: tp_share((double)s->host_self_ps, (double)o->sums.host_self_ps, TP_S(why_no_time));
	cell[HOST_SELF_SHARE].swatch = o->on_device ? TP_HUE_NONE : TP_HUE_HOST;
}

/* What is beyond the last row: self times only, for totals of several are no sum. */
static void
fill_rest(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_draft *draft,
	const struct tp_torch_op_row *rows, uint32_t from, uint32_t count)
{
	struct tp_torch_op_row rest = {0};
	struct tp_slice no_sum = TP_S(why_no_sum);

	for (uint32_t i = from; i < count; i++)
		tp_torch_op_sums_add(&rest.sums, &rows[i].sums);
	struct tp_cell *cell = tp_draft_row_of(draft, TP_S("rest"), TP_ROW_TOTAL, 0, &rest);

	fill(o, &rest.sums, cell);
	cell[NAME].value = tp_say_number(ctx, count - from, "more row", "more rows");
	cell[DEVICE_TOTAL].value = cell[DEVICE_TOTAL_SHARE].value = cell[HOST_TOTAL].value =
		cell[TENSOR_TOTAL].value = tp_missing(no_sum);
}

/* Of an operator whose time on the device is mostly copies it has their colour. */
static enum tp_hue
hue_of(const struct tp_torch_op_row *row, enum tp_hue hue)
{
	if (tp_torch_op_communicates(row->name))
		return TP_HUE_COLLECTIVE;
	return hue == TP_HUE_COMPUTE && row->sums.copy_self_ps > row->sums.device_self_ps / 2
		? TP_HUE_MEMORY
		: hue;
}

static struct tp_table *
list(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *section, const char *id, bool by_shape)
{
	const struct tp_torch_op_row *rows = by_shape ? o->by_shape : o->by_name;
	uint32_t count = by_shape ? o->shape_count : o->name_count;
	uint32_t shown = count < MOST_ROWS ? count : MOST_ROWS;
	struct tp_draft draft = tp_draft_table(doc, section, id, columns_for(ctx, o), COLUMNS);

	for (uint32_t i = 0; i < shown; i++) {
		const struct tp_torch_op_row *row = &rows[i];
		struct tp_cell *cell = tp_draft_row_of(&draft,
			by_shape ? tp_arena_printf(ctx->scratch, "%.*s/%u", TP_ARG(row->name), i) : row->name,
			TP_ROW_NORMAL, 0, row);

		fill(o, &row->sums, cell);
		if (o->on_device)
			cell[DEVICE_SELF_SHARE].swatch = hue_of(row, TP_HUE_COMPUTE);
		else
			cell[HOST_SELF_SHARE].swatch = hue_of(row, TP_HUE_HOST);
		if (by_shape)
			tp_torch_op_shapes_cell(ctx, row, &cell[SHAPES]);
		else
			cell[SHAPES].value = tp_missing(TP_S(""));
	}
	if (shown < count)
		fill_rest(ctx, o, &draft, rows, shown, count);
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->numbered = true;
	tp_table_drop_missing(doc, table, DEVICE_SELF);
	return table;
}

/* What a chart's bars are shares of. */
enum whole { OF_DEVICE, OF_HOST_SELF, OF_HOST_TOTAL };

/* What a chart's bars are. */
struct chart {
	const char *id, *what, *of;
	size_t offset; /* in struct tp_torch_op_sums */
	enum tp_hue hue;
	enum whole whole;
};

/* Self time is without calls of the runtime, as in the list; with all that an operator calls they are part of it. */
static int64_t
whole_ps(const struct tp_torch_ops *o, enum whole whole)
{
	switch (whole) {
	case OF_DEVICE:
		return o->work.ps;
	case OF_HOST_SELF:
		return o->sums.host_self_ps;
	case OF_HOST_TOTAL:
		break;
	}
	return tp_add_ps(o->sums.host_self_ps, o->sums.runtime_ps);
}

static int64_t
figure(const struct tp_torch_op_row *row, const struct chart *c)
{
	int64_t ps;

	memcpy(&ps, (const char *)&row->sums + c->offset, sizeof ps);
	return ps;
}

TP_ORDER(by_length, struct tp_share_bar, TP_DOWN(time_ps), tp_slice_cmp(a->label, b->label));

/* Autograd's engine puts as long a name before each function as a label has room for: "engine: MmBackward0". */
static struct tp_slice
bar_label(const struct tp_pass_ctx *ctx, struct tp_slice name)
{
	struct tp_slice engine = TP_S("autograd::engine::evaluate_function: ");

	return tp_slice_starts(name, engine)
		? tp_arena_printf(ctx->keep, "engine: %.*s", TP_ARG(tp_slice_from(name, engine.len)))
		: name;
}

static void
bars(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *parent, const struct chart *c)
{
	struct tp_share_bar *all = tp_new_array(ctx->scratch, struct tp_share_bar, o->name_count);

	for (uint32_t i = 0; i < o->name_count; i++)
		all[i] = (struct tp_share_bar){.label = bar_label(ctx, o->by_name[i].name),
			.time_ps = figure(&o->by_name[i], c),
			.hue = hue_of(&o->by_name[i], c->hue)};
	qsort(all, o->name_count, sizeof *all, by_length);
	tp_share_bars(
		ctx, doc, parent, c->id, all, o->name_count, whole_ps(o, c->whole), c->what, c->of);
}

#define OF(member) offsetof(struct tp_torch_op_sums, member)
static const struct chart charts[] = {
	{"operators/device-self", "operators by device self time", "device time", OF(device_self_ps),
		TP_HUE_COMPUTE, OF_DEVICE},
	{"operators/device-total", "operators by total device time", "device time", OF(device_total_ps),
		TP_HUE_COMPUTE, OF_DEVICE},
	{"operators/host-self", "operators by host self time", "host time of operators",
		OF(host_self_ps), TP_HUE_HOST, OF_HOST_SELF},
	{"operators/host-total", "operators by total host time",
		"host time of operators and runtime calls", OF(host_total_ps), TP_HUE_HOST, OF_HOST_TOTAL},
};

/* The first stands open, the others are folded, each under its name. */
static void
draw(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *section)
{
	static const char *const titles[] = {
		title_device_self, title_device_total, title_host_self, title_host_total};
	size_t first = o->on_device ? 0 : 2;

	bars(ctx, o, doc, section, &charts[first]);
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, "operators/charts",
		o->on_device ? title_charts : title_chart);

	fold->section.off_paper = true;
	for (size_t i = first + 1; i < sizeof charts / sizeof *charts; i++) {
		struct tp_block *sub = tp_doc_section(doc, fold, TP_SECTION_SUB,
			tp_arena_printf(ctx->keep, "%s-chart", charts[i].id).ptr, titles[i]);

		bars(ctx, o, doc, sub, &charts[i]);
	}
}

#define OF_TRACE(member, unit) TP_FIELD(struct tp_torch_op_trace, member, unit)
static const struct tp_column trace_columns[] = {
	TP_COLUMN("trace", "Worker, span"),
	TP_COUNT_COLUMN("operators", "Operators", OF_TRACE(names, TP_UNIT_COUNT)),
	TP_COUNT_COLUMN("calls", "Calls", OF_TRACE(sums.calls, TP_UNIT_COUNT)),
	US("device_us", "Device self"),
	US("host_us", "Host self", OF_TRACE(sums.host_self_ps, TP_UNIT_PS)),
	TP_COLUMN("top", "Most time", .code = true),
	TP_SHARE_COLUMN("top_share", "Its share", .bar = true),
};
struct trace_cells {
	struct tp_cell trace, operators, calls, device, host, top, top_share;
};
TP_CELLS_ARE_COLUMNS(struct trace_cells, trace_columns);

static void
by_trace(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_torch *torch = ctx->profile->torch;

	if (torch->trace_count < 2)
		return;
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "operators/by-worker", title_by_worker);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "operators/by-worker/list", trace_columns);

	for (uint32_t i = 0; i < torch->trace_count; i++) {
		const struct tp_torch_op_trace *t = &o->traces[i];
		struct tp_slice who = tp_torch_who(ctx, torch->traces[i]);
		struct trace_cells *cells = tp_draft_row_of(&draft, who, TP_ROW_NORMAL, 0, t);
		int64_t own_ps = tp_torch_op_key_ps(o, &t->sums);

		cells->trace.value = tp_text_value(who);
		cells->device.value = o->on_device ? tp_integer(t->sums.device_self_ps, TP_UNIT_PS)
										   : tp_missing(no_device(o));
		cells->top.value = t->top != TP_NONE ? tp_text_value(o->by_name[t->top].name)
											 : tp_missing(TP_S(why_none_here));
		cells->top_share.value = tp_share((double)t->top_ps, (double)own_ps, TP_S(why_no_time));
		cells->top_share.swatch = o->on_device ? TP_HUE_COMPUTE : TP_HUE_HOST;
	}
	struct tp_table *table = tp_draft_finish(&draft, ctx->options->top);

	table->caption = TP_S(caption_by_worker);
	tp_table_drop_missing(doc, table, TP_COLUMN_OF(struct trace_cells, operators));
}

/* Device work that belongs to no operator of the list. */
static struct tp_text
left_over(const struct tp_torch_ops *o, struct tp_doc *doc)
{
	const struct {
		bool any;
		double ps;
		const char *first, *next;
	} parts[] = {
		{o->work.no_call != 0, (double)o->work.no_call_ps, text_launched_before,
			text_launched_before_too},
		{o->work.untold != 0, (double)o->work.untold_ps, text_no_call, text_no_call_too},
		{o->work.no_operator_ps + o->unlisted_ps != 0,
			(double)(o->work.no_operator_ps + o->unlisted_ps), text_outside, text_outside_too},
	};
	struct tp_text said = {NULL, 0};
	size_t count = 0;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (!parts[i].any)
			continue;
		struct tp_text part = TP_SAY(doc, count == 0 ? parts[i].first : parts[i].next,
			tp_share(parts[i].ps, (double)o->work.ps, TP_S("no time")));

		said = count == 0 ? part : tp_doc_join(doc, said, part);
		count++;
	}
	if (count == 0)
		return TP_SAY0(doc, "");
	return tp_doc_join(doc, said, TP_SAY0(doc, text_no_operator));
}

/* What the trace could have held besides, and how to record it. */
static void
missing(const struct tp_torch_ops *o, struct tp_doc *doc, struct tp_block *section)
{
	if (o->has_shapes && o->has_stacks)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "operators/missing",
		o->has_shapes       ? TP_SAY0(doc, text_no_stacks)
			: o->has_stacks ? TP_SAY0(doc, text_no_shapes)
							: TP_SAY0(doc, text_no_shapes_no_stacks));
}

static void
say_answer(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_torch_op_row *top = &o->by_name[0];

	section->section.key_figure = tp_say_number(ctx, o->name_count, "operator", "operators");
	section->section.answer =
		TP_SAY(doc, o->on_device ? text_top_on_device : text_top_on_host, tp_text_value(top->name),
			tp_share((double)tp_torch_op_key_ps(o, &top->sums), (double)tp_torch_op_whole_ps(o),
				TP_S(why_no_time)),
			tp_say_number(ctx, o->name_count, "operator", "operators"),
			tp_say_number(ctx, (size_t)o->sums.calls, "call", "calls"));
	section->section.so_what = left_over(o, doc);
}

/* By name, or by name and shape where shapes are known: the reader switches. */
static void
lists(const struct tp_pass_ctx *ctx, const struct tp_torch_ops *o, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_block *by_name =
		o->has_shapes ? tp_doc_choice(doc, section, "operators/by-name", title_by_name) : section;

	list(ctx, o, doc, by_name, "operators/list", false)->caption =
		tp_arena_printf(ctx->keep, caption_by_name, TP_ARG(tp_torch_all(ctx)));
	if (!o->has_shapes)
		return;
	struct tp_block *by_shape = tp_doc_choice(doc, section, "operators/by-shape", title_by_shape);

	by_shape->section.off_paper = true;
	list(ctx, o, doc, by_shape, "operators/by-shape/list", true)->caption = TP_S(caption_by_shape);
}

void
tp_torch_ops_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_torch_ops *o = result;

	/* In the place of the section on operations of XLA: what is said elsewhere of operations leads here. */
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", "Operators");

	if (o->name_count == 0) {
		section->section.key_figure = tp_missing(TP_S(""));
		section->section.answer = TP_SAY0(doc, text_no_operators);
		section->section.so_what = TP_SAY0(doc, text_capture_operators);
		return;
	}
	say_answer(ctx, o, doc, section);
	draw(ctx, o, doc, section);
	lists(ctx, o, doc, section);
	missing(o, doc, section);
	tp_torch_ops_flops_present(ctx, o, doc, section);
	tp_torch_ops_stacks_present(ctx, o, doc, section);
	by_trace(ctx, o, doc, section);
	tp_say_how(ctx, doc, section, "operators/how", how_operators);
	tp_say_source(ctx, doc, section, "operators/source", source_operators);
}
