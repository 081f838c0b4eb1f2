/* What of a report a view shows. */
#include "analyze/page/views.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "report/doc.h"
#include "report/excerpt.h"

enum { MOST_ROWS = 10 };

#define BLOCKS(...)                                                                                \
	(const char *const[])                                                                          \
	{                                                                                              \
		__VA_ARGS__, NULL                                                                          \
	}

enum { OVERVIEW, ROLES, GPUS, OPERATORS, KERNELS, MEMORY, DISTRIBUTED, PARTS };

static const struct tp_excerpt_part parts[PARTS] = {
	[OVERVIEW] = {"overview", "Overview",
		BLOCKS("summary/tiles", "summary/step/classes", "steps/strip", "steps/classes")},
	[ROLES] = {"roles", "Steps by role", BLOCKS("steps/roles/mean")},
	[GPUS] = {"gpus", "GPUs", BLOCKS("gpus/table")},
	[OPERATORS] = {"operators", "Operators",
		BLOCKS("operators/device-self", "?operators/host-self", "operators/list")},
	[KERNELS] = {"kernels", "Kernels", BLOCKS("kernels/top", "kernels/by-name")},
	[MEMORY] = {"memory", "Memory", BLOCKS("torch-memory/devices", "torch-memory/of/*/curve")},
	[DISTRIBUTED] = {"distributed", "Distributed",
		BLOCKS("distributed/overlap", "distributed/workers", "distributed/operations")},
};

static const char *const without_curve[] = {"torch-memory/devices", NULL};

/* What takes other workers to know is shown as the whole run's report knows it. */
static const char *const without_others[] = {"distributed/overlap", NULL};

struct tp_view
tp_view_named(struct tp_arena *arena, struct tp_slice title, struct tp_scope scope)
{
	struct tp_slice *names[] = {&scope.run, &scope.worker, &scope.span};
	struct tp_view view = {.title = tp_utf8_clean(arena, title)};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (names[i]->ptr != NULL)
			*names[i] = tp_utf8_clean(arena, *names[i]);
	}
	view.scope = scope;
	view.id =
		tp_doc_id(tp_doc_new(arena), "views", tp_slice_from(tp_scope_id(arena, "", scope), 1));
	return view;
}

void
tp_view_take(struct tp_view *view, const struct tp_doc *doc, struct tp_arena *arena)
{
	static const char *const nothing[] = {NULL};
	struct tp_excerpt_part chosen[PARTS];
	struct tp_excerpt e = {
		.from = doc,
		.parts = chosen,
		.part_count = PARTS,
		.prefix = view->id,
		.scope = view->scope,
		.no_charts = view->size == TP_VIEW_SMALL,
		.most_rows = MOST_ROWS,
	};

	memcpy(chosen, parts, sizeof parts);
	if (view->size != TP_VIEW_WHOLE)
		chosen[MEMORY].blocks = without_curve;
	if (view->size == TP_VIEW_SMALL)
		chosen[ROLES].blocks = nothing;
	if (view->scope.run.ptr == NULL)
		chosen[DISTRIBUTED].blocks = without_others;
	view->excerpt = tp_excerpt_take(&e, arena);
	view->excerpt->description = tp_arena_copy(arena, doc->description);
}
