/* Findings that stand together: checks that are not open for the same reason. */
#include "report/finding.h"

#include "base/arena.h"
#include "report/doc.h"

const char *
tp_finding_saves(const struct tp_finding *f)
{
	return f->saving_needed ? "must save" : "saves at most";
}

static bool
is_closed(const struct tp_block *block)
{
	return block != NULL && block->kind == TP_BLOCK_FINDING &&
		block->finding.finding->status != TP_FINDING_OPEN;
}

const struct tp_block *
tp_finding_last_alike(const struct tp_block *block)
{
	struct tp_arena *scratch;

	if (!is_closed(block) || !is_closed(block->next))
		return block;
	scratch = tp_arena_new();
	struct tp_slice reason = tp_text_shown(block->finding.finding->title, scratch);

	while (reason.len > 0 && is_closed(block->next) &&
		tp_slice_eq(tp_text_shown(block->next->finding.finding->title, scratch), reason))
		block = block->next;
	tp_arena_free(scratch);
	return block;
}
