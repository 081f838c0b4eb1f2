/* Fields of GraphDef and RunMetadata that tfprof reads, as text names them. */
#include "ingest/tfprof_texts.h"

#include "ingest/text_wire.h"

TP_WIRE_SCHEMA(dim, false, {"size", 1, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(
	shape, false, {"dim", 2, TP_WIRE_MESSAGE, &dim}, {"unknown_rank", 3, TP_WIRE_BOOLEAN, NULL});
TP_WIRE_SCHEMA(list, false, {"shape", 7, TP_WIRE_MESSAGE, &shape});
TP_WIRE_SCHEMA(attr_value, false, {"list", 1, TP_WIRE_MESSAGE, &list},
	{"s", 2, TP_WIRE_STRING, NULL}, {"b", 5, TP_WIRE_BOOLEAN, NULL},
	{"type", 6, TP_WIRE_TYPE, NULL}, {"shape", 7, TP_WIRE_MESSAGE, &shape});
TP_WIRE_SCHEMA(
	attr, false, {"key", 1, TP_WIRE_STRING, NULL}, {"value", 2, TP_WIRE_MESSAGE, &attr_value});
TP_WIRE_SCHEMA(node, true, {"name", 1, TP_WIRE_STRING, NULL}, {"op", 2, TP_WIRE_STRING, NULL},
	{"input", 3, TP_WIRE_STRING, NULL}, {"attr", 5, TP_WIRE_MESSAGE, &attr});
TP_WIRE_SCHEMA(graph, false, {"node", 1, TP_WIRE_MESSAGE, &node});

TP_WIRE_SCHEMA(record, false, {"alloc_micros", 1, TP_WIRE_INTEGER, NULL},
	{"alloc_bytes", 2, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(allocator, false, {"allocator_name", 1, TP_WIRE_STRING, NULL},
	{"total_bytes", 2, TP_WIRE_INTEGER, NULL}, {"peak_bytes", 3, TP_WIRE_INTEGER, NULL},
	{"allocator_bytes_in_use", 5, TP_WIRE_INTEGER, NULL}, {"live_bytes", 4, TP_WIRE_INTEGER, NULL},
	{"allocation_records", 6, TP_WIRE_MESSAGE, &record});
TP_WIRE_SCHEMA(allocation, false, {"requested_bytes", 1, TP_WIRE_INTEGER, NULL},
	{"allocated_bytes", 2, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(tensor, false, {"allocation_description", 4, TP_WIRE_MESSAGE, &allocation});
TP_WIRE_SCHEMA(output, false, {"tensor_description", 3, TP_WIRE_MESSAGE, &tensor});
TP_WIRE_SCHEMA(memory_stats, false, {"temp_memory_size", 1, TP_WIRE_INTEGER, NULL},
	{"persistent_memory_size", 3, TP_WIRE_INTEGER, NULL});
TP_WIRE_SCHEMA(node_stats, true, {"node_name", 1, TP_WIRE_STRING, NULL},
	{"all_start_micros", 2, TP_WIRE_INTEGER, NULL}, {"op_end_rel_micros", 4, TP_WIRE_INTEGER, NULL},
	{"memory", 6, TP_WIRE_MESSAGE, &allocator}, {"output", 7, TP_WIRE_MESSAGE, &output},
	{"memory_stats", 12, TP_WIRE_MESSAGE, &memory_stats});
TP_WIRE_SCHEMA(dev_stats, false, {"device", 1, TP_WIRE_STRING, NULL},
	{"node_stats", 2, TP_WIRE_MESSAGE, &node_stats});
TP_WIRE_SCHEMA(step_stats, false, {"dev_stats", 1, TP_WIRE_MESSAGE, &dev_stats});
TP_WIRE_SCHEMA(run_metadata, false, {"step_stats", 1, TP_WIRE_MESSAGE, &step_stats});

const struct tp_wire_schema *const tp_tfprof_graph_text = &graph;
const struct tp_wire_schema *const tp_tfprof_run_text = &run_metadata;
