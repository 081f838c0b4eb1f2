/* Questions that passes ask of graphs. */
#include "model/graph.h"

#include "base/order.h"
#include "model/profile.h"

/* tensorflow/core/framework/types.proto; a type + 100 is a reference to it. */
enum { REFERENCE = 100 };
static const struct {
	const char *name;
	unsigned bytes;
} types[] = {
	[1] = {"float32", 4},
	[2] = {"float64", 8},
	[3] = {"int32", 4},
	[4] = {"uint8", 1},
	[5] = {"int16", 2},
	[6] = {"int8", 1},
	[7] = {"string", 0},
	[8] = {"complex64", 8},
	[9] = {"int64", 8},
	[10] = {"bool", 1},
	[11] = {"qint8", 1},
	[12] = {"quint8", 1},
	[13] = {"qint32", 4},
	[14] = {"bfloat16", 2},
	[15] = {"qint16", 2},
	[16] = {"quint16", 2},
	[17] = {"uint16", 2},
	[18] = {"complex128", 16},
	[19] = {"float16", 2},
	[20] = {"resource", 0},
	[21] = {"variant", 0},
	[22] = {"uint32", 4},
	[23] = {"uint64", 8},
	[24] = {"float8_e5m2", 1},
	[25] = {"float8_e4m3fn", 1},
};
enum { TYPE_COUNT = sizeof types / sizeof *types };

static unsigned
plain(unsigned type)
{
	return type > REFERENCE ? type - REFERENCE : type;
}

unsigned
tp_graph_type_bytes(unsigned type)
{
	return plain(type) < TYPE_COUNT ? types[plain(type)].bytes : 0;
}

struct tp_slice
tp_graph_type_name(unsigned type)
{
	return tp_slice_of(plain(type) < TYPE_COUNT ? types[plain(type)].name : NULL);
}

bool
tp_graph_elements(const struct tp_graph *g, const struct tp_graph_shape *shape, int64_t *elements)
{
	int64_t product = 1;

	if (shape->rank == TP_GRAPH_UNKNOWN_RANK)
		return false;
	for (uint32_t i = 0; i < shape->rank; i++) {
		int64_t dim = g->dims[shape->first + i];

		if (dim < 0 || __builtin_mul_overflow(product, dim, &product))
			return false;
	}
	*elements = product;
	return true;
}

uint64_t
tp_graph_step_us(const struct tp_graph_run *run)
{
	return run->steps == 0 ? 0 : (run->accelerator_us + run->cpu_us) / run->steps;
}

uint64_t
tp_graph_step_bytes(const struct tp_graph_run *run)
{
	return run->steps == 0 ? 0 : run->requested_bytes / run->steps;
}

/* What was made of a graph tells less of it than the graph, however many nodes it has; layers tell least. */
static enum tp_graph_from
last_resort(const struct tp_graph *g)
{
	return g->from < TP_GRAPH_FROM_PARTS ? TP_GRAPH_FROM_DEF : g->from;
}

static bool
speaks_more(const struct tp_graph *a, const struct tp_graph *b)
{
	if (last_resort(a) != last_resort(b))
		return last_resort(a) < last_resort(b);
	if (a->main_count != b->main_count)
		return a->main_count > b->main_count;
	if (a->node_count != b->node_count)
		return a->node_count > b->node_count;
	if (a->from != b->from)
		return a->from < b->from;
	return a->step > b->step;
}

const struct tp_graph *
tp_graph_chosen(const struct tp_profile *p)
{
	const struct tp_graph *best = p->graphs;

	for (const struct tp_graph *g = p->graphs; g != NULL; g = g->next) {
		if (speaks_more(g, best))
			best = g;
	}
	return best;
}

const struct tp_graph *
tp_graph_nth(const struct tp_profile *p, size_t number)
{
	const struct tp_graph *g = p->graphs;

	while (g != NULL && --number != 0)
		g = g->next;
	return g;
}

uint32_t
tp_graph_function_of(const struct tp_graph *g, uint32_t node)
{
	size_t behind = TP_FIRST_WHERE(i, g->function_count, g->functions[i].first > node);

	return behind != 0 ? (uint32_t)behind - 1 : 0;
}
