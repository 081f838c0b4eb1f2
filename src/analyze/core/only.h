/* One pass alone over a profile, where nothing else of the document is wanted. */
#ifndef TP_ANALYZE_ONLY_H
#define TP_ANALYZE_ONLY_H

#include "base/err.h"

struct tp_arena;
struct tp_doc;
struct tp_pass;
struct tp_pass_options;
struct tp_profile;

/* As tp_analyze (pass.h), but only the passes run that `only` comes after, and it alone is presented. NULL: all. */
enum tp_status tp_analyze_only(const struct tp_pass *only, const struct tp_pass *const *passes,
	struct tp_profile *profile, const struct tp_pass_options *options, struct tp_arena *keep,
	struct tp_doc *doc, struct tp_err *err);

#endif
