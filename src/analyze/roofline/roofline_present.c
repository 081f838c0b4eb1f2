/* What the report says about the roofline: how near the program comes, to which limit, and what that means. */
#include "analyze/roofline/roofline.h"

#include "analyze/core/say.h"
#include "analyze/ops/ops.h"
#include "model/profile.h"
#include "report/doc.h"

#include <math.h>

static struct tp_value
limit_name(const struct tp_roof *r)
{
	return tp_text_value(r->bound == TP_PEAK_HBM ? TP_S("HBM bandwidth") : tp_roof_limit(r->bound));
}

/* How many times more a program reaches without waiting in feeds for that to be said. */
#define NOTEWORTHY 1.2

static void
answer(const struct tp_roofline *r, struct tp_doc *doc, struct tp_section *section)
{
	const struct tp_roof *at = &r->operations;
	double corner = r->peak[TP_PEAK_FLOP] / r->peak[TP_PEAK_HBM];

	section->key_figure = tp_roof_efficiency(at);
	if (at->bound == TP_PEAK_COUNT) {
		section->answer = TP_SAY0(doc, "The operations state neither FLOP nor bytes.");
		return;
	}
	section->answer = TP_SAY(doc,
		r->has_step
			? "While operations of complete steps run they reach {} of the roof, which is {}."
			: "While operations run they reach {} of the roof, which is {}.",
		section->key_figure, limit_name(at));
	if (!isfinite(at->intensity))
		return;
	if (r->has_feeds && r->unfed.efficiency > NOTEWORTHY * at->efficiency) {
		section->so_what =
			TP_SAY(doc, "Without infeed and outfeed, in which a core waits, it is {}, of {}.",
				tp_roof_efficiency(&r->unfed), limit_name(&r->unfed));
		return;
	}
	section->so_what = TP_SAY(doc,
		at->intensity < corner
			? "They do {} FLOP for each byte of HBM; below {} memory is the limit."
			: "They do {} FLOP for each byte of HBM; above {} compute is the limit.",
		tp_number(at->intensity, TP_UNIT_NONE), tp_number(corner, TP_UNIT_NONE));
}

static struct tp_block *
open_section(struct tp_doc *doc)
{
	return tp_doc_section(doc, NULL, TP_SECTION_MAIN, "roofline", "Roofline");
}

void
tp_roofline_skipped(const struct tp_pass_ctx *ctx, struct tp_doc *doc)
{
	struct tp_slice why = tp_skipped(ctx, &tp_pass_roofline);

	/* Traces of PyTorch hold no costs of kernels: a section that says so would help nobody. */
	if (tp_result(ctx, &tp_pass_ops) == NULL || ctx->profile->torch != NULL)
		return;
	struct tp_block *section = open_section(doc);

	section->section.key_figure = tp_missing(why);
	section->section.answer = TP_SAY(doc, "No roofline: {}.", tp_text_value(why));
}

void
tp_roofline_present(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_roofline *r = result;
	struct tp_block *section = open_section(doc);

	answer(r, doc, &section->section);
	tp_roofline_chart(ctx, r, doc, section);
	tp_roofline_wholes(ctx, r, doc, section);
	tp_roofline_operations(ctx, r, doc, section);
	tp_roofline_ceilings(ctx, r, doc, section);
	tp_say_how(ctx, doc, section, "roofline/how",
		"FLOP and bytes are what the compiler estimated for an occurrence, times occurrences; of "
		"the program those of innermost operations, as loops and calls only hold others. Rates are "
		"over an operation's whole time, per device; the program's over device time with idle, the "
		"average step's over the length of complete steps by the chip's clock, and both again over "
		"the operations' own time. What a thing is bound by is the limit of which it uses the "
		"largest share, and that share is its efficiency; as bytes are estimates it may come out "
		"somewhat above 100 %, and above 125 % it is not shown. The slope of the roof is HBM "
		"bandwidth; thin slopes are those of on-chip memories, for bytes of theirs.");
	tp_say_source(ctx, doc, section, "roofline/source",
		"lines \"XLA Ops\" and \"Steps\" of TPU cores, the compiler's estimates, peaks as the "
		"section on method says");
}
