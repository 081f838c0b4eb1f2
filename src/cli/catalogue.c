/* The metrics and checks that there are, of an empty profile. */
#include "cli/catalogue.h"

#include "analyze/core/pass.h"
#include "analyze/judge/findings.h"
#include "analyze/judge/rule.h"
#include "analyze/page/passes.h"
#include "base/arena.h"
#include "model/build.h"
#include "report/doc.h"

struct tp_doc *
tp_catalogue(struct tp_arena *arena, struct tp_err *err)
{
	struct tp_profile *empty = tp_builder_finish(tp_builder_new(arena));
	struct tp_pass_options options = {.top = 10};
	struct tp_doc *doc = tp_doc_new(arena);

	return tp_analyze(tp_passes, empty, &options, arena, doc, err) == TP_OK ? doc : NULL;
}

enum tp_status
tp_budget_catalogue(struct tp_arena *arena, struct tp_budget_known *out, struct tp_err *err)
{
	size_t count = 0;

	while (tp_rule_at(count) != NULL)
		count++;
	struct tp_slice *findings = tp_new_array(arena, struct tp_slice, count);

	for (size_t i = 0; i < count; i++)
		findings[i] = tp_slice_of(tp_rule_at(i)->info.id);
	*out = (struct tp_budget_known){tp_catalogue(arena, err), findings, count};
	return out->doc != NULL ? TP_OK : err->status;
}
