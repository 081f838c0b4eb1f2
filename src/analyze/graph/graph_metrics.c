/* Headline figures of the graph. */
#include "analyze/graph/graph.h"

#include "analyze/core/say.h"
#include "base/arena.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/doc.h"

/* Name scopes of the graph itself, those of functions left aside. */
static uint32_t
scope_count(const struct tp_graph_view *v)
{
	uint32_t count = 0;

	/* Those of the graph stand before its functions. */
	while (count + 1 < v->scopes.count && v->scopes.scopes[count + 1].parent != TP_NONE)
		count++;
	return count;
}

static void
nodes(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	tp_say_metric(doc, "graph.nodes", "Nodes of the graph", tp_say_count(v->all.nodes, none),
		"nodes of the graph of which the report speaks: of several that with the most; "
		"functions of its library are not counted, nor a second node of the same name");
	tp_say_metric(doc, "graph.kinds", "Kinds of operations", tp_say_count(v->op_count, none),
		"different operations of its nodes and of those of its functions");
	tp_say_metric(doc, "graph.edges", "Edges with data", tp_say_count(v->edges, none),
		"inputs of the graph's own nodes that are outputs of another; in a dump of tfprof "
		"control inputs are among them, for it does not tell them apart");
	tp_say_metric(doc, "graph.control_edges", "Control edges",
		v->graph->from == TP_GRAPH_FROM_TFPROF
			? tp_missing(TP_S("a dump of tfprof does not tell them from data"))
			: tp_say_count(v->control_edges, none),
		"inputs that only say what runs before, of the graph's own nodes");
	tp_say_metric(doc, "graph.scopes", "Name scopes", tp_say_count(scope_count(v), none),
		"different prefixes of its nodes' names up to a slash, functions left aside");
	tp_say_metric(doc, "graph.functions", "Functions of its library",
		tp_say_count(v->graph->function_count, none), "those the graph carries");
	tp_say_metric(doc, "graph.function_nodes", "Nodes of its functions",
		tp_say_count(v->all.library_nodes, none), "nodes in functions of its library");
	tp_say_metric(doc, "graph.functions_uncalled", "Functions that are never called",
		tp_say_count(v->unreached, none),
		"functions of its library that no node of the graph names, nor one of a function that "
		"is called, nor an object of a saved model");
	tp_say_metric(doc, "graph.others", "Other graphs of the run",
		tp_say_count(v->other_count, none),
		"graphs with other nodes; the same one in several files counts once");
}

static void
variables(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	struct tp_slice no_shape = none.len != 0 ? none : tp_graph_no_elements(v, &v->all);
	struct tp_slice untold = none.len == 0 && !v->of_layers && v->trained == NULL
		? TP_S("no file says which variables are trained")
		: no_shape;

	tp_say_metric(doc, "graph.variables", "Variables",
		tp_say_count(v->all.variables, v->of_layers ? no_shape : none),
		"nodes VarHandleOp, VariableV2 and Variable");
	tp_doc_metric(doc, TP_S("graph.variable_elements"), "Elements of variables",
		tp_say_count(v->all.elements, no_shape),
		TP_S("Σ of the products of their shapes, those of optimizers included; variables of "
			 "unknown shape are left out"),
		v->all.unknown_shapes != 0 ? tp_arena_printf(doc->arena, "%u of %u variables",
										 v->all.variables - v->all.unknown_shapes, v->all.variables)
								   : TP_S(""));
	tp_say_metric(doc, "graph.variable_bytes", "Memory of variables",
		no_shape.len == 0 ? tp_bytes(v->all.bytes) : tp_missing(no_shape),
		"elements of each by the size of its type, where both are known");
	tp_say_metric(doc, "graph.parameters", "Trained parameters",
		tp_say_count(v->all.trained, untold),
		"elements of the variables in the collection trainable_variables, by a MetaGraphDef, "
		"an op log or a dump of tfprof");
}

static void
measured(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	const struct tp_graph *from = v->run_from;
	struct tp_value missing =
		tp_missing(none.len != 0 ? none : TP_S("no dump of tfprof of this graph was given"));
	uint64_t us = v->all.us, bytes = v->all.requested_bytes;

	if (from != NULL) {
		tp_graph_sum(&us, from->not_in_graph_us);
		tp_graph_sum(&bytes, from->not_in_graph_bytes);
	}
	tp_doc_metric(doc, TP_S("graph.time_us"), "Time of the graph a step",
		from != NULL ? tp_integer((int64_t)us, TP_UNIT_US) : missing,
		TP_S("Σ over nodes of accelerator and CPU time, as tfprof has them: of each node the sum "
			 "over the steps in which it ran by their number, cut to whole microseconds; those "
			 "that only the run knows included"),
		from != NULL ? tp_arena_printf(doc->arena, "%u %s", from->run_steps,
						   tp_plural(from->run_steps, "step", "steps"))
					 : TP_S(""));
	tp_say_metric(doc, "graph.requested_bytes", "Memory that the graph asks for a step",
		from != NULL ? tp_bytes(bytes) : missing,
		"Σ over nodes of requested bytes, by the same rule");
}

void
tp_graph_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	static const struct tp_graph no_graph;
	static const struct tp_graph_view nothing = {.graph = &no_graph};
	const struct tp_graph_view *v = result != NULL ? result : &nothing;
	struct tp_slice none = tp_skipped_itself(ctx);

	nodes(v, none, doc);
	variables(v, none, doc);
	measured(v, none, doc);
}
