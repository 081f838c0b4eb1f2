/* What the report says about the framework's operations, on the device and on the host. */
#include "analyze/ops/host_ops.h"

#include "analyze/core/say.h"
#include "analyze/core/share_bars.h"
#include "analyze/facts/devices.h"
#include "analyze/facts/kernel_name.h"
#include "analyze/facts/op_times.h"
#include "analyze/ops/ops_columns.h"
#include "analyze/ops/ops_present.h"
#include "analyze/ops/ops_words.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "report/draft.h"

#include <stdlib.h>

/* The framework's operations of the device, or of the host. */
struct side {
	const struct tp_op_page *page;          /* NULL on the host: no costs */
	const struct tp_framework_total *names; /* by self time, descending, then name */
	struct tp_framework_total *types;       /* likewise */
	size_t name_count, type_count;
	int64_t busy_ps;           /* Σ self times */
	int64_t total_ps, idle_ps; /* 0: not known */
	const char *key, *where;   /* "device", "on the device" */
};

TP_ORDER(by_self, struct tp_framework_total, TP_DOWN(sums.self_ps), tp_slice_cmp(a->name, b->name));

static void
sum_types(struct side *side, struct tp_arena *scratch)
{
	struct tp_map index;

	tp_map_init(&index, scratch);
	side->types = tp_new_array(scratch, struct tp_framework_total, side->name_count);
	for (size_t i = 0; i < side->name_count; i++) {
		const struct tp_framework_total *one = &side->names[i];
		uint32_t at;

		if (tp_map_number(&index, tp_hash_bytes(one->type), &at)) {
			side->type_count++;
			side->types[at].name = one->type;
			side->types[at].sums.hue = one->sums.hue;
		}
		side->types[at].members++;
		tp_op_add(&side->types[at].sums, &one->sums);
	}
	qsort(side->types, side->type_count, sizeof *side->types, by_self);
}

static struct side
device_side(const struct tp_op_page *page)
{
	const struct tp_pass_ctx *ctx = page->ctx;
	const struct tp_ops *o = page->ops;
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct side side = {
		.page = page,
		.names = o->frameworks,
		.name_count = o->framework_count,
		.busy_ps = o->busy_ps,
		/* Streams of a GPU overlap, so that there may be more self time than busy time. */
		.total_ps = d != NULL ? d->total_ps : 0,
		.idle_ps = d != NULL ? d->total_ps - d->busy_ps : 0,
		.key = "device",
		.where = o->on_host ? "in XLA's programs" : "on the device",
	};

	sum_types(&side, ctx->scratch);
	return side;
}

static struct side
host_side(const struct tp_pass_ctx *ctx, const struct tp_host_ops *h)
{
	struct side side = {
		.names = h->ops,
		.name_count = h->count,
		.busy_ps = h->busy_ps,
		.total_ps = h->total_ps,
		.idle_ps = h->total_ps - h->busy_ps,
		.key = "host",
		.where = "on the host",
	};

	sum_types(&side, ctx->scratch);
	return side;
}

/* xprof's tables end here, too. */
enum { MOST_ROWS = 500 };

enum { COLUMNS = sizeof framework_columns / sizeof *framework_columns };

static struct tp_value
each(int64_t sum_ps, uint64_t occurrences)
{
	if (occurrences == 0)
		return tp_missing(TP_S(why_several));
	return tp_number((double)sum_ps / (double)occurrences, TP_UNIT_PS);
}

/* Whether the program says of any operation which type it is. */
static bool
has_types(const struct side *side)
{
	return side->type_count > 1 ||
		(side->type_count == 1 && !tp_slice_eq(side->types[0].name, TP_S(TP_OP_NO_TYPE)));
}

static struct tp_value
share_of_all(const struct side *side, int64_t ps)
{
	return tp_share((double)ps, (double)side->total_ps, TP_S(why_on_host));
}

static void
fill_costs(
	const struct tp_op_peaks *peaks, const struct tp_op_total *sums, struct framework_cells *cells)
{
	cells->bound.value = tp_op_bound_by(sums, peaks, NULL);
	cells->flop_rate.value = tp_op_rate(sums, TP_PEAK_FLOP, peaks);
	cells->model_rate.value =
		tp_op_rate_of(sums, sums->model_flops, TP_UNIT_FLOP_PER_S, peaks->of[TP_PEAK_FLOP]);
	cells->byte_rate.value = tp_op_rate_of(sums, sums->bytes, TP_UNIT_BYTES_PER_S, 0);
	cells->intensity.value = tp_op_intensity(sums);
}

static void
fill(const struct side *side, const struct tp_framework_total *one, int64_t sum_ps,
	struct tp_arena *keep, struct framework_cells *cells)
{
	const struct tp_op_total *sums = &one->sums;
	bool is_type = one->members != 0;

	tp_kernel_put_name(one->name, keep, &cells->name);
	cells->type.value = is_type ? tp_count(one->members)
		: has_types(side)       ? tp_op_type(one->type)
								: tp_missing(TP_S(why_no_types));
	(is_type ? &cells->name : &cells->type)->swatch = sums->hue;
	cells->self.value = tp_integer(sums->self_ps, TP_UNIT_PS);
	cells->busy.value = tp_share((double)sums->self_ps, (double)side->busy_ps, TP_S(why_no_time));
	cells->busy.swatch = sums->hue;
	cells->cumulative.value = tp_share((double)sum_ps, (double)side->busy_ps, TP_S(why_no_time));
	cells->all.value = share_of_all(side, sums->self_ps);
	cells->occurrences.value = tp_count(sums->occurrences);
	cells->total.value = tp_integer(sums->total_ps, TP_UNIT_PS);
	cells->each.value = each(sums->total_ps, sums->occurrences);
	cells->self_each.value = each(sums->self_ps, sums->occurrences);
	if (side->page != NULL && !is_type)
		fill_costs(&side->page->peaks, sums, cells);
}

/* The time in which nothing of the side ran. */
static void
add_idle(const struct side *side, struct tp_draft *draft)
{
	if (side->idle_ps <= 0)
		return;
	struct framework_cells *cells = tp_draft_row_of(draft, TP_S("idle"), TP_ROW_TOTAL, 0, NULL);

	cells->name.value = tp_text_value(TP_S("Idle"));
	cells->name.swatch = TP_HUE_IDLE;
	cells->self.value = tp_integer(side->idle_ps, TP_UNIT_PS);
	cells->all.value = share_of_all(side, side->idle_ps);
}

/* The names, or the types, with the share of each with and without idle time. */
static void
table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct side *side, bool types)
{
	const struct tp_framework_total *items = types ? side->types : side->names;
	size_t count = types ? side->type_count : side->name_count, top = ctx->options->top;
	size_t shown = count > MOST_ROWS + 1 && top < SIZE_MAX ? MOST_ROWS : count;
	struct tp_column *heads = tp_new_array(ctx->keep, struct tp_column, COLUMNS);
	struct tp_framework_total rest = {0};
	int64_t sum_ps = 0;
	/* Operations of a type may be nested in each other, so that they have no rates together. */
	bool of_device = side->page != NULL && !types;

	memcpy(heads, framework_columns, sizeof framework_columns);
	if (types) {
		heads[TP_COLUMN_OF(struct framework_cells, name)].title = TP_S("Type");
		heads[TP_COLUMN_OF(struct framework_cells, name)].code = false;
		heads[TP_COLUMN_OF(struct framework_cells, type)] = members_column;
	}
	struct tp_draft draft = tp_draft_table(doc, parent,
		tp_arena_printf(ctx->keep, "operations/framework-%s%s", side->key, types ? "-types" : "")
			.ptr,
		heads, of_device ? COLUMNS : TP_COLUMN_OF(struct framework_cells, bound));

	for (size_t i = 0; i < shown; i++) {
		sum_ps = tp_add_ps(sum_ps, items[i].sums.self_ps);
		fill(side, &items[i], sum_ps, ctx->keep,
			tp_draft_row_of(&draft, items[i].name, TP_ROW_NORMAL, 0, &items[i]));
	}
	for (size_t i = shown; i < count; i++) {
		rest.members += items[i].members;
		tp_op_add(&rest.sums, &items[i].sums);
	}
	if (shown < count) {
		rest.name = tp_arena_printf(ctx->keep, "%zu more", count - shown);
		fill(side, &rest, side->busy_ps, ctx->keep,
			tp_draft_row_of(&draft, TP_S("more"), TP_ROW_NORMAL, 0, &rest));
	}
	add_idle(side, &draft);
	/* The device's are among the first of the section, too. */
	struct tp_table *t = tp_draft_finish(&draft, of_device && top < SIZE_MAX ? (top + 1) / 2 : top);

	tp_kernel_tell_rows_apart(t, TP_COLUMN_OF(struct framework_cells, name), ctx->keep);
	t->numbered = true;
	t->caption = tp_arena_printf(
		ctx->keep, caption_framework, types ? "operation types" : "operations", side->where);
}

static struct tp_block *
both_tables(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct side *side, const char *id, const char *title)
{
	struct tp_block *sub = tp_doc_section(doc, section, TP_SECTION_SUB, id, title);

	if (has_types(side))
		table(ctx, doc, sub, side, true);
	table(ctx, doc, sub, side, false);
	return sub;
}

/* By type, as the chart below it, where there are types. */
static struct tp_text
top_on_host(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct side *host)
{
	const struct tp_framework_total *top = &host->names[0], *type = &host->types[0];
	struct tp_value name = tp_text_value(tp_op_short_name(ctx, top->name));
	struct tp_value share =
		tp_share((double)top->sums.self_ps, (double)host->busy_ps, TP_S(why_no_time));

	if (!has_types(host) || !tp_known(tp_op_type(type->name)))
		return TP_SAY(doc, text_top_on_host, name, share);
	return TP_SAY(doc, text_top_type_on_host, tp_op_type(type->name),
		tp_share((double)type->sums.self_ps, (double)host->busy_ps, TP_S(why_no_time)), name,
		share);
}

/* The section is that of the device's operations; where there are none it is about the host. */
static struct tp_block *
open_section(const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct side *host)
{
	struct tp_block *block = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", "Operations");
	struct tp_share_bar *bars = tp_new_array(ctx->scratch, struct tp_share_bar, host->type_count);
	bool waits = false;

	block->section.key_figure = tp_say_number(ctx, host->name_count, "operation", "operations");
	block->section.answer = top_on_host(ctx, doc, host);
	for (size_t i = 0; i < host->type_count; i++)
		waits |= host->types[i].sums.hue == TP_HUE_INPUT;
	block->section.so_what = TP_SAY0(doc, text_host_only);
	if (waits)
		block->section.so_what =
			tp_doc_join(doc, block->section.so_what, TP_SAY0(doc, text_waits_twice));
	for (size_t i = 0; i < host->type_count; i++)
		bars[i] = (struct tp_share_bar){
			host->types[i].name, host->types[i].sums.self_ps, host->types[i].sums.hue};
	tp_share_bars(ctx, doc, block, "operations/types", bars, host->type_count, host->busy_ps,
		"operation types", "busy time");
	return block;
}

void
tp_host_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_host_ops *h = result;
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_slice none = tp_skipped_itself(ctx);
	uint64_t on_device = 0;

	for (size_t i = 0; o != NULL && !o->on_host && i < o->framework_count; i++)
		on_device += o->frameworks[i].sums.occurrences;
	tp_doc_metric(doc, TP_S("host.idle_share"), "Host idle",
		h != NULL ? tp_share((double)(h->total_ps - h->busy_ps), (double)h->total_ps,
						TP_S("operations on host threads took no time"))
				  : tp_missing(none),
		TP_S("share of the time from the first to the last framework operation on each host thread "
			 "in which none ran"),
		h != NULL ? tp_arena_printf(ctx->keep, "%zu %s with operations", h->threads,
						tp_plural(h->threads, "thread", "threads"))
				  : TP_S(""));
	tp_say_metric(doc, "op.on_device_share", "Operations on the device",
		tp_share((double)on_device, (double)on_device + (h != NULL ? (double)h->occurrences : 0),
			TP_S("the profile holds no framework operations")),
		"framework operations on the device over those on device and host, by occurrences");
}

void
tp_host_ops_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_host_ops *h = result;
	struct tp_op_page page = {
		.ctx = ctx, .ops = tp_result(ctx, &tp_pass_ops), .peaks = tp_op_peaks(ctx), .doc = doc};
	struct tp_block *section = tp_doc_find_section(doc, "operations");
	struct side host = h != NULL ? host_side(ctx, h) : (struct side){0};

	if (h == NULL && (page.ops == NULL || !page.ops->names_frameworks))
		return;
	if (section == NULL)
		section = open_section(ctx, doc, &host);
	if (page.ops != NULL && page.ops->names_frameworks) {
		struct side device = device_side(&page);

		both_tables(ctx, doc, section, &device, "operations/framework",
			page.ops->on_host ? title_framework_xla : title_framework_device);
	}
	if (h != NULL)
		both_tables(ctx, doc, section, &host, "operations/framework-on-host", title_framework_host)
			->section.spare = page.ops != NULL;
	tp_say_how(ctx, doc, section, "operations/framework-how", how_framework);
}
