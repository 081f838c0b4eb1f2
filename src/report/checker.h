/* What the parts of the check share: what is known of the document so far, and the checks that are common to all blocks.
 * Each check returns whether all is sound; else the error says what is not. */
#ifndef TP_REPORT_CHECKER_H
#define TP_REPORT_CHECKER_H

#include "base/map.h"
#include "report/doc.h"

struct tp_checker {
	const struct tp_doc *doc;
	struct tp_err *err;
	struct tp_arena *scratch;
	struct tp_strings ids; /* of blocks, tiles and rows */
	struct tp_strings metric_ids;
	const struct tp_metric **metrics; /* by string id; id 0 is the empty string and no metric */
	uint32_t metric_end;
	struct tp_slice where; /* id of the block in hand */
	bool minor_seen;
};

/* Whether `sound` holds; else the error names the block in hand and says what is wrong with `what`. */
bool tp_check_need(struct tp_checker *c, bool sound, struct tp_slice what, const char *wrong);

/* Texts, values and numbers (check_text.c). */
bool tp_check_text(struct tp_checker *c, struct tp_slice text);
bool tp_check_present(struct tp_checker *c, struct tp_slice text, struct tp_slice what);
bool tp_check_finite(
	struct tp_checker *c, const double *values, size_t count, double least, struct tp_slice what);

/* check_chart.c */
bool tp_check_chart(struct tp_checker *c, const struct tp_chart *chart);

#endif
