/* The fixed texts of the section Graph. {} and {id} take figures, as TP_SAY does; %s as printf. */
#ifndef TP_ANALYZE_GRAPH_GRAPH_WORDS_H
#define TP_ANALYZE_GRAPH_GRAPH_WORDS_H

/* What it says first: what the graph has, … */
static const char text_layers[] = "The Keras model has {} of {}.";
static const char text_layers_only[] = "It does not give their parameters or operations.";
static const char text_size[] = "The graph has {} of {}.";
static const char text_size_with_functions[] = "The graph has {}, and {} in {}.";
/* … and what it holds. */
static const char text_no_variables[] = "It holds no variables.";
static const char text_variables_in_functions[] = "It holds no variables outside functions.";
static const char text_unknown_size[] = "It holds {} of unknown size.";
static const char text_trained_elements[] =
	"Its {} hold {graph.variable_elements} elements, {graph.parameters} of them trained.";
static const char text_elements[] = "Its {} hold {graph.variable_elements} elements.";

/* Which graph this is. */
static const char text_graph_asked[] = "The run holds {}; this is the requested one, from `{}`.";
static const char text_graph_largest[] =
	"The run holds {}; this is the one with the most nodes, from `{}`. `--graph 2` reports on the "
	"second of the list.";
static const char text_from_parts[] =
	"No file has the graph as the program built it. This is what devices received for a step: "
	"nodes not needed are gone, and TensorFlow has folded and added others.";
static const char text_from_statistics[] =
	"No file has the graph as the program built it. This is what ran in a step, from its "
	"statistics: names, operations and inputs, including function bodies; a name that ran on two "
	"devices is left out.";
/* What it lacks. */
static const char text_uncalled_one[] =
	"{}, neither directly nor through others: a program may call it by name.";
static const char text_uncalled[] =
	"{}, neither directly nor through others: a program may call them by name.";
static const char text_only_run[] = "{} ran that TensorFlow added to the graph; time per step: {}.";
static const char text_missing_inputs[] = "{} no node of the graph: no arrow is drawn for them.";
static const char text_duplicates[] = "{} an earlier node's name; only the first counts.";

/* The drawing. */
static const char text_drawing[] =
	"Boxes are top-level scopes, large ones split into their parts, and nodes in no scope; a box "
	"with a blue edge holds variables. Arrows that point up close a cycle, thicker ones carry more "
	"tensors, dashed ones only impose order.";
static const char text_drawing_alt[] =
	"The graph drawn as %.*s and %.*s between them; the largest is %.*s";
static const char text_not_drawn[] = "{} not drawn.";

/* Tables; their columns: graph_columns.h. */
static const char caption_scopes[] = "Name scopes, each including nested ones, largest first";
static const char text_scopes_left_out[] = "{} without a row.";
static const char caption_operations[] = "Operations by number of nodes";
static const char text_no_operation[] = "no operation named";
static const char text_no_device[] = "No node requests a device.";
static const char caption_devices_ran[] = "Devices on which nodes ran";
static const char caption_devices_placed[] = "Devices on which a step placed the nodes";
static const char caption_devices_requested[] = "Requested devices";
static const char text_not_recorded[] = "not recorded";
static const char text_none_requested[] = "none requested";
static const char caption_places[] = "Devices on which recorded steps placed the nodes";
static const char text_in_no_step[] = "in no recorded step";
static const char caption_functions[] = "Library functions, and how many nodes name them";
static const char caption_variables[] = "Variables, largest first, including optimiser variables";
static const char caption_graphs[] = "Graphs in the run's files";
static const char text_no_name[] = "(no name)";

/* How a function is called, … */
static const char text_called_of_object[] = "belongs to a saved-model object";
static const char text_called_through[] = "called through others";
static const char text_called_by_uncalled[] = "called by functions that are never called";
static const char text_never_called[] = "never called";
/* … and what another graph is for. */
static const char text_this_graph[] = "this graph";
static const char text_says_ran[] = "says what ran";
static const char text_says_where[] = "says where its nodes ran";
static const char text_same_nodes[] = "the same nodes";
static const char text_other_nodes[] = "other nodes: not reported";

/* Why a figure is missing. */
static const char why_not_told_trained[] = "no file says which variables are trained";
static const char why_no_dump[] = "there is no tfprof dump of this graph";
static const char why_nothing_ran[] = "no file says what ran";
static const char why_no_nodes[] = "the graph has no nodes";
static const char why_no_functions[] = "the graph has no functions";
static const char why_unknown_shape[] = "its shape is unknown";
static const char why_no_type[] = "its type is not recorded";
static const char why_no_size[] = "its type has no fixed size";
static const char why_keras[] = "a Keras model does not list its variables";
static const char why_in_functions[] = "what runs in functions is not separated";
static const char why_in_function[] = "it is in a function";
static const char why_no_node[] = "no node";
static const char why_no_device[] = "no device is recorded";

/* How figures are computed. */
static const char how_graph[] =
	"A node's scope is its name up to the last slash; a node named like a scope belongs to it. "
	"Variables are nodes VarHandleOp, VariableV2 and Variable, their elements the product of the "
	"attribute shape. If there are several graphs, the one with the most nodes is reported; among "
	"equals, a GraphDef before a MetaGraphDef before a tfprof dump. Per-device graphs of a step, "
	"what ran in a step, and Keras layers are reported only if there is no other graph. What other "
	"files say about the same nodes is added: which variables are trained, what ran, and where: a "
	"step's graphs in RunMetadata match if half of their node names do, and also the operations if "
	"there are only statistics. A function is called by nodes that name it as their operation, in "
	"an attribute, as a body or as a branch; functions of saved-model objects are called by "
	"whoever loads the model. Devices of scopes are those on which a recorded step placed the "
	"nodes, else the requested ones. Times and memory are those of tfprof's views: per node the "
	"mean over the steps in which it ran. The drawing shows the top-level scopes. A scope with "
	"more than 40 % of all nodes is split into its parts while there are fewer than 12 boxes, "
	"except the backward pass (gradients, gradient_tape); beyond 24 boxes, the smallest share one. "
	"An arrow's tensors are inputs of nodes below that are outputs of nodes above it; sizes come "
	"from `_output_shapes`. Cycles are broken at the arrow with the fewest tensors.";

#endif
