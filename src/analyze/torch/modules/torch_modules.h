/* Modules of PyTorch: which module called which, and how long each took; hooks of Lightning; the operators of the main thread
 * as a tree.
 *
 * Formulas as torch-tb-profiler's module view (module_op.py): a call is a python_function event of an nn.Module, its statistics
 * are those of all calls with its name and module id. Differences: what is called from several places has a node in each, with
 * the calls made there; calls on every thread count; modules that Lightning's profiler names are found in both categories. */
#ifndef TP_ANALYZE_TORCH_MODULES_H
#define TP_ANALYZE_TORCH_MODULES_H

#include "analyze/core/ctx.h"
#include "analyze/torch/modules/torch_tree.h"

struct tp_doc;

/* Modules of the same name, wherever they are called; or all of one class. */
struct tp_torch_module {
	struct tp_slice name; /* "Linear_3"; of a class: "Linear" */
	uint32_t members;     /* of a class: modules in it */
	uint32_t calls;
	int64_t own_ps; /* without modules that it calls, device time where there is any */
};

/* Of one trace. */
struct tp_torch_trace_modules {
	struct tp_torch_tree modules;
	bool lightning; /* modules are spans of Lightning's profiler, not Python functions */
	struct tp_torch_tree hooks;     /* of Lightning's profiler */
	struct tp_torch_tree operators; /* of the main thread */
	struct tp_torch_module *list; /* each module once, most own time first */
	uint32_t list_count;
};

struct tp_torch_modules {
	struct tp_torch_trace_modules *traces; /* by trace */
	struct tp_torch_module *list;          /* of all traces together */
	uint32_t list_count;
	struct tp_torch_module *classes; /* the same by class, most own time first */
	uint32_t class_count;
	int64_t own_ps; /* Σ of the list */
};

/* struct tp_torch_modules */
extern const struct tp_pass tp_pass_torch_modules;

/* Gives each module its autograd functions (torch_backward.c); room as tp_torch_tree left it for this tree. */
void tp_torch_backward(const struct tp_pass_ctx *ctx, const struct tp_torch_trace *t,
	const struct tp_torch_correlation *links, struct tp_torch_tree_room *room,
	struct tp_torch_tree *tree);

/* Spans of Lightning's profiler: names as keys by operation of the profile, for modules and for hooks (torch_lightning.c). */
struct tp_torch_lightning {
	bool *marks; /* by operation of the profile: it is a span of Lightning's profiler */
	uint32_t *modules, *hooks;                  /* by operation of the profile: key, or 0 */
	struct tp_slice *module_names, *hook_names; /* by key */
	uint32_t module_count, hook_count;          /* keys */
};
struct tp_torch_lightning tp_torch_lightning(
	const struct tp_profile *p, struct tp_arena *keep, struct tp_arena *scratch);

/* Puts modules that are never called themselves between those that are, by their dotted names: "layers" above "layers.0". */
void tp_torch_containers(
	struct tp_torch_tree *tree, struct tp_arena *keep, struct tp_arena *scratch);

/* The section (torch_modules_present.c). */
void tp_torch_modules_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
