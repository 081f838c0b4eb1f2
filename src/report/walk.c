/* The walk: a stack of the sections that are open. */
#include "report/walk.h"

#include "report/doc.h"

void
tp_walk_start(struct tp_walk *w, const struct tp_doc *doc)
{
	*w = (struct tp_walk){.block = doc->first};
}

static const struct tp_block *
following(struct tp_walk *w)
{
	if (!w->started) {
		w->started = true;
		return w->block;
	}
	if (w->block == NULL)
		return NULL;
	if (w->event == TP_WALK_ENTER && w->block->kind == TP_BLOCK_SECTION) {
		w->stack[w->depth++] = w->block;
		return w->block->section.first;
	}
	return w->block->next;
}

bool
tp_walk_next(struct tp_walk *w)
{
	/* tp_doc_check allows far less; what is deeper is passed over, not overrun. */
	if (w->started && w->depth == TP_WALK_DEEPEST && w->event == TP_WALK_ENTER &&
		w->block->kind == TP_BLOCK_SECTION) {
		w->event = TP_WALK_LEAVE;
		return true;
	}
	const struct tp_block *next = following(w);

	if (next != NULL) {
		w->block = next;
		w->event = TP_WALK_ENTER;
		return true;
	}
	if (w->depth == 0)
		return false;
	w->block = w->stack[--w->depth];
	w->event = TP_WALK_LEAVE;
	return true;
}
