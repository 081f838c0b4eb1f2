/* The walk over a document: enters and leaves every block in order, parents first. */
#ifndef TP_REPORT_WALK_H
#define TP_REPORT_WALK_H

#include <stdbool.h>

struct tp_block;
struct tp_doc;

enum tp_walk_event { TP_WALK_ENTER, TP_WALK_LEAVE };
enum { TP_WALK_DEEPEST = 16 };
struct tp_walk {
	const struct tp_block *stack[TP_WALK_DEEPEST];
	unsigned depth;
	const struct tp_block *block;
	enum tp_walk_event event;
	bool started;
};
void tp_walk_start(struct tp_walk *w, const struct tp_doc *doc);
/* False when done; else w->block and w->event are set. Only sections are left. */
bool tp_walk_next(struct tp_walk *w);

#endif
