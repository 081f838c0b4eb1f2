/* Headline figures of the graph. */
#include "analyze/graph/graph.h"

#include "base/arena.h"
#include "model/graph.h"
#include "model/profile.h"
#include "report/doc.h"

static struct tp_value
counted(bool known, uint64_t count, struct tp_slice reason)
{
	return known ? tp_count(count) : tp_missing(reason);
}

static void
nodes(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	tp_doc_metric(doc, TP_S("graph.nodes"), "Nodes of the graph",
		counted(v, v ? v->all.nodes : 0, none),
		TP_S("nodes of the graph of which the report speaks: of several that with the most; "
			 "functions of its library are not counted, nor a second node of the same name"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.kinds"), "Kinds of operations",
		counted(v, v ? v->op_count : 0, none),
		TP_S("different operations of its nodes and of those of its functions"), TP_S(""));
	tp_doc_metric(doc, TP_S("graph.edges"), "Edges with data", counted(v, v ? v->edges : 0, none),
		TP_S("inputs of the graph's own nodes that are outputs of another; in a dump of tfprof "
			 "control inputs are among them, for it does not tell them apart"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.control_edges"), "Control edges",
		v != NULL && v->graph->from == TP_GRAPH_FROM_TFPROF
			? tp_missing(TP_S("a dump of tfprof does not tell them from data"))
			: counted(v, v ? v->control_edges : 0, none),
		TP_S("inputs that only say what runs before, of the graph's own nodes"), TP_S(""));
	tp_doc_metric(doc, TP_S("graph.scopes"), "Name scopes",
		counted(v, v ? tp_graph_scope_count(v) : 0, none),
		TP_S("different prefixes of its nodes' names up to a slash, functions left aside"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.functions"), "Functions of its library",
		counted(v, v ? v->graph->function_count : 0, none), TP_S("those the graph carries"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.function_nodes"), "Nodes of its functions",
		counted(v, v ? v->all.library_nodes : 0, none), TP_S("nodes in functions of its library"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.functions_uncalled"), "Functions that are never called",
		counted(v, v ? v->unreached : 0, none),
		TP_S("functions of its library that no node of the graph names, nor one of a function that "
			 "is called, nor an object of a saved model"),
		TP_S(""));
	tp_doc_metric(doc, TP_S("graph.others"), "Other graphs of the run",
		counted(v, v ? v->other_count : 0, none),
		TP_S("graphs with other nodes; the same one in several files counts once"), TP_S(""));
}

static void
variables(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	struct tp_slice no_shape = v != NULL ? tp_graph_no_elements(v, &v->all) : none;
	bool known = v != NULL && no_shape.len == 0;
	struct tp_slice untold = v == NULL ? none
		: tp_graph_of_layers(v)        ? no_shape
									   : TP_S("no file says which variables are trained");

	tp_doc_metric(doc, TP_S("graph.variables"), "Variables",
		counted(v != NULL && !tp_graph_of_layers(v), v ? v->all.variables : 0,
			v != NULL ? no_shape : none),
		TP_S("nodes VarHandleOp, VariableV2 and Variable"), TP_S(""));
	tp_doc_metric(doc, TP_S("graph.variable_elements"), "Elements of variables",
		counted(known, v ? v->all.elements : 0, no_shape),
		TP_S("Σ of the products of their shapes, those of optimizers included; variables of "
			 "unknown shape are left out"),
		v != NULL && v->all.unknown_shapes != 0
			? tp_arena_printf(doc->arena, "%u of %u variables",
				  v->all.variables - v->all.unknown_shapes, v->all.variables)
			: TP_S(""));
	tp_doc_metric(doc, TP_S("graph.variable_bytes"), "Memory of variables",
		known ? tp_bytes(v->all.bytes) : tp_missing(no_shape),
		TP_S("elements of each by the size of its type, where both are known"), TP_S(""));
	tp_doc_metric(doc, TP_S("graph.parameters"), "Trained parameters",
		counted(known && v->trained != NULL, v ? v->all.trained : 0,
			v != NULL && v->trained == NULL ? untold : no_shape),
		TP_S("elements of the variables in the collection trainable_variables, by a MetaGraphDef, "
			 "an op log or a dump of tfprof"),
		TP_S(""));
}

static void
measured(const struct tp_graph_view *v, struct tp_slice none, struct tp_doc *doc)
{
	bool known = v != NULL && v->run_from != NULL;
	const struct tp_graph *from = known ? v->run_from : NULL;
	struct tp_slice reason = v != NULL ? TP_S("no dump of tfprof of this graph was given") : none;
	uint64_t us = known ? v->all.us : 0, bytes = known ? v->all.requested_bytes : 0;

	if (known) {
		tp_graph_sum(&us, from->not_in_graph_us);
		tp_graph_sum(&bytes, from->not_in_graph_bytes);
	}

	tp_doc_metric(doc, TP_S("graph.time_us"), "Time of the graph a step",
		known ? tp_integer((int64_t)us, TP_UNIT_US) : tp_missing(reason),
		TP_S("Σ over nodes of accelerator and CPU time, as tfprof has them: of each node the sum "
			 "over the steps in which it ran by their number, cut to whole microseconds; those "
			 "that only the run knows included"),
		known ? tp_arena_printf(doc->arena, "%u %s", from->run_steps,
					tp_plural(from->run_steps, "step", "steps"))
			  : TP_S(""));
	tp_doc_metric(doc, TP_S("graph.requested_bytes"), "Memory that the graph asks for a step",
		known ? tp_bytes(bytes) : tp_missing(reason),
		TP_S("Σ over nodes of requested bytes, by the same rule"), TP_S(""));
}

void
tp_graph_metrics(const struct tp_pass_ctx *ctx, const void *result, struct tp_doc *doc)
{
	const struct tp_graph_view *v = result;
	struct tp_slice none = tp_skipped(ctx, &tp_pass_graph);

	nodes(v, none, doc);
	variables(v, none, doc);
	measured(v, none, doc);
}
