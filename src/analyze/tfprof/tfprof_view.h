/* The four views of tfprof as rows: by name scopes, by the graph's edges, by operation, and by lines of code. Which rows there are, what
 * they add up and their order is as TensorFlow's own profiler has it (tensorflow/core/profiler/internal/tfprof_*.cc). */
#ifndef TP_ANALYZE_TFPROF_VIEW_H
#define TP_ANALYZE_TFPROF_VIEW_H

#include "base/err.h"
#include "model/tfprof.h"

struct tp_arena;
struct tp_tfprof_options;
struct tp_tfprof_tree;

#define TP_TFPROF_ROOT "_TFProfRoot"
/* The type of scopes that are no nodes. */
#define TP_TFPROF_SCOPE_TYPE "_kTFScopeParent"

enum tp_tfprof_kind { TP_TFPROF_SCOPE, TP_TFPROF_GRAPH, TP_TFPROF_OP, TP_TFPROF_CODE };

struct tp_tfprof_row {
	struct tp_slice name;
	uint32_t node;   /* of the dump; TP_MAP_NONE: a scope that is no node, a type, a line of code */
	uint32_t parent; /* index of a row above it; of the root its own */
	uint32_t depth;  /* of the root 0 */
	bool accounted;  /* its own figures count */
	uint32_t first_member, member_count; /* of a type or a line: its nodes, in view->members */
	int64_t definitions;                 /* nodes and scopes in it */
	struct tp_tfprof_figures own, total;
	/* Of lines of code. */
	uint32_t line; /* in view->code */
	struct tp_tfprof_frame frame;
	bool gradient; /* made by differentiating what the line made */
};

struct tp_tfprof_view {
	enum tp_tfprof_kind kind;
	struct tp_tfprof_row
		*rows; /* as they are shown, each below its parent; the first is the root */
	uint32_t count;
	uint32_t *members;                 /* nodes of the dump */
	const struct tp_tfprof_tree *code; /* code view: all lines, those too that are not shown */
	bool *accounted; /* graph view: of each node of the dump whether it is accounted */
	uint32_t
		unaccounted; /* code view: forward nodes whose gradients are in no row, for nobody knows where they were made */
};

/* A view in the arena. TP_ABSENT: a step that was not traced, or code without call stacks. TP_ERR_LIMIT: a pattern takes too long. */
enum tp_status tp_tfprof_view(const struct tp_tfprof *t, enum tp_tfprof_kind kind,
	struct tp_tfprof_options *options, struct tp_arena *arena, struct tp_tfprof_view *out,
	struct tp_err *err);

/* Whether the options account for a node, and by how many of their patterns: operations and lines of code count it so often. */
unsigned tp_tfprof_accounts(struct tp_tfprof_options *options, const struct tp_tfprof_node *node);

#endif
