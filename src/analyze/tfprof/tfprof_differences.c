/* Where the section goes beyond TensorFlow's own tfprof, or says something else; tests/cli/test_tfprof.py and tests/truth/test_tfprof.py hold
 * each line. The command tpreport tfprof answers as the original does. */
#include "analyze/tfprof/tfprof.h"

#include "analyze/tfprof/tfprof_words.h"
#include "report/column.h"
#include "report/draft.h"

static const struct {
	const char *figure, *theirs, *ours, *why;
} list[] = {
	{"Devices other than CPU and GPU, such as a TPU", "no time",
		"accelerator time, from RunMetadata; of a dump, which devices",
		"A dump keeps only the names."},
	{"Float operations of fused batch normalisation (V1, V2, V3, gradients)", "none",
		"by the input's shape, apart from tfprof.float_ops",
		"6 per element in training and 2 in inference, gradients 9 and 6: as the single operations of "
		"moments and batch normalisation count."},
	{"Advice on batch normalisation", "V2 and V3 do not count as fused", "they do",
		"They are the same operation with other types."},
	{"Missing stream of a GPU", "reported before the dump is written, not when it is read",
		"reported", "The dump shows that it is missing."},
	{"Rows that are equal", "in any order", "by name", "A report is the same each time."},
	{"Inputs that the dump does not hold", "the program aborts", "unknown",
		"Dumps of pruned graphs have them."},
	{"Shape of an input, of RunMetadata", "of the first output of the node that it is from",
		"of the output that it takes",
		"Released versions drop the number; dumps of theirs have it so."},
	{"Variables of an optimiser", "parameters, unless the types are asked for",
		"slots, apart from parameters", "They are not trained."},
	{"Mean over steps", "over all of them", "without the first where there are three or more",
		"It may also build kernels."},
	{"Several dumps", "one", "each, as a curve over steps", "They show how time changes."},
};

static const struct tp_column columns[] = {
	TP_COLUMN("figure", "Figure"),
	TP_COLUMN("tfprof", "TensorFlow's tfprof"),
	TP_COLUMN("here", "Here"),
	TP_COLUMN("why", "Why"),
};

void
tp_tfprof_differences(struct tp_doc *doc, struct tp_block *section)
{
	struct tp_block *fold =
		tp_doc_section(doc, section, TP_SECTION_FOLD, "tfprof/differences", title_differences);
	struct tp_draft draft = TP_DRAFT_TABLE(doc, fold, "tfprof/differences/table", columns);

	fold->section.off_paper = true;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const char *texts[] = {list[i].figure, list[i].theirs, list[i].ours, list[i].why};
		struct tp_cell *cell = tp_draft_row(&draft, tp_slice_of(list[i].figure), TP_ROW_NORMAL, 0);

		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
			cell[k].value = tp_text_value(tp_slice_of(texts[k]));
	}
	tp_draft_finish(&draft, SIZE_MAX)->caption = TP_S(caption_differences);
}
