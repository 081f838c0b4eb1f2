/* What stands on paper. */
#include "report/paper.h"

#include "report/doc.h"

bool
tp_is_about(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_SECTION
		? block->section.about
		: block->kind == TP_BLOCK_PARAGRAPH && block->paragraph.role == TP_PARAGRAPH_SOURCE;
}

static bool
is_bare(const struct tp_section *section, enum tp_paper paper)
{
	if (section->role != TP_SECTION_SUB || section->answer.count + section->so_what.count > 0)
		return false;
	for (const struct tp_block *child = section->first; child != NULL; child = child->next)
		if (!tp_paper_leaves_out(child, paper) && !tp_is_about(child))
			return false;
	return true;
}

bool
tp_paper_leaves_out(const struct tp_block *block, enum tp_paper paper)
{
	const struct tp_section *section = &block->section;

	if (block->kind != TP_BLOCK_SECTION || section->about)
		return false;
	return section->off_paper || (paper >= TP_PAPER_NO_SPARE && section->spare) ||
		(paper >= TP_PAPER_NO_FOLDS && section->role == TP_SECTION_FOLD) || is_bare(section, paper);
}

enum { MOST_OF_TREE = 16 }; /* rows; the open ones of a tree are not bounded by --top */

/* A table that stands whole does so on few pages, too, unless it repeats what is said elsewhere. */
size_t
tp_paper_rows(const struct tp_table *t, enum tp_paper paper, bool repeats)
{
	size_t shown = t->tree && t->shown > MOST_OF_TREE ? MOST_OF_TREE : t->shown;

	if (paper == TP_PAPER_FEWEST_ROWS && (shown < t->row_count || repeats))
		return ((shown < t->row_count ? shown : t->row_count) + 2) / 3;
	if (paper < TP_PAPER_FEW_ROWS || shown >= t->row_count)
		return shown;
	return (shown + 1) / 2;
}
