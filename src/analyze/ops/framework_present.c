/* What the report says about the framework's operations, on the device and on the host. */
#include "analyze/ops/host_ops.h"

#include "analyze/core/say.h"
#include "analyze/core/share_bars.h"
#include "analyze/facts/devices.h"
#include "analyze/ops/framework_table.h"
#include "base/arena.h"

static struct tp_framework_side
device_side(const struct tp_op_page *page)
{
	const struct tp_pass_ctx *ctx = page->ctx;
	const struct tp_ops *o = page->ops;
	const struct tp_devices *d = tp_result(ctx, &tp_pass_devices);
	struct tp_framework_side side = {
		.page = page,
		.names = tp_new_array(ctx->scratch, struct tp_framework_item, o->framework_count),
		.name_count = o->framework_count,
		.busy_ps = o->busy_ps,
		/* Streams of a GPU overlap, so that there may be more self time than busy time. */
		.total_ps = d != NULL ? d->total_ps : 0,
		.idle_ps = d != NULL ? d->total_ps - d->busy_ps : 0,
		.key = "device",
		.where = o->on_host ? "in XLA's programs" : "on the device",
	};

	for (size_t i = 0; i < o->framework_count; i++)
		side.names[i] = (struct tp_framework_item){
			.name = o->frameworks[i].name,
			.type = o->frameworks[i].type,
			.sums = o->frameworks[i].sums,
		};
	tp_framework_sum_types(&side, ctx->scratch);
	return side;
}

static struct tp_framework_side
host_side(const struct tp_pass_ctx *ctx, const struct tp_host_ops *h)
{
	struct tp_framework_side side = {
		.names = tp_new_array(ctx->scratch, struct tp_framework_item, h->count),
		.name_count = h->count,
		.busy_ps = h->busy_ps,
		.total_ps = h->total_ps,
		.idle_ps = h->total_ps - h->busy_ps,
		.key = "host",
		.where = "on the host",
	};

	for (size_t i = 0; i < h->count; i++) {
		const struct tp_host_op_total *op = &h->ops[i];

		side.names[i] = (struct tp_framework_item){
			.name = op->name,
			.type = op->type,
			.sums = {.occurrences = op->occurrences,
				.self_ps = op->self_ps,
				.total_ps = op->total_ps,
				.hue = op->family == TP_FAMILY_DATASET ? TP_HUE_INPUT : TP_HUE_HOST},
		};
	}
	tp_framework_sum_types(&side, ctx->scratch);
	return side;
}

static struct tp_block *
both_tables(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section,
	const struct tp_framework_side *side, const char *id, const char *title)
{
	struct tp_block *sub = tp_doc_section(doc, section, TP_SECTION_SUB, id, title);

	tp_framework_table(ctx, doc, sub, side, true);
	tp_framework_table(ctx, doc, sub, side, false);
	return sub;
}

/* The section is that of the device's operations; where there are none it is about the host. */
static struct tp_block *
open_section(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, const struct tp_framework_side *host)
{
	struct tp_block *block = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "operations", "Operations");
	struct tp_share_bar *bars = tp_new_array(ctx->scratch, struct tp_share_bar, host->type_count);
	const struct tp_framework_item *top = &host->names[0];

	block->section.key_figure = tp_say_number(ctx, host->name_count, "operation", "operations");
	block->section.answer =
		TP_SAY(doc, "`{}` takes {} of the time that operations ran on host threads.",
			tp_text_value(tp_op_short_name(ctx, top->name)),
			tp_share((double)top->sums.self_ps, (double)host->busy_ps, TP_S("no time")));
	block->section.so_what = TP_SAY0(
		doc, "The profile holds no operations of a device; these are the framework's on the host.");
	for (size_t i = 0; i < host->type_count; i++)
		bars[i] = (struct tp_share_bar){
			host->types[i].name, host->types[i].sums.self_ps, host->types[i].sums.hue};
	tp_share_bars(ctx, doc, block, "operations/types", bars, host->type_count, host->busy_ps,
		"types of operations", "busy time");
	return block;
}

void
tp_host_ops_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_host_ops *h = result;
	const struct tp_ops *o = tp_result(ctx, &tp_pass_ops);
	struct tp_slice none = tp_skipped(ctx, &tp_pass_host_ops);
	uint64_t on_device = 0;

	for (size_t i = 0; o != NULL && !o->on_host && i < o->framework_count; i++)
		on_device += o->frameworks[i].sums.occurrences;
	tp_doc_metric(doc, TP_S("host.idle_share"), "Host idle",
		h != NULL ? tp_share((double)(h->total_ps - h->busy_ps), (double)h->total_ps,
						TP_S("operations on host threads took no time"))
				  : tp_missing(none),
		TP_S("share of the time from the first operation of the framework to the last on each host "
			 "thread in which none ran"),
		h != NULL ? tp_arena_printf(ctx->keep, "%zu %s with operations", h->threads,
						tp_plural(h->threads, "thread", "threads"))
				  : TP_S(""));
	tp_doc_metric(doc, TP_S("op.on_device_share"), "Operations on the device",
		tp_share((double)on_device, (double)on_device + (h != NULL ? (double)h->occurrences : 0),
			TP_S("the profile holds no operations of the framework")),
		TP_S(
			"occurrences of the framework's operations on the device over those on device and host"),
		TP_S(""));
}

void
tp_host_ops_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	tp_host_ops_present(ctx, NULL, doc);
}

void
tp_host_ops_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_host_ops *h = result;
	struct tp_op_page page = {
		.ctx = ctx, .ops = tp_result(ctx, &tp_pass_ops), .peaks = tp_op_peaks(ctx), .doc = doc};
	struct tp_block *section = tp_doc_find_section(doc, "operations");
	struct tp_framework_side host = h != NULL ? host_side(ctx, h) : (struct tp_framework_side){0};

	if (h == NULL && (page.ops == NULL || !page.ops->names_frameworks))
		return;
	if (section == NULL)
		section = open_section(ctx, doc, &host);
	if (page.ops != NULL && page.ops->names_frameworks) {
		struct tp_framework_side device = device_side(&page);

		both_tables(ctx, doc, section, &device, "operations/framework",
			page.ops->on_host ? "Framework operations in XLA's programs"
							  : "Framework operations on the device");
	}
	if (h != NULL)
		both_tables(ctx, doc, section, &host, "operations/framework-on-host",
			"Framework operations on the host")
			->section.spare = page.ops != NULL;
	tp_say_how(ctx, doc, section, "operations/framework-how",
		"Operations of the framework are what TensorFlow, JAX and tf.data call so. On the device "
		"each has the sums of the device operations that it became; their names and types are from "
		"the compiler's metadata, or from the events of a GPU. On the host they are events named "
		"\"name:Type\", iterators and copies; self time is without those nested in it on the same "
		"thread. Shares with idle are of the time from the first to the last operation, summed "
		"over devices or over host threads. Unlike xprof's, counts on the host leave out memory "
		"allocations, which only name the operation that they were made for.");
}
