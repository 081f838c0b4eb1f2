/* What the report says of a distributed run. */
#include "analyze/pod/pod.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

/* "8 cores", "2 hosts" */
static struct tp_value
count_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	return pod->cores ? tp_say_number(ctx, pod->count, "core", "cores")
					  : tp_say_number(ctx, pod->count, "host", "hosts");
}

/* Of two the slowest's distance from the median is half of that from the other: it is left to the metric. */
static void
say_even(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_section *s)
{
	struct tp_value kind = tp_text_value(pod->cores ? TP_S("core") : TP_S("host"));

	if (tp_pod_of_two(pod, TP_POD_CORE)) {
		s->answer = TP_SAY(doc, text_two_even, kind);
		s->so_what =
			TP_SAY(doc, text_slower_of_two, tp_say_number(ctx, pod->steps->count, "step", "steps"));
		return;
	}
	s->answer = TP_SAY(doc, text_none_slow, kind);
	s->so_what = TP_SAY(doc, text_imbalance, kind);
}

/* "high-FLOPS compute" */
static struct tp_value
in_sentence(const struct tp_pass_ctx *ctx, struct tp_slice label)
{
	return tp_text_value(
		tp_arena_printf(ctx->keep, "%c%.*s", label.ptr[0] | 0x20, TP_ARG(tp_slice_from(label, 1))));
}

static void
say_straggler(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_section *section)
{
	static const char *const levels[TP_POD_LEVELS] = {
		[TP_POD_CORE] = "core", [TP_POD_CHIP] = "chip", [TP_POD_HOST] = "host"};
	const struct tp_pod_straggler *s = &pod->straggler;
	double mine = s->part_ps[s->longer], others = s->part_others_ps[s->longer];

	bool two = tp_pod_of_two(pod, TP_POD_CORE), larger = pod->cores && s->level != TP_POD_CORE;

	section->answer = TP_SAY(doc, text_straggler,
		two ? tp_text_value(TP_S(""))
			: tp_text_value(tp_arena_printf(
				  ctx->keep, text_straggler_lag, pod->cores ? levels[s->level] : "host")),
		tp_text_value(larger ? TP_S("Its slowest core’s") : TP_S("Its")), tp_ps_in_ms(s->own_ps),
		tp_text_value(two ? TP_S("the other's")
				: larger  ? TP_S("the median of the others’ cores is")
						  : TP_S("the others' median")),
		tp_ps_in_ms(s->others_ps));
	section->so_what = TP_SAY(doc, text_largest_difference,
		in_sentence(ctx, tp_pod_part_label(pod, s->longer)), tp_ps_in_ms(mine), tp_ps_in_ms(others),
		tp_say_number(ctx, pod->steps->count, "step", "steps"));
	section->judge = tp_say_mark_of(doc, "TPR-POD-001");
}

/* Nothing in a file says whether its cores are those of the whole pod, so files of several hosts are not joined. */
static void
say_other_files(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	const struct tp_profile *p = ctx->profile;
	size_t others = 0;

	for (uint32_t i = 0; i < p->precomputed_host_count; i++)
		others += p->precomputed_hosts[i]->pod != NULL &&
			p->precomputed_hosts[i]->pod != p->precomputed->pod;
	if (others == 0)
		return;
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "distributed/other-files",
		TP_SAY(doc, text_other_files, tp_text_value(pod->precomputed_from),
			tp_say_number(ctx, others, "other file", "other files")));
}

/* "32 cores of 8 hosts over 8 steps" */
static struct tp_text
what_is_compared(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc)
{
	struct tp_value steps = tp_say_number(ctx, pod->steps->count, "step", "steps");

	if (!pod->cores || pod->hosts < 2)
		return TP_SAY(doc, "{} over {}", count_of(ctx, pod), steps);
	return TP_SAY(doc, "{} of {} over {}", count_of(ctx, pod),
		tp_say_number(ctx, pod->hosts, "host", "hosts"), steps);
}

static void
present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_pod *pod = result;
	struct tp_block *section =
		tp_doc_section(doc, NULL, TP_SECTION_MAIN, "distributed", "Distributed");

	section->section.key_figure = tp_doc_find_metric(doc, TP_S("pod.straggler.cost_ms"))->value;
	section->section.aside = what_is_compared(ctx, pod, doc);
	if (tp_pod_has_straggler(pod))
		say_straggler(ctx, pod, doc, &section->section);
	else
		say_even(ctx, pod, doc, &section->section);
	if (pod->precomputed_ps != NULL)
		tp_precomputed_captures(ctx, doc, section, "distributed/captures");
	tp_pod_strip(ctx, pod, pod->median_step, "distributed/strip", doc, section);
	tp_pod_maps(ctx, pod, doc, section);
	tp_pod_tables(ctx, pod, doc, section);
}

/* What cores send each other, single steps, and how all of it is computed. */
static void
present_parts(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_pod *pod = result;
	struct tp_block *section = tp_doc_find_section(doc, "distributed");

	tp_pod_traffic_present(ctx, pod, doc, section);
	tp_pod_step_tables(ctx, pod, doc, section);
	if (pod->precomputed_ps == NULL && pod->steps->precomputed_from.len != 0) {
		tp_say_how(ctx, doc, section, "distributed/how", how_hosts);
		tp_precomputed_source(
			ctx, doc, section, "distributed/source", pod->steps->precomputed_from);
		return;
	}
	if (pod->precomputed_ps != NULL) {
		say_other_files(ctx, pod, doc, section);
		tp_say_how(ctx, doc, section, "distributed/how", how_precomputed);
		tp_precomputed_source(ctx, doc, section, "distributed/source", pod->precomputed_from);
		return;
	}
	tp_say_how(ctx, doc, section, "distributed/how", pod->cores ? how_cores : how_hosts);
	tp_say_source(
		ctx, doc, section, "distributed/source", pod->cores ? source_cores : source_hosts);
}

const struct tp_pass tp_pass_pod_section = {
	.of = &tp_pass_pod,
	.place = TP_PLACE_POD,
	.present = present,
};

const struct tp_pass tp_pass_pod_parts = {
	.of = &tp_pass_pod,
	.place = TP_PLACE_POD_PARTS,
	.present = present_parts,
};
