/* What the report says of a distributed run. */
#include "analyze/pod/pod.h"

#include "analyze/core/pass.h"
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "analyze/pod/pod_tables.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

static const char how_cores[] =
	"The parts of a core's step are the self times of its operations by HLO category, and idle; "
	"they sum to the core's own step mark. High-FLOPS compute: convolutions, dots, and fusions "
	"that end in one; low-FLOPS compute: the rest of compute. A collective's compute is the time "
	"that the fastest core needs for the same collective, matched by its id; the rest is waiting. "
	"Own time is the step without waiting for other cores, that is without the wait in collectives "
	"and without receives; where collectives carry no ids, without all of them. Idle time counts "
	"as own: a core that idles makes the others wait as one that computes does. In each step the "
	"slowest core, chip and host is the one with the longest own time (of a chip or host: of its "
	"slowest core), and what it is slower than the slowest of the rest is what the step would be "
	"shorter by at most. The straggler is the one whose sum of this over steps is the largest; of "
	"core, chip and host the smallest that costs at least half of the most. It is named from 1 % "
	"of the mean step on.";

static const char how_hosts[] =
	"The parts of a host's step are the classes of time of the section on steps, of this host "
	"alone. Own time is the step without collectives and copies between devices, in which a host "
	"waits for others. In each step the slowest host is the one with the longest own time; what it "
	"is slower than the next is what the step would be shorter by at most. The straggler is the "
	"one whose sum of this over steps is the largest; it is named from 1 % of the mean step on.";

static const char how_precomputed[] =
	"The profiler worked out what each core did in each step and left it in a tool file; its "
	"figures are taken as they are. Low-FLOPS compute is what of the step no other part has, with "
	"idle time in it, as in the profiler's own pod viewer. Own time is the step without the wait "
	"in collectives and without receives; where the file does not tell that wait apart, without "
	"all of the collectives. In each step the slowest core, chip and host is the one with the "
	"longest own time; what it is slower than the slowest of the rest is what the step would be "
	"shorter by at most. The straggler is the one whose sum of this over steps is the largest; it "
	"is named from 1 % of the mean step on, a step being as long as on the core where it is "
	"longest. A core's number is the place of its chip times the cores of a chip, and its place on "
	"the chip, as channels count them, which is inferred; where two cores have one place, the "
	"number that the file has.";

/* "8 cores", "2 hosts" */
static struct tp_value
count_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	return pod->cores ? tp_say_number(ctx, pod->count, "core", "cores")
					  : tp_say_number(ctx, pod->count, "host", "hosts");
}

static void
say_even(const struct tp_pod *pod, struct tp_doc *doc, struct tp_section *s)
{
	struct tp_value kind = tp_text_value(pod->cores ? TP_S("core") : TP_S("host"));

	s->answer = TP_SAY(doc,
		"No {} makes the others wait: the slowest costs {pod.straggler.cost_ms} a step.", kind);
	s->so_what = TP_SAY(doc,
		"Whichever is the slowest of a step takes {pod.imbalance_ms} longer than the median {}.",
		kind);
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
	const struct tp_pod_straggler *s = &pod->straggler;
	double mine = s->part_ps[s->longer], others = s->part_others_ps[s->longer];

	section->answer = TP_SAY(doc,
		"*{pod.straggler.name}* sets the step time: {pod.straggler.cost_share} of each step waits "
		"for it, {pod.straggler.cost_ms}. By itself it takes {} a step, the others' median {}.",
		tp_ps_in_ms(s->own_ps), tp_ps_in_ms(s->others_ps));
	section->so_what = TP_SAY(doc,
		"It is longer above all in {}: {} against {}; it is the slowest in {pod.straggler.steps} "
		"of {}.",
		in_sentence(ctx, tp_pod_part_label(pod, s->longer)), tp_ps_in_ms(mine), tp_ps_in_ms(others),
		tp_say_number(ctx, pod->steps->count, "step", "steps"));
	section->judge = s->lead.cost_ps >= TP_POD_HIGH_SHARE * pod->steps->time.mean ? TP_JUDGE_BAD
		: s->lead.cost_ps >= TP_POD_MEDIUM_SHARE * pod->steps->time.mean          ? TP_JUDGE_WARN
																				  : TP_JUDGE_NONE;
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
		TP_SAY(doc,
			"All of this is from `{}`. Cores are in {} of the run, too, which nothing here counts: "
			"each host's file usually has all cores of the pod, and none says whether it has. "
			"--host NAME shows another's.",
			tp_text_value(pod->precomputed_from),
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
		say_even(pod, doc, &section->section);
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
	tp_say_source(ctx, doc, section, "distributed/source",
		pod->cores ? "lines \"Steps\" and \"XLA Ops\" of every TPU core"
				   : "step markers and events of every host");
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
