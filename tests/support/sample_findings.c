/* The sample document's findings: one of each status and severity, short on the first screen and at length. */
#include "sample_doc.h"

#include "base/arena.h"
#include "report/doc.h"

static struct tp_text *
actions_of(struct tp_doc *doc, struct tp_text a, struct tp_text b)
{
	struct tp_text *actions = tp_new_array(doc->arena, struct tp_text, 2);

	actions[0] = a;
	actions[1] = b;
	return actions;
}

static struct tp_finding *
waiting_for_input(struct tp_doc *doc)
{
	struct tp_finding *f = tp_new(doc->arena, struct tp_finding);

	*f = (struct tp_finding){
		.id = TP_S("TPR-INPUT-001"),
		.status = TP_FINDING_OPEN,
		.severity = TP_JUDGE_BAD,
		.name = TP_S("Waiting for input"),
		.title =
			TP_SAY(doc, "One batch takes {step.time.p50_ms} to make; the device uses it up in {}",
				tp_number(48.71, TP_UNIT_MS)),
		.brief = TP_SAY0(doc,
			"Map `DecodeAndCropJpeg` runs on 4 of 96 host threads. Set "
			"`num_parallel_calls=AUTOTUNE`, "
			"then `prefetch(AUTOTUNE)`."),
		.saw = TP_SAY(doc,
			"{input.wait_share} of step time is spent waiting for input; the limit is {}.",
			tp_number(0.05, TP_UNIT_SHARE)),
		.matters =
			TP_SAY(doc, "Without the wait a step would take {} instead of {step.time.mean_ms}.",
				tp_number(48.71, TP_UNIT_MS)),
		.actions = actions_of(doc,
			TP_SAY0(doc, "Set `num_parallel_calls=tf.data.AUTOTUNE` in `dataset.map`."),
			TP_SAY(doc, "End the pipeline with {}.", tp_text_value(TP_S("prefetch(<AUTOTUNE>)")))),
		.action_count = 2,
		.check = TP_SAY0(doc, "`input.wait_share` falls below 5 %."),
		.evidence = TP_SAY0(doc, "[Steps](#steps) · [Input operations](#operations/tree)"),
		.measured = tp_number(0.6199482, TP_UNIT_SHARE),
		.limit = tp_number(0.05, TP_UNIT_SHARE),
		.saving = tp_number(79.54, TP_UNIT_MS),
		.saving_note = TP_S("a step"),
		.hue = TP_HUE_INPUT,
	};
	return f;
}

static struct tp_finding *
padding(struct tp_doc *doc)
{
	struct tp_finding *f = tp_new(doc->arena, struct tp_finding);

	*f = (struct tp_finding){
		.id = TP_S("TPR-PAD-002"),
		.status = TP_FINDING_OPEN,
		.severity = TP_JUDGE_WARN,
		.name = TP_S("Padded tiles"),
		.title =
			TP_SAY(doc, "{} does useful work in {} of each tile: batch 16 → 128, features 3 → 8",
				tp_text_value(TP_S("conv1")), tp_number(0.047, TP_UNIT_SHARE)),
		.brief = TP_SAY0(doc,
			"Space-to-depth the image to 112 × 112 × 12, or batch 128 per core. Shows in step time "
			"only after 1."),
		.saw = TP_SAY0(doc, "Two operations hold 95 % padding."),
		.matters = TP_SAY(doc, "They cost {} a step.", tp_number(10.7, TP_UNIT_MS)),
		.actions = actions_of(doc, TP_SAY0(doc, "Rearrange the image by space-to-depth."),
			TP_SAY0(doc, "Or raise the batch.")),
		.action_count = 2,
		.check = TP_SAY0(doc, "`padding.lost_ms` falls."),
		.evidence = TP_SAY(doc, "[{}](#operations/convolution/{})",
			tp_text_value(TP_S("fusion.12")), tp_text_value(TP_S("fusion.12"))),
		.measured = tp_number(0.047, TP_UNIT_SHARE),
		.limit = tp_number(0.5, TP_UNIT_SHARE),
		.saving = tp_number(10.2, TP_UNIT_MS),
		.saving_note = TP_S("a step, after 1"),
		.hue = TP_HUE_COMPUTE,
	};
	return f;
}

static struct tp_finding *
launch_gaps(struct tp_doc *doc)
{
	struct tp_finding *f = tp_new(doc->arena, struct tp_finding);

	*f = (struct tp_finding){
		.id = TP_S("TPR-LAUNCH-003"),
		.status = TP_FINDING_OPEN,
		.severity = TP_JUDGE_NONE,
		.name = TP_S("Gaps between launches"),
		.title = TP_SAY(doc,
			"The host launches {} kernels a step, and {} of them are shorter than their launch",
			tp_count(1204), tp_count(312)),
		.brief = TP_SAY0(doc, "Run the step as one compiled program."),
		.saw = TP_SAY0(doc, "Short kernels one after another."),
		.matters = TP_SAY0(doc, "The device waits for the host."),
		.actions =
			actions_of(doc, TP_SAY0(doc, "Wrap the step in `jit`."), (struct tp_text){NULL, 0}),
		.action_count = 1,
		.check = TP_SAY0(doc, "`step.class.launch_ms` falls."),
		.evidence = TP_SAY0(doc, "[Operations](#operations)"),
		.measured = tp_count(312),
		.limit = tp_count(0),
		.saving = tp_missing(TP_S("launches overlap with device work; no bound can be stated")),
		.saving_note = TP_S("a step"),
		.hue = TP_HUE_HOST,
	};
	return f;
}

static const struct {
	const char *block, *id, *name, *why;
	enum tp_finding_status status;
} closed[] = {
	{"findings/TPR-MEM-004", "TPR-MEM-004", "Memory near its limit",
		"The peak is far below the capacity", TP_FINDING_PASSED},
	{"findings/TPR-POD-005", "TPR-POD-005", "One slow core",
		"All cores are within 2 % of each other", TP_FINDING_PASSED},
	{"findings/TPR-COMM-006", "TPR-COMM-006", "Exposed communication", "Only one device took part",
		TP_FINDING_NOT_APPLICABLE},
	{"findings/TPR-PREC-007", "TPR-PREC-007", "32-bit arithmetic",
		"The profile does not say which precision was used", TP_FINDING_UNDECIDED},
};

static void
add_finding(struct tp_doc *doc, struct tp_block *parent, struct tp_slice id,
	const struct tp_finding *f, unsigned number, bool brief)
{
	tp_doc_add(doc, parent, TP_BLOCK_FINDING, id)->finding = (struct tp_finding_block){
		.finding = f,
		.number = number,
		.brief = brief,
		.scale = tp_doc_find_metric(doc, TP_S("step.time.mean_ms"))->value,
	};
}

static void
add_closed(struct tp_doc *doc, struct tp_block *section, enum tp_finding_status status,
	const char *id, const char *title)
{
	struct tp_block *fold = tp_doc_section(doc, section, TP_SECTION_FOLD, id, title);

	for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
		if (closed[i].status != status)
			continue;
		struct tp_finding *f = tp_new(doc->arena, struct tp_finding);

		*f = (struct tp_finding){.id = tp_slice_of(closed[i].id),
			.status = status,
			.name = tp_slice_of(closed[i].name),
			.title = tp_doc_say(doc, closed[i].why, NULL, 0)};
		add_finding(doc, fold, tp_slice_of(closed[i].block), f, 0, false);
	}
}

void
sample_findings(struct tp_doc *doc)
{
	const struct tp_finding *open[] = {waiting_for_input(doc), padding(doc), launch_gaps(doc)};
	struct tp_block *first =
		tp_doc_section(doc, doc->first, TP_SECTION_SUB, "first", "Do this first");

	first->section.aside = TP_SAY0(doc, "saves at most");
	for (unsigned i = 0; i < 3; i++)
		add_finding(doc, first, tp_doc_id(doc, "first", open[i]->id), open[i], i + 1, true);
	struct tp_block *counts = tp_doc_add(doc, first, TP_BLOCK_PARAGRAPH, TP_S("first/counts"));
	struct tp_text *items = tp_new_array(doc->arena, struct tp_text, 3);

	items[0] = tp_doc_judged(
		doc, TP_JUDGE_GOOD, TP_SAY(doc, "[*{}* checks passed](#findings/passed)", tp_count(2)));
	items[1] = tp_doc_judged(doc, TP_JUDGE_ABSENT,
		TP_SAY(doc, "[*{}* not applicable](#findings/not-applicable)", tp_count(1)));
	items[2] = tp_doc_judged(doc, TP_JUDGE_UNDECIDED,
		TP_SAY(doc, "[*{}* undecided](#findings/undecided): not in the profile", tp_count(1)));
	counts->paragraph =
		(struct tp_paragraph){.role = TP_PARAGRAPH_COUNTS, .items = items, .count = 3};

	struct tp_block *section = tp_doc_section(doc, NULL, TP_SECTION_MAIN, "findings", "Findings");

	section->section.key_figure = tp_count(3);
	section->section.judge = TP_JUDGE_BAD;
	section->section.answer =
		TP_SAY0(doc, "Three things cost time, and waiting for input costs the most.");
	section->section.so_what = TP_SAY0(doc, "The second shows only once the first is mended.");
	for (unsigned i = 0; i < 3; i++)
		add_finding(doc, section, tp_doc_id(doc, "findings", open[i]->id), open[i], i + 1, false);
	add_closed(doc, section, TP_FINDING_PASSED, "findings/passed", "Passed");
	add_closed(
		doc, section, TP_FINDING_NOT_APPLICABLE, "findings/not-applicable", "Not applicable");
	add_closed(doc, section, TP_FINDING_UNDECIDED, "findings/undecided", "Undecided");
}
