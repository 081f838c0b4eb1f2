/* What the section on hosts says where tool files of several hosts are all there is. */
#include "analyze/core/say.h"
#include "analyze/facts/precomputed.h"
#include "base/arena.h"
#include "model/precomputed.h"
#include "model/profile.h"

/* "`vm.overview_page.json` (steps, shares), …": the file that each group of figures in the other sections is from. */
static struct tp_slice
used(const struct tp_pass_ctx *ctx, const struct tp_precomputed *g)
{
	const struct {
		const char *what;
		struct tp_slice from;
	} groups[] = {
		{"steps", g->step_count != 0 ? g->steps_from : TP_S("")},
		{"shares", g->figures_from},
		{"operations of programs", g->program_ops.from},
		{"operations of the framework", g->framework_ops.from},
		{"input", g->input_from},
		{"kernels", g->kernel_count != 0 ? g->kernels_from : TP_S("")},
		{"cores", g->pod != NULL ? g->pod->from : TP_S("")},
	};
	struct tp_slice text = TP_S("");

	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		if (groups[i].from.len != 0)
			text = tp_arena_printf(ctx->keep, "%.*s%s%s: %.*s", TP_ARG(text),
				text.len != 0 ? "; " : "", groups[i].what, TP_ARG(groups[i].from));
	}
	return text;
}

void
tp_hosts_precomputed_present(
	const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *section)
{
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_BODY, "hosts/given",
		TP_SAY(doc,
			"The other sections show one host's figures, the first's that has any, and count "
			"nothing twice: {}.",
			tp_text_value(used(ctx, ctx->profile->precomputed))));
	tp_say_how(ctx, doc, section, "hosts/how",
		"Each row is what that host's own tool files say, taken as it is. How figures of several "
		"hosts would add up the files do not say, so they are not added; \"in other sections\" is "
		"what those show. A host counts as slower than the others from 1.05 times the median "
		"host's mean step on.");
	tp_doc_paragraph(doc, section, TP_PARAGRAPH_SOURCE, "hosts/source",
		TP_SAY0(doc, "Precomputed by the profiler, in the tool files of each host."));
}
