/* What the report says of a graph and TPUs. On other devices it is an information, never an alarm. */
#include "analyze/graph/tpu_compat.h"

#include "analyze/core/say.h"
#include "analyze/graph/tpu_words.h"
#include "base/arena.h"
#include "model/graph.h"

static struct tp_slice
nothing_judged(const struct tp_tpu_compat *c)
{
	return c->nodes[TP_TPU_PLACED] != 0 ? TP_S(why_host_or_placed) : TP_S(why_host);
}

static uint32_t
host_work(const struct tp_tpu_compat *c)
{
	return c->nodes[TP_TPU_SAVE_RESTORE] + c->nodes[TP_TPU_SUMMARY] + c->nodes[TP_TPU_INPUT] +
		c->nodes[TP_TPU_SYSTEM] + c->nodes[TP_TPU_ORDER];
}

/* TensorBoard's own figures, of graphs that it shows. */
static void
tensorboards(const struct tp_tpu_compat *c, struct tp_doc *doc, struct tp_slice none)
{
	if (none.len == 0 && c->graph->from == TP_GRAPH_FROM_TFPROF)
		none = TP_S(why_tensorboard_not);
	tp_say_metric(doc, "graph.tpu.tensorboard.valid", "Valid on a TPU by TensorBoard's rule",
		tp_say_count(c->valid, none),
		"nodes of the graph, excluding functions, that TensorBoard shows as compatible: in the "
		"list, or placed on another device");
	tp_say_metric(doc, "graph.tpu.tensorboard.valid_share",
		"Share valid on a TPU by TensorBoard's rule",
		none.len != 0 ? tp_missing(none)
					  : tp_share(c->valid, c->graph->main_count,
							TP_S("the graph has no nodes outside functions")),
		"graph.tpu.tensorboard.valid / nodes of the graph without functions");
}

void
tp_tpu_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct tp_tpu_compat nothing;
	const struct tp_tpu_compat *c = result != NULL ? result : &nothing;
	struct tp_slice none = tp_skipped_itself(ctx);

	tp_say_metric(doc, "graph.tpu.compatible_share", "Compatible with a TPU",
		none.len != 0 ? tp_missing(none)
					  : tp_share(c->nodes[TP_TPU_COMPATIBLE], c->judged, nothing_judged(c)),
		"judged nodes of the graph and its functions whose operation is in the list of those "
		"that run on a TPU; an estimate");
	tp_say_metric(doc, "graph.tpu.judged", "Judged nodes", tp_say_count(c->judged, none),
		"nodes that are neither host work nor manually placed on another device");
	tp_say_metric(doc, "graph.tpu.incompatible", "Not compatible with a TPU",
		tp_say_count(c->nodes[TP_TPU_INCOMPATIBLE], none),
		"judged nodes whose operation is not in the list");
	tp_say_metric(doc, "graph.tpu.host_work", "Host work", tp_say_count(host_work(c), none),
		"nodes that save, restore, write summaries, read input, feed or set up TPUs, or only order "
		"others; not judged");
	tp_say_metric(doc, "graph.tpu.placed_elsewhere", "Manually placed on another device",
		tp_say_count(c->nodes[TP_TPU_PLACED], none), "not judged");
	tensorboards(c, doc, none);
	tp_say_metric(doc, "graph.tpu.list", "List of operations",
		none.len != 0 ? tp_missing(none)
					  : tp_text_value(tp_slice_of(tp_tpu_list_row(c->list)->first)),
		"the first TensorBoard version that includes it");
}

struct tp_text
tp_tpu_worst(struct tp_doc *doc, const struct tp_tpu_compat *c)
{
	enum { MOST = 3 };
	struct tp_text text = {NULL, 0};
	size_t bad = 0;

	while (bad < c->kind_count && c->kinds[bad].class == TP_TPU_INCOMPATIBLE)
		bad++;
	for (size_t i = 0; i < bad && i < MOST; i++)
		TP_SAY_MORE(doc, text, i == 0 ? "`{}` ({})" : ", `{}` ({})", tp_text_value(c->kinds[i].op),
			tp_count(c->kinds[i].nodes));
	if (bad > MOST)
		TP_SAY_MORE(doc, text, " and {} more", tp_count(bad - MOST));
	return tp_doc_join(doc, text, TP_SAY0(doc, "."));
}

static struct tp_text
answer(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc)
{
	struct tp_value nodes = tp_say_number(ctx, c->judged, "judged node", "judged nodes");

	if (c->judged == 0)
		return TP_SAY(doc, text_nothing_judged, tp_text_value(nothing_judged(c)));
	if (c->nodes[TP_TPU_INCOMPATIBLE] == 0)
		return TP_SAY(doc, text_all_could, nodes);
	return tp_doc_join(doc, TP_SAY(doc, text_some_could, nodes), tp_tpu_worst(doc, c));
}

static const char *
what_it_means(const struct tp_tpu_compat *c)
{
	if (c->judged == 0)
		return "";
	if (c->nodes[TP_TPU_INCOMPATIBLE] == 0)
		return c->for_tpu ? text_tpu_named : text_tpu_not_named;
	return c->for_tpu ? text_tpu_needed : text_tpu_porting;
}

/* What kind of judgement this is. */
static void
remarks(const struct tp_pass_ctx *ctx, const struct tp_tpu_compat *c, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_tpu_list_row *list = tp_tpu_list_row(c->list);
	struct tp_slice versions = strcmp(list->first, list->last) == 0
		? tp_slice_of(list->first)
		: tp_arena_printf(ctx->keep, "%s to %s", list->first, list->last);

	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/tpu/estimate",
		TP_SAY(doc, text_estimate, tp_text_value(tp_slice_of(list->date)),
			tp_count(tp_tpu_list_size(c->list)), tp_text_value(versions)));
	if (c->graph->from != TP_GRAPH_FROM_TFPROF)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/tpu/tensorboard",
			TP_SAY(doc, text_tensorboard, tp_count(c->graph->main_count)));
	if (!c->devices_asked)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "graph/tpu/devices",
			TP_SAY0(doc, text_devices_placed));
}

void
tp_tpu_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_tpu_compat *c = result;
	struct tp_block *section = tp_doc_section(
		doc, tp_doc_find_section(doc, "graph"), TP_SECTION_SUB, "graph/tpu", title_tpu);

	section->section.spare = !c->for_tpu;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "graph/tpu/answer",
		tp_doc_join(doc, answer(ctx, c, doc), TP_SAY0(doc, what_it_means(c))));
	tp_tpu_tables(ctx, c, doc, section);
	remarks(ctx, c, doc, section);
	tp_say_how(ctx, doc, section, "graph/tpu/how", how_tpu);
}
