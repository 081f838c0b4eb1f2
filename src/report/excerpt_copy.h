/* Copies of blocks that share nothing with what they were copied from. */
#ifndef TP_REPORT_EXCERPT_COPY_H
#define TP_REPORT_EXCERPT_COPY_H

#include "base/map.h"
#include "report/doc.h"

struct tp_excerpt;

struct tp_excerpt_copier {
	const struct tp_excerpt *e;
	struct tp_doc *to;
	/* the first `noted` of what is in the excerpt, as in the document that it is from */
	struct tp_strings ids;
	uint32_t noted;
};

/* Whether copies of this block can be made. */
bool tp_excerpt_can_copy(const struct tp_block *block);

/* Notes the ids that the block brings along, so that links to them stay; of all blocks before the first is copied. */
void tp_excerpt_note_ids(struct tp_excerpt_copier *c, const struct tp_block *block);

void tp_excerpt_copy(
	struct tp_excerpt_copier *c, const struct tp_block *block, struct tp_block *parent);

struct tp_slice tp_excerpt_id(const struct tp_excerpt_copier *c, struct tp_slice id);

/* The id in the excerpt's scope, with the metric; empty for one that has a scope already. */
struct tp_slice tp_excerpt_metric(struct tp_excerpt_copier *c, struct tp_slice id);

#endif
