/* Excerpts: blocks of one document, copied so that they stay when it is gone and fit into another beside its own. */
#ifndef TP_REPORT_EXCERPT_H
#define TP_REPORT_EXCERPT_H

#include "base/slice.h"
#include "report/scope.h"

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_block;
struct tp_doc;

/* A part of an excerpt: blocks under a heading. */
struct tp_excerpt_part {
	const char *key, *title;
	/* Ids of blocks, in the order in which they shall stand; ends with NULL. A * stands for anything: the first block that
	 * fits is taken. After a ? only where none before it is there. Sections, findings and charts without series are none
	 * that can be taken. */
	const char *const *blocks;
};

struct tp_excerpt {
	const struct tp_doc *from;
	const struct tp_excerpt_part *parts; /* one of which no block is there is left out */
	size_t part_count;
	struct tp_slice prefix; /* before each id: "views/worker=rank0" */
	struct tp_scope scope;  /* of what its metrics are about */
	bool no_charts;
	size_t most_rows; /* of a table; the caption says how many there are */
};

/* A document of one section a part, all of it in arena. Its metrics are those of `from` that are known and not of one host,
 * worker …, now in that scope, and those that its blocks show. Links that would lead out of the excerpt are texts. */
struct tp_doc *tp_excerpt_take(const struct tp_excerpt *e, struct tp_arena *arena);

/* Registers an excerpt's metrics; those that doc has already stay as they are. */
void tp_excerpt_metrics(struct tp_doc *doc, const struct tp_doc *excerpt);

/* Moves an excerpt's sections, which doc's arena must not outlive, to the end of parent's children. Figures that doc has under
 * the same id are shown as they are there. */
void tp_excerpt_blocks(struct tp_doc *doc, struct tp_block *parent, struct tp_doc *excerpt);

#endif
