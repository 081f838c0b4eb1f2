/* Kernels by family, and the three tables that triage begins with: kernels that take most, those that run alone, and neighbours that
 * one kernel could replace. */
#include "analyze/llm/serving.h"

#include "analyze/core/say.h"
#include "analyze/llm/serving_columns.h"
#include "analyze/llm/serving_kernels.h"
#include "analyze/llm/serving_words.h"
#include "base/arena.h"
#include "report/draft.h"

#include <math.h>

/* Kernels with less of the device time of iterations are no matter for triage. */
#define WORTH_SHARE 0.01

/* Above this share a kernel runs alone. */
#define ALONE_SHARE 0.5

static struct tp_value
ms(double ps)
{
	return tp_ps_in_ms(ps);
}

static struct tp_value
each(const struct tp_serving *s, const double *ps, enum tp_serving_kind kind)
{
	return s->kinds[kind].count != 0 ? tp_ps_in_ms(ps[kind] / s->kinds[kind].count)
									 : tp_missing(TP_S(why_none_of_kind));
}

static struct tp_value
share(const struct tp_serving_kernels *k, double ps)
{
	return tp_share(ps, k->all_ps, TP_S(why_no_device_time));
}

static void
families(const struct tp_serving *s, struct tp_doc *doc, struct tp_block *part)
{
	const struct tp_serving_kernels *k = s->kernels;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "serving/families/list", family_columns);

	for (uint32_t f = 0; f < k->family_count; f++) {
		const struct tp_serving_family *family = &k->families[f];
		struct family_cells *c = tp_draft_row_of(&draft, family->name, TP_ROW_NORMAL, 0, NULL);

		c->family.value = tp_text_value(family->name);
		c->time.value = ms(family->all_ps);
		c->share.value = share(k, family->all_ps);
		c->decode.value = each(s, family->ps, TP_SERVING_DECODE);
		c->mixed.value = each(s, family->ps, TP_SERVING_MIXED);
		c->prefill.value = each(s, family->ps, TP_SERVING_PREFILL);
		c->launches.value = tp_count(family->launches);
		c->example.value = tp_text_value(family->example);
	}
	struct tp_table *table = tp_draft_finish(&draft, SIZE_MAX);

	table->caption = TP_S(caption_families);
	tp_table_drop_missing(doc, table, 3);
}

/* "prefill, decode" */
static struct tp_slice
kinds_of(const struct tp_serving_kernel *k, struct tp_arena *keep)
{
	struct tp_slice text = {"", 0};

	for (int kind = 0; kind < TP_SERVING_KINDS; kind++) {
		if (k->ps[kind] > 0)
			text = tp_arena_printf(keep, "%.*s%s%s", TP_ARG(text), text.len != 0 ? ", " : "",
				tp_serving_kind_info((enum tp_serving_kind)kind)->key);
	}
	return text;
}

static uint32_t
worth(const struct tp_serving_kernels *k)
{
	uint32_t n = 0;

	while (n < k->kernel_count && k->kernels[n].all_ps >= WORTH_SHARE * k->all_ps)
		n++;
	return n;
}

static void
most(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *part)
{
	const struct tp_serving_kernels *k = s->kernels;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "serving/triage/kernels", kernel_columns);

	for (uint32_t i = 0; i < worth(k); i++) {
		const struct tp_serving_kernel *one = &k->kernels[i];
		struct kernel_cells *c = tp_draft_row_of(&draft, one->name, TP_ROW_NORMAL, 0, NULL);

		c->kernel.value = tp_text_value(one->name);
		c->family.value = tp_text_value(one->family);
		c->kinds.value = tp_text_value(kinds_of(one, ctx->keep));
		c->time.value = ms(one->all_ps);
		c->share.value = share(k, one->all_ps);
		c->launches.value = tp_count(one->launches);
		c->each.value = tp_number(one->all_ps / (double)one->launches / 1e6, TP_UNIT_US);
	}
	tp_draft_finish(&draft, ctx->options->top)->caption = TP_S(caption_kernels);
}

/* What may run beside work of a family that does not need its result: only what waits for links or memory, not for arithmetic. */
static const char *
beside(struct tp_slice family)
{
	if (tp_slice_eq(family, TP_S("Communication")))
		return text_beside_communication;
	if (tp_slice_eq(family, TP_S("Copy, layout, fill")))
		return text_beside_copies;
	return tp_slice_eq(family, TP_S("Sampling")) ? text_beside_sampling : NULL;
}

static void
alone(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *part)
{
	const struct tp_serving_kernels *k = s->kernels;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "serving/triage/overlap", alone_columns);
	size_t rows = 0;

	for (uint32_t i = 0; i < k->kernel_count; i++) {
		const struct tp_serving_kernel *one = &k->kernels[i];

		if (beside(one->family) == NULL || one->alone_ps < ALONE_SHARE * one->all_ps ||
			!(one->all_ps > 0))
			continue;
		struct alone_cells *c = tp_draft_row_of(&draft, one->name, TP_ROW_NORMAL, 0, NULL);

		c->kernel.value = tp_text_value(one->name);
		c->family.value = tp_text_value(one->family);
		c->time.value = ms(one->all_ps);
		c->alone.value = tp_share(one->alone_ps, one->all_ps, TP_S(why_no_time));
		c->saves.value = ms(one->alone_ps);
		c->beside.value = tp_text_value(tp_slice_of(beside(one->family)));
		rows++;
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		rows != 0 ? TP_S(caption_alone) : TP_S(caption_none_alone);
}

static void
pairs(const struct tp_pass_ctx *ctx, const struct tp_serving *s, struct tp_doc *doc,
	struct tp_block *part)
{
	const struct tp_serving_kernels *k = s->kernels;
	struct tp_draft draft = TP_DRAFT_TABLE(doc, part, "serving/triage/fusable", pair_columns);

	for (uint32_t i = 0; i < k->pair_count; i++) {
		const struct tp_serving_pair *pair = &k->pairs[i];
		struct tp_slice first = k->kernels[pair->first].name,
						second = k->kernels[pair->second].name;
		struct pair_cells *c = tp_draft_row_of(&draft,
			tp_arena_printf(ctx->keep, "%.*s-%.*s", TP_ARG(first), TP_ARG(second)), TP_ROW_NORMAL,
			0, NULL);

		c->first.value = tp_text_value(first);
		c->second.value = tp_text_value(second);
		c->runs.value = tp_count(pair->runs);
		c->time.value = ms(pair->ps);
		c->share.value = share(k, pair->ps);
		c->saves.value = ms(pair->bound_ps);
		c->how.value = tp_text_value(tp_slice_of(pair->how));
	}
	tp_draft_finish(&draft, ctx->options->top)->caption =
		k->pair_count != 0 ? TP_S(caption_pairs) : TP_S(caption_no_pairs);
}

void
tp_serving_kernel_tables(const struct tp_pass_ctx *ctx, const struct tp_serving *s,
	struct tp_doc *doc, struct tp_block *section)
{
	const struct tp_serving_kernels *k = s->kernels;
	struct tp_block *part =
		tp_doc_section(doc, section, TP_SECTION_SUB, "serving/families", title_families);
	double worth_ps = 0;

	part->section.so_what = TP_SAY(doc, text_top_family, tp_text_value(k->families[0].name),
		share(k, k->families[0].all_ps),
		k->unknown == 0 ? tp_text_value(TP_S(text_all_known))
						: tp_text_value(tp_arena_printf(ctx->keep, text_some_unknown,
							  (unsigned long long)k->unknown, k->kernel_count)));
	families(s, doc, part);
	part = tp_doc_section(doc, section, TP_SECTION_SUB, "serving/triage", title_triage);
	for (uint32_t i = 0; i < worth(k); i++)
		worth_ps += k->kernels[i].all_ps;
	part->section.so_what = TP_SAY(
		doc, text_triage, tp_say_number(ctx, worth(k), "kernel", "kernels"), share(k, worth_ps));
	most(ctx, s, doc, part);
	alone(ctx, s, doc, part);
	pairs(ctx, s, doc, part);
}
