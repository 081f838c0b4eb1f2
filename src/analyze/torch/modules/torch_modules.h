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

struct tp_block;
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
	struct tp_torch_module *list;   /* each module once, most own time first */
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

/* Words for a tree. */
struct tp_torch_tree_words {
	const char *id;         /* of the block, unique in the document */
	const char *head;       /* of the first column: "Module" */
	const char *one, *many; /* "module", "modules" */
	bool spans_are_operators;
	const char *what; /* for captions: "Modules of rank0" */
};

/* A table of a tree (torch_tree_table.c): of each node the children in order of their first call; those that took least are summed
 * up, so that there are at most some `rows` of them, unless all are wanted (--top all). */
void tp_torch_tree_table(const struct tp_pass_ctx *ctx, struct tp_doc *doc, struct tp_block *parent,
	const struct tp_torch_tree *tree, const struct tp_torch_tree_words *words, size_t rows);

/* The section (torch_modules_present.c). */
void tp_torch_modules_present(
	const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc);

#endif
